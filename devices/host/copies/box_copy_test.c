#include "devices/host/copies/box_copy.h"

#include <criterion/criterion.h>
#include <string.h>

static const atomic_uint go_on;

static void fill(int32_t *at, int count, int32_t first)
{
    for (int i = 0; i < count; i++)
        at[i] = first + i;
}

Test(box_copy, whole_values)
{
    int32_t from[5], to[5] = {0};
    struct copy_spec spec = {.element = sizeof from};
    fill(from, 5, 1);
    box_copy_run(&spec, NULL, from, to, &go_on);
    cr_expect_arr_eq(to, from, sizeof from);
    cr_expect_eq(box_copy_bytes(&spec), 20);
}

/* Every box of a 3 x 4 x 5 array at every offset, read and written. */
static void try_box(const int64_t *sizes, const int64_t *starts, bool updates)
{
    int32_t array[60], box[60], old[60];
    struct copy_spec spec = {.rank = 3, .updates = updates, .element = 4, .dims = {3, 4, 5}};
    memcpy(spec.sizes, sizes, 3 * sizeof *sizes);
    fill(array, 60, 100), fill(box, 60, 500);
    memcpy(old, array, sizeof old);
    box_copy_run(&spec, starts, updates ? (void *)box : array, updates ? (void *)array : box,
                 &go_on);
    int next = 0;
    for (int i = 0; i < 60; i++) {
        int64_t at[] = {i / 20, i / 5 % 4, i % 5};
        bool inside = true;
        for (int d = 0; d < 3; d++)
            inside = inside && at[d] >= starts[d] && at[d] < starts[d] + sizes[d];
        int32_t expected = inside && updates ? 500 + next : old[i];
        cr_assert_eq(array[i], expected);
        if (inside && !updates)
            cr_assert_eq(box[next], old[i]);
        next += inside;
    }
    if (!updates && next < 60)
        cr_assert_eq(box[next], 500 + next, "more than the box was written");
}

Test(box_copy, boxes_at_every_place)
{
    int64_t s[3], at[3];
    for (s[0] = 0; s[0] <= 3; s[0]++)
        for (s[1] = 1; s[1] <= 4; s[1]++)
            for (s[2] = 1; s[2] <= 5; s[2]++)
                for (at[0] = 0; at[0] <= 3 - s[0]; at[0]++)
                    for (at[1] = 0; at[1] <= 4 - s[1]; at[1]++)
                        for (at[2] = 0; at[2] <= 5 - s[2]; at[2]++)
                            try_box(s, at, false), try_box(s, at, true);
}

Test(box_copy, indices_of_every_type_are_clamped)
{
    static const struct {
        enum dtype dtype;
        int64_t value, expected; /* of 24, with a box of 2 */
    } cases[] = {{DTYPE_S8, -3, 0},         {DTYPE_S8, 7, 7},    {DTYPE_U8, 200, 22},
                 {DTYPE_S16, -1, 0},        {DTYPE_U16, 9, 9},   {DTYPE_S32, INT32_MIN, 0},
                 {DTYPE_S32, 23, 22},       {DTYPE_U32, -1, 22}, {DTYPE_S64, INT64_MAX, 22},
                 {DTYPE_S64, INT64_MIN, 0}, {DTYPE_U64, -1, 22}, {DTYPE_U64, 3, 3}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct copy_spec spec = {.rank = 1,
                                 .is_indexed = true,
                                 .index = cases[i].dtype,
                                 .element = 4,
                                 .sizes = {2},
                                 .dims = {24}};
        int64_t value = cases[i].value, starts[COPY_MAX_RANK];
        box_copy_starts(&spec, (void *[]){&value}, starts);
        cr_expect_eq(starts[0], cases[i].expected, "%zu: %lld", i, (long long)starts[0]);
    }
    struct copy_spec fixed = {.rank = 1, .element = 4, .sizes = {2}, .dims = {24}, .starts = {5}};
    int64_t starts[COPY_MAX_RANK];
    box_copy_starts(&fixed, NULL, starts);
    cr_expect_eq(starts[0], 5);
}

Test(box_copy, a_stopped_copy_ends)
{
    const atomic_uint stop = 1;
    int32_t from[4] = {1, 2, 3, 4}, to[4] = {0};
    box_copy_run(&(struct copy_spec){.element = sizeof from}, NULL, from, to, &stop);
    cr_expect_eq(to[0], 0);
}
