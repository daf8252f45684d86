/* SPDX-License-Identifier: MIT
 *
 * The specification as an automaton against the processes of the published semantics, evaluated
 * here by themselves: components and connections side by side, which agree on events. */
#include "sound/spec.h"

#include <string.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sound_rig.h"

/* ---- the processes ---- */

enum { ECS = 4, PORTS = 16, STAGES = 7, PARAMETER_BIT = 24 };

/* Stages of a component: init, sync, get, sync, set, sync, step. */
typedef struct csp {
    uint8_t stage[ECS];
    uint32_t left[ECS];  /* bits: ports (parameters: from PARAMETER_BIT on) of this stage */
    bool started;        /* the connections are past their initialisation */
    uint32_t initials;   /* bits: inputs that the connections still let be initialised */
    uint8_t link[PORTS]; /* by input: 0 waits for its get, 1 + value: for its set, 9: done */
} csp;

static bool is_connected(const hk_sound_port *p) {
    return !p->is_output && p->source != HK_MAP_NONE;
}

static uint32_t stage_set(const hk_sound_system *s, uint32_t ec, int stage) {
    uint32_t set = 0;
    for (uint32_t p = 0; p < s->port_count; p++) {
        const hk_sound_port *port = &s->ports[p];
        bool in = stage == 0   ? !port->is_output && port->initial
                  : stage == 2 ? port->is_output
                  : stage == 4 ? !port->is_output
                               : false;
        if (port->instance == ec && in)
            set |= 1u << p;
    }
    for (uint32_t k = 0; stage == 0 && k < s->instances[ec].parameters; k++)
        set |= 1u << (PARAMETER_BIT + k);
    return stage == 6 ? 1 : set;
}

/* Parts that have ended come to their sync; when all are there, each begins its next part. */
static bool move_instances(const hk_sound_system *s, csp *c) {
    bool moved = false, all = true;
    for (uint32_t i = 0; i < s->instance_count; i++) {
        bool at_sync = c->stage[i] % 2 == 1;
        if (!at_sync && !c->left[i]) {
            /* After the step comes the sync before the gets. */
            c->stage[i] = c->stage[i] == 6 ? 1 : (uint8_t)(c->stage[i] + 1);
            moved = true;
        }
        all = all && c->stage[i] % 2 == 1;
    }
    for (uint32_t i = 0; all && i < s->instance_count; i++) {
        c->stage[i]++;
        c->left[i] = stage_set(s, i, c->stage[i]);
        moved = true;
    }
    return moved;
}

/* Links that have all ended begin their next round. */
static bool move_links(const hk_sound_system *s, csp *c) {
    bool ended = c->started, any = false;
    for (uint32_t p = 0; p < s->port_count; p++)
        if (is_connected(&s->ports[p])) {
            any = true;
            ended = ended && c->link[p] == 9;
        }
    if (!any || !ended)
        return false;
    memset(c->link, 0, sizeof c->link);
    return true;
}

/* What happens without being seen: ends of parts, the hidden sync, and the next round of links. */
static void settle(const hk_sound_system *s, csp *c) {
    for (bool moved = true; moved;) {
        moved = move_instances(s, c);
        if (!c->started && !c->initials)
            c->started = moved = true;
        moved |= move_links(s, c);
        bool quiet = true; /* systems without any ports and steps would turn for ever */
        for (uint32_t i = 0; i < s->instance_count; i++)
            quiet = quiet && c->stage[i] % 2 == 0 && c->left[i];
        moved = moved && !quiet;
    }
}

static csp begin(const hk_sound_system *s) {
    csp c = {0};
    for (uint32_t i = 0; i < s->instance_count; i++)
        c.left[i] = stage_set(s, i, 0);
    for (uint32_t p = 0; p < s->port_count; p++)
        if (is_connected(&s->ports[p]) && s->ports[p].initial)
            c.initials |= 1u << p;
    settle(s, &c);
    return c;
}

static bool components_allow(csp *c, uint32_t ec, int stage, uint32_t bit) {
    if (c->stage[ec] != stage || !(c->left[ec] & bit))
        return false;
    c->left[ec] &= ~bit;
    return true;
}

/* One get has to be agreed on by all links from that output. */
static bool links_get(const hk_sound_system *s, csp *c, uint32_t output, int value) {
    for (uint32_t p = 0; p < s->port_count; p++) {
        if (!is_connected(&s->ports[p]) || s->ports[p].source != output)
            continue;
        if (!c->started || c->link[p] != 0)
            return false;
        c->link[p] = (uint8_t)(1 + value);
    }
    return true;
}

