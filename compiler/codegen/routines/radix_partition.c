/* radix_partition.c: see radix_partition.h. */
#include "compiler/codegen/routines/radix_partition.h"

#include <string.h>

#include "compiler/codegen/routines/radix_merge.h"

enum {
    MAX_BITS = 11, /* of the digit */
    SHORT_BITS = 8,
    MAX_BUCKETS = (1 << MAX_BITS) + 2,
    RANGE_BITS = 12, /* of the digits by which groups are sorted */
    MAX_GROUP = 32768,
    MAX_SHORT_GROUP = 6144, /* after a short first digit */
    MAX_SMALL_GROUP = 2048,
    SAMPLE = 16, /* blocks */
    SHARE = 3,
    MAX_ATTEMPTS = 3 /* at a digit */
};

/* The digit of a key is (key - base) >> shift, at least 0 and at most buckets - 1. */
struct partition {
    const struct radix_row *row;
    struct radix_range *range;
    uint64_t any, all; /* the bits that are set in any key, and in all */
    uint64_t base;
    int bits, shift;              /* bits of the digit, at most MAX_BITS */
    uint32_t digits[RADIX_BLOCK]; /* of a block */
    int64_t buckets;              /* all values of the digit and the two outer buckets */
    uint32_t counts[MAX_BUCKETS]; /* at last the buckets' ends */
};

int64_t radix_partition_capacity(int64_t length)
{
    return (length + SHARE - 1) / SHARE;
}

static int64_t at_most(int64_t value, int64_t limit)
{
    return value < limit ? value : limit;
}

static uint64_t less(uint64_t value, uint64_t by)
{
    return value > by ? value - by : 0;
}

static int bits_of(uint64_t value)
{
    return value ? 64 - __builtin_clzll(value) : 0;
}

/* Reads the block of operands at `first`. */
static const struct radix_block *operands_at(struct partition *p, int64_t first)
{
    struct radix_block *block = &p->range->block;
    radix_block_read_operands(block, p->row, first,
                              at_most(p->row->sort->length - first, RADIX_BLOCK));
    return block;
}

/* ---- the digit ------------------------------------------------------------------------------- */
static inline void add_narrow(struct partition *p, const struct radix_block *block, int64_t count)
{
    const uint32_t *keys = block->keys, flip = (uint32_t)block->flip;
    uint32_t any = 0, all = UINT32_MAX;
    for (int64_t i = 0; i < count; i++)
        any |= keys[i] ^ flip, all &= keys[i] ^ flip;
    p->any |= any;
    p->all &= all;
}

static void add_wide(struct partition *p, const struct radix_block *block)
{
    const uint64_t *keys = block->keys, flip = block->flip;
    for (int64_t i = 0; i < block->count; i++)
        p->any |= keys[i] ^ flip, p->all &= keys[i] ^ flip;
}

/* Nothing is added of short keys, whose digit has all their bits. */
static void add_bits(struct partition *p, const struct radix_block *block)
{
    if (p->row->sort->key_bits <= MAX_BITS)
        return;
    if (block->is_wide)
        add_wide(p, block);
    else if (block->count == RADIX_BLOCK) /* constant, which gives vector code */
        add_narrow(p, block, RADIX_BLOCK);
    else
        add_narrow(p, block, block->count);
}

/* With a digit of 8 bits keys of 32 bits need two more digits of 12. It has 11 if these are all the
 * bits that differ; and for floats, most of whose first bits are a few exponents. */
static void choose_width(struct partition *p, int differing)
{
    bool is_long = differing <= MAX_BITS || p->row->sort->has_long_digit;
    p->bits = is_long ? MAX_BITS : SHORT_BITS;
    p->buckets = (INT64_C(1) << p->bits) + 2;
}

/* The first digit: all keys whose bits were added agree in the bits above it. */
static void first_digit(struct partition *p)
{
    int differing = bits_of(p->any ^ p->all);
    choose_width(p, differing);
    p->shift = differing > p->bits ? differing - p->bits : 0;
    p->base = p->all >> p->shift >> p->bits << p->bits << p->shift;
}

/* Adds the bits of some keys, which mostly differ in the same bits as all keys. */
static void add_sample(struct partition *p)
{
    int64_t length = p->row->sort->length;
    for (int64_t i = 0; i < SAMPLE; i++)
        add_bits(p, operands_at(p, length / SAMPLE * i));
}

static inline void find_digits(struct partition *p, const struct radix_block *block, int64_t count)
{
    const uint32_t *keys = block->keys, flip = (uint32_t)block->flip;
    uint32_t base = (uint32_t)p->base, last = (uint32_t)p->buckets - 1;
    int shift = p->shift;
    for (int64_t i = 0; i < count; i++) {
        uint32_t key = keys[i] ^ flip, digit = (key > base ? key - base : 0) >> shift;
        p->digits[i] = digit < last ? digit : last;
    }
}

static void find_wide_digits(struct partition *p, const struct radix_block *block)
{
    const uint64_t *keys = block->keys, flip = block->flip;
    uint64_t base = p->base, last = (uint64_t)p->buckets - 1;
    int shift = p->shift;
    for (int64_t i = 0; i < block->count; i++) {
        uint64_t digit = less(keys[i] ^ flip, base) >> shift;
        p->digits[i] = (uint32_t)(digit < last ? digit : last);
    }
}

/* The digits of a block of operands. The number of elements is mostly constant, which gives vector
 * code. */
