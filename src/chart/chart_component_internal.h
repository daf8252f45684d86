/* SPDX-License-Identifier: MIT
 *
 * What the description of a module as a component and its instances share. */
#ifndef HK_CHART_CHART_COMPONENT_INTERNAL_H
#define HK_CHART_CHART_COMPONENT_INTERNAL_H

#include "chart/chart_component.h"
#include "chart/chart_ports.h"
#include "chart/chart_run.h"
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

/* An instance. */
typedef struct hk_chart_unit {
    hk_unit base;
    const hk_chart_origin *origin;
    hk_ctx *ctx;
    hk_chart_runner *runner;
    hk_chart_dice *dice;
    hk_chart_chooser chooser;
    hk_chart_report report;
    double start;
    double cycle_s;
    /* The block. */
    char *block;
    size_t size;
    char *state;
    hk_cell *values;    /* per port; a truth is a byte */
    uint64_t *covered;  /* per node of all machines, then per transition: how often so far */
    hk_stream *streams; /* per machine: those of the dice */
    uint8_t *high;      /* per port RECEIVED: the level that its input had */
    /* Not in it: what follows from the parameters and the time, and what is told once. */
    bool *set;             /* per port: a value was given before the start */
    uint32_t *items;       /* per node of all machines: its place among the states */
    uint32_t *first_node;  /* per machine */
    uint32_t *first_value; /* per port RECEIVED: where the ports of its value begin */
    double begins;         /* where the last step ended, and how many cycles began before */
    int64_t begun;
    bool flagged; /* outputs that are events may be other than 0 */
    bool warned_long, noted_short;
} hk_chart_unit;

/* The component, and a place in its file; TEXT is where the words are. */
hk_where hk_chart_where(const hk_chart_unit *u, int line, int column, char text[160]);

/* chart_unit_state.c: of the class. */
HK_STATE_FUNCTIONS(hk_chart);
void hk_chart_state_key(hk_unit *base, hk_arena *arena, const char **ret_key, uint64_t *ret_build);

#endif