static bool links_set(const hk_sound_system *s, csp *c, uint32_t input, int value) {
    if (!is_connected(&s->ports[input]))
        return true;
    if (!c->started) {
        bool allowed = c->initials >> input & 1;
        c->initials &= ~(1u << input);
        return allowed;
    }
    if (c->link[input] != 1 + value)
        return false;
    c->link[input] = 9;
    return true;
}

/* The state after an event; false: it is refused. */
static bool perform(const hk_sound_system *s, csp *c, const hk_sound_call *e) {
    csp next = *c;
    int value = (int)e->value;
    uint32_t bit = 1u << e->port;
    bool fine = false;
    if (e->op == HK_OP_GET)
        fine = components_allow(&next, e->instance, 2, bit) && links_get(s, &next, e->port, value);
    else if (e->op == HK_OP_SET && next.stage[e->instance] == 0)
        fine = components_allow(&next, e->instance, 0, bit) && value == 0 &&
               links_set(s, &next, e->port, value);
    else if (e->op == HK_OP_SET)
        fine = components_allow(&next, e->instance, 4, bit) && links_set(s, &next, e->port, value);
    else if (e->op == HK_OP_PARAMETER)
        fine = components_allow(&next, e->instance, 0, 1u << (PARAMETER_BIT + e->port));
    else
        fine = components_allow(&next, e->instance, 6, 1);
    if (!fine)
        return false;
    settle(s, &next);
    *c = next;
    return true;
}

/* ---- all traces, breadth first ---- */

enum { STATES_MAX = 4000, EVENTS_MAX = 64 };

typedef struct found {
    csp state;
    uint32_t parent, steps; /* steps: completed cycles, for the time */
    hk_sound_call event;
} found;

static size_t alphabet(const hk_sound_system *s, hk_sound_call *events) {
    size_t n = 0;
    for (uint32_t p = 0; p < s->port_count; p++)
        for (int value = 0; value < 2; value++)
            events[n++] = (hk_sound_call){.op = s->ports[p].is_output ? HK_OP_GET : HK_OP_SET,
                                          .port = p,
                                          .instance = s->ports[p].instance,
                                          .value = value,
                                          .has_value = true};
    for (uint32_t i = 0; i < s->instance_count; i++) {
        events[n++] = (hk_sound_call){.op = HK_OP_STEP, .instance = i, .h = 1};
        for (uint32_t k = 0; k < s->instances[i].parameters; k++)
            events[n++] = (hk_sound_call){.op = HK_OP_PARAMETER, .instance = i, .port = k};
    }
    return n;
}

/* Does the automaton take the event after the trace that led to a state? */
static bool accepts(const hk_sound_system *s, const found *all, uint32_t at, hk_sound_call event) {
    const hk_sound_call *path[512];
    size_t count = 0;
    for (uint32_t i = at; all[i].parent != HK_MAP_NONE; i = all[i].parent)
        path[count++] = &all[i].event;
    hk_sound_checker *checker = hk_sound_checker_create(s, HK_VIEW_STRICT, 0);
    uint32_t steps = 0;
    while (count > 0) {
        steps += path[count - 1]->op == HK_OP_STEP && path[count - 1]->instance == event.instance;
        assert_true(hk_sound_checker_call(checker, path[--count]));
    }
    event.t = steps;
    bool fine = hk_sound_checker_call(checker, &event);
    hk_arena *arena = hk_arena_create();
    (void)hk_sound_checker_end(arena, checker);
    hk_arena_destroy(arena);
    return fine;
}

static uint32_t steps_of(const found *all, uint32_t at, uint32_t instance) {
    uint32_t steps = 0;
    for (uint32_t i = at; all[i].parent != HK_MAP_NONE; i = all[i].parent)
        steps += all[i].event.op == HK_OP_STEP && all[i].event.instance == instance;
    return steps;
}

