/* thin_matrix.c: see thin_matrix.h. */
#include "compiler/schedule/thin_matrix.h"

#include "compiler/analysis/constants.h"
#include "compiler/program/thin_dot_spec.h"
#include "compiler/schedule/exact_conversion.h"
#include "compiler/schedule/look_up.h"

/* ---- the operations between the numbers and the product -------------------------------------- */
static void note(struct thin_matrix *m, struct op *op)
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
static bool is_closed(const struct thin_matrix *m)
{
    const struct op *owner = m->dot->block->owner;
    return owner && owner->code == OP_fusion;
}

static bool is_here(const struct thin_matrix *m, const struct value *value)
{
    return value->def && value->def->block == m->dot->block;
}

/* Follows numbers that share elements to those. */
static bool follow_bits(struct thin_matrix *m)
{
    struct op *op = m->numbers.value->def;
    if (!is_here(m, m->numbers.value) || !operand_view_step_bits(&m->numbers))
        return false;
    note(m, op);
    return true;
}

/* Follows numbers of a table to their indices. */
static bool follow_table(struct thin_matrix *m)
{
    struct op *op = m->numbers.value->def;
    if (!is_here(m, m->numbers.value) || m->table || m->numbers.fields || !look_up_is(op) ||
        !dtype_is_float(ir_dtype(m->numbers.value)))
        return false;
    m->table = op->operands[0];
    m->numbers.value = op->operands[1];
    note(m, op);
    return true;
}

/* Follows numbers of f32 to integers of 32 bits that are rounded: those that the step decodes are
 * small, or minus a zero point, which it subtracts as integers do. */
static bool follow_rounded(struct thin_matrix *m)
{
    struct op *op = m->numbers.value->def;
    if (!is_here(m, m->numbers.value) || m->numbers.fields || op->code != OP_convert ||
        ir_dtype(m->numbers.value) != DTYPE_F32 || ir_dtype(op->operands[0]) != DTYPE_S32)
        return false;
    m->numbers.value = op->operands[0];
    note(m, op);
    return true;
}

/* Follows a value to the operand of what moves or converts its elements. */
static bool follow(struct thin_matrix *m, struct operand_view *view)
{
    struct op *op = view->value->def;
    if (!is_here(m, view->value))
        return false;
    if (op->code == OP_convert && !view->fields &&
        (is_closed(m) || exact_conversion_is(op->operands[0], ir_dtype(view->value))))
        view->value = op->operands[0];
    else if (!operand_view_step(view))
        return false;
    note(m, op);
    return true;
}

/* Whether a value repeats the elements of a smaller array, which is then a parameter. */
static bool read_parameter(struct thin_matrix *m, const struct operand_view *at,
                           struct value *value, struct operand_view *out)
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
static bool read_operation(struct thin_matrix *m, int which, int last_operand)
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

bool thin_matrix_has(const struct thin_matrix *m, int which)
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
static bool is_difference(const struct thin_matrix *m, const struct op *subtract)
{
    if (is_closed(m))
        return true;
    return (thin_matrix_has(m, THIN_MATRIX_SCALE) || !is_behind_product(subtract->operands[0])) &&
           (ir_dtype(m->numbers.value) == DTYPE_S32 || exact_conversion_difference(subtract));
}

static bool read_arithmetic(struct thin_matrix *m)
{
    struct op *op = m->numbers.value->def;
    if (!is_here(m, m->numbers.value) || thin_matrix_has(m, THIN_MATRIX_ZERO) ||
        m->numbers.fields || m->table)
        return false;
    const bool is_float = dtype_is_float(ir_dtype(m->numbers.value));
    if (op->code == OP_multiply && is_float && !thin_matrix_has(m, THIN_MATRIX_SCALE))
        return read_operation(m, THIN_MATRIX_SCALE, 0);
    if (op->code == OP_subtract && is_difference(m, op))
        return read_operation(m, THIN_MATRIX_ZERO, 1);
    if (op->code == OP_add && is_float && !thin_matrix_has(m, THIN_MATRIX_SCALE) &&
        !thin_matrix_has(m, THIN_MATRIX_OFFSET) &&
        (is_closed(m) || is_behind_product(op->operands[0]) || is_behind_product(op->operands[1])))
        return read_operation(m, THIN_MATRIX_OFFSET, 0);
    return false;
}

/* Whether rounding f32 to a type changes nothing but the last bits of normal numbers. */
static bool has_range_of_f32(enum dtype dtype)
{
    return dtype == DTYPE_F32 || dtype == DTYPE_BF16;
}

/* The same where the result is rounded to floats of fewer bits, as clients spell an operation of
 * these. */
static bool read_rounded_arithmetic(struct thin_matrix *m)
{
    const struct thin_matrix before = *m;
    const struct thin_dot out = *m->out;
    struct op *op = m->numbers.value->def;
    if (!is_here(m, m->numbers.value) || m->numbers.fields || op->code != OP_convert ||
        !has_range_of_f32(ir_dtype(m->numbers.value)) ||
        !has_range_of_f32(ir_dtype(op->operands[0])))
        return false;
    m->numbers.value = op->operands[0];
    note(m, op);
    while (follow(m, &m->numbers))
        continue;
    if (read_arithmetic(m))
        return true;
    *m = before;
    *m->out = out;
    return false;
}

enum dtype thin_matrix_dtype(const struct thin_matrix *m)
{
    return m->numbers.fields ? m->numbers.fields : ir_dtype(m->numbers.value);
}

/* Follows the matrix as far as its numbers are of types that are decoded. */
static void read_matrix(struct thin_matrix *m)
{
    note(m, m->dot);
    struct thin_matrix decoded = *m;
    struct thin_dot out = *m->out;
    while (follow(m, &m->numbers) || follow_rounded(m) || follow_bits(m) || follow_table(m) ||
           read_arithmetic(m) || read_rounded_arithmetic(m))
        if (thin_dot_spec_is_decoded(thin_matrix_dtype(m)))
            decoded = *m, out = *m->out;
    out.source = (struct value *)(uintptr_t)m->numbers.value;
    *m = decoded;
    *m->out = out;
}

bool thin_matrix_read(struct op *dot, int side, struct thin_dot *out, struct thin_matrix *m)
{
    *m = (struct thin_matrix){.dot = dot, .side = side, .out = out};
    *out = (struct thin_dot){.lhs = dot->operands[!side]};
    if (!operand_view_begin(dot->operands[side], &m->numbers))
        return false;
    read_matrix(m);
    return !m->is_full && !constants_is_splat(m->numbers.value);
}
