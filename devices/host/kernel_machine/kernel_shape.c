#include "devices/host/kernel_machine/kernel_shape.h"

#include <string.h>

#include "devices/host/kernel_machine/kernel_lanes.h"
#include "devices/host/kernel_machine/kernel_move.h"
#include "devices/host/kernel_machine/kernel_shadow.h"

/* ---- moves ----------------------------------------------------------------------------------- */
static enum kernel_flow run_moves(struct kernel_core *core, const struct kernel_instr *in)
{
    const struct kernel_move *moves = in->plan;
    for (int i = 0; i < in->plan_count; i++)
        kernel_move_run(&moves[i], kernel_at(core, in->all[moves[i].operand]),
                        kernel_at(core, in->out), in->bytes[3]);
    return KERNEL_FLOW_NEXT;
}

bool kernel_shape_is_moves(const struct kernel_instr *in)
{
    return in->run == run_moves;
}

static void row_major(const struct kernel_type *type, int64_t *strides)
{
    int64_t stride = 1;
    for (int i = type->rank - 1; i >= 0; i--) {
        strides[i] = stride;
        stride *= type->dims[i];
    }
}

/* A box of the shape of `type`, stored row-major on both sides. */
static struct kernel_move move_of(const struct kernel_type *type)
{
    struct kernel_move move = {.rank = type->rank};
    memcpy(move.dims, type->dims, sizeof move.dims);
    row_major(type, move.from);
    row_major(type, move.to);
    return move;
}

static void broadcast(const struct kernel_op *op, struct kernel_move *move)
{
    const struct kernel_type *in = op->operands[0]->type, *out = op->results[0].type;
    int missing = out->rank - in->rank;
    int64_t strides[KERNEL_MAX_RANK];
    *move = move_of(out);
    row_major(in, strides);
    for (int i = 0; i < out->rank; i++)
        move->from[i] = i < missing || in->dims[i - missing] == 1 ? 0 : strides[i - missing];
}

static void transpose(const struct kernel_op *op, struct kernel_move *move)
{
    int64_t strides[KERNEL_MAX_RANK];
    *move = move_of(op->results[0].type);
    row_major(op->operands[0]->type, strides);
    for (int i = 0; i < move->rank; i++)
        move->from[i] = strides[op->attrs->dims.at[i]];
}

/* The box `part` at the offsets of `whole`; `reads`: from whole to part. */
static struct kernel_move slice(const struct kernel_op *op, const struct kernel_type *whole,
                                const struct kernel_type *part, bool reads)
{
    struct kernel_move move = move_of(part);
    struct dims at = op->attrs->dims, step = op->attrs->stride;
    int64_t strides[KERNEL_MAX_RANK], offset = 0;
    int skipped = whole->rank - part->rank;
    row_major(whole, strides);
    for (int64_t i = 0; i < at.count; i++)
        offset += at.at[i] * strides[i];
    for (int i = 0; i < part->rank; i++)
        (reads ? move.from : move.to)[i] = strides[skipped + i] * (i < step.count ? step.at[i] : 1);
    *(reads ? &move.from_offset : &move.to_offset) = offset;
    return move;
}

static int concatenate(const struct kernel_op *op, struct kernel_move *moves)
{
    int64_t strides[KERNEL_MAX_RANK], at = 0;
    row_major(op->results[0].type, strides);
    for (int i = 0; i < op->operand_count; i++) {
        moves[i] = move_of(op->operands[i]->type);
        moves[i].operand = i;
        memcpy(moves[i].to, strides, sizeof strides);
        moves[i].to_offset = at * strides[op->attrs->axis];
        at += op->operands[i]->type->dims[op->attrs->axis];
    }
    return op->operand_count;
}

/* An additional dimension in front, along which the operand is repeated. */
static int repeat(const struct kernel_op *op, struct kernel_move *move)
{
    const struct kernel_type *in = op->operands[0]->type;
    int64_t strides[KERNEL_MAX_RANK];
    struct kernel_move box = move_of(in);
    row_major(op->results[0].type, strides);
    *move = (struct kernel_move){.rank = in->rank + 1};
    move->dims[0] = op->attrs->count;
    move->to[0] = in->dims[op->attrs->axis] * strides[op->attrs->axis];
    memcpy(move->dims + 1, box.dims, (size_t)in->rank * sizeof *box.dims);
    memcpy(move->from + 1, box.from, (size_t)in->rank * sizeof *box.from);
    memcpy(move->to + 1, strides, (size_t)in->rank * sizeof *strides);
    return in->elements == 0 ? 0 : 1;
}

