/* SPDX-License-Identifier: MIT
 *
 * Which values a variable is meant to hold, in the words of FMI: limits, and enumerations with
 * their items. An enumeration whose items have no names is a plain integer. */
#include "export/export_internal.h"

#include "base/number.h"

#include <math.h>
#include <string.h>

/* ---- enumerations -----------------------------------------------------------------------------
 */

static const hk_export_enum *find_enum(const hk_export *e, const hk_variable *v) {
    for (size_t i = 0; v->enumeration && i < e->enum_count; i++)
        if (e->enums[i].items == v->enumeration)
            return &e->enums[i];
    return NULL;
}

static bool name_is_taken(const hk_export *e, const char *name) {
    for (size_t i = 0; i < e->enum_count; i++)
        if (strcmp(e->enums[i].name, name) == 0)
            return true;
    return hk_info_find(e->info, name) != HK_MAP_NONE;
}

/* The items of FMI 1.0 have no numbers: they are 1, 2, ... */
static bool counts_from_one(const hk_enum *items) {
    for (size_t i = 0; i < items->item_count; i++)
        if (items->item_values[i] != (int64_t)i + 1)
            return false;
    return true;
}

void hk_export_find_enums(hk_export *e) {
    e->enums = HK_NEW_ARRAY(e->arena, hk_export_enum, e->info->variable_count + 1);
    for (size_t i = 0; i < e->info->variable_count; i++) {
        const hk_variable *v = &e->info->variables[i];
        if (!v->enumeration || find_enum(e, v))
            continue;
        const char *name = v->enumeration->name;
        for (unsigned n = 2; name_is_taken(e, name); n++)
            name = hk_arena_printf(e->arena, "%s_%u", v->enumeration->name, n);
        e->enums[e->enum_count++] =
            (hk_export_enum){.items = v->enumeration,
                             .name = name,
                             .plain = e->options->fmi == 1 && !counts_from_one(v->enumeration)};
    }
}

const char *hk_export_declared_type(const hk_export *e, const hk_variable *v) {
    const hk_export_enum *found = find_enum(e, v);
    return found ? found->name : NULL;
}

bool hk_export_is_enum(const hk_export *e, const hk_variable *v) {
    const hk_export_enum *found = find_enum(e, v);
    return found && !found->plain;
}

static void put_items(const hk_export *e, FILE *out, const hk_enum *items) {
    for (size_t i = 0; i < items->item_count; i++) {
        fputs("<Item", out);
        hk_export_put_attr(out, "name", items->item_names[i]);
        if (e->options->fmi != 1)
            fprintf(out, " value=\"%lld\"", (long long)items->item_values[i]);
        fputs("/>", out);
    }
}

/* For people, where FMI has no words for the items. */
static const char *items_as_text(hk_arena *arena, const hk_enum *items) {
    const char *text = "";
    for (size_t i = 0; i < items->item_count; i++)
        text = hk_arena_printf(arena, "%s%s%lld: %s", text, *text ? ", " : "",
                               (long long)items->item_values[i], items->item_names[i]);
    return text;
}

void hk_export_put_own_items(const hk_export *e, FILE *out) {
    for (size_t i = 0; i < e->enum_count; i++) {
        const hk_export_enum *t = &e->enums[i];
        for (size_t k = 0; t->plain && k < t->items->item_count; k++) {
            fputs("<Annotation", out);
            hk_export_put_attr(out, "name",
                               hk_arena_printf(e->arena, "item %lld %s",
                                               (long long)t->items->item_values[k], t->name));
            hk_export_put_attr(out, "value", t->items->item_names[k]);
            fputs("/>", out);
        }
    }
}

static void put_plain(FILE *out, const hk_enum *items) {
    int64_t least = items->item_values[0], most = least;
    for (size_t i = 1; i < items->item_count; i++) {
        least = items->item_values[i] < least ? items->item_values[i] : least;
        most = items->item_values[i] > most ? items->item_values[i] : most;
    }
    fprintf(out, "><IntegerType min=\"%lld\" max=\"%lld\"/></Type>\n", (long long)least,
            (long long)most);
}

static void put_type(const hk_export *e, FILE *out, const hk_export_enum *t) {
    static const char *const open[] = {"Type", "SimpleType", "EnumerationType"};
    static const char *const inner[] = {"EnumerationType", "Enumeration", NULL};
    int version = e->options->fmi - 1;
    fprintf(out, "    <%s", open[version]);
    hk_export_put_attr(out, "name", t->name);
    if (t->plain) {
        hk_export_put_attr(out, "description", items_as_text(e->arena, t->items));
        put_plain(out, t->items);
        return;
    }
    fputc('>', out);
    if (inner[version])
        fprintf(out, "<%s>", inner[version]);
    put_items(e, out, t->items);
    if (inner[version])
        fprintf(out, "</%s>", inner[version]);
    fprintf(out, "</%s>\n", open[version]);
}

void hk_export_put_types(const hk_export *e, FILE *out) {
    if (!e->enum_count)
        return;
    fputs("  <TypeDefinitions>\n", out);
    for (size_t i = 0; i < e->enum_count; i++)
        put_type(e, out, &e->enums[i]);
    fputs("  </TypeDefinitions>\n", out);
}

/* ---- limits -----------------------------------------------------------------------------------
 */

