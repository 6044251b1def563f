/* lanes.c: see lanes.h. */
#include "compiler/schedule/lanes.h"

#include "compiler/schedule/analysis.h"
#include "compiler/schedule/arithmetic.h"

enum {
    COLUMN_VECTORS = 8,    /* with fewer vectors, too many lanes of the last one would be empty */
    COLUMN_REGISTERS = 8,  /* of accumulators: blocks of a sum have some at each of their levels */
    TOGETHER_BYTES = 4096, /* of a row's columns that a work item reduces together, */
    TOGETHER_PIECE = 128,  /* of them at a time, */
    TOGETHER_CACHES = 8,   /* if what is reduced is larger than this multiple of the cache */
    HEAVY_VECTORS = 4,     /* registers of a vector of functions like exp */
    LONG_CHAIN = 128,      /* operations of one vector, from which two hide each other's latency, */
    STEP_WEIGHT = 64,      /* operations of the vectors of an iteration */
    NARROW_ELEMENTS = 1 << 18,       /* that are stored as halves of what they are computed with, */
    NARROW_WEIGHT = 16,              /* of so few operations that memory decides */
    LONG_CHAIN_ELEMENTS = 1 << 16,   /* if so many elements are worth compiling twice the code, */
    LONG_INTEGER_CHAIN = 64,         /* and operations on integers, from which four do so, */
    LONG_INTEGER_ELEMENTS = 1 << 20, /* if so many elements are worth four times the code, */
    REST_TIMES = 4,                  /* so many times as many if the rest of a row is code, too */
    INTEGER_REGISTERS = 4,
    SIDE_BY_SIDE = 8 /* rows */
};

bool lanes_any_root(const struct nest *nest, int axis,
                    bool (*holds)(const struct value *value, int dim))
{
    for (int i = 0; i < nest->count; i++)
        if (holds(nest->roots[i], nest->schedule.axis[axis].dim))
            return true;
    return false;
}

/* Whether vectors of several registers are faster than one: as several accumulators they hide the
 * latency of arithmetic. Sums of short rows, and of what is looked up for them, wait for their
 * loads instead, several for each register of elements, which would only be more code. */
static bool should_widen(const struct target *target, const struct nest *nest)
{
    int last = nest->schedule.axes - 1;
    bool light = true;
    for (int i = 0; i < nest->count; i++)
        light = light && arithmetic_is_light(nest->roots[i]);
    light = light || analysis_looks_up(nest->roots[0]);
    return nest->schedule.axis[last].size >= target->isa.vector_bytes &&
           !(light && lanes_any_root(nest, last, analysis_reduces_rows));
}

/* Whether columns are reduced together: if they do not fit in the cache, whose size is known. */
static bool reduces_many_columns(const struct target *target, const struct nest *nest)
{
    int dim = nest->schedule.axis[nest->schedule.axes - 1].dim;
    int64_t bytes = (int64_t)target->cache_bytes * TOGETHER_CACHES;
    for (int i = 0; i < nest->count && bytes > 0; i++)
        if (analysis_reduces_columns(nest->roots[i], dim, bytes))
            return true;
    return false;
}

/* The lanes of a nest with reductions that differ along the lanes. A plain sum of many columns
 * has COLUMN_REGISTERS: memory is read faster in longer pieces of each row. `widest`: bytes of the
 * widest type. 64-bit types have half the lanes: with vectors of eight registers, LLVM's selection
 * of instructions for masks does not end. */
static int lanes_of_columns(const struct target *target, const struct nest *nest, int widest)
{
    int lanes = widest > 4 ? target->isa.vector_bytes / 2 : target->isa.vector_bytes;
    int most = target->isa.vector_bytes / (widest < 4 ? 4 : widest) * COLUMN_REGISTERS;
    const struct value *root = nest->roots[0];
    for (int i = 0; i < nest->count; i++)
        if (!arithmetic_is_light(nest->roots[i]))
            return HEAVY_VECTORS * target->isa.vector_bytes / (widest < 4 ? 4 : widest);
    if (reduces_many_columns(target, nest))
        return TOGETHER_PIECE / (widest < 4 ? 4 : widest);
    if (nest->count > 1 || dtype_is_complex(root->type->shape.dtype) ||
        !arithmetic_is_plain_sum(root))
        return lanes;
    while (lanes < most &&
           nest->schedule.axis[nest->schedule.axes - 1].size >= 2 * lanes * COLUMN_VECTORS &&
           type_elements(nest->shape) >= (int64_t)4 * lanes * target->cores)
        lanes *= 2;
    return lanes;
}

/* Bytes of the widest type that a nest computes with. Elements that are only moved stay as small as
 * they are in memory. */
static int widest_of(const struct nest *nest)
{
    int widest = 1;
    for (int i = 0; i < nest->count; i++) {
        const struct value *root = nest->roots[i];
        enum dtype dtype = root->type->shape.dtype;
        bool moves = !arithmetic_weight(root) && !analysis_has_loop(root);
        int bytes = nest->schedule.bits ? dtype_bytes(dtype)
                    : moves             ? dtype_bytes(dtype_real_part(dtype))
                                        : arithmetic_widest(root);
        widest = bytes > widest ? bytes : widest;
    }
    return widest;
}

/* Whether an element takes so many operations, most of which wait for the one before, as those of a
 * random number do, that a processor has no room for the next vector's while it waits. */
