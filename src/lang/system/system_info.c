/* SPDX-License-Identifier: MIT
 *
 * Leaf types without behaviour: a system of them can be checked, not run. */
#include "lang/system/system_internal.h"

#include "model/unit.h"

#include <hk/service.h>

#include <math.h>
#include <string.h>

enum { SHOWN_MAX = 6 };

/* All leaf types of a system that have no behaviour; said at once. */
typedef struct hk_missing {
    hk_arena *arena; /* of the model */
    const char *plugins, *hint;
    const char **names;
    size_t count, cap;
    hk_where where;
    bool told;
} hk_missing;

static void release_missing(void *object) {
    hk_free(((hk_missing *)object)->names);
}

static hk_status tell(hk_ctx *ctx, const hk_info *info) {
    hk_missing *m = info->origin;
    /* One message for all of them: they are missing for one reason. */
    if (m->told)
        return HK_E_PLUGIN;
    m->told = true;
    const char *list = "";
    for (size_t i = 0; i < m->count && i < SHOWN_MAX; i++)
        list = hk_arena_printf(m->arena, "%s%s'%s'", list, i ? ", " : "", m->names[i]);
    if (m->count > SHOWN_MAX)
        list = hk_arena_printf(m->arena, "%s and %zu more", list, m->count - SHOWN_MAX);
    return hk_error(ctx, HK_E_PLUGIN, m->where,
                    m->hint ? m->hint
                            : "'hocket gen' makes a skeleton; name the plugin in the system: "
                              "plugin \"x.so\";",
                    "no behaviour: %s %s", m->plugins, list);
}

static hk_status missing_open(hk_ctx *ctx, const hk_info *info, const hk_unit_options *options,
                              hk_unit **ret_unit) {
    (void)options;
    (void)ret_unit;
    return tell(ctx, info);
}

static const hk_unit_class missing_class = {.can_open = tell, .open = missing_open};

/* ---- interfaces -------------------------------------------------------------------------------
 */

typedef struct extent {
    size_t size, align;
} extent;

static size_t round_up(size_t size, size_t align) {
    return (size + align - 1) / align * align;
}

/* Of the C type that generated code has for TYPE. */
static extent extent_of(const hk_lang_type *type) {
    extent e = {0, 1};
    if (type->kind == HK_LANG_ARRAY) {
        e = extent_of(type->element);
        for (size_t i = 0; i < type->dim_count; i++)
            e.size *= type->dims[i];
    } else if (type->kind == HK_LANG_RECORD) {
        for (size_t i = 0; i < type->field_count; i++) {
            extent field = extent_of(type->fields[i].type);
            e.size = round_up(e.size, field.align) + field.size;
            e.align = field.align > e.align ? field.align : e.align;
        }
        e.size = round_up(e.size, e.align);
    } else if (type->kind != HK_LANG_VOID) {
        hk_store store = hk_store_of(type->basic);
        e.size = hk_store_size(store);
        e.align = store == HK_STORE_BYTES ? _Alignof(hk_bytes) : e.size;
    }
    return e;
}

/* Offsets of the basic values, in the order of the parts. */
static void place_fields(const hk_lang_type *type, size_t offset, hk_field *fields, size_t *next) {
    bool single = type->part_count == 1 && !*type->parts[0].name;
    if (single) {
        fields[(*next)++].offset = offset;
    } else if (type->kind == HK_LANG_ARRAY) {
        size_t total = 1, size = extent_of(type->element).size;
        for (size_t i = 0; i < type->dim_count; i++)
            total *= type->dims[i];
        for (size_t i = 0; i < total; i++)
            place_fields(type->element, offset + i * size, fields, next);
    } else {
        size_t at = 0;
        for (size_t i = 0; i < type->field_count; i++) {
            extent e = extent_of(type->fields[i].type);
            at = round_up(at, e.align);
            place_fields(type->fields[i].type, offset + at, fields, next);
            at += e.size;
        }
    }
}

