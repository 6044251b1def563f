/* thin_dot.c: see thin_dot.h. */
#include "compiler/schedule/thin_dot.h"

#include <limits.h>

#include "compiler/analysis/constants.h"
#include "compiler/program/thin_dot_spec.h"
#include "compiler/schedule/thin_matrix.h"

enum { LHS, RHS, OUT, ARRAYS };

static int bits_of(enum dtype dtype)
{
    return dtype_info(dtype)->bits;
}

static struct value *changed(const struct value *value)
{
    return (struct value *)(uintptr_t)value;
}

/* ---- dimensions ------------------------------------------------------------------------------ */
struct axis {
    int64_t size, stride[ARRAYS], parameter[THIN_MATRIX_PARAMETERS];
    int bits; /* between fields of the matrix's elements, which have no stride */
    bool is_reversed;
};
struct axes {
    int count;
    struct axis at[OPERAND_VIEW_PIECES];
};

static bool add(struct axes *axes, struct axis axis)
{
    if (axes->count == OPERAND_VIEW_PIECES)
        return false;
    axes->at[axes->count++] = axis;
    return true;
}

/* Whether each axis ends where the next outer one goes on, in an array. */
static bool is_nested(const struct axes *axes, int array)
{
    const struct axis *outer = NULL;
    for (int i = 0; i < axes->count; i++) {
        const struct axis *axis = &axes->at[i];
        if (array == RHS && axis->bits)
            continue;
        if (outer && outer->stride[array] != axis->stride[array] * axis->size)
            return false;
        outer = axis;
    }
    return true;
}

/* Sorts axes by their strides in an array, and returns whether they are nested in all of them. */
static bool nest(struct axes *axes, int by)
{
    for (int i = 1; i < axes->count; i++)
        for (int j = i; j > 0 && axes->at[j - 1].stride[by] < axes->at[j].stride[by]; j--) {
            struct axis moved = axes->at[j];
            axes->at[j] = axes->at[j - 1];
            axes->at[j - 1] = moved;
        }
    return is_nested(axes, LHS) && is_nested(axes, RHS) && is_nested(axes, OUT);
}

static int64_t size_of(const struct axes *axes)
{
    int64_t size = 1;
    for (int i = 0; i < axes->count; i++)
        size *= axes->at[i].size;
    return size;
}

static int64_t stride_of(const struct axes *axes, int array)
{
    int last = axes->count - 1;
    while (last >= 0 && array == RHS && axes->at[last].bits)
        last--;
    return last >= 0 ? axes->at[last].stride[array] : 1;
}

/* The bit at which the i-th of `count` fields begins, whose axes these are. */
static int shift_of(const struct axis *axes, int count, int64_t i)
{
    int64_t bit = 0;
    for (int a = count - 1; a >= 0; i /= axes[a--].size) {
        const int64_t at = i % axes[a].size;
        bit += (axes[a].is_reversed ? axes[a].size - 1 - at : at) * axes[a].bits;
    }
    return (int)bit;
}

/* Says how fields, if any of nested axes are, share elements. False if other axes are between
 * theirs, or they are along the other dimension, too. */
static bool pack(const struct axes *axes, bool along_k, struct thin_packing *out)
{
    int begin = 0, end;
    int64_t count = 1, inner = 1;
    while (begin < axes->count && !axes->at[begin].bits)
        begin++;
    for (end = begin; end < axes->count && axes->at[end].bits; end++)
        count *= axes->at[end].size;
    for (int i = end; i < axes->count; i++) {
        if (axes->at[i].bits)
            return false;
        inner *= axes->at[i].size;
    }
    if (count == 1)
        return true;
    if (out->count || count > (int64_t)sizeof out->shift)
        return false;
    *out = (struct thin_packing){.count = count, .inner = inner, .along_k = along_k};
    for (int i = 0; i < count; i++)
        out->shift[i] = (uint8_t)shift_of(axes->at + begin, end - begin, i);
    return true;
}

