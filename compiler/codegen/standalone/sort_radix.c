/* sort_radix.c: least significant digit first, with digits of 8 bits, or of 11 in rows long enough
 * to repay the larger tables. One pass over the row counts the values of every digit. Then, for
 * every digit in which keys differ, elements move to the positions given by the counts. Keys are
 * recomputed in each pass, which is faster than moving them along. */
#include "compiler/codegen/standalone/sort_radix.h"

#include <string.h>

#include "compiler/codegen/standalone/sort_key.h"

enum { MIN_LENGTH = 64 };

bool sort_radix_supports(const struct op *op)
{
    struct sort_key key;
    const struct type *type = op->operands[0]->type;
    int64_t dim = op->attrs.sort.dimension < 0 ? op->attrs.sort.dimension + type->shape.rank
                                               : op->attrs.sort.dimension;
    return type->shape.rank && op->operand_count <= SORT_RADIX_MAX_OPERANDS &&
           type->shape.dims[dim] >= MIN_LENGTH && type->shape.dims[dim] < INT32_MAX &&
           sort_key_find(op, &key);
}

/* ---- digits --------------------------------------------------------------------------------- */
static LLVMValueRef at(struct emitter *e, LLVMTypeRef type, LLVMValueRef base, LLVMValueRef i)
{
    return LLVMBuildGEP2(e->builder, type, base, &i, 1, "");
}

/* The address of the count of a key's digit. */
static LLVMValueRef bucket(struct radix *r, LLVMValueRef key, LLVMValueRef digit)
{
    LLVMBuilderRef b = r->e->builder;
    LLVMValueRef one = emitter_i64(r->e, 1);
    LLVMValueRef wide = r->key.bytes < 8 ? LLVMBuildZExt(b, key, r->e->i64, "") : key;
    LLVMValueRef from = LLVMBuildLShr(b, wide, LLVMBuildMul(b, digit, r->bits, ""), "");
    LLVMValueRef mask = LLVMBuildSub(b, LLVMBuildShl(b, one, r->bits, ""), one, "");
    LLVMValueRef column = LLVMBuildAnd(b, from, mask, "");
    LLVMValueRef row = LLVMBuildShl(b, digit, r->bits, "");
    return at(r->e, r->e->i32, r->counts, LLVMBuildAdd(b, row, column, ""));
}

LLVMValueRef sort_radix_count(struct emitter *e, LLVMValueRef slot)
{
    LLVMValueRef count = LLVMBuildLoad2(e->builder, e->i32, slot, "");
    LLVMBuildStore(e->builder, LLVMBuildAdd(e->builder, count, emitter_i32(e, 1), ""), slot);
    return count;
}

struct error *sort_radix_key(struct radix *r, const struct element *elements, LLVMValueRef *bits)
{
    struct element arguments[2 * SORT_RADIX_MAX_OPERANDS], key;
    for (int i = 0; i < r->s->count; i++)
        arguments[2 * i] = arguments[2 * i + 1] = elements[i];
    TRY(expression_in_body(r->e, r->s->op->regions[0], arguments, 1, &r->key.value, &key));
    *bits = sort_key_bits(r->e, &r->key, key.part[0]);
    return NULL;
}

/* A loop over the elements of the range. */
static struct loop *each(struct radix *r)
{
    struct emitter *e = r->e;
    return emitter_loop_begin(e, emitter_i64(e, 0), r->length, 1, 0, r->s->length - 1, 0, NULL);
}

static void count_digit(struct radix *r, LLVMValueRef key, int digit)
{
    struct emitter *e = r->e;
    LLVMValueRef number = emitter_i64(e, digit);
    LLVMValueRef exists = LLVMBuildICmp(e->builder, LLVMIntSLT, number, r->digits, "");
    struct branch *branch = emitter_branch_begin(e, exists);
    sort_radix_count(e, bucket(r, key, number));
    emitter_branch_end(e, branch, 0, NULL, NULL);
}

/* Counts all digits. The elements are the operands', which are copied to `to`, or those in `from`
 * if `to` is negative. */
static struct error *count_digits(struct radix *r, int to, LLVMValueRef const *from)
{
    struct emitter *e = r->e;
    struct element elements[SORT_RADIX_MAX_OPERANDS];
    LLVMValueRef bits, size = LLVMBuildMul(e->builder, r->digits, emitter_i64(e, 4), "");
    size = LLVMBuildShl(e->builder, size, r->bits, "");
    LLVMBuildMemSet(e->builder, r->counts, LLVMConstNull(e->i8), size, 64);
    struct loop *loop = each(r);
    struct affine position = affine_var(loop->var);
    if (to >= 0)
        TRY(sort_row_copy(r->s, to, &position, elements));
    else
        sort_row_load(r->s, from, &position, elements);
    TRY(sort_radix_key(r, elements, &bits));
    for (int digit = 0; digit < r->max_digits; digit++)
        count_digit(r, bits, digit);
    emitter_loop_end(e, loop, NULL);
    return NULL;
}

void sort_radix_sums(struct emitter *e, LLVMValueRef counts, LLVMValueRef number, int64_t most)
{
    LLVMValueRef zero = emitter_i32(e, 0);
    struct loop *loop = emitter_loop_begin(e, emitter_i64(e, 0), number, 1, 0, most - 1, 1, &zero);
    LLVMValueRef slot = at(e, e->i32, counts, loop->i);
    LLVMValueRef count = LLVMBuildLoad2(e->builder, e->i32, slot, "");
    LLVMBuildStore(e->builder, loop->carried[0], slot);
    LLVMValueRef next = LLVMBuildAdd(e->builder, loop->carried[0], count, "");
    emitter_loop_end(e, loop, &next);
}

