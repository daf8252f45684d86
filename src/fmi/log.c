/* SPDX-License-Identifier: MIT
 *
 * Messages of FMUs on their way for the one that listens: cut to a sane length, limited in number,
 * one at a time whatever threads the FMUs have. The last lines are kept for the case that something
 * fails. */
#include "fmi/fmu.h"
#include "format/escape.h"

#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

static pthread_mutex_t sink_lock = PTHREAD_MUTEX_INITIALIZER;
static hk_fmu_log_fn *sink;
static void *sink_user;
static hk_fmu_journal_fn *journal;
static void *journal_user;
static const char *const *chosen; /* categories; NULL: all */
static size_t chosen_count;

void hk_fmu_set_log(hk_fmu_log_fn *log, void *user) {
    pthread_mutex_lock(&sink_lock);
    sink = log;
    sink_user = user;
    pthread_mutex_unlock(&sink_lock);
}

void hk_fmu_set_journal(hk_fmu_journal_fn *write, void *user) {
    pthread_mutex_lock(&sink_lock);
    journal = write;
    journal_user = user;
    pthread_mutex_unlock(&sink_lock);
}

void hk_fmu_set_categories(const char *const *names, size_t count) {
    pthread_mutex_lock(&sink_lock);
    chosen = names;
    chosen_count = count;
    pthread_mutex_unlock(&sink_lock);
}

static bool is_chosen(const char *category) {
    for (size_t i = 0; category && i < chosen_count; i++)
        if (strcmp(chosen[i], category) == 0)
            return true;
    return !chosen;
}

bool hk_fmu_log_choice(const hk_fmu *fmu, hk_arena *arena, const char *const **ret_names,
                       size_t *ret_count) {
    const hk_fmu_facts *facts = &fmu->facts;
    const char **names = HK_NEW_ARRAY(arena, const char *, facts->log_category_count + 1);
    size_t count = 0;
    for (size_t i = 0; chosen && i < facts->log_category_count; i++)
        if (is_chosen(facts->log_categories[i]))
            names[count++] = facts->log_categories[i];
    *ret_names = names;
    *ret_count = count;
    return count > 0;
}

static void deliver(const char *instance, int status, const char *category, const char *message) {
    size_t length = strlen(message);
    char *cut = NULL;
    if (length > HK_FMU_SHOWN_BYTES) {
        size_t kept = hk_cut_length(message, HK_FMU_SHOWN_BYTES);
        cut = hk_alloc(kept + HK_CUT_MARK_BYTES);
        memcpy(cut, message, kept);
        (void)hk_cut_mark(cut + kept, length - kept, false);
    }
    pthread_mutex_lock(&sink_lock);
    if (sink)
        sink(sink_user, instance ? instance : "", status, category, cut ? cut : message);
    pthread_mutex_unlock(&sink_lock);
    hk_free(cut);
}

bool hk_fmu_has_journal(void) {
    pthread_mutex_lock(&sink_lock);
    bool has = journal != NULL;
    pthread_mutex_unlock(&sink_lock);
    return has;
}

void hk_fmu_write_down(const hk_fmu_message *message) {
    pthread_mutex_lock(&sink_lock);
    if (journal)
        journal(journal_user, message);
    pthread_mutex_unlock(&sink_lock);
}

void hk_fmu_log_init(hk_fmu_log *log, const char *instance, const _Atomic double *now,
                     double start) {
    *log = (hk_fmu_log){.instance = instance, .now = now, .start = start};
    pthread_mutex_init(&log->lock, NULL);
}

void hk_fmu_log_finish(hk_fmu_log *log) {
    if (log->count > HK_FMU_LOG_MAX) {
        char text[96];
        snprintf(text, sizeof text, "%llu more messages of this instance were held back",
                 (unsigned long long)(log->count - HK_FMU_LOG_MAX));
        deliver(log->instance, HK_UNIT_OK, "hocket", text);
    }
    pthread_mutex_destroy(&log->lock);
}

/* ---- the last lines ---- */

static const char *newest_line(const hk_fmu_log *log) {
    const char *end = strrchr(log->said, '\n');
    return end ? end + 1 : log->said;
}

/* LINE is the newest; the oldest ones go. */
static void keep_line(hk_fmu_log *log, const char *line) {
    if (log->said[0] && strcmp(newest_line(log), line) == 0)
        return; /* once more the same tells nobody anything */
    size_t used = strlen(log->said), length = strlen(line);
    if (log->said_lines == HK_FMU_SAID_LINES) {
        size_t first = strcspn(log->said, "\n") + 1;
        memmove(log->said, log->said + first, used - first + 1);
        used -= first;
        log->said_lines--;
    }
    if (used)
        log->said[used++] = '\n';
    memcpy(log->said + used, line, length + 1);
    log->said_lines++;
}

/* Nothing of it commands a terminal, and all of it is UTF-8. */
static void clean(char *line, size_t size) {
    for (size_t i = 0, length; i < size; i += length) {
        hk_glyph glyph = hk_glyph_at(line + i, size - i, &length);
        if (glyph != HK_GLYPH_PLAIN)
            memset(line + i, glyph == HK_GLYPH_BROKEN ? '?' : ' ', length);
    }
}

/* Keeps all lines of the message. A failure is not pushed out by later small talk. */
static void keep(hk_fmu_log *log, int status, const char *message) {
    if (status < HK_UNIT_OK || status > HK_UNIT_FATAL)
        status = HK_UNIT_OK; /* says nothing, and must not outweigh a failure */
    while (*message) {
        char line[HK_FMU_SAID_BYTES];
        size_t length = strcspn(message, "\r\n");
        size_t kept = length < sizeof line ? length : sizeof line - 1;
        memcpy(line, message, kept);
        while (kept && (line[kept - 1] == ' ' || line[kept - 1] == '\t'))
            kept--;
        line[kept] = '\0';
        clean(line, kept);
        if (kept) {
            keep_line(log, line);
            if (status >= log->worst_status)
                memcpy(log->worst, line, kept + 1);
            log->worst_status = status > log->worst_status ? status : log->worst_status;
        }
        message += length + (message[length] != '\0');
    }
}

const char *hk_fmu_log_last(hk_fmu_log *log, hk_arena *arena) {
    const char *text = "";
    pthread_mutex_lock(&log->lock);
    bool lost = log->worst_status > HK_UNIT_OK && !strstr(log->said, log->worst);
    if (log->said_lines == 1)
        text = hk_arena_printf(arena, "; it said: %s", log->said);
    else if (log->said_lines)
        text = hk_arena_printf(arena, "; it said:\n%s%s%s", lost ? log->worst : "",
                               lost ? "\n...\n" : "", log->said);
    pthread_mutex_unlock(&log->lock);
    return text;
}

void hk_fmu_log_add(hk_fmu_log *log, const char *instance, int status, const char *category,
                    const char *message) {
    if (!message)
        message = "";
    bool show = is_chosen(category);
    hk_fmu_message all = {instance, category, message, status, 0.0};
    if (log) {
        instance = all.instance = log->instance;
        all.time = log->now ? atomic_load_explicit(log->now, memory_order_relaxed) : log->start;
        pthread_mutex_lock(&log->lock);
        show = show && log->count++ < HK_FMU_LOG_MAX;
        keep(log, status, message);
        pthread_mutex_unlock(&log->lock);
    }
    if (show)
        deliver(instance, status, category, message);
    hk_fmu_write_down(&all);
}
