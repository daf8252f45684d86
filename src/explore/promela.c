/* SPDX-License-Identifier: MIT
 *
 * A module in Promela: what it remembers, a process for each machine, and the environment, which
 * chooses inputs, gives each machine its turn, looks at the properties and lets time pass. */
#include "explore/promela.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { VALUES_MAX = 1000 };

/* ---- properties */

static const char *ask_text(hk_pml *p, const hk_ask *ask);

static const char *happened_text(hk_pml *p, hk_ask_op op, uint32_t index) {
    const char *text = "false";
    if (op == HK_ASK_OPERATION)
        return hk_pml_text(p, "called[%u]", index);
    if (op != HK_ASK_EVENT && op != HK_ASK_ARRIVAL)
        return "true";
    if (op == HK_ASK_ARRIVAL || p->chart->lines[index].kind == HK_CHART_FROM_PLATFORM)
        return hk_pml_text(p, "came[%u]", index);
    for (; index != HK_CHART_NONE; index = hk_chart_next_line(p->chart, index))
        text = hk_pml_text(p, "%s || sent[%u]", text, index);
    return hk_pml_text(p, "(%s)", text);
}

static const char *ask_value(hk_pml *p, const hk_ask_value *v) {
    if (!v->literal)
        return hk_pml_text(p, "cell[%u]", v->cell);
    if (v->type->kind != HK_CHART_REAL)
        return hk_pml_text(p, "%lld", hk_pml_number(p, v->value.i, 0, 0));
    double scaled = v->value.r * (double)p->scale;
    if (scaled != floor(scaled))
        hk_pml_refuse(p, 0, 0, "a real of a property that is finer than those of the module");
    return hk_pml_text(p, "%lld", hk_pml_scaled(p, v->value.r, 0, 0));
}

static const char *state_text(hk_pml *p, const hk_ask *ask) {
    const hk_chart_machine *m = &p->chart->machines[ask->machine];
    const char *text = "false";
    for (uint32_t i = 0; i < m->node_count; i++) {
        uint32_t n = i;
        while (n != HK_CHART_NONE && n != ask->index)
            n = m->nodes[n].parent;
        if (n != HK_CHART_NONE)
            text = hk_pml_text(p, "%s || inside[%u] == %u", text, ask->machine, i + 1);
    }
    return hk_pml_text(p, "(%s)", text);
}

static const char *ask_text(hk_pml *p, const hk_ask *ask) {
    switch (ask->op) {
    case HK_ASK_AND:
    case HK_ASK_OR:
        return hk_pml_text(p, "(%s %s %s)", ask_text(p, ask->a),
                           ask->op == HK_ASK_AND ? "&&" : "||", ask_text(p, ask->b));
    case HK_ASK_NOT:
        return hk_pml_text(p, "(!%s)", ask_text(p, ask->a));
    case HK_ASK_STATE:
        return state_text(p, ask);
    case HK_ASK_TAKES:
        return hk_pml_text(p, "took[%u]",
                           hk_chart_first_transition(p->chart, ask->machine) + ask->index);
    case HK_ASK_ENDED:
        return hk_pml_text(p, "ended[%u]", ask->machine);
    case HK_ASK_COMPARE:
        return hk_pml_text(
            p, "(%s && %s && %s %s %s)", happened_text(p, ask->left.op, ask->left.index),
            ask->right.literal ? "true" : happened_text(p, ask->right.op, ask->right.index),
            ask_value(p, &ask->left), ask->mark, ask_value(p, &ask->right));
    default:
        return happened_text(p, ask->op, ask->index);
    }
}

static void put_property(hk_pml *p, size_t index) {
    const hk_property *q = &p->world->properties->all[index];
    if (q->kind == HK_PROPERTY_FOLLOWS) {
        (void)hk_pml_number(p, q->cycles, 0, 0);
        const char *a = ask_text(p, q->a), *b = ask_text(p, q->b);
        fprintf(p->out,
                "if\n:: %s -> due[%zu] = 0\n"
                ":: !%s && due[%zu] > 1 -> due[%zu]--\n"
                ":: !%s && due[%zu] == 1 -> property%zu = true; assert(!property%zu)\n"
                ":: !%s && due[%zu] == 0 && %s -> due[%zu] = %u;\n"
                "   if :: due[%zu] == 0 -> property%zu = true; assert(!property%zu) :: else fi\n"
                ":: else\nfi;\n",
                b, index, b, index, index, b, index, index + 1, index + 1, b, index, a, index,
                q->cycles, index, index + 1, index + 1);
    } else if (q->kind == HK_PROPERTY_ALWAYS || q->kind == HK_PROPERTY_NEVER) {
        fprintf(p->out, "if :: %s%s -> property%zu = true; assert(!property%zu) :: else fi;\n",
                q->kind == HK_PROPERTY_ALWAYS ? "!" : "", ask_text(p, q->a), index + 1, index + 1);
    }
}

