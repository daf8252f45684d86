/* SPDX-License-Identifier: MIT
 *
 * From a script to answers. */
#include "csp/search.h"

enum { WATCHED_STATES = 8192 };

hk_csp_machine *hk_csp_machine_create(hk_ctx *ctx, hk_csp_script *script, uint64_t state_limit) {
    hk_csp_machine *m = hk_alloc(sizeof *m);
    *m = (hk_csp_machine){.ctx = ctx,
                          .script = script,
                          .state_limit = state_limit ? state_limit : HK_CSP_STATES,
                          .bound = hk_alloc((script->variable_count + 1) * sizeof *m->bound)};
    for (uint32_t i = HK_CSP_TAU; i <= HK_CSP_TICK; i++) /* they have the first numbers */
        hk_csp_make(m, HK_VALUE_NONE, &i, 1);
    m->empty = hk_csp_make_set(m, NULL, 0);
    uint32_t kinds[] = {HK_TERM_STOP, HK_TERM_SKIP, HK_TERM_OMEGA, HK_TERM_DIVERGES};
    uint32_t *terms[] = {&m->stop, &m->skip, &m->omega, &m->diverges};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        *terms[i] = hk_rows_put(&m->terms, &kinds[i], 1);
    return m;
}

void hk_csp_machine_destroy(hk_csp_machine *m) {
    if (!m)
        return;
    hk_rows_finish(&m->values);
    hk_rows_finish(&m->terms);
    for (size_t i = 0; i < m->members_count; i++)
        hk_free(m->members[i].bits);
    hk_free(m->members);
    hk_free(m->bound);
    hk_free(m->known);
    hk_free(m->steps);
    hk_free(m);
}

void hk_csp_machine_watch(hk_csp_machine *m, hk_csp_watch watch) {
    m->watch = watch;
}

void hk_csp_looked_at(const hk_csp_machine *m, size_t states) {
    if (m->watch.call && states % WATCHED_STATES == 0)
        m->watch.call(m->watch.user, m->asked, states);
}

hk_status hk_csp_answer(hk_csp_machine *m, hk_arena *arena, size_t assertion,
                        hk_csp_verdict *ret_verdict) {
    HK_ASSERT(assertion < m->script->assertion_count);
    const struct hk_csp_asserted *a = &m->script->assertions[assertion];
    *ret_verdict = (hk_csp_verdict){0};
    m->asked = &a->shown;
    uint32_t left = hk_csp_force(m, hk_csp_process(m, a->left));
    uint32_t right = a->right ? hk_csp_force(m, hk_csp_process(m, a->right)) : left;
    if (m->status != HK_OK)
        return m->status;
    if (a->shown.question == HK_CSP_REFINES)
        hk_csp_refine(m, arena, left, right, ret_verdict);
    else
        hk_csp_search(m, arena, a->shown.question, left, ret_verdict);
    if (a->shown.negated && !ret_verdict->limited) {
        ret_verdict->holds = !ret_verdict->holds;
        ret_verdict->why = ret_verdict->holds ? NULL : "it holds, and was to be wrong";
        ret_verdict->trace = (hk_texts){0};
    }
    return m->status;
}
