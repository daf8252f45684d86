/* SPDX-License-Identifier: MIT */
#include "errors.h"

#include <string.h>

/* ---- terms and presets ---- */

/* Names of the terms that a preset may give, in their order. */
static const char *const term_names[] = {
    "latency",      "period",      "scaleSigma",     "misalignmentSigma",
    "biasSigma",    "markovSigma", "markovTime",     "randomWalk",
    "noiseDensity", "sigma",       "range",          "resolution",
    "dropout",      "outageTime",  "outageInterval", "vertical"};
_Static_assert(ERROR_FIRST_PRESET_TERM + COUNT(term_names) == ERROR_WORDS, "a name for each");
_Static_assert(offsetof(error_terms, latency) == ERROR_FIRST_PRESET_TERM * sizeof(double),
               "it is the first");

static double *word_of(error_terms *terms, size_t i) {
    return (double *)(void *)((char *)terms + (ERROR_FIRST_PRESET_TERM + i) * sizeof(double));
}

static bool is_finite(coordinate3d v) {
    return isfinite(v.x) && isfinite(v.y) && isfinite(v.z);
}

/* USED: what the user has set, and the preset where that is 0; a negative term is none. */
static int merge(error_terms *used, const error_terms *preset, words *why) {
    error_terms given = *preset;
    if (!is_finite(used->scale) || !is_finite(used->misalignment) ||
        !is_finite(used->non_orthogonality) || !is_finite(used->bias) || !is_finite(used->drift))
        return hk_auv_fail(why, "scale, misalignment, nonOrthogonality, bias or drift is not a "
                                "finite number");
    for (size_t i = 0; i < COUNT(term_names); i++) {
        double *term = word_of(used, i);
        if (!isfinite(*term))
            return hk_auv_fail(why, "'%s' is %g, which is not a finite number", term_names[i],
                               *term);
        if (*term == 0)
            *term = *word_of(&given, i);
        else if (*term < 0)
            *term = 0;
    }
    return HK_STEP_OK;
}

/* ---- what follows from them ---- */

static void prepare_matrix(error_model *e, int axes) {
    const error_terms *u = &e->used;
    const double scale[3] = {u->scale.x, u->scale.y, u->scale.z};
    const double m[3] = {u->misalignment.x, u->misalignment.y, u->misalignment.z};
    const double fixed[3][3] = {{0, m[2] + u->non_orthogonality.x, -m[1] + u->non_orthogonality.y},
                                {-m[2], 0, m[0] + u->non_orthogonality.z},
                                {m[1], -m[0], 0}};
    bool any = false;
    for (int i = 0; i < axes; i++)
        for (int j = 0; j < axes; j++) {
            const hk_stream *stream = i == j ? &e->scale : &e->axes;
            double sigma = i == j ? u->scale_sigma : u->misalignment_sigma;
            double drawn = 0;
            if (sigma > 0)
                drawn = sigma * hk_stream_normal(stream, 0, (uint32_t)(i == j ? i : 3 * i + j));
            double error = (i == j ? scale[i] : fixed[i][j]) + drawn;
            e->matrix[i][j] = (i == j) + error;
            any |= error != 0;
        }
    e->has |= any ? ERROR_MATRIX : 0;
}

static void prepare_offset(error_model *e, int axes) {
    const error_terms *u = &e->used;
    const double bias[3] = {u->bias.x, u->bias.y, u->bias.z};
    bool any = false;
    for (int i = 0; i < axes; i++) {
        e->offset[i] = bias[i];
        if (u->bias_sigma > 0)
            e->offset[i] += u->bias_sigma * hk_stream_normal(&e->bias, 0, (uint32_t)i);
        any |= e->offset[i] != 0;
    }
    e->has |= any ? ERROR_OFFSET : 0;
    e->has |= u->drift.x != 0 || u->drift.y != 0 || u->drift.z != 0 ? ERROR_DRIFT : 0;
}

