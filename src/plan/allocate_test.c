/* SPDX-License-Identifier: MIT
 *
 * Allocation against an enumeration of its own, which plans every assignment as a user would: with
 * processors in the model and hk_plan_make. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <time.h>

#include <cmocka.h>

#include "base/random.h"
#include "dice.h"
#include "fake_model.h"
#include "plan/allocate.h"
#include "plan/constraints.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { SYSTEMS = 60, SLOWER = 30, ENUMERATED_MAX = 400, ALL_MAX = 400 };
#else
enum { SYSTEMS = 200, SLOWER = 1, ENUMERATED_MAX = 4000, ALL_MAX = 30000 }; /* all: HK_SLOW=1 */
#endif

enum { INPUTS = 40, SMALL = 9 };

typedef struct rig {
    hk_ctx *ctx;
    hk_model *model;
    hk_ratio *costs;
    hk_allocate_options options;
} rig;

static rig make(void) {
    return (rig){.ctx = hk_ctx_create(NULL, NULL), .model = hk_model_create("a", NULL)};
}

static void finish(rig *r) {
    hk_model_destroy(r->model);
    hk_ctx_destroy(r->ctx);
}

static hk_allocation *allocate(rig *r) {
    hk_allocation *a = NULL;
    hk_model_lower(r->model);
    assert_int_equal(hk_allocate(r->ctx, r->model, &r->options, &a), HK_OK);
    return a;
}

static void link(rig *r, uint32_t from, uint32_t to, uint32_t *used, hk_lag lag) {
    if (used[to] < INPUTS)
        hk_model_connect(r->model, from, INPUTS, to, used[to]++, HK_NOWHERE)->lag = lag;
}

static hk_path path_of(hk_model *model, size_t count, const uint32_t *components) {
    hk_path p = {HK_NEW_ARRAY(model->arena, uint32_t, count), count};
    memcpy(p.components, components, count * sizeof *components);
    return p;
}

static void constrain(hk_model *model, hk_constraint_kind kind, const hk_path *paths, size_t count,
                      const char *min, const char *max) {
    hk_constraint c = {.kind = kind, .path_count = count, .has_min = min, .has_max = max};
    c.paths = HK_NEW_ARRAY(model->arena, hk_path, count);
    memcpy(c.paths, paths, count * sizeof *paths);
    c.min = min ? seconds(min) : (hk_ratio){0, 1};
    c.max = max ? seconds(max) : (hk_ratio){0, 1};
    hk_model_add_constraint(model, c);
}

static void random_constraints(rig *r, dice *d) {
    static const char *const limits[] = {"0", "0.005", "0.01", "0.015", "0.02", "0.03", "0.06"};
    hk_model *m = r->model;
    uint32_t wanted = roll(d, 4);
    for (uint32_t tries = 0; tries < 40 && m->constraint_count < wanted; tries++) {
        const hk_connection *x = &m->connections[roll(d, (uint32_t)m->connection_count)];
        const hk_connection *y = &m->connections[roll(d, (uint32_t)m->connection_count)];
        const char *limit = limits[roll(d, 7)];
        if (roll(d, 4) == 0) {
            hk_path sink = path_of(m, 1, &x->to_component);
            constrain(m, HK_FRESHNESS, &sink, 1, NULL, limit);
        } else if (x->to_component == y->from_component) {
            uint32_t way[] = {x->from_component, x->to_component, y->to_component};
            bool direct = false;
            for (size_t k = 0; k < m->connection_count; k++)
                direct = direct || (m->connections[k].from_component == way[0] &&
                                    m->connections[k].to_component == way[2]);
            hk_path paths[] = {path_of(m, 3, way), path_of(m, 2, (uint32_t[]){way[0], way[2]})};
            if (direct)
                constrain(m, HK_COINCIDENCE, paths, 2, NULL, NULL);
            else
                constrain(m, HK_LATENCY, paths, 1, roll(d, 2) ? "0.01" : NULL, limit);
        }
    }
}

