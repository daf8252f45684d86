/* SPDX-License-Identifier: MIT
 *
 * What is behind an answer: its JSON, and for those who want numbers what was read from it before
 * the model was closed. */
#ifndef HK_API_ANSWER_INTERNAL_H
#define HK_API_ANSWER_INTERNAL_H

#include "api/api_internal.h"

#include "base/claims.h"
#include "report/play_report.h"

#include <hk/compare.h>
#include <hk/plan.h>
#include <hk/prove.h>
#include <hk/simulation.h>

typedef struct hk_answer_plan {
    hk_plan_info info;
    hk_plan_component_info *components;
    hk_plan_connection_info *connections;
    hk_plan_constraint_info *constraints;
    hk_plan_processor_info *processors;
} hk_answer_plan;

typedef struct hk_answer_proof {
    hk_verdict_info *verdicts;
    size_t count;
    const char *master;
} hk_answer_proof;

typedef struct hk_answer_compared {
    hk_compare_info info;
    hk_compare_signal_info *signals;
} hk_answer_compared;

typedef struct hk_answer_played {
    hk_played_info *runs;
    hk_expectation_info **expectations; /* of each run */
    size_t count;
    hk_study_info *studies;
    size_t study_count;
} hk_answer_played;

struct hk_answer {
    hk_arena *arena; /* of all that it points to, and of itself */
    hk_status status;
    const char *json;
    /* NULL: it is not about that. */
    const hk_answer_plan *plan;
    const hk_answer_proof *proof;
    const hk_answer_compared *compared;
    const hk_answer_played *played;
};

/* A question while it is answered. */
typedef struct hk_asking {
    hk_context *context;
    hk_answer *answer;
    hk_report report; /* its arena is the answer's, its output TEXT */
    char *text;
    size_t size;
} hk_asking;

void hk_asking_begin(hk_context *context, hk_asking *ret_asking);
/* STATUS is the verdict if there is an answer, and else why there is none. */
HK_NODISCARD hk_status hk_asking_end(hk_asking *asking, hk_status status, hk_answer **ret_answer);

/* TEXT is NULL or one of WORDS, which are separated by spaces. */
HK_NODISCARD hk_status hk_asking_word(const hk_asking *asking, const char *name, const char *text,
                                      const char *words);
/* ask_play.c: the answer about runs of a simulation, and what a program reads of it. */
void hk_asking_played(hk_asking *asking, const hk_play_answer *answer);
/* A copy that lives as long as the answer; NULL stays NULL. */
const char *hk_asking_keep(const hk_asking *asking, const char *text);
const char *const *hk_asking_keep_all(const hk_asking *asking, const char *const *texts,
                                      size_t count);

/* Fills *RET_INFO, which begins with its size, from FULL. */
#define HK_GIVE(ret_info, full)                                                                    \
    (hk_answer_give((ret_info), (full), sizeof *(full)) ? HK_OK : HK_E_USAGE)

#endif
