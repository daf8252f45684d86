/* SPDX-License-Identifier: MIT
 *
 * SHA-256 (FIPS 180-4), for content addresses. */
#ifndef HK_FORMAT_SHA256_H
#define HK_FORMAT_SHA256_H

#include <hk/base.h>

/* 64 hexadecimal digits and a NUL. */
void hk_sha256_hex(const void *data, size_t size, char ret_hex[65]);
/* The same on any processor; tests compare the two. */
void hk_sha256_hex_plain(const void *data, size_t size, char ret_hex[65]);

#endif
