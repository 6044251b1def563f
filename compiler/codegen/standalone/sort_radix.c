/* sort_radix.c: least significant digit first, with digits of 8 bits, or of 11 in rows long enough
 * to repay the larger tables. One pass over the row counts the values of every digit. Then, for
 * every digit in which keys differ, elements move to the positions given by the counts. Keys are
 * recomputed in each pass, which is faster than moving them along. */
#include "compiler/codegen/standalone/sort_radix.h"

#include <string.h>

#include "compiler/codegen/standalone/sort_key.h"

enum { MAX_OPERANDS = 4, MIN_LENGTH = 64, MIN_LONG_LENGTH = 32768 };

bool sort_radix_supports(const struct op *op)
{
    struct sort_key key;
    const struct type *type = op->operands[0]->type;
    int64_t dim = op->attrs.sort.dimension < 0 ? op->attrs.sort.dimension + type->shape.rank
                                               : op->attrs.sort.dimension;
    return type->shape.rank && op->operand_count <= MAX_OPERANDS &&
           type->shape.dims[dim] >= MIN_LENGTH && type->shape.dims[dim] < INT32_MAX &&
           sort_key_find(op, &key);
}

/* ---- one row -------------------------------------------------------------------------------- */
struct radix {
    struct sort_row *s;
    struct emitter *e;
    struct sort_key key;
    int digit_bits, digits; /* bits per digit; digits per key */
    LLVMValueRef counts;    /* i32 [digits][1 << bits per digit] */
};

static LLVMValueRef at(struct emitter *e, LLVMTypeRef type, LLVMValueRef base, LLVMValueRef i)
{
    return LLVMBuildGEP2(e->builder, type, base, &i, 1, "");
}

/* The address of the count of a key's digit. */
static LLVMValueRef bucket(struct radix *r, LLVMValueRef key, LLVMValueRef digit)
{
    LLVMBuilderRef b = r->e->builder;
    LLVMTypeRef i64 = r->e->i64;
    LLVMValueRef wide = r->key.bytes < 8 ? LLVMBuildZExt(b, key, i64, "") : key;
    LLVMValueRef by = LLVMBuildMul(b, digit, LLVMConstInt(i64, (unsigned)r->digit_bits, false), "");
    LLVMValueRef ones = LLVMConstInt(i64, (1ULL << r->digit_bits) - 1, false);
    LLVMValueRef column = LLVMBuildAnd(b, LLVMBuildLShr(b, wide, by, ""), ones, "");
    LLVMValueRef row =
        LLVMBuildShl(b, digit, LLVMConstInt(i64, (unsigned)r->digit_bits, false), "");
    return at(r->e, r->e->i32, r->counts, LLVMBuildAdd(b, row, column, ""));
}

/* Returns a count and adds `by` to it. */
static LLVMValueRef count_up(struct radix *r, LLVMValueRef slot, LLVMValueRef by)
{
    LLVMBuilderRef b = r->e->builder;
    LLVMValueRef count = LLVMBuildLoad2(b, r->e->i32, slot, "");
    LLVMBuildStore(b, LLVMBuildAdd(b, count, by, ""), slot);
    return count;
}

/* The bits by which elements are sorted. */
static struct error *key_of(struct radix *r, const struct element *elements, LLVMValueRef *bits)
{
    struct element arguments[2 * MAX_OPERANDS], key;
    for (int i = 0; i < r->s->count; i++)
        arguments[2 * i] = arguments[2 * i + 1] = elements[i];
    TRY(expression_in_body(r->e, r->s->op->regions[0], arguments, 1, &r->key.value, &key));
    *bits = sort_key_bits(r->e, &r->key, key.part[0]);
    return NULL;
}

/* Copies the row into one set of arrays and counts all digits. */
static struct error *copy_and_count(struct radix *r, int side)
{
    struct emitter *e = r->e;
    struct element elements[MAX_OPERANDS];
    LLVMValueRef size = emitter_i64(e, (int64_t)r->digits * 4 << r->digit_bits), bits;
    LLVMBuildMemSet(e->builder, r->counts, LLVMConstNull(e->i8), size, 64);
    struct loop *loop = emitter_loop_begin(e, emitter_i64(e, 0), emitter_i64(e, r->s->length), 1, 0,
                                           r->s->length - 1, 0, NULL);
    struct affine position = affine_var(loop->var);
    TRY(sort_row_copy(r->s, side, &position, elements));
    TRY(key_of(r, elements, &bits));
    for (int digit = 0; digit < r->digits; digit++)
        count_up(r, bucket(r, bits, emitter_i64(e, digit)), emitter_i32(e, 1));
    emitter_loop_end(e, loop, NULL);
    return NULL;
}

/* Converts the counts of one digit to start positions (prefix sum). */
static void sum_counts(struct radix *r, LLVMValueRef digit)
{
    struct emitter *e = r->e;
    LLVMValueRef zero = emitter_i32(e, 0),
                 base = LLVMBuildShl(e->builder, digit, emitter_i64(e, r->digit_bits), "");
    struct loop *loop =
        emitter_loop_begin(e, emitter_i64(e, 0), emitter_i64(e, 1LL << r->digit_bits), 1, 0,
                           (1LL << r->digit_bits) - 1, 1, &zero);
    LLVMValueRef slot = at(e, e->i32, r->counts, LLVMBuildAdd(e->builder, base, loop->i, ""));
    LLVMValueRef count = LLVMBuildLoad2(e->builder, e->i32, slot, "");
    LLVMBuildStore(e->builder, loop->carried[0], slot);
    LLVMValueRef next = LLVMBuildAdd(e->builder, loop->carried[0], count, "");
    emitter_loop_end(e, loop, &next);
}

