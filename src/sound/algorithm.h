/* SPDX-License-Identifier: MIT
 *
 * Between the files that read masters in words. */
#ifndef HK_SOUND_ALGORITHM_H
#define HK_SOUND_ALGORITHM_H

#include "base/map.h"
#include "sound/sound.h"
#include "text/parser.h"

typedef struct hk_master_reader {
    hk_parser parser;
    hk_arena *arena;
    const char *name;
    hk_list instances, ports;
    hk_list dependencies, links; /* while the scenario is read */
    hk_map instance_names, port_names;
    hk_list missing; /* names that stand for nothing, each once */
    hk_map missing_names;
    int64_t max_step;
    hk_place max_at; /* where it is given */
    bool has_scenario, has_algorithm, has_max, has_init, has_step;
    hk_sound_system *system;
    hk_sound_master *master;
    /* The step as a partial order: for each call those that it comes right after. */
    uint32_t *frontier;
    size_t frontier_count, frontier_cap;
    hk_list before, before_count;
    hk_list parameters_set; /* per instance: so many */
    size_t order_size;
    bool parallel;
    int loops; /* around the statement */
} hk_master_reader;

/* Notes an error; false. */
bool hk_master_wrong(hk_master_reader *r, const hk_place *at, const char *hint, const char *text);

/* algorithm_scenario.c: the rest of "scenario NAME { ... }". */
bool hk_master_read_scenario(hk_master_reader *r, hk_place *at);
/* "rate 3": a whole number; WHAT is what it is. */
bool hk_master_read_whole(hk_master_reader *r, const char *what, int64_t least, int64_t most,
                          int64_t *ret_value);
bool hk_master_read_path(hk_master_reader *r, const char *what, hk_name *ret_name);
/* What the name stands for; false: nothing, which is reported at the end. */
bool hk_master_find_port(hk_master_reader *r, const hk_name *name, bool output, uint32_t *ret_port);
bool hk_master_find_any_port(hk_master_reader *r, const hk_name *name, uint32_t *ret_port);
bool hk_master_find_instance(hk_master_reader *r, const hk_name *name, uint32_t *ret_instance);
bool hk_master_unknown(hk_master_reader *r, const hk_name *name, const char *what,
                       const hk_map *map); /* the error itself */
/* Tells of all names that were not found, each once, with the number of its further uses. */
void hk_master_tell_missing(hk_master_reader *r);

enum {
    HK_MASTER_STEP_MAX = 1000,
    /* Of one that may reject: two can accept less than all, and not the same. */
    HK_MASTER_STEP_REJECTED = 3
};

/* import.c: the same from a file of the Scenario-Verifier, in HOCON, or in JSON if its name ends
 * in .json. */
HK_NODISCARD hk_status hk_sound_import(hk_ctx *ctx, hk_arena *arena, const hk_file_text *text,
                                       hk_sound_system **ret_system, hk_sound_master **ret_master,
                                       int64_t *ret_max_step);

#endif
