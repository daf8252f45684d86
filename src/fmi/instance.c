/* SPDX-License-Identifier: MIT
 *
 * The life of an instance as far as it does not depend on the version of FMI: made, marked after
 * what its calls returned, and ended with no call that its phase does not allow. */
#include "fmi/instance.h"
#include "base/number.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Instances that said Fatal are never freed; they hang here, so that what they own stays owned. */
static pthread_mutex_t graves_lock = PTHREAD_MUTEX_INITIALIZER;
static hk_instance **graves;
static size_t graves_count, graves_cap;

const char *hk_fmu_status_name(int code) {
    static const char *const names[] = {"OK", "Warning", "Discard", "Error", "Fatal", "Pending"};
    return code >= 0 && code <= HK_UNIT_PENDING ? names[code] : "an unknown status";
}

hk_where hk_instance_where(const hk_instance *in) {
    return (hk_where){.file = in->fmu->shown, .element = in->base.name};
}

const char *hk_instance_show(const hk_instance *in, double number) {
    char digits[HK_NUMBER_MAX];
    return hk_arena_strndup(in->arena, digits, hk_write_f64(number, digits));
}

const char *hk_instance_when(const hk_instance *in) {
    double t = in->now ? atomic_load_explicit(in->now, memory_order_relaxed) : in->start;
    return hk_arena_printf(in->arena, " at t = %s s", hk_instance_show(in, t));
}

hk_visitor hk_instance_visitor(const hk_instance *in) {
    return (hk_visitor){in->fmu->shown, in->base.name, hk_instance_when(in)};
}

void hk_instance_calling(const hk_instance *in, const char *call) {
    if (in->calling)
        atomic_store_explicit(in->calling, call, memory_order_release);
}

void hk_instance_mark(hk_instance *in, int code) {
    if (code == HK_UNIT_FATAL) {
        in->phase = HK_PHASE_DEAD;
        hk_library_poison(in->library);
    } else if (hk_unit_bad(code) && code != HK_UNIT_DISCARD && code != HK_UNIT_PENDING &&
               in->phase != HK_PHASE_DEAD) {
        in->phase = HK_PHASE_BROKEN; /* Error, or a number that FMI does not know */
    }
}

const char *hk_instance_call_failed(hk_unit *base, int code) {
    hk_instance *in = (hk_instance *)base;
    hk_instance_mark(in, code);
    return hk_fmu_log_last(&in->log, in->arena);
}

/* WHEN "": the time is part of CALL. */
static hk_status failed(hk_ctx *ctx, hk_instance *in, const char *call, int code,
                        const char *when) {
    hk_instance_mark(in, code);
    const char *said = hk_fmu_log_last(&in->log, in->arena);
    return hk_error(ctx, HK_E_UNIT_FAILED, hk_instance_where(in),
                    *said || in->logging ? NULL : "--fmi-logging may show why",
                    "component '%s': %s returned %s%s%s", in->base.name, call,
                    hk_fmu_status_name(code), when, said);
}

hk_status hk_instance_check(hk_ctx *ctx, hk_instance *in, const char *call, int code) {
    hk_instance_calling(in, NULL);
    return hk_unit_bad(code) ? failed(ctx, in, call, code, hk_instance_when(in)) : HK_OK;
}

hk_status hk_instance_need(hk_ctx *ctx, const hk_instance *in, bool there, const char *call) {
    if (there)
        return HK_OK;
    return hk_error(ctx, HK_E_FMU_LOAD, hk_instance_where(in),
                    hk_arena_printf(in->arena,
                                    "the FMU must be built again with all functions of %s",
                                    in->base.info->kind),
                    "component '%s': the library does not export %s, which is needed%s",
                    in->base.name, call, hk_instance_when(in));
}

hk_status hk_instance_alive(hk_ctx *ctx, hk_instance *in) {
    if (!hk_library_poisoned(in->library))
        return HK_OK;
    in->phase = HK_PHASE_DEAD;
    return hk_error(ctx, HK_E_UNIT_FAILED, hk_instance_where(in), NULL,
                    "component '%s' cannot be used%s: an instance of its FMU returned Fatal",
                    in->base.name, hk_instance_when(in));
}

