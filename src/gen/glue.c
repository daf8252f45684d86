/* SPDX-License-Identifier: MIT
 *
 * PACKAGE_glue.c: the tables by which hocket knows the types. Its own names are numbered, so that
 * they never meet a name of the type file. */
#include "gen/gen_internal.h"

#include <string.h>

/* What a basic value inside a variable is: its name, and the way to it in C. */
typedef struct part_row {
    const hk_part *part;
    const char *name, *path;
} part_row;

typedef void part_fn(void *user, const part_row *row, size_t index);

typedef struct walker {
    const hk_gen *gen;
    const char *whole; /* name of the variable */
    const hk_part *parts;
    size_t next;
    part_fn *fn;
    void *user;
} walker;

/* "items[1][2]" of the element with this number. */
static const char *element_path(hk_arena *arena, const hk_lang_type *t, size_t number) {
    const char *text = "";
    for (size_t d = t->dim_count; d-- > 0; number /= t->dims[d])
        text = hk_arena_printf(arena, "[%zu]%s", number % t->dims[d], text);
    return hk_arena_printf(arena, "items%s", text);
}

static void walk(walker *w, const hk_lang_type *type, const char *path) {
    hk_arena *arena = w->gen->arena;
    if (type->kind == HK_LANG_RECORD) {
        const hk_gentype *t = hk_gen_type(w->gen, type);
        for (size_t i = 0; i < type->field_count; i++)
            walk(w, type->fields[i].type, hk_arena_printf(arena, "%s.%s", path, t->parts[i]));
        return;
    }
    bool flat = type->part_count == 1 && !*type->parts[0].name;
    if (type->kind == HK_LANG_ARRAY && !flat) {
        size_t total = 1;
        for (size_t i = 0; i < type->dim_count; i++)
            total *= type->dims[i];
        for (size_t i = 0; i < total; i++)
            walk(w, type->element,
                 hk_arena_printf(arena, "%s.%s", path, element_path(arena, type, i)));
        return;
    }
    const hk_part *part = &w->parts[w->next];
    const char *join = !*part->name || !*w->whole || *part->name == '[' ? "" : ".";
    part_row row = {part, hk_arena_printf(arena, "%s%s%s", w->whole, join, part->name), path};
    w->fn(w->user, &row, w->next++);
}

static void each_part(const hk_gen *gen, const hk_lang_type *type, const char *whole,
                      const char *path, part_fn *fn, void *user) {
    walker w = {gen, whole, type->parts, 0, fn, user};
    walk(&w, type, path);
}

static const char *type_word(hk_type type) {
    static const char *const words[HK_TYPE_COUNT] = {
        [HK_TYPE_F64] = "F64",       [HK_TYPE_F32] = "F32",   [HK_TYPE_I8] = "I8",
        [HK_TYPE_U8] = "U8",         [HK_TYPE_I16] = "I16",   [HK_TYPE_U16] = "U16",
        [HK_TYPE_I32] = "I32",       [HK_TYPE_U32] = "U32",   [HK_TYPE_I64] = "I64",
        [HK_TYPE_U64] = "U64",       [HK_TYPE_BOOL] = "BOOL", [HK_TYPE_STRING] = "STRING",
        [HK_TYPE_BINARY] = "BINARY", [HK_TYPE_ENUM] = "ENUM",
    };
    return words[type];
}

static void put_optional(hk_text *text, const char *slot, const char *value) {
    if (!value)
        return;
    hk_text_put(text, ", .%s = ", slot);
    hk_text_literal(text, value);
}

/* ---- interfaces -------------------------------------------------------------------------------
 */

typedef struct field_writer {
    hk_text *text;
    const char *c_type, *unit;
} field_writer;

static void put_field(void *user, const part_row *row, size_t index) {
    field_writer *w = user;
    (void)index;
    hk_text_put(w->text, "    {.name = ");
    hk_text_literal(w->text, row->name);
    hk_text_put(w->text,
                ", .type = HK_TYPE_%s, .count = %zu, .offset = ", type_word(row->part->type),
                row->part->count);
    /* the path begins with the dot that a record puts before its field */
    if (*row->path)
        hk_text_put(w->text, "offsetof(%s, %s)", w->c_type, row->path + 1);
    else
        hk_text_put(w->text, "0");
    put_optional(w->text, "unit", row->part->unit ? row->part->unit : w->unit);
    hk_text_put(w->text, "},\n");
}

