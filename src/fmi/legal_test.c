/* SPDX-License-Identifier: MIT
 *
 * Every call in every state of the standards, with FMUs that know their own state
 * (tests/fmus/mock): what the standard allows is called, what it forbids never reaches the FMU.
 * States are reached by the calls that lead there; each call is tried on an instance of its own. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "fmi/fmi1_unit.h"
#include "fmi/fmi2_unit.h"
#include "fmi/fmi3_unit.h"
#include "mock_book.h"

#include <stdio.h>
#include <string.h>

/* What a call is called by each version; NULL: it has no such function. */
static const char *const functions[3][HK_FMI_CALLS] = {
    {[HK_FMI_EXIT_INIT] = "InitializeSlave",
     [HK_FMI_SET] = "SetReal",
     [HK_FMI_GET] = "GetReal",
     [HK_FMI_SET_DERIVATIVE] = "SetRealInputDerivatives",
     [HK_FMI_GET_DERIVATIVE] = "GetRealOutputDerivatives",
     [HK_FMI_STEP] = "DoStep",
     [HK_FMI_CANCEL] = "CancelStep",
     [HK_FMI_STEP_STATUS] = "GetRealStatus",
     [HK_FMI_TERMINATE] = "TerminateSlave",
     [HK_FMI_RESET] = "ResetSlave",
     [HK_FMI_FREE] = "FreeSlaveInstance",
     [HK_FMI_STATE_GET] = "GetState",
     [HK_FMI_STATE_SET] = "SetState",
     [HK_FMI_STATE_OTHER] = "LoadState"},
    {[HK_FMI_SETUP] = "SetupExperiment",
     [HK_FMI_ENTER_INIT] = "EnterInitializationMode",
     [HK_FMI_EXIT_INIT] = "ExitInitializationMode",
     [HK_FMI_SET] = "SetReal",
     [HK_FMI_GET] = "GetReal",
     [HK_FMI_SET_DERIVATIVE] = "SetRealInputDerivatives",
     [HK_FMI_GET_DERIVATIVE] = "GetRealOutputDerivatives",
     [HK_FMI_STEP] = "DoStep",
     [HK_FMI_CANCEL] = "CancelStep",
     [HK_FMI_STEP_STATUS] = "GetRealStatus",
     [HK_FMI_TERMINATE] = "Terminate",
     [HK_FMI_RESET] = "Reset",
     [HK_FMI_FREE] = "FreeInstance",
     [HK_FMI_STATE_GET] = "GetFMUstate",
     [HK_FMI_STATE_SET] = "SetFMUstate",
     [HK_FMI_STATE_OTHER] = "DeSerializeFMUstate"},
    {[HK_FMI_ENTER_INIT] = "EnterInitializationMode",
     [HK_FMI_EXIT_INIT] = "ExitInitializationMode",
     [HK_FMI_ENTER_CONFIG] = "EnterConfigurationMode",
     [HK_FMI_EXIT_CONFIG] = "ExitConfigurationMode",
     [HK_FMI_ENTER_EVENT] = "EnterEventMode",
     [HK_FMI_SET] = "SetFloat64",
     [HK_FMI_SET_STRUCTURE] = "SetUInt64",
     [HK_FMI_GET] = "GetFloat64",
     [HK_FMI_GET_DERIVATIVE] = "GetOutputDerivatives",
     [HK_FMI_STEP] = "DoStep",
     [HK_FMI_TERMINATE] = "Terminate",
     [HK_FMI_RESET] = "Reset",
     [HK_FMI_FREE] = "FreeInstance",
     [HK_FMI_STATE_GET] = "GetFMUState",
     [HK_FMI_STATE_SET] = "SetFMUState",
     [HK_FMI_STATE_OTHER] = "DeserializeFMUState"},
};

static hk_ctx *ctx;
static hk_fmu *fmu;
static hk_unit *unit;
static const hk_unit_class *k;
static int version;
static hk_library *library; /* stays loaded, and with it the book */
static mock_book *book;
static bool (*allows)(const char *function);

static hk_instance *in(void) {
    return (hk_instance *)unit;
}

static const hk_fmi1_functions *f1(void) {
    return &((hk_fmi1_unit *)unit)->f;
}

static const hk_fmi2_functions *f2(void) {
    return &((hk_fmi2_unit *)unit)->f;
}

static const hk_fmi3_functions *f3(void) {
    return &((hk_fmi3_unit *)unit)->f;
}

static void open_unit(void) {
    static const hk_unit_options options = {.name = "mock"};
    assert_int_equal(k->open(ctx, hk_fmu_info(fmu), &options, &unit), HK_OK);
}

