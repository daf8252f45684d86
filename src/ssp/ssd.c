/* SPDX-License-Identifier: MIT
 *
 * From the XML of an SSD to hk_ssd. Nothing outside the file is looked at. */
#include "ssp/ssp_internal.h"

#include <string.h>

/* Where the reader is: everything below one SSD. */
typedef struct place {
    hk_ssp *r;
    const hk_ssp_base *base;
    const char *file;
    const hk_ssp_scope *scope;
} place;

static const char *need(place p, const hk_xml *xml, const char *name) {
    const char *value = hk_xml_attr_get(xml, name);
    if (value && *value)
        return value;
    hk_ssp_failed(p.r, hk_error(p.r->ctx, HK_E_SSP, hk_xml_where(p.file, xml), NULL,
                                "'%s' has no %s", xml->name, name));
    return NULL;
}

static hk_tree_kind read_kind(place p, const hk_xml *xml, const char *connector) {
    static const char *const names[] = {
        "unspecified",         "input",    "output", "parameter", "calculatedParameter", "inout",
        "structuralParameter", "constant", "local"};
    const size_t count = sizeof names / sizeof *names;
    const char *kind = hk_xml_attr_get(xml, "kind");
    for (size_t i = 0; kind && i < count; i++)
        if (strcmp(names[i], kind) == 0)
            return (hk_tree_kind)i;
    hk_ssp_failed(p.r, hk_error(p.r->ctx, HK_E_SSP, hk_xml_where(p.file, xml),
                                kind ? hk_ssp_suggest(p.r, kind, names, count)
                                     : "write kind=\"input\" or kind=\"output\"",
                                kind ? "connector '%s' has the unknown kind '%s'"
                                     : "connector '%s' has no kind%s",
                                connector, kind ? kind : ""));
    return HK_TREE_UNSPECIFIED;
}

static void tell_clocks(place p, const hk_xml *xml, const char *connector) {
    for (const hk_xml *c = hk_ssp_child(xml, "Clock"); c; c = hk_ssp_next(c, "Clock")) {
        const char *name = hk_xml_attr_get(c, "name");
        if (hk_ssp_first(p.r, name ? "clock of" : "clock"))
            hk_warn(p.r->ctx, HK_E_SSP, hk_xml_where(p.file, c),
                    "hocket activates components by their periods",
                    name ? "connector '%s' belongs to the clock '%s', which is ignored"
                         : "connector '%s' is a clock, which is ignored%s",
                    connector, name ? name : "");
    }
}

static void read_type(place p, const hk_xml *xml, hk_tree_connector *connector) {
    const char *draft = hk_xml_attr_get(xml, "type"); /* drafts of SSP have it here */
    if (draft)
        connector->has_type = hk_ssp_is_type(draft, &connector->type);
    for (const hk_xml *t = xml->child; t; t = t->next) {
        if (!hk_ssp_in_namespace(t) || !hk_ssp_is_type(t->name, &connector->type))
            continue;
        if (connector->type == HK_TYPE_CLOCK)
            continue; /* with a name it only says which clock the connector belongs to */
        connector->has_type = true;
        connector->unit = hk_xml_attr_get(t, "unit");
        if (connector->unit)
            connector->uom = hk_ssp_unit(p.r, p.scope, NULL, connector->unit, connector->where);
        const char *name = hk_xml_attr_get(t, "name");
        if (connector->type != HK_TYPE_ENUM || !name)
            return;
        uint32_t index = p.scope->enum_names ? hk_map_get(p.scope->enum_names, name) : HK_MAP_NONE;
        if (index != HK_MAP_NONE)
            connector->enumeration = &p.scope->enums[index];
        else
            hk_warn(p.r->ctx, HK_E_SSP, connector->where, "declare it under Enumerations",
                    "enumeration '%s' of connector '%s' is not declared", name, connector->name);
        return;
    }
}

hk_tree_connector hk_ssd_read_typed(hk_ssp *r, const char *file, const hk_ssp_scope *scope,
                                    const hk_xml *xml) {
    place p = {r, NULL, file, scope};
    hk_tree_connector connector = {.name = need(p, xml, "name"), .where = hk_xml_where(file, xml)};
    if (!connector.name)
        return connector;
    read_type(p, xml, &connector);
    tell_clocks(p, xml, connector.name);
    hk_ssp_shape shape = hk_ssp_read_shape(r, file, xml);
    connector.sizes = shape.sizes;
    connector.size_count = shape.count;
    return connector;
}

void hk_ssd_add_connector(hk_ssp *r, hk_ssd_element *element, const hk_tree_connector *connector,
                          const hk_xml *xml) {
    HK_SSP_PUSH(r, element->connectors, element->connector_count, element->connector_cap,
                *connector);
    HK_SSP_PUSH(r, element->connector_xml, element->connector_xml_count, element->connector_xml_cap,
                xml);
}

