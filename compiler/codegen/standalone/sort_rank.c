/* sort_rank.c: see sort_rank.h. The algorithm:
 *
 *   second[i] = the operands, keys[i] = their key, next[i] = i      for all positions i
 *   ranks[i] = how many keys[j] < keys[i]                           for all i and j
 *   first[next[ranks[i]]++] = second[i]                             for all i, in order
 *
 * Keys are stored as signed numbers, which all processors compare. */
#include "compiler/codegen/standalone/sort_rank.h"

#include "compiler/codegen/standalone/sort_radix.h"

enum {
    LONGEST = 128,       /* rows */
    LONGEST_NARROW = 96, /* where vectors have 16 bytes */
    MAX_GROUP = 4,       /* vectors that are ranked together, in registers */
};

bool sort_rank_supports(const struct op *op, const struct target *target)
{
    struct sort_key key;
    const struct type *type = op->operands[0]->type;
    int64_t length = type->shape.rank ? type->shape.dims[sort_row_dim(op)] : 1;
    return length > 1 && length <= (target->isa.vector_bytes > 16 ? LONGEST : LONGEST_NARROW) &&
           op->operand_count <= SORT_MAX_OPERANDS && sort_key_find(op, &key) &&
           !sort_radix_sorts_numbers(op, target);
}

static LLVMValueRef at(struct sort_rank *r, LLVMValueRef array, LLVMTypeRef type, LLVMValueRef i)
{
    return emitter_at(r->s->e, type, array, i);
}

void sort_rank_begin(struct sort_rank *r, struct sort_row *s)
{
    struct emitter *e = s->e;
    *r = (struct sort_rank){.s = s, .lanes = 1};
    sort_key_find(s->op, &r->key);
    while (r->lanes < e->target->isa.vector_bytes / r->key.bytes && r->lanes < s->length)
        r->lanes *= 2;
    int vectors = (int)((s->length + r->lanes - 1) / r->lanes);
    int groups = (vectors + MAX_GROUP - 1) / MAX_GROUP;
    r->vectors = (vectors + groups - 1) / groups * groups;
    r->type = LLVMIntTypeInContext(e->context, (unsigned)r->key.bytes * 8);
    LLVMTypeRef array = LLVMArrayType2(r->type, (uint64_t)(r->vectors * r->lanes));
    r->keys = emitter_alloca(e, array, 64);
    r->ranks = emitter_alloca(e, array, 64);
    r->next = emitter_alloca(e, LLVMArrayType2(e->i8, (uint64_t)s->length), 64);
    LLVMBuildMemSet(e->builder, r->keys, LLVMConstNull(e->i8),
                    emitter_i64(e, (int64_t)r->vectors * r->lanes * r->key.bytes), 64);
}

/* ---- reading --------------------------------------------------------------------------------- */
/* Elements that are read at a time: no more than a row has. */
static int read_lanes(const struct sort_rank *r)
{
    int lanes = 1, most = r->s->e->target->isa.vector_bytes / (r->key.bytes < 8 ? 4 : 8);
    while (sort_row_is_contiguous(r->s) && lanes < most && 2 * lanes <= r->s->length)
        lanes *= 2;
    return lanes;
}

static struct error *read_at(struct sort_rank *r, LLVMValueRef first, const struct affine *position)
{
    struct sort_row *s = r->s;
    struct emitter *e = s->e;
    struct element elements[SORT_MAX_OPERANDS];
    LLVMValueRef bits;
    TRY(sort_row_copy(s, 1, position, elements));
    TRY(sort_row_key(s, &r->key, elements, &bits));
    LLVMValueRef sign =
        emitter_int_like(LLVMTypeOf(bits), (int64_t)(UINT64_C(1) << (r->key.bytes * 8 - 1)));
    LLVMValueRef key = LLVMBuildXor(e->builder, bits, sign, "");
    emitter_store(e, key, at(r, r->keys, r->type, first), (unsigned)r->key.bytes, NULL);
    return NULL;
}

/* The last vector reads what ends with the row, again if need be. */
static struct error *read_row(struct sort_rank *r)
{
    struct sort_row *s = r->s;
    struct emitter *e = s->e;
    int lanes = read_lanes(r);
    int64_t last = s->length - lanes;
    struct loop *loop = emitter_loop_begin(e, emitter_i64(e, 0), emitter_i64(e, s->length), lanes,
                                           0, s->length - 1, 0, NULL);
    LLVMValueRef first = emitter_binary(e, "llvm.smin", loop->i, emitter_i64(e, last));
    struct affine position = affine_var(emitter_var(e, first, 1, 0, last, e->scope->depth));
    struct lanes back = emitter_lanes(e, lanes);
    if (lanes > 1) {
        struct affine lane = affine_var(e->lane_var);
        position = affine_add(e, &position, &lane);
    }
    TRY(read_at(r, first, &position));
    emitter_lanes_restore(e, back);
    emitter_loop_end(e, loop, NULL);
    return NULL;
}

