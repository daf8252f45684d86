/* SPDX-License-Identifier: MIT
 *
 * Simulation files: the frame around conditions and actions. docs/languages.md has the grammar. */
#include "lang/simulation/parse_simulation.h"
#include "model/scenario.h"

#include <string.h>

enum { SYSTEM, TIME, SEED, PARAMETER, BEGIN, SCENARIOS, FINISH, HEAD };
HK_LEVEL(file, "system", "simulationTime", "seed", "parameter", "begin", "scenarios", "end",
         "Simulation");
enum { PART_BEGIN, PART_EVENTS, PART_END, PART_EXPECTS, PART_LOGS, PART_SCENARIO };
HK_LEVEL(scenarios, "begin", "events", "end", "expects", "logs", "Scenario");
HK_LEVEL(events, "instant", "when", "during", "every");
HK_LEVEL(expects, "expect", "require");
HK_LEVEL(all, "system", "simulationTime", "seed", "parameter", "begin", "scenarios", "end",
         "Simulation", "Scenario", "events", "expects", "logs", "instant", "when", "during",
         "every", "expect", "require", "bind", "ramp", "fault", "repair", "finish");

/* ---- events -----------------------------------------------------------------------------------
 */

static bool read_when(hk_parser *p, hk_eventdecl *event) {
    event->kind = HK_EVENT_WHEN;
    if (!hk_parser_condition(p, &event->condition))
        return false;
    if (hk_parser_skip(p, "until") && !hk_parser_condition(p, &event->until))
        return false;
    event->once = hk_parser_skip(p, "once");
    return true;
}

static bool read_during(hk_parser *p, hk_eventdecl *event) {
    event->kind = HK_EVENT_DURING;
    return hk_parser_expect_mark(p, "[") && hk_parser_quantity(p, "a time", &event->from) &&
           hk_parser_expect_mark(p, ",") && hk_parser_quantity(p, "a time", &event->to) &&
           hk_parser_expect_mark(p, "]");
}

static bool read_every(hk_parser *p, hk_eventdecl *event) {
    event->kind = HK_EVENT_EVERY;
    return hk_parser_quantity(p, "a time", &event->to) &&
           (!hk_parser_skip(p, "from") || hk_parser_quantity(p, "a time", &event->from));
}

static bool read_instant(hk_parser *p, hk_eventdecl *event) {
    event->kind = HK_EVENT_INSTANT;
    return hk_parser_quantity(p, "a time", &event->from);
}

static bool read_event(hk_parser *p, void *into, size_t word, hk_place at) {
    static bool (*const readers[])(hk_parser *, hk_eventdecl *) = {read_instant, read_when,
                                                                   read_during, read_every};
    hk_eventdecl event = {.from = HK_MISSING, .to = HK_MISSING, .at = at};
    if (!readers[word](p, &event) || !hk_parser_block(p, &event.at, &event.body))
        return false;
    hk_list_add(into, &event);
    return true;
}

/* ---- expects ----------------------------------------------------------------------------------
 */

/* In "x == 3 within 5" both the comparison and the expectation could own the 5: the last `within`
 * that no bracket closes is the time. */
static bool read_within(hk_parser *p, hk_condition *condition, hk_number *time) {
    if (hk_parser_skip(p, "within"))
        return hk_parser_quantity(p, "a time", time);
    hk_literal *tolerance = &hk_condition_last(condition)->tolerance;
    if (hk_token_is_mark(&p->last, ")") || tolerance->kind == HK_LITERAL_NONE)
        return true;
    bool parameter = tolerance->kind == HK_LITERAL_WORD && tolerance->text[0] == '$';
    if (tolerance->kind != HK_LITERAL_NUMBER && !parameter)
        return hk_parser_error(p, tolerance->at.line, tolerance->at.column,
                               "to give a tolerance only, put the comparison in brackets",
                               "expected a time behind 'within'");
    *time = (hk_number){.text = tolerance->text, .unit = tolerance->unit, .at = tolerance->at};
    *tolerance = (hk_literal)HK_MISSING;
    return true;
}

