/* SPDX-License-Identifier: MIT
 *
 * The ports of the component that a module is: names, types and meaning. One list for the
 * interpreter, generated C and exported FMUs, so that all are the same component. */
#ifndef HK_CHART_CHART_PORTS_H
#define HK_CHART_CHART_PORTS_H

#include "chart/chart.h"
#include "model/value.h"

typedef enum hk_chart_port_kind {
    HK_CHART_PORT_RECEIVED,       /* input `e`, real: there is one if it is 0.5 or more */
    HK_CHART_PORT_RECEIVED_VALUE, /* input `e_value` and its parts */
    HK_CHART_PORT_SENT,           /* output `e`, real: 1 in the step in which it was sent, else 0 */
    HK_CHART_PORT_SENT_VALUE,     /* output `e_value` and its parts: held */
    HK_CHART_PORT_VARIABLE,       /* output: variable of the platform */
    HK_CHART_PORT_CALLED,         /* output `f`, like a sent event: a visible operation */
    HK_CHART_PORT_ARGUMENT,       /* output `f_a` and its parts: held */
    HK_CHART_PORT_CONSTANT,       /* parameter, or a part of it */
    HK_CHART_PORT_EDGE,           /* parameter `e_edge`, boolean: by rising edge, not by level */
    HK_CHART_PORT_TIME_UNIT,      /* parameter `timeUnit`, real, in s; above 0 */
    HK_CHART_PORT_STATE           /* local `MACHINE.state`, enumeration: hk_chart_state_item */
} hk_chart_port_kind;

typedef struct hk_chart_port {
    hk_chart_port_kind kind;
    const char *name;
    hk_causality causality;
    hk_type type;             /* F64, I64, BOOL or ENUM */
    const char *const *items; /* ENUM: of the values 0, 1, ... */
    uint32_t item_count;
    const char *enumeration; /* ENUM: its name */
    /* RECEIVED..., EDGE, SENT...: line; VARIABLE, CONSTANT: variable; CALLED, ARGUMENT: operation;
     * STATE: machine. Of several lines of one event of the platform the first. */
    uint32_t index;
    uint32_t cell;       /* in memory, of those with a value; of a line: behind that of the line */
    bool has_start;      /* false: CONSTANT that must be given; all others have one */
    hk_cell start;       /* BOOL, I64, ENUM: i */
    int64_t least, most; /* I64, ENUM: what its type has */
    const char *description;
    int line, column;
} hk_chart_port;

typedef struct hk_chart_ports {
    const hk_chart_port *all; /* in the order of the kinds */
    uint32_t count;
} hk_chart_ports;

/* Two ports of one name are an error; so are start values that cannot be computed. */
HK_NODISCARD hk_status hk_chart_ports_make(hk_ctx *ctx, hk_arena *arena, const hk_chart *chart,
                                           hk_chart_ports *ret_ports);

/* An output that is 1 where something happens, and 0 where nothing does. */
bool hk_chart_is_pulse(const hk_chart_port *port);

/* The lines of the platform's event that LINE is of, from LINE on: the next one, or NONE. A
 * platform has one port for all of them. */
uint32_t hk_chart_next_line(const hk_chart *chart, uint32_t line);

/* The items of the state of MACHINE: "-" (in no state), its states as declared, "final" (it has
 * ended). States of one name are told apart by those that they are in: "Outer.Inner". */
const char *const *hk_chart_state_items(hk_arena *arena, const hk_chart_machine *machine,
                                        uint32_t *ret_count);
/* Which of them node NODE is; NONE: "-", a FINAL of the machine itself: "final". */
uint32_t hk_chart_state_item(const hk_chart_machine *machine, uint32_t node);

#endif
