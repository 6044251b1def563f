/* tile.c: transposes squares of lanes x lanes elements with log2(lanes) rounds of shuffles between
 * pairs of vectors, each of which is one instruction: first unpacks inside of blocks of 128 bits,
 * then moves of whole blocks. */
#include "compiler/codegen/element/tile.h"

#include <stdio.h>
#include <string.h>

#include "compiler/codegen/element/shuffle.h"

/* The first `count` elements of a vector, loaded a power of two at a time. */
static LLVMValueRef load_pieces(struct emitter *e, LLVMValueRef from, LLVMTypeRef type,
                                unsigned align, int count)
{
    LLVMTypeRef scalar = LLVMGetElementType(type);
    LLVMValueRef loaded = LLVMConstNull(type);
    int part = e->lanes, lanes[SHUFFLE_LANES];
    for (int first = 0; first < count; part /= 2) {
        if (first + part > count)
            continue;
        LLVMValueRef at = emitter_at(e, scalar, from, emitter_i64(e, first));
        LLVMValueRef piece =
            emitter_load(e, LLVMVectorType(scalar, (unsigned)part), at, align, NULL);
        for (int i = 0; i < e->lanes; i++)
            lanes[i] = i < part ? i : 0;
        piece = shuffle_lanes(e, piece, NULL, e->lanes, lanes);
        for (int i = 0; i < e->lanes; i++)
            lanes[i] = i < first ? i : e->lanes + (i - first) % part;
        loaded = shuffle_lanes(e, loaded, piece, e->lanes, lanes);
        first += part;
    }
    return loaded;
}

/* Loads a row of the argument's square: as many elements as the tile has rows. */
static LLVMValueRef load_row(struct emitter *e, LLVMValueRef from, LLVMTypeRef type, unsigned align)
{
    bool is_whole = e->tile->rows == e->lanes;
    if (!is_whole && !e->target->isa.narrow_masks) /* a mask would be branches, or slow */
        return load_pieces(e, from, type, align, e->tile->rows);
    return emitter_load(e, type, from, align,
                        is_whole ? NULL : emitter_first_lanes(e, e->lanes, e->tile->rows));
}

/* Where element i of the result of an unpack comes from: groups of `group` elements of the lower
 * (`odd`: upper) half of each block of `width` elements, alternately of both vectors. */
static int unpacked(int lanes, int width, int group, bool odd, int i)
{
    int within = i % width, pair = within / (2 * group);
    bool second = within / group % 2;
    return i - within + (odd ? width / 2 : 0) + pair * group + within % group +
           (second ? lanes : 0);
}

/* Where element i comes from: the even (`odd`: odd) blocks of the first vector, then of the second.
 */
static int moved(int lanes, int width, bool odd, int i)
{
    int half = lanes / 2, block = i % half / width;
    return (2 * block + odd) * width + i % width + (i < half ? 0 : lanes);
}

/* One shuffle of two vectors: an unpack, or for group 0 a move of blocks. What stays together is
 * one integer of up to 64 bits, so that LLVM has to match fewer elements. */
static LLVMValueRef shuffle(struct emitter *e, const LLVMValueRef pair[2], int width, int group,
                            bool odd)
{
    int from[SHUFFLE_LANES];
    LLVMTypeRef type = LLVMTypeOf(pair[0]);
    int bits = emitter_bits_of(LLVMGetElementType(type)), together = group ? group : width;
    together = together < 64 / bits ? together : 64 / bits;
    int lanes = e->lanes / together;
    for (int i = 0; i < lanes; i++)
        from[i] = group ? unpacked(lanes, width / together, group / together, odd, i)
                        : moved(lanes, width / together, odd, i);
    LLVMTypeRef wide = LLVMVectorType(LLVMIntTypeInContext(e->context, (unsigned)(bits * together)),
                                      (unsigned)lanes);
    LLVMValueRef a = pair[0], b = pair[1];
    if (together > 1) {
        a = LLVMBuildBitCast(e->builder, a, wide, "");
        b = LLVMBuildBitCast(e->builder, b, wide, "");
    }
    LLVMValueRef shuffled = shuffle_lanes(e, a, b, lanes, from);
    return together > 1 ? LLVMBuildBitCast(e->builder, shuffled, type, "") : shuffled;
}

