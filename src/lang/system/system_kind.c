/* SPDX-License-Identifier: MIT
 *
 * What leaves are: a leaf type, and the behaviour behind it: a native type of a plugin or built in,
 * an FMU, a table, a RoboChart module. */
#include "lang/system/system_internal.h"

#include "base/file.h"
#include "chart/chart_component.h"
#include "fmi/fmi.h"
#include "format/table_read.h"
#include "native/builtin.h"
#include "native/native.h"

#include <string.h>
#include <strings.h>

/* ---- behaviours -------------------------------------------------------------------------------
 */

typedef enum file_kind { NO_FILE, FMU, TABLE, CHART, PLUGIN } file_kind;

static bool is_table_before(const char *text, const char *hash) {
    hk_arena *arena = hk_arena_create();
    bool is = hk_table_is(hk_arena_strndup(arena, text, (size_t)(hash - text)));
    hk_arena_destroy(arena);
    return is;
}

static bool is_chart(const char *text) {
    size_t length = strcspn(text, "#");
    return length > 4 && strncasecmp(text + length - 4, ".rct", 4) == 0;
}

/* "x.fmu", "x.csv", "x.csv#hold", "x.rct", "x.rct#module", "x.so", "x.so#type" */
static file_kind kind_of_file(const char *text) {
    static const struct {
        const char *extension;
        file_kind kind;
    } kinds[] = {{".fmu", FMU}, {".so", PLUGIN}, {".dll", PLUGIN}, {".dylib", PLUGIN}};
    const char *hash = strrchr(text, '#');
    if (hk_table_is(text) || (hash && is_table_before(text, hash)))
        return TABLE;
    if (is_chart(text))
        return CHART;
    if (hash)
        return PLUGIN;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcasecmp(hk_path_extension(text), kinds[i].extension) == 0)
            return kinds[i].kind;
    return NO_FILE;
}

static hk_status open_fmu(hk_system *s, const char *path, const hk_info **ret_info) {
    hk_fmu *fmu;
    HK_TRY(hk_fmu_open(s->complaints.ctx, path, &fmu));
    *ret_info = hk_fmu_own(s->model, fmu);
    return HK_OK;
}

/* What is said of a table behind its name: "x.csv#hold". HASH NULL: nothing. */
static hk_status hold_of(hk_system *s, const char *hash, hk_where where, bool *ret_hold) {
    *ret_hold = hash != NULL;
    if (!hash || strcmp(hash, "#hold") == 0)
        return HK_OK;
    return hk_error(s->complaints.ctx, HK_E_NAME, where,
                    "'#hold' holds every value until the next row; without it real numbers are "
                    "joined by lines",
                    "'%s' says nothing about a table", hash);
}

/* TEXT names a file beside that of WHERE. TYPE: what is looked for in a plugin that says no more.
 * NULL is reported. */
static const hk_info *behaviour_of_file(hk_system *s, const char *text, const char *type,
                                        hk_where where) {
    hk_ctx *ctx = s->complaints.ctx;
    file_kind is = kind_of_file(text);
    const char *hash = is == TABLE ? strrchr(text, '#') : strchr(text, '#');
    if (is == TABLE && hk_table_is(text)) /* the '#' is in the name of the file */
        hash = NULL;
    const char *name = hash ? hk_arena_strndup(s->arena, text, (size_t)(hash - text)) : text;
    const char *path = hk_path_join(s->arena, hk_path_folder(s->arena, where.file), name);
    if (!hk_file_exists(path)) {
        hk_complain(&s->complaints, HK_E_FILE_READ, where,
                    "files are looked for beside the one that names them",
                    "the file '%s' does not exist", path);
        return NULL;
    }
    const hk_info *info = NULL;
    hk_status status = HK_OK;
    bool hold = false;
    s->found = (hk_tree_source){.file = path};
    switch (is) {
    case FMU:
        status = open_fmu(s, path, &info);
        break;
    case TABLE:
        s->found.kind = HK_TREE_TABLE;
        s->found.part = hash ? hash + 1 : NULL;
        status = hold_of(s, hash, where, &hold);
        if (status == HK_OK)
            status = hk_table_info(ctx, s->model, path, hold, &info);
        break;
    case CHART:
        s->found.kind = HK_TREE_CHART;
        s->found.part = hash ? hash + 1 : NULL;
        status = hk_chart_info(ctx, s->model, path, s->found.part, &info);
        break;
    default:
        s->found.kind = HK_TREE_PLUGIN;
        s->found.part = hash ? hash + 1 : type;
        s->model->named = where;
        status = hk_plugin_info(ctx, s->model, path, s->found.part, &info);
        break;
    }
    if (status != HK_OK)
        hk_system_failed(s, status);
    return status == HK_OK ? info : NULL;
}

