/* SPDX-License-Identifier: MIT
 *
 * Trees made at random, with comments, are printed; what is printed is read as the same tree. */
#include "model/scenario.h"
#include "model/tree.h"
#include "parse_rig.h"

#include <hk/random.h>

enum { ROUNDS = 300 };

typedef struct maker {
    hk_arena *arena;
    hk_stream stream;
    int64_t drawn;
} maker;

static uint64_t below(maker *m, uint64_t limit) {
    return hk_stream_u64(&m->stream, m->drawn++, 0) % limit;
}

static bool chance(maker *m, unsigned percent) {
    return below(m, 100) < percent;
}

#define PICK(m, array) ((array)[below((m), sizeof(array) / sizeof *(array))])

static const char *make_comment(maker *m, bool line) {
    static const char *const texts[] = {"// one", "// two ; }", "/* three */", "/* a\n   b */",
                                        "/* \" */ /* x */"};
    return line ? PICK(m, texts) : texts[2 + below(m, 2)];
}

static hk_place make_place(maker *m) {
    hk_place place = {0};
    if (chance(m, 15)) {
        const char **before = HK_NEW_ARRAY(m->arena, const char *, 2);
        place.before_count = 1 + below(m, 2);
        for (size_t i = 0; i < place.before_count; i++)
            before[i] = chance(m, 50) ? "// above" : "/* above\n too */";
        place.before = before;
    }
    if (chance(m, 15))
        place.behind = make_comment(m, true);
    place.blank = chance(m, 15);
    return place;
}

static hk_name make_name(maker *m) {
    static const char *const words[] = {"a",        "end",  "begin", "_x1", "unit", "leaf", "in",
                                        "previous", "logs", "of",    "lag", "true", "and"};
    static const char *const texts[] = {"x y", "der(x)", "quote \"", "private", "a", "3"};
    bool quoted = chance(m, 30);
    return (hk_name){.text = quoted ? PICK(m, texts) : PICK(m, words), .quoted = quoted};
}

static hk_name make_path(maker *m) {
    static const char *const words[] = {"a.b", "core.double", "end.logs.x", "T"};
    hk_name name = {.text = PICK(m, words), .quoted = chance(m, 30)};
    return chance(m, 50) ? make_name(m) : name;
}

static hk_name make_text(maker *m) {
    static const char *const texts[] = {"a.b.c", "x y", "a.types", "\"", "1.0"};
    return (hk_name){.text = PICK(m, texts), .quoted = true};
}

static hk_name no_name(void) {
    return (hk_name){.text = ""};
}

static hk_name word(const char *text) {
    return (hk_name){.text = text};
}

static const char *make_digits(maker *m) {
    static const char *const texts[] = {"0", "-1", "+2.5", "1e3", "2.5E-3", ".5", "5.", "1/200"};
    return PICK(m, texts);
}

static hk_number make_number(maker *m) {
    static const char *const units[] = {"s", "ms", "Hz", "min", "e", "V"};
    return (hk_number){.text = make_digits(m), .unit = chance(m, 40) ? PICK(m, units) : NULL};
}

static hk_number maybe_number(maker *m) {
    return chance(m, 50) ? make_number(m) : (hk_number){.text = ""};
}

static hk_literal make_scalar(maker *m) {
    static const char *const units[] = {"m/s", "kg", "e5", "Hz", "%"};
    static const char *const words[] = {"ON", "Mode.ON", "$p", "unit", "from"};
    static const char *const texts[] = {"", "text", "1.0", "a \"b\""};
    switch (below(m, 4)) {
    case 0:
        return (hk_literal){.kind = HK_LITERAL_NUMBER,
                            .text = make_digits(m),
                            .unit = chance(m, 50) ? PICK(m, units) : NULL};
    case 1:
        return (hk_literal){.kind = HK_LITERAL_BOOL, .text = chance(m, 50) ? "true" : "false"};
    case 2:
        return (hk_literal){.kind = HK_LITERAL_WORD, .text = PICK(m, words)};
    default:
        return (hk_literal){.kind = HK_LITERAL_TEXT, .text = PICK(m, texts)};
    }
}

