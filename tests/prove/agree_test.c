/* SPDX-License-Identifier: MIT
 *
 * Several ways to the same verdict: order containment; the trace checker; spin; for small masters
 * all of their runs, by a checker of its own, and the CSP engine. On the chemical detector, on
 * plans of our own engine, and on random masters of random systems, of which nobody knows the
 * verdict. */
#include "check/check.h"
#include "csp/csp.h"
#include "native/native.h"
#include "plan/plan.h"
#include "sound/sound.h"
#include "ssp/ssp.h"

#include <hk/version.h>

#include <string.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sound_brute.h"

static bool spin_accepts(hk_arena *arena, const hk_sound_system *s, const hk_sound_master *m) {
    const char *text = hk_sound_promela(arena, s, m, 1);
    assert_non_null(text);
    int errors = sound_spin(text, NULL);
    if (errors < 0)
        fail_msg("spin gave no answer for\n%s", text);
    return errors == 0;
}

/* What the trace checker says: of a sequence to some cycles of it, of a partial order to runs in
 * which each call is held back. */
static bool monitor_accepts(hk_arena *arena, const hk_sound_system *s, const hk_sound_master *m) {
    return m->before ? sound_orders_accepted(arena, s, m)
                     : sound_monitor(arena, s, m).outcome != HK_SOUND_VIOLATION;
}

static const char *cspm(hk_arena *arena, const hk_sound_system *s, const hk_sound_master *m) {
    return hk_sound_cspm(arena, &(hk_sound_phased){.system = s, .master = m}, 1, 2);
}

/* What our own CSP engine says to all that the CSPm of it asserts. RET_WHY: what is wrong. */
static bool engine_accepts(hk_arena *arena, const hk_sound_system *s, const hk_sound_master *m,
                           const char **ret_why) {
    const char *text = cspm(arena, s, m);
    hk_ctx *ctx = hk_ctx_create(NULL, NULL);
    hk_csp_script *script = NULL;
    if (hk_csp_read(ctx, arena, &(hk_file_text){"a.csp", text, strlen(text)}, &script))
        fail_msg("%s in\n%s", hk_ctx_diag(ctx, 0)->text, text);
    hk_csp_machine *machine = hk_csp_machine_create(ctx, script, 0);
    bool holds = true;
    for (size_t i = 0; i < hk_csp_assertion_count(script) && holds; i++) {
        hk_csp_verdict v;
        if (hk_csp_answer(machine, arena, i, &v))
            fail_msg("%s in\n%s", hk_ctx_diag(ctx, 0)->text, text);
        assert_false(v.limited);
        holds = v.holds;
        *ret_why = hk_arena_printf(arena, "%s: %s", hk_csp_assertion_at(script, i)->text,
                                   v.why ? v.why : "holds");
    }
    hk_csp_machine_destroy(machine);
    hk_csp_close(script);
    hk_ctx_destroy(ctx);
    return holds;
}

/* The contracts ask for less than the specification: what that accepts they accept, too, after an
 * exchange of initial values, which the phases do not know. */
static bool contracts_accept(hk_arena *arena, const hk_sound_system *s, const hk_sound_master *m,
                             const char **ret_why) {
    hk_sound_call *init = HK_NEW_ARRAY(arena, hk_sound_call, s->port_count + 1);
    hk_sound_master exchanged = *m;
    bool legal;
    exchanged.init = init;
    exchanged.init_count = 0;
    for (int set = 0; set < 2; set++)
        for (uint32_t p = 0; p < s->port_count; p++)
            if (s->ports[p].is_output != set && (!set || s->ports[p].source != HK_MAP_NONE))
                init[exchanged.init_count++] = (hk_sound_call){.op = set ? HK_OP_SET : HK_OP_GET,
                                                               .port = p,
                                                               .instance = s->ports[p].instance,
                                                               .as = HK_MAP_NONE};
    hk_sound_verdict v = hk_sound_keeps_contract(arena, s, &exchanged, 1, &legal);
    *ret_why = v.why;
    return v.holds;
}

static bool sizes_are_usual(const hk_sound_master *m) {
    for (size_t i = 0; i < m->step_count; i++)
        if (m->step[i].has_value)
            return false;
    return true;
}

