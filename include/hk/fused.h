/* SPDX-License-Identifier: MIT
 *
 * What emitted C is written in: docs/fused.md. A file of a cell consists of statements like
 * HK_COPY(s->wheel.force, s->road.force), which are macros. Where the file is compiled as it is,
 * they do what they say. Where it is compiled with HK_FUSED_SAYS, they write down what they would
 * do, and the engine compares that, entry by entry, with what it would do itself: a cell runs fused
 * if and only if both are the same.
 *
 * The engine and a library must agree about all structs here: HK_FUSED_ABI changes with them. */
#ifndef HK_FUSED_H
#define HK_FUSED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define HK_FUSED_ABI 2

/* ---- what engine and library share ---- */

/* What a step says beside its status, as the engine has it. */
typedef struct hk_fused_report {
    unsigned char event_needed, terminate, early;
    double last_time;
} hk_fused_report;

/* A call through a pointer, with its arguments: one line of the cache. It begins with what the
 * guard looks at while the call lasts. */
typedef struct hk_fused_line {
    const char *name;
    uint32_t component;
    union {
        int (*refs)(void *self, const uint32_t *refs, size_t n, void *values);
        int (*sized)(void *self, const uint32_t *refs, size_t n, void *values, size_t count);
        int (*plain)(void *self, double t, double h);
        int (*flagged)(void *self, double t, double h, int flag);
        int (*reported)(void *self, double t, double h, bool flag, bool *event_needed,
                        bool *terminate, bool *early, double *last_time);
    } fn;
    void *self;
    const uint32_t *refs;
    size_t n; /* of refs; steps: the flag */
    hk_fused_report *report;
    size_t value_count;
} hk_fused_line;

/* A conversion: data, since a compiler that knew the numbers might round them elsewhere. */
typedef struct hk_fused_factor {
    double factor, offset;
} hk_fused_factor;

/* The monitor's own clock: when a rate is next, and by how much it steps. */
typedef struct hk_fused_due {
    int64_t tick;
    double seconds, h;
} hk_fused_due;

/* What the memory of a system begins with. Filled in by the engine. */
typedef struct hk_fused_head {
    uint64_t done;              /* what the cells have added since the engine looked */
    int64_t now;                /* the instant, in ticks */
    const void **at;            /* the call in progress, for the guard */
    const hk_fused_line *lines; /* by number of the call */
    void *block;                /* what lies outside of native components */
    const hk_fused_factor *factors;
    void *const *far;               /* what lies in neither */
    int64_t *const *last;           /* per cell: its newest activation */
    const hk_fused_due *const *due; /* per rate */
    const double *h;                /* per rate: the length of its steps */
    void *sim;                      /* for the functions below, which say whether to go on */
    bool (*failed_step)(void *sim, const hk_fused_line *line, int code, double t, double h);
    bool (*failed_call)(void *sim, const hk_fused_line *line, int code);
    bool (*general)(void *sim, uint32_t connection);
    bool (*rest)(void *sim, uint32_t cell);
    bool (*not_finite)(void *sim, uint32_t cell);
    bool (*not_due)(void *sim, uint32_t cell, double t, double h);
} hk_fused_head;

enum {
    HK_FUSED_HEAD = 256, /* bytes before the first component */
    HK_FUSED_ALIGN = 64  /* every component begins at a multiple of this */
};
#ifndef __cplusplus /* C++ may read this file; what is emitted is C */
_Static_assert(sizeof(hk_fused_head) <= HK_FUSED_HEAD, "the head has its place");
#endif

/* One statement, written down. */
typedef enum hk_fused_kind {
    HK_SAID_COPY8,
    HK_SAID_COPY4,
    HK_SAID_COPIES,
    HK_SAID_LINEAR,
    HK_SAID_GENERAL,
    HK_SAID_SET,
    HK_SAID_BOUND,
    HK_SAID_STEP,
    HK_SAID_GET,
    HK_SAID_FINITE,
    HK_SAID_REST,
    HK_SAID_DUE,
    HK_SAID_GIVEN,
    HK_SAID_TURN, /* in an instant: a part of a cell, or (HK_FUSED_PARTS) all of one */
    HK_SAID_KINDS
} hk_fused_kind;

