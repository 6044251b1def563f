/* thin_words_body.h: the part of thin_set_body.h that multiplies numbers of 4 bits as fields of
 * words (struct thin_words). Included there alone. */
#ifndef GANTRY_DEVICES_HOST_THIN_THIN_WORDS_BODY_H
#define GANTRY_DEVICES_HOST_THIN_THIN_WORDS_BODY_H

enum { WORD_BYTES = 4, WORD_COLUMNS = 2, MOST_UNITS = 4 };

typedef uint32_t SET(words) __attribute__((vector_size(sizeof(VECTOR))));
typedef int32_t SET(integers) __attribute__((vector_size(sizeof(VECTOR))));

/* The numbers of field f, 256^(f / 2) times as large. */
INLINE VECTOR SET(word_field)(SET(words) words, const int f)
{
    const SET(words) shifted = f & 1 ? words >> 4 : words;
    const uint32_t mask = UINT32_C(15) << (f & 6) * 4;
    return __builtin_convertvector((SET(integers))(shifted & mask), VECTOR);
}

INLINE SET(words) SET(load_words)(const char *from, uint32_t flip)
{
    SET(words) words;
    memcpy(&words, from, sizeof words);
    return words ^ flip;
}

/* ---- adjacent columns ------------------------------------------------------------------------ */
/* `units` vectors of words from the c-th word on, with `columns` each; of one column there are two
 * sums, so that additions do not wait for each other. */
INLINE void SET(words_rows_tile)(const struct thin_words *b, const int columns, const int units,
                                 int64_t c)
{
    const int terms = THIN_WORD_FIELDS / columns, sums = columns == 1 ? 2 : columns;
    const int64_t end = (c + units * LANES) * WORD_BYTES,
                  ahead =
                      end + b->ahead <= b->row_bytes ? b->ahead : b->ahead - b->row_bytes + b->next;
    const char *right = (const char *)b->right + c * WORD_BYTES;
    VECTOR sum[MOST_UNITS][THIN_WORD_FIELDS];
    EACH(u, units) EACH(i, sums) sum[u][i] = SPREAD(0);
    for (int64_t row = 0; row < b->rows; row++, right += b->right_row) {
        SET(words) words[MOST_UNITS];
        EACH(i, (units * LANES * WORD_BYTES + LINE - 1) / LINE)
        __builtin_prefetch(right + ahead + i * LINE);
        EACH(u, units)
        words[u] = SET(load_words)(right + u * LANES * WORD_BYTES, b->flip);
        EACH(l, terms)
        {
            const VECTOR left = SPREAD(b->left[row * terms + l]);
            EACH(u, units) EACH(i, columns)
            {
                VECTOR *to = &sum[u][columns == 1 ? l & 1 : i];
                *to = FMA(left, SET(word_field)(words[u], i * terms + l), *to);
            }
        }
    }
    float *to = b->sums + c * columns;
    EACH(u, units)
    if (columns == 1)
        sum[u][0] += sum[u][1];
    EACH(u, units) EACH(i, columns)
    {
        float *at = to + (u * columns + i) * LANES;
        const VECTOR before = b->adds ? LOAD(at) : SPREAD(0);
        STORE(at, before + sum[u][i]);
    }
}

/* All words of a block of rows. */
INLINE void SET(words_block)(const struct thin_words *b, const int columns, const int units)
{
    int64_t c = 0;
    for (; c + units * LANES <= b->words; c += units * LANES)
        SET(words_rows_tile)(b, columns, units, c);
    for (; c < b->words; c += LANES)
        SET(words_rows_tile)(b, columns, 1, c);
}

INLINE void SET(words_rows)(const struct thin_words *words, const int columns, const int units)
{
    struct thin_words b = *words;
    for (int64_t rows = words->rows; rows > 0; rows -= THIN_WORD_ROWS) {
        b.rows = rows < THIN_WORD_ROWS ? rows : THIN_WORD_ROWS;
        SET(words_block)(&b, columns, units);
        b.right = (const char *)b.right + THIN_WORD_ROWS * b.right_row;
        b.left += THIN_WORD_ROWS * THIN_WORD_FIELDS / columns;
        b.adds = true;
    }
}

