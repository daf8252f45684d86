/* SPDX-License-Identifier: MIT
 *
 * SHA-1 (FIPS 180-4) of texts of one or two blocks. */
#include "web/accept_key.h"

#include <string.h>

enum { SHA1_SIZE = 20, SHA1_BLOCK = 64, SHA1_ROUNDS = 80, KEY_SIZE = 24, MESSAGE_MAX = 128 };

static const char LETTERS[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
static const char GUID[] = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

static uint32_t turn(uint32_t x, int by) {
    return x << by | x >> (32 - by);
}

static uint32_t choose(int round, uint32_t b, uint32_t c, uint32_t d) {
    if (round < 20)
        return ((b & c) | (~b & d)) + 0x5a827999u;
    if (round < 40)
        return (b ^ c ^ d) + 0x6ed9eba1u;
    if (round < 60)
        return ((b & c) | (b & d) | (c & d)) + 0x8f1bbcdcu;
    return (b ^ c ^ d) + 0xca62c1d6u;
}

static void sha1_block(uint32_t h[5], const unsigned char *block) {
    uint32_t w[SHA1_ROUNDS];
    for (int i = 0; i < 16; i++)
        w[i] = (uint32_t)block[4 * i] << 24 | (uint32_t)block[4 * i + 1] << 16 |
               (uint32_t)block[4 * i + 2] << 8 | block[4 * i + 3];
    for (int i = 16; i < SHA1_ROUNDS; i++)
        w[i] = turn(w[i - 3] ^ w[i - 8] ^ w[i - 14] ^ w[i - 16], 1);
    uint32_t a = h[0], b = h[1], c = h[2], d = h[3], e = h[4];
    for (int i = 0; i < SHA1_ROUNDS; i++) {
        uint32_t next = turn(a, 5) + choose(i, b, c, d) + e + w[i];
        e = d;
        d = c;
        c = turn(b, 30);
        b = a;
        a = next;
    }
    h[0] += a;
    h[1] += b;
    h[2] += c;
    h[3] += d;
    h[4] += e;
}

static void sha1(const char *text, size_t size, unsigned char ret_sum[SHA1_SIZE]) {
    uint32_t h[5] = {0x67452301u, 0xefcdab89u, 0x98badcfeu, 0x10325476u, 0xc3d2e1f0u};
    unsigned char message[MESSAGE_MAX] = {0};
    size_t blocks = (size + 8) / SHA1_BLOCK + 1; /* behind the text: a bit, and its length */
    memcpy(message, text, size);
    message[size] = 0x80;
    for (size_t i = 0; i < 8; i++)
        message[blocks * SHA1_BLOCK - 1 - i] = (unsigned char)((uint64_t)size * 8 >> 8 * i);
    for (size_t i = 0; i < blocks; i++)
        sha1_block(h, message + i * SHA1_BLOCK);
    for (size_t i = 0; i < SHA1_SIZE; i++)
        ret_sum[i] = (unsigned char)(h[i / 4] >> (24 - 8 * (i % 4)));
}

static bool is_key(hk_http_text key) {
    if (key.size != KEY_SIZE || memcmp(key.at + KEY_SIZE - 2, "==", 2) != 0)
        return false;
    for (size_t i = 0; i < KEY_SIZE - 2; i++)
        if (!key.at[i] || !strchr(LETTERS, key.at[i]))
            return false;
    return true;
}

bool hk_accept_key(hk_http_text key, char ret_accept[HK_ACCEPT_SIZE + 1]) {
    unsigned char sum[SHA1_SIZE + 1] = {0};
    char text[KEY_SIZE + sizeof GUID];
    if (!is_key(key))
        return false;
    memcpy(text, key.at, KEY_SIZE);
    memcpy(text + KEY_SIZE, GUID, sizeof GUID);
    sha1(text, sizeof text - 1, sum);
    for (size_t i = 0; i < HK_ACCEPT_SIZE; i++) {
        size_t bit = 6 * i;
        unsigned pair = (unsigned)sum[bit / 8] << 8 | (bit / 8 < SHA1_SIZE ? sum[bit / 8 + 1] : 0);
        ret_accept[i] = LETTERS[pair >> (10 - bit % 8) & 63];
    }
    ret_accept[HK_ACCEPT_SIZE - 1] = '=';
    ret_accept[HK_ACCEPT_SIZE] = '\0';
    return true;
}