/* Row i has the element of its lane `lane + i` everywhere; rows without that lane are undefined. */
static void in_sublanes(const struct kernel_op *op, struct kernel_move *move)
{
    const struct kernel_type *type = op->results[0].type;
    int64_t left = type->dims[type->rank - 1] - op->attrs->axis;
    *move = move_of(type);
    move->from[move->rank - 1] = 0;
    move->from_offset = op->attrs->axis;
    if (type->rank < 2)
        return;
    move->from[move->rank - 2]++;
    if (move->dims[move->rank - 2] > left)
        move->dims[move->rank - 2] = left;
}

static int gather_rows(const struct kernel_op *op, struct kernel_move *moves)
{
    const struct kernel_type *out = op->results[0].type;
    struct dims rows = op->attrs->dims;
    int64_t from[KERNEL_MAX_RANK], to[KERNEL_MAX_RANK];
    bool shuffles = op->code == KERNEL_SUBLANE_SHUFFLE;
    int axis = shuffles ? 0 : (int)op->attrs->axis;
    row_major(op->operands[0]->type, from);
    row_major(out, to);
    for (int64_t i = 0; i < rows.count; i++) {
        int64_t size = op->operands[0]->type->dims[axis];
        moves[i] = move_of(out);
        memcpy(moves[i].from, from, sizeof from);
        moves[i].dims[axis] = 1;
        moves[i].operand = shuffles && rows.at[i] >= size;
        moves[i].from_offset = rows.at[i] % (size > 0 ? size : 1) * from[axis];
        moves[i].to_offset = i * to[axis];
    }
    return (int)rows.count;
}

/* ---- positions and sizes of operands --------------------------------------------------------- */
/* vector.extract and insert with dynamic positions: INVALID_ARGUMENT where they are outside. */
static struct error *find_position(struct kernel_core *core, const struct kernel_instr *in,
                                   int first, const struct kernel_type *whole, int64_t *out)
{
    struct dims at = in->op->attrs->dims;
    int64_t strides[KERNEL_MAX_RANK];
    row_major(whole, strides);
    *out = 0;
    for (int64_t i = 0; i < at.count; i++) {
        int64_t index = at.at[i];
        if (index == KERNEL_DYNAMIC) {
            int bytes = dtype_bytes(in->op->operands[first]->type->dtype);
            index = kernel_integer(kernel_at(core, in->all[first++]), bytes);
        }
        if (index < 0 || index >= whole->dims[i])
            return ERROR(INVALID_ARGUMENT, "index %lld of dimension %lld, which has %lld elements",
                         (long long)index, (long long)i, (long long)whole->dims[i]);
        *out += index * strides[i];
    }
    return NULL;
}

struct error *kernel_shape_position(struct kernel_core *core, const struct kernel_instr *in,
                                    int64_t *out)
{
    return find_position(core, in, 1, in->op->operands[0]->type, out);
}

static enum kernel_flow run_extract(struct kernel_core *core, const struct kernel_instr *in)
{
    int64_t at;
    struct error *error = find_position(core, in, 1, in->op->operands[0]->type, &at);
    if (error)
        return kernel_core_fail(core, in->op, error);
    memcpy(kernel_at(core, in->out), (char *)kernel_at(core, in->in[0]) + at * in->bytes[3],
           (size_t)(in->count * in->bytes[3]));
    return KERNEL_FLOW_NEXT;
}

static enum kernel_flow run_insert(struct kernel_core *core, const struct kernel_instr *in)
{
    int64_t at, part = in->op->operands[0]->type->elements;
    struct error *error = find_position(core, in, 2, in->op->results[0].type, &at);
    if (error)
        return kernel_core_fail(core, in->op, error);
    memcpy(kernel_at(core, in->out), kernel_at(core, in->in[1]),
           (size_t)(in->count * in->bytes[3]));
    memcpy((char *)kernel_at(core, in->out) + at * in->bytes[3], kernel_at(core, in->in[0]),
           (size_t)(part * in->bytes[3]));
    return KERNEL_FLOW_NEXT;
}

