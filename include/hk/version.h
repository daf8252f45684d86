/* SPDX-License-Identifier: MIT
 *
 * The version of these headers; hk_version() says which library answers. */
#ifndef HK_VERSION_H
#define HK_VERSION_H

#define HK_VERSION_MAJOR 0
#define HK_VERSION_MINOR 1
#define HK_VERSION_PATCH 0

#endif
