/* SPDX-License-Identifier: MIT
 *
 * A map from text to a number, for names. Its order and behaviour depend on nothing but the keys.
 * Keys are not copied: they must outlive the map. */
#ifndef HK_BASE_MAP_H
#define HK_BASE_MAP_H

#include <hk/base.h>

typedef struct hk_map {
    struct hk_map_entry {
        const char *key; /* NULL: free */
        uint32_t value, hash;
    } * entries;
    size_t count, cap;
} hk_map; /* zero-initialised is empty */

#define HK_MAP_NONE UINT32_MAX

void hk_map_finish(hk_map *map);
uint32_t hk_map_get(const hk_map *map, const char *key); /* HK_MAP_NONE: not there */
/* Adds KEY; if it is there already nothing changes. Returns the value that is there then. */
uint32_t hk_map_put(hk_map *map, const char *key, uint32_t value);
/* The key that is closest to WORD (hk_closest), or NULL. */
const char *hk_map_closest(const hk_map *map, const char *word);
/* 64-bit FNV-1a, for content hashes of small things and for tables. */
uint64_t hk_hash(uint64_t seed, const void *data, size_t size);
#define HK_HASH_SEED UINT64_C(0xcbf29ce484222325)

#endif
