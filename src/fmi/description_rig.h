/* SPDX-License-Identifier: MIT
 *
 * What the tests of descriptions share; include it after cmocka. */
#ifndef HK_FMI_DESCRIPTION_RIG_H
#define HK_FMI_DESCRIPTION_RIG_H

#include "fmi/fmu.h"

#include <string.h>

/* The text is read, and a warning in LINE (0: anywhere) has WORD; the caller closes the result. */
static hk_fmu *forgiven(const char *text, int line, const char *word) {
    hk_ctx *own = hk_ctx_create(NULL, NULL);
    hk_fmu *fmu = NULL;
    hk_status status = hk_fmu_parse_description(own, "md.xml", text, strlen(text), &fmu);
    if (status != HK_OK)
        fail_msg("refused for '%s': %s", word, hk_ctx_diag(own, 0)->text);
    bool found = false;
    for (size_t i = 0; i < hk_ctx_count(own, HK_NOTE); i++) {
        const hk_diag *diag = hk_ctx_diag(own, i);
        found |= diag->severity == HK_WARNING && strstr(diag->text, word) &&
                 (!line || diag->where.line == line);
    }
    for (size_t i = 0; !found && i < hk_ctx_count(own, HK_NOTE); i++)
        print_message("%d: %s\n", hk_ctx_diag(own, i)->where.line, hk_ctx_diag(own, i)->text);
    if (!found)
        fail_msg("nothing says '%s' in line %d", word, line);
    hk_ctx_destroy(own);
    return fmu;
}

static void forgive(const char *text, int line, const char *word) {
    hk_fmu_close(forgiven(text, line, word));
}

#endif
