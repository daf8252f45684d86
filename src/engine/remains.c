/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* dladdr */
#include "engine/remains.h"

#include "base/bell.h"
#include "base/number.h"
#include "engine/fused_internal.h"
#include "engine/score.h"

#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum {
    PAGE = 4096,
    SIM_BYTES = (sizeof(hk_sim) + PAGE - 1) / PAGE * PAGE,
    SLOTS = 64,
    LANES = 64,
    LISTS = 8,
    CALLS = 32768,
    NAMED = 16384,
    NAME_BYTES = 256 << 10
};

/* Calls that lie in line in the memory of the process, each with its hk_op first. */
typedef struct list {
    uintptr_t begin;
    size_t stride, count;
    size_t first; /* of the slot's calls */
} list;

/* One simulation. What does not fit is not known. */
typedef struct slot {
    _Alignas(PAGE) char sim[SIM_BYTES];
    hk_lane lanes[LANES];
    atomic_int owner;    /* process; 0: nobody's */
    uint64_t number;     /* the newest has the largest */
    hk_op single;        /* the call outside of the loop ... */
    uintptr_t single_at; /* ... and how the lane names it */
    unsigned lane_count;
    _Atomic uint32_t list_count;
    list lists[LISTS];
    size_t call_count;
    hk_op calls[CALLS];
    uint32_t name_count;
    uint32_t names[NAMED]; /* per component: where its name begins */
    char name_text[NAME_BYTES];
} slot;

static slot *slots; /* NULL: there is no parent */
static uint64_t made;

void hk_remains_make(void) {
    slots = hk_shared_memory(SLOTS * sizeof *slots); /* only what is used takes memory */
}

static slot *slot_of(const hk_sim *sim) {
    uintptr_t at = (uintptr_t)sim, begin = (uintptr_t)slots;
    return slots && at >= begin && at < begin + SLOTS * sizeof *slots ? (slot *)(uintptr_t)sim
                                                                      : NULL;
}

/* A process that was killed gives nothing back. */
static bool take(slot *s) {
    int owner = atomic_load(&s->owner);
    bool is_free = owner == 0 || (owner != getpid() && kill(owner, 0) != 0 && errno == ESRCH);
    return is_free && atomic_compare_exchange_strong(&s->owner, &owner, getpid());
}

hk_sim *hk_remains_room(void) {
    for (size_t i = 0; slots && i < SLOTS; i++) {
        slot *s = &slots[i];
        if (!take(s))
            continue;
        if (madvise(s->sim, SIM_BYTES, MADV_DONTFORK) != 0) {
            atomic_store(&s->owner, 0);
            return NULL;
        }
        memset(s->sim, 0, sizeof s->sim);
        s->single = (hk_op){0};
        s->single_at = 0;
        s->lane_count = 0;
        s->name_count = 0;
        s->number = ++made;
        atomic_store(&s->list_count, 0);
        return (hk_sim *)(void *)s->sim;
    }
    return NULL;
}

hk_lane *hk_remains_lanes(const hk_sim *sim, unsigned count) {
    HK_ASSERT(sim && count);
    slot *s = slot_of(sim);
    if (!s || count > LANES)
        return NULL;
    memset(s->lanes, 0, sizeof s->lanes);
    s->lane_count = count;
    return s->lanes;
}

static void note_names(slot *s, const hk_model *model) {
    size_t used = 0;
    for (uint32_t c = 0; c < model->component_count && c < NAMED; c++) {
        size_t size = strlen(model->components[c].name) + 1;
        if (used + size > NAME_BYTES)
            return;
        memcpy(s->name_text + used, model->components[c].name, size);
        s->names[c] = (uint32_t)used;
        s->name_count = c + 1;
        used += size;
    }
}

static void note_list(slot *s, const void *begin, size_t stride, size_t count) {
    uint32_t n = atomic_load(&s->list_count);
    if (!count || n == LISTS || s->call_count + count > CALLS)
        return;
    const char *at = begin;
    for (size_t i = 0; i < count; i++, at += stride)
        memcpy(&s->calls[s->call_count + i], at, sizeof(hk_op));
    s->lists[n] = (list){(uintptr_t)begin, stride, count, s->call_count};
    s->call_count += count;
    atomic_store(&s->list_count, n + 1);
}