/* The fields of one argument or result, as a table called NAME, if it has any. */
static void put_fields(const hk_gen *gen, hk_text *text, const char *name, const hk_lang_type *type,
                       const char *unit) {
    field_writer w = {text, hk_gen_ctype(gen, type), unit};
    if (!type->part_count)
        return;
    hk_text_put(text, "static const hk_field %s[] = {\n", name);
    each_part(gen, type, "", "", put_field, &w);
    hk_text_put(text, "};\n");
}

static void put_argument(const hk_gen *gen, hk_text *text, const char *fields, const char *name,
                         const hk_lang_type *type) {
    hk_text_put(text, "{.name = ");
    hk_text_literal(text, name);
    hk_text_put(text, ", .size = sizeof(%s), .fields = %s, .field_count = %zu}",
                hk_gen_ctype(gen, type), type->part_count ? fields : "NULL", type->part_count);
}

/* How the function K of interface N is called by name. */
static void put_stub(const hk_gen *gen, hk_text *text, const hk_geninterface *entry, size_t n,
                     size_t k) {
    const hk_genfunction *f = &entry->functions[k];
    const hk_lang_function *function = f->function;
    bool returns = function->result->kind != HK_LANG_VOID;
    hk_text_put(text,
                "static void hkgen_call%zu_%zu(const void *functions, void *self,\n"
                "    const void *const *arguments, void *result) {\n",
                n, k);
    if (!function->argument_count)
        hk_text_put(text, "    (void)arguments;\n");
    if (returns)
        hk_text_put(text, "    *(%s *)result = ", hk_gen_ctype(gen, function->result));
    else
        hk_text_put(text, "    (void)result;\n    ");
    hk_text_put(text, "((const %s *)functions)->%s(self", entry->c, f->c);
    for (size_t i = 0; i < function->argument_count; i++)
        hk_text_put(text, ",\n        *(const %s *)arguments[%zu]",
                    hk_gen_ctype(gen, function->arguments[i].type), i);
    hk_text_put(text, ");\n}\n");
}

/* What stands in for it while the provider is stopped. */
static void put_stopped(const hk_gen *gen, hk_text *text, const hk_genfunction *f, size_t n,
                        size_t k) {
    const hk_lang_type *result = f->function->result;
    size_t count;
    const char **items = hk_gen_arguments(gen, f, "void *self", &count);
    hk_text_call(text,
                 hk_arena_printf(gen->arena, "static %s hkgen_stopped%zu_%zu",
                                 hk_gen_ctype(gen, result), n, k),
                 items, count, " {\n");
    for (size_t i = 0; i < f->function->argument_count; i++)
        hk_text_put(text, "    (void)%s;\n", f->arguments[i]);
    hk_text_put(text, "    hk_service_stopped(self);\n");
    if (result->kind != HK_LANG_VOID)
        hk_text_put(text, "    static const %s zero;\n    return zero;\n",
                    hk_gen_ctype(gen, result));
    hk_text_put(text, "}\n");
}

static void put_function(const hk_gen *gen, hk_text *text, const hk_geninterface *entry, size_t n,
                         size_t k) {
    const hk_lang_function *function = entry->functions[k].function;
    hk_arena *arena = gen->arena;
    for (size_t i = 0; i < function->argument_count; i++)
        put_fields(gen, text, hk_arena_printf(arena, "hkgen_fields%zu_%zu_%zu", n, k, i),
                   function->arguments[i].type, function->arguments[i].unit);
    if (function->argument_count)
        hk_text_put(text, "static const hk_argument hkgen_arguments%zu_%zu[] = {\n", n, k);
    for (size_t i = 0; i < function->argument_count; i++) {
        hk_text_put(text, "    ");
        put_argument(gen, text, hk_arena_printf(arena, "hkgen_fields%zu_%zu_%zu", n, k, i),
                     function->arguments[i].name, function->arguments[i].type);
        hk_text_put(text, ",\n");
    }
    if (function->argument_count)
        hk_text_put(text, "};\n");
    if (function->result->kind != HK_LANG_VOID) {
        const char *fields = hk_arena_printf(arena, "hkgen_result_fields%zu_%zu", n, k);
        put_fields(gen, text, fields, function->result, NULL);
        hk_text_put(text, "static const hk_argument hkgen_result%zu_%zu = ", n, k);
        put_argument(gen, text, fields, "", function->result);
        hk_text_put(text, ";\n");
    }
    put_stub(gen, text, entry, n, k);
    put_stopped(gen, text, &entry->functions[k], n, k);
}

