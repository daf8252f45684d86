/* SPDX-License-Identifier: MIT */
#include "engine/looks.h"

#include "base/search.h"
#include "engine/still.h"

#include <stdlib.h>

/* A number that must be finite after the steps of a voice. */
typedef struct number {
    const double *at;
    size_t voice;
    bool asked; /* who has it provides a service: others may see it before a copy does */
    bool taken; /* a copy looks at it */
} number;

typedef struct numbers {
    number *all; /* by address */
    size_t count;
} numbers;

static int by_address(const void *a, const void *b) {
    const number *x = a;
    const number *y = b;
    return x->at < y->at ? -1 : x->at > y->at;
}

static void collect(const hk_sim *sim, const hk_burst_score *s, numbers *to) {
    size_t count = 0;
    for (size_t i = 0; i < s->count; i++) {
        const hk_voice *v = &s->voices[i];
        count += (size_t)(v->finite_threes_end - v->finite) * 3 +
                 (size_t)(v->finite_end - v->finite_threes_end);
    }
    to->all = hk_alloc((count + 1) * sizeof *to->all);
    for (size_t i = 0; i < s->count; i++) {
        const hk_voice *v = &s->voices[i];
        for (const double *const *x = v->finite; x < v->finite_end; x++)
            for (size_t k = 0; k < (x < v->finite_threes_end ? 3 : 1); k++)
                to->all[to->count++] =
                    (number){.at = *x + k, .voice = i, .asked = hk_is_asked(sim, *x)};
    }
    qsort(to->all, to->count, sizeof *to->all, by_address);
}

static number *find(const numbers *of, const void *at) {
    size_t i = 0;
    HK_SEARCH(i, of->count, k, (const void *)of->all[k].at < at)
    return i < of->count && (const void *)of->all[i].at == at ? &of->all[i] : NULL;
}

/* A copy of COUNT numbers from FROM on, made before the steps of VOICE. True: it looks at them. */
static bool take(const numbers *of, const void *from, size_t count, size_t voice) {
    bool news = false;
    for (size_t i = 0; i < count; i++) {
        const number *x = find(of, (const double *)from + i);
        if (!x || x->asked || x->voice >= voice)
            return false;
        news = news || !x->taken;
    }
    for (size_t i = 0; i < count && news; i++)
        find(of, (const double *)from + i)->taken = true;
    return news;
}

/* What is left of a voice: three in line, by the first; then single ones. */
static size_t leave(hk_voice *v, const numbers *of, const double **to) {
    size_t n = 0;
    v->left = to;
    for (const double *const *x = v->finite; x < v->finite_threes_end; x++)
        if (!find(of, *x)->taken && !find(of, *x + 1)->taken && !find(of, *x + 2)->taken)
            to[n++] = *x;
    v->left_threes_end = to + n;
    for (const double *const *x = v->finite; x < v->finite_end; x++) {
        size_t count = x < v->finite_threes_end ? 3 : 1;
        bool whole = count == 3 && !find(of, *x)->taken && !find(of, *x + 1)->taken &&
                     !find(of, *x + 2)->taken;
        for (size_t k = 0; k < count && !whole; k++)
            if (!find(of, *x + k)->taken)
                to[n++] = *x + k;
    }
    v->left_end = to + n;
    return n;
}

void hk_looks_share(const hk_sim *sim, hk_burst_score *s) {
    HK_ASSERT(sim && s);
    numbers of = {0};
    collect(sim, s, &of);
    size_t copies = 0, n = 0;
    for (size_t i = 0; i < s->count; i++)
        copies += (size_t)(s->voices[i].bytes_end - s->voices[i].ones);
    s->looked = hk_alloc((copies + 1) * sizeof *s->looked);
    s->looks = hk_alloc((of.count + 1) * sizeof *s->looks);
    for (size_t i = 0; i < s->count; i++) {
        const hk_voice *v = &s->voices[i];
        for (const hk_copy *x = v->ones; x < v->ones_end; x++)
            s->looked[x - s->copies] = take(&of, x->from, 1, i);
        for (const hk_copy *x = v->ones_end; x < v->threes_end; x++)
            s->looked[x - s->copies] = take(&of, (const double *)x->from - 1, 3, i);
    }
    for (size_t i = 0; i < s->count; i++)
        n += leave(&s->voices[i], &of, s->looks + n);
    hk_free(of.all);
}
