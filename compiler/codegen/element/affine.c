/* affine.c: arithmetic on symbolic indices, and the code that computes them. */
#include "compiler/codegen/element/affine.h"

#include <string.h>

#include "compiler/codegen/element/affine_divide.h"
#include "compiler/codegen/element/pattern.h"

struct affine affine_constant(int64_t constant)
{
    return (struct affine){.constant = constant};
}

struct affine affine_var(int var)
{
    return (struct affine){.count = 1, .terms = {{var, 1}}};
}

static const struct index_var *var_of(const struct emitter *e, const struct affine_term *term)
{
    return &e->vars.items[term->var];
}

/* Handles too many terms: replaces the scalar terms, or all terms if none is scalar, with one
 * variable. */
static struct affine collapse(struct emitter *e, const struct affine_term *terms, int count,
                              int64_t constant)
{
    struct affine group = {0}, result = {.constant = constant};
    struct affine_term rest[2 * AFFINE_TERMS];
    int scalars = 0, rest_count = 0;
    for (int i = 0; i < count; i++)
        scalars += var_of(e, &terms[i])->lanes == 1;
    for (int i = 0; i < count; i++)
        if (group.count < AFFINE_TERMS && (scalars < 2 || var_of(e, &terms[i])->lanes == 1))
            group.terms[group.count++] = terms[i];
        else
            rest[rest_count++] = terms[i];
    int64_t min, max;
    affine_range(e, &group, &min, &max);
    bool uniform = affine_is_uniform(e, &group);
    LLVMValueRef value = uniform ? affine_scalar(e, &group) : affine_vector(e, &group);
    int var = emitter_var(e, value, uniform ? 1 : e->lanes, min, max, affine_depth(e, &group));
    rest[rest_count++] = (struct affine_term){var, 1};
    if (rest_count > AFFINE_TERMS)
        return collapse(e, rest, rest_count, constant);
    result.count = rest_count;
    memcpy(result.terms, rest, (size_t)rest_count * sizeof rest[0]);
    return result;
}

struct affine affine_add(struct emitter *e, const struct affine *a, const struct affine *b)
{
    struct affine_term terms[2 * AFFINE_TERMS];
    int count = 0;
    for (int64_t i = 0, j = 0; i < a->count || j < b->count;) {
        struct affine_term term;
        if (j == b->count || (i < a->count && a->terms[i].var < b->terms[j].var)) {
            term = a->terms[i++];
        } else if (i == a->count || b->terms[j].var < a->terms[i].var) {
            term = b->terms[j++];
        } else {
            term = a->terms[i++];
            term.coefficient += b->terms[j++].coefficient;
        }
        if (term.coefficient)
            terms[count++] = term;
    }
    if (count > AFFINE_TERMS)
        return collapse(e, terms, count, a->constant + b->constant);
    struct affine sum = {.constant = a->constant + b->constant, .count = count};
    memcpy(sum.terms, terms, (size_t)count * sizeof terms[0]);
    return sum;
}

struct affine affine_offset(const struct affine *a, int64_t constant)
{
    struct affine result = *a;
    result.constant += constant;
    return result;
}

struct affine affine_scale(const struct affine *a, int64_t factor)
{
    struct affine result = *a;
    if (!factor)
        return affine_constant(0);
    result.constant *= factor;
    for (int64_t i = 0; i < a->count; i++)
        result.terms[i].coefficient *= factor;
    return result;
}

int64_t affine_split(const struct affine *a, int var, struct affine *rest)
{
    int64_t coefficient = 0;
    *rest = affine_constant(a->constant);
    for (int64_t i = 0; i < a->count; i++)
        if (a->terms[i].var == var)
            coefficient = a->terms[i].coefficient;
        else
            rest->terms[rest->count++] = a->terms[i];
    return coefficient;
}

/* The last chunk of a row may have fewer steps: subtracts what its last step would be beyond the
 * row, where a variable is the step of a chunk, and the chunk's number another term. */
static void limit_to_row(const struct emitter *e, const struct affine *a,
                         const struct affine_term *step, int64_t *min, int64_t *max)
{
    const struct index_var *var = var_of(e, step);
    struct affine rest;
    int64_t c = step->coefficient, of_chunk = affine_split(a, var->chunk_var, &rest);
    int64_t beyond = e->vars.items[var->chunk_var].max * var->chunk + var->max - (var->steps - 1);
    if (beyond > 0 && c > 0 && of_chunk >= c * var->chunk)
        *max -= c * beyond;
    if (beyond > 0 && c < 0 && of_chunk <= c * var->chunk)
        *min -= c * beyond;
}

void affine_range(const struct emitter *e, const struct affine *a, int64_t *min, int64_t *max)
{
    *min = *max = a->constant;
    for (int64_t i = 0; i < a->count; i++) {
        const struct index_var *var = var_of(e, &a->terms[i]);
        int64_t c = a->terms[i].coefficient;
        *min += c * (c > 0 ? var->min : var->max);
        *max += c * (c > 0 ? var->max : var->min);
        if (var->steps)
            limit_to_row(e, a, &a->terms[i], min, max);
    }
}

