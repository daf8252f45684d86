/* SPDX-License-Identifier: MIT
 *
 * What the files of the emitter share. */
#ifndef HK_FUSE_EMIT_INTERNAL_H
#define HK_FUSE_EMIT_INTERNAL_H

#include "engine/deeds.h"
#include "fuse/emit.h"
#include "gen/gen_text.h"

/* A member of a struct that describes memory. */
typedef struct member {
    const char *name; /* in C */
    hk_store store;
    size_t offset, count;
    bool binding; /* a required interface */
} member;

/* The struct of a native type. */
typedef struct layout {
    const hk_unit_type *type; /* NULL: only its size is known */
    const char *name;         /* of the struct */
    size_t size;
    member *members; /* by offset */
    size_t count;
} layout;

typedef struct emitter {
    hk_arena *arena;
    const hk_system_deeds *system;
    const hk_leaves *leaves;
    layout *layouts;
    size_t layout_count;
    const layout **layout_of; /* per place */
    const char **names;       /* per place: the component in C */
    member *slots;            /* of the block, by offset */
    const char *file;         /* of the model, without its folder */
} emitter;

/* emit_layout.c: names for everything; `system.h`; what lies at a spot, as an expression of TYPE if
 * nothing with a name lies there. */
void hk_emit_find_layouts(emitter *e);
const char *hk_emit_header(const emitter *e);
const char *hk_emit_spot(const emitter *e, const hk_spot *spot, const char *type);
/* The whole component that begins at a spot. */
const char *hk_emit_component(const emitter *e, const hk_spot *spot);
/* "cell_0_1" */
const char *hk_emit_cell_name(const emitter *e, size_t cell);
/* The leaf whose step a cell calls by name; NULL: through its pointer. */
const hk_leaf *hk_emit_leaf(const emitter *e, uint32_t component);
/* A finished text, in the arena. */
const char *hk_emit_keep(const emitter *e, hk_text *text);

#endif
