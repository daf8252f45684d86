/* SPDX-License-Identifier: MIT */
#include "format/crc32.h"

#include <zlib.h>

uint32_t hk_crc32(const void *data, size_t size) {
    return (uint32_t)crc32_z(0, data, size);
}
