/* SPDX-License-Identifier: MIT
 *
 * A RoboChart module as an FMU: by the C that is generated from it. */
#include "export/export_internal.h"

#include "base/file.h"
#include "base/number.h"
#include "chart/chart_ports.h"
#include "gen/chart_gen.h"

#include <math.h>
#include <string.h>

static size_t flag_of(const hk_chart_ports *ports, const hk_chart_port *value,
                      hk_chart_port_kind kind) {
    for (size_t i = 0; i < ports->count; i++)
        if (ports->all[i].kind == kind && ports->all[i].index == value->index)
            return i;
    HK_ASSERT(false);
    return 0;
}

/* Events are clocks; so there is no edge to wait for, and time is that of the cycle's clock. */
static hk_export_event event_of(const hk_chart_ports *ports, const hk_chart_port *p) {
    switch (p->kind) {
    case HK_CHART_PORT_RECEIVED:
        return (hk_export_event){HK_EXPORT_CLOCK_IN, 0};
    case HK_CHART_PORT_SENT:
    case HK_CHART_PORT_CALLED:
        return (hk_export_event){HK_EXPORT_CLOCK_OUT, 0};
    case HK_CHART_PORT_RECEIVED_VALUE:
        return (hk_export_event){HK_EXPORT_CLOCKED, flag_of(ports, p, HK_CHART_PORT_RECEIVED)};
    case HK_CHART_PORT_SENT_VALUE:
        return (hk_export_event){HK_EXPORT_CLOCKED, flag_of(ports, p, HK_CHART_PORT_SENT)};
    case HK_CHART_PORT_ARGUMENT:
        return (hk_export_event){HK_EXPORT_CLOCKED, flag_of(ports, p, HK_CHART_PORT_CALLED)};
    case HK_CHART_PORT_EDGE:
    case HK_CHART_PORT_TIME_UNIT:
        return (hk_export_event){HK_EXPORT_HIDDEN, 0};
    default:
        return (hk_export_event){HK_EXPORT_PLAIN, 0};
    }
}

/* The length of a time unit: that of a cycle, if it is given, says it; else it is a second. */
static hk_status time_unit(hk_ctx *ctx, const hk_chart *chart, const char *cycle, double *ret) {
    double length = 0.0;
    *ret = 1.0;
    if (!cycle)
        return HK_OK;
    if (!hk_read_f64(cycle, strlen(cycle), &length) || !isfinite(length) || !(length > 0.0))
        return hk_error(ctx, HK_E_USAGE, HK_NOWHERE, "a number of seconds above 0",
                        "'%s' is not a step size", cycle);
    *ret = length / hk_ratio_to_double(chart->cycle);
    return HK_OK;
}

static hk_status judge(hk_ctx *ctx, const hk_export_options *options) {
    if (options->file_count != 1)
        return hk_error(ctx, HK_E_USAGE, HK_NOWHERE, NULL,
                        "one RoboChart file is exported at a time, not %zu files",
                        options->file_count);
    if (options->define_count || options->include_count)
        return hk_error(ctx, HK_E_USAGE, HK_NOWHERE, "leave them out",
                        "--define and --include are for C files");
    return HK_OK;
}

static hk_status make(hk_ctx *ctx, hk_arena *arena, const hk_export_options *options,
                      const char *folder, hk_export_result *ret_result) {
    const hk_chart *chart = NULL;
    hk_chart_ports ports;
    HK_TRY(hk_chart_read(ctx, arena, options->files[0], options->type, &chart));
    HK_TRY(hk_chart_ports_make(ctx, arena, chart, &ports));
    double unit = 1.0;
    HK_TRY(time_unit(ctx, chart, options->step_size, &unit));
    hk_export_event *events = HK_NEW_ARRAY(arena, hk_export_event, ports.count + 1);
    for (size_t i = 0; i < ports.count; i++)
        events[i] = event_of(&ports, &ports.all[i]);
    char number[HK_NUMBER_MAX + 1];
    hk_export_cycle cycle = {.length = unit * hk_ratio_to_double(chart->cycle),
                             .events = options->fmi == 3 ? events : NULL};
    number[hk_write_f64(cycle.length, number)] = 0;
    hk_text text = {0};
    const char *file = hk_path_join(arena, folder, hk_arena_printf(arena, "%s.c", chart->name));
    hk_status status = hk_gen_chart_text(ctx, arena, chart, unit, &text);
    if (status == HK_OK)
        status = hk_file_write(ctx, file, text.data, text.size);
    hk_text_finish(&text);
    HK_TRY(status);
    hk_ctx_rename(ctx, file, chart->file);
    hk_export_options made = *options;
    made.files = &file;
    made.type = NULL;
    made.step_size = number;
    made.cycle = &cycle;
    made.made_from = chart->file;
    return hk_export_fmu(ctx, arena, &made, ret_result);
}

hk_status hk_export_chart(hk_ctx *ctx, hk_arena *arena, const hk_export_options *options,
                          hk_export_result *ret_result) {
    const char *folder = NULL;
    HK_TRY(judge(ctx, options));
    HK_TRY(hk_folder_temporary(ctx, arena, &folder));
    hk_status status = make(ctx, arena, options, folder, ret_result);
    hk_folder_remove(folder);
    return status;
}
