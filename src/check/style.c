/* SPDX-License-Identifier: MIT */
#include "check/style_internal.h"

#include "base/file.h"

#include <string.h>

/* ---- the styles -------------------------------------------------------------------------------
 */

#define HK_STYLE_ALLOWS(from, to)
#define HK_STYLE_HINT(from, to, words)
#define HK_STYLE_RESULTS(role)
#define HK_STYLE_UNIT(unit)
#define HK_STYLE_FRAME(frame)
#define HK_STYLE_OWN_FRAMES(role)

#undef HK_STYLE_UNIT
#define HK_STYLE_UNIT(unit) unit,
static const char *const navidro_units[] = {
#include "check/style_navidro.def"
};
#undef HK_STYLE_UNIT
#define HK_STYLE_UNIT(unit)

#undef HK_STYLE_FRAME
#define HK_STYLE_FRAME(frame) frame,
static const char *const navidro_frames[] = {
#include "check/style_navidro.def"
};
#undef HK_STYLE_FRAME
#define HK_STYLE_FRAME(frame)

#undef HK_STYLE_ALLOWS
#undef HK_STYLE_HINT
#undef HK_STYLE_RESULTS
#undef HK_STYLE_OWN_FRAMES
#define HK_STYLE_ALLOWS(a, b)      .allows[HK_TREE_ROLE_##a][HK_TREE_ROLE_##b] = true,
#define HK_STYLE_HINT(a, b, words) .hints[HK_TREE_ROLE_##a][HK_TREE_ROLE_##b] = (words),
#define HK_STYLE_RESULTS(a)        .results[HK_TREE_ROLE_##a] = true,
#define HK_STYLE_OWN_FRAMES(a)     .own_frames[HK_TREE_ROLE_##a] = true,
#define LIST(array)                                                                                \
    { (array), sizeof(array) / sizeof *(array) }
/* Each has its table, and its name in HK_STYLES. */
static const hk_style_rules styles[] = {{.name = "navidro",
#include "check/style_navidro.def"
                                         .units = LIST(navidro_units),
                                         .frames = LIST(navidro_frames)}};

static const hk_style_rules *find_style(const char *name) {
    for (size_t i = 0; i < sizeof styles / sizeof *styles; i++)
        if (strcmp(styles[i].name, name) == 0)
            return &styles[i];
    return NULL;
}

/* ---- what is asked for ------------------------------------------------------------------------
 */

/* "controlled:controller" */
static bool read_pair(hk_arena *arena, const char *text, hk_tree_role *ret_from,
                      hk_tree_role *ret_to) {
    size_t length = strcspn(text, ":");
    return text[length] && hk_tree_role_find(hk_arena_strndup(arena, text, length), ret_from) &&
           hk_tree_role_find(text + length + 1, ret_to);
}

static const char *role_list(hk_arena *arena) {
    const char *list = "";
    for (size_t i = 1; i < HK_TREE_ROLES; i++)
        list = hk_arena_printf(arena, "%s%s%s", list, i > 1 ? ", " : "", hk_tree_role_words[i]);
    return list;
}

static hk_status check_pairs(hk_ctx *ctx, hk_arena *arena, const hk_style_rules *rules,
                             const hk_texts *pairs) {
    hk_tree_role from, to;
    for (size_t i = 0; i < pairs->count; i++) {
        const char *text = pairs->all[i];
        if (!read_pair(arena, text, &from, &to))
            return hk_error(ctx, HK_E_USAGE, HK_NOWHERE,
                            hk_arena_printf(arena, "write FROM:TO; roles are %s", role_list(arena)),
                            "'%s' does not name two roles to exempt", text);
        if (from == to || rules->allows[from][to])
            return hk_error(ctx, HK_E_USAGE, HK_NOWHERE, "leave it out",
                            "the style '%s' allows %s to %s, so that cannot be exempt", rules->name,
                            hk_tree_role_words[from], hk_tree_role_words[to]);
    }
    return HK_OK;
}

hk_status hk_style_wishes_check(hk_ctx *ctx, const hk_style_wishes *wishes) {
    HK_ASSERT(ctx && wishes);
    if (!wishes->name)
        return wishes->exempt.count
                   ? hk_error(ctx, HK_E_USAGE, HK_NOWHERE, "add --style NAME",
                              "'%s' cannot be exempt: no style is named", wishes->exempt.all[0])
                   : HK_OK;
    const hk_style_rules *rules = find_style(wishes->name);
    if (!rules)
        return hk_error(ctx, HK_E_USAGE, HK_NOWHERE, "one of: " HK_STYLES, "there is no style '%s'",
                        wishes->name);
    hk_arena *arena = hk_arena_create();
    hk_status status = check_pairs(ctx, arena, rules, &wishes->exempt);
    hk_arena_destroy(arena);
    return status;
}

