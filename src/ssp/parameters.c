/* SPDX-License-Identifier: MIT
 *
 * Parameter sets (SSV), mappings (SSM) and the bindings that name them. */
#include "ssp/ssp_internal.h"

#include <string.h>

/* The items of an array of texts, item names or binary values. False after an error. */
static bool read_items(hk_ssp *r, const char *file, const hk_xml *typed, hk_ssv_parameter *p) {
    size_t cap = 0;
    for (const hk_xml *v = hk_ssp_child(typed, "Value"); v; v = hk_ssp_next(v, "Value")) {
        const char *text = hk_xml_attr_get(v, "value");
        if (!text) {
            hk_ssp_failed(r, hk_error(r->ctx, HK_E_SSP, hk_xml_where(file, v),
                                      "write <ssv:Value value=\"...\"/>, empty if it is an empty "
                                      "text",
                                      "a Value of parameter '%s' has no value", p->name));
            return false;
        }
        HK_SSP_PUSH(r, p->items, p->item_count, cap, text);
    }
    return true;
}

/* The value of a typed element: its attribute, or its Value children. False after an error. */
static bool read_value(hk_ssp *r, const char *file, const hk_xml *typed, hk_ssv_parameter *p) {
    const char *value = hk_xml_attr_get(typed, "value");
    if (!read_items(r, file, typed, p))
        return false;
    if (value && p->item_count) {
        hk_ssp_failed(r,
                      hk_error(r->ctx, HK_E_SSP, hk_xml_where(file, typed), "leave one of them out",
                               "parameter '%s' has a value and elements Value", p->name));
        return false;
    }
    p->value = p->item_count ? hk_value_list(r->arena, p->items, p->item_count) : value;
    return true;
}

static void read_parameter(hk_ssp *r, const char *file, const hk_xml *xml,
                           const hk_ssp_scope *scope, const hk_ssp_scope *outer,
                           hk_ssv_parameter *parameter) {
    hk_type type;
    const hk_xml *typed = xml->child;
    while (typed && (!hk_ssp_in_namespace(typed) || !hk_ssp_is_type(typed->name, &type)))
        typed = typed->next;
    if (typed && !read_value(r, file, typed, parameter))
        return;
    if (!parameter->value) {
        hk_ssp_failed(r, hk_error(r->ctx, HK_E_SSP, hk_xml_where(file, xml),
                                  "write <ssv:Real value=\"1.5\"/> inside it",
                                  "parameter '%s' has no value", parameter->name));
        return;
    }
    parameter->shape = hk_ssp_read_shape(r, file, xml);
    parameter->type = type;
    parameter->is_text = type == HK_TYPE_STRING && !parameter->item_count;
    if (type == HK_TYPE_ENUM && hk_xml_attr_get(typed, "name"))
        hk_ssp_idle(r, parameter->where, "Enumeration@name of a Parameter");
    parameter->unit = hk_xml_attr_get(typed, "unit");
    if (parameter->unit)
        parameter->uom = hk_ssp_unit(r, scope, outer, parameter->unit, parameter->where);
}

static bool same_text(const char *a, const char *b) {
    return a == b || (a && b && strcmp(a, b) == 0);
}

/* Which of the two counts is nowhere said. */
static void tell_twice(hk_ssp *r, const hk_ssv_parameter *first, const hk_ssv_parameter *second) {
    if (same_text(first->value, second->value) && same_text(first->unit, second->unit))
        hk_warn(r->ctx, HK_E_DUPLICATE, second->where, "remove one of the two",
                "parameter '%s' is given twice; the first is in line %d", second->name,
                first->where.line);
    else
        hk_ssp_failed(r, hk_error(r->ctx, HK_E_DUPLICATE, second->where, "remove one of the two",
                                  "parameter '%s' is given twice, with different values; the first "
                                  "is in line %d",
                                  second->name, first->where.line));
}

const hk_ssv *hk_ssv_read(hk_ssp *r, const char *file, const hk_xml *set,
                          const hk_ssp_scope *outer) {
    hk_ssv *ssv = HK_NEW(r->arena, hk_ssv);
    ssv->name = hk_xml_attr_get(set, "name");
    hk_map names = {0};
    const hk_xml *list = hk_ssp_child(set, "Parameters");
    hk_ssp_scope scope;
    hk_ssp_read_scope(r, file, set, &scope);
    for (const hk_xml *p = list ? hk_ssp_child(list, "Parameter") : NULL; p;
         p = hk_ssp_next(p, "Parameter")) {
        hk_ssv_parameter parameter = {.name = hk_xml_attr_get(p, "name"),
                                      .where = hk_xml_where(file, p)};
        if (!parameter.name) {
            hk_ssp_failed(
                r, hk_error(r->ctx, HK_E_SSP, parameter.where, NULL, "a Parameter has no name"));
            continue;
        }
        read_parameter(r, file, p, &scope, outer, &parameter);
        if (!parameter.value)
            continue;
        uint32_t other = hk_map_put(&names, parameter.name, (uint32_t)ssv->count);
        if (other != ssv->count)
            tell_twice(r, &ssv->parameters[other], &parameter);
        else
            HK_SSP_PUSH(r, ssv->parameters, ssv->count, ssv->cap, parameter);
    }
    hk_map_finish(&names);
    return ssv;
}