static void put_interface(const hk_gen *gen, hk_text *text, const hk_geninterface *entry,
                          size_t n) {
    size_t count = entry->interface->function_count;
    hk_text_put(text, "\n/* Interface %s. */\n", hk_gen_safe(gen->arena, entry->interface->name));
    for (size_t k = 0; k < count; k++)
        put_function(gen, text, entry, n, k);
    if (count)
        hk_text_put(text, "static const hk_function hkgen_functions%zu[] = {\n", n);
    for (size_t k = 0; k < count; k++) {
        const hk_lang_function *function = entry->functions[k].function;
        hk_text_put(text, "    {.name = ");
        hk_text_literal(text, function->name);
        if (function->argument_count)
            hk_text_put(text, ", .arguments = hkgen_arguments%zu_%zu, .argument_count = %zu", n, k,
                        function->argument_count);
        if (function->result->kind != HK_LANG_VOID)
            hk_text_put(text, ", .result = &hkgen_result%zu_%zu", n, k);
        hk_text_put(text, ", .call = hkgen_call%zu_%zu},\n", n, k);
    }
    if (count)
        hk_text_put(text, "};\n");
    hk_text_put(text, "static const %s hkgen_stopped%zu = {\n", entry->c, n);
    for (size_t k = 0; k < count; k++)
        hk_text_put(text, "    .%s = hkgen_stopped%zu_%zu,\n", entry->functions[k].c, n, k);
    hk_text_put(text, "%s};\nstatic const hk_interface hkgen_interface%zu = {\n    .name = ",
                count ? "" : "    .empty = 0,\n", n);
    hk_text_literal(text, entry->interface->name);
    hk_text_put(text, ",\n    .signature = ");
    hk_text_literal(text, entry->interface->signature);
    if (count)
        hk_text_put(text, ",\n    .functions = hkgen_functions%zu, .function_count = %zu", n,
                    count);
    hk_text_put(text, ",\n    .stopped = &hkgen_stopped%zu,\n};\n", n);
}

/* ---- leaf types -------------------------------------------------------------------------------
 */

typedef struct port_writer {
    const hk_gen *gen;
    hk_text *text;
    const hk_lang_var *var;
    const char *c, *causality, *depends; /* depends: macro; NULL: no output */
    const hk_value *starts;              /* per part; NULL: none */
    bool tunable;
    size_t *count;
} port_writer;

static void put_port(void *user, const part_row *row, size_t index) {
    port_writer *w = user;
    const hk_part *part = row->part;
    const char *frame = part->frame ? part->frame : w->var->frame;
    hk_arena *arena = w->gen->arena;
    hk_text_put(w->text, "    {.name = ");
    hk_text_literal(w->text, row->name);
    hk_text_put(w->text, ", .offset = offsetof(%s, %s), .causality = %s, .type = HK_TYPE_%s", w->c,
                row->path, w->causality, type_word(part->type));
    if (part->count > 1)
        hk_text_put(w->text, ", .count = %zu", part->count);
    put_optional(w->text, "unit", part->unit ? part->unit : w->var->unit);
    if (w->starts)
        put_optional(w->text, "start", hk_value_format_all(arena, &w->starts[index]));
    if (w->depends)
        hk_text_put(w->text, ", .depends_on = %s", w->depends);
    if (frame)
        put_optional(w->text, "description", hk_arena_printf(arena, "frame %s", frame));
    hk_text_put(w->text, "%s},\n", w->tunable ? ", .tunable = true" : "");
    ++*w->count;
}

static hk_status put_ports(port_writer *w, const hk_genleaf *l, const hk_lang_var *vars,
                           const char *const *names, size_t count) {
    const hk_gen *gen = w->gen;
    for (size_t i = 0; i < count; i++) {
        const hk_lang_var *var = &vars[i];
        hk_value *starts = NULL;
        if (var->start.kind != HK_LITERAL_NONE) {
            starts = HK_NEW_ARRAY(gen->arena, hk_value, var->type->part_count + 1);
            HK_TRY(hk_literal_value(gen->ctx, gen->arena, l->leaf->file, &var->start,
                                    (hk_typed){var->type, var->unit}, starts));
        }
        w->var = var;
        w->starts = starts;
        w->depends = w->causality[3] == 'O' ? l->depends[i] : NULL;
        each_part(gen, var->type, var->name, names[i], put_port, w);
    }
    return HK_OK;
}

