/* SPDX-License-Identifier: MIT
 *
 * What plugin_build.c and plugin_compile.c share. */
#ifndef HK_NATIVE_PLUGIN_BUILD_INTERNAL_H
#define HK_NATIVE_PLUGIN_BUILD_INTERNAL_H

#include "native/plugin_build.h"
#include "native/plugin_note.h"

/* One file and what is made of it. */
typedef struct hk_plugin_unit {
    const char *file;   /* in the folder, or absolute */
    const char *object; /* absolute */
    const char *rule;   /* what it includes, as a rule of make; absolute */
    int language;       /* 0: C, 1: C++ */
} hk_plugin_unit;

typedef struct hk_plugin_language {
    bool used;
    const char *words; /* the compiler, with options if need be */
    const char *name;  /* as it calls itself */
    const char *flags; /* for the note */
} hk_plugin_language;

typedef struct hk_plugin_files {
    hk_plugin_file *list;
    size_t count, cap;
} hk_plugin_files;

typedef struct hk_plugin_job {
    hk_ctx *ctx;
    hk_arena *arena;
    const hk_plugin_build_options *options;
    const char *shown, *folder;                /* of the sources: as it was given, and absolute */
    const char *temporary, *headers, *library; /* all absolute, below the first */
    hk_plugin_unit *units;
    size_t unit_count, unit_cap;
    hk_plugin_language languages[2];           /* C, C++ */
    const char *plugin;                        /* the file that defines hk_plugin */
    hk_plugin_files sources, included, hocket; /* for the note */
} hk_plugin_job;

/* Fills the languages that are used, or says which compiler is not there. */
HK_NODISCARD hk_status hk_plugin_ask_compilers(hk_plugin_job *job);
/* Compiles one file; if that fails, the first error is reported with its place in the user's file.
 */
HK_NODISCARD hk_status hk_plugin_compile(hk_plugin_job *job, const hk_plugin_unit *unit);
/* Links all units and the object NOTE. */
HK_NODISCARD hk_status hk_plugin_link(hk_plugin_job *job, const char *note);

#endif
