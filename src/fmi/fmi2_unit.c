/* SPDX-License-Identifier: MIT
 *
 * The life of an FMI 2.0 co-simulation instance: made, initialised, stepped, ended, with no call
 * that its state does not allow. */
#include "fmi/fmi2_unit.h"
#include "base/number.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Instances that said Fatal are never freed; they hang here, so that what they own stays owned. */
static pthread_mutex_t graves_lock = PTHREAD_MUTEX_INITIALIZER;
static hk_fmi2_unit **graves;
static size_t graves_count, graves_cap;

const char *hk_fmi2_status_name(int code) {
    static const char *const names[] = {"OK", "Warning", "Discard", "Error", "Fatal", "Pending"};
    return code >= 0 && code <= fmi2Pending ? names[code] : "an unknown status";
}

hk_where hk_fmi2_where(const hk_fmi2_unit *unit) {
    return (hk_where){.file = unit->fmu->shown, .element = unit->base.name};
}

void hk_fmi2_mark(hk_fmi2_unit *unit, int code) {
    if (code == fmi2Fatal) {
        unit->phase = HK_FMI2_DEAD;
        hk_library_poison(unit->library);
    } else if (hk_unit_bad(code) && code != fmi2Discard && code != fmi2Pending &&
               unit->phase != HK_FMI2_DEAD) {
        unit->phase = HK_FMI2_BROKEN; /* Error, or a number that FMI does not know */
    }
}

hk_status hk_fmi2_check(hk_ctx *ctx, hk_fmi2_unit *unit, const char *call, int code) {
    if (code == fmi2OK || code == fmi2Warning)
        return HK_OK;
    hk_fmi2_mark(unit, code);
    const char *said = hk_fmu_log_last(&unit->log, unit->arena);
    return hk_error(ctx, HK_E_UNIT_FAILED, hk_fmi2_where(unit),
                    *said || unit->logging ? NULL : "--fmi-logging may show why",
                    "component '%s': %s returned %s%s", unit->base.name, call,
                    hk_fmi2_status_name(code), said);
}

hk_status hk_fmi2_need(hk_ctx *ctx, const hk_fmi2_unit *unit, bool there, const char *call) {
    if (there)
        return HK_OK;
    return hk_error(ctx, HK_E_FMU_LOAD, hk_fmi2_where(unit),
                    "the FMU must be built again with all functions of FMI 2.0 co-simulation",
                    "component '%s': the library does not export %s", unit->base.name, call);
}

/* An instance may not be called any more once any other of its FMU said Fatal. */
static hk_status check_alive(hk_ctx *ctx, hk_fmi2_unit *unit) {
    if (!hk_library_poisoned(unit->library))
        return HK_OK;
    unit->phase = HK_FMI2_DEAD;
    return hk_error(ctx, HK_E_UNIT_FAILED, hk_fmi2_where(unit), NULL,
                    "'%s' cannot be used: an instance of its FMU returned Fatal", unit->base.name);
}

static void *callback_allocate(size_t count, size_t size) {
    return calloc(count ? count : 1, size ? size : 1);
}

static void callback_step_finished(fmi2ComponentEnvironment environment, fmi2Status status) {
    /* hocket asks for the state of a pending step itself. */
    (void)environment;
    (void)status;
}