hk_instance *hk_instance_create(const hk_info *info, const hk_unit_options *options,
                                const hk_instance_names *names, size_t size) {
    hk_arena *arena = hk_arena_create();
    hk_instance *in = hk_arena_alloc(arena, size);
    in->arena = arena;
    in->fmu = info->origin;
    in->names = names;
    in->logging = options->logging;
    in->start = options->start;
    in->stop_defined = options->stop_defined;
    in->stop = options->stop;
    in->may_go_back = options->may_go_back;
    in->now = options->now;
    in->calling = options->calling;
    in->base = (hk_unit){.unit_class = info->unit_class,
                         .info = info,
                         .name = hk_arena_strdup(arena, options->name)};
    hk_fmu_log_init(&in->log, in->base.name, in->now, in->start);
    in->said = options->said;
    if (in->said)
        atomic_store_explicit(in->said, in->log.said, memory_order_release);
    hk_instance_know(in);
    return in;
}

hk_status hk_instance_load(hk_ctx *ctx, hk_instance *in, const char **ret_path) {
    const char *path;
    HK_TRY(hk_fmu_unpack(ctx, in->fmu));
    HK_TRY(hk_fmu_binary(ctx, in->fmu, in->arena, &path));
    hk_visitor visitor = hk_instance_visitor(in);
    hk_instance_calling(in, "the loading of the library");
    HK_TRY(hk_library_open(ctx, &visitor, path, &in->library));
    hk_instance_calling(in, NULL);
    int instances = hk_library_count(in->library, 1);
    HK_TRY(hk_instance_alive(ctx, in));
    if (instances > 1 && in->base.info->can.once_per_process)
        return hk_error(
            ctx, HK_E_ONCE_PER_PROCESS, hk_instance_where(in), "use one instance of this FMU only",
            "component '%s': the FMU allows one instance in a process, and there is one already",
            in->base.name);
    *ret_path = path;
    return HK_OK;
}

/* A library says "2.0" whatever comes behind that in the description: only the first number counts.
 */
void hk_instance_check_version(hk_ctx *ctx, const hk_instance *in,
                               const char *(*get_version)(void)) {
    const char *described = in->fmu->facts.fmi_version;
    char *read = get_version ? hk_guarded_text(get_version(), 64) : NULL;
    const char *version = get_version ? hk_arena_strdup(in->arena, read) : described;
    hk_free(read);
    if (version && version[0] == described[0] && (version[1] == '.' || version[1] == '\0'))
        return;
    hk_warn(ctx, HK_E_FMU_LOAD, hk_instance_where(in),
            "the library may be of another FMU than the description",
            "component '%s': the description says FMI %s, but %s says '%s'%s", in->base.name,
            described, in->names->version, version ? version : "", hk_instance_when(in));
}

static hk_status refused(hk_ctx *ctx, hk_instance *in) {
    const char *identity = in->names->identity ? in->names->identity : "GUID";
    return hk_error(ctx, HK_E_FMU_INSTANTIATE, hk_instance_where(in),
                    hk_arena_printf(in->arena,
                                    "usual reasons: the library was built for another %s, a "
                                    "resource or a licence is missing; --fmi-logging shows what "
                                    "the FMU says",
                                    identity),
                    "component '%s': %s with the %s '%s' returned NULL%s%s", in->base.name,
                    in->names->instantiate, identity, in->fmu->facts.guid, hk_instance_when(in),
                    hk_fmu_log_last(&in->log, in->arena));
}

hk_making hk_instance_making(hk_ctx *ctx, hk_instance *in, const char *library_path,
                             const char *(*get_version)(void)) {
    hk_making making = {hk_instance_visitor(in), hk_visit_enter(library_path)};
    hk_instance_check_version(ctx, in, get_version);
    hk_instance_calling(in, in->names->instantiate);
    return making;
}

