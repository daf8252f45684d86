/* SPDX-License-Identifier: MIT */
#include "report/report.h"

#include <hk/version.h>

#include <math.h>

#define TEXT(x)    #x
#define TEXT_OF(x) TEXT(x)

static const char version[] =
    TEXT_OF(HK_VERSION_MAJOR) "." TEXT_OF(HK_VERSION_MINOR) "." TEXT_OF(HK_VERSION_PATCH);

void hk_report_head(hk_json *json, const char *name) {
    char schema[64];
    snprintf(schema, sizeof schema, "hocket.%s/1", name);
    hk_json_string(json, "schema", schema);
    hk_json_string(json, "version", version);
}

void hk_report_begin(hk_report *report, hk_json *json, const char *name) {
    HK_ASSERT(report->out && !report->answered);
    hk_json_begin_object(json, report->out);
    hk_report_head(json, name);
    report->answered = true;
}

const char *hk_report_status(hk_arena *arena, hk_status status) {
    return status == HK_OK ? "ok" : hk_arena_printf(arena, "HK%04d", (int)status);
}

const char *hk_severity_name(hk_severity severity) {
    return severity == HK_ERROR ? "error" : severity == HK_WARNING ? "warning" : "note";
}

void hk_report_diag(hk_json *json, const char *key, const hk_diag *diag) {
    char code[16] = "";
    if (diag->code != HK_OK)
        snprintf(code, sizeof code, "HK%04d", (int)diag->code);
    hk_json_object(json, key);
    hk_json_string(json, "severity", hk_severity_name(diag->severity));
    hk_json_string(json, "code", *code ? code : NULL);
    hk_json_string(json, "file", diag->where.file);
    if (diag->where.line > 0)
        hk_json_i64(json, "line", diag->where.line);
    if (diag->where.column > 0)
        hk_json_i64(json, "column", diag->where.column);
    hk_json_string(json, "element", diag->where.element);
    hk_json_string(json, "text", diag->text);
    hk_json_string(json, "hint", diag->hint);
    hk_json_end(json);
}

void hk_report_texts(hk_json *json, const char *key, const char *const *texts, size_t count) {
    hk_json_array(json, key);
    for (size_t i = 0; i < count; i++)
        hk_json_string(json, NULL, texts[i]);
    hk_json_end(json);
}

void hk_report_optional(hk_json *json, const char *key, double value) {
    if (!isnan(value))
        hk_json_f64(json, key, value);
}

static void put_rows(hk_json *json, const struct hk_settings_row *rows, size_t count) {
    for (size_t i = 0; i < count; i++) {
        const struct hk_settings_row *row = &rows[i];
        hk_json_object(json, row->name);
        hk_json_string(json, "value", row->value);
        hk_json_string(json, "source", hk_source_name(row->source));
        hk_json_string(json, "from", row->from);
        hk_json_end(json);
    }
}

void hk_report_settings(hk_json *json, const hk_settings *settings) {
    hk_json_object(json, "settings");
    put_rows(json, settings->rows, settings->count);
    put_rows(json, settings->ways, settings->way_count);
    hk_json_end(json);
    if (!settings->value_count)
        return;
    hk_json_object(json, "start_values");
    put_rows(json, settings->values, settings->value_count);
    hk_json_end(json);
}

hk_status hk_request_for(hk_ctx *ctx, const hk_request *common, const char *path,
                         hk_request *ret_request) {
    hk_request request;
    HK_TRY(hk_request_begin(ctx, path, &request));
    hk_file_kind kind = request.kind;
    request = *common;
    request.file = path;
    request.kind = kind;
    request.wishes.simulation = kind == HK_FILE_SIMULATION ? path : NULL;
    *ret_request = request;
    return HK_OK;
}
