/* SPDX-License-Identifier: MIT
 *
 * The class of isolated units: what a component's own class does, asked for in its process. */
#include "isolate/isolate_internal.h"

#include "base/number.h"

#include <fcntl.h>
#include <string.h>

static hk_iso_unit *of(hk_unit *unit) {
    return (hk_iso_unit *)unit;
}

/* A request without more words than its number. */
static hk_status plain(hk_ctx *ctx, hk_unit *unit, hk_iso_op op, const char *call) {
    hk_buffer_source s;
    (void)hk_iso_request(of(unit), op);
    return hk_iso_answer(ctx, of(unit), call, &s);
}

static hk_status at_time(hk_ctx *ctx, hk_unit *unit, hk_iso_op op, const char *call, double t) {
    hk_buffer_source s;
    hk_buffer_f64(hk_iso_request(of(unit), op), t);
    return hk_iso_answer(ctx, of(unit), call, &s);
}

static hk_status set_start(hk_ctx *ctx, hk_unit *unit, uint32_t variable, const hk_value *value) {
    hk_buffer_source s;
    hk_buffer *m = hk_iso_request(of(unit), HK_ISO_SET_START);
    hk_buffer_u64(m, variable);
    hk_iso_put_value(m, value);
    return hk_iso_answer(ctx, of(unit), "the setting of a start value", &s);
}

static hk_status enter_init(hk_ctx *ctx, hk_unit *unit) {
    return plain(ctx, unit, HK_ISO_ENTER_INIT, "the initialization");
}

static hk_status exit_init(hk_ctx *ctx, hk_unit *unit) {
    HK_TRY(plain(ctx, unit, HK_ISO_EXIT_INIT, "the end of the initialization"));
    of(unit)->runs = true;
    return HK_OK;
}

/* A component that is gone was reported when it went. If it goes now, all results are there, but
 * not all that was asked for was done: that is an error, and not one of the component's own. */
static hk_status terminate(hk_ctx *ctx, hk_unit *unit) {
    hk_iso_unit *u = of(unit);
    if (u->lost_inside)
        return HK_OK;
    hk_ctx *aside = hk_ctx_create(NULL, NULL);
    hk_status status = plain(aside, unit, HK_ISO_TERMINATE, "the end of the instance");
    for (size_t i = 0; i < hk_ctx_count(aside, HK_NOTE); i++)
        hk_say_again(u->lost_inside ? u->ctx : ctx, hk_ctx_diag(aside, i));
    hk_ctx_destroy(aside);
    return u->lost_inside ? HK_OK : status;
}

static hk_status refresh(hk_ctx *ctx, hk_unit *unit, double t) {
    return at_time(ctx, unit, HK_ISO_REFRESH, "output", t);
}

static hk_status start(hk_ctx *ctx, hk_unit *unit, double t) {
    return at_time(ctx, unit, HK_ISO_START, "start", t);
}

static hk_status stop(hk_ctx *ctx, hk_unit *unit, double t) {
    return at_time(ctx, unit, HK_ISO_STOP, "stop", t);
}

static hk_status may(hk_ctx *ctx, hk_unit *unit, hk_unit_call call, bool set_before) {
    hk_buffer_source s;
    hk_buffer *m = hk_iso_request(of(unit), HK_ISO_MAY);
    hk_buffer_u64(m, (uint64_t)call);
    hk_buffer_u64(m, set_before);
    return hk_iso_answer(ctx, of(unit), "a question", &s);
}

/* Numbers that come from the child are only shown. */
static const uint64_t *covered(hk_unit *unit) {
    hk_iso_unit *u = of(unit);
    hk_buffer_source s;
    if (!u->covered)
        u->covered = HK_NEW_ARRAY(u->arena, uint64_t, unit->info->covered_count + 1);
    if (u->lost_inside)
        return u->covered;
    (void)hk_iso_request(u, HK_ISO_COVERED);
    if (hk_iso_answer(u->ctx, u, "a question", &s) == HK_OK)
        for (size_t i = 0; i < unit->info->covered_count; i++)
            u->covered[i] = hk_source_u64(&s);
    return u->covered;
}

static const char *library(hk_unit *unit) {
    return of(unit)->library;
}

/* ---- failures ---- */

