/* SPDX-License-Identifier: MIT
 *
 * What is generated: the leaf types of the file, the interfaces and data types that it declares or
 * that they use, wherever those are declared, and what all of it is called in C. */
#include "base/file.h"
#include "gen/gen_internal.h"

#include <string.h>

#define FILE_BYTES_MAX ((size_t)64 << 20)

const hk_genentry hk_gen_entries[HK_GEN_ENTRIES] = {
    {"initialize", "init", "double t", true,
     "Called once, when parameters and start values are in place; t is the\n"
     " * first activation."},
    {"output", "output", "double t", true,
     "Computes the outputs from state and inputs without advancing, for the\n"
     " * exchange of initial values; called again whenever an input changed there."},
    {"doStep", "step", "double t, double h", true,
     "One activation: reads the inputs, advances from t to t + h, writes the\n"
     " * outputs."},
    {"start", "start", "double t", true, "It is started again by a scenario."},
    {"stop", "stop", "double t", true,
     "It is stopped by a scenario; doStep is not called from here on."},
    {"end", "end", "", false, "Frees what initialize obtained."},
};

/* ---- names ------------------------------------------------------------------------------------
 */

/* A name in C for NAME; if it is another one than PLAIN would be, the report says so. */
static const char *take_name(hk_gen *gen, hk_scope *scope, const char *name, const char *wanted) {
    const char *c = hk_scope_name(gen->arena, scope, wanted);
    if (strcmp(c, wanted) != 0) {
        hk_gen_name row = {name, c};
        HK_PUSH(gen->report->names, gen->report->name_count, gen->report->name_cap, row);
    }
    return c;
}

static const char *with_dots_replaced(hk_arena *arena, const char *name) {
    char *text = hk_arena_strdup(arena, name);
    for (char *c = text; *c; c++)
        if (*c == '.')
            *c = '_';
    return text;
}

static const char *global_name(hk_gen *gen, const char *name) {
    return take_name(gen, &gen->scope, name, with_dots_replaced(gen->arena, name));
}

static const char *derived_name(hk_gen *gen, const char *of, const char *part) {
    const char *wanted = hk_arena_printf(gen->arena, "%s_%s", of, hk_c_word(gen->arena, part));
    return take_name(gen, &gen->scope, wanted, wanted);
}

static const char *member_name(hk_gen *gen, hk_scope *scope, const char *owner, const char *name) {
    return take_name(gen, scope, hk_arena_printf(gen->arena, "%s.%s", owner, name), name);
}

/* ---- data types -------------------------------------------------------------------------------
 */

static void name_members(hk_gen *gen, hk_gentype *t) {
    const hk_lang_type *type = t->type;
    hk_scope members = {0};
    if (type->kind == HK_LANG_RECORD) {
        t->parts = HK_NEW_ARRAY(gen->arena, const char *, type->field_count + 1);
        for (size_t i = 0; i < type->field_count; i++)
            t->parts[i] = member_name(gen, &members, type->name, type->fields[i].name);
    } else if (type->kind == HK_LANG_ENUM) {
        t->parts = HK_NEW_ARRAY(gen->arena, const char *, type->items->item_count + 1);
        for (size_t i = 0; i < type->items->item_count; i++)
            t->parts[i] = derived_name(gen, t->c, type->items->item_names[i]);
    }
    hk_scope_finish(&members);
}

/* What a type consists of comes before it. */
static void add_type(hk_gen *gen, const hk_lang_type *type) {
    if (type->kind == HK_LANG_BASIC || type->kind == HK_LANG_VOID ||
        hk_map_get(&gen->type_index, type->name) != HK_MAP_NONE)
        return;
    for (size_t i = 0; i < type->field_count; i++)
        add_type(gen, type->fields[i].type);
    if (type->kind == HK_LANG_ARRAY)
        add_type(gen, type->element);
    hk_gentype t = {.type = type, .c = global_name(gen, type->name)};
    name_members(gen, &t);
    hk_map_put(&gen->type_index, type->name, (uint32_t)gen->gentype_count);
    HK_PUSH(gen->gentypes, gen->gentype_count, gen->gentype_cap, t);
}

const hk_gentype *hk_gen_type(const hk_gen *gen, const hk_lang_type *type) {
    uint32_t i = hk_map_get(&gen->type_index, type->name);
    return i == HK_MAP_NONE ? NULL : &gen->gentypes[i];
}

