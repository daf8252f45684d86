/* SPDX-License-Identifier: MIT
 *
 * What the files of the reader of profiles share. */
#ifndef HK_SYSML_PROFILE_INTERNAL_H
#define HK_SYSML_PROFILE_INTERNAL_H

#include "base/complaints.h"
#include "sysml/profile.h"
#include "sysml/sysml_syntax.h"
#include "text/parser.h"

enum { HK_PROFILE_INSTANCES_MAX = 1000000, HK_PROFILE_FILES_MAX = 100 };

/* A definition and the file that it is written in. */
typedef struct hk_profile_source {
    const hk_sysml_element *element;
    const char *file;
    const char *package; /* that it is in, "A::B"; "": none */
} hk_profile_source;

/* A file as it is written. */
typedef struct hk_profile_tree {
    const char *file;
    const hk_sysml_file *tree;
} hk_profile_tree;

typedef struct hk_profile_reader {
    hk_complaints complaints;
    hk_arena *arena;
    hk_multimodel *profile;
    hk_list files;    /* const char *: paths that were read */
    hk_list trees;    /* hk_profile_tree: what they say */
    hk_list blocks;   /* hk_profile_source: part definitions, by the index of their block */
    hk_list ports;    /* hk_profile_source: port definitions */
    hk_list enums;    /* hk_profile_source */
    hk_list metadata; /* hk_profile_source: what files define for other tools */
    hk_list uses; /* hk_profile_source: parts outside of definitions: one of them is the system */
    hk_map block_names, port_names, enum_names, metadata_names;
} hk_profile_reader;

/* An error at a place of FILE. Returns false. */
bool hk_profile_error(hk_profile_reader *r, const char *file, const hk_place *at, const char *hint,
                      const char *format, ...) HK_PRINTF(5, 6);
/* The last part of a name: what the profile goes by. */
const char *hk_profile_last(const hk_sysml_name *name);
/* Reports a name with qualifiers before it that are not the OWNER ("A::B") of what it means, or the
 * last of its parts: C::x where it is of A::B. */
void hk_profile_check_qualifiers(hk_profile_reader *r, const char *file, const hk_sysml_name *name,
                                 const char *owner);
/* True if ELEMENT has #WORD before it, or @WORD in its body. */
bool hk_profile_marked(const hk_sysml_element *element, const char *word);
/* profile_values.c: the value of a member as a literal; NULL is none. */
hk_profile_value hk_profile_value_of(hk_profile_reader *r, const hk_sysml_expr *expr);
/* What a value must be one of. */
typedef struct hk_profile_typed {
    const char *name; /* of the port or variable */
    hk_profile_type type;
    const char *type_name;
    uint32_t enumeration;
    uint32_t elements; /* 0: it is one value, and not a list */
} hk_profile_typed;
/* Reports a value that is not one; events have none (rule E3). EXPR: as it is written. */
void hk_profile_check_value(hk_profile_reader *r, const char *file, const hk_profile_typed *typed,
                            const hk_sysml_expr *expr, const hk_profile_value *value);
/* True if a member of BODY before the one at INDEX redefines NAME, too. */
bool hk_profile_given_before(const hk_sysml_element *body, size_t index, const char *name);
/* "did you mean" for NAME in MAP; NULL: nothing is close. */
const char *hk_profile_suggest(hk_profile_reader *r, const hk_map *map, const char *name);

/* profile_form.c: refuses what is SysML and means nothing here, in every file that was read. */
void hk_profile_check_form(hk_profile_reader *r);
/* profile_blocks.c: fills in the blocks and enumerations of what was collected. */
void hk_profile_make_blocks(hk_profile_reader *r);
/* profile_instances.c: the instances of the system, and the connections between them. */
void hk_profile_make_instances(hk_profile_reader *r);
/* profile_connections.c: PATHS has all instances; USE is the part that is the system, NULL if its
 * definition is all there is. */
void hk_profile_make_connections(hk_profile_reader *r, const hk_map *paths,
                                 const hk_profile_source *use);

#endif
