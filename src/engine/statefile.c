/* SPDX-License-Identifier: MIT
 *
 * A state in a file (.hks). It holds what the model means, not how a run was laid out: it can be
 * loaded by a run that records other signals, has another stop time, or a finer tick.
 *
 *   "HKSTATE1", then little-endian 64-bit words and byte strings (length first):
 *   ticks per second, start, now; number of components, and for each
 *     name, name of its type, newest activation, state;
 *     number of driven inputs, each: name, bytes;
 *     number of kept activations (newest first), each: tick, number of ports, each: name, bytes;
 *   number of connections that extrapolate, each: index, two values, two ticks; checksum.
 *
 * Texts are byte strings that hold their elements, each with its length first. */
#include "engine/sim_internal.h"

#include "base/file.h"
#include "base/number.h"

#include <string.h>

static const char magic[8] = {'H', 'K', 'S', 'T', 'A', 'T', 'E', '1'};

typedef struct buffer {
    char *data;
    size_t size, cap;
} buffer;

static void put(buffer *b, const void *data, size_t size) {
    if (b->size + size > b->cap) {
        b->cap = 2 * (b->size + size) + 256;
        b->data = hk_realloc(b->data, b->cap);
    }
    if (size)
        memcpy(b->data + b->size, data, size);
    b->size += size;
}

static void put_word(buffer *b, uint64_t word) {
    unsigned char bytes[8];
    for (int i = 0; i < 8; i++)
        bytes[i] = (unsigned char)(word >> (8 * i));
    put(b, bytes, 8);
}

static void put_bytes(buffer *b, const void *data, size_t size) {
    put_word(b, size);
    put(b, data, size);
}

static void put_text(buffer *b, const char *text) {
    put_bytes(b, text, strlen(text));
}

/* A value that lies at DATA; texts by their content. */
static void put_value(buffer *b, const hk_variable *v, const void *data, size_t bytes,
                      const blob *blobs) {
    if (v->store != HK_STORE_BYTES) {
        put_bytes(b, data, bytes);
        return;
    }
    size_t total = 0;
    for (size_t i = 0; i < v->count; i++)
        total += 8 + blobs[i].size;
    put_word(b, total);
    for (size_t i = 0; i < v->count; i++)
        put_bytes(b, blobs[i].data, blobs[i].size);
}

/* Driven inputs that the state of the component does not hold: those in memory of ours. */
static bool in_file(const instance *inst, const port *p) {
    bool text = inst->unit->info->variables[p->variable].store == HK_STORE_BYTES;
    return (p->use & USE_IN) && (!p->by_address || text);
}

static void put_inputs(buffer *b, const hk_sim *sim, const hk_snapshot *s, const instance *inst) {
    uint64_t count = 0;
    for (uint32_t i = inst->ports.begin; i < inst->ports.end; i++)
        count += in_file(inst, &sim->ports[i]);
    put_word(b, count);
    for (uint32_t i = inst->ports.begin; i < inst->ports.end; i++) {
        const port *p = &sim->ports[i];
        if (!in_file(inst, p))
            continue;
        const hk_variable *v = &inst->unit->info->variables[p->variable];
        put_text(b, v->name);
        put_value(b, v, s->block + p->offset, p->bytes,
                  p->blob == UINT32_MAX ? NULL : s->blobs + p->blob);
    }
}

static void put_history(buffer *b, const hk_sim *sim, const hk_snapshot *s, const instance *inst) {
    const history *past = &inst->past;
    put_word(b, past->frames);
    if (!past->frames)
        return;
    uint32_t head;
    memcpy(&head, s->block + past->head_offset, sizeof head);
    for (uint32_t f = 0; f < past->frames; f++) {
        uint32_t at = (head + past->frames - f) % past->frames;
        hk_tick tick;
        memcpy(&tick, s->block + past->ticks_offset + at * sizeof tick, sizeof tick);
        put_word(b, (uint64_t)tick);
        const char *frame = s->block + past->data_offset + at * past->frame_size;
        uint32_t text = past->blob + at * past->blobs_per_frame;
        uint64_t count = 0;
        for (uint32_t i = inst->ports.begin; i < inst->ports.end; i++)
            count += (sim->ports[i].use & USE_HISTORY) != 0;
        put_word(b, count);
        for (uint32_t i = inst->ports.begin; i < inst->ports.end; i++) {
            const port *p = &sim->ports[i];
            if (!(p->use & USE_HISTORY))
                continue;
            const hk_variable *v = &inst->unit->info->variables[p->variable];
            put_text(b, v->name);
            put_value(b, v, frame + p->frame_offset, p->bytes, s->blobs + text + p->frame_blob);
        }
    }
}

