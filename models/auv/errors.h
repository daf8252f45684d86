/* SPDX-License-Identifier: MIT
 *
 * The errors of a sensor, one library for all of them, in this order: the value of a moment ago
 * (latency); scale and axes that are not where they should be; bias of this run, bias that wanders
 * (Gauss-Markov), random walk, drift; white noise; saturation; steps of the last digit; samples
 * that do not come.
 *
 *     x = truth(t - latency)
 *     y = (1 + scale + axes) x + bias + markov + walk + drift t + white
 *     y = step * round(clamp(y, range) / step);  a sample that is lost leaves the last one
 *
 * Each term has a stream of random numbers of its own, of which the axis is the index and the count
 * of activations the number, so that one term does not change another. A term that is 0 is that of
 * the preset, the data of a device; a negative one is none, whatever the preset has. */
#ifndef HK_MODELS_ERRORS_H
#define HK_MODELS_ERRORS_H

#include "auv.h"

#include <stdalign.h>
#include <stddef.h>

/* What a user sets, in the unit u of the sensor. All of it is 0 in a sensor without errors, and all
 * are words of 64 bits, so that one look finds that: by twos, which lie as what is allocated does.
 */
typedef struct error_terms {
    alignas(max_align_t) int64_t preset;
    /* As they are, axis by axis. */
    coordinate3d scale;             /* relative */
    coordinate3d misalignment;      /* a small turn of the sensor about its axes, rad */
    coordinate3d non_orthogonality; /* of x towards y, of x towards z, of y towards z, rad */
    coordinate3d bias, drift;       /* u, u/s */
    /* The rest is one number for all axes, which the preset may give. */
    double latency, period;              /* s; period: between two samples, 0: every activation */
    double scale_sigma;                  /* of what is drawn once in a run and axis */
    double misalignment_sigma;           /* of each of the six elements beside the diagonal */
    double bias_sigma;                   /* u */
    double markov_sigma, markov_time;    /* u, s */
    double random_walk;                  /* u / sqrt(s) */
    double noise_density;                /* u / sqrt(Hz): u sqrt(s) */
    double sigma;                        /* of white noise for each sample, u */
    double range, resolution;            /* u */
    double dropout;                      /* probability for each sample */
    double outage_time, outage_interval; /* mean length of an outage, and mean time before one, s */
    double vertical; /* factor of noise and Gauss-Markov bias on the third axis */
} error_terms;

enum {
    ERROR_FIRST_PRESET_TERM = 16, /* words before LATENCY */
    ERROR_WORDS = sizeof(error_terms) / sizeof(double),
    ERROR_PAST = 512 /* truths that are kept for a latency */
};

/* Which terms there are, after the preset. */
enum {
    ERROR_MATRIX = 1,
    ERROR_OFFSET = 2,
    ERROR_MARKOV = 4,
    ERROR_WALK = 8,
    ERROR_DRIFT = 16,
    ERROR_WHITE = 32,
    ERROR_LIMITS = 64,
    ERROR_DROPOUT = 128
};

typedef struct error_model {
    int64_t number; /* of the activation, from 1; 0 is for what is drawn once */
    double wake;    /* there is nothing to do before */
    bool begun, failing, wandering;
    hk_stream scale, axes, bias, markov, walk, noise, dropout;
    double first, next;           /* instants of the first sample and of that which comes */
    double sum[3], summed, until; /* of means: value times time, that time, and when it ended */
    double known_step, known_period, known_latency; /* what was seen last */
    error_terms known, used; /* what was seen last; what it is with the preset */
    uint32_t has;
    double matrix[3][3], offset[3];
    double interval; /* between two samples */
    double decay, kick, white, white_vertical, markov_vertical, walk_kick;
    double fails, recovers;      /* probabilities for one sample */
    double wander[3], walked[3]; /* with a deviation of 1, and per sqrt(s) */
    uint32_t past_first, past_count;
    struct {
        double at, value[3];
    } past[ERROR_PAST]; /* a ring */
} error_model;

/* What differs between kinds of sensors. */
typedef struct error_kind {
    const error_terms *presets; /* their first is all 0 */
    size_t preset_count;
    int axes;   /* 1 or 3 */
    bool angle; /* it is one: differences are taken the short way round */
    /* It is a mean over the step, and a sample is the mean over all steps since the one before: who
     * integrates the samples gets the whole motion. The first comes when a period is over. */
    bool mean;
} error_kind;

/* True: what is measured is the truth, bit by bit. Every sensor asks this in every step, so two
 * words are looked at at once where a compiler knows how, without a loop; of a sensor with one axis
 * only those that it has: preset, scale, bias, drift of x, and what is one number for all. */
#ifdef __GNUC__
typedef uint64_t error_words __attribute__((vector_size(16), may_alias));
#define ERROR_EIGHT(w) ((w)[0] | (w)[1] | (w)[2] | (w)[3] | (w)[4] | (w)[5] | (w)[6] | (w)[7])
static inline __attribute__((always_inline)) bool hk_errors_none(const error_terms *terms,
                                                                 int axes) {
    const error_words *w = (const error_words *)(const void *)terms;
    error_words any = ERROR_EIGHT(w + 8) | (axes == 1 ? w[0] | w[5] | w[6] : ERROR_EIGHT(w));
    return (any[0] | any[1]) == 0;
}
_Static_assert(ERROR_WORDS == 32, "all of them");
_Static_assert(alignof(error_terms) >= alignof(error_words), "by twos");
_Static_assert(offsetof(error_terms, scale) < sizeof(error_words) &&
                   offsetof(error_terms, bias) == 5 * sizeof(error_words) &&
                   offsetof(error_terms, drift) < 7 * sizeof(error_words),
               "of one axis");
