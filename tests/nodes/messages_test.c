/* SPDX-License-Identifier: MIT
 *
 * The messages of a run on several processes are as many as the plan has derived, on both
 * transports: R-ROSACE with and without `cut hla`, the quarter truck (FMI 2 and 3), the vehicle
 * of Fig. 10 and a simulation with requirements as they are played. Random systems:
 * tests/engine/nodes_test.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "plan/place.h"
#include "play/play_internal.h"

static void *take_row(void *user) {
    return user;
}

static bool row_taken(void *user, double time) {
    (void)user, (void)time;
    return true;
}

/* Whom a scenario tells something before the run, in which it may change what it says: one message
 * more to each who looks at it. */
static bool is_told(const hk_model *model, const hk_plan_flow *flow, const char *told) {
    const char *name = model->components[flow->component].name;
    size_t length = strlen(name), size = told ? strlen(told) : 0;
    return told && flow->variable_count && length >= size &&
           strcmp(name + length - size, told) == 0;
}

/* What the plan says of a run that looks at LOOKS, or at what OPTIONS say. */
static uint64_t derive(hk_ctx *ctx, const hk_assembly *made, const hk_looks *looks,
                       const hk_sim_options *options, const char *told) {
    const hk_plan *plan = made->plan;
    unsigned count = made->request->nodes;
    uint32_t *node_of = hk_alloc((plan->model->component_count + 1) * sizeof *node_of);
    hk_place_components(plan, count, NULL, node_of);
    hk_placement placement = {.node_of = node_of, .node_count = count + 1, .recorder = count};
    hk_plan_flows *flows = NULL;
    hk_status status = options ? hk_part_flows(ctx, plan, &placement, options, &flows)
                               : hk_plan_flows_make(ctx, plan, &placement, looks, &flows);
    assert_int_equal(status, HK_OK);
    uint64_t sum = 0;
    for (size_t i = 0; i < flows->count; i++) {
        hk_flow_messages m = hk_plan_flow_messages(flows, &flows->all[i]);
        sum += m.before + m.during + m.at_end + is_told(plan->model, &flows->all[i], told);
    }
    hk_plan_flows_destroy(flows);
    hk_free(node_of);
    return sum;
}

static void compare(uint64_t sent, uint64_t derived, const hk_assembly *made, const char *what) {
    if (sent != derived)
        fail_msg("%s on %u nodes: %llu messages, not %llu", what, made->request->nodes,
                 (unsigned long long)sent, (unsigned long long)derived);
    assert_true(sent > 1000);
}

static void run_system(hk_ctx *ctx, const hk_assembly *made, const char *what) {
    hk_arena *arena = hk_arena_create();
    hk_recording recording;
    assert_int_equal(hk_recording_select(ctx, made->model, (hk_texts){0}, arena, &recording),
                     HK_OK);
    hk_listener listener = {
        .columns = recording.columns,
        .column_count = recording.column_count,
        .sink = {take_row, row_taken, hk_arena_alloc(arena, recording.row_size + 8)}};
    hk_sim_options options = {.listeners = &listener, .listener_count = 1};
    hk_started started = {0};
    assert_int_equal(hk_assembly_start(ctx, made, made->plan, &options, NULL, &started), HK_OK);
    assert_int_equal(hk_started_run(&started, &(hk_checkpoints){0}), HK_OK);
    uint64_t derived = derive(ctx, made, &(hk_looks){0}, &options, NULL);
    compare(hk_nodes_messages(started.nodes), derived, made, what);
    hk_started_destroy(&started);
    hk_arena_destroy(arena);
}

typedef struct sample {
    const char *file, *schedule, *stop;
    const char *told; /* is stopped or started by the scenario, and heeds it */
} sample;

static void play(hk_ctx *ctx, const hk_assembly *made, const sample *s) {
    hk_arena *arena = hk_arena_create();
    hk_play_options o = {.only_run = 0, .no_logs = true};
    hk_looks looks;
    hk_stage *stage = NULL;
    hk_play_run run;
    assert_int_equal(hk_play_looks(ctx, made, &o, arena, &looks), HK_OK);
    assert_int_equal(hk_stage_make(ctx, made, &o, &stage), HK_OK);
    hk_run_play(ctx, arena, stage, (hk_run_key){0, 0}, &run);
    assert_int_equal(run.status, HK_OK);
    compare(run.messages, derive(ctx, made, &looks, NULL, s->told), made, s->file);
    hk_stage_destroy(stage);
    hk_arena_destroy(arena);
}

static void look_at(const sample *s, unsigned nodes, hk_transport transport) {
    hk_ctx *ctx = hk_ctx_create(NULL, NULL);
    char file[1024], schedule[1024];
    (void)snprintf(file, sizeof file, "%s/%s", HK_MODELS_DIR, s->file);
    (void)snprintf(schedule, sizeof schedule, "%s/%s", HK_MODELS_DIR,
                   s->schedule ? s->schedule : "");
    hk_request request;
    hk_assembly made = {0};
    assert_int_equal(hk_request_begin(ctx, file, &request), HK_OK);
    request.wishes.stop = (hk_wish){s->stop, HK_FROM_USER, "test"};
    request.schedule = s->schedule ? schedule : NULL;
    request.nodes = nodes;
    request.transport = transport;
    assert_int_equal(hk_assembly_open(ctx, &request, &made), HK_OK);
    assert_int_equal(hk_assembly_complete(ctx, &made), HK_OK);
    assert_int_equal(hk_assembly_plan(ctx, &made, true), HK_OK);
    if (made.simulation)
        play(ctx, &made, s);
    else
        run_system(ctx, &made, s->file);
    hk_assembly_close(&made);
    hk_ctx_destroy(ctx);
}

static void messages_are_those_of_the_plan(void **state) {
    (void)state;
    static const sample samples[] = {
        {"r_rosace.ssp", NULL, "1", NULL},
        {"r_rosace.ssp", "e2.schedule", "1", NULL},
        {"quarter_truck.ssp", NULL, "0.5", NULL},
        {"quarter_truck_fmi3.ssp", NULL, "0.5", NULL},
        {"auv/AuvSimulation.simulation", NULL, "0.5", "myMissionInterpreter"},
        {"language/case1.simulation", NULL, "1", NULL}};
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++)
        for (unsigned nodes = 2; nodes <= 3; nodes++)
            look_at(&samples[i], nodes, nodes == 2 ? HK_OVER_MEMORY : HK_OVER_SOCKETS);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(messages_are_those_of_the_plan)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
