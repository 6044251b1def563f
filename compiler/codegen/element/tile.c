/* tile.c: transposes squares of lanes x lanes elements with log2(lanes) rounds of shuffles between
 * pairs of vectors. */
#include "compiler/codegen/element/tile.h"

#include <string.h>

enum { MAX_LANES = 64 };

/* Removes the tile's row from an offset. False unless consecutive rows are adjacent in memory. */
static bool without_row(const struct tile *tile, const struct affine *offset, struct affine *base)
{
    bool found = false;
    *base = affine_constant(offset->constant);
    for (int64_t i = 0; i < offset->count; i++) {
        if (offset->terms[i].var != tile->var)
            base->terms[base->count++] = offset->terms[i];
        else if (offset->terms[i].coefficient == 1)
            found = true;
    }
    return found;
}

static LLVMValueRef first_lanes(struct emitter *e, int count)
{
    LLVMValueRef mask[MAX_LANES];
    for (int i = 0; i < e->lanes; i++)
        mask[i] = LLVMConstInt(e->i1, i < count, false);
    return LLVMConstVector(mask, (unsigned)e->lanes);
}

/* Whether a lane is enabled: the tail is a constant vector. */
static bool lane_exists(struct emitter *e, int lane)
{
    if (!e->tail)
        return true;
    return LLVMConstIntGetZExtValue(LLVMGetAggregateElement(e->tail, (unsigned)lane)) != 0;
}

/* Loads row `lane` of the argument's square: as many elements as the tile has rows. */
static LLVMValueRef load_row(struct emitter *e, LLVMValueRef from, LLVMTypeRef type, unsigned align)
{
    if (e->tile->rows == e->lanes) {
        LLVMValueRef load = LLVMBuildLoad2(e->builder, type, from, "");
        LLVMSetAlignment(load, align);
        return load;
    }
    LLVMValueRef arguments[] = {from, emitter_i32(e, align), first_lanes(e, e->tile->rows),
                                LLVMConstNull(type)};
    return emitter_intrinsic(e, "llvm.masked.load", 2, (LLVMTypeRef[]){type, e->pointer}, 4,
                             arguments);
}

/* Element i of the first result is a[i], or b[i - half] where bit `half` of i is set. The second
 * result has the remaining elements. */
static LLVMValueRef exchange(struct emitter *e, LLVMValueRef a, LLVMValueRef b, int half,
                             bool second)
{
    LLVMValueRef mask[MAX_LANES];
    for (int i = 0; i < e->lanes; i++) {
        int from = i & half ? e->lanes + i - (second ? 0 : half) : i + (second ? half : 0);
        mask[i] = emitter_i32(e, from);
    }
    return LLVMBuildShuffleVector(e->builder, a, b, LLVMConstVector(mask, (unsigned)e->lanes), "");
}

static void transpose(struct emitter *e, LLVMValueRef *rows)
{
    for (int half = e->lanes / 2; half; half /= 2)
        for (int i = 0; i < e->lanes; i++) {
            if (i & half)
                continue;
            LLVMValueRef a = rows[i], b = rows[i + half];
            rows[i] = exchange(e, a, b, half, false);
            rows[i + half] = exchange(e, a, b, half, true);
        }
}

/* Loads and transposes the square. Returns the address of its copy on the stack. */
static LLVMValueRef stage(struct emitter *e, LLVMValueRef pointer, LLVMTypeRef scalar,
                          unsigned align, const struct affine *base, int64_t stride)
{
    LLVMValueRef rows[MAX_LANES];
    LLVMTypeRef type = emitter_vector(scalar, e->lanes);
    LLVMValueRef start = affine_scalar(e, base);
    for (int i = 0; i < e->lanes; i++) {
        LLVMValueRef at = LLVMBuildAdd(e->builder, start, emitter_i64(e, i * stride), "");
        LLVMValueRef from = LLVMBuildGEP2(e->builder, scalar, pointer, &at, 1, "");
        rows[i] = lane_exists(e, i) ? load_row(e, from, type, align) : LLVMConstNull(type);
    }
    transpose(e, rows);
    LLVMValueRef square = emitter_alloca(e, LLVMArrayType2(type, (uint64_t)e->lanes), 64);
    for (int i = 0; i < e->tile->rows; i++) {
        LLVMValueRef at = emitter_i64(e, i);
        LLVMBuildStore(e->builder, rows[i], LLVMBuildGEP2(e->builder, type, square, &at, 1, ""));
    }
    return square;
}

LLVMValueRef tile_load(struct emitter *e, LLVMValueRef pointer, LLVMTypeRef scalar, unsigned align,
                       const struct affine *offset)
{
    struct {
        LLVMValueRef pointer, tail;
        LLVMTypeRef scalar;
        int64_t rows;
        struct affine base;
    } key;
    struct affine base;
    int64_t stride;
    if (!e->tile || e->guard || e->lanes > MAX_LANES || !affine_lane_stride(e, offset, &stride) ||
        !without_row(e->tile, offset, &base) || affine_depth(e, &base) > e->tile->depth)
        return NULL;
    memset(&key, 0, sizeof key);
    key.pointer = pointer;
    key.tail = e->tail;
    key.scalar = scalar;
    key.rows = e->tile->rows;
    memcpy(&key.base, &base, affine_size(&base));
    struct scope *scope = emitter_scope(e, e->tile->depth);
    LLVMValueRef square = emitter_memo_get(scope, &key, sizeof key);
    if (!square) {
        struct scope *back = emitter_enter(e, scope);
        square = stage(e, pointer, scalar, align, &base, stride);
        emitter_leave(e, back);
        emitter_memo_put(scope, &key, sizeof key, square);
    }
    LLVMTypeRef type = emitter_vector(scalar, e->lanes);
    LLVMValueRef row = e->vars.items[e->tile->var].value;
    LLVMValueRef load =
        LLVMBuildLoad2(e->builder, type, LLVMBuildGEP2(e->builder, type, square, &row, 1, ""), "");
    LLVMSetAlignment(load, align);
    return load;
}
