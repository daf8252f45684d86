/* SPDX-License-Identifier: MIT
 *
 * What the files share that make a multi-model of a model. */
#ifndef HK_SYSML_PROFILE_OF_INTERNAL_H
#define HK_SYSML_PROFILE_OF_INTERNAL_H

#include "base/complaints.h"
#include "base/files_beside.h"
#include "sysml/sysml.h"
#include "text/parser.h"

typedef struct hk_profile_maker {
    hk_complaints complaints;
    hk_arena *arena;
    const hk_model *model;
    hk_left_out *left;
    hk_copies *copies;
    hk_multimodel *profile;
    hk_list blocks, instances, enums;
    hk_map block_names, alike; /* what a component is -> its block */
    hk_map enum_names;
    uint32_t *instance_of;     /* per component */
    hk_profile_value **values; /* per component: those of its instance */
    hk_list ports;             /* hk_profile_port *: per block, before they are settled */
    bool **reactive;           /* per component and variable: what it reads is current */
    bool **source;             /* per component and variable: a connection begins there */
    bool guessed;              /* nothing says of what kind some component is */
} hk_profile_maker;

/* Tells, once of each kind, what no run needs and is not written. */
void hk_profile_of_left(hk_profile_maker *m, hk_where where, const char *what);
/* What a run needs has no words. */
void hk_profile_of_refuse(hk_profile_maker *m, hk_where where, const char *hint, const char *format,
                          ...) HK_PRINTF(4, 5);
/* NAME with a large letter at its beginning (EXACT: as it is), and a number behind it if that is
 * taken. */
const char *hk_profile_of_name(hk_profile_maker *m, const char *name, bool exact);

/* Which of WORDS, from 1 on, WORD is, which the block of E says; 0: it says nothing, or another
 * word, which is refused. */
int hk_profile_of_word(hk_profile_maker *m, const hk_tree_element *e, const char *word,
                       const char *const *words, int count);

/* profile_of_blocks.c: the block of a component, and the values that this one has of its own. */
uint32_t hk_profile_of_component(hk_profile_maker *m, const hk_tree_element *e,
                                 hk_profile_instance *instance);
/* When all instances are there: what all of a block have alike is the block's. */
void hk_profile_of_values(hk_profile_maker *m);

#endif
