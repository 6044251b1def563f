/* kernel_merge.c: see kernel_merge.h. The kernel of a group is generated from a prototype: a fusion
 * in a block of its own, whose arguments are the operands of the kernel. */
#include "compiler/lower/kernel_merge.h"

#include <string.h>

#include "compiler/ir/build.h"
#include "compiler/lower/each_fusion.h"
#include "compiler/lower/kernel_constants.h"
#include "compiler/lower/lower_step.h"
#include "compiler/lower/signature.h"

enum {
    MAX_OPERANDS = 32,   /* that a kernel has in addition; with more, fusions are not merged */
    RESULTS_OF_CACHE = 2 /* results that are as many times as large as the last cache leave it */
};

struct kernel_group {
    const struct kernel_constants *first; /* of the first fusion */
    bool *varies; /* for each constant: it is not the same number in all fusions */
    int *same;    /* for each: the first one that is the same number as this in every fusion */
    /* For each: the additional operand that it is, counted from 0, or -1. Set by finish(), when all
     * fusions are known. */
    int *operands;
    bool *is_address; /* that operand is an argument which begins at the position of the slice */
    int operand_count;
    bool is_exact;           /* it would have too many: constants stay part of the code */
    bool stores_past_caches; /* all of its fusions do (codegen.h) */
    int kernel;              /* its index + 1; 0: none yet */
};

struct kernel_user { /* a fusion */
    struct kernel_group *group;
    struct kernel_constants constants;
};

/* ---- groups ---------------------------------------------------------------------------------- */
static struct kernel_group *new_group(struct arena *arena, const struct kernel_constants *first)
{
    struct kernel_group *group = ARENA_NEW(arena, struct kernel_group);
    size_t count = first->list.count;
    *group = (struct kernel_group){.first = first,
                                   .varies = ARENA_ARRAY(arena, bool, count + 1),
                                   .same = ARENA_ARRAY(arena, int, count + 1),
                                   .operands = ARENA_ARRAY(arena, int, count + 1),
                                   .is_address = ARENA_ARRAY(arena, bool, count + 1),
                                   .stores_past_caches = true};
    memset(group->varies, 0, count + 1);
    memset(group->same, 0, (count + 1) * sizeof *group->same); /* all are assumed to be equal */
    return group;
}

static struct kernel_group *group_of(struct lowerer *l, const struct op *fusion,
                                     const struct kernel_constants *constants)
{
    const void *bytes;
    size_t size;
    signature_without(l->scratch, fusion, constants->fields, &bytes, &size);
    struct kernel_group *group = map_get(l->kernel_groups, bytes, size);
    if (!group) {
        group = new_group(l->scratch, constants);
        map_put(l->kernel_groups, bytes, size, group);
    }
    return group;
}

/* The first constant that was the same as constant i in all fusions so far and is in this one. A
 * group has at most as many splits as constants, so the search is short. */
static int still_same(const struct kernel_group *group, const int *before,
                      const struct kernel_constants *constants, int i)
{
    const struct kernel_constant *all = constants->list.items;
    if (kernel_constants_equal(&all[before[i]], &all[i]))
        return before[i];
    for (int j = before[i] + 1; j < i; j++)
        if (before[j] == before[i] && group->same[j] == j &&
            kernel_constants_equal(&all[j], &all[i]))
            return j;
    return i;
}

static void add_to_group(struct arena *arena, struct kernel_group *group,
                         const struct kernel_constants *constants)
{
    size_t count = constants->list.count;
    int *before = arena_copy(arena, group->same, count * sizeof *before);
    for (size_t i = 0; i < count; i++) {
        group->varies[i] |=
            !kernel_constants_equal(&group->first->list.items[i], &constants->list.items[i]);
        group->same[i] = still_same(group, before, constants, (int)i);
    }
}

/* Whether a value is only returned, maybe as a copy. */
static bool is_only_returned(const struct lowerer *l, const struct value *value)
{
    while (ir_has_one_use(value) && value->uses->user->code == OP_copy)
        value = &value->uses->user->results[0];
    return ir_has_one_use(value) && value->uses->user == l->module->entry->body->last;
}

/* Whether the program returns the results and does not read them, and returns so much that they
 * leave the caches. */
static bool stores_past_caches(const struct lowerer *l, const struct op *fusion)
{
    for (int i = 0; i < fusion->result_count; i++)
        if (!is_only_returned(l, &fusion->results[i]))
            return false;
    const double cache = (double)l->target->last_cache_bytes;
    return cache > 0 && l->results_bytes > RESULTS_OF_CACHE * cache;
}

