/* rng.c: rng_bit_generator, bit for bit as in XLA:CPU, and rng.
 *
 * A generator maps a counter to a block of words. A vector of blocks is computed at once. The words
 * of a block go to adjacent elements, so they are interleaved before they are stored. The exception
 * is Threefry with 32-bit elements, which may store the two words of a block apart, in the two
 * halves of the first even dimension. */
#include "compiler/codegen/element/math.h"
#include "compiler/codegen/element/random_bits.h"
#include "compiler/codegen/element/shuffle.h"
#include "compiler/codegen/loops/expression.h"
#include "compiler/codegen/standalone/standalone.h"

enum { VECTORS = 64 }; /* vectors of blocks per work item */

struct random {
    struct kernel *k;
    struct emitter *e;
    const struct op *op;
    const struct type *type; /* of the random numbers */
    bool philox;
    int lanes, words; /* words: elements per block */
    int64_t count, blocks, state_size;
    int64_t size,
        inner; /* Threefry with 32-bit elements: sizes of the split dimension and those inside it */
    LLVMValueRef key, low, high; /* i64, from the state */
};

static int bits_of(const struct random *r)
{
    return dtype_info(r->type->shape.dtype)->bits;
}

/* The dimension that Threefry's two words are split along: the first of even size, else the
 * largest. */
static int split_dim(const struct type *type)
{
    int largest = 0;
    for (int i = 0; i < type->shape.rank; i++) {
        if (type->shape.dims[i] % 2 == 0)
            return i;
        if (type->shape.dims[i] > type->shape.dims[largest])
            largest = i;
    }
    return largest;
}

static void plan(struct random *r)
{
    const struct type *type = r->type;
    r->count = type_elements(type);
    r->size = type->shape.rank ? type->shape.dims[split_dim(type)] : 1;
    r->inner = 1;
    for (int i = type->shape.rank - 1; i > split_dim(type); i--)
        r->inner *= type->shape.dims[i];
    if (r->philox) {
        r->words = bits_of(r) == 64 ? 2 : 4;
        r->blocks = (r->count + r->words - 1) / r->words;
    } else if (bits_of(r) == 64) {
        r->words = 1;
        r->blocks = r->count;
    } else {
        r->words = 2;
        r->blocks = r->size ? r->count / r->size * ((r->size + 1) / 2) : 0;
    }
    r->lanes = r->k->e->target->isa.vector_bytes / 4;
}

/* ---- the state ------------------------------------------------------------------------------- */
static struct error *state_at(struct random *r, int i, LLVMValueRef *out)
{
    struct affine at = affine_constant(i);
    struct index index = affine_index(1, &at);
    struct element element;
    TRY(expression_emit(r->e, r->op->operands[0], &index, &element));
    *out = element.part[0];
    return NULL;
}

static struct error *load_state(struct random *r)
{
    r->state_size = type_elements(r->op->operands[0]->type);
    TRY(state_at(r, 0, &r->key));
    TRY(state_at(r, 1, &r->low));
    return state_at(r, r->state_size > 2 ? 2 : 0, &r->high);
}

/* low + by, and high with the carry. */
static void advance(struct random *r, LLVMValueRef low, LLVMValueRef high, LLVMValueRef by,
                    LLVMValueRef out[2])
{
    LLVMBuilderRef b = r->e->builder;
    out[0] = LLVMBuildAdd(b, low, by, "");
    LLVMValueRef carry = LLVMBuildICmp(b, LLVMIntULT, out[0], low, "");
    out[1] = LLVMBuildAdd(b, high, LLVMBuildZExt(b, carry, LLVMTypeOf(high), ""), "");
}

/* In the first work item, stores the next state. */
static void store_state(struct random *r, LLVMValueRef pointer)
{
    struct emitter *e = r->e;
    LLVMValueRef first = LLVMBuildICmp(e->builder, LLVMIntEQ, r->k->begin, emitter_i64(e, 0), "");
    struct branch *branch = emitter_branch_begin(e, first);
    LLVMValueRef next[2];
    advance(r, r->low, r->high, emitter_i64(e, r->blocks), next);
    LLVMValueRef values[3] = {r->key, next[0], next[1]};
    for (int i = 0; i < r->state_size; i++) {
        struct affine at = affine_constant(i);
        struct element element = element_of(values[i]);
        element_store(e, pointer, DTYPE_U64, &at, &element, false);
    }
    emitter_branch_end(e, branch, 0, NULL, NULL);
}

