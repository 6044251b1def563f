/* attention_plan.c: see attention_plan.h. */
#include "devices/host/attention/attention_plan.h"

#include "devices/host/tiles/tile_product.h"
#include "devices/host/tiles/tile_sizes.h"

int64_t attention_plan_rows(const struct dot_spec *scores, int64_t bytes, int64_t most)
{
    int64_t rows = bytes / (scores->n * (int64_t)sizeof(float));
    rows = tile_least(tile_least(rows, most), tile_round_up(scores->m, TILE_ROWS));
    return tile_most(rows / TILE_ROWS, 1) * TILE_ROWS;
}

size_t attention_plan_reserve(size_t *scratch_bytes, int64_t count, int size)
{
    size_t at = *scratch_bytes;
    *scratch_bytes += (size_t)tile_round_up(count * size, 64);
    return at;
}
