/* SPDX-License-Identifier: MIT
 *
 * Interfaces, with the texts by which two components agree about them, and leaf types. */
#include "lang/types/types_internal.h"

#include "base/number.h"
#include "model/model.h"
#include "text/parser.h"

#include <math.h>
#include <string.h>

enum { TEXT_MAX = 4096 };

/* ---- signatures -------------------------------------------------------------------------------
 */

/* Long texts give way to their hash: what counts is that equal ones are equal. */
static const char *shorten(hk_arena *arena, const char *text) {
    size_t length = strlen(text);
    if (length <= TEXT_MAX)
        return text;
    uint64_t hash = hk_hash(HK_HASH_SEED, text, length);
    return hk_arena_printf(arena, "#%08lx%08lx", (unsigned long)(hash >> 32),
                           (unsigned long)(hash & 0xffffffff));
}

static const char *annotations(hk_arena *arena, const char *unit, const char *frame) {
    const char *text = unit ? hk_arena_printf(arena, " unit \"%s\"", unit) : "";
    return frame ? hk_arena_printf(arena, "%s frame %s", text, frame) : text;
}

/* What a type consists of: "double", "{double x; double y;}", "double[3]", "Enum{a, b}". */
static const char *type_text(hk_arena *arena, const hk_lang_type *type) {
    static const char *const basics[HK_TYPE_COUNT] = {
        [HK_TYPE_F64] = "double",    [HK_TYPE_F32] = "float",  [HK_TYPE_I8] = "int8",
        [HK_TYPE_U8] = "uint8",      [HK_TYPE_I16] = "int16",  [HK_TYPE_U16] = "uint16",
        [HK_TYPE_I32] = "int",       [HK_TYPE_U32] = "uint32", [HK_TYPE_I64] = "long",
        [HK_TYPE_U64] = "uint64",    [HK_TYPE_BOOL] = "bool",  [HK_TYPE_STRING] = "string",
        [HK_TYPE_BINARY] = "binary",
    };
    const char *text = "";
    switch (type->kind) {
    case HK_LANG_BASIC:
        return basics[type->basic];
    case HK_LANG_VOID:
        return "void";
    case HK_LANG_ENUM:
        for (size_t i = 0; i < type->items->item_count; i++)
            text = shorten(arena, hk_arena_printf(arena, "%s%s%s", text, i ? ", " : "",
                                                  type->items->item_names[i]));
        return hk_arena_printf(arena, "Enum{%s}", text);
    case HK_LANG_ARRAY:
        for (size_t i = 0; i < type->dim_count; i++)
            text = hk_arena_printf(arena, "%s%s%zu", text, i ? "," : "", type->dims[i]);
        return hk_arena_printf(arena, "%s[%s]", type_text(arena, type->element), text);
    default:
        for (size_t i = 0; i < type->field_count; i++) {
            const struct hk_lang_field *f = &type->fields[i];
            text = shorten(arena, hk_arena_printf(arena, "%s%s%s %s%s;", text, i ? " " : "",
                                                  type_text(arena, f->type), f->name,
                                                  annotations(arena, f->unit, f->frame)));
        }
        return hk_arena_printf(arena, "{%s}", text);
    }
}

/* "bool setTime(long time, {double x; double y;} position); ..." */
static const char *signature_of(hk_typereader *r, const hk_lang_interface *interface) {
    hk_arena *scratch = hk_arena_create();
    const char *text = "";
    bool changes = false;
    for (size_t i = 0; i < interface->function_count; i++) {
        const hk_lang_function *f = &interface->functions[i];
        const char *arguments = "";
        for (size_t k = 0; k < f->argument_count; k++) {
            const hk_lang_var *a = &f->arguments[k];
            arguments =
                shorten(scratch, hk_arena_printf(scratch, "%s%s%s %s%s", arguments, k ? ", " : "",
                                                 type_text(scratch, a->type), a->name,
                                                 annotations(scratch, a->unit, a->frame)));
        }
        text = shorten(scratch, hk_arena_printf(scratch, "%s%s%s%s %s(%s);", text, i ? " " : "",
                                                f->is_mutable ? "mutable " : "",
                                                type_text(scratch, f->result), f->name, arguments));
        changes = changes || f->is_mutable;
    }
    /* A hash does not say it any more. */
    bool lost = changes && !hk_interface_mutable(&(hk_interface){.signature = text});
    text = hk_arena_printf(r->arena, "%s%s", lost ? "mutable " : "", text);
    hk_arena_destroy(scratch);
    return text;
}

