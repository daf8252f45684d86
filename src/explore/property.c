/* SPDX-License-Identifier: MIT
 *
 * Reads properties. Names are looked up as they come, so that a mistake is told at its place. */
#include "explore/property.h"

#include "base/number.h"
#include "text/parser.h"

#include <string.h>

enum { CYCLES_MAX = 1000000 };

HK_LEVEL(file, "always", "never", "reachable", "deterministic", "terminates", "range", "length");
enum { ALWAYS, NEVER, REACHABLE, DETERMINISTIC, TERMINATES, RANGE, LENGTH };

typedef struct reading {
    hk_parser parser;
    hk_ctx *ctx;
    const hk_ask_scope *scope;
    const hk_file_text *text;
    hk_list properties, bounds;
} reading;

static reading *reading_of(hk_parser *p) {
    return (reading *)p; /* it begins with its parser */
}

static hk_namer namer_at(hk_parser *p, const hk_place *at) {
    reading *r = reading_of(p);
    return (hk_namer){
        .ctx = r->ctx, .arena = p->arena, .scope = r->scope, .where = hk_place_where(p->file, at)};
}

/* ---- conditions: `or` binds weakest, then `and`, then `not` */

static hk_ask *new_ask(hk_parser *p, hk_ask ask) {
    hk_ask *kept = HK_NEW(p->arena, hk_ask);
    *kept = ask;
    return kept;
}

static bool read_or(hk_parser *p, const hk_ask **ret_ask);

static bool read_word(hk_parser *p, const char *what, hk_name *ret_name) {
    return hk_parser_path(p, what, ret_name);
}

/* "MACHINE in STATE", "MACHINE takes TRANSITION", "MACHINE terminated". */
static bool read_about_machine(hk_parser *p, const hk_name *machine, const hk_ask **ret_ask) {
    hk_ask ask = {.op = hk_parser_is(p, "in")      ? HK_ASK_STATE
                        : hk_parser_is(p, "takes") ? HK_ASK_TAKES
                                                   : HK_ASK_ENDED};
    const hk_ask_scope *scope = reading_of(p)->scope;
    hk_namer namer = namer_at(p, &machine->at);
    bool table = scope->plant_state_count && strcmp(machine->text, "plant") == 0;
    hk_parser_take(p);
    hk_name name = HK_MISSING;
    if (ask.op != HK_ASK_ENDED &&
        !read_word(p, ask.op == HK_ASK_STATE ? "a state" : "a transition", &name))
        return false;
    hk_namer inner = namer_at(p, &name.at);
    if (table && ask.op == HK_ASK_STATE) {
        ask.op = HK_ASK_PLANT;
        for (; ask.index < scope->plant_state_count; ask.index++)
            if (strcmp(scope->plant_states[ask.index], name.text) == 0)
                break;
        if (ask.index == scope->plant_state_count)
            return hk_parser_error(p, name.at.line, name.at.column, NULL,
                                   "the plant does not have a state '%s'", name.text);
    } else if (!hk_name_machine(&namer, machine->text, &ask.unit, &ask.machine) ||
               (ask.op == HK_ASK_STATE &&
                !hk_name_node(&inner, ask.unit, ask.machine, name.text, &ask.index)) ||
               (ask.op == HK_ASK_TAKES &&
                !hk_name_transition(&inner, ask.unit, ask.machine, name.text, &ask.index))) {
        (void)hk_complaint_heard(&p->complaints, HK_E_NAME);
        return false;
    }
    *ret_ask = new_ask(p, ask);
    return true;
}

static const char *take_mark(hk_parser *p) {
    static const char *const marks[] = {"<", "<=", ">", ">=", "==", "!="};
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        if (hk_parser_skip_mark(p, marks[i]))
            return marks[i];
    return NULL;
}

