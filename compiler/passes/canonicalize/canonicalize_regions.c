#include "compiler/passes/canonicalize/canonicalize_regions.h"

#include <string.h>

#include "compiler/analysis/constants.h"
#include "compiler/analysis/scatter_window.h"
#include "compiler/ir/along_dim.h"
#include "compiler/passes/canonicalize/canonicalize_parts.h"
#include "compiler/passes/canonicalize/canonicalize_repeated.h"
#include "compiler/passes/canonicalize/canonicalize_scatter.h"
#include "compiler/passes/canonicalize/canonicalize_window.h"
#include "compiler/passes/rewrite/lift_body.h"
#include "compiler/passes/rewrite/rewrite.h"

/* ---- branches in bodies ---------------------------------------------------------------------- */

/* True when the operations may be executed although their branch is not taken. */
static bool is_speculatable(const struct block *block)
{
    for (const struct op *op = block->first; op; op = op->next) {
        if (op->code != OP_return && op->code != OP_if && op->code != OP_case && !ir_is_pure(op))
            return false;
        for (int i = 0; i < op->region_count; i++)
            if (op->code == OP_while || !is_speculatable(op->regions[i]))
                return false;
    }
    return true;
}

/* Executes all branches and selects among their results by the index; an index out of range selects
 * the last branch. */
static struct error *select_branch(struct module *module, struct op *op)
{
    struct builder b = rewrite_before(module, op);
    int count = op->result_count;
    struct value **chosen = ARENA_ARRAY(module->arena, struct value *, (size_t)count);
    struct value **results = ARENA_ARRAY(module->arena, struct value *, (size_t)count);
    for (int r = op->region_count - 1; r >= 0; r--) {
        TRY(ir_inline_block(module, op->regions[r], 0, NULL, op, count, results));
        struct value *index = op->operands[0], *taken = index;
        if (op->code == OP_case && r < op->region_count - 1)
            taken =
                build_compare(&b, COMPARE_EQ, index, build_scalar(&b, index->type->shape.dtype, r));
        for (int i = 0; i < count; i++)
            chosen[i] =
                r == op->region_count - 1
                    ? results[i]
                    : build_select(&b, rewrite_broadcast_scalar(&b, taken, results[i]->type),
                                   results[i], chosen[i]);
    }
    return rewrite_replace(module, op, chosen);
}

/* Removes control flow from a reducer's body, because code generation vectorizes it. */
static struct error *flatten_branches(struct module *module, struct block *body)
{
    for (struct op *op = body->first, *next; op; op = next) {
        next = op->next;
        if ((op->code != OP_if && op->code != OP_case) || op->region_count < 1)
            continue;
        bool speculatable = true;
        for (int r = 0; r < op->region_count && speculatable; r++)
            speculatable = is_speculatable(op->regions[r]);
        for (int r = 0; r < op->region_count && speculatable; r++)
            TRY(flatten_branches(module, op->regions[r]));
        if (speculatable)
            TRY(select_branch(module, op));
    }
    return NULL;
}

/* ---- scalar bodies on whole tensors ---------------------------------------------------------- */

static struct error *replace_by_body(struct module *module, struct op *op, const struct type *shape,
                                     struct value *const *arguments)
{
    struct value **results = ARENA_ARRAY(module->arena, struct value *, (size_t)op->result_count);
    TRY(lift_body_apply(module, op, shape, arguments, results));
    return rewrite_replace(module, op, results);
}

/* ---- other bodies: a loop over elements ------------------------------------------------------ */

/* One iteration: the block's arguments are the counter and the result so far. */
static struct error *map_step(struct module *module, const struct op *op, struct value *const *flat,
                              struct block *block)
{
    static const int64_t one = 1;
    struct builder b = {module, block, NULL, op->location};
    struct value *counter = &block->arguments[0], *element;
    struct value **scalars = ARENA_ARRAY(module->arena, struct value *, (size_t)op->operand_count);
    for (int i = 0; i < op->operand_count; i++)
        scalars[i] = along_dim_take_one(&b, flat[i], 0, counter);
    struct value *next = build_binary(&b, OP_add, counter, build_scalar(&b, DTYPE_S64, 1));
    TRY(ir_inline_block(module, op->regions[0], op->operand_count, scalars, next->def, 1,
                        &element));
    element = build_reshape(&b, element, 1, &one);
    struct value *results[] = {next,
                               along_dim_update(&b, &block->arguments[1], 0, element, counter)};
    build_return(&b, 2, results);
    return NULL;
}

