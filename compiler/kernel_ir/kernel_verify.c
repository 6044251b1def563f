#include "compiler/kernel_ir/kernel_verify.h"

#include "compiler/kernel_ir/kernel_rules.h"

/* ---- structure ------------------------------------------------------------------------------- */
static struct error *verify_block(const struct kernel_scope *scope, const struct kernel_op *parent,
                                  const struct kernel_block *block, int depth);

static bool is_terminator(enum kernel_code code)
{
    return code == KERNEL_YIELD || code == KERNEL_CONDITION || code == KERNEL_TPU_YIELD ||
           code == KERNEL_RETURN;
}

static struct error *verify_op(const struct kernel_scope *scope, const struct kernel_op *op,
                               int depth)
{
    TRY(kernel_rules_check(scope, op));
    for (int i = 0; i < op->region_count; i++)
        TRY(verify_block(scope, op, &op->regions[i], depth + 1));
    return NULL;
}

/* The values that a terminator hands on, of the types that its parent expects. */
static struct error *verify_terminator(const struct kernel_scope *scope,
                                       const struct kernel_op *parent,
                                       const struct kernel_block *block, const struct kernel_op *op)
{
    if (!parent)
        return op->code == KERNEL_RETURN
                   ? NULL
                   : kernel_rules_fail(scope, op, "a function ends with func.return");
    return kernel_rules_terminator(scope, parent, (int)(block - parent->regions), op);
}

enum { MAX_DEPTH = 256 };

static struct error *verify_block(const struct kernel_scope *scope, const struct kernel_op *parent,
                                  const struct kernel_block *block, int depth)
{
    const struct kernel_op *last = NULL;
    if (depth > MAX_DEPTH)
        return kernel_rules_fail(scope, parent, "regions are nested deeper than %d", MAX_DEPTH);
    for (const struct kernel_op *op = block->first; op; op = op->next) {
        if (is_terminator(op->code) && op->next)
            return kernel_rules_fail(scope, op, "must be the last operation of its block");
        TRY(verify_op(scope, op, depth));
        last = op;
    }
    if (last && is_terminator(last->code))
        return verify_terminator(scope, parent, block, last);
    if (parent && !block->first && parent->result_count == 0 && parent->code == KERNEL_IF)
        return NULL; /* no else */
    return ERROR(INVALID_ARGUMENT, "kernel '%s': a block of function %s has no terminator",
                 scope->kernel->name, scope->function->name);
}

/* ---- windows --------------------------------------------------------------------------------- */
static struct error *verify_window(const struct kernel *kernel, int i)
{
    const struct kernel_window *window = &kernel->windows[i];
    const struct kernel_type *array = kernel_array(kernel, i)->type;
    const struct kernel_block *body = window->is_present ? &window->transform->body : NULL;
    const struct kernel_op *last = body ? body->first : NULL;
    if (!window->is_present)
        return NULL;
    while (last && last->next)
        last = last->next;
    if (body->argument_count != kernel->grid_rank + kernel->prefetch_count || !last ||
        last->operand_count != window->bounds.count)
        return ERROR(INVALID_ARGUMENT,
                     "kernel '%s': index map %s of array %d has %d arguments and %d results; "
                     "expected %d (grid and scalar prefetch) and %lld (dimensions of the block)",
                     kernel->name, window->transform->name, i, body->argument_count,
                     last ? last->operand_count : 0, kernel->grid_rank + kernel->prefetch_count,
                     (long long)window->bounds.count);
    for (int k = 0; k < last->operand_count; k++)
        if (last->operands[k]->type->kind != KERNEL_SCALAR ||
            !dtype_is_integer(last->operands[k]->type->dtype))
            return ERROR(INVALID_ARGUMENT, "kernel '%s': index map %s must give integers",
                         kernel->name, window->transform->name);
    for (int k = 0; k < body->argument_count; k++)
        if (!kernel_rules_same_type(body->arguments[k].type, kernel->main->body.arguments[k].type))
            return ERROR(INVALID_ARGUMENT,
                         "kernel '%s': argument %d of index map %s is not of the type that the "
                         "kernel's argument has",
                         kernel->name, k, window->transform->name);
    if (window->bounds.count > KERNEL_MAX_RANK)
        return ERROR(INVALID_ARGUMENT, "kernel '%s': window %d has too many dimensions",
                     kernel->name, i);
    for (int64_t k = 0, at = 0; k < window->bounds.count; k++) {
        /* Dimensions of size 1 may be squeezed out of the argument. */
        bool is_same = at < array->rank && array->dims[at] == window->bounds.at[k];
        at += is_same;
        if (window->bounds.at[k] < 1 || (!is_same && window->bounds.at[k] != 1) ||
            (k == window->bounds.count - 1 && at != array->rank))
            return ERROR(INVALID_ARGUMENT,
                         "kernel '%s': the block of window %d does not have the shape of the "
                         "kernel's argument",
                         kernel->name, i);
    }
    return NULL;
}

