/* fft.c: transforms of complex rows with Stockham's algorithm, in stages of small radices. For a
 * stage of radix r, let s be the product of the radices of the stages before it, and m = n / (r s).
 * The stage computes, for all p < m, q < s and k < r:
 *
 *   y[q + s (r p + k)] = exp(-2 pi i p k / (r m))
 *                        * sum over j of x[q + s (p + m j)] exp(-2 pi i j k / r)
 *
 * so the last stage leaves the result in order. Reads are contiguous along t = q + s p; writes are
 * contiguous along q. In the first stages, where s is less than a vector, lanes run along t and the
 * results are interleaved; in all others lanes run along q. Between stages, real and imaginary
 * parts are stored separately in scratch. The first stage reads the operand and the last one writes
 * the result. Roots of unity are constants.
 *
 * Real rows of even length 2h are read as complex rows Z of length h. A last step computes X[k] =
 * (Z[k] + Z*[h - k]) / 2 - i exp(-2 pi i k / 2h) (Z[k] - Z*[h - k]) / 2 for k <= h.
 *
 * A work item is a few rows, which use the same scratch one after the other.
 * passes/canonicalize_fft.c rewrites every transform to rows of a length that is supported here. */
#include <string.h>

#include "compiler/codegen/element/affine_divide.h"
#include "compiler/codegen/loops/expression.h"
#include "compiler/codegen/standalone/standalone.h"
#include "compiler/codegen/standalone/fft_radix.h"
#include "compiler/codegen/standalone/fft_real.h"
#include "compiler/program/fft_roots.h"
#include "compiler/program/fft_tables.h"

enum { ITEMS_PER_CORE = 8 };

/* ---- planning -------------------------------------------------------------------------------- */
static bool add_stage(struct fft *f, int radix)
{
    if (f->count == FFT_MAX_STAGES)
        return false;
    f->stages[f->count++].radix = radix;
    return true;
}

/* Powers of two come first, so that s soon is a multiple of every vector length. Uses 4 * 4 rather
 * than a single factor of 2 where possible. */
static bool factor(struct fft *f)
{
    int64_t rest = f->n;
    int twos = 0;
    bool fits = true;
    for (; rest % 2 == 0; rest /= 2)
        twos++;
    while (twos > 0 && fits) {
        int bits = twos == 4 || twos == 2 ? 2 : twos >= 3 ? 3 : 1;
        fits = add_stage(f, 1 << bits);
        twos -= bits;
    }
    for (int prime = 3; prime <= FFT_TABLES_PRIME && fits; prime += 2)
        for (; rest % prime == 0 && fits; rest /= prime)
            fits = add_stage(f, prime);
    for (int64_t i = 0, s = 1; i < f->count; i++) {
        f->stages[i].s = s;
        s *= f->stages[i].radix;
        f->stages[i].m = f->n / s;
    }
    return fits && rest == 1;
}

static bool plan(struct fft *f, const struct op *op, const struct target *target)
{
    const struct type *type = op->results[0].type;
    f->op = op;
    f->type = type;
    f->part = type->shape.dtype == DTYPE_C128 ? DTYPE_F64 : DTYPE_F32;
    f->inverse = op->attrs.fft.fft_type == FFT_IFFT;
    f->real = op->attrs.fft.fft_type == FFT_RFFT;
    if (op->attrs.fft.fft_type > FFT_RFFT || op->attrs.fft.fft_length.count != 1 ||
        !dtype_is_complex(type->shape.dtype))
        return false;
    int64_t length = type->shape.dims[type->shape.rank - 1];
    f->n = f->real ? length - 1 : length;
    f->rows = length ? type_elements(type) / length : 0;
    if (f->real && (f->n < 2 || op->attrs.fft.fft_length.at[0] != 2 * f->n))
        return false;
    int64_t most = (int64_t)(target->cores > 0 ? target->cores : 1) * ITEMS_PER_CORE;
    f->rows_an_item = f->rows > most ? (f->rows + most - 1) / most : 1;
    f->items = f->rows ? (f->rows + f->rows_an_item - 1) / f->rows_an_item : 0;
    return !f->rows || factor(f);
}

