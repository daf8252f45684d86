/* SPDX-License-Identifier: MIT
 *
 * The components of a plugin with a witness: they do what they do, and each tells on standard error
 * when it is initialized, stopped and started, when its first step begins, and when and after what
 * it ends. Times are in ms. */
#include "auv.h"

#include <assert.h>

#include <stdio.h>

/* The types of the plugin, whose list is compiled with this name. */
const hk_unit_type *const *hk_witnessed_types(void);

/* Kept behind the struct of the component. */
typedef struct diary {
    int64_t steps, until; /* until: the end of the last step */
} diary;

static const hk_unit_type *origin(size_t i) {
    return hk_witnessed_types()[i];
}

static size_t diary_offset(size_t i) {
    return (origin(i)->instance_size + 15) / 16 * 16;
}

static diary *diary_of(size_t i, void *self) {
    return (diary *)(void *)((char *)self + diary_offset(i));
}

static long long ms(double t) {
    return (long long)(1e3 * t + 0.5);
}

static void tell(size_t i, const char *what, double t) {
    (void)fprintf(stderr, "witness %s %s %lld\n", origin(i)->name, what, ms(t));
}

static int init(size_t i, void *self, double t) {
    tell(i, "initialize", t);
    return origin(i)->init ? origin(i)->init(self, t) : HK_STEP_OK;
}

static int step(size_t i, void *self, double t, double h) {
    diary *d = diary_of(i, self);
    if (!d->steps++)
        tell(i, "step", t);
    d->until = ms(t + h);
    return origin(i)->step(self, t, h);
}

static int start(size_t i, void *self, double t) {
    tell(i, "start", t);
    return origin(i)->start ? origin(i)->start(self, t) : HK_STEP_OK;
}

static int stop(size_t i, void *self, double t) {
    tell(i, "stop", t);
    return origin(i)->stop ? origin(i)->stop(self, t) : HK_STEP_OK;
}

static void end(size_t i, void *self) {
    const diary *d = diary_of(i, self);
    (void)fprintf(stderr, "witness %s end %lld %lld\n", origin(i)->name, (long long)d->until,
                  (long long)d->steps);
    if (origin(i)->end)
        origin(i)->end(self);
}

/* A function of a component is not told its type, so each type has functions of its own. */
#define TEN_TYPES(X, ten)                                                                          \
    X(ten##0)                                                                                      \
    X(ten##1) X(ten##2) X(ten##3) X(ten##4) X(ten##5) X(ten##6) X(ten##7) X(ten##8) X(ten##9)
#define EACH_TYPE(X) TEN_TYPES(X, ) TEN_TYPES(X, 1) TEN_TYPES(X, 2) TEN_TYPES(X, 3) TEN_TYPES(X, 4)

#define FUNCTIONS(i)                                                                               \
    static int init_##i(void *self, double t) {                                                    \
        return init(i, self, t);                                                                   \
    }                                                                                              \
    static int step_##i(void *self, double t, double h) {                                          \
        return step(i, self, t, h);                                                                \
    }                                                                                              \
    static int start_##i(void *self, double t) {                                                   \
        return start(i, self, t);                                                                  \
    }                                                                                              \
    static int stop_##i(void *self, double t) {                                                    \
        return stop(i, self, t);                                                                   \
    }                                                                                              \
    static void end_##i(void *self) {                                                              \
        end(i, self);                                                                              \
    }
EACH_TYPE(FUNCTIONS)

#define ROW(i)                                                                                     \
    {.init = init_##i, .step = step_##i, .start = start_##i, .stop = stop_##i, .end = end_##i},
static const hk_unit_type lives[] = {EACH_TYPE(ROW)};
static hk_unit_type types[COUNT(lives)];
static const hk_unit_type *all[COUNT(lives) + 1];

const hk_unit_type *const *hk_plugin(void) {
    for (size_t i = 0; origin(i); i++) {
        assert(i < COUNT(lives));
        types[i] = *origin(i);
        types[i].instance_size = diary_offset(i) + sizeof(diary);
        types[i].init = lives[i].init;
        types[i].step = lives[i].step;
        types[i].start = lives[i].start;
        types[i].stop = lives[i].stop;
        types[i].end = lives[i].end;
        all[i] = &types[i];
    }
    return all;
}
