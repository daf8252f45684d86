/* SPDX-License-Identifier: MIT
 *
 * A graph of nodes, from its text. */
#ifndef HK_TEST_NODE_TEXT_H
#define HK_TEST_NODE_TEXT_H

#include "time/node_file.h"

#include <string.h>

static inline hk_flow_graph *graph_of_text(const char *text) {
    hk_ctx *ctx = hk_ctx_create(NULL, NULL);
    hk_flow_graph *g = NULL;
    hk_file_text file = {"x.node", text, strlen(text)};
    if (hk_node_file_parse(ctx, &file, &g) != HK_OK)
        fail_msg("%s: %s", text, hk_ctx_diag(ctx, 0)->text);
    hk_ctx_destroy(ctx);
    return g;
}

#endif
