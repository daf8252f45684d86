/* SPDX-License-Identifier: MIT
 *
 * From a .simulation file and its system to a simulation with every name resolved. This file owns
 * the whole, its times and the scenarios; the statements are read by the others. */
#include "base/file.h"
#include "base/number.h"
#include "lang/simulation/simulation_internal.h"

#include <stdlib.h>
#include <string.h>

enum { NAMES_MAX = 8 };
#define FILE_BYTES_MAX ((size_t)16 << 20)

/* ---- messages */

hk_where hk_simread_where(const hk_simread *r, const hk_place *at) {
    return hk_place_where(r->file->file, at);
}

hk_status hk_simread_error(hk_simread *r, hk_status code, const hk_place *at, const char *hint,
                           const char *format, ...) {
    va_list args;
    va_start(args, format);
    hk_complain_args(&r->complaints, code, hk_simread_where(r, at), hint, format, args);
    va_end(args);
    return code;
}

hk_status hk_simread_missing(hk_simread *r, const hk_place *at) {
    if (!r->well_formed)
        return HK_E_LANGUAGE;
    return hk_simread_error(r, HK_E_LANGUAGE, at, NULL, "a name or value is missing here");
}

static char lower(char c) {
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

/* Does WORD end with TAIL, whatever their case? */
static bool ends_with(const char *word, const char *tail) {
    size_t a = strlen(word), b = strlen(tail);
    if (b < 3 || a < b)
        return false;
    for (size_t i = 0; i < b; i++)
        if (lower(word[a - b + i]) != lower(tail[i]))
            return false;
    return true;
}

const char *hk_simread_suggest(hk_simread *r, const char *word, const char *const *names,
                               size_t count) {
    if (!hk_complaints_may_suggest(&r->complaints))
        return NULL;
    const char *hint = hk_complaint_suggest(&r->complaints, r->arena, word, names, count);
    size_t length = strlen(word);
    for (size_t i = 0; i < count && !hint; i++) /* one of several */
        if (strncmp(names[i], word, length) == 0 && names[i][length] == '[')
            hint = hk_hint_name(r->arena, names[i], NULL);
    for (size_t i = 0; i < count && !hint; i++)
        if (ends_with(word, names[i]) || ends_with(names[i], word))
            hint = hk_hint_name(r->arena, names[i], NULL);
    return hint;
}

const char *hk_simread_list(hk_simread *r, const char *const *names, size_t count) {
    const char *text = "";
    size_t shown = count > NAMES_MAX ? NAMES_MAX : count;
    for (size_t i = 0; i < shown; i++)
        text = hk_arena_printf(r->arena, "%s%s'%s'", text,
                               i == 0 ? "" : (i + 1 < count ? ", " : " and "), names[i]);
    return count > shown ? hk_arena_printf(r->arena, "%s and %zu more", text, count - shown) : text;
}

/* ---- events */

static hk_status read_event_time(hk_simread *r, const char *what, const hk_number *number,
                                 hk_ratio *ret_time) {
    HK_TRY(hk_simread_time(r, what, number->text, number->unit, &number->at, ret_time));
    const hk_ratio start = r->model->experiment.start;
    if (r->has_times && hk_ratio_compare(*ret_time, start) < 0)
        return hk_simread_error(r, HK_E_TIME, &number->at, NULL,
                                "%s is before the start of the simulation, %s",
                                hk_simread_show_time(r, *ret_time), hk_simread_show_time(r, start));
    return HK_OK;
}

static hk_status read_event_times(hk_simread *r, const hk_eventdecl *d, hk_event *event) {
    switch (d->kind) {
    case HK_EVENT_INSTANT:
        return read_event_time(r, "the instant", &d->from, &event->from);
    case HK_EVENT_DURING:
        HK_TRY(read_event_time(r, "the beginning", &d->from, &event->from));
        HK_TRY(read_event_time(r, "the end", &d->to, &event->to));
        if (hk_ratio_compare(event->to, event->from) <= 0)
            return hk_simread_error(
                r, HK_E_TIME, &d->to.at, NULL, "'during' ends at %s, but it begins at %s",
                hk_simread_show_time(r, event->to), hk_simread_show_time(r, event->from));
        return HK_OK;
    case HK_EVENT_EVERY:
        event->from = r->model->experiment.start;
        if (*d->from.text)
            HK_TRY(read_event_time(r, "the first time", &d->from, &event->from));
        HK_TRY(hk_simread_time(r, "the period", d->to.text, d->to.unit, &d->to.at, &event->to));
        if (event->to.num <= 0)
            return hk_simread_error(r, HK_E_TIME, &d->to.at, NULL,
                                    "the period of 'every' must be above 0");
        return HK_OK;
    case HK_EVENT_WHEN:
        break;
    }
    hk_status status = hk_simread_condition(r, d->condition, &d->at, &event->condition);
    if (d->until)
        HK_TRY(hk_simread_condition(r, d->until, &d->at, &event->until));
    return status;
}

static int compare_instants(const void *a, const void *b) {
    const hk_event *const *x = a, *const *y = b;
    int order = hk_ratio_compare((*x)->from, (*y)->from);
    return order ? order : (*x < *y ? -1 : *x > *y);
}

/* Instants by time, equal ones as they are written; the others stay where they are. */
static void sort_instants(hk_event *events, size_t count) {
    hk_event *copy = hk_alloc((count + 1) * sizeof *copy);
    const hk_event **instants = hk_alloc((count + 1) * sizeof *instants);
    size_t n = 0, next = 0;
    if (count)
        memcpy(copy, events, count * sizeof *copy);
    for (size_t i = 0; i < count; i++)
        if (copy[i].kind == HK_AT)
            instants[n++] = &copy[i];
    qsort(instants, n, sizeof *instants, compare_instants);
    for (size_t i = 0; i < count; i++)
        if (copy[i].kind == HK_AT)
            events[i] = *instants[next++];
    hk_free(instants);
    hk_free(copy);
}

static void read_events(hk_simread *r, const hk_scenariodecl *decl, hk_scenario *scenario) {
    static const hk_event_kind kinds[] = {[HK_EVENT_INSTANT] = HK_AT,
                                          [HK_EVENT_WHEN] = HK_WHEN,
                                          [HK_EVENT_DURING] = HK_DURING,
                                          [HK_EVENT_EVERY] = HK_EVERY};
    scenario->events = HK_NEW_ARRAY(r->arena, hk_event, decl->event_count + 1);
    for (size_t i = 0; i < decl->event_count; i++) {
        const hk_eventdecl *d = &decl->events[i];
        hk_event *event = &scenario->events[scenario->event_count];
        *event = (hk_event){
            .kind = kinds[d->kind], .once = d->once, .where = hk_simread_where(r, &d->at)};
        hk_status status = read_event_times(r, d, event);
        event->actions =
            hk_simread_block(r, &d->body, d->kind == HK_EVENT_DURING ? HK_IN_DURING : HK_IN_EVENT);
        scenario->event_count += status == HK_OK;
    }
    sort_instants(scenario->events, scenario->event_count);
}

/* ---- scenarios */

/* A number that may be a parameter. */
static hk_status read_quantity(hk_simread *r, const hk_number *number, hk_literal *ret_literal) {
    hk_literal word = {.kind = *number->text == '$' ? HK_LITERAL_WORD : HK_LITERAL_NUMBER,
                       .text = number->text,
                       .unit = number->unit,
                       .at = number->at};
    return hk_simread_literal(r, &word, ret_literal);
}

static void read_repetitions(hk_simread *r, const hk_number *number, int64_t *ret_count) {
    hk_literal l;
    *ret_count = 1;
    if (!*number->text || read_quantity(r, number, &l) != HK_OK)
        return;
    if (!hk_read_i64(l.text, strlen(l.text), ret_count) || l.unit || *ret_count < 1 ||
        *ret_count > HK_REPETITIONS_MAX) {
        *ret_count = 1;
        hk_simread_error(r, HK_E_SCENARIO, &number->at, NULL,
                         "a scenario is played 1 to %d times, found %s", HK_REPETITIONS_MAX,
                         hk_simread_show_literal(r, &l));
    }
}

/* Names of scenarios become parts of file names. */
static void check_scenario_name(hk_simread *r, size_t index) {
    const hk_name *name = &r->file->scenarios[index].name;
    if (!*name->text)
        hk_simread_missing(r, &name->at);
    if (strpbrk(name->text, "/\\:\"*?<>|") || name->text[0] == '.')
        hk_simread_error(r, HK_E_SCENARIO, &name->at, "use letters, digits and '_'",
                         "'%s' is not a name for a scenario", name->text);
    for (size_t i = 0; i < index; i++)
        if (*name->text && strcmp(r->file->scenarios[i].name.text, name->text) == 0) {
            hk_simread_error(r, HK_E_DUPLICATE, &name->at, "give each its own name",
                             "two scenarios are called '%s'; the other one is in line %d",
                             name->text, r->file->scenarios[i].name.at.line);
            return;
        }
}

static void read_scenario(hk_simread *r, size_t index) {
    const hk_scenariodecl *d = &r->file->scenarios[index];
    hk_scenario *s = &r->simulation->scenarios[index];
    *s = (hk_scenario){.name = d->name.text, .where = hk_simread_where(r, &d->at)};
    check_scenario_name(r, index);
    read_repetitions(r, &d->repetitions, &s->repetitions);
    s->begin = hk_simread_block(r, &d->begin, HK_IN_BEGIN);
    read_events(r, d, s);
    s->end = hk_simread_block(r, &d->finish, HK_IN_END);
    hk_simread_expectations(r, d, s);
    hk_simread_logs(r, d, s);
}

static void read_seed(hk_simread *r) {
    const hk_number *seed = &r->file->seed;
    hk_literal l;
    if (!*seed->text || read_quantity(r, seed, &l) != HK_OK)
        return;
    if (l.unit || !hk_read_u64(l.text, strlen(l.text), &r->simulation->seed))
        hk_simread_error(r, HK_E_VALUE, &seed->at, "write a whole number of 0 or more",
                         "the seed is '%s'", hk_simread_show_literal(r, &l));
}

static void read_all(hk_simread *r, const hk_simulation_options *options) {
    hk_simread_parameters(r, options);
    hk_simread_horizon(r);
    read_seed(r);
    hk_simulation *s = r->simulation;
    s->time_unit = r->unit;
    s->begin = hk_simread_block(r, &r->file->begin, HK_IN_BEGIN);
    s->scenarios = HK_NEW_ARRAY(r->arena, hk_scenario, r->file->scenario_count + 1);
    s->scenario_count = r->file->scenario_count;
    for (size_t i = 0; i < s->scenario_count; i++)
        read_scenario(r, i);
    s->end = hk_simread_block(r, &r->file->finish, HK_IN_END);
    if (!s->scenario_count && r->well_formed)
        hk_simread_error(r, HK_E_SCENARIO, &r->file->at, "write scenarios { Scenario NAME ... }",
                         "there is no scenario to play");
}

/* ---- the system */

static hk_status open_system(hk_simread *r, const hk_simulation_options *options,
                             hk_model **ret_model) {
    static const char *const kinds[] = {".system", ".ssp", ".ssd", ".fmu", ".xml"};
    const hk_name *name = &r->file->system;
    if (options && options->system) {
        *ret_model = options->system;
        return HK_OK;
    }
    if (!*name->text)
        return hk_simread_missing(r, &name->at);
    const char *folder = hk_path_folder(r->arena, r->file->file);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        const char *path =
            hk_path_join(r->arena, folder, hk_arena_printf(r->arena, "%s%s", name->text, kinds[i]));
        if (!hk_file_exists(path))
            continue;
        if (i == 0)
            return hk_system_read(r->ctx, path, ret_model);
        if (options && options->open)
            return options->open(options->user, r->ctx, path, ret_model);
        return hk_simread_error(r, HK_E_FILE_KIND, &name->at, NULL,
                                "the system '%s' is a file that cannot be opened here", path);
    }
    return hk_simread_error(
        r, HK_E_NAME, &name->at,
        hk_arena_printf(r->arena,
                        "there is no %s.system, %s.ssp, %s.ssd, %s.fmu or %s.xml (OSP) beside "
                        "this file; --system FILE names another one",
                        name->text, name->text, name->text, name->text, name->text),
        "there is no system '%s'", name->text);
}

