/* SPDX-License-Identifier: MIT
 *
 * What is asked of a plan: costs, an allocation, the program, a chart. */
#include "base/file.h"
#include "plan/ages.h"
#include "report/plan_view.h"

#include <stdlib.h>
#include <string.h>

hk_status hk_view_check(hk_ctx *ctx, const hk_view_wishes *wishes) {
    if (wishes->gantt)
        HK_TRY(hk_picture_check(ctx, wishes->gantt, "charts"));
    if (wishes->shows.count && !wishes->program && !wishes->nodes)
        return hk_error(ctx, HK_E_USAGE, HK_NOWHERE, "add --program or --nodes N",
                        "--output-variable is about what --program and --nodes show");
    if (wishes->scenario && !wishes->nodes)
        return hk_error(ctx, HK_E_USAGE, HK_NOWHERE, "add --nodes N",
                        "--scenario is about what --nodes shows");
    const char *only = wishes->output ? "output" : wishes->cut ? "cut" : NULL;
    if (only && !wishes->processors)
        return hk_error(ctx, HK_E_USAGE, HK_NOWHERE, "add --allocate N",
                        "--%s is about the schedule that --allocate makes", only);
    return HK_OK;
}

/* The schedule that holds now: the allocation, the costs, and what else the schedule said. */
static hk_status write_schedule(hk_view *view, const char *path) {
    const char *old = view->request.schedule;
    char *text = NULL, *data = NULL;
    size_t size = 0, data_size = 0;
    if (old)
        HK_TRY(hk_file_read(view->ctx, old, 0, &data, &data_size));
    FILE *out = open_memstream(&text, &size);
    HK_ASSERT(out);
    hk_schedule_rewrite(out, view, data);
    (void)fclose(out);
    hk_status status = hk_file_write(view->ctx, path, text, size);
    free(text);
    hk_free(data);
    if (status == HK_OK)
        view->schedule_file = path;
    return status;
}

static hk_status allocate(hk_view *view, const hk_view_wishes *wishes) {
    const char *cut = wishes->cut;
    HK_ASSERT(wishes->processors <= HK_PROCESSORS_MAX);
    hk_allocate_options options = {.processors = wishes->processors,
                                   .algorithm = view->made.settings.algorithm,
                                   .cut = !cut                      ? view->model->cut
                                          : strcmp(cut, "hla") == 0 ? HK_CUT_HLA
                                                                    : HK_CUT_KEEP,
                                   .costs = view->costs};
    HK_TRY(hk_allocate(view->ctx, view->model, &options, &view->allocation));
    HK_TRY(hk_allocation_apply(view->ctx, view->model, view->allocation));
    if (wishes->output)
        HK_TRY(write_schedule(view, wishes->output));
    return hk_view_plan(view);
}

static hk_status draw(hk_view *view, const char *path) {
    if (!path)
        return HK_OK;
    hk_gantt_options options = {.title = view->model->name};
    HK_TRY(hk_picture_write(view->ctx, hk_gantt_draw(&view->gantt, &options, hk_canvas_create()),
                            path));
    view->gantt_file = path;
    return HK_OK;
}

hk_status hk_view_make(hk_view *view, const hk_view_wishes *wishes) {
    HK_ASSERT(view->model && !view->plan);
    HK_TRY(hk_view_declare_costs(view, wishes->costs));
    HK_TRY(hk_view_plan(view));
    HK_TRY(hk_view_find_costs(view, wishes->measure));
    if (wishes->processors)
        HK_TRY(allocate(view, wishes));
    if (wishes->program)
        HK_TRY(hk_view_program(view, wishes->shows));
    hk_gantt_init(&view->gantt, view->arena, view->plan, view->cost_s, HK_GANTT_INSTANTS);
    if (wishes->nodes)
        HK_TRY(hk_view_find_nodes(view, wishes));
    return draw(view, wishes->gantt);
}

hk_status hk_view_judge(const hk_view *view) {
    HK_ASSERT(view->plan);
    hk_plan_warn_load(view->ctx, view->plan);
    hk_status status = hk_plan_check_constraints(view->ctx, view->plan);
    hk_status overruns = hk_plan_check_overruns(view->ctx, view->plan);
    return status == HK_OK ? overruns : status;
}
