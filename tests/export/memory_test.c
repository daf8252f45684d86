/* SPDX-License-Identifier: MIT
 *
 * The shell of exported FMUs, linked into a test so that sanitizers see it: wrong arguments, states
 * cut short, initialization over and over. What values it gives is tested through FMPy. */
#include "fmi/fmi2_export.h"
#include "native/native.h"
#include "shell_core.h"

#include <stdlib.h>
#include <string.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { PORTS_MAX = 64 };

static const void *starts[PORTS_MAX];
static size_t port_count;
static unsigned logged;

/* Instead of the generated file; the number of ports is known when the test runs. */
extern const hk_unit_type *const *hk_plugin(void);
#define PORTS 42
const hk_shell_model hk_shell_data = {
    .type = "everything", .guid = "{1}", .types = hk_plugin, .starts = starts, .port_count = PORTS};

static void count_message(fmi2ComponentEnvironment environment, fmi2String instance,
                          fmi2Status status, fmi2String category, fmi2String message, ...) {
    (void)environment;
    (void)message;
    assert_non_null(instance);
    assert_int_equal(status, fmi2Error);
    assert_string_equal(category, "logStatusError");
    logged++;
}

typedef struct fixture {
    hk_ctx *ctx;
    hk_model *model;
    const hk_info *info;
    fmi2Component c;
} fixture;

static fmi2Component make(const char *name, const char *guid, fmi2Type type) {
    const fmi2CallbackFunctions callbacks = {.logger = count_message};
    return fmi2Instantiate(name, type, guid, NULL, &callbacks, fmi2False, fmi2False);
}

static int set_up(void **state) {
    fixture *f = hk_alloc(sizeof *f);
    f->ctx = hk_ctx_create(NULL, NULL);
    f->model = hk_model_create("m", NULL);
    if (hk_native_info(f->ctx, f->model, hk_plugin()[0], &f->info) != HK_OK)
        return -1;
    port_count = f->info->variable_count;
    for (size_t i = 0; i < port_count; i++)
        starts[i] = f->info->variables[i].start.data;
    f->c = make("x", "{1}", fmi2CoSimulation);
    logged = 0;
    *state = f;
    return f->c && port_count == PORTS ? 0 : -1;
}

static int tear_down(void **state) {
    fixture *f = *state;
    fmi2FreeInstance(f->c);
    hk_model_destroy(f->model);
    hk_ctx_destroy(f->ctx);
    hk_free(f);
    return 0;
}

/* The value reference of a variable: arrays have one per element. */
static fmi2ValueReference ref_of(const fixture *f, const char *name) {
    fmi2ValueReference ref = 0;
    for (size_t i = 0; i < port_count; i++) {
        if (strcmp(f->info->variables[i].name, name) == 0)
            return ref;
        ref += (fmi2ValueReference)f->info->variables[i].count;
    }
    fail_msg("there is no '%s'", name);
    return ref;
}

static void begin(fixture *f) {
    assert_int_equal(fmi2SetupExperiment(f->c, fmi2False, 0, 0, fmi2False, 0), fmi2OK);
    assert_int_equal(fmi2EnterInitializationMode(f->c), fmi2OK);
}

static void test_wrong_arguments(void **state) {
    fixture *f = *state;
    fmi2ValueReference ref = 0;
    double value = 0;
    assert_null(make("", "{1}", fmi2CoSimulation));
    assert_null(make(NULL, "{1}", fmi2CoSimulation));
    assert_null(make("x", NULL, fmi2CoSimulation));
    assert_null(make("x", "{2}", fmi2CoSimulation));
    assert_null(make("x", "{1}", fmi2ModelExchange));
    assert_int_equal(logged, 5);
    assert_null(fmi2Instantiate("x", fmi2CoSimulation, "{2}", NULL, NULL, 0, 0));
    fmi2FreeInstance(NULL);
    assert_int_equal(fmi2DoStep(NULL, 0, 1, fmi2True), fmi2Error);
    assert_int_equal(fmi2GetReal(NULL, &ref, 1, &value), fmi2Error);
    assert_int_equal(fmi2EnterInitializationMode(f->c), fmi2Error);
    begin(f);
    assert_int_equal(fmi2GetReal(f->c, NULL, 1, &value), fmi2Error);
    assert_int_equal(fmi2GetReal(f->c, &ref, 1, NULL), fmi2Error);
    assert_int_equal(fmi2GetReal(f->c, NULL, 0, NULL), fmi2OK);
    assert_int_equal(fmi2SetString(f->c, &ref, 1, NULL), fmi2Error);
    const char *nothing = NULL;
    ref = ref_of(f, "text_in");
    assert_int_equal(fmi2SetString(f->c, &ref, 1, &nothing), fmi2Error);
    assert_int_equal(fmi2SetDebugLogging(f->c, fmi2True, 1, &nothing), fmi2Error);
    const char *all = "logAll";
    assert_int_equal(fmi2SetDebugLogging(f->c, fmi2True, 1, &all), fmi2OK);
    assert_int_equal(fmi2SetFMUstate(f->c, NULL), fmi2Error);
    assert_int_equal(fmi2GetFMUstate(f->c, NULL), fmi2Error);
    assert_int_equal(fmi2FreeFMUstate(f->c, NULL), fmi2OK);
    assert_int_equal(fmi2CancelStep(f->c), fmi2Error);
    assert_int_equal(fmi2EnterEventMode(f->c), fmi2Error);
    assert_int_equal(fmi2SetTime(f->c, 1), fmi2Error);
    assert_int_equal(fmi2GetDerivatives(f->c, &value, 1), fmi2Error);
    assert_int_equal(fmi2GetDerivatives(NULL, &value, 1), fmi2Error);
    double nan = strtod("nan", NULL);
    assert_int_equal(fmi2ExitInitializationMode(f->c), fmi2OK);
    assert_int_equal(fmi2DoStep(f->c, nan, 1, fmi2True), fmi2Error);
    assert_int_equal(fmi2DoStep(f->c, 0, nan, fmi2True), fmi2Error);
    assert_int_equal(fmi2DoStep(f->c, 0, -1, fmi2True), fmi2Error);
    assert_int_equal(fmi2DoStep(f->c, 0, 1, fmi2True), fmi2OK);
}

