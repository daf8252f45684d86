/* SPDX-License-Identifier: MIT
 *
 * What leaves.c and leaf_library.c share. */
#ifndef HK_FUSE_LEAVES_INTERNAL_H
#define HK_FUSE_LEAVES_INTERNAL_H

#include "format/elf.h"
#include "fuse/leaves.h"
#include "native/plugin_note.h"

typedef enum hk_leaf_kind {
    HK_LEAF_STEP,
    HK_LEAF_ELSEWHERE, /* a step that may be in another source of the plugin */
    HK_LEAF_TABLE      /* a struct of functions */
} hk_leaf_kind;

/* What FROM is in a source, the C name TO is in fused code. */
typedef struct hk_leaf_name {
    const char *to, *from;
    hk_leaf_kind kind;
} hk_leaf_name;

/* A source of a plugin and what is called in it. */
typedef struct hk_leaf_source {
    const char *path; /* absolute */
    const char *name; /* without its folder: what the symbol table knows */
    hk_leaf_name *names;
    size_t name_count, name_cap;
} hk_leaf_source;

/* A plugin of the model. */
typedef struct hk_leaf_library {
    const char *path;
    uintptr_t base; /* where it is loaded */
    const hk_plugin_note *note;
    hk_elf_symbols symbols;
    const char *const *imports; /* what it takes from libraries of the system */
    size_t import_count;
    hk_leaf_source *sources;
    size_t source_count;
    const char *why;      /* none of its leaves can be compiled; NULL: they can */
    bool told;            /* ... and that was said */
    const char **clashes; /* names that other plugins define, too */
    size_t clash_count, clash_cap;
} hk_leaf_library;

/* Reads the note and the symbols of the plugin at PATH, of which STEP is a function, and looks
 * whether its sources are what they were. */
void hk_leaf_library_open(hk_arena *arena, const char *path, const void *step,
                          hk_leaf_library *ret_library);
/* The symbol at ADDRESS of the process; NULL: none, or several of different sources. */
const hk_elf_symbol *hk_leaf_symbol(const hk_leaf_library *library, const void *address,
                                    bool function);
/* The source that SYMBOL is in; NULL: not known, or one of several of that name. */
hk_leaf_source *hk_leaf_source_of(hk_leaf_library *library, const hk_elf_symbol *symbol);
/* The name by which a source in C++, or in C, calls what the symbol table calls NAME; NULL: it
 * cannot be called by name. */
const char *hk_leaf_source_name(hk_arena *arena, const char *name, bool cpp);

#endif
