/* SPDX-License-Identifier: MIT
 *
 * The library's door of doors_test.py: opens a file and runs it to its stop time, as a program
 * would.
 *
 *   session_door FILE STOP STEP RECORD           a system; everything is recorded
 *   session_door FILE STOP SCENARIO RUN FOLDER   a run of a simulation with its logs, and a record
 *
 * The exit status is that of the session, at most 255; messages go to standard error. */
#include <hk/hk.h>

#include <stdio.h>
#include <stdlib.h>

static hk_status run(hk_context *context, char **words, int count, hk_system **system,
                     hk_session **session) {
    static const char *const everything[] = {"*"};
    hk_experiment_options experiment = {.size = sizeof experiment, .stop = words[2]};
    hk_session_options options = {
        .size = sizeof options, .record_what = everything, .record_what_count = 1};
    static char record[4096];
    hk_status status = hk_system_open(context, words[1], system);
    if (status)
        return status;
    if (hk_system_scenario_count(*system)) {
        options.scenario = words[3];
        options.run = count > 4 ? atoll(words[4]) : 0;
        options.log_folder = words[5];
        snprintf(record, sizeof record, "%s/record.csv", words[5]);
        options.record = record;
    } else {
        experiment.step = experiment.output_interval = words[3];
        options.record = words[4];
    }
    if ((status = hk_system_set_experiment(*system, &experiment)) ||
        (status = hk_session_create(*system, &options, session)))
        return status;
    for (int i = 0; i < 3 && !status; i++) /* in pieces: that is what sessions are for */
        status = hk_session_step(*session, 2);
    return status ? status : hk_session_finish(*session);
}

int main(int count, char **words) {
    hk_context *context = NULL;
    hk_system *system = NULL;
    hk_session *session = NULL;
    if (count < 5 || hk_context_create(&context))
        return 2;
    hk_status status = run(context, words, count, &system, &session);
    hk_session_destroy(session);
    for (size_t i = 0; i < hk_context_message_count(context); i++) {
        hk_message m = {.size = sizeof m};
        if (hk_context_message(context, i, &m) == HK_OK && m.severity == HK_ERROR)
            fprintf(stderr, "error[HK%04d]: %s\n", (int)m.code, m.text);
    }
    hk_system_destroy(system);
    hk_context_destroy(context);
    return status ? 1 : 0;
}
