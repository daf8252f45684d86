/* SPDX-License-Identifier: MIT
 *
 * The skeleton of a RoboChart module: a platform with all that the ports of the block stand for, a
 * controller and a machine that are joined to it, and do nothing yet. */
#include "sysml/skeleton.h"

#include "base/file.h"
#include "base/ratio.h"
#include "base/seconds.h"
#include "chart/chart.h"
#include "chart/chart_syntax.h"
#include "sysml/rules_internal.h"
#include "sysml/skeleton_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct writer {
    hk_ctx *ctx;
    hk_arena *arena;
    const hk_multimodel *profile;
    const hk_profile_block *block;
    hk_left_out *left;
    hk_skeleton_members members;
    hk_skeleton_types types;
    hk_map names; /* of the package */
    const char *platform, *variables, *operations, *controller, *machine;
    /* Of each role the declarations that it becomes, a line each. */
    const char *texts[HK_SKELETON_ROLES];
    hk_status status;
} writer;

/* ---- messages ----------------------------------------------------------------------------------
 */

static void refuse(writer *w, const hk_place *at, const char *hint, const char *text) {
    if (w->status == HK_OK)
        w->status =
            hk_error(w->ctx, HK_E_NO_WORDS, hk_place_where(w->block->file, at), hint, "%s", text);
}

static void leave_out(writer *w, const hk_place *at, const char *what) {
    if (hk_left_out_add(w->left, hk_arena_strdup(w->left->arena, what)))
        hk_warn(w->ctx, HK_E_NO_WORDS, hk_place_where(w->block->file, at), NULL,
                "a module has no words for %s: left out", what);
}

static const char *name_of(writer *w, const char *name, const hk_place *at) {
    const char *own = hk_skeleton_name(w->arena, name);
    if (!own)
        refuse(w, at, "letters, digits and '_'",
               hk_arena_printf(w->arena, "'%s' cannot be a name in RoboChart", name));
    return own ? own : "";
}

/* ---- what has no words -------------------------------------------------------------------------
 */

static bool is_zero(const hk_profile_shape *s, const hk_profile_value *v, const hk_multimodel *p) {
    const hk_literal *l = &v->literal;
    if (l->kind == HK_LITERAL_NUMBER)
        return strspn(l->text, "0.") == strlen(l->text);
    if (l->kind == HK_LITERAL_BOOL)
        return strcmp(l->text, "false") == 0;
    if (l->kind == HK_LITERAL_WORD && s->type == HK_PROFILE_ENUM)
        return strcmp(l->text, p->enums[s->enumeration].items[0]) == 0;
    return l->kind == HK_LITERAL_NONE;
}

static void look_at_ports(writer *w) {
    for (size_t i = 0; i < w->block->port_count; i++) {
        const hk_profile_port *p = &w->block->ports[i];
        if (!is_zero(&p->shape, &p->init, w->profile))
            leave_out(w, &p->at, hk_arena_printf(w->arena, "the initial value of '%s'", p->name));
        if (p->shape.unit)
            leave_out(w, &p->at, hk_arena_printf(w->arena, "the unit of '%s'", p->name));
        if (p->reactive)
            leave_out(w, &p->at, hk_arena_printf(w->arena, "that '%s' is reactive", p->name));
        if (p->convert)
            leave_out(w, &p->at, hk_arena_printf(w->arena, "the conversion of '%s'", p->name));
        if (p->depends_said)
            leave_out(w, &p->at, hk_arena_printf(w->arena, "what '%s' depends on", p->name));
    }
}

static void look_at_variables(writer *w) {
    for (size_t i = 0; i < w->block->variable_count; i++) {
        const hk_profile_variable *v = &w->block->variables[i];
        if (v->kind != HK_PROFILE_PARAMETER)
            leave_out(w, &v->at, /* it is there, as a constant */
                      hk_arena_printf(w->arena, "that '%s' is not a parameter", v->name));
        if (v->shape.unit)
            leave_out(w, &v->at, hk_arena_printf(w->arena, "the unit of '%s'", v->name));
    }
    for (size_t i = 0; i < w->members.edge_count; i++)
        if (!is_zero(&w->members.edges[i]->shape, &w->members.edges[i]->init, w->profile))
            leave_out(w, &w->members.edges[i]->at,
                      hk_arena_printf(w->arena, "'%s'", w->members.edges[i]->name));
}

