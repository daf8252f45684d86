/* SPDX-License-Identifier: MIT
 *
 * The life of an FMI 1.0 co-simulation instance. There is no initialization mode: all is set before
 * fmiInitializeSlave and outputs can be read only after it, so that it is called when the first
 * output is asked for. */
#include "fmi/fmi1_unit.h"

#include <stdlib.h>

static const hk_instance_names names = {
    .version = "fmiGetVersion",
    .instantiate = "fmiInstantiateSlave",
    .terminate = "fmiTerminateSlave",
    .free = "fmiFreeSlaveInstance",
    .step = "fmiDoStep",
    .state_get = "hkGetState",
    .state_set = "hkSetState",
    .state_free = "hkFreeState",
    .state_size = "hkStateSize",
    .state_save = "hkSaveState",
    .state_load = "hkLoadState",
};

static void callback_step_finished(fmi1Component c, fmi1Status status) {
    /* hocket asks for the state of a pending step itself. */
    (void)c;
    (void)status;
}

/* A function of the library: "<modelIdentifier>_<NAME>". */
static hk_symbol *find(const hk_fmi1_unit *unit, const char *name) {
    return hk_library_find(
        unit->in.library,
        hk_arena_printf(unit->in.arena, "%s_%s", unit->in.fmu->facts.model_identifier, name));
}

