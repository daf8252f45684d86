/* SPDX-License-Identifier: MIT
 *
 * The one model that every front end fills in and everything else reads: components, connections,
 * parameter settings, the experiment. Flat: nesting is resolved by the front ends, and a component
 * in a subsystem is called "sub.component". Immutable once it is lowered. */
#ifndef HK_MODEL_MODEL_H
#define HK_MODEL_MODEL_H

#include "model/info.h"

/* Where a setting came from; a larger one wins, and among equals the later one. */
typedef enum hk_source {
    HK_FROM_DEFAULT,     /* built in */
    HK_FROM_DESCRIPTION, /* the component's own description */
    HK_FROM_SYSTEM,      /* the system file: inner bindings first, outer ones later */
    HK_FROM_ENVIRONMENT, /* HK_... variables */
    HK_FROM_USER         /* the command line */
} hk_source;
const char *hk_source_name(hk_source source);

/* A value given to a variable before the run. */
typedef struct hk_setting {
    uint32_t variable;
    hk_value value; /* converted to the variable's type and unit */
    hk_source source;
    hk_where where;
} hk_setting;

/* What happens to activations that take longer than they may; docs/semantics.md. */
typedef enum hk_overrun { HK_OVERRUN_STOP, HK_OVERRUN_LATE, HK_OVERRUN_SKIP } hk_overrun;

typedef struct hk_component {
    const char *name;
    const hk_info *info;
    bool has_period;
    hk_ratio period, offset; /* seconds; without a period the experiment's step holds */
    int priority;            /* smaller first, where a cycle must be cut */
    uint32_t processor;      /* logical processor; HK_MAP_NONE: none was declared */
    uint32_t rank;           /* its place in the order of its processor */
    bool has_cost, has_deadline, has_overrun;
    hk_ratio cost;     /* seconds that an activation takes its processor; without one: none */
    hk_ratio deadline; /* seconds from the activation to its end; without one: the period */
    hk_overrun overrun;
    bool inactive;        /* stopped from the beginning */
    hk_setting *settings; /* in order of precedence: apply from first to last */
    size_t setting_count, setting_cap;
    hk_where where;
} hk_component;

typedef enum hk_transform_kind {
    HK_TRANSFORM_NONE,
    HK_TRANSFORM_LINEAR,
    HK_TRANSFORM_MAP
} hk_transform_kind;

/* What happens to a value on its way: linear (units included), or a table. */
typedef struct hk_transform {
    hk_transform_kind kind;
    double factor, offset;
    const int64_t *map_from, *map_to; /* unmapped values pass unchanged */
    size_t map_count;
} hk_transform;

/* The value that T makes of VALUE; the engine maps whole numbers by itself, since not all of 64
 * bits are numbers of floating point. */
static inline double hk_transform_value(const hk_transform *t, double value) {
    if (t->kind == HK_TRANSFORM_LINEAR)
        return t->factor * value + t->offset;
    for (size_t i = 0; t->kind == HK_TRANSFORM_MAP && i < t->map_count; i++)
        if ((double)t->map_from[i] == value)
            return (double)t->map_to[i];
    return value;
}

/* Elements of a variable that lie one after the other. */
typedef struct hk_slice {
    uint32_t first, count; /* count 0: all of them */
} hk_slice;

typedef struct hk_connection {
    uint32_t from_component, from_variable;
    uint32_t to_component, to_variable;
    hk_slice from_slice, to_slice; /* of as many elements */
    bool paired;             /* one of those that join an array with scalars, element by element */
    bool shared;             /* of a parameter: the second follows the first, hk_shared */
    hk_transform transform;  /* as declared */
    hk_transform conversion; /* all that a value undergoes: that of the units, then the one declared
                                (hk_model_lower) */
    bool suppress_unit_conversion;
    /* Units the system file itself declares for the two ends; NULL: the variables' own. */
    const hk_uom *from_uom, *to_uom;
    hk_lag lag;
    hk_ratio delay;   /* seconds, added to the lag; {0,1}: none */
    hk_value initial; /* of the elements joined; data NULL: the output's own initial value */
    hk_where where;
} hk_connection;

