/* SPDX-License-Identifier: MIT
 *
 * FMUs and packages by fused code: their calls are written out and made through pointers. Records,
 * ends and messages are those of the interpreter, also of FMUs that misbehave. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "fmi/fmu.h"
#include "fuse_rig.h"
#include "rig.h"
#include "ssp/ssp.h"

#include <stdlib.h>

/* ---- packages ---- */

static const struct {
    const char *name, *stop, *interval;
} packages[] = {{"quarter_truck", "1", NULL},
                {"quarter_truck", "2", "0.05"},
                {"quarter_truck_fmi1", "1", NULL},
                {"quarter_truck_fmi3", "1", "0.01"},
                {"quarter_truck_native", "1", "0.01"},
                {"r_rosace", "10", NULL},
                {"r_rosace", "20", "0.1"},
                {"rosace", "10", "0.02"},
                {"ship", "20", "0.5"}};
enum { PACKAGES = sizeof packages / sizeof *packages };

static void open_package(rig *r, size_t i) {
    char path[512];
    *r = (rig){.ctx = hk_ctx_create(NULL, NULL)};
    snprintf(path, sizeof path, "%s/%s.ssp", HK_MODEL_DIR, packages[i].name);
    assert_int_equal(hk_ssp_read(r->ctx, path, NULL, &r->model), HK_OK);
    hk_experiment *x = &r->model->experiment;
    x->stop = rig_seconds(packages[i].stop);
    x->has_stop = true;
    if (packages[i].interval)
        x->output_interval = rig_seconds(packages[i].interval);
    if (!x->has_step) {
        x->step = rig_seconds("0.001");
        x->has_step = true;
    }
    r->algorithm = x->has_algorithm ? x->algorithm : HK_JACOBI;
    for (uint32_t c = 0; c < r->model->component_count; c++)
        for (uint32_t v = 0; v < r->model->components[c].info->variable_count; v++) {
            const hk_variable *about = &r->model->components[c].info->variables[v];
            if (about->causality == HK_OUTPUT &&
                r->listener.column_count + about->count < RIG_COLUMNS)
                rig_record(r, hk_arena_printf(r->model->arena, "%s.%s",
                                              r->model->components[c].name, about->name));
        }
    r->options.profile_every = 17;
    assert_int_equal(rig_start(r), HK_OK);
}

static const char *last_words(const rig *r) {
    for (size_t i = hk_ctx_count(r->ctx, HK_NOTE); i-- > 0;)
        if (hk_ctx_diag(r->ctx, i)->severity == HK_ERROR)
            return hk_ctx_diag(r->ctx, i)->text;
    return "";
}

static void assert_same_rows(const rig *a, const rig *b) {
    assert_int_equal(a->rows, b->rows);
    for (size_t i = 0; i < a->rows; i++)
        if (a->times[i] != b->times[i] ||
            memcmp(a->cells + i * a->row_size, b->cells + i * b->row_size, a->row_size) != 0)
            fail_msg("row %zu (t = %g) differs", i, a->times[i]);
}

static void assert_alike(const rig *a, const rig *b) {
    assert_string_equal(last_words(a), last_words(b));
    const char *one = hk_sim_end_reason(a->sim), *two = hk_sim_end_reason(b->sim);
    assert_string_equal(one ? one : "", two ? two : "");
    assert_same_rows(a, b);
}

static void whole_packages(void **state) {
    (void)state;
    fuse_shop shop;
    rig a, b;
    const char *cc = getenv("HK_FUSE_CC");
    fuse_shop_begin(&shop);
    for (size_t i = 0; i < PACKAGES; i++) {
        open_package(&a, i);
        (void)fuse_add(&shop, a.sim, NULL);
        rig_end(&a);
    }
    fuse_shop_build(&shop, cc ? cc : "cc -O1", NULL);
    for (size_t i = 0; i < PACKAGES; i++) {
        open_package(&a, i);
        assert_int_equal(hk_sim_run(a.sim), HK_OK);
        hk_sim_destroy(a.sim); /* some FMUs have one instance per process */
        a.sim = NULL;
        open_package(&b, i);
        fuse_attach(&shop, b.ctx, b.sim, i);
        assert_int_equal(hk_sim_fused(b.sim).fused, hk_sim_fused(b.sim).cells);
        assert_int_equal(hk_sim_run(b.sim), HK_OK);
        assert_same_rows(&a, &b);
        assert_true(hk_sim_fused(b.sim).runs > 100);
        rig_end(&a);
        rig_end(&b);
    }
    fuse_shop_end(&shop);
}

/* ---- FMUs that misbehave ---- */

enum { FAULTS = 21, EVENT = 19 };

