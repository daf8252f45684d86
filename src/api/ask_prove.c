/* SPDX-License-Identifier: MIT
 *
 * Proofs, asked for by a program. */
#include "api/answer_internal.h"

#include "report/explore_report.h"
#include "report/info_report.h"

#include <string.h>

_Static_assert((int)HK_VERDICT_HOLDS == (int)HK_PROOF_HOLDS &&
                   (int)HK_VERDICT_BROKEN == (int)HK_PROOF_BROKEN &&
                   (int)HK_VERDICT_FORBIDDEN == (int)HK_PROOF_FORBIDDEN &&
                   (int)HK_VERDICT_INCONCLUSIVE == (int)HK_PROOF_INCONCLUSIVE &&
                   (int)HK_VERDICT_DIFFERS == (int)HK_PROOF_DIFFERS &&
                   (int)HK_VERDICT_NOT_APPLICABLE == (int)HK_PROOF_NOT_APPLICABLE &&
                   (int)HK_VERDICT_NOT_DONE == (int)HK_PROOF_NOT_DONE,
               "programs see the states by their numbers");

static const hk_answer_proof *keep(const hk_asking *a, const hk_proof *proof) {
    hk_answer_proof *p = HK_NEW(a->report.arena, hk_answer_proof);
    p->verdicts = HK_NEW_ARRAY(a->report.arena, hk_verdict_info, proof->count + 1);
    p->count = proof->count;
    p->master = hk_asking_keep(a, proof->made);
    for (size_t i = 0; i < proof->count; i++) {
        const hk_finding *f = &proof->findings[i];
        size_t calls = f->state == HK_PROOF_BROKEN ? f->trace_count : 0;
        const char **texts = HK_NEW_ARRAY(a->report.arena, const char *, calls + 1);
        for (size_t k = 0; k < calls; k++)
            texts[k] = hk_asking_keep(a, hk_proof_call(proof, f, k));
        p->verdicts[i] = (hk_verdict_info){.name = hk_asking_keep(a, f->name),
                                           .state = (hk_verdict_state)f->state,
                                           .text = hk_asking_keep(a, f->text),
                                           .hint = hk_asking_keep(a, f->hint),
                                           .when = hk_asking_keep(a, f->when),
                                           .sampled = f->sampled,
                                           .calls = texts,
                                           .call_count = calls};
    }
    return p;
}

static hk_status read_wishes(hk_asking *a, const hk_ask_prove_options *options,
                             hk_proof_wishes *ret_wishes) {
    HK_TAKE_OPTIONS(a->report.ctx, hk_ask_prove_options, options, o);
    *ret_wishes = (hk_proof_wishes){.trace = o.trace,
                                    .view = o.view,
                                    .spin = HK_SPIN_NEVER,
                                    .synthesise = o.synthesise,
                                    .output = o.output,
                                    .export_csp = o.export_csp,
                                    .export_promela = o.export_promela};
    HK_TRY(hk_asking_word(a, "view", o.view, "strict connected contract"));
    HK_TRY(hk_asking_word(a, "spin", o.spin, "auto always never"));
    if (o.spin && strcmp(o.spin, "never") != 0)
        ret_wishes->spin = strcmp(o.spin, "auto") == 0 ? HK_SPIN_AUTO : HK_SPIN_ALWAYS;
    return hk_texts_read(a->report.ctx, "output_variable", o.output_variable,
                         o.output_variable_count, &ret_wishes->columns);
}

/* A master in words is not a file that can be run. */
static hk_status find_request(hk_asking *a, const char *path, const hk_file_options *file,
                              hk_proof_wishes *wishes, hk_request *ret_request) {
    hk_request common;
    HK_TRY(hk_file_options_read(a->report.ctx, file, &common));
    wishes->start = common.wishes.start.text;
    if (!hk_names_master(path))
        return hk_request_for(a->report.ctx, &common, path, ret_request);
    *ret_request = (hk_request){.file = path};
    return HK_OK;
}

static hk_status prove(hk_asking *a, hk_proof *proof, const hk_request *request,
                       const hk_proof_wishes *wishes) {
    hk_json json;
    HK_TRY(hk_proof_make(proof, &a->report, request, wishes));
    hk_report_begin(&a->report, &json, "prove");
    hk_proof_put(proof, &json);
    hk_json_end(&json);
    a->answer->proof = keep(a, proof);
    return proof->wrong ? hk_proof_fail(proof) : HK_OK;
}

/* ---- controllers */

static const hk_answer_proof *keep_chart(const hk_asking *a, const hk_chart_proof *proof) {
    const hk_explored *e = &proof->explored;
    hk_answer_proof *p = HK_NEW(a->report.arena, hk_answer_proof);
    p->verdicts = HK_NEW_ARRAY(a->report.arena, hk_verdict_info, e->count + 1);
    p->count = e->count;
    for (size_t i = 0; i < e->count; i++) {
        const hk_explore_finding *f = &e->findings[i];
        p->verdicts[i] =
            (hk_verdict_info){.name = f->name,
                              .state = (hk_verdict_state)hk_chart_proof_state(f),
                              .text = hk_asking_keep(a, f->text),
                              .hint = hk_asking_keep(a, f->hint),
                              .calls = hk_asking_keep_all(a, f->rows.notes, f->rows.row_count),
                              .call_count = f->rows.row_count,
                              .table = hk_asking_keep(a, proof->tables[i])};
    }
    return p;
}

