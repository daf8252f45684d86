/* SPDX-License-Identifier: MIT
 *
 * Histories, and the connections that are more than a plain copy. */
#include "engine/sim_parts.h"

#include <string.h>

void hk_blob_assign(hk_blob *b, hk_bytes value) {
    if (value.size + 1 > b->cap) {
        b->cap = 2 * value.size + 16;
        b->data = hk_realloc(b->data, b->cap);
    }
    if (value.size && value.data != b->data)
        memmove(b->data, value.data, value.size);
    b->data[value.size] = '\0';
    b->size = value.size;
}

/* Deep copy of COUNT texts into blobs of ours, which TARGET then points to. */
static void copy_texts(hk_sim *sim, uint32_t first_blob, hk_bytes *target, const hk_bytes *source,
                       size_t count) {
    for (size_t i = 0; i < count; i++) {
        hk_blob *b = &sim->memory.blobs[first_blob + i];
        hk_blob_assign(b, source[i]);
        target[i] = (hk_bytes){b->data, b->size};
    }
}

void hk_texts_keep(hk_sim *sim, hk_range texts) {
    for (uint32_t i = texts.begin; i < texts.end; i++) {
        const hk_engine_port *p = &sim->slots.ports[sim->slots.texts[i]];
        copy_texts(sim, p->blob, p->address, p->address, p->bytes / sizeof(hk_bytes));
    }
}

void hk_history_push(hk_sim *sim, hk_sim_instance *producer, hk_tick t) {
    hk_history *past = &producer->past;
    uint32_t head = *past->head + 1 == past->frames ? 0 : *past->head + 1;
    *past->head = head;
    past->ticks[head] = t;
    if (past->pattern && t != TICK_INITIAL)
        past->ticks[head] += hk_pattern_late(past->pattern, t);
    char *frame = past->data + head * past->frame_size;
    uint32_t text = past->blob + head * past->blobs_per_frame;
    for (uint32_t i = producer->ports.begin; i < producer->ports.end; i++) {
        const hk_engine_port *p = &sim->slots.ports[i];
        if (!(p->use & USE_HISTORY))
            continue;
        if (producer->unit->info->variables[p->variable].store == HK_STORE_BYTES) {
            size_t count = p->bytes / sizeof(hk_bytes);
            copy_texts(sim, text + p->frame_blob, (hk_bytes *)(void *)(frame + p->frame_offset),
                       p->address, count);
        } else {
            memcpy(frame + p->frame_offset, p->address, p->bytes);
        }
    }
}

/* Where activations do not follow each other evenly: the number of frames to go back from the
 * newest. Ticks do not grow on the way back. */
static uint32_t frames_back(const hk_history *past, hk_tick latest) {
    uint32_t low = 0, high = past->frames - 1;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2, head = *past->head;
        uint32_t i = head >= middle ? head - middle : head + past->frames - middle;
        if (past->ticks[i] > latest)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The newest activation at or before LATEST: activations follow each other by the period, so it is
 * not searched for. The plan has made the history deep enough; before the first activation all
 * frames hold the initial value. */
const void *hk_history_seen(const hk_sim_instance *producer, size_t frame_offset, hk_tick latest,
                            hk_tick *ret_tick) {
    const hk_history *past = &producer->past;
    uint32_t i = *past->head;
    if (past->ticks[i] > latest) {
        hk_tick back = past->pattern || past->gaps
                           ? frames_back(past, latest)
                           : (past->ticks[i] - latest - 1) / past->period + 1;
        uint32_t frames = back < past->frames ? (uint32_t)back : past->frames - 1;
        i = i >= frames ? i - frames : i + past->frames - frames;
    }
    *ret_tick = past->ticks[i];
    return past->data + i * past->frame_size + frame_offset;
}

/* The value in the middle of the consumer's step, on the line through the two newest activations.
 * Held inputs are constant over a step; its middle is where a constant is best. */
static double extrapolate(const hk_sim *sim, hk_slope *s, double value, hk_tick tick,
                          const hk_general_copy *c) {
    if (tick != s->newest_tick) {
        s->before = s->newest;
        s->before_tick = s->newest_tick;
        s->newest = value;
        s->newest_tick = tick;
    }
    if (s->before_tick == TICK_INITIAL)
        return value;
    hk_tick apart = s->newest_tick - s->before_tick;
    hk_tick left = sim->plan->stop - sim->time.now; /* the last step may be shortened */
    hk_tick step = c->ahead < left ? c->ahead : left;
    double ahead = (double)(sim->time.now - tick - c->stamp) + 0.5 * (double)step;
    return value + (s->newest - s->before) * (ahead / (double)apart);
}

/* Whole numbers as such: not all of 64 bits are numbers of floating point. */
static bool map_element(const hk_general_copy *c, const char *from, char *to) {
    const hk_transform *t = c->transform;
    int64_t value;
    bool whole = hk_value_convert(HK_STORE_I64, &value, c->from_store, from, 1);
    for (size_t i = 0; whole && i < t->map_count; i++)
        if (t->map_from[i] == value)
            return hk_value_convert(c->to_store, to, HK_STORE_I64, &t->map_to[i], 1);
    return hk_value_convert(c->to_store, to, c->from_store, from, 1);
}

static bool transform_elements(const hk_general_copy *c, const char *from) {
    size_t from_size = hk_store_size(c->from_store);
    size_t to_size = hk_store_size(c->to_store);
    for (size_t i = 0; i < c->count; i++) {
        double value;
        if (c->transform->kind == HK_TRANSFORM_MAP) {
            if (!map_element(c, from + i * from_size, (char *)c->to + i * to_size))
                return false;
            continue;
        }
        if (!hk_value_convert(HK_STORE_F64, &value, c->from_store, from + i * from_size, 1))
            return false;
        value = hk_transform_value(c->transform, value);
        if (!hk_value_convert(c->to_store, (char *)c->to + i * to_size, HK_STORE_F64, &value, 1))
            return false;
    }
    return true;
}

static bool all_text(const hk_bytes *bytes, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (!hk_bytes_are_text(bytes[i]))
            return false;
    return true;
}

/* What the consumer is to see, as the output has it; AHEAD is room for one number. */
static const void *find_source(const hk_sim *sim, const hk_general_copy *c, double *ahead) {
    const void *from = c->from;
    hk_tick tick = *c->producer->last;
    if (c->past) {
        from = hk_history_seen(c->producer, c->frame_offset, sim->time.now - c->lag, &tick);
        if (tick == TICK_INITIAL && c->initial)
            from = c->initial;
    }
    if (!c->slope || c->count != 1 || c->producer->past.gaps)
        return from;
    *ahead = extrapolate(sim, c->slope, *(const double *)from, tick, c);
    return ahead;
}

bool hk_copy_from(hk_sim *sim, const hk_general_copy *c, const void *from) {
    if (c->transform)
        return transform_elements(c, from);
    if (c->to_store == HK_STORE_BYTES) {
        if (c->to_text && !all_text(from, c->count))
            return false;
        copy_texts(sim, c->blob, c->to, from, c->count);
        return true;
    }
    if (c->from_store == c->to_store) {
        memcpy(c->to, from, c->from_bytes);
        return true;
    }
    return hk_value_convert(c->to_store, c->to, c->from_store, from, c->count);
}

bool hk_copy_general(hk_sim *sim, const hk_general_copy *c) {
    double ahead;
    const void *from = find_source(sim, c, &ahead);
    return c->trouble ? hk_trouble_apply(sim, c, from) : hk_copy_from(sim, c, from);
}
