/* SPDX-License-Identifier: MIT
 *
 * Answers: made, read, destroyed; what is in files and what is wrong with them. */
#include "api/answer_internal.h"

#include "report/check_report.h"
#include "report/info_report.h"

#include <stdlib.h>
#include <string.h>

hk_status hk_answer_status(const hk_answer *answer) {
    return answer ? answer->status : HK_E_USAGE;
}

const char *hk_answer_json(const hk_answer *answer) {
    return answer ? answer->json : "";
}

void hk_answer_destroy(hk_answer *answer) {
    if (answer)
        hk_arena_destroy(answer->arena);
}

/* --- asking ---------------------------------------------------------------------------------- */

void hk_asking_begin(hk_context *context, hk_asking *ret_asking) {
    hk_asking *a = ret_asking;
    hk_arena *arena = hk_arena_create();
    *a = (hk_asking){.context = context, .answer = HK_NEW(arena, hk_answer)};
    a->answer->arena = arena;
    a->report = (hk_report){.ctx = context->ctx, .arena = arena};
    a->report.out = open_memstream(&a->text, &a->size);
    HK_ASSERT(a->report.out);
}

hk_status hk_asking_end(hk_asking *asking, hk_status status, hk_answer **ret_answer) {
    hk_answer *answer = asking->answer;
    (void)fclose(asking->report.out);
    answer->json = hk_arena_strndup(answer->arena, asking->text, asking->size);
    free(asking->text);
    hk_context_forget_files(asking->context);
    if (!asking->report.answered) {
        HK_ASSERT(status != HK_OK);
        hk_answer_destroy(answer);
        return status;
    }
    answer->status = status;
    *ret_answer = answer;
    return HK_OK;
}

hk_status hk_texts_read(hk_ctx *ctx, const char *name, const char *const *texts, size_t count,
                        hk_texts *ret_texts) {
    for (size_t i = 0; i < count; i++)
        if (!texts || !texts[i])
            return hk_error(ctx, HK_E_USAGE, HK_NOWHERE, NULL, "%s[%zu] is NULL", name, i);
    *ret_texts = (hk_texts){texts, count};
    return HK_OK;
}

hk_status hk_asking_word(const hk_asking *asking, const char *name, const char *text,
                         const char *words) {
    size_t length = text ? strlen(text) : 0;
    for (const char *at = words; text && *at;) {
        size_t word = strcspn(at, " ");
        if (word == length && memcmp(at, text, length) == 0)
            return HK_OK;
        at += word + (at[word] == ' ');
    }
    return !text ? HK_OK
                 : hk_error(asking->report.ctx, HK_E_USAGE, HK_NOWHERE,
                            hk_arena_printf(asking->report.arena, "one of: %s", words),
                            "'%s' is not a value of %s", text, name);
}

const char *hk_asking_keep(const hk_asking *asking, const char *text) {
    return text ? hk_arena_strdup(asking->report.arena, text) : NULL;
}

const char *const *hk_asking_keep_all(const hk_asking *asking, const char *const *texts,
                                      size_t count) {
    const char **kept = HK_NEW_ARRAY(asking->report.arena, const char *, count + 1);
    for (size_t i = 0; i < count; i++)
        kept[i] = hk_asking_keep(asking, texts[i]);
    return kept;
}

static hk_wish wish(const char *text) {
    return (hk_wish){text, HK_FROM_USER, "hk_file_options"};
}

/* Messages speak of options as those of the command line do. */
hk_status hk_file_options_read(hk_ctx *ctx, const hk_file_options *options,
                               hk_request *ret_request) {
    hk_request r = {0};
    HK_TAKE_OPTIONS(ctx, hk_file_options, options, o);
    HK_TRY(hk_texts_read(ctx, "define", o.define, o.define_count, &r.defines));
    HK_TRY(hk_texts_read(ctx, "set", o.set, o.set_count, &r.sets));
    HK_TRY(hk_texts_read(ctx, "set_file", o.set_file, o.set_file_count, &r.set_files));
    HK_TRY(hk_texts_read(ctx, "input_file", o.input_file, o.input_file_count, &r.tables));
    r.system = o.system;
    r.schedule = o.schedule;
    r.parameter_set = o.parameter_set;
    r.master = o.master;
    r.wishes.start = wish(o.start);
    r.wishes.stop = wish(o.stop);
    r.wishes.step = wish(o.step);
    r.wishes.algorithm = wish(o.algorithm);
    *ret_request = r;
    return HK_OK;
}

