/* SPDX-License-Identifier: MIT
 *
 * Keeps what was read as the tree of the model, and reads our annotation about systems: roles,
 * interfaces and services, leaf types, type files and plugins, ports that are more than one value.
 */
#include "base/file.h"
#include "base/number.h"
#include "format/xml_document.h"
#include "ssp/keep_internal.h"

#include <string.h>

typedef hk_ssp_keeper keeper;

static const char *copy(const keeper *k, const char *text) {
    return text ? hk_arena_strdup(k->arena, text) : NULL;
}

static hk_where copy_where(const keeper *k, hk_where where) {
    where.file = copy(k, where.file);
    where.element = NULL;
    return where;
}

/* ---- annotations ---- */

/* XML that declares its namespaces where they change. */
static void rebuild(hk_xml_document *doc, hk_xml_node *into, const hk_xml *xml, const char *ns) {
    hk_xml_node *node = hk_xml_add(doc, into, xml->name);
    if (strcmp(xml->ns, ns) != 0)
        hk_xml_set(doc, node, "xmlns", xml->ns);
    for (size_t i = 0; i < xml->attr_count; i++) {
        const hk_xml_attr *a = &xml->attrs[i];
        const char *prefix = *a->ns ? hk_arena_printf(doc->arena, "a%zu", i) : NULL;
        if (prefix)
            hk_xml_set(doc, node, hk_arena_printf(doc->arena, "xmlns:%s", prefix), a->ns);
        hk_xml_set(doc, node,
                   prefix ? hk_arena_printf(doc->arena, "%s:%s", prefix, a->name) : a->name,
                   a->value);
    }
    if (*xml->text)
        hk_xml_add_text(doc, node, xml->text);
    for (const hk_xml *x = xml->child; x; x = x->next)
        rebuild(doc, node, x, xml->ns);
}

static const char *text_of(const keeper *k, const hk_xml *xml) {
    hk_xml_document *doc = hk_xml_document_create(k->r->arena);
    rebuild(doc, &doc->top, xml, "");
    const char *text = hk_xml_document_print(k->r->arena, doc);
    return copy(k, strchr(text, '\n') + 1); /* behind the declaration of XML */
}

static bool is_own(const char *type) {
    return strcmp(type, HK_SSP_ANNOTATION) == 0 || strcmp(type, HK_SSP_SYSTEM_ANNOTATION) == 0;
}

/* Is it, or does it hold, what was used? */
static bool holds(const hk_xml *xml, const hk_xml *used) {
    bool found = xml == used;
    for (const hk_xml *x = xml->child; x && used && !found; x = x->next)
        found = holds(x, used);
    return found;
}

static void keep_annotations(keeper *k, const hk_ssd_element *from, const hk_xml *list,
                             hk_tree_element *e) {
    const char *file = from->where.file;
    for (const hk_xml *a = hk_ssp_child(list, "Annotation"); a; a = hk_ssp_next(a, "Annotation")) {
        const char *type = hk_xml_attr_get(a, "type");
        if (!type || is_own(type))
            continue;
        for (const hk_xml *x = a->child; x; x = x->next) {
            if (holds(x, from->hint) || holds(x, k->step))
                continue;
            hk_tree_annotation kept = {
                copy(k, type), text_of(k, x),
                strcmp(type, HK_SSP_SCENE) == 0 ? "a scene" : "annotations of other tools",
                copy_where(k, hk_xml_where(file, x))};
            HK_TREE_PUSH(k->arena, e->annotations, e->annotation_count, e->annotation_cap, kept);
        }
    }
}

/* Of other tools, but for what is used: a step size. Also those of what is not an element of the
 * tree: connectors, connections, the experiment. */
static void keep_all_annotations(keeper *k, const hk_ssd_element *from, const hk_xml *xml,
                                 hk_tree_element *e) {
    for (const hk_xml *x = xml->child; x; x = x->next)
        if (strcmp(x->name, "Annotations") == 0)
            keep_annotations(k, from, x, e);
        else if (strcmp(x->name, "Elements") != 0 && strcmp(x->name, "System") != 0 &&
                 strcmp(x->name, "SignalDictionaries") != 0)
            keep_all_annotations(k, from, x, e);
}

/* ---- geometry ---- */

