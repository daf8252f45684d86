/* SPDX-License-Identifier: MIT
 *
 * The child writes parts, each with a letter and a size: what it has to say ('d'), the columns
 * ('c'), rows ('r'), and with which status it is done ('e'). Nothing of that is believed: each
 * size is compared with what has come, and a child that ends without an 'e' has failed. */
#include "format/table_apart.h"

#include "base/child.h"

#include <limits.h>
#include <signal.h>
#include <string.h>

enum { CPU_S = 20, BYTES_PER_CPU_S = 1 << 16, PATIENCE_MS = 600 * 1000, OUT_BYTES = 1 << 18 };
static const uint64_t MORE_BYTES = UINT64_C(2) << 30;

typedef struct part_head {
    uint64_t size;
    char kind, unused[7];
} part_head;

/* --- the child ---------------------------------------------------------------------------------*/

typedef struct teller {
    const hk_apart *how;
    const char *path;
    bool strict;
    int pipe;
    hk_ctx *said; /* NULL: not begun */
    size_t told;
    char *out;
    size_t used, cap, part; /* part: where the one that is being written begins */
} teller;

static void put(teller *t, const void *data, size_t size) {
    if (t->cap - t->used < size) {
        t->cap = 2 * (t->cap + size);
        t->out = hk_realloc(t->out, t->cap);
    }
    if (size)
        memcpy(t->out + t->used, data, size);
    t->used += size;
}

static void put_number(teller *t, int64_t number) {
    put(t, &number, sizeof number);
}

/* -1: there is none. */
static void put_bytes(teller *t, const char *text, size_t size) {
    put_number(t, text ? (int64_t)size : -1);
    put(t, text, text ? size : 0);
}

static void put_text(teller *t, const char *text) {
    put_bytes(t, text, text ? strlen(text) : 0);
}

static void begin_part(teller *t, char kind) {
    part_head head = {.kind = kind};
    t->part = t->used;
    put(t, &head, sizeof head);
}

static void end_part(teller *t, bool send) {
    uint64_t size = t->used - t->part - sizeof(part_head);
    memcpy(t->out + t->part + offsetof(part_head, size), &size, sizeof size);
    if (!send && t->used < OUT_BYTES)
        return;
    hk_child_put(t->pipe, t->out, t->used);
    t->used = 0;
}

static void put_said(teller *t) {
    for (; t->told < hk_ctx_count(t->said, HK_NOTE); t->told++) {
        const hk_diag *d = hk_ctx_diag(t->said, t->told);
        begin_part(t, 'd');
        put_number(t, d->code);
        put_number(t, d->severity);
        put_number(t, d->where.line);
        put_number(t, d->where.column);
        put_text(t, d->where.file);
        put_text(t, d->where.element);
        put_text(t, d->hint);
        put_text(t, d->text);
        end_part(t, true);
    }
}

static void put_columns(teller *t, const hk_table_column *columns, size_t count, size_t rows) {
    begin_part(t, 'c');
    put_number(t, (int64_t)rows);
    put_number(t, (int64_t)count);
    for (size_t i = 0; i < count; i++) {
        const hk_table_column *c = &columns[i];
        put_text(t, c->name);
        put_text(t, c->unit);
        put_number(t, c->type);
        put_number(t, (int64_t)c->item_count);
        for (size_t k = 0; k < c->item_count; k++) {
            put_text(t, c->item_names[k]);
            put_number(t, c->item_values[k]);
        }
        put_text(t, c->array);
        put_number(t, (int64_t)c->dim_count);
        for (size_t k = 0; k < c->dim_count; k++)
            put_number(t, (int64_t)c->dims[k]);
        put_number(t, (int64_t)c->element);
    }
    end_part(t, true);
}

static void put_row(teller *t, const hk_table_row *row, size_t count) {
    begin_part(t, 'r');
    put(t, &row->time, sizeof row->time);
    put_number(t, row->line);
    for (size_t i = 0; i < count; i++) {
        put_number(t, row->cells[i].is_text);
        put_bytes(t, row->cells[i].text, row->cells[i].length);
    }
    end_part(t, false);
}

