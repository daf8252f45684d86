/* SPDX-License-Identifier: MIT */
#include "nodes/frame.h"

#include <string.h>

/* Every message of a run is smaller; a larger number comes from a damaged one. */
static const uint64_t DATA_MAX = UINT64_C(1) << 32;

void hk_frame_head(const hk_flow_message *m, char ret_head[HK_FRAME_HEAD]) {
    uint64_t size = m->data.size;
    uint32_t kind = (uint32_t)m->kind;
    memcpy(ret_head, &size, 8);
    memcpy(ret_head + 8, &m->flow, 4);
    memcpy(ret_head + 12, &kind, 4);
    memcpy(ret_head + 16, &m->at, 8);
    memcpy(ret_head + 24, &m->next, 8);
    memcpy(ret_head + 32, &m->end, 8);
}

size_t hk_frame_size(const char data[HK_FRAME_HEAD]) {
    uint64_t size = 0;
    memcpy(&size, data, 8);
    return size < DATA_MAX ? (size_t)size + HK_FRAME_HEAD : 0;
}

bool hk_frame_read(const char *data, size_t size, size_t flow_count, hk_flow_message *ret_message) {
    uint32_t kind = 0;
    hk_flow_message m = {0};
    if (size < HK_FRAME_HEAD || hk_frame_size(data) != size)
        return false;
    memcpy(&m.flow, data + 8, 4);
    memcpy(&kind, data + 12, 4);
    memcpy(&m.at, data + 16, 8);
    memcpy(&m.next, data + 24, 8);
    memcpy(&m.end, data + 32, 8);
    if (m.flow >= flow_count || kind > HK_MESSAGE_ENDED)
        return false;
    m.kind = (hk_message_kind)kind;
    m.data = (hk_bytes){data + HK_FRAME_HEAD, size - HK_FRAME_HEAD};
    *ret_message = m;
    return true;
}
