/* SPDX-License-Identifier: MIT
 *
 * Step loops: `prove` against an oracle that executes the master. Instances are functions of which
 * nothing is known but what they depend on, values are numbers that stand for how they came about,
 * and what each should be is computed from the connections alone. A master is right if, for every
 * vector of accepted sizes, all that is used in the attempts that were accepted is what it should
 * be. Nothing here looks at the checker or at its rules for loops. */
#include "base/map.h"
#include "base/random.h"
#include "sound/sound.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum {
    SEED = 11,
    MASTERS = 1000,
    INSTANCES = 4,
    EACH = 4, /* ports of an instance at most */
    PORTS = INSTANCES * EACH,
    STEP = 3, /* the largest step */
    CYCLES = 2,
    ATTEMPTS = 50,
    CALLS = 200
};

/* ---- what should be -------------------------------------------------------------------------- */

typedef struct value {
    uint64_t content; /* 0: none */
    int64_t time;     /* of its instance, when it was read */
} value;

typedef struct oracle {
    const hk_sound_system *system;
    const hk_sound_master *master;
    /* What should be, at the beginning of each cycle and at the end of the last. */
    int64_t times[CYCLES + 1];
    uint64_t right_state[CYCLES + 1][INSTANCES], right_value[CYCLES + 1][PORTS];
    /* What is. */
    struct {
        uint64_t state;
        int64_t time, steps, took, accepts;
        value in[PORTS];
    } now[INSTANCES], saved[INSTANCES];
    bool is_saved[INSTANCES];
    value read[PORTS];
    int64_t h;
    int cycle;          /* -1: before the first */
    bool wrong, broken; /* in the attempt at hand; for good */
} oracle;

static uint64_t mix(uint64_t a, uint64_t b) {
    return hk_hash(a, &b, sizeof b) | 1;
}

static uint64_t output_of(const hk_sound_system *s, uint32_t output, uint64_t state,
                          const uint64_t *inputs) {
    uint64_t result = mix(mix(17, output), state);
    for (size_t i = 0; i < s->ports[output].depends_count; i++)
        result = mix(result, inputs[s->ports[output].depends[i]]);
    return result;
}

static uint64_t right_output(oracle *o, int k, uint32_t output);

static uint64_t right_state(oracle *o, int k, uint32_t f) {
    uint64_t *known = &o->right_state[k][f];
    if (*known)
        return *known;
    if (k == 0)
        return *known = mix(3, f);
    uint64_t result =
        mix(mix(5, right_state(o, k - 1, f)), (uint64_t)(o->times[k] - o->times[k - 1]));
    for (uint32_t p = 0; p < o->system->port_count; p++) {
        const hk_sound_port *port = &o->system->ports[p];
        if (port->instance == f && !port->is_output && port->source != HK_MAP_NONE)
            result = mix(result, right_output(o, port->reactive ? k : k - 1, port->source));
    }
    return *known = result;
}

static uint64_t right_output(oracle *o, int k, uint32_t output) {
    uint64_t *known = &o->right_value[k][output], inputs[PORTS] = {0};
    if (*known)
        return *known;
    const hk_sound_port *port = &o->system->ports[output];
    for (size_t i = 0; i < port->depends_count; i++) {
        uint32_t source = o->system->ports[port->depends[i]].source;
        if (source != HK_MAP_NONE)
            inputs[port->depends[i]] = right_output(o, k, source);
    }
    return *known = output_of(o->system, output, right_state(o, k, port->instance), inputs);
}

/* ---- what is --------------------------------------------------------------------------------- */

/* Does the input have what its source should be at that time? */
static bool is_right(oracle *o, uint32_t input, int64_t time) {
    const hk_sound_port *port = &o->system->ports[input];
    value v = o->now[port->instance].in[input];
    for (int k = 0; k <= o->cycle + 1; k++)
        if (o->times[k] == time && v.content == right_output(o, k, port->source))
            return true;
    return false;
}

