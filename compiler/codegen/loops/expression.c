/* expression.c: walks expressions, memoizes emitted values, and chooses the scope to emit them
 * in. */
#include "compiler/codegen/loops/expression.h"

#include <string.h>

#include "compiler/codegen/element/elementwise.h"
#include "compiler/schedule/analysis.h"
#include "compiler/schedule/nest_schedule.h"
#include "compiler/codegen/loops/row_fetch.h"

enum { MAX_NESTING = 3000 };

int expression_lanes(const struct emitter *e, const struct index *index)
{
    return affine_index_is_uniform(e, index) ? 1 : e->lanes;
}

/* Orders operands so that those with nested reductions come first: these cache rows that the others
 * can read. */
static void operand_order(struct emitter *e, const struct op *op, int *order)
{
    bool has_loops = e->nest && e->nest->schedule.has_loop;
    int depth[8] = {0};
    for (int i = 0; i < op->operand_count; i++) {
        int at = i;
        depth[i] = has_loops ? analysis_loop_depth(op->operands[i]) : 0;
        for (; at > 0 && depth[order[at - 1]] < depth[i]; at--)
            order[at] = order[at - 1];
        order[at] = i;
    }
}

static struct error *emit_elementwise(struct emitter *e, const struct op *op,
                                      const struct index *index, struct element *out)
{
    struct element in[8];
    int order[8];
    if (op->operand_count > 8)
        return emitter_unimplemented(e, op, "so many operands");
    operand_order(e, op, order);
    for (int k = 0; k < op->operand_count; k++) {
        int i = order[k];
        bool scalar =
            op->operands[i]->type->shape.rank == 0; /* select and clamp mix scalars with tensors */
        TRY(expression_emit(e, op->operands[i], scalar ? &(struct index){0} : index, &in[i]));
    }
    return elementwise_emit(e, op, in, out);
}

static struct error *emit_op(struct emitter *e, const struct op *op, const struct index *index,
                             struct element *out)
{
    const struct op *outer = e->op;
    struct error *error;
    if (e->nesting >= MAX_NESTING || e->budget <= 0)
        return ERROR(RESOURCE_EXHAUSTED,
                     "%s: the fused expression exceeds the limit of code generation",
                     ir_where(e->arena, op));
    e->nesting++;
    e->budget--;
    e->op = op;
    if (op->code == OP_optimization_barrier) {
        error = NULL;
        for (int i = 0; i < op->operand_count && !error; i++)
            error = expression_emit(e, op->operands[i], index, &out[i]);
    } else if (e->expressions[op->code]) {
        error = e->expressions[op->code](e, op, index, out);
    } else if (op_info(op->code)->traits & OP_ELEMENTWISE) {
        error = emit_elementwise(e, op, index, out);
    } else {
        error = emitter_unimplemented(e, op, "this operation inside of a fusion");
    }
    e->op = outer;
    e->nesting--;
    return error;
}

static void key_add(struct emitter *e, const void *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++)
        VEC_PUSH(e->arena, &e->key, ((const char *)bytes)[i]);
}

/* The key of an element: the value, the index, which lanes are enabled, and whether it is moved. */
static void key_make(struct emitter *e, const void *what, const struct index *index)
{
    bool vector = !affine_index_is_uniform(e, index);
    const void *masks[2] = {vector ? e->tail : NULL, e->guard ? e->guard->value : NULL};
    e->key.count = 0;
    key_add(e, &what, sizeof what);
    key_add(e, masks, sizeof masks);
    bool moves = element_only_moves(e);
    key_add(e, &moves, sizeof moves);
    for (int i = 0; i < index->rank; i++)
        key_add(e, &index->at[i], affine_size(&index->at[i]));
}

/* ---- rows cached on the stack ---------------------------------------------------------------- */
struct cached_row {
    LLVMValueRef memory;
    enum dtype dtype;
};

void expression_row_key(struct emitter *e, const char *what, const struct value *value,
                        const struct index *row)
{
    char tag[8] = {0};
    strncpy(tag, what, sizeof tag - 1);
    e->key.count = 0;
    key_add(e, tag, sizeof tag);
    key_add(e, &value, sizeof value);
    for (int i = 0; i < row->rank; i++)
        key_add(e, &row->at[i], affine_size(&row->at[i]));
}

void expression_cache_row(struct emitter *e, const struct value *value, const struct index *row,
                          enum dtype dtype, LLVMValueRef memory)
{
    struct cached_row *cached = ARENA_NEW(e->arena, struct cached_row);
    *cached = (struct cached_row){memory, dtype};
    expression_row_key(e, "row", value, row);
    emitter_memo_put(emitter_scope(e, affine_index_depth(e, row)), e->key.items, e->key.count,
                     cached);
}

/* Loads the element from a row that a reduction cached, if there is one. */
static bool read_row(struct emitter *e, const struct value *value, const struct index *index,
                     struct element *out)
{
    struct index row = affine_index(index->rank - 1, index->at);
    if (!e->row_caches || index->rank < 1 || e->guard)
        return false;
    expression_row_key(e, "row", value, &row);
    struct scope *scope = emitter_scope(e, affine_index_depth(e, &row));
    const struct cached_row *cached = emitter_memo_get(scope, e->key.items, e->key.count);
    if (!cached)
        return false;
    int64_t count = value->type->shape.dims[index->rank - 1];
    *out = element_load(e, cached->memory, cached->dtype, &index->at[index->rank - 1], count);
    return true;
}