hk_status hk_instance_made(hk_ctx *ctx, hk_instance *in, hk_making *making, void *component) {
    in->component = component;
    hk_instance_calling(in, NULL);
    hk_visit_leave(ctx, &making->visit, &making->visitor, in->names->instantiate);
    return component ? HK_OK : refused(ctx, in);
}

hk_status hk_instance_opened(hk_instance *in, hk_status status, hk_unit **ret_unit) {
    if (status == HK_OK)
        *ret_unit = &in->base;
    else
        in->base.unit_class->close(&in->base);
    return status;
}

hk_status hk_instance_exit_init(hk_ctx *ctx, hk_instance *in, const char *name,
                                int (*exit_init)(void *component)) {
    HK_TRY(hk_instance_alive(ctx, in));
    HK_TRY(HK_INSTANCE_CALL(ctx, in, HK_FMI_EXIT_INIT, name, exit_init(in->component)));
    in->phase = HK_PHASE_STEPPING;
    return HK_OK;
}

/* Forgets an instance that may not be called any more, with all it owns. */
static void bury(hk_instance *in) {
    in->phase = HK_PHASE_DEAD;
    pthread_mutex_lock(&graves_lock);
    HK_PUSH(graves, graves_count, graves_cap, in);
    pthread_mutex_unlock(&graves_lock);
}

void hk_instance_close(hk_unit *base) {
    hk_instance *in = (hk_instance *)base;
    if (!in)
        return;
    if (in->component) {
        hk_instance_calling(in, in->names->terminate);
        if (hk_instance_legal(in, HK_FMI_TERMINATE) && !hk_library_poisoned(in->library)) {
            int code = in->calls.terminate(in->component);
            in->phase = HK_PHASE_TERMINATED;
            hk_instance_mark(in, code);
        }
        hk_instance_calling(in, NULL);
        if (hk_library_poisoned(in->library) || !hk_instance_legal(in, HK_FMI_FREE)) {
            bury(in);
            return;
        }
        hk_instance_calling(in, in->names->free);
        in->calls.free(in->component);
    }
    if (in->released)
        in->released(in);
    hk_instance_calling(in, "the unloading of the library");
    if (in->library) {
        hk_library_count(in->library, -1);
        hk_library_close(in->library);
    }
    hk_instance_calling(in, NULL);
    hk_instance_forget(in);
    if (in->said)
        atomic_store_explicit(in->said, NULL, memory_order_release);
    hk_fmu_log_finish(&in->log);
    hk_free(in->waiting);
    hk_arena_destroy(in->arena); /* the instance lives in it */
}

hk_status hk_instance_terminate(hk_ctx *ctx, hk_unit *base) {
    hk_instance *in = (hk_instance *)base;
    if (!hk_instance_legal(in, HK_FMI_TERMINATE))
        return HK_OK; /* nothing that could be ended */
    HK_TRY(hk_instance_alive(ctx, in));
    HK_TRY(HK_INSTANCE_CALL(ctx, in, HK_FMI_TERMINATE, in->names->terminate,
                            in->calls.terminate(in->component)));
    in->phase = HK_PHASE_TERMINATED;
    return HK_OK;
}

hk_status hk_instance_start(hk_ctx *ctx, const hk_instance *in, uint32_t variable,
                            const hk_value *value, void **ret_data) {
    const hk_variable *v = &in->base.info->variables[variable];
    HK_TRY(hk_instance_may(ctx, in, HK_FMI_SET, "the setting of a start value"));
    if (!hk_variable_settable(v))
        return hk_error(ctx, HK_E_PARAMETER, hk_instance_where(in), NULL,
                        "'%s.%s' cannot be set: it is %s, %s, and its initial value is %s",
                        in->base.name, v->name, hk_causality_name(v->causality),
                        hk_variability_name(v->variability), hk_initial_name(v->initial));
    void *data = hk_arena_alloc(in->arena, v->count * hk_store_size(v->store));
    if (!hk_value_convert(v->store, data, hk_store_of(value->type), value->data, v->count))
        return hk_error(ctx, HK_E_CONVERSION, hk_instance_where(in), NULL,
                        "the value for '%s.%s' does not fit its type, %s", in->base.name, v->name,
                        hk_type_name(v->type));
    *ret_data = data;
    return HK_OK;
}

