/* SPDX-License-Identifier: MIT
 *
 * `hocket plan --nodes N` for people. */
#include "cli/view_options.h"

#include <string.h>

/* One line of the table of flows: those that go the same way, as often, with the same lag. */
typedef struct line {
    const char *way, *lag, *period, *rate, *room, *why;
    const char **names;
    size_t count;
} line;

typedef struct lines {
    line *all;
    size_t count;
    hk_map known;
} lines;

static const char *rate_text(const hk_view *view, const hk_plan_flow *f) {
    return f->moves ? hk_show_rounded(view->arena, hk_view_flow_rate(view, f), 6) : "once";
}

/* "2", or "2 of 4": no more ever wait, though there is room for so many. */
static const char *room_text(const hk_view *view, size_t flow) {
    const hk_plan_flows *flows = view->nodes->flows;
    size_t room = hk_plan_flow_room(flows, &flows->all[flow]);
    int64_t most = view->nodes->most[flow];
    return most && most <= (int64_t)room
               ? hk_arena_printf(view->arena, "%lld of %zu", (long long)most, room)
               : hk_arena_printf(view->arena, "%zu", room);
}

static const char *why_text(const hk_view *view, const hk_plan_flow *f) {
    size_t connected = 0, looked = 0, shown = 0;
    for (size_t i = 0; i < f->variable_count; i++) {
        connected += f->variables[i].connected;
        looked += f->variables[i].looked;
        shown += f->variables[i].shown;
    }
    const char *text = connected ? "connections" : "";
    if (looked)
        text = hk_arena_printf(view->arena, "%s%sconditions", text, *text ? ", " : "");
    if (shown)
        text = hk_arena_printf(view->arena, "%s%srows", text, *text ? ", " : "");
    return *text ? text : "progress";
}

static void add_flow(const hk_view *view, lines *to, size_t index) {
    const hk_plan_flow *f = &view->nodes->flows->all[index];
    hk_arena *arena = view->arena;
    line l = {.way = hk_arena_printf(arena, "%s -> %s", hk_view_node(view, f->from),
                                     hk_view_node(view, f->to)),
              .lag = hk_view_time(view, f->lag),
              .period = hk_view_time(view, view->plan->components[f->component].period),
              .rate = rate_text(view, f),
              .room = room_text(view, index),
              .why = why_text(view, f)};
    const char *key =
        hk_arena_printf(arena, "%s|%s|%s|%s|%s|%s", l.way, l.lag, l.period, l.rate, l.room, l.why);
    uint32_t at = hk_map_put(&to->known, key, (uint32_t)to->count);
    if (at == to->count) {
        l.names = HK_NEW_ARRAY(arena, const char *, view->model->component_count);
        to->all[to->count++] = l;
    }
    to->all[at].names[to->all[at].count++] = view->model->components[f->component].name;
}

/* By who sends to whom. */
static lines find_lines(const hk_view *view) {
    const hk_plan_flows *flows = view->nodes->flows;
    lines found = {.all = HK_NEW_ARRAY(view->arena, line, flows->count + 1)};
    for (uint32_t from = 0; from < view->nodes->count; from++)
        for (uint32_t to = 0; to <= view->nodes->count; to++)
            for (size_t i = 0; i < flows->count; i++)
                if (flows->all[i].from == from && flows->all[i].to == to)
                    add_flow(view, &found, i);
    hk_map_finish(&found.known);
    return found;
}

static size_t wider(size_t width, const char *text) {
    size_t length = strlen(text);
    return length > width ? length : width;
}

static void print_flows(const hk_cli *cli, const hk_view *view) {
    lines found = find_lines(view);
    size_t way = strlen("from -> to"), lag = strlen("lag"), period = strlen("period");
    size_t rate = strlen("per s"), room = strlen("room"), why = strlen("for");
    for (size_t i = 0; i < found.count; i++) {
        way = wider(way, found.all[i].way);
        lag = wider(lag, found.all[i].lag);
        period = wider(period, found.all[i].period);
        rate = wider(rate, found.all[i].rate);
        room = wider(room, found.all[i].room);
        why = wider(why, found.all[i].why);
    }
    hk_plan_heading(cli, "Flows");
    printf("  %-*s  %-*s  %-*s  %-*s  %-*s  %-*s  components\n", (int)way, "from -> to", (int)lag,
           "lag", (int)period, "period", (int)rate, "per s", (int)room, "room", (int)why, "for");
    for (size_t i = 0; i < found.count; i++) {
        const line *l = &found.all[i];
        int used = printf("  %-*s  %-*s  %-*s  %*s  %-*s  %-*s  ", (int)way, l->way, (int)lag,
                          l->lag, (int)period, l->period, (int)rate, l->rate, (int)room, l->room,
                          (int)why, l->why);
        hk_plan_words(cli, l->names, l->count, (size_t)used);
    }
    const hk_flow_messages *m = &view->nodes->sum;
    printf("  in all %s messages per second of simulated time, %s in the run\n",
           hk_show_rounded(view->arena, view->nodes->per_second, 6),
           hk_show_count(view->arena, m->before + m->during + m->at_end));
}

