/* SPDX-License-Identifier: MIT
 *
 * For the tests of src/sound: systems as data, masters, runs of them, and what can be wrong with
 * them. */
#ifndef HK_TEST_SOUND_RIG_H
#define HK_TEST_SOUND_RIG_H

#include "sound/sound.h"
#include "spin.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- systems ---- */

typedef struct sound_row {
    const char *name, *source; /* "arena.walls"; source NULL: an output, "": unconnected */
    bool initial;
} sound_row;

static inline uint32_t sound_port(const hk_sound_system *s, const char *name) {
    for (uint32_t p = 0; p < s->port_count; p++)
        if (strcmp(s->ports[p].name, name) == 0)
            return p;
    return HK_MAP_NONE;
}

static inline hk_sound_system *sound_system(hk_arena *arena, const char *const *instances,
                                            size_t instance_count, const sound_row *rows,
                                            size_t row_count) {
    hk_sound_system *s = HK_NEW(arena, hk_sound_system);
    s->arena = arena;
    s->name = "test";
    s->instance_count = instance_count;
    s->instances = HK_NEW_ARRAY(arena, hk_sound_instance, instance_count + 1);
    s->port_count = row_count;
    s->ports = HK_NEW_ARRAY(arena, hk_sound_port, row_count + 1);
    for (size_t i = 0; i < instance_count; i++)
        s->instances[i] = (hk_sound_instance){.name = instances[i], .rate = 1, .is_fmu = true};
    for (size_t r = 0; r < row_count; r++) {
        hk_sound_port *p = &s->ports[r];
        size_t length = strcspn(rows[r].name, ".");
        *p = (hk_sound_port){.name = rows[r].name,
                             .is_output = !rows[r].source,
                             .source = HK_MAP_NONE,
                             .initial = rows[r].initial};
        for (uint32_t i = 0; i < instance_count; i++)
            if (strlen(instances[i]) == length && strncmp(instances[i], p->name, length) == 0)
                p->instance = i;
    }
    for (size_t r = 0; r < row_count; r++)
        if (rows[r].source && *rows[r].source)
            s->ports[r].source = sound_port(s, rows[r].source);
    return s;
}

/* The chemical detector: 5 FMUs, 13 outputs (10 connected), 11 inputs, 8 with initial values. */
static inline hk_sound_system *sound_detector(hk_arena *arena, bool parameters) {
    static const char *const instances[] = {"controller", "wallSensor", "mobility", "chemDetect",
                                            "arena"};
    static const sound_row rows[] = {{"controller.l", "wallSensor.wleft", false},
                                     {"controller.r", "wallSensor.wright", false},
                                     {"controller.alarm", "chemDetect.detected", false},
                                     {"controller.lightOn", NULL, false},
                                     {"controller.lightOff", NULL, false},
                                     {"controller.ReleaseFlag", NULL, false},
                                     {"controller.ls", NULL, false},
                                     {"controller.as", NULL, false},
                                     {"wallSensor.walls", "arena.walls", true},
                                     {"wallSensor.wleft", NULL, false},
                                     {"wallSensor.wright", NULL, false},
                                     {"mobility.ls", "controller.ls", true},
                                     {"mobility.as", "controller.as", true},
                                     {"mobility.slope", "arena.slope", true},
                                     {"mobility.walls", "arena.walls", true},
                                     {"mobility.gpspos", NULL, false},
                                     {"mobility.gpsdir", NULL, false},
                                     {"chemDetect.concentration", "arena.concentration", true},
                                     {"chemDetect.detected", NULL, false},
                                     {"arena.position", "mobility.gpspos", true},
                                     {"arena.direction", "mobility.gpsdir", true},
                                     {"arena.walls", NULL, false},
                                     {"arena.slope", NULL, false},
                                     {"arena.concentration", NULL, false}};
    hk_sound_system *s = sound_system(arena, instances, 5, rows, sizeof rows / sizeof *rows);
    if (parameters) {
        s->instances[1].parameters = 1;
        s->instances[2].parameters = 2;
        s->instances[3].parameters = 1;
    }
    return s;
}