/* The length of a cycle in time units; NULL: 1. */
static const char *cycle_of(writer *w) {
    const hk_profile_variable *v = w->members.unit;
    hk_ratio unit = {1, 1}, cycle, length;
    bool meant;
    char *text = hk_arena_alloc(w->arena, 48);
    if (v && (v->init.literal.kind != HK_LITERAL_NUMBER ||
              !hk_seconds_parse(v->init.literal.text, &unit, &meant) || unit.num <= 0))
        refuse(w, &v->at, "timeUnit is a number above 0", "the time unit is not a length");
    else if (v && (unit.num != 1 || unit.den != 1))
        leave_out(w, &v->at, "the length of a time unit, 'timeUnit'");
    if (w->status != HK_OK || !w->block->cycle ||
        !hk_seconds_parse(w->block->cycle, &cycle, &meant))
        return NULL;
    if (!hk_ratio_times(cycle, unit.den, unit.num, &length) ||
        strchr(hk_ratio_format(length, text), '/')) {
        refuse(w, &w->block->at, "choose another 'timeUnit'",
               hk_arena_printf(w->arena,
                               "the cycle of block '%s' is not a decimal number of time units",
                               w->block->name));
        return NULL;
    }
    return length.num == 1 && length.den == 1 ? NULL : text;
}

/* ---- members -----------------------------------------------------------------------------------
 */

static const hk_place *place_of(const hk_skeleton_member *m) {
    return m->flag ? &m->flag->at : m->all[0].all[0].at;
}

static const char *type_of(writer *w, const hk_skeleton_member *m, const hk_skeleton_value *v,
                           const char **ret_value) {
    const char *path = m->role == HK_SKELETON_OPERATION
                           ? hk_arena_printf(w->arena, "%s_%s", m->name, v->name)
                           : m->name;
    const char *type = hk_skeleton_type(&w->types, v, path, ret_value);
    if (w->types.wrong)
        refuse(w, w->types.at, NULL,
               hk_arena_printf(w->arena, "'%s' of block '%s' cannot be in a module: it is %s",
                               m->name, w->block->name, w->types.wrong));
    return type ? type : "";
}

static const char *arguments_of(writer *w, const hk_skeleton_member *m) {
    const char *list = "", *value;
    for (size_t i = 0; i < m->count; i++)
        list = hk_arena_printf(w->arena, "%s%s%s : %s", list, i ? ", " : "",
                               name_of(w, m->all[i].name, m->all[i].all[0].at),
                               type_of(w, m, &m->all[i], &value));
    return list;
}

static const char *declaration(writer *w, const hk_skeleton_member *m) {
    const char *name = name_of(w, m->name, place_of(m)), *value = NULL, *type = NULL;
    if (m->role == HK_SKELETON_OPERATION)
        return hk_arena_printf(w->arena, "%s(%s)\n", name, arguments_of(w, m));
    if (m->count)
        type = type_of(w, m, &m->all[0], &value);
    if (m->role != HK_SKELETON_CONSTANT)
        value = NULL;
    const char *word = m->role == HK_SKELETON_VARIABLE   ? "var"
                       : m->role == HK_SKELETON_CONSTANT ? "const"
                                                         : "event";
    return hk_arena_printf(w->arena, "%s %s%s%s%s%s\n", word, name, type ? " : " : "",
                           type ? type : "", value ? " = " : "", value ? value : "");
}

static void declare_all(writer *w) {
    for (size_t i = 0; i < HK_SKELETON_ROLES; i++)
        w->texts[i] = "";
    for (size_t i = 0; i < w->members.count && w->status == HK_OK; i++) {
        const hk_skeleton_member *m = &w->members.all[i];
        w->texts[m->role] = hk_arena_printf(w->arena, "%s%s", w->texts[m->role], declaration(w, m));
    }
}

/* ---- the text ----------------------------------------------------------------------------------
 */

static void put_interface(const writer *w, FILE *out, const char *name, hk_skeleton_role role) {
    if (*w->texts[role])
        fprintf(out, "interface %s {\n%s}\n", name, w->texts[role]);
}

/* What a platform provides, and controllers and machines require. */
static void put_used(const writer *w, FILE *out, const char *word) {
    if (*w->texts[HK_SKELETON_VARIABLE])
        fprintf(out, "%s %s\n", word, w->variables);
    if (*w->texts[HK_SKELETON_OPERATION])
        fprintf(out, "%s %s\n", word, w->operations);
}

static void put_events(const writer *w, FILE *out) {
    fprintf(out, "%s%s", w->texts[HK_SKELETON_RECEIVED], w->texts[HK_SKELETON_SENT]);
}

/* Each event from OUTER to INNER, or the other way. */
static void put_connections(writer *w, FILE *out, const char *outer, const char *inner,
                            const char *async) {
    for (size_t i = 0; i < w->members.count; i++) {
        const hk_skeleton_member *m = &w->members.all[i];
        bool received = m->role == HK_SKELETON_RECEIVED;
        if (!received && m->role != HK_SKELETON_SENT)
            continue;
        const char *name = name_of(w, m->name, place_of(m));
        fprintf(out, "connection %s on %s to %s on %s%s\n", received ? outer : inner, name,
                received ? inner : outer, name, async);
    }
}

