/* SPDX-License-Identifier: MIT
 *
 * The state of an instance: the component's struct, what its texts point to, and the shell's own
 * few fields. As bytes it holds no address, so equal states are equal bytes. */
#include "shell_core.h"

#include <stdlib.h>
#include <string.h>

typedef struct state {
    hk_shell_head head;
    hk_shell_block now, before;
} state;

static const uint64_t no_data = UINT64_MAX;

/* What the bytes begin with: whose they are. */
typedef struct owner {
    char guid[40];
    uint64_t layout;
} owner;

static uint64_t add_number(uint64_t hash, uint64_t number) {
    char bytes[sizeof number];
    memcpy(bytes, &number, sizeof number);
    return hk_random_hash_(hash, bytes, sizeof bytes);
}

/* A fingerprint of the component's struct as this compiler laid it out. The GUID says how it was
 * when the FMU was made; sources compiled elsewhere may differ. */
static uint64_t layout_of(const hk_unit_type *type) {
    uint64_t hash = add_number(sizeof(hk_bytes), type->instance_size);
    for (size_t i = 0; i < type->port_count; i++) {
        hash = add_number(hash, type->ports[i].offset);
        hash = add_number(hash, (uint64_t)type->ports[i].type);
        hash = add_number(hash, type->ports[i].count);
    }
    size_t streams = HK_UNIT_HAS(type, streams) ? type->stream_count : 0;
    for (size_t i = 0; i < streams; i++)
        hash = add_number(hash, type->streams[i].offset);
    return hash;
}

static owner owner_of(const hk_shell *x) {
    owner made = {.layout = layout_of(x->type)};
    strncpy(made.guid, hk_shell_data.guid, sizeof made.guid - 1);
    return made;
}

static void free_state(const hk_shell *x, state *old) {
    if (!old)
        return;
    hk_shell_free_block(x, &old->now);
    hk_shell_free_block(x, &old->before);
    free(old);
}

static state *make_state(const hk_shell *x) {
    state *made = calloc(1, sizeof *made);
    if (!made)
        return NULL;
    if (hk_shell_make_block(x, &made->now) && hk_shell_make_block(x, &made->before))
        return made;
    free_state(x, made);
    return NULL;
}

int hk_shell_state_get(hk_shell *x, const char *call, void **ret_state) {
    if (!ret_state)
        return hk_shell_refuse(x, call, "there is no place for the state");
    if (x->busy)
        return hk_shell_refuse(x, call, "clocks are active: update the discrete states first");
    state *to = *ret_state ? *ret_state : make_state(x);
    if (!to)
        return hk_shell_refuse(x, call, "out of memory");
    to->head = x->head;
    hk_shell_copy(x, &to->now, &x->now);
    if (x->head.phase == HK_SHELL_INITIALIZING)
        hk_shell_copy(x, &to->before, &x->before);
    *ret_state = to;
    return HK_SHELL_OK;
}

int hk_shell_state_set(hk_shell *x, const char *call, const void *from_state) {
    const state *from = from_state;
    if (!from)
        return hk_shell_refuse(x, call, "there is no state");
    hk_shell_head now = x->head;
    x->head = from->head;
    memset(x->active, 0, x->type->port_count);
    x->cycle_active = x->cycle_done = x->busy = false;
    if (now.has_start) { /* a run that goes on with the state of another has its own end */
        x->head.stop = now.stop;
        x->head.has_stop = now.has_stop;
    }
    hk_shell_copy(x, &x->now, &from->now);
    if (x->head.phase == HK_SHELL_INITIALIZING)
        hk_shell_copy(x, &x->before, &from->before);
    return HK_SHELL_OK;
}

int hk_shell_state_free(hk_shell *x, void **old) {
    if (!old)
        return HK_SHELL_OK;
    free_state(x, *old);
    *old = NULL;
    return HK_SHELL_OK;
}

static size_t block_size(const hk_shell *x, const hk_shell_block *block) {
    size_t size = sizeof(uint64_t) + x->type->instance_size;
    for (size_t i = 0; i < x->slot_count; i++) {
        const hk_bytes *bytes = (const void *)(block->self + x->slots[i]);
        size += sizeof(uint64_t) + (bytes->data ? bytes->size : 0);
    }
    return size;
}