const char *hk_gen_ctype(const hk_gen *gen, const hk_lang_type *type) {
    static const char *const basics[HK_TYPE_COUNT] = {
        [HK_TYPE_F64] = "double",      [HK_TYPE_F32] = "float",    [HK_TYPE_I8] = "int8_t",
        [HK_TYPE_U8] = "uint8_t",      [HK_TYPE_I16] = "int16_t",  [HK_TYPE_U16] = "uint16_t",
        [HK_TYPE_I32] = "int32_t",     [HK_TYPE_U32] = "uint32_t", [HK_TYPE_I64] = "int64_t",
        [HK_TYPE_U64] = "uint64_t",    [HK_TYPE_BOOL] = "bool",    [HK_TYPE_STRING] = "hk_bytes",
        [HK_TYPE_BINARY] = "hk_bytes",
    };
    if (type->kind == HK_LANG_VOID)
        return "void";
    return type->kind == HK_LANG_BASIC ? basics[type->basic] : hk_gen_type(gen, type)->c;
}

/* ---- interfaces -------------------------------------------------------------------------------
 */

static void name_function(hk_gen *gen, const hk_geninterface *owner, hk_scope *members,
                          const hk_lang_function *function, hk_genfunction *f) {
    const char *full = hk_arena_printf(gen->arena, "%s.%s", owner->interface->name, function->name);
    hk_scope arguments = {0};
    f->function = function;
    f->c = member_name(gen, members, owner->interface->name, function->name);
    f->caller = derived_name(gen, owner->c, function->name);
    f->arguments = HK_NEW_ARRAY(gen->arena, const char *, function->argument_count + 1);
    /* these are beside the arguments in the generated functions */
    static const char *const own[] = {"self", "to", "result"};
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        hk_map_put(&arguments.taken, own[i], 0);
    for (size_t i = 0; i < function->argument_count; i++)
        f->arguments[i] = member_name(gen, &arguments, full, function->arguments[i].name);
    hk_scope_finish(&arguments);
}

/* Its number: the table may move when it grows. */
static size_t add_interface(hk_gen *gen, const hk_lang_interface *interface) {
    uint32_t there = hk_map_get(&gen->interface_index, interface->name);
    if (there != HK_MAP_NONE)
        return there;
    hk_geninterface entry = {.interface = interface, .c = global_name(gen, interface->name)};
    entry.binding = derived_name(gen, entry.c, "binding");
    entry.functions = HK_NEW_ARRAY(gen->arena, hk_genfunction, interface->function_count + 1);
    hk_scope members = {0};
    for (size_t i = 0; i < interface->function_count; i++) {
        const hk_lang_function *function = &interface->functions[i];
        name_function(gen, &entry, &members, function, &entry.functions[i]);
        add_type(gen, function->result);
        for (size_t k = 0; k < function->argument_count; k++)
            add_type(gen, function->arguments[k].type);
    }
    hk_scope_finish(&members);
    hk_map_put(&gen->interface_index, interface->name, (uint32_t)gen->interface_count);
    HK_PUSH(gen->interfaces, gen->interface_count, gen->interface_cap, entry);
    return gen->interface_count - 1;
}

const hk_geninterface *hk_gen_interface(const hk_gen *gen, const hk_lang_interface *interface) {
    return &gen->interfaces[hk_map_get(&gen->interface_index, interface->name)];
}

const char **hk_gen_arguments(const hk_gen *gen, const hk_genfunction *f, const char *first,
                              size_t *ret_count) {
    size_t count = f->function->argument_count;
    const char **items = HK_NEW_ARRAY(gen->arena, const char *, count + 1);
    items[0] = first;
    for (size_t i = 0; i < count; i++)
        items[i + 1] =
            hk_arena_printf(gen->arena, "%s %s", hk_gen_ctype(gen, f->function->arguments[i].type),
                            f->arguments[i]);
    *ret_count = count + 1;
    return items;
}

/* ---- leaf types -------------------------------------------------------------------------------
 */

static const char **name_ports(hk_gen *gen, hk_scope *fields, const char *owner,
                               const hk_lang_var *vars, size_t count) {
    const char **names = HK_NEW_ARRAY(gen->arena, const char *, count + 1);
    for (size_t i = 0; i < count; i++) {
        names[i] = member_name(gen, fields, owner, vars[i].name);
        add_type(gen, vars[i].type);
    }
    return names;
}

