/* sort_merge.c: see sort_merge.h. */
#include "compiler/codegen/standalone/sort_merge.h"

static struct error *copy_in(struct sort_row *s, int side)
{
    struct emitter *e = s->e;
    struct element elements[SORT_MAX_OPERANDS];
    struct loop *loop = emitter_loop_begin(e, emitter_i64(e, 0), emitter_i64(e, s->length), 1, 0,
                                           s->length - 1, 0, NULL);
    struct affine position = affine_var(loop->var);
    TRY(sort_row_copy(s, side, &position, elements));
    emitter_loop_end(e, loop, NULL);
    return NULL;
}

/* Whether the right run's element comes before the left one's: comparator(right, left). */
static struct error *comes_first(struct sort_row *s, const struct element *right,
                                 const struct element *left, LLVMValueRef *out)
{
    struct element arguments[2 * SORT_MAX_OPERANDS], result;
    for (int i = 0; i < s->count; i++)
        arguments[2 * i] = right[i], arguments[2 * i + 1] = left[i];
    TRY(expression_body(s->e, s->op->regions[0], arguments, &result));
    *out = result.part[0];
    return NULL;
}

static void load_at(struct sort_row *s, LLVMValueRef const *arrays, LLVMValueRef position,
                    struct element *out)
{
    struct affine at =
        affine_var(emitter_var(s->e, position, 1, 0, s->length - 1, s->e->scope->depth));
    sort_row_load(s, arrays, &at, out);
}

/* Merges one element: the smaller of from[i] and from[j], from runs [i, middle) and [j, high). */
static struct error *merge_step(struct sort_row *s, LLVMValueRef const *from,
                                LLVMValueRef const *to, const struct affine *position,
                                LLVMValueRef i, LLVMValueRef j, LLVMValueRef middle,
                                LLVMValueRef high, LLVMValueRef *next)
{
    struct emitter *e = s->e;
    LLVMBuilderRef b = e->builder;
    struct element left[SORT_MAX_OPERANDS], right[SORT_MAX_OPERANDS], taken;
    LLVMValueRef zero = emitter_i64(e, 0), less;
    LLVMValueRef has_left = LLVMBuildICmp(b, LLVMIntSLT, i, middle, "");
    LLVMValueRef has_right = LLVMBuildICmp(b, LLVMIntSLT, j, high, "");
    load_at(s, from, LLVMBuildSelect(b, has_left, i, zero, ""), left);
    load_at(s, from, LLVMBuildSelect(b, has_right, j, zero, ""), right);
    TRY(comes_first(s, right, left, &less));
    LLVMValueRef wins = LLVMBuildOr(b, LLVMBuildNot(b, has_left, ""), less, "");
    LLVMValueRef take_right = LLVMBuildAnd(b, has_right, wins, "");
    struct element condition = element_of(take_right);
    for (int o = 0; o < s->count; o++) {
        taken = element_select(e, &condition, &right[o], &left[o]);
        element_store(e, to[o], sort_row_dtype(s, o), position, &taken, false);
    }
    LLVMValueRef step = LLVMBuildZExt(b, take_right, e->i64, "");
    next[1] = LLVMBuildAdd(b, j, step, "");
    next[0] = LLVMBuildAdd(b, i, LLVMBuildSub(b, emitter_i64(e, 1), step, ""), "");
    return NULL;
}

/* Merges runs of `width` elements from one array into the other; `pass` is log2(width). */
static struct error *merge_runs(struct sort_row *s, LLVMValueRef const *from,
                                LLVMValueRef const *to, LLVMValueRef pass)
{
    struct emitter *e = s->e;
    LLVMBuilderRef b = e->builder;
    LLVMValueRef length = emitter_i64(e, s->length), one = emitter_i64(e, 1);
    LLVMValueRef width = LLVMBuildShl(b, one, pass, ""), twice = LLVMBuildShl(b, width, one, "");
    LLVMValueRef rounded = LLVMBuildAdd(b, length, LLVMBuildSub(b, twice, one, ""), "");
    LLVMValueRef pairs = LLVMBuildLShr(b, rounded, LLVMBuildAdd(b, pass, one, ""), "");
    struct loop *pair =
        emitter_loop_begin(e, emitter_i64(e, 0), pairs, 1, 0, s->length - 1, 0, NULL);
    LLVMValueRef low = LLVMBuildMul(b, pair->i, twice, "");
    LLVMValueRef middle = emitter_binary(e, "llvm.smin", LLVMBuildAdd(b, low, width, ""), length);
    LLVMValueRef high = emitter_binary(e, "llvm.smin", LLVMBuildAdd(b, low, twice, ""), length);
    struct loop *merge =
        emitter_loop_begin(e, low, high, 1, 0, s->length - 1, 2, (LLVMValueRef[]){low, middle});
    LLVMValueRef next[2];
    struct affine position = affine_var(merge->var);
    TRY(merge_step(s, from, to, &position, merge->carried[0], merge->carried[1], middle, high,
                   next));
    emitter_loop_end(e, merge, next);
    emitter_loop_end(e, pair, NULL);
    return NULL;
}

/* Runs all passes. The arrays are swapped after each. */
struct error *sort_merge_row(struct sort_row *s)
{
    struct emitter *e = s->e;
    int passes = 0;
    while ((INT64_C(1) << passes) < s->length)
        passes++;
    int begin = passes & 1;
    TRY(copy_in(s, begin));
    if (!passes)
        return NULL;
    LLVMValueRef carried[2 * SORT_MAX_OPERANDS], next[2 * SORT_MAX_OPERANDS];
    for (int i = 0; i < s->count; i++)
        carried[i] = s->arrays[begin][i], carried[s->count + i] = s->arrays[!begin][i];
    struct loop *loop = emitter_loop_begin(e, emitter_i64(e, 0), emitter_i64(e, passes), 1, 0,
                                           passes - 1, 2 * s->count, carried);
    TRY(merge_runs(s, loop->carried, loop->carried + s->count, loop->i));
    for (int i = 0; i < s->count; i++)
        next[i] = loop->carried[s->count + i], next[s->count + i] = loop->carried[i];
    emitter_loop_end(e, loop, next);
    return NULL;
}