/* The three parts of a cell: what is due together takes all its values before it steps, and steps
 * before it gives its values away. */
typedef enum hk_fused_part {
    HK_FUSED_TAKE,
    HK_FUSED_STEP,
    HK_FUSED_GIVE,
    HK_FUSED_PARTS
} hk_fused_part;

typedef struct hk_fused_said {
    hk_fused_kind kind;
    hk_fused_part part;
    uint32_t number; /* of the call, factor, connection, service or cell */
    size_t count; /* COPIES: bytes; FINITE: doubles; SET, GET, STEP: the shape of the call; DUE: the
                     rate */
    const void *from; /* COPY, LINEAR: source; STEP: the component; FINITE: the first; BOUND: the
                         provider */
    const void *to;   /* COPY, LINEAR: target; SET, GET: values; BOUND: the binding */
    const char *call; /* STEP: the function that is called by name; NULL: through its pointer */
} hk_fused_said;

typedef struct hk_fused_writer {
    hk_fused_said *all;
    size_t count, cap; /* what is beyond CAP is counted, and not written */
} hk_fused_writer;

typedef bool hk_fused_fn(void *system, double t, double h);

typedef struct hk_fused_cell {
    uint32_t rate, level;
    hk_fused_fn *run;                   /* all parts */
    hk_fused_fn *parts[HK_FUSED_PARTS]; /* NULL: never due together with others of its level */
    void (*says)(void *system, hk_fused_writer *to);
} hk_fused_cell;

/* All that is done when certain rates are due together, as one function. */
typedef struct hk_fused_instant {
    uint64_t rates; /* a bit for each */
    hk_fused_fn *run;
    void (*says)(void *system, hk_fused_writer *to);
} hk_fused_instant;

/* A function of a leaf that is called by its name. */
typedef struct hk_fused_leaf {
    const char *call, *type; /* the name; of which type of component it is */
    int (*step)(void *self, double t, double h);
} hk_fused_leaf;

typedef struct hk_fused_library {
    uint32_t abi;
    uint32_t cell_count, rate_count, line_count, factor_count, far_count, leaf_count, instant_count;
    const char *system;      /* its name */
    uint64_t layout;         /* what lies where in the components */
    uint64_t slots;          /* and outside of them, which depends on what is recorded */
    size_t size, block_size; /* of the system with its head; of the block */
    const hk_fused_cell *cells;
    hk_fused_fn *const *rates; /* all cells of a rate in a row */
    const hk_fused_leaf *leaves;
    const hk_fused_instant *instants; /* of those due sets that are worth a function */
} hk_fused_library;

/* The symbol that a library exports: const hk_fused_library hk_fused. */
#define HK_FUSED_SYMBOL "hk_fused"
/* Texts that it may export: which compiler has made it, and with which flags. */
#define HK_FUSED_COMPILER "hk_fused_compiler"
#define HK_FUSED_FLAGS    "hk_fused_flags"

/* What a part of a cell adds to `done` when it has come to its end. */
#define HK_FUSED_DONE(cell, part)                                                                  \
    (((uint64_t)(cell)*HK_FUSED_PARTS + (uint64_t)(part) + 1) * UINT64_C(0x9E3779B97F4A7C15))
#define HK_FUSED_ALL_DONE(cell)                                                                    \
    (HK_FUSED_DONE(cell, 0) + HK_FUSED_DONE(cell, 1) + HK_FUSED_DONE(cell, 2))

/* ---- what emitted files are made of ---- */

/* Structs that describe memory which leaves know by types of their own. */
#define HK_FUSED_DATA __attribute__((may_alias))
#define HK_RARELY(x)  __builtin_expect(!!(x), 0)
#define HK_UNUSED     __attribute__((unused))

/* How functions of cells are seen from other files of the library. */
#ifndef HK_FUSED_LINKAGE
#define HK_FUSED_LINKAGE __attribute__((visibility("hidden")))
#endif
#ifndef HK_FUSED_NAME
#define HK_FUSED_NAME hk_fused
#endif

/* A value that is not a member of a struct: at BYTES behind the beginning of PLACE. */
#define HK_INSIDE(type, place, bytes)                                                              \
    (*(type HK_FUSED_DATA *)(void *)((char *)(void *)&(place) + (bytes)))
