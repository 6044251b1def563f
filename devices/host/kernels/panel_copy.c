/* panel_copy.c: see panel_copy.h. */
#include "devices/host/kernels/panel_copy.h"

#include <string.h>

#include "devices/host/kernels/transpose_block.h"

enum { MAX_PAIR_WIDTH = 64, CHUNK = 32 /* bytes */, GROUP = 16 /* bytes */ };
/* Rows of a block that is transposed: a line of f32. Columns of which lines are requested ahead. */
enum { BLOCK = 16, AHEAD = 16 };

/* ---- planning -------------------------------------------------------------------------------- */
struct layout {
    int rank, blocks;
    dnnl_data_type_t type;
    const dnnl_dims_t *dims, *padded, *strides, *block_sizes, *block_dims;
};

static bool query(const_dnnl_memory_desc_t from, struct layout *out)
{
    dnnl_format_kind_t kind;
    return dnnl_memory_desc_query(from, dnnl_query_format_kind, &kind) == dnnl_success &&
           kind == dnnl_blocked &&
           dnnl_memory_desc_query(from, dnnl_query_ndims_s32, &out->rank) == dnnl_success &&
           dnnl_memory_desc_query(from, dnnl_query_data_type, &out->type) == dnnl_success &&
           dnnl_memory_desc_query(from, dnnl_query_dims, &out->dims) == dnnl_success &&
           dnnl_memory_desc_query(from, dnnl_query_padded_dims, &out->padded) == dnnl_success &&
           dnnl_memory_desc_query(from, dnnl_query_strides, &out->strides) == dnnl_success &&
           dnnl_memory_desc_query(from, dnnl_query_inner_nblks_s32, &out->blocks) == dnnl_success &&
           dnnl_memory_desc_query(from, dnnl_query_inner_blks, &out->block_sizes) == dnnl_success &&
           dnnl_memory_desc_query(from, dnnl_query_inner_idxs, &out->block_dims) == dnnl_success;
}

/* The first dimension of more than one element with neighboring elements; -1: none. */
static int find_columns(const struct layout *from, const struct layout *to)
{
    if (to->blocks)
        return (int)(*to->block_dims)[0];
    for (int i = 0; i < from->rank; i++)
        if ((*from->strides)[i] == 1 && (*from->dims)[i] > 1)
            return i;
    return -1;
}

static bool has_padding_only_in(const struct layout *to, int columns, int pairs)
{
    for (int i = 0; i < to->rank; i++)
        if (i != columns && i != pairs && (*to->padded)[i] != (*to->dims)[i])
            return false;
    return true;
}

/* The dimension of rows with neighboring elements in the source, and in panels; -1: none. */
static int find_neighbors(const struct layout *from, const struct layout *to, int columns)
{
    for (int i = 0; i < from->rank; i++)
        if (i != columns && (*from->strides)[i] == 1 && (*from->dims)[i] > 1 &&
            (*to->strides)[i] == (*to->block_sizes)[0])
            return i;
    return -1;
}

/* `neighbors`: the dimension of rows that are transposed, or -1. */
static bool plan_columns(const struct layout *from, const struct layout *to, int columns,
                         int *neighbors, struct panel_copy *out)
{
    *neighbors = -1;
    if (columns < 0)
        return false;
    if ((*from->strides)[columns] != 1 && to->blocks == 1 && out->bytes == sizeof(float))
        *neighbors = find_neighbors(from, to, columns);
    if ((*from->strides)[columns] != 1 && *neighbors < 0)
        return false;
    if (!to->blocks && (*to->strides)[columns] != 1)
        return false;
    out->columns = (*from->dims)[columns];
    out->column_stride = (*from->strides)[columns] * out->bytes;
    out->width = to->blocks ? (*to->block_sizes)[0] : out->columns;
    out->panel_stride = to->blocks ? (*to->strides)[columns] * out->bytes : 0;
    return true;
}

