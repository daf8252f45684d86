/* SPDX-License-Identifier: MIT */
#ifndef HK_GEN_USES_H
#define HK_GEN_USES_H

#include "gen/gen_internal.h"

/* Warns of self->name in the regions where the leaf has no such field. HEADER is the text of the
 * leaf's header, PATH the file of the regions. */
void hk_gen_check_uses(const hk_gen *gen, const hk_genleaf *leaf, const char *path,
                       const char *header, const hk_regions *regions);

#endif
