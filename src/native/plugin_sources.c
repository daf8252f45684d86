/* SPDX-License-Identifier: MIT
 *
 * The sources that a plugin was built from, on this machine: where they are, and whether they are
 * still what they were. */
#include "base/file.h"
#include "format/sha256.h"
#include "native/plugin_note.h"

#include <string.h>

const char *hk_plugin_file_path(hk_arena *arena, const hk_plugin_note *note, const char *name) {
    return *name == '/' ? name : hk_path_join(arena, note->folder, name);
}

const hk_plugin_note *hk_plugin_note_place(hk_arena *arena, const hk_plugin_note *note,
                                           const char *path) {
    const char *first = note->sources[0].name;
    const char *beside = hk_path_folder(arena, hk_path_absolute(arena, path));
    if (*first == '/' || hk_file_is_regular(hk_plugin_file_path(arena, note, first)) ||
        !hk_file_is_regular(hk_path_join(arena, beside, first)))
        return note;
    hk_plugin_note *moved = HK_NEW(arena, hk_plugin_note);
    *moved = *note;
    moved->folder = beside;
    return moved;
}

static bool has_hash(const char *path, const char *sha256, bool *ret_there) {
    hk_ctx *quiet = hk_ctx_create(NULL, NULL);
    char *data = NULL, hex[65];
    size_t size = 0;
    *ret_there = hk_file_is_regular(path) && hk_file_read(quiet, path, 0, &data, &size) == HK_OK;
    hk_ctx_destroy(quiet);
    if (!*ret_there)
        return false;
    hk_sha256_hex(data, size, hex);
    hk_free(data);
    return strcmp(hex, sha256) == 0;
}

/* The command, for those who are anywhere. */
static const char *build_again(hk_arena *arena, const hk_plugin_note *note, const char *path) {
    const char *absolute = hk_path_absolute(arena, path);
    if (strcmp(hk_path_real(arena, hk_path_folder(arena, absolute)),
               hk_path_real(arena, note->folder)) == 0)
        return hk_arena_printf(arena, "build it again: hocket build %s", note->folder);
    return hk_arena_printf(arena, "build it again: hocket build %s -o %s", note->folder, absolute);
}

static bool is_newer(hk_file_stamp a, hk_file_stamp b) {
    return a.changed_s != b.changed_s ? a.changed_s > b.changed_s : a.changed_ns > b.changed_ns;
}

/* What to look for. */
typedef struct look {
    hk_arena *arena;
    const hk_plugin_note *note;
    const char *path;
    const hk_file_stamp *since; /* only at files that were changed after it; NULL: at all */
    bool missing;               /* a file that is not there counts, too */
} look;

static const char *judge_files(const look *l, const hk_plugin_file *files, size_t count,
                               const char *what) {
    for (size_t i = 0; i < count; i++) {
        bool there;
        const char *path = hk_plugin_file_path(l->arena, l->note, files[i].name);
        if ((l->since && !is_newer(hk_file_stamp_of(path), *l->since)) ||
            has_hash(path, files[i].sha256, &there))
            continue;
        if (there)
            return hk_arena_printf(l->arena, "its %s '%s' was changed since it was built; %s", what,
                                   path, build_again(l->arena, l->note, l->path));
        if (l->missing)
            return hk_arena_printf(l->arena, "its %s '%s' is not there", what, path);
    }
    return NULL;
}

static const char *judge(const look *l) {
    const char *why = judge_files(l, l->note->sources, l->note->source_count, "source");
    return why ? why : judge_files(l, l->note->headers, l->note->header_count, "header");
}

const char *hk_plugin_note_stale(hk_arena *arena, const hk_plugin_note *note, const char *path) {
    return judge(&(look){.arena = arena, .note = note, .path = path, .missing = true});
}

const char *hk_plugin_changed(hk_arena *arena, const hk_plugin_note *note, const char *path,
                              bool quick) {
    hk_file_stamp since = hk_file_stamp_of(path);
    return judge(&(look){.arena = arena,
                         .note = hk_plugin_note_place(arena, note, path),
                         .path = path,
                         .since = quick ? &since : NULL});
}