/* Nested axes along which a parameter repeats are the innermost ones, its others are nested. */
static bool group_of(const struct axes *axes, int which, int64_t *group, int64_t *stride)
{
    int i = axes->count - 1;
    *group = 1, *stride = 0;
    for (; i >= 0 && axes->at[i].parameter[which] == 0; i--)
        *group *= axes->at[i].size;
    if (i < 0)
        return true;
    *stride = axes->at[i].parameter[which];
    for (; i > 0; i--)
        if (axes->at[i - 1].parameter[which] != axes->at[i].parameter[which] * axes->at[i].size)
            return false;
    return true;
}

/* ---- the specification ----------------------------------------------------------------------- */
struct roles { /* the axes by what they are to the product */
    struct axes batch, m, n, k;
};

static int64_t find(struct dims dims, int64_t dim)
{
    for (int64_t i = 0; i < dims.count; i++)
        if (dims.at[i] == dim)
            return i;
    return -1;
}

/* How many dimensions of an operand before `dim` are neither batching nor contracting. */
static int64_t free_before(struct dims batch, struct dims contracted, int64_t dim)
{
    int64_t count = 0;
    for (int64_t i = 0; i < dim; i++)
        count += !dims_contain(batch, i) && !dims_contain(contracted, i);
    return count;
}

struct sides {
    struct dims batch[2], contracted[2]; /* of the few rows, and of the matrix */
    int64_t few[SHAPE_MAX_RANK], out[SHAPE_MAX_RANK];
    int64_t few_at, matrix_at; /* their first free dimensions in the result */
};

static struct sides sides_of(const struct op *dot, int matrix)
{
    const struct attrs_dot *at = &dot->attrs.dot;
    const struct dims batch[2] = {at->lhs_batching_dimensions, at->rhs_batching_dimensions};
    const struct dims contracted[2] = {at->lhs_contracting_dimensions,
                                       at->rhs_contracting_dimensions};
    struct sides sides = {.batch = {batch[!matrix], batch[matrix]},
                          .contracted = {contracted[!matrix], contracted[matrix]}};
    const int64_t left = dot->operands[0]->type->shape.rank - contracted[0].count;
    type_strides(dot->operands[!matrix]->type, sides.few);
    type_strides(dot->results[0].type, sides.out);
    sides.few_at = matrix ? batch[0].count : left;
    sides.matrix_at = matrix ? left : batch[0].count;
    return sides;
}

/* Adds the axis of a piece of the matrix, which is `inner` elements wide in its dimension. */
static bool add_piece(struct roles *roles, const struct sides *sides, struct axis axis, int64_t dim,
                      int64_t inner)
{
    const int64_t b = find(sides->batch[1], dim), k = find(sides->contracted[1], dim);
    if (b >= 0) {
        axis.stride[LHS] = sides->few[sides->batch[0].at[b]] * inner;
        axis.stride[OUT] = sides->out[b] * inner;
        return !axis.bits && add(&roles->batch, axis);
    }
    if (k >= 0) {
        axis.stride[LHS] = sides->few[sides->contracted[0].at[k]] * inner;
        return add(&roles->k, axis);
    }
    const int64_t n = free_before(sides->batch[1], sides->contracted[1], dim);
    axis.stride[OUT] = sides->out[sides->matrix_at + n] * inner;
    return add(&roles->n, axis);
}

static bool add_rows(struct roles *roles, const struct sides *sides, const struct type *few)
{
    for (int i = 0; i < few->shape.rank; i++) {
        if (few->shape.dims[i] == 1 || dims_contain(sides->batch[0], i) ||
            dims_contain(sides->contracted[0], i))
            continue;
        const int64_t m = free_before(sides->batch[0], sides->contracted[0], i);
        struct axis axis = {.size = few->shape.dims[i],
                            .stride = {sides->few[i], 0, sides->out[sides->few_at + m]}};
        if (!add(&roles->m, axis))
            return false;
    }
    return true;
}

/* The axis of a piece of the matrix in terms of its elements in memory, or of their bytes: fields
 * that are bytes are elements then. */
