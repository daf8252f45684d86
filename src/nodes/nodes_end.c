/* SPDX-License-Identifier: MIT
 *
 * What is said where a run on several nodes ends: what the nodes had to say, as one would have said
 * it, and one message for what ended the run. */
#include "base/number.h"
#include "nodes/nodes_internal.h"

#include <string.h>
#include <sys/wait.h>

hk_status hk_nodes_say_lost(hk_nodes *n, uint32_t number) {
    HK_ASSERT(n && number < n->count);
    const hk_node *x = &n->all[number];
    const char *name = hk_watch_name(n->watch, number);
    if (x->last_words)
        return hk_error(n->ctx, HK_E_UNIT_CRASHED, HK_NOWHERE, *x->last_hint ? x->last_hint : NULL,
                        "%s", x->last_words);
    if (x->met)
        return hk_error(
            n->ctx, HK_E_NODE_LOST, HK_NOWHERE, "the record holds what was known before",
            "%s is gone: its process has ended, or does not answer%s", name, n->lost_at);
    bool killed = WIFSIGNALED(x->how);
    if (!killed && WEXITSTATUS(x->how) == HK_CUT_OFF)
        return hk_error(n->ctx, HK_E_NODE_LOST, HK_NOWHERE,
                        "a component must not close what it has not opened; --isolate protects",
                        "%s is gone: a component of it has closed what it speaks through%s", name,
                        n->lost_at);
    return hk_error(n->ctx, HK_E_NODE_LOST, HK_NOWHERE, "the record holds what was known before",
                    "%s is gone: its process ended by %s %d%s", name,
                    killed ? "signal" : "exit status",
                    killed ? WTERMSIG(x->how) : WEXITSTATUS(x->how), n->lost_at);
}

/* One message for a run that was ended from here. */
static hk_status say_hung(hk_nodes *n) {
    const char *hung = hk_watch_hung(n->watch);
    if (hung)
        return hk_error(n->ctx, HK_E_UNIT_HUNG, HK_NOWHERE,
                        "raise --watchdog if it needs more time", "%s", hung);
    char limit[HK_NUMBER_MAX + 1];
    limit[hk_write_f64(n->timeout_s, limit)] = '\0';
    return hk_error(n->ctx, HK_E_UNIT_HUNG, HK_NOWHERE, "raise --timeout",
                    "the run is not finished after %s s: %s", limit, n->late);
}

bool hk_node_has_failed(const hk_node *x, hk_moment *ret_when) {
    HK_ASSERT(x && ret_when);
    *ret_when = x->last_moment;
    if (x->last_words)
        return true;
    *ret_when = (hk_moment){.tick = HK_TICK_NEVER};
    if (!x->has_told || x->status == HK_OK || x->status == HK_E_NODE_LOST)
        return false;
    (void)hk_said_failed(&x->said, ret_when);
    return true;
}

static double ended_at(const hk_nodes *n) {
    const hk_plan *plan = n->flows->plan;
    hk_tick now = n->sim ? hk_sim_now(n->sim) : plan->start;
    return hk_tick_seconds(now < plan->stop ? now : plan->stop, plan->ticks_per_second);
}

hk_status hk_nodes_gather(hk_nodes *n, hk_status status, hk_moment end) {
    HK_ASSERT(n);
    const hk_said **said = HK_NEW_ARRAY(n->arena, const hk_said *, n->count);
    unsigned first = n->count;
    hk_moment when;
    for (unsigned i = 0; i < n->count; i++) {
        said[i] = &n->all[i].said;
        if (hk_node_has_failed(&n->all[i], &when) && hk_moment_compare(&when, &end) < 0) {
            first = i;
            end = when;
        }
    }
    const hk_said_range own = {n->said_before, hk_ctx_count(n->ctx, HK_NOTE)};
    hk_said_all(n->ctx, said, n->count, &end, own);
    if (n->logged)
        hk_log_merge(n->logged, &end, ended_at(n));
    bool crashed = first < n->count && n->all[first].last_words;
    if (n->traced)
        hk_trace_merge(n->traced, &end, crashed, &n->trace);
    if (crashed)
        return hk_nodes_say_lost(n, first);
    if (first < n->count)
        return n->all[first].status;
    bool late = n->late && status != HK_E_UNIT_HUNG; /* else: the recorder has said it itself */
    if (hk_watch_hung(n->watch) || late)
        return say_hung(n);
    if (n->first_lost < n->count)
        return hk_nodes_say_lost(n, n->first_lost);
    if (status == HK_E_NODE_LOST && !hk_ctx_count(n->ctx, HK_ERROR))
        return hk_error(n->ctx, status, HK_NOWHERE, NULL,
                        "a node ended before it had sent all that others wait for");
    return status;
}

/* Each has refused it because of a component of its own: as in one process, only the first of these
 * components is worth a message. */
hk_status hk_nodes_say_refusal(hk_nodes *n, hk_status status) {
    HK_ASSERT(n);
    const hk_model *model = n->flows->plan->model;
    for (uint32_t c = 0; c < model->component_count; c++) {
        const hk_ctx *said = n->all[n->flows->placement.node_of[c]].said.ctx;
        for (size_t k = 0; said && k < hk_ctx_count(said, HK_NOTE); k++) {
            const hk_diag *d = hk_ctx_diag(said, k);
            const char *element = d->where.element;
            if (d->severity != HK_ERROR || !element ||
                strcmp(element, model->components[c].name) != 0)
                continue;
            hk_say_again(n->ctx, d);
            return d->code;
        }
    }
    return hk_nodes_gather(n, status, HK_MOMENT_AFTER);
}
