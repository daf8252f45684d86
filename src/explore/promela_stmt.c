/* SPDX-License-Identifier: MIT
 *
 * Statements in Promela. An action that blocks gives the turn away and goes on at the same place in
 * the next cycle; a during action remembers where it is, since its process has other work. */
#include "explore/promela.h"

#include <string.h>

void hk_pml_yield(hk_pml *p) {
    const hk_chart *c = p->chart;
    uint32_t me = 1, next;
    for (uint32_t i = 0; i < p->owner; i++)
        me += c->machines[i].caller == HK_CHART_NONE;
    next = me + 1;
    bool last = true;
    for (uint32_t i = p->owner + 1; i < c->machine_count; i++)
        last = last && c->machines[i].caller != HK_CHART_NONE;
    fprintf(p->out, "fired = 0; turn = %u; (turn == %u);\n", last ? 0 : next, me);
}

static bool is_during(const hk_pml_thread *t) {
    return t && t->during != HK_CHART_NONE;
}

uint32_t hk_pml_points(const hk_chart_stmt *s) {
    uint32_t count = s->does == HK_CHART_WAIT || s->does == HK_CHART_RECEIVE;
    for (uint32_t i = 0; i < s->part_count; i++)
        count += hk_pml_points(s->parts[i]);
    return count;
}

/* A place to which a during action comes back: it is remembered, and has a label. */
static void put_point(hk_pml *p, hk_pml_thread *t) {
    t->points++;
    fprintf(p->out, "during[%u] = %u;\nD%u_%u_%u: skip;\n", t->during, t->points + 1, t->blocked,
            t->during, t->points + 1);
}

static void put_cells(hk_pml *p, uint32_t cell, const char *const *cells, uint32_t count) {
    for (uint32_t k = 0; k < count; k++)
        if (strcmp(cells[k], hk_pml_text(p, "cell[%u]", cell + k)) != 0)
            fprintf(p->out, "cell[%u] = %s;\n", cell + k, cells[k]);
}

/* Several cells that depend on each other are read before one of them is written. */
static void put_value(hk_pml *p, uint32_t cell, const char *const *cells, uint32_t count) {
    const char **kept = HK_NEW_ARRAY(p->arena, const char *, count + 1);
    if (count == 1) {
        put_cells(p, cell, cells, count);
        return;
    }
    for (uint32_t k = 0; k < count; k++) {
        bool plain = strspn(cells[k], "0123456789") == strlen(cells[k]);
        kept[k] = plain ? cells[k] : hk_pml_text(p, "scratch[%u]", k);
        if (!plain)
            fprintf(p->out, "scratch[%u] = %s;\n", k, cells[k]);
    }
    put_cells(p, cell, kept, count);
    for (uint32_t k = 0; k < count; k++)
        if (kept[k] != cells[k])
            fprintf(p->out, "scratch[%u] = 0;\n", k);
}

void hk_pml_store(hk_pml *p, const hk_chart_target *place, const char *const *cells,
                  const hk_chart_type *type, int line, int column) {
    (void)line;
    (void)column;
    if (place->type->kind == HK_CHART_NAT)
        fprintf(p->out, "if :: (%s >= 0) :: else -> arithmetic = true; assert(!arithmetic) fi;\n",
                cells[0]);
    if (!place->index) {
        put_value(p, place->cell, cells, type->size);
        return;
    }
    hk_chart_code code = {.expr = place->index, .frame_size = p->chart->frame_size};
    const char *index = hk_pml_code(p, &code);
    uint32_t count = place->sequence ? HK_CHART_SEQUENCE_MAX : place->length;
    hk_pml_put_needs(p);
    fprintf(p->out, "if\n");
    for (uint32_t i = 0; i < count; i++) {
        const char *there =
            place->sequence ? hk_pml_text(p, " && cell[%u] > %u", place->cell, i) : "";
        fprintf(p->out, ":: (%s == %u%s) ->\n", index, i + 1, there);
        put_value(p, place->cell + place->sequence + i * place->element->size + place->inner, cells,
                  type->size);
        fprintf(p->out, "skip\n");
    }
    fprintf(p->out, ":: else -> arithmetic = true; assert(!arithmetic)\nfi;\n");
}

/* ---- what others see */

