/* SPDX-License-Identifier: MIT
 *
 * Schedules for a fixed small system: what is accepted leaves a model whose processors, connections
 * and constraints are whole. */
#include "fuzz.h"

#include "lang/schedule/schedule.h"

enum { U, V, Y, VARIABLES };
enum { AZ, A, B, C, COMPONENTS };

static hk_variable variables[VARIABLES] = {
    {.name = "u", .causality = HK_INPUT, .count = 1},
    {.name = "v[1]", .causality = HK_INPUT, .count = 1},
    {.name = "y", .causality = HK_OUTPUT, .count = 1},
};
static hk_info info = {.name = "Type", .variables = variables, .variable_count = VARIABLES};

static hk_model *make_model(hk_ctx *ctx) {
    static const char *const names[COMPONENTS] = {"az", "a", "b", "sub.c"};
    static const uint32_t links[][4] = {
        {AZ, Y, A, U}, {AZ, Y, B, U}, {A, Y, B, V}, {B, Y, C, U}, {C, Y, A, V}};
    hk_model *model = hk_model_create("fuzz", "fuzz.ssd");
    uint32_t index;
    if (!info.by_name.count)
        for (uint32_t i = 0; i < VARIABLES; i++)
            hk_map_put(&info.by_name, variables[i].name, i);
    for (size_t i = 0; i < COMPONENTS; i++)
        HK_ASSERT(hk_model_add_component(ctx, model, names[i], &info, HK_NOWHERE, &index) == HK_OK);
    for (size_t i = 0; i < sizeof links / sizeof *links; i++)
        hk_model_connect(model, links[i][0], links[i][1], links[i][2], links[i][3], HK_NOWHERE);
    return model;
}

static void check_partition(const hk_model *model) {
    size_t members = 0;
    for (size_t i = 0; i < model->processor_count; i++) {
        const hk_processor *p = &model->processors[i];
        HK_ASSERT(p->count > 0);
        members += p->count;
        for (size_t j = 0; j < p->count; j++) {
            const hk_component *c = &model->components[p->components[j]];
            HK_ASSERT(c->processor == i && c->rank == j);
        }
    }
    HK_ASSERT(members == 0 || members == model->component_count);
}

static bool joined(const hk_model *model, uint32_t from, uint32_t to) {
    for (size_t i = 0; i < model->connection_count; i++)
        if (model->connections[i].from_component == from &&
            model->connections[i].to_component == to)
            return true;
    return false;
}

static void check_constraint(const hk_model *model, const hk_constraint *c) {
    HK_ASSERT(c->min.num >= 0 && c->min.den > 0 && c->max.num >= 0 && c->max.den > 0);
    HK_ASSERT(!c->has_min || !c->has_max || hk_ratio_compare(c->min, c->max) <= 0);
    HK_ASSERT(c->path_count >= (c->kind == HK_COINCIDENCE ? 2 : 1));
    for (size_t i = 0; i < c->path_count; i++) {
        const hk_path *path = &c->paths[i], *first = &c->paths[0];
        HK_ASSERT(path->count >= (c->kind == HK_FRESHNESS ? 1 : 2));
        HK_ASSERT(path->components[0] == first->components[0]);
        HK_ASSERT(path->components[path->count - 1] == first->components[first->count - 1]);
        for (size_t j = 1; j < path->count; j++)
            HK_ASSERT(joined(model, path->components[j - 1], path->components[j]));
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    hk_ctx *ctx = hk_ctx_create(NULL, NULL);
    hk_model *model = make_model(ctx);
    hk_status status = hk_schedule_parse(ctx, model, "fuzz.txt", 1, (const char *)data, size);
    fuzz_check_diags(ctx, status, data, size);
    if (status == HK_OK) {
        check_partition(model);
        for (size_t i = 0; i < model->connection_count; i++)
            HK_ASSERT(model->connections[i].delay.num >= 0);
        for (size_t i = 0; i < model->constraint_count; i++)
            check_constraint(model, &model->constraints[i]);
    }
    hk_model_destroy(model);
    hk_ctx_destroy(ctx);
    return 0;
}