/* ---- the words ------------------------------------------------------------------------------- */
/* The elements from blocks first .. first + lanes - 1, as bits of the type in memory. */
static void make_words(struct random *r, LLVMValueRef first, LLVMValueRef out[4])
{
    struct emitter *e = r->e;
    LLVMValueRef lane = e->lane_var >= 0 ? e->vars.items[e->lane_var].value : emitter_i64(e, 0);
    LLVMValueRef number = LLVMBuildAdd(e->builder, emitter_splat(e, first, r->lanes), lane, "");
    LLVMValueRef counter[2], key[2],
        wide[2] = {emitter_splat(e, r->low, r->lanes), emitter_splat(e, r->high, r->lanes)};
    advance(r, wide[0], wide[1], number, counter);
    random_bits_split(e, emitter_splat(e, r->key, r->lanes), key);
    random_bits_split(e, counter[0], out);
    if (r->philox) {
        random_bits_split(e, counter[1], out + 2);
        random_bits_philox(e, out, key);
    } else {
        random_bits_threefry(e, out, key);
    }
    LLVMTypeRef type = emitter_vector(
        LLVMIntTypeInContext(e->context, (unsigned)dtype_bytes(r->type->shape.dtype) * 8),
        r->lanes);
    for (int i = 0; i < r->words && bits_of(r) != 32; i++) {
        if (bits_of(r) == 64)
            out[i] = random_bits_join(e, out[2 * i], out[2 * i + 1]);
        else
            out[i] = element_round(e, r->type->shape.dtype,
                                   LLVMBuildTrunc(e->builder, out[i], type, ""));
    }
}

static void store_bits(struct random *r, LLVMValueRef pointer, LLVMValueRef offset,
                       LLVMValueRef vector, LLVMValueRef mask)
{
    struct emitter *e = r->e;
    LLVMValueRef to = emitter_at(e, LLVMGetElementType(LLVMTypeOf(vector)), pointer, offset);
    emitter_store(e, vector, to, (unsigned)dtype_bytes(r->type->shape.dtype), mask);
}

/* Stores words of a block as adjacent elements: one vector, or its first part at the end of the
 * array. */
static void store_interleaved(struct random *r, LLVMValueRef pointer, LLVMValueRef first,
                              LLVMValueRef *words)
{
    struct emitter *e = r->e;
    LLVMBuilderRef b = e->builder;
    LLVMValueRef all = words[0];
    if (r->words == 2)
        all = shuffle_in_turn(e, words[0], words[1]);
    else if (r->words == 4)
        all = shuffle_in_turn(e, shuffle_in_turn(e, words[0], words[2]),
                              shuffle_in_turn(e, words[1], words[3]));
    LLVMValueRef offset = LLVMBuildMul(b, first, emitter_i64(e, r->words), "");
    LLVMValueRef left = LLVMBuildSub(b, emitter_i64(e, r->count), offset, "");
    LLVMValueRef size = emitter_i64(e, (int64_t)r->lanes * r->words);
    LLVMValueRef whole = LLVMBuildICmp(b, LLVMIntSGE, left, size, "");
    struct branch *branch = emitter_branch_begin(e, whole);
    store_bits(r, pointer, offset, all, NULL);
    emitter_branch_end(e, branch, 0, NULL, NULL);
    branch = emitter_branch_begin(e, LLVMBuildNot(b, whole, ""));
    struct lanes before = emitter_lanes(e, r->lanes * r->words);
    LLVMValueRef lane = e->vars.items[e->lane_var].value;
    LLVMValueRef mask =
        LLVMBuildICmp(b, LLVMIntSLT, lane, emitter_splat(e, left, r->lanes * r->words), "");
    emitter_lanes_restore(e, before);
    store_bits(r, pointer, offset, all, mask);
    emitter_branch_end(e, branch, 0, NULL, NULL);
}

