/* SPDX-License-Identifier: MIT
 *
 * Systems: language.h says what is promised. */
#include "language.h"

FUZZ_LANGUAGE(system, hk_systemfile)