#define HK_FAR(type, number) (*(type HK_FUSED_DATA *)s->hk.far[number])

/* What lies where is what the engine knows. */
#define HK_PLACED(type, member, bytes)                                                             \
    _Static_assert(offsetof(type, member) == (bytes), "the place of " #member)
#define HK_SIZED(type, bytes) _Static_assert(sizeof(type) == (bytes), "the size of " #type)

#define HK_SAME_SIZE(to, from, bytes)                                                              \
    _Static_assert(sizeof(to) == (bytes) && sizeof(from) == (bytes), "values of one size")

/* The binding in the struct of a component that requires an interface. */
typedef struct hk_fused_binding {
    void *self;
    const void *functions;
} HK_FUSED_DATA hk_fused_binding;

/* Who sees the call in progress sees what it is, too. */
static inline void hk_fused_mark(const void **at, const hk_fused_line *call) {
    __atomic_store_n(at, (const void *)call, __ATOMIC_RELEASE);
}

/* What is looked at is multiplied with: zero times a number is zero, except for NaN and infinities:
 * then it is NaN, and stays it. Several products, since each waits for what it had before. */
enum { HK_FUSED_LOOKS = 4 };

static inline bool hk_fused_strange(const double look[HK_FUSED_LOOKS]) {
    double sum = (look[0] + look[1]) + (look[2] + look[3]);
    return sum != sum;
}

static inline bool hk_fused_is_due(const hk_fused_due *due, double t, double h) {
    uint64_t is[2], must[2];
    __builtin_memcpy(&is[0], &t, sizeof t);
    __builtin_memcpy(&is[1], &h, sizeof h);
    __builtin_memcpy(&must[0], &due->seconds, sizeof due->seconds);
    __builtin_memcpy(&must[1], &due->h, sizeof due->h);
    return ((is[0] ^ must[0]) | (is[1] ^ must[1])) == 0;
}

static inline void hk_fused_write(hk_fused_writer *to, hk_fused_said said) {
    if (to->count < to->cap)
        to->all[to->count] = said;
    to->count++;
}

/* How the table of a library names a cell. */
#define HK_CELL_DECLARED(name)                                                                     \
    HK_FUSED_LINKAGE hk_fused_fn name;                                                             \
    HK_FUSED_LINKAGE void name##_says(void *memory, hk_fused_writer *to)
#define HK_CELL_DECLARED_IN_PARTS(name)                                                            \
    HK_FUSED_LINKAGE hk_fused_fn name##_take, name##_step, name##_give;                            \
    HK_CELL_DECLARED(name)
#define HK_INSTANT_DECLARED(name)                                                                  \
    HK_FUSED_LINKAGE hk_fused_fn name;                                                             \
    HK_FUSED_LINKAGE void name##_says(void *memory, hk_fused_writer *to)
#define HK_CELL_ENTRY(name, rate_, level_)                                                         \
    { .rate = (rate_), .level = (level_), .run = name, .says = name##_says }
#define HK_CELL_ENTRY_IN_PARTS(name, rate_, level_)                                                \
    {                                                                                              \
        .rate = (rate_), .level = (level_), .run = name,                                           \
        .parts = {name##_take, name##_step, name##_give}, .says = name##_says                      \
    }

#ifdef __cplusplus
}
#endif
#endif

/* From here on the statements. They are defined anew each time this file is included, so that one
 * file can hold cells that do and cells that say. */
#undef HK_PART
#undef HK_SAY
#undef HK_COPY
#undef HK_COPY4
#undef HK_COPIES
#undef HK_ALONE
#undef HK_LINEAR
#undef HK_GENERAL
#undef HK_CALLED
#undef HK_BY_REFS
#undef HK_BY_SIZED
#undef HK_SET
#undef HK_SET_SIZED
#undef HK_GET
#undef HK_GET_SIZED
#undef HK_BOUND
#undef HK_BOUND_KEPT
#undef HK_BOUND_NOBODY
#undef HK_STEP
#undef HK_STEPPED
#undef HK_STEP_BOUND
#undef HK_STEP_PLAIN
#undef HK_STEP_FLAGGED
#undef HK_STEP_REPORTED
#undef HK_DUE
#undef HK_LOOK_BEGIN
#undef HK_LOOK
#undef HK_REST
#undef HK_GIVEN
#undef HK_PART_END
#undef HK_CELL
#undef HK_CELL_BEGIN
#undef HK_CELL_PART
#undef HK_CELL_IN_PARTS
#undef HK_INSTANT
#undef HK_INSTANT_BEGIN
#undef HK_RATE
#undef HK_INSTANT_END
#undef HK_TURN
#undef HK_ALL
#undef HK_TAKE
#undef HK_ACT
#undef HK_GIVE

#ifdef HK_FUSED_SAYS

/* ---- the statements, written down ---- */

#define HK_PART(name)                                                                              \
    static void name##_says(hk_system *s HK_UNUSED, hk_block *b HK_UNUSED,                         \
                            hk_fused_part part HK_UNUSED, hk_fused_writer *to HK_UNUSED)
#define HK_SAY(...) hk_fused_write(to, (hk_fused_said){.part = part, __VA_ARGS__})

#define HK_COPY(target, source)  HK_SAY(.kind = HK_SAID_COPY8, .from = &(source), .to = &(target))
#define HK_COPY4(target, source) HK_SAY(.kind = HK_SAID_COPY4, .from = &(source), .to = &(target))
#define HK_LINEAR(target, source, which)                                                           \
    HK_SAY(.kind = HK_SAID_LINEAR, .number = (which), .from = &(source), .to = &(target))
#define HK_COPIES(target, source, bytes)                                                           \
    HK_SAY(.kind = HK_SAID_COPIES, .count = (bytes), .from = &(source), .to = &(target))
#define HK_GENERAL(connection) HK_SAY(.kind = HK_SAID_GENERAL, .number = (connection))
#define HK_SET(line, values)   HK_SAY(.kind = HK_SAID_SET, .number = (line), .to = &(values))
#define HK_SET_SIZED(line, values)                                                                 \
    HK_SAY(.kind = HK_SAID_SET, .number = (line), .count = 1, .to = &(values))
#define HK_GET(line, values) HK_SAY(.kind = HK_SAID_GET, .number = (line), .to = &(values))
#define HK_GET_SIZED(line, values)                                                                 \
    HK_SAY(.kind = HK_SAID_GET, .number = (line), .count = 1, .to = &(values))
#define HK_BOUND(binding, provider, service, functions)                                            \
    HK_SAY(.kind = HK_SAID_BOUND, .number = (service), .from = &(provider), .to = &(binding))
#define HK_BOUND_KEPT HK_BOUND
#define HK_BOUND_NOBODY(binding, service)                                                          \
    HK_SAY(.kind = HK_SAID_BOUND, .number = (service), .to = &(binding))
#define HK_STEP(line, component, call_)                                                            \
    HK_SAY(.kind = HK_SAID_STEP, .number = (line), .from = &(component), .call = #call_)
#define HK_STEP_BOUND(line, component, call, ...)                                                  \
    do {                                                                                           \
        __VA_ARGS__ HK_STEP(line, component, call);                                                \
    } while (0)
#define HK_STEP_PLAIN(line)    HK_SAY(.kind = HK_SAID_STEP, .number = (line))
#define HK_STEP_FLAGGED(line)  HK_SAY(.kind = HK_SAID_STEP, .number = (line), .count = 1)
#define HK_STEP_REPORTED(line) HK_SAY(.kind = HK_SAID_STEP, .number = (line), .count = 2)
#define HK_DUE(cell, rate)     HK_SAY(.kind = HK_SAID_DUE, .number = (cell), .count = (rate))
#define HK_LOOK_BEGIN          ((void)0)
#define HK_LOOK(first, many)   HK_SAY(.kind = HK_SAID_FINITE, .from = &(first), .count = (many))
#define HK_REST(cell)          HK_SAY(.kind = HK_SAID_REST, .number = (cell))
#define HK_GIVEN(cell)         HK_SAY(.kind = HK_SAID_GIVEN, .number = (cell))
#define HK_PART_END            return

#define HK_CELL(name, number)                                                                      \
    HK_FUSED_LINKAGE void name##_says(void *memory, hk_fused_writer *to);                          \
    HK_FUSED_LINKAGE void name##_says(void *memory, hk_fused_writer *to) {                         \
        hk_system *s = memory;                                                                     \
        hk_block *b = s->hk.block;                                                                 \
        name##_take_says(s, b, HK_FUSED_TAKE, to);                                                 \
        name##_step_says(s, b, HK_FUSED_STEP, to);                                                 \
        name##_give_says(s, b, HK_FUSED_GIVE, to);                                                 \
    }
#define HK_CELL_IN_PARTS HK_CELL

#define HK_INSTANT(name)                                                                           \
    HK_FUSED_LINKAGE void name##_says(void *memory, hk_fused_writer *to);                          \
    HK_FUSED_LINKAGE void name##_says(void *memory HK_UNUSED, hk_fused_writer *to)
#define HK_INSTANT_BEGIN ((void)0)
#define HK_RATE(cell, rate)                                                                        \
    hk_fused_write(to, (hk_fused_said){.kind = HK_SAID_DUE, .number = (cell), .count = (rate)})
#define HK_TURN(cell, rate, which)                                                                 \
    hk_fused_write(                                                                                \
        to,                                                                                        \
        (hk_fused_said){.kind = HK_SAID_TURN, .part = (which), .number = (cell), .count = (rate)})
#define HK_ALL(name, cell, rate)  HK_TURN(cell, rate, HK_FUSED_PARTS)
#define HK_TAKE(name, cell, rate) HK_TURN(cell, rate, HK_FUSED_TAKE)
#define HK_ACT(name, cell, rate)  HK_TURN(cell, rate, HK_FUSED_STEP)
#define HK_GIVE(name, cell, rate) HK_TURN(cell, rate, HK_FUSED_GIVE)
#define HK_INSTANT_END            ((void)0)

#else

/* ---- the statements, done ---- */

/* X, the lines, and AT stay in registers where S would have to be asked after every call. */
#define HK_PART(name)                                                                              \
    static inline __attribute__((always_inline)) bool name##_part(                                 \
        hk_system *s HK_UNUSED, hk_block *b HK_UNUSED, const hk_fused_line *x HK_UNUSED,           \
        const void **at HK_UNUSED, int64_t *const *last HK_UNUSED, int64_t now HK_UNUSED,          \
        double t HK_UNUSED, double h HK_UNUSED)

