/* SPDX-License-Identifier: MIT
 *
 * Paths in a simulation that stand for nothing, or for the wrong thing: which part of them is
 * wrong, and what was probably meant. */
#include "lang/simulation/simulation_internal.h"
#include "model/address.h"

#include <string.h>

typedef struct names {
    const char **all;
    size_t count, cap;
    hk_map known;
} names;

/* The part of NAME up to one of ENDS: the next dot or, in variables, bracket. */
static void add_name(hk_simread *r, names *n, const char *name, const char *ends) {
    size_t length = strcspn(name, ends);
    const char *part = hk_arena_strndup(r->arena, name, length);
    if (!length || hk_map_get(&n->known, part) != HK_MAP_NONE)
        return;
    hk_map_put(&n->known, part, (uint32_t)n->count);
    HK_PUSH(n->all, n->count, n->cap, part);
}

static void names_below(hk_simread *r, const char *prefix, names *n) {
    size_t length = strlen(prefix), first, end = hk_simread_below(r, prefix, &first);
    for (size_t i = first; i < end; i++)
        add_name(r, n, r->model->components[r->sorted[i]].name + length, ".");
    for (size_t i = 0; i < r->model->alias_count; i++)
        if (strncmp(r->model->aliases[i].name, prefix, length) == 0)
            add_name(r, n, r->model->aliases[i].name + length, ".[");
    for (size_t i = 0; i < r->model->delegate_count; i++)
        if (strncmp(r->model->delegates[i].name, prefix, length) == 0)
            add_name(r, n, r->model->delegates[i].name + length, ".[");
}

static void names_of(hk_simread *r, uint32_t component, const char *record, names *n) {
    const hk_info *info = r->model->components[component].info;
    size_t length = strlen(record);
    for (size_t i = 0; i < info->variable_count; i++)
        if (strncmp(info->variables[i].name, record, length) == 0)
            add_name(r, n, info->variables[i].name + length, ".[");
    for (size_t i = 0; !length && i < info->service_count; i++)
        add_name(r, n, info->services[i].name, ".[");
}

/* Where PART, which lies in the text of the path, is in the file. */
static hk_place place_of(const hk_name *path, const char *part) {
    hk_place at = path->at;
    at.column += path->quoted;
    for (const char *c = path->text; c < part; c++)
        at.column += ((unsigned char)*c & 0xc0) != 0x80;
    return at;
}

static const char *has_names(hk_simread *r, const names *n) {
    return n->count ? hk_arena_printf(r->arena, "it has %s", hk_simread_list(r, n->all, n->count))
                    : NULL;
}

static hk_status unknown_in(hk_simread *r, const hk_name *path, const char *part, const char *where,
                            const char *else_hint, names *n) {
    size_t length = strcspn(part, ".");
    const char *word = hk_arena_strndup(r->arena, part, length);
    const char *hint = hk_simread_suggest(r, word, n->all, n->count);
    hk_free(n->all);
    hk_map_finish(&n->known);
    hk_place at = place_of(path, part);
    return hk_simread_error(r, HK_E_NAME, &at, hint ? hint : else_hint, "no '%s' in '%s'", word,
                            where);
}

/* BRACKET, an index in PATH, is none of the variable. */
static hk_status no_element(hk_simread *r, const hk_name *path, const char *bracket,
                            const char *name, const hk_signal *signal) {
    const hk_variable *v = hk_simread_variable(r, signal);
    const hk_signal last = {signal->component, signal->variable, (uint32_t)(v->count - 1), NULL};
    const char *hint = hk_variable_is_array(v) && v->count
                           ? hk_arena_printf(r->arena, "the last one is '%s'; the first index is 1",
                                             hk_simread_signal_name(r, &last))
                           : "it is not an array";
    hk_place at = place_of(path, bracket);
    return hk_simread_error(r, HK_E_NAME, &at, hint, "'%s' has no element %s", name, bracket);
}

/* An index of REST that the array does not have; HK_OK: it is something else. */
static hk_status unknown_element(hk_simread *r, const hk_name *path, const char *rest) {
    const char *bracket = strrchr(rest, '[');
    hk_target target;
    if (!bracket)
        return HK_OK;
    const char *base = hk_arena_strndup(r->arena, rest, (size_t)(bracket - rest));
    if (!hk_simread_look_up(r, base, &target) || target.kind != HK_TARGET_VARIABLES ||
        target.signal_count != 1 || target.unclear || target.signals[0].element != HK_ALL_ELEMENTS)
        return HK_OK;
    return no_element(r, path, bracket, base, &target.signals[0]);
}

