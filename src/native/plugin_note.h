/* SPDX-License-Identifier: MIT
 *
 * The note that a plugin carries: what it was compiled from, by what and how. It is a text in the
 * section `.hocket.plugin` of the library and is read without loading it. docs/plugins.md says
 * which lines it has. */
#ifndef HK_NATIVE_PLUGIN_NOTE_H
#define HK_NATIVE_PLUGIN_NOTE_H

#include "model/model.h"

#define HK_PLUGIN_SECTION ".hocket.plugin"

typedef struct hk_plugin_file {
    const char *name;   /* relative to the folder of the note, or absolute */
    const char *sha256; /* 64 hexadecimal digits */
} hk_plugin_file;

/* Everything lives in the arena of the reader. */
typedef struct hk_plugin_note {
    const char *compiler; /* as it calls itself; of C, or of C++ if all files are in C++ */
    const char *flags;    /* its words; those that only warn or name places are left out */
    const char *cxx_compiler, *cxx_flags; /* of C++ if there are both; NULL: there are not */
    const char *folder;                   /* absolute; may be gone, or be on another machine */
    const char *const *defines;           /* "NAME=VALUE", "NAME" */
    size_t define_count;
    const char *const *includes; /* folders, without those of hocket itself */
    size_t include_count;
    const hk_plugin_file *sources; /* at least one */
    size_t source_count;
    const hk_plugin_file *headers; /* of the user's own, that the sources include */
    size_t header_count;
    const hk_plugin_file *hocket; /* headers of hocket that they include: "hk/unit.h" */
    size_t hocket_count;
} hk_plugin_note;

/* The note of the library at PATH. *ret_note is NULL if the library carries none. A damaged note is
 * an error. */
HK_NODISCARD hk_status hk_plugin_note_read(hk_ctx *ctx, hk_arena *arena, const char *path,
                                           const hk_plugin_note **ret_note);
/* TEXT as it stands in the section; FILE is for messages. */
HK_NODISCARD hk_status hk_plugin_note_parse(hk_ctx *ctx, hk_arena *arena, const char *file,
                                            const char *text, const hk_plugin_note **ret_note);
/* The text of a note. */
const char *hk_plugin_note_text(hk_arena *arena, const hk_plugin_note *note);
/* A file of C, or of C++, that puts TEXT into the section. */
const char *hk_plugin_note_unit(hk_arena *arena, const char *text);

/* In what the flags of the note differ from the one list (base/cflags.h), of C and of C++; NULL: in
 * nothing. */
const char *hk_plugin_note_difference(hk_arena *arena, const hk_plugin_note *note);

/* ---- its sources on this machine: plugin_sources.c; PATH is that of the library ---- */

/* NOTE, or a copy whose folder is that of the library: where a project was moved as a whole its
 * sources lie beside the plugin, and not where they were. */
const hk_plugin_note *hk_plugin_note_place(hk_arena *arena, const hk_plugin_note *note,
                                           const char *path);
/* Where a file of the note is. */
const char *hk_plugin_file_path(hk_arena *arena, const hk_plugin_note *note, const char *name);
/* "its source 'x.c' was changed since it was built; ...", "... is not there"; NULL: all sources and
 * headers are what they were. */
const char *hk_plugin_note_stale(hk_arena *arena, const hk_plugin_note *note, const char *path);
/* The same, but sources that are not there are not missed, since a plugin does not need them to
 * run; and they are looked for. QUICK: only those that were touched after the library was. */
const char *hk_plugin_changed(hk_arena *arena, const hk_plugin_note *note, const char *path,
                              bool quick);

/* What the library at PATH says, in the words of the model. Of one without a note the compiler is
 * NULL. QUICK: hk_plugin_changed. */
HK_NODISCARD hk_status hk_plugin_library(hk_ctx *ctx, hk_arena *arena, const char *path, bool quick,
                                         const hk_library **ret_library);

#endif
