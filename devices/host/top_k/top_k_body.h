/* top_k_body.h: the loops of top_k.c over keys and pairs for one instruction set; included once for
 * each, with NAME(name) (a name for this set) and TARGET (a function attribute) defined. It ends
 * their definitions. No include guard. */

/* lowest_*: the lowest key of a block. keys_*: the keys of `count` elements, rounded up to whole
 * vectors. `bits`: of element x[i], at the upper end of 32. */
#define KEY_LOOPS(type, name, bits)                                                                \
    TARGET static uint32_t NAME(lowest_##name)(const struct key_kind *kind, const void *from)      \
    {                                                                                              \
        const struct key_kind k = *kind;                                                           \
        const type *x = from;                                                                      \
        uint32_t lowest = UINT32_MAX;                                                              \
        for (int i = 0; i < TOP_K_BLOCK; i++) {                                                    \
            uint32_t key = key_of(&k, bits);                                                       \
            lowest = key < lowest ? key : lowest;                                                  \
        }                                                                                          \
        return lowest;                                                                             \
    }                                                                                              \
    TARGET static void NAME(keys_##name)(const struct key_kind *kind, const void *from, int count, \
                                         uint32_t *restrict to)                                    \
    {                                                                                              \
        const struct key_kind k = *kind;                                                           \
        const type *x = from;                                                                      \
        for (int first = 0; first < count; first += KEY_VECTOR)                                    \
            for (int i = first; i < first + KEY_VECTOR; i++)                                       \
                to[i] = key_of(&k, bits);                                                          \
    }
KEY_LOOPS(uint8_t, 1, (uint32_t)x[i] << 24)
KEY_LOOPS(uint16_t, 2, (uint32_t)x[i] << 16)
KEY_LOOPS(uint32_t, 4, x[i])
KEY_LOOPS(float, f32, bits_of(x[i] + 0.0F)) /* -0 + 0 is 0; denormals may be flushed */
#undef KEY_LOOPS

/* Which groups of KEY_VECTOR keys have one that is at most `most`, the first one in the lowest
 * bit. */
TARGET static unsigned NAME(groups)(const uint32_t *keys, int count, uint32_t most)
{
    unsigned groups = 0;
    for (int g = 0; g * KEY_VECTOR < count; g++) {
        uint32_t any = 0;
        for (int i = 0; i < KEY_VECTOR; i++)
            any |= keys[g * KEY_VECTOR + i] <= most;
        groups |= any << g;
    }
    return groups;
}

/* The positions of sorted keys: the place of each is the number of keys before it, which are
 * smaller, or equal and further in front. */
TARGET static void NAME(order)(const uint32_t *keys, int count, uint32_t *order)
{
    key_vector lane = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    for (int first = 0; first < count; first += KEY_VECTOR, lane += KEY_VECTOR) {
        key_vector these, places = {0};
        memcpy(&these, keys + first, sizeof these);
        for (int i = 0; i < count; i++) {
            key_vector key = (key_vector){0} + keys[i];
            places -=
                (key_vector)(key < these) |
                ((key_vector)(key == these) & (key_vector)((key_vector){0} + (uint32_t)i < lane));
        }
        for (int i = 0; i < KEY_VECTOR && first + i < count; i++)
            order[places[i]] = (uint32_t)(first + i);
    }
}

/* Sorts pairs, of which there are `count`, followed by the largest pair up to whole vectors: the
 * place of each is the number of smaller ones. */
TARGET static void NAME(rank)(const uint64_t *pairs, int count, uint64_t *out)
{
    for (int first = 0; first < count; first += PAIR_LANES) {
        pair_vector these, places = {0};
        memcpy(&these, pairs + first, sizeof these);
        for (int i = 0; i < count; i++)
            places -= (pair_vector)((pair_vector){0} + pairs[i] < these);
        for (int i = 0; i < PAIR_LANES && first + i < count; i++)
            out[places[i]] = pairs[first + i];
    }
}

static const struct loops NAME(loops) = {
    .lowest = {NAME(lowest_1), NAME(lowest_2), NAME(lowest_4), NAME(lowest_f32)},
    .keys = {NAME(keys_1), NAME(keys_2), NAME(keys_4), NAME(keys_f32)},
    .groups = NAME(groups),
    .order = NAME(order),
    .rank = NAME(rank)};
#undef NAME
#undef TARGET
