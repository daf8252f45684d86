/* SPDX-License-Identifier: MIT
 *
 * What clients can call, as services of the Foxglove protocol. */
#ifndef HK_LIVE_SERVICES_H
#define HK_LIVE_SERVICES_H

#include "format/json.h"

typedef enum hk_service_kind {
    HK_SERVICE_PLAY,
    HK_SERVICE_PAUSE,
    HK_SERVICE_STEP,
    HK_SERVICE_BACK,
    HK_SERVICE_SPEED,
    HK_SERVICE_SEEK,
    HK_SERVICE_PAUSE_WHEN,
    HK_SERVICE_DO,
    HK_SERVICE_SAVE,
    HK_SERVICE_RANGE,
    HK_SERVICE_WATCH, /* the server answers it by itself */
    HK_SERVICES,
    HK_ORDER_GET = HK_SERVICES, /* orders that are not calls: of parameters */
    HK_ORDER_SET
} hk_service_kind;

typedef struct hk_service_about {
    const char *name;    /* "/hocket/play" */
    const char *members; /* of the request: JSON schema of its properties */
    bool changes;        /* what others see: a client that may only read cannot call it */
} hk_service_about;

extern const hk_service_about hk_live_services[HK_SERVICES];
/* The id of a service is its kind and 1. */
void hk_services_put(hk_json *json, bool read_only);

#endif
