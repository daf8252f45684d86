/* SPDX-License-Identifier: MIT
 *
 * Two files per leaf type: a header with the component's struct, and a skeleton with the functions
 * that the user fills in. */
#include "gen/gen_internal.h"

#include <string.h>

/* INDENT is before both marks; BODY is whole lines or "". */
static void put_region(hk_text *text, const char *indent, const char *name, const char *body) {
    hk_text_put(text, "%s" HK_GEN_BEGIN "%s */\n%s%s" HK_GEN_END "%s */\n", indent, name, body,
                indent, name);
}

/* ---- the header -------------------------------------------------------------------------------
 */

static void put_vars(const hk_gen *gen, hk_text *text, const char *title, const hk_lang_var *vars,
                     const char *const *names, size_t count) {
    if (count)
        hk_text_put(text, "    /* %s */\n", title);
    for (size_t i = 0; i < count; i++) {
        const char *remark = hk_gen_remark(gen->arena, vars[i].unit, vars[i].frame);
        if (remark)
            hk_text_put(text, "    /* %s: %s */\n", names[i], remark);
        hk_text_put(text, "    %s %s;\n", hk_gen_ctype(gen, vars[i].type), names[i]);
    }
}

static void put_options(const hk_genleaf *l, hk_text *text) {
    const hk_lang_leaf *leaf = l->leaf;
    hk_text_put(text,
                "/* Sources of random numbers, each a field of type hk_stream:\n"
                " *     #define %s(STREAM) STREAM(noise)\n",
                l->streams);
    if (leaf->output_count) {
        hk_text_put(text,
                    " * The inputs that act on an output without delay, separated by spaces;\n"
                    " * \"\": none; not said: all:\n");
        for (size_t i = 0; i < leaf->output_count; i++)
            hk_text_put(text, " *     #define %s \"\"\n", l->depends[i]);
    }
    hk_text_put(text, " */\n");
    put_region(text, "", "options", "");
    hk_text_put(text, "#ifndef %s\n#define %s(STREAM)\n#endif\n", l->streams, l->streams);
    for (size_t i = 0; i < leaf->output_count; i++)
        hk_text_put(text, "#ifndef %s\n#define %s NULL\n#endif\n", l->depends[i], l->depends[i]);
}

static void put_struct(const hk_gen *gen, const hk_genleaf *l, hk_text *text) {
    const hk_lang_leaf *leaf = l->leaf;
    hk_text_put(text,
                "\n/* What the component remembers: plain data, since a copy of its bytes is\n"
                " * its whole state. */\ntypedef struct %s {\n",
                l->user);
    put_region(text, "    ", "state", "    char unused;\n");
    hk_text_put(text, "} %s;\n\ntypedef struct %s {\n", l->user, l->c);
    put_vars(gen, text, "Inputs.", leaf->inputs, l->inputs, leaf->input_count);
    put_vars(gen, text, "Outputs.", leaf->outputs, l->outputs, leaf->output_count);
    put_vars(gen, text, "Parameters.", leaf->parameters, l->parameters, leaf->parameter_count);
    if (leaf->required_count)
        hk_text_put(text, "    /* Required interfaces, bound before initialize. */\n");
    for (size_t i = 0; i < leaf->required_count; i++)
        hk_text_put(text, "    %s %s;\n",
                    hk_gen_interface(gen, leaf->required[i].interface)->binding, l->required[i]);
    hk_text_put(text,
                "    %s user;\n"
                "#define STREAM_FIELD(name) hk_stream name;\n"
                "    %s(STREAM_FIELD)\n"
                "#undef STREAM_FIELD\n"
                "} %s;\n\n",
                l->user, l->streams, l->c);
}

static const char **entry_items(const hk_gen *gen, const hk_genleaf *l, size_t entry,
                                size_t *ret_count) {
    const char **items = HK_NEW_ARRAY(gen->arena, const char *, 2);
    items[0] = hk_arena_printf(gen->arena, "%s *self", l->c);
    items[1] = hk_gen_entries[entry].arguments;
    *ret_count = *items[1] ? 2 : 1;
    return items;
}

static const char *entry_head(const hk_gen *gen, const hk_genleaf *l, size_t entry) {
    return hk_arena_printf(gen->arena, "%s %s", hk_gen_entries[entry].returns ? "int" : "void",
                           l->entries[entry]);
}

/* Of function K of provided interface I. */
static void put_provided(const hk_gen *gen, const hk_genleaf *l, size_t i, size_t k,
                         const char *tail, hk_text *text) {
    const hk_genfunction *f = &hk_gen_interface(gen, l->leaf->provided[i].interface)->functions[k];
    size_t count;
    const char **items =
        hk_gen_arguments(gen, f, hk_arena_printf(gen->arena, "%s *self", l->c), &count);
    hk_text_call(text,
                 hk_arena_printf(gen->arena, "%s %s", hk_gen_ctype(gen, f->function->result),
                                 l->functions[i][k]),
                 items, count, tail);
}