/* An assertion is about one moment; what can still come is not. */
static void tell_left_out(const hk_pml *p) {
    for (size_t i = 0; i < p->world->properties->count; i++) {
        const hk_property *q = &p->world->properties->all[i];
        if (q->kind > HK_PROPERTY_FOLLOWS)
            hk_warn(p->ctx, HK_E_NO_WORDS, (hk_where){.file = q->file, .line = q->line},
                    "'unreached' of spin tells of states and transitions",
                    "left out of the Promela: %s", q->text);
    }
}

/* ---- the environment */

static void put_cells(hk_pml *p, uint32_t cell, const hk_cell *cells, const hk_chart_type *type) {
    if (!hk_chart_is_scalar(type)) {
        uint32_t at = type->kind == HK_CHART_SEQUENCE;
        if (at)
            fprintf(p->out, "cell[%u] = %lld; ", cell, (long long)cells->i);
        uint32_t count = type->field_count ? type->field_count
                         : at              ? HK_CHART_SEQUENCE_MAX
                                           : type->length;
        for (uint32_t i = 0; i < count; i++) {
            const hk_chart_type *part = type->field_count ? type->fields[i].type : type->element;
            uint32_t offset = type->field_count ? type->fields[i].offset : at + i * part->size;
            put_cells(p, cell + offset, cells + offset, part);
        }
        return;
    }
    long long value = type->kind == HK_CHART_REAL ? hk_pml_scaled(p, cells->r, 0, 0)
                                                  : hk_pml_number(p, cells->i, 0, 0);
    if (value) /* they are 0 between two cycles */
        fprintf(p->out, "cell[%u] = %lld; ", cell, value);
}

static void put_input(hk_pml *p, const hk_world_input *input) {
    uint64_t count = input->offer ? input->offer->count : 1;
    const hk_chart_type *type = p->chart->lines[input->line].type;
    hk_cell *cells = HK_NEW_ARRAY(p->arena, hk_cell, type ? type->size + 1 : 1);
    if (count > VALUES_MAX)
        hk_pml_refuse(p, 0, 0, "so many values of one input");
    fprintf(p->out, "if /* %s */\n:: skip\n", input->name);
    for (uint64_t i = 0; i < count && p->status == HK_OK; i++) {
        fprintf(p->out, ":: ");
        if (input->offer)
            hk_offer_put(input->offer, i, cells);
        for (uint32_t l = input->line; l != HK_CHART_NONE; l = hk_chart_next_line(p->chart, l)) {
            if (input->offer)
                put_cells(p, p->chart->lines[l].cell, cells, type);
            fprintf(p->out, "here[%u] = true; came[%u] = true; ", l, l);
        }
        fprintf(p->out, "printf(\"input %s %llu\\n\")\n", input->name, (unsigned long long)i);
    }
    fprintf(p->out, "fi;\n");
}

/* What machines have sent to each other in the cycle before. */
static void put_delivery(hk_pml *p) {
    for (uint32_t i = 0; i < p->chart->line_count; i++) {
        const hk_chart_line *l = &p->chart->lines[i];
        if (l->kind != HK_CHART_BETWEEN)
            continue;
        fprintf(p->out, "here[%u] = sent[%u]; came[%u] = sent[%u]; sent[%u] = false;\n", i, i, i, i,
                i);
        for (uint32_t k = 0; l->type && k < l->type->size; k++)
            fprintf(p->out, "cell[%u] = cell[%u]; cell[%u] = 0;\n", l->cell + k, l->sent + k,
                    l->sent + k);
    }
}

static void put_deadlines(hk_pml *p, uint32_t machine) {
    const hk_chart_machine *m = &p->chart->machines[machine];
    p->machine = machine;
    for (uint32_t i = 0; i < m->transition_count; i++) {
        const hk_chart_transition *t = &m->transitions[i];
        const char *in = "false";
        if (!t->deadline.expr)
            continue;
        for (uint32_t n = 0; n < m->node_count; n++) {
            uint32_t above = n;
            while (above != HK_CHART_NONE && above != t->from)
                above = m->nodes[above].parent;
            if (above != HK_CHART_NONE)
                in = hk_pml_text(p, "%s || settled[%u] == %u", in, machine, n + 1);
        }
        const char *allowed = hk_pml_cycles(p, &t->deadline, false);
        hk_pml_fits_unless(p, 0, hk_pml_text(p, "(!(%s))", in));
        fprintf(p->out,
                "%sif :: (%s) && tick[%u] >= %s -> timelock = true; assert(!timelock) :: else "
                "fi;\n",
                hk_pml_fits_text(p), in,
                hk_chart_state_tick(p->world->sides[0].runner, machine, t->from), allowed);
        hk_pml_refuse_needs(p, t->line, t->column);
    }
}

