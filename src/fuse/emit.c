/* SPDX-License-Identifier: MIT
 *
 * Prints the deeds of each cell, one statement each, with where it comes from. */
#include "fuse/emit_internal.h"

#include "base/number.h"
#include "native/native.h"

#include <string.h>

const char *hk_emit_keep(const emitter *e, hk_text *text) {
    const char *kept = hk_arena_strndup(e->arena, text->data ? text->data : "", text->size);
    hk_text_finish(text);
    return kept;
}

const char *hk_emit_cell_name(const emitter *e, size_t cell) {
    const hk_deeds *c = &e->system->cells[cell];
    return hk_arena_printf(e->arena, "cell_%u_%u", c->rate, c->level);
}

const hk_leaf *hk_emit_leaf(const emitter *e, uint32_t component) {
    const hk_unit_type *type = hk_native_type_of(e->system->model->components[component].info);
    const hk_leaf *leaf = type ? hk_leaf_of(e->leaves, type) : NULL;
    return leaf && leaf->step ? leaf : NULL;
}

/* ---- comments ---- */

static const char *base_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* "truck.system:12: " */
static const char *place_text(const emitter *e, hk_where where) {
    if (!where.file || !where.line)
        return "";
    return hk_arena_printf(e->arena, "%s:%d: ", base_name(where.file), where.line);
}

static const char *deed_comment(const emitter *e, const hk_deed *d) {
    const hk_model *model = e->system->model;
    if (d->connection != HK_MAP_NONE) {
        const hk_connection *k = &model->connections[d->connection];
        return hk_arena_printf(e->arena, "%s%s", place_text(e, k->where),
                               hk_connection_name(model, k));
    }
    if (d->kind == HK_SAID_REST)
        return "values for rows, and the past";
    if (d->kind == HK_SAID_FINITE || d->kind == HK_SAID_DUE || d->kind == HK_SAID_GIVEN)
        return NULL;
    const hk_component *c = &model->components[d->component];
    if (d->kind == HK_SAID_BOUND)
        return hk_arena_printf(e->arena, "%s%s calls %s", place_text(e, c->where), c->name,
                               model->components[d->provider].name);
    return hk_arena_printf(e->arena, "%s%s of %s", place_text(e, c->where), d->line.name, c->name);
}

/* ---- statements ---- */

static const char *call_text(const emitter *e, const hk_deed *d) {
    const char *kind = d->kind == HK_SAID_SET ? "SET" : "GET";
    return hk_arena_printf(e->arena, "HK_%s%s(%u, %s)", kind,
                           d->shape == HK_SHAPE_REFS ? "" : "_SIZED", d->number,
                           hk_emit_spot(e, &d->to, "char"));
}

/* The leaf whose step is called by its name; NULL: it is called through a pointer. */
static const hk_leaf *leaf_of_step(const emitter *e, const hk_deed *d) {
    return d->shape == HK_STEP_PLAIN && d->from.realm == HK_REALM_SYSTEM
               ? hk_emit_leaf(e, d->component)
               : NULL;
}

static const char *step_text(const emitter *e, const hk_deed *d) {
    const hk_leaf *leaf = leaf_of_step(e, d);
    if (leaf)
        return hk_arena_printf(e->arena, "HK_STEP(%u, %s, %s)", d->number,
                               hk_emit_component(e, &d->from), leaf->step);
    static const char *const shapes[HK_STEP_SHAPES] = {
        [HK_STEP_PLAIN] = "PLAIN", [HK_STEP_FLAGGED] = "FLAGGED", [HK_STEP_REPORTED] = "REPORTED"};
    return hk_arena_printf(e->arena, "HK_STEP_%s(%u)", shapes[d->shape], d->number);
}

/* Known functions are named, so that the compiler sees them; only where their caller is known. */
static const char *bound_text(const emitter *e, const hk_deed *d) {
    if (d->from.realm == HK_REALM_NONE)
        return hk_arena_printf(e->arena, "HK_BOUND_NOBODY(%s, %u)",
                               hk_emit_spot(e, &d->to, "hk_fused_binding"), d->number);
    const hk_leaf *caller = hk_emit_leaf(e, d->component), *leaf = hk_emit_leaf(e, d->provider);
    const char *table = caller && leaf && leaf->services ? leaf->services[d->number] : NULL;
    return hk_arena_printf(e->arena, "HK_BOUND%s(%s, %s, %u, %s)", table ? "" : "_KEPT",
                           hk_emit_spot(e, &d->to, "hk_fused_binding"),
                           hk_emit_component(e, &d->from), d->number, table ? table : "NULL");
}