/* The numbers of attribute NAME; 0: there are none, or one is not a number. */
static size_t read_numbers(const keeper *k, const hk_xml *xml, const char *name,
                           const double **ret_numbers) {
    const char *text = hk_xml_attr_get(xml, name);
    size_t count = 0;
    double *all = HK_NEW_ARRAY(k->arena, double, text ? strlen(text) / 2 + 1 : 1);
    for (const char *c = text ? text + strspn(text, " \t\r\n") : ""; *c;
         c += strspn(c, " \t\r\n")) {
        size_t length = strcspn(c, " \t\r\n");
        if (!hk_read_f64(c, length, &all[count++]))
            return 0;
        c += length;
    }
    *ret_numbers = all;
    return count;
}

static hk_tree_geometry read_points(const keeper *k, const hk_xml *xml, const char *x,
                                    const char *y) {
    hk_tree_geometry g = {0};
    size_t across = read_numbers(k, xml, x, &g.x), up = read_numbers(k, xml, y, &g.y);
    g.count = across < up ? across : up;
    return g;
}

static hk_tree_geometry read_corners(const keeper *k, const hk_xml *xml) {
    static const char *const names[] = {"x1", "x2", "y1", "y2"};
    double *all = HK_NEW_ARRAY(k->arena, double, 4);
    for (size_t i = 0; i < 4; i++) {
        const double *one;
        if (read_numbers(k, xml, names[i], &one) != 1)
            return (hk_tree_geometry){0};
        all[i] = one[0];
    }
    return (hk_tree_geometry){all, all + 2, 2};
}

/* ---- our own ---- */

static const hk_xml *first_own(const hk_xml *xml, const char *name) {
    for (const hk_xml *a = hk_ssp_annotation(xml, NULL, HK_SSP_SYSTEM_ANNOTATION); a;
         a = hk_ssp_annotation(xml, a, HK_SSP_SYSTEM_ANNOTATION)) {
        const hk_xml *own = hk_xml_child(a, HK_SSP_SYSTEM_NAMESPACE, name);
        if (own)
            return own;
    }
    return NULL;
}

/* An attribute that must be there; "" after an error. */
static const char *need(keeper *k, const char *file, const hk_xml *own, const char *name) {
    const char *text = hk_xml_attr_get(own, name);
    if (text)
        return copy(k, text);
    hk_ssp_failed(k->r, hk_error(k->r->ctx, HK_E_SSP, hk_xml_where(file, own), NULL,
                                 "'%s' has no attribute '%s'", own->name, name));
    return "";
}

static void keep_interface(keeper *k, const char *file, const hk_xml *own, hk_tree_element *e) {
    const char *kind = need(k, file, own, "kind");
    hk_tree_interface kept = {.name = need(k, file, own, "name"),
                              .interface = need(k, file, own, "interface"),
                              .provided = strcmp(kind, "provided") == 0,
                              .where = copy_where(k, hk_xml_where(file, own))};
    if (*kind && !kept.provided && strcmp(kind, "required") != 0)
        hk_ssp_failed(k->r, hk_error(k->r->ctx, HK_E_SSP, hk_xml_where(file, own), NULL,
                                     "kind '%s' is neither provided nor required", kind));
    HK_TREE_PUSH(k->arena, e->interfaces, e->interface_count, e->interface_cap, kept);
}

static void keep_service(keeper *k, const char *file, const hk_xml *own, hk_tree_element *e) {
    hk_tree_service kept = {.from = need(k, file, own, "from"),
                            .to = need(k, file, own, "to"),
                            .where = copy_where(k, hk_xml_where(file, own))};
    HK_TREE_PUSH(k->arena, e->services, e->service_count, e->service_cap, kept);
}

static void keep_role(keeper *k, const char *file, const hk_xml *own, hk_tree_element *e) {
    const char *word = need(k, file, own, "name");
    const hk_tree_element *owner = hk_tree_role_owner(e);
    hk_status status = HK_OK;
    hk_tree_role role = HK_TREE_NO_ROLE;
    if (*word && !hk_tree_role_find(word, &role))
        status = hk_error(k->r->ctx, HK_E_SSP, hk_xml_where(file, own),
                          hk_ssp_suggest(k->r, word, hk_tree_role_words + 1, HK_TREE_ROLES - 1),
                          "there is no role '%s'", word);
    else if (*word && owner == e)
        status = hk_error(k->r->ctx, HK_E_DUPLICATE, hk_xml_where(file, own), "remove one of them",
                          "the system '%s' has two roles", e->name);
    else if (*word && owner && owner->role != role)
        status = hk_error(k->r->ctx, HK_E_SSP, hk_xml_where(file, own),
                          "remove one of the two roles, or put the systems beside each other",
                          "the system '%s' is '%s', and '%s', which it is in, is '%s'", e->name,
                          word, owner->name, hk_tree_role_words[owner->role]);
    else
        e->role = role;
    if (status != HK_OK)
        hk_ssp_failed(k->r, status);
}