static uint32_t count_durings(const hk_pml *p) {
    return hk_pml_during(p, p->chart->machine_count, 0);
}

static void put_time(hk_pml *p) {
    const hk_side *s = &p->world->sides[0];
    for (uint32_t m = 0; m < p->chart->machine_count; m++)
        put_deadlines(p, m);
    for (uint32_t i = 0; i < p->limit_count; i++)
        fprintf(p->out,
                "if :: limit[%u] == 0 -> timelock = true; assert(!timelock)\n"
                ":: limit[%u] > 0 -> limit[%u]-- :: else fi;\n",
                i, i, i);
    for (uint32_t i = 0; i < s->layout->tick_count; i++)
        (void)hk_pml_number(p, s->tick_caps[i], 0, 0);
    for (uint32_t i = 0; i < s->layout->tick_count; i++)
        fprintf(p->out, "if :: tick[%u] < %u -> tick[%u]++ :: else fi;\n", i, s->tick_caps[i], i);
    for (uint32_t i = 0; i < count_durings(p); i++)
        fprintf(p->out, "if :: rest[%u] > 0 -> rest[%u]-- :: else fi;\n", i, i);
}

/* What nobody sees in the next cycle is 0 again. */
static void put_tidying(hk_pml *p) {
    for (uint32_t i = 0; i < p->chart->line_count; i++) {
        const hk_chart_line *l = &p->chart->lines[i];
        bool between = l->kind == HK_CHART_BETWEEN;
        fprintf(p->out, "here[%u] = false; came[%u] = false;%s\n", i, i,
                between ? "" : hk_pml_text(p, " sent[%u] = false;", i));
        for (uint32_t k = 0; l->type && k < l->type->size; k++)
            fprintf(p->out, "cell[%u] = 0;\n", l->cell + k);
        for (uint32_t k = 0; l->type && !between && l->sent != l->cell && k < l->type->size; k++)
            fprintf(p->out, "cell[%u] = 0;\n", l->sent + k);
    }
    for (uint32_t i = 0; i < p->chart->operation_count; i++) {
        const hk_chart_operation *o = &p->chart->operations[i];
        fprintf(p->out, "called[%u] = false;\n", i);
        for (uint32_t k = 0; k < o->parameter_count; k++)
            for (uint32_t c = 0; c < o->parameters[k].type->size; c++)
                fprintf(p->out, "cell[%u] = 0;\n", o->cell + o->parameters[k].offset + c);
    }
    for (uint32_t i = 0; i < hk_chart_first_transition(p->chart, p->chart->machine_count); i++)
        fprintf(p->out, "took[%u] = false;\n", i);
    for (uint32_t i = 0; i < p->world->sides[0].idle_count; i++) {
        const hk_chart_variable *v = &p->chart->variables[p->world->sides[0].idle[i]];
        for (uint32_t k = 0; k < v->type->size; k++)
            fprintf(p->out, "cell[%u] = 0;\n", v->cell + k);
    }
}

static void put_environment(hk_pml *p) {
    const hk_side *s = &p->world->sides[0];
    const hk_cell *memory = hk_chart_memory(s->runner, p->world->first + s->at);
    fprintf(p->out, "active proctype environment() {\natomic {\n");
    for (uint32_t i = 0; i < p->chart->variable_count; i++)
        put_cells(p, p->chart->variables[i].cell, memory + p->chart->variables[i].cell,
                  p->chart->variables[i].type);
    fprintf(p->out, "\ndo\n:: true ->\nprintf(\"cycle\\n\");\n");
    for (size_t i = 0; i < s->input_count; i++)
        put_input(p, &s->inputs[i]);
    put_delivery(p);
    fprintf(p->out, "turn = 1; (turn == 0);\n");
    for (size_t i = 0; i < p->world->properties->count; i++)
        put_property(p, i);
    put_time(p);
    put_tidying(p);
    fprintf(p->out, "skip\nod\n}\n}\n");
}

/* ---- the text */

static void put_machines(hk_pml *p) {
    uint32_t turn = 0;
    for (uint32_t m = 0; m < p->chart->machine_count; m++) {
        if (p->chart->machines[m].caller != HK_CHART_NONE)
            continue;
        p->owner = p->machine = m;
        fprintf(p->out, "active proctype machine%u() { /* %s */\natomic {\n(turn == %u);\n", m,
                p->chart->machines[m].path, ++turn);
        hk_pml_machine(p, m);
        fprintf(p->out, "ended[%u] = true;\ndo :: true ->\n", m);
        hk_pml_yield(p);
        fprintf(p->out, "skip\nod\n}\n}\n\n");
    }
}

