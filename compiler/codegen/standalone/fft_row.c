/* fft_row.c: see fft_row.h. */
#include "compiler/codegen/standalone/fft_row.h"

#include <string.h>

/* The numbers in one part of a buffer. Vectors of the last step of real rows reach past its end. */
static int64_t part_size(const struct fft *f)
{
    return f->n + (f->real ? FFT_PADDING : 0);
}

int64_t fft_row_parts(const struct fft *f)
{
    return 2 * part_size(f);
}

static struct index index_of(const struct fft *f, const struct affine *position)
{
    int rank = f->type->shape.rank;
    struct affine *at = affine_array(f->e, rank);
    struct index rest = affine_delinear(f->e, &f->row, rank - 1, f->type->shape.dims);
    if (rank > 1)
        memcpy(at, rest.at, (size_t)(rank - 1) * sizeof *at);
    at[rank - 1] = *position;
    return affine_index(rank, at);
}

/* The two buffers in scratch alternate from stage to stage. */
static struct affine in_scratch(const struct fft *f, int stage, const struct affine *position,
                                int part)
{
    int64_t base = stage % 2 * fft_row_parts(f) + part * part_size(f);
    return affine_offset(position, base);
}

/* Loads two adjacent numbers of a real row as one complex number. */
static struct error *load_pair(struct fft *f, const struct affine *position, struct element *out)
{
    LLVMValueRef pointer = map_get_pointer(f->e->buffers, f->op->operands[0]);
    struct affine row = affine_scale(&f->row, f->n), offset = affine_add(f->e, &row, position);
    if (!pointer)
        return ERROR(INTERNAL, "the operand of a transform is not in memory");
    *out = element_load(f->e, pointer, f->type->shape.dtype, &offset, f->rows * f->n);
    return NULL;
}

struct error *fft_row_load(struct fft *f, int stage, const struct affine *position,
                           struct element *out)
{
    if (stage == 0 && f->real)
        return load_pair(f, position, out);
    if (stage == 0) {
        struct index index = index_of(f, position);
        TRY(expression_emit(f->e, f->op->operands[0], &index, out));
        *out = element_widen(f->e, out, f->e->lanes);
        return NULL;
    }
    for (int part = 0; part < 2; part++) {
        struct affine offset = in_scratch(f, stage - 1, position, part);
        struct element loaded =
            element_load(f->e, f->scratch, f->part, &offset, 2 * fft_row_parts(f));
        out->part[part] = loaded.part[0];
    }
    out->lanes = f->e->lanes;
    return NULL;
}

void fft_row_store(struct fft *f, int stage, const struct affine *position,
                   const struct element *value)
{
    if (stage == f->count - !f->real) {
        struct index index = index_of(f, position);
        struct affine offset = affine_linear(f->e, &index, f->type->shape.dims);
        element_store(f->e, kernel_result(f->k, 0), f->type->shape.dtype, &offset, value, false);
        return;
    }
    for (int part = 0; part < 2; part++) {
        struct affine offset = in_scratch(f, stage, position, part);
        struct element one = {{value->part[part], NULL}, value->lanes};
        element_store(f->e, f->scratch, f->part, &offset, &one, false);
    }
}

void fft_row_put(const struct fft *f, void *table, int64_t at, double value)
{
    if (f->part == DTYPE_F64)
        ((double *)table)[at] = value;
    else
        ((float *)table)[at] = (float)value;
}
