/* contract.c: see contract.h. */
#include "compiler/passes/arithmetic/contract.h"

#include "compiler/analysis/nonnegative.h"

enum {
    MAX_VALUES = 8, /* in a set */
    MAX_STEPS = 64  /* operations of a polynomial */
};

/* Values of one block that determine an expression. */
struct inputs {
    struct value *values[MAX_VALUES];
    int count;
};

static bool is_constant(const struct value *value)
{
    const struct op *op = value->def;
    while (op && (op->code == OP_broadcast_in_dim || op->code == OP_convert))
        op = op->operands[0]->def;
    return op && op->code == OP_constant && literal_is_uniform(op->attrs.constant.value);
}

/* Adds a value unless it is constant or known. False if there are too many. */
static bool add_input(struct inputs *in, struct value *value)
{
    for (int i = 0; i < in->count; i++)
        if (in->values[i] == value)
            return true;
    if (is_constant(value))
        return true;
    if (in->count == MAX_VALUES)
        return false;
    in->values[in->count++] = value;
    return true;
}

static bool add_operands(struct inputs *in, const struct op *op)
{
    for (int i = 0; i < op->operand_count; i++)
        if (!add_input(in, op->operands[i]))
            return false;
    return true;
}

/* The operations of polynomials, also of several that a comparison selects from, and of roots. */
static bool is_polynomial(const struct op *op)
{
    switch (op ? op->code : OP_INVALID_CODE) {
    case OP_add:
    case OP_subtract:
    case OP_multiply:
    case OP_negate:
    case OP_sqrt:
    case OP_select:
    case OP_compare: return true;
    default: return false;
    }
}

/* Removes the value that is computed last, and returns its operation; NULL if that is an
 * argument or not part of a polynomial. Operations have their numbers as notes. */
static const struct op *take_last(struct inputs *in, const struct block *block)
{
    int last = 0;
    for (int i = 0; i < in->count; i++) {
        const struct op *def = in->values[i]->def, *latest = in->values[last]->def;
        if (def && def->block == block &&
            (!latest || latest->block != block || (intptr_t)def->note > (intptr_t)latest->note))
            last = i;
    }
    const struct op *op = in->values[last]->def;
    if (!is_polynomial(op) || op->block != block)
        return NULL;
    in->values[last] = in->values[--in->count];
    return op;
}

/* Whether an expression with these inputs is a polynomial of one value: replaces the last of them
 * by its operands until one is left. */
static bool is_polynomial_of_one(struct inputs *in, const struct block *block)
{
    for (int steps = 0; in->count > 1; steps++) {
        const struct op *op = steps < MAX_STEPS ? take_last(in, block) : NULL;
        if (!op || !add_operands(in, op))
            return false;
    }
    return true;
}

static bool is_float_product(const struct op *op)
{
    if (!op || op->code != OP_multiply)
        return false;
    enum dtype dtype = op->results[0].type->shape.dtype;
    return dtype_is_float(dtype) && dtype_info(dtype)->bits >= 16;
}

static bool is_candidate(const struct op *op)
{
    return is_float_product(op) && ir_has_one_use(&op->results[0]);
}

/* A product of a sum of squares. */
static bool contracts_into_sum(const struct op *product, const struct use *use)
{
    struct inputs in = {.count = 0};
    struct value *other = use->user->operands[1 - use->operand];
    return use->user->block == product->block && (!other->def || other->def->code != OP_multiply) &&
           nonnegative_is(&product->results[0]) && nonnegative_is(other) && add_input(&in, other) &&
           add_operands(&in, product) && is_polynomial_of_one(&in, product->block);
}

static bool contracts_into_reduce(const struct op *product, const struct use *use)
{
    struct inputs in = {.count = 0};
    const struct op *body = use->user->regions[0]->first;
    return use->user->operand_count == 2 && use->operand == 0 && body->code == OP_add &&
           nonnegative_is(&product->results[0]) && nonnegative_is(use->user->operands[1]) &&
           add_operands(&in, product) && is_polynomial_of_one(&in, product->block);
}

static bool contracts_into_exponential(const struct op *product)
{
    return product->results[0].type->shape.dtype == DTYPE_F32 &&
           is_constant(product->operands[0]) != is_constant(product->operands[1]);
}

/* The only use of a product, behind the reshape that reduce_split inserts. */
static const struct use *sole_use(const struct op *product)
{
    const struct use *use = product->results[0].uses;
    if (use->user->code != OP_reshape || !ir_has_one_use(&use->user->results[0]))
        return use;
    const struct use *next = use->user->results[0].uses;
    return next->user->code == OP_reduce ? next : use;
}

static bool contracts(const struct op *op)
{
    if (!is_candidate(op))
        return false;
    const struct use *use = sole_use(op);
    switch (use->user->code) {
    case OP_add: return contracts_into_sum(op, use);
    case OP_reduce: return contracts_into_reduce(op, use);
    case OP_exponential: return contracts_into_exponential(op);
    default: return false;
    }
}

/* The operation that computes the operand of a user for nothing else: a copy, if others use it. */
static struct op *make_own(struct module *module, struct op *user, int operand)
{
    struct op *op = user->operands[operand]->def;
    if (ir_has_one_use(&op->results[0]))
        return op;
    struct op *copy = ir_clone(module, op, map_create(module->arena));
    ir_insert_before(user, copy);
    ir_set_operand(module, user, operand, &copy->results[0]);
    return copy;
}

/* Contracts the product in the distance |x y - constant| from its target. */
static void contract_distance(struct module *module, struct op *distance)
{
    const struct op *sum = distance->operands[0]->def;
    if (!sum || sum->block != distance->block || (sum->code != OP_subtract && sum->code != OP_add))
        return;
    int product = is_constant(sum->operands[0]) ? 1 : 0;
    const struct op *def = sum->operands[product]->def;
    if (is_float_product(def) && def->block == sum->block &&
        is_constant(sum->operands[1 - product]))
        make_own(module, make_own(module, distance, 0), product)->attrs.multiply.contracts = true;
}

static void visit_block(struct module *module, struct block *block)
{
    intptr_t number = 0;
    for (struct op *op = block->first; op; op = op->next) {
        op->note = (void *)++number;
        if (op_info(op->code)->traits & OP_CONTROL)
            for (int i = 0; i < op->region_count; i++)
                visit_block(module, op->regions[i]);
        if (op->code == OP_abs)
            contract_distance(module, op);
        if (contracts(op))
            op->attrs.multiply.contracts = true;
    }
}

struct error *contract_run(struct module *module, const struct target *target)
{
    (void)target;
    for (struct func *func = module->first; func; func = func->next)
        visit_block(module, func->body);
    return NULL;
}
