/* SPDX-License-Identifier: MIT
 *
 * Attaching a library of fused cells, and who runs by it. A cell does if what its text says is what
 * the engine would do: looked at before the run, and again after everything that changes the lists
 * of the loop. So masks, faults, bindings and other orders need no rules of their own. */
#include "engine/failures.h"
#include "engine/fused_cells.h"
#include "engine/fused_internal.h"
#include "engine/monitor.h"

#include <dlfcn.h>
#include <string.h>

enum { CACHE_LINE = 64 };
_Static_assert(sizeof(hk_fused_line) == CACHE_LINE, "a call takes one line of the cache");
_Static_assert(sizeof(hk_fused_due) == sizeof(hk_due_time) &&
                   offsetof(hk_fused_due, seconds) == offsetof(hk_due_time, seconds) &&
                   offsetof(hk_fused_due, h) == offsetof(hk_due_time, h),
               "both are the monitor's clock");

/* ---- what the cells call ---- */

static bool failed_step(void *sim, const hk_fused_line *line, int code, double t, double h) {
    return hk_fail_step(sim, (const hk_op *)(const void *)line, code, t, h);
}

static bool failed_call(void *sim, const hk_fused_line *line, int code) {
    return hk_fail_call(sim, (const hk_op *)(const void *)line, code);
}

static bool general(void *user, uint32_t connection) {
    hk_sim *sim = user;
    const hk_general_copy *g = sim->fused->generals[connection];
    return hk_copy_general(sim, g) || hk_fail_copy(sim, g);
}

static bool rest(void *user, uint32_t number) {
    hk_sim *sim = user;
    return hk_run_rest(sim, sim->fused->cells[number], sim->safety.monitored);
}

static bool not_finite(void *user, uint32_t number) {
    hk_sim *sim = user;
    return hk_fail_not_finite(sim, sim->fused->cells[number]);
}

static bool not_due(void *user, uint32_t number, double t, double h) {
    hk_sim *sim = user;
    return hk_monitor_time(sim, sim->fused->cells[number], t, h);
}

static void fill_head(hk_sim *sim, struct hk_fused_state *f) {
    f->head = (hk_fused_head *)(void *)sim->memory.system;
    *f->head = (hk_fused_head){.at = (const void **)(uintptr_t)&sim->threads.self.at,
                               .lines = f->lines,
                               .block = sim->memory.block,
                               .factors = f->factors,
                               .far = f->deeds->fars,
                               .last = f->last,
                               .due = (const hk_fused_due *const *)(void *)f->due,
                               .h = f->h,
                               .sim = sim,
                               .failed_step = failed_step,
                               .failed_call = failed_call,
                               .general = general,
                               .rest = rest,
                               .not_finite = not_finite,
                               .not_due = not_due};
}

/* ---- attaching ---- */

static void make_room(const hk_sim *sim, struct hk_fused_state *f) {
    const hk_system_deeds *d = f->deeds;
    size_t most = d->cell_count;
    for (size_t i = 0; i < sim->changes.order_count; i++)
        most = sim->changes.orders[i].cell_count > most ? sim->changes.orders[i].cell_count : most;
    f->line_memory = hk_alloc((d->line_count + 1) * sizeof *f->lines);
    size_t beyond = (uintptr_t)f->line_memory % CACHE_LINE;
    f->lines =
        (hk_fused_line *)(void *)((char *)f->line_memory + (beyond ? CACHE_LINE - beyond : 0));
    f->factors = HK_NEW_ARRAY(f->arena, hk_fused_factor, d->factor_count + 1);
    f->last = HK_NEW_ARRAY(f->arena, hk_tick *, d->cell_count + 1);
    f->due = HK_NEW_ARRAY(f->arena, hk_due_time *, sim->loop.rate_count + 1);
    f->h = HK_NEW_ARRAY(f->arena, double, sim->loop.rate_count + 1);
    f->own_due = HK_NEW_ARRAY(f->arena, hk_due_time, sim->loop.rate_count + 1);
    f->generals = HK_NEW_ARRAY(f->arena, const hk_general_copy *, sim->model->connection_count + 1);
    f->leaf = HK_NEW_ARRAY(f->arena, const hk_fused_leaf *, sim->model->component_count + 1);
    f->keeps = HK_NEW_ARRAY(f->arena, bool, sim->model->component_count + 1);
    f->never = HK_NEW_ARRAY(f->arena, bool, d->cell_count + 1);
    f->cells = HK_NEW_ARRAY(f->arena, const hk_cell *, d->cell_count + 1);
    f->code = HK_NEW_ARRAY(f->arena, const hk_fused_cell *, most + 1);
    f->number = HK_NEW_ARRAY(f->arena, uint32_t, most + 1);
    for (size_t r = 0; r < sim->loop.rate_count; r++)
        f->h[r] = sim->loop.rates[r].h;
    for (size_t r = 0; r < sim->loop.rate_count; r++)
        f->due[r] = sim->safety.monitored ? &sim->monitor->rates[r].due : &f->own_due[r];
}

