/* radix_sort.c: see radix_sort.h. */
#include "compiler/codegen/routines/radix_sort.h"

#include <stddef.h>

#include "compiler/codegen/routines/radix_numbers.h"
#include "compiler/codegen/routines/radix_partition.h"
#include "compiler/codegen/routines/radix_range.h"

void radix_sort_row(const struct radix_sort *sort, radix_load_function *load,
                    radix_keys_function *keys, void *const *buffers, int64_t row,
                    void *const *arrays)
{
    struct radix_row state = {sort, load, keys, buffers, row, {NULL}, {NULL}, {NULL}};
    for (int i = 0; i < sort->arrays; i++) {
        state.operands[i] = arrays[i];
        state.first[i] = arrays[sort->arrays + i];
        state.second[i] = arrays[2 * sort->arrays + i];
    }
    if (radix_numbers_row(&state))
        return;
    if (sort->is_partitioned)
        radix_partition_row(&state);
    else
        radix_range_row(&state);
}
