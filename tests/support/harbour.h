/* SPDX-License-Identifier: MIT
 *
 * A small system for readers of simulations: two composites, a service with two providers, a
 * configuration interface, records, an array, units, an enumeration, a shared and a private
 * parameter. Nothing in it can run. */
#ifndef HK_TESTS_HARBOUR_H
#define HK_TESTS_HARBOUR_H

#include "model/model.h"

#include <hk/service.h>

#include <math.h>
#include <string.h>

enum { SEABED, GEOTIFF, ADAPTER, CURRENT, DRONE, DVL, SHORE, HARBOUR_COMPONENTS };

typedef struct harbour_point {
    double x, y;
    int32_t floor;
} harbour_point;

static void harbour_no_call(const void *functions, void *self, const void *const *arguments,
                            void *result) {
    (void)functions, (void)self, (void)arguments, (void)result;
}

static const hk_field harbour_speed[] = {{"", HK_TYPE_F64, 1, 0, "m/s"}};
static const hk_field harbour_degrees[] = {{"", HK_TYPE_F64, 1, 0, "deg"}};
static const hk_field harbour_place[] = {
    {"x", HK_TYPE_F64, 1, offsetof(harbour_point, x), "m"},
    {"y", HK_TYPE_F64, 1, offsetof(harbour_point, y), "m"},
    {"floor", HK_TYPE_I32, 1, offsetof(harbour_point, floor), NULL}};
static const hk_field harbour_text[] = {{"", HK_TYPE_STRING, 1, 0, NULL}};
static const hk_argument harbour_set_speed[] = {{"speed", sizeof(double), harbour_speed, 1},
                                                {"direction", sizeof(double), harbour_degrees, 1}};
static const hk_argument harbour_set_signal[] = {{"place", sizeof(harbour_point), harbour_place, 3},
                                                 {"label", sizeof(hk_bytes), harbour_text, 1}};
static const hk_argument harbour_result = {"result", sizeof(double), harbour_speed, 1};
static const hk_function harbour_config_functions[] = {
    {"setSpeed", harbour_set_speed, 2, NULL, harbour_no_call},
    {"setSignal", harbour_set_signal, 2, NULL, harbour_no_call}};
static const hk_function harbour_source_functions[] = {
    {"depth", NULL, 0, &harbour_result, harbour_no_call}};
static const hk_interface harbour_config = {.name = "environment.CurrentConfig",
                                            .signature = "config",
                                            .functions = harbour_config_functions,
                                            .function_count = 2};
static const hk_interface harbour_source = {.name = "environment.MntSource",
                                            .signature = "source",
                                            .functions = harbour_source_functions,
                                            .function_count = 1};
static const hk_interface harbour_other = {.name = "environment.CurrentSource",
                                           .signature = "other",
                                           .functions = harbour_source_functions,
                                           .function_count = 1};

#define HARBOUR_SERVICE(n, itf, is_provided)                                                       \
    { .name = (n), .provided = (is_provided), .definition = &(itf) }
static hk_service_info harbour_services[HARBOUR_COMPONENTS][3] = {
    [SEABED] = {HARBOUR_SERVICE("pMntModel", harbour_source, true)},
    [GEOTIFF] = {HARBOUR_SERVICE("pGeoTiff", harbour_source, true)},
    [ADAPTER] = {HARBOUR_SERVICE("rMntSource", harbour_source, false),
                 HARBOUR_SERVICE("pMnt", harbour_source, true)},
    [CURRENT] = {HARBOUR_SERVICE("pConfigCurrentModel", harbour_config, true),
                 HARBOUR_SERVICE("pSinModelSource", harbour_other, true)},
};

static const char *harbour_items[] = {"manual", "automatic"};
static const int64_t harbour_item_values[] = {0, 1};
static const hk_enum harbour_mode = {"drone.Mode", harbour_items, harbour_item_values, 2};
static const size_t harbour_dims[] = {2, 3};

#define HARBOUR_VARIABLE(n, t, c, v, u, ...)                                                       \
    {                                                                                              \
        .name = (n), .type = HK_TYPE_##t, .causality = (c), .variability = (v), .unit = (u),       \
        __VA_ARGS__                                                                                \
    }
#define HARBOUR_PARAMETER(n, t, u, ...)                                                            \
    HARBOUR_VARIABLE(n, t, HK_PARAMETER, HK_TUNABLE, u, .initial = HK_EXACT, __VA_ARGS__)
