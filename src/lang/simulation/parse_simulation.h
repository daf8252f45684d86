/* SPDX-License-Identifier: MIT
 *
 * Parts of a simulation file that are read in files of their own. */
#ifndef HK_LANG_PARSE_SIMULATION_H
#define HK_LANG_PARSE_SIMULATION_H

#include "lang/syntax.h"
#include "text/parser.h"

/* Statements in braces; AT: the place of what they belong to, with its comments. */
bool hk_parser_block(hk_parser *p, hk_place *at, hk_block *ret_block);

bool hk_parser_condition(hk_parser *p, hk_condition **ret_condition);
/* The comparison that comes last in the text of the condition. */
hk_condition *hk_condition_last(hk_condition *condition);

#endif