static hk_status put_component(buffer *b, hk_sim *sim, const hk_snapshot *s, size_t c) {
    instance *inst = &sim->instances[c];
    hk_unit *unit = inst->unit;
    char *data;
    size_t size;
    HK_TRY(unit->unit_class->state_save(sim->ctx, unit, s->states[c], &data, &size));
    hk_tick last;
    memcpy(&last, s->block + ((const char *)inst->last - sim->block), sizeof last);
    put_text(b, unit->name);
    put_text(b, unit->info->name);
    put_word(b, (uint64_t)last);
    put_bytes(b, data, size);
    hk_free(data);
    put_inputs(b, sim, s, inst);
    put_history(b, sim, s, inst);
    return HK_OK;
}

static void put_slopes(buffer *b, const hk_sim *sim, const hk_snapshot *s) {
    size_t at = (size_t)((char *)sim->slopes - sim->block);
    size_t n = sim->options.extrapolate ? sim->model->connection_count : 0;
    put_word(b, n);
    for (size_t i = 0; i < n; i++) {
        slope x;
        uint64_t bits[2];
        memcpy(&x, s->block + at + i * sizeof x, sizeof x);
        memcpy(bits, &x.newest, 8);
        memcpy(bits + 1, &x.before, 8);
        put_word(b, i);
        put_word(b, bits[0]);
        put_word(b, bits[1]);
        put_word(b, (uint64_t)x.newest_tick);
        put_word(b, (uint64_t)x.before_tick);
    }
}

hk_status hk_snapshot_write(hk_sim *sim, const hk_snapshot *snapshot, const char *path) {
    HK_TRY(hk_snapshot_possible(sim, true));
    buffer b = {0};
    hk_tick now;
    memcpy(&now, snapshot->block + ((char *)sim->clock - sim->block), sizeof now);
    put(&b, magic, sizeof magic);
    put_word(&b, (uint64_t)sim->plan->ticks_per_second);
    put_word(&b, (uint64_t)sim->plan->start);
    put_word(&b, (uint64_t)now);
    put_word(&b, sim->model->component_count);
    hk_status status = HK_OK;
    for (size_t c = 0; c < sim->model->component_count && status == HK_OK; c++)
        status = put_component(&b, sim, snapshot, c);
    if (status == HK_OK) {
        put_slopes(&b, sim, snapshot);
        put_word(&b, hk_hash(HK_HASH_SEED, b.data, b.size));
        status = hk_file_write(sim->ctx, path, b.data, b.size);
    }
    hk_free(b.data);
    return status;
}

/* Reading: every length is checked against what is left. BAD ends it with one message. */
typedef struct reader {
    hk_sim *sim;
    const char *path;
    const char *data;
    size_t left;
    int64_t ticks_per_second; /* of the file */
    hk_snapshot *snapshot;
    blob name; /* of a variable */
    bool failed;
} reader;

static void bad(reader *r, const char *why) {
    if (!r->failed)
        hk_error(r->sim->ctx, HK_E_STATE_FILE, (hk_where){.file = r->path},
                 "load a state that was saved by a run of this system", "%s", why);
    r->failed = true;
}

static const char *get(reader *r, size_t size) {
    if (r->failed || size > r->left) {
        bad(r, "the state ends in the middle");
        return NULL;
    }
    const char *at = r->data;
    r->data += size;
    r->left -= size;
    return at;
}

static uint64_t get_word(reader *r) {
    const char *bytes = get(r, 8);
    uint64_t word = 0;
    for (int i = 0; bytes && i < 8; i++)
        word |= (uint64_t)(unsigned char)bytes[i] << (8 * i);
    return word;
}

static hk_bytes get_bytes(reader *r) {
    hk_bytes value = {0};
    size_t size = (size_t)get_word(r);
    value.data = get(r, size);
    value.size = value.data ? size : 0;
    return value;
}

static bool same_text(hk_bytes value, const char *text) {
    return value.size == strlen(text) && memcmp(value.data, text, value.size) == 0;
}

