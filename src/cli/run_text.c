/* SPDX-License-Identifier: MIT
 *
 * What happened in a run: summary, statistics, the answer. */
#include "base/file.h"
#include "cli/run.h"
#include "engine/fused.h"
#include "report/run_report.h"

#include <string.h>

static void put_record(FILE *out, const hk_run *run) {
    hk_arena *arena = run->cli->arena;
    const char *name = strcmp(run->record, "-") == 0 ? "standard output" : run->record;
    const char *bytes = hk_show_bytes(arena, (double)run->recorded.bytes);
    if (!run->recorded.bytes)
        fprintf(out, "written    nothing: %s\n",
                run->recorded.cut            ? "it could not be written"
                : run->recorded.kept_earlier ? "the run ended in its first step"
                                             : "the run ended before the first row");
    else if (run->recorded.cut)
        fprintf(out, "written    %s, in part (%s)\n", name, bytes);
    else
        fprintf(out, "written    %s (%s row%s, %s)\n", name,
                hk_show_count(arena, run->recorded.rows), run->recorded.rows == 1 ? "" : "s",
                bytes);
}

void hk_run_summary(const hk_run *run, hk_status status) {
    hk_arena *arena = run->cli->arena;
    const hk_profile *profile = hk_sim_profile(run->sim);
    const char *reason = hk_sim_end_reason(run->sim);
    FILE *out = stderr;
    fprintf(out, "simulated  %s s in %s (%sx real time), %s steps\n",
            hk_show_f64(arena, run->simulated_s), hk_show_seconds(arena, profile->total_s),
            hk_show_rounded(arena, hk_run_factor(run->sim, run->simulated_s), 3),
            hk_show_count(arena, profile->instants));
    hk_soundness sound = hk_sim_soundness(run->sim);
    hk_run_put_sound(out, arena, &sound, run->made.contract);
    hk_fused_count fused = hk_sim_fused(run->sim);
    if (run->request.fused && fused.cells)
        fprintf(out, "fused      %zu of %zu cells, %s activations\n", fused.fused, fused.cells,
                hk_show_count(arena, fused.runs));
    if (run->interrupted)
        fprintf(out, "ended      at %s s: interrupted\n", hk_show_f64(arena, run->time));
    else if (reason)
        fprintf(out, "ended      at %s s: %s\n", hk_show_f64(arena, run->time), reason);
    else if (status != HK_OK)
        fprintf(out, "failed     at %s s\n", hk_show_f64(arena, run->time));
    if (run->record && !run->record_is_private)
        put_record(out, run);
    if (run->plotted)
        fprintf(out, "plotted    %s\n", run->plotted);
    if (run->reported)
        fprintf(out, "report     %s\n", run->reported);
    hk_run_put_left(out, arena, run->checkpoints.path, &run->left);
    if (run->saved)
        fprintf(out, "state      %s\n", run->saved);
    if (run->traced)
        fprintf(out, "traced     %s\n", run->traced);
    if (run->log.open)
        fprintf(out, "logged     %s\n", run->log.file.path);
    if (!run->record && !run->plotted && !run->reported)
        fprintf(out, "written    nothing: no -o FILE was given\n");
}

void hk_run_warn_of_end(const hk_run *run) {
    uint32_t component = hk_sim_ended_by(run->sim);
    if (component == HK_MAP_NONE)
        return;
    const char *stop =
        hk_show_f64(run->cli->arena, hk_tick_seconds(run->plan->stop, run->plan->ticks_per_second));
    hk_warn(run->cli->ctx, HK_E_UNIT_DISCARD,
            (hk_where){.file = run->model->file, .element = run->model->components[component].name},
            NULL, "%s, before the stop time, %s s", hk_sim_end_reason(run->sim), stop);
}

static const char *share_text(const hk_run *run, double seconds, double total) {
    int tenths = total > 0 ? (int)(1000 * seconds / total + 0.5) : 0;
    return hk_arena_printf(run->cli->arena, "%d.%d %%", tenths / 10, tenths % 10);
}