/* A size may be what another connector of the same element says. */
static void check_sizes(place p, const hk_xml *list, const hk_ssd_element *element) {
    for (const hk_xml *c = list ? hk_ssp_child(list, "Connector") : NULL; c;
         c = hk_ssp_next(c, "Connector"))
        for (const hk_xml *d = hk_ssp_child(c, "Dimension"); d; d = hk_ssp_next(d, "Dimension")) {
            const char *name = hk_xml_attr_get(d, "sizeConnector");
            if (name && hk_map_get(element->connector_names, name) == HK_MAP_NONE)
                hk_warn(p.r->ctx, HK_E_SSP, hk_xml_where(p.file, d), "declare it under Connectors",
                        "'%s' has no connector '%s' that could be the size of another",
                        element->name, name);
        }
}

static void read_connectors(place p, const hk_xml *xml, hk_ssd_element *element) {
    const hk_xml *list = hk_ssp_child(xml, "Connectors");
    element->connector_names = hk_ssp_map(p.r);
    for (const hk_xml *c = list ? hk_ssp_child(list, "Connector") : NULL; c;
         c = hk_ssp_next(c, "Connector")) {
        hk_tree_connector connector = hk_ssd_read_typed(p.r, p.file, p.scope, c);
        if (!connector.name)
            continue;
        connector.kind = read_kind(p, c, connector.name);
        uint32_t index = (uint32_t)element->connector_count;
        if (hk_map_put(element->connector_names, connector.name, index) != index) {
            hk_ssp_failed(p.r, hk_error(p.r->ctx, HK_E_DUPLICATE, connector.where, NULL,
                                        "'%s' has two connectors called '%s'", element->name,
                                        connector.name));
            continue;
        }
        hk_ssd_add_connector(p.r, element, &connector, c);
    }
    check_sizes(p, list, element);
}

static void read_bindings(place p, const hk_xml *xml, hk_ssd_element *element) {
    const hk_xml *list = hk_ssp_child(xml, "ParameterBindings");
    for (const hk_xml *b = list ? hk_ssp_child(list, "ParameterBinding") : NULL; b;
         b = hk_ssp_next(b, "ParameterBinding")) {
        hk_ssd_binding binding = hk_ssp_read_binding(p.r, p.base, p.file, b, p.scope);
        HK_SSP_PUSH(p.r, element->bindings, element->binding_count, element->binding_cap, binding);
    }
}

/* The connector at an end, with the indices of SSP 2.0 behind it: "u[2,1]". They count from 1. */
static const char *read_end(place p, const hk_xml *xml, const char *name, const char *indices) {
    const char *connector = need(p, xml, name), *list = hk_xml_attr_get(xml, indices);
    if (!connector || !list)
        return connector;
    hk_where where = hk_xml_where(p.file, xml);
    const char *text = "";
    for (const char *c = list + strspn(list, " \t\r\n"); *c; c += strspn(c, " \t\r\n")) {
        size_t length = strcspn(c, " \t\r\n");
        text = hk_arena_printf(p.r->arena, "%s%s%.*s", text, *text ? "," : "", (int)length, c);
        c += length;
    }
    if (*text && !text[strspn(text, "0123456789,")])
        return hk_arena_printf(p.r->arena, "%s[%s]", connector, text);
    hk_ssp_failed(p.r, hk_error(p.r->ctx, HK_E_SSP, where,
                                "write one index for each dimension, the first is 1",
                                "%s '%s' is not a list of indices", indices, list));
    return NULL;
}

static void read_connections(place p, const hk_xml *xml, hk_ssd_element *system) {
    const hk_xml *list = hk_ssp_child(xml, "Connections");
    for (const hk_xml *c = list ? hk_ssp_child(list, "Connection") : NULL; c;
         c = hk_ssp_next(c, "Connection")) {
        hk_tree_connection k = {
            .from = {hk_xml_attr_get(c, "startElement"),
                     read_end(p, c, "startConnector", "startIndices")},
            .to = {hk_xml_attr_get(c, "endElement"), read_end(p, c, "endConnector", "endIndices")},
            .suppress_unit_conversion = hk_ssp_read_flag(p.r, p.file, c, "suppressUnitConversion"),
            .delay = {0, 1},
            .where = hk_xml_where(p.file, c),
        };
        hk_ssp_transform transform = hk_ssp_read_transform(p.r, p.file, c);
        k.transform = transform.kind;
        k.factor = transform.factor;
        k.offset = transform.offset;
        k.map_from = transform.map_from;
        k.map_to = transform.map_to;
        k.map_count = transform.map_count;
        hk_ssp_read_link(p.r, p.file, c, &k);
        if (!k.from.connector || !k.to.connector)
            continue;
        HK_SSP_PUSH(p.r, system->connections, system->connection_count, system->connection_cap, k);
        HK_SSP_PUSH(p.r, system->connection_xml, system->connection_xml_count,
                    system->connection_xml_cap, c);
    }
}

