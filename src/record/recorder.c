/* SPDX-License-Identifier: MIT
 *
 * The ring of blocks. A block is filled by the engine (rows from its front, texts from its back)
 * and published row by row through its atomic row count, so the side thread may also take the rows
 * of a block that is still being filled; that is how the timed flush works without the engine ever
 * looking at a clock. A full block is marked finished; when its last row is formatted the side
 * thread gives it back. Only the side thread touches the output buffer and the file. */
#include "record/recorder.h"

#include "base/clock.h"
#include "base/file.h"
#include "base/thread.h"
#include "record/beside.h"
#include "record/outfile.h"
#include "record/writer.h"

#include <errno.h>
#include <math.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { DEFAULT_BLOCK_BYTES = 256 * 1024, DEFAULT_BLOCK_COUNT = 8, SIGNAL_WAIT_MS = 2000 };

typedef struct block {
    char *data;
    char *overflow; /* texts of a row that do not fit any block; NULL: not needed so far */
    size_t overflow_size;
    atomic_size_t rows;   /* complete rows in data; stored by the engine */
    atomic_bool finished; /* the engine will add no more */
    size_t done;          /* rows that are formatted; side thread only */
} block;

struct hk_recorder {
    /* Fixed after open. */
    const hk_writer *writer;
    void *writing; /* the writer's own */
    hk_record record;
    block *blocks;
    size_t block_count, block_bytes, stride, row_size;
    size_t *texts; /* offsets in a row of its BYTES cells */
    size_t text_count;
    int64_t flush_ns;
    bool may_thread; /* a side thread may write */
    char *path;
    hk_beside beside; /* where it is said what the record is */
    bool guards;      /* a file of an earlier run is there, which one row alone does not replace */

    /* The engine's side. */
    bool threaded; /* it does: since hk_recorder_start */
    pthread_t thread;
    block *current;
    size_t head;       /* index of current */
    size_t fill, rows; /* of current: bytes of rows at the front, number of rows */
    size_t limit;      /* of current: where its texts begin */
    int64_t wait_ns;

    /* Between the two. */
    sem_t ready;       /* something to do for the side thread */
    sem_t free_blocks; /* beyond the current one */
    atomic_bool flush, closing;
    atomic_bool replaces; /* whatever there is of an earlier run */
    atomic_int error;     /* errno of the failed write; 0: none */
    atomic_uint_fast64_t rows_in, rows_out;

    /* The side thread's side. */
    size_t tail;                              /* index of the block to format next */
    volatile sig_atomic_t working, in_signal; /* without a thread: guards against re-entry */
    int64_t busy_ns;
};

static void forget_about(void *user) {
    hk_recorder *rec = user;
    hk_beside_forget(&rec->beside);
}

static void write_begun(void *user) {
    const hk_recorder *rec = user;
    if (rec->writer->size(rec->writing).regular)
        hk_beside_begin(&rec->beside);
    hk_ledger_begun(rec->beside.noted);
}

/* After a failure rows are only discarded. */
static void note_problem(hk_recorder *rec, int problem) {
    if (problem && !atomic_load_explicit(&rec->error, memory_order_relaxed))
        atomic_store(&rec->error, problem);
    atomic_store(&rec->rows_out, rec->writer->size(rec->writing).rows);
}

/* Hands over what block B has beyond what was done before. */
static bool take_block(hk_recorder *rec, block *b, size_t rows) {
    if (b->done < rows && !atomic_load_explicit(&rec->error, memory_order_relaxed)) {
        hk_rows left = {b->data + b->done * rec->stride, rec->stride, rows - b->done};
        size_t taken = 0;
        note_problem(rec, rec->writer->put(rec->writing, left, rec->in_signal, &taken));
        b->done += taken;
    }
    if (atomic_load_explicit(&rec->error, memory_order_relaxed))
        b->done = rows;
    return b->done == rows;
}

/* A run that does not get beyond its first step has one row, that of its start: for that the record
 * of an earlier run is not given away. So the first row waits for the second one. */
static bool keeps_earlier(const hk_recorder *rec) {
    return rec->guards && !atomic_load(&rec->replaces) && atomic_load(&rec->rows_in) < 2;
}

