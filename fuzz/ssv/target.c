/* SPDX-License-Identifier: MIT
 *
 * Parameter sets, alone. */
#include "ssp_part.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    return fuzz_try_ssp_part("fuzz.ssv", "ParameterSet", data, size);
}
