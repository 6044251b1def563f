/* pallas_scalars.c: see pallas_scalars.h. Values are those of 32-bit integers, as the scalar unit
 * has them, but that 64 bits hold what overflows: such an index is not one of a valid kernel. */
#include "compiler/model/pallas/pallas_scalars.h"

#include <string.h>

enum { LARGEST = INT32_MAX }; /* beyond, a value counts as unknown */

struct pallas_scalars pallas_scalars(struct arena *arena, const struct kernel_function *function)
{
    size_t count = (size_t)function->value_count + 1;
    return (struct pallas_scalars){.at = ARENA_ARRAY(arena, struct pallas_scalar, count),
                                   .moved = ARENA_ARRAY(arena, struct pallas_scalar, count)};
}

void pallas_scalars_set(struct pallas_scalars *scalars, const struct kernel_value *value,
                        int64_t known)
{
    bool fits = known >= -LARGEST && known <= LARGEST;
    scalars->at[value->id] = (struct pallas_scalar){fits ? known : 0, fits, true};
}

void pallas_scalars_forget(struct pallas_scalars *scalars, const struct kernel_value *value)
{
    scalars->at[value->id].known = false;
}

bool pallas_scalars_get(const struct pallas_scalars *scalars, const struct kernel_value *value,
                        int64_t *out)
{
    *out = scalars->at[value->id].value;
    return scalars->at[value->id].known;
}

bool pallas_scalars_get_profiled(const struct pallas_scalars *scalars,
                                 const struct kernel_value *value, int64_t *out)
{
    return pallas_scalars_get(scalars, value, out) && scalars->at[value->id].profiled;
}

/* Targets are values of the function, so there is memory for all. */
void pallas_scalars_move(struct pallas_scalars *scalars, int count,
                         const struct kernel_value *const *values,
                         const struct kernel_value *targets)
{
    for (int i = 0; i < count; i++)
        scalars->moved[i] = scalars->at[values[i]->id];
    for (int i = 0; i < count; i++)
        scalars->at[targets[i].id] = scalars->moved[i];
}

/* ---- operations ------------------------------------------------------------------------------ */
static bool constant_of(const struct kernel_op *op, int64_t *out)
{
    const struct kernel_type *type = op->results[0].type;
    if (type->kind != KERNEL_SCALAR ||
        !(dtype_is_integer(type->dtype) || type->dtype == DTYPE_PRED) || !op->attrs->constant ||
        op->attrs->constant_bytes < (size_t)dtype_bytes(type->dtype))
        return false;
    *out = dtype_to_int64(type->dtype, op->attrs->constant);
    return true;
}

static bool compare(int64_t predicate, int64_t x, int64_t y)
{
    uint32_t a = (uint32_t)x, b = (uint32_t)y;
    switch (predicate) { /* of arith.cmpi */
    case 0: return x == y;
    case 1: return x != y;
    case 2: return x < y;
    case 3: return x <= y;
    case 4: return x > y;
    case 5: return x >= y;
    case 6: return a < b;
    case 7: return a <= b;
    case 8: return a > b;
    default: return a >= b;
    }
}

static int64_t floor_divide(int64_t x, int64_t y)
{
    return x / y - (x % y != 0 && (x < 0) != (y < 0));
}

static bool divide(enum kernel_code code, int64_t x, int64_t y, int64_t *out)
{
    if (!y || x < -LARGEST || x > LARGEST)
        return false;
    switch (code) {
    case KERNEL_DIVSI:
    case KERNEL_DIVUI: *out = x / y; return true;
    case KERNEL_FLOORDIVSI: *out = floor_divide(x, y); return true;
    case KERNEL_CEILDIVSI:
    case KERNEL_CEILDIVUI: *out = -floor_divide(-x, y); return true;
    default: *out = x % y; return true;
    }
}

static bool shift(enum kernel_code code, int64_t x, int64_t y, int64_t *out)
{
    if (y < 0 || y > 31)
        return false;
    *out = code == KERNEL_SHLI    ? x * ((int64_t)1 << y)
           : code == KERNEL_SHRUI ? (int64_t)((uint32_t)x >> y)
                                  : x >> y;
    return true;
}

static bool binary(const struct kernel_op *op, int64_t x, int64_t y, int64_t *out)
{
    switch (op->code) {
    case KERNEL_ADDI: *out = x + y; return true;
    case KERNEL_SUBI: *out = x - y; return true;
    case KERNEL_MULI: *out = x * y; return true;
    case KERNEL_MAXSI: *out = x > y ? x : y; return true;
    case KERNEL_MINSI: *out = x < y ? x : y; return true;
    case KERNEL_ANDI: *out = x & y; return true;
    case KERNEL_ORI: *out = x | y; return true;
    case KERNEL_XORI: *out = x ^ y; return true;
    case KERNEL_CMPI: *out = compare(op->attrs->predicate, x, y); return true;
    case KERNEL_DIVSI:
    case KERNEL_DIVUI:
    case KERNEL_FLOORDIVSI:
    case KERNEL_CEILDIVSI:
    case KERNEL_CEILDIVUI:
    case KERNEL_REMSI:
    case KERNEL_REMUI: return divide(op->code, x, y, out);
    case KERNEL_SHLI:
    case KERNEL_SHRSI:
    case KERNEL_SHRUI: return shift(op->code, x, y, out);
    default: return false;
    }
}

static bool unary(enum kernel_code code, int64_t x, int64_t *out)
{
    *out = x;
    return code == KERNEL_EXTSI || code == KERNEL_EXTUI || code == KERNEL_INDEX_CAST ||
           code == KERNEL_INDEX_CASTUI || code == KERNEL_ASSUME_MULTIPLE;
}

static bool computes(const struct pallas_scalars *s, const struct kernel_op *op, int64_t *out)
{
    int64_t x, y, z;
    if (op->code == KERNEL_CONSTANT)
        return constant_of(op, out);
    if (op->code == KERNEL_SELECT && pallas_scalars_get(s, op->operands[0], &x))
        return pallas_scalars_get(s, op->operands[x ? 1 : 2], out);
    if (op->operand_count == 1 && pallas_scalars_get(s, op->operands[0], &z))
        return unary(op->code, z, out);
    return op->operand_count == 2 && pallas_scalars_get(s, op->operands[0], &x) &&
           pallas_scalars_get(s, op->operands[1], &y) && binary(op, x, y, out);
}

/* Of a known result. */
static bool is_profiled(const struct pallas_scalars *scalars, const struct kernel_op *op)
{
    bool profiled = op->code != KERNEL_REMSI;
    for (int i = 0; i < op->operand_count; i++) {
        const struct pallas_scalar *operand = &scalars->at[op->operands[i]->id];
        profiled &= !operand->known || operand->profiled;
    }
    return profiled;
}

void pallas_scalars_compute(struct pallas_scalars *scalars, const struct kernel_op *op)
{
    int64_t value;
    bool known = op->result_count == 1 && op->results[0].type->kind == KERNEL_SCALAR &&
                 computes(scalars, op, &value);
    bool profiled = is_profiled(scalars, op);
    for (int i = 0; i < op->result_count; i++)
        pallas_scalars_forget(scalars, &op->results[i]);
    if (!known)
        return;
    pallas_scalars_set(scalars, &op->results[0], value);
    scalars->at[op->results[0].id].profiled = profiled;
}