static void add_fusion(struct lowerer *l, const struct op *fusion)
{
    struct kernel_user *user = ARENA_NEW(l->scratch, struct kernel_user);
    kernel_constants_find(l->scratch, fusion, &user->constants);
    user->group = group_of(l, fusion, &user->constants);
    user->group->stores_past_caches &= stores_past_caches(l, fusion);
    add_to_group(l->scratch, user->group, &user->constants);
    map_put_pointer(l->kernel_users, fusion, user);
}

/* Whether constant i, which varies, is the position of a slice that only begins elsewhere. */
static bool begins_elsewhere(const struct kernel_group *group, size_t i)
{
    const struct kernel_constant *all = group->first->list.items;
    if (all[i].op->code != OP_slice)
        return false;
    const struct type *type = all[i].op->operands[0]->type;
    for (size_t j = 0; j < group->first->list.count; j++)
        if (all[j].op == all[i].op && group->varies[j] &&
            !kernel_constants_is_outermost(type, all[j].index))
            return false;
    return true;
}

/* Numbers the operands. The same number is one operand. */
static void number_operands(struct arena *arena, struct kernel_group *group)
{
    size_t count = group->first->list.count;
    int *known = ARENA_ARRAY(arena, int, count + 1); /* by `same` */
    for (size_t i = 0; i < count; i++)
        known[i] = group->operands[i] = -1;
    for (size_t i = 0; i < count; i++) {
        group->is_address[i] = group->varies[i] && begins_elsewhere(group, i);
        if (!group->varies[i])
            continue;
        int other = -1, *at = group->is_address[i] ? &other : &known[group->same[i]];
        if (*at < 0)
            *at = group->operand_count++;
        group->operands[i] = *at;
    }
}

static void finish(struct arena *arena, struct kernel_group *group)
{
    number_operands(arena, group);
    if (group->operand_count <= MAX_OPERANDS)
        return;
    group->operand_count = 0;
    group->is_exact = true;
}

static double results_bytes(const struct func *func)
{
    const struct op *end = func->body->last;
    double bytes = 0;
    for (int i = 0; i < end->operand_count; i++)
        if (end->operands[i]->type->kind == TYPE_TENSOR)
            bytes += (double)type_bytes(end->operands[i]->type);
    return bytes;
}

void kernel_merge_find(struct lowerer *l)
{
    l->kernel_groups = map_create(l->scratch);
    l->kernel_users = map_create(l->scratch);
    l->results_bytes = results_bytes(l->module->entry);
    each_fusion(l, add_fusion);
    for (size_t i = 0; i < map_count(l->kernel_groups); i++)
        finish(l->scratch, map_at(l->kernel_groups, i, NULL, NULL));
}

static const struct kernel_user *user_of(const struct lowerer *l, const struct op *fusion)
{
    return map_get_pointer(l->kernel_users, fusion);
}

/* ---- operands of steps ----------------------------------------------------------------------- */
int kernel_merge_operand_count(const struct lowerer *l, const struct op *fusion)
{
    return user_of(l, fusion)->group->operand_count;
}

static struct slice number_slice(struct lowerer *l, const struct kernel_constant *constant)
{
    const struct type *type = type_tensor(l->arena, constant->dtype, 0, NULL);
    uint64_t size = (uint64_t)dtype_bytes(constant->dtype);
    const struct literal *literal = literal_dense(l->arena, type, constant->bytes);
    return (struct slice){l->constants, buffer_constants_add_number(l->plan->constants, literal),
                          size};
}

/* The slice of the fusion's operand from the position on. */
static struct slice address_slice(struct lowerer *l, const struct op *fusion,
                                  const struct kernel_constant *position)
{
    const struct value *argument = position->op->operands[0];
    const struct shape *shape = &argument->type->shape;
    struct slice slice = *buffer_plan_slice(l->plan, fusion->operands[argument->index]);
    uint64_t skipped = (uint64_t)dtype_bytes(shape->dtype);
    for (int i = position->index + 1; i < shape->rank; i++)
        skipped *= (uint64_t)shape->dims[i];
    skipped *= (uint64_t)position->op->attrs.slice.start_indices.at[position->index];
    slice.offset += skipped;
    slice.size -= skipped;
    return slice;
}

