/* SPDX-License-Identifier: MIT
 *
 * Connections between variables and between groups of variables. What is produced goes where it is
 * consumed: the variables say which end is which. */
#include "native/native.h"
#include "osp/osp_internal.h"

#include <string.h>

/* ---- ends ---- */

bool hk_osp_find_simulator(hk_osp *r, const hk_osp_end *end, hk_osp_simulator **ret_simulator) {
    hk_osp_structure *s = r->structure;
    uint32_t index = hk_map_get(&r->by_name, end->owner);
    if (index == HK_MAP_NONE && hk_map_get(&r->broken, end->owner) != HK_MAP_NONE)
        return false;
    if (index == HK_MAP_NONE || index >= s->simulator_count) {
        const char **names = HK_NEW_ARRAY(r->arena, const char *, s->simulator_count + 1);
        for (size_t i = 0; i < s->simulator_count; i++)
            names[i] = s->simulators[i].name;
        hk_osp_failed(r, hk_error(r->ctx, HK_E_CONNECTION, end->where,
                                  hk_osp_suggest(r, end->owner, names, s->simulator_count),
                                  index == HK_MAP_NONE ? "there is no simulator '%s'"
                                                       : "'%s' is a function and no simulator",
                                  end->owner));
        return false;
    }
    *ret_simulator = &s->simulators[index];
    return s->simulators[index].opened; /* else it was told why */
}

bool hk_osp_find_variable(hk_osp *r, hk_osp_simulator *s, const char *name, hk_where where,
                          hk_osp_place *ret_place) {
    const hk_info *info = r->model->components[s->component].info;
    uint32_t variable = hk_info_find(info, name);
    if (variable == HK_MAP_NONE) {
        const char *closest =
            hk_reading_may_suggest(&r->reading) ? hk_info_closest(info, name) : NULL;
        r->reading.complaints.suggestions++;
        hk_osp_failed(r, hk_error(r->ctx, HK_E_CONNECTION, where,
                                  hk_hint_name(r->arena, closest, NULL),
                                  "the simulator '%s' has no variable '%s'", s->name, name));
        return false;
    }
    *ret_place = (hk_osp_place){s->component, variable, s->factor, NULL};
    return true;
}

const hk_variable *hk_osp_variable(const hk_osp *r, const hk_osp_place *place) {
    return &r->model->components[place->component].info->variables[place->variable];
}

const hk_osp_group *hk_osp_need_group(hk_osp *r, const hk_osp_simulator *s, const hk_osp_end *end) {
    const hk_osp_description *d = s->description;
    const hk_info *info = r->model->components[s->component].info;
    const hk_osp_group *group = d ? hk_osp_find_group(d, end->name) : NULL;
    if (group || d == &hk_osp_broken_description)
        return group;
    if (!d && !hk_osp_first(r, hk_arena_printf(r->arena, "no groups %s", s->source)))
        return NULL; /* one file is missing, however many groups are asked for */
    if (!d) {
        hk_osp_failed(r, hk_error(r->ctx, HK_E_CONNECTION, end->where,
                                  "it is called after the modelName of the FMU, and declares the "
                                  "groups",
                                  "the simulator '%s' has no group '%s': there is no "
                                  "'%s_OspModelDescription.xml' beside '%s' or beside the system "
                                  "structure",
                                  s->name, end->name, info->name, s->source));
        return NULL;
    }
    const char **names = HK_NEW_ARRAY(r->arena, const char *, d->group_count + 1);
    for (size_t i = 0; i < d->group_count; i++)
        names[i] = d->groups[i].name;
    hk_osp_failed(r, hk_error(r->ctx, HK_E_CONNECTION, end->where,
                              hk_osp_suggest(r, end->name, names, d->group_count),
                              "the simulator '%s' has no group '%s'; groups are declared in '%s'",
                              s->name, end->name, d->file));
    return NULL;
}

/* ---- units ---- */

/* OSP passes values as they are, so units that differ are most likely a mistake. */
void hk_osp_compare_units(hk_osp *r, const hk_osp_place *from, const hk_osp_place *to,
                          hk_where where) {
    const hk_variable *a = hk_osp_variable(r, from), *b = hk_osp_variable(r, to);
    const hk_uom *x = from->unit ? from->unit : a->uom, *y = to->unit ? to->unit : b->uom;
    double factor, offset;
    if (!x || !y ||
        (hk_uom_conversion(x, y, a->relative, &factor, &offset) && factor == 1 && offset == 0))
        return;
    if (!r->unit_count++) {
        r->unit_where = where;
        r->unit_words = hk_arena_printf(r->arena, "'%s' is in '%s' and '%s' in '%s'", a->name,
                                        x->name ? x->name : "?", b->name, y->name ? y->name : "?");
    }
}

void hk_osp_tell_units(hk_osp *r) {
    if (r->unit_count)
        hk_warn(r->ctx, HK_E_UNIT_MISMATCH, r->unit_where, "a LinearTransformation converts them",
                "units differ at %zu connection%s: %s; values pass as they are", r->unit_count,
                r->unit_count == 1 ? "" : "s, first here", r->unit_words);
}

/* ---- links ---- */

/* libcosim hands values over at instants that are whole numbers of steps for both. That is the
 * newest value unless neither rate is a multiple of the other: then something must hold what was
 * handed over last. */
