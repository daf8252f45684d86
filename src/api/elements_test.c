/* SPDX-License-Identifier: MIT
 *
 * Elements of arrays in terms of the public API. */
#include "api/test_rig.h"

typedef struct pair {
    double in[3], out[3];
    hk_bytes names[2], last[2];
} pair;

static const hk_port pair_ports[] = {
    HK_PORT(pair, in, HK_INPUT, HK_TYPE_F64, .count = 3, .unit = "m", .start = "1 2 3"),
    HK_PORT(pair, out, HK_OUTPUT, HK_TYPE_F64, .count = 3, .unit = "cm", .depends_on = ""),
    HK_PORT(pair, names, HK_INPUT, HK_TYPE_STRING, .count = 2, .start = "one \"two 2\""),
    HK_PORT(pair, last, HK_OUTPUT, HK_TYPE_STRING, .count = 2, .depends_on = ""),
};

static int pair_step(void *self, double t, double h) {
    pair *x = self;
    (void)t;
    (void)h;
    for (int i = 0; i < 3; i++)
        x->out[i] = 2 * x->in[i];
    memcpy(x->last, x->names, sizeof x->last);
    return HK_STEP_OK;
}

static const hk_unit_type pair_type = {HK_UNIT_TYPE(pair), .ports = pair_ports,
                                       .port_count = sizeof pair_ports / sizeof *pair_ports,
                                       .step = pair_step};

static void begin(rig *r) {
    *r = (rig){0};
    OK(hk_context_create(&r->context));
    OK(hk_system_create(r->context, "test", &r->system));
    OK(hk_system_register(r->system, &pair_type));
    OK(hk_system_add_native(r->system, "a", "pair"));
    OK(hk_system_add_native(r->system, "b", "pair"));
    OK(hk_system_set_times(r->system, 0, 1, 0.1));
}

static const char *text(hk_session *session, const char *name) {
    hk_var var;
    const char *value;
    OK(hk_session_var(session, name, &var));
    OK(hk_session_get_text(session, var, &value, 1));
    return value;
}

/* Two of three elements are driven, one of them in another unit; the third keeps its start value.
 */
static void test_connections(void **state) {
    (void)state;
    rig r;
    hk_var whole;
    double values[3];
    begin(&r);
    OK(hk_system_connect(r.system, "a.out[3]", "b.in[1]", NULL));
    OK(hk_system_connect(r.system, "a.out[1]", "b.in[3]",
                         &(hk_link_options){.size = sizeof(hk_link_options), .factor = 100}));
    OK(hk_system_connect(r.system, "a.last[1]", "b.names[2]", NULL));
    OK(hk_system_set_text(r.system, "b.in[2]", "5 km"));
    OK(hk_session_create(r.system, NULL, &r.session));
    OK(hk_session_finish(r.session));
    OK(hk_session_var(r.session, "b.in", &whole));
    OK(hk_session_get_f64(r.session, whole, values, 3));
    assert_true(values[0] == 0.06 && values[1] == 5000 && values[2] == 2);
    assert_true(number(r.session, "b.in[3]") == 2);
    assert_string_equal(text(r.session, "b.last[2]"), "one");
    assert_string_equal(text(r.session, "b.last[1]"), "one");
    assert_int_equal(hk_session_set_f64(r.session, whole, values, 3), HK_E_PARAMETER);
    rig_end(&r);
}

static void test_start_values(void **state) {
    (void)state;
    rig r;
    const char *const names[] = {"a \"quoted\" one", ""};
    begin(&r);
    OK(hk_system_set_texts(r.system, "a.names", names, 2));
    OK(hk_system_set_texts(r.system, "b.names", names, 1));
    OK(hk_system_set_texts(r.system, "b.names[2]", names + 1, 1));
    OK(hk_system_set_f64(r.system, "a.in[2]", &(double){0.1}, 1));
    assert_int_equal(hk_system_set_texts(r.system, "a.names", names, 3), HK_E_VALUE);
    assert_int_equal(hk_system_set_text(r.system, "a.in[4]", "1"), HK_E_UNKNOWN_SIGNAL);
    OK(hk_session_create(r.system, NULL, &r.session));
    OK(hk_session_finish(r.session));
    assert_string_equal(text(r.session, "a.last[1]"), names[0]);
    assert_string_equal(text(r.session, "a.last[2]"), "");
    assert_string_equal(text(r.session, "b.last[1]"), names[0]);
    assert_string_equal(text(r.session, "b.last[2]"), "");
    assert_true(number(r.session, "a.in[2]") == 0.1);
    assert_true(number(r.session, "a.in[1]") == 1);
    rig_end(&r);
}

