/* SPDX-License-Identifier: MIT
 *
 * What is known about a type of component before it runs: its variables and what it can do. The
 * same description serves FMUs of every version, native components, tables and all that follows. */
#ifndef HK_MODEL_INFO_H
#define HK_MODEL_INFO_H

#include "base/map.h"
#include "base/ratio.h"
#include "model/uom.h"
#include "model/value.h"

typedef enum hk_variability {
    HK_CONSTANT,
    HK_FIXED,
    HK_TUNABLE,
    HK_DISCRETE,
    HK_CONTINUOUS,
    HK_VARIABILITY_COUNT
} hk_variability;

typedef enum hk_initial { HK_INITIAL_NONE, HK_EXACT, HK_APPROX, HK_CALCULATED } hk_initial;

/* Which variables a variable depends on without delay. */
typedef struct hk_depends {
    bool known;         /* false: on everything */
    const uint32_t *on; /* indices of variables of the same component */
    size_t count;
} hk_depends;

typedef struct hk_variable {
    const char *name, *description; /* description may be NULL */
    uint32_t ref;                   /* value reference; native: index of the port */
    hk_type type;
    hk_store store; /* how the component itself wants to exchange it */
    hk_causality causality;
    hk_variability variability;
    hk_initial initial;
    size_t count; /* elements; 1: scalar */
    const size_t *dims;
    size_t dim_count;  /* 0: scalar */
    const char *unit;  /* as written; NULL: none */
    const hk_uom *uom; /* NULL: no unit, or one whose meaning is not known */
    const char *display_unit, *declared_type, *quantity;
    bool relative;   /* a difference: conversions have no offset */
    bool hidden;     /* a private parameter: scenarios do not set it */
    bool may_be_nan; /* an output that says so when its value is not known */
    const hk_enum *enumeration;
    hk_value start;           /* data NULL: none */
    double min, max, nominal; /* NaN: not given */
    hk_depends depends;       /* while running; outputs only */
    hk_depends depends_init;  /* in initialization mode */
    bool pulse;               /* an output that is 0 but in steps in which something happens */
    uint32_t with;            /* of a value that counts in steps in which something happens: the
                                 variable that says so, plus 1; 0: it counts always */
    uint32_t alias_of;        /* first variable with the same memory; its own index if alone */
    bool negated;             /* FMI 1.0: the opposite of what that memory holds */
    bool state;               /* continuous: the record of a model without outputs shows these */
    const char *unusable;     /* why its name cannot be connected, set or recorded; NULL: it can */
    int line, column;         /* in the description; 0: not known */
} hk_variable;

/* Items of an enumeration inside an argument: in C they are numbers, so its definition has no
 * names. All three are indices: of the function in the interface, and so on. */
typedef struct hk_argument_items {
    uint32_t function, argument, field;
    const hk_enum *items;
} hk_argument_items;

/* An interface that a component provides or requires. */
typedef struct hk_service_info {
    const char *name;      /* local: "pMntModel" */
    const char *interface; /* "environment.MntSource" */
    bool provided;
    const struct hk_interface *definition; /* hk/service.h; NULL: known by name only */
    const hk_argument_items *items;        /* of enumerations in the arguments of its functions */
    size_t item_count;
} hk_service_info;
/* NULL: they are not known. */
const hk_enum *hk_service_items(const hk_service_info *service, uint32_t function,
                                uint32_t argument, uint32_t field);
/* True if a function of the interface changes who provides it: its signature says 'mutable' before
 * one. */
bool hk_interface_mutable(const hk_interface *interface); /* NULL: is not known, and does not */

/* What a component is able to do; fields are false if it is not, or does not say so. */
/* What is decided about a component is decided by these, never by its kind in words. */
typedef struct hk_abilities {
    int fmi;               /* its calls follow the rules of this version of FMI; 0: is not an FMU */
    bool gapless;          /* steps follow each other: while it is stopped its time stands still */
    bool heeds_stops;      /* may change its outputs when it is stopped, or started again */
    bool asynchronous;     /* a step may go on beside the one who asked for it */
    bool momentary;        /* has no state: its outputs follow from its inputs at each activation */
    bool only_feeds;       /* gives values to a system and is not part of it: a table of inputs */
    bool from_types;       /* its code was made from a type file: a leaf's type fits exactly */
    bool variable_step;    /* the last step may be shorter */
    bool save_state;       /* get and set its state in memory */
    bool serialize_state;  /* and turn it into bytes */
    bool once_per_process; /* one instance in a process, no more */
    bool needs_tool;       /* another program must be installed */
    bool interpolates_inputs; /* takes input derivatives */
    bool has_streams;         /* draws random numbers, so repeated runs differ */
    unsigned output_derivative_order;
    bool directional_derivatives;
} hk_abilities;

/* What of its behaviour is counted while it runs: states that are entered, transitions that are
 * taken. */
typedef struct hk_covered {
    const char *group;  /* "c0.s0": the machine */
    const char *inside; /* "Outer.Middle": the states that it is in; "": none */
    const char *name;
    bool transition; /* else a state, or another node */
    bool state;      /* coverage asks for it: a state */
} hk_covered;

/* Experiment settings; has_... says which are there. */
typedef struct hk_defaults {
    bool has_start, has_stop, has_step, has_tolerance;
    hk_ratio start, stop, step;
    double tolerance;
} hk_defaults;

struct hk_unit_class;

typedef struct hk_info {
    const char *name, *description; /* of the type; description may be NULL */
    const char *kind;               /* for people: "FMI 2.0 co-simulation", "native", "table" */
    const char *tool;               /* the program that made it; NULL: not known */
    const char *file;               /* the description, for messages; NULL: built in */
    hk_stamp stamp;
    hk_variable *variables;
    size_t variable_count;
    hk_map by_name; /* name -> index; without variables that are unusable */
    const hk_service_info *services;
    size_t service_count;
    hk_abilities can;
    const uint32_t *random_scales; /* if all these parameters are 0, its random numbers are too */
    size_t random_scale_count;     /* 0: they never are */
    hk_defaults defaults;
    const hk_covered *covered; /* counted by its instances: hk_unit_class.covered */
    size_t covered_count;
    uint64_t digest; /* of what is counted: another version has another one; 0: none */
    const struct hk_unit_class *unit_class; /* makes instances of it: model/unit.h */
    void *origin; /* what unit_class needs: the opened FMU, the native type, the table */
} hk_info;

/* Index of the variable, or HK_MAP_NONE. */
uint32_t hk_info_find(const hk_info *info, const char *name);
/* Why a variable with this name, which hk_info_find does not find, cannot be used; NULL: there is
 * none. */
const char *hk_info_why_not(const hk_info *info, const char *name);
/* The variable closest to NAME, for "did you mean"; NULL if none is close. */
const char *hk_info_closest(const hk_info *info, const char *name);
const char *hk_causality_name(hk_causality causality);
const char *hk_variability_name(hk_variability variability);
const char *hk_initial_name(hk_initial initial);
/* True if the value may be set before initialization (FMI 2.0 table: initial exact or approx, not
 * constant; inputs too, which the engine sets in initialization mode). */
bool hk_variable_settable(const hk_variable *variable);

#endif
