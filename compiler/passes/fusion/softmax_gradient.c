/* softmax_gradient.c: see softmax_gradient.h. */
#include "compiler/passes/fusion/softmax_gradient.h"

#include <math.h>

#include "base/map.h"
#include "compiler/analysis/constants.h"
#include "compiler/analysis/library_spec.h"
#include "compiler/ir/literal.h"
#include "compiler/analysis/row_map.h"
#include "compiler/passes/rewrite/fusion_make.h"
#include "compiler/passes/rewrite/rewrite.h"

/* ---- what the gradient is computed from ------------------------------------------------------ */
enum { KNOWN = 4, MAX_DEPTH = SOFTMAX_GRADIENT_MAX };

struct search {
    struct softmax_gradient *out;
    struct map *sources; /* value -> KNOWN, and a bit for each product that it depends on */
    struct op *products[2];
    int product_count;
};

static unsigned source_of(const struct search *s, const struct value *value)
{
    return (unsigned)(uintptr_t)map_get_pointer(s->sources, value);
}

static void set_source(struct search *s, const struct value *value, unsigned source)
{
    map_put_pointer(s->sources, value, (void *)(uintptr_t)(source | KNOWN));
}

/* Whether an operation may be part of a kernel that computes whole rows. */
static bool may_join(const struct op *op)
{
    if (op->result_count != 1)
        return false;
    switch (op->code) {
    case OP_copy: return false;
    case OP_broadcast_in_dim:
    case OP_reshape:
    case OP_iota: return true;
    case OP_reduce: return op->operand_count == 2;
    default: return (op_info(op->code)->traits & OP_ELEMENTWISE) && !op->region_count;
    }
}

static bool has_rows_of(const struct value *value, const struct value *like)
{
    const struct shape *a = &value->type->shape, *b = &like->type->shape;
    return a->rank && a->dims[a->rank - 1] == b->dims[b->rank - 1] && dtype_is_float(a->dtype) &&
           type_elements(value->type) == type_elements(like->type);
}

static bool visit(struct search *s, struct value *value, int depth);

static bool visit_product(struct search *s, struct op *op)
{
    if (!has_rows_of(&op->results[0], s->out->gradient)) {
        set_source(s, &op->results[0], 0);
        return true;
    }
    if (s->product_count == 2)
        return false;
    set_source(s, &op->results[0], 1U << s->product_count);
    s->products[s->product_count++] = op;
    return true;
}

static bool visit_member(struct search *s, struct op *op, int depth)
{
    unsigned source = 0;
    for (int i = 0; i < op->operand_count; i++) {
        if (!visit(s, op->operands[i], depth + 1))
            return false;
        source |= source_of(s, op->operands[i]);
    }
    if (s->out->member_count == SOFTMAX_GRADIENT_MAX)
        return false;
    s->out->members[s->out->member_count++] = op;
    set_source(s, &op->results[0], source);
    return true;
}

/* Finds what a value depends on; false if that is too much. */
static bool visit(struct search *s, struct value *value, int depth)
{
    struct op *op = value->def;
    if (source_of(s, value))
        return true;
    if (depth == MAX_DEPTH)
        return false;
    if (op && op->block == s->out->gradient->def->block) {
        if (library_spec_is_product(op))
            return visit_product(s, op);
        if (may_join(op))
            return visit_member(s, op, depth);
    }
    set_source(s, value, 0);
    return true;
}

/* The quotient of exponentials by their sum; NULL: none. */
static struct value *quotient_of(const struct value *exponentials, const struct op *sum)
{
    for (const struct use *use = exponentials->uses; use; use = use->next) {
        struct op *op = use->user;
        if (op->code != OP_divide || op->block != sum->block || use->operand != 0)
            continue;
        const struct value *divisor = op->operands[1];
        while (divisor->def &&
               (divisor->def->code == OP_broadcast_in_dim || divisor->def->code == OP_reshape))
            divisor = divisor->def->operands[0];
        if (divisor->def == sum)
            return &op->results[0];
    }
    return NULL;
}

