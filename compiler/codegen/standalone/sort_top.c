/* sort_top.c: see sort_top.h. The algorithm, where a smaller key is ordered first:
 *
 *   best[0..most) = the largest possible pair
 *   for the first elements, at least `most` and as many as leave whole vectors: insert
 *   for every vector of the other elements:
 *       if any key < key of best[most - 1]:
 *           for every lane: insert
 *   results[0..requested) = the operands at the positions in best
 *
 * Inserting x into ascending pairs is new[i] = min(best[i], max(best[i - 1], x)) for all i at once,
 * with a zero before best[0]. */
#include "compiler/codegen/standalone/sort_top.h"

#include "compiler/analysis/top_count.h"
#include "compiler/codegen/standalone/sort_key.h"

enum { MAX_REQUESTED = 256, MAX_OPERANDS = 4, STEP = 8 /* pairs inserted at once */, RARE = 4 };

struct top {
    struct sort_row *s;
    struct emitter *e;
    struct sort_key key;
    int64_t most;      /* pairs in best: the requested number, rounded up to STEP */
    LLVMValueRef best; /* i64 [STEP + most]; the first STEP are zeros */
};

bool sort_top_supports(const struct op *op)
{
    struct sort_key key;
    const struct type *type = op->operands[0]->type;
    int64_t dim = op->attrs.sort.dimension < 0 ? op->attrs.sort.dimension + type->shape.rank
                                               : op->attrs.sort.dimension;
    int64_t requested = top_count(op), length = type->shape.rank ? type->shape.dims[dim] : 0;
    return requested > 0 && requested <= MAX_REQUESTED && requested * RARE <= length &&
           length < INT32_MAX && dim == type->shape.rank - 1 && op->operand_count <= MAX_OPERANDS &&
           sort_key_find(op, &key) && key.bytes <= 4;
}

static LLVMValueRef pair_at(struct top *t, LLVMValueRef i)
{
    return emitter_at(t->e, t->e->i64, t->best, i);
}

static LLVMValueRef last_pair(struct top *t)
{
    LLVMValueRef at = pair_at(t, emitter_i64(t->e, STEP + t->most - 1));
    return LLVMBuildLoad2(t->e->builder, t->e->i64, at, "");
}

static LLVMValueRef load_step(struct top *t, LLVMValueRef i)
{
    LLVMTypeRef type = emitter_vector(t->e->i64, STEP);
    LLVMValueRef pairs = LLVMBuildLoad2(t->e->builder, type, pair_at(t, i), "");
    LLVMSetAlignment(pairs, 8);
    return pairs;
}

/* Inserts a pair. Runs from the end, because each step reads the pair before it. */
static void insert(struct top *t, LLVMValueRef pair)
{
    struct emitter *e = t->e;
    LLVMBuilderRef b = e->builder;
    LLVMValueRef x = emitter_splat(e, pair, STEP), zero = emitter_i64(e, 0);
    int64_t steps = t->most / STEP;
    struct loop *loop =
        emitter_loop_begin(e, zero, emitter_i64(e, steps), 1, 0, steps - 1, 0, NULL);
    LLVMValueRef back = LLVMBuildMul(b, loop->i, emitter_i64(e, -STEP), "");
    LLVMValueRef i = LLVMBuildAdd(b, back, emitter_i64(e, t->most), "");
    LLVMValueRef before = load_step(t, LLVMBuildSub(b, i, emitter_i64(e, 1), ""));
    LLVMValueRef pairs = load_step(t, i);
    LLVMValueRef next =
        emitter_binary(e, "llvm.umin", pairs, emitter_binary(e, "llvm.umax", before, x));
    emitter_store(t->e, next, pair_at(t, i), 8, NULL);
    emitter_loop_end(e, loop, NULL);
}

/* The 32-bit keys at a position, with as many lanes as the emitter. */
static struct error *keys_at(struct top *t, const struct affine *position, LLVMValueRef *out)
{
    struct emitter *e = t->e;
    struct element arguments[2 * MAX_OPERANDS], key;
    struct index index = sort_row_index(t->s, position);
    for (int i = 0; i < t->s->count; i++) {
        TRY(expression_emit(e, t->s->op->operands[i], &index, &arguments[2 * i]));
        arguments[2 * i + 1] = arguments[2 * i];
    }
    TRY(expression_in_body(e, t->s->op->regions[0], arguments, 1, &t->key.value, &key));
    key = element_widen(e, &key, e->lanes);
    LLVMValueRef bits = sort_key_bits(e, &t->key, key.part[0]);
    LLVMTypeRef type = emitter_vector(e->i32, e->lanes);
    *out = t->key.bytes < 4 ? LLVMBuildZExt(e->builder, bits, type, "") : bits;
    return NULL;
}

static LLVMValueRef make_pair(struct top *t, LLVMValueRef key, LLVMValueRef position)
{
    LLVMBuilderRef b = t->e->builder;
    LLVMValueRef wide = LLVMBuildZExt(b, key, t->e->i64, "");
    return LLVMBuildOr(b, LLVMBuildShl(b, wide, emitter_i64(t->e, 32), ""), position, "");
}

static void insert_if_better(struct top *t, LLVMValueRef pair)
{
    LLVMValueRef better = LLVMBuildICmp(t->e->builder, LLVMIntULT, pair, last_pair(t), "");
    struct branch *branch = emitter_branch_begin(t->e, better);
    insert(t, pair);
    emitter_branch_end(t->e, branch, 0, NULL, NULL);
}