typedef enum hk_algorithm { HK_JACOBI, HK_GAUSS_SEIDEL, HK_ALGORITHMS } hk_algorithm;

/* words.c: what they are called in every file, option and answer. */
extern const char *const hk_algorithm_words[HK_ALGORITHMS];
bool hk_algorithm_find(const char *word, hk_algorithm *ret_algorithm);
/* By hk_lag. Those that may be written begin with the second. */
enum { HK_LAGS = 4 };
extern const char *const hk_lag_words[HK_LAGS];
bool hk_lag_find(const char *word, hk_lag *ret_lag); /* one that may be written */
/* The lag of the connection, or what the algorithm means by none. */
hk_lag hk_connection_lag(const hk_connection *connection, hk_algorithm algorithm);

typedef struct hk_experiment {
    hk_ratio start, stop, step;
    hk_ratio output_interval; /* num 0: every step */
    bool has_stop, has_step, has_tolerance;
    bool tell_stop; /* components are told the stop time when they are initialised */
    double tolerance;
    /* What the system file asks for, or (HK_FROM_DEFAULT) what its language means by itself; the
     * command line may ask for another. */
    bool has_algorithm;
    hk_algorithm algorithm;
    hk_source algorithm_source;
    hk_source start_source, stop_source, step_source, tolerance_source, output_interval_source;
} hk_experiment;

/* A logical processor: its components run one after the other, processors at the same time. */
typedef struct hk_processor {
    const char *name;
    uint32_t *components; /* in the declared order */
    size_t count, cap;
    hk_where where;
} hk_processor;

/* What happens to connections with the lag 'current' that cross from one processor to another:
 * nothing, they wait for the producer (KEEP), or they get the step of the producer's processor as
 * their lag, as values between federates of HLA do (HLA). */
typedef enum hk_cut { HK_CUT_KEEP, HK_CUT_HLA } hk_cut;

/* A way of data through components: each is connected to the next. */
typedef struct hk_path {
    uint32_t *components;
    size_t count;
} hk_path;

typedef enum hk_constraint_kind {
    HK_LATENCY,     /* the age of what arrives at the end of one path lies in [min, max] */
    HK_COINCIDENCE, /* what all paths bring was computed at the same instant */
    HK_FRESHNESS    /* nothing that the component (a path of one) reads is older than max */
} hk_constraint_kind;

typedef struct hk_constraint {
    hk_constraint_kind kind;
    hk_path *paths;
    size_t path_count;
    bool has_min, has_max;
    hk_ratio min, max; /* seconds */
    hk_where where;
} hk_constraint;

/* What a connector of the outermost system gives its value to, beside the variable that it is a
 * name for. */
typedef struct hk_branch hk_branch;
struct hk_branch {
    uint32_t component, variable;
    hk_transform transform; /* from the connector, units included if uom is there */
    const hk_branch *next;
    hk_slice slice;    /* the elements that it drives */
    const hk_uom *uom; /* of what the transformation is given; NULL: the variable's own */
};

/* An extra name for a variable of a component: a connector of the outermost system. */
typedef struct hk_alias {
    const char *name;
    uint32_t component, variable;
    const hk_branch *branches;
} hk_alias;

/* An input or parameter of a system that nothing drives and that is not a name of one variable:
 * what it is given goes to all that it drives, changed on its way. Those of inner systems are
 * "system.connector". */
typedef struct hk_inlet {
    const char *name;
    const hk_branch *branches; /* at least one */
    bool outermost;            /* of the outermost system */
} hk_inlet;

/* An output of the outermost system that is not a variable as it is: one element of a variable, or
 * what a transformation makes of it. It can be looked at under its name. */
typedef struct hk_shown {
    const char *name, *unit; /* unit NULL: none */
    const hk_uom *uom;       /* NULL: not known */
    uint32_t component, variable, element;
    hk_transform transform; /* of whole numbers only a map */
} hk_shown;