static rig random_system(uint32_t seed, uint32_t count, uint32_t links) {
    static const char *const periods[] = {"0.005", "0.01", "0.02", "0.015"};
    rig r = make();
    dice d = {hk_stream_make(seed, 0, "system", "dice"), 0};
    hk_info *infos[] = {fake_info(r.model, HK_STAMP_START, INPUTS, 1),
                        fake_info(r.model, HK_STAMP_END, INPUTS, 1)};
    r.costs = HK_NEW_ARRAY(r.model->arena, hk_ratio, count);
    uint32_t *used = HK_NEW_ARRAY(r.model->arena, uint32_t, count);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t c =
            fake_add(r.ctx, r.model, hk_arena_printf(r.model->arena, "c%u", i),
                     infos[roll(&d, 8) == 0], periods[roll(&d, 4)], roll(&d, 5) ? NULL : "0.0025");
        r.model->components[c].priority = (int)roll(&d, 3);
        assert_true(hk_ratio_make(1 + roll(&d, 12), 10000, &r.costs[i]));
    }
    for (uint32_t k = 0; k < links; k++) {
        uint32_t from = roll(&d, count), to = roll(&d, count);
        uint32_t word = roll(&d, 12);
        if (from > to && roll(&d, 4)) { /* most links lead forward */
            uint32_t swap = from;
            from = to;
            to = swap;
        }
        hk_lag lag = word == 0                ? HK_LAG_PREVIOUS
                     : word == 1              ? HK_LAG_DEFAULT
                     : word == 2 && from < to ? HK_LAG_OBSERVE
                                              : HK_LAG_CURRENT;
        if (from != to)
            link(&r, from, to, used, lag);
    }
    fake_experiment(r.model, "0.005", "0.6");
    if (r.model->connection_count)
        random_constraints(&r, &d);
    r.options = (hk_allocate_options){.processors = 1 + roll(&d, 4),
                                      .algorithm = roll(&d, 2) ? HK_GAUSS_SEIDEL : HK_JACOBI,
                                      .cut = roll(&d, 3) ? HK_CUT_HLA : HK_CUT_KEEP,
                                      .costs = r.costs};
    return r;
}

/* The measures of one assignment, the slow way. */
typedef struct measures {
    uint32_t violated;
    int64_t load, added;
    uint32_t used;
} measures;

/* Ticks by which the largest age of a connection is larger, by counting activations. */
static hk_tick grown(const hk_plan *plan, const hk_plan *base, uint32_t connection) {
    hk_chain chain = {&connection, 1};
    hk_tick more = hk_age_chain(plan, chain).max - hk_age_chain(base, chain).max;
    return more > 0 ? more : 0;
}

static bool runs_before(const hk_plan *base, uint32_t x, uint32_t y) {
    const hk_component *c = base->model->components;
    if (base->components[x].level != base->components[y].level)
        return base->components[x].level < base->components[y].level;
    if (c[x].priority != c[y].priority)
        return c[x].priority < c[y].priority;
    return x < y;
}

static void put(rig *r, const hk_plan *base, const uint32_t *assignment, uint32_t used) {
    hk_model *m = r->model;
    for (size_t p = 0; p < m->processor_count; p++)
        m->processors[p].count = 0;
    for (uint32_t p = (uint32_t)m->processor_count; p < used; p++) {
        char name[] = {(char)('A' + p), 0};
        uint32_t index;
        assert_int_equal(hk_model_add_processor(r->ctx, m, name, HK_NOWHERE, &index), HK_OK);
    }
    uint32_t n = (uint32_t)m->component_count, order[SMALL];
    for (uint32_t i = 0; i < n; i++) {
        uint32_t at = i;
        for (; at > 0 && runs_before(base, i, order[at - 1]); at--)
            order[at] = order[at - 1];
        order[at] = i;
    }
    for (uint32_t i = 0; i < n; i++) {
        m->components[order[i]].processor = HK_MAP_NONE;
        assert_int_equal(hk_model_assign(r->ctx, m, assignment[order[i]], order[i], HK_NOWHERE),
                         HK_OK);
    }
}