/* Two copies are not made one of twice the width: what a step has just stored in halves has to be
 * in the cache before a wide load sees it, which takes longer than all other copies of a cell. */
#if defined(__x86_64__)
#define HK_ALONE(value) __asm__("" : "+x"(value))
#elif defined(__aarch64__)
#define HK_ALONE(value) __asm__("" : "+w"(value))
#else
#define HK_ALONE(value) ((void)0)
#endif
#define HK_COPY4(target, source)                                                                   \
    do {                                                                                           \
        HK_SAME_SIZE(target, source, 4);                                                           \
        __builtin_memcpy(&(target), &(source), 4);                                                 \
    } while (0)
#define HK_COPY(target, source)                                                                    \
    do {                                                                                           \
        double value;                                                                              \
        HK_SAME_SIZE(target, source, sizeof value);                                                \
        __builtin_memcpy(&value, &(source), sizeof value);                                         \
        HK_ALONE(value);                                                                           \
        __builtin_memcpy(&(target), &value, sizeof value);                                         \
    } while (0)
#define HK_COPIES(target, source, bytes) __builtin_memcpy(&(target), &(source), (bytes))
#define HK_LINEAR(target, source, which)                                                           \
    ((target) = s->hk.factors[which].factor * (source) + s->hk.factors[which].offset)
