/* top_k_few.c: see top_k_few.h. */
#include "devices/host/top_k/top_k_few.h"

#include <string.h>
#ifdef __x86_64__
#include <immintrin.h>
#endif

#include "base/cpu.h"

enum {
    CLEARED = 32,       /* pairs: four vectors of eight */
    PART = 64,          /* keys whose comparisons fit a word */
    SPAN = 512,         /* blocks whose lowest keys are computed before any is looked at */
    BLOCKS_FOR_EACH = 1 /* as many blocks for each of the first k tell which are candidates */
};

/* Loops with a constant number of iterations, whose variables are registers. */
#ifdef __clang__
#define UNROLLED _Pragma("clang loop unroll(full)")
#else
#define UNROLLED _Pragma("GCC unroll 8")
#endif

#define SIGN (UINT32_C(1) << 31)

/* A key and the position below it, as a signed number: that is what processors compare. */
static inline int64_t pair_of(uint32_t key, int64_t position)
{
    return (int64_t)((uint64_t)(key ^ SIGN) << 32 | (uint64_t)position);
}

static inline uint32_t key_of_pair(int64_t pair)
{
    return (uint32_t)((uint64_t)pair >> 32) ^ SIGN;
}

/* The first elements so far, sorted, followed by others up to whole vectors. */
struct few {
    int64_t pairs[TOP_K_FEW] __attribute__((aligned(64)));
    int64_t k;
    int64_t most; /* keys above this one are not among the first k; -1: no further one is */
};

static inline bool is_full(const struct few *few)
{
    return few->pairs[few->k - 1] != INT64_MAX;
}

/* Of the elements behind the first k so far, only those before the last of these change anything:
 * equal ones stay behind it. */
static inline void lower_most(struct few *few)
{
    int64_t below = (int64_t)key_of_pair(few->pairs[few->k - 1]) - 1;
    if (is_full(few) && below < few->most)
        few->most = below;
}

/* ---- loops, for each instruction set --------------------------------------------------------- */
#define NAME(name) name##_any
#define TARGET
#define PAIRS int64_t
#define LANES 1
#define SPREAD(pair) (pair)
#define LEAST(a, b) ((a) < (b) ? (a) : (b))
#define GREATEST(a, b) ((a) < (b) ? (b) : (a))
#define SHIFT_IN(before, pairs) (before)
static inline unsigned group_any(const uint32_t *keys, uint32_t most)
{
    unsigned bits = 0;
    for (int i = 0; i < KEY_GROUP; i++)
        bits |= (unsigned)(keys[i] <= most) << i;
    return bits;
}
#include "devices/host/top_k/top_k_few_body.h"

#ifdef __x86_64__
#define NAME(name) name##_avx2
#define TARGET __attribute__((target("avx2")))
#define PAIRS __m256i
#define LANES 4
#define SPREAD(pair) _mm256_set1_epi64x(pair)
#define LEAST(a, b) _mm256_blendv_epi8(a, b, _mm256_cmpgt_epi64(a, b))
#define GREATEST(a, b) _mm256_blendv_epi8(b, a, _mm256_cmpgt_epi64(a, b))
#define SHIFT_IN(before, pairs)                                                                    \
    _mm256_alignr_epi8(pairs, _mm256_permute2x128_si256(before, pairs, 0x21), 8)
TARGET static inline unsigned group_avx2(const uint32_t *keys, uint32_t most)
{
    const __m256i limit = _mm256_set1_epi32((int)most), *at = (const __m256i *)keys;
    __m256i low = _mm256_loadu_si256(at), high = _mm256_loadu_si256(at + 1);
    low = _mm256_cmpeq_epi32(_mm256_min_epu32(low, limit), low);
    high = _mm256_cmpeq_epi32(_mm256_min_epu32(high, limit), high);
    return (unsigned)_mm256_movemask_ps(_mm256_castsi256_ps(low)) |
           (unsigned)_mm256_movemask_ps(_mm256_castsi256_ps(high)) << 8;
}
#include "devices/host/top_k/top_k_few_body.h"

