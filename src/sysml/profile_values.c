/* SPDX-License-Identifier: MIT
 *
 * Values of ports and variables: what is written behind '=', and whether it is of the type. */
#include "sysml/profile_internal.h"

#include <string.h>

static hk_literal literal_of(hk_profile_reader *r, const hk_sysml_expr *e) {
    static const hk_literal_kind kinds[] = {
        [HK_SYSML_NUMBER] = HK_LITERAL_NUMBER, [HK_SYSML_TEXT] = HK_LITERAL_TEXT,
        [HK_SYSML_TRUTH] = HK_LITERAL_BOOL,    [HK_SYSML_NAME] = HK_LITERAL_WORD,
        [HK_SYSML_MINUS] = HK_LITERAL_NUMBER,  [HK_SYSML_LIST] = HK_LITERAL_LIST,
        [HK_SYSML_STAR] = HK_LITERAL_WORD};
    hk_literal literal = {.kind = kinds[e->kind], .text = e->text ? e->text : "", .at = e->at};
    if (e->kind == HK_SYSML_MINUS)
        literal.text = hk_arena_printf(r->arena, "-%s", e->items->text);
    else if (e->kind == HK_SYSML_NAME)
        literal.text = hk_profile_last(&e->name);
    else if (e->kind == HK_SYSML_LIST) {
        hk_literal *items = HK_NEW_ARRAY(r->arena, hk_literal, e->item_count + 1);
        for (size_t i = 0; i < e->item_count; i++)
            items[i] = literal_of(r, &e->items[i]);
        literal.items = items;
        literal.item_count = e->item_count;
    }
    return literal;
}

hk_profile_value hk_profile_value_of(hk_profile_reader *r, const hk_sysml_expr *expr) {
    return expr ? (hk_profile_value){.literal = literal_of(r, expr)} : (hk_profile_value){0};
}

/* ---- types -------------------------------------------------------------------------------------
 */

/* Whole numbers are numbers of type Real, too, as Integer is a kind of Real in SysML. */
static bool is_whole(const hk_literal *l, const char *type_name) {
    bool natural = strcmp(type_name, "Natural") == 0, positive = strcmp(type_name, "Positive") == 0;
    const char *digits = l->text + (*l->text == '-');
    bool zero = strspn(digits, "0") == strlen(digits);
    if (l->kind != HK_LITERAL_NUMBER || digits[strspn(digits, "0123456789")])
        return false;
    return (!natural && !positive) || (zero ? natural : digits == l->text);
}

static bool is_item(const hk_profile_reader *r, uint32_t enumeration, const char *name) {
    const hk_profile_source *e = (const hk_profile_source *)r->enums.data + enumeration;
    for (size_t i = 0; i < e->element->member_count; i++)
        if (e->element->members[i].name && strcmp(e->element->members[i].name, name) == 0)
            return true;
    return false;
}

static bool is_of_type(const hk_profile_reader *r, const hk_profile_typed *t, const hk_literal *l) {
    switch (t->type) {
    case HK_PROFILE_REAL:
        return l->kind == HK_LITERAL_NUMBER;
    case HK_PROFILE_INTEGER:
        return is_whole(l, t->type_name);
    case HK_PROFILE_BOOLEAN:
        return l->kind == HK_LITERAL_BOOL;
    case HK_PROFILE_STRING:
        return l->kind == HK_LITERAL_TEXT;
    case HK_PROFILE_ENUM:
        return l->kind == HK_LITERAL_WORD && is_item(r, t->enumeration, l->text);
    default:
        return true; /* an event, or a type that was reported */
    }
}

static const char *show(hk_profile_reader *r, const hk_literal *l) {
    if (l->kind == HK_LITERAL_LIST)
        return "a list";
    return hk_arena_printf(r->arena, l->kind == HK_LITERAL_TEXT ? "the text \"%s\"" : "'%s'",
                           l->text);
}

static const char *hint_of(hk_profile_reader *r, const hk_profile_typed *t, const hk_literal *l) {
    bool number = t->type == HK_PROFILE_REAL || t->type == HK_PROFILE_INTEGER;
    if (l->kind == HK_LITERAL_TEXT && number && hk_is_number(l->text))
        return "write it without quotes";
    if (t->type == HK_PROFILE_ENUM)
        return hk_arena_printf(r->arena, "write %s::ITEM", t->type_name);
    return NULL;
}

static void check_one(hk_profile_reader *r, const char *file, const hk_profile_typed *t,
                      const hk_sysml_expr *e, const hk_literal *l) {
    if (t->type == HK_PROFILE_ENUM && e->kind == HK_SYSML_NAME && is_of_type(r, t, l)) {
        const hk_profile_source *source = (const hk_profile_source *)r->enums.data + t->enumeration;
        hk_profile_check_qualifiers(
            r, file, &e->name,
            *source->package ? hk_arena_printf(r->arena, "%s::%s", source->package, t->type_name)
                             : t->type_name);
    }
    if (!is_of_type(r, t, l))
        hk_complain(&r->complaints, HK_E_VALUE, hk_place_where(file, &l->at), hint_of(r, t, l),
                    "%s is not a value of type %s for '%s'", show(r, l), t->type_name, t->name);
}

void hk_profile_check_value(hk_profile_reader *r, const char *file, const hk_profile_typed *typed,
                            const hk_sysml_expr *expr, const hk_profile_value *value) {
    const hk_literal *l = &value->literal;
    bool list = l->kind == HK_LITERAL_LIST;
    size_t want = typed->elements ? typed->elements : 1, have = list ? l->item_count : 1;
    if (l->kind == HK_LITERAL_NONE || typed->type == HK_PROFILE_TYPELESS)
        return;
    if (have != want) {
        hk_complain(&r->complaints, HK_E_VALUE, hk_place_where(file, &l->at), NULL,
                    "'%s' has %zu element%s, and %zu value%s given", typed->name, want,
                    hk_plural(want), have, have == 1 ? " is" : "s are");
        return;
    }
    for (size_t i = 0; list && i < have; i++)
        check_one(r, file, typed, &expr->items[i], &l->items[i]);
    if (!list)
        check_one(r, file, typed, expr, l);
}
