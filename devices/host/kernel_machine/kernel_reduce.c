#include "devices/host/kernel_machine/kernel_reduce.h"

#include <stdlib.h>
#include <string.h>

#include "devices/host/kernel_machine/kernel_lanes.h"
#include "devices/host/kernel_machine/kernel_move.h"
#include "devices/host/kernel_machine/kernel_shadow.h"

/* The operand as [outer, size, inner], of which `size` is reduced. Where the reduced dimensions are
 * not adjacent, the operand is transposed into that form first. */
struct reduction {
    bool moves;
    struct kernel_move move;
    int64_t outer, size, inner;
    enum dtype dtype;
    kernel_loop widen, narrow;
    size_t moved, wide, sums; /* offsets in the scratch memory */
};

/* ---- combining ------------------------------------------------------------------------------- */
static inline float combine_f32(enum kernel_reduction kind, float a, float b)
{
    switch (kind) {
    case KERNEL_REDUCE_ADD: return a + b;
    case KERNEL_REDUCE_MUL: return a * b;
    case KERNEL_REDUCE_MIN: return a != a ? a : b != b ? b : a < b ? a : b;
    case KERNEL_REDUCE_MAX: return a != a ? a : b != b ? b : a > b ? a : b;
    case KERNEL_REDUCE_MIN_NUMBER: return a != a ? b : b != b ? a : a < b ? a : b;
    default: return a != a ? b : b != b ? a : a > b ? a : b;
    }
}

static inline int64_t combine_int(enum kernel_reduction kind, int64_t a, int64_t b)
{
    switch (kind) {
    case KERNEL_REDUCE_ADD: return (int64_t)((uint64_t)a + (uint64_t)b);
    case KERNEL_REDUCE_MUL: return (int64_t)((uint64_t)a * (uint64_t)b);
    case KERNEL_REDUCE_MIN:
    case KERNEL_REDUCE_MIN_NUMBER: return a < b ? a : b;
    case KERNEL_REDUCE_MIN_UNSIGNED: return (uint64_t)a < (uint64_t)b ? a : b;
    case KERNEL_REDUCE_MAX_UNSIGNED: return (uint64_t)a > (uint64_t)b ? a : b;
    case KERNEL_REDUCE_AND: return a & b;
    case KERNEL_REDUCE_OR: return a | b;
    case KERNEL_REDUCE_XOR: return a ^ b;
    default: return a > b ? a : b;
    }
}

/* A row of adjacent numbers: in 16 parts side by side, which vectors hold. */
#define ROW(name, kind)                                                                            \
    static float name(const float *row, int64_t size)                                              \
    {                                                                                              \
        enum { LANES = 16 };                                                                       \
        float parts[LANES];                                                                        \
        int64_t i = LANES;                                                                         \
        if (size < LANES) {                                                                        \
            float result = row[0];                                                                 \
            for (int64_t k = 1; k < size; k++)                                                     \
                result = combine_f32(kind, result, row[k]);                                        \
            return result;                                                                         \
        }                                                                                          \
        memcpy(parts, row, sizeof parts);                                                          \
        for (; i + LANES <= size; i += LANES)                                                      \
            for (int k = 0; k < LANES; k++)                                                        \
                parts[k] = combine_f32(kind, parts[k], row[i + k]);                                \
        for (int k = 0; i + k < size; k++)                                                         \
            parts[k] = combine_f32(kind, parts[k], row[i + k]);                                    \
        for (int width = LANES / 2; width > 0; width /= 2)                                         \
            for (int k = 0; k < width; k++)                                                        \
                parts[k] = combine_f32(kind, parts[k], parts[k + width]);                          \
        return parts[0];                                                                           \
    }
ROW(row_add, KERNEL_REDUCE_ADD)
ROW(row_mul, KERNEL_REDUCE_MUL)
ROW(row_min, KERNEL_REDUCE_MIN)
ROW(row_max, KERNEL_REDUCE_MAX)
ROW(row_min_number, KERNEL_REDUCE_MIN_NUMBER)
ROW(row_max_number, KERNEL_REDUCE_MAX_NUMBER)

