#include "compiler/passes/dynamic/refine.h"

#include <string.h>

#include "compiler/ir/infer.h"
#include "compiler/passes/cleanup/inline.h"
#include "compiler/passes/dynamic/refine_calls.h"
#include "compiler/passes/expand/dynamic.h"
#include "compiler/passes/fold/fold.h"
#include "compiler/passes/rewrite/rewrite.h"
#include "compiler/passes/rewrite/unused_functions.h"

struct refiner {
    struct module *module;
    struct map *open; /* functions whose bodies are being refined: a call of one is recursion */
    int64_t operations, limit;
    int depth;
};

/* ---- types ----------------------------------------------------------------------------------- */

static bool is_dynamic(const struct type *type)
{
    for (int i = 0; type && type->kind == TYPE_TUPLE && i < type->element_count; i++)
        if (is_dynamic(type->elements[i]))
            return true;
    return type && type_is_dynamic(type);
}

static bool any_dynamic(const struct value *values, int count)
{
    for (int i = 0; i < count; i++)
        if (is_dynamic(values[i].type))
            return true;
    return false;
}

static bool block_is_dynamic(const struct block *block)
{
    if (any_dynamic(block->arguments, block->argument_count))
        return true;
    for (const struct op *op = block->first; op; op = op->next) {
        if (any_dynamic(op->results, op->result_count))
            return true;
        for (int r = 0; r < op->region_count; r++)
            if (op->regions[r] && block_is_dynamic(op->regions[r]))
                return true;
    }
    return false;
}

static bool module_is_dynamic(const struct module *module)
{
    for (const struct func *func = module->first; func; func = func->next)
        if (func->body && block_is_dynamic(func->body))
            return true;
    return false;
}

/* Whether the declared type, which may have unknown sizes, admits a static type. */
static bool admits(const struct type *declared, const struct type *type)
{
    if (declared->kind != type->kind || declared->shape.rank != type->shape.rank ||
        declared->shape.dtype != type->shape.dtype)
        return false;
    for (int i = 0; i < type->shape.rank; i++)
        if (declared->shape.dims[i] != SHAPE_DYNAMIC &&
            declared->shape.dims[i] != type->shape.dims[i])
            return false;
    return true;
}

static struct error *mismatch(const struct refiner *r, const struct op *op, const char *what, int i,
                              const struct type *declared, const struct type *type)
{
    struct arena *arena = r->module->arena;
    return ERROR(INVALID_ARGUMENT, "%s: %s %d is declared as %s, but has the type %s",
                 ir_where(arena, op), what, i, type_text(arena, declared), type_text(arena, type));
}

/* ---- operations whose types are inferred ----------------------------------------------------- */

/* Operations that keep the sizes of their operand, and whose declared element type counts. Type
 * inference needs it. A bitcast_convert may add or drop the last dimension, which is static. */
static bool has_sizes_of_operand(const struct op *op)
{
    switch (op->code) {
    case OP_convert:
    case OP_bitcast_convert:
    case OP_uniform_quantize:
    case OP_uniform_dequantize:
    case OP_sharding_constraint:
    case OP_all_reduce:
    case OP_cross_replica_sum:
    case OP_collective_permute:
    case OP_collective_broadcast:
    case OP_set_dimension_size: return true;
    case OP_custom_call: return op->operand_count == 1 && op->result_count == 1;
    default: return false;
    }
}

static struct error *copy_sizes(const struct refiner *r, struct op *op, int i)
{
    const struct type *declared = op->results[i].type;
    const struct type *from = i < op->operand_count ? op->operands[i]->type : NULL;
    int64_t dims[SHAPE_MAX_RANK];
    if (!from || from->kind != TYPE_TENSOR)
        return NULL;
    for (int k = 0; k < declared->shape.rank; k++) {
        bool known = declared->shape.dims[k] != SHAPE_DYNAMIC || k >= from->shape.rank;
        dims[k] = known ? declared->shape.dims[k] : from->shape.dims[k];
    }
    op->results[i].type = type_with_sizes(r->module->arena, declared, dims);
    return NULL;
}

