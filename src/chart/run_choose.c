/* SPDX-License-Identifier: MIT
 *
 * Which transition is taken, and what is told about that. */
#include "chart/run_internal.h"

#include <math.h>

void hk_run_warn(hk_chart_runner *r, const hk_run_machine *m, hk_chart_oddity oddity,
                 uint32_t node) {
    uint8_t *warned = &r->warned[m->first_node + node], bit = (uint8_t)(1U << oddity);
    if (!r->report->warn || *warned & bit)
        return;
    *warned |= bit;
    const hk_chart_warning warning = {
        oddity, m->index, node, r->options[0], oddity == HK_CHART_NONDET ? r->options[1] : 0,
        r->now};
    r->report->warn(r->report->user, &warning);
}

/* Whether the trigger is there, with a value that the transition takes. */
static bool enabled(hk_chart_runner *r, const hk_run_candidate *c) {
    const hk_chart_transition *t = c->transition;
    if (t->match.expr) {
        const hk_chart_line *line = &r->chart->lines[c->line];
        const hk_cell *value = hk_run_code_value(r, &t->match);
        if (hk_run_failed(r) || !hk_run_equal(line->type, value, r->memory + line->cell))
            return false;
    }
    return !t->guard.expr || hk_run_true(r, &t->guard);
}

static uint32_t collect(hk_chart_runner *r, const hk_run_node *node) {
    uint32_t count = 0, before = 0, from = HK_CHART_NONE;
    for (uint32_t i = 0; i < node->candidate_count; i++) {
        const hk_run_candidate *c = &node->candidates[i];
        if (c->node != from) {
            from = c->node;
            before = count;
        }
        if (c->bit ? !(r->received[c->word] & c->bit) : c->never)
            continue;
        if (c->otherwise && count > before)
            continue;
        if (c->asks && !enabled(r, c))
            continue;
        r->options[count++] = c->index;
    }
    return count;
}

static uint64_t ask(hk_chart_runner *r, const hk_run_machine *m, hk_chart_choice_kind kind,
                    uint32_t node, uint32_t count) {
    const hk_chart_node *at = &m->chart->nodes[node];
    const hk_chart_choice choice = {.kind = kind,
                                    .machine = m->index,
                                    .node = node,
                                    .cycle = r->now,
                                    .count = count,
                                    .transitions = r->options,
                                    .weights = r->weights,
                                    .line = at->line,
                                    .column = at->column};
    if (!r->chooser || !r->chooser->choose)
        return 0;
    uint64_t answer = r->chooser->choose(r->chooser->user, &choice);
    HK_ASSERT(answer < count);
    return answer;
}

uint32_t hk_run_choose(hk_chart_runner *r, const hk_run_machine *m, uint32_t node) {
    uint32_t count = collect(r, &m->nodes[node]);
    if (count == 0 || hk_run_failed(r))
        return HK_CHART_NONE;
    if (count == 1)
        return r->options[0];
    hk_run_warn(r, m, HK_CHART_NONDET, node);
    return r->options[ask(r, m, HK_CHART_CHOOSE_TRANSITION, node, count)];
}

uint32_t hk_run_draw(hk_chart_runner *r, const hk_run_machine *m, uint32_t node) {
    const hk_run_node *from = &m->nodes[node];
    const hk_chart_node *at = &m->chart->nodes[node];
    double sum = 0;
    for (uint32_t i = 0; i < from->candidate_count; i++) {
        const hk_run_candidate *c = &from->candidates[i];
        double p = hk_run_code(r, &c->transition->probability).r;
        if (!(p >= 0 && p <= 1))
            (void)hk_run_fail(r, HK_CHART_ARITHMETIC, c->transition->line, c->transition->column,
                              "%g is not a probability", p);
        if (hk_run_failed(r))
            return HK_CHART_NONE;
        r->options[i] = c->index;
        r->weights[i] = p;
        sum += p;
    }
    if (!(fabs(sum - 1) <= 1e-9)) {
        (void)hk_run_fail(r, HK_CHART_ARITHMETIC, at->line, at->column,
                          "the probabilities of the ways out of '%s' have the sum %.9g, not 1",
                          at->name, sum);
        return HK_CHART_NONE;
    }
    if (from->candidate_count == 1)
        return r->options[0];
    return r->options[ask(r, m, HK_CHART_CHOOSE_PROBABILITY, node, from->candidate_count)];
}

/* ---- dice */

struct hk_chart_dice {
    uint32_t count;
    hk_stream *streams;
    /* Of each machine: its draws in that cycle so far. */
    int64_t *cycles;
    uint32_t *draws;
};

hk_chart_dice *hk_chart_dice_create(const hk_chart *chart, uint64_t seed, uint64_t run,
                                    const char *component) {
    hk_chart_dice *dice = hk_alloc(sizeof *dice);
    size_t count = (size_t)chart->machine_count + 1;
    dice->count = chart->machine_count;
    dice->streams = hk_alloc(count * sizeof *dice->streams);
    dice->cycles = hk_alloc(count * sizeof *dice->cycles);
    dice->draws = hk_alloc(count * sizeof *dice->draws);
    for (uint32_t i = 0; i < chart->machine_count; i++) {
        dice->streams[i] = hk_stream_make(seed, run, component, chart->machines[i].path);
        dice->cycles[i] = -1;
    }
    return dice;
}

const hk_stream *hk_chart_dice_streams(const hk_chart_dice *dice) {
    return dice->streams;
}

/* A cycle that has drawn before may run again: it draws the same. */
void hk_chart_dice_restore(hk_chart_dice *dice, const hk_stream *streams) {
    for (uint32_t i = 0; i < dice->count; i++) {
        dice->streams[i] = streams[i];
        dice->cycles[i] = -1;
    }
}

void hk_chart_dice_destroy(hk_chart_dice *dice) {
    if (!dice)
        return;
    hk_free(dice->streams);
    hk_free(dice->cycles);
    hk_free(dice->draws);
    hk_free(dice);
}

uint64_t hk_chart_weighted(const hk_chart_choice *choice, double uniform) {
    if (choice->kind == HK_CHART_CHOOSE_WAIT) {
        uint64_t answer = (uint64_t)(uniform * (double)choice->count);
        return answer < choice->count ? answer : choice->count - 1;
    }
    double sum = 0;
    uint64_t last = 0;
    for (uint64_t i = 0; i < choice->count; i++) {
        sum += choice->weights[i];
        if (choice->weights[i] > 0)
            last = i;
        if (uniform < sum)
            return last;
    }
    return last;
}

static uint64_t throw(void *user, const hk_chart_choice *choice) {
    hk_chart_dice *dice = user;
    uint32_t m = choice->machine;
    if (choice->kind == HK_CHART_CHOOSE_TRANSITION)
        return 0;
    if (dice->cycles[m] != choice->cycle) {
        dice->cycles[m] = choice->cycle;
        dice->draws[m] = 0;
    }
    return hk_chart_weighted(choice,
                             hk_stream_uniform(&dice->streams[m], choice->cycle, dice->draws[m]++));
}

hk_chart_chooser hk_chart_dice_chooser(hk_chart_dice *dice) {
    return (hk_chart_chooser){throw, dice};
}
