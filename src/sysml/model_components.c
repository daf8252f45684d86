/* SPDX-License-Identifier: MIT
 *
 * Instances of EComponents as components: what is behind them, whether it has the ports that the
 * block says, and the values that it begins with. */
#include "sysml/model_internal.h"

#include "base/file.h"
#include "base/seconds.h"
#include "chart/chart_component.h"
#include "fmi/fmi.h"
#include "native/native.h"

#include <string.h>
#include <strings.h>

const hk_profile_block *hk_sysml_block(const hk_sysml_maker *m, uint32_t instance) {
    return &m->profile->blocks[m->profile->instances[instance].block];
}

hk_where hk_sysml_where(hk_sysml_maker *m, const char *file, const hk_place *at) {
    uint32_t index = hk_map_put(&m->files, file, (uint32_t)m->file_count);
    if (index == m->file_count)
        HK_PUSH(m->file_names, m->file_count, m->file_cap, hk_arena_strdup(m->model->arena, file));
    return hk_place_where(m->file_names[index], at);
}

/* ---- what runs ---------------------------------------------------------------------------------
 */

static hk_status open_fmu(hk_sysml_maker *m, const char *path, const hk_info **ret_info) {
    hk_fmu *fmu;
    HK_TRY(hk_fmu_open(m->complaints.ctx, path, &fmu));
    *ret_info = hk_fmu_own(m->model, fmu);
    return HK_OK;
}

/* False: nothing that runs is called so. */
static bool kind_of_file(const char *path, hk_tree_source_kind *ret_kind) {
    static const struct {
        const char *extension;
        hk_tree_source_kind kind;
    } kinds[] = {{".fmu", HK_TREE_FMU}, {".rct", HK_TREE_CHART}, {".so", HK_TREE_PLUGIN}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcasecmp(hk_path_extension(path), kinds[i].extension) == 0) {
            *ret_kind = kinds[i].kind;
            return true;
        }
    return false;
}

/* A file beside the one that the block is written in. */
static hk_status open_file(hk_sysml_maker *m, const hk_profile_block *b, hk_tree_source *source,
                           const hk_info **ret_info) {
    hk_where where = hk_sysml_where(m, b->file, &b->at);
    const char *path = hk_path_join(m->arena, hk_path_folder(m->arena, b->file), b->fmu);
    source->file = hk_arena_strdup(m->model->arena, path);
    if (!kind_of_file(path, &source->kind))
        return hk_error(
            m->complaints.ctx, HK_E_PROFILE, where,
            strchr(b->fmu, '#')
                ? "write fmu = \"FILE\"; type = \"NAME\"; for one of "
                  "several in a file"
                : "an FMU (.fmu), a RoboChart module (.rct), a plugin (.so) or a built-in "
                  "component (hk.NAME) can run",
            "what EComponent '%s' runs, '%s', is of no kind that is known", b->name, b->fmu);
    if (!hk_file_exists(path))
        return hk_error(m->complaints.ctx, HK_E_FILE_READ, where,
                        "files are looked for beside the one that names them",
                        "the file '%s' of EComponent '%s' does not exist", path, b->name);
    if (source->kind == HK_TREE_FMU)
        return open_fmu(m, source->file, ret_info);
    source->part = hk_arena_strdup(m->model->arena, b->type);
    m->model->named = where;
    hk_status status =
        source->kind == HK_TREE_CHART
            ? hk_chart_info(m->complaints.ctx, m->model, source->file, source->part, ret_info)
            : hk_plugin_info(m->complaints.ctx, m->model, source->file, source->part, ret_info);
    if (status) /* it is told in the file that cannot be opened: who asks for it? */
        hk_note(
            m->complaints.ctx, where,
            "EComponent '%s' runs it; type = \"NAME\" in its @EComponent chooses one of several",
            b->name);
    return status;
}