static void get(oracle *o, uint32_t output) {
    const hk_sound_port *port = &o->system->ports[output];
    uint64_t inputs[PORTS] = {0};
    for (size_t i = 0; i < port->depends_count; i++) {
        uint32_t input = port->depends[i];
        if (o->system->ports[input].source == HK_MAP_NONE)
            continue;
        inputs[input] = o->now[port->instance].in[input].content;
        if (!is_right(o, input, o->now[port->instance].time))
            o->wrong = true;
    }
    o->read[output] = (value){output_of(o->system, output, o->now[port->instance].state, inputs),
                              o->now[port->instance].time};
}

static void set(oracle *o, uint32_t input) {
    const hk_sound_port *port = &o->system->ports[input];
    if (port->source == HK_MAP_NONE)
        return;
    value v = o->read[port->source];
    int64_t now = o->now[port->instance].time;
    if (!v.content || (o->cycle >= 0 && (port->reactive ? v.time <= now : v.time != now)))
        o->wrong = true;
    o->now[port->instance].in[input] = v;
}

static void step(oracle *o, const hk_sound_call *call) {
    uint32_t f = call->instance;
    int64_t h = call->as != HK_MAP_NONE ? o->now[call->as].took
                : call->has_value       ? (int64_t)call->value
                                        : o->h;
    if (h <= 0 || (call->has_value && h > STEP)) {
        o->broken = true;
        return;
    }
    int64_t took = h < o->now[f].accepts ? h : o->now[f].accepts;
    uint64_t next = mix(mix(5, o->now[f].state), (uint64_t)took);
    for (uint32_t p = 0; p < o->system->port_count; p++) {
        const hk_sound_port *port = &o->system->ports[p];
        if (port->instance != f || port->is_output || port->source == HK_MAP_NONE)
            continue;
        next = mix(next, o->now[f].in[p].content);
        if (!is_right(o, p, o->now[f].time + (port->reactive ? took : 0)))
            o->wrong = true;
    }
    o->now[f].state = next;
    o->now[f].time += took;
    o->now[f].took = took;
    o->now[f].steps++;
}

static void restore(oracle *o, uint32_t f) {
    int64_t took = o->now[f].took, accepts = o->now[f].accepts;
    o->broken = o->broken || !o->is_saved[f];
    o->now[f] = o->saved[f];
    o->now[f].took = took;
    o->now[f].accepts = accepts;
}

static void execute(oracle *o, const hk_sound_call *calls, size_t count);

/* Attempts until one is accepted: that one decides whether the loop was right. */
static void negotiate(oracle *o, const hk_sound_loop *loop) {
    bool before = o->wrong;
    for (int attempt = 0; attempt < ATTEMPTS && !o->broken; attempt++) {
        int64_t least = o->h;
        bool accepted = true;
        o->wrong = false;
        execute(o, loop->body, loop->body_count);
        for (size_t i = 0; i < loop->watched_count; i++) {
            int64_t took = o->now[loop->watched[i]].took;
            accepted = accepted && took == o->h;
            least = took < least ? took : least;
        }
        if (accepted) {
            o->wrong = o->wrong || before;
            return;
        }
        execute(o, loop->retry, loop->retry_count);
        o->h = least > 0 ? least : o->h;
    }
    o->broken = true;
}

static void execute(oracle *o, const hk_sound_call *calls, size_t count) {
    for (size_t i = 0; i < count && !o->broken; i++) {
        const hk_sound_call *call = &calls[i];
        switch (call->op) {
        case HK_OP_GET:
            get(o, call->port);
            break;
        case HK_OP_SET:
            set(o, call->port);
            break;
        case HK_OP_STEP:
            step(o, call);
            break;
        case HK_OP_SAVE:
            o->saved[call->instance] = o->now[call->instance];
            o->is_saved[call->instance] = true;
            break;
        case HK_OP_RESTORE:
            restore(o, call->instance);
            break;
        default:
            negotiate(o, call->loop);
        }
    }
}

