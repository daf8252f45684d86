/* SPDX-License-Identifier: MIT */
#include "report/run_report.h"

#include "base/file.h"
#include "format/sha256.h"
#include "record/about.h"

#include <string.h>

enum { HASH_LIMIT = 1 << 30 };

const char *hk_run_hash(hk_arena *arena, const char *file) {
    hk_ctx *silent = hk_ctx_create(NULL, NULL);
    char *data, hex[65];
    size_t size;
    const char *result = NULL;
    if (file && hk_file_read(silent, file, HASH_LIMIT, &data, &size) == HK_OK) {
        hk_sha256_hex(data, size, hex);
        result = hk_arena_strdup(arena, hex);
        hk_free(data);
    }
    hk_ctx_destroy(silent);
    return result;
}

double hk_run_factor(hk_sim *sim, double simulated_s) {
    double wall = hk_sim_profile(sim)->total_s;
    return wall > 0 ? simulated_s / wall : 0;
}

const char *hk_shell_word(hk_arena *arena, const char *text) {
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "_-./=+,:@%";
    if (*text && !text[strspn(text, plain)])
        return text;
    char *word = hk_arena_alloc(arena, 4 * strlen(text) + 3), *at = word;
    *at++ = '\'';
    for (; *text; text++) {
        if (*text == '\'') {
            memcpy(at, "'\\''", 4);
            at += 4;
        } else {
            *at++ = *text;
        }
    }
    *at = '\'';
    return word;
}

const char *hk_run_reproduce(hk_arena *arena, const char *command, const hk_settings *settings) {
    const char *line = command;
    for (size_t i = 0; i < settings->count; i++) {
        const struct hk_settings_row *row = &settings->rows[i];
        if (strcmp(row->value, "not given") != 0 && strcmp(row->value, "every step") != 0)
            line = hk_arena_printf(arena, "%s --%s=%s", line, row->name,
                                   hk_shell_word(arena, row->value));
    }
    return line;
}

static uint64_t component_steps(const hk_profile *profile) {
    uint64_t steps = 0;
    for (size_t i = 0; i < profile->row_count; i++)
        steps += profile->rows[i].steps;
    return steps;
}

static void put_components(const hk_run_answer *a, hk_json *json) {
    const hk_profile *p = hk_sim_profile(a->sim);
    HK_JSON_EACH(json, "components", i, p->row_count) {
        hk_json_string(json, "name", p->rows[i].name);
        hk_json_i64(json, "steps", (int64_t)p->rows[i].steps);
        hk_json_f64(json, "get_s", p->rows[i].get_s);
        hk_json_f64(json, "set_s", p->rows[i].set_s);
        hk_json_f64(json, "step_s", p->rows[i].step_s);
        if (a->real_time > 0) {
            hk_json_i64(json, "timed", (int64_t)p->rows[i].timed);
            hk_json_i64(json, "overran", (int64_t)p->rows[i].overran);
        }
    }
}

static void put_profile(const hk_run_answer *a, hk_json *json) {
    const hk_profile *p = hk_sim_profile(a->sim);
    hk_json_f64(json, "simulated_s", a->simulated_s);
    hk_json_f64(json, "wall_s", p->total_s);
    hk_json_f64(json, "init_s", p->init_s);
    hk_json_f64(json, "real_time_factor", hk_run_factor(a->sim, a->simulated_s));
    if (a->real_time > 0)
        hk_json_f64(json, "worst_late_s", hk_sim_worst_late(a->sim));
    hk_json_i64(json, "threads", hk_sim_threads(a->sim));
    hk_json_i64(json, "steps", (int64_t)p->instants);
    hk_json_i64(json, "component_steps", (int64_t)component_steps(p));
    hk_json_f64(json, "copy_s", p->copy_s);
    hk_json_f64(json, "record_s", p->record_s);
    put_components(a, json);
}

void hk_node_put(hk_json *json, const hk_node_about *node, bool paced) {
    hk_json_object(json, NULL);
    hk_report_texts(json, "components", node->components, node->component_count);
    hk_json_f64(json, "busy_s", node->did.busy_s);
    hk_json_f64(json, "wall_s", node->did.total_s);
    hk_json_i64(json, "waits", (int64_t)node->did.waits);
    hk_json_i64(json, "messages", (int64_t)node->sent);
    hk_json_i64(json, "threads", node->did.threads);
    if (paced)
        hk_json_f64(json, "worst_late_s", node->did.late_s);
    hk_json_end(json);
}

static void put_nodes(const hk_run_answer *a, hk_json *json) {
    hk_json_array(json, "nodes");
    for (unsigned i = 0; i < hk_nodes_count(a->nodes); i++) {
        hk_node_about node = hk_nodes_about(a->nodes, i);
        hk_node_put(json, &node, a->real_time > 0);
    }
    hk_json_end(json);
}

void hk_left_put(hk_json *json, const char *file, const hk_states_left *left) {
    if (!file)
        return;
    hk_json_object(json, "checkpoint");
    hk_json_string(json, "file", left->count ? file : NULL);
    hk_json_i64(json, "states", (int64_t)left->count);
    if (left->count)
        hk_json_f64(json, "time", left->last_s);
    hk_json_end(json);
}

void hk_fused_put(hk_json *json, const hk_fused_count *fused) {
    hk_json_object(json, "fused");
    hk_json_i64(json, "cells", (int64_t)fused->cells);
    hk_json_i64(json, "fused", (int64_t)fused->fused);
    hk_json_i64(json, "runs", (int64_t)fused->runs);
    hk_json_end(json);
}

static void put_ran(const hk_run_answer *a, hk_json *json) {
    hk_soundness sound = hk_sim_soundness(a->sim);
    hk_fused_count fused = hk_sim_fused(a->sim);
    hk_json_f64(json, "time", a->time);
    hk_json_string(json, "end_reason", a->interrupted ? "interrupted" : hk_sim_end_reason(a->sim));
    put_profile(a, json);
    if (a->nodes)
        put_nodes(a, json);
    hk_put_checked(json, "sound", &sound, a->contract);
    hk_put_coverage(json, &a->coverage);
    if (a->fused)
        hk_fused_put(json, &fused);
    if (a->record.file) {
        hk_json_object(json, "record");
        hk_json_string(json, "file", a->record.file);
        hk_json_i64(json, "rows", (int64_t)a->record.rows);
        hk_json_i64(json, "bytes", (int64_t)a->record.bytes);
        hk_json_i64(json, "columns", (int64_t)a->record.columns);
        hk_json_end(json);
    }
    hk_json_string(json, "plot", a->plot);
    if (a->page)
        hk_json_string(json, "report", a->page);
    hk_left_put(json, a->checkpoint, &a->left);
    hk_json_string(json, "state", a->state);
    hk_json_string(json, "trace", a->trace);
    hk_json_string(json, "log", a->log);
}

void hk_run_put(const hk_run_answer *a, hk_arena *arena, hk_json *json) {
    hk_json_string(json, "file", a->file);
    hk_json_string(json, "sha256", hk_run_hash(arena, a->file));
    hk_json_string(json, "status", hk_report_status(arena, a->status));
    hk_json_i64(json, "exit", hk_status_exit(a->status));
    hk_report_settings(json, a->settings);
    if (a->sim)
        put_ran(a, json);
    hk_json_string(json, "reproduce", a->reproduce);
}