#define HK_GENERAL(connection)                                                                     \
    do {                                                                                           \
        if (HK_RARELY(!s->hk.general(s->hk.sim, (connection))))                                    \
            return false;                                                                          \
    } while (0)

/* All but OK and Warning is bad; a stranger's library may return any number. */
#define HK_CALLED(line, returned)                                                                  \
    do {                                                                                           \
        hk_fused_mark(at, &x[line]);                                                               \
        int code = (returned);                                                                     \
        if (HK_RARELY((unsigned)code > 1) && !s->hk.failed_call(s->hk.sim, &x[line], code))        \
            return false;                                                                          \
    } while (0)
#define HK_BY_REFS(line, values)                                                                   \
    HK_CALLED(line, x[line].fn.refs(x[line].self, x[line].refs, x[line].n, &(values)))
#define HK_BY_SIZED(line, values)                                                                  \
    HK_CALLED(line, x[line].fn.sized(x[line].self, x[line].refs, x[line].n, &(values),             \
                                     x[line].value_count))
#define HK_SET       HK_BY_REFS
#define HK_SET_SIZED HK_BY_SIZED
#define HK_GET       HK_BY_REFS
#define HK_GET_SIZED HK_BY_SIZED

/* The engine has bound it already; said again, the compiler knows whose functions are called. That
 * it does only if nothing is between this and the step, so it is written as a part of that. */
