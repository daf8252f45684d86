/* SPDX-License-Identifier: MIT
 *
 * The life of an FMI 3.0 co-simulation instance: made, configured, initialised and stepped, with no
 * call that its phase does not allow. Event mode is not used, and no early return offered. */
#include "fmi/fmi3_unit.h"

#include <string.h>

static const hk_instance_names names = {HK_INSTANCE_NAMES("fmi3", "FMUState", "Deserialize"),
                                        .instantiate = "fmi3InstantiateCoSimulation",
                                        .identity = "token", .untyped_refs = true};

/* The message is data, never a format. */
static void callback_log(fmi3InstanceEnvironment environment, fmi3Status status,
                         fmi3String category, fmi3String message) {
    char *text = hk_guarded_message(message);
    char *kind = hk_guarded_text(category, HK_FMU_SAID_BYTES);
    hk_instance_log_from(environment, NULL, status, kind, text);
    hk_free(kind);
    hk_free(text);
}

static hk_status resolve(hk_ctx *ctx, hk_fmi3_unit *unit) {
    enum { OPTIONAL, REQUIRED };
#define FMI3(need, name, result, arguments)                                                        \
    HK_INSTANCE_FIND(ctx, unit, need == REQUIRED, fmi3##name##Fn, name, "fmi3" #name)
    HK_FMI3_FUNCTIONS(FMI3)
#undef FMI3
    unit->in.calls = HK_INSTANCE_CALLS(unit->f, FMUState, Deserialize);
    hk_instance_check_states(&unit->in);
    return HK_OK;
}

/* Some FMUs say why they failed only if they are asked to: a failure without a word helps nobody.
 */
static void ask_for_failures(hk_fmi3_unit *unit) {
    const char *const *categories;
    size_t count;
    if (!unit->f.SetDebugLogging || !hk_instance_log_wish(&unit->in, &categories, &count))
        return;
    hk_instance_calling(&unit->in, "fmi3SetDebugLogging");
    int code = unit->f.SetDebugLogging(unit->in.component, true, count, categories);
    hk_instance_calling(&unit->in, NULL);
    if (code == fmi3Fatal) /* an Error about its log says nothing about the model */
        hk_instance_mark(&unit->in, code);
}

static hk_status instantiate(hk_ctx *ctx, hk_fmi3_unit *unit, const char *library_path) {
    hk_instance *in = &unit->in;
    const hk_fmu_facts *facts = &in->fmu->facts;
    const char *resources =
        facts->has_resources ? hk_arena_printf(in->arena, "%s/resources/", in->fmu->folder) : NULL;
    /* Without event mode no early return is offered: an FMU that may return early stops at an event
     * and leaves it to event mode, which never comes; one that may not handles it by itself. */
    static const bool event_mode = false, early_return = event_mode;
    hk_making making = hk_instance_making(ctx, in, library_path, unit->f.GetVersion);
    HK_TRY(hk_instance_made(ctx, in, &making,
                            unit->f.InstantiateCoSimulation(
                                in->base.name, facts->guid, resources, false, in->logging,
                                event_mode, early_return, NULL, 0, unit, callback_log, NULL)));
    ask_for_failures(unit);
    return HK_OK;
}

static hk_status start_up(hk_ctx *ctx, hk_fmi3_unit *unit) {
    const char *path;
    HK_TRY(hk_instance_load(ctx, &unit->in, &path));
    HK_TRY(resolve(ctx, unit));
    HK_TRY(instantiate(ctx, unit, path));
    return hk_fmi3_configure(ctx, unit);
}

static void unit_close(hk_unit *base) {
    if (base)
        hk_fmi3_free_bytes((hk_fmi3_unit *)base);
    hk_instance_close(base);
}

static hk_status unit_open(hk_ctx *ctx, const hk_info *info, const hk_unit_options *options,
                           hk_unit **ret_unit) {
    hk_instance *in = hk_instance_create(info, options, &names, sizeof(hk_fmi3_unit));
    hk_fmi3_unit *unit = (hk_fmi3_unit *)in;
    unit->options = *options;
    unit->options.name = in->base.name;
    return hk_instance_opened(in, start_up(ctx, unit), ret_unit);
}

static hk_status can_open(hk_ctx *ctx, const hk_info *info) {
    HK_TRY(hk_fmu_can_run(ctx, info));
    for (size_t i = 0; i < info->variable_count; i++) {
        const hk_variable *v = &info->variables[i];
        if (v->type == HK_TYPE_CLOCK)
            return hk_error(ctx, HK_E_FMI_UNSUPPORTED,
                            (hk_where){.file = info->file, .line = v->line, .column = v->column},
                            "export the model without clocks",
                            "the FMU has a clock, '%s', and must be run in event mode, which this "
                            "build does not do",
                            v->name);
    }
    return HK_OK;
}

static hk_status unit_enter_init(hk_ctx *ctx, hk_unit *base) {
    hk_fmi3_unit *unit = (hk_fmi3_unit *)base;
    const hk_unit_options *o = &unit->options;
    HK_TRY(hk_instance_alive(ctx, &unit->in));
    HK_TRY(HK_INSTANCE_CALL(ctx, &unit->in, HK_FMI_ENTER_INIT, "fmi3EnterInitializationMode",
                            unit->f.EnterInitializationMode(unit->in.component,
                                                            o->tolerance_defined, o->tolerance,
                                                            o->start, o->stop_defined, o->stop)));
    unit->in.phase = HK_PHASE_INITIALIZING;
    return HK_OK;
}

static hk_status unit_exit_init(hk_ctx *ctx, hk_unit *base) {
    hk_fmi3_unit *unit = (hk_fmi3_unit *)base;
    return hk_instance_exit_init(ctx, &unit->in, "fmi3ExitInitializationMode",
                                 unit->f.ExitInitializationMode);
}

static void unit_bind_step(hk_unit *base, hk_step_call *ret_call) {
    hk_fmi3_unit *unit = (hk_fmi3_unit *)base;
    /* The flag is noSetFMUStatePriorToCurrentPoint. */
    *ret_call = (hk_step_call){.shape = HK_STEP_REPORTED,
                               .flag = !unit->in.may_go_back,
                               .fn.reported = unit->f.DoStep,
                               .self = unit->in.component,
                               .report = &unit->report,
                               .name = names.step};
}

/* What the last step reported; the report is blank again afterwards. */
static hk_step_report take_report(hk_fmi3_unit *unit) {
    hk_step_report taken = unit->report;
    unit->report = (hk_step_report){0};
    return taken;
}

/* One warning about what the step from T by H reports. */
static void warn_of_step(hk_ctx *ctx, hk_instance *in, double t, double h, const char *hint,
                         const char *what) {
    hk_warn(ctx, HK_E_UNIT_FAILED, hk_instance_where(in), hint,
            "component '%s': %s from t = %s by %s %s", in->base.name, names.step,
            hk_instance_show(in, t), hk_instance_show(in, h), what);
}

/* What a step may not report, but which can be gone on from. Each is reported once per instance. */
static void warn_of_report(hk_ctx *ctx, hk_fmi3_unit *unit, const hk_step_report *said, double t,
                           double h) {
    hk_instance *in = &unit->in;
    if (said->event_needed && !unit->told_event) {
        unit->told_event = true;
        warn_of_step(ctx, in, t, h,
                     "the event is not handled, so its values may be wrong from there on; the FMU "
                     "was told so when the instance was made",
                     "asks for an event, but event mode is off");
    }
    if (said->early && said->last_time > t + h && !unit->told_time) {
        unit->told_time = true;
        warn_of_step(ctx, in, t, h, "the step is taken as complete",
                     hk_arena_printf(in->arena, "says it came to t = %s, beyond its end",
                                     hk_instance_show(in, said->last_time)));
    }
    if (said->early && said->last_time < t + h && !said->terminate && !unit->told_early) {
        unit->told_early = true;
        warn_of_step(
            ctx, in, t, h,
            "the step is continued from there, with the same inputs; the FMU was told that it must "
            "not return early when the instance was made",
            hk_arena_printf(in->arena, "returned early at t = %s, which is not allowed",
                            hk_instance_show(in, said->last_time)));
    }
}

/* The FMU is at an event inside its step and waits for event mode: to step on from there would
 * be to step over the event. */
static hk_status step_at_event(hk_ctx *ctx, hk_instance *in, double t, double h, double last) {
    return hk_error(ctx, HK_E_UNIT_FAILED, hk_instance_where(in),
                    "the FMU was told when the instance was made that event mode is off and that "
                    "it must not return early; export it without event mode",
                    "component '%s': %s from t = %s by %s stopped at t = %s and asks for an event, "
                    "but event mode is off%s",
                    in->base.name, names.step, hk_instance_show(in, t), hk_instance_show(in, h),
                    hk_instance_show(in, last), hk_fmu_log_last(&in->log, in->arena));
}

/* The step returned early and cannot be continued. */
static hk_status step_unfinished(hk_ctx *ctx, hk_instance *in, double t, double h, double last,
                                 const char *why) {
    return hk_error(ctx, HK_E_UNIT_DISCARD, hk_instance_where(in), "try a smaller step",
                    "component '%s': %s from t = %s by %s returned early at t = %s, %s%s",
                    in->base.name, in->names->step, hk_instance_show(in, t),
                    hk_instance_show(in, h), hk_instance_show(in, last), why,
                    hk_fmu_log_last(&in->log, in->arena));
}

/* Goes on with a step that ended early, until it is complete or something else happens. */
static hk_status unit_step_failed(hk_ctx *ctx, hk_unit *base, int code, double t, double h,
                                  hk_stepped *ret_stepped) {
    enum { PIECES_MAX = 10000 };
    hk_fmi3_unit *unit = (hk_fmi3_unit *)base;
    hk_instance *in = &unit->in;
    hk_step_report *r = &unit->report;
    double end = t + h, from = t, length = h;
    for (int pieces = 1;; pieces++) {
        hk_step_report said = take_report(unit);
        double last = said.last_time;
        if (code == fmi3Discard)
            return hk_instance_step_discarded(ctx, in, from, length, NULL);
        if (hk_unit_bad(code))
            return hk_instance_step_error(ctx, in, code, from, length);
        bool early = said.early && last < end;
        if (early && said.event_needed && !said.terminate)
            return step_at_event(ctx, in, from, length, last);
        warn_of_report(ctx, unit, &said, from, length);
        if (said.terminate) {
            double reached = last >= from ? last : from;
            *ret_stepped =
                (hk_stepped){reached < end ? HK_OUTCOME_ENDED : HK_OUTCOME_LAST, reached};
            return HK_OK;
        }
        if (!early) {
            *ret_stepped = (hk_stepped){HK_OUTCOME_DONE, end};
            return HK_OK;
        }
        if (!(last > from))
            return step_unfinished(ctx, in, from, length, last, "without having come any further");
        if (!base->info->can.variable_step)
            return step_unfinished(ctx, in, from, length, last,
                                   "and the FMU cannot do a step of another length");
        if (pieces == PIECES_MAX)
            return step_unfinished(ctx, in, t, h, last, "after 10000 pieces");
        from = last;
        length = end - from;
        HK_TRY(hk_instance_may(ctx, in, HK_FMI_STEP, names.step));
        code =
            unit->f.DoStep(in->component, from, length, !in->may_go_back, (bool *)&r->event_needed,
                           (bool *)&r->terminate, (bool *)&r->early, &r->last_time);
    }
}

const hk_unit_class hk_fmi3_class = {
    HK_INSTANCE_HOOKS(fmi3),
    .can_open = can_open,
    .resize = hk_fmi3_resize,
    .close = unit_close,
};
