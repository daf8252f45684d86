/* SPDX-License-Identifier: MIT
 *
 * Worlds in system files, read and printed; and what those who read and print systems share for it.
 */
#ifndef HK_LANG_PARSE_WORLD_H
#define HK_LANG_PARSE_WORLD_H

#include "lang/syntax.h"
#include "text/parser.h"
#include "text/print.h"

/* "NAME { items }", behind the word. */
bool hk_parser_world(hk_parser *p, hk_place at, hk_worlddecl **ret_world);
void hk_print_world(hk_printer *pr, const hk_worlddecl *world);

/* parse_system.c, print_system.c. TYPED: a type must follow the name. */
bool hk_parser_leaf(hk_parser *p, hk_place at, bool typed, hk_leaf **ret_leaf);
hk_leafitem hk_leafitem_begin(hk_leafitem_kind kind, hk_place at); /* all of it is missing */
/* "NAME = VALUE". WHAT: "the name of a parameter". */
bool hk_parser_setting(hk_parser *p, const char *what, hk_leafitem *item);
bool hk_parser_link(hk_parser *p, hk_link **ret_link);
void hk_print_leaf(hk_printer *pr, const char *word, const hk_leaf *leaf);
void hk_print_link(hk_printer *pr, const hk_link *link);

#endif