static void begin(int which) {
    static const hk_visitor visitor = {.file = "mock", .instance = "mock", .when = ""};
    char name[512];
    const char *path;
    version = which;
    ctx = hk_ctx_create(NULL, NULL);
    snprintf(name, sizeof name, "%s/mock%d.fmu", HK_FMU_DIR, which);
    assert_int_equal(hk_fmu_open(ctx, name, &fmu), HK_OK);
    k = hk_fmu_info(fmu)->unit_class;
    hk_arena *arena = hk_arena_create();
    assert_int_equal(hk_fmu_unpack(ctx, fmu), HK_OK);
    assert_int_equal(hk_fmu_binary(ctx, fmu, arena, &path), HK_OK);
    assert_int_equal(hk_library_open(ctx, &visitor, path, &library), HK_OK);
    hk_arena_destroy(arena);
    book = ((mock_book * (*)(void)) hk_library_find(library, "mock_open"))();
    allows = (bool (*)(const char *))hk_library_find(library, "mock_allows");
}

static void end(void) {
    hk_library_close(library);
    hk_fmu_close(fmu);
    hk_ctx_destroy(ctx);
}

/* ---- calls ---- */

static int exchange(bool get) {
    static double value;
    uint32_t variable = hk_info_find(hk_fmu_info(fmu), get ? "y" : "u");
    hk_call call;
    hk_status status = get ? k->bind_get(ctx, unit, &variable, 1, &value, &call)
                           : k->bind_set(ctx, unit, &variable, 1, &value, &call);
    assert_int_equal(status, HK_OK);
    return call.shape == HK_SHAPE_REFS
               ? call.fn.refs(call.self, call.refs, call.n, call.values)
               : call.fn.refs_sized(call.self, call.refs, call.n, call.values, call.value_count);
}

static int step_once(void) {
    hk_step_call call;
    k->bind_step(unit, &call);
    if (call.shape == HK_STEP_FLAGGED)
        return call.fn.flagged(call.self, 0, 1, call.flag);
    hk_step_report *r = call.report;
    return call.fn.reported(call.self, 0, 1, call.flag, (bool *)&r->event_needed,
                            (bool *)&r->terminate, (bool *)&r->early, &r->last_time);
}

/* A call that hocket has no use for: what it would do if it had. */
static void call_directly(hk_fmi_call call) {
    void *c = in()->component;
    double x = 0;
    uint64_t n = 2;
    uint32_t ref = 0;
    int order = 1;
    if (hk_instance_may(ctx, in(), call, functions[version - 1][call]) != HK_OK ||
        !hk_fmi_legal(version, in()->phase, call, book->set_since_step))
        return;
    switch (call) {
    case HK_FMI_SETUP:
        f2()->SetupExperiment(c, 0, 0, 0, 0, 0);
        break;
    case HK_FMI_ENTER_CONFIG:
        f3()->EnterConfigurationMode(c);
        in()->phase =
            in()->phase == HK_PHASE_STEPPING ? HK_PHASE_RECONFIGURING : HK_PHASE_CONFIGURING;
        break;
    case HK_FMI_EXIT_CONFIG:
        f3()->ExitConfigurationMode(c);
        in()->phase =
            in()->phase == HK_PHASE_RECONFIGURING ? HK_PHASE_STEPPING : HK_PHASE_INSTANTIATED;
        break;
    case HK_FMI_ENTER_EVENT:
        f3()->EnterEventMode(c);
        break;
    case HK_FMI_SET_STRUCTURE:
        f3()->SetUInt64(c, &ref, 1, &n, 1);
        break;
    case HK_FMI_SET_DERIVATIVE:
        (void)(version == 1 ? f1()->SetRealInputDerivatives(c, &ref, 1, &order, &x)
                            : (int)f2()->SetRealInputDerivatives(c, &ref, 1, &order, &x));
        break;
    case HK_FMI_GET_DERIVATIVE:
        (void)(version == 1   ? (int)f1()->GetRealOutputDerivatives(c, &ref, 1, &order, &x)
               : version == 2 ? (int)f2()->GetRealOutputDerivatives(c, &ref, 1, &order, &x)
                              : (int)f3()->GetOutputDerivatives(c, &ref, 1, &order, &x, 1));
        break;
    case HK_FMI_CANCEL:
        (void)(version == 1 ? (int)f1()->CancelStep(c) : (int)f2()->CancelStep(c));
        in()->phase = HK_PHASE_CANCELED;
        break;
    case HK_FMI_STEP_STATUS:
        (void)(version == 1 ? (int)f1()->GetRealStatus(c, 0, &x)
                            : (int)f2()->GetRealStatus(c, 0, &x));
        break;
    default:
        (void)(version == 1   ? (int)f1()->ResetSlave(c)
               : version == 2 ? (int)f2()->Reset(c)
                              : (int)f3()->Reset(c));
        in()->phase = HK_PHASE_INSTANTIATED;
        break;
    }
}

