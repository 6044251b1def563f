#include "compiler/passes/cleanup/inline.h"

#include <string.h>

#include "compiler/target.h"
#include "compiler/passes/rewrite/rewrite.h"
#include "compiler/passes/rewrite/unused_functions.h"

enum state { UNSEEN, ACTIVE, DONE };

struct inliner {
    struct module *module;
    struct map *states; /* function -> struct callee */
    int depth;
};

struct callee {
    enum state state;
    int64_t operations; /* of the body once it is inlined */
    int64_t references; /* operations that call it or name it */
};

static struct callee *callee_of(struct inliner *in, const struct func *func)
{
    struct callee *callee = map_get_pointer(in->states, func);
    if (!callee) {
        callee = ARENA_NEW(in->module->arena, struct callee);
        map_put_pointer(in->states, func, callee);
    }
    return callee;
}

/* ---- composites with special handling -------------------------------------------------------- */

static bool is_composite(const struct op *op, const char *name)
{
    struct string called = op->attrs.composite.name;
    return op->code == OP_composite && called.size == strlen(name) &&
           !memcmp(called.data, name, called.size);
}

static bool is_erf(const struct op *op)
{
    if (!is_composite(op, "chlo.erf") || op->operand_count != 1 || op->result_count != 1 ||
        !type_same(op->operands[0]->type, op->results[0].type))
        return false;
    enum dtype dtype = op->operands[0]->type->shape.dtype;
    return dtype == DTYPE_F32 || dtype == DTYPE_F64 || dtype == DTYPE_BF16 || dtype == DTYPE_F16;
}

static const struct dict_value *attribute(const struct op *op, const char *name,
                                          enum dict_kind kind)
{
    const struct dict *dict = op->attrs.composite.composite_attributes;
    for (int64_t i = 0; dict && i < dict->count; i++)
        if (dict->names[i].size == strlen(name) && !memcmp(dict->names[i].data, name, strlen(name)))
            return dict->values[i].kind == kind ? &dict->values[i] : NULL;
    return NULL;
}

/* Whether op is a reverse scan. The decomposition that StableHLO generates ignores is_reverse, so
 * the pass reverses the inputs and outputs. */
static bool is_reverse_scan(const struct op *op)
{
    const struct dict_value *reverse =
        is_composite(op, "chlo.scan") ? attribute(op, "is_reverse", DICT_BOOL) : NULL;
    return reverse && reverse->boolean && attribute(op, "dimension", DICT_INT);
}

static struct value *reversed(struct builder *b, struct value *value, int64_t dimension)
{
    union attrs attrs = {.dimensions = {.dimensions = rewrite_range(b->module, dimension, 1)}};
    return build_declared(b, OP_reverse, 1, &value, NULL, &attrs);
}

/* The number of carried values of a scan: the arguments that its decomposition passes to the loop.
 * Their initial values are the last operands, their final values the last results. */
static int count_carried(const struct func *scan)
{
    int carried = 0;
    for (const struct op *op = scan->body->first; op; op = op->next)
        for (int i = 0; op->code == OP_while && i < op->operand_count; i++)
            carried += !op->operands[i]->def && op->operands[i]->block == scan->body;
    return carried;
}

/* Reverses the scanned values among `values`: copies of the operands before inlining, or the
 * results after it. */
static struct error *reverse_values(struct inliner *in, struct op *op, struct value **values,
                                    int count)
{
    struct builder b = rewrite_before(in->module, op);
    int64_t dimension = attribute(op, "dimension", DICT_INT)->integer;
    int carried = count_carried(op->attrs.composite.decomposition);
    if (carried < 1 || carried >= count)
        return ERROR(UNIMPLEMENTED,
                     "%s: cannot inline the reverse scan: its decomposition must pass at least one "
                     "and not all of its arguments to a while loop",
                     ir_where(in->module->arena, op));
    for (int i = 0; i < count - carried; i++)
        if (!(values[i] = reversed(&b, values[i], dimension)))
            return ERROR(INVALID_ARGUMENT,
                         "%s: dimension is %lld, which is not a dimension of all scanned tensors",
                         ir_where(in->module->arena, op), (long long)dimension);
    return NULL;
}

/* ---- calls ----------------------------------------------------------------------------------- */

static struct error *inline_func(struct inliner *in, struct func *func, const struct op *site);
static struct error *inline_in_block(struct inliner *in, struct block *block, int64_t *operations);

/* As ir_inline_block(), for a body that nothing else needs: its operations are moved, since a chain
 * of n functions that call each other would otherwise be cloned n times. */
static struct error *move_body(struct inliner *in, struct block *from, struct op *op,
                               struct value **results)
{
    struct op *last = from->last;
    int returned = last ? last->operand_count : 0;
    if (from->argument_count != op->operand_count || returned != op->result_count)
        return ERROR(INTERNAL,
                     "%s: the function has %d arguments and %d results; expected %d and %d",
                     ir_where(in->module->arena, op), from->argument_count, returned,
                     op->operand_count, op->result_count);
    for (int i = 0; i < from->argument_count; i++)
        ir_replace_uses(in->module, &from->arguments[i], op->operands[i]);
    for (int i = 0; i < returned; i++)
        results[i] = last->operands[i];
    if (last)
        ir_remove(last);
    while (from->first)
        ir_move_before(op, from->first);
    return NULL;
}

