/* SPDX-License-Identifier: MIT */
#include "record/about.h"

#include "base/file.h"
#include "base/ledger.h"
#include "base/libm.h"
#include "base/number.h"

#include <hk/version.h>

#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ABOUT_MAX = 64 << 20 };

const char *hk_monitor_name(hk_monitor monitor, bool contract) {
    switch (monitor) {
    case HK_MONITOR_OFF:
        return "off";
    case HK_MONITOR_VALUES:
        return "values";
    case HK_MONITOR_PHASE:
        break;
    }
    return contract ? "contract" : "phase";
}

void hk_put_checked(hk_json *json, const char *key, const hk_soundness *sound,
                    const char *contract) {
    hk_json_object(json, key);
    hk_json_string(json, "monitor", hk_monitor_name(sound->monitor, contract != NULL));
    hk_json_i64(json, "calls", (int64_t)sound->calls);
    hk_json_i64(json, "phases", (int64_t)sound->phases);
    if (sound->monitor == HK_MONITOR_VALUES) {
        hk_json_i64(json, "values", (int64_t)sound->values);
        hk_json_i64(json, "values_not_compared", (int64_t)sound->unvalued);
    }
    if (contract)
        hk_json_string(json, "contract", contract);
    hk_json_end(json);
}

void hk_put_libraries(hk_json *json, const hk_model *model) {
    HK_JSON_EACH(json, "plugins", i, model->library_count) {
        const hk_library *l = model->libraries[i];
        hk_json_string(json, "file", l->file);
        hk_json_string(json, "compiler", l->compiler ? l->compiler : "not known");
        if (l->flags)
            hk_json_string(json, "flags", l->flags);
        if (l->cxx_compiler) {
            hk_json_string(json, "cxx_compiler", l->cxx_compiler);
            hk_json_string(json, "cxx_flags", l->cxx_flags);
        }
    }
}

char *hk_about_path(const char *record) {
    static const char ending[] = "-metadata.json";
    size_t size = strlen(record);
    char *path = hk_alloc(size + sizeof ending);
    memcpy(path, record, size);
    memcpy(path + size, ending, sizeof ending);
    return path;
}

/* The words of the W3C for what is in a column. */
static const char *datatype(const hk_column *column) {
    switch (column->store) {
    case HK_STORE_F64:
        return "double";
    case HK_STORE_F32:
        return "float";
    case HK_STORE_I8:
        return "byte";
    case HK_STORE_U8:
        return "unsignedByte";
    case HK_STORE_I16:
        return "short";
    case HK_STORE_U16:
        return "unsignedShort";
    case HK_STORE_I32:
        return "int";
    case HK_STORE_U32:
        return "unsignedInt";
    case HK_STORE_I64:
        return "long";
    case HK_STORE_U64:
        return "unsignedLong";
    case HK_STORE_BOOL8:
    case HK_STORE_BOOL32:
        return "boolean";
    case HK_STORE_BYTES:
        return column->type == HK_TYPE_BINARY ? "hexBinary" : "string";
    case HK_STORE_COUNT:
        break;
    }
    return "string";
}

/* What the numbers of an enumeration mean. */
static void put_items(hk_json *json, const hk_enum *items) {
    HK_JSON_EACH(json, "schema:valueReference", i, items->item_count) {
        hk_json_string(json, "schema:name", items->item_names[i]);
        hk_json_i64(json, "schema:value", items->item_values[i]);
    }
}

static void put_column(hk_json *json, const char *title, const char *type, const char *unit,
                       const hk_enum *items) {
    hk_json_object(json, NULL);
    hk_json_string(json, "titles", title);
    hk_json_string(json, "datatype", type);
    if (unit)
        hk_json_string(json, "schema:unitText", unit);
    if (items)
        put_items(json, items);
    hk_json_end(json);
}

const hk_enum *hk_column_items(const hk_column *column) {
    const hk_enum *items = column->of && !column->transform ? column->of->enumeration : NULL;
    return items && items->item_count ? items : NULL;
}

static void put_columns(hk_json *json, const hk_column *columns, size_t count) {
    hk_json_object(json, "tableSchema");
    hk_json_array(json, "columns");
    put_column(json, "time", "double", "s", NULL);
    for (size_t i = 0; i < count; i++)
        put_column(json, columns[i].name, datatype(&columns[i]), columns[i].unit,
                   hk_column_items(&columns[i]));
    hk_json_end(json);
    hk_json_end(json);
}

