/* SPDX-License-Identifier: MIT */
#include "lang/syntax.h"
#include "text/parser.h"
#include "text/print.h"

#include <string.h>

/* ---- conditions */

static void put_operand(hk_printer *pr, const hk_operand *operand) {
    if (!operand->path.text[0]) {
        hk_print_literal(pr, &operand->value);
        return;
    }
    hk_print(pr, operand->absolute ? "abs(" : "");
    hk_print_quoted(pr, operand->path.text);
    hk_print(pr, operand->absolute ? ")" : "");
}

static int strength(hk_condition_kind kind) {
    return kind == HK_CONDITION_OR ? 0 : kind == HK_CONDITION_AND ? 1 : 2;
}

static void put_condition(hk_printer *pr, const hk_condition *c);

/* A part of OUTER, in brackets if it would be read as something else without. */
static void put_part(hk_printer *pr, const hk_condition *part, const hk_condition *outer) {
    int in = strength(part->kind), out = strength(outer->kind);
    bool brackets = in < out || (part == outer->b && in == out);
    hk_print(pr, brackets ? "(" : "");
    put_condition(pr, part);
    hk_print(pr, brackets ? ")" : "");
}

static void put_condition(hk_printer *pr, const hk_condition *c) {
    if (c->kind == HK_CONDITION_COMPARE) {
        put_operand(pr, &c->left);
        hk_print(pr, " ");
        hk_print(pr, c->op);
        hk_print(pr, " ");
        put_operand(pr, &c->right);
        if (c->tolerance.kind != HK_LITERAL_NONE) {
            hk_print(pr, " within ");
            hk_print_literal(pr, &c->tolerance);
        }
    } else if (c->kind == HK_CONDITION_NOT) {
        hk_print(pr, "not ");
        put_part(pr, c->a, c);
    } else {
        put_part(pr, c->a, c);
        hk_print(pr, c->kind == HK_CONDITION_AND ? " and " : " or ");
        put_part(pr, c->b, c);
    }
}

/* ---- actions */

/* Numbers in quotes, as in Fig. 10 of the paper, become plain. */
static void put_argument(hk_printer *pr, const void *element) {
    const hk_callargument *argument = element;
    if (argument->label.text[0]) {
        hk_print_name(pr, &argument->label);
        hk_print(pr, ": ");
    }
    if (argument->name.text[0]) {
        hk_print_name(pr, &argument->name);
        hk_print(pr, " = ");
    }
    if (argument->value.kind == HK_LITERAL_TEXT && hk_is_number(argument->value.text))
        hk_print(pr, argument->value.text);
    else
        hk_print_literal(pr, &argument->value);
}

static void put_ends(hk_printer *pr, const char *word, const hk_statement *s) {
    hk_print(pr, word);
    hk_print_quoted(pr, s->path.text);
    if (s->other.text[0]) {
        hk_print(pr, " -> ");
        hk_print_quoted(pr, s->other.text);
    }
}

static void put_fault(hk_printer *pr, const hk_statement *s) {
    put_ends(pr, "fault ", s);
    hk_print(pr, " ");
    hk_print(pr, s->word.text);
    if (s->value.kind != HK_LITERAL_NONE) {
        hk_print(pr, " ");
        hk_print_literal(pr, &s->value);
    }
}

static void put_call(hk_printer *pr, const hk_statement *s) {
    hk_elements arguments = {s->arguments, s->argument_count, sizeof(hk_callargument),
                             offsetof(hk_callargument, at), put_argument};
    hk_print_quoted(pr, s->path.text);
    hk_print(pr, ".");
    hk_print_quoted(pr, s->other.text);
    hk_print_elements(pr, "(", arguments, ")");
}

static void put_two(hk_printer *pr, const char *word, const hk_statement *s) {
    hk_print(pr, word);
    hk_print_quoted(pr, s->path.text);
    hk_print_wrap(pr, strlen("to") + strlen(s->other.text) + 4);
    hk_print(pr, "to ");
}