static const char *deed_text(const emitter *e, const hk_deed *d) {
    hk_arena *a = e->arena;
    switch (d->kind) {
    case HK_SAID_COPY8:
        return hk_arena_printf(a, "HK_COPY(%s, %s)", hk_emit_spot(e, &d->to, "uint64_t"),
                               hk_emit_spot(e, &d->from, "uint64_t"));
    case HK_SAID_COPY4:
        return hk_arena_printf(a, "HK_COPY4(%s, %s)", hk_emit_spot(e, &d->to, "uint32_t"),
                               hk_emit_spot(e, &d->from, "uint32_t"));
    case HK_SAID_COPIES:
        return hk_arena_printf(a, "HK_COPIES(%s, %s, %zu)", hk_emit_spot(e, &d->to, "char"),
                               hk_emit_spot(e, &d->from, "char"), d->count);
    case HK_SAID_LINEAR:
        return hk_arena_printf(a, "HK_LINEAR(%s, %s, %u)", hk_emit_spot(e, &d->to, "double"),
                               hk_emit_spot(e, &d->from, "double"), d->number);
    case HK_SAID_GENERAL:
        return hk_arena_printf(a, "HK_GENERAL(%u)", d->number);
    case HK_SAID_SET:
    case HK_SAID_GET:
        return call_text(e, d);
    case HK_SAID_BOUND:
        return bound_text(e, d);
    case HK_SAID_STEP:
        return step_text(e, d);
    case HK_SAID_FINITE:
        return hk_arena_printf(a, "HK_LOOK(%s, %zu)", hk_emit_spot(e, &d->from, "double"),
                               d->count);
    case HK_SAID_DUE:
        return hk_arena_printf(a, "HK_DUE(%u, %zu)", d->number, d->count);
    case HK_SAID_GIVEN:
        return hk_arena_printf(a, "HK_GIVEN(%u)", d->number);
    default:
        return hk_arena_printf(a, "HK_REST(%u)", d->number);
    }
}

static void put_line(const emitter *e, hk_text *text, const char *statement, const char *comment) {
    enum { COLUMN = 64 };
    if (comment)
        hk_text_put(text, "    %s; %*s/* %s */\n", statement,
                    (int)(strlen(statement) < COLUMN ? COLUMN - strlen(statement) : 0), "",
                    hk_gen_safe(e->arena, comment));
    else
        hk_text_put(text, "    %s;\n", statement);
}

/* To whom a leaf is bound is a part of its step, behind the mark of the call: a compiler that does
 * not know whether the mark changes a binding would have to read it again. D: COUNT bindings and
 * the step. */
static void put_bound_step(const emitter *e, hk_text *text, const hk_deed *d, size_t count) {
    const hk_deed *step = &d[count];
    hk_text_put(text, "    HK_STEP_BOUND(%u, %s, %s,\n", step->number,
                hk_emit_component(e, &step->from), leaf_of_step(e, step)->step);
    for (size_t i = 0; i < count; i++)
        put_line(e, text, hk_arena_printf(e->arena, "    %s", bound_text(e, &d[i])),
                 deed_comment(e, &d[i]));
    put_line(e, text, ")", deed_comment(e, step));
}

/* How many bindings, from D on, are followed by the step of a leaf whose bindings they are. */
static size_t bound_count(const emitter *e, const hk_deed *d, const hk_deed *end) {
    size_t n = 0;
    while (d + n < end && d[n].kind == HK_SAID_BOUND)
        n++;
    return d + n < end && d[n].kind == HK_SAID_STEP && leaf_of_step(e, &d[n]) ? n : 0;
}

/* ---- cells ---- */