static int64_t modulo(int64_t a, int64_t b)
{
    int64_t rest = b > 0 ? a % b : 0;
    return rest < 0 ? rest + b : rest;
}

/* Towards higher indices along `axis`: by `amount`, and along another dimension by a further
 * `count` for each element. */
static void rotate(const struct kernel_core *core, const struct kernel_instr *in, const char *from,
                   char *to, int bytes)
{
    const struct kernel_type *type = in->op->results[0].type;
    const struct kernel_attrs *attrs = in->op->attrs;
    int64_t amount = in->op->operand_count < 2
                         ? attrs->priority
                         : kernel_integer(kernel_at(core, in->in[1]), in->bytes[1]);
    int64_t size = type->dims[attrs->axis], strides[KERNEL_MAX_RANK];
    row_major(type, strides);
    int64_t inner = strides[attrs->axis];
    for (int64_t line = 0; size > 0 && line < type->elements / size; line++) {
        /* the line's first element, and where it is along the other dimension */
        int64_t start = line / inner * inner * size + line % inner;
        int64_t other = attrs->count_axis < 0
                            ? 0
                            : start / strides[attrs->count_axis] % type->dims[attrs->count_axis];
        int64_t shift = modulo(amount + other * attrs->count, size);
        struct kernel_box box = {1, {size - shift}, {inner * bytes}, {inner * bytes}};
        if (inner > 1 && attrs->count_axis < 0 && line % inner == 0) { /* whole rows at once */
            memcpy(to + (start + shift * inner) * bytes, from + start * bytes,
                   (size_t)((size - shift) * inner * bytes));
            memcpy(to + start * bytes, from + (start + (size - shift) * inner) * bytes,
                   (size_t)(shift * inner * bytes));
            line += inner - 1;
            continue;
        }
        kernel_move_box(&box, from + start * bytes, to + (start + shift * inner) * bytes, bytes);
        box.dims[0] = shift;
        if (shift > 0)
            kernel_move_box(&box, from + (start + (size - shift) * inner) * bytes,
                            to + start * bytes, bytes);
    }
}

static enum kernel_flow run_rotate(struct kernel_core *core, const struct kernel_instr *in)
{
    rotate(core, in, kernel_at(core, in->in[0]), kernel_at(core, in->out), in->bytes[3]);
    return KERNEL_FLOW_NEXT;
}

/* Where the element of a gather comes from: the dimensions that are gathered are one, row-major in
 * the order of the attribute, whose index is `at` and wraps; the others keep theirs. */
static int64_t gathered(const struct kernel_op *op, const int64_t *from, const int64_t *to,
                        int64_t element, int64_t at)
{
    const struct kernel_type *in = op->operands[0]->type, *out = op->results[0].type;
    struct dims dims = op->attrs->dims;
    int64_t total = 1, source = 0;
    for (int64_t k = 0; k < dims.count; k++)
        total *= in->dims[dims.at[k]];
    at = modulo(at, total);
    for (int i = 0; i < out->rank; i++)
        if (!dims_contain(dims, i))
            source += element / to[i] % out->dims[i] * from[i];
    for (int64_t k = dims.count - 1; k >= 0; k--) {
        source += at % in->dims[dims.at[k]] * from[dims.at[k]];
        at /= in->dims[dims.at[k]];
    }
    return source;
}

static void gather(const struct kernel_core *core, const struct kernel_instr *in,
                   const char *numbers, char *out, int bytes)
{
    const struct kernel_op *op = in->op;
    int64_t from[KERNEL_MAX_RANK], to[KERNEL_MAX_RANK];
    const char *at = kernel_at(core, in->in[1]);
    row_major(op->operands[0]->type, from);
    row_major(op->results[0].type, to);
    for (int64_t i = 0; op->operands[0]->type->elements > 0 && i < in->count; i++) {
        int64_t index = kernel_integer(at + i * in->bytes[1], in->bytes[1]);
        int64_t element = gathered(op, from, to, i, index);
        memcpy(out + i * bytes, numbers + element * bytes, (size_t)bytes);
    }
}

static enum kernel_flow run_gather(struct kernel_core *core, const struct kernel_instr *in)
{
    gather(core, in, kernel_at(core, in->in[0]), kernel_at(core, in->out), in->bytes[3]);
    return KERNEL_FLOW_NEXT;
}