/* Lets type inference find the unknown result types: it sets those that are NULL. */
static struct error *infer_sizes(const struct refiner *r, struct op *op)
{
    struct arena *arena = r->module->arena;
    const struct type **declared =
        ARENA_ARRAY(arena, const struct type *, (size_t)op->result_count);
    for (int i = 0; i < op->result_count; i++) {
        declared[i] = op->results[i].type;
        if (is_dynamic(declared[i]))
            op->results[i].type = NULL;
    }
    TRY(infer_op(arena, op));
    for (int i = 0; i < op->result_count; i++) {
        const struct type *type = op->results[i].type;
        if (declared[i] == type || !declared[i] || type->kind != TYPE_TENSOR)
            continue;
        if (!admits(declared[i], type_with_dtype(arena, type, declared[i]->shape.dtype)))
            return mismatch(r, op, "result", i, declared[i], type);
        op->results[i].type = type_with_sizes(arena, declared[i], type->shape.dims);
    }
    return NULL;
}

static struct error *refine_results(const struct refiner *r, struct op *op)
{
    if (!any_dynamic(op->results, op->result_count))
        return NULL;
    for (int i = 0; has_sizes_of_operand(op) && i < op->result_count; i++)
        if (type_is_dynamic(op->results[i].type))
            TRY(copy_sizes(r, op, i));
    return infer_sizes(r, op);
}

/* ---- calls and regions ----------------------------------------------------------------------- */

static struct error *refine_range(struct refiner *r, struct op *first, const struct op *end);

static struct error *check_call(const struct refiner *r, const struct op *op,
                                const struct func *callee)
{
    struct arena *arena = r->module->arena;
    if (!callee || !callee->body || !callee->body->last || callee->body->last->code != OP_return ||
        callee->body->argument_count != op->operand_count ||
        callee->body->last->operand_count != op->result_count)
        return ERROR(INVALID_ARGUMENT,
                     "%s: the called function %s has no body, or another number of arguments or "
                     "results",
                     ir_where(arena, op), callee ? callee->name : "(unknown)");
    if (map_get_pointer(r->open, callee))
        return ERROR(INVALID_ARGUMENT, "%s: %s calls itself; recursion is unsupported",
                     ir_where(arena, op), callee->name);
    for (int i = 0; i < op->operand_count; i++)
        if (!admits(callee->body->arguments[i].type, op->operands[i]->type))
            return mismatch(r, op, "argument", i, callee->body->arguments[i].type,
                            op->operands[i]->type);
    return NULL;
}

/* chlo.scan has attributes that its decomposition does not follow (cleanup/inline.c). */
static bool is_scan(const struct op *op)
{
    struct string name = op->code == OP_composite ? op->attrs.composite.name : (struct string){0};
    return name.size == 9 && !memcmp(name.data, "chlo.scan", 9);
}

static int64_t count_operations(const struct block *block)
{
    int64_t count = 0;
    for (const struct op *op = block->first; op; op = op->next) {
        count++;
        for (int i = 0; i < op->region_count; i++)
            count += op->regions[i] ? count_operations(op->regions[i]) : 0;
    }
    return count;
}

static struct error *charge(struct refiner *r, const struct op *op, const struct block *body)
{
    r->operations += count_operations(body);
    return !r->limit || r->operations <= r->limit
               ? NULL
               : ERROR(RESOURCE_EXHAUSTED,
                       "%s: inlining this call gives the program more than %lld operations, the "
                       "limit for its size",
                       ir_where(r->module->arena, op), (long long)r->limit);
}

/* Replaces a call by the body of its function, and refines that. */
static struct error *refine_call(struct refiner *r, struct op *op)
{
    struct func *callee =
        op->code == OP_call ? op->attrs.call.callee : op->attrs.composite.decomposition;
    struct value **results =
        ARENA_ARRAY(r->module->arena, struct value *, (size_t)op->result_count);
    struct op *before = op->previous;
    struct block *block = op->block;
    TRY(check_call(r, op, callee));
    if (is_scan(op))
        return ERROR(UNIMPLEMENTED, "%s: chlo.scan with unknown sizes is unsupported",
                     ir_where(r->module->arena, op));
    TRY(charge(r, op, callee->body));
    TRY(ir_inline_block(r->module, callee->body, op->operand_count, op->operands, op,
                        op->result_count, results));
    for (int i = 0; i < op->result_count; i++)
        ir_replace_uses(r->module, &op->results[i], results[i]);
    map_put_pointer(r->open, callee, callee);
    TRY(refine_range(r, before ? before->next : block->first, op));
    map_put_pointer(r->open, callee, NULL);
    ir_remove(op);
    return NULL;
}

