/* SPDX-License-Identifier: MIT */
#include "record/stream.h"

#include "record/kept.h"

#include <errno.h>
#include <math.h>
#include <string.h>

enum { OUT_BYTES = 1024 * 1024 };

struct hk_row_stream {
    const hk_record *record;
    const hk_row_format *format;
    void *self;
    hk_outfile file;
    char *out;
    size_t used, cap;
    char *last;                  /* of formats that count: the last row in the file */
    uint64_t waiting, rows;      /* in the buffer; in the file */
    double waiting_until, until; /* the times of the last of them */
    bool head_done;
    int problem; /* of a write; nothing is written after it */
};

/* The head and the rows before are in the file. */
static hk_status resume(hk_ctx *ctx, hk_row_stream *s) {
    hk_kept_rows kept;
    char *head = hk_alloc(s->format->head_size(s->self));
    size_t size = s->format->head(s->self, head);
    hk_status status =
        hk_kept_find(ctx, s->record->path, (hk_bytes){head, size}, s->record->resumed, &kept);
    hk_free(head);
    HK_TRY(status);
    hk_outfile_continue(&s->file, kept.bytes, kept.sum);
    s->rows = kept.rows;
    s->head_done = true;
    return HK_OK;
}

hk_status hk_row_stream_begin(hk_ctx *ctx, const hk_record *record, const hk_row_format *format,
                              void *format_self, void **ret_stream) {
    hk_row_stream *s = hk_alloc(sizeof *s);
    *s = (hk_row_stream){
        .record = record, .format = format, .self = format_self, .until = (double)NAN};
    hk_outfile_init(&s->file, record->path, "the record");
    hk_status status = hk_outfile_check(ctx, &s->file);
    if (status == HK_OK && record->resumes)
        status = resume(ctx, s);
    if (status != HK_OK) {
        (void)hk_outfile_close(&s->file);
        hk_row_stream_destroy(s);
        return status;
    }
    s->out = hk_alloc(OUT_BYTES);
    s->last = hk_alloc(format->counted ? format->row_size(format_self, NULL) : 0);
    s->cap = OUT_BYTES;
    *ret_stream = s;
    return HK_OK;
}

/* Rows of one size behind a head that counts them. If there is no room for all, as many as fit. */
static int write_counted(hk_row_stream *s) {
    uint64_t done = 0, part = s->waiting;
    size_t row = s->waiting ? s->used / s->waiting : 0;
    int problem = 0;
    while (part && done < s->waiting) {
        part = part < s->waiting - done ? part : s->waiting - done;
        const char *block = s->out + done * row;
        int now = hk_outfile_write_counted(
            &s->file, block, part * row,
            s->format->counted(s->self, block, part * row, s->rows + part));
        if (now && !hk_outfile_is_full(now))
            return now;
        problem = now ? now : problem;
        if (now) {
            part /= 2;
            continue;
        }
        memcpy(s->last, block + (part - 1) * row, row);
        memcpy(&s->until, s->last, sizeof s->until);
        done += part;
        s->rows += part;
    }
    if (problem && s->rows) /* the head says again what is there */
        (void)s->format->counted(s->self, s->last, row, s->rows);
    return problem;
}

static int write_out(hk_row_stream *s) {
    if (s->format->counted)
        return write_counted(s);
    uint64_t before = s->file.size;
    int problem = hk_outfile_write(&s->file, s->out, s->used, s->format->whole);
    if (problem) { /* a part of them may be there */
        s->rows += s->format->count(s->out, (size_t)(s->file.size - before), &s->until);
    } else if (s->waiting) {
        s->rows += s->waiting;
        s->until = s->waiting_until;
    }
    return problem;
}