static int prepare_noise(error_model *e, words *why) {
    const error_terms *u = &e->used;
    double dt = e->interval, vertical = u->vertical > 0 ? u->vertical : 1;
    if (u->markov_sigma > 0) {
        if (!(u->markov_time > 0))
            return hk_auv_fail(why, "markovSigma is %g, so markovTime must be above 0",
                               u->markov_sigma);
        e->decay = hk_exp(-dt / u->markov_time);
        e->kick = sqrt(-hk_expm1(-2 * dt / u->markov_time));
        e->markov_vertical = u->markov_sigma * vertical;
        e->has |= ERROR_MARKOV;
    }
    if (u->random_walk > 0) {
        e->walk_kick = sqrt(dt);
        e->has |= ERROR_WALK;
    }
    e->white = sqrt(u->sigma * u->sigma + u->noise_density * u->noise_density / dt);
    e->white_vertical = e->white * vertical;
    e->has |= e->white > 0 ? ERROR_WHITE : 0;
    return HK_STEP_OK;
}

/* An outage is a process in continuous time that goes down at the rate 1 / interval and comes back
 * at 1 / time: what it is one sample later. */
static int prepare_dropout(error_model *e, words *why) {
    const error_terms *u = &e->used;
    e->fails = e->recovers = 0;
    if (u->dropout > 1)
        return hk_auv_fail(why, "dropout is %g: a probability is at most 1", u->dropout);
    if ((u->outage_time > 0) != (u->outage_interval > 0))
        return hk_auv_fail(why, "outageTime is %g s and outageInterval %g s: an outage needs both",
                           u->outage_time, u->outage_interval);
    if (u->outage_time > 0) {
        double down = 1 / u->outage_interval, up = 1 / u->outage_time;
        double changed = -hk_expm1(-(down + up) * e->interval) / (down + up);
        e->fails = down * changed;
        e->recovers = up * changed;
    }
    e->has |= u->dropout > 0 || u->outage_time > 0 ? ERROR_DROPOUT : 0;
    return HK_STEP_OK;
}

static int prepare_anew(error_model *e, const error_kind *kind, double h, words *why) {
    if (e->used.preset < 0 || (uint64_t)e->used.preset >= kind->preset_count)
        return hk_auv_fail(why, "preset is %lld: there are 0 to %zu", (long long)e->used.preset,
                           kind->preset_count - 1);
    if (merge(&e->used, &kind->presets[e->used.preset], why) != HK_STEP_OK)
        return HK_STEP_FAILED;
    /* The last step of a run may be shorter than the others: that is not looked at. */
    if (e->used.latency != e->known_latency && e->used.latency > (ERROR_PAST - 2) * h)
        return hk_auv_fail(why,
                           "a latency of %g s is more than %d steps of %g s, which is what is kept",
                           e->used.latency, ERROR_PAST - 2, h);
    e->interval = e->used.period > h ? e->used.period : h;
    e->has = e->used.range > 0 || e->used.resolution > 0 ? ERROR_LIMITS : 0;
    if (e->used.period != e->known_period)
        e->begun = false;
    e->known_period = e->used.period;
    e->known_latency = e->used.latency;
    prepare_matrix(e, kind->axes);
    prepare_offset(e, kind->axes);
    if (prepare_noise(e, why) != HK_STEP_OK)
        return HK_STEP_FAILED;
    return prepare_dropout(e, why);
}

int hk_errors_prepare(error_model *e, const error_terms *terms, const error_kind *kind, double h,
                      words *why) {
    if (h == e->known_step && memcmp(terms, &e->known, sizeof *terms) == 0)
        return HK_STEP_OK;
    e->known = e->used = *terms;
    e->known_step = h;
    int result = prepare_anew(e, kind, h, why);
    if (result != HK_STEP_OK)
        e->known_step = 0; /* it is wrong the next time as well */
    return result;
}

/* ---- when there is a sample, and of which moment ---- */