static struct error *verify_arguments(const struct kernel *kernel)
{
    for (int i = 0; i < kernel->main->body.argument_count; i++) {
        const struct kernel_type *type = kernel->main->body.arguments[i].type;
        bool is_index = i < kernel->grid_rank;
        if ((type->kind == KERNEL_REF) == is_index || type->kind == KERNEL_VECTOR ||
            (is_index && type->dtype != DTYPE_S32) ||
            (type->elements == KERNEL_DYNAMIC && i < kernel->grid_rank + kernel->prefetch_count))
            return ERROR(INVALID_ARGUMENT, "kernel '%s': argument %d must be %s", kernel->name, i,
                         is_index ? "an index of the grid, i32" : "a reference of a known size");
    }
    for (int i = 0; i < kernel->scratch_count; i++)
        if (kernel_scratch(kernel, i)->type->elements == KERNEL_DYNAMIC)
            return ERROR(INVALID_ARGUMENT, "kernel '%s': scratch %d has no known size",
                         kernel->name, i);
    return NULL;
}

struct error *kernel_verify(const struct kernel *kernel)
{
    TRY(verify_arguments(kernel));
    for (int i = 0; i < kernel->function_count; i++) {
        struct kernel_scope scope = {.kernel = kernel, .function = &kernel->functions[i]};
        TRY(verify_block(&scope, NULL, &kernel->functions[i].body, 0));
    }
    for (int i = 0; i < kernel->array_count; i++)
        TRY(verify_window(kernel, i));
    return NULL;
}

/* ---- the call -------------------------------------------------------------------------------- */
int kernel_dynamic_bounds(const struct kernel *kernel)
{
    int count = 0;
    for (int i = 0; i < kernel->grid_rank; i++)
        count += kernel->grid[i] == KERNEL_DYNAMIC;
    return count;
}

static bool matches(const struct kernel_type *type, const struct shape *shape)
{
    bool same_width = type->semaphore == KERNEL_NO_SEMAPHORE
                          ? dtype_bytes(type->dtype) == dtype_bytes(shape->dtype)
                          : dtype_is_integer(shape->dtype) && type->elements != KERNEL_DYNAMIC;
    if (!same_width || type->rank != shape->rank)
        return false;
    for (int i = 0; i < type->rank; i++)
        if (type->dims[i] != shape->dims[i] && type->dims[i] != KERNEL_DYNAMIC)
            return false;
    return true;
}

static struct error *verify_array(const struct kernel *kernel, int i, const struct shape *shape)
{
    const struct kernel_type *type = kernel_array(kernel, i)->type;
    const struct kernel_window *window = &kernel->windows[i];
    char text[128];
    kernel_type_print(type, text, sizeof text);
    bool fits = window->is_present ? window->bounds.count == shape->rank &&
                                         dtype_bytes(type->dtype) == dtype_bytes(shape->dtype)
                                   : matches(type, shape);
    if (fits)
        return NULL;
    return ERROR(INVALID_ARGUMENT,
                 "kernel '%s': array %d of the call has %d dimensions of %s; the kernel's argument "
                 "is %s%s",
                 kernel->name, i, shape->rank, dtype_name(shape->dtype),
                 window->is_present ? "a block " : "", text);
}

struct error *kernel_verify_call(const struct kernel *kernel, int operand_count,
                                 const struct shape *operands, int result_count,
                                 const struct shape *results)
{
    int first = kernel_dynamic_bounds(kernel) + kernel->prefetch_count;
    if (operand_count + result_count != first + kernel->array_count || operand_count < first)
        return ERROR(INVALID_ARGUMENT,
                     "kernel '%s': the call has %d operands and %d results; the kernel has %d "
                     "dynamic bounds, %d prefetched scalars and %d arrays",
                     kernel->name, operand_count, result_count, kernel_dynamic_bounds(kernel),
                     kernel->prefetch_count, kernel->array_count);
    for (int i = 0; i < kernel_dynamic_bounds(kernel); i++)
        if (shape_elements(&operands[i]) != 1 || operands[i].dtype != DTYPE_S32)
            return ERROR(INVALID_ARGUMENT,
                         "kernel '%s': operand %d must be a bound of the grid, a scalar of s32",
                         kernel->name, i);
    for (int i = 0; i < kernel->prefetch_count; i++) {
        const struct kernel_type *type = kernel_prefetch(kernel, i)->type;
        const struct shape *shape = &operands[kernel_dynamic_bounds(kernel) + i];
        if (shape_elements(shape) != type->elements ||
            dtype_bytes(shape->dtype) != dtype_bytes(type->dtype))
            return ERROR(INVALID_ARGUMENT,
                         "kernel '%s': prefetched operand %d is not of the size that the kernel "
                         "expects",
                         kernel->name, i);
    }
    for (int i = 0; i < kernel->array_count; i++)
        TRY(verify_array(kernel, i,
                         first + i < operand_count ? &operands[first + i]
                                                   : &results[first + i - operand_count]));
    return NULL;
}