/* ---- variables --------------------------------------------------------------------------------
 */

/* A limit of a range, in the unit of the variable. */
static bool read_limit(hk_typereader *r, const char *file, const hk_number *number,
                       const char *unit, double *ret_limit) {
    hk_where where = hk_place_where(file, &number->at);
    double value = 0, factor = 1, offset = 0;
    if (!*number->text)
        return false;
    if (!hk_read_f64(number->text, strlen(number->text), &value)) {
        hk_complain(&r->complaints, HK_E_VALUE, where, NULL, "'%s' is not a number", number->text);
        return false;
    }
    hk_uom from, to;
    if (number->unit && unit && hk_uom_parse(number->unit, &from) && hk_uom_parse(unit, &to) &&
        !hk_uom_conversion(&from, &to, false, &factor, &offset)) {
        hk_complain(&r->complaints, HK_E_UNIT_MISMATCH, where, NULL,
                    "the limit is in '%s' and the value in '%s'", number->unit, unit);
        return false;
    }
    *ret_limit = factor * value + offset;
    return true;
}

static void read_range(hk_typereader *r, const char *file, const hk_decl *decl, hk_lang_var *var) {
    if (!decl->has_range || !read_limit(r, file, &decl->min, var->unit, &var->min) ||
        !read_limit(r, file, &decl->max, var->unit, &var->max))
        return;
    if (var->min > var->max)
        hk_complain(&r->complaints, HK_E_VALUE, hk_place_where(file, &decl->min.at), NULL,
                    "the range of '%s' ends before it begins", var->name);
    else
        var->has_range = true;
}

static void check_start_range(hk_typereader *r, const hk_lang_var *var, const hk_value *parts) {
    for (size_t p = 0; var->has_range && p < var->type->part_count; p++)
        for (size_t i = 0; i < parts[p].count; i++) {
            double value;
            hk_store store = hk_store_of(parts[p].type);
            const char *at = (const char *)parts[p].data + i * hk_store_size(store);
            if (!hk_value_convert(HK_STORE_F64, &value, store, at, 1) ||
                (value >= var->min && value <= var->max))
                continue;
            hk_warn(r->complaints.ctx, HK_E_VALUE, var->where, NULL,
                    "the value of '%s' is not in its range", var->name);
            return;
        }
}

static void check_start(hk_typereader *r, const char *file, const hk_lang_var *var) {
    if (var->start.kind == HK_LITERAL_NONE || r->complaints.count >= HK_COMPLAINTS_MAX)
        return;
    hk_arena *scratch = hk_arena_create();
    hk_value *parts = HK_NEW_ARRAY(scratch, hk_value, var->type->part_count + 1);
    hk_status status = hk_literal_value(r->complaints.ctx, scratch, file, &var->start,
                                        (hk_typed){var->type, var->unit}, parts);
    if (status == HK_OK) {
        check_start_range(r, var, parts);
    } else {
        hk_complaint_heard(&r->complaints, status);
    }
    hk_arena_destroy(scratch);
}

