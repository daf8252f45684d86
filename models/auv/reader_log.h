/* SPDX-License-Identifier: MIT
 *
 * A log of a sensor, as a source: a row is seen from its stamp on and holds until the next one;
 * whether it is valid is never made up from two rows. */
#ifndef HK_MODELS_READER_LOG_H
#define HK_MODELS_READER_LOG_H

#include "csv_file.h"
#include "sensors.h"
#include "units.h"

enum { LOG_HOLD, LOG_LINEAR };                        /* between two rows */
enum { LOG_END_HOLD, LOG_END_INVALID, LOG_END_STOP }; /* behind the last row */

typedef struct log_reader {
    hk_bytes file_name, time_column, column[3], valid_column, unit, no_data;
    double time_scale, time_offset;
    int64_t interpolation, end;
    /* GPS with latitude and longitude; depth from pressure. */
    int64_t earth;
    double origin_latitude, origin_longitude;
    double density, gravity, atmosphere;
    measured3d measured;
    hk_resource file;
    int64_t row; /* rows that were seen */
    double seen; /* stamp of the last of them, valid or not */
    double next; /* nothing changes before, if rows are held */
    bool begun, ended;
    double from;         /* the begin of the run, for this reader */
    bool met;            /* a row was of the time of the run */
    int64_t missed;      /* rows that were not seen, for a later one came in the same step */
    int64_t missed_line; /* of the first of them */
    words why;
} log_reader;

/* What differs between kinds of logs. */
typedef struct log_kind {
    quantity what; /* of the columns */
    int columns;   /* 1 or 3 */
    bool place;    /* also latitude, longitude and height */
    bool pressure; /* also a pressure, which is turned into a depth */
} log_kind;

int hk_log_step(log_reader *x, const log_kind *kind, double t, double h);
const char *hk_log_remark(void *reader); /* fits hk_unit_type.remark */
void hk_log_free(void *data);            /* fits hk_resource_field.release */

#endif
