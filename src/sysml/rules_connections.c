/* SPDX-License-Identifier: MIT
 *
 * Rules about connections: directions, drivers, types, and who a controller may be connected to. */
#include "model/uom.h"
#include "sysml/rules_internal.h"

#include <string.h>

#define BROKEN(r, id, file, at, hint, ...)                                                         \
    hk_rule_broken((r), HK_RULE_PROFILE_##id, (file), (at), (hint), __VA_ARGS__)

/* ---- ends --------------------------------------------------------------------------------------
 */

/* How an instance of a part that there are several of is written; NULL: that is not what is wrong.
 */
static const char *suggest_number(const hk_ruler *r, const char *chain) {
    size_t length = strcspn(chain, ".");
    if (!hk_complaints_may_suggest(&r->complaints))
        return NULL;
    for (uint32_t i = 1; i < r->profile->instance_count; i++) {
        const char *path = r->profile->instances[i].path;
        if (strncmp(path, chain, length) == 0 && path[length] == '[')
            return hk_arena_printf(r->arena, "one of several is in quotes: '%.*s[1]'%s",
                                   (int)length, chain, chain + length);
    }
    return NULL;
}

/* The instance whose path is closest to that of the chain; NULL: none is. */
static const char *suggest_instance(hk_ruler *r, const char *chain) {
    const char *dot = strrchr(chain, '.');
    if (!dot || !hk_complaints_may_suggest(&r->complaints))
        return NULL;
    hk_map paths = {0};
    for (uint32_t i = 1; i < r->profile->instance_count; i++)
        hk_map_put(&paths, r->profile->instances[i].path, i);
    const char *close =
        hk_map_closest(&paths, hk_arena_strndup(r->arena, chain, (size_t)(dot - chain)));
    const char *hint =
        close ? hk_hint_name(r->arena, hk_arena_printf(r->arena, "%s%s", close, dot), NULL) : NULL;
    hk_map_finish(&paths);
    return hint;
}

static bool look_at_end(hk_ruler *r, const hk_profile_connection *c, const hk_profile_end *end) {
    if (end->instance == HK_PROFILE_NONE) {
        const char *hint = suggest_number(r, end->chain);
        BROKEN(r, C3, c->file, &end->at, hint ? hint : suggest_instance(r, end->chain),
               "there is no instance that '%s' is a port of", end->chain);
        return false;
    }
    const hk_profile_block *b = hk_ruler_block(r, end->instance);
    if (end->port == HK_PROFILE_NONE) {
        const char *close = hk_complaints_may_suggest(&r->complaints)
                                ? hk_map_closest(&b->by_name, end->rest)
                                : NULL;
        BROKEN(r, C3, c->file, &end->at,
               close ? hk_hint_name(r->arena, close, NULL) : suggest_instance(r, end->chain),
               "there is no port '%s' in '%s : %s'", end->rest,
               r->profile->instances[end->instance].path, b->name);
        return false;
    }
    if (b->kind != HK_PROFILE_ECOMPONENT) {
        BROKEN(r, C3, c->file, &end->at, hk_ruler_unmarked(r, b),
               "'%s' is a port of %s '%s', and not of an EComponent", end->chain,
               hk_profile_kind_words[b->kind], b->name);
        return false;
    }
    return true;
}

/* What joins several ports at once is one element: its flows share its name. */
static void look_at_names(hk_ruler *r) {
    const hk_profile_connection *all = r->profile->connections;
    hk_map names = {0};
    for (size_t i = 0; i < r->profile->connection_count; i++) {
        uint32_t first = *all[i].name ? hk_map_put(&names, all[i].name, (uint32_t)i) : (uint32_t)i;
        bool same = all[first].at.line == all[i].at.line &&
                    all[first].at.column == all[i].at.column && all[first].file == all[i].file;
        if (!same)
            BROKEN(r, C6, all[i].file, &all[i].at, NULL,
                   "two connections are called '%s' (the first is in line %d)", all[i].name,
                   all[first].at.line);
    }
    hk_map_finish(&names);
}

static void look_at_directions(hk_ruler *r, const hk_profile_connection *c) {
    const hk_profile_port *from = hk_ruler_port(r, &c->from), *to = hk_ruler_port(r, &c->to);
    if (!from->output)
        BROKEN(r, C1, c->file, &c->from.at, NULL, "%s starts at input '%s'",
               hk_ruler_connection(r, c), c->from.chain);
    if (to->output)
        BROKEN(r, C1, c->file, &c->to.at, NULL, "%s ends at output '%s'", hk_ruler_connection(r, c),
               c->to.chain);
}

/* ---- types -------------------------------------------------------------------------------------
 */

static size_t elements(const hk_profile_port *p) {
    size_t count = 1;
    for (size_t i = 0; i < p->shape.size_count; i++)
        count *= p->shape.sizes[i];
    return count;
}

static const char *show_type(const hk_ruler *r, const hk_profile_port *p) {
    if (p->shape.type == HK_PROFILE_TYPELESS)
        return "no type";
    return p->shape.size_count
               ? hk_arena_printf(r->arena, "%s[%u]", p->shape.type_name, p->shape.sizes[0])
               : p->shape.type_name;
}

/* What is without a type runs as a Real, 0.0 or 1.0. */
static hk_profile_type number_of(const hk_profile_port *p) {
    return p->shape.type == HK_PROFILE_TYPELESS ? HK_PROFILE_REAL : p->shape.type;
}

static bool fits(const hk_profile_port *from, const hk_profile_port *to) {
    if (from->shape.type == HK_PROFILE_UNKNOWN || to->shape.type == HK_PROFILE_UNKNOWN)
        return true;
    hk_profile_type a = number_of(from), b = number_of(to);
    if (a == HK_PROFILE_INTEGER && b == HK_PROFILE_REAL)
        return true;
    return a == b && from->shape.enumeration == to->shape.enumeration;
}

static bool carries(const hk_profile_connection *c, const hk_profile_port *p) {
    return strcmp(c->type_name, p->shape.type_name) == 0 &&
           c->type_size == (p->shape.size_count ? p->shape.sizes[0] : 0);
}

/* What a flow says that it carries is what the port at one of its ends has. */
static void look_at_carried(hk_ruler *r, const hk_profile_connection *c) {
    const hk_profile_port *ports[] = {hk_ruler_port(r, &c->from), hk_ruler_port(r, &c->to)};
    const hk_profile_port *typed = NULL;
    for (int i = 0; c->type_name && i < 2; i++) {
        if (ports[i]->shape.type == HK_PROFILE_TYPELESS)
            continue;
        if (ports[i]->shape.type == HK_PROFILE_UNKNOWN || carries(c, ports[i]))
            return;
        typed = typed ? typed : ports[i];
    }
    if (typed)
        BROKEN(r, C4, c->file, &c->at, NULL, "%s carries %s%s, and '%s' is of type %s",
               hk_ruler_connection(r, c), c->type_name,
               c->type_size ? hk_arena_printf(r->arena, "[%u]", c->type_size) : "",
               typed == ports[0] ? c->from.chain : c->to.chain, show_type(r, typed));
}

/* Units of one dimension are converted on the way; others cannot be. */
static bool units_join(const hk_profile_port *from, const hk_profile_port *to) {
    hk_uom a, b;
    return !from->shape.unit || !to->shape.unit || !hk_uom_parse(from->shape.unit, &a) ||
           !hk_uom_parse(to->shape.unit, &b) || hk_uom_same_dimension(&a, &b);
}

/* An event of a controller. */
static bool is_event(const hk_ruler *r, const hk_profile_end *end) {
    return hk_ruler_port(r, end)->shape.type == HK_PROFILE_TYPELESS &&
           hk_ruler_is_chart(hk_ruler_block(r, end->instance));
}

static void look_at_types(hk_ruler *r, const hk_profile_connection *c) {
    const hk_profile_port *from = hk_ruler_port(r, &c->from), *to = hk_ruler_port(r, &c->to);
    look_at_carried(r, c);
    if (r->severities[HK_RULE_PROFILE_R7] && (is_event(r, &c->from) || is_event(r, &c->to)))
        return; /* R7 looks at those */
    bool converts = from->convert || to->convert;
    if (elements(from) != elements(to) || from->shape.size_count != to->shape.size_count)
        hk_complain(&r->complaints, HK_E_PROFILE, hk_place_where(c->file, &c->at), NULL,
                    "C4: %s: '%s : %s' and '%s : %s' have different sizes",
                    hk_ruler_connection(r, c), c->from.chain, show_type(r, from), c->to.chain,
                    show_type(r, to));
    else if (!units_join(from, to))
        hk_complain(&r->complaints, HK_E_PROFILE, hk_place_where(c->file, &c->at), NULL,
                    "C4: %s: '%s' is in '%s' and '%s' in '%s', and nothing converts one to the "
                    "other",
                    hk_ruler_connection(r, c), c->from.chain, from->shape.unit, c->to.chain,
                    to->shape.unit);
    else if (!fits(from, to) && !converts)
        BROKEN(r, C4, c->file, &c->at, "mark one of the ports with { @convert; } if that is meant",
               "%s: '%s : %s' to '%s : %s' needs an explicit conversion", hk_ruler_connection(r, c),
               c->from.chain, show_type(r, from), c->to.chain, show_type(r, to));
}

/* ---- controllers -------------------------------------------------------------------------------
 */

static bool is_marked(const hk_ruler *r, hk_profile_kind kind) {
    for (size_t i = 0; i < r->profile->instance_count; i++)
        if (hk_ruler_block(r, (uint32_t)i)->kind == kind)
            return true;
    return false;
}

static void look_at_controller(hk_ruler *r, const hk_profile_connection *c, bool has_platform,
                               const hk_profile_end *own, const hk_profile_end *other) {
    const hk_profile_instance *instances = r->profile->instances;
    const hk_profile_instance *far = &instances[other->instance];
    if (!hk_ruler_is_chart(hk_ruler_block(r, own->instance)))
        return;
    bool wrong =
        has_platform ? far->platform == HK_PROFILE_NONE : far->environment != HK_PROFILE_NONE;
    if (!wrong)
        return;
    const char *belongs = far->environment != HK_PROFILE_NONE
                              ? hk_arena_printf(r->arena, "'%s' belongs to environment '%s'",
                                                far->path, instances[far->environment].path)
                              : "a controller senses and acts only through the platform";
    BROKEN(r, R5, c->file, &c->at, belongs,
           "%s links controller '%s' to '%s', which is not part of the robotic platform",
           hk_ruler_connection(r, c), own->chain, other->chain);
}

/* True: it was reported. */
static bool look_at_event(hk_ruler *r, const hk_profile_connection *c, const hk_profile_end *own,
                          const hk_profile_end *other) {
    const hk_profile_port *far = hk_ruler_port(r, other);
    const hk_profile_block *block = hk_ruler_block(r, other->instance);
    if (!is_event(r, own))
        return false;
    bool simulink = block->platform && strcmp(block->platform, "Simulink") == 0;
    bool other_side = r->strict ? simulink : !hk_ruler_is_chart(block);
    if (far->shape.type == HK_PROFILE_REAL && elements(far) == 1 && !far->shape.size_count &&
        other_side)
        return false;
    BROKEN(r, R7, c->file, &c->at, NULL,
           "event '%s' is connected to '%s : %s'; events can only be connected to ports of type "
           "Real (0.0 absent, 1.0 present) of %s",
           own->chain, other->chain, show_type(r, far),
           r->strict ? "a Simulink block" : "a block that is not RoboChart");
    return true;
}

/* ---- all ---------------------------------------------------------------------------------------
 */

static void look_at_drivers(hk_ruler *r) {
    hk_map drivers = {0};
    for (size_t i = 0; i < r->profile->connection_count; i++) {
        const hk_profile_connection *c = &r->profile->connections[i];
        if (!hk_ruler_port(r, &c->to))
            continue;
        const char *key = hk_arena_printf(r->arena, "%u.%u", c->to.instance, c->to.port);
        uint32_t first = hk_map_put(&drivers, key, (uint32_t)i);
        if (first != i)
            BROKEN(r, C2, c->file, &c->at, NULL,
                   "input '%s' has two drivers: %s (line %d) and %s; the co-simulation would "
                   "deadlock when the values differ",
                   c->to.chain, hk_ruler_connection(r, &r->profile->connections[first]),
                   r->profile->connections[first].at.line, hk_ruler_connection(r, c));
    }
    for (uint32_t i = 0; i < r->profile->instance_count; i++) {
        const hk_profile_block *b = hk_ruler_block(r, i);
        for (uint32_t k = 0; b->kind == HK_PROFILE_ECOMPONENT && k < b->port_count; k++) {
            const hk_profile_port *p = &b->ports[k];
            bool typed_input = !p->output && p->shape.type != HK_PROFILE_TYPELESS;
            if (typed_input &&
                hk_map_get(&drivers, hk_arena_printf(r->arena, "%u.%u", i, k)) == HK_MAP_NONE)
                BROKEN(r, C5, b->file, &p->at, NULL,
                       "input '%s.%s' is unconnected; it keeps its initial value",
                       r->profile->instances[i].path, p->name);
        }
    }
    hk_map_finish(&drivers);
}

void hk_rules_connections(hk_ruler *r) {
    bool has_platform = is_marked(r, HK_PROFILE_PLATFORM);
    bool has_environment = is_marked(r, HK_PROFILE_ENVIRONMENT);
    bool controls = false;
    for (uint32_t i = 0; i < r->profile->instance_count; i++)
        controls |= hk_ruler_is_chart(hk_ruler_block(r, i));
    if (controls && !has_platform && !has_environment)
        BROKEN(r, R5W, r->profile->file, &r->profile->instances[0].at, NULL,
               "R5 cannot be checked: mark the platform with #roboticPlatform or the environment "
               "with #environment");
    for (size_t i = 0; i < r->profile->connection_count; i++) {
        const hk_profile_connection *c = &r->profile->connections[i];
        bool from = look_at_end(r, c, &c->from), to = look_at_end(r, c, &c->to);
        if (!from || !to)
            continue;
        look_at_directions(r, c);
        look_at_types(r, c);
        if (!look_at_event(r, c, &c->from, &c->to))
            look_at_event(r, c, &c->to, &c->from);
        if (has_platform || has_environment) {
            look_at_controller(r, c, has_platform, &c->from, &c->to);
            look_at_controller(r, c, has_platform, &c->to, &c->from);
        }
    }
    look_at_drivers(r);
    look_at_names(r);
}