static const struct radix_block *digits_at(struct partition *p, int64_t first)
{
    const struct radix_block *block = operands_at(p, first);
    if (block->is_wide)
        find_wide_digits(p, block);
    else if (block->count == RADIX_BLOCK)
        find_digits(p, block, RADIX_BLOCK);
    else
        find_digits(p, block, block->count);
    return block;
}

/* Also adds the bits of all keys. */
static void count_buckets(struct partition *p)
{
    memset(p->counts, 0, sizeof p->counts);
    for (int64_t first = 0; first < p->row->sort->length; first += RADIX_BLOCK) {
        const struct radix_block *block = digits_at(p, first);
        add_bits(p, block);
        for (int64_t i = 0; i < block->count; i++)
            p->counts[p->digits[i]]++;
    }
}

/* Counts the buckets of the first digit: a guess from a sample; if that was wrong, again. */
static void count_first(struct partition *p)
{
    add_sample(p);
    first_digit(p);
    uint64_t base = p->base;
    int shift = p->shift;
    count_buckets(p);
    first_digit(p);
    if (base != p->base || shift != p->shift)
        count_buckets(p);
}

static int64_t longest_bucket(const struct partition *p)
{
    int64_t longest = 0;
    for (int64_t i = 1; i < p->buckets; i++)
        if (p->counts[i] > p->counts[longest])
            longest = i;
    return longest;
}

/* While a bucket is too long, divides it by the next bits, with a bucket on each
 * side for all other keys. */
static void choose_digit(struct partition *p)
{
    for (int attempt = 1;; attempt++) {
        int64_t longest = longest_bucket(p);
        if (attempt == MAX_ATTEMPTS || !p->shift || p->counts[longest] <= p->row->sort->capacity)
            return;
        uint64_t start = p->base + ((uint64_t)longest << p->shift);
        p->shift = p->shift > p->bits ? p->shift - p->bits : 0;
        p->base = less(start, UINT64_C(1) << p->shift);
        count_buckets(p);
    }
}

/* Moves the operands' elements to their buckets. */
static void fill_buckets(struct partition *p)
{
    const struct radix_digit digit = {.keys = p->digits, .mask = UINT32_MAX};
    radix_sums(p->counts, p->buckets);
    for (int64_t first = 0; first < p->row->sort->length; first += RADIX_BLOCK)
        radix_block_move(digits_at(p, first), p->row->sort, &digit, p->counts, p->row->first);
}

/* ---- groups --------------------------------------------------------------------------------- */
/* Sorts the elements [low, end) of the first arrays, at most `capacity` at once. */
static void sort_group(struct partition *p, int64_t low, int64_t end)
{
    const struct radix_row *row = p->row;
    int64_t capacity = row->sort->capacity;
    void *arrays[RADIX_MAX_ARRAYS];
    for (int64_t part = low; part < end; part += capacity) {
        int64_t length = at_most(end - part, capacity);
        radix_arrays_at(row->sort, row->first, part, arrays);
        radix_range_sort(p->range, row, arrays, row->second, length);
        if (part > low)
            radix_merge(row, low, part, length);
    }
}

/* How many low bits of the keys of a group may differ. The outer buckets have any keys. */
static int group_bits(const struct partition *p, int64_t first, int64_t last)
{
    int whole = p->row->sort->key_bits;
    uint64_t from = p->base + ((uint64_t)first << p->shift),
             to = p->base + ((uint64_t)(last + 1) << p->shift) - 1;
    int bits = first == 0 || last == p->buckets - 1 ? whole : bits_of(from ^ to);
    return bits < 1 ? 1 : bits > whole ? whole : bits;
}

/* Divides the bits of a group of `size` elements into digits: of 8 bits if it is small, since each
 * digit has a table to clear and to sum. */
static void choose_bits(struct partition *p, int bits, int64_t size)
{
    int most = radix_range_bits(p->row->sort, RANGE_BITS);
    int places = (p->row->sort->key_bits + most - 1) / most;
    int width = size <= MAX_SMALL_GROUP ? SHORT_BITS : most;
    int digits = (bits + width - 1) / width;
    p->range->digits = digits < places ? digits : places;
    p->range->bits = (bits + p->range->digits - 1) / p->range->digits;
}

/* Ends a group in front of the bucket with which it would be too long. A group begins at element
 * `low` with bucket `first`. */
static void sort_groups(struct partition *p)
{
    int64_t most =
        at_most(p->row->sort->capacity, p->row->sort->has_long_digit ? MAX_GROUP : MAX_SHORT_GROUP);
    for (int64_t i = 0, low = 0, first = 0; i < p->buckets; i++) {
        int64_t end = p->counts[i];
        if (i + 1 < p->buckets && p->counts[i + 1] - low <= most)
            continue;
        if (end - low > 1) {
            choose_bits(p, group_bits(p, first, i), end - low);
            sort_group(p, low, end);
        }
        low = end;
        first = i + 1;
    }
}

void radix_partition_row(struct radix_range *range, const struct radix_row *row)
{
    bool is_short = row->sort->key_bits <= MAX_BITS;
    struct partition p = {.row = row, .range = range, .all = is_short ? 0 : UINT64_MAX};
    count_first(&p);
    uint64_t base = p.base;
    choose_digit(&p);
    fill_buckets(&p);
    if (p.shift || p.base != base)
        sort_groups(&p);
}