static const hk_info *open_block(hk_sysml_maker *m, const hk_profile_block *b, bool first,
                                 hk_tree_source *ret_source) {
    hk_where where = hk_place_where(b->file, &b->at);
    hk_status status;
    const hk_info *info = NULL;
    *ret_source = (hk_tree_source){.kind = HK_TREE_FMU};
    if (!b->fmu || !*b->fmu) {
        if (first)
            hk_complain(&m->complaints, HK_E_PROFILE, where,
                        "write fmu = \"NAME.fmu\" in its @EComponent",
                        "EComponent '%s' does not say what runs", b->name);
        return NULL;
    }
    const char *key = hk_arena_printf(m->arena, "%s|%s", b->fmu, b->type ? b->type : "");
    uint32_t index = hk_map_put(&m->opened, key, (uint32_t)m->info_count);
    if (strncmp(b->fmu, "hk.", 3) == 0) {
        *ret_source = (hk_tree_source){.kind = HK_TREE_BUILTIN,
                                       .part = hk_arena_strdup(m->model->arena, b->fmu)};
        status = index < m->info_count
                     ? HK_OK
                     : hk_builtin_info(m->complaints.ctx, m->model, b->fmu, where, &info);
    } else if (index < m->info_count) {
        const char *path = hk_path_join(m->arena, hk_path_folder(m->arena, b->file), b->fmu);
        *ret_source = (hk_tree_source){.file = hk_arena_strdup(m->model->arena, path),
                                       .part = hk_arena_strdup(m->model->arena, b->type)};
        (void)kind_of_file(path, &ret_source->kind); /* was opened */
        status = HK_OK;
    } else {
        status = open_file(m, b, ret_source, &info);
    }
    if (status)
        hk_complaint_heard(&m->complaints, status);
    if (index < m->info_count)
        return m->infos[index];
    HK_PUSH(m->infos, m->info_count, m->info_cap, info);
    return info;
}

/* ---- ports -------------------------------------------------------------------------------------
 */

static bool type_fits(hk_profile_type type, const hk_variable *v) {
    static const char *const kinds[] = {
        [HK_PROFILE_TYPELESS] = "Real",   [HK_PROFILE_REAL] = "Real",
        [HK_PROFILE_INTEGER] = "Integer", [HK_PROFILE_BOOLEAN] = "Boolean",
        [HK_PROFILE_STRING] = "String",   [HK_PROFILE_ENUM] = "Enumeration"};
    return type == HK_PROFILE_UNKNOWN || strcmp(hk_type_kind(v->type), kinds[type]) == 0;
}

/* What the block declares must be there, as it declares it. */
static bool find_variable(hk_sysml_maker *m, uint32_t instance, const char *name,
                          const hk_place *at, hk_address *ret_at) {
    const hk_profile_instance *i = &m->profile->instances[instance];
    const hk_profile_block *b = hk_sysml_block(m, instance);
    const hk_info *info = m->model->components[m->components[instance]].info;
    const char *path = hk_arena_printf(m->arena, "%s.%s", i->path, name);
    if (hk_model_find_end(m->model, path, ret_at))
        return true;
    const char *close = hk_info_closest(info, name);
    hk_complain(&m->complaints, HK_E_CONNECTION, hk_place_where(b->file, at),
                hk_hint_name(m->arena, close, NULL),
                "block '%s' declares '%s', and what runs (%s) has no such variable", b->name, name,
                b->fmu);
    return false;
}

/* A port or variable of a block: what is held against what runs. */
typedef struct declared {
    const char *what, *name; /* "port" */
    const hk_profile_shape *shape;
    const hk_profile_value *init;
    const hk_place *at;
    bool output;
} declared;

static declared port_of(const hk_profile_port *p) {
    return (declared){"port", p->name, &p->shape, &p->init, &p->at, p->output};
}

static declared variable_of(const hk_profile_variable *v) {
    return (declared){"variable", v->name, &v->shape, &v->init, &v->at, false};
}

/* Values that the file gives are converted. Those that come from what runs are not, so the file
 * must say the unit that they have. */
static void check_unit(hk_sysml_maker *m, const hk_profile_block *b, const declared *d,
                       const hk_variable *v) {
    hk_uom uom;
    double factor, offset;
    const char *unit = d->shape->unit;
    if (!unit || !v->uom || !hk_uom_parse(unit, &uom) || hk_uom_same_name(&uom, v->uom))
        return;
    bool joined = hk_uom_conversion(&uom, v->uom, v->relative, &factor, &offset);
    if (!joined || (d->output && (factor != 1 || offset != 0)))
        hk_complain(&m->complaints, HK_E_UNIT_MISMATCH, hk_place_where(b->file, d->at),
                    joined ? hk_arena_printf(m->arena,
                                             "outputs have the unit of what runs: write name = "
                                             "\"%s\"; flows convert to the unit of their input",
                                             v->unit)
                           : NULL,
                    "%s '%s' of block '%s' is in '%s', and '%s' of %s is in '%s'", d->what, d->name,
                    b->name, unit, d->name, b->fmu, v->unit);
}

