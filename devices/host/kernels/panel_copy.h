/* panel_copy.h: copies arrays into the blocked layouts of oneDNN's kernels.
 *
 * Such a layout consists of panels. Columns are elements of the dimension whose elements are next
 * to each other in the source: output features of weights, features of activations. A row is given
 * by the indices of all other dimensions. A panel holds `width` columns of all rows; in layouts for
 * products of pairs of 16-bit elements, the same columns of two rows are interleaved. The part of a
 * panel without columns, and a missing second row, are zero. A layout without blocks is one panel.
 *
 * Each row is read once, in the order of the source, and written to all panels, two to three times
 * as fast as by oneDNN's reorder primitive, which reads one panel's columns of all rows after the
 * other.
 *
 * Where rows are next to each other in the source instead (weights of a gradient, whose features
 * are exchanged), columns are transposed, in blocks of a few rows and one panel. oneDNN takes up to
 * eight times as long if the columns are a multiple of a large power of two apart.
 *
 * Pure functions; thread-safe for disjoint rows. */
#ifndef GANTRY_DEVICES_HOST_KERNELS_PANEL_COPY_H
#define GANTRY_DEVICES_HOST_KERNELS_PANEL_COPY_H

#include <stdbool.h>
#include <stdint.h>

#include "oneapi/dnnl/dnnl.h"

struct panel_row_dim { /* a dimension of rows; strides in bytes */
    int64_t size, from_stride, to_stride;
};

struct panel_copy {
    int64_t rows;             /* to copy: pairs of rows if they are interleaved, or blocks */
    int bytes;                /* of an element */
    int64_t columns, width;   /* of a row, of a panel */
    int64_t panel_stride;     /* bytes between panels */
    bool interleaves;         /* two rows, of 2-byte elements */
    int64_t second;           /* bytes from the first to the second row of a pair in the source */
    int64_t column_stride;    /* bytes between columns in the source; not `bytes`: transposed */
    int64_t block_rows;       /* neighboring rows in the source, if transposed */
    int blocks, panels;       /* the dimensions of their blocks and of panels, in dims; -1: none */
    int pairs;                /* the dimension of which they are neighbors, in dims; -1: none */
    bool last_pair_is_single; /* that dimension has an odd size */
    int dim_count;
    struct panel_row_dim dims[DNNL_MAX_NDIMS]; /* by decreasing stride in the source */
};

/* Plans a copy between two layouts of the same array; false, and no rows, if `from` has blocks or
 * no dimension with neighboring elements, or `to` is not such a layout. */
bool panel_copy_plan(const_dnnl_memory_desc_t from, const_dnnl_memory_desc_t to,
                     struct panel_copy *out);

/* Copies the rows [begin, end); 0 <= begin <= end <= rows. */
void panel_copy_run(const struct panel_copy *plan, const void *from, void *to, int64_t begin,
                    int64_t end);

#endif
