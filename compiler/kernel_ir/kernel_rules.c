#include "compiler/kernel_ir/kernel_rules.h"

#include <stdio.h>

/* The location in MLIR's form, on a line of its own: of such errors of "Mosaic" JAX makes a
 * MosaicError with a traceback into the kernel (jax/_src/pallas/mosaic/error_handling.py). */
static void print_location(const char *kernel, const struct kernel_op *op, char *out, size_t size)
{
    const struct location *location = op->location;
    const char *name = location && location->name ? location->name : kernel_op_info(op->code)->name;
    *out = 0;
    if (location && location->file)
        snprintf(out, size, "\nloc(\"%s\"(\"%s\"(\"%s\":%d:%d)))", name, kernel, location->file,
                 location->line, location->column);
    else if (location)
        snprintf(out, size, "\nloc(\"%s\")", name);
}

struct error *kernel_rules_fail(const struct kernel_scope *scope, const struct kernel_op *op,
                                const char *format, ...)
{
    char where[512], text[1024], location[1024];
    const char *kernel = scope->kernel->name;
    va_list arguments;
    kernel_op_where(op, where, sizeof where);
    print_location(kernel, op, location, sizeof location);
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return ERROR(INVALID_ARGUMENT, "kernel '%s': %s: %s%s", kernel, where, text, location);
}

/* ---- types ----------------------------------------------------------------------------------- */
bool kernel_rules_same_shape(const struct kernel_type *a, const struct kernel_type *b)
{
    if (a->kind != b->kind || a->rank != b->rank)
        return false;
    for (int i = 0; i < a->rank; i++)
        if (a->dims[i] != b->dims[i])
            return false;
    return true;
}

bool kernel_rules_same_type(const struct kernel_type *a, const struct kernel_type *b)
{
    return kernel_rules_same_shape(a, b) && a->dtype == b->dtype && a->semaphore == b->semaphore;
}

bool kernel_rules_in_range(struct dims list, int64_t low, int64_t high)
{
    for (int64_t i = 0; i < list.count; i++)
        if (list.at[i] < low || list.at[i] > high)
            return false;
    return true;
}

static bool is_integer_scalar(const struct kernel_type *type)
{
    return type->kind == KERNEL_SCALAR && dtype_is_integer(type->dtype);
}

static bool is_condition(const struct kernel_type *type)
{
    return type->kind == KERNEL_SCALAR && type->dtype == DTYPE_PRED;
}

/* ---- control --------------------------------------------------------------------------------- */
static bool same_types(int count, const struct kernel_value *const *a, const struct kernel_value *b)
{
    for (int i = 0; i < count; i++)
        if (!kernel_rules_same_type(a[i]->type, b[i].type))
            return false;
    return true;
}

static struct error *check_for(const struct kernel_scope *scope, const struct kernel_op *op)
{
    const struct kernel_block *body = &op->regions[0];
    int carried = op->operand_count - 3;
    if (carried < 0 || !is_integer_scalar(op->operands[0]->type) ||
        !kernel_rules_same_type(op->operands[0]->type, op->operands[1]->type) ||
        !kernel_rules_same_type(op->operands[0]->type, op->operands[2]->type))
        return kernel_rules_fail(scope, op, "bounds and step must be integers of one type");
    if (op->result_count != carried || body->argument_count != carried + 1 ||
        !kernel_rules_same_type(body->arguments[0].type, op->operands[0]->type) ||
        !same_types(carried, op->operands + 3, body->arguments + 1) ||
        !same_types(carried, op->operands + 3, op->results))
        return kernel_rules_fail(scope, op, "carried values and results differ in type");
    return NULL;
}

static struct error *check_while(const struct kernel_scope *scope, const struct kernel_op *op)
{
    const struct kernel_block *before = &op->regions[0], *after = &op->regions[1];
    if (before->argument_count != op->operand_count ||
        !same_types(op->operand_count, op->operands, before->arguments) ||
        after->argument_count != op->result_count)
        return kernel_rules_fail(scope, op, "carried values and results differ in type");
    for (int i = 0; i < op->result_count; i++)
        if (!kernel_rules_same_type(op->results[i].type, after->arguments[i].type))
            return kernel_rules_fail(scope, op, "result %d and its argument differ in type", i);
    return NULL;
}

static struct error *check_control(const struct kernel_scope *scope, const struct kernel_op *op)
{
    switch (op->code) {
    case KERNEL_IF:
    case KERNEL_ASSERT:
        return is_condition(op->operands[0]->type)
                   ? NULL
                   : kernel_rules_fail(scope, op, "the condition must be an i1");
    case KERNEL_INDEX_SWITCH:
        if (!is_integer_scalar(op->operands[0]->type) ||
            op->region_count != op->attrs->sizes.count + 1)
            return kernel_rules_fail(scope, op, "needs an index and a region for each case");
        return NULL;
    case KERNEL_FOR: return check_for(scope, op);
    case KERNEL_WHILE: return check_while(scope, op);
    case KERNEL_CONDITION:
        return op->operand_count > 0 && is_condition(op->operands[0]->type)
                   ? NULL
                   : kernel_rules_fail(scope, op, "the condition must be an i1");
    default: return NULL;
    }
}