static void put_enumerations(writer *w, FILE *out) {
    for (size_t i = 0; i < w->profile->enum_count; i++) {
        const hk_profile_enum *e = &w->profile->enums[i];
        if (!w->types.used[i])
            continue;
        fprintf(out, "enumeration %s {", name_of(w, e->name, &e->at));
        for (size_t k = 0; k < e->item_count; k++)
            fprintf(out, " %s", name_of(w, e->items[k], &e->at));
        fputs(" }\n", out);
    }
}

static void put_module(writer *w, FILE *out, const char *cycle) {
    fprintf(out, "module %s {\n", name_of(w, w->block->name, &w->block->at));
    if (cycle)
        fprintf(out, "cycleDef cycle == %s\n", cycle);
    fprintf(out, "robotic platform %s {\n", w->platform);
    put_used(w, out, "provides");
    put_events(w, out);
    fprintf(out, "}\ncontroller %s {\n", w->controller);
    put_used(w, out, "requires");
    put_events(w, out);
    fprintf(out, "stm %s {\n", w->machine);
    put_used(w, out, "requires");
    put_events(w, out);
    fprintf(out, "%sinitial i0\nstate Waiting {}\ntransition t0 { from i0 to Waiting }\n}\n",
            w->texts[HK_SKELETON_CONSTANT]);
    put_connections(w, out, w->controller, w->machine, "");
    fputs("}\n", out);
    put_connections(w, out, w->platform, w->controller, " (_async)");
    fputs("}\n", out);
}

/* The name of a package: names with "::" between them. */
static const char *package_of(writer *w) {
    const char *rest = w->profile->package, *name = "";
    while (rest && *rest) {
        const char *end = strstr(rest, "::");
        size_t length = end ? (size_t)(end - rest) : strlen(rest);
        const char *part = hk_arena_strndup(w->arena, rest, length);
        name = hk_arena_printf(w->arena, "%s%s%s", name, *name ? "::" : "",
                               name_of(w, part, &w->block->at));
        rest = end ? end + 2 : "";
    }
    return name;
}

static const char *text_of(writer *w) {
    char *text = NULL;
    size_t size = 0;
    const char *cycle = cycle_of(w);
    declare_all(w);
    FILE *out = open_memstream(&text, &size);
    HK_ASSERT(out);
    fprintf(out,
            "// Its ports are those of a block in SysML; what it does is not written yet.\n"
            "package %s\n\n",
            package_of(w));
    put_enumerations(w, out);
    for (size_t i = 0; i < w->types.records.count; i++)
        fputs(((const char **)w->types.records.data)[i], out);
    put_interface(w, out, w->variables, HK_SKELETON_VARIABLE);
    put_interface(w, out, w->operations, HK_SKELETON_OPERATION);
    fputs("\n", out);
    put_module(w, out, cycle);
    fclose(out);
    const char *kept = hk_arena_strdup(w->arena, text);
    free(text);
    return kept;
}

/* ---- reading it again --------------------------------------------------------------------------
 */

static hk_status not_a_module(writer *w, const hk_ctx *quiet) {
    const char *reason = "";
    for (size_t i = hk_ctx_count(quiet, HK_NOTE); i-- > 0;)
        if (hk_ctx_diag(quiet, i)->severity == HK_ERROR)
            reason = hk_ctx_diag(quiet, i)->text;
    return hk_error(w->ctx, HK_E_NO_WORDS, hk_place_where(w->block->file, &w->block->at), NULL,
                    "block '%s' cannot be a module: %s", w->block->name, reason);
}

/* The canonical form, of which it is sure that it keeps M1 to M6. */
static hk_status settle(writer *w, const char *to, const char *text, const char **ret_text) {
    hk_ctx *quiet = hk_ctx_create(NULL, NULL);
    hk_rcfile *file;
    const hk_chart *chart;
    hk_status status = hk_rct_parse(quiet, w->arena, to, text, strlen(text), &file);
    if (status == HK_OK) {
        *ret_text = hk_rct_print(w->arena, file);
        const hk_file_text again = {to, *ret_text, strlen(*ret_text)};
        status = hk_chart_read_text(quiet, w->arena, &again, NULL, &chart);
    }
    if (status != HK_OK)
        status = not_a_module(w, quiet);
    else
        status = hk_module_compare(w->ctx, w->arena, w->profile, w->block, chart);
    hk_ctx_destroy(quiet);
    return status;
}