/* Elements at or above the lower and below the upper bounds. */
static enum kernel_flow run_mask(struct kernel_core *core, const struct kernel_instr *in)
{
    const struct kernel_type *type = in->op->results[0].type;
    bool has_low = in->op->code == KERNEL_CREATE_MASK;
    uint8_t *out = kernel_at(core, in->out);
    int64_t low[KERNEL_MAX_RANK] = {0}, high[KERNEL_MAX_RANK];
    for (int i = 0; i < type->rank; i++) {
        int at = has_low ? type->rank + i : i;
        high[i] = kernel_integer(kernel_at(core, in->all[at]),
                                 dtype_bytes(in->op->operands[at]->type->dtype));
        if (has_low)
            low[i] = kernel_integer(kernel_at(core, in->all[i]),
                                    dtype_bytes(in->op->operands[i]->type->dtype));
    }
    for (int64_t i = 0; i < in->count; i++) {
        int64_t rest = i;
        out[i] = 1;
        for (int k = type->rank - 1; k >= 0; k--) {
            int64_t index = rest % type->dims[k];
            out[i] &= index >= low[k] && index < high[k];
            rest /= type->dims[k];
        }
    }
    return KERNEL_FLOW_NEXT;
}

/* base, base + step, ... */
#define COUNT_UP(name, T)                                                                          \
    static void name(T *out, int64_t base, int64_t step, int64_t count)                            \
    {                                                                                              \
        T first = (T)base, by = (T)step;                                                           \
        for (int64_t i = 0; i < count; i++)                                                        \
            out[i] = (T)(first + (T)i * by);                                                       \
    }
COUNT_UP(count_8, uint8_t)
COUNT_UP(count_16, uint16_t)
COUNT_UP(count_32, uint32_t)
COUNT_UP(count_64, uint64_t)

static void count_up(enum dtype dtype, void *out, int64_t base, int64_t step, int64_t count)
{
    int bytes = dtype_bytes(dtype);
    if (dtype_is_float(dtype)) {
        for (int64_t i = 0; i < count; i++)
            dtype_from_double(dtype, (double)(base + i * step), (char *)out + i * bytes);
        return;
    }
    switch (bytes) {
    case 1: count_8(out, base, step, count); return;
    case 2: count_16(out, base, step, count); return;
    case 4: count_32(out, base, step, count); return;
    default: count_64(out, base, step, count);
    }
}

/* The index along the dimensions, those listed first being the outer ones: row by row. */
static enum kernel_flow run_iota(struct kernel_core *core, const struct kernel_instr *in)
{
    const struct kernel_type *type = in->op->results[0].type;
    struct dims dims = in->op->attrs->dims;
    int64_t last[1] = {type->rank - 1}, strides[KERNEL_MAX_RANK];
    int64_t columns = type->rank > 0 ? type->dims[type->rank - 1] : 1;
    char *out = kernel_at(core, in->out);
    if (dims.count == 0)
        dims = (struct dims){type->rank > 0, last};
    row_major(type, strides);
    for (int64_t i = 0; i < in->count; i += columns) {
        int64_t base = 0, step = 0;
        for (int64_t k = 0; k < dims.count; k++) {
            int dim = (int)dims.at[k];
            base = base * type->dims[dim] + i / strides[dim] % type->dims[dim];
            step = step * type->dims[dim] + (dim == type->rank - 1);
        }
        count_up(type->dtype, out + i * in->bytes[3], base, step, columns);
    }
    return KERNEL_FLOW_NEXT;
}

/* ---- bits ------------------------------------------------------------------------------------ */
static void read_bits(const char *from, int64_t index, int bits, uint64_t *out)
{
    int bytes = bits < 8 ? 1 : bits / 8;
    *out = 0;
    memcpy(out, from + index * bytes, (size_t)bytes);
    *out &= bits == 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
}

static void write_bits(char *to, int64_t index, enum dtype dtype, uint64_t value)
{
    int bits = dtype_info(dtype)->bits, bytes = bits < 8 ? 1 : bits / 8;
    if (bits < 8 && dtype_info(dtype)->class == CLASS_SIGNED)
        value = ((value & ((1u << bits) - 1)) ^ (1u << (bits - 1))) - (1u << (bits - 1));
    memcpy(to + index * bytes, &value, (size_t)bytes);
}

