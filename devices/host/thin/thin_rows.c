/* thin_rows.c: see thin_rows.h. */
#include "devices/host/thin/thin_rows.h"

#include "devices/host/thin/thin_block.h"

enum {
    BLOCK_BYTES = 8 << 10, /* of rows that are decoded to the panel, and */
    LEAST_DEPTH = 8,       /* of those, rows that are fetched ahead, and of adjacent ones; */
    AHEAD = 256            /* bytes of others that are */
};

/* ---- parameters ------------------------------------------------------------------------------ */
/* Loads the parameters of row k, unless the part has them. */
static void load_parameters(struct thin_part *p, int64_t k)
{
    int64_t *group = &p->group[thin_part_set(p)];
    if (k / p->task->group == *group)
        return;
    *group = k / p->task->group;
    thin_part_load_row(p, k, thin_block_sets(p));
}

/* How many of `count` rows from row k on have equal parameters. */
static int64_t equal_rows(const struct thin_part *p, int64_t k, int64_t count)
{
    return thin_least(count, p->task->group - k % p->task->group);
}

/* ---- numbers that are decoded in registers --------------------------------------------------- */
/* Blocks of `count` rows that are `step` apart, with equal parameters; each of the `blocks` begins
 * `next` rows behind the one before it. */
struct rows {
    int64_t k, count, step, blocks, next;
};

/* Columns of vectors that are not whole, by way of copies. */
static void add_tail(struct thin_part *p, const struct rows *rows, struct thin_block *block,
                     int64_t whole)
{
    const int64_t right_row = block->right_row;
    block->columns = THIN_LANES;
    for (int64_t i = 0; i < rows->blocks; i++) {
        const int64_t k = rows->k + i * rows->next;
        block->right = thin_part_right(p, k, p->column + whole);
        block->right_row = right_row;
        thin_block_copy(p, block, rows->count, p->columns - whole);
        thin_block_multiply(p, block, &(struct thin_begin){k - p->left_k, whole, whole},
                            &(struct thin_blocks){.count = 1});
    }
}

/* How far ahead rows are fetched: those of a block that are adjacent are many places. */
static void set_ahead(const struct rows *rows, struct thin_block *block, int64_t right_row)
{
    const bool are_adjacent = rows->step == 1;
    block->ahead =
        are_adjacent ? thin_part_ahead(block->row_bytes) : thin_least(AHEAD, block->row_bytes);
    block->next =
        are_adjacent ? thin_part_next(rows->count, block->row_bytes, right_row) : right_row;
}

static void add_field(struct thin_part *p, const struct rows *rows)
{
    const int64_t whole = p->columns / THIN_LANES * THIN_LANES;
    struct thin_block block = thin_block_of(p, rows->k, 0);
    const int64_t right_row = block.right_row;
    block.right_row *= rows->step;
    block.left_step = rows->step;
    block.k = rows->count;
    block.columns = whole;
    block.row_bytes = p->columns * dtype_bytes(p->task->dot.rhs);
    set_ahead(rows, &block, right_row);
    thin_block_multiply(p, &block, &(struct thin_begin){rows->k - p->left_k, 0, 0},
                        &(struct thin_blocks){rows->blocks, rows->next * right_row, rows->next});
    if (whole < p->columns)
        add_tail(p, rows, &block, whole);
}

static void add_fields(struct thin_part *p, const struct rows *rows)
{
    for (p->field = 0; p->field < p->task->fields; p->field += thin_block_fields(p)) {
        load_parameters(p, rows->k);
        add_field(p, rows);
    }
    p->field = 0;
}

/* All fields of a block are multiplied before the next block, which is not in a cache yet. */
static void add_blocks(struct thin_part *p, const struct rows *rows)
{
    const bool is_one_pass = thin_block_fields(p) == p->task->fields;
    if (is_one_pass && rows->blocks)
        add_fields(p, rows);
    for (int64_t i = 0; i < rows->blocks && !is_one_pass; i++)
        add_fields(p, &(struct rows){rows->k + i * rows->next, rows->count, rows->step, 1, 1});
}

