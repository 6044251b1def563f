/* kernel_rows.c: see kernel_rows.h. */
#include "compiler/lower/kernel_rows.h"

#include "compiler/lower/each_fusion.h"

enum {
    MAX_STEPS = 8,
    ROWS_PER_CORE = 8 /* of a step, to occupy all threads */
};

/* The transform if the fusion is nothing else; or NULL. */
static const struct op *transform_of(const struct op *fusion)
{
    const struct op *op = fusion->regions[0]->first;
    bool only = op && op->code == OP_fft && !op->operands[0]->def && op->next &&
                op->next->code == OP_return && fusion->result_count == 1;
    return only && fusion->operand_count == 1 && op->attrs.fft.fft_length.count == 1 ? op : NULL;
}

static int64_t last_dim(const struct type *type)
{
    return type->shape.dims[type->shape.rank - 1];
}

static int64_t rows_of(const struct op *fusion)
{
    const struct type *type = fusion->results[0].type;
    return last_dim(type) ? type_elements(type) / last_dim(type) : 0;
}

/* What kernels of transforms depend on, except for the number of rows. */
struct key {
    int64_t type, in_dtype, out_dtype, in_length, out_length;
};

static struct key key_of(const struct op *fft)
{
    const struct type *in = fft->operands[0]->type, *out = fft->results[0].type;
    return (struct key){fft->attrs.fft.fft_type, in->shape.dtype, out->shape.dtype, last_dim(in),
                        last_dim(out)};
}

/* ---- which ----------------------------------------------------------------------------------- */
/* Keeps the fusion with the fewest rows, of those with enough of them. */
static void add_fusion(struct lowerer *l, const struct op *fusion)
{
    const struct op *fft = transform_of(fusion);
    if (!fft || rows_of(fusion) < (int64_t)l->target->cores * ROWS_PER_CORE)
        return;
    struct key key = key_of(fft);
    const struct op *known = map_get(l->row_kernels, &key, sizeof key);
    if (!known || rows_of(fusion) < rows_of(known))
        map_put(l->row_kernels, &key, sizeof key, (void *)(uintptr_t)fusion);
}

void kernel_rows_find(struct lowerer *l)
{
    l->row_kernels = map_create(l->arena);
    each_fusion(l, add_fusion);
}

const struct op *kernel_rows_of(const struct lowerer *l, const struct op *fusion)
{
    const struct op *fft = transform_of(fusion);
    if (!fft)
        return fusion;
    struct key key = key_of(fft);
    const struct op *fewest = map_get(l->row_kernels, &key, sizeof key);
    if (!fewest || rows_of(fusion) % rows_of(fewest) ||
        rows_of(fusion) / rows_of(fewest) > MAX_STEPS)
        return fusion;
    return fewest;
}

/* ---- steps ----------------------------------------------------------------------------------- */
int kernel_rows_steps(const struct lowerer *l, const struct op *op)
{
    if (op->code != OP_fusion || !transform_of(op) || !rows_of(op))
        return 1;
    return (int)(rows_of(op) / rows_of(kernel_rows_of(l, op)));
}

struct step kernel_rows_step(const struct lowerer *l, const struct step *all, int i, int count)
{
    struct step step = *all;
    step.slices = arena_copy(l->arena, all->slices, (size_t)all->slice_count * sizeof *all->slices);
    step.cost = all->cost / count;
    for (int k = 0; k < 2; k++) { /* the operand and the result, but not the scratch */
        step.slices[k].size /= (uint64_t)count;
        step.slices[k].offset += (uint64_t)i * step.slices[k].size;
    }
    return step;
}