/* Formats and writes all finished blocks, and with PARTIAL also the rows of the current one. */
static void work(hk_recorder *rec, bool partial) {
    int64_t begin = hk_clock_ns();
    if (keeps_earlier(rec))
        return;
    rec->working = 1;
    for (;;) {
        block *b = &rec->blocks[rec->tail];
        bool finished = atomic_load_explicit(&b->finished, memory_order_acquire);
        if (!finished && !partial)
            break;
        size_t rows = atomic_load_explicit(&b->rows, memory_order_acquire);
        if (!take_block(rec, b, rows) || !finished)
            break;
        b->done = 0;
        atomic_store_explicit(&b->rows, 0, memory_order_relaxed);
        atomic_store_explicit(&b->finished, false, memory_order_relaxed);
        rec->tail = (rec->tail + 1) % rec->block_count;
        sem_post(&rec->free_blocks);
    }
    if (!atomic_load_explicit(&rec->error, memory_order_relaxed))
        note_problem(rec, rec->writer->flush(rec->writing, partial));
    rec->working = 0;
    rec->busy_ns += hk_clock_ns() - begin;
}

static void *side_thread(void *user) {
    hk_recorder *rec = user;
    for (;;) {
        struct timespec until;
        clock_gettime(CLOCK_REALTIME, &until);
        int64_t ns = until.tv_nsec + rec->flush_ns;
        until.tv_sec += (time_t)(ns / 1000000000);
        until.tv_nsec = (long)(ns % 1000000000);
        bool late = sem_timedwait(&rec->ready, &until) != 0;
        bool closing = atomic_load_explicit(&rec->closing, memory_order_acquire);
        bool flush = atomic_load_explicit(&rec->flush, memory_order_acquire);
        work(rec, late || flush || closing);
        if (closing)
            return NULL;
    }
}

/* Hands over the current block and takes the next, waiting for it if need be. */
static void next_block(hk_recorder *rec) {
    atomic_store_explicit(&rec->current->finished, true, memory_order_release);
    if (rec->threaded)
        sem_post(&rec->ready);
    else
        work(rec, false);
    if (sem_trywait(&rec->free_blocks) != 0) {
        int64_t begin = hk_clock_ns();
        while (sem_wait(&rec->free_blocks) != 0) {
            /* interrupted by a signal */
        }
        rec->wait_ns += hk_clock_ns() - begin;
    }
    rec->head = (rec->head + 1) % rec->block_count;
    rec->current = &rec->blocks[rec->head];
    rec->fill = rec->rows = 0;
    rec->limit = rec->block_bytes;
}

static void *row_begin(void *user) {
    hk_recorder *rec = user;
    if (rec->fill + rec->stride > rec->limit)
        next_block(rec);
    return rec->current->data + rec->fill + sizeof(double);
}

static size_t texts_size(const hk_recorder *rec, const char *row) {
    size_t size = 0;
    for (size_t i = 0; i < rec->text_count; i++) {
        hk_bytes text;
        memcpy(&text, row + rec->texts[i], sizeof text);
        size += text.size;
    }
    return size;
}

/* Copies the texts of the row into its block, since they are gone after row_end. If they do not fit
 * the row moves to a fresh block; if they fit no block at all they get memory of their own. */
static void keep_texts(hk_recorder *rec) {
    char *row = rec->current->data + rec->fill + sizeof(double);
    size_t size = texts_size(rec, row);
    if (size > rec->limit - rec->fill - rec->stride && rec->rows) {
        next_block(rec);
        row = memcpy(rec->current->data + sizeof(double), row, rec->row_size);
    }
    block *b = rec->current;
    char *to = b->overflow;
    if (size <= rec->limit - rec->fill - rec->stride) {
        rec->limit -= size;
        to = b->data + rec->limit;
    } else {
        if (b->overflow_size < size) {
            hk_free(b->overflow);
            to = b->overflow = hk_realloc(NULL, size);
            b->overflow_size = size;
        }
        rec->limit = rec->stride; /* the block holds this row alone: the memory has one user */
    }
    for (size_t i = 0; i < rec->text_count; i++) {
        hk_bytes text;
        memcpy(&text, row + rec->texts[i], sizeof text);
        if (text.size)
            memcpy(to, text.data, text.size);
        text.data = to;
        to += text.size;
        memcpy(row + rec->texts[i], &text, sizeof text);
    }
}

