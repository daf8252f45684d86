/* SPDX-License-Identifier: MIT
 *
 * What happened in the run of a system: the answer of `hocket run`. */
#ifndef HK_REPORT_RUN_REPORT_H
#define HK_REPORT_RUN_REPORT_H

#include "engine/fused.h"
#include "engine/sim.h"
#include "nodes/nodes.h"
#include "record/coverage.h"
#include "report/report.h"

typedef struct hk_run_answer {
    const char *file; /* NULL: the system has none */
    hk_status status;
    const hk_settings *settings;
    const char *reproduce; /* the command that gives the same result again */
    hk_sim *sim;           /* NULL: it did not run, and what follows does not count */
    const hk_nodes *nodes; /* that have run the components; NULL: SIM has */
    double time, simulated_s;
    bool interrupted;
    bool fused;           /* that was asked for */
    double real_time;     /* simulated seconds per second; 0: as fast as possible */
    const char *contract; /* what was found of the plan; NULL: was not asked for */
    hk_coverages coverage;
    struct hk_run_record {
        const char *file; /* NULL: there is none */
        uint64_t rows, bytes;
        size_t columns; /* the time is one of them */
    } record;
    const char *checkpoint; /* the file of the states on its way; NULL: none was asked for */
    hk_states_left left;
    const char *plot, *page, *state, *trace, *log; /* files written; NULL: none */
} hk_run_answer;

/* The members of the answer. */
void hk_run_put(const hk_run_answer *answer, hk_arena *arena, hk_json *json);
/* The states that a run left on its way, as the member "checkpoint" of an object; FILE NULL: none
 * were asked for. */
void hk_left_put(hk_json *json, const char *file, const hk_states_left *left);
/* How much of a run was fused code, as the member "fused" of an object. */
/* What a node did; PACED: also how late it was. */
void hk_node_put(hk_json *json, const hk_node_about *node, bool paced);
void hk_fused_put(hk_json *json, const hk_fused_count *fused);

/* Simulated seconds per second. */
double hk_run_factor(hk_sim *sim, double simulated_s);
/* SHA-256 of a file, as text in ARENA; NULL: it cannot be read any more. */
const char *hk_run_hash(hk_arena *arena, const char *file);
/* TEXT as one word of the shell. */
const char *hk_shell_word(hk_arena *arena, const char *text);
/* COMMAND with an option for each setting. */
const char *hk_run_reproduce(hk_arena *arena, const char *command, const hk_settings *settings);

#endif