/* A tick of the file in ticks of this run. */
static hk_tick get_tick(reader *r) {
    hk_tick tick = (hk_tick)get_word(r);
    int64_t ours = r->sim->plan->ticks_per_second;
    hk_ratio seconds;
    hk_tick here = 0;
    if (r->failed || tick == TICK_INITIAL)
        return tick;
    if (!hk_ratio_make(tick, r->ticks_per_second, &seconds) ||
        !hk_tick_from_ratio(seconds, ours, &here))
        bad(r, "a time in the state lies between the ticks of this run");
    return here;
}

static const port *find_port(reader *r, const instance *inst, hk_bytes name, unsigned use) {
    hk_blob_assign(&r->name, name); /* a NUL follows */
    uint32_t variable = hk_info_find(inst->unit->info, r->name.data);
    if (variable == HK_MAP_NONE)
        return NULL;
    const port *p = hk_sim_port(r->sim, (uint32_t)(inst - r->sim->instances), variable);
    return p && p->use & use ? p : NULL;
}

static void set_value(reader *r, const instance *inst, const port *p, char *target, blob *blobs,
                      hk_bytes value) {
    const hk_variable *v = &inst->unit->info->variables[p->variable];
    if (v->store != HK_STORE_BYTES) {
        if (value.size != p->bytes)
            bad(r, "a value in the state has another size than its variable");
        else
            memcpy(target, value.data, value.size);
        return;
    }
    reader inner = {.sim = r->sim, .path = r->path, .data = value.data, .left = value.size};
    for (size_t i = 0; i < v->count; i++)
        hk_blob_assign(&blobs[i], get_bytes(&inner));
    r->failed = r->failed || inner.failed;
}

static void get_inputs(reader *r, const instance *inst) {
    uint64_t count = get_word(r);
    for (uint64_t i = 0; i < count && !r->failed; i++) {
        hk_bytes name = get_bytes(r);
        hk_bytes value = get_bytes(r);
        const port *p = r->failed ? NULL : find_port(r, inst, name, USE_IN);
        if (p && in_file(inst, p))
            set_value(r, inst, p, r->snapshot->block + p->offset,
                      p->blob == UINT32_MAX ? NULL : r->snapshot->blobs + p->blob, value);
    }
}

/* Ports of which the file holds no past: fine for the record, not for a delay. */
static void find_lacking(reader *r, const instance *inst, const bool *found) {
    for (uint32_t i = inst->ports.begin; i < inst->ports.end; i++) {
        const port *p = &r->sim->ports[i];
        r->snapshot->lacking[i] = p->use & USE_HISTORY && !found[i];
        if (r->snapshot->lacking[i] && p->use & USE_DELAYED)
            bad(r, "the state lacks the past values that a delay of this run needs");
    }
}

/* Frame F (0: the newest) goes to the end of the ring, so that older ones stand before it. Where
 * the file holds fewer than this run keeps, the oldest is repeated. */
static void get_history(reader *r, const instance *inst, hk_tick last, bool *found) {
    const history *past = &inst->past;
    hk_snapshot *s = r->snapshot;
    uint64_t count = get_word(r);
    uint32_t kept = 0;
    for (uint64_t f = 0; f < count && !r->failed; f++) {
        hk_tick tick = get_tick(r);
        uint64_t ports = get_word(r);
        uint32_t at = f < past->frames ? past->frames - 1 - (uint32_t)f : UINT32_MAX;
        if (at != UINT32_MAX) {
            memcpy(s->block + past->ticks_offset + at * sizeof tick, &tick, sizeof tick);
            kept++;
        }
        for (uint64_t i = 0; i < ports && !r->failed; i++) {
            hk_bytes name = get_bytes(r);
            hk_bytes value = get_bytes(r);
            const port *p = r->failed ? NULL : find_port(r, inst, name, USE_HISTORY);
            if (p)
                found[p - r->sim->ports] = true;
            if (p && at != UINT32_MAX)
                set_value(r, inst, p,
                          s->block + past->data_offset + at * past->frame_size + p->frame_offset,
                          s->blobs + past->blob + at * past->blobs_per_frame + p->frame_blob,
                          value);
        }
    }
    if (!past->frames || r->failed)
        return;
    uint32_t head = past->frames - 1;
    memcpy(s->block + past->head_offset, &head, sizeof head);
    find_lacking(r, inst, found);
    if (kept == 0) {
        memcpy(s->block + past->ticks_offset + head * sizeof last, &last, sizeof last);
        kept = 1;
    }
    for (uint32_t at = past->frames - kept; at-- > 0;) {
        char *ticks = s->block + past->ticks_offset;
        char *data = s->block + past->data_offset;
        memcpy(ticks + at * sizeof(hk_tick), ticks + (at + 1) * sizeof(hk_tick), sizeof(hk_tick));
        memcpy(data + at * past->frame_size, data + (at + 1) * past->frame_size, past->frame_size);
    }
}