static void disagree(hk_arena *arena, const hk_sound_system *s, const hk_sound_master *m,
                     const char *what, const char *who, const char *why) {
    fail_msg("%s: %s does not agree (%s)\n%s", what, who, why ? why : "holds",
             hk_sound_print_text(arena, s, m, 1));
}

static void expect_all(hk_arena *arena, const hk_sound_system *s, const hk_sound_master *m,
                       bool accepted, const char *what) {
    hk_sound_verdict v = hk_sound_refines(arena, s, m, 1);
    if (v.holds != accepted)
        disagree(arena, s, m, what, "order containment", v.why);
    if (monitor_accepts(arena, s, m) != accepted)
        disagree(arena, s, m, what, "the trace checker", v.why);
    if (spin_is_there() && spin_accepts(arena, s, m) != accepted)
        disagree(arena, s, m, what, "spin", v.why);
}

/* Small ones, of which the engine can look at all states. */
static void expect_engine(hk_arena *arena, const hk_sound_system *s, const hk_sound_master *m,
                          bool accepted, const char *what) {
    const char *why = NULL;
    if (engine_accepts(arena, s, m, &why) != accepted)
        disagree(arena, s, m, what, "the CSP engine", why);
    if (accepted && sizes_are_usual(m) && !contracts_accept(arena, s, m, &why))
        disagree(arena, s, m, what, "the contracts", why);
}

/* ---- the detector ---- */

static void test_detector(void **state) { /* X1 */
    (void)state;
    sound_rng rng = {1};
    hk_arena *arena = hk_arena_create();
    hk_sound_system *s = sound_detector(arena, false);
    hk_sound_master *m = sound_jacobi(arena, s, NULL, false);
    hk_sound_master *ordered = sound_jacobi(arena, s, NULL, true);
    expect_all(arena, s, m, true, "sequence");
    expect_all(arena, s, ordered, true, "one process per FMU");
    for (sound_fault fault = 0; fault < FAULT_COUNT; fault++)
        expect_all(arena, s, sound_mutant(arena, &rng, s, m, fault), false,
                   sound_fault_name(fault));
    expect_all(arena, s, sound_unordered(arena, &rng, ordered, false), false, "no barrier");
    expect_all(arena, s, sound_unordered(arena, &rng, ordered, true), false, "no cycle barrier");
    expect_all(arena, s, sound_drop_edge(arena, &rng, ordered), false, "one edge less");
    if (spin_is_there()) {
        long states = 0;
        assert_int_equal(sound_spin(hk_sound_promela(arena, s, m, 1), &states), 0);
        assert_int_equal(states, 38);
    }
    hk_arena_destroy(arena);
}

/* The nine of the published table: where each is caught, counted in calls. */
static void test_nine_masters(void **state) {
    (void)state;
    hk_arena *arena = hk_arena_create();
    hk_sound_system *s = sound_detector(arena, false);
    hk_sound_master *m = sound_jacobi(arena, s, NULL, false);
    enum { INIT = 8, GETS = 13, SETS = 11, STEPS = 5 };
    hk_sound_call *step = HK_NEW_ARRAY(arena, hk_sound_call, 40), swap;
    hk_sound_call *init = HK_NEW_ARRAY(arena, hk_sound_call, 10);
    for (int k = 0; k < 8; k++) {
        sound_list list = {step, m->step_count};
        hk_sound_master mutant = *m;
        memcpy(step, m->step, m->step_count * sizeof *step);
        memcpy(init, m->init, INIT * sizeof *init);
        if (k == 0) { /* the last get and the first set */
            swap = step[GETS - 1];
            step[GETS - 1] = step[GETS];
            step[GETS] = swap;
        } else if (k == 1) {
            sound_insert(&list, GETS, step[0]);
        } else if (k == 2) {
            sound_remove(&list, GETS - 1);
        } else if (k == 3) {
            sound_remove(&list, GETS + SETS - 1);
        } else if (k == 4) {
            sound_insert(&list, list.count, step[GETS + SETS]);
        } else if (k == 5) {
            sound_insert(&list, GETS, step[GETS + SETS]);
            sound_remove(&list, GETS + SETS + 1);
        } else if (k == 6) {
            sound_insert(&list, 0, init[INIT - 1]);
            mutant.init_count--;
        } else {
            mutant.init_count--;
        }
        mutant.step = step;
        mutant.step_count = list.count;
        hk_sound_verdict v = hk_sound_refines(arena, s, &mutant, 1);
        assert_false(v.holds);
        size_t wanted[] = {INIT + GETS, INIT + GETS + 1, INIT + GETS, INIT + GETS + SETS,
                           INIT + 30,   INIT + GETS + 1, INIT + 30,   INIT};
        assert_int_equal(v.trace_count, wanted[k]);
        expect_all(arena, s, &mutant, false, "one of the nine");
    }
    sound_rng rng = {2}; /* the ninth: a barrier is missing in one thread */
    expect_all(arena, s, sound_unordered(arena, &rng, sound_jacobi(arena, s, NULL, true), false),
               false, "barrier missing in one thread");
    hk_arena_destroy(arena);
}

