/* SPDX-License-Identifier: MIT
 *
 * `hocket plan` for people. */
#include "cli/view_options.h"

#include <string.h>

enum { NAME_WIDTH_MAX = 46 };

void hk_plan_heading(const hk_cli *cli, const char *text) {
    printf("\n%s%s%s\n", hk_style_on(cli->color_out, HK_BOLD), text, hk_style_off(cli->color_out));
}

/* Characters, not bytes, are padded. */
static void put_padded(const char *text, size_t width) {
    size_t shown = 0;
    for (const char *c = text; *c; c++)
        shown += ((unsigned char)*c & 0xC0) != 0x80;
    hk_put_clean(stdout, text);
    printf("%*s", shown < width ? (int)(width - shown) : 0, "");
}

void hk_plan_words(const hk_cli *cli, const char *const *words, size_t count, size_t indent) {
    size_t column = indent;
    for (size_t i = 0; i < count; i++) {
        size_t length = strlen(words[i]) + (i + 1 < count ? 1 : 0);
        if (i && column + 1 + length > (size_t)cli->width) {
            printf("\n%*s", (int)indent, "");
            column = indent;
        } else if (i) {
            putchar(' ');
            column++;
        }
        hk_put_clean(stdout, words[i]);
        if (i + 1 < count)
            putchar(',');
        column += length;
    }
    putchar('\n');
}

static void print_head(const hk_cli *cli, const hk_view *view) {
    const hk_plan *plan = view->plan;
    const hk_model *model = view->model;
    printf("%s%s%s: %zu component%s, %zu connection%s, ", hk_style_on(cli->color_out, HK_BOLD),
           model->name, hk_style_off(cli->color_out), model->component_count,
           hk_plural(model->component_count), model->connection_count,
           hk_plural(model->connection_count));
    if (plan->dependency_count)
        printf("%u service%s, ", plan->dependency_count, hk_plural(plan->dependency_count));
    printf("%s\n", hk_algorithm_words[view->made.settings.algorithm]);
    printf("  tick     %s; from %s to %s\n", hk_view_time(view, 1), hk_view_time(view, plan->start),
           hk_view_time(view, plan->stop));
    printf("  repeats  %s\n", view->gantt.hyperperiod == HK_TICK_NEVER
                                  ? "never within a run"
                                  : hk_arena_printf(view->arena, "after %s",
                                                    hk_view_time(view, view->gantt.hyperperiod)));
    for (size_t r = 0; r < plan->rate_count; r++) {
        const hk_rate *rate = &plan->rates[r];
        const char **names = HK_NEW_ARRAY(view->arena, const char *, rate->count);
        for (size_t i = 0; i < rate->count; i++)
            names[i] = model->components[rate->components[i]].name;
        int used = printf("  %-8s every %s", r ? "" : "rates", hk_view_time(view, rate->period));
        if (rate->offset)
            used += printf(", offset %s", hk_view_time(view, rate->offset));
        used += printf(": ");
        hk_plan_words(cli, names, rate->count, (size_t)used);
    }
    if (model->processor_count)
        printf("  cut      %s\n",
               model->cut == HK_CUT_HLA
                   ? "hla: 'current' values of another processor come one of its steps later"
                   : "keep: processors wait for 'current' values of each other");
}

static size_t name_width(const hk_view *view) {
    size_t widest = strlen("component");
    for (size_t i = 0; i < view->model->component_count; i++) {
        size_t length = strlen(view->model->components[i].name);
        widest = length > widest ? length : widest;
    }
    return widest > NAME_WIDTH_MAX ? NAME_WIDTH_MAX : widest;
}

static void print_order(const hk_cli *cli, const hk_view *view) {
    hk_arena *arena = view->arena;
    size_t width = strlen("processor"), name = name_width(view);
    for (size_t r = 0; r < view->gantt.row_count; r++) {
        size_t length = strlen(view->gantt.rows[r].name);
        width = length > width ? length : width;
    }
    hk_plan_heading(cli, "Order of execution");
    printf("  %-*s  %-8s  phase  %-*s  %s\n", (int)width, "processor", "step", (int)name,
           "component", view->costs ? "period    cost" : "period");
    for (size_t r = 0; r < view->gantt.row_count; r++) {
        const hk_gantt_row *row = &view->gantt.rows[r];
        for (size_t i = 0; i < row->count; i++) {
            uint32_t c = row->components[i];
            const hk_plan_component *p = &view->plan->components[c];
            fputs("  ", stdout);
            put_padded(i ? "" : row->name, width + 2);
            printf("%-8s  %5u  ", i ? "" : hk_view_time(view, row->step), p->level + 1);
            put_padded(view->model->components[c].name, name + 2);
            printf(view->costs ? "%-8s" : "%s", hk_view_time(view, p->period));
            if (view->costs)
                printf("  %s", view->costed[c] ? hk_show_seconds(arena, view->cost_s[c]) : "-");
            putchar('\n');
        }
        if (view->costs)
            printf("  %*s  %-8s  %5s  load %s %%\n", (int)width, "", "", "",
                   hk_show_rounded(arena, 100 * hk_view_load(view, row), 3));
    }
}