static void take_away(hk_model *m) {
    for (size_t p = 0; p < m->processor_count; p++)
        hk_free(m->processors[p].components);
    m->processor_count = 0;
    for (size_t i = 0; i < m->component_count; i++)
        m->components[i].processor = HK_MAP_NONE;
}

static measures measure(rig *r, const hk_plan *base, const uint32_t *assignment) {
    hk_model *m = r->model;
    measures ret = {0};
    for (uint32_t i = 0; i < m->component_count; i++)
        ret.used = assignment[i] + 1 > ret.used ? assignment[i] + 1 : ret.used;
    put(r, base, assignment, ret.used);
    size_t declared = m->processor_count;
    m->processor_count = ret.used;
    hk_ctx *ctx = hk_ctx_create(NULL, NULL);
    hk_plan *plan = NULL;
    assert_int_equal(
        hk_plan_make(ctx, m, &(hk_plan_options){.algorithm = r->options.algorithm}, &plan), HK_OK);
    int64_t load[SMALL] = {0};
    for (uint32_t i = 0; i < m->component_count; i++) {
        /* Costs are multiples of 0.1 ms, and 60 ms is a multiple of all periods. */
        hk_ratio period = m->components[i].period;
        int64_t share =
            r->costs[i].num * (10000 / r->costs[i].den) * (60 * period.den / (1000 * period.num));
        load[assignment[i]] += share;
        ret.load = load[assignment[i]] > ret.load ? load[assignment[i]] : ret.load;
    }
    for (uint32_t k = 0; k < m->connection_count; k++)
        ret.added += grown(plan, base, k);
    for (size_t c = 0; c < m->constraint_count; c++) {
        hk_violation v;
        ret.violated += !hk_constraint_holds(plan, &m->constraints[c], &v);
    }
    m->processor_count = declared;
    hk_plan_destroy(plan);
    hk_ctx_destroy(ctx);
    return ret;
}

static int compare(const measures *x, const measures *y) {
    if (x->violated != y->violated)
        return x->violated < y->violated ? -1 : 1;
    if (x->load != y->load)
        return x->load < y->load ? -1 : 1;
    if (x->added != y->added)
        return x->added < y->added ? -1 : 1;
    return x->used < y->used ? -1 : x->used > y->used;
}

/* The next assignment in lexicographic order in which processors are numbered as they appear. */
static bool advance(uint32_t *assignment, uint32_t n, uint32_t processors) {
    for (uint32_t i = n; i-- > 1;) {
        uint32_t before = 0;
        for (uint32_t j = 0; j < i; j++)
            before = assignment[j] + 1 > before ? assignment[j] + 1 : before;
        if (assignment[i] < before && assignment[i] + 1 < processors) {
            assignment[i]++;
            memset(assignment + i + 1, 0, (n - i - 1) * sizeof *assignment);
            return true;
        }
    }
    return false;
}

static uint64_t count_assignments(uint32_t n, uint32_t processors) {
    uint32_t assignment[SMALL] = {0};
    uint64_t count = 1;
    while (advance(assignment, n, processors))
        count++;
    return count;
}

/* What a broken constraint says about itself is true: some assignment satisfies it, or none. */
static void check_alone(rig *r, const hk_plan *base, const hk_unsatisfied *u) {
    hk_constraint *all = r->model->constraints;
    size_t count = r->model->constraint_count;
    uint32_t assignment[SMALL] = {0};
    bool possible = false;
    r->model->constraints = &all[u->constraint];
    r->model->constraint_count = 1;
    do {
        possible = measure(r, base, assignment).violated == 0;
    } while (!possible &&
             advance(assignment, (uint32_t)r->model->component_count, r->options.processors));
    r->model->constraints = all;
    r->model->constraint_count = count;
    assert_int_equal(u->alone, possible ? HK_ALONE_POSSIBLE : HK_ALONE_IMPOSSIBLE);
    assert_true(u->reason[0] && u->text[0] && u->broken[0]);
}

