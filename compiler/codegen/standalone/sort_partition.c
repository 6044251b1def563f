/* sort_partition.c: most significant digit first, once:
 *
 *   the bits in which any keys differ; the digit is the first 8 of them, or 11
 *   if a bucket of equal digits is longer than the second arrays:
 *       the digit is the first bits of that bucket's range; keys outside are in the outer buckets
 *   buckets, from the operands to the first arrays
 *   for groups of adjacent buckets, as many as have at most MAX_GROUP elements, or a single one:
 *       least significant digit first (sort_radix.c), between the first and the second arrays
 *
 * The second arrays are a third as long as the row. If a bucket is longer nevertheless, it is
 * sorted in parts, and the parts are merged. Groups of buckets fit into a core's caches, which
 * makes up for the additional pass. */
#include "compiler/codegen/standalone/sort_partition.h"

#include "compiler/codegen/standalone/sort_radix.h"

enum {
    MIN_LENGTH = 1 << 18, /* elements; shorter rows fit into the caches */
    MAX_BITS = 11,
    MAX_BUCKETS = (1 << MAX_BITS) + 2,
    RADIX_BITS = 12, /* of the digits by which groups are sorted */
    MAX_GROUP = 32768,
    MAX_SHORT_GROUP = 6144, /* after a short first digit */
    MAX_SMALL_GROUP = 2048,
    SHARE = 3,
    MAX_ATTEMPTS = 3 /* at a digit */
};

/* The digit of a key is (key - base) >> shift, at least 0 and at most buckets - 1. */
struct partition {
    struct radix r;
    struct sort_row *s;
    struct emitter *e;
    LLVMValueRef bits;        /* i64: of the digit, at most MAX_BITS */
    LLVMValueRef buckets;     /* i64: all values of the digit and the two outer buckets */
    LLVMValueRef counts;      /* i32 [MAX_BUCKETS + 1]; at last the buckets' ends */
    LLVMValueRef base, shift; /* i64 */
};

bool sort_partition_supports(const struct op *op)
{
    const struct type *type = op->operands[0]->type;
    int64_t dim = op->attrs.sort.dimension;
    return sort_radix_supports(op) && (dim < 0 || dim == type->shape.rank - 1) && (dim >= -1) &&
           type->shape.dims[type->shape.rank - 1] >= MIN_LENGTH;
}

int64_t sort_partition_capacity(int64_t length)
{
    return (length + SHARE - 1) / SHARE;
}

static bool has_long_digit(const struct partition *p)
{
    return p->r.key.bytes == 8 || dtype_is_float(p->r.key.dtype);
}

/* ---- partitioning --------------------------------------------------------------------------- */
static LLVMValueRef slot(struct partition *p, LLVMValueRef bucket)
{
    return LLVMBuildGEP2(p->e->builder, p->e->i32, p->counts, &bucket, 1, "");
}

static LLVMValueRef widen(struct partition *p, LLVMValueRef key)
{
    return p->r.key.bytes < 8 ? LLVMBuildZExt(p->e->builder, key, p->e->i64, "") : key;
}

static LLVMValueRef last_bucket(struct partition *p)
{
    return LLVMBuildSub(p->e->builder, p->buckets, emitter_i64(p->e, 1), "");
}

static LLVMValueRef digit_of(struct partition *p, LLVMValueRef key)
{
    LLVMValueRef above = emitter_binary(p->e, "llvm.usub.sat", widen(p, key), p->base);
    LLVMValueRef digit = LLVMBuildLShr(p->e->builder, above, p->shift, "");
    return emitter_binary(p->e, "llvm.umin", digit, last_bucket(p));
}

/* The number of bits up to the highest one that is set. */
static LLVMValueRef bits_of(struct partition *p, LLVMValueRef value)
{
    LLVMValueRef arguments[] = {value, LLVMConstInt(p->e->i1, 0, false)};
    LLVMValueRef zeros = emitter_intrinsic(p->e, "llvm.ctlz", 1, &p->e->i64, 2, arguments);
    return LLVMBuildSub(p->e->builder, emitter_i64(p->e, 64), zeros, "");
}

static struct loop *each(struct partition *p, int count, LLVMValueRef *carried)
{
    return emitter_loop_begin(p->e, emitter_i64(p->e, 0), emitter_i64(p->e, p->s->length), 1, 0,
                              p->s->length - 1, count, carried);
}

