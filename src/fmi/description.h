/* SPDX-License-Identifier: MIT
 *
 * Tools for reading model descriptions that the versions of FMI share: attributes with types,
 * units, the rules for causality, variability and initial, and warnings that come once however many
 * variables have the same fault. */
#ifndef HK_FMI_DESCRIPTION_H
#define HK_FMI_DESCRIPTION_H

#include "fmi/fmu.h"

/* A fault that is tolerated: it is counted, and the first place is remembered. */
typedef struct hk_tally {
    size_t count;
    const hk_xml *first;
    const char *name; /* of the first variable */
} hk_tally;
void hk_tally_add(hk_tally *tally, const hk_xml *element, const char *name);
/* Warns "'name' (and 3 others) TEXT" if anything was counted. */
void hk_tally_report(hk_ctx *ctx, const char *file, const hk_tally *tally, const char *text,
                     const char *hint);

/* Each reads an attribute; if it is absent *ret_value stays as it is. Text that is no such value is
 * an error that names the attribute. */
typedef struct hk_reader {
    hk_ctx *ctx;
    const char *file;
    hk_arena *arena;
} hk_reader;
hk_status hk_read_attr_bool(const hk_reader *r, const hk_xml *e, const char *name, bool *ret_value);
hk_status hk_read_attr_f64(const hk_reader *r, const hk_xml *e, const char *name,
                           double *ret_value);
hk_status hk_read_attr_u32(const hk_reader *r, const hk_xml *e, const char *name,
                           uint32_t *ret_value);
hk_status hk_read_attr_i64(const hk_reader *r, const hk_xml *e, const char *name,
                           int64_t *ret_value);
/* The attribute must be there and not be empty. */
hk_status hk_read_attr_text(const hk_reader *r, const hk_xml *e, const char *name,
                            const char **ret_value);
/* The attribute is one of COUNT words; *ret_index is which. Absent: stays as it is. */
hk_status hk_read_attr_word(const hk_reader *r, const hk_xml *e, const char *name,
                            const char *const *words, size_t count, int *ret_index);

/* <DefaultExperiment>; what cannot be used is left out with a warning. NULL is fine. */
void hk_read_defaults(const hk_reader *r, const hk_xml *e, hk_defaults *ret_defaults);
/* hocket's own annotation, README.md: the word "end" or "start" in the attribute NAME of E, which
 * says when the outputs of a step hold. NULL is fine. */
#define HK_STAMP_TOOL      "org.hocket.schedule"
#define HK_STAMP_NAMESPACE "urn:org.hocket:schedule:1"
hk_status hk_read_stamp(const hk_reader *r, const hk_xml *e, const char *name, hk_stamp *ret_stamp);
/* FMI 1.0, 2.0: hocket's own Tool in VendorAnnotations, or NULL. */
const hk_xml *hk_find_own_tool(const hk_xml *root);
/* <Unit> of FMI 2.0 and 3.0; *ret_uom is NULL if it has no BaseUnit. */
hk_status hk_read_unit(const hk_reader *r, const hk_xml *e, const hk_uom **ret_uom);

/* What UnitDefinitions of FMI 2.0 and 3.0 hold. */
typedef struct hk_units {
    hk_map by_name;      /* name -> index; finish it */
    const hk_uom **uoms; /* NULL entries: a unit without BaseUnit */
    size_t count;
} hk_units;
/* LIST may be NULL. A unit that is defined twice is added to TWICE. */
hk_status hk_read_units(const hk_reader *r, const hk_xml *list, hk_units *ret_units,
                        hk_tally *twice);
/* Finds v->unit: v->uom, or one more in UNKNOWN. */
void hk_find_unit(const hk_units *units, const hk_xml *e, hk_variable *v, hk_tally *unknown);

/* The Items of an enumeration called NAME. */
hk_status hk_read_items(const hk_reader *r, const hk_xml *e, const char *name,
                        const hk_enum **ret_enum);
/* The modelIdentifier, which is the name of a library without folder. */
hk_status hk_read_model_identifier(const hk_reader *r, const hk_xml *e, const char **ret_name);
/* <LogCategories>; NULL is fine. */
void hk_read_log_categories(hk_fmu *fmu, const hk_xml *list);

/* The attribute `initial` of V, whose causality and variability are known, from CHOICES as
 * hk_initial_choices gives them; one that may not be there is added to FORBIDDEN. */
hk_status hk_read_initial(const hk_reader *r, const hk_xml *e, const hk_initial *choices,
                          size_t count, hk_variable *v, hk_tally *forbidden);

/* The table of FMI 2.0 (and 3.0, but for inputs): which `initial` values a combination allows. The
 * default is the first. Count 0: the combination is illegal. HK_INITIAL_NONE alone: no `initial`.
 */
size_t hk_initial_choices(hk_causality causality, hk_variability variability,
                          const hk_initial **ret_choices);

#endif
