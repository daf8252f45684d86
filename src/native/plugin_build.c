/* SPDX-License-Identifier: MIT
 *
 * Compilers work in the folder of the sources and call them by their names there; everything they
 * make is in a temporary folder until the library is complete. */
#include "native/plugin_build.h"

#include "base/cflags.h"
#include "base/claims.h"
#include "base/compiler.h"
#include "base/file.h"
#include "format/elf.h"
#include "format/sha256.h"
#include "native/plugin_build_internal.h"
#include "native/unit_headers.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { OBJECT_BYTES_MAX = 1 << 30 };

/* ---- what is compiled ---- */

static int compare_units(const void *a, const void *b) {
    return strcmp(((const hk_plugin_unit *)a)->file, ((const hk_plugin_unit *)b)->file);
}

static hk_status add_unit(hk_plugin_job *job, const char *name) {
    const char *path = hk_path_join(job->arena, job->shown, name);
    bool cpp = hk_is_cpp_name(name);
    if ((!cpp && !hk_is_c_name(name)) || *name == '.' || hk_folder_exists(path))
        return HK_OK;
    if (!hk_file_is_regular(path)) {
        hk_note(
            job->ctx, (hk_where){.file = path},
            "it has the name of a source, but is not a file that can be read (a pipe, or a link "
            "to nothing): it is left out");
        return HK_OK;
    }
    if (job->options->leaves_out && job->options->leaves_out(job->options->user, path))
        return HK_OK;
    if (strchr(name, '\n'))
        return hk_error(job->ctx, HK_E_FILE_KIND, (hk_where){.file = path}, "rename it",
                        "the name of a source has a line break in it");
    HK_TRY(hk_claim_read(job->ctx, path));
    hk_plugin_unit unit = {.file = hk_arena_strdup(job->arena, name), .language = cpp ? 1 : 0};
    HK_PUSH(job->units, job->unit_count, job->unit_cap, unit);
    job->languages[unit.language].used = true;
    return HK_OK;
}

/* All files in C and C++ right in the folder, in the order of their names. */
static hk_status find_units(hk_plugin_job *job) {
    DIR *dir = opendir(job->shown);
    hk_status status = HK_OK;
    if (!dir)
        return hk_error(job->ctx, HK_E_FILE_READ, (hk_where){.file = job->shown}, NULL,
                        "cannot open the folder: %s", strerror(errno));
    for (const struct dirent *entry; status == HK_OK && (entry = readdir(dir));)
        status = add_unit(job, entry->d_name);
    closedir(dir);
    HK_TRY(status);
    if (!job->unit_count)
        return hk_error(job->ctx, HK_E_FILE_KIND, (hk_where){.file = job->shown},
                        "'hocket gen' or 'hocket new component' makes one; folders inside of it "
                        "are not searched",
                        "there is no file in C or C++ in the folder");
    qsort(job->units, job->unit_count, sizeof *job->units, compare_units);
    for (size_t i = 0; i < job->unit_count; i++) {
        job->units[i].object = hk_arena_printf(job->arena, "%s/%zu.o", job->temporary, i);
        job->units[i].rule = hk_arena_printf(job->arena, "%s/%zu.d", job->temporary, i);
    }
    return HK_OK;
}

/* ---- who defines hk_plugin ---- */

static hk_status defines(hk_plugin_job *job, const char *object, const char *symbol,
                         bool *ret_defines) {
    char *data = NULL;
    size_t size = 0;
    HK_TRY(hk_file_read(job->ctx, object, OBJECT_BYTES_MAX, &data, &size));
    *ret_defines = hk_elf_defines(data, size, symbol);
    hk_free(data);
    return HK_OK;
}

static hk_status find_symbol(hk_plugin_job *job, const char *symbol) {
    for (size_t i = 0; i < job->unit_count; i++) {
        const char *file = job->units[i].file;
        bool here = false;
        HK_TRY(defines(job, job->units[i].object, symbol, &here));
        if (here && job->plugin)
            return hk_error(job->ctx, HK_E_PLUGIN,
                            (hk_where){.file = hk_path_join(job->arena, job->shown, file)},
                            "one plugin has one list of types: put each plugin into a folder of "
                            "its own",
                            "%s is defined here, and in '%s', too", symbol, job->plugin);
        if (here)
            job->plugin = file;
    }
    return HK_OK;
}

