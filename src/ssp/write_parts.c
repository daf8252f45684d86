/* SPDX-License-Identifier: MIT
 *
 * Numbers, types, units and values of a description, and the text of its schedule. */
#include "base/number.h"
#include "ssp/ssp_write_internal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *hk_ssp_write_number(hk_ssp_writer *w, double value) {
    char text[HK_NUMBER_MAX + 1];
    text[hk_write_f64(value, text)] = 0;
    return hk_arena_strdup(w->arena, text);
}

const char *hk_ssp_write_decimal(hk_ssp_writer *w, hk_ratio r) {
    char text[48];
    return strchr(hk_ratio_format(r, text), '/') ? NULL : hk_arena_strdup(w->arena, text);
}

const char *hk_ssp_write_fraction(hk_ssp_writer *w, hk_ratio r) {
    char text[48];
    return hk_arena_strdup(w->arena, hk_ratio_format(r, text));
}

/* ---- types ---- */

/* The element of SSP 1.0 or 2.0 for a type; NULL: it needs none, or there is none. */
static const char *type_element(hk_type type, bool *ret_newer) {
    static const struct {
        hk_type type;
        const char *name;
        bool newer;
    } all[] = {{HK_TYPE_F64, "Real", false},      {HK_TYPE_I32, "Integer", false},
               {HK_TYPE_BOOL, "Boolean", false},  {HK_TYPE_STRING, "String", false},
               {HK_TYPE_BINARY, "Binary", false}, {HK_TYPE_F32, "Float32", true},
               {HK_TYPE_I8, "Int8", true},        {HK_TYPE_U8, "UInt8", true},
               {HK_TYPE_I16, "Int16", true},      {HK_TYPE_U16, "UInt16", true},
               {HK_TYPE_U32, "UInt32", true},     {HK_TYPE_I64, "Int64", true},
               {HK_TYPE_U64, "UInt64", true}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (all[i].type == type) {
            *ret_newer = *ret_newer || all[i].newer;
            return all[i].name;
        }
    return NULL;
}

static void need_unit(hk_ssp_writer *w, const char *name) {
    hk_uom *uom = HK_NEW(w->arena, hk_uom);
    for (size_t i = 0; i < w->unit_count; i++)
        if (strcmp(w->units[i]->name, name) == 0)
            return;
    if (!hk_uom_parse(name, uom))
        return;
    HK_PUSH(w->units, w->unit_count, w->unit_cap, uom);
}

static void put_sizes(hk_ssp_writer *w, hk_xml_node *into, const char *name, const size_t *sizes,
                      size_t count) {
    for (size_t i = 0; i < count; i++) {
        hk_xml_node *dimension = hk_xml_add(w->doc, into, name);
        hk_xml_set(w->doc, dimension, "size", hk_arena_printf(w->arena, "%zu", sizes[i]));
        w->newer = true;
    }
}

void hk_ssp_write_type(hk_ssp_writer *w, hk_xml_node *connector, const hk_tree_connector *c) {
    hk_uom uom;
    const char *element = c->has_type ? type_element(c->type, &w->newer) : NULL;
    bool real = c->type == HK_TYPE_F64 || c->type == HK_TYPE_F32;
    if (element) {
        hk_xml_node *type =
            hk_xml_add(w->doc, connector, hk_arena_printf(w->arena, "ssc:%s", element));
        if (real && c->unit && hk_uom_parse(c->unit, &uom)) {
            hk_xml_set(w->doc, type, "unit", c->unit);
            need_unit(w, c->unit);
        }
    }
    put_sizes(w, connector, "ssd:Dimension", c->sizes, c->size_count);
}

void hk_ssp_write_units(hk_ssp_writer *w, hk_xml_node *root) {
    if (!w->unit_count)
        return;
    hk_xml_node *list = hk_xml_add(w->doc, root, "ssd:Units");
    for (size_t i = 0; i < w->unit_count; i++) {
        const hk_uom *uom = w->units[i];
        hk_xml_node *unit = hk_xml_add(w->doc, list, "ssc:Unit");
        hk_xml_set(w->doc, unit, "name", uom->name);
        hk_xml_node *base = hk_xml_add(w->doc, unit, "ssc:BaseUnit");
        for (size_t k = 0; k < HK_BASE_UNITS; k++)
            if (uom->exponent[k])
                hk_xml_set(w->doc, base, hk_base_unit_names[k],
                           hk_arena_printf(w->arena, "%d", uom->exponent[k]));
        if (uom->factor != 1)
            hk_xml_set(w->doc, base, "factor", hk_ssp_write_number(w, uom->factor));
        if (uom->offset != 0)
            hk_xml_set(w->doc, base, "offset", hk_ssp_write_number(w, uom->offset));
    }
}

/* ---- values ---- */

/* XML has words of its own for numbers that are none or not finite. */
static const char *xml_number(const char *text) {
    return strcmp(text, "nan") == 0 || strcmp(text, "-nan") == 0 ? "NaN"
           : strcmp(text, "inf") == 0                            ? "INF"
           : strcmp(text, "-inf") == 0                           ? "-INF"
                                                                 : text;
}

static const char *one_value(hk_ssp_writer *w, const hk_variable *v, const hk_value *value,
                             size_t index) {
    hk_store store = hk_store_of(v->type);
    const char *at = (const char *)value->data + index * hk_store_size(store);
    const char *item = NULL;
    if (v->type == HK_TYPE_ENUM)
        item = hk_tree_item(v, *(const int64_t *)(const void *)at);
    if (item)
        return item;
    const char *text = hk_value_format(w->arena, v->type, store, at);
    return v->type == HK_TYPE_F32 || v->type == HK_TYPE_F64 ? xml_number(text) : text;
}

const char *hk_ssp_write_text(hk_ssp_writer *w, const hk_variable *v, const hk_value *value) {
    const char **texts = HK_NEW_ARRAY(w->arena, const char *, value->count + 1);
    for (size_t i = 0; i < value->count; i++)
        texts[i] = one_value(w, v, value, i);
    return value->count == 1 ? texts[0] : hk_value_list(w->arena, texts, value->count);
}

void hk_ssp_write_parameter(hk_ssp_writer *w, hk_xml_node *list, const char *name,
                            const hk_variable *v, const hk_value *value) {
    const char *element = type_element(v->type, &w->newer);
    bool items = value->count > 1 && (hk_store_of(v->type) == HK_STORE_BYTES || !element);
    hk_xml_node *parameter = hk_xml_add(w->doc, list, "ssv:Parameter");
    hk_xml_set(w->doc, parameter, "name", name);
    hk_xml_node *typed = hk_xml_add(
        w->doc, parameter, hk_arena_printf(w->arena, "ssv:%s", element ? element : "Enumeration"));
    for (size_t i = 0; items && i < value->count; i++)
        hk_xml_set(w->doc, hk_xml_add(w->doc, typed, "ssv:Value"), "value",
                   one_value(w, v, value, i));
    if (!items)
        hk_xml_set(w->doc, typed, "value", hk_ssp_write_text(w, v, value));
    if (value->count > 1)
        put_sizes(w, parameter, "ssv:Dimension", v->dims, v->dim_count);
}

/* The last value of a variable counts. What decides sizes is part of the description. */
static const hk_value *value_of(const hk_component *c, uint32_t variable) {
    const hk_variable *v = &c->info->variables[variable];
    const hk_setting *last = hk_component_last_setting(c, variable);
    if (v->causality == HK_STRUCTURAL_PARAMETER && v->start.data)
        return &v->start;
    return last ? &last->value : NULL;
}

/* Comments above what is not written as a value of its own. */
static void put_other_notes(hk_ssp_writer *w, hk_xml_node *element, const hk_tree_element *e,
                            const bool *written) {
    for (size_t i = 0; i < e->note_count; i++)
        if (!written[i])
            hk_ssp_write_comments(w, element, &e->notes[i].above);
}

void hk_ssp_write_values(hk_ssp_writer *w, hk_xml_node *element, const hk_tree_element *e) {
    const hk_component *c = &w->model->components[e->component];
    bool *written = HK_NEW_ARRAY(w->arena, bool, e->note_count + 1);
    hk_xml_node *list = NULL;
    for (uint32_t i = 0; i < c->info->variable_count; i++) {
        const hk_value *value = value_of(c, i);
        if (!value || hk_model_follows(w->model, (uint32_t)(c - w->model->components), i))
            continue;
        if (!list) {
            hk_xml_node *n = hk_xml_add(w->doc, element, "ssd:ParameterBindings");
            n = hk_xml_add(w->doc, n, "ssd:ParameterBinding");
            n = hk_xml_add(w->doc, n, "ssd:ParameterValues");
            n = hk_xml_add(w->doc, n, "ssv:ParameterSet");
            hk_xml_set(w->doc, n, "version", "1.0");
            hk_xml_set(w->doc, n, "name", c->name);
            list = hk_xml_add(w->doc, n, "ssv:Parameters");
        }
        const hk_tree_note *note = hk_tree_note_find(e, c->info->variables[i].name);
        if (note) {
            hk_ssp_write_comments(w, list, &note->above);
            written[note - e->notes] = true;
        }
        hk_ssp_write_parameter(w, list, c->info->variables[i].name, &c->info->variables[i], value);
    }
    put_other_notes(w, element, e, written);
}

/* ---- the schedule ---- */

/* A name as the language of schedules writes it. */
static void put_name(FILE *out, const char *name) {
    bool plain = *name != '\0';
    for (const char *c = name; *c; c++)
        plain = plain && ((*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') ||
                          (*c >= '0' && *c <= '9') || strchr("_.[]", *c));
    plain = plain && (*name < '0' || *name > '9');
    if (plain) {
        fputs(name, out);
        return;
    }
    fputc('"', out);
    for (const char *c = name; *c; c++)
        fputs(*c == '"' ? "\"\"" : (char[]){*c, 0}, out);
    fputc('"', out);
}

static void put_time(hk_ssp_writer *w, FILE *out, const char *word, bool given, hk_ratio time) {
    if (given)
        fprintf(out, " %s %s", word, hk_ssp_write_fraction(w, time));
}

static void put_component(hk_ssp_writer *w, FILE *out, const hk_component *c) {
    static const char *const words[] = {
        [HK_OVERRUN_STOP] = "stop", [HK_OVERRUN_LATE] = "late", [HK_OVERRUN_SKIP] = "skip"};
    if (!c->has_cost && !c->has_deadline && !c->has_overrun)
        return;
    fputs("component ", out);
    put_name(out, c->name);
    put_time(w, out, "cost", c->has_cost, c->cost);
    put_time(w, out, "deadline", c->has_deadline, c->deadline);
    if (c->has_overrun)
        fprintf(out, " overrun %s", words[c->overrun]);
    fputc('\n', out);
}

static void put_constraint(hk_ssp_writer *w, FILE *out, const hk_constraint *k) {
    static const char *const words[] = {
        [HK_LATENCY] = "latency", [HK_COINCIDENCE] = "coincidence", [HK_FRESHNESS] = "freshness"};
    fprintf(out, "%s ", words[k->kind]);
    for (size_t i = 0; i < k->path_count; i++) {
        fputs(i ? ", " : "", out);
        for (size_t s = 0; s < k->paths[i].count; s++) {
            fputs(s ? " -> " : "", out);
            put_name(out, w->model->components[k->paths[i].components[s]].name);
        }
    }
    put_time(w, out, "min", k->has_min, k->min);
    put_time(w, out, "max", k->has_max, k->max);
    fputc('\n', out);
}

const char *hk_ssp_write_schedule(hk_ssp_writer *w) {
    const hk_model *m = w->model;
    char *data = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&data, &size);
    HK_ASSERT(out);
    for (size_t i = 0; i < m->processor_count; i++) {
        fputs("processor ", out);
        put_name(out, m->processors[i].name);
        fputc(':', out);
        for (size_t k = 0; k < m->processors[i].count; k++) {
            fputc(' ', out);
            put_name(out, m->components[m->processors[i].components[k]].name);
        }
        fputc('\n', out);
    }
    if (m->cut == HK_CUT_HLA)
        fputs("cut hla\n", out);
    for (size_t i = 0; i < m->component_count; i++)
        put_component(w, out, &m->components[i]);
    for (size_t i = 0; i < m->constraint_count; i++)
        put_constraint(w, out, &m->constraints[i]);
    HK_ASSERT(fclose(out) == 0);
    const char *text = hk_arena_strndup(w->arena, data, size);
    free(data);
    return text;
}