/* A required interface of a component, and who may provide it. */
typedef struct hk_provider {
    uint32_t component, service;
} hk_provider;

typedef struct hk_requirement {
    uint32_t component, service;
    hk_provider *candidates; /* bound at design time if there is one only */
    size_t candidate_count;
    uint32_t bound; /* index of a candidate; HK_MAP_NONE: not yet */
    hk_where where;
} hk_requirement;

/* Variables that have one value: a parameter shared by several components. Setting the first sets
 * all. Those that may change during a run follow their owner, the first, over connections. */
typedef struct hk_shared {
    uint32_t component, variable;
    const hk_branch *others;
    hk_lag lag; /* of these connections: CURRENT, or PREVIOUS */
    hk_where where;
} hk_shared;

typedef enum hk_delegate_kind {
    HK_DELEGATE_INPUT,
    HK_DELEGATE_OUTPUT,
    HK_DELEGATE_PROVIDED,
    HK_DELEGATE_REQUIRED
} hk_delegate_kind;

typedef struct hk_delegate_end {
    uint32_t component, member; /* a variable or a service */
} hk_delegate_end;

/* A port (one for each basic value) or interface of a composite, and what it stands for: the inputs
 * that it feeds, the output that drives it, those that answer, those that ask. */
typedef struct hk_delegate {
    const char *name; /* "composite.port", "composite.port.x" */
    hk_delegate_kind kind;
    hk_delegate_end *ends;
    size_t end_count, end_cap;
    uint32_t *connections; /* that lead through it */
    size_t connection_count, connection_cap;
} hk_delegate;

/* A plugin that components of the model come from, and how it was compiled. */
typedef struct hk_library {
    const char *file;                     /* its name, without folders */
    const char *path;                     /* absolute */
    const char *compiler;                 /* as it calls itself; NULL: the plugin does not say */
    const char *flags;                    /* for people: base/cflags.h */
    const char *cxx_compiler, *cxx_flags; /* if it has files in C and in C++; NULL: it has not */
    const char *difference; /* in what the flags differ from the one list; NULL: in nothing */
    const char *changed;    /* which source was changed since it was built; NULL: none is known */
} hk_library;

typedef struct hk_tree hk_tree; /* model/tree.h */

typedef struct hk_model {
    hk_arena *arena; /* holds everything that the model points to and does not free itself */
    const char *name, *file;
    const char *description; /* of the system, for people; NULL: none */
    hk_where named;          /* while it is read: where the library is named that is opened now */
    const char *root; /* the outermost composite: absolute paths are "name.root.component"; NULL:
                         there is none, and they are "name.component" */
    hk_component *components;
    size_t component_count, component_cap;
    hk_map by_name; /* component name -> index */
    hk_connection *connections;
    size_t connection_count, connection_cap;
    hk_alias *aliases;
    size_t alias_count, alias_cap;
    hk_map by_alias; /* alias name -> index */
    hk_inlet *inlets;
    size_t inlet_count, inlet_cap;
    hk_map by_inlet; /* name -> index */
    hk_shown *shown;
    size_t shown_count, shown_cap;
    hk_processor *processors; /* none: everything runs on one */
    size_t processor_count, processor_cap;
    hk_cut cut;
    hk_constraint *constraints;
    size_t constraint_count, constraint_cap;
    hk_requirement *requirements; /* one per required interface of each component */
    size_t requirement_count, requirement_cap;
    hk_shared *shared;
    size_t shared_count, shared_cap;
    hk_delegate *delegates;
    size_t delegate_count, delegate_cap;
    hk_map by_delegate; /* name -> index */
    hk_experiment experiment;
    bool from_osp; /* its file has no words for lags, and other tools do not shorten its last steps:
                      what is said about it does not speak of lags, and says what is shortened */
    bool lowered;  /* nothing was added since hk_model_lower: it can be planned */
    hk_tree *tree; /* what it was read from: model/tree.h; NULL: is not known */
    const hk_library **libraries; /* plugins that were loaded, in that order */
    size_t library_count, library_cap;
    /* Called by hk_model_destroy for what the components stand on (opened FMUs, plugins). */
    struct hk_owned {
        void (*release)(void *object);
        void *object;
    } * owned;
    size_t owned_count, owned_cap;
} hk_model;

