/* SPDX-License-Identifier: MIT
 *
 * A program outside the source tree that asks every question of the library. It is also compiled as
 * C++. The first line that it prints is the answer, as `hocket VERB --json` prints it; each line
 * after that is a number or text that it has read from the answer, as NAME=VALUE. */
#include <hk/answer.h>
#include <hk/base.h>
#include <hk/compare.h>
#include <hk/context.h>
#include <hk/fused.h>
#include <hk/geo.h>
#include <hk/hk.h>
#include <hk/math.h>
#include <hk/plan.h>
#include <hk/prove.h>
#include <hk/random.h>
#include <hk/robochart.h>
#include <hk/service.h>
#include <hk/session.h>
#include <hk/simulation.h>
#include <hk/system.h>
#include <hk/unit.h>
#include <hk/version.h>
#include <hk/world.h>

#include <stdio.h>
#include <string.h>

#define ZERO(x)                                                                                    \
    do {                                                                                           \
        memset(&(x), 0, sizeof(x));                                                                \
        (x).size = sizeof(x);                                                                      \
    } while (0)

#define TRY(call)                                                                                  \
    do {                                                                                           \
        hk_status tried = (call);                                                                  \
        if (tried != HK_OK)                                                                        \
            return tried;                                                                          \
    } while (0)

static void text(const char *name, const char *value) {
    printf("%s=%s\n", name, value ? value : "-");
}

static void number(const char *name, double value) {
    printf("%s=%.17g\n", name, value);
}

static hk_status ask_info(hk_context *context, char **words, hk_answer **ret_answer) {
    static const char *const all[] = {"*"};
    hk_ask_info_options options;
    ZERO(options);
    options.variable = all;
    options.variable_count = 1;
    TRY(hk_ask_info(context, words[0], NULL, &options, ret_answer));
    fputs(hk_answer_json(*ret_answer), stdout);
    return HK_OK;
}

static hk_status ask_check(hk_context *context, char **words, hk_answer **ret_answer) {
    const char *paths[1];
    paths[0] = words[0];
    TRY(hk_ask_check(context, paths, 1, NULL, NULL, ret_answer));
    fputs(hk_answer_json(*ret_answer), stdout);
    return HK_OK;
}

static hk_status read_plan(const hk_answer *answer) {
    hk_plan_info info;
    ZERO(info);
    TRY(hk_plan_get(answer, &info));
    text("algorithm", info.algorithm);
    text("cut", info.cut);
    number("stop_s", info.stop_s);
    number("hyperperiod_s", info.hyperperiod_s);
    for (size_t i = 0; i < info.component_count; i++) {
        hk_plan_component_info c;
        ZERO(c);
        TRY(hk_plan_get_component(answer, i, &c));
        text("component", c.name);
        number("period_s", c.period_s);
        number("phase", c.phase);
    }
    for (size_t i = 0; i < info.connection_count; i++) {
        hk_plan_connection_info c;
        ZERO(c);
        TRY(hk_plan_get_connection(answer, i, &c));
        text("from", c.from);
        text("to", c.to);
        text("lag", c.lag);
        number("lag_s", c.lag_s);
        number("age_max_s", c.age_max_s);
    }
    for (size_t i = 0; i < info.constraint_count; i++) {
        hk_plan_constraint_info c;
        ZERO(c);
        TRY(hk_plan_get_constraint(answer, i, &c));
        text("constraint", c.text);
        number("holds", c.holds);
    }
    for (size_t i = 0; i < info.processor_count; i++) {
        hk_plan_processor_info p;
        ZERO(p);
        TRY(hk_plan_get_processor(answer, i, &p));
        text("processor", p.name);
        number("on_it", (double)p.component_count);
        text("runs_first", p.components[0]);
    }
    text("schedule", info.schedule ? "made" : NULL);
    return HK_OK;
}

static hk_status ask_plan(hk_context *context, char **words, hk_answer **ret_answer) {
    hk_file_options file;
    hk_ask_plan_options options;
    ZERO(file);
    ZERO(options);
    file.stop = words[1];
    options.allocate = (unsigned)(words[2][0] - '0');
    options.program = true;
    TRY(hk_ask_plan(context, words[0], &file, &options, ret_answer));
    fputs(hk_answer_json(*ret_answer), stdout);
    return read_plan(*ret_answer);
}

static hk_status ask_trace(hk_context *context, char **words, hk_answer **ret_answer) {
    hk_ask_trace_options options;
    ZERO(options);
    options.signal = words[1];
    options.at = words[2];
    TRY(hk_ask_trace(context, words[0], NULL, &options, ret_answer));
    fputs(hk_answer_json(*ret_answer), stdout);
    return HK_OK;
}

static hk_status ask_prove(hk_context *context, char **words, hk_answer **ret_answer) {
    hk_ask_prove_options options;
    ZERO(options);
    options.view = words[1];
    TRY(hk_ask_prove(context, words[0], NULL, &options, ret_answer));
    fputs(hk_answer_json(*ret_answer), stdout);
    for (size_t i = 0; i < hk_prove_verdict_count(*ret_answer); i++) {
        hk_verdict_info v;
        ZERO(v);
        TRY(hk_prove_verdict(*ret_answer, i, &v));
        text("verdict", v.name);
        number("state", v.state);
        number("calls", (double)v.call_count);
    }
    text("master", hk_prove_master(*ret_answer) ? "made" : NULL);
    return HK_OK;
}

