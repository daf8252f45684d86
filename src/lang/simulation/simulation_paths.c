/* SPDX-License-Identifier: MIT
 *
 * What paths in a simulation stand for. */
#include "base/search.h"
#include "lang/simulation/simulation_internal.h"
#include "model/address.h"
#include "model/tree.h"

#include <stdlib.h>
#include <string.h>

const hk_variable *hk_simread_variable(const hk_simread *r, const hk_signal *signal) {
    return &r->model->components[signal->component].info->variables[signal->variable];
}

const char *hk_simread_signal_name(hk_simread *r, const hk_signal *signal) {
    if (signal->shown)
        return signal->shown->name;
    bool indexed =
        signal->element != HK_ALL_ELEMENTS && hk_variable_is_array(hk_simread_variable(r, signal));
    hk_address at = {.component = signal->component,
                     .variable = signal->variable,
                     .element = indexed ? signal->element : 0,
                     .count = indexed};
    return hk_address_name(r->arena, r->model, &at);
}

const char *hk_simread_service_name(hk_simread *r, uint32_t component, uint32_t service) {
    const hk_component *c = &r->model->components[component];
    return hk_arena_printf(r->arena, "%s.%s", c->name, c->info->services[service].name);
}

const char *hk_simread_list_services(hk_simread *r, uint32_t component, bool provided) {
    const hk_info *info = r->model->components[component].info;
    const char **names = HK_NEW_ARRAY(r->arena, const char *, info->service_count + 1);
    size_t count = 0;
    for (size_t i = 0; i < info->service_count; i++)
        if (info->services[i].provided == provided)
            names[count++] = info->services[i].name;
    if (!count)
        return NULL;
    return hk_arena_printf(r->arena, "%s %s", provided ? "it provides" : "it requires",
                           hk_simread_list(r, names, count));
}

/* ---- components by the beginning of their names */

static int compare_names(const void *a, const void *b) {
    const char *const *x = a, *const *y = b;
    return strcmp(*x, *y);
}

static void sort_components(hk_simread *r) {
    size_t n = r->model->component_count;
    const char **names = hk_alloc((n + 1) * sizeof *names);
    for (size_t i = 0; i < n; i++)
        names[i] = r->model->components[i].name;
    qsort(names, n, sizeof *names, compare_names);
    r->sorted = HK_NEW_ARRAY(r->arena, uint32_t, n + 1);
    for (size_t i = 0; i < n; i++)
        r->sorted[i] = hk_map_get(&r->model->by_name, names[i]);
    hk_free(names);
}

size_t hk_simread_below(hk_simread *r, const char *prefix, size_t *ret_first) {
    size_t length = strlen(prefix), n = r->model->component_count, low = 0;
    if (!r->sorted)
        sort_components(r);
    HK_SEARCH(low, n, i, strcmp(r->model->components[r->sorted[i]].name, prefix) < 0)
    *ret_first = low;
    while (low < n && strncmp(r->model->components[r->sorted[low]].name, prefix, length) == 0)
        low++;
    return low;
}