static void put_fused(hk_json *json, const hk_fused_count *fused) {
    hk_json_object(json, "fused");
    hk_json_string(json, "compiler", fused->compiler ? fused->compiler : "not known");
    if (fused->flags)
        hk_json_string(json, "flags", fused->flags);
    hk_json_i64(json, "cells", (int64_t)fused->fused);
    hk_json_i64(json, "of", (int64_t)fused->cells);
    hk_json_end(json);
}

static void put_end(hk_json *json, uint64_t rows, const hk_about *about) {
    hk_json_f64(json, "start_s", about->start);
    hk_json_f64(json, "end_s", about->end);
    hk_json_string(json, "ended", about->ended ? about->ended : "at its stop time");
    hk_json_i64(json, "rows", (int64_t)rows);
    hk_put_checked(json, "checked", &about->sound, about->contract);
    if (about->mathematics)
        hk_put_mathematics(json, "mathematics", about->mathematics);
    hk_put_coverage(json, &about->coverage);
    if (about->fused.attached)
        put_fused(json, &about->fused);
}

static void put_events(hk_json *json, const hk_about *about) {
    HK_JSON_EACH(json, "events", i, about->event_count) {
        hk_json_f64(json, "time_s", about->events[i].time);
        hk_json_string(json, "what", about->events[i].words);
    }
    if (about->events_left_out)
        hk_json_i64(json, "events_left_out", (int64_t)about->events_left_out);
}

/* The column that shows a signal; NULL: none does. */
static const hk_column *column_of(const hk_signal *signal, const hk_column *columns, size_t count) {
    for (size_t i = 0; i < count; i++) {
        const hk_column *c = &columns[i];
        const hk_transform *shown = signal->shown ? &signal->shown->transform : NULL;
        if (c->component == signal->component && c->variable == signal->variable &&
            c->element == signal->element && (c->transform == shown || !c->transform == !shown))
            return c;
    }
    return NULL;
}

static void put_limit(hk_json *json, const hk_about_limit *limit, const hk_column *column) {
    static const char *const keys[] = {"at_least", "above", "at_most", "below"};
    hk_json_object(json, NULL);
    hk_json_string(json, "column", column->name);
    hk_json_f64(json, keys[2 * limit->upper + limit->strict], limit->value);
    if (isfinite(limit->from))
        hk_json_f64(json, "from_s", limit->from);
    if (isfinite(limit->to))
        hk_json_f64(json, "to_s", limit->to);
    hk_json_end(json);
}

static void put_expectations(hk_json *json, const hk_about *about, const hk_column *columns,
                             size_t count) {
    HK_JSON_EACH(json, "expectations", i, about->expectation_count) {
        const hk_about_expectation *e = &about->expectations[i];
        hk_json_string(json, "expects", e->words);
        hk_json_string(json, "verdict", e->verdict);
        if (isfinite(e->time))
            hk_json_f64(json, "time_s", e->time);
        hk_json_array(json, "limits");
        for (size_t k = 0; k < e->limit_count; k++) {
            const hk_column *column = column_of(&e->limits[k].signal, columns, count);
            if (column)
                put_limit(json, &e->limits[k], column);
        }
        hk_json_end(json);
    }
}

static void put_run(hk_json *json, uint64_t rows, const hk_about *about, const hk_column *columns,
                    size_t count) {
    hk_json_array(json, "notes");
    hk_json_object(json, NULL);
    char maker[64];
    snprintf(maker, sizeof maker, "hocket %d.%d.%d", HK_VERSION_MAJOR, HK_VERSION_MINOR,
             HK_VERSION_PATCH);
    char libm[HK_LIBM_TEXT];
    hk_json_string(json, "made_by", maker);
    hk_json_string(json, "libm", hk_libm_text(hk_libm_hash(), libm));
    hk_json_string(json, "system", about->system);
    if (about->model && about->model->library_count)
        hk_put_libraries(json, about->model);
    if (about->scenario) {
        hk_json_string(json, "scenario", about->scenario);
        hk_json_i64(json, "run", about->run);
    }
    if (rows != HK_ROWS_OPEN)
        put_end(json, rows, about);
    else
        hk_json_string(json, "ended", HK_ABOUT_OPEN);
    if (about->reproduce)
        hk_json_string(json, "reproduce", about->reproduce);
    if (about->event_count)
        put_events(json, about);
    if (about->expectation_count)
        put_expectations(json, about, columns, count);
    hk_json_end(json);
    hk_json_end(json);
}

