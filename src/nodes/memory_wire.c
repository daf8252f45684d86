/* SPDX-License-Identifier: MIT
 *
 * Shared memory: a ring for each flow. Who finds nothing looks again for a while, as long as that
 * has helped lately, and sleeps on its bell then.
 *
 * Messages of numbers have all the same room, a slot of whole lines of the cache, which begins with
 * the number of the message that it holds: that is written last. So a small message is one line
 * that goes from one processor to the other, and nothing else that both look at is written with
 * each message: how far the reader is is said now and then, and a bell is rung for who sleeps.
 *
 * Where there are texts, a ring is of bytes. A message begins at a line and is read where it lies;
 * one that goes around the end of its ring is put together first, and one that is larger than its
 * ring goes through in pieces. */
#include "nodes/wires_internal.h"

#include "base/bell.h"

#include <string.h>
#include <sys/mman.h>

/* The two ends write to lines of their own. Bytes, or, of slots, messages. */
typedef struct ring {
    _Alignas(HK_LINE) _Atomic uint64_t written; /* of slots: not used */
    _Alignas(HK_LINE) _Atomic uint64_t read;
    _Atomic uint32_t writer_waits; /* for room */
} ring;

/* What one process knows of a flow beside the ring. */
typedef struct ring_end {
    size_t cap, place;       /* of its bytes, in the map; of bytes: a power of two */
    size_t slot;             /* bytes of each; 0: it is a ring of bytes */
    uint64_t slots;          /* how many; a power of two */
    uint64_t count;          /* slots that were written, or read, at this end */
    uint64_t told;           /* how many the other end knows to be read */
    uint64_t arrived;        /* slots that were seen to be written */
    bool blocked;            /* there was no room for the message under way */
    uint64_t read;           /* at least so far, as the writer knows: it need not look each time */
    uint64_t done;           /* bytes of the message that is being written */
    hk_buffer got;           /* the message that is being read, if it does not lie in one piece */
    size_t lies;             /* bytes of the ring that it takes where it lies; 0: it is in GOT */
    hk_flow_message message; /* if it is whole */
    bool whole;
} ring_end;

typedef struct hk_rings {
    char *map;
    size_t size;
    ring *rings; /* at its begin */
    ring_end *ends;
    uint32_t *into; /* flows to this node; NULL: not known yet */
    size_t into_count;
    unsigned spin;  /* hk_spin_looks */
    uint32_t bell;  /* what it was when it was heard last */
    uint64_t heard; /* the same, with all that had come by then */
} hk_rings;

enum { RING_LEAST = 1024, TEXT_RING_LEAST = 16384, SLOT_HEAD = sizeof(uint64_t) };

/* What a message takes of a ring: whole lines. */
static size_t in_lines(size_t size) {
    return (size + HK_LINE - 1) / HK_LINE * HK_LINE;
}

/* The room of a flow. Half of its slots may be free without the writer knowing. */
static ring_end make_end(const hk_plan_flows *flows, const hk_plan_flow *flow) {
    const hk_info *info = flows->plan->model->components[flow->component].info;
    size_t values = 0, room = hk_plan_flow_room(flows, flow);
    bool texts = false;
    for (size_t i = 0; i < flow->variable_count; i++) {
        const hk_variable *v = &info->variables[flow->variables[i].variable];
        values += v->count * hk_store_size(v->store);
        texts = texts || v->store == HK_STORE_BYTES;
    }
    size_t all = in_lines(HK_FRAME_HEAD + values) * room;
    if (texts) {
        ring_end end = {.cap = TEXT_RING_LEAST};
        while (end.cap < all)
            end.cap *= 2;
        return end;
    }
    /* Where the run ends there is a time beside the values. */
    ring_end end = {.slot = in_lines(SLOT_HEAD + HK_FRAME_HEAD + sizeof(double) + values),
                    .slots = 2};
    while (end.slots < 2 * room || end.slots * end.slot < RING_LEAST)
        end.slots *= 2;
    end.cap = (size_t)end.slots * end.slot;
    return end;
}

