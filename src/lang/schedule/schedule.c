/* SPDX-License-Identifier: MIT */
#include "lang/schedule/schedule.h"

#include "base/file.h"
#include "base/number.h"
#include "base/seconds.h"
#include "lang/schedule/schedule_internal.h"

#include <string.h>

enum { PRIORITY_MAX = 1000000 };
#define FILE_BYTES_MAX ((size_t)16 << 20)
#define TIME_HINT      "write seconds (0.005, 1/200) or a unit right behind them: 5ms"

hk_where hk_schedule_where(const hk_schedule *s, const hk_token *token) {
    return (hk_where){.file = s->file, .line = token->line, .column = token->column};
}

hk_token hk_schedule_take(hk_schedule *s) {
    hk_token taken = s->token;
    s->token = hk_lexer_next(&s->lexer);
    return taken;
}

bool hk_schedule_at_end(const hk_schedule *s) {
    return s->token.kind == HK_TOKEN_LINE || s->token.kind == HK_TOKEN_END;
}

hk_status hk_schedule_unexpected(hk_schedule *s, const char *wanted, const char *hint) {
    hk_where where = hk_schedule_where(s, &s->token);
    if (s->token.kind == HK_TOKEN_WRONG)
        return hk_error(s->ctx, HK_E_SCHEDULE, where,
                        "names with other characters than letters, digits, '_', '.', '[' and ']' "
                        "are in double quotes",
                        "%s", s->token.text);
    return hk_error(s->ctx, HK_E_SCHEDULE, where, hint, "expected %s, found %s", wanted,
                    hk_token_show(s->arena, &s->token));
}

/* "'min', 'max' or 'x'". */
static const char *list_words(hk_schedule *s, const char *const *words, size_t count) {
    const char *text = "";
    for (size_t i = 0; i < count; i++)
        text = hk_arena_printf(s->arena, "%s%s'%s'", text,
                               i == 0 ? "" : (i + 1 < count ? ", " : " or "), words[i]);
    return text;
}

hk_status hk_schedule_word(hk_schedule *s, const char *const *words, size_t count,
                           size_t *ret_index) {
    static const char *const units[] = {"s", "ms", "us", "ns", "min", "h"};
    for (size_t i = 0; i < count; i++)
        if (hk_token_is(&s->token, words[i])) {
            hk_schedule_take(s);
            *ret_index = i;
            return HK_OK;
        }
    const char *hint = NULL;
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (hk_token_is(&s->token, units[i]))
            hint = "units come right behind the number: 5ms";
    if (!hint && s->token.kind == HK_TOKEN_WORD)
        hint = hk_complaint_suggest(&s->complaints, s->arena, s->token.text, words, count);
    return hk_schedule_unexpected(s, list_words(s, words, count), hint);
}

hk_status hk_schedule_time(hk_schedule *s, const char *word, bool positive, hk_ratio *ret_time) {
    hk_where where = hk_schedule_where(s, &s->token);
    unsigned rules = HK_TIME_UNITS | (positive ? HK_TIME_ABOVE_0 : HK_TIME_FROM_0);
    hk_status code;
    if (s->token.kind != HK_TOKEN_NUMBER)
        return hk_schedule_unexpected(s, hk_arena_printf(s->arena, "a time behind '%s'", word),
                                      TIME_HINT);
    const char *wrong = hk_time_judge(s->ctx, where, s->token.text, rules, ret_time, &code);
    if (wrong && code == HK_E_VALUE)
        return hk_error(s->ctx, code, where, TIME_HINT, "'%s' %s", s->token.text, wrong);
    if (wrong)
        return hk_error(s->ctx, code, where, NULL, "%s '%s' %s", word, s->token.text, wrong);
    hk_schedule_take(s);
    return HK_OK;
}

hk_status hk_schedule_once(hk_schedule *s, const hk_token *here, int *line, const char *what,
                           const char *name) {
    if (*line)
        return hk_error(s->ctx, HK_E_SCHEDULE, hk_schedule_where(s, here), "remove one of them",
                        "%s of %s is given twice; the other one is in line %d", what, name, *line);
    *line = here->line;
    return HK_OK;
}

