/* each_op.c: see each_op.h. */
#include "compiler/passes/rewrite/each_op.h"

struct walk {
    struct module *module;
    void *context;
    each_op_visit_with *visit;
    struct error *(*on_block)(const struct walk *walk, struct block *block);
};

/* A step whose parts are no operations of their own any more. */
static bool is_closed(const struct op *op)
{
    return op->code == OP_fusion && op->attrs.fusion.fusion_kind == FUSION_THIN_DOT;
}

static struct error *visit_op(const struct walk *walk, struct op *op)
{
    for (int i = 0; i < op->region_count && !is_closed(op); i++)
        TRY(walk->on_block(walk, op->regions[i]));
    return walk->visit(walk->module, op, walk->context);
}

static struct error *forward(const struct walk *walk, struct block *block)
{
    for (struct op *next, *op = block->first; op; op = next) {
        next = op->next;
        TRY(visit_op(walk, op));
    }
    return NULL;
}

static struct error *again(const struct walk *walk, struct block *block)
{
    for (struct op *next, *op = block->first; op; op = next) {
        struct op *previous = op->previous;
        TRY(visit_op(walk, op));
        bool removed = !op->block;
        next = !removed ? op->next : previous ? previous->next : block->first;
    }
    return NULL;
}

static struct error *backward(const struct walk *walk, struct block *block)
{
    for (struct op *previous, *op = block->last; op; op = previous) {
        previous = op->previous;
        TRY(visit_op(walk, op));
    }
    return NULL;
}

static struct error *on_functions(const struct walk *walk)
{
    for (struct func *func = walk->module->first; func; func = func->next)
        TRY(walk->on_block(walk, func->body));
    return NULL;
}

/* A visit that needs the target only. */
struct plain {
    const struct target *target;
    each_op_visit *visit;
};

static struct error *visit_plain(struct module *module, struct op *op, void *context)
{
    const struct plain *plain = context;
    return plain->visit(module, op, plain->target);
}

struct error *each_op(struct module *module, const struct target *target, each_op_visit *visit)
{
    struct plain plain = {target, visit};
    return on_functions(&(struct walk){module, &plain, visit_plain, forward});
}

struct error *each_op_again(struct module *module, const struct target *target,
                            each_op_visit *visit)
{
    struct plain plain = {target, visit};
    return on_functions(&(struct walk){module, &plain, visit_plain, again});
}

struct error *each_op_again_with(struct module *module, void *context, each_op_visit_with *visit)
{
    return on_functions(&(struct walk){module, context, visit, again});
}

struct error *each_op_backward(struct module *module, const struct target *target,
                               each_op_visit *visit)
{
    struct plain plain = {target, visit};
    return on_functions(&(struct walk){module, &plain, visit_plain, backward});
}
