/* SPDX-License-Identifier: MIT
 *
 * The experiment settings of a run and where each comes from. */
#ifndef HK_ASSEMBLY_SETTINGS_H
#define HK_ASSEMBLY_SETTINGS_H

#include "model/model.h"

/* A setting that somebody asks for, as written. */
typedef struct hk_wish {
    const char *text; /* NULL: nobody asks */
    hk_source source;
    const char *from; /* in words: "command line", "HK_STEP_SIZE" */
} hk_wish;

typedef struct hk_wishes {
    hk_wish start, stop, duration, step, output_interval, tolerance, algorithm;
    bool resumes; /* the run goes on from a state of this time: a duration counts from there */
    hk_ratio resumed;
    bool tell_stop;    /* components are told the stop time */
    bool only_drawn;   /* nothing is simulated: that no stop time is known need not be said */
    bool from_program; /* by the C API: hints do not speak of options of the command line */
    /* A simulation's file: it says the times, and its step is the grid of its events and logs.
     * NULL: a system alone. */
    const char *simulation;
} hk_wishes;

/* What TEXT asks for on the command line; else (NULL) the environment VARIABLE. */
hk_wish hk_wish_of(const char *text, const char *variable);

/* The step size that is asked for, for readers of systems whose rates are multiples of it; false:
 * none, or a wrong one, which is reported when the settings are completed. */
bool hk_wish_read_step(const hk_wish *step, hk_ratio *ret_step);

enum { HK_SETTINGS_MAX = 16 };

/* The settings of a run with the place each came from, for --explain-settings and the summary. */
typedef struct hk_settings {
    struct hk_settings_row {
        const char *name; /* of the option: "stop-time" */
        const char *value;
        hk_source source;
        const char *from; /* in words: "HK_STEP_SIZE", "smallest step of the components" */
    } rows[HK_SETTINGS_MAX];
    size_t count;
    struct hk_settings_row *values; /* start values that were given: their names and places */
    size_t value_count;
    struct hk_settings_row *ways; /* how it is run: "nodes"; whatever they are, its result stays */
    size_t way_count;
    hk_algorithm algorithm;
} hk_settings;

/* Completes the model's experiment: the wishes, then what the file says, then what the components
 * say, then built in. What had to be guessed is said in a note. Texts of the settings live in
 * ARENA. */
HK_NODISCARD hk_status hk_settings_complete(hk_ctx *ctx, hk_arena *arena, const hk_wishes *wishes,
                                            hk_model *model, hk_settings *ret_settings);
/* A setting that has no say after all. */
void hk_settings_drop(hk_settings *settings, const char *name);
/* Adds one setting for the report of them. */
void hk_settings_add(hk_settings *settings, const char *name, const char *value, hk_source source,
                     const char *from);

#endif
