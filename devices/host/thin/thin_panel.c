/* thin_panel.c: see thin_panel.h. */
#include "devices/host/thin/thin_panel.h"

#include <string.h>

#include "base/cpu.h"
#include "devices/host/tiles/tile_sizes.h"

enum {
    /* Rows beyond which a decoded block is faster than numbers that are decoded in registers, again
     * for each THIN_FEW_ROWS rows; transposed rows are padded to whole vectors. */
    LEAST_ROWS = 2 * THIN_FEW_ROWS,
    LEAST_ROWS_OF_TERMS = 3 * THIN_FEW_ROWS,
    MOST_ROWS = 16 * TILE_ROWS, /* of the left side at once; */
    LEFT_TERMS = 256,           /* of these */
    FEW_ROWS = 4 * TILE_ROWS,   /* up to which sums are read and written quickly, and blocks of */
    FEW_TERMS = 32,             /* rows are in the first cache; for more rows there are */
    MANY_TERMS = 64,
    FIRST_SHARE = 2,    /* of the first cache is a block */
    SECOND_SHARE = 4,   /* of the second are sums */
    LEAST_COLUMNS = 64, /* of a task */
    LINE = 64,          /* of a cache */
    LINE_NUMBERS = LINE / sizeof(float)
};

/* ---- sizes ----------------------------------------------------------------------------------- */
/* Rows of the next tile: few are better than a tile of which most is padding. */
static int64_t rows_of_tile(int64_t rows)
{
    const int64_t last = rows % TILE_ROWS;
    return last && last <= TILE_FEW_ROWS ? TILE_FEW_ROWS : TILE_ROWS;
}

static int64_t rows_of_tiles(int64_t rows)
{
    int64_t whole = 0;
    while (rows > whole)
        whole += rows_of_tile(rows - whole);
    return whole;
}

/* Terms of a block. */
static int64_t depth_of(const struct thin_task *task)
{
    if (!task->has_adjacent_columns)
        return LEFT_TERMS;
    return task->rows <= FEW_ROWS ? FEW_TERMS : MANY_TERMS;
}

/* Columns of a block: as many as have LEFT_TERMS, or FEW_TERMS, in the first cache. */
static int64_t width_of(const struct thin_task *task)
{
    const int64_t numbers = (int64_t)cpu_cache_bytes(1) / FIRST_SHARE / (int64_t)sizeof(float),
                  width = task->has_adjacent_columns ? task->product->width : THIN_FEW_COLUMNS,
                  terms = task->has_adjacent_columns ? FEW_TERMS : LEFT_TERMS;
    return tile_most(numbers / terms / width, 1) * width;
}

/* Rows of a panel: one more, since numbers are decoded in whole vectors. */
static int64_t panel_rows(const struct thin_task *task)
{
    return depth_of(task) + 1;
}

bool thin_panel_is_faster(const struct thin_task *task)
{
    const struct thin_dot_spec *spec = task->spec;
    if (task->dot.m > THIN_MOST_ROWS)
        return true;
    return task->dot.m > (task->has_adjacent_columns ? LEAST_ROWS : LEAST_ROWS_OF_TERMS) &&
           (spec->dot.rhs != DTYPE_F32 || spec->scale.dtype || thin_dot_spec_is_affine(spec));
}

int64_t thin_panel_columns(const struct thin_task *task)
{
    const int64_t bytes = (int64_t)cpu_cache_bytes(2) / SECOND_SHARE,
                  rows = tile_least(task->dot.m, MOST_ROWS),
                  columns = tile_least(bytes / (rows * (int64_t)sizeof(float)), THIN_COLUMNS);
    return tile_most(columns / thin_part_outs(task) / LEAST_COLUMNS, 1) * LEAST_COLUMNS;
}