static struct error *map_in_loop(struct module *module, struct op *op)
{
    struct builder b = rewrite_before(module, op);
    const struct type *type = op->results[0].type;
    int64_t count = type_elements(type);
    struct value **flat = ARENA_ARRAY(module->arena, struct value *, (size_t)op->operand_count);
    for (int i = 0; i < op->operand_count; i++)
        flat[i] = build_reshape(&b, op->operands[i], 1, &count);
    const struct type *list = type_tensor(module->arena, type->shape.dtype, 1, &count);
    struct value *begin[] = {build_scalar(&b, DTYPE_S64, 0), build_splat(&b, list, 0)};
    const struct type *types[] = {begin[0]->type, list};
    struct op *loop = ir_op(module, OP_while, 2, begin, 2, types, 2);
    loop->location = op->location;
    ir_insert_before(op, loop);
    for (int i = 0; i < 2; i++)
        loop->regions[i] = ir_block(module, op->block->func, loop, 2, types);
    struct builder test = {module, loop->regions[0], NULL, op->location};
    struct value *more = build_compare(&test, COMPARE_LT, &loop->regions[0]->arguments[0],
                                       build_scalar(&test, DTYPE_S64, (double)count));
    build_return(&test, 1, &more);
    TRY(map_step(module, op, flat, loop->regions[1]));
    return rewrite_with(module, op,
                        build_reshape(&b, &loop->results[1], type->shape.rank, type->shape.dims));
}

struct error *canonicalize_regions_map(struct module *module, struct op *op)
{
    TRY(flatten_branches(module, op->regions[0]));
    if (!lift_body_possible(op->regions[0]))
        return map_in_loop(module, op);
    return replace_by_body(module, op, op->operands[0]->type, op->operands);
}

/* ---- reducers -------------------------------------------------------------------------------- */

/* Converts an operand to the element type of the region's argument. */
static void promote(struct module *module, struct op *op, int operand, const struct value *argument)
{
    struct builder b = rewrite_before(module, op);
    if (op->operands[operand]->type->shape.dtype != argument->type->shape.dtype)
        ir_set_operand(module, op, operand,
                       build_convert(&b, op->operands[operand], argument->type->shape.dtype));
}

static struct error *promote_reducer(struct module *module, struct op *op)
{
    int count = op->operand_count / 2;
    TRY(flatten_branches(module, op->regions[0]));
    for (int i = 0; i < count; i++) {
        promote(module, op, i, &op->regions[0]->arguments[i]);
        promote(module, op, count + i, &op->regions[0]->arguments[i]);
    }
    return NULL;
}

static struct op *defined_by(const struct value *value, enum op_code code)
{
    return value->def && value->def->code == code ? value->def : NULL;
}

static bool compares(const struct value *value, enum comparison direction, const struct value *a,
                     const struct value *b)
{
    const struct op *op = defined_by(value, OP_compare);
    return op && op->attrs.compare.comparison_direction == direction && op->operands[0] == a &&
           op->operands[1] == b;
}

/* a > b (or a < b), or a is NaN */
static bool prefers_nan(const struct value *value, const struct value *a, const struct value *b)
{
    const struct op *op = defined_by(value, OP_or);
    return op &&
           (compares(op->operands[0], COMPARE_GT, a, b) ||
            compares(op->operands[0], COMPARE_LT, a, b)) &&
           compares(op->operands[1], COMPARE_NE, a, a);
}

/* True for an iota along the only reduced dimension. */
static bool counts_positions(const struct op *reduce, const struct value *operand)
{
    struct dims reduced = reduce->attrs.dimensions.dimensions;
    const struct op *op = defined_by(operand, OP_iota);
    return op && reduced.count == 1 && op->attrs.iota.iota_dimension == reduced.at[0];
}

/* argmax and argmin: of two NaN elements the body selects the first argument, which is the first
 * element only if elements are combined in order. Vector lanes are not, so this selects the smaller
 * index explicitly. */