/* The right side of a comparison: a literal of the type of the left one, or a name. */
static bool read_right(hk_parser *p, hk_ask *ask) {
    hk_place at = hk_parser_here(p);
    const hk_chart_type *type = ask->left.type;
    hk_ask_value *right = &ask->right;
    const char *word = p->token.text;
    bool number = p->token.kind == HK_TOKEN_NUMBER;
    if (!number && p->token.kind != HK_TOKEN_WORD && p->token.kind != HK_TOKEN_NAME)
        return hk_parser_unexpected(p, "a value or a name", NULL);
    hk_parser_take(p);
    if (hk_read_cell(type, word, &right->value)) {
        right->literal = true;
        right->type = type;
        return true;
    }
    if (number)
        return hk_parser_error(p, at.line, at.column, NULL, "'%s' is not a value of %s", word,
                               type->name);
    hk_namer namer = namer_at(p, &at);
    if (!hk_name_value(&namer, word, right)) {
        (void)hk_complaint_heard(&p->complaints, HK_E_NAME);
        return false;
    }
    bool same = right->type && right->type->kind == type->kind;
    bool whole = right->type && right->type->kind <= HK_CHART_INT && type->kind <= HK_CHART_INT &&
                 right->type->kind != HK_CHART_BOOLEAN && type->kind != HK_CHART_BOOLEAN;
    if (!same && !whole)
        return hk_parser_error(p, at.line, at.column, NULL, "'%s' cannot be compared with %s", word,
                               type->name);
    return true;
}

static bool read_comparison(hk_parser *p, const hk_name *name, hk_ask *ask) {
    const hk_chart_type *type = ask->left.type;
    ask->mark = take_mark(p);
    if (!ask->mark && ask->left.op != HK_ASK_COMPARE) { /* it happens: that is all */
        ask->op = ask->left.op;
        ask->index = ask->left.index;
        return true;
    }
    if (!ask->mark && type->kind == HK_CHART_BOOLEAN) {
        ask->mark = "==";
        ask->right = (hk_ask_value){.literal = true, .type = type, .value = {.i = 1}};
        return true;
    }
    if (!ask->mark)
        return hk_parser_unexpected(p, "a comparison", NULL);
    if (!type || !hk_chart_is_scalar(type))
        return hk_parser_error(p, name->at.line, name->at.column, NULL,
                               "'%s' is not one value that can be compared", name->text);
    bool order = ask->mark[0] == '<' || ask->mark[0] == '>';
    if (order && type->kind != HK_CHART_NAT && type->kind != HK_CHART_INT &&
        type->kind != HK_CHART_REAL)
        return hk_parser_error(p, name->at.line, name->at.column,
                               "write == or !=", "values of %s are in no order", type->name);
    return read_right(p, ask);
}

static bool read_atom(hk_parser *p, const hk_ask **ret_ask) {
    hk_name name;
    if (!read_word(p, "an event, a machine or a variable", &name))
        return false;
    if (hk_parser_is(p, "in") || hk_parser_is(p, "takes") || hk_parser_is(p, "terminated"))
        return read_about_machine(p, &name, ret_ask);
    hk_ask ask = {.op = HK_ASK_COMPARE};
    hk_namer namer = namer_at(p, &name.at);
    if (!hk_name_value(&namer, name.text, &ask.left)) {
        (void)hk_complaint_heard(&p->complaints, HK_E_NAME);
        return false;
    }
    ask.unit = ask.left.unit;
    if (!read_comparison(p, &name, &ask))
        return false;
    *ret_ask = new_ask(p, ask);
    return true;
}

static bool read_not(hk_parser *p, const hk_ask **ret_ask) {
    bool is_not = hk_parser_is(p, "not");
    if (!is_not && !hk_parser_is_mark(p, "("))
        return read_atom(p, ret_ask);
    if (!hk_parser_enter(p))
        return false;
    hk_parser_take(p);
    bool ok = is_not ? read_not(p, ret_ask) : read_or(p, ret_ask) && hk_parser_expect_mark(p, ")");
    if (ok && is_not)
        *ret_ask = new_ask(p, (hk_ask){.op = HK_ASK_NOT, .a = *ret_ask});
    hk_parser_leave(p);
    return ok;
}

/* A row of conditions; the tree leans to the left, so long ones are deep. */
static bool read_row(hk_parser *p, hk_ask_op op, const hk_ask **ret_ask) {
    const char *word = op == HK_ASK_AND ? "and" : "or";
    int entered = 0;
    bool ok = op == HK_ASK_AND ? read_not(p, ret_ask) : read_row(p, HK_ASK_AND, ret_ask);
    while (ok && hk_parser_is(p, word)) {
        const hk_ask *right = NULL;
        ok = hk_parser_enter(p);
        entered += ok;
        hk_parser_take(p);
        ok = ok && (op == HK_ASK_AND ? read_not(p, &right) : read_row(p, HK_ASK_AND, &right));
        if (ok)
            *ret_ask = new_ask(p, (hk_ask){.op = op, .a = *ret_ask, .b = right});
    }
    for (; entered; entered--)
        hk_parser_leave(p);
    return ok;
}