/* Several rows of the left side: sums are read and written less often in blocks of more rows. */
static void add_adjacent(struct thin_part *p, int64_t k, int64_t count)
{
    const int64_t blocks = count / LEAST_DEPTH, whole = blocks * LEAST_DEPTH;
    add_blocks(p, &(struct rows){k, LEAST_DEPTH, 1, blocks, LEAST_DEPTH});
    add_blocks(p, &(struct rows){k + whole, count - whole, 1, count > whole, 1});
}

static void add_rows_directly(struct thin_part *p, int64_t k, int64_t count)
{
    for (int64_t end = k + count, equal; k < end; k += equal) {
        equal = equal_rows(p, k, end - k);
        if (p->task->rows > 1) {
            add_adjacent(p, k, equal);
            continue;
        }
        const int64_t step = equal / THIN_STREAMS, rest = equal - step * THIN_STREAMS;
        add_blocks(p, &(struct rows){k, THIN_STREAMS, step, step, 1});
        add_blocks(p, &(struct rows){k + equal - rest, rest, 1, rest > 0, 1});
    }
}

/* ---- numbers that are decoded to the panel --------------------------------------------------- */
/* Rows that are a block: a power of two, which does not depend on how columns are divided. */
static int64_t depth_of(const struct thin_part *p)
{
    const struct dot_spec *s = &p->task->dot;
    const int64_t row_bytes = thin_least(s->n, THIN_COLUMNS) * dtype_bytes(s->rhs);
    int64_t depth = THIN_DEPTH;
    while (depth > LEAST_DEPTH && depth * row_bytes > BLOCK_BYTES)
        depth /= 2;
    return depth;
}

static void fetch_rows(const struct thin_part *p, int64_t k, int64_t count)
{
    const int64_t bytes = p->columns * dtype_bytes(p->task->dot.rhs);
    for (int64_t i = k; i < thin_least(k + count, p->task->dot.k); i++)
        thin_block_fetch(thin_part_right(p, i, p->column), bytes);
}

static void add_columns(struct thin_part *p, int64_t k, int64_t count, int64_t c)
{
    struct thin_block block = thin_block_of(p, k, c);
    const int64_t columns = thin_least(THIN_PANEL_COLUMNS, p->columns - c);
    thin_part_decode(p, c,
                     &(struct thin_run){.from = block.right,
                                        .to = p->panel,
                                        .count = columns,
                                        .rows = count,
                                        .from_row = block.right_row,
                                        .to_row = THIN_PANEL_COLUMNS,
                                        .group = 1});
    block.right = p->panel;
    block.right_row = THIN_PANEL_COLUMNS * sizeof(float);
    block.k = count;
    block.columns = thin_padded(columns);
    thin_block_multiply_decoded(p, &block, &(struct thin_begin){k - p->left_k, c, 0});
}

/* Rows [k, k + count) of the field at hand. */
static void add_decoded_field(struct thin_part *p, int64_t k, int64_t count)
{
    for (int64_t end = k + count, equal; k < end; k += equal) {
        equal = equal_rows(p, k, end - k);
        load_parameters(p, k);
        for (int64_t c = 0; c < p->columns; c += THIN_PANEL_COLUMNS)
            add_columns(p, k, equal, c);
    }
}

static void add_decoded_rows(struct thin_part *p, int64_t k, int64_t count)
{
    const int64_t depth = depth_of(p), end = k + count;
    for (int64_t rows; k < end; k += rows) {
        rows = thin_least(depth, end - k);
        fetch_rows(p, k + rows, depth);
        for (p->field = 0; p->field < p->task->fields; p->field++)
            add_decoded_field(p, k, rows);
        p->field = 0;
    }
}

/* ---- both ------------------------------------------------------------------------------------ */
void thin_rows_multiply(struct thin_part *p)
{
    for (int64_t k = p->k, count; k < p->end; k += count) {
        count = thin_least(p->task->terms, p->end - k);
        thin_part_load_fields(p, k, count);
        p->left_k = k;
        if (p->task->is_direct)
            add_rows_directly(p, k, count);
        else
            add_decoded_rows(p, k, count);
    }
}
