/* SPDX-License-Identifier: MIT
 *
 * A model and its tree as a description, loose or in a package with its files. What SSP has words
 * for is written with them, the rest of what a run needs in annotations: those of the Open
 * Simulation Platform where they say it, since other tools read them, else our own. What nothing
 * can say is refused, all of it, with its places. */
#include "base/file.h"
#include "chart/chart_component.h"
#include "model/address.h"
#include "ssp/ssp_write_internal.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

typedef hk_ssp_writer writer;

static hk_xml_node *add(writer *w, hk_xml_node *parent, const char *name) {
    return hk_xml_add(w->doc, parent, name);
}

static void set(writer *w, hk_xml_node *node, const char *name, const char *value) {
    if (value)
        hk_xml_set(w->doc, node, name, value);
}

/* ---- annotations ---- */

/* The annotation of this type at ELEMENT, whose last child the annotations are. */
static hk_xml_node *annotation(writer *w, hk_xml_node *element, const char *type) {
    hk_xml_node *list = hk_xml_find(element, "Annotations");
    if (!list)
        list = add(w, element, "ssd:Annotations");
    for (hk_xml_node *a = hk_xml_find(list, "Annotation"); a; a = hk_xml_find_next(a, "Annotation"))
        if (strcmp(hk_xml_get(a, "type"), type) == 0)
            return a;
    hk_xml_node *made = add(w, list, "ssc:Annotation");
    set(w, made, "type", type);
    return made;
}

#define OTHER "com.opensimulationplatform"

/* A period is a hint of OSP where that says it: of an FMU, and as a decimal. */
static void put_schedule(writer *w, hk_xml_node *element, const hk_component *c) {
    const char *hint =
        c->info->can.fmi && c->has_period ? hk_ssp_write_decimal(w, c->period) : NULL;
    bool own = (c->has_period && !hint) || c->offset.num || c->priority;
    if (!hint && !own)
        return;
    if (!own) {
        set(w, add(w, annotation(w, element, OTHER), "osp:StepSizeHint"), "value", hint);
        return;
    }
    hk_xml_node *schedule = add(w, annotation(w, element, HK_SSP_ANNOTATION), "hk:Schedule");
    if (c->has_period)
        set(w, schedule, "period", hk_ssp_write_fraction(w, c->period));
    if (c->offset.num)
        set(w, schedule, "offset", hk_ssp_write_fraction(w, c->offset));
    if (c->priority)
        set(w, schedule, "priority", hk_arena_printf(w->arena, "%d", c->priority));
}

static void put_leaf(writer *w, hk_xml_node *element, const hk_tree_element *e) {
    bool inactive = w->model->components[e->component].inactive;
    if (!e->source.leaf && !inactive)
        return;
    hk_xml_node *leaf = add(w, annotation(w, element, HK_SSP_SYSTEM_ANNOTATION), "hks:Leaf");
    set(w, leaf, "type", e->source.leaf);
    if (inactive)
        set(w, leaf, "inactive", "true");
}

/* Of a multi-model: what its block says, which is not lost on the way back. */
static void put_block(writer *w, hk_xml_node *element, const hk_tree_block *b) {
    if (!b->name)
        return;
    hk_xml_node *node = add(w, annotation(w, element, HK_SSP_SYSTEM_ANNOTATION), "hks:Block");
    set(w, node, "name", b->name);
    set(w, node, "stereotype", b->stereotype);
    set(w, node, "kind", b->kind);
    set(w, node, "platform", b->platform);
    set(w, node, "modelType", b->model_type);
    set(w, node, "package", b->package);
}

/* ---- components ---- */

