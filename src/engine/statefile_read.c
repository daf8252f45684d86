/* SPDX-License-Identifier: MIT
 *
 * Reading a state from a file. Nothing in it is believed: every length is checked against what is
 * left, each component must be the one that was saved, and its next step must begin where the last
 * one ended. */
#include "engine/snapshot.h"
#include "engine/statefile.h"

#include "base/claims.h"
#include "base/file.h"
#include "base/libm.h"
#include "base/map.h"
#include "base/number.h"

#include <string.h>

static bool same_text(hk_bytes value, const char *text) {
    return value.size == strlen(text) && memcmp(value.data, text, value.size) == 0;
}

static hk_tick get_tick(hk_state_reader *r) {
    hk_tick tick = (hk_tick)hk_state_get_word(r);
    return hk_state_here(r, tick);
}

/* Of an activation. Of what holds at the end of a step, the end is what counts: where steps are
 * longer here, one that ended there began earlier, and where it began there need be no tick. */
static hk_tick get_activation(hk_state_reader *r, const hk_sim_instance *inst) {
    size_t c = (size_t)(inst - r->sim->slots.instances);
    hk_tick tick = (hk_tick)hk_state_get_word(r);
    if (tick == TICK_INITIAL || inst->unit->info->stamp != HK_STAMP_END)
        return hk_state_here(r, tick);
    if (tick > HK_TICK_LIMIT || tick < -HK_TICK_LIMIT)
        hk_state_bad(r, "a time in the state is beyond all bounds");
    return r->failed ? tick
                     : hk_state_here(r, tick + r->steps[c]) - r->sim->plan->components[c].period;
}

static const hk_engine_port *find_port(hk_state_reader *r, const hk_sim_instance *inst,
                                       hk_bytes name, unsigned use) {
    hk_blob_assign(&r->name, name); /* a NUL follows */
    uint32_t variable = hk_info_find(inst->unit->info, r->name.data);
    if (variable == HK_MAP_NONE)
        return NULL;
    const hk_engine_port *p =
        hk_sim_port(r->sim, (uint32_t)(inst - r->sim->slots.instances), variable);
    return p && p->use & use ? p : NULL;
}

static void set_value(hk_state_reader *r, const hk_sim_instance *inst, const hk_engine_port *p,
                      char *target, hk_blob *blobs, hk_bytes value) {
    const hk_variable *v = &inst->unit->info->variables[p->variable];
    if (v->store != HK_STORE_BYTES) {
        if (value.size != p->bytes)
            hk_state_bad(r, "a value in the state has another size than its variable");
        else
            memcpy(target, value.data, value.size);
        return;
    }
    hk_state_reader inner = {
        .sim = r->sim, .path = r->path, .data = value.data, .left = value.size};
    for (size_t i = 0; i < v->count; i++)
        hk_blob_assign(&blobs[i], hk_state_get_bytes(&inner));
    if (inner.failed && !r->failed)
        r->status = inner.status;
    r->failed = r->failed || inner.failed;
}

static void get_values(hk_state_reader *r, const hk_sim_instance *inst) {
    uint64_t count = hk_state_get_word(r), apart = 0;
    for (uint32_t i = inst->ports.begin; i < inst->ports.end; i++)
        apart += r->sim->slots.ports[i].apart;
    for (uint64_t i = 0; i < count && !r->failed; i++) {
        hk_bytes name = hk_state_get_bytes(r);
        hk_bytes value = hk_state_get_bytes(r);
        const hk_engine_port *p = r->failed ? NULL : find_port(r, inst, name, USE_IN | USE_EVERY);
        if (!p || !hk_state_holds(inst, p))
            continue;
        set_value(r, inst, p, r->snapshot->block + p->offset,
                  p->blob == UINT32_MAX ? NULL : r->snapshot->blobs + p->blob, value);
        r->snapshot->held[p - r->sim->slots.ports] = true;
        apart -= p->apart;
    }
    if (apart && !r->failed)
        hk_state_bad(
            r, "the state lacks outputs that a component with a mutable function has published");
}