/* A loop's regions take the types of its operands, and its constants where the body passes them
 * on: sizes that a loop carries. */
static void bind_loop(const struct refiner *r, struct op *op)
{
    struct block *body = op->region_count == 2 ? op->regions[1] : NULL;
    for (int k = 0; k < op->region_count; k++)
        for (int i = 0; op->regions[k] && i < op->regions[k]->argument_count; i++) {
            struct value *argument = &op->regions[k]->arguments[i];
            if (i >= op->operand_count || !op->operands[i])
                return;
            if (is_dynamic(argument->type))
                argument->type = op->operands[i]->type;
            const struct op *last = body ? body->last : NULL;
            bool invariant = last && i < last->operand_count && i < body->argument_count &&
                             last->operands[i] == &body->arguments[i];
            const struct op *def = op->operands[i]->def;
            if (invariant && def && def->code == OP_constant)
                ir_replace_uses(r->module, argument, op->operands[i]);
        }
}

static struct error *refine_regions(struct refiner *r, struct op *op)
{
    if (op->code == OP_while)
        bind_loop(r, op);
    for (int k = 0; k < op->region_count; k++)
        if (op->regions[k])
            TRY(refine_range(r, op->regions[k]->first, NULL));
    return NULL;
}

/* ---- the walk -------------------------------------------------------------------------------- */

/* Operands are static where their definitions precede: all types before `op` are refined. */
static struct error *check_operands(const struct refiner *r, const struct op *op)
{
    struct arena *arena = r->module->arena;
    const struct op_info *info = op_info(op->code);
    if ((info->operand_count >= 0 && info->operand_count != op->operand_count) ||
        (info->result_count >= 0 && info->result_count != op->result_count))
        return ERROR(INVALID_ARGUMENT, "%s: has %d operands and %d results; it must have %d and %d",
                     ir_where(arena, op), op->operand_count, op->result_count, info->operand_count,
                     info->result_count);
    for (int i = 0; i < op->operand_count; i++)
        if (!op->operands[i] || !op->operands[i]->type)
            return ERROR(INVALID_ARGUMENT, "%s: operand %d is missing", ir_where(arena, op), i);
        else if (is_dynamic(op->operands[i]->type))
            return ERROR(INVALID_ARGUMENT,
                         "%s: operand %d is used before its definition or outside of its block",
                         ir_where(arena, op), i);
    return NULL;
}

static bool is_arithmetic_on_sizes(const struct op *op)
{
    const struct type *type = op->result_count == 1 ? op->results[0].type : NULL;
    if (!type || type->kind != TYPE_TENSOR || op->region_count)
        return false;
    bool whole = dtype_is_integer(type->shape.dtype) || type->shape.dtype == DTYPE_PRED;
    return whole && type_elements(type) >= 0 && type_elements(type) <= REFINE_MAX_ELEMENTS;
}

/* What replaces it may have a copy of a function that it calls. */
static struct error *replace_custom_call(struct refiner *r, struct op *op, bool *done)
{
    const struct funcs called = op->attrs.custom_call.called_computations;
    TRY(refine_calls_replace(r->module, op, done));
    for (int64_t i = 0; *done && i < called.count; i++)
        if (called.at[i] && called.at[i]->body)
            TRY(charge(r, op, called.at[i]->body));
    return NULL;
}

