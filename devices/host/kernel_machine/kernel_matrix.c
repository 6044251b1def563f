#include "devices/host/kernel_machine/kernel_matrix.h"

#include <string.h>

#include "devices/host/kernel_machine/kernel_lanes.h"
#include "devices/host/kernel_machine/kernel_move.h"
#include "devices/host/kernel_machine/kernel_shadow.h"
#include "devices/host/tiles/tile_matrix.h"
#include "devices/host/tiles/tile_sizes.h"

/* Both operands as [batch, rows, k] and [batch, k, columns], in f32 or s32. */
struct product {
    struct kernel_move lhs, rhs, out; /* to this form, and the result from it */
    int64_t batch, rows, k, columns;
    int64_t width; /* columns of the result's rows in scratch memory */
    int batch_rank;
    int64_t batch_dims[KERNEL_MAX_RANK], batch_strides[KERNEL_MAX_RANK]; /* of the result */
    bool is_integer;
    int parts[2]; /* numbers of bf16 that make one of the operand: 0: as it is, 1, or 2 */
    kernel_loop widen[2], acc_widen, narrow;
    size_t at_lhs, at_rhs, at_raw, at_packed, at_out, at_acc; /* in scratch memory */
};

/* ---- operands -------------------------------------------------------------------------------- */
/* To the nearest sum of one or two numbers of bf16. */
static void round_to_parts(float *numbers, int64_t count, int parts)
{
    enum { CHUNK = 512 };
    float high[CHUNK];
    for (int64_t at = 0; at < count && parts == 2; at += CHUNK) {
        int64_t size = count - at < CHUNK ? count - at : CHUNK;
        kernel_lanes_round(high, numbers + at, size);
        for (int64_t i = 0; i < size; i++)
            numbers[at + i] -= high[i];
        kernel_lanes_round(numbers + at, numbers + at, size);
        for (int64_t i = 0; i < size; i++)
            numbers[at + i] += high[i];
    }
    if (parts == 1)
        kernel_lanes_round(numbers, numbers, count);
}

/* The operand's numbers in the product's order and type. */
static void prepare(struct kernel_core *core, const struct kernel_instr *in,
                    const struct product *p, int side, void *out)
{
    const struct kernel_move *move = side == 0 ? &p->lhs : &p->rhs;
    int64_t count = side == 0 ? p->batch * p->rows * p->k : p->batch * p->k * p->columns;
    const char *from = kernel_at(core, in->in[side]);
    int bytes = in->bytes[side];
    bool converts = p->widen[side] != NULL;
    void *moved = converts ? core->scratch + p->at_raw : out;
    kernel_move_run(move, from, moved, bytes);
    if (converts)
        p->widen[side](out, moved, NULL, NULL, count);
    if (p->parts[side] > 0)
        round_to_parts(out, count, p->parts[side]);
}

/* ---- products -------------------------------------------------------------------------------- */
static void multiply_floats(struct kernel_core *core, const struct product *p, int64_t batch)
{
    const struct tile_product *tiles = tile_product();
    float *lhs = (float *)(void *)(core->scratch + p->at_lhs) + batch * p->rows * p->k;
    float *rhs = (float *)(void *)(core->scratch + p->at_rhs) + batch * p->k * p->columns;
    void *packed = core->scratch + p->at_packed;
    tile_product_pack(tiles, rhs, p->columns, 1, p->k, p->columns, packed);
    struct tile_matrix m = {.left = lhs,
                            .left_stride = p->k,
                            .left_k_stride = 1,
                            .right = packed,
                            .right_k = p->k,
                            .out = (float *)(void *)(core->scratch + p->at_out),
                            .out_stride = p->width,
                            .rows = p->rows,
                            .k = p->k,
                            .columns = p->columns,
                            .part = p->k};
    tile_matrix_multiply(tiles, &m);
}

