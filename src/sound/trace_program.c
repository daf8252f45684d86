/* SPDX-License-Identifier: MIT
 *
 * A trace that hocket itself has written names the calls of the program: each line has its number,
 * its phase and, after initialization, its cell. What the checker makes of calls and values does
 * not need them, so a line could say anything there; here they are held to the program, and so are
 * times to the last bit, and the calls that a view does not look at. */
#include "sound/sound_trace.h"

#include "plan/program.h"

#include <stdlib.h>
#include <string.h>

enum { PHASE_START, PHASE_INIT, PHASE_FIRST, PHASE_RUN };

typedef struct about {
    bool driven;            /* an input that a connection sets */
    bool first;             /* was read in the phase of the first outputs */
    int64_t set_in, got_in; /* phases; below 0: never */
} about;

struct hk_trace_program {
    hk_arena *arena;
    const hk_plan *plan;
    hk_program *program;
    uint32_t *cell_of;     /* per component */
    about **variables;     /* per component and variable */
    int64_t *thread_phase; /* per component: the last phase in which it was called ... */
    int64_t *thread;       /* ... and by whom */
    bool whole;            /* the trace begins at its beginning */
    bool any, stepped;     /* a line has come; one of a cell has */
    int64_t phase;         /* of the last line */
    int64_t last_thread;
    uint32_t level; /* of the last line with a cell */
    hk_tick tick;
    /* Numbers by which the threads have made the calls of this phase. */
    int64_t *orders, order_next; /* order_next: the first of the next phase; below 0: any */
    size_t order_count, order_cap;
};

hk_trace_program *hk_trace_program_make(const hk_plan *plan) {
    hk_arena *arena = hk_arena_create();
    hk_trace_program *p = HK_NEW(arena, hk_trace_program);
    size_t count = plan->model->component_count;
    *p = (hk_trace_program){.arena = arena,
                            .plan = plan,
                            .program = hk_program_make(plan, NULL),
                            .cell_of = HK_NEW_ARRAY(arena, uint32_t, count),
                            .variables = HK_NEW_ARRAY(arena, about *, count),
                            .thread_phase = HK_NEW_ARRAY(arena, int64_t, count),
                            .thread = HK_NEW_ARRAY(arena, int64_t, count),
                            .order_next = -1};
    for (size_t c = 0; c < count; c++) {
        size_t n = plan->model->components[c].info->variable_count;
        p->variables[c] = HK_NEW_ARRAY(arena, about, n);
        p->thread_phase[c] = -1;
        for (size_t v = 0; v < n; v++)
            p->variables[c][v] = (about){.set_in = -1, .got_in = -1};
    }
    for (uint32_t i = 0; i < p->program->cell_count; i++) {
        const hk_program_cell *cell = &p->program->cells[i];
        for (size_t s = 0; s < cell->steps.count; s++)
            p->cell_of[cell->steps.all[s].component] = i;
        for (size_t s = 0; s < cell->sets.count; s++)
            p->variables[cell->sets.all[s].component][cell->sets.all[s].variable].driven = true;
    }
    return p;
}

void hk_trace_program_free(hk_trace_program *p) {
    if (!p)
        return;
    hk_program_destroy(p->program);
    hk_free(p->orders);
    hk_arena_destroy(p->arena);
}

/* ---- times ---- */

static double seconds(const hk_trace_program *p, hk_tick tick) {
    return hk_tick_seconds(tick, p->plan->ticks_per_second);
}

/* The tick whose time is just that; false: there is none. */
static bool exact_tick(const hk_trace_program *p, double t, hk_tick *ret_tick) {
    double ticks = t * (double)p->plan->ticks_per_second;
    if (!(fabs(ticks) < 9e15))
        return false;
    hk_tick near = (hk_tick)llround(ticks);
    for (hk_tick k = near - 1; k <= near + 1; k++)
        if (seconds(p, k) == t) {
            *ret_tick = k;
            return true;
        }
    return false;
}

/* Steps that bridge activations that were left out begin where the last one has ended. */
static bool is_bridged(const hk_trace_program *p, const hk_trace_line *line) {
    return line->call->op == HK_OP_STEP && p->plan->components[line->call->instance].pattern;
}