#define HK_BOUND(binding, provider, service, table)                                                \
    do {                                                                                           \
        (binding).self = &(provider);                                                              \
        (binding).functions = (table);                                                             \
    } while (0)
#define HK_BOUND_KEPT(binding, provider, service, table) ((void)0)
/* Who answers is stopped: a call ends the run. */
#define HK_BOUND_NOBODY(binding, service)                ((void)0)

#define HK_STEPPED(line, is_bad, returned, ...)                                                    \
    do {                                                                                           \
        hk_fused_mark(at, &x[line]);                                                               \
        __VA_ARGS__ int code = (returned);                                                         \
        if (HK_RARELY(is_bad) && !s->hk.failed_step(s->hk.sim, &x[line], code, t, h))              \
            return false;                                                                          \
    } while (0)
#define HK_STEP_BOUND(line, component, call, ...)                                                  \
    HK_STEPPED(line, code != 0, call(&(component), t, h), __VA_ARGS__)
#define HK_STEP(line, component, call) HK_STEPPED(line, code != 0, call(&(component), t, h), )
#define HK_STEP_PLAIN(line)            HK_STEPPED(line, code != 0, x[line].fn.plain(x[line].self, t, h), )
#define HK_STEP_FLAGGED(line)                                                                      \
    HK_STEPPED(line, (unsigned)code > 1, x[line].fn.flagged(x[line].self, t, h, (int)x[line].n), )
#define HK_STEP_REPORTED(line)                                                                     \
    HK_STEPPED(line,                                                                               \
               (unsigned)code > 1 || (x[line].report->terminate | x[line].report->early |          \
                                      x[line].report->event_needed) != 0,                          \
               x[line].fn.reported(x[line].self, t, h, x[line].n != 0,                             \
                                   (bool *)&x[line].report->event_needed,                          \
                                   (bool *)&x[line].report->terminate,                             \
                                   (bool *)&x[line].report->early, &x[line].report->last_time), )

#ifdef HK_FUSED_INSTANT /* all cells of a rate have one time and one length: HK_RATE has looked */
#define HK_DUE(cell, rate) ((void)0)
#else
#define HK_DUE(cell, rate)                                                                         \
    do {                                                                                           \
        if (HK_RARELY(!hk_fused_is_due(s->hk.due[rate], t, h)) &&                                  \
            !s->hk.not_due(s->hk.sim, (cell), t, h))                                               \
            return false;                                                                          \
    } while (0)
#endif

#define HK_LOOK_BEGIN double look[HK_FUSED_LOOKS] = {0}
#define HK_LOOK(first, many)                                                                       \
    do {                                                                                           \
        _Pragma("GCC unroll 16") for (size_t i = 0; i < (many); i++) look[i % HK_FUSED_LOOKS] *=   \
            (&(first))[i];                                                                         \
    } while (0)
#define HK_REST(cell)                                                                              \
    do {                                                                                           \
        if (HK_RARELY(!s->hk.rest(s->hk.sim, (cell))))                                             \
            return false;                                                                          \
    } while (0)
/* The newest activation is this one; what it gives is finite. */
#define HK_GIVEN(cell)                                                                             \
    do {                                                                                           \
        *last[cell] = now;                                                                         \
        if (HK_RARELY(hk_fused_strange(look)) && !s->hk.not_finite(s->hk.sim, (cell)))             \
            return false;                                                                          \
    } while (0)
