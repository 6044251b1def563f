#include "compiler/passes/canonicalize_regions.h"

#include "compiler/ir/infer.h"
#include "compiler/passes/rewrite.h"

/* ---- scalar bodies on whole tensors ---------------------------------------------------------- */

struct lifting {
    struct module *module;
    struct builder b;
    const struct op *owner;
    const struct type *shape; /* sizes of all values */
    struct map *values;       /* scalar -> tensor */
};

/* The tensor for a scalar of the region, or for one captured from outside. */
static struct value *lifted(struct lifting *lift, struct value *scalar)
{
    struct value *tensor = map_get_pointer(lift->values, scalar);
    if (!tensor) {
        tensor = rewrite_spread(&lift->b, scalar, lift->shape);
        map_put_pointer(lift->values, scalar, tensor);
    }
    return tensor;
}

static bool is_scalar_op(const struct op *op)
{
    return op->result_count == 1 && op->results[0].type->rank == 0 &&
           (op->code == OP_constant || (op_info(op->code)->traits & OP_ELEMENTWISE));
}

static struct error *lift_op(struct lifting *lift, const struct op *op)
{
    struct module *module = lift->module;
    if (op->code == OP_constant && is_scalar_op(op)) {
        struct builder *b = &lift->b;
        map_put_pointer(
            lift->values, &op->results[0],
            rewrite_spread(b, build_constant(b, op->attrs.constant.value), lift->shape));
        return NULL;
    }
    if (op->code == OP_reshape || op->code == OP_broadcast_in_dim || op->code == OP_broadcast) {
        if (op->operands[0]->type->rank == 0 && op->results[0].type->rank == 0) {
            map_put_pointer(lift->values, &op->results[0], lifted(lift, op->operands[0]));
            return NULL;
        }
    }
    if (!is_scalar_op(op))
        return ERROR(
            UNIMPLEMENTED,
            "%s: its body has %s; only operations on scalars, element by element, are served",
            ir_where(module->arena, lift->owner), op_info(op->code)->name);
    struct value *operands[8];
    for (int i = 0; i < op->operand_count && i < 8; i++)
        operands[i] = lifted(lift, op->operands[i]);
    const struct type *type = type_tensor(module->arena, op->results[0].type->dtype,
                                          lift->shape->rank, lift->shape->dims);
    struct value *value =
        build_declared(&lift->b, op->code, op->operand_count, operands, type, &op->attrs);
    map_put_pointer(lift->values, &op->results[0], value);
    return value ? NULL : ERROR(INTERNAL, "%s: cannot be lifted", ir_where(module->arena, op));
}

/* Puts op's body, on tensors of `shape`, before op; then replaces op by what it returns. */
static struct error *replace_by_body(struct module *module, struct op *op, const struct type *shape,
                                     struct value *const *arguments)
{
    struct lifting lift = {module, rewrite_before(module, op), op, shape,
                           map_create(module->arena)};
    const struct block *body = op->regions[0];
    for (int i = 0; i < body->argument_count; i++)
        map_put_pointer(lift.values, &body->arguments[i], arguments[i]);
    for (const struct op *inner = body->first; inner != body->last; inner = inner->next)
        TRY(lift_op(&lift, inner));
    struct value **results = ARENA_ARRAY(module->arena, struct value *, (size_t)op->result_count);
    for (int i = 0; i < op->result_count; i++)
        results[i] = lifted(&lift, body->last->operands[i]);
    return rewrite_replace(module, op, results);
}

struct error *canonicalize_regions_map(struct module *module, struct op *op)
{
    return replace_by_body(module, op, op->operands[0]->type, op->operands);
}

/* ---- reducers -------------------------------------------------------------------------------- */

/* Operand i gets the element type of the region's argument. */
static void promote(struct module *module, struct op *op, int operand, const struct value *argument)
{
    struct builder b = rewrite_before(module, op);
    if (op->operands[operand]->type->dtype != argument->type->dtype)
        ir_set_operand(module, op, operand,
                       build_convert(&b, op->operands[operand], argument->type->dtype));
}