int affine_depth(const struct emitter *e, const struct affine *a)
{
    int depth = 0;
    for (int64_t i = 0; i < a->count; i++) {
        int of = var_of(e, &a->terms[i])->depth;
        depth = of > depth ? of : depth;
    }
    return depth;
}

int affine_index_depth(const struct emitter *e, const struct index *index)
{
    int depth = 0;
    for (int i = 0; i < index->rank; i++) {
        int of = affine_depth(e, &index->at[i]);
        depth = of > depth ? of : depth;
    }
    return depth;
}

bool affine_lane_stride(const struct emitter *e, const struct affine *a, int64_t *stride)
{
    *stride = 0;
    for (int64_t i = 0; i < a->count; i++) {
        const struct index_var *var = var_of(e, &a->terms[i]);
        if (var->is_lane_number)
            *stride = a->terms[i].coefficient;
        else if (var->lanes > 1)
            return false;
    }
    return true;
}

bool affine_is_uniform(const struct emitter *e, const struct affine *a)
{
    int64_t stride;
    return affine_lane_stride(e, a, &stride) && !stride;
}

bool affine_index_is_uniform(const struct emitter *e, const struct index *index)
{
    for (int i = 0; i < index->rank; i++)
        if (!affine_is_uniform(e, &index->at[i]))
            return false;
    return true;
}

/* ---- code ------------------------------------------------------------------------------------ */
struct affine_key {
    char tag[8];
    int64_t lanes;
    struct affine affine;
};

static size_t key_make(struct affine_key *key, const char *tag, int64_t lanes,
                       const struct affine *a)
{
    memset(key, 0, sizeof *key);
    memcpy(key->tag, tag, strlen(tag));
    key->lanes = lanes;
    memcpy(&key->affine, a, affine_size(a));
    return offsetof(struct affine_key, affine) + affine_size(a);
}

static LLVMValueRef sum_deepest(struct emitter *e, const struct affine *a, LLVMValueRef sum,
                                int depth)
{
    for (int64_t i = 0; i < a->count; i++) {
        const struct index_var *var = var_of(e, &a->terms[i]);
        if (var->depth != depth || var->lanes > 1)
            continue;
        LLVMValueRef factor = emitter_i64(e, a->terms[i].coefficient);
        LLVMValueRef term = a->terms[i].coefficient == 1
                                ? var->value
                                : LLVMBuildMul(e->builder, var->value, factor, "");
        sum = sum ? LLVMBuildAdd(e->builder, sum, term, "") : term;
    }
    return sum;
}

/* Sums the terms of outer scopes in those scopes, so that a loop adds only the terms that vary in
 * it. */
LLVMValueRef affine_scalar(struct emitter *e, const struct affine *a)
{
    struct affine inner = {0}, outer = {.constant = a->constant};
    int depth = 0;
    for (int64_t i = 0; i < a->count; i++)
        if (var_of(e, &a->terms[i])->lanes == 1)
            inner.terms[inner.count++] = a->terms[i];
    if (!inner.count)
        return emitter_i64(e, a->constant);
    depth = affine_depth(e, &inner);
    inner.constant = a->constant;
    struct affine_key key;
    size_t size = key_make(&key, "scalar", 0, &inner);
    struct scope *scope = emitter_scope(e, depth);
    LLVMValueRef known = emitter_memo_get(scope, &key, size);
    if (known)
        return known;
    for (int64_t i = 0; i < inner.count; i++)
        if (var_of(e, &inner.terms[i])->depth < depth)
            outer.terms[outer.count++] = inner.terms[i];
    LLVMValueRef base = outer.count || outer.constant ? affine_scalar(e, &outer) : NULL;
    struct scope *back = emitter_enter(e, scope);
    known = sum_deepest(e, &inner, base, depth);
    emitter_leave(e, back);
    emitter_memo_put(scope, &key, size, known);
    return known;
}

static LLVMValueRef vector_of(struct emitter *e, const struct affine *a, bool narrow)
{
    struct affine_key key;
    size_t size = key_make(&key, narrow ? "narrow" : "vector", e->lanes, a);
    struct scope *scope = emitter_scope(e, affine_depth(e, a));
    LLVMValueRef sum = emitter_memo_get(scope, &key, size);
    if (sum)
        return sum;
    LLVMValueRef scalar = affine_scalar(e, a);
    struct scope *back = emitter_enter(e, scope);
    LLVMTypeRef type = emitter_vector(narrow ? e->i32 : e->i64, e->lanes);
    if (narrow)
        scalar = LLVMBuildTrunc(e->builder, scalar, e->i32, "");
    sum = emitter_splat(e, scalar, e->lanes);
    for (int64_t i = 0; i < a->count; i++) {
        const struct index_var *var = var_of(e, &a->terms[i]);
        if (var->lanes == 1)
            continue;
        LLVMValueRef term = narrow ? LLVMBuildTrunc(e->builder, var->value, type, "") : var->value;
        if (a->terms[i].coefficient != 1)
            term =
                LLVMBuildMul(e->builder, term, emitter_int_like(type, a->terms[i].coefficient), "");
        sum = LLVMBuildAdd(e->builder, sum, term, "");
    }
    emitter_leave(e, back);
    emitter_memo_put(scope, &key, size, sum);
    return sum;
}

