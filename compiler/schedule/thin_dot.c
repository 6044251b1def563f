/* thin_dot.c: see thin_dot.h. */
#include "compiler/schedule/thin_dot.h"

#include <limits.h>

#include "compiler/analysis/constants.h"
#include "compiler/schedule/exact_conversion.h"
#include "compiler/schedule/look_up.h"
#include "compiler/schedule/operand_view.h"
#include "compiler/program/thin_dot_spec.h"

enum { ZERO, SCALE, OFFSET, PARAMETERS };
enum { LHS, RHS, OUT, ARRAYS };

/* What is known of the matrix. */
struct matrix {
    struct op *dot;
    int side; /* operand of the product that is the matrix */
    struct operand_view numbers, parameters[PARAMETERS];
    struct value *table;  /* of which the numbers are indices, or NULL */
    struct thin_dot *out; /* members, from the product backwards */
    bool is_full;         /* there are more members than it has room for */
};

static int bits_of(enum dtype dtype)
{
    return dtype_info(dtype)->bits;
}

static enum dtype dtype_of(const struct value *value)
{
    return value->type->shape.dtype;
}

/* ---- the operations between the numbers and the product -------------------------------------- */
static void note(struct matrix *m, struct op *op)
{
    struct thin_dot *out = m->out;
    int kept = 0;
    for (int i = 0; i < out->count; i++)
        if (out->members[i] != op)
            out->members[kept++] = out->members[i];
    out->count = kept;
    if (kept == THIN_DOT_MEMBERS)
        m->is_full = true;
    else
        out->members[out->count++] = op;
}

/* Whether the product is in a FUSION_THIN_DOT, of which all operations belong to it: constants that
 * proved them exact are arguments there. */
static bool is_closed(const struct matrix *m)
{
    const struct op *owner = m->dot->block->owner;
    return owner && owner->code == OP_fusion;
}

static bool is_here(const struct matrix *m, const struct value *value)
{
    return value->def && value->def->block == m->dot->block;
}

/* Follows numbers that share elements to those. */
static bool follow_bits(struct matrix *m)
{
    struct op *op = m->numbers.value->def;
    if (!is_here(m, m->numbers.value) || !operand_view_step_bits(&m->numbers))
        return false;
    note(m, op);
    return true;
}

/* Follows numbers of a table to their indices. */
static bool follow_table(struct matrix *m)
{
    struct op *op = m->numbers.value->def;
    if (!is_here(m, m->numbers.value) || m->table || m->numbers.fields || !look_up_is(op) ||
        !dtype_is_float(dtype_of(m->numbers.value)))
        return false;
    m->table = op->operands[0];
    m->numbers.value = op->operands[1];
    note(m, op);
    return true;
}

/* Follows numbers of f32 to integers of 32 bits that are rounded: those that the step decodes are
 * small, or minus a zero point, which it subtracts as integers do. */
static bool follow_rounded(struct matrix *m)
{
    struct op *op = m->numbers.value->def;
    if (!is_here(m, m->numbers.value) || m->numbers.fields || op->code != OP_convert ||
        dtype_of(m->numbers.value) != DTYPE_F32 || dtype_of(op->operands[0]) != DTYPE_S32)
        return false;
    m->numbers.value = op->operands[0];
    note(m, op);
    return true;
}

/* Follows a value to the operand of what moves or converts its elements. */
static bool follow(struct matrix *m, struct operand_view *view)
{
    struct op *op = view->value->def;
    if (!is_here(m, view->value))
        return false;
    if (op->code == OP_convert && !view->fields &&
        (is_closed(m) || exact_conversion_is(op->operands[0], dtype_of(view->value))))
        view->value = op->operands[0];
    else if (!operand_view_step(view))
        return false;
    note(m, op);
    return true;
}

/* Whether a value repeats the elements of a smaller array, which is then a parameter. */
static bool read_parameter(struct matrix *m, const struct operand_view *at, struct value *value,
                           struct operand_view *out)
{
    struct thin_dot before = *m->out;
    const int64_t all = type_elements(value->type);
    *out = *at;
    out->value = value;
    while (follow(m, out))
        continue;
    if (constants_is_splat(out->value) || type_elements(out->value->type) <= all / 2)
        return true;
    *m->out = before;
    return false;
}

/* Goes on with one operand of an elementwise operation, where the other one is a parameter. */
static bool read_operation(struct matrix *m, int which, int last_operand)
{
    struct op *op = m->numbers.value->def;
    struct thin_dot before = *m->out;
    note(m, op);
    for (int i = 1; i >= last_operand; i--) {
        if (!read_parameter(m, &m->numbers, op->operands[i], &m->parameters[which]))
            continue;
        m->numbers.value = op->operands[1 - i];
        return true;
    }
    m->parameters[which].value = NULL;
    *m->out = before;
    return false;
}

static bool has(const struct matrix *m, int which)
{
    return m->parameters[which].value != NULL;
}

/* Whether a multiplication is behind what only moves and converts elements. */
static bool is_behind_product(const struct value *value)
{
    while (value->def && (value->def->code == OP_reshape || value->def->code == OP_transpose ||
                          value->def->code == OP_convert))
        value = value->def->operands[0];
    return value->def && value->def->code == OP_multiply;
}

/* Whether the step subtracts as an operation does: floats, integers of 32 bits, or of fewer where
 * these do not wrap around. */
static bool is_difference(const struct matrix *m, const struct op *subtract)
{
    if (is_closed(m))
        return true;
    return (has(m, SCALE) || !is_behind_product(subtract->operands[0])) &&
           (dtype_of(m->numbers.value) == DTYPE_S32 || exact_conversion_difference(subtract));
}