/* Finds a softmax of the product with that number. */
static bool find_softmax(const struct search *s, int product)
{
    struct softmax_gradient *out = s->out;
    for (int i = 0; i < out->member_count; i++) {
        struct value *sum = &out->members[i]->results[0];
        if (source_of(s, sum) != (KNOWN | 1U << product) || out->members[i]->code != OP_reduce ||
            !row_map_reduced(sum, OP_add))
            continue;
        out->exponentials = sum->def->operands[0];
        out->weights = quotient_of(out->exponentials, sum->def);
        out->sum = sum;
        out->scores = s->products[product];
        out->change = s->products[!product];
        if (out->weights)
            return true;
    }
    return false;
}

bool softmax_gradient_find(struct module *module, struct value *gradient,
                           struct softmax_gradient *out)
{
    *out = (struct softmax_gradient){.gradient = gradient};
    struct search s = {.out = out, .sources = map_create(module->arena)};
    return visit(&s, gradient, 0) && s.product_count == 2 &&
           (find_softmax(&s, 0) || find_softmax(&s, 1));
}

/* ---- lists of operations --------------------------------------------------------------------- */
struct list {
    struct map *known; /* values that are not followed, and those that were */
    struct op *at[SOFTMAX_GRADIENT_MAX];
    int count;
};

/* Lists the operations that compute a value, operands first; false: too many. Reductions that do
 * not depend on products are not followed. */
static bool list_back(struct list *list, struct value *value, const struct op *in)
{
    struct op *op = value->def;
    if (map_get_pointer(list->known, value) || !op || op->block != in->block || !may_join(op))
        return true;
    map_put_pointer(list->known, value, value);
    for (int i = 0; i < op->operand_count; i++)
        if (!list_back(list, op->operands[i], in))
            return false;
    if (list->count == SOFTMAX_GRADIENT_MAX)
        return false;
    list->at[list->count++] = op;
    return true;
}

static bool reads(const struct op *fusion, const struct op *product)
{
    return ir_operand_of(fusion, &product->results[0]) >= 0;
}

struct op *softmax_gradient_make_weights(struct module *module, const struct softmax_gradient *from,
                                         struct op *position)
{
    struct list list = {.known = map_create(module->arena)};
    struct value *weights = from->weights;
    if (!list_back(&list, weights, weights->def))
        return NULL;
    struct op *made = fusion_make(module, FUSION_ROWS, position, list.count, list.at, 1, &weights);
    int scores = ir_operand_of(made, &from->scores->results[0]);
    if (scores >= 0 && scores < 64 && row_map_is(made, UINT64_C(1) << scores) &&
        !reads(made, from->change))
        return made;
    ir_remove(made);
    return NULL;
}

/* ---- degrees --------------------------------------------------------------------------------- */
/* The degree of a value in the factor c; ANY_DEGREE: zeros. Stored with an offset of BASE, since 0
 * is what the map does not have. */
enum { ANY_DEGREE = 64, NO_DEGREE, LIMIT = 8, BASE = 128 };

static int degree_of(const struct map *degrees, const struct value *value)
{
    int stored = (int)(intptr_t)map_get_pointer(degrees, value);
    if (stored)
        return stored - BASE;
    return constants_is_splat_of(value, 0) ? ANY_DEGREE : 0;
}

static void set_degree(struct map *degrees, const struct value *value, int degree)
{
    map_put_pointer(degrees, value, (void *)(intptr_t)(degree + BASE));
}

/* Of a sum of values with these degrees. */
static int common_degree(int a, int b)
{
    if (a == ANY_DEGREE || a == b)
        return b;
    return b == ANY_DEGREE ? a : NO_DEGREE;
}

/* Of a product of values with these degrees, or of a quotient, whose second is negative. */
static int total_degree(int a, int b)
{
    if (a == ANY_DEGREE)
        return ANY_DEGREE;
    return a + b > LIMIT || a + b < -LIMIT ? NO_DEGREE : a + b;
}

