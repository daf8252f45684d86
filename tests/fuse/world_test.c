/* SPDX-License-Identifier: MIT
 *
 * Random systems of leaves that are called by name: arrays, conversions, services, and a scenario
 * that stops, starts, disturbs and binds. Fused and interpreted give the same record, the same
 * status and the same message; a state that one saves is gone on with by the other. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/random.h"
#include "dice.h"
#include "fuse_rig.h"
#include "parts.h"
#include "rig.h"

#include <stdlib.h>

enum { WORLDS_MAX = 400, ACTS = 8, PARTS = 7 };

/* ---- leaves ---- */

static const char *const floor_tables[] = {"leaf_floor_p"}, *const office_tables[] = {
                                                                "leaf_office_p"};
static const hk_leaf all_leaves[] = {
    {&wide_type, "leaf_wide", NULL, NULL},
    {&floor_type, "leaf_floor", NULL, floor_tables},
    {&diver_type, "leaf_diver", NULL, NULL},
    {&office_type, "leaf_office", NULL, office_tables},
    {&visitor_type, NULL, "it is called through its pointer here", NULL},
};
static const hk_leaves leaves = {.all = all_leaves, .count = 5};

/* ---- worlds ---- */

typedef struct world {
    rig r;
    struct {
        hk_tick at;
        enum { STOP, START, FAULT, CLEAR, BIND } what;
        uint32_t id, other;
        hk_fault fault;
    } acts[ACTS];
    size_t act_count, next;
    size_t least; /* cells that were fused at the worst of times */
} world;

static hk_tick act(void *user, hk_sim *sim, hk_tick now) {
    world *w = user;
    bool changed;
    for (; w->next < w->act_count && w->acts[w->next].at <= now; w->next++) {
        uint32_t id = w->acts[w->next].id;
        hk_status status = HK_OK;
        switch (w->acts[w->next].what) {
        case STOP:
            status = hk_sim_stop_component(sim, id, &changed);
            break;
        case START:
            status = hk_sim_start_component(sim, id, &changed);
            break;
        case FAULT:
            status = hk_sim_add_fault(sim, id, &w->acts[w->next].fault);
            status = status == HK_E_SCENARIO ? HK_OK : status; /* not for all types */
            break;
        case CLEAR:
            status = hk_sim_clear_faults(sim, id);
            break;
        case BIND:
            status = hk_sim_bind(sim, w->r.model->requirements[id].component, 0,
                                 w->acts[w->next].other, 0);
        }
        assert_int_equal(status, HK_OK);
        size_t fused = hk_sim_fused(sim).fused;
        w->least = fused < w->least ? fused : w->least;
    }
    return w->next < w->act_count ? w->acts[w->next].at : HK_TICK_NEVER;
}

static const hk_unit_type *const types[PARTS] = {
    &wide_type, &floor_type, &diver_type, &office_type, &visitor_type, &wide_type, &wide_type};

static void add_parts(world *w, dice *d) {
    rig *r = &w->r;
    size_t n = 3 + roll(d, 5);
    uint32_t floors[2], offices[1];
    static const char *const periods[] = {"0.001", "0.002", "0.003", "0.004"};
    static const char *const offsets[] = {"0", "0", "0.001"};
    floors[0] = rig_add(r, "floor0", &floor_type, periods[roll(d, 4)], NULL);
    floors[1] = rig_add(r, "floor1", &floor_type, periods[roll(d, 4)], NULL);
    offices[0] = rig_add(r, "office", &office_type, periods[roll(d, 4)], NULL);
    for (size_t i = 0; i < n; i++) {
        char name[32];
        const hk_unit_type *type = types[roll(d, PARTS)];
        snprintf(name, sizeof name, "c%zu", i);
        uint32_t c = rig_add(r, name, type, periods[roll(d, 4)], offsets[roll(d, 3)]);
        r->model->components[c].priority = (int)roll(d, 3);
        hk_requirement q = {.component = c, .bound = 0};
        bool dives = type == &diver_type;
        if (!dives && type != &visitor_type)
            continue;
        q.candidate_count = dives ? 2 : 1;
        q.candidates = HK_NEW_ARRAY(r->model->arena, hk_provider, 2);
        q.candidates[0] = (hk_provider){dives ? floors[0] : offices[0], 0};
        q.candidates[1] = (hk_provider){floors[1], 0};
        q.bound = dives ? roll(d, 2) : 0;
        HK_PUSH(r->model->requirements, r->model->requirement_count, r->model->requirement_cap, q);
    }
}

/* An output that fits an input; false: none was found. */
static bool find_source(const hk_model *m, dice *d, const hk_variable *to, uint32_t *component,
                        uint32_t *variable) {
    for (int tries = 0; tries < 40; tries++) {
        *component = roll(d, (uint32_t)m->component_count);
        const hk_info *info = m->components[*component].info;
        *variable = roll(d, (uint32_t)info->variable_count);
        const hk_variable *from = &info->variables[*variable];
        bool units = (to->unit != NULL) == (from->unit != NULL);
        if (from->causality == HK_OUTPUT && from->type == to->type && units &&
            (from->count == to->count || from->count == 3))
            return true;
    }
    return false;
}