static struct error *inline_call(struct inliner *in, struct op *op, int64_t *operations)
{
    struct func *func =
        op->code == OP_call ? op->attrs.call.callee : op->attrs.composite.decomposition;
    struct builder b = rewrite_before(in->module, op);
    if (is_erf(op))
        return rewrite_with(in->module, op, build_unary(&b, OP_erf, op->operands[0]));
    TRY(inline_func(in, func, op));
    *operations += callee_of(in, func)->operations;
    if (in->module->operation_limit && *operations > in->module->operation_limit)
        return ERROR(
            RESOURCE_EXHAUSTED,
            "%s: inlining this call gives the program more than %lld operations, the limit "
            "for a program of its size",
            ir_where(in->module->arena, op), (long long)in->module->operation_limit);
    struct value **results =
        ARENA_ARRAY(in->module->arena, struct value *, (size_t)op->result_count);
    struct value **operands = op->operands;
    if (callee_of(in, func)->references == 1 && func != in->module->entry && !is_reverse_scan(op)) {
        TRY(move_body(in, func->body, op, results));
        return rewrite_replace(in->module, op, results);
    }
    if (is_reverse_scan(op)) {
        operands =
            arena_copy(in->module->arena, operands, (size_t)op->operand_count * sizeof *operands);
        TRY(reverse_values(in, op, operands, op->operand_count));
    }
    TRY(ir_inline_block(in->module, func->body, op->operand_count, operands, op, op->result_count,
                        results));
    if (is_reverse_scan(op))
        TRY(reverse_values(in, op, results, op->result_count));
    return rewrite_replace(in->module, op, results);
}

static struct error *inline_in_op(struct inliner *in, struct op *op, int64_t *operations)
{
    for (int r = 0; r < op->region_count; r++)
        TRY(inline_in_block(in, op->regions[r], operations));
    if (op->code == OP_custom_call)
        for (int64_t i = 0; i < op->attrs.custom_call.called_computations.count; i++)
            TRY(inline_func(in, op->attrs.custom_call.called_computations.at[i], op));
    if (op_info(op->code)->traits & OP_CALL)
        return inline_call(in, op, operations);
    ++*operations;
    return NULL;
}

static struct error *inline_in_block(struct inliner *in, struct block *block, int64_t *operations)
{
    struct op *next;
    for (struct op *op = block->first; op; op = next) {
        next = op->next;
        TRY(inline_in_op(in, op, operations));
    }
    return NULL;
}

/* Inlines the calls of a function. Callees are processed before they are cloned, so that clones
 * contain no calls. */
static struct error *inline_func(struct inliner *in, struct func *func, const struct op *site)
{
    struct callee *callee = callee_of(in, func);
    if (callee->state == DONE)
        return NULL;
    if (callee->state == ACTIVE || in->depth >= INLINE_MAX_DEPTH)
        return ERROR(INVALID_ARGUMENT, "%s: the function %s %s",
                     site ? ir_where(in->module->arena, site) : "module", func->name,
                     callee->state == ACTIVE ? "calls itself"
                                             : "exceeds the limit of 1000 nested calls");
    callee->state = ACTIVE;
    in->depth++;
    TRY(inline_in_block(in, func->body, &callee->operations));
    in->depth--;
    callee->state = DONE;
    return NULL;
}

/* ---- references ------------------------------------------------------------------------------ */
static void count_references(struct inliner *in, const struct block *block)
{
    for (const struct op *op = block->first; op; op = op->next) {
        const struct funcs *named = &op->attrs.custom_call.called_computations;
        for (int r = 0; r < op->region_count; r++)
            count_references(in, op->regions[r]);
        if (op->code == OP_call)
            callee_of(in, op->attrs.call.callee)->references++;
        else if (op->code == OP_composite)
            callee_of(in, op->attrs.composite.decomposition)->references++;
        for (int64_t i = 0; op->code == OP_custom_call && i < named->count; i++)
            callee_of(in, named->at[i])->references += 2; /* stays a function */
    }
}

/* ---- futures --------------------------------------------------------------------------------- */

/* Makes an async_start synchronous: its body executes in place, and the future becomes a tuple of
 * the results. */
static struct error *inline_async_start(struct module *module, struct op *op)
{
    struct builder b = rewrite_before(module, op);
    int count = op->results[0].type->element_count;
    struct value **results = ARENA_ARRAY(module->arena, struct value *, (size_t)count);
    TRY(ir_inline_block(module, op->regions[0], op->operand_count, op->operands, op, count,
                        results));
    return rewrite_with(module, op, build_declared(&b, OP_tuple, count, results, NULL, NULL));
}

