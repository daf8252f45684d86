/* SPDX-License-Identifier: MIT
 *
 * Inside skeletons: what the ports and parameters of a block are to a module. */
#ifndef HK_SYSML_SKELETON_INTERNAL_H
#define HK_SYSML_SKELETON_INTERNAL_H

#include "base/complaints.h"
#include "base/map.h"
#include "sysml/skeleton.h"
#include "text/parser.h"

/* One number of a value: of 'e_value.x' the REST is ".x". */
typedef struct hk_skeleton_part {
    const char *rest;
    const hk_profile_shape *shape;
    const hk_literal *value; /* kind NONE: none */
    const hk_place *at;
    size_t index; /* of the port, or of the variable */
} hk_skeleton_part;

/* A value, whose parts are ports of their own. */
typedef struct hk_skeleton_value {
    const char *name; /* of an argument: without its operation */
    hk_list parts;    /* of hk_skeleton_part, until it is kept */
    const hk_skeleton_part *all;
    size_t count;
} hk_skeleton_value;

typedef enum hk_skeleton_role {
    HK_SKELETON_RECEIVED, /* an event: an input without a type, and its value */
    HK_SKELETON_SENT,
    HK_SKELETON_VARIABLE,  /* an output with a type */
    HK_SKELETON_OPERATION, /* an output without a type, `f`, and others `f_a` that have one */
    HK_SKELETON_CONSTANT,  /* a parameter */
    HK_SKELETON_ROLES
} hk_skeleton_role;

typedef struct hk_skeleton_member {
    hk_skeleton_role role;
    const char *name;
    const hk_profile_port *flag; /* the port without a type; NULL: none */
    size_t index;                /* of that */
    hk_list values;              /* of hk_skeleton_value, until they are kept */
    hk_skeleton_value *all;
    size_t count;
} hk_skeleton_member;

typedef struct hk_skeleton_members {
    hk_skeleton_member *all; /* by role, in the order in which a block has them */
    size_t count;
    const hk_profile_variable *unit;   /* 'timeUnit'; NULL: the block has none */
    const hk_profile_port *stray;      /* an input with a type that no event has; NULL: none */
    const hk_profile_variable **edges; /* 'e_edge' of events */
    size_t edge_count;
} hk_skeleton_members;

/* skeleton_members.c: depends on names, directions and types of the ports, and on their order, and
 * on nothing else: so a block that was made of a module and the module made of it agree. */
hk_skeleton_members hk_skeleton_sort(hk_arena *arena, const hk_profile_block *block);

/* skeleton_values.c: types and values as RoboChart writes them. */
typedef struct hk_skeleton_types {
    hk_arena *arena;
    const hk_multimodel *profile;
    bool *used;         /* enumerations of the profile */
    hk_map *names;      /* that the package has already */
    const char *wrong;  /* what cannot be written; NULL: nothing */
    const hk_place *at; /* of that */
    hk_list records;    /* texts: declarations that types need */
} hk_skeleton_types;
/* RET_VALUE: NULL if a part has none. */
const char *hk_skeleton_type(hk_skeleton_types *t, const hk_skeleton_value *value, const char *path,
                             const char **ret_value);
/* A name of the package that nothing else has: WANTED, or that with underscores behind it. */
const char *hk_skeleton_unique(hk_arena *arena, hk_map *names, const char *wanted);
/* A name as RoboChart writes it: "^as"; NULL: it cannot be one there. */
const char *hk_skeleton_name(hk_arena *arena, const char *name);

/* "a.sysml#B": FILE is "a.sysml", the rest "B" (NULL: none). */
const char *hk_skeleton_split(hk_arena *arena, const char *text, const char *extension,
                              const char **ret_rest);
/* TO must be new. */
HK_NODISCARD hk_status hk_skeleton_check_new(hk_ctx *ctx, const char *to);

#endif