static void connect_parts(world *w, dice *d) {
    hk_model *m = w->r.model;
    static const hk_lag words[] = {HK_LAG_DEFAULT, HK_LAG_PREVIOUS, HK_LAG_CURRENT, HK_LAG_OBSERVE};
    for (uint32_t c = 0; c < m->component_count; c++)
        for (uint32_t v = 0; v < m->components[c].info->variable_count; v++) {
            const hk_variable *to = &m->components[c].info->variables[v];
            uint32_t fc, fv;
            if (to->causality != HK_INPUT || !roll(d, 4) || !find_source(m, d, to, &fc, &fv))
                continue;
            const hk_variable *from = &m->components[fc].info->variables[fv];
            hk_connection *k = hk_model_connect(m, fc, fv, c, v, HK_NOWHERE);
            if (from->count != to->count)
                k->from_slice = (hk_slice){roll(d, 3), 1};
            k->lag = words[roll(d, 4)];
            if (!roll(d, 4))
                k->delay = (hk_ratio){roll(d, 12), 1000};
        }
}

static void write_plot(world *w, dice *d) {
    const hk_model *m = w->r.model;
    size_t n = roll(d, ACTS);
    hk_tick at = 0;
    for (size_t i = 0; i < n && m->connection_count; i++) {
        at += 1 + (hk_tick)roll(d, 60);
        w->acts[w->act_count].at = at;
        w->acts[w->act_count].what = roll(d, 5);
        w->acts[w->act_count].id = roll(d, (uint32_t)m->component_count);
        if (w->acts[w->act_count].what == FAULT || w->acts[w->act_count].what == CLEAR)
            w->acts[w->act_count].id = roll(d, (uint32_t)m->connection_count);
        w->acts[w->act_count].fault =
            (hk_fault){.kind = HK_FAULT_STUCK + roll(d, 4), .has_value = true, .value = 0.75};
        if (w->acts[w->act_count].what == BIND) {
            size_t q = 0;
            while (q < m->requirement_count && m->requirements[q].candidate_count < 2)
                q++;
            if (q == m->requirement_count)
                continue;
            w->acts[w->act_count].id = (uint32_t)q;
            w->acts[w->act_count].other = m->requirements[q].candidates[roll(d, 2)].component;
        }
        w->act_count++;
    }
}

/* Outputs, as many as a row may have. */
static void record_parts(world *w) {
    const hk_model *m = w->r.model;
    for (uint32_t c = 0; c < m->component_count; c++)
        for (uint32_t v = 0; v < m->components[c].info->variable_count; v++) {
            const hk_variable *x = &m->components[c].info->variables[v];
            if (x->causality == HK_OUTPUT && w->r.listener.column_count + x->count < RIG_COLUMNS)
                rig_record(&w->r,
                           hk_arena_printf(m->arena, "%s.%s", m->components[c].name, x->name));
        }
}

/* PLAYS: with a scenario. False: there is no plan. */
static bool make_world(uint32_t seed, world *w, bool plays) {
    dice d = {hk_stream_make(seed, 0, "world_test", "system"), 0};
    static const char *const rows[] = {NULL, "0.005", "0.016"};
    memset(w, 0, sizeof *w);
    rig_begin(&w->r, "0.001", "0.3", rows[roll(&d, 3)]);
    w->r.algorithm = roll(&d, 2) ? HK_GAUSS_SEIDEL : HK_JACOBI;
    w->r.bind_any = true;
    add_parts(w, &d);
    connect_parts(w, &d);
    record_parts(w);
    w->least = SIZE_MAX;
    if (roll(&d, 6) == 0)
        for (uint32_t c = 0; c < w->r.model->component_count; c++)
            if (strcmp(w->r.model->components[c].info->name, "wide") == 0) {
                const char *what = roll(&d, 2) ? "fails_after" : "nan_after";
                rig_set(&w->r,
                        hk_arena_printf(w->r.model->arena, "%s.%s", w->r.model->components[c].name,
                                        what),
                        "37");
                break;
            }
    if (plays)
        write_plot(w, &d);
    w->r.options.profile_every = 13;
    if (w->act_count)
        w->r.listener.hook = (hk_hook){act, w, w->acts[0].at};
    return rig_start(&w->r) == HK_OK;
}

static const char *last_words(const rig *r) {
    size_t n = hk_ctx_count(r->ctx, HK_ERROR);
    for (size_t i = hk_ctx_count(r->ctx, HK_NOTE); i-- > 0 && n;)
        if (hk_ctx_diag(r->ctx, i)->severity == HK_ERROR)
            return hk_ctx_diag(r->ctx, i)->text;
    return "";
}

