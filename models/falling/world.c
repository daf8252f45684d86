/* SPDX-License-Identifier: MIT
 *
 * Bodies that fall, and what acts on them. */
#include "falling.h"

/* ---- components */

typedef struct Body {
    double z, v;
} Body;
static const hk_port body_fields[] = {
    HK_PORT(Body, z, HK_LOCAL, HK_TYPE_F64, .unit = "m", .description = "height"),
    HK_PORT(Body, v, HK_LOCAL, HK_TYPE_F64, .unit = "m/s", .description = "upwards"),
};
static const hk_component_type body_type = {HK_COMPONENT(Body), .fields = body_fields,
                                            .field_count = 2,
                                            .description = "something with a height"};

typedef struct Cloth {
    double k;
} Cloth;
static const hk_port cloth_fields[] = {
    HK_PORT(Cloth, k, HK_PARAMETER, HK_TYPE_F64, .unit = "1/s", .start = "0.5", .tunable = true),
};
static const hk_component_type cloth_type = {HK_COMPONENT(Cloth), .fields = cloth_fields,
                                             .field_count = 1, .description = "what air acts on"};

/* ---- systems */

typedef struct Gravity {
    double g;
} Gravity;
static const hk_port gravity_ports[] = {
    HK_PORT(Gravity, g, HK_PARAMETER, HK_TYPE_F64, .unit = "m/s2", .start = "9.81"),
};

static int gravity(void *self, hk_view *view, double t, double h) {
    const Gravity *x = self;
    (void)t;
    for (const hk_batch *b = hk_batches(view, 0); b; b = b->next) {
        Body *body = hk_batch_write(b, 0);
        for (size_t i = 0; i < b->count; i++)
            falling_move(&body[i].z, &body[i].v, x->g, h);
    }
    return HK_STEP_OK;
}

static const hk_family falling[] = {{.with = "Body", .tags = "falling"}};
static const hk_system_type gravity_type = {
    HK_SYSTEM_OF(Gravity),     .ports = gravity_ports,
    .port_count = 1,           .description = "the fall in a vacuum",
    .families = falling,       .family_count = 1,
    .writes = "Body.z Body.v", .step = gravity};

/* The air slows down what has a cloth. */
static int air(void *self, hk_view *view, double t, double h) {
    (void)self, (void)t;
    for (const hk_batch *b = hk_batches(view, 0); b; b = b->next) {
        Body *body = hk_batch_write(b, 0);
        const Cloth *cloth = hk_batch_read(b, 1);
        for (size_t i = 0; i < b->count; i++)
            body[i].v /= 1 + cloth[i].k * h;
    }
    return HK_STEP_OK;
}

static const hk_family clothed[] = {{.with = "Body Cloth", .tags = "falling"}};
static const hk_system_type air_type = {HK_SYSTEM(Air),      .description = "the drag of the air",
                                        .families = clothed, .family_count = 1,
                                        .writes = "Body.v",  .step = air};

typedef struct Census {
    int64_t count;
    double lowest;
} Census;
static const hk_port census_ports[] = {
    HK_PORT(Census, count, HK_OUTPUT, HK_TYPE_I64, .description = "how many bodies fall"),
    HK_PORT(Census, lowest, HK_OUTPUT, HK_TYPE_F64, .unit = "m"),
};

static int census(void *self, hk_view *view, double t, double h) {
    Census *x = self;
    (void)t, (void)h;
    x->count = (int64_t)view->families[0].count;
    x->lowest = 1e9;
    for (const hk_batch *b = hk_batches(view, 0); b; b = b->next) {
        const Body *body = hk_batch_read(b, 0);
        for (size_t i = 0; i < b->count; i++)
            x->lowest = body[i].z < x->lowest ? body[i].z : x->lowest;
    }
    return HK_STEP_OK;
}

static const hk_system_type census_type = {HK_SYSTEM_OF(Census), .ports = census_ports,
                                           .port_count = 2,      .description = "counts what falls",
                                           .families = falling,  .family_count = 1,
                                           .step = census};

/* What is below the ground is not there any more, and a crumb comes where there was none. */
typedef struct Ground {
    int64_t hits;
} Ground;
static const hk_port ground_ports[] = {
    HK_PORT(Ground, hits, HK_OUTPUT, HK_TYPE_I64),
};

static int ground(void *self, hk_view *view, double t, double h) {
    Ground *x = self;
    (void)t, (void)h;
    for (const hk_batch *b = hk_batches(view, 0); b; b = b->next) {
        const Body *body = hk_batch_read(b, 0);
        for (size_t i = 0; i < b->count; i++) {
            if (body[i].z >= 0)
                continue;
            const Body crumb = {.z = 1, .v = 1};
            view->calls->remove(view->world, b->entities[i]);
            if (x->hits++ % 10 == 0)
                view->calls->give(view->world, view->calls->create(view->world, NULL), "Body",
                                  &crumb);
        }
    }
    return HK_STEP_OK;
}

static const hk_system_type ground_type = {
    HK_SYSTEM_OF(Ground), .ports = ground_ports,
    .port_count = 1,      .description = "where the fall ends",
    .families = falling,  .family_count = 1,
    .step = ground};

/* ---- all of it */

static const hk_component_type *const components[] = {&body_type, &cloth_type, NULL};
static const hk_system_type *const systems[] = {&gravity_type, &air_type, &census_type,
                                                &ground_type, NULL};
const hk_world_types hk_falling_types = {HK_WORLD_ABI, sizeof(hk_world_types), components, systems};