static const char *check_time(hk_trace_program *p, const hk_trace_line *line, hk_tick *ret_tick) {
    const hk_plan_component *c = &p->plan->components[line->call->instance];
    double t = line->call->t, h = line->call->h;
    if (!exact_tick(p, t, ret_tick))
        return hk_arena_printf(p->arena, "'t' is %s, which is not an instant of the program",
                               hk_trace_number(p->arena, t));
    hk_tick since = *ret_tick - p->plan->start;
    if (line->phase < PHASE_RUN)
        return since ? "'t' is not the time at which the run starts" : NULL;
    if (is_bridged(p, line))
        return NULL;
    if (since < c->offset || (since - c->offset) % c->period)
        return hk_arena_printf(p->arena, "'%s' is not activated at %s",
                               p->plan->model->components[line->call->instance].name,
                               hk_trace_number(p->arena, t));
    bool whole = h == seconds(p, c->period), last = h == seconds(p, p->plan->stop - *ret_tick);
    return line->call->op == HK_OP_STEP && !whole && !last
               ? hk_arena_printf(p->arena, "'h' is %s; the program steps '%s' by %s",
                                 hk_trace_number(p->arena, h),
                                 p->plan->model->components[line->call->instance].name,
                                 hk_trace_number(p->arena, seconds(p, c->period)))
               : NULL;
}

/* True if nothing is due between the two. */
static bool follows(const hk_plan *plan, hk_tick from, hk_tick to) {
    for (size_t r = 0; r < plan->rate_count; r++) {
        hk_tick first = plan->start + plan->rates[r].offset, period = plan->rates[r].period;
        hk_tick next = from < first ? first : from + period - (from - first) % period;
        if (next < to)
            return false;
    }
    return true;
}

/* ---- threads ---- */

static int by_number(const void *a, const void *b) {
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return x < y ? -1 : x > y;
}

/* The calls of a phase have numbers without a gap, after those of the phase before. */
static const char *check_orders(hk_trace_program *p) {
    const char *why = NULL;
    size_t n = p->order_count;
    if (!n)
        return NULL;
    qsort(p->orders, n, sizeof *p->orders, by_number);
    int64_t first = p->order_next < 0 ? p->orders[0] : p->order_next;
    for (size_t i = 0; i < n && !why; i++)
        if (p->orders[i] != first + (int64_t)i)
            why = hk_arena_printf(p->arena, "'order' %lld is missing in phase %lld",
                                  (long long)first + (long long)i, (long long)p->phase);
    p->order_next = first + (int64_t)n;
    p->order_count = 0;
    return why;
}

/* A component is one thread's for a phase; the lines of a phase are put one thread after another.
 */
static const char *check_thread(hk_trace_program *p, const hk_trace_line *line, bool new_phase) {
    uint32_t c = line->call->instance;
    int64_t thread = line->thread < 0 ? 0 : line->thread;
    bool known = p->thread_phase[c] == line->phase && line->phase >= PHASE_RUN;
    const char *why = NULL;
    if (!new_phase && thread < p->last_thread)
        why = "'thread' is below that of the line before, in one phase";
    else if (known && p->thread[c] != thread)
        why = hk_arena_printf(p->arena, "'thread' is %lld; '%s' is with thread %lld in this phase",
                              (long long)thread, p->plan->model->components[c].name,
                              (long long)p->thread[c]);
    p->thread_phase[c] = line->phase;
    p->thread[c] = p->last_thread = thread;
    if (line->order >= 0)
        HK_PUSH(p->orders, p->order_count, p->order_cap, line->order);
    return why;
}

/* ---- phases and cells ---- */

static const char *other(hk_trace_program *p, const char *member, int64_t is, int64_t must) {
    return hk_arena_printf(p->arena, "'%s' is %lld; the program has this call in %s %lld", member,
                           (long long)is, member, (long long)must);
}

/* Before the first step there are three phases, and no cells. */
static const char *check_early(hk_trace_program *p, const hk_trace_line *line) {
    int64_t must = line->mode == HK_TRACE_START  ? PHASE_START
                   : line->mode == HK_TRACE_INIT ? PHASE_INIT
                                                 : PHASE_FIRST;
    if (must == PHASE_FIRST && (line->phase > must || line->call->op != HK_OP_GET))
        return "a call of a step has no 'cell'";
    if (line->phase != must)
        return other(p, "phase", line->phase, must);
    if (p->any && line->phase < p->phase)
        return "'phase' is below that of the line before";
    return must == PHASE_START && line->call->op != HK_OP_PARAMETER ? "a start value is to be set"
                                                                    : NULL;
}

