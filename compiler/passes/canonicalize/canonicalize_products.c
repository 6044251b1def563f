#include "compiler/passes/canonicalize/canonicalize_products.h"

#include <string.h>

#include "compiler/passes/rewrite/rewrite.h"
#include "compiler/schedule/exact_conversion.h"

struct error *canonicalize_products_dot(struct module *module, struct op *op)
{
    struct builder b = rewrite_before(module, op);
    union attrs attrs = {0};
    attrs.dot.lhs_contracting_dimensions =
        rewrite_range(module, op->operands[0]->type->shape.rank - 1, 1);
    attrs.dot.rhs_contracting_dimensions = rewrite_range(module, 0, 1);
    attrs.dot.precision_config = op->attrs.plain_dot.precision_config;
    return rewrite_with(
        module, op,
        build_declared(&b, OP_dot_general, 2, op->operands, op->results[0].type, &attrs));
}

/* ---- mixed types ----------------------------------------------------------------------------- */

static bool is_double(enum dtype dtype)
{
    return dtype == DTYPE_F64 || dtype == DTYPE_C128;
}

static bool is_any(const enum dtype *dtypes, bool is_kind(enum dtype))
{
    return is_kind(dtypes[0]) || is_kind(dtypes[1]) || is_kind(dtypes[2]);
}

/* The type of the sums of products of types dtypes[0] and [1] whose result has type dtypes[2]: the
 * result's, unless an operand has values of which it has only a part. The lowest bits of an integer
 * are those of its operands' lowest bits, and sums in small floats are computed in f32. */
static enum dtype dtype_of_sums(const enum dtype *dtypes)
{
    enum dtype result = dtypes[2],
               wider = dtype_bytes(dtypes[0]) > dtype_bytes(dtypes[1]) ? dtypes[0] : dtypes[1];
    if (is_any(dtypes, dtype_is_complex))
        return is_any(dtypes, is_double) ? DTYPE_C128 : DTYPE_C64;
    if (is_any(dtypes, is_double))
        return DTYPE_F64;
    if (is_any(dtypes, dtype_is_float))
        return dtype_is_float(result) ? result : DTYPE_F32;
    return result == DTYPE_PRED ? wider : result;
}

/* The integers that an operand of a product of integers is a conversion of, if their sums have the
 * same lowest bits. */
static struct value *unconverted(struct value *operand, enum dtype sums)
{
    while (operand->def && operand->def->code == OP_convert && dtype_is_integer(sums)) {
        struct value *from = operand->def->operands[0];
        if (!dtype_is_integer(ir_dtype(from)) || !dtype_is_integer(ir_dtype(operand)) ||
            !exact_conversion_is(from, ir_dtype(operand)))
            break;
        operand = from;
    }
    return operand;
}

struct error *canonicalize_products_mixed(struct module *module, struct op *op)
{
    struct builder b = rewrite_before(module, op);
    const struct type *type = op->results[0].type;
    const enum dtype dtypes[] = {op->operands[0]->type->shape.dtype,
                                 op->operands[1]->type->shape.dtype, type->shape.dtype};
    enum dtype wide = dtype_of_sums(dtypes);
    bool is_complex = dtype_is_complex(wide);
    bool is_mixed = is_complex && !(dtype_is_complex(dtypes[0]) && dtype_is_complex(dtypes[1]));
    struct value *operands[2] = {unconverted(op->operands[0], wide),
                                 unconverted(op->operands[1], wide)};
    if (wide == type->shape.dtype && !is_mixed && operands[0] == op->operands[0] &&
        operands[1] == op->operands[1])
        return NULL;
    for (int i = 0; i < 2 && is_mixed; i++)
        operands[i] = build_convert(&b, op->operands[i], wide);
    struct value *value = build_declared(&b, op->code, 2, operands,
                                         type_with_dtype(module->arena, type, wide), &op->attrs);
    if (is_complex && !dtype_is_complex(type->shape.dtype))
        value = build_unary(&b, OP_real, value);
    return rewrite_with(module, op, build_convert(&b, value, type->shape.dtype));
}

