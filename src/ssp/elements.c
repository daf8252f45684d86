/* SPDX-License-Identifier: MIT
 *
 * Opens the components of all systems, and numbers the connectors of the systems. */
#include "base/file.h"
#include "chart/chart_component.h"
#include "native/native.h"
#include "ssp/ssp_internal.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#define TYPE_FMU    HK_SSP_TYPE_FMU
#define TYPE_PLUGIN HK_SSP_TYPE_PLUGIN

static bool is_type(const hk_ssd_element *e, const char *type) {
    return e->type && strcmp(e->type, type) == 0;
}

/* False after an error: the type is none that can be opened. */
static bool type_of(hk_ssp *r, const hk_ssd_element *e, hk_where where, bool *ret_plugin) {
    bool plugin = is_type(e, TYPE_PLUGIN);
    if (plugin || is_type(e, HK_SSP_TYPE_TABLE) || is_type(e, HK_SSP_TYPE_CHART) || !e->type ||
        strcmp(e->type, TYPE_FMU) == 0) {
        *ret_plugin = plugin;
        return true;
    }
    hk_ssp_failed(r, hk_error(r->ctx, HK_E_SSP, where,
                              "known types are " TYPE_FMU ", application/x-ssp-definition, "
                              "application/x-ssp-package, " TYPE_PLUGIN ", " HK_SSP_TYPE_TABLE
                              ", " HK_SSP_TYPE_CHART " and " HK_SSP_TYPE_BUILTIN,
                              "the type '%s' is not supported", e->type));
    return false;
}

static hk_status open_file(hk_ssp_flat *flat, hk_ssp_open_fn *open, hk_ssp_store *store,
                           const char *path, const char *fragment, const hk_info **ret_info) {
    const char *full;
    HK_TRY(hk_ssp_place(flat->reader, store, path, &full));
    return open(flat->reader->ctx, flat->model, full, fragment, ret_info);
}

static hk_status open_table(hk_ctx *ctx, hk_model *model, const char *path, const char *fragment,
                            const hk_info **ret_info) {
    return hk_table_info(ctx, model, path, fragment != NULL, ret_info);
}

static hk_status open_fmu(hk_ssp_flat *flat, hk_ssp_store *store, const char *path,
                          const hk_info **ret_info) {
    hk_ssp *r = flat->reader;
    char *data = NULL;
    size_t size;
    if (flat->openers->packed && !r->unpack)
        HK_TRY(hk_ssp_load_fmu(r, store, path, &data, &size));
    if (!data)
        return open_file(flat, flat->openers->fmu, store, path, NULL, ret_info);
    const char *shown = hk_ssp_shown(r, store, path);
    return flat->openers->packed(r->ctx, flat->model, shown, data, size, ret_info);
}

static const hk_info *open_builtin(hk_ssp_flat *flat, const hk_ssd_element *e, hk_where where) {
    hk_ssp *r = flat->reader;
    const hk_info *info = NULL;
    hk_status status = e->source ? hk_builtin_info(r->ctx, flat->model, e->source, where, &info)
                                 : hk_error(r->ctx, HK_E_SSP, where, "give it source=\"hk.NAME\"",
                                            "the component has no source");
    if (status != HK_OK)
        hk_ssp_failed(r, status);
    return info;
}

static hk_status find_source(hk_ssp *r, hk_ssp_store *store, const char *path, bool plugin,
                             hk_where where) {
    bool exists = true;
    HK_TRY(hk_ssp_exists(r, store, path, &exists));
    if (exists)
        return HK_OK;
    const char *hint = "correct the source; it is relative to the .ssd file";
    if (plugin)
        hint = "'hocket build FOLDER' makes a plugin of the sources in a folder; or correct the "
               "source, which is relative to the .ssd file";
    return hk_error(r->ctx, HK_E_FILE_READ, where, hint, "the file '%s' does not exist", path);
}

/* One file is opened once, however many components it is the source of; what is wrong with it is
 * said once, too. */
static const hk_info *open_source(hk_ssp_flat *flat, hk_ssd_element *e, hk_where where) {
    hk_ssp *r = flat->reader;
    const char *path, *fragment;
    hk_ssp_store *store = e->base->store;
    bool plugin;
    if (is_type(e, HK_SSP_TYPE_BUILTIN))
        return open_builtin(flat, e, where);
    if (!type_of(r, e, where, &plugin))
        return NULL;
    if (!e->source) {
        hk_ssp_failed(r, hk_error(r->ctx, HK_E_SSP, where, "give it source=\"resources/NAME.fmu\"",
                                  "the component has no source"));
        return NULL;
    }
    hk_status status = hk_ssp_resolve(r, e->base, e->source, where, &path, &fragment);
    if (status == HK_OK && plugin && !fragment)
        status = hk_error(r->ctx, HK_E_SSP, where, "write source=\"FILE.so#TYPE\"",
                          "source '%s' names no type of the plugin", e->source);
    bool table = is_type(e, HK_SSP_TYPE_TABLE), chart = is_type(e, HK_SSP_TYPE_CHART);
    if (status == HK_OK && table && fragment && strcmp(fragment, "hold") != 0)
        status = hk_error(r->ctx, HK_E_SSP, where, "write source=\"FILE.csv#hold\", or without '#'",
                          "source '%s': '#%s' says nothing about a table", e->source, fragment);
    if (status == HK_OK && !plugin && !table && !chart && fragment)
        status =
            hk_error(r->ctx, HK_E_SSP, where, NULL, "source '%s': an FMU has no parts", e->source);
    if (status != HK_OK) {
        hk_ssp_failed(r, status);
        return NULL;
    }
    e->file = path;
    e->part = fragment;
    const char *key =
        hk_arena_printf(r->arena, "%u %s#%s", store->number, path, fragment ? fragment : "");
    uint32_t index = hk_map_put(flat->opened, key, (uint32_t)flat->info_count);
    if (index < flat->info_count)
        return flat->infos[index];
    const hk_info *info = NULL;
    flat->model->named = where;
    status = find_source(r, store, path, plugin, where);
    if (status == HK_OK)
        status = plugin  ? open_file(flat, flat->openers->plugin, store, path, fragment, &info)
                 : table ? open_file(flat, open_table, store, path, fragment, &info)
                 : chart ? open_file(flat, hk_chart_info, store, path, fragment, &info)
                         : open_fmu(flat, store, path, &info);
    if (status != HK_OK)
        hk_ssp_failed(r, status);
    HK_SSP_PUSH(r, flat->infos, flat->info_count, flat->info_cap, info);
    return info;
}

