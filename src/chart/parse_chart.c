/* SPDX-License-Identifier: MIT
 *
 * RoboChart files: packages, modules, controllers, machines. docs/robochart.md has the grammar. */
#include "chart/parse_internal.h"

#include <string.h>

HK_LEVEL(file, "diagram", "import", "interface", "robotic", "type", "record", "datatype",
         "enumeration", "controller", "stm", "operation", "function", "module", "generalcontroller",
         "generaloperation", "anncontroller", "annoperation");
HK_LEVEL(controller, "uses", "provides", "requires", "var", "const", "event", "_broadcast", "clock",
         "operation", "opref", "stm", "sref", "connection", "generaloperation", "annoperation");
HK_LEVEL(machine, "uses", "provides", "requires", "var", "const", "event", "_broadcast", "clock",
         "initial", "final", "junction", "probabilistic", "state", "transition");
HK_LEVEL(operation, "uses", "provides", "requires", "var", "const", "event", "_broadcast", "clock",
         "initial", "final", "junction", "probabilistic", "state", "transition", "terminates",
         "precondition", "postcondition");
HK_LEVEL(state, "initial", "final", "junction", "probabilistic", "state", "transition", "entry",
         "during", "exit");
HK_LEVEL(function, "precondition", "postcondition");
HK_LEVEL(module, "robotic", "rref", "controller", "cref", "stm", "sref", "connection", "cycleDef",
         "generalcontroller", "anncontroller");
HK_LEVEL(all, "package", "diagram", "import", "interface", "robotic", "type", "record", "datatype",
         "enumeration", "controller", "stm", "operation", "function", "module", "uses", "provides",
         "requires", "var", "const", "event", "_broadcast", "clock", "opref", "sref", "connection",
         "initial", "final", "junction", "probabilistic", "state", "transition", "terminates",
         "precondition", "postcondition", "entry", "during", "exit", "rref", "cref", "cycleDef");

static const char *const interface_words[] = {"event", "_broadcast", "var", "const", "clock"};
static const hk_level interface_level = {
    .words = interface_words, .count = 5, .any = true, .what = "an operation: NAME ( ... )"};
static const char *const platform_words[] = {"uses",  "provides", "requires",   "var",
                                             "const", "event",    "_broadcast", "clock"};
static const hk_level platform_level = {
    .words = platform_words, .count = 8, .any = true, .what = "an operation: NAME ( ... )"};
static const hk_level record_level = {.any = true, .what = "a field: NAME : TYPE"};
static const hk_level enumeration_level = {.any = true, .what = "the name of an item"};

/* The words that begin items; those of SUBSET are known, and refused. */
enum { SUBSET = -1 };
static const struct {
    const char *word;
    int kind;
} kinds[] = {{"diagram", HK_RC_DIAGRAM},
             {"import", HK_RC_IMPORT},
             {"interface", HK_RC_INTERFACE},
             {"robotic", HK_RC_PLATFORM},
             {"type", HK_RC_GIVEN},
             {"record", HK_RC_RECORD},
             {"datatype", HK_RC_RECORD},
             {"enumeration", HK_RC_ENUMERATION},
             {"controller", HK_RC_CONTROLLER},
             {"stm", HK_RC_MACHINE},
             {"operation", HK_RC_OPERATION},
             {"function", HK_RC_FUNCTION},
             {"module", HK_RC_MODULE},
             {"uses", HK_RC_USES},
             {"provides", HK_RC_PROVIDES},
             {"requires", HK_RC_REQUIRES},
             {"var", HK_RC_VAR},
             {"const", HK_RC_CONST},
             {"event", HK_RC_EVENT},
             {"_broadcast", HK_RC_EVENT},
             {"clock", HK_RC_CLOCK},
             {"rref", HK_RC_RREF},
             {"cref", HK_RC_CREF},
             {"sref", HK_RC_SREF},
             {"opref", HK_RC_OPREF},
             {"connection", HK_RC_CONNECTION},
             {"cycleDef", HK_RC_CYCLE},
             {"terminates", HK_RC_TERMINATES},
             {"precondition", HK_RC_PRECONDITION},
             {"postcondition", HK_RC_POSTCONDITION},
             {"initial", HK_RC_INITIAL},
             {"final", HK_RC_FINAL},
             {"junction", HK_RC_JUNCTION},
             {"probabilistic", HK_RC_PROBABILISTIC},
             {"state", HK_RC_STATE},
             {"transition", HK_RC_TRANSITION},
             {"entry", HK_RC_ENTRY},
             {"during", HK_RC_DURING},
             {"exit", HK_RC_EXIT},
             {"generalcontroller", SUBSET},
             {"generaloperation", SUBSET},
             {"anncontroller", SUBSET},
             {"annoperation", SUBSET}};

