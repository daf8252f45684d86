/* SPDX-License-Identifier: MIT
 *
 * The umbrella of hocket's public headers. */
#ifndef HK_HK_H
#define HK_HK_H

#include <hk/base.h>
#include <hk/unit.h>

#endif
