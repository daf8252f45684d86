/* SPDX-License-Identifier: MIT
 *
 * What the files that read simulations share: the reader, and what a path or a literal stands for.
 * A function that fails has reported one error, or found that it follows from one that was. */
#ifndef HK_LANG_SIMULATION_INTERNAL_H
#define HK_LANG_SIMULATION_INTERNAL_H

#include "base/complaints.h"
#include "lang/lang.h"

typedef struct hk_simread {
    hk_ctx *ctx;
    hk_complaints complaints;
    hk_arena *arena; /* of the simulation */
    hk_model *model;
    const hk_simulationfile *file;
    hk_simulation *simulation;
    const char *unit;             /* of times: "ms" */
    bool well_formed;             /* the text had no mistakes in its form */
    bool has_times;               /* simulationTime was understood */
    const hk_literal *parameters; /* of the scenario, in the order of the file */
    uint32_t *sorted;             /* components by name, for what begins with a composite's */
} hk_simread;

hk_where hk_simread_where(const hk_simread *r, const hk_place *at);
/* hk_complain at a place of the file. */
hk_status hk_simread_error(hk_simread *r, hk_status code, const hk_place *at, const char *hint,
                           const char *format, ...) HK_PRINTF(5, 6);
/* Something was left out. Silent if mistakes in the form of the text were reported already. */
hk_status hk_simread_missing(hk_simread *r, const hk_place *at);
/* "did you mean 'x'?", or NULL. */
const char *hk_simread_suggest(hk_simread *r, const char *word, const char *const *names,
                               size_t count);
/* "'a', 'b' and 'c'"; of many only the first. */
const char *hk_simread_list(hk_simread *r, const char *const *names, size_t count);

/* ---- simulation_times.c, simulation_parameters.c */

/* Unit, start, end and step, which go to the model; and whether periods fit them. */
void hk_simread_horizon(hk_simread *r);
void hk_simread_parameters(hk_simread *r, const hk_simulation_options *options);
/* Exact seconds: in the unit of the file if it has none of its own. WHAT: "the period". */
HK_NODISCARD hk_status hk_simread_time(hk_simread *r, const char *what, const char *text,
                                       const char *unit, const hk_place *at, hk_ratio *ret_time);
/* Seconds in the unit of the file: "10.5 ms". */
const char *hk_simread_show_time(hk_simread *r, hk_ratio time);
const char *hk_simread_show_number(hk_simread *r, double value);
/* floor(a / b) for b > 0; *ret_exact: it is the quotient itself. False if it does not fit. */
bool hk_simread_divide(hk_ratio a, hk_ratio b, int64_t *ret_quotient, bool *ret_exact);
bool hk_simread_times(hk_ratio a, int64_t n, hk_ratio *ret_product);

/* ---- simulation_paths.c */

typedef enum hk_target_kind {
    HK_TARGET_COMPONENTS,
    HK_TARGET_VARIABLES,
    HK_TARGET_SERVICE
} hk_target_kind;

#define HK_ALL_ELEMENTS UINT32_MAX

/* What a path stands for. */
typedef struct hk_target {
    hk_target_kind kind;
    const char *name;           /* below the root */
    const uint32_t *components; /* COMPONENTS: in model order */
    size_t component_count;
    bool composite;           /* COMPONENTS: the path is none of a leaf */
    const hk_signal *signals; /* VARIABLES: in order; element HK_ALL_ELEMENTS: the whole */
    size_t signal_count;
    /* VARIABLES, per signal; NULL: none. What else gets the value if it is set, and the port of a
     * composite that the signal was found by. */
    const hk_branch *const *branches;
    const hk_delegate *const *ports;
    /* VARIABLES: an input of a system that leads to these, each through its branch; NULL: none. */
    const hk_inlet *inlet;
    const hk_delegate *unclear;  /* a port that leads to nothing, or an interface to several */
    uint32_t component, service; /* SERVICE */
} hk_target;

HK_NODISCARD hk_status hk_simread_find(hk_simread *r, const hk_name *path, hk_target_kind wanted,
                                       hk_target *ret_target);
/* Variables that get a value; an input of a system may lead to several. */
HK_NODISCARD hk_status hk_simread_find_settable(hk_simread *r, const hk_name *path,
                                                hk_target *ret_target);
/* Something whose values are looked at: not an input of a composite that leads to several. */
HK_NODISCARD hk_status hk_simread_find_observed(hk_simread *r, const hk_name *path,
                                                hk_target *ret_target);
/* A leaf, or one of its interfaces: component and service are filled in, the latter is HK_MAP_NONE
 * for the leaf. */
HK_NODISCARD hk_status hk_simread_find_callee(hk_simread *r, const hk_name *path,
                                              hk_target *ret_target);
/* Something with one value. */
HK_NODISCARD hk_status hk_simread_find_signal(hk_simread *r, const hk_name *path,
                                              hk_signal *ret_signal, const char **ret_name);
const hk_variable *hk_simread_variable(const hk_simread *r, const hk_signal *signal);
/* "component.variable", "component.variable[2,1]". */
const char *hk_simread_signal_name(hk_simread *r, const hk_signal *signal);
/* "component.service". */
const char *hk_simread_service_name(hk_simread *r, uint32_t component, uint32_t service);
/* "its interfaces are ...": those of one direction, or NULL if there are none. */
const char *hk_simread_list_services(hk_simread *r, uint32_t component, bool provided);

