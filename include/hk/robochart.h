/* SPDX-License-Identifier: MIT
 *
 * What C that is generated from RoboChart (`hocket gen`) is written in: arithmetic that says what
 * went wrong, and where in the .rct. Nothing here allocates, and all of it is in this file, so that
 * a component, or an FMU made of it, needs no library.
 *
 * The first failure is written down; whoever meets it goes on with zeros, and the component ends
 * its step with HK_STEP_FAILED. So generated code needs no test behind every sum. */
#ifndef HK_ROBOCHART_H
#define HK_ROBOCHART_H

#include <hk/unit.h>

#include <stdio.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    HK_RC_ELEMENTS = 16,    /* that a sequence may have */
    HK_RC_DEPTH = 64,       /* of calls of functions in each other */
    HK_RC_CALLS = 1000000,  /* of functions in one cycle */
    HK_RC_CYCLES = 1000000, /* in one step */
    HK_RC_FIRINGS = 1000    /* of transitions by a machine in one cycle */
};

/* Where a statement or an expression begins in the .rct. */
typedef struct hk_rc_at {
    int line, column;
} hk_rc_at;

/* What went wrong, in words: a part of the component's struct. */
typedef struct hk_rc_trouble {
    int64_t failed; /* 0: nothing did */
    int32_t depth;  /* of functions that are being called in each other */
    int32_t calls;  /* of functions in this cycle */
    hk_rc_at at;
    char words[384];
    char remark[320]; /* what is odd, though nothing failed; "": nothing */
} hk_rc_trouble;

/* What is seldom called is not to be in the way of what often is. */
#ifdef __GNUC__
#define HK_RC_SELDOM __attribute__((noinline, cold, unused)) static
#else
#define HK_RC_SELDOM static inline
#endif

#ifdef __cplusplus
#define HK_AT(line, column) (hk_rc_at{(line), (column)})
#else
#define HK_AT(line, column) ((hk_rc_at){(line), (column)})
#endif

HK_RC_SELDOM void hk_rc_fail(hk_rc_trouble *t, hk_rc_at at, const char *what) {
    if (t->failed)
        return;
    t->failed = 1;
    t->at = at;
    snprintf(t->words, sizeof t->words, "%.200s", what);
}

/* NUMBER, and what is wrong with it. */
HK_RC_SELDOM void hk_rc_fail_number(hk_rc_trouble *t, hk_rc_at at, double number,
                                    const char *what) {
    char words[200];
    snprintf(words, sizeof words, "%g %s", number, what);
    hk_rc_fail(t, at, words);
}

/* FIRST in a cycle and REST. */
HK_RC_SELDOM void hk_rc_fail_cycle(hk_rc_trouble *t, hk_rc_at at, const char *first, int64_t cycle,
                                   const char *rest) {
    char words[200];
    snprintf(words, sizeof words, "%s in cycle %lld%s", first, (long long)cycle, rest);
    hk_rc_fail(t, at, words);
}

/* What is emitted a second time: WHAT is "event" or "operation". */
HK_RC_SELDOM void hk_rc_fail_twice(hk_rc_trouble *t, hk_rc_at at, const char *what,
                                   const char *name, int64_t cycle) {
    char words[160];
    snprintf(words, sizeof words, "timelock: %s '%.80s' is %s twice", what, name,
             *what == 'e' ? "sent" : "called");
    hk_rc_fail_cycle(t, at, words, cycle, "");
}

HK_RC_SELDOM void hk_rc_fail_depth(hk_rc_trouble *t, hk_rc_at at, const char *name) {
    char words[200];
    snprintf(words, sizeof words, "function '%.80s' is called more than %d times in itself", name,
             HK_RC_DEPTH);
    hk_rc_fail(t, at, words);
}

