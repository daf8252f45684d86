/* SPDX-License-Identifier: MIT
 *
 * Parameters that components share, set by a program: where they are owned, for all. */
#include "api/test_rig.h"

#include <stdlib.h>
#include <unistd.h>

/* c.offset may change during the run, i.start is fixed. */
static const char shares[] = "system shares { composite all {\n"
                             "leaf c : hk.Gain { period 1s; param gain = 1; }\n"
                             "leaf d : hk.Gain { period 1s; param gain = 1; }\n"
                             "leaf i : hk.Integrator { period 1s; }\n"
                             "leaf j : hk.Integrator { period 1s; }\n"
                             "share c.offset -> d.offset lag previous;\n"
                             "share i.start -> j.start;\n"
                             "} }\n";

static void open_shares(rig *r) {
    char path[] = "/tmp/hk_shares_XXXXXX.system";
    int fd = mkstemps(path, 7);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, shares, sizeof shares - 1), sizeof shares - 1);
    close(fd);
    *r = (rig){0};
    OK(hk_context_create(&r->context));
    OK(hk_system_open(r->context, path, &r->system));
    OK(hk_system_set_times(r->system, 0, 8, 1));
    unlink(path);
}

static void before_a_run(void **state) {
    (void)state;
    rig r;
    double two = 2;
    open_shares(&r);
    assert_int_equal(hk_system_set_text(r.system, "d.offset", "3"), HK_E_PARAMETER);
    assert_string_equal(last_message(&r).text,
                        "'d.offset' has the value of 'c.offset' and cannot have one of its own");
    assert_int_equal(hk_system_set_f64(r.system, "j.start", &two, 1), HK_E_PARAMETER);
    OK(hk_system_set_f64(r.system, "c.offset", &two, 1));
    OK(hk_system_set_text(r.system, "i.start", "4"));
    OK(hk_system_set_text(r.system, "i.start", "5"));
    OK(hk_session_create(r.system, NULL, &r.session));
    OK(hk_session_advance(r.session, 1));
    assert_true(number(r.session, "c.y") == 2 && number(r.session, "d.y") == 2);
    assert_true(number(r.session, "i.y") == 5 && number(r.session, "j.y") == 5);
    rig_end(&r);
}

/* What comes from outside is for all that share it, whatever the lag. */
static void during_a_run(void **state) {
    (void)state;
    rig r;
    hk_var owner, follower;
    double three = 3;
    open_shares(&r);
    OK(hk_session_create(r.system, NULL, &r.session));
    OK(hk_session_var(r.session, "c.offset", &owner));
    OK(hk_session_var(r.session, "d.offset", &follower));
    OK(hk_session_advance(r.session, 2));
    assert_int_equal(hk_session_set_f64(r.session, follower, &three, 1), HK_E_PARAMETER);
    assert_string_equal(last_message(&r).text,
                        "'d.offset' has the value of 'c.offset' and cannot have one of its own");
    OK(hk_session_advance(r.session, 4));
    assert_true(number(r.session, "c.y") == 0 && number(r.session, "d.y") == 0);
    OK(hk_session_set_f64(r.session, owner, &three, 1));
    OK(hk_session_advance(r.session, 5));
    assert_true(number(r.session, "c.y") == 3 && number(r.session, "d.y") == 3);
    rig_end(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(before_a_run),
        cmocka_unit_test(during_a_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
