/* row_fetch.c: see row_fetch.h. */
#include "compiler/codegen/loops/row_fetch.h"

#include "compiler/codegen/loops/reduction.h"

enum {
    LINE = 64,
    LEAST = 4096,        /* bytes of a row: in a page, processors fetch ahead as far as that */
    CACHE_SHARE = 4,     /* longest row: one in so many of the cache */
    CACHES = 8,          /* the array is larger than so many caches */
    STREAM_AHEAD = 4096, /* bytes */
    READ = 0,            /* arguments of llvm.prefetch: */
    FIRST_CACHE = 3,
    SECOND_CACHE = 2, /* the first one is full of this row */
    DATA = 1
};

/* What is known of a row. */
struct row {
    int loop; /* that loaded it first */
    bool fetched;
};

struct row_loop row_loop_begin(struct emitter *e, bool fetches)
{
    struct row_loop outer = {e->rows.loop, e->rows.fetches};
    e->rows.loop = ++e->rows.loops;
    e->rows.fetches = fetches;
    return outer;
}

void row_loop_end(struct emitter *e, struct row_loop outer)
{
    e->rows.loop = outer.number;
    e->rows.fetches = outer.fetches;
}

int row_group_begin(struct emitter *e, const struct affine *row)
{
    int outer = e->rows.group_var;
    if (row)
        e->rows.group_var = row->count == 1 ? (int)row->terms[0].var : -1;
    return outer;
}

void row_group_end(struct emitter *e, int outer)
{
    e->rows.group_var = outer;
}

bool row_fetch_is_large(const struct emitter *e, const struct type *type)
{
    return type->kind == TYPE_TENSOR &&
           (uint64_t)type_bytes(type) > CACHES * e->target->cache_bytes;
}

bool row_fetch_stream(struct emitter *e)
{
    bool before = e->rows.streams;
    e->rows.streams = e->arrays.one_stream;
    return before;
}

static bool is_contiguous(struct emitter *e, const struct value *value, const struct affine *offset)
{
    int64_t stride;
    return e->lanes > 1 && !e->guard && !e->tail && dtype_is_float(value->type->shape.dtype) &&
           affine_lane_stride(e, offset, &stride) && stride == 1;
}

/* Whether a value has many rows that are read vector by vector and are not in the cache. */
static bool has_rows(struct emitter *e, const struct value *value, const struct index *index,
                     const struct affine *offset)
{
    const struct type *type = value->type;
    enum dtype dtype = type->shape.dtype;
    if (!e->rows.loop || index->rank < 2 || !is_contiguous(e, value, offset))
        return false;
    uint64_t cache = e->target->cache_bytes,
             row = (uint64_t)(type->shape.dims[index->rank - 1] * dtype_bytes(dtype));
    return row_fetch_is_large(e, type) && row >= LEAST && row <= cache / CACHE_SHARE;
}

/* The row that an element is in; NULL if it is the same for all work items. */
static struct row *row_of(struct emitter *e, const struct value *value, const struct index *index)
{
    struct index before = affine_index(index->rank - 1, index->at);
    int depth = affine_index_depth(e, &before);
    if (!depth)
        return NULL;
    expression_row_key(e, "fetch", value, &before);
    struct scope *scope = emitter_scope(e, depth);
    struct row *row = emitter_memo_get(scope, e->key.items, e->key.count);
    if (!row) {
        row = ARENA_NEW(e->arena, struct row);
        row->loop = e->rows.loop;
        emitter_memo_put(scope, arena_copy(e->arena, e->key.items, e->key.count), e->key.count,
                         row);
    }
    return row;
}

static void fetch_ahead(struct emitter *e, enum dtype dtype, LLVMValueRef pointer,
                        const struct affine *offset, int64_t elements, int cache)
{
    int bytes = dtype_bytes(dtype);
    LLVMTypeRef scalar = LLVMIntTypeInContext(e->context, (unsigned)bytes * 8);
    LLVMValueRef first = emitter_at(e, scalar, pointer, affine_scalar(e, offset));
    for (int at = 0; at < e->lanes * bytes; at += LINE) {
        LLVMValueRef ahead = emitter_i64(e, elements * bytes + at),
                     address = emitter_at(e, e->i8, first, ahead);
        LLVMValueRef arguments[] = {address, emitter_i32(e, READ), emitter_i32(e, cache),
                                    emitter_i32(e, DATA)};
        emitter_intrinsic(e, "llvm.prefetch", 1, &e->pointer, 4, arguments);
    }
}

void row_fetch_ahead(struct emitter *e, enum dtype dtype, LLVMValueRef pointer,
                     const struct affine *offset, int64_t elements)
{
    fetch_ahead(e, dtype, pointer, offset, elements, SECOND_CACHE);
}

static void fetch_stream(struct emitter *e, const struct value *value, LLVMValueRef pointer,
                         const struct affine *offset)
{
    enum dtype dtype = value->type->shape.dtype;
    if (row_fetch_is_large(e, value->type) && is_contiguous(e, value, offset))
        fetch_ahead(e, dtype, pointer, offset, STREAM_AHEAD / dtype_bytes(dtype), FIRST_CACHE);
}

/* Fetches the vector of the next group; false if the load is not one of a group. */
static bool fetch_group(struct emitter *e, const struct value *value, LLVMValueRef pointer,
                        const struct affine *offset)
{
    struct affine rest;
    int64_t row = e->rows.group_var >= 0 ? affine_split(offset, e->rows.group_var, &rest) : 0;
    if (row > 0 && is_contiguous(e, value, offset))
        row_fetch_ahead(e, value->type->shape.dtype, pointer, offset, row * REDUCTION_GROUP);
    return row != 0;
}

void row_fetch(struct emitter *e, const struct value *value, LLVMValueRef pointer,
               const struct index *index, const struct affine *offset)
{
    if (e->rows.streams && !e->rows.loop)
        fetch_stream(e, value, pointer, offset);
    if (fetch_group(e, value, pointer, offset) || !has_rows(e, value, index, offset))
        return;
    struct row *row = row_of(e, value, index);
    if (!row || !e->rows.fetches || row->fetched || row->loop == e->rows.loop)
        return;
    row->fetched = true;
    row_fetch_ahead(e, value->type->shape.dtype, pointer, offset,
                    value->type->shape.dims[index->rank - 1]);
}
