/* SPDX-License-Identifier: MIT
 *
 * The current, from whichever source is bound. */
#include "environment.h"

typedef struct current_adapter {
    current_source_binding source;
} current_adapter;

static bool adapter_set_time(void *self, int64_t time, coordinate2d position) {
    const current_source_binding *to = &((current_adapter *)self)->source;
    return to->functions->set_time(to->self, time, position);
}

static coordinate2d adapter_get_current(void *self) {
    const current_source_binding *to = &((current_adapter *)self)->source;
    return to->functions->get_current(to->self);
}

ONLY_ANSWERS(current_adapter_step)

static const current_source adapter_source = {adapter_set_time, adapter_get_current};
static const hk_service current_adapter_services[] = {
    {"pCurrent", &hk_auv_current_source, &adapter_source, 0},
    {"rCurrentSource", &hk_auv_current_source, NULL, offsetof(current_adapter, source)},
};

const hk_unit_type hk_auv_current_adapter = {.abi = HK_UNIT_ABI,
                                             .size = sizeof(hk_unit_type),
                                             .name = "environment.CurrentAdapter",
                                             .instance_size = sizeof(current_adapter),
                                             .stamp = HK_STAMP_END,
                                             .step = current_adapter_step,
                                             SERVICES(current_adapter_services)};