static bool is_real(const hk_variable *v) {
    return v->type == HK_TYPE_F64 || v->type == HK_TYPE_F32;
}

/* Powers of two, so that they are exact: whole numbers of TYPE are at least *RET_LEAST and below
 * *RET_END. FMI 1.0 and 2.0 have one integer type, of 32 bits. */
static void integer_bounds(hk_type type, bool narrow, double *ret_least, double *ret_end) {
    bool is_unsigned =
        type == HK_TYPE_U8 || type == HK_TYPE_U16 || type == HK_TYPE_U32 || type == HK_TYPE_U64;
    int bits = (int)hk_store_size(hk_store_of(type)) * 8 - !is_unsigned;
    *ret_least = is_unsigned ? 0 : -ldexp(1, bits);
    *ret_end = ldexp(1, bits);
    if (narrow) {
        *ret_least = fmax(*ret_least, -ldexp(1, 31));
        *ret_end = fmin(*ret_end, ldexp(1, 31));
    }
}

/* A limit that the type of the variable says already, or that it cannot hold, is left out. */
static void put_limit(const hk_export *e, FILE *out, const hk_variable *v, const char *name,
                      double limit) {
    char number[HK_NUMBER_MAX + 1];
    bool narrow = e->options->fmi != 3;
    if (isnan(limit))
        return;
    if (is_real(v)) {
        /* as the start value of a Float32 is written there, so that both can be equal */
        if (v->type == HK_TYPE_F32 && narrow)
            limit = (double)(float)limit;
        number[hk_write_f64(limit, number)] = 0;
        fprintf(out, " %s=\"%s\"", name, number);
        return;
    }
    double least, end;
    integer_bounds(v->type, narrow, &least, &end);
    limit = name[1] == 'i' ? ceil(limit) : floor(limit);
    if (limit >= least && limit < end)
        fprintf(out, " %s=\"%.0f\"", name, limit == 0 ? 0.0 : limit);
}

void hk_export_put_domain(const hk_export *e, FILE *out, const hk_variable *v) {
    hk_export_put_attr(out, "declaredType", hk_export_declared_type(e, v));
    put_limit(e, out, v, "min", v->min);
    put_limit(e, out, v, "max", v->max);
}

/* ---- checks -----------------------------------------------------------------------------------
 */

static hk_status check_enum(const hk_export *e, const hk_export_enum *t) {
    const hk_where where = {.file = hk_export_file(e),
                            .element = hk_arena_printf(e->arena, "enumeration '%s'", t->name)};
    bool printable = hk_export_is_text(t->name);
    for (size_t i = 0; i < t->items->item_count; i++) {
        int64_t value = t->items->item_values[i];
        printable = printable && hk_export_is_text(t->items->item_names[i]);
        if (e->options->fmi != 3 && (value < INT32_MIN || value > INT32_MAX))
            return hk_error(e->ctx, HK_E_EXPORT, where, "export with --fmi 3",
                            "its item '%s' is %lld, which does not fit the 32-bit Integer of FMI "
                            "%d.0",
                            t->items->item_names[i], (long long)value, e->options->fmi);
    }
    if (!printable)
        return hk_error(e->ctx, HK_E_EXPORT, where, "use printable UTF-8 text",
                        "its name or that of an item cannot be written in XML");
    if (t->plain)
        hk_warn(e->ctx, HK_E_EXPORT, where, "export with --fmi 2 or --fmi 3",
                "the items of FMI 1.0 count from 1 and these do not, so its variables become "
                "integers; the names are in the description of their type, and in annotations "
                "that hocket reads");
    return HK_OK;
}

/* Why VALUE is not in the domain of V; NULL: it is. */
static const char *outside(const hk_export *e, const hk_variable *v, double value) {
    const char *why = hk_range_words(e->arena, v->min, v->max, value);
    bool is_item = !v->enumeration;
    for (size_t i = 0; !is_item && i < v->enumeration->item_count; i++)
        is_item = (double)v->enumeration->item_values[i] == value;
    return why ? why : is_item ? NULL : "which is not an item of its enumeration";
}

static void check_start(const hk_export *e, const hk_variable *v) {
    hk_store store = hk_store_of(v->type);
    if (!hk_export_has_start(v) || store == HK_STORE_BYTES)
        return;
    for (size_t i = 0; i < (v->start.data ? v->start.count : 1); i++) {
        double value = 0;
        const char *at = v->start.data;
        if (at && !hk_value_convert(HK_STORE_F64, &value, store, at + i * hk_store_size(store), 1))
            return;
        const char *why = outside(e, v, value);
        if (!why)
            continue;
        const hk_where where = {.file = hk_export_file(e),
                                .element = hk_arena_printf(e->arena, "port '%s'", v->name)};
        hk_warn(e->ctx, HK_E_PARAMETER, where,
                "give the port another .start, or the domain other values",
                "its start value is %s, %s", hk_export_start(e->arena, v, i, false), why);
        return;
    }
}

hk_status hk_export_check_domains(const hk_export *e) {
    for (size_t i = 0; i < e->enum_count; i++)
        HK_TRY(check_enum(e, &e->enums[i]));
    for (size_t i = 0; i < e->info->variable_count; i++)
        check_start(e, &e->info->variables[i]);
    return HK_OK;
}