static struct error *refine_op(struct refiner *r, struct op *op)
{
    bool done = false;
    TRY(check_operands(r, op));
    if (op->code == OP_call || op->code == OP_composite)
        return refine_call(r, op);
    if (op->code == OP_custom_call)
        TRY(replace_custom_call(r, op, &done));
    if (done)
        return NULL;
    TRY(refine_regions(r, op));
    if (op->code == OP_get_dimension_size)
        TRY(infer_op(r->module->arena, op));
    if ((op_info(op->code)->traits & OP_DYNAMIC && any_dynamic(op->results, op->result_count) &&
         op->code != OP_set_dimension_size) ||
        op->code == OP_get_dimension_size)
        return dynamic_make_static(r->module, op, NULL);
    TRY(refine_results(r, op));
    if (!is_arithmetic_on_sizes(op))
        return NULL;
    TRY(infer_op(r->module->arena, op));
    return fold_constant(r->module, op);
}

/* From `first` to the operation before `end` (NULL: the end of the block). */
static struct error *refine_range(struct refiner *r, struct op *first, const struct op *end)
{
    struct op *next;
    if (++r->depth > INLINE_MAX_DEPTH)
        return ERROR(UNIMPLEMENTED, "%s: calls and regions are nested deeper than %d",
                     first ? ir_where(r->module->arena, first) : "a region", INLINE_MAX_DEPTH);
    for (struct op *op = first; op && op != end; op = next) {
        next = op->next; /* what replaces op is static */
        TRY(refine_op(r, op));
    }
    r->depth--;
    return NULL;
}

/* ---- the entry ------------------------------------------------------------------------------- */

static struct error *unknown_sizes(const struct refiner *r, const struct func *entry, int i)
{
    return ERROR(UNIMPLEMENTED,
                 "argument %d of the function @%.100s is %s: its sizes are unknown. The compile "
                 "option gantry_argument_shapes gives them (the types of all arguments, like "
                 "3x4xf32,8xs32); gantry run and gantry plan take them from --input",
                 i, entry->name, type_text(r->module->arena, entry->body->arguments[i].type));
}

static struct error *set_argument(const struct refiner *r, struct func *entry, int i,
                                  const struct type *given)
{
    struct arena *arena = r->module->arena;
    struct value *argument = &entry->body->arguments[i];
    if (!admits(argument->type, given))
        return ERROR(INVALID_ARGUMENT,
                     "argument %d of the function @%.100s is %s; gantry_argument_shapes has %s", i,
                     entry->name, type_text(arena, argument->type), type_text(arena, given));
    argument->type = type_with_sizes(arena, argument->type, given->shape.dims);
    return NULL;
}

static struct error *set_arguments(const struct refiner *r, struct func *entry,
                                   const struct refine_arguments *given)
{
    int count = entry->body->argument_count;
    if (given->count && given->count != count)
        return ERROR(INVALID_ARGUMENT,
                     "gantry_argument_shapes has %d types; the function @%.100s has %d arguments",
                     given->count, entry->name, count);
    for (int i = 0; i < count; i++) {
        const struct type *type = entry->body->arguments[i].type;
        if (given->count && type->kind == TYPE_TENSOR)
            TRY(set_argument(r, entry, i, given->types[i]));
        else if (is_dynamic(type))
            return unknown_sizes(r, entry, i);
    }
    return NULL;
}

static struct error *refine_entry(struct refiner *r, const struct refine_arguments *arguments)
{
    struct func *entry = r->module->entry;
    TRY(set_arguments(r, entry, arguments));
    map_put_pointer(r->open, entry, entry);
    TRY(refine_range(r, entry->body->first, NULL));
    const struct op *last = entry->body->last;
    for (int i = 0; last && i < entry->result_count && i < last->operand_count; i++) {
        const struct type *declared = entry->result_types[i], *type = last->operands[i]->type;
        if (!is_dynamic(declared))
            continue;
        if (!admits(declared, type))
            return mismatch(r, last, "operand", i, declared, type);
        entry->result_types[i] = type_with_sizes(r->module->arena, declared, type->shape.dims);
    }
    unused_functions_remove(r->module);
    return NULL;
}

struct error *refine_run(struct module *module, const struct refine_arguments *arguments,
                         int64_t operations)
{
    struct refiner r = {.module = module, .open = map_create(module->arena), .limit = operations};
    if (!module->entry || !module->entry->body || !module_is_dynamic(module))
        return NULL;
    return refine_entry(&r, arguments);
}