static const char *call_failed(hk_unit *unit, int code) {
    hk_buffer_source s;
    hk_ctx *aside = hk_ctx_create(NULL, NULL);
    hk_buffer_u64(hk_iso_request(of(unit), HK_ISO_CALL_FAILED), (uint64_t)(int64_t)code);
    hk_status status = hk_iso_answer(aside, of(unit), "a question", &s);
    const char *said = status == HK_OK ? hk_source_text(&s) : NULL;
    hk_ctx_destroy(aside);
    return said ? said : "";
}

static hk_status gone(hk_ctx *ctx, hk_unit *unit) {
    return of(unit)->lost_inside ? hk_iso_say_lost(ctx, of(unit)) : HK_OK;
}

/* As if the set had been made when it was asked for. */
hk_status hk_iso_say_failed(hk_ctx *ctx, hk_iso_unit *u, int code) {
    static const char *const names[] = {"OK", "Warning", "Discard", "Error", "Fatal", "Pending"};
    char time[HK_NUMBER_MAX + 1];
    const char *call = u->failed ? u->failed->name : "a set";
    const char *said = call_failed(&u->base, code);
    time[hk_write_f64(hk_iso_now(u), time)] = '\0';
    return hk_error(ctx, HK_E_UNIT_FAILED, (hk_where){.element = u->base.name}, NULL,
                    "component '%s': %s returned %s at t = %s s%s", u->base.name, call,
                    code >= 0 && code <= HK_UNIT_PENDING ? names[code] : "an unknown status", time,
                    said);
}

typedef struct step_time {
    int code;
    double t, h;
} step_time;

static hk_status look_at_step(hk_ctx *ctx, hk_iso_unit *u, hk_iso_op op, step_time step,
                              hk_stepped *ret_stepped) {
    hk_buffer_source s;
    hk_buffer *m = hk_iso_request(u, op);
    hk_buffer_u64(m, (uint64_t)(int64_t)step.code);
    hk_buffer_f64(m, step.t);
    hk_buffer_f64(m, step.h);
    HK_TRY(hk_iso_answer(ctx, u, u->step.name, &s));
    uint64_t outcome = hk_source_u64(&s);
    ret_stepped->outcome = outcome <= HK_OUTCOME_PENDING ? (hk_outcome)outcome : HK_OUTCOME_DONE;
    ret_stepped->time = hk_source_f64(&s);
    return HK_OK;
}

static hk_status step_failed(hk_ctx *ctx, hk_unit *unit, int code, double t, double h,
                             hk_stepped *ret_stepped) {
    hk_iso_unit *u = of(unit);
    HK_TRY(gone(ctx, unit));
    if (u->failed)
        return hk_iso_say_failed(ctx, u, code);
    if (u->step.shape == HK_STEP_REPORTED)
        code = u->reported;
    return look_at_step(ctx, u, HK_ISO_STEP_FAILED, (step_time){code, t, h}, ret_stepped);
}

static hk_status step_wait(hk_ctx *ctx, hk_unit *unit, double t, double h,
                           hk_stepped *ret_stepped) {
    return look_at_step(ctx, of(unit), HK_ISO_STEP_WAIT, (step_time){0, t, h}, ret_stepped);
}

/* ---- states: what is known of one here is where it lies there ---- */

static hk_buffer *about_state(hk_unit *unit, hk_iso_op op, const void *state) {
    hk_buffer *m = hk_iso_request(of(unit), op);
    hk_buffer_u64(m, (uint64_t)(uintptr_t)state);
    return m;
}

static hk_status state_get(hk_ctx *ctx, hk_unit *unit, void **state) {
    hk_buffer_source s;
    (void)about_state(unit, HK_ISO_STATE_GET, *state);
    HK_TRY(hk_iso_answer(ctx, of(unit), "the saving of the state", &s));
    *state = (void *)(uintptr_t)hk_source_u64(&s);
    return HK_OK;
}

static hk_status state_set(hk_ctx *ctx, hk_unit *unit, void *state) {
    hk_buffer_source s;
    (void)about_state(unit, HK_ISO_STATE_SET, state);
    return hk_iso_answer(ctx, of(unit), "the restoring of the state", &s);
}

static void state_free(hk_unit *unit, void *state) {
    hk_buffer_source s;
    hk_ctx *aside = hk_ctx_create(NULL, NULL);
    (void)about_state(unit, HK_ISO_STATE_FREE, state);
    (void)hk_iso_answer(aside, of(unit), "the freeing of a state", &s);
    hk_ctx_destroy(aside);
}

