/* SPDX-License-Identifier: MIT
 *
 * The process of an isolated component: opens it, and does what it is asked for until it is closed.
 * A request that brings it down is found by the one who asked. */
#include "isolate/isolate_internal.h"

#include "base/child.h"
#include "base/file.h"
#include "base/fpenv.h"
#include "base/number.h"
#include "fmi/fmi.h"
#include "fmi/fmu.h"
#include "isolate/sandbox_internal.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Where one variable lies that is reached by address. */
typedef struct piece {
    char *at;
    size_t bytes;
} piece;

typedef struct call {
    bool set;
    piece *pieces; /* NULL: by the call of its own class */
    size_t piece_count;
    hk_call own;
    char *values; /* in the page, or, of texts, here */
    size_t count;
    hk_buffer kept; /* texts that were set last */
} call;

typedef struct child {
    hk_iso_birth birth;
    hk_iso_page *page;
    hk_arena *arena;
    hk_ctx *ctx;
    hk_unit *unit;
    const hk_unit_class *own;
    hk_step_call step;
    _Atomic(const char *) said; /* what text holds the last lines that the FMU said */
    call **calls;
    size_t call_count, call_cap;
    uint64_t fp_control;
    bool fp_reported, sealed;
    hk_buffer message, answer;
} child;

/* A handler of a signal can reach nothing but globals. */
static child *self;

/* Not _exit(): the program has one of its own, for components. */
_Noreturn static void leave(int status) {
    for (;;)
        syscall(SYS_exit_group, status);
}

/* What an FMU says is written at once, so that it is there if the next line crashes. */
static void write_down(void *user, const hk_fmu_message *m) {
    child *c = user;
    hk_buffer b = {0}, framed = {0};
    hk_buffer_text(&b, m->instance);
    hk_buffer_text(&b, m->category);
    hk_buffer_text(&b, m->text);
    hk_buffer_u64(&b, (uint64_t)(int64_t)m->status);
    hk_buffer_f64(&b, m->time);
    hk_buffer_u64(&framed, b.size);
    hk_buffer_put(&framed, b.data, b.size);
    for (size_t done = 0; done < framed.size;) {
        ssize_t n = write(c->birth.log_fd, framed.data + done, framed.size - done);
        if (n < 0 && errno != EINTR)
            break;
        done += n > 0 ? (size_t)n : 0;
        atomic_store(&c->page->spoke, 1);
    }
    hk_free(b.data);
    hk_free(framed.data);
}

/* ---- values ---- */

static int make_own_call(const call *k) {
    const hk_call *o = &k->own;
    atomic_store_explicit(&self->page->calling, o->name, memory_order_relaxed);
    int code = o->shape == HK_SHAPE_REFS
                   ? o->fn.refs(o->self, o->refs, o->n, k->values)
                   : o->fn.refs_sized(o->self, o->refs, o->n, k->values, o->value_count);
    atomic_store_explicit(&self->page->calling, NULL, memory_order_relaxed);
    return code;
}

static int make_call(const call *k) {
    if (!k->pieces)
        return make_own_call(k);
    char *at = k->values;
    for (size_t i = 0; i < k->piece_count; i++) {
        const piece *p = &k->pieces[i];
        memcpy(k->set ? p->at : at, k->set ? at : p->at, p->bytes);
        at += p->bytes;
    }
    return HK_UNIT_OK;
}

/* All variables of a call are reached the same way: by address if the class has addresses. */
static bool find_pieces(child *c, call *k, const uint32_t *variables, size_t n) {
    piece *pieces = HK_NEW_ARRAY(c->arena, piece, n + 1);
    for (size_t i = 0; i < n; i++) {
        const hk_variable *v = &c->unit->info->variables[variables[i]];
        char *at = c->own->address ? c->own->address(c->unit, variables[i]) : NULL;
        if (!at)
            return false;
        pieces[i] = (piece){at, v->count * hk_store_size(v->store)};
    }
    k->pieces = pieces;
    k->piece_count = n;
    return true;
}

static hk_status bind(child *c, hk_buffer_source *s, hk_buffer *answer) {
    call *k = HK_NEW(c->arena, call);
    k->set = hk_source_u64(s) != 0;
    size_t place = (size_t)hk_source_u64(s), n = (size_t)hk_source_u64(s);
    uint32_t *variables = HK_NEW_ARRAY(c->arena, uint32_t, n + 1);
    hk_source_get(s, variables, n * sizeof *variables);
    for (size_t i = 0; i < n; i++)
        k->count += c->unit->info->variables[variables[i]].count;
    k->values = place ? (char *)c->page + place
                      : hk_arena_alloc(c->arena, (k->count + 1) * sizeof(hk_bytes));
    if (!find_pieces(c, k, variables, n)) {
        hk_bind_fn *own = k->set ? c->own->bind_set : c->own->bind_get;
        HK_TRY(own(c->ctx, c->unit, variables, n, k->values, &k->own));
    }
    HK_PUSH(c->calls, c->call_count, c->call_cap, k);
    hk_buffer_text(answer, k->pieces ? k->set ? "set" : "get" : k->own.name);
    return HK_OK;
}

