/* SPDX-License-Identifier: MIT
 *
 * A set of states, each a row of 64-bit words, in few bytes. Every word has a list of the values
 * that it was seen with; a state is kept as the numbers of its values, in as many bits as these
 * need. So a word that never changes takes nothing, a truth one bit, and nobody has to say which
 * values there can be. Numbers of states are given in the order in which they come. */
#ifndef HK_EXPLORE_VAULT_H
#define HK_EXPLORE_VAULT_H

#include "base/diag.h"

#define HK_VAULT_NONE UINT32_MAX

typedef struct hk_vault hk_vault;

hk_vault *hk_vault_create(uint32_t words);
void hk_vault_destroy(hk_vault *vault); /* NULL is fine */

/* The number of STATE, which is added if it is not there. */
uint32_t hk_vault_put(hk_vault *vault, const uint64_t *state, bool *ret_new);
/* The state of a number. */
void hk_vault_get(const hk_vault *vault, uint32_t number, uint64_t *ret_state);
uint32_t hk_vault_count(const hk_vault *vault);
/* How many values word WORD was seen with. */
size_t hk_vault_values(const hk_vault *vault, uint32_t word);
/* Bytes that are held for all of them, and bytes of one row. */
size_t hk_vault_memory(const hk_vault *vault);
size_t hk_vault_row(const hk_vault *vault);

#endif