static hk_status get_component(reader *r, size_t c, bool *found) {
    hk_sim *sim = r->sim;
    instance *inst = &sim->instances[c];
    hk_bytes name = get_bytes(r);
    hk_bytes type = get_bytes(r);
    if (r->failed)
        return HK_E_STATE_FILE;
    if (!same_text(name, inst->unit->name) || !same_text(type, inst->unit->info->name)) {
        bad(r, hk_arena_printf(sim->arena, "the state is of a component '%.*s', here stands '%s'",
                               (int)(name.size < 60 ? name.size : 60), (const char *)name.data,
                               inst->unit->name));
        return HK_E_STATE_FILE;
    }
    hk_tick last = get_tick(r);
    hk_bytes state = get_bytes(r);
    if (r->failed)
        return HK_E_STATE_FILE;
    memcpy(r->snapshot->block + ((const char *)inst->last - sim->block), &last, sizeof last);
    HK_TRY(inst->unit->unit_class->state_load(sim->ctx, inst->unit, state.data, state.size,
                                              &r->snapshot->states[c]));
    get_inputs(r, inst);
    get_history(r, inst, last, found);
    return r->failed ? HK_E_STATE_FILE : HK_OK;
}

static void get_slopes(reader *r) {
    size_t at = (size_t)((char *)r->sim->slopes - r->sim->block);
    uint64_t n = get_word(r);
    for (uint64_t i = 0; i < n && !r->failed; i++) {
        uint64_t index = get_word(r);
        uint64_t bits[2] = {get_word(r), 0};
        bits[1] = get_word(r);
        slope x;
        memcpy(&x.newest, bits, 8);
        memcpy(&x.before, bits + 1, 8);
        x.newest_tick = get_tick(r);
        x.before_tick = get_tick(r);
        if (x.before_tick != TICK_INITIAL && x.before_tick >= x.newest_tick)
            bad(r, "two times in the state stand in the wrong order");
        if (!r->failed && index < r->sim->model->connection_count)
            memcpy(r->snapshot->block + at + index * sizeof x, &x, sizeof x);
    }
}

/* Activations and rows go on with the first that is not before now. */
static void set_clocks(reader *r, hk_tick now) {
    hk_sim *sim = r->sim;
    hk_tick start = sim->plan->start;
    hk_tick next = HK_TICK_NEVER;
    for (size_t i = 0; i < sim->rate_count; i++) {
        const hk_rate *rate = &sim->plan->rates[i];
        hk_tick first = start + rate->offset;
        hk_tick due = first;
        if (now > first)
            due = first - hk_floor_div(first - now, rate->period) * rate->period;
        if (rate->pattern)
            due = hk_pattern_next(rate->pattern, due);
        memcpy(r->snapshot->block + ((char *)&sim->rate_next[i] - sim->block), &due, sizeof due);
        next = due < next ? due : next;
    }
    hk_tick row = HK_TICK_NEVER;
    if (sim->options.sink.row_begin)
        row = start - hk_floor_div(start - now, sim->plan->row_interval) * sim->plan->row_interval;
    memcpy(r->snapshot->block + ((char *)sim->row_next - sim->block), &row, sizeof row);
    next = row < next ? row : next;
    memcpy(r->snapshot->block + ((char *)sim->clock - sim->block), &next, sizeof next);
}