void kernel_merge_add_operands(struct lowerer *l, const struct op *fusion, struct step *step)
{
    const struct kernel_user *user = user_of(l, fusion);
    const struct kernel_group *group = user->group;
    int next = 0;
    for (size_t i = 0; next < group->operand_count; i++) {
        const struct kernel_constant *constant = &user->constants.list.items[i];
        if (group->operands[i] != next)
            continue;
        struct slice slice =
            group->is_address[i] ? address_slice(l, fusion, constant) : number_slice(l, constant);
        lower_step_add_slice(step, &slice);
        next++;
    }
}

/* ---- prototypes ------------------------------------------------------------------------------ */
struct prototype {
    struct module *module;
    struct arena *arena;
    const struct op *fusion;
    const struct kernel_group *group;
    const struct kernel_constant *constants; /* of the fusion */
    struct block *body;
    struct map *values; /* value of the fusion -> value of the prototype */
    size_t next;        /* the first constant of the operations that are not cloned yet */
};

/* The limit of a slice in a dimension where it begins at 0. */
static int64_t limit_from_zero(const struct op *slice, int dim)
{
    int64_t size = slice->results[0].type->shape.dims[dim];
    return (size - 1) * slice->attrs.slice.strides.at[dim] + 1;
}

/* An argument that begins at the position of a slice has just what the slice needs in that
 * dimension. */
static const struct type *address_type(struct arena *arena, const struct kernel_constant *position)
{
    const struct shape *shape = &position->op->operands[0]->type->shape;
    int64_t *dims = arena_copy(arena, shape->dims, (size_t)shape->rank * sizeof *dims);
    dims[position->index] = limit_from_zero(position->op, position->index);
    return type_tensor(arena, shape->dtype, shape->rank, dims);
}

static const struct type **operand_types(const struct prototype *p)
{
    int count = p->fusion->operand_count, next = 0;
    const struct type **types =
        ARENA_ARRAY(p->arena, const struct type *, count + p->group->operand_count);
    for (int i = 0; i < count; i++)
        types[i] = p->fusion->regions[0]->arguments[i].type;
    for (size_t i = 0; next < p->group->operand_count; i++)
        if (p->group->operands[i] == next)
            types[count + next++] = p->group->is_address[i]
                                        ? address_type(p->arena, &p->constants[i])
                                        : type_tensor(p->arena, p->constants[i].dtype, 0, NULL);
    return types;
}

/* The argument that replaces constant i. */
static struct value *argument_of(const struct prototype *p, size_t i)
{
    return &p->body->arguments[p->fusion->operand_count + p->group->operands[i]];
}

static struct value *address_slice_of(const struct prototype *p, struct builder *b,
                                      const struct op *op, size_t i)
{
    const struct attrs_slice *slice = &op->attrs.slice;
    size_t size = (size_t)slice->start_indices.count * sizeof(int64_t);
    int64_t *start = arena_copy(p->arena, slice->start_indices.at, size);
    int64_t *limit = arena_copy(p->arena, slice->limit_indices.at, size);
    int dim = p->constants[i].index;
    start[dim] = 0;
    limit[dim] = limit_from_zero(op, dim);
    return build_slice(b, argument_of(p, i), start, limit, slice->strides.at);
}

/* The constants [from, to) are those of the slice. */
static struct value *dynamic_slice_of(const struct prototype *p, struct builder *b,
                                      const struct op *op, size_t from, size_t to)
{
    const struct shape *shape = &op->results[0].type->shape;
    struct value *starts[SHAPE_MAX_RANK];
    for (int i = 0; i < shape->rank; i++) {
        bool listed = from < to && p->constants[from].index == i;
        double start = (double)op->attrs.slice.start_indices.at[i];
        starts[i] = listed && p->group->varies[from] ? argument_of(p, from)
                                                     : build_scalar(b, DTYPE_S64, start);
        from += listed;
    }
    return build_dynamic_slice(b, map_get_pointer(p->values, op->operands[0]), starts, shape->dims);
}

/* Clones a slice; the constants [from, to) are its positions. */
static void add_slice(const struct prototype *p, struct builder *b, struct op *op, size_t from,
                      size_t to)
{
    size_t varying = from;
    while (varying < to && !p->group->varies[varying])
        varying++;
    if (varying == to)
        ir_append(p->body, ir_clone(p->module, op, p->values));
    else
        map_put_pointer(p->values, &op->results[0],
                        p->group->is_address[varying] ? address_slice_of(p, b, op, varying)
                                                      : dynamic_slice_of(p, b, op, from, to));
}

