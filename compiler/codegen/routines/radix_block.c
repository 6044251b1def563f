/* radix_block.c: see radix_block.h. */
#include "compiler/codegen/routines/radix_block.h"

#include <string.h>

#include "base/pool.h"

enum { PARTS_A_THREAD = 2 };

int64_t radix_part_length(int64_t length, int64_t least)
{
    int64_t parts = (int64_t)pool_width(pool_shared()) * PARTS_A_THREAD;
    int64_t part = (length + parts - 1) / parts;
    return ((part > least ? part : least) + RADIX_BLOCK - 1) / RADIX_BLOCK * RADIX_BLOCK;
}

void radix_arrays_at(const struct radix_sort *sort, void *const *arrays, int64_t first, void **out)
{
    for (int i = 0; i < sort->arrays; i++)
        out[i] = (char *)arrays[i] + first * sort->bytes[i];
}

void radix_arrays_copy(const struct radix_sort *sort, void *const *from, int64_t count,
                       void *const *to)
{
    for (int i = 0; i < sort->arrays; i++)
        memcpy(to[i], from[i], (size_t)(count * sort->bytes[i]));
}

void radix_sums(uint32_t *numbers, int64_t count)
{
    uint32_t sum = 0;
    for (int64_t i = 0; i < count; i++) {
        uint32_t number = numbers[i];
        numbers[i] = sum;
        sum += number;
    }
}

/* ---- reading -------------------------------------------------------------------------------- */
/* The keys of fewer elements than the function's lanes: those of a copy that is long enough. */
static void keys_of_rest(const struct radix_row *row, void *const *arrays, int64_t count,
                         void *keys)
{
    const struct radix_sort *sort = row->sort;
    _Alignas(64) char memory[RADIX_MAX_ARRAYS][RADIX_MIN_LENGTH * RADIX_ELEMENT_BYTES] = {{0}};
    _Alignas(64) uint64_t all[RADIX_MIN_LENGTH];
    void *copies[RADIX_MAX_ARRAYS] = {memory[0], memory[1], memory[2], memory[3]};
    radix_arrays_copy(sort, arrays, count, copies);
    row->keys(row->buffers, copies, sort->key_lanes, all);
    memcpy(keys, all, (size_t)count * (sort->key_bits > 32 ? 8 : 4));
}

static void compute_keys(struct radix_block *block, const struct radix_row *row)
{
    void *rest[RADIX_MAX_ARRAYS];
    int64_t more = block->count & (row->sort->key_lanes - 1), whole = block->count - more;
    if (whole)
        row->keys(row->buffers, block->arrays, whole, &block->computed);
    if (!more)
        return;
    radix_arrays_at(row->sort, block->arrays, whole, rest);
    keys_of_rest(row, rest, more,
                 block->is_wide ? (void *)&block->computed.wide[whole]
                                : &block->computed.narrow[whole]);
}

static void read_keys(struct radix_block *block, const struct radix_row *row)
{
    int32_t key_array = row->sort->key_array;
    block->is_wide = row->sort->key_bits > 32;
    block->flip = row->sort->flip;
    block->keys = key_array < 0 ? (void *)&block->computed : block->arrays[key_array];
    if (key_array < 0)
        compute_keys(block, row);
}

void radix_block_read(struct radix_block *block, const struct radix_row *row, void *const *arrays,
                      int64_t first, int64_t count)
{
    block->count = count;
    radix_arrays_at(row->sort, arrays, first, block->arrays);
    read_keys(block, row);
}

/* Evaluates the operands that are not in memory: whole vectors, the last of which begins before
 * `first`, or overlaps the one before it, if it would end behind the row. */
static void load_operands(struct radix_block *block, const struct radix_row *row, int64_t first,
                          int64_t count)
{
    const struct radix_sort *sort = row->sort;
    int64_t lanes = sort->load_lanes, whole = count & -lanes;
    int64_t early = count < lanes ? lanes - count : 0; /* elements before `first` */
    void *loaded[RADIX_MAX_ARRAYS] = {NULL}, *last[RADIX_MAX_ARRAYS] = {NULL};
    for (int i = 0; i < sort->arrays; i++) {
        if (row->operands[i])
            continue;
        loaded[i] = block->loaded[i];
        last[i] = block->loaded[i] + (count + early - lanes) * sort->bytes[i];
        block->arrays[i] = block->loaded[i] + early * sort->bytes[i];
    }
    if (whole)
        row->load(row->buffers, row->row, first, whole, loaded);
    if (whole < count)
        row->load(row->buffers, row->row, first + count - lanes, lanes, last);
}

void radix_block_read_operands(struct radix_block *block, const struct radix_row *row,
                               int64_t first, int64_t count)
{
    const struct radix_sort *sort = row->sort;
    block->count = count;
    for (int i = 0; i < sort->arrays; i++)
        if (row->operands[i])
            block->arrays[i] = (char *)row->operands[i] + first * sort->bytes[i];
    if (row->load)
        load_operands(block, row, first, count);
    read_keys(block, row);
}

/* ---- moving ---------------------------------------------------------------------------------- */
/* Functions that move one array, or two together, to the next position of each digit: a loop for
 * all that happens to an element is faster than several loops. */
#define PLACE(key_type, type, name)                                                                \
    static void place_##name(const struct radix_digit *digit, int64_t count, uint32_t *next,       \
                             void *const *from, void *const *to)                                   \
    {                                                                                              \
        const key_type *keys = digit->keys;                                                        \
        const type *values = from[0];                                                              \
        type *moved = to[0];                                                                       \
        int shift = digit->shift;                                                                  \
        uint32_t mask = digit->mask, flip = digit->flip;                                           \
        for (int64_t i = 0; i < count; i++)                                                        \
            moved[next[((uint32_t)(keys[i] >> shift) & mask) ^ flip]++] = values[i];               \
    }
