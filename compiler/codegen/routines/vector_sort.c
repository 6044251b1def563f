/* vector_sort.c: quicksort. The numbers of a vector that are less than the pivot are compressed to
 * one end of the gap, the others to the other end. Up to 256 numbers are sorted in 16 registers, by
 * bitonic sorting networks. Where pivots repeatedly divide badly, heapsort takes over. */
#include "compiler/codegen/routines/vector_sort.h"

#include "base/cpu.h"

#ifdef __x86_64__
#include <immintrin.h>

#define AVX512 __attribute__((target("avx512f")))
#define AVX512_INLINE __attribute__((target("avx512f"), always_inline)) static inline

/* Loops with a constant number of iterations, whose variables are registers. */
#ifdef __clang__
#define UNROLLED _Pragma("clang loop unroll(full)")
#else
#define UNROLLED _Pragma("GCC unroll 16")
#endif

enum {
    LANES = 16,
    SMALL = VECTOR_SORT_SMALL, /* in as many registers */
    STRIP = 4, /* vectors that are partitioned at a time: a gap has room for twice that */
    STRIP_NUMBERS = STRIP * LANES,
    LONG = 2048,         /* from here on a pivot is chosen from several vectors, */
    VERY_LONG = 1 << 17, /* and from here on from many */
    BAD_LEVELS = 2,      /* times the levels of even divisions */
};

/* The first 0 to 16 lanes. */
static inline __mmask16 first_lanes(int64_t count)
{
    return (__mmask16)(0xffffU >> (LANES - count));
}

static inline int64_t at_most_lanes(int64_t count)
{
    return count < 0 ? 0 : count < LANES ? count : LANES;
}

/* ---- few numbers ----------------------------------------------------------------------------- */
/* Exchanges each lane with lane ^ `by`; those in `upper` keep the greater number. */
AVX512_INLINE __m512i exchange_lanes(__m512i v, int by, __mmask16 upper)
{
    const __m512i lanes = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    __m512i other = _mm512_permutexvar_epi32(_mm512_xor_si512(lanes, _mm512_set1_epi32(by)), v);
    return _mm512_mask_max_epu32(_mm512_min_epu32(v, other), upper, v, other);
}

AVX512_INLINE void exchange_all(__m512i *v, int count, int by, __mmask16 upper)
{
    UNROLLED for (int i = 0; i < count; i++) v[i] = exchange_lanes(v[i], by, upper);
}

/* Sorts vectors that are bitonic. */
AVX512_INLINE void merge_lanes(__m512i *v, int count)
{
    exchange_all(v, count, 8, 0xff00);
    exchange_all(v, count, 4, 0xf0f0);
    exchange_all(v, count, 2, 0xcccc);
    exchange_all(v, count, 1, 0xaaaa);
}

/* Sorts each vector. */
AVX512_INLINE void sort_lanes(__m512i *v, int count)
{
    exchange_all(v, count, 1, 0xaaaa);
    exchange_all(v, count, 3, 0xcccc);
    exchange_all(v, count, 1, 0xaaaa);
    exchange_all(v, count, 7, 0xf0f0);
    exchange_all(v, count, 2, 0xcccc);
    exchange_all(v, count, 1, 0xaaaa);
    exchange_all(v, count, 15, 0xff00);
    exchange_all(v, count, 4, 0xf0f0);
    exchange_all(v, count, 2, 0xcccc);
    exchange_all(v, count, 1, 0xaaaa);
}

AVX512_INLINE __m512i reversed(__m512i v)
{
    const __m512i lanes = _mm512_setr_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
    return _mm512_permutexvar_epi32(lanes, v);
}

/* Exchanges vectors that are `by` apart. */
AVX512_INLINE void exchange_vectors(__m512i *v, int count, int by)
{
    UNROLLED for (int i = 0; i < count; i++)
    {
        __m512i low = v[i], high = v[i | by];
        if (i & by)
            continue;
        v[i] = _mm512_min_epu32(low, high);
        v[i | by] = _mm512_max_epu32(low, high);
    }
}

/* Merges sorted runs of `size` vectors in pairs. */
AVX512_INLINE void merge_runs(__m512i *v, int count, int size)
{
    UNROLLED for (int i = 0; i < count; i++)
    {
        int mirror = i ^ (2 * size - 1);
        if (i & size)
            continue;
        __m512i low = v[i], high = reversed(v[mirror]);
        v[i] = _mm512_min_epu32(low, high);
        v[mirror] = reversed(_mm512_max_epu32(low, high));
    }
    if (size > 4)
        exchange_vectors(v, count, 4);
    if (size > 2)
        exchange_vectors(v, count, 2);
    if (size > 1)
        exchange_vectors(v, count, 1);
    merge_lanes(v, count);
}

