/* sliced_steps.c: see sliced_steps.h. */
#include "compiler/passes/fusion/sliced_steps.h"

#include <limits.h>

#include "base/vec.h"
#include "compiler/analysis/library_spec.h"
#include "compiler/analysis/update_window.h"
#include "compiler/ir/equal.h"
#include "compiler/passes/rewrite/fusion_make.h"
#include "compiler/schedule/operand_slice.h"

typedef VEC(struct op *) op_list;

struct op_set { /* in the order in which they were added */
    op_list ops;
    struct map *members;
};

struct slicer { /* of one block */
    struct module *module;
    struct arena *arena;
    op_list slices;      /* and what they are computed of, outside of fusions; in order */
    struct map *indices; /* kernels that compute indices, by their hashes */
    struct map *states;  /* of arrays: an enum state, as a pointer */
};

enum state { STATE_UNKNOWN, STATE_KEPT, STATE_UPDATED };

static bool is_kind(const struct op *op, enum fusion_kind kind)
{
    return op->code == OP_fusion && op->attrs.fusion.fusion_kind == kind;
}

static bool reads_slices(const struct op *op)
{
    return library_spec_is_product(op) || op->code == OP_convolution ||
           is_kind(op, FUSION_THIN_DOT) || is_kind(op, FUSION_ATTENTION) ||
           is_kind(op, FUSION_ATTENTION_BACKWARD);
}

/* Whether only steps of a block that read slices use a value, or reshapes of it. */
static bool is_for_steps(const struct value *value, const struct block *block)
{
    for (const struct use *use = value->uses; use; use = use->next) {
        const struct op *user = use->user;
        if (user->block != block ||
            (user->code == OP_reshape ? !is_for_steps(&user->results[0], block)
                                      : !reads_slices(user)))
            return false;
    }
    return value->uses;
}

/* ---- arrays that stay as they are ------------------------------------------------------------ */
static bool updates(const struct op *fusion, int operand)
{
    for (int i = 0; i < fusion->result_count; i++) {
        const struct value *array = update_window_array(fusion, i);
        if (array && array->index == operand)
            return true;
    }
    return false;
}

static bool is_overwritten_by(const struct use *use)
{
    const struct op *user = use->user;
    return is_kind(user, FUSION_REGION) || user->code == OP_while || user->code == OP_custom_call ||
           (is_kind(user, FUSION_UPDATE) && updates(user, use->operand));
}

/* Whether the memory of a value, or of reshapes of it, may be written by one of its users. */
static bool is_updated(const struct value *array)
{
    for (const struct use *use = array->uses; use; use = use->next)
        if (is_overwritten_by(use) ||
            (use->user->code == OP_reshape && is_updated(&use->user->results[0])))
            return true;
    return false;
}

/* Whether the argument of a loop's body is not what the next iteration begins with. */
static bool is_replaced(const struct value *argument, const struct block *block)
{
    return block->owner && block->owner->code == OP_while && block == block->owner->regions[1] &&
           block->last->operands[argument->index] != argument;
}

/* Whether the array may be overwritten in the block. An array of an outer block is not, as long as
 * this one is executed. */
static bool may_change(const struct slicer *s, const struct value *array, const struct block *block)
{
    while (array->def && array->def->code == OP_reshape)
        array = array->def->operands[0];
    if (array->def ? array->def->block != block : array->block != block)
        return false;
    uintptr_t state = (uintptr_t)map_get_pointer(s->states, array);
    if (state == STATE_UNKNOWN) {
        const bool changes = is_updated(array) || (!array->def && is_replaced(array, block));
        state = changes ? STATE_UPDATED : STATE_KEPT;
        map_put_pointer(s->states, array, (void *)state);
    }
    return state == STATE_UPDATED;
}

/* ---- kernels that copy slices ---------------------------------------------------------------- */
/* Whether a fusion only copies a slice, for steps that can read it where it is. */
static bool only_copies(const struct slicer *s, const struct op *fusion)
{
    struct operand_slice slice;
    if (!is_kind(fusion, FUSION_LOOP) || fusion->result_count != 1 ||
        !operand_slice_of(fusion->regions[0]->last->operands[0], &slice) || slice.whole->def)
        return false;
    const struct value *array = fusion->operands[slice.whole->index];
    return array->type->shape.memory == MEMORY_DEVICE &&
           fusion->results[0].type->shape.memory == MEMORY_DEVICE &&
           is_for_steps(&fusion->results[0], fusion->block) && !may_change(s, array, fusion->block);
}

static struct op_set make_set(const struct slicer *s)
{
    return (struct op_set){.members = map_create(s->arena)};
}

static bool has_op(const struct op_set *set, const struct op *op)
{
    return map_get_pointer(set->members, op) != NULL;
}

static void add_op(const struct slicer *s, struct op_set *set, struct op *op)
{
    VEC_PUSH(s->arena, &set->ops, op);
    map_put_pointer(set->members, op, op);
}

/* Adds the operations of `from` that compute a value, each behind those that it uses. */
static void add_needed(struct slicer *s, const struct op_set *from, const struct value *value,
                       struct op_set *out)
{
    if (!value->def || !has_op(from, value->def) || has_op(out, value->def))
        return;
    for (int i = 0; i < value->def->operand_count; i++)
        add_needed(s, from, value->def->operands[i], out);
    add_op(s, out, value->def);
}

