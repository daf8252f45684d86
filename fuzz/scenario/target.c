/* SPDX-License-Identifier: MIT
 *
 * Simulations of a fixed small system: what is accepted has every name resolved. */
#include "fuzz.h"

#include "harbour.h"
#include "lang/lang.h"

static void check_signal(const hk_model *model, const hk_signal *s) {
    HK_ASSERT(s->component < model->component_count);
    const hk_info *info = model->components[s->component].info;
    HK_ASSERT(s->variable < info->variable_count);
    HK_ASSERT(s->element < info->variables[s->variable].count);
}

static void check_test(const hk_model *model, const hk_test *test) {
    HK_ASSERT(test && test->words);
    if (test->kind == HK_TEST_COMPARE) {
        HK_ASSERT(test->left.is_signal || test->right.is_signal);
        HK_ASSERT(test->tolerance >= 0);
        if (test->left.is_signal)
            check_signal(model, &test->left.signal);
        if (test->right.is_signal)
            check_signal(model, &test->right.signal);
        return;
    }
    check_test(model, test->a);
    if (test->kind != HK_TEST_NOT)
        check_test(model, test->b);
}

static void check_call(const hk_info *info, const hk_action *a) {
    HK_ASSERT(a->service < info->service_count && info->services[a->service].provided);
    const hk_interface *interface = info->services[a->service].definition;
    HK_ASSERT(a->function < interface->function_count);
    for (size_t i = 0; i < interface->functions[a->function].argument_count; i++)
        HK_ASSERT(a->arguments[i]);
}

static void check_action(const hk_model *model, const hk_action *a) {
    HK_ASSERT(a->words && a->component < model->component_count);
    const hk_info *info = model->components[a->component].info;
    if (a->kind == HK_ACTION_SET || a->kind == HK_ACTION_RAMP) {
        HK_ASSERT(a->variable < info->variable_count);
        HK_ASSERT(a->value.data && a->value.type == info->variables[a->variable].type);
        HK_ASSERT(a->value.count == info->variables[a->variable].count);
    }
    if (a->kind == HK_ACTION_CALL)
        check_call(info, a);
    if (a->kind == HK_ACTION_BIND)
        HK_ASSERT(!info->services[a->service].provided && a->provider < model->component_count);
    if (a->kind == HK_ACTION_START || a->kind == HK_ACTION_STOP)
        HK_ASSERT(a->component_count > 0);
    for (size_t i = 0; i < a->component_count; i++)
        HK_ASSERT(a->components[i] < model->component_count);
    if (a->kind == HK_ACTION_FAULT || a->kind == HK_ACTION_REPAIR)
        HK_ASSERT(a->connection_count > 0);
    for (size_t i = 0; i < a->connection_count; i++)
        HK_ASSERT(a->connections[i] < model->connection_count);
}

static void check_actions(const hk_model *model, const hk_actions *actions) {
    for (size_t i = 0; i < actions->count; i++)
        check_action(model, &actions->all[i]);
}

static void check_scenario(const hk_model *model, const hk_scenario *s) {
    HK_ASSERT(s->name && s->name[0] && s->repetitions >= 1);
    check_actions(model, &s->begin);
    check_actions(model, &s->end);
    for (size_t i = 0; i < s->event_count; i++) {
        check_actions(model, &s->events[i].actions);
        if (s->events[i].kind == HK_WHEN)
            check_test(model, s->events[i].condition);
    }
    for (size_t i = 0; i < s->expectation_count; i++)
        check_test(model, s->expectations[i].condition);
    for (size_t i = 0; i < s->log_count; i++) {
        HK_ASSERT(s->logs[i].period.num > 0);
        HK_ASSERT(s->logs[i].file[0] && s->logs[i].file[0] != '/');
        for (size_t k = 0; k < s->logs[i].count; k++)
            check_signal(model, &s->logs[i].signals[k]);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    hk_ctx *ctx = hk_ctx_create(NULL, NULL);
    static const char *const parameters[] = {"v=2 m/s"};
    hk_simulation_options options = {
        .system = harbour_make(ctx), .parameters = parameters, .parameter_count = size % 2};
    hk_simulation *simulation = NULL;
    hk_status status = hk_simulation_read_text(ctx, "fuzz.simulation", (const char *)data, size,
                                               &options, &simulation);
    fuzz_check_diags(ctx, status, data, size);
    if (status == HK_OK) {
        check_actions(simulation->model, &simulation->begin);
        check_actions(simulation->model, &simulation->end);
        HK_ASSERT(simulation->scenario_count > 0);
        for (size_t i = 0; i < simulation->scenario_count; i++)
            check_scenario(simulation->model, &simulation->scenarios[i]);
        hk_simulation_destroy(simulation);
    } else {
        hk_model_destroy(options.system);
    }
    hk_ctx_destroy(ctx);
    return 0;
}