static hk_argument describe_argument(hk_arena *arena, const char *name, const hk_lang_type *type,
                                     const char *unit) {
    size_t count = type->part_count, next = 0;
    hk_field *fields = HK_NEW_ARRAY(arena, hk_field, count + 1);
    for (size_t i = 0; i < count; i++) {
        const hk_part *p = &type->parts[i];
        fields[i] = (hk_field){
            .name = p->name, .type = p->type, .count = p->count, .unit = p->unit ? p->unit : unit};
    }
    place_fields(type, 0, fields, &next);
    return (hk_argument){name, extent_of(type).size, fields, count};
}

static const hk_interface *describe_interface(hk_types *types, const hk_lang_interface *from) {
    uint32_t index = hk_map_get(&types->interface_names.by_full, from->name);
    hk_interfacework *work = types->interfaces[index];
    if (work->definition)
        return work->definition;
    hk_arena *arena = types->arena;
    hk_interface *to = HK_NEW(arena, hk_interface);
    hk_function *functions = HK_NEW_ARRAY(arena, hk_function, from->function_count + 1);
    for (size_t i = 0; i < from->function_count; i++) {
        const hk_lang_function *f = &from->functions[i];
        hk_argument *arguments = HK_NEW_ARRAY(arena, hk_argument, f->argument_count + 2);
        for (size_t k = 0; k < f->argument_count; k++)
            arguments[k] = describe_argument(arena, f->arguments[k].name, f->arguments[k].type,
                                             f->arguments[k].unit);
        hk_argument *result = &arguments[f->argument_count];
        if (f->result->kind != HK_LANG_VOID)
            *result = describe_argument(arena, "", f->result, NULL);
        functions[i] = (hk_function){
            .name = f->name,
            .arguments = arguments,
            .argument_count = f->argument_count,
            .result = f->result->kind != HK_LANG_VOID ? result : NULL,
        };
    }
    *to = (hk_interface){.name = from->name,
                         .signature = from->signature,
                         .functions = functions,
                         .function_count = from->function_count};
    work->definition = to;
    return to;
}

static void describe_services(hk_system *s, const hk_lang_leaf *leaf, hk_info *info) {
    size_t count = leaf->provided_count + leaf->required_count;
    hk_service_info *services = HK_NEW_ARRAY(s->model->arena, hk_service_info, count + 1);
    for (size_t i = 0; i < count; i++) {
        bool provided = i < leaf->provided_count;
        const hk_lang_service *from =
            provided ? &leaf->provided[i] : &leaf->required[i - leaf->provided_count];
        services[i] = (hk_service_info){.name = from->name,
                                        .interface = from->interface->name,
                                        .provided = provided,
                                        .definition = describe_interface(s->types, from->interface),
                                        .items = from->interface->items,
                                        .item_count = from->interface->item_count};
    }
    info->services = services;
    info->service_count = count;
}

/* ---- variables --------------------------------------------------------------------------------
 */