static void set_a_start(void) {
    double zero = 0;
    const hk_value value = {HK_TYPE_F64, 1, &zero};
    (void)k->set_start(ctx, unit, hk_info_find(hk_fmu_info(fmu), "p"), &value);
}

static void try_call(hk_fmi_call call) {
    void *state = &version;
    switch (call) {
    case HK_FMI_ENTER_INIT:
        (void)k->enter_init(ctx, unit);
        break;
    case HK_FMI_EXIT_INIT:
        (void)(version == 1 ? k->refresh(ctx, unit, 0) : k->exit_init(ctx, unit));
        break;
    case HK_FMI_SET:
        if (in()->phase == HK_PHASE_INSTANTIATED)
            set_a_start();
        else if (k->may(ctx, unit, HK_UNIT_SET, book->set_since_step) == HK_OK)
            (void)exchange(false);
        break;
    case HK_FMI_GET:
        if (k->may(ctx, unit, HK_UNIT_GET, book->set_since_step) == HK_OK)
            (void)exchange(true);
        break;
    case HK_FMI_STEP:
        if (k->may(ctx, unit, HK_UNIT_STEP, book->set_since_step) == HK_OK)
            (void)step_once();
        break;
    case HK_FMI_TERMINATE:
        (void)k->terminate(ctx, unit);
        break;
    case HK_FMI_FREE:
        k->close(unit);
        unit = NULL;
        break;
    case HK_FMI_STATE_GET:
        state = NULL;
        (void)k->state_get(ctx, unit, &state);
        break;
    case HK_FMI_STATE_SET:
        (void)k->state_set(ctx, unit, state);
        break;
    case HK_FMI_STATE_OTHER:
        (void)k->state_load(ctx, unit, "", 0, &state);
        break;
    default:
        call_directly(call);
        break;
    }
}

/* ---- states ---- */

static hk_fmi_call call_under_test;
static size_t pairs, made;

/* The call is made exactly if the FMU's own state allows it. */
static void check_call(void) {
    const char *name = functions[version - 1][call_under_test];
    hk_phase phase = in()->phase;
    if (!name) {
        assert_false(hk_instance_legal(in(), call_under_test));
        return;
    }
    bool must = allows(name);
    unsigned calls = book->calls;
    try_call(call_under_test);
    bool reached = book->calls > calls && strcmp(book->newest, name) == 0;
    if (reached != must || book->illegal)
        fail_msg("FMI %d: %s in state %c (%d): %s, %u illegal", version, name, book->state,
                 (int)phase, reached ? "called" : "not called", book->illegal);
    pairs++;
    made += reached;
}

static void to_stepping(void) {
    open_unit();
    assert_int_equal(k->enter_init(ctx, unit), HK_OK);
    if (version == 1)
        assert_int_equal(k->refresh(ctx, unit, 0), HK_OK);
    assert_int_equal(k->exit_init(ctx, unit), HK_OK);
}

/* A step that returns CODE, and what hocket does then. */
static void step_with(int code, bool ends) {
    hk_stepped end = {0};
    to_stepping();
    book->next = code;
    book->ends = ends;
    code = step_once();
    if (k->step_failed(ctx, unit, code, 0, 1, &end) == HK_OK && end.outcome == HK_OUTCOME_PENDING)
        (void)k->step_wait(ctx, unit, 0, 1, &end);
}

static void cancel(void) {
    call_directly(HK_FMI_CANCEL);
}

/* Reaches STATE of the FMU; false: this version has no such state. While a step is in progress the
 * FMU itself says when. */
static bool reach(char state) {
    bool three = version == 3;
    switch (state) {
    case 'I':
        open_unit();
        break;
    case 'G':
    case 'R':
        if (!three)
            return false;
        if (state == 'G')
            open_unit();
        else
            to_stepping();
        call_directly(HK_FMI_ENTER_CONFIG);
        break;
    case 'M':
        open_unit();
        assert_int_equal(k->enter_init(ctx, unit), HK_OK);
        if (version == 1)
            assert_int_equal(k->refresh(ctx, unit, 0), HK_OK);
        break;
    case 'C':
        to_stepping();
        break;
    case 'S': /* after a set */
        to_stepping();
        (void)exchange(false);
        break;
    case 'D': /* after a set and a step */
        to_stepping();
        (void)exchange(false);
        (void)step_once();
        break;
    case 'F':
        step_with(HK_UNIT_DISCARD, false);
        break;
    case 'E':
        if (version == 2)
            step_with(HK_UNIT_DISCARD, true);
        return version == 2;
    case 'T':
        to_stepping();
        assert_int_equal(k->terminate(ctx, unit), HK_OK);
        break;
    case 'X':
        step_with(HK_UNIT_ERROR, false);
        break;
    default:
        step_with(HK_UNIT_FATAL, false);
        break;
    }
    return true;
}