/* splitmix64 */
typedef struct sound_rng {
    uint64_t state;
} sound_rng;

static inline uint64_t sound_rng_u64(sound_rng *rng) {
    uint64_t z = rng->state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

static inline uint32_t sound_below(sound_rng *rng, uint32_t n) {
    return (uint32_t)(sound_rng_u64(rng) % n);
}

/* Up to INSTANCES and PORTS; with fan-out, unconnected ports, and with or without initial values.
 */
static inline hk_sound_system *sound_random(hk_arena *arena, sound_rng *rng, uint32_t instances,
                                            uint32_t ports) {
    const char **names = HK_NEW_ARRAY(arena, const char *, instances);
    sound_row *rows = HK_NEW_ARRAY(arena, sound_row, ports);
    uint32_t n = 1 + sound_below(rng, instances), count = 0;
    for (uint32_t i = 0; i < n; i++)
        names[i] = hk_arena_printf(arena, "c%u", i);
    uint32_t outputs = 1 + sound_below(rng, ports / 2 ? ports / 2 : 1);
    for (uint32_t i = 0; i < outputs; i++)
        rows[count++] = (sound_row){hk_arena_printf(arena, "%s.y%u", names[sound_below(rng, n)], i),
                                    NULL, false};
    uint32_t inputs = sound_below(rng, ports - outputs + 1);
    for (uint32_t i = 0; i < inputs; i++) {
        const char *source = sound_below(rng, 4) ? rows[sound_below(rng, outputs)].name : "";
        rows[count++] = (sound_row){hk_arena_printf(arena, "%s.u%u", names[sound_below(rng, n)], i),
                                    source, sound_below(rng, 3) == 0};
    }
    hk_sound_system *s = sound_system(arena, names, n, rows, count);
    if (sound_below(rng, 3) == 0)
        s->instances[0].parameters = 1;
    return s;
}

/* ---- masters ---- */

typedef struct sound_list {
    hk_sound_call *calls;
    size_t count;
} sound_list;

static inline void sound_add(sound_list *l, hk_sound_op op, uint32_t port, uint32_t instance) {
    l->calls[l->count++] =
        (hk_sound_call){.op = op, .port = port, .instance = instance, .as = HK_MAP_NONE};
}

static inline void sound_shuffle(sound_rng *rng, hk_sound_call *calls, size_t count) {
    for (size_t i = count; i > 1; i--) {
        uint32_t k = sound_below(rng, (uint32_t)i);
        hk_sound_call swap = calls[i - 1];
        calls[i - 1] = calls[k];
        calls[k] = swap;
    }
}

/* The Jacobi master of the published semantics: initial values; gets, sets, steps. RNG: in any
 * order within the phases. ORDERED: as a partial order, phase after phase. */
static inline hk_sound_master *sound_jacobi(hk_arena *arena, const hk_sound_system *s,
                                            sound_rng *rng, bool ordered) {
    size_t most = s->port_count + s->instance_count + 64;
    sound_list init = {HK_NEW_ARRAY(arena, hk_sound_call, most), 0};
    sound_list step = {HK_NEW_ARRAY(arena, hk_sound_call, most), 0};
    for (uint32_t i = 0; i < s->instance_count; i++)
        for (uint32_t k = 0; k < s->instances[i].parameters; k++)
            sound_add(&init, HK_OP_PARAMETER, k, i);
    for (uint32_t p = 0; p < s->port_count; p++)
        if (s->ports[p].initial)
            sound_add(&init, HK_OP_SET, p, s->ports[p].instance);
    size_t ends[4] = {0};
    for (int phase = 0; phase < 2; phase++) {
        for (uint32_t p = 0; p < s->port_count; p++)
            if (s->ports[p].is_output == (phase == 0))
                sound_add(&step, phase ? HK_OP_SET : HK_OP_GET, p, s->ports[p].instance);
        ends[phase + 1] = step.count;
    }
    for (uint32_t i = 0; i < s->instance_count; i++)
        sound_add(&step, HK_OP_STEP, 0, i);
    ends[3] = step.count;
    for (int phase = 0; rng && phase < 3; phase++)
        sound_shuffle(rng, step.calls + ends[phase], ends[phase + 1] - ends[phase]);
    hk_sound_master *m = HK_NEW(arena, hk_sound_master);
    *m = (hk_sound_master){
        .init = init.calls, .init_count = init.count, .step = step.calls, .step_count = step.count};
    if (!ordered)
        return m;
    const uint32_t **before = HK_NEW_ARRAY(arena, const uint32_t *, step.count);
    size_t *counts = HK_NEW_ARRAY(arena, size_t, step.count);
    uint32_t *all = HK_NEW_ARRAY(arena, uint32_t, step.count);
    for (uint32_t i = 0; i < step.count; i++) {
        all[i] = i;
        int phase = i < ends[1] ? 0 : i < ends[2] ? 1 : 2;
        before[i] = all; /* all phases before it */
        counts[i] = ends[phase];
    }
    m->before = before;
    m->before_count = counts;
    return m;
}

/* A partial order as one sequence: engine masters list their calls in an order that fits. */
static inline hk_sound_master *sound_sequence(hk_arena *arena, const hk_sound_master *m) {
    hk_sound_master *copy = HK_NEW(arena, hk_sound_master);
    *copy = *m;
    copy->before = NULL;
    copy->before_count = NULL;
    return copy;
}

/* ---- mutants ---- */

typedef enum sound_fault {
    FAULT_SWAP_GET_SET,
    FAULT_TWO_GETS,
    FAULT_TWO_SETS,
    FAULT_TWO_STEPS,
    FAULT_NO_GET,
    FAULT_NO_SET,
    FAULT_NO_STEP,
    FAULT_NO_INIT,
    FAULT_STEP_BEFORE_SET,
    FAULT_GET_BEFORE_STEP,
    FAULT_INIT_IN_LOOP,
    FAULT_WRONG_SOURCE,
    FAULT_STALE,
    FAULT_OTHER_STEP,
    FAULT_EMPTY_STEP,
    FAULT_TIME_STANDS,
    FAULT_COUNT,
    FAULT_NO_BARRIER = FAULT_COUNT, /* of partial orders */
    FAULT_NO_CYCLE_BARRIER,
    FAULT_NO_EDGE,
    FAULT_ALL
} sound_fault;

static inline const char *sound_fault_name(sound_fault fault) {
    static const char *const names[] = {
        "swap get and set", "two gets",         "two sets",      "two steps",
        "no get",           "no set",           "no step",       "no init",
        "step before set",  "get before step",  "init in loop",  "wrong source",
        "stale value",      "another step",     "an empty step", "time stands",
        "no barrier",       "no cycle barrier", "one edge less"};
    return names[fault];
}

static inline size_t sound_pick(sound_rng *rng, const hk_sound_call *calls, size_t count,
                                hk_sound_op op) {
    uint32_t have = 0;
    for (size_t i = 0; i < count; i++)
        have += calls[i].op == op;
    uint32_t wanted = have ? sound_below(rng, have) : 0;
    for (size_t i = 0; have && i < count; i++)
        if (calls[i].op == op && wanted-- == 0)
            return i;
    return SIZE_MAX;
}

static inline void sound_remove(sound_list *l, size_t at) {
    memmove(l->calls + at, l->calls + at + 1, (l->count - at - 1) * sizeof *l->calls);
    l->count--;
}

static inline void sound_insert(sound_list *l, size_t at, hk_sound_call call) {
    memmove(l->calls + at + 1, l->calls + at, (l->count - at) * sizeof *l->calls);
    l->calls[at] = call;
    l->count++;
}

static inline bool sound_swap(sound_rng *rng, sound_list *l, hk_sound_op a, hk_sound_op b) {
    size_t i = sound_pick(rng, l->calls, l->count, a), k = sound_pick(rng, l->calls, l->count, b);
    if (i == SIZE_MAX || k == SIZE_MAX)
        return false;
    hk_sound_call swap = l->calls[i];
    l->calls[i] = l->calls[k];
    l->calls[k] = swap;
    return true;
}

static inline bool sound_misroute(sound_rng *rng, const hk_sound_system *s, sound_list *l,
                                  bool stale) {
    for (int tries = 0; tries < 50; tries++) {
        size_t i = sound_pick(rng, l->calls, l->count, HK_OP_SET);
        size_t k = sound_pick(rng, l->calls, l->count, HK_OP_GET);
        if (i == SIZE_MAX || k == SIZE_MAX)
            return false;
        hk_sound_call *set = &l->calls[i];
        if (s->ports[set->port].source == HK_MAP_NONE ||
            (!stale && s->ports[set->port].source == l->calls[k].port))
            continue;
        set->stale = stale;
        set->carries = stale ? 0 : l->calls[k].port + 1;
        return true;
    }
    return false;
}

/* A step of another size than the others, an empty one, or one that begins where the last began. */
static inline bool sound_mistime(sound_rng *rng, const hk_sound_system *s, sound_list *l,
                                 sound_fault fault) {
    size_t at = sound_pick(rng, l->calls, l->count, HK_OP_STEP);
    if (at == SIZE_MAX || (fault == FAULT_OTHER_STEP && s->instance_count < 2))
        return false;
    l->calls[at].stale = fault == FAULT_TIME_STANDS;
    l->calls[at].has_value = fault != FAULT_TIME_STANDS;
    l->calls[at].value = fault == FAULT_OTHER_STEP ? 2 : 0;
    return true;
}

/* A sequence with one fault; NULL: the master has nothing that could be wrong in this way. */
static inline hk_sound_master *sound_mutant(hk_arena *arena, sound_rng *rng,
                                            const hk_sound_system *s, const hk_sound_master *m,
                                            sound_fault fault) {
    sound_list init = {HK_NEW_ARRAY(arena, hk_sound_call, m->init_count + 2), m->init_count};
    sound_list step = {HK_NEW_ARRAY(arena, hk_sound_call, m->step_count + 2), m->step_count};
    memcpy(init.calls, m->init, m->init_count * sizeof *m->init);
    memcpy(step.calls, m->step, m->step_count * sizeof *m->step);
    static const hk_sound_op kinds[] = {HK_OP_GET, HK_OP_SET, HK_OP_STEP};
    size_t at = 0, k;
    bool made = true;
    switch (fault) {
    case FAULT_SWAP_GET_SET:
        made = sound_swap(rng, &step, HK_OP_GET, HK_OP_SET);
        break;
    case FAULT_STEP_BEFORE_SET:
        made = sound_swap(rng, &step, HK_OP_STEP, HK_OP_SET);
        break;
    case FAULT_GET_BEFORE_STEP:
        made = sound_swap(rng, &step, HK_OP_GET, HK_OP_STEP);
        break;
    case FAULT_TWO_GETS:
    case FAULT_TWO_SETS:
    case FAULT_TWO_STEPS:
        at = sound_pick(rng, step.calls, step.count, kinds[fault - FAULT_TWO_GETS]);
        if ((made = at != SIZE_MAX))
            sound_insert(&step, at + 1, step.calls[at]);
        break;
    case FAULT_NO_GET:
    case FAULT_NO_SET:
    case FAULT_NO_STEP:
        at = sound_pick(rng, step.calls, step.count, kinds[fault - FAULT_NO_GET]);
        if ((made = at != SIZE_MAX))
            sound_remove(&step, at);
        break;
    case FAULT_NO_INIT:
    case FAULT_INIT_IN_LOOP:
        k = sound_pick(rng, init.calls, init.count, HK_OP_SET);
        for (at = init.count; at-- > 0;)
            if (init.calls[at].op == HK_OP_SET && init.calls[at].exchange)
                k = SIZE_MAX; /* of the exchange: not a value of its own */
        if (!(made = k != SIZE_MAX))
            break;
        if (fault == FAULT_INIT_IN_LOOP)
            sound_insert(&step, 0, init.calls[k]);
        sound_remove(&init, k);
        break;
    case FAULT_WRONG_SOURCE:
    case FAULT_STALE:
        made = sound_misroute(rng, s, &step, fault == FAULT_STALE);
        break;
    case FAULT_OTHER_STEP:
    case FAULT_EMPTY_STEP:
    case FAULT_TIME_STANDS:
        made = sound_mistime(rng, s, &step, fault);
        break;
    default:
        made = false;
    }
    hk_sound_master *mutant = HK_NEW(arena, hk_sound_master);
    *mutant = (hk_sound_master){
        .init = init.calls, .init_count = init.count, .step = step.calls, .step_count = step.count};
    return made ? mutant : NULL;
}

/* A partial order in which one call waits for nobody any more. CYCLE: not for the cycle before. */
static inline hk_sound_master *sound_unordered(hk_arena *arena, sound_rng *rng,
                                               const hk_sound_master *m, bool cycle) {
    hk_sound_master *mutant = HK_NEW(arena, hk_sound_master);
    size_t n = m->step_count, at = 0;
    *mutant = *m;
    const uint32_t **lists = HK_NEW_ARRAY(arena, const uint32_t *, n);
    size_t *counts = HK_NEW_ARRAY(arena, size_t, n);
    if (cycle) {
        uint32_t *all = HK_NEW_ARRAY(arena, uint32_t, n);
        for (uint32_t i = 0; i < n; i++) {
            all[i] = i;
            lists[i] = all;
            counts[i] = n;
        }
        for (at = 0; at < n && m->before_count[at]; at++)
            ;
        counts[at] = 0;
        mutant->before_last = lists;
        mutant->before_last_count = counts;
        return mutant;
    }
    memcpy(lists, m->before, n * sizeof *lists);
    memcpy(counts, m->before_count, n * sizeof *counts);
    for (int tries = 0; tries < 200; tries++) {
        at = sound_below(rng, (uint32_t)n);
        if (!counts[at])
            continue;
        counts[at] = 0;
        mutant->before = lists;
        mutant->before_count = counts;
        return mutant;
    }
    return NULL;
}

static inline bool sound_has(const uint32_t *list, size_t count, uint32_t call) {
    for (size_t k = 0; k < count; k++)
        if (list[k] == call)
            return true;
    return false;
}

/* A partial order without one of its edges, of those that no way around stands for; NULL: it has
 * none between calls of different kinds. */
static inline hk_sound_master *sound_drop_edge(hk_arena *arena, sound_rng *rng,
                                               const hk_sound_master *m) {
    for (int tries = 0; tries < 1000; tries++) {
        uint32_t b = sound_below(rng, (uint32_t)m->step_count);
        size_t count = m->before_count[b];
        size_t k = count ? sound_below(rng, (uint32_t)count) : 0;
        bool fits = count && m->step[m->before[b][k]].op != m->step[b].op;
        for (size_t x = 0; x < count && fits; x++) {
            uint32_t c = m->before[b][x];
            fits = !sound_has(m->before[c], m->before_count[c], m->before[b][k]);
        }
        if (!fits)
            continue;
        hk_sound_master *mutant = HK_NEW(arena, hk_sound_master);
        const uint32_t **lists = HK_NEW_ARRAY(arena, const uint32_t *, m->step_count);
        size_t *counts = HK_NEW_ARRAY(arena, size_t, m->step_count);
        uint32_t *list = HK_NEW_ARRAY(arena, uint32_t, count);
        memcpy(lists, m->before, m->step_count * sizeof *lists);
        memcpy(counts, m->before_count, m->step_count * sizeof *counts);
        memcpy(list, m->before[b], count * sizeof *list);
        list[k] = list[count - 1];
        lists[b] = list;
        counts[b] = count - 1;
        *mutant = *m;
        mutant->before = lists;
        mutant->before_count = counts;
        return mutant;
    }
    return NULL;
}

/* ---- runs ---- */

/* Makes the calls of a master as they would be seen, with times and values: 0.1 s is one unit of a
 * step. */
static inline void sound_play(hk_arena *arena, const hk_sound_system *s, hk_sound_call *calls,
                              size_t count) {
    double *now = HK_NEW_ARRAY(arena, double, s->port_count + 1);
    double *old = HK_NEW_ARRAY(arena, double, s->port_count + 1);
    double *at = HK_NEW_ARRAY(arena, double, s->instance_count);
    double *last = HK_NEW_ARRAY(arena, double, s->instance_count);
    for (size_t i = 0, gets = 0; i < count; i++) {
        hk_sound_call *c = &calls[i];
        if (c->op == HK_OP_GET) {
            old[c->port] = now[c->port];
            now[c->port] = c->value = 1000.0 * (double)c->port + (double)++gets;
            c->has_value = true;
        } else if (c->op == HK_OP_SET) {
            uint32_t from = c->carries ? c->carries - 1 : s->ports[c->port].source;
            c->has_value = from != HK_MAP_NONE;
            c->value = c->has_value ? (c->stale ? old : now)[from] : 0;
        } else if (c->op == HK_OP_STEP) {
            int64_t rate = s->instances[c->instance].rate;
            c->t = c->stale ? last[c->instance] : at[c->instance];
            c->h = 0.1 * (c->has_value ? c->value : 1) * (double)(rate > 1 ? rate : 1);
            c->has_value = false;
            last[c->instance] = at[c->instance];
            at[c->instance] += c->h;
        }
    }
}

/* The instance takes part in this round of a master. */
static inline bool sound_active(const hk_sound_system *s, uint32_t instance, size_t cycle) {
    const hk_sound_instance *i = &s->instances[instance];
    int64_t since = (int64_t)cycle - i->first;
    return since >= 0 && since % (i->rate > 1 ? i->rate : 1) == 0;
}

/* Runs a sequence for some cycles; instances take part as their rates say. */
static inline hk_sound_call *sound_run(hk_arena *arena, const hk_sound_system *s,
                                       const hk_sound_master *m, size_t cycles, size_t *ret_count) {
    hk_sound_call *trace =
        HK_NEW_ARRAY(arena, hk_sound_call, m->init_count + cycles * m->step_count + 1);
    size_t count = 0;
    for (size_t i = 0; i < m->init_count + cycles * m->step_count; i++) {
        bool init = i < m->init_count;
        hk_sound_call c = init ? m->init[i] : m->step[(i - m->init_count) % m->step_count];
        if (!c.exchange && c.op != HK_OP_LOOP &&
            (init || sound_active(s, c.instance, (i - m->init_count) / m->step_count)))
            trace[count++] = c;
    }
    sound_play(arena, s, trace, count);
    for (uint32_t i = 0; i < s->instance_count; i++)
        for (size_t k = 0; k < count; k++) /* those that begin later begin where they begin */
            if (trace[k].op == HK_OP_STEP && trace[k].instance == i)
                trace[k].t += 0.1 * (double)s->instances[i].first;
    *ret_count = count;
    return trace;
}

static inline hk_sound_verdict sound_check(hk_arena *arena, const hk_sound_system *s,
                                           const hk_sound_call *trace, size_t count) {
    hk_sound_checker *checker = hk_sound_checker_create(s, HK_VIEW_STRICT, 0);
    for (size_t i = 0; i < count; i++)
        if (!hk_sound_checker_call(checker, &trace[i]))
            break;
    return hk_sound_checker_end(arena, checker);
}

/* The verdict of the trace checker on some cycles of a master. */
static inline hk_sound_verdict sound_monitor(hk_arena *arena, const hk_sound_system *s,
                                             const hk_sound_master *m) {
    size_t count;
    const hk_sound_call *trace = sound_run(arena, s, m, 4, &count);
    return sound_check(arena, s, trace, count);
}

/* ---- spin ---- */

/* Errors that spin finds; below 0: it did not come to an answer. */
static inline int sound_spin(const char *promela, long *ret_states) {
    char flags[64];
    snprintf(flags, sizeof flags, "-DSAFETY -DVECTORSZ=%d", HK_SPIN_VECTOR);
    return spin_check(promela, flags, "-m100000 -w18", ret_states);
}

#endif
