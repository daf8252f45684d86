/* SPDX-License-Identifier: MIT
 *
 * Its life: what is shared is made first and freed last, so that the server can run between the
 * two. */
#include "live/live_internal.h"

#include "base/clock.h"
#include "base/embed.h"
#include "base/number.h"

#include <math.h>
#include <string.h>

extern const hk_embedded hk_embedded_page[];

const char *const hk_drive_words[] = {
    [HK_DRIVE_PAUSED] = "paused",
    [HK_DRIVE_RUNNING] = "running",
    [HK_DRIVE_ENDED] = "ended",
    [HK_DRIVE_FAILED] = "failed",
};

/* ---- pages ---- */

static const char *type_of(const char *path) {
    static const char *const types[][2] = {{".html", "text/html; charset=utf-8"},
                                           {".js", "text/javascript; charset=utf-8"},
                                           {".css", "text/css; charset=utf-8"},
                                           {".svg", "image/svg+xml"},
                                           {".json", "application/json"}};
    const char *dot = strrchr(path, '.');
    for (size_t i = 0; dot && i < sizeof types / sizeof *types; i++)
        if (strcmp(dot, types[i][0]) == 0)
            return types[i][1];
    return "application/octet-stream";
}

/* "index.html.gz" is the page itself. */
static hk_web_page page_of(hk_arena *arena, const hk_embedded *file) {
    size_t size = strlen(file->name);
    bool zipped = size > 3 && strcmp(file->name + size - 3, ".gz") == 0;
    const char *path = hk_arena_strndup(arena, file->name, zipped ? size - 3 : size);
    const char *type = type_of(path);
    return (hk_web_page){.path = strcmp(path, "index.html") == 0 ? "" : path,
                         .type = type,
                         .data = file->data,
                         .size = file->size,
                         .zipped = zipped};
}

static void gather_pages(hk_live *live) {
    const hk_live_options *o = &live->options;
    size_t count = 0;
    while (hk_embedded_page[count].name)
        count++;
    hk_arena *arena = live->catalog.arena;
    live->pages = HK_NEW_ARRAY(arena, hk_web_page, count + o->answer_count + 1);
    for (size_t i = 0; i < count; i++)
        live->pages[i] = page_of(arena, &hk_embedded_page[i]);
    if (o->answer_count)
        memcpy(live->pages + count, o->answers, o->answer_count * sizeof *o->answers);
    live->talk.pages = live->pages;
    live->talk.page_count = count + o->answer_count;
}

/* ---- life ---- */

static void wake_server(void *user) {
    hk_web_wake(((hk_live *)user)->server);
}

hk_status hk_live_open(hk_ctx *ctx, const hk_live_options *options, const hk_model *model,
                       const hk_table *table, hk_live **ret_live) {
    HK_ASSERT(ctx && options && options->name && ret_live);
    HK_ASSERT(!model != !table);
    hk_live *live = hk_alloc(sizeof *live);
    *live = (hk_live){.ctx = ctx, .options = *options, .model = model, .table = table};
    if (model)
        hk_catalog_of_model(model, &live->catalog);
    else
        hk_catalog_of_table(table, &live->catalog);
    hk_desk_open(&live->desk);
    live->talk = (hk_talk){.catalog = &live->catalog,
                           .desk = &live->desk,
                           .name = options->name,
                           .read_only = options->read_only};
    gather_pages(live);
    hk_web_handler handler = hk_talk_handler(&live->talk);
    hk_status status = hk_web_open(ctx, &options->web, &handler, &live->server);
    if (status == HK_OK) {
        live->desk.wake = wake_server;
        live->desk.wake_user = live;
        status = hk_web_start(ctx, live->server);
    }
    if (status != HK_OK) {
        hk_live_close(live);
        return status;
    }
    *ret_live = live;
    return HK_OK;
}

const char *hk_live_address(const hk_live *live) {
    HK_ASSERT(live);
    return hk_web_address(live->server);
}

