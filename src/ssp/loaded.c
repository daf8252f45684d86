/* SPDX-License-Identifier: MIT
 *
 * Parameter sets, mappings and signal dictionaries in files of their own: each file is read once,
 * however many bindings name it. */
#include "format/xml_document.h"
#include "ssp/ssp_internal.h"

#define SET_BYTES_MAX ((size_t)256 << 20)

static const hk_xml_node *first_comment(const hk_xml_node *parent) {
    const hk_xml_node *found = NULL;
    for (const hk_xml_node *n = parent->child; n && !found; n = n->next)
        found = n->kind == HK_XML_COMMENT ? n : first_comment(n);
    return found;
}

/* Only for those who write the system again. The depth is limited by the reader. */
static void find_comment(hk_ssp *r, const char *data, size_t size, struct hk_ssp_loaded *loaded) {
    hk_xml_document *doc;
    hk_ctx *quiet = hk_ctx_create(NULL, NULL);
    if (hk_xml_document_read(quiet, r->arena, "", data, size, &doc) == HK_OK) {
        const hk_xml_node *n = first_comment(&doc->top);
        if (n)
            loaded->comment =
                (hk_where){.file = loaded->file, .line = n->line, .column = n->column};
    }
    hk_ctx_destroy(quiet);
}

/* Reads the tree of LOADED, whose file is known. */
static hk_status read_xml(hk_ssp *r, hk_ssp_store *store, const char *path, const char *root,
                          hk_where where, struct hk_ssp_loaded *loaded) {
    char *data;
    size_t size;
    bool exists;
    HK_TRY(hk_ssp_exists(r, store, path, &exists));
    if (!exists)
        return hk_error(r->ctx, HK_E_FILE_READ, where,
                        "correct the source; it is relative to the .ssd file",
                        "the file '%s' does not exist", path);
    HK_TRY(hk_ssp_load(r, store, path, SET_BYTES_MAX, &data, &size));
    hk_status status = hk_ssp_parse_xml(r, loaded->file, data, size, root, &loaded->xml);
    if (status == HK_OK && r->unpack)
        find_comment(r, data, size, loaded);
    hk_free(data);
    return status;
}

struct hk_ssp_loaded *hk_ssp_load_tree(hk_ssp *r, const hk_ssp_base *base, const char *source,
                                       hk_where where, const char *root) {
    const char *path, *fragment;
    if (!base)
        return NULL; /* was reported */
    hk_status status = hk_ssp_resolve(r, base, source, where, &path, &fragment);
    if (status != HK_OK) {
        hk_ssp_failed(r, status);
        return NULL;
    }
    const char *key = hk_arena_printf(r->arena, "%s %u %s", root, base->store->number, path);
    uint32_t index = hk_map_put(r->loaded, key, (uint32_t)r->file_count);
    if (index == r->file_count) {
        struct hk_ssp_loaded loaded = {.file = hk_ssp_shown(r, base->store, path)};
        status = read_xml(r, base->store, path, root, where, &loaded);
        if (status != HK_OK)
            hk_ssp_failed(r, status);
        else
            hk_ssp_tell_unused(r, base, loaded.file, loaded.xml, NULL);
        HK_SSP_PUSH(r, r->files, r->file_count, r->file_cap, loaded);
    }
    return r->files[index].xml ? &r->files[index] : NULL;
}

static const hk_ssv *load_set(hk_ssp *r, const hk_ssp_base *base, const char *source,
                              hk_where where) {
    struct hk_ssp_loaded *loaded = hk_ssp_load_tree(r, base, source, where, "ParameterSet");
    if (loaded && !loaded->set)
        loaded->set = hk_ssv_read(r, loaded->file, loaded->xml, NULL);
    return loaded ? loaded->set : NULL;
}

static const hk_ssm *load_map(hk_ssp *r, const hk_ssp_base *base, const char *source,
                              hk_where where) {
    struct hk_ssp_loaded *loaded = hk_ssp_load_tree(r, base, source, where, "ParameterMapping");
    if (loaded && !loaded->map)
        loaded->map = hk_ssm_read(r, loaded->file, loaded->xml);
    return loaded ? loaded->map : NULL;
}

/* Of a component that is a system in a file of its own, `base` is that of the file by now. */
static const hk_ssp_base *base_of(hk_ssp *r, hk_ssd_element *element, const hk_ssd_binding *binding,
                                  bool inside) {
    return inside && !element->is_system ? hk_ssp_inside(r, element, binding->where)
                                         : binding->base;
}

const hk_ssv *hk_ssp_binding_set(hk_ssp *r, hk_ssd_element *element, const hk_ssd_binding *b) {
    return b->set_source
               ? load_set(r, base_of(r, element, b, b->set_inside), b->set_source, b->where)
               : b->set;
}

const hk_ssm *hk_ssp_binding_map(hk_ssp *r, hk_ssd_element *element, const hk_ssd_binding *b) {
    return b->map_source
               ? load_map(r, base_of(r, element, b, b->map_inside), b->map_source, b->where)
               : b->map;
}