static void check_best(rig *r, const hk_allocation *found) {
    uint32_t n = (uint32_t)r->model->component_count;
    uint32_t assignment[SMALL] = {0}, best[SMALL] = {0};
    measures least = {.violated = UINT32_MAX}, m;
    hk_plan *base = NULL;
    hk_model_lower(r->model);
    hk_model unscheduled = *r->model; /* as it is now; the model gets processors below */
    unscheduled.components = HK_NEW_ARRAY(r->model->arena, hk_component, n);
    memcpy(unscheduled.components, r->model->components, n * sizeof *unscheduled.components);
    assert_int_equal(hk_plan_make(r->ctx, &unscheduled,
                                  &(hk_plan_options){.algorithm = r->options.algorithm}, &base),
                     HK_OK);
    r->model->cut = r->options.cut;
    do {
        m = measure(r, base, assignment);
        if (compare(&m, &least) < 0) {
            least = m;
            memcpy(best, assignment, sizeof best);
        }
    } while (advance(assignment, n, r->options.processors));
    assert_true(found->optimal);
    assert_memory_equal(found->processor_of, best, n * sizeof *best);
    assert_int_equal(found->processor_count, least.used);
    assert_int_equal(found->unsatisfied_count, least.violated);
    assert_int_equal(found->aged_ticks, least.added);
    double load = (double)least.load / 600;
    assert_true(found->makespan > load * (1 - 1e-12) && found->makespan < load * (1 + 1e-12));
    for (size_t i = 0; i < found->unsatisfied_count; i++)
        check_alone(r, base, &found->unsatisfied[i]);
    hk_plan_destroy(base);
    take_away(r->model);
}

static void equals_enumeration(void **state) {
    (void)state;
    uint32_t done = 0, broken = 0, aged = 0, impossible = 0;
    uint64_t most = getenv("HK_SLOW") ? ALL_MAX : ENUMERATED_MAX;
    for (uint32_t seed = 1; done < SYSTEMS; seed++) {
        dice d = {hk_stream_make(seed, 1, "size", "dice"), 0};
        uint32_t n = 2 + roll(&d, SMALL - 1);
        rig r = random_system(seed, n, n + roll(&d, 2 * n));
        if (count_assignments(n, r.options.processors) <= most) {
            hk_allocation *found = allocate(&r);
            check_best(&r, found);
            done++;
            broken += found->unsatisfied_count > 0;
            aged += found->aged_ticks > 0;
            for (size_t i = 0; i < found->unsatisfied_count; i++)
                impossible += found->unsatisfied[i].alone == HK_ALONE_IMPOSSIBLE;
            hk_allocation_destroy(found);
        }
        finish(&r);
    }
    /* The systems are worth looking at. */
    assert_true(broken > SYSTEMS / 20 && aged > SYSTEMS / 4 && impossible > SYSTEMS / 40);
}

/* Large systems end soon, are balanced, and keep together what must be. */
static void hundreds(void **state) {
    (void)state;
    enum { COUNT = 300, TRIPLES = 20, PROCESSORS = 8 };
    for (int cut = 0; cut < 2; cut++) {
        rig r = random_system(4711, COUNT, 3 * COUNT);
        hk_model *m = r.model;
        m->constraint_count = 0;
        r.options.processors = PROCESSORS;
        r.options.effort = SLOWER > 1 ? 2 * 1000 * 1000 : 0;
        r.options.cut = cut ? HK_CUT_HLA : HK_CUT_KEEP;
        for (uint32_t i = 0; i < 3 * TRIPLES; i += 3) {
            uint32_t way[] = {i, i + 1, i + 2};
            for (int j = 1; j < 3; j++) {
                m->components[way[j]] = m->components[i];
                m->components[way[j]].name = hk_arena_printf(m->arena, "t%u", way[j]);
            }
            hk_model_connect(m, way[0], INPUTS, way[1], INPUTS - 1, HK_NOWHERE)->lag =
                HK_LAG_CURRENT;
            hk_model_connect(m, way[0], INPUTS, way[2], INPUTS - 1, HK_NOWHERE)->lag =
                HK_LAG_CURRENT;
            hk_model_connect(m, way[1], INPUTS, way[2], INPUTS - 2, HK_NOWHERE)->lag =
                HK_LAG_CURRENT;
            hk_path paths[] = {path_of(m, 3, way), path_of(m, 2, (uint32_t[]){way[0], way[2]})};
            constrain(m, HK_COINCIDENCE, paths, 2, NULL, NULL);
        }
        clock_t start = clock(); /* of this process: others may keep the machine busy */
        hk_allocation *a = allocate(&r);
        double took = (double)(clock() - start) / CLOCKS_PER_SEC;
        assert_true(took < 10.0 * SLOWER);
        double sum = 0;
        for (size_t p = 0; p < a->processor_count; p++)
            sum += a->processors[p].load;
        assert_int_equal(a->unsatisfied_count, 0);
        assert_true(a->makespan < sum / PROCESSORS * 1.01);
        hk_allocation *again = allocate(&r);
        assert_memory_equal(a->processor_of, again->processor_of, COUNT * sizeof *a->processor_of);
        hk_allocation_destroy(again);
        hk_allocation_destroy(a);
        finish(&r);
    }
}