void hk_live_close(hk_live *live) {
    if (!live)
        return;
    hk_web_close(live->server);
    hk_talk_finish(&live->talk);
    hk_desk_close(&live->desk);
    hk_catalog_finish(&live->catalog);
    hk_free(live);
}

void hk_live_end(hk_live *live) {
    HK_ASSERT(live);
    hk_desk_end(&live->desk);
}

void hk_live_say(hk_live *live, const hk_diag *diag) {
    HK_ASSERT(live && diag);
    static const int levels[] = {[HK_NOTE] = 2, [HK_WARNING] = 3, [HK_ERROR] = 4};
    hk_foxglove_text text;
    hk_buffer line = {0};
    char code[16];
    snprintf(code, sizeof code, "HK%04d", (int)diag->code);
    hk_foxglove_begin(&text, NULL);
    hk_json_i64(&text.json, "level", levels[diag->severity]);
    hk_json_string(&text.json, "message", diag->text);
    hk_json_string(&text.json, "name", diag->code ? code : "hocket");
    hk_json_string(&text.json, "file", diag->where.file ? diag->where.file : "");
    hk_json_i64(&text.json, "line", diag->where.line);
    if (diag->hint)
        hk_json_string(&text.json, "hint", diag->hint);
    hk_foxglove_end(&text, &line);
    hk_desk_say(&live->desk, line.data, line.size);
    hk_free(line.data);
}

/* ---- what the two who drive share ---- */

void hk_live_pace_begin(hk_live_pace *pace, double now) {
    HK_ASSERT(pace);
    pace->from = now;
    pace->since = hk_clock_ns();
}

double hk_live_pace_target(const hk_live_pace *pace) {
    HK_ASSERT(pace);
    return pace->from + 1e-9 * (double)(hk_clock_ns() - pace->since) * pace->speed;
}

int64_t hk_live_pace_until(const hk_live_pace *pace, double time) {
    HK_ASSERT(pace && pace->speed > 0);
    static const double longest = 1e9; /* a second: then it is looked at again */
    double wall = (time - hk_live_pace_target(pace)) / pace->speed * 1e9;
    return wall <= 0 ? 0 : wall < longest ? (int64_t)wall + 1 : (int64_t)longest;
}

hk_json_span hk_order_request(const hk_order *order) {
    HK_ASSERT(order);
    hk_json_span all = {order->text.data, order->text.size};
    while (all.size && strchr(" \t\r\n", all.at[0])) {
        all.at++;
        all.size--;
    }
    return all;
}

bool hk_order_number(const hk_order *order, const char *name, double *ret_number) {
    HK_ASSERT(order && name && ret_number);
    hk_json_span member = hk_foxglove_member(hk_order_request(order), name);
    return member.size && hk_json_number(member, ret_number) && isfinite(*ret_number);
}

void hk_order_refuse(hk_live *live, const hk_order *order, const char *why) {
    HK_ASSERT(live && order && why);
    hk_desk_answer(&live->desk, order, false, why, strlen(why));
}

void hk_order_done(hk_live *live, const hk_order *order) {
    HK_ASSERT(live && order);
    hk_desk_answer(&live->desk, order, true, "{}", 2);
}

void hk_look_begin(hk_look *look, double time, uint64_t version) {
    HK_ASSERT(look);
    look->time = time;
    look->version = version;
    look->text.size = 0;
    look->count = 0;
}

void hk_look_next(hk_look *look) {
    HK_ASSERT(look);
    HK_PUSH(look->ends, look->count, look->cap, look->text.size);
}

void hk_look_put_f64(hk_look *look, double value) {
    HK_ASSERT(look);
    char text[HK_NUMBER_MAX];
    if (isfinite(value))
        hk_buffer_put(&look->text, text, hk_write_f64(value, text));
    else
        hk_buffer_put(&look->text, "null", 4);
}
