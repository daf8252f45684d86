/* SPDX-License-Identifier: MIT
 *
 * The life of an FMI 2.0 co-simulation instance: made, initialised and stepped, with no call that
 * its phase does not allow. */
#include "fmi/fmi2_unit.h"

#include <stdlib.h>
#include <string.h>

static const hk_instance_names names = {HK_INSTANCE_NAMES("fmi2", "FMUstate", "DeSerialize"),
                                        .instantiate = "fmi2Instantiate"};

static void callback_step_finished(fmi2ComponentEnvironment environment, fmi2Status status) {
    /* hocket asks for the state of a pending step itself. */
    (void)environment;
    (void)status;
}

/* Nothing of what an FMU hands over is trusted to point to something. */
static void callback_log(fmi2ComponentEnvironment environment, fmi2String instance,
                         fmi2Status status, fmi2String category, fmi2String message, ...) {
    va_list args;
    va_start(args, message);
    hk_instance_log_formatted(environment, instance, status, category, message, args);
    va_end(args);
}

static hk_status resolve(hk_ctx *ctx, hk_fmi2_unit *unit) {
    enum { OPTIONAL, REQUIRED };
#define FMI2(need, name, result, arguments)                                                        \
    HK_INSTANCE_FIND(ctx, unit, need == REQUIRED, fmi2##name##Fn, name, "fmi2" #name)
    HK_FMI2_FUNCTIONS(FMI2)
#undef FMI2
    unit->in.calls = HK_INSTANCE_CALLS(unit->f, FMUstate, DeSerialize);
    hk_instance_check_states(&unit->in);
    return HK_OK;
}

/* Some FMUs say why they failed only if they are asked to: a failure without a word helps nobody.
 * PythonFMU puts its failures into no category, so it is asked for everything, which is little.
 * What the FMU thinks of the question does not matter. */
static void ask_for_failures(hk_fmi2_unit *unit) {
    const char *tool = unit->in.fmu->facts.generation_tool;
    const char *const *categories;
    size_t count;
    if (!unit->f.SetDebugLogging || !hk_instance_log_wish(&unit->in, &categories, &count))
        return;
    if (!unit->in.logging && tool && strncmp(tool, "PythonFMU", 9) == 0)
        count = 0;
    hk_instance_calling(&unit->in, "fmi2SetDebugLogging");
    (void)unit->f.SetDebugLogging(unit->in.component, fmi2True, count, categories);
    hk_instance_calling(&unit->in, NULL);
}

static hk_status instantiate(hk_ctx *ctx, hk_fmi2_unit *unit, const char *library_path) {
    hk_instance *in = &unit->in;
    const char *resources =
        hk_fmu_uri(in->arena, hk_arena_printf(in->arena, "%s/resources", in->fmu->folder));
    /* One that is told of steps in the background must have them; some complain otherwise. */
    fmi2StepFinished *finished = in->base.info->can.asynchronous ? callback_step_finished : NULL;
    unit->callbacks = (fmi2CallbackFunctions){.logger = callback_log,
                                              .allocateMemory = hk_instance_allocate,
                                              .freeMemory = free,
                                              .stepFinished = finished,
                                              .componentEnvironment = unit};
    hk_making making = hk_instance_making(ctx, in, library_path, unit->f.GetVersion);
    HK_TRY(
        hk_instance_made(ctx, in, &making,
                         unit->f.Instantiate(in->base.name, fmi2CoSimulation, in->fmu->facts.guid,
                                             resources, &unit->callbacks, fmi2False, in->logging)));
    ask_for_failures(unit);
    return HK_OK;
}

/* Loads the library, makes the instance and announces the experiment. Parameters come after that:
 * some FMUs forget what was set before fmi2SetupExperiment. */
static hk_status start_up(hk_ctx *ctx, hk_fmi2_unit *unit, const hk_unit_options *options) {
    const char *path;
    HK_TRY(hk_instance_load(ctx, &unit->in, &path));
    HK_TRY(resolve(ctx, unit));
    HK_TRY(instantiate(ctx, unit, path));
    return HK_INSTANCE_CALL(ctx, &unit->in, HK_FMI_SETUP, "fmi2SetupExperiment",
                            unit->f.SetupExperiment(unit->in.component, options->tolerance_defined,
                                                    options->tolerance, options->start,
                                                    options->stop_defined, options->stop));
}

static hk_status unit_open(hk_ctx *ctx, const hk_info *info, const hk_unit_options *options,
                           hk_unit **ret_unit) {
    hk_instance *in = hk_instance_create(info, options, &names, sizeof(hk_fmi2_unit));
    return hk_instance_opened(in, start_up(ctx, (hk_fmi2_unit *)in, options), ret_unit);
}

static hk_status unit_enter_init(hk_ctx *ctx, hk_unit *base) {
    hk_fmi2_unit *unit = (hk_fmi2_unit *)base;
    HK_TRY(hk_instance_alive(ctx, &unit->in));
    HK_TRY(HK_INSTANCE_CALL(ctx, &unit->in, HK_FMI_ENTER_INIT, "fmi2EnterInitializationMode",
                            unit->f.EnterInitializationMode(unit->in.component)));
    unit->in.phase = HK_PHASE_INITIALIZING;
    return hk_fmi2_set_waiting(ctx, unit);
}

static hk_status unit_exit_init(hk_ctx *ctx, hk_unit *base) {
    hk_fmi2_unit *unit = (hk_fmi2_unit *)base;
    return hk_instance_exit_init(ctx, &unit->in, "fmi2ExitInitializationMode",
                                 unit->f.ExitInitializationMode);
}

static void unit_bind_step(hk_unit *base, hk_step_call *ret_call) {
    hk_fmi2_unit *unit = (hk_fmi2_unit *)base;
    /* The flag is noSetFMUStatePriorToCurrentPoint. */
    *ret_call = (hk_step_call){.shape = HK_STEP_FLAGGED,
                               .flag = !unit->in.may_go_back,
                               .fn.flagged = unit->f.DoStep,
                               .self = unit->in.component,
                               .name = names.step,
                               .may_pend = base->info->can.asynchronous};
}

static hk_status step_discarded(hk_ctx *ctx, hk_fmi2_unit *unit, double t, double h,
                                hk_stepped *ret_stepped) {
    hk_instance *in = &unit->in;
    fmi2Boolean terminated = fmi2False;
    fmi2Real last = t;
    int time_code = fmi2Discard, end_code = fmi2Discard; /* what cannot be asked is not known */
    in->phase = HK_PHASE_DISCARDED;
    if (unit->f.GetRealStatus && hk_instance_legal(in, HK_FMI_STEP_STATUS))
        time_code = unit->f.GetRealStatus(in->component, fmi2LastSuccessfulTime, &last);
    hk_instance_mark(in, time_code);
    if (unit->f.GetBooleanStatus && hk_instance_legal(in, HK_FMI_STEP_STATUS))
        end_code = unit->f.GetBooleanStatus(in->component, fmi2Terminated, &terminated);
    hk_instance_mark(in, end_code);
    bool last_known = !hk_unit_bad(time_code);
    if (terminated && !hk_unit_bad(end_code) && in->phase == HK_PHASE_DISCARDED) {
        double end = last_known ? last : t;
        in->phase = HK_PHASE_ENDING;
        *ret_stepped = (hk_stepped){end < t + h ? HK_OUTCOME_ENDED : HK_OUTCOME_LAST, end};
        return HK_OK;
    }
    return hk_instance_step_discarded(ctx, in, t, h, last_known ? &last : NULL);
}

static hk_status unit_step_failed(hk_ctx *ctx, hk_unit *base, int code, double t, double h,
                                  hk_stepped *ret_stepped) {
    hk_fmi2_unit *unit = (hk_fmi2_unit *)base;
    if (hk_instance_stepped(&unit->in, code, t, h, ret_stepped))
        return HK_OK;
    if (code == fmi2Discard)
        return step_discarded(ctx, unit, t, h, ret_stepped);
    return hk_instance_step_error(ctx, &unit->in, code, t, h);
}

static hk_status unit_step_wait(hk_ctx *ctx, hk_unit *base, double t, double h,
                                hk_stepped *ret_stepped) {
    int code = hk_instance_wait_step((hk_instance *)base, ((hk_fmi2_unit *)base)->f.GetStatus);
    return unit_step_failed(ctx, base, code, t, h, ret_stepped);
}

const hk_unit_class hk_fmi2_class = {
    HK_INSTANCE_HOOKS(fmi2),
    .can_open = hk_fmu_can_run,
    .close = hk_instance_close,
    .step_wait = unit_step_wait,
};