/* Interleaves `count` sequences of vectors, `all` together, pairwise: i with i + count / 2. */
INLINE void SET(zip)(VECTOR *vectors, const int all, const int count)
{
    VECTOR zipped[THIN_WORD_FIELDS];
    const int length = all / count;
    EACH(i, count / 2) EACH(j, length)
    {
        const VECTOR a = vectors[i * length + j], b = vectors[(i + count / 2) * length + j];
        zipped[(i * length + j) * 2] = ZIP_LOW(a, b);
        zipped[(i * length + j) * 2 + 1] = ZIP_HIGH(a, b);
    }
    EACH(i, all) vectors[i] = zipped[i];
}

/* Scales from the c-th column on. */
INLINE VECTOR SET(word_scale)(const struct thin_words *b, const bool is_bf16, int64_t c)
{
    typedef uint16_t halves __attribute__((vector_size(sizeof(VECTOR) / 2)));
    halves loaded;
    if (!is_bf16)
        return LOAD(b->scale + c);
    memcpy(&loaded, b->scale_bf16 + c, sizeof loaded);
    return (VECTOR)(__builtin_convertvector(loaded, SET(words)) << 16);
}

/* Which numbers are larger than a limit, or none: as integers, their bits are larger. */
INLINE SET(integers) SET(words_exceed)(VECTOR numbers, float limit)
{
    const SET(integers) magnitude = (SET(integers))((SET(words))numbers & UINT32_C(0x7fffffff));
    return magnitude > (SET(integers))SPREAD(limit);
}

/* The sums of a vector of words, whose first column is the c-th, in the order of columns. */
INLINE void SET(words_sums)(const struct thin_words *b, const int columns, int64_t c,
                            VECTOR *number)
{
    const int terms = THIN_WORD_FIELDS / columns;
    EACH(i, columns)
    {
        const int from = b->order[i];
        number[i] =
            LOAD(b->sums + c + from * LANES) * SPREAD(1.0F / (float)(1 << from * terms / 2 * 8));
    }
    if (columns == THIN_WORD_FIELDS)
        SET(zip)(number, columns, 8);
    if (columns >= 4)
        SET(zip)(number, columns, 4), SET(zip)(number, columns, 2);
}

/* Returns which scales are larger than the limit. */
INLINE SET(integers) SET(words_end_tile)(const struct thin_words *b, const int columns,
                                         const bool is_bf16, int64_t c)
{
    const VECTOR left = SPREAD(*b->left_sum), bias = SPREAD(b->bias);
    SET(integers) exceed = {0};
    VECTOR number[THIN_WORD_FIELDS];
    SET(words_sums)(b, columns, c, number);
    EACH(i, (columns * LANES * (int)sizeof(uint16_t) + LINE - 1) / LINE)
    if (is_bf16)
        __builtin_prefetch((const char *)(b->scale_bf16 + c) + b->next_scales + i * LINE);
    EACH(i, columns)
    {
        const int64_t at = c + i * LANES;
        const VECTOR scale = SET(word_scale)(b, is_bf16, at),
                     zero = bias + (b->zero ? LOAD(b->zero + at) : SPREAD(0));
        exceed |= SET(words_exceed)(scale, b->limit);
        STORE(b->out + at, FMA(number[i] - left * zero, scale, LOAD(b->out + at)));
    }
    return exceed;
}

INLINE void SET(words_end)(const struct thin_words *b, const int columns, const bool is_bf16)
{
    SET(integers) exceed = {0};
    for (int64_t c = 0; c < b->words * columns; c += columns * LANES)
        exceed |= SET(words_end_tile)(b, columns, is_bf16, c);
    for (int lane = 0; lane < LANES; lane++)
        *b->exceeds |= exceed[lane] != 0;
}

