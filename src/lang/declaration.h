/* SPDX-License-Identifier: MIT
 *
 * "TYPE NAME ..." and uses of interfaces, which types and systems declare alike, and the experiment
 * of a system: read and printed. */
#ifndef HK_LANG_DECLARATION_H
#define HK_LANG_DECLARATION_H

#include "lang/syntax.h"
#include "text/parser.h"
#include "text/print.h"

/* What may be said about a field, an argument, a port or a parameter. */
enum { HK_SAYS_UNIT = 1, HK_SAYS_START = 2, HK_SAYS_MODE = 4, HK_SAYS_RANGE = 8 };
/* "TYPE NAME = VALUE unit ... frame ...", without the ';'. */
bool hk_parser_decl(hk_parser *p, unsigned says, hk_decl *ret_decl);
bool hk_parser_use(hk_parser *p, hk_interfaceuse *ret_use);
/* A lag word. */
bool hk_parser_mode(hk_parser *p, hk_name *ret_name);

/* system/system_experiment.c: what follows the word, without the ';'. */
bool hk_experiment_parse(hk_parser *p, hk_experimentdecl *x);
void hk_experiment_print(hk_printer *pr, const hk_experimentdecl *x);

void hk_print_decl(hk_printer *pr, const hk_decl *decl);
void hk_print_use(hk_printer *pr, const hk_interfaceuse *use);

#endif