/* The operands' elements at the position of a loop, and their key. */
static struct error *operands_at(struct partition *p, const struct loop *loop,
                                 struct element *elements, LLVMValueRef *key)
{
    struct affine position = affine_var(loop->var);
    TRY(sort_row_operands(p->s, &position, elements));
    return sort_radix_key(&p->r, elements, key);
}

/* A loop over vectors of the row, the last of which overlaps the one before. */
static struct loop *each_vector(struct partition *p, int lanes, LLVMValueRef *carried,
                                struct affine *first)
{
    struct emitter *e = p->e;
    int64_t vectors = (p->s->length + lanes - 1) / lanes, last = p->s->length - lanes;
    struct loop *loop = emitter_loop_begin(e, emitter_i64(e, 0), emitter_i64(e, vectors), 1, 0,
                                           vectors - 1, 2, carried);
    LLVMValueRef at = LLVMBuildMul(e->builder, loop->i, emitter_i64(e, lanes), "");
    at = emitter_binary(e, "llvm.smin", at, emitter_i64(e, last));
    *first = affine_var(emitter_var(e, at, 1, 0, last, e->scope->depth));
    return loop;
}

/* The bits that are set in any key, and those that are set in all. */
static struct error *common_bits(struct partition *p, LLVMValueRef *bits)
{
    struct emitter *e = p->e;
    LLVMBuilderRef b = e->builder;
    struct element elements[SORT_RADIX_MAX_OPERANDS];
    struct affine first;
    int lanes = e->target->vector_bytes / p->r.key.bytes;
    LLVMTypeRef type = LLVMIntTypeInContext(e->context, (unsigned)p->r.key.bytes * 8);
    LLVMTypeRef vector = emitter_vector(type, lanes);
    LLVMValueRef seen[] = {LLVMConstNull(vector), LLVMConstAllOnes(vector)}, key;
    struct loop *loop = each_vector(p, lanes, seen, &first);
    struct lanes back = emitter_lanes(e, lanes);
    struct affine lane = affine_var(e->lane_var), position = affine_add(e, &first, &lane);
    TRY(sort_row_operands(p->s, &position, elements));
    TRY(sort_radix_key(&p->r, elements, &key));
    emitter_lanes_restore(e, back);
    seen[0] = LLVMBuildOr(b, loop->carried[0], key, "");
    seen[1] = LLVMBuildAnd(b, loop->carried[1], key, "");
    emitter_loop_end(e, loop, seen);
    bits[0] = emitter_intrinsic(e, "llvm.vector.reduce.or", 1, &vector, 1, &seen[0]);
    bits[1] = emitter_intrinsic(e, "llvm.vector.reduce.and", 1, &vector, 1, &seen[1]);
    return NULL;
}

/* With a digit of 8 bits keys of 32 bits need two more digits of 12. It has 11 if these are all the
 * bits that differ; and for floats, most of whose first bits are a few exponents. */
static void choose_width(struct partition *p, LLVMValueRef differing)
{
    struct emitter *e = p->e;
    LLVMBuilderRef b = e->builder;
    LLVMValueRef few = LLVMBuildICmp(b, LLVMIntULE, differing, emitter_i64(e, MAX_BITS), "");
    int64_t bits = has_long_digit(p) ? MAX_BITS : 8;
    p->bits = LLVMBuildSelect(b, few, emitter_i64(e, MAX_BITS), emitter_i64(e, bits), "");
    LLVMValueRef values = LLVMBuildShl(b, emitter_i64(e, 1), p->bits, "");
    p->buckets = LLVMBuildAdd(b, values, emitter_i64(e, 2), "");
}

/* The first digit: all keys agree in the bits above it. */
static struct error *first_digit(struct partition *p)
{
    struct emitter *e = p->e;
    LLVMBuilderRef b = e->builder;
    LLVMValueRef bits[2];
    TRY(common_bits(p, bits));
    LLVMValueRef differing = bits_of(p, widen(p, LLVMBuildXor(b, bits[0], bits[1], "")));
    choose_width(p, differing);
    LLVMValueRef digit = p->bits, below = LLVMBuildSub(b, differing, digit, "");
    p->shift = emitter_binary(e, "llvm.smax", below, emitter_i64(e, 0));
    p->base = LLVMBuildLShr(b, LLVMBuildLShr(b, widen(p, bits[1]), p->shift, ""), digit, "");
    p->base = LLVMBuildShl(b, LLVMBuildShl(b, p->base, digit, ""), p->shift, "");
    return NULL;
}

