/* SPDX-License-Identifier: MIT
 *
 * What the files that look at FMUs share: findings, and the variables of a description as far as
 * they could be read. Nothing here stops at the first fault. */
#ifndef HK_CHECK_LINT_H
#define HK_CHECK_LINT_H

#include "check/fmu_rules.h"

#include "fmi/description.h"

#define HK_RULE(id, ...) HK_RULE_##id,
typedef enum hk_rule {
#include "check/rules.def"
    HK_RULE_COUNT
} hk_rule;
#undef HK_RULE

typedef struct hk_finding {
    hk_rule rule;
    hk_where where;
    const char *text, *hint;
    size_t number; /* in the order in which they were found */
} hk_finding;

/* A variable of any version. What its element says wrongly is not known here: the schema rules have
 * told that already. */
typedef struct hk_lint_variable {
    const hk_xml *element;      /* carries name and reference */
    const hk_xml *type_element; /* carries start and unit; FMI 3.0: the same; never NULL */
    const char *name;           /* "" if there is none */
    hk_type type;               /* HK_TYPE_COUNT: not known */
    hk_causality causality;     /* HK_CAUSALITY_COUNT: not known */
    hk_variability variability; /* HK_VARIABILITY_COUNT: not known */
    hk_initial initial;         /* own or by default */
    bool bad_initial;
    bool has_ref, has_start;
    uint32_t ref;
    bool is_state;                 /* another variable is its derivative */
    uint32_t derivative, previous; /* index of the variable; HK_MAP_NONE: none that exists */
    const hk_xml *declared;        /* the definition of its type; NULL: none */
} hk_lint_variable;

typedef struct hk_lint {
    hk_arena *arena;
    int version;      /* 1, 2, 3; 0: not known */
    const char *file; /* the XML file in hand, for messages */
    hk_finding *findings;
    size_t finding_count, finding_cap;
    const hk_xml *root; /* of the model description */
    hk_lint_variable *variables;
    size_t variable_count;
    hk_map by_name, by_ref; /* by_ref: decimal text of the reference, FMI 3.0 */
    hk_map units, types;    /* name -> index into the two lists */
    const hk_xml **unit_elements, **type_elements;
    size_t unit_count, type_count;
} hk_lint;

/* lint.c */
void hk_lint_init(hk_lint *lint, hk_arena *arena, const char *file);
void hk_lint_finish(hk_lint *lint);
void hk_lint_where(hk_lint *lint, hk_rule rule, hk_where where, const char *hint,
                   const char *format, ...) HK_PRINTF(5, 6);
/* A finding at ELEMENT of the file in hand. */
void hk_lint_add(hk_lint *lint, hk_rule rule, const hk_xml *element, const char *hint,
                 const char *format, ...) HK_PRINTF(5, 6);
/* Adds everything to CTX, sorted. */
hk_status hk_lint_report(hk_lint *lint, hk_ctx *ctx, hk_fmu_findings *ret_findings);
/* What ELEMENT is called in messages: "Float64 'x'". */
const char *hk_lint_element(hk_lint *lint, const hk_xml *element);
/* True for an attribute that is there and reads as such a value; what is not one was reported by
 * the schema rules. */
bool hk_lint_f64(const hk_xml *element, const char *name, double *ret_value);
bool hk_lint_u64(const hk_xml *element, const char *name, uint64_t *ret_value);
bool hk_lint_i64(const hk_xml *element, const char *name, int64_t *ret_value);
bool hk_lint_bool(const hk_xml *element, const char *name); /* absent or wrong: false */
/* The next word of a list separated by blanks, or NULL; *TEXT moves behind it. */
const char *hk_lint_word(const char **text, size_t *ret_length);

/* schema.c, schema_tables.c: one row for each type of element.
 *
 * Attributes: "name:kind" separated by blanks, '!' behind the name if it must be there. Kinds: t
 * text, s text without line breaks, b Boolean, f4 f8 i1 i2 i4 i8 u1 u2 u4 u8 numbers, n a number
 * that is not negative, d a time, x hexadecimal digits, v a version of FMI 3, =word, {word|word}.
 * Square brackets around a kind make it a list. "+NAME" takes the attributes of another row over,
 * "*" permits any other attribute.
 *
 * Children: "Name=Type" in their order, with '?' '*' '+' behind as usual; "(A=T|B=T)" is a choice;
 * "any" permits everything. */
typedef struct hk_schema_row {
    const char *type, *attributes, *children;
} hk_schema_row;
extern const hk_schema_row hk_schema_fmi1[], hk_schema_fmi2[], hk_schema_fmi3[];
/* Holds ELEMENT and what is inside to the row TYPE; the table ends with a row without type. */
void hk_lint_schema(hk_lint *lint, const hk_schema_row *rows, const char *type,
                    const hk_xml *element);

/* variables.c, semantics.c, variable_rules.c: what the versions share. */
void hk_lint_read(hk_lint *lint);        /* units, types and variables of lint->root */
void hk_lint_root(hk_lint *lint);        /* attributes of the root, experiment, categories */
void hk_lint_definitions(hk_lint *lint); /* units and types */
void hk_lint_names(hk_lint *lint);       /* of variables */
void hk_lint_ranges(hk_lint *lint, const hk_lint_variable *v); /* min, max, nominal, start */
void hk_lint_units(hk_lint *lint, const hk_lint_variable *v);
void hk_lint_initials(hk_lint *lint, const hk_lint_variable *v); /* FMI 2.0 and 3.0 */
void hk_lint_derivatives(hk_lint *lint, const hk_lint_variable *v);
/* All of these of one variable, for FMI 2.0 and 3.0. */
void hk_lint_variable_rules(hk_lint *lint, const hk_lint_variable *v);
/* At most one variable is independent, and that one IS_RIGHT, else WRONG is said. Is there one? */
bool hk_lint_independent(hk_lint *lint, bool (*is_right)(const hk_lint_variable *v),
                         const char *wrong);
void hk_lint_declared(hk_lint *lint, const hk_lint_variable *v); /* declaredType */
/* The type that an element such as <Float64> or <Float64Type> stands for. */
hk_type hk_lint_type(const char *name);
/* FMI 1.0, 2.0: variables with the same text have the same memory; enumerations are integers. */
const char *hk_lint_memory(hk_lint *lint, const hk_lint_variable *v);
bool hk_lint_is_float(hk_type type);
const char *hk_lint_attr(const hk_lint_variable *v,
                         const char *name); /* own or declared; or NULL */

/* structure_rules.c: <ModelStructure>. LOOKUP: the variable that an index or reference names. */
void hk_lint_structure(hk_lint *lint);
uint32_t hk_lint_lookup(const hk_lint *lint, const char *text, size_t length);

void hk_lint_fmi1(hk_lint *lint);
void hk_lint_fmi2(hk_lint *lint);
void hk_lint_fmi3(hk_lint *lint);

/* archive_rules.c, library_rules.c */
void hk_lint_archive(hk_lint *lint, hk_zip *zip, const char *path);
/* FOLDER is what is below binaries/: "linux64/". */
void hk_lint_platform(hk_lint *lint, hk_zip *zip, const char *path, const char *folder);
/* The element that describes the interface type with NAME, or NULL. */
const hk_xml *hk_lint_interface(const hk_lint *lint, const char *name);
/* modelIdentifier of an interface type, FMI 1.0: of the root; NULL: none. */
const char *hk_lint_identifier(const hk_lint *lint, size_t index);

#endif