#define HARBOUR_OUT(n, u) HARBOUR_VARIABLE(n, F64, HK_OUTPUT, HK_CONTINUOUS, u, .alias_of = 0)
#define HARBOUR_IN(n, u)  HARBOUR_VARIABLE(n, F64, HK_INPUT, HK_CONTINUOUS, u, .alias_of = 0)
static hk_variable harbour_variables[HARBOUR_COMPONENTS][16] = {
    [SEABED] = {HARBOUR_PARAMETER("depth", F64, "m", .min = 0, .max = 11000),
                HARBOUR_PARAMETER("secret", F64, NULL, .hidden = true)},
    [GEOTIFF] = {HARBOUR_VARIABLE("fileName", STRING, HK_PARAMETER, HK_FIXED, NULL,
                                  .initial = HK_EXACT)},
    [DRONE] = {HARBOUR_OUT("position.x", "m"), HARBOUR_OUT("position.y", "m"),
               HARBOUR_OUT("position.z", "m"), HARBOUR_OUT("speed", "m/s"),
               HARBOUR_PARAMETER("wanted", F64, "m/s", .alias_of = 0),
               HARBOUR_PARAMETER("isSpline", BOOL, NULL, .alias_of = 0),
               HARBOUR_PARAMETER("mode", ENUM, NULL, .enumeration = &harbour_mode),
               HARBOUR_PARAMETER("number", I32, NULL, .alias_of = 0),
               HARBOUR_PARAMETER("gains", F64, NULL, .count = 6, .dims = harbour_dims,
                                 .dim_count = 2),
               HARBOUR_PARAMETER("origin.x", F64, "m", .alias_of = 0),
               HARBOUR_PARAMETER("origin.y", F64, "m", .alias_of = 0), HARBOUR_IN("push", "N"),
               HARBOUR_PARAMETER("temperature", F64, "K", .alias_of = 0)},
    [DVL] = {HARBOUR_IN("seen.x", "m"), HARBOUR_IN("seen.y", "m"), HARBOUR_IN("seen.z", "m"),
             HARBOUR_PARAMETER("thetaDVL", F64, "deg", .alias_of = 0),
             HARBOUR_VARIABLE("taps", I32, HK_PARAMETER, HK_FIXED, NULL, .initial = HK_EXACT),
             HARBOUR_OUT("quality", NULL)},
    [SHORE] = {HARBOUR_IN("far", "km"), HARBOUR_PARAMETER("theta", F64, "rad", .alias_of = 0),
               HARBOUR_VARIABLE("name", STRING, HK_INPUT, HK_DISCRETE, NULL, .alias_of = 0)},
};
static hk_info harbour_infos[HARBOUR_COMPONENTS];

static void harbour_fill(uint32_t id, hk_uom (*uoms)[16]) {
    hk_info *info = &harbour_infos[id];
    *info = (hk_info){.name = "Type",
                      .kind = "native",
                      .variables = harbour_variables[id],
                      .services = harbour_services[id]};
    while (info->service_count < 3 && harbour_services[id][info->service_count].name) {
        hk_service_info *service = &harbour_services[id][info->service_count++];
        service->interface = service->definition->name;
    }
    for (uint32_t i = 0; i < 16 && harbour_variables[id][i].name; i++) {
        hk_variable *v = &harbour_variables[id][i];
        v->store = hk_store_of(v->type);
        v->alias_of = i;
        v->count = v->count ? v->count : 1;
        if (v->max == 0)
            v->min = v->max = (double)NAN;
        if (v->unit && hk_uom_parse(v->unit, &uoms[id][i]))
            v->uom = &uoms[id][i];
        hk_map_put(&info->by_name, v->name, i);
        info->variable_count++;
    }
}

static void harbour_link(hk_model *model, uint32_t a, const char *from, uint32_t b,
                         const char *to) {
    hk_model_connect(model, a, hk_info_find(&harbour_infos[a], from), b,
                     hk_info_find(&harbour_infos[b], to), HK_NOWHERE);
}

/* Components run at 1 kHz. The infos are kept until the end of the program. */
static hk_model *harbour_make(hk_ctx *ctx) {
    static const char *const names[HARBOUR_COMPONENTS] = {
        [SEABED] = "Environment.MNT.myMntModel",
        [GEOTIFF] = "Environment.MNT.myGeoTiff",
        [ADAPTER] = "Environment.MNT.myMntAdapter",
        [CURRENT] = "Environment.Current.myCurrent",
        [DRONE] = "Drone.mySimpleMission",
        [DVL] = "Navigation.myDvl",
        [SHORE] = "Shore"};
    static hk_uom uoms[HARBOUR_COMPONENTS][16];
    hk_model *model = hk_model_create("auv", "auv.system");
    uint32_t index;
    model->root = "comp";
    for (uint32_t i = 0; i < HARBOUR_COMPONENTS; i++) {
        if (!harbour_infos[i].name)
            harbour_fill(i, uoms);
        hk_where where = {.file = "auv.system", .line = (int)i + 1};
        HK_ASSERT(hk_model_add_component(ctx, model, names[i], &harbour_infos[i], where, &index) ==
                  HK_OK);
        model->components[i].has_period = i != SHORE;
        model->components[i].period = (hk_ratio){1, 1000};
    }
    harbour_link(model, DRONE, "position.x", DVL, "seen.x");
    harbour_link(model, DRONE, "position.y", DVL, "seen.y");
    harbour_link(model, DRONE, "position.z", DVL, "seen.z");
    harbour_link(model, DRONE, "position.x", SHORE, "far");
    hk_provider *candidates = HK_NEW_ARRAY(model->arena, hk_provider, 2);
    candidates[0] = (hk_provider){SEABED, 0};
    candidates[1] = (hk_provider){GEOTIFF, 0};
    hk_requirement requirement = {
        .component = ADAPTER, .candidates = candidates, .candidate_count = 2, .bound = HK_MAP_NONE};
    HK_PUSH(model->requirements, model->requirement_count, model->requirement_cap, requirement);
    hk_branch *branch = HK_NEW(model->arena, hk_branch);
    *branch = (hk_branch){.component = SHORE,
                          .variable = hk_info_find(&harbour_infos[SHORE], "theta"),
                          .transform = {.kind = HK_TRANSFORM_LINEAR, .factor = 0.25}};
    hk_shared shared = {.component = DVL,
                        .variable = hk_info_find(&harbour_infos[DVL], "thetaDVL"),
                        .others = branch};
    HK_PUSH(model->shared, model->shared_count, model->shared_cap, shared);
    HK_ASSERT(hk_model_add_alias(model, "Drone.where.x", DRONE, 0, NULL));
    HK_ASSERT(hk_model_add_alias(model, "Drone.where.y", DRONE, 1, NULL));
    return model;
}

/* For tools that count what is still held. */
static inline void harbour_forget(void) {
    for (uint32_t i = 0; i < HARBOUR_COMPONENTS; i++) {
        hk_map_finish(&harbour_infos[i].by_name);
        harbour_infos[i] = (hk_info){0};
    }
}

#endif