const hk_ssm *hk_ssm_read(hk_ssp *r, const char *file, const hk_xml *mapping) {
    hk_ssm *ssm = HK_NEW(r->arena, hk_ssm);
    hk_map targets = {0};
    for (const hk_xml *m = hk_ssp_child(mapping, "MappingEntry"); m;
         m = hk_ssp_next(m, "MappingEntry")) {
        hk_ssm_entry entry = {
            .source = hk_xml_attr_get(m, "source"),
            .target = hk_xml_attr_get(m, "target"),
            .transform = hk_ssp_read_transform(r, file, m),
            .suppress_unit_conversion = hk_ssp_read_flag(r, file, m, "suppressUnitConversion"),
            .where = hk_xml_where(file, m),
        };
        uint32_t next = (uint32_t)ssm->count, other = next;
        if (entry.source && entry.target)
            other = hk_map_put(&targets, entry.target, next);
        if (other != next)
            hk_ssp_failed(r, hk_error(r->ctx, HK_E_DUPLICATE, entry.where, "remove one of the two",
                                      "'%s' and '%s' are both mapped to '%s'; the first is in "
                                      "line %d",
                                      ssm->entries[other].source, entry.source, entry.target,
                                      ssm->entries[other].where.line));
        else if (entry.source && entry.target)
            HK_SSP_PUSH(r, ssm->entries, ssm->count, ssm->cap, entry);
        else
            hk_ssp_failed(r, hk_error(r->ctx, HK_E_SSP, hk_xml_where(file, m), NULL,
                                      "a MappingEntry needs source and target"));
    }
    hk_map_finish(&targets);
    return ssm;
}

/* The source of a set or mapping; NULL: none. TYPE is the only media type that is understood. False
 * after an error: then nothing is to be said about the file. */
static bool read_source(hk_ssp *r, const char *file, const hk_xml *xml, const char *type,
                        const char **ret_source, bool *ret_inside) {
    const char *given = hk_xml_attr_get(xml, "type"), *base = hk_xml_attr_get(xml, "sourceBase");
    hk_status status = HK_OK;
    if (given && strcmp(given, type) != 0)
        status = hk_error(r->ctx, HK_E_SSP, hk_xml_where(file, xml), NULL,
                          "'%s' has the type '%s', hocket reads '%s'", xml->name, given, type);
    else if (base && strcmp(base, "SSD") != 0 && strcmp(base, "component") != 0)
        status = hk_error(r->ctx, HK_E_SSP, hk_xml_where(file, xml), "write SSD or component",
                          "sourceBase '%s' is not known", base);
    *ret_inside = base && strcmp(base, "component") == 0;
    if (status != HK_OK)
        hk_ssp_failed(r, status);
    *ret_source = hk_xml_attr_get(xml, "source");
    return status == HK_OK;
}

hk_ssd_binding hk_ssp_read_binding(hk_ssp *r, const hk_ssp_base *base, const char *file,
                                   const hk_xml *xml, const hk_ssp_scope *scope) {
    hk_ssd_binding binding = {
        .prefix = hk_xml_attr_get(xml, "prefix"), .base = base, .where = hk_xml_where(file, xml)};
    const hk_ssd_binding nothing = binding;
    if (!read_source(r, file, xml, "application/x-ssp-parameter-set", &binding.set_source,
                     &binding.set_inside))
        return nothing;
    const hk_xml *values = hk_ssp_child(xml, "ParameterValues");
    const hk_xml *set = values ? hk_ssp_child(values, "ParameterSet") : NULL;
    if (set && binding.set_source)
        hk_warn(r->ctx, HK_E_SSP, binding.where, "leave one of them out",
                "a ParameterBinding has a source and a ParameterSet; the source counts");
    else if (set)
        binding.set = hk_ssv_read(r, file, set, scope);
    else if (!binding.set_source)
        hk_warn(r->ctx, HK_E_SSP, binding.where, "give it a source, or a ParameterSet",
                "a ParameterBinding without source and without ParameterSet is ignored");
    const hk_xml *mapping = hk_ssp_child(xml, "ParameterMapping");
    if (!mapping)
        return binding;
    if (!read_source(r, file, mapping, "application/x-ssp-parameter-mapping", &binding.map_source,
                     &binding.map_inside))
        return nothing;
    const hk_xml *inner = hk_ssp_child(mapping, "ParameterMapping");
    if (binding.map_source && (inner || hk_ssp_child(mapping, "MappingEntry")))
        hk_warn(r->ctx, HK_E_SSP, hk_xml_where(file, mapping), "leave one of them out",
                "a ParameterMapping has a source and entries; the source counts");
    if (!binding.map_source)
        binding.map = hk_ssm_read(r, file, inner ? inner : mapping);
    return binding;
}
