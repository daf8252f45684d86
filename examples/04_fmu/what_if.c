/* SPDX-License-Identifier: MIT
 *
 * Opens an FMU or a system of FMUs, runs it in steps, and goes back to a saved state to see what
 * else could have happened.
 *     what_if SYSTEM STOP VARIABLE [PARAMETER VALUE]
 */
#include <hk/hk.h>

#include <stdio.h>
#include <stdlib.h>

#define TRY(call)                                                                                  \
    if ((status = (call)) != HK_OK)                                                                \
    return status

typedef struct work {
    hk_context *context;
    hk_system *system;
    hk_session *session;
    hk_state *half; /* the state at half time */
} work;

static hk_status list(const work *w) {
    hk_status status;
    for (size_t i = 0; i < hk_system_component_count(w->system); i++) {
        hk_component_info info = {.size = sizeof info};
        TRY(hk_system_component(w->system, i, &info));
        printf("%s: %s, %zu variables\n", info.name, info.kind, info.variable_count);
    }
    return HK_OK;
}

static hk_status show(const work *w, hk_var var, const char *when) {
    double value;
    hk_status status;
    TRY(hk_session_get_f64(w->session, var, &value, 1));
    printf("%s: t = %g s, value %.6f\n", when, hk_session_time(w->session), value);
    return HK_OK;
}

static hk_status run(work *w, char **words, int count) {
    hk_status status;
    hk_var var;
    TRY(hk_system_open(w->context, words[1], &w->system));
    TRY(list(w));
    hk_experiment_options experiment = {.size = sizeof experiment, .stop = words[2]};
    TRY(hk_system_set_experiment(w->system, &experiment));
    if (count == 6)
        TRY(hk_system_set_text(w->system, words[4], words[5]));
    TRY(hk_session_create(w->system, NULL, &w->session));
    TRY(hk_session_var(w->session, words[3], &var));

    TRY(hk_session_advance(w->session, strtod(words[2], NULL) / 2));
    TRY(hk_session_save(w->session, &w->half));
    TRY(show(w, var, "half time"));

    TRY(hk_session_finish(w->session));
    TRY(show(w, var, "the end"));

    TRY(hk_session_restore(w->session, w->half));
    TRY(show(w, var, "back"));
    while (!hk_session_done(w->session))
        TRY(hk_session_step(w->session, 100));
    return show(w, var, "the end, in steps of a hundred");
}

int main(int count, char **words) {
    work w = {0};
    if (count != 4 && count != 6) {
        fprintf(stderr, "usage: what_if SYSTEM STOP VARIABLE [PARAMETER VALUE]\n");
        return 2;
    }
    hk_status status = hk_context_create(&w.context);
    if (status == HK_OK)
        status = run(&w, words, count);
    if (status != HK_OK)
        fprintf(stderr, "%s\n", hk_context_errors(w.context));
    hk_state_destroy(w.half);
    hk_session_destroy(w.session);
    hk_system_destroy(w.system);
    hk_context_destroy(w.context);
    return status == HK_OK ? 0 : 1;
}