/* --- what is in a file ----------------------------------------------------------------------- */

static hk_status info(hk_asking *a, const char *path, const hk_file_options *file,
                      const hk_ask_info_options *options) {
    hk_request request;
    hk_info_filter filter = {0};
    HK_TAKE_OPTIONS(a->report.ctx, hk_ask_info_options, options, o);
    HK_TRY(hk_file_options_read(a->report.ctx, file, &request));
    HK_TRY(hk_asking_word(a, "causality", o.causality,
                          "input output parameter calculatedParameter structuralParameter local "
                          "independent"));
    HK_TRY(
        hk_texts_read(a->report.ctx, "variable", o.variable, o.variable_count, &filter.patterns));
    filter.causality = o.causality;
    request.file = path;
    return hk_info_report(&a->report, &request, &filter);
}

hk_status hk_ask_info(hk_context *context, const char *path, const hk_file_options *file,
                      const hk_ask_info_options *options, hk_answer **ret_answer) {
    hk_asking a;
    if (!context || !path || !ret_answer)
        return hk_is_null(context, path ? "ret_answer" : "path");
    hk_asking_begin(context, &a);
    return hk_asking_end(&a, info(&a, path, file, options), ret_answer);
}

/* --- what is wrong with files ---------------------------------------------------------------- */

/* Findings of this question only: the context may hold those of others. */
static hk_status check(hk_asking *a, hk_texts paths, const hk_check_wishes *wishes) {
    hk_status worst = HK_OK;
    hk_json json;
    hk_report aside = a->report;
    aside.ctx = hk_ctx_create(NULL, NULL);
    hk_claim_share(aside.ctx, a->report.ctx);
    hk_report_begin(&a->report, &json, "check");
    hk_json_array(&json, "files");
    for (size_t i = 0; i < paths.count; i++) {
        hk_checked checked;
        hk_status status = hk_check_file(&aside, wishes, paths.all[i], &checked);
        hk_checked_put(&json, a->report.arena, paths.all[i], status, &checked);
        worst = worst == HK_OK ? status : worst;
    }
    hk_json_end(&json);
    hk_findings_put(&json, aside.ctx);
    hk_json_end(&json);
    for (size_t i = 0; i < hk_ctx_count(aside.ctx, HK_NOTE); i++)
        hk_say_again(a->report.ctx, hk_ctx_diag(aside.ctx, i));
    hk_ctx_destroy(aside.ctx);
    return worst;
}

static hk_status read_check(hk_asking *a, const hk_file_options *file,
                            const hk_ask_check_options *options, hk_check_wishes *ret_wishes) {
    HK_TAKE_OPTIONS(a->report.ctx, hk_ask_check_options, options, o);
    *ret_wishes =
        (hk_check_wishes){.strict = o.strict, .by_run = o.level_run, .style = {.name = o.style}};
    HK_TRY(hk_texts_read(a->report.ctx, "style_exempt", o.style_exempt, o.style_exempt_count,
                         &ret_wishes->style.exempt));
    HK_TRY(hk_style_wishes_check(a->report.ctx, &ret_wishes->style));
    return hk_file_options_read(a->report.ctx, file, &ret_wishes->request);
}

hk_status hk_ask_check(hk_context *context, const char *const *paths, size_t path_count,
                       const hk_file_options *file, const hk_ask_check_options *options,
                       hk_answer **ret_answer) {
    hk_asking a;
    hk_texts all = {0};
    hk_check_wishes wishes;
    if (!context || !paths || !path_count || !ret_answer)
        return hk_is_null(context, ret_answer ? "paths" : "ret_answer");
    hk_asking_begin(context, &a);
    hk_status status = hk_texts_read(context->ctx, "paths", paths, path_count, &all);
    if (status == HK_OK)
        status = read_check(&a, file, options, &wishes);
    if (status == HK_OK)
        status = check(&a, all, &wishes);
    return hk_asking_end(&a, status, ret_answer);
}