static void print_gantt(const hk_cli *cli, const hk_view *view) {
    hk_plan_heading(cli, "Chart");
    hk_gantt_options options = {
        .width = (size_t)cli->width, .colour = cli->color_out, .ascii = !hk_terminal_is_utf8()};
    hk_gantt_text(&view->gantt, view->arena, &options, stdout);
}

/* One line of the table of connections: several signals that go the same way with the same lag, or
 * several services. */
typedef struct line {
    uint32_t hop;
    size_t signals;
    const char *name, *lag, *ages, *initial, *remark;
} line;

/* Connections with the same key are in one line; with a line of its own each has another. */
static const char *line_key(const hk_view *view, uint32_t k, bool each) {
    hk_hop hop = hk_plan_hop(view->plan, k);
    return each ? hk_arena_printf(view->arena, "%u", k)
                : hk_arena_printf(
                      view->arena, "%u %u %lld %d %d %s", hop.from, hop.to, (long long)hop.lag,
                      hop.cut, hk_hop_dependency(view->plan, k) != NULL, hk_view_lag_word(view, k));
}

static const char *line_name(const hk_view *view, const line *l, bool each) {
    hk_hop hop = hk_plan_hop(view->plan, l->hop);
    const char *name =
        each ? hk_hop_name(view->plan, l->hop)
             : hk_arena_printf(view->arena, "%s -> %s", view->model->components[hop.from].name,
                               view->model->components[hop.to].name);
    return l->signals > 1 ? hk_arena_printf(view->arena, "%s (%zu)", name, l->signals) : name;
}

static const char *line_lag(const hk_view *view, uint32_t k) {
    const char *lag = hk_view_time(view, hk_plan_hop(view->plan, k).lag);
    const hk_connection *c = hk_hop_dependency(view->plan, k) ? NULL : &view->model->connections[k];
    return c && c->delay.num ? hk_arena_printf(view->arena, "%s (delay %s)", lag,
                                               hk_view_duration(view, c->delay))
                             : lag;
}

static line *find_lines(const hk_view *view, bool each, size_t *ret_count) {
    line *lines = HK_NEW_ARRAY(view->arena, line, hk_hop_count(view->plan));
    hk_map known = {0};
    size_t count = 0;
    for (uint32_t k = 0; k < hk_hop_count(view->plan); k++) {
        uint32_t at = hk_map_put(&known, line_key(view, k, each), (uint32_t)count);
        if (at == count)
            lines[count++].hop = k;
        lines[at].signals++;
    }
    hk_map_finish(&known);
    for (size_t i = 0; i < count; i++) {
        uint32_t k = lines[i].hop;
        hk_ages ages = hk_age_hop(view->plan, k);
        lines[i].name = line_name(view, &lines[i], each);
        lines[i].lag = line_lag(view, k);
        lines[i].ages = hk_view_ages(view, ages);
        lines[i].initial = ages.has_initial ? hk_view_time(view, ages.initial_until) : "never";
        lines[i].remark = hk_view_remark(view, k);
    }
    *ret_count = count;
    return lines;
}

/* "3 late, 1 skipped in every 10 ms; first at 0, by up to 2 ms". */
static const char *overrun_text(const hk_view *view, uint32_t component) {
    hk_arena *arena = view->arena;
    const hk_execution *e = &view->plan->executions[component];
    if (!e->overruns)
        return "never overrun";
    const char *within = e->repeat
                             ? hk_arena_printf(arena, "in every %s", hk_view_time(view, e->repeat))
                             : "in the run";
    const char *worst =
        e->worst ? hk_arena_printf(arena, ", by up to %s", hk_view_time(view, e->worst)) : "";
    if (component == view->plan->stopper)
        within = "and stops the run";
    return hk_arena_printf(arena, "%u late, %u skipped %s; first at %s%s", e->late, e->skipped,
                           within, hk_view_time(view, e->first), worst);
}