static void put_action(hk_printer *pr, const hk_statement *s) {
    switch (s->kind) {
    case HK_SAY_BIND:
        put_two(pr, "bind ", s);
        hk_print_quoted(pr, s->other.text);
        break;
    case HK_SAY_START:
    case HK_SAY_STOP:
        hk_print_quoted(pr, s->path.text);
        hk_print(pr, s->kind == HK_SAY_START ? ".Start()" : ".Stop()");
        break;
    case HK_SAY_OVERRIDE:
        hk_print(pr, "override ");
        /* fall through */
    case HK_SAY_SET:
        hk_print_quoted(pr, s->path.text);
        hk_print(pr, " = ");
        hk_print_literal(pr, &s->value);
        break;
    case HK_SAY_CALL:
        put_call(pr, s);
        break;
    case HK_SAY_RAMP:
        put_two(pr, "ramp ", s);
        hk_print_literal(pr, &s->value);
        hk_print(pr, " over ");
        hk_print_number(pr, &s->over);
        break;
    case HK_SAY_FAULT:
        put_fault(pr, s);
        break;
    case HK_SAY_REPAIR:
        put_ends(pr, "repair ", s);
        break;
    case HK_SAY_FINISH:
        hk_print(pr, s->value.kind == HK_LITERAL_NONE ? "finish" : "finish ");
        if (s->value.kind != HK_LITERAL_NONE)
            hk_print_literal(pr, &s->value);
        break;
    case HK_SAY_REMOVE:
    case HK_SAY_ADD:
        hk_print(pr, s->kind == HK_SAY_ADD ? "add " : "remove ");
        hk_print_quoted(pr, s->path.text);
        break;
    case HK_SAY_CHANGE:
        put_two(pr, "change ", s);
        hk_print_name(pr, &s->word);
        break;
    case HK_SAY_RELEASE:
        hk_print(pr, "release ");
        hk_print_quoted(pr, s->path.text);
        break;
    }
}

/* The rest of a line that ends with statements in braces. */
static void put_block(hk_printer *pr, const hk_block *block, const hk_place *at) {
    if (!hk_print_open(pr, at, &block->end, block->count == 0))
        return;
    for (size_t i = 0; i < block->count; i++) {
        hk_print_line(pr, &block->statements[i].at);
        put_action(pr, &block->statements[i]);
        hk_print(pr, ";");
        hk_print_end(pr, &block->statements[i].at);
    }
    hk_print_close(pr, &block->end);
}

static void put_named_block(hk_printer *pr, const char *word, const hk_block *block) {
    if (!block->given)
        return;
    hk_print_line(pr, &block->at);
    hk_print(pr, word);
    put_block(pr, block, &block->at);
}

/* ---- events */

static void put_event(hk_printer *pr, const hk_eventdecl *event) {
    hk_print_line(pr, &event->at);
    if (event->kind == HK_EVENT_WHEN) {
        hk_print(pr, "when ");
        put_condition(pr, event->condition);
        if (event->until) {
            hk_print(pr, " until ");
            put_condition(pr, event->until);
        }
        hk_print(pr, event->once ? " once" : "");
    } else if (event->kind == HK_EVENT_DURING) {
        hk_print(pr, "during [");
        hk_print_number(pr, &event->from);
        hk_print(pr, ", ");
        hk_print_number(pr, &event->to);
        hk_print(pr, "]");
    } else if (event->kind == HK_EVENT_EVERY) {
        hk_print(pr, "every ");
        hk_print_number(pr, &event->to);
        hk_print(pr, event->from.text[0] ? " from " : "");
        hk_print_number(pr, &event->from);
    } else {
        hk_print(pr, "instant ");
        hk_print_number(pr, &event->from);
    }
    put_block(pr, &event->body, &event->at);
}

/* ---- expects */

static const hk_condition *last_comparison(const hk_condition *c) {
    while (c->kind != HK_CONDITION_COMPARE)
        c = c->b ? c->b : c->a;
    return c;
}

/* Brackets keep a tolerance from being read as the time of the expectation, and a unit at the end
 * of the statement from being read as its message. */