hk_status hk_rings_make(hk_ctx *ctx, hk_wires *w) {
    const hk_plan_flows *flows = w->flows;
    hk_rings *r = hk_alloc(sizeof *r);
    w->rings = r;
    r->spin = HK_SPIN_MOST;
    r->ends = hk_alloc((flows->count + 1) * sizeof *r->ends);
    size_t place = (flows->count + 1) * sizeof(ring);
    for (size_t i = 0; i < flows->count; i++) {
        r->ends[i] = make_end(flows, &flows->all[i]);
        r->ends[i].place = place;
        place += r->ends[i].cap;
    }
    r->size = place;
    void *map = NULL;
    HK_TRY(hk_shared_map(ctx, w, r->size, &map));
    r->map = map;
    r->rings = (ring *)(void *)r->map;
    return HK_OK;
}

void hk_rings_destroy(hk_wires *w) {
    hk_rings *r = w->rings;
    if (!r)
        return;
    for (size_t i = 0; i < w->flows->count; i++)
        hk_free(r->ends[i].got.data);
    hk_free(r->ends);
    hk_free(r->into);
    if (r->map)
        munmap(r->map, r->size);
    hk_free(r);
    w->rings = NULL;
}

/* ---- slots ---- */

static char *slot_of(const hk_rings *all, const ring_end *end, uint64_t number) {
    return all->map + end->place + (size_t)(number & (end->slots - 1)) * end->slot;
}

/* Nothing but such numbers is ever written there. */
static _Atomic uint64_t *number_of(char *slot) {
    return (_Atomic uint64_t *)(void *)slot;
}

/* False: there is no room. */
static bool write_slot(const hk_rings *all, const ring *r, ring_end *end,
                       const hk_flow_message *m) {
    if (end->count - end->read >= end->slots)
        end->read = atomic_load(&r->read);
    if (end->count - end->read >= end->slots)
        return false;
    HK_ASSERT(SLOT_HEAD + HK_FRAME_HEAD + m->data.size <= end->slot);
    char *slot = slot_of(all, end, end->count);
    hk_frame_head(m, slot + SLOT_HEAD);
    if (m->data.size)
        memcpy(slot + SLOT_HEAD + HK_FRAME_HEAD, m->data.data, m->data.size);
    atomic_store(number_of(slot), ++end->count); /* before we look whether the reader sleeps */
    return true;
}

/* True if the next message is there, and as it should be. */
static bool find_in_slot(const hk_wires *w, uint32_t flow, bool *ret_damaged) {
    const hk_rings *all = w->rings;
    ring_end *end = &all->ends[flow];
    char *slot = slot_of(all, end, end->count);
    if (atomic_load_explicit(number_of(slot), memory_order_acquire) != end->count + 1)
        return false;
    size_t size = hk_frame_size(slot + SLOT_HEAD);
    *ret_damaged = size > end->slot - SLOT_HEAD ||
                   !hk_frame_read(slot + SLOT_HEAD, size, w->flows->count, &end->message) ||
                   end->message.flow != flow;
    return !*ret_damaged;
}

/* How many messages have come in all. */
static uint64_t count_arrived(const hk_rings *all, ring_end *end) {
    if (end->arrived < end->count)
        end->arrived = end->count;
    while (end->arrived - end->count < end->slots &&
           atomic_load(number_of(slot_of(all, end, end->arrived))) == end->arrived + 1)
        end->arrived++;
    return end->arrived;
}

/* ---- sending ---- */

/* SIZE bytes at DATA go to where the ring is after WRITTEN bytes. */
static void copy_in(const hk_rings *all, const ring_end *end, uint64_t written, const char *data,
                    size_t size) {
    if (!size) /* DATA may be NULL */
        return;
    size_t at = (size_t)(written & (end->cap - 1)), first = end->cap - at;
    if (first >= size) {
        memcpy(all->map + end->place + at, data, size);
        return;
    }
    memcpy(all->map + end->place + at, data, first);
    memcpy(all->map + end->place, data + first, size - first);
}

