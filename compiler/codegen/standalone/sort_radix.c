/* sort_radix.c: least significant digit first, digits of 8 bits, or of 11 where rows are long
 * enough to pay for the larger tables. One pass over the row computes the keys and counts the
 * digits of each place; then for every place in which keys differ, elements move to where the
 * counts say. */
#include "compiler/codegen/standalone/sort_radix.h"

#include <string.h>

#include "compiler/codegen/standalone/sort_key.h"

enum { MOST_OPERANDS = 4, SHORTEST = 64, LONG = 32768 };

bool sort_radix_supports(const struct op *op)
{
    struct sort_key key;
    const struct type *type = op->operands[0]->type;
    int64_t dim = op->attrs.sort.dimension < 0 ? op->attrs.sort.dimension + type->shape.rank
                                               : op->attrs.sort.dimension;
    return type->shape.rank && op->operand_count <= MOST_OPERANDS &&
           type->shape.dims[dim] >= SHORTEST && type->shape.dims[dim] < INT32_MAX &&
           sort_key_find(op, &key);
}

uint64_t sort_radix_scratch(const struct op *op)
{
    struct sort_key key;
    if (!sort_radix_supports(op) || !sort_key_find(op, &key))
        return 0;
    uint64_t bytes = (uint64_t)type_elements(op->operands[0]->type) * (uint64_t)key.bytes;
    return 2 * ((bytes + 63) & ~(uint64_t)63);
}

/* ---- one row -------------------------------------------------------------------------------- */
struct radix {
    struct sort *s;
    struct emitter *e;
    struct sort_key key;
    LLVMTypeRef key_type;
    LLVMValueRef keys[2]; /* of this row */
    int digit, places;    /* bits of a digit, digits of a key */
    LLVMValueRef counts;  /* i32 [places][1 << digit] */
};

static LLVMValueRef at(struct emitter *e, LLVMTypeRef type, LLVMValueRef base, LLVMValueRef i)
{
    return LLVMBuildGEP2(e->builder, type, base, &i, 1, "");
}

static void find_keys(struct radix *r)
{
    struct emitter *e = r->e;
    uint64_t offset = 0, bytes = sort_radix_scratch(r->s->op) / 2;
    for (int i = 0; i < r->s->count; i++)
        offset += 2 * sort_array_bytes(r->s->op, i);
    LLVMValueRef row = affine_scalar(e, &r->s->row);
    LLVMValueRef within =
        LLVMBuildMul(e->builder, row, emitter_i64(e, r->s->length * r->key.bytes), "");
    for (int side = 0; side < 2; side++) {
        LLVMValueRef start = emitter_i64(e, (int64_t)(offset + (uint64_t)side * bytes));
        start = LLVMBuildAdd(e->builder, within, start, "");
        r->keys[side] = at(e, e->i8, kernel_scratch(r->s->k), start);
    }
}

/* Where a key's digit is counted. */
static LLVMValueRef bucket(struct radix *r, LLVMValueRef key, LLVMValueRef place)
{
    LLVMBuilderRef b = r->e->builder;
    LLVMTypeRef i64 = r->e->i64;
    LLVMValueRef wide = r->key.bytes < 8 ? LLVMBuildZExt(b, key, i64, "") : key;
    LLVMValueRef by = LLVMBuildMul(b, place, LLVMConstInt(i64, (unsigned)r->digit, false), "");
    LLVMValueRef ones = LLVMConstInt(i64, (1ULL << r->digit) - 1, false);
    LLVMValueRef digit = LLVMBuildAnd(b, LLVMBuildLShr(b, wide, by, ""), ones, "");
    LLVMValueRef row = LLVMBuildShl(b, place, LLVMConstInt(i64, (unsigned)r->digit, false), "");
    return at(r->e, r->e->i32, r->counts, LLVMBuildAdd(b, row, digit, ""));
}

/* Reads a count and leaves `by` more there. */
static LLVMValueRef count_up(struct radix *r, LLVMValueRef slot, LLVMValueRef by)
{
    LLVMBuilderRef b = r->e->builder;
    LLVMValueRef count = LLVMBuildLoad2(b, r->e->i32, slot, "");
    LLVMBuildStore(b, LLVMBuildAdd(b, count, by, ""), slot);
    return count;
}

/* Copies the row into the first arrays, with keys, and counts all digits. */
static struct error *copy_and_count(struct radix *r)
{
    struct emitter *e = r->e;
    struct sort *s = r->s;
    struct element elements[MOST_OPERANDS], arguments[2 * MOST_OPERANDS], key;
    LLVMValueRef size = emitter_i64(e, (int64_t)r->places * 4 << r->digit);
    LLVMBuildMemSet(e->builder, r->counts, LLVMConstNull(e->i8), size, 64);
    struct loop *loop = emitter_loop_begin(e, emitter_i64(e, 0), emitter_i64(e, s->length), 1, 0,
                                           s->length - 1, 0, NULL);
    struct affine position = affine_var(loop->var);
    struct index index = sort_index(s, &position);
    for (int i = 0; i < s->count; i++) {
        TRY(expression_emit(e, s->op->operands[i], &index, &elements[i]));
        element_store(e, s->arrays[0][i], s->op->operands[i]->type->shape.dtype, &position,
                      &elements[i], false);
        arguments[2 * i] = arguments[2 * i + 1] = elements[i];
    }
    TRY(expression_in_body(e, s->op->regions[0], arguments, 1, &r->key.value, &key));
    LLVMValueRef bits = sort_key_bits(e, &r->key, key.part[0]);
    LLVMBuildStore(e->builder, bits, at(e, r->key_type, r->keys[0], loop->i));
    for (int place = 0; place < r->places; place++)
        count_up(r, bucket(r, bits, emitter_i64(e, place)), emitter_i32(e, 1));
    emitter_loop_end(e, loop, NULL);
    return NULL;
}

