/* SPDX-License-Identifier: MIT
 *
 * What the files that give meaning to types share. types.c reads files and knows the names,
 * types_data.c data types, types_leaf.c interfaces and leaf types, types_value.c values. */
#ifndef HK_LANG_TYPES_INTERNAL_H
#define HK_LANG_TYPES_INTERNAL_H

#include "base/complaints.h"
#include "base/map.h"
#include "lang/types/types.h"
#include "model/uom.h"

/* Full names of one sort of thing, in the order of the text, also found by their last part. */
typedef struct hk_names {
    const char **full;
    uint32_t *next; /* the next one with the same last part; HK_MAP_NONE: none */
    uint32_t *tail; /* of the first with a last part: the last one */
    size_t count, cap;
    hk_map by_full, by_last;
} hk_names;

/* What a name may turn out to be. */
typedef enum hk_found {
    HK_FOUND_NONE,
    HK_FOUND_EXACT,
    HK_FOUND_SUFFIX,   /* by its last part, which is unique */
    HK_FOUND_AMBIGUOUS /* several end so */
} hk_found;

hk_found hk_names_find(const hk_names *names, const char *name, uint32_t *ret_index);

/* A data type before and while it is resolved. */
typedef struct hk_typedecl {
    hk_lang_type type;
    const char *package, *file;
    enum { HK_FRESH, HK_BUSY, HK_READY, HK_BROKEN } state;
} hk_typedecl;

typedef struct hk_interfacework {
    hk_lang_interface interface;
    const hk_interfacedecl *syntax;
    const struct hk_interface *definition; /* for leaf types without behaviour; NULL: not yet */
    const char *package, *file;
} hk_interfacework;

typedef struct hk_leafwork {
    hk_lang_leaf leaf;
    const hk_leaftype *syntax;
    const char *package, *file;
    bool broken; /* some of it was not understood, so what is missing is not a new mistake */
} hk_leafwork;

struct hk_types {
    hk_arena *arena;
    hk_names type_names, interface_names, leaf_names;
    hk_typedecl **types; /* those of core first */
    size_t type_count, type_cap, core_count, types_done;
    hk_interfacework **interfaces;
    size_t interface_count, interface_cap, interfaces_done;
    hk_leafwork **leaves;
    size_t leaf_count, leaf_cap, leaves_done;
    hk_map files;      /* absolute paths of what was read */
    size_t part_count; /* of all types together: it is limited */
    bool incomplete;   /* a file was not understood, so unknown names may be declared in it */
};

/* One call of hk_types_read. */
typedef struct hk_typereader {
    hk_complaints complaints;
    hk_types *types;
    hk_arena *arena; /* of the types */
    unsigned depth;  /* of types inside types, while they are resolved */
    bool too_deep;   /* that was said */
} hk_typereader;

/* types.c: what NAME means in PACKAGE; NULL: nothing, which is reported. */
const hk_lang_type *hk_types_name_type(hk_typereader *r, const char *package, const char *file,
                                       const hk_name *name);
const hk_lang_interface *hk_types_name_interface(hk_typereader *r, const char *package,
                                                 const char *file, const hk_name *name);
/* "a, b and c" of all that end like NAME. */
const char *hk_names_candidates(hk_arena *arena, const hk_names *names, const char *name);

/* types_data.c */
void hk_types_add_core(hk_types *types);
/* Resolves a declared type, and those it consists of; NULL: it could not, which is reported. */
const hk_lang_type *hk_types_resolve(hk_typereader *r, hk_typedecl *decl);
/* Checks unit and frame of a declaration against those inside its type. NULL where not given. */
void hk_types_annotate(hk_typereader *r, const char *file, const hk_decl *decl,
                       const hk_lang_type *type, const char **ret_unit, const char **ret_frame);

/* types_leaf.c */
void hk_types_resolve_interface(hk_typereader *r, hk_interfacework *work);
void hk_types_resolve_leaf(hk_typereader *r, hk_leafwork *work);
/* A port, parameter or argument; false: its type is not known. */
bool hk_types_resolve_var(hk_typereader *r, const char *package, const char *file,
                          const hk_decl *decl, hk_lang_var *ret_var);

#endif
