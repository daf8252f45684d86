/* SPDX-License-Identifier: MIT
 *
 * States of a run on several nodes. A shelf is memory without a name that only grows at its end, so
 * that a node never waits for who reads it; what was taken is given back to the system. How far it
 * is filled is said last, so a node that is killed while it saves leaves nothing but what it saved
 * before. How far a node is ahead of the recorder, and so how much a shelf holds, is bounded by the
 * room of its flows. */
#define _GNU_SOURCE /* memfd_create, fallocate */
#include "nodes/node_states.h"

#include "base/file.h"
#include "nodes/wires_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

typedef struct shelf {
    int fd;
    uint64_t taken; /* up to here, by the recorder */
} shelf;

struct hk_shelves {
    hk_ctx *ctx; /* of the recorder */
    hk_wires *wires;
    hk_states_wish wish;
    unsigned count;
    _Atomic uint64_t *filled; /* per node: up to here; all processes see it */
    size_t filled_size;
    shelf *all;
    hk_buffer *parts; /* per node: the newest that was taken */
    hk_buffer whole;  /* the newest state of all */
    bool has_end;     /* it is that of the end */
    const hk_checkpoints *checkpoints;
};

static bool any_wish(const hk_states_wish *w) {
    return w->checkpoints || w->at_end;
}

hk_status hk_shelves_make(hk_ctx *ctx, hk_wires *wires, unsigned count, const hk_states_wish *wish,
                          hk_shelves **ret_shelves) {
    HK_ASSERT(ctx && wires && wish && ret_shelves);
    hk_shelves *s = hk_alloc(sizeof *s);
    *s = (hk_shelves){.ctx = ctx, .wires = wires, .wish = *wish};
    *ret_shelves = s;
    if (!any_wish(wish))
        return HK_OK;
    s->filled_size = count * sizeof *s->filled;
    void *filled = NULL;
    s->all = hk_alloc((count + 1) * sizeof *s->all);
    s->parts = hk_alloc((count + 1) * sizeof *s->parts);
    HK_TRY(hk_shared_map(ctx, wires, s->filled_size, &filled));
    s->filled = filled;
    for (; s->count < count; s->count++) {
        s->all[s->count].fd = memfd_create("hocket-state", MFD_CLOEXEC);
        if (s->all[s->count].fd < 0)
            return hk_error(ctx, HK_E_INTERNAL, HK_NOWHERE, "use fewer nodes",
                            "there is no memory for the states of node %u: %s", s->count + 1,
                            strerror(errno));
    }
    return HK_OK;
}

void hk_shelves_destroy(hk_shelves *s) {
    if (!s)
        return;
    for (unsigned i = 0; i < s->count; i++) {
        close(s->all[i].fd);
        hk_free(s->parts[i].data);
    }
    if (s->filled)
        munmap(s->filled, s->filled_size);
    hk_free(s->all);
    hk_free(s->parts);
    hk_free(s->whole.data);
    hk_free(s);
}

/* ---- in the process of a node ---- */

static bool write_at(int fd, uint64_t at, const void *data, size_t size) {
    const char *from = data;
    while (size) {
        ssize_t n = pwrite(fd, from, size, (off_t)at);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        from += n;
        at += (uint64_t)n;
        size -= (size_t)n;
    }
    return true;
}

/* A part is a length and as many bytes. */
static hk_status lay_down(hk_shelves *s, uint32_t node, const hk_buffer *part, hk_ctx *ctx) {
    uint64_t at = atomic_load(&s->filled[node]), size = part->size;
    if (!write_at(s->all[node].fd, at, &size, sizeof size) ||
        !write_at(s->all[node].fd, at + sizeof size, part->data, part->size))
        return hk_error(ctx, HK_E_INTERNAL, HK_NOWHERE, "save less often",
                        "node %u could not hand over its state: %s", (unsigned)node + 1,
                        strerror(errno));
    atomic_store(&s->filled[node], at + sizeof size + size);
    hk_wires_ring(s->wires, s->wires->flows->placement.recorder);
    return HK_OK;
}

typedef struct saver {
    hk_shelves *shelves;
    uint32_t node;
    hk_ctx *ctx;
} saver;

static hk_status save_part(void *user, hk_sim *sim) {
    const saver *v = user;
    hk_buffer part = {0};
    hk_status status = hk_part_save(sim, &part);
    if (status == HK_OK)
        status = lay_down(v->shelves, v->node, &part, v->ctx);
    hk_free(part.data);
    return status;
}

