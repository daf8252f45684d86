/* SPDX-License-Identifier: MIT
 *
 * A world of 10^5 entities with three systems against the same three loops over arrays, which must
 * end with the same bits; and what it costs to add and to remove an entity. */
#include "bench.h"

#include "base/clock.h"
#include "ecs/ecs.h"
#include "world/world.h"

#include <math.h>
#include <string.h>

enum { ENTITIES = 100000, CHANGED = 10000 };

typedef struct Body {
    double z, v;
} Body;
typedef struct Spring {
    double k, force;
} Spring;
static const hk_port body_fields[] = {
    HK_PORT(Body, z, HK_LOCAL, HK_TYPE_F64),
    HK_PORT(Body, v, HK_LOCAL, HK_TYPE_F64),
};
static const hk_port spring_fields[] = {
    HK_PORT(Spring, k, HK_LOCAL, HK_TYPE_F64, .start = "3"),
    HK_PORT(Spring, force, HK_LOCAL, HK_TYPE_F64),
};
static const hk_component_type body_type = {HK_COMPONENT(Body), .fields = body_fields,
                                            .field_count = 2};
static const hk_component_type spring_type = {HK_COMPONENT(Spring), .fields = spring_fields,
                                              .field_count = 2};

/* The three of them, for arrays. */
static void pull(Spring *spring, const Body *body, size_t count) {
    for (size_t i = 0; i < count; i++)
        spring[i].force = -spring[i].k * body[i].z;
}
static void push(Body *body, const Spring *spring, size_t count, double h) {
    for (size_t i = 0; i < count; i++)
        body[i].v += h * (spring[i].force - 0.1 * body[i].v);
}
static void move(Body *body, size_t count, double h) {
    for (size_t i = 0; i < count; i++)
        body[i].z += h * body[i].v;
}

static int pull_step(void *self, hk_view *view, double t, double h) {
    (void)self, (void)t, (void)h;
    for (const hk_batch *b = hk_batches(view, 0); b; b = b->next)
        pull(hk_batch_write(b, 1), hk_batch_read(b, 0), b->count);
    return HK_STEP_OK;
}
static int push_step(void *self, hk_view *view, double t, double h) {
    (void)self, (void)t;
    for (const hk_batch *b = hk_batches(view, 0); b; b = b->next)
        push(hk_batch_write(b, 0), hk_batch_read(b, 1), b->count, h);
    return HK_STEP_OK;
}
static int move_step(void *self, hk_view *view, double t, double h) {
    (void)self, (void)t;
    for (const hk_batch *b = hk_batches(view, 0); b; b = b->next)
        move(hk_batch_write(b, 0), b->count, h);
    return HK_STEP_OK;
}

static const hk_family both[] = {{.with = "Body Spring"}};
#define SYSTEM(type, function, changes)                                                            \
    static const hk_system_type type = {HK_SYSTEM(type), .families = both, .family_count = 1,      \
                                        .writes = (changes), .step = (function)}
SYSTEM(pull_type, pull_step, "Spring.force");
SYSTEM(push_type, push_step, "Body.v");
SYSTEM(move_type, move_step, "Body.z");

static const hk_component_type *const types[] = {&hk_world_pose, &body_type, &spring_type};
static const hk_world_system systems[] = {
    {.name = "pull", .type = &pull_type, .priority = 1, .every = 1},
    {.name = "push", .type = &push_type, .priority = 2, .every = 1},
    {.name = "move", .type = &move_type, .priority = 3, .every = 1},
};
static const hk_world_part parts[] = {{&body_type, HK_WORLD_ALWAYS},
                                      {&spring_type, HK_WORLD_ALWAYS}};
static const hk_world_entity entities[] = {
    {.name = "first", .parent = HK_MAP_NONE, .parts = parts, .part_count = 2},
    {.name = "all", .parent = HK_MAP_NONE, .copies = ENTITIES - 1, .parts = parts, .part_count = 2},
};
static const hk_world_spec spec = {.name = "world",
                                   .types = types,
                                   .type_count = 3,
                                   .systems = systems,
                                   .system_count = 3,
                                   .entities = entities,
                                   .entity_count = 2};

/* ---- steps */

typedef struct loops {
    Body *body;
    Spring *spring;
    int64_t steps;
} loops;

static hk_status run_loops(void *user) {
    loops *x = user;
    pull(x->spring, x->body, ENTITIES);
    push(x->body, x->spring, ENTITIES, 0.01);
    move(x->body, ENTITIES, 0.01);
    x->steps++;
    return HK_OK;
}

typedef struct stepped {
    hk_step_call call;
    int64_t steps;
} stepped;

static hk_status run_world(void *user) {
    stepped *x = user;
    double t = 0.01 * (double)x->steps++;
    return x->call.fn.plain(x->call.self, t, 0.01) == HK_STEP_OK ? HK_OK : HK_E_UNIT_FAILED;
}

