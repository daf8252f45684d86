/* SPDX-License-Identifier: MIT
 *
 * What the files of this room share and nobody else needs. */
#ifndef HK_EXPORT_EXPORT_INTERNAL_H
#define HK_EXPORT_EXPORT_INTERNAL_H

#include "export/export.h"
#include "native/native.h"

#include <stdio.h>

/* An enumeration of some of the variables. */
typedef struct hk_export_enum {
    const hk_enum *items;
    const char *name; /* that no other type and no variable has */
    bool plain;       /* this version of FMI has no such items: its variables are integers */
} hk_export_enum;

/* One export while it is being made. */
typedef struct hk_export {
    hk_ctx *ctx;
    hk_arena *arena;
    const hk_export_options *options;
    hk_model *model;
    const hk_info *info;
    hk_export_enum *enums; /* of the info */
    size_t enum_count;
    const char *folder; /* temporary */
    const char *stage;  /* in it: what becomes sources/ */
    /* Relative to the stage: sources of the component, all files of it, folders to search. */
    const char **units, **files, **includes;
    size_t unit_count, unit_cap, file_count, file_cap, include_count, include_cap;
    const char *plugin;     /* the plugin that was given; NULL: sources were */
    const char *name;       /* of the model */
    const char *identifier; /* the name as C identifier */
    const char *guid;
    const char *date;     /* NULL: not said */
    const char *platform; /* folder in binaries/ */
} hk_export;

/* export_check.c: is there anything that this version of FMI has no words for? */
HK_NODISCARD hk_status hk_export_check(const hk_export *e);
bool hk_export_is_text(const char *text);       /* that XML can hold */
const char *hk_export_file(const hk_export *e); /* that messages are about */
const char *hk_export_identifier(hk_arena *arena, const char *name);

/* export_cycle.c: components that work in cycles. */
hk_export_role hk_export_role_of(const hk_export *e, size_t variable);
bool hk_export_has_clocks(const hk_export *e);
const char *hk_export_cycle_name(const hk_export *e); /* of the clock */
/* The rest of the element of variable V, a clock; attributes of one that is clocked. */
void hk_export_put_clock(const hk_export *e, FILE *out, const hk_variable *v, size_t ref);
void hk_export_put_cycle(const hk_export *e, FILE *out, size_t ref);
void hk_export_put_clocks(const hk_export *e, FILE *out, size_t ref);
void hk_export_write_events(const hk_export *e, FILE *out); /* for the shell */

/* random.c: two parameters more in the info of a component that draws random numbers. */
void hk_export_add_random(hk_export *e);

/* domain.c: limits and enumerations. */
void hk_export_find_enums(hk_export *e);
HK_NODISCARD hk_status hk_export_check_domains(const hk_export *e);
/* FMI 1.0 has no numbers for items: hocket finds those of its own FMUs in annotations. */
void hk_export_put_own_items(const hk_export *e, FILE *out);
void hk_export_put_types(const hk_export *e, FILE *out);
/* Attributes of V: its type if that is declared, and its limits. */
void hk_export_put_domain(const hk_export *e, FILE *out, const hk_variable *v);
const char *hk_export_declared_type(const hk_export *e, const hk_variable *v); /* NULL: none */
bool hk_export_is_enum(const hk_export *e, const hk_variable *v); /* that FMI has words for */

/* export_text.c: pieces of text. */
const char *hk_export_text(hk_arena *arena, void (*write)(const hk_export *e, FILE *out),
                           const hk_export *e);
void hk_export_put_escaped(FILE *out, const char *text);
void hk_export_put_attr(FILE *out, const char *name, const char *value); /* nothing if NULL */
const char *hk_export_element_name(hk_arena *arena, const hk_variable *variable, size_t element);
/* Start value of one element as XML wants it; a zero if the variable has none. WIDE: numbers as
 * FMI 1.0 and 2.0 know them, where a Float32 is a double. */
const char *hk_export_start(hk_arena *arena, const hk_variable *variable, size_t element,
                            bool wide);
/* True if the description is to give a start value. */
bool hk_export_has_start(const hk_variable *variable);
/* "Real" ... as FMI 1.0 and 2.0 name them. */
const char *hk_export_type_name(const hk_export *e, const hk_variable *v);
/* Of FMI 1.0 and 2.0: each element of an array is a variable. PUT writes one. */
typedef void hk_export_put_scalar(const hk_export *e, FILE *out, const hk_variable *v,
                                  size_t element, size_t ref);
void hk_export_put_scalars(const hk_export *e, FILE *out, hk_export_put_scalar *put);
/* Attributes that all versions have at their root. */
void hk_export_put_root(const hk_export *e, FILE *out);
void hk_export_put_units(const hk_export *e, FILE *out);
void hk_export_put_categories(FILE *out);                     /* FMI 2.0, 3.0 */
void hk_export_put_experiment(const hk_export *e, FILE *out); /* FMI 2.0, 3.0 */
const char *hk_export_stamp(const hk_export *e);
/* Names of outputs that are pulses, with a space between two; NULL: none is. */
const char *hk_export_pulses(const hk_export *e);
void hk_export_put_schedule(const hk_export *e, FILE *out); /* FMI 2.0, 3.0: hocket's own words */
/* True if TO may change when FROM changes, while running or in initialization. */
bool hk_export_depends(const hk_export *e, const hk_variable *to, uint32_t from, bool initial);
bool hk_export_is_initial_unknown(const hk_variable *variable);
/* The name of the independent variable: "time", or if a port has that name another one. */
const char *hk_export_time_name(const hk_export *e);

/* describe_fmiN.c, page.c, export_model.c: the generated files. */
void hk_export_describe_fmi1(const hk_export *e, FILE *out);
void hk_export_describe_fmi2(const hk_export *e, FILE *out);
void hk_export_describe_fmi3(const hk_export *e, FILE *out);
void hk_export_write_page(const hk_export *e, FILE *out);
void hk_export_write_build(const hk_export *e, FILE *out);
void hk_export_write_model_header(const hk_export *e, FILE *out);
void hk_export_write_model(const hk_export *e, FILE *out);
/* What the component's struct looks like: states fit only if this is the same. */
void hk_export_write_layout(const hk_export *e, FILE *out);

/* stage.c: brings files of the component and of the shell into the stage. */
HK_NODISCARD hk_status hk_export_stage_component(hk_export *e);
HK_NODISCARD hk_status hk_export_stage_shell(hk_export *e);
HK_NODISCARD hk_status hk_export_stage_text(hk_export *e, const char *name, const char *text);
/* From now on hk_plugin of the staged sources has a name of this FMU. */
HK_NODISCARD hk_status hk_export_stage_plugin_name(hk_export *e);
/* Sources of the shell for this FMU, in the stage; NULL: past the end. */
const char *hk_export_shell_unit(const hk_export *e, size_t index);
/* All files of the shell, in the stage. */
const char *hk_export_shell_file(const hk_export *e, size_t index);

/* export_compile.c: the C compiler. */
/* Compiles UNITS of the stage to the shared library at OUTPUT. */
HK_NODISCARD hk_status hk_export_compile(hk_export *e, const char *const *units, size_t count,
                                         const char *output);
/* The headers that SOURCE needs, as one text in the form of a Makefile. */
HK_NODISCARD hk_status hk_export_list_headers(hk_export *e, const char *source, const char **ret);

#endif
