#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/map.h"

static int marks[5000];

struct filling {
    struct arena *arena;
    int count; /* of the keys: at most 5000 */
};

static struct error *fill(void *context)
{
    const struct filling *f = context;
    struct map *map = map_create(f->arena);
    char key[32];
    for (int i = 0; i < f->count; i++) {
        int size = snprintf(key, sizeof key, "key %d", i);
        cr_assert_null(map_put(map, key, (size_t)size, &marks[i]));
        cr_assert_null(map_put_pointer(map, &marks[i], &marks[f->count - 1 - i]));
    }
    cr_assert_eq(map_count(map), 2 * (size_t)f->count);
    for (int i = 0; i < f->count; i++) {
        int size = snprintf(key, sizeof key, "key %d", i);
        cr_assert_eq(map_get(map, key, (size_t)size), &marks[i]);
        cr_assert_eq(map_get_pointer(map, &marks[i]), &marks[f->count - 1 - i]);
        const void *found;
        size_t found_size;
        cr_assert_eq(map_at(map, (size_t)i * 2, &found, &found_size), &marks[i]);
        cr_assert_eq(found_size, (size_t)size);
        cr_assert_arr_eq(found, key, (size_t)size);
    }
    cr_assert_null(map_get(map, "key", 3));
    cr_assert_null(map_get(map, "", 0));
    cr_assert_eq(map_put(map, "key 7", 5, &marks[0]), &marks[7]);
    cr_assert_eq(map_get(map, "key 7", 5), &marks[0]);
    cr_assert_null(map_put(map, "", 0, &marks[1]));
    cr_assert_eq(map_get(map, "", 0), &marks[1]);
    return NULL;
}

Test(map, keeps_every_key_in_order)
{
    struct arena *arena;
    cr_assert_null(arena_create(&arena));
    struct filling filling = {arena, 5000};
    cr_assert_null(arena_run(arena, fill, &filling));
    arena_destroy(arena);
}

Test(map, survives_each_failing_allocation)
{
    bool done = false;
    for (int n = 1; !done; n++) {
        struct arena *arena;
        cr_assert_null(arena_create(&arena));
        alloc_fail_at(n);
        struct filling filling = {arena, 500};
        struct error *error = arena_run(arena, fill, &filling);
        alloc_fail_at(0);
        done = !error;
        error_free(error);
        arena_destroy(arena);
        cr_assert_eq(alloc_live(), 0);
    }
}

Test(map, hash_is_stable)
{
    cr_assert_eq(map_hash("", 0, 0), 0x2D06800538D394C2ULL); /* XXH3-64's reference value */
    cr_assert_neq(map_hash("a", 1, 0), map_hash("a", 1, 1));
}

Test(map, digests_depend_on_all_bytes_and_their_order)
{
    uint64_t seen[4][2] = {{0}};
    map_digest("ab", 2, seen[0]), map_digest("c", 1, seen[0]);
    map_digest("ab", 2, seen[1]), map_digest("c", 1, seen[1]);
    cr_expect(seen[0][0] == seen[1][0] && seen[0][1] == seen[1][1]);
    map_digest("c", 1, seen[2]), map_digest("ab", 2, seen[2]);
    map_digest("a", 1, seen[3]), map_digest("bc", 2, seen[3]);
    for (int i = 1; i < 4; i++)
        for (int j = 0; j < i; j++)
            if (i != 1)
                cr_expect(seen[i][0] != seen[j][0] && seen[i][1] != seen[j][1]);
}

Test(map, interns_a_key_once)
{
    struct arena *arena;
    cr_assert_null(arena_create(&arena));
    struct map *map = map_create(arena);
    char key[] = "key";
    const void *copy = map_intern(map, key, 3);
    cr_assert_neq(copy, (const void *)key);
    cr_assert_arr_eq(copy, key, 3);
    cr_assert_null(map_get(map, key, 3));
    cr_assert_null(map_put(map, key, 3, &marks[1]));
    cr_assert_eq(map_intern(map, key, 3), copy);
    cr_assert_eq(map_get(map, key, 3), &marks[1]);
    cr_assert_eq(map_count(map), 1);
    arena_destroy(arena);
}