/* Shuffles rows whose numbers differ by `distance` only. */
static void shuffle_rows(struct emitter *e, LLVMValueRef *rows, int distance, int width, int group)
{
    for (int i = 0; i < e->lanes; i++) {
        if (i & distance)
            continue;
        LLVMValueRef pair[] = {rows[i], rows[i + distance]};
        rows[i] = shuffle(e, pair, width, group, false);
        rows[i + distance] = shuffle(e, pair, width, group, true);
    }
}

/* Unpacks leave the rows of a block in the order of their reversed bits. */
static void reverse_bits(LLVMValueRef *rows, int lanes, int width)
{
    LLVMValueRef before[SHUFFLE_LANES];
    memcpy(before, rows, (size_t)lanes * sizeof *rows);
    for (int i = 0; i < lanes; i++) {
        int reversed = i - i % width;
        for (int bit = 1; bit < width; bit *= 2)
            reversed += i & bit ? width / 2 / bit : 0;
        rows[i] = before[reversed];
    }
}

static void transpose(struct emitter *e, LLVMValueRef *rows, LLVMTypeRef scalar)
{
    int width = SHUFFLE_BLOCK_BITS / emitter_bits_of(scalar);
    width = width < e->lanes ? width : e->lanes;
    for (int group = 1; group < width; group *= 2)
        shuffle_rows(e, rows, group, width, group);
    for (int distance = width; distance < e->lanes; distance *= 2)
        shuffle_rows(e, rows, distance, width, 0);
    reverse_bits(rows, e->lanes, width);
}

/* The rows of the result's square, whose lanes' first elements are `stride` apart (i64). Lanes
 * beyond `count` (i64) repeat the last one. Needs no scope. */
static void load_square(struct emitter *e, LLVMValueRef *rows, LLVMTypeRef scalar, unsigned align,
                        LLVMValueRef from, LLVMValueRef stride, LLVMValueRef count)
{
    LLVMValueRef last = LLVMBuildSub(e->builder, count, emitter_i64(e, 1), "");
    LLVMTypeRef type = emitter_vector(scalar, e->lanes);
    for (int i = 0; i < e->lanes; i++) {
        LLVMValueRef lane = LLVMIsConstant(last) && i <= LLVMConstIntGetSExtValue(last)
                                ? emitter_i64(e, i)
                                : emitter_binary(e, "llvm.smin", emitter_i64(e, i), last);
        LLVMValueRef at = LLVMBuildMul(e->builder, lane, stride, "");
        rows[i] = load_row(e, emitter_at(e, scalar, from, at), type, align);
    }
    transpose(e, rows, scalar);
}

/* The body of transposer(). */
static void define_transposer(struct emitter *e, LLVMValueRef function, LLVMTypeRef scalar,
                              unsigned align)
{
    struct shared_body body = emitter_shared_begin(e, function);
    LLVMValueRef rows[SHUFFLE_LANES], square = LLVMGetParam(function, 3);
    LLVMTypeRef type = emitter_vector(scalar, e->lanes);
    load_square(e, rows, scalar, align, LLVMGetParam(function, 0), LLVMGetParam(function, 1),
                LLVMGetParam(function, 2));
    for (int i = 0; i < e->tile->rows; i++)
        LLVMBuildStore(e->builder, rows[i], emitter_at(e, type, square, emitter_i64(e, i)));
    LLVMBuildRetVoid(e->builder);
    emitter_shared_end(e, body);
}

/* The function (from, stride, count, square) that transposes a square of `count` lanes, whose first
 * elements are `stride` elements apart, for tiles with as many rows as this one. */
static LLVMValueRef transposer(struct emitter *e, LLVMTypeRef *type, LLVMTypeRef scalar,
                               unsigned align)
{
    char name[64], *element = LLVMPrintTypeToString(scalar);
    LLVMTypeRef types[] = {e->pointer, e->i64, e->i64, e->pointer};
    snprintf(name, sizeof name, "transpose_%.16s_%dx%d", element, e->lanes, e->tile->rows);
    LLVMDisposeMessage(element);
    *type = LLVMFunctionType(LLVMVoidTypeInContext(e->context), types, 4, false);
    LLVMValueRef function = emitter_shared_function(e, name, *type);
    if (LLVMIsDeclaration(function))
        define_transposer(e, function, scalar, align);
    return function;
}

