/* SPDX-License-Identifier: MIT
 *
 * Values as they lie in messages between the parts of a simulation. */
#ifndef HK_ENGINE_PART_VALUES_H
#define HK_ENGINE_PART_VALUES_H

#include "engine/slots.h"

void hk_pack_bytes(hk_blob *to, const void *data, size_t size);
void hk_pack_value(const hk_sim *sim, const hk_engine_port *port, hk_blob *to);
/* Takes SIZE bytes off the beginning of FROM; NULL: there are not so many. */
const char *hk_unpack_bytes(hk_bytes *from, size_t size);
/* Takes the value of a port; false: there is not enough for it. */
HK_NODISCARD bool hk_unpack_value(hk_sim *sim, const hk_engine_port *port, hk_bytes *from);
bool hk_unpack_seconds(hk_bytes *from, double *ret_seconds); /* false: it is not there */
/* Of the values of PORTS only those that are set; the others stay as they are. */
HK_NODISCARD bool hk_unpack_inputs(hk_sim *sim, const hk_engine_port *const *ports, size_t count,
                                   hk_bytes *from);

#endif
