/* map.c: entries in insertion order, and a table of entry numbers with open addressing and linear
 * probing. The table is at most half full. A slot holds 32 bits of the hash, so that most misses
 * need no key comparison. */
#include "base/map.h"

#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/vec.h"

struct entry {
    const void *key; /* the arena's copy */
    size_t key_size;
    uint64_t hash;
    void *value;
};

struct slot {
    uint32_t entry; /* entry number + 1; 0: free */
    uint32_t hash;  /* high half of the hash */
};

struct map {
    struct arena *arena;
    VEC(struct entry) entries;
    struct slot *slots;
    size_t mask; /* number of slots - 1; the number is a power of two */
};

uint64_t map_hash(const void *bytes, size_t size, uint64_t seed)
{
    return XXH3_64bits_withSeed(bytes, size, seed);
}

void map_digest(const void *bytes, size_t size, uint64_t digest[2])
{
    XXH128_hash_t hash = XXH3_128bits(bytes, size);
    uint64_t both[4] = {digest[0], digest[1], hash.low64, hash.high64};
    hash = XXH3_128bits(both, sizeof both);
    digest[0] = hash.low64;
    digest[1] = hash.high64;
}

struct map *map_create(struct arena *arena)
{
    struct map *map = ARENA_NEW(arena, struct map);
    if (!map)
        return NULL;
    map->arena = arena;
    map->mask = 15;
    map->slots = ARENA_ARRAY(arena, struct slot, map->mask + 1);
    return map->slots ? map : NULL;
}

/* The slot of a key, or the free slot where it would be inserted. */
static struct slot *map_find(const struct map *map, const void *key, size_t key_size, uint64_t hash)
{
    for (size_t i = hash & map->mask;; i = (i + 1) & map->mask) {
        struct slot *slot = &map->slots[i];
        if (!slot->entry)
            return slot;
        if (slot->hash != (uint32_t)(hash >> 32))
            continue;
        const struct entry *entry = &map->entries.items[slot->entry - 1];
        if (entry->key_size == key_size && (!key_size || !memcmp(entry->key, key, key_size)))
            return slot;
    }
}

/* Doubles the table. */
static void map_grow(struct map *map)
{
    size_t count = 2 * (map->mask + 1);
    struct slot *slots = ARENA_ARRAY(map->arena, struct slot, count);
    if (!slots)
        return;
    for (size_t e = 0; e < map->entries.count; e++) {
        uint64_t hash = map->entries.items[e].hash;
        size_t i = hash & (count - 1);
        while (slots[i].entry)
            i = (i + 1) & (count - 1);
        slots[i] = (struct slot){(uint32_t)(e + 1), (uint32_t)(hash >> 32)};
    }
    arena_release(map->arena, map->slots, (map->mask + 1) * sizeof *slots);
    map->slots = slots;
    map->mask = count - 1;
}

void *map_get(const struct map *map, const void *key, size_t key_size)
{
    const struct slot *slot = map_find(map, key, key_size, map_hash(key, key_size, 0));
    return slot->entry ? map->entries.items[slot->entry - 1].value : NULL;
}

/* The entry of a key, new with the value NULL if the map does not have it. */
static struct entry *map_entry(struct map *map, const void *key, size_t key_size)
{
    uint64_t hash = map_hash(key, key_size, 0);
    struct slot *slot = map_find(map, key, key_size, hash);
    if (slot->entry)
        return &map->entries.items[slot->entry - 1];
    if (2 * (map->entries.count + 1) > map->mask + 1) {
        map_grow(map);
        slot = map_find(map, key, key_size, hash);
    }
    const void *copy = arena_copy(map->arena, key, key_size);
    VEC_PUSH(map->arena, &map->entries, (struct entry){copy, key_size, hash, NULL});
    *slot = (struct slot){(uint32_t)map->entries.count, (uint32_t)(hash >> 32)};
    return &VEC_LAST(&map->entries);
}

void *map_put(struct map *map, const void *key, size_t key_size, void *value)
{
    struct entry *entry = map_entry(map, key, key_size);
    void *before = entry->value;
    entry->value = value;
    return before;
}

const void *map_intern(struct map *map, const void *key, size_t key_size)
{
    return map_entry(map, key, key_size)->key;
}

size_t map_count(const struct map *map)
{
    return map->entries.count;
}

void *map_at(const struct map *map, size_t i, const void **key, size_t *key_size)
{
    const struct entry *entry = &map->entries.items[i];
    if (key)
        *key = entry->key;
    if (key_size)
        *key_size = entry->key_size;
    return entry->value;
}

void *map_get_pointer(const struct map *map, const void *pointer)
{
    return map_get(map, &pointer, sizeof pointer);
}

void *map_put_pointer(struct map *map, const void *pointer, void *value)
{
    return map_put(map, &pointer, sizeof pointer, value);
}