static bool read_always(hk_parser *p, hk_expectdecl *expect) {
    return hk_parser_condition(p, &expect->condition) &&
           (!hk_parser_skip(p, "from") || hk_parser_quantity(p, "a time", &expect->from)) &&
           (!hk_parser_skip(p, "to") || hk_parser_quantity(p, "a time", &expect->to));
}

static bool read_eventually(hk_parser *p, hk_expectdecl *expect) {
    return hk_parser_condition(p, &expect->condition) &&
           read_within(p, expect->condition, &expect->to);
}

static bool read_after(hk_parser *p, hk_expectdecl *expect) {
    if (!hk_parser_condition(p, &expect->condition) ||
        !read_within(p, expect->condition, &expect->to))
        return false;
    if (!expect->to.text[0])
        return hk_parser_unexpected(
            p, "'within'",
            "write expect always ..., expect eventually ..., expect at T ..., or "
            "expect ... within T after ...");
    return hk_parser_expect(p, "after") && hk_parser_condition(p, &expect->trigger);
}

/* A word that something to compare follows is not a value: it should say what kind of expectation
 * it is. */
static bool is_form_word(const hk_parser *p) {
    bool follows = p->next.kind == HK_TOKEN_NAME || p->next.kind == HK_TOKEN_NUMBER ||
                   p->next.kind == HK_TOKEN_WORD || hk_token_is_mark(&p->next, "(");
    return p->token.kind == HK_TOKEN_WORD && follows && !hk_parser_is(p, "not") &&
           !hk_parser_is(p, "abs");
}

static bool read_expect_form(hk_parser *p, hk_expectdecl *expect) {
    static const char *const forms[] = {"always", "eventually", "at"};
    if (hk_parser_skip(p, "always"))
        return read_always(p, expect);
    expect->kind = HK_EXPECT_EVENTUALLY;
    if (hk_parser_skip(p, "eventually"))
        return read_eventually(p, expect);
    expect->kind = HK_EXPECT_AT;
    if (hk_parser_skip(p, "at"))
        return hk_parser_quantity(p, "a time", &expect->from) &&
               hk_parser_condition(p, &expect->condition);
    expect->kind = HK_EXPECT_AFTER;
    if (is_form_word(p))
        return hk_parser_unexpected(p, "'always', 'eventually', 'at' or a condition",
                                    hk_parser_hint(p, forms, 3));
    return read_after(p, expect);
}

static bool read_window(hk_parser *p, hk_expectdecl *expect) {
    return hk_parser_expect_mark(p, "[") && hk_parser_quantity(p, "a time", &expect->from) &&
           hk_parser_expect_mark(p, ",") && hk_parser_quantity(p, "a time", &expect->to) &&
           hk_parser_expect_mark(p, "]");
}

/* What may be behind the path, in any order, each once. */
static bool read_require_options(hk_parser *p, hk_expectdecl *expect) {
    hk_requiredecl *r = expect->require;
    const struct {
        const char *word;
        hk_literal *value;
    } words[] = {{"from", &r->from}, {"to", &r->to},   {"within", &r->within},
                 {"min", &r->min},   {"max", &r->max}, {"reference", &r->reference}};
    enum { WORDS = sizeof words / sizeof *words };
    for (;;) {
        hk_place at = hk_parser_here(p);
        size_t i = 0;
        while (i < WORDS && !hk_parser_skip(p, words[i].word))
            i++;
        if (i < WORDS) {
            if (!hk_parser_once(p, &at, words[i].value->kind != HK_LITERAL_NONE, words[i].word) ||
                !hk_parser_literal(p, words[i].value))
                return false;
        } else if (!hk_parser_skip(p, "during")) {
            return true;
        } else if (!hk_parser_once(p, &at, expect->from.text[0], "during") ||
                   !read_window(p, expect)) {
            return false;
        }
    }
}

