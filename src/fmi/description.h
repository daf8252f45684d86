/* SPDX-License-Identifier: MIT
 *
 * Tools for reading model descriptions that the versions of FMI share: attributes with types,
 * units, the rules for causality, variability and initial, and warnings that come once however many
 * variables have the same fault. */
#ifndef HK_FMI_DESCRIPTION_H
#define HK_FMI_DESCRIPTION_H

#include "fmi/fmu.h"

/* Every kind of fault that is tolerated, with what is said of it: description_faults.c. What has
 * one possible meaning is read as that; what has none is left out. */
typedef enum hk_fault {
    HK_FAULT_PREFIX,
    HK_FAULT_ENCODING,
    HK_FAULT_UNKNOWN_ELEMENT,
    HK_FAULT_UNKNOWN_ATTRIBUTE,
    HK_FAULT_SPELLING,
    HK_FAULT_VALUE,
    HK_FAULT_MISSING,
    HK_FAULT_NO_TOKEN,
    HK_FAULT_NO_NAME,
    HK_FAULT_NO_INTERFACE,
    HK_FAULT_NO_VARIABLES,
    HK_FAULT_NO_STRUCTURE,
    HK_FAULT_IDENTIFIER,
    HK_FAULT_TWICE,
    HK_FAULT_UNIT,
    HK_FAULT_UNKNOWN_UNIT,
    HK_FAULT_TYPE,
    HK_FAULT_UNKNOWN_TYPE,
    HK_FAULT_SAME_VARIABLE,
    HK_FAULT_AMBIGUOUS,
    HK_FAULT_NO_REFERENCE,
    HK_FAULT_SAME_REFERENCE,
    HK_FAULT_NO_TYPE,
    HK_FAULT_CONTINUOUS,
    HK_FAULT_COMBINATION,
    HK_FAULT_CONTRADICTION,
    HK_FAULT_INITIAL,
    HK_FAULT_FORBIDDEN_INITIAL,
    HK_FAULT_NO_VARIABILITY,
    HK_FAULT_NO_START,
    HK_FAULT_FORBIDDEN_START,
    HK_FAULT_START,
    HK_FAULT_LARGE_FILL,
    HK_FAULT_ARRAY,
    HK_FAULT_ALIAS_STARTS,
    HK_FAULT_ALIAS,
    HK_FAULT_INDEPENDENT,
    HK_FAULT_NO_INDEPENDENT,
    HK_FAULT_CLOCK,
    HK_FAULT_NO_INTERVAL,
    HK_FAULT_ODD_REFERENCE,
    HK_FAULT_DEPENDENCY,
    HK_FAULT_ODD_OUTPUT,
    HK_FAULT_ODD_KINDS,
    HK_FAULT_UNLISTED,
    HK_FAULT_PULSE,
    HK_FAULT_COUNT
} hk_fault;

/* How often, and where for the first time. */
typedef struct hk_tally {
    size_t count;
    int line, column;
    const char *name; /* of the first variable, or what else has it */
} hk_tally;

typedef struct hk_reader {
    hk_ctx *ctx;
    const char *file;
    hk_arena *arena;
    hk_tally *faults; /* HK_FAULT_COUNT of them */
} hk_reader;

void hk_fault_add(const hk_reader *r, hk_fault fault, const hk_xml *element, const char *name);
/* Warns "'name' TEXT" or "'name' and 3 others: TEXT" of each kind that was met. */
void hk_faults_report(const hk_reader *r);
/* Elements and attributes that no version like this one has, outside of annotations. */
void hk_find_unknown_names(const hk_reader *r, const hk_xml *root, int version);

/* description_read.c: each reads an attribute; if it is absent, or cannot be understood, which is a
 * fault, *ret_value stays as it is. What is written carelessly (" 1,0 ", "True") is understood. */
void hk_read_attr_bool(const hk_reader *r, const hk_xml *e, const char *name, bool *ret_value);
void hk_read_attr_f64(const hk_reader *r, const hk_xml *e, const char *name, double *ret_value);
void hk_read_attr_u32(const hk_reader *r, const hk_xml *e, const char *name, uint32_t *ret_value);
void hk_read_attr_u64(const hk_reader *r, const hk_xml *e, const char *name, uint64_t *ret_value);
void hk_read_attr_i64(const hk_reader *r, const hk_xml *e, const char *name, int64_t *ret_value);
/* NULL, and a fault, if the attribute is not there or is empty. */
const char *hk_read_attr_text(const hk_reader *r, const hk_xml *e, const char *name);
/* The attribute is one of COUNT words; *ret_index is which. */
void hk_read_attr_word(const hk_reader *r, const hk_xml *e, const char *name,
                       const char *const *words, size_t count, int *ret_index);
/* The start value TEXT of V, which is reported at E; left out if it is none. */
void hk_read_start(const hk_reader *r, const hk_xml *e, const char *text, hk_variable *v);
/* A number as it is meant: without the white space around it, with a decimal point. */
const char *hk_text_number(hk_arena *arena, const char *text);
/* TEXT without the white space around it, in ARENA. */
const char *hk_text_trim(hk_arena *arena, const char *text);