static void print_places(const hk_cli *cli, const hk_view *view) {
    const hk_view_nodes *nodes = view->nodes;
    hk_plan_heading(cli, "Nodes");
    if (nodes->scenario) {
        fputs("  of scenario ", stdout);
        hk_put_clean(stdout, nodes->scenario);
        putchar('\n');
    }
    for (uint32_t n = 0; n < nodes->count; n++) {
        const char **names = HK_NEW_ARRAY(view->arena, const char *, view->model->component_count);
        size_t count = 0;
        for (uint32_t c = 0; c < view->model->component_count; c++)
            if (nodes->flows->placement.node_of[c] == n)
                names[count++] = view->model->components[c].name;
        double share = nodes->pace.serial > 0 ? nodes->pace.busy[n] / nodes->pace.serial : 0;
        int used = printf("  %-8s  %s %% of the work: ", hk_view_node(view, n),
                          hk_show_rounded(view->arena, 100 * share, 3));
        if (count)
            hk_plan_words(cli, names, count, (size_t)used);
        else
            puts("nothing");
    }
    puts("  recorder  takes the rows, judges, and runs nothing itself");
}

/* "node 2, node 3": those of which IS says so; NULL: there is none. */
static const char *list_nodes(const hk_view *view, uint32_t node,
                              bool (*is)(const hk_view *, uint32_t, uint32_t)) {
    const char *text = NULL;
    for (uint32_t other = 0; other <= view->nodes->count; other++)
        if (is(view, node, other))
            text = hk_arena_printf(view->arena, "%s%s%s", text ? text : "", text ? ", " : "",
                                   hk_view_node(view, other));
    return text;
}

static void print_waits(const hk_cli *cli, const hk_view *view) {
    hk_plan_heading(cli, "Who can wait for whom");
    for (uint32_t n = 0; n <= view->nodes->count; n++) {
        const char *values = list_nodes(view, n, hk_view_waits_for_values);
        const char *room = list_nodes(view, n, hk_view_waits_for_room);
        printf("  %-8s  ", hk_view_node(view, n));
        if (values)
            printf("for values of %s", values);
        if (room)
            printf("%sfor room at %s", values ? "; " : "", room);
        puts(values || room ? "" : "for nobody");
    }
}

static const char *step_name(const hk_view *view, const hk_pace_step *s) {
    const char *name = view->model->components[s->component].name;
    return s->count > 1 ? hk_arena_printf(view->arena, "%s (+%u)", name, s->count - 1) : name;
}

static void print_path(const hk_cli *cli, const hk_view *view) {
    const hk_pace *pace = &view->nodes->pace;
    hk_arena *arena = view->arena;
    hk_plan_heading(cli, "Critical path");
    for (uint32_t n = 0; n < view->nodes->count; n++)
        if (pace->on_path[n] > 0)
            printf("  %s %% on %s\n",
                   hk_show_rounded(arena, 100 * pace->on_path[n] / pace->parallel, 3),
                   hk_view_node(view, n));
    double simulated =
        hk_tick_seconds(pace->until - view->plan->start, view->plan->ticks_per_second);
    if (simulated > 0)
        printf("  from one node to another %s times per second of simulated time\n",
               hk_show_rounded(arena, (double)pace->crossings / simulated, 4));
    const char **words = HK_NEW_ARRAY(arena, const char *, pace->step_count + 1);
    for (size_t i = 0; i < pace->step_count; i++) {
        const hk_pace_step *s = &pace->steps[i];
        bool moved = i == 0 || s->node != pace->steps[i - 1].node;
        words[i] = moved ? hk_arena_printf(arena, "%s: %s", hk_view_node(view, s->node),
                                           step_name(view, s))
                         : step_name(view, s);
    }
    if (pace->step_count) {
        int used = printf("  its end: ");
        hk_plan_words(cli, words, pace->step_count, (size_t)used);
    }
}

static const char *costs_text(hk_cost_source costs) {
    static const char *const texts[] = {
        "by the costs that are given", "by the costs that were measured",
        "by the costs that are given, others taken as 1 us",
        "all activations taken as 1 us; --measure or --cost tell more"};
    return texts[costs];
}

static void print_speed(const hk_cli *cli, const hk_view *view) {
    const hk_view_nodes *nodes = view->nodes;
    const hk_pace *pace = &nodes->pace;
    hk_arena *arena = view->arena;
    if (pace->parallel <= 0 || nodes->apart.parallel <= 0)
        return;
    double part = hk_tick_seconds(pace->until - view->plan->start, view->plan->ticks_per_second);
    hk_plan_heading(cli, "Speed-up to expect");
    printf("  %s, if each node has a processor and messages take no time (%s)\n",
           hk_show_rounded(arena, pace->serial / pace->parallel, 3), costs_text(nodes->costs));
    printf("  at most %s with any number of nodes\n",
           hk_show_rounded(arena, nodes->apart.serial / nodes->apart.parallel, 3));
    if (nodes->per_second > 0 && part > 0)
        printf(
            "  %s of work for each message; nodes pay above about 1 us over shared memory, 10 us "
            "over sockets\n",
            hk_show_seconds(arena, pace->serial / (nodes->per_second * part)));
}

void hk_plan_print_nodes(const hk_cli *cli, const hk_view *view) {
    if (!view->nodes)
        return;
    print_places(cli, view);
    print_flows(cli, view);
    print_waits(cli, view);
    print_path(cli, view);
    print_speed(cli, view);
}
