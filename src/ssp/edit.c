/* SPDX-License-Identifier: MIT
 *
 * Descriptions that are written again: all of the document is kept, no matter who it speaks to. A
 * value that was given another one is changed where it is written, if what is written there is the
 * value of that variable and nothing else; else a binding of the outermost system, whose word is
 * the last, gives it. */
#include "base/file.h"
#include "ssp/ssp_write_internal.h"

#include <string.h>
#include <strings.h>

#define BYTES_MAX ((size_t)256 << 20)
#define SET_NAME  "hocket"

/* ---- the document ---- */

/* What other tools have noted keeps its texts and the blanks between its elements. */
static void keep_foreign(hk_xml_node *node) {
    for (hk_xml_node *n = node->child; n; n = n->next) {
        const char *type = n->kind == HK_XML_ELEMENT ? hk_xml_get(n, "type") : NULL;
        bool own = type && (strcmp(type, HK_SSP_ANNOTATION) == 0 ||
                            strcmp(type, HK_SSP_SYSTEM_ANNOTATION) == 0);
        if (n->kind == HK_XML_ELEMENT && strcmp(hk_xml_local(n), "Annotation") == 0 && !own)
            n->verbatim = true;
        else
            keep_foreign(n);
    }
}

static hk_status read_document(hk_ctx *ctx, hk_arena *arena, const char *file, const char *data,
                               size_t size, hk_xml_document **ret_doc) {
    static const char *const roots[] = {"SystemStructureDescription", "ParameterSet",
                                        "ParameterMapping", "SignalDictionary"};
    HK_TRY(hk_xml_document_read(ctx, arena, file, data, size, ret_doc));
    const hk_xml_node *root = (*ret_doc)->root;
    for (size_t i = 0; i < sizeof roots / sizeof *roots; i++)
        if (strcmp(hk_xml_local(root), roots[i]) == 0) {
            keep_foreign(&(*ret_doc)->top);
            return HK_OK;
        }
    return hk_error(ctx, HK_E_SSP, (hk_where){file, root->line, root->column, NULL}, NULL,
                    "the root element is '%s', which SSP does not know", root->name);
}

hk_status hk_ssp_format(hk_ctx *ctx, hk_arena *arena, const char *file, const char *data,
                        size_t size, const char **ret_text) {
    hk_xml_document *doc;
    HK_TRY(read_document(ctx, arena, file, data, size, &doc));
    *ret_text = hk_xml_document_print(arena, doc);
    return HK_OK;
}

/* ---- in place ---- */

static hk_xml_node *element_at(hk_xml_node *node, int line, int column) {
    for (hk_xml_node *n = node->child; n; n = n->next) {
        if (n->kind == HK_XML_ELEMENT && n->line == line && n->column == column)
            return n;
        hk_xml_node *found = element_at(n, line, column);
        if (found)
            return found;
    }
    return NULL;
}

/* The element that holds NODE, if it is called so; NULL: it is not. */
static hk_xml_node *parent_called(const hk_xml_node *node, const char *local) {
    hk_xml_node *parent = node ? node->parent : NULL;
    return parent && parent->name && strcmp(hk_xml_local(parent), local) == 0 ? parent : NULL;
}

/* The path of a system or component below the outermost system; "": it is that. */
static const char *path_of(hk_arena *arena, const hk_xml_node *element) {
    const char *path = "";
    for (const hk_xml_node *list = parent_called(element, "Elements"); list;
         list = parent_called(element, "Elements")) {
        const char *name = hk_xml_get(element, "name");
        path = hk_arena_printf(arena, "%s%s%s", name ? name : "", *path ? "." : "", path);
        element = list->parent;
    }
    return path;
}

/* The binding that PARAMETER is in, if nothing changes names and values in between; NULL. */
static const hk_xml_node *plain_binding(const hk_xml_node *parameter) {
    const hk_xml_node *set = parent_called(parent_called(parameter, "Parameters"), "ParameterSet");
    const hk_xml_node *binding =
        parent_called(parent_called(set, "ParameterValues"), "ParameterBinding");
    return binding && !hk_xml_find(binding, "ParameterMapping") ? binding : NULL;
}