hk_model *hk_model_create(const char *name, const char *file);
void hk_model_destroy(hk_model *model); /* NULL is fine */
void hk_model_own(hk_model *model, void *object, void (*release)(void *object));

/* Adds a component; the name must be new (else HK_E_DUPLICATE). Strings of WHERE are copied. */
HK_NODISCARD hk_status hk_model_add_component(hk_ctx *ctx, hk_model *model, const char *name,
                                              const hk_info *info, hk_where where,
                                              uint32_t *ret_index);
/* Periods that are a whole number of the experiment's steps but for one part in 10^9, as that of
 * 33.33333333 Hz is of 10 ms, become exactly that. */
void hk_model_round_periods(hk_model *model);
/* Adds a connection with no transformation, default lag; returns it for further settings. The
 * pointer is valid until the next one is added. */
hk_connection *hk_model_connect(hk_model *model, uint32_t from_component, uint32_t from_variable,
                                uint32_t to_component, uint32_t to_variable, hk_where where);
/* Adds an input that leads to BRANCHES, which live as long as the model; NAME is copied. */
void hk_model_add_inlet(hk_model *model, const char *name, const hk_branch *branches,
                        bool outermost);
/* Adds an output of the outermost system; the name is copied, the rest lives as long as the model.
 */
void hk_model_add_shown(hk_model *model, const hk_shown *shown);
/* Adds an extra name (copied) for a variable; false if that name is an alias already. BRANCHES live
 * as long as the model; NULL: none. */
bool hk_model_add_alias(hk_model *model, const char *name, uint32_t component, uint32_t variable,
                        const hk_branch *branches);
/* Adds a port of a composite without ends, NAME is copied; its index. */
uint32_t hk_model_add_delegate(hk_model *model, const char *name, hk_delegate_kind kind);
bool hk_model_is_single(const hk_model *model); /* one component, and tables that drive it */
/* Who gives a value, and where that is written. */
typedef struct hk_origin {
    hk_source source;
    hk_where where;
} hk_origin;

/* A value as somebody has written it. */
typedef struct hk_given_text {
    const char *text;
    const hk_uom *unit; /* of the numbers in it; NULL: that of the variable */
    hk_origin from;
} hk_given_text;

/* Gives a variable a value. UNIT may be NULL: the variable's own; else TEXT is converted. Fails
 * (HK_E_PARAMETER, HK_E_VALUE or HK_E_UNIT_MISMATCH) if the variable cannot be set, TEXT is not a
 * value of its type or UNIT is of another dimension. If the variable's own unit is not known, TEXT
 * is taken as it stands, with a warning. A structural parameter gives the component another
 * description, with other sizes, and is not a setting: the last value counts. Arrays are set after
 * it; what was given to one before must be one value for all elements, else this fails. */
HK_NODISCARD hk_status hk_model_set(hk_ctx *ctx, hk_model *model, uint32_t component,
                                    uint32_t variable, const hk_given_text *given);
/* The same for some elements of an array; the others keep what they were given before, or the start
 * value (0 or "" without one, with a warning). */
HK_NODISCARD hk_status hk_model_set_slice(hk_ctx *ctx, hk_model *model, uint32_t component,
                                          uint32_t variable, hk_slice slice,
                                          const hk_given_text *given);
/* Takes back what was given to the variable, for who gives it another value and another size. */
void hk_model_unset(hk_model *model, uint32_t component, uint32_t variable);
/* The same for a value in the variable's own type and unit. What it points to lives as long as the
 * model. */