/* ---- ranks ----------------------------------------------------------------------------------- */
static LLVMValueRef load_key(struct sort_rank *r, LLVMTypeRef type, LLVMValueRef i)
{
    return emitter_load(r->s->e, type, at(r, r->keys, r->type, i), (unsigned)r->key.bytes, NULL);
}

/* The ranks of `count` vectors from number `first` on. */
static void rank_vectors(struct sort_rank *r, LLVMValueRef first, int count)
{
    struct emitter *e = r->s->e;
    LLVMBuilderRef b = e->builder;
    LLVMTypeRef type = emitter_vector(r->type, r->lanes);
    LLVMValueRef keys[MAX_GROUP], ranks[MAX_GROUP], to[MAX_GROUP], one = emitter_int_like(type, 1);
    for (int v = 0; v < count; v++) {
        LLVMValueRef i = LLVMBuildAdd(b, first, emitter_i64(e, (int64_t)v * r->lanes), "");
        keys[v] = load_key(r, type, i);
        to[v] = at(r, r->ranks, r->type, i);
        ranks[v] = LLVMConstNull(type);
    }
    struct loop *loop = emitter_loop_begin(e, emitter_i64(e, 0), emitter_i64(e, r->s->length), 1, 0,
                                           r->s->length - 1, count, ranks);
    LLVMValueRef other = emitter_splat(e, load_key(r, r->type, loop->i), r->lanes);
    for (int v = 0; v < count; v++) {
        LLVMValueRef less = LLVMBuildICmp(b, LLVMIntSLT, other, keys[v], "");
        ranks[v] = LLVMBuildSelect(b, less, LLVMBuildAdd(b, loop->carried[v], one, ""),
                                   loop->carried[v], "");
    }
    emitter_loop_end(e, loop, ranks);
    for (int v = 0; v < count; v++)
        emitter_store(e, ranks[v], to[v], (unsigned)r->key.bytes, NULL);
}

static void rank_row(struct sort_rank *r)
{
    struct emitter *e = r->s->e;
    int groups = (r->vectors + MAX_GROUP - 1) / MAX_GROUP, group = r->vectors / groups;
    int64_t keys = (int64_t)r->vectors * r->lanes;
    struct loop *loop = emitter_loop_begin(e, emitter_i64(e, 0), emitter_i64(e, keys),
                                           (int64_t)group * r->lanes, 0, keys - 1, 0, NULL);
    rank_vectors(r, loop->i, group);
    emitter_loop_end(e, loop, NULL);
}

/* ---- moves ----------------------------------------------------------------------------------- */
static void begin_positions(struct sort_rank *r)
{
    struct emitter *e = r->s->e;
    uint8_t positions[LONGEST];
    for (int i = 0; i < r->s->length; i++)
        positions[i] = (uint8_t)i;
    LLVMBuildMemCpy(e->builder, r->next, 64, emitter_constant_bytes(e, positions, r->s->length), 1,
                    emitter_i64(e, r->s->length));
}

/* The position of element i, whose rank's next element will be behind it. */
static LLVMValueRef take_position(struct sort_rank *r, LLVMValueRef i)
{
    struct emitter *e = r->s->e;
    LLVMBuilderRef b = e->builder;
    LLVMValueRef rank = LLVMBuildLoad2(b, r->type, at(r, r->ranks, r->type, i), "");
    rank = LLVMBuildZExtOrBitCast(b, rank, e->i64, "");
    LLVMValueRef next = at(r, r->next, e->i8, rank);
    LLVMValueRef position = LLVMBuildLoad2(b, e->i8, next, "");
    LLVMBuildStore(b, LLVMBuildAdd(b, position, LLVMConstInt(e->i8, 1, false), ""), next);
    return LLVMBuildZExt(b, position, e->i64, "");
}

static void move_row(struct sort_rank *r)
{
    struct sort_row *s = r->s;
    struct emitter *e = s->e;
    struct element elements[SORT_MAX_OPERANDS];
    struct loop *loop = emitter_loop_begin(e, emitter_i64(e, 0), emitter_i64(e, s->length), 1, 0,
                                           s->length - 1, 0, NULL);
    struct affine from = affine_var(loop->var);
    int position = emitter_var(e, take_position(r, loop->i), 1, 0, s->length - 1, e->scope->depth);
    struct affine to = affine_var(position);
    sort_row_load(s, s->arrays[1], &from, elements);
    sort_row_put(s, s->arrays[0], &to, elements);
    emitter_loop_end(e, loop, NULL);
}

struct error *sort_rank_row(struct sort_rank *r)
{
    TRY(read_row(r));
    begin_positions(r);
    rank_row(r);
    move_row(r);
    return NULL;
}