static struct error *count_buckets(struct partition *p)
{
    struct element elements[SORT_RADIX_MAX_OPERANDS];
    LLVMValueRef key, size = LLVMBuildShl(p->e->builder, p->buckets, emitter_i64(p->e, 2), "");
    LLVMBuildMemSet(p->e->builder, p->counts, LLVMConstNull(p->e->i8), size, 64);
    struct loop *loop = each(p, 0, NULL);
    TRY(operands_at(p, loop, elements, &key));
    sort_radix_count(p->e, slot(p, digit_of(p, key)));
    emitter_loop_end(p->e, loop, NULL);
    return NULL;
}

/* The longest bucket: its number (i64) and length (i32). */
static void longest_bucket(struct partition *p, LLVMValueRef *longest)
{
    struct emitter *e = p->e;
    LLVMBuilderRef b = e->builder;
    longest[0] = emitter_i64(e, 0);
    longest[1] = emitter_i32(e, 0);
    struct loop *loop =
        emitter_loop_begin(e, emitter_i64(e, 0), p->buckets, 1, 0, MAX_BUCKETS - 1, 2, longest);
    LLVMValueRef count = LLVMBuildLoad2(b, e->i32, slot(p, loop->i), "");
    LLVMValueRef longer = LLVMBuildICmp(b, LLVMIntUGT, count, loop->carried[1], "");
    longest[0] = LLVMBuildSelect(b, longer, loop->i, loop->carried[0], "");
    longest[1] = LLVMBuildSelect(b, longer, count, loop->carried[1], "");
    emitter_loop_end(e, loop, longest);
}

/* Counts the buckets. If one is too long, next[0] and next[1] are the base and shift of the digit
 * that divides it, with a bucket on each side for all other keys, and next[2] is true. */
static struct error *try_digit(struct partition *p, LLVMValueRef *next)
{
    struct emitter *e = p->e;
    LLVMBuilderRef b = e->builder;
    LLVMValueRef longest[2], one = emitter_i64(e, 1), zero = emitter_i64(e, 0);
    TRY(count_buckets(p));
    longest_bucket(p, longest);
    LLVMValueRef most = emitter_i32(e, sort_partition_capacity(p->s->length));
    LLVMValueRef bits = LLVMBuildSub(b, p->shift, p->bits, "");
    LLVMValueRef start = LLVMBuildShl(b, longest[0], p->shift, "");
    start = LLVMBuildAdd(b, p->base, start, "");
    next[1] = emitter_binary(e, "llvm.smax", bits, zero);
    next[0] = emitter_binary(e, "llvm.usub.sat", start, LLVMBuildShl(b, one, next[1], ""));
    next[2] = LLVMBuildAnd(b, LLVMBuildICmp(b, LLVMIntUGT, longest[1], most, ""),
                           LLVMBuildICmp(b, LLVMIntNE, p->shift, zero, ""), "");
    return NULL;
}

static struct error *choose_digit(struct partition *p)
{
    struct emitter *e = p->e;
    LLVMValueRef carried[] = {p->base, p->shift, LLVMConstInt(e->i1, 1, false)}, next[3];
    struct loop *loop = emitter_loop_begin(e, emitter_i64(e, 0), emitter_i64(e, MAX_ATTEMPTS), 1, 0,
                                           MAX_ATTEMPTS - 1, 3, carried);
    p->base = loop->carried[0], p->shift = loop->carried[1];
    struct branch *branch = emitter_branch_begin(e, loop->carried[2]);
    TRY(try_digit(p, next));
    LLVMValueRef last =
        LLVMBuildICmp(e->builder, LLVMIntEQ, loop->i, emitter_i64(e, MAX_ATTEMPTS - 1), "");
    next[2] = LLVMBuildAnd(e->builder, next[2], LLVMBuildNot(e->builder, last, ""), "");
    next[0] = LLVMBuildSelect(e->builder, next[2], next[0], p->base, "");
    next[1] = LLVMBuildSelect(e->builder, next[2], next[1], p->shift, "");
    LLVMValueRef same[] = {p->base, p->shift, LLVMConstInt(e->i1, 0, false)};
    emitter_branch_end(e, branch, 3, next, same);
    emitter_loop_end(e, loop, next);
    p->base = next[0], p->shift = next[1];
    return NULL;
}