/* As much of the bytes from DONE on as there is room for; FROM is where DATA begins. */
static size_t write_some(hk_rings *all, ring *r, ring_end *end, uint64_t from, const char *data,
                         size_t size) {
    if (end->done >= from + size || end->done < from)
        return 0;
    size_t offset = (size_t)(end->done - from), left = size - offset;
    uint64_t written = atomic_load_explicit(&r->written, memory_order_relaxed);
    end->read = atomic_load(&r->read);
    size_t room = end->cap - (size_t)(written - end->read);
    size_t n = left < room ? left : room;
    if (!n)
        return 0;
    copy_in(all, end, written, data + offset, n);
    atomic_store(&r->written, written + n);
    return n;
}

/* True if all of it is there. */
static bool write_message(hk_rings *all, ring *r, ring_end *end, const hk_flow_message *m) {
    if (end->slot)
        return write_slot(all, r, end, m);
    static const char rest[HK_LINE] = {0};
    char head[HK_FRAME_HEAD];
    size_t size = HK_FRAME_HEAD + m->data.size, lines = in_lines(size);
    uint64_t written = atomic_load_explicit(&r->written, memory_order_relaxed);
    hk_frame_head(m, head);
    if (written + lines - end->read > end->cap) /* as far as we know */
        end->read = atomic_load(&r->read);
    if (!end->done && written + lines - end->read <= end->cap) { /* there is room for all of it */
        copy_in(all, end, written, head, HK_FRAME_HEAD);
        copy_in(all, end, written + HK_FRAME_HEAD, m->data.data, m->data.size);
        atomic_store(&r->written, written + lines);
        end->done = lines;
        return true;
    }
    end->done += write_some(all, r, end, 0, head, HK_FRAME_HEAD);
    end->done += write_some(all, r, end, HK_FRAME_HEAD, m->data.data, m->data.size);
    end->done += write_some(all, r, end, size, rest, lines - size);
    return end->done == lines;
}

static hk_wire_answer send(void *user, const hk_flow_message *m) {
    hk_wires *w = user;
    hk_rings *all = w->rings;
    ring *r = &all->rings[m->flow];
    ring_end *end = &all->ends[m->flow];
    uint32_t to = w->flows->all[m->flow].to;
    uint64_t before = end->done;
    bool whole = write_message(all, r, end, m);
    if (!whole) { /* the reader may have made room just now, without knowing that we wait */
        atomic_store(&r->writer_waits, 1);
        whole = write_message(all, r, end, m);
    }
    if (whole || end->done != before)
        hk_wires_wake(w, to, m->flow);
    if (!whole && !end->blocked) /* who waits for another flow takes messages of this one */
        hk_wires_ring(w, to);
    end->blocked = !whole;
    if (!whole && hk_wires_must_stop(w, m->at))
        return hk_wires_lose(w, m->flow);
    if (!whole && !atomic_load(&w->common->nodes[to].left)) {
        w->no_room = m->flow;
        return HK_WIRE_LATER;
    }
    end->done = 0; /* it is there, or nobody wants it */
    if (w->waits)
        hk_wires_hide_wait(w);
    hk_wires_count_sent(w);
    return HK_WIRE_DONE;
}

/* ---- receiving ---- */

/* How many bytes of a message are there that nobody has taken. */
static size_t waiting_bytes(const ring *r) {
    return (size_t)(atomic_load_explicit(&r->written, memory_order_acquire) -
                    atomic_load_explicit(&r->read, memory_order_relaxed));
}