static bool row_end(void *user, double time) {
    hk_recorder *rec = user;
    if (rec->text_count)
        keep_texts(rec);
    memcpy(rec->current->data + rec->fill, &time, sizeof time);
    rec->fill += rec->stride;
    rec->rows++;
    atomic_store_explicit(&rec->current->rows, rec->rows, memory_order_release);
    /* One thread adds, so that a load and a store do. */
    uint64_t rows = atomic_load_explicit(&rec->rows_in, memory_order_relaxed);
    atomic_store_explicit(&rec->rows_in, rows + 1, memory_order_relaxed);
    return !atomic_load_explicit(&rec->error, memory_order_relaxed);
}

hk_sink hk_recorder_sink(hk_recorder *recorder) {
    return (hk_sink){.row_begin = row_begin, .row_end = row_end, .user = recorder};
}

static void make_blocks(hk_recorder *rec, const hk_recorder_options *options) {
    size_t bytes = options->block_bytes ? options->block_bytes : DEFAULT_BLOCK_BYTES;
    rec->block_bytes = bytes > rec->stride ? bytes : rec->stride;
    size_t count = options->block_count ? options->block_count : DEFAULT_BLOCK_COUNT;
    rec->block_count = count < 2 ? 2 : count;
    rec->blocks = hk_alloc(rec->block_count * sizeof *rec->blocks);
    for (size_t i = 0; i < rec->block_count; i++)
        rec->blocks[i].data = hk_alloc(rec->block_bytes);
    rec->current = rec->blocks;
    rec->limit = rec->block_bytes;
    sem_init(&rec->ready, 0, 0);
    sem_init(&rec->free_blocks, 0, (unsigned)(rec->block_count - 1));
}

static void destroy(hk_recorder *rec) {
    for (size_t i = 0; i < rec->block_count; i++) {
        hk_free(rec->blocks[i].data);
        hk_free(rec->blocks[i].overflow);
    }
    sem_destroy(&rec->ready);
    sem_destroy(&rec->free_blocks);
    if (rec->writing)
        rec->writer->destroy(rec->writing);
    hk_free(rec->blocks);
    hk_free(rec->texts);
    hk_free(rec->path);
    hk_free(rec->beside.path);
    free(rec->beside.begun);
    hk_free(rec);
}

/* The file, its format and its neighbour; what would make them fail is found out early. */
static hk_status take_files(hk_ctx *ctx, hk_recorder *rec) {
    HK_TRY(hk_beside_claim(ctx, &rec->beside, rec->path));
    hk_status status = hk_writer_find(ctx, rec->path, &rec->writer);
    if (status == HK_OK && rec->record.resumes &&
        (!rec->writer->resumes || strcmp(rec->path, "-") == 0))
        status = hk_error(ctx, HK_E_USAGE, (hk_where){.file = rec->path},
                          "load the state with --load-state, and write another file",
                          "only a CSV file can be continued");
    if (status == HK_OK)
        status = rec->writer->begin(ctx, &rec->record, &rec->writing);
    if (status != HK_OK)
        hk_beside_unclaim(ctx, &rec->beside, rec->path);
    return status;
}

static void find_texts(hk_recorder *rec) {
    const hk_record *record = &rec->record;
    rec->texts = hk_alloc(record->column_count * sizeof *rec->texts);
    for (size_t i = 0; i < record->column_count; i++)
        if (record->columns[i].store == HK_STORE_BYTES)
            rec->texts[rec->text_count++] = record->columns[i].offset;
}

