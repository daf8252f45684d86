/* SPDX-License-Identifier: MIT
 *
 * The skeleton of a multi-model: the block of a RoboChart module, with all its ports and constants,
 * in a system of its own beside the robotic platform, which has no parts yet. */
#include "sysml/skeleton.h"

#include "base/file.h"
#include "base/files_beside.h"
#include "base/number.h"
#include "chart/chart_ports.h"
#include "sysml/rules_internal.h"
#include "sysml/skeleton_internal.h"

#include <string.h>

typedef struct maker {
    hk_arena *arena;
    const hk_chart *chart;
    hk_chart_ports ports;
    hk_list enums; /* of hk_profile_enum */
    hk_map names;  /* of the package */
    hk_list own_ports, variables;
} maker;

/* ---- types and values --------------------------------------------------------------------------
 */

static uint32_t enumeration_of(maker *m, const hk_chart_port *p) {
    const hk_profile_enum *all = m->enums.data;
    for (uint32_t i = 0; i < m->enums.count; i++)
        if (strcmp(all[i].name, p->enumeration) == 0)
            return i;
    hk_profile_enum made = {.name = p->enumeration, .items = p->items, .item_count = p->item_count};
    hk_list_add(&m->enums, &made);
    hk_map_put(&m->names, p->enumeration, 0);
    return (uint32_t)m->enums.count - 1;
}

static hk_profile_shape shape_of(maker *m, const hk_chart_port *p) {
    switch (p->type) {
    case HK_TYPE_F64:
        return (hk_profile_shape){.type = HK_PROFILE_REAL, .type_name = "Real"};
    case HK_TYPE_BOOL:
        return (hk_profile_shape){.type = HK_PROFILE_BOOLEAN, .type_name = "Boolean"};
    case HK_TYPE_ENUM:
        return (hk_profile_shape){.type = HK_PROFILE_ENUM,
                                  .type_name = p->enumeration,
                                  .enumeration = enumeration_of(m, p)};
    default:
        return (hk_profile_shape){.type = HK_PROFILE_INTEGER,
                                  .type_name = p->least == 0 ? "Natural" : "Integer"};
    }
}

/* Reals are seen to be reals. */
static const char *real_text(maker *m, double value) {
    char text[64];
    text[hk_write_f64(value, text)] = '\0';
    return hk_arena_printf(m->arena, "%s%s", text, strpbrk(text, ".enia") ? "" : ".0");
}

static hk_profile_value value_of(maker *m, const hk_chart_port *p) {
    hk_literal l = {.kind = HK_LITERAL_NUMBER};
    if (!p->has_start)
        return (hk_profile_value){0};
    if (p->type == HK_TYPE_F64) {
        l.text = real_text(m, p->start.r);
    } else if (p->type == HK_TYPE_BOOL) {
        l = (hk_literal){.kind = HK_LITERAL_BOOL, .text = p->start.i ? "true" : "false"};
    } else if (p->type == HK_TYPE_ENUM) {
        l = (hk_literal){.kind = HK_LITERAL_WORD, .text = p->items[p->start.i]};
    } else {
        l.text = hk_arena_printf(m->arena, "%lld", (long long)p->start.i);
    }
    return (hk_profile_value){l};
}

/* ---- the block ---------------------------------------------------------------------------------
 */

static void add_port(maker *m, const hk_chart_port *p) {
    bool event = p->kind == HK_CHART_PORT_RECEIVED || p->kind == HK_CHART_PORT_SENT ||
                 p->kind == HK_CHART_PORT_CALLED;
    hk_profile_port own = {.name = p->name, .output = p->causality == HK_OUTPUT};
    if (!event) {
        own.shape = shape_of(m, p);
        if (!own.output)
            own.init = value_of(m, p);
    }
    hk_list_add(&m->own_ports, &own);
}