char *hk_about_text(const char *record, const hk_column *columns, size_t column_count,
                    uint64_t rows, const hk_about *about) {
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    HK_ASSERT(out);
    const char *name = strrchr(record, '/');
    hk_json json;
    hk_json_begin_object(&json, out);
    hk_json_string(&json, "@context", "http://www.w3.org/ns/csvw");
    hk_json_string(&json, "url", name ? name + 1 : record);
    put_run(&json, rows, about, columns, column_count);
    put_columns(&json, columns, column_count);
    hk_json_end(&json);
    (void)fclose(out);
    return text;
}

/* "failed: cut off after 1.5 s", and spaces: as long as what it replaces. */
static void cut_off_words(const char *why, double time, char *words, size_t size) {
    char text[HK_NUMBER_MAX + 1] = "";
    if (!isnan(time))
        text[hk_write_f64(time, text)] = '\0';
    const char *const parts[] = {"\"", why, " after ", text, " s"};
    size_t count = *text ? 5 : 2, used = 0, need = 1;
    for (size_t i = 0; i < count; i++)
        need += strlen(parts[i]);
    count = need <= size ? count : 2;
    memset(words, ' ', size);
    for (size_t i = 0; i < count; i++)
        for (const char *c = parts[i]; *c && used + 1 < size; c++)
            words[used++] = *c;
    words[used] = '"';
}

void hk_about_cut_off(const char *path, const char *begun, const char *why, double time) {
    static const char open_words[] = "\"" HK_ABOUT_OPEN "\"";
    enum { SIZE = sizeof open_words - 1 };
    char words[SIZE], there[SIZE];
    const char *at = strstr(begun, open_words);
    int fd = at ? open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW) : -1;
    if (fd < 0)
        return;
    cut_off_words(why, time, words, SIZE);
    if (pread(fd, there, SIZE, at - begun) == SIZE && memcmp(there, open_words, SIZE) == 0) {
        ssize_t ignored = pwrite(fd, words, SIZE, at - begun);
        (void)ignored;
    }
    close(fd);
}

/* NULL: there is none. Free with hk_free. */
static char *read_file(const char *path) {
    hk_ctx *quiet = hk_ctx_create(NULL, NULL); /* that there is none is not an error */
    char *read = NULL;
    size_t size;
    bool there = hk_file_read(quiet, path, ABOUT_MAX, &read, &size) == HK_OK;
    hk_ctx_destroy(quiet);
    return there ? read : NULL;
}

/* The file beside RECORD; NULL: there is none. Free with hk_free. */
static char *read_beside(const char *record) {
    char *path = hk_about_path(record), *data = read_file(path);
    hk_free(path);
    return data;
}

/* The file is all that is known. */
static void cut_off_there(const char *path, const char *why) {
    char *begun = read_file(path);
    if (begun)
        hk_about_cut_off(path, begun, why, (double)NAN);
    hk_free(begun);
}

void hk_about_cut_off_of(int owner, const char *why) {
    hk_ledger *l = hk_ledger_get();
    for (size_t i = 0; l && i < HK_LEDGER_RECORDS; i++) {
        hk_ledger_record *r = &l->records[i];
        int who = atomic_load(&r->owner);
        if (who && (!owner || who == owner) && atomic_load(&r->begun) &&
            !atomic_load(&r->temporary))
            cut_off_there(r->path, why);
    }
}

/* The whole file is ours, so that its words can be looked for: in texts quotes are escaped. */
bool hk_about_libm(const char *record, char ret_libm[HK_LIBM_TEXT]) {
    static const char key[] = "\"libm\":\"";
    char *data = read_beside(record);
    const char *at = data ? strstr(data, key) : NULL;
    size_t length = at ? strspn(at + strlen(key), "0123456789abcdef") : 0;
    bool known = length == HK_LIBM_TEXT - 1 && at[strlen(key) + length] == '"' &&
                 !strstr(data, "\"mathematics\":{\"depends_on_libm\":false,");
    if (known)
        snprintf(ret_libm, HK_LIBM_TEXT, "%s", at + strlen(key));
    hk_free(data);
    return known;
}

const char *hk_about_ended(hk_arena *arena, const char *record) {
    static const char key[] = "\"ended\":\"";
    char *data = read_beside(record);
    const char *at = data ? strstr(data, key) : NULL, *ended = NULL;
    if (at) {
        at += strlen(key);
        size_t length = strcspn(at, "\"\\"); /* a condition with a quote is cut before it */
        ended = at[length] ? hk_arena_strndup(arena, at, length) : NULL;
    }
    hk_free(data);
    return ended;
}

bool hk_about_is_cut_off(const char *ended) {
    static const char *const ways[] = {HK_ABOUT_OPEN, "interrupted", "failed"};
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
        if (strncmp(ended, ways[i], strlen(ways[i])) == 0)
            return true;
    return false;
}