bool hk_types_resolve_var(hk_typereader *r, const char *package, const char *file,
                          const hk_decl *decl, hk_lang_var *ret_var) {
    const hk_lang_type *type = hk_types_name_type(r, package, file, &decl->type);
    if (!type || !*decl->name.text)
        return false;
    if (type->kind == HK_LANG_VOID) {
        hk_complain(&r->complaints, HK_E_NAME, hk_place_where(file, &decl->type.at), NULL,
                    "'core.void' is for functions without a result only");
        return false;
    }
    hk_lang_var var = {.name = decl->name.text,
                       .type = type,
                       .start = decl->start,
                       .is_private = decl->is_private,
                       .min = (double)NAN,
                       .max = (double)NAN,
                       .where = hk_place_where(file, &decl->name.at)};
    hk_types_annotate(r, file, decl, type, &var.unit, &var.frame);
    if (*decl->mode.text) {
        hk_lag lag;
        if (hk_lag_find(decl->mode.text, &lag))
            var.mode = decl->mode.text;
        else
            hk_complain(&r->complaints, HK_E_NAME, hk_place_where(file, &decl->mode.at),
                        "write 'previous', 'observe' or 'current'", "'%s' is not a lag",
                        decl->mode.text);
    }
    read_range(r, file, decl, &var);
    check_start(r, file, &var);
    *ret_var = var;
    return true;
}

/* ---- interfaces -------------------------------------------------------------------------------
 */

/* False, with a message, if NAME is in SEEN already; the map holds lines. */
static bool is_new(hk_typereader *r, hk_map *seen, const char *file, const hk_name *name,
                   const char *where_in) {
    if (!*name->text)
        return false;
    uint32_t first = hk_map_get(seen, name->text);
    if (first == HK_MAP_NONE) {
        hk_map_put(seen, name->text, (uint32_t)name->at.line);
        return true;
    }
    hk_complain(&r->complaints, HK_E_DUPLICATE, hk_place_where(file, &name->at),
                "give one of them another name",
                "'%s' has the name '%s' twice; the other one is in line %d", where_in, name->text,
                (int)first);
    return false;
}

static bool resolve_function(hk_typereader *r, const hk_interfacework *work,
                             const hk_functiondecl *decl, hk_lang_function *f) {
    hk_map seen = {0};
    f->name = decl->name.text;
    f->is_mutable = decl->is_mutable;
    f->result = hk_types_name_type(r, work->package, work->file, &decl->result);
    f->arguments = HK_NEW_ARRAY(r->arena, hk_lang_var, decl->argument_count + 1);
    bool good = f->result != NULL;
    for (size_t i = 0; i < decl->argument_count; i++) {
        const hk_decl *argument = &decl->arguments[i];
        bool fresh = is_new(r, &seen, work->file, &argument->name, decl->name.text);
        bool known = hk_types_resolve_var(r, work->package, work->file, argument,
                                          &f->arguments[f->argument_count]);
        f->argument_count += known && fresh;
        good = good && known && fresh;
    }
    hk_map_finish(&seen);
    return good;
}

/* Of every enumeration in an argument: a part of its type is a field of the argument in C. */
static void take_items(hk_arena *arena, hk_lang_interface *interface) {
    hk_list list = HK_LIST(hk_argument_items);
    for (uint32_t i = 0; i < interface->function_count; i++) {
        const hk_lang_function *f = &interface->functions[i];
        for (uint32_t k = 0; k < f->argument_count; k++)
            for (uint32_t p = 0; p < f->arguments[k].type->part_count; p++) {
                const hk_lang_type *type = f->arguments[k].type->parts[p].enumeration;
                if (type)
                    hk_list_add(&list, &(hk_argument_items){i, k, p, type->items});
            }
    }
    interface->item_count = list.count;
    interface->items = hk_list_keep(arena, &list);
}

void hk_types_resolve_interface(hk_typereader *r, hk_interfacework *work) {
    hk_lang_interface *interface = &work->interface;
    const hk_interfacedecl *decl = work->syntax;
    hk_map seen = {0};
    interface->functions = HK_NEW_ARRAY(r->arena, hk_lang_function, decl->function_count + 1);
    for (size_t i = 0; i < decl->function_count; i++) {
        bool fresh = is_new(r, &seen, work->file, &decl->functions[i].name, interface->name);
        hk_lang_function *f = &interface->functions[interface->function_count];
        if (resolve_function(r, work, &decl->functions[i], f) && fresh)
            interface->function_count++;
        else
            *f = (hk_lang_function){0};
    }
    hk_map_finish(&seen);
    interface->signature = signature_of(r, interface);
    take_items(r->arena, interface);
}

