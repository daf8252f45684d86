/* SPDX-License-Identifier: MIT
 *
 * Values as they lie in messages: one after the other, texts behind their length. */
#include "engine/part_values.h"

#include "engine/sim_parts.h"

#include <string.h>

void hk_pack_bytes(hk_blob *to, const void *data, size_t size) {
    if (to->size + size > to->cap) {
        to->cap = 2 * (to->size + size);
        to->data = hk_realloc(to->data, to->cap);
    }
    if (size)
        memcpy(to->data + to->size, data, size);
    to->size += size;
}

static const void *value_of(const hk_engine_port *p) {
    return p->borrowed ? p->borrowed : p->address;
}

static hk_store store_of(const hk_sim *sim, const hk_engine_port *p) {
    return sim->model->components[p->component].info->variables[p->variable].store;
}

void hk_pack_value(const hk_sim *sim, const hk_engine_port *p, hk_blob *to) {
    if (store_of(sim, p) != HK_STORE_BYTES) {
        hk_pack_bytes(to, value_of(p), p->bytes);
        return;
    }
    const hk_bytes *texts = value_of(p);
    for (size_t i = 0; i < p->bytes / sizeof *texts; i++) {
        uint64_t size = texts[i].size;
        hk_pack_bytes(to, &size, sizeof size);
        hk_pack_bytes(to, texts[i].data, texts[i].size);
    }
}

const char *hk_unpack_bytes(hk_bytes *from, size_t size) {
    if (from->size < size)
        return NULL;
    const char *at = from->data;
    from->data = at + size;
    from->size -= size;
    return at;
}

bool hk_unpack_value(hk_sim *sim, const hk_engine_port *p, hk_bytes *from) {
    if (store_of(sim, p) != HK_STORE_BYTES) {
        const char *at = hk_unpack_bytes(from, p->bytes);
        if (at)
            memcpy(p->address, at, p->bytes);
        return at;
    }
    hk_bytes *texts = p->address;
    for (size_t i = 0; i < p->bytes / sizeof *texts; i++) {
        uint64_t size = 0;
        const char *head = hk_unpack_bytes(from, sizeof size);
        if (head)
            memcpy(&size, head, sizeof size);
        const char *text = head ? hk_unpack_bytes(from, size) : NULL;
        if (!text)
            return false;
        hk_blob *b = &sim->memory.blobs[p->blob + i];
        hk_blob_assign(b, (hk_bytes){text, size});
        texts[i] = (hk_bytes){b->data, b->size};
    }
    return true;
}

bool hk_unpack_seconds(hk_bytes *from, double *ret_seconds) {
    const char *at = hk_unpack_bytes(from, sizeof *ret_seconds);
    if (at)
        memcpy(ret_seconds, at, sizeof *ret_seconds);
    return at;
}

bool hk_unpack_inputs(hk_sim *sim, const hk_engine_port *const *ports, size_t count,
                      hk_bytes *from) {
    hk_blob kept = {0};
    bool whole = true;
    for (size_t i = 0; i < count && whole; i++) {
        bool input = ports[i]->use & USE_IN;
        kept.size = 0;
        if (!input)
            hk_pack_value(sim, ports[i], &kept);
        hk_bytes back = {kept.data, kept.size};
        whole = hk_unpack_value(sim, ports[i], from) &&
                (input || hk_unpack_value(sim, ports[i], &back));
    }
    hk_free(kept.data);
    return whole;
}