const char *hk_rct_word(hk_rcitem_kind kind) {
    if (kind == HK_RC_PLATFORM)
        return "robotic platform";
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (kinds[i].kind == (int)kind)
            return kinds[i].word;
    return "";
}

/* ---- parts of items ---------------------------------------------------------------------------
 */

/* Parameters of operations and functions, behind the '('. */
static bool read_parameters(hk_parser *p, hk_rcitem *item) {
    hk_list vars = HK_LIST(hk_rcvar);
    bool more = !hk_parser_is_mark(p, ")"), ok = true;
    while (more && ok) {
        hk_rcvar var;
        ok = hk_rcp_typed(p, "the name of a parameter", &var);
        if (ok)
            hk_list_add(&vars, &var);
        more = ok && hk_parser_skip_mark(p, ",");
    }
    item->var_count = vars.count;
    item->vars = hk_list_keep(p->arena, &vars);
    return ok && (hk_parser_skip_mark(p, ")") || hk_parser_unexpected(p, "',' or ')'", NULL));
}

static bool read_variables(hk_parser *p, hk_rcitem *item) {
    hk_list vars = HK_LIST(hk_rcvar);
    bool ok;
    do {
        hk_rcvar var;
        ok = hk_rcp_typed(p, "the name of a variable", &var);
        if (ok && hk_parser_skip_mark(p, "="))
            ok = (var.value = hk_rcp_expr(p)) != NULL;
        if (var.name.text[0] && var.type)
            hk_list_add(&vars, &var);
    } while (ok && hk_parser_skip_mark(p, ","));
    item->var_count = vars.count;
    item->vars = hk_list_keep(p->arena, &vars);
    return ok;
}

static bool read_event(hk_parser *p, hk_rcitem *item) {
    if (strcmp(p->last.text, "_broadcast") == 0) {
        item->flag = true;
        if (!hk_parser_expect(p, "event"))
            return false;
    }
    if (!hk_rcp_name(p, "the name of an event", &item->name))
        return false;
    return !hk_parser_skip_mark(p, ":") || (item->type = hk_rcp_type(p));
}

static bool read_reference(hk_parser *p, hk_rcitem *item) {
    return hk_rcp_name(p, "a name", &item->name) && hk_parser_expect_mark(p, "=") &&
           hk_rcp_qualified(p, "what it refers to", &item->target);
}

static bool read_import(hk_parser *p, hk_rcitem *item) {
    if (!hk_rcp_qualified(p, "the name of a package", &item->target))
        return false;
    if (!hk_parser_skip_mark(p, "::"))
        return true;
    item->flag = true;
    return hk_parser_expect_mark(p, "*");
}

static bool read_connection(hk_parser *p, hk_rcitem *item) {
    hk_rclink *link = HK_NEW(p->arena, hk_rclink);
    *link = (hk_rclink){HK_MISSING, HK_MISSING, HK_MISSING, HK_MISSING, false, false};
    item->link = link;
    static const char what[] = "the platform, a controller or a machine";
    bool ok = hk_rcp_name(p, what, &link->from) && hk_parser_expect(p, "on") &&
              hk_rcp_name(p, "an event", &link->from_event) && hk_parser_expect(p, "to") &&
              hk_rcp_name(p, what, &link->to) && hk_parser_expect(p, "on") &&
              hk_rcp_name(p, "an event", &link->to_event);
    if (ok && hk_parser_skip_mark(p, "(")) {
        link->async = true;
        ok = hk_parser_expect(p, "_async") && hk_parser_expect_mark(p, ")");
    }
    if (ok && hk_parser_skip_mark(p, "[")) {
        link->mult = true;
        ok = hk_parser_expect(p, "mult") && hk_parser_expect_mark(p, "]");
    }
    return ok;
}

