/* read_map.c: see read_map.h. */
#include "compiler/schedule/read_map.h"

#include "compiler/schedule/walk.h"

struct walk_of_reads {
    struct arena *arena;
    struct read_map *out;
    int steps; /* that are left */
    int loops; /* of operations so far */
};

/* The access `inner` of an index that is itself `outer`. */
static struct access compose(const struct access *outer, const struct access *inner)
{
    struct access both = *outer;
    if (outer->kind != ACCESS_INDEX && outer->kind != ACCESS_LOOP)
        return *outer;
    if ((outer->divisor != 1 && !access_is_same(inner)) ||
        __builtin_mul_overflow(outer->scale, inner->scale, &both.scale) ||
        __builtin_mul_overflow(outer->offset, inner->scale, &both.offset) ||
        __builtin_add_overflow(both.offset, inner->offset, &both.offset))
        return (struct access){.kind = ACCESS_COMPUTED, .dim = -1, .divisor = 1};
    both.divisor *= inner->divisor; /* one of them is 1 */
    both.shifted |= inner->shifted;
    both.guarded |= inner->guarded;
    return both;
}

static struct access step(struct walk_of_reads *walk, const struct op *op, int operand, int dim,
                          const struct access *at)
{
    struct access access = access_of(op, operand, dim);
    if (access.kind == ACCESS_INDEX)
        return compose(&at[access.dim], &access);
    if (access.kind == ACCESS_LOOP)
        access.dim = walk->loops++, access.scale = 1;
    return access;
}

static bool same_access(const struct access *a, const struct access *b)
{
    return a->kind == b->kind && a->dim == b->dim && a->scale == b->scale &&
           a->offset == b->offset && a->divisor == b->divisor && a->shifted == b->shifted;
}

static bool same_reads(const struct read *a, const struct read *b)
{
    if (a->argument != b->argument)
        return false;
    for (int i = 0; i < a->argument->type->shape.rank; i++)
        if (!same_access(&a->at[i], &b->at[i]))
            return false;
    return true;
}

static void add(struct walk_of_reads *walk, const struct read *read)
{
    struct read_map *out = walk->out;
    for (size_t i = 0; i < out->reads.count; i++)
        if (same_reads(&out->reads.items[i], read))
            return;
    VEC_PUSH(walk->arena, &out->reads, *read);
}

static void follow(struct walk_of_reads *walk, const struct read *from)
{
    const struct op *op = from->argument->def;
    if (!op) {
        add(walk, from);
        return;
    }
    if (--walk->steps < 0) {
        walk->out->complete = false;
        return;
    }
    int loops = walk->loops;
    for (int i = 0; i < op->operand_count; i++) {
        struct read read = {.argument = op->operands[i]};
        walk->loops = loops; /* the operands of a reduction share its loops */
        for (int dim = 0; dim < op->operands[i]->type->shape.rank; dim++)
            read.at[dim] = step(walk, op, i, dim, from->at);
        follow(walk, &read);
    }
}

struct read_map read_map_of(struct arena *arena, const struct value *value)
{
    struct read_map out = {.complete = true};
    struct walk_of_reads walk = {arena, &out, WALK_STEPS, 0};
    struct read root = {.argument = value};
    for (int i = 0; i < value->type->shape.rank; i++)
        root.at[i] = (struct access){.kind = ACCESS_INDEX, .dim = i, .scale = 1, .divisor = 1};
    follow(&walk, &root);
    return out;
}