/* ---- leaf types -------------------------------------------------------------------------------
 */

static void take_uses(hk_typereader *r, hk_leafwork *work, const hk_leafsection *section,
                      hk_map *seen, hk_lang_service **list, size_t *count) {
    hk_lang_service *all = HK_NEW_ARRAY(r->arena, hk_lang_service, *count + section->count + 1);
    if (*count)
        memcpy(all, *list, *count * sizeof *all);
    *list = all;
    for (size_t i = 0; i < section->count; i++) {
        const hk_interfaceuse *use = &section->uses[i];
        const hk_lang_interface *interface =
            hk_types_name_interface(r, work->package, work->file, &use->interface);
        bool fresh = is_new(r, seen, work->file, &use->name, work->leaf.name);
        if (!interface || !fresh) {
            work->broken = true;
            continue;
        }
        all[(*count)++] =
            (hk_lang_service){use->name.text, interface, hk_place_where(work->file, &use->name.at)};
    }
}

static void take_decls(hk_typereader *r, hk_leafwork *work, const hk_leafsection *section,
                       hk_map *seen, hk_lang_var **list, size_t *count) {
    hk_lang_var *all = HK_NEW_ARRAY(r->arena, hk_lang_var, *count + section->count + 1);
    if (*count)
        memcpy(all, *list, *count * sizeof *all);
    *list = all;
    for (size_t i = 0; i < section->count; i++) {
        const hk_decl *decl = &section->decls[i];
        bool fresh = is_new(r, seen, work->file, &decl->name, work->leaf.name);
        if (hk_types_resolve_var(r, work->package, work->file, decl, &all[*count]) && fresh)
            (*count)++;
        else
            work->broken = true;
    }
}

static void take_stamp(hk_typereader *r, hk_leafwork *work, const hk_name *value) {
    bool start = strcmp(value->text, "start") == 0;
    if (start || strcmp(value->text, "end") == 0)
        work->leaf.stamp = start ? HK_STAMP_START : HK_STAMP_END;
    else if (*value->text)
        hk_complain(&r->complaints, HK_E_NAME, hk_place_where(work->file, &value->at),
                    "write 'stamp start;' or 'stamp end;'", "'%s' is not a stamp", value->text);
}

void hk_types_resolve_leaf(hk_typereader *r, hk_leafwork *work) {
    hk_lang_leaf *leaf = &work->leaf;
    hk_map seen = {0};
    for (size_t i = 0; i < work->syntax->section_count; i++) {
        const hk_leafsection *s = &work->syntax->sections[i];
        switch (s->kind) {
        case HK_SECTION_PROVIDED:
            take_uses(r, work, s, &seen, &leaf->provided, &leaf->provided_count);
            break;
        case HK_SECTION_REQUIRED:
            take_uses(r, work, s, &seen, &leaf->required, &leaf->required_count);
            break;
        case HK_SECTION_INPUTS:
            take_decls(r, work, s, &seen, &leaf->inputs, &leaf->input_count);
            break;
        case HK_SECTION_OUTPUTS:
            take_decls(r, work, s, &seen, &leaf->outputs, &leaf->output_count);
            break;
        case HK_SECTION_PARAMETERS:
            take_decls(r, work, s, &seen, &leaf->parameters, &leaf->parameter_count);
            break;
        case HK_SECTION_STAMP:
            take_stamp(r, work, &s->value);
            break;
        default:
            leaf->behaviour = *s->value.text ? s->value.text : NULL;
            break;
        }
    }
    hk_map_finish(&seen);
}