/* The result of a kernel of the operations that compute an index, one for all equal indices. */
static struct value *index_kernel(struct slicer *s, struct op *position, const op_list *needed,
                                  struct value *index)
{
    struct op *kernel =
        fusion_make(s->module, FUSION_LOOP, position, (int)needed->count, needed->items, 1, &index);
    const uint64_t hash = equal_hash(kernel);
    struct op *known = map_get(s->indices, &hash, sizeof hash);
    if (known && equal_ops(s->arena, known, kernel, INT_MAX)) {
        ir_remove(kernel);
        return &known->results[0];
    }
    map_put(s->indices, &hash, sizeof hash, kernel);
    return &kernel->results[0];
}

/* Has kernels compute the indices of a slice, which `from` has the operations of. */
static void compute_indices(struct slicer *s, const struct op_set *from, struct op *slice)
{
    for (int i = 1; slice->code == OP_dynamic_slice && i < slice->operand_count; i++) {
        struct op_set needed = make_set(s);
        add_needed(s, from, slice->operands[i], &needed);
        if (needed.ops.count && slice->operands[i]->def->code != OP_constant)
            ir_set_operand(s->module, slice, i,
                           index_kernel(s, slice, &needed.ops, slice->operands[i]));
    }
}

/* Replaces a kernel that copies a slice by its operations; others compute the indices. */
static struct error *open_kernel(struct slicer *s, struct op *fusion)
{
    struct value *result;
    struct op_set opened = make_set(s);
    struct op *before = fusion->previous;
    TRY(ir_inline_block(s->module, fusion->regions[0], fusion->operand_count, fusion->operands,
                        fusion, 1, &result));
    for (struct op *op = before ? before->next : fusion->block->first; op != fusion; op = op->next)
        add_op(s, &opened, op);
    for (size_t i = 0; i < opened.ops.count; i++) {
        compute_indices(s, &opened, opened.ops.items[i]);
        VEC_PUSH(s->arena, &s->slices, opened.ops.items[i]);
    }
    ir_replace_uses(s->module, &fusion->results[0], result);
    ir_remove(fusion);
    return NULL;
}

/* ---- steps ----------------------------------------------------------------------------------- */
/* Adds the slices and reshapes that a value is, and their constant indices; nothing for others. */
static void add_slice(struct slicer *s, struct value *value, struct op_set *members)
{
    struct operand_slice slice;
    struct op *op = value->def;
    if (!operand_slice_of(value, &slice) || has_op(members, op))
        return;
    add_slice(s, op->operands[0], members);
    for (int i = 1; i < op->operand_count; i++) {
        struct op *index = op->operands[i]->def;
        if (index && index->code == OP_constant && !has_op(members, index))
            add_op(s, members, index);
    }
    add_op(s, members, op);
}

static bool is_unused(const struct op *op)
{
    for (int i = 0; i < op->result_count; i++)
        if (op->results[i].uses)
            return false;
    return true;
}

/* Removes operations that nothing uses; each follows those that it uses. */
static void remove_unused(const op_list *list)
{
    for (size_t i = list->count; i-- > 0;)
        if (list->items[i]->block && is_unused(list->items[i]))
            ir_remove(list->items[i]);
}

static void make(struct slicer *s, struct op *step)
{
    struct op_set members = make_set(s);
    for (int i = 0; i < step->operand_count; i++)
        add_slice(s, step->operands[i], &members);
    if (!members.ops.count)
        return;
    add_op(s, &members, step);
    struct value **results = ARENA_ARRAY(s->arena, struct value *, step->result_count);
    for (int i = 0; i < step->result_count; i++)
        results[i] = &step->results[i];
    struct op *fusion = fusion_make(s->module, FUSION_SLICED, step, (int)members.ops.count,
                                    members.ops.items, step->result_count, results);
    fusion->location = step->location;
    for (int i = 0; i < step->result_count; i++)
        ir_replace_uses(s->module, results[i], &fusion->results[i]);
    remove_unused(&members.ops);
}

/* ---- the pass -------------------------------------------------------------------------------- */
static struct error *run_block(struct module *module, struct block *block)
{
    struct arena *arena = arena_scratch(module->arena);
    struct slicer s = {.module = module,
                       .arena = arena,
                       .indices = map_create(arena),
                       .states = map_create(arena)};
    struct op *next;
    for (struct op *op = block->first; op; op = next) {
        next = op->next;
        for (int i = 0; op_info(op->code)->traits & OP_CONTROL && i < op->region_count; i++)
            TRY(run_block(module, op->regions[i]));
        if (only_copies(&s, op))
            TRY(open_kernel(&s, op));
        else if (reads_slices(op))
            make(&s, op);
    }
    remove_unused(&s.slices);
    return NULL;
}

struct error *sliced_steps_run(struct module *module, const struct target *target)
{
    (void)target;
    for (struct func *func = module->first; func; func = func->next)
        TRY(run_block(module, func->body));
    return NULL;
}