/* Sorts as many numbers as fill `count` vectors, or fewer. */
AVX512_INLINE void sort_vectors(uint32_t *numbers, int64_t size, int count)
{
    __m512i v[SMALL / LANES];
    UNROLLED for (int i = 0; i < count; i++) v[i] = _mm512_mask_loadu_epi32(
        _mm512_set1_epi32(-1), first_lanes(at_most_lanes(size - i * LANES)), numbers + i * LANES);
    sort_lanes(v, count);
    if (count > 1)
        merge_runs(v, count, 1);
    if (count > 2)
        merge_runs(v, count, 2);
    if (count > 4)
        merge_runs(v, count, 4);
    if (count > 8)
        merge_runs(v, count, 8);
    UNROLLED for (int i = 0; i < count; i++) _mm512_mask_storeu_epi32(
        numbers + i * LANES, first_lanes(at_most_lanes(size - i * LANES)), v[i]);
}

AVX512 static void sort_small(uint32_t *numbers, int64_t count)
{
    if (count <= LANES)
        sort_vectors(numbers, count, 1);
    else if (count <= 2 * LANES)
        sort_vectors(numbers, count, 2);
    else if (count <= 4 * LANES)
        sort_vectors(numbers, count, 4);
    else if (count <= 8 * LANES)
        sort_vectors(numbers, count, 8);
    else
        sort_vectors(numbers, count, 16);
}

/* ---- partitions ------------------------------------------------------------------------------ */
/* Of an array that is being partitioned: what is below `low` is less than the pivot, or equal to it
 * if `equal`; what is from `high` on is not. */
struct partition {
    uint32_t *low, *high;
    __m512i pivot;
    bool equal;
};

/* Which of the lanes have numbers that belong below the pivot. */
AVX512_INLINE __mmask16 is_low(const struct partition *p, __mmask16 lanes, __m512i v)
{
    return p->equal ? _mm512_mask_cmple_epu32_mask(lanes, v, p->pivot)
                    : _mm512_mask_cmplt_epu32_mask(lanes, v, p->pivot);
}

/* Moves the numbers of a vector to the ends of the gap, which has room for them. `room`: it has
 * room for a whole vector at each end. No address is outside of the array: even lanes that are not
 * stored would take long where memory ends. */
AVX512_INLINE void place(struct partition *p, __m512i v, bool room)
{
    __mmask16 is_below = is_low(p, 0xffff, v);
    int below = __builtin_popcount(is_below);
    __mmask16 at_end = (__mmask16)(0xffffU << below);
    __m512i low = _mm512_maskz_compress_epi32(is_below, v);
    __m512i high = _mm512_maskz_compress_epi32((__mmask16)~is_below, v);
    high = _mm512_maskz_expand_epi32(at_end, high);
    if (room) {
        _mm512_storeu_si512(p->low, low);
        _mm512_storeu_si512(p->high - LANES, high);
    } else {
        _mm512_mask_storeu_epi32(p->low, first_lanes(below), low);
        _mm512_mask_storeu_epi32(p->high - LANES, at_end, high);
    }
    p->low += below;
    p->high -= LANES - below;
}

AVX512_INLINE void load_strip(__m512i *strip, const uint32_t *from)
{
    UNROLLED for (int i = 0; i < STRIP; i++) strip[i] = _mm512_loadu_si512(from + i * LANES);
}

AVX512_INLINE void place_strip(struct partition *p, const __m512i *strip, bool room)
{
    UNROLLED for (int i = 0; i < STRIP; i++) place(p, strip[i], room);
}

/* Whole strips, at least two: the first and the last one are read ahead, which makes the gap. The
 * next strip is read from the end of the gap that has less room, so both have enough. */
AVX512_INLINE void partition_strips(struct partition *p, uint32_t *numbers, int64_t count)
{
    uint32_t *begin = numbers + STRIP_NUMBERS, *end = numbers + count - STRIP_NUMBERS;
    __m512i first[STRIP], last[STRIP], strip[STRIP];
    load_strip(first, numbers);
    load_strip(last, end);
    p->low = numbers;
    p->high = numbers + count;
    while (begin < end) {
        bool from_end = p->high - end < begin - p->low;
        load_strip(strip, from_end ? end - STRIP_NUMBERS : begin);
        end = from_end ? end - STRIP_NUMBERS : end;
        begin = from_end ? begin : begin + STRIP_NUMBERS;
        place_strip(p, strip, true);
    }
    place_strip(p, first, false);
    place_strip(p, last, false);
}

/* The next vector, of `size` numbers at `at`, to which what is from `low` on extends: as many high
 * numbers make room for its low ones. */
