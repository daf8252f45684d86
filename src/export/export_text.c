/* SPDX-License-Identifier: MIT
 *
 * Pieces of text that several of the generated files need. */
#include "export/export_internal.h"

#include "base/number.h"

#include <stdlib.h>
#include <string.h>

const char *hk_export_text(hk_arena *arena, void (*write)(const hk_export *e, FILE *out),
                           const hk_export *e) {
    char *data = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&data, &size);
    HK_ASSERT(out);
    write(e, out);
    HK_ASSERT(fclose(out) == 0);
    const char *kept = hk_arena_strndup(arena, data, size);
    free(data);
    return kept;
}

void hk_export_put_escaped(FILE *out, const char *text) {
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        if (c == '&')
            fputs("&amp;", out);
        else if (c == '<')
            fputs("&lt;", out);
        else if (c == '>')
            fputs("&gt;", out);
        else if (c == '"')
            fputs("&quot;", out);
        else if (c < 0x20)
            fprintf(out, "&#%d;", c);
        else
            fputc(c, out);
    }
}

void hk_export_put_attr(FILE *out, const char *name, const char *value) {
    if (!value)
        return;
    fprintf(out, " %s=\"", name);
    hk_export_put_escaped(out, value);
    fputc('"', out);
}

const char *hk_export_element_name(hk_arena *arena, const hk_variable *variable, size_t element) {
    if (!variable->dim_count)
        return variable->name;
    const char *list = "";
    for (size_t d = variable->dim_count; d-- > 0; element /= variable->dims[d])
        list = hk_arena_printf(arena, "%zu%s%s", element % variable->dims[d] + 1, *list ? "," : "",
                               list);
    return hk_arena_printf(arena, "%s[%s]", variable->name, list);
}

static const char *hex(hk_arena *arena, const hk_bytes *bytes) {
    char *text = hk_arena_alloc(arena, 2 * bytes->size + 1);
    for (size_t i = 0; i < bytes->size; i++) {
        static const char digits[] = "0123456789abcdef";
        unsigned char c = ((const unsigned char *)bytes->data)[i];
        text[2 * i] = digits[c >> 4];
        text[2 * i + 1] = digits[c & 15];
    }
    return text;
}

const char *hk_export_start(hk_arena *arena, const hk_variable *variable, size_t element,
                            bool wide) {
    bool is_text = variable->type == HK_TYPE_STRING || variable->type == HK_TYPE_BINARY;
    if (!variable->start.data)
        return is_text ? "" : variable->type == HK_TYPE_BOOL ? "false" : "0";
    hk_store store = hk_store_of(variable->type);
    const char *at = (const char *)variable->start.data + element * hk_store_size(store);
    if (is_text && !((const hk_bytes *)(const void *)at)->data)
        return "";
    if (variable->type == HK_TYPE_BINARY)
        return hex(arena, (const hk_bytes *)(const void *)at);
    if (variable->type == HK_TYPE_F32 && wide) {
        double value = (double)*(const float *)(const void *)at;
        return hk_value_format(arena, HK_TYPE_F64, HK_STORE_F64, &value);
    }
    if (variable->type == HK_TYPE_BOOL)
        return *(const bool *)(const void *)at ? "true" : "false";
    return hk_value_format(arena, variable->type, store, at);
}

bool hk_export_has_start(const hk_variable *variable) {
    return variable->causality == HK_INPUT || variable->initial == HK_EXACT;
}

/* Whether a name obeys the rules for the naming convention "structured". */
static bool is_structured(const char *name) {
    bool derivative = strncmp(name, "der(", 4) == 0;
    if (derivative)
        name += 4;
    for (;;) {
        if (!(*name == '_' || (*name >= 'a' && *name <= 'z') || (*name >= 'A' && *name <= 'Z')))
            return false;
        name += strspn(name, "_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789");
        if (*name == '[') {
            size_t digits = strspn(name + 1, "0123456789");
            if (!digits || name[1 + digits] != ']')
                return false;
            name += digits + 2;
        }
        if (*name != '.')
            break;
        name++;
    }
    return strcmp(name, derivative ? ")" : "") == 0;
}

void hk_export_put_scalars(const hk_export *e, FILE *out, hk_export_put_scalar *put) {
    size_t ref = 0;
    fputs("  <ModelVariables>\n", out);
    for (size_t i = 0; i < e->info->variable_count; i++)
        for (size_t k = 0; k < e->info->variables[i].count; k++)
            put(e, out, &e->info->variables[i], k, ref++);
    fputs("  </ModelVariables>\n", out);
}

void hk_export_put_root(const hk_export *e, FILE *out) {
    bool structured = true;
    for (size_t i = 0; i < e->info->variable_count; i++)
        structured = structured && is_structured(e->info->variables[i].name);
    hk_export_put_attr(out, "modelName", e->name);
    hk_export_put_attr(out, e->options->fmi == 3 ? "instantiationToken" : "guid", e->guid);
    hk_export_put_attr(out, "description", e->info->description);
    hk_export_put_attr(out, "generationTool", e->options->tool);
    hk_export_put_attr(out, "generationDateAndTime", e->date);
    hk_export_put_attr(out, "variableNamingConvention", structured ? "structured" : "flat");
}