/* A native type of that name in a plugin of the system, or built in; *ret_info NULL: there is none.
 */
static hk_status find_native(hk_system *s, const char *name, hk_where where,
                             const hk_info **ret_info) {
    hk_ctx *ctx = s->complaints.ctx;
    *ret_info = NULL;
    for (size_t i = 0; i < s->plugin_count && !*ret_info; i++) {
        s->found = (hk_tree_source){.kind = HK_TREE_PLUGIN, .file = s->plugins[i], .part = name};
        s->model->named = hk_system_where(s, &s->plugin_places[i]);
        HK_TRY(hk_plugin_find(ctx, s->model, s->plugins[i], name, ret_info));
    }
    s->model->named = HK_NOWHERE;
    if (!*ret_info)
        s->found = (hk_tree_source){.kind = HK_TREE_BUILTIN, .part = name};
    const hk_unit_type *type = *ret_info ? NULL : hk_builtin_find(name);
    if (!*ret_info && strncmp(name, "hk.", 3) == 0 && strchr(name, '?')) /* made to measure */
        return hk_builtin_info(ctx, s->model, name, where, ret_info);
    return type ? hk_native_info(ctx, s->model, type, ret_info) : HK_OK;
}

/* ---- members ----------------------------------------------------------------------------------
 */

static void add_member(hk_leafkind *kind, hk_leafmember member) {
    uint32_t index = (uint32_t)kind->member_count;
    if (hk_map_put(&kind->by_name, member.name, index) == index)
        HK_PUSH(kind->members, kind->member_count, kind->member_cap, member);
}

/* The variable that a part of a port is, whose frame is noted. */
static uint32_t place_part(hk_system *s, hk_leafkind *kind, const hk_lang_var *var,
                           const hk_part *part) {
    uint32_t index = hk_info_find(kind->info, hk_part_name(s->arena, var->name, part->name));
    const char *frame = part->frame ? part->frame : var->frame;
    HK_ASSERT(index != HK_MAP_NONE);
    if (frame && !kind->frames)
        kind->frames = HK_NEW_ARRAY(s->model->arena, const char *, kind->info->variable_count);
    if (frame)
        kind->frames[index] = frame;
    return index;
}

static void add_vars(hk_system *s, hk_leafkind *kind, const hk_lang_var *vars, size_t count,
                     hk_role role) {
    for (size_t i = 0; i < count; i++) {
        const hk_lang_var *v = &vars[i];
        uint32_t *variables = HK_NEW_ARRAY(s->arena, uint32_t, v->type->part_count + 1);
        for (size_t p = 0; p < v->type->part_count; p++)
            variables[p] = place_part(s, kind, v, &v->type->parts[p]);
        add_member(kind, (hk_leafmember){.name = v->name,
                                         .role = role,
                                         .type = v->type,
                                         .unit = v->unit,
                                         .frame = v->frame,
                                         .var = v,
                                         .variables = variables});
    }
}

static void add_services(hk_leafkind *kind) {
    for (uint32_t i = 0; i < kind->info->service_count; i++) {
        const hk_service_info *service = &kind->info->services[i];
        add_member(kind,
                   (hk_leafmember){.name = service->name,
                                   .role = service->provided ? HK_ROLE_PROVIDED : HK_ROLE_REQUIRED,
                                   .service = i,
                                   .interface = service->interface,
                                   .signature = service->definition ? service->definition->signature
                                                                    : NULL});
    }
}

