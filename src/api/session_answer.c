/* SPDX-License-Identifier: MIT
 *
 * What happened in a session, as `hocket run` tells it. */
#include "api/answer_internal.h"

#include "report/run_report.h"

static hk_status tell_system(hk_asking *a, hk_session *s) {
    int64_t per_second = s->plan->ticks_per_second;
    double time = hk_tick_seconds(hk_sim_now(s->sim), per_second);
    hk_json json;
    hk_run_answer answer = {.file = s->system->request.file,
                            .status = s->ended,
                            .settings = &s->made.settings,
                            .sim = s->sim,
                            .time = time,
                            .simulated_s = hk_sim_profile(s->sim)->simulated_s,
                            .real_time = s->options.real_time,
                            .contract = s->made.contract,
                            .coverage =
                                hk_coverage_read(a->report.arena, s->sim, s->system->model)};
    if (s->record_path && !s->recording.recorder)
        answer.record = (struct hk_run_record){.file = s->record_path,
                                               .rows = s->recorded.rows,
                                               .bytes = s->recorded.bytes,
                                               .columns = s->recording.column_count + 1};
    hk_report_begin(&a->report, &json, "run");
    hk_run_put(&answer, a->report.arena, &json);
    hk_json_end(&json);
    return s->ended;
}

/* A session is one run of its scenario. */
static hk_status tell_scenario(hk_asking *a, hk_session *s) {
    if (!s->outcome)
        return hk_error(s->ctx, HK_E_USAGE, HK_NOWHERE, "hk_session_finish ends it",
                        "the run has not ended, and nothing is decided yet");
    hk_play_run run = *s->outcome;
    hk_play_report report = {
        .runs = &run, .run_count = 1, .asked = 1, .contract = s->made.contract, .all_held = true};
    for (size_t i = 0; i < run.verdict_count; i++)
        report.all_held = report.all_held && run.verdicts[i].held;
    report.all_held = report.all_held && run.status == HK_OK;
    hk_status status = hk_play_outcome(&report, false);
    hk_asking_played(a, &(hk_play_answer){.file = s->system->request.file,
                                          .simulation = s->system->simulation,
                                          .report = &report,
                                          .seconds = hk_sim_profile(s->sim)->total_s,
                                          .status = status,
                                          .exit = hk_play_exit(status)});
    return status;
}

hk_status hk_session_answer(hk_session *session, hk_answer **ret_answer) {
    hk_asking a;
    if (!session || !ret_answer)
        return HK_MISSING_ARGUMENT(session);
    hk_asking_begin(session->system->context, &a);
    return hk_asking_end(
        &a, session->performance ? tell_scenario(&a, session) : tell_system(&a, session),
        ret_answer);
}