HK_RC_SELDOM void hk_rc_blame_now(hk_rc_trouble *t, const char *file, const char *machine) {
    char words[200], place[32] = "";
    snprintf(words, sizeof words, "%.199s", t->words);
    t->failed = 2;
    if (t->at.line) /* what is said of the whole module has none */
        snprintf(place, sizeof place, ":%d:%d", t->at.line, t->at.column);
    snprintf(t->words, sizeof t->words, "%s%.60s%s%s (%.60s%s)", *machine ? "machine '" : "",
             machine, *machine ? "', " : "", words, file, place);
}

/* Says whose failure it is and where, once; MACHINE "": nobody's. */
static inline void hk_rc_blame(hk_rc_trouble *t, const char *file, const char *machine) {
    if (t->failed == 1)
        hk_rc_blame_now(t, file, machine);
}

/* Two transitions are enabled at once: the first time that is kept, as a remark. */
HK_RC_SELDOM void hk_rc_choice(hk_rc_trouble *t, const char *machine, int64_t cycle,
                               const char *first, const char *second) {
    if (!t->remark[0])
        snprintf(
            t->remark, sizeof t->remark,
            "machine '%.80s' has a choice in cycle %lld: transitions '%s' and '%s' are enabled",
            machine, (long long)cycle, first, second);
}

/* What a step or init returns. */
static inline int hk_rc_result(hk_rc_trouble *t, const char *file) {
    if (!t->failed)
        return HK_STEP_OK;
    hk_rc_blame(t, file, "");
    return HK_STEP_FAILED;
}

/* ---- integers: nat and int are int64_t */

static inline int64_t hk_rc_overflow(hk_rc_trouble *t, hk_rc_at at) {
    hk_rc_fail(t, at, "the number is too large");
    return 0;
}

/* A nat is not below 0. */
static inline int64_t hk_rc_nat(hk_rc_trouble *t, int64_t a, hk_rc_at at) {
    if (a >= 0)
        return a;
    hk_rc_fail(t, at, "a nat is below 0");
    return 0;
}

static inline int64_t hk_rc_add(hk_rc_trouble *t, int64_t a, int64_t b, hk_rc_at at) {
    bool over = b > 0 ? a > INT64_MAX - b : a < INT64_MIN - b;
    return over ? hk_rc_overflow(t, at) : a + b;
}

static inline int64_t hk_rc_subtract(hk_rc_trouble *t, int64_t a, int64_t b, hk_rc_at at) {
    bool over = b < 0 ? a > INT64_MAX + b : a < INT64_MIN + b;
    return over ? hk_rc_overflow(t, at) : a - b;
}

static inline int64_t hk_rc_multiply(hk_rc_trouble *t, int64_t a, int64_t b, hk_rc_at at) {
    bool over = false;
    if (a > 0)
        over = b > 0 ? a > INT64_MAX / b : b < INT64_MIN / a;
    else if (a < 0)
        over = b > 0 ? a < INT64_MIN / b : b < INT64_MAX / a;
    return over ? hk_rc_overflow(t, at) : a * b;
}

static inline int64_t hk_rc_negate(hk_rc_trouble *t, int64_t a, hk_rc_at at) {
    return a == INT64_MIN ? hk_rc_overflow(t, at) : -a;
}

static inline int64_t hk_rc_abs(hk_rc_trouble *t, int64_t a, hk_rc_at at) {
    return a < 0 ? hk_rc_negate(t, a, at) : a;
}

/* Rounded down. */
static inline int64_t hk_rc_divide(hk_rc_trouble *t, int64_t a, int64_t b, hk_rc_at at) {
    if (b == 0) {
        hk_rc_fail(t, at, "division by zero");
        return 0;
    }
    if (b == -1)
        return hk_rc_negate(t, a, at);
    return a / b - (a % b != 0 && (a < 0) != (b < 0));
}

/* Has the sign of the divisor. */
static inline int64_t hk_rc_modulo(hk_rc_trouble *t, int64_t a, int64_t b, hk_rc_at at) {
    if (b == 0) {
        hk_rc_fail(t, at, "division by zero");
        return 0;
    }
    if (b == -1)
        return 0;
    int64_t rest = a % b;
    return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}