static struct affine position_of(struct partition *p, LLVMValueRef position)
{
    return affine_var(emitter_var(p->e, position, 1, 0, p->s->length - 1, p->e->scope->depth));
}

/* Moves the operands' elements to their buckets. */
static struct error *fill_buckets(struct partition *p)
{
    struct emitter *e = p->e;
    struct element elements[SORT_RADIX_MAX_OPERANDS];
    LLVMValueRef key;
    struct loop *loop = each(p, 0, NULL);
    TRY(operands_at(p, loop, elements, &key));
    LLVMValueRef position = sort_radix_count(e, slot(p, digit_of(p, key)));
    struct affine to = position_of(p, LLVMBuildZExt(e->builder, position, e->i64, ""));
    sort_row_put(p->s, p->s->arrays[0], &to, elements);
    emitter_loop_end(e, loop, NULL);
    return NULL;
}

/* ---- merging sorted parts of a group -------------------------------------------------------- */
static void arrays_at(struct partition *p, LLVMValueRef first, LLVMValueRef *arrays)
{
    for (int i = 0; i < p->s->count; i++) {
        int64_t size = dtype_bytes(p->s->op->operands[i]->type->shape.dtype);
        LLVMValueRef by = LLVMBuildMul(p->e->builder, first, emitter_i64(p->e, size), "");
        arrays[i] = LLVMBuildGEP2(p->e->builder, p->e->i8, p->s->arrays[0][i], &by, 1, "");
    }
}

/* Loads the elements at a position, or at the lowest one where the position is below that. */
static struct error *load_from(struct partition *p, LLVMValueRef const *arrays,
                               LLVMValueRef position, LLVMValueRef lowest, struct element *elements,
                               LLVMValueRef *key)
{
    struct affine at = position_of(p, emitter_binary(p->e, "llvm.smax", position, lowest));
    sort_row_load(p->s, arrays, &at, elements);
    return sort_radix_key(&p->r, elements, key);
}

/* One step of a merge from the ends: the larger of the last left element, at carried[0], and the
 * last right one, at carried[1] of the second arrays, is the next result. */
static struct error *merge_step(struct partition *p, const struct loop *loop, LLVMValueRef low,
                                LLVMValueRef last, LLVMValueRef *next)
{
    struct emitter *e = p->e;
    LLVMBuilderRef b = e->builder;
    struct element left[SORT_RADIX_MAX_OPERANDS], right[SORT_RADIX_MAX_OPERANDS];
    LLVMValueRef i = loop->carried[0], j = loop->carried[1], zero = emitter_i64(e, 0), keys[2];
    TRY(load_from(p, p->s->arrays[0], i, low, left, &keys[0]));
    TRY(load_from(p, p->s->arrays[1], j, zero, right, &keys[1]));
    LLVMValueRef more = LLVMBuildICmp(b, LLVMIntUGT, keys[0], keys[1], "");
    more = LLVMBuildAnd(b, more, LLVMBuildICmp(b, LLVMIntSGE, i, low, ""), "");
    more = LLVMBuildOr(b, more, LLVMBuildICmp(b, LLVMIntSLT, j, zero, ""), "");
    struct element condition = element_of(more), taken[SORT_RADIX_MAX_OPERANDS];
    for (int o = 0; o < p->s->count; o++)
        taken[o] = element_select(e, &condition, &left[o], &right[o]);
    struct affine to = position_of(p, LLVMBuildSub(b, last, loop->i, ""));
    sort_row_put(p->s, p->s->arrays[0], &to, taken);
    LLVMValueRef step = LLVMBuildZExt(b, more, e->i64, "");
    next[0] = LLVMBuildSub(b, i, step, "");
    next[1] = LLVMBuildSub(b, j, LLVMBuildSub(b, emitter_i64(e, 1), step, ""), "");
    return NULL;
}