/* Counts of one place become the positions where their elements start. */
static void sum_counts(struct radix *r, LLVMValueRef place)
{
    struct emitter *e = r->e;
    LLVMValueRef zero = emitter_i32(e, 0),
                 base = LLVMBuildShl(e->builder, place, emitter_i64(e, r->digit), "");
    struct loop *loop = emitter_loop_begin(e, emitter_i64(e, 0), emitter_i64(e, 1LL << r->digit), 1,
                                           0, (1LL << r->digit) - 1, 1, &zero);
    LLVMValueRef slot = at(e, e->i32, r->counts, LLVMBuildAdd(e->builder, base, loop->i, ""));
    LLVMValueRef count = LLVMBuildLoad2(e->builder, e->i32, slot, "");
    LLVMBuildStore(e->builder, loop->carried[0], slot);
    LLVMValueRef next = LLVMBuildAdd(e->builder, loop->carried[0], count, "");
    emitter_loop_end(e, loop, &next);
}

/* Moves every element from one set of arrays (key first) to its position in the other. */
static void move(struct radix *r, LLVMValueRef place, LLVMValueRef const *from,
                 LLVMValueRef const *to)
{
    struct emitter *e = r->e;
    int64_t length = r->s->length;
    struct loop *loop =
        emitter_loop_begin(e, emitter_i64(e, 0), emitter_i64(e, length), 1, 0, length - 1, 0, NULL);
    LLVMValueRef key =
        LLVMBuildLoad2(e->builder, r->key_type, at(e, r->key_type, from[0], loop->i), "");
    LLVMValueRef position = count_up(r, bucket(r, key, place), emitter_i32(e, 1));
    position = LLVMBuildZExt(e->builder, position, e->i64, "");
    LLVMBuildStore(e->builder, key, at(e, r->key_type, to[0], position));
    for (int i = 0; i < r->s->count; i++) {
        unsigned bits = (unsigned)dtype_bytes(r->s->op->operands[i]->type->shape.dtype) * 8;
        LLVMTypeRef type = LLVMIntTypeInContext(e->context, bits);
        LLVMValueRef value =
            LLVMBuildLoad2(e->builder, type, at(e, type, from[i + 1], loop->i), "");
        LLVMValueRef store = LLVMBuildStore(e->builder, value, at(e, type, to[i + 1], position));
        LLVMSetAlignment(value, bits > 64 ? 8 : bits / 8);
        LLVMSetAlignment(store, bits > 64 ? 8 : bits / 8);
    }
    emitter_loop_end(e, loop, NULL);
}

/* All places; where all keys agree nothing moves. `arrays` are first and then hold the sorted
 * ones. */
static void move_all(struct radix *r, LLVMValueRef *arrays)
{
    struct emitter *e = r->e;
    LLVMBuilderRef b = e->builder;
    int sets = r->s->count + 1;
    LLVMValueRef carried[2 * (MOST_OPERANDS + 1)], next[2 * (MOST_OPERANDS + 1)];
    for (int side = 0; side < 2; side++)
        for (int i = 0; i < sets; i++)
            carried[side * sets + i] = i ? r->s->arrays[side][i - 1] : r->keys[side];
    struct loop *loop = emitter_loop_begin(e, emitter_i64(e, 0), emitter_i64(e, r->places), 1, 0,
                                           r->places - 1, 2 * sets, carried);
    LLVMValueRef *from = loop->carried, *to = loop->carried + sets;
    LLVMValueRef first = LLVMBuildLoad2(b, r->key_type, from[0], "");
    LLVMValueRef alike = LLVMBuildLoad2(b, e->i32, bucket(r, first, loop->i), "");
    LLVMValueRef differ = LLVMBuildICmp(b, LLVMIntNE, alike, emitter_i32(e, r->s->length), "");
    struct branch *branch = emitter_branch_begin(e, differ);
    sum_counts(r, loop->i);
    move(r, loop->i, from, to);
    emitter_branch_end(e, branch, 0, NULL, NULL);
    for (int i = 0; i < sets; i++) {
        next[i] = LLVMBuildSelect(b, differ, to[i], from[i], "");
        next[sets + i] = LLVMBuildSelect(b, differ, from[i], to[i], "");
    }
    emitter_loop_end(e, loop, next);
    memcpy(arrays, next + 1, (size_t)r->s->count * sizeof *arrays);
}

struct error *sort_radix_row(struct sort *s)
{
    struct radix r = {.s = s, .e = s->e};
    LLVMValueRef sorted[MOST_OPERANDS];
    sort_key_find(s->op, &r.key);
    r.key_type = LLVMIntTypeInContext(s->e->context, (unsigned)r.key.bytes * 8);
    r.digit = s->length >= LONG && r.key.bytes >= 4 ? 11 : 8;
    r.places = (r.key.bytes * 8 + r.digit - 1) / r.digit;
    LLVMTypeRef table = LLVMArrayType2(s->e->i32, (uint64_t)r.places << r.digit);
    r.counts = emitter_alloca(s->e, table, 64);
    find_keys(&r);
    TRY(copy_and_count(&r));
    move_all(&r, sorted);
    sort_copy_out(s, sorted);
    return NULL;
}
