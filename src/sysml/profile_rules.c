/* SPDX-License-Identifier: MIT
 *
 * Which rules count, how much, and how a broken one is reported. */
#include "sysml/rules_internal.h"

#include <string.h>

enum { ROBOTICS = 1, INTO = 2, FMI = 4 };

#define NOTE                                                    HK_PROFILE_NOTE
#define WARNING                                                 HK_PROFILE_WARNING
#define ERROR                                                   HK_PROFILE_ERROR
#define HK_PROFILE_RULE(id, name, severity, profiles, sentence) {name, severity, profiles},
static const struct {
    const char *name;
    hk_profile_severity severity;
    int profiles;
} rules[] = {
#include "sysml/profile_rules.def"
};
#undef HK_PROFILE_RULE

static const struct {
    const char *name;
    int bit;
} profiles[] = {{"robotics", ROBOTICS}, {"into-sysml", INTO}, {"fmi", FMI}};
enum { PROFILE_COUNT = sizeof profiles / sizeof *profiles };

static const char *const severity_words[] = {"off", "note", "warning", "error"};

static int find_profile(const char *name) {
    for (size_t i = 0; i < PROFILE_COUNT; i++)
        if (!name || strcmp(profiles[i].name, name) == 0)
            return profiles[i].bit;
    return 0;
}

/* "R5=off": which rule, and what it is then. */
static bool parse_wish(const char *wish, size_t *ret_rule, hk_profile_severity *ret_severity) {
    const char *equals = strchr(wish, '=');
    size_t length = equals ? (size_t)(equals - wish) : 0;
    for (size_t i = 0; equals && i < HK_PROFILE_RULE_COUNT; i++)
        if (strlen(rules[i].name) == length && strncmp(rules[i].name, wish, length) == 0)
            for (size_t k = 0; k < 4; k++)
                if (strcmp(severity_words[k], equals + 1) == 0) {
                    *ret_rule = i;
                    *ret_severity = (hk_profile_severity)k;
                    return true;
                }
    return false;
}

hk_status hk_profile_wishes_check(hk_ctx *ctx, const hk_profile_wishes *wishes) {
    size_t rule;
    hk_profile_severity severity;
    if (!find_profile(wishes->profile))
        return hk_error(ctx, HK_E_USAGE, HK_NOWHERE, "profiles are robotics, into-sysml and fmi",
                        "there is no profile '%s'", wishes->profile);
    for (size_t i = 0; i < wishes->rules.count; i++)
        if (!parse_wish(wishes->rules.all[i], &rule, &severity))
            return hk_error(ctx, HK_E_USAGE, HK_NOWHERE,
                            "write ID=off, ID=note, ID=warning or ID=error, as R5=off; "
                            "docs/sysml.md lists the rules",
                            "'--rule %s' does not name a rule and what it is to be",
                            wishes->rules.all[i]);
    return HK_OK;
}

void hk_rule_broken(hk_ruler *r, hk_profile_rule rule, const char *file, const hk_place *at,
                    const char *hint, const char *format, ...) {
    hk_profile_severity severity = r->severities[rule];
    if (severity == HK_PROFILE_OFF)
        return;
    va_list args;
    va_start(args, format);
    const char *text = hk_arena_vprintf(r->arena, format, args);
    va_end(args);
    hk_where where = hk_place_where(file, at);
    if (severity == HK_PROFILE_ERROR)
        hk_complain(&r->complaints, HK_E_PROFILE, where, hint, "%s: %s", rules[rule].name, text);
    else if (severity == HK_PROFILE_WARNING)
        hk_warn(r->complaints.ctx, HK_E_PROFILE, where, hint, "%s: %s", rules[rule].name, text);
    else
        hk_note(r->complaints.ctx, where, "%s: %s", rules[rule].name, text);
}

const hk_profile_block *hk_ruler_block(const hk_ruler *r, uint32_t instance) {
    return &r->profile->blocks[r->profile->instances[instance].block];
}

const hk_profile_port *hk_ruler_port(const hk_ruler *r, const hk_profile_end *end) {
    bool there = end->instance != HK_PROFILE_NONE && end->port != HK_PROFILE_NONE;
    return there ? &hk_ruler_block(r, end->instance)->ports[end->port] : NULL;
}

bool hk_ruler_is_chart(const hk_profile_block *block) {
    return block->kind == HK_PROFILE_ECOMPONENT && block->platform &&
           strcmp(block->platform, "RoboChart") == 0;
}

const char *hk_ruler_connection(const hk_ruler *r, const hk_profile_connection *c) {
    return *c->name ? c->name : hk_arena_printf(r->arena, "connection %u", c->number);
}

const char *hk_ruler_unmarked(const hk_ruler *r, const hk_profile_block *block) {
    bool runs = block->fmu || block->platform || block->port_count;
    if (block->kind != HK_PROFILE_PLAIN)
        return NULL;
    return hk_arena_printf(r->arena, "write '%s part def %s' in line %d",
                           runs ? "#ecomponent" : "#lcomponent", block->name, block->at.line);
}

hk_ruler hk_ruler_begin(hk_ctx *ctx, hk_arena *arena, const hk_multimodel *profile,
                        const hk_profile_wishes *wishes) {
    hk_ruler r = {.complaints = {.ctx = ctx}, .arena = arena, .profile = profile};
    int bit = find_profile(wishes->profile);
    size_t rule;
    hk_profile_severity severity;
    r.strict = wishes->strict;
    for (size_t i = 0; i < HK_PROFILE_RULE_COUNT; i++)
        r.severities[i] = rules[i].profiles & bit ? rules[i].severity : HK_PROFILE_OFF;
    if (wishes->strict && r.severities[HK_RULE_PROFILE_C4])
        r.severities[HK_RULE_PROFILE_C4] = HK_PROFILE_ERROR;
    for (size_t i = 0; i < wishes->rules.count; i++)
        if (parse_wish(wishes->rules.all[i], &rule, &severity))
            r.severities[rule] = severity;
    return r;
}

hk_status hk_profile_check(hk_ctx *ctx, hk_arena *arena, const hk_multimodel *profile,
                           const hk_profile_wishes *wishes) {
    hk_ruler r = hk_ruler_begin(ctx, arena, profile, wishes);
    hk_rules_blocks(&r);
    hk_rules_connections(&r);
    hk_rules_loops(&r);
    return r.complaints.first;
}