AVX512_INLINE void insert_vector(struct partition *p, uint32_t *at, int64_t size)
{
    __mmask16 valid = first_lanes(size);
    __m512i v = _mm512_maskz_loadu_epi32(valid, at);
    __mmask16 is_below = is_low(p, valid, v);
    int64_t below = __builtin_popcount(is_below), behind = at - p->low;
    int64_t moved = below < behind ? below : behind;
    __m512i displaced = _mm512_maskz_loadu_epi32(first_lanes(moved), p->low);
    _mm512_mask_storeu_epi32(at + below, first_lanes(size - below),
                             _mm512_maskz_compress_epi32(valid ^ is_below, v));
    _mm512_mask_storeu_epi32(at + below - moved, first_lanes(moved), displaced);
    _mm512_mask_storeu_epi32(p->low, first_lanes(below), _mm512_maskz_compress_epi32(is_below, v));
    p->low += below;
}

/* Moves the numbers that are less than the pivot, or equal to it if `equal`, to the front, and
 * returns how many there are. `count`: more than SMALL. */
AVX512_INLINE int64_t partition(uint32_t *numbers, int64_t count, uint32_t pivot, bool equal)
{
    struct partition p = {.pivot = _mm512_set1_epi32((int)pivot), .equal = equal};
    int64_t whole = count / STRIP_NUMBERS * STRIP_NUMBERS;
    partition_strips(&p, numbers, whole);
    for (int64_t i = whole; i < count; i += LANES)
        insert_vector(&p, numbers + i, at_most_lanes(count - i));
    return p.low - numbers;
}

AVX512 static int64_t partition_less(uint32_t *numbers, int64_t count, uint32_t pivot)
{
    return partition(numbers, count, pivot, false);
}

AVX512 static int64_t partition_equal(uint32_t *numbers, int64_t count, uint32_t pivot)
{
    return partition(numbers, count, pivot, true);
}

/* The median of some of the numbers, which are at irregular places: numbers in order, or in the
 * order that partitions leave, have no period in common with them. */
AVX512 static uint32_t choose_pivot(const uint32_t *numbers, int64_t count)
{
    uint32_t sample[SMALL], random = (uint32_t)count;
    int64_t size = count < LONG ? LANES : count < VERY_LONG ? 4 * LANES : SMALL;
    int64_t stride = count / size;
    for (int64_t i = 0; i < size; i++) {
        random = random * 1664525 + 1013904223;
        sample[i] = numbers[i * stride + (int64_t)((uint64_t)stride * random >> 32)];
    }
    sort_small(sample, size);
    return sample[size / 2];
}

/* ---- heapsort -------------------------------------------------------------------------------- */
static void sift_down(uint32_t *numbers, int64_t at, int64_t count)
{
    uint32_t number = numbers[at];
    for (int64_t child; (child = 2 * at + 1) < count; at = child) {
        child += child + 1 < count && numbers[child] < numbers[child + 1];
        if (numbers[child] <= number)
            break;
        numbers[at] = numbers[child];
    }
    numbers[at] = number;
}

static void heap_sort(uint32_t *numbers, int64_t count)
{
    for (int64_t i = count / 2; i-- > 0;)
        sift_down(numbers, i, count);
    for (int64_t end = count; end-- > 1;) {
        uint32_t largest = numbers[0];
        numbers[0] = numbers[end];
        numbers[end] = largest;
        sift_down(numbers, 0, end);
    }
}

/* ---- quicksort ------------------------------------------------------------------------------- */
/* Where nothing is less than the pivot, the numbers equal to it are at their places. */
AVX512 int64_t vector_sort_divide(uint32_t *numbers, int64_t count, bool *equal)
{
    uint32_t pivot = choose_pivot(numbers, count);
    int64_t low = partition_less(numbers, count, pivot);
    *equal = !low;
    return low ? low : partition_equal(numbers, count, pivot);
}

AVX512 void vector_sort_within(uint32_t *numbers, int64_t count, int levels)
{
    for (; count > SMALL && levels; levels--) {
        bool equal;
        int64_t low = vector_sort_divide(numbers, count, &equal);
        if (!equal)
            vector_sort_within(numbers, low, levels - 1);
        numbers += low;
        count -= low;
    }
    if (count > SMALL)
        heap_sort(numbers, count);
    else
        sort_small(numbers, count);
}

bool vector_sort_is_supported(void)
{
    return cpu_features()->avx512;
}

void vector_sort(uint32_t *numbers, int64_t count)
{
    int levels = count > 1 ? 64 - __builtin_clzll((uint64_t)count) : 0;
    vector_sort_within(numbers, count, BAD_LEVELS * levels);
}

#else
bool vector_sort_is_supported(void)
{
    return false;
}

int64_t vector_sort_divide(uint32_t *numbers, int64_t count, bool *equal)
{
    (void)numbers;
    *equal = true;
    return count;
}

void vector_sort_within(uint32_t *numbers, int64_t count, int levels)
{
    (void)numbers, (void)count, (void)levels;
}

void vector_sort(uint32_t *numbers, int64_t count)
{
    (void)numbers, (void)count;
}
#endif
