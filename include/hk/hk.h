/* SPDX-License-Identifier: MIT
 *
 * The umbrella of hocket's public headers. A component needs hk/unit.h alone, and no library. */
#ifndef HK_HK_H
#define HK_HK_H

#include <hk/answer.h>
#include <hk/base.h>
#include <hk/compare.h>
#include <hk/context.h>
#include <hk/plan.h>
#include <hk/prove.h>
#include <hk/session.h>
#include <hk/simulation.h>
#include <hk/system.h>
#include <hk/unit.h>
#include <hk/version.h>

#endif