/* The type and the source of a component; false after an error. */
static bool find_source(writer *w, const hk_tree_element *e, const char **ret_type,
                        const char **ret_source) {
    static const char *const types[] = {[HK_TREE_FMU] = HK_SSP_TYPE_FMU,
                                        [HK_TREE_PLUGIN] = HK_SSP_TYPE_PLUGIN,
                                        [HK_TREE_BUILTIN] = HK_SSP_TYPE_BUILTIN,
                                        [HK_TREE_TABLE] = HK_SSP_TYPE_TABLE,
                                        [HK_TREE_CHART] = HK_SSP_TYPE_CHART};
    const hk_component *c = &w->model->components[e->component];
    *ret_type = types[e->source.kind];
    *ret_source = e->source.part;
    if (e->source.rescaled) {
        hk_ssp_write_failed(
            w, hk_error(w->ctx, HK_E_SSP, c->where, "give the leaf type the units of the file",
                        "variables of component '%s' are in other units than those of its file, "
                        "and that is not written",
                        c->name));
        return false;
    }
    if (e->source.kind == HK_TREE_BUILTIN)
        return true;
    const hk_chart *chart = hk_chart_of(c->info);
    for (uint32_t i = 0; chart && w->packed && i < chart->file_count; i++)
        (void)hk_ssp_write_source(w, chart->files[i], c->where); /* what it imports comes along */
    const char *file = hk_ssp_write_source(w, e->source.file, c->where);
    *ret_source = file && e->source.kind != HK_TREE_FMU && e->source.part
                      ? hk_arena_printf(w->arena, "%s#%s", file, e->source.part)
                      : file;
    return file != NULL;
}

static void put_connector(writer *w, hk_xml_node *list, const hk_tree_connector *c) {
    hk_ssp_write_comments(w, list, &c->above);
    hk_xml_node *node = add(w, list, "ssd:Connector");
    set(w, node, "name", c->name);
    set(w, node, "kind", hk_tree_kind_name(c->kind));
    w->newer = w->newer || c->kind == HK_TREE_LOCAL;
    hk_ssp_write_type(w, node, c);
    if (!c->port)
        return;
    hk_xml_node *port = add(w, annotation(w, node, HK_SSP_SYSTEM_ANNOTATION), "hks:Port");
    set(w, port, "name", c->port);
    set(w, port, "type", c->port_type);
    set(w, port, "frame", c->frame);
}

static hk_tree_kind kind_of(hk_causality causality) {
    for (int kind = HK_TREE_INPUT; kind <= HK_TREE_LOCAL; kind++)
        if (strcmp(hk_tree_kind_name((hk_tree_kind)kind), hk_causality_name(causality)) == 0)
            return (hk_tree_kind)kind;
    return HK_TREE_UNSPECIFIED;
}

/* The variable that an end of a connection names, also by an element of it. */
static uint32_t variable_of(const hk_info *info, const char *name) {
    hk_address at;
    return hk_info_address(info, name, &at) ? at.variable : HK_MAP_NONE;
}

static void mark_used(const hk_tree_element *e, const hk_info *info, bool *used) {
    for (size_t i = 0; i < e->parent->connection_count; i++) {
        const hk_tree_connection *k = &e->parent->connections[i];
        const hk_tree_end *ends[] = {&k->from, &k->to};
        for (size_t n = 0; n < 2; n++) {
            uint32_t variable = ends[n]->element && strcmp(ends[n]->element, e->name) == 0
                                    ? variable_of(info, ends[n]->connector)
                                    : HK_MAP_NONE;
            if (variable != HK_MAP_NONE)
                used[variable] = true;
        }
    }
}

static void put_used(writer *w, hk_xml_node *element, const hk_info *info, const bool *used) {
    hk_xml_node *list = NULL;
    for (size_t i = 0; i < info->variable_count; i++) {
        const hk_variable *v = &info->variables[i];
        if (!used[i])
            continue;
        if (!list)
            list = add(w, element, "ssd:Connectors");
        hk_tree_connector c = {.name = v->name,
                               .kind = kind_of(v->causality),
                               .has_type = true,
                               .type = v->type,
                               .unit = v->unit,
                               .sizes = v->dims,
                               .size_count = v->dim_count};
        put_connector(w, list, &c);
    }
}

