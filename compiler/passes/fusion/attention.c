/* attention.c: see attention.h. */
#include "compiler/passes/fusion/attention.h"

#include "compiler/analysis/library_spec.h"
#include "compiler/passes/fusion/attention_join.h"
#include "compiler/passes/fusion/attention_mask.h"
#include "compiler/passes/fusion/attention_scores.h"
#include "compiler/passes/fusion/attention_softmax.h"
#include "compiler/analysis/row_map.h"
#include "compiler/passes/rewrite/fusion_make.h"
#include "compiler/plan/attention_parts.h"
#include "compiler/program/attention_spec.h"

enum {
    MIN_SCORES = 1 << 14, /* fewer scores of a product are in the cache anyway */
    /* Every block of rows reads all keys and values that it does not leave out: of these sizes they
     * are in a core's second cache. */
    MAX_BYTES = 1 << 19,
    MAX_MASKED_BYTES = 1 << 20,
    PANEL = 64,         /* columns to which values are rounded up in memory */
    WHOLE_COLUMNS = 16, /* scores of a row without a mask: whole vectors */
    MAX_MEMBERS = 8
};

/* Lists the operations that compute a value, backwards through reshapes up to `end`; false if one
 * of their results has another user, or is of another block. */
static bool list_back(const struct value *value, const struct op *end, struct op **out, int *count)
{
    for (;; value = value->def->operands[0]) {
        if (!ir_has_one_use(value) || value->def->block != end->block || *count == MAX_MEMBERS)
            return false;
        out[(*count)++] = value->def;
        if (value->def == end)
            return true;
    }
}

/* The operations from the scores to the product with the values, in order; 0 if they have other
 * users. */
static int list_members(const struct attention_parts *parts, struct op **out)
{
    struct op *reversed[MAX_MEMBERS] = {parts->values};
    int count = 1;
    const struct value *weights = library_spec_dot_operand(parts->values, parts->weights_operand);
    if (parts->weights->block != parts->values->block ||
        !list_back(weights, parts->weights, reversed, &count) ||
        !list_back(parts->weights->operands[parts->scores_operand], parts->scores, reversed,
                   &count))
        return 0;
    for (int i = 0; i < count; i++)
        out[i] = reversed[count - 1 - i];
    return count;
}

/* Whether the step is faster than its parts; the limits are measured. */
static bool is_worthwhile(const struct attention_spec *spec, bool has_mask)
{
    const struct dot_spec *s = &spec->scores, *v = &spec->values;
    int64_t width = (v->n + PANEL - 1) / PANEL * PANEL;
    int64_t bytes = s->n * (s->k + width) * dtype_bytes(s->lhs);
    return s->m >= ATTENTION_MIN_ROWS && s->m * s->n >= MIN_SCORES &&
           bytes <= (has_mask ? MAX_MASKED_BYTES : MAX_BYTES) &&
           (has_mask || s->n % WHOLE_COLUMNS == 0);
}

/* ---- a function of the scores in a kernel of its own ----------------------------------------- */
/* The operand of a kernel that is a product without another user; -1: none. */
static int operand_of_scores(const struct op *kernel)
{
    struct op *between[MAX_MEMBERS];
    for (int i = 0; i < kernel->operand_count; i++) {
        int count = 0;
        const struct op *scores = attention_parts_source(kernel->operands[i]);
        if (library_spec_is_product(scores) &&
            list_back(kernel->operands[i], scores, between, &count))
            return i;
    }
    return -1;
}

static bool is_worth_joining(const struct attention_parts *parts)
{
    struct attention_spec spec;
    bool swaps;
    return parts->weights->operand_count <= ATTENTION_MAX_OPERANDS &&
           row_map_is(parts->weights, UINT64_C(1) << parts->scores_operand) &&
           attention_parts_spec(parts, &spec, &swaps) &&
           is_worthwhile(&spec, attention_mask_find(parts->weights, parts->scores_operand).visible);
}

/* Joins a softmax and the kernel of its operand, which computes the scores that it normalizes. */
static bool join_operand(struct module *module, struct op *softmax, int operand,
                         struct attention_parts *out)
{
    if (!attention_join_is_possible(softmax, operand))
        return false;
    struct op *before = softmax->operands[operand]->def;
    out->scores_operand = operand_of_scores(before);
    if (out->scores_operand < 0 ||
        before->operand_count + softmax->operand_count - 1 > ATTENTION_MAX_OPERANDS)
        return false;
    out->scores = attention_parts_source(before->operands[out->scores_operand]);
    out->weights = attention_join(module, softmax, operand);
    ir_insert_before(softmax, out->weights);
    if (!is_worth_joining(out)) {
        ir_remove(out->weights);
        return false;
    }
    ir_replace_uses(module, &softmax->results[0], &out->weights->results[0]);
    ir_remove(softmax);
    ir_remove(before);
    return true;
}

/* Finds the parts where the kernel between the products is two, and joins these. */
static bool join_parts(struct module *module, struct op *values, struct attention_parts *out)
{
    for (int side = 0; side < 2; side++) {
        struct op *softmax = attention_parts_source(library_spec_dot_operand(values, side));
        *out =
            (struct attention_parts){.values = values, .weights_operand = side, .mask_operand = -1};
        if (!attention_parts_is_between(softmax, FUSION_LOOP))
            continue;
        for (int i = 0; i < softmax->operand_count; i++)
            if (join_operand(module, softmax, i, out))
                return true;
    }
    return false;
}

/* ---- the pass -------------------------------------------------------------------------------- */
/* Returns the operation after those that were looked at. */
static struct op *make(struct module *module, struct op *values, bool excess)
{
    struct attention_parts parts;
    struct attention_spec spec;
    struct op *members[MAX_MEMBERS];
    struct op *next = values->next;
    bool swaps;
    if (!library_spec_is_product(values) ||
        (!attention_parts_find(values, FUSION_LOOP, &parts) &&
         !join_parts(module, values, &parts)) ||
        !attention_parts_spec(&parts, &spec, &swaps))
        return next;
    struct attention_mask mask = attention_mask_find(parts.weights, parts.scores_operand);
    if (!is_worthwhile(&spec, mask.visible))
        return next;
    if (!list_members(&parts, members))
        return next;
    if (mask.visible)
        parts.weights = attention_mask_add(module, parts.weights, &mask);
    attention_softmax_multiply(module, parts.weights);
    attention_scores_widen(module, parts.scores, parts.weights, parts.scores_operand, excess);
    int count = list_members(&parts, members);
    struct value *result = &values->results[0];
    parts.weights->attrs.fusion.fusion_kind = FUSION_ROWS;
    struct op *fusion = fusion_make(module, FUSION_ATTENTION, values, count, members, 1, &result);
    fusion->location = parts.weights->location;
    ir_replace_uses(module, result, &fusion->results[0]);
    for (int i = count - 1; i >= 0; i--)
        ir_remove(members[i]);
    return next;
}

static void run_block(struct module *module, struct block *block, bool excess)
{
    for (struct op *op = block->first; op;) {
        if (op_info(op->code)->traits & OP_CONTROL)
            for (int i = 0; i < op->region_count; i++)
                run_block(module, op->regions[i], excess);
        op = make(module, op, excess);
    }
}

struct error *attention_run(struct module *module, const struct target *target)
{
    for (struct func *func = module->first; func && target->supports_attention; func = func->next)
        run_block(module, func->body, target->excess_precision);
    return NULL;
}