/* ---- plans of our own engine ---- */

typedef struct planned {
    hk_ctx *ctx;
    hk_model *model;
    hk_plan *plan;
    hk_sound_system *system;
} planned;

static planned plan_of(const char *file) {
    planned p = {.ctx = hk_ctx_create(NULL, NULL)};
    hk_plan_options options = {.algorithm = HK_JACOBI};
    assert_int_equal(hk_ssp_read(p.ctx, file, NULL, &p.model), HK_OK);
    assert_int_equal(hk_check_model(p.ctx, p.model), HK_OK);
    hk_model_lower(p.model);
    hk_experiment *x = &p.model->experiment;
    if (!x->has_step) {
        x->step = (hk_ratio){1, 100};
        x->has_step = true;
    }
    if (!x->has_stop) {
        x->stop = (hk_ratio){1, 1};
        x->has_stop = true;
    }
    assert_int_equal(hk_plan_make(p.ctx, p.model, &options, &p.plan), HK_OK);
    assert_int_equal(hk_sound_from_plan(p.ctx, p.plan, HK_VIEW_CONNECTED, NULL, &p.system), HK_OK);
    p.system->cycle = 0.1; /* runs are played with that, and inputs see what was read last */
    p.system->plan = NULL;
    p.system->start = 0;
    return p;
}

static void finish(planned *p) {
    hk_sound_destroy(p->system);
    hk_plan_destroy(p->plan);
    hk_model_destroy(p->model);
    hk_ctx_destroy(p->ctx);
}

/* The same instances, all of them in every cycle. */
static hk_sound_system *in_step(hk_arena *arena, const hk_sound_system *s) {
    hk_sound_system *copy = HK_NEW(arena, hk_sound_system);
    *copy = *s;
    copy->instances = HK_NEW_ARRAY(arena, hk_sound_instance, s->instance_count);
    for (size_t i = 0; i < s->instance_count; i++) {
        copy->instances[i] = s->instances[i];
        copy->instances[i].rate = 1;
        copy->instances[i].first = 0;
    }
    return copy;
}

/* A run of the master with all the rates of the plan, long enough for all of them to take part. */
static bool run_is_accepted(hk_arena *arena, const hk_sound_system *s, const hk_sound_master *m) {
    size_t count;
    const hk_sound_call *trace = sound_run(arena, s, m, 60, &count);
    return sound_check(arena, s, trace, count).outcome != HK_SOUND_VIOLATION;
}

static void expect_plan(hk_arena *arena, const hk_sound_system *s, const hk_sound_master *m,
                        bool accepted, const char *what) {
    expect_all(arena, in_step(arena, s), m, accepted, what);
    if (!m->before && run_is_accepted(arena, s, m) != accepted)
        disagree(arena, s, m, what, "the trace checker, with rates,", NULL);
}