struct error *sort_radix_key_at(struct radix *r, LLVMValueRef const *arrays,
                                const struct affine *position, LLVMValueRef *bits)
{
    struct element elements[SORT_RADIX_MAX_OPERANDS];
    sort_row_load(r->s, arrays, position, elements);
    return sort_radix_key(r, elements, bits);
}

/* Moves every element from one set of arrays to its position in the other. */
static struct error *move(struct radix *r, LLVMValueRef digit, LLVMValueRef const *from,
                          LLVMValueRef const *to)
{
    struct emitter *e = r->e;
    LLVMValueRef key;
    struct loop *loop = each(r);
    struct affine at_begin = affine_var(loop->var);
    TRY(sort_radix_key_at(r, from, &at_begin, &key));
    LLVMValueRef position = sort_radix_count(e, bucket(r, key, digit));
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

/* Sorts by all digits, between two sets of arrays. Skips a digit in which all keys agree. On
 * return, `arrays` are the ones that hold the sorted elements. */
static struct error *move_all(struct radix *r, LLVMValueRef const *begin, LLVMValueRef const *other,
                              LLVMValueRef *arrays)
{
    struct emitter *e = r->e;
    LLVMBuilderRef b = e->builder;
    int sets = r->s->count;
    LLVMValueRef carried[2 * SORT_RADIX_MAX_OPERANDS], next[2 * SORT_RADIX_MAX_OPERANDS], first;
    for (int i = 0; i < sets; i++)
        carried[i] = begin[i], carried[sets + i] = other[i];
    struct loop *loop = emitter_loop_begin(e, emitter_i64(e, 0), r->digits, 1, 0, r->max_digits - 1,
                                           2 * sets, carried);
    LLVMValueRef *from = loop->carried, *to = loop->carried + sets;
    struct affine zero = affine_constant(0);
    TRY(sort_radix_key_at(r, from, &zero, &first));
    LLVMValueRef alike = LLVMBuildLoad2(b, e->i32, bucket(r, first, loop->i), "");
    alike = LLVMBuildZExt(b, alike, e->i64, "");
    LLVMValueRef differ = LLVMBuildICmp(b, LLVMIntNE, alike, r->length, "");
    struct branch *branch = emitter_branch_begin(e, differ);
    LLVMValueRef base = LLVMBuildShl(b, loop->i, r->bits, "");
    LLVMValueRef number = LLVMBuildShl(b, emitter_i64(e, 1), r->bits, "");
    sort_radix_sums(e, at(e, e->i32, r->counts, base), number, 1LL << r->max_bits);
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

void sort_radix_copy(struct radix *r, LLVMValueRef const *from, LLVMValueRef const *to)
{
    struct emitter *e = r->e;
    for (int i = 0; i < r->s->count; i++) {
        int64_t bytes = dtype_bytes(r->s->op->operands[i]->type->shape.dtype);
        LLVMValueRef size = LLVMBuildMul(e->builder, r->length, emitter_i64(e, bytes), "");
        LLVMBuildMemCpy(e->builder, to[i], 1, from[i], 1, size);
    }
}

/* If an odd number of digits was skipped, the elements are in the other arrays: copies them
 * back. */
static void copy_back(struct radix *r, LLVMValueRef const *sorted, LLVMValueRef const *to)
{
    LLVMValueRef elsewhere = LLVMBuildICmp(r->e->builder, LLVMIntNE, sorted[0], to[0], "");
    struct branch *branch = emitter_branch_begin(r->e, elsewhere);
    sort_radix_copy(r, sorted, to);
    emitter_branch_end(r->e, branch, 0, NULL, NULL);
}

/* ---- rows and parts of rows ----------------------------------------------------------------- */
void sort_radix_begin(struct radix *r, struct sort_row *s, int long_bits)
{
    *r = (struct radix){.s = s, .e = s->e, .length = emitter_i64(s->e, s->length)};
    sort_key_find(s->op, &r->key);
    r->max_bits = s->length < SORT_RADIX_MIN_LONG || r->key.bytes < 4 ? 8 : long_bits;
    if (r->key.bytes == 8 && r->max_bits > 11)
        r->max_bits = 11; /* more would not save a digit, but need larger tables */
    r->max_digits = (r->key.bytes * 8 + r->max_bits - 1) / r->max_bits;
    LLVMTypeRef table = LLVMArrayType2(s->e->i32, (uint64_t)r->max_digits << r->max_bits);
    r->counts = emitter_alloca(s->e, table, 64);
    r->bits = emitter_i64(s->e, r->max_bits);
    r->digits = emitter_i64(s->e, r->max_digits);
}

struct error *sort_radix_range(struct radix *r, LLVMValueRef const *arrays,
                               LLVMValueRef const *other)
{
    LLVMValueRef sorted[SORT_RADIX_MAX_OPERANDS];
    TRY(count_digits(r, -1, arrays));
    TRY(move_all(r, arrays, other, sorted));
    copy_back(r, sorted, arrays);
    return NULL;
}

struct error *sort_radix_row(struct sort_row *s)
{
    struct radix r;
    LLVMValueRef sorted[SORT_RADIX_MAX_OPERANDS];
    sort_radix_begin(&r, s, 11);
    int begin = r.max_digits & 1;
    TRY(count_digits(&r, begin, NULL));
    TRY(move_all(&r, s->arrays[begin], s->arrays[!begin], sorted));
    copy_back(&r, sorted, s->arrays[0]);
    return NULL;
}
