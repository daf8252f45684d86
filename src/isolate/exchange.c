/* SPDX-License-Identifier: MIT
 *
 * The hot calls: one request per step. Sets leave their values in the page; the step takes them
 * with it, and brings what was got after the step before, which is what will be got after this one.
 * What it has not brought is asked for. */
#include "isolate/isolate_internal.h"

#include <string.h>

/* Until the next step it is known where the values are that the last request has brought. */
static void take_gets(hk_iso_unit *u) {
    const hk_iso_page *p = u->page;
    uint32_t got = p->done < u->wanted_count ? p->done : u->wanted_count;
    for (uint32_t i = 0; i < got; i++) {
        hk_iso_call *c = u->calls[u->wanted[i]];
        c->fetched = u->age;
        c->code = p->codes[i];
    }
    u->wanted_count = 0;
}

/* The sets that wait go with the request. False: the process is gone, or one of them failed. */
static bool ask_with_sets(hk_iso_unit *u, hk_iso_op op, const char *call, int *ret_code) {
    hk_iso_page *p = u->page;
    uint32_t count = u->set_count;
    p->set_count = count;
    for (uint32_t i = 0; i < count; i++) {
        p->sets[i] = u->sets[i];
        u->calls[u->sets[i]]->waits = false;
    }
    u->set_count = 0;
    u->failed = NULL;
    u->age++;
    *ret_code = HK_UNIT_FATAL;
    if (!hk_iso_ask(u, op, call))
        return false;
    *ret_code = p->code;
    if (p->part != HK_ISO_IN_SET)
        return true;
    u->failed = u->calls[u->sets[p->done < count ? p->done : 0]];
    return false;
}

int hk_iso_flush(hk_iso_unit *u) {
    int code = HK_UNIT_OK;
    if (u->set_count) {
        u->page->get_count = 0;
        (void)ask_with_sets(u, HK_ISO_EXCHANGE, u->calls[u->sets[0]]->name, &code);
    }
    return code;
}

/* ---- texts ---- */

static int get_text(hk_iso_call *c, hk_bytes *values) {
    hk_buffer_source s;
    hk_ctx *aside = hk_ctx_create(NULL, NULL);
    hk_buffer_u64(hk_iso_request(c->of, HK_ISO_GET_TEXT), c->number);
    hk_status status = hk_iso_answer(aside, c->of, c->name, &s);
    hk_ctx_destroy(aside);
    if (status != HK_OK)
        return HK_UNIT_FATAL;
    int code = (int)(int64_t)hk_source_u64(&s);
    if (hk_unit_bad(code))
        return code;
    c->kept.size = 0;
    hk_buffer_put(&c->kept, s.at, s.left);
    s.at = c->kept.data;
    hk_iso_take_texts(&s, values, c->count);
    return s.good ? code : HK_UNIT_FATAL;
}

static int set_text(hk_iso_call *c, const hk_bytes *values) {
    hk_buffer_source s;
    hk_ctx *aside = hk_ctx_create(NULL, NULL);
    hk_buffer *m = hk_iso_request(c->of, HK_ISO_SET_TEXT);
    hk_buffer_u64(m, c->number);
    hk_iso_put_texts(m, values, c->count);
    hk_status status = hk_iso_answer(aside, c->of, c->name, &s);
    hk_ctx_destroy(aside);
    return status == HK_OK ? (int)(int64_t)hk_source_u64(&s) : HK_UNIT_FATAL;
}

/* ---- numbers ---- */

static int set_values(void *self, const uint32_t *refs, size_t n, void *values) {
    hk_iso_call *c = self;
    hk_iso_unit *u = c->of;
    (void)refs, (void)n;
    int code = HK_UNIT_OK;
    if (!c->values || c->waits || u->set_count == HK_ISO_LIST)
        code = hk_iso_flush(u);
    if (hk_unit_bad(code))
        return code;
    if (!c->values)
        return set_text(c, values);
    memcpy(c->values, values, c->bytes);
    u->sets[u->set_count++] = c->number;
    c->waits = true;
    return u->runs ? HK_UNIT_OK : hk_iso_flush(u);
}

/* What is got now is wanted after the next step as well. */
static void want(hk_iso_unit *u, const hk_iso_call *c) {
    for (uint32_t i = 0; i < u->wanted_count; i++)
        if (u->wanted[i] == c->number)
            return;
    if (u->wanted_count < HK_ISO_LIST)
        u->wanted[u->wanted_count++] = c->number;
}

static int fetch(hk_iso_call *c) {
    hk_iso_unit *u = c->of;
    int code;
    u->page->gets[0] = c->number;
    u->page->get_count = 1;
    if (!ask_with_sets(u, HK_ISO_EXCHANGE, c->name, &code))
        return code;
    u->age--; /* nothing was set: what else was brought is as it was */
    c->fetched = u->age;
    return c->code = u->page->done ? u->page->codes[0] : HK_UNIT_FATAL;
}

