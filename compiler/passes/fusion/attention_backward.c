/* attention_backward.c: see attention_backward.h. */
#include "compiler/passes/fusion/attention_backward.h"

#include "base/vec.h"
#include "compiler/analysis/library_spec.h"
#include "compiler/passes/fusion/attention_mask.h"
#include "compiler/passes/fusion/softmax_gradient.h"
#include "compiler/passes/rewrite/fusion_make.h"
#include "compiler/program/attention_backward_spec.h"

enum {
    MIN_COLUMNS = 256,   /* fewer scores of a product are in the cache anyway */
    MAX_BYTES = 1 << 24, /* of keys, values and their gradients: each block of rows reads them */
    /* Without a mask, the recomputed product of more columns takes longer than the memory of the
     * arrays between the products. */
    MAX_WIDTH_WITHOUT_MASK = 64,
    PARTS = 7
};

/* ---- the specification ----------------------------------------------------------------------- */
/* The specification of a product that writes rows: the left side has the rows. */
static bool spec_of_rows(const struct op *product, struct dot_spec *out, int *left)
{
    if (!library_spec_dot(product, out))
        return false;
    *left = out->out_n_stride != 1 && out->n != 1;
    if (*left)
        library_spec_swap(out);
    return true;
}

/* The specification of a product that reads rows: they are the left side. */
static bool spec_of_result(const struct op *product, const struct value *rows, struct dot_spec *out,
                           int *left)
{
    *left = library_spec_dot_operand(product, 0) != rows;
    if (!library_spec_dot(product, out) || library_spec_dot_operand(product, *left) != rows)
        return false;
    if (*left)
        library_spec_swap(out);
    return true;
}

static void set_operands(const struct attention_backward_parts *parts,
                         struct attention_backward_spec *out)
{
    const struct op *weights = parts->weights, *gradient = parts->gradient;
    out->weights_others = weights->operand_count - 1;
    out->scores_operand = softmax_gradient_operand(weights, &parts->scores->results[0]);
    out->gradient_others = gradient->operand_count - 2;
    out->weights_operand = softmax_gradient_operand(gradient, &weights->results[0]);
    out->change_operand = softmax_gradient_operand(gradient, &parts->change->results[0]);
    out->mask_operand = parts->mask_operand - (parts->mask_operand > out->scores_operand);
    if (parts->mask_operand >= 0)
        out->mask_rows = type_elements(weights->operands[parts->mask_operand]->type);
}

bool attention_backward_spec_of(struct attention_backward_parts *parts,
                                struct attention_backward_spec *out)
{
    const struct value *weights = &parts->weights->results[0],
                       *gradient = &parts->gradient->results[0];
    *out = (struct attention_backward_spec){0};
    set_operands(parts, out);
    return spec_of_rows(parts->scores, &out->scores, &parts->scores_left) &&
           spec_of_rows(parts->change, &out->change, &parts->change_left) &&
           spec_of_result(parts->to_values, weights, &out->to_values, &parts->values_left) &&
           spec_of_result(parts->to_queries, gradient, &out->to_queries, &parts->queries_left) &&
           spec_of_result(parts->to_keys, gradient, &out->to_keys, &parts->keys_left) &&
           attention_backward_spec_is_supported(out);
}

static struct attention_backward_parts parts_of(struct op *const *ops)
{
    return (struct attention_backward_parts){.scores = ops[0],
                                             .weights = ops[1],
                                             .change = ops[2],
                                             .gradient = ops[3],
                                             .to_values = ops[4],
                                             .to_queries = ops[5],
                                             .to_keys = ops[6],
                                             .mask_operand = -1};
}

struct attention_backward_parts attention_backward_parts(const struct op *fusion)
{
    struct op *ops[PARTS], *op = fusion->regions[0]->first;
    for (int i = 0; i < PARTS; i++, op = op->next)
        ops[i] = op;
    struct attention_backward_parts parts = parts_of(ops);
    int last = parts.weights->operand_count - 1;
    if (!parts.weights->regions[0]->arguments[last].uses) /* attention_mask_add() */
        parts.mask_operand = last;
    return parts;
}