static void print_load(const hk_view *view, uint32_t processor) {
    double load = hk_plan_load(view->plan, processor);
    if (load > 0)
        printf("  load of %s: %s %%\n",
               processor == HK_MAP_NONE ? "the processor" : view->model->processors[processor].name,
               hk_show_rounded(view->arena, 100 * load, 3));
}

static void print_executions(const hk_cli *cli, const hk_view *view) {
    if (!view->plan->executions)
        return;
    hk_plan_heading(cli, "Execution times");
    for (uint32_t i = 0; i < view->model->processor_count; i++)
        print_load(view, i);
    print_load(view, HK_MAP_NONE);
    for (uint32_t i = 0; i < view->model->component_count; i++) {
        const hk_execution *e = &view->plan->executions[i];
        if (!e->costed)
            continue;
        fputs("  ", stdout);
        hk_put_clean(stdout, view->model->components[i].name);
        printf(": cost %s, deadline %s, overrun %s: %s\n", hk_view_time(view, e->cost),
               hk_view_time(view, e->deadline), hk_view_policy(view, i), overrun_text(view, i));
    }
}

static size_t wider(size_t width, const char *text) {
    size_t length = strlen(text);
    return length > width ? length : width;
}

static void print_connections(const hk_cli *cli, const hk_view *view, bool each) {
    size_t count, name = strlen("from -> to"), lag = strlen("lag"), ages = strlen("ages");
    size_t initial = strlen("initial until");
    line *lines = find_lines(view, each, &count);
    if (!count)
        return;
    for (size_t i = 0; i < count; i++) {
        name = wider(name, lines[i].name);
        lag = wider(lag, lines[i].lag);
        ages = wider(ages, lines[i].ages);
        initial = wider(initial, lines[i].initial);
    }
    name = name > NAME_WIDTH_MAX ? NAME_WIDTH_MAX : name;
    hk_plan_heading(cli, "Connections");
    printf("  %-*s  word      %-*s  %-*s  initial until\n", (int)name, "from -> to", (int)lag,
           "lag", (int)ages, "ages");
    size_t used = 2 + name + 2 + 10 + lag + 2 + ages + 2 + initial;
    for (size_t i = 0; i < count; i++) {
        fputs("  ", stdout);
        put_padded(lines[i].name, name + 2);
        bool service = hk_hop_dependency(view->plan, lines[i].hop);
        printf("%-8s  %-*s  %-*s  %s", service ? "service" : hk_view_lag_word(view, lines[i].hop),
               (int)lag, lines[i].lag, (int)ages, lines[i].ages, lines[i].initial);
        const char *remark = lines[i].remark;
        if (remark && used + 2 + strlen(remark) <= (size_t)cli->width)
            printf("%*s  ", (int)(initial - strlen(lines[i].initial)), "");
        else
            printf(remark ? "\n      " : "\n");
        if (remark) {
            hk_put_clean(stdout, remark);
            putchar('\n');
        }
    }
}

static void print_constraint(const hk_cli *cli, const hk_view *view, const hk_constraint *c) {
    hk_violation v;
    bool holds = hk_constraint_holds(view->plan, c, &v), color = cli->color_out;
    printf("  %s%-7s%s ", hk_style_on(color, holds ? HK_GREEN : HK_RED), holds ? "holds" : "BROKEN",
           hk_style_off(color));
    hk_put_clean(stdout, hk_view_constraint(view, c));
    putchar('\n');
    for (size_t p = 0; p < c->path_count; p++) {
        hk_ages ages = hk_view_constraint_ages(view, c, p);
        fputs("          ", stdout);
        if (c->path_count > 1) {
            hk_put_clean(stdout, hk_model_path_name(view->model, &c->paths[p]));
            fputs(": ", stdout);
        }
        printf("age %s", hk_view_ages(view, ages));
        if (ages.has_initial)
            printf(", initial values until %s", hk_view_time(view, ages.initial_until));
        if (ages.chains > HK_CHAINS_MAX)
            printf(" (%d of %s chains of connections, the others are not looked at)", HK_CHAINS_MAX,
                   hk_show_count(view->arena, ages.chains));
        putchar('\n');
    }
}