/* The sizes that all accept in a cycle are those of VECTOR, digit by digit. */
static bool run_cycle(oracle *o, uint32_t vector) {
    int64_t due = STEP;
    for (uint32_t f = 0; f < o->system->instance_count; f++) {
        o->now[f].accepts = STEP;
        if (o->system->instances[f].can_reject) {
            o->now[f].accepts = 1 + vector % STEP;
            vector /= STEP;
        }
        due = o->now[f].accepts < due ? o->now[f].accepts : due;
        o->now[f].steps = o->now[f].took = 0;
    }
    o->h = STEP;
    o->times[o->cycle + 1] = o->times[o->cycle] + due;
    execute(o, o->master->step, o->master->step_count);
    for (uint32_t f = 0; f < o->system->instance_count && !o->broken && !o->wrong; f++)
        if (o->now[f].steps != 1 || o->now[f].time != o->times[o->cycle + 1] ||
            o->now[f].state != right_state(o, o->cycle + 1, f))
            o->wrong = true;
    return !o->broken && !o->wrong;
}

static bool is_right_for(const hk_sound_system *system, const hk_sound_master *master,
                         uint32_t first, uint32_t second) {
    oracle o = {.system = system, .master = master, .cycle = -1};
    for (uint32_t f = 0; f < system->instance_count; f++)
        o.now[f].state = right_state(&o, 0, f);
    execute(&o, master->init, master->init_count);
    for (uint32_t p = 0; p < system->port_count; p++) {
        const hk_sound_port *port = &system->ports[p];
        if (!port->is_output && port->source != HK_MAP_NONE && !is_right(&o, p, 0))
            o.wrong = true;
    }
    if (o.wrong || o.broken)
        return false;
    o.cycle = 0;
    if (!run_cycle(&o, first))
        return false;
    o.cycle = 1;
    return run_cycle(&o, second);
}

static bool is_right_for_all(const hk_sound_system *system, const hk_sound_master *master) {
    uint32_t vectors = 1;
    for (size_t f = 0; f < system->instance_count; f++)
        vectors *= system->instances[f].can_reject ? STEP : 1;
    for (uint32_t first = 0; first < vectors; first++)
        for (uint32_t second = 0; second < vectors; second++)
            if (!is_right_for(system, master, first, second))
                return false;
    return true;
}

/* ---- random masters -------------------------------------------------------------------------- */

typedef struct source {
    uint32_t seed, drawn;
} source;

static uint32_t draw(source *s, uint32_t n) {
    uint32_t words[4];
    hk_philox((uint32_t[]){s->drawn++, 0, 0, 0}, (uint32_t[]){s->seed, 0}, words);
    return words[0] % n;
}

/* What acts at once leads to later instances only, so that no values have to be iterated. */
static hk_sound_system *draw_system(hk_arena *arena, source *s) {
    hk_sound_system *system = HK_NEW(arena, hk_sound_system);
    uint32_t instances = 2 + draw(s, INSTANCES - 1);
    *system = (hk_sound_system){.name = "random",
                                .arena = arena,
                                .instance_count = instances,
                                .port_count = (size_t)instances * EACH,
                                .instances = HK_NEW_ARRAY(arena, hk_sound_instance, instances),
                                .ports = HK_NEW_ARRAY(arena, hk_sound_port, instances * EACH)};
    uint32_t rejecting = draw(s, instances);
    for (uint32_t f = 0; f < instances; f++) {
        system->instances[f] = (hk_sound_instance){.name = hk_arena_printf(arena, "f%u", f),
                                                   .rate = 1,
                                                   .can_save = true,
                                                   .can_reject = f == rejecting || draw(s, 3) == 0};
        for (uint32_t k = 0; k < EACH; k++) {
            hk_sound_port *port = &system->ports[f * EACH + k];
            uint32_t from = draw(s, instances);
            *port =
                (hk_sound_port){.instance = f, .source = HK_MAP_NONE, .is_output = k < EACH / 2};
            port->name = hk_arena_printf(arena, "f%u.%c%u", f, port->is_output ? 'y' : 'u', k);
            if (port->is_output || draw(s, 4) == 0)
                continue;
            port->source = from * EACH + draw(s, EACH / 2);
            port->reactive = from < f && draw(s, 2) == 0;
        }
    }
    for (uint32_t p = 0; p < system->port_count; p++) {
        hk_sound_port *port = &system->ports[p];
        uint32_t *list = HK_NEW_ARRAY(arena, uint32_t, EACH);
        for (uint32_t u = port->instance * EACH + EACH / 2;
             port->is_output && u < (port->instance + 1) * EACH; u++)
            if (system->ports[u].source != HK_MAP_NONE &&
                system->ports[u].source < port->instance * EACH && draw(s, 4) == 0)
                list[port->depends_count++] = u;
        port->depends = port->depends_init = list;
        port->depends_init_count = port->depends_count;
    }
    return system;
}

