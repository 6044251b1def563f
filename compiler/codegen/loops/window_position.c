/* window_position.c: see window_position.h. */
#include "compiler/codegen/loops/window_position.h"

#include "compiler/codegen/element/affine_divide.h"

/* a + b * factor - offset */
static struct affine combined(struct emitter *e, const struct affine *a, const struct affine *b,
                              int64_t factor, int64_t offset)
{
    struct affine scaled = affine_scale(b, factor), sum = affine_add(e, a, &scaled);
    return affine_offset(&sum, -offset);
}

/* value / divisor. Clears *inside where the division is not exact. */
static struct affine exact(struct emitter *e, const struct affine *value, int64_t divisor,
                           LLVMValueRef *inside)
{
    struct affine quotient = *value, rest;
    int lanes;
    if (divisor > 1) {
        affine_divide(e, value, divisor, &quotient, &rest);
        *inside = expression_and(e, *inside, affine_inside(e, &rest, 0, 1, &lanes));
    }
    return quotient;
}

/* Computes the element from the position in the window. */
static void find_element(struct emitter *e, const struct window_axis *axis,
                         const struct affine *first, struct window_position *position)
{
    int lanes;
    int64_t limit = (axis->size - 1) * axis->base_dilation + 1;
    struct affine at = combined(e, first, &position->in_window, axis->window_dilation, axis->low);
    position->inside = expression_and(e, position->inside, affine_inside(e, &at, 0, limit, &lanes));
    position->element = exact(e, &at, axis->base_dilation, &position->inside);
}

/* Computes the position in the window from the element. */
static void find_position(struct emitter *e, const struct window_axis *axis,
                          const struct affine *first, struct window_position *position)
{
    struct affine start = affine_scale(first, -1);
    struct affine at = combined(e, &start, &position->element, axis->base_dilation, -axis->low);
    position->in_window = exact(e, &at, axis->window_dilation, &position->inside);
}

/* b with a * b % modulus == 1; both have no common divisor. */
static int64_t inverse(int64_t a, int64_t modulus)
{
    int64_t b = 0;
    while (a * b % modulus != 1 % modulus)
        b++;
    return b;
}

/* Computes both for number `i` of the positions that meet no gap. The first of them, k, is
 * congruent to before / w modulo the base dilation b, where position 0 is `before` elements in
 * front of the operand and w is the window dilation; with a common divisor of b and w there is none
 * unless it divides `before`. The element is (k * w - before) / b. */
static void find_hit(struct emitter *e, const struct window_axis *axis, const struct affine *first,
                     const struct affine *i, struct window_position *position)
{
    int lanes;
    int64_t period = window_axis_period(axis), divisor = axis->base_dilation / period,
            step = axis->window_dilation / divisor;
    struct affine before = affine_scale(first, -1), elements, rest, quotient, k, over;
    before = affine_offset(&before, axis->low);
    affine_divide(e, &before, axis->base_dilation, &elements, &rest);
    before = exact(e, &rest, divisor, &position->inside);
    k = affine_scale(&before, inverse(step, period));
    affine_divide(e, &k, period, &quotient, &k);
    position->in_window = combined(e, &k, i, period, 0);
    over = affine_scale(&before, -1);
    over = combined(e, &over, &k, step, 0);
    affine_divide(e, &over, period, &quotient, &rest);
    elements = affine_scale(&elements, -1);
    elements = affine_add(e, &elements, &quotient);
    position->element = combined(e, &elements, i, step, 0);
    position->inside = expression_and(e, position->inside,
                                      affine_inside(e, &position->element, 0, axis->size, &lanes));
}

struct window_position window_position(struct emitter *e, const struct window_axis *axis,
                                       const struct affine *out, const struct affine *i)
{
    struct window_position position = {.in_window = *i, .element = *i};
    struct affine first = affine_scale(out, axis->stride), rest;
    enum window_axis_loop loop = window_axis_loop(axis);
    int lanes;
    if (loop == WINDOW_AXIS_REACH) { /* the first position at or after the first element */
        struct affine before = affine_scale(&first, -1), start;
        before = affine_offset(&before, axis->low + axis->window_dilation - 1);
        affine_divide(e, &before, axis->window_dilation, &start, &rest);
        position.in_window = affine_add(e, &start, i);
    }
    if (loop == WINDOW_AXIS_ELEMENTS)
        find_position(e, axis, &first, &position);
    if (loop == WINDOW_AXIS_HITS)
        find_hit(e, axis, &first, i, &position);
    if (loop != WINDOW_AXIS_POSITIONS)
        position.inside = expression_and(
            e, position.inside, affine_inside(e, &position.in_window, 0, axis->window, &lanes));
    if (loop == WINDOW_AXIS_POSITIONS || loop == WINDOW_AXIS_REACH)
        find_element(e, axis, &first, &position);
    return position;
}