/* The recorder without its file and its thread. */
static hk_recorder *create(const char *path, const hk_row_layout *layout,
                           const hk_recorder_options *options) {
    hk_recorder *rec = hk_alloc(sizeof *rec);
    rec->path = memcpy(hk_alloc(strlen(path) + 1), path, strlen(path));
    double interval = options->flush_interval_s > 0 ? options->flush_interval_s : 0.5;
    rec->flush_ns = (int64_t)(1e9 * (interval < 3600 ? interval : 3600));
    rec->beside.path = hk_beside_place(path);
    if (rec->beside.path && options->begun)
        rec->beside.begun = hk_about_text(path, layout->columns, layout->column_count, HK_ROWS_OPEN,
                                          options->begun);
    rec->record = (hk_record){.path = rec->path,
                              .columns = layout->columns,
                              .column_count = layout->column_count,
                              .begun = rec->beside.begun,
                              .flush_ns = rec->flush_ns,
                              .resumes = options->resumed != NULL,
                              .resumed = options->resumed ? *options->resumed : (hk_resumed){0},
                              .replacing = forget_about,
                              .replaced = write_begun,
                              .user = rec};
    rec->row_size = layout->row_size;
    rec->stride = sizeof(double) + (layout->row_size + 7) / 8 * 8;
    find_texts(rec);
    make_blocks(rec, options);
    return rec;
}

void hk_recorder_start(hk_recorder *rec) {
    if (rec && rec->may_thread && !rec->threaded)
        rec->threaded = hk_thread_start(&rec->thread, side_thread, rec) == 0;
}

hk_status hk_recorder_open(hk_ctx *ctx, const char *path, const hk_row_layout *layout,
                           const hk_recorder_options *options, hk_recorder **ret_recorder) {
    static const hk_recorder_options defaults;
    if (!options)
        options = &defaults;
    hk_recorder *rec = create(path, layout, options);
    hk_status status = take_files(ctx, rec);
    if (status != HK_OK) {
        destroy(rec);
        return status;
    }
    atomic_store(&rec->rows_in, rec->writer->size(rec->writing).rows);
    atomic_store(&rec->rows_out, rec->writer->size(rec->writing).rows);
    if (rec->beside.path)
        rec->beside.noted = hk_ledger_open(rec->beside.path);
    if (rec->record.resumes)
        hk_ledger_begun(rec->beside.noted);
    rec->guards = !rec->record.resumes && strcmp(path, "-") != 0 && hk_file_is_regular(path);
    rec->may_thread = !options->no_thread;
    if (!options->thread_later)
        hk_recorder_start(rec);
    *ret_recorder = rec;
    return HK_OK;
}

/* What the record says about itself when no more rows come. One that could not be written to its
 * end is of the run up to its last row. Free with free(). */
static char *say(const hk_recorder *rec, const hk_about *about) {
    const hk_record *record = &rec->record;
    hk_record_size size = rec->writer->size(rec->writing);
    hk_about cut = *about;
    if (atomic_load(&rec->error) && !isnan(size.last))
        cut.end = size.last;
    return hk_about_text(rec->path, record->columns, record->column_count, size.rows, &cut);
}

/* Ends a record that has failed. Beside it is nothing if it is not there; else what can be said of
 * its rows. That is written first: what was reserved for it has room for the same inside, too. */
static hk_status end_in_part(hk_ctx *ctx, hk_recorder *rec, const hk_about *about, int problem) {
    bool beside = about && rec->beside.path && hk_outfile_is_full(problem);
    char *text = beside ? say(rec, about) : NULL;
    hk_record_size size = rec->writer->size(rec->writing);
    bool said = beside && size.regular && size.bytes && hk_beside_say_in_part(&rec->beside, text);
    (void)rec->writer->end(rec->writing, text);
    hk_status status = rec->writer->error(ctx, rec->writing, problem);
    uint64_t rows = size.rows;
    size = rec->writer->size(rec->writing);
    if (beside && size.rows != rows) {
        free(text);
        text = say(rec, about);
        said = hk_beside_say_in_part(&rec->beside, text);
    }
    if (size.regular && !size.bytes && rec->beside.path)
        (void)unlink(rec->beside.path);
    else if (beside && size.regular && !said)
        hk_beside_warn(ctx, &rec->beside);
    free(text);
    return status;
}

