/* SPDX-License-Identifier: MIT */
#include "cli/request.h"

#include "engine/sim.h"

#include <string.h>

static void print_rows(const struct hk_settings_row *rows, size_t count, FILE *out) {
    for (size_t i = 0; i < count; i++)
        fprintf(out, "%-16s %-14s %s\n", rows[i].name, rows[i].value, rows[i].from);
}

void hk_settings_print(const hk_settings *settings, FILE *out) {
    print_rows(settings->rows, settings->count, out);
    print_rows(settings->ways, settings->way_count, out);
    for (size_t i = 0; i < settings->value_count; i++) {
        const struct hk_settings_row *row = &settings->values[i];
        fprintf(out, "set %-12s %-14s %s\n", row->name, row->value, row->from);
    }
}

static bool takes(const hk_args *args, const char *option) {
    const hk_option *o;
    for (size_t i = 0; (o = hk_option_at(args->own, i)); i++)
        if (strcmp(o->name, option) == 0)
            return true;
    return false;
}

static const char *value_of(const hk_args *args, const char *option) {
    return takes(args, option) ? hk_args_value(args, option) : NULL;
}

hk_texts hk_request_texts(hk_cli *cli, const hk_args *args, const char *option) {
    size_t count = 0;
    if (!takes(args, option))
        return (hk_texts){0};
    while (hk_args_nth(args, option, count))
        count++;
    const char **all = HK_NEW_ARRAY(cli->arena, const char *, count + 1);
    for (size_t i = 0; i < count; i++)
        all[i] = hk_args_nth(args, option, i);
    return (hk_texts){all, count};
}

const char *const hk_request_ways[HK_WAYS] = {"threads", "nodes", "transport", "meet",  "isolate",
                                              "sandbox", "allow", "limit",     "remote"};

void hk_request_tell_ways(hk_cli *cli, const hk_args *args, hk_settings *ret_settings) {
    struct hk_settings_row *rows = HK_NEW_ARRAY(cli->arena, struct hk_settings_row, HK_WAYS);
    size_t count = 0;
    for (size_t i = 0; i < HK_WAYS; i++) {
        hk_texts given = hk_request_texts(cli, args, hk_request_ways[i]);
        const char *value = given.count ? given.all[0] : NULL;
        for (size_t k = 1; k < given.count; k++)
            value = hk_arena_printf(cli->arena, "%s %s", value, given.all[k]);
        if (value)
            rows[count++] =
                (struct hk_settings_row){hk_request_ways[i], value, HK_FROM_USER, "command line"};
    }
    ret_settings->ways = rows;
    ret_settings->way_count = count;
}

static hk_status resume(hk_cli *cli, const char *state, hk_wishes *w) {
    w->resumes = state != NULL;
    return state ? hk_snapshot_time(cli->ctx, state, &w->resumed) : HK_OK;
}

static hk_wishes read_wishes(const hk_args *args) {
    return (hk_wishes){
        .start = hk_wish_of(value_of(args, "start-time"), "HK_START_TIME"),
        .stop = hk_wish_of(value_of(args, "stop-time"), "HK_STOP_TIME"),
        .duration = {value_of(args, "duration"), HK_FROM_USER, "command line"},
        .step = hk_wish_of(value_of(args, "step-size"), "HK_STEP_SIZE"),
        .output_interval = hk_wish_of(value_of(args, "output-interval"), "HK_OUTPUT_INTERVAL"),
        .tolerance = hk_wish_of(value_of(args, "tolerance"), "HK_TOLERANCE"),
        .algorithm = hk_wish_of(value_of(args, "algorithm"), "HK_ALGORITHM"),
        .tell_stop = takes(args, "tell-stop-time") && hk_args_has(args, "tell-stop-time"),
    };
}

hk_request hk_request_options(hk_cli *cli, const hk_args *args) {
    const char *monitor = value_of(args, "monitor");
    return (hk_request){.system = value_of(args, "system"),
                        .defines = hk_request_texts(cli, args, "define"),
                        .schedule = value_of(args, "schedule"),
                        .parameter_set = value_of(args, "parameter-set"),
                        .master = value_of(args, "master"),
                        .wishes = read_wishes(args),
                        .isolate = hk_request_texts(cli, args, "isolate"),
                        .sandbox = hk_request_texts(cli, args, "sandbox"),
                        .allow = hk_request_texts(cli, args, "allow"),
                        .limits = hk_request_texts(cli, args, "limit"),
                        .remote = hk_request_texts(cli, args, "remote"),
                        .tables = hk_request_texts(cli, args, "input-file"),
                        .set_files = hk_request_texts(cli, args, "set-file"),
                        .sets = hk_request_texts(cli, args, "set"),
                        .stop_when = hk_request_texts(cli, args, "stop-when"),
                        .contract = monitor && strcmp(monitor, "contract") == 0};
}

hk_status hk_request_read(hk_cli *cli, const hk_args *args, const char *file,
                          hk_request *ret_request) {
    hk_request common = hk_request_options(cli, args);
    const char *state = value_of(args, "load-state");
    state = state ? state : value_of(args, "resume");
    HK_TRY(hk_request_for(cli->ctx, &common, file, ret_request));
    /* Else the time of the state does not matter yet, or at all. */
    if (!value_of(args, "stop-time"))
        HK_TRY(resume(cli, state, &ret_request->wishes));
    return HK_OK;
}
