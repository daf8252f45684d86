/* SPDX-License-Identifier: MIT
 *
 * Simulations: language.h says what is promised. */
#include "language.h"

FUZZ_LANGUAGE(simulation, hk_simulationfile)
