/* SPDX-License-Identifier: MIT
 *
 * Scenarios and masters in words, for `info`, `check` and `fmt`. */
#include "cli/info_master.h"

#include "base/file.h"
#include "sound/sound.h"

#include <string.h>
#include <strings.h>

typedef struct text {
    hk_sound_system *system;
    hk_sound_master *master; /* NULL: there is none */
    int64_t max_step;
    size_t connections;
} text;

bool hk_names_master(const char *path) {
    static const char *const extensions[] = {".master", ".conf", ".json"};
    for (size_t i = 0; i < sizeof extensions / sizeof *extensions; i++)
        if (strcasecmp(hk_path_extension(path), extensions[i]) == 0)
            return true;
    return false;
}

static hk_status read_text(hk_cli *cli, const char *path, text *ret_text) {
    char *data;
    size_t size;
    text t = {0};
    HK_TRY(hk_file_read(cli->ctx, path, 0, &data, &size));
    hk_status status = hk_sound_read_text(cli->ctx, cli->arena, path, data, size, &t.system,
                                          &t.master, &t.max_step);
    hk_free(data);
    for (size_t i = 0; status == HK_OK && i < t.system->port_count; i++)
        t.connections += !t.system->ports[i].is_output && t.system->ports[i].source != HK_MAP_NONE;
    *ret_text = t;
    return status;
}

/* Calls, those in loops among them. */
static size_t count_calls(const hk_sound_call *calls, size_t count) {
    size_t sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += calls[i].op == HK_OP_LOOP
                   ? count_calls(calls[i].loop->body, calls[i].loop->body_count) +
                         count_calls(calls[i].loop->retry, calls[i].loop->retry_count)
                   : 1;
    return sum;
}

static size_t count_ports(const hk_sound_system *system, uint32_t instance, bool outputs) {
    size_t count = 0;
    for (size_t i = 0; i < system->port_count; i++)
        count += system->ports[i].instance == instance && system->ports[i].is_output == outputs;
    return count;
}

static void put_json(hk_cli *cli, const char *path, const text *t) {
    hk_json json;
    hk_answer_begin(cli, &json, "info");
    hk_json_string(&json, "file", path);
    hk_json_string(&json, "kind", "master");
    hk_json_string(&json, "name", t->system->name);
    hk_json_i64(&json, "max_step", t->max_step);
    hk_json_array(&json, "instances");
    for (uint32_t i = 0; i < t->system->instance_count; i++) {
        const hk_sound_instance *instance = &t->system->instances[i];
        hk_json_object(&json, NULL);
        hk_json_string(&json, "name", instance->name);
        hk_json_i64(&json, "inputs", (int64_t)count_ports(t->system, i, false));
        hk_json_i64(&json, "outputs", (int64_t)count_ports(t->system, i, true));
        hk_json_bool(&json, "can_reject", instance->can_reject);
        hk_json_end(&json);
    }
    hk_json_end(&json);
    hk_json_i64(&json, "connections", (int64_t)t->connections);
    hk_json_bool(&json, "algorithm", t->master != NULL);
    hk_answer_end(&json);
}

static void print_text(const text *t) {
    hk_put_clean(stdout, t->system->name);
    printf(": a scenario of %zu instances, %zu connections, steps of at most %lld\n",
           t->system->instance_count, t->connections, (long long)t->max_step);
    for (uint32_t i = 0; i < t->system->instance_count; i++) {
        const hk_sound_instance *instance = &t->system->instances[i];
        printf("  ");
        hk_put_clean(stdout, instance->name);
        printf(": %zu inputs, %zu outputs%s%s%s\n", count_ports(t->system, i, false),
               count_ports(t->system, i, true), instance->can_reject ? ", can reject" : "",
               instance->can_save ? "" : ", cannot save", instance->is_fmu ? "" : ", native");
    }
    if (t->master)
        printf("an algorithm of %zu calls before the first step and %zu in each; 'hocket prove' "
               "checks it\n",
               count_calls(t->master->init, t->master->init_count),
               count_calls(t->master->step, t->master->step_count));
    else
        printf("no algorithm; 'hocket prove' makes one\n");
}

hk_status hk_info_master(hk_cli *cli, const char *path) {
    text t;
    HK_TRY(read_text(cli, path, &t));
    if (cli->json)
        put_json(cli, path, &t);
    else
        print_text(&t);
    return HK_OK;
}

hk_status hk_check_master(hk_cli *cli, const char *path, size_t *ret_instances,
                          size_t *ret_connections) {
    text t;
    bool legal;
    HK_TRY(read_text(cli, path, &t));
    *ret_instances = t.system->instance_count;
    *ret_connections = t.connections;
    if (!t.master)
        return HK_OK;
    hk_sound_verdict v =
        hk_sound_keeps_contract(cli->arena, t.system, t.master, t.max_step, &legal);
    int line = v.trace_count && !v.trace_after ? v.trace[v.trace_count - 1].line : 0;
    if (!v.holds)
        return hk_error(cli->ctx, HK_E_UNSOUND, (hk_where){.file = path, .line = line}, v.hint,
                        "%s", v.why);
    if (v.fmi)
        return hk_error(cli->ctx, HK_E_UNSOUND, (hk_where){.file = path}, NULL, "%s", v.fmi);
    return HK_OK;
}

/* The line of the first comment; 0: there is none. */
static int find_comment(const char *data, size_t size) {
    int line = 1;
    bool quoted = false;
    for (size_t i = 0; i < size; i++) {
        line += data[i] == '\n';
        quoted = quoted != (data[i] == '"');
        if (!quoted && data[i] == '/' && i + 1 < size && (data[i + 1] == '/' || data[i + 1] == '*'))
            return line;
    }
    return 0;
}

hk_status hk_format_master(hk_cli *cli, const char *path, const char *data, size_t size,
                           const char **ret_text) {
    hk_sound_system *system;
    hk_sound_master *master;
    int64_t max_step;
    HK_TRY(hk_sound_read_text(cli->ctx, cli->arena, path, data, size, &system, &master, &max_step));
    int line = find_comment(data, size);
    if (line && strcasecmp(hk_path_extension(path), ".master") == 0)
        return hk_error(cli->ctx, HK_E_CHECK_FAILED, (hk_where){.file = path, .line = line},
                        "lay it out by hand, or take them out",
                        "the comments of a .master would be lost");
    *ret_text = hk_sound_print_text(cli->arena, system, master, max_step);
    return HK_OK;
}