static float reduce_row(enum kernel_reduction kind, const float *row, int64_t size)
{
    switch (kind) {
    case KERNEL_REDUCE_ADD: return row_add(row, size);
    case KERNEL_REDUCE_MUL: return row_mul(row, size);
    case KERNEL_REDUCE_MIN: return row_min(row, size);
    case KERNEL_REDUCE_MAX: return row_max(row, size);
    case KERNEL_REDUCE_MIN_NUMBER: return row_min_number(row, size);
    default: return row_max_number(row, size);
    }
}

static void combine_columns(enum kernel_reduction kind, float *restrict sums, const float *row,
                            int64_t count)
{
    if (kind == KERNEL_REDUCE_ADD)
        for (int64_t i = 0; i < count; i++)
            sums[i] += row[i];
    else
        for (int64_t i = 0; i < count; i++)
            sums[i] = combine_f32(kind, sums[i], row[i]);
}

/* ---- reductions ------------------------------------------------------------------------------ */
static void reduce_floats(const struct reduction *r, enum kernel_reduction kind,
                          const float *numbers, float *sums)
{
    for (int64_t o = 0; o < r->outer; o++) {
        const float *block = numbers + o * r->size * r->inner;
        if (r->inner == 1) {
            sums[o] = reduce_row(kind, block, r->size);
            continue;
        }
        memcpy(sums + o * r->inner, block, (size_t)r->inner * sizeof *sums);
        for (int64_t k = 1; k < r->size; k++)
            combine_columns(kind, sums + o * r->inner, block + k * r->inner, r->inner);
    }
}

static int64_t integer_at(const struct reduction *r, enum kernel_reduction kind, const char *at)
{
    int bytes = dtype_bytes(r->dtype);
    bool is_unsigned = kind == KERNEL_REDUCE_MIN_UNSIGNED || kind == KERNEL_REDUCE_MAX_UNSIGNED ||
                       r->dtype == DTYPE_PRED || dtype_info(r->dtype)->class == CLASS_UNSIGNED;
    int64_t number = kernel_integer(at, bytes);
    return is_unsigned && bytes < 8 ? number & ((INT64_C(1) << 8 * bytes) - 1) : number;
}

static void reduce_integers(const struct reduction *r, enum kernel_reduction kind,
                            const char *numbers, const char *start, char *out)
{
    int bytes = dtype_bytes(r->dtype);
    for (int64_t i = 0; i < r->outer * r->inner; i++) {
        const char *first = numbers + (i / r->inner * r->size * r->inner + i % r->inner) * bytes;
        int64_t sum = integer_at(r, kind, start ? start + i * bytes : first);
        for (int64_t k = start ? 0 : 1; k < r->size; k++)
            sum = combine_int(kind, sum, integer_at(r, kind, first + k * r->inner * bytes));
        if (r->dtype == DTYPE_PRED)
            sum &= 1;
        memcpy(out + i * bytes, &sum, (size_t)bytes);
    }
}

static const char *prepare(struct kernel_core *core, const struct kernel_instr *in,
                           const struct reduction *r)
{
    const char *numbers = kernel_at(core, in->in[0]);
    if (r->moves) {
        kernel_move_run(&r->move, numbers, core->scratch + r->moved, in->bytes[0]);
        numbers = core->scratch + r->moved;
    }
    if (r->widen) {
        r->widen(core->scratch + r->wide, numbers, NULL, NULL, r->outer * r->size * r->inner);
        numbers = core->scratch + r->wide;
    }
    return numbers;
}

static enum kernel_flow run_reduce(struct kernel_core *core, const struct kernel_instr *in)
{
    const struct reduction *r = in->plan;
    enum kernel_reduction kind = in->op->attrs->reduction;
    const char *start = in->op->operand_count > 1 ? kernel_at(core, in->in[1]) : NULL;
    int64_t count = r->outer * r->inner;
    char *out = kernel_at(core, in->out);
    if (r->size == 0 || count == 0) {
        if (start)
            memcpy(out, start, (size_t)(count * in->bytes[3]));
        return KERNEL_FLOW_NEXT;
    }
    const char *numbers = prepare(core, in, r);
    if (!dtype_is_float(r->dtype)) {
        reduce_integers(r, kind, numbers, start, out);
        return KERNEL_FLOW_NEXT;
    }
    float *sums = (float *)(void *)(core->scratch + r->sums), *wide = sums + count;
    reduce_floats(r, kind, (const float *)(const void *)numbers, sums);
    if (start && r->widen)
        r->widen(wide, start, NULL, NULL, count);
    if (start)
        combine_columns(kind, sums, r->widen ? wide : (const float *)(const void *)start, count);
    if (r->narrow)
        r->narrow(out, sums, NULL, NULL, count);
    else
        memcpy(out, sums, (size_t)count * sizeof *sums);
    return KERNEL_FLOW_NEXT;
}