static hk_status tell_table(teller *t) {
    const hk_table_format *inside = t->how->inside;
    void *self = NULL;
    size_t count = 0;
    const hk_table_row *row = NULL;
    HK_TRY(inside->open(t->said, t->path, t->strict, &self));
    const hk_table_column *columns = inside->columns(self, &count);
    put_said(t);
    put_columns(t, columns, count, inside->rows(self));
    do {
        HK_TRY(inside->next(self, &row)); /* nothing is freed: the process ends */
        if (row)
            put_row(t, row, count);
    } while (row);
    return HK_OK;
}

static void tell(int pipe, void *user) {
    teller *t = user;
    sigset_t none;
    t->how->release();
    sigemptyset(&none);
    (void)sigprocmask(SIG_SETMASK, &none, NULL); /* the limit of time is a signal */
    t->pipe = pipe;
    t->said = hk_ctx_create(NULL, NULL);
    hk_status status = tell_table(t);
    put_said(t);
    begin_part(t, 'e');
    put_number(t, status);
    end_part(t, true);
}

/* --- the parent --------------------------------------------------------------------------------*/

typedef struct apart {
    hk_ctx *ctx;
    const hk_apart *how;
    const char *path;
    hk_child child;
    bool over; /* the child is gone */
    hk_arena *arena;
    char *data; /* what has come, from AT on not yet looked at */
    size_t at, size, cap;
    hk_table_column *columns;
    size_t count, rows;
    hk_table_cell *cells;
    hk_table_row row;
} apart;

/* A part that has come; false of what is taken from it: it is not what it should be. */
typedef struct part {
    char kind;
    const char *data;
    size_t size, at;
} part;

static bool take(part *p, void *to, size_t size) {
    if (p->size - p->at < size)
        return false;
    memcpy(to, p->data + p->at, size);
    p->at += size;
    return true;
}

static bool take_number(part *p, int64_t least, int64_t most, int64_t *ret_number) {
    return take(p, ret_number, sizeof *ret_number) && *ret_number >= least && *ret_number <= most;
}

/* As it lies in the part. */
static bool take_view(part *p, const char **ret_text, size_t *ret_size) {
    int64_t size;
    *ret_text = NULL;
    if (!take_number(p, -1, (int64_t)(p->size - p->at), &size) ||
        (size > 0 && (uint64_t)size > p->size - p->at))
        return false;
    *ret_size = size > 0 ? (size_t)size : 0;
    *ret_text = size >= 0 ? p->data + p->at : NULL;
    p->at += *ret_size;
    return true;
}

static bool take_text(part *p, hk_arena *arena, const char **ret_text) {
    const char *view;
    size_t size = 0;
    if (!take_view(p, &view, &size))
        return false;
    *ret_text = view ? hk_arena_strndup(arena, view, size) : NULL;
    return true;
}

/* What the end of the child means. */
static hk_status say_damaged(apart *a, bool late) {
    static const char hint[] = "make the file again, or take a copy that is whole";
    hk_where where = {.file = a->path};
    const char *library = a->how->library;
    int status = hk_child_end(&a->child, late);
    a->over = true;
    if (late || status == HK_CHILD_SIGNAL + SIGXCPU || status == HK_CHILD_SIGNAL + SIGKILL)
        return hk_error(a->ctx, HK_E_FILE_READ, where, hint,
                        "it is damaged: %s does not come to an end when it reads it", library);
    if (status == HK_CHILD_MEMORY)
        return hk_error(a->ctx, HK_E_FILE_READ, where, hint,
                        "it is damaged: %s needs more than 2 GiB of memory to read it", library);
    if (status > HK_CHILD_SIGNAL)
        return hk_error(a->ctx, HK_E_FILE_READ, where, hint,
                        "it is damaged: %s ends by signal %d when it reads it", library,
                        status - HK_CHILD_SIGNAL);
    return hk_error(a->ctx, HK_E_FILE_READ, where, hint,
                    "it is damaged: %s ends before all of it is read", library);
}