/* What has both is named after hk_plugin. */
static hk_status find_plugin(hk_plugin_job *job) {
    HK_TRY(find_symbol(job, "hk_plugin"));
    if (!job->plugin)
        HK_TRY(find_symbol(job, "hk_world_plugin"));
    if (!job->plugin)
        return hk_error(job->ctx, HK_E_PLUGIN, (hk_where){.file = job->shown},
                        "include <hk/unit.h> in one of them and define hk_plugin() there, or "
                        "<hk/world.h> and hk_world_plugin()",
                        "no file in the folder defines hk_plugin or hk_world_plugin");
    return HK_OK;
}

/* "pump.c" makes pump.so, and "tank_glue.c", which is what `gen` calls it, tank.so. */
static const char *default_output(const hk_plugin_job *job) {
    static const char glue[] = "_glue";
    size_t length = strlen(job->plugin) - strlen(hk_path_extension(job->plugin));
    size_t tail = strlen(glue);
    if (length > tail && strncmp(job->plugin + length - tail, glue, tail) == 0)
        length -= tail;
    return hk_path_join(job->arena, job->shown,
                        hk_arena_printf(job->arena, "%.*s.so", (int)length, job->plugin));
}

/* ---- the note ---- */

static bool is_known(const hk_plugin_file *list, size_t count, const char *name) {
    for (size_t i = 0; i < count; i++)
        if (strcmp(list[i].name, name) == 0)
            return true;
    return false;
}

static hk_status hash_file(hk_plugin_job *job, const char *path, const char **ret_hex) {
    char *data = NULL, *hex = HK_NEW_ARRAY(job->arena, char, 65);
    size_t size = 0;
    HK_TRY(hk_file_read(job->ctx, path, 0, &data, &size));
    hk_sha256_hex(data, size, hex);
    hk_free(data);
    *ret_hex = hex;
    return HK_OK;
}

/* FILE as the compiler calls it in the folder: a source, a header of the user, or one of ours. */
static hk_status note_file(hk_plugin_job *job, const char *source, const char *file) {
    size_t ours = strlen(job->headers);
    if (strncmp(file, "./", 2) == 0)
        file += 2;
    bool is_ours = strncmp(file, job->headers, ours) == 0 && file[ours] == '/';
    hk_plugin_files *list = strcmp(file, source) == 0 ? &job->sources
                            : is_ours                 ? &job->hocket
                                                      : &job->included;
    const char *path = *file == '/' ? file : hk_path_join(job->arena, job->folder, file);
    hk_plugin_file row = {.name = is_ours ? file + ours + 1 : file};
    if (is_known(list->list, list->count, row.name))
        return HK_OK;
    HK_TRY(hash_file(job, path, &row.sha256));
    HK_PUSH(list->list, list->count, list->cap, row);
    return HK_OK;
}

static hk_status note_unit(hk_plugin_job *job, const hk_plugin_unit *unit) {
    char *text = NULL;
    size_t size = 0;
    hk_status status = hk_file_read(job->ctx, unit->rule, 0, &text, &size);
    const char *at = status == HK_OK ? hk_rule_files(text) : "", *file;
    const char *source = strncmp(unit->file, "./", 2) == 0 ? unit->file + 2 : unit->file;
    while (status == HK_OK && hk_rule_next(job->arena, &at, &file))
        status = note_file(job, source, file);
    hk_free(text);
    return status;
}