/* The reduction along a dimension, repeated along it. */
static enum kernel_flow run_all_reduce(struct kernel_core *core, const struct kernel_instr *in)
{
    const struct reduction *r = in->plan;
    enum kernel_reduction kind = in->op->attrs->reduction;
    char *out = kernel_at(core, in->out);
    int bytes = in->bytes[3];
    const char *numbers = prepare(core, in, r);
    char *sums = core->scratch + r->sums;
    if (r->size == 0 || r->outer * r->inner == 0)
        return KERNEL_FLOW_NEXT;
    if (dtype_is_float(r->dtype)) {
        reduce_floats(r, kind, (const float *)(const void *)numbers, (float *)(void *)sums);
        if (r->narrow)
            r->narrow(sums, sums, NULL, NULL, r->outer * r->inner); /* narrower: in place */
    } else {
        reduce_integers(r, kind, numbers, NULL, sums);
    }
    for (int64_t o = 0; o < r->outer; o++)
        for (int64_t k = 0; k < r->size; k++)
            memcpy(out + (o * r->size + k) * r->inner * bytes, sums + o * r->inner * bytes,
                   (size_t)(r->inner * bytes));
    return KERNEL_FLOW_NEXT;
}

/* The first index of the largest or smallest number; a NaN is both. */
static enum kernel_flow run_index(struct kernel_core *core, const struct kernel_instr *in)
{
    const struct reduction *r = in->plan;
    bool wants_most = in->op->attrs->reduction == KERNEL_REDUCE_ARGMAX;
    const char *numbers = prepare(core, in, r);
    int bytes = in->bytes[0];
    bool floats = dtype_is_float(r->dtype);
    char *out = kernel_at(core, in->out);
    for (int64_t i = 0; i < r->outer * r->inner; i++) {
        int64_t first = i / r->inner * r->size * r->inner + i % r->inner, best = 0;
        for (int64_t k = 1; k < r->size; k++) {
            int64_t a = first + k * r->inner, b = first + best * r->inner;
            bool better;
            if (floats) {
                float x = ((const float *)(const void *)numbers)[a];
                float y = ((const float *)(const void *)numbers)[b];
                better = y == y && (x != x || (wants_most ? x > y : x < y));
            } else {
                int64_t x = integer_at(r, KERNEL_REDUCE_MAX, numbers + a * bytes);
                int64_t y = integer_at(r, KERNEL_REDUCE_MAX, numbers + b * bytes);
                better = wants_most ? x > y : x < y;
            }
            best = better ? k : best;
        }
        memcpy(out + i * in->bytes[3], &best, (size_t)in->bytes[3]);
    }
    return KERNEL_FLOW_NEXT;
}

/* Running results along a dimension; numbers that are masked out do not take part. */
static enum kernel_flow run_scan(struct kernel_core *core, const struct kernel_instr *in)
{
    const struct reduction *r = in->plan;
    enum kernel_reduction kind = in->op->attrs->reduction;
    const uint8_t *mask = in->op->operand_count > 1 ? kernel_at(core, in->in[1]) : NULL;
    const char *numbers = kernel_at(core, in->in[0]);
    char *out = kernel_at(core, in->out);
    int bytes = in->bytes[3];
    for (int64_t o = 0; o < r->outer * r->inner; o++) {
        int64_t sum = 0, first = o / r->inner * r->size * r->inner + o % r->inner;
        float real = 0;
        bool has_any = false;
        for (int64_t k = 0; k < r->size; k++) {
            int64_t at = (first + k * r->inner) * bytes;
            bool takes = !mask || mask[k];
            if (dtype_is_float(r->dtype)) {
                float number = (float)dtype_to_double(r->dtype, numbers + at);
                real = !takes ? real : has_any ? combine_f32(kind, real, number) : number;
                dtype_from_double(r->dtype, real, out + at);
            } else {
                int64_t number = integer_at(r, kind, numbers + at);
                sum = !takes ? sum : has_any ? combine_int(kind, sum, number) : number;
                memcpy(out + at, &sum, (size_t)bytes);
            }
            has_any |= takes;
        }
    }
    return KERNEL_FLOW_NEXT;
}