/* Loads and transposes the square. Returns the address of its copy on the stack. */
static LLVMValueRef stage(struct emitter *e, LLVMValueRef pointer, LLVMTypeRef scalar,
                          unsigned align, const struct affine *base, int64_t stride)
{
    LLVMTypeRef type, vector = emitter_vector(scalar, e->lanes);
    LLVMValueRef function = transposer(e, &type, scalar, align), start = affine_scalar(e, base);
    LLVMValueRef square = emitter_alloca(e, LLVMArrayType2(vector, (uint64_t)e->lanes), 64);
    LLVMValueRef from = emitter_at(e, scalar, pointer, start);
    LLVMValueRef count = emitter_i64(e, emitter_lanes_enabled(e));
    LLVMValueRef arguments[] = {from, emitter_i64(e, stride), count, square};
    LLVMBuildCall2(e->builder, type, function, arguments, 4, "");
    return square;
}

/* Which square of an argument, or which row of one that is in registers (else -1). Compared
 * bytewise. */
struct key {
    LLVMValueRef pointer, tail;
    LLVMTypeRef scalar;
    int64_t rows, row;
    struct affine base;
};

/* The row of a square in registers, for an unrolled tile. */
static LLVMValueRef row_in_registers(struct emitter *e, struct key *key, unsigned align,
                                     int64_t stride)
{
    struct scope *scope = emitter_scope(e, e->tile->depth);
    LLVMValueRef row = emitter_memo_get(scope, key, sizeof *key), rows[SHUFFLE_LANES];
    if (row)
        return row;
    struct scope *back = emitter_enter(e, scope);
    LLVMValueRef from = emitter_at(e, key->scalar, key->pointer, affine_scalar(e, &key->base));
    load_square(e, rows, key->scalar, align, from, emitter_i64(e, stride),
                emitter_i64(e, emitter_lanes_enabled(e)));
    emitter_leave(e, back);
    int64_t wanted = key->row;
    for (int i = 0; i < e->tile->rows; i++) {
        key->row = i;
        emitter_memo_put(scope, key, sizeof *key, rows[i]);
    }
    return rows[wanted];
}

/* The row of a square that is on the stack, for a loop over the tile's rows. `reverse`: those of
 * the square are in the opposite order. */
static LLVMValueRef row_on_stack(struct emitter *e, const struct key *key, unsigned align,
                                 int64_t stride, bool reverse)
{
    struct scope *scope = emitter_scope(e, e->tile->depth);
    LLVMValueRef square = emitter_memo_get(scope, key, sizeof *key);
    if (!square) {
        struct scope *back = emitter_enter(e, scope);
        square = stage(e, key->pointer, key->scalar, align, &key->base, stride);
        emitter_leave(e, back);
        emitter_memo_put(scope, key, sizeof *key, square);
    }
    LLVMTypeRef type = emitter_vector(key->scalar, e->lanes);
    LLVMValueRef row = e->vars.items[e->tile->var].value;
    if (reverse)
        row = LLVMBuildSub(e->builder, emitter_i64(e, e->tile->rows - 1), row, "");
    return emitter_load(e, type, emitter_at(e, type, square, row), align, NULL);
}

LLVMValueRef tile_load(struct emitter *e, LLVMValueRef pointer, LLVMTypeRef scalar, unsigned align,
                       const struct affine *offset)
{
    struct key key;
    struct affine base;
    int64_t stride;
    if (!e->tile || e->guard || e->lanes > SHUFFLE_LANES || !affine_lane_stride(e, offset, &stride))
        return NULL;
    int64_t step = affine_split(offset, e->tile->var, &base);
    bool reverse = step == -1;
    if ((step != 1 && !reverse) || affine_depth(e, &base) > e->tile->depth)
        return NULL;
    int last = e->tile->rows - 1;
    base = affine_offset(&base, reverse ? -last : 0);
    memset(&key, 0, sizeof key);
    key.pointer = pointer;
    key.tail = e->tail;
    key.scalar = scalar;
    key.rows = e->tile->rows;
    key.row = !e->tile->unrolled ? -1 : reverse ? last - e->tile->number : e->tile->number;
    memcpy(&key.base, &base, affine_size(&base));
    return e->tile->unrolled ? row_in_registers(e, &key, align, stride)
                             : row_on_stack(e, &key, align, stride, reverse);
}
