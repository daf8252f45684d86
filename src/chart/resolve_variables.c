/* SPDX-License-Identifier: MIT
 *
 * Variables and constants: who owns them, where they are in memory, how the component calls them.
 */
#include "chart/resolve_internal.h"

#include <string.h>

uint32_t hk_rcr_allocate(hk_resolver *r, const hk_chart_type *type) {
    uint32_t cell = r->memory_size;
    r->memory_size += type->size;
    return cell;
}

hk_rcname hk_rcr_add_variable(hk_resolver *r, const hk_rcowner *owner, hk_chart_variable variable) {
    hk_chart_code *start = NULL;
    variable.cell = hk_rcr_allocate(r, variable.type);
    variable.machine = owner->machine;
    variable.path = variable.name;
    if (variable.start.expr) {
        start = HK_NEW(r->arena, hk_chart_code);
        *start = variable.start;
    }
    hk_list_add(&r->variables, &(hk_rcvariable){.variable = variable,
                                                .owner_name = owner->name,
                                                .owner_path = owner->path});
    return (hk_rcname){.name = variable.name,
                       .type = variable.type,
                       .cell = variable.cell,
                       .constant = variable.constant,
                       .start = start};
}

/* One that is required: it is somebody else's. */
static bool find_required(hk_resolver *r, const hk_rcmember *member, const hk_rcowner *owner,
                          hk_rcname *ret_name) {
    const hk_chart_type *type = hk_rcr_type(r, member->file, member->var->type);
    for (size_t i = 0; i < owner->above_count; i++) {
        if (strcmp(owner->above[i].name, member->name) != 0)
            continue;
        *ret_name = owner->above[i];
        if (!type || type == ret_name->type)
            return type != NULL;
        return hk_rcr_rule(r, hk_rcr_where(member->file, member->at), "required", NULL,
                           "'%s' is required as %s, and provided as %s", member->name, type->name,
                           ret_name->type->name);
    }
    return hk_rcr_rule(r, hk_rcr_where(member->file, member->at), "required",
                       "the platform provides it, or the controller has it",
                       "the variable '%s' is required, and nobody provides it", member->name);
}

static bool add_own(hk_resolver *r, const hk_rcmember *member, const hk_rcowner *owner,
                    hk_rcenv *env, hk_rcname *ret_name) {
    hk_chart_variable variable = {.name = member->name,
                                  .type = hk_rcr_type(r, member->file, member->var->type),
                                  .constant = member->kind == HK_RC_CONST,
                                  .line = member->at->line,
                                  .column = member->at->column};
    variable.platform = owner->platform && !variable.constant;
    if (!variable.type)
        return false;
    env->file = member->file;
    if (member->var->value) {
        const char *what = hk_arena_printf(r->arena, "'%s'", member->name);
        if (!hk_rcr_code(env, member->var->value, variable.type, what, &variable.start))
            return false;
    }
    *ret_name = hk_rcr_add_variable(r, owner, variable);
    return true;
}

/* ---- in which order: a start value may need what is declared behind it */

static bool is_value(const hk_rcmember *member) {
    return member->kind == HK_RC_VAR || member->kind == HK_RC_CONST;
}

static bool is_open(const hk_rcmembers *members, const bool *done, const char *name) {
    for (size_t i = 0; i < members->count; i++)
        if (!done[i] && is_value(&members->all[i]) && strcmp(members->all[i].name, name) == 0)
            return true;
    return false;
}

/* Does the expression have the name of one that is not done? */
static bool needs_open(const hk_rcmembers *members, const bool *done, const hk_rcexpr *e) {
    if (!e)
        return false;
    if (e->kind == HK_RCE_REF && is_open(members, done, e->name.text))
        return true;
    for (size_t i = 0; i < e->arg_count; i++)
        if (needs_open(members, done, e->args[i]))
            return true;
    for (size_t i = 0; i < e->var_count; i++)
        if (needs_open(members, done, e->vars[i].value))
            return true;
    return false;
}