static int degree_of_result(const struct map *degrees, const struct op *op)
{
    int degree[3] = {0};
    bool is_invariant = true;
    for (int i = 0; i < op->operand_count; i++) {
        int one = degree_of(degrees, op->operands[i]);
        is_invariant &= one == 0 || one == ANY_DEGREE;
        if (i < 3)
            degree[i] = one;
    }
    switch (op->code) {
    case OP_negate:
    case OP_reshape:
    case OP_broadcast_in_dim: return degree[0];
    case OP_add:
    case OP_subtract: return common_degree(degree[0], degree[1]);
    case OP_multiply:
        return degree[1] == ANY_DEGREE ? ANY_DEGREE : total_degree(degree[0], degree[1]);
    case OP_divide:
        return degree[1] == ANY_DEGREE ? NO_DEGREE : total_degree(degree[0], -degree[1]);
    case OP_select: return degree[0] == 0 ? common_degree(degree[1], degree[2]) : NO_DEGREE;
    case OP_reduce:
        return row_map_reduced(&op->results[0], OP_add) || is_invariant ? degree[0] : NO_DEGREE;
    default: return is_invariant ? 0 : NO_DEGREE;
    }
}

static bool is_homogeneous(struct module *module, const struct softmax_gradient *from,
                           const struct list *list)
{
    struct map *degrees = map_create(module->arena);
    set_degree(degrees, from->exponentials, 1);
    set_degree(degrees, from->sum, 1);
    set_degree(degrees, from->weights, 0);
    for (int i = 0; i < list->count; i++) {
        int degree = degree_of_result(degrees, list->at[i]);
        if (degree == NO_DEGREE)
            return false;
        set_degree(degrees, &list->at[i]->results[0], degree);
    }
    return degree_of(degrees, from->gradient) == 0;
}

/* ---- the gradient's kernel ------------------------------------------------------------------- */
/* The value of g for an operation, where `values` replace the originals: a factor or divisor of one
 * is left out. */
static struct value *build(struct builder *b, const struct op *op, struct map *values)
{
    struct value *in[2] = {NULL, NULL};
    for (int i = 0; i < 2 && i < op->operand_count; i++) {
        struct value *mapped = map_get_pointer(values, op->operands[i]);
        in[i] = mapped ? mapped : op->operands[i];
    }
    bool is_product = op->code == OP_multiply;
    if ((is_product || op->code == OP_divide) && constants_is_splat_of(in[1], 1))
        return in[0];
    if (is_product && constants_is_splat_of(in[0], 1))
        return in[1];
    if ((op->code == OP_broadcast_in_dim || op->code == OP_reshape) &&
        constants_is_splat_of(in[0], 1))
        return build_splat(b, op->results[0].type, 1);
    struct op *made = ir_clone(b->module, op, values);
    ir_insert_before(b->before, made);
    return &made->results[0];
}

/* Builds g before `position`; returns the gradient. */
static struct value *build_gradient(struct module *module, const struct softmax_gradient *from,
                                    const struct list *list, struct value *weights,
                                    struct op *position)
{
    struct builder b = rewrite_before(module, position);
    struct map *values = map_create(module->arena);
    map_put_pointer(values, from->weights, weights);
    map_put_pointer(values, from->exponentials, weights);
    map_put_pointer(values, from->sum, build_splat(&b, from->sum->type, 1));
    for (int i = 0; i < list->count; i++)
        map_put_pointer(values, &list->at[i]->results[0], build(&b, list->at[i], values));
    return map_get_pointer(values, from->gradient);
}

/* Removes what nothing uses of the operations between two of a block, except `result`. */
static void remove_unused(const struct op *before, const struct op *position,
                          const struct value *result)
{
    struct op *previous;
    for (struct op *op = position->previous; op != before; op = previous) {
        previous = op->previous;
        if (!op->results[0].uses && op != result->def)
            ir_remove(op);
    }
}

/* The operations between two of a block become a fusion at the second, with one result. */
static struct op *fuse_between(struct module *module, const struct op *before, struct op *position,
                               struct value *result)
{
    struct list list = {0};
    remove_unused(before, position, result);
    for (struct op *op = before->next; op != position; op = op->next)
        list.at[list.count++] = op;
    struct op *made = fusion_make(module, FUSION_ROWS, position, list.count, list.at, 1, &result);
    while (list.count)
        ir_remove(list.at[--list.count]);
    return made;
}

