/* operand_ranges.h: which elements of its operands an operation needs for each shard of its result
 * where elements move along a sharded dimension (FACTOR_PERMUTED): slices, pads, reverses,
 * concatenations, windows. A convolution whose kernel is sharded in space needs them for each shard
 * of the kernel. */
#ifndef GANTRY_COMPILER_PASSES_SPMD_OPERAND_RANGES_H
#define GANTRY_COMPILER_PASSES_SPMD_OPERAND_RANGES_H

#include "compiler/passes/spmd/factor_axes.h"
#include "compiler/passes/spmd/halo_plan.h"

/* The operation on shards sees `length` positions of the operand's dimension: `low` positions of
 * padding, the elements of the range with dilation - 1 positions between them, `high` positions of
 * padding (may be negative). Where the padding differs between partitions, `shifts` has for each
 * range how many positions of this to skip. */
struct operand_range { /* of select_and_scatter, padding and shifts are those of its result */
    int operand, dim;
    struct halo halo; /* whole, begin, end: the dimension; from: set by operand_ranges_source() */
    int64_t length, dilation, low, high;
    const int64_t *shifts; /* NULL: none */
};

struct operand_ranges {
    int count;
    struct operand_range *at;
};

/* Whether the operation's permuted factors may have axes. */
bool operand_ranges_possible(const struct factor_request *request);

/* Takes axes from factors that cannot have them together: a convolution's kernel and result are not
 * sharded along the same spatial dimension, and the kernel only where ranges are possible. */
void operand_ranges_restrict(const struct factor_request *request, bool possible,
                             struct factor_axes *axes);

/* The ranges of the dimensions whose factors have axes, and of sharded dimensions of which all
 * partitions need the same slice; in the arena. The operation must be one
 * with operand_ranges_possible(). Time: linear in operands, dimensions and shards. */
struct operand_ranges operand_ranges_of(struct arena *arena, const struct device_grid *grid,
                                        const struct factor_request *request,
                                        const struct factor_axes *axes);

/* The tiling from which the ranges of operand i are taken: `to` in all dimensions without ranges;
 * in the others that of the operand where these axes are free, else that of `to`. Sets
 * halo.from. */
struct tiling *operand_ranges_source(struct arena *arena, const struct operand_ranges *ranges,
                                     int operand, const struct tiling *now,
                                     const struct tiling *to);

/* The bytes that a device sends for the ranges of operand i, averaged, from that tiling. */
double operand_ranges_bytes(struct arena *arena, const struct device_grid *grid,
                            const struct operand_ranges *ranges, int operand,
                            const struct type *type, const struct tiling *source);

#endif