/* ---- roles ------------------------------------------------------------------------------------
 */

bool hk_style_first(hk_styler *s, const char *key) {
    uint32_t index = (uint32_t)s->told.count;
    return hk_map_put(&s->told, key, index) == index;
}

hk_tree_role hk_style_role(const hk_styler *s, uint32_t component) {
    const hk_tree_element *owner = hk_tree_role_owner(s->leaves[component]);
    return owner ? owner->role : HK_TREE_NO_ROLE;
}

/* One message for each composite that holds leaves without a role. */
static void check_roles(hk_styler *s, const hk_tree_element *system) {
    enum { SHOWN_MAX = 5 };
    const char *list = "";
    size_t count = 0;
    if (system->role != HK_TREE_NO_ROLE)
        return; /* and all that is inside */
    for (size_t i = 0; i < system->element_count; i++) {
        const hk_tree_element *e = system->elements[i];
        if (e->kind == HK_TREE_SYSTEM)
            check_roles(s, e);
        if (e->kind != HK_TREE_COMPONENT || count++ > SHOWN_MAX)
            continue;
        list = count > SHOWN_MAX
                   ? hk_arena_printf(s->arena, "%s, ...", list)
                   : hk_arena_printf(s->arena, "%s%s'%s'", list, count > 1 ? ", " : "", e->name);
    }
    if (count)
        hk_complain(
            &s->complaints, HK_E_STYLE, system->where,
            hk_arena_printf(s->arena, "write composite %s role ROLE { }, ROLE being one of %s",
                            system->name, role_list(s->arena)),
            "style '%s': composite '%s' has no role, so its lea%s %s %s none", s->rules->name,
            hk_style_path(s, system), count == 1 ? "f" : "ves", list, count == 1 ? "has" : "have");
}

/* ---- pairs ------------------------------------------------------------------------------------
 */

/* "sensors and analysis" */
static const char *allowed_list(const hk_styler *s, hk_tree_role from) {
    const char *list = "";
    for (size_t to = 1; to < HK_TREE_ROLES; to++) {
        size_t left = 0; /* behind it */
        if (!s->rules->allows[from][to])
            continue;
        for (size_t k = to + 1; k < HK_TREE_ROLES; k++)
            left += s->rules->allows[from][k];
        list = hk_arena_printf(s->arena, "%s%s%s", list, !*list ? "" : (left ? ", " : " and "),
                               hk_tree_role_words[to]);
    }
    return *list ? list : "none";
}

static const char *pair_hint(const hk_styler *s, hk_tree_role from, hk_tree_role to) {
    const char *own = s->rules->hints[from][to];
    return hk_arena_printf(s->arena, "%s; --style-exempt %s:%s lets it pass",
                           own ? own
                               : hk_arena_printf(s->arena, "'%s' may give to %s",
                                                 hk_tree_role_words[from], allowed_list(s, from)),
                           hk_tree_role_words[from], hk_tree_role_words[to]);
}

/* May no information go from the one to the other? */
static bool is_forbidden(const hk_styler *s, uint32_t from, uint32_t to) {
    hk_tree_role a = hk_style_role(s, from), b = hk_style_role(s, to);
    return a != HK_TREE_NO_ROLE && b != HK_TREE_NO_ROLE && a != b && !s->rules->allows[a][b];
}

/* Information goes from one component to another, in a way that WORDS tell: "gives data to". */
static void see_flow(hk_styler *s, uint32_t from, uint32_t to, const char *words, hk_where where) {
    hk_tree_role a = hk_style_role(s, from), b = hk_style_role(s, to);
    if (!is_forbidden(s, from, to))
        return;
    if (!hk_style_first(s, hk_arena_printf(s->arena, "%s %u %u %s:%d:%d", words, from, to,
                                           where.file ? where.file : "", where.line, where.column)))
        return;
    if (s->exempt[a][b]) {
        if (!s->exempted[a][b]++)
            s->first[a][b] = where;
        return;
    }
    const hk_component *c = s->model->components;
    hk_complain(&s->complaints, HK_E_STYLE, where, pair_hint(s, a, b),
                "style '%s': '%s' (composite '%s', role %s) %s '%s' (composite '%s', role %s)",
                s->rules->name, c[from].name, hk_style_path(s, hk_tree_role_owner(s->leaves[from])),
                hk_tree_role_words[a], words, c[to].name,
                hk_style_path(s, hk_tree_role_owner(s->leaves[to])), hk_tree_role_words[b]);
}

