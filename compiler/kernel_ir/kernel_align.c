#include "compiler/kernel_ir/kernel_align.h"

#include <string.h>

#include "compiler/kernel_ir/kernel_rules.h"

enum { LANES = 128, SUBLANES = 8, ANY = 0 };

#define MOST ((int64_t)1 << 40) /* larger multiples count as this */

struct known {        /* of a value */
    int64_t multiple; /* a power of 2 that divides it; ANY: nothing is known against it */
    bool is_constant;
};

struct align {
    struct kernel_scope scope;
    struct known *values; /* by id */
};

static int64_t power_of(int64_t number)
{
    uint64_t bits = (uint64_t)number;
    return number == 0 || (bits & (0 - bits)) > (uint64_t)MOST ? MOST
                                                               : (int64_t)(bits & (0 - bits));
}

static int64_t least(int64_t a, int64_t b)
{
    return a == ANY || b == ANY ? ANY : a < b ? a : b;
}

static int64_t product(int64_t a, int64_t b)
{
    return a == ANY || b == ANY ? ANY : a > MOST / b ? MOST : a * b;
}

/* ---- what is known of values ----------------------------------------------------------------- */
static struct known of(const struct align *align, const struct kernel_op *op, int operand)
{
    return align->values[op->operands[operand]->id];
}

static int64_t constant_of(const struct kernel_op *op)
{
    int64_t number = 0;
    size_t size = op->attrs->constant_bytes;
    memcpy(&number, op->attrs->constant, size < sizeof number ? size : sizeof number);
    return number;
}

static int64_t multiple_of(const struct align *align, const struct kernel_op *op)
{
    switch (op->code) {
    case KERNEL_CONSTANT: return power_of(constant_of(op));
    case KERNEL_SCALAR_LOAD: return 1;
    case KERNEL_INDEX_CAST:
    case KERNEL_INDEX_CASTUI:
    case KERNEL_EXTSI:
    case KERNEL_EXTUI: return of(align, op, 0).multiple;
    case KERNEL_ASSUME_MULTIPLE: {
        int64_t assumed = power_of(op->attrs->axis), multiple = of(align, op, 0).multiple;
        return multiple == ANY || multiple > assumed ? multiple : assumed;
    }
    case KERNEL_MULI: return product(of(align, op, 0).multiple, of(align, op, 1).multiple);
    case KERNEL_ADDI:
    case KERNEL_SUBI:
        return of(align, op, 0).is_constant && of(align, op, 1).is_constant
                   ? ANY
                   : least(of(align, op, 0).multiple, of(align, op, 1).multiple);
    default: return ANY;
    }
}

static struct error *walk(struct align *align, const struct kernel_block *block);

/* The counter of a loop; other arguments of regions may be anything. */
static void enter_region(struct align *align, const struct kernel_op *op)
{
    const struct kernel_block *body = &op->regions[0];
    if (op->code == KERNEL_FOR && body->argument_count > 0)
        align->values[body->arguments[0].id].multiple =
            least(of(align, op, 0).multiple, of(align, op, 2).multiple);
}

/* Rows that share words of 32 bits: the smallest tile that the compiler may choose for memory. */
static int64_t rows_of_word(enum dtype dtype)
{
    int bits = dtype_info(dtype)->bits;
    return bits > 0 && bits < 32 && dtype != DTYPE_PRED ? 32 / bits : 1;
}

/* ---- slices of memory ------------------------------------------------------------------------ */
static bool is_aligned(const struct align *align, const struct kernel_op *op, int operand,
                       int64_t tile)
{
    return of(align, op, operand).multiple % tile == 0; /* ANY: 0 */
}

