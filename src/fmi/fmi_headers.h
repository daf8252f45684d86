/* SPDX-License-Identifier: MIT
 *
 * Inside the fmi room: the headers of the standards, as sources of FMUs include them. FMUs need not
 * carry them, so the one who compiles their sources has them ready. Types are in headers/, written
 * from the text of the standards; functions come out of the tables in fmiN_api.h, so that what is
 * called and what is compiled cannot drift apart. */
#ifndef HK_FMI_FMI_HEADERS_H
#define HK_FMI_FMI_HEADERS_H

#include "base/diag.h"

/* Writes the headers of that VERSION (1, 2, 3) into FOLDER, which is there. */
HK_NODISCARD hk_status hk_fmi_headers_write(hk_ctx *ctx, hk_arena *arena, int version,
                                            const char *folder);
/* The same as one text, for fingerprints. */
const char *hk_fmi_headers_text(hk_arena *arena, int version);

#endif