void thin_panel_plan(struct thin_task *task)
{
    const int64_t rows = tile_least(task->dot.m, MOST_ROWS), columns = thin_padded(task->columns);
    task->rows = rows_of_tiles(rows);
    task->decodes_panels = !task->table && !task->is_integer &&
                           task->product->width % THIN_LANES == 0 &&
                           task->set->codes[thin_part_kind(task)][task->spec->dot.rhs].decode;
    task->terms = LEFT_TERMS;
    task->left_row = task->terms + LINE_NUMBERS;
    task->left_size = task->has_adjacent_columns ? task->rows * task->left_row : 0;
    if (task->has_adjacent_columns)
        task->sums_row = columns, task->sums_column = 1;
    else
        task->sums_row = 1, task->sums_column = thin_padded(rows);
    task->sums_size = task->has_adjacent_columns ? task->rows * columns
                                                 : rows_of_tiles(task->columns) * task->sums_column;
}

/* ---- memory ---------------------------------------------------------------------------------- */
struct sizes { /* in numbers, of whole lines */
    int64_t left, packed, panel, sums;
};

static int64_t lines(int64_t numbers)
{
    return tile_round_up(numbers, LINE_NUMBERS);
}

static struct sizes sizes_of(const struct thin_task *task)
{
    const int64_t width = task->product->width, outs = thin_part_outs(task);
    const bool by_rows = task->has_adjacent_columns;
    return (struct sizes){
        .left = lines(task->rows * task->left_row) * (by_rows ? thin_part_left_fields(task) : 1),
        .packed = by_rows ? 0 : lines(tile_round_up(task->rows, width) * task->terms),
        .panel = by_rows ? lines(tile_round_up(width_of(task), width) * panel_rows(task))
                         : lines(rows_of_tiles(width_of(task)) * task->left_row),
        .sums = lines(outs * task->sums_size)};
}

size_t thin_panel_bytes(const struct thin_task *task)
{
    const struct sizes s = sizes_of(task);
    return (size_t)(s.left + s.packed + s.panel + s.sums) * sizeof(float);
}

void thin_panel_place(struct thin_part *p, void *memory)
{
    const struct sizes s = sizes_of(p->task);
    p->left = memory;
    p->packed = p->left + s.left;
    p->panel = p->packed + s.packed;
    p->sums = p->panel + s.panel;
}

/* ---- products -------------------------------------------------------------------------------- */
struct product { /* out[rows, columns] += left[rows, k] * right[k, columns] */
    const float *left, *right;
    float *out;
    int64_t left_row, right_rows, out_row; /* right_rows: of a panel's memory */
    int64_t rows, columns, k;
    struct tile_ahead *ahead;
};

struct block { /* of the matrix: terms [k, k + count) of columns from the part's c-th on */
    int64_t k, count, c, columns;
};

/* What the caches fetch during a product: the block behind, of other columns or terms. */
static struct tile_ahead ahead_of(const struct thin_part *p, const struct block *b)
{
    const struct dot_spec *s = &p->task->dot;
    const int64_t bytes = dtype_bytes(s->rhs), c = b->c + b->columns;
    const bool is_last = c == p->columns, by_rows = p->task->has_adjacent_columns;
    const int64_t column = is_last ? 0 : c, k = is_last ? b->k + b->count : b->k,
                  columns = tile_least(width_of(p->task), p->columns - column),
                  rows = tile_least(b->count, s->k - k);
    if (rows <= 0)
        return (struct tile_ahead){.pieces = 0};
    return (struct tile_ahead){.at = thin_part_right(p, k, p->column + column),
                               .piece = (by_rows ? columns : rows) * bytes,
                               .stride = (by_rows ? s->rhs_k_stride : s->rhs_n_stride) * bytes,
                               .pieces = by_rows ? rows : columns};
}