static struct error *check_slice(const struct align *align, const struct kernel_op *op)
{
    const struct kernel_type *from = op->operands[0]->type, *to = op->results[0].type;
    int dynamic = 1 + op->segments[1];
    bool is_tiled = from->rank >= 2 && from->semaphore == KERNEL_NO_SEMAPHORE &&
                    (from->space == KERNEL_HBM || from->space == KERNEL_ANY);
    for (int i = 0; is_tiled && i < from->rank; i++) {
        int size = to->dims[i] == KERNEL_DYNAMIC ? dynamic++ : 0;
        bool is_row = i == from->rank - 2, is_lane = i == from->rank - 1;
        int64_t tile = is_lane ? LANES : is_row ? rows_of_word(from->dtype) : 1;
        if (from->dims[i] < tile)
            continue;
        if (!is_aligned(align, op, 1 + i, tile))
            return kernel_rules_fail(&align->scope, op,
                                     "Offsets along tiled dimensions must be aligned to tiles. "
                                     "Failed to verify that the index at dimension %d is divisible "
                                     "by the tile dimension %lld",
                                     i, (long long)tile);
        if (size ? !is_aligned(align, op, size, tile)
                 : to->dims[i] != from->dims[i] && to->dims[i] % tile != 0)
            return kernel_rules_fail(&align->scope, op,
                                     "Slice sizes along tiled dimensions must be aligned to tiles. "
                                     "Failed to verify that the size at dimension %d is divisible "
                                     "by the tile dimension %lld",
                                     i, (long long)tile);
    }
    return NULL;
}

/* ---- loads and stores ------------------------------------------------------------------------ */
/* Of whole tiles, at indices that are not constants. */
static struct error *check_access(const struct align *align, const struct kernel_op *op)
{
    bool stores = kernel_op_info(op->code)->class == KERNEL_CLASS_STORE;
    const struct kernel_type *base = op->operands[stores]->type;
    const struct kernel_type *vector = stores ? op->operands[0]->type : op->results[0].type;
    bool is_packed = dtype_info(base->dtype)->bits < 32;
    if (base->space != KERNEL_VMEM || vector->rank < 2)
        return NULL;
    for (int i = 0; i < 2; i++) {
        int dim = base->rank - 1 - i, operand = 1 + stores + dim;
        int64_t tile = i == 0 ? LANES : is_packed ? SUBLANES : 1;
        if (vector->dims[vector->rank - 1 - i] < tile || of(align, op, operand).is_constant ||
            is_aligned(align, op, operand, tile))
            continue;
        return kernel_rules_fail(&align->scope, op,
                                 "cannot statically prove that index in dimension %d is a multiple "
                                 "of %lld; state it with pl.multiple_of",
                                 dim, (long long)tile);
    }
    return NULL;
}

/* ---- the walk -------------------------------------------------------------------------------- */
static struct error *visit(struct align *align, const struct kernel_op *op)
{
    switch (op->code) {
    case KERNEL_MEMREF_SLICE: TRY(check_slice(align, op)); break;
    case KERNEL_LOAD:
    case KERNEL_VECTOR_LOAD:
    case KERNEL_STORE:
    case KERNEL_VECTOR_STORE: TRY(check_access(align, op)); break;
    default: break;
    }
    if (op->result_count == 1)
        align->values[op->results[0].id] = (struct known){
            op->results[0].type->kind == KERNEL_SCALAR ? multiple_of(align, op) : ANY,
            op->code == KERNEL_CONSTANT ||
                (op->code == KERNEL_INDEX_CAST && of(align, op, 0).is_constant)};
    if (op->region_count > 0)
        enter_region(align, op);
    for (int i = 0; i < op->region_count; i++)
        TRY(walk(align, &op->regions[i]));
    return NULL;
}

static struct error *walk(struct align *align, const struct kernel_block *block)
{
    for (const struct kernel_op *op = block->first; op; op = op->next)
        TRY(visit(align, op));
    return NULL;
}

struct error *kernel_align_check(struct arena *arena, const struct kernel *kernel)
{
    const struct kernel_function *function = kernel->main;
    struct align align = {.scope = {.kernel = kernel, .function = function},
                          .values =
                              ARENA_ARRAY(arena, struct known, (size_t)function->value_count + 1)};
    for (int i = 0; i < kernel->grid_rank; i++)
        align.values[function->body.arguments[i].id].multiple = 1;
    return walk(&align, &function->body);
}