/* Merges the sorted ranges [low, middle) and [middle, middle + length) unless they are in order. */
static struct error *merge(struct partition *p, LLVMValueRef low, LLVMValueRef middle)
{
    struct emitter *e = p->e;
    LLVMBuilderRef b = e->builder;
    struct element elements[SORT_RADIX_MAX_OPERANDS];
    LLVMValueRef one = emitter_i64(e, 1), before = LLVMBuildSub(b, middle, one, ""), keys[2];
    LLVMValueRef right[SORT_RADIX_MAX_OPERANDS], next[2];
    TRY(load_from(p, p->s->arrays[0], before, low, elements, &keys[0]));
    TRY(load_from(p, p->s->arrays[0], middle, low, elements, &keys[1]));
    struct branch *branch =
        emitter_branch_begin(e, LLVMBuildICmp(b, LLVMIntUGT, keys[0], keys[1], ""));
    arrays_at(p, middle, right);
    sort_radix_copy(&p->r, right, p->s->arrays[1]);
    LLVMValueRef end = LLVMBuildAdd(b, middle, p->r.length, "");
    LLVMValueRef ends[] = {before, LLVMBuildSub(b, p->r.length, one, "")};
    struct loop *loop = emitter_loop_begin(e, emitter_i64(e, 0), LLVMBuildSub(b, end, low, ""), 1,
                                           0, p->s->length - 1, 2, ends);
    TRY(merge_step(p, loop, low, LLVMBuildSub(b, end, one, ""), next));
    emitter_loop_end(e, loop, next);
    emitter_branch_end(e, branch, 0, NULL, NULL);
    return NULL;
}

/* ---- groups --------------------------------------------------------------------------------- */
/* Sorts the elements [low, end) of the first arrays, at most `capacity` at once. */
static struct error *sort_group(struct partition *p, LLVMValueRef low, LLVMValueRef end)
{
    struct emitter *e = p->e;
    LLVMBuilderRef b = e->builder;
    LLVMValueRef arrays[SORT_RADIX_MAX_OPERANDS];
    int64_t capacity = sort_partition_capacity(p->s->length);
    struct loop *part = emitter_loop_begin(e, low, end, capacity, 0, p->s->length - 1, 0, NULL);
    p->r.length =
        emitter_binary(e, "llvm.smin", emitter_i64(e, capacity), LLVMBuildSub(b, end, part->i, ""));
    arrays_at(p, part->i, arrays);
    TRY(sort_radix_range(&p->r, arrays, p->s->arrays[1]));
    struct branch *branch = emitter_branch_begin(e, LLVMBuildICmp(b, LLVMIntSGT, part->i, low, ""));
    TRY(merge(p, low, part->i));
    emitter_branch_end(e, branch, 0, NULL, NULL);
    emitter_loop_end(e, part, NULL);
    return NULL;
}

/* How many low bits of the keys of a group may differ. The outer buckets have any keys. */
static LLVMValueRef group_bits(struct partition *p, LLVMValueRef first, LLVMValueRef last)
{
    struct emitter *e = p->e;
    LLVMBuilderRef b = e->builder;
    LLVMValueRef one = emitter_i64(e, 1), whole = emitter_i64(e, p->r.key.bytes * 8);
    LLVMValueRef from = LLVMBuildAdd(b, p->base, LLVMBuildShl(b, first, p->shift, ""), "");
    LLVMValueRef to = LLVMBuildShl(b, LLVMBuildAdd(b, last, one, ""), p->shift, "");
    to = LLVMBuildSub(b, LLVMBuildAdd(b, p->base, to, ""), one, "");
    LLVMValueRef bits = bits_of(p, LLVMBuildXor(b, from, to, ""));
    LLVMValueRef low = LLVMBuildICmp(b, LLVMIntEQ, first, emitter_i64(e, 0), "");
    LLVMValueRef high = LLVMBuildICmp(b, LLVMIntEQ, last, last_bucket(p), "");
    bits = LLVMBuildSelect(b, LLVMBuildOr(b, low, high, ""), whole, bits, "");
    return emitter_binary(e, "llvm.umin", emitter_binary(e, "llvm.umax", bits, one), whole);
}

static LLVMValueRef divide_up(struct emitter *e, LLVMValueRef value, LLVMValueRef by)
{
    LLVMValueRef less = LLVMBuildSub(e->builder, by, emitter_i64(e, 1), "");
    return LLVMBuildUDiv(e->builder, LLVMBuildAdd(e->builder, value, less, ""), by, "");
}