/* Numbers of one width as numbers of another: along one dimension `ratio` narrow ones are the parts
 * of a wide one, the lowest bits first. */
static enum kernel_flow run_bitcast(struct kernel_core *core, const struct kernel_instr *in)
{
    const struct kernel_type *from = in->op->operands[0]->type, *to = in->op->results[0].type;
    int from_bits = dtype_info(from->dtype)->bits, to_bits = dtype_info(to->dtype)->bits;
    bool in_lanes = in->op->code == KERNEL_VECTOR_BITCAST || to->rank < 2;
    bool widens = to_bits > from_bits;
    int64_t ratio = widens ? to_bits / from_bits : from_bits / to_bits;
    int64_t inner = in_lanes ? 1 : to->dims[to->rank - 1];
    int narrow = widens ? from_bits : to_bits;
    const char *source = kernel_at(core, in->in[0]);
    char *target = kernel_at(core, in->out);
    int64_t wide_count = widens ? to->elements : from->elements;
    if (!widens)
        for (int64_t i = 0; i < to->elements && from_bits == to_bits; i++) {
            uint64_t bits;
            read_bits(source, i, from_bits, &bits);
            write_bits(target, i, to->dtype, bits);
        }
    for (int64_t i = 0; from_bits != to_bits && i < wide_count; i++) {
        uint64_t wide = 0, part;
        if (!widens)
            read_bits(source, i, from_bits, &wide);
        for (int64_t k = 0; k < ratio; k++) {
            int64_t at = (i / inner * ratio + k) * inner + i % inner;
            if (widens) {
                read_bits(source, at, narrow, &part);
                wide |= part << (k * narrow);
            } else {
                write_bits(target, at, to->dtype, wide >> (k * narrow));
            }
        }
        if (widens)
            write_bits(target, i, to->dtype, wide);
    }
    return KERNEL_FLOW_NEXT;
}

/* The states of a bitcast's elements: parts of a number have its state, a number of several that of
 * the first one that is not defined. */
static void bitcast_states(const struct kernel_instr *in, const uint8_t *from, uint8_t *to)
{
    const struct kernel_type *a = in->op->operands[0]->type, *b = in->op->results[0].type;
    bool in_lanes = in->op->code == KERNEL_VECTOR_BITCAST || b->rank < 2, widens;
    widens = a->elements > b->elements;
    int64_t inner = in_lanes ? 1 : b->dims[b->rank - 1];
    const struct kernel_type *wide = widens ? b : a, *narrow = widens ? a : b;
    int64_t ratio = wide->elements ? narrow->elements / wide->elements : 1;
    memset(to, 0, (size_t)b->elements);
    for (int64_t i = 0; i < wide->elements; i++)
        for (int64_t k = 0; k < ratio; k++) {
            int64_t at = (i / inner * ratio + k) * inner + i % inner;
            if (!widens)
                to[at] = from[i];
            else if (k == 0 || to[i] == KERNEL_DEFINED)
                to[i] = from[at];
        }
}

/* Rows of narrow numbers of rows of wide ones, and back: interleaved, row r of operand k is row
 * ratio * r + position; compressed, row position * rows + r. */
static enum kernel_flow run_subelements(struct kernel_core *core, const struct kernel_instr *in)
{
    bool packs = in->op->code == KERNEL_PACK_SUBELEMENTS;
    const struct kernel_type *from = in->op->operands[0]->type, *to = in->op->results[0].type;
    const struct kernel_type *wide = packs ? from : to, *narrow = packs ? to : from;
    int64_t ratio = dtype_bytes(wide->dtype) / dtype_bytes(narrow->dtype);
    int64_t columns = wide->rank >= 2 ? wide->dims[wide->rank - 1] : 1;
    int64_t rows = wide->rank >= 2 ? wide->dims[wide->rank - 2] : wide->dims[0];
    bool floats = dtype_is_float(from->dtype) && dtype_is_float(to->dtype);
    char *target = kernel_at(core, in->out);
    for (int k = 0; k < in->op->operand_count; k++) {
        const char *source = kernel_at(core, in->all[k]);
        int64_t position = packs ? in->op->attrs->dims.at[k] : in->op->attrs->axis;
        for (int64_t i = 0; i < wide->elements; i++) {
            int64_t row = i / columns, batch = row / rows, r = row % rows;
            int64_t inside =
                in->op->attrs->interleaved ? r * ratio + position : position * rows + r;
            int64_t other = (batch * rows * ratio + inside) * columns + i % columns;
            int64_t at_from = packs ? i : other, at_to = packs ? other : i;
            uint64_t bits = 0;
            if (floats) {
                double number = dtype_to_double(from->dtype, source + at_from * in->bytes[0]);
                dtype_from_double(to->dtype, number, &bits);
            } else {
                bits = (uint64_t)kernel_integer(source + at_from * in->bytes[0], in->bytes[0]);
                if (in->op->attrs->unsigned_integers)
                    bits &= (UINT64_C(1) << (8 * dtype_bytes(narrow->dtype))) - 1;
            }
            memcpy(target + at_to * in->bytes[3], &bits, (size_t)in->bytes[3]);
        }
    }
    return KERNEL_FLOW_NEXT;
}

