/* SPDX-License-Identifier: MIT
 *
 * Types: language.h says what is promised. */
#include "language.h"

FUZZ_LANGUAGE(types, hk_typefile)
