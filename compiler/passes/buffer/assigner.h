/* assigner.h: the state of one buffer assignment, shared by the files of this folder. */
#ifndef GANTRY_COMPILER_PASSES_BUFFER_ASSIGNER_H
#define GANTRY_COMPILER_PASSES_BUFFER_ASSIGNER_H

#include "base/vec.h"
#include "compiler/passes/buffer/buffer_assign.h"
#include "compiler/passes/buffer/buffer_class.h"
#include "compiler/plan/buffer_constants.h"

/* op->note: the positions at which an operation begins and ends; they are equal unless it has
 * regions. The operation at position p writes its results at time 2p and reads its operands until
 * time 2p + 1. */
struct op_span {
    int64_t start, end;
};

struct copy {
    struct op *op;
    int loops, branches; /* number of those around it */
    uint64_t bytes;
    int64_t position;
};

struct assigner {
    struct module *module;
    struct arena *arena; /* the module's scratch; the plan is in the module's own */
    const struct target *target;
    buffer_scratch_function *scratch_size;
    const struct func *entry; /* NULL when planning a region */
    struct block *block;
    struct buffer_plan *plan;
    /* indices of allocations; constants is -1 for regions */
    int constants, temp;
    int temp_count; /* number of memory kinds that temporaries may use; 1 for regions */
    int64_t counter;
    VEC(struct item *) items;
    VEC(struct class *) classes;
    VEC(struct copy) copies;
    struct buffer_constants *literals; /* NULL for regions */
};

static inline bool assigner_is_tensor(const struct value *value)
{
    return value->type->kind == TYPE_TENSOR;
}

/* NULL for tokens. */
static inline struct item *assigner_item(const struct value *value)
{
    return value->note;
}

static inline uint64_t assigner_bytes(const struct value *value)
{
    return assigner_is_tensor(value) ? (uint64_t)type_bytes(value->type) : 0;
}

static inline const struct op_span *assigner_span(const struct op *op)
{
    return op->note;
}

#endif