static struct error *load(struct emitter *e, const struct value *value, LLVMValueRef pointer,
                          const struct index *index, struct element *out)
{
    const struct type *type = value->type;
    int64_t count = type_elements(type);
    if (!count) {
        *out = element_from_double(e, type->shape.dtype, 0);
        return NULL;
    }
    struct affine offset = affine_linear(e, index, type->shape.dims);
    *out = element_load(e, pointer, type->shape.dtype, &offset, count);
    row_fetch(e, value, pointer, index, &offset);
    return NULL;
}

/* Values of a reducer's region: bound arguments, or operations emitted at the current position. */
static bool is_bound(struct emitter *e, const struct value *value, struct element *out,
                     struct error **error)
{
    for (const struct binding *binding = e->binding; binding; binding = binding->parent) {
        struct element *known = map_get_pointer(binding->elements, value);
        *error = NULL;
        if (known) {
            *out = *known;
            return true;
        }
        if (!value->def || value->def->block != binding->block)
            continue;
        const struct op *op = value->def;
        struct element *all = ARENA_ARRAY(e->arena, struct element, (size_t)op->result_count);
        *error = emit_op(e, op, &(struct index){0}, all);
        for (int i = 0; i < op->result_count && !*error; i++)
            map_put_pointer(binding->elements, &op->results[i], &all[i]);
        *out = all[value->index];
        return true;
    }
    return false;
}

/* Emits an element of what is not bound, or finds it, under the current guard. */
static struct error *emit_value(struct emitter *e, const struct value *value,
                                const struct index *index, struct element *out)
{
    struct error *error;
    LLVMValueRef pointer = map_get_pointer(e->buffers, value);
    if (!pointer && !value->def)
        return ERROR(INTERNAL, "a fusion uses a value from outside of it");
    int depth = affine_index_depth(e, index), count = pointer ? 1 : value->def->result_count;
    if (e->guard && e->guard->depth > depth)
        depth = e->guard->depth;
    struct scope *scope = emitter_scope(e, depth);
    const void *what = pointer ? (const void *)value : (const void *)value->def;
    key_make(e, what, index);
    struct element *known = emitter_memo_get(scope, e->key.items, e->key.count);
    if (!known) {
        size_t size = e->key.count;
        void *key = arena_copy(e->arena, e->key.items, size);
        known = ARENA_ARRAY(e->arena, struct element, (size_t)count);
        struct scope *back = emitter_enter(e, scope);
        if (pointer)
            error = load(e, value, pointer, index, known);
        else if (count == 1 && read_row(e, value, index, known))
            error = NULL;
        else
            error = emit_op(e, value->def, index, known);
        emitter_leave(e, back);
        if (error)
            return error;
        emitter_memo_put(scope, key, size, known);
    }
    *out = known[pointer ? 0 : value->index];
    return NULL;
}

struct error *expression_emit(struct emitter *e, const struct value *value,
                              const struct index *index, struct element *out)
{
    struct error *error;
    if (is_bound(e, value, out, &error))
        return error;
    const struct guard *guard = e->guard;
    while (e->guard && e->guard->certain && affine_index_is_uniform(e, index))
        e->guard = e->guard->outer;
    error = emit_value(e, value, index, out);
    e->guard = guard;
    return error;
}

struct error *expression_scalar(struct emitter *e, const struct value *value, struct element *out)
{
    struct affine zeros[SHAPE_MAX_RANK];
    for (int i = 0; i < value->type->shape.rank; i++)
        zeros[i] = affine_constant(0);
    struct index index = affine_index(value->type->shape.rank, zeros);
    return expression_emit(e, value, &index, out);
}

struct error *expression_in_body(struct emitter *e, const struct block *body,
                                 const struct element *arguments, int count,
                                 struct value *const *values, struct element *out)
{
    struct binding binding = {e->binding, body, map_create(e->arena)};
    for (int i = 0; i < body->argument_count; i++)
        map_put_pointer(binding.elements, &body->arguments[i],
                        arena_copy(e->arena, &arguments[i], sizeof arguments[i]));
    e->binding = &binding;
    struct error *error = NULL;
    for (int i = 0; i < count && !error; i++)
        error = expression_scalar(e, values[i], &out[i]);
    e->binding = binding.parent;
    return error;
}

struct error *expression_body(struct emitter *e, const struct block *body,
                              const struct element *arguments, struct element *results)
{
    const struct op *end = body->last;
    return expression_in_body(e, body, arguments, end->operand_count, end->operands, results);
}

LLVMValueRef expression_and(struct emitter *e, LLVMValueRef a, LLVMValueRef b)
{
    if (!a || !b)
        return a ? a : b;
    struct element x = element_of(a), y = element_of(b);
    int lanes = x.lanes > y.lanes ? x.lanes : y.lanes;
    x = element_widen(e, &x, lanes);
    y = element_widen(e, &y, lanes);
    return LLVMBuildAnd(e->builder, x.part[0], y.part[0], "");
}

struct error *expression_guarded(struct emitter *e, const struct value *value,
                                 const struct index *index, LLVMValueRef condition,
                                 struct element *out)
{
    const struct guard *outer = e->guard;
    if (!condition)
        return expression_emit(e, value, index, out);
    LLVMValueRef both = expression_and(e, outer ? outer->value : NULL, condition);
    struct guard guard = emitter_guard(e, both, element_of(both).lanes);
    e->guard = &guard;
    struct error *error = expression_emit(e, value, index, out);
    e->guard = outer;
    return error;
}
