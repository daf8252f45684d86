/* SPDX-License-Identifier: MIT
 *
 * What the files of the SysML parser share. A function that returns false has reported one error.
 */
#ifndef HK_SYSML_PARSE_INTERNAL_H
#define HK_SYSML_PARSE_INTERNAL_H

#include "sysml/sysml_syntax.h"
#include "text/parser.h"

/* A name that is declared: a word that is not reserved, or anything in single quotes. */
bool hk_smp_name(hk_parser *p, const char *what, const char **ret_name, hk_place *ret_at);
/* True if the token ahead can be one. */
bool hk_smp_is_name(const hk_parser *p);
/* a::b::c, or with SEPARATOR "." a chain of features. */
bool hk_smp_path(hk_parser *p, const char *separator, const char *what, hk_sysml_name *ret_name);
/* Paths with ',' between. */
bool hk_smp_paths(hk_parser *p, const char *separator, const char *what,
                  const hk_sysml_name **ret_names, size_t *ret_count);
bool hk_smp_expr(hk_parser *p, hk_sysml_expr *ret_expr);
/* Refuses WORD, which is SysML but not of the subset. Returns false. */
bool hk_smp_refuse(hk_parser *p, const char *word);

#endif