static bool read_or(hk_parser *p, const hk_ask **ret_ask) {
    return read_row(p, HK_ASK_OR, ret_ask);
}

/* ---- statements */

static bool read_count(hk_parser *p, const char *what, uint32_t *ret_count) {
    hk_number number;
    int64_t count = 0;
    if (!hk_parser_number(p, what, &number))
        return false;
    if (!hk_read_i64(number.text, strlen(number.text), &count) || count < 0 || count > CYCLES_MAX)
        return hk_parser_error(p, number.at.line, number.at.column, NULL,
                               "expected a whole number from 0 to %d", (int)CYCLES_MAX);
    if (number.unit && strcmp(number.unit, "cycles") != 0 && strcmp(number.unit, "cycle") != 0)
        return hk_parser_error(p, number.at.line, number.at.column, "write 'cycles'",
                               "time is counted in cycles here, not in '%s'", number.unit);
    if (!number.unit && !hk_parser_skip(p, "cycles"))
        (void)hk_parser_skip(p, "cycle");
    *ret_count = (uint32_t)count;
    return true;
}

static bool read_always(hk_parser *p, hk_property *property) {
    property->kind = HK_PROPERTY_ALWAYS;
    if (!read_or(p, &property->a))
        return false;
    if (!hk_parser_skip(p, "then"))
        return true;
    property->kind = HK_PROPERTY_FOLLOWS;
    return read_or(p, &property->b) && hk_parser_expect(p, "within") &&
           read_count(p, "a number of cycles", &property->cycles);
}

/* The machine that is named, if one is. */
static bool read_whose(hk_parser *p, uint32_t *ret_machine) {
    hk_name name;
    unsigned unit;
    if (hk_parser_is_mark(p, ";") || p->token.kind == HK_TOKEN_NAME ||
        p->token.kind == HK_TOKEN_END)
        return true;
    if (!hk_parser_path(p, "a machine", &name))
        return false;
    hk_namer namer = namer_at(p, &name.at);
    if (!hk_name_machine(&namer, name.text, &unit, ret_machine)) {
        (void)hk_complaint_heard(&p->complaints, HK_E_NAME);
        return false;
    }
    return unit == 0 || hk_parser_error(p, name.at.line, name.at.column, NULL,
                                        "'%s' is not a machine of the controller", name.text);
}

static bool read_reachable(hk_parser *p, hk_property *property) {
    bool states = hk_parser_is(p, "states"), transitions = hk_parser_is(p, "transitions");
    property->kind = states        ? HK_PROPERTY_STATES
                     : transitions ? HK_PROPERTY_TRANSITIONS
                                   : HK_PROPERTY_REACHABLE;
    if (!states && !transitions)
        return read_or(p, &property->a);
    hk_parser_take(p);
    return !hk_parser_skip(p, "of") || read_whose(p, &property->machine);
}

/* "range NAME 0, 1, 2;", "range NAME 0 to 5;", "length NAME 2;" */
static bool read_bound(hk_parser *p, bool length, hk_place at) {
    hk_name name;
    hk_ask_bound bound = {.length = length, .values = ""};
    if (!hk_parser_path(p, "an event, a part of one, or a type", &name))
        return false;
    for (const char *between = "";; between = hk_parser_is(p, "to") ? ".." : ",") {
        if (*between)
            hk_parser_take(p);
        hk_token_kind kind = p->token.kind;
        if (kind != HK_TOKEN_NUMBER && kind != HK_TOKEN_WORD)
            return hk_parser_unexpected(p, "a value", NULL);
        bound.values = hk_arena_printf(p->arena, "%s%s%s", bound.values, between, p->token.text);
        hk_parser_take(p);
        if (!hk_parser_is_mark(p, ",") && !hk_parser_is(p, "to"))
            break;
    }
    bound.name = name.text;
    bound.where = hk_place_where(p->file, &at);
    hk_list_add(&reading_of(p)->bounds, &bound);
    return hk_parser_semicolon(p, &at);
}