/* Is it the value of this variable, by the name of that? */
static bool is_about(hk_arena *arena, const hk_xml_node *parameter, const char *variable) {
    const hk_xml_node *binding = plain_binding(parameter);
    const hk_xml_node *list = parent_called(binding, "ParameterBindings");
    const char *name = hk_xml_get(parameter, "name");
    if (!list || !name)
        return false;
    const char *prefix = hk_xml_get(binding, "prefix"), *path = path_of(arena, list->parent);
    return strcmp(hk_arena_printf(arena, "%s%s%s%s", path, *path ? "." : "", prefix ? prefix : "",
                                  name),
                  variable) == 0;
}

static hk_xml_node *typed_child(const hk_xml_node *parameter) {
    hk_type type;
    hk_xml_node *n = parameter->child;
    while (n && (n->kind != HK_XML_ELEMENT || !hk_ssp_is_type(hk_xml_local(n), &type)))
        n = n->next;
    return n && hk_xml_get(n, "value") ? n : NULL;
}

static bool change_in_place(hk_ssp_writer *w, const hk_component *c, const hk_setting *before,
                            const hk_setting *now) {
    const hk_variable *v = &c->info->variables[now->variable];
    const char *name = hk_arena_printf(w->arena, "%s.%s", c->name, v->name);
    const char *file = w->model->tree->root->where.file;
    if (!before || !before->where.file || strcmp(before->where.file, file) != 0)
        return false;
    hk_xml_node *parameter = element_at(&w->doc->top, before->where.line, before->where.column);
    if (!parameter || strcmp(hk_xml_local(parameter), "Parameter") != 0 ||
        !is_about(w->arena, parameter, name))
        return false;
    hk_xml_node *typed = typed_child(parameter);
    const char *unit = typed ? hk_xml_get(typed, "unit") : NULL;
    if (!typed)
        return false;
    hk_xml_set(w->doc, typed, "value", hk_ssp_write_text(w, v, &now->value));
    if (unit && v->unit && strcmp(unit, v->unit) != 0)
        hk_xml_unset(typed, "unit"); /* in that of the variable now */
    return true;
}

/* ---- a binding of the outermost system ---- */

/* NAME with the prefix of LIKE. */
static const char *like(hk_ssp_writer *w, const hk_xml_node *node, const char *name) {
    size_t length = (size_t)(hk_xml_local(node) - node->name);
    return hk_arena_printf(w->arena, "%.*s%s", (int)length, node->name, name);
}

static hk_xml_node *bindings_of(hk_ssp_writer *w, hk_xml_node *system) {
    static const char *const later[] = {"Elements",       "Connections",       "SignalDictionaries",
                                        "SystemGeometry", "GraphicalElements", "Annotations"};
    hk_xml_node *there = hk_xml_find(system, "ParameterBindings");
    if (there)
        return there;
    for (hk_xml_node *n = system->child; n; n = n->next)
        for (size_t i = 0; n->kind == HK_XML_ELEMENT && i < sizeof later / sizeof *later; i++)
            if (strcmp(hk_xml_local(n), later[i]) == 0)
                return hk_xml_add_before(w->doc, system, n, like(w, system, "ParameterBindings"));
    return hk_xml_add(w->doc, system, like(w, system, "ParameterBindings"));
}