/* ---- recognition ----------------------------------------------------------------------------- */
/* Whether a product contracts the rows of an array, whose columns are `columns`, and not these. */
static bool contracts_rows(const struct op *product, const struct value *array, int64_t columns)
{
    struct dot_spec spec;
    int left;
    return spec_of_result(product, array, &spec, &left) && spec.lhs_m_stride == 1 &&
           spec.m == columns && spec.lhs_k_stride == columns;
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

/* Whether a value is what a gradient of scores is for its users: an array of f32 rows that two
 * products read. */
static bool may_be_gradient(const struct value *value)
{
    const struct shape *shape = &value->type->shape;
    int uses = 0;
    if (value->type->kind != TYPE_TENSOR || shape->dtype != DTYPE_F32 || shape->rank < 2 ||
        shape->dims[shape->rank - 1] < MIN_COLUMNS)
        return false;
    for (const struct use *use = value->uses; use; use = use->next, uses++)
        if (uses == 2 || !library_spec_is_product(use->user))
            return false;
    return uses == 2;
}

/* ---- the pass -------------------------------------------------------------------------------- */
struct finding {
    struct module *module;
    struct softmax_gradient softmax;
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

/* Whether the weights are not needed in memory for anything else. */
static bool are_weights_inside(const struct softmax_gradient *softmax)
{
    for (const struct use *use = softmax->weights->uses; use; use = use->next) {
        bool is_inside = library_spec_is_product(use->user);
        for (int i = 0; i < softmax->member_count && !is_inside; i++)
            is_inside = softmax->members[i] == use->user;
        if (!is_inside)
            return false;
    }
    return true;
}

static bool find(struct finding *f, struct value *gradient)
{
    if (!softmax_gradient_find(f->module, gradient, &f->softmax) ||
        !are_weights_inside(&f->softmax))
        return false;
    f->parts = (struct attention_backward_parts){
        .scores = f->softmax.scores,
        .change = f->softmax.change,
        .to_values = product_of(f->softmax.weights, true),
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
            value == f->softmax.weights || value == f->softmax.gradient;
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
    int64_t bytes = s->n * (3 * s->k + 2 * c->k) * (int64_t)sizeof(float);
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
        attention_mask_find(parts->weights, softmax_gradient_operand(parts->weights, scores));
    if (!softmax_gradient_vanishes(parts->gradient, &parts->weights->results[0],
                                   &parts->change->results[0]))
        mask.visible = NULL;
    return mask;
}

/* Whether the parts fit; the products read the kernels' results then. */
static bool connect(struct finding *f)
{
    struct attention_backward_parts *p = &f->parts;
    const struct op *all[PARTS] = {p->scores,    p->weights,    p->change, p->gradient,
                                   p->to_values, p->to_queries, p->to_keys};
    struct value *weights = &p->weights->results[0], *gradient = &p->gradient->results[0];
    struct attention_backward_spec spec;
    for (int i = 0; i < PARTS; i++)
        if (!is_computed_before(f, all[i]))
            return false;
    replace_operand(f->module, p->to_values, f->softmax.weights, weights);
    replace_operand(f->module, p->to_queries, f->softmax.gradient, gradient);
    replace_operand(f->module, p->to_keys, f->softmax.gradient, gradient);
    struct attention_mask mask = find_mask(p);
    if (attention_backward_spec_of(p, &spec) && is_worthwhile(&spec, mask.visible)) {
        if (mask.visible)
            p->weights = attention_mask_add(f->module, p->weights, &mask);
        return true;
    }
    replace_operand(f->module, p->to_values, weights, f->softmax.weights);
    replace_operand(f->module, p->to_queries, gradient, f->softmax.gradient);
    replace_operand(f->module, p->to_keys, gradient, f->softmax.gradient);
    return false;
}

/* Replaces the parts by one operation. */
static void fuse(struct finding *f)
{
    struct attention_backward_parts *p = &f->parts;
    struct op *all[PARTS] = {p->scores,    p->weights,    p->change, p->gradient,
                             p->to_values, p->to_queries, p->to_keys};
    struct value *results[] = {&p->to_values->results[0], &p->to_queries->results[0],
                               &p->to_keys->results[0]};
    struct op *made =
        fusion_make(f->module, FUSION_ATTENTION_BACKWARD, f->position, PARTS, all, 3, results);
    made->note = f->position->note;
    made->location = f->softmax.gradient->def->location;
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

static void make(struct module *module, struct value *gradient)
{
    struct finding f = {.module = module};
    if (!find(&f, gradient))
        return;
    f.parts.weights = softmax_gradient_make_weights(module, &f.softmax, f.position);
    if (!f.parts.weights)
        return;
    f.parts.gradient =
        softmax_gradient_make(module, &f.softmax, &f.parts.weights->results[0], f.position);
    bool fits = f.parts.gradient && connect(&f);
    if (fits)
        fuse(&f);
    if (f.parts.gradient)
        ir_remove(f.parts.gradient);
    ir_remove(f.parts.weights);
    if (!fits)
        return;
    remove_unused(f.softmax.weights->def);
    for (int i = f.softmax.member_count - 1; i >= 0; i--)
        remove_unused(f.softmax.members[i]);
    remove_unused(f.softmax.change);
    remove_unused(f.softmax.scores);
}

static void run_block(struct module *module, struct block *block)
{
    VEC(struct value *) candidates = {0};
    intptr_t place = 0;
    for (struct op *op = block->first; op; op = op->next) {
        op->note = (void *)place++;
        if (op_info(op->code)->traits & OP_CONTROL)
            for (int i = 0; i < op->region_count; i++)
                run_block(module, op->regions[i]);
        if (op->result_count == 1 && may_be_gradient(&op->results[0]))
            VEC_PUSH(module->arena, &candidates, &op->results[0]);
    }
    for (size_t i = 0; i < candidates.count; i++)
        if (candidates.items[i]->def->block)
            make(module, candidates.items[i]);
}

struct error *attention_backward_run(struct module *module, const struct target *target)
{
    for (struct func *func = module->first; func && target->supports_attention; func = func->next)
        run_block(module, func->body);
    return NULL;
}