static void check_shape(hk_sysml_maker *m, const hk_profile_block *b, const declared *d,
                        const hk_address *at) {
    const hk_variable *v = hk_address_variable(m->model, at);
    const hk_profile_shape *shape = d->shape;
    size_t elements = shape->size_count ? shape->sizes[0] : 1;
    size_t have = at->group ? at->group->count : hk_address_count(m->model, at);
    hk_where where = hk_place_where(b->file, d->at);
    if (!type_fits(shape->type, v))
        hk_complain(&m->complaints, HK_E_CONNECTION, where, NULL,
                    "%s '%s' of block '%s' is of type %s, and '%s' of %s is of type %s", d->what,
                    d->name, b->name, shape->type_name ? shape->type_name : "Real (an event)",
                    d->name, b->fmu, hk_type_name(v->type));
    else if (elements != have)
        hk_complain(&m->complaints, HK_E_CONNECTION, where, NULL,
                    "%s '%s' of block '%s' has %zu element%s, and '%s' of %s has %zu", d->what,
                    d->name, b->name, elements, hk_plural(elements), d->name, b->fmu, have);
    else
        check_unit(m, b, d, v);
}

static void check_port(hk_sysml_maker *m, uint32_t instance, const declared *p) {
    const hk_profile_block *b = hk_sysml_block(m, instance);
    hk_address at;
    if (!find_variable(m, instance, p->name, p->at, &at))
        return;
    hk_causality causality = hk_address_variable(m->model, &at)->causality;
    bool wrong_way =
        p->output ? causality == HK_INPUT || causality == HK_PARAMETER : causality != HK_INPUT;
    if (wrong_way)
        hk_complain(&m->complaints, HK_E_CONNECTION, hk_place_where(b->file, p->at), NULL,
                    "port '%s' of block '%s' is an %s, and '%s' of %s is not", p->name, b->name,
                    p->output ? "output" : "input", p->name, b->fmu);
    else
        check_shape(m, b, p, &at);
}

static void check_variable(hk_sysml_maker *m, uint32_t instance, const declared *v) {
    hk_address at;
    if (find_variable(m, instance, v->name, v->at, &at))
        check_shape(m, hk_sysml_block(m, instance), v, &at);
}

/* ---- values ------------------------------------------------------------------------------------
 */

static const char *text_of(hk_sysml_maker *m, const hk_literal *l) {
    if (l->kind != HK_LITERAL_LIST)
        return l->text;
    const char **texts = HK_NEW_ARRAY(m->arena, const char *, l->item_count + 1);
    for (size_t i = 0; i < l->item_count; i++)
        texts[i] = text_of(m, &l->items[i]);
    return hk_value_list(m->arena, texts, l->item_count);
}

static void set_elements(hk_sysml_maker *m, const hk_address *at, const hk_literal *l,
                         const hk_given_text *g) {
    if (!at->group) {
        hk_status status =
            hk_model_set(m->complaints.ctx, m->model, at->component, at->variable, g);
        if (status)
            hk_complaint_heard(&m->complaints, status);
        return;
    }
    for (size_t i = 0; i < at->group->count; i++) {
        hk_given_text one = *g;
        one.text =
            l->kind == HK_LITERAL_LIST && i < l->item_count ? text_of(m, &l->items[i]) : g->text;
        hk_status status =
            hk_model_set(m->complaints.ctx, m->model, at->component, at->group->variables[i], &one);
        if (status)
            hk_complaint_heard(&m->complaints, status);
    }
}

/* What the instance gives, OWN, or else its block. */
static void set_value(hk_sysml_maker *m, uint32_t instance, const declared *d,
                      const hk_profile_value *own, hk_source source) {
    bool given = own->literal.kind != HK_LITERAL_NONE;
    const hk_literal *l = given ? &own->literal : &d->init->literal;
    hk_address at;
    hk_uom *uom = NULL;
    if (l->kind == HK_LITERAL_NONE || !find_variable(m, instance, d->name, d->at, &at))
        return;
    const char *file = given ? m->profile->file : hk_sysml_block(m, instance)->file;
    hk_where where = hk_sysml_where(m, file, &l->at);
    if (d->shape->unit) {
        uom = HK_NEW(m->model->arena, hk_uom);
        bool known = hk_uom_parse(d->shape->unit, uom); /* or else the file was refused */
        HK_ASSERT(known);
    }
    size_t want = at.group ? at.group->count : hk_address_count(m->model, &at);
    if (l->kind == HK_LITERAL_LIST && l->item_count != want) {
        hk_complain(&m->complaints, HK_E_VALUE, where, NULL,
                    "'%s' has %zu element%s, and %zu values are given", d->name, want,
                    hk_plural(want), l->item_count);
        return;
    }
    set_elements(m, &at, l, &(hk_given_text){text_of(m, l), uom, {source, where}});
}