/* What a region of an operation hands its values to. */
static const struct kernel_value *targets(const struct kernel_op *parent, int region, int *count)
{
    if (parent->code == KERNEL_WHILE && region == 1) {
        *count = parent->regions[0].argument_count;
        return parent->regions[0].arguments;
    }
    *count = parent->result_count;
    return parent->results;
}

struct error *kernel_rules_terminator(const struct kernel_scope *scope,
                                      const struct kernel_op *parent, int region,
                                      const struct kernel_op *op)
{
    int count, skipped = op->code == KERNEL_CONDITION;
    const struct kernel_value *to = targets(parent, region, &count);
    bool wants_condition = parent->code == KERNEL_WHILE && region == 0;
    if (op->code == KERNEL_RETURN || wants_condition != (op->code == KERNEL_CONDITION))
        return kernel_rules_fail(scope, op, "cannot end a block of %s",
                                 kernel_op_info(parent->code)->name);
    if (op->operand_count - skipped != count || !same_types(count, op->operands + skipped, to))
        return kernel_rules_fail(scope, op, "its values are not of the types that %s expects",
                                 kernel_op_info(parent->code)->name);
    return NULL;
}

/* ---- queries, random numbers, prints --------------------------------------------------------- */
static struct error *check_print(const struct kernel_scope *scope, const struct kernel_op *op)
{
    enum kernel_type_kind kind = op->code == KERNEL_TPU_LOG ? KERNEL_SCALAR : KERNEL_REF;
    for (int i = 0; i < op->operand_count; i++)
        if (op->operands[i]->type->kind != kind ||
            op->operands[i]->type->semaphore != KERNEL_NO_SEMAPHORE)
            return kernel_rules_fail(scope, op, "prints %s",
                                     kind == KERNEL_SCALAR ? "scalars" : "a reference to numbers");
    return op->attrs->text ? NULL : kernel_rules_fail(scope, op, "the attribute tag is missing");
}

static struct error *check_rest(const struct kernel_scope *scope, const struct kernel_op *op)
{
    for (int i = 0; i < op->operand_count && op->code == KERNEL_PRNG_SET_SEED; i++)
        if (!is_integer_scalar(op->operands[i]->type))
            return kernel_rules_fail(scope, op, "a seed must be an integer");
    if (op->code == KERNEL_MEMREF_DIM)
        return op->operands[0]->type->kind == KERNEL_REF &&
                       is_integer_scalar(op->operands[1]->type) &&
                       is_integer_scalar(op->results[0].type)
                   ? NULL
                   : kernel_rules_fail(scope, op, "needs a reference and an index");
    if (op->code == KERNEL_MEMORY_SPACE_IS)
        return op->operands[0]->type->kind == KERNEL_REF && is_condition(op->results[0].type)
                   ? NULL
                   : kernel_rules_fail(scope, op, "needs a reference and gives an i1");
    if (op->result_count == 1 && op->code == KERNEL_PRNG_BITS)
        return op->results[0].type->kind != KERNEL_REF &&
                       dtype_bytes(op->results[0].type->dtype) == 4
                   ? NULL
                   : kernel_rules_fail(scope, op, "random bits have 32 bits an element");
    if (op->result_count == 1 && !is_integer_scalar(op->results[0].type))
        return kernel_rules_fail(scope, op, "the result must be an integer");
    if (op->code == KERNEL_ITERATION_BOUND &&
        (op->attrs->axis < 0 || op->attrs->axis >= scope->kernel->grid_rank))
        return kernel_rules_fail(scope, op, "dimension %lld of a grid of %d",
                                 (long long)op->attrs->axis, scope->kernel->grid_rank);
    return NULL;
}

struct error *kernel_rules_check(const struct kernel_scope *scope, const struct kernel_op *op)
{
    switch (kernel_op_info(op->code)->class) {
    case KERNEL_CLASS_CONSTANT:
    case KERNEL_CLASS_SHAPE:
    case KERNEL_CLASS_REDUCTION:
    case KERNEL_CLASS_MXU:
    case KERNEL_CLASS_MATRIX: return kernel_rules_shape(scope, op);
    case KERNEL_CLASS_ELEMENTWISE: return kernel_rules_elementwise(scope, op);
    case KERNEL_CLASS_LOAD:
    case KERNEL_CLASS_STORE:
    case KERNEL_CLASS_VIEW:
    case KERNEL_CLASS_ALLOCATE:
    case KERNEL_CLASS_DMA:
    case KERNEL_CLASS_SEMAPHORE: return kernel_rules_memory(scope, op);
    case KERNEL_CLASS_CONTROL: return check_control(scope, op);
    case KERNEL_CLASS_PRINT: return check_print(scope, op);
    default: return check_rest(scope, op);
    }
}
