/* radix_partition.c: see radix_partition.h. */
#include "compiler/codegen/routines/radix_partition.h"

#include <string.h>

#include "base/pool.h"
#include "compiler/codegen/routines/radix_groups.h"

enum {
    MAX_BITS = RADIX_GROUPS_MAX_BITS,
    SHORT_BITS = 8,
    SAMPLE = 16, /* blocks */
    SHARE = 3,
    MIN_PART = 32768, /* so many elements that the second arrays have room for each part's counts */
    MAX_ATTEMPTS = 3  /* at a digit */
};

/* The bits that are set in any key, and in all. */
struct bits {
    uint64_t any, all;
};

/* Elements that a single thread counts, and moves. */
struct part {
    struct bits bits;
    uint32_t counts[RADIX_GROUPS_MAX_BUCKETS]; /* then where the next element of each goes */
};

struct partition {
    const struct radix_row *row;
    struct bits bits;
    int digit_bits;               /* at most MAX_BITS */
    struct radix_buckets buckets; /* `ends` has their sizes until elements are moved */
    int64_t part_length, part_count;
    struct part *parts; /* in the second arrays, which are free until groups are sorted */
};

/* A block of operands, and the digit of each. */
struct reader {
    struct radix_block block;
    uint32_t digits[RADIX_BLOCK];
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
static void read_operands(const struct partition *p, int64_t first, struct radix_block *block)
{
    radix_block_read_operands(block, p->row, first,
                              at_most(p->row->sort->length - first, RADIX_BLOCK));
}

/* ---- the digit ------------------------------------------------------------------------------- */
static inline void add_narrow(struct bits *bits, const struct radix_block *block, int64_t count)
{
    const uint32_t *keys = block->keys, flip = (uint32_t)block->flip;
    uint32_t any = 0, all = UINT32_MAX;
    for (int64_t i = 0; i < count; i++)
        any |= keys[i] ^ flip, all &= keys[i] ^ flip;
    bits->any |= any;
    bits->all &= all;
}

static void add_wide(struct bits *bits, const struct radix_block *block)
{
    const uint64_t *keys = block->keys, flip = block->flip;
    for (int64_t i = 0; i < block->count; i++)
        bits->any |= keys[i] ^ flip, bits->all &= keys[i] ^ flip;
}

/* Nothing is added of short keys, whose digit has all their bits. */
static void add_bits(const struct partition *p, const struct radix_block *block, struct bits *bits)
{
    if (p->row->sort->key_bits <= MAX_BITS)
        return;
    if (block->is_wide)
        add_wide(bits, block);
    else if (block->count == RADIX_BLOCK) /* constant, which gives vector code */
        add_narrow(bits, block, RADIX_BLOCK);
    else
        add_narrow(bits, block, block->count);
}

/* With a digit of 8 bits keys of 32 bits need two more digits of 12. It has 11 if these are all the
 * bits that differ; and for floats, most of whose first bits are a few exponents. */
static void choose_width(struct partition *p, int differing)
{
    bool is_long = differing <= MAX_BITS || p->row->sort->has_long_digit;
    p->digit_bits = is_long ? MAX_BITS : SHORT_BITS;
    p->buckets.count = (INT64_C(1) << p->digit_bits) + 2;
}

/* The first digit: all keys whose bits were added agree in the bits above it. */
static void first_digit(struct partition *p)
{
    int differing = bits_of(p->bits.any ^ p->bits.all);
    choose_width(p, differing);
    int shift = differing > p->digit_bits ? differing - p->digit_bits : 0;
    p->buckets.shift = shift;
    p->buckets.base = p->bits.all >> shift >> p->digit_bits << p->digit_bits << shift;
}

/* Adds the bits of some keys, which mostly differ in the same bits as all keys. */
static void add_sample(struct partition *p)
{
    struct radix_block block;
    int64_t length = p->row->sort->length;
    for (int64_t i = 0; i < SAMPLE; i++) {
        read_operands(p, length / SAMPLE * i, &block);
        add_bits(p, &block, &p->bits);
    }
}

static inline void find_digits(struct reader *r, const struct radix_buckets *buckets, int64_t count)
{
    const uint32_t *keys = r->block.keys, flip = (uint32_t)r->block.flip;
    uint32_t base = (uint32_t)buckets->base, last = (uint32_t)buckets->count - 1;
    int shift = buckets->shift;
    for (int64_t i = 0; i < count; i++) {
        uint32_t key = keys[i] ^ flip, digit = (key > base ? key - base : 0) >> shift;
        r->digits[i] = digit < last ? digit : last;
    }
}

static void find_wide_digits(struct reader *r, const struct radix_buckets *buckets)
{
    const uint64_t *keys = r->block.keys, flip = r->block.flip;
    uint64_t base = buckets->base, last = (uint64_t)buckets->count - 1;
    int shift = buckets->shift;
    for (int64_t i = 0; i < r->block.count; i++) {
        uint64_t digit = less(keys[i] ^ flip, base) >> shift;
        r->digits[i] = (uint32_t)(digit < last ? digit : last);
    }
}

/* The number of elements is mostly constant, which gives vector code. */
static void read_digits(const struct partition *p, int64_t first, struct reader *r)
{
    read_operands(p, first, &r->block);
    if (r->block.is_wide)
        find_wide_digits(r, &p->buckets);
    else if (r->block.count == RADIX_BLOCK)
        find_digits(r, &p->buckets, RADIX_BLOCK);
    else
        find_digits(r, &p->buckets, r->block.count);
}

/* ---- parts ----------------------------------------------------------------------------------- */
static void divide(struct partition *p)
{
    int64_t length = p->row->sort->length;
    uintptr_t room = (uintptr_t)p->row->second[0], align = _Alignof(struct part);
    p->part_length = radix_part_length(length, MIN_PART);
    p->part_count = (length + p->part_length - 1) / p->part_length;
    p->parts = (struct part *)((room + align - 1) / align * align);
}

/* Runs `body` for each part: it gets the part's elements. */
static void each_part(struct partition *p, void (*body)(void *p, int64_t begin, int64_t end))
{
    pool_parallel(pool_shared(), p->row->sort->length, p->part_length, body, p);
}

/* Also adds the bits of all keys. */
static void count_part(void *context, int64_t begin, int64_t end)
{
    const struct partition *p = context;
    struct part *part = &p->parts[begin / p->part_length];
    struct reader reader;
    memset(part->counts, 0, sizeof part->counts);
    part->bits = (struct bits){.all = UINT64_MAX};
    for (int64_t first = begin; first < end; first += RADIX_BLOCK) {
        read_digits(p, first, &reader);
        add_bits(p, &reader.block, &part->bits);
        for (int64_t i = 0; i < reader.block.count; i++)
            part->counts[reader.digits[i]]++;
    }
}

static void count_buckets(struct partition *p)
{
    each_part(p, count_part);
    memset(p->buckets.ends, 0, sizeof p->buckets.ends);
    for (int64_t i = 0; i < p->part_count; i++) {
        const struct part *part = &p->parts[i];
        p->bits.any |= part->bits.any;
        p->bits.all &= part->bits.all;
        for (int64_t bucket = 0; bucket < p->buckets.count; bucket++)
            p->buckets.ends[bucket] += part->counts[bucket];
    }
}

/* Counts the buckets of the first digit: a guess from a sample; if that was wrong, again. */
static void count_first(struct partition *p)
{
    add_sample(p);
    first_digit(p);
    uint64_t base = p->buckets.base;
    int shift = p->buckets.shift;
    count_buckets(p);
    first_digit(p);
    if (base != p->buckets.base || shift != p->buckets.shift)
        count_buckets(p);
}

static int64_t longest_bucket(const struct partition *p)
{
    int64_t longest = 0;
    for (int64_t i = 1; i < p->buckets.count; i++)
        if (p->buckets.ends[i] > p->buckets.ends[longest])
            longest = i;
    return longest;
}

/* While a bucket is too long, divides it by the next bits, with a bucket on each
 * side for all other keys. */
static void choose_digit(struct partition *p)
{
    struct radix_buckets *b = &p->buckets;
    for (int attempt = 1;; attempt++) {
        int64_t longest = longest_bucket(p);
        if (attempt == MAX_ATTEMPTS || !b->shift || b->ends[longest] <= p->row->sort->capacity)
            return;
        uint64_t start = b->base + ((uint64_t)longest << b->shift);
        b->shift = b->shift > p->digit_bits ? b->shift - p->digit_bits : 0;
        b->base = less(start, UINT64_C(1) << b->shift);
        count_buckets(p);
    }
}

/* Where the elements of each part go: those of a bucket in the order of the parts. */
static void place_parts(struct partition *p)
{
    uint32_t next = 0;
    for (int64_t bucket = 0; bucket < p->buckets.count; bucket++) {
        for (int64_t i = 0; i < p->part_count; i++) {
            uint32_t count = p->parts[i].counts[bucket];
            p->parts[i].counts[bucket] = next;
            next += count;
        }
        p->buckets.ends[bucket] = next;
    }
}

/* Moves the operands' elements to their buckets. */
static void move_part(void *context, int64_t begin, int64_t end)
{
    const struct partition *p = context;
    struct part *part = &p->parts[begin / p->part_length];
    struct reader reader;
    const struct radix_digit digit = {.keys = reader.digits, .mask = UINT32_MAX};
    for (int64_t first = begin; first < end; first += RADIX_BLOCK) {
        read_digits(p, first, &reader);
        radix_block_move(&reader.block, p->row->sort, &digit, part->counts, p->row->first);
    }
}

void radix_partition_row(const struct radix_row *row)
{
    bool is_short = row->sort->key_bits <= MAX_BITS;
    struct partition p = {.row = row, .bits = {.all = is_short ? 0 : UINT64_MAX}};
    divide(&p);
    count_first(&p);
    bool has_all_bits = !p.buckets.shift; /* else outer buckets have unequal keys */
    choose_digit(&p);
    place_parts(&p);
    each_part(&p, move_part);
    if (!has_all_bits)
        radix_groups_sort(row, &p.buckets);
}