static struct error *unpack_async_done(struct module *module, struct op *op)
{
    struct builder b = rewrite_before(module, op);
    struct value **results = ARENA_ARRAY(module->arena, struct value *, (size_t)op->result_count);
    for (int i = 0; i < op->result_count; i++) {
        union attrs attrs = {.index = {.index = i}};
        results[i] = build_declared(&b, OP_get_tuple_element, 1, op->operands, NULL, &attrs);
    }
    return rewrite_replace(module, op, results);
}

static struct error *remove_futures(struct module *module, struct block *block)
{
    struct op *next;
    for (struct op *op = block->first; op; op = next) {
        for (int r = 0; r < op->region_count; r++)
            TRY(remove_futures(module, op->regions[r]));
        next = op->next;
        if (op->code == OP_async_start)
            TRY(inline_async_start(module, op));
        else if (op->code == OP_async_done)
            TRY(unpack_async_done(module, op));
    }
    return NULL;
}

/* ---- tuples and barriers --------------------------------------------------------------------- */

static struct error *remove_tuples(struct module *module, struct block *block)
{
    struct op *next;
    for (struct op *op = block->first; op; op = next) {
        next = op->next;
        for (int r = 0; r < op->region_count; r++)
            TRY(remove_tuples(module, op->regions[r]));
        const struct op *tuple = op->operand_count ? op->operands[0]->def : NULL;
        if (op->code == OP_get_tuple_element && tuple && tuple->code == OP_tuple)
            TRY(rewrite_with(module, op, tuple->operands[op->attrs.index.index]));
    }
    return NULL;
}

static struct error *remove_barriers(struct module *module, struct block *block)
{
    struct op *next;
    for (struct op *op = block->first; op; op = next) {
        next = op->next;
        for (int r = 0; r < op->region_count; r++)
            TRY(remove_barriers(module, op->regions[r]));
        if (op->code == OP_optimization_barrier)
            TRY(rewrite_replace(module, op, op->operands));
    }
    return NULL;
}

struct error *inline_barriers_run(struct module *module, const struct target *target)
{
    (void)target;
    for (struct func *func = module->first; func; func = func->next)
        TRY(remove_barriers(module, func->body));
    return NULL;
}

/* In reverse order, so that tuples nested in a removed tuple are removed too. */
static void remove_unused_tuples(struct block *block)
{
    struct op *previous;
    for (struct op *op = block->last; op; op = previous) {
        previous = op->previous;
        for (int r = 0; r < op->region_count; r++)
            remove_unused_tuples(op->regions[r]);
        if (op->code == OP_tuple && !op->results[0].uses)
            ir_remove(op);
    }
}

/* ---- shardings ------------------------------------------------------------------------------- */

/* A constraint without uses is one of its operand: it takes the place of the operand's other uses,
 * right behind its definition. Where the operand is defined around this block it is ignored. */
static void constrain_operand(struct module *module, struct op *op)
{
    struct value *operand = op->operands[0];
    struct block *block = ir_block_of(operand);
    struct op *behind = operand->def ? operand->def->next : block->first;
    if (block != op->block || (operand->def && operand->def->code == OP_sharding_constraint))
        return; /* a second constraint of the same value has nothing left to constrain */
    if (behind != op)
        ir_move_before(behind, op);
    ir_replace_uses(module, operand, &op->results[0]);
    ir_set_operand(module, op, 0, operand);
}

static struct error *remove_boundary(struct module *module, struct op *op)
{
    if (type_same(op->operands[0]->type, op->results[0].type))
        return rewrite_replace(module, op, op->operands);
    return ERROR(INVALID_ARGUMENT,
                 "%s: a manual computation over several devices is in a program of one partition; "
                 "compile it with num_partitions as large as its mesh",
                 ir_where(module->arena, op));
}

/* In a program of one partition, and in reducers, shardings are identities. */
static struct error *remove_shardings(struct module *module, struct block *block, bool identity)
{
    struct op *next;
    for (struct op *op = block->first; op; op = next) {
        next = op->next;
        bool control = op_info(op->code)->traits & OP_CONTROL;
        for (int r = 0; r < op->region_count; r++)
            TRY(remove_shardings(module, op->regions[r], identity || !control));
        if (identity && (op->code == OP_sharding_constraint || op->code == OP_sharding_group))
            TRY(rewrite_replace(module, op, op->operands));
        else if (identity && (op->code == OP_full_to_shard || op->code == OP_shard_to_full))
            TRY(remove_boundary(module, op));
        else if (op->code == OP_sharding_constraint && !op->results[0].uses)
            constrain_operand(module, op);
    }
    return NULL;
}

struct error *inline_run(struct module *module, const struct target *target)
{
    struct inliner in = {.module = module, .states = map_create(module->arena)};
    for (const struct func *func = module->first; func; func = func->next)
        if (func->body)
            count_references(&in, func->body);
    TRY(inline_func(&in, module->entry, NULL));
    unused_functions_remove(module);
    for (struct func *func = module->first; func; func = func->next) {
        TRY(remove_futures(module, func->body));
        TRY(remove_shardings(module, func->body, module->num_partitions == 1));
        if (!target || !target->accelerator)
            TRY(remove_barriers(module, func->body));
        TRY(remove_tuples(module, func->body));
        remove_unused_tuples(func->body);
    }
    return NULL;
}