static int compare_indices(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

bool hk_simread_composite(hk_simread *r, const char *path, hk_target *target) {
    size_t first, end;
    end = hk_simread_below(r, *path ? hk_arena_printf(r->arena, "%s.", path) : "", &first);
    if (first == end)
        return false;
    uint32_t *components = HK_NEW_ARRAY(r->arena, uint32_t, end - first);
    memcpy(components, r->sorted + first, (end - first) * sizeof *components);
    qsort(components, end - first, sizeof *components, compare_indices);
    *target = (hk_target){.kind = HK_TARGET_COMPONENTS,
                          .components = components,
                          .component_count = end - first,
                          .composite = true};
    return true;
}

/* ---- what components have */

static void target_signals(hk_simread *r, const hk_signal *signals, size_t count,
                           hk_target *target) {
    hk_signal *kept = HK_NEW_ARRAY(r->arena, hk_signal, count);
    memcpy(kept, signals, count * sizeof *kept);
    *target = (hk_target){.kind = HK_TARGET_VARIABLES, .signals = kept, .signal_count = count};
}

static bool find_element(hk_simread *r, uint32_t component, const char *rest, hk_target *target) {
    hk_address at;
    if (!hk_info_address(r->model->components[component].info, rest, &at))
        return false;
    target_signals(r, &(hk_signal){component, at.variable, at.element, NULL}, 1, target);
    return true;
}

/* The parts of a record, or of an array of records. */
static bool is_part(const char *name, const char *whole, size_t length) {
    return strncmp(name, whole, length) == 0 && (name[length] == '.' || name[length] == '[');
}

bool hk_simread_parts(hk_simread *r, uint32_t component, const char *rest, hk_target *target) {
    const hk_info *info = r->model->components[component].info;
    hk_signal *signals = NULL;
    size_t count = 0, cap = 0, length = strlen(rest);
    for (uint32_t i = 0; i < info->variable_count; i++)
        if (is_part(info->variables[i].name, rest, length))
            HK_PUSH(signals, count, cap, ((hk_signal){component, i, HK_ALL_ELEMENTS, NULL}));
    if (count)
        target_signals(r, signals, count, target);
    hk_free(signals);
    return count > 0;
}

static bool find_member(hk_simread *r, uint32_t component, const char *rest, hk_target *target) {
    const hk_info *info = r->model->components[component].info;
    hk_signal signal = {component, hk_info_find(info, rest), HK_ALL_ELEMENTS, NULL};
    if (signal.variable != HK_MAP_NONE) {
        target_signals(r, &signal, 1, target);
        return true;
    }
    for (uint32_t i = 0; i < info->service_count; i++)
        if (strcmp(info->services[i].name, rest) == 0) {
            *target = (hk_target){.kind = HK_TARGET_SERVICE, .component = component, .service = i};
            return true;
        }
    return *rest && (hk_simread_parts(r, component, rest, target) ||
                     find_element(r, component, rest, target));
}

/* Connectors of the outermost system. */
static bool find_alias(hk_simread *r, const char *path, hk_target *target) {
    const hk_model *model = r->model;
    hk_signal *signals = NULL;
    size_t count = 0, cap = 0, length = strlen(path);
    uint32_t exact = hk_map_get(&model->by_alias, path);
    for (size_t i = 0; i < model->alias_count; i++) {
        const hk_alias *a = &model->aliases[i];
        if (exact != HK_MAP_NONE ? i == exact : is_part(a->name, path, length))
            HK_PUSH(signals, count, cap,
                    ((hk_signal){a->component, a->variable, HK_ALL_ELEMENTS, NULL}));
    }
    if (count)
        target_signals(r, signals, count, target);
    hk_free(signals);
    if (exact != HK_MAP_NONE) {
        const hk_branch **branches = HK_NEW(r->arena, const hk_branch *);
        *branches = model->aliases[exact].branches;
        target->branches = branches;
    }
    if (count)
        return true;
    hk_address at;
    if (!strchr(path, '[') || !hk_model_find(model, path, &at))
        return false;
    target_signals(r, &(hk_signal){at.component, at.variable, at.element, NULL}, 1, target);
    return true;
}

/* Inputs of systems that lead to several variables, or change what they are given. */
static bool find_inlet(hk_simread *r, const char *path, hk_target *target) {
    const hk_inlet *inlet = hk_model_inlet(r->model, path);
    hk_signal *signals = NULL;
    size_t count = 0, cap = 0;
    for (const hk_branch *b = inlet ? inlet->branches : NULL; b; b = b->next)
        HK_PUSH(signals, count, cap,
                ((hk_signal){.component = b->component,
                             .variable = b->variable,
                             .element = b->slice.count ? b->slice.first : HK_ALL_ELEMENTS}));
    if (count) {
        target_signals(r, signals, count, target);
        target->inlet = inlet;
    }
    hk_free(signals);
    return count > 0;
}

/* Outputs of the outermost system that are made from a variable. */
static bool find_shown(hk_simread *r, const char *path, hk_target *target) {
    const hk_shown *shown = hk_model_shown(r->model, path);
    if (shown)
        target_signals(r, &(hk_signal){shown->component, shown->variable, shown->element, shown}, 1,
                       target);
    return shown;
}

/* PATH is below the root. */
bool hk_simread_look_up(hk_simread *r, const char *path, hk_target *target) {
    uint32_t component = hk_map_get(&r->model->by_name, path);
    bool found = true;
    if (component != HK_MAP_NONE) {
        uint32_t *one = HK_NEW(r->arena, uint32_t);
        *one = component;
        *target =
            (hk_target){.kind = HK_TARGET_COMPONENTS, .components = one, .component_count = 1};
    } else if (!hk_simread_composite(r, path, target)) {
        found = false;
        char *head = hk_arena_strdup(r->arena, path), *dot;
        while (!found && (dot = strrchr(head, '.'))) {
            *dot = '\0';
            component = hk_map_get(&r->model->by_name, head);
            found = component != HK_MAP_NONE &&
                    find_member(r, component, path + (dot - head) + 1, target);
        }
        found = found || hk_simread_find_port(r, path, target) || find_alias(r, path, target) ||
                find_inlet(r, path, target) || find_shown(r, path, target) ||
                (hk_model_is_single(r->model) && find_member(r, 0, path, target));
    }
    if (found)
        target->name = hk_arena_strdup(r->arena, path);
    return found;
}

const char *hk_path_behind(const char *path, const char *head) {
    size_t length = head ? strlen(head) : 0;
    if (!length || strncmp(path, head, length) != 0)
        return NULL;
    if (!path[length])
        return path + length;
    return path[length] == '.' ? path + length + 1 : NULL;
}

/* In SSP paths leave out the outermost system. One that has it, as those of a system file have
 * their outermost composite, means the same, unless something inside is called so. */
static const char *below_outermost(const hk_model *model, const char *rest) {
    const hk_tree_element *root = model->tree ? model->tree->root : NULL;
    const char *inner = root ? hk_path_behind(rest, root->name) : NULL;
    bool taken = inner && hk_tree_find(root, root->name);
    for (size_t i = 0; inner && i < root->connector_count; i++)
        taken = taken || hk_path_behind(root->connectors[i].name, root->name);
    return inner && !taken ? inner : rest;
}

const char *hk_simread_below_root(const hk_simread *r, const char *path) {
    const char *rest = hk_path_behind(path, r->model->name);
    if (!rest)
        rest = hk_path_behind(path, r->file->system.text);
    if (rest && !r->model->root)
        return below_outermost(r->model, rest);
    return rest ? hk_path_behind(rest, r->model->root) : NULL;
}

static hk_status find_any(hk_simread *r, const hk_name *path, hk_target_kind wanted,
                          hk_target *ret_target) {
    if (!*path->text)
        return hk_simread_missing(r, &path->at);
    const char *rest = hk_simread_below_root(r, path->text);
    if (!(rest && hk_simread_look_up(r, rest, ret_target)) &&
        !hk_simread_look_up(r, path->text, ret_target))
        return hk_simread_unknown(r, path, wanted);
    const hk_delegate *unclear = ret_target->unclear;
    return unclear ? hk_simread_unclear_port(r, path, unclear) : HK_OK;
}

static hk_status find_kind(hk_simread *r, const hk_name *path, hk_target_kind wanted,
                           hk_target *ret_target) {
    HK_TRY(find_any(r, path, wanted, ret_target));
    return ret_target->kind == wanted ? HK_OK : hk_simread_wrong_kind(r, path, wanted, ret_target);
}

/* A connector of a system that is not a variable serves one purpose only. */
static hk_status check_connector(hk_simread *r, const hk_name *path, const hk_target *target,
                                 bool may_look, bool may_set) {
    bool shown = target->kind == HK_TARGET_VARIABLES && target->signals[0].shown;
    bool inlet = target->kind == HK_TARGET_VARIABLES && target->inlet;
    if ((!shown || may_look) && (!inlet || may_set))
        return HK_OK;
    hk_signal behind = target->signals[0];
    behind.shown = NULL;
    return hk_simread_error(
        r, HK_E_SCENARIO, &path->at,
        hk_arena_printf(r->arena, "use '%s' itself", hk_simread_signal_name(r, &behind)),
        shown ? "'%s' is an output of the system, made from a variable: it can be looked at only"
              : "'%s' is an input of the system that is not one variable: it can be set only",
        path->text);
}

hk_status hk_simread_find(hk_simread *r, const hk_name *path, hk_target_kind wanted,
                          hk_target *ret_target) {
    HK_TRY(find_kind(r, path, wanted, ret_target));
    return check_connector(r, path, ret_target, false, false);
}

hk_status hk_simread_find_settable(hk_simread *r, const hk_name *path, hk_target *ret_target) {
    HK_TRY(find_kind(r, path, HK_TARGET_VARIABLES, ret_target));
    return check_connector(r, path, ret_target, false, true);
}

hk_status hk_simread_find_observed(hk_simread *r, const hk_name *path, hk_target *ret_target) {
    HK_TRY(find_kind(r, path, HK_TARGET_VARIABLES, ret_target));
    HK_TRY(check_connector(r, path, ret_target, true, false));
    for (size_t i = 0; ret_target->ports && i < ret_target->signal_count; i++)
        if (ret_target->ports[i]->end_count > 1)
            return hk_simread_unclear_port(r, path, ret_target->ports[i]);
    return HK_OK;
}

hk_status hk_simread_find_callee(hk_simread *r, const hk_name *path, hk_target *ret_target) {
    HK_TRY(find_any(r, path, HK_TARGET_COMPONENTS, ret_target));
    if (ret_target->kind == HK_TARGET_SERVICE)
        return HK_OK;
    if (ret_target->kind == HK_TARGET_COMPONENTS && !ret_target->composite) {
        ret_target->component = ret_target->components[0];
        ret_target->service = HK_MAP_NONE;
        return HK_OK;
    }
    return hk_simread_error(r, HK_E_SCENARIO, &path->at, "name a leaf, or an interface of one",
                            "'%s' is %s, which has no functions", path->text,
                            ret_target->composite ? "a composite" : "a port or parameter");
}

hk_status hk_simread_find_signal(hk_simread *r, const hk_name *path, hk_signal *ret_signal,
                                 const char **ret_name) {
    hk_target target;
    HK_TRY(hk_simread_find_observed(r, path, &target));
    hk_signal signal = target.signals[0];
    const hk_variable *v = hk_simread_variable(r, &signal);
    if (target.signal_count > 1 || (signal.element == HK_ALL_ELEMENTS && v->count != 1)) {
        if (v->count != 1)
            signal.element = 0;
        return hk_simread_error(
            r, HK_E_SCENARIO, &path->at,
            hk_arena_printf(r->arena, "name one of them: '%s'", hk_simread_signal_name(r, &signal)),
            "'%s' has several values, expected one", path->text);
    }
    if (signal.element == HK_ALL_ELEMENTS)
        signal.element = 0;
    *ret_signal = signal;
    *ret_name = hk_simread_signal_name(r, &signal);
    return HK_OK;
}