static void check_pending(void (*then)(void)) {
    hk_stepped end = {0};
    to_stepping();
    book->next = HK_UNIT_PENDING;
    book->asked = then;
    int code = step_once();
    if (k->step_failed(ctx, unit, code, 0, 1, &end) == HK_OK && end.outcome == HK_OUTCOME_PENDING)
        (void)k->step_wait(ctx, unit, 0, 1, &end);
    if (book->state == 'K') /* hocket never cancels: it thinks that the step has come to its end */
        in()->phase = HK_PHASE_CANCELED;
}

/* Of a step in progress nothing but its status and its end may be asked. */
static void in_progress(void) {
    assert_int_equal(in()->phase, HK_PHASE_PENDING);
    assert_int_equal(book->state, 'P');
    if (call_under_test == HK_FMI_FREE) { /* hocket itself waits, so that it never comes to that */
        assert_false(hk_instance_legal(in(), HK_FMI_FREE));
        return;
    }
    check_call();
}

static void close_unit(void) {
    if (unit)
        k->close(unit);
    unit = NULL;
    assert_int_equal(book->illegal, 0);
}

static void whole_table(void **state) {
    version = *(int *)*state;
    begin(version);
    pairs = made = 0;
    for (int call = 0; call < HK_FMI_CALLS; call++) {
        call_under_test = (hk_fmi_call)call;
        for (const char *at = "IGMCSDFETXR"; *at; at++) {
            if (!reach(*at))
                continue;
            check_call();
            close_unit();
        }
        if (version < 3) {
            check_pending(in_progress);
            close_unit();
            check_pending(cancel);
            check_call();
            close_unit();
        }
    }
    assert_true(made > 60 && pairs > made + 30);
    end();
}

/* Configuration mode as hocket itself goes through it. */
static void configuration(void **state) {
    (void)state;
    static const hk_unit_options options = {.name = "mock"};
    begin(3);
    uint64_t five = 5;
    const hk_value value = {HK_TYPE_U64, 1, &five};
    uint32_t n = hk_info_find(hk_fmu_info(fmu), "n");
    const hk_info *other;
    assert_int_equal(k->resize(ctx, hk_fmu_info(fmu), &n, &value, 1, &other), HK_OK);
    assert_int_equal(k->open(ctx, other, &options, &unit), HK_OK);
    assert_string_equal(book->newest, "ExitConfigurationMode");
    assert_int_equal(book->calls, 3);
    assert_int_equal(in()->phase, HK_PHASE_INSTANTIATED);
    close_unit();
    end();
}

/* An input waits for initialization mode. */
static void inputs_wait(void **state) {
    (void)state;
    double zero = 0;
    const hk_value value = {HK_TYPE_F64, 1, &zero};
    begin(2);
    open_unit();
    assert_int_equal(k->set_start(ctx, unit, hk_info_find(hk_fmu_info(fmu), "u"), &value), HK_OK);
    assert_string_equal(book->newest, "SetupExperiment");
    assert_int_equal(k->enter_init(ctx, unit), HK_OK);
    assert_string_equal(book->newest, "SetReal");
    close_unit();
    end();
}

/* After Fatal nothing is called, not even of another instance of the FMU: so this comes last. */
static void fatal(void **state) {
    begin(*(int *)*state);
    (void)reach('Z');
    assert_int_equal(in()->phase, HK_PHASE_DEAD);
    for (int call = 0; call < HK_FMI_CALLS; call++)
        assert_false(hk_instance_legal(in(), (hk_fmi_call)call));
    unsigned calls = book->calls;
    k->close(unit);
    assert_int_equal(book->calls, calls);
    assert_int_equal(book->illegal, 0);
    end();
}

static void unknown_versions(void **state) {
    (void)state;
    assert_false(hk_fmi_legal(4, HK_PHASE_STEPPING, HK_FMI_STEP, false));
    assert_false(hk_fmi_legal(0, HK_PHASE_STEPPING, HK_FMI_STEP, false));
}

int main(void) {
    static int versions[] = {1, 2, 3};
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(whole_table, &versions[0]),
        cmocka_unit_test_prestate(whole_table, &versions[1]),
        cmocka_unit_test_prestate(whole_table, &versions[2]),
        cmocka_unit_test(configuration),
        cmocka_unit_test(inputs_wait),
        cmocka_unit_test(unknown_versions),
        cmocka_unit_test_prestate(fatal, &versions[0]),
        cmocka_unit_test_prestate(fatal, &versions[1]),
        cmocka_unit_test_prestate(fatal, &versions[2]),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
