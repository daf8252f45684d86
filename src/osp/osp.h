/* SPDX-License-Identifier: MIT
 *
 * Systems of the Open Simulation Platform: OspSystemStructure.xml, with the variable groups of
 * OspModelDescription.xml, becomes a model. */
#ifndef HK_OSP_OSP_H
#define HK_OSP_OSP_H

#include "model/model.h"

#define HK_OSP_FILE "OspSystemStructure.xml" /* what a folder of a system holds */

/* Reads PATH, an .xml file or a folder with HK_OSP_FILE in it, the FMUs that it names and their
 * OspModelDescriptions. The model means what libcosim's fixed-step algorithm does (docs/osp.md).
 * STEP: a base step in place of that of the file; NULL: that of the file.
 * What makes the system wrong gives errors, as many as there are, and a failure at the end. */
HK_NODISCARD hk_status hk_osp_read(hk_ctx *ctx, const char *path, const hk_ratio *step,
                                   hk_model **ret_model);
/* Parses a system structure or, by its root, a model description alone, without opening what it
 * refers to: for the fuzzer. */
HK_NODISCARD hk_status hk_osp_parse(hk_ctx *ctx, const char *file, const char *data, size_t size);

#endif