/* The plan itself is fine, and wrong in each of these ways. */
static size_t try_plan(const char *file, uint64_t seed) {
    planned p = plan_of(file);
    sound_rng rng = {seed};
    hk_arena *arena = hk_arena_create();
    hk_sound_master *m = hk_sound_master_of_plan(arena, p.system, p.plan);
    expect_plan(arena, p.system, m, true, file);
    expect_plan(arena, p.system, sound_sequence(arena, m), true, file);
    size_t made = 0;
    for (sound_fault fault = 0; fault < FAULT_COUNT; fault++) {
        hk_sound_master *mutant =
            sound_mutant(arena, &rng, p.system, sound_sequence(arena, m), fault);
        if (mutant)
            expect_plan(arena, p.system, mutant, false, sound_fault_name(fault));
        made += mutant != NULL;
    }
    for (int cycle = 0; cycle < 2; cycle++, made++)
        expect_plan(arena, p.system, sound_unordered(arena, &rng, m, cycle), false,
                    sound_fault_name(FAULT_NO_BARRIER + (sound_fault)cycle));
    expect_plan(arena, p.system, sound_drop_edge(arena, &rng, m), false,
                sound_fault_name(FAULT_NO_EDGE));
    hk_arena_destroy(arena);
    finish(&p);
    return made + 1;
}

static void test_own_plans(void **state) {
    (void)state;
    size_t made = try_plan(HK_MODEL_DIR "/quarter_truck.ssp", 3);
    made += try_plan(HK_MODEL_DIR "/r_rosace.ssp", 4); /* several rates */
    assert_true(made >= 20);
}

/* ---- random masters of random systems ---- */

static void swap_calls(hk_sound_call *calls, uint32_t a, uint32_t b) {
    hk_sound_call was = calls[a];
    calls[a] = calls[b];
    calls[b] = was;
}

/* Changes something that may or may not matter. */
static void change(sound_rng *rng, const hk_sound_system *s, sound_list *l) {
    if (!l->count)
        return;
    uint32_t n = (uint32_t)l->count, at = sound_below(rng, n);
    hk_sound_call *call = &l->calls[at], copy = *call;
    switch (sound_below(rng, 8)) {
    case 0:
        swap_calls(l->calls, at, sound_below(rng, n));
        break;
    case 1:
        sound_remove(l, at);
        break;
    case 2:
        sound_insert(l, sound_below(rng, n + 1), copy);
        break;
    case 3:
        sound_remove(l, at);
        sound_insert(l, sound_below(rng, n), copy);
        break;
    case 4: /* of its source, or of another */
        if (call->op == HK_OP_SET && l->calls[sound_below(rng, n)].op == HK_OP_GET)
            call->carries = s->ports[call->port].source != HK_MAP_NONE && sound_below(rng, 2)
                                ? s->ports[call->port].source + 1
                                : 0;
        else if (call->op == HK_OP_SET)
            sound_misroute(rng, s, l, false);
        break;
    case 5:
        call->stale = call->op == HK_OP_SET || call->op == HK_OP_STEP;
        break;
    case 6: /* the same size as the others, or not */
        call->has_value = call->op == HK_OP_STEP;
        call->value = sound_below(rng, 3);
        break;
    default: /* all steps of another size */
        for (size_t i = 0; i < l->count; i++)
            if (l->calls[i].op == HK_OP_STEP) {
                l->calls[i].has_value = true;
                l->calls[i].value = 2;
            }
    }
}

/* The calls of one kind in a row wait for those of the row before, except where an edge is left
 * out: none, one, or each with some probability. */
static void order(hk_arena *arena, sound_rng *rng, hk_sound_master *m) {
    const uint32_t **before = HK_NEW_ARRAY(arena, const uint32_t *, m->step_count);
    size_t *counts = HK_NEW_ARRAY(arena, size_t, m->step_count);
    static const uint32_t kept_of_100[] = {100, 100, 97, 85};
    uint32_t kept = kept_of_100[sound_below(rng, 4)];
    size_t row = 0, last = 0; /* where this row and the one before begin */
    for (uint32_t i = 0; i < m->step_count; i++) {
        if (i && m->step[i].op != m->step[i - 1].op) {
            last = row;
            row = i;
        }
        uint32_t *list = HK_NEW_ARRAY(arena, uint32_t, m->step_count);
        for (size_t k = last; k < row; k++)
            if (sound_below(rng, 100) < kept)
                list[counts[i]++] = (uint32_t)k;
        before[i] = list;
    }
    m->before = before;
    m->before_count = counts;
    if (sound_below(rng, 4))
        return;
    const uint32_t **lists = HK_NEW_ARRAY(arena, const uint32_t *, m->step_count);
    size_t *last_counts = HK_NEW_ARRAY(arena, size_t, m->step_count);
    for (uint32_t i = 0; i < m->step_count; i++) {
        uint32_t *list = HK_NEW_ARRAY(arena, uint32_t, m->step_count);
        for (size_t k = 0; k < m->step_count; k++)
            if (!counts[i] && sound_below(rng, 100) < kept)
                list[last_counts[i]++] = (uint32_t)k;
        lists[i] = list;
    }
    m->before_last = lists;
    m->before_last_count = last_counts;
}