static hk_status ask_compare(hk_context *context, char **words, hk_answer **ret_answer) {
    hk_ask_compare_options options;
    hk_compare_info info;
    ZERO(options);
    ZERO(info);
    options.rel = 1e-9;
    TRY(hk_ask_compare(context, words[0], words[1], &options, ret_answer));
    fputs(hk_answer_json(*ret_answer), stdout);
    TRY(hk_compare_get(*ret_answer, &info));
    number("equal", info.equal);
    number("signals", (double)info.signal_count);
    number("rows", (double)info.rows);
    text("first_signal", info.first_signal);
    number("first_time", info.first_time);
    for (size_t i = 0; i < info.different_count; i++) {
        hk_compare_signal_info s;
        ZERO(s);
        TRY(hk_compare_get_signal(*ret_answer, i, &s));
        text("differs", s.name);
        number("max_absolute", s.max_absolute);
        text("worst_second", s.worst_second);
    }
    return HK_OK;
}

static bool seen(void *user, size_t done, size_t all, double part) {
    *(double *)user = done == all ? part : -1;
    return true;
}

static hk_status read_run(const hk_answer *answer, size_t run) {
    hk_played_info info;
    ZERO(info);
    TRY(hk_played_get(answer, run, &info));
    text("scenario", info.scenario);
    number("run", (double)info.run);
    number("simulated_s", info.simulated_s);
    number("rows", (double)info.rows);
    text("log", info.log_count ? info.logs[0] : NULL);
    text("event", info.event_count ? info.events[0] : NULL);
    number("activations", (double)info.activations[0]);
    for (size_t i = 0; i < info.expectation_count; i++) {
        hk_expectation_info e;
        ZERO(e);
        TRY(hk_played_expectation(answer, run, i, &e));
        text("expect", e.words);
        number("held", e.held);
    }
    return HK_OK;
}

static hk_status ask_play(hk_context *context, char **words, hk_answer **ret_answer) {
    hk_ask_play_options options;
    double part = 0;
    ZERO(options);
    options.output = words[1];
    options.workers = (unsigned)(words[2][0] - '0');
    options.progress = seen;
    options.progress_user = &part;
    TRY(hk_ask_play(context, words[0], NULL, &options, ret_answer));
    fputs(hk_answer_json(*ret_answer), stdout);
    number("part", part);
    for (size_t i = 0; i < hk_played_count(*ret_answer); i++)
        TRY(read_run(*ret_answer, i));
    for (size_t i = 0; i < hk_study_count(*ret_answer); i++) {
        hk_study_info s;
        ZERO(s);
        TRY(hk_study_get(*ret_answer, i, &s));
        text("study", s.name);
        number("least", s.least);
        number("most", s.most);
        number("max", s.max);
        number("runs", (double)s.runs);
        number("held", (double)s.held);
    }
    return HK_OK;
}

/* Of a system that the program has opened, and goes on with. */
static hk_status ask_of(hk_context *context, char **words, hk_answer **ret_answer) {
    hk_ask_trace_options options;
    hk_file_options file;
    hk_system *system;
    hk_status status;
    ZERO(options);
    ZERO(file);
    file.stop = "2";
    options.signal = words[1];
    options.at = "1/2";
    TRY(hk_system_open_with(context, words[0], &file, &system));
    status = words[1][0] == '-'   ? hk_ask_plan_of(system, NULL, ret_answer)
             : words[1][0] == '?' ? hk_ask_prove_of(system, NULL, ret_answer)
                                  : hk_ask_trace_of(system, &options, ret_answer);
    hk_system_destroy(system);
    if (status == HK_OK)
        fputs(hk_answer_json(*ret_answer), stdout);
    return status;
}

/* A run of a system, advanced by the program: the answer, and where the time went. */
static hk_status run_session(hk_system *system, const char *record, hk_answer **ret_answer) {
    hk_session_options options;
    hk_session *session;
    hk_component_times times;
    hk_status status;
    ZERO(options);
    ZERO(times);
    options.record = record;
    TRY(hk_session_create(system, &options, &session));
    status = hk_session_finish(session);
    if (status == HK_OK)
        status = hk_session_component_times(session, 0, &times);
    if (status == HK_OK)
        status = hk_session_answer(session, ret_answer);
    if (status == HK_OK) {
        fputs(hk_answer_json(*ret_answer), stdout);
        text("component", times.name);
        number("steps", (double)times.steps);
    }
    hk_session_destroy(session);
    return status;
}

static hk_status ask_run(hk_context *context, char **words, hk_answer **ret_answer) {
    hk_system *system;
    hk_status status;
    TRY(hk_system_open(context, words[0], &system));
    status = run_session(system, words[1], ret_answer);
    hk_system_destroy(system);
    return status;
}

typedef hk_status ask_fn(hk_context *context, char **words, hk_answer **ret_answer);

int main(int count, char **words) {
    static const struct {
        const char *verb;
        int operands;
        ask_fn *ask;
    } verbs[] = {{"info", 1, ask_info},   {"check", 1, ask_check}, {"plan", 3, ask_plan},
                 {"trace", 3, ask_trace}, {"prove", 2, ask_prove}, {"compare", 2, ask_compare},
                 {"play", 3, ask_play},   {"run", 2, ask_run},     {"of", 2, ask_of}};
    hk_context *context = NULL;
    hk_answer *answer = NULL;
    hk_status status = HK_E_USAGE;
    if (count < 2 || hk_context_create(&context) != HK_OK)
        return 2;
    for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++)
        if (strcmp(words[1], verbs[i].verb) == 0 && count == 2 + verbs[i].operands)
            status = verbs[i].ask(context, words + 2, &answer);
    if (status != HK_OK)
        fprintf(stderr, "%s\n", hk_context_errors(context));
    else
        number("status", hk_answer_status(answer));
    hk_answer_destroy(answer);
    hk_context_destroy(context);
    return status == HK_OK ? 0 : 1;
}