static int64_t item_bytes(const struct fft *f)
{
    int buffers = f->count ? f->count - !f->real : 0;
    return fft_row_parts(f) * dtype_bytes(f->part) * (buffers > 2 ? 2 : buffers);
}

uint64_t fft_scratch(const struct op *op, const struct target *target)
{
    struct fft f = {0};
    return plan(&f, op, target) ? (uint64_t)(item_bytes(&f) * f.items) : 0;
}

/* ---- roots of unity -------------------------------------------------------------------------- */
/* Stores exp(-+ 2 pi i number / of) as two constants of a table. */
static void put_root(const struct fft *f, void *table, int64_t re, int64_t im, int64_t number,
                     int64_t of)
{
    double cosine, sine;
    fft_roots_one(number, of, &cosine, &sine);
    fft_row_put(f, table, re, cosine);
    fft_row_put(f, table, im, f->inverse ? -sine : sine);
}

/* For lanes along q: [p][k - 1][part]. For lanes along t: [k - 1][part][t], with rows padded by a
 * vector. */
static LLVMValueRef make_table(struct fft *f, const struct fft_stage *g, bool along_t, int64_t *row)
{
    int64_t span = g->s * g->m, count;
    *row = along_t ? span + FFT_PADDING : 1;
    count = along_t ? *row * 2 * (g->radix - 1) : g->m * 2 * (g->radix - 1);
    void *table = ARENA_ARRAY(f->e->arena, double, (size_t)count + 1);
    memset(table, 0, (size_t)count * sizeof(double));
    for (int64_t k = 1; k < g->radix; k++) {
        for (int64_t t = 0; along_t && t < span; t++)
            put_root(f, table, (2 * k - 2) * *row + t, (2 * k - 1) * *row + t, t / g->s * k,
                     g->m * g->radix);
        for (int64_t p = 0; !along_t && p < g->m; p++) {
            int64_t at = 2 * (p * (g->radix - 1) + k - 1);
            put_root(f, table, at, at + 1, p * k, g->m * g->radix);
        }
    }
    return emitter_constant_bytes(f->e, table, count * dtype_bytes(f->part));
}

/* A stage while it is emitted. */
struct writing {
    struct fft *f;
    const struct fft_stage *g;
    int number;
    bool along_t;
    LLVMValueRef roots;
    int64_t row;
    struct affine t, p, q;         /* p and q only for lanes along q */
    LLVMValueRef interleave_first; /* i64: t of lane 0, only for lanes along t */
};

static struct element root_of(struct writing *w, int k)
{
    struct emitter *e = w->f->e;
    struct element result = {{NULL, NULL}, 1};
    int64_t count = (w->row * w->g->m + FFT_PADDING) * 2 * w->g->radix;
    for (int part = 0; part < 2; part++) {
        struct affine at = w->along_t ? w->t : affine_scale(&w->p, 2 * (w->g->radix - 1));
        at.constant += (2 * (k - 1) + part) * w->row;
        struct element one = element_load(e, w->roots, w->f->part, &at, count);
        result.part[part] = one.part[0];
        result.lanes = one.lanes;
    }
    return element_widen(e, &result, e->lanes);
}

static void apply_root(struct writing *w, int k, struct element *value)
{
    struct emitter *e = w->f->e;
    if (k && w->g->m > 1) {
        struct element root = root_of(w, k);
        *value = fft_multiply(e, value, &root);
    }
    if (w->f->inverse && w->number == w->f->count - 1) {
        LLVMValueRef scale = emitter_real_like(LLVMTypeOf(value->part[0]), 1 / (double)w->f->n);
        for (int part = 0; part < 2; part++)
            value->part[part] = LLVMBuildFMul(e->builder, value->part[part], scale, "");
    }
}

/* ---- storing results ------------------------------------------------------------------------- */
/* Interleaves the vectors of r arrays: blocks of s elements from each array in rotation. r is a
 * power of two. */