static void put_send(hk_pml *p, const hk_chart_stmt *s) {
    uint32_t out = p->chart->machines[p->machine].events[s->event].out;
    if (out == HK_CHART_NONE)
        return;
    const hk_chart_line *line = &p->chart->lines[out];
    if (s->value.expr) {
        const char **cells = hk_pml_code_cells(p, &s->value);
        hk_pml_put_needs(p);
        put_value(p, line->sent, cells, line->type->size);
    }
    if (!(line->kind == HK_CHART_BETWEEN && line->async))
        fprintf(p->out, "if :: sent[%u] -> timelock = true; assert(!timelock) :: else fi;\n", out);
    fprintf(p->out, "sent[%u] = true;\n", out);
}

static const char *receive_condition(hk_pml *p, const hk_chart_stmt *s, uint32_t in) {
    const hk_chart_line *line = &p->chart->lines[in];
    const char *text = hk_pml_text(p, "here[%u]", in);
    if (!s->value.expr)
        return text;
    const char **cells = hk_pml_code_cells(p, &s->value);
    for (uint32_t k = 0; k < line->type->size; k++)
        text = hk_pml_text(p, "%s && cell[%u] == %s", text, line->cell + k, cells[k]);
    hk_pml_refuse_needs(p, s->line, s->column);
    return hk_pml_text(p, "(%s)", text);
}

static void put_receive(hk_pml *p, const hk_chart_stmt *s, hk_pml_thread *t) {
    uint32_t in = p->chart->machines[p->machine].events[s->event].in;
    const char *there = in == HK_CHART_NONE ? "false" : receive_condition(p, s, in);
    const char *fits = hk_pml_fits_text(p);
    if (is_during(t)) {
        put_point(p, t);
        fprintf(p->out, "%sif :: %s :: else -> goto L%u fi;\n", fits, there, t->blocked);
    } else {
        fprintf(p->out, "%sdo\n:: %s -> break\n:: else ->\n", fits, there);
        hk_pml_yield(p);
        fprintf(p->out, "%sskip\nod;\n", fits);
    }
    if (in == HK_CHART_NONE)
        return;
    const hk_chart_line *line = &p->chart->lines[in];
    if (line->type && !s->value.expr && s->place.type) {
        const char **cells = HK_NEW_ARRAY(p->arena, const char *, line->type->size + 1);
        for (uint32_t k = 0; k < line->type->size; k++)
            cells[k] = hk_pml_text(p, "cell[%u]", line->cell + k);
        hk_pml_store(p, &s->place, cells, line->type, s->line, s->column);
    }
    fprintf(p->out, "here[%u] = false;\n", in);
}

static void put_arguments(hk_pml *p, const hk_chart_stmt *s, const uint32_t *cells_of) {
    for (uint32_t i = 0; i < s->arg_count; i++) {
        const char **cells = hk_pml_code_cells(p, &s->args[i]);
        hk_pml_put_needs(p);
        put_value(p, cells_of[i], cells, s->args[i].expr->type->size);
    }
}

static void put_operate(hk_pml *p, const hk_chart_stmt *s) {
    const hk_chart_operation *o = &p->chart->operations[s->operation];
    uint32_t *cells = HK_NEW_ARRAY(p->arena, uint32_t, o->parameter_count + 1);
    for (uint32_t i = 0; i < o->parameter_count; i++)
        cells[i] = o->cell + o->parameters[i].offset;
    put_arguments(p, s, cells);
    fprintf(p->out,
            "if :: called[%u] -> timelock = true; assert(!timelock) :: else fi;\n"
            "called[%u] = true;\n",
            s->operation, s->operation);
    if (o->effect)
        hk_pml_stmt(p, o->effect, NULL);
}

/* An operation that is a machine runs in the process of its caller. */
static void put_perform(hk_pml *p, const hk_chart_stmt *s, const hk_pml_thread *t) {
    const hk_chart_machine *m = &p->chart->machines[s->machine];
    uint32_t before = p->machine;
    if (is_during(t) || m->precondition_count || m->postcondition_count) {
        hk_pml_refuse(p, s->line, s->column,
                      is_during(t) ? "an operation with a machine in a during action"
                                   : "conditions of an operation with a machine");
        return;
    }
    for (uint32_t i = 0; i < p->chart->variable_count; i++) {
        const hk_chart_variable *v = &p->chart->variables[i];
        if (v->machine != s->machine || v->constant)
            continue;
        const char **zero = HK_NEW_ARRAY(p->arena, const char *, v->type->size + 1);
        for (uint32_t k = 0; k < v->type->size; k++)
            zero[k] = "0";
        put_value(p, v->cell, v->start.expr ? hk_pml_code_cells(p, &v->start) : zero,
                  v->type->size);
    }
    for (uint32_t i = 0; i < s->arg_count; i++) {
        const char **cells = hk_pml_code_cells(p, &s->args[i]);
        hk_pml_put_needs(p);
        hk_pml_store(p, &m->parameters[i], cells, s->args[i].expr->type, s->line, s->column);
    }
    for (uint32_t i = 0; i < m->clock_count; i++)
        fprintf(p->out, "tick[%u] = 0;\n",
                hk_chart_clock_tick(p->world->sides[0].runner, s->machine, i));
    p->machine = s->machine;
    hk_pml_machine(p, s->machine);
    p->machine = before;
}

