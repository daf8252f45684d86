/* SPDX-License-Identifier: MIT
 *
 * The description of what a tool carries: written by `build`, read at every start. */
#include "format/json.h"
#include "format/json_read.h"
#include "tool/tool_internal.h"

#include <stdlib.h>
#include <string.h>

char *hk_tool_describe(const hk_tool_description *d, size_t *ret_size) {
    char *text = NULL;
    FILE *out = open_memstream(&text, ret_size);
    HK_ASSERT(out);
    hk_json json;
    hk_json_begin_object(&json, out);
    hk_json_string(&json, "schema", "hocket.tool/1");
    hk_json_string(&json, "version", d->version);
    hk_json_string(&json, "build", d->type);
    hk_json_string(&json, "compiler", d->compiler);
    hk_json_string(&json, "model", d->model);
    hk_json_string(&json, "fused", d->fused);
    HK_JSON_EACH(&json, "files", i, d->file_count) {
        const hk_tool_file *f = &d->files[i];
        hk_json_string(&json, "path", f->path);
        hk_json_string(&json, "entry", f->entry);
        hk_json_i64(&json, "bytes", (int64_t)f->size);
        hk_json_string(&json, "sha256", f->sha256);
    }
    HK_JSON_EACH(&json, "plugins", i, d->plugin_count) {
        hk_json_string(&json, "path", d->plugins[i].path);
        hk_json_string(&json, "compiler", d->plugins[i].compiler);
        hk_json_string(&json, "flags", d->plugins[i].flags);
    }
    hk_json_end(&json);
    (void)fclose(out);
    HK_ASSERT(text);
    return text;
}

/* The text of a member; NULL: it is not there, or something else. */
static const char *text_of(const hk_json_value *object, const char *name) {
    const hk_json_value *member = hk_json_member(object, name);
    return member && member->kind == HK_JSON_STRING ? member->text : NULL;
}

static bool read_file(const hk_json_value *object, hk_tool_file *ret) {
    const char *hash = text_of(object, "sha256");
    const hk_json_value *bytes = hk_json_member(object, "bytes");
    ret->path = text_of(object, "path");
    ret->entry = text_of(object, "entry");
    if (!ret->path || !ret->entry || !hash || strlen(hash) + 1 != sizeof ret->sha256 || !bytes ||
        bytes->kind != HK_JSON_NUMBER || bytes->number < 0)
        return false;
    ret->size = (uint64_t)bytes->number;
    memcpy(ret->sha256, hash, sizeof ret->sha256);
    return true;
}

hk_status hk_tool_read_description(hk_ctx *ctx, hk_arena *arena, const char *file, const char *data,
                                   size_t size, hk_tool_description *ret) {
    hk_json_value *root;
    HK_TRY(hk_json_read(ctx, arena, HK_E_FILE_READ, &(hk_file_text){file, data, size}, &root));
    const char *schema = text_of(root, "schema");
    const hk_json_value *files = hk_json_member(root, "files");
    *ret = (hk_tool_description){.version = text_of(root, "version"),
                                 .type = text_of(root, "build"),
                                 .compiler = text_of(root, "compiler"),
                                 .model = text_of(root, "model"),
                                 .fused = text_of(root, "fused")};
    bool fine = schema && strcmp(schema, "hocket.tool/1") == 0 && ret->version && ret->model &&
                files && files->kind == HK_JSON_ARRAY;
    ret->files = HK_NEW_ARRAY(arena, hk_tool_file, fine ? files->count + 1 : 1);
    for (const hk_json_value *f = fine ? files->first : NULL; f && fine; f = f->next)
        fine = read_file(f, &ret->files[ret->file_count++]);
    return fine ? HK_OK
                : hk_error(ctx, HK_E_FILE_READ, (hk_where){.file = file}, "build it again",
                           "the description of what the tool carries is not one");
}
