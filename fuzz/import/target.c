/* SPDX-License-Identifier: MIT
 *
 * Files of the Scenario-Verifier, as HOCON and as JSON: what is understood is printed as a master
 * that is read as just that. */
#include "master.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_try_master("fuzz.conf", data, size, NULL);
    fuzz_try_master("fuzz.json", data, size, NULL);
    return 0;
}
