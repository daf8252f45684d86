/* SPDX-License-Identifier: MIT
 *
 * The state of reading one description of FMI 2.0; private to the description_fmi2 files. */
#ifndef HK_FMI_DESCRIPTION_FMI2_H
#define HK_FMI_DESCRIPTION_FMI2_H

#include "fmi/description.h"

typedef enum hk_fmi2_kind {
    HK_FMI2_REAL,
    HK_FMI2_INTEGER,
    HK_FMI2_BOOLEAN,
    HK_FMI2_STRING,
    HK_FMI2_ENUMERATION
} hk_fmi2_kind;

/* A SimpleType: its element holds the defaults for the variables that declare it. */
typedef struct hk_fmi2_type {
    const char *name;
    hk_fmi2_kind kind;
    const hk_xml *element;
    const hk_enum *enumeration;
} hk_fmi2_type;

typedef struct hk_fmi2_parse {
    hk_reader r;
    hk_fmu *fmu;
    hk_info *info;
    hk_map unit_map, type_map; /* name -> index of the arrays below */
    const hk_uom **uoms;       /* NULL entries: a unit without BaseUnit */
    hk_fmi2_type *types;
    const hk_xml **elements; /* of the variables */
    hk_fmi2_kind kind;       /* of the variable in hand */
    bool has_independent;
    hk_tally twice, unknown_unit, unknown_type, no_start, forbidden_start, forbidden_initial,
        no_variability, alias_starts, odd_outputs, unlisted;
} hk_fmi2_parse;

/* Reads one ScalarVariable; p->kind and KIND_ELEMENT (NULL: missing) say what its value is. */
hk_status hk_fmi2_read_variable(hk_fmi2_parse *p, const hk_xml *e, const hk_xml *kind_element,
                                hk_variable *v);

#endif
