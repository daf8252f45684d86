/* SPDX-License-Identifier: MIT
 *
 * What a run has counted (record/coverage.h), from the file beside its record. The lists of a
 * machine are in the order of the module. The digest tells whether it is the same version of it; a
 * file that has that and does not fit was written by something else. */
#include "base/file.h"
#include "chart/chart_run.h"
#include "draw/draw_diagram.h"
#include "format/json_read.h"
#include "format/table_read.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { ABOUT_MAX = 64 << 20 };

static const char *text_of(const hk_json_value *object, const char *name) {
    const hk_json_value *v = hk_json_member(object, name);
    return v && v->kind == HK_JSON_STRING ? v->text : "";
}

/* Takes the next item of a list if it is that of NAME in MACHINE. */
static bool take(const hk_json_value **list, const char *machine, const char *name,
                 const char *what, uint64_t *ret_count) {
    const hk_json_value *item = *list;
    const hk_json_value *count = item ? hk_json_member(item, what) : NULL;
    if (!count || count->kind != HK_JSON_NUMBER || !(count->number >= 0 && count->number < 1e18) ||
        count->number != floor(count->number) || strcmp(text_of(item, "machine"), machine) != 0 ||
        strcmp(text_of(item, "name"), name) != 0)
        return false;
    *ret_count = (uint64_t)count->number;
    *list = item->next;
    return true;
}

static const hk_json_value *first_of(const hk_json_value *object, const char *name) {
    const hk_json_value *list = hk_json_member(object, name);
    return list && list->kind == HK_JSON_ARRAY ? list->first : NULL;
}

static bool is_this_version(const hk_chart *chart, const hk_json_value *component) {
    char digest[17];
    snprintf(digest, sizeof digest, "%016" PRIx64, chart->digest);
    return strcmp(text_of(component, "digest"), digest) == 0;
}

/* The counts of one component; false: it is not this module. */
static bool read_counts(const hk_chart *chart, const hk_json_value *component, uint64_t *nodes,
                        uint64_t *transitions) {
    const hk_json_value *states = first_of(component, "states");
    const hk_json_value *ways = first_of(component, "transitions");
    if (!is_this_version(chart, component))
        return false;
    for (uint32_t m = 0; m < chart->machine_count; m++) {
        const hk_chart_machine *machine = &chart->machines[m];
        for (uint32_t i = 0; i < machine->node_count; i++, nodes++) {
            const hk_chart_node *node = &machine->nodes[i];
            if (node->kind == HK_CHART_STATE &&
                !take(&states, machine->path, node->name, "entered", nodes))
                return false;
        }
        for (uint32_t i = 0; i < machine->transition_count; i++, transitions++)
            if (!take(&ways, machine->path, machine->transitions[i].name, "taken", transitions))
                return false;
    }
    return !states && !ways;
}

/* What was looked at in a record. */
typedef struct search {
    const hk_chart *chart;
    const char *record, *component;
    const char *names; /* of all components that count */
    size_t matching;
    bool named; /* one of them is the component that was asked for */
} search;

static hk_status complain(hk_ctx *ctx, const search *s) {
    hk_where where = {.file = s->record};
    if (!*s->names)
        return hk_error(ctx, HK_E_CSV, where,
                        hk_file_exists(s->record)
                            ? "run the .rct itself: generated C and FMUs do not count"
                            : "make it with 'hocket run ... -o FILE.csv'",
                        hk_file_exists(s->record)
                            ? "beside the record nothing is written about states and transitions"
                            : "there is no such record");
    if (s->matching > 1)
        return hk_error(ctx, HK_E_USAGE, where,
                        "name one: hocket plot FILE.rct COMPONENT --run ...",
                        "several components of the run are this module: %s", s->names);
    if (s->component && !s->named)
        return hk_error(
            ctx, HK_E_CSV, where, NULL,
            "the run does not have a component '%s' with states and transitions; it has "
            "%s",
            s->component, s->names);
    return hk_error(ctx, HK_E_CSV, where, "make the run again if the file was changed since then",
                    s->component ? "its component '%s' is not module '%s' as it is in %s"
                                 : "%s is not module '%s' as it is in %s",
                    s->component ? s->component : s->names, s->chart->name, s->chart->file);
}

static hk_status choose(hk_ctx *ctx, hk_arena *arena, const hk_json_value *root, search *s,
                        hk_diagram_counts *counts) {
    const hk_chart *chart = s->chart;
    const hk_json_value *run = first_of(root, "notes");
    const hk_json_value *c = run ? first_of(run, "coverage") : NULL;
    const char *fitting = "";
    for (; c; c = c->next) {
        uint64_t *nodes =
            HK_NEW_ARRAY(arena, uint64_t, hk_chart_first_node(chart, chart->machine_count) + 1);
        uint64_t *transitions = HK_NEW_ARRAY(
            arena, uint64_t, hk_chart_first_transition(chart, chart->machine_count) + 1);
        const char *name = text_of(c, "component");
        s->names = hk_arena_printf(arena, "%s%s'%s'", s->names, *s->names ? ", " : "", name);
        bool asked = !s->component || strcmp(s->component, name) == 0;
        s->named = s->named || asked;
        if (!asked || !read_counts(chart, c, nodes, transitions))
            continue;
        fitting = hk_arena_printf(arena, "%s%s'%s'", fitting, *fitting ? ", " : "", name);
        s->matching++;
        *counts = (hk_diagram_counts){nodes, transitions, s->record};
    }
    if (s->matching == 1)
        return HK_OK;
    s->names = s->matching ? fitting : s->names;
    return complain(ctx, s);
}

hk_status hk_diagram_learn(hk_ctx *ctx, hk_arena *arena, const hk_chart *chart, const char *record,
                           const char *component, hk_diagram_counts *ret_counts) {
    const char *beside = hk_table_beside_path(arena, record);
    search s = {.chart = chart, .record = record, .component = component, .names = ""};
    hk_json_value *root = NULL;
    char *data = NULL;
    size_t size;
    if (!hk_file_exists(beside))
        return complain(ctx, &s);
    HK_TRY(hk_file_read(ctx, beside, ABOUT_MAX, &data, &size));
    hk_file_text text = {beside, data, size};
    hk_status status = hk_json_read(ctx, arena, HK_E_CSV, &text, &root);
    if (status == HK_OK)
        status = choose(ctx, arena, root, &s, ret_counts);
    hk_free(data);
    return status;
}