static void put_part(const emitter *e, hk_text *text, size_t number, hk_fused_part part) {
    static const char *const names[] = {"take", "step", "give"};
    const hk_deeds *c = &e->system->cells[number];
    hk_text_put(text, "\nHK_PART(%s_%s) {\n", hk_emit_cell_name(e, number), names[part]);
    if (part == HK_FUSED_GIVE)
        hk_text_put(text, "    HK_LOOK_BEGIN;\n");
    for (size_t i = 0; i < c->count; i++) {
        const hk_deed *d = &c->all[i];
        size_t bound = d->part == part ? bound_count(e, d, c->all + c->count) : 0;
        if (bound)
            put_bound_step(e, text, d, bound);
        else if (d->part == part)
            put_line(e, text, deed_text(e, d), deed_comment(e, d));
        i += bound;
    }
    hk_text_put(text, "    HK_PART_END;\n}\n");
}

/* Another rate has a cell on the same level. */
static bool is_merged(const hk_system_deeds *s, size_t number) {
    bool found = false;
    for (size_t i = 0; i < s->cell_count; i++)
        found = found || (i != number && s->cells[i].level == s->cells[number].level &&
                          s->cells[i].rate != s->cells[number].rate);
    return found;
}

static const char *seconds_text(const emitter *e, hk_tick ticks) {
    char *text = hk_arena_alloc(e->arena, HK_NUMBER_MAX + 1);
    text[hk_write_f64(hk_tick_seconds(ticks, e->system->plan->ticks_per_second), text)] = '\0';
    return text;
}

static const char *cell_text(const emitter *e, size_t number) {
    const hk_system_deeds *s = e->system;
    const hk_deeds *c = &s->cells[number];
    const hk_rate *rate = &s->plan->rates[c->rate];
    hk_text text = {0};
    hk_text_put(&text, "/* %s, every %s s, level %u:", hk_gen_safe(e->arena, e->file),
                seconds_text(e, rate->period), c->level);
    for (size_t i = 0; i < c->member_count; i++)
        hk_text_put(&text, "%s%s%s", i % 8 == 7 ? "\n * " : " ",
                    hk_gen_safe(e->arena, s->model->components[c->members[i]].name),
                    i + 1 < c->member_count ? "," : ".");
    hk_text_put(&text, " */\n#include \"system.h\"\n");
    for (int part = 0; part < HK_FUSED_PARTS; part++)
        put_part(e, &text, number, (hk_fused_part)part);
    hk_text_put(&text, "\n%s(%s, %zu)\n", is_merged(s, number) ? "HK_CELL_IN_PARTS" : "HK_CELL",
                hk_emit_cell_name(e, number), number);
    return hk_emit_keep(e, &text);
}

/* ---- instants ---- */

/* It comes often: the slowest of its rates is not much slower than the fastest of all. */
static bool is_often(const emitter *e, uint64_t due) {
    enum { OFTEN = 16 };
    hk_tick fastest = HK_TICK_NEVER, slowest = 0;
    for (size_t r = 0; r < e->system->rate_count; r++) {
        hk_tick period = e->system->plan->rates[r].period;
        fastest = period < fastest ? period : fastest;
        slowest = due >> r & 1 && period > slowest ? period : slowest;
    }
    return slowest <= OFTEN * fastest;
}

/* What is due together, as one function, where that is short and often, and there are few: each is
 * one more place where a compiler would have to inline the steps. A single rate has its own anyway.
 */
static bool has_instant(const emitter *e, uint64_t due) {
    enum { FEW = 8, SHORT = 400 };
    size_t deeds = 0;
    for (size_t i = 0; i < e->system->cell_count; i++)
        deeds += due >> e->system->cells[i].rate & 1 ? e->system->cells[i].count : 0;
    return e->system->rate_count > 1 && e->system->due_count <= FEW && deeds <= SHORT &&
           is_often(e, due);
}