/* The parameters of the last binding, if it is ours; else of a new one. */
static hk_xml_node *parameters_of(hk_ssp_writer *w, hk_xml_node *system) {
    hk_xml_node *list = bindings_of(w, system), *last = NULL, *set = NULL;
    for (hk_xml_node *b = hk_xml_find(list, "ParameterBinding"); b;
         b = hk_xml_find_next(b, "ParameterBinding"))
        last = b;
    hk_xml_node *values = last ? hk_xml_find(last, "ParameterValues") : NULL;
    set = values ? hk_xml_find(values, "ParameterSet") : NULL;
    const char *name = set ? hk_xml_get(set, "name") : NULL;
    if (name && strcmp(name, SET_NAME) == 0 && strncmp(set->name, "ssv:", 4) == 0 &&
        hk_xml_find(set, "Parameters"))
        return hk_xml_find(set, "Parameters");
    last = hk_xml_add(w->doc, list, like(w, system, "ParameterBinding"));
    values = hk_xml_add(w->doc, last, like(w, system, "ParameterValues"));
    set = hk_xml_add(w->doc, values, "ssv:ParameterSet");
    hk_xml_set(w->doc, set, "xmlns:ssv", HK_SSP_STANDARD "SystemStructureParameterValues");
    hk_xml_set(w->doc, set, "version", "1.0");
    hk_xml_set(w->doc, set, "name", SET_NAME);
    return hk_xml_add(w->doc, set, "ssv:Parameters");
}

static hk_status change(hk_ssp_writer *w) {
    hk_xml_node *system = hk_xml_find(w->doc->root, "System");
    for (size_t i = 0; i < w->model->component_count; i++) {
        const hk_component *c = &w->model->components[i];
        for (uint32_t v = 0; v < c->info->variable_count; v++) {
            const hk_setting *now = hk_component_last_setting(c, v), *before = now;
            if (!now || now->source != HK_FROM_USER)
                continue;
            while (before >= c->settings &&
                   (before->variable != v || before->source == HK_FROM_USER))
                before--;
            if (before < c->settings)
                before = NULL;
            if (change_in_place(w, c, before, now))
                continue;
            const char *name =
                hk_arena_printf(w->arena, "%s.%s", c->name, c->info->variables[v].name);
            hk_ssp_write_parameter(w, parameters_of(w, system), name, &c->info->variables[v],
                                   &now->value);
        }
    }
    return w->error_count ? w->error : HK_OK;
}

/* ---- files ---- */

void hk_ssp_rename_sources(hk_ssp_writer *w, hk_xml_node *node, hk_ssp_rename_fn *rename,
                           void *user) {
    static const char *const named[] = {
        "Component", "ParameterBinding", "ParameterMapping", "SignalDictionary",
        "MetaData",  "Signature",        "Import",           "Other",
        "Plugin"};
    for (hk_xml_node *n = node->child; n; n = n->next) {
        const char *source = n->kind == HK_XML_ELEMENT ? hk_xml_get(n, "source") : NULL;
        const char *base = source ? hk_xml_get(n, "sourceBase") : NULL;
        const char *type = source ? hk_xml_get(n, "type") : NULL;
        bool file = source && *source && (!base || strcmp(base, "SSD") == 0) &&
                    !(type && strcmp(type, HK_SSP_TYPE_BUILTIN) == 0);
        for (size_t i = 0; file && i < sizeof named / sizeof *named; i++)
            if (strcmp(hk_xml_local(n), named[i]) == 0) {
                const char *now = rename(w, user, n, source);
                if (now)
                    hk_xml_set(w->doc, n, "source", now);
                break;
            }
        if (!n->verbatim)
            hk_ssp_rename_sources(w, n, rename, user);
    }
}

const char *hk_ssp_moved_source(hk_ssp_writer *w, void *user, const hk_xml_node *node,
                                const char *source) {
    (void)node;
    bool relative = *source != '/' && !strchr(source, ':');
    return relative ? hk_arena_printf(w->arena, "%s%s", (const char *)user, source) : NULL;
}

hk_status hk_ssp_edit_document(hk_ssp_writer *w, const char *file, const char *data, size_t size) {
    HK_TRY(read_document(w->ctx, w->arena, file, data, size, &w->doc));
    return change(w);
}

