/* SPDX-License-Identifier: MIT
 *
 * What `hocket prove` found, for people. */
#include "cli/prove_text.h"

#include <string.h>

enum { SHOWN_CALLS = 40 };

hk_style hk_proof_style(hk_proof_state state) {
    return state == HK_PROOF_HOLDS                                       ? HK_GREEN
           : state == HK_PROOF_BROKEN || state == HK_PROOF_FORBIDDEN     ? HK_RED
           : state == HK_PROOF_DIFFERS || state == HK_PROOF_INCONCLUSIVE ? HK_YELLOW
                                                                         : HK_DIM;
}

/* The last calls of a sequence that shows what is wrong, and what may help. */
static void print_calls(const hk_proof *p, const hk_finding *f) {
    size_t first = f->trace_count > SHOWN_CALLS ? f->trace_count - SHOWN_CALLS : 0;
    if (f->when) {
        printf("  ");
        hk_put_clean(stdout, f->when);
        printf(":\n");
    }
    if (first)
        printf("  ... %zu call%s before\n", first, hk_plural(first));
    for (size_t k = first; k < f->trace_count; k++) {
        bool wrong = k + 1 == f->trace_count && !f->trace_after;
        printf("  %zu ", k + 1);
        hk_put_clean(stdout, hk_proof_call(p, f, k));
        printf("%s\n", wrong ? "   <- not allowed" : "");
    }
    first = f->events.count > SHOWN_CALLS ? f->events.count - SHOWN_CALLS : 0;
    if (first)
        printf("  ... %zu event%s before\n", first, hk_plural(first));
    for (size_t k = first; k < f->events.count; k++) {
        printf("  %zu ", k + 1);
        hk_put_clean(stdout, f->events.all[k]);
        putchar('\n');
    }
    if (f->hint) {
        printf("  hint: ");
        hk_put_clean(stdout, f->hint);
        putchar('\n');
    }
}

static void print_findings(hk_cli *cli, const hk_proof *p) {
    hk_put_clean(stdout, p->system->name);
    bool observed = false;
    for (size_t i = 0; i < p->system->port_count; i++)
        observed = observed || p->system->ports[i].observed;
    printf(": %zu instance%s, %zu port%s, %s\n", p->system->instance_count,
           hk_plural(p->system->instance_count), p->port_count, hk_plural(p->port_count),
           strcmp(p->view_name, "strict") == 0 ? "all of them"
           : observed                          ? "those that are connected or observed"
                                               : "those that are connected");
    for (size_t i = 0; i < p->count; i++) {
        const hk_finding *f = &p->findings[i];
        printf("%-15s%s%s%s: ", f->name, hk_style_on(cli->color_out, hk_proof_style(f->state)),
               hk_proof_state_word(f->state), hk_style_off(cli->color_out));
        hk_put_clean(stdout, f->text);
        putchar('\n');
        if (f->state == HK_PROOF_BROKEN)
            print_calls(p, f);
    }
}

void hk_proof_print(hk_cli *cli, const hk_proof *p) {
    const char *written = p->wishes->output;
    if (!cli->quiet)
        print_findings(cli, p);
    if (p->made && !written)
        printf("%s%s%s", cli->quiet ? "" : "\n", p->made, cli->quiet ? "" : "\n");
    if (cli->quiet)
        return;
    if (p->made && written) {
        printf("The master is in ");
        hk_put_clean(stdout, written);
        printf(".\n");
    }
    printf("%s%s%s\n", hk_style_on(cli->color_out, p->wrong ? HK_RED : HK_GREEN),
           hk_proof_answer(p), hk_style_off(cli->color_out));
}
