/* SPDX-License-Identifier: MIT
 *
 * The state of reading one description of FMI 2.0, and what that of FMI 1.0 has in common with it;
 * private to the description_fmi1 and description_fmi2 files. */
#ifndef HK_FMI_DESCRIPTION_FMI2_H
#define HK_FMI_DESCRIPTION_FMI2_H

#include "fmi/description.h"

typedef struct hk_fmi2_parse {
    hk_reader r;
    hk_fmu *fmu;
    hk_info *info;
    hk_units units;
    hk_declared_types types;
    const hk_xml **elements; /* of the variables */
    hk_type type;            /* of the variable in hand */
    hk_store truth_store;    /* of Boolean variables */
    bool has_independent;
} hk_fmi2_parse;

/* Reads one ScalarVariable; p->type and KIND_ELEMENT (NULL: missing) say what its value is. */
typedef void hk_fmi2_read_variable_fn(hk_fmi2_parse *p, const hk_xml *e, const hk_xml *kind_element,
                                      hk_variable *v);
hk_fmi2_read_variable_fn hk_fmi2_read_variable;

/* TypeDefinitions: the elements ELEMENT, which hold Real, Integer and so on with SUFFIX behind. */
void hk_fmi2_read_types(hk_fmi2_parse *p, const hk_xml *list, const char *element,
                        const char *suffix);
/* ModelVariables. */
void hk_fmi2_read_variables(hk_fmi2_parse *p, const hk_xml *list,
                            hk_fmi2_read_variable_fn *read_variable);
/* The name, the reference, and all that the element VALUE (NULL: then it cannot be used) says of
 * the type. */
void hk_fmi2_read_type(hk_fmi2_parse *p, const hk_xml *e, const hk_xml *value, hk_variable *v);
/* The start value; one that is missing or may not be there is a fault. */
void hk_fmi2_read_start(hk_fmi2_parse *p, const hk_xml *e, const hk_xml *value, hk_variable *v);
/* Finds the variables of one base type with one reference. */
void hk_fmi2_find_aliases(hk_fmi2_parse *p);

#endif