LLVMValueRef affine_vector(struct emitter *e, const struct affine *a)
{
    return vector_of(e, a, false);
}

LLVMValueRef affine_vector32(struct emitter *e, const struct affine *a)
{
    return vector_of(e, a, true);
}

/* Clamps integers to [0, max], in their own width. */
static LLVMValueRef clamped(struct emitter *e, LLVMValueRef value, bool is_signed, int64_t max)
{
    LLVMTypeRef type = LLVMTypeOf(value);
    int magnitude = emitter_bits_of(type) - is_signed;
    if (magnitude > 62 || max < (INT64_C(1) << magnitude) - 1)
        value = emitter_binary(e, is_signed ? "llvm.smin" : "llvm.umin", value,
                               emitter_int_like(type, max));
    return is_signed ? emitter_binary(e, "llvm.smax", value, LLVMConstNull(type)) : value;
}

struct affine affine_from_value(struct emitter *e, LLVMValueRef value, bool is_signed, int64_t max,
                                int depth)
{
    struct {
        char tag[8];
        LLVMValueRef value;
        int64_t is_signed, max;
    } key = {"read", value, is_signed, max};
    struct affine *known = emitter_memo_get(e->scope, &key, sizeof key);
    if (known)
        return *known;
    value = clamped(e, value, is_signed, max);
    LLVMTypeRef from = LLVMTypeOf(value);
    int lanes = LLVMGetTypeKind(from) == LLVMVectorTypeKind ? (int)LLVMGetVectorSize(from) : 1;
    LLVMTypeRef wide = emitter_vector(e->i64, lanes);
    if (from != wide)
        value = LLVMBuildZExt(e->builder, value, wide, "");
    known = ARENA_NEW(e->arena, struct affine);
    *known = affine_var(emitter_var(e, value, lanes, 0, max, depth));
    emitter_memo_put(e->scope, &key, sizeof key, known);
    return *known;
}

/* ---- shapes ---------------------------------------------------------------------------------- */
struct affine *affine_array(struct emitter *e, int count)
{
    return ARENA_ARRAY(e->arena, struct affine, (size_t)count);
}

struct index affine_index(int rank, const struct affine *at)
{
    return (struct index){rank, at};
}

struct affine affine_linear(struct emitter *e, const struct index *index, const int64_t *dims)
{
    struct affine sum = affine_constant(0);
    int64_t stride = 1;
    for (int i = index->rank - 1; i >= 0; i--) {
        struct affine term = affine_scale(&index->at[i], stride);
        sum = affine_add(e, &sum, &term);
        stride *= dims[i];
    }
    sum = affine_rejoin(e, &sum);
    return pattern_settled(e, &sum);
}

struct index affine_delinear(struct emitter *e, const struct affine *linear, int rank,
                             const int64_t *dims)
{
    struct affine *at = affine_array(e, rank), rest = *linear;
    int outermost = 0;
    while (outermost < rank - 1 && dims[outermost] == 1)
        outermost++;
    for (int i = rank - 1; i >= 0; i--) {
        if (i == outermost) { /* the outermost index is what remains: no division */
            at[i] = rest;
            rest = affine_constant(0);
        } else if (i > outermost) {
            affine_divide(e, &rest, dims[i], &rest, &at[i]);
        }
    }
    return affine_index(rank, at);
}

LLVMValueRef affine_inside(struct emitter *e, const struct affine *a, int64_t min, int64_t limit,
                           int *lanes)
{
    int64_t low, high;
    affine_range(e, a, &low, &high);
    *lanes = affine_is_uniform(e, a) ? 1 : e->lanes;
    bool narrow = low > INT32_MIN && high < INT32_MAX;
    LLVMValueRef value = NULL, inside = NULL;
    if (low < min || high >= limit)
        value = *lanes == 1 ? affine_scalar(e, a)
                : narrow    ? affine_vector32(e, a)
                            : affine_vector(e, a);
    if (low < min) {
        LLVMValueRef bound = emitter_int_like(LLVMTypeOf(value), min);
        inside = LLVMBuildICmp(e->builder, LLVMIntSGE, value, bound, "");
    }
    if (high >= limit) {
        LLVMValueRef bound = emitter_int_like(
            LLVMTypeOf(value), limit > INT32_MAX && narrow && *lanes > 1 ? INT32_MAX : limit);
        LLVMValueRef below = LLVMBuildICmp(e->builder, LLVMIntSLT, value, bound, "");
        inside = inside ? LLVMBuildAnd(e->builder, inside, below, "") : below;
    }
    return inside;
}
