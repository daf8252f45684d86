/* SPDX-License-Identifier: MIT
 *
 * The last words of a process that crashes or calls exit(): they go into the page, where the one
 * who asked finds them. */
#include "isolate/isolate_internal.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

/* A handler of a signal can reach nothing but globals. */
static const hk_iso_birth *of;
static _Atomic(const char *) *component_said;

static size_t add(char *to, size_t at, const char *text) {
    for (; *text && at < HK_ISO_WORDS - 1; text++)
        to[at++] = *text;
    return at;
}

static void keep_last_words(bool crashed) {
    hk_iso_page *page = of->page;
    char *to = page->last_words;
    size_t size = 0;
    char place[256];
    const char *said = atomic_load(component_said);
    if (atomic_load(&page->last_size))
        return;
    if (said && *said) {
        size = add(to, size, strchr(said, '\n') ? "; it said:\n" : "; it said: ");
        size = add(to, size, said);
    }
    /* A process of its own looks the place up, which a sandbox does not allow. */
    bool native = of->info->can.fmi == 0 && !of->sandbox;
    if (crashed && native && of->place && of->place(place, sizeof place)) {
        size = add(to, size, " (");
        size = add(to, size, place);
        size = add(to, size, ")");
    }
    atomic_store(&page->last_size, (uint32_t)size);
}

static void on_fatal(int number) {
    signal(number, SIG_DFL);
    keep_last_words(true);
    raise(number);
}

static void on_exit_call(void) {
    keep_last_words(false);
}

void hk_iso_keep_last_words(const hk_iso_birth *birth, _Atomic(const char *) *said) {
    of = birth;
    component_said = said;
    hk_iso_take_signals(on_fatal);
    (void)atexit(on_exit_call);
}
