/* SPDX-License-Identifier: MIT
 *
 * What was proved, as JSON, and in one sentence. */
#include "report/prove.h"

#include <string.h>

const char *hk_proof_state_word(hk_proof_state state) {
    static const char *const words[] = {"holds",   "broken",         "forbidden", "inconclusive",
                                        "differs", "does not apply", "not done"};
    return words[state];
}

const char *hk_proof_call(const hk_proof *p, const hk_finding *f, size_t index) {
    HK_ASSERT(index < f->trace_count);
    return hk_sound_call_text(p->arena, f->system ? f->system : p->system, &f->trace[index]);
}

static const hk_finding *find(const hk_proof *p, const char *name) {
    for (size_t i = 0; i < p->count; i++)
        if (strcmp(p->findings[i].name, name) == 0)
            return &p->findings[i];
    return NULL;
}

static hk_proof_state find_state(const hk_proof *p, const char *name) {
    const hk_finding *f = find(p, name);
    return f ? f->state : HK_PROOF_NOT_DONE;
}

/* Why it is a yes: which verdicts count. */
static const char *say_yes(const hk_proof *p) {
    const hk_finding *contracts = find(p, "contracts");
    if (find(p, "trace"))
        return p->contracts_alone ? "the trace keeps the contracts of its instances"
                                  : "the trace is right, phase by phase";
    return hk_arena_printf(
        p->arena, "%s%s%s",
        !p->contracts_alone ? "the specification and the contracts hold"
        : p->by_contract    ? "the contracts hold, and they alone were asked for"
                            : "the contracts hold, and they alone count: the specification does "
                              "not apply",
        contracts && contracts->sampled ? ", as far as accepted steps were tried" : "",
        find_state(p, "modelled") == HK_PROOF_DIFFERS
            ? "; what the components declare is something else"
            : "");
}

/* Which of those that count do not hold. */
static const char *say_no(const hk_proof *p, const hk_finding *wrong) {
    const char *text = "";
    size_t count = 0;
    if (wrong->state == HK_PROOF_INCONCLUSIVE)
        return wrong->early ? "the trace ends too early" : "the trace decides nothing";
    if (strcmp(wrong->name, "synthesis") == 0)
        return "there is no master for this scenario";
    for (size_t i = 0; i < p->count; i++) {
        if (p->findings[i].state != HK_PROOF_BROKEN)
            continue;
        text = hk_arena_printf(p->arena, "%s%s%s", text, count ? " and " : "the ",
                               p->findings[i].name);
        count++;
    }
    bool are = count > 1 || find_state(p, "contracts") == HK_PROOF_BROKEN;
    text = count ? hk_arena_printf(p->arena, "%s %s broken", text, are ? "are" : "is") : text;
    if (find_state(p, "fmi") == HK_PROOF_FORBIDDEN)
        return hk_arena_printf(p->arena, "%s%sFMI forbids what it does", text,
                               count ? ", and " : "");
    if (find_state(p, "contracts") == HK_PROOF_HOLDS)
        return hk_arena_printf(
            p->arena, "%s, though the contracts hold: '--view contract' asks for them alone", text);
    return text;
}

const char *hk_proof_answer(const hk_proof *p) {
    return p->wrong ? hk_arena_printf(p->arena, "no: %s", say_no(p, p->wrong))
                    : hk_arena_printf(p->arena, "yes: %s", say_yes(p));
}

static void answer_finding(hk_json *json, const hk_proof *p, const hk_finding *f) {
    hk_json_object(json, NULL);
    hk_json_string(json, "name", f->name);
    hk_json_string(json, "state", hk_proof_state_word(f->state));
    hk_json_string(json, "text", f->text);
    hk_json_bool(json, "sampled", f->sampled);
    if (f->when)
        hk_json_string(json, "when", f->when);
    if (f->hint)
        hk_json_string(json, "hint", f->hint);
    hk_json_array(json, "calls");
    for (size_t k = 0; f->state == HK_PROOF_BROKEN && k < f->trace_count; k++)
        hk_json_string(json, NULL, hk_proof_call(p, f, k));
    for (size_t k = 0; k < f->events.count; k++)
        hk_json_string(json, NULL, f->events.all[k]);
    hk_json_end(json);
    if (f->loop) {
        hk_json_array(json, "loop");
        for (size_t k = 0; k < f->loop_count; k++)
            hk_json_string(json, NULL, f->loop[k]);
        hk_json_end(json);
    }
    hk_json_end(json);
}

void hk_proof_put(const hk_proof *p, hk_json *json) {
    hk_json_string(json, "file", p->file);
    hk_json_bool(json, "holds", !p->wrong);
    hk_json_string(json, "answer", hk_proof_answer(p));
    hk_json_string(json, "view", p->view_name);
    hk_json_i64(json, "instances", (int64_t)p->system->instance_count);
    hk_json_i64(json, "ports", (int64_t)p->port_count);
    hk_json_array(json, "verdicts");
    for (size_t i = 0; i < p->count; i++)
        answer_finding(json, p, &p->findings[i]);
    hk_json_end(json);
    if (p->made)
        hk_json_string(json, "master", p->made);
}