/* The dimension whose neighbors are interleaved, or -1; false for other blocks than pairs. */
static bool plan_pairs(const struct layout *from, const struct layout *to, int *pairs,
                       struct panel_copy *out)
{
    *pairs = -1;
    if (to->blocks < 2)
        return true;
    *pairs = (int)(*to->block_dims)[1];
    out->interleaves = true;
    out->second = (*from->strides)[*pairs] * out->bytes;
    out->last_pair_is_single = (*from->dims)[*pairs] % 2 != 0;
    return to->blocks == 2 && (*to->block_sizes)[1] == 2 && out->bytes == 2 &&
           *pairs != (*to->block_dims)[0] && out->width <= MAX_PAIR_WIDTH;
}

/* Inserts a dimension; *number, if not NULL, becomes its number. */
static void add_dim(struct panel_copy *out, struct panel_row_dim dim, int *number)
{
    int *numbers[] = {&out->pairs, &out->blocks, &out->panels};
    int at = out->dim_count++;
    for (; at > 0 && out->dims[at - 1].from_stride < dim.from_stride; at--)
        out->dims[at] = out->dims[at - 1];
    out->dims[at] = dim;
    for (int i = 0; i < 3; i++)
        *numbers[i] += *numbers[i] >= at;
    if (number)
        *number = at;
    out->rows *= dim.size;
}

/* Blocks of neighboring rows, of one panel each. */
static void add_blocks(struct panel_copy *out, const struct layout *from, const struct layout *to,
                       int neighbors)
{
    out->block_rows = (*from->dims)[neighbors];
    add_dim(out,
            (struct panel_row_dim){(out->block_rows + BLOCK - 1) / BLOCK, BLOCK * out->bytes,
                                   BLOCK * (*to->strides)[neighbors] * out->bytes},
            &out->blocks);
    add_dim(out,
            (struct panel_row_dim){(out->columns + out->width - 1) / out->width,
                                   out->width * out->column_stride, out->panel_stride},
            &out->panels);
}

bool panel_copy_plan(const_dnnl_memory_desc_t from, const_dnnl_memory_desc_t to,
                     struct panel_copy *out)
{
    struct layout f, t;
    int pairs, columns, neighbors;
    *out = (struct panel_copy){.rows = 0, .pairs = -1, .blocks = -1, .panels = -1};
    if (!query(from, &f) || !query(to, &t) || f.blocks || f.type != t.type || f.rank != t.rank)
        return false;
    out->bytes = (int)dnnl_data_type_size(f.type);
    columns = find_columns(&f, &t);
    if (out->bytes < 2 || !plan_columns(&f, &t, columns, &neighbors, out) ||
        !plan_pairs(&f, &t, &pairs, out) || !has_padding_only_in(&t, columns, pairs))
        return false;
    out->rows = 1;
    for (int i = 0; i < f.rank; i++) {
        int together = i == pairs ? 2 : 1;
        struct panel_row_dim dim = {((*f.dims)[i] + together - 1) / together,
                                    (*f.strides)[i] * together * out->bytes,
                                    (*t.strides)[i] * out->bytes};
        if (i != columns && i != neighbors)
            add_dim(out, dim, i == pairs ? &out->pairs : NULL);
    }
    if (neighbors >= 0)
        add_blocks(out, &f, &t, neighbors);
    return true;
}

/* ---- copying --------------------------------------------------------------------------------- */
/* memcpy for a few lines: its call costs more than the copy. */
static void copy_columns(char *to, const char *from, int64_t bytes)
{
    for (; bytes >= CHUNK; bytes -= CHUNK, to += CHUNK, from += CHUNK)
        memcpy(to, from, CHUNK);
    if (bytes)
        memcpy(to, from, (size_t)bytes);
}

typedef uint16_t group __attribute__((vector_size(GROUP)));

static void interleave_group(char *to, const char *first, const char *second)
{
    group a, b;
    memcpy(&a, first, GROUP);
    memcpy(&b, second, GROUP);
    group low = __builtin_shufflevector(a, b, 0, 8, 1, 9, 2, 10, 3, 11);
    group high = __builtin_shufflevector(a, b, 4, 12, 5, 13, 6, 14, 7, 15);
    memcpy(to, &low, GROUP);
    memcpy(to + GROUP, &high, GROUP);
}