struct op *softmax_gradient_make(struct module *module, const struct softmax_gradient *from,
                                 struct value *weights, struct op *position)
{
    struct list list = {.known = map_create(module->arena)};
    const struct value *stops[] = {from->weights, from->exponentials, from->sum};
    for (int i = 0; i < 3; i++)
        map_put_pointer(list.known, stops[i], from->gradient);
    if (!list_back(&list, from->gradient, from->gradient->def) ||
        list.count > SOFTMAX_GRADIENT_MAX / 4 || !is_homogeneous(module, from, &list))
        return NULL;
    struct op *before = position->previous;
    struct value *result = build_gradient(module, from, &list, weights, position);
    struct op *made = fuse_between(module, before, position, result);
    int a = ir_operand_of(made, weights), b = ir_operand_of(made, &from->change->results[0]);
    if (a >= 0 && b >= 0 && a < 64 && b < 64 && !reads(made, from->scores) &&
        row_map_is(made, UINT64_C(1) << a | UINT64_C(1) << b))
        return made;
    ir_remove(made);
    return NULL;
}

/* ---- zeros ----------------------------------------------------------------------------------- */
enum { MAX_ZEROS_DEPTH = 10 };

struct zeros { /* arguments of the gradient's region */
    const struct value *weights, *change;
};

static const struct value *without_shape(const struct value *value)
{
    while (value->def && (value->def->code == OP_broadcast_in_dim ||
                          value->def->code == OP_reshape || value->def->code == OP_negate))
        value = value->def->operands[0];
    return value;
}

/* The other of two operands; NULL: neither is `one`. */
static const struct value *other_of(const struct op *op, const struct value *one)
{
    if (op->operands[0] == one)
        return op->operands[1];
    return op->operands[1] == one ? op->operands[0] : NULL;
}

/* Whether a value is the change, or that rounded to types of at least bf16's range. */
static bool is_change(const struct zeros *z, const struct value *value)
{
    while (value->def && value->def->code == OP_convert &&
           dtype_info(value->type->shape.dtype)->exponent_bits >= 8)
        value = value->def->operands[0];
    return value == z->change;
}

/* Whether a value is +-sum(weights * change) of a row. */
static bool is_mean(const struct zeros *z, const struct value *value)
{
    const struct value *terms = row_map_reduced(without_shape(value), OP_add);
    const struct op *op = terms ? terms->def : NULL;
    const struct value *factor = op && op->code == OP_multiply ? other_of(op, z->weights) : NULL;
    return factor && is_change(z, factor);
}

/* Whether a value is at most a small multiple of the largest change. */
static bool is_bounded(const struct zeros *z, const struct value *value)
{
    const struct op *op = value->def;
    if (is_change(z, value) || is_mean(z, value))
        return true;
    return op && (op->code == OP_add || op->code == OP_subtract) &&
           (is_change(z, op->operands[0]) || is_mean(z, op->operands[0])) &&
           (is_change(z, op->operands[1]) || is_mean(z, op->operands[1]));
}

static bool is_finite_constant(const struct value *value)
{
    const struct literal *literal = constants_literal(value);
    return literal && literal_is_uniform(literal) &&
           isfinite(dtype_to_double(literal->type->shape.dtype, literal->bytes));
}

static bool vanishes(const struct zeros *z, const struct value *value, int depth)
{
    const struct op *op = value->def;
    if (!op || depth == MAX_ZEROS_DEPTH)
        return false;
    struct value *const *in = op->operands;
    switch (op->code) {
    case OP_constant: return constants_is_splat_of(value, 0);
    case OP_negate: return vanishes(z, in[0], depth + 1);
    case OP_add:
    case OP_subtract: return vanishes(z, in[0], depth + 1) && vanishes(z, in[1], depth + 1);
    case OP_select: return vanishes(z, in[1], depth + 1) && vanishes(z, in[2], depth + 1);
    case OP_multiply: {
        const struct value *factor = other_of(op, z->weights);
        return (factor && is_bounded(z, factor)) ||
               (is_finite_constant(in[1]) && vanishes(z, in[0], depth + 1)) ||
               (is_finite_constant(in[0]) && vanishes(z, in[1], depth + 1));
    }
    default: return false;
    }
}

bool softmax_gradient_vanishes(const struct op *gradient, const struct value *weights,
                               const struct value *change)
{
    const struct block *body = gradient->regions[0];
    const struct zeros z = {&body->arguments[ir_operand_of(gradient, weights)],
                            &body->arguments[ir_operand_of(gradient, change)]};
    return vanishes(&z, body->last->operands[0], 0);
}
