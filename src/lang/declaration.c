/* SPDX-License-Identifier: MIT */
#include "lang/declaration.h"

#include "model/model.h"

#include <string.h>

bool hk_parser_mode(hk_parser *p, hk_name *ret_name) {
    return hk_parser_word(p, hk_lag_words + 1, HK_LAGS - 1, ret_name);
}

static bool read_range(hk_parser *p, hk_decl *decl) {
    decl->has_range = true;
    return hk_parser_expect_mark(p, "[") && hk_parser_number(p, "the least value", &decl->min) &&
           hk_parser_expect_mark(p, ",") && hk_parser_number(p, "the largest value", &decl->max) &&
           hk_parser_expect_mark(p, "]");
}

/* One of the things that may be said behind a name, if one follows. */
static bool read_saying(hk_parser *p, unsigned says, hk_decl *decl, bool *ret_more) {
    hk_place at = hk_parser_here(p);
    *ret_more = true;
    if ((says & HK_SAYS_START) && hk_parser_skip_mark(p, "="))
        return hk_parser_once(p, &at, decl->start.kind != HK_LITERAL_NONE, "the value") &&
               hk_parser_literal(p, &decl->start);
    if ((says & HK_SAYS_UNIT) && hk_parser_skip(p, "unit"))
        return hk_parser_once(p, &at, decl->unit.text[0], "the unit") &&
               hk_parser_text(p, "a unit in double quotes", &decl->unit);
    if ((says & HK_SAYS_UNIT) && hk_parser_skip(p, "frame"))
        return hk_parser_once(p, &at, decl->frame.text[0], "the frame") &&
               hk_parser_path(p, "the name of a frame", &decl->frame);
    if ((says & HK_SAYS_RANGE) && hk_parser_skip(p, "in"))
        return hk_parser_once(p, &at, decl->has_range, "the range") && read_range(p, decl);
    hk_lag lag;
    bool mode = p->token.kind == HK_TOKEN_WORD && hk_lag_find(p->token.text, &lag);
    if ((says & HK_SAYS_MODE) && mode)
        return hk_parser_once(p, &at, decl->mode.text[0], "the lag") &&
               hk_parser_mode(p, &decl->mode);
    *ret_more = false;
    return true;
}

/* What may follow behind a declaration, for a word that does not. */
static bool unknown_saying(hk_parser *p, unsigned says) {
    static const char *const words[] = {"unit", "frame", "in", "previous", "observe", "current"};
    static const unsigned needs[] = {HK_SAYS_UNIT, HK_SAYS_UNIT, HK_SAYS_RANGE,
                                     HK_SAYS_MODE, HK_SAYS_MODE, HK_SAYS_MODE};
    const char *close = hk_closest(p->token.text, words, 6), *hint = NULL;
    for (size_t i = 0; close && i < 6; i++)
        if (strcmp(words[i], close) == 0 && (says & needs[i]))
            hint = hk_hint_name(p->arena, close, NULL);
        else if (strcmp(words[i], p->token.text) == 0)
            hint = "'in' is for parameters, a lag for inputs";
    return hk_parser_unexpected(p, "';'", hint);
}

bool hk_parser_decl(hk_parser *p, unsigned says, hk_decl *ret_decl) {
    hk_decl decl = {.type = HK_MISSING,
                    .name = HK_MISSING,
                    .start = HK_MISSING,
                    .unit = HK_MISSING,
                    .frame = HK_MISSING,
                    .min = HK_MISSING,
                    .max = HK_MISSING,
                    .mode = HK_MISSING,
                    .at = hk_parser_here(p)};
    bool more = true;
    if (!hk_parser_path(p, "a type", &decl.type) || !hk_parser_name(p, "a name", &decl.name))
        return false;
    while (more)
        if (!read_saying(p, says, &decl, &more))
            return false;
    if (p->token.kind == HK_TOKEN_WORD && p->token.line == p->last.end_line)
        return unknown_saying(p, says);
    *ret_decl = decl;
    return true;
}

bool hk_parser_use(hk_parser *p, hk_interfaceuse *ret_use) {
    hk_interfaceuse use = {.at = hk_parser_here(p)};
    if (!hk_parser_path(p, "the name of an interface", &use.interface) ||
        !hk_parser_name(p, "a name for its use", &use.name))
        return false;
    *ret_use = use;
    return true;
}

void hk_print_decl(hk_printer *pr, const hk_decl *decl) {
    hk_print(pr, decl->is_private ? "private " : "");
    hk_print_name(pr, &decl->type);
    hk_print(pr, " ");
    hk_print_name(pr, &decl->name);
    if (decl->start.kind != HK_LITERAL_NONE) {
        hk_print(pr, " = ");
        hk_print_literal(pr, &decl->start);
    }
    if (decl->unit.text[0]) {
        hk_print(pr, " unit ");
        hk_print_quoted(pr, decl->unit.text);
    }
    if (decl->frame.text[0]) {
        hk_print(pr, " frame ");
        hk_print_name(pr, &decl->frame);
    }
    if (decl->has_range) {
        hk_print(pr, " in [");
        hk_print_number(pr, &decl->min);
        hk_print(pr, ", ");
        hk_print_number(pr, &decl->max);
        hk_print(pr, "]");
    }
    if (decl->mode.text[0]) {
        hk_print(pr, " ");
        hk_print(pr, decl->mode.text);
    }
}

void hk_print_use(hk_printer *pr, const hk_interfaceuse *use) {
    hk_print_name(pr, &use->interface);
    hk_print(pr, " ");
    hk_print_name(pr, &use->name);
}
