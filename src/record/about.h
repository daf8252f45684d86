/* SPDX-License-Identifier: MIT
 *
 * What a record says about itself: the run it is of, what was checked of that run, and the units
 * and types of its columns. It is beside the record, as the W3C's "CSV on the Web" has it:
 * `run.csv-metadata.json` is about `run.csv`. Nothing in it depends on when or where the run was
 * made, so that the same run gives the same bytes. */
#ifndef HK_RECORD_ABOUT_H
#define HK_RECORD_ABOUT_H

#include "base/libm.h"
#include "engine/fused.h"
#include "engine/sim.h"
#include "format/json.h"
#include "model/scenario.h"
#include "record/coverage.h"
#include "record/mathematics.h"

/* What a scenario has done. */
typedef struct hk_about_event {
    double time; /* seconds */
    const char *words;
} hk_about_event;

/* A bound that an expectation sets to a signal. */
typedef struct hk_about_limit {
    hk_signal signal;
    bool upper, strict; /* the value is to be below it (else above), and not at it */
    double value;       /* in the unit of the signal */
    double from, to;    /* seconds; infinite: from the start, to the end */
} hk_about_limit;

typedef struct hk_about_expectation {
    const char *words;
    const char *verdict; /* "holds", "broken", "undecided" */
    double time;         /* when it was broken or fulfilled; NaN: at no one instant */
    const hk_about_limit *limits;
    size_t limit_count;
} hk_about_expectation;

typedef struct hk_about {
    const char *system;    /* its name */
    const hk_model *model; /* for the plugins that it uses; NULL: they are not named */
    const char *scenario;  /* NULL: none */
    int64_t run;           /* of the scenario, from 0 */
    double start, end;     /* seconds: of the run's first instant, and how far it came */
    const char *ended;     /* why it ended before its stop time; NULL: it did not */
    hk_soundness sound;
    const hk_mathematics *mathematics; /* NULL: not known before the components are there */
    hk_coverages coverage;             /* of state machines */
    hk_fused_count fused;              /* what of it was compiled, by whom */
    const char *contract;              /* what was found of the plan; NULL: was not asked for */
    const char *reproduce; /* the command that makes the record again; NULL: not known */
    const hk_about_event *events;
    size_t event_count, events_left_out; /* those that are named, and how many more there were */
    const hk_about_expectation *expectations;
    size_t expectation_count;
} hk_about;

/* "phase", "contract", "values", "off": as the option --monitor names it. */
const char *hk_monitor_name(hk_monitor monitor, bool contract);
/* The plugins of the model with compilers and flags, as the member "plugins" of an object. */
void hk_put_libraries(hk_json *json, const hk_model *model);
/* What was checked of the calls of a run, as the member KEY of an object. */
void hk_put_checked(hk_json *json, const char *key, const hk_soundness *sound,
                    const char *contract);

/* The items of the enumeration that the column shows; NULL: it shows none. */
const hk_enum *hk_column_items(const hk_column *column);

/* What the file beside RECORD says of the mathematical library (base/libm.h); false: there is none,
 * it does not say, or the record does not depend on that library. */
bool hk_about_libm(const char *record, char ret_libm[HK_LIBM_TEXT]);
/* How the run of RECORD ended, as the file beside it says; NULL: there is none, or it does not say.
 * In ARENA. */
const char *hk_about_ended(hk_arena *arena, const char *record);
/* ENDED says that the run did not come to an end of its own: it was killed, interrupted, or failed.
 */
bool hk_about_is_cut_off(const char *ended);
/* Where it is: "run.csv-metadata.json"; free with hk_free. */
char *hk_about_path(const char *record);
/* The text of it; RECORD is the name of the record. ROWS HK_ROWS_OPEN: the run is under way, and
 * nothing can be said yet of how it ends. Free with free(). */
#define HK_ROWS_OPEN  UINT64_MAX
#define HK_ABOUT_OPEN "not yet: the run is under way, or was cut off" /* how it ended, then */
/* The process ends before the run does: the file at PATH, if it holds BEGUN, says WHY and after
 * which time (NaN: not known) instead of HK_ABOUT_OPEN. Async-signal-safe. */
void hk_about_cut_off(const char *path, const char *begun, const char *why, double time);
/* Says WHY beside the records that process OWNER was writing (base/ledger.h) when it vanished; 0:
 * that any process was. */
void hk_about_cut_off_of(int owner, const char *why);
char *hk_about_text(const char *record, const hk_column *columns, size_t column_count,
                    uint64_t rows, const hk_about *about);

#endif
