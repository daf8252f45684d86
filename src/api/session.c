/* SPDX-License-Identifier: MIT
 *
 * Sessions: made, advanced, ended. */
#include "api/api_internal.h"

#include "base/seconds.h"
#include "fmi/fmi.h"
#include "record/select.h"

#include <math.h>
#include <string.h>

enum { THREADS_MAX = 256 };

/* --- rows ------------------------------------------------------------------------------------ */

/* The program sees a row before the record takes it. */

static void *row_begin(void *user) {
    return ((hk_session *)user)->row_cells;
}

static bool row_end(void *user, double time) {
    hk_session *s = user;
    s->row.time = time;
    s->options.on_row(s->options.on_row_user, &s->row);
    return true;
}

double hk_row_time(const hk_row *row) {
    return row ? row->time : (double)NAN;
}

size_t hk_row_count(const hk_row *row) {
    return row ? row->session->recording.column_count : 0;
}

static const hk_column *column_at(const hk_row *row, size_t column) {
    return column < hk_row_count(row) ? &row->session->recording.columns[column] : NULL;
}

const char *hk_row_name(const hk_row *row, size_t column) {
    const hk_column *c = column_at(row, column);
    return c ? c->name : NULL;
}

double hk_row_f64(const hk_row *row, size_t column) {
    const hk_column *c = column_at(row, column);
    double value;
    if (!c || c->store == HK_STORE_BYTES ||
        !hk_value_convert(HK_STORE_F64, &value, c->store, row->cells + c->offset, 1))
        return (double)NAN;
    return value;
}

hk_bytes hk_row_bytes(const hk_row *row, size_t column) {
    const hk_column *c = column_at(row, column);
    hk_bytes value = {0};
    if (c && c->store == HK_STORE_BYTES)
        memcpy(&value, row->cells + c->offset, sizeof value);
    return value;
}

static void listen(hk_session *s, hk_sink sink) {
    s->listeners[s->listener_count++] = (hk_listener){
        .sink = sink, .columns = s->recording.columns, .column_count = s->recording.column_count};
}

static hk_status prepare_record(hk_session *s) {
    const hk_session_options *o = &s->options;
    if (!o->record && !o->on_row)
        return HK_OK;
    hk_recording *r = &s->recording;
    HK_TRY(hk_recording_select(s->ctx, s->system->model,
                               (hk_texts){o->record_what, o->record_what_count}, s->arena, r));
    if (o->on_row) {
        s->row_cells = hk_arena_alloc(s->arena, r->row_size + 1);
        s->row = (hk_row){.session = s, .cells = s->row_cells};
        listen(s, (hk_sink){row_begin, row_end, s});
    }
    if (o->record) {
        const char *path = hk_arena_strdup(s->arena, o->record);
        hk_about begun = {.system = s->system->model->name, .model = s->system->model};
        HK_TRY(hk_recording_open(s->ctx, s->system->model, path, &begun, r));
        s->record_path = path;
        s->record_listener = s->listener_count;
        listen(s, hk_recorder_sink(r->recorder));
    } else {
        hk_columns_tell(s->ctx, s->system->model, r->by_default, r->column_count);
    }
    return HK_OK;
}

static hk_status prepare_conditions(hk_session *s) {
    const hk_session_options *o = &s->options;
    hk_texts texts;
    HK_TRY(hk_texts_read(s->ctx, "stop_when", o->stop_when, o->stop_when_count, &texts));
    hk_stop_when *conditions = HK_NEW_ARRAY(s->arena, hk_stop_when, texts.count);
    for (size_t i = 0; i < texts.count; i++)
        HK_TRY(hk_condition_read(s->ctx, s->arena, s->system->model,
                                 &(hk_asker){.who = "stop_when", .fallback = hk_names_hint},
                                 hk_arena_strdup(s->arena, texts.all[i]), &conditions[i]));
    s->made.stop_when = conditions;
    s->made.stop_when_count = texts.count;
    return HK_OK;
}

/* --- life ------------------------------------------------------------------------------------ */