typedef struct list {
    hk_sound_call calls[CALLS];
    size_t count;
} list;

static void put(list *to, size_t at, hk_sound_call call) {
    assert_true(to->count < CALLS && at <= to->count);
    memmove(&to->calls[at + 1], &to->calls[at], (to->count - at) * sizeof call);
    to->calls[at] = call;
    to->count++;
}

static hk_sound_call take(list *from, size_t at) {
    hk_sound_call call = from->calls[at];
    from->count--;
    memmove(&from->calls[at], &from->calls[at + 1], (from->count - at) * sizeof call);
    return call;
}

/* before; until accepted (WATCHED) { body } retry { retry } after */
typedef struct program {
    list before, body, retry, after;
    uint32_t watched[INSTANCES];
    size_t watched_count;
} program;

static void change_step(source *s, program *p, const hk_sound_system *system) {
    for (size_t i = 0, from = draw(s, CALLS); i < p->body.count; i++) {
        hk_sound_call *call = &p->body.calls[(i + from) % p->body.count];
        if (call->op != HK_OP_STEP)
            continue;
        call->has_value = draw(s, 2) == 0;
        call->value = call->has_value ? 1 + draw(s, STEP) : 0;
        call->as = call->has_value ? HK_MAP_NONE : draw(s, (uint32_t)system->instance_count);
        return;
    }
}

/* One change, that may be one for the better. */
static void change(source *s, program *p, const hk_sound_system *system) {
    list *lists[] = {&p->before, &p->body, &p->body, &p->body, &p->retry, &p->after};
    list *from = lists[draw(s, 6)], *to = lists[draw(s, 6)];
    size_t at = from->count ? draw(s, (uint32_t)from->count) : 0;
    switch (from->count ? draw(s, 8) : 7) {
    case 0:
        take(from, at);
        break;
    case 1:
        put(from, at, from->calls[at]);
        break;
    case 2: { /* elsewhere */
        hk_sound_call call = take(from, at);
        put(to, draw(s, (uint32_t)to->count + 1), call);
        break;
    }
    case 3: /* also elsewhere */
        put(to, draw(s, (uint32_t)to->count + 1), from->calls[at]);
        break;
    case 4:
    case 5: /* to its neighbour */
        if (at + 1 < from->count)
            put(from, at + 1, take(from, at));
        break;
    case 6:
        change_step(s, p, system);
        break;
    default:
        if (p->watched_count > 1) {
            uint32_t which = draw(s, (uint32_t)p->watched_count--);
            p->watched[which] = p->watched[p->watched_count];
        }
    }
}

/* A right master: everything in one loop, in the order that is right if nothing is rejected. */
static void fill(hk_arena *arena, hk_sound_system *system, program *p, hk_sound_master *ret) {
    hk_sound_master *made = NULL;
    bool rejects[INSTANCES];
    for (uint32_t f = 0; f < system->instance_count; f++) {
        rejects[f] = system->instances[f].can_reject;
        system->instances[f].can_reject = false;
    }
    assert_true(hk_sound_synthesise(arena, system, &made).holds);
    *p = (program){0};
    for (size_t i = 0; i < made->step_count; i++) {
        assert_int_not_equal(made->step[i].op, HK_OP_LOOP);
        put(&p->body, p->body.count, made->step[i]);
    }
    for (uint32_t f = 0; f < system->instance_count; f++) {
        hk_sound_call call = {.op = HK_OP_SAVE, .instance = f, .as = HK_MAP_NONE};
        system->instances[f].can_reject = rejects[f];
        put(&p->before, p->before.count, call);
        call.op = HK_OP_RESTORE;
        put(&p->retry, p->retry.count, call);
        if (rejects[f])
            p->watched[p->watched_count++] = f;
    }
    *ret = (hk_sound_master){.init = made->init, .init_count = made->init_count};
}

