#include "compiler/passes/layout/entry_layouts.h"

#include "compiler/passes/rewrite/rewrite.h"
#include "compiler/target.h"
#include "compiler/tiled_shape.h"

static struct error *check(const struct type *type, const char *what, int index)
{
    const struct shape *shape = &type->shape;
    if (!shape->minor_to_major && !shape->tile_count)
        return NULL;
    if (type->kind == TYPE_TENSOR && shape_is_permutation(shape->rank, shape->minor_to_major))
        return NULL;
    return ERROR(INVALID_ARGUMENT, "the layout of %s %d must list each dimension once", what,
                 index);
}

static bool is_auto(const struct argument_info *infos, int index)
{
    return infos && infos[index].layout_auto;
}

/* ---- layouts of memory that the program reads and writes ------------------------------------- */
/* The type without a layout that says only what is the case without it. */
static const struct type *without_row_major(struct arena *arena, const struct type *type)
{
    return shape_is_row_major(&type->shape) ? type_without_layout(arena, type) : type;
}

/* Tiles are a name here: bytes are dense. */
static bool is_stored_row_major(const struct type *type)
{
    struct shape stored = type->shape;
    stored.tile_count = 0;
    return shape_is_row_major(&stored);
}

/* Sets the argument's stored type and replaces its uses by a transpose. */
static void change_argument(struct module *module, struct value *argument)
{
    const struct type *declared = argument->type;
    int64_t permutation[SHAPE_MAX_RANK];
    int rank = declared->shape.rank;
    for (int p = 0; p < rank; p++)
        permutation[shape_minor_to_major(&declared->shape, rank - 1 - p)] = p;
    struct builder b = {module, argument->block, argument->block->first, NULL};
    argument->type = type_stored(module->arena, declared);
    struct value *logical = build_transpose(&b, argument, permutation);
    ir_replace_uses(module, argument, logical);
    ir_set_operand(module, logical->def, 0, argument);
}

/* Returns a transpose of the result instead. */
static void change_result(struct module *module, int index, const struct shape *shape)
{
    struct op *ret = module->entry->body->last;
    int64_t permutation[SHAPE_MAX_RANK];
    for (int p = 0; p < shape->rank; p++)
        permutation[p] = shape_minor_to_major(shape, shape->rank - 1 - p);
    struct builder b = rewrite_before(module, ret);
    ir_set_operand(module, ret, index, build_transpose(&b, ret->operands[index], permutation));
}

static bool is_aliased(const struct func *func, int result)
{
    for (int i = 0; i < func->body->argument_count; i++)
        if (func->argument_infos && func->argument_infos[i].alias_result == result)
            return true;
    return false;
}

/* Of a transposed value whose layout the compiler may choose, the layout in which the value is
 * stored as it was before the transpose. */
static void choose_layout(struct module *module, struct func *func, int index)
{
    const struct op *def = func->body->last->operands[index]->def;
    const struct type *type = func->result_types[index];
    if (!func->result_infos || !func->result_infos[index].layout_auto || !def ||
        def->code != OP_transpose || type->shape.minor_to_major || is_aliased(func, index))
        return;
    const int64_t *permutation = def->attrs.transpose.permutation.at;
    int rank = type->shape.rank;
    int64_t *order = ARENA_ARRAY(module->arena, int64_t, (size_t)rank);
    for (int i = 0; i < rank; i++)
        order[rank - 1 - permutation[i]] = i;
    struct type *chosen = arena_copy(module->arena, type, sizeof *type);
    chosen->shape.minor_to_major = order;
    func->result_types[index] = chosen;
    func->result_infos[index].layout_auto = false;
}

static struct error *store_argument(struct module *module, int index, const struct type **declared)
{
    struct value *argument = &module->entry->body->arguments[index];
    TRY(check(*declared, "argument", index));
    *declared = without_row_major(module->arena, *declared);
    if (is_stored_row_major(*declared))
        argument->type = type_without_layout(module->arena, *declared);
    else
        change_argument(module, argument);
    return NULL;
}

static struct error *store_result(struct module *module, int index, const struct type **declared)
{
    choose_layout(module, module->entry, index);
    TRY(check(*declared, "result", index));
    *declared = without_row_major(module->arena, *declared);
    if (!is_stored_row_major(*declared))
        change_result(module, index, &(*declared)->shape);
    return NULL;
}

