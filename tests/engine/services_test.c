/* SPDX-License-Identifier: MIT
 *
 * Services are data flow: who provides runs before who calls, cycles are cut by priority, ages know
 * them. All results are computed by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "callers.h"
#include "plan/constraints.h"

enum { CNT, HOLD, ASK };

/* The three of them, their order in the model, with a period of the caller of its own. */
static void begin(rig *r, const char *period) {
    rig_begin(r, "1", "4", NULL);
    r->algorithm = HK_GAUSS_SEIDEL;
    rig_add(r, "cnt", &cnt_type, NULL, NULL);
    rig_add(r, "hold", &hold_type, NULL, NULL);
    rig_add(r, "ask", &ask_type, period, NULL);
    rig_connect(r, "cnt.n", "hold.u");
    require(r, ASK, &(uint32_t){HOLD}, 1);
    rig_record(r, "ask.y");
}

static void prioritise(rig *r, int cnt_first, int hold_first, int ask_first) {
    const int priorities[] = {cnt_first, hold_first, ask_first};
    for (size_t i = 0; i < 3; i++)
        r->model->components[i].priority = priorities[i];
}

static void expect(const rig *r, const double *values, size_t count) {
    assert_int_equal(r->rows, count);
    for (size_t i = 0; i < count; i++)
        assert_exactly(rig_f64(r, i, 0), values[i]);
}

static const hk_diag *note_of(const rig *r, const char *part) {
    for (size_t i = 0; i < hk_ctx_count(r->ctx, HK_NOTE); i++)
        if (strstr(hk_ctx_diag(r->ctx, i)->text, part))
            return hk_ctx_diag(r->ctx, i);
    return NULL;
}

static uint32_t level_of(const rig *r, uint32_t component) {
    return r->plan->components[component].level;
}

static void provider_first(void **state) {
    (void)state;
    rig r;
    begin(&r, NULL);
    assert_int_equal(rig_run(&r), HK_OK);
    static const double y[] = {0, 1, 2, 3, 4};
    expect(&r, y, 5);
    rig_end(&r);
}

/* A link from ask back to cnt closes a cycle: cnt has the smallest number, so it runs first. */
static void cycle_cut_at_a_value(void **state) {
    (void)state;
    rig r;
    begin(&r, NULL);
    rig_connect(&r, "ask.y", "cnt.back");
    prioritise(&r, 0, 1, 2);
    assert_int_equal(rig_run(&r), HK_OK);
    static const double y[] = {0, 1, 2, 3, 4};
    expect(&r, y, 5);
    assert_true(level_of(&r, CNT) < level_of(&r, HOLD) && level_of(&r, HOLD) < level_of(&r, ASK));
    assert_non_null(note_of(&r, "'cnt' runs before 'ask' and sees its previous value"));
    assert_false(r.plan->dependencies[0].cut);
    rig_end(&r);
}

/* The caller has the smallest number: it sees what the provider did at its previous activation. */
static void cycle_cut_at_a_service(void **state) {
    (void)state;
    rig r;
    begin(&r, NULL);
    rig_connect(&r, "ask.y", "cnt.back");
    prioritise(&r, 1, 2, 0);
    assert_int_equal(rig_run(&r), HK_OK);
    static const double y[] = {0, 0, 1, 2, 3};
    expect(&r, y, 5);
    assert_true(level_of(&r, ASK) < level_of(&r, CNT) && level_of(&r, CNT) < level_of(&r, HOLD));
    assert_non_null(
        note_of(&r, "'ask' runs before 'hold' and calls it as its previous activation has left"));
    const hk_plan_dependency *d = &r.plan->dependencies[0];
    assert_true(d->cut && d->lag == 1);
    hk_ages ages = hk_age_hop(r.plan, (uint32_t)r.model->connection_count);
    assert_true(ages.any && ages.min == 1 && ages.max == 1);
    assert_true(ages.has_initial && ages.initial_until == 0);
    rig_end(&r);
}