static void put_expected(hk_printer *pr, const hk_condition *c, bool ends, bool tolerance_is_time) {
    const hk_condition *last = last_comparison(c);
    bool tolerant = last->tolerance.kind != HK_LITERAL_NONE;
    const hk_literal *value = tolerant ? &last->tolerance : &last->right.value;
    bool brackets = (tolerant && tolerance_is_time) || (ends && hk_print_unit_is_quoted(value));
    hk_print(pr, brackets ? "(" : "");
    put_condition(pr, c);
    hk_print(pr, brackets ? ")" : "");
}

static void put_time(hk_printer *pr, const char *word, const hk_number *time) {
    if (!time->text[0])
        return;
    hk_print(pr, word);
    hk_print_number(pr, time);
}

static void put_option(hk_printer *pr, const char *word, const hk_literal *value) {
    if (value->kind == HK_LITERAL_NONE)
        return;
    hk_print(pr, word);
    hk_print_literal(pr, value);
}

static void put_require(hk_printer *pr, const hk_expectdecl *e) {
    const hk_requiredecl *r = e->require;
    hk_print(pr, "require ");
    hk_print_quoted(pr, r->name.text);
    hk_print(pr, " ");
    hk_print(pr, r->metric.text);
    hk_print(pr, " of ");
    hk_print_quoted(pr, r->path.text);
    put_option(pr, " from ", &r->from);
    put_option(pr, " to ", &r->to);
    put_option(pr, " within ", &r->within);
    put_time(pr, " during [", &e->from);
    put_time(pr, ", ", &e->to);
    hk_print(pr, e->to.text[0] ? "]" : "");
    put_option(pr, " min ", &r->min);
    put_option(pr, " max ", &r->max);
    put_option(pr, " reference ", &r->reference);
}

static void put_expect(hk_printer *pr, const hk_expectdecl *e) {
    bool open = !e->message.text[0]; /* nothing follows behind the condition */
    bool timed = e->to.text[0] != '\0';
    hk_print_line(pr, &e->at);
    switch (e->kind) {
    case HK_EXPECT_ALWAYS:
        hk_print(pr, "expect always ");
        put_expected(pr, e->condition, open && !timed && !e->from.text[0], false);
        put_time(pr, " from ", &e->from);
        put_time(pr, " to ", &e->to);
        break;
    case HK_EXPECT_EVENTUALLY:
        hk_print(pr, "expect eventually ");
        put_expected(pr, e->condition, open && !timed, !timed);
        put_time(pr, " within ", &e->to);
        break;
    case HK_EXPECT_AT:
        put_time(pr, "expect at ", &e->from);
        hk_print(pr, " ");
        put_expected(pr, e->condition, open, false);
        break;
    case HK_EXPECT_AFTER:
        hk_print(pr, "expect ");
        put_expected(pr, e->condition, false, false);
        put_time(pr, " within ", &e->to);
        hk_print(pr, " after ");
        put_expected(pr, e->trigger, open, false);
        break;
    case HK_EXPECT_REQUIRE:
        put_require(pr, e);
        break;
    }
    if (e->message.text[0]) {
        hk_print(pr, " ");
        hk_print_quoted(pr, e->message.text);
    }
    hk_print(pr, ";");
    hk_print_end(pr, &e->at);
}

/* ---- scenarios */

static void put_log(hk_printer *pr, const hk_logdecl *log) {
    hk_print_line(pr, &log->at);
    hk_print_name(pr, &log->file);
    hk_print(pr, " timed(");
    hk_print_number(pr, &log->period);
    hk_print(pr, ")");
    if (!hk_print_open(pr, &log->at, &log->end, log->signal_count == 0))
        return;
    for (size_t i = 0; i < log->signal_count; i++) {
        hk_print_line(pr, &log->signals[i].at);
        hk_print_quoted(pr, log->signals[i].text);
        hk_print(pr, ";");
        hk_print_end(pr, &log->signals[i].at);
    }
    hk_print_close(pr, &log->end);
}