static void note_web(slot *s, const hk_web *web) {
    const hk_call_lists *const both[] = {&web->all, &web->live};
    _Static_assert(offsetof(hk_exchange, what) == 0 && offsetof(hk_stepping, what) == 0 &&
                       offsetof(hk_score_line, what) == 0,
                   "what a call is comes first");
    for (size_t i = 0; i < 2; i++) {
        note_list(s, both[i]->exchanges, sizeof(hk_exchange), both[i]->n.exchange);
        note_list(s, both[i]->steppings, sizeof(hk_stepping), both[i]->n.stepping);
    }
}

void hk_remains_note(const hk_sim *sim) {
    HK_ASSERT(sim);
    slot *s = slot_of(sim);
    if (!s)
        return;
    atomic_store(&s->list_count, 0);
    s->call_count = 0;
    if (!s->name_count)
        note_names(s, sim->model);
    if (sim->score)
        note_list(s, sim->score->lines, sizeof(hk_score_line), sim->score->line_count);
    if (sim->fused)
        note_list(s, sim->fused->lines, sizeof(hk_fused_line), sim->fused->deeds->line_count);
    note_web(s, sim->threads.team ? &sim->loop.shared_web : &sim->loop.web);
    if (sim->threads.team)
        note_list(s, sim->loop.web.all.exchanges, sizeof(hk_exchange),
                  sim->loop.web.all.n.exchange);
}

void hk_remains_note_call(const hk_sim *sim, const hk_op *what) {
    HK_ASSERT(sim && what);
    slot *s = slot_of(sim);
    if (!s)
        return;
    if (!s->name_count)
        note_names(s, sim->model);
    s->single = *what;
    s->single_at = (uintptr_t)what;
}

void hk_remains_release(const hk_sim *sim) {
    HK_ASSERT(sim);
    slot *s = slot_of(sim);
    if (!s)
        return;
    (void)madvise(s->sim, SIM_BYTES, MADV_DOFORK);
    atomic_store(&s->owner, 0);
}

/* ---- in the parent ---- */

/* Both processes are the same program at the same addresses; what is not in it is gone. */
static bool is_in_program(const char *text) {
    Dl_info there, here;
    return dladdr(text, &there) && dladdr(&slots, &here) && there.dli_fbase == here.dli_fbase;
}

static hk_op call_at(const slot *s, uintptr_t at) {
    if (at == s->single_at)
        return s->single;
    for (uint32_t i = 0; i < s->list_count && i < LISTS; i++) {
        const list *l = &s->lists[i];
        size_t k = at >= l->begin && l->stride ? (at - l->begin) / l->stride : l->count;
        if (k < l->count && l->first + k < CALLS)
            return s->calls[l->first + k];
    }
    return (hk_op){NULL, UINT32_MAX};
}

static uintptr_t call_in_progress(const slot *s, const hk_sim *sim) {
    uintptr_t at = (uintptr_t)sim->threads.self.at;
    for (unsigned i = 1; !at && i < s->lane_count && i < LANES; i++)
        at = (uintptr_t)s->lanes[i].at;
    return at;
}

static const slot *newest_of(pid_t owner) {
    const slot *found = NULL;
    for (size_t i = 0; slots && i < SLOTS; i++)
        if (slots[i].owner == owner && (!found || slots[i].number > found->number))
            found = &slots[i];
    return found;
}

size_t hk_remains_describe(pid_t owner, char *text, size_t room) {
    HK_ASSERT(text && room);
    const slot *s = newest_of(owner);
    char time[HK_NUMBER_MAX + 1];
    if (!s || owner <= 0)
        return 0;
    const hk_sim *sim = (const hk_sim *)(const void *)s->sim;
    uintptr_t at = call_in_progress(s, sim);
    const char *name = sim->safety.calling;
    hk_op what = call_at(s, at);
    name = name && is_in_program(name) ? name : what.name;
    name = name && is_in_program(name) ? name : "a call";
    time[hk_write_f64(sim->time.seconds, time)] = '\0';
    bool known = what.component < s->name_count && what.component < NAMED &&
                 s->names[what.component] < NAME_BYTES;
    int length;
    if (!at)
        length = snprintf(text, room, "between two calls at t = %s s", time);
    else if (known)
        length = snprintf(text, room, "while component '%.*s' was in %s at t = %s s",
                          (int)(NAME_BYTES - s->names[what.component]),
                          s->name_text + s->names[what.component], name, time);
    else
        length = snprintf(text, room, "while a component was being called at t = %s s", time);
    return length < 0 ? 0 : (size_t)length < room ? (size_t)length : room - 1;
}
