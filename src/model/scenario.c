/* SPDX-License-Identifier: MIT */
#include "model/scenario.h"

const char *hk_fault_name(hk_fault_kind kind) {
    static const char *const names[HK_FAULT_KINDS] = {
        [HK_FAULT_STUCK] = "stuck",       [HK_FAULT_DELAY] = "delay",
        [HK_FAULT_DROP] = "drop",         [HK_FAULT_SCALE] = "scale",
        [HK_FAULT_BIAS] = "bias",         [HK_FAULT_NOISE] = "noise",
        [HK_FAULT_QUANTISE] = "quantise", [HK_FAULT_DISCONNECT] = "disconnect",
        [HK_FAULT_OVERRIDE] = "override"};
    return names[kind];
}

const char *const hk_metric_words[HK_METRICS] = {
    [HK_METRIC_SETTLING] = "settling",   [HK_METRIC_RISE] = "rise",
    [HK_METRIC_OVERSHOOT] = "overshoot", [HK_METRIC_ERROR] = "error",
    [HK_METRIC_FINAL] = "final",         [HK_METRIC_MAXIMUM] = "maximum",
    [HK_METRIC_MINIMUM] = "minimum",     [HK_METRIC_MEAN] = "mean"};

void hk_simulation_destroy(hk_simulation *simulation) {
    if (!simulation)
        return;
    hk_model_destroy(simulation->model);
    hk_arena_destroy(simulation->arena); /* it lives in it */
}