/* Two that call each other and nothing else: no value holds them apart, so the cut must. */
static void callers_of_each_other(void **state) {
    (void)state;
    for (int first = 0; first < 2; first++) {
        rig r;
        begin(&r, NULL);
        uint32_t other = rig_add(&r, "other", &hold_type, NULL, NULL);
        rig_connect(&r, "ask.y", "other.u");
        rig_connect(&r, "other.kept", "hold.v");
        prioritise(&r, 0, first ? 0 : 2, first ? 2 : 0);
        r.model->components[other].priority = 1;
        assert_int_equal(rig_run(&r), HK_OK);
        static const double late[] = {0, 0, 1, 2, 3}, soon[] = {0, 1, 2, 3, 4};
        expect(&r, first ? soon : late, 5);
        assert_true((level_of(&r, HOLD) < level_of(&r, ASK)) == (first == 1));
        rig_end(&r);
    }
}

/* Who may provide and is not bound says nothing about the order; who may be bound later does. */
static void only_what_may_be_bound(void **state) {
    (void)state;
    for (int any = 0; any < 2; any++) {
        rig r;
        begin(&r, NULL);
        uint32_t spare = rig_add(&r, "spare", &hold_type, NULL, NULL);
        rig_connect(&r, "ask.y", "spare.u");
        hk_requirement *q = &r.model->requirements[0];
        q->candidates = HK_NEW_ARRAY(r.model->arena, hk_provider, 2);
        q->candidates[0] = (hk_provider){HOLD, 0};
        q->candidates[1] = (hk_provider){spare, 0};
        q->candidate_count = 2;
        r.bind_any = any;
        assert_int_equal(rig_start(&r), HK_OK);
        assert_int_equal(r.plan->order_count, any ? 2 : 1);
        assert_true((note_of(&r, "a cycle is cut here") != NULL) == any);
        rig_end(&r);
    }
}

/* A caller that is slower: the age is that of the newest activation of the provider. */
static void rates(void **state) {
    (void)state;
    rig r;
    begin(&r, "2");
    assert_int_equal(rig_run(&r), HK_OK);
    static const double y[] = {0, 0, 1, 1, 3};
    expect(&r, y, 5);
    rig_end(&r);
}

static bool latency_holds(const rig *r, const uint32_t *path, size_t count, const char *max) {
    uint32_t components[3];
    memcpy(components, path, count * sizeof *path);
    hk_path one = {components, count};
    hk_constraint c = {.kind = HK_LATENCY,
                       .paths = &one,
                       .path_count = 1,
                       .has_max = true,
                       .max = rig_seconds(max)};
    hk_violation v;
    return hk_constraint_holds(r->plan, &c, &v);
}

/* Latency and freshness over a service; without it a path leads nowhere. */
static void constraints(void **state) {
    (void)state;
    static const uint32_t path[] = {CNT, HOLD, ASK};
    for (int cut = 0; cut < 2; cut++) {
        rig r;
        begin(&r, NULL);
        rig_connect(&r, "ask.y", "cnt.back");
        prioritise(&r, 1, 2, cut ? 0 : 3);
        assert_int_equal(rig_start(&r), HK_OK);
        assert_true(latency_holds(&r, path, 3, "0") == !cut);
        assert_true(latency_holds(&r, path, 3, "1"));
        assert_true(latency_holds(&r, path + 1, 2, "0") == !cut);
        hk_path sink = {(uint32_t[]){ASK}, 1};
        hk_constraint fresh = {
            .kind = HK_FRESHNESS, .paths = &sink, .path_count = 1, .has_max = true, .max = {0, 1}};
        hk_violation v;
        assert_true(hk_constraint_holds(r.plan, &fresh, &v) == !cut);
        static const uint32_t none[] = {HOLD, CNT};
        assert_false(latency_holds(&r, none, 2, "9"));
        rig_end(&r);
    }
}

static hk_tick stop_hold(void *user, hk_sim *sim, hk_tick now) {
    bool changed;
    (void)user;
    assert_int_equal(now, 2);
    assert_int_equal(hk_sim_stop_component(sim, HOLD, &changed), HK_OK);
    return HK_TICK_NEVER;
}