/* Several steps make a sample. */
static bool is_mean(const error_model *e, const error_kind *kind) {
    return kind->mean && e->used.period > e->known_step;
}

static double *past_at(error_model *e, uint32_t i) {
    return &e->past[(e->past_first + i) % ERROR_PAST].at;
}

static void remember(error_model *e, const double truth[3], double now) {
    if (e->past_count == ERROR_PAST) {
        e->past_first = (e->past_first + 1) % ERROR_PAST;
        e->past_count--;
    }
    double *row = past_at(e, e->past_count++);
    row[0] = now;
    memcpy(row + 1, truth, 3 * sizeof(double));
}

/* What was true at WHEN, between two moments on a line. */
static bool recall(error_model *e, const error_kind *kind, double when, double ret_value[3]) {
    while (e->past_count > 1 && *past_at(e, 1) <= when) {
        e->past_first = (e->past_first + 1) % ERROR_PAST;
        e->past_count--;
    }
    const double *a = past_at(e, 0);
    /* Times are sums of steps: what differs in the last digits is the same moment. */
    if (a[0] > when + 1e-9 * e->known_step)
        return false;
    const double *b = e->past_count > 1 ? past_at(e, 1) : a;
    double part = b[0] > a[0] && when > a[0] ? (when - a[0]) / (b[0] - a[0]) : 0;
    for (int i = 0; i < 3; i++) {
        double change = b[i + 1] - a[i + 1];
        ret_value[i] = a[i + 1];
        if (part > 0 && change != 0)
            ret_value[i] += part * (kind->angle ? remainder(change, 2 * PI) : change);
    }
    return true;
}

/* Samples are a period apart, counted from the first: a sum would drift. A mean is there when a
 * period is over, counted from the beginning of what is summed up. */
static bool is_due(error_model *e, const error_kind *kind, double now) {
    double period = e->used.period;
    if (!e->begun) {
        e->begun = true;
        e->first = e->next = now;
        if (is_mean(e, kind)) {
            e->first -= e->summed;
            e->next = e->first + (1 - 1e-6) * period;
        }
    }
    if (now < e->next)
        return false;
    e->next = now;
    if (period > e->known_step)
        e->next = e->first + (floor((now - e->first) / period + 1e-6) + 1 - 1e-6) * period;
    e->wake = e->used.latency > 0 ? now : e->next;
    return true;
}

/* ---- means ---- */

void hk_errors_gather(error_model *e, const double truth[3], double now, double h) {
    if (now - h > e->until + 0.5 * h) { /* it was stopped in between: what was before is over */
        e->summed = 0;
        e->sum[0] = e->sum[1] = e->sum[2] = 0;
    }
    for (int i = 0; i < 3; i++)
        e->sum[i] += h * truth[i];
    e->summed += h;
    e->until = now;
}

/* VALUE, the mean over the step before NOW, becomes that over all since the last sample. */
static bool take_mean(error_model *e, const error_kind *kind, double now, double value[3]) {
    hk_errors_gather(e, value, now, e->known_step);
    if (!is_due(e, kind, now))
        return false;
    for (int i = 0; i < 3; i++) {
        value[i] = e->sum[i] / e->summed;
        e->sum[i] = 0;
    }
    e->summed = 0;
    return true;
}

bool hk_errors_sample(error_model *e, const error_kind *kind, const double truth[3], double now,
                      double ret_value[3], double *ret_stamp) {
    double latency = e->used.latency;
    *ret_stamp = now - latency;
    if (latency == 0) {
        memcpy(ret_value, truth, 3 * sizeof(double));
        e->past_count = 0;
        return is_mean(e, kind) ? take_mean(e, kind, now, ret_value) : is_due(e, kind, now);
    }
    remember(e, truth, now);
    /* A line between the means of two steps is the mean over a step that ends between them. */
    if (is_mean(e, kind))
        return recall(e, kind, now - latency, ret_value) && take_mean(e, kind, now, ret_value);
    return is_due(e, kind, now) && recall(e, kind, now - latency, ret_value);
}