/* The parameter that is shared, which others may follow already. */
static hk_shared *shared_of(hk_model *model, const hk_address *from, hk_lag lag, hk_where where) {
    for (size_t i = 0; i < model->shared_count; i++)
        if (model->shared[i].component == from->component &&
            model->shared[i].variable == from->variable)
            return &model->shared[i];
    hk_shared shared = {from->component, from->variable, NULL, lag, where};
    HK_PUSH(model->shared, model->shared_count, model->shared_cap, shared);
    return &model->shared[model->shared_count - 1];
}

static bool find_shared(keeper *k, const char *file, const hk_xml *own, const char *end,
                        hk_address *ret_at) {
    const char *name = need(k, file, own, end);
    if (!*name)
        return false;
    if (hk_model_find(k->flat->model, name, ret_at) && !ret_at->count)
        return true;
    hk_ssp_failed(k->r, hk_error(k->r->ctx, HK_E_PARAMETER, hk_xml_where(file, own), NULL,
                                 "there is no variable '%s' that could be shared", name));
    return false;
}

static void share(keeper *k, const char *file, const hk_xml *own) {
    hk_model *model = k->flat->model;
    const char *lag = hk_xml_attr_get(own, "lag");
    hk_address from, to;
    if (!find_shared(k, file, own, "from", &from) || !find_shared(k, file, own, "to", &to))
        return;
    hk_branch *branch = HK_NEW(k->arena, hk_branch);
    *branch = (hk_branch){.component = to.component, .variable = to.variable};
    if (hk_model_follows(model, to.component, to.variable) ||
        !hk_model_share_units(model, from.component, from.variable, branch) ||
        hk_address_variable(model, &from)->type != hk_address_variable(model, &to)->type) {
        hk_ssp_failed(k->r,
                      hk_error(k->r->ctx, HK_E_PARAMETER, hk_xml_where(file, own), NULL,
                               "'%s' and '%s' cannot be shared: their types or units differ, or "
                               "the second follows another one",
                               hk_xml_attr_get(own, "from"), hk_xml_attr_get(own, "to")));
        return;
    }
    hk_shared *shared = shared_of(
        model, &from, lag && strcmp(lag, "previous") == 0 ? HK_LAG_PREVIOUS : HK_LAG_CURRENT,
        copy_where(k, hk_xml_where(file, own)));
    const hk_branch **last = &shared->others;
    while (*last)
        last = (const hk_branch **)(uintptr_t) & (*last)->next;
    *last = branch;
}

/* A type file or plugin: where it lies, if sources are to be copied. */
static hk_tree_file keep_file(keeper *k, const char *file, const hk_xml *own) {
    hk_tree_file kept = {.name = need(k, file, own, "source"),
                         .where = copy_where(k, hk_xml_where(file, own))};
    const char *path, *fragment, *full;
    if (!*kept.name || !k->r->unpack)
        return kept;
    hk_status status =
        hk_ssp_resolve(k->r, k->base, kept.name, hk_xml_where(file, own), &path, &fragment);
    if (status == HK_OK)
        status = hk_ssp_place(k->r, k->base->store, path, &full);
    if (status == HK_OK)
        kept.path = hk_path_absolute(k->arena, full);
    else
        hk_ssp_failed(k->r, status);
    return kept;
}

static void keep_own_element(keeper *k, const char *file, const hk_xml *own, hk_tree_element *e) {
    hk_tree *tree = k->tree;
    bool root = !e->parent;
    if (strcmp(own->name, "Interface") == 0) {
        keep_interface(k, file, own, e);
    } else if (strcmp(own->name, "Service") == 0) {
        keep_service(k, file, own, e);
    } else if (strcmp(own->name, "Role") == 0) {
        keep_role(k, file, own, e);
    } else if (strcmp(own->name, "Block") == 0) {
        hk_ssp_keep_block(k, file, own, e);
    } else if (root && strcmp(own->name, "Share") == 0) {
        share(k, file, own);
    } else if (root && strcmp(own->name, "Import") == 0) {
        HK_TREE_PUSH(k->arena, tree->imports, tree->import_count, tree->import_cap,
                     keep_file(k, file, own));
    } else if (root && strcmp(own->name, "Other") == 0) {
        HK_TREE_PUSH(k->arena, tree->others, tree->other_count, tree->other_cap,
                     keep_file(k, file, own));
    } else if (root && strcmp(own->name, "Plugin") == 0) {
        HK_TREE_PUSH(k->arena, tree->plugins, tree->plugin_count, tree->plugin_cap,
                     keep_file(k, file, own));
    } else {
        hk_ssp_failed(k->r, hk_error(k->r->ctx, HK_E_SSP, hk_xml_where(file, own), NULL,
                                     "element '%s' does not belong here", own->name));
    }
}