hk_status hk_ssp_edit_folder(hk_ssp_writer *w, const char *to, const char **ret_folder) {
    *ret_folder = hk_path_real(w->arena, hk_path_folder(w->arena, to));
    if (*ret_folder && hk_folder_exists(*ret_folder))
        return HK_OK;
    return hk_error(w->ctx, HK_E_FILE_WRITE, (hk_where){.file = to}, "make it first",
                    "the folder '%s' does not exist", hk_path_folder(w->arena, to));
}

static hk_status edit_loose(hk_ssp_writer *w, const char *from, const char *to) {
    char *data;
    size_t size;
    HK_TRY(hk_file_read(w->ctx, from, BYTES_MAX, &data, &size));
    hk_status status = hk_ssp_edit_document(w, from, data, size);
    hk_free(data);
    HK_TRY(status);
    const char *old = hk_path_real(w->arena, hk_path_folder(w->arena, from)), *now;
    HK_TRY(hk_ssp_edit_folder(w, to, &now));
    if (strcmp(old, now) != 0) { /* sources are relative to the description */
        const char *way = hk_path_way(w->arena, now, hk_path_join(w->arena, old, "x"));
        way = hk_arena_strndup(w->arena, way, strlen(way) - 1);
        hk_ssp_rename_sources(w, &w->doc->top, hk_ssp_moved_source,
                              (void *)(uintptr_t)hk_ssp_encode(w->arena, way));
    }
    const char *text = hk_xml_document_print(w->arena, w->doc);
    return hk_file_write(w->ctx, to, text, strlen(text));
}

static hk_status edit_entry(hk_ssp_writer *w, const char *from, const char *data, size_t size,
                            const char *name, const char *to) {
    hk_zip *zip;
    char *text, *made;
    size_t text_size, made_size;
    HK_TRY(hk_zip_open_memory(w->ctx, from, data, size, &zip));
    int64_t entry = hk_zip_find(zip, name);
    HK_ASSERT(entry >= 0); /* the model was read from it */
    hk_status status = hk_zip_read(w->ctx, zip, (size_t)entry, &text, &text_size);
    if (status == HK_OK) {
        const char *shown = hk_path_join(w->arena, from, name);
        status = hk_ssp_edit_document(w, shown, text, text_size);
        hk_free(text);
    }
    hk_zip_close(zip);
    HK_TRY(status);
    const char *print = hk_xml_document_print(w->arena, w->doc);
    hk_zip_item item = {.name = name, .data = print, .size = strlen(print)};
    HK_TRY(hk_zip_extend(w->ctx, &(hk_file_text){from, data, size}, &item, &made, &made_size));
    status = hk_file_write(w->ctx, to, made, made_size);
    hk_free(made);
    return status;
}

static hk_status edit_package(hk_ssp_writer *w, const char *from, const char *to) {
    const char *file = w->model->tree->root->where.file; /* "x.ssp/SystemStructure.ssd" */
    const char *package = hk_arena_strndup(w->arena, from, hk_ssp_file_length(from));
    char *data;
    size_t size;
    HK_TRY(hk_file_read(w->ctx, package, (size_t)1 << 32, &data, &size));
    hk_status status = edit_entry(w, package, data, size, hk_path_name(file), to);
    hk_free(data);
    return status;
}

hk_status hk_ssp_edit(hk_ctx *ctx, const hk_model *model, const char *from, const char *to) {
    HK_ASSERT(model->tree);
    hk_arena *arena = hk_arena_create();
    hk_ssp_writer w = {.ctx = ctx, .arena = arena, .model = model};
    const char *file = hk_arena_strndup(arena, from, hk_ssp_file_length(from));
    bool was_packed = strcasecmp(hk_path_extension(file), ".ssp") == 0;
    bool packed = strcasecmp(hk_path_extension(to), ".ssp") == 0;
    hk_status status = was_packed && packed ? edit_package(&w, from, to)
                       : was_packed         ? hk_ssp_unpack(&w, file, to)
                       : packed             ? hk_ssp_pack(&w, from, to)
                                            : edit_loose(&w, from, to);
    hk_free(w.items);
    hk_arena_destroy(arena);
    return status;
}
