/* SPDX-License-Identifier: MIT
 *
 * The rules of FMI for the scripts of this folder:
 *   rules_tool table           docs/fmi-rules.md, made from the table in the code
 *   rules_tool names           one line for each rule: name, versions
 *   rules_tool check FILE...   findings of model descriptions: file, line, severity, text */
#include "check/fmu_rules.h"

#include "base/file.h"

#include <stdio.h>
#include <string.h>

static const char *severity_of(hk_severity severity) {
    return severity == HK_ERROR ? "error" : severity == HK_WARNING ? "warning" : "note";
}

static void print_table(void) {
    puts(
        "# Rules of FMI\n\n"
        "`hocket check x.fmu` looks at these rules. Each finding ends with the name of its rule "
        "and "
        "the section\nof the standard it comes from, as in `[start-missing; FMI 2.0.5, 2.2.7]`. A "
        "dash: the version has no\nsuch rule, or it cannot be seen without running the FMU. FMI "
        "1.0 "
        "is cited by chapter of its paper for\nmodel exchange (ME). Errors make the exit status 1; "
        "warnings and notes do not.\n\n"
        "This page is made from the table in `src/check/rules.def`; a test compares the two.\n\n"
        "| rule | kind | 1.0 | 2.0.5 | 3.0.2 | what it says |\n|---|---|---|---|---|---|");
    const hk_fmu_rule *r;
    for (size_t i = 0; (r = hk_fmu_rule_at(i)); i++) {
        printf("| `%s` | %s |", r->name, severity_of(r->severity));
        for (size_t v = 0; v < HK_FMI_VERSIONS; v++)
            printf(" %s |", *r->reference[v] ? r->reference[v] : "-");
        printf(" %s |\n", r->sentence);
    }
}

static void print_names(void) {
    const hk_fmu_rule *r;
    for (size_t i = 0; (r = hk_fmu_rule_at(i)); i++)
        printf("%s %d%d%d\n", r->name, *r->reference[0] != 0, *r->reference[1] != 0,
               *r->reference[2] != 0);
}

/* Names in wrong descriptions may hold what separates columns and lines here. */
static void put_clean(const char *text) {
    for (; *text; text++)
        putchar((unsigned char)*text < ' ' ? ' ' : *text);
}

static bool check_file(const char *path) {
    hk_ctx *ctx = hk_ctx_create(NULL, NULL);
    char *data = NULL;
    size_t size;
    hk_fmu_findings findings;
    bool fine = hk_file_read(ctx, path, 0, &data, &size) == HK_OK;
    hk_status status = fine ? hk_check_description(ctx, path, data, size, &findings) : HK_OK;
    fine = fine && (status == HK_OK) == (hk_ctx_count(ctx, HK_ERROR) == 0);
    for (size_t i = 0; i < hk_ctx_count(ctx, HK_NOTE); i++) {
        const hk_diag *d = hk_ctx_diag(ctx, i);
        printf("%s\t%d\t%s\t", path, d->where.line, severity_of(d->severity));
        put_clean(d->where.element ? d->where.element : "");
        putchar('\t');
        put_clean(d->text);
        putchar('\n');
    }
    hk_free(data);
    hk_ctx_destroy(ctx);
    return fine;
}

int main(int argc, char **argv) {
    bool fine = argc > 1;
    if (fine && strcmp(argv[1], "table") == 0)
        print_table();
    else if (fine && strcmp(argv[1], "names") == 0)
        print_names();
    else
        for (int i = 2; i < argc; i++)
            fine = check_file(argv[i]) && fine;
    return fine ? 0 : 1;
}
