/* SPDX-License-Identifier: MIT
 *
 * Waiting for others. While nobody runs anything, signals end the waiting and nothing else, so that
 * the place to meet is left clean. */
#include "nodes/meeting.h"

#include "base/clock.h"

#include <signal.h>
#include <stdio.h>

static const int SIGNALS[] = {SIGINT, SIGTERM, SIGHUP};
enum { SIGNAL_COUNT = sizeof SIGNALS / sizeof *SIGNALS };
static struct sigaction before[SIGNAL_COUNT];
static volatile sig_atomic_t stopped, waiting;

static void on_signal(int number) {
    stopped = number;
}

static const int64_t SECOND_NS = 1000000000;
enum { FIRST_S = 3, AGAIN_S = 30 };

hk_patience hk_patience_begin(const hk_meeting *meeting, const char *path) {
    HK_ASSERT(!waiting); /* what was before would be lost */
    struct sigaction action = {.sa_handler = on_signal};
    sigemptyset(&action.sa_mask);
    stopped = 0;
    for (size_t i = 0; i < SIGNAL_COUNT; i++) {
        sigaction(SIGNALS[i], NULL, &before[i]);
        if (before[i].sa_handler != SIG_IGN)
            sigaction(SIGNALS[i], &action, NULL);
    }
    waiting = true;
    int64_t now = hk_clock_ns();
    return (hk_patience){meeting, path, now, now + FIRST_S * SECOND_NS};
}

void hk_patience_end(void) {
    waiting = false;
    for (size_t i = 0; i < SIGNAL_COUNT; i++)
        sigaction(SIGNALS[i], &before[i], NULL);
}

bool hk_patience_stopped(void) {
    return stopped != 0;
}

bool hk_meeting_waits(void) {
    return waiting;
}

hk_status hk_patience_look(hk_ctx *ctx, hk_patience *p, const char *for_whom) {
    HK_ASSERT(ctx && p && for_whom);
    const hk_meet *meet = p->meeting->meet;
    int64_t now = hk_clock_ns();
    double timeout_s = p->meeting->timeout_s;
    const hk_meeting *m = p->meeting;
    if (stopped || (m->stopped && m->stopped(m->user)))
        return hk_error(ctx, HK_E_INTERRUPTED, HK_NOWHERE, NULL,
                        "interrupted while it waited for %s in %s", for_whom, p->path);
    if (timeout_s > 0 && (double)(now - p->began_ns) > timeout_s * (double)SECOND_NS)
        return hk_error(ctx, HK_E_UNIT_HUNG, HK_NOWHERE, "raise --timeout",
                        "waited %g s for %s in %s", timeout_s, for_whom, p->path);
    if (now < p->next_ns)
        return HK_OK;
    p->next_ns = now + AGAIN_S * SECOND_NS;
    char text[512];
    (void)snprintf(text, sizeof text, "waiting for %s in %s", for_whom, p->path);
    if (meet->waits)
        meet->waits(meet->user, text);
    return HK_OK;
}