#define NAME(name) name##_avx512
#define TARGET __attribute__((target("avx512f")))
#define PAIRS __m512i
#define LANES 8
#define SPREAD(pair) _mm512_set1_epi64(pair)
#define LEAST(a, b) _mm512_min_epi64(a, b)
#define GREATEST(a, b) _mm512_max_epi64(a, b)
#define SHIFT_IN(before, pairs) _mm512_alignr_epi64(pairs, before, 7)
TARGET static inline unsigned group_avx512(const uint32_t *keys, uint32_t most)
{
    return _mm512_cmple_epu32_mask(_mm512_loadu_si512(keys), _mm512_set1_epi32((int)most));
}
#include "devices/host/top_k/top_k_few_body.h"
#endif

typedef void insert_function(struct few *few, const uint32_t *keys, int count, int64_t position);

static insert_function *insert_of_processor(void)
{
#ifdef __x86_64__
    const struct cpu_features *features = cpu_features();
    if (features->avx512)
        return insert_avx512;
    if (features->avx2)
        return insert_avx2;
#endif
    return insert_any;
}

/* ---- rows ------------------------------------------------------------------------------------ */
/* A row, and the lowest keys of some of its blocks. */
struct row {
    const struct key_reader *reader;
    insert_function *insert;
    const char *from;
    uint32_t lowest[SPAN];
};

/* No elements yet. */
static void clear(struct few *few, int64_t k)
{
    few->k = k;
    few->most = UINT32_MAX;
    for (int64_t p = 0; p < k || p % CLEARED; p++)
        few->pairs[p] = INT64_MAX;
}

/* The k-th of the lowest keys of blocks: at least as many elements precede it or are equal. Nothing
 * is known of the first k elements if there are few blocks. */
static uint32_t bound_of(const struct row *row, int blocks, int64_t k)
{
    struct few few;
    if (blocks < BLOCKS_FOR_EACH * k)
        return UINT32_MAX;
    clear(&few, k);
    row->insert(&few, row->lowest, blocks, 0);
    return key_of_pair(few.pairs[k - 1]);
}

/* Blocks [first, first + count), where they have a candidate. */
static void insert_blocks(struct row *row, int64_t first, int count, struct few *few)
{
    const struct key_reader *reader = row->reader;
    uint32_t keys[KEY_BLOCK];
    for (int i = 0; i < count; i++) {
        if (row->lowest[i] > few->most)
            continue;
        int64_t position = (first + i) * KEY_BLOCK;
        reader->keys(&reader->kind, row->from + position * reader->bytes, KEY_BLOCK, keys);
        row->insert(few, keys, KEY_BLOCK, position);
    }
}

void top_k_few(const struct top_k_spec *t, const struct key_reader *reader, const void *from,
               int32_t *positions)
{
    struct row row;
    struct few few;
    uint32_t keys[KEY_BLOCK];
    int64_t blocks = t->length / KEY_BLOCK, whole = blocks * KEY_BLOCK;
    row.reader = reader;
    row.insert = insert_of_processor();
    row.from = from;
    clear(&few, t->k);
    for (int64_t first = 0; first < blocks; first += SPAN) {
        int count = blocks - first < SPAN ? (int)(blocks - first) : SPAN;
        reader->lowest(&reader->kind, row.from + first * KEY_BLOCK * reader->bytes, count,
                       row.lowest);
        if (!first)
            few.most = bound_of(&row, count, t->k);
        insert_blocks(&row, first, count, &few);
    }
    if (whole < t->length) {
        int rest = (int)(t->length - whole);
        key_reader_last(reader, row.from + whole * reader->bytes, rest, keys);
        row.insert(&few, keys, rest, whole);
    }
    for (int64_t i = 0; i < t->k; i++)
        positions[i] = (int32_t)few.pairs[i];
}