static double *port(hk_unit *unit, const char *name) {
    return unit->unit_class->address(unit, hk_info_find(unit->info, name));
}

static hk_status compare_steps(bench *b, hk_unit *unit) {
    loops hand = {hk_alloc(ENTITIES * sizeof(Body)), hk_alloc(ENTITIES * sizeof(Spring)), 0};
    stepped own = {.steps = 0};
    bench_pairs results = {0};
    unit->unit_class->bind_step(unit, &own.call);
    for (size_t i = 0; i < ENTITIES; i++) {
        hand.body[i].z = 2;
        hand.spring[i].k = 3;
    }
    hk_status status = bench_paired((bench_work){run_loops, &hand}, (bench_work){run_world, &own},
                                    b->quick ? 60 : 600, &results);
    bool same = hand.steps == own.steps && hand.body[0].z == *port(unit, "first.Body.z") &&
                hand.body[0].v == *port(unit, "first.Body.v");
    if (status == HK_OK && !same)
        status = hk_error(b->ctx, HK_E_INTERNAL, HK_NOWHERE, NULL,
                          "the world does not compute what the loops do");
    static const char *const names[2] = {"loops over arrays", "world"};
    if (status == HK_OK)
        bench_report_two(b, &results, names, ENTITIES, "entity-step", (bench_limits){NAN, 1.3});
    bench_pairs_finish(&results);
    hk_free(hand.body);
    hk_free(hand.spring);
    return status;
}

static hk_status measure_steps(bench *b) {
    const hk_unit_options options = {.name = "world"};
    hk_model *model = hk_model_create("world", NULL);
    const hk_info *info;
    hk_unit *unit = NULL;
    hk_status status = hk_world_info(b->ctx, model, &spec, &info);
    if (status == HK_OK)
        status = info->unit_class->open(b->ctx, info, &options, &unit);
    double two = 2;
    const hk_value value = {HK_TYPE_F64, 1, &two};
    if (status == HK_OK)
        status =
            info->unit_class->set_start(b->ctx, unit, hk_info_find(info, "first.Body.z"), &value);
    if (status == HK_OK)
        status =
            info->unit_class->set_start(b->ctx, unit, hk_info_find(info, "all.Body.z"), &value);
    if (status == HK_OK)
        status = info->unit_class->enter_init(b->ctx, unit);
    if (status == HK_OK)
        status = compare_steps(b, unit);
    if (unit)
        info->unit_class->close(unit);
    hk_model_destroy(model);
    return status;
}

/* ---- changes: the shortest of several times */

static double since(int64_t from) {
    return (double)(hk_clock_ns() - from);
}

static hk_status measure_changes(bench *b) {
    static hk_entity made[CHANGED];
    const Body at = {1, 2};
    hk_ecs *ecs = hk_ecs_create();
    hk_ecs_kind body = hk_ecs_add_type(ecs, &body_type, NULL);
    hk_ecs_kind spring = hk_ecs_add_type(ecs, &spring_type, NULL);
    const hk_ecs_kind kinds[] = {body, spring};
    hk_entity entity;
    hk_ecs_failure failure;
    bool good = true;
    for (int i = 0; i < ENTITIES; i++)
        good = good && hk_ecs_new_with(ecs, NULL, kinds, 2, &entity) == HK_ECS_OK;
    double adding = INFINITY, removing = INFINITY;
    for (int round = 0; good && round < 20; round++) {
        int64_t from = hk_clock_ns();
        for (int i = 0; i < CHANGED; i++) {
            made[i] = hk_ecs_later_new(ecs, NULL);
            hk_ecs_later_give(ecs, made[i], body, &at);
            hk_ecs_later_give(ecs, made[i], spring, NULL);
        }
        good = hk_ecs_apply(ecs, &failure);
        adding = fmin(adding, since(from));
        from = hk_clock_ns();
        for (int i = 0; i < CHANGED; i++)
            hk_ecs_later_remove(ecs, made[i]);
        good = good && hk_ecs_apply(ecs, &failure) && hk_ecs_count(ecs) == ENTITIES;
        removing = fmin(removing, since(from));
    }
    size_t data, all = hk_ecs_bytes(ecs, &data);
    hk_ecs_destroy(ecs);
    if (!good)
        return hk_error(b->ctx, HK_E_INTERNAL, HK_NOWHERE, NULL, "entities are missing");
    bench_report(b, "adding", adding / CHANGED, 1000, "ns per entity");
    bench_report(b, "removing", removing / CHANGED, 1000, "ns per entity");
    bench_report(b, "memory", (double)(all - data) / ENTITIES, 200, "bytes per entity");
    return HK_OK;
}

hk_status bench_world(bench *b) {
    HK_TRY(measure_steps(b));
    return measure_changes(b);
}