static void select_first_nan(struct module *module, struct op *reduce)
{
    const struct block *body = reduce->regions[0];
    if (reduce->operand_count != 4 || !counts_positions(reduce, reduce->operands[1]))
        return;
    struct value *a = &body->arguments[0], *index_a = &body->arguments[1];
    struct value *b = &body->arguments[2], *index_b = &body->arguments[3];
    const struct op *value = defined_by(body->last->operands[0], OP_select),
                    *index = defined_by(body->last->operands[1], OP_select);
    struct op *either = index ? defined_by(index->operands[0], OP_or) : NULL;
    if (!value || !either || index->operands[1] != index_a || index->operands[2] != index_b ||
        either->operands[0] != value->operands[0] || !prefers_nan(value->operands[0], a, b))
        return;
    struct builder at = rewrite_before(module, either);
    struct value *both = build_binary(&at, OP_and, build_compare(&at, COMPARE_NE, b, b),
                                      build_compare(&at, COMPARE_GT, index_a, index_b));
    struct value *taken =
        build_binary(&at, OP_and, either->operands[0], build_unary(&at, OP_not, both));
    ir_set_operand(module, either, 0, taken);
}

/* True when every reduced dimension has one element and the body can be applied to tensors. */
static bool reduces_single_elements(const struct op *op)
{
    struct dims reduced = op->attrs.dimensions.dimensions;
    for (int64_t i = 0; i < reduced.count; i++)
        if (op->operands[0]->type->shape.dims[reduced.at[i]] != 1)
            return false;
    return lift_body_possible(op->regions[0]);
}

/* A reduction of single elements applies the body once, with the initial value as accumulator. */
struct error *canonicalize_regions_reduce(struct module *module, struct op *op)
{
    TRY(promote_reducer(module, op));
    select_first_nan(module, op);
    if (!reduces_single_elements(op)) {
        TRY(canonicalize_parts_reduce(module, op));
        return op->block ? canonicalize_repeated_reduce(module, op) : NULL;
    }
    struct builder b = rewrite_before(module, op);
    const struct type *shape = op->results[0].type;
    int count = op->operand_count / 2;
    struct value **arguments =
        ARENA_ARRAY(module->arena, struct value *, (size_t)op->operand_count);
    for (int i = 0; i < count; i++) {
        arguments[i] = rewrite_broadcast_scalar(&b, op->operands[count + i], shape);
        arguments[count + i] =
            build_reshape(&b, op->operands[i], shape->shape.rank, shape->shape.dims);
    }
    return replace_by_body(module, op, shape, arguments);
}

struct error *canonicalize_regions_reduce_window(struct module *module, struct op *op)
{
    TRY(promote_reducer(module, op));
    struct value *slices = canonicalize_window_of_slices(module, op);
    return slices ? rewrite_with(module, op, slices) : NULL;
}

/* ---- scatter --------------------------------------------------------------------------------- */

/* The only window of a scatter at a position that is known, or windows next to each other together:
 * start <= index < start + size. */
struct window {
    int64_t start[SHAPE_MAX_RANK], size[SHAPE_MAX_RANK];
    bool is_inside; /* entirely; a window that is not is skipped */
};

/* Windows next to each other are one unless a part of them is out of bounds. */
static bool find_window(struct module *module, const struct op *op, struct window *window)
{
    struct dims to = op->attrs.scatter.scatter_dims_to_operand_dims;
    const struct shape *shape = &op->operands[0]->type->shape;
    int64_t count;
    if (!scatter_window_sizes(op, window->size))
        return false;
    const int64_t *at = constants_integers(module, op->operands[op->result_count], &count);
    if (!at || (count != to.count && !constants_are_consecutive(at, count)))
        return false;
    memset(window->start, 0, sizeof window->start);
    window->is_inside = true;
    for (int64_t i = 0; i < to.count; i++) {
        int64_t most = shape->dims[to.at[i]] - window->size[to.at[i]];
        window->start[to.at[i]] = at[i];
        window->is_inside &= at[i] >= 0 && at[i] <= most;
    }
    return window->is_inside || count == to.count;
}

/* Values to combine with updates: those of the operands in the window, then the updates. */
static struct value **window_arguments(struct module *module, const struct op *op,
                                       const struct window *window)
{
    struct builder b = rewrite_before(module, op);
    int count = op->result_count, rank = op->operands[0]->type->shape.rank;
    struct value **arguments = ARENA_ARRAY(module->arena, struct value *, 2 * (size_t)count);
    int64_t limit[SHAPE_MAX_RANK];
    for (int i = 0; i < rank; i++)
        limit[i] = window->start[i] + window->size[i];
    for (int i = 0; i < count; i++) {
        arguments[i] = build_slice(&b, op->operands[i], window->start, limit, NULL);
        arguments[count + i] = build_reshape(&b, op->operands[count + 1 + i], rank, window->size);
    }
    return arguments;
}

