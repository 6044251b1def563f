/* top_k_few_body.h: the loops of top_k_few.c for one instruction set; included once for each, with
 * these defined, and group_*() for the set. It ends their definitions. No include guard.
 *
 *     NAME(name), TARGET          a name for the set, and a function attribute
 *     PAIRS, LANES                a vector of pairs, and how many it has
 *     SPREAD, LEAST, GREATEST     a vector of one pair; the lesser and the greater of two vectors
 *     SHIFT_IN(before, pairs)     the pairs one lane further, after the last one of `before` */

/* Which of the keys of some groups, at most PART, are at most `most`: the first one is the lowest
 * bit. */
TARGET static inline uint64_t NAME(candidates)(const uint32_t *keys, int count, uint32_t most)
{
    uint64_t candidates = 0;
    for (int i = 0; i < count; i += KEY_GROUP)
        candidates |= (uint64_t)NAME(group)(keys + i, most) << i;
    return count < PART ? candidates & ((UINT64_C(1) << count) - 1) : candidates;
}

/* Inserts the candidates: new[i] = min(old[i], max(old[i - 1], pair)) for all i at once. A pair
 * after the last one changes nothing. */
TARGET static inline void NAME(insert_all)(int64_t *sorted, int vectors, uint64_t candidates,
                                           const uint32_t *keys, int64_t position)
{
    for (; candidates; candidates &= candidates - 1) {
        int key = __builtin_ctzll(candidates);
        PAIRS pair = SPREAD(pair_of(keys[key], position + key)), before = SPREAD(INT64_MIN);
        for (int v = 0; v < vectors; v++) {
            PAIRS *at = (PAIRS *)sorted + v, pairs = *at;
            *at = LEAST(pairs, GREATEST(SHIFT_IN(before, pairs), pair));
            before = pairs;
        }
    }
}

/* The same for as many vectors as there are registers for, where an insertion does not wait for the
 * stores of the one before. */
#define INSERT(vectors)                                                                            \
    TARGET static inline void NAME(insert_##vectors)(int64_t *sorted, uint64_t candidates,         \
                                                     const uint32_t *keys, int64_t position)       \
    {                                                                                              \
        PAIRS at[vectors];                                                                         \
        UNROLLED for (int v = 0; v < vectors; v++) at[v] = ((const PAIRS *)sorted)[v];             \
        for (; candidates; candidates &= candidates - 1) {                                         \
            int key = __builtin_ctzll(candidates);                                                 \
            PAIRS pair = SPREAD(pair_of(keys[key], position + key));                               \
            UNROLLED for (int v = vectors - 1; v >= 0; v--)                                        \
            {                                                                                      \
                PAIRS before = v ? at[v - 1] : SPREAD(INT64_MIN);                                  \
                at[v] = LEAST(at[v], GREATEST(SHIFT_IN(before, at[v]), pair));                     \
            }                                                                                      \
        }                                                                                          \
        UNROLLED for (int v = 0; v < vectors; v++)((PAIRS *)sorted)[v] = at[v];                    \
    }
INSERT(1)
INSERT(2)
INSERT(4)

TARGET static void NAME(insert)(struct few *few, const uint32_t *keys, int count, int64_t position)
{
    int vectors = ((int)few->k + LANES - 1) / LANES;
    for (int first = 0, part; first < count && few->most >= 0; first += part) {
        int left = count - first, most = few->most < UINT32_MAX ? PART : KEY_GROUP;
        part = left < most ? left : most;
        uint64_t candidates = NAME(candidates)(keys + first, part, (uint32_t)few->most);
        if (!candidates)
            continue;
        if (vectors == 1)
            NAME(insert_1)(few->pairs, candidates, keys + first, position + first);
        else if (vectors == 2)
            NAME(insert_2)(few->pairs, candidates, keys + first, position + first);
        else if (vectors <= 4)
            NAME(insert_4)(few->pairs, candidates, keys + first, position + first);
        else
            NAME(insert_all)(few->pairs, vectors, candidates, keys + first, position + first);
        lower_most(few);
    }
}
#undef NAME
#undef TARGET
#undef PAIRS
#undef LANES
#undef SPREAD
#undef LEAST
#undef GREATEST
#undef SHIFT_IN