static void see_links(hk_styler *s) {
    for (size_t i = 0; i < s->model->connection_count; i++) {
        const hk_connection *k = &s->model->connections[i];
        if (!k->shared && is_forbidden(s, k->from_component, k->to_component))
            see_flow(s, k->from_component, k->to_component, "gives data to",
                     hk_style_cross_at(s, k).where);
    }
}

/* Calls FN with all actions of the simulation, in the order of the text. */
typedef void actions_fn(hk_styler *s, const hk_action *action, void *user);

static void each_of(hk_styler *s, const hk_actions *actions, actions_fn *fn, void *user) {
    for (size_t i = 0; i < actions->count; i++)
        fn(s, &actions->all[i], user);
}

static void each_action(hk_styler *s, actions_fn *fn, void *user) {
    const hk_simulation *simulation = s->simulation;
    if (!simulation)
        return;
    each_of(s, &simulation->begin, fn, user);
    for (size_t i = 0; i < simulation->scenario_count; i++) {
        const hk_scenario *scenario = &simulation->scenarios[i];
        each_of(s, &scenario->begin, fn, user);
        for (size_t k = 0; k < scenario->event_count; k++)
            each_of(s, &scenario->events[k].actions, fn, user);
        each_of(s, &scenario->end, fn, user);
    }
    each_of(s, &simulation->end, fn, user);
}

/* A provider that a requirement may have. */
typedef struct candidate {
    const hk_requirement *requirement;
    const hk_provider *provider;
    bool bound; /* by the simulation */
} candidate;

static void note_bound(hk_styler *s, const hk_action *a, void *user) {
    candidate *c = user;
    (void)s;
    c->bound |= a->kind == HK_ACTION_BIND && a->component == c->requirement->component &&
                a->service == c->requirement->service && a->provider == c->provider->component &&
                a->provider_service == c->provider->service;
}

/* The one who asks gets the information. A simulation may bind those that no service links: that is
 * told of where it binds them. */
static void see_service(hk_styler *s, const hk_requirement *r, const hk_provider *p) {
    const hk_component *c = s->model->components;
    if (!is_forbidden(s, p->component, r->component))
        return;
    hk_style_way way = {.from = s->leaves[r->component],
                        .to = s->leaves[p->component],
                        .from_name = c[r->component].info->services[r->service].name,
                        .to_name = c[p->component].info->services[p->service].name,
                        .service = true};
    hk_style_crossing crossing;
    bool found = hk_style_cross(s, &way, &crossing);
    candidate one = {.requirement = r, .provider = p};
    if (!found)
        each_action(s, note_bound, &one);
    if (!one.bound)
        see_flow(s, p->component, r->component, "answers the calls of",
                 found ? crossing.where : r->where);
}

static void see_services(hk_styler *s) {
    for (size_t i = 0; i < s->model->requirement_count; i++) {
        const hk_requirement *r = &s->model->requirements[i];
        for (size_t k = 0; k < r->candidate_count; k++)
            see_service(s, r, &r->candidates[k]);
    }
}

/* A component that neither gives nor takes anything but parameters is a place of what all agree
 * about, as the origin of coordinates is: that is not the truth of somebody. */
static bool is_agreement(const hk_model *model, uint32_t component) {
    const hk_info *info = model->components[component].info;
    if (info->service_count)
        return false;
    for (size_t i = 0; i < info->variable_count; i++) {
        hk_causality c = info->variables[i].causality;
        if (c == HK_INPUT || c == HK_OUTPUT)
            return false;
    }
    return true;
}

static void see_shares(hk_styler *s) {
    for (size_t i = 0; i < s->model->shared_count; i++)
        for (const hk_branch *b = s->model->shared[i].others; b; b = b->next)
            if (!is_agreement(s->model, s->model->shared[i].component))
                see_flow(s, s->model->shared[i].component, b->component, "shares a parameter with",
                         s->model->shared[i].where);
}

static void see_binding(hk_styler *s, const hk_action *a, void *user) {
    (void)user;
    if (a->kind == HK_ACTION_BIND)
        see_flow(s, a->provider, a->component, "is bound to", a->where);
}

static void tell_exempt(hk_styler *s) {
    for (size_t a = 1; a < HK_TREE_ROLES; a++)
        for (size_t b = 1; b < HK_TREE_ROLES; b++) {
            size_t count = s->exempted[a][b];
            if (s->exempt[a][b])
                hk_note(s->complaints.ctx, s->first[a][b],
                        count == 0   ? "style '%s': %s to %s is exempt, and nothing needs it"
                        : count == 1 ? "style '%s': %s to %s is exempt, which this way needs"
                                     : "style '%s': %s to %s is exempt, which %zu ways need; this "
                                       "is the first",
                        s->rules->name, hk_tree_role_words[a], hk_tree_role_words[b], count);
        }
}