static hk_status check_options(const hk_session *s, const hk_session_options *o) {
    hk_ctx *ctx = s->ctx;
    if (!s->system->simulation && (o->scenario || o->run || o->log_folder))
        return hk_error(ctx, HK_E_USAGE, HK_NOWHERE, "open a .simulation",
                        "scenario, run and log_folder are for simulations");
    if (o->run < 0)
        return hk_error(ctx, HK_E_USAGE, HK_NOWHERE, "the first one is 0", "there is no run %lld",
                        (long long)o->run);
    if (!(o->real_time >= 0) || !(o->timeout_s >= 0) || !isfinite(o->real_time) ||
        !isfinite(o->timeout_s))
        return hk_error(ctx, HK_E_USAGE, HK_NOWHERE, "0 means none",
                        "real_time and timeout_s are finite numbers, 0 or above");
    if (o->threads > THREADS_MAX)
        return hk_error(ctx, HK_E_USAGE, HK_NOWHERE, NULL, "%u threads are more than %d",
                        o->threads, THREADS_MAX);
    if (o->record && (!*o->record || strcmp(o->record, "-") == 0))
        return hk_error(ctx, HK_E_USAGE, HK_NOWHERE, "name a .csv, .mat or .h5 file, or use on_row",
                        "the record needs a file");
    for (size_t i = 0; i < o->record_what_count; i++)
        if (!o->record_what || !o->record_what[i])
            return hk_error(ctx, HK_E_USAGE, HK_NOWHERE, NULL, "record_what[%zu] is NULL", i);
    return HK_OK;
}

/* The player makes the simulation, with what the session asks for. */
static hk_status start_scenario(hk_session *s) {
    const hk_session_options *o = &s->options;
    const char *first = hk_system_scenario(s->system, 0, NULL);
    if (!first)
        return hk_error(s->ctx, HK_E_SCENARIO, (hk_where){.file = s->system->simulation->file},
                        NULL, "the simulation has no scenario");
    s->play =
        (hk_play_options){.folder = o->log_folder ? hk_arena_strdup(s->arena, o->log_folder) : NULL,
                          .no_logs = !o->log_folder,
                          .scenario = o->scenario ? hk_arena_strdup(s->arena, o->scenario) : first,
                          .only_run = o->run,
                          .threads = o->threads,
                          .timeout_s = o->timeout_s,
                          .real_time = o->real_time,
                          .extrapolate = o->extrapolate,
                          .allow_nan = o->allow_nan,
                          .fmi_logging = o->fmu_messages,
                          .listeners = s->listeners,
                          .listener_count = s->listener_count};
    HK_TRY(hk_performance_begin(s->ctx, &s->made, &s->play, &s->performance));
    s->sim = hk_performance_sim(s->performance);
    return HK_OK;
}

static hk_status start(hk_session *s) {
    const hk_session_options *o = &s->options;
    hk_sim_options options = {.real_time = o->real_time,
                              .threads = o->threads,
                              .timeout_s = o->timeout_s,
                              .extrapolate = o->extrapolate,
                              .allow_nan = o->allow_nan,
                              .fmi_logging = o->fmu_messages,
                              .may_go_back = true};
    HK_TRY(check_options(s, o));
    HK_TRY(hk_system_complete(s->system));
    HK_TRY(hk_system_plan(s->system, false, &s->made));
    s->plan = s->made.plan;
    HK_TRY(prepare_record(s));
    HK_TRY(prepare_conditions(s));
    if (s->system->simulation)
        return start_scenario(s);
    options.listeners = s->listeners;
    options.listener_count = s->listener_count;
    return hk_assembly_simulate(s->ctx, &s->made, s->plan, &options, &s->sim);
}

hk_status hk_session_create(hk_system *system, const hk_session_options *options,
                            hk_session **ret_session) {
    static atomic_uint serial;
    if (!system || !ret_session)
        return HK_MISSING_ARGUMENT(system);
    HK_TAKE_OPTIONS(system->ctx, hk_session_options, options, given);
    hk_session *s = hk_alloc(sizeof *s);
    s->system = hk_system_retain(system);
    s->ctx = system->ctx;
    s->arena = hk_arena_create();
    s->serial = atomic_fetch_add(&serial, 1) + 1;
    s->options = given;
    hk_status status = start(s);
    hk_recorder_start(s->recording.recorder);
    /* What the caller's pointers pointed to may be gone from here on. */
    s->options.record = NULL;
    s->options.record_what = NULL;
    s->options.stop_when = NULL;
    s->options.scenario = s->options.log_folder = NULL;
    if (status != HK_OK) {
        hk_session_destroy(s);
        return status;
    }
    *ret_session = s;
    return HK_OK;
}

