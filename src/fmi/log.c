/* SPDX-License-Identifier: MIT
 *
 * Messages of FMUs on their way to whoever listens: guarded against NULL, cut to a sane length,
 * limited in number, one at a time whatever threads the FMUs have. */
#include "fmi/fmu.h"

#include <stdio.h>
#include <string.h>

static pthread_mutex_t sink_lock = PTHREAD_MUTEX_INITIALIZER;
static hk_fmu_log_fn *sink;
static void *sink_user;

void hk_fmu_set_log(hk_fmu_log_fn *log, void *user) {
    pthread_mutex_lock(&sink_lock);
    sink = log;
    sink_user = user;
    pthread_mutex_unlock(&sink_lock);
}

static void deliver(const char *instance, int status, const char *category, const char *message) {
    pthread_mutex_lock(&sink_lock);
    if (sink)
        sink(sink_user, instance ? instance : "", status, category, message);
    pthread_mutex_unlock(&sink_lock);
}

void hk_fmu_log_init(hk_fmu_log *log, const char *instance) {
    *log = (hk_fmu_log){.instance = instance};
    pthread_mutex_init(&log->lock, NULL);
}

void hk_fmu_log_finish(hk_fmu_log *log) {
    if (log->count > HK_FMU_LOG_MAX) {
        char text[96];
        snprintf(text, sizeof text, "%llu more messages of this instance were held back",
                 (unsigned long long)(log->count - HK_FMU_LOG_MAX));
        deliver(log->instance, HK_UNIT_OK, "hocket", text);
    }
    hk_free(log->last);
    pthread_mutex_destroy(&log->lock);
}

/* Keeps the message, as one line, for error texts; a failure is not pushed out by later small
 * talk. */
static void keep(hk_fmu_log *log, int status, const char *message) {
    enum { KEPT_MAX = 400 };
    if (status < HK_UNIT_OK || status > HK_UNIT_FATAL)
        status = HK_UNIT_OK; /* says nothing, and must not outweigh a failure */
    if (status < log->last_status)
        return;
    size_t length = strnlen(message, KEPT_MAX);
    while (length && strchr(" \t\r\n", message[length - 1]))
        length--;
    char *copy = hk_alloc(length + 1);
    memcpy(copy, message, length);
    for (char *c = copy; (c = strpbrk(c, "\t\r\n")); c++)
        *c = ' ';
    hk_free(log->last);
    log->last = copy;
    log->last_status = status;
}

void hk_fmu_log_add(hk_fmu_log *log, const char *instance, int status, const char *category,
                    const char *message) {
    if (!message)
        message = "";
    bool show = true;
    if (log) {
        instance = log->instance;
        pthread_mutex_lock(&log->lock);
        show = log->count++ < HK_FMU_LOG_MAX;
        keep(log, status, message);
        pthread_mutex_unlock(&log->lock);
    }
    if (show)
        deliver(instance, status, category, message);
}

char *hk_fmu_log_format(const char *format, va_list args) {
    va_list again;
    va_copy(again, args);
    int length = vsnprintf(NULL, 0, format, args);
    size_t size = length < 0 ? 1 : (size_t)length + 1;
    if (size > HK_FMU_LOG_BYTES)
        size = HK_FMU_LOG_BYTES;
    char *text = hk_alloc(size);
    if (length >= 0)
        vsnprintf(text, size, format, again);
    va_end(again);
    return text;
}

const char *hk_fmu_log_last(hk_fmu_log *log, hk_arena *arena) {
    pthread_mutex_lock(&log->lock);
    const char *text =
        log->last && log->last[0] ? hk_arena_printf(arena, "; it said: %s", log->last) : "";
    pthread_mutex_unlock(&log->lock);
    return text;
}