/* The lines that each tile fetches a step, so that all have been fetched at the end. */
static int64_t lines_of_step(const struct tile_product *tiles, const struct product *p)
{
    const int64_t rows = tile_divide_up(p->rows, TILE_ROWS),
                  columns = tile_divide_up(p->columns, tiles->width),
                  steps = tile_divide_up(p->k, TILE_FETCH_STEPS) * rows * columns,
                  all = tile_divide_up(p->ahead->piece, LINE) * p->ahead->pieces;
    return tile_divide_up(all, steps);
}

static void multiply_panel(const struct tile_product *tiles, const struct product *p,
                           int64_t column)
{
    const int64_t width = tile_least(tiles->width, p->columns - column);
    struct tile tile = {.rhs = p->right + column * p->right_rows,
                        .lhs_stride = p->left_row,
                        .lhs_k_stride = 1,
                        .out_stride = p->out_row,
                        .k = p->k,
                        .vectors = (int)tile_divide_up(width, tiles->lanes),
                        .adds = true,
                        .rows = TILE_ROWS,
                        .columns = width,
                        .fetches_out = true,
                        .ahead = p->ahead};
    for (int64_t row = 0; row < p->rows; row += rows_of_tile(p->rows - row)) {
        tile.lhs = p->left + row * p->left_row;
        tile.out = p->out + row * p->out_row + column;
        tile.next_lhs = p->left + (row + rows_of_tile(p->rows - row)) * p->left_row;
        tile.has_few_rows = rows_of_tile(p->rows - row) == TILE_FEW_ROWS;
        tiles->multiply(&tile);
    }
}

static void multiply(const struct tile_product *tiles, const struct product *p)
{
    p->ahead->lines = lines_of_step(tiles, p);
    for (int64_t column = 0; column < p->columns; column += tiles->width)
        multiply_panel(tiles, p, column);
}

/* ---- adjacent columns ------------------------------------------------------------------------ */
/* Decodes rows of a block that have equal parameters to rows of panels from `to` on: of all panels
 * at once, or one by one. */
static void decode_rows(const struct thin_part *p, const struct block *b, float *to)
{
    const struct thin_task *task = p->task;
    const int64_t width = task->product->width, step = task->decodes_panels ? b->columns : width;
    for (int64_t c = 0; c < b->columns; c += step)
        thin_part_decode(
            p, b->c + c,
            &(struct thin_run){.from = thin_part_right(p, b->k, p->column + b->c + c),
                               .to = to + c * panel_rows(task),
                               .count = tile_least(step, b->columns - c),
                               .rows = b->count,
                               .from_row = task->dot.rhs_k_stride * dtype_bytes(task->dot.rhs),
                               .to_row = width,
                               .panel = task->decodes_panels ? width : 0,
                               .to_panel = width * panel_rows(task),
                               .group = 1});
}

static void decode_block_of_rows(struct thin_part *p, const struct block *b)
{
    const int64_t group = p->task->group, width = p->task->product->width, end = b->k + b->count;
    for (int64_t k = b->k, rows; k < end; k += rows) {
        rows = tile_least(end - k, group - k % group);
        if (k / group != p->group[thin_part_set(p)]) {
            p->group[thin_part_set(p)] = k / group;
            thin_part_load_row(p, k, 1);
        }
        decode_rows(p, &(struct block){k, rows, b->c, b->columns}, p->panel + (k - b->k) * width);
    }
}

static void multiply_block_of_rows(struct thin_part *p, const struct block *b)
{
    struct tile_ahead ahead = ahead_of(p, b);
    for (p->field = 0; p->field < p->task->fields; p->field++) {
        decode_block_of_rows(p, b);
        multiply(p->task->product,
                 &(struct product){.left = thin_part_left(p) + b->k % p->task->terms,
                                   .right = p->panel,
                                   .out = thin_part_sums(p) + b->c,
                                   .left_row = p->task->left_row,
                                   .right_rows = panel_rows(p->task),
                                   .out_row = p->task->sums_row,
                                   .rows = p->rows,
                                   .columns = b->columns,
                                   .k = b->count,
                                   .ahead = &ahead});
    }
}

