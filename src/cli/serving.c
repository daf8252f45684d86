/* SPDX-License-Identifier: MIT */
#include "cli/serving.h"

#include "base/number.h"
#include "cli/run.h"
#include "engine/guard.h"
#include "report/info_report.h"
#include "report/plan_view.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The handler of Ctrl-C can reach nothing but globals. */
static hk_live *volatile interrupted_live;

void hk_serving_interrupt(void) {
    hk_live *live = interrupted_live;
    if (live)
        hk_live_end(live);
}

/* ---- answers that the page fetches ---- */

enum { ANSWERS = 2 };

/* What is said of it was said before. */
static void add_answer(hk_web_page *answers, size_t *count, const char *path, const char *text,
                       size_t size) {
    answers[(*count)++] =
        (hk_web_page){.path = path, .type = "application/json", .data = text, .size = size};
}

static const char *kept(hk_cli *cli, char *text, size_t size) {
    const char *copy = hk_arena_strndup(cli->arena, text, size);
    free(text);
    return copy;
}

static void answer_info(hk_cli *cli, const hk_assembly *made, hk_web_page *answers, size_t *count) {
    char *text = NULL;
    size_t size = 0;
    hk_ctx *quiet = hk_ctx_create(NULL, NULL);
    hk_report report = {quiet, cli->arena, open_memstream(&text, &size), false};
    hk_status status = hk_info_report(&report, made->request, &(hk_info_filter){0});
    (void)fclose(report.out);
    hk_ctx_destroy(quiet);
    if (status == HK_OK)
        add_answer(answers, count, "api/info.json", kept(cli, text, size), size);
    else
        free(text);
}

static void answer_plan(hk_cli *cli, const hk_assembly *made, hk_web_page *answers, size_t *count) {
    char *text = NULL;
    size_t size = 0;
    hk_ctx *quiet = hk_ctx_create(NULL, NULL);
    hk_report report = {quiet, cli->arena, open_memstream(&text, &size), false};
    hk_view view = {0};
    hk_json json;
    hk_status status = hk_view_open(&view, &report, made->request);
    if (status == HK_OK)
        status = hk_view_plan(&view);
    if (status == HK_OK) {
        hk_report_begin(&report, &json, "plan");
        hk_view_put(&view, status, &json);
        hk_json_end(&json);
    }
    hk_view_close(&view);
    (void)fclose(report.out);
    hk_ctx_destroy(quiet);
    if (status == HK_OK)
        add_answer(answers, count, "api/plan.json", kept(cli, text, size), size);
    else
        free(text);
}

/* ---- options ---- */

static hk_status read_port(hk_cli *cli, const hk_args *args, unsigned *ret_port) {
    const char *text = hk_args_value(args, "port");
    uint64_t port = 0;
    if (text && (!hk_read_u64(text, strlen(text), &port) || port > UINT16_MAX))
        return hk_error(cli->ctx, HK_E_USAGE, HK_NOWHERE,
                        "a number up to 65535; 0 takes a free one", "--port: '%s' is not a port",
                        text);
    *ret_port = (unsigned)port;
    return HK_OK;
}

static const char *const *texts_of(hk_cli *cli, hk_texts texts) {
    const char **all = HK_NEW_ARRAY(cli->arena, const char *, texts.count + 1);
    for (size_t i = 0; i < texts.count; i++)
        all[i] = texts.all[i];
    return all;
}

static hk_status read_options(hk_cli *cli, const hk_args *args, hk_live_options *o) {
    HK_TRY(read_port(cli, args, &o->web.port));
    o->web.address = hk_args_value(args, "listen");
    o->web.token = hk_args_value(args, "token");
    o->web.trust_network = hk_args_has(args, "trust-network");
    o->web.origins = texts_of(cli, hk_request_texts(cli, args, "allow-origin"));
    o->read_only = hk_args_has(args, "read-only");
    if (hk_args_has(args, "real-time"))
        o->speed = 1;
    return hk_run_positive(cli, args, "real-time", &o->speed);
}

/* ---- its life ---- */

hk_status hk_serving_open(hk_cli *cli, const hk_args *args, const hk_assembly *made,
                          const hk_table *table, hk_serving *ret_serving) {
    HK_ASSERT(cli && args && ret_serving && !made != !table);
    if (!ret_serving->stays && !hk_args_has(args, "serve"))
        return HK_OK;
    hk_web_page *answers = HK_NEW_ARRAY(cli->arena, hk_web_page, ANSWERS);
    hk_live_options o = {
        .name = args->operands[0], .paused = ret_serving->stays, .answers = answers};
    HK_TRY(read_options(cli, args, &o));
    if (made) {
        answer_info(cli, made, answers, &o.answer_count);
        answer_plan(cli, made, answers, &o.answer_count);
    }
    HK_TRY(hk_live_open(cli->ctx, &o, made ? made->model : NULL, table, &ret_serving->live));
    interrupted_live = ret_serving->live;
    /* Standard output is kept from components meanwhile. */
    dprintf(ret_serving->stays ? hk_guard_answers_to() : STDERR_FILENO, "%s\n",
            hk_live_address(ret_serving->live));
    return HK_OK;
}

void hk_serving_close(hk_serving *serving) {
    interrupted_live = NULL;
    hk_live_close(serving->live);
    serving->live = NULL;
}

static hk_status advance(void *user, hk_tick until) {
    return hk_sim_run_until(user, until);
}

hk_status hk_serving_drive(void *user, hk_sim *sim, const hk_plan *plan) {
    const hk_serving *serving = user;
    return hk_live_drive(
        serving->live,
        &(hk_live_run){
            .sim = sim, .plan = plan, .advance = advance, .user = sim, .stays = serving->stays});
}
