/* SPDX-License-Identifier: MIT
 *
 * What the files of the RoboChart parser share. Each function that returns false, or NULL, has
 * reported one error. */
#ifndef HK_CHART_PARSE_INTERNAL_H
#define HK_CHART_PARSE_INTERNAL_H

#include "chart/chart_syntax.h"
#include "text/parser.h"

/* A name that is declared or referred to, without its '^'; a word of the language is not one. */
bool hk_rcp_name(hk_parser *p, const char *what, hk_name *ret_name);
/* The same with "::" between names. */
bool hk_rcp_qualified(hk_parser *p, const char *what, hk_name *ret_name);
/* Refuses what begins at the token ahead: "not in hocket's subset: WORD". Returns false. */
bool hk_rcp_refuse(hk_parser *p, const char *word);

const hk_rctype *hk_rcp_type(hk_parser *p);
/* NAME : TYPE */
bool hk_rcp_typed(hk_parser *p, const char *what, hk_rcvar *ret_var);
const hk_rcexpr *hk_rcp_expr(hk_parser *p);
/* What may follow '!' and '.' of a communication, and be a size: a call or less. */
const hk_rcexpr *hk_rcp_call(hk_parser *p);
const hk_rcexpr *hk_rcp_atom(hk_parser *p);
/* Expressions with ',' between up to CLOSE, which is taken. FIRST: already read; NULL: none. */
bool hk_rcp_list(hk_parser *p, const hk_rcexpr *first, const char *close,
                 const hk_rcexpr *const **ret_args, size_t *ret_count);
/* TO with what is between brackets behind it, the opening one being taken: calls, elements. */
const hk_rcexpr *hk_rcp_apply(hk_parser *p, hk_rcexpr_kind kind, const hk_rcexpr *to,
                              const char *close);
const hk_rcstmt *hk_rcp_statement(hk_parser *p);
/* event, event ? x, event ! E, event . E behind 'trigger' */
const hk_rcstmt *hk_rcp_trigger(hk_parser *p);

/* Nodes in the arena, from what stands on the stack. */
hk_rcexpr *hk_rcp_new(hk_parser *p, hk_rcexpr_kind kind, hk_place at);
const hk_rcexpr *hk_rcp_make(hk_parser *p, hk_rcexpr_kind kind, hk_place at, const hk_rcexpr *a,
                             const hk_rcexpr *b);

#endif
