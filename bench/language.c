/* SPDX-License-Identifier: MIT
 *
 * Large system files in hocket's own language. */
#include "run.h"

#include "base/file.h"
#include "check/check.h"
#include "lang/lang.h"
#include "sound/sound.h"

#include <stdio.h>
#include <string.h>

/* --- language: a system file with very many components
 * -------------------------------------------*/

enum { WIDTH = 100, SMALL = 10000, LARGE = 100000 };

/* Composites in a chain, each with a chain of WIDTH leaves in it. */
static void put_system(FILE *out, size_t components) {
    fputs("system large {\n  composite root {\n", out);
    for (size_t c = 0; c < components / WIDTH; c++) {
        fprintf(out, "    composite c%zu {\n      input core.double u;\n", c);
        fputs("      output core.double y;\n      link u -> g0.u;\n", out);
        for (size_t i = 0; i < WIDTH; i++) {
            fprintf(out, "      leaf g%zu : hk.Gain { frequency 1000 Hz; param gain = 0.5; }\n", i);
            if (i)
                fprintf(out, "      link g%zu.y -> g%zu.u;\n", i - 1, i);
        }
        fprintf(out, "      link g%d.y -> y;\n    }\n", WIDTH - 1);
        if (c)
            fprintf(out, "    link c%zu.y -> c%zu.u;\n", c - 1, c);
    }
    fputs("  }\n}\n", out);
}

typedef struct sized {
    bench *b;
    const char *path;
    size_t count;
} sized;

static hk_status write_system(const sized *x) {
    FILE *out = fopen(x->path, "w");
    bool good = out != NULL;
    if (good) {
        put_system(out, x->count);
        good = !ferror(out);
        good = fclose(out) == 0 && good;
    }
    return good ? HK_OK
                : hk_error(x->b->ctx, HK_E_FILE_WRITE, (hk_where){.file = x->path}, NULL,
                           "the file cannot be written");
}

/* What `hocket check` does; in a chain each component has a level of its own. */
static hk_status read_system(void *user) {
    const sized *x = user;
    hk_model *model;
    hk_plan *plan = NULL;
    hk_plan_options options = {.algorithm = HK_GAUSS_SEIDEL};
    HK_TRY(hk_system_read(x->b->ctx, x->path, &model));
    bench_run_set_time(model, 1);
    hk_status status = hk_check_model(x->b->ctx, model);
    hk_model_lower(model);
    if (status == HK_OK)
        status = hk_plan_make(x->b->ctx, model, &options, &plan);
    if (status == HK_OK)
        status = hk_sound_check_plan(x->b->ctx, plan, NULL);
    if (status == HK_OK &&
        (model->component_count != x->count || model->connection_count != x->count - 1))
        status = hk_error(x->b->ctx, HK_E_INTERNAL, (hk_where){.file = x->path}, NULL,
                          "%zu components and %zu connections were read", model->component_count,
                          model->connection_count);
    hk_plan_destroy(plan);
    hk_model_destroy(model);
    return status;
}

/* The small one as often as the large one is larger: what slows the machine down slows both. */
static hk_status read_small(void *user) {
    for (int i = 0; i < LARGE / SMALL; i++)
        HK_TRY(read_system(user));
    return HK_OK;
}

hk_status bench_language(bench *b) {
    static const char *const names[2] = {"10 x 10,000", "100,000"};
    hk_arena *arena = hk_arena_create();
    bench_pairs results = {0};
    sized small = {b, hk_path_join(arena, b->scratch, "small.system"), SMALL};
    sized large = {b, hk_path_join(arena, b->scratch, "large.system"), LARGE};
    hk_status status = write_system(&small);
    if (status == HK_OK)
        status = write_system(&large);
    if (status == HK_OK)
        status = bench_paired((bench_work){read_small, &small}, (bench_work){read_system, &large},
                              b->quick ? 1 : 7, &results);
    if (status == HK_OK) {
        double shortest = results.work[0];
        for (size_t i = 1; i < results.count; i++)
            shortest = results.work[i] < shortest ? results.work[i] : shortest;
        bench_report(b, "100,000 components", shortest / 1e9, 5, "s");
        bench_report_two(b, &results, names, LARGE, "component", (bench_limits){NAN, 1.5});
    }
    bench_pairs_finish(&results);
    hk_arena_destroy(arena);
    return status;
}