/* NAME ( parameters ) [terminates] */
static bool read_signature(hk_parser *p, hk_rcitem *item) {
    const char *hint = hk_parser_hint(p, platform_words, 8);
    item->kind = HK_RC_SIGNATURE;
    if (!hk_rcp_name(p, "the name of an operation", &item->name))
        return false;
    if (!hk_parser_skip_mark(p, "("))
        return hk_parser_unexpected(p, "'('", hint);
    if (!read_parameters(p, item))
        return false;
    if (!hk_parser_skip_mark(p, "["))
        return true;
    item->flag = true;
    return hk_parser_expect(p, "terminates") && hk_parser_expect_mark(p, "]");
}

/* An item of an enumeration: NAME ( types ) */
static bool read_enumerator(hk_parser *p, hk_rcitem *item) {
    item->kind = HK_RC_ITEM;
    if (!hk_rcp_name(p, "the name of an item", &item->name))
        return false;
    if (!hk_parser_skip_mark(p, "("))
        return true;
    hk_list vars = HK_LIST(hk_rcvar);
    bool ok;
    do {
        hk_rcvar var = {.name = HK_MISSING, .type = hk_rcp_type(p)};
        ok = var.type != NULL;
        if (ok)
            hk_list_add(&vars, &var);
    } while (ok && hk_parser_skip_mark(p, ","));
    item->var_count = vars.count;
    item->vars = hk_list_keep(p->arena, &vars);
    return ok && hk_parser_expect_mark(p, ")");
}

/* ---- transitions ------------------------------------------------------------------------------
 */

static bool read_resets(hk_parser *p, hk_rcway *way) {
    hk_list resets = HK_LIST(hk_name);
    bool ok = true;
    while (ok && hk_parser_skip_mark(p, "#")) {
        hk_name name;
        ok = hk_rcp_name(p, "the name of a clock", &name);
        if (ok)
            hk_list_add(&resets, &name);
    }
    way->reset_count = resets.count;
    way->resets = hk_list_keep(p->arena, &resets);
    return ok;
}

static bool read_condition(hk_parser *p, hk_rcway *way) {
    if (!hk_parser_skip(p, "condition"))
        return true;
    way->otherwise = hk_parser_skip(p, "else");
    return way->otherwise || (way->condition = hk_rcp_expr(p));
}

/* Why a transition may not go on like this. */
static const char *hint_behind(hk_parser *p) {
    static const char *const words[] = {"trigger", "probability", "condition", "action"};
    if (hk_parser_is_mark(p, "="))
        return "'==' compares";
    if (p->token.kind != HK_TOKEN_WORD)
        return NULL;
    if (p->token.text[0] == '^')
        return "'^' joins sequences with a space behind it: s ^ t";
    if (hk_rct_is_keyword(p->token.text))
        return "the order is from, to, trigger or probability, # clocks, <{ deadline }, condition, "
               "action";
    return hk_parser_hint(p, words, 4);
}

/* Older files have the word and nothing behind it. */
static bool is_empty_trigger(const hk_parser *p) {
    return hk_parser_is_mark(p, "#") || hk_parser_is_mark(p, "<{") || hk_parser_is_mark(p, "}") ||
           hk_parser_is(p, "condition") || hk_parser_is(p, "action");
}

static bool read_transition(hk_parser *p, hk_rcitem *item) {
    hk_rcway *way = HK_NEW(p->arena, hk_rcway);
    *way = (hk_rcway){.from = HK_MISSING, .to = HK_MISSING};
    item->way = way;
    bool ok = hk_rcp_name(p, "the name of the transition", &item->name) &&
              hk_parser_expect_mark(p, "{") && hk_parser_expect(p, "from") &&
              hk_rcp_name(p, "a state or junction", &way->from) && hk_parser_expect(p, "to") &&
              hk_rcp_name(p, "a state or junction", &way->to);
    if (ok && hk_parser_skip(p, "trigger"))
        ok = is_empty_trigger(p) || (way->trigger = hk_rcp_trigger(p));
    else if (ok && hk_parser_skip(p, "probability"))
        ok = (way->probability = hk_rcp_expr(p)) != NULL;
    ok = ok && read_resets(p, way);
    if (ok && hk_parser_skip_mark(p, "<{"))
        ok = (way->deadline = hk_rcp_expr(p)) && hk_parser_expect_mark(p, "}");
    ok = ok && read_condition(p, way);
    if (ok && hk_parser_skip(p, "action"))
        ok = (way->action = hk_rcp_statement(p)) != NULL;
    if (!ok)
        return false;
    return hk_parser_skip_mark(p, "}") || hk_parser_unexpected(p, "'}'", hint_behind(p));
}

