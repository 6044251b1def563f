/* minus_zero.c: see minus_zero.h. */
#include "compiler/analysis/minus_zero.h"

#include <math.h>

#include "compiler/analysis/reducer.h"

enum { MAX_VISITS = 128 };

/* Arguments of loops for which the proof assumes what it shows of an iteration's results. */
struct assumed {
    const struct value *argument;
    const struct assumed *outer;
};

struct proof {
    int visits; /* left */
    const struct assumed *assumed;
    const struct value *shown[MAX_VISITS]; /* under what is assumed */
    int shown_count;
};

static bool is_plus(struct proof *proof, const struct value *value);

static bool is_constant_without(const struct op *op)
{
    const struct literal *literal = op->attrs.constant.value;
    if (type_elements(literal->type) < 1 || !literal_is_uniform(literal))
        return false;
    double number = dtype_to_double(literal->type->shape.dtype, literal->bytes);
    return number != 0 || !signbit(number);
}

static bool is_float(const struct value *value)
{
    return dtype_is_float(value->type->shape.dtype);
}

/* The exponent of the smallest positive number of a type, which is denormal. */
static int smallest_exponent(enum dtype dtype)
{
    const struct dtype_info *info = dtype_info(dtype);
    return 2 - info->exponent_bias - info->significand_bits;
}

/* Small negative numbers become -0 in a type without such small ones: bf16 in f16. */
static bool keeps_small_numbers(const struct op *convert)
{
    return smallest_exponent(convert->operands[0]->type->shape.dtype) >=
           smallest_exponent(convert->results[0].type->shape.dtype);
}

static bool is_converted(struct proof *proof, const struct op *convert)
{
    const struct value *from = convert->operands[0];
    return dtype_is_integer(from->type->shape.dtype) || from->type->shape.dtype == DTYPE_PRED ||
           (is_float(from) && keeps_small_numbers(convert) && is_plus(proof, from));
}

/* Sums of -0 alone are -0, but those that start with +0. */
static bool is_sum_from_plus(struct proof *proof, const struct op *op)
{
    return op->operand_count == 2 && reducer_of(op) == OP_add && is_plus(proof, op->operands[1]);
}

/* Elements of the operand, of the updates, or their sums. */
static bool is_scattered(struct proof *proof, const struct op *op)
{
    const struct block *body = op->regions[0];
    if (op->operand_count != 3 || !is_plus(proof, op->operands[0]))
        return false;
    return reducer_of(op) == OP_add ||
           (body->last->operands[0] == &body->arguments[1] && is_plus(proof, op->operands[2]));
}

/* By induction over the iterations. */
static bool is_carried(struct proof *proof, const struct op *loop, int index)
{
    struct assumed here = {&loop->regions[1]->arguments[index], proof->assumed};
    int shown_before = proof->shown_count;
    for (const struct assumed *at = proof->assumed; at; at = at->outer)
        if (at->argument == here.argument)
            return true;
    if (!is_plus(proof, loop->operands[index]))
        return false;
    proof->assumed = &here;
    bool is = is_plus(proof, loop->regions[1]->last->operands[index]);
    proof->assumed = here.outer;
    if (!is)
        proof->shown_count = shown_before;
    return is;
}

static bool is_argument(struct proof *proof, const struct value *value)
{
    const struct op *owner = value->block->owner;
    return owner && owner->code == OP_while && is_carried(proof, owner, value->index);
}

static bool is_returned(struct proof *proof, const struct op *branch, int index)
{
    for (int i = 0; i < branch->region_count; i++)
        if (!is_plus(proof, branch->regions[i]->last->operands[index]))
            return false;
    return true;
}

static bool are_plus(struct proof *proof, const struct op *op)
{
    for (int i = 0; i < op->operand_count; i++)
        if (!is_plus(proof, op->operands[i]))
            return false;
    return true;
}

static bool is_result(struct proof *proof, const struct op *op, int index)
{
    switch (op->code) {
    case OP_constant: return is_constant_without(op);
    case OP_abs:
    case OP_exponential:
    case OP_logistic:
    case OP_iota: return true;
    case OP_convert: return is_converted(proof, op);
    case OP_multiply: return op->operands[0] == op->operands[1];
    case OP_add: return is_plus(proof, op->operands[1]) || is_plus(proof, op->operands[0]);
    case OP_maximum:
    case OP_minimum:
    case OP_pad:
    case OP_dynamic_update_slice:
        return is_plus(proof, op->operands[0]) && is_plus(proof, op->operands[1]);
    case OP_select: return is_plus(proof, op->operands[1]) && is_plus(proof, op->operands[2]);
    case OP_reduce: return is_sum_from_plus(proof, op);
    case OP_scatter: return is_scattered(proof, op);
    case OP_concatenate: return are_plus(proof, op);
    case OP_case:
    case OP_if: return is_returned(proof, op, index);
    case OP_while: return is_carried(proof, op, index);
    case OP_subtract:
    case OP_broadcast_in_dim:
    case OP_dynamic_slice:
    case OP_gather:
    case OP_reshape:
    case OP_transpose:
    case OP_slice:
    case OP_reverse: return is_plus(proof, op->operands[0]);
    default: return false;
    }
}

static bool is_shown(const struct proof *proof, const struct value *value)
{
    for (int i = 0; i < proof->shown_count; i++)
        if (proof->shown[i] == value)
            return true;
    return false;
}

static bool is_plus(struct proof *proof, const struct value *value)
{
    if (is_shown(proof, value))
        return true;
    if (proof->visits-- <= 0)
        return false;
    bool is = value->def ? is_result(proof, value->def, value->index) : is_argument(proof, value);
    if (is)
        proof->shown[proof->shown_count++] = value;
    return is;
}

bool minus_zero_never(const struct value *value)
{
    struct proof proof = {.visits = MAX_VISITS};
    return is_float(value) && is_plus(&proof, value);
}