static void keep_own(keeper *k, const hk_xml *xml, const char *file, hk_tree_element *e) {
    for (const hk_xml *a = hk_ssp_annotation(xml, NULL, HK_SSP_SYSTEM_ANNOTATION); a;
         a = hk_ssp_annotation(xml, a, HK_SSP_SYSTEM_ANNOTATION))
        for (const hk_xml *own = a->child; own; own = own->next)
            keep_own_element(k, file, own, e);
}

/* ---- elements ---- */

static void keep_connector(keeper *k, const hk_tree_connector *c, const hk_xml *xml,
                           hk_tree_element *e) {
    const hk_xml *own = first_own(xml, "Port");
    const hk_xml *geometry = hk_ssp_child(xml, "ConnectorGeometry");
    size_t *sizes = HK_NEW_ARRAY(k->arena, size_t, c->size_count + 1);
    if (c->size_count)
        memcpy(sizes, c->sizes, c->size_count * sizeof *sizes);
    hk_tree_connector kept = *c;
    kept.name = copy(k, c->name);
    kept.unit = copy(k, c->unit);
    kept.sizes = sizes;
    kept.where = copy_where(k, c->where);
    if (own) {
        kept.port = need(k, c->where.file, own, "name");
        kept.port_type = need(k, c->where.file, own, "type");
        kept.frame = copy(k, hk_xml_attr_get(own, "frame"));
    }
    if (geometry)
        kept.geometry = read_points(k, geometry, "x", "y");
    HK_TREE_PUSH(k->arena, e->connectors, e->connector_count, e->connector_cap, kept);
}

static const char *const *copy_texts(const keeper *k, const char *const *texts, size_t count) {
    const char **kept = HK_NEW_ARRAY(k->arena, const char *, count + 1);
    for (size_t i = 0; i < count; i++)
        kept[i] = copy(k, texts[i]);
    return kept;
}

static hk_tree_end copy_end(const keeper *k, hk_tree_end end) {
    return (hk_tree_end){end.element && *end.element ? copy(k, end.element) : NULL,
                         copy(k, end.connector)};
}

static void keep_connection(keeper *k, const hk_tree_connection *c, const hk_xml *xml,
                            hk_tree_element *e) {
    const hk_xml *geometry = hk_ssp_child(xml, "ConnectionGeometry");
    hk_tree_connection kept = *c;
    kept.from = copy_end(k, c->from);
    kept.to = copy_end(k, c->to);
    kept.map_from = copy_texts(k, c->map_from, c->map_count);
    kept.map_to = copy_texts(k, c->map_to, c->map_count);
    kept.initial = copy(k, c->initial);
    kept.where = copy_where(k, c->where);
    if (geometry)
        kept.geometry = read_points(k, geometry, "pointsX", "pointsY");
    HK_TREE_PUSH(k->arena, e->connections, e->connection_count, e->connection_cap, kept);
}

static hk_tree_source source_of(keeper *k, const hk_ssd_element *c) {
    static const struct {
        const char *type;
        hk_tree_source_kind kind;
    } kinds[] = {{HK_SSP_TYPE_PLUGIN, HK_TREE_PLUGIN},
                 {HK_SSP_TYPE_BUILTIN, HK_TREE_BUILTIN},
                 {HK_SSP_TYPE_TABLE, HK_TREE_TABLE},
                 {HK_SSP_TYPE_CHART, HK_TREE_CHART}};
    hk_tree_source source = {.kind = HK_TREE_FMU, .part = copy(k, c->part)};
    const hk_xml *own = first_own(c->xml, "Leaf");
    for (size_t i = 0; c->type && i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(c->type, kinds[i].type) == 0)
            source.kind = kinds[i].kind;
    if (source.kind == HK_TREE_BUILTIN)
        source.part = copy(k, c->source);
    else if (c->file && c->base->store->folder)
        source.file =
            hk_path_absolute(k->arena, hk_path_join(k->r->arena, c->base->store->folder, c->file));
    if (own)
        source.leaf = copy(k, hk_xml_attr_get(own, "type"));
    return source;
}

