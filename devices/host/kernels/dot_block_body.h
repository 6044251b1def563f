/* dot_block_body.h: the code of dot_block.c for one element type and instruction set; included once
 * for each, with NAME(name) (a name for both), TARGET (a function attribute), ELEMENT, VECTOR, MASK
 * (the types of an element, a vector, some of its lanes), VECTORS (of a block), FIRST(count) (the
 * first lanes), LOAD(from), LOAD_SOME(from, mask), STORE(to, vector), STORE_SOME(to, mask, vector),
 * SPREAD(number), ADD(a, b) and MULTIPLY_ADD(a, b, c) = a * b + c defined. It ends their
 * definitions. No include guard. */
TARGET static inline __attribute__((always_inline)) void
NAME(block)(const struct dot_block *b, const int rows, const int vectors, const bool whole)
{
    enum { LANES = sizeof(VECTOR) / sizeof(ELEMENT) };
    VECTOR sums[DOT_BLOCK_ROWS][VECTORS];
    const ELEMENT *lhs = b->lhs, *rhs = b->rhs;
    ELEMENT *out = b->out;
    const MASK some = FIRST(b->columns_of_last);
    UNROLLED for (int r = 0; r < rows; r++) UNROLLED for (int v = 0; v < vectors; v++) sums[r][v] =
        SPREAD(0);
    if (b->adds)
        UNROLLED for (int r = 0; r < rows; r++) UNROLLED for (int v = 0; v < vectors; v++)
            __builtin_prefetch(out + r * b->out_row + v * LANES, 1);
    for (int64_t k = 0; k < b->k; k++, lhs += b->lhs_k, rhs += b->rhs_k) {
        VECTOR right[VECTORS];
        UNROLLED for (int v = 0; v < vectors; v++) right[v] =
            whole || v < vectors - 1 ? LOAD(rhs + v * LANES) : LOAD_SOME(rhs + v * LANES, some);
        UNROLLED for (int r = 0; r < rows; r++)
        {
            VECTOR left = SPREAD(lhs[r * b->lhs_row]);
            UNROLLED for (int v = 0; v < vectors; v++) sums[r][v] =
                MULTIPLY_ADD(left, right[v], sums[r][v]);
        }
    }
    UNROLLED for (int r = 0; r < rows; r++) UNROLLED for (int v = 0; v < vectors; v++)
    {
        ELEMENT *to = out + r * b->out_row + v * LANES;
        bool full = whole || v < vectors - 1;
        if (b->adds)
            sums[r][v] = ADD(sums[r][v], full ? LOAD(to) : LOAD_SOME(to, some));
        if (full)
            STORE(to, sums[r][v]);
        else
            STORE_SOME(to, some, sums[r][v]);
    }
}

#define FUNCTIONS(rows, vectors)                                                                   \
    TARGET static void NAME(some_##rows##_##vectors)(const struct dot_block *b)                    \
    {                                                                                              \
        NAME(block)(b, rows, vectors, false);                                                      \
    }                                                                                              \
    TARGET static void NAME(whole_##rows##_##vectors)(const struct dot_block *b)                   \
    {                                                                                              \
        NAME(block)(b, rows, vectors, true);                                                       \
    }
#define PAIR(rows, vectors) {NAME(some_##rows##_##vectors), NAME(whole_##rows##_##vectors)}
#if VECTORS == 4
#define ROW_FUNCTIONS(rows)                                                                        \
    FUNCTIONS(rows, 1) FUNCTIONS(rows, 2) FUNCTIONS(rows, 3) FUNCTIONS(rows, 4)
#define ROW(rows) {PAIR(rows, 1), PAIR(rows, 2), PAIR(rows, 3), PAIR(rows, 4)}
#else
#define ROW_FUNCTIONS(rows) FUNCTIONS(rows, 1) FUNCTIONS(rows, 2)
#define ROW(rows) {PAIR(rows, 1), PAIR(rows, 2)}
#endif
ROW_FUNCTIONS(1)
ROW_FUNCTIONS(2)
ROW_FUNCTIONS(3)
ROW_FUNCTIONS(4)
ROW_FUNCTIONS(5)
ROW_FUNCTIONS(6)

static const struct dot_blocks NAME(blocks) = {
    sizeof(VECTOR) / sizeof(ELEMENT), VECTORS, {ROW(1), ROW(2), ROW(3), ROW(4), ROW(5), ROW(6)}};

#undef FUNCTIONS
#undef PAIR
#undef ROW_FUNCTIONS
#undef ROW
#undef NAME
#undef TARGET
#undef ELEMENT
#undef VECTOR
#undef MASK
#undef VECTORS
#undef FIRST
#undef LOAD
#undef LOAD_SOME
#undef STORE
#undef STORE_SOME
#undef SPREAD
#undef ADD
#undef MULTIPLY_ADD
