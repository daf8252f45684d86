/* SPDX-License-Identifier: MIT
 *
 * What the recorder gives to nodes that were started by hand: their end of the wires before the
 * run, and how it ended after it. */
#include "nodes/nodes_internal.h"

#include <string.h>

unsigned hk_meeting_hand_out(const int *fds, unsigned count, const hk_wires *wires) {
    HK_ASSERT(fds && wires);
    for (unsigned i = 0; i < count; i++) {
        int *lent = NULL;
        size_t lent_count = hk_wires_lend(wires, i, &lent);
        bool good = hk_meeting_begin(fds[i], lent, lent_count);
        hk_free(lent);
        if (!good)
            return i;
    }
    return count;
}

void hk_meeting_tell_end(int fd, const hk_ctx *ctx, hk_status status, const hk_sim *sim) {
    HK_ASSERT(ctx);
    const char *reason = sim && status == HK_OK ? hk_sim_end_reason(sim) : NULL;
    if (reason && strcmp(reason, "interrupted") == 0) {
        hk_meeting_end(fd, HK_E_INTERRUPTED, "the recorder was interrupted");
        return;
    }
    const char *text = NULL;
    for (size_t i = 0; status != HK_OK && i < hk_ctx_count(ctx, HK_NOTE) && !text; i++)
        if (hk_ctx_diag(ctx, i)->severity == HK_ERROR)
            text = hk_ctx_diag(ctx, i)->text;
    hk_meeting_end(fd, status, text);
}