/* The phases of an instant are its levels, from below; those of all instants are counted. */
static const char *check_cell(hk_trace_program *p, const hk_trace_line *line, hk_tick tick) {
    uint32_t cell = p->cell_of[line->call->instance];
    if (line->cell != cell)
        return other(p, "cell", line->cell, cell);
    uint32_t level = p->program->cells[cell].level;
    if (is_bridged(p, line) && p->stepped)
        tick = p->tick;
    bool same = p->stepped && tick == p->tick && level == p->level;
    bool back = p->stepped && (tick < p->tick || (tick == p->tick && level < p->level));
    if (back)
        return "the program makes this call before the one of the line before";
    bool next = line->gap && p->stepped && !same && follows(p->plan, p->tick, tick);
    int64_t must = same                     ? p->phase
                   : p->stepped             ? p->phase + 1
                   : p->whole && !line->gap ? PHASE_RUN
                                            : line->phase;
    p->stepped = true;
    p->tick = tick;
    p->level = level;
    if (line->phase != must || line->phase < PHASE_RUN)
        return other(p, "phase", line->phase, must < PHASE_RUN ? PHASE_RUN : must);
    return next && tick ? "numbers are left out, and nothing is due between" : NULL;
}

const char *hk_trace_program_line(hk_trace_program *p, const hk_trace_line *line) {
    hk_tick tick = 0;
    if (line->n < 0 || line->phase < 0)
        return "'n' or 'phase' is missing, which the lines before have";
    if (!p->any) {
        p->whole = line->n == 0 || line->phase < PHASE_FIRST;
        p->order_next = p->whole ? 0 : -1;
    }
    bool new_phase = !p->any || line->phase != p->phase;
    const char *why = new_phase ? check_orders(p) : NULL;
    const char *time = check_time(p, line, &tick);
    const char *cell = line->cell < 0                ? check_early(p, line)
                       : line->mode != HK_TRACE_STEP ? "there are no cells in initialization"
                       : time                        ? NULL
                                                     : check_cell(p, line, tick);
    const char *thread = check_thread(p, line, new_phase);
    p->any = true;
    p->phase = line->phase;
    return why ? why : cell ? cell : time ? time : thread;
}

/* ---- variables ---- */

static bool fits(const hk_variable *v, const hk_sound_call *call) {
    char room[16];
    double one = call->value;
    const double *numbers = call->has_value ? &one : call->many ? call->many->numbers : NULL;
    size_t count = call->has_value ? 1 : numbers ? call->many->count : 0;
    if (!call->has_value && (!call->many || (!numbers && !call->many->text)))
        return true; /* null: nothing that a trace can say */
    if (v->store == HK_STORE_BYTES)
        return !numbers;
    if (!numbers || count != v->count)
        return false;
    for (size_t i = 0; i < count; i++)
        if (!hk_value_convert(v->store, room, HK_STORE_F64, &numbers[i], 1))
            return false;
    return true;
}

const char *hk_trace_program_port(hk_trace_program *p, const hk_trace_line *line, uint32_t variable,
                                  const hk_sound_call *call) {
    const hk_component *component = &p->plan->model->components[call->instance];
    const hk_variable *v = &component->info->variables[variable];
    about *x = &p->variables[call->instance][variable];
    bool set = call->op != HK_OP_GET;
    if (!fits(v, call))
        return hk_arena_printf(p->arena, "this is not a value of '%s.%s'", component->name,
                               v->name);
    if (line->phase < PHASE_FIRST)
        return NULL;
    if (set && !x->driven)
        return hk_arena_printf(p->arena, "the program does not set '%s.%s'", component->name,
                               v->name);
    int64_t *last = set ? &x->set_in : &x->got_in;
    if (*last == line->phase)
        return hk_arena_printf(p->arena, "'%s.%s' is %s twice in one phase", component->name,
                               v->name, set ? "set" : "read");
    *last = line->phase;
    x->first = x->first || line->phase == PHASE_FIRST;
    return !set && p->whole && !x->first
               ? hk_arena_printf(p->arena, "'%s.%s' was not among the first outputs",
                                 component->name, v->name)
               : NULL;
}

const char *hk_trace_program_end(hk_trace_program *p) {
    return check_orders(p);
}