/* Both ways: an event is performed by the processes if and only if the automaton takes it. */
static size_t compare(const hk_sound_system *s) {
    found *all = hk_alloc(STATES_MAX * sizeof *all);
    hk_sound_call events[EVENTS_MAX];
    size_t count = 1, event_count = alphabet(s, events);
    all[0] = (found){.state = begin(s), .parent = HK_MAP_NONE};
    for (uint32_t i = 0; i < count; i++)
        for (size_t e = 0; e < event_count; e++) {
            const hk_sound_call *event = &events[e];
            /* The values that initial sets must have are not told to the automaton. */
            bool untold = event->op == HK_OP_SET && event->value > 0 &&
                          all[i].state.stage[event->instance] == 0;
            if (untold)
                continue;
            csp next = all[i].state;
            bool performed = perform(s, &next, event);
            assert_int_equal(performed, accepts(s, all, i, *event));
            bool known = !performed;
            for (size_t k = 0; k < count && !known; k++)
                known = memcmp(&all[k].state, &next, sizeof next) == 0;
            if (known || count == STATES_MAX)
                continue;
            all[count] = (found){.state = next, .parent = i, .event = *event};
            all[count].event.t = steps_of(all, i, event->instance);
            count++;
        }
    hk_free(all);
    return count;
}

static void test_equals_the_processes(void **state) { /* A1 */
    (void)state;
    sound_rng rng = {1};
    size_t states = 0, systems = 0;
    while (systems < 80) {
        hk_arena *arena = hk_arena_create();
        hk_sound_system *s = sound_random(arena, &rng, 3, 8);
        states += compare(s);
        systems++;
        hk_arena_destroy(arena);
    }
    assert_true(states > 1500);
}

/* ---- A2, A3 ---- */

static void test_initial_of_unconnected(void **state) { /* A2: the hole */
    (void)state;
    hk_arena *arena = hk_arena_create();
    static const char *const names[] = {"a"};
    static const sound_row rows[] = {{"a.u", "", true}, {"a.y", NULL, false}};
    hk_sound_system *s = sound_system(arena, names, 1, rows, 2);
    const hk_sound_call set = {.op = HK_OP_SET, .port = 0}, get = {.op = HK_OP_GET, .port = 1};
    hk_sound_verdict v = sound_check(arena, s, (hk_sound_call[]){set, get, set}, 3);
    assert_int_not_equal(v.outcome, HK_SOUND_VIOLATION);
    v = sound_check(arena, s, (hk_sound_call[]){set, set}, 2);
    assert_int_equal(v.outcome, HK_SOUND_VIOLATION);
    assert_string_equal(v.why, "trace violation at event 2 (cycle 0, t=0): set a.u in phase GET; "
                               "still due: get a.y");
    v = sound_check(arena, s, (hk_sound_call[]){get}, 1);
    assert_int_equal(v.outcome, HK_SOUND_VIOLATION);
    hk_arena_destroy(arena);
}

/* Counts by walking, not by a formula: each state once, known by its phase and set. */
static size_t walk(const hk_sound_system *s) {
    hk_arena *arena = hk_arena_create();
    const hk_spec *spec = hk_spec_make(arena, s, HK_VIEW_STRICT, false);
    assert_int_equal(spec->words, 1);
    enum { MOST = 40000 };
    hk_spec_state now = hk_spec_start(arena, spec), next = hk_spec_start(arena, spec);
    struct {
        hk_phase phase;
        uint64_t due;
    } *seen = hk_alloc(MOST * sizeof *seen);
    bool *known[HK_PHASES];
    for (size_t p = 0; p < HK_PHASES; p++)
        known[p] = hk_alloc((size_t)1 << spec->counts[p]);
    size_t count = 0;
    seen[count].phase = now.phase;
    seen[count++].due = now.due[0];
    known[now.phase][now.due[0]] = true;
    for (size_t i = 0; i < count; i++) {
        now.phase = seen[i].phase;
        now.due[0] = seen[i].due;
        now.left = (size_t)__builtin_popcountll(now.due[0]);
        for (size_t k = 0; k < spec->counts[now.phase]; k++) {
            hk_spec_copy(spec, &next, &now);
            if (!hk_spec_take(spec, &next, &spec->items[now.phase][k]) ||
                known[next.phase][next.due[0]])
                continue;
            known[next.phase][next.due[0]] = true;
            assert_true(count < MOST);
            seen[count].phase = next.phase;
            seen[count++].due = next.due[0];
        }
    }
    for (size_t p = 0; p < HK_PHASES; p++)
        hk_free(known[p]);
    hk_free(seen);
    hk_arena_destroy(arena);
    return count;
}

static void test_states_of_the_detector(void **state) { /* A3 */
    (void)state;
    hk_arena *arena = hk_arena_create();
    assert_int_equal(walk(sound_detector(arena, false)), 10524);
    assert_int_equal(walk(sound_detector(arena, true)), 14364);
    hk_arena_destroy(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_equals_the_processes),
                                       cmocka_unit_test(test_initial_of_unconnected),
                                       cmocka_unit_test(test_states_of_the_detector)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