/* Ends the file, and puts beside it what it is if it is there. */
static hk_status end_files(hk_ctx *ctx, hk_recorder *rec, const hk_about *about, int *ret_problem) {
    int problem = *ret_problem = atomic_load(&rec->error);
    if (problem)
        return end_in_part(ctx, rec, about, problem);
    char *text = about && rec->beside.path ? say(rec, about) : NULL;
    problem = *ret_problem = rec->writer->end(rec->writing, text);
    hk_record_size size = rec->writer->size(rec->writing);
    hk_status status = problem ? rec->writer->error(ctx, rec->writing, problem) : HK_OK;
    if (status == HK_OK && text && size.regular && size.bytes)
        status = hk_file_write(ctx, rec->beside.path, text, strlen(text));
    else if (problem && size.regular && !size.bytes && rec->beside.path)
        (void)unlink(rec->beside.path);
    else if (hk_outfile_is_full(problem) && text && size.regular &&
             !hk_beside_say_in_part(&rec->beside, text))
        hk_beside_warn(ctx, &rec->beside);
    free(text);
    return status;
}

void hk_recorder_flush(hk_recorder *rec) {
    if (!rec)
        return;
    atomic_store(&rec->replaces, true);
    if (!rec->threaded) {
        work(rec, true);
        return;
    }
    atomic_store(&rec->flush, true);
    sem_post(&rec->ready);
    while (atomic_load(&rec->rows_out) < atomic_load(&rec->rows_in) && !atomic_load(&rec->error))
        nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL);
    atomic_store(&rec->flush, false);
}

hk_status hk_recorder_close(hk_ctx *ctx, hk_recorder *rec, const hk_about *about,
                            hk_recorder_stats *ret_stats) {
    if (!rec) {
        if (ret_stats)
            *ret_stats = (hk_recorder_stats){0};
        return HK_OK;
    }
    if (!about || !about->ended || !hk_about_is_cut_off(about->ended) || about->end > about->start)
        atomic_store(&rec->replaces, true);
    bool kept = atomic_load(&rec->rows_in) > 0 && keeps_earlier(rec);
    if (rec->threaded) {
        atomic_store_explicit(&rec->closing, true, memory_order_release);
        sem_post(&rec->ready);
        pthread_join(rec->thread, NULL);
    } else {
        work(rec, true);
    }
    int problem = 0;
    hk_status status = end_files(ctx, rec, about, &problem);
    hk_record_size size = rec->writer->size(rec->writing);
    if (ret_stats)
        *ret_stats = (hk_recorder_stats){.rows = size.rows,
                                         .bytes = size.bytes,
                                         .cut = problem != 0,
                                         .kept_earlier = kept,
                                         .busy_s = 1e-9 * (double)rec->busy_ns,
                                         .wait_s = 1e-9 * (double)rec->wait_ns};
    rec->writer->tell(ctx, rec->writing);
    if (kept)
        hk_note(ctx, (hk_where){.file = rec->path},
                "it stays as an earlier run left it: this one ended in its first step");
    hk_beside_unclaim(ctx, &rec->beside, rec->path);
    hk_ledger_close(rec->beside.noted);
    destroy(rec);
    return status;
}

/* The time of the last row; NaN: it is not known. */
static double last_time(const hk_recorder *rec) {
    double time = (double)NAN;
    if (rec->rows)
        memcpy(&time, rec->current->data + (rec->rows - 1) * rec->stride, sizeof time);
    return time;
}

void hk_recorder_flush_from_signal(hk_recorder *rec) {
    hk_recorder_end_from_signal(rec, "failed: cut off");
}

void hk_recorder_end_from_signal(hk_recorder *rec, const char *why) {
    if (!rec)
        return;
    int saved = errno;
    if (keeps_earlier(rec)) {
        errno = saved;
        return;
    }
    if (!rec->threaded) {
        rec->in_signal = 1;
        if (!rec->working && rec->writer->in_signals)
            work(rec, true);
        rec->in_signal = 0;
    } else if (!pthread_equal(pthread_self(), rec->thread)) {
        atomic_store(&rec->flush, true);
        sem_post(&rec->ready);
        int64_t until = hk_clock_ns() + (int64_t)SIGNAL_WAIT_MS * 1000000;
        while (atomic_load(&rec->rows_out) < atomic_load(&rec->rows_in) &&
               !atomic_load(&rec->error) && hk_clock_ns() < until)
            nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
    if (rec->beside.path && rec->beside.begun)
        hk_about_cut_off(rec->beside.path, rec->beside.begun, why, last_time(rec));
    errno = saved;
}