/* Scans the first `count` elements one by one. */
static struct error *scan_single(struct top *t, int64_t count)
{
    struct emitter *e = t->e;
    LLVMValueRef key;
    struct loop *loop =
        emitter_loop_begin(e, emitter_i64(e, 0), emitter_i64(e, count), 1, 0, count - 1, 0, NULL);
    struct affine position = affine_var(loop->var);
    TRY(keys_at(t, &position, &key));
    insert_if_better(t, make_pair(t, key, loop->i));
    emitter_loop_end(e, loop, NULL);
    return NULL;
}

/* Inserts the lanes of a vector of keys; `first` is the position of lane 0. */
static void insert_lanes(struct top *t, LLVMValueRef keys, LLVMValueRef first, int lanes)
{
    struct emitter *e = t->e;
    LLVMValueRef slot = emitter_alloca(e, LLVMTypeOf(keys), 64);
    LLVMBuildStore(e->builder, keys, slot);
    struct loop *lane =
        emitter_loop_begin(e, emitter_i64(e, 0), emitter_i64(e, lanes), 1, 0, lanes - 1, 0, NULL);
    LLVMValueRef at = emitter_at(e, e->i32, slot, lane->i);
    LLVMValueRef key = LLVMBuildLoad2(e->builder, e->i32, at, "");
    LLVMValueRef position = LLVMBuildAdd(e->builder, first, lane->i, "");
    insert_if_better(t, make_pair(t, key, position));
    emitter_loop_end(e, lane, NULL);
}

/* Scans `count` vectors, starting at position `first`. */
static struct error *scan_vectors(struct top *t, int64_t first, int64_t count, int lanes)
{
    struct emitter *e = t->e;
    LLVMBuilderRef b = e->builder;
    LLVMValueRef keys;
    if (count <= 0)
        return NULL;
    struct loop *loop =
        emitter_loop_begin(e, emitter_i64(e, 0), emitter_i64(e, count), 1, 0, count - 1, 0, NULL);
    struct lanes back = emitter_lanes(e, lanes);
    struct affine start = affine_var(loop->var), lane = affine_var(e->lane_var);
    start = affine_scale(&start, lanes);
    start = affine_offset(&start, first);
    struct affine position = affine_add(e, &start, &lane);
    TRY(keys_at(t, &position, &keys));
    emitter_lanes_restore(e, back);
    LLVMValueRef last = LLVMBuildLShr(b, last_pair(t), emitter_i64(e, 32), "");
    last = emitter_splat(e, LLVMBuildTrunc(b, last, e->i32, ""), lanes);
    LLVMValueRef better = LLVMBuildICmp(b, LLVMIntULT, keys, last, "");
    struct branch *branch = emitter_branch_begin(e, emitter_any(e, better, lanes));
    insert_lanes(t, keys, affine_scalar(e, &start), lanes);
    emitter_branch_end(e, branch, 0, NULL, NULL);
    emitter_loop_end(e, loop, NULL);
    return NULL;
}

static struct error *write_results(struct top *t)
{
    struct emitter *e = t->e;
    struct sort_result results[SORT_MAX_OPERANDS];
    sort_row_results(t->s, results);
    for (int r = 0; r < t->s->k->fusion->result_count; r++) {
        int64_t count = results[r].count;
        struct loop *loop = emitter_loop_begin(e, emitter_i64(e, 0), emitter_i64(e, count), 1, 0,
                                               count - 1, 0, NULL);
        LLVMValueRef slot = LLVMBuildAdd(e->builder, loop->i, emitter_i64(e, STEP), "");
        LLVMValueRef pair = LLVMBuildLoad2(e->builder, e->i64, pair_at(t, slot), "");
        LLVMValueRef low = LLVMBuildAnd(e->builder, pair, emitter_i64(e, INT32_MAX), "");
        struct affine from =
            affine_var(emitter_var(e, low, 1, 0, t->s->length - 1, e->scope->depth));
        struct index index = sort_row_index(t->s, &from);
        struct affine to = affine_var(loop->var);
        struct element element;
        TRY(expression_emit(e, t->s->op->operands[results[r].operand], &index, &element));
        sort_row_store(t->s, r, &results[r], &to, &element);
        emitter_loop_end(e, loop, NULL);
    }
    return NULL;
}

struct error *sort_top_row(struct sort_row *s)
{
    struct emitter *e = s->e;
    struct top t = {.s = s, .e = e, .most = top_count(s->op)};
    int lanes = e->target->isa.vector_bytes / 4;
    t.most = (t.most + STEP - 1) / STEP * STEP;
    sort_key_find(s->op, &t.key);
    t.best = emitter_alloca(e, LLVMArrayType2(e->i64, (uint64_t)(STEP + t.most)), 64);
    LLVMBuildMemSet(e->builder, t.best, LLVMConstNull(e->i8), emitter_i64(e, STEP * 8), 64);
    LLVMBuildMemSet(e->builder, pair_at(&t, emitter_i64(e, STEP)), LLVMConstAllOnes(e->i8),
                    emitter_i64(e, t.most * 8), 64);
    int64_t singles = t.most < s->length ? t.most : s->length;
    int64_t vectors = (s->length - singles) / lanes;
    singles = s->length - vectors * lanes;
    TRY(scan_single(&t, singles));
    TRY(scan_vectors(&t, singles, vectors, lanes));
    return write_results(&t);
}