static void multiply_integers(struct kernel_core *core, const struct product *p, int64_t batch)
{
    const int32_t *lhs = (int32_t *)(void *)(core->scratch + p->at_lhs) + batch * p->rows * p->k;
    const int32_t *rhs = (int32_t *)(void *)(core->scratch + p->at_rhs) + batch * p->k * p->columns;
    int32_t *out = (int32_t *)(void *)(core->scratch + p->at_out);
    for (int64_t i = 0; i < p->rows; i++) {
        int32_t *restrict row = out + i * p->width;
        memset(row, 0, (size_t)p->columns * sizeof *row);
        for (int64_t k = 0; k < p->k; k++) {
            int32_t factor = lhs[i * p->k + k];
            const int32_t *from = rhs + k * p->columns;
            for (int64_t j = 0; j < p->columns; j++)
                row[j] += factor * from[j];
        }
    }
}

/* ---- the result ------------------------------------------------------------------------------ */
/* Adds the accumulator, which has the result's order and type. */
static void add_accumulator(struct kernel_core *core, const struct kernel_instr *in,
                            const struct product *p, const void *sums)
{
    char *out = kernel_at(core, in->out);
    const char *acc = kernel_at(core, in->in[2]);
    int64_t count = in->count;
    if (!p->acc_widen && p->is_integer && in->op->results[0].type->dtype == DTYPE_S32) {
        kernel_lanes_find(KERNEL_ADDI, DTYPE_S32, 0)(out, acc, sums, NULL, count);
        return;
    }
    float *wide = (float *)(void *)(core->scratch + p->at_acc);
    const float *numbers = sums;
    if (p->is_integer) {
        kernel_lanes_convert(DTYPE_S32, DTYPE_F32, false)(wide + count, sums, NULL, NULL, count);
        numbers = wide + count;
    }
    if (!p->acc_widen) {
        kernel_lanes_find(KERNEL_ADDF, DTYPE_F32, 0)(out, acc, numbers, NULL, count);
        return;
    }
    p->acc_widen(wide, acc, NULL, NULL, count);
    kernel_lanes_find(KERNEL_ADDF, DTYPE_F32, 0)(wide, wide, numbers, NULL, count);
    p->narrow(out, wide, NULL, NULL, count);
}

static int64_t batch_offset(const struct product *p, int64_t batch)
{
    int64_t offset = 0;
    for (int i = p->batch_rank - 1; i >= 0; i--) {
        offset += batch % p->batch_dims[i] * p->batch_strides[i];
        batch /= p->batch_dims[i];
    }
    return offset;
}

static enum kernel_flow run_matmul(struct kernel_core *core, const struct kernel_instr *in)
{
    const struct product *p = in->plan;
    char *sums = core->scratch + p->at_raw; /* the operands there are no longer needed */
    if (in->count == 0)
        return KERNEL_FLOW_NEXT;
    if (p->k == 0) {
        memcpy(kernel_at(core, in->out), kernel_at(core, in->in[2]),
               (size_t)(in->count * in->bytes[3]));
        return KERNEL_FLOW_NEXT;
    }
    prepare(core, in, p, 0, core->scratch + p->at_lhs);
    prepare(core, in, p, 1, core->scratch + p->at_rhs);
    for (int64_t batch = 0; batch < p->batch; batch++) {
        struct kernel_move move = p->out;
        (p->is_integer ? multiply_integers : multiply_floats)(core, p, batch);
        move.to_offset = batch_offset(p, batch);
        kernel_move_run(&move, core->scratch + p->at_out, sums, sizeof(float));
    }
    add_accumulator(core, in, p, sums);
    return KERNEL_FLOW_NEXT;
}

/* ---- plans ----------------------------------------------------------------------------------- */
static void row_major(int rank, const int64_t *dims, int64_t *strides)
{
    int64_t stride = 1;
    for (int i = rank - 1; i >= 0; i--) {
        strides[i] = stride;
        stride *= dims[i];
    }
}

