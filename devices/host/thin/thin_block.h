/* thin_block.h: the blocks of thin products: some rows or columns of a part's right side, as the
 * inner loops take them (thin_set.h). Thread-safe, as parts belong to one thread each. */
#ifndef GANTRY_DEVICES_HOST_THIN_THIN_BLOCK_H
#define GANTRY_DEVICES_HOST_THIN_THIN_BLOCK_H

#include "devices/host/thin/thin_part.h"

enum {
    THIN_PANEL_COLUMNS = THIN_PANEL / THIN_DEPTH,
    THIN_PANEL_TERMS = THIN_PANEL / THIN_FEW_COLUMNS / 2
};

/* How many fields are multiplied at once, from the one at hand on, and how many sets of parameters
 * these have. */
int thin_block_fields(const struct thin_part *p);
int thin_block_sets(const struct thin_part *p);

/* A block of columns from the c-th of the part on, of elements from the k-th on. */
struct thin_block thin_block_of(const struct thin_part *p, int64_t k, int64_t c);

/* Where a block begins: in the left side, the part's columns, and parameters. */
struct thin_begin {
    int64_t term, column, parameter;
};

/* Blocks of as many rows or columns; each begins so many bytes of the right side, and terms of the
 * left one, behind the one before. */
struct thin_blocks {
    int64_t count, bytes, terms;
};

/* Multiplies a block of the field at hand, or of both halves, and those behind it; or a block that
 * is decoded and scaled. */
void thin_block_multiply(struct thin_part *p, const struct thin_block *block,
                         const struct thin_begin *at, const struct thin_blocks *all);
void thin_block_multiply_decoded(struct thin_part *p, struct thin_block *block,
                                 const struct thin_begin *at);

/* Copies `count` elements of each row, or column, of a block to the panel, with zeros behind them,
 * up to THIN_LANES; the block is that of the copy. */
void thin_block_copy(struct thin_part *p, struct thin_block *b, int64_t rows, int64_t count);

/* Has the caches fetch numbers that are decoded later. */
void thin_block_fetch(const char *at, int64_t bytes);

#endif