static bool read_arithmetic(struct matrix *m)
{
    struct op *op = m->numbers.value->def;
    if (!is_here(m, m->numbers.value) || has(m, ZERO) || m->numbers.fields || m->table)
        return false;
    const bool is_float = dtype_is_float(dtype_of(m->numbers.value));
    if (op->code == OP_multiply && is_float && !has(m, SCALE))
        return read_operation(m, SCALE, 0);
    if (op->code == OP_subtract && is_difference(m, op))
        return read_operation(m, ZERO, 1);
    if (op->code == OP_add && is_float && !has(m, SCALE) && !has(m, OFFSET) &&
        (is_closed(m) || is_behind_product(op->operands[0]) || is_behind_product(op->operands[1])))
        return read_operation(m, OFFSET, 0);
    return false;
}

static enum dtype type_of_numbers(const struct matrix *m)
{
    return m->numbers.fields ? m->numbers.fields : dtype_of(m->numbers.value);
}

static struct value *changed(const struct value *value)
{
    return (struct value *)(uintptr_t)value;
}

/* Follows the matrix as far as its numbers are of types that are decoded. */
static void read_matrix(struct matrix *m)
{
    note(m, m->dot);
    struct matrix decoded = *m;
    struct thin_dot out = *m->out;
    while (follow(m, &m->numbers) || follow_rounded(m) || follow_bits(m) || follow_table(m) ||
           read_arithmetic(m))
        if (thin_dot_spec_is_decoded(type_of_numbers(m)))
            decoded = *m, out = *m->out;
    out.source = changed(m->numbers.value);
    *m = decoded;
    *m->out = out;
}

/* ---- dimensions ------------------------------------------------------------------------------ */
struct axis {
    int64_t size, stride[ARRAYS], parameter[PARAMETERS];
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

static bool find_roles(const struct matrix *m, const struct sides *sides, int64_t element_bytes,
                       struct roles *roles)
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
        for (int p = 0; p < PARAMETERS; p++)
            axis.parameter[p] = has(m, p) ? m->parameters[p].at[i].stride : 0;
        if (!add_piece(roles, sides, axis, piece->dim, inner))
            return false;
        inner *= piece->size;
    }
    return add_rows(roles, sides, m->dot->operands[!m->side]->type);
}

/* Sets the strides of all views, for pieces that they have in common. */
static bool align(struct matrix *m)
{
    operand_view_finish(&m->numbers);
    for (int p = 0; p < PARAMETERS; p++)
        if (has(m, p)) {
            operand_view_finish(&m->parameters[p]);
            for (int i = 0;
                 constants_is_splat(m->parameters[p].value) && i < m->parameters[p].count; i++)
                m->parameters[p].at[i].stride = 0;
            if (!operand_view_align(&m->numbers, &m->parameters[p]))
                return false;
        }
    for (int p = 0; p < PARAMETERS; p++)
        if (has(m, p) && !operand_view_align(&m->numbers, &m->parameters[p]))
            return false;
    return true;
}

static bool describe_parameter(const struct matrix *m, const struct roles *roles, int which,
                               struct thin_parameter *out)
{
    int64_t group;
    *out = (struct thin_parameter){.dtype = DTYPE_INVALID};
    if (!has(m, which))
        return true;
    out->dtype = dtype_of(m->parameters[which].value);
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
static bool describe_as(const struct matrix *m, int64_t element_bytes, struct thin_dot_spec *out)
{
    const struct sides sides = sides_of(m->dot, m->side);
    struct roles r = {.batch.count = 0};
    if (!find_roles(m, &sides, element_bytes, &r) || !nest(&r.batch, LHS) || !nest(&r.m, LHS) ||
        !nest(&r.n, OUT) || !nest(&r.k, LHS))
        return false;
    *out = (struct thin_dot_spec){.table = m->table ? dtype_of(m->table) : DTYPE_INVALID};
    out->dot = (struct dot_spec){.lhs = dtype_of(m->dot->operands[!m->side]),
                                 .rhs = type_of_numbers(m),
                                 .out = dtype_of(&m->dot->results[0]),
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
           has_all_numbers(m->table, out->dot.rhs) && describe_parameter(m, &r, ZERO, &out->zero) &&
           describe_parameter(m, &r, SCALE, &out->scale) &&
           describe_parameter(m, &r, OFFSET, &out->offset) && thin_dot_spec_is_supported(out);
}

/* Bytes, where numbers are in their order, are faster than words. */
static bool describe(struct matrix *m, struct thin_dot_spec *out)
{
    const int bits = bits_of(dtype_of(m->numbers.value));
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
    struct matrix m = {.dot = dot, .side = side, .out = out};
    *out = (struct thin_dot){.lhs = dot->operands[!side]};
    if (!operand_view_begin(dot->operands[side], &m.numbers))
        return false;
    read_matrix(&m);
    if (m.is_full || constants_is_splat(m.numbers.value) || !describe(&m, &out->spec))
        return false;
    out->rhs = changed(m.numbers.value);
    out->zero = changed(m.parameters[ZERO].value);
    out->scale = changed(m.parameters[SCALE].value);
    out->offset = changed(m.parameters[OFFSET].value);
    out->table = m.table;
    reverse(out);
    return true;
}

static bool is_plain(const struct op *dot)
{
    return type_elements(dot->operands[0]->type) && type_elements(dot->operands[1]->type) &&
           dtype_is_float(dtype_of(dot->operands[0])) && dtype_is_float(dtype_of(dot->operands[1]));
}

bool thin_dot_of(struct op *dot, struct thin_dot *out)
{
    if (dot->code != OP_dot_general || !is_plain(dot))
        return false;
    const int large =
        type_elements(dot->operands[1]->type) >= type_elements(dot->operands[0]->type);
    return read_side(dot, large, out);
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
