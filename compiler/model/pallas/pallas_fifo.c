#include "compiler/model/pallas/pallas_fifo.h"

#include <string.h>

enum { MOST_LOOPS = 4 };

struct queues {
    const struct accelerator *accelerator;
    const struct kernel *kernel;
    int64_t rows[KERNEL_MAX_MXUS]; /* of f32 or s32, queued in each unit */
    int loops;                     /* that enclose the operation */
};

/* Found by bisection with libtpu 0.0.52: of units of 128 x 128 (v5e, v5p) and of 256 x 256 (v6e),
 * equal for operands of f32, bf16 and fp8. */
static int64_t capacity_of(const struct accelerator *a)
{
    return a->matrix_unit_size > 128 ? 448 : 192;
}

/* Rows of int8 take half the place. */
static int64_t rows_of(const struct kernel_type *type)
{
    return dtype_is_integer(type->dtype) ? (type->dims[0] + 1) / 2 : type->dims[0];
}

static struct error *overflow(const struct queues *q, const struct kernel_op *op)
{
    char where[512];
    kernel_op_where(op, where, sizeof where);
    return ERROR(FAILED_PRECONDITION,
                 "kernel '%s': %s: Cannot schedule FIFO push instruction when the FIFO is full: "
                 "matrix unit %lld would queue %lld rows of results, it holds %lld; pop results "
                 "before the next product",
                 q->kernel->name, where, (long long)op->attrs->axis,
                 (long long)q->rows[op->attrs->axis], (long long)capacity_of(q->accelerator));
}

static struct error *walk(struct queues *q, const struct kernel_block *block);

/* The branch that queues most counts. */
static struct error *walk_branches(struct queues *q, const struct kernel_op *op)
{
    int64_t before[KERNEL_MAX_MXUS], most[KERNEL_MAX_MXUS] = {0};
    memcpy(before, q->rows, sizeof before);
    for (int r = 0; r < op->region_count; r++) {
        memcpy(q->rows, before, sizeof before);
        TRY(walk(q, &op->regions[r]));
        for (int i = 0; i < KERNEL_MAX_MXUS; i++)
            most[i] = most[i] > q->rows[i] ? most[i] : q->rows[i];
    }
    memcpy(q->rows, most, sizeof most);
    return NULL;
}

static struct error *walk_loop(struct queues *q, const struct kernel_op *op)
{
    int times = q->loops++ < MOST_LOOPS ? 2 : 1;
    struct error *error = NULL;
    for (int i = 0; i < times && !error; i++)
        for (int r = 0; r < op->region_count && !error; r++)
            error = walk(q, &op->regions[r]);
    q->loops--;
    return error;
}

static struct error *visit(struct queues *q, const struct kernel_op *op)
{
    int64_t *rows = &q->rows[op->attrs->axis % KERNEL_MAX_MXUS], left;
    switch (op->code) {
    case KERNEL_MATMUL_LHS_FIFO:
        *rows += rows_of(op->operands[0]->type);
        return *rows > capacity_of(q->accelerator) ? overflow(q, op) : NULL;
    case KERNEL_MATMUL_POP_FIFO:
        left = *rows - rows_of(op->results[0].type);
        *rows = left > 0 ? left : 0;
        return NULL;
    case KERNEL_FOR:
    case KERNEL_WHILE: return walk_loop(q, op);
    default: return op->region_count ? walk_branches(q, op) : NULL;
    }
}

static struct error *walk(struct queues *q, const struct kernel_block *block)
{
    for (const struct kernel_op *op = block->first; op; op = op->next)
        TRY(visit(q, op));
    return NULL;
}

struct error *pallas_fifo_check(const struct accelerator *accelerator, const struct kernel *kernel)
{
    struct queues queues = {.accelerator = accelerator, .kernel = kernel};
    return walk(&queues, &kernel->main->body);
}
