/* SPDX-License-Identifier: MIT
 *
 * Messages between the parts of a simulation, for the files that send and take them. All that may
 * wait are false if the run ends here: its status says why, or its end does. */
#ifndef HK_ENGINE_PART_MESSAGES_H
#define HK_ENGINE_PART_MESSAGES_H

#include "engine/away.h"

/* The activation of a component that comes after T; HK_TICK_NEVER: none does. */
hk_tick hk_activation_after(const hk_sim *sim, uint32_t component, hk_tick t);

/* Adds all values of a flow to what it has packed. */
void hk_message_pack(const hk_sim *sim, hk_part_flow *f);
HK_NODISCARD bool hk_message_send(hk_sim *sim, const hk_flow_message *m);
/* A message with them. */
HK_NODISCARD bool hk_message_send_values(hk_sim *sim, hk_part_flow *f, hk_message_kind kind,
                                         hk_tick at);

/* The next message of a flow, which stays there until it is dropped. */
HK_NODISCARD bool hk_message_next(hk_sim *sim, const hk_part_flow *f, hk_flow_message *ret_message);
/* The same; false: there is none any more, and that is not a failure here. */
HK_NODISCARD bool hk_message_await(hk_sim *sim, const hk_part_flow *f,
                                   hk_flow_message *ret_message);
void hk_message_drop(const hk_sim *sim, const hk_part_flow *f);
HK_NODISCARD bool hk_message_take_values(hk_sim *sim, const hk_part_flow *f, hk_bytes data);
/* Takes all activations up to and with UNTIL. */
HK_NODISCARD bool hk_message_catch_up(hk_sim *sim, hk_part_flow *f, hk_tick until);
/* One that is not what it should be; always false. WHY goes on with "a message of ...". */
bool hk_message_odd(hk_sim *sim, const hk_part_flow *f, const char *why);

#endif