/* The bytes from a place to another one, each run of white space as one space. */
static const char *slice(hk_parser *p, const hk_place *from, int end_line, int end_column) {
    const hk_file_text *text = reading_of(p)->text;
    char *kept = hk_arena_strndup(p->arena, text->data, text->size);
    size_t count = 0;
    int line = 1, column = 1;
    for (size_t i = 0; i < text->size && (line < end_line || column < end_column); i++) {
        char c = text->data[i];
        bool within = line > from->line || (line == from->line && column >= from->column);
        bool space = c == ' ' || c == '\t' || c == '\n' || c == '\r';
        if (within && !(space && count && kept[count - 1] == ' '))
            kept[count++] = space ? ' ' : c;
        column = c == '\n' ? 1 : column + ((c & 0xC0) != 0x80);
        line += c == '\n';
    }
    kept[count] = '\0';
    return kept;
}

static bool read_kind(hk_parser *p, size_t word, hk_property *property) {
    switch (word) {
    case ALWAYS:
        return read_always(p, property);
    case NEVER:
        property->kind = HK_PROPERTY_NEVER;
        return read_or(p, &property->a);
    case REACHABLE:
        return read_reachable(p, property);
    case DETERMINISTIC:
        property->kind = HK_PROPERTY_DETERMINISTIC;
        return read_whose(p, &property->machine);
    default:
        property->kind = HK_PROPERTY_TERMINATES;
        return read_whose(p, &property->machine);
    }
}

static bool read_statement(hk_parser *p, void *into, size_t word, hk_place at) {
    (void)into;
    hk_property property = {.machine = HK_CHART_NONE, .file = p->file, .line = at.line};
    if (word == RANGE || word == LENGTH)
        return read_bound(p, word == LENGTH, at);
    if (!read_kind(p, word, &property))
        return false;
    property.text = slice(p, &at, p->last.end_line, p->last.end_column);
    if (p->token.kind == HK_TOKEN_NAME) {
        property.message = p->token.text;
        hk_parser_take(p);
    }
    hk_list_add(&reading_of(p)->properties, &property);
    return hk_parser_semicolon(p, &at);
}

static bool is_of_name(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '.';
}

/* The text without the '^' that RoboChart has before names that are words of it: they are not words
 * here. A space comes before the name, so that everything else stays in its place. */
static hk_file_text without_escapes(hk_arena *arena, const hk_file_text *text) {
    char *data = hk_arena_strndup(arena, text->data, text->size);
    bool quoted = false;
    for (size_t i = 0; i + 1 < text->size; i++) {
        quoted = quoted != (data[i] == '"');
        if (data[i] != '^' || quoted || !is_of_name(data[i + 1]) || data[i + 1] == '.' ||
            (i && is_of_name(data[i - 1]) && data[i - 1] != '.'))
            continue;
        size_t begin = i;
        while (begin && is_of_name(data[begin - 1]))
            begin--;
        memmove(data + begin + 1, data + begin, i - begin);
        data[begin] = ' ';
    }
    return (hk_file_text){.file = text->file, .data = data, .size = text->size};
}

static void *append(hk_arena *arena, hk_list *list, const void *before, size_t count) {
    hk_list all = {.size = list->size};
    for (size_t i = 0; i < count; i++)
        hk_list_add(&all, (const char *)before + i * list->size);
    for (size_t i = 0; i < list->count; i++)
        hk_list_add(&all, (const char *)list->data + i * list->size);
    hk_free(list->data);
    return hk_list_keep(arena, &all);
}

hk_status hk_properties_read(hk_ctx *ctx, hk_arena *arena, const hk_ask_scope *scope,
                             const hk_file_text *text, hk_properties *properties) {
    reading r = {.ctx = ctx,
                 .scope = scope,
                 .text = text,
                 .properties = HK_LIST(hk_property),
                 .bounds = HK_LIST(hk_ask_bound)};
    hk_place end;
    hk_file_text plain = without_escapes(arena, text);
    hk_parser_begin(&r.parser, ctx, arena, &plain, &file_level);
    r.parser.text_is_message = true;
    hk_parser_whole(&r.parser, &file_level, read_statement, NULL, &end);
    size_t count = r.properties.count, bounds = r.bounds.count;
    properties->all = append(arena, &r.properties, properties->all, properties->count);
    properties->count += count;
    properties->bounds = append(arena, &r.bounds, properties->bounds, properties->bound_count);
    properties->bound_count += bounds;
    return hk_parser_finish(&r.parser);
}