static void assert_alike(uint32_t seed, const rig *a, const rig *b) {
    if (strcmp(last_words(a), last_words(b)) != 0)
        fail_msg("world %u: '%s' against '%s'", seed, last_words(a), last_words(b));
    if (a->rows != b->rows)
        fail_msg("world %u: %zu rows against %zu", seed, a->rows, b->rows);
    for (size_t i = 0; i < a->rows; i++)
        if (a->times[i] != b->times[i] ||
            memcmp(a->cells + i * a->row_size, b->cells + i * b->row_size, a->row_size) != 0)
            fail_msg("world %u: row %zu (t = %g) differs", seed, i, a->times[i]);
}

/* ---- the tests ---- */

typedef struct fixture {
    fuse_shop shop;
    uint32_t seeds[WORLDS_MAX];
} fixture;

static int build_all(void **state) {
    fixture *f = hk_alloc(sizeof *f);
    world w;
    const char *asked = getenv("HK_FUSE_SYSTEMS"), *cc = getenv("HK_FUSE_CC");
    size_t worlds = asked ? strtoul(asked, NULL, 10) : 20;
    assert_true(worlds <= WORLDS_MAX);
    fuse_shop_begin(&f->shop);
    for (uint32_t seed = 0; f->shop.count < worlds; seed++) {
        if (make_world(seed, &w, true)) {
            f->seeds[f->shop.count] = seed;
            (void)fuse_add(&f->shop, w.r.sim, &leaves);
        }
        rig_end(&w.r);
    }
    fuse_shop_build(&f->shop, cc ? cc : "cc -O1", HK_TEST_FOLDER "/parts_leaf.c");
    *state = f;
    return 0;
}

static int remove_all(void **state) {
    fixture *f = *state;
    fuse_shop_end(&f->shop);
    hk_free(f);
    return 0;
}

static void scenarios(void **state) {
    fixture *f = *state;
    uint64_t runs = 0;
    size_t failed = 0, went_back = 0;
    for (size_t i = 0; i < f->shop.count; i++) {
        world a, b;
        assert_true(make_world(f->seeds[i], &a, true) && make_world(f->seeds[i], &b, true));
        fuse_attach(&f->shop, b.r.ctx, b.r.sim, i);
        size_t whole = hk_sim_fused(b.r.sim).fused;
        assert_int_equal(whole, hk_sim_fused(b.r.sim).cells);
        hk_status status = hk_sim_run(a.r.sim);
        failed += status != HK_OK;
        assert_int_equal(hk_sim_run(b.r.sim), status);
        assert_alike(f->seeds[i], &a.r, &b.r);
        runs += hk_sim_fused(b.r.sim).runs;
        went_back += b.least < whole;
        rig_end(&a.r);
        rig_end(&b.r);
    }
    print_message("%zu worlds, %llu runs of cells by fused code, %zu fail, %zu were interpreted in "
                  "part\n",
                  f->shop.count, (unsigned long long)runs, failed, went_back);
    assert_true(runs > 100 * f->shop.count && failed > 1 && went_back > f->shop.count / 4);
}

static void save(world *w, hk_tick at, const char *path) {
    hk_snapshot *snapshot = NULL;
    assert_int_equal(hk_sim_run_until(w->r.sim, at), HK_OK);
    assert_int_equal(hk_sim_save(w->r.sim, &snapshot), HK_OK);
    assert_int_equal(hk_snapshot_write(w->r.sim, snapshot, path), HK_OK);
    hk_snapshot_destroy(w->r.sim, snapshot);
}

static void load(world *w, const char *path) {
    hk_snapshot *snapshot = NULL;
    assert_int_equal(hk_snapshot_read(w->r.sim, path, &snapshot), HK_OK);
    assert_int_equal(hk_sim_restore(w->r.sim, snapshot), HK_OK);
    hk_snapshot_destroy(w->r.sim, snapshot);
    w->r.rows = 0;
}

/* One saves, the other goes on, and both record what the first records that goes on itself. */
static void states(void **state) {
    fixture *f = *state;
    const char *path = hk_arena_printf(f->shop.arena, "%s/state.hks", f->shop.folder);
    size_t done = 0;
    for (size_t i = 0; i < f->shop.count && done < 40; i++)
        for (int way = 0; way < 2; way++) {
            world a, b;
            assert_true(make_world(f->seeds[i], &a, false) && make_world(f->seeds[i], &b, false));
            fuse_attach(&f->shop, b.r.ctx, b.r.sim, i);
            world *from = way ? &a : &b, *to = way ? &b : &a;
            hk_tick middle = a.r.plan->stop / 10; /* before anything fails */
            save(from, middle, path);
            from->r.rows = 0;
            load(to, path);
            hk_status status = hk_sim_run(from->r.sim);
            assert_int_equal(hk_sim_run(to->r.sim), status);
            assert_alike(f->seeds[i], &from->r, &to->r);
            done++;
            rig_end(&a.r);
            rig_end(&b.r);
        }
    assert_true(done == 40 || done == 2 * f->shop.count);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(scenarios), cmocka_unit_test(states)};
    return cmocka_run_group_tests(tests, build_all, remove_all);
}