static hk_status resolve(hk_ctx *ctx, hk_fmi2_unit *unit) {
    enum { OPTIONAL, REQUIRED };
    bool there;
#define FMI2(need, name, result, arguments)                                                        \
    unit->f.name = (fmi2##name##Fn *)hk_library_find(unit->library, "fmi2" #name);                 \
    there = unit->f.name != NULL;                                                                  \
    if (need == REQUIRED && !there)                                                                \
        return hk_fmi2_need(ctx, unit, there, "fmi2" #name);
    HK_FMI2_FUNCTIONS(FMI2)
#undef FMI2
    return HK_OK;
}

/* Some FMUs say why they failed only if they are asked to: a failure without a word helps nobody.
 * PythonFMU puts its failures into no category, so it is asked for everything, which is little.
 * What the FMU thinks of the question does not matter. */
static void ask_for_failures(hk_fmi2_unit *unit) {
    hk_fmu *fmu = unit->fmu;
    const char *tool = fmu->facts.generation_tool;
    size_t count = tool && strncmp(tool, "PythonFMU", 9) == 0 ? 0 : fmu->failure_log_count;
    if (!unit->logging && fmu->failure_log_count && unit->f.SetDebugLogging)
        (void)unit->f.SetDebugLogging(unit->component, fmi2True, count, fmu->failure_logs);
}

static hk_status instantiate(hk_ctx *ctx, hk_fmi2_unit *unit, const char *library_path,
                             bool logging) {
    const hk_fmu_facts *facts = &unit->fmu->facts;
    const char *resources =
        hk_fmu_uri(unit->arena, hk_arena_printf(unit->arena, "%s/resources", unit->fmu->folder));
    unit->callbacks = (fmi2CallbackFunctions){.logger = hk_fmi2_log,
                                              .allocateMemory = callback_allocate,
                                              .freeMemory = free,
                                              .stepFinished = callback_step_finished,
                                              .componentEnvironment = unit};
    hk_visit visit = hk_visit_enter(library_path);
    unit->component = unit->f.Instantiate(unit->base.name, fmi2CoSimulation, facts->guid, resources,
                                          &unit->callbacks, fmi2False, logging);
    hk_visit_leave(ctx, &visit, unit->fmu->shown, "fmi2Instantiate");
    unit->logging = logging;
    if (unit->component) {
        ask_for_failures(unit);
        return HK_OK;
    }
    return hk_error(ctx, HK_E_FMU_INSTANTIATE, hk_fmi2_where(unit),
                    "usual reasons: the library was built for another GUID, a resource or a "
                    "licence is missing; --fmi-logging shows what the FMU says",
                    "component '%s': fmi2Instantiate with the GUID '%s' returned NULL%s",
                    unit->base.name, facts->guid, hk_fmu_log_last(&unit->log, unit->arena));
}

/* Loads the library, makes the instance and announces the experiment. Parameters come after that:
 * some FMUs forget what was set before fmi2SetupExperiment. */
static hk_status start_up(hk_ctx *ctx, hk_fmi2_unit *unit, const hk_unit_options *options) {
    const char *path;
    HK_TRY(hk_fmu_unpack(ctx, unit->fmu));
    HK_TRY(hk_fmu_binary(ctx, unit->fmu, unit->arena, &path));
    HK_TRY(hk_library_open(ctx, unit->fmu->shown, path, &unit->library));
    int instances = hk_library_count(unit->library, 1);
    HK_TRY(check_alive(ctx, unit));
    if (instances > 1 && unit->base.info->can.once_per_process)
        return hk_error(
            ctx, HK_E_ONCE_PER_PROCESS, hk_fmi2_where(unit), "use one instance of this FMU only",
            "component '%s': the FMU allows one instance in a process, and there is one already",
            unit->base.name);
    HK_TRY(resolve(ctx, unit));
    HK_TRY(instantiate(ctx, unit, path, options->logging));
    return hk_fmi2_check(ctx, unit, "fmi2SetupExperiment",
                         unit->f.SetupExperiment(unit->component, options->tolerance_defined,
                                                 options->tolerance, options->start,
                                                 options->stop_defined, options->stop));
}

/* Forgets an instance that may not be called any more, with all it owns. */
static void bury(hk_fmi2_unit *unit) {
    unit->phase = HK_FMI2_DEAD;
    pthread_mutex_lock(&graves_lock);
    HK_PUSH(graves, graves_count, graves_cap, unit);
    pthread_mutex_unlock(&graves_lock);
}

static void unit_close(hk_unit *base) {
    hk_fmi2_unit *unit = (hk_fmi2_unit *)base;
    if (!unit)
        return;
    if (unit->component) {
        bool running = unit->phase == HK_FMI2_STEPPING || unit->phase == HK_FMI2_DISCARDED;
        if (running && !hk_library_poisoned(unit->library))
            hk_fmi2_mark(unit, unit->f.Terminate(unit->component));
        if (hk_library_poisoned(unit->library)) {
            bury(unit);
            return;
        }
        unit->f.FreeInstance(unit->component);
    }
    if (unit->library) {
        hk_library_count(unit->library, -1);
        hk_library_close(unit->library);
    }
    hk_fmu_log_finish(&unit->log);
    hk_free(unit->pending);
    hk_arena_destroy(unit->arena); /* the unit lives in it */
}

static hk_status unit_open(hk_ctx *ctx, const hk_info *info, const hk_unit_options *options,
                           hk_unit **ret_unit) {
    hk_arena *arena = hk_arena_create();
    hk_fmi2_unit *unit = HK_NEW(arena, hk_fmi2_unit);
    unit->arena = arena;
    unit->fmu = info->origin;
    unit->base = (hk_unit){
        .unit_class = &hk_fmi2_class, .info = info, .name = hk_arena_strdup(arena, options->name)};
    hk_fmu_log_init(&unit->log, unit->base.name);
    hk_status status = start_up(ctx, unit, options);
    if (status != HK_OK) {
        unit_close(&unit->base);
        return status;
    }
    *ret_unit = &unit->base;
    return HK_OK;
}

static hk_status unit_enter_init(hk_ctx *ctx, hk_unit *base) {
    hk_fmi2_unit *unit = (hk_fmi2_unit *)base;
    HK_TRY(check_alive(ctx, unit));
    HK_TRY(hk_fmi2_check(ctx, unit, "fmi2EnterInitializationMode",
                         unit->f.EnterInitializationMode(unit->component)));
    unit->phase = HK_FMI2_INITIALIZING;
    return hk_fmi2_set_pending(ctx, unit);
}

static hk_status unit_exit_init(hk_ctx *ctx, hk_unit *base) {
    hk_fmi2_unit *unit = (hk_fmi2_unit *)base;
    HK_TRY(check_alive(ctx, unit));
    HK_TRY(hk_fmi2_check(ctx, unit, "fmi2ExitInitializationMode",
                         unit->f.ExitInitializationMode(unit->component)));
    unit->phase = HK_FMI2_STEPPING;
    return HK_OK;
}

static hk_status unit_terminate(hk_ctx *ctx, hk_unit *base) {
    hk_fmi2_unit *unit = (hk_fmi2_unit *)base;
    if (unit->phase != HK_FMI2_STEPPING && unit->phase != HK_FMI2_DISCARDED)
        return HK_OK; /* nothing that could be ended */
    HK_TRY(check_alive(ctx, unit));
    HK_TRY(hk_fmi2_check(ctx, unit, "fmi2Terminate", unit->f.Terminate(unit->component)));
    unit->phase = HK_FMI2_TERMINATED;
    return HK_OK;
}

static void unit_bind_step(hk_unit *base, hk_step_call *ret_call) {
    hk_fmi2_unit *unit = (hk_fmi2_unit *)base;
    *ret_call = (hk_step_call){.shape = HK_STEP_FLAGGED,
                               .fn.flagged = unit->f.DoStep,
                               .self = unit->component,
                               .name = "fmi2DoStep"};
}

static void unit_call_failed(hk_unit *base, int code) {
    hk_fmi2_mark((hk_fmi2_unit *)base, code);
}

/* A number for a message, in ARENA. */
static const char *show(hk_arena *arena, double value) {
    char digits[HK_NUMBER_MAX];
    return hk_arena_strndup(arena, digits, hk_write_f64(value, digits));
}

/* The step goes on in the background: waits for its end. Returns what it ended with. */
static int wait_for_step(hk_fmi2_unit *unit) {
    long pause_ns = 20000;
    fmi2Status status = fmi2Pending;
    while (status == fmi2Pending) {
        nanosleep(&(struct timespec){.tv_nsec = pause_ns}, NULL);
        if (pause_ns < 1000000)
            pause_ns *= 2;
        if (!unit->f.GetStatus)
            return fmi2Error;
        int code = unit->f.GetStatus(unit->component, fmi2DoStepStatus, &status);
        if (hk_unit_bad(code))
            return code == fmi2Fatal ? fmi2Fatal : fmi2Error;
    }
    return status;
}

static hk_status step_discarded(hk_ctx *ctx, hk_fmi2_unit *unit, double t, double h,
                                double *ret_time) {
    fmi2Boolean terminated = fmi2False;
    fmi2Real last = t;
    int time_code = fmi2Discard, end_code = fmi2Discard; /* what cannot be asked is not known */
    unit->phase = HK_FMI2_DISCARDED;
    if (unit->f.GetRealStatus)
        time_code = unit->f.GetRealStatus(unit->component, fmi2LastSuccessfulTime, &last);
    hk_fmi2_mark(unit, time_code);
    if (unit->f.GetBooleanStatus && unit->phase == HK_FMI2_DISCARDED)
        end_code = unit->f.GetBooleanStatus(unit->component, fmi2Terminated, &terminated);
    hk_fmi2_mark(unit, end_code);
    bool last_known = !hk_unit_bad(time_code);
    if (terminated && !hk_unit_bad(end_code) && unit->phase == HK_FMI2_DISCARDED) {
        double end = last_known ? last : t;
        *ret_time = end < t + h ? end : nextafter(t + h, t); /* t + h would mean: go on */
        return HK_OK;
    }
    return hk_error(ctx, HK_E_UNIT_DISCARD, hk_fmi2_where(unit), "try a smaller step",
                    "component '%s': fmi2DoStep from t = %s by %s returned Discard%s%s%s",
                    unit->base.name, show(unit->arena, t), show(unit->arena, h),
                    last_known ? "; the last time it reached is " : "",
                    last_known ? show(unit->arena, last) : "",
                    hk_fmu_log_last(&unit->log, unit->arena));
}

static hk_status unit_step_failed(hk_ctx *ctx, hk_unit *base, int code, double t, double h,
                                  double *ret_time) {
    hk_fmi2_unit *unit = (hk_fmi2_unit *)base;
    if (code == fmi2Pending)
        code = wait_for_step(unit);
    if (code == fmi2OK || code == fmi2Warning) {
        *ret_time = t + h;
        return HK_OK;
    }
    if (code == fmi2Discard)
        return step_discarded(ctx, unit, t, h, ret_time);
    return hk_fmi2_check(ctx, unit,
                         hk_arena_printf(unit->arena, "fmi2DoStep from t = %s by %s",
                                         show(unit->arena, t), show(unit->arena, h)),
                         code);
}

const hk_unit_class hk_fmi2_class = {
    .can_open = hk_fmu_check_platform,
    .open = unit_open,
    .close = unit_close,
    .set_start = hk_fmi2_set_start,
    .enter_init = unit_enter_init,
    .exit_init = unit_exit_init,
    .terminate = unit_terminate,
    .bind_get = hk_fmi2_bind_get,
    .bind_set = hk_fmi2_bind_set,
    .bind_step = unit_bind_step,
    .step_failed = unit_step_failed,
    .call_failed = unit_call_failed,
    .state_get = hk_fmi2_state_get,
    .state_set = hk_fmi2_state_set,
    .state_free = hk_fmi2_state_free,
    .state_save = hk_fmi2_state_save,
    .state_load = hk_fmi2_state_load,
};