/* ---- the terms ---- */

static void apply_matrix(const error_model *e, int axes, double value[3]) {
    double x[3] = {value[0], value[1], value[2]};
    for (int i = 0; i < axes; i++) {
        value[i] = e->matrix[i][0] * x[0];
        for (int j = 1; j < axes; j++)
            value[i] += e->matrix[i][j] * x[j];
    }
}

static void apply_markov(error_model *e, int axes, double value[3]) {
    for (int i = 0; i < axes; i++) {
        e->wander[i] =
            e->wandering
                ? e->decay * e->wander[i] +
                      e->kick * hk_stream_normal(&e->markov, e->number, (uint32_t)i)
                : hk_stream_normal(&e->markov, 0, (uint32_t)i); /* as if it had always run */
        value[i] += (i == 2 ? e->markov_vertical : e->used.markov_sigma) * e->wander[i];
    }
    e->wandering = true;
}

static void apply_walk(error_model *e, int axes, double value[3]) {
    for (int i = 0; i < axes; i++) {
        value[i] += e->used.random_walk * e->walked[i];
        e->walked[i] += e->walk_kick * hk_stream_normal(&e->walk, e->number, (uint32_t)i);
    }
}

static void apply_drift(const error_model *e, int axes, double now, double value[3]) {
    const double drift[3] = {e->used.drift.x, e->used.drift.y, e->used.drift.z};
    for (int i = 0; i < axes; i++)
        value[i] += drift[i] * now;
}

static void apply_limits(const error_model *e, int axes, double value[3]) {
    double range = e->used.range, resolution = e->used.resolution;
    for (int i = 0; i < axes; i++) {
        if (range > 0)
            value[i] = fmin(fmax(value[i], -range), range);
        if (resolution > 0)
            value[i] = resolution * round(value[i] / resolution);
    }
}

static bool is_lost(error_model *e) {
    if (e->used.outage_time > 0 &&
        hk_stream_uniform(&e->dropout, e->number, 1) < (e->failing ? e->recovers : e->fails))
        e->failing = !e->failing;
    return e->failing ||
           (e->used.dropout > 0 && hk_stream_uniform(&e->dropout, e->number, 0) < e->used.dropout);
}

bool hk_errors_apply(error_model *e, const error_kind *kind, double now, double value[3]) {
    int axes = kind->axes;
    if (e->has & ERROR_MATRIX)
        apply_matrix(e, axes, value);
    if (e->has & ERROR_OFFSET)
        for (int i = 0; i < axes; i++)
            value[i] += e->offset[i];
    if (e->has & ERROR_MARKOV)
        apply_markov(e, axes, value);
    if (e->has & ERROR_WALK)
        apply_walk(e, axes, value);
    if (e->has & ERROR_DRIFT)
        apply_drift(e, axes, now, value);
    if (e->has & ERROR_WHITE)
        for (int i = 0; i < axes; i++)
            value[i] += (i == 2 ? e->white_vertical : e->white) *
                        hk_stream_normal(&e->noise, e->number, (uint32_t)i);
    if (e->has & ERROR_LIMITS)
        apply_limits(e, axes, value);
    return !(e->has & ERROR_DROPOUT) || !is_lost(e);
}

int hk_errors_measure(error_model *e, const error_terms *terms, const error_kind *kind, double h,
                      error_sample *sample, words *why) {
    double now = sample->at;
    const double truth[3] = {sample->value[0], sample->value[1], sample->value[2]};
    if (hk_errors_prepare(e, terms, kind, h, why) != HK_STEP_OK)
        return -1;
    if (!hk_errors_sample(e, kind, truth, now, sample->value, &sample->at))
        return 0;
    return hk_errors_apply(e, kind, now, sample->value) ? 1 : 2;
}