/* A type for a variable of a behaviour that has no leaf type. */
static const hk_lang_type *type_of_variable(hk_system *s, const hk_variable *v) {
    hk_lang_type *element = HK_NEW(s->arena, hk_lang_type);
    hk_part *part = HK_NEW(s->arena, hk_part);
    *part = (hk_part){.name = "", .type = v->type, .count = 1};
    *element = (hk_lang_type){.kind = HK_LANG_BASIC,
                              .name = hk_type_name(v->type),
                              .basic = v->type,
                              .parts = part,
                              .part_count = 1};
    if (v->enumeration) {
        element->kind = HK_LANG_ENUM;
        element->name = v->enumeration->name ? v->enumeration->name : element->name;
        element->items = v->enumeration;
        part->enumeration = element;
    }
    if (!v->dim_count)
        return element;
    hk_lang_type *array = HK_NEW(s->arena, hk_lang_type);
    hk_part *whole = HK_NEW(s->arena, hk_part);
    *whole = *part;
    whole->count = v->count;
    whole->dims = v->dims;
    whole->dim_count = v->dim_count;
    *array = (hk_lang_type){.kind = HK_LANG_ARRAY,
                            .name = hk_arena_printf(s->arena, "%s array", element->name),
                            .element = element,
                            .dims = v->dims,
                            .dim_count = v->dim_count,
                            .parts = whole,
                            .part_count = 1};
    return array;
}

static hk_role role_of(const hk_variable *v) {
    if (v->causality == HK_INPUT)
        return HK_ROLE_INPUT;
    bool parameter = v->causality == HK_PARAMETER || v->causality == HK_STRUCTURAL_PARAMETER;
    return parameter ? HK_ROLE_PARAMETER : HK_ROLE_OUTPUT;
}

/* Variables "u.x", "u.y" that are one port `u`. */
typedef struct group {
    const char *name;
    hk_role role;
    bool mixed;
    uint32_t *variables;
    size_t count, cap;
} group;

static void add_group(hk_system *s, hk_leafkind *kind, const group *g) {
    hk_arena *arena = s->arena;
    hk_lang_type *type = HK_NEW(arena, hk_lang_type);
    hk_part *parts = HK_NEW_ARRAY(arena, hk_part, g->count);
    uint32_t *variables = HK_NEW_ARRAY(arena, uint32_t, g->count);
    type->kind = HK_LANG_RECORD;
    type->name = hk_arena_printf(arena, "a record of %zu", g->count);
    type->fields = hk_arena_alloc(arena, g->count * sizeof *type->fields);
    for (size_t i = 0; i < g->count; i++) {
        const hk_variable *v = &kind->info->variables[g->variables[i]];
        struct hk_lang_field *field = &type->fields[i];
        field->name = v->name + strlen(g->name) + 1;
        field->type = type_of_variable(s, v);
        field->unit = v->unit;
        parts[i] = field->type->parts[0];
        parts[i].name = field->name;
        parts[i].unit = v->unit;
        variables[i] = g->variables[i];
    }
    type->parts = parts;
    type->part_count = type->field_count = g->count;
    add_member(kind, (hk_leafmember){
                         .name = g->name, .role = g->role, .type = type, .variables = variables});
}

static void add_groups(hk_system *s, hk_leafkind *kind) {
    group *groups = NULL;
    size_t count = 0, cap = 0;
    hk_map by_name = {0};
    for (uint32_t i = 0; i < kind->info->variable_count; i++) {
        const hk_variable *v = &kind->info->variables[i];
        const char *dot = strchr(v->name, '.');
        if (!dot || dot == v->name)
            continue;
        const char *name = hk_arena_strndup(s->arena, v->name, (size_t)(dot - v->name));
        uint32_t at = hk_map_put(&by_name, name, (uint32_t)count);
        if (at == count) {
            group fresh = {.name = name, .role = role_of(v)};
            HK_PUSH(groups, count, cap, fresh);
        }
        groups[at].mixed |= groups[at].role != role_of(v);
        HK_PUSH(groups[at].variables, groups[at].count, groups[at].cap, i);
    }
    for (size_t i = 0; i < count; i++) {
        if (!groups[i].mixed)
            add_group(s, kind, &groups[i]);
        hk_free(groups[i].variables);
    }
    hk_free(groups);
    hk_map_finish(&by_name);
}

static void add_variables(hk_system *s, hk_leafkind *kind) {
    for (uint32_t i = 0; i < kind->info->variable_count; i++) {
        const hk_variable *v = &kind->info->variables[i];
        uint32_t *variable = HK_NEW(s->arena, uint32_t);
        *variable = i;
        add_member(kind, (hk_leafmember){.name = v->name,
                                         .role = role_of(v),
                                         .type = type_of_variable(s, v),
                                         .unit = v->unit,
                                         .variables = variable});
    }
}