hk_status hk_simulation_read_text(hk_ctx *ctx, const char *file, const char *data, size_t size,
                                  const hk_simulation_options *options,
                                  hk_simulation **ret_simulation) {
    hk_arena *arena = hk_arena_create();
    hk_simulation *s = HK_NEW(arena, hk_simulation);
    hk_simulationfile *tree = NULL;
    hk_simread r = {.ctx = ctx, .complaints = {.ctx = ctx}, .arena = arena, .simulation = s};
    s->arena = arena;
    s->file = hk_arena_strdup(arena, file);
    s->model = options ? options->system : NULL;
    hk_status status = hk_simulation_parse(ctx, arena, s->file, data, size, &tree), opened = status;
    if (tree) {
        r.file = tree;
        r.well_formed = status == HK_OK;
        opened = open_system(&r, options, &s->model);
    }
    if (tree && opened == HK_OK) {
        s->name = tree->name.text;
        r.model = s->model;
        read_all(&r, options);
        s->time_unit = r.unit;
        opened = r.complaints.first;
    }
    if (status == HK_OK)
        status = opened;
    if (status != HK_OK) {
        if (options)
            s->model = s->model == options->system ? NULL : s->model;
        hk_simulation_destroy(s);
        return status;
    }
    hk_simread_notes(&r);
    *ret_simulation = s;
    return HK_OK;
}

hk_status hk_simulation_read(hk_ctx *ctx, const char *path, const hk_simulation_options *options,
                             hk_simulation **ret_simulation) {
    char *data;
    size_t size;
    HK_TRY(hk_file_read(ctx, path, FILE_BYTES_MAX, &data, &size));
    hk_status status = hk_simulation_read_text(ctx, path, data, size, options, ret_simulation);
    hk_free(data);
    return status;
}