static struct axis axis_of(const struct operand_piece *piece, int64_t element_bytes)
{
    struct axis axis = {.size = piece->size,
                        .stride = {0, piece->stride * element_bytes, 0},
                        .bits = piece->bits,
                        .is_reversed = piece->is_reversed};
    if (element_bytes > 1 && axis.bits >= CHAR_BIT)
        axis.stride[RHS] = axis.bits / CHAR_BIT, axis.bits = 0;
    return axis;
}

static bool find_roles(const struct thin_matrix *m, const struct sides *sides,
                       int64_t element_bytes, struct roles *roles)
{
    const struct operand_view *numbers = &m->numbers;
    int64_t inner = 1;
    for (int i = numbers->count - 1; i >= 0; i--) {
        const struct operand_piece *piece = &numbers->at[i];
        if (i + 1 < numbers->count && piece[1].dim != piece->dim)
            inner = 1;
        struct axis axis = axis_of(piece, element_bytes);
        if (axis.is_reversed && !axis.bits)
            return false;
        for (int p = 0; p < THIN_MATRIX_PARAMETERS; p++)
            axis.parameter[p] = thin_matrix_has(m, p) ? m->parameters[p].at[i].stride : 0;
        if (!add_piece(roles, sides, axis, piece->dim, inner))
            return false;
        inner *= piece->size;
    }
    return add_rows(roles, sides, m->dot->operands[!m->side]->type);
}

/* Sets the strides of all views, for pieces that they have in common. */
static bool align(struct thin_matrix *m)
{
    operand_view_finish(&m->numbers);
    for (int p = 0; p < THIN_MATRIX_PARAMETERS; p++)
        if (thin_matrix_has(m, p)) {
            operand_view_finish(&m->parameters[p]);
            for (int i = 0;
                 constants_is_splat(m->parameters[p].value) && i < m->parameters[p].count; i++)
                m->parameters[p].at[i].stride = 0;
            if (!operand_view_align(&m->numbers, &m->parameters[p]))
                return false;
        }
    for (int p = 0; p < THIN_MATRIX_PARAMETERS; p++)
        if (thin_matrix_has(m, p) && !operand_view_align(&m->numbers, &m->parameters[p]))
            return false;
    return true;
}

static bool describe_parameter(const struct thin_matrix *m, const struct roles *roles, int which,
                               struct thin_parameter *out)
{
    int64_t group;
    *out = (struct thin_parameter){.dtype = DTYPE_INVALID};
    if (!thin_matrix_has(m, which))
        return true;
    out->dtype = ir_dtype(m->parameters[which].value);
    return group_of(&roles->batch, which, &group, &out->batch_stride) &&
           (group == 1 || !out->batch_stride) &&
           group_of(&roles->k, which, &out->k_group, &out->k_stride) &&
           group_of(&roles->n, which, &out->n_group, &out->n_stride);
}

/* Whether a table, if there is one, has a number for each index of a type. */
static bool has_all_numbers(const struct value *table, enum dtype indices)
{
    return !table || type_elements(table->type) == INT64_C(1) << bits_of(indices);
}