/* A call of a stopped provider ends the run at its own time: there is no row of that instant, and
 * the clock is there. */
static void stopped_provider(void **state) {
    (void)state;
    for (unsigned threads = 1; threads <= 2; threads++) {
        rig r;
        begin(&r, NULL);
        r.listener.hook = (hk_hook){stop_hold, NULL, 2};
        r.options.threads = threads;
        r.options.threads_always = threads > 1;
        assert_int_equal(rig_run(&r), HK_E_STOPPED_PROVIDER);
        assert_says(rig_error(&r), "at t = 2 s 'ask.r' called 'hold', which is stopped");
        static const double y[] = {0, 1};
        expect(&r, y, 2);
        assert_int_equal(hk_sim_now(r.sim), 2);
        rig_end(&r);
    }
}

/* The provider is initialised before its caller, wherever it is in the model. */
static void initialised_first(void **state) {
    (void)state;
    rig r;
    rig_begin(&r, "1", "1", NULL);
    uint32_t caller = rig_add(&r, "ask", &ask_type, NULL, NULL);
    uint32_t provider = rig_add(&r, "hold", &hold_type, NULL, NULL);
    require(&r, caller, &provider, 1);
    rig_record(&r, "ask.first");
    assert_int_equal(rig_run(&r), HK_OK);
    assert_exactly(rig_f64(&r, 0, 0), 7);
    rig_end(&r);
}

/* Owns a parameter and changes it in each step; copies of it follow. */
typedef struct owner {
    double p, q;
} owner;

static int owner_step(void *self, double t, double h) {
    (void)t, (void)h;
    owner *x = self;
    x->q = x->p;
    x->p += 1;
    return HK_STEP_OK;
}

static int follower_step(void *self, double t, double h) {
    (void)t, (void)h;
    owner *x = self;
    x->q = x->p;
    return HK_STEP_OK;
}

static const hk_port owner_ports[] = {
    HK_PORT(owner, p, HK_PARAMETER, HK_TYPE_F64, .start = "5", .tunable = true),
    HK_PORT(owner, q, HK_OUTPUT, HK_TYPE_F64, .depends_on = ""),
};
static const hk_unit_type owner_type = {HK_UNIT_TYPE(owner), .ports = owner_ports, .port_count = 2,
                                        .step = owner_step};
typedef owner follower;
static const hk_unit_type follower_type = {HK_UNIT_TYPE(follower), .ports = owner_ports,
                                           .port_count = 2, .step = follower_step};

/* Those that share a parameter follow its owner when it changes that itself, by their lag. */
static void shares(void **state) {
    (void)state;
    for (int late = 0; late < 2; late++) {
        rig r;
        rig_begin(&r, "1", "3", NULL);
        rig_add(&r, "b", &follower_type, NULL, NULL);
        rig_add(&r, "a", &owner_type, NULL, NULL);
        hk_connection *k = rig_connect(&r, "a.p", "b.p");
        k->lag = late ? HK_LAG_PREVIOUS : HK_LAG_CURRENT;
        k->shared = true;
        rig_record(&r, "b.q");
        assert_int_equal(rig_run(&r), HK_OK);
        static const double current[] = {0, 6, 7, 8}, previous[] = {0, 5, 6, 7};
        expect(&r, late ? previous : current, 4);
        rig_end(&r);
    }
}

static hk_tick bind_in_turn(void *user, hk_sim *sim, hk_tick now) {
    uint64_t *planned = user;
    assert_int_equal(hk_plan_made_count(), *planned); /* nothing is planned during a run */
    assert_int_equal(hk_sim_bind(sim, 3, 0, now == 2 ? 2 : 1, 0), HK_OK);
    return now == 2 ? 4 : HK_TICK_NEVER;
}

/* An event chooses between orders that were made before the run. mix = ask (now, or before) + 10 n,
 * ask = hold = n, or mix. */
