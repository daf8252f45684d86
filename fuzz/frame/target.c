/* SPDX-License-Identifier: MIT
 *
 * Messages between nodes: what is read lies inside of what was given, is of a known flow and kind,
 * and is the same bytes again when it is written. */
#include "fuzz.h"

#include "nodes/frame.h"

#include <string.h>

enum { FLOWS = 100 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const char *frame = (const char *)data;
    hk_flow_message m;
    char head[HK_FRAME_HEAD];
    if (size < HK_FRAME_HEAD || !hk_frame_read(frame, size, FLOWS, &m))
        return 0;
    HK_ASSERT(m.flow < FLOWS && m.kind <= HK_MESSAGE_ENDED);
    HK_ASSERT(m.data.data == frame + HK_FRAME_HEAD && m.data.size == size - HK_FRAME_HEAD);
    hk_frame_head(&m, head);
    HK_ASSERT(memcmp(head, frame, sizeof head) == 0);
    return 0;
}
