/* single.c: the table of operations with kernels of their own. */
#include "compiler/codegen/single/single.h"

static const struct single table[] = {
    {OP_sort, single_sort, single_sort_scratch},
    {OP_cholesky, single_cholesky, single_cholesky_scratch},
    {OP_fft, single_fft, single_fft_scratch},
    {OP_rng_bit_generator, single_random_bits, NULL},
    {OP_reduce_window, single_reduce_window, NULL},
    {OP_select_and_scatter, single_select_and_scatter, NULL},
    {OP_triangular_solve, single_triangular_solve, single_triangular_solve_scratch},
};

static const struct single *find(enum op_code code)
{
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        if (table[i].code == code && table[i].emit)
            return &table[i];
    return NULL;
}

/* The operation whose results, or the first of them (fusion_sort.h), the fusion returns. */
static const struct op *last_op(const struct op *fusion)
{
    const struct block *body = fusion->regions[0];
    const struct op *op = body->last->operand_count ? body->last->operands[0]->def : NULL;
    const struct op *before = op && op->code == OP_slice ? op->operands[0]->def : NULL;
    return before && before->code == OP_sort ? before : op;
}

struct error *single_emit(struct kernel *k)
{
    const struct op *op = last_op(k->fusion);
    const struct single *single = op ? find(op->code) : NULL;
    return single ? single->emit(k, op) : kernel_loop(k);
}

uint64_t single_scratch(const struct op *fusion, const struct target *target)
{
    const struct op *op = last_op(fusion);
    const struct single *single = op ? find(op->code) : NULL;
    return single && single->scratch ? single->scratch(op, target) : 0;
}