static void open_probes(rig *r, hk_fmu **fmu, int fault) {
    rig_begin(r, "0.01", "0.5", fault % 2 ? NULL : "0.05");
    r->algorithm = fault % 3 ? HK_GAUSS_SEIDEL : HK_JACOBI;
    assert_int_equal(hk_fmu_open(r->ctx, HK_FMU_DIR "/probe3.fmu", fmu), HK_OK);
    static const char *const names[] = {"p", "q"};
    static const char *const wires[] = {"real", "int", "enum", "bool", "text", "blob"};
    for (size_t i = 0; i < 2; i++) {
        uint32_t index;
        assert_int_equal(hk_model_add_component(r->ctx, r->model, names[i], hk_fmu_info(*fmu),
                                                HK_NOWHERE, &index),
                         HK_OK);
    }
    for (size_t i = 0; i < sizeof wires / sizeof *wires; i++)
        for (size_t k = 0; k < 2; k++)
            rig_connect(r, hk_arena_printf(r->model->arena, "%s.%s_out", names[k], wires[i]),
                        hk_arena_printf(r->model->arena, "%s.%s_in", names[!k], wires[i]));
    rig_set(r, "q.fault", hk_arena_printf(r->model->arena, "%d", fault));
    rig_set(r, "q.fault_time", "0.255");
    rig_set(r, "p.gain", "0.75");
    static const char *const shown[] = {"p.real_out", "p.state", "q.state",   "q.real_out",
                                        "q.int_out",  "q.calls", "p.text_out"};
    for (size_t i = 0; i < sizeof shown / sizeof *shown; i++)
        rig_record(r, shown[i]);
    r->options.profile_every = 17;
}

static void misbehaving(void **state) {
    (void)state;
    fuse_shop shop;
    rig a, b;
    hk_fmu *one, *two;
    size_t fail = 0;
    fuse_shop_begin(&shop);
    for (int layout = 0; layout < 6; layout++) { /* faults are data: all texts are these */
        open_probes(&a, &one, layout);
        assert_int_equal(rig_start(&a), HK_OK);
        (void)fuse_add(&shop, a.sim, NULL);
        rig_end(&a);
        hk_fmu_close(one);
    }
    fuse_shop_build(&shop, "cc -O1", NULL);
    for (int fault = 0; fault < FAULTS; fault++) {
        open_probes(&a, &one, fault);
        open_probes(&b, &two, fault);
        hk_status status = rig_start(&a);
        assert_int_equal(rig_start(&b), status);
        if (status == HK_OK) {
            fuse_attach(&shop, b.ctx, b.sim, (size_t)(fault % 6));
            status = hk_sim_run(a.sim);
            assert_int_equal(hk_sim_run(b.sim), status);
            assert_alike(&a, &b);
            assert_true(hk_sim_fused(b.sim).runs > 10);
        }
        fail += status != HK_OK;
        rig_end(&a);
        rig_end(&b);
        hk_fmu_close(one);
        hk_fmu_close(two);
    }
    assert_true(fail >= 5);
    fuse_shop_end(&shop);
}

/* ---- what else a run may ask for ---- */

static void conditions_and_pace(void **state) {
    (void)state;
    fuse_shop shop;
    rig a, b;
    fuse_shop_begin(&shop);
    for (int paced = 0; paced < 2; paced++) {
        rig *both[] = {&a, &b};
        hk_stop_when when = {.compare = HK_GT, .threshold = 0.05, .text = "chassis.p.e > 0.05"};
        for (int i = 0; i < 2; i++) {
            char path[512];
            rig *r = both[i];
            *r = (rig){.ctx = hk_ctx_create(NULL, NULL)};
            snprintf(path, sizeof path, "%s/quarter_truck.ssp", HK_MODEL_DIR);
            assert_int_equal(hk_ssp_read(r->ctx, path, NULL, &r->model), HK_OK);
            r->model->experiment.stop = rig_seconds(paced ? "0.05" : "5");
            r->model->experiment.has_stop = true;
            rig_find(r, "chassis.p.e", &when.component, &when.variable);
            rig_record(r, "chassis.p.e");
            rig_record(r, "wheel.p.e");
            r->options.stop_when = &when;
            r->options.stop_when_count = paced ? 0 : 1;
            r->options.real_time = paced ? 10 : 0;
            assert_int_equal(rig_start(r), HK_OK);
        }
        fuse_shop one;
        fuse_shop_begin(&one);
        size_t number = fuse_add(&one, b.sim, NULL);
        fuse_shop_build(&one, "cc -O1", NULL);
        fuse_attach(&one, b.ctx, b.sim, number);
        assert_int_equal(hk_sim_run(a.sim), HK_OK);
        assert_int_equal(hk_sim_run(b.sim), HK_OK);
        assert_alike(&a, &b);
        rig_end(&a);
        rig_end(&b);
        fuse_shop_end(&one);
    }
    fuse_shop_end(&shop);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(whole_packages),
                                       cmocka_unit_test(misbehaving),
                                       cmocka_unit_test(conditions_and_pace)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
