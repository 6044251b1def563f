/* offsets.c: two-level segregated fit. Internally, all sizes are in units of the alignment.
 *
 * class of n units:   n < 16:  level 0, step n          (one size each)
 *                     else:    level log2(n) - 3, step = the four bits below the leading one
 *
 *      levels  ....0010.1..    bit l: some step of level l has a free range
 *      steps[l] 0000.1000.0..  bit s: list (l, s) is not empty
 */
#include "memory/offsets.h"

#include "base/alloc.h"

enum { STEPS = 16, STEP_BITS = 4, LEVELS = 64 - STEP_BITS + 1, NONE = 0 };

struct record {                        /* one range; number 0 is not used */
    uint64_t offset, size;             /* units */
    uint32_t before, behind;           /* neighbors in the address range; NONE at the ends */
    uint32_t free_before, free_behind; /* links in the list of its class or of unused records */
    bool live, used;                   /* used: the record describes a range */
};

struct offsets {
    uint64_t live;                 /* units */
    int shift;                     /* log2(alignment) */
    struct record *records;        /* owned */
    uint32_t record_count, unused; /* unused: head of the list of unused records */
    uint64_t levels;
    uint16_t steps[LEVELS];
    uint32_t heads[LEVELS][STEPS];
};

static void class_of(uint64_t units, int *level, int *step)
{
    if (units < STEPS) {
        *level = 0;
        *step = (int)units;
        return;
    }
    int log = 63 - __builtin_clzll(units);
    *level = log - STEP_BITS + 1;
    *step = (int)(units >> (log - STEP_BITS)) & (STEPS - 1);
}

static void list_insert(struct offsets *o, uint32_t number)
{
    struct record *record = &o->records[number];
    int level, step;
    class_of(record->size, &level, &step);
    uint32_t *head = &o->heads[level][step];
    record->free_before = NONE;
    record->free_behind = *head;
    if (*head)
        o->records[*head].free_before = number;
    *head = number;
    o->levels |= 1ULL << level;
    o->steps[level] |= (uint16_t)(1U << step);
}

static void list_remove(struct offsets *o, uint32_t number)
{
    struct record *record = &o->records[number];
    int level, step;
    class_of(record->size, &level, &step);
    if (record->free_behind)
        o->records[record->free_behind].free_before = record->free_before;
    if (record->free_before) {
        o->records[record->free_before].free_behind = record->free_behind;
        return;
    }
    o->heads[level][step] = record->free_behind;
    if (record->free_behind)
        return;
    o->steps[level] &= (uint16_t)~(1U << step);
    if (!o->steps[level])
        o->levels &= ~(1ULL << level);
}

/* Ensures that taking one more record cannot fail. */
static struct error *records_reserve(struct offsets *o)
{
    if (o->unused)
        return NULL;
    if (o->record_count > UINT32_MAX / 4)
        return ERROR(RESOURCE_EXHAUSTED, "offsets: more than %u ranges", o->record_count);
    uint32_t count = o->record_count ? 2 * o->record_count : 64;
    TRY(alloc_resize(&o->records, count * sizeof *o->records));
    uint32_t first = o->record_count ? o->record_count : 1; /* number 0 stays unused */
    o->records[0] = (struct record){0};
    for (uint32_t number = count; number-- > first;) {
        o->records[number] = (struct record){.free_behind = o->unused};
        o->unused = number;
    }
    o->record_count = count;
    return NULL;
}

static uint32_t record_take(struct offsets *o)
{
    uint32_t number = o->unused;
    o->unused = o->records[number].free_behind;
    o->records[number] = (struct record){.used = true};
    return number;
}

static void record_give(struct offsets *o, uint32_t number)
{
    o->records[number] = (struct record){.free_behind = o->unused};
    o->unused = number;
}

struct error *offsets_create(uint64_t capacity, uint64_t alignment, struct offsets **out)
{
    struct offsets *o;
    *out = NULL;
    if (!alignment || alignment & (alignment - 1) || capacity < alignment)
        return ERROR(INVALID_ARGUMENT, "offsets: capacity %llu, alignment %llu (a power of two)",
                     (unsigned long long)capacity, (unsigned long long)alignment);
    TRY(alloc_zeroed(sizeof *o, &o));
    o->shift = __builtin_ctzll(alignment);
    struct error *error = records_reserve(o);
    if (error) {
        offsets_destroy(o);
        return error;
    }
    uint32_t all = record_take(o);
    o->records[all].size = capacity >> o->shift;
    list_insert(o, all);
    *out = o;
    return NULL;
}

void offsets_destroy(struct offsets *o)
{
    if (!o)
        return;
    alloc_free(o->records);
    alloc_free(o);
}