static hk_status read_members(hk_schedule *s, hk_where where) {
    hk_model *model = s->model;
    if (s->token.kind != HK_TOKEN_WORD && s->token.kind != HK_TOKEN_NAME &&
        s->token.kind != HK_TOKEN_NUMBER)
        return hk_schedule_unexpected(s, "the name of the processor", NULL);
    const char *name = hk_schedule_take(s).text;
    if (s->token.kind != HK_TOKEN_COLON)
        return hk_schedule_unexpected(s, "':'", "write processor NAME: component component");
    hk_schedule_take(s);
    if (hk_schedule_at_end(s))
        return hk_error(s->ctx, HK_E_SCHEDULE, where, "remove it, or name its components",
                        "processor '%s' has no components", name);
    uint32_t processor, component;
    HK_TRY(hk_model_add_processor(s->ctx, model, name, where, &processor));
    do {
        hk_where at = hk_schedule_where(s, &s->token);
        HK_TRY(hk_schedule_component(s, &component));
        if (model->components[component].processor == processor)
            return hk_error(s->ctx, HK_E_SCHEDULE, at, "remove one of them",
                            "component '%s' occurs twice in processor '%s'",
                            model->components[component].name, name);
        HK_TRY(hk_model_assign(s->ctx, model, processor, component, at));
    } while (!hk_schedule_at_end(s));
    return HK_OK;
}

/* The first processor takes the place of all that the model had from elsewhere. */
static hk_status read_processor(hk_schedule *s, hk_where where) {
    if (!s->processor_line) {
        hk_model_clear_processors(s->model);
        s->processor_line = where.line;
    }
    hk_status status = read_members(s, where);
    s->partition_failed |= status != HK_OK;
    return status;
}

static hk_status read_cut(hk_schedule *s, hk_where where) {
    static const char *const words[] = {"hla", "keep"};
    hk_token at = {.line = where.line, .column = where.column};
    size_t index = 0;
    HK_TRY(hk_schedule_word(s, words, 2, &index));
    HK_TRY(hk_schedule_once(s, &at, &s->cut_line, "the cut", "the system"));
    s->model->cut = index == 0 ? HK_CUT_HLA : HK_CUT_KEEP;
    return HK_OK;
}

static hk_status take_priority(hk_schedule *s, int *ret_priority) {
    int64_t value;
    if (s->token.kind != HK_TOKEN_NUMBER)
        return hk_schedule_unexpected(s, "an integer behind 'priority'", NULL);
    if (!hk_read_i64(s->token.text, strlen(s->token.text), &value) || value < -PRIORITY_MAX ||
        value > PRIORITY_MAX)
        return hk_error(s->ctx, HK_E_VALUE, hk_schedule_where(s, &s->token), NULL,
                        "priority '%s' is not a small integer", s->token.text);
    hk_schedule_take(s);
    *ret_priority = (int)value;
    return HK_OK;
}

static hk_status take_overrun(hk_schedule *s, hk_overrun *ret_overrun) {
    static const char *const words[] = {"late", "skip", "stop"};
    static const hk_overrun values[] = {HK_OVERRUN_LATE, HK_OVERRUN_SKIP, HK_OVERRUN_STOP};
    size_t index = 0;
    HK_TRY(hk_schedule_word(s, words, 3, &index));
    *ret_overrun = values[index];
    return HK_OK;
}

enum { PERIOD, OFFSET, PRIORITY, COST, DEADLINE, OVERRUN };
static const char *const component_words[HK_COMPONENT_WORDS] = {
    [PERIOD] = "period", [OFFSET] = "offset",     [PRIORITY] = "priority",
    [COST] = "cost",     [DEADLINE] = "deadline", [OVERRUN] = "overrun"};

/* What is behind a word about a component. */
static hk_status take_about(hk_schedule *s, size_t word, hk_component *c) {
    const char *name = component_words[word];
    switch (word) {
    case PERIOD:
        c->has_period = true;
        return hk_schedule_time(s, name, true, &c->period);
    case OFFSET:
        return hk_schedule_time(s, name, false, &c->offset);
    case PRIORITY:
        return take_priority(s, &c->priority);
    case COST:
        c->has_cost = true;
        return hk_schedule_time(s, name, true, &c->cost);
    case DEADLINE:
        c->has_deadline = true;
        return hk_schedule_time(s, name, true, &c->deadline);
    default:
        c->has_overrun = true;
        return take_overrun(s, &c->overrun);
    }
}

static hk_status read_component(hk_schedule *s, hk_where where) {
    (void)where;
    uint32_t index = 0;
    HK_TRY(hk_schedule_component(s, &index));
    hk_component *c = &s->model->components[index];
    const char *name = hk_arena_printf(s->arena, "'%s'", c->name);
    do {
        hk_token at = s->token;
        size_t word = 0;
        HK_TRY(hk_schedule_word(s, component_words, HK_COMPONENT_WORDS, &word));
        HK_TRY(hk_schedule_once(s, &at, &s->component_lines[index][word], component_words[word],
                                name));
        HK_TRY(take_about(s, word, c));
    } while (!hk_schedule_at_end(s));
    return HK_OK;
}

