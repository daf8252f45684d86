/* SPDX-License-Identifier: MIT
 *
 * Parameter sets (SSV), mappings (SSM) and the bindings that name them. */
#include "ssp/ssp_internal.h"

#include <string.h>

static const char *text_of(const hk_xml *value) {
    const char *text = hk_xml_attr_get(value, "value");
    return text ? text : "";
}

/* The value of a typed element: its attribute, or its Value children as a list. */
static const char *value_of(hk_ssp *r, const hk_xml *typed) {
    const char *value = hk_xml_attr_get(typed, "value");
    const hk_xml *first = value ? NULL : hk_ssp_child(typed, "Value");
    size_t length = 0;
    for (const hk_xml *v = first; v; v = hk_ssp_next(v, "Value"))
        length += strlen(text_of(v)) + 1;
    if (!length)
        return value;
    char *list = hk_arena_alloc(r->arena, length), *end = list;
    for (const hk_xml *v = first; v; v = hk_ssp_next(v, "Value")) {
        if (v != first)
            *end++ = ' ';
        end = stpcpy(end, text_of(v));
    }
    return list;
}

static void read_parameter(hk_ssp *r, const char *file, const hk_xml *xml,
                           const hk_ssp_scope *scope, const hk_ssp_scope *outer,
                           hk_ssv_parameter *parameter) {
    hk_type type;
    const hk_xml *typed = xml->child;
    while (typed && (!hk_ssp_in_namespace(typed) || !hk_ssp_is_type(typed->name, &type)))
        typed = typed->next;
    if (typed)
        parameter->value = value_of(r, typed);
    if (!parameter->value) {
        hk_ssp_failed(r, hk_error(r->ctx, HK_E_SSP, hk_xml_where(file, xml),
                                  "write <ssv:Real value=\"1.5\"/> inside it",
                                  "parameter '%s' has no value", parameter->name));
        return;
    }
    parameter->unit = hk_xml_attr_get(typed, "unit");
    if (parameter->unit)
        parameter->uom = hk_ssp_unit(r, scope, outer, parameter->unit, parameter->where);
}

const hk_ssv *hk_ssv_read(hk_ssp *r, const char *file, const hk_xml *set,
                          const hk_ssp_scope *outer) {
    hk_ssv *ssv = HK_NEW(r->arena, hk_ssv);
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
        if (parameter.value)
            HK_SSP_PUSH(r, ssv->parameters, ssv->count, ssv->cap, parameter);
    }
    return ssv;
}

const hk_ssm *hk_ssm_read(hk_ssp *r, const char *file, const hk_xml *mapping) {
    hk_ssm *ssm = HK_NEW(r->arena, hk_ssm);
    for (const hk_xml *m = hk_ssp_child(mapping, "MappingEntry"); m;
         m = hk_ssp_next(m, "MappingEntry")) {
        hk_ssm_entry entry = {
            .source = hk_xml_attr_get(m, "source"),
            .target = hk_xml_attr_get(m, "target"),
            .transform = hk_ssp_read_transform(r, file, m),
            .suppress_unit_conversion = hk_ssp_read_flag(r, file, m, "suppressUnitConversion"),
        };
        if (entry.source && entry.target)
            HK_SSP_PUSH(r, ssm->entries, ssm->count, ssm->cap, entry);
        else
            hk_ssp_failed(r, hk_error(r->ctx, HK_E_SSP, hk_xml_where(file, m), NULL,
                                      "a MappingEntry needs source and target"));
    }
    return ssm;
}

/* The source of a set or mapping, or NULL. TYPE is the only media type that is understood. */
static const char *read_source(hk_ssp *r, const char *file, const hk_xml *xml, const char *type) {
    const char *given = hk_xml_attr_get(xml, "type"), *base = hk_xml_attr_get(xml, "sourceBase");
    if (given && strcmp(given, type) != 0)
        hk_ssp_failed(r, hk_error(r->ctx, HK_E_SSP, hk_xml_where(file, xml), NULL,
                                  "'%s' has the type '%s', hocket reads '%s'", xml->name, given,
                                  type));
    if (base && strcmp(base, "SSD") != 0)
        hk_ssp_failed(r, hk_error(r->ctx, HK_E_SSP, hk_xml_where(file, xml),
                                  "put the file beside the .ssd and leave sourceBase out",
                                  "sourceBase '%s' is not supported", base));
    return hk_xml_attr_get(xml, "source");
}

hk_ssd_binding hk_ssp_read_binding(hk_ssp *r, const char *file, const hk_xml *xml,
                                   const hk_ssp_scope *scope) {
    hk_ssd_binding binding = {.prefix = hk_xml_attr_get(xml, "prefix"),
                              .where = hk_xml_where(file, xml)};
    binding.set_source = read_source(r, file, xml, "application/x-ssp-parameter-set");
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
    binding.map_source = read_source(r, file, mapping, "application/x-ssp-parameter-mapping");
    const hk_xml *inner = hk_ssp_child(mapping, "ParameterMapping");
    if (!binding.map_source)
        binding.map = hk_ssm_read(r, file, inner ? inner : mapping);
    return binding;
}