#else
static inline bool hk_errors_none(const error_terms *terms, int axes) {
    const uint64_t *w = (const uint64_t *)(const void *)terms;
    uint64_t any = 0;
    (void)axes;
    for (int i = 0; i < ERROR_WORDS; i++)
        any |= w[i];
    return any == 0;
}
#endif

/* Before all else in an activation that ends at NOW. False: no sample is due, the last one holds.
 */
static inline bool hk_errors_due(error_model *e, double now) {
    e->number++;
    return now >= e->wake || !e->begun;
}

/* For a kind that is a mean, in each activation in which no sample is due: a step of H that ends at
 * NOW. */
void hk_errors_gather(error_model *e, const double truth[3], double now, double h);

/* Rare: looks at the terms if one of them, or H, is not what it was. HK_STEP_OK, or WHY says what
 * is wrong with them. */
int hk_errors_prepare(error_model *e, const error_terms *terms, const error_kind *kind, double h,
                      words *why);

/* A sample of TRUTH, of which the activation ends at NOW; *ret_stamp: when it was the truth. False:
 * none is due, or there was no truth so long ago. */
bool hk_errors_sample(error_model *e, const error_kind *kind, const double truth[3], double now,
                      double ret_value[3], double *ret_stamp);

/* All terms but latency. False: the sample is lost. */
bool hk_errors_apply(error_model *e, const error_kind *kind, double now, double value[3]);

/* A value, and when it holds: the truth at the end of a step, and then what is measured. */
typedef struct error_sample {
    double value[3], at;
} error_sample;

/* The three in this order, for sensors that have nothing of their own in between: -1 it failed, 0
 * no new sample, 1 one that is valid, 2 one that was lost. */
int hk_errors_measure(error_model *e, const error_terms *terms, const error_kind *kind, double h,
                      error_sample *sample, words *why);

/* What a source answers with. */
typedef struct measured3d {
    coordinate3d value;
    bool valid;
    double stamp;
} measured3d;

typedef struct measured1d {
    double value;
    bool valid;
    double stamp;
} measured1d;

/* ---- tables: S a struct with the fields ERRORS and TERMS, UNIT of what is measured ---- */

#define XYZ_PARAMETER(struct_type, field, full_name, port_unit)                                    \
    PARAMETER(struct_type, field.x, full_name ".x", port_unit, "0"),                               \
        PARAMETER(struct_type, field.y, full_name ".y", port_unit, "0"),                           \
        PARAMETER(struct_type, field.z, full_name ".z", port_unit, "0")

#define ERROR_COMMON_PORTS(S, u)                                                                   \
    ITEM_PARAMETER(S, terms.preset, "preset", "0"),                                                \
        PARAMETER(S, terms.latency, "latency", "s", "0"),                                          \
        PARAMETER(S, terms.period, "period", "s", "0"),                                            \
        PARAMETER(S, terms.scale_sigma, "scaleSigma", NULL, "0"),                                  \
        PARAMETER(S, terms.bias_sigma, "biasSigma", u, "0"),                                       \
        PARAMETER(S, terms.markov_sigma, "markovSigma", u, "0"),                                   \
        PARAMETER(S, terms.markov_time, "markovTime", "s", "0"),                                   \
        PARAMETER(S, terms.random_walk, "randomWalk", NULL, "0"),                                  \
        PARAMETER(S, terms.noise_density, "noiseDensity", NULL, "0"),                              \
        PARAMETER(S, terms.sigma, "sigma", u, "0"), PARAMETER(S, terms.range, "range", u, "0"),    \
        PARAMETER(S, terms.resolution, "resolution", u, "0"),                                      \
        PARAMETER(S, terms.dropout, "dropout", NULL, "0"),                                         \
        PARAMETER(S, terms.outage_time, "outageTime", "s", "0"),                                   \
        PARAMETER(S, terms.outage_interval, "outageInterval", "s", "0")

#define ERROR_PORTS_3D(S, u)                                                                       \
    ERROR_COMMON_PORTS(S, u), XYZ_PARAMETER(S, terms.scale, "scale", NULL),                        \
        XYZ_PARAMETER(S, terms.misalignment, "misalignment", "rad"),                               \
        XYZ_PARAMETER(S, terms.non_orthogonality, "nonOrthogonality", "rad"),                      \
        PARAMETER(S, terms.misalignment_sigma, "misalignmentSigma", "rad", "0"),                   \
        XYZ_PARAMETER(S, terms.bias, "bias", u), XYZ_PARAMETER(S, terms.drift, "drift", NULL)

#define ERROR_PORTS_1D(S, u)                                                                       \
    ERROR_COMMON_PORTS(S, u), PARAMETER(S, terms.scale.x, "scale", NULL, "0"),                     \
        PARAMETER(S, terms.bias.x, "bias", u, "0"),                                                \
        PARAMETER(S, terms.drift.x, "drift", NULL, "0")

/* The streams in the order of the terms. */
#define ERROR_STREAMS(S)                                                                           \
    {"scale", offsetof(S, errors.scale)}, {"misalignment", offsetof(S, errors.axes)},              \
        {"bias", offsetof(S, errors.bias)}, {"markov", offsetof(S, errors.markov)},                \
        {"randomWalk", offsetof(S, errors.walk)}, {"noise", offsetof(S, errors.noise)}, {          \
        "dropout", offsetof(S, errors.dropout)                                                     \
    }

/* What random numbers are multiplied by. */
#define ERROR_SCALES_1D                                                                            \
    "preset scaleSigma biasSigma markovSigma randomWalk noiseDensity sigma dropout outageTime"
#define ERROR_SCALES_3D ERROR_SCALES_1D " misalignmentSigma"

#endif