static void put_component(writer *w, hk_xml_node *list, const hk_tree_element *e) {
    const hk_component *c = &w->model->components[e->component];
    const char *type, *source;
    if (!find_source(w, e, &type, &source))
        return;
    hk_ssp_write_comments(w, list, &e->above);
    hk_xml_node *node = add(w, list, "ssd:Component");
    set(w, node, "name", e->name);
    set(w, node, "type", type);
    set(w, node, "source", source);
    bool *used = HK_NEW_ARRAY(w->arena, bool, c->info->variable_count + 1);
    mark_used(e, c->info, used);
    put_used(w, node, c->info, used);
    hk_ssp_write_values(w, node, e);
    hk_ssp_write_comments(w, node, &e->inside);
    put_schedule(w, node, c);
    put_leaf(w, node, e);
    put_block(w, node, &e->block);
}

/* ---- connections ---- */

static void put_transform(writer *w, hk_xml_node *node, const hk_tree_connection *k) {
    if (k->transform == HK_TRANSFORM_LINEAR) {
        hk_xml_node *linear = add(w, node, "ssc:LinearTransformation");
        set(w, linear, "factor", hk_ssp_write_number(w, k->factor));
        set(w, linear, "offset", hk_ssp_write_number(w, k->offset));
    } else if (k->transform == HK_TRANSFORM_MAP) {
        hk_xml_node *map = add(w, node, "ssc:IntegerMappingTransformation");
        for (size_t i = 0; i < k->map_count; i++) {
            hk_xml_node *entry = add(w, map, "ssc:MapEntry");
            set(w, entry, "source", k->map_from[i]);
            set(w, entry, "target", k->map_to[i]);
        }
    }
}

static void put_link(writer *w, hk_xml_node *node, const hk_connection *k) {
    if (k->lag == HK_LAG_DEFAULT && !k->delay.num && !k->initial.data)
        return;
    hk_xml_node *link = add(w, annotation(w, node, HK_SSP_ANNOTATION), "hk:Link");
    if (k->lag != HK_LAG_DEFAULT)
        set(w, link, "lag", hk_lag_words[k->lag]);
    if (k->delay.num)
        set(w, link, "delay", hk_ssp_write_fraction(w, k->delay));
    if (k->initial.data)
        set(w, link, "initial", hk_value_format_all(w->arena, &k->initial));
}

static void put_connection(writer *w, hk_xml_node *list, const hk_tree_element *system,
                           const hk_tree_connection *k) {
    const hk_connection *whole = hk_tree_whole(w->arena, w->model, &w->sinks, system, k);
    hk_ssp_write_comments(w, list, &k->above);
    hk_xml_node *node = add(w, list, "ssd:Connection");
    set(w, node, "startElement", k->from.element);
    set(w, node, "startConnector", k->from.connector);
    set(w, node, "endElement", k->to.element);
    set(w, node, "endConnector", k->to.connector);
    if (k->suppress_unit_conversion)
        set(w, node, "suppressUnitConversion", "true");
    put_transform(w, node, k);
    if (whole)
        put_link(w, node, whole);
}

/* ---- systems ---- */

static void put_role(writer *w, hk_xml_node *node, const hk_tree_element *e) {
    if (e->role != HK_TREE_NO_ROLE)
        set(w, add(w, annotation(w, node, HK_SSP_SYSTEM_ANNOTATION), "hks:Role"), "name",
            hk_tree_role_words[e->role]);
}

static void put_services(writer *w, hk_xml_node *node, const hk_tree_element *e) {
    for (size_t i = 0; i < e->interface_count; i++) {
        hk_xml_node *n = add(w, annotation(w, node, HK_SSP_SYSTEM_ANNOTATION), "hks:Interface");
        set(w, n, "name", e->interfaces[i].name);
        set(w, n, "kind", e->interfaces[i].provided ? "provided" : "required");
        set(w, n, "interface", e->interfaces[i].interface);
    }
    for (size_t i = 0; i < e->service_count; i++) {
        hk_xml_node *n = add(w, annotation(w, node, HK_SSP_SYSTEM_ANNOTATION), "hks:Service");
        set(w, n, "from", e->services[i].from);
        set(w, n, "to", e->services[i].to);
    }
}