static const struct {
    const char *name, *period, *cost;
} parts[] = {
    {"elevator", "0.005", "0.0001"}, {"engine", "0.005", "0.0001"}, {"fd", "0.005", "0.0008"},
    {"h", "0.02", "0.0002"},         {"vz", "0.01", "0.0002"},      {"va", "0.01", "0.0002"},
    {"q", "0.01", "0.0002"},         {"az", "0.01", "0.0002"},      {"mode", "0.02", "0.0001"},
    {"fcu", "0.02", "0.0001"},       {"fcc1a", "0.02", "0.001"},    {"fcc1b", "0.02", "0.001"},
    {"fcc2a", "0.02", "0.001"},      {"fcc2b", "0.02", "0.001"},    {"cables", "0.005", "0.0001"}};
enum { PARTS = sizeof parts / sizeof *parts };

static const char *const links[][2] = {
    {"elevator", "fd"},     {"engine", "fd"},    {"fd", "h"},         {"fd", "vz"},
    {"fd", "va"},           {"fd", "q"},         {"fd", "az"},        {"az", "fcc1a"},
    {"az", "fcc1b"},        {"az", "fcc2a"},     {"az", "fcc2b"},     {"h", "fcc1a"},
    {"h", "fcc1b"},         {"h", "fcc2a"},      {"h", "fcc2b"},      {"vz", "fcc1a"},
    {"mode", "fcc1a"},      {"fcu", "fcc1a"},    {"fcc1a", "fcc1b"},  {"fcc2a", "fcc2b"},
    {"fcc1a", "cables"},    {"fcc2a", "cables"}, {"fcc1b", "cables"}, {"fcc2b", "cables"},
    {"cables", "elevator"}, {"cables", "engine"}};

static uint32_t find(const hk_model *model, const char *name) {
    uint32_t index = hk_map_get(&model->by_name, name);
    assert_int_not_equal(index, HK_MAP_NONE);
    return index;
}

/* The graph of R-ROSACE, with the paths over which each monitor must see what its command saw. */
static rig rosace(void) {
    rig r = make();
    uint32_t used[PARTS] = {0};
    hk_info *info = fake_info(r.model, HK_STAMP_START, INPUTS, 1);
    r.costs = HK_NEW_ARRAY(r.model->arena, hk_ratio, PARTS);
    for (int i = 0; i < PARTS; i++) {
        fake_add(r.ctx, r.model, parts[i].name, info, parts[i].period, NULL);
        r.costs[i] = seconds(parts[i].cost);
    }
    for (size_t i = 0; i < sizeof links / sizeof *links; i++)
        link(&r, find(r.model, links[i][0]), find(r.model, links[i][1]), used, HK_LAG_CURRENT);
    fake_experiment(r.model, "0.005", "50");
    static const char *const pairs[][2] = {{"fcc1a", "fcc1b"}, {"fcc2a", "fcc2b"}};
    for (int i = 0; i < 2; i++) {
        uint32_t way[] = {find(r.model, "az"), find(r.model, pairs[i][0]),
                          find(r.model, pairs[i][1])};
        hk_path paths[] = {path_of(r.model, 3, way),
                           path_of(r.model, 2, (uint32_t[]){way[0], way[2]})};
        constrain(r.model, HK_COINCIDENCE, paths, 2, NULL, NULL);
    }
    r.options = (hk_allocate_options){.processors = 2, .cut = HK_CUT_HLA, .costs = r.costs};
    return r;
}