/* The same for nats, which are not below 0. */
#define HK_RC_NAT(name)                                                                            \
    static inline int64_t hk_rc_nat_##name(hk_rc_trouble *t, int64_t a, int64_t b, hk_rc_at at) {  \
        return hk_rc_nat(t, hk_rc_##name(t, a, b, at), at);                                        \
    }
HK_RC_NAT(add)
HK_RC_NAT(subtract)
HK_RC_NAT(multiply)
HK_RC_NAT(divide)
HK_RC_NAT(modulo)

static inline int64_t hk_rc_nat_negate(hk_rc_trouble *t, int64_t a, hk_rc_at at) {
    return hk_rc_nat(t, hk_rc_negate(t, a, at), at);
}

/* PREFIX_min, PREFIX_max and PREFIX_within, of whole numbers and of reals. */
#define HK_RC_ORDER(prefix, type)                                                                  \
    static inline type prefix##_min(type a, type b) {                                              \
        return a < b ? a : b;                                                                      \
    }                                                                                              \
    static inline type prefix##_max(type a, type b) {                                              \
        return a > b ? a : b;                                                                      \
    }                                                                                              \
    static inline bool prefix##_within(type a, type from, type to) {                               \
        return from <= a && a <= to;                                                               \
    }
HK_RC_ORDER(hk_rc, int64_t)
HK_RC_ORDER(hk_rc_real, double)

/* ---- reals */

static inline double hk_rc_real_divide(hk_rc_trouble *t, double a, double b, hk_rc_at at) {
    if (b != 0.0)
        return a / b;
    hk_rc_fail(t, at, "division by zero");
    return 0.0;
}

static inline double hk_rc_real_modulo(hk_rc_trouble *t, double a, double b, hk_rc_at at) {
    if (b != 0.0)
        return a - b * floor(a / b);
    hk_rc_fail(t, at, "division by zero");
    return 0.0;
}

/* ---- elements */

/* From an index that counts from 1 to one of C. */
static inline int64_t hk_rc_index(hk_rc_trouble *t, int64_t index, int64_t size, hk_rc_at at) {
    if (index >= 1 && index <= size)
        return index - 1;
    hk_rc_fail(t, at, "the index is out of range");
    return 0;
}

/* The index in C of an element of a matrix. */
static inline int64_t hk_rc_cell(hk_rc_trouble *t, int64_t row, int64_t rows, int64_t column,
                                 int64_t columns, hk_rc_at at) {
    int64_t first = hk_rc_index(t, row, rows, at) * columns;
    return first + hk_rc_index(t, column, columns, at);
}

/* The index in C of the last element of a sequence that must have one; of its first. */
static inline int64_t hk_rc_last(hk_rc_trouble *t, int64_t size, hk_rc_at at) {
    if (size > 0)
        return size - 1;
    hk_rc_fail(t, at, "the sequence is empty");
    return 0;
}

static inline int64_t hk_rc_first(hk_rc_trouble *t, int64_t size, hk_rc_at at) {
    return 0 * hk_rc_last(t, size, at);
}

/* The number of elements of a sequence that is made. */
static inline int64_t hk_rc_room(hk_rc_trouble *t, int64_t size, hk_rc_at at) {
    if (size <= HK_RC_ELEMENTS)
        return size;
    hk_rc_fail(t, at, "the sequence has more than 16 elements");
    return 0;
}

/* ---- functions */

/* A function is called; false: it must not be. */
static inline bool hk_rc_enter(hk_rc_trouble *t, int64_t cycle, const char *name, hk_rc_at at) {
    if (t->failed)
        return false;
    if (t->depth >= HK_RC_DEPTH)
        hk_rc_fail_depth(t, at, name);
    else if (++t->calls > HK_RC_CALLS)
        hk_rc_fail_cycle(t, at, "no progress", cycle, ": more than 1000000 calls of functions");
    t->depth += !t->failed;
    return !t->failed;
}

/* ---- time */

/* An action that takes time: where it goes on, and until which cycle it waits. */
typedef struct hk_rc_thread {
    int64_t pc, until;
} hk_rc_thread;