/* Waits until SIZE bytes are there. Memory grows with what comes, not with what is announced. */
static hk_status await(apart *a, size_t size) {
    enum { CHUNK = 1 << 18 };
    while (a->size - a->at < size) {
        if (a->at && a->cap - a->size < CHUNK) {
            memmove(a->data, a->data + a->at, a->size - a->at);
            a->size -= a->at;
            a->at = 0;
        }
        if (a->cap - a->size < CHUNK) {
            a->cap = 2 * a->cap + CHUNK;
            a->data = hk_realloc(a->data, a->cap);
        }
        ssize_t got = hk_child_read(&a->child, a->data + a->size, a->cap - a->size, PATIENCE_MS);
        if (got <= 0)
            return say_damaged(a, got < 0);
        a->size += (size_t)got;
    }
    return HK_OK;
}

static hk_status bad_part(apart *a) {
    return say_damaged(a, true);
}

static bool is_status(int64_t number) {
    bool known = number == HK_OK;
    for (size_t i = 0; !known && hk_status_by_index(i) != HK_OK; i++)
        known = hk_status_by_index(i) == number;
    return known;
}

/* Says what the child has said. */
static bool repeat(apart *a, part *p) {
    int64_t code, severity, line, column;
    const char *text;
    hk_diag d = {0};
    if (!take_number(p, 0, INT_MAX, &code) || !is_status(code) ||
        !take_number(p, HK_NOTE, HK_ERROR, &severity) || !take_number(p, 0, INT_MAX, &line) ||
        !take_number(p, 0, INT_MAX, &column) || !take_text(p, a->arena, &d.where.file) ||
        !take_text(p, a->arena, &d.where.element) || !take_text(p, a->arena, &d.hint) ||
        !take_text(p, a->arena, &text) || !text)
        return false;
    d.code = (hk_status)code;
    d.severity = (hk_severity)severity;
    d.where.line = (int)line;
    d.where.column = (int)column;
    d.text = text;
    hk_say_again(a->ctx, &d);
    return true;
}

/* The next part but for what is said. */
static hk_status next_part(apart *a, part *ret_part) {
    for (;;) {
        part_head head;
        HK_TRY(await(a, sizeof head));
        memcpy(&head, a->data + a->at, sizeof head);
        if (head.size > SIZE_MAX / 4)
            return bad_part(a);
        HK_TRY(await(a, sizeof head + (size_t)head.size));
        *ret_part = (part){head.kind, a->data + a->at + sizeof head, (size_t)head.size, 0};
        a->at += sizeof head + (size_t)head.size;
        if (head.kind != 'd')
            return HK_OK;
        if (!repeat(a, ret_part))
            return bad_part(a);
    }
}

/* The child is done; what it could not read it has said. */
static hk_status take_end(apart *a, part *p) {
    int64_t status;
    if (p->kind != 'e' || !take_number(p, 0, INT_MAX, &status) || !is_status(status))
        return bad_part(a);
    (void)hk_child_end(&a->child, true);
    a->over = true;
    return (hk_status)status;
}

static bool take_items(apart *a, part *p, hk_table_column *c) {
    int64_t count;
    if (!take_number(p, 0, (int64_t)(p->size - p->at), &count))
        return false;
    const char **names = HK_NEW_ARRAY(a->arena, const char *, (size_t)count);
    int64_t *values = HK_NEW_ARRAY(a->arena, int64_t, (size_t)count);
    for (int64_t i = 0; i < count; i++)
        if (!take_text(p, a->arena, &names[i]) || !names[i] ||
            !take_number(p, INT64_MIN, INT64_MAX, &values[i]))
            return false;
    c->item_names = names;
    c->item_values = values;
    c->item_count = (size_t)count;
    return true;
}

static bool take_shape(apart *a, part *p, hk_table_column *c) {
    int64_t count, number;
    if (!take_text(p, a->arena, &c->array) ||
        !take_number(p, 0, (int64_t)(p->size - p->at) / (int64_t)sizeof count, &count))
        return false;
    size_t *dims = HK_NEW_ARRAY(a->arena, size_t, (size_t)count);
    for (int64_t i = 0; i < count; i++) {
        if (!take_number(p, 0, INT64_MAX, &number))
            return false;
        dims[i] = (size_t)number;
    }
    if (!take_number(p, 0, INT64_MAX, &number))
        return false;
    c->dims = dims;
    c->dim_count = (size_t)count;
    c->element = (size_t)number;
    return true;
}