static hk_status put_port_table(const hk_gen *gen, const hk_genleaf *l, size_t n, hk_text *text,
                                size_t *ret_count) {
    const hk_lang_leaf *leaf = l->leaf;
    hk_text rows = {0};
    size_t count = 0;
    port_writer w = {
        .gen = gen, .text = &rows, .c = l->c, .causality = "HK_INPUT", .count = &count};
    hk_status status = put_ports(&w, l, leaf->inputs, l->inputs, leaf->input_count);
    w.causality = "HK_OUTPUT";
    if (status == HK_OK)
        status = put_ports(&w, l, leaf->outputs, l->outputs, leaf->output_count);
    w.causality = "HK_PARAMETER";
    w.tunable = true;
    if (status == HK_OK)
        status = put_ports(&w, l, leaf->parameters, l->parameters, leaf->parameter_count);
    if (count)
        hk_text_put(text, "static const hk_port hkgen_ports%zu[] = {\n%s};\n", n, rows.data);
    hk_text_finish(&rows);
    *ret_count = count;
    return status;
}

static void put_entries(const hk_genleaf *l, size_t n, hk_text *text) {
    for (size_t i = 0; i < HK_GEN_ENTRIES; i++) {
        const hk_genentry *entry = &hk_gen_entries[i];
        bool two = strstr(entry->arguments, "double h") != NULL;
        const char *values = two ? ", t, h" : *entry->arguments ? ", t" : "";
        hk_text_put(text,
                    "static %s hkgen_%s%zu(void *self%s%s) {\n"
                    "    %s%s((%s *)self%s);\n}\n",
                    entry->returns ? "int" : "void", entry->slot, n, *entry->arguments ? ", " : "",
                    entry->arguments, entry->returns ? "return " : "", l->entries[i], l->c, values);
    }
}

/* The functions of provided interface I with any component as their first argument. */
static void put_provided(const hk_gen *gen, const hk_genleaf *l, size_t n, size_t i,
                         hk_text *text) {
    const hk_geninterface *entry = hk_gen_interface(gen, l->leaf->provided[i].interface);
    size_t function_count = entry->interface->function_count;
    for (size_t k = 0; k < function_count; k++) {
        const hk_genfunction *f = &entry->functions[k];
        size_t count;
        const char **items = hk_gen_arguments(gen, f, "void *self", &count);
        hk_text_call(text,
                     hk_arena_printf(gen->arena, "static %s hkgen_provided%zu_%zu_%zu",
                                     hk_gen_ctype(gen, f->function->result), n, i, k),
                     items, count, " {\n");
        bool returns = f->function->result->kind != HK_LANG_VOID;
        hk_text_put(text, "    %s%s((%s *)self", returns ? "return " : "", l->functions[i][k],
                    l->c);
        for (size_t a = 0; a < f->function->argument_count; a++)
            hk_text_put(text, ", %s", f->arguments[a]);
        hk_text_put(text, ");\n}\n");
    }
    hk_text_put(text, "static const %s hkgen_provided%zu_%zu = {\n", entry->c, n, i);
    for (size_t k = 0; k < function_count; k++)
        hk_text_put(text, "    .%s = hkgen_provided%zu_%zu_%zu,\n", entry->functions[k].c, n, i, k);
    hk_text_put(text, "%s};\n", function_count ? "" : "    .empty = 0,\n");
}

static size_t interface_number(const hk_gen *gen, const hk_lang_interface *interface) {
    return (size_t)(hk_gen_interface(gen, interface) - gen->interfaces);
}

