/* attention_backward.c: see attention_backward.h. */
#include "compiler/passes/fusion/attention_backward.h"

#include "base/map.h"
#include "base/vec.h"
#include "compiler/analysis/library_spec.h"
#include "compiler/passes/fusion/attention_mask.h"
#include "compiler/passes/fusion/attention_scores.h"
#include "compiler/passes/fusion/attention_softmax.h"
#include "compiler/passes/fusion/softmax_gradient.h"
#include "compiler/passes/rewrite/fusion_make.h"
#include "compiler/passes/rewrite/rewrite.h"
#include "compiler/plan/attention_backward_parts.h"
#include "compiler/program/attention_backward_spec.h"

enum {
    MIN_COLUMNS = 256,   /* fewer scores of a product are in the cache anyway */
    MAX_BYTES = 1 << 24, /* of keys, values and their gradients: each block of rows reads them */
    /* Without a mask, the recomputed product of more columns takes longer than the memory of the
     * arrays between the products. */
    MAX_WIDTH_WITHOUT_MASK = 64,
    MAX_MEMBERS = ATTENTION_BACKWARD_PARTS + 2 /* of the region: the parts, and two roundings */
};

/* ---- recognition ----------------------------------------------------------------------------- */
/* Whether a product contracts the rows of an array, whose columns are `columns`, and not these. */
static bool contracts_rows(const struct op *product, const struct value *array, int64_t columns)
{
    struct dot_spec spec;
    int left;
    return attention_backward_parts_product(product, array, &spec, &left) &&
           spec.lhs_m_stride == 1 && spec.m == columns && spec.lhs_k_stride == columns;
}

static int64_t columns_of(const struct value *array)
{
    const struct shape *shape = &array->type->shape;
    return shape->dims[shape->rank - 1];
}

/* Of the products of the block that read an array, the one that contracts its rows, or the one that
 * does not; NULL: there is none, or several. */
static struct op *product_of(const struct value *array, bool rows)
{
    struct op *found = NULL;
    for (const struct use *use = array->uses; use; use = use->next) {
        struct op *op = use->user;
        if (op->block != array->def->block || !library_spec_is_product(op) ||
            contracts_rows(op, array, columns_of(array)) != rows)
            continue;
        if (found)
            return NULL;
        found = op;
    }
    return found;
}

/* The f32 that products read as they are, or rounded to bf16; NULL: of another type. */
static struct value *unrounded(struct value *value)
{
    if (value->type->shape.dtype == DTYPE_F32)
        return value;
    struct value *wide =
        value->def && value->def->code == OP_convert ? value->def->operands[0] : NULL;
    bool is_rounding = wide && value->type->shape.dtype == DTYPE_BF16 &&
                       wide->type->shape.dtype == DTYPE_F32 && wide->def &&
                       wide->def->block == value->def->block;
    return is_rounding ? wide : NULL;
}

/* Whether a value is what a gradient of scores is for its users: an array of rows that two products
 * read, and no other operation reads before its rounding. */
static bool may_be_gradient(struct value *value)
{
    const struct shape *shape = &value->type->shape;
    int uses = 0;
    if (value->type->kind != TYPE_TENSOR || shape->rank < 2 ||
        shape->dims[shape->rank - 1] < MIN_COLUMNS || !unrounded(value) ||
        (unrounded(value) != value && !ir_has_one_use(unrounded(value))))
        return false;
    for (const struct use *use = value->uses; use; use = use->next, uses++)
        if (uses == 2 || !library_spec_is_product(use->user))
            return false;
    return uses == 2;
}

/* ---- the pass -------------------------------------------------------------------------------- */
struct finding {
    struct module *module;
    bool excess; /* of the target's precision: attention_scores.h */
    struct softmax_gradient softmax;
    struct value *weights, *gradient; /* attention_backward_parts_rounded() of the program's */
    struct attention_backward_parts parts;
    struct op *position; /* where the step is inserted: the first of its results */
};

/* The place of an operation in its block (op->note). */
static intptr_t place_of(const struct op *op)
{
    return (intptr_t)op->note;
}

static void set_position(struct finding *f)
{
    struct op *results[] = {f->parts.to_values, f->parts.to_queries, f->parts.to_keys};
    f->position = results[0];
    for (int i = 1; i < 3; i++)
        if (place_of(results[i]) < place_of(f->position))
            f->position = results[i];
}

/* Whether an operation is one of those that compute the gradient. */
static bool is_member(const struct softmax_gradient *softmax, const struct op *op)
{
    for (int i = 0; i < softmax->member_count; i++)
        if (softmax->members[i] == op)
            return true;
    return false;
}

/* Whether the weights are not needed in memory for anything else. */
static bool are_weights_inside(const struct finding *f)
{
    for (const struct use *use = f->softmax.weights->uses; use; use = use->next)
        if (use->user != f->weights->def && !library_spec_is_product(use->user) &&
            !is_member(&f->softmax, use->user))
            return false;
    for (const struct use *use = f->weights->uses; use; use = use->next)
        if (!library_spec_is_product(use->user) && !is_member(&f->softmax, use->user))
            return false;
    return true;
}

