/* SPDX-License-Identifier: MIT */
#include "model/unit.h"

hk_status hk_unit_bind_refused(hk_ctx *ctx, hk_unit *unit, const uint32_t *variables, size_t n,
                               void *values, hk_call *ret_call) {
    (void)variables, (void)n, (void)values, (void)ret_call;
    return hk_error(ctx, HK_E_INTERNAL, (hk_where){.file = unit->info->file}, NULL,
                    "its variables are reached by address");
}

const char *hk_unit_call_failed(hk_unit *unit, int code) {
    (void)unit, (void)code;
    return "";
}
