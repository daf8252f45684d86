/* SPDX-License-Identifier: MIT
 *
 * `hocket prove x.rct`: what a controller can do. */
#include "cli/prove_text.h"
#include "cli/request.h"

#include "base/number.h"

#include <string.h>

enum { SHOWN_CYCLES = 40, MANY_STATES = 100000 };

/* Options about systems and their calls mean nothing here. */
static hk_status refuse_others(hk_cli *cli, const hk_args *args) {
    static const char *const known[] = {"set",       "property",      "properties", "range",
                                        "length",    "plant",         "states",     "module",
                                        "witnesses", "export-promela"};
    for (size_t i = 0; i < args->given_count; i++) {
        const hk_option *option = args->given[i].option;
        bool common = false, ours = false;
        for (size_t k = 0; k < hk_common_options.count; k++)
            common = common || option == &hk_common_options.options[k];
        for (size_t k = 0; k < sizeof known / sizeof *known; k++)
            ours = ours || strcmp(option->name, known[k]) == 0;
        if (!common && !ours)
            return hk_error(cli->ctx, HK_E_USAGE, HK_NOWHERE, NULL,
                            "--%s is about systems, not about a controller in RoboChart",
                            option->name);
    }
    return HK_OK;
}

hk_status hk_proof_states(hk_cli *cli, const hk_args *args, uint32_t *ret_states) {
    const char *text = hk_args_value(args, "states");
    uint64_t states = 0;
    if (text && (!hk_read_u64(text, strlen(text), &states) || !states || states > UINT32_MAX / 2))
        return hk_error(cli->ctx, HK_E_USAGE, HK_NOWHERE, NULL,
                        "--states '%s' is not a number of states", text);
    *ret_states = (uint32_t)states;
    return HK_OK;
}

static void print_rows(const hk_explore_rows *rows) {
    size_t first = rows->row_count > SHOWN_CYCLES ? rows->row_count - SHOWN_CYCLES : 0;
    if (first)
        printf("  ... %zu cycle%s before\n", first, hk_plural(first));
    for (size_t i = first; i < rows->row_count; i++) {
        printf("  %zu ", i);
        hk_put_clean(stdout, rows->notes[i]);
        putchar('\n');
    }
    if (rows->unlike) {
        printf("  a run may go another way: here ");
        hk_put_clean(stdout, rows->unlike);
        putchar('\n');
    }
}

static void print_finding(hk_cli *cli, const hk_chart_proof *p, size_t index) {
    const hk_explore_finding *f = &p->explored.findings[index];
    hk_proof_state state = hk_chart_proof_state(f);
    printf("%-15s%s%s%s: ", f->name, hk_style_on(cli->color_out, hk_proof_style(state)),
           hk_proof_state_word(state), hk_style_off(cli->color_out));
    hk_put_clean(stdout, f->text);
    putchar('\n');
    print_rows(&f->rows);
    if (f->hint) {
        printf("  hint: ");
        hk_put_clean(stdout, f->hint);
        putchar('\n');
    }
    if (p->replays[index]) {
        printf("  replay: ");
        hk_put_clean(stdout, p->replays[index]);
        putchar('\n');
    }
}

static void print(hk_cli *cli, const hk_chart_proof *p) {
    const hk_explored *e = &p->explored;
    hk_put_clean(stdout, e->chart->name);
    printf(": %llu state%s%s, %llu cycles were run, %llu input%s in each",
           (unsigned long long)e->states, hk_plural(e->states), e->whole ? "" : " and more",
           (unsigned long long)e->steps, (unsigned long long)e->inputs, hk_plural(e->inputs));
    if (e->plant) {
        printf(", with the plant ");
        hk_put_clean(stdout, e->plant);
    }
    if (e->states >= MANY_STATES)
        printf("; %zu bytes a state", (size_t)(e->bytes / e->states));
    putchar('\n');
    for (size_t i = 0; i < e->count; i++)
        print_finding(cli, p, i);
    printf("%s%s%s\n", hk_style_on(cli->color_out, e->wrong ? HK_RED : HK_GREEN),
           hk_explored_answer(cli->arena, e), hk_style_off(cli->color_out));
}

static hk_status tell(hk_cli *cli, const hk_report *report, const hk_chart_proof *p) {
    hk_status status = hk_chart_proof_status(p);
    if (cli->json) {
        hk_json json;
        hk_answer_begin(cli, &json, "prove");
        hk_chart_proof_put(report, p, &json);
        hk_answer_end(&json);
    } else if (!cli->quiet) {
        print(cli, p);
    }
    fflush(stdout);
    bool said = !cli->quiet && !cli->json;
    return status == HK_OK || said ? status : hk_chart_proof_fail(report, p);
}

hk_status hk_cli_prove_chart(hk_cli *cli, const hk_args *args) {
    hk_report report = hk_cli_report(cli);
    hk_chart_proof proof;
    hk_chart_proof_wishes wishes = {
        .explore = {.module = hk_args_value(args, "module"),
                    .settings = hk_request_texts(cli, args, "set"),
                    .ranges = hk_request_texts(cli, args, "range"),
                    .lengths = hk_request_texts(cli, args, "length"),
                    .properties = hk_request_texts(cli, args, "property"),
                    .property_files = hk_request_texts(cli, args, "properties"),
                    .plant = hk_args_value(args, "plant")},
        .export_promela = hk_args_value(args, "export-promela"),
        .witnesses = hk_args_value(args, "witnesses")};
    HK_TRY(refuse_others(cli, args));
    HK_TRY(hk_proof_states(cli, args, &wishes.explore.states));
    HK_TRY(hk_chart_proof_make(&report, args->operands[0], &wishes, &proof));
    return tell(cli, &report, &proof);
}
