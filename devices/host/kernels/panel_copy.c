/* panel_copy.c: see panel_copy.h. */
#include "devices/host/kernels/panel_copy.h"

#include <string.h>

enum { MAX_PAIR_WIDTH = 64, CHUNK = 32 /* bytes */, GROUP = 16 /* bytes */ };

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

static bool plan_columns(const struct layout *from, const struct layout *to, int columns,
                         struct panel_copy *out)
{
    if (columns < 0 || (*from->strides)[columns] != 1)
        return false;
    if (!to->blocks && (*to->strides)[columns] != 1)
        return false;
    out->columns = (*from->dims)[columns];
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

static void add_dim(struct panel_copy *out, struct panel_row_dim dim, bool is_pairs)
{
    int at = out->dim_count++;
    for (; at > 0 && out->dims[at - 1].from_stride < dim.from_stride; at--)
        out->dims[at] = out->dims[at - 1];
    out->dims[at] = dim;
    if (is_pairs)
        out->pairs = at;
    else if (out->pairs >= at)
        out->pairs++;
    out->rows *= dim.size;
}

bool panel_copy_plan(const_dnnl_memory_desc_t from, const_dnnl_memory_desc_t to,
                     struct panel_copy *out)
{
    struct layout f, t;
    int pairs, columns;
    *out = (struct panel_copy){.rows = 0, .pairs = -1};
    if (!query(from, &f) || !query(to, &t) || f.blocks || f.type != t.type || f.rank != t.rank)
        return false;
    out->bytes = (int)dnnl_data_type_size(f.type);
    columns = find_columns(&f, &t);
    if (out->bytes < 2 || !plan_columns(&f, &t, columns, out) || !plan_pairs(&f, &t, &pairs, out) ||
        !has_padding_only_in(&t, columns, pairs))
        return false;
    out->rows = 1;
    for (int i = 0; i < f.rank; i++) {
        int together = i == pairs ? 2 : 1;
        struct panel_row_dim dim = {((*f.dims)[i] + together - 1) / together,
                                    (*f.strides)[i] * together * out->bytes,
                                    (*t.strides)[i] * out->bytes};
        if (i != columns)
            add_dim(out, dim, i == pairs);
    }
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

static bool is_single(const struct panel_copy *plan, const int64_t *index)
{
    return plan->last_pair_is_single && index[plan->pairs] == plan->dims[plan->pairs].size - 1;
}

static void copy_one(const struct panel_copy *plan, const int64_t *index, const char *from,
                     char *to)
{
    for (int i = 0; i < plan->dim_count; i++)
        from += index[i] * plan->dims[i].from_stride, to += index[i] * plan->dims[i].to_stride;
    if (plan->interleaves)
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
