/* map.h: a hash map in an arena, from byte strings (copied) to pointers. Hash: XXH3 (xxHash).
 * Iteration is in insertion order, so output generated from a map is deterministic. A map is used
 * by one thread at a time; map_hash and map_digest are thread-safe. */
#ifndef GANTRY_BASE_MAP_H
#define GANTRY_BASE_MAP_H

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

struct map;
struct map *map_create(struct arena *arena);
/* The value of a key, or NULL. */
void *map_get(const struct map *map, const void *key, size_t key_size);
/* Sets the value of a key and returns the previous one (NULL: none). */
void *map_put(struct map *map, const void *key, size_t key_size, void *value);
/* The map's copy of a key, whose value is NULL if the map did not have it. */
const void *map_intern(struct map *map, const void *key, size_t key_size);
size_t map_count(const struct map *map);
/* The i-th entry in insertion order. */
void *map_at(const struct map *map, size_t i, const void **key, size_t *key_size);

/* Keys that are pointers (identity). */
void *map_get_pointer(const struct map *map, const void *pointer);
void *map_put_pointer(struct map *map, const void *pointer, void *value);

/* Seeded XXH3-64 hash. Stable between processes and builds. */
uint64_t map_hash(const void *bytes, size_t size, uint64_t seed);
/* Adds bytes to a running 128-bit digest (XXH3-128), which starts as zeros. The result depends on
 * how the bytes are divided between calls. */
void map_digest(const void *bytes, size_t size, uint64_t digest[2]);

#endif