/* True if a message of THERE bytes or less lies in one piece: it stays where it is. */
static bool find_message(const hk_wires *w, uint32_t flow, size_t there) {
    const hk_rings *all = w->rings;
    ring_end *end = &all->ends[flow];
    uint64_t read = atomic_load_explicit(&all->rings[flow].read, memory_order_relaxed);
    size_t at = (size_t)(read & (end->cap - 1)), size;
    const char *data = all->map + end->place + at;
    if (there < HK_LINE || there > end->cap || at % HK_LINE || end->got.size)
        return false;
    size = hk_frame_size(data);
    if (!size || size > end->cap - at || in_lines(size) > there ||
        !hk_frame_read(data, size, w->flows->count, &end->message) || end->message.flow != flow)
        return false; /* what is wrong with it is found when it is put together */
    end->lies = in_lines(size);
    return true;
}

/* SIZE bytes in all of the message that is being read, as far as they are there. */
static bool read_up_to(hk_rings *all, ring *r, ring_end *end, size_t size) {
    uint64_t read = atomic_load_explicit(&r->read, memory_order_relaxed);
    size_t there = (size_t)(atomic_load_explicit(&r->written, memory_order_acquire) - read);
    there = there < end->cap ? there : end->cap;
    size_t left = size - end->got.size, n = left < there ? left : there;
    size_t at = (size_t)(read & (end->cap - 1)), first = end->cap - at < n ? end->cap - at : n;
    hk_buffer_put(&end->got, all->map + end->place + at, first);
    hk_buffer_put(&end->got, all->map + end->place, n - first);
    if (n)
        atomic_store(&r->read, read + n);
    return n == left;
}

/* True if the message is whole. */
static bool read_message(hk_wires *w, uint32_t flow, bool *ret_damaged) {
    hk_rings *all = w->rings;
    ring *r = &all->rings[flow];
    ring_end *end = &all->ends[flow];
    if (!waiting_bytes(r))
        return false;
    if (end->got.size < HK_FRAME_HEAD && !read_up_to(all, r, end, HK_FRAME_HEAD))
        return false;
    size_t size = hk_frame_size(end->got.data);
    if (!size) {
        *ret_damaged = true;
        return false;
    }
    if (!read_up_to(all, r, end, in_lines(size)))
        return false;
    *ret_damaged = !hk_frame_read(end->got.data, size, w->flows->count, &end->message) ||
                   end->message.flow != flow;
    return !*ret_damaged;
}

/* The writer waits for room, which is there now. */
static void tell_writer(hk_wires *w, ring *r, uint32_t flow) {
    ring_end *end = &w->rings->ends[flow];
    if (!atomic_load(&r->writer_waits))
        return;
    atomic_store(&r->writer_waits, 0);
    if (end->slot)
        atomic_store(&r->read, end->told = end->count);
    hk_wires_ring(w, w->flows->all[flow].from);
}

static hk_wire_answer peek(void *user, uint32_t flow, hk_flow_message *ret_message) {
    hk_wires *w = user;
    ring *r = &w->rings->rings[flow];
    ring_end *end = &w->rings->ends[flow];
    uint32_t from = w->flows->all[flow].from;
    bool damaged = false;
    if (!end->whole && end->slot)
        end->whole = find_in_slot(w, flow, &damaged);
    else if (!end->whole && waiting_bytes(r))
        end->whole = find_message(w, flow, waiting_bytes(r));
    if (!end->whole) {
        bool left =
            atomic_load(&w->common->nodes[from].left); /* before we look: it sends no more */
        end->whole = end->slot ? find_in_slot(w, flow, &damaged) : read_message(w, flow, &damaged);
        tell_writer(w, r, flow);
        if (!end->whole)
            return damaged || left || hk_wires_must_stop_here(w) ? hk_wires_lose(w, flow)
                                                                 : HK_WIRE_LATER;
    }
    if (w->waits)
        hk_wires_hide_wait(w);
    *ret_message = end->message;
    return HK_WIRE_DONE;
}

