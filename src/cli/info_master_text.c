/* SPDX-License-Identifier: MIT
 *
 * Scenarios and masters in words, for `info` and `fmt`. */
#include "cli/info_master.h"
#include "cli/info_view.h"

#include "base/file.h"
#include "sound/sound.h"

#include <string.h>
#include <strings.h>

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

static void print_text(const hk_master_text *t) {
    hk_put_clean(stdout, t->system->name);
    printf(": a scenario of %zu instance%s, %zu connection%s, steps of at most %lld\n",
           t->system->instance_count, hk_plural(t->system->instance_count), t->connections,
           hk_plural(t->connections), (long long)t->max_step);
    for (uint32_t i = 0; i < t->system->instance_count; i++) {
        const hk_sound_instance *instance = &t->system->instances[i];
        printf("  ");
        hk_put_clean(stdout, instance->name);
        size_t inputs = hk_master_text_ports(t, i, false);
        size_t outputs = hk_master_text_ports(t, i, true);
        printf(": %zu input%s, %zu output%s%s%s%s\n", inputs, hk_plural(inputs), outputs,
               hk_plural(outputs), instance->can_reject ? ", can reject" : "",
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
    hk_master_text t;
    HK_TRY(hk_master_text_read(cli->ctx, cli->arena, path, &t));
    print_text(&t);
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
    HK_TRY(hk_sound_read_text(cli->ctx, cli->arena, &(hk_file_text){path, data, size}, &system,
                              &master, &max_step));
    int line = find_comment(data, size);
    if (line && strcasecmp(hk_path_extension(path), ".master") == 0)
        return hk_error(cli->ctx, HK_E_CHECK_FAILED, (hk_where){.file = path, .line = line},
                        "lay it out by hand, or take them out",
                        "the comments of a .master would be lost");
    *ret_text = hk_sound_print_text(cli->arena, system, master, max_step);
    return HK_OK;
}