/* A free range of at least `units`: from the first class above, in which every range fits, else
 * from the class of `units` itself, in which some ranges may fit. */
static uint32_t find_fit(const struct offsets *o, uint64_t units)
{
    int level, step;
    class_of(units, &level, &step);
    uint32_t own = o->heads[level][step];
    if (own && o->records[own].size >= units)
        return own;
    uint32_t above = o->steps[level] & (~1U << step) & 0xFFFF;
    if (!above) {
        uint64_t levels = level + 1 < LEVELS ? o->levels & (~0ULL << (level + 1)) : 0;
        if (levels) {
            level = __builtin_ctzll(levels);
            above = o->steps[level];
        }
    }
    if (above)
        return o->heads[level][__builtin_ctz(above)];
    while (own && o->records[own].size < units)
        own = o->records[own].free_behind;
    return own;
}

struct error *offsets_alloc(struct offsets *o, uint64_t size, struct range *out)
{
    *out = (struct range){0};
    uint64_t units = (size >> o->shift) + ((size & ((1ULL << o->shift) - 1)) != 0);
    if (!units)
        units = 1;
    TRY(records_reserve(o));
    uint32_t number = find_fit(o, units);
    if (!number)
        return ERROR(RESOURCE_EXHAUSTED,
                     "no free range of %llu bytes: the largest has %llu, %llu are in use",
                     (unsigned long long)size, (unsigned long long)offsets_largest_free(o),
                     (unsigned long long)offsets_live(o));
    list_remove(o, number);
    if (o->records[number].size > units) { /* the remainder becomes a range after it */
        uint32_t rest = record_take(o);
        struct record *record = &o->records[number], *tail = &o->records[rest];
        *tail = (struct record){.offset = record->offset + units,
                                .size = record->size - units,
                                .before = number,
                                .behind = record->behind,
                                .used = true};
        if (tail->behind)
            o->records[tail->behind].before = rest;
        record->behind = rest;
        record->size = units;
        list_insert(o, rest);
    }
    o->records[number].live = true;
    o->live += units;
    *out = (struct range){o->records[number].offset << o->shift, units << o->shift, number};
    return NULL;
}

/* Merges `number` with the range after it, whose record is freed; neither is in a list. */
static void join_behind(struct offsets *o, uint32_t number)
{
    struct record *record = &o->records[number];
    uint32_t merged = record->behind;
    record->size += o->records[merged].size;
    record->behind = o->records[merged].behind;
    if (record->behind)
        o->records[record->behind].before = number;
    record_give(o, merged);
}

void offsets_free(struct offsets *o, uint32_t number)
{
    struct record *record = &o->records[number];
    record->live = false;
    o->live -= record->size;
    if (record->behind && !o->records[record->behind].live) {
        list_remove(o, record->behind);
        join_behind(o, number);
    }
    if (record->before && !o->records[record->before].live) {
        number = record->before;
        list_remove(o, number);
        join_behind(o, number);
    }
    list_insert(o, number);
}

uint64_t offsets_live(const struct offsets *o)
{
    return o->live << o->shift;
}

uint64_t offsets_largest_free(const struct offsets *o)
{
    if (!o->levels)
        return 0;
    int level = 63 - __builtin_clzll(o->levels);
    int step = 31 - __builtin_clz(o->steps[level]);
    uint64_t largest = 0;
    for (uint32_t n = o->heads[level][step]; n; n = o->records[n].free_behind)
        if (o->records[n].size > largest)
            largest = o->records[n].size;
    return largest << o->shift;
}

bool offsets_check(const struct offsets *o)
{
    uint64_t live = 0, free_ranges = 0, listed = 0;
    for (uint32_t number = 1; number < o->record_count; number++) {
        const struct record *record = &o->records[number];
        if (!record->used)
            continue;
        const struct record *behind = record->behind ? &o->records[record->behind] : NULL;
        if (!record->size || (!record->before && record->offset))
            return false;
        if (behind &&
            (behind->before != number || behind->offset != record->offset + record->size ||
             (!record->live && !behind->live)))
            return false;
        live += record->live ? record->size : 0;
        free_ranges += !record->live;
    }
    for (int level = 0; level < LEVELS; level++)
        for (int step = 0; step < STEPS; step++)
            for (uint32_t n = o->heads[level][step]; n; n = o->records[n].free_behind, listed++) {
                int l, s;
                class_of(o->records[n].size, &l, &s);
                if (l != level || s != step || o->records[n].live || !o->records[n].used)
                    return false;
            }
    return live == o->live && listed == free_ranges;
}