/* Describes an aligned matrix in terms of elements, or of bytes (axis_of()). */
static bool describe_as(const struct thin_matrix *m, int64_t element_bytes,
                        struct thin_dot_spec *out)
{
    const struct sides sides = sides_of(m->dot, m->side);
    struct roles r = {.batch.count = 0};
    if (!find_roles(m, &sides, element_bytes, &r) || !nest(&r.batch, LHS) || !nest(&r.m, LHS) ||
        !nest(&r.n, OUT) || !nest(&r.k, LHS))
        return false;
    *out = (struct thin_dot_spec){.table = m->table ? ir_dtype(m->table) : DTYPE_INVALID};
    out->dot = (struct dot_spec){.lhs = ir_dtype(m->dot->operands[!m->side]),
                                 .rhs = thin_matrix_dtype(m),
                                 .out = ir_dtype(&m->dot->results[0]),
                                 .batch = size_of(&r.batch),
                                 .m = size_of(&r.m),
                                 .n = size_of(&r.n),
                                 .k = size_of(&r.k),
                                 .lhs_batch_stride = stride_of(&r.batch, LHS),
                                 .lhs_m_stride = stride_of(&r.m, LHS),
                                 .lhs_k_stride = stride_of(&r.k, LHS),
                                 .rhs_batch_stride = stride_of(&r.batch, RHS),
                                 .rhs_k_stride = stride_of(&r.k, RHS),
                                 .rhs_n_stride = stride_of(&r.n, RHS),
                                 .out_batch_stride = stride_of(&r.batch, OUT),
                                 .out_m_stride = stride_of(&r.m, OUT),
                                 .out_n_stride = stride_of(&r.n, OUT),
                                 .outer = 1};
    return pack(&r.k, true, &out->packing) && pack(&r.n, false, &out->packing) &&
           has_all_numbers(m->table, out->dot.rhs) &&
           describe_parameter(m, &r, THIN_MATRIX_ZERO, &out->zero) &&
           describe_parameter(m, &r, THIN_MATRIX_SCALE, &out->scale) &&
           describe_parameter(m, &r, THIN_MATRIX_OFFSET, &out->offset) &&
           thin_dot_spec_is_supported(out);
}

/* Bytes, where numbers are in their order, are faster than words. */
static bool describe(struct thin_matrix *m, struct thin_dot_spec *out)
{
    const int bits = bits_of(ir_dtype(m->numbers.value));
    if (!align(m))
        return false;
    if (!m->numbers.fields || bits <= CHAR_BIT || bits == bits_of(m->numbers.fields))
        return describe_as(m, 1, out);
    return describe_as(m, bits / CHAR_BIT, out) ||
           (bits == bits_of(DTYPE_U32) && describe_as(m, 1, out));
}

/* ---- the interface --------------------------------------------------------------------------- */
static void reverse(struct thin_dot *thin)
{
    for (int i = 0; i < thin->count / 2; i++) {
        struct op *moved = thin->members[i];
        thin->members[i] = thin->members[thin->count - 1 - i];
        thin->members[thin->count - 1 - i] = moved;
    }
}

static bool read_side(struct op *dot, int side, struct thin_dot *out)
{
    struct thin_matrix m;
    if (!thin_matrix_read(dot, side, out, &m) || !describe(&m, &out->spec))
        return false;
    out->rhs = changed(m.numbers.value);
    out->zero = changed(m.parameters[THIN_MATRIX_ZERO].value);
    out->scale = changed(m.parameters[THIN_MATRIX_SCALE].value);
    out->offset = changed(m.parameters[THIN_MATRIX_OFFSET].value);
    out->table = m.table;
    reverse(out);
    return true;
}

/* Whether rows and results are floats; numbers of the matrix may be integers, which the product
 * converts. */
static bool is_of_floats(const struct op *dot, int matrix)
{
    return type_elements(dot->operands[0]->type) && type_elements(dot->operands[1]->type) &&
           dtype_is_float(ir_dtype(dot->operands[!matrix])) &&
           dtype_is_float(ir_dtype(&dot->results[0]));
}

bool thin_dot_of(struct op *dot, struct thin_dot *out)
{
    if (dot->code != OP_dot_general)
        return false;
    const int large =
        type_elements(dot->operands[1]->type) >= type_elements(dot->operands[0]->type);
    return is_of_floats(dot, large) && read_side(dot, large, out);
}

bool thin_dot_of_fusion(const struct op *fusion, struct thin_dot *out)
{
    struct value *operands[THIN_DOT_OPERANDS];
    if (!thin_dot_of(fusion->regions[0]->last->operands[0]->def, out))
        return false;
    for (int i = thin_dot_operands(out, operands) - 1; i >= 0; i--)
        if (operands[i]->def)
            return false;
    return true;
}

int thin_dot_operands(const struct thin_dot *thin, struct value **out)
{
    struct value *const all[] = {thin->lhs,   thin->rhs,    thin->zero,
                                 thin->scale, thin->offset, thin->table};
    int count = 0;
    for (int i = 0; i < THIN_DOT_OPERANDS; i++)
        if (all[i])
            out[count++] = all[i];
    return count;
}