static void name_services(hk_gen *gen, hk_genleaf *l, hk_scope *fields) {
    const hk_lang_leaf *leaf = l->leaf;
    l->required = HK_NEW_ARRAY(gen->arena, const char *, leaf->required_count + 1);
    for (size_t i = 0; i < leaf->required_count; i++) {
        l->required[i] = member_name(gen, fields, leaf->name, leaf->required[i].name);
        size_t number = add_interface(gen, leaf->required[i].interface);
        gen->interfaces[number].used = true;
    }
    l->provided = HK_NEW_ARRAY(gen->arena, const char *, leaf->provided_count + 1);
    l->functions = HK_NEW_ARRAY(gen->arena, const char **, leaf->provided_count + 1);
    for (size_t i = 0; i < leaf->provided_count; i++) {
        const hk_lang_interface *interface = leaf->provided[i].interface;
        l->provided[i] = derived_name(gen, l->c, leaf->provided[i].name);
        size_t number = add_interface(gen, interface);
        gen->interfaces[number].used = true;
        l->functions[i] = HK_NEW_ARRAY(gen->arena, const char *, interface->function_count + 1);
        for (size_t k = 0; k < interface->function_count; k++)
            l->functions[i][k] = derived_name(gen, l->provided[i], interface->functions[k].name);
    }
}

static void name_leaf(hk_gen *gen, hk_genleaf *l) {
    const hk_lang_leaf *leaf = l->leaf;
    hk_scope fields = {0};
    hk_map_put(&fields.taken, "user", 0);
    l->user = derived_name(gen, l->c, "user");
    l->entries = HK_NEW_ARRAY(gen->arena, const char *, HK_GEN_ENTRIES);
    for (size_t i = 0; i < HK_GEN_ENTRIES; i++)
        l->entries[i] = derived_name(gen, l->c, hk_gen_entries[i].name);
    l->inputs = name_ports(gen, &fields, leaf->name, leaf->inputs, leaf->input_count);
    l->outputs = name_ports(gen, &fields, leaf->name, leaf->outputs, leaf->output_count);
    l->parameters = name_ports(gen, &fields, leaf->name, leaf->parameters, leaf->parameter_count);
    name_services(gen, l, &fields);
    l->streams = derived_name(gen, l->c, "STREAMS");
    l->depends = HK_NEW_ARRAY(gen->arena, const char *, leaf->output_count + 1);
    for (size_t i = 0; i < leaf->output_count; i++)
        l->depends[i] = derived_name(
            gen, l->c, hk_arena_printf(gen->arena, "DEPENDS_%s", leaf->outputs[i].name));
    hk_scope_finish(&fields);
}

static bool is_wanted(const hk_gen *gen, const hk_lang_leaf *leaf) {
    const hk_gen_options *o = gen->options;
    bool by_suffix;
    for (size_t i = 0; i < o->leaf_count; i++)
        if (hk_types_find_leaf(gen->types, o->leaves[i], &by_suffix) == leaf)
            return true;
    return o->leaf_count == 0;
}

/* Its behaviour is a model or a table, so that there is nothing to write in C. */
static bool is_elsewhere(const hk_gen *gen, const hk_lang_leaf *leaf) {
    const char *extension = leaf->behaviour ? hk_path_extension(leaf->behaviour) : "";
    return gen->options->leaf_count == 0 && *extension && strncmp(extension, ".so", 3) != 0;
}

static bool is_own(const hk_gen *gen, const char *file) {
    return strcmp(file, gen->options->types) == 0;
}

/* Among the names without their package. */
static const char *closest_leaf(const hk_gen *gen, const char *name) {
    size_t count = hk_types_leaf_count(gen->types);
    const char **names = HK_NEW_ARRAY(gen->arena, const char *, count + 1);
    for (size_t i = 0; i < count; i++) {
        const char *full = hk_types_leaf(gen->types, i)->name, *dot = strrchr(full, '.');
        names[i] = dot && !strchr(name, '.') ? dot + 1 : full;
    }
    return hk_closest(name, names, count);
}

static hk_status check_wanted(const hk_gen *gen) {
    const hk_gen_options *o = gen->options;
    for (size_t i = 0; i < o->leaf_count; i++) {
        bool by_suffix;
        const hk_lang_leaf *leaf = hk_types_find_leaf(gen->types, o->leaves[i], &by_suffix);
        const char *closest = closest_leaf(gen, o->leaves[i]);
        if (leaf && is_own(gen, leaf->file))
            continue;
        return hk_error(gen->ctx, HK_E_NAME, (hk_where){.file = o->types},
                        leaf ? hk_arena_printf(gen->arena, "it is declared in '%s'", leaf->file)
                             : hk_hint_name(gen->arena, closest, NULL),
                        "the file declares no leaf type '%s', or more than one", o->leaves[i]);
    }
    return HK_OK;
}