/* ---- layouts of a modeled accelerator -------------------------------------------------------- */
static const struct type *with_shape(struct arena *arena, const struct type *type,
                                     const struct shape *shape)
{
    struct type *copy = arena_copy(arena, type, sizeof *type);
    copy->shape = shape_copy(arena, shape);
    return copy;
}

/* The type in the layout that the client asks for, with tiles, or in that of the accelerator. */
static const struct type *lay_out(struct arena *arena, const struct accelerator *accelerator,
                                  const struct type *type, bool free)
{
    struct shape_layout room;
    struct shape shape = type->shape;
    if (type->kind != TYPE_TENSOR || shape.tile_count)
        return type;
    if (shape.minor_to_major)
        tiled_shape_tile(accelerator, &shape, &room);
    else
        tiled_shape_choose(accelerator, free ? TILED_FREE : TILED_DEFAULT, &shape, &room);
    return with_shape(arena, type, &shape);
}

/* The type in the layout in which it is stored as `from` is; they differ by a transpose (NULL: they
 * have the same dimensions). */
static const struct type *lay_out_as(struct arena *arena, const struct accelerator *accelerator,
                                     const struct type *from, const struct op *transpose,
                                     const struct type *type)
{
    struct shape_layout room;
    struct shape shape = type->shape;
    int64_t place[SHAPE_MAX_RANK];
    for (int i = 0; i < shape.rank; i++)
        place[transpose ? transpose->attrs.transpose.permutation.at[i] : i] = i;
    for (int i = 0; i < shape.rank; i++)
        room.minor_to_major[i] = place[shape_minor_to_major(&from->shape, i)];
    shape.minor_to_major = room.minor_to_major;
    tiled_shape_tile(accelerator, &shape, &room);
    return with_shape(arena, type, &shape);
}

/* The layout of a result that the compiler may choose: that of the argument that it is, or of what
 * it is a transpose of. */
static const struct type *choose_result(struct module *module,
                                        const struct accelerator *accelerator, int index)
{
    struct func *func = module->entry;
    const struct type *type = func->result_types[index], *stored;
    const struct value *value = func->body->last->operands[index];
    const struct op *transpose = value->def && value->def->code == OP_transpose ? value->def : NULL;
    if (transpose)
        value = transpose->operands[0];
    if ((value->def && !transpose) || type->kind != TYPE_TENSOR || type->shape.minor_to_major)
        return lay_out(module->arena, accelerator, type, true);
    stored = value->def ? lay_out(module->arena, accelerator, value->type, true)
                        : ir_argument_type(func, value->index);
    return lay_out_as(module->arena, accelerator, stored, transpose, type);
}

/* Bytes are row-major, whatever the layout is called. */
static struct error *model_layouts(struct module *module, const struct accelerator *accelerator,
                                   const struct type **types)
{
    struct func *func = module->entry;
    for (int i = 0; i < func->body->argument_count; i++) {
        TRY(check(types[i], "argument", i));
        types[i] = lay_out(module->arena, accelerator, types[i], is_auto(func->argument_infos, i));
        func->body->arguments[i].type =
            type_without_layout(module->arena, func->body->arguments[i].type);
    }
    func->argument_types = types;
    for (int i = 0; i < func->result_count; i++) {
        TRY(check(func->result_types[i], "result", i));
        func->result_types[i] =
            is_auto(func->result_infos, i)
                ? choose_result(module, accelerator, i)
                : lay_out(module->arena, accelerator, func->result_types[i], false);
    }
    return NULL;
}

/* ---------------------------------------------------------------------------------------------- */
struct error *entry_layouts_run(struct module *module, const struct target *target)
{
    struct func *func = module->entry;
    int count = func->body->argument_count;
    const struct type **types = ARENA_ARRAY(module->arena, const struct type *, (size_t)count);
    for (int i = 0; i < count; i++)
        types[i] = ir_argument_type(func, i);
    if (target && target->accelerator)
        return model_layouts(module, target->accelerator, types);
    for (int i = 0; i < count; i++)
        TRY(store_argument(module, i, &types[i]));
    func->argument_types = types;
    for (int i = 0; i < func->result_count; i++)
        TRY(store_result(module, i, &func->result_types[i]));
    return NULL;
}