static bool read_require(hk_parser *p, hk_expectdecl *expect) {
    hk_requiredecl *r = HK_NEW(p->arena, hk_requiredecl);
    *r = (hk_requiredecl){.name = HK_MISSING,
                          .metric = HK_MISSING,
                          .path = HK_MISSING,
                          .from = HK_MISSING,
                          .to = HK_MISSING,
                          .within = HK_MISSING,
                          .min = HK_MISSING,
                          .max = HK_MISSING,
                          .reference = HK_MISSING};
    expect->kind = HK_EXPECT_REQUIRE;
    expect->require = r;
    return hk_parser_text(p, "a name in double quotes", &r->name) &&
           hk_parser_word(p, hk_metric_words, HK_METRICS, &r->metric) &&
           hk_parser_expect(p, "of") && hk_parser_text(p, "a path in double quotes", &r->path) &&
           read_require_options(p, expect);
}

static bool read_expect(hk_parser *p, void *into, size_t word, hk_place at) {
    hk_expectdecl expect = {.from = HK_MISSING, .to = HK_MISSING, .message = HK_MISSING, .at = at};
    if (word == 1) {
        if (!read_require(p, &expect) || !hk_parser_semicolon(p, &expect.at))
            return false;
        hk_list_add(into, &expect);
        return true;
    }
    p->text_is_message = true;
    bool ok = read_expect_form(p, &expect);
    p->text_is_message = false;
    if (ok && p->token.kind == HK_TOKEN_NAME && p->token.line == p->last.end_line)
        ok = hk_parser_text(p, "a message in double quotes", &expect.message);
    if (!ok || !hk_parser_semicolon(p, &expect.at))
        return false;
    hk_list_add(into, &expect);
    return true;
}

/* ---- logs -------------------------------------------------------------------------------------
 */

static const hk_level signal_level = {.texts = true, .what = "a path in double quotes"};
static const hk_level log_level = {.texts = true, .any = true, .what = "the name of a file"};

static bool read_signal(hk_parser *p, void *into, size_t word, hk_place at) {
    (void)word;
    hk_name signal;
    if (!hk_parser_text(p, "a path in double quotes", &signal) ||
        !hk_parser_semicolon(p, &signal.at))
        return false;
    signal.at.blank = at.blank;
    hk_list_add(into, &signal);
    return true;
}

static bool read_log(hk_parser *p, void *into, size_t word, hk_place at) {
    (void)word;
    hk_logdecl log = {.file = HK_MISSING, .period = HK_MISSING, .at = at};
    hk_list signals = HK_LIST(hk_name);
    bool ok = hk_parser_path(p, "the name of a file", &log.file) && hk_parser_expect(p, "timed") &&
              hk_parser_expect_mark(p, "(") && hk_parser_quantity(p, "a time", &log.period) &&
              hk_parser_expect_mark(p, ")") &&
              hk_parser_braces(p, &signal_level, &log.at, read_signal, &signals, &log.end);
    log.signal_count = signals.count;
    log.signals = hk_list_keep(p->arena, &signals);
    if (ok)
        hk_list_add(into, &log);
    return ok;
}

/* ---- scenarios --------------------------------------------------------------------------------
 */

static bool read_events(hk_parser *p, hk_scenariodecl *s, hk_place at) {
    hk_list list = HK_LIST(hk_eventdecl);
    s->has_events = true;
    s->events_at = at;
    bool ok = hk_parser_braces(p, &events_level, &s->events_at, read_event, &list, &s->events_end);
    s->event_count = list.count;
    s->events = hk_list_keep(p->arena, &list);
    return ok;
}

static bool read_expects(hk_parser *p, hk_scenariodecl *s, hk_place at) {
    hk_list list = HK_LIST(hk_expectdecl);
    s->has_expects = true;
    s->expects_at = at;
    bool ok =
        hk_parser_braces(p, &expects_level, &s->expects_at, read_expect, &list, &s->expects_end);
    s->expect_count = list.count;
    s->expects = hk_list_keep(p->arena, &list);
    return ok;
}

static bool read_logs(hk_parser *p, hk_scenariodecl *s, hk_place at) {
    hk_list list = HK_LIST(hk_logdecl);
    s->has_logs = true;
    s->logs_at = at;
    bool ok = hk_parser_braces(p, &log_level, &s->logs_at, read_log, &list, &s->logs_end);
    s->log_count = list.count;
    s->logs = hk_list_keep(p->arena, &list);
    return ok;
}