static hk_literal make_literal(maker *m, int depth) {
    if (depth == 0 || chance(m, 70))
        return make_scalar(m);
    hk_literal list = {.kind = HK_LITERAL_LIST, .text = "", .item_count = 1 + below(m, 3)};
    hk_literal *items = HK_NEW_ARRAY(m->arena, hk_literal, list.item_count);
    for (size_t i = 0; i < list.item_count; i++)
        items[i] = make_literal(m, depth - 1);
    list.items = items;
    return list;
}

static hk_literal maybe_literal(maker *m) {
    return chance(m, 50) ? make_literal(m, 2) : (hk_literal){.text = ""};
}

/* Lists of up to 3 (LEAST at least) of what CALL makes. */
#define MAKE_LIST(m, field, length, least, call)                                                   \
    do {                                                                                           \
        (length) = (least) + below((m), 4 - (least));                                              \
        (field) = (length) ? hk_arena_alloc((m)->arena, (length) * sizeof *(field)) : NULL;        \
        for (size_t make_i = 0; make_i < (length); make_i++)                                       \
            (field)[make_i] = (call);                                                              \
    } while (0)

static const char *make_mode(maker *m) {
    static const char *const modes[] = {"previous", "observe", "current"};
    return PICK(m, modes);
}

enum { PLAIN, INPUT, OUTPUT, PARAMETER };
static hk_decl make_decl(maker *m, int kind, bool comments) {
    bool ranged = kind == PARAMETER && chance(m, 30);
    return (hk_decl){
        .is_private = kind == PARAMETER && chance(m, 30),
        .type = make_path(m),
        .name = make_name(m),
        .start = kind == PLAIN ? (hk_literal){.text = ""} : maybe_literal(m),
        .unit = chance(m, 30) ? make_text(m) : no_name(),
        .frame = chance(m, 30) ? make_path(m) : no_name(),
        .has_range = ranged,
        .min = ranged ? make_number(m) : (hk_number){.text = ""},
        .max = ranged ? make_number(m) : (hk_number){.text = ""},
        .mode = kind == INPUT && chance(m, 30) ? word(make_mode(m)) : no_name(),
        .at = comments ? make_place(m) : (hk_place){0},
    };
}

static hk_interfaceuse make_use(maker *m, bool comments) {
    return (hk_interfaceuse){.interface = make_path(m),
                             .name = make_name(m),
                             .at = comments ? make_place(m) : (hk_place){0}};
}

static hk_name make_item(maker *m) {
    hk_name name = make_name(m);
    name.at = make_place(m);
    return name;
}

static hk_number make_size(maker *m) {
    hk_number number = make_number(m);
    number.at = make_place(m);
    return number;
}

static hk_datatype make_datatype(maker *m) {
    hk_datatype type = {.kind = (hk_datatype_kind)below(m, 3),
                        .name = make_name(m),
                        .element = no_name(),
                        .at = make_place(m)};
    if (type.kind == HK_RECORD) {
        MAKE_LIST(m, type.fields, type.field_count, 0, make_decl(m, PLAIN, true));
    } else if (type.kind == HK_ARRAY) {
        type.element = make_path(m);
        MAKE_LIST(m, type.sizes, type.size_count, 1, make_size(m));
        return type;
    } else {
        MAKE_LIST(m, type.items, type.item_count, 1, make_item(m));
    }
    type.end = make_place(m);
    return type;
}

static hk_functiondecl make_function(maker *m) {
    hk_functiondecl function = {.is_mutable = chance(m, 20),
                                .result = make_path(m),
                                .name = make_name(m),
                                .at = make_place(m)};
    MAKE_LIST(m, function.arguments, function.argument_count, 0, make_decl(m, PLAIN, true));
    return function;
}

static hk_interfacedecl make_interface(maker *m) {
    hk_interfacedecl made = {.name = make_name(m), .at = make_place(m), .end = make_place(m)};
    MAKE_LIST(m, made.functions, made.function_count, 0, make_function(m));
    return made;
}

