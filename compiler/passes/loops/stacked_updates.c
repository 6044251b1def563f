/* stacked_updates.c: see stacked_updates.h. */
#include "compiler/passes/loops/stacked_updates.h"

#include "compiler/analysis/loop_index.h"
#include "compiler/analysis/trip_count.h"
#include "compiler/passes/rewrite/each_op.h"
#include "compiler/passes/rewrite/rewrite.h"

/* The operands of a dynamic_update_slice; a dynamic_slice has its starts from 1 on. */
enum { WHOLE, PART, STARTS };

/* A stack that a loop fills with updated slices of another one. */
struct stacked {
    struct module *module;
    struct op *loop, *write, *read; /* of an element of the stack, and of the other one */
    int dim;                        /* along which elements are stacked */
    int64_t count;                  /* elements: iterations */
    int64_t updates;                /* of a slice, each of the last one's result */
};

static struct block *body_of(const struct stacked *s)
{
    return s->loop->regions[1];
}

static const struct shape *shape_of(const struct value *value)
{
    return &value->type->shape;
}

/* The operation of the loop's body that computes a value, before reshapes; NULL: none. */
static struct op *source_of(const struct stacked *s, const struct value *value)
{
    while (value->def && value->def->code == OP_reshape && value->def->block == body_of(s))
        value = value->def->operands[0];
    return value->def && value->def->block == body_of(s) ? value->def : NULL;
}

/* The dimension along which all but one element of an array are left out; -1: there is none, or
 * more are. */
static int stacked_dim(const struct shape *array, const struct shape *element)
{
    int dim = -1;
    for (int i = 0; i < array->rank; i++) {
        if (element->dims[i] == array->dims[i])
            continue;
        if (dim >= 0 || element->dims[i] != 1)
            return -1;
        dim = i;
    }
    return dim;
}

/* Whether carried value `i` becomes a stack of an element for each iteration, in turn. */
static bool find_write(struct stacked *s, int i)
{
    struct op *write = body_of(s)->last->operands[i]->def;
    struct value *stack = &body_of(s)->arguments[i];
    if (!write || write->code != OP_dynamic_update_slice || write->block != body_of(s) ||
        write->operands[WHOLE] != stack || !ir_has_one_use(stack) ||
        !ir_has_one_use(&write->results[0]) || s->loop->regions[0]->arguments[i].uses)
        return false;
    s->write = write;
    s->dim = stacked_dim(shape_of(stack), shape_of(write->operands[PART]));
    return s->dim >= 0 && shape_of(stack)->dims[s->dim] == s->count &&
           loop_index_is_each(s->loop, write->operands[STARTS + s->dim], s->count);
}

/* Whether a slice has the sizes of an element of the stack, without the dimension along which they
 * are stacked. */
static bool is_element(const struct stacked *s, const struct value *slice)
{
    const struct shape *element = shape_of(s->write->operands[PART]), *shape = shape_of(slice);
    if (shape->rank != element->rank - 1)
        return false;
    for (int i = 0; i < shape->rank; i++)
        if (shape->dims[i] != element->dims[i + (i >= s->dim)])
            return false;
    return true;
}

/* Whether an operation updates a slice at indices of the loop's type. */
static bool is_update(const struct stacked *s, const struct op *op)
{
    return op && op->code == OP_dynamic_update_slice && is_element(s, &op->results[0]) &&
           (shape_of(&op->results[0])->rank == 0 ||
            shape_of(op->operands[STARTS])->dtype == shape_of(s->write->operands[STARTS])->dtype);
}

/* Whether a slice is the element that is written, of an array of as many from outside the loop. */
static bool is_read(const struct stacked *s, const struct op *read)
{
    if (!read || read->code != OP_dynamic_slice)
        return false;
    const struct value *array = read->operands[WHOLE];
    return ir_block_of(array) != body_of(s) &&
           type_equal(array->type, s->write->operands[WHOLE]->type) &&
           stacked_dim(shape_of(array), shape_of(&read->results[0])) == s->dim &&
           read->operands[1 + s->dim] == s->write->operands[STARTS + s->dim];
}

