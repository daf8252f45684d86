/* SPDX-License-Identifier: MIT
 *
 * Functions that change who provides them: in which order they are called, and that what was
 * published stays. All results are computed by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "callers.h"
#include "state.h"

/* Two callers of a function that changes the provider: the slow one is first in the model and
 * is first at common instants, unless a value says otherwise; with threads the same bytes. */
static void callers_in_order(void **state) {
    (void)state;
    for (int turned = 0; turned < 2; turned++) {
        char *bytes[2] = {NULL, NULL};
        for (unsigned threads = 1; threads <= 2; threads++) {
            rig r;
            rig_begin(&r, "1", "4", NULL);
            r.algorithm = HK_GAUSS_SEIDEL;
            uint32_t slow = rig_add(&r, "slow", &drawer_type, "2", NULL);
            uint32_t fast = rig_add(&r, "fast", &drawer_type, NULL, NULL);
            uint32_t from = rig_add(&r, "teller", &teller_type, "4", NULL);
            rig_add(&r, "cnt", &cnt_type, NULL, NULL);
            require(&r, slow, &from, 1);
            require(&r, fast, &from, 1);
            if (turned)
                rig_connect(&r, "fast.y", "slow.u");
            rig_record(&r, "slow.y");
            rig_record(&r, "fast.y");
            r.options.threads = threads;
            r.options.threads_always = threads > 1;
            assert_int_equal(rig_run(&r), HK_OK);
            /* at 0: 101 and 102, at 1: 103, at 2: 104 and 105, at 3: 106 */
            static const double first[] = {0, 0, 101, 101, 104}, second[] = {0, 102, 103, 105, 106};
            static const double late[] = {0, 0, 102, 102, 105}, soon[] = {0, 101, 103, 104, 106};
            for (size_t i = 0; i < 5; i++) {
                assert_exactly(rig_f64(&r, i, 0), turned ? late[i] : first[i]);
                assert_exactly(rig_f64(&r, i, 1), turned ? soon[i] : second[i]);
            }
            bytes[threads - 1] = hk_alloc(r.rows * r.row_size);
            memcpy(bytes[threads - 1], r.cells, r.rows * r.row_size);
            if (threads == 2)
                assert_memory_equal(bytes[0], bytes[1], r.rows * r.row_size);
            rig_end(&r);
        }
        hk_free(bytes[0]);
        hk_free(bytes[1]);
    }
}

/* What the last step of the teller has published, whatever was drawn since. */
static hk_tick look_at_teller(void *user, hk_sim *sim, hk_tick now) {
    const void *data = NULL;
    double n;
    assert_int_equal(hk_access_read(hk_sim_access(sim, 0, 0), &data), HK_OK);
    memcpy(&n, data, sizeof n);
    assert_exactly(n, 201);
    *(bool *)user = true;
    (void)now;
    return HK_TICK_NEVER;
}

/* A call changes an output of its provider: what others and the record see is what the provider has
 * published at the end of its own step, whether they look at once, later, or how often. */
static void published(void **state) {
    (void)state;
    for (unsigned variant = 0; variant < 8; variant++) {
        bool looked = false, fine = variant & 1, seen = variant & 2;
        rig r;
        rig_begin(&r, "1", "4", fine ? "0.5" : "1");
        r.algorithm = HK_GAUSS_SEIDEL;
        uint32_t from = rig_add(&r, "teller", &teller_type, NULL, NULL);
        uint32_t to = rig_add(&r, "drawer", &drawer_type, NULL, NULL);
        rig_add(&r, "now", &hold_type, NULL, NULL);
        rig_add(&r, "late", &hold_type, NULL, NULL);
        require(&r, to, &from, 1);
        rig_connect(&r, "drawer.y", "now.v"); /* it comes after who draws */
        if (seen) {
            rig_connect(&r, "teller.n", "now.u");
            rig_connect(&r, "teller.n", "late.u")->lag = HK_LAG_PREVIOUS;
        }
        rig_record(&r, "now.kept");
        rig_record(&r, "late.kept");
        rig_record(&r, "drawer.y");
        if (variant & 4)
            rig_record(&r, "teller.n");
        r.listener.hook = (hk_hook){look_at_teller, &looked, fine ? 4 : 2};
        r.options.monitor = HK_MONITOR_VALUES;
        assert_int_equal(rig_run(&r), HK_OK);
        assert_true(looked);
        static const double n[] = {0, 100, 201, 302, 403}, late[] = {0, 0, 100, 201, 302};
        static const double drawn[] = {0, 101, 202, 303, 404};
        for (size_t i = 0; i < r.rows; i++) {
            size_t t = fine ? i / 2 : i;
            assert_exactly(rig_f64(&r, i, 0), seen ? n[t] : 0);
            assert_exactly(rig_f64(&r, i, 1), seen ? late[t] : 0);
            assert_exactly(rig_f64(&r, i, 2), drawn[t]);
            if (variant & 4)
                assert_exactly(rig_f64(&r, i, 3), n[t]);
        }
        rig_end(&r);
    }
}

/* A state in a file holds what was published, and not what has become of it. */
static void published_in_states(void **state) {
    const fixture *f = *state;
    for (int resumed = 0; resumed < 2; resumed++) {
        rig r;
        rig_begin(&r, "1", "4", NULL);
        r.algorithm = HK_GAUSS_SEIDEL;
        uint32_t from = rig_add(&r, "teller", &teller_type, "2", NULL);
        uint32_t to = rig_add(&r, "drawer", &drawer_type, NULL, NULL);
        rig_add(&r, "late", &hold_type, NULL, NULL);
        require(&r, to, &from, 1);
        rig_connect(&r, "teller.n", "late.u");
        rig_record(&r, "late.kept");
        rig_record(&r, "drawer.y");
        if (resumed) {
            hk_snapshot *snapshot = NULL;
            assert_int_equal(rig_start(&r), HK_OK);
            assert_int_equal(hk_snapshot_read(r.sim, f->path, &snapshot), HK_OK);
            assert_int_equal(hk_sim_restore(r.sim, snapshot), HK_OK);
            hk_snapshot_destroy(r.sim, snapshot);
            assert_int_equal(hk_sim_run(r.sim), HK_OK);
        } else {
            run_and_save(&r, 1, f->path);
        }
        /* 101 is drawn before the state is saved */
        static const double held[] = {0, 100, 100, 202, 202}, drawn[] = {0, 101, 102, 203, 204};
        assert_int_equal(r.rows, resumed ? 4 : 5);
        for (size_t i = 0; i < r.rows; i++) {
            assert_exactly(rig_f64(&r, i, 0), held[i + (size_t)resumed]);
            assert_exactly(rig_f64(&r, i, 1), drawn[i + (size_t)resumed]);
        }
        rig_end(&r);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(callers_in_order),
        cmocka_unit_test(published),
        cmocka_unit_test_setup_teardown(published_in_states, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
