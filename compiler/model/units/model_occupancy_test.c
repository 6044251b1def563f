/* Tests of model_occupancy.h, against an array. */
#include "compiler/model/units/model_occupancy.h"

#include <criterion/criterion.h>

enum { COUNT = 37 };

static uint64_t peak_in(const uint64_t *used, int64_t first, int64_t last)
{
    uint64_t peak = 0;
    for (int64_t i = first; i <= last; i++)
        peak = used[i] > peak ? used[i] : peak;
    return peak;
}

Test(model_occupancy, peaks_are_those_of_an_array)
{
    struct arena *arena;
    uint64_t used[COUNT] = {0};
    cr_assert_null(arena_create(&arena));
    struct model_occupancy *occupancy = model_occupancy_create(arena, COUNT);
    for (int64_t i = 0; i < 200; i++) {
        int64_t first = i * 7 % COUNT, last = first + i * 5 % (COUNT - first);
        model_occupancy_add(occupancy, first, last, (uint64_t)i);
        for (int64_t k = first; k <= last; k++)
            used[k] += (uint64_t)i;
        for (int64_t begin = 0; begin < COUNT; begin += 5)
            for (int64_t end = begin; end < COUNT; end += 3)
                cr_assert_eq(model_occupancy_peak(occupancy, begin, end),
                             peak_in(used, begin, end));
    }
    arena_destroy(arena);
}
