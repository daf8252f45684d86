/* SPDX-License-Identifier: MIT */
#include "report/check_report.h"

#include "check/fmu_rules.h"

#include <string.h>

/* Was the place of DIAG told already, as the place of a broken rule? */
static bool is_told(const hk_ctx *rules, const hk_diag *diag) {
    for (size_t i = 0; i < hk_ctx_count(rules, HK_NOTE) && diag->where.file; i++) {
        const hk_diag *other = hk_ctx_diag(rules, i);
        if (other->where.line == diag->where.line && other->where.file &&
            strcmp(other->where.file, diag->where.file) == 0 &&
            (diag->where.line > 0 || diag->code == HK_E_FMI_DESCRIPTION))
            return true;
    }
    return false;
}

/* An error that does not decide is a warning. */
static void say(hk_ctx *ctx, const hk_diag *d, bool decides) {
    if (d->severity == HK_ERROR && !decides)
        hk_warn(ctx, d->code, d->where, d->hint, "%s", d->text);
    else
        hk_say_again(ctx, d);
}

static size_t count_of(const hk_ctx *ctx, hk_severity severity) {
    return hk_ctx_count(ctx, severity) - (severity == HK_ERROR ? 0 : hk_ctx_count(ctx, HK_ERROR));
}

/* The rules of FMI: HK_OK, HK_E_FMI_RULE, or why it cannot be read at all. */
static hk_status ask_rules(hk_ctx *ctx, const char *path, hk_ctx *rules, hk_verdicts *v) {
    hk_fmu_findings findings;
    hk_status status = hk_check_fmu(rules, path, &findings);
    bool unreadable = status != HK_OK && status != HK_E_FMI_RULE;
    v->keeps_rules = status == HK_OK;
    v->errors = findings.errors;
    v->warnings = findings.warnings;
    if (!unreadable) {
        v->hidden_errors = findings.errors - count_of(rules, HK_ERROR);
        v->hidden_warnings = findings.warnings - count_of(rules, HK_WARNING);
    }
    for (size_t i = 0; i < hk_ctx_count(rules, HK_NOTE); i++)
        say(ctx, hk_ctx_diag(rules, i), unreadable || !v->by_run);
    return status;
}

/* Are the options to blame, or files that they name, and not the FMU at PATH? Then no level excuses
 * it. */
static bool is_asked_wrongly(const hk_ctx *said, hk_status status, const char *path) {
    if (hk_status_exit(status) == hk_status_exit(HK_E_USAGE))
        return true;
    for (size_t i = 0; i < hk_ctx_count(said, HK_NOTE); i++) {
        const hk_diag *d = hk_ctx_diag(said, i);
        if (d->severity == HK_ERROR)
            return d->where.file && strncmp(d->where.file, path, strlen(path)) != 0;
    }
    return false;
}

/* What a run would say, as far as it is something else. */
static hk_status ask_run(const hk_report *report, const hk_check_wishes *wishes, const char *path,
                         const hk_ctx *rules, hk_verdicts *v) {
    hk_report aside = {.ctx = hk_ctx_create(NULL, NULL), .arena = report->arena};
    hk_checked model;
    hk_status status = hk_check_run(&aside, wishes, path, &model);
    v->runs = status == HK_OK;
    v->asked_wrongly = status != HK_OK && is_asked_wrongly(aside.ctx, status, path);
    for (size_t i = 0; i < hk_ctx_count(aside.ctx, HK_NOTE); i++) {
        const hk_diag *d = hk_ctx_diag(aside.ctx, i);
        if (d->severity == HK_ERROR && !v->why_not)
            v->why_not = hk_arena_strdup(report->arena, d->text);
        if ((d->severity == HK_ERROR && v->by_run) || !is_told(rules, d))
            say(report->ctx, d, v->by_run || v->asked_wrongly);
    }
    hk_ctx_destroy(aside.ctx);
    return status;
}

hk_status hk_check_fmu_twice(const hk_report *report, const hk_check_wishes *wishes,
                             const char *path, hk_verdicts *ret_verdicts) {
    hk_verdicts v = {.by_run = wishes->by_run};
    hk_ctx *rules = hk_ctx_create(NULL, NULL);
    hk_status kept = ask_rules(report->ctx, path, rules, &v), run = kept;
    if (kept == HK_OK || kept == HK_E_FMI_RULE)
        run = ask_run(report, wishes, path, rules, &v);
    else
        v.why_not = hk_arena_strdup(report->arena, hk_ctx_diag(rules, 0)->text);
    hk_ctx_destroy(rules);
    *ret_verdicts = v;
    return v.by_run || v.asked_wrongly ? run : kept;
}

void hk_verdicts_put(hk_json *json, const hk_verdicts *v) {
    hk_json_string(json, "level", v->by_run ? "run" : "rules");
    hk_json_bool(json, "runs_here", v->runs);
    if (v->why_not)
        hk_json_string(json, "why_not", v->why_not);
    hk_json_bool(json, "keeps_rules", v->keeps_rules);
    hk_json_i64(json, "errors", (int64_t)v->errors);
    hk_json_i64(json, "warnings", (int64_t)v->warnings);
}