/* What its record says about a session. */
static hk_about about(const hk_session *s) {
    int64_t per_second = s->plan->ticks_per_second;
    const char *reason = hk_sim_end_reason(s->sim);
    if (!reason && !s->finished)
        reason = s->failed ? "failed" : "closed before its stop time";
    return (hk_about){.system = s->system->model->name,
                      .model = s->system->model,
                      .scenario = s->performance ? s->play.scenario : NULL,
                      .run = s->performance ? s->play.only_run : 0,
                      .start = hk_tick_seconds(s->plan->start, per_second),
                      .end = hk_tick_seconds(hk_sim_now(s->sim), per_second),
                      .ended = reason,
                      .sound = hk_sim_soundness(s->sim),
                      .mathematics = hk_mathematics_read(s->arena, s->sim),
                      .coverage = hk_coverage_read(s->arena, s->sim, s->system->model),
                      .fused = hk_sim_fused(s->sim)};
}

/* The run may go on without it, from a state that is restored. */
static void end_record_rows(hk_session *s) {
    if (s->performance)
        hk_performance_end_rows(s->performance, s->record_listener);
    else if (s->sim)
        hk_sim_end_rows(s->sim, s->record_listener);
}

static hk_status close_record(hk_session *s) {
    hk_recorder *recorder = s->recording.recorder;
    if (recorder)
        end_record_rows(s);
    hk_about said = s->sim ? about(s) : (hk_about){0};
    s->recording.recorder = NULL;
    HK_TRY(
        hk_recorder_close(s->ctx, recorder, s->sim ? &said : NULL, recorder ? &s->recorded : NULL));
    if (recorder)
        hk_record_note(&s->written, s->record_path);
    return HK_OK;
}

void hk_session_destroy(hk_session *session) {
    if (!session)
        return;
    hk_states_detach(session);
    if (close_record(session) != HK_OK)
        session->failed = true; /* said in the context; there is no one else to tell */
    if (session->performance)
        hk_performance_destroy(session->performance);
    else
        hk_sim_destroy(session->sim);
    hk_assembly_close(&session->made);
    if (hk_written_check(session->ctx, &session->written) != HK_OK)
        session->failed = true;
    hk_free(session->vars);
    hk_arena_destroy(session->arena);
    hk_system_destroy(session->system);
    hk_free(session);
}

/* --- time ------------------------------------------------------------------------------------ */

/* From the stop time on the run is brought to its end, with the last row. */
static hk_status run_until(hk_session *s, hk_tick until) {
    if (s->finished || hk_sim_end_reason(s->sim))
        return HK_OK;
    bool last = until >= s->plan->stop;
    until = last ? HK_TICK_NEVER : until;
    hk_status status = s->performance ? hk_performance_run(s->performance, until)
                                      : hk_sim_run_until(s->sim, until);
    s->failed = status != HK_OK;
    s->ended = status;
    s->finished = last && status == HK_OK && !hk_sim_end_reason(s->sim);
    return status;
}

__extension__ typedef __int128 i128;

/* The first tick that is not before the time; beyond every run where it does not fit. */
static hk_tick tick_of(const hk_session *s, hk_ratio time) {
    i128 product = (i128)time.num * s->plan->ticks_per_second;
    i128 tick = product / time.den;
    if (product > 0 && product % time.den)
        tick++;
    if (tick > HK_TICK_LIMIT)
        return HK_TICK_NEVER;
    return tick < -HK_TICK_LIMIT ? -HK_TICK_LIMIT : (hk_tick)tick;
}

hk_status hk_session_advance(hk_session *session, double until) {
    hk_ratio exact;
    if (!session)
        return HK_E_USAGE;
    if (until > 0 && isinf(until))
        return run_until(session, HK_TICK_NEVER);
    if (!hk_seconds_from_double(until, &exact))
        return hk_error(session->ctx, HK_E_TIME, HK_NOWHERE, "hk_session_advance_exact takes any",
                        "the time is not a number, or has too many digits");
    return run_until(session, tick_of(session, exact));
}

hk_status hk_session_advance_exact(hk_session *session, int64_t num, int64_t den) {
    hk_ratio exact;
    if (!session)
        return HK_E_USAGE;
    if (den == 0 || !hk_ratio_make(num, den, &exact))
        return hk_error(session->ctx, HK_E_TIME, HK_NOWHERE, NULL,
                        "the time is not a fraction that fits");
    return run_until(session, tick_of(session, exact));
}

