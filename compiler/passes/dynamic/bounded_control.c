/* bounded_control.c: sizes of values that branches return and loops carry. The operation gets a
 * further result for each size, a loop also a further carried value. */
#include "compiler/passes/dynamic/bounded_rules.h"
#include "compiler/passes/rewrite/rewrite.h"

/* The dimensions with a size, of all results of an operation. */
struct sized_results {
    int count;
    struct sized_result {
        int result, dimension;
    } *list;
};

typedef bool has_size(const struct sized *s, const struct op *op, int result, int dimension);

static struct sized_results find_sizes(const struct sized *s, const struct op *op, has_size *has)
{
    struct sized_results found = {0};
    int dimensions = 0;
    for (int i = 0; i < op->result_count; i++)
        dimensions += op->results[i].type->shape.rank;
    found.list = ARENA_ARRAY(s->module->arena, struct sized_result, (size_t)dimensions);
    for (int i = 0; i < op->result_count; i++)
        for (int d = 0; d < op->results[i].type->shape.rank; d++)
            if (has(s, op, i, d))
                found.list[found.count++] = (struct sized_result){i, d};
    return found;
}

/* `values`, and behind them the size of each of their dimensions that is listed. */
static struct value **with_sizes(const struct sized *s, struct builder *b,
                                 const struct sized_results *sizes, int count,
                                 struct value *const *values)
{
    struct value **all =
        ARENA_ARRAY(s->module->arena, struct value *, (size_t)(count + sizes->count));
    for (int i = 0; i < count; i++)
        all[i] = values[i];
    for (int i = 0; i < sizes->count; i++) {
        const struct sized_result *at = &sizes->list[i];
        all[count + i] = sized_value(s, b, values[at->result], at->dimension);
    }
    return all;
}

/* Values behind the first `count` of `values` are sizes of those. */
static void adopt_sizes(struct sized *s, const struct sized_results *sizes, int count,
                        struct value *values)
{
    for (int i = 0; i < sizes->count; i++)
        sized_set(s, &values[sizes->list[i].result], sizes->list[i].dimension, &values[count + i]);
}

static void return_sizes(const struct sized *s, struct block *region,
                         const struct sized_results *sizes)
{
    struct op *last = region->last;
    struct builder b = rewrite_before(s->module, last);
    int count = last->operand_count;
    build_return(&b, count + sizes->count, with_sizes(s, &b, sizes, count, last->operands));
    ir_remove(last);
}

/* An operation like `op` in front of it, whose regions are still empty blocks: with a result for
 * each size, and a loop's `values` with those behind them. */
static struct op *with_results(struct sized *s, struct op *op, const struct sized_results *sizes,
                               int operand_count, struct value *const *values)
{
    struct arena *arena = s->module->arena;
    int count = op->result_count + sizes->count;
    const struct type **types = ARENA_ARRAY(arena, const struct type *, (size_t)count);
    for (int i = 0; i < count; i++)
        types[i] = i < op->result_count ? op->results[i].type : type_scalar(arena, DTYPE_S32);
    struct op *made =
        ir_op(s->module, op->code, operand_count, values, count, types, op->region_count);
    made->attrs = op->attrs;
    made->location = op->location;
    made->discardable = op->discardable;
    for (int r = 0; r < op->region_count; r++)
        made->regions[r] =
            ir_block(s->module, op->block->func, made, op->code == OP_while ? count : 0, types);
    ir_insert_before(op, made);
    adopt_sizes(s, sizes, op->result_count, made->results);
    return made;
}

static void replace(struct sized *s, struct op *op, struct op *made)
{
    for (int i = 0; i < op->result_count; i++)
        ir_replace_uses(s->module, &op->results[i], &made->results[i]);
    ir_remove(op);
}

/* ---- branches -------------------------------------------------------------------------------- */

static bool a_branch_returns_size(const struct sized *s, const struct op *op, int result,
                                  int dimension)
{
    for (int r = 0; r < op->region_count; r++)
        if (sized_of(s, op->regions[r]->last->operands[result], dimension))
            return true;
    return false;
}

struct error *bounded_control_branches(struct sized *s, struct op *op, bounded_visit *visit)
{
    for (int r = 0; r < op->region_count; r++)
        TRY(visit(s, op->regions[r]));
    struct sized_results sizes = find_sizes(s, op, a_branch_returns_size);
    if (!sizes.count)
        return NULL;
    struct op *made = with_results(s, op, &sizes, op->operand_count, op->operands);
    for (int r = 0; r < op->region_count; r++) {
        return_sizes(s, op->regions[r], &sizes);
        ir_move_all(op->regions[r], made->regions[r]);
    }
    replace(s, op, made);
    return NULL;
}

/* ---- loops ----------------------------------------------------------------------------------- */

/* A carried value has a size where its type has a bound, or its first value a size. */
static bool carries_size(const struct sized *s, const struct op *op, int result, int dimension)
{
    uint32_t bounded = op->operands[result]->type->bounded | op->results[result].type->bounded |
                       op->regions[1]->last->operands[result]->type->bounded;
    return bounded >> dimension & 1 || sized_of(s, op->operands[result], dimension);
}

/* The operations of a region of the loop, now of one whose arguments have sizes. */
static struct error *move_region(struct sized *s, struct block *from, struct block *to,
                                 const struct sized_results *sizes, bounded_visit *visit)
{
    adopt_sizes(s, sizes, from->argument_count, to->arguments);
    for (int i = 0; i < from->argument_count; i++)
        ir_replace_uses(s->module, &from->arguments[i], &to->arguments[i]);
    ir_move_all(from, to);
    return visit(s, to);
}

/* Sizes that appear in the loop belong to values whose types say so. */
static struct error *check_carried(const struct sized *s, const struct op *loop)
{
    const struct op *last = loop->regions[1]->last;
    for (int i = 0; i < last->operand_count; i++)
        for (int d = 0; d < last->operands[i]->type->shape.rank; d++)
            if (sized_of(s, last->operands[i], d) && !sized_of(s, &loop->results[i], d))
                return ERROR(UNIMPLEMENTED,
                             "%s: dimension %d of carried value %d gets a size in the loop that is "
                             "known only at run time; its type must have a bound there, "
                             "#stablehlo.bounds<%lld>",
                             ir_where(s->module->arena, loop), d, i,
                             (long long)last->operands[i]->type->shape.dims[d]);
    return NULL;
}

struct error *bounded_control_loop(struct sized *s, struct op *op, bounded_visit *visit)
{
    struct builder b = rewrite_before(s->module, op);
    struct sized_results sizes = find_sizes(s, op, carries_size);
    struct value **first = with_sizes(s, &b, &sizes, op->operand_count, op->operands);
    struct op *made = with_results(s, op, &sizes, op->operand_count + sizes.count, first);
    for (int r = 0; r < op->region_count; r++)
        TRY(move_region(s, op->regions[r], made->regions[r], &sizes, visit));
    TRY(check_carried(s, made));
    return_sizes(s, made->regions[1], &sizes);
    replace(s, op, made);
    return NULL;
}