/* Clones an operation; the constants [from, to) are operands of it. */
static void add_with_numbers(const struct prototype *p, struct builder *b, struct op *op,
                             size_t from, size_t to)
{
    struct op *copy = ir_clone(p->module, op, p->values);
    for (size_t i = from; i < to; i++) {
        const struct type *type = op->operands[p->constants[i].index]->type;
        if (!p->group->varies[i])
            continue;
        struct value *number = argument_of(p, i);
        if (type->shape.rank)
            number = build_broadcast(b, number, type, 0, NULL);
        ir_set_operand(p->module, copy, p->constants[i].index, number);
    }
    ir_append(p->body, copy);
}

static void add_op(struct prototype *p, struct op *op)
{
    struct builder b = {p->module, p->body, NULL, op->location};
    size_t from = p->next;
    while (p->next < p->group->first->list.count && p->constants[p->next].op == op)
        p->next++;
    if (op->code == OP_slice)
        add_slice(p, &b, op, from, p->next);
    else
        add_with_numbers(p, &b, op, from, p->next);
}

/* A fusion of the given type in a block of its own, whose arguments are its operands. */
static struct op *empty_fusion(const struct prototype *p, const struct type **types)
{
    const struct op *like = p->fusion;
    int count = like->operand_count + p->group->operand_count;
    struct func *func = like->block->func;
    struct block *outside = ir_block(p->module, func, NULL, count, types);
    struct value **operands = ARENA_ARRAY(p->arena, struct value *, count + 1);
    const struct type **results = ARENA_ARRAY(p->arena, const struct type *, like->result_count);
    for (int i = 0; i < count; i++)
        operands[i] = &outside->arguments[i];
    for (int i = 0; i < like->result_count; i++)
        results[i] = like->results[i].type;
    struct op *fusion =
        ir_op(p->module, OP_fusion, count, operands, like->result_count, results, 1);
    fusion->attrs = like->attrs;
    fusion->location = like->location;
    fusion->regions[0] = ir_block(p->module, func, fusion, count, types);
    ir_append(outside, fusion);
    return fusion;
}

/* The fusion with the constants that vary as operands. */
static struct op *make_prototype(struct lowerer *l, const struct op *fusion)
{
    const struct kernel_user *user = user_of(l, fusion);
    const struct block *from = fusion->regions[0];
    struct prototype p = {.module = l->module,
                          .arena = l->arena,
                          .fusion = fusion,
                          .group = user->group,
                          .constants = user->constants.list.items,
                          .values = map_create(l->arena)};
    struct op *made = empty_fusion(&p, operand_types(&p));
    p.body = made->regions[0];
    for (int i = 0; i < from->argument_count; i++)
        map_put_pointer(p.values, &from->arguments[i], &p.body->arguments[i]);
    for (struct op *op = from->first; op; op = op->next)
        add_op(&p, op);
    return made;
}

/* ---- kernels --------------------------------------------------------------------------------- */
static int add_kernel(struct lowerer *l, const struct op *original, const struct op *fusion,
                      int tier)
{
    struct codegen_kernel kernel = {.fusion = fusion,
                                    .tier = tier,
                                    .buffers = map_get_pointer(l->plan->regions, original),
                                    .name = arena_format(l->arena, "kernel_%zu", l->kernels.count)};
    VEC_PUSH(l->arena, &l->kernels, kernel);
    return (int)l->kernels.count;
}

/* The kernel of the fusions that have the same constants, too. */
static int exact_kernel(struct lowerer *l, const struct op *fusion, int tier)
{
    const void *bytes;
    size_t size;
    signature_of_op(l->arena, fusion, &bytes, &size);
    uintptr_t known = (uintptr_t)map_get(l->kernel_numbers, bytes, size);
    if (!known) {
        known = (uintptr_t)add_kernel(l, fusion, fusion, tier);
        map_put(l->kernel_numbers, bytes, size, (void *)known);
    }
    return (int)known;
}

int kernel_merge_exact_index(struct lowerer *l, const struct op *fusion, int tier)
{
    return exact_kernel(l, fusion, tier) - 1;
}

int kernel_merge_index(struct lowerer *l, const struct op *fusion, int tier)
{
    struct kernel_group *group = user_of(l, fusion)->group;
    if (group->is_exact)
        return kernel_merge_exact_index(l, fusion, tier);
    if (!group->kernel) {
        const struct op *made = group->operand_count ? make_prototype(l, fusion) : fusion;
        group->kernel = add_kernel(l, fusion, made, tier);
    }
    struct codegen_kernel *kernel = &l->kernels.items[group->kernel - 1];
    kernel->tier = tier > kernel->tier ? tier : kernel->tier;
    kernel->stores_past_caches = group->stores_past_caches;
    return group->kernel - 1;
}