static hk_leafsection make_leafsection(maker *m) {
    hk_leafsection s = {
        .kind = (hk_leafsection_kind)below(m, 7), .value = no_name(), .at = make_place(m)};
    if (s.kind <= HK_SECTION_REQUIRED) {
        MAKE_LIST(m, s.uses, s.count, 0, make_use(m, true));
    } else if (s.kind == HK_SECTION_STAMP) {
        s.value = word(chance(m, 50) ? "start" : "end");
    } else if (s.kind == HK_SECTION_BEHAVIOUR) {
        s.value = make_text(m);
    } else {
        MAKE_LIST(m, s.decls, s.count, 0, make_decl(m, INPUT + (int)s.kind - 2, true));
        s.end = make_place(m);
    }
    return s;
}

static hk_leaftype make_leaftype(maker *m) {
    hk_leaftype leaf = {.name = make_name(m), .at = make_place(m), .end = make_place(m)};
    MAKE_LIST(m, leaf.sections, leaf.section_count, 0, make_leafsection(m));
    return leaf;
}

static hk_typesection make_section(maker *m) {
    hk_typesection s = {
        .kind = (hk_typesection_kind)below(m, 3), .at = make_place(m), .end = make_place(m)};
    if (s.kind == HK_SECTION_DATATYPES)
        MAKE_LIST(m, s.datatypes, s.count, 0, make_datatype(m));
    else if (s.kind == HK_SECTION_INTERFACES)
        MAKE_LIST(m, s.interfaces, s.count, 0, make_interface(m));
    else
        MAKE_LIST(m, s.leaves, s.count, 0, make_leaftype(m));
    return s;
}

static hk_declaration make_declaration(maker *m) {
    hk_declaration d = {.name = make_name(m), .at = make_place(m), .end = make_place(m)};
    MAKE_LIST(m, d.sections, d.section_count, 0, make_section(m));
    return d;
}

static hk_name make_file(maker *m) {
    hk_name name = make_text(m);
    name.at = make_place(m);
    return name;
}

static hk_place make_rest(maker *m) {
    hk_place place = make_place(m);
    place.behind = NULL;
    return place;
}