static bool read_part(hk_parser *p, hk_scenariodecl *s, size_t part, hk_place at) {
    bool given[] = {s->begin.given, s->has_events, s->finish.given, s->has_expects, s->has_logs};
    if (!hk_parser_once(p, &at, given[part],
                        hk_arena_printf(p->arena, "'%s' of scenario '%s'", scenarios_words[part],
                                        s->name.text)))
        return false;
    switch (part) {
    case PART_BEGIN:
        return hk_parser_block(p, &at, &s->begin);
    case PART_EVENTS:
        return read_events(p, s, at);
    case PART_END:
        return hk_parser_block(p, &at, &s->finish);
    case PART_EXPECTS:
        return read_expects(p, s, at);
    default:
        return read_logs(p, s, at);
    }
}

/* "Scenario NAME [N]"; its parts follow as statements of their own. */
static bool read_scenario(hk_parser *p, hk_list *scenarios, hk_place at) {
    hk_scenariodecl s = {.name = HK_MISSING, .repetitions = HK_MISSING, .at = at};
    bool named = !hk_token_is_mark(&p->next, "{"); /* else it is a part already */
    bool ok = named ? hk_parser_name(p, "the name of the scenario", &s.name)
                    : hk_parser_unexpected(p, "the name of the scenario", NULL);
    if (ok && hk_parser_skip_mark(p, "["))
        ok = hk_parser_quantity(p, "a number of repetitions", &s.repetitions) &&
             hk_parser_expect_mark(p, "]");
    hk_parser_settle(p, &s.at);
    hk_list_add(scenarios, &s);
    return ok;
}

static bool read_scenarios_part(hk_parser *p, void *into, size_t word, hk_place at) {
    hk_list *scenarios = into;
    if (word == PART_SCENARIO)
        return read_scenario(p, scenarios, at);
    if (!scenarios->count)
        return hk_parser_error(p, at.line, at.column, "write Scenario NAME before it",
                               "'%s' comes before any scenario", scenarios_words[word]);
    return read_part(p, (hk_scenariodecl *)scenarios->data + scenarios->count - 1, word, at);
}

/* ---- the file ---------------------------------------------------------------------------------
 */

typedef struct file_reader {
    hk_simulationfile *file;
    hk_list parameters;
    bool headed;
} file_reader;

static bool read_head(hk_parser *p, file_reader *r, hk_place at) {
    static const char *const units[] = {"s", "ms", "us", "ns"};
    hk_simulationfile *file = r->file;
    if (r->headed)
        return hk_parser_error(p, at.line, at.column, "use a file for each",
                               "a file holds one simulation");
    r->headed = true;
    file->at = at;
    if (!hk_parser_name(p, "the name of the simulation", &file->name) ||
        !hk_parser_expect_mark(p, "(") || !hk_parser_word(p, units, 4, &file->unit) ||
        !hk_parser_expect_mark(p, ")"))
        return false;
    hk_parser_settle(p, &file->at);
    return true;
}

/* [a, b]:step */
static bool read_time(hk_parser *p, hk_simulationfile *file, hk_place at) {
    bool ok = hk_parser_once(p, &at, file->start.text[0], "'simulationTime'") &&
              hk_parser_expect_mark(p, "[") && hk_parser_quantity(p, "a time", &file->start) &&
              hk_parser_expect_mark(p, ",") && hk_parser_quantity(p, "a time", &file->stop) &&
              hk_parser_expect_mark(p, "]") && hk_parser_expect_mark(p, ":") &&
              hk_parser_quantity(p, "a time", &file->step);
    file->start.at.blank = at.blank;
    return ok && hk_parser_semicolon(p, &file->start.at);
}