/* ---- time */

static void put_wait(hk_pml *p, const hk_chart_stmt *s, hk_pml_thread *t) {
    const char *left = is_during(t) ? hk_pml_text(p, "rest[%u]", t->during)
                                    : hk_pml_text(p, "waiting[%u]", p->owner);
    fprintf(p->out, "%s = %s;\n", left, hk_pml_cycles(p, &s->value, true));
    hk_pml_put_needs(p);
    if (s->until.expr) {
        hk_ratio cycle = p->chart->cycle;
        if (cycle.num != cycle.den)
            hk_pml_refuse(p, s->line, s->column, "an interval of time, unless a cycle is one unit");
        fprintf(p->out, "do :: %s < %s -> %s++ :: break od;\n", left,
                hk_pml_cycles(p, &s->until, false), left);
    }
    if (is_during(t)) {
        put_point(p, t);
        fprintf(p->out, "if :: %s > 0 -> goto L%u :: else fi;\n", left, t->blocked);
        return;
    }
    fprintf(p->out, "do\n:: %s > 0 ->\n", left);
    hk_pml_yield(p);
    fprintf(p->out, "%s--\n:: else -> break\nod;\n", left);
}

static void put_deadline(hk_pml *p, const hk_chart_stmt *s, hk_pml_thread *t) {
    uint32_t limit = p->limit_count++;
    if (is_during(t))
        hk_pml_refuse(p, s->line, s->column, "a deadline in a during action");
    fprintf(p->out, "limit[%u] = %s;\n", limit, hk_pml_cycles(p, &s->value, false));
    hk_pml_put_needs(p);
    hk_pml_stmt(p, s->parts[0], t);
    fprintf(p->out, "limit[%u] = -1;\n", limit);
}

static void put_choice(hk_pml *p, const hk_chart_stmt *s, hk_pml_thread *t) {
    const char *test = hk_pml_code(p, &s->value);
    hk_pml_put_needs(p);
    fprintf(p->out, "if\n:: %s ->\n", test);
    hk_pml_stmt(p, s->parts[0], t);
    fprintf(p->out, "skip\n:: else ->\n");
    if (s->part_count > 1)
        hk_pml_stmt(p, s->parts[1], t);
    fprintf(p->out, "skip\nfi;\n");
}

void hk_pml_stmt(hk_pml *p, const hk_chart_stmt *s, hk_pml_thread *t) {
    if (!s || p->status != HK_OK)
        return;
    switch (s->does) {
    case HK_CHART_ASSIGN: {
        const char **cells = hk_pml_code_cells(p, &s->value);
        hk_pml_put_needs(p);
        hk_pml_store(p, &s->place, cells, s->value.expr->type, s->line, s->column);
        break;
    }
    case HK_CHART_SEND:
        put_send(p, s);
        break;
    case HK_CHART_RECEIVE:
        put_receive(p, s, t);
        break;
    case HK_CHART_OPERATE:
        put_operate(p, s);
        break;
    case HK_CHART_PERFORM:
        put_perform(p, s, t);
        break;
    case HK_CHART_WAIT:
        put_wait(p, s, t);
        break;
    case HK_CHART_RESET:
        fprintf(p->out, "tick[%u] = 0;\n",
                hk_chart_clock_tick(p->world->sides[0].runner, p->machine, s->clock));
        break;
    case HK_CHART_CHOICE:
        put_choice(p, s, t);
        break;
    case HK_CHART_DEADLINE:
        put_deadline(p, s, t);
        break;
    default:
        for (uint32_t i = 0; i < s->part_count; i++)
            hk_pml_stmt(p, s->parts[i], t);
        break;
    }
}
