/* SPDX-License-Identifier: MIT
 *
 * `hocket prove x.csp`: what a script in CSPm asserts. */
#include "cli/prove_text.h"

#include "cli/progress.h"

#include <string.h>

enum { SHOWN_EVENTS = 60 };

/* Options about systems and controllers mean nothing here. */
static hk_status refuse_others(hk_cli *cli, const hk_args *args) {
    for (size_t i = 0; i < args->given_count; i++) {
        const hk_option *option = args->given[i].option;
        bool common = strcmp(option->name, "states") == 0;
        for (size_t k = 0; k < hk_common_options.count; k++)
            common = common || option == &hk_common_options.options[k];
        if (!common)
            return hk_error(cli->ctx, HK_E_USAGE, HK_NOWHERE, NULL,
                            "--%s is about systems, not about a script in CSPm", option->name);
    }
    return HK_OK;
}

void hk_csp_proof_print(hk_cli *cli, const hk_csp_proof *p) {
    for (size_t i = 0; i < p->count; i++) {
        const hk_csp_verdict *v = &p->verdicts[i];
        hk_proof_state state = hk_csp_proof_state(v);
        hk_put_clean(stdout, p->assertions[i].text);
        printf("\n  %s%s%s: ", hk_style_on(cli->color_out, hk_proof_style(state)),
               hk_proof_state_word(state), hk_style_off(cli->color_out));
        hk_put_clean(stdout, hk_csp_proof_words(cli->arena, v));
        putchar('\n');
        size_t first = v->trace.count > SHOWN_EVENTS ? v->trace.count - SHOWN_EVENTS : 0;
        if (first)
            printf("  ... %zu event%s before\n", first, hk_plural(first));
        for (size_t k = first; k < v->trace.count; k++) {
            printf("  %zu ", k + 1);
            hk_put_clean(stdout, v->trace.all[k]);
            printf("%s\n", k + 1 == v->trace.count && v->trace_breaks ? "   <- not allowed" : "");
        }
    }
}

/* The line that is drawn again and again on a terminal. */
static void show_states(void *user, const hk_csp_assertion *assertion, uint64_t states) {
    hk_cli *cli = user;
    hk_arena *arena = hk_arena_create();
    fputs("\r\033[K", stderr);
    hk_put_clean(stderr, assertion->text);
    fprintf(stderr, ": %s states", hk_show_count(arena, states));
    (void)fflush(stderr);
    cli->redrawn_line = true;
    hk_arena_destroy(arena);
}

hk_csp_watch hk_csp_watch_begin(hk_cli *cli) {
    bool line = hk_progress_start(cli, NULL, 1, 0).mode == HK_PROGRESS_LINE;
    return line ? (hk_csp_watch){show_states, cli} : (hk_csp_watch){0};
}

hk_status hk_cli_prove_csp(hk_cli *cli, const hk_args *args) {
    hk_report report = hk_cli_report(cli);
    hk_csp_proof proof;
    uint32_t states;
    HK_TRY(refuse_others(cli, args));
    HK_TRY(hk_proof_states(cli, args, &states));
    hk_csp_wishes wishes = {states, hk_csp_watch_begin(cli)};
    hk_status made = hk_csp_proof_make(&report, args->operands[0], &wishes, &proof);
    hk_progress_clear(cli);
    HK_TRY(made);
    if (cli->json) {
        hk_json json;
        hk_answer_begin(cli, &json, "prove");
        hk_csp_proof_put(&report, &proof, &json);
        hk_answer_end(&json);
    } else if (!cli->quiet) {
        hk_csp_proof_print(cli, &proof);
        bool no = proof.wrong < proof.count;
        printf("%s%s%s\n", hk_style_on(cli->color_out, no ? HK_RED : HK_GREEN), proof.answer,
               hk_style_off(cli->color_out));
    }
    fflush(stdout);
    hk_status status = hk_csp_proof_status(&proof);
    bool said = !cli->quiet && !cli->json;
    return status == HK_OK || said ? status : hk_csp_proof_fail(&report, &proof);
}