static void put_shares(writer *w, hk_xml_node *node) {
    const hk_model *m = w->model;
    for (size_t i = 0; i < m->shared_count; i++)
        for (const hk_branch *b = m->shared[i].others; b; b = b->next) {
            hk_address from = {.component = m->shared[i].component,
                               .variable = m->shared[i].variable};
            hk_address to = hk_branch_address(b);
            hk_xml_node *n = add(w, annotation(w, node, HK_SSP_SYSTEM_ANNOTATION), "hks:Share");
            set(w, n, "from", hk_address_name(w->arena, m, &from));
            set(w, n, "to", hk_address_name(w->arena, m, &to));
            set(w, n, "lag", m->shared[i].lag == HK_LAG_PREVIOUS ? "previous" : "current");
        }
}

static void put_files(writer *w, hk_xml_node *node, const char *name, const hk_tree_file *files,
                      size_t count) {
    for (size_t i = 0; i < count; i++) {
        const char *source = hk_ssp_write_source(w, files[i].path, files[i].where);
        set(w, add(w, annotation(w, node, HK_SSP_SYSTEM_ANNOTATION), name), "source", source);
    }
}

static void put_system(writer *w, hk_xml_node *list, const hk_tree_element *e);

static void put_elements(writer *w, hk_xml_node *node, const hk_tree_element *e) {
    hk_xml_node *list = e->element_count ? add(w, node, "ssd:Elements") : NULL;
    for (size_t i = 0; i < e->element_count; i++) {
        const hk_tree_element *inner = e->elements[i];
        if (inner->kind == HK_TREE_SYSTEM)
            put_system(w, list, inner);
        else if (inner->kind == HK_TREE_COMPONENT)
            put_component(w, list, inner);
        else
            hk_ssp_write_failed(w, hk_error(w->ctx, HK_E_SSP, inner->where, NULL,
                                            "signal dictionaries are not written"));
    }
    if (!e->connection_count)
        return;
    list = add(w, node, "ssd:Connections");
    for (size_t i = 0; i < e->connection_count; i++)
        put_connection(w, list, e, &e->connections[i]);
}

static void put_system(writer *w, hk_xml_node *list, const hk_tree_element *e) {
    const hk_tree *tree = w->model->tree;
    hk_ssp_write_comments(w, list, &e->above);
    hk_xml_node *node = add(w, list, "ssd:System");
    set(w, node, "name", e->name);
    if (!e->parent)
        set(w, node, "description", w->model->description);
    hk_xml_node *connectors = e->connector_count ? add(w, node, "ssd:Connectors") : NULL;
    for (size_t i = 0; i < e->connector_count; i++)
        put_connector(w, connectors, &e->connectors[i]);
    put_elements(w, node, e);
    hk_ssp_write_comments(w, node, &e->inside);
    put_role(w, node, e);
    put_block(w, node, &e->block);
    put_services(w, node, e);
    if (e->parent)
        return;
    put_shares(w, node);
    put_files(w, node, "hks:Import", tree->imports, tree->import_count);
    put_files(w, node, "hks:Other", tree->others, tree->other_count);
    put_files(w, node, "hks:Plugin", tree->plugins, tree->plugin_count);
    const char *schedule = hk_ssp_write_schedule(w);
    if (*schedule)
        hk_xml_add_text(w->doc, add(w, annotation(w, node, HK_SSP_ANNOTATION), "hk:Schedule"),
                        hk_arena_printf(w->arena, "\n%s", schedule));
}

/* ---- the whole ---- */