#define CHECK(language, r, made)                                                                   \
    do {                                                                                           \
        const char *text = hk_##language##_print((r)->arena, (made));                              \
        if (!same_##language((made), rig_##language((r), text)))                                   \
            fail_msg("another tree:\n%s", text);                                                   \
    } while (0)

static void test_types(void **state) {
    rig *r = *state;
    maker m = {.arena = r->arena, .stream = hk_stream_make(1, 0, "types", "")};
    for (int i = 0; i < ROUNDS; i++) {
        hk_typefile file = {.file = "f"};
        MAKE_LIST(&m, file.imports, file.import_count, 0, make_file(&m));
        MAKE_LIST(&m, file.declarations, file.declaration_count, 0, make_declaration(&m));
        file.end = make_rest(&m);
        CHECK(types, r, &file);
    }
}

/* ---- systems ----------------------------------------------------------------------------------
 */

static hk_leafitem make_leafitem(maker *m) {
    static const char *const policies[] = {"late", "skip", "stop"};
    hk_leafitem item = {.kind = (hk_leafitem_kind)below(m, 11),
                        .number = {.text = ""},
                        .name = no_name(),
                        .value = {.text = ""},
                        .word = no_name(),
                        .at = make_place(m)};
    if (item.kind == HK_LEAF_PARAM) {
        item.name = make_path(m);
        item.value = make_literal(m, 3);
    } else if (item.kind == HK_LEAF_USE) {
        item.name = make_path(m);
        item.word = word(make_mode(m));
    } else if (item.kind == HK_LEAF_OVERRUN) {
        item.word = word(PICK(m, policies));
    } else if (item.kind != HK_LEAF_INACTIVE) {
        item.number = make_number(m);
    }
    return item;
}

static hk_leaf *make_leaf(maker *m) {
    hk_leaf *leaf = HK_NEW(m->arena, hk_leaf);
    *leaf = (hk_leaf){.name = make_name(m), .type = make_path(m), .at = make_place(m)};
    MAKE_LIST(m, leaf->items, leaf->item_count, 0, make_leafitem(m));
    if (leaf->item_count)
        leaf->end = make_place(m);
    return leaf;
}

static hk_link *make_link(maker *m, hk_item_kind kind) {
    hk_link *link = HK_NEW(m->arena, hk_link);
    bool options = kind == HK_ITEM_LINK;
    *link = (hk_link){
        .from = make_path(m),
        .lag = (options || kind == HK_ITEM_SHARE) && chance(m, 50) ? word(make_mode(m)) : no_name(),
        .delay = options ? maybe_number(m) : (hk_number){.text = ""},
        .initial = options ? maybe_literal(m) : (hk_literal){.text = ""}};
    MAKE_LIST(m, link->to, link->to_count, 1, make_path(m));
    return link;
}

static hk_way make_way(maker *m, size_t least) {
    hk_way way = {0};
    MAKE_LIST(m, way.steps, way.count, least, make_path(m));
    way.count = least == 1 ? 1 : way.count; /* of freshness */
    return way;
}

static hk_agedecl *make_age(maker *m, hk_item_kind kind) {
    hk_agedecl *age = HK_NEW(m->arena, hk_agedecl);
    bool several = kind == HK_ITEM_COINCIDENCE, latency = kind == HK_ITEM_LATENCY;
    MAKE_LIST(m, age->ways, age->way_count, 2, make_way(m, latency || several ? 2 : 1));
    age->way_count = several ? age->way_count : 1;
    age->min = latency ? maybe_number(m) : (hk_number){.text = ""};
    age->max = several ? (hk_number){.text = ""} : make_number(m);
    return age;
}

static hk_leafitem make_field(maker *m) {
    return (hk_leafitem){.kind = HK_LEAF_PARAM,
                         .number = {.text = ""},
                         .name = make_path(m),
                         .value = make_literal(m, 3),
                         .word = no_name(),
                         .at = make_place(m)};
}

static hk_entityitem make_entityitem(maker *m, int depth) {
    hk_entityitem item = {.kind = (hk_entityitem_kind)below(m, 6), .name = no_name()};
    if (item.kind == HK_ENTITY_VARIANT && depth == 0)
        item.kind = HK_ENTITY_TAG;
    if (item.kind == HK_ENTITY_PART) {
        item.part = HK_NEW(m->arena, hk_partdecl);
        *item.part = (hk_partdecl){.type = make_name(m), .at = make_place(m)};
        MAKE_LIST(m, item.part->items, item.part->item_count, 0, make_field(m));
        if (item.part->item_count)
            item.part->end = make_place(m);
        return item;
    }
    if (item.kind == HK_ENTITY_LEAF) {
        item.leaf = make_leaf(m);
        return item;
    }
    item.at = make_place(m);
    if (item.kind == HK_ENTITY_LINK)
        item.link = make_link(m, HK_ITEM_LINK);
    else
        item.name = make_name(m);
    if (item.kind == HK_ENTITY_VARIANT) {
        MAKE_LIST(m, item.items, item.item_count, 0, make_entityitem(m, depth - 1));
        item.end = make_place(m);
    }
    return item;
}

static hk_worlditem make_worlditem(maker *m) {
    hk_worlditem item = {
        .kind = (hk_worlditem_kind)below(m, 5), .plugin = no_name(), .number = {.text = ""}};
    if (item.kind == HK_WORLD_SYSTEM) {
        item.system = make_leaf(m);
        if (chance(m, 50))
            item.system->type = no_name();
    } else if (item.kind == HK_WORLD_ENTITY) {
        hk_entitydecl *e = item.entity = HK_NEW(m->arena, hk_entitydecl);
        *e = (hk_entitydecl){.name = make_name(m),
                             .copies = maybe_number(m),
                             .dormant = chance(m, 30),
                             .at = make_place(m)};
        MAKE_LIST(m, e->items, e->item_count, 0, make_entityitem(m, 2));
        if (e->item_count)
            e->end = make_place(m);
    } else {
        item.at = make_place(m);
        if (item.kind == HK_WORLD_PLUGIN)
            item.plugin = make_text(m);
        else
            item.number = make_number(m);
    }
    return item;
}

static hk_worlddecl *make_world(maker *m) {
    hk_worlddecl *w = HK_NEW(m->arena, hk_worlddecl);
    *w = (hk_worlddecl){.name = make_name(m), .at = make_place(m), .end = make_place(m)};
    MAKE_LIST(m, w->items, w->item_count, 0, make_worlditem(m));
    return w;
}

static hk_composite *make_composite(maker *m, int depth);

static hk_item make_composite_item(maker *m, int depth) {
    hk_item item = {.kind = (hk_item_kind)below(m, 15), .word = no_name()};
    if (item.kind == HK_ITEM_COMPOSITE && depth == 0)
        item.kind = HK_ITEM_CUT;
    if (item.kind == HK_ITEM_COMPOSITE) {
        item.composite = make_composite(m, depth - 1);
        return item;
    }
    if (item.kind == HK_ITEM_LEAF) {
        item.leaf = make_leaf(m);
        return item;
    }
    if (item.kind == HK_ITEM_WORLD) {
        item.world = make_world(m);
        return item;
    }
    item.at = make_place(m);
    if (item.kind == HK_ITEM_INPUT || item.kind == HK_ITEM_OUTPUT) {
        item.port = HK_NEW(m->arena, hk_decl);
        *item.port = make_decl(m, PLAIN, false);
    } else if (item.kind == HK_ITEM_PROVIDES || item.kind == HK_ITEM_REQUIRES) {
        item.use = HK_NEW(m->arena, hk_interfaceuse);
        *item.use = make_use(m, false);
    } else if (item.kind == HK_ITEM_CUT) {
        item.word = word(chance(m, 50) ? "hla" : "keep");
    } else if (item.kind > HK_ITEM_CUT) {
        item.age = make_age(m, item.kind);
    } else {
        item.link = make_link(m, item.kind);
    }
    return item;
}

static hk_composite *make_composite(maker *m, int depth) {
    hk_composite *c = HK_NEW(m->arena, hk_composite);
    *c = (hk_composite){.name = make_name(m), .at = make_place(m), .end = make_place(m)};
    c->role.text = chance(m, 30) ? hk_tree_role_words[1 + below(m, HK_TREE_ROLES - 1)] : "";
    MAKE_LIST(m, c->items, c->item_count, 0, make_composite_item(m, depth));
    return c;
}

static hk_experimentdecl *make_experiment(maker *m) {
    hk_experimentdecl *x = HK_NEW(m->arena, hk_experimentdecl);
    *x = (hk_experimentdecl){.at = make_place(m)};
    size_t sure = below(m, HK_EXPERIMENT_TIMES);
    for (size_t i = 0; i < HK_EXPERIMENT_TIMES; i++)
        x->times[i] = i == sure ? make_number(m) : maybe_number(m);
    return x;
}

static void test_systems(void **state) {
    rig *r = *state;
    maker m = {.arena = r->arena, .stream = hk_stream_make(1, 0, "systems", "")};
    for (int i = 0; i < ROUNDS; i++) {
        hk_systemfile file = {.file = "f", .name = make_name(&m), .at = make_place(&m)};
        MAKE_LIST(&m, file.imports, file.import_count, 0, make_file(&m));
        MAKE_LIST(&m, file.plugins, file.plugin_count, 0, make_file(&m));
        file.experiment = chance(&m, 50) ? make_experiment(&m) : NULL;
        file.root = make_composite(&m, 4);
        file.end = make_place(&m);
        file.rest = make_rest(&m);
        CHECK(system, r, &file);
    }
}

/* ---- simulations ------------------------------------------------------------------------------
 */

static hk_operand make_operand(maker *m) {
    hk_operand operand = {.path = no_name(), .value = {.text = ""}};
    if (chance(m, 50)) {
        operand.path = make_text(m);
        operand.absolute = chance(m, 30);
    } else {
        do
            operand.value = make_scalar(m);
        while (operand.value.kind == HK_LITERAL_TEXT);
    }
    return operand;
}

static hk_condition *make_condition(maker *m, int depth) {
    static const char *const ops[] = {"<", "<=", ">", ">=", "==", "!="};
    hk_condition *c = HK_NEW(m->arena, hk_condition);
    *c = (hk_condition){.kind = depth ? (hk_condition_kind)below(m, 4) : HK_CONDITION_COMPARE,
                        .left = {.path = no_name(), .value = {.text = ""}},
                        .right = {.path = no_name(), .value = {.text = ""}},
                        .op = "",
                        .tolerance = {.text = ""}};
    if (c->kind == HK_CONDITION_COMPARE) {
        c->left = make_operand(m);
        c->right = make_operand(m);
        c->op = PICK(m, ops);
        if ((c->op[0] == '=' || c->op[0] == '!') && chance(m, 50))
            c->tolerance = make_scalar(m);
    } else {
        c->a = make_condition(m, depth - 1);
        if (c->kind != HK_CONDITION_NOT)
            c->b = make_condition(m, depth - 1);
    }
    return c;
}

static hk_callargument make_argument(maker *m) {
    return (hk_callargument){.label = chance(m, 30) ? make_name(m) : no_name(),
                             .name = chance(m, 50) ? make_path(m) : no_name(),
                             .value = make_literal(m, 2),
                             .at = make_place(m)};
}

static void make_fault(maker *m, hk_statement *s) {
    static const char *const kinds[] = {"stuck", "bias", "scale",    "noise",
                                        "delay", "drop", "quantise", "disconnect"};
    size_t kind = below(m, 8);
    s->word = word(kinds[kind]);
    if (kind != 7 && (kind || chance(m, 50)))
        s->value = make_literal(m, 1);
}

static hk_statement make_statement(maker *m) {
    hk_statement s = {.kind = (hk_statement_kind)below(m, HK_SAY_RELEASE + 1),
                      .path = make_text(m),
                      .other = no_name(),
                      .value = {.text = ""},
                      .over = {.text = ""},
                      .word = no_name(),
                      .at = make_place(m)};
    bool pair = s.kind == HK_SAY_BIND || s.kind == HK_SAY_CALL;
    bool ends = s.kind == HK_SAY_FAULT || s.kind == HK_SAY_REPAIR;
    if (pair || (ends && chance(m, 50)))
        s.other = make_text(m);
    if (s.kind == HK_SAY_SET || s.kind == HK_SAY_RAMP || s.kind == HK_SAY_OVERRIDE)
        s.value = make_literal(m, 3);
    if (s.kind == HK_SAY_RAMP)
        s.over = make_number(m);
    if (s.kind == HK_SAY_FAULT)
        make_fault(m, &s);
    if (s.kind == HK_SAY_CALL)
        MAKE_LIST(m, s.arguments, s.argument_count, 0, make_argument(m));
    if (s.kind == HK_SAY_CHANGE)
        s.word = make_name(m);
    if (s.kind == HK_SAY_FINISH) {
        s.path = no_name();
        if (chance(m, 50))
            s.value = (hk_literal){.kind = HK_LITERAL_TEXT, .text = "why"};
    }
    return s;
}

static hk_block make_block(maker *m) {
    hk_block block = {.given = true, .at = make_place(m), .end = make_place(m)};
    MAKE_LIST(m, block.statements, block.count, 0, make_statement(m));
    return block;
}

static hk_block maybe_block(maker *m) {
    return chance(m, 60) ? make_block(m) : (hk_block){0};
}

static hk_eventdecl make_event(maker *m) {
    hk_eventdecl e = {.kind = (hk_eventdecl_kind)below(m, 4),
                      .from = {.text = ""},
                      .to = {.text = ""},
                      .body = make_block(m)};
    e.at = e.body.at;
    if (e.kind == HK_EVENT_WHEN) {
        e.condition = make_condition(m, 4);
        e.until = chance(m, 40) ? make_condition(m, 3) : NULL;
        e.once = chance(m, 50);
    } else {
        e.from = e.kind == HK_EVENT_EVERY ? maybe_number(m) : make_number(m);
        if (e.kind != HK_EVENT_INSTANT)
            e.to = make_number(m);
    }
    return e;
}

/* Numbers and parameters: a limit is nothing else. */
static hk_literal maybe_amount(maker *m) {
    hk_literal amount = make_literal(m, 0);
    bool fits = amount.kind == HK_LITERAL_NUMBER ||
                (amount.kind == HK_LITERAL_WORD && amount.text[0] == '$');
    return fits ? amount : (hk_literal){.text = ""};
}

static hk_expectdecl make_require(maker *m) {
    hk_expectdecl e = {.kind = HK_EXPECT_REQUIRE,
                       .from = maybe_number(m),
                       .to = {.text = ""},
                       .message = no_name(),
                       .require = HK_NEW(m->arena, hk_requiredecl),
                       .at = make_place(m)};
    if (*e.from.text)
        e.to = make_number(m);
    *e.require = (hk_requiredecl){.name = make_text(m),
                                  .metric = word(PICK(m, hk_metric_words)),
                                  .path = make_text(m),
                                  .from = maybe_amount(m),
                                  .to = maybe_amount(m),
                                  .within = maybe_amount(m),
                                  .min = maybe_amount(m),
                                  .max = maybe_amount(m),
                                  .reference = maybe_amount(m)};
    return e;
}

static hk_expectdecl make_expect(maker *m) {
    if (chance(m, 25))
        return make_require(m);
    hk_expectdecl e = {.kind = (hk_expect_kind)below(m, 4),
                       .condition = make_condition(m, 3),
                       .from = {.text = ""},
                       .to = {.text = ""},
                       .message = chance(m, 50) ? make_text(m) : no_name(),
                       .at = make_place(m)};
    if (e.kind == HK_EXPECT_AFTER)
        e.trigger = make_condition(m, 3);
    if (e.kind == HK_EXPECT_ALWAYS || e.kind == HK_EXPECT_AT)
        e.from = e.kind == HK_EXPECT_AT ? make_number(m) : maybe_number(m);
    if (e.kind != HK_EXPECT_AT)
        e.to = e.kind == HK_EXPECT_AFTER ? make_number(m) : maybe_number(m);
    return e;
}

static hk_logdecl make_log(maker *m) {
    hk_logdecl log = {
        .file = make_path(m), .period = make_number(m), .at = make_place(m), .end = make_place(m)};
    MAKE_LIST(m, log.signals, log.signal_count, 0, make_file(m));
    return log;
}

static hk_scenariodecl make_scenario(maker *m) {
    hk_scenariodecl s = {.name = make_name(m),
                         .repetitions = maybe_number(m),
                         .begin = maybe_block(m),
                         .finish = maybe_block(m),
                         .has_events = chance(m, 60),
                         .has_expects = chance(m, 60),
                         .has_logs = chance(m, 60),
                         .at = make_place(m)};
    if (s.has_events) {
        MAKE_LIST(m, s.events, s.event_count, 0, make_event(m));
        s.events_at = make_place(m);
        s.events_end = make_place(m);
    }
    if (s.has_expects) {
        MAKE_LIST(m, s.expects, s.expect_count, 0, make_expect(m));
        s.expects_at = make_place(m);
        s.expects_end = make_place(m);
    }
    if (s.has_logs) {
        MAKE_LIST(m, s.logs, s.log_count, 0, make_log(m));
        s.logs_at = make_place(m);
        s.logs_end = make_place(m);
    }
    return s;
}

static hk_scenarioparameter make_parameter(maker *m) {
    return (hk_scenarioparameter){
        .name = make_name(m), .value = make_literal(m, 1), .at = make_place(m)};
}

static void test_simulations(void **state) {
    rig *r = *state;
    maker m = {.arena = r->arena, .stream = hk_stream_make(1, 0, "simulations", "")};
    for (int i = 0; i < ROUNDS; i++) {
        hk_simulationfile file = {.file = "f",
                                  .name = make_name(&m),
                                  .unit = word("ms"),
                                  .system = make_path(&m),
                                  .start = make_size(&m),
                                  .stop = make_number(&m),
                                  .step = make_number(&m),
                                  .seed = {.text = ""},
                                  .begin = maybe_block(&m),
                                  .finish = maybe_block(&m),
                                  .has_scenarios = chance(&m, 80),
                                  .at = make_place(&m),
                                  .end = make_rest(&m)};
        file.system.at = make_place(&m);
        if (chance(&m, 50))
            file.seed = make_size(&m);
        MAKE_LIST(&m, file.parameters, file.parameter_count, 0, make_parameter(&m));
        if (file.has_scenarios) {
            MAKE_LIST(&m, file.scenarios, file.scenario_count, 0, make_scenario(&m));
            file.scenarios_at = make_place(&m);
            file.scenarios_end = make_place(&m);
        }
        CHECK(simulation, r, &file);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {RIG_TEST(test_types), RIG_TEST(test_systems),
                                       RIG_TEST(test_simulations)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
