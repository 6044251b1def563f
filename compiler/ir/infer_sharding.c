/* infer_sharding.c: type inference of constraints and of the boundaries of manual computations. */
#include <inttypes.h>

#include "compiler/ir/infer.h"
#include "compiler/ir/infer_check.h"
#include "compiler/ir/sharding.h"

static struct error *check_sharding(struct arena *arena, const struct op *op,
                                    const struct sharding *sharding, const struct type *type)
{
    if (!sharding)
        return infer_check_bad(arena, op, "has no sharding");
    struct error *error = sharding_check(sharding, type->shape.rank);
    if (!error)
        return NULL;
    struct error *placed = infer_check_bad(arena, op, "%s", error_message(error, NULL));
    error_free(error);
    return placed;
}

struct error *infer_sharding_constraint(struct arena *arena, struct op *op)
{
    TRY(infer_check_tensor(arena, op, 0));
    const struct type *type = infer_check_type(op, 0);
    TRY(check_sharding(arena, op, op->attrs.sharding.sharding, type));
    return infer_check_result_dims(arena, op, 0, type->shape.dtype, type->shape.rank,
                                   type->shape.dims);
}

/* The local sizes are the full ones divided by the manual axes of their dimensions. */
static struct error *check_local(struct arena *arena, const struct op *op, const struct type *full,
                                 const struct type *local)
{
    const struct sharding *sharding = op->attrs.manual.sharding;
    TRY(check_sharding(arena, op, sharding, full));
    if (full->shape.dtype != local->shape.dtype || full->shape.rank != local->shape.rank)
        return infer_check_bad(arena, op, "%s is not a shard of %s", type_text(arena, local),
                               type_text(arena, full));
    for (int i = 0; i < full->shape.rank; i++) {
        int64_t shards = sharding_manual_size(sharding, i), size;
        if (__builtin_mul_overflow(local->shape.dims[i], shards, &size) ||
            size != full->shape.dims[i])
            return infer_check_bad(arena, op,
                                   "dimension %d of the full value is %" PRId64
                                   " and of the shard %" PRId64
                                   ", but its manual axes have %" PRId64
                                   " devices; the full size must be the product of the other two",
                                   i, full->shape.dims[i], local->shape.dims[i], shards);
    }
    return NULL;
}

struct error *infer_full_to_shard(struct arena *arena, struct op *op)
{
    TRY(infer_check_tensor(arena, op, 0));
    TRY(infer_check_declared(arena, op, 0));
    return check_local(arena, op, infer_check_type(op, 0), op->results[0].type);
}

struct error *infer_shard_to_full(struct arena *arena, struct op *op)
{
    TRY(infer_check_tensor(arena, op, 0));
    TRY(infer_check_declared(arena, op, 0));
    return check_local(arena, op, op->results[0].type, infer_check_type(op, 0));
}