static void set_values(hk_sysml_maker *m, uint32_t instance) {
    const hk_profile_block *b = hk_sysml_block(m, instance);
    const hk_profile_value *own = m->profile->instances[instance].values;
    for (size_t i = 0; i < b->variable_count; i++) {
        declared v = variable_of(&b->variables[i]);
        set_value(m, instance, &v, &own[b->port_count + i], HK_FROM_SYSTEM);
    }
    for (size_t i = 0; i < b->port_count; i++) {
        declared p = port_of(&b->ports[i]);
        const char *key = hk_arena_printf(m->arena, "%u.%zu", instance, i);
        bool driven = hk_map_get(&m->driven, key) != HK_MAP_NONE;
        /* Also of an input that a flow leads to, as the specification asks (sound_profile.c): it
         * has this value until the flow brings one. */
        if (!p.output)
            set_value(m, instance, &p, &own[i], driven ? HK_FROM_DESCRIPTION : HK_FROM_SYSTEM);
    }
}

/* ---- what no run needs -------------------------------------------------------------------------
 */

static hk_tree_block block_words(hk_sysml_maker *m, uint32_t instance) {
    const hk_profile_block *b = hk_sysml_block(m, instance);
    hk_arena *arena = m->model->arena;
    bool part = b->kind != HK_PROFILE_ECOMPONENT && b->kind != HK_PROFILE_SYSTEM;
    return (hk_tree_block){.name = hk_arena_strdup(arena, b->name),
                           .stereotype = part ? hk_profile_marks[b->kind] : NULL,
                           .kind = hk_profile_component_words[b->component],
                           .platform = hk_arena_strdup(arena, b->platform),
                           .model_type = hk_profile_time_words[b->time],
                           .package =
                               instance == 0 ? hk_arena_strdup(arena, m->profile->package) : NULL,
                           .where = hk_sysml_where(m, b->file, &b->at)};
}

/* ---- instances ---------------------------------------------------------------------------------
 */

static void add_component(hk_sysml_maker *m, uint32_t instance, hk_tree_element *system) {
    const hk_profile_instance *i = &m->profile->instances[instance];
    const hk_profile_block *b = hk_sysml_block(m, instance);
    hk_where where = hk_sysml_where(m, m->profile->file, &i->at);
    hk_tree_source source;
    bool first = !m->checked[i->block];
    m->checked[i->block] = true;
    const hk_info *info = open_block(m, b, first, &source);
    if (!info)
        return;
    hk_status status = hk_model_add_component(m->complaints.ctx, m->model, i->path, info, where,
                                              &m->components[instance]);
    if (status) {
        hk_complaint_heard(&m->complaints, status);
        return;
    }
    hk_tree_element *e = hk_tree_add(m->model->tree, system, HK_TREE_COMPONENT, i->name);
    e->component = m->components[instance];
    e->source = source;
    e->where = where;
    e->block = block_words(m, instance);
    m->elements[instance] = e;
    for (size_t k = 0; first && k < b->port_count; k++) {
        declared p = port_of(&b->ports[k]);
        check_port(m, instance, &p);
    }
    for (size_t k = 0; first && k < b->variable_count; k++) {
        declared v = variable_of(&b->variables[k]);
        check_variable(m, instance, &v);
    }
    hk_component *c = &m->model->components[e->component];
    bool meant;
    c->has_period = b->cycle && hk_seconds_parse(b->cycle, &c->period, &meant);
    if (c->has_period && meant && first)
        hk_seconds_tell(m->complaints.ctx, hk_place_where(b->file, &b->at), b->cycle, c->period,
                        " s");
    if (!m->complaints.count)
        set_values(m, instance);
}

void hk_sysml_add_components(hk_sysml_maker *m) {
    for (size_t i = 0; i < m->profile->connection_count; i++) {
        const hk_profile_end *to = &m->profile->connections[i].to;
        hk_map_put(&m->driven, hk_arena_printf(m->arena, "%u.%u", to->instance, to->port), 1);
    }
    m->elements[0] = m->model->tree->root;
    m->elements[0]->block = block_words(m, 0);
    for (uint32_t i = 1; i < m->profile->instance_count; i++) {
        const hk_profile_instance *instance = &m->profile->instances[i];
        const hk_profile_block *b = hk_sysml_block(m, i);
        hk_tree_element *system = m->elements[instance->parent];
        if (!system || system->kind != HK_TREE_SYSTEM)
            continue; /* structure inside of an EComponent is its own */
        if (b->kind == HK_PROFILE_ECOMPONENT) {
            add_component(m, i, system);
        } else if (b->kind != HK_PROFILE_POCOMPONENT) {
            m->elements[i] = hk_tree_add(m->model->tree, system, HK_TREE_SYSTEM, instance->name);
            m->elements[i]->where = hk_sysml_where(m, m->profile->file, &instance->at);
            m->elements[i]->block = block_words(m, i);
        }
    }
}
