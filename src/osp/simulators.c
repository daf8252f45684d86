/* SPDX-License-Identifier: MIT
 *
 * Simulators become components: their FMUs, the descriptions of their groups, their rates and their
 * initial values. */
#include "base/file.h"
#include "fmi/fmi.h"
#include "format/source.h"
#include "osp/osp_internal.h"

#include <string.h>

#define DESCRIPTION_BYTES_MAX ((size_t)64 << 20)

/* ---- files ---- */

const hk_osp_description hk_osp_broken_description;

static const hk_osp_description *read_file(hk_osp *r, const char *path) {
    char *data;
    size_t size;
    const hk_xml *root;
    hk_status status =
        hk_file_is_regular(path)
            ? hk_file_read(r->ctx, path, DESCRIPTION_BYTES_MAX, &data, &size)
            : hk_error(r->ctx, HK_E_FILE_READ, (hk_where){.file = path}, NULL, "is not a file");
    if (status == HK_OK) {
        status = hk_xml_parse(r->ctx, r->arena, path, data, size, &root);
        hk_free(data);
    }
    if (status == HK_OK && strcmp(root->name, "OspModelDescription") != 0)
        status = hk_error(r->ctx, HK_E_OSP, hk_xml_where(path, root), NULL,
                          "the root element is '%s', expected 'OspModelDescription'", root->name);
    if (status != HK_OK) {
        hk_osp_failed(r, status);
        return &hk_osp_broken_description;
    }
    return hk_osp_read_description(r, path, root);
}

/* It is named after the model and lies beside the FMU, or beside the system structure. */
static const hk_osp_description *find_description(hk_osp *r, const char *fmu, const char *model) {
    if (!model || !*model || strchr(model, '/'))
        return NULL;
    const char *name = hk_arena_printf(r->arena, "%s_OspModelDescription.xml", model);
    const char *folders[] = {hk_path_folder(r->arena, fmu), r->folder};
    for (size_t i = 0; i < 2; i++) {
        const char *path = hk_path_join(r->arena, folders[i], name);
        if (hk_file_exists(path))
            return read_file(r, hk_arena_strdup(r->model->arena, path));
    }
    return NULL;
}

/* The file that the source of a simulator means. */
static hk_status resolve(hk_osp *r, const hk_osp_simulator *s, const char **ret_path) {
    char *path;
    HK_TRY(hk_source_read(r->ctx, &r->reading, s->source, s->where, &path, NULL));
    HK_TRY(hk_source_check_file(r->ctx, &r->reading, s->source, path, s->where));
    *ret_path = hk_path_join(r->arena, r->folder, path);
    return HK_OK;
}

/* One file is opened once, however many simulators it is the source of. */
static const struct hk_osp_opened *open_source(hk_osp *r, const hk_osp_simulator *s) {
    const char *path;
    hk_status status = resolve(r, s, &path);
    if (status != HK_OK) {
        hk_osp_failed(r, status);
        return NULL;
    }
    uint32_t index = hk_map_put(&r->files, path, (uint32_t)r->opened_count);
    if (index < r->opened_count)
        return &r->opened[index];
    struct hk_osp_opened opened = {0};
    hk_fmu *fmu = NULL;
    if (!hk_file_exists(path))
        status = hk_error(r->ctx, HK_E_FILE_READ, s->where,
                          "correct the source; it is relative to the system structure",
                          "the file '%s' does not exist", path);
    else
        status = hk_fmu_open(r->ctx, path, &fmu);
    if (status == HK_OK) {
        opened.info = hk_fmu_own(r->model, fmu);
        opened.description = find_description(r, path, opened.info->name);
    } else {
        hk_osp_failed(r, status);
    }
    HK_PUSH(r->opened, r->opened_count, r->opened_cap, opened);
    return &r->opened[r->opened_count - 1];
}

/* ---- rates ---- */

int64_t hk_osp_common(int64_t a, int64_t b) {
    int64_t common;
    return __builtin_mul_overflow(a / hk_gcd(a, b), b, &common) ? 0 : common;
}

bool hk_osp_set_rate(hk_osp *r, uint32_t component, int64_t factor, hk_where where) {
    hk_component *c = &r->model->components[component];
    hk_ratio base = r->structure->base, period;
    int64_t num;
    if (factor <= 0 || __builtin_mul_overflow(base.num, factor, &num) ||
        !hk_ratio_make(num, base.den, &period)) {
        hk_osp_failed(r, hk_error(r->ctx, HK_E_TICK_OVERFLOW, where, "use simpler step sizes",
                                  "the step sizes have no common multiple that fits 64 bits"));
        return false;
    }
    c->has_period = true;
    c->period = period;
    return true;
}