static void interleave(struct emitter *e, LLVMValueRef *v, int r, int64_t s)
{
    LLVMValueRef even[4], odd[4];
    int lanes = e->lanes;
    if (r == 1)
        return;
    for (int i = 0; i < r / 2; i++)
        even[i] = v[2 * i], odd[i] = v[2 * i + 1];
    interleave(e, even, r / 2, s);
    interleave(e, odd, r / 2, s);
    LLVMValueRef *indices = ARENA_ARRAY(e->arena, LLVMValueRef, (size_t)lanes);
    for (int half = 0; half < 2; half++) {
        for (int i = 0; i < lanes; i++) {
            int64_t at = half * lanes + i;
            indices[i] = emitter_i32(e, at / (2 * s) * s + at % s + at / s % 2 * lanes);
        }
        LLVMValueRef mask = LLVMConstVector(indices, (unsigned)lanes);
        for (int i = 0; i < r / 2; i++)
            v[2 * i + half] = LLVMBuildShuffleVector(e->builder, even[i], odd[i], mask, "");
    }
}

static void store_interleaved(struct writing *w, const struct affine *first, struct element *x)
{
    struct emitter *e = w->f->e;
    LLVMValueRef parts[2][8], tail = e->tail;
    int radix = w->g->radix, lanes = e->lanes;
    for (int part = 0; part < 2; part++) {
        for (int k = 0; k < radix; k++)
            parts[part][k] = x[k].part[part];
        interleave(e, parts[part], radix, w->g->s);
    }
    struct affine lane = affine_var(e->lane_var), base = affine_scale(first, radix);
    base = affine_add(e, &base, &lane);
    for (int i = 0; i < radix; i++) {
        struct affine at = affine_offset(&base, (int64_t)i * lanes);
        struct element one = element_of_parts(parts[0][i], parts[1][i]);
        int of;
        if (tail)
            e->tail = affine_inside(e, &at, 0, w->f->n, &of);
        fft_row_store(w->f, w->number, &at, &one);
    }
    e->tail = tail;
}

static void store_all(struct writing *w, const struct affine *first, struct element *x)
{
    struct emitter *e = w->f->e;
    int radix = w->g->radix;
    if (w->along_t && e->lanes > 1 && radix % 2 == 0) {
        store_interleaved(w, first, x);
        return;
    }
    for (int k = 0; k < radix; k++) {
        struct affine at = affine_scale(&w->p, w->g->s * radix);
        at = affine_add(e, &at, &w->q);
        at.constant += w->g->s * k;
        fft_row_store(w->f, w->number, &at, &x[k]);
    }
}

/* ---- stages ---------------------------------------------------------------------------------- */
static struct affine input_position(const struct writing *w, int64_t j)
{
    return affine_offset(&w->t, w->g->s * w->g->m * j);
}

/* The root at [row][column] of a table of `rows` x `columns` roots, the parts of a root side by
 * side. */
static struct element load_root(struct fft *f, LLVMValueRef table, const struct affine *row,
                                const struct affine *column, int64_t rows, int64_t columns)
{
    struct emitter *e = f->e;
    struct affine at = affine_scale(row, 2 * columns), along = affine_scale(column, 2);
    at = affine_add(e, &at, &along);
    LLVMValueRef parts[2];
    for (int part = 0; part < 2; part++) {
        struct affine one = affine_offset(&at, part);
        parts[part] = element_load(e, table, f->part, &one, 2 * rows * columns).part[0];
    }
    struct element root = element_of_parts(parts[0], parts[1]);
    return element_widen(e, &root, e->lanes);
}

/* Roots exp(-2 pi i j k / r): [k][j][part]. */
static LLVMValueRef make_definition(struct fft *f, int64_t r)
{
    void *table = ARENA_ARRAY(f->e->arena, double, (size_t)(2 * r * r));
    for (int64_t k = 0; k < r; k++)
        for (int64_t j = 0; j < r; j++)
            put_root(f, table, 2 * (k * r + j), 2 * (k * r + j) + 1, j * k, r);
    return emitter_constant_bytes(f->e, table, 2 * r * r * dtype_bytes(f->part));
}