/* Leaf types get their names first: these are the names of files, too, and must not change when
 * something else is declared. */
static void collect_leaves(hk_gen *gen) {
    size_t count = hk_types_leaf_count(gen->types);
    hk_map_put(&gen->scope.taken, hk_arena_printf(gen->arena, "%s_glue", gen->name), 0);
    for (size_t i = 0; i < count; i++) {
        const hk_lang_leaf *leaf = hk_types_leaf(gen->types, i);
        if (!is_own(gen, leaf->file))
            continue;
        hk_genleaf l = {.leaf = leaf, .c = global_name(gen, leaf->name)};
        hk_map_put(&gen->all_leaves.taken, l.c, 0);
        if (!is_wanted(gen, leaf))
            continue;
        if (is_elsewhere(gen, leaf))
            hk_note(gen->ctx, leaf->where, "'%s' is left out: its behaviour is '%s'", leaf->name,
                    leaf->behaviour);
        else
            HK_PUSH(gen->leaves, gen->leaf_count, gen->leaf_cap, l);
    }
    for (size_t i = 0; i < gen->leaf_count; i++)
        name_leaf(gen, &gen->leaves[i]);
}

/* ---- the file ---------------------------------------------------------------------------------
 */

static void collect_declared(hk_gen *gen, const hk_typefile *tree, const char *stem) {
    const char *package = stem;
    bool by_suffix;
    for (size_t i = 0; i < tree->declaration_count; i++) {
        const hk_declaration *d = &tree->declarations[i];
        package = *d->name.text ? d->name.text : package;
        for (size_t s = 0; s < d->section_count; s++)
            for (size_t k = 0; k < d->sections[s].count; k++) {
                hk_typesection_kind kind = d->sections[s].kind;
                const char *name =
                    kind == HK_SECTION_DATATYPES    ? d->sections[s].datatypes[k].name.text
                    : kind == HK_SECTION_INTERFACES ? d->sections[s].interfaces[k].name.text
                                                    : "";
                const char *full = hk_arena_printf(gen->arena, "%s.%s", package, name);
                if (kind == HK_SECTION_DATATYPES)
                    add_type(gen, hk_types_find_type(gen->types, full, &by_suffix));
                else if (kind == HK_SECTION_INTERFACES)
                    add_interface(gen, hk_types_find_interface(gen->types, full, &by_suffix));
            }
    }
}

/* The package that the file declares first names the plugin. */
static hk_status collect(hk_gen *gen, const char *data, size_t size) {
    const char *path = gen->options->types;
    const char *stem = hk_path_name(path);
    stem = hk_arena_strndup(gen->arena, stem, strlen(stem) - strlen(hk_path_extension(stem)));
    hk_ctx *said = hk_ctx_create(NULL, NULL); /* the reader has reported all there is */
    hk_typefile *tree = NULL;
    hk_status status = hk_types_parse(said, gen->arena, path, data, size, &tree);
    hk_ctx_destroy(said);
    if (status != HK_OK)
        return hk_error(gen->ctx, status, (hk_where){.file = path}, NULL,
                        "the file changed while it was read");
    gen->source = hk_path_name(path);
    gen->package = stem;
    if (tree->declaration_count && *tree->declarations[0].name.text)
        gen->package = tree->declarations[0].name.text;
    hk_scope files = {0};
    gen->name = take_name(gen, &files, gen->package, with_dots_replaced(gen->arena, gen->package));
    hk_scope_finish(&files);
    HK_TRY(check_wanted(gen));
    collect_leaves(gen);
    collect_declared(gen, tree, stem);
    return HK_OK;
}

hk_status hk_gen_collect(hk_gen *gen) {
    gen->types = hk_types_create();
    HK_TRY(hk_types_read(gen->ctx, gen->types, gen->options->types, HK_NOWHERE));
    char *data = NULL;
    size_t size = 0;
    HK_TRY(hk_file_read(gen->ctx, gen->options->types, FILE_BYTES_MAX, &data, &size));
    /* Trees point into their text. */
    char *kept = hk_arena_strndup(gen->arena, data, size);
    hk_free(data);
    return collect(gen, kept, size);
}

void hk_gen_finish(hk_gen *gen) {
    hk_types_destroy(gen->types);
    hk_scope_finish(&gen->scope);
    hk_scope_finish(&gen->all_leaves);
    hk_map_finish(&gen->type_index);
    hk_map_finish(&gen->interface_index);
    hk_free(gen->gentypes);
    hk_free(gen->interfaces);
    hk_free(gen->leaves);
}