static void orders(void **state) {
    (void)state;
    for (unsigned threads = 1; threads <= 2; threads++) {
        rig r;
        uint64_t planned;
        rig_begin(&r, "1", "5", NULL);
        two_orders(&r);
        r.bind_any = true;
        rig_record(&r, "ask.y");
        rig_record(&r, "mix.kept");
        r.listener.hook = (hk_hook){bind_in_turn, &planned, 2};
        r.options.threads = threads;
        r.options.threads_always = threads > 1;
        assert_int_equal(rig_start(&r), HK_OK);
        planned = hk_plan_made_count();
        assert_int_equal(r.plan->order_count, 2);
        assert_string_equal(r.plan->orders[1]->order_name, "service ask.r -> mix.p");
        assert_int_equal(hk_sim_run(r.sim), HK_OK);
        static const double y[] = {0, 1, 2, 32, 72, 5}, mixed[] = {0, 11, 22, 32, 72, 55};
        expect(&r, y, 6);
        for (size_t i = 0; i < 6; i++)
            assert_exactly(rig_f64(&r, i, 1), mixed[i]);
        assert_int_equal(hk_plan_made_count(), planned);
        assert_non_null(note_of(&r, "'mix' runs before 'ask' and sees its previous value"));
        hk_snapshot *state_of = NULL;
        assert_int_equal(hk_sim_save(r.sim, &state_of), HK_OK);
        hk_snapshot_destroy(r.sim, state_of);
        rig_end(&r);
    }
}

/* SPARE is a counter that nobody reads, and does not count at first. */
static hk_tick stop_in_turn(void *user, hk_sim *sim, hk_tick now) {
    (void)user;
    enum { COUNTS, HOLDS, MIXES, ASKS, SPARE, LAST = 9 };
    bool changed = true;
    switch (now) {
    case 1: /* after the shares were made */
        assert_int_equal(hk_sim_stop_component(sim, COUNTS, &changed), HK_OK);
        break;
    case 2: /* shares are made while two are stopped */
    case 6: /* while one is */
        assert_int_equal(hk_sim_bind(sim, ASKS, 0, MIXES, 0), HK_OK);
        break;
    case 3:
        assert_int_equal(hk_sim_start_component(sim, COUNTS, &changed), HK_OK);
        assert_int_equal(hk_sim_start_component(sim, SPARE, &changed), HK_OK);
        break;
    case 4: /* while none is */
    case 8: /* while one is, which was started before */
        assert_int_equal(hk_sim_bind(sim, ASKS, 0, HOLDS, 0), HK_OK);
        break;
    case 5:
    case LAST:
        assert_int_equal(hk_sim_stop_component(sim, SPARE, &changed), HK_OK);
        break;
    case 7:
        assert_int_equal(hk_sim_start_component(sim, SPARE, &changed), HK_OK);
        assert_int_equal(hk_sim_stop_component(sim, COUNTS, &changed), HK_OK);
        break;
    default:
        break;
    }
    assert_true(changed);
    return now < LAST ? now + 1 : HK_TICK_NEVER;
}

/* Who is stopped does not step, whether the shares of threads are made before or after, and again
 * with another order: the same bytes as with one thread. */
static void stopped_in_orders(void **state) {
    (void)state;
    for (unsigned threads = 1; threads <= 3; threads++) {
        rig r;
        rig_begin(&r, "1", "11", NULL);
        two_orders(&r);
        uint32_t spare = rig_add(&r, "z", &cnt_type, NULL, NULL);
        r.model->components[spare].inactive = true;
        r.bind_any = true;
        rig_record(&r, "ask.y");
        rig_record(&r, "mix.kept");
        rig_record(&r, "cnt.n");
        rig_record(&r, "z.n");
        r.listener.hook = (hk_hook){stop_in_turn, NULL, 1};
        r.options.threads = threads;
        r.options.threads_always = threads > 1;
        assert_int_equal(rig_run(&r), HK_OK);
        assert_int_equal(hk_sim_threads(r.sim), threads);
        static const double n[] = {0, 1, 1, 1, 2, 3, 4, 5, 5, 5, 5, 5};
        static const double z[] = {0, 0, 0, 0, 1, 2, 2, 2, 3, 4, 4, 4};
        static const double y[] = {0, 1, 1, 11, 31, 3, 4, 54, 104, 5, 5, 5};
        static const double mixed[] = {0, 11, 11, 11, 31, 33, 44, 54, 104, 55, 55, 55};
        expect(&r, y, 12);
        for (size_t i = 0; i < 12; i++) {
            assert_exactly(rig_f64(&r, i, 1), mixed[i]);
            assert_exactly(rig_f64(&r, i, 2), n[i]);
            assert_exactly(rig_f64(&r, i, 3), z[i]);
        }
        rig_end(&r);
    }
}

