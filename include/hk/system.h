/* SPDX-License-Identifier: MIT
 *
 * A system: components, their connections, start values and the experiment. Open one from a file,
 * or build it:
 *
 *     hk_system *system;
 *     hk_system_create(context, "house", &system);
 *     hk_system_register(system, &boiler_type);
 *     hk_system_add_native(system, "boiler", "boiler");
 *     hk_system_add_fmu(system, "room", "room.fmu");
 *     hk_system_connect(system, "boiler.heat", "room.heat", NULL);
 *     hk_system_set_text(system, "room.temperature_start", "18 degC");
 *
 * and make sessions of it (hk/session.h). hk_system_check, or the first session, completes the
 * system: from then on only start values and the experiment may change, for the sessions to come.
 *
 * Variables are named "component.variable", or by a connector of the outermost system; in a system
 * of one component "variable" is enough.
 *
 * Times are exact. They are given as text ("0.001", "1/120", "20ms") or as a double, which is taken
 * as the decimal number it prints as: 0.1 is one tenth.
 *
 * Ownership: texts and values are copied; a registered hk_unit_type must stay as it is. A system
 * may be destroyed before its sessions; it goes with the last of them. Threads: use a system, with
 * all its sessions, on one thread at a time. For runs side by side open one system for each thread.
 */
#ifndef HK_SYSTEM_H
#define HK_SYSTEM_H

#include <hk/answer.h>
#include <hk/unit.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hk_system hk_system;

/* An empty system. */
HK_EXPORT HK_NODISCARD hk_status hk_system_create(hk_context *context, const char *name,
                                                  hk_system **ret_system);
/* A system (.ssp, .ssd, .system, OspSystemStructure.xml), a .fmu or .rct as a system of one
 * component that is named after its model, or a .simulation with the system it is about: its
 * scenarios are played by sessions, and components and connections cannot be added. All of them at
 * once are played by hk_ask_play (hk/simulation.h). */
HK_EXPORT HK_NODISCARD hk_status hk_system_open(hk_context *context, const char *path,
                                                hk_system **ret_system);
/* The same with options (hk/answer.h), but for a master: hk_ask_plan and hk_ask_prove take one.
 * NULL is fine. */
HK_EXPORT HK_NODISCARD hk_status hk_system_open_with(hk_context *context, const char *path,
                                                     const hk_file_options *options,
                                                     hk_system **ret_system);
HK_EXPORT void hk_system_destroy(hk_system *system); /* NULL is fine */

/* --- components ---------------------------------------------------------------------------- */

/* Makes a native type known by its name. */
HK_EXPORT HK_NODISCARD hk_status hk_system_register(hk_system *system, const hk_unit_type *type);
/* Adds a component of a registered type. */
HK_EXPORT HK_NODISCARD hk_status hk_system_add_native(hk_system *system, const char *name,
                                                      const char *type);
/* Adds a component of a type that the plugin (a shared library, hk/unit.h) at PATH offers. */
HK_EXPORT HK_NODISCARD hk_status hk_system_add_plugin(hk_system *system, const char *name,
                                                      const char *path, const char *type);
/* Adds an FMU. */
HK_EXPORT HK_NODISCARD hk_status hk_system_add_fmu(hk_system *system, const char *name,
                                                   const char *path);
/* Adds the RoboChart module of a file (.rct) that has one: docs/robochart.md. */
HK_EXPORT HK_NODISCARD hk_status hk_system_add_chart(hk_system *system, const char *name,
                                                     const char *path);
/* Adds a table (.csv, .mat, .h5) whose first column is the time: each other column drives the input
 * that it is named after. The inputs must be there already; the component is called "input". */
HK_EXPORT HK_NODISCARD hk_status hk_system_add_table(hk_system *system, const char *path);

/* The period of a component, and when in it it runs first (NULL: at once). Without a period of its
 * own a component runs with the experiment's step. */
HK_EXPORT HK_NODISCARD hk_status hk_system_set_period(hk_system *system, const char *component,
                                                      const char *period, const char *offset);
/* Smaller runs first, where a cycle must be cut. */
HK_EXPORT HK_NODISCARD hk_status hk_system_set_priority(hk_system *system, const char *component,
                                                        int priority);

/* --- connections --------------------------------------------------------------------------- */

/* Zero means the default everywhere; set size to sizeof(hk_link_options). */
typedef struct hk_link_options {
    size_t size;
    hk_lag lag;
    const char *delay;   /* time added to the lag; NULL: none */
    const char *initial; /* value before the producer's first; NULL: the output's own */
    double factor;       /* value = factor * value + offset, after units; 0: 1 */
    double offset;
} hk_link_options;

/* Connects the output FROM to the input TO. Units are converted. Names may mean elements of arrays:
 * "a.y[2]", "a.m[1,2]". An array is also connected to scalars x[1], x[2] ... of a component that
 * has no x, and they to it, if you name it "b.x". OPTIONS may be NULL. */
HK_EXPORT HK_NODISCARD hk_status hk_system_connect(hk_system *system, const char *from,
                                                   const char *to, const hk_link_options *options);

/* Processors, lags and constraints, in the language of schedule files (docs/schedule.md), for the
 * components and connections that are there. */