static hk_status get_all(reader *r) {
    hk_sim *sim = r->sim;
    r->ticks_per_second = (int64_t)get_word(r);
    if (r->ticks_per_second <= 0)
        bad(r, "the state has no time base");
    if (get_tick(r) != sim->plan->start)
        bad(r, "the state is of a run with another start time");
    hk_tick now = get_tick(r);
    if (now < sim->plan->start)
        bad(r, "the time of the state is before the start of the run");
    uint64_t components = get_word(r);
    if (!r->failed && components != sim->model->component_count)
        bad(r, "the state is of a system with another number of components");
    bool *found = hk_alloc((sim->port_count + 1) * sizeof *found);
    r->snapshot->lacking = hk_alloc((sim->port_count + 1) * sizeof *found);
    hk_status status = HK_OK;
    for (size_t c = 0; c < sim->model->component_count && !r->failed && status == HK_OK; c++)
        status = get_component(r, c, found);
    hk_free(found);
    HK_TRY(status);
    get_slopes(r);
    if (!r->failed && r->left)
        bad(r, "there is something behind the end of the state");
    if (r->failed)
        return HK_E_STATE_FILE;
    set_clocks(r, now);
    return HK_OK;
}

static void warn_of_rows(hk_sim *sim, const instance *inst, const port *p) {
    char time[HK_NUMBER_MAX + 1];
    hk_tick end = *inst->last + sim->plan->components[p->component].period;
    if (*inst->last == TICK_INITIAL || *sim->row_next >= end)
        return;
    time[hk_write_f64(hk_tick_seconds(end, sim->plan->ticks_per_second), time)] = '\0';
    hk_warn(
        sim->ctx, HK_E_STATE_FILE, (hk_where){.element = inst->unit->name},
        "record it in the run that saves the state, too",
        "rows before t = %s s show '%s.%s' as it is at the end of the step under way: the state "
        "does not hold the value before",
        time, inst->unit->name, inst->unit->info->variables[p->variable].name);
}

void hk_snapshot_fill_pasts(hk_sim *sim, const hk_snapshot *snapshot) {
    for (size_t i = 0; i < sim->port_count; i++) {
        const port *p = &sim->ports[i];
        if (!snapshot->lacking[i])
            continue;
        const instance *inst = &sim->instances[p->component];
        const history *past = &inst->past;
        const hk_variable *v = &inst->unit->info->variables[p->variable];
        uint32_t text = past->blob + p->frame_blob;
        for (uint32_t f = 0; f < past->frames; f++, text += past->blobs_per_frame) {
            char *frame = past->data + f * past->frame_size + p->frame_offset;
            memcpy(frame, p->address, p->bytes);
            for (size_t e = 0; v->store == HK_STORE_BYTES && e < v->count; e++) {
                hk_bytes *value = (hk_bytes *)(void *)frame + e;
                hk_blob_assign(&sim->blobs[text + e], *value);
                *value = (hk_bytes){sim->blobs[text + e].data, sim->blobs[text + e].size};
            }
        }
        warn_of_rows(sim, inst, p);
    }
}

hk_status hk_snapshot_read(hk_sim *sim, const char *path, hk_snapshot **ret_snapshot) {
    HK_TRY(hk_snapshot_possible(sim, true));
    char *data;
    size_t size;
    HK_TRY(hk_file_read(sim->ctx, path, 0, &data, &size));
    reader r = {.sim = sim, .path = path, .data = data, .left = size};
    hk_status status = HK_OK;
    if (size < sizeof magic + 8 || memcmp(data, magic, sizeof magic) != 0) {
        bad(&r, "this is no state of hocket, or of another version");
    } else {
        r.data += sizeof magic;
        r.left -= sizeof magic + 8;
        reader tail = {.sim = sim, .path = path, .data = data + size - 8, .left = 8};
        if (get_word(&tail) != hk_hash(HK_HASH_SEED, data, size - 8))
            bad(&r, "the state is damaged: its checksum does not agree");
    }
    if (!r.failed)
        status = hk_sim_save(sim, &r.snapshot);
    for (size_t c = 0; r.snapshot && c < r.snapshot->state_count; c++) {
        sim->instances[c].unit->unit_class->state_free(sim->instances[c].unit,
                                                       r.snapshot->states[c]);
        r.snapshot->states[c] = NULL;
    }
    if (status == HK_OK && !r.failed)
        status = get_all(&r);
    if (r.failed)
        status = HK_E_STATE_FILE;
    hk_free(data);
    hk_free(r.name.data);
    if (status != HK_OK) {
        hk_snapshot_destroy(sim, r.snapshot);
        return status;
    }
    r.snapshot->from_file = true;
    *ret_snapshot = r.snapshot;
    return HK_OK;
}