/* Over hold and ask, which calls it, mix gets the same activation of cnt as directly; in the other
 * order ask calls somebody else, and that way leads nowhere. */
static void coincidence(void **state) {
    (void)state;
    rig r;
    rig_begin(&r, "1", "5", NULL);
    two_orders(&r);
    r.bind_any = true;
    assert_int_equal(rig_start(&r), HK_OK);
    hk_path paths[] = {{(uint32_t[]){0, 1, 3, 2}, 4}, {(uint32_t[]){0, 2}, 2}};
    hk_constraint c = {.kind = HK_COINCIDENCE, .paths = paths, .path_count = 2};
    hk_violation v;
    assert_true(hk_constraint_holds(r.plan->orders[0], &c, &v));
    assert_false(hk_constraint_holds(r.plan->orders[1], &c, &v));
    assert_true(v.missing);
    rig_end(&r);
}

/* Where all that may be bound lie on no cycle, one order serves them. */
static void one_order(void **state) {
    (void)state;
    rig r;
    rig_begin(&r, "1", "5", NULL);
    two_orders(&r);
    r.model->connections[2].lag = HK_LAG_PREVIOUS;
    r.bind_any = true;
    assert_int_equal(rig_start(&r), HK_OK);
    assert_int_equal(r.plan->order_count, 1);
    assert_true(level_of(&r, 1) < level_of(&r, 3) && level_of(&r, 2) < level_of(&r, 3));
    rig_end(&r);
}

static void too_many_orders(void **state) {
    (void)state;
    rig r;
    rig_begin(&r, "1", "5", NULL);
    r.algorithm = HK_GAUSS_SEIDEL;
    r.bind_any = true;
    for (char n = '1'; n <= '5'; n++) {
        char a[] = {'a', n, 0}, b[] = {'b', n, 0}, c[] = {'c', n, 0};
        uint32_t one = rig_add(&r, a, &hold_type, NULL, NULL);
        uint32_t two = rig_add(&r, b, &hold_type, NULL, NULL);
        uint32_t asks = rig_add(&r, c, &ask_type, NULL, NULL);
        char from[] = {'c', n, '.', 'y', 0}, to[] = {'b', n, '.', 'u', 0};
        rig_connect(&r, from, to);
        require(&r, asks, (uint32_t[]){one, two}, 2);
    }
    assert_int_equal(rig_start(&r), HK_E_SERVICE);
    assert_says(rig_error(&r), "depends on more than 16 sets of bindings; these lie on a cycle: "
                               "service c1.r -> b1.p, service c2.r -> b2.p");
    rig_end(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(provider_first),
        cmocka_unit_test(cycle_cut_at_a_value),
        cmocka_unit_test(cycle_cut_at_a_service),
        cmocka_unit_test(callers_of_each_other),
        cmocka_unit_test(only_what_may_be_bound),
        cmocka_unit_test(rates),
        cmocka_unit_test(constraints),
        cmocka_unit_test(initialised_first),
        cmocka_unit_test(stopped_provider),
        cmocka_unit_test(shares),
        cmocka_unit_test(orders),
        cmocka_unit_test(stopped_in_orders),
        cmocka_unit_test(coincidence),
        cmocka_unit_test(one_order),
        cmocka_unit_test(too_many_orders),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
