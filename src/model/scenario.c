/* SPDX-License-Identifier: MIT */
#include "model/scenario.h"

const char *hk_fault_name(hk_fault_kind kind) {
    static const char *const names[HK_FAULT_KINDS] = {
        [HK_FAULT_STUCK] = "stuck",       [HK_FAULT_DELAY] = "delay",
        [HK_FAULT_DROP] = "drop",         [HK_FAULT_SCALE] = "scale",
        [HK_FAULT_BIAS] = "bias",         [HK_FAULT_NOISE] = "noise",
        [HK_FAULT_QUANTISE] = "quantise", [HK_FAULT_DISCONNECT] = "disconnect"};
    return names[kind];
}

void hk_simulation_destroy(hk_simulation *simulation) {
    if (!simulation)
        return;
    hk_model_destroy(simulation->model);
    hk_arena_destroy(simulation->arena); /* it lives in it */
}