static int get_values(void *self, const uint32_t *refs, size_t n, void *values) {
    hk_iso_call *c = self;
    hk_iso_unit *u = c->of;
    (void)refs, (void)n;
    if (!c->values || u->set_count) {
        int code = hk_iso_flush(u);
        if (hk_unit_bad(code))
            return code;
    }
    if (!c->values)
        return get_text(c, values);
    if (u->stepped)
        want(u, c);
    int code = c->fetched == u->age ? c->code : fetch(c);
    if (!hk_unit_bad(code))
        memcpy(values, c->values, c->bytes);
    return code;
}

/* ---- steps ---- */

static int step(hk_iso_unit *u, double t, double h) {
    hk_iso_page *p = u->page;
    int code;
    p->t = t;
    p->h = h;
    memcpy(p->gets, u->wanted, u->wanted_count * sizeof *u->wanted);
    p->get_count = u->wanted_count;
    bool all = ask_with_sets(u, HK_ISO_STEP, u->step.name, &code);
    if (all && p->part == HK_ISO_ALL_DONE)
        take_gets(u);
    u->wanted_count = 0;
    u->stepped = true;
    return code;
}

static int step_plain(void *self, double t, double h) {
    return step(self, t, h);
}

static int step_flagged(void *self, double t, double h, int flag) {
    (void)flag;
    return step(self, t, h);
}

/* A report stays with the child, which looks at it: where there is more to it than the status, the
 * step is one that must be looked at. */
static int step_reported(void *self, double t, double h, int flag) {
    hk_iso_unit *u = self;
    (void)flag;
    u->reported = step(u, t, h);
    bool look = u->page->part == HK_ISO_IN_STEP && !hk_unit_bad(u->reported);
    return look ? HK_UNIT_DISCARD : u->reported;
}

void hk_iso_bind_step(hk_unit *unit, hk_step_call *ret_call) {
    hk_iso_unit *u = (hk_iso_unit *)unit;
    *ret_call = u->step;
    ret_call->self = u;
    if (u->step.shape == HK_STEP_PLAIN)
        ret_call->fn.plain = step_plain;
    else
        ret_call->fn.flagged = u->step.shape == HK_STEP_FLAGGED ? step_flagged : step_reported;
    if (u->step.shape == HK_STEP_REPORTED)
        ret_call->shape = HK_STEP_FLAGGED;
}

/* ---- binding ---- */

static hk_status bind(hk_ctx *ctx, hk_unit *unit, hk_call_about about, bool set,
                      hk_call *ret_call) {
    hk_iso_unit *u = (hk_iso_unit *)unit;
    const hk_variable *variables = unit->info->variables;
    hk_iso_call *c = HK_NEW(u->arena, hk_iso_call);
    uint32_t *refs = HK_NEW_ARRAY(u->arena, uint32_t, about.count + 1);
    hk_store store = about.count ? variables[about.variables[0]].store : HK_STORE_F64;
    *c = (hk_iso_call){
        .of = u, .number = (uint32_t)u->call_count, .set = set, .fetched = UINT64_MAX};
    for (size_t i = 0; i < about.count; i++) {
        refs[i] = variables[about.variables[i]].ref;
        c->count += variables[about.variables[i]].count;
    }
    size_t place = store == HK_STORE_BYTES ? 0 : u->used;
    c->bytes = c->count * hk_store_size(store);
    size_t room = (c->bytes + HK_CACHE_LINE - 1) / HK_CACHE_LINE * HK_CACHE_LINE;
    if (place && u->size - u->used < room)
        return hk_error(ctx, HK_E_INTERNAL, (hk_where){.element = unit->name}, NULL,
                        "component '%s': no room for the values of another call", unit->name);
    if (place)
        u->used += room;
    c->values = place ? (char *)u->page + place : NULL;
    hk_buffer *m = hk_iso_request(u, HK_ISO_BIND);
    hk_buffer_u64(m, set);
    hk_buffer_u64(m, place);
    hk_buffer_u64(m, about.count);
    hk_buffer_put(m, about.variables, about.count * sizeof *about.variables);
    hk_buffer_source s;
    HK_TRY(hk_iso_answer(ctx, u, "the preparation of a call", &s));
    c->name = hk_source_text(&s);
    c->name = c->name ? c->name : "a call";
    HK_PUSH(u->calls, u->call_count, u->call_cap, c);
    *ret_call = (hk_call){.shape = HK_SHAPE_REFS,
                          .fn.refs = set ? set_values : get_values,
                          .self = c,
                          .refs = refs,
                          .n = about.count,
                          .values = about.values,
                          .value_count = c->count,
                          .name = c->name};
    return HK_OK;
}

hk_status hk_iso_bind_get(hk_ctx *ctx, hk_unit *unit, const uint32_t *variables, size_t n,
                          void *values, hk_call *ret_call) {
    return bind(ctx, unit, (hk_call_about){variables, n, values}, false, ret_call);
}

hk_status hk_iso_bind_set(hk_ctx *ctx, hk_unit *unit, const uint32_t *variables, size_t n,
                          void *values, hk_call *ret_call) {
    return bind(ctx, unit, (hk_call_about){variables, n, values}, true, ret_call);
}
