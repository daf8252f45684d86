/* SPDX-License-Identifier: MIT
 *
 * Types of a module in C: records and tuples are structs with their fields, vectors, matrices and
 * sequences structs with `items`; and the functions that compare and take apart values of them. */
#include "gen/chart_internal.h"

/* A type is written after those that it is made of. */
static void put_type(hk_cg *g, uint32_t i, bool *done, hk_text *text) {
    const hk_chart_type *type = g->chart->types[i];
    if (done[i])
        return;
    done[i] = true;
    for (uint32_t k = 0; k < type->field_count; k++)
        put_type(g, hk_cg_type_index(g, type->fields[k].type), done, text);
    if (type->element)
        put_type(g, hk_cg_type_index(g, type->element), done, text);
    const char *name = g->types[i], *remark = hk_gen_safe(g->arena, type->name);
    if (type->kind == HK_CHART_ENUMERATION) {
        hk_text_put(text, "enum { /* %s */\n", remark);
        for (uint32_t k = 0; k < type->item_count; k++)
            hk_text_put(text, "    %s = %u,\n", g->type_parts[i][k], (unsigned)k);
        hk_text_put(text, "};\n\n");
        return;
    }
    if (hk_chart_is_scalar(type))
        return;
    hk_text_put(text, "typedef struct %s { /* %s */\n", name, remark);
    for (uint32_t k = 0; k < type->field_count; k++)
        hk_text_put(text, "    %s %s;\n", hk_cg_type(g, type->fields[k].type), g->type_parts[i][k]);
    if (type->kind == HK_CHART_SEQUENCE)
        hk_text_put(text, "    int64_t size;\n    %s items[HK_RC_ELEMENTS];\n",
                    hk_cg_type(g, type->element));
    else if (type->element)
        hk_text_put(text, "    %s items[%u];\n", hk_cg_type(g, type->element),
                    (unsigned)type->length);
    hk_text_put(text, "} %s;\n\n", name);
}

void hk_cg_put_types(hk_cg *g, hk_text *text) {
    bool *done = HK_NEW_ARRAY(g->arena, bool, g->chart->type_count + 1);
    for (uint32_t i = 0; i < g->chart->type_count; i++)
        put_type(g, i, done, text);
}

const char *hk_cg_equal(const hk_cg *g, const hk_chart_type *type, const char *a, const char *b) {
    if (hk_chart_is_scalar(type))
        return hk_cg_print(g, "%s == %s", a, b);
    return hk_cg_print(g, "%s_equal(%s, %s)", hk_cg_type(g, type), a, b);
}

static void put_equal(hk_cg *g, uint32_t i, hk_text *text) {
    const hk_chart_type *type = g->chart->types[i];
    const char *name = g->types[i];
    hk_text_put(text, "static inline bool %s_equal(%s a, %s b) {\n", name, name, name);
    if (type->element) {
        const char *size = hk_cg_print(g, "%u", (unsigned)type->length);
        if (type->kind == HK_CHART_SEQUENCE) {
            hk_text_put(text, "    if (a.size != b.size)\n        return false;\n");
            size = "a.size";
        }
        hk_text_put(text,
                    "    for (int64_t i = 0; i < %s; i++)\n        if (!(%s))\n"
                    "            return false;\n    return true;\n}\n\n",
                    size, hk_cg_equal(g, type->element, "a.items[i]", "b.items[i]"));
        return;
    }
    hk_text_put(text, "    return ");
    for (uint32_t k = 0; k < type->field_count; k++) {
        const char *part = g->type_parts[i][k];
        hk_text_put(text, "%s%s", k ? " &&\n           " : "",
                    hk_cg_equal(g, type->fields[k].type, hk_cg_print(g, "a.%s", part),
                                hk_cg_print(g, "b.%s", part)));
    }
    hk_text_put(text, "%s;\n}\n\n", type->field_count ? "" : "true");
}

/* Elements behind the last are 0: equal sequences are equal bytes. */
static void put_sequence(hk_cg *g, uint32_t i, hk_text *text) {
    const hk_chart_type *element = g->chart->types[i]->element;
    const char *name = g->types[i], *item = hk_cg_type(g, element);
    hk_text_put(text,
                "static inline bool %s_has(%s s, %s item) {\n"
                "    for (int64_t i = 0; i < s.size; i++)\n"
                "        if (%s)\n            return true;\n    return false;\n}\n\n",
                name, name, item, hk_cg_equal(g, element, "s.items[i]", "item"));
    hk_text_put(text,
                "static inline %s %s_tail(hk_rc_trouble *t, %s s, hk_rc_at at) {\n"
                "    %s rest = {0};\n"
                "    rest.size = hk_rc_last(t, s.size, at);\n"
                "    memcpy(rest.items, s.items + 1, (size_t)rest.size * sizeof *rest.items);\n"
                "    return rest;\n}\n\n",
                name, name, name, name);
    hk_text_put(text,
                "static inline %s %s_front(hk_rc_trouble *t, %s s, hk_rc_at at) {\n"
                "    %s rest = {0};\n"
                "    rest.size = hk_rc_last(t, s.size, at);\n"
                "    memcpy(rest.items, s.items, (size_t)rest.size * sizeof *rest.items);\n"
                "    return rest;\n}\n\n",
                name, name, name, name);
    hk_text_put(text,
                "static inline %s %s_concat(hk_rc_trouble *t, %s s, %s more, hk_rc_at at) {\n"
                "    if (hk_rc_room(t, s.size + more.size, at) == 0)\n"
                "        return more;\n"
                "    memcpy(s.items + s.size, more.items, (size_t)more.size * sizeof *s.items);\n"
                "    s.size += more.size;\n    return s;\n}\n\n",
                name, name, name, name);
}

static void put_functions(hk_cg *g, uint32_t i, bool *done, hk_text *text) {
    const hk_chart_type *type = g->chart->types[i];
    if (done[i] || hk_chart_is_scalar(type))
        return;
    done[i] = true;
    for (uint32_t k = 0; k < type->field_count; k++)
        put_functions(g, hk_cg_type_index(g, type->fields[k].type), done, text);
    if (type->element)
        put_functions(g, hk_cg_type_index(g, type->element), done, text);
    put_equal(g, i, text);
    if (type->kind == HK_CHART_SEQUENCE)
        put_sequence(g, i, text);
}

void hk_cg_put_type_functions(hk_cg *g, hk_text *text) {
    bool *done = HK_NEW_ARRAY(g->arena, bool, g->chart->type_count + 1);
    for (uint32_t i = 0; i < g->chart->type_count; i++)
        put_functions(g, i, done, text);
}