/* The first that needs nothing which is not done; else, since they need each other, the first. */
static size_t next_member(const hk_rcmembers *members, const bool *done) {
    size_t first = members->count;
    for (size_t i = 0; i < members->count; i++) {
        if (done[i] || !is_value(&members->all[i]))
            continue;
        if (!needs_open(members, done, members->all[i].var->value))
            return i;
        first = first == members->count ? i : first;
    }
    return first;
}

const hk_rcname *hk_rcr_variables(hk_resolver *r, const hk_rcmembers *members,
                                  const hk_rcowner *owner, size_t *ret_count) {
    size_t count = 0;
    hk_rcname *names =
        HK_NEW_ARRAY(r->arena, hk_rcname, members->count + owner->parameter_count + 1);
    bool *done = HK_NEW_ARRAY(r->arena, bool, members->count + 1);
    hk_rcenv env = {.r = r, .file = owner->file, .names = names};
    for (; count < owner->parameter_count; count++)
        names[count] = owner->parameters[count];
    for (size_t i; (i = next_member(members, done)) < members->count;) {
        const hk_rcmember *member = &members->all[i];
        done[i] = true;
        env.name_count = count;
        bool ok = member->by == HK_RC_REQUIRES && !owner->platform
                      ? find_required(r, member, owner, &names[count])
                      : add_own(r, member, owner, &env, &names[count]);
        if (!ok && member->by != HK_RC_REQUIRES) { /* known, so that its uses are not reported */
            const hk_chart_type *type = hk_rcr_type(r, member->file, member->var->type);
            names[count] = (hk_rcname){.name = member->name, .type = type};
            ok = type != NULL;
        }
        count += ok;
    }
    *ret_count = count;
    return names;
}

/* ---- paths ------------------------------------------------------------------------------------
 */

/* How often each name is there: as a variable, and as a port of something else. */
static void count_name(hk_map *map, uint32_t *counts, const char *name) {
    uint32_t index = (uint32_t)map->count;
    counts[hk_map_put(map, name, index)]++;
}

static const char *shorter(hk_arena *arena, const hk_rcvariable *v) {
    return *v->owner_name ? hk_arena_printf(arena, "%s.%s", v->owner_name, v->variable.name)
                          : v->variable.name;
}

static const char *longer(hk_arena *arena, const hk_rcvariable *v) {
    return *v->owner_path ? hk_arena_printf(arena, "%s.%s", v->owner_path, v->variable.name)
                          : v->variable.name;
}

void hk_rcr_finish_variables(hk_resolver *r, hk_chart *chart) {
    hk_rcvariable *all = r->variables.data;
    size_t count = r->variables.count, others = r->lines.count + r->operations.count + 1;
    uint32_t *counts = hk_alloc((2 * count + others + 1) * sizeof *counts);
    hk_chart_variable *variables = HK_NEW_ARRAY(r->arena, hk_chart_variable, count + 1);
    hk_map map = {0};
    count_name(&map, counts, "timeUnit");
    for (size_t i = 0; i < r->lines.count; i++)
        if (((hk_rcline *)r->lines.data)[i].line.kind != HK_CHART_BETWEEN)
            count_name(&map, counts, ((hk_rcline *)r->lines.data)[i].line.name);
    for (size_t i = 0; i < r->operations.count; i++)
        count_name(&map, counts, ((hk_chart_operation *)r->operations.data)[i].name);
    for (size_t i = 0; i < count; i++) {
        count_name(&map, counts, all[i].variable.name);
        count_name(&map, counts, shorter(r->arena, &all[i]));
    }
    for (size_t i = 0; i < count; i++) {
        const char *name = all[i].variable.name, *middle = shorter(r->arena, &all[i]);
        uint32_t self = strcmp(name, middle) == 0; /* counted twice */
        variables[i] = all[i].variable;
        variables[i].path = all[i].variable.platform                     ? name
                            : counts[hk_map_get(&map, name)] == 1 + self ? name
                            : counts[hk_map_get(&map, middle)] == 1 + self
                                ? middle
                                : longer(r->arena, &all[i]);
    }
    hk_map_finish(&map);
    hk_free(counts);
    chart->variables = variables;
    chart->variable_count = (uint32_t)count;
}