/* Result k of a transform of `radix` inputs: the sum over j of input j times its root, a loop. */
static struct error *sum_inputs(struct writing *w, LLVMValueRef roots, const struct affine *k,
                                struct element *result)
{
    struct emitter *e = w->f->e;
    int64_t r = w->g->radix;
    LLVMValueRef zero = LLVMConstNull(element_type(e, w->f->part, e->lanes)),
                 sums[2] = {zero, zero};
    struct loop *loop =
        emitter_loop_begin(e, emitter_i64(e, 0), emitter_i64(e, r), 1, 0, r - 1, 2, sums);
    struct affine j = affine_var(loop->var), at = affine_scale(&j, w->g->s * w->g->m);
    struct element x;
    at = affine_add(e, &at, &w->t);
    TRY(fft_row_load(w->f, w->number, &at, &x));
    struct element root = load_root(w->f, roots, k, &j, r, r);
    struct element product = fft_multiply(e, &x, &root);
    for (int part = 0; part < 2; part++)
        sums[part] = emitter_contract(
            LLVMBuildFAdd(e->builder, loop->carried[part], product.part[part], ""));
    emitter_loop_end(e, loop, sums);
    *result = element_of_parts(sums[0], sums[1]);
    return NULL;
}

/* A large prime radix, computed from the definition: a loop over results, and inside it a loop over
 * the terms of each sum. */
static struct error *looped(struct writing *w)
{
    struct emitter *e = w->f->e;
    int64_t r = w->g->radix;
    LLVMValueRef roots = make_definition(w->f, r);
    struct loop *loop =
        emitter_loop_begin(e, emitter_i64(e, 0), emitter_i64(e, r), 1, 0, r - 1, 0, NULL);
    struct affine k = affine_var(loop->var);
    struct element result;
    TRY(sum_inputs(w, roots, &k, &result));
    if (w->g->m > 1) {
        struct element root = load_root(w->f, w->roots, &w->p, &k, w->g->m, r);
        result = fft_multiply(e, &result, &root);
    }
    apply_root(w, 0, &result);
    struct affine to = affine_scale(&w->p, w->g->s * r), by = affine_scale(&k, w->g->s);
    to = affine_add(e, &to, &w->q);
    to = affine_add(e, &to, &by);
    fft_row_store(w->f, w->number, &to, &result);
    emitter_loop_end(e, loop, NULL);
    return NULL;
}

static struct error *butterfly(struct writing *w, const struct affine *first)
{
    struct element x[FFT_MAX_RADIX];
    int radix = w->g->radix;
    if (radix > FFT_MAX_RADIX)
        return looped(w);
    for (int j = 0; j < radix; j++) {
        struct affine at = input_position(w, j);
        TRY(fft_row_load(w->f, w->number, &at, &x[j]));
    }
    fft_radix(w->f->e, radix, w->f->inverse, x);
    for (int k = 0; k < radix; k++)
        apply_root(w, k, &x[k]);
    store_all(w, first, x);
    return NULL;
}

static int power_above(int64_t count, int most)
{
    int power = 1;
    while (power < most && power < count)
        power *= 2;
    return power;
}

/* A loop over vectors of [0, size). *at is the position of each lane, *first that of the first
 * lane. */
static struct loop *vectors_begin(struct emitter *e, int64_t size, struct affine *first,
                                  struct affine *at)
{
    int64_t vectors = (size + e->lanes - 1) / e->lanes;
    struct loop *loop = emitter_loop_begin(e, emitter_i64(e, 0), emitter_i64(e, vectors), 1, 0,
                                           vectors - 1, 0, NULL);
    struct affine number = affine_var(loop->var);
    *first = *at = affine_scale(&number, e->lanes);
    if (e->lanes > 1) {
        struct affine lane = affine_var(e->lane_var);
        *at = affine_add(e, at, &lane);
    }
    int of;
    e->tail = size % e->lanes ? affine_inside(e, at, 0, size, &of) : NULL;
    return loop;
}

static struct error *stage_along_t(struct writing *w, int lanes)
{
    struct emitter *e = w->f->e;
    struct affine first;
    struct lanes before = emitter_lanes(e, power_above(w->g->s * w->g->m, lanes));
    w->roots = w->g->m > 1 ? make_table(w->f, w->g, true, &w->row) : NULL;
    struct loop *loop = vectors_begin(e, w->g->s * w->g->m, &first, &w->t);
    affine_divide(e, &w->t, w->g->s, &w->p, &w->q);
    TRY(butterfly(w, &first));
    emitter_loop_end(e, loop, NULL);
    emitter_lanes_restore(e, before);
    return NULL;
}