/* Steps on the way: what a path below the root stands for; false: nothing. */
bool hk_simread_look_up(hk_simread *r, const char *path, hk_target *target);
/* The parts of a record, or of an array of records. */
bool hk_simread_parts(hk_simread *r, uint32_t component, const char *rest, hk_target *target);
bool hk_simread_composite(hk_simread *r, const char *path, hk_target *target);
/* The sorted components whose names begin with PREFIX: [*ret_first, result). */
size_t hk_simread_below(hk_simread *r, const char *prefix, size_t *ret_first);
/* Behind the system's name and the root composite's (in SSP with or without the outermost
 * system's); NULL: it does not begin so. */
const char *hk_simread_below_root(const hk_simread *r, const char *path);
/* Behind "HEAD." or HEAD itself; NULL: it does not begin so. */
const char *hk_path_behind(const char *path, const char *head);

/* ---- simulation_unknown.c */

/* The path stands for nothing. */
hk_status hk_simread_unknown(hk_simread *r, const hk_name *path, hk_target_kind wanted);
/* It stands for TARGET, and something else was wanted. */
hk_status hk_simread_wrong_kind(hk_simread *r, const hk_name *path, hk_target_kind wanted,
                                const hk_target *target);

/* ---- simulation_ports.c */

/* PATH, below the root, as a port or interface of a composite; false: it is none. */
bool hk_simread_find_port(hk_simread *r, const char *path, hk_target *ret_target);
/* It leads to nothing, or to several where one is needed. */
hk_status hk_simread_unclear_port(hk_simread *r, const hk_name *path, const hk_delegate *port);
/* Does the connection begin (FROM) or end at the target? At a port of a composite: lead through it.
 */
bool hk_target_has(const hk_simread *r, const hk_target *target, uint32_t connection, bool from);

/* ---- simulation_values.c */

/* What a basic value is for. */
typedef struct hk_slot {
    const char *name; /* for messages */
    hk_type type;
    const hk_enum *enumeration;
    const char *unit;
    const hk_uom *uom;
    bool relative;   /* differences: units are converted without offset */
    double min, max; /* NaN: not given */
} hk_slot;

/* The literal itself, or what a scenario parameter stands for. */
HK_NODISCARD hk_status hk_simread_literal(hk_simread *r, const hk_literal *literal,
                                          hk_literal *ret_literal);
/* As a person writes it. */
const char *hk_simread_show_literal(hk_simread *r, const hk_literal *literal);
hk_slot hk_simread_slot(hk_simread *r, const hk_signal *signal);
/* A number, also for Booleans and items of enumerations, in the unit of the slot. */
HK_NODISCARD hk_status hk_simread_number(hk_simread *r, const hk_literal *literal,
                                         const hk_slot *slot, double *ret_number);
/* Values for variables, one each. */
HK_NODISCARD hk_status hk_simread_values(hk_simread *r, const hk_literal *literal,
                                         const hk_target *target, hk_value *ret_values);
/* All basic values of a literal in order, to be freed. */
HK_NODISCARD hk_status hk_simread_flatten(hk_simread *r, const hk_literal *literal,
                                          hk_literal **ret_all, size_t *ret_count);
/* A function that is called. */
typedef struct hk_callee {
    const char *name; /* "environment.CurrentConfig.setSpeed" */
    const hk_service_info *service;
    uint32_t index; /* of the function in the interface of the service */
    const hk_function *function;
} hk_callee;

/* An argument as it lies in memory. */
HK_NODISCARD hk_status hk_simread_argument(hk_simread *r, const hk_literal *literal,
                                           const hk_callee *callee, size_t argument,
                                           const void **ret_data);

/* ---- simulation_actions.c, simulation_calls.c, simulation_faults.c */

typedef enum hk_moment { HK_IN_BEGIN, HK_IN_EVENT, HK_IN_DURING, HK_IN_END } hk_moment;

typedef struct hk_action_list {
    hk_action *all;
    size_t count, cap;
} hk_action_list;

/* Reads all statements; mistakes are in r->complaints. */
hk_actions hk_simread_block(hk_simread *r, const hk_block *block, hk_moment moment);
HK_NODISCARD hk_status hk_simread_call(hk_simread *r, const hk_statement *s, hk_action *action);
HK_NODISCARD hk_status hk_simread_bind(hk_simread *r, const hk_statement *s, hk_action *action);
HK_NODISCARD hk_status hk_simread_fault(hk_simread *r, const hk_statement *s, hk_action_list *list);
HK_NODISCARD hk_status hk_simread_repair(hk_simread *r, const hk_statement *s,
                                         hk_action_list *list);
/* override and release of what is connected; *ret_taken: it is, else nothing was read. */
HK_NODISCARD hk_status hk_simread_override(hk_simread *r, const hk_statement *s,
                                           hk_action_list *list, bool *ret_taken);

/* ---- simulation_worlds.c: remove, add, change */

HK_NODISCARD hk_status hk_simread_world(hk_simread *r, const hk_statement *s, hk_action action,
                                        hk_action_list *list);

/* ---- simulation_conditions.c */

/* AT: of what it belongs to, should there be none. */
HK_NODISCARD hk_status hk_simread_condition(hk_simread *r, const hk_condition *condition,
                                            const hk_place *at, const hk_test **ret_test);
void hk_simread_expectations(hk_simread *r, const hk_scenariodecl *decl, hk_scenario *scenario);

/* ---- simulation_requirements.c: what is measured, with its limits, and its words */

HK_NODISCARD hk_status hk_simread_requirement(hk_simread *r, const hk_requiredecl *decl,
                                              hk_expectation *expectation);

/* ---- simulation_logs.c */

void hk_simread_logs(hk_simread *r, const hk_scenariodecl *decl, hk_scenario *scenario);

/* ---- simulation_notes.c: what is not a mistake and worth knowing */

void hk_simread_notes(hk_simread *r);

#endif