static const char *instant_text(const emitter *e, uint64_t due) {
    static const char *const words[] = {"TAKE", "ACT", "GIVE", "ALL"};
    const hk_system_deeds *s = e->system;
    hk_turn *turns = HK_NEW_ARRAY(e->arena, hk_turn, HK_FUSED_PARTS * s->cell_count + 1);
    size_t n = hk_deeds_turns(s, due, turns);
    hk_text text = {0};
    hk_text_put(&text, "/* %s: all that is due every", hk_gen_safe(e->arena, e->file));
    for (size_t r = 0, first = 1; r < s->rate_count; r++)
        if (due >> r & 1) {
            hk_text_put(&text, "%s %s s", first ? "" : " and",
                        seconds_text(e, s->plan->rates[r].period));
            first = 0;
        }
    hk_text_put(&text, ", at once. */\n#include \"system.h\"\n\n"
                       "#if !defined(HK_FUSED_SAYS) && !defined(HK_FUSED_ONE_FILE)\n"
                       "#define HK_FUSED_INSTANT 1 /* of the cells: their parts */\n"
                       "#include <hk/fused.h>\n");
    for (size_t i = 0; i < s->cell_count; i++)
        if (due >> s->cells[i].rate & 1)
            hk_text_put(&text, "#include \"%s.c\"\n", hk_emit_cell_name(e, i));
    hk_text_put(&text, "#endif\n\nHK_INSTANT(instant_%llx) {\n    HK_INSTANT_BEGIN;\n",
                (unsigned long long)due);
    for (uint32_t r = 0; r < s->rate_count; r++)
        if (due >> r & 1)
            hk_text_put(&text, "    HK_RATE(%u, %u);\n", hk_deeds_first_cell(s, r), r);
    for (size_t i = 0; i < n; i++)
        hk_text_put(&text, "    HK_%s(%s, %u, %u);\n", words[turns[i].part],
                    hk_emit_cell_name(e, turns[i].cell), turns[i].cell,
                    s->cells[turns[i].cell].rate);
    hk_text_put(&text, "    HK_INSTANT_END;\n}\n");
    return hk_emit_keep(e, &text);
}

/* ---- the others ---- */

static const char *says_text(const emitter *e) {
    hk_text text = {0};
    hk_text_put(&text, "/* The cells once more: here their statements only say what they do. */\n"
                       "#define HK_FUSED_SAYS 1\n");
    for (size_t i = 0; i < e->system->cell_count; i++)
        hk_text_put(&text, "#include \"%s.c\"\n", hk_emit_cell_name(e, i));
    for (size_t i = 0; i < e->system->due_count; i++)
        if (has_instant(e, e->system->due[i]))
            hk_text_put(&text, "#include \"instant_%llx.c\"\n",
                        (unsigned long long)e->system->due[i]);
    return hk_emit_keep(e, &text);
}

static void put_declarations(const emitter *e, hk_text *text) {
    const hk_system_deeds *s = e->system;
    for (size_t i = 0; i < s->cell_count; i++) {
        const char *name = hk_emit_cell_name(e, i);
        hk_text_put(text, "HK_CELL_DECLARED%s(%s);\n", is_merged(s, i) ? "_IN_PARTS" : "", name);
    }
    for (size_t i = 0; i < s->due_count; i++)
        if (has_instant(e, s->due[i]))
            hk_text_put(text, "HK_INSTANT_DECLARED(instant_%llx);\n",
                        (unsigned long long)s->due[i]);
}

static void put_rates(const emitter *e, hk_text *text) {
    const hk_system_deeds *s = e->system;
    for (size_t r = 0, i = 0; r < s->rate_count; r++) {
        hk_text_put(text,
                    "\n/* All that is done every %s s where nothing else is. */\n"
                    "static bool rate_%zu(void *system, double t, double h) {\n    return ",
                    seconds_text(e, s->plan->rates[r].period), r);
        for (bool first = true; i < s->cell_count && s->cells[i].rate == r; i++, first = false)
            hk_text_put(text, "%s%s(system, t, h)", first ? "" : " &&\n           ",
                        hk_emit_cell_name(e, i));
        hk_text_put(text, ";\n}\n");
    }
    hk_text_put(text, "\nstatic hk_fused_fn *const rates[] = {");
    for (size_t r = 0; r < s->rate_count; r++)
        hk_text_put(text, "%srate_%zu", r ? ", " : "", r);
    hk_text_put(text, "};\n");
}

static size_t put_leaf_table(const emitter *e, hk_text *text) {
    size_t n = 0;
    for (size_t i = 0; e->leaves && i < e->leaves->count; i++) {
        const hk_leaf *leaf = &e->leaves->all[i];
        if (!leaf->step)
            continue;
        hk_text_put(text, n++ ? "" : "\nstatic const hk_fused_leaf leaves[] = {\n");
        hk_text_put(text, "    {\"%s\", ", leaf->step);
        hk_text_literal(text, leaf->type->name);
        hk_text_put(text, ", %s},\n", leaf->step);
    }
    hk_text_put(text, n ? "};\n" : "");
    return n;
}

