/* interleave.c: see interleave.h. Each element of a row is code of its own, so long rows, and those
 * of much arithmetic, take long to compile. */
#include "compiler/codegen/loops/interleave.h"

#include "compiler/codegen/loops/analysis.h"
#include "compiler/codegen/loops/period.h"

enum {
    ROWS_MIN = 8,   /* to fill the lanes */
    ALONE_MOST = 4, /* longer innermost dimensions fill enough of a vector ... */
    WORK_MIN = 16,  /* unless so much is computed for an element */
    LIGHT_MIN =
        9, /* rows of so many only with operations of few instructions are worth their code */
    TURN_MOST = 3 /* adjacent elements of an operand that takes turns with others */
};

/* Whether the elements from a dimension on are stored without gaps. */
static bool is_dense_from(const struct nest *nest, int dim)
{
    for (int i = dim; nest->into && i < nest->shape->shape.rank; i++)
        if (nest->into[i] != nest->shape->shape.dims[i])
            return false;
    return true;
}

/* How many of the innermost axes have few elements, inside of one with enough rows for lanes, which
 * follow one another in memory. *many: the product of their sizes. */
static int short_axes(const struct nest *nest, int64_t *many)
{
    int last = nest->axes - 1;
    *many = 1;
    for (int count = 1; last >= 1; count++, last--) {
        *many *= nest->axis_size[last];
        if (*many > ELEMENT_INTERLEAVED_MAX)
            return 0;
        if (nest->axis_size[last - 1] >= ROWS_MIN)
            return is_dense_from(nest, nest->axis_dim[last - 1] + 1) ? count : 0;
    }
    return 0;
}

/* Whether operands of a concatenation take turns within a row: which of them an element is of is
 * known if the row's elements are code of their own. */
static bool takes_turns(const struct nest *nest, const struct value *root, int count)
{
    int64_t run = 1;
    for (int i = nest->axes - 1; i >= nest->axes - count && run <= TURN_MOST; i--) {
        if (analysis_takes_turns(root, nest->axis_dim[i]))
            return true;
        run *= nest->axis_size[i];
    }
    return false;
}

/* Whether the elements of a row need so much arithmetic that all lanes should have some. Where a
 * gather finds a row is computed once for the row if lanes are along it. */
static bool is_heavy(const struct value *root, int innermost)
{
    return analysis_weight(root) >= WORK_MIN && !analysis_gathers_along(root, innermost);
}

void interleave_plan(struct nest *nest)
{
    int64_t many;
    int count = nest->visit ? 0 : short_axes(nest, &many), last = nest->axes - 1;
    bool periodic = true, turns = false, heavy = false, light = true;
    for (int i = 0; i < nest->count && count; i++) {
        const struct value *root = nest->roots[i];
        if (dtype_is_complex(root->type->shape.dtype))
            return;
        periodic = periodic && period_fits(root, nest->axis_dim + last - count, count + 1);
        turns |= takes_turns(nest, root, count);
        heavy |= is_heavy(root, nest->axis_dim[last]);
        light = light && analysis_is_light(root);
    }
    bool narrow = count && nest->axis_size[last] <= ALONE_MOST;
    if (!count || !(many < LIGHT_MIN ? (narrow && count == 1) || periodic || turns || heavy
                                     : narrow && light && (periodic || turns)))
        return;
    nest->interleave = (int)many;
    nest->inner = count;
    nest->periodic = periodic;
    nest->axes -= count;
}