bool kernel_shape_move_states(const struct kernel_core *core, const struct kernel_instr *in,
                              const uint8_t *from, uint8_t *to)
{
    if (in->run == run_rotate)
        rotate(core, in, (const char *)from, (char *)to, 1);
    else if (in->run == run_gather)
        gather(core, in, (const char *)from, (char *)to, 1);
    else if (in->run == run_bitcast)
        bitcast_states(in, from, to);
    else
        return false;
    return true;
}

/* ---- selection ------------------------------------------------------------------------------- */

static int count_moves(const struct kernel_op *op)
{
    bool rows = op->code == KERNEL_GATHER || op->code == KERNEL_SUBLANE_SHUFFLE;
    int64_t count = rows ? op->attrs->dims.count : op->operand_count;
    return count < 2 ? 2 : (int)count;
}

static int plan_moves(const struct kernel_op *op, struct kernel_move *moves)
{
    const struct kernel_type *in = op->operands[0]->type, *out = op->results[0].type;
    switch (op->code) {
    case KERNEL_BROADCAST: broadcast(op, moves); return 1;
    case KERNEL_TRANSPOSE:
    case KERNEL_VECTOR_TRANSPOSE: transpose(op, moves); return 1;
    case KERNEL_EXTRACT_SLICE: moves[0] = slice(op, in, out, true); return 1;
    case KERNEL_INSERT_SLICE:
        moves[0] = move_of(out);
        moves[0].operand = 1;
        moves[1] = slice(op, out, in, false);
        return 2;
    case KERNEL_CONCATENATE: return concatenate(op, moves);
    case KERNEL_REPEAT: return repeat(op, moves);
    case KERNEL_BROADCAST_IN_SUBLANES: in_sublanes(op, moves); return 1;
    default: return gather_rows(op, moves);
    }
}

struct error *kernel_shape_select(struct arena *arena, const struct kernel_op *op,
                                  struct kernel_instr *in)
{
    struct kernel_move *moves;
    switch (op->code) {
    case KERNEL_EXTRACT: in->run = run_extract; return NULL;
    case KERNEL_INSERT: in->run = run_insert; return NULL;
    case KERNEL_ROTATE:
    case KERNEL_DYNAMIC_ROTATE: in->run = run_rotate; return NULL;
    case KERNEL_DYNAMIC_GATHER: in->run = run_gather; return NULL;
    case KERNEL_CREATE_MASK:
    case KERNEL_VECTOR_CREATE_MASK: in->run = run_mask; return NULL;
    case KERNEL_IOTA:
    case KERNEL_VECTOR_STEP: in->run = run_iota; return NULL;
    case KERNEL_VECTOR_BITCAST:
    case KERNEL_TPU_BITCAST:
    case KERNEL_BITCAST_VREG: in->run = run_bitcast; return NULL;
    case KERNEL_PACK_SUBELEMENTS:
    case KERNEL_UNPACK_SUBELEMENTS: in->run = run_subelements; return NULL;
    default:
        moves = ARENA_ARRAY(arena, struct kernel_move, (size_t)count_moves(op));
        in->plan = moves;
        in->plan_count = op->results[0].type->elements == 0 ? 0 : plan_moves(op, moves);
        in->run = run_moves;
        return NULL;
    }
}