static void rosace_keeps_pairs(void **state) {
    (void)state;
    rig r = rosace();
    hk_allocation *a = allocate(&r);
    assert_true(a->optimal);
    assert_int_equal(a->processor_count, 2);
    assert_int_equal(a->unsatisfied_count, 0);
    assert_int_equal(a->processor_of[find(r.model, "fcc1a")],
                     a->processor_of[find(r.model, "fcc1b")]);
    assert_int_equal(a->processor_of[find(r.model, "fcc2a")],
                     a->processor_of[find(r.model, "fcc2b")]);
    assert_true(a->aged_count > 0 && a->aged_ticks >= (hk_tick)a->aged_count);
    assert_int_equal(a->ticks_per_second, 200);

    hk_allocation *again = allocate(&r);
    assert_memory_equal(a->processor_of, again->processor_of, PARTS * sizeof *a->processor_of);
    assert_string_equal(hk_allocation_text(a->arena, r.model, a),
                        hk_allocation_text(again->arena, r.model, again));

    /* The model takes it, twice; what the plan says of it is what was promised. */
    assert_int_equal(hk_allocation_apply(r.ctx, r.model, again), HK_OK);
    assert_int_equal(hk_allocation_apply(r.ctx, r.model, a), HK_OK);
    assert_int_equal(r.model->processor_count, 2);
    assert_int_equal(r.model->cut, HK_CUT_HLA);
    hk_plan *plan = NULL;
    assert_int_equal(
        hk_plan_make(r.ctx, r.model, &(hk_plan_options){.algorithm = HK_JACOBI}, &plan), HK_OK);
    assert_int_equal(hk_plan_check_constraints(r.ctx, plan), HK_OK);
    hk_plan_destroy(plan);
    hk_allocation_destroy(again);
    again = allocate(&r); /* the schedule that the model has now is not looked at */
    assert_memory_equal(a->processor_of, again->processor_of, PARTS * sizeof *a->processor_of);
    hk_allocation_destroy(again);
    hk_allocation_destroy(a);
    finish(&r);
}

static void tells_what_is_impossible(void **state) {
    (void)state;
    rig r = rosace();
    /* A command every 20 ms, read every 5 ms: it is 15 ms old at times, wherever they run. */
    hk_path way =
        path_of(r.model, 2, (uint32_t[]){find(r.model, "fcc1a"), find(r.model, "cables")});
    constrain(r.model, HK_LATENCY, &way, 1, NULL, "0.01");
    /* These two exclude each other. */
    hk_path near = path_of(r.model, 2, (uint32_t[]){find(r.model, "fd"), find(r.model, "q")});
    constrain(r.model, HK_LATENCY, &near, 1, NULL, "0");
    constrain(r.model, HK_LATENCY, &near, 1, "0.005", NULL);
    hk_allocation *a = allocate(&r);
    assert_int_equal(a->unsatisfied_count, 2);
    const hk_unsatisfied *u = a->unsatisfied;
    assert_int_equal(u[0].constraint, 2);
    assert_string_equal(u[0].text, "latency fcc1a -> cables max 0.01");
    assert_int_equal(u[0].alone, HK_ALONE_IMPOSSIBLE);
    assert_string_equal(u[0].reason, "no allocation to 2 processors satisfies it");
    assert_non_null(strstr(u[0].broken, "more than the max of 0.01 s"));
    assert_int_equal(u[1].alone, HK_ALONE_POSSIBLE);
    assert_true(u[1].constraint == 3 || u[1].constraint == 4);
    assert_non_null(strstr(u[1].reason, "can be satisfied alone"));
    hk_allocation_destroy(a);
    finish(&r);
}