/* REST stands for nothing that the component has. */
static hk_status unknown_member(hk_simread *r, const hk_name *path, uint32_t component,
                                const char *rest, hk_target_kind wanted) {
    const hk_component *c = &r->model->components[component];
    names n = {0};
    hk_target target;
    char *record = hk_arena_strdup(r->arena, rest), *dot;
    while ((dot = strrchr(record, '.'))) {
        *dot = '\0';
        if (hk_simread_parts(r, component, record, &target)) {
            names_of(r, component, hk_arena_printf(r->arena, "%s.", record), &n);
            return unknown_in(r, path, rest + (dot - record) + 1,
                              hk_arena_printf(r->arena, "%s.%s", c->name, record), has_names(r, &n),
                              &n);
        }
    }
    const char *hint = NULL;
    if (wanted == HK_TARGET_SERVICE) {
        const char *provided = hk_simread_list_services(r, component, true);
        const char *required = hk_simread_list_services(r, component, false);
        hint = provided && required ? hk_arena_printf(r->arena, "%s; %s", provided, required)
               : provided           ? provided
               : required           ? required
                                    : "it has no interfaces";
        hk_place at = place_of(path, rest);
        return hk_simread_error(r, HK_E_NAME, &at, hint, "'%s' has no interface '%s'", c->name,
                                rest);
    }
    names_of(r, component, "", &n);
    return unknown_in(r, path, rest, c->name, has_names(r, &n), &n);
}

/* REST, what is below the root, is unknown: says which part of it is wrong. */
static hk_status unknown_path(hk_simread *r, const hk_name *path, const char *rest,
                              hk_target_kind wanted) {
    size_t known = 0; /* how much of the rest is a composite */
    hk_target target;
    HK_TRY(unknown_element(r, path, rest));
    for (const char *dot = strchr(rest, '.'); dot; dot = strchr(dot + 1, '.')) {
        const char *head = hk_arena_strndup(r->arena, rest, (size_t)(dot - rest));
        uint32_t component = hk_map_get(&r->model->by_name, head);
        if (component != HK_MAP_NONE)
            return unknown_member(r, path, component, dot + 1, wanted);
        if (!hk_simread_composite(r, head, &target))
            break;
        known = (size_t)(dot - rest) + 1;
    }
    if (!known && hk_model_is_single(r->model))
        return unknown_member(r, path, 0, rest, wanted);
    names n = {0};
    const char *prefix = hk_arena_strndup(r->arena, rest, known);
    names_below(r, prefix, &n);
    if (known)
        return unknown_in(r, path, rest + known, hk_arena_strndup(r->arena, rest, known - 1), NULL,
                          &n);
    const char *system = r->model->root
                             ? hk_arena_printf(r->arena, "%s.%s", r->model->name, r->model->root)
                             : r->model->name;
    return unknown_in(r, path, rest, system,
                      hk_arena_printf(r->arena, "paths begin with '%s.'", system), &n);
}

hk_status hk_simread_unknown(hk_simread *r, const hk_name *path, hk_target_kind wanted) {
    const char *rest = hk_simread_below_root(r, path->text);
    hk_target target;
    if (rest)
        return unknown_path(r, path, rest, wanted);
    const char *system = r->model->name, *root = r->model->root;
    const char *in_system = hk_path_behind(path->text, system);
    if (in_system && root && *in_system) {
        names n = {0};
        add_name(r, &n, root, ".[");
        return unknown_in(r, path, in_system, system,
                          hk_arena_printf(r->arena, "paths begin with '%s.%s.'", system, root), &n);
    }
    /* What is behind a wrong name of the system is right, or begins with the root. */
    const char *dot = strchr(path->text, '.');
    const char *inner = dot && root ? hk_path_behind(dot + 1, root) : NULL;
    if (dot && (inner || (!root && hk_simread_look_up(r, dot + 1, &target)))) {
        const char *first = hk_arena_strndup(r->arena, path->text, (size_t)(dot - path->text));
        if (!hk_simread_composite(r, first, &target))
            return hk_simread_error(r, HK_E_NAME, &path->at,
                                    hk_arena_printf(r->arena, "write '%s.%s'", system, dot + 1),
                                    "the system is called '%s', not '%s'", system, first);
    }
    return unknown_path(r, path, path->text, wanted);
}

hk_status hk_simread_wrong_kind(hk_simread *r, const hk_name *path, hk_target_kind wanted,
                                const hk_target *target) {
    static const char *const kinds[] = {"a component", "a port or parameter", "an interface"};
    const char *what = target->composite ? "a composite" : kinds[target->kind], *hint = NULL;
    if (target->kind == HK_TARGET_COMPONENTS && !target->composite) {
        uint32_t component = target->components[0];
        const char *provided = hk_simread_list_services(r, component, true);
        names n = {0};
        names_of(r, component, "", &n);
        if (wanted == HK_TARGET_SERVICE)
            hint = provided ? provided : hk_simread_list_services(r, component, false);
        else
            hint = has_names(r, &n);
        hk_free(n.all);
        hk_map_finish(&n.known);
    } else if (wanted == HK_TARGET_COMPONENTS) {
        uint32_t component =
            target->kind == HK_TARGET_SERVICE ? target->component : target->signals[0].component;
        hint = hk_arena_printf(r->arena, "name the component alone: '%s'",
                               r->model->components[component].name);
    }
    return hk_simread_error(
        r, HK_E_SCENARIO, &path->at, hint, "'%s' is %s, expected %s", path->text, what,
        wanted == HK_TARGET_COMPONENTS ? "a component or composite" : kinds[wanted]);
}