/* Writes the buffer to the file. After a failure rows are only discarded. */
static void emit(hk_row_stream *s) {
    if (!s->used && !(s->format->counted && s->waiting))
        return;
    if (!s->problem) {
        const hk_record *record = s->record;
        bool first = !s->file.size;
        if (first) {
            record->replacing(record->user);
            s->problem = hk_outfile_open(&s->file);
        }
        if (first && !s->problem)
            record->replaced(record->user);
        if (!s->problem)
            s->problem = write_out(s);
    }
    s->used = 0;
    s->waiting = 0;
}

/* Room for SIZE more bytes. False only in a signal handler, where growing is not allowed. */
static bool make_room(hk_row_stream *s, size_t size, bool in_signal) {
    if (s->cap - s->used >= size)
        return true;
    emit(s);
    if (s->cap < size) {
        if (in_signal)
            return false;
        s->out = hk_realloc(s->out, size);
        s->cap = size;
    }
    return true;
}

int hk_row_stream_put(void *stream, hk_rows rows, bool in_signal, size_t *ret_taken) {
    hk_row_stream *s = stream;
    *ret_taken = 0;
    if (!s->head_done && !s->format->counted) {
        if (!make_room(s, s->format->head_size(s->self), in_signal))
            return 0;
        s->used += s->format->head(s->self, s->out + s->used);
        s->head_done = true;
    }
    while (*ret_taken < rows.count && !s->problem) {
        hk_rows left = {rows.first + *ret_taken * rows.stride, rows.stride,
                        rows.count - *ret_taken};
        size_t taken = 0;
        s->used += s->format->rows(s->self, left, s->out + s->used, s->cap - s->used, &taken);
        *ret_taken += taken;
        s->waiting += taken;
        if (taken)
            memcpy(&s->waiting_until, left.first + (taken - 1) * left.stride,
                   sizeof s->waiting_until);
        if (*ret_taken < rows.count) {
            const char *next = rows.first + *ret_taken * rows.stride;
            size_t need = s->format->row_size(s->self, next);
            if (!taken && s->cap - s->used >= need) /* the format can count no further */
                s->problem = EFBIG;
            else if (!make_room(s, need, in_signal))
                break;
        }
    }
    return s->problem;
}

int hk_row_stream_flush(void *stream, bool all) {
    (void)all;
    emit(stream);
    return ((hk_row_stream *)stream)->problem;
}

/* All of the tail or nothing. */
static size_t nothing_whole(const char *out, size_t size) {
    (void)out;
    (void)size;
    return 0;
}

static void write_tail(hk_row_stream *s, const char *about) {
    size_t size = 0;
    char *tail = s->format->tail(about, &size);
    int problem = hk_outfile_write(&s->file, tail, size, nothing_whole);
    s->problem = s->problem ? s->problem : problem;
    hk_free(tail);
}

int hk_row_stream_end(void *stream, const char *about) {
    hk_row_stream *s = stream;
    bool open = !s->problem || hk_outfile_is_full(s->problem); /* for rows; not for what is short */
    if (about && s->format->tail && s->file.regular && s->file.size && open)
        write_tail(s, about);
    int problem = hk_outfile_close(&s->file);
    return s->problem ? s->problem : problem;
}

hk_record_size hk_row_stream_size(const void *stream) {
    const hk_row_stream *s = stream;
    return (hk_record_size){.rows = s->rows,
                            .last = s->until,
                            .bytes = s->file.size,
                            .regular = s->file.regular || s->file.continues};
}

hk_status hk_row_stream_error(hk_ctx *ctx, const void *stream, int problem) {
    return hk_outfile_error(ctx, &((const hk_row_stream *)stream)->file, problem);
}

void hk_row_stream_tell(hk_ctx *ctx, const void *stream) {
    const hk_row_stream *s = stream;
    if (s->format->tell)
        s->format->tell(ctx, s->record->path, s->self);
}

void hk_row_stream_destroy(void *stream) {
    hk_row_stream *s = stream;
    s->format->destroy(s->self);
    hk_free(s->out);
    hk_free(s->last);
    hk_free(s);
}