static void fill_lines(struct hk_fused_state *f) {
    for (size_t i = 0; i < f->deeds->cell_count; i++)
        for (size_t k = 0; k < f->deeds->cells[i].count; k++) {
            const hk_deed *d = &f->deeds->cells[i].all[k];
            if (d->kind == HK_SAID_SET || d->kind == HK_SAID_STEP || d->kind == HK_SAID_GET)
                f->lines[d->number] = d->line;
            if (d->kind == HK_SAID_LINEAR)
                f->factors[d->number] = d->factor;
        }
}

static void release(struct hk_fused_state *f) {
    if (!f)
        return;
    hk_fused_free_sets(f);
    hk_free(f->line_memory);
    if (f->library)
        dlclose(f->library);
    hk_arena_destroy(f->arena);
}

const char *hk_sim_unfusable(const hk_sim *sim) {
    HK_ASSERT(sim);
    if (!sim->time.exact_seconds)
        return "its times are beyond 2^53 ticks";
    if (sim->loop.uneven)
        return "activations are skipped or late";
    if (sim->options.threads > 1)
        return "threads share its phases";
    if (hk_listeners_trace(sim))
        return "its calls are traced";
    if (sim->options.monitor == HK_MONITOR_VALUES)
        return "the values of every call are compared (--monitor values)";
    if (sim->options.real_time > 0)
        return "it follows real time, and every call is timed";
    if (sim->options.profile_every == 1)
        return "every call is timed";
    return NULL;
}

static hk_status attach(hk_sim *sim, void *library, const hk_fused_library *table) {
    hk_arena *arena = hk_arena_create();
    struct hk_fused_state *f = HK_NEW(arena, struct hk_fused_state);
    *f = (struct hk_fused_state){.library = library, .table = table, .arena = arena};
    const char *why = hk_sim_unfusable(sim);
    hk_status status = HK_OK;
    if (!why) {
        f->deeds = hk_sim_deeds(sim, arena);
        make_room(sim, f);
        fill_lines(f);
        fill_head(sim, f);
        status = hk_fused_check(sim, f);
    }
    if (why)
        hk_note(sim->ctx, (hk_where){.file = sim->model->file}, "the run is interpreted: %s", why);
    if (why || status != HK_OK) {
        release(f);
        return status;
    }
    hk_beats_find(sim, arena, &f->beats);
    f->set_count = f->beats.mask_count;
    f->sets = HK_NEW_ARRAY(arena, hk_due_set, f->set_count + 1);
    for (size_t i = 0; i < f->set_count; i++)
        f->sets[i].mask = f->beats.masks[i];
    hk_fused_take_steps(sim, f);
    f->deeds = hk_sim_deeds(sim, arena);
    fill_lines(f);
    sim->fused = f;
    hk_monitor_arm(sim);
    return HK_OK;
}

hk_status hk_sim_attach_table(hk_sim *sim, const hk_fused_library *table) {
    HK_ASSERT(sim && table);
    HK_ASSERT(!sim->fused);
    return attach(sim, NULL, table);
}