/* LINE with the values of the options NAMES, as they were given. */
static const char *with_options(const hk_run *run, const char *line, const char *const *names,
                                size_t count) {
    hk_arena *arena = run->cli->arena;
    const char *value;
    for (size_t k = 0; k < count; k++)
        for (size_t i = 0; (value = hk_args_nth(run->args, names[k], i)); i++)
            line =
                hk_arena_printf(arena, "%s --%s=%s", line, names[k], hk_shell_word(arena, value));
    return line;
}

/* The command that gives the same result again. It is part of the record, so it does not say in
 * which way it was run: records are the same in all of them. */
static const char *reproduction(const hk_run *run) {
    hk_arena *arena = run->cli->arena;
    const char *line =
        run->cli->tool ? hk_shell_word(arena, hk_path_name(run->cli->tool->file))
                       : hk_arena_printf(arena, "hocket run %s", hk_shell_word(arena, run->file));
    line = hk_run_reproduce(arena, line, &run->made.settings);
    static const char *const valued[] = {"schedule", "parameter-set", "set-file",
                                         "set",      "input-file",    "load-state",
                                         "resume",   "stop-when",     "output-variable"};
    line = with_options(run, line, valued, sizeof valued / sizeof *valued);
    static const char *const switches[] = {"tell-stop-time", "extrapolate", "allow-nan",
                                           "allow-stopped",  "fused",       "no-fused"};
    for (size_t k = 0; k < sizeof switches / sizeof *switches; k++)
        if (hk_args_has(run->args, switches[k]))
            line = hk_arena_printf(arena, "%s --%s", line, switches[k]);
    return line;
}

/* The same, in the way it was run. */
const char *hk_run_repetition(const hk_run *run) {
    return with_options(run, reproduction(run), hk_request_ways, HK_WAYS);
}

hk_about hk_run_about_begun(const hk_run *run) {
    return (hk_about){
        .system = run->model->name, .model = run->model, .reproduce = reproduction(run)};
}

hk_about hk_run_about(const hk_run *run, hk_status status) {
    const char *reason = hk_sim_end_reason(run->sim);
    if (run->interrupted)
        reason = "interrupted";
    else if (status != HK_OK)
        reason = hk_arena_printf(run->cli->arena, "failed: HK%04d", (int)status);
    return (hk_about){
        .system = run->model->name,
        .model = run->model,
        /* A record that goes on has the rows of before, too. */
        .start = hk_tick_seconds(run->recording.resumed ? run->plan->start : run->began,
                                 run->plan->ticks_per_second),
        .end = run->time,
        .ended = reason,
        .sound = hk_sim_soundness(run->sim),
        .mathematics = hk_mathematics_read(run->cli->arena, run->sim),
        .coverage = hk_coverage_read(run->cli->arena, run->sim, run->model),
        .fused = hk_sim_fused(run->sim),
        .contract = run->made.contract,
        .reproduce = reproduction(run),
    };
}

/* Who has taken more of the real time than lies between two activations. */
static const char *overran_text(const hk_run *run, const hk_profile *p) {
    hk_arena *arena = run->cli->arena;
    const char *text = "";
    for (size_t i = 0; i < p->row_count; i++)
        if (p->rows[i].overran)
            text = hk_arena_printf(arena, "%s%s '%s' in %s of %s steps", text, *text ? "," : "",
                                   p->rows[i].name, hk_show_count(arena, p->rows[i].overran),
                                   hk_show_count(arena, p->rows[i].timed));
    return *text ? hk_arena_printf(arena, "overran:%s", text) : "no component overran its period";
}

/* Blanks behind NAME in a column of WIDTH. */
static int padding(const char *name, size_t width) {
    size_t length = strlen(name);
    return length < width ? (int)(width - length) : 0;
}