static hk_ssd_element *read_element(place p, const hk_xml *xml, bool is_system) {
    hk_ssd_element *element = HK_NEW(p.r->arena, hk_ssd_element);
    element->is_system = is_system;
    element->base = p.base;
    element->xml = xml;
    element->where = hk_xml_where(p.file, xml);
    element->name = need(p, xml, "name");
    if (!element->name)
        element->name = "?";
    element->component = HK_MAP_NONE;
    element->period = element->offset = (hk_ratio){0, 1};
    read_connectors(p, xml, element);
    read_bindings(p, xml, element);
    return element;
}

static hk_ssd_element *read_component(place p, const hk_xml *xml) {
    hk_ssd_element *component = read_element(p, xml, false);
    component->implementation = hk_xml_attr_get(xml, "implementation");
    component->type = hk_xml_attr_get(xml, "type");
    component->source = hk_xml_attr_get(xml, "source");
    hk_ssp_read_schedule(p.r, p.file, xml, component);
    hk_ssp_read_hint(p.r, p.file, xml, component);
    return hk_ssp_is_nested(component) ? hk_ssp_read_nested(p.r, component) : component;
}

static hk_ssd_element *read_reference(place p, const hk_xml *xml) {
    hk_ssd_element *reference = read_element(p, xml, false);
    reference->is_reference = true;
    reference->dictionary_name = need(p, xml, "dictionary");
    if (reference->binding_count && hk_ssp_first(p.r, "bindings of a reference"))
        hk_warn(p.r->ctx, HK_E_SSP, reference->where, "give them to the components that read it",
                "parameter bindings of a reference to a signal dictionary are ignored");
    return reference;
}

/* The depth is limited by the XML reader. */
static hk_ssd_element *read_system(place p, const hk_xml *xml) {
    hk_ssd_element *system = read_element(p, xml, true);
    system->element_names = hk_ssp_map(p.r);
    const hk_xml *list = hk_ssp_child(xml, "Elements");
    for (const hk_xml *x = list ? list->child : NULL; x; x = x->next) {
        hk_ssd_element *element = NULL;
        if (!hk_ssp_in_namespace(x))
            continue;
        if (strcmp(x->name, "System") == 0) {
            element = read_system(p, x);
            hk_ssp_refuse_schedule(p.r, p.file, x);
            if (hk_xml_attr_get(x, "description"))
                hk_ssp_idle(p.r, element->where, "System@description inside");
        }
        if (strcmp(x->name, "Component") == 0)
            element = read_component(p, x);
        if (strcmp(x->name, "SignalDictionaryReference") == 0)
            element = read_reference(p, x);
        if (!element)
            continue;
        element->parent = system;
        uint32_t index = (uint32_t)system->element_count;
        uint32_t other = hk_map_put(system->element_names, element->name, index);
        if (other == index)
            HK_SSP_PUSH(p.r, system->elements, system->element_count, system->element_cap, element);
        else
            hk_ssp_failed(p.r, hk_error(p.r->ctx, HK_E_DUPLICATE, element->where,
                                        "give one of them another name",
                                        "two elements are called '%s'; the other one is in "
                                        "line %d",
                                        element->name, system->elements[other]->where.line));
    }
    hk_ssp_read_dictionaries(p.r, p.base, p.file, p.scope, xml, system);
    read_connections(p, xml, system);
    return system;
}

hk_status hk_ssd_read(hk_ssp *r, const hk_ssp_base *base, const char *file, const hk_xml *root,
                      hk_ssd **ret_ssd) {
    hk_ssd *ssd = HK_NEW(r->arena, hk_ssd);
    const hk_xml *system = hk_ssp_child(root, "System");
    if (!system)
        return hk_error(r->ctx, HK_E_SSP, hk_xml_where(file, root),
                        "put one element System into it", "the description has no System");
    ssd->name = hk_xml_attr_get(root, "name");
    ssd->description = hk_xml_attr_get(system, "description");
    hk_ssp_read_scope(r, file, root, &ssd->scope);
    hk_ssp_read_experiment(r, file, root, ssd);
    ssd->root = read_system((place){r, base, file, &ssd->scope}, system);
    ssd->root->description = root;
    hk_ssp_tell_unused(r, base, file, root, ssd->step);
    *ret_ssd = ssd;
    return HK_OK;
}

hk_status hk_ssd_load(hk_ssp *r, const hk_ssp_base *base, hk_ssd **ret_ssd) {
    const char *file = hk_ssp_shown(r, base->store, base->ssd);
    const hk_xml *root;
    char *data;
    size_t size;
    HK_TRY(hk_ssp_load(r, base->store, base->ssd, HK_SSD_BYTES_MAX, &data, &size));
    hk_status status = hk_ssp_parse_xml(r, file, data, size, "SystemStructureDescription", &root);
    hk_free(data);
    return status == HK_OK ? hk_ssd_read(r, base, file, root, ret_ssd) : status;
}