/* ---- start values -----------------------------------------------------------------------------
 */

/* Start values of the leaf type that the behaviour does not have by itself. */
static void add_defaults(hk_system *s, hk_leafkind *kind) {
    size_t cap = 0;
    for (size_t m = 0; m < kind->member_count; m++) {
        const hk_leafmember *member = &kind->members[m];
        if (!member->var || member->var->start.kind == HK_LITERAL_NONE)
            continue;
        size_t count = member->type->part_count;
        hk_value *parts = HK_NEW_ARRAY(s->arena, hk_value, count + 1);
        hk_ctx *quiet = hk_ctx_create(NULL, NULL); /* it was checked in the type file */
        hk_status status =
            hk_literal_value(quiet, s->model->arena, member->var->where.file, &member->var->start,
                             (hk_typed){member->type, member->unit}, parts);
        hk_ctx_destroy(quiet);
        for (size_t p = 0; status == HK_OK && p < count; p++) {
            const hk_variable *v = &kind->info->variables[member->variables[p]];
            hk_leafdefault value = {(uint32_t)m, (uint32_t)p, parts[p]};
            if (!hk_variable_settable(v) || (v->start.data && hk_value_same(&v->start, &parts[p])))
                continue;
            HK_PUSH(kind->defaults, kind->default_count, cap, value);
        }
    }
}

/* ---- kinds ------------------------------------------------------------------------------------
 */

static hk_leafkind *new_kind(hk_system *s, const char *name) {
    hk_leafkind *kind = HK_NEW(s->arena, hk_leafkind);
    kind->name = name;
    hk_map_put(&s->kind_by_name, name, (uint32_t)s->kind_count);
    HK_PUSH(s->kinds, s->kind_count, s->kind_cap, kind);
    return kind;
}

void hk_system_finish_kinds(hk_system *s) {
    for (size_t i = 0; i < s->kind_count; i++) {
        if (!s->kinds[i])
            continue;
        hk_map_finish(&s->kinds[i]->by_name);
        hk_free(s->kinds[i]->members);
        hk_free(s->kinds[i]->defaults);
    }
    hk_free(s->kinds);
    hk_map_finish(&s->kind_by_name);
}

/* The behaviour of a leaf type; NULL: none, or a mistake, which is reported. */
static const hk_info *behaviour_of_leaf(hk_system *s, const hk_lang_leaf *leaf) {
    const hk_info *info = NULL;
    if (!leaf->behaviour) {
        hk_status status = find_native(s, leaf->name, leaf->where, &info);
        if (status != HK_OK)
            hk_system_failed(s, status);
        return info;
    }
    if (kind_of_file(leaf->behaviour) != NO_FILE)
        return behaviour_of_file(s, leaf->behaviour, leaf->name, leaf->where);
    hk_complain(&s->complaints, HK_E_FILE_KIND, leaf->where,
                "name an FMU, a table (.csv, .mat, .h5), a RoboChart file (.rct) or a plugin (.so)",
                "'%s' is not a behaviour that hocket knows", leaf->behaviour);
    return NULL;
}

static void make_typed(hk_system *s, hk_leafkind *kind, const hk_leafwork *work) {
    const hk_lang_leaf *leaf = &work->leaf;
    const hk_info *info = behaviour_of_leaf(s, leaf);
    kind->source = s->found;
    kind->leaf = leaf;
    kind->broken = work->broken;
    const struct hk_unit_class *own = info ? info->unit_class : NULL;
    if (info && !work->broken)
        info = hk_system_fit(s, leaf, info, info->can.from_types);
    kind->source.rescaled = info && info->unit_class != own;
    /* After a mistake the structure can still be checked against the type. */
    kind->info = info && !work->broken ? info : hk_system_describe(s, leaf);
    add_vars(s, kind, leaf->inputs, leaf->input_count, HK_ROLE_INPUT);
    add_vars(s, kind, leaf->outputs, leaf->output_count, HK_ROLE_OUTPUT);
    add_vars(s, kind, leaf->parameters, leaf->parameter_count, HK_ROLE_PARAMETER);
    add_services(kind);
    add_defaults(s, kind);
}