static void describe_part(hk_system *s, hk_info *info, const hk_lang_var *var, size_t part,
                          hk_causality causality, const hk_value *start) {
    hk_arena *arena = s->model->arena;
    const hk_part *p = &var->type->parts[part];
    uint32_t index = (uint32_t)info->variable_count++;
    bool real = p->type == HK_TYPE_F64 || p->type == HK_TYPE_F32;
    hk_variable v = {
        .name = hk_part_name(arena, var->name, p->name),
        .ref = index,
        .type = p->type,
        .store = hk_store_of(p->type),
        .causality = causality,
        .variability = causality == HK_PARAMETER ? HK_TUNABLE
                       : real                    ? HK_CONTINUOUS
                                                 : HK_DISCRETE,
        .initial = causality == HK_INPUT ? HK_INITIAL_NONE : HK_EXACT,
        .count = p->count,
        .dims = p->dims,
        .dim_count = p->dim_count,
        .unit = p->unit ? p->unit : var->unit,
        .declared_type = var->type->name,
        .hidden = var->is_private,
        .enumeration = p->enumeration ? p->enumeration->items : NULL,
        .min = var->min,
        .max = var->max,
        .nominal = (double)NAN,
        .depends_init = {.known = true},
        .alias_of = index,
        .line = var->where.line,
        .column = var->where.column,
    };
    hk_uom uom;
    if (v.unit && hk_uom_parse(v.unit, &uom)) {
        hk_uom *kept = HK_NEW(arena, hk_uom);
        *kept = uom;
        v.uom = kept;
    }
    if (start) {
        v.start = *start;
    } else if (causality != HK_INPUT) {
        v.start = (hk_value){p->type, p->count, NULL};
        v.start.data = hk_arena_alloc(arena, p->count * hk_store_size(v.store));
    }
    info->variables[index] = v;
    hk_map_put(&info->by_name, v.name, index);
}

static void describe_vars(hk_system *s, hk_info *info, const hk_lang_var *vars, size_t count,
                          hk_causality causality) {
    hk_ctx *quiet = hk_ctx_create(NULL, NULL); /* values were checked in the type file */
    for (size_t i = 0; i < count; i++) {
        size_t parts = vars[i].type->part_count;
        hk_value *start = HK_NEW_ARRAY(s->arena, hk_value, parts + 1);
        bool given = vars[i].start.kind != HK_LITERAL_NONE &&
                     hk_literal_value(quiet, s->model->arena, vars[i].where.file, &vars[i].start,
                                      (hk_typed){vars[i].type, vars[i].unit}, start) == HK_OK;
        for (size_t p = 0; p < parts; p++)
            describe_part(s, info, &vars[i], p, causality, given ? &start[p] : NULL);
    }
    hk_ctx_destroy(quiet);
}

static size_t count_parts(const hk_lang_var *vars, size_t count) {
    size_t n = 0;
    for (size_t i = 0; i < count; i++)
        n += vars[i].type->part_count;
    return n;
}

static void release_info(void *object) {
    hk_map_finish(&((hk_info *)object)->by_name);
}

static hk_missing *missing_of(hk_system *s) {
    if (s->missing)
        return s->missing;
    hk_missing *m = HK_NEW(s->model->arena, hk_missing);
    *m = (hk_missing){.arena = s->model->arena,
                      .plugins = hk_arena_strdup(s->model->arena, s->plugin_text),
                      .hint = s->plugin_hint,
                      .where = {.file = s->model->file,
                                .line = s->plugin_at.line,
                                .column = s->plugin_at.column}};
    hk_model_own(s->model, m, release_missing);
    s->missing = m;
    return m;
}

const hk_info *hk_system_describe(hk_system *s, const hk_lang_leaf *leaf) {
    hk_arena *arena = s->model->arena;
    hk_missing *m = missing_of(s);
    HK_PUSH(m->names, m->count, m->cap, leaf->name);
    hk_info *info = HK_NEW(arena, hk_info);
    size_t count = count_parts(leaf->inputs, leaf->input_count) +
                   count_parts(leaf->outputs, leaf->output_count) +
                   count_parts(leaf->parameters, leaf->parameter_count);
    *info = (hk_info){
        .name = leaf->name,
        .kind = "leaf type",
        .file = leaf->file,
        .stamp = leaf->stamp,
        .variables = HK_NEW_ARRAY(arena, hk_variable, count + 1),
        .unit_class = &missing_class,
        .origin = m,
    };
    describe_vars(s, info, leaf->inputs, leaf->input_count, HK_INPUT);
    describe_vars(s, info, leaf->outputs, leaf->output_count, HK_OUTPUT);
    describe_vars(s, info, leaf->parameters, leaf->parameter_count, HK_PARAMETER);
    describe_services(s, leaf, info);
    hk_model_own(s->model, info, release_info);
    return info;
}
