/* SPDX-License-Identifier: MIT
 *
 * What a script asserts, one by one. */
#include "report/csp_report.h"

#include "base/file.h"
#include "report/show.h"

#include <strings.h>

bool hk_names_csp(const char *path) {
    return strcasecmp(hk_path_extension(path), ".csp") == 0;
}

hk_proof_state hk_csp_proof_state(const hk_csp_verdict *v) {
    return v->limited ? HK_PROOF_INCONCLUSIVE : v->holds ? HK_PROOF_HOLDS : HK_PROOF_BROKEN;
}

const char *hk_csp_proof_words(hk_arena *arena, const hk_csp_verdict *v) {
    const char *states = hk_show_count(arena, v->states);
    if (v->limited)
        return hk_arena_printf(arena, "there are more than %s states", states);
    return v->holds ? hk_arena_printf(arena, "in %s states", states) : v->why;
}

static const char *answer_of(hk_arena *arena, const hk_csp_proof *p) {
    size_t broken = 0, limited = 0;
    for (size_t i = 0; i < p->count; i++) {
        broken += !p->verdicts[i].holds && !p->verdicts[i].limited;
        limited += p->verdicts[i].limited;
    }
    if (broken)
        return hk_arena_printf(arena, "no: %zu of %zu assertion%s broken", broken, p->count,
                               p->count == 1 ? " is" : "s are");
    if (limited)
        return "no: not all could be decided";
    return hk_arena_printf(arena, "yes: %s",
                           p->count == 1
                               ? "what is asserted holds"
                               : hk_arena_printf(arena, "all %zu assertions hold", p->count));
}

static hk_status answer_all(const hk_report *r, hk_csp_script *script, const hk_csp_wishes *wishes,
                            hk_csp_proof *p) {
    hk_csp_assertion *assertions = HK_NEW_ARRAY(r->arena, hk_csp_assertion, p->count + 1);
    hk_csp_verdict *verdicts = HK_NEW_ARRAY(r->arena, hk_csp_verdict, p->count + 1);
    hk_csp_machine *machine = hk_csp_machine_create(r->ctx, script, wishes->states);
    hk_status status = HK_OK;
    hk_csp_machine_watch(machine, wishes->watch);
    p->wrong = p->count;
    for (size_t i = 0; i < p->count && status == HK_OK; i++) {
        assertions[i] = *hk_csp_assertion_at(script, i);
        status = hk_csp_answer(machine, r->arena, i, &verdicts[i]);
        if (!verdicts[i].holds && p->wrong == p->count)
            p->wrong = i;
    }
    hk_csp_machine_destroy(machine);
    p->assertions = assertions;
    p->verdicts = verdicts;
    return status;
}

hk_status hk_csp_proof_text(const hk_report *r, const hk_file_text *text,
                            const hk_csp_wishes *wishes, hk_csp_proof *ret_proof) {
    hk_csp_proof p = {.file = text->file};
    hk_csp_script *script;
    HK_TRY(hk_csp_read(r->ctx, r->arena, text, &script));
    p.count = hk_csp_assertion_count(script);
    hk_status status = p.count ? answer_all(r, script, wishes, &p)
                               : hk_error(r->ctx, HK_E_USAGE, (hk_where){.file = text->file},
                                          "write 'assert P :[deadlock free]' or 'assert P [T= Q'",
                                          "there is nothing to prove: it asserts nothing");
    hk_csp_close(script);
    HK_TRY(status);
    p.answer = answer_of(r->arena, &p);
    *ret_proof = p;
    return HK_OK;
}

hk_status hk_csp_proof_make(const hk_report *r, const char *file, const hk_csp_wishes *wishes,
                            hk_csp_proof *ret_proof) {
    char *data;
    size_t size;
    HK_TRY(hk_file_read(r->ctx, file, 0, &data, &size));
    hk_status status = hk_csp_proof_text(r, &(hk_file_text){file, data, size}, wishes, ret_proof);
    hk_free(data);
    return status;
}

hk_status hk_csp_proof_status(const hk_csp_proof *p) {
    hk_status status = HK_OK;
    for (size_t i = p->count; i-- > 0;)
        if (!p->verdicts[i].holds && status != HK_E_UNSOUND)
            status = p->verdicts[i].limited ? HK_E_UNDECIDED : HK_E_UNSOUND;
    return status;
}

hk_status hk_csp_proof_fail(const hk_report *r, const hk_csp_proof *p) {
    const hk_csp_verdict *v = &p->verdicts[p->wrong];
    return hk_error(r->ctx, hk_csp_proof_status(p),
                    (hk_where){.file = p->file, .line = p->assertions[p->wrong].line},
                    v->limited ? "--states allows more" : NULL, "%s: %s",
                    p->assertions[p->wrong].text, hk_csp_proof_words(r->arena, v));
}

void hk_csp_proof_put(const hk_report *r, const hk_csp_proof *p, hk_json *json) {
    hk_json_string(json, "file", p->file);
    hk_json_bool(json, "holds", p->wrong == p->count);
    hk_json_string(json, "answer", p->answer);
    HK_JSON_EACH(json, "verdicts", i, p->count) {
        const hk_csp_verdict *v = &p->verdicts[i];
        hk_json_string(json, "name", p->assertions[i].text);
        hk_json_i64(json, "line", p->assertions[i].line);
        hk_json_string(json, "state", hk_proof_state_word(hk_csp_proof_state(v)));
        hk_json_string(json, "text", hk_csp_proof_words(r->arena, v));
        hk_json_i64(json, "states", (int64_t)v->states);
        hk_json_array(json, "events");
        for (size_t k = 0; k < v->trace.count; k++)
            hk_json_string(json, NULL, v->trace.all[k]);
        hk_json_end(json);
    }
}