/* The unit that carries the note, and its language. */
static hk_status write_note(hk_plugin_job *job, hk_plugin_unit *ret_unit) {
    for (size_t i = 0; i < job->unit_count; i++)
        HK_TRY(note_unit(job, &job->units[i]));
    const hk_plugin_language *c = &job->languages[0], *cpp = &job->languages[1];
    const hk_plugin_language *first = c->used ? c : cpp;
    const char *const here[] = {job->folder};
    hk_plugin_note note = {.compiler = first->name,
                           .flags = first->flags,
                           .cxx_compiler = c->used && cpp->used ? cpp->name : NULL,
                           .cxx_flags = c->used && cpp->used ? cpp->flags : NULL,
                           .folder = job->folder,
                           .includes = here,
                           .include_count = 1,
                           .sources = job->sources.list,
                           .source_count = job->sources.count,
                           .headers = job->included.list,
                           .header_count = job->included.count,
                           .hocket = job->hocket.list,
                           .hocket_count = job->hocket.count};
    const char *text = hk_plugin_note_unit(job->arena, hk_plugin_note_text(job->arena, &note));
    hk_plugin_unit unit = {.language = c->used ? 0 : 1};
    const char *stem = hk_path_join(job->arena, job->temporary, "note");
    unit.file = hk_arena_printf(job->arena, "%s.%s", stem, unit.language ? "cpp" : "c");
    unit.object = hk_arena_printf(job->arena, "%s.o", stem);
    unit.rule = hk_arena_printf(job->arena, "%s.d", stem);
    HK_TRY(hk_file_write(job->ctx, unit.file, text, strlen(text)));
    *ret_unit = unit;
    return HK_OK;
}

/* ---- all of it ---- */

static hk_status check_place(const hk_plugin_job *job) {
    if (job->options->output)
        return hk_file_check(job->ctx, job->options->output);
    if (access(job->shown, W_OK) == 0)
        return HK_OK;
    return hk_error(job->ctx, HK_E_FILE_WRITE, (hk_where){.file = job->shown},
                    "name another place with -o", "the plugin cannot be written there: %s",
                    strerror(errno));
}

static hk_status work(hk_plugin_job *job, const char **ret_output) {
    hk_plugin_unit note;
    char *data = NULL;
    size_t size = 0;
    HK_TRY(find_units(job));
    HK_TRY(check_place(job));
    HK_TRY(hk_unit_headers_write(job->ctx, job->arena, job->headers));
    HK_TRY(hk_plugin_ask_compilers(job));
    for (size_t i = 0; i < job->unit_count; i++)
        HK_TRY(hk_plugin_compile(job, &job->units[i]));
    HK_TRY(find_plugin(job));
    const char *output = job->options->output ? job->options->output : default_output(job);
    if (!job->options->output)
        HK_TRY(hk_file_check(job->ctx, output));
    HK_TRY(write_note(job, &note));
    HK_TRY(hk_plugin_compile(job, &note));
    HK_TRY(hk_plugin_link(job, note.object));
    HK_TRY(hk_file_read(job->ctx, job->library, OBJECT_BYTES_MAX, &data, &size));
    hk_status status = hk_file_write(job->ctx, output, data, size);
    hk_free(data);
    *ret_output = output;
    return status;
}

/* "code/" and "code" are one folder; "/" stays. */
static const char *without_slash(hk_arena *arena, const char *folder) {
    size_t length = strlen(folder);
    while (length > 1 && folder[length - 1] == '/')
        length--;
    return hk_arena_strndup(arena, folder, length);
}

hk_status hk_plugin_build(hk_ctx *ctx, hk_arena *arena, const char *folder,
                          const hk_plugin_build_options *options, hk_plugin_built *ret_built) {
    hk_plugin_job job = {.ctx = ctx, .arena = arena, .options = options};
    const char *output = NULL;
    job.shown = without_slash(arena, folder);
    job.folder = hk_path_absolute(arena, job.shown);
    if (strchr(job.folder, '\n')) /* the note that the plugin carries has lines */
        return hk_error(ctx, HK_E_FILE_KIND, (hk_where){.file = job.shown}, "rename it",
                        "the path of the folder has a line break in it");
    HK_TRY(hk_folder_temporary(ctx, arena, &job.temporary));
    job.temporary = hk_path_absolute(arena, job.temporary);
    job.headers = hk_path_join(arena, job.temporary, "include");
    job.library = hk_path_join(arena, job.temporary, "plugin.so");
    hk_status status = work(&job, &output);
    hk_folder_remove(job.temporary);
    if (status == HK_OK) {
        const hk_plugin_language *first = &job.languages[job.languages[0].used ? 0 : 1];
        *ret_built =
            (hk_plugin_built){.output = output, .compiler = first->name, .files = job.unit_count};
    }
    hk_free(job.units);
    hk_free(job.sources.list);
    hk_free(job.included.list);
    hk_free(job.hocket.list);
    return status;
}