/* What each node did; the rest of its time it has waited for others. */
static void put_nodes(const hk_run *run, FILE *out) {
    hk_arena *arena = run->cli->arena;
    for (unsigned i = 0; i < hk_nodes_count(run->nodes); i++) {
        hk_node_about node = hk_nodes_about(run->nodes, i);
        if (!*node.members) {
            fprintf(out, "node %u: no component\n", i + 1);
            continue;
        }
        fprintf(out, "node %u: busy %s (%s), asked for messages %s times, sent %s", i + 1,
                hk_show_seconds(arena, node.did.busy_s),
                share_text(run, node.did.busy_s, node.did.total_s),
                hk_show_count(arena, node.did.waits), hk_show_count(arena, node.sent));
        if (run->options.real_time > 0)
            fprintf(out, ", %s late at the worst instant", hk_show_seconds(arena, node.did.late_s));
        if (run->options.threads > 1)
            fprintf(out, ", %u of up to %u threads in use", node.did.threads, run->options.threads);
        fputs(": ", out);
        hk_put_clean(out, node.members);
        fputc('\n', out);
    }
}

/* One process would have needed little more than what all nodes together were busy. */
static void put_whether_nodes_pay(const hk_run *run, FILE *out) {
    hk_arena *arena = run->cli->arena;
    double total = hk_sim_profile(run->sim)->total_s, busy = 0;
    for (unsigned i = 0; i < hk_nodes_count(run->nodes); i++)
        busy += hk_nodes_about(run->nodes, i).did.busy_s;
    if (run->options.real_time > 0 || busy > total / 2)
        return;
    fprintf(out,
            "hint: nodes do not pay here: together they were busy for %s of %s, and waited for "
            "messages else; hocket plan %s --nodes %u --measure shows the speed-up to expect\n",
            hk_show_seconds(arena, busy), hk_show_seconds(arena, total),
            hk_shell_word(arena, run->file), run->request.nodes);
}

/* What of its state machines a run has seen. */
static void put_coverage(const hk_run *run, FILE *out) {
    hk_arena *arena = run->cli->arena;
    hk_coverages coverage = hk_coverage_read(arena, run->sim, run->model);
    for (size_t i = 0; i < coverage.count; i++) {
        const hk_coverage *c = &coverage.all[i];
        fputs("coverage: ", out);
        hk_put_clean(out, c->component);
        fprintf(out, ": %zu of %zu states entered, %zu of %zu transitions taken\n", c->states_seen,
                c->states, c->transitions_seen, c->transitions);
        for (size_t k = 0; k < c->info->covered_count; k++) {
            const hk_covered *item = &c->info->covered[k];
            if (item->state || item->transition)
                fprintf(out, "  %-10s %-30s %12s\n", item->state ? "state" : "transition",
                        hk_arena_printf(arena, "%s.%s%s%s", item->group, item->inside,
                                        *item->inside ? "." : "", item->name),
                        hk_show_count(arena, c->counts[k]));
        }
    }
}