/* Stores Threefry's words `inner` elements apart. */
static void store_apart(struct random *r, LLVMValueRef pointer, const struct affine *block,
                        LLVMValueRef *words)
{
    struct emitter *e = r->e;
    int64_t half = (r->size + 1) / 2, dims[3] = {r->count / r->size / r->inner, half, r->inner},
            lanes = r->lanes;
    struct index index = affine_delinear(e, block, 3, dims);
    for (int word = 0; word < 2; word++) {
        struct affine at[3] = {index.at[0], affine_scale(&index.at[1], 2), index.at[2]};
        at[1].constant += word;
        struct index to = affine_index(3, at);
        struct affine offset = affine_linear(e, &to, (int64_t[]){dims[0], r->size, r->inner});
        int of;
        LLVMValueRef inside = affine_inside(e, &at[1], 0, r->size, &of);
        struct guard guard;
        if (inside)
            guard = emitter_guard(e, inside, of);
        struct element element = {{words[word], NULL}, (int)lanes};
        e->guard = inside ? &guard : NULL;
        enum dtype bits = bits_of(r) == 32 ? DTYPE_U32 : bits_of(r) == 16 ? DTYPE_U16 : DTYPE_U8;
        element_store(e, pointer, bits, &offset, &element, false);
        e->guard = NULL;
    }
}

/* Emits the loop over work items [begin, end); stores vectors of blocks. */
static void emit_numbers(struct random *r, LLVMValueRef pointer)
{
    struct emitter *e = r->e;
    int64_t vectors = (r->blocks + r->lanes - 1) / r->lanes;
    LLVMValueRef size = emitter_i64(e, VECTORS);
    LLVMValueRef first = LLVMBuildMul(e->builder, r->k->begin, size, "");
    LLVMValueRef end = LLVMBuildMul(e->builder, r->k->end, size, "");
    end = emitter_binary(e, "llvm.smin", end, emitter_i64(e, vectors));
    struct loop *loop = emitter_loop_begin(e, first, end, 1, 0, vectors - 1, 0, NULL);
    struct lanes before = emitter_lanes(e, r->lanes);
    LLVMValueRef words[4];
    LLVMValueRef block = LLVMBuildMul(e->builder, loop->i, emitter_i64(e, r->lanes), "");
    make_words(r, block, words);
    bool odd = !r->philox && r->words == 2 && r->size % 2 && r->count != r->size;
    if (r->philox || r->words == 1 || (r->inner == 1 && !odd)) {
        store_interleaved(r, pointer, block, words);
    } else {
        struct affine from = affine_var(loop->var), lane = affine_var(e->lane_var);
        from = affine_scale(&from, r->lanes);
        from = affine_add(e, &from, &lane);
        int of;
        e->tail = affine_inside(e, &from, 0, r->blocks, &of);
        store_apart(r, pointer, &from, words);
    }
    emitter_lanes_restore(e, before);
    emitter_loop_end(e, loop, NULL);
}

struct error *rng_bits_emit(struct kernel *k, const struct op *op)
{
    struct random r = {.k = k, .e = k->e, .op = op, .type = op->results[1].type};
    const struct op *end = k->fusion->regions[0]->last;
    r.philox = op->attrs.rng_bit_generator.rng_algorithm != RNG_THREE_FRY;
    plan(&r);
    int64_t vectors = (r.blocks + r.lanes - 1) / r.lanes;
    k->request->work = vectors ? (vectors + VECTORS - 1) / VECTORS : 1;
    TRY(load_state(&r));
    for (int i = 0; i < end->operand_count; i++) {
        if (end->operands[i]->index == 0)
            store_state(&r, kernel_result(k, i));
        else if (vectors)
            emit_numbers(&r, kernel_result(k, i));
    }
    return NULL;
}

/* ---- rng ------------------------------------------------------------------------------------- */
/* A number that differs at every call. It is computed at the entry of the kernel. */
static LLVMValueRef seed(struct emitter *e, const struct op *op)
{
    struct scope *scope = emitter_scope(e, 0);
    struct {
        const struct op *op;
        const char *what;
    } key = {op, "seed"};
    LLVMValueRef known = emitter_memo_get(scope, &key, sizeof key);
    if (known)
        return known;
    struct scope *back = emitter_enter(e, scope);
    known = emitter_intrinsic(e, "llvm.readcyclecounter", 0, NULL, 0, NULL);
    emitter_leave(e, back);
    emitter_memo_put(scope, &key, sizeof key, known);
    return known;
}

/* Four random words (i32, vector or scalar) for the element at an index. */
static void words_at(struct emitter *e, const struct op *op, const struct index *index,
                     LLVMValueRef words[4])
{
    struct affine linear = affine_linear(e, index, op->results[0].type->shape.dims);
    int lanes = expression_lanes(e, index);
    LLVMValueRef at = lanes == 1 ? affine_scalar(e, &linear) : affine_vector(e, &linear), key[2];
    random_bits_split(e, at, words);
    words[2] = words[3] = LLVMConstNull(LLVMTypeOf(words[0]));
    random_bits_split(e, emitter_splat(e, seed(e, op), lanes), key);
    random_bits_philox(e, words, key);
}