static hk_status read_chart_wishes(hk_asking *a, const hk_file_options *file,
                                   const hk_ask_prove_options *options,
                                   hk_chart_proof_wishes *ret_wishes) {
    hk_ctx *ctx = a->report.ctx;
    hk_request common;
    HK_TAKE_OPTIONS(ctx, hk_ask_prove_options, options, o);
    HK_TRY(hk_file_options_read(ctx, file, &common));
    hk_chart_proof_wishes w = {.explore = {.module = o.module,
                                           .settings = common.sets,
                                           .plant = o.plant,
                                           .states = o.states},
                               .export_promela = o.export_promela,
                               .witnesses = o.witnesses};
    HK_TRY(hk_texts_read(ctx, "properties", o.properties, o.property_count, &w.explore.properties));
    HK_TRY(hk_texts_read(ctx, "property_files", o.property_files, o.property_file_count,
                         &w.explore.property_files));
    HK_TRY(hk_texts_read(ctx, "ranges", o.ranges, o.range_count, &w.explore.ranges));
    HK_TRY(hk_texts_read(ctx, "lengths", o.lengths, o.length_count, &w.explore.lengths));
    if (o.trace || o.view || o.output || o.export_csp || o.synthesise || o.output_variable_count)
        return hk_error(ctx, HK_E_USAGE, HK_NOWHERE, NULL,
                        "trace, view, output_variable, synthesise, output and export_csp are about "
                        "systems, not about a controller in RoboChart");
    *ret_wishes = w;
    return HK_OK;
}

static hk_status prove_chart(hk_asking *a, const char *path, const hk_chart_proof_wishes *wishes) {
    hk_chart_proof proof;
    hk_json json;
    HK_TRY(hk_chart_proof_make(&a->report, path, wishes, &proof));
    hk_report_begin(&a->report, &json, "prove");
    hk_chart_proof_put(&a->report, &proof, &json);
    hk_json_end(&json);
    a->answer->proof = keep_chart(a, &proof);
    return proof.explored.wrong ? hk_chart_proof_fail(&a->report, &proof) : HK_OK;
}

static hk_status ask_chart(hk_context *context, const char *path, const hk_file_options *file,
                           const hk_ask_prove_options *options, hk_answer **ret_answer) {
    hk_asking a;
    hk_chart_proof_wishes wishes;
    hk_asking_begin(context, &a);
    hk_status status = read_chart_wishes(&a, file, options, &wishes);
    if (status == HK_OK)
        status = prove_chart(&a, path, &wishes);
    return hk_asking_end(&a, status, ret_answer);
}

hk_status hk_ask_prove(hk_context *context, const char *path, const hk_file_options *file,
                       const hk_ask_prove_options *options, hk_answer **ret_answer) {
    hk_asking a;
    hk_proof proof = {0};
    hk_proof_wishes wishes = {0};
    hk_request request;
    if (!context || !path || !ret_answer)
        return hk_is_null(context, path ? "ret_answer" : "path");
    if (hk_names_chart(path))
        return ask_chart(context, path, file, options, ret_answer);
    hk_asking_begin(context, &a);
    hk_status status = read_wishes(&a, options, &wishes);
    if (status == HK_OK)
        status = find_request(&a, path, file, &wishes, &request);
    if (status == HK_OK)
        status = prove(&a, &proof, &request, &wishes);
    hk_proof_close(&proof);
    return hk_asking_end(&a, status, ret_answer);
}

/* The system keeps its lags. */
static hk_status take_system(hk_asking *a, hk_system *system, hk_proof_wishes *wishes) {
    if (wishes->synthesise)
        return hk_error(a->report.ctx, HK_E_USAGE, HK_NOWHERE, "ask hk_ask_prove about its file",
                        "synthesise would change the system");
    HK_TRY(hk_system_ready(system));
    wishes->model = system->model;
    wishes->simulation = system->simulation;
    return HK_OK;
}

hk_status hk_ask_prove_of(hk_system *system, const hk_ask_prove_options *options,
                          hk_answer **ret_answer) {
    hk_asking a;
    hk_proof proof = {0};
    hk_proof_wishes wishes = {0};
    if (!system || !ret_answer)
        return hk_is_null(system ? system->context : NULL, "ret_answer");
    hk_asking_begin(system->context, &a);
    hk_status status = read_wishes(&a, options, &wishes);
    if (status == HK_OK)
        status = take_system(&a, system, &wishes);
    if (status == HK_OK)
        status = prove(&a, &proof, &system->request, &wishes);
    hk_proof_close(&proof);
    return hk_asking_end(&a, status, ret_answer);
}

size_t hk_prove_verdict_count(const hk_answer *answer) {
    return answer && answer->proof ? answer->proof->count : 0;
}

hk_status hk_prove_verdict(const hk_answer *answer, size_t index, hk_verdict_info *ret_info) {
    if (!ret_info || index >= hk_prove_verdict_count(answer))
        return HK_E_USAGE;
    return HK_GIVE(ret_info, &answer->proof->verdicts[index]);
}

const char *hk_prove_master(const hk_answer *answer) {
    return answer && answer->proof ? answer->proof->master : NULL;
}