static size_t state_size(const hk_shell *x, const state *from) {
    size_t size = sizeof(owner) + sizeof from->head + block_size(x, &from->now);
    return from->head.phase == HK_SHELL_INITIALIZING ? size + block_size(x, &from->before) : size;
}

int hk_shell_state_size(hk_shell *x, const char *call, const void *from, size_t *size) {
    if (!from || !size)
        return hk_shell_refuse(x, call, "there is no state, or no place for its size");
    *size = state_size(x, from);
    return HK_SHELL_OK;
}

static void put(char **at, const void *data, size_t size) {
    memcpy(*at, data, size);
    *at += size;
}

static void put_block(const hk_shell *x, char **at, const hk_shell_block *block) {
    uint64_t self_size = x->type->instance_size;
    put(at, &self_size, sizeof self_size);
    char *self = *at;
    put(at, block->self, x->type->instance_size);
    for (size_t i = 0; i < x->slot_count; i++) {
        const hk_bytes *bytes = (const void *)(block->self + x->slots[i]);
        uint64_t length = bytes->data ? bytes->size : no_data;
        memset(self + x->slots[i], 0, sizeof(hk_bytes));
        put(at, &length, sizeof length);
        if (bytes->data)
            put(at, bytes->data, bytes->size);
    }
}

int hk_shell_state_save(hk_shell *x, const char *call, const void *from_state, void *bytes,
                        size_t size) {
    const state *from = from_state;
    if (!from || !bytes || size < state_size(x, from))
        return hk_shell_refuse(x, call, "there is no state, or no room for its bytes");
    char *at = bytes;
    const owner own = owner_of(x);
    put(&at, &own, sizeof own);
    put(&at, &from->head, sizeof from->head);
    put_block(x, &at, &from->now);
    if (from->head.phase == HK_SHELL_INITIALIZING)
        put_block(x, &at, &from->before);
    return HK_SHELL_OK;
}

/* Takes SIZE bytes from *AT into TARGET; false if there are fewer. */
static bool take(const char **at, const char *end, void *target, size_t size) {
    if ((size_t)(end - *at) < size)
        return false;
    memcpy(target, *at, size);
    *at += size;
    return true;
}

static bool take_block(const hk_shell *x, const char **at, const char *end, hk_shell_block *to) {
    uint64_t self_size = 0;
    hk_shell_block found = {0};
    if (!take(at, end, &self_size, sizeof self_size) || self_size != x->type->instance_size)
        return false;
    found.self = malloc(x->type->instance_size + 1);
    bool fine = found.self && take(at, end, found.self, x->type->instance_size);
    for (size_t i = 0; fine && i < x->slot_count; i++) {
        uint64_t length = 0;
        hk_bytes *bytes = (void *)(found.self + x->slots[i]);
        *bytes = (hk_bytes){0};
        fine = take(at, end, &length, sizeof length);
        if (!fine || length == no_data)
            continue;
        fine = length <= (size_t)(end - *at);
        if (!fine)
            continue;
        *bytes = (hk_bytes){*at, (size_t)length};
        *at += length;
    }
    if (fine)
        hk_shell_copy(x, to, &found);
    free(found.self);
    return fine;
}

int hk_shell_state_load(hk_shell *x, const char *call, const void *bytes, size_t size,
                        void **ret_state) {
    const owner own = owner_of(x);
    owner found;
    const char *at = bytes, *end = bytes ? at + size : NULL;
    if (!bytes || !ret_state || !take(&at, end, &found, sizeof found) ||
        memcmp(found.guid, own.guid, sizeof own.guid) != 0)
        return hk_shell_refuse(x, call, "these bytes are not a state of this FMU");
    if (found.layout != own.layout)
        return hk_shell_refuse(x, call, "the state is of a library that was compiled differently");
    state *to = make_state(x);
    if (!to)
        return hk_shell_refuse(x, call, "out of memory");
    bool fine = take(&at, end, &to->head, sizeof to->head) && take_block(x, &at, end, &to->now) &&
                (to->head.phase != HK_SHELL_INITIALIZING || take_block(x, &at, end, &to->before)) &&
                at == end;
    if (!fine) {
        free_state(x, to);
        return hk_shell_refuse(x, call, "these bytes are not a state of this FMU");
    }
    *ret_state = to;
    return HK_SHELL_OK;
}