hk_status hk_instance_check_start(hk_ctx *ctx, hk_instance *in, uint32_t variable, const char *call,
                                  int code) {
    hk_instance_calling(in, NULL);
    if (!hk_unit_bad(code))
        return HK_OK;
    return hk_instance_check(ctx, in,
                             hk_arena_printf(in->arena, "%s for the start value of '%s'", call,
                                             in->base.info->variables[variable].name),
                             code);
}

void hk_instance_wait_value(hk_instance *in, uint32_t variable, void *data) {
    const hk_variable *v = &in->base.info->variables[variable];
    hk_bytes *bytes = v->store == HK_STORE_BYTES ? data : NULL;
    for (size_t i = 0; bytes && i < v->count; i++) /* the caller's text may be gone by then */
        bytes[i].data = bytes[i].size ? memcpy(hk_arena_alloc(in->arena, bytes[i].size + 1),
                                               bytes[i].data, bytes[i].size)
                                      : "";
    hk_waiting waiting = {variable, data};
    HK_PUSH(in->waiting, in->waiting_count, in->waiting_cap, waiting);
}

const uint32_t *hk_instance_refs(const hk_instance *in, const uint32_t *variables, size_t n) {
    uint32_t *refs = HK_NEW_ARRAY(in->arena, uint32_t, n);
    for (size_t i = 0; i < n; i++)
        refs[i] = in->base.info->variables[variables[i]].ref;
    return refs;
}

hk_status hk_instance_step_error(hk_ctx *ctx, hk_instance *in, int code, double t, double h) {
    return failed(ctx, in,
                  hk_arena_printf(in->arena, "%s from t = %s by %s", in->names->step,
                                  hk_instance_show(in, t), hk_instance_show(in, h)),
                  code, "");
}

hk_status hk_instance_step_discarded(hk_ctx *ctx, hk_instance *in, double t, double h,
                                     const double *last) {
    return hk_error(ctx, HK_E_UNIT_DISCARD, hk_instance_where(in), "try a smaller step",
                    "component '%s': %s from t = %s by %s returned Discard%s%s%s", in->base.name,
                    in->names->step, hk_instance_show(in, t), hk_instance_show(in, h),
                    last ? "; the last time it reached is " : "",
                    last ? hk_instance_show(in, *last) : "", hk_fmu_log_last(&in->log, in->arena));
}

bool hk_instance_stepped(hk_instance *in, int code, double t, double h, hk_stepped *ret_stepped) {
    if (code == HK_UNIT_PENDING) {
        in->phase = HK_PHASE_PENDING;
        *ret_stepped = (hk_stepped){HK_OUTCOME_PENDING, t};
        return true;
    }
    if (hk_unit_bad(code))
        return false;
    *ret_stepped = (hk_stepped){HK_OUTCOME_DONE, t + h};
    return true;
}

int hk_instance_wait_step(hk_instance *in, hk_get_status_fn *get_status) {
    enum { DO_STEP_STATUS };
    long pause_ns = 20000;
    int status = HK_UNIT_PENDING;
    HK_ASSERT(in->phase == HK_PHASE_PENDING);
    while (status == HK_UNIT_PENDING) {
        nanosleep(&(struct timespec){.tv_nsec = pause_ns}, NULL);
        if (pause_ns < 1000000)
            pause_ns *= 2;
        if (!get_status || !hk_instance_legal(in, HK_FMI_STEP_STATUS))
            return HK_UNIT_ERROR;
        int code = get_status(in->component, DO_STEP_STATUS, &status);
        if (hk_unit_bad(code))
            return code == HK_UNIT_FATAL ? HK_UNIT_FATAL : HK_UNIT_ERROR;
    }
    in->phase = HK_PHASE_STEPPING;
    return status;
}

void *hk_instance_allocate(size_t count, size_t size) {
    return calloc(count ? count : 1, size ? size : 1);
}

const char *hk_instance_library(hk_unit *base) {
    return hk_library_path(((hk_instance *)base)->library);
}