/* ---- what nobody uses ---- */

static hk_where begin_of(const hk_simulation *simulation) {
    return simulation->begin.count ? simulation->begin.all[0].where
                                   : (hk_where){.file = simulation->file};
}

static void check_unused(hk_styler *s, const hk_simulation *simulation) {
    const hk_model *m = s->model;
    bool *used = HK_NEW_ARRAY(s->arena, bool, m->component_count + 1);
    bool known = hk_simulation_used(simulation, HK_USED_OR_STOPPED, used);
    for (uint32_t i = 0; known && i < m->component_count; i++)
        if (!used[i] && s->leaves[i] && !s->rules->results[hk_style_role(s, i)])
            hk_complain(&s->complaints, HK_E_STYLE, begin_of(simulation),
                        hk_arena_printf(
                            s->arena, "write \"%s%s%s.%s\".Stop(); in the first 'begin'", m->name,
                            m->root ? "." : "", m->root ? m->root : "", m->components[i].name),
                        "style '%s': nothing uses what '%s' produces, and it is not stopped in the "
                        "first 'begin'",
                        s->rules->name, m->components[i].name);
}

/* Those that feed what is stopped are not wrong, and perhaps forgotten: one note. */
static void note_unreached(hk_styler *s, const hk_simulation *simulation) {
    enum { SHOWN_MAX = 8 };
    const hk_model *m = s->model;
    bool *used = HK_NEW_ARRAY(s->arena, bool, m->component_count + 1);
    bool *reached = HK_NEW_ARRAY(s->arena, bool, m->component_count + 1);
    const char *list = "";
    size_t count = 0;
    for (uint32_t i = 0; i < m->component_count; i++)
        reached[i] = !s->leaves[i] || s->rules->results[hk_style_role(s, i)];
    (void)hk_simulation_used(simulation, HK_USED_OR_STOPPED, used);
    bool known = hk_simulation_reached(simulation, reached);
    for (uint32_t i = 0; known && i < m->component_count; i++) {
        if (reached[i] || !used[i] || count++ > SHOWN_MAX)
            continue;
        list = count > SHOWN_MAX ? hk_arena_printf(s->arena, "%s, ...", list)
                                 : hk_arena_printf(s->arena, "%s%s'%s'", list,
                                                   count > 1 ? ", " : "", m->components[i].name);
    }
    if (count)
        hk_note(s->complaints.ctx, begin_of(simulation),
                "style '%s': what %zu lea%s produce%s is used by stopped or unused leaves only: %s",
                s->rules->name, count, count == 1 ? "f" : "ves", count == 1 ? "s" : "", list);
}

/* ---- the whole ---- */

static hk_status check_all(hk_styler *s) {
    check_roles(s, s->model->tree->root);
    see_links(s);
    see_services(s);
    see_shares(s);
    each_action(s, see_binding, NULL);
    hk_style_standard(s);
    if (s->simulation) {
        check_unused(s, s->simulation);
        note_unreached(s, s->simulation);
    }
    tell_exempt(s);
    return s->complaints.count < 2 ? s->complaints.first : HK_E_CHECK_FAILED;
}

hk_status hk_style_check(hk_ctx *ctx, const hk_model *model, const hk_simulation *simulation,
                         const hk_style_wishes *wishes) {
    HK_ASSERT(ctx && model && wishes && wishes->name && find_style(wishes->name));
    if (!model->tree)
        return hk_error(ctx, HK_E_STYLE, (hk_where){.file = model->file},
                        "write a system file with composites that have roles",
                        "style '%s': '%s' has no roles", wishes->name, hk_path_name(model->file));
    hk_styler s = {.complaints = {.ctx = ctx},
                   .arena = hk_arena_create(),
                   .model = model,
                   .simulation = simulation,
                   .rules = find_style(wishes->name)};
    s.leaves = hk_tree_leaves(s.arena, model);
    for (size_t i = 0; i < wishes->exempt.count; i++) {
        hk_tree_role from, to;
        bool known = read_pair(s.arena, wishes->exempt.all[i], &from, &to);
        HK_ASSERT(known);
        s.exempt[from][to] = true;
    }
    hk_status status = check_all(&s);
    hk_map_finish(&s.told);
    hk_arena_destroy(s.arena);
    return status;
}
