/* SPDX-License-Identifier: MIT
 *
 * The state of reading one description of FMI 3.0; private to the description_fmi3 files and
 * fmi3_resize.c. */
#ifndef HK_FMI_DESCRIPTION_FMI3_H
#define HK_FMI_DESCRIPTION_FMI3_H

#include "fmi/description.h"

/* More elements than this no variable has. */
#define HK_FMI3_ELEMENTS_MAX (UINT64_C(1) << 31)
/* One value of a description may fill a large array. This many elements in all are filled; beyond
 * that it is left to the FMU, which knows its start values itself. */
#define HK_FMI3_FILL_MAX ((size_t)1 << 22)

/* A dimension: a number, or a variable whose start value it is. */
typedef struct hk_fmi3_dim {
    uint64_t size;
    uint32_t variable; /* HK_MAP_NONE: size counts */
} hk_fmi3_dim;

/* An array; those that are aliases of it follow it in hk_info. */
typedef struct hk_fmi3_array {
    uint32_t variable;
    const hk_fmi3_dim *dims;
    size_t dim_count;
    bool fills; /* one start value was given for all elements */
} hk_fmi3_array;

typedef struct hk_fmi3_ref {
    uint32_t ref, variable;
} hk_fmi3_ref;

typedef struct hk_fmi3_parse {
    hk_reader r;
    hk_fmu *fmu;
    hk_info *info;
    hk_units units;
    hk_declared_types types;
    const hk_xml **elements; /* of the variables; of aliases: Alias */
    hk_fmi3_ref *refs;       /* sorted; without the aliases */
    size_t ref_count;
    size_t fill_budget; /* elements that single start values may still fill */
    bool has_independent;
} hk_fmi3_parse;

/* description_fmi3_variable.c */
/* Reads one variable but for its dimensions and its start value, for which others must be known. */
void hk_fmi3_read_variable(hk_fmi3_parse *p, const hk_xml *e, hk_type type, hk_variable *v);

/* description_fmi3_array.c */
/* Dimensions and start values of all variables. */
void hk_fmi3_read_values(hk_fmi3_parse *p);
/* The size of an array. */
typedef struct hk_fmi3_size {
    const size_t *dims;
    size_t count; /* of all elements */
} hk_fmi3_size;
/* That of ARRAY with the start values that the variables of INFO have; the dims are in ARENA. No
 * elements, or too many, are an error with CODE. */
hk_status hk_fmi3_measure(hk_ctx *ctx, hk_status code, hk_arena *arena, const hk_info *info,
                          const hk_fmi3_array *array, hk_fmi3_size *ret_size);

/* description_fmi3_structure.c */
/* ModelStructure, and what variables say of each other: derivative, previous, clocks. */
void hk_fmi3_read_structure(hk_fmi3_parse *p, const hk_xml *root);
/* The variable with the value reference that TEXT says; HK_MAP_NONE, and a fault of ATTR: none. */
uint32_t hk_fmi3_find_ref(const hk_fmi3_parse *p, const hk_xml *e, const char *attr,
                          const char *text, size_t length);

/* description_fmi3_clock.c: facts.clocks. */
void hk_fmi3_read_clocks(hk_fmi3_parse *p);

#endif