/* Right as it begins, then changed in no, one or two places, and perhaps without some edges. */
static hk_sound_master *random_master(hk_arena *arena, sound_rng *rng, const hk_sound_system *s) {
    const hk_sound_master *right = sound_jacobi(arena, s, rng, false);
    size_t moved = 0, kinds = sound_below(rng, 3); /* phases that are done before the first step */
    while (moved < right->step_count &&
           (right->step[moved].op == HK_OP_GET ? kinds > 0
                                               : right->step[moved].op == HK_OP_SET && kinds > 1))
        moved++;
    size_t n = right->step_count;
    sound_list init = {HK_NEW_ARRAY(arena, hk_sound_call, right->init_count + n + 4), 0};
    sound_list step = {HK_NEW_ARRAY(arena, hk_sound_call, n + 4), n};
    for (size_t i = 0; i < right->init_count; i++)
        init.calls[init.count++] = right->init[i];
    for (size_t i = 0; i < moved; i++)
        init.calls[init.count++] = right->step[i];
    for (size_t i = 0; i < n; i++)
        step.calls[i] = right->step[(i + moved) % n];
    for (uint32_t changes = sound_below(rng, 3); changes > 0; changes--)
        change(rng, s, sound_below(rng, 8) ? &step : &init);
    hk_sound_master *m = HK_NEW(arena, hk_sound_master);
    *m = (hk_sound_master){
        .init = init.calls, .init_count = init.count, .step = step.calls, .step_count = step.count};
    if (m->step_count && sound_below(rng, 3))
        order(arena, rng, m);
    return m;
}

/* True: it is accepted, by all. */
static bool compare(hk_arena *arena, const hk_sound_system *s, const hk_sound_master *m) {
    hk_sound_call *run;
    size_t length;
    int all = brute_accepts(arena, s, m, &run, &length);
    assert_true(all >= 0);
    expect_all(arena, s, m, all, "random master");
    expect_engine(arena, s, m, all, "random master");
    if (!all && m->step_count) { /* the trace checker sees the run that was found */
        sound_play(arena, s, run, length);
        assert_int_equal(sound_check(arena, s, run, length).outcome, HK_SOUND_VIOLATION);
    }
    return all;
}

static void test_random_systems(void **state) {
    (void)state;
    const char *wanted = getenv("HK_SOUND_SYSTEMS");
    size_t count = wanted ? (size_t)atoi(wanted) : 40, accepted = 0, tried = 0, orders = 0;
    sound_rng rng = {2026};
    for (size_t i = 0; i < count; i++)
        for (int k = 0; k < 2; k++) {
            hk_arena *arena = hk_arena_create();
            hk_sound_system *s = sound_random(arena, &rng, 4, 8);
            const hk_sound_master *m = random_master(arena, &rng, s);
            if (m->step_count) {
                accepted += compare(arena, s, m);
                orders += m->before != NULL;
                tried++;
            }
            hk_arena_destroy(arena);
        }
    print_message("%zu masters, %zu accepted, %zu partial orders\n", tried, accepted, orders);
    if (count >= 40) { /* else the test says little */
        assert_in_range(accepted, tried / 5, tried - tried / 5);
        assert_in_range(orders, tried / 3, tried);
    }
}

/* Without spin many more can be compared. */
static void test_many_masters(void **state) {
    (void)state;
    const char *thin = getenv("HK_THIN"); /* cmake/options.cmake */
    int count = 1500 / (thin ? atoi(thin) : 1);
    sound_rng rng = {77};
    for (int i = 0; i < count; i++) {
        hk_arena *arena = hk_arena_create();
        hk_sound_system *s = sound_random(arena, &rng, 4, 8);
        const hk_sound_master *m = random_master(arena, &rng, s);
        hk_sound_call *run;
        size_t length;
        int all = m->step_count ? brute_accepts(arena, s, m, &run, &length) : -1;
        hk_sound_verdict v = hk_sound_refines(arena, s, m, 1);
        if (all >= 0 && v.holds != all)
            disagree(arena, s, m, "random master", "order containment", v.why);
        if (all >= 0 && monitor_accepts(arena, s, m) != all)
            disagree(arena, s, m, "random master", "the trace checker", v.why);
        hk_arena_destroy(arena);
    }
}