static void promote_reducer(struct module *module, struct op *op)
{
    int count = op->operand_count / 2;
    for (int i = 0; i < count; i++) {
        promote(module, op, i, &op->regions[0]->arguments[i]);
        promote(module, op, count + i, &op->regions[0]->arguments[i]);
    }
}

/* Bodies that are more than elementwise stay reductions, which code generation may serve. */
static bool is_liftable(const struct block *body)
{
    for (const struct op *op = body->first; op != body->last; op = op->next)
        if (!is_scalar_op(op))
            return false;
    return true;
}

/* Every dimension that is reduced has one element. */
static bool reduces_single_elements(const struct op *op)
{
    struct dims reduced = op->attrs.dimensions.dimensions;
    for (int64_t i = 0; i < reduced.count; i++)
        if (op->operands[0]->type->dims[reduced.at[i]] != 1)
            return false;
    return is_liftable(op->regions[0]);
}

/* Then the body runs once an element, with the initial value as its accumulator. */
struct error *canonicalize_regions_reduce(struct module *module, struct op *op)
{
    promote_reducer(module, op);
    if (!reduces_single_elements(op))
        return NULL;
    struct builder b = rewrite_before(module, op);
    const struct type *shape = op->results[0].type;
    int count = op->operand_count / 2;
    struct value **arguments =
        ARENA_ARRAY(module->arena, struct value *, (size_t)op->operand_count);
    for (int i = 0; i < count; i++) {
        arguments[i] = rewrite_spread(&b, op->operands[count + i], shape);
        arguments[count + i] = build_reshape(&b, op->operands[i], shape->rank, shape->dims);
    }
    return replace_by_body(module, op, shape, arguments);
}

struct error *canonicalize_regions_reduce_window(struct module *module, struct op *op)
{
    promote_reducer(module, op);
    return NULL;
}

struct error *canonicalize_regions_scatter(struct module *module, struct op *op)
{
    int count = op->operand_count / 2;
    for (int i = 0; i < count; i++) {
        promote(module, op, i, &op->regions[0]->arguments[i]);
        promote(module, op, count + 1 + i, &op->regions[0]->arguments[i]);
    }
    return NULL;
}

struct error *canonicalize_regions_select_and_scatter(struct module *module, struct op *op)
{
    promote(module, op, 1, &op->regions[1]->arguments[0]);
    promote(module, op, 2, &op->regions[1]->arguments[0]);
    return NULL;
}

/* ---- control flow ---------------------------------------------------------------------------- */

static struct error *replace_by_region(struct module *module, struct op *op, int r)
{
    struct value **results = ARENA_ARRAY(module->arena, struct value *, (size_t)op->result_count);
    ir_inline_block(module, op->regions[r], NULL, op, results);
    return rewrite_replace(module, op, results);
}

/* if: true is region 0. case: an index out of range means the last. */
struct error *canonicalize_regions_branch(struct module *module, struct op *op)
{
    const struct literal *way = rewrite_literal(op->operands[0]);
    if (op->code == OP_case && op->region_count == 1)
        return replace_by_region(module, op, 0);
    if (!way)
        return NULL;
    int64_t index = dtype_to_int64(way->type->dtype, way->bytes);
    if (op->code == OP_if)
        return replace_by_region(module, op, index ? 0 : 1);
    return replace_by_region(
        module, op, index < 0 || index >= op->region_count ? op->region_count - 1 : (int)index);
}

struct error *canonicalize_regions_while(struct module *module, struct op *op)
{
    const struct literal *condition = rewrite_literal(op->regions[0]->last->operands[0]);
    if (!condition || *(const unsigned char *)condition->bytes)
        return NULL;
    return rewrite_replace(module, op, op->operands);
}

struct error *canonicalize_regions_sort(struct module *module, struct op *op)
{
    if (op->operands[0]->type->dims[op->attrs.sort.dimension] > 1)
        return NULL;
    return rewrite_replace(module, op, op->operands);
}