/* A value of the variable that the connection comes from. */
static hk_status take_initial(hk_schedule *s, hk_connection *k) {
    const hk_variable *from =
        &s->model->components[k->from_component].info->variables[k->from_variable];
    if (s->token.kind != HK_TOKEN_NUMBER && s->token.kind != HK_TOKEN_WORD &&
        s->token.kind != HK_TOKEN_NAME)
        return hk_schedule_unexpected(s, "a value behind 'initial'", NULL);
    if (!hk_value_parse(s->model->arena, from->type, from->count, from->enumeration, s->token.text,
                        &k->initial))
        return hk_error(s->ctx, HK_E_VALUE, hk_schedule_where(s, &s->token),
                        from->count > 1 ? "write an array in double quotes: \"1 2 3\"" : NULL,
                        "initial '%s' is not a value of type %s", s->token.text,
                        hk_type_name(from->type));
    hk_schedule_take(s);
    return HK_OK;
}

static hk_status read_link(hk_schedule *s, hk_where where) {
    static const char *const words[HK_LINK_WORDS] = {"lag", "delay", "initial"};
    (void)where;
    uint32_t index = 0;
    HK_TRY(hk_schedule_connection(s, &index));
    hk_connection *k = &s->model->connections[index];
    const char *name = hk_arena_printf(s->arena, "'%s'", hk_connection_name(s->model, k));
    do {
        hk_token at = s->token;
        size_t word = 0, lag = 0;
        HK_TRY(hk_schedule_word(s, words, HK_LINK_WORDS, &word));
        HK_TRY(hk_schedule_once(s, &at, &s->link_lines[index][word], words[word], name));
        if (word == 0) {
            HK_TRY(hk_schedule_word(s, hk_lag_words + 1, HK_LAGS - 1, &lag));
            k->lag = (hk_lag)(lag + 1);
        } else if (word == 1) {
            HK_TRY(hk_schedule_time(s, words[word], false, &k->delay));
        } else {
            HK_TRY(take_initial(s, k));
        }
    } while (!hk_schedule_at_end(s));
    return HK_OK;
}

typedef hk_status read_fn(hk_schedule *s, hk_where where);

static hk_status read_statement(hk_schedule *s) {
    static const char *const words[] = {"processor", "cut",         "component", "link",
                                        "latency",   "coincidence", "freshness"};
    static read_fn *const readers[] = {read_processor,       read_cut,
                                       read_component,       read_link,
                                       hk_schedule_latency,  hk_schedule_coincidence,
                                       hk_schedule_freshness};
    hk_where where = hk_schedule_where(s, &s->token);
    size_t index = 0;
    HK_TRY(hk_schedule_word(s, words, sizeof words / sizeof *words, &index));
    HK_TRY(readers[index](s, where));
    return hk_schedule_at_end(s) ? HK_OK : hk_schedule_unexpected(s, "the end of the line", NULL);
}

static void read_all(hk_schedule *s) {
    hk_schedule_take(s);
    while (s->token.kind != HK_TOKEN_END) {
        if (s->token.kind == HK_TOKEN_LINE) {
            hk_schedule_take(s);
            continue;
        }
        hk_status status = read_statement(s);
        if (status == HK_OK)
            continue;
        hk_complaint_heard(&s->complaints, status);
        if (s->complaints.count == HK_COMPLAINTS_MAX) {
            hk_note(s->ctx, hk_schedule_where(s, &s->token),
                    "the rest of the schedule was not read after %d errors",
                    (int)HK_COMPLAINTS_MAX);
            return;
        }
        /* The next line has a mistake of its own, or none. */
        while (!hk_schedule_at_end(s))
            hk_schedule_take(s);
    }
    if (s->processor_line && !s->partition_failed) {
        hk_where where = {.file = s->file, .line = s->processor_line, .column = 1};
        hk_status status = hk_model_check_processors(s->ctx, s->model, where);
        if (status != HK_OK)
            hk_complaint_heard(&s->complaints, status);
    }
}

hk_status hk_schedule_parse(hk_ctx *ctx, hk_model *model, const char *file, int first_line,
                            const char *data, size_t size) {
    hk_arena *arena = hk_arena_create();
    hk_schedule s = {
        .ctx = ctx, .complaints = {.ctx = ctx}, .model = model, .arena = arena, .file = file};
    s.lexer = hk_lexer_begin(arena, first_line, data, size);
    s.component_lines = hk_arena_alloc(arena, model->component_count * sizeof *s.component_lines);
    s.link_lines = hk_arena_alloc(arena, model->connection_count * sizeof *s.link_lines);
    read_all(&s);
    hk_free(s.ids);
    hk_arena_destroy(arena);
    return s.complaints.first;
}

hk_status hk_schedule_read(hk_ctx *ctx, hk_model *model, const char *path) {
    char *data;
    size_t size;
    HK_TRY(hk_file_read(ctx, path, FILE_BYTES_MAX, &data, &size));
    hk_status status = hk_schedule_parse(ctx, model, path, 1, data, size);
    hk_free(data);
    return status;
}