static bool open_section(hk_printer *pr, const char *word, const hk_place *at, const hk_place *end,
                         size_t count) {
    hk_print_line(pr, at);
    hk_print(pr, word);
    return hk_print_open(pr, at, end, count == 0);
}

static void put_scenario(hk_printer *pr, const hk_scenariodecl *s) {
    hk_print_line(pr, &s->at);
    hk_print(pr, "Scenario ");
    hk_print_name(pr, &s->name);
    if (s->repetitions.text[0]) {
        hk_print(pr, " [");
        hk_print_number(pr, &s->repetitions);
        hk_print(pr, "]");
    }
    hk_print_end(pr, &s->at);
    put_named_block(pr, "begin", &s->begin);
    if (s->has_events &&
        open_section(pr, "events", &s->events_at, &s->events_end, s->event_count)) {
        for (size_t i = 0; i < s->event_count; i++)
            put_event(pr, &s->events[i]);
        hk_print_close(pr, &s->events_end);
    }
    put_named_block(pr, "end", &s->finish);
    if (s->has_expects &&
        open_section(pr, "expects", &s->expects_at, &s->expects_end, s->expect_count)) {
        for (size_t i = 0; i < s->expect_count; i++)
            put_expect(pr, &s->expects[i]);
        hk_print_close(pr, &s->expects_end);
    }
    if (s->has_logs && open_section(pr, "logs", &s->logs_at, &s->logs_end, s->log_count)) {
        for (size_t i = 0; i < s->log_count; i++)
            put_log(pr, &s->logs[i]);
        hk_print_close(pr, &s->logs_end);
    }
}

static void put_head(hk_printer *pr, const hk_simulationfile *file) {
    hk_print_line(pr, &file->at);
    hk_print(pr, "Simulation ");
    hk_print_name(pr, &file->name);
    hk_print(pr, " (");
    hk_print(pr, file->unit.text);
    hk_print(pr, ")");
    hk_print_end(pr, &file->at);
    hk_print_line(pr, &file->system.at);
    hk_print(pr, "system ");
    hk_print_name(pr, &file->system);
    hk_print(pr, ";");
    hk_print_end(pr, &file->system.at);
    hk_print_line(pr, &file->start.at);
    hk_print(pr, "simulationTime [");
    hk_print_number(pr, &file->start);
    hk_print(pr, ", ");
    hk_print_number(pr, &file->stop);
    hk_print(pr, "]:");
    hk_print_number(pr, &file->step);
    hk_print(pr, ";");
    hk_print_end(pr, &file->start.at);
    if (file->seed.text[0]) {
        hk_print_line(pr, &file->seed.at);
        hk_print(pr, "seed ");
        hk_print_number(pr, &file->seed);
        hk_print(pr, ";");
        hk_print_end(pr, &file->seed.at);
    }
    for (size_t i = 0; i < file->parameter_count; i++) {
        hk_print_line(pr, &file->parameters[i].at);
        hk_print(pr, "parameter ");
        hk_print_name(pr, &file->parameters[i].name);
        hk_print(pr, " = ");
        hk_print_literal(pr, &file->parameters[i].value);
        hk_print(pr, ";");
        hk_print_end(pr, &file->parameters[i].at);
    }
}

const char *hk_simulation_print(hk_arena *arena, const hk_simulationfile *file) {
    hk_printer pr = {0};
    put_head(&pr, file);
    put_named_block(&pr, "begin", &file->begin);
    if (file->has_scenarios && open_section(&pr, "scenarios", &file->scenarios_at,
                                            &file->scenarios_end, file->scenario_count)) {
        for (size_t i = 0; i < file->scenario_count; i++) {
            if (i)
                hk_print_blank(&pr);
            put_scenario(&pr, &file->scenarios[i]);
        }
        hk_print_close(&pr, &file->scenarios_end);
    }
    put_named_block(&pr, "end", &file->finish);
    hk_print_rest(&pr, &file->end);
    return hk_print_finish(&pr, arena);
}
