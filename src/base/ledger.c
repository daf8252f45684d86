/* SPDX-License-Identifier: MIT */
#include "base/ledger.h"

#include "base/bell.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

static hk_ledger *ledger;

hk_ledger *hk_ledger_make(void) {
    ledger = hk_shared_memory(sizeof *ledger); /* only what is used takes memory */
    return ledger;
}

hk_ledger *hk_ledger_get(void) {
    return ledger;
}

bool hk_ledger_is_ours(void) {
    return ledger && atomic_load(&ledger->child) == getpid();
}

void hk_ledger_forget(void) {
    ledger = NULL;
}

void hk_ledger_guarded(bool on) {
    if (hk_ledger_is_ours())
        atomic_store(&ledger->guarded, on);
}

void hk_ledger_heard(void) {
    if (hk_ledger_is_ours())
        atomic_fetch_add(&ledger->heard, 1);
}

void hk_ledger_ending(void) {
    if (hk_ledger_is_ours())
        atomic_store(&ledger->ending, true);
}

void hk_ledger_limits(int64_t deadline_ns, int64_t watchdog_ns) {
    if (!hk_ledger_is_ours())
        return;
    atomic_store(&ledger->deadline_ns, deadline_ns);
    atomic_store(&ledger->watchdog_ns, watchdog_ns);
}

hk_ledger_late hk_ledger_is_late(void) {
    return hk_ledger_is_ours() ? (hk_ledger_late)atomic_load(&ledger->late) : HK_LATE_NOT;
}

void hk_ledger_said(int status) {
    if (hk_ledger_is_ours())
        atomic_store(&ledger->said, status);
}

void hk_ledger_told(int status) {
    if (!hk_ledger_is_ours() || atomic_load(&ledger->end) != HK_END_UNKNOWN)
        return;
    ledger->status = status;
    atomic_store(&ledger->end, HK_END_TOLD);
}

static void copy(char *to, size_t room, const char *text) {
    size_t size = strlen(text);
    size = size < room ? size : room - 1;
    memcpy(to, text, size);
    to[size] = '\0';
}

void hk_ledger_keeps(const char *what, const char *path) {
    if (!hk_ledger_is_ours())
        return;
    copy(ledger->kept_what, sizeof ledger->kept_what, what);
    copy(ledger->kept_path, sizeof ledger->kept_path, path ? path : "");
}

/* A process that was killed gives nothing back. */
static bool take(hk_ledger_record *r) {
    int owner = atomic_load(&r->owner);
    bool is_free = owner == 0 || (owner > 0 && kill(owner, 0) != 0 && errno == ESRCH);
    return is_free && atomic_compare_exchange_strong(&r->owner, &owner, getpid());
}

static hk_ledger_record *open_as(const char *path, bool temporary) {
    int saved = errno;
    hk_ledger_record *found = NULL;
    bool fits = ledger && strlen(path) < sizeof found->path; /* a part would name another file */
    for (size_t i = 0; fits && !found && i < HK_LEDGER_RECORDS; i++)
        if (take(&ledger->records[i]))
            found = &ledger->records[i];
    if (found) {
        atomic_store(&found->temporary, false);
        atomic_store(&found->begun, false);
        copy(found->path, sizeof found->path, path);
        atomic_store(&found->temporary, temporary);
    }
    errno = saved;
    return found;
}

hk_ledger_record *hk_ledger_open(const char *path) {
    return open_as(path, false);
}

hk_ledger_record *hk_ledger_open_temporary(const char *path) {
    return open_as(path, true);
}

void hk_ledger_remove_temporary(int owner) {
    for (size_t i = 0; ledger && i < HK_LEDGER_RECORDS; i++) {
        hk_ledger_record *r = &ledger->records[i];
        int who = atomic_load(&r->owner);
        if (who && (!owner || who == owner) && atomic_load(&r->temporary))
            (void)unlink(r->path);
    }
}

void hk_ledger_begun(hk_ledger_record *record) {
    if (record)
        atomic_store(&record->begun, true);
}

void hk_ledger_close(hk_ledger_record *record) {
    if (record)
        atomic_store(&record->owner, 0);
}