#define WORDS_OF_COLUMNS(COLUMNS, UNITS)                                                           \
    TARGET static void SET(words_by_rows_##COLUMNS)(const struct thin_words *b)                    \
    {                                                                                              \
        SET(words_rows)(b, COLUMNS, UNITS);                                                        \
    }                                                                                              \
    TARGET static void SET(words_end_##COLUMNS)(const struct thin_words *b)                        \
    {                                                                                              \
        if (b->scale_bf16)                                                                         \
            SET(words_end)(b, COLUMNS, true);                                                      \
        else                                                                                       \
            SET(words_end)(b, COLUMNS, false);                                                     \
    }
WORDS_OF_COLUMNS(1, 4)
WORDS_OF_COLUMNS(4, 2)
WORDS_OF_COLUMNS(8, 1)
#undef WORDS_OF_COLUMNS

/* ---- adjacent terms -------------------------------------------------------------------------- */
/* The parameters of the words of a vector, which are in one group, or the lanes in several. */
INLINE VECTOR SET(word_parameters)(const float *from, const bool is_one, SET(integers) lanes)
{
    return is_one ? SPREAD(*from) : PICK(from, lanes);
}

struct SET(word_tile) {
    const char *right[WORD_COLUMNS];
    const float *scale[WORD_COLUMNS], *zero[WORD_COLUMNS], *left;
    VECTOR sum[WORD_COLUMNS];
};

/* The products of the w-th word and those behind it, whose parameters begin with the g-th. */
INLINE void SET(words_step)(const struct thin_words *b, struct SET(word_tile) * t, int64_t w,
                            int64_t g, SET(integers) lanes, const bool is_one, const bool has_zero)
{
    SET(words) words[WORD_COLUMNS];
    VECTOR group[WORD_COLUMNS];
    EACH(i, WORD_COLUMNS)
    {
        VECTOR subtrahend = SPREAD(-b->bias);
        if (has_zero)
            subtrahend -= SET(word_parameters)(t->zero[i] + g, is_one, lanes);
        group[i] = LOAD(b->left_sum + w) * subtrahend;
        __builtin_prefetch(t->right[i] + w * WORD_BYTES + b->ahead);
        words[i] = SET(load_words)(t->right[i] + w * WORD_BYTES, b->flip);
    }
    EACH(f, THIN_WORD_FIELDS)
    {
        const VECTOR left = LOAD(b->left + w * THIN_WORD_FIELDS + f * LANES);
        EACH(i, WORD_COLUMNS)
        group[i] = FMA(left, SET(word_field)(words[i], f), group[i]);
    }
    EACH(i, WORD_COLUMNS)
    t->sum[i] = FMA(group[i], SET(word_parameters)(t->scale[i] + g, is_one, lanes), t->sum[i]);
}

INLINE void SET(words_columns_tile)(const struct thin_words *b, int64_t c, const bool is_one,
                                    const bool has_zero)
{
    const int64_t span = is_one ? b->group : LANES, groups = is_one ? 1 : LANES / b->group;
    struct SET(word_tile) t;
    SET(integers) lanes;
    for (int i = 0; i < LANES; i++)
        lanes[i] = is_one ? 0 : (int32_t)(i / b->group);
    EACH(i, WORD_COLUMNS)
    {
        const int64_t column = c + i < b->rows ? c + i : b->rows - 1;
        t.right[i] = (const char *)b->right + column * b->right_row;
        t.scale[i] = b->scale + column * b->parameter_row;
        t.zero[i] = has_zero ? b->zero + column * b->parameter_row : NULL;
        t.sum[i] = SPREAD(0);
    }
    for (int64_t w = 0, g = 0, end; w < b->words; g += groups)
        for (end = span < b->words - w ? w + span : b->words; w < end; w += LANES)
            SET(words_step)(b, &t, w, g, lanes, is_one, has_zero);
    EACH(i, WORD_COLUMNS)
    if (c + i < b->rows)
        b->sums[c + i] += TOTAL(t.sum[i]);
}

INLINE void SET(words_columns)(const struct thin_words *b, const bool is_one, const bool has_zero)
{
    for (int64_t c = 0; c < b->rows; c += WORD_COLUMNS)
        SET(words_columns_tile)(b, c, is_one, has_zero);
}

TARGET static void SET(words_by_columns)(const struct thin_words *b)
{
    const bool is_one = b->group >= LANES;
    if (is_one && b->zero)
        SET(words_columns)(b, true, true);
    else if (is_one)
        SET(words_columns)(b, true, false);
    else if (b->zero)
        SET(words_columns)(b, false, true);
    else
        SET(words_columns)(b, false, false);
}

#endif