static void test_by_hand(void **state) {
    (void)state;
    rig r;
    hk_var second, whole, name;
    double values[3], one = 7;
    const char *word = "new";
    hk_variable_info about = {.size = sizeof about};
    begin(&r);
    OK(hk_session_create(r.system, NULL, &r.session));
    OK(hk_session_var(r.session, "a.in[2]", &second));
    OK(hk_session_var(r.session, "a.in", &whole));
    OK(hk_session_var(r.session, "a.names[1]", &name));
    OK(hk_session_describe(r.session, second, &about));
    assert_true(about.count == 1 && about.dim_count == 0 && about.item_count == 0);
    OK(hk_session_describe(r.session, whole, &about));
    assert_true(about.count == 3 && about.dim_count == 1 && about.dims[0] == 3);
    OK(hk_session_set_f64(r.session, second, &one, 1));
    OK(hk_session_set_text(r.session, name, &word, 1));
    assert_int_equal(hk_session_set_f64(r.session, second, values, 3), HK_E_VALUE);
    OK(hk_session_step(r.session, 2));
    OK(hk_session_get_f64(r.session, whole, values, 3));
    assert_true(values[0] == 1 && values[1] == 7 && values[2] == 3);
    assert_true(number(r.session, "a.out[2]") == 14);
    assert_string_equal(text(r.session, "a.last[1]"), "new");
    assert_string_equal(text(r.session, "a.last[2]"), "two 2");
    hk_var out;
    OK(hk_session_var(r.session, "a.out[1]", &out));
    assert_int_equal(hk_session_set_f64(r.session, out, &one, 1), HK_E_PARAMETER);
    assert_int_equal(hk_session_set_item(r.session, second, &word, 1), HK_E_VALUE);
    assert_int_equal(hk_session_get_item(r.session, second, &word, 1), HK_E_VALUE);
    rig_end(&r);
}

/* What a check found can be put right. */
static void test_repair(void **state) {
    (void)state;
    rig r;
    hk_system *none = NULL;
    begin(&r);
    assert_int_equal(hk_system_open(r.context, NULL, &none), HK_E_USAGE);
    assert_string_equal(last_message(&r).text, "the path of the system is NULL");
    hk_system_destroy(r.system);
    OK(hk_system_create(r.context, "empty", &r.system));
    assert_int_equal(hk_system_check(r.system), HK_E_CHECK_FAILED);
    OK(hk_system_register(r.system, &pair_type));
    OK(hk_system_add_native(r.system, "a", "pair"));
    OK(hk_system_add_native(r.system, "b", "pair"));
    OK(hk_system_connect(r.system, "a.out", "b.in", NULL));
    OK(hk_system_check(r.system));
    OK(hk_system_check(r.system)); /* units are converted once */
    OK(hk_session_create(r.system, NULL, &r.session));
    OK(hk_session_finish(r.session));
    assert_true(number(r.session, "b.in[1]") == 0.02);
    rig_end(&r);
}

static void test_conditions(void **state) {
    (void)state;
    rig r;
    const char *when = "a.out[3] > 5 cm", *array = "a.out > 5";
    begin(&r);
    hk_session_options options = {
        .size = sizeof options, .stop_when = &array, .stop_when_count = 1};
    assert_int_equal(hk_session_create(r.system, &options, &r.session), HK_E_USAGE);
    options.stop_when = &when;
    OK(hk_session_create(r.system, &options, &r.session));
    OK(hk_session_finish(r.session));
    assert_true(hk_session_done(r.session) && hk_session_time(r.session) < 0.5);
    assert_non_null(hk_session_end_reason(r.session));
    rig_end(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_connections), cmocka_unit_test(test_start_values),
        cmocka_unit_test(test_by_hand),     cmocka_unit_test(test_repair),
        cmocka_unit_test(test_conditions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
