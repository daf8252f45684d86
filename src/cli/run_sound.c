/* SPDX-License-Identifier: MIT
 *
 * `hocket run`: what is checked of the calls of a run, and where they are written down. */
#include "base/number.h"
#include "cli/run.h"
#include "sound/sound.h"

#include <string.h>

static const char *monitor_name(const hk_args *args) {
    const char *name = hk_args_value(args, "monitor");
    return name ? name : "phase";
}

hk_monitor hk_run_monitor(const hk_args *args) {
    const char *name = monitor_name(args);
    if (strcmp(name, "off") == 0)
        return HK_MONITOR_OFF;
    return strcmp(name, "values") == 0 ? HK_MONITOR_VALUES : HK_MONITOR_PHASE;
}

/* ---- --trace ---- */

enum { TRACE_BYTES = 256 << 10 };

/* How much of it are whole lines. */
static size_t whole_lines(const char *data, size_t size) {
    while (size && data[size - 1] != '\n')
        size--;
    return size;
}

/* After a failure calls are only discarded; it is told when the trace is closed. */
static void write_trace(hk_run_trace *trace) {
    if (!trace->problem)
        trace->problem = hk_outfile_write(&trace->file, trace->text, trace->used, whole_lines);
    trace->used = 0;
}

static void take_calls(void *user, const char *text, size_t size) {
    hk_run_trace *trace = user;
    if (trace->problem)
        return;
    trace->busy = 1;
    if (trace->begun && trace->used && trace->used + size > TRACE_BYTES)
        write_trace(trace);
    if (trace->used + size > trace->cap) {
        trace->cap = 2 * (trace->used + size) + TRACE_BYTES;
        trace->text = hk_realloc(trace->text, trace->cap);
    }
    memcpy(trace->text + trace->used, text, size);
    trace->used += size;
    trace->busy = 0;
}

/* Nothing is written before all components have read their files, since one of them might be the
 * one that the trace is to overwrite. */
void hk_run_trace_begin(hk_run *run) {
    run->trace.begun = true;
}

void hk_run_trace_flush_from_signal(hk_run *run) {
    hk_run_trace *trace = &run->trace;
    bool ready = trace->open && trace->begun && !trace->busy && !trace->problem;
    size_t whole = ready ? whole_lines(trace->text, trace->used) : 0;
    if (whole)
        trace->problem = hk_outfile_write(&trace->file, trace->text, whole, whole_lines);
    trace->used = 0;
}

static hk_status read_every(hk_run *run, uint64_t *ret_every) {
    const char *text = hk_args_value(run->args, "trace-sample");
    if (!text)
        return HK_OK;
    if (!hk_args_value(run->args, "trace"))
        return hk_error(run->cli->ctx, HK_E_USAGE, HK_NOWHERE, "name a file with --trace",
                        "--trace-sample without a trace");
    if (!hk_read_u64(text, strlen(text), ret_every) || *ret_every < 1)
        return hk_error(run->cli->ctx, HK_E_USAGE, HK_NOWHERE, "a whole number above 0",
                        "--trace-sample: '%s' is not a valid number", text);
    return HK_OK;
}

hk_status hk_run_trace_open(hk_run *run) {
    const char *path = hk_args_value(run->args, "trace");
    hk_run_trace *trace = &run->trace;
    uint64_t every = 1;
    HK_TRY(read_every(run, &every));
    if (!path)
        return HK_OK;
    bool standard = strcmp(path, "-") == 0;
    bool taken = run->cli->json || (run->record && strcmp(run->record, "-") == 0);
    if (standard && taken)
        return hk_error(run->cli->ctx, HK_E_USAGE, HK_NOWHERE, "name a file with --trace",
                        "standard output cannot take the trace together with %s",
                        run->cli->json ? "--json" : "the record");
    hk_outfile_init(&trace->file, path, "the trace");
    trace->open = true;
    trace->begun = standard;
    run->listener.trace = (hk_trace_sink){take_calls, trace, every};
    return hk_outfile_check(run->cli->ctx, &trace->file);
}

hk_status hk_run_trace_close(hk_run *run, hk_status status) {
    hk_run_trace *trace = &run->trace;
    if (!trace->open)
        return status;
    /* How far the calls came is worth most if something failed; a trace of an earlier run is worth
     * more than none. */
    bool written = trace->begun || (status != HK_E_USAGE && trace->used > 0);
    if (written)
        write_trace(trace);
    int closed = hk_outfile_close(&trace->file);
    int problem = trace->problem ? trace->problem : closed;
    trace->open = false;
    hk_free(trace->text);
    trace->text = NULL;
    if (problem && status == HK_OK)
        return hk_outfile_error(run->cli->ctx, &trace->file, problem);
    if (!problem && written && strcmp(trace->file.path, "-") != 0) {
        run->traced = trace->file.path;
        hk_written_note(&run->written, run->traced);
    }
    return status;
}

/* ---- reports ---- */

void hk_run_put_sound(FILE *out, hk_arena *arena, const hk_soundness *sound, const char *contract) {
    if (sound->monitor == HK_MONITOR_OFF) {
        fprintf(out, "sound      not checked: --monitor=off\n");
        return;
    }
    fprintf(out, "sound      %s calls in %s phases checked", hk_show_count(arena, sound->calls),
            hk_show_count(arena, sound->phases));
    if (sound->monitor == HK_MONITOR_VALUES)
        fprintf(out, ", %s values compared, %s not", hk_show_count(arena, sound->values),
                hk_show_count(arena, sound->unvalued));
    fprintf(out, "%s%s\n", contract ? "; " : "", contract ? contract : "");
}