/* ---- which block -------------------------------------------------------------------------------
 */

static hk_status choose(writer *w, const char *name) {
    const hk_multimodel *p = w->profile;
    const char *list = "";
    size_t count = 0;
    for (size_t i = 0; i < p->block_count; i++) {
        const hk_profile_block *b = &p->blocks[i];
        if (!hk_ruler_is_chart(b) || (name && strcmp(b->name, name) != 0))
            continue;
        w->block = b;
        list = hk_arena_printf(w->arena, "%s%s%s", list, count++ ? ", " : "", b->name);
    }
    if (count == 1)
        return HK_OK;
    if (count)
        return hk_error(
            w->ctx, HK_E_USAGE, (hk_where){.file = p->file},
            hk_arena_printf(w->arena, "name one of them: %s#%s", p->file, w->block->name),
            "there are %zu blocks of the platform RoboChart: %s", count, list);
    return hk_error(w->ctx, HK_E_USAGE, (hk_where){.file = p->file},
                    "a module is made from an EComponent with platform = \"RoboChart\"",
                    name ? "no block of the platform RoboChart is called '%s'"
                         : "there is no block of the platform RoboChart%s",
                    name ? name : "");
}

/* The platform is called as the RoboticPlatform; other names must not be those of types. */
static void choose_names(writer *w) {
    const char *platform = "Platform";
    for (size_t i = 0; i < w->profile->block_count; i++)
        if (w->profile->blocks[i].kind == HK_PROFILE_PLATFORM)
            platform = name_of(w, w->profile->blocks[i].name, &w->profile->blocks[i].at);
    hk_map_put(&w->names, w->block->name, 0);
    for (size_t i = 0; i < w->profile->enum_count; i++)
        hk_map_put(&w->names, w->profile->enums[i].name, 0);
    w->platform = hk_skeleton_unique(w->arena, &w->names, platform);
    const char *bare = w->platform + (*w->platform == '^');
    w->variables =
        hk_skeleton_unique(w->arena, &w->names, hk_arena_printf(w->arena, "%sVars", bare));
    w->operations =
        hk_skeleton_unique(w->arena, &w->names, hk_arena_printf(w->arena, "%sOps", bare));
    w->controller = hk_skeleton_unique(w->arena, &w->names, "Controller");
    w->machine = hk_skeleton_unique(w->arena, &w->names, "Machine");
}

static hk_status make(writer *w, const char *name, const char *to, const char **ret_text) {
    HK_TRY(choose(w, name));
    w->members = hk_skeleton_sort(w->arena, w->block);
    if (w->members.stray) {
        const hk_profile_port *p = w->members.stray;
        return hk_error(w->ctx, HK_E_NO_WORDS, hk_place_where(w->block->file, &p->at),
                        hk_arena_printf(w->arena,
                                        "what a platform gives is an event: 'in item %s;', and its "
                                        "value 'in attribute %s_value : %s'",
                                        p->name, p->name, p->shape.type_name),
                        "input '%s' of block '%s' cannot be of a module: it is a value that no "
                        "event has",
                        p->name, w->block->name);
    }
    w->types = (hk_skeleton_types){.arena = w->arena,
                                   .profile = w->profile,
                                   .used = HK_NEW_ARRAY(w->arena, bool, w->profile->enum_count + 1),
                                   .names = &w->names,
                                   .records = HK_LIST(const char *)};
    choose_names(w);
    look_at_ports(w);
    look_at_variables(w);
    const char *text = text_of(w);
    hk_free(w->types.records.data);
    HK_TRY(w->status);
    return settle(w, to, text, ret_text);
}

hk_status hk_skeleton_module(hk_ctx *ctx, const char *from, const char *to, hk_left_out *left,
                             hk_skeleton *ret_skeleton) {
    hk_arena *arena = hk_arena_create();
    writer w = {.ctx = ctx, .arena = arena, .left = left};
    const char *name, *text = "", *path = hk_skeleton_split(arena, from, ".sysml", &name);
    hk_status status = hk_skeleton_check_new(ctx, to);
    if (status == HK_OK)
        status = hk_profile_read(ctx, arena, path, &w.profile);
    if (status == HK_OK)
        status = make(&w, name, to, &text);
    if (status == HK_OK)
        status = hk_file_write(ctx, to, text, strlen(text));
    if (status == HK_OK)
        *ret_skeleton = (hk_skeleton){
            hk_arena_strdup(left->arena, w.block->name), w.block->port_count,
            w.block->variable_count - w.members.edge_count - (w.members.unit != NULL)};
    hk_map_finish(&w.names);
    hk_profile_finish(w.profile);
    hk_arena_destroy(arena);
    return status;
}
