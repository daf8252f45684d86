/* SPDX-License-Identifier: MIT */
#include "assembly/agreed.h"

#include "base/claims.h"
#include "base/file.h"
#include "format/sha256.h"

#include <stdlib.h>
#include <string.h>

enum { HASH_LIMIT = 1 << 30, HASH_SHOWN = 16 };

/* A file that is gone by now, or too large, is known by its name alone. */
static const char *hash_of(hk_arena *arena, const char *path) {
    hk_ctx *silent = hk_ctx_create(NULL, NULL);
    char *data, hex[65];
    size_t size;
    const char *hash = "";
    if (hk_file_read(silent, path, HASH_LIMIT, &data, &size) == HK_OK) {
        hk_sha256_hex(data, size, hex);
        hash = hk_arena_printf(arena, "%.*s", HASH_SHOWN, hex);
        hk_free(data);
    }
    hk_ctx_destroy(silent);
    return hash;
}

typedef struct content {
    const char *name, *hash;
} content;

static int by_name(const void *a, const void *b) {
    const content *x = a, *y = b;
    int order = strcmp(x->name, y->name);
    return order ? order : strcmp(x->hash, y->hash);
}

/* What was unpacked from a package is known by the package; which file is read first does not
 * matter. */
static void agree_on_files(hk_ctx *ctx, hk_agreement *a) {
    size_t count = 0, kept = 0;
    const char **paths = hk_claim_list_read(ctx, a->arena, &count);
    content *all = HK_NEW_ARRAY(a->arena, content, count + 1);
    for (size_t i = 0; i < count; i++)
        if (!hk_path_is_temporary(hk_path_real(a->arena, paths[i])))
            all[kept++] = (content){hk_path_name(paths[i]), hash_of(a->arena, paths[i])};
    qsort(all, kept, sizeof *all, by_name);
    for (size_t i = 0; i < kept; i++)
        if (i == 0 || by_name(&all[i - 1], &all[i]) != 0)
            hk_agreement_add(a, hk_arena_printf(a->arena, "the file '%s'", all[i].name),
                             all[i].hash);
}

static void agree_on_texts(hk_agreement *a, const char *option, hk_texts texts) {
    for (size_t i = 0; i < texts.count; i++)
        hk_agreement_add(a, hk_arena_printf(a->arena, "--%s (the %zu.)", option, i + 1),
                         texts.all[i]);
}

static bool is_of_this_process(const char *setting) {
    static const char *const own[] = {"timeout", "real-time", "watchdog"};
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        if (strcmp(setting, own[i]) == 0)
            return true;
    return false;
}

void hk_assembly_agree(hk_ctx *ctx, const hk_assembly *assembly, hk_agreement *a) {
    HK_ASSERT(ctx && assembly && a);
    const hk_settings *s = &assembly->settings;
    const hk_request *r = assembly->request;
    for (size_t i = 0; i < s->count; i++)
        if (!is_of_this_process(s->rows[i].name))
            hk_agreement_add(a, hk_arena_printf(a->arena, "the setting %s", s->rows[i].name),
                             strcmp(s->rows[i].name, "master") == 0 ? hk_path_name(s->rows[i].value)
                                                                    : s->rows[i].value);
    hk_agreement_add(a, "--tell-stop-time", r->wishes.tell_stop ? "given" : "not given");
    hk_agreement_add(a, "--parameter-set", r->parameter_set ? r->parameter_set : "");
    agree_on_texts(a, "define", r->defines);
    agree_on_texts(a, "stop-when", r->stop_when);
    for (size_t i = 0; i < s->value_count; i++)
        hk_agreement_add(a, hk_arena_printf(a->arena, "the value of %s", s->values[i].name),
                         s->values[i].value);
    agree_on_files(ctx, a);
}