static const hk_sound_call *keep(hk_arena *arena, const list *from, size_t *ret_count) {
    hk_sound_call *calls = HK_NEW_ARRAY(arena, hk_sound_call, from->count + 1);
    memcpy(calls, from->calls, from->count * sizeof *calls);
    *ret_count = from->count;
    return calls;
}

static hk_sound_call close_loop(hk_arena *arena, const program *p) {
    hk_sound_loop *loop = HK_NEW(arena, hk_sound_loop);
    uint32_t *watched = HK_NEW_ARRAY(arena, uint32_t, p->watched_count + 1);
    memcpy(watched, p->watched, p->watched_count * sizeof *watched);
    *loop = (hk_sound_loop){
        .kind = HK_LOOP_ACCEPTED, .watched = watched, .watched_count = p->watched_count};
    loop->body = keep(arena, &p->body, &loop->body_count);
    loop->retry = keep(arena, &p->retry, &loop->retry_count);
    return (hk_sound_call){.op = HK_OP_LOOP, .as = HK_MAP_NONE, .loop = loop};
}

static hk_sound_master draw_master(hk_arena *arena, source *s, hk_sound_system *system) {
    static program p;
    hk_sound_master master;
    fill(arena, system, &p, &master);
    /* The last calls may come after the loop: the step is decided then. */
    for (uint32_t n = draw(s, 4); n > 0 && p.body.calls[p.body.count - 1].op != HK_OP_STEP; n--)
        put(&p.after, 0, take(&p.body, p.body.count - 1));
    for (uint32_t n = draw(s, 4); n > 0; n--)
        change(s, &p, system);
    list step = p.before;
    hk_sound_call loop = close_loop(arena, &p);
    if (draw(s, 8) == 0) { /* a loop in the loop */
        p.body.count = 0;
        put(&p.body, 0, loop);
        loop = close_loop(arena, &p);
    }
    put(&step, step.count, loop);
    for (size_t i = 0; i < p.after.count; i++)
        put(&step, step.count, p.after.calls[i]);
    master.step = keep(arena, &step, &master.step_count);
    return master;
}

static void prove_agrees_with_execution(void **state) {
    source s = {.seed = SEED};
    int right = 0, wrong = 0;
    (void)state;
    for (int i = 0; i < MASTERS; i++) {
        hk_arena *arena = hk_arena_create();
        hk_sound_system *system = draw_system(arena, &s);
        hk_sound_master master = draw_master(arena, &s, system);
        bool legal, expected = is_right_for_all(system, &master);
        hk_sound_verdict v = hk_sound_keeps_contract(arena, system, &master, STEP, &legal);
        if (v.holds != expected)
            print_message("%d: %s\n%s\n", i, v.why ? v.why : "proved, but it is wrong",
                          hk_sound_print_text(arena, system, &master, STEP));
        assert_int_equal(v.holds, expected);
        assert_false(v.sampled);
        right += expected;
        wrong += !expected;
        hk_arena_destroy(arena);
    }
    print_message("%d right, %d wrong\n", right, wrong);
    assert_true(right > MASTERS / 4 && wrong > MASTERS / 4); /* else they say little */
}

/* ---- by hand --------------------------------------------------------------------------------- */

static void expect(const char *text, const char *why) {
    hk_ctx *ctx = hk_ctx_create(NULL, NULL);
    hk_arena *arena = hk_arena_create();
    hk_sound_system *system;
    hk_sound_master *master;
    int64_t max_step;
    bool legal;
    assert_int_equal(hk_sound_read_text(ctx, arena, &(hk_file_text){"x", text, strlen(text)},
                                        &system, &master, &max_step),
                     HK_OK);
    hk_sound_verdict v = hk_sound_keeps_contract(arena, system, master, max_step, &legal);
    if (v.holds != !why || (why && !strstr(v.why, why)))
        print_message("%s\n%s\n", text, v.why ? v.why : "holds");
    assert_int_equal(v.holds, why == NULL);
    assert_true(!why || strstr(v.why, why));
    hk_arena_destroy(arena);
    hk_ctx_destroy(ctx);
}