enum {
    HK_RC_DONE = -1, /* pc of an action that is done once */
    HK_RC_NEVER = -2 /* a cycle in which nothing was sent */
};
#define HK_RC_FAR INT64_MAX /* a cycle that does not come */

/* A number of time units as cycles: 1.1 / 0.1 is 11 of them, not 12. */
static inline int64_t hk_rc_cycles(hk_rc_trouble *t, double units, double cycles, hk_rc_at at) {
    if (t->failed)
        return 0;
    if (cycles >= 0 && cycles < UINT32_MAX)
        return (int64_t)cycles;
    hk_rc_fail_number(t, at, units, "time units are not between 0 and 4294967294 cycles");
    return 0;
}

static inline int64_t hk_rc_cycles_up(hk_rc_trouble *t, double units, double cycle, hk_rc_at at) {
    return hk_rc_cycles(t, units, ceil(units / cycle - 1e-9), at);
}

static inline int64_t hk_rc_cycles_down(hk_rc_trouble *t, double units, double cycle, hk_rc_at at) {
    return hk_rc_cycles(t, units, floor(units / cycle + 1e-9), at);
}

/* At the end of a cycle: a statement that had to be done until cycle LIMIT is not. */
static inline bool hk_rc_is_late(hk_rc_trouble *t, int64_t cycle, int64_t limit, hk_rc_at at) {
    if (cycle < limit || t->failed)
        return false;
    hk_rc_fail_cycle(t, at, "timelock: the deadline of the statement is missed", cycle, "");
    return true;
}

/* When cycles begin, in seconds. */
typedef struct hk_rc_time {
    double start, cycle;
    double end;        /* of the last step */
    int64_t begun;     /* cycles that began before it */
    double next, near; /* when the next but one begins, and what is near to that */
    int64_t most;      /* cycles in one step, if that were several */
} hk_rc_time;

static inline void hk_rc_begin(hk_rc_time *time, double start, double cycle) {
    time->start = time->end = start;
    time->cycle = cycle;
    time->begun = 0;
    time->next = start + cycle;
    time->near = 1e-7 * cycle;
}

/* How many cycles begin before T. Times have 53 bits: a millionth of a cycle is nothing. */
HK_RC_SELDOM int64_t hk_rc_cycles_before(const hk_rc_time *time, double t) {
    double n = (t - time->start) / time->cycle;
    if (!(n < 9e18))
        return INT64_MAX;
    return n <= 0 ? 0 : (int64_t)ceil(n - (1e-6 + 1e-15 * n));
}

/* The time unit is not what was meant. */
HK_RC_SELDOM void hk_rc_fail_cycles(hk_rc_trouble *t, double h, double cycle) {
    char words[200];
    snprintf(words, sizeof words, "a step of %g s has more than %d cycles, which take %g s each", h,
             HK_RC_CYCLES, cycle);
    hk_rc_fail(t, HK_AT(0, 0), words);
}

/* How many begin in the step; as a rule it is one, and the step is as long as that. */
static inline int64_t hk_rc_cycles_in(hk_rc_trouble *trouble, hk_rc_time *time, double t,
                                      double h) {
    double end = t + h;
    int64_t from = time->begun, to = from + 1;
    if (!(t == time->end && fabs(end - time->next) <= time->near && to < 100000000)) {
        from = t == time->end ? from : hk_rc_cycles_before(time, t);
        to = hk_rc_cycles_before(time, end);
        if (to - from > HK_RC_CYCLES || to == INT64_MAX) {
            hk_rc_fail_cycles(trouble, h, time->cycle);
            return 0;
        }
        time->most = to - from > time->most ? to - from : time->most;
    }
    time->end = end;
    time->begun = to;
    time->next = time->start + (double)(to + 1) * time->cycle;
    return to - from;
}