/* An operand's dimensions in the order of three lists; returns the sizes' products. */
static struct kernel_move order(const struct kernel_type *type, const struct dims *lists,
                                int64_t *sizes)
{
    struct kernel_move move = {0};
    int64_t strides[KERNEL_MAX_RANK];
    row_major(type->rank, type->dims, strides);
    for (int list = 0; list < 3; list++) {
        sizes[list] = 1;
        for (int64_t i = 0; i < lists[list].count; i++) {
            int64_t dim = lists[list].at[i];
            sizes[list] *= type->dims[dim];
            move.dims[move.rank] = type->dims[dim];
            move.from[move.rank++] = strides[dim];
        }
    }
    row_major(move.rank, move.dims, move.to);
    return move;
}

/* Where in the result a dimension of an operand is; -1: nowhere. */
static int find_output(const struct kernel_dot *dot, int side, int64_t dim)
{
    for (int64_t i = 0; 2 * i < dot->output.count; i++)
        if (dot->output.at[2 * i] == side && dot->output.at[2 * i + 1] == dim)
            return (int)i;
    return -1;
}

/* Of [rows, width] of one batch, whose dimensions are those of the operands, to the result. */
static void plan_output(const struct kernel_op *op, struct product *p)
{
    const struct kernel_dot *dot = op->attrs->dot;
    const struct kernel_type *out = op->results[0].type;
    int64_t strides[KERNEL_MAX_RANK];
    const struct dims lists[2] = {dot->lhs_free, dot->rhs_free};
    row_major(out->rank, out->dims, strides);
    p->batch_rank = (int)dot->lhs_batch.count;
    for (int i = 0; i < p->batch_rank; i++) {
        int at = find_output(dot, 0, dot->lhs_batch.at[i]);
        p->batch_dims[i] = out->dims[at];
        p->batch_strides[i] = strides[at];
    }
    for (int side = 0; side < 2; side++) {
        const struct kernel_type *type = op->operands[side]->type;
        int64_t inner = side == 0 ? p->width : 1, from[KERNEL_MAX_RANK];
        for (int64_t i = lists[side].count; i-- > 0;) {
            from[i] = inner;
            inner *= type->dims[lists[side].at[i]];
        }
        for (int64_t i = 0; i < lists[side].count; i++) {
            int at = p->out.rank++;
            p->out.dims[at] = type->dims[lists[side].at[i]];
            p->out.from[at] = from[i];
            p->out.to[at] = strides[find_output(dot, side, lists[side].at[i])];
        }
    }
}

static size_t take(size_t *at, int64_t count)
{
    size_t start = *at;
    *at += ((size_t)count * sizeof(float) + 63) / 64 * 64;
    return start;
}

static void plan_scratch(struct product *p, int64_t results, size_t *scratch)
{
    int64_t lhs = p->batch * p->rows * p->k, rhs = p->batch * p->k * p->columns;
    int64_t rows = tile_round_up(p->rows, TILE_ROWS);
    size_t at = 0;
    p->at_lhs = take(&at, lhs + (rows - p->rows) * p->k);
    p->at_rhs = take(&at, rhs);
    p->at_raw = take(&at, tile_most(tile_most(lhs, rhs), results));
    p->at_packed = take(&at, tile_product_packed(tile_product(), p->k, p->columns));
    p->at_out = take(&at, (rows + 1) * p->width);
    p->at_acc = take(&at, 2 * results);
    *scratch = at;
}

