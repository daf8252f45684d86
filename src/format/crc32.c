/* SPDX-License-Identifier: MIT */
#include "format/crc32.h"

#include <zlib.h>

uint32_t hk_crc32(const void *data, size_t size) {
    return hk_crc32_more(0, data, size);
}

uint32_t hk_crc32_more(uint32_t crc, const void *data, size_t size) {
    return (uint32_t)crc32_z(crc, data, size);
}