/* ---- sorts ----------------------------------------------------------------------------------- */
struct sort_item {
    double key;
    int64_t position;
    bool is_in; /* not masked out: those come last */
};

static int compare_items(const void *a, const void *b)
{
    const struct sort_item *x = a, *y = b;
    if (x->is_in != y->is_in)
        return x->is_in ? -1 : 1;
    if (x->key != y->key && x->is_in)
        return x->key < y->key ? -1 : 1;
    return x->position < y->position ? -1 : x->position > y->position;
}

/* Keys and values along the last dimension, stable; the mask of what is in comes first. */
static enum kernel_flow run_sort(struct kernel_core *core, const struct kernel_instr *in)
{
    const struct reduction *r = in->plan;
    const struct kernel_op *op = in->op;
    struct sort_item *items = (struct sort_item *)(void *)core->scratch;
    const char *keys = kernel_at(core, in->in[0]), *values = kernel_at(core, in->in[1]);
    const uint8_t *mask = op->operand_count > 2 ? kernel_at(core, in->in[2]) : NULL;
    const struct kernel_listing *listing = &core->run->machine->main;
    uint8_t *out_mask = kernel_at(core, listing->offsets[op->results[0].id]);
    char *out_keys = kernel_at(core, listing->offsets[op->results[1].id]);
    char *out_values = kernel_at(core, listing->offsets[op->results[2].id]);
    double sign = op->attrs->descending ? -1 : 1;
    for (int64_t o = 0; o < r->outer; o++) {
        int64_t first = o * r->size;
        for (int64_t k = 0; k < r->size; k++) {
            const char *key = keys + (first + k) * in->bytes[0];
            double number = dtype_is_float(r->dtype)
                                ? dtype_to_double(r->dtype, key)
                                : (double)integer_at(r, KERNEL_REDUCE_MAX, key);
            items[k] = (struct sort_item){sign * number, k, !mask || mask[first + k]};
        }
        qsort(items, (size_t)r->size, sizeof *items, compare_items);
        for (int64_t k = 0; k < r->size; k++) {
            int64_t from = first + items[k].position, to = first + k;
            out_mask[to] = items[k].is_in;
            memcpy(out_keys + to * in->bytes[0], keys + from * in->bytes[0], (size_t)in->bytes[0]);
            memcpy(out_values + to * in->bytes[1], values + from * in->bytes[1],
                   (size_t)in->bytes[1]);
        }
    }
    return KERNEL_FLOW_NEXT;
}

/* How many elements up to each one along the last dimension have its bits, and which are the last
 * of their value; elements that are masked out count as the only one. */
static enum kernel_flow run_scan_count(struct kernel_core *core, const struct kernel_instr *in)
{
    const struct reduction *r = in->plan;
    struct sort_item *items = (struct sort_item *)(void *)core->scratch;
    const uint8_t *mask = kernel_at(core, in->in[0]);
    const char *values = kernel_at(core, in->in[1]);
    const struct kernel_listing *listing = &core->run->machine->main;
    uint8_t *last = kernel_at(core, in->out);
    int32_t *counts = kernel_at(core, listing->offsets[in->op->results[1].id]);
    for (int64_t first = 0; first < r->outer * r->size; first += r->size) {
        for (int64_t k = 0; k < r->size; k++)
            items[k] = (struct sort_item){
                .key = (double)kernel_integer(values + (first + k) * in->bytes[1], in->bytes[1]),
                .position = k,
                .is_in = mask[first + k]};
        qsort(items, (size_t)r->size, sizeof *items, compare_items);
        for (int64_t k = 0; k < r->size; k++) {
            int64_t to = first + items[k].position;
            bool follows = k > 0 && items[k].is_in && items[k - 1].key == items[k].key;
            bool continues =
                k + 1 < r->size && items[k + 1].is_in && items[k + 1].key == items[k].key;
            counts[to] = follows ? counts[first + items[k - 1].position] + 1 : 1;
            last[to] = items[k].is_in && !continues;
        }
    }
    return KERNEL_FLOW_NEXT;
}

/* ---- plans ----------------------------------------------------------------------------------- */
static bool is_reduced(struct dims axes, int dim)
{
    return dims_contain(axes, dim);
}

