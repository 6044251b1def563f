/* thin_product.c: see thin_product.h. */
#include "compiler/passes/products/thin_product.h"

#include "compiler/analysis/constants.h"
#include "compiler/analysis/rates.h"
#include "compiler/schedule/op_units.h"
#include "compiler/schedule/thin_dot.h"
#include "compiler/ir/build.h"
#include "compiler/passes/products/packed_numbers.h"
#include "compiler/passes/rewrite/each_op.h"
#include "compiler/passes/rewrite/fusion_make.h"
#include "compiler/passes/rewrite/rewrite.h"
#include "compiler/program/attention_spec.h"
#include "compiler/target.h"

enum {
    LEAST_SIDE = 16,         /* columns, and terms */
    LEAST_NUMBERS = 1 << 12, /* of a matrix: fewer are decoded while a step begins */
    LEAST_BYTES = 1 << 20,   /* of all that are not decoded: fewer stay in a cache */
    LEAST_ROW_BYTES = 1 << 10,
    ROW_MULTIPLE = 16, /* columns of the widest vector of f32 */
    THIN_ROWS = 16     /* for which reading a matrix takes longer than multiplying it */
};

/* Whether the matrix in memory is not what rows are multiplied by, but decoded to it. */
static bool is_decoded(const struct thin_dot *thin)
{
    const struct thin_dot_spec *s = &thin->spec;
    return thin->zero || thin->scale || thin->offset || thin->table || s->dot.rhs != s->dot.lhs;
}

/* Thin products are computed in f32. For more rows, units that multiply the written matrix faster
 * are worth writing it. */
static bool has_faster_units(const struct dot_spec *s, const struct target *target)
{
    const double *nanoseconds = rates_of(target->isa.class)->nanoseconds;
    return nanoseconds[op_units_product(s->lhs)] < nanoseconds[RATE_PRODUCT_F32];
}

/* So is a matrix that is as large when it is written, with elements of the rows' type: it is
 * computed where it is, as of normalized activations. */
static bool suits_more_rows(const struct dot_spec *s, const struct target *target)
{
    return dtype_bytes(s->rhs) < dtype_bytes(s->lhs) && !has_faster_units(s, target);
}

static bool is_worth_decoding(const struct dot_spec *s, const struct target *target)
{
    return (s->m <= THIN_ROWS || suits_more_rows(s, target)) && s->n >= LEAST_SIDE &&
           s->k >= LEAST_SIDE && s->n * s->k >= LEAST_NUMBERS;
}

/* Products with a vector are others' (vector_product.h), unless the matrix has adjacent columns, in
 * long rows of whole vectors: a step reads several of these at once, which is faster. */
static bool suits_vector(const struct dot_spec *s)
{
    return s->batch == 1 && s->rhs_n_stride == 1 && s->n % ROW_MULTIPLE == 0 &&
           s->n * dtype_bytes(s->rhs) >= LEAST_ROW_BYTES;
}

/* Whether a matrix that is not decoded is read from memory. */
static bool is_worth_reading(const struct dot_spec *s)
{
    return s->n >= LEAST_SIDE && s->k >= LEAST_SIDE && s->m <= THIN_ROWS &&
           (s->m > 1 || suits_vector(s)) && (s->batch == 1 || s->m < ATTENTION_MIN_ROWS) &&
           s->batch * s->n * s->k * dtype_bytes(s->rhs) >= LEAST_BYTES;
}

/* A parameter that is a constant has one number instead of an array that repeats it. */
static void shrink_constant(struct module *module, const struct thin_dot *thin,
                            struct value *parameter)
{
    if (!parameter || !constants_is_splat(parameter) || type_elements(parameter->type) == 1)
        return;
    struct builder b = rewrite_before(module, parameter->def);
    struct value *number = build_splat_like(&b, parameter, &(struct shape){.rank = 0});
    struct value *spread = build_broadcast(&b, number, parameter->type, 0, NULL);
    for (int i = 0; i < thin->count; i++)
        for (int operand = 0; operand < thin->members[i]->operand_count; operand++)
            if (thin->members[i]->operands[operand] == parameter)
                ir_set_operand(module, thin->members[i], operand, spread);
}

static void make(struct module *module, struct op *dot, struct thin_dot *thin)
{
    struct value *result = &dot->results[0];
    shrink_constant(module, thin, thin->zero);
    shrink_constant(module, thin, thin->scale);
    shrink_constant(module, thin, thin->offset);
    if (!thin_dot_of(dot, thin))
        return;
    struct op *fusion =
        fusion_make(module, FUSION_THIN_DOT, dot, thin->count, thin->members, 1, &result);
    fusion->location = dot->location;
    if (!thin_dot_of_fusion(fusion, thin)) {
        ir_remove(fusion);
        return;
    }
    ir_replace_uses(module, result, &fusion->results[0]);
    ir_remove(dot);
}

/* Describes a product, which is made to read the bytes or words that its matrix is unpacked from.
 * */
static bool expose_packed(struct module *module, struct op *dot, struct thin_dot *thin)
{
    *thin = (struct thin_dot){.source = NULL};
    const bool is_thin = thin_dot_of(dot, thin);
    struct value *unpacked = thin->source, *packed = unpacked && unpacked->def
                                                         ? packed_numbers_build(module, unpacked)
                                                         : NULL;
    if (!packed)
        return is_thin;
    ir_replace_uses(module, unpacked, packed);
    if (thin_dot_of(dot, thin) && (thin->spec.packing.count || thin->table))
        return true;
    ir_replace_uses(module, packed, unpacked);
    return thin_dot_of(dot, thin);
}

static struct error *make_decoded(struct module *module, struct op *op, const struct target *target)
{
    struct thin_dot thin;
    if (op->code == OP_dot_general && expose_packed(module, op, &thin) && is_decoded(&thin) &&
        is_worth_decoding(&thin.spec.dot, target))
        make(module, op, &thin);
    return NULL;
}

static struct error *make_any(struct module *module, struct op *op, const struct target *target)
{
    struct thin_dot thin;
    TRY(make_decoded(module, op, target));
    if (op->block && thin_dot_of(op, &thin) && !is_decoded(&thin) &&
        is_worth_reading(&thin.spec.dot))
        make(module, op, &thin);
    return NULL;
}

static bool is_supported(const struct target *target)
{
    return target->supports_thin_dot && !target->accelerator;
}

struct error *thin_product_decoded_run(struct module *module, const struct target *target)
{
    return is_supported(target) ? each_op(module, target, make_decoded) : NULL;
}

struct error *thin_product_run(struct module *module, const struct target *target)
{
    return is_supported(target) ? each_op(module, target, make_any) : NULL;
}