static bool hold(hk_osp *r, hk_osp_place *from, int64_t common, hk_where where) {
    const hk_variable *v = hk_osp_variable(r, from);
    const hk_unit_type *type = hk_hold_type(v->type);
    const hk_info *info;
    uint32_t component;
    if (!type || v->count != 1) {
        if (hk_osp_first(r, "hold"))
            hk_warn(r->ctx, HK_E_OSP, where, "use step sizes that are multiples of each other",
                    "'%s' goes to another rate; libcosim would hand it over at common steps only, "
                    "here the newest value is seen",
                    v->name);
        return true;
    }
    const char *name;
    do
        name = hk_arena_printf(r->arena, "hold%zu", ++r->hold_count);
    while (hk_map_get(&r->by_name, name) != HK_MAP_NONE);
    hk_status status = hk_native_info(r->ctx, r->model, type, &info);
    if (status == HK_OK)
        status = hk_model_add_component(r->ctx, r->model, name, info, where, &component);
    if (status != HK_OK) {
        hk_osp_failed(r, status);
        return false;
    }
    if (!hk_osp_set_rate(r, component, common, where))
        return false;
    uint32_t u = hk_info_find(info, "u"), y = hk_info_find(info, "y");
    hk_model_connect(r->model, from->component, from->variable, component, u, where)
        ->suppress_unit_conversion = true;
    *from = (hk_osp_place){component, y, common, NULL};
    return true;
}

void hk_osp_link(hk_osp *r, hk_osp_place from, hk_osp_place to, double factor, double offset,
                 hk_where where) {
    int64_t common = hk_osp_common(from.factor, to.factor);
    bool held = common != from.factor && common != to.factor;
    if (held && !hold(r, &from, common, where))
        return;
    hk_connection *k =
        hk_model_connect(r->model, from.component, from.variable, to.component, to.variable, where);
    k->suppress_unit_conversion = true;
    if (r->model->components[from.component].info->stamp == HK_STAMP_START)
        k->lag = HK_LAG_OBSERVE; /* a hold or a function takes no time */
    if (factor != 1 || offset != 0)
        k->transform =
            (hk_transform){.kind = HK_TRANSFORM_LINEAR, .factor = factor, .offset = offset};
}

/* ---- connections ---- */

static bool gives(const hk_variable *v) {
    return v->causality == HK_OUTPUT || v->causality == HK_CALCULATED_PARAMETER;
}

static void join(hk_osp *r, hk_osp_place a, hk_osp_place b, hk_where where) {
    bool forward = gives(hk_osp_variable(r, &a)) || !gives(hk_osp_variable(r, &b));
    hk_osp_place from = forward ? a : b, to = forward ? b : a;
    hk_osp_compare_units(r, &from, &to, where);
    hk_osp_link(r, from, to, 1, 0, where);
}

static void join_variables(hk_osp *r, const hk_osp_connection *k) {
    hk_osp_simulator *a, *b;
    hk_osp_place x, y;
    bool found = hk_osp_find_simulator(r, &k->a, &a);
    found = hk_osp_find_simulator(r, &k->b, &b) && found;
    if (!found)
        return;
    found = hk_osp_find_variable(r, a, k->a.name, k->a.where, &x);
    found = hk_osp_find_variable(r, b, k->b.name, k->b.where, &y) && found;
    if (found)
        join(r, x, y, k->where);
}

/* Both ends of a connection between groups. */
typedef struct pair {
    hk_osp_simulator *a, *b;
    hk_where where;
} pair;

static bool same_size(hk_osp *r, const pair *p, const hk_osp_group *x, const hk_osp_group *y) {
    bool members = x->member_count != y->member_count;
    if (!members && x->group_count == y->group_count)
        return true;
    hk_osp_failed(r, hk_error(r->ctx, HK_E_CONNECTION, p->where, NULL,
                              "group '%s' of '%s' has %zu %s, and group '%s' of '%s' has %zu",
                              x->name, p->a->name, members ? x->member_count : x->group_count,
                              members ? "variables" : "groups inside", y->name, p->b->name,
                              members ? y->member_count : y->group_count));
    return false;
}

/* The depth is limited by the XML reader. */
static void join_groups(hk_osp *r, const pair *p, const hk_osp_group *x, const hk_osp_group *y) {
    if (strcmp(x->kind, y->kind) != 0 &&
        hk_osp_first(r, hk_arena_printf(r->arena, "kinds %s %s", x->kind, y->kind)))
        hk_warn(r->ctx, HK_E_OSP, p->where, NULL,
                "group '%s' is a %s and group '%s' is a %s; they are joined in order", x->name,
                x->kind, y->name, y->kind);
    if (!same_size(r, p, x, y))
        return;
    for (size_t i = 0; i < x->group_count; i++)
        join_groups(r, p, &x->groups[i], &y->groups[i]);
    for (size_t i = 0; i < x->member_count; i++) {
        const hk_osp_member *m = &x->members[i], *n = &y->members[i];
        hk_osp_place a, b;
        bool found = hk_osp_find_variable(r, p->a, m->name, m->where, &a);
        found = hk_osp_find_variable(r, p->b, n->name, n->where, &b) && found;
        if (!found)
            continue;
        a.unit = m->unit;
        b.unit = n->unit;
        join(r, a, b, p->where);
    }
}

static void join_named_groups(hk_osp *r, const hk_osp_connection *k) {
    pair p = {.where = k->where};
    bool found = hk_osp_find_simulator(r, &k->a, &p.a);
    found = hk_osp_find_simulator(r, &k->b, &p.b) && found;
    if (!found)
        return;
    const hk_osp_group *x = hk_osp_need_group(r, p.a, &k->a);
    const hk_osp_group *y = hk_osp_need_group(r, p.b, &k->b);
    if (x && y)
        join_groups(r, &p, x, y);
}

void hk_osp_connect(hk_osp *r) {
    for (size_t i = 0; i < r->structure->connection_count; i++) {
        const hk_osp_connection *k = &r->structure->connections[i];
        if (k->join == HK_OSP_VARIABLES)
            join_variables(r, k);
        else if (k->join == HK_OSP_GROUPS)
            join_named_groups(r, k);
    }
}
