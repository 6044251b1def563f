/* operand_slice.c: see operand_slice.h. */
#include "compiler/schedule/operand_slice.h"

#include "compiler/analysis/constants.h"
#include "compiler/schedule/access.h"

/* Whether a box of `box` elements is adjacent in an array: it is all of the dimensions after the
 * first one of which it has several elements. */
static bool is_adjacent(const struct type *array, const struct type *box)
{
    bool has_several = false;
    for (int i = 0; i < array->shape.rank; i++) {
        if (has_several && box->shape.dims[i] != array->shape.dims[i])
            return false;
        has_several |= box->shape.dims[i] != 1;
    }
    return type_elements(box) > 0;
}

static bool is_index(const struct value *value)
{
    const struct dtype_info *info = dtype_info(value->type->shape.dtype);
    return info->bits == 8 * info->bytes;
}

/* Adds the start of a slice along a dimension in which there are several. */
static bool add_index(const struct value *value, int64_t last, int64_t stride,
                      struct operand_slice *out)
{
    const struct literal *index = constants_literal(value);
    if (index) {
        out->first += constants_start(index, last) * stride;
        return true;
    }
    if (out->count == OPERAND_SLICE_INDICES || !is_index(value))
        return false;
    out->at[out->count++] = (struct operand_slice_index){value, last, stride};
    return true;
}

static bool add_starts(const struct op *slice, struct operand_slice *out)
{
    const struct type *array = slice->operands[0]->type, *box = slice->results[0].type;
    int64_t strides[SHAPE_MAX_RANK];
    type_strides(array, strides);
    for (int i = 0; i < array->shape.rank; i++) {
        const int64_t last = array->shape.dims[i] - box->shape.dims[i];
        if (slice->code == OP_slice)
            out->first += access_of(slice, 0, i).offset * strides[i];
        else if (last && !add_index(slice->operands[1 + i], last, strides[i], out))
            return false;
    }
    return true;
}

/* Whether a slice is of adjacent elements, and no copy from one memory kind to another. */
static bool is_range(const struct op *slice)
{
    const struct type *array = slice->operands[0]->type, *box = slice->results[0].type;
    return (slice->code == OP_dynamic_slice || access_is_dense(slice)) &&
           array->shape.memory == box->shape.memory && is_adjacent(array, box);
}

bool operand_slice_of(const struct value *value, struct operand_slice *out)
{
    bool is_slice = false;
    *out = (struct operand_slice){.whole = value};
    for (const struct op *op = value->def; op; op = out->whole->def) {
        if (op->code == OP_slice || op->code == OP_dynamic_slice)
            is_slice = true;
        else if (op->code != OP_reshape)
            break;
        if (op->code != OP_reshape && (!is_range(op) || !add_starts(op, out)))
            return false;
        out->whole = op->operands[0];
    }
    return is_slice;
}