static void add_constant(maker *m, const hk_chart_port *p) {
    hk_profile_variable v = {.name = p->name,
                             .kind = HK_PROFILE_PARAMETER,
                             .shape = shape_of(m, p),
                             .init = value_of(m, p)};
    hk_list_add(&m->variables, &v);
}

/* In the order in which the module that is made of it has them. */
static void order(maker *m, hk_profile_block *block) {
    hk_skeleton_members sorted = hk_skeleton_sort(m->arena, block);
    hk_profile_port *ports = HK_NEW_ARRAY(m->arena, hk_profile_port, block->port_count + 1);
    hk_profile_variable *variables =
        HK_NEW_ARRAY(m->arena, hk_profile_variable, block->variable_count + 1);
    size_t port_count = 0, variable_count = 0;
    if (sorted.unit)
        variables[variable_count++] = *sorted.unit;
    for (size_t i = 0; i < sorted.count; i++) {
        const hk_skeleton_member *member = &sorted.all[i];
        if (member->flag)
            ports[port_count++] = *member->flag;
        for (size_t v = 0; v < member->count; v++)
            for (size_t k = 0; k < member->all[v].count; k++) {
                size_t index = member->all[v].all[k].index;
                if (member->role == HK_SKELETON_CONSTANT)
                    variables[variable_count++] = block->variables[index];
                else
                    ports[port_count++] = block->ports[index];
            }
    }
    HK_ASSERT(port_count == block->port_count);
    block->ports = ports;
    block->variables = variables;
    block->variable_count = variable_count;
}

static hk_profile_block block_of(maker *m, const char *fmu, const char *type) {
    char *cycle = hk_arena_alloc(m->arena, 48);
    hk_profile_block b = {.kind = HK_PROFILE_ECOMPONENT,
                          .name = m->chart->name,
                          .component = HK_PROFILE_CYBER,
                          .time = HK_PROFILE_DISCRETE,
                          .platform = "RoboChart",
                          .fmu = fmu,
                          .type = type,
                          .cycle = hk_ratio_format(m->chart->cycle, cycle)};
    for (uint32_t i = 0; i < m->ports.count; i++) {
        const hk_chart_port *p = &m->ports.all[i];
        if (p->kind < HK_CHART_PORT_CONSTANT)
            add_port(m, p);
        else if (p->kind == HK_CHART_PORT_CONSTANT || p->kind == HK_CHART_PORT_TIME_UNIT)
            add_constant(m, p);
    }
    b.port_count = m->own_ports.count;
    b.ports = hk_list_keep(m->arena, &m->own_ports);
    b.variable_count = m->variables.count;
    b.variables = hk_list_keep(m->arena, &m->variables);
    order(m, &b);
    return b;
}

/* ---- the system --------------------------------------------------------------------------------
 */

static hk_multimodel model_of(maker *m, const hk_profile_block *block) {
    hk_arena *arena = m->arena;
    enum { SYSTEM, CONTROLLER, PLATFORM, COUNT };
    hk_profile_block *blocks = HK_NEW_ARRAY(arena, hk_profile_block, COUNT);
    hk_profile_instance *instances = HK_NEW_ARRAY(arena, hk_profile_instance, COUNT);
    hk_profile_part *parts = HK_NEW_ARRAY(arena, hk_profile_part, 2);
    hk_map_put(&m->names, block->name, 0);
    const char *platform = hk_skeleton_unique(arena, &m->names, m->chart->platform);
    const char *system =
        hk_skeleton_unique(arena, &m->names, hk_arena_printf(arena, "%sSystem", block->name));
    parts[0] = (hk_profile_part){"controller", CONTROLLER, block->name, 1, 1, {0}};
    parts[1] = (hk_profile_part){"platform", PLATFORM, platform, 1, 1, {0}};
    blocks[SYSTEM] = (hk_profile_block){
        .kind = HK_PROFILE_SYSTEM, .name = system, .parts = parts, .part_count = 2};
    blocks[CONTROLLER] = *block;
    blocks[PLATFORM] = (hk_profile_block){.kind = HK_PROFILE_PLATFORM, .name = platform};
    for (uint32_t i = 0; i < COUNT; i++)
        instances[i] = (hk_profile_instance){.name = i ? parts[i - 1].name : "",
                                             .path = i ? parts[i - 1].name : "",
                                             .block = i,
                                             .parent = i ? SYSTEM : HK_PROFILE_NONE,
                                             .environment = HK_PROFILE_NONE,
                                             .platform = HK_PROFILE_NONE};
    hk_multimodel p = {.package = *m->chart->package ? m->chart->package : m->chart->name,
                       .enum_count = m->enums.count,
                       .blocks = blocks,
                       .block_count = COUNT,
                       .system_name = "robot",
                       .system = SYSTEM,
                       .instances = instances,
                       .instance_count = COUNT};
    p.enums = hk_list_keep(arena, &m->enums);
    return p;
}