/* ---- einsum ---------------------------------------------------------------------------------- */

/* a letter for each dimension */
struct labels {
    int count;
    char at[2 * SHAPE_MAX_RANK];
};

struct equation {
    struct labels in[2], out;
};

static int label_find(const struct labels *labels, char letter)
{
    for (int i = 0; i < labels->count; i++)
        if (labels->at[i] == letter)
            return i;
    return -1;
}

static struct error *not_simple(struct module *module, const struct op *op)
{
    struct string config = op->attrs.einsum.einsum_config;
    return ERROR(
        UNIMPLEMENTED,
        "%s: the equation \"%.*s\" is unsupported; an operand must have one distinct letter"
        " for each dimension",
        ir_where(module->arena, op), (int)(config.size < 200 ? config.size : 200),
        config.data ? config.data : "");
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* Parses "ab,bc->ac". */
static struct error *parse(struct module *module, const struct op *op, struct equation *equation)
{
    struct string config = op->attrs.einsum.einsum_config;
    struct labels *part = &equation->in[0];
    int operand = 0;
    *equation = (struct equation){0};
    for (size_t i = 0; i < config.size; i++) {
        char c = config.data[i];
        if (c == ' ')
            continue;
        if (c == ',' && part != &equation->out && operand + 1 < op->operand_count)
            part = &equation->in[++operand];
        else if (c == '-' && i + 1 < config.size && config.data[i + 1] == '>' &&
                 part != &equation->out) {
            part = &equation->out;
            i++;
        } else if (is_letter(c) && part->count < SHAPE_MAX_RANK && label_find(part, c) < 0)
            part->at[part->count++] = c;
        else
            return not_simple(module, op);
    }
    bool fits = part == &equation->out && operand + 1 == op->operand_count &&
                equation->out.count == op->results[0].type->shape.rank;
    for (int k = 0; k < op->operand_count; k++)
        fits = fits && equation->in[k].count == op->operands[k]->type->shape.rank;
    return fits ? NULL : not_simple(module, op);
}

/* Sums over the dimensions whose letters are neither in `other` (may be NULL) nor in the output. */
static struct value *sum_unused(struct builder *b, struct value *value, struct labels *labels,
                                const struct labels *other, const struct labels *out)
{
    int64_t dims[SHAPE_MAX_RANK];
    int count = 0, kept = 0;
    for (int i = 0; i < labels->count; i++)
        if (label_find(out, labels->at[i]) < 0 && (!other || label_find(other, labels->at[i]) < 0))
            dims[count++] = i;
        else
            labels->at[kept++] = labels->at[i];
    labels->count = kept;
    if (count == 0)
        return value;
    return build_reduce(b, value, build_scalar(b, value->type->shape.dtype, 0), OP_add, count,
                        dims);
}

/* Transposes dimensions with the letters `from` to the order of `to`; NULL if a letter is
 * missing. */
static struct value *reorder(struct builder *b, struct value *value, const struct labels *from,
                             const struct labels *to)
{
    int64_t permutation[SHAPE_MAX_RANK];
    if (from->count != to->count || !value)
        return NULL;
    for (int i = 0; i < to->count; i++) {
        permutation[i] = label_find(from, to->at[i]);
        if (permutation[i] < 0)
            return NULL;
    }
    return build_transpose(b, value, permutation);
}

static struct error *finish(struct module *module, struct op *op, struct value *value)
{
    return value && type_same(value->type, op->results[0].type) ? rewrite_with(module, op, value)
                                                                : not_simple(module, op);
}

struct error *canonicalize_products_einsum(struct module *module, struct op *op)
{
    struct builder b = rewrite_before(module, op);
    struct equation e;
    TRY(parse(module, op, &e));
    struct value *lhs = sum_unused(&b, op->operands[0], &e.in[0], &e.in[1], &e.out);
    struct value *rhs = sum_unused(&b, op->operands[1], &e.in[1], &e.in[0], &e.out);
    int64_t batch[2][SHAPE_MAX_RANK], contracted[2][SHAPE_MAX_RANK];
    int batches = 0, contractions = 0;
    struct labels made = {0};
    for (int i = 0; i < e.in[0].count; i++) { /* batching dimensions come first in the result */
        int other = label_find(&e.in[1], e.in[0].at[i]);
        bool in_out = label_find(&e.out, e.in[0].at[i]) >= 0;
        if (other >= 0 && in_out) {
            batch[0][batches] = i;
            batch[1][batches++] = other;
            made.at[made.count++] = e.in[0].at[i];
        } else if (other >= 0) {
            contracted[0][contractions] = i;
            contracted[1][contractions++] = other;
        }
    }
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < e.in[k].count; i++)
            if (label_find(&e.in[1 - k], e.in[k].at[i]) < 0)
                made.at[made.count++] = e.in[k].at[i];
    union attrs attrs = {
        .dot = {.lhs_batching_dimensions = rewrite_dims(module, batch[0], batches),
                .rhs_batching_dimensions = rewrite_dims(module, batch[1], batches),
                .lhs_contracting_dimensions = rewrite_dims(module, contracted[0], contractions),
                .rhs_contracting_dimensions = rewrite_dims(module, contracted[1], contractions)}};
    struct value *product =
        build_declared(&b, OP_dot_general, 2, (struct value *[]){lhs, rhs}, NULL, &attrs);
    return finish(module, op, reorder(&b, product, &made, &e.out));
}

