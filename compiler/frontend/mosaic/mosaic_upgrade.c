#include "compiler/frontend/mosaic/mosaic_upgrade.h"

#include <string.h>

static void set_segments(struct kernel_op *op, int count, const int *segments)
{
    op->segment_count = count;
    memcpy(op->segments, segments, (size_t)count * sizeof *segments);
}

/* Operations without segments, distinguished by their number of operands. */
static void add_segments(struct kernel_op *op)
{
    static const struct {
        enum kernel_code code;
        int operands, count, segments[KERNEL_MAX_SEGMENTS];
    } rows[] = {
        {KERNEL_ENQUEUE_DMA, 3, 7, {1, 0, 1, 1}}, {KERNEL_ENQUEUE_DMA, 5, 7, {1, 1, 1, 1, 1}},
        {KERNEL_SEM_SIGNAL, 2, 5, {1, 1}},        {KERNEL_SEM_SIGNAL, 3, 5, {1, 1, 1}},
        {KERNEL_WAIT_DMA2, 3, 5, {1, 1, 1}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].code == op->code && rows[i].operands == op->operand_count)
            set_segments(op, rows[i].count, rows[i].segments);
    if (op->code == KERNEL_REINTERPRET_CAST)
        set_segments(op, 4, (int[]){1, op->operand_count > 1, 0, 0});
}

/* Whether the last segment came with a later version: the subcore, or dynamic strides. */
static bool lacks_segment(const struct kernel_op *op, int version)
{
    bool has_subcore = version >= 14, has_strides = version >= 16;
    return (op->code == KERNEL_ENQUEUE_DMA && op->segment_count == 6 && !has_subcore) ||
           (op->code == KERNEL_WAIT_DMA && op->segment_count == 6 && !has_subcore) ||
           (op->code == KERNEL_SEM_SIGNAL && op->segment_count == 4 && !has_subcore) ||
           (op->code == KERNEL_REINTERPRET_CAST && op->segment_count == 3 && !has_strides);
}

/* Scans were along the last dimension. */
static void set_scanned(const struct kernel_op *op, struct kernel_attrs *attrs)
{
    if (op->operand_count > 0)
        attrs->axis = op->operands[0]->type->rank - 1;
}

void mosaic_upgrade_op(struct arena *arena, int version, struct kernel_op *op,
                       struct kernel_attrs *attrs)
{
    bool has_one = (op->code == KERNEL_IOTA && version < 6) ||
                   (op->code == KERNEL_DYNAMIC_GATHER && version < 5);
    if (has_one && attrs->dims.count == 0)
        attrs->dims = (struct dims){1, arena_copy(arena, &attrs->axis, sizeof attrs->axis)};
    if (op->segment_count == 0)
        add_segments(op);
    else if (lacks_segment(op, version))
        op->segments[op->segment_count++] = 0;
    if (op->code == KERNEL_SCAN && version < 16)
        set_scanned(op, attrs);
}
