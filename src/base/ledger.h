/* SPDX-License-Identifier: MIT
 *
 * What the process of a run is doing, in memory that its parent sees, too, and keeps when that
 * process has vanished (src/parent). Processes that the run starts have the same ledger. Without a
 * parent there is none, and all of this does nothing. All but hk_ledger_make is async-signal-safe.
 */
#ifndef HK_BASE_LEDGER_H
#define HK_BASE_LEDGER_H

#include "base/diag.h"

#include <limits.h>
#include <stdatomic.h>

/* How the process of the run has ended, as it says itself. */
typedef enum hk_ledger_end {
    HK_END_UNKNOWN,
    HK_END_TOLD,    /* a failure that it has reported by itself */
    HK_END_FINISHED /* all is done; the files that it has written follow */
} hk_ledger_end;

/* Which limit of time is over. */
typedef enum hk_ledger_late { HK_LATE_NOT, HK_LATE_TIMEOUT, HK_LATE_WATCHDOG } hk_ledger_late;

/* What is beside a record, or a log, that is being written; or a file that is renamed when it is
 * complete. */
typedef struct hk_ledger_record {
    atomic_int owner;      /* the process that writes it; 0: nobody */
    atomic_bool temporary; /* it is renamed later: nobody needs it if its process is gone */
    atomic_bool begun;     /* else the record, if there is one, is of an earlier run */
    char path[PATH_MAX];
} hk_ledger_record;

enum { HK_LEDGER_RECORDS = 256, HK_LEDGER_FILES = 16 << 20 };

typedef struct hk_ledger {
    atomic_int parent, child; /* processes */
    atomic_bool guarded;      /* components may live there */
    atomic_uint heard;        /* signals that ask for the end, and that have reached hocket there */
    atomic_bool ending;       /* its last words are being said */
    /* Limits that the process keeps itself as long as it is not stopped; 0: none. */
    _Atomic int64_t deadline_ns, watchdog_ns;
    atomic_int late; /* hk_ledger_late: the parent has seen that it does not keep them */
    atomic_int end;  /* hk_ledger_end */
    int status;      /* ... and the exit status that it ends with */
    bool mute;       /* its standard error is closed by then */
    atomic_int
        said; /* it has said why it ends with this exit status, and may not come to its end */
    char kept_what[64], kept_path[PATH_MAX]; /* of hk_run_keeps */
    hk_ledger_record records[HK_LEDGER_RECORDS];
    size_t files_size; /* of the message about the files */
    uint32_t files_sum;
    char files[HK_LEDGER_FILES];
} hk_ledger;

/* Makes it for this process and those that are forked later; NULL: there is no memory. */
hk_ledger *hk_ledger_make(void);
hk_ledger *hk_ledger_get(void);  /* NULL: there is no parent */
bool hk_ledger_is_ours(void);    /* there is one, and this is the process of the run */
void hk_ledger_forget(void);     /* this process has none any more */
void hk_ledger_guarded(bool on); /* components may live from now on */
void hk_ledger_heard(void);
void hk_ledger_ending(void);
void hk_ledger_limits(int64_t deadline_ns, int64_t watchdog_ns);
hk_ledger_late hk_ledger_is_late(void);
/* What is to be said of the end with exit status STATUS was said; the process still cleans up. */
void hk_ledger_said(int status);
/* The process ends now, and has said why; what was said of its end before counts. */
void hk_ledger_told(int status);
void hk_ledger_keeps(const char *what, const char *path); /* PATH NULL: nothing */
/* PATH, from the root, will be written; returns NULL if there is no ledger, or no room in it. */
hk_ledger_record *hk_ledger_open(const char *path);
hk_ledger_record *hk_ledger_open_temporary(const char *path);
/* Files of process OWNER that were to be renamed, and are not any more; 0: of any process. */
void hk_ledger_remove_temporary(int owner);
void hk_ledger_begun(hk_ledger_record *record); /* its first bytes are written; NULL is fine */
void hk_ledger_close(hk_ledger_record *record); /* NULL is fine */

#endif
