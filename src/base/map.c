/* SPDX-License-Identifier: MIT */
#include "base/map.h"

#include "base/diag.h"

#include <string.h>

uint64_t hk_hash(uint64_t seed, const void *data, size_t size) {
    const unsigned char *bytes = data;
    uint64_t hash = seed;
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ bytes[i]) * UINT64_C(0x100000001b3);
    return hash;
}

static uint32_t hash_of(const char *key) {
    uint64_t hash = hk_hash(HK_HASH_SEED, key, strlen(key));
    return (uint32_t)(hash ^ (hash >> 32));
}

/* The entry that holds KEY, or the free one where it belongs. The table is never full. */
static struct hk_map_entry *locate(const hk_map *map, const char *key, uint32_t hash) {
    size_t i = hash & (map->cap - 1);
    while (map->entries[i].key &&
           (map->entries[i].hash != hash || strcmp(map->entries[i].key, key) != 0))
        i = (i + 1) & (map->cap - 1);
    return &map->entries[i];
}

static void grow(hk_map *map) {
    hk_map bigger = {.cap = map->cap ? 2 * map->cap : 16, .count = map->count};
    bigger.entries = hk_alloc(bigger.cap * sizeof *bigger.entries);
    for (size_t i = 0; i < map->cap; i++)
        if (map->entries[i].key)
            *locate(&bigger, map->entries[i].key, map->entries[i].hash) = map->entries[i];
    hk_free(map->entries);
    *map = bigger;
}

void hk_map_finish(hk_map *map) {
    hk_free(map->entries);
    *map = (hk_map){0};
}

uint32_t hk_map_get(const hk_map *map, const char *key) {
    if (!map->cap)
        return HK_MAP_NONE;
    const struct hk_map_entry *entry = locate(map, key, hash_of(key));
    return entry->key ? entry->value : HK_MAP_NONE;
}

uint32_t hk_map_put(hk_map *map, const char *key, uint32_t value) {
    if (2 * (map->count + 1) > map->cap)
        grow(map);
    uint32_t hash = hash_of(key);
    struct hk_map_entry *entry = locate(map, key, hash);
    if (!entry->key) {
        *entry = (struct hk_map_entry){key, value, hash};
        map->count++;
    }
    return entry->value;
}

const char *hk_map_closest(const hk_map *map, const char *word) {
    const char **keys = hk_alloc((map->count + 1) * sizeof *keys);
    size_t count = 0;
    for (size_t i = 0; i < map->cap; i++)
        if (map->entries[i].key)
            keys[count++] = map->entries[i].key;
    const char *closest = hk_closest(word, keys, count);
    hk_free(keys);
    return closest;
}