hk_status hk_sim_attach_fused(hk_sim *sim, void *library) {
    HK_ASSERT(sim && library);
    HK_ASSERT(!sim->fused);
    const hk_fused_library *table = dlsym(library, HK_FUSED_SYMBOL);
    if (table)
        return attach(sim, library, table);
    dlclose(library);
    return hk_error(sim->ctx, HK_E_FUSED, (hk_where){.file = sim->model->file},
                    "build it again, or run without it", "the library has no '%s'",
                    HK_FUSED_SYMBOL);
}

bool hk_sim_attach_fitting(hk_sim *sim, void *library) {
    HK_ASSERT(sim && library);
    hk_ctx *own = sim->ctx;
    hk_ctx *aside = hk_ctx_create(NULL, NULL); /* that it does not fit is not a mistake */
    sim->ctx = aside;
    bool fits = hk_sim_attach_fused(sim, library) == HK_OK;
    sim->ctx = own;
    for (size_t i = 0; fits && i < hk_ctx_count(aside, HK_NOTE); i++)
        hk_say_again(own, hk_ctx_diag(aside, i));
    hk_ctx_destroy(aside);
    return fits;
}

/* ---- who runs by it ---- */

/* The cell of the library for one of the engine's; cell_count: there is none. */
static size_t find_cell(const struct hk_fused_state *f, const hk_cell *c, size_t guess) {
    const hk_system_deeds *d = f->deeds;
    if (guess < d->cell_count && d->cells[guess].rate == c->rate &&
        d->cells[guess].level == c->level)
        return guess; /* it is the order that the text was made for */
    size_t i = 0;
    while (i < d->cell_count && (d->cells[i].rate != c->rate || d->cells[i].level != c->level))
        i++;
    return i;
}

static void arm_cell(hk_sim *sim, struct hk_fused_state *f, hk_deed_collector *now, size_t index) {
    const hk_cell *c = &sim->loop.cells[index];
    size_t n = find_cell(f, c, index);
    if (n == f->deeds->cell_count || f->never[n])
        return;
    hk_deeds_collect(now, c, (uint32_t)n, false);
    if (!hk_fused_agrees(sim, now, &f->deeds->cells[n]) || hk_fused_keeps_addresses(sim, f, c))
        return;
    for (const hk_general_copy *g = c->generals; g < c->generals_end; g++)
        f->generals[g->connection] = g;
    f->code[index] = &f->table->cells[n];
    f->number[index] = (uint32_t)n;
    f->cells[n] = c;
    f->last[n] = c->last;
    f->fused_count++;
}

void hk_fused_arm(hk_sim *sim) {
    HK_ASSERT(sim);
    struct hk_fused_state *f = sim->fused;
    hk_deed_collector now = {.sim = sim};
    f->fused_count = 0;
    f->head->done = 0;
    for (size_t i = 0; i < f->deeds->cell_count; i++)
        f->cells[i] = NULL;
    for (size_t i = 0; i < sim->loop.cell_count; i++) {
        f->code[i] = NULL;
        arm_cell(sim, f, &now, i);
    }
    hk_free(now.all);
    hk_free(now.fars);
    hk_fused_write_sets(sim, f);
}

void hk_fused_finish(hk_sim *sim) {
    HK_ASSERT(sim);
    release(sim->fused);
    sim->fused = NULL;
}

hk_fused_count hk_sim_fused(const hk_sim *sim) {
    HK_ASSERT(sim);
    const struct hk_fused_state *f = sim->fused;
    hk_fused_count count = {.cells = sim->loop.cell_count};
    if (!f)
        return count;
    count.attached = true;
    count.fused = f->fused_count;
    count.runs = f->runs;
    count.compiler = f->library ? dlsym(f->library, HK_FUSED_COMPILER) : NULL;
    count.flags = f->library ? dlsym(f->library, HK_FUSED_FLAGS) : NULL;
    return count;
}