static void keep_component(keeper *k, const hk_ssd_element *c, hk_tree_element *e) {
    const hk_xml *own = first_own(c->xml, "Leaf");
    e->component = c->component;
    e->source = source_of(k, c);
    const hk_xml *block = first_own(c->xml, "Block");
    if (own && hk_ssp_read_flag(k->r, c->where.file, own, "inactive"))
        k->flat->model->components[c->component].inactive = true;
    if (block)
        hk_ssp_keep_block(k, c->where.file, block, e);
}

static void keep_bindings(keeper *k, const hk_ssd_element *from, hk_tree_element *e) {
    for (size_t i = 0; i < from->binding_count; i++) {
        const hk_ssd_binding *b = &from->bindings[i];
        hk_tree_binding kept = {copy(k, b->prefix), copy(k, b->set_source), copy(k, b->map_source),
                                copy_where(k, b->where)};
        HK_TREE_PUSH(k->arena, e->bindings, e->binding_count, e->binding_cap, kept);
    }
}

static void keep_element(keeper *k, const hk_ssd_element *from, hk_tree_element *e) {
    e->where = copy_where(k, from->where);
    e->dictionary = copy(k, from->dictionary_name);
    for (size_t i = 0; i < from->connector_count; i++)
        keep_connector(k, &from->connectors[i], from->connector_xml[i], e);
    if (!from->xml)
        return;
    const hk_xml *geometry = hk_ssp_child(from->xml, "ElementGeometry");
    if (geometry)
        e->geometry = read_corners(k, geometry);
    keep_bindings(k, from, e);
    keep_all_annotations(k, from, from->xml, e);
    if (from->description)
        keep_all_annotations(k, from, from->description, e);
    if (from->component != HK_MAP_NONE)
        keep_component(k, from, e);
    if (!from->is_system)
        return;
    keep_own(k, from->xml, from->where.file, e);
    for (size_t i = 0; i < from->dictionary_count; i++)
        keep_element(k, from->dictionaries[i],
                     hk_tree_add(k->tree, e, HK_TREE_DICTIONARY, from->dictionaries[i]->name));
    for (size_t i = 0; i < from->element_count; i++) {
        const hk_ssd_element *inner = from->elements[i];
        hk_tree_element_kind kind = inner->is_reference ? HK_TREE_REFERENCE
                                    : inner->is_system  ? HK_TREE_SYSTEM
                                                        : HK_TREE_COMPONENT;
        keep_element(k, inner, hk_tree_add(k->tree, e, kind, inner->name));
    }
    for (size_t i = 0; i < from->connection_count; i++)
        keep_connection(k, &from->connections[i], from->connection_xml[i], e);
    bool whole_file = !from->parent || from->parent->base != from->base;
    if (k->r->unpack && whole_file)
        hk_ssp_keep_comments(k, from->base, e);
}

static bool has_services(const hk_tree_element *e) {
    bool any = e->service_count > 0;
    for (size_t i = 0; i < e->element_count && !any; i++)
        any = has_services(e->elements[i]);
    return any;
}

void hk_ssp_keep(hk_ssp_flat *flat, const hk_ssp_base *base, const hk_ssd *ssd) {
    hk_ssp *r = flat->reader;
    keeper k = {.r = r, .flat = flat, .base = base, .step = ssd->step, .arena = flat->model->arena};
    k.tree = hk_tree_create(flat->model, ssd->root->name);
    k.tree->units = ssd->scope.units;
    k.tree->unit_count = ssd->scope.unit_count;
    k.tree->enumerations = ssd->scope.enums;
    k.tree->enumeration_count = ssd->scope.enum_count;
    keep_element(&k, ssd->root, k.tree->root);
    for (size_t i = 0; i < r->file_count && !k.tree->lost_comment.file; i++)
        k.tree->lost_comment = copy_where(&k, r->files[i].comment);
    hk_ssp_declare_starts(&k);
    hk_status status = HK_OK;
    if (!r->reading.complaints.count && flat->model->shared_count)
        status = hk_model_share_all(r->ctx, flat->model);
    if (!r->reading.complaints.count && status == HK_OK && has_services(k.tree->root))
        status = hk_tree_require(r->ctx, flat->model);
    if (status != HK_OK)
        hk_ssp_failed(r, status);
}
