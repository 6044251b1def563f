/* loop_index.c: see loop_index.h. */
#include "compiler/analysis/loop_index.h"

#include "compiler/analysis/constants.h"
#include "compiler/analysis/value_source.h"

enum {
    MAX_STEPS = 8, /* operations between a counter and an index */
    MAX_INDEX = 1 << 30
};

/* An integer of iteration t: first + step * t. */
struct line {
    int64_t first, step;
};

static bool is_small(int64_t value)
{
    return value >= -MAX_INDEX && value <= MAX_INDEX;
}

static bool read_constant(const struct value *value, int64_t *out)
{
    return constants_integer(value_source(value, true), out);
}

/* Carried value `i`, if it is a counter. */
static bool read_counter(const struct op *loop, int i, struct line *out)
{
    const struct block *body = loop->regions[1];
    const struct op *add = value_definition(body->last->operands[i], true);
    if (!add || add->code != OP_add || !read_constant(loop->operands[i], &out->first))
        return false;
    for (int k = 0; k < 2; k++)
        if (value_source(add->operands[k], true) == &body->arguments[i])
            return read_constant(add->operands[1 - k], &out->step);
    return false;
}

static bool read_line(const struct op *loop, const struct value *value, int64_t count, int steps,
                      struct line *out);

/* A sum or difference of two integers that are on lines. */
static bool read_sum(const struct op *loop, const struct op *op, int64_t count, int steps,
                     struct line *out)
{
    struct line left, right;
    if ((op->code != OP_add && op->code != OP_subtract) ||
        !read_line(loop, op->operands[0], count, steps, &left) ||
        !read_line(loop, op->operands[1], count, steps, &right))
        return false;
    int64_t sign = op->code == OP_add ? 1 : -1;
    *out = (struct line){left.first + sign * right.first, left.step + sign * right.step};
    return true;
}

/* Whether a value is on a line, and no operation on the way to it overflows. */
static bool read_line(const struct op *loop, const struct value *value, int64_t count, int steps,
                      struct line *out)
{
    const struct value *source = value_source(value, true);
    const struct op *op = value_definition(value, true);
    enum dtype dtype = value->type->shape.dtype;
    *out = (struct line){0};
    if ((dtype != DTYPE_S32 && dtype != DTYPE_S64) || steps == 0)
        return false;
    if (constants_integer(source, &out->first))
        return is_small(out->first);
    if (op ? !read_sum(loop, op, count, steps - 1, out)
           : source->def || source->block != loop->regions[1] ||
                 !read_counter(loop, source->index, out))
        return false;
    return is_small(out->first) && is_small(out->step) && is_small(count) &&
           is_small(out->first + out->step * count);
}

bool loop_index_is_each(const struct op *loop, const struct value *index, int64_t count)
{
    struct line line;
    if (!read_line(loop, index, count, MAX_STEPS, &line))
        return false;
    return (line.first == 0 && line.step == 1) || (line.first == count - 1 && line.step == -1);
}