void hk_run_stats(const hk_run *run) {
    hk_arena *arena = run->cli->arena;
    const hk_profile *p = hk_sim_profile(run->sim);
    double known = p->copy_s + p->record_s, most = 0;
    for (size_t i = 0; i < p->row_count; i++)
        known += p->rows[i].get_s + p->rows[i].set_s + p->rows[i].step_s;
    double total = p->total_s;
    const char *slowest = NULL;
    FILE *out = stderr;
    fprintf(out, "\n%-20s %12s %9s %9s %9s %8s\n", "component", "steps", "get", "set", "step",
            "share");
    for (size_t i = 0; i < p->row_count; i++) {
        const hk_profile_row *row = &p->rows[i];
        double sum = row->get_s + row->set_s + row->step_s;
        if (sum > most) {
            most = sum;
            slowest = row->name;
        }
        hk_put_clean(out, row->name);
        fprintf(out, "%*s %12s %9s %9s %9s %8s\n", padding(row->name, 20), "",
                hk_show_count(arena, row->steps), hk_show_seconds(arena, row->get_s),
                hk_show_seconds(arena, row->set_s), hk_show_seconds(arena, row->step_s),
                share_text(run, sum, total));
    }
    double rest = total - known > 1e-9 ? total - known : 0; /* below that it is rounding */
    fprintf(out, "%-20s %42s %8s\n", "copies", hk_show_seconds(arena, p->copy_s),
            share_text(run, p->copy_s, total));
    fprintf(out, "%-20s %42s %8s\n", "recording", hk_show_seconds(arena, p->record_s),
            share_text(run, p->record_s, total));
    if (!run->nodes) /* else times of several processes, which pass at the same time */
        fprintf(out, "%-20s %42s %8s\n",
                run->options.real_time > 0 ? "waiting, all else" : "all else",
                hk_show_seconds(arena, rest), share_text(run, rest, total));
    fprintf(out, "%-20s %42s\n", "total", hk_show_seconds(arena, p->total_s));
    fprintf(out, "\ninitialised in %s; %s steps; %sx real time; times are sampled\n",
            hk_show_seconds(arena, p->init_s), hk_show_count(arena, p->instants),
            hk_show_rounded(arena, hk_run_factor(run->sim, run->simulated_s), 3));
    if (run->nodes) {
        put_nodes(run, out);
        put_whether_nodes_pay(run, out);
    }
    if (run->record)
        fprintf(out, "record: written beside the run in %s, which waited %s for it\n",
                hk_show_seconds(arena, run->recorded.busy_s),
                hk_show_seconds(arena, run->recorded.wait_s));
    if (run->options.real_time > 0)
        fprintf(out, "pace: %s late at the worst instant; %s\n",
                hk_show_seconds(arena, hk_sim_worst_late(run->sim)), overran_text(run, p));
    if (run->options.threads > 1 && !run->nodes)
        fprintf(out, "threads: %u of up to %u in use\n", hk_sim_threads(run->sim),
                run->options.threads);
    put_coverage(run, out);
    if (slowest) {
        fputs("slowest: ", out);
        hk_put_clean(out, slowest);
        fprintf(out, ", %s of the time\n", share_text(run, most, total));
    }
    const char *hash = hk_run_hash(arena, run->file);
    fprintf(out, "reproduce: %s\n           hocket %s, sha256 %s\n", hk_run_repetition(run),
            run->cli->build->version, hash ? hash : "unknown");
}

static struct hk_run_record record_of(const hk_run *run) {
    if (!run->record || run->record_is_private)
        return (struct hk_run_record){0};
    return (struct hk_run_record){.file = run->record,
                                  .rows = run->recorded.rows,
                                  .bytes = run->recorded.bytes,
                                  .columns = run->recording.column_count + 1};
}

void hk_run_tell(const hk_run *run, hk_status status) {
    hk_json json;
    hk_run_answer answer = {.file = run->file,
                            .status = status,
                            .settings = &run->made.settings,
                            .reproduce = hk_run_repetition(run),
                            .sim = run->ran ? run->sim : NULL,
                            .time = run->time,
                            .simulated_s = run->simulated_s,
                            .interrupted = run->interrupted,
                            .nodes = run->nodes,
                            .fused = run->request.fused != NULL,
                            .real_time = run->options.real_time,
                            .contract = run->made.contract,
                            .coverage =
                                run->sim ? hk_coverage_read(run->cli->arena, run->sim, run->model)
                                         : (hk_coverages){0},
                            .record = record_of(run),
                            .plot = run->plotted,
                            .page = run->reported,
                            .checkpoint = run->checkpoints.path,
                            .left = run->left,
                            .state = run->saved,
                            .trace = run->traced,
                            .log = run->log.open ? run->log.file.path : NULL};
    hk_answer_begin(run->cli, &json, "run");
    hk_run_put(&answer, run->cli->arena, &json);
    hk_answer_end(&json);
}