/* Elements of 2 bytes; `bytes` of each row. */
static void interleave(char *to, const char *first, const char *second, int64_t bytes)
{
    for (; bytes >= GROUP; bytes -= GROUP, to += 2 * GROUP, first += GROUP, second += GROUP)
        interleave_group(to, first, second);
    for (; bytes; bytes -= 2, to += 4, first += 2, second += 2) {
        memcpy(to, first, 2);
        memcpy(to + 2, second, 2);
    }
}

static void copy_row(const struct panel_copy *plan, const char *from, char *to)
{
    int64_t width = plan->width * plan->bytes, left = plan->columns * plan->bytes;
    for (; left >= width; left -= width, from += width, to += plan->panel_stride)
        copy_columns(to, from, width);
    if (left) {
        copy_columns(to, from, left);
        memset(to + left, 0, (size_t)(width - left));
    }
}

/* Two rows of 2-byte elements; a NULL `second` is a row of zeros. */
static void interleave_rows(const struct panel_copy *plan, const char *first, const char *second,
                            char *to)
{
    static const char zeros[2 * MAX_PAIR_WIDTH];
    int64_t width = plan->width * 2, left = plan->columns * 2;
    for (; left > 0; left -= width, first += width, to += plan->panel_stride) {
        int64_t bytes = left < width ? left : width;
        interleave(to, first, second ? second : zeros, bytes);
        if (bytes < width)
            memset(to + 2 * bytes, 0, (size_t)(width - bytes) * 2);
        second = second ? second + width : NULL;
    }
}

/* Transposes `rows` neighboring elements of each of a panel's `columns`. */
static void transpose_block(const struct panel_copy *plan, const float *from, float *to,
                            int64_t rows, int64_t columns)
{
    int64_t stride = plan->column_stride / (int64_t)sizeof *from, width = plan->width;
    for (int64_t c = 0; c < columns; c += AHEAD) {
        for (int64_t i = c + AHEAD; i < c + 2 * AHEAD && i < columns; i++)
            __builtin_prefetch(from + i * stride);
        transpose_block_gather_f32(from + c * stride, 1, stride, rows,
                                   columns - c < AHEAD ? columns - c : AHEAD, to + c, width);
    }
    for (int64_t r = 0; r < rows; r++)
        memset(to + r * width + columns, 0, (size_t)(width - columns) * sizeof *to);
}

static void transpose_one(const struct panel_copy *plan, const int64_t *index, const void *from,
                          void *to)
{
    int64_t rows = plan->block_rows - index[plan->blocks] * BLOCK,
            columns = plan->columns - index[plan->panels] * plan->width;
    transpose_block(plan, from, to, rows < BLOCK ? rows : BLOCK,
                    columns < plan->width ? columns : plan->width);
}

static bool is_single(const struct panel_copy *plan, const int64_t *index)
{
    return plan->last_pair_is_single && index[plan->pairs] == plan->dims[plan->pairs].size - 1;
}

static void copy_one(const struct panel_copy *plan, const int64_t *index, const char *from,
                     char *to)
{
    for (int i = 0; i < plan->dim_count; i++)
        from += index[i] * plan->dims[i].from_stride, to += index[i] * plan->dims[i].to_stride;
    if (plan->block_rows)
        transpose_one(plan, index, from, to);
    else if (plan->interleaves)
        interleave_rows(plan, from, is_single(plan, index) ? NULL : from + plan->second, to);
    else
        copy_row(plan, from, to);
}

void panel_copy_run(const struct panel_copy *plan, const void *from, void *to, int64_t begin,
                    int64_t end)
{
    int64_t index[DNNL_MAX_NDIMS], rest = begin;
    for (int i = plan->dim_count - 1; i >= 0; i--)
        index[i] = rest % plan->dims[i].size, rest /= plan->dims[i].size;
    for (; begin < end; begin++) {
        copy_one(plan, index, from, to);
        for (int i = plan->dim_count - 1; i >= 0 && ++index[i] == plan->dims[i].size; i--)
            index[i] = 0;
    }
}