/* `gradient`: what products read. */
static bool find(struct finding *f, struct value *gradient)
{
    f->gradient = gradient;
    if (!softmax_gradient_find(f->module, unrounded(gradient), &f->softmax))
        return false;
    f->weights = attention_backward_parts_rounded(f->softmax.weights);
    if (!are_weights_inside(f))
        return false;
    f->parts = (struct attention_backward_parts){
        .scores = f->softmax.scores,
        .change = f->softmax.change,
        .to_values = product_of(f->weights, true),
        .to_queries = product_of(gradient, false),
        .to_keys = product_of(gradient, true),
        .mask_operand = -1,
    };
    if (!f->parts.to_values || !f->parts.to_queries || !f->parts.to_keys)
        return false;
    set_position(f);
    return true;
}

/* Whether the operands of a part that are not other parts are there where the step is inserted. */
static bool is_computed_before(const struct finding *f, const struct op *part)
{
    for (int i = 0; i < part->operand_count; i++) {
        const struct value *value = part->operands[i];
        const struct op *op = value->def;
        bool is_part =
            value == &f->parts.scores->results[0] || value == &f->parts.change->results[0] ||
            value == &f->parts.weights->results[0] || value == &f->parts.gradient->results[0] ||
            value == f->weights || value == f->gradient;
        if (!is_part && op && op->block == f->position->block &&
            place_of(op) >= place_of(f->position))
            return false;
    }
    return true;
}

/* Whether the step is faster than its parts; the limits are measured. */
static bool is_worthwhile(const struct attention_backward_spec *spec, bool has_mask)
{
    const struct dot_spec *s = &spec->scores, *c = &spec->change;
    int64_t bytes = s->n * (3 * s->k + 2 * c->k) * dtype_bytes(s->lhs);
    bool is_narrow = s->k <= MAX_WIDTH_WITHOUT_MASK && c->k <= MAX_WIDTH_WITHOUT_MASK;
    return s->m >= MIN_COLUMNS && s->n >= MIN_COLUMNS && bytes <= MAX_BYTES &&
           (has_mask || is_narrow);
}

static void replace_operand(struct module *module, struct op *op, const struct value *from,
                            struct value *to)
{
    for (int i = 0; i < op->operand_count; i++)
        if (op->operands[i] == from)
            ir_set_operand(module, op, i, to);
}

static struct attention_mask find_mask(const struct attention_backward_parts *parts)
{
    const struct value *scores = &parts->scores->results[0];
    struct attention_mask mask =
        attention_mask_find(parts->weights, ir_operand_of(parts->weights, scores));
    if (!softmax_gradient_vanishes(parts->gradient, &parts->weights->results[0],
                                   &parts->change->results[0]))
        mask.visible = NULL;
    return mask;
}

/* What products read of the result of a kernel instead of `original`: of the same type. */
static struct value *rounded_like(struct finding *f, struct op *kernel,
                                  const struct value *original)
{
    struct builder b = rewrite_before(f->module, f->position);
    return build_convert(&b, &kernel->results[0], original->type->shape.dtype);
}

static void set_operands_of_products(struct finding *f, const struct value *from_weights,
                                     struct value *weights, const struct value *from_gradient,
                                     struct value *gradient)
{
    replace_operand(f->module, f->parts.to_values, from_weights, weights);
    replace_operand(f->module, f->parts.to_queries, from_gradient, gradient);
    replace_operand(f->module, f->parts.to_keys, from_gradient, gradient);
}

/* Whether the parts fit; the products read the kernels' results then. */
static bool connect(struct finding *f)
{
    struct attention_backward_parts *p = &f->parts;
    const struct op *all[ATTENTION_BACKWARD_PARTS] = {
        p->scores, p->weights, p->change, p->gradient, p->to_values, p->to_queries, p->to_keys};
    struct attention_backward_spec spec;
    for (int i = 0; i < ATTENTION_BACKWARD_PARTS; i++)
        if (!is_computed_before(f, all[i]))
            return false;
    if (!attention_softmax_quotient(p->weights))
        return false;
    struct value *weights = rounded_like(f, p->weights, f->weights),
                 *gradient = rounded_like(f, p->gradient, f->gradient);
    set_operands_of_products(f, f->weights, weights, f->gradient, gradient);
    struct attention_mask mask = find_mask(p);
    if (attention_backward_parts_spec(p, &spec) && is_worthwhile(&spec, mask.visible)) {
        if (mask.visible)
            p->weights = attention_mask_add(f->module, p->weights, &mask);
        attention_softmax_multiply(f->module, p->weights);
        return true;
    }
    set_operands_of_products(f, weights, f->weights, gradient, f->gradient);
    return false;
}