struct error *canonicalize_products_unary_einsum(struct module *module, struct op *op)
{
    struct builder b = rewrite_before(module, op);
    struct equation e;
    TRY(parse(module, op, &e));
    struct value *value = sum_unused(&b, op->operands[0], &e.in[0], NULL, &e.out);
    return finish(module, op, reorder(&b, value, &e.in[0], &e.out));
}

/* ---- torch_index_select ---------------------------------------------------------------------- */

/* A gather of slices of size 1 along `dim`; the first batch_dims dimensions are batching. */
struct error *canonicalize_products_index_select(struct module *module, struct op *op)
{
    struct builder b = rewrite_before(module, op);
    const struct type *operand = op->operands[0]->type, *index = op->operands[1]->type;
    int64_t dim = op->attrs.torch_index_select.dim,
            batches = op->attrs.torch_index_select.batch_dims;
    if (dim < 0 || dim >= operand->shape.rank || batches < 0 || batches > dim ||
        batches > index->shape.rank)
        return ERROR(
            INVALID_ARGUMENT,
            "%s: dim %lld must be in [0, %d), and batch_dims %lld must be in [0, dim] and at "
            "most the rank %d of the index",
            ir_where(module->arena, op), (long long)dim, operand->shape.rank, (long long)batches,
            index->shape.rank);
    int64_t *sizes =
        arena_copy(module->arena, operand->shape.dims, (size_t)operand->shape.rank * sizeof *sizes);
    int64_t *offsets = ARENA_ARRAY(module->arena, int64_t, (size_t)operand->shape.rank);
    int64_t count = 0;
    for (int64_t i = 0; i < operand->shape.rank; i++) {
        if (i < batches || i == dim)
            sizes[i] = 1;
        else
            offsets[count++] = i < dim ? i : i - 1 + index->shape.rank - batches;
    }
    union attrs attrs = {
        .gather = {.offset_dims = {count, offsets},
                   .collapsed_slice_dims = rewrite_range(module, dim, 1),
                   .operand_batching_dims = rewrite_range(module, 0, batches),
                   .start_indices_batching_dims = rewrite_range(module, 0, batches),
                   .start_index_map = rewrite_range(module, dim, 1),
                   .index_vector_dim = index->shape.rank,
                   .slice_sizes = {operand->shape.rank, sizes}}};
    return rewrite_with(
        module, op, build_declared(&b, OP_gather, 2, op->operands, op->results[0].type, &attrs));
}