static hk_status get_text(child *c, hk_buffer_source *s, hk_buffer *answer) {
    call *k = c->calls[hk_source_u64(s)];
    int code = make_call(k);
    hk_buffer_u64(answer, (uint64_t)(int64_t)code);
    if (!hk_unit_bad(code))
        hk_iso_put_texts(answer, (const hk_bytes *)(const void *)k->values, k->count);
    return HK_OK;
}

/* A component that is reached by address reads the texts at any time: they stay until the next. */
static hk_status set_text(child *c, hk_buffer_source *s, hk_buffer *answer) {
    call *k = c->calls[hk_source_u64(s)];
    hk_buffer old = k->kept;
    k->kept = (hk_buffer){0};
    hk_buffer_put(&k->kept, s->at, s->left);
    hk_buffer_source texts = {c->arena, k->kept.data, k->kept.size, true};
    hk_iso_take_texts(&texts, (hk_bytes *)(void *)k->values, k->count);
    hk_buffer_u64(answer, (uint64_t)(int64_t)make_call(k));
    hk_free(old.data);
    return HK_OK;
}

/* ---- a step ---- */

static bool sets_made(child *c) {
    hk_iso_page *p = c->page;
    for (uint32_t i = 0; i < p->set_count; i++) {
        p->code = make_call(c->calls[p->sets[i]]);
        if (!hk_unit_bad(p->code))
            continue;
        p->part = HK_ISO_IN_SET;
        p->done = i;
        return false;
    }
    return true;
}

/* False: it is to be looked at. */
static bool stepped(child *c) {
    hk_iso_page *p = c->page;
    const hk_step_call *s = &c->step;
    hk_step_report *r = s->report;
    p->part = HK_ISO_IN_STEP;
    switch (s->shape) {
    case HK_STEP_PLAIN:
        p->code = s->fn.plain(s->self, p->t, p->h);
        return p->code == HK_STEP_OK;
    case HK_STEP_FLAGGED:
        p->code = s->fn.flagged(s->self, p->t, p->h, s->flag);
        return !hk_unit_bad(p->code);
    default:
        p->code = s->fn.reported(s->self, p->t, p->h, s->flag, (bool *)&r->event_needed,
                                 (bool *)&r->terminate, (bool *)&r->early, &r->last_time);
        return !hk_unit_bad(p->code) && (r->terminate | r->early | r->event_needed) == 0;
    }
}

static void gets_made(child *c) {
    hk_iso_page *p = c->page;
    while (p->done < p->get_count) {
        int code = make_call(c->calls[p->gets[p->done]]);
        p->codes[p->done++] = code;
        if (hk_unit_bad(code))
            return;
    }
}

static void exchange(child *c) {
    hk_iso_page *p = c->page;
    p->part = HK_ISO_ALL_DONE;
    p->done = 0;
    p->code = HK_UNIT_OK;
    if (!sets_made(c) || (p->op == HK_ISO_STEP && !stepped(c)))
        return;
    p->part = HK_ISO_ALL_DONE;
    gets_made(c);
}

/* ---- other requests ---- */

static void put_state(hk_buffer *b, const void *state) {
    hk_buffer_u64(b, (uint64_t)(uintptr_t)state);
}

static hk_status do_state(child *c, hk_iso_op op, hk_buffer_source *s, hk_buffer *answer) {
    void *state = op == HK_ISO_STATE_LOAD || op == HK_ISO_STATE_KEY
                      ? NULL
                      : (void *)(uintptr_t)hk_source_u64(s);
    const char *key = NULL;
    char *data = NULL;
    size_t size = 0;
    uint64_t build = 0;
    switch (op) {
    case HK_ISO_STATE_GET:
        HK_TRY(c->own->state_get(c->ctx, c->unit, &state));
        put_state(answer, state);
        return HK_OK;
    case HK_ISO_STATE_SET:
        return c->own->state_set(c->ctx, c->unit, state);
    case HK_ISO_STATE_FREE:
        c->own->state_free(c->unit, state);
        return HK_OK;
    case HK_ISO_STATE_KEY:
        c->own->state_key(c->unit, s->arena, &key, &build);
        hk_buffer_text(answer, key);
        hk_buffer_u64(answer, build);
        return HK_OK;
    case HK_ISO_STATE_SAVE:
        HK_TRY(c->own->state_save(c->ctx, c->unit, state, &data, &size));
        hk_buffer_put(answer, data, size);
        hk_free(data);
        return HK_OK;
    default:
        HK_TRY(c->own->state_load(c->ctx, c->unit, s->at, s->left, &state));
        put_state(answer, state);
        return HK_OK;
    }
}