/* ---- exports ---- */

static void test_exports_are_the_same_again(void **state) { /* X3 */
    (void)state;
    hk_arena *a = hk_arena_create(), *b = hk_arena_create();
    hk_sound_system *s = sound_detector(a, true), *t = sound_detector(b, true);
    for (int ordered = 0; ordered < 2; ordered++) {
        hk_sound_master *m = sound_jacobi(a, s, NULL, ordered);
        hk_sound_master *n = sound_jacobi(b, t, NULL, ordered);
        assert_string_equal(hk_sound_promela(a, s, m, 1), hk_sound_promela(b, t, n, 1));
        assert_string_equal(cspm(a, s, m), cspm(b, t, n));
    }
    hk_arena_destroy(a);
    hk_arena_destroy(b);
}

static char *read_all(hk_arena *arena, const char *path) {
    FILE *file = fopen(path, "r");
    char *text = hk_arena_alloc(arena, 1 << 20);
    if (file) {
        text[fread(text, 1, (1 << 20) - 1, file)] = '\0';
        fclose(file);
    }
    return text;
}

/* It is read again, each part of its sort. */
static void expect_script(hk_arena *arena, const char *text) {
    hk_ctx *ctx = hk_ctx_create(NULL, NULL);
    hk_csp_script *script = NULL;
    if (hk_csp_read(ctx, arena, &(hk_file_text){"a.csp", text, strlen(text)}, &script) != HK_OK)
        fail_msg("%d: %s in\n%s", hk_ctx_diag(ctx, 0)->where.line, hk_ctx_diag(ctx, 0)->text, text);
    hk_csp_close(script);
    hk_ctx_destroy(ctx);
}

static void test_cspm(void **state) { /* X2 */
    (void)state;
    hk_arena *arena = hk_arena_create();
    hk_sound_system *s = sound_detector(arena, true);
    const char *text = cspm(arena, s, sound_jacobi(arena, s, NULL, false));
    const char *path = HK_TEST_FOLDER "/expected/detector.txt";
    /* The first line has the version and a number that stands for the rest. */
    const char *rest = strchr(text, '\n') + 1;
    assert_string_equal(
        hk_arena_printf(arena,
                        "-- test: specification and master. hocket %d.%d.%d, content %016llx",
                        HK_VERSION_MAJOR, HK_VERSION_MINOR, HK_VERSION_PATCH,
                        (unsigned long long)hk_hash(HK_HASH_SEED, rest, strlen(rest))),
        hk_arena_strndup(arena, text, (size_t)(rest - text - 1)));
    if (getenv("HK_UPDATE")) {
        FILE *file = fopen(path, "w");
        assert_non_null(file);
        fputs(rest, file);
        fclose(file);
    }
    assert_string_equal(rest, read_all(arena, path));
    sound_rng rng = {8};
    for (int i = 0; i < 40; i++) {
        hk_sound_system *r = i ? sound_random(arena, &rng, 4, 10) : s;
        for (int ordered = 0; ordered < 2; ordered++) {
            hk_sound_master *m = sound_jacobi(arena, r, &rng, ordered);
            expect_script(arena, cspm(arena, r, m));
            for (sound_fault fault = 0; fault < FAULT_COUNT; fault++) {
                hk_sound_master *mutant =
                    sound_mutant(arena, &rng, r, sound_sequence(arena, m), fault);
                if (mutant)
                    expect_script(arena, cspm(arena, r, mutant));
            }
        }
    }
    hk_arena_destroy(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_exports_are_the_same_again),
                                       cmocka_unit_test(test_cspm),
                                       cmocka_unit_test(test_detector),
                                       cmocka_unit_test(test_nine_masters),
                                       cmocka_unit_test(test_own_plans),
                                       cmocka_unit_test(test_many_masters),
                                       cmocka_unit_test(test_random_systems)};
    if (!spin_is_there())
        print_message("spin is not installed: its verdicts are left out\n");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
