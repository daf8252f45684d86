/* SPDX-License-Identifier: MIT
 *
 * Parameter mappings, alone. */
#include "ssp_part.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    return fuzz_try_ssp_part("fuzz.ssm", "ParameterMapping", data, size);
}
