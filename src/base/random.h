/* SPDX-License-Identifier: MIT
 *
 * Random numbers are part of the public headers: components use them too. */
#ifndef HK_BASE_RANDOM_H
#define HK_BASE_RANDOM_H

#include <hk/random.h>

#endif