#define HK_PART_END return true

#define HK_CELL_BEGIN                                                                              \
    hk_system *s = memory;                                                                         \
    hk_block *b = s->hk.block;                                                                     \
    const hk_fused_line *x = s->hk.lines;                                                          \
    const void **at = s->hk.at;                                                                    \
    int64_t *const *last = s->hk.last;                                                             \
    const int64_t now = s->hk.now;
#ifdef HK_FUSED_INSTANT
#define HK_CELL(name, number)          /* its parts are what is needed here */
#define HK_CELL_IN_PARTS(name, number) /* ... */
#else
#define HK_CELL(name, number)                                                                      \
    HK_FUSED_LINKAGE hk_fused_fn name;                                                             \
    HK_FUSED_LINKAGE bool name(void *memory, double t, double h) {                                 \
        HK_CELL_BEGIN                                                                              \
        if (!name##_take_part(s, b, x, at, last, now, t, h) ||                                     \
            !name##_step_part(s, b, x, at, last, now, t, h) ||                                     \
            !name##_give_part(s, b, x, at, last, now, t, h))                                       \
            return false;                                                                          \
        s->hk.done += HK_FUSED_ALL_DONE(number);                                                   \
        return true;                                                                               \
    }
#define HK_CELL_PART(name, which, number, part)                                                    \
    HK_FUSED_LINKAGE hk_fused_fn name##_##which;                                                   \
    HK_FUSED_LINKAGE bool name##_##which(void *memory, double t, double h) {                       \
        HK_CELL_BEGIN                                                                              \
        if (!name##_##which##_part(s, b, x, at, last, now, t, h))                                  \
            return false;                                                                          \
        s->hk.done += HK_FUSED_DONE(number, part);                                                 \
        return true;                                                                               \
    }
/* Where others of its level may be due at the same instant. */
#define HK_CELL_IN_PARTS(name, number)                                                             \
    HK_CELL(name, number)                                                                          \
    HK_CELL_PART(name, take, number, HK_FUSED_TAKE)                                                \
    HK_CELL_PART(name, step, number, HK_FUSED_STEP)                                                \
    HK_CELL_PART(name, give, number, HK_FUSED_GIVE)
#endif

/* Instants: each rate has steps of its own length. What the parts add to `done` is one number. */
#define HK_INSTANT(name)                                                                           \
    HK_FUSED_LINKAGE hk_fused_fn name;                                                             \
    HK_FUSED_LINKAGE bool name(void *memory, double t, double any_h HK_UNUSED)
#define HK_INSTANT_BEGIN                                                                           \
    HK_CELL_BEGIN                                                                                  \
    uint64_t done HK_UNUSED = 0
/* Of each rate, before its first cell. */
#define HK_RATE(cell, rate)                                                                        \
    const double h_##rate = s->hk.h[rate];                                                         \
    do {                                                                                           \
        if (HK_RARELY(!hk_fused_is_due(s->hk.due[rate], t, h_##rate)) &&                           \
            !s->hk.not_due(s->hk.sim, (cell), t, h_##rate))                                        \
            return false;                                                                          \
    } while (0)
#define HK_TURN(call, rate, adds)                                                                  \
    do {                                                                                           \
        if (!call##_part(s, b, x, at, last, now, t, h_##rate))                                     \
            return false;                                                                          \
        done += (adds);                                                                            \
    } while (0)
#define HK_TAKE(name, cell, rate) HK_TURN(name##_take, rate, HK_FUSED_DONE(cell, HK_FUSED_TAKE))
#define HK_ACT(name, cell, rate)  HK_TURN(name##_step, rate, HK_FUSED_DONE(cell, HK_FUSED_STEP))
#define HK_GIVE(name, cell, rate) HK_TURN(name##_give, rate, HK_FUSED_DONE(cell, HK_FUSED_GIVE))
#define HK_ALL(name, cell, rate)                                                                   \
    do {                                                                                           \
        HK_TAKE(name, cell, rate);                                                                 \
        HK_ACT(name, cell, rate);                                                                  \
        HK_GIVE(name, cell, rate);                                                                 \
    } while (0)
#define HK_INSTANT_END                                                                             \
    s->hk.done += done;                                                                            \
    return true

#endif
