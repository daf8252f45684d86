/* SPDX-License-Identifier: MIT */
#include "cli/request.h"

#include "engine/sim.h"

#include <string.h>

void hk_settings_print(const hk_settings *settings, FILE *out) {
    for (size_t i = 0; i < settings->count; i++) {
        const struct hk_settings_row *row = &settings->rows[i];
        fprintf(out, "%-16s %-14s %s\n", row->name, row->value, row->from);
    }
    for (size_t i = 0; i < settings->value_count; i++) {
        const struct hk_settings_row *row = &settings->values[i];
        fprintf(out, "set %-12s %-14s %s\n", row->name, row->value, row->from);
    }
}

static void put_rows(const struct hk_settings_row *rows, size_t count, hk_json *json) {
    for (size_t i = 0; i < count; i++) {
        const struct hk_settings_row *row = &rows[i];
        hk_json_object(json, row->name);
        hk_json_string(json, "value", row->value);
        hk_json_string(json, "source", hk_source_name(row->source));
        hk_json_string(json, "from", row->from);
        hk_json_end(json);
    }
}

void hk_settings_put(const hk_settings *settings, hk_json *json) {
    hk_json_object(json, "settings");
    put_rows(settings->rows, settings->count, json);
    hk_json_end(json);
    if (!settings->value_count)
        return;
    hk_json_object(json, "start_values");
    put_rows(settings->values, settings->value_count, json);
    hk_json_end(json);
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

static hk_status read_wishes(hk_cli *cli, const hk_args *args, hk_request *r) {
    const char *state = value_of(args, "load-state"), *stop = value_of(args, "stop-time");
    r->wishes = (hk_wishes){
        .start = hk_wish_of(value_of(args, "start-time"), "HK_START_TIME"),
        .stop = hk_wish_of(stop, "HK_STOP_TIME"),
        .duration = {value_of(args, "duration"), HK_FROM_USER, "command line"},
        .step = hk_wish_of(value_of(args, "step-size"), "HK_STEP_SIZE"),
        .output_interval = hk_wish_of(value_of(args, "output-interval"), "HK_OUTPUT_INTERVAL"),
        .tolerance = hk_wish_of(value_of(args, "tolerance"), "HK_TOLERANCE"),
        .algorithm = hk_wish_of(value_of(args, "algorithm"), "HK_ALGORITHM"),
        /* Else the time of the state does not matter yet, or at all. */
        .resumes = state && !stop && r->kind != HK_FILE_SIMULATION,
        .tell_stop = takes(args, "tell-stop-time") && hk_args_has(args, "tell-stop-time"),
        .simulation = r->kind == HK_FILE_SIMULATION ? r->file : NULL,
    };
    return r->wishes.resumes ? hk_snapshot_time(cli->ctx, state, &r->wishes.resumed) : HK_OK;
}

hk_status hk_request_read(hk_cli *cli, const hk_args *args, const char *file,
                          hk_request *ret_request) {
    hk_request *r = ret_request;
    const char *monitor = value_of(args, "monitor");
    HK_TRY(hk_request_begin(cli->ctx, file, r));
    r->system = value_of(args, "system");
    r->defines = hk_request_texts(cli, args, "define");
    r->schedule = value_of(args, "schedule");
    r->parameter_set = value_of(args, "parameter-set");
    r->master = value_of(args, "master");
    r->tables = hk_request_texts(cli, args, "input-file");
    r->set_files = hk_request_texts(cli, args, "set-file");
    r->sets = hk_request_texts(cli, args, "set");
    r->stop_when = hk_request_texts(cli, args, "stop-when");
    r->contract = monitor && strcmp(monitor, "contract") == 0;
    return read_wishes(cli, args, r);
}
