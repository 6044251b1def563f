/* affine_divide.c: see affine_divide.h. What is a multiple of the divisor by its terms and ranges
 * takes no code. */
#include "compiler/codegen/element/affine_divide.h"

#include <string.h>

#include "base/gcd.h"

static int64_t floor_div(int64_t a, int64_t b)
{
    return a / b - (a % b < 0);
}

/* Splits a = g * multiple + rest, where no term of rest is divisible by g. */
static void split(const struct affine *a, int64_t g, struct affine *multiple, struct affine *rest)
{
    *multiple = affine_constant(floor_div(a->constant, g));
    *rest = affine_constant(a->constant - g * multiple->constant);
    for (int64_t i = 0; i < a->count; i++) {
        struct affine_term term = a->terms[i];
        if (term.coefficient % g) {
            rest->terms[rest->count++] = term;
        } else {
            term.coefficient /= g;
            multiple->terms[multiple->count++] = term;
        }
    }
}

static bool is_within(const struct emitter *e, const struct affine *a, int64_t limit)
{
    int64_t min, max;
    affine_range(e, a, &min, &max);
    return min >= 0 && max < limit;
}

/* What the variable of a remainder is the remainder of. */
struct affine_division {
    struct affine dividend;
    int64_t divisor;
    int quotient; /* variable */
};

/* `made`: the variables of the quotient and of the remainder. */
static void note_division(struct emitter *e, const struct affine *dividend, int64_t divisor,
                          const struct affine *made)
{
    struct affine_division *division = ARENA_NEW(e->arena, struct affine_division);
    *division = (struct affine_division){*dividend, divisor, (int)made[0].terms[0].var};
    e->vars.items[made[1].terms[0].var].division = division;
}

/* Removes c * (divisor * quotient + remainder) of the division of which term k is the remainder,
 * and sets *dividend to c * dividend. False if there is no such quotient. */
static bool take_division(const struct emitter *e, struct affine *a, int64_t k,
                          struct affine *dividend)
{
    const struct affine_division *division = e->vars.items[a->terms[k].var].division;
    int64_t c = a->terms[k].coefficient;
    for (int64_t i = 0; division && i < a->count; i++) {
        if (a->terms[i].var != division->quotient ||
            a->terms[i].coefficient != c * division->divisor)
            continue;
        struct affine rest = affine_constant(a->constant);
        for (int64_t j = 0; j < a->count; j++)
            if (j != i && j != k)
                rest.terms[rest.count++] = a->terms[j];
        *dividend = affine_scale(&division->dividend, c);
        *a = rest;
        return true;
    }
    return false;
}

struct affine affine_rejoin(struct emitter *e, const struct affine *a)
{
    struct affine joined = *a, dividend;
    for (int64_t k = 0; k < joined.count; k++)
        if (take_division(e, &joined, k, &dividend)) {
            joined = affine_add(e, &joined, &dividend);
            k = -1;
        }
    return joined;
}

/* Emits the division of a nonnegative value: the variables of the quotient and of the remainder. */
static struct affine *divide_code(struct emitter *e, const struct affine *a, int64_t divisor,
                                  int64_t max)
{
    struct affine *made = ARENA_ARRAY(e->arena, struct affine, 2);
    int depth = affine_depth(e, a);
    bool uniform = affine_is_uniform(e, a), narrow = !uniform && max < INT32_MAX;
    LLVMValueRef value = uniform  ? affine_scalar(e, a)
                         : narrow ? affine_vector32(e, a)
                                  : affine_vector(e, a);
    struct scope *back = emitter_enter(e, emitter_scope(e, depth));
    LLVMTypeRef type = LLVMTypeOf(value), wide = emitter_vector(e->i64, uniform ? 1 : e->lanes);
    LLVMValueRef by = emitter_int_like(type, divisor);
    LLVMValueRef q = LLVMBuildUDiv(e->builder, value, by, "");
    LLVMValueRef r = LLVMBuildSub(e->builder, value, LLVMBuildMul(e->builder, q, by, ""), "");
    if (narrow) {
        q = LLVMBuildZExt(e->builder, q, wide, "");
        r = LLVMBuildZExt(e->builder, r, wide, "");
    }
    emitter_leave(e, back);
    int lanes = uniform ? 1 : e->lanes;
    made[0] = affine_var(emitter_var(e, q, lanes, 0, max / divisor, depth));
    made[1] = affine_var(emitter_var(e, r, lanes, 0, max < divisor ? max : divisor - 1, depth));
    note_division(e, a, divisor, made);
    return made;
}

/* The same for an equal division in the same scope. */
static const struct affine *divide_once(struct emitter *e, const struct affine *a, int64_t divisor,
                                        int64_t max)
{
    struct {
        char tag[8];
        int64_t divisor;
        struct affine affine;
    } key = {.tag = "divide", .divisor = divisor};
    memcpy(&key.affine, a, affine_size(a));
    size_t size = sizeof key - sizeof key.affine + affine_size(a);
    struct scope *scope = emitter_scope(e, affine_depth(e, a));
    struct affine *made = emitter_memo_get(scope, &key, size);
    if (!made) {
        made = divide_code(e, a, divisor, max);
        emitter_memo_put(scope, &key, size, made);
    }
    return made;
}

/* Divides a value that may be negative: adds a multiple of the divisor that makes its whole range
 * nonnegative. */
static void divide_lifted(struct emitter *e, const struct affine *a, int64_t divisor,
                          struct affine *quotient, struct affine *remainder)
{
    int64_t min, max;
    affine_range(e, a, &min, &max);
    int64_t lift = -floor_div(min, divisor);
    lift = lift < 0 ? 0 : lift;
    struct affine lifted = affine_offset(a, lift * divisor);
    const struct affine *made = divide_once(e, &lifted, divisor, max + lift * divisor);
    *quotient = affine_offset(&made[0], -lift);
    *remainder = made[1];
}

/* (g * big + small) / (g * d) is big / d if small is in [0, g). Returns the largest such g > 1, or
 * 0. */
static int64_t common_factor(const struct emitter *e, const struct affine *a, int64_t divisor)
{
    int64_t best = 0;
    for (int64_t i = -1; i < a->count; i++) {
        int64_t c = i < 0 ? a->constant : a->terms[i].coefficient;
        for (int64_t j = i; j < a->count; j++) {
            int64_t g = gcd_of(gcd_of(j < 0 ? 0 : a->terms[j].coefficient, c), divisor);
            struct affine big, small;
            if (g <= 1 || g == divisor || g <= best)
                continue;
            split(a, g, &big, &small);
            if (is_within(e, &small, g))
                best = g;
        }
    }
    return best;
}

void affine_divide(struct emitter *e, const struct affine *a, int64_t divisor,
                   struct affine *quotient, struct affine *remainder)
{
    struct affine exact, rest, q, r, big, small;
    split(a, divisor, &exact, &rest);
    if (is_within(e, &rest, divisor)) {
        *quotient = exact;
        *remainder = rest;
        return;
    }
    int64_t g = common_factor(e, &rest, divisor);
    if (g) {
        split(&rest, g, &big, &small);
        affine_divide(e, &big, divisor / g, &q, &r);
        r = affine_scale(&r, g);
        *remainder = affine_add(e, &r, &small);
    } else {
        divide_lifted(e, &rest, divisor, &q, remainder);
    }
    *quotient = affine_add(e, &exact, &q);
}