static void put_experiment(writer *w, hk_xml_node *root) {
    const hk_experiment *e = &w->model->experiment;
    const char *step = e->has_step ? hk_ssp_write_decimal(w, e->step) : NULL;
    /* A start alone looks like a mistake: an annotation of ours says that it is none. */
    bool open = e->start_source > HK_FROM_DEFAULT && e->start.num > 0 && !e->has_stop;
    bool own = (e->has_step && !step) || e->has_algorithm || e->output_interval.num || open;
    hk_xml_node *node = add(w, root, "ssd:DefaultExperiment");
    if (e->start_source > HK_FROM_DEFAULT)
        set(w, node, "startTime", hk_ssp_write_number(w, hk_ratio_to_double(e->start)));
    if (e->has_stop)
        set(w, node, "stopTime", hk_ssp_write_number(w, hk_ratio_to_double(e->stop)));
    if (own) {
        hk_xml_node *n = add(w, annotation(w, node, HK_SSP_ANNOTATION), "hk:Experiment");
        if (e->has_step && !step)
            set(w, n, "stepSize", hk_ssp_write_fraction(w, e->step));
        if (e->output_interval.num)
            set(w, n, "outputInterval", hk_ssp_write_fraction(w, e->output_interval));
        if (e->has_algorithm)
            set(w, n, "algorithm", hk_algorithm_words[e->algorithm]);
    }
    if (step)
        set(w,
            add(w, add(w, annotation(w, node, OTHER), "osp:Algorithm"), "osp:FixedStepAlgorithm"),
            "baseStepSize", step);
}

static const char *build(writer *w) {
    const hk_model *m = w->model;
    w->doc = hk_xml_document_create(w->arena);
    hk_xml_node *root = add(w, &w->doc->top, "ssd:SystemStructureDescription");
    set(w, root, "name", m->name);
    set(w, root, "version", "1.0");
    set(w, root, "xmlns:ssd", HK_SSP_STANDARD "SystemStructureDescription");
    set(w, root, "xmlns:ssc", HK_SSP_STANDARD "SystemStructureCommon");
    set(w, root, "xmlns:ssv", HK_SSP_STANDARD "SystemStructureParameterValues");
    set(w, root, "xmlns:osp", "http://opensimulationplatform.com/SSP/OSPAnnotations");
    set(w, root, "xmlns:hk", HK_SSP_NAMESPACE);
    set(w, root, "xmlns:hks", HK_SSP_SYSTEM_NAMESPACE);
    hk_tree_sinks(w->arena, m, &w->sinks);
    put_system(w, root, m->tree->root);
    hk_ssp_write_units(w, root);
    put_experiment(w, root);
    hk_ssp_write_comments(w, &w->doc->top, &m->tree->rest);
    if (w->newer)
        set(w, root, "version", "2.0");
    return hk_xml_document_print(w->arena, w->doc);
}

hk_status hk_ssp_write_package(hk_ssp_writer *w, const char *path, const char *text) {
    hk_zip_item *items = HK_NEW_ARRAY(w->arena, hk_zip_item, w->item_count + 1);
    items[0] = (hk_zip_item){.name = HK_SSP_SSD, .data = text, .size = strlen(text)};
    for (size_t i = 0; i < w->item_count; i++)
        items[i + 1] = w->items[i];
    return hk_zip_write(w->ctx, path, items, w->item_count + 1);
}

hk_status hk_ssp_write(hk_ctx *ctx, const hk_model *model, const char *path) {
    HK_ASSERT(model->tree);
    hk_arena *arena = hk_arena_create();
    const char *folder = hk_path_folder(arena, path);
    const char *real = hk_path_real(arena, folder);
    hk_status status = HK_OK;
    if (!hk_folder_exists(folder) || !real)
        status = hk_error(ctx, HK_E_FILE_WRITE, (hk_where){.file = path}, "make it first",
                          "the folder '%s' does not exist", folder);
    if (status == HK_OK) {
        writer w = {.ctx = ctx, .arena = arena, .model = model, .folder = real};
        w.packed = strcasecmp(hk_path_extension(path), ".ssp") == 0;
        const char *text = build(&w);
        status = w.error_count ? w.error
                 : w.packed    ? hk_ssp_write_package(&w, path, text)
                               : hk_file_write(ctx, path, text, strlen(text));
        hk_map_finish(&w.sinks);
        hk_free(w.units);
        hk_free(w.items);
    }
    hk_arena_destroy(arena);
    return status;
}
