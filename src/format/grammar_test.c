/* SPDX-License-Identifier: MIT */
#include "format/grammar.h"

#include <stdio.h>
#include <string.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static const hk_grammar_rule rules[] = {
    {"House", "*Room Roof -Flag |Coal |Gas", "name -colour"},
    {"Room", "*Door +", "width"},
    {"Roof", "", ""},
    {NULL, NULL, NULL},
};

static bool is_own(const hk_xml *element) {
    return strcmp(element->ns, "urn:other") != 0;
}

static bool is_gas(const hk_xml *child) {
    return strcmp(child->name, "Gas") == 0;
}

static bool knows_id(const hk_xml *element, const char *attribute) {
    return strcmp(element->name, "Roof") == 0 && strcmp(attribute, "id") == 0;
}

static void collect(void *user, const char *file, const hk_xml *element,
                    const hk_xml_attr *attribute) {
    (void)file;
    strcat(user, attribute ? attribute->name : element->name);
    strcat(user, " ");
}

/* What is said about TEXT, as "LINE TEXT (HINT)" in lines. */
static void look(const hk_grammar *grammar, const char *text, char *said, size_t *ret_errors) {
    hk_ctx *ctx = hk_ctx_create(NULL, NULL);
    hk_reading reading = {.arena = hk_arena_create(), .code = HK_E_SSP};
    const hk_xml *root;
    assert_int_equal(hk_xml_parse(ctx, reading.arena, "x", text, strlen(text), &root), HK_OK);
    hk_grammar_check(ctx, &reading, grammar, "x", root);
    *said = '\0';
    for (size_t i = 0; i < hk_ctx_count(ctx, HK_NOTE); i++) {
        const hk_diag *d = hk_ctx_diag(ctx, i);
        said += sprintf(said, "%d %s (%s)\n", d->where.line, d->text, d->hint ? d->hint : "");
    }
    *ret_errors = reading.complaints.count;
    hk_reading_finish(&reading);
    hk_arena_destroy(reading.arena);
    hk_ctx_destroy(ctx);
}

static void test_table(void **state) {
    (void)state;
    static const struct {
        const char *text, *said;
        size_t errors;
    } rows[] = {
        {"<House name=\"a\"><Room/><Room width=\"1\"><Door/><Bed/></Room><Roof/><Coal/></House>",
         "", 0},
        {"<House nam=\"a\">\n<Rof/>\n<Rof/></House>",
         "1 unknown attribute 'nam' of 'House' is ignored (did you mean 'name'?)\n"
         "2 unknown element 'Rof' of 'House' is ignored (did you mean 'Roof'?)\n",
         0},
        {"<House colour=\"red\">\n<Flag/></House>",
         "1 attribute 'colour' of 'House' is not used ()\n2 element 'Flag' of 'House' is not used "
         "()\n",
         0},
        {"<House>\n<Roof/>\n<Roof/>\n<Roof/></House>",
         "3 'House' may have one 'Roof', and this is another; the first is in line 2 (join the "
         "two, or remove one)\n",
         1},
        {"<House>\n<Coal/>\n<Gas/></House>",
         "3 'House' may not have 'Gas' beside 'Coal', which is in line 2 (remove one of the "
         "two)\n",
         1},
        {"<House xmlns:o=\"urn:o\" o:x=\"1\" xml:lang=\"en\"/>",
         "1 attribute 'x' of 'urn:o' is not used ()\n", 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char said[1024];
        size_t errors;
        look(&(hk_grammar){.rules = rules}, rows[i].text, said, &errors);
        assert_string_equal(said, rows[i].said);
        assert_int_equal(errors, rows[i].errors);
    }
}

/* What a table cannot say. */
static void test_questions(void **state) {
    (void)state;
    char idle[64] = "", said[1024];
    size_t errors;
    const hk_grammar grammar = {.rules = rules,
                                .is_own = is_own,
                                .foreign_hint = "elsewhere",
                                .may_repeat = is_gas,
                                .knows = knows_id,
                                .idle = collect,
                                .user = idle};
    look(&grammar,
         "<House colour=\"red\" xmlns:o=\"urn:other\"><Flag/><Roof id=\"1\"/><Coal/><Gas/><Gas/>"
         "<o:Roof/><o:Roof/></House>",
         said, &errors);
    assert_string_equal(
        said, "1 element 'Roof' of namespace 'urn:other' inside 'House' is ignored (elsewhere)\n");
    assert_string_equal(idle, "colour Flag ");
    assert_int_equal(errors, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_table),
        cmocka_unit_test(test_questions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
