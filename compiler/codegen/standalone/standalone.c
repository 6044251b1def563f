/* standalone.c: the table of operations with kernel emitters of their own. */
#include "compiler/codegen/standalone/standalone.h"

#include "compiler/codegen/kernels/kinds.h"

static const struct standalone table[] = {
    {OP_sort, sort_emit, sort_scratch},
    {OP_cholesky, cholesky_emit, cholesky_scratch},
    {OP_lu, lu_emit, NULL},
    {OP_rng_bit_generator, rng_bits_emit, NULL},
    {OP_reduce_window, scan_emit, NULL},
    {OP_select_and_scatter, select_and_scatter_emit, NULL},
    {OP_triangular_solve, triangular_solve_emit, triangular_solve_scratch},
};

static const struct standalone *find(enum op_code code)
{
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        if (table[i].code == code && table[i].emit)
            return &table[i];
    return NULL;
}

/* The operation whose results the fusion returns, whole or only their first elements
 * (fusion_sort.h). */
static const struct op *last_op(const struct op *fusion)
{
    const struct block *body = fusion->regions[0];
    const struct op *op = body->last->operand_count ? body->last->operands[0]->def : NULL;
    const struct op *before = op && op->code == OP_slice ? op->operands[0]->def : NULL;
    return before && before->code == OP_sort ? before : op;
}

struct error *standalone_emit(struct kernel *k)
{
    const struct op *op = last_op(k->fusion);
    const struct standalone *row = op ? find(op->code) : NULL;
    return row ? row->emit(k, op) : loop_kernel_emit(k);
}

uint64_t standalone_scratch(const struct op *fusion, const struct target *target)
{
    const struct op *op = last_op(fusion);
    const struct standalone *row = op ? find(op->code) : NULL;
    return row && row->scratch ? row->scratch(op, target) : 0;
}
