/* SPDX-License-Identifier: MIT
 *
 * What `hocket prove` found, for people and as JSON. */
#include "cli/prove.h"

#include <string.h>

enum { SHOWN_CALLS = 40 };

static const char *state_word(hk_proof_state state) {
    static const char *const words[] = {"holds",   "broken",         "forbidden", "inconclusive",
                                        "differs", "does not apply", "not done"};
    return words[state];
}

static hk_style style_of(hk_proof_state state) {
    return state == HK_PROOF_HOLDS                                       ? HK_GREEN
           : state == HK_PROOF_BROKEN || state == HK_PROOF_FORBIDDEN     ? HK_RED
           : state == HK_PROOF_DIFFERS || state == HK_PROOF_INCONCLUSIVE ? HK_YELLOW
                                                                         : HK_DIM;
}

static const char *call_text(hk_cli *cli, const hk_proof *p, const hk_finding *f, size_t index) {
    return hk_sound_call_text(cli->arena, f->system ? f->system : p->system, &f->trace[index]);
}

/* The last calls of a sequence that shows what is wrong, and what may help. */
static void print_calls(hk_cli *cli, const hk_proof *p, const hk_finding *f) {
    size_t first = f->trace_count > SHOWN_CALLS ? f->trace_count - SHOWN_CALLS : 0;
    if (f->when) {
        printf("  ");
        hk_put_clean(stdout, f->when);
        printf(":\n");
    }
    if (first)
        printf("  ... %zu calls before\n", first);
    for (size_t k = first; k < f->trace_count; k++) {
        bool wrong = k + 1 == f->trace_count && !f->trace_after;
        printf("  %zu ", k + 1);
        hk_put_clean(stdout, call_text(cli, p, f, k));
        printf("%s\n", wrong ? "   <- not allowed" : "");
    }
    if (f->hint) {
        printf("  hint: ");
        hk_put_clean(stdout, f->hint);
        putchar('\n');
    }
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
static const char *say_yes(hk_cli *cli, const hk_proof *p) {
    const hk_finding *contracts = find(p, "contracts");
    if (find(p, "trace"))
        return p->contracts_alone ? "the trace keeps the contracts of its instances"
                                  : "the trace is right, phase by phase";
    return hk_arena_printf(
        cli->arena, "%s%s%s",
        !p->contracts_alone  ? "the specification and the contracts hold"
        : p->contracts_asked ? "the contracts hold, and they alone were asked for"
                             : "the contracts hold, and they alone count: the specification does "
                               "not apply",
        contracts && contracts->sampled ? ", as far as accepted steps were tried" : "",
        find_state(p, "modelled") == HK_PROOF_DIFFERS
            ? "; what the components declare is something else"
            : "");
}

/* Which of those that count do not hold. */
static const char *say_no(hk_cli *cli, const hk_proof *p, const hk_finding *wrong) {
    const char *text = "";
    size_t count = 0;
    if (wrong->state == HK_PROOF_INCONCLUSIVE)
        return wrong->early ? "the trace ends too early" : "the trace decides nothing";
    if (strcmp(wrong->name, "synthesis") == 0)
        return "there is no master for this scenario";
    for (size_t i = 0; i < p->count; i++) {
        if (p->findings[i].state != HK_PROOF_BROKEN)
            continue;
        text = hk_arena_printf(cli->arena, "%s%s%s", text, count ? " and " : "the ",
                               p->findings[i].name);
        count++;
    }
    bool are = count > 1 || find_state(p, "contracts") == HK_PROOF_BROKEN;
    text = count ? hk_arena_printf(cli->arena, "%s %s broken", text, are ? "are" : "is") : text;
    if (find_state(p, "fmi") == HK_PROOF_FORBIDDEN)
        return hk_arena_printf(cli->arena, "%s%sFMI forbids what it does", text,
                               count ? ", and " : "");
    if (find_state(p, "contracts") == HK_PROOF_HOLDS)
        return hk_arena_printf(
            cli->arena, "%s, though the contracts hold: '--view contract' asks for them alone",
            text);
    return text;
}

static const char *say(hk_cli *cli, const hk_proof *p, const hk_finding *wrong) {
    return wrong ? hk_arena_printf(cli->arena, "no: %s", say_no(cli, p, wrong))
                 : hk_arena_printf(cli->arena, "yes: %s", say_yes(cli, p));
}

static void print_findings(hk_cli *cli, const hk_proof *p) {
    hk_put_clean(stdout, p->system->name);
    bool observed = false;
    for (size_t i = 0; i < p->system->port_count; i++)
        observed = observed || p->system->ports[i].observed;
    printf(": %zu instances, %zu ports, %s\n", p->system->instance_count, p->ports,
           strcmp(p->view, "strict") == 0 ? "all of them"
           : observed                     ? "those that are connected or observed"
                                          : "those that are connected");
    for (size_t i = 0; i < p->count; i++) {
        const hk_finding *f = &p->findings[i];
        printf("%-15s%s%s%s: ", f->name, hk_style_on(cli->color_out, style_of(f->state)),
               state_word(f->state), hk_style_off(cli->color_out));
        hk_put_clean(stdout, f->text);
        putchar('\n');
        if (f->state == HK_PROOF_BROKEN)
            print_calls(cli, p, f);
    }
}

/* Quiet: what was made is still handed over, for that is what was asked for. */
static void print(hk_cli *cli, const hk_proof *p, const hk_finding *wrong) {
    if (!cli->quiet)
        print_findings(cli, p);
    if (p->made && !p->written)
        printf("%s%s%s", cli->quiet ? "" : "\n", p->made, cli->quiet ? "" : "\n");
    if (cli->quiet)
        return;
    if (p->made && p->written) {
        printf("The master stands in ");
        hk_put_clean(stdout, p->written);
        printf(".\n");
    }
    printf("%s%s%s\n", hk_style_on(cli->color_out, wrong ? HK_RED : HK_GREEN), say(cli, p, wrong),
           hk_style_off(cli->color_out));
}

static void answer_finding(hk_cli *cli, hk_json *json, const hk_proof *p, const hk_finding *f) {
    hk_json_object(json, NULL);
    hk_json_string(json, "name", f->name);
    hk_json_string(json, "state", state_word(f->state));
    hk_json_string(json, "text", f->text);
    hk_json_bool(json, "sampled", f->sampled);
    if (f->when)
        hk_json_string(json, "when", f->when);
    if (f->hint)
        hk_json_string(json, "hint", f->hint);
    hk_json_array(json, "calls");
    for (size_t k = 0; f->state == HK_PROOF_BROKEN && k < f->trace_count; k++)
        hk_json_string(json, NULL, call_text(cli, p, f, k));
    hk_json_end(json);
    if (f->loop) {
        hk_json_array(json, "loop");
        for (size_t k = 0; k < f->loop_count; k++)
            hk_json_string(json, NULL, f->loop[k]);
        hk_json_end(json);
    }
    hk_json_end(json);
}

static void answer(hk_cli *cli, const hk_proof *p, const hk_finding *wrong) {
    hk_json json;
    hk_answer_begin(cli, &json, "prove");
    hk_json_string(&json, "file", p->file);
    hk_json_bool(&json, "holds", !wrong);
    hk_json_string(&json, "answer", say(cli, p, wrong));
    hk_json_string(&json, "view", p->view);
    hk_json_i64(&json, "instances", (int64_t)p->system->instance_count);
    hk_json_i64(&json, "ports", (int64_t)p->ports);
    hk_json_array(&json, "verdicts");
    for (size_t i = 0; i < p->count; i++)
        answer_finding(cli, &json, p, &p->findings[i]);
    hk_json_end(&json);
    if (p->made)
        hk_json_string(&json, "master", p->made);
    hk_answer_end(&json);
}

const hk_finding *hk_proof_report(hk_cli *cli, const hk_proof *proof) {
    const hk_finding *wrong = NULL;
    for (size_t i = proof->count; i-- > 0;)
        if (proof->findings[i].state == HK_PROOF_BROKEN ||
            proof->findings[i].state == HK_PROOF_FORBIDDEN ||
            proof->findings[i].state == HK_PROOF_INCONCLUSIVE)
            wrong = &proof->findings[i];
    if (cli->json)
        answer(cli, proof, wrong);
    else
        print(cli, proof, wrong);
    fflush(stdout);
    return wrong;
}