static bool read_parameter(hk_parser *p, hk_list *parameters, hk_place at) {
    hk_scenarioparameter parameter = {.at = at};
    if (!hk_parser_name(p, "the name of the parameter", &parameter.name) ||
        !hk_parser_expect_mark(p, "=") || !hk_parser_literal(p, &parameter.value) ||
        !hk_parser_semicolon(p, &parameter.at))
        return false;
    hk_list_add(parameters, &parameter);
    return true;
}

static bool read_scenarios(hk_parser *p, hk_simulationfile *file, hk_place at) {
    hk_list scenarios = HK_LIST(hk_scenariodecl);
    if (!hk_parser_once(p, &at, file->has_scenarios, "'scenarios'"))
        return false;
    file->has_scenarios = true;
    file->scenarios_at = at;
    bool ok = hk_parser_braces(p, &scenarios_level, &file->scenarios_at, read_scenarios_part,
                               &scenarios, &file->scenarios_end);
    file->scenario_count = scenarios.count;
    file->scenarios = hk_list_keep(p->arena, &scenarios);
    return ok;
}

static bool read_statement(hk_parser *p, void *into, size_t word, hk_place at) {
    file_reader *r = into;
    hk_simulationfile *file = r->file;
    switch (word) {
    case HEAD:
        return read_head(p, r, at);
    case SYSTEM:
        if (!hk_parser_once(p, &at, file->system.text[0], "'system'") ||
            !hk_parser_path(p, "the name of a system", &file->system))
            return false;
        file->system.at.blank = at.blank;
        return hk_parser_semicolon(p, &file->system.at);
    case TIME:
        return read_time(p, file, at);
    case SEED:
        if (!hk_parser_once(p, &at, file->seed.text[0], "'seed'") ||
            !hk_parser_quantity(p, "a whole number", &file->seed))
            return false;
        file->seed.at.blank = at.blank;
        return hk_parser_semicolon(p, &file->seed.at);
    case PARAMETER:
        return read_parameter(p, &r->parameters, at);
    case SCENARIOS:
        return read_scenarios(p, file, at);
    case BEGIN:
        return hk_parser_once(p, &at, file->begin.given, "'begin'") &&
               hk_parser_block(p, &at, &file->begin);
    default:
        return hk_parser_once(p, &at, file->finish.given, "'end'") &&
               hk_parser_block(p, &at, &file->finish);
    }
}

/* What every simulation says. Looked for only in a file that is understood otherwise. */
static void check_complete(hk_parser *p, const file_reader *r) {
    const hk_simulationfile *file = r->file;
    const hk_place *at = r->headed ? &file->at : &file->end;
    if (p->complaints.count)
        return;
    if (!r->headed)
        hk_parser_error(p, at->line, at->column, "write Simulation NAME (ms)",
                        "the file holds no simulation");
    else if (!file->system.text[0])
        hk_parser_error(p, at->line, at->column, "write system NAME;",
                        "the simulation does not say which system it is about");
    else if (!file->start.text[0])
        hk_parser_error(p, at->line, at->column, "write simulationTime [0, 1000]:1;",
                        "the simulation has no simulationTime");
}

hk_status hk_simulation_parse(hk_ctx *ctx, hk_arena *arena, const char *file, const char *data,
                              size_t size, hk_simulationfile **ret_file) {
    hk_parser p;
    hk_simulationfile *simulation = HK_NEW(arena, hk_simulationfile);
    file_reader r = {simulation, HK_LIST(hk_scenarioparameter), false};
    *simulation = (hk_simulationfile){.file = hk_arena_strdup(arena, file),
                                      .name = HK_MISSING,
                                      .unit = HK_MISSING,
                                      .system = HK_MISSING,
                                      .start = HK_MISSING,
                                      .stop = HK_MISSING,
                                      .step = HK_MISSING,
                                      .seed = HK_MISSING};
    hk_parser_begin(&p, ctx, arena, &(hk_file_text){file, data, size}, &all_level);
    hk_parser_whole(&p, &file_level, read_statement, &r, &simulation->end);
    check_complete(&p, &r);
    simulation->parameter_count = r.parameters.count;
    simulation->parameters = hk_list_keep(arena, &r.parameters);
    *ret_file = simulation;
    return hk_parser_finish(&p);
}
