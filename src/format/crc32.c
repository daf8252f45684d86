/* SPDX-License-Identifier: MIT
 *
 * Eight bytes at a time: row K of the table is what a byte does that K more bytes follow. */
#include "format/crc32.h"

#include <pthread.h>

enum { ROWS = 8 };
static uint32_t table[ROWS][256];

static void make_table(void) {
    for (uint32_t byte = 0; byte < 256; byte++) {
        uint32_t rest = byte;
        for (int bit = 0; bit < 8; bit++)
            rest = rest >> 1 ^ (rest & 1 ? UINT32_C(0xEDB88320) : 0);
        table[0][byte] = rest;
    }
    for (int row = 1; row < ROWS; row++)
        for (uint32_t byte = 0; byte < 256; byte++) {
            uint32_t before = table[row - 1][byte];
            table[row][byte] = before >> 8 ^ table[0][before & 255];
        }
}

static uint32_t load_u32(const unsigned char *bytes) {
    return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

uint32_t hk_crc32(const void *data, size_t size) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, make_table);
    const unsigned char *at = data;
    uint32_t crc = UINT32_MAX;
    for (; size >= ROWS; size -= ROWS, at += ROWS) {
        uint32_t low = crc ^ load_u32(at), high = load_u32(at + 4);
        crc = table[7][low & 255] ^ table[6][low >> 8 & 255] ^ table[5][low >> 16 & 255] ^
              table[4][low >> 24] ^ table[3][high & 255] ^ table[2][high >> 8 & 255] ^
              table[1][high >> 16 & 255] ^ table[0][high >> 24];
    }
    for (; size; size--, at++)
        crc = crc >> 8 ^ table[0][(crc ^ *at) & 255];
    return ~crc;
}