static bool take_columns(apart *a, part *p) {
    int64_t rows, count, type;
    if (p->kind != 'c' || !take_number(p, 0, INT64_MAX, &rows) ||
        !take_number(p, 1, (int64_t)p->size, &count))
        return false;
    a->columns = HK_NEW_ARRAY(a->arena, hk_table_column, (size_t)count);
    a->rows = (size_t)rows;
    for (int64_t i = 0; i < count; i++) {
        hk_table_column *c = &a->columns[i];
        if (!take_text(p, a->arena, &c->name) || !c->name || !take_text(p, a->arena, &c->unit) ||
            !take_number(p, 0, HK_TYPE_COUNT, &type) || !take_items(a, p, c) ||
            !take_shape(a, p, c))
            return false;
        c->type = (hk_type)type;
    }
    a->count = (size_t)count;
    a->cells = HK_NEW_ARRAY(a->arena, hk_table_cell, (size_t)count);
    a->row.cells = a->cells;
    return true;
}

static bool take_row(apart *a, part *p) {
    int64_t line, is_text;
    if (!take(p, &a->row.time, sizeof a->row.time) || !take_number(p, 0, INT_MAX, &line))
        return false;
    a->row.line = (int)line;
    for (size_t i = 0; i < a->count; i++) {
        hk_table_cell cell = {0};
        if (!take_number(p, 0, 1, &is_text) || !take_view(p, &cell.text, &cell.length) ||
            !cell.text)
            return false;
        cell.is_text = is_text != 0;
        a->cells[i] = cell;
    }
    return true;
}

hk_status hk_apart_next(void *self, const hk_table_row **ret_row) {
    apart *a = self;
    part p;
    *ret_row = NULL;
    if (a->over)
        return HK_OK;
    HK_TRY(next_part(a, &p));
    if (p.kind != 'r')
        return take_end(a, &p);
    if (!take_row(a, &p))
        return bad_part(a);
    *ret_row = &a->row;
    return HK_OK;
}

/* --- life --------------------------------------------------------------------------------------*/

void hk_apart_close(void *self) {
    apart *a = self;
    if (!a->over)
        (void)hk_child_end(&a->child, true);
    hk_free(a->data);
    hk_arena_destroy(a->arena);
    hk_free(a);
}

static hk_status begin(apart *a, bool strict, uint64_t bytes) {
    uint64_t cpu = CPU_S + bytes / BYTES_PER_CPU_S;
    teller t = {.how = a->how, .path = a->path, .strict = strict};
    part p;
    a->how->hold();
    int problem = hk_child_start(
        &a->child,
        (hk_child_limits){cpu < INT_MAX ? (unsigned)cpu : INT_MAX, MORE_BYTES + 2 * bytes}, tell,
        &t);
    a->how->release();
    a->over = problem != 0;
    if (problem)
        return hk_error(a->ctx, HK_E_FILE_READ, (hk_where){.file = a->path}, NULL,
                        "cannot read it: no process can be made: %s", strerror(problem));
    HK_TRY(next_part(a, &p));
    if (p.kind == 'c')
        return take_columns(a, &p) ? HK_OK : bad_part(a);
    hk_status status = take_end(a, &p);
    return status == HK_OK ? hk_error(a->ctx, HK_E_FILE_READ, (hk_where){.file = a->path}, NULL,
                                      "it is damaged: it has no columns")
                           : status;
}

hk_status hk_apart_open(hk_ctx *ctx, const hk_apart *how, const char *path, uint64_t bytes,
                        bool strict, void **ret_self) {
    apart *a = hk_alloc(sizeof *a);
    *a = (apart){.ctx = ctx, .how = how, .path = path, .arena = hk_arena_create()};
    hk_status status = begin(a, strict, bytes);
    if (status != HK_OK) {
        hk_apart_close(a);
        return status;
    }
    *ret_self = a;
    return HK_OK;
}

const hk_table_column *hk_apart_columns(const void *self, size_t *ret_count) {
    const apart *a = self;
    *ret_count = a->count;
    return a->columns;
}

size_t hk_apart_rows(const void *self) {
    return ((const apart *)self)->rows;
}