static void test_initialized_again(void **state) {
    fixture *f = *state;
    const fmi2ValueReference refs[] = {ref_of(f, "gain"), ref_of(f, "scaled")};
    const fmi2ValueReference texts[] = {ref_of(f, "text_in"), ref_of(f, "text_in_v")};
    const fmi2ValueReference inits = ref_of(f, "inits");
    const char *words[] = {"one", "a longer one"};
    for (int round = 0; round < 3; round++) {
        begin(f);
        for (int i = 1; i < 5; i++) {
            double gain = i, scaled = 0;
            int count = 0;
            assert_int_equal(fmi2SetString(f->c, texts, 2, words), fmi2OK);
            assert_int_equal(fmi2SetReal(f->c, refs, 1, &gain), fmi2OK);
            assert_int_equal(fmi2GetReal(f->c, refs + 1, 1, &scaled), fmi2OK);
            assert_int_equal(fmi2GetInteger(f->c, &inits, 1, &count), fmi2OK);
            assert_true(scaled == 10.0 * i);
            assert_int_equal(count, 1);
        }
        double bad = -1, unread;
        assert_int_equal(fmi2SetReal(f->c, refs, 1, &bad), fmi2OK);
        assert_int_equal(fmi2GetReal(f->c, refs + 1, 1, &unread), fmi2Error);
        assert_int_equal(fmi2ExitInitializationMode(f->c), fmi2Error);
        assert_int_equal(fmi2Terminate(f->c), fmi2Error);
        assert_int_equal(fmi2Reset(f->c), fmi2OK);
    }
}

/* Saved in initialization mode, a state also knows what init is to see when it is called again. */
static void test_state_while_initializing(void **state) {
    fixture *f = *state;
    const fmi2ValueReference gain = ref_of(f, "gain"), text = ref_of(f, "text_in");
    const fmi2ValueReference out = ref_of(f, "text_out"), inits = ref_of(f, "inits");
    const char *word = "kept", *other = "other", *got = NULL;
    double three = 3;
    int count = 0;
    fmi2FMUstate kept = NULL, read = NULL;
    size_t size = 0;
    begin(f);
    assert_int_equal(fmi2SetString(f->c, &text, 1, &word), fmi2OK);
    assert_int_equal(fmi2GetFMUstate(f->c, &kept), fmi2OK);
    assert_int_equal(fmi2GetFMUstate(f->c, &kept), fmi2OK);
    assert_int_equal(fmi2SetString(f->c, &text, 1, &other), fmi2OK);
    assert_int_equal(fmi2SerializedFMUstateSize(f->c, kept, &size), fmi2OK);
    char *bytes = hk_alloc(size), *small = hk_alloc(size);
    assert_int_equal(fmi2SerializeFMUstate(f->c, kept, bytes, size - 1), fmi2Error);
    assert_int_equal(fmi2SerializeFMUstate(f->c, kept, bytes, size), fmi2OK);
    for (size_t cut = 0; cut < size; cut++) {
        char *part = hk_alloc(cut + 1);
        memcpy(part, bytes, cut);
        assert_int_equal(fmi2DeSerializeFMUstate(f->c, part, cut, &read), fmi2Error);
        hk_free(part);
    }
    assert_null(read);
    assert_int_equal(fmi2DeSerializeFMUstate(f->c, bytes, size, &read), fmi2OK);
    assert_int_equal(fmi2Reset(f->c), fmi2OK);
    assert_int_equal(fmi2SetFMUstate(f->c, read), fmi2OK);
    assert_int_equal(fmi2SetReal(f->c, &gain, 1, &three), fmi2OK);
    assert_int_equal(fmi2GetString(f->c, &out, 1, &got), fmi2OK);
    assert_string_equal(got, "kept");
    assert_int_equal(fmi2GetInteger(f->c, &inits, 1, &count), fmi2OK);
    assert_int_equal(count, 1);
    assert_int_equal(fmi2SerializeFMUstate(f->c, read, small, size), fmi2OK);
    assert_memory_equal(bytes, small, size);
    assert_int_equal(fmi2FreeFMUstate(f->c, &kept), fmi2OK);
    assert_int_equal(fmi2FreeFMUstate(f->c, &read), fmi2OK);
    assert_null(read);
    hk_free(bytes);
    hk_free(small);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_wrong_arguments, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_initialized_again, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_state_while_initializing, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
