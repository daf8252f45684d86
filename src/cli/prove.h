/* SPDX-License-Identifier: MIT
 *
 * Inside `hocket prove`. */
#ifndef HK_CLI_PROVE_H
#define HK_CLI_PROVE_H

#include "cli/cli.h"

typedef struct hk_spin {
    bool missing;  /* it is not installed */
    bool answered; /* false, and not missing: it failed */
    long errors, states;
} hk_spin;

/* cli/prove_spin.c */
HK_NODISCARD hk_status hk_spin_run(hk_cli *cli, const char *promela, hk_spin *ret_spin);

#endif
