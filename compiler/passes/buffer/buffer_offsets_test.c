#include "compiler/passes/buffer/buffer_offsets.h"

#include <criterion/criterion.h>

enum { COUNT = 300 };

static uint64_t offsets[COUNT];
static struct buffer_life lives[COUNT];

static uint64_t place(size_t count)
{
    struct arena *arena;
    cr_assert_null(arena_create(&arena));
    for (size_t i = 0; i < count; i++)
        lives[i].offset = &offsets[i];
    uint64_t size = buffer_offsets_place(arena, count, lives, 64);
    arena_destroy(arena);
    return size;
}

Test(buffer_offsets, nothing)
{
    cr_expect_eq(place(0), 0);
}

Test(buffer_offsets, one_after_another_share)
{
    for (int i = 0; i < 10; i++)
        lives[i] = (struct buffer_life){.first = 2 * i, .last = 2 * i + 1, .bytes = 100};
    cr_expect_eq(place(10), 128);
}

Test(buffer_offsets, all_at_once_do_not)
{
    for (int i = 0; i < 10; i++)
        lives[i] = (struct buffer_life){.first = 0, .last = i, .bytes = 64};
    cr_expect_eq(place(10), 640);
}

Test(buffer_offsets, random_lives_never_meet)
{
    unsigned state = 1;
    for (int i = 0; i < COUNT; i++) {
        state = state * 1103515245 + 12345;
        int64_t first = state >> 16 & 1023, length = state >> 8 & 127;
        lives[i] = (struct buffer_life){
            .first = first, .last = first + length, .bytes = 1 + (state >> 4 & 4095)};
    }
    uint64_t size = place(COUNT);
    for (int i = 0; i < COUNT; i++) {
        cr_assert(*lives[i].offset % 64 == 0 && *lives[i].offset + lives[i].bytes <= size);
        for (int j = 0; j < i; j++) {
            bool time = lives[i].first <= lives[j].last && lives[j].first <= lives[i].last;
            bool space = *lives[i].offset < *lives[j].offset + lives[j].bytes &&
                         *lives[j].offset < *lives[i].offset + lives[i].bytes;
            cr_assert(!(time && space));
        }
    }
}
