/* top_k_keys_body.h: the loops of top_k_keys.c for one instruction set; included once for each,
 * with NAME(name) (a name for this set) and TARGET (a function attribute) defined. It ends their
 * definitions. No include guard. */

/* lowest_*: the lowest key of each block. keys_*: the keys of `count` elements, rounded up to whole
 * vectors. `bits`: of element x[i], at the upper end of 32. */
#define KEY_LOOPS(type, name, bits)                                                                \
    TARGET static void NAME(lowest_##name)(const struct key_kind *kind, const void *from,          \
                                           int blocks, uint32_t *restrict to)                      \
    {                                                                                              \
        const struct key_kind k = *kind;                                                           \
        const type *x = from;                                                                      \
        for (int b = 0; b < blocks; b++, x += KEY_BLOCK) {                                         \
            uint32_t lowest = UINT32_MAX;                                                          \
            for (int i = 0; i < KEY_BLOCK; i++) {                                                  \
                uint32_t key = key_of(&k, bits);                                                   \
                lowest = key < lowest ? key : lowest;                                              \
            }                                                                                      \
            to[b] = lowest;                                                                        \
        }                                                                                          \
    }                                                                                              \
    TARGET static void NAME(keys_##name)(const struct key_kind *kind, const void *from, int count, \
                                         uint32_t *restrict to)                                    \
    {                                                                                              \
        const struct key_kind k = *kind;                                                           \
        const type *x = from;                                                                      \
        for (int first = 0; first < count; first += KEY_GROUP)                                     \
            for (int i = first; i < first + KEY_GROUP; i++)                                        \
                to[i] = key_of(&k, bits);                                                          \
    }
KEY_LOOPS(uint8_t, 1, (uint32_t)x[i] << 24)
KEY_LOOPS(uint16_t, 2, (uint32_t)x[i] << 16)
KEY_LOOPS(uint32_t, 4, x[i])
KEY_LOOPS(float, f32, bits_of(x[i] + 0.0F)) /* -0 + 0 is 0; denormals may be flushed */
#undef KEY_LOOPS

/* Bit g of every lane says whether that lane of group g has a key that is at most `most`. */
TARGET static unsigned NAME(groups)(const uint32_t *keys, int count, uint32_t most)
{
    key_vector lanes = {0};
    uint32_t groups = 0, lane[KEY_GROUP];
    for (int g = 0; g * KEY_GROUP < count; g++) {
        key_vector these;
        memcpy(&these, keys + g * KEY_GROUP, sizeof these);
        lanes |= (key_vector)(these <= most) & UINT32_C(1) << g;
    }
    memcpy(lane, &lanes, sizeof lane);
    for (int i = 0; i < KEY_GROUP; i++)
        groups |= lane[i];
    return groups;
}

/* The place of each key is the number of keys before it, which are smaller, or equal and further in
 * front. */
TARGET static void NAME(order)(const uint32_t *keys, int count, uint32_t *order)
{
    const key_vector lane = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    for (int first = 0; first < count; first += KEY_GROUP) {
        int i = 0, behind = count < first + KEY_GROUP ? count : first + KEY_GROUP;
        key_vector these, places = {0};
        memcpy(&these, keys + first, sizeof these);
        for (; i < first; i++)
            places -= (key_vector)(keys[i] <= these);
        for (; i < behind; i++)
            places -= (key_vector)(keys[i] < these) |
                      ((key_vector)(keys[i] == these) & (key_vector)((uint32_t)(i - first) < lane));
        for (; i < count; i++)
            places -= (key_vector)(keys[i] < these);
        for (i = first; i < behind; i++)
            order[places[i - first]] = (uint32_t)i;
    }
}

#define READER(name)                                                                               \
    {.lowest = NAME(lowest_##name),                                                                \
     .keys = NAME(keys_##name),                                                                    \
     .groups = NAME(groups),                                                                       \
     .order = NAME(order)}
static const struct key_reader NAME(readers)[ELEMENTS] = {READER(1), READER(2), READER(4),
                                                          READER(f32)};
#undef READER
#undef NAME
#undef TARGET