/* ---- bodies -----------------------------------------------------------------------------------
 */

static bool read_item(hk_parser *p, void *into, size_t word, hk_place at);

static bool read_body(hk_parser *p, hk_rcitem *item, const hk_level *level) {
    hk_list items = HK_LIST(hk_rcitem);
    if (!hk_parser_enter(p))
        return false;
    bool ok = hk_parser_braces(p, level, &item->at, read_item, &items, &item->end);
    hk_parser_leave(p);
    item->item_count = items.count;
    item->items = hk_list_keep(p->arena, &items);
    return ok;
}

/* A name that is missing is reported, but the body can be read all the same. */
static bool read_head(hk_parser *p, const char *what, hk_rcitem *item) {
    if (hk_rcp_name(p, what, &item->name))
        return true;
    if (hk_token_is_mark(&p->next, "{") && !hk_parser_is_mark(p, "}"))
        hk_parser_take(p);
    return hk_parser_is_mark(p, "{");
}

/* NAME ( parameters ) of operations and functions */
static bool read_called(hk_parser *p, hk_rcitem *item) {
    bool function = item->kind == HK_RC_FUNCTION;
    if (!hk_rcp_name(p, function ? "the name of a function" : "the name of an operation",
                     &item->name) ||
        !hk_parser_expect_mark(p, "(") || !read_parameters(p, item))
        return false;
    if (!function)
        return read_body(p, item, &operation_level);
    item->type = hk_parser_expect_mark(p, ":") ? hk_rcp_type(p) : NULL;
    return item->type && read_body(p, item, &function_level);
}

/* Items with a body; false in *ret_is for all others. */
static bool read_with_body(hk_parser *p, hk_rcitem *item, bool *ret_is) {
    *ret_is = true;
    switch (item->kind) {
    case HK_RC_INTERFACE:
        return read_head(p, "the name of an interface", item) &&
               read_body(p, item, &interface_level);
    case HK_RC_PLATFORM:
        return hk_parser_expect(p, "platform") && read_head(p, "the name of the platform", item) &&
               read_body(p, item, &platform_level);
    case HK_RC_RECORD:
        return read_head(p, "the name of a record", item) && read_body(p, item, &record_level);
    case HK_RC_ENUMERATION:
        return read_head(p, "the name of an enumeration", item) &&
               read_body(p, item, &enumeration_level);
    case HK_RC_CONTROLLER:
        return read_head(p, "the name of a controller", item) &&
               read_body(p, item, &controller_level);
    case HK_RC_MACHINE:
        return read_head(p, "the name of a machine", item) && read_body(p, item, &machine_level);
    case HK_RC_STATE:
        return read_head(p, "the name of a state", item) && read_body(p, item, &state_level);
    case HK_RC_MODULE:
        return read_head(p, "the name of a module", item) && read_body(p, item, &module_level);
    case HK_RC_OPERATION:
    case HK_RC_FUNCTION:
        return read_called(p, item);
    default:
        *ret_is = false;
        return true;
    }
}

