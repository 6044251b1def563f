/* library_top_k.c: see library_top_k.h. */
#include "compiler/passes/library/library_top_k.h"

#include "compiler/analysis/top_count.h"
#include "compiler/program/top_k_spec.h"

static bool sorts_with_positions(const struct op *sort)
{
    if (sort->operand_count != 2)
        return false;
    const struct op *positions = sort->operands[1]->def;
    int64_t rank = sort->operands[0]->type->shape.rank, dim = sort->attrs.sort.dimension;
    return rank >= 1 && (dim < 0 ? dim + rank : dim) == rank - 1 && positions &&
           positions->code == OP_iota && positions->attrs.iota.iota_dimension == rank - 1 &&
           sort->operands[1]->type->shape.dtype == DTYPE_S32;
}

/* The comparison of two elements of the first operand that is all that the comparator does; NULL:
 * it does something else. */
static const struct attrs_compare *comparison_of(const struct op *sort)
{
    const struct block *body = sort->regions[0];
    const struct op *compare = body->last->operands[0]->def;
    if (!compare || compare->code != OP_compare || compare->block != body ||
        compare->operands[0] != &body->arguments[0] || compare->operands[1] != &body->arguments[1])
        return NULL;
    enum comparison direction = compare->attrs.compare.comparison_direction;
    return direction == COMPARE_GT || direction == COMPARE_LT ? &compare->attrs.compare : NULL;
}

static struct top_k_spec spec_of(const struct op *sort)
{
    const struct attrs_compare *compare = comparison_of(sort);
    const struct shape *shape = &sort->operands[0]->type->shape;
    return (struct top_k_spec){.dtype = shape->dtype,
                               .length = shape->dims[shape->rank - 1],
                               .k = top_count(sort),
                               .largest = compare->comparison_direction == COMPARE_GT,
                               .total = compare->compare_type == COMPARE_TOTALORDER};
}

bool library_top_k_is_call(const struct op *sort, const struct target *target)
{
    if (!target || !target->has_top_k || target->accelerator || sort->block->owner ||
        !sorts_with_positions(sort) || !comparison_of(sort))
        return false;
    struct top_k_spec spec = spec_of(sort);
    return top_k_spec_is_supported(&spec);
}

static const struct type *first_of_rows(struct module *module, const struct type *type, int64_t k)
{
    int64_t dims[SHAPE_MAX_RANK];
    for (int i = 0; i < type->shape.rank; i++)
        dims[i] = i == type->shape.rank - 1 ? k : type->shape.dims[i];
    return type_tensor(module->arena, type->shape.dtype, type->shape.rank, dims);
}

/* Slices of a result that keep k elements are the call's result; those of fewer slice that. */
static void replace_slices(struct module *module, struct value *sorted, struct value *first)
{
    for (struct use *use = sorted->uses, *next; use; use = next) {
        struct op *slice = use->user;
        next = use->next;
        if (!type_same_shape(slice->results[0].type, first->type))
            continue;
        ir_replace_uses(module, &slice->results[0], first);
        ir_remove(slice);
    }
    ir_replace_uses(module, sorted, first);
}

struct op *library_top_k_make_call(struct module *module, struct op *sort)
{
    static const char target[] = "gantry_top_k";
    struct top_k_spec spec = spec_of(sort);
    const struct type *types[2];
    char *config = ARENA_ARRAY(module->arena, char, 3);
    for (int i = 0; i < 2; i++)
        types[i] = first_of_rows(module, sort->operands[i]->type, spec.k);
    struct op *call = ir_op(module, OP_custom_call, 1, sort->operands, 2, types, 0);
    config[0] = spec.largest ? 'L' : 'S';
    config[1] = spec.total ? 'T' : 'N';
    call->attrs.custom_call.call_target_name = (struct string){sizeof target - 1, target};
    call->attrs.custom_call.backend_config = (struct string){2, config};
    call->location = sort->location;
    ir_insert_before(sort, call);
    for (int i = 0; i < 2; i++)
        replace_slices(module, &sort->results[i], &call->results[i]);
    ir_remove(sort);
    return call;
}