static hk_status look_at_step(child *c, hk_iso_op op, hk_buffer_source *s, hk_buffer *answer) {
    int code = (int)(int64_t)hk_source_u64(s);
    double t = hk_source_f64(s), h = hk_source_f64(s);
    hk_stepped stepped = {HK_OUTCOME_DONE, t};
    hk_status status = op == HK_ISO_STEP_WAIT
                           ? c->own->step_wait(c->ctx, c->unit, t, h, &stepped)
                           : c->own->step_failed(c->ctx, c->unit, code, t, h, &stepped);
    hk_buffer_u64(answer, (uint64_t)stepped.outcome);
    hk_buffer_f64(answer, stepped.time);
    return status;
}

static hk_status set_start(child *c, hk_buffer_source *s) {
    uint32_t variable = (uint32_t)hk_source_u64(s);
    hk_value value = hk_iso_take_value(s);
    return c->own->set_start(c->ctx, c->unit, variable, &value);
}

static hk_status may(child *c, hk_buffer_source *s) {
    hk_unit_call what = (hk_unit_call)hk_source_u64(s);
    return c->own->may(c->ctx, c->unit, what, hk_source_u64(s) != 0);
}

static hk_status do_one(child *c, hk_iso_op op, hk_buffer_source *s, hk_buffer *answer) {
    switch (op) {
    case HK_ISO_SET_START:
        return set_start(c, s);
    case HK_ISO_ENTER_INIT:
        return c->own->enter_init(c->ctx, c->unit);
    case HK_ISO_EXIT_INIT:
        return hk_unit_exit_init(c->ctx, c->unit);
    case HK_ISO_TERMINATE:
        return hk_unit_terminate(c->ctx, c->unit);
    case HK_ISO_REFRESH:
        return c->own->refresh(c->ctx, c->unit, hk_source_f64(s));
    case HK_ISO_START:
        return c->own->start(c->ctx, c->unit, hk_source_f64(s));
    case HK_ISO_STOP:
        return c->own->stop(c->ctx, c->unit, hk_source_f64(s));
    case HK_ISO_BIND:
        return bind(c, s, answer);
    case HK_ISO_GET_TEXT:
        return get_text(c, s, answer);
    case HK_ISO_SET_TEXT:
        return set_text(c, s, answer);
    case HK_ISO_MAY:
        return may(c, s);
    case HK_ISO_STEP_FAILED:
    case HK_ISO_STEP_WAIT:
        return look_at_step(c, op, s, answer);
    case HK_ISO_COVERED:
        for (size_t i = 0; i < c->unit->info->covered_count; i++)
            hk_buffer_u64(answer, c->own->covered(c->unit)[i]);
        return HK_OK;
    case HK_ISO_CALL_FAILED:
        hk_buffer_text(answer, c->own->call_failed(c->unit, (int)(int64_t)hk_source_u64(s)));
        return HK_OK;
    case HK_ISO_CLOSE:
        hk_iso_forget_handlers();
        c->own->close(c->unit);
        c->unit = NULL;
        return HK_OK;
    default:
        return do_state(c, op, s, answer);
    }
}

/* Calls of hocket itself must not run in the environment that a component has left. */
static void look_after_fpenv(child *c) {
    uint64_t now = hk_fpenv_read();
    if (now == c->fp_control)
        return;
    hk_fpenv_write(c->fp_control);
    char time[HK_NUMBER_MAX + 1];
    time[hk_write_f64(c->page->now, time)] = '\0';
    if (!c->fp_reported)
        hk_warn(c->ctx, HK_E_UNIT_FAILED, (hk_where){.element = c->birth.options->name},
                "hocket restores it after every call from now on",
                "component '%s': a call changes %s at t = %s s", c->birth.options->name,
                hk_fpenv_difference(c->fp_control, now), time);
    c->fp_reported = true;
}

/* An answer: the status, what is to be said, and the rest. */
static void send_answer(child *c, hk_status status, const hk_buffer *rest) {
    c->answer.size = 0;
    hk_buffer_u64(&c->answer, (uint64_t)status);
    hk_buffer_diags(&c->answer, c->ctx);
    hk_buffer_put(&c->answer, rest->data, rest->size);
    hk_ctx_clear(c->ctx);
    if (!hk_iso_send(c->birth.fd, &c->answer))
        leave(HK_ISO_CUT_OFF);
}

