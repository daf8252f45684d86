/* SPDX-License-Identifier: MIT
 *
 * `hocket run`: what the FMUs say, on standard error (--fmi-logging, --log-category) and in a file
 * (--log-file). */
#include "base/map.h"
#include "cli/run.h"
#include "fmi/fmi.h"

#include <stdlib.h>
#include <string.h>

bool hk_run_log_shown(const hk_args *args) {
    return hk_args_has(args, "fmi-logging") || hk_args_has(args, "log-category");
}

/* ---- on standard error ---- */

static void put_json(const char *instance, int status, const char *category, const char *message) {
    hk_json json;
    hk_json_begin_object(&json, stderr);
    hk_json_string(&json, "instance", instance);
    hk_json_i64(&json, "fmi_status", status);
    hk_json_string(&json, "category", category);
    hk_json_string(&json, "message", message);
    hk_json_end(&json);
}

/* Lines stay lines; all but the first are indented, so that none can pass for another message. */
static void put_message(void *user, const char *instance, int status, const char *category,
                        const char *message) {
    const hk_cli *cli = user;
    if (cli->json) {
        put_json(instance, status, category, message);
        return;
    }
    size_t length = strlen(message);
    while (length && strchr(" \t\r\n", message[length - 1]))
        length--;
    fprintf(stderr, "%s[", cli->redrawn_line ? "\r\033[K" : "");
    hk_put_clean(stderr, instance);
    fprintf(stderr, "]%s", category ? " " : "");
    hk_put_clean(stderr, category ? category : "");
    fputs(": ", stderr);
    for (const char *line = message, *end = message + length; line < end;) {
        size_t size = strcspn(line, "\n");
        size = size < (size_t)(end - line) ? size : (size_t)(end - line);
        size_t shown = size && line[size - 1] == '\r' ? size - 1 : size;
        hk_put_clean_part(stderr, line, shown);
        line += size + 1;
        fputs(line < end ? "\n    " : "", stderr);
    }
    fputc('\n', stderr);
}

/* ---- categories ---- */

/* The FMU behind a component; NULL: it is none. */
static const hk_fmu_facts *facts_of(const hk_component *component) {
    const hk_info *info = component->info;
    return info && info->can.fmi && info->origin ? hk_fmu_get_facts(info->origin) : NULL;
}

static bool has_category(const hk_fmu_facts *facts, const char *name) {
    for (size_t i = 0; i < facts->log_category_count; i++)
        if (strcmp(facts->log_categories[i], name) == 0)
            return true;
    return false;
}

/* All categories of all FMUs, each once. */
static const char *list_categories(hk_arena *arena, const hk_model *model) {
    hk_map seen = {0};
    const char *text = "";
    for (size_t c = 0; c < model->component_count; c++) {
        const hk_fmu_facts *facts = facts_of(&model->components[c]);
        for (size_t i = 0; facts && i < facts->log_category_count; i++) {
            uint32_t count = (uint32_t)seen.count;
            if (hk_map_put(&seen, facts->log_categories[i], count) == count)
                text = hk_arena_printf(arena, "%s%s%s", text, *text ? ", " : "",
                                       facts->log_categories[i]);
        }
    }
    hk_map_finish(&seen);
    return text;
}

static hk_status check_category(hk_cli *cli, const hk_model *model, const char *name) {
    for (size_t c = 0; c < model->component_count; c++) {
        const hk_fmu_facts *facts = facts_of(&model->components[c]);
        if (facts && has_category(facts, name))
            return HK_OK;
    }
    const char *list = list_categories(cli->arena, model);
    return hk_error(cli->ctx, HK_E_USAGE, HK_NOWHERE,
                    *list ? hk_arena_printf(cli->arena, "there are: %s", list)
                          : "no FMU here names categories; --fmi-logging shows all messages",
                    "--log-category: no FMU has the log category '%s'", name);
}

hk_status hk_run_log_categories(hk_cli *cli, const hk_args *args, const hk_model *model) {
    hk_texts names = hk_request_texts(cli, args, "log-category");
    for (size_t i = 0; i < names.count; i++)
        HK_TRY(check_category(cli, model, names.all[i]));
    if (names.count)
        hk_fmu_set_categories(names.all, names.count);
    return HK_OK;
}

/* ---- the file ---- */

static size_t whole_lines(const char *data, size_t size) {
    while (size && data[size - 1] != '\n')
        size--;
    return size;
}

/* One line per message, and each is written at once: what was said before a crash is there. */
static void write_message(void *user, const hk_fmu_message *message) {
    hk_run_log *log = user;
    char *text = NULL;
    size_t size = 0;
    if (log->problem)
        return;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return;
    hk_json json;
    hk_json_begin_object(&json, out);
    hk_json_f64(&json, "time", message->time);
    hk_json_string(&json, "instance", message->instance);
    hk_json_string(&json, "status", hk_fmu_status_name(message->status));
    hk_json_string(&json, "category", message->category);
    hk_json_string(&json, "message", message->text);
    hk_json_end(&json);
    fclose(out);
    log->problem = hk_outfile_write(&log->file, text, size, whole_lines);
    free(text);
}

void hk_run_log_show(hk_cli *cli, const hk_args *args) {
    if (hk_run_log_shown(args))
        hk_fmu_set_log(put_message, cli);
}

hk_status hk_run_log_open(hk_run *run) {
    const char *path = hk_args_value(run->args, "log-file");
    hk_run_log *log = &run->log;
    hk_run_log_show(run->cli, run->args);
    if (!path)
        return HK_OK;
    if (strcmp(path, "-") == 0)
        return hk_error(run->cli->ctx, HK_E_USAGE, HK_NOWHERE,
                        "name a file (./- if it is to be called so), or use --fmi-logging",
                        "--log-file: standard output cannot take what the FMUs say");
    hk_outfile_init(&log->file, path, "the log file");
    HK_TRY(hk_outfile_check(run->cli->ctx, &log->file));
    log->open = true;
    log->problem = hk_outfile_write(&log->file, "", 0, whole_lines); /* it is there, if empty */
    hk_fmu_set_journal(write_message, log);
    return log->problem ? hk_outfile_error(run->cli->ctx, &log->file, log->problem) : HK_OK;
}

hk_status hk_run_log_close(hk_run *run, hk_status status) {
    hk_run_log *log = &run->log;
    hk_fmu_set_log(NULL, NULL);
    hk_fmu_set_journal(NULL, NULL);
    hk_fmu_set_categories(NULL, 0);
    if (!log->open)
        return status;
    log->open = false;
    int closed = hk_outfile_close(&log->file);
    int problem = log->problem ? log->problem : closed;
    if (!problem)
        hk_written_note(&run->written, log->file.path);
    return problem && status == HK_OK ? hk_outfile_error(run->cli->ctx, &log->file, problem)
                                      : status;
}
