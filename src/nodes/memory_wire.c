/* SPDX-License-Identifier: MIT
 *
 * Shared memory: a ring of bytes for each flow. Who finds nothing looks again for a while, as long
 * as that has helped lately, and sleeps on its bell then. A message begins at a line of the cache
 * and is read where it lies; one that goes around the end of its ring is put together first, and
 * one that is larger than its ring goes through in pieces. */
#include "nodes/wires_internal.h"

#include "base/bell.h"

#include <string.h>
#include <sys/mman.h>

/* The two ends write to lines of their own. */
typedef struct ring {
    _Alignas(HK_LINE) _Atomic uint64_t written;
    _Alignas(HK_LINE) _Atomic uint64_t read;
    _Atomic uint32_t writer_waits; /* for room */
} ring;

/* What one process knows of a flow beside the ring. */
typedef struct ring_end {
    size_t cap, place;       /* of its bytes, in the map; a power of two */
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
    unsigned spin;  /* hk_spin_looks */
    uint32_t heard; /* of its bell, when it waited last: others write there with each message */
} hk_rings;

enum { RING_LEAST = 1024, TEXT_RING_LEAST = 16384 };

/* What a message takes of a ring: whole lines. */
static size_t in_lines(size_t size) {
    return (size + HK_LINE - 1) / HK_LINE * HK_LINE;
}

static size_t ring_bytes(const hk_plan_flows *flows, const hk_plan_flow *flow) {
    const hk_info *info = flows->plan->model->components[flow->component].info;
    size_t message = HK_FRAME_HEAD, least = RING_LEAST;
    for (size_t i = 0; i < flow->variable_count; i++) {
        const hk_variable *v = &info->variables[flow->variables[i].variable];
        message += v->count * hk_store_size(v->store);
        if (v->store == HK_STORE_BYTES)
            least = TEXT_RING_LEAST;
    }
    size_t all = in_lines(message) * hk_plan_flow_room(flows, flow);
    while (least < all)
        least *= 2;
    return least;
}

hk_status hk_rings_make(hk_ctx *ctx, hk_wires *w) {
    const hk_plan_flows *flows = w->flows;
    hk_rings *r = hk_alloc(sizeof *r);
    w->rings = r;
    r->spin = HK_SPIN_MOST;
    r->ends = hk_alloc((flows->count + 1) * sizeof *r->ends);
    size_t place = (flows->count + 1) * sizeof(ring);
    r->size = place;
    for (size_t i = 0; i < flows->count; i++)
        r->size += ring_bytes(flows, &flows->all[i]);
    void *map = NULL;
    HK_TRY(hk_shared_map(ctx, w, r->size, &map));
    r->map = map;
    r->rings = (ring *)(void *)r->map;
    for (size_t i = 0; i < flows->count; i++) {
        r->ends[i].cap = ring_bytes(flows, &flows->all[i]);
        r->ends[i].place = place;
        place += r->ends[i].cap;
    }
    return HK_OK;
}

void hk_rings_destroy(hk_wires *w) {
    hk_rings *r = w->rings;
    if (!r)
        return;
    for (size_t i = 0; i < w->flows->count; i++)
        hk_free(r->ends[i].got.data);
    hk_free(r->ends);
    if (r->map)
        munmap(r->map, r->size);
    hk_free(r);
    w->rings = NULL;
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
    atomic_store_explicit(&r->written, written + n, memory_order_release);
    return n;
}

static bool write_message(hk_rings *all, ring *r, ring_end *end, const hk_flow_message *m) {
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
        atomic_store_explicit(&r->written, written + lines, memory_order_release);
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
    if (end->done != before)
        hk_wires_ring_for(w, to, m->flow);
    if (!whole && hk_wires_must_stop(w, m->at))
        return hk_wires_lose(w, m->flow);
    if (!whole && !atomic_load(&w->common->nodes[to].left)) {
        w->no_room = m->flow;
        return HK_WIRE_LATER;
    }
    end->done = 0; /* it is there, or nobody wants it */
    if (w->waits)
        hk_wires_hide_wait(w);
    atomic_fetch_add_explicit(&w->common->nodes[w->node].sent, 1, memory_order_relaxed);
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
    if (atomic_load(&r->writer_waits)) {
        atomic_store(&r->writer_waits, 0);
        hk_wires_ring(w, w->flows->all[flow].from);
    }
}

static hk_wire_answer peek(void *user, uint32_t flow, hk_flow_message *ret_message) {
    hk_wires *w = user;
    ring *r = &w->rings->rings[flow];
    ring_end *end = &w->rings->ends[flow];
    uint32_t from = w->flows->all[flow].from;
    bool damaged = false;
    size_t there = end->whole ? 0 : waiting_bytes(r);
    if (there)
        end->whole = find_message(w, flow, there);
    if (!end->whole) {
        bool left =
            atomic_load(&w->common->nodes[from].left); /* before we look: it sends no more */
        end->whole = read_message(w, flow, &damaged);
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

/* True: nobody has woken it. */
static bool sleep_on(hk_node_page *n, uint32_t seen, uint32_t flow) {
    bool in_vain = false;
    atomic_store(&n->waits_for, flow == HK_MAP_NONE ? 0 : flow + 1);
    atomic_store(&n->sleeps, 1);
    if (atomic_load(&n->bell) == seen)
        in_vain = !hk_futex_wait(&n->bell, seen, HK_LOOK_MS);
    atomic_store(&n->sleeps, 0);
    return in_vain;
}

enum { BELL_EVERY = 8 };

static bool hears(hk_rings *all, hk_node_page *n, uint64_t seen) {
    all->heard = atomic_load_explicit(&n->bell, memory_order_acquire);
    return all->heard != (uint32_t)seen;
}

/* Something of the flow is there: that is seen earlier than the bell is heard. */
static bool has_come(const hk_rings *all, uint32_t flow) {
    if (flow == HK_MAP_NONE)
        return false;
    return waiting_bytes(&all->rings[flow]) > 0;
}

static bool wait(void *user, uint64_t seen, uint32_t flow) {
    hk_wires *w = user;
    hk_node_page *n = &w->common->nodes[w->node];
    hk_rings *all = w->rings;
    unsigned looks = hk_spin_looks(&all->spin);
    for (unsigned i = 0; i < looks; i++) {
        if (has_come(all, flow) || (i % BELL_EVERY == 0 && hears(all, n, seen))) {
            hk_spin_learn(&all->spin, looks, true);
            return !hk_wires_must_stop_here(w);
        }
        hk_pause();
    }
    hk_spin_learn(&all->spin, looks, false);
    hk_wires_show_wait(w, flow);
    if (sleep_on(n, (uint32_t)seen, flow))
        hk_wires_in_vain(w);
    (void)hears(all, n, seen);
    return !hk_wires_must_stop_here(w);
}

const hk_part_wire hk_rings_wire = {
    .send = send, .peek = peek, .drop = drop, .changes = changes, .wait = wait};
