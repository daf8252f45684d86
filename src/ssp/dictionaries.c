/* SPDX-License-Identifier: MIT
 *
 * Signal dictionaries: signals with names that elements of several systems write and read through
 * references. A dictionary is kept as a system that has nothing but connectors, its entries. */
#include "ssp/ssp_internal.h"

#include <string.h>

#define TYPE_DICTIONARY "application/x-ssp-signal-dictionary"

static void read_entries(hk_ssp *r, const char *file, const hk_xml *xml, const hk_ssp_scope *outer,
                         hk_ssd_element *dictionary) {
    hk_ssp_scope scope;
    hk_ssp_read_scope(r, file, xml, &scope);
    bool own = scope.unit_names || scope.enum_names;
    for (const hk_xml *x = hk_ssp_child(xml, "DictionaryEntry"); x;
         x = hk_ssp_next(x, "DictionaryEntry")) {
        hk_tree_connector entry = hk_ssd_read_typed(r, file, own ? &scope : outer, x);
        uint32_t index = (uint32_t)dictionary->connector_count;
        if (!entry.name)
            continue;
        entry.kind = HK_TREE_INOUT;
        if (hk_map_put(dictionary->connector_names, entry.name, index) == index)
            hk_ssd_add_connector(r, dictionary, &entry, x);
        else
            hk_ssp_failed(r, hk_error(r->ctx, HK_E_DUPLICATE, entry.where, NULL,
                                      "signal dictionary '%s' has two entries called '%s'",
                                      dictionary->name, entry.name));
    }
}

static void read_dictionary(hk_ssp *r, const hk_ssp_base *base, const char *file,
                            const hk_ssp_scope *scope, const hk_xml *xml,
                            hk_ssd_element *dictionary) {
    const char *type = hk_xml_attr_get(xml, "type"), *source = hk_xml_attr_get(xml, "source");
    const hk_xml *inner = hk_ssp_child(xml, "SignalDictionary");
    if (type && strcmp(type, TYPE_DICTIONARY) != 0)
        hk_ssp_failed(r, hk_error(r->ctx, HK_E_SSP, dictionary->where, NULL,
                                  "'%s' has the type '%s', hocket reads '" TYPE_DICTIONARY "'",
                                  xml->name, type));
    else if (!source)
        read_entries(r, file, inner ? inner : xml, scope, dictionary);
    else if (base->store->folder || base->store->zip) {
        const struct hk_ssp_loaded *loaded =
            hk_ssp_load_tree(r, base, source, dictionary->where, "SignalDictionary");
        if (loaded)
            read_entries(r, loaded->file, loaded->xml, scope, dictionary);
    }
}

void hk_ssp_read_dictionaries(hk_ssp *r, const hk_ssp_base *base, const char *file,
                              const hk_ssp_scope *scope, const hk_xml *xml,
                              hk_ssd_element *system) {
    const hk_xml *list = hk_ssp_child(xml, "SignalDictionaries");
    for (const hk_xml *x = list ? hk_ssp_child(list, "SignalDictionary") : NULL; x;
         x = hk_ssp_next(x, "SignalDictionary")) {
        hk_ssd_element *dictionary = HK_NEW(r->arena, hk_ssd_element);
        dictionary->is_system = true;
        dictionary->name = hk_xml_attr_get(x, "name");
        dictionary->where = hk_xml_where(file, x);
        dictionary->connector_names = hk_ssp_map(r);
        dictionary->component = HK_MAP_NONE;
        if (!dictionary->name) {
            hk_ssp_failed(r, hk_error(r->ctx, HK_E_SSP, dictionary->where, NULL,
                                      "a SignalDictionary has no name"));
            continue;
        }
        read_dictionary(r, base, file, scope, x, dictionary);
        HK_SSP_PUSH(r, system->dictionaries, system->dictionary_count, system->dictionary_cap,
                    dictionary);
    }
}

hk_ssd_element *hk_ssp_dictionary(const hk_ssd_element *reference) {
    for (const hk_ssd_element *s = reference->parent; s && reference->dictionary_name;
         s = s->parent)
        for (size_t i = 0; i < s->dictionary_count; i++)
            if (strcmp(s->dictionaries[i]->name, reference->dictionary_name) == 0)
                return s->dictionaries[i];
    return NULL;
}
