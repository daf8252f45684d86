/* SPDX-License-Identifier: MIT
 *
 * An FMU that was stopped goes on where it stood: FMI demands that each step begins where the one
 * before ended. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/file.h"
#include "fmi/fmi.h"
#include "rig.h"

typedef struct gaps {
    hk_tick at[4]; /* stop, start, stop, start */
    size_t next;
} gaps;

static hk_tick act(void *user, hk_sim *sim, hk_tick now) {
    gaps *g = user;
    bool changed = false;
    assert_int_equal(now, g->at[g->next]);
    assert_int_equal(g->next % 2 ? hk_sim_start_component(sim, 0, &changed)
                                 : hk_sim_stop_component(sim, 0, &changed),
                     HK_OK);
    assert_true(changed);
    g->next++;
    return g->next < 4 ? g->at[g->next] : HK_TICK_NEVER;
}

static size_t notes_about(const rig *r, const char *text) {
    size_t count = 0;
    for (size_t i = 0; i < hk_ctx_count(r->ctx, HK_NOTE); i++)
        count += strstr(hk_ctx_diag(r->ctx, i)->text, text) != NULL;
    return count;
}

/* `time` is what the FMU's last doStep was told: the beginning of the step plus its length. */
static void own_clock(void **state) {
    (void)state;
    rig r;
    rig_begin(&r, "1", "12", NULL);
    hk_fmu *fmu = NULL;
    uint32_t index = 0;
    const char *path = hk_path_join(r.model->arena, HK_FMU_DIR, "probe.fmu");
    assert_int_equal(hk_fmu_open(r.ctx, path, &fmu), HK_OK);
    assert_int_equal(
        hk_model_add_component(r.ctx, r.model, "probe", hk_fmu_info(fmu), HK_NOWHERE, &index),
        HK_OK);
    rig_record(&r, "probe.time");
    rig_record(&r, "probe.steps");
    gaps g = {.at = {3, 6, 8, 9}};
    r.listener.hook = (hk_hook){act, &g, 3};
    assert_int_equal(rig_run(&r), HK_OK);
    static const double own[] = {0, 1, 2, 3, 3, 3, 3, 4, 5, 5, 6, 7, 8};
    assert_int_equal(r.rows, 13);
    for (size_t i = 0; i < 13; i++) {
        assert_true(rig_f64(&r, i, 0) == own[i]);
        assert_true(r.times[i] == (double)i);
    }
    assert_int_equal(hk_sim_activations(r.sim, 0), 8);
    assert_int_equal(
        notes_about(&r, "component 'probe' was stopped: its own time is now 3 s behind"), 1);
    assert_int_equal(notes_about(&r, "behind"), 1);
    rig_end(&r);
    hk_fmu_close(fmu);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(own_clock)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
