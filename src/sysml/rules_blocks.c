/* SPDX-License-Identifier: MIT
 *
 * Rules about blocks: what is in what, ports, variables, initial values. */
#include "sysml/rules_internal.h"

#include <stdlib.h>
#include <string.h>

#define BROKEN(r, id, file, at, hint, ...)                                                         \
    hk_rule_broken((r), HK_RULE_PROFILE_##id, (file), (at), (hint), __VA_ARGS__)

static const hk_profile_block *block_of(const hk_ruler *r, const hk_profile_part *part) {
    return part->block < r->profile->block_count ? &r->profile->blocks[part->block] : NULL;
}

/* ---- what is in what ---------------------------------------------------------------------------
 */

static void look_at_part(hk_ruler *r, const hk_profile_block *b, const hk_profile_part *part) {
    const hk_profile_block *inner = block_of(r, part);
    if (!inner)
        return;
    bool executable = inner->kind == HK_PROFILE_ECOMPONENT || hk_profile_is_logical(inner->kind);
    const char *kind = hk_profile_kind_words[inner->kind];
    bool nested = inner->kind == HK_PROFILE_ENVIRONMENT || inner->kind == HK_PROFILE_PLATFORM;
    if (b->kind == HK_PROFILE_SYSTEM && !executable)
        BROKEN(r, E1, b->file, &part->at, hk_ruler_unmarked(r, inner),
               "block '%s' (%s) cannot be a direct component of System '%s'; only EComponent and "
               "LComponent blocks can",
               inner->name, kind, b->name);
    if (hk_profile_is_logical(b->kind) && !executable)
        BROKEN(r, E2B, b->file, &part->at, hk_ruler_unmarked(r, inner),
               "LComponent '%s' cannot contain %s '%s'", b->name, kind, inner->name);
    if (nested && b->kind != HK_PROFILE_SYSTEM)
        BROKEN(r, E2C, b->file, &part->at, NULL, "%s block '%s' is nested in '%s'", kind,
               inner->name, b->name);
    if (b->kind == HK_PROFILE_ECOMPONENT && inner->kind != HK_PROFILE_POCOMPONENT)
        BROKEN(r, WF6, b->file, &part->at, NULL,
               "EComponent '%s' cannot contain %s '%s'; only POComponent blocks can be in it",
               b->name, kind, inner->name);
    if (b->kind == HK_PROFILE_POCOMPONENT)
        BROKEN(r, WF7, b->file, &part->at, NULL,
               "POComponent '%s' contains '%s', and may contain nothing", b->name, part->name);
    bool own = b->platform &&
               (strcmp(b->platform, "RoboChart") == 0 || strcmp(b->platform, "Simulink") == 0);
    if (b->kind == HK_PROFILE_ECOMPONENT && own && inner->kind == HK_PROFILE_POCOMPONENT)
        BROKEN(r, R6, b->file, &part->at, NULL,
               "POComponent '%s' inside %s component '%s' is not needed; its structure is in the "
               "%s diagram",
               inner->name, b->platform, b->name, b->platform);
}

/* 'wheel[2]' in quotes, beside wheel[4]: the name of one of several is that of another part, too.
 */
static bool is_one_of(const hk_profile_block *b, const hk_map *names, const char *name) {
    const char *bracket = strrchr(name, '[');
    char *end, base[256];
    size_t length = bracket ? (size_t)(bracket - name) : 0;
    if (!length || length >= sizeof base)
        return false;
    memcpy(base, name, length);
    base[length] = '\0';
    unsigned long number = strtoul(bracket + 1, &end, 10);
    uint32_t part = hk_map_get(names, base);
    return strcmp(end, "]") == 0 && bracket[1] != '0' && part != HK_MAP_NONE &&
           b->parts[part].most != 1 && number >= 1 && number <= b->parts[part].least;
}

static void look_at_names(hk_ruler *r, const hk_profile_block *b) {
    hk_map names = {0};
    for (size_t i = 0; i < b->part_count; i++)
        if (hk_map_put(&names, b->parts[i].name, (uint32_t)i) != i)
            BROKEN(r, C6, b->file, &b->parts[i].at, NULL, "two parts of '%s' are called '%s'",
                   b->name, b->parts[i].name);
        else if (hk_profile_member(b, b->parts[i].name) != HK_MAP_NONE)
            BROKEN(r, C6, b->file, &b->parts[i].at, NULL,
                   "a part and a port or variable of '%s' are called '%s'", b->name,
                   b->parts[i].name);
        else if (b->parts[i].most != b->parts[i].least || b->parts[i].most == 0)
            BROKEN(r, C6, b->file, &b->parts[i].at, "write how many there are: [n]",
                   "part '%s' of '%s' may have any of several numbers of instances",
                   b->parts[i].name, b->name);
    for (size_t i = 0; i < b->part_count; i++)
        if (is_one_of(b, &names, b->parts[i].name))
            BROKEN(r, C6, b->file, &b->parts[i].at, NULL,
                   "part '%s' of '%s' has the name of one of several instances of another",
                   b->parts[i].name, b->name);
    hk_map_finish(&names);
}

/* Names in quotes may have dots: what a path means must be one thing. */
static void look_at_dots(hk_ruler *r, const hk_map *paths, uint32_t instance, const char *member,
                         const hk_place *at) {
    const hk_profile_instance *all = r->profile->instances;
    const char *dot = strchr(member, '.');
    for (; dot; dot = strchr(dot + 1, '.')) {
        const char *path =
            hk_arena_printf(r->arena, "%s.%.*s", all[instance].path, (int)(dot - member), member);
        uint32_t other = hk_map_get(paths, path);
        if (other != HK_MAP_NONE &&
            hk_profile_member(hk_ruler_block(r, other), dot + 1) != HK_MAP_NONE)
            BROKEN(r, C6, hk_ruler_block(r, instance)->file, at, NULL,
                   "'%s' of '%s' and '%s' of '%s' are both called '%s.%s'", member,
                   all[instance].path, dot + 1, path, all[instance].path, member);
    }
}

static void look_at_paths(hk_ruler *r) {
    const hk_profile_instance *all = r->profile->instances;
    hk_map paths = {0};
    for (uint32_t i = 0; i < r->profile->instance_count; i++) {
        uint32_t first = hk_map_put(&paths, all[i].path, i);
        /* Where the names are the same, too, it is the parents or the parts that were reported. */
        if (first != i && strcmp(all[first].name, all[i].name) != 0)
            BROKEN(r, C6, hk_ruler_block(r, all[i].parent)->file, &all[i].at, NULL,
                   "two instances are called '%s' (the first is in line %d)", all[i].path,
                   all[first].at.line);
    }
    for (uint32_t i = 0; i < r->profile->instance_count; i++) {
        const hk_profile_block *b = hk_ruler_block(r, i);
        for (size_t k = 0; k < b->port_count; k++)
            look_at_dots(r, &paths, i, b->ports[k].name, &b->ports[k].at);
        for (size_t k = 0; k < b->variable_count; k++)
            look_at_dots(r, &paths, i, b->variables[k].name, &b->variables[k].at);
    }
    hk_map_finish(&paths);
}

/* ---- ports and variables -----------------------------------------------------------------------
 */

static bool has_value(const hk_profile_value *value) {
    return value->literal.kind != HK_LITERAL_NONE;
}

static void look_at_depends(hk_ruler *r, const hk_profile_block *b, const hk_profile_port *p) {
    if (p->depends_said && !p->output)
        BROKEN(r, WF3, b->file, &p->at, NULL, "input '%s' of '%s' cannot declare dependencies",
               p->name, b->name);
    for (size_t i = 0; p->output && i < p->depend_count; i++)
        if (b->ports[p->depends[i]].output)
            BROKEN(r, WF3, b->file, &p->at, NULL,
                   "output '%s' of '%s' cannot depend on output '%s'", p->name, b->name,
                   b->ports[p->depends[i]].name);
}

static void look_at_port(hk_ruler *r, const hk_profile_block *b, const hk_profile_port *p) {
    bool typed = p->shape.type != HK_PROFILE_TYPELESS;
    if (b->kind == HK_PROFILE_SYSTEM)
        BROKEN(r, R1B, b->file, &p->at, NULL,
               "System block '%s' declares flow port '%s'; a System block cannot have flow ports",
               b->name, p->name);
    if (hk_profile_is_logical(b->kind))
        BROKEN(r, R2, b->file, &p->at, "move it to the EComponent that models it",
               "%s '%s' declares flow port '%s'; only EComponent blocks carry ports",
               hk_profile_kind_words[b->kind], b->name, p->name);
    if (!typed && (has_value(&p->init) || p->shape.unit || p->shape.size_count))
        BROKEN(r, E3, b->file, &p->at, "give it a type, or leave that out",
               "port '%s' of '%s' has no type, so it cannot have %s", p->name, b->name,
               has_value(&p->init) ? "an initial value"
               : p->shape.unit     ? "a unit"
                                   : "a size");
    if (b->kind == HK_PROFILE_ECOMPONENT && typed && !p->output && !has_value(&p->init))
        BROKEN(r, R4B, b->file, &p->at, "it is needed to compute the first outputs",
               "input '%s : %s' of '%s' has no initial value", p->name, p->shape.type_name,
               b->name);
    if (p->inout)
        BROKEN(r, C1, b->file, &p->at, "declare one 'in' and one 'out'",
               "port '%s' of '%s' is 'inout': values go one way", p->name, b->name);
    look_at_depends(r, b, p);
}

/* A use may give a value, too. */
static void look_at_given(hk_ruler *r) {
    for (uint32_t i = 0; i < r->profile->instance_count; i++) {
        const hk_profile_instance *instance = &r->profile->instances[i];
        const hk_profile_block *b = hk_ruler_block(r, i);
        for (size_t k = 0; k < b->port_count; k++)
            if (b->ports[k].shape.type == HK_PROFILE_TYPELESS && has_value(&instance->values[k]))
                BROKEN(r, E3, r->profile->file, &instance->values[k].literal.at,
                       "give it a type, or leave that out",
                       "port '%s' of '%s' has no type, so it cannot have an initial value",
                       b->ports[k].name, instance->path);
    }
}

static void look_at_variable(hk_ruler *r, const hk_profile_block *b, const hk_profile_variable *v) {
    if (v->kind == HK_PROFILE_PARAMETER && !has_value(&v->init))
        BROKEN(r, R4A, b->file, &v->at, NULL, "parameter '%s' of '%s' has no initial value",
               v->name, b->name);
    if (v->kind == HK_PROFILE_VAR_INIT && !has_value(&v->init))
        BROKEN(r, R4A, b->file, &v->at, NULL, "variable '%s' of '%s' has no initial value", v->name,
               b->name);
}

static void look_at_component(hk_ruler *r, const hk_profile_block *b) {
    if (b->component == HK_PROFILE_SUBSYSTEM && b->kind != HK_PROFILE_ECOMPONENT)
        BROKEN(r, WF4, b->file, &b->at, NULL,
               "%s '%s' is a subsystem, and only an EComponent can be one",
               hk_profile_kind_words[b->kind], b->name);
    if (b->kind != HK_PROFILE_ECOMPONENT)
        return;
    if (!b->platform || !*b->platform)
        BROKEN(r, E4, b->file, &b->at, "write platform = \"RoboChart\", \"Simulink\", ...",
               "EComponent '%s' has no platform", b->name);
    if (b->component == HK_PROFILE_CYBER && b->platform && !hk_ruler_is_chart(b))
        BROKEN(r, R3B, b->file, &b->at, NULL,
               "cyber component '%s' has platform \"%s\"; the robotics profile requires "
               "\"RoboChart\"",
               b->name, b->platform);
    if (hk_ruler_is_chart(b) && b->time != HK_PROFILE_DISCRETE)
        BROKEN(r, R3D, b->file, &b->at, NULL,
               "RoboChart component '%s' must have modelType discrete", b->name);
}

static void look_at_block(hk_ruler *r, const hk_profile_block *b) {
    look_at_component(r, b);
    look_at_names(r, b);
    for (size_t i = 0; i < b->part_count; i++)
        look_at_part(r, b, &b->parts[i]);
    for (size_t i = 0; i < b->port_count; i++)
        look_at_port(r, b, &b->ports[i]);
    for (size_t i = 0; i < b->variable_count; i++)
        look_at_variable(r, b, &b->variables[i]);
}

/* ---- the model as a whole ----------------------------------------------------------------------
 */

static bool is_platform(const hk_profile_block *b) {
    return b->kind == HK_PROFILE_PLATFORM;
}

static bool is_cyber(const hk_profile_block *b) {
    return b->kind == HK_PROFILE_ECOMPONENT && b->component == HK_PROFILE_CYBER;
}

/* Blocks of which there may be one: the second and all that follow are reported. */
static void look_at_only(hk_ruler *r) {
    const hk_profile_block *platform = NULL, *cyber = NULL;
    for (size_t i = 0; i < r->profile->block_count; i++) {
        const hk_profile_block *b = &r->profile->blocks[i];
        if (is_platform(b) && platform)
            BROKEN(r, E2A, b->file, &b->at, NULL,
                   "second RoboticPlatform block '%s'; a model has at most one ('%s' is declared "
                   "in line %d)",
                   b->name, platform->name, platform->at.line);
        if (is_cyber(b) && cyber)
            BROKEN(r, R3A, b->file, &b->at, NULL,
                   "second cyber component '%s' ('%s' in line %d is already cyber); put all "
                   "software in one RoboChart module",
                   b->name, cyber->name, cyber->at.line);
        platform = platform || !is_platform(b) ? platform : b;
        cyber = cyber || !is_cyber(b) ? cyber : b;
    }
}

/* One block may be used several times: its second instance is reported, with how many there are. */
static void look_at_uses(hk_ruler *r, bool (*is_it)(const hk_profile_block *), hk_profile_rule rule,
                         const char *kind) {
    const hk_multimodel *p = r->profile;
    const hk_profile_instance *first = NULL, *second = NULL;
    size_t count = 0;
    for (uint32_t i = 0; i < p->instance_count; i++) {
        if (!is_it(hk_ruler_block(r, i)))
            continue;
        count++;
        if (!first)
            first = &p->instances[i];
        else if (!second && p->instances[i].block == first->block)
            second = &p->instances[i]; /* other blocks are reported where they are declared */
    }
    if (second)
        hk_rule_broken(r, rule, p->blocks[p->instances[second->parent].block].file, &second->at,
                       "--profile into-sysml is for several robots",
                       "'%s' is a second %s beside '%s'; there are %zu instances, and a model has "
                       "one at most",
                       second->path, kind, first->path, count);
}

static void look_at_whole(hk_ruler *r) {
    const hk_multimodel *p = r->profile;
    size_t systems = 0;
    bool runs = false;
    const hk_profile_block *last = NULL, *cyber = NULL;
    for (size_t i = 0; i < p->block_count; i++) {
        bool is_system = p->blocks[i].kind == HK_PROFILE_SYSTEM;
        systems += is_system;
        last = is_system ? &p->blocks[i] : last;
        cyber = cyber || !is_cyber(&p->blocks[i]) ? cyber : &p->blocks[i];
    }
    for (uint32_t i = 0; i < p->instance_count; i++)
        runs = runs || is_cyber(hk_ruler_block(r, i));
    hk_place top = {.line = 1, .column = 1};
    if (systems > 1)
        BROKEN(r, R1A, last->file, &last->at, NULL,
               "model has %zu System blocks; exactly one is required", systems);
    else if (systems == 0)
        BROKEN(r, R1A, p->file, &top, "mark its definition with #system",
               "model has no System block");
    if (!cyber)
        BROKEN(r, R3C, p->file, &top, NULL,
               "no cyber component; the robotics profile needs exactly one RoboChart EComponent");
    else if (!runs && p->instance_count)
        BROKEN(r, R3C, cyber->file, &cyber->at, "make it a part of the system",
               "the system has no cyber component: no part of it is of block '%s'", cyber->name);
}

static void look_at_enums(hk_ruler *r) {
    for (size_t i = 0; i < r->profile->enum_count; i++) {
        const hk_profile_enum *e = &r->profile->enums[i];
        hk_map names = {0};
        for (size_t k = 0; k < e->item_count; k++)
            if (hk_map_put(&names, e->items[k], (uint32_t)k) != k)
                BROKEN(r, WF2, e->file, &e->at, NULL, "enumeration '%s' has two items '%s'",
                       e->name, e->items[k]);
        hk_map_finish(&names);
    }
}

void hk_rules_blocks(hk_ruler *r) {
    look_at_whole(r);
    look_at_enums(r);
    look_at_only(r);
    look_at_uses(r, is_platform, HK_RULE_PROFILE_E2A, "RoboticPlatform");
    look_at_uses(r, is_cyber, HK_RULE_PROFILE_R3A, "cyber component");
    look_at_paths(r);
    look_at_given(r);
    for (size_t i = 0; i < r->profile->block_count; i++)
        look_at_block(r, &r->profile->blocks[i]);
}
