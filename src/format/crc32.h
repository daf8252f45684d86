/* SPDX-License-Identifier: MIT
 *
 * CRC-32 as ZIP archives carry it: tells damage and carelessness, not forgery. */
#ifndef HK_FORMAT_CRC32_H
#define HK_FORMAT_CRC32_H

#include <stddef.h>
#include <stdint.h>

uint32_t hk_crc32(const void *data, size_t size);
/* Of what gave CRC and DATA after it; of nothing it is 0. Async-signal-safe. */
uint32_t hk_crc32_more(uint32_t crc, const void *data, size_t size);

#endif