#define PLACE_TWO(key_type, type, other, name)                                                     \
    static void place_##name(const struct radix_digit *digit, int64_t count, uint32_t *next,       \
                             void *const *from, void *const *to)                                   \
    {                                                                                              \
        const key_type *keys = digit->keys;                                                        \
        const type *values = from[0];                                                              \
        const other *more = from[1];                                                               \
        type *moved = to[0];                                                                       \
        other *moved_more = to[1];                                                                 \
        int shift = digit->shift;                                                                  \
        uint32_t mask = digit->mask, flip = digit->flip;                                           \
        for (int64_t i = 0; i < count; i++) {                                                      \
            uint32_t position = next[((uint32_t)(keys[i] >> shift) & mask) ^ flip]++;              \
            moved[position] = values[i];                                                           \
            moved_more[position] = more[i];                                                        \
        }                                                                                          \
    }
PLACE(uint32_t, uint8_t, 1)
PLACE(uint32_t, uint16_t, 2)
PLACE(uint32_t, uint32_t, 4)
PLACE(uint32_t, uint64_t, 8)
PLACE_TWO(uint32_t, uint32_t, uint32_t, 4_4)
PLACE_TWO(uint32_t, uint32_t, uint64_t, 4_8)
PLACE_TWO(uint32_t, uint64_t, uint32_t, 8_4)
PLACE_TWO(uint32_t, uint64_t, uint64_t, 8_8)
PLACE(uint64_t, uint64_t, wide_8)
PLACE_TWO(uint64_t, uint64_t, uint32_t, wide_8_4)
PLACE_TWO(uint64_t, uint64_t, uint64_t, wide_8_8)

typedef void place_function(const struct radix_digit *digit, int64_t count, uint32_t *next,
                            void *const *from, void *const *to);
static const struct {
    int32_t bytes[2];              /* of the elements; 0: a single array */
    place_function *narrow, *wide; /* by the keys' type; NULL: none */
} places[] = {
    {{1, 0}, place_1, NULL},
    {{2, 0}, place_2, NULL},
    {{4, 0}, place_4, NULL},
    {{8, 0}, place_8, place_wide_8},
    {{4, 4}, place_4_4, NULL},
    {{4, 8}, place_4_8, NULL},
    {{8, 4}, place_8_4, place_wide_8_4},
    {{8, 8}, place_8_8, place_wide_8_8},
};

static place_function *place_of(const struct radix_sort *sort, bool is_wide)
{
    int32_t second = sort->arrays > 1 ? sort->bytes[1] : 0;
    for (size_t i = 0; i < sizeof places / sizeof places[0] && sort->arrays <= 2; i++)
        if (places[i].bytes[0] == sort->bytes[0] && places[i].bytes[1] == second)
            return is_wide ? places[i].wide : places[i].narrow;
    return NULL;
}

/* Functions that move an array to known positions. */
#define MOVE(type, name)                                                                           \
    static void move_##name(const uint32_t *positions, int64_t count, const void *from, void *to)  \
    {                                                                                              \
        const type *values = from;                                                                 \
        type *moved = to;                                                                          \
        for (int64_t i = 0; i < count; i++)                                                        \
            moved[positions[i]] = values[i];                                                       \
    }
struct pair {
    uint64_t part[2];
};
MOVE(uint8_t, 1)
MOVE(uint16_t, 2)
MOVE(uint32_t, 4)
MOVE(uint64_t, 8)
MOVE(struct pair, 16)

static void move(const uint32_t *positions, int64_t count, int32_t bytes, const void *from,
                 void *to)
{
    switch (bytes) {
    case 1: move_1(positions, count, from, to); break;
    case 2: move_2(positions, count, from, to); break;
    case 4: move_4(positions, count, from, to); break;
    case 8: move_8(positions, count, from, to); break;
    default: move_16(positions, count, from, to);
    }
}

/* The next position of each element. */
static void find_positions(const struct radix_digit *digit, int64_t count, uint32_t *next,
                           uint32_t *positions)
{
    const uint32_t *narrow = digit->keys;
    const uint64_t *wide = digit->keys;
    for (int64_t i = 0; i < count && !digit->is_wide; i++)
        positions[i] = next[(narrow[i] >> digit->shift & digit->mask) ^ digit->flip]++;
    for (int64_t i = 0; i < count && digit->is_wide; i++)
        positions[i] = next[((uint32_t)(wide[i] >> digit->shift) & digit->mask) ^ digit->flip]++;
}

void radix_block_move(const struct radix_block *block, const struct radix_sort *sort,
                      const struct radix_digit *digit, uint32_t *next, void *const *arrays)
{
    place_function *place = place_of(sort, digit->is_wide);
    uint32_t positions[RADIX_BLOCK];
    if (place) {
        place(digit, block->count, next, block->arrays, arrays);
        return;
    }
    find_positions(digit, block->count, next, positions);
    for (int i = 0; i < sort->arrays; i++)
        move(positions, block->count, sort->bytes[i], block->arrays[i], arrays[i]);
}

void radix_block_put(const struct radix_block *block, const struct radix_sort *sort,
                     void *const *arrays, int64_t first)
{
    void *to[RADIX_MAX_ARRAYS];
    radix_arrays_at(sort, arrays, first, to);
    radix_arrays_copy(sort, block->arrays, block->count, to);
}