static bool has_long_chains(const struct nest *nest, int lanes)
{
    const struct schedule *schedule = &nest->schedule;
    int64_t weight = 0;
    for (int i = 0; i < nest->count; i++) {
        if (dtype_bytes(nest->roots[i]->type->shape.dtype) > 4)
            return false;
        weight += arithmetic_weight(nest->roots[i]);
    }
    return weight >= LONG_CHAIN && !nest->visited && schedule->interleave == 1 &&
           type_elements(nest->shape) >= LONG_CHAIN_ELEMENTS &&
           schedule->axis[schedule->axes - 1].size >= (int64_t)2 * lanes * COLUMN_VECTORS;
}

/* Whether many of the operations are on integers, as the rounds of a random number are: these have
 * few operands and constants, so that more chains share the registers. */
static bool has_long_integer_chains(const struct nest *nest, int lanes)
{
    int count = 0;
    int64_t size = nest->schedule.axis[nest->schedule.axes - 1].size,
            step = (int64_t)INTEGER_REGISTERS * lanes,
            elements = type_elements(nest->shape) / (size % step ? REST_TIMES : 1);
    const struct op *root = nest->roots[0]->def;
    for (const struct op *op = root ? root->block->first : NULL; op; op = op->next)
        count += op_info(op->code)->traits & OP_ELEMENTWISE && op->operand_count > 1 &&
                 dtype_is_integer(op->results[0].type->shape.dtype) &&
                 type_elements(op->results[0].type) == type_elements(nest->shape);
    return count >= LONG_INTEGER_CHAIN && elements >= LONG_INTEGER_ELEMENTS &&
           size >= step * COLUMN_VECTORS;
}

/* The registers of a vector, which offer the processor as many chains at a time. Numbers of 64 bits
 * have two anyway. */
static int registers_of_chains(const struct nest *nest, int lanes)
{
    if (!has_long_chains(nest, lanes))
        return 1;
    return has_long_integer_chains(nest, lanes) ? INTEGER_REGISTERS : 2;
}

/* The lanes of a nest that reduces rows side by side. Each is code of its own, and more of them
 * would not take fewer instructions for a row. */
static int lanes_side_by_side(const struct target *target, int widest)
{
    int lanes = target->isa.vector_bytes / (widest < 4 ? 4 : widest);
    return lanes < SIDE_BY_SIDE ? lanes : SIDE_BY_SIDE;
}

int lanes_choose(const struct target *target, const struct nest *nest, bool loop_on_lanes)
{
    const struct schedule *schedule = &nest->schedule;
    int lanes = 1, last = schedule->axes - 1, widest = widest_of(nest);
    int64_t size = schedule->axis[last].size * (schedule->periodic ? schedule->interleave : 1);
    if (lanes_any_root(nest, last, analysis_uses_scalars) ||
        (nest->visited && !nest->lanes_allowed))
        return 1;
    if (schedule->odd_vector)
        return (int)size;
    int most = target->isa.vector_bytes / (widest < 4 || schedule->reduces_inner ? widest : 4);
    most = most > 32 ? 32 : most;
    if (loop_on_lanes && lanes_any_root(nest, last, analysis_has_side_by_side))
        most = lanes_side_by_side(target, widest);
    else if (loop_on_lanes && should_widen(target, nest))
        most = lanes_of_columns(target, nest, widest);
    else if (!loop_on_lanes && most < 32)
        most *= registers_of_chains(nest, most);
    while (lanes < most && lanes < size)
        lanes *= 2;
    return lanes;
}

/* Whether all results are halves of what they are computed with, and many: two registers of the
 * latter are stored as one, a whole line with the largest vectors, which may stream. */
static bool narrows(const struct nest *nest)
{
    const struct schedule *schedule = &nest->schedule;
    int64_t weight = 0, widest = widest_of(nest);
    for (int i = 0; i < nest->count; i++) {
        if (dtype_bytes(nest->roots[i]->type->shape.dtype) * 2 != widest)
            return false;
        weight += arithmetic_weight(nest->roots[i]);
    }
    return widest == 4 && !nest->visited && schedule->interleave == 1 && weight <= NARROW_WEIGHT &&
           type_elements(nest->shape) >= NARROW_ELEMENTS &&
           schedule->axis[schedule->axes - 1].size >= (int64_t)2 * schedule->lanes * COLUMN_VECTORS;
}

int lanes_of_halves(const struct nest *nest)
{
    const struct schedule *schedule = &nest->schedule;
    bool is_vector = schedule->lanes > 1 && schedule->lanes < 32 && !schedule->odd_vector;
    return is_vector && narrows(nest) ? 2 * schedule->lanes : schedule->lanes;
}

int lanes_vectors_of_step(const struct nest *nest)
{
    const struct schedule *schedule = &nest->schedule;
    if (nest->visited)
        return 1;
    int last = schedule->axes - 1, vectors = 1;
    for (int i = 0; i < nest->count && schedule->interleave == 1 && schedule->lanes > 1; i++) {
        int period = analysis_padding_period(nest->roots[i], schedule->axis[last].dim), each = 1;
        while (each * schedule->lanes % period)
            each++;
        if (arithmetic_weight(nest->roots[i]) * each <= STEP_WEIGHT && each > vectors)
            vectors = each;
    }
    return schedule->axis[last].size >= (int64_t)vectors * schedule->lanes ? vectors : 1;
}

int64_t lanes_reduced_together(const struct target *target, const struct nest *nest,
                               int64_t vectors)
{
    const struct schedule *schedule = &nest->schedule;
    int64_t most = TOGETHER_BYTES / ((int64_t)schedule->lanes * widest_of(nest));
    int64_t parts = (2 * (int64_t)target->cores + schedule->work - 1) / schedule->work;
    if (nest->visited || schedule->lanes == 1 || most < 2 || vectors < 2 ||
        !reduces_many_columns(target, nest))
        return 1;
    if (parts * most < vectors)
        parts = (vectors + most - 1) / most;
    return (vectors + parts - 1) / parts;
}
