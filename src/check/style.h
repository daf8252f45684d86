/* SPDX-License-Identifier: MIT
 *
 * Styles of architectures: which roles of a system may give information to which (docs/styles.md).
 */
#ifndef HK_CHECK_STYLE_H
#define HK_CHECK_STYLE_H

#include "model/scenario.h"

/* All that there are, for options and messages. */
#define HK_STYLES "navidro"

typedef struct hk_style_wishes {
    const char *name; /* NULL: none is asked for */
    hk_texts exempt;  /* "FROM:TO", roles between which information may go after all */
} hk_style_wishes;

/* Are there such a style and such roles? */
HK_NODISCARD hk_status hk_style_wishes_check(hk_ctx *ctx, const hk_style_wishes *wishes);
/* Holds a complete MODEL, and SIMULATION if it is not NULL, to the style: each leaf has a role,
 * information goes by links, services, shared parameters and bindings to roles that may have it, in
 * the units and frames of the style, and what nobody uses is stopped. WISHES are checked. */
HK_NODISCARD hk_status hk_style_check(hk_ctx *ctx, const hk_model *model,
                                      const hk_simulation *simulation,
                                      const hk_style_wishes *wishes);

#endif
