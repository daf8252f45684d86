/* SPDX-License-Identifier: MIT
 *
 * Scenarios and masters in words, for `info` and `check`. */
#include "base/file.h"
#include "report/check_report.h"
#include "report/info_report_internal.h"

#include <string.h>
#include <strings.h>

bool hk_names_master(const char *path) {
    static const char *const extensions[] = {".master", ".conf", ".json"};
    for (size_t i = 0; i < sizeof extensions / sizeof *extensions; i++)
        if (strcasecmp(hk_path_extension(path), extensions[i]) == 0)
            return true;
    return false;
}

hk_status hk_master_text_read(hk_ctx *ctx, hk_arena *arena, const char *path,
                              hk_master_text *ret_text) {
    char *data;
    size_t size;
    hk_master_text t = {0};
    HK_TRY(hk_file_read(ctx, path, 0, &data, &size));
    hk_status status = hk_sound_read_text(ctx, arena, &(hk_file_text){path, data, size}, &t.system,
                                          &t.master, &t.max_step);
    hk_free(data);
    for (size_t i = 0; status == HK_OK && i < t.system->port_count; i++)
        t.connections += !t.system->ports[i].is_output && t.system->ports[i].source != HK_MAP_NONE;
    *ret_text = t;
    return status;
}

size_t hk_master_text_ports(const hk_master_text *text, uint32_t instance, bool outputs) {
    const hk_sound_system *system = text->system;
    size_t count = 0;
    for (size_t i = 0; i < system->port_count; i++)
        count += system->ports[i].instance == instance && system->ports[i].is_output == outputs;
    return count;
}

hk_status hk_info_put_master(hk_report *report, const char *path) {
    hk_master_text text;
    HK_TRY(hk_master_text_read(report->ctx, report->arena, path, &text));
    const hk_master_text *t = &text;
    hk_json json;
    hk_report_begin(report, &json, "info");
    hk_json_string(&json, "file", path);
    hk_json_string(&json, "kind", "master");
    hk_json_string(&json, "name", t->system->name);
    hk_json_i64(&json, "max_step", t->max_step);
    HK_JSON_EACH(&json, "instances", i, t->system->instance_count) {
        const hk_sound_instance *instance = &t->system->instances[i];
        hk_json_string(&json, "name", instance->name);
        hk_json_i64(&json, "inputs", (int64_t)hk_master_text_ports(t, (uint32_t)i, false));
        hk_json_i64(&json, "outputs", (int64_t)hk_master_text_ports(t, (uint32_t)i, true));
        hk_json_bool(&json, "can_reject", instance->can_reject);
    }
    hk_json_i64(&json, "connections", (int64_t)t->connections);
    hk_json_bool(&json, "algorithm", t->master != NULL);
    hk_json_end(&json);
    return HK_OK;
}

hk_status hk_check_master(hk_ctx *ctx, hk_arena *arena, const char *path, size_t *ret_instances,
                          size_t *ret_connections) {
    hk_master_text t;
    bool legal;
    HK_TRY(hk_master_text_read(ctx, arena, path, &t));
    *ret_instances = t.system->instance_count;
    *ret_connections = t.connections;
    if (!t.master)
        return HK_OK;
    hk_sound_verdict v = hk_sound_keeps_contract(arena, t.system, t.master, t.max_step, &legal);
    int line = v.trace_count && !v.trace_after ? v.trace[v.trace_count - 1].line : 0;
    if (!v.holds)
        return hk_error(ctx, HK_E_UNSOUND, (hk_where){.file = path, .line = line}, v.hint, "%s",
                        v.why);
    if (v.fmi)
        return hk_error(ctx, HK_E_UNSOUND, (hk_where){.file = path}, NULL, "%s", v.fmi);
    return HK_OK;
}