/* What a user should know when a run has ended; NULL: nothing. */
HK_RC_SELDOM const char *hk_rc_remark(hk_rc_trouble *t, hk_rc_time *time) {
    size_t used = strlen(t->remark);
    if (time->most > 1)
        snprintf(
            t->remark + used, sizeof t->remark - used,
            "%ssteps are longer than a cycle: up to %lld cycles ran in one, and only the first "
            "saw the inputs",
            used ? "; " : "", (long long)time->most);
    time->most = 0; /* it is told once */
    return t->remark[0] ? t->remark : NULL;
}

/* ---- events, operations, transitions */

/* An event of the platform is there: by its level, or if its input rises. */
static inline bool hk_rc_comes(double input, bool edge, bool *before) {
    bool high = input >= 0.5, comes = high & !(*before & edge);
    *before = high;
    return comes;
}

/* What is emitted once in a cycle at most. */
static inline void hk_rc_once(hk_rc_trouble *t, int64_t *last, int64_t cycle, const char *what,
                              const char *name, hk_rc_at at) {
    if (*last == cycle)
        hk_rc_fail_twice(t, at, what, name, cycle);
    *last = cycle;
}

/* A transition is taken; false: it must not be. */
static inline bool hk_rc_fires(hk_rc_trouble *t, int64_t *fired, int64_t cycle, hk_rc_at at) {
    if (++*fired > HK_RC_FIRINGS)
        hk_rc_fail_cycle(t, at, "no progress", cycle, ": more than 1000 transitions");
    return !t->failed;
}

/* A transition is enabled: the first one is taken. */
static inline void hk_rc_may(int64_t *way, int64_t *other, bool *any, int64_t transition) {
    int64_t *to = *way ? other : way;
    *to = *to ? *to : transition;
    *any = true;
}

/* A value from outside that its type does not have. */
static inline void hk_rc_range(hk_rc_trouble *t, int64_t value, int64_t least, int64_t most,
                               hk_rc_at at, const char *what) {
    char words[200];
    if (value >= least && value <= most)
        return;
    snprintf(words, sizeof words, "%lld %s", (long long)value, what);
    hk_rc_fail(t, at, words);
}

/* ---- chance */

static inline double hk_rc_probability(hk_rc_trouble *t, double p, hk_rc_at at) {
    if (!(p >= 0 && p <= 1))
        hk_rc_fail_number(t, at, p, "is not a probability");
    return p;
}

static inline bool hk_rc_sum_is_1(hk_rc_trouble *t, const double *p, int count, const char *name,
                                  hk_rc_at at) {
    char words[200];
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum += p[i];
    if (!(fabs(sum - 1) <= 1e-9)) {
        snprintf(words, sizeof words,
                 "the probabilities of the ways out of '%s' have the sum %.9g, not 1", name, sum);
        hk_rc_fail(t, at, words);
    }
    return !t->failed;
}

/* By cumulative sums; UNIFORM is in [0, 1). */
static inline int hk_rc_weighted(const double *p, int count, double uniform) {
    double sum = 0;
    int last = 0;
    for (int i = 0; i < count; i++) {
        sum += p[i];
        if (p[i] > 0)
            last = i;
        if (uniform < sum)
            return last;
    }
    return last;
}

/* wait([from, to]): any whole number of time units. */
typedef struct hk_rc_span {
    double from, to;
} hk_rc_span;

static inline bool hk_rc_span_is_good(hk_rc_trouble *t, hk_rc_span span, double cycle,
                                      hk_rc_at at) {
    char words[200];
    if (!(span.from >= 0 && span.to >= span.from && span.to / cycle < UINT32_MAX)) {
        snprintf(words, sizeof words, "no whole number of time units is from %g to %g", span.from,
                 span.to);
        hk_rc_fail(t, at, words);
    }
    return !t->failed;
}

static inline int64_t hk_rc_span_cycles(hk_rc_span span, double cycle, double uniform) {
    uint64_t count = (uint64_t)(span.to - span.from) + 1;
    uint64_t drawn = (uint64_t)(uniform * (double)count);
    drawn = drawn < count ? drawn : count - 1;
    return (int64_t)ceil((span.from + (double)drawn) / cycle - 1e-9);
}

#ifdef __cplusplus
}
#endif
#endif
