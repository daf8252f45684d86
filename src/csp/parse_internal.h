/* SPDX-License-Identifier: MIT
 *
 * Between the files of the parser. */
#ifndef HK_CSP_PARSE_INTERNAL_H
#define HK_CSP_PARSE_INTERNAL_H

#include "csp/csp_syntax.h"
#include "text/parser.h"

enum { HK_CSP_HEIGHT_MAX = 2000 };

typedef struct hk_csp_parser {
    hk_parser p;
    hk_csp_script *script;
} hk_csp_parser;

hk_csp_expr *hk_csp_new(hk_csp_parser *c, hk_csp_kind kind, hk_place at);
/* KIDS are copied. False: the tree becomes too high, which is reported. */
bool hk_csp_give(hk_csp_parser *c, hk_csp_expr *expr, hk_csp_expr *const *kids, size_t count);

/* parse_values.c. NULL: there is a mistake, which is reported. */
hk_csp_expr *hk_csp_value(hk_csp_parser *c); /* what has no process in it */
hk_csp_expr *hk_csp_sum(hk_csp_parser *c);   /* ... and no comparison or dot */
hk_csp_expr *hk_csp_atom(hk_csp_parser *c);  /* ... and no sign */
hk_csp_pattern *hk_csp_read_pattern(hk_csp_parser *c);
bool hk_csp_read_ranges(hk_csp_parser *c, const char *sign, hk_csp_expr *into);

/* parse_processes.c */
hk_csp_expr *hk_csp_expression(hk_csp_parser *c); /* anything */

/* parse_script.c: "f(x, y) = body" to one of the LIST of definitions. */
bool hk_csp_read_clause(hk_csp_parser *c, hk_list *list);

#endif