static void set_types(const struct kernel_op *op, struct product *p)
{
    enum dtype out = op->results[0].type->dtype;
    int passes = op->attrs->dot->passes, parts = passes == 1 ? 1 : passes == 3 ? 2 : 0;
    p->is_integer = !dtype_is_float(op->operands[0]->type->dtype);
    for (int i = 0; i < 2; i++) {
        enum dtype dtype = op->operands[i]->type->dtype;
        bool is_unsigned = dtype_info(dtype)->class == CLASS_UNSIGNED;
        p->widen[i] = p->is_integer ? kernel_lanes_convert(dtype, DTYPE_S32, is_unsigned)
                                    : kernel_lanes_widen(dtype);
        p->parts[i] = dtype == DTYPE_F32 && !kernel_op_is_row_product(op) ? parts : 0;
    }
    p->acc_widen = kernel_lanes_widen(out);
    p->narrow = kernel_lanes_narrow(out);
}

struct error *kernel_matrix_select(struct arena *arena, const struct kernel_op *op,
                                   struct kernel_instr *in, size_t *scratch)
{
    const struct kernel_dot *dot = op->attrs->dot;
    struct product *p = ARENA_NEW(arena, struct product);
    const struct dims left[3] = {dot->lhs_batch, dot->lhs_free, dot->lhs_contract};
    const struct dims right[3] = {dot->rhs_batch, dot->rhs_contract, dot->rhs_free};
    int64_t sizes[3];
    p->lhs = order(op->operands[0]->type, left, sizes);
    p->batch = sizes[0], p->rows = sizes[1], p->k = sizes[2];
    p->rhs = order(op->operands[1]->type, right, sizes);
    p->columns = sizes[2];
    p->width = tile_round_up(p->columns, 64);
    set_types(op, p);
    plan_output(op, p);
    plan_scratch(p, op->results[0].type->elements, scratch);
    in->plan = p;
    in->run = run_matmul;
    return NULL;
}

/* ---- the checker ----------------------------------------------------------------------------- */
static size_t larger_operand(const struct product *p)
{
    int64_t lhs = p->batch * p->rows * p->k, rhs = p->batch * p->k * p->columns;
    return (size_t)tile_most(lhs, rhs);
}

size_t kernel_matrix_taint_bytes(const struct kernel_instr *in)
{
    const struct product *p = in->plan;
    return larger_operand(p) + (size_t)(p->batch * (p->rows + p->columns) + p->rows * p->width);
}

/* Whether a line of an operand, in the product's order, has an element that is not defined. */
static void mark_lines(const struct product *p, int side, const uint8_t *states, uint8_t *moved,
                       uint8_t *lines)
{
    if (!states)
        return;
    kernel_move_run(side == 0 ? &p->lhs : &p->rhs, (const char *)states, (char *)moved, 1);
    for (int64_t b = 0; b < p->batch; b++)
        for (int64_t i = 0; i < (side == 0 ? p->rows : p->columns); i++)
            for (int64_t k = 0; k < p->k; k++) {
                int64_t at =
                    side == 0 ? (b * p->rows + i) * p->k + k : (b * p->k + k) * p->columns + i;
                lines[b * (side == 0 ? p->rows : p->columns) + i] |= moved[at] != KERNEL_DEFINED;
            }
}

void kernel_matrix_taint(const struct kernel_instr *in, const uint8_t *lhs, const uint8_t *rhs,
                         uint8_t *out, uint8_t *scratch)
{
    const struct product *p = in->plan;
    uint8_t *rows = scratch + larger_operand(p), *columns = rows + p->batch * p->rows;
    uint8_t *block = columns + p->batch * p->columns;
    mark_lines(p, 0, lhs, scratch, rows);
    mark_lines(p, 1, rhs, scratch, columns);
    for (int64_t b = 0; b < p->batch; b++) {
        struct kernel_move move = p->out;
        for (int64_t i = 0; i < p->rows; i++)
            for (int64_t j = 0; j < p->columns; j++)
                block[i * p->width + j] = rows[b * p->rows + i] || columns[b * p->columns + j]
                                              ? KERNEL_POISONED
                                              : KERNEL_DEFINED;
        move.to_offset = batch_offset(p, b);
        kernel_move_run(&move, (const char *)block, (char *)out, 1);
    }
}