static void put_unit(FILE *out, const char *name, const hk_uom *uom) {
    char number[HK_NUMBER_MAX + 1];
    fputs("    <Unit", out);
    hk_export_put_attr(out, "name", name);
    if (!uom) {
        fputs("/>\n", out);
        return;
    }
    fputs("><BaseUnit", out);
    for (size_t i = 0; i < HK_BASE_UNITS; i++)
        if (uom->exponent[i])
            fprintf(out, " %s=\"%d\"", hk_base_unit_names[i], uom->exponent[i]);
    number[hk_write_f64(uom->factor, number)] = 0;
    if (strcmp(number, "1") != 0)
        fprintf(out, " factor=\"%s\"", number);
    number[hk_write_f64(uom->offset, number)] = 0;
    if (strcmp(number, "0") != 0)
        fprintf(out, " offset=\"%s\"", number);
    fputs("/></Unit>\n", out);
}

void hk_export_put_units(const hk_export *e, FILE *out) {
    hk_map seen = {0};
    for (uint32_t i = 0; i < e->info->variable_count; i++) {
        const hk_variable *v = &e->info->variables[i];
        if (!v->unit || hk_map_put(&seen, v->unit, i) != i)
            continue;
        if (seen.count == 1)
            fputs("  <UnitDefinitions>\n", out);
        if (e->options->fmi == 1) {
            fputs("    <BaseUnit", out);
            hk_export_put_attr(out, "unit", v->unit);
            fputs("/>\n", out);
        } else {
            put_unit(out, v->unit, v->uom);
        }
    }
    if (seen.count)
        fputs("  </UnitDefinitions>\n", out);
    hk_map_finish(&seen);
}

const char *hk_export_type_name(const hk_export *e, const hk_variable *v) {
    switch (v->type) {
    case HK_TYPE_F64:
    case HK_TYPE_F32:
        return "Real";
    case HK_TYPE_BOOL:
        return "Boolean";
    case HK_TYPE_STRING:
        return "String";
    default:
        return hk_export_is_enum(e, v) ? "Enumeration" : "Integer";
    }
}

void hk_export_put_categories(FILE *out) {
    fputs("  <LogCategories>\n"
          "    <Category name=\"logStatusError\" description=\"Calls that were refused or "
          "failed\"/>\n"
          "    <Category name=\"logAll\"/>\n"
          "  </LogCategories>\n",
          out);
}

void hk_export_put_experiment(const hk_export *e, FILE *out) {
    const char *text = e->options->step_size;
    char number[HK_NUMBER_MAX + 1];
    double step;
    if (!text || !hk_read_f64(text, strlen(text), &step))
        return;
    number[hk_write_f64(step, number)] = 0;
    fprintf(out, "  <DefaultExperiment stepSize=\"%s\"/>\n", number);
}

const char *hk_export_stamp(const hk_export *e) {
    return e->info->stamp == HK_STAMP_START ? "start" : "end";
}

const char *hk_export_pulses(const hk_export *e) {
    const char *names = NULL;
    for (size_t i = 0; i < e->info->variable_count; i++) {
        const hk_variable *v = &e->info->variables[i];
        size_t count = e->options->fmi == 3 ? 1 : v->count; /* before, each element has its name */
        if (!v->pulse || hk_export_role_of(e, i) != HK_EXPORT_PLAIN)
            continue;
        for (size_t k = 0; k < count; k++) {
            const char *name =
                e->options->fmi == 3 ? v->name : hk_export_element_name(e->arena, v, k);
            names = names ? hk_arena_printf(e->arena, "%s %s", names, name) : name;
        }
    }
    return names;
}

void hk_export_put_schedule(const hk_export *e, FILE *out) {
    fprintf(out, "<hk:Schedule xmlns:hk=\"urn:org.hocket:schedule:1\" stamp=\"%s\"",
            hk_export_stamp(e));
    hk_export_put_attr(out, "pulses", hk_export_pulses(e));
    fputs("/>", out);
}

bool hk_export_depends(const hk_export *e, const hk_variable *to, uint32_t from, bool initial) {
    const hk_variable *source = &e->info->variables[from];
    const hk_depends *depends = initial ? &to->depends_init : &to->depends;
    if (source->causality != HK_INPUT)
        return initial && source->initial == HK_EXACT; /* the component does not say which */
    for (size_t i = 0; i < depends->count; i++)
        if (depends->on[i] == from)
            return true;
    return false;
}

bool hk_export_is_initial_unknown(const hk_variable *variable) {
    return variable->causality == HK_CALCULATED_PARAMETER ||
           (variable->causality == HK_OUTPUT && variable->initial == HK_CALCULATED);
}

const char *hk_export_time_name(const hk_export *e) {
    const char *name = "time";
    for (unsigned n = 2; hk_info_find(e->info, name) != HK_MAP_NONE; n++)
        name = hk_arena_printf(e->arena, "time_%u", n);
    return name;
}
