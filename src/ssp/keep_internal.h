/* SPDX-License-Identifier: MIT
 *
 * What the files share that make the tree of the model. */
#ifndef HK_SSP_KEEP_INTERNAL_H
#define HK_SSP_KEEP_INTERNAL_H

#include "ssp/ssp_internal.h"

typedef struct hk_ssp_keeper {
    hk_ssp *r;
    const hk_ssp_flat *flat;
    const hk_ssp_base *base;
    const hk_xml *step; /* of another tool, that is used; NULL: none */
    hk_tree *tree;
    hk_arena *arena;
} hk_ssp_keeper;

/* keep_comments.c: comments of the description BASE, whose system E is. */
void hk_ssp_keep_comments(hk_ssp_keeper *k, const hk_ssp_base *base, hk_tree_element *e);
/* keep_blocks.c: what our annotation says about the block that E is of. */
void hk_ssp_keep_block(hk_ssp_keeper *k, const char *file, const hk_xml *own, hk_tree_element *e);
/* Values of inputs that are connected are what a block begins with, and no mistake. */
void hk_ssp_declare_starts(hk_ssp_keeper *k);

#endif
