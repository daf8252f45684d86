/* SPDX-License-Identifier: MIT
 *
 * What the files of the RoboChart printer share. */
#ifndef HK_CHART_PRINT_INTERNAL_H
#define HK_CHART_PRINT_INTERNAL_H

#include "chart/chart_syntax.h"
#include "text/print.h"

/* With '^' where that is needed, in every part of it. */
void hk_rcw_name(hk_printer *pr, const char *name);
void hk_rcw_type(hk_printer *pr, const hk_rctype *type);
/* NAME : TYPE = VALUE */
void hk_rcw_var(hk_printer *pr, const hk_rcvar *var);
void hk_rcw_expr(hk_printer *pr, const hk_rcexpr *expr);
void hk_rcw_stmt(hk_printer *pr, const hk_rcstmt *stmt);

#endif