/* Ports of which the file holds no past: fine for the record, not for a delay. */
static void find_lacking(hk_state_reader *r, const hk_sim_instance *inst, const bool *found) {
    for (uint32_t i = inst->ports.begin; i < inst->ports.end; i++) {
        const hk_engine_port *p = &r->sim->slots.ports[i];
        r->snapshot->lacking[i] = p->use & USE_HISTORY && !found[i];
        if (r->snapshot->lacking[i] && p->use & USE_DELAYED)
            hk_state_bad(r, "the state lacks the past values that a delay of this run needs");
    }
}

/* Frame F (0: the newest) goes to the end of the ring, so that older ones are before it. Where
 * the file holds fewer than this run keeps, the oldest is repeated. */
static void get_history(hk_state_reader *r, const hk_sim_instance *inst, hk_tick last,
                        bool *found) {
    const hk_history *past = &inst->past;
    hk_snapshot *s = r->snapshot;
    uint64_t count = hk_state_get_word(r);
    uint32_t kept = 0;
    for (uint64_t f = 0; f < count && !r->failed; f++) {
        hk_tick tick = get_activation(r, inst);
        uint64_t ports = hk_state_get_word(r);
        uint32_t at = f < past->frames ? past->frames - 1 - (uint32_t)f : UINT32_MAX;
        if (at != UINT32_MAX) {
            memcpy(s->block + past->ticks_offset + at * sizeof tick, &tick, sizeof tick);
            kept++;
        }
        for (uint64_t i = 0; i < ports && !r->failed; i++) {
            hk_bytes name = hk_state_get_bytes(r);
            hk_bytes value = hk_state_get_bytes(r);
            const hk_engine_port *p = r->failed ? NULL : find_port(r, inst, name, USE_HISTORY);
            if (p)
                found[p - r->sim->slots.ports] = true;
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

static hk_status refuse(hk_state_reader *r, const hk_sim_instance *inst, const char *hint,
                        const char *why) {
    r->failed = true;
    r->status = HK_E_STATE_FILE;
    return hk_error(r->sim->ctx, HK_E_STATE_FILE,
                    (hk_where){.file = r->path, .element = inst->unit->name}, hint, "%s", why);
}

/* A state is bytes whose meaning only the component knows, so it must be the same one. */
static hk_status check_identity(hk_state_reader *r, const hk_sim_instance *inst) {
    hk_arena *arena = r->sim->arena;
    const hk_unit *unit = inst->unit;
    hk_bytes name = hk_state_get_bytes(r), type = hk_state_get_bytes(r),
             key = hk_state_get_bytes(r);
    uint64_t build = hk_state_get_word(r);
    if (r->failed)
        return HK_E_STATE_FILE;
    if (!same_text(name, unit->name) || !same_text(type, unit->info->name)) {
        hk_state_bad(r, hk_arena_printf(arena, "the state is of a component '%.*s', here is '%s'",
                                        (int)(name.size < 60 ? name.size : 60),
                                        (const char *)name.data, unit->name));
        return HK_E_STATE_FILE;
    }
    if (hk_is_away(r->sim->part, (uint32_t)(inst - r->sim->slots.instances)))
        return HK_OK; /* its node looks */
    hk_state_key here = hk_state_key_of(inst->unit, arena);
    if (!same_text(key, here.key))
        return refuse(r, inst, "load it with the component that wrote it, or run from the start",
                      hk_arena_printf(arena,
                                      "the state of '%s' is of another component of that name: it "
                                      "has %.*s, here it has %s",
                                      unit->name, (int)(key.size < 120 ? key.size : 120),
                                      (const char *)key.data, here.key));
    if (build != here.build)
        hk_warn(r->sim->ctx, HK_E_STATE_FILE, (hk_where){.file = r->path, .element = unit->name},
                "if what it computes or keeps has changed, run from the start",
                "the library of '%s' is not the one that wrote the state", unit->name);
    return HK_OK;
}

static void get_given(hk_state_reader *r, const hk_sim_instance *inst) {
    hk_snapshot *s = r->snapshot;
    uint64_t count = hk_state_get_word(r);
    for (uint64_t i = 0; i < count && !r->failed; i++) {
        hk_bytes name = hk_state_get_bytes(r);
        uint64_t hash = hk_state_get_word(r);
        if (r->failed)
            return;
        hk_blob_assign(&r->name, name); /* a NUL follows */
        uint32_t variable = hk_info_find(inst->unit->info, r->name.data);
        hk_given_value one = {(uint32_t)(inst - r->sim->slots.instances), variable, hash};
        if (variable != HK_MAP_NONE)
            HK_PUSH(s->given, s->given_count, r->given_cap, one);
    }
}

static hk_status load_state(hk_state_reader *r, size_t c, hk_bytes state) {
    hk_sim *sim = r->sim;
    hk_unit *unit = sim->slots.instances[c].unit;
    const hk_op what = {"the reading of its state", (uint32_t)c};
    if (hk_is_away(sim->part, (uint32_t)c))
        return HK_OK;
    hk_call_begin(sim, &what);
    hk_status status = unit->unit_class->state_load(sim->ctx, unit, state.data, state.size,
                                                    &r->snapshot->states[c]);
    hk_call_end(sim);
    return status;
}

static hk_status get_component(hk_state_reader *r, size_t c, bool *found) {
    hk_sim *sim = r->sim;
    hk_sim_instance *inst = &sim->slots.instances[c];
    HK_TRY(check_identity(r, inst));
    hk_tick last = hk_state_get_clock(r, c);
    hk_bytes state = hk_state_get_bytes(r);
    if (r->failed)
        return HK_E_STATE_FILE;
    HK_TRY(load_state(r, c, state));
    if (r->snapshot->away)
        r->snapshot->away[c] = last;
    get_given(r, inst);
    get_values(r, inst);
    get_history(r, inst, last, found);
    return r->failed ? HK_E_STATE_FILE : HK_OK;
}

static void get_slopes(hk_state_reader *r) {
    size_t at = (size_t)((char *)r->sim->slots.slopes - r->sim->memory.block);
    uint64_t n = hk_state_get_word(r);
    if (n && !r->same_connections)
        hk_state_bad(r, "the connections have another order than those of the state");
    for (uint64_t i = 0; i < n && !r->failed; i++) {
        uint64_t index = hk_state_get_word(r);
        uint64_t bits[2] = {hk_state_get_word(r), 0};
        bits[1] = hk_state_get_word(r);
        hk_slope x;
        memcpy(&x.newest, bits, 8);
        memcpy(&x.before, bits + 1, 8);
        if (!r->failed && index >= r->sim->model->connection_count)
            hk_state_bad(r, "the state is of a system with other connections");
        if (r->failed)
            return;
        const hk_sim_instance *from =
            &r->sim->slots.instances[r->sim->model->connections[index].from_component];
        x.newest_tick = get_activation(r, from);
        x.before_tick = get_activation(r, from);
        if (x.before_tick != TICK_INITIAL && x.before_tick >= x.newest_tick)
            hk_state_bad(r, "two times in the state are in the wrong order");
        if (!r->failed)
            memcpy(r->snapshot->block + at + index * sizeof x, &x, sizeof x);
    }
}

/* The first activation of a rate that is not before NOW. */
static hk_tick next_activation(const hk_sim *sim, const hk_rate *rate, hk_tick now) {
    hk_tick first = sim->plan->start + rate->offset, due = first;
    if (now > first)
        due = first - hk_floor_div(first - now, rate->period) * rate->period;
    return rate->pattern ? hk_pattern_next(rate->pattern, due) : due;
}

static const char *show_time(const hk_sim *sim, hk_tick tick) {
    char text[HK_NUMBER_MAX + 1];
    text[hk_write_f64(hk_tick_seconds(tick, sim->plan->ticks_per_second), text)] = '\0';
    return hk_arena_strdup(sim->arena, text);
}

/* What is different, if that is the length of its steps. */
static const char *show_steps(const hk_state_reader *r, uint32_t c) {
    char text[HK_NUMBER_MAX + 1];
    hk_ratio step;
    const hk_sim *sim = r->sim;
    hk_tick period = sim->plan->components[c].period;
    if (!r->steps[c] || !hk_ratio_make(r->steps[c], r->ticks_per_second, &step) ||
        hk_ratio_to_double(step) == hk_tick_seconds(period, sim->time.ticks_per_second))
        return "";
    text[hk_write_f64(hk_ratio_to_double(step), text)] = '\0';
    return hk_arena_printf(sim->arena, ": its steps were %s s long, and are %s s here", text,
                           show_time(sim, period));
}

/* Time would be lost, or gone through twice, if a component did not go on where it is. */
static hk_status check_next(hk_state_reader *r, uint32_t c, const hk_rate *rate, hk_tick due) {
    const hk_sim *sim = r->sim;
    hk_tick end = r->ends[c], must = end == TICK_INITIAL ? sim->plan->start + rate->offset : end;
    const char *name = sim->model->components[c].name;
    hk_ratio step;
    bool whole =
        !rate->pattern || !rate->pattern->bridged || end == TICK_INITIAL ||
        (hk_ratio_make(r->steps[c], r->ticks_per_second, &step) &&
         hk_ratio_to_double(step) == hk_tick_seconds(rate->period, sim->time.ticks_per_second));
    must = rate->pattern ? hk_pattern_next(rate->pattern, must) : must;
    if (due == must && whole)
        return HK_OK;
    return hk_error(sim->ctx, HK_E_TIME, (hk_where){.file = r->path, .element = name},
                    "go on with the steps of the run that saved the state, or with others that "
                    "meet that time",
                    "the next step of '%s' would begin at t = %s s, but it is at t = %s s%s", name,
                    show_time(sim, due), show_time(sim, must), show_steps(r, c));
}

/* Activations and rows go on with the first that is not before now. */
static hk_status set_clocks(hk_state_reader *r, hk_tick now) {
    hk_sim *sim = r->sim;
    hk_tick start = sim->plan->start;
    hk_tick next = HK_TICK_NEVER;
    for (size_t i = 0; i < sim->loop.rate_count; i++) {
        const hk_rate *rate = &sim->plan->rates[i];
        hk_tick due = next_activation(sim, rate, now);
        for (size_t k = 0; k < rate->count; k++)
            HK_TRY(check_next(r, rate->components[k], rate, due));
        memcpy(r->snapshot->block + ((char *)&sim->loop.rate_next[i] - sim->memory.block), &due,
               sizeof due);
        next = due < next ? due : next;
    }
    hk_tick row = HK_TICK_NEVER;
    if (sim->rows.sink.row_begin)
        row = start - hk_floor_div(start - now, sim->rows.interval) * sim->rows.interval;
    memcpy(r->snapshot->block + ((char *)sim->rows.next - sim->memory.block), &row, sizeof row);
    next = row < next ? row : next;
    memcpy(r->snapshot->block + ((char *)sim->time.clock - sim->memory.block), &next, sizeof next);
    return HK_OK;
}

static hk_tick get_times(hk_state_reader *r) {
    r->ticks_per_second = (int64_t)hk_state_get_word(r);
    if (r->ticks_per_second <= 0)
        hk_state_bad(r, "the state has no time base");
    if (get_tick(r) != r->sim->plan->start)
        hk_state_bad(r, "the state is of a run with another start time");
    hk_tick now = get_tick(r);
    if (now < r->sim->plan->start)
        hk_state_bad(r, "the time of the state is before the start of the run");
    return now;
}

/* The run goes on with what there is: that it is not the same to the last bit is to be known. */
static void compare_libm(const hk_state_reader *r, uint64_t filed) {
    char there[HK_LIBM_TEXT], here[HK_LIBM_TEXT];
    if (filed != hk_libm_hash())
        hk_warn(r->sim->ctx, HK_E_STATE_FILE, (hk_where){.file = r->path},
                "go on where it was saved if every bit counts; 'hocket doctor' prints libm",
                "the state was saved with libm %s, this run has %s: results of sin, exp or pow may "
                "differ in their last bits, so it does not go on as it would have there",
                hk_libm_text(filed, there), hk_libm_text(hk_libm_hash(), here));
}

static hk_status get_all(hk_state_reader *r) {
    hk_sim *sim = r->sim;
    hk_tick now = get_times(r);
    hk_state_get_names(r);
    hk_state_get_parts(r);
    uint64_t components = hk_state_get_word(r);
    if (!r->failed && components != sim->model->component_count)
        hk_state_bad(r, "the state is of a system with another number of components");
    bool *found = hk_alloc((sim->slots.port_count + 1) * sizeof *found);
    r->snapshot->lacking = hk_alloc((sim->slots.port_count + 1) * sizeof *found);
    r->snapshot->held = hk_alloc((sim->slots.port_count + 1) * sizeof *found);
    hk_status status = HK_OK;
    for (size_t c = 0; c < sim->model->component_count && !r->failed && status == HK_OK; c++)
        status = get_component(r, c, found);
    hk_free(found);
    HK_TRY(status);
    get_slopes(r);
    hk_state_get_changes(r);
    uint64_t libm = hk_state_get_word(r);
    if (!r->failed && r->left)
        hk_state_bad(r, "there is something behind the end of the state");
    if (r->failed)
        return HK_E_STATE_FILE;
    compare_libm(r, libm);
    HK_TRY(set_clocks(r, now));
    return hk_given_compare(sim, r->path, r->snapshot->given, r->snapshot->given_count);
}

/* What is before the components, and the checksum. */
static bool check_frame(hk_state_reader *r, size_t size) {
    enum { MAGIC = sizeof HK_STATE_MAGIC - 1, FRAME = MAGIC + 1 + 8 };
    char version = size > MAGIC ? r->data[MAGIC] : '\0';
    bool ours = size > MAGIC && memcmp(r->data, HK_STATE_MAGIC, MAGIC) == 0;
    if (!ours || size < FRAME) {
        hk_state_bad(r, ours ? "the state ends in the middle" : "this is not a state of hocket");
    } else if (hk_state_is_other_format(version)) {
        r->failed = true;
        r->status = hk_state_other_format(r->sim->ctx, r->path, version);
    } else {
        if (version != HK_STATE_VERSION || !hk_state_checksum_agrees(r->data, size))
            hk_state_bad(r, "the state is damaged: its checksum does not agree");
    }
    r->data += r->failed ? 0 : MAGIC + 1;
    r->left -= r->failed ? 0 : FRAME;
    return !r->failed;
}

hk_status hk_snapshot_read(hk_sim *sim, const char *path, hk_snapshot **ret_snapshot) {
    HK_ASSERT(sim && path && ret_snapshot);
    HK_TRY(hk_snapshot_possible(sim, true));
    char *data;
    size_t size, n = sim->model->component_count;
    HK_TRY(hk_file_read(sim->ctx, path, 0, &data, &size));
    hk_claim_replaceable(sim->ctx, path); /* by the state that this run ends with */
    hk_state_reader r = {.sim = sim, .path = path, .data = data, .left = size};
    r.ends = hk_alloc((n + 1) * sizeof *r.ends);
    r.steps = hk_alloc((n + 1) * sizeof *r.steps);
    hk_status status = HK_OK;
    if (check_frame(&r, size))
        status = hk_sim_save(sim, &r.snapshot);
    if (r.snapshot)
        hk_snapshot_free_states(sim, r.snapshot);
    if (status == HK_OK && !r.failed)
        status = get_all(&r);
    if (r.failed)
        status = r.status;
    hk_free(data);
    hk_free(r.name.data);
    hk_free(r.ends);
    hk_free(r.steps);
    if (status != HK_OK) {
        hk_snapshot_destroy(sim, r.snapshot);
        return status;
    }
    r.snapshot->from_file = true;
    r.snapshot->path = hk_arena_strdup(sim->arena, path);
    *ret_snapshot = r.snapshot;
    return HK_OK;
}