static bool read_plain(hk_parser *p, hk_rcitem *item) {
    switch (item->kind) {
    case HK_RC_IMPORT:
        return read_import(p, item);
    case HK_RC_USES:
    case HK_RC_PROVIDES:
    case HK_RC_REQUIRES:
        return hk_rcp_qualified(p, "the name of an interface", &item->target);
    case HK_RC_VAR:
    case HK_RC_CONST:
        return read_variables(p, item);
    case HK_RC_EVENT:
        return read_event(p, item);
    case HK_RC_RREF:
    case HK_RC_CREF:
    case HK_RC_SREF:
    case HK_RC_OPREF:
        return read_reference(p, item);
    case HK_RC_CONNECTION:
        return read_connection(p, item);
    case HK_RC_CYCLE:
        return hk_parser_expect(p, "cycle") && hk_parser_expect_mark(p, "==") &&
               (item->value = hk_rcp_expr(p));
    case HK_RC_TERMINATES:
        return true;
    case HK_RC_PRECONDITION:
    case HK_RC_POSTCONDITION:
        return (item->value = hk_rcp_expr(p)) != NULL;
    case HK_RC_TRANSITION:
        return read_transition(p, item);
    case HK_RC_ENTRY:
    case HK_RC_DURING:
    case HK_RC_EXIT:
        return (item->action = hk_rcp_statement(p)) != NULL;
    case HK_RC_FINAL:
        if (!hk_rcp_name(p, "a name", &item->name))
            return false;
        return !hk_parser_is_mark(p, "{") ||
               hk_parser_error(p, p->token.line, p->token.column, NULL,
                               "a final state has no actions and no states in it (rules FS2, FS3)");
    default:
        return hk_rcp_name(p, "a name", &item->name);
    }
}

/* Whether the word that was taken is known and refused; else its kind. */
static bool find_kind(hk_parser *p, hk_place at, hk_rcitem *item) {
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (strcmp(kinds[i].word, p->last.text) != 0)
            continue;
        if (kinds[i].kind != SUBSET) {
            item->kind = (hk_rcitem_kind)kinds[i].kind;
            return true;
        }
        hk_where where = {.file = p->file, .line = at.line, .column = at.column};
        hk_complain(&p->complaints, HK_E_SUBSET, where, "docs/robochart.md lists what is",
                    "not in hocket's subset: %s", kinds[i].word);
    }
    return false;
}

/* An item that does not begin with a word of the language. */
static bool read_unnamed(hk_parser *p, const hk_level *level, hk_rcitem *item) {
    if (level == &enumeration_level)
        return read_enumerator(p, item);
    if (level != &record_level)
        return read_signature(p, item);
    hk_rcvar var;
    bool ok = hk_rcp_typed(p, "the name of a field", &var);
    item->kind = HK_RC_FIELD;
    item->name = var.name;
    item->type = var.type;
    return ok;
}

static bool read_item(hk_parser *p, void *into, size_t word, hk_place at) {
    const hk_level *level = p->frame->level;
    hk_rcitem item = {.name = HK_MISSING, .target = HK_MISSING, .at = at};
    bool has_body = false, ok;
    if (word == level->count)
        ok = read_unnamed(p, level, &item);
    else if (!find_kind(p, at, &item))
        return false;
    else
        ok = read_with_body(p, &item, &has_body) && (has_body || read_plain(p, &item));
    if (ok && !has_body)
        hk_parser_settle(p, &item.at);
    /* what has a name is known, although its body has mistakes */
    bool known = item.name.text[0] && item.kind != HK_RC_TRANSITION && item.kind != HK_RC_FIELD;
    if (ok || (known && (has_body || item.kind == HK_RC_EVENT)) || item.var_count)
        hk_list_add(into, &item);
    return ok;
}

hk_status hk_rct_parse(hk_ctx *ctx, hk_arena *arena, const char *file, const char *data,
                       size_t size, hk_rcfile **ret_file) {
    hk_parser p;
    hk_rcfile *tree = HK_NEW(arena, hk_rcfile);
    hk_list items = HK_LIST(hk_rcitem);
    hk_file_text text = {.file = file, .data = data, .size = size};
    hk_parser_begin_style(&p, ctx, arena, &text, &all_level, HK_STYLE_CHART);
    tree->file = hk_arena_strdup(arena, file);
    tree->package = (hk_name)HK_MISSING;
    tree->package_at = hk_parser_here(&p);
    if (hk_parser_skip(&p, "package")) {
        hk_rcp_qualified(&p, "the name of the package", &tree->package);
        hk_parser_settle(&p, &tree->package_at);
    }
    hk_parser_whole(&p, &file_level, read_item, &items, &tree->end);
    tree->item_count = items.count;
    tree->items = hk_list_keep(arena, &items);
    *ret_file = tree;
    return hk_parser_finish(&p);
}