/* A scatter of one window, or of adjacent ones, becomes an update of a slice, whose loops and
 * vectors are better, and whose updates other operations may compute together with it. */
static struct error *update_window(struct module *module, struct op *op,
                                   const struct window *window)
{
    struct builder b = rewrite_before(module, op);
    int count = op->result_count, rank = op->operands[0]->type->shape.rank;
    struct value **arguments = window_arguments(module, op, window);
    struct value **results = ARENA_ARRAY(module->arena, struct value *, (size_t)count);
    struct value *starts[SHAPE_MAX_RANK];
    TRY(lift_body_apply(module, op, arguments[0]->type, arguments, results));
    for (int i = 0; i < rank; i++)
        starts[i] = build_scalar(&b, DTYPE_S64, (double)window->start[i]);
    for (int i = 0; i < count; i++)
        results[i] = build_update(&b, op->operands[i], results[i], starts);
    return rewrite_replace(module, op, results);
}

/* The partitioner and models of accelerators have rules of their own for scatters. Those of one
 * element of each row their compilers replace, too, before they partition. */
struct error *canonicalize_regions_scatter(struct module *module, struct op *op)
{
    int count = op->result_count;
    struct window window;
    TRY(flatten_branches(module, op->regions[0]));
    for (int i = 0; i < count; i++) {
        promote(module, op, i, &op->regions[0]->arguments[i]);
        promote(module, op, count + 1 + i, &op->regions[0]->arguments[i]);
    }
    if ((module->num_partitions > 1 && !module->awaits_model) ||
        !lift_body_possible(op->regions[0]))
        return NULL;
    if (!module->awaits_model && find_window(module, op, &window))
        return window.is_inside ? update_window(module, op, &window)
                                : rewrite_replace(module, op, op->operands);
    struct value *chosen;
    TRY(canonicalize_scatter_one_of_each_row(module, op, &chosen));
    return chosen ? rewrite_with(module, op, chosen) : NULL;
}

struct error *canonicalize_regions_select_and_scatter(struct module *module, struct op *op)
{
    TRY(flatten_branches(module, op->regions[0]));
    TRY(flatten_branches(module, op->regions[1]));
    promote(module, op, 1, &op->regions[1]->arguments[0]);
    promote(module, op, 2, &op->regions[1]->arguments[0]);
    return NULL;
}

/* ---- control flow ---------------------------------------------------------------------------- */

static struct error *replace_by_region(struct module *module, struct op *op, int r)
{
    struct value **results = ARENA_ARRAY(module->arena, struct value *, (size_t)op->result_count);
    TRY(ir_inline_block(module, op->regions[r], 0, NULL, op, op->result_count, results));
    return rewrite_replace(module, op, results);
}

/* if: true selects region 0. case: an index out of range selects the last region. */
struct error *canonicalize_regions_branch(struct module *module, struct op *op)
{
    const struct literal *predicate = constants_literal(op->operands[0]);
    if (op->code == OP_case && op->region_count == 1)
        return replace_by_region(module, op, 0);
    if (!predicate)
        return NULL;
    int64_t index = dtype_to_int64(predicate->type->shape.dtype, predicate->bytes);
    if (op->code == OP_if)
        return replace_by_region(module, op, index ? 0 : 1);
    return replace_by_region(
        module, op, index < 0 || index >= op->region_count ? op->region_count - 1 : (int)index);
}

struct error *canonicalize_regions_while(struct module *module, struct op *op)
{
    const struct literal *condition = constants_literal(op->regions[0]->last->operands[0]);
    if (!condition || *(const unsigned char *)condition->bytes || !ir_is_pure_block(op->regions[0]))
        return NULL;
    return rewrite_replace(module, op, op->operands);
}

struct error *canonicalize_regions_sort(struct module *module, struct op *op)
{
    TRY(flatten_branches(module, op->regions[0]));
    if (op->operands[0]->type->shape.dims[op->attrs.sort.dimension] > 1)
        return NULL;
    return rewrite_replace(module, op, op->operands);
}