/* What a leaf's type names, if it is not a leaf type: a file, or a native type. */
static const hk_info *untyped(hk_system *s, const hk_name *type, bool *ret_failed) {
    const hk_info *info = NULL;
    hk_where where = hk_system_where(s, &type->at);
    *ret_failed = false;
    if (kind_of_file(type->text) != NO_FILE) {
        info = behaviour_of_file(s, type->text, hk_path_name(type->text), where);
        *ret_failed = !info;
        return info;
    }
    hk_status status = find_native(s, type->text, where, &info);
    *ret_failed = status != HK_OK;
    if (*ret_failed)
        hk_system_failed(s, status);
    return info;
}

static hk_leafkind *unknown(hk_system *s, const hk_name *type) {
    const hk_names *names = &s->types->leaf_names;
    hk_where where = hk_system_where(s, &type->at);
    if (s->types->incomplete)
        return NULL;
    const char *const *words = names->full;
    const char *hint =
        hk_complaint_suggest(&s->complaints, s->arena, type->text, words, names->count);
    if (!hint) {
        const char *closest = hk_builtin_closest(type->text);
        hint = hk_hint_name(s->arena, closest, NULL);
    }
    if (!hint && !s->tree->import_count && s->plugin_hint)
        hint = hk_arena_printf(s->arena, "a plugin that the system names is not there; %s",
                               s->plugin_hint);
    if (!hint && !s->tree->import_count)
        hint = "import the file that declares it: import \"x.types\";";
    hk_complain(&s->complaints, HK_E_NAME, where, hint, "there is no leaf type '%s'", type->text);
    return NULL;
}

static hk_leafkind *make_kind(hk_system *s, const hk_name *type) {
    uint32_t index = HK_MAP_NONE;
    const hk_names *names = &s->types->leaf_names;
    hk_where where = hk_system_where(s, &type->at);
    hk_found found = HK_FOUND_NONE;
    bool failed = false;
    const hk_info *info = NULL;
    if (kind_of_file(type->text) == NO_FILE)
        found = hk_names_find(names, type->text, &index);
    if (found != HK_FOUND_EXACT)
        info = untyped(s, type, &failed);
    if (failed)
        return NULL;
    if (info) {
        hk_leafkind *kind = new_kind(s, type->text);
        kind->info = info;
        kind->source = s->found;
        add_variables(s, kind);
        add_services(kind);
        add_groups(s, kind);
        return kind;
    }
    if (found == HK_FOUND_NONE)
        return unknown(s, type);
    if (found == HK_FOUND_AMBIGUOUS) {
        hk_complain(&s->complaints, HK_E_NAME, where, "write the package before the name",
                    "'%s' may be one of several: %s", type->text,
                    hk_names_candidates(s->arena, names, type->text));
        return NULL;
    }
    const hk_leafwork *work = s->types->leaves[index];
    if (found == HK_FOUND_SUFFIX) {
        hk_warn(s->complaints.ctx, HK_E_NAME, where,
                hk_arena_printf(s->arena, "write '%s'", work->leaf.name),
                "there is no leaf type '%s'; '%s' is taken, the only one that ends so", type->text,
                work->leaf.name);
        uint32_t there = hk_map_get(&s->kind_by_name, work->leaf.name);
        if (there != HK_MAP_NONE) {
            hk_map_put(&s->kind_by_name, type->text, there);
            return s->kinds[there];
        }
    }
    hk_leafkind *kind = new_kind(s, work->leaf.name);
    if (found == HK_FOUND_SUFFIX)
        hk_map_put(&s->kind_by_name, type->text, (uint32_t)(s->kind_count - 1));
    make_typed(s, kind, work);
    return kind;
}

void hk_system_world_kind(hk_system *s, const char *name, const hk_info *info) {
    hk_leafkind *kind = new_kind(s, name);
    kind->info = info;
    kind->world = true;
    kind->source = (hk_tree_source){.kind = HK_TREE_WORLD};
    add_variables(s, kind);
}

hk_leafkind *hk_system_kind(hk_system *s, const hk_name *type) {
    if (!*type->text)
        return NULL;
    uint32_t there = hk_map_get(&s->kind_by_name, type->text);
    if (there != HK_MAP_NONE)
        return s->kinds[there];
    hk_leafkind *kind = make_kind(s, type);
    if (!kind) { /* said once, not for each leaf of the type */
        hk_map_put(&s->kind_by_name, type->text, (uint32_t)s->kind_count);
        HK_PUSH(s->kinds, s->kind_count, s->kind_cap, NULL);
    }
    return kind;
}
