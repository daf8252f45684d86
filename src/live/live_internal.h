/* SPDX-License-Identifier: MIT
 *
 * What the two who drive, a run and a record, share. */
#ifndef HK_LIVE_LIVE_INTERNAL_H
#define HK_LIVE_LIVE_INTERNAL_H

#include "live/live.h"
#include "live/talk.h"

struct hk_live {
    hk_ctx *ctx;
    hk_live_options options;
    const hk_model *model; /* NULL: it is a record */
    const hk_table *table; /* NULL: it is a run */
    hk_catalog catalog;
    hk_desk desk;
    hk_talk talk;
    hk_web_page *pages;
    hk_web_server *server;
};

typedef enum hk_drive_state {
    HK_DRIVE_PAUSED,
    HK_DRIVE_RUNNING,
    HK_DRIVE_ENDED,
    HK_DRIVE_FAILED
} hk_drive_state;
extern const char *const hk_drive_words[];

/* Wall time and simulated time, for a speed. */
typedef struct hk_live_pace {
    double speed; /* 0: as fast as possible */
    double from;  /* simulated time at SINCE */
    int64_t since;
} hk_live_pace;
void hk_live_pace_begin(hk_live_pace *pace, double now);
double hk_live_pace_target(const hk_live_pace *pace); /* the time that is to be reached by now */
/* Nanoseconds until TIME is due; 0: it is. */
int64_t hk_live_pace_until(const hk_live_pace *pace, double time);

/* Arguments of an order: its request without the space before it, and a number of it. */
hk_json_span hk_order_request(const hk_order *order);
bool hk_order_number(const hk_order *order, const char *name, double *ret_number);
void hk_order_refuse(hk_live *live, const hk_order *order, const char *why);
void hk_order_done(hk_live *live, const hk_order *order); /* with the answer {} */

/* Numbers and texts as JSON, for looks. */
void hk_look_begin(hk_look *look, double time, uint64_t version);
void hk_look_next(hk_look *look); /* a value has been put */
void hk_look_put_f64(hk_look *look, double value);

#endif
