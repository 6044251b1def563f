/* sort_keys.c: see sort_keys.h. */
#include "compiler/passes/expand/sort_keys.h"

#include "compiler/analysis/comparator.h"
#include "compiler/passes/rewrite/each_op.h"
#include "compiler/passes/rewrite/rewrite.h"

enum {
    MAX_OPERANDS = 4,  /* that code generation sorts by a key */
    MIN_LENGTH = 16,   /* elements of a row, */
    MIN_ELEMENTS = 256 /* and of all: each sort takes a millisecond to compile */
};

static bool is_supported(const struct op *sort)
{
    const struct type *type = sort->operands[0]->type;
    int64_t dim = sort->attrs.sort.dimension;
    return sort->operand_count <= MAX_OPERANDS && type->shape.rank &&
           type_elements(type) >= MIN_ELEMENTS &&
           type->shape.dims[dim < 0 ? dim + type->shape.rank : dim] >= MIN_LENGTH;
}

/* Adds the operands whose elements a value in the comparator's body depends on. */
static void add_operands(const struct block *body, const struct value *value, struct map *seen,
                         bool *operands)
{
    if (!value->def && value->block == body)
        operands[value->index / 2] = true;
    if (!value->def || value->def->block != body || map_get_pointer(seen, value->def))
        return;
    map_put_pointer(seen, value->def, value->def);
    for (int i = 0; i < value->def->operand_count; i++)
        add_operands(body, value->def->operands[i], seen, operands);
}

static void operands_of(struct module *module, const struct block *body, const struct value *value,
                        bool *operands)
{
    add_operands(body, value, map_create(module->arena), operands);
}

/* Clones what `value` is computed from to the end of `to`. */
static struct value *copy_value(struct module *module, const struct block *from,
                                struct value *value, struct map *values, struct block *to)
{
    struct value *copied = map_get_pointer(values, value);
    if (copied || !value->def || value->def->block != from)
        return copied ? copied : value;
    for (int i = 0; i < value->def->operand_count; i++)
        copy_value(module, from, value->def->operands[i], values, to);
    ir_append(to, ir_clone(module, value->def, values));
    return map_get_pointer(values, value);
}

/* A comparator of the operands that are in use; it returns `value` of another's body. */
static struct block *make_body(struct module *module, struct op *sort, const struct block *from,
                               const struct value *value, const bool *used)
{
    const struct type *types[2 * MAX_OPERANDS];
    struct map *values = map_create(module->arena);
    int count = 0;
    for (int i = 0; i < from->argument_count; i++)
        if (used[i / 2])
            types[count++] = from->arguments[i].type;
    struct block *body = ir_block(module, from->func, sort, count, types);
    for (int i = from->argument_count - 1; i >= 0; i--)
        if (used[i / 2])
            map_put_pointer(values, &from->arguments[i], &body->arguments[--count]);
    struct value *result = copy_value(module, from, (struct value *)value, values, body);
    struct builder b = {module, body, NULL, sort->location};
    build_return(&b, 1, &result);
    return body;
}

/* Sorts what is in use of `values`, one for each operand of `sort`, by `by` in its comparator, and
 * replaces it by the results. */
static void sort_by(struct module *module, struct op *sort, const struct value *by,
                    const bool *used, struct value **values)
{
    struct value *operands[MAX_OPERANDS];
    const struct type *types[MAX_OPERANDS];
    int count = 0;
    for (int i = 0; i < sort->operand_count; i++)
        if (used[i]) {
            types[count] = values[i]->type;
            operands[count++] = values[i];
        }
    struct op *made = ir_op(module, OP_sort, count, operands, count, types, 1);
    made->location = sort->location;
    made->attrs.sort = sort->attrs.sort;
    made->attrs.sort.is_stable = true;
    made->regions[0] = make_body(module, made, sort->regions[0], by, used);
    ir_insert_before(sort, made);
    for (int i = sort->operand_count - 1; i >= 0; i--)
        if (used[i])
            values[i] = &made->results[--count];
}

/* Sorts by `value`: first by its later keys. `used`: the operands whose order matters. */
static void sort_by_keys(struct module *module, struct op *sort, const struct value *value,
                         const bool *used, struct value **values)
{
    const struct block *body = sort->regions[0];
    struct comparator_keys keys;
    bool by_keys = comparator_by_keys(body, value, &keys), before[MAX_OPERANDS] = {false};
    const struct value *by = by_keys ? &keys.first->results[0] : value;
    for (int i = 0; i < sort->operand_count; i++)
        before[i] = used[i];
    operands_of(module, body, by, before);
    if (by_keys)
        sort_by_keys(module, sort, keys.rest, before, values);
    sort_by(module, sort, by, before, values);
}

static struct error *visit(struct module *module, struct op *sort, const struct target *target)
{
    struct comparator_keys keys;
    struct value *values[MAX_OPERANDS];
    bool used[MAX_OPERANDS];
    (void)target;
    const struct value *by = sort->code == OP_sort ? sort->regions[0]->last->operands[0] : NULL;
    if (!by || !is_supported(sort) || !comparator_by_keys(sort->regions[0], by, &keys))
        return NULL;
    for (int i = 0; i < sort->operand_count; i++) {
        values[i] = sort->operands[i];
        used[i] = sort->results[i].uses;
    }
    sort_by_keys(module, sort, by, used, values);
    for (int i = 0; i < sort->operand_count; i++)
        ir_replace_uses(module, &sort->results[i], values[i]);
    ir_remove(sort);
    return NULL;
}

struct error *sort_keys_run(struct module *module, const struct target *target)
{
    return each_op(module, target, visit);
}