static uint32_t at_least_1(uint32_t count) {
    return count ? count : 1;
}

static uint32_t longest(const hk_chart *c) {
    uint32_t size = 1;
    for (uint32_t i = 0; i < c->type_count; i++)
        size = c->types[i]->size > size ? c->types[i]->size : size;
    return size;
}

static void put_memory(hk_pml *p) {
    const hk_chart *c = p->chart;
    const hk_properties *properties = p->world->properties;
    uint32_t transitions = hk_chart_first_transition(c, c->machine_count);
    fprintf(p->out, "/* module %s: written by hocket.\n", c->name);
    for (uint32_t i = 0; i < c->variable_count; i++)
        fprintf(p->out, " * cell[%u]: %s\n", c->variables[i].cell, c->variables[i].path);
    for (uint32_t i = 0; i < c->line_count; i++)
        fprintf(p->out, " * line %u: %s\n", i, c->lines[i].name);
    for (size_t i = 0; i < properties->count; i++)
        fprintf(p->out, " * property%zu: %s\n", i + 1, properties->all[i].text);
    fprintf(p->out, " * Reals are multiples of 1/%lld. */\n", (long long)p->scale);
    fprintf(p->out, "int cell[%u];\n", at_least_1(c->memory_size));
    fprintf(p->out, "hidden int scratch[%u];\n", longest(c));
    fprintf(p->out, "bool here[%u], came[%u], sent[%u]; /* lines */\n", at_least_1(c->line_count),
            at_least_1(c->line_count), at_least_1(c->line_count));
    fprintf(p->out, "bool called[%u]; /* operations */\n", at_least_1(c->operation_count));
    fprintf(p->out, "bool took[%u]; /* transitions, in this cycle */\n", at_least_1(transitions));
    fprintf(p->out, "int inside[%u], settled[%u], waiting[%u]; bool ended[%u]; /* machines */\n",
            c->machine_count, c->machine_count, c->machine_count, c->machine_count);
    fprintf(p->out, "int tick[%u]; int limit[%u] = -1;\n",
            at_least_1(p->world->sides[0].layout->tick_count), at_least_1(p->limit_count));
    fprintf(p->out, "int during[%u], rest[%u];\n", at_least_1(count_durings(p)),
            at_least_1(count_durings(p)));
    fprintf(p->out, "int due[%u];\n", at_least_1((uint32_t)properties->count));
    fprintf(p->out, "byte turn; short fired;\n");
    fprintf(p->out, "bool deadlock, timelock, divergence, arithmetic, overflow;\n");
    for (size_t i = 0; i < properties->count; i++)
        fprintf(p->out, "bool property%zu;\n", i + 1);
    fprintf(p->out, "\n");
}

/* Machines come before what they need is known; so the parts are written apart. */
static const char *write_part(hk_pml *p, void (*put)(hk_pml *p)) {
    char *data = NULL;
    size_t size = 0;
    p->out = open_memstream(&data, &size);
    HK_ASSERT(p->out);
    put(p);
    fclose(p->out);
    const char *kept = hk_arena_strndup(p->arena, data, size);
    free(data);
    return kept;
}

static hk_status write_world(hk_world *w, const char **ret_text) {
    hk_pml p = {.world = w, .ctx = w->ctx, .arena = w->arena, .chart = w->sides[0].chart};
    p.scale = hk_pml_scale(w);
    if (w->side_count > 1 || w->table)
        hk_pml_refuse(&p, 0, 0, "a plant");
    else if (!p.scale)
        hk_pml_refuse(&p, 0, 0, "reals that are not whole multiples of a number down to 1/100000");
    else if ((p.scale & (p.scale - 1)) != 0)
        hk_warn(w->ctx, HK_E_NO_WORDS, (hk_where){.file = p.chart->file}, NULL,
                "reals are whole multiples of 1/%lld in the Promela, which are exact; a run rounds",
                (long long)p.scale);
    tell_left_out(&p);
    const char *machines = write_part(&p, put_machines);
    const char *environment = write_part(&p, put_environment);
    const char *memory = write_part(&p, put_memory);
    hk_free(p.needs);
    hk_free(p.fits);
    *ret_text = hk_arena_printf(w->arena, "%s%s%s", memory, machines, environment);
    return p.status;
}

hk_status hk_explore_promela(hk_ctx *ctx, hk_arena *arena, const char *path,
                             const hk_explore_wishes *wishes, const char **ret_text) {
    hk_world w;
    hk_status status = hk_world_make(&w, ctx, arena, path, wishes);
    if (status == HK_OK)
        status = write_world(&w, ret_text);
    hk_world_finish(&w);
    return status;
}
