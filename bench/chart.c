/* SPDX-License-Identifier: MIT
 *
 * A RoboChart controller: written by hand, as the C that hocket generates, and interpreted. All
 * three get the same inputs, of which no two are too near to each other, and must emit the same. */
#include "bench.h"

#include "chart/chart_component.h"
#include "chart_hand.h"
#include "native/native.h"

#include <math.h>
#include <string.h>

enum { CHUNK = 10000 };

/* One of them, running. */
typedef struct rover {
    int (*step)(void *self, double t, double h);
    void *self;
    double *l, *r, *alarm, *move, *light;
    hk_unit *unit; /* NULL: by hand */
    int64_t cycle;
    uint64_t moves, lights;
} rover;

HK_EXPORT const hk_unit_type *const *bench_rover_plugin(void);

static hk_status run_chunk(void *user) {
    rover *x = user;
    uint64_t moves = 0, lights = 0;
    for (int64_t end = x->cycle + CHUNK; x->cycle < end; x->cycle++) {
        *x->l = x->cycle % 20 == 3;
        *x->r = x->cycle % 20 == 9;
        *x->alarm = x->cycle % 20 == 15;
        if (x->step(x->self, (double)x->cycle, 1.0) != HK_STEP_OK)
            return HK_E_CONTROLLER;
        moves += *x->move > 0.5;
        lights += *x->light > 0.5;
    }
    x->moves += moves;
    x->lights += lights;
    return HK_OK;
}

static double *port(hk_unit *unit, const char *name) {
    return unit->unit_class->address(unit, hk_info_find(unit->info, name));
}

static hk_status open_rover(bench *b, const hk_info *info, rover *ret_rover) {
    const hk_unit_options options = {.name = "rover"};
    const hk_unit_class *class = info->unit_class;
    hk_unit *unit = NULL;
    hk_step_call step;
    HK_TRY(class->open(b->ctx, info, &options, &unit));
    hk_status status = class->enter_init(b->ctx, unit);
    if (status == HK_OK)
        status = hk_unit_exit_init(b->ctx, unit);
    if (status != HK_OK) {
        class->close(unit);
        return status;
    }
    class->bind_step(unit, &step);
    *ret_rover = (rover){.step = step.fn.plain,
                         .self = step.self,
                         .l = port(unit, "l"),
                         .r = port(unit, "r"),
                         .alarm = port(unit, "alarm"),
                         .move = port(unit, "move"),
                         .light = port(unit, "lightOn"),
                         .unit = unit};
    return HK_OK;
}

/* Against the one by hand, which begins anew. */
static hk_status measure(bench *b, const hk_info *info, const char *name, double limit) {
    hand_rover by_hand;
    rover hand = {.step = hand_rover_step,
                  .self = &by_hand,
                  .l = &by_hand.l,
                  .r = &by_hand.r,
                  .alarm = &by_hand.alarm,
                  .move = &by_hand.move,
                  .light = &by_hand.lightOn};
    rover other;
    bench_pairs results = {0};
    hand_rover_init(&by_hand);
    HK_TRY(open_rover(b, info, &other));
    hk_status status = bench_paired((bench_work){run_chunk, &hand}, (bench_work){run_chunk, &other},
                                    b->quick ? 20 : 100, &results);
    if (status == HK_OK && (hand.moves != other.moves || hand.lights != other.lights))
        status = hk_error(b->ctx, HK_E_INTERNAL, HK_NOWHERE, NULL,
                          "the rover moves %llu and lights %llu times, by hand %llu and %llu",
                          (unsigned long long)other.moves, (unsigned long long)other.lights,
                          (unsigned long long)hand.moves, (unsigned long long)hand.lights);
    const char *const names[2] = {"by hand", name};
    if (status == HK_OK)
        bench_report_two(b, &results, names, CHUNK, "cycle", (bench_limits){NAN, limit});
    bench_pairs_finish(&results);
    info->unit_class->close(other.unit);
    return status;
}

hk_status bench_chart(bench *b) {
    hk_model *model = hk_model_create("rover", NULL);
    const hk_info *code = NULL, *chart = NULL;
    hk_status status = hk_native_info(b->ctx, model, bench_rover_plugin()[0], &code);
    if (status == HK_OK)
        status = hk_chart_info(b->ctx, model, HK_BENCH_ROVER, NULL, &chart);
    if (status == HK_OK)
        status = measure(b, code, "generated C", 1.5);
    if (status == HK_OK)
        status = measure(b, chart, "interpreted", 10.0);
    hk_model_destroy(model);
    return status;
}