/* libcosim steps a simulator at every so many base steps, rounded down. */
static bool find_factor(hk_osp *r, hk_osp_simulator *s) {
    int64_t n = 1;
    hk_tick step, base;
    if (!s->has_step || s->step.num == 0)
        return true;
    if (s->step.num < 0) {
        hk_osp_failed(r, hk_error(r->ctx, HK_E_TIME, s->where, NULL, "its stepSize is below 0"));
        return false;
    }
    if (!hk_tick_refine(&n, s->step) || !hk_tick_refine(&n, r->structure->base) ||
        !hk_tick_from_ratio(s->step, n, &step) ||
        !hk_tick_from_ratio(r->structure->base, n, &base)) {
        hk_osp_failed(r, hk_error(r->ctx, HK_E_TICK_OVERFLOW, s->where, "use simpler step sizes",
                                  "its stepSize and the BaseStepSize have no common measure"));
        return false;
    }
    s->factor = step / base > 1 ? step / base : 1;
    if (!hk_osp_set_rate(r, s->component, s->factor, s->where))
        return false;
    char wanted[48], made[48];
    if (step % base != 0)
        hk_warn(r->ctx, HK_E_TIME, s->where,
                r->step ? "use a step size that divides it" : "use a multiple of the BaseStepSize",
                "its stepSize, %s s, is not a multiple of the %s: it takes steps of %s s",
                hk_ratio_format(s->step, wanted),
                r->step ? "step size that is asked for" : "BaseStepSize",
                hk_ratio_format(r->model->components[s->component].period, made));
    return true;
}

/* ---- initial values ---- */

static void set_value(hk_osp *r, const hk_osp_simulator *s, const hk_osp_value *value,
                      hk_map *seen) {
    const hk_info *info = r->model->components[s->component].info;
    uint32_t variable = hk_info_find(info, value->variable);
    hk_where where = value->where;
    where.element = hk_arena_printf(r->arena, "simulator '%s'", s->name);
    if (variable == HK_MAP_NONE) {
        const char *closest = hk_info_closest(info, value->variable);
        hk_osp_failed(
            r, hk_error(r->ctx, HK_E_PARAMETER, where, hk_hint_name(r->arena, closest, NULL),
                        "there is no variable '%s' to give an initial value to", value->variable));
        return;
    }
    uint32_t line = (uint32_t)value->where.line;
    uint32_t first = hk_map_put(seen, value->variable, line);
    if (first != line)
        hk_warn(r->ctx, HK_E_OSP, where, "remove one of the two",
                "'%s' has an initial value in line %u already; the last one counts",
                value->variable, (unsigned)first);
    const char *type = hk_type_kind(info->variables[variable].type);
    if (strcmp(type, value->type) != 0 &&
        hk_osp_first(r, hk_arena_printf(r->arena, "type %s %s", type, value->type)))
        hk_warn(r->ctx, HK_E_OSP, where, hk_arena_printf(r->arena, "write <%s value=...>", type),
                "'%s' is of type %s, and is given a value of type %s", value->variable, type,
                value->type);
    hk_status status = hk_model_set(r->ctx, r->model, s->component, variable,
                                    &(hk_given_text){value->text, NULL, {HK_FROM_SYSTEM, where}});
    if (status != HK_OK)
        hk_osp_failed(r, status);
}

static void add_simulator(hk_osp *r, hk_osp_simulator *s) {
    const struct hk_osp_opened *opened = open_source(r, s);
    if (!opened || !opened->info)
        return;
    s->description = opened->description;
    hk_status status =
        hk_model_add_component(r->ctx, r->model, s->name, opened->info, s->where, &s->component);
    if (status != HK_OK) {
        hk_osp_failed(r, status);
        return;
    }
    s->opened = find_factor(r, s);
    hk_map seen = {0};
    for (size_t i = 0; i < s->value_count; i++)
        set_value(r, s, &s->values[i], &seen);
    hk_map_finish(&seen);
}

/* ---- members of groups ---- */

static void check_members(hk_osp *r, const hk_info *info, const hk_osp_group *g) {
    for (size_t i = 0; i < g->member_count; i++)
        if (hk_info_find(info, g->members[i].name) == HK_MAP_NONE) {
            const char *closest = hk_info_closest(info, g->members[i].name);
            hk_warn(r->ctx, HK_E_OSP, g->members[i].where, hk_hint_name(r->arena, closest, NULL),
                    "group '%s' names the variable '%s', which the FMU has not", g->name,
                    g->members[i].name);
        }
    for (size_t i = 0; i < g->group_count; i++)
        check_members(r, info, &g->groups[i]);
}

void hk_osp_check_members(hk_osp *r) {
    for (size_t i = 0; i < r->opened_count && !r->reading.complaints.count; i++) {
        const hk_osp_description *d = r->opened[i].description;
        for (size_t k = 0; d && k < d->group_count; k++)
            check_members(r, r->opened[i].info, &d->groups[k]);
    }
}

/* ---- all of them ---- */

void hk_osp_add_simulators(hk_osp *r) {
    for (size_t i = 0; i < r->structure->simulator_count; i++)
        add_simulator(r, &r->structure->simulators[i]);
}