static void drop(void *user, uint32_t flow) {
    hk_wires *w = user;
    ring *r = &w->rings->rings[flow];
    ring_end *end = &w->rings->ends[flow];
    end->whole = false;
    if (end->slot) {
        if (++end->count - end->told < end->slots / 2) {
            tell_writer(w, r, flow);
            return;
        }
        atomic_store(&r->read, end->told = end->count);
        tell_writer(w, r, flow);
        return;
    }
    end->got.size = 0;
    if (!end->lies)
        return;
    atomic_store(&r->read, atomic_load_explicit(&r->read, memory_order_relaxed) + end->lies);
    end->lies = 0;
    tell_writer(w, r, flow);
}

/* ---- waiting ---- */

/* Who waits for more than was heard last finds out at once that there was more, and looks again. */
static uint64_t changes(void *user) {
    const hk_wires *w = user;
    return w->rings->heard;
}

static void find_into(hk_wires *w) {
    hk_rings *all = w->rings;
    if (all->into)
        return;
    all->into = hk_alloc((w->flows->count + 1) * sizeof *all->into);
    for (uint32_t i = 0; i < w->flows->count; i++)
        if (w->flows->all[i].to == w->node)
            all->into[all->into_count++] = i;
}

/* True: something has come, or the bell was rung, since SEEN. */
static bool hears(hk_wires *w, uint64_t seen) {
    hk_rings *all = w->rings;
    find_into(w);
    all->bell = atomic_load(&w->common->nodes[w->node].bell);
    all->heard = all->bell;
    for (size_t i = 0; i < all->into_count; i++) {
        ring_end *end = &all->ends[all->into[i]];
        all->heard +=
            end->slot ? count_arrived(all, end) : atomic_load(&all->rings[all->into[i]].written);
    }
    return all->heard != seen;
}

/* True: nobody has woken it. Who sends looks whether we sleep when the message is there, so we look
 * once more when we have said so. */
static bool sleep_on(hk_wires *w, uint64_t seen, uint32_t flow) {
    hk_node_page *n = &w->common->nodes[w->node];
    bool in_vain = false;
    atomic_store(&n->waits_for, flow == HK_MAP_NONE ? 0 : flow + 1);
    atomic_store(&n->sleeps, 1);
    if (!hears(w, seen))
        in_vain = !hk_futex_wait(&n->bell, w->rings->bell, HK_LOOK_MS);
    atomic_store(&n->sleeps, 0);
    return in_vain;
}

enum { BELL_EVERY = 8 };

/* Something of the flow is there. */
static bool has_come(const hk_rings *all, uint32_t flow) {
    const ring_end *end = flow == HK_MAP_NONE ? NULL : &all->ends[flow];
    if (!end)
        return false;
    if (!end->slot)
        return waiting_bytes(&all->rings[flow]) > 0;
    char *slot = slot_of(all, end, end->count);
    return atomic_load_explicit(number_of(slot), memory_order_acquire) == end->count + 1;
}

static bool wait(void *user, uint64_t seen, uint32_t flow) {
    hk_wires *w = user;
    hk_rings *all = w->rings;
    unsigned looks = hk_spin_looks(&all->spin);
    for (unsigned i = 0; i < looks; i++) {
        bool come = has_come(all, flow);
        if (come || (i % BELL_EVERY == BELL_EVERY - 1 && hears(w, seen))) {
            hk_spin_learn(&all->spin, looks, true);
            return come || !hk_wires_must_stop_here(w);
        }
        hk_pause();
    }
    hk_spin_learn(&all->spin, looks, false);
    hk_wires_show_wait(w, flow);
    if (sleep_on(w, seen, flow))
        hk_wires_in_vain(w);
    (void)hears(w, seen);
    return !hk_wires_must_stop_here(w);
}

const hk_part_wire hk_rings_wire = {
    .send = send, .peek = peek, .drop = drop, .changes = changes, .wait = wait};