/* A number in [0, 1) from the high bits of two words (for f64) or of one. */
static LLVMValueRef unit(struct emitter *e, LLVMTypeRef type, bool wide, LLVMValueRef low,
                         LLVMValueRef high)
{
    LLVMBuilderRef b = e->builder;
    LLVMValueRef bits = wide ? random_bits_join(e, low, high) : low;
    bits = LLVMBuildLShr(b, bits, emitter_int_like(LLVMTypeOf(bits), wide ? 12 : 9), "");
    LLVMValueRef value = LLVMBuildSIToFP(b, bits, type, "");
    return LLVMBuildFMul(b, value, emitter_real_like(type, wide ? 0x1p-52 : 0x1p-23), "");
}

/* The Box-Muller transform of two numbers in [0, 1). */
static LLVMValueRef normal(struct emitter *e, LLVMTypeRef type, bool wide,
                           LLVMValueRef const words[4])
{
    LLVMBuilderRef b = e->builder;
    LLVMValueRef u = unit(e, type, wide, words[0], words[1]),
                 v = unit(e, type, wide, words[2], words[3]);
    struct vecmath m = math_over(e, u);
    LLVMValueRef one = emitter_real_like(type, 1), minus_two = emitter_real_like(type, -2);
    LLVMValueRef square =
        LLVMBuildFMul(b, minus_two, vecmath_log(&m, LLVMBuildFSub(b, one, u, "")), "");
    LLVMValueRef angle = LLVMBuildFMul(b, v, emitter_real_like(type, 6.28318530717958648), "");
    return LLVMBuildFMul(b, vecmath_sqrt(&m, square), vecmath_cos(&m, angle), "");
}

/* low + words % (high - low) */
static LLVMValueRef between(struct emitter *e, LLVMValueRef low, LLVMValueRef high,
                            LLVMValueRef const words[4])
{
    LLVMBuilderRef b = e->builder;
    LLVMTypeRef type = LLVMTypeOf(low), scalar = type;
    if (LLVMGetTypeKind(type) == LLVMVectorTypeKind)
        scalar = LLVMGetElementType(type);
    unsigned width = LLVMGetIntTypeWidth(scalar);
    LLVMValueRef range = LLVMBuildSub(b, high, low, ""), one = emitter_int_like(type, 1);
    LLVMValueRef empty = LLVMBuildICmp(b, LLVMIntEQ, range, emitter_int_like(type, 0), "");
    LLVMValueRef bits = width > 32    ? random_bits_join(e, words[0], words[1])
                        : width == 32 ? words[0]
                                      : LLVMBuildTrunc(b, words[0], type, "");
    LLVMValueRef rest = LLVMBuildURem(b, bits, LLVMBuildSelect(b, empty, one, range, ""), "");
    return LLVMBuildAdd(b, low, rest, "");
}

struct error *rng_emit(struct emitter *e, const struct op *op, const struct index *index,
                       struct element *out)
{
    enum dtype dtype = op->results[0].type->shape.dtype;
    int lanes = expression_lanes(e, index);
    LLVMTypeRef type = element_type(e, dtype, lanes);
    bool wide = dtype == DTYPE_F64, is_normal = op->attrs.rng.rng_distribution == RNG_NORMAL;
    LLVMBuilderRef b = e->builder;
    struct element bounds[2];
    LLVMValueRef words[4], value;
    if (!dtype_is_float(dtype) && (is_normal || !dtype_is_integer(dtype)))
        return emitter_unimplemented(e, op, "this distribution or element type");
    for (int i = 0; i < 2; i++) {
        TRY(expression_scalar(e, op->operands[i], &bounds[i]));
        bounds[i] = element_widen(e, &bounds[i], lanes);
    }
    words_at(e, op, index, words);
    LLVMValueRef low = bounds[0].part[0], high = bounds[1].part[0];
    if (is_normal)
        value = LLVMBuildFAdd(b, LLVMBuildFMul(b, normal(e, type, wide, words), high, ""), low, "");
    else if (dtype_is_float(dtype))
        value = LLVMBuildFAdd(b,
                              LLVMBuildFMul(b, unit(e, type, wide, words[0], words[1]),
                                            LLVMBuildFSub(b, high, low, ""), ""),
                              low, "");
    else
        value = between(e, low, high, words);
    *out = element_of(element_round(e, dtype, value));
    return NULL;
}
