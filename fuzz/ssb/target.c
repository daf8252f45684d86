/* SPDX-License-Identifier: MIT
 *
 * Signal dictionaries, alone. */
#include "ssp_part.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    return fuzz_try_ssp_part("fuzz.ssb", "SignalDictionary", data, size);
}