/* The operations of the region, in order; returns their number. */
static int list_members(const struct attention_backward_parts *p, struct op **out)
{
    struct op *const parts[ATTENTION_BACKWARD_PARTS] = {
        p->scores, p->weights, p->change, p->gradient, p->to_values, p->to_queries, p->to_keys};
    struct op *const kernels[] = {p->weights, p->gradient};
    int count = 0;
    for (int i = 0; i < ATTENTION_BACKWARD_PARTS; i++) {
        for (int j = 0; j < 2 && parts[i] == p->to_values; j++) {
            struct value *rows = &kernels[j]->results[0],
                         *read = attention_backward_parts_rounded(rows);
            if (read != rows)
                out[count++] = read->def;
        }
        out[count++] = parts[i];
    }
    return count;
}

/* Replaces the parts by one operation. */
static void fuse(struct finding *f)
{
    struct attention_backward_parts *p = &f->parts;
    struct op *members[MAX_MEMBERS];
    int count = list_members(p, members);
    struct value *results[] = {&p->to_values->results[0], &p->to_queries->results[0],
                               &p->to_keys->results[0]};
    struct op *made =
        fusion_make(f->module, FUSION_ATTENTION_BACKWARD, f->position, count, members, 3, results);
    made->note = f->position->note;
    made->location = unrounded(f->gradient)->def->location;
    for (int i = 0; i < 3; i++) {
        ir_replace_uses(f->module, results[i], &made->results[i]);
        ir_remove(results[i]->def);
    }
}

static void remove_unused(struct op *op)
{
    if (op->block && !op->results[0].uses && ir_is_pure(op))
        ir_remove(op);
}

/* A product of its own for the step, whose result is f32 and read by a kernel instead of that of
 * the program's. */
static struct op *own_product(struct finding *f, struct op *product, struct op *kernel)
{
    int operand = ir_operand_of(kernel, &product->results[0]);
    struct op *own = ir_clone(f->module, product, map_create(f->module->arena));
    ir_insert_before(kernel, own);
    ir_set_operand(f->module, kernel, operand, &own->results[0]);
    attention_scores_widen(f->module, own, kernel, operand, f->excess);
    return own;
}

/* Builds the kernels and their products; false if the softmax does not have their form. */
static bool build_kernels(struct finding *f)
{
    struct attention_backward_parts *p = &f->parts;
    p->weights = softmax_gradient_make_weights(f->module, &f->softmax, f->position);
    if (!p->weights)
        return false;
    p->gradient =
        softmax_gradient_make(f->module, &f->softmax, &p->weights->results[0], f->position);
    if (!p->gradient)
        return false;
    p->scores = own_product(f, f->softmax.scores, p->weights);
    p->change = own_product(f, f->softmax.change, p->gradient);
    return true;
}

/* Removes what was built, and is in the step's region if there is one. */
static void remove_kernels(const struct finding *f)
{
    struct op *const kernels[] = {f->parts.gradient, f->parts.weights}, *const products[] = {
                                                                            f->parts.change,
                                                                            f->parts.scores};
    for (int i = 0; i < 2; i++) {
        if (!kernels[i])
            continue;
        struct value *rows = &kernels[i]->results[0],
                     *read = attention_backward_parts_rounded(rows);
        if (read != rows)
            ir_remove(read->def);
        ir_remove(kernels[i]);
        if (products[i] != (i ? f->softmax.scores : f->softmax.change))
            ir_remove(products[i]);
    }
}

static void make(struct module *module, struct value *gradient, bool excess)
{
    struct finding f = {.module = module, .excess = excess};
    if (!find(&f, gradient))
        return;
    bool fits = build_kernels(&f) && connect(&f);
    if (fits)
        fuse(&f);
    remove_kernels(&f);
    if (!fits)
        return;
    remove_unused(f.gradient->def);
    remove_unused(f.weights->def);
    remove_unused(f.softmax.weights->def);
    for (int i = f.softmax.member_count - 1; i >= 0; i--)
        remove_unused(f.softmax.members[i]);
    remove_unused(f.softmax.change);
    remove_unused(f.softmax.scores);
}

static void run_block(struct module *module, struct block *block, bool excess)
{
    VEC(struct value *) candidates = {0};
    intptr_t place = 0;
    for (struct op *op = block->first; op; op = op->next) {
        op->note = (void *)place++;
        if (op_info(op->code)->traits & OP_CONTROL)
            for (int i = 0; i < op->region_count; i++)
                run_block(module, op->regions[i], excess);
        if (op->result_count == 1 && may_be_gradient(&op->results[0]))
            VEC_PUSH(module->arena, &candidates, &op->results[0]);
    }
    for (size_t i = 0; i < candidates.count; i++)
        if (candidates.items[i]->def->block)
            make(module, candidates.items[i], excess);
}

struct error *attention_backward_run(struct module *module, const struct target *target)
{
    for (struct func *func = module->first; func && target->supports_attention; func = func->next)
        run_block(module, func->body, target->excess_precision);
    return NULL;
}
