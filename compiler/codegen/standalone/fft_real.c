/* fft_real.c: see fft_real.h and fft.c. */
#include "compiler/codegen/standalone/fft_real.h"

#include "compiler/codegen/standalone/fft_radix.h"
#include "compiler/program/fft_roots.h"

/* -i exp(-2 pi i k / 2n) / 2 for k <= n, with the parts stored separately. */
static LLVMValueRef make_halves(struct fft *f, int64_t *row)
{
    *row = f->n + 1;
    void *table = ARENA_ARRAY(f->e->arena, double, (size_t)(2 * *row));
    for (int64_t k = 0; k <= f->n; k++) {
        double cosine, sine;
        fft_roots_one(k, 2 * f->n, &cosine, &sine);
        fft_row_put(f, table, k, sine / 2);
        fft_row_put(f, table, *row + k, -cosine / 2);
    }
    return emitter_constant_bytes(f->e, table, 2 * *row * dtype_bytes(f->part));
}

/* Sets Z[n] = Z[0]. */
static struct error *close_row(struct fft *f)
{
    struct affine zero = affine_constant(0), end = affine_constant(f->n);
    struct element first;
    TRY(fft_row_load(f, f->count, &zero, &first));
    fft_row_store(f, f->count - 1, &end, &first);
    return NULL;
}

/* Z*[n - k] for the lanes of k: loads the vector that starts at the mirror of the last lane, and
 * reverses it. */
static struct error *load_mirror(struct fft *f, const struct affine *first, struct element *out)
{
    struct emitter *e = f->e;
    struct affine lane = affine_var(e->lane_var), at = affine_scale(first, -1);
    at = affine_offset(&at, f->n - e->lanes + 1);
    at = affine_add(e, &at, &lane);
    TRY(fft_row_load(f, f->count, &at, out));
    LLVMValueRef *indices = ARENA_ARRAY(e->arena, LLVMValueRef, (size_t)e->lanes);
    for (int i = 0; i < e->lanes; i++)
        indices[i] = emitter_i32(e, e->lanes - 1 - i);
    LLVMValueRef mask = LLVMConstVector(indices, (unsigned)e->lanes);
    for (int part = 0; part < 2; part++)
        out->part[part] =
            LLVMBuildShuffleVector(e->builder, out->part[part], out->part[part], mask, "");
    out->part[1] = LLVMBuildFNeg(e->builder, out->part[1], "");
    return NULL;
}

static struct error *real_result(struct fft *f, LLVMValueRef roots, int64_t row,
                                 const struct affine *first)
{
    struct emitter *e = f->e;
    struct affine lane = affine_var(e->lane_var), k = affine_add(e, first, &lane);
    struct element z, mirror, sum, difference, root = {{NULL, NULL}, e->lanes};
    TRY(fft_row_load(f, f->count, &k, &z));
    TRY(load_mirror(f, first, &mirror));
    for (int part = 0; part < 2; part++) {
        struct affine at = affine_offset(&k, part * row);
        root.part[part] = element_load(e, roots, f->part, &at, 2 * row).part[0];
        LLVMValueRef a = z.part[part], b = mirror.part[part];
        sum.part[part] = LLVMBuildFAdd(e->builder, a, b, "");
        difference.part[part] = LLVMBuildFSub(e->builder, a, b, "");
    }
    sum.lanes = difference.lanes = e->lanes;
    struct element result = fft_multiply(e, &difference, &root);
    for (int part = 0; part < 2; part++) {
        LLVMValueRef half = emitter_real_like(LLVMTypeOf(sum.part[part]), 0.5);
        LLVMValueRef even = emitter_contract(LLVMBuildFMul(e->builder, sum.part[part], half, ""));
        result.part[part] =
            emitter_contract(LLVMBuildFAdd(e->builder, even, result.part[part], ""));
    }
    fft_row_store(f, f->count, &k, &result);
    return NULL;
}

/* Uses whole vectors only; the last one overlaps the one before it if necessary. */
struct error *fft_real(struct fft *f, int lanes)
{
    struct emitter *e = f->e;
    int64_t count = f->n + 1, row;
    LLVMValueRef roots = make_halves(f, &row);
    while (lanes > count)
        lanes /= 2;
    TRY(close_row(f));
    struct lanes before = emitter_lanes(e, lanes);
    struct loop *loop =
        emitter_loop_begin(e, emitter_i64(e, 0), emitter_i64(e, (count + lanes - 1) / lanes), 1, 0,
                           (count - 1) / lanes, 0, NULL);
    LLVMValueRef at = LLVMBuildMul(e->builder, loop->i, emitter_i64(e, lanes), "");
    at = emitter_binary(e, "llvm.smin", at, emitter_i64(e, count - lanes));
    struct affine first = affine_var(emitter_var(e, at, 1, 0, count - lanes, e->scope->depth));
    TRY(real_result(f, roots, row, &first));
    emitter_loop_end(e, loop, NULL);
    emitter_lanes_restore(e, before);
    return NULL;
}