/* Finds the slice that the written element is an update of. Visits each update once, whatever the
 * number of stacks that it is written to: their notes say that they were visited. */
static bool find_read(struct stacked *s)
{
    struct op *op = source_of(s, s->write->operands[PART]);
    for (s->updates = 0; is_update(s, op) && !op->note; s->updates++) {
        op->note = op;
        op = source_of(s, op->operands[WHOLE]);
    }
    s->read = op;
    return s->updates > 0 && is_read(s, op);
}

/* ---- the rewriting --------------------------------------------------------------------------- */
/* Where an update of a slice begins in the stack. */
static void starts_in_stack(const struct stacked *s, const struct op *update, struct value **starts)
{
    for (int i = 0; i < shape_of(s->write->operands[WHOLE])->rank; i++)
        starts[i] =
            i == s->dim ? s->read->operands[1 + i] : update->operands[STARTS + i - (i > s->dim)];
}

/* The part of an update, with the dimension along which elements are stacked. */
static struct value *part_in_stack(const struct stacked *s, struct builder *b,
                                   const struct op *update)
{
    int64_t dims[SHAPE_MAX_RANK];
    const struct shape *part = shape_of(update->operands[PART]);
    for (int i = 0; i <= part->rank; i++)
        dims[i] = i == s->dim ? 1 : part->dims[i - (i > s->dim)];
    return build_reshape(b, update->operands[PART], part->rank + 1, dims);
}

/* Replaces what reads an updated slice, other than the next update, by reads of the stack. */
static void read_stack(const struct stacked *s, struct builder *b, struct op *update,
                       struct value *stack)
{
    struct value *slice = build_dynamic_slice(b, stack, s->read->operands + 1,
                                              shape_of(s->write->operands[PART])->dims);
    const struct shape *shape = shape_of(&update->results[0]);
    ir_replace_uses(s->module, &update->results[0],
                    build_reshape(b, slice, shape->rank, shape->dims));
}

/* The updates of the slice, the first one first. */
static struct op **updates_of(const struct stacked *s)
{
    struct op **updates = ARENA_ARRAY(s->module->arena, struct op *, (size_t)s->updates);
    struct op *op = source_of(s, s->write->operands[PART]);
    for (int64_t i = s->updates; i-- > 0; op = source_of(s, op->operands[WHOLE]))
        updates[i] = op;
    return updates;
}

/* The stack after all updates of its element. */
static struct value *update_stack(const struct stacked *s)
{
    struct value *starts[SHAPE_MAX_RANK], *stack = s->write->operands[WHOLE];
    struct op **updates = updates_of(s);
    for (int64_t i = 0; i < s->updates; i++) {
        struct builder b = rewrite_before(s->module, updates[i]);
        starts_in_stack(s, updates[i], starts);
        stack = build_update(&b, stack, part_in_stack(s, &b, updates[i]), starts);
        read_stack(s, &b, updates[i], stack);
    }
    return stack;
}

static struct error *rewrite(const struct stacked *s, int i)
{
    ir_set_operand(s->module, s->loop, i, s->read->operands[WHOLE]);
    struct value *stack = update_stack(s);
    ir_set_operand(s->module, s->read, WHOLE, s->write->operands[WHOLE]);
    return rewrite_with(s->module, s->write, stack);
}

static struct error *visit(struct module *module, struct op *op, const struct target *target)
{
    (void)target;
    const int64_t count = op->code == OP_while ? trip_count_of(op) : -1;
    for (struct op *in = count > 0 ? op->regions[1]->first : NULL; in; in = in->next)
        in->note = NULL;
    for (int i = 0; count > 0 && i < op->operand_count; i++) {
        struct stacked s = {.module = module, .loop = op, .count = count};
        if (find_write(&s, i) && find_read(&s))
            TRY(rewrite(&s, i));
    }
    return NULL;
}

struct error *stacked_updates_run(struct module *module, const struct target *target)
{
    return each_op(module, target, visit);
}