static hk_status resolve(hk_ctx *ctx, hk_fmi1_unit *unit) {
    enum { OPTIONAL, REQUIRED };
    bool there;
#define FMI1(need, name, result, arguments)                                                        \
    unit->f.name = (fmi1##name##Fn *)find(unit, "fmi" #name);                                      \
    there = unit->f.name != NULL;                                                                  \
    if (need == REQUIRED && !there)                                                                \
        return hk_instance_need(ctx, &unit->in, there,                                             \
                                hk_arena_printf(unit->in.arena, "%s_fmi%s",                        \
                                                unit->in.fmu->facts.model_identifier, #name));
    HK_FMI1_FUNCTIONS(FMI1)
#undef FMI1
    if (unit->in.base.info->can.save_state) {
#define FMI1X(name, result, arguments) unit->f.name = (fmi1##name##Fn *)find(unit, "hk" #name);
        HK_FMI1_EXTENSIONS(FMI1X)
#undef FMI1X
    }
    unit->in.calls = (hk_instance_calls){.terminate = unit->f.TerminateSlave,
                                         .free = unit->f.FreeSlaveInstance,
                                         .state_get = unit->f.GetState,
                                         .state_set = unit->f.SetState,
                                         .state_free = unit->f.FreeState,
                                         .state_size = unit->f.StateSize,
                                         .state_save = unit->f.SaveState,
                                         .state_load = unit->f.LoadState};
    hk_instance_check_states(&unit->in);
    return HK_OK;
}

static hk_status instantiate(hk_ctx *ctx, hk_fmi1_unit *unit, const char *library_path) {
    hk_instance *in = &unit->in;
    /* One that is told of steps in the background must have them; some complain otherwise. */
    fmi1StepFinished *finished = in->base.info->can.asynchronous ? callback_step_finished : NULL;
    fmi1CallbackFunctions callbacks = {.logger = hk_fmi1_log,
                                       .allocateMemory = hk_instance_allocate,
                                       .freeMemory = free,
                                       .stepFinished = finished};
    hk_making making = hk_instance_making(ctx, in, library_path, unit->f.GetVersion);
    hk_fmi1_log_enter(unit);
    void *component = unit->f.InstantiateSlave(
        in->base.name, in->fmu->facts.guid, hk_fmu_uri(in->arena, in->fmu->folder),
        in->fmu->mime_type, 0, fmi1False, fmi1False, callbacks, in->logging);
    hk_fmi1_log_leave(unit, component);
    return hk_instance_made(ctx, in, &making, component);
}

static hk_status start_up(hk_ctx *ctx, hk_fmi1_unit *unit) {
    const char *path;
    HK_TRY(hk_instance_load(ctx, &unit->in, &path));
    HK_TRY(resolve(ctx, unit));
    return instantiate(ctx, unit, path);
}

static hk_status unit_open(hk_ctx *ctx, const hk_info *info, const hk_unit_options *options,
                           hk_unit **ret_unit) {
    hk_fmi1_unit *unit =
        (hk_fmi1_unit *)hk_instance_create(info, options, &names, sizeof(hk_fmi1_unit));
    unit->in.released = hk_fmi1_log_forget;
    return hk_instance_opened(&unit->in, start_up(ctx, unit), ret_unit);
}

static hk_status unit_enter_init(hk_ctx *ctx, hk_unit *base) {
    hk_instance *in = (hk_instance *)base;
    HK_TRY(hk_instance_may(ctx, in, HK_FMI_EXIT_INIT, "the entry to initialization"));
    return hk_instance_alive(ctx, in);
}

/* Called before any output is read, in initialization mode by the hook `refresh`. */
static hk_status initialize(hk_ctx *ctx, hk_fmi1_unit *unit) {
    HK_TRY(hk_instance_alive(ctx, &unit->in));
    if (unit->in.phase == HK_PHASE_INITIALIZING)
        return HK_OK;
    HK_TRY(HK_INSTANCE_CALL(ctx, &unit->in, HK_FMI_EXIT_INIT, "fmiInitializeSlave",
                            unit->f.InitializeSlave(unit->in.component, unit->in.start,
                                                    unit->in.stop_defined ? fmi1True : fmi1False,
                                                    unit->in.stop)));
    unit->in.phase = HK_PHASE_INITIALIZING;
    return HK_OK;
}

static hk_status unit_refresh(hk_ctx *ctx, hk_unit *base, double t) {
    (void)t;
    return initialize(ctx, (hk_fmi1_unit *)base);
}

static hk_status unit_exit_init(hk_ctx *ctx, hk_unit *base) {
    hk_fmi1_unit *unit = (hk_fmi1_unit *)base;
    HK_TRY(initialize(ctx, unit));
    unit->in.phase = HK_PHASE_STEPPING;
    return HK_OK;
}

static void unit_bind_step(hk_unit *base, hk_step_call *ret_call) {
    hk_fmi1_unit *unit = (hk_fmi1_unit *)base;
    /* The flag, a char here, is passed like an int; it is newStep: no step is repeated. */
    *ret_call = (hk_step_call){.shape = HK_STEP_FLAGGED,
                               .flag = true,
                               .fn.flagged = (hk_step_flagged_fn *)(hk_symbol *)unit->f.DoStep,
                               .self = unit->in.component,
                               .name = names.step,
                               .may_pend = base->info->can.asynchronous};
}

static hk_status unit_step_failed(hk_ctx *ctx, hk_unit *base, int code, double t, double h,
                                  hk_stepped *ret_stepped) {
    hk_fmi1_unit *unit = (hk_fmi1_unit *)base;
    hk_instance *in = &unit->in;
    if (hk_instance_stepped(in, code, t, h, ret_stepped))
        return HK_OK;
    if (code != fmi1Discard)
        return hk_instance_step_error(ctx, in, code, t, h);
    fmi1Real last = t;
    int time_code = fmi1Discard; /* what cannot be asked is not known */
    in->phase = HK_PHASE_DISCARDED;
    if (unit->f.GetRealStatus && hk_instance_legal(in, HK_FMI_STEP_STATUS))
        time_code = unit->f.GetRealStatus(in->component, fmi1LastSuccessfulTime, &last);
    hk_instance_mark(in, time_code);
    return hk_instance_step_discarded(ctx, in, t, h, hk_unit_bad(time_code) ? NULL : &last);
}

static hk_status unit_step_wait(hk_ctx *ctx, hk_unit *base, double t, double h,
                                hk_stepped *ret_stepped) {
    int code = hk_instance_wait_step((hk_instance *)base, ((hk_fmi1_unit *)base)->f.GetStatus);
    return unit_step_failed(ctx, base, code, t, h, ret_stepped);
}

const hk_unit_class hk_fmi1_class = {
    HK_INSTANCE_HOOKS(fmi1), .can_open = hk_fmu_can_run,  .close = hk_instance_close,
    .refresh = unit_refresh, .step_wait = unit_step_wait,
};