static size_t put_instants(const emitter *e, hk_text *text) {
    const hk_system_deeds *s = e->system;
    size_t n = 0;
    for (size_t i = 0; i < s->due_count; i++) {
        unsigned long long due = s->due[i];
        if (!has_instant(e, due))
            continue;
        hk_text_put(text, n++ ? "" : "\nstatic const hk_fused_instant instants[] = {\n");
        hk_text_put(text, "    {UINT64_C(0x%llx), instant_%llx, instant_%llx_says},\n", due, due,
                    due);
    }
    hk_text_put(text, n ? "};\n" : "");
    return n;
}

static const char *table_text(const emitter *e) {
    const hk_system_deeds *s = e->system;
    hk_text text = {0};
    hk_text_put(&text, "/* What the engine finds in the library. */\n#include \"system.h\"\n\n");
    put_declarations(e, &text);
    put_rates(e, &text);
    hk_text_put(&text, "\nstatic const hk_fused_cell cells[] = {\n");
    for (size_t i = 0; i < s->cell_count; i++)
        hk_text_put(&text, "    HK_CELL_ENTRY%s(%s, %u, %u),\n", is_merged(s, i) ? "_IN_PARTS" : "",
                    hk_emit_cell_name(e, i), s->cells[i].rate, s->cells[i].level);
    hk_text_put(&text, "};\n");
    size_t leaves = put_leaf_table(e, &text), instants = put_instants(e, &text);
    hk_text_put(&text,
                "\nextern __attribute__((visibility(\"default\"))) const hk_fused_library "
                "HK_FUSED_NAME;\nconst hk_fused_library HK_FUSED_NAME = {\n"
                "    .abi = HK_FUSED_ABI,\n    .cell_count = %zu,\n    .rate_count = %zu,\n"
                "    .line_count = %zu,\n    .factor_count = %zu,\n    .far_count = %zu,\n"
                "    .leaf_count = %zu,\n    .instant_count = %zu,\n    .system = ",
                s->cell_count, s->rate_count, s->line_count, s->factor_count, s->far_count, leaves,
                instants);
    hk_text_literal(&text, s->model->name ? s->model->name : "");
    hk_text_put(&text,
                ",\n    .layout = UINT64_C(0x%016llx),\n    .slots = UINT64_C(0x%016llx),\n"
                "    .size = sizeof(hk_system),\n    .block_size = %zu,\n"
                "    .cells = cells,\n    .rates = rates,\n%s%s};\n",
                (unsigned long long)s->layout, (unsigned long long)s->slot_layout, s->block_size,
                leaves ? "    .leaves = leaves,\n" : "",
                instants ? "    .instants = instants,\n" : "");
    return hk_emit_keep(e, &text);
}

hk_fuse_printed hk_fuse_emit(hk_arena *arena, const hk_sim *sim, const hk_leaves *leaves) {
    emitter e = {.arena = arena, .system = hk_sim_deeds(sim, arena), .leaves = leaves};
    size_t n = 0, cells = e.system->cell_count;
    e.file = base_name(e.system->model->file ? e.system->model->file : "system");
    hk_emit_find_layouts(&e);
    hk_fuse_text *files = HK_NEW_ARRAY(arena, hk_fuse_text, cells + e.system->due_count + 3);
    files[n++] = (hk_fuse_text){"system.h", hk_emit_header(&e)};
    for (size_t i = 0; i < cells; i++)
        files[n++] = (hk_fuse_text){hk_arena_printf(arena, "%s.c", hk_emit_cell_name(&e, i)),
                                    cell_text(&e, i)};
    for (size_t i = 0; i < e.system->due_count; i++)
        if (has_instant(&e, e.system->due[i]))
            files[n++] = (hk_fuse_text){
                hk_arena_printf(arena, "instant_%llx.c", (unsigned long long)e.system->due[i]),
                instant_text(&e, e.system->due[i])};
    files[n++] = (hk_fuse_text){"says.c", says_text(&e)};
    files[n++] = (hk_fuse_text){"fused.c", table_text(&e)};
    return (hk_fuse_printed){leaves, files, n};
}