static struct error *key_at(struct radix *r, LLVMValueRef const *arrays,
                            const struct affine *position, LLVMValueRef *bits)
{
    struct element elements[MAX_OPERANDS];
    sort_row_load(r->s, arrays, position, elements);
    return key_of(r, elements, bits);
}

/* Moves every element from one set of arrays to its position in the other. */
static struct error *move(struct radix *r, LLVMValueRef digit, LLVMValueRef const *from,
                          LLVMValueRef const *to)
{
    struct emitter *e = r->e;
    int64_t length = r->s->length;
    LLVMValueRef key;
    struct loop *loop =
        emitter_loop_begin(e, emitter_i64(e, 0), emitter_i64(e, length), 1, 0, length - 1, 0, NULL);
    struct affine at_begin = affine_var(loop->var);
    TRY(key_at(r, from, &at_begin, &key));
    LLVMValueRef position = count_up(r, bucket(r, key, digit), emitter_i32(e, 1));
    position = LLVMBuildZExt(e->builder, position, e->i64, "");
    for (int i = 0; i < r->s->count; i++) {
        unsigned bits = (unsigned)dtype_bytes(r->s->op->operands[i]->type->shape.dtype) * 8;
        LLVMTypeRef type = LLVMIntTypeInContext(e->context, bits);
        LLVMValueRef value = LLVMBuildLoad2(e->builder, type, at(e, type, from[i], loop->i), "");
        LLVMValueRef store = LLVMBuildStore(e->builder, value, at(e, type, to[i], position));
        LLVMSetAlignment(value, bits > 64 ? 8 : bits / 8);
        LLVMSetAlignment(store, bits > 64 ? 8 : bits / 8);
    }
    emitter_loop_end(e, loop, NULL);
    return NULL;
}

/* Sorts by all digits. Skips a digit in which all keys agree. On return, `arrays` are the ones that
 * hold the sorted row. */
static struct error *move_all(struct radix *r, int begin, LLVMValueRef *arrays)
{
    struct emitter *e = r->e;
    LLVMBuilderRef b = e->builder;
    int sets = r->s->count;
    LLVMValueRef carried[2 * MAX_OPERANDS], next[2 * MAX_OPERANDS], first;
    for (int i = 0; i < sets; i++)
        carried[i] = r->s->arrays[begin][i], carried[sets + i] = r->s->arrays[!begin][i];
    struct loop *loop = emitter_loop_begin(e, emitter_i64(e, 0), emitter_i64(e, r->digits), 1, 0,
                                           r->digits - 1, 2 * sets, carried);
    LLVMValueRef *from = loop->carried, *to = loop->carried + sets;
    struct affine zero = affine_constant(0);
    TRY(key_at(r, from, &zero, &first));
    LLVMValueRef alike = LLVMBuildLoad2(b, e->i32, bucket(r, first, loop->i), "");
    LLVMValueRef differ = LLVMBuildICmp(b, LLVMIntNE, alike, emitter_i32(e, r->s->length), "");
    struct branch *branch = emitter_branch_begin(e, differ);
    sum_counts(r, loop->i);
    TRY(move(r, loop->i, from, to));
    emitter_branch_end(e, branch, 0, NULL, NULL);
    for (int i = 0; i < sets; i++) {
        next[i] = LLVMBuildSelect(b, differ, to[i], from[i], "");
        next[sets + i] = LLVMBuildSelect(b, differ, from[i], to[i], "");
    }
    emitter_loop_end(e, loop, next);
    memcpy(arrays, next, (size_t)sets * sizeof *arrays);
    return NULL;
}

/* If an odd number of digits was skipped, the row is in the other arrays: copies it back. */
static void move_to_first(struct radix *r, LLVMValueRef const *sorted)
{
    struct emitter *e = r->e;
    LLVMValueRef const *to = r->s->arrays[0];
    LLVMValueRef elsewhere = LLVMBuildICmp(e->builder, LLVMIntNE, sorted[0], to[0], "");
    struct branch *branch = emitter_branch_begin(e, elsewhere);
    for (int i = 0; i < r->s->count; i++) {
        int64_t bytes = dtype_bytes(r->s->op->operands[i]->type->shape.dtype);
        LLVMBuildMemCpy(e->builder, to[i], 1, sorted[i], 1, emitter_i64(e, r->s->length * bytes));
    }
    emitter_branch_end(e, branch, 0, NULL, NULL);
}

struct error *sort_radix_row(struct sort_row *s)
{
    struct radix r = {.s = s, .e = s->e};
    LLVMValueRef sorted[MAX_OPERANDS];
    sort_key_find(s->op, &r.key);
    r.digit_bits = s->length >= MIN_LONG_LENGTH && r.key.bytes >= 4 ? 11 : 8;
    r.digits = (r.key.bytes * 8 + r.digit_bits - 1) / r.digit_bits;
    LLVMTypeRef table = LLVMArrayType2(s->e->i32, (uint64_t)r.digits << r.digit_bits);
    r.counts = emitter_alloca(s->e, table, 64);
    int begin = r.digits & 1;
    TRY(copy_and_count(&r, begin));
    TRY(move_all(&r, begin, sorted));
    move_to_first(&r, sorted);
    return NULL;
}
