#include <criterion/criterion.h>
#include <stdint.h>

#include "base/vec.h"

Test(vec, grows_and_keeps)
{
    struct arena *arena;
    cr_assert_null(arena_create(&arena));
    VEC(int64_t) numbers = {0};
    struct pair {
        int a, b;
    };
    VEC(struct pair) pairs = {0};
    for (int i = 0; i < 10000; i++) {
        VEC_PUSH(arena, &numbers, i * 3);
        VEC_PUSH(arena, &pairs, (struct pair){i, -i});
    }
    cr_assert_eq(numbers.count, 10000);
    cr_assert_eq(VEC_LAST(&numbers), 9999 * 3);
    for (int i = 0; i < 10000; i++) {
        cr_assert_eq(numbers.items[i], i * 3);
        cr_assert_eq(pairs.items[i].b, -i);
    }
    arena_destroy(arena);
}