static void state_key(hk_unit *unit, hk_arena *arena, const char **ret_key, uint64_t *ret_build) {
    hk_buffer_source s;
    hk_ctx *aside = hk_ctx_create(NULL, NULL);
    (void)hk_iso_request(of(unit), HK_ISO_STATE_KEY);
    hk_status status = hk_iso_answer(aside, of(unit), "a question", &s);
    const char *key = status == HK_OK ? hk_source_text(&s) : NULL;
    *ret_key = hk_arena_strdup(arena, key ? key : "");
    *ret_build = status == HK_OK ? hk_source_u64(&s) : 0;
    hk_ctx_destroy(aside);
}

static hk_status state_save(hk_ctx *ctx, hk_unit *unit, void *state, char **ret_data,
                            size_t *ret_size) {
    hk_buffer_source s;
    (void)about_state(unit, HK_ISO_STATE_SAVE, state);
    HK_TRY(hk_iso_answer(ctx, of(unit), "the saving of the state", &s));
    *ret_data = hk_alloc(s.left + 1);
    *ret_size = s.left;
    if (s.left)
        memcpy(*ret_data, s.at, s.left);
    return HK_OK;
}

static hk_status state_load(hk_ctx *ctx, hk_unit *unit, const char *data, size_t size,
                            void **ret_state) {
    hk_buffer_source s;
    hk_buffer_put(hk_iso_request(of(unit), HK_ISO_STATE_LOAD), data, size);
    HK_TRY(hk_iso_answer(ctx, of(unit), "the loading of a state", &s));
    *ret_state = (void *)(uintptr_t)hk_source_u64(&s);
    return HK_OK;
}

/* ---- instances ---- */

static void close_unit(hk_unit *unit) {
    hk_iso_unit *u = of(unit);
    u->set_count = 0; /* nobody sees them */
    if (!u->lost_inside)
        (void)plain(u->ctx, unit, HK_ISO_CLOSE, "the end of the instance");
    hk_iso_end(u);
    for (size_t i = 0; i < u->call_count; i++)
        hk_free(u->calls[i]->kept.data);
    hk_free(u->calls);
    hk_arena_destroy(u->arena);
}

static hk_unit_class class_of(const hk_unit_class *own) {
    return (hk_unit_class){
        HK_HOOKS_BEFORE(own),
        .bind_get = hk_iso_bind_get,
        .bind_set = hk_iso_bind_set,
        .bind_step = hk_iso_bind_step,
        .gone = gone,
    };
}

static hk_iso_unit *make_unit(hk_ctx *ctx, const hk_info *info, const hk_unit_options *options) {
    HK_ASSERT(ctx && info && info->unit_class && options);
    HK_ASSERT(!info->service_count);
    hk_arena *arena = hk_arena_create();
    hk_iso_unit *u = HK_NEW(arena, hk_iso_unit);
    u->arena = arena;
    u->ctx = ctx;
    u->own = info->unit_class;
    u->unit_class = class_of(u->own);
    u->base = (hk_unit){
        .unit_class = &u->unit_class, .info = info, .name = hk_arena_strdup(arena, options->name)};
    u->fd = u->log_fd = u->page_fd = u->folder_fd = -1;
    u->now = options->now;
    u->calling = options->calling;
    u->start = options->start;
    return u;
}

static hk_status begin(hk_ctx *ctx, hk_iso_unit *u, const hk_unit_options *options,
                       hk_unit **ret_unit) {
    hk_status status = hk_iso_begin(ctx, u, options);
    if (status != HK_OK) {
        hk_iso_end(u);
        hk_arena_destroy(u->arena);
        return status;
    }
    *ret_unit = &u->base;
    return HK_OK;
}

hk_status hk_isolate_open(hk_ctx *ctx, const hk_info *info, const hk_unit_options *options,
                          const hk_sandbox *sandbox, hk_unit **ret_unit) {
    HK_ASSERT(ret_unit);
    hk_iso_unit *u = make_unit(ctx, info, options);
    u->sandbox = sandbox;
    return begin(ctx, u, options, ret_unit);
}

hk_status hk_isolate_open_remote(hk_ctx *ctx, const hk_info *info, const hk_unit_options *options,
                                 int fd, hk_unit **ret_unit) {
    HK_ASSERT(fd >= 0 && ret_unit);
    hk_iso_unit *u = make_unit(ctx, info, options);
    u->remote = true;
    u->fd = fcntl(fd, F_DUPFD_CLOEXEC, 0);
    return begin(ctx, u, options, ret_unit);
}