hk_status hk_shelves_run_node(hk_shelves *s, uint32_t node, hk_ctx *ctx, hk_sim *sim) {
    HK_ASSERT(s && ctx && sim);
    saver v = {s, node, ctx};
    hk_checkpoints c = {.every = s->wish.every, .write = save_part, .write_user = &v};
    if (any_wish(&s->wish)) /* of those that run here more is known now */
        HK_TRY(hk_snapshot_possible(sim, true));
    if (s->wish.load)
        HK_TRY(hk_sim_load_file(sim, s->wish.load));
    HK_TRY(s->wish.checkpoints ? hk_sim_run_saving(sim, &c) : hk_sim_run(sim));
    return s->wish.at_end && hk_part_ended_alike(sim) ? save_part(&v, sim) : HK_OK;
}

/* ---- in the process of the recorder ---- */

static bool read_at(int fd, uint64_t at, void *data, size_t size) {
    char *to = data;
    while (size) {
        ssize_t n = pread(fd, to, size, (off_t)at);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        to += n;
        at += (uint64_t)n;
        size -= (size_t)n;
    }
    return true;
}

/* The next part of a node, if there is one. */
static bool take_part(hk_shelves *s, uint32_t node) {
    shelf *x = &s->all[node];
    hk_buffer *part = &s->parts[node];
    uint64_t filled = atomic_load(&s->filled[node]), size = 0;
    part->size = 0;
    if (filled < x->taken || filled - x->taken < sizeof size ||
        !read_at(x->fd, x->taken, &size, sizeof size) || size > filled - x->taken - sizeof size)
        return false;
    if (part->cap < size) {
        part->data = hk_realloc(part->data, (size_t)size);
        part->cap = (size_t)size;
    }
    if (!read_at(x->fd, x->taken + sizeof size, part->data, (size_t)size))
        return false;
    part->size = (size_t)size;
    x->taken += sizeof size + size;
    (void)fallocate(x->fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0, (off_t)x->taken);
    return true;
}

/* The part of this time of one node. False: it will not come, or the run ends. */
static bool await_part(hk_shelves *s, uint32_t node, hk_sim *sim) {
    for (;;) {
        uint64_t seen = hk_part_changes(sim);
        bool left = atomic_load(&s->wires->common->nodes[node].left); /* before we look */
        const hk_buffer *part = &s->parts[node];
        while (take_part(s, node)) {
            hk_tick when = hk_part_time(part->data, part->size);
            if (when >= hk_sim_now(sim))
                return when == hk_sim_now(sim);
        }
        if (left || !hk_part_make_way(sim, seen))
            return false;
    }
}

/* The state of all as it is now. Nobody waits for us while we wait for the slowest: what they send
 * is taken. *RET_WHOLE is false if a node has ended before that; it says why itself. */
static hk_status gather(hk_shelves *s, hk_sim *sim, bool *ret_whole) {
    hk_bytes *parts = hk_alloc((s->count + 1) * sizeof *parts);
    bool whole = true;
    for (uint32_t i = 0; i < s->count && whole; i++) {
        whole = await_part(s, i, sim);
        parts[i] = (hk_bytes){s->parts[i].data, s->parts[i].size};
    }
    s->whole.size = 0;
    hk_status status = whole ? hk_part_join(sim, parts, s->count, &s->whole) : HK_OK;
    hk_free(parts);
    *ret_whole = whole && status == HK_OK;
    return status;
}

static hk_status write_checkpoint(void *user, hk_sim *sim) {
    hk_shelves *s = user;
    const hk_checkpoints *c = s->checkpoints;
    bool whole = false;
    HK_TRY(gather(s, sim, &whole));
    if (!whole)
        return HK_OK;
    if (c->before)
        c->before(c->user);
    HK_TRY(hk_file_rewrite(s->ctx, c->path, s->whole.data, s->whole.size));
    hk_checkpoint_count(c, sim);
    return HK_OK;
}

hk_status hk_shelves_run(hk_shelves *s, hk_sim *sim, const hk_checkpoints *checkpoints) {
    HK_ASSERT(s && sim && checkpoints);
    HK_ASSERT(s->wish.checkpoints == (checkpoints->path != NULL));
    hk_checkpoints c = *checkpoints;
    s->checkpoints = checkpoints;
    c.write = checkpoints->path ? write_checkpoint : NULL;
    c.write_user = s;
    HK_TRY(hk_sim_run_saving(sim, &c));
    return s->wish.at_end && hk_part_ended_alike(sim) ? gather(s, sim, &s->has_end) : HK_OK;
}

hk_status hk_shelves_save(hk_shelves *s, const char *path) {
    HK_ASSERT(s && path);
    if (!s->has_end)
        return hk_error(s->ctx, HK_E_UNIT_STATE, HK_NOWHERE,
                        "--checkpoint leaves states on the way",
                        "the state is not saved: not all nodes have ended at the same time");
    return hk_file_rewrite(s->ctx, path, s->whole.data, s->whole.size);
}