/* Roots exp(-2 pi i p k / (r m)) for all k, including 0: [p][k][part], as looped() needs them. */
static LLVMValueRef make_looped_table(struct fft *f, const struct fft_stage *g)
{
    int64_t count = 2 * g->m * g->radix;
    void *table = ARENA_ARRAY(f->e->arena, double, (size_t)count);
    for (int64_t p = 0; p < g->m; p++)
        for (int64_t k = 0; k < g->radix; k++)
            put_root(f, table, 2 * (p * g->radix + k), 2 * (p * g->radix + k) + 1, p * k,
                     g->m * g->radix);
    return emitter_constant_bytes(f->e, table, count * dtype_bytes(f->part));
}

static struct error *stage_along_q(struct writing *w, int lanes)
{
    struct emitter *e = w->f->e;
    struct affine first;
    bool is_looped = w->g->radix > FFT_MAX_RADIX;
    if (w->g->m > 1)
        w->roots =
            is_looped ? make_looped_table(w->f, w->g) : make_table(w->f, w->g, false, &w->row);
    struct loop *outer = emitter_loop_begin(e, emitter_i64(e, 0), emitter_i64(e, w->g->m), 1, 0,
                                            w->g->m - 1, 0, NULL);
    struct lanes before = emitter_lanes(e, power_above(w->g->s, lanes));
    struct loop *inner = vectors_begin(e, w->g->s, &first, &w->q);
    w->p = affine_var(outer->var);
    w->t = affine_scale(&w->p, w->g->s);
    w->t = affine_add(e, &w->t, &w->q);
    TRY(butterfly(w, &first));
    emitter_loop_end(e, inner, NULL);
    emitter_lanes_restore(e, before);
    emitter_loop_end(e, outer, NULL);
    return NULL;
}

static struct error *emit_row(struct fft *f)
{
    int lanes = f->e->target->vector_bytes / dtype_bytes(f->part);
    for (int i = 0; i < f->count; i++) {
        struct writing w = {.f = f, .g = &f->stages[i], .number = i, .row = 1};
        int64_t s = w.g->s;
        w.along_t = w.g->m > 1 && s < lanes && lanes % s == 0 && w.g->radix <= FFT_MAX_RADIX &&
                    power_above(s * w.g->m, lanes) >= s;
        TRY(w.along_t ? stage_along_t(&w, lanes) : stage_along_q(&w, lanes));
    }
    return f->real ? fft_real(f, lanes) : NULL;
}

static struct error *copy_row(struct fft *f)
{
    struct affine zero = affine_constant(0);
    struct element value;
    TRY(fft_row_load(f, 0, &zero, &value));
    fft_row_store(f, f->count - 1, &zero, &value);
    return NULL;
}

struct error *fft_emit(struct kernel *k, const struct op *op)
{
    struct emitter *e = k->e;
    struct fft f = {.k = k, .e = e};
    if (!plan(&f, op, e->target))
        return emitter_unimplemented(e, op, "rows of this length or element type");
    k->request->work = f.items ? f.items : 1;
    if (!f.items)
        return NULL;
    struct loop *items = emitter_loop_begin(e, k->begin, k->end, 1, 0, f.items - 1, 0, NULL);
    LLVMValueRef rows = emitter_i64(e, f.rows_an_item), all = emitter_i64(e, f.rows);
    LLVMValueRef first = LLVMBuildMul(e->builder, items->i, rows, "");
    LLVMValueRef end =
        emitter_binary(e, "llvm.smin", LLVMBuildAdd(e->builder, first, rows, ""), all);
    LLVMValueRef at = LLVMBuildMul(e->builder, items->i, emitter_i64(e, item_bytes(&f)), "");
    if (item_bytes(&f))
        f.scratch = LLVMBuildGEP2(e->builder, e->i8, kernel_scratch(k), &at, 1, "");
    struct loop *loop = emitter_loop_begin(e, first, end, 1, 0, f.rows - 1, 0, NULL);
    f.row = affine_var(loop->var);
    TRY(f.n == 1 ? copy_row(&f) : emit_row(&f));
    emitter_loop_end(e, loop, NULL);
    emitter_loop_end(e, items, NULL);
    return NULL;
}