HK_EXPORT HK_NODISCARD hk_status hk_system_read_schedule(hk_system *system, const char *path);
HK_EXPORT HK_NODISCARD hk_status hk_system_parse_schedule(hk_system *system, const char *text);

/* --- start values -------------------------------------------------------------------------- */

/* The start value of a parameter or input, or of one element of an array ("a.u[2]"). Text may end
 * in a unit ("12 km/h"), names an item of an enumeration, and lists the elements of an array
 * separated by spaces; texts of an array are in quotes if they hold spaces: "one \"and two\"".
 * One value fills an array. Binary is hexadecimal. A parameter that components share is set where
 * it is owned, for all of them; one that follows another is refused (HK_E_PARAMETER). */
HK_EXPORT HK_NODISCARD hk_status hk_system_set_text(hk_system *system, const char *variable,
                                                    const char *value);
/* All start values of a file: a parameter set (.ssv), a table with the columns name, value and
 * perhaps unit (.csv), or an object (.json), flat or nested by component; as --set-file takes them.
 * Later calls count before earlier ones. After a failure some of them may be set. */
HK_EXPORT HK_NODISCARD hk_status hk_system_set_file(hk_system *system, const char *path);
/* COUNT numbers, in the unit of the variable; one number fills an array. */
HK_EXPORT HK_NODISCARD hk_status hk_system_set_f64(hk_system *system, const char *variable,
                                                   const double *values, size_t count);
HK_EXPORT HK_NODISCARD hk_status hk_system_set_i64(hk_system *system, const char *variable,
                                                   const int64_t *values, size_t count);
/* COUNT texts, taken as they are; one text fills an array. */
HK_EXPORT HK_NODISCARD hk_status hk_system_set_texts(hk_system *system, const char *variable,
                                                     const char *const *values, size_t count);

/* --- experiment ---------------------------------------------------------------------------- */

/* What is NULL or zero is left as it was: as the file says, else as the components suggest, else
 * from 0 to 1 s in 1000 steps. Set size to sizeof(hk_experiment_options). */
typedef struct hk_experiment_options {
    size_t size;
    const char *start, *stop;
    const char *step;            /* of components without a period of their own */
    const char *output_interval; /* between two rows of a record */
    const char *algorithm;       /* "jacobi" or "gauss-seidel" */
    double tolerance;            /* relative, handed to the components */
    bool tell_stop;              /* FMUs are told the stop time when they are initialised */
} hk_experiment_options;

HK_EXPORT HK_NODISCARD hk_status hk_system_set_experiment(hk_system *system,
                                                          const hk_experiment_options *options);
/* The same for the three usual ones, as numbers; NaN: left as it was. */
HK_EXPORT HK_NODISCARD hk_status hk_system_set_times(hk_system *system, double start, double stop,
                                                     double step);

/* --- simulations --------------------------------------------------------------------------- */

/* The scenarios of a simulation; 0: it is a system alone. */
HK_EXPORT size_t hk_system_scenario_count(const hk_system *system);
/* The name of one, and how often it is to be played; NULL: there is none. Lives as long as the
 * system. RET_RUNS may be NULL. */
HK_EXPORT const char *hk_system_scenario(const hk_system *system, size_t index, int64_t *ret_runs);

/* --- looking ------------------------------------------------------------------------------- */

/* Completes the system, and checks wiring, types, units, order, rates and constraints: as many
 * messages as there are findings. */
HK_EXPORT HK_NODISCARD hk_status hk_system_check(hk_system *system);

/* Set size to sizeof(hk_component_info) before it is filled. Texts live as long as the system. */
typedef struct hk_component_info {
    size_t size;
    const char *name;
    const char *type;        /* name of the model or native type */
    const char *kind;        /* "FMI 2.0 co-simulation", "native", "table" */
    const char *description; /* NULL: none */
    size_t variable_count;
    bool can_save_state, can_serialize_state;
} hk_component_info;

/* Set size to sizeof(hk_variable_info) before it is filled. Texts live as long as the system. */
typedef struct hk_variable_info {
    size_t size;
    const char *name; /* without the component's */
    hk_type type;
    hk_causality causality;
    size_t count;            /* elements; 1: a scalar */
    const char *unit;        /* NULL: none */
    const char *description; /* NULL: none */
    double min, max;         /* NaN: not given */
    bool settable;           /* takes a start value */
    bool tunable;            /* a parameter that may change during the run */
    const size_t *dims;      /* of an array; the last index runs fastest */
    size_t dim_count;        /* 0: a scalar, or one element of an array */
    /* Enumerations: their items; else NULL. */
    const char *const *item_names;
    const int64_t *item_values;
    size_t item_count;
} hk_variable_info;

HK_EXPORT size_t hk_system_component_count(const hk_system *system);
HK_EXPORT HK_NODISCARD hk_status hk_system_component(const hk_system *system, size_t component,
                                                     hk_component_info *ret_info);
HK_EXPORT HK_NODISCARD hk_status hk_system_variable(const hk_system *system, size_t component,
                                                    size_t variable, hk_variable_info *ret_info);

#ifdef __cplusplus
}
#endif
#endif
