/* SPDX-License-Identifier: MIT
 *
 * Makes a tool: the program, the archive behind it, and the mark inside that says so. */
#include "base/claims.h"
#include "base/file.h"
#include "format/crc32.h"
#include "format/elf.h"
#include "format/sha256.h"
#include "format/zip.h"
#include "native/plugin_note.h"
#include "tool/tool_internal.h"

#include <stdlib.h>
#include <string.h>

/* ---- the archive ---- */

/* True for a path that can be the name of an entry as it is. */
static bool is_plain(const char *path) {
    static const char letters[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-+ /";
    if (path[strspn(path, letters)])
        return false;
    for (const char *c = path;; c++) {
        size_t length = strcspn(c, "/");
        if (length == 0 || strspn(c, ".") >= length)
            return false; /* nothing, '.', '..' */
        c += length;
        if (!*c)
            return true;
    }
}

static const char *entry_of(hk_arena *arena, const hk_collected *file, size_t index) {
    return is_plain(file->path)
               ? hk_arena_printf(arena, "model/%s", file->path)
               : hk_arena_printf(
                     arena, "outside/%zu%s", index,
                     is_plain(hk_path_extension(file->path)) ? hk_path_extension(file->path) : "");
}

/* Those of the model, and the fused code if there is some. */
static hk_tool_file *list_files(hk_arena *arena, const hk_collection *c) {
    hk_tool_file *files = HK_NEW_ARRAY(arena, hk_tool_file, c->count + 1);
    hk_tool_file *fused = &files[c->count];
    for (size_t i = 0; i < c->count; i++) {
        const hk_collected *file = &c->all[i];
        if (file->same != i) {
            files[i] = files[file->same];
        } else {
            files[i].entry = entry_of(arena, file, i);
            files[i].size = file->size;
            hk_sha256_hex(file->data, file->size, files[i].sha256);
        }
        files[i].path = file->path;
    }
    if (c->fused) {
        fused->path = HK_TOOL_FUSED_PATH;
        fused->entry = HK_TOOL_FUSED_ENTRY;
        fused->size = c->fused_size;
        hk_sha256_hex(c->fused, c->fused_size, fused->sha256);
    }
    return files;
}

/* What is not a plugin has no note. */
static void list_plugins(hk_arena *arena, const hk_collection *c, hk_tool_description *d) {
    hk_tool_plugin *plugins = HK_NEW_ARRAY(arena, hk_tool_plugin, c->count + 1);
    hk_ctx *quiet = hk_ctx_create(NULL, NULL);
    d->plugins = plugins;
    for (size_t i = 0; i < c->count; i++) {
        const hk_collected *file = &c->all[i];
        const hk_plugin_note *note = NULL;
        const char *text;
        size_t size;
        if (file->same == i &&
            hk_elf_section(file->data, file->size, HK_PLUGIN_SECTION, &text, &size) &&
            hk_plugin_note_parse(quiet, arena, file->path, hk_arena_strndup(arena, text, size),
                                 &note) == HK_OK)
            plugins[d->plugin_count++] = (hk_tool_plugin){file->path, note->compiler, note->flags};
    }
    hk_ctx_destroy(quiet);
}

/* ---- the whole ---- */

typedef struct pieces {
    char *program, *archive;
    size_t program_size, archive_size, offset; /* of the mark */
    char description[65];                      /* hash */
} pieces;

static hk_status make_archive(hk_ctx *ctx, const hk_collection *c, const hk_tool_file *files,
                              const hk_zip_item *description, const char *output, pieces *p) {
    hk_zip_item *items = HK_NEW_ARRAY(c->arena, hk_zip_item, c->count + 2);
    size_t count = 0;
    items[count++] = *description;
    for (size_t i = 0; i < c->count; i++)
        if (c->all[i].same == i)
            items[count++] = (hk_zip_item){
                .name = files[i].entry, .data = c->all[i].data, .size = c->all[i].size};
    if (c->fused)
        items[count++] =
            (hk_zip_item){.name = HK_TOOL_FUSED_ENTRY, .data = c->fused, .size = c->fused_size};
    return hk_zip_make(ctx, output, items, count, &p->archive, &p->archive_size);
}

static hk_status write_tool(hk_ctx *ctx, const pieces *p, const char *output) {
    size_t end = p->offset + sizeof(hk_tool_mark);
    hk_tool_mark mark = {.magic = HK_TOOL_MAGIC,
                         .program = p->program_size,
                         .archive = p->archive_size,
                         .before = hk_crc32(p->program, p->offset),
                         .after = hk_crc32(p->program + end, p->program_size - end)};
    memcpy(mark.description, p->description, sizeof mark.description);
    mark.self = hk_tool_mark_check(&mark);
    char *tool = hk_realloc(NULL, p->program_size + p->archive_size);
    memcpy(tool, p->program, p->program_size);
    memcpy(tool + p->offset, &mark, sizeof mark);
    memcpy(tool + p->program_size, p->archive, p->archive_size);
    hk_status status = hk_file_write_program(ctx, output, tool, p->program_size + p->archive_size);
    hk_free(tool);
    return status;
}

static hk_status pack(hk_ctx *ctx, hk_arena *arena, const hk_tool_program *program,
                      const hk_tool_wish *wish, const hk_collection *c, pieces *p) {
    hk_tool_description d = {.version = program->version,
                             .type = program->type,
                             .compiler = program->compiler,
                             .model = hk_path_name(wish->model),
                             .files = list_files(arena, c),
                             .fused = c->fused ? HK_TOOL_FUSED_PATH : NULL,
                             .file_count = c->count + (c->fused ? 1 : 0)};
    list_plugins(arena, c, &d);
    hk_zip_item item = {.name = HK_TOOL_DESCRIPTION};
    char *text = hk_tool_describe(&d, &item.size);
    item.data = text;
    hk_sha256_hex(text, item.size, p->description);
    hk_status status = make_archive(ctx, c, d.files, &item, wish->output, p);
    free(text);
    return status;
}

/* A copy of this program, whatever its file is called by now. */
static hk_status take_program(hk_ctx *ctx, const hk_tool_program *program, pieces *p) {
    hk_tool_mark none = {.magic = HK_TOOL_MAGIC};
    HK_TRY(hk_tool_read_self(ctx, &p->program, &p->program_size));
    p->offset = hk_tool_mark_offset(program->mark);
    if (p->program_size < sizeof none || p->offset > p->program_size - sizeof none ||
        memcmp(p->program + p->offset, &none, sizeof none) != 0)
        return hk_error(ctx, HK_E_FILE_READ, HK_NOWHERE, "run the installed hocket itself",
                        "the file of the program is not what runs, so it cannot be copied");
    return HK_OK;
}

/* Messages name the files where they are. */
static void show_places(hk_ctx *ctx, hk_arena *arena, const char *root, const char *model) {
    size_t length = (size_t)(hk_path_name(model) - model);
    hk_ctx_rename(ctx, hk_arena_printf(arena, "%s//", root), "/");
    hk_ctx_rename(ctx, hk_arena_printf(arena, "%s/", root), hk_arena_strndup(arena, model, length));
    hk_ctx_rename(ctx, root, hk_path_folder(arena, model));
}

static void say_again(hk_ctx *ctx, hk_ctx *said, hk_severity at_least) {
    for (size_t i = 0; i < hk_ctx_count(said, HK_NOTE); i++)
        if (hk_ctx_diag(said, i)->severity >= at_least)
            hk_say_again(ctx, hk_ctx_diag(said, i));
    hk_ctx_destroy(said);
}

/* What is only noted of a run, its user is told by the tool. */
static hk_status collect(hk_ctx *ctx, hk_arena *arena, const hk_tool_wish *wish, const char *root,
                         hk_collection *c) {
    hk_collecting wanted = {.reading = hk_ctx_create(NULL, NULL),
                            .fusing = hk_ctx_create(NULL, NULL),
                            .root = root,
                            .model = hk_path_name(wish->model),
                            .fused = wish->fused};
    hk_claim_share(wanted.reading, ctx);
    hk_claim_share(wanted.fusing, ctx);
    show_places(wanted.reading, arena, root, wish->model);
    show_places(wanted.fusing, arena, root, wish->model);
    hk_status status = hk_tool_collect(&wanted, c);
    say_again(ctx, wanted.reading, HK_WARNING);
    say_again(ctx, wanted.fusing, HK_NOTE);
    return status;
}

static hk_status make(hk_ctx *ctx, const hk_tool_program *program, const hk_tool_wish *wish,
                      hk_collection *c, pieces *p, hk_tool_made *ret_made) {
    hk_arena *arena = c->arena;
    HK_TRY(take_program(ctx, program, p));
    /* Below the output, where nothing lies, and not the output itself: that name is for messages.
     */
    const char *root = hk_arena_printf(arena, "%s/model", hk_path_absolute(arena, wish->output));
    HK_TRY(collect(ctx, arena, wish, root, c));
    for (size_t i = 0; i < c->count; i++)
        if (c->all[i].same == i)
            hk_tool_warn_needed(ctx, c->all[i].real, c->all[i].data, c->all[i].size);
    HK_TRY(pack(ctx, arena, program, wish, c, p));
    HK_TRY(hk_tool_place_needed(ctx, arena, p->program, p->program_size, wish->output,
                                &ret_made->libraries));
    ret_made->files = c->by_real.count;
    ret_made->fused = c->fused != NULL;
    ret_made->bytes = p->program_size + p->archive_size;
    return write_tool(ctx, p, wish->output);
}

hk_status hk_tool_make(hk_ctx *ctx, hk_arena *arena, const hk_tool_program *program,
                       const hk_tool_wish *wish, hk_tool_made *ret_made) {
    const char *folder = hk_path_folder(arena, wish->model);
    hk_collection c = {.arena = arena, .folder = hk_path_absolute(arena, folder), .shown = folder};
    pieces p = {0};
    *ret_made = (hk_tool_made){0};
    hk_status status = make(ctx, program, wish, &c, &p, ret_made);
    hk_free(p.program);
    hk_free(p.archive);
    hk_tool_collection_finish(&c);
    return status;
}
