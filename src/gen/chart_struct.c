/* SPDX-License-Identifier: MIT
 *
 * The struct of the component: all that a module remembers, by its names. */
#include "gen/chart_internal.h"

#include <string.h>

static void put_field(hk_cg *g, hk_text *text, const hk_chart_type *type, const char *name) {
    hk_text_put(text, "    %s %s;\n", hk_cg_type(g, type), name);
}

static void put_lines(hk_cg *g, hk_text *text, hk_chart_line_kind kind) {
    for (uint32_t i = 0; i < g->chart->line_count; i++) {
        const hk_chart_line *line = &g->chart->lines[i];
        const hk_cg_line *l = &g->lines[i];
        if (line->kind != kind)
            continue;
        if (l->port && l->first == i) {
            hk_text_put(text, "    double %s;\n", l->port);
            if (line->type)
                put_field(g, text, line->type, l->value);
        }
        if (l->edge && l->first == i)
            hk_text_put(text, "    bool %s;\n    bool %s; /* was there in the last step */\n",
                        l->edge, l->before);
        if (l->there)
            hk_text_put(text, "    bool %s; /* can be received */\n", l->there);
        if (l->received)
            put_field(g, text, line->type, l->received);
        if (l->sending)
            put_field(g, text, line->type, l->sending);
        if (l->sent)
            hk_text_put(text, "    int64_t %s; /* in which cycle */\n", l->sent);
    }
}

static void put_machine_struct(hk_cg *g, uint32_t i, hk_text *text) {
    const hk_chart_machine *machine = &g->chart->machines[i];
    const hk_cg_machine *m = &g->machines[i];
    g->machine = i;
    hk_text_put(text,
                "    struct { /* machine %s: %s */\n        int64_t state;\n"
                "        int64_t at; /* what it does next */\n%s"
                "        hk_rc_thread action;\n",
                machine->path, machine->name,
                machine->caller == HK_CHART_NONE ? "        int64_t fired;\n" : "");
    for (uint32_t k = 0; k < machine->clock_count; k++)
        hk_text_put(text, "        int64_t %s;\n", m->clocks[k]);
    for (uint32_t k = 0; k < machine->node_count; k++) {
        if (hk_cg_is_timed(g, k))
            hk_text_put(text, "        int64_t entered_%s;\n", m->nodes[k]);
        if (machine->nodes[k].during)
            hk_text_put(text, "        hk_rc_thread during_%s;\n", m->nodes[k]);
    }
    for (size_t k = 0; k < g->limit_count; k++)
        if (g->limits[k].machine == i)
            hk_text_put(text, "        int64_t %s;\n",
                        strchr(hk_cg_limit(g, g->limits[k].stmt, i), '.') + 1);
    if (g->draws[i])
        hk_text_put(text,
                    "        hk_stream stream;\n        int64_t draws; /* in this cycle */\n");
    hk_text_put(text, "    } %s;\n", m->c);
}

void hk_cg_put_struct(hk_cg *g, hk_text *text) {
    const hk_chart *chart = g->chart;
    hk_text_put(text, "typedef struct %s {\n    /* Events of the platform. */\n", g->name);
    put_lines(g, text, HK_CHART_FROM_PLATFORM);
    hk_text_put(text, "    /* Events to the platform. */\n");
    put_lines(g, text, HK_CHART_TO_PLATFORM);
    hk_text_put(text, "    /* Events between machines. */\n");
    put_lines(g, text, HK_CHART_BETWEEN);
    hk_text_put(text, "    /* Operations of the platform. */\n");
    for (uint32_t i = 0; i < chart->operation_count; i++) {
        const hk_chart_operation *o = &chart->operations[i];
        if (o->kind == HK_CHART_VISIBLE)
            hk_text_put(text, "    double %s;\n", g->operations[i].c);
        hk_text_put(text, "    int64_t %s; /* in which cycle */\n", g->operations[i].called);
        for (uint32_t k = 0; k < o->parameter_count; k++)
            put_field(g, text, o->parameters[k].type, g->operations[i].parameters[k]);
    }
    hk_text_put(text, "    /* Constants and variables. */\n");
    for (uint32_t i = 0; i < chart->variable_count; i++)
        put_field(g, text, chart->variables[i].type, g->variables[i]);
    if (g->marked)
        hk_text_put(text, "    bool given[%u]; /* constants, by port: set from outside */\n",
                    (unsigned)(g->last_constant - g->first_constant));
    hk_text_put(text, "    /* Machines. */\n");
    for (uint32_t i = 0; i < chart->machine_count; i++)
        put_machine_struct(g, i, text);
    hk_text_put(text,
                "    /* Time. */\n    double %s;\n    hk_rc_time time;\n    int64_t cycle;\n"
                "    hk_rc_trouble trouble;\n} %s;\n\n",
                g->time_unit, g->name);
}