static void put_services(const hk_gen *gen, const hk_genleaf *l, size_t n, hk_text *text) {
    const hk_lang_leaf *leaf = l->leaf;
    for (size_t i = 0; i < leaf->provided_count; i++)
        put_provided(gen, l, n, i, text);
    if (leaf->provided_count + leaf->required_count == 0)
        return;
    hk_text_put(text, "static const hk_service hkgen_services%zu[] = {\n", n);
    for (size_t i = 0; i < leaf->provided_count; i++) {
        hk_text_put(text, "    {.name = ");
        hk_text_literal(text, leaf->provided[i].name);
        hk_text_put(text,
                    ", .interface = &hkgen_interface%zu, .functions = &hkgen_provided%zu_%zu},\n",
                    interface_number(gen, leaf->provided[i].interface), n, i);
    }
    for (size_t i = 0; i < leaf->required_count; i++) {
        hk_text_put(text, "    {.name = ");
        hk_text_literal(text, leaf->required[i].name);
        hk_text_put(text, ", .interface = &hkgen_interface%zu, .offset = offsetof(%s, %s)},\n",
                    interface_number(gen, leaf->required[i].interface), l->c, l->required[i]);
    }
    hk_text_put(text, "};\n");
}

static hk_status put_leaf(const hk_gen *gen, const hk_genleaf *l, size_t n, hk_text *text) {
    size_t ports = 0, services = l->leaf->provided_count + l->leaf->required_count;
    hk_text_put(text, "\n/* Leaf type %s. */\n", hk_gen_safe(gen->arena, l->leaf->name));
    HK_TRY(put_port_table(gen, l, n, text, &ports));
    size_t domains = hk_gen_domains(gen, l, n, text);
    put_services(gen, l, n, text);
    hk_text_put(text,
                "#define STREAM_ROW(field) {.name = #field, .offset = offsetof(%s, field)},\n"
                "static const hk_stream_field hkgen_streams%zu[] = {%s(STREAM_ROW) {0}};\n"
                "#undef STREAM_ROW\n",
                l->c, n, l->streams);
    put_entries(l, n, text);
    hk_text_put(text,
                "static const hk_unit_type hkgen_type%zu = {\n"
                "    .abi = HK_UNIT_ABI,\n"
                "    .size = sizeof(hk_unit_type),\n    .name = ",
                n);
    hk_text_literal(text, l->leaf->name);
    hk_text_put(text, ",\n    .instance_size = sizeof(%s),\n    .stamp = %s,\n", l->c,
                l->leaf->stamp == HK_STAMP_START ? "HK_STAMP_START" : "HK_STAMP_END");
    if (ports)
        hk_text_put(text, "    .ports = hkgen_ports%zu,\n    .port_count = %zu,\n", n, ports);
    if (domains)
        hk_text_put(text, "    .domains = hkgen_domains%zu,\n    .domain_count = %zu,\n", n,
                    domains);
    if (services)
        hk_text_put(text, "    .services = hkgen_services%zu,\n    .service_count = %zu,\n", n,
                    services);
    hk_text_put(text,
                "    .streams = hkgen_streams%zu,\n"
                "    .stream_count = sizeof hkgen_streams%zu / sizeof *hkgen_streams%zu - 1,\n",
                n, n, n);
    for (size_t i = 0; i < HK_GEN_ENTRIES; i++)
        hk_text_put(text, "    .%s = hkgen_%s%zu,\n", hk_gen_entries[i].slot,
                    hk_gen_entries[i].slot, n);
    hk_text_put(text, "    .end_frees = &hkgen_ends_%s,\n};\n", l->c);
    return HK_OK;
}

hk_status hk_gen_glue(const hk_gen *gen, hk_text *text) {
    hk_gen_head(gen, text, NULL, false);
    hk_text_put(text, "/* clang-format off */\n#include \"%s.h\"\n", gen->name);
    for (size_t i = 0; i < gen->leaf_count; i++)
        hk_text_put(text, "#include \"%s.h\"\n", gen->leaves[i].c);
    for (size_t i = 0; i < gen->interface_count; i++)
        if (gen->interfaces[i].used)
            put_interface(gen, text, &gen->interfaces[i], i);
    hk_gen_enums(gen, text);
    for (size_t i = 0; i < gen->leaf_count; i++)
        HK_TRY(put_leaf(gen, &gen->leaves[i], i, text));
    hk_text_put(text, "\nHK_EXPORT const hk_unit_type *const *hk_plugin(void) {\n"
                      "    static const hk_unit_type *const types[] = {\n");
    for (size_t i = 0; i < gen->leaf_count; i++)
        hk_text_put(text, "        &hkgen_type%zu,\n", i);
    hk_text_put(text, "        NULL,\n    };\n    return types;\n}\n");
    return HK_OK;
}