void hk_gen_leaf_header(const hk_gen *gen, const hk_genleaf *l, hk_text *text) {
    hk_gen_head(gen, text, l->leaf->name, true);
    hk_text_put(text, "#ifndef %s_is_included\n#define %s_is_included\n\n#include \"%s.h\"\n\n",
                l->c, l->c, gen->name);
    put_region(text, "", "includes", "");
    hk_text_put(text, "\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n");
    put_options(l, text);
    put_struct(gen, l, text);
    for (size_t i = 0; i < HK_GEN_ENTRIES; i++) {
        size_t count;
        const char **items = entry_items(gen, l, i, &count);
        hk_text_call(text, entry_head(gen, l, i), items, count, ";\n");
    }
    hk_text_put(text, "extern const bool hkgen_ends_%s; /* something is to be freed */\n", l->c);
    for (size_t i = 0; i < l->leaf->provided_count; i++)
        for (size_t k = 0; k < l->leaf->provided[i].interface->function_count; k++)
            put_provided(gen, l, i, k, ";\n", text);
    hk_text_put(text, "\n#ifdef __cplusplus\n}\n#endif\n#endif\n");
}

/* ---- the skeleton -----------------------------------------------------------------------------
 */

static void put_entry(const hk_gen *gen, const hk_genleaf *l, size_t i, hk_text *text) {
    const hk_genentry *entry = &hk_gen_entries[i];
    size_t count;
    const char **items = entry_items(gen, l, i, &count);
    hk_text_put(text, "\n/* %s */\n", entry->what);
    hk_text_call(text, entry_head(gen, l, i), items, count, " {\n    (void)self;\n");
    if (strstr(entry->arguments, "double t"))
        hk_text_put(text, "    (void)t;\n");
    if (strstr(entry->arguments, "double h"))
        hk_text_put(text, "    (void)h;\n");
    put_region(text, "    ", entry->name, "");
    hk_text_put(text, "%s}\n", entry->returns ? "    return HK_STEP_OK;\n" : "");
}

/* What initialize has obtained is not part of a state, so a component that frees something cannot
 * be saved. Whether it does is known when it is compiled: the region has a line or it has none. */
static void put_end(const hk_gen *gen, const hk_genleaf *l, size_t i, hk_text *text) {
    size_t lines = 0;
    hk_text_put(text, "\n/* With no line of yours in the region below there is nothing to free,"
                      "\n * and the state of the component can be saved. */\nenum { ");
    size_t marked = text->size;
    hk_text_put(text, "hkgen_end_begins = __LINE__ };\n");
    put_entry(gen, l, i, text);
    for (size_t at = marked; at < text->size; at++)
        lines += text->data[at] == '\n';
    hk_text_put(text, "const bool hkgen_ends_%s = __LINE__ - hkgen_end_begins > %zu;\n", l->c,
                lines);
}

/* "pSource.getCurrent"; names that are none in C could be mistaken for a part of the mark. */
static const char *region_name(const hk_gen *gen, const hk_genleaf *l, size_t i, size_t k) {
    const char *service = l->leaf->provided[i].name;
    const char *function = l->leaf->provided[i].interface->functions[k].name;
    bool plain = strcmp(service, hk_c_word(gen->arena, service)) == 0 &&
                 strcmp(function, hk_c_word(gen->arena, function)) == 0;
    return plain ? hk_arena_printf(gen->arena, "%s.%s", service, function) : l->functions[i][k];
}

static void put_function(const hk_gen *gen, const hk_genleaf *l, size_t i, size_t k,
                         hk_text *text) {
    const hk_lang_service *service = &l->leaf->provided[i];
    const hk_genfunction *f = &hk_gen_interface(gen, service->interface)->functions[k];
    const hk_lang_type *result = f->function->result;
    hk_text_put(
        text, "\n/* %s, provided as %s. */\n",
        hk_gen_safe(gen->arena, hk_arena_printf(gen->arena, "%s.%s", service->interface->name,
                                                f->function->name)),
        hk_gen_safe(gen->arena, service->name));
    put_provided(gen, l, i, k, " {\n", text);
    bool plain =
        result->kind == HK_LANG_ENUM ||
        (result->kind == HK_LANG_BASIC && strcmp(hk_gen_ctype(gen, result), "hk_bytes") != 0);
    if (result->kind != HK_LANG_VOID)
        hk_text_put(text, "    %s result = %s;\n", hk_gen_ctype(gen, result), plain ? "0" : "{0}");
    hk_text_put(text, "    (void)self;\n");
    for (size_t a = 0; a < f->function->argument_count; a++)
        hk_text_put(text, "    (void)%s;\n", f->arguments[a]);
    put_region(text, "    ", region_name(gen, l, i, k), "");
    hk_text_put(text, "%s}\n", result->kind != HK_LANG_VOID ? "    return result;\n" : "");
}

void hk_gen_leaf_source(const hk_gen *gen, const hk_genleaf *l, hk_text *text) {
    hk_gen_head(gen, text, l->leaf->name, true);
    hk_text_put(text,
                "#include \"%s.h\"\n\n"
                "/* <hk/math.h>: hk_sin, hk_exp, hk_pow: the same bits on every machine. */\n",
                l->c);
    put_region(text, "", "includes", "");
    hk_text_put(text, "\n/* Functions of your own. */\n");
    put_region(text, "", "helpers", "");
    for (size_t i = 0; i < HK_GEN_ENTRIES; i++)
        (strcmp(hk_gen_entries[i].slot, "end") == 0 ? put_end : put_entry)(gen, l, i, text);
    for (size_t i = 0; i < l->leaf->provided_count; i++)
        for (size_t k = 0; k < l->leaf->provided[i].interface->function_count; k++)
            put_function(gen, l, i, k, text);
}