HK_NODISCARD hk_status hk_model_set_value(hk_ctx *ctx, hk_model *model, uint32_t component,
                                          uint32_t variable, const hk_value *value,
                                          hk_origin origin);
/* What a variable begins with, of all that it was given; NULL: nothing. */
const hk_setting *hk_component_last_setting(const hk_component *component, uint32_t variable);
/* The share that a variable follows; NULL: none, or it is the first, which owns the value. */
const hk_shared *hk_model_follows(const hk_model *model, uint32_t component, uint32_t variable);
/* Fails (HK_E_PARAMETER) with the name of the owner if the variable follows another one: what it
 * were given would be lost. */
HK_NODISCARD hk_status hk_model_refuse_follower(hk_ctx *ctx, const hk_model *model,
                                                uint32_t component, uint32_t variable,
                                                hk_where where);
/* Gives TO, one of the others of a share, the value that the first begins with. */
HK_NODISCARD hk_status hk_model_spread(hk_ctx *ctx, hk_model *model, const hk_shared *shared,
                                       const hk_branch *to, hk_source source, hk_where where);
/* What happens to the value of a shared variable on its way to TO: its transformation. False: their
 * units are of different dimensions. */
bool hk_model_share_units(const hk_model *model, uint32_t component, uint32_t variable,
                          hk_branch *to);
/* Gives all that follow a shared variable its value, and joins those that may change during a run
 * with it; once, when all are known. */
HK_NODISCARD hk_status hk_model_share_all(hk_ctx *ctx, hk_model *model);
/* Adds a logical processor; the name must be new (else HK_E_DUPLICATE). */
HK_NODISCARD hk_status hk_model_add_processor(hk_ctx *ctx, hk_model *model, const char *name,
                                              hk_where where, uint32_t *ret_index);
/* Puts a component at the end of a processor's order. A component has one processor at most. */
HK_NODISCARD hk_status hk_model_assign(hk_ctx *ctx, hk_model *model, uint32_t processor,
                                       uint32_t component, hk_where where);
/* Where processors are declared, every component must have one (else HK_E_SCHEDULE at WHERE). */
HK_NODISCARD hk_status hk_model_check_processors(hk_ctx *ctx, const hk_model *model,
                                                 hk_where where);
/* Forgets all processors: another schedule takes the place of the one that was there. */
void hk_model_clear_processors(hk_model *model);
/* Adds a constraint; its paths live in the model's arena. */
void hk_model_add_constraint(hk_model *model, hk_constraint constraint);
/* "'a.p' and 'b.p'": all that may provide it, in ARENA. */
const char *hk_requirement_providers(hk_arena *arena, const hk_model *model,
                                     const hk_requirement *requirement);
/* "a -> b -> c", in the model's arena. */
const char *hk_model_path_name(const hk_model *model, const hk_path *path);
/* The elements that a connection joins; its two ends must agree on it: hk_check_model. */
size_t hk_connection_count(const hk_model *model, const hk_connection *connection);
size_t hk_slice_count(const hk_slice *slice, const hk_variable *variable);
/* What the units at the two ends of a connection ask for; 1 and 0 where one is not known, or where
 * values are to pass as they are. False: they are of different dimensions, so nothing is converted.
 */
bool hk_connection_units(const hk_model *model, const hk_connection *connection, double *ret_factor,
                         double *ret_offset);
/* Nothing happens to the value on its way but what the units of the two variables ask for: formats
 * without words for a change can hold it. */
bool hk_connection_is_plain(const hk_model *model, const hk_connection *connection);
/* Derives what the plan and the engine need from what was declared: the conversion of each
 * connection. A model that has not changed stays as it is. Whether it makes sense is another
 * question: check/check.h. */
void hk_model_lower(hk_model *model);
/* "a.y -> b.u[2]", in the model's arena. */
const char *hk_connection_name(const hk_model *model, const hk_connection *connection);
hk_where hk_connection_where(const hk_model *model, const hk_connection *connection);

#endif