/* In a sandbox it may not: the parent does. */
static void tidy_up(const child *c) {
    if (!c->birth.sandbox)
        hk_folder_remove_temporary();
}

static void answer_one(child *c) {
    if (!hk_iso_receive(c->birth.fd, &c->message, NULL, NULL))
        leave(HK_ISO_CUT_OFF);
    hk_arena *arena = hk_arena_create();
    hk_buffer_source s = {arena, c->message.data, c->message.size, true};
    hk_buffer rest = {0};
    hk_iso_op op = (hk_iso_op)hk_source_u64(&s);
    hk_status status = do_one(c, op, &s, &rest);
    look_after_fpenv(c);
    if (op == HK_ISO_CLOSE) { /* all is done that may fail */
        tidy_up(c);
        (void)fflush(stdout);
    }
    atomic_store_explicit(&c->page->busy, 0, memory_order_relaxed);
    send_answer(c, status, &rest);
    hk_free(rest.data);
    hk_arena_destroy(arena);
    if (op == HK_ISO_CLOSE)
        leave(0);
}

static hk_status seal(hk_ctx *ctx, void *user) {
    child *c = user;
    hk_library_before_load(NULL, NULL);
    c->sealed = true;
    return hk_sandbox_seal(ctx, &c->birth);
}

static hk_status open_own(child *c) {
    hk_unit_options options = *c->birth.options;
    options.place = NULL;
    options.now = &c->page->now;
    options.calling = &c->page->calling;
    options.said = &c->said;
    if (c->birth.sandbox && c->birth.info->can.fmi)
        hk_library_before_load(seal, c); /* all is unpacked by then */
    else if (c->birth.sandbox)
        HK_TRY(seal(c->ctx, c));
    HK_TRY(c->own->open(c->ctx, c->birth.info, &options, &c->unit));
    HK_ASSERT(c->sealed || !c->birth.sandbox);
    c->own = c->unit->unit_class;
    c->own->bind_step(c->unit, &c->step);
    return HK_OK;
}

static void describe(child *c, hk_buffer *rest) {
    hk_buffer_u64(rest, (uint64_t)c->step.shape);
    hk_buffer_u64(rest, c->step.flag);
    hk_buffer_u64(rest, c->step.may_pend);
    hk_buffer_text(rest, c->step.name);
    hk_buffer_text(rest, c->own->library ? c->own->library(c->unit) : NULL);
    hk_buffer_text(rest, c->unit->lacks_memory);
    hk_buffer_text(rest, c->unit->lacks_bytes);
}

_Noreturn static void serve(child *c) {
    uint32_t seen = 0;
    unsigned spin = c->birth.spin;
    for (;;) {
        bool crowded = atomic_load_explicit(&c->page->crowded, memory_order_relaxed);
        spin = crowded ? 0 : spin ? spin : c->birth.spin;
        while (!hk_bell_wait(&c->page->asked, seen, &spin, HK_ISO_ORPHAN_MS))
            if (getppid() != c->birth.parent)
                leave(0);
        seen++;
        hk_iso_op op = c->page->op; /* the next one may be there as soon as this one is answered */
        atomic_store_explicit(&c->page->busy, 1, memory_order_relaxed);
        if (op == HK_ISO_COLD) {
            answer_one(c);
            continue;
        }
        exchange(c);
        look_after_fpenv(c);
        atomic_store_explicit(&c->page->busy, 0, memory_order_relaxed);
        hk_bell_ring(&c->page->answered);
    }
}

void hk_iso_live(const hk_iso_birth *birth) {
    hk_child_starve_silently(); /* process.c says it, once */
    child *c = hk_alloc(sizeof *c);
    *c = (child){.birth = *birth,
                 .page = birth->page,
                 .arena = hk_arena_create(),
                 .ctx = hk_ctx_create(NULL, NULL),
                 .own = birth->info->unit_class};
    self = c;
    atomic_store_explicit(&c->page->busy, 1, memory_order_relaxed);
    hk_folder_forget_temporary(); /* those are the parent's */
    if (birth->sandbox)
        hk_sandbox_enter(birth);
    (void)setenv("TMPDIR", birth->folder, 1);
    hk_iso_keep_last_words(birth, &c->said);
    if (birth->log_fd >= 0)
        hk_fmu_set_journal(write_down, c);
    c->fp_control = hk_fpenv_pin();
    hk_buffer rest = {0};
    hk_status status = open_own(c);
    look_after_fpenv(c);
    if (status == HK_OK)
        describe(c, &rest);
    send_answer(c, status, &rest);
    hk_free(rest.data);
    if (status != HK_OK) {
        tidy_up(c);
        leave(0);
    }
    atomic_store_explicit(&c->page->busy, 0, memory_order_relaxed);
    serve(c);
}
