/* SPDX-License-Identifier: MIT
 *
 * For PACKAGE_glue.c: enumerations with their items, and which values a leaf's ports are meant to
 * hold. Without these tables an FMU made of the plugin would not know them. */
#include "base/number.h"
#include "gen/gen_internal.h"

typedef void part_fn(void *user, const hk_lang_var *var, const hk_part *part);

static void each_part_of(const hk_lang_var *vars, size_t count, part_fn *fn, void *user) {
    for (size_t i = 0; i < count; i++)
        for (size_t p = 0; p < vars[i].type->part_count; p++)
            fn(user, &vars[i], &vars[i].type->parts[p]);
}

static void each_part(const hk_lang_leaf *leaf, part_fn *fn, void *user) {
    each_part_of(leaf->inputs, leaf->input_count, fn, user);
    each_part_of(leaf->outputs, leaf->output_count, fn, user);
    each_part_of(leaf->parameters, leaf->parameter_count, fn, user);
}

static size_t number_of(const hk_gen *gen, const hk_lang_type *enumeration) {
    return (size_t)(hk_gen_type(gen, enumeration) - gen->gentypes);
}

/* ---- enumerations -----------------------------------------------------------------------------
 */

typedef struct marking {
    const hk_gen *gen;
    bool *used; /* per type of gen: by a port of a leaf */
} marking;

static void mark_part(void *user, const hk_lang_var *var, const hk_part *part) {
    marking *m = user;
    (void)var;
    if (part->enumeration)
        m->used[number_of(m->gen, part->enumeration)] = true;
}

static void put_enum(const hk_gen *gen, hk_text *text, const hk_gentype *t, size_t n) {
    const hk_enum *items = t->type->items;
    hk_text_put(text,
                "\n/* Enum %s. */\n"
                "static const hk_enum_item hkgen_items%zu[] = {\n",
                hk_gen_safe(gen->arena, t->type->name), n);
    for (size_t i = 0; i < items->item_count; i++) {
        hk_text_put(text, "    {.name = ");
        hk_text_literal(text, items->item_names[i]);
        hk_text_put(text, ", .value = %s},\n", t->parts[i]);
    }
    hk_text_put(text, "};\nstatic const hk_enum_type hkgen_enum%zu = {\n    .name = ", n);
    hk_text_literal(text, t->type->name);
    hk_text_put(text, ", .items = hkgen_items%zu, .item_count = %zu};\n", n, items->item_count);
}

void hk_gen_enums(const hk_gen *gen, hk_text *text) {
    marking m = {gen, HK_NEW_ARRAY(gen->arena, bool, gen->gentype_count + 1)};
    for (size_t i = 0; i < gen->leaf_count; i++)
        each_part(gen->leaves[i].leaf, mark_part, &m);
    for (size_t i = 0; i < gen->gentype_count; i++)
        if (m.used[i])
            put_enum(gen, text, &gen->gentypes[i], i);
}

/* ---- domains ----------------------------------------------------------------------------------
 */

typedef struct domain_writer {
    const hk_gen *gen;
    hk_text rows;
    size_t count;
} domain_writer;

/* A limit lives in the text as the shortest number that reads back to it. */
static void put_limit(hk_text *text, const char *slot, double limit) {
    char number[HK_NUMBER_MAX + 1];
    number[hk_write_f64(limit, number)] = 0;
    hk_text_put(text, ", .%s = \"%s\"", slot, number);
}

static void put_domain(void *user, const hk_lang_var *var, const hk_part *part) {
    domain_writer *w = user;
    /* Texts and Booleans have no order, also where the range of a whole record covers them. */
    bool ranged = var->has_range && part->type != HK_TYPE_BOOL && part->type != HK_TYPE_STRING &&
                  part->type != HK_TYPE_BINARY;
    if (!part->enumeration && !ranged)
        return;
    hk_text_put(&w->rows, "    {.port = ");
    hk_text_literal(&w->rows, hk_part_name(w->gen->arena, var->name, part->name));
    if (ranged) {
        put_limit(&w->rows, "min", var->min);
        put_limit(&w->rows, "max", var->max);
    }
    if (part->enumeration)
        hk_text_put(&w->rows, ", .enumeration = &hkgen_enum%zu",
                    number_of(w->gen, part->enumeration));
    hk_text_put(&w->rows, "},\n");
    w->count++;
}

size_t hk_gen_domains(const hk_gen *gen, const hk_genleaf *leaf, size_t n, hk_text *text) {
    domain_writer w = {.gen = gen};
    each_part(leaf->leaf, put_domain, &w);
    if (w.count)
        hk_text_put(text, "static const hk_domain hkgen_domains%zu[] = {\n%s};\n", n, w.rows.data);
    hk_text_finish(&w.rows);
    return w.count;
}
