/* SPDX-License-Identifier: MIT
 *
 * The recorder: takes the rows of a run and writes them to a file, on a thread of its own.
 *
 * The engine fills rows in place in a ring of blocks; the side thread turns them into text and
 * writes them. Between the two are two semaphores and atomics: no lock, no allocation, no second
 * copy in the engine's loop. If the disk is slower than the run, row_begin waits. */
#ifndef HK_RECORD_RECORDER_H
#define HK_RECORD_RECORDER_H

#include "record/about.h"

typedef struct hk_recorder hk_recorder;

/* A record that goes on behind its rows before a time. */
typedef struct hk_resumed {
    double before_s;
    double last_s; /* the last of these rows */
} hk_resumed;
/* The same for a run on PLAN that goes on at WHEN, with a row every INTERVAL. */
hk_resumed hk_resumed_at(const hk_plan *plan, hk_ratio when, hk_tick interval);

/* Zero means the default everywhere. */
typedef struct hk_recorder_options {
    size_t block_bytes;      /* 0: 256 KiB; a block holds at least one row */
    size_t block_count;      /* 0: 8; at least 2 */
    double flush_interval_s; /* 0: 0.5; rows older than this are in the file */
    bool no_thread;          /* format and write in row_begin and close; no timed flush */
    /* That thread begins with hk_recorder_start: after the simulation is made, for which processes
     * may be made of this one; what a thread holds then stays held there. */
    bool thread_later;
    const hk_resumed *resumed; /* goes on in the file: CSV only; NULL: it is replaced */
    /* Put beside the record (about.h) with its first rows, as that of a run under way: it stays if
     * the process ends before the record is closed. NULL: nothing is said until then. */
    const hk_about *begun;
} hk_recorder_options;

/* What happened, for statistics. */
typedef struct hk_recorder_stats {
    bool cut;          /* it could not be written to its end */
    bool kept_earlier; /* the run ended in its first step: the file is that of an earlier one */
    uint64_t rows;     /* written */
    uint64_t bytes;    /* written */
    double busy_s;     /* formatting and writing */
    double wait_s;     /* the engine waited for a free block */
} hk_recorder_stats;

/* What rows hold: COLUMNS are laid out by hk_columns_layout, which gives ROW_SIZE. */
typedef struct hk_row_layout {
    const hk_column *columns;
    size_t column_count, row_size;
} hk_row_layout;

/* Prepares a record. The extension of PATH says the format (.csv); "-" is CSV to standard output.
 * The columns of LAYOUT and their names must outlive the recorder. No file is made or replaced
 * before the first row is written; a folder that is not there or not writable is reported now.
 * OPTIONS may be NULL. */
HK_NODISCARD hk_status hk_recorder_open(hk_ctx *ctx, const char *path, const hk_row_layout *layout,
                                        const hk_recorder_options *options,
                                        hk_recorder **ret_recorder);
/* With thread_later: its thread writes from now on, if there can be one; before, and without one,
 * who gives rows does. Before the first row. NULL is fine. */
void hk_recorder_start(hk_recorder *recorder);
/* Where the engine puts its rows; to be used by one thread at a time. */
hk_sink hk_recorder_sink(hk_recorder *recorder);
/* Waits until every row that row_end took is in the file, or cannot be; in the engine's thread.
 * NULL is fine. */
void hk_recorder_flush(hk_recorder *recorder);
/* Writes what is left, and frees the recorder in any case. If writing failed, now or before, says
 * so with HK_E_FILE_WRITE; the rows before the failure stay in the file, whole. Without any row no
 * file is made. A file of an earlier run is replaced when a second row comes, by hk_recorder_flush,
 * or now; unless ABOUT says that the run failed or was interrupted where it began: then it stays,
 * and a note says so. ABOUT is put beside the record (about.h) if that was written; NULL: nothing
 * is said about it. RET_STATS may be NULL, and is filled also on failure. NULL is fine. */
HK_NODISCARD hk_status hk_recorder_close(hk_ctx *ctx, hk_recorder *recorder, const hk_about *about,
                                         hk_recorder_stats *ret_stats);
/* For the handler of a fatal signal on the engine's thread: waits until every row that row_end took
 * is in the file, for 2 s at most. Async-signal-safe. NULL is fine. */
void hk_recorder_flush_from_signal(hk_recorder *recorder);
/* The same, and says WHY ("interrupted") beside the record, with the time of the last row; else it
 * is said that the run has failed. */
void hk_recorder_end_from_signal(hk_recorder *recorder, const char *why);

#endif