/* Divides the bits of a group of `size` elements into digits: of 8 bits if it is small, since each
 * digit has a table to clear and to sum. */
static void choose_bits(struct partition *p, LLVMValueRef bits, LLVMValueRef size)
{
    struct emitter *e = p->e;
    LLVMBuilderRef b = e->builder;
    LLVMValueRef is_small = LLVMBuildICmp(b, LLVMIntSLE, size, emitter_i64(e, MAX_SMALL_GROUP), "");
    LLVMValueRef most = emitter_i64(e, p->r.max_bits);
    LLVMValueRef width = LLVMBuildSelect(b, is_small, emitter_i64(e, 8), most, "");
    LLVMValueRef places = emitter_i64(e, p->r.max_digits);
    p->r.digits = emitter_binary(e, "llvm.umin", divide_up(e, bits, width), places);
    p->r.bits = divide_up(e, bits, p->r.digits);
}

static LLVMValueRef end_of(struct partition *p, LLVMValueRef bucket)
{
    LLVMValueRef end = LLVMBuildLoad2(p->e->builder, p->e->i32, slot(p, bucket), "");
    return LLVMBuildZExt(p->e->builder, end, p->e->i64, "");
}

/* Ends a group in front of the bucket with which it would be too long. A group begins at element
 * `low` with bucket `first`. */
static struct error *sort_groups(struct partition *p)
{
    struct emitter *e = p->e;
    LLVMBuilderRef b = e->builder;
    int64_t capacity = sort_partition_capacity(p->s->length);
    LLVMValueRef one = emitter_i64(e, 1), begin[] = {emitter_i64(e, 0), emitter_i64(e, 0)};
    LLVMBuildStore(b, LLVMConstAllOnes(e->i32), slot(p, p->buckets));
    struct loop *loop =
        emitter_loop_begin(e, emitter_i64(e, 0), p->buckets, 1, 0, MAX_BUCKETS - 1, 2, begin);
    LLVMValueRef low = loop->carried[0], first = loop->carried[1];
    LLVMValueRef end = end_of(p, loop->i), next = end_of(p, LLVMBuildAdd(b, loop->i, one, ""));
    int64_t most_elements = has_long_digit(p) ? MAX_GROUP : MAX_SHORT_GROUP;
    LLVMValueRef most = emitter_i64(e, capacity < most_elements ? capacity : most_elements);
    LLVMValueRef ends = LLVMBuildICmp(b, LLVMIntSGT, LLVMBuildSub(b, next, low, ""), most, "");
    LLVMValueRef several = LLVMBuildICmp(b, LLVMIntSGT, LLVMBuildSub(b, end, low, ""), one, "");
    struct branch *branch = emitter_branch_begin(e, LLVMBuildAnd(b, ends, several, ""));
    choose_bits(p, group_bits(p, first, loop->i), LLVMBuildSub(b, end, low, ""));
    TRY(sort_group(p, low, end));
    emitter_branch_end(e, branch, 0, NULL, NULL);
    begin[0] = LLVMBuildSelect(b, ends, end, low, "");
    begin[1] = LLVMBuildSelect(b, ends, LLVMBuildAdd(b, loop->i, one, ""), first, "");
    emitter_loop_end(e, loop, begin);
    return NULL;
}

struct error *sort_partition_row(struct sort_row *s)
{
    struct partition p = {.s = s, .e = s->e};
    sort_radix_begin(&p.r, s, RADIX_BITS);
    LLVMTypeRef table = LLVMArrayType2(s->e->i32, MAX_BUCKETS + 1);
    p.counts = emitter_alloca(s->e, table, 64);
    TRY(first_digit(&p));
    LLVMBuilderRef b = s->e->builder;
    LLVMValueRef base = p.base;
    TRY(choose_digit(&p));
    sort_radix_sums(s->e, p.counts, p.buckets, MAX_BUCKETS);
    TRY(fill_buckets(&p));
    LLVMValueRef rest = LLVMBuildICmp(b, LLVMIntNE, p.shift, emitter_i64(s->e, 0), "");
    rest = LLVMBuildOr(b, rest, LLVMBuildICmp(b, LLVMIntNE, p.base, base, ""), "");
    struct branch *branch = emitter_branch_begin(s->e, rest);
    TRY(sort_groups(&p));
    emitter_branch_end(s->e, branch, 0, NULL, NULL);
    return NULL;
}
