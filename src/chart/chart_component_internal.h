/* SPDX-License-Identifier: MIT
 *
 * What the description of a module as a component and its instances share. */
#ifndef HK_CHART_CHART_COMPONENT_INTERNAL_H
#define HK_CHART_CHART_COMPONENT_INTERNAL_H

#include "chart/chart_component.h"
#include "chart/chart_ports.h"
#include "model/unit.h"

/* What is behind the hk_info of a module. */
typedef struct hk_chart_origin {
    hk_info info;
    const char *path, *module; /* that it was read from; module NULL: the only one */
    const hk_chart *chart;
    hk_chart_ports ports;
    uint32_t first[HK_CHART_PORT_STATE + 2]; /* where the ports of each kind begin */
    uint32_t time_unit;
    bool shared_lines;                     /* an event of the platform has several lines */
    uint32_t node_count, transition_count; /* of all machines */
} hk_chart_origin;

extern const hk_unit_class hk_chart_class;

#endif
