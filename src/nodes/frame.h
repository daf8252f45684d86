/* SPDX-License-Identifier: MIT
 *
 * A message as bytes, for wires that carry nothing else: a head of fixed size, then the values. Who
 * reads it trusts no number in it. */
#ifndef HK_NODES_FRAME_H
#define HK_NODES_FRAME_H

#include "base/buffer.h"
#include "engine/part.h"

enum { HK_FRAME_HEAD = 40 }; /* bytes before the values */

/* Writes the head of MESSAGE; its data follows it on the wire. */
void hk_frame_head(const hk_flow_message *message, char ret_head[HK_FRAME_HEAD]);
/* How long the frame is whose head lies at DATA; 0: so long that it cannot be one. */
size_t hk_frame_size(const char data[HK_FRAME_HEAD]);
/* Reads a whole frame; the data of the message lies in it. False: it is not one of FLOW_COUNT
 * flows, or its kind is not known. */
HK_NODISCARD bool hk_frame_read(const char *data, size_t size, size_t flow_count,
                                hk_flow_message *ret_message);

#endif