hk_status hk_session_step(hk_session *session, uint64_t count) {
    if (!session)
        return HK_E_USAGE;
    for (uint64_t i = 0; i < count && !session->finished; i++) {
        HK_TRY(run_until(session, hk_sim_now(session->sim) + 1));
        if (hk_sim_end_reason(session->sim))
            return HK_OK;
        /* Nothing is executed at the stop time itself. */
        if (hk_sim_now(session->sim) >= session->plan->end)
            return run_until(session, HK_TICK_NEVER);
    }
    return HK_OK;
}

hk_status hk_session_finish(hk_session *session) {
    if (!session)
        return HK_E_USAGE;
    hk_status status = run_until(session, HK_TICK_NEVER);
    if (session->performance && !session->outcome) {
        session->outcome = hk_performance_end(session->performance);
        status = status != HK_OK ? status : session->outcome->status;
    }
    hk_status closed = close_record(session);
    return status != HK_OK ? status : closed;
}

size_t hk_session_expectation_count(const hk_session *session) {
    return session && session->outcome ? session->outcome->verdict_count : 0;
}

hk_status hk_session_expectation(hk_session *session, size_t index, hk_expectation_info *ret_info) {
    if (!session || !ret_info || index >= hk_session_expectation_count(session))
        return HK_E_USAGE;
    const hk_verdict *v = &session->outcome->verdicts[index];
    hk_expectation_info full = {.words = v->words,
                                .message = v->message,
                                .held = v->held,
                                .undecided = v->undecided,
                                .time = v->time};
    return hk_answer_give(ret_info, &full, sizeof full)
               ? HK_OK
               : hk_wrong_size(session->ctx, "hk_expectation_info");
}

double hk_session_time(const hk_session *session) {
    return session ? hk_tick_seconds(hk_sim_now(session->sim), session->plan->ticks_per_second)
                   : (double)NAN;
}

hk_status hk_session_time_exact(const hk_session *session, int64_t *ret_num, int64_t *ret_den) {
    hk_ratio time;
    if (!session || !ret_num || !ret_den)
        return HK_MISSING_ARGUMENT(session);
    if (!hk_ratio_make(hk_sim_now(session->sim), session->plan->ticks_per_second, &time))
        return HK_E_INTERNAL;
    *ret_num = time.num;
    *ret_den = time.den;
    return HK_OK;
}

bool hk_session_done(const hk_session *session) {
    return !session || session->finished || session->failed || hk_sim_end_reason(session->sim);
}

const char *hk_session_end_reason(const hk_session *session) {
    return session ? hk_sim_end_reason(session->sim) : NULL;
}

void hk_session_interrupt(hk_session *session) {
    if (session)
        hk_sim_interrupt(session->sim);
}

/* --- where the time went --------------------------------------------------------------------- */

hk_status hk_session_times(hk_session *session, hk_run_times *ret_times) {
    if (!session || !ret_times)
        return HK_MISSING_ARGUMENT(session);
    const hk_profile *p = hk_sim_profile(session->sim);
    hk_run_times full = {.total_s = p->total_s,
                         .init_s = p->init_s,
                         .copy_s = p->copy_s,
                         .record_s = p->record_s,
                         .simulated_s = p->simulated_s,
                         .instants = p->instants};
    return hk_answer_give(ret_times, &full, sizeof full)
               ? HK_OK
               : hk_wrong_size(session->ctx, "hk_run_times");
}

hk_status hk_session_component_times(hk_session *session, size_t component,
                                     hk_component_times *ret_times) {
    if (!session || !ret_times || component >= session->system->model->component_count)
        return HK_E_USAGE;
    const hk_profile_row *row = &hk_sim_profile(session->sim)->rows[component];
    hk_component_times full = {.name = row->name,
                               .get_s = row->get_s,
                               .set_s = row->set_s,
                               .step_s = row->step_s,
                               .steps = row->steps};
    return hk_answer_give(ret_times, &full, sizeof full)
               ? HK_OK
               : hk_wrong_size(session->ctx, "hk_component_times");
}

void hk_set_fmu_log(hk_fmu_message_fn *log, void *user) {
    hk_fmu_set_log(log, user);
}
