/* SPDX-License-Identifier: MIT
 *
 * Models for the tests of the planner: components that are only descriptions. Component types have
 * the inputs u0, u1 ... and then the outputs y0, y1 ..., all Float64. */
#ifndef HK_TEST_FAKE_MODEL_H
#define HK_TEST_FAKE_MODEL_H

#include "plan/plan.h"

#include <string.h>

static inline hk_info *fake_info(hk_model *model, hk_stamp stamp, uint32_t inputs,
                                 uint32_t outputs) {
    hk_info *info = HK_NEW(model->arena, hk_info);
    info->name = "fake";
    info->kind = "fake";
    info->stamp = stamp;
    info->can.variable_step = true;
    info->variable_count = inputs + outputs;
    info->variables = HK_NEW_ARRAY(model->arena, hk_variable, inputs + outputs);
    for (uint32_t i = 0; i < inputs + outputs; i++)
        info->variables[i] =
            (hk_variable){.name = hk_arena_printf(model->arena, i < inputs ? "u%u" : "y%u",
                                                  i < inputs ? i : i - inputs),
                          .type = HK_TYPE_F64,
                          .store = HK_STORE_F64,
                          .causality = i < inputs ? HK_INPUT : HK_OUTPUT,
                          .variability = HK_CONTINUOUS,
                          .count = 1,
                          .alias_of = i};
    return info;
}

static inline hk_ratio seconds(const char *text) {
    hk_ratio r = {0, 1};
    assert_true(hk_ratio_parse(text, &r));
    return r;
}

/* PERIOD NULL: the step of the experiment. */
static inline uint32_t fake_add(hk_ctx *ctx, hk_model *model, const char *name, const hk_info *info,
                                const char *period, const char *offset) {
    uint32_t index = 0;
    assert_int_equal(hk_model_add_component(ctx, model, name, info, HK_NOWHERE, &index), HK_OK);
    hk_component *c = &model->components[index];
    if (period) {
        c->has_period = true;
        c->period = seconds(period);
    }
    if (offset)
        c->offset = seconds(offset);
    return index;
}

static inline void fake_experiment(hk_model *model, const char *step, const char *stop) {
    hk_experiment *x = &model->experiment;
    x->start = (hk_ratio){0, 1};
    x->step = seconds(step);
    x->stop = seconds(stop);
    x->output_interval = (hk_ratio){0, 1};
    x->has_step = x->has_stop = true;
}

/* The newest error, or NULL. */
static inline const hk_diag *newest_error(const hk_ctx *ctx) {
    const hk_diag *found = NULL;
    for (size_t i = 0; i < hk_ctx_count(ctx, HK_NOTE); i++)
        if (hk_ctx_diag(ctx, i)->severity == HK_ERROR)
            found = hk_ctx_diag(ctx, i);
    return found;
}

static inline size_t notes_with(const hk_ctx *ctx, const char *text) {
    size_t n = 0;
    for (size_t i = 0; i < hk_ctx_count(ctx, HK_NOTE); i++)
        n += strstr(hk_ctx_diag(ctx, i)->text, text) != NULL;
    return n;
}

#endif