static void multiply_rows(struct thin_part *p)
{
    const int64_t size = p->task->dot.k, depth = depth_of(p->task), width = width_of(p->task);
    for (int64_t k = 0; k < size; k += depth) {
        if (k % p->task->terms == 0)
            thin_part_load_fields(p, k, tile_least(p->task->terms, size - k));
        for (int64_t c = 0; c < p->columns; c += width)
            multiply_block_of_rows(p, &(struct block){k, tile_least(depth, size - k), c,
                                                      tile_least(width, p->columns - c)});
    }
}

/* ---- adjacent terms -------------------------------------------------------------------------- */
/* Decodes terms of a block's columns. */
static void decode_block_of_columns(struct thin_part *p, const struct block *b, int64_t group)
{
    const struct dot_spec *s = &p->task->dot;
    const int64_t row = p->task->left_row, rows = rows_of_tiles(b->columns);
    for (int64_t c = 0, columns; c < b->columns; c += columns) {
        columns = tile_least(THIN_FEW_COLUMNS, b->columns - c);
        thin_part_load_groups(p, &(struct thin_terms){b->k, b->count, b->c + c, columns, group}, 1);
        thin_part_decode(p, 0,
                         &(struct thin_run){.from = thin_part_right(p, b->k, p->column + b->c + c),
                                            .to = p->panel + c * row,
                                            .count = b->count,
                                            .rows = columns,
                                            .from_row = s->rhs_n_stride * dtype_bytes(s->rhs),
                                            .to_row = row,
                                            .group = group,
                                            .parameter_row = p->parameter_row});
    }
    memset(p->panel + b->columns * row, 0, (size_t)((rows - b->columns) * row) * sizeof(float));
}

static void multiply_block_of_columns(struct thin_part *p, const struct block *b, int64_t group)
{
    struct tile_ahead ahead = ahead_of(p, b);
    decode_block_of_columns(p, b, group);
    multiply(p->task->product,
             &(struct product){.left = p->panel,
                               .right = p->packed,
                               .out = thin_part_sums(p) + b->c * p->task->sums_column,
                               .left_row = p->task->left_row,
                               .right_rows = b->count,
                               .out_row = p->task->sums_column,
                               .rows = b->columns,
                               .columns = p->rows,
                               .k = b->count,
                               .ahead = &ahead});
}

/* All columns, of each field. */
static void multiply_terms(struct thin_part *p, int64_t k, int64_t count, int64_t group)
{
    const int64_t width = width_of(p->task);
    for (p->field = 0; p->field < p->task->fields; p->field++) {
        if (p->field < thin_part_left_fields(p->task)) {
            thin_part_load_left(p, k, count);
            tile_product_pack(p->task->product, p->left, 1, p->task->left_row, count, p->rows,
                              p->packed);
        }
        for (int64_t c = 0; c < p->columns; c += width)
            multiply_block_of_columns(
                p, &(struct block){k, count, c, tile_least(width, p->columns - c)}, group);
    }
}

/* Whole groups, if there are several at once, or parts of one. */
static void multiply_columns(struct thin_part *p)
{
    const int64_t size = p->task->dot.k, all = p->task->group,
                  group = thin_part_is_of_whole_units(all) ? all : 1;
    int64_t terms = p->task->terms;
    if (group == 1)
        terms = tile_least(terms, p->task->groups);
    else if (group < terms)
        terms -= terms % group;
    for (int64_t k = 0, count; k < size; k += count) {
        count = tile_least(terms, size - k);
        if (group > terms)
            count = tile_least(count, group - k % group);
        multiply_terms(p, k, count, tile_least(group, terms));
    }
}

/* ---- both ------------------------------------------------------------------------------------ */
void thin_panel_multiply(struct thin_part *p)
{
    if (p->task->has_adjacent_columns)
        multiply_rows(p);
    else
        multiply_columns(p);
}