/* An FMU may do several things. What it is run as is co-simulation; one that cannot do that is
 * refused when the system is checked. */
static bool check_implementation(hk_ssp *r, const hk_ssd_element *e, hk_where where) {
    static const char *const known[] = {"any", "CoSimulation", "ModelExchange",
                                        "ScheduledExecution"};
    const size_t count = sizeof known / sizeof *known;
    size_t i = 0;
    while (e->implementation && i < count && strcmp(e->implementation, known[i]) != 0)
        i++;
    if (i == count)
        hk_ssp_failed(r, hk_error(r->ctx, HK_E_SSP, where,
                                  hk_ssp_suggest(r, e->implementation, known, count),
                                  "the implementation '%s' is not known", e->implementation));
    else if (i > 1)
        hk_warn(r->ctx, HK_E_FMI_UNSUPPORTED, where, "write implementation=\"CoSimulation\"",
                "it asks for %s, and is run by co-simulation", e->implementation);
    return i < count;
}

/* The steps that other tools are asked to make: a multiple of the step of the system, at least one,
 * as they make of it. */
static void use_hint(hk_ssp_flat *flat, const hk_ssd_element *e, hk_component *component) {
    hk_ssp *r = flat->reader;
    const hk_experiment *x = &flat->model->experiment;
    hk_where where = hk_xml_where(e->where.file, e->hint);
    if (e->has_period) {
        hk_note(r->ctx, where, "the step size hint of '%s' is not used: it has a period of its own",
                e->path);
        return;
    }
    double factor = x->has_step ? hk_ratio_to_double(e->hinted) / hk_ratio_to_double(x->step) : 0;
    int64_t steps = factor < 1 ? 1 : factor < 1e9 ? llround(factor) : 0;
    if (!x->has_step)
        component->period = e->hinted;
    else if (!steps || !hk_ratio_times(x->step, steps, 1, &component->period))
        return;
    component->has_period = true;
    if (x->has_step && hk_ratio_compare(component->period, e->hinted) != 0)
        hk_warn(r->ctx, HK_E_SSP, where, "make it a multiple of the step size of the system",
                "the step size hint of '%s' is %s s and becomes %" PRId64 " step%s of the system",
                e->path, hk_xml_attr_get(e->hint, "value"), steps, steps == 1 ? "" : "s");
}

static void add_component(hk_ssp_flat *flat, hk_ssd_element *e) {
    hk_ssp *r = flat->reader;
    hk_where where = e->where;
    where.element = hk_arena_printf(r->arena, "component '%s'", e->path);
    const hk_info *info =
        !e->broken && check_implementation(r, e, where) ? open_source(flat, e, where) : NULL;
    if (!info)
        return;
    hk_status status =
        hk_model_add_component(r->ctx, flat->model, e->path, info, where, &e->component);
    if (status != HK_OK) {
        hk_ssp_failed(r, status);
        return;
    }
    hk_component *component = &flat->model->components[e->component];
    component->has_period = e->has_period;
    component->period = e->period;
    component->offset = e->offset;
    component->priority = e->priority;
    if (e->hint)
        use_hint(flat, e, component);
}

/* The name of something inside an element; the root adds nothing. */
static const char *inside(hk_ssp *r, const char *path, const char *name) {
    return *path ? hk_arena_printf(r->arena, "%s.%s", path, name) : name;
}

static void add_nodes(hk_ssp_flat *flat, hk_ssd_element *system) {
    hk_ssp *r = flat->reader;
    system->first_node = (uint32_t)flat->graph.node_count;
    for (size_t i = 0; i < system->connector_count; i++) {
        const hk_tree_connector *connector = &system->connectors[i];
        uint32_t node = hk_flat_add_node(&flat->graph, system->name, connector);
        if (system->path) /* parameters reach connectors, and no entries of dictionaries */
            hk_map_put(flat->node_paths, inside(r, system->path, connector->name), node);
    }
}

void hk_ssp_add_elements(hk_ssp_flat *flat, hk_ssd_element *element, const char *path) {
    hk_ssp *r = flat->reader;
    element->path = path;
    if (!element->is_system) {
        if (!element->is_reference)
            add_component(flat, element);
        return;
    }
    add_nodes(flat, element);
    for (size_t i = 0; i < element->dictionary_count; i++)
        add_nodes(flat, element->dictionaries[i]);
    for (size_t i = 0; i < element->element_count; i++)
        hk_ssp_add_elements(flat, element->elements[i],
                            inside(r, path, element->elements[i]->name));
}