/* ---- the file ----------------------------------------------------------------------------------
 */

const char *hk_skeleton_split(hk_arena *arena, const char *text, const char *extension,
                              const char **ret_rest) {
    const char *hash = strrchr(text, '#');
    size_t length = hash ? (size_t)(hash - text) : 0, tail = strlen(extension);
    bool named = length > tail && strncmp(hash - tail, extension, tail) == 0 && hash[1];
    *ret_rest = named ? hash + 1 : NULL;
    return named ? hk_arena_strndup(arena, text, length) : text;
}

hk_status hk_skeleton_check_new(hk_ctx *ctx, const char *to) {
    if (!hk_file_exists(to))
        return HK_OK;
    return hk_error(ctx, HK_E_FILE_WRITE, (hk_where){.file = to}, "name another file, or remove it",
                    "it is there already, and a skeleton does not take the place of what was "
                    "written by hand");
}

static hk_status write_block(hk_ctx *ctx, maker *m, const char *path, const char *module,
                             const char *to) {
    hk_copies copies = {0};
    HK_TRY(hk_copies_begin(ctx, m->arena, to, &copies));
    const char *fmu = hk_copies_file(&copies, hk_path_real(m->arena, path));
    hk_profile_block block = block_of(m, fmu, module);
    hk_multimodel profile = model_of(m, &block);
    hk_status status = hk_copies_write(&copies, hk_profile_print(m->arena, &profile));
    hk_copies_finish(&copies);
    return status;
}

hk_status hk_skeleton_multimodel(hk_ctx *ctx, const char *from, const char *to, hk_left_out *left,
                                 hk_skeleton *ret_skeleton) {
    hk_arena *arena = hk_arena_create();
    maker m = {.arena = arena,
               .enums = HK_LIST(hk_profile_enum),
               .own_ports = HK_LIST(hk_profile_port),
               .variables = HK_LIST(hk_profile_variable)};
    const char *module, *path = hk_skeleton_split(arena, from, ".rct", &module);
    hk_status status = hk_skeleton_check_new(ctx, to);
    if (status == HK_OK)
        status = hk_chart_read(ctx, arena, path, module, &m.chart);
    if (status == HK_OK)
        status = hk_chart_ports_make(ctx, arena, m.chart, &m.ports);
    if (status == HK_OK)
        status = write_block(ctx, &m, path, module, to);
    if (status == HK_OK) {
        *ret_skeleton = (hk_skeleton){.name = hk_arena_strdup(left->arena, m.chart->name)};
        for (uint32_t i = 0; i < m.ports.count; i++) {
            ret_skeleton->ports += m.ports.all[i].kind < HK_CHART_PORT_CONSTANT;
            ret_skeleton->constants += m.ports.all[i].kind == HK_CHART_PORT_CONSTANT;
        }
    }
    hk_map_finish(&m.names);
    hk_arena_destroy(arena);
    return status;
}