#define TWO                                                                                        \
    "scenario s { max step 3; instance A { can reject; out y; } instance C { in reactive u; } "    \
    "connect A.y -> C.u; } algorithm { init { get A.y; set C.u; } step { "

/* The attempt that is accepted may be the first one: nothing that came before helps it. */
static void the_accepted_attempt_is_checked(void **state) {
    (void)state;
    expect(TWO "save A, C; until accepted (A) { step A; get A.y; set C.u; step C; } "
               "retry { restore A, C; } } }",
           NULL);
    expect(TWO "save A, C; until accepted (A) { step A; set C.u; get A.y; step C; } "
               "retry { restore A, C; } } }",
           "set C.u (line 1): it is reactive and needs a value of the end of the step, but its "
           "source A.y has a value of time 0");
    /* A is asked first, and what it accepts is what C gets. */
    expect(TWO "save A, C; step A; get A.y; restore A; until accepted (A) { set C.u; step C; step "
               "A; } retry { restore A, C; } } }",
           NULL);
    /* What an attempt leaves behind is not for the next one, even if its time fits. */
    expect(TWO "save A, C; until accepted (A) { step A; set C.u; step C; } "
               "retry { get A.y; restore A, C; } } }",
           "has a value of time 0");
}

/* Without 'max step' there is something to reject nevertheless. */
static void rejection_is_tried(void **state) {
    (void)state;
#define UNSAID                                                                                     \
    "scenario s { instance A { can reject; out observed y; } instance B { out observed y; } "
    expect(UNSAID "} algorithm { init { } step { step A; step B as A; } }", NULL);
    expect(UNSAID "} algorithm { init { } step { step A; step B; } }",
           "B has advanced by 3, but a step of 1 was due");
}

#define RING                                                                                       \
    "scenario s { instance A { native; in u; out x [u]; } instance B { native; in u; out y [u]; "  \
    "} connect A.x -> B.u; connect B.y -> A.u; } algorithm { init { get A.x, B.y; set A.u, B.u; }" \
    " step { step A, B; until converged "
#define REACTIVE                                                                                   \
    "scenario s { instance A { in reactive f; out x; out v; } instance B { in reactive x; in "     \
    "reactive v; out f; } connect A.x -> B.x; connect A.v -> B.v; connect B.f -> A.f; } "          \
    "algorithm { init { get A.x, A.v, B.f; set A.f, B.x, B.v; } step { save A, B; until "          \
    "converged "

/* What one iteration hands on to the next must be watched: else nobody knows that it has settled.
 */
static void what_is_handed_on_is_watched(void **state) {
    static const char handed[] =
        "B.y is handed on from one iteration to the next, but the loop does not watch it";
    (void)state;
    expect(RING "(A.x, B.y) { get A.x; set B.u; get B.y; set A.u; } } }", NULL);
    expect(RING "(B.y) { get A.x; set B.u; get B.y; set A.u; } } }", NULL);
    expect(RING "(A.x) { get A.x; set B.u; get B.y; set A.u; } } }", handed);
    expect(RING "(A.x) { set A.u; get A.x; set B.u; get B.y; } } }", handed);
    expect(RING "(A.x, B.y) { set A.u, B.u; get A.x, B.y; } set A.u, B.u; } }", NULL);
    expect(RING "(A.u) { get A.x; set B.u; get B.y; set A.u; } } }", NULL); /* an input */
    expect(RING "(B.u) { get A.x; set B.u; get B.y; set A.u; } } }", handed);
    expect(REACTIVE "(A.x, A.v) { set tentative B.x, B.v; step B; get tentative B.f; set tentative "
                    "A.f; step A; get tentative A.x, A.v; } retry { restore A, B; } } }",
           NULL);
    expect(REACTIVE "(A.x) { set tentative B.x, B.v; step B; get tentative B.f; set tentative A.f; "
                    "step A; get tentative A.x, A.v; } retry { restore A, B; } } }",
           "A.v is handed on from one iteration to the next, but the loop does not watch it");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(prove_agrees_with_execution),
        cmocka_unit_test(the_accepted_attempt_is_checked),
        cmocka_unit_test(rejection_is_tried),
        cmocka_unit_test(what_is_handed_on_is_watched),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