/* <DefaultExperiment>; what cannot be used is left out with a warning. NULL is fine. */
void hk_read_defaults(const hk_reader *r, const hk_xml *e, hk_defaults *ret_defaults);
/* hocket's own annotation, README.md: the word "end" or "start" in the attribute NAME of E, which
 * says when the outputs of a step hold. NULL is fine. */
#define HK_STAMP_TOOL      "org.hocket.schedule"
#define HK_STAMP_NAMESPACE "urn:org.hocket:schedule:1"
void hk_read_stamp(const hk_reader *r, const hk_xml *e, const char *name, hk_stamp *ret_stamp);
/* The same annotation: names of outputs that are pulses (hk_variable), with white space between
 * two, in the attribute NAME of E. The names of INFO are known. NULL is fine. */
void hk_read_pulses(const hk_reader *r, const hk_xml *e, const char *name, hk_info *info);
/* FMI 1.0, 2.0: hocket's own Tool in VendorAnnotations, or NULL. */
const hk_xml *hk_find_own_tool(const hk_xml *root);
/* <Unit> of FMI 2.0 and 3.0; NULL if it has no BaseUnit, or one that means nothing. */
const hk_uom *hk_read_unit(const hk_reader *r, const hk_xml *e);

/* What UnitDefinitions of FMI 2.0 and 3.0 hold. */
typedef struct hk_units {
    hk_map by_name;      /* name -> index; finish it */
    const hk_uom **uoms; /* NULL entries: a unit without BaseUnit */
    size_t count;
} hk_units;
void hk_read_units(const hk_reader *r, const hk_xml *list, hk_units *ret_units); /* LIST or NULL */
/* Finds v->unit: v->uom, or a fault. */
void hk_find_unit(const hk_reader *r, const hk_units *units, const hk_xml *e, hk_variable *v);

/* The Items of an enumeration called NAME. */
const hk_enum *hk_read_items(const hk_reader *r, const hk_xml *e, const char *name);
/* A SimpleType, a Type of FMI 1.0, or one of the ...Type elements of FMI 3.0: its element holds the
 * defaults for the variables that declare it. */
typedef struct hk_declared_type {
    const char *name;
    hk_type type;
    const hk_xml *element;
    const hk_enum *enumeration;
} hk_declared_type;
typedef struct hk_declared_types {
    hk_map by_name; /* name -> index; finish it */
    hk_declared_type *all;
} hk_declared_types;
/* The one that E, which is about a variable of TYPE, names; NULL: none, or one of another type. */
const hk_declared_type *hk_find_declared(const hk_declared_types *types, const hk_xml *e,
                                         hk_type type);
bool hk_is_float(hk_type type);
/* Who says what an attribute is: the variable or, if it does not, its declared type (or NULL). */
const hk_xml *hk_declared_holder(const hk_xml *e, const hk_declared_type *type, const char *attr);
/* What VALUE, which is in the element E of the variable or the same, and the declared type say of a
 * V of one element whose type is known. The unit is not looked for. */
void hk_read_range(const hk_reader *r, const hk_declared_types *types, const hk_xml *e,
                   const hk_xml *value, hk_variable *v);
/* The modelIdentifier, which is the name of a library without folder; NULL: there is none. */
const char *hk_read_model_identifier(const hk_reader *r, const hk_xml *e);
/* What the root says of the model in every version; TOKEN is the attribute with the GUID. The name
 * is left to hk_name_model. */
void hk_read_about(const hk_reader *r, const hk_xml *root, const char *token, hk_fmu *fmu);
/* Without a modelName the modelIdentifier has to do. */
void hk_name_model(const hk_reader *r, const hk_xml *root, hk_fmu *fmu);
/* One name can stand for one variable only: fills info->by_name, and makes those unusable whose
 * name says nothing. ELEMENTS are those of the variables. */
void hk_name_variables(const hk_reader *r, hk_info *info, const hk_xml *const *elements);
/* The name, reference and place of a variable. */
void hk_read_identity(const hk_reader *r, const hk_xml *e, hk_variable *v);
/* <LogCategories>; NULL is fine. */
void hk_read_log_categories(hk_fmu *fmu, const hk_xml *list);

/* The attribute `initial` of V, whose causality and variability are known, from CHOICES as
 * hk_initial_choices gives them. */
void hk_read_initial(const hk_reader *r, const hk_xml *e, const hk_initial *choices, size_t count,
                     hk_variable *v);

/* The table of FMI 2.0 (and 3.0, but for inputs): which `initial` values a combination allows. The
 * default is the first. Count 0: the combination is illegal. HK_INITIAL_NONE alone: no `initial`.
 */
size_t hk_initial_choices(hk_causality causality, hk_variability variability,
                          const hk_initial **ret_choices);

#endif