static void print_constraints(const hk_cli *cli, const hk_view *view) {
    if (!view->model->constraint_count)
        return;
    hk_plan_heading(cli, "Constraints");
    for (size_t i = 0; i < view->model->constraint_count; i++)
        print_constraint(cli, view, &view->model->constraints[i]);
}

static void print_unsatisfied(const hk_unsatisfied *u) {
    fputs("  not satisfied: ", stdout);
    hk_put_clean(stdout, u->text);
    putchar('\n');
    const char *const more[] = {u->broken, u->reason};
    for (size_t i = 0; i < sizeof more / sizeof *more; i++) {
        if (!more[i])
            continue;
        fputs("      ", stdout);
        hk_put_clean(stdout, more[i]);
        putchar('\n');
    }
}

static void print_allocation(const hk_cli *cli, const hk_view *view) {
    const hk_allocation *a = view->allocation;
    hk_arena *arena = view->arena;
    size_t guessed = 0;
    for (size_t i = 0; i < view->model->component_count; i++)
        guessed += !view->costs || !view->costed[i];
    hk_plan_heading(cli, "Allocation");
    printf("  %zu processor%s; %s\n", a->processor_count, hk_plural(a->processor_count),
           a->optimal ? "proved: none is better"
                      : "the best one found; not proved, the search was cut short");
    for (size_t i = 0; i < a->processor_count; i++) {
        const hk_allocated *p = &a->processors[i];
        const char **names = HK_NEW_ARRAY(arena, const char *, p->count);
        for (size_t c = 0; c < p->count; c++)
            names[c] = view->model->components[p->components[c]].name;
        int used = printf("  LP%zu  load %s %%: ", i + 1, hk_show_rounded(arena, 100 * p->load, 3));
        hk_plan_words(cli, names, p->count, (size_t)used);
    }
    printf("  largest load %s %%%s\n", hk_show_rounded(arena, 100 * a->makespan, 3),
           guessed == 0 ? ""
           : guessed == view->model->component_count
               ? " (all activations taken as 1 us; --measure or --cost tell more)"
               : hk_arena_printf(arena, " (those of %zu component%s without a cost taken as 1 us)",
                                 guessed, hk_plural(guessed)));
    printf("  %zu connection%s aged by %s in sum\n", a->aged_count,
           a->aged_count == 1 ? " is" : "s are", hk_view_time(view, a->aged_ticks));
    for (size_t i = 0; i < a->aged_count; i++) {
        fputs("      ", stdout);
        hk_put_clean(stdout, hk_connection_name(view->model,
                                                &view->model->connections[a->aged[i].connection]));
        printf(": + %s\n", hk_view_time(view, a->aged[i].ticks));
    }
    for (size_t i = 0; i < a->unsatisfied_count; i++)
        print_unsatisfied(&a->unsatisfied[i]);
    if (view->schedule_file)
        return;
    hk_plan_heading(cli, "Schedule");
    fputs(hk_allocation_text(arena, view->model, a), stdout);
}

static void print_name(const hk_cli *cli, const hk_view *view, size_t number) {
    const hk_plan *root = view->plan;
    if (root->order_count == 1)
        return;
    printf("\n%sOrder %zu of %zu%s: with ", hk_style_on(cli->color_out, HK_BOLD), number + 1,
           root->order_count, hk_style_off(cli->color_out));
    hk_put_clean(stdout, root->orders[number]->order_name);
    putchar('\n');
}

/* Where the order depends on who is bound, a run goes from one to another; each has its ages. */
static void print_other_orders(const hk_cli *cli, const hk_view *view, bool each) {
    for (size_t i = 1; i < view->plan->order_count; i++) {
        hk_view other = *view;
        other.plan = view->plan->orders[i];
        other.waiting = NULL;
        hk_gantt_init(&other.gantt, view->arena, other.plan, view->cost_s, HK_GANTT_INSTANTS);
        print_name(cli, view, i);
        print_order(cli, &other);
        print_connections(cli, &other, each);
        print_constraints(cli, &other);
    }
}

void hk_plan_print(hk_cli *cli, const hk_view *view, bool each) {
    print_head(cli, view);
    print_name(cli, view, 0);
    print_order(cli, view);
    print_gantt(cli, view);
    print_executions(cli, view);
    print_connections(cli, view, each);
    print_constraints(cli, view);
    print_other_orders(cli, view, each);
    if (view->allocation)
        print_allocation(cli, view);
    hk_plan_print_nodes(cli, view);
}