static void wrong_options(void **state) {
    (void)state;
    rig r = rosace();
    hk_allocation *a = NULL;
    r.options.processors = 0;
    hk_model_lower(r.model);
    assert_int_equal(hk_allocate(r.ctx, r.model, &r.options, &a), HK_E_USAGE);
    r.options.processors = 2;
    r.costs[3] = (hk_ratio){-1, 1000};
    assert_int_equal(hk_allocate(r.ctx, r.model, &r.options, &a), HK_E_TIME);
    assert_non_null(strstr(newest_error(r.ctx)->text, "'h'"));
    assert_null(a);
    /* No costs at all, and hardly any effort: an answer without proof. */
    r.options.costs = NULL;
    r.options.effort = 1;
    a = allocate(&r);
    assert_false(a->optimal);
    hk_allocation_destroy(a);
    finish(&r);
}

static void text_of_a_schedule(void **state) {
    (void)state;
    rig r = make();
    hk_info *info = fake_info(r.model, HK_STAMP_START, INPUTS, 1);
    static const char *const names[] = {"a",   "sub.b[1]",   "two words",
                                        "2nd", "say \"hi\"", "\xc3\xa9"};
    for (int i = 0; i < 6; i++)
        fake_add(r.ctx, r.model, names[i], info, NULL, NULL);
    fake_experiment(r.model, "0.01", "1");
    r.options = (hk_allocate_options){.processors = 1, .cut = HK_CUT_KEEP};
    hk_allocation *a = allocate(&r);
    assert_true(a->optimal);
    assert_string_equal(hk_allocation_text(a->arena, r.model, a),
                        "processor LP1: a sub.b[1] \"two words\" \"2nd\" \"say \"\"hi\"\"\" "
                        "\"\xc3\xa9\"\ncut keep\n");
    hk_allocation_destroy(a);
    r.options = (hk_allocate_options){.processors = 3, .cut = HK_CUT_HLA};
    a = allocate(&r);
    assert_string_equal(hk_allocation_text(a->arena, r.model, a),
                        "processor LP1: a sub.b[1]\nprocessor LP2: \"two words\" \"2nd\"\n"
                        "processor LP3: \"say \"\"hi\"\"\" \"\xc3\xa9\"\ncut hla\n");
    hk_allocation_destroy(a);
    finish(&r);
}

/* Who calls somebody stays with it: the heaviest two of four cannot be set apart. */
static void services_stay_together(void **state) {
    (void)state;
    for (uint64_t effort = 0; effort < 2; effort++) {
        static const hk_service_info service = {.name = "s", .interface = "i"};
        rig r = make();
        uint32_t used[4] = {0};
        r.costs = HK_NEW_ARRAY(r.model->arena, hk_ratio, 4);
        hk_info *info = fake_info(r.model, HK_STAMP_START, INPUTS, 1);
        info->services = &service;
        info->service_count = 1;
        static const char *const names[] = {"a", "b", "c", "d"};
        for (uint32_t i = 0; i < 4; i++) {
            fake_add(r.ctx, r.model, names[i], info, NULL, NULL);
            r.costs[i] = (hk_ratio){i < 2 ? 3 : 1, 1000};
        }
        fake_experiment(r.model, "0.01", "1");
        link(&r, 0, 2, used, HK_LAG_CURRENT);
        link(&r, 1, 3, used, HK_LAG_CURRENT);
        static hk_provider provider = {0, 0};
        hk_requirement q = {.component = 1, .candidates = &provider, .candidate_count = 1};
        HK_PUSH(r.model->requirements, r.model->requirement_count, r.model->requirement_cap, q);
        r.options = (hk_allocate_options){.processors = 2, .costs = r.costs, .effort = effort};
        hk_allocation *a = allocate(&r);
        assert_int_equal(a->processor_of[0], a->processor_of[1]);
        assert_int_equal(a->processor_count, 2);
        hk_allocation_destroy(a);
        finish(&r);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equals_enumeration),     cmocka_unit_test(hundreds),
        cmocka_unit_test(rosace_keeps_pairs),     cmocka_unit_test(tells_what_is_impossible),
        cmocka_unit_test(wrong_options),          cmocka_unit_test(text_of_a_schedule),
        cmocka_unit_test(services_stay_together),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
