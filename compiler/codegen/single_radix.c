/* single_radix.c: least significant digit first, digits of 8 bits, or of 11 where rows are long
 * enough to pay for the larger tables. One pass over the row computes the keys and counts the
 * digits of each place; then for every place in which keys differ, elements move to where the
 * counts say. */
#include "compiler/codegen/single_radix.h"

#include <string.h>

#include "compiler/codegen/elementwise.h"

enum { MOST_OPERANDS = 4, SHORTEST = 64, LONG = 32768 };

struct key {
    struct value *value; /* in the comparator, of the left side's arguments */
    const struct attrs_compare *by;
    enum dtype dtype;
    int bytes;
};

/* ---- finding the key ------------------------------------------------------------------------- */
/* Whether `b` is the same expression of the odd arguments that `a` is of the even ones. */
static bool mirrors(const struct block *body, const struct value *a, const struct value *b,
                    int depth)
{
    const struct op *x = a->def, *y = b->def;
    if (!x && !y && a->block == body && b->block == body)
        return a->index % 2 == 0 && b->index == a->index + 1;
    if (!x || !y || x->code != y->code || x->block != body || y->block != body)
        return a == b && (x ? x->block : a->block) != body; /* captured from outside */
    if (x->code == OP_constant)
        return literal_equal(x->attrs.constant.value, y->attrs.constant.value);
    bool same = depth < 16 && x->operand_count == y->operand_count && a->index == b->index &&
                !x->region_count && op_info(x->code)->traits & OP_ELEMENTWISE &&
                !memcmp(&x->attrs, &y->attrs, sizeof x->attrs);
    for (int i = 0; same && i < x->operand_count; i++)
        same = mirrors(body, x->operands[i], y->operands[i], depth + 1);
    return same;
}

static bool find_key(const struct op *sort, struct key *key)
{
    const struct block *body = sort->regions[0];
    const struct op *compare = body->last->operands[0]->def;
    if (!compare || compare->block != body || compare->code != OP_compare)
        return false;
    enum comparison direction = compare->attrs.compare.comparison_direction;
    key->value = compare->operands[0];
    key->by = &compare->attrs.compare;
    key->dtype = key->value->type->dtype;
    key->bytes = element_is_small_float(key->dtype) ? 4 : dtype_bytes(key->dtype);
    return (direction == COMPARE_LT || direction == COMPARE_GT) && !dtype_is_complex(key->dtype) &&
           mirrors(body, compare->operands[0], compare->operands[1], 0);
}

bool single_radix_serves(const struct op *op)
{
    struct key key;
    const struct type *type = op->operands[0]->type;
    int64_t dim = op->attrs.sort.dimension < 0 ? op->attrs.sort.dimension + type->rank
                                               : op->attrs.sort.dimension;
    return type->rank && op->operand_count <= MOST_OPERANDS && type->dims[dim] >= SHORTEST &&
           type->dims[dim] < INT32_MAX && find_key(op, &key);
}

uint64_t single_radix_scratch(const struct op *op)
{
    struct key key;
    if (!single_radix_serves(op) || !find_key(op, &key))
        return 0;
    uint64_t bytes = (uint64_t)type_elements(op->operands[0]->type) * (uint64_t)key.bytes;
    return 2 * ((bytes + 63) & ~(uint64_t)63);
}

/* ---- keys ------------------------------------------------------------------------------------ */
/* Bits whose unsigned order is the floats' total order: negative numbers are turned round. Where
 * the comparator does not tell zeros apart, neither does the key. */
static LLVMValueRef float_bits(struct emitter *e, const struct key *key, LLVMValueRef value)
{
    LLVMBuilderRef b = e->builder;
    LLVMTypeRef type = key->bytes == 8 ? e->i64 : e->i32;
    if (key->by->compare_type != COMPARE_TOTALORDER)
        value = LLVMBuildFAdd(b, value, LLVMConstNull(LLVMTypeOf(value)), "");
    LLVMValueRef bits = LLVMBuildBitCast(b, value, type, "");
    LLVMValueRef turned =
        LLVMBuildAShr(b, bits, LLVMConstInt(type, (unsigned)key->bytes * 8 - 1, false), "");
    LLVMValueRef sign = LLVMConstInt(type, 1ULL << (key->bytes * 8 - 1), false);
    return LLVMBuildXor(b, bits, LLVMBuildOr(b, turned, sign, ""), "");
}

static LLVMValueRef key_bits(struct emitter *e, const struct key *key, LLVMValueRef value)
{
    LLVMBuilderRef b = e->builder;
    LLVMTypeRef type = LLVMIntTypeInContext(e->context, (unsigned)key->bytes * 8);
    LLVMValueRef bits;
    if (dtype_is_float(key->dtype))
        bits = float_bits(e, key, value);
    else if (key->dtype == DTYPE_PRED)
        bits = LLVMBuildZExt(b, value, type, "");
    else
        bits = element_is_signed(key->dtype)
                   ? LLVMBuildXor(b, value, LLVMConstInt(type, 1ULL << (key->bytes * 8 - 1), false),
                                  "")
                   : value;
    return key->by->comparison_direction == COMPARE_GT ? LLVMBuildNot(b, bits, "") : bits;
}

/* ---- one row --------------------------------------------------------------------------------- */
struct radix {
    struct sort *s;
    struct emitter *e;
    struct key key;
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
    uint64_t offset = 0, bytes = single_radix_scratch(r->s->op) / 2;
    for (int i = 0; i < r->s->count; i++)
        offset += 2 * single_sort_array_bytes(r->s->op, i);
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
    struct index index = single_sort_index(s, &position);
    for (int i = 0; i < s->count; i++) {
        TRY(expression_emit(e, s->op->operands[i], &index, &elements[i]));
        element_store(e, s->arrays[0][i], s->op->operands[i]->type->dtype, &position, &elements[i],
                      false);
        arguments[2 * i] = arguments[2 * i + 1] = elements[i];
    }
    TRY(expression_in_body(e, s->op->regions[0], arguments, 1, &r->key.value, &key));
    LLVMValueRef bits = key_bits(e, &r->key, key.part[0]);
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
        unsigned bits = (unsigned)dtype_bytes(r->s->op->operands[i]->type->dtype) * 8;
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

struct error *single_radix_row(struct sort *s)
{
    struct radix r = {.s = s, .e = s->e};
    LLVMValueRef sorted[MOST_OPERANDS];
    find_key(s->op, &r.key);
    r.key_type = LLVMIntTypeInContext(s->e->context, (unsigned)r.key.bytes * 8);
    r.digit = s->length >= LONG && r.key.bytes >= 4 ? 11 : 8;
    r.places = (r.key.bytes * 8 + r.digit - 1) / r.digit;
    LLVMTypeRef table = LLVMArrayType2(s->e->i32, (uint64_t)r.places << r.digit);
    r.counts = emitter_alloca(s->e, table, 64);
    find_keys(&r);
    TRY(copy_and_count(&r));
    move_all(&r, sorted);
    single_sort_copy_out(s, sorted);
    return NULL;
}
