/* radix_range.c: see radix_range.h. */
#include "compiler/codegen/routines/radix_range.h"

#include <string.h>

enum {
    MIN_LONG = 32768, /* from this length on, digits of wide keys have more than 8 bits */
    ROW_BITS = 11,
    SHORT_BITS = 8
};

int radix_range_bits(const struct radix_sort *sort, int long_bits)
{
    if (sort->length < MIN_LONG || sort->key_bits < 32)
        return SHORT_BITS;
    /* more bits would not save a digit of keys of 64 bits, but need larger tables */
    return sort->key_bits == 64 && long_bits > ROW_BITS ? ROW_BITS : long_bits;
}

static int64_t part_of(int64_t length, int64_t first)
{
    return length - first < RADIX_BLOCK ? length - first : RADIX_BLOCK;
}

/* ---- digits ---------------------------------------------------------------------------------- */
static uint32_t *table_of(struct radix_range *range, int digit)
{
    return range->counts + ((int64_t)digit << range->bits);
}

/* Adds the keys' digits to their tables. Constants as arguments give a loop without branches. */
static inline void count_narrow(const struct radix_block *block, int digits, int bits,
                                uint32_t *counts)
{
    const uint32_t *keys = block->keys, flip = (uint32_t)block->flip, mask = (1U << bits) - 1;
    uint32_t *tables[] = {counts, counts + (1 << bits), counts + (2 << bits), counts + (3 << bits)};
    int64_t count = block->count;
    for (int64_t i = 0; i < count; i++) {
        uint32_t key = keys[i] ^ flip;
        tables[0][key & mask]++;
        if (digits > 1)
            tables[1][key >> bits & mask]++;
        if (digits > 2)
            tables[2][key >> 2 * bits & mask]++;
        if (digits > 3)
            tables[3][key >> 3 * bits & mask]++;
    }
}

#define COUNT_NEXT_DIGIT(number)                                                                   \
    if (digits >= (number)) {                                                                      \
        table[key & mask]++;                                                                       \
        key >>= bits;                                                                              \
        table += mask + 1;                                                                         \
    }
static inline void count_wide(const struct radix_block *block, int digits, int bits,
                              uint32_t *counts)
{
    const uint64_t *keys = block->keys, flip = block->flip, mask = (UINT64_C(1) << bits) - 1;
    int64_t count = block->count;
    for (int64_t i = 0; i < count; i++) {
        uint64_t key = keys[i] ^ flip;
        uint32_t *table = counts;
        COUNT_NEXT_DIGIT(1)
        COUNT_NEXT_DIGIT(2)
        COUNT_NEXT_DIGIT(3)
        COUNT_NEXT_DIGIT(4)
        COUNT_NEXT_DIGIT(5)
        COUNT_NEXT_DIGIT(6)
        COUNT_NEXT_DIGIT(7)
        COUNT_NEXT_DIGIT(8)
    }
}

static void count_block(struct radix_range *range)
{
    const struct radix_block *block = &range->block;
    switch (range->digits + (block->is_wide ? 8 : 0)) {
    case 1: count_narrow(block, 1, range->bits, range->counts); break;
    case 2: count_narrow(block, 2, range->bits, range->counts); break;
    case 3: count_narrow(block, 3, range->bits, range->counts); break;
    case 4: count_narrow(block, 4, range->bits, range->counts); break;
    case 8 + 4: count_wide(block, 4, range->bits, range->counts); break;
    case 8 + 5: count_wide(block, 5, range->bits, range->counts); break;
    case 8 + 6: count_wide(block, 6, range->bits, range->counts); break;
    case 8 + 7: count_wide(block, 7, range->bits, range->counts); break;
    case 8 + 8: count_wide(block, 8, range->bits, range->counts); break;
    default: count_wide(block, range->digits, range->bits, range->counts);
    }
}

static void clear_counts(struct radix_range *range)
{
    memset(range->counts, 0, sizeof *range->counts * (size_t)range->digits << range->bits);
}

/* ---- moves ----------------------------------------------------------------------------------- */
/* Moves every element from one set of arrays to its position in the other. */
static void move_by(struct radix_range *range, const struct radix_row *row, int digit,
                    void *const *from, void *const *to, int64_t length)
{
    uint32_t *table = table_of(range, digit);
    struct radix_digit by = {.is_wide = row->sort->key_bits > 32,
                             .shift = digit * range->bits,
                             .mask = (1U << range->bits) - 1};
    by.flip = (uint32_t)(row->sort->flip >> by.shift) & by.mask;
    radix_sums(table, INT64_C(1) << range->bits);
    for (int64_t first = 0; first < length; first += RADIX_BLOCK) {
        radix_block_read(&range->block, row, from, first, part_of(length, first));
        by.keys = range->block.keys;
        radix_block_move(&range->block, row->sort, &by, table, to);
    }
}

/* Whether all keys agree in a digit. */
static bool is_equal(struct radix_range *range, int digit, int64_t length)
{
    uint64_t value = range->first_key >> digit * range->bits & ((1U << range->bits) - 1);
    return table_of(range, digit)[value] == length;
}

/* Sorts the elements of `from` by all digits, which are counted, into `result`: `from` or `to`. */
static void move_all(struct radix_range *range, const struct radix_row *row, void *const *from,
                     void *const *to, int64_t length, void *const *result)
{
    for (int digit = 0; digit < range->digits; digit++) {
        if (is_equal(range, digit, length))
            continue;
        move_by(range, row, digit, from, to, length);
        void *const *moved = to;
        to = from;
        from = moved;
    }
    if (from != result)
        radix_arrays_copy(row->sort, from, length, result);
}

/* ---- ranges and rows ------------------------------------------------------------------------- */
void radix_range_sort(struct radix_range *range, const struct radix_row *row, void *const *arrays,
                      void *const *other, int64_t length)
{
    clear_counts(range);
    for (int64_t first = 0; first < length; first += RADIX_BLOCK) {
        radix_block_read(&range->block, row, arrays, first, part_of(length, first));
        count_block(range);
    }
    range->first_key = radix_block_key(&range->block, 0); /* any key will do */
    move_all(range, row, arrays, other, length, arrays);
}

void radix_range_row(const struct radix_row *row)
{
    struct radix_range range;
    int64_t length = row->sort->length;
    range.bits = radix_range_bits(row->sort, ROW_BITS);
    range.digits = (row->sort->key_bits + range.bits - 1) / range.bits;
    bool is_odd = range.digits & 1;
    void *const *begin = is_odd ? row->second : row->first;
    void *const *other = is_odd ? row->first : row->second;
    clear_counts(&range);
    for (int64_t first = 0; first < length; first += RADIX_BLOCK) {
        radix_block_read_operands(&range.block, row, first, part_of(length, first));
        radix_block_put(&range.block, row->sort, begin, first);
        count_block(&range);
    }
    range.first_key = radix_block_key(&range.block, 0);
    move_all(&range, row, begin, other, length, row->first);
}