/* Kept dimensions, then the reduced ones, as a transpose. */
static void plan_transpose(const struct kernel_type *type, struct dims axes, struct reduction *r)
{
    int64_t strides[KERNEL_MAX_RANK], stride = 1, to = 1;
    int at = 0;
    for (int i = type->rank - 1; i >= 0; i--) {
        strides[i] = stride;
        stride *= type->dims[i];
    }
    r->moves = true;
    r->move.rank = type->rank;
    for (int reduced = 0; reduced < 2; reduced++)
        for (int i = 0; i < type->rank; i++)
            if (is_reduced(axes, i) == (reduced == 1)) {
                r->move.dims[at] = type->dims[i];
                r->move.from[at++] = strides[i];
            }
    for (int i = type->rank - 1; i >= 0; i--) {
        r->move.to[i] = to;
        to *= r->move.dims[i];
    }
    r->outer *= r->inner;
    r->inner = 1;
}

static void plan_shape(const struct kernel_type *type, struct dims axes, struct reduction *r)
{
    bool seen = false, ended = false, split = false;
    r->outer = r->size = r->inner = 1;
    for (int i = 0; i < type->rank; i++) {
        bool reduced = is_reduced(axes, i);
        split |= reduced && ended && type->dims[i] != 1;
        seen |= reduced;
        ended |= seen && !reduced && type->dims[i] != 1;
        *(reduced ? &r->size : seen ? &r->inner : &r->outer) *= type->dims[i];
    }
    if (split)
        plan_transpose(type, axes, r);
}

static void plan_scratch(const struct kernel_type *type, struct reduction *r, size_t *scratch)
{
    size_t elements = (size_t)type->elements, at = 0;
    r->moved = at;
    at += r->moves ? (elements * (size_t)dtype_bytes(type->dtype) + 63) / 64 * 64 : 0;
    r->wide = at;
    at += r->widen ? (elements * sizeof(float) + 63) / 64 * 64 : 0;
    r->sums = at;
    at += (size_t)(r->outer * r->inner) * 2 * sizeof(int64_t);
    *scratch = at;
}

struct error *kernel_reduce_select(struct arena *arena, const struct kernel_op *op,
                                   struct kernel_instr *in, size_t *scratch)
{
    bool sorts = op->code == KERNEL_SORT || op->code == KERNEL_SCAN_COUNT;
    const struct kernel_type *type = op->operands[op->code == KERNEL_SCAN_COUNT]->type;
    struct reduction *r = ARENA_NEW(arena, struct reduction);
    int64_t *axis = ARENA_NEW(arena, int64_t);
    struct dims axes = {1, axis};
    *axis = sorts ? type->rank - 1 : op->attrs->axis;
    r->dtype = type->dtype;
    if (op->code == KERNEL_MULTI_REDUCTION)
        axes = op->attrs->dims;
    plan_shape(type, axes, r);
    if (op->code == KERNEL_REDUCTION)
        r->outer = r->inner = 1, r->size = type->elements, r->moves = false;
    if (op->code != KERNEL_SCAN && !sorts) {
        r->widen = kernel_lanes_widen(type->dtype);
        r->narrow = kernel_lanes_narrow(type->dtype);
    }
    plan_scratch(type, r, scratch);
    if (sorts)
        *scratch = (size_t)r->size * sizeof(struct sort_item);
    in->plan = r;
    in->run = op->code == KERNEL_ALL_REDUCE     ? run_all_reduce
              : op->code == KERNEL_REDUCE_INDEX ? run_index
              : op->code == KERNEL_SCAN         ? run_scan
              : op->code == KERNEL_SORT         ? run_sort
              : op->code == KERNEL_SCAN_COUNT   ? run_scan_count
                                                : run_reduce;
    return NULL;
}

void kernel_reduce_taint(const struct kernel_instr *in, const uint8_t *states, uint8_t *out,
                         uint8_t *scratch)
{
    const struct reduction *r = in->plan;
    if (r->moves)
        kernel_move_run(&r->move, (const char *)states, (char *)scratch, 1);
    const uint8_t *from = r->moves ? scratch : states;
    for (int64_t i = 0; i < r->outer * r->size * r->inner; i++)
        if (from[i] != KERNEL_DEFINED)
            out[i / (r->size * r->inner) * r->inner + i % r->inner] = KERNEL_POISONED;
}
