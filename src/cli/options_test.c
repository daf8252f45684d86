/* SPDX-License-Identifier: MIT */
#include "cli/options.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const hk_option options[] = {
    {.name = "stop-time", .argument = "TIME", .aliases = "stopTime end-time"},
    {.name = "set", .argument = "NAME=VALUE", .repeatable = true},
    {.name = "output", .letter = 'o', .argument = "FILE"},
    {.name = "real-time", .argument = "FACTOR", .optional = true},
    {.name = "algorithm", .argument = "NAME", .choices = "jacobi gauss-seidel"},
    {.name = "verbose", .letter = 'v', .only_for = HK_FOR_SIMULATIONS},
    {.name = "stats",
     .only_for = HK_FOR_SYSTEMS,
     .why = "its runs are played at the same time",
     .instead = "ask for those of the system alone"},
};
static const hk_option_table table = {options, sizeof options / sizeof *options};

enum { WORDS_MAX = 12 };

/* Parses words that are separated by spaces in TEXT. */
static hk_status parse(hk_ctx *ctx, char *text, hk_args *ret_args) {
    char *words[WORDS_MAX];
    int count = 0;
    for (char *word = strtok(text, " "); word; word = strtok(NULL, " "))
        words[count++] = word;
    return hk_args_parse(ctx, "hocket run", &table, count, words, ret_args);
}

static void reads_every_form(void **state) {
    (void)state;
    hk_ctx *ctx = hk_ctx_create(NULL, NULL);
    hk_args args;
    char text[] = "a.ssp --stopTime=2 -vo x.csv --set p=1 --set q=a=b --real-time -- --b";
    assert_int_equal(parse(ctx, text, &args), HK_OK);
    assert_int_equal(args.operand_count, 2);
    assert_string_equal(args.operands[0], "a.ssp");
    assert_string_equal(args.operands[1], "--b");
    assert_string_equal(hk_args_value(&args, "stop-time"), "2");
    assert_string_equal(hk_args_value(&args, "output"), "x.csv");
    assert_true(hk_args_has(&args, "verbose"));
    assert_string_equal(hk_args_nth(&args, "set", 0), "p=1");
    assert_string_equal(hk_args_nth(&args, "set", 1), "q=a=b");
    assert_null(hk_args_nth(&args, "set", 2));
    assert_true(hk_args_has(&args, "real-time"));
    assert_null(hk_args_value(&args, "real-time"));
    assert_false(hk_args_has(&args, "quiet"));
    hk_args_finish(&args);
    hk_ctx_destroy(ctx);
}

static void once_or_the_same(void **state) {
    (void)state;
    hk_ctx *ctx = hk_ctx_create(NULL, NULL);
    hk_args args;
    char text[] = "--stop-time -3 --end-time=-3 -ofile -v --output file -v --real-time=0.5";
    assert_int_equal(parse(ctx, text, &args), HK_OK);
    assert_string_equal(hk_args_value(&args, "stop-time"), "-3");
    assert_string_equal(hk_args_value(&args, "output"), "file");
    assert_string_equal(hk_args_value(&args, "real-time"), "0.5");
    hk_args_finish(&args);
    hk_ctx_destroy(ctx);
}

static void refuses(void **state) {
    (void)state;
    static const struct {
        const char *words, *part_of_text, *part_of_hint;
    } cases[] = {
        {"--stop-tim 2", "'--stop-tim'", "'--stop-time'"},
        {"--stop-time", "needs a value", "--stop-time=TIME"},
        {"--output --verbose", "needs a value", "--output=FILE"},
        {"--verbose=1", "takes no value", NULL},
        {"--algorithm euler", "'euler'", "jacobi gauss-seidel"},
        {"-vx", "'-x'", "run --help"},
        {"-o a.csv --output=b.csv", "'--output' is given twice, as 'a.csv' and as 'b.csv'", "once"},
        {"--stopTime 1 --end-time 2", "'--stop-time' is given twice", "once"},
        {"--real-time --real-time=2", "twice, without a value and as '2'", "once"},
        {"--qqqqqqqqqqqq", "no option", "run --help"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        hk_ctx *ctx = hk_ctx_create(NULL, NULL);
        hk_args args;
        char text[64];
        strcpy(text, cases[i].words);
        assert_int_equal(parse(ctx, text, &args), HK_E_USAGE);
        assert_int_equal(hk_ctx_count(ctx, HK_ERROR), 1);
        const hk_diag *diag = hk_ctx_diag(ctx, 0);
        assert_non_null(strstr(diag->text, cases[i].part_of_text));
        if (cases[i].part_of_hint)
            assert_non_null(strstr(diag->hint, cases[i].part_of_hint));
        hk_ctx_destroy(ctx);
    }
}

static void says_what_an_option_is_for(void **state) {
    (void)state;
    hk_ctx *ctx = hk_ctx_create(NULL, NULL);
    hk_args args;
    char both[] = "a.ssp --stop-time 2", one[] = "a.ssp --set p=1 -v", other[] = "a.ssp --stats";
    assert_int_equal(parse(ctx, both, &args), HK_OK);
    assert_int_equal(hk_args_check_for(ctx, &args, HK_FOR_SYSTEMS), HK_OK);
    assert_int_equal(hk_args_check_for(ctx, &args, HK_FOR_SIMULATIONS), HK_OK);
    hk_args_finish(&args);
    assert_int_equal(parse(ctx, one, &args), HK_OK);
    assert_int_equal(hk_args_check_for(ctx, &args, HK_FOR_SIMULATIONS), HK_OK);
    assert_int_equal(hk_args_check_for(ctx, &args, HK_FOR_SYSTEMS), HK_E_USAGE);
    assert_string_equal(hk_ctx_diag(ctx, 0)->text, "--verbose is for simulations");
    hk_args_finish(&args);
    assert_int_equal(parse(ctx, other, &args), HK_OK);
    assert_int_equal(hk_args_check_for(ctx, &args, HK_FOR_SYSTEMS), HK_OK);
    assert_int_equal(hk_args_check_for(ctx, &args, HK_FOR_SIMULATIONS), HK_E_USAGE);
    assert_string_equal(hk_ctx_diag(ctx, 1)->text,
                        "--stats is not for simulations: its runs are played at the same time");
    assert_string_equal(hk_ctx_diag(ctx, 1)->hint, "ask for those of the system alone");
    hk_args_finish(&args);
    hk_ctx_destroy(ctx);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_every_form),
        cmocka_unit_test(once_or_the_same),
        cmocka_unit_test(refuses),
        cmocka_unit_test(says_what_an_option_is_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
