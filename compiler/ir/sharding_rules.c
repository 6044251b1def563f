/* sharding_rules.c: the table of rules, and the families that need few words. */
#include "compiler/ir/sharding_rules.h"

#include <string.h>

#include "compiler/ir/sharding_rule_maker.h"

/* ---- making a rule --------------------------------------------------------------------------- */

int rule_factor(struct rule_maker *m, int64_t size, enum factor_kind kind)
{
    VEC_PUSH(m->arena, &m->factors, (struct factor){size, kind});
    return (int)m->factors.count - 1;
}

void rule_put(struct rule_maker *m, struct made_value *value, int dim, int factor)
{
    struct factor_indices *list = &value->dims[dim];
    if (list->count == list->capacity) {
        int *at = ARENA_ARRAY(m->arena, int, (size_t)list->count * 2 + 1);
        if (list->count)
            memcpy(at, list->at, (size_t)list->count * sizeof *at);
        list->capacity = list->count * 2 + 1;
        list->at = at;
    }
    list->at[list->count++] = factor;
}

int rule_link(struct rule_maker *m, struct made_value *a, int i, struct made_value *b, int j,
              enum factor_kind kind)
{
    int64_t size = a->sizes[i] > b->sizes[j] ? a->sizes[i] : b->sizes[j];
    int factor = rule_factor(m, size, kind);
    rule_put(m, a, i, factor);
    rule_put(m, b, j, factor);
    return factor;
}

void rule_put_all(struct rule_maker *m, struct made_value *values, int count, int dim, int factor)
{
    for (int i = 0; i < count; i++)
        rule_put(m, &values[i], dim, factor);
}

static void value_init(struct rule_maker *m, struct made_value *value, const struct type *type)
{
    value->rank = type->kind == TYPE_TENSOR ? type->shape.rank : 0;
    value->sizes = type->shape.dims;
    value->dims = ARENA_ARRAY(m->arena, struct factor_indices, (size_t)value->rank);
}

static void maker_init(struct rule_maker *m)
{
    const struct op *op = m->op;
    m->operands = ARENA_ARRAY(m->arena, struct made_value, (size_t)op->operand_count);
    m->results = ARENA_ARRAY(m->arena, struct made_value, (size_t)op->result_count);
    for (int i = 0; i < op->operand_count; i++)
        value_init(m, &m->operands[i], op->operands[i]->type);
    for (int i = 0; i < op->result_count; i++)
        value_init(m, &m->results[i], op->results[i].type);
}

/* The values' dimensions without a factor get one of their own, and the rest is copied. */
static const struct factor_dims *finish(struct rule_maker *m, struct made_value *values, int count)
{
    struct factor_dims *out = ARENA_ARRAY(m->arena, struct factor_dims, (size_t)count);
    for (int i = 0; i < count; i++) {
        struct factor_dim *dims = ARENA_ARRAY(m->arena, struct factor_dim, (size_t)values[i].rank);
        for (int d = 0; d < values[i].rank; d++) {
            if (!values[i].dims[d].count && values[i].sizes[d] != 1)
                rule_put(m, &values[i], d, rule_factor(m, values[i].sizes[d], FACTOR_REPLICATED));
            dims[d] = (struct factor_dim){values[i].dims[d].count, values[i].dims[d].at};
        }
        out[i] = (struct factor_dims){values[i].rank, dims};
    }
    return out;
}

/* ---- families -------------------------------------------------------------------------------- */

static void rule_replicated(struct rule_maker *m)
{
    (void)m;
}

static void rule_elementwise(struct rule_maker *m)
{
    struct made_value *result = &m->results[0];
    for (int d = 0; d < result->rank; d++) {
        int factor = rule_factor(m, result->sizes[d], FACTOR_PASS);
        rule_put_all(m, m->results, m->op->result_count, d, factor);
        for (int i = 0; i < m->op->operand_count; i++)
            if (m->operands[i].rank)
                rule_put(m, &m->operands[i], d, factor);
    }
}

/* Links all dimensions of operand n and result n but those of the bits in `except`. */
static void link_per_operand(struct rule_maker *m, uint64_t except)
{
    int count = m->op->operand_count;
    count = count < m->op->result_count ? count : m->op->result_count;
    for (int i = 0; i < count; i++)
        for (int d = 0; d < m->operands[i].rank && d < m->results[i].rank; d++)
            if (!(except >> d & 1))
                rule_link(m, &m->operands[i], d, &m->results[i], d, FACTOR_PASS);
}

static void rule_per_operand(struct rule_maker *m)
{
    link_per_operand(m, 0);
}

static void rule_all_gather(struct rule_maker *m)
{
    link_per_operand(m, UINT64_C(1) << m->op->attrs.all_gather.all_gather_dim);
}

static void rule_reduce_scatter(struct rule_maker *m)
{
    link_per_operand(m, UINT64_C(1) << m->op->attrs.reduce_scatter.scatter_dimension);
}

static void rule_all_to_all(struct rule_maker *m)
{
    const struct attrs_all_to_all *a = &m->op->attrs.all_to_all;
    link_per_operand(m, UINT64_C(1) << a->split_dimension | UINT64_C(1) << a->concat_dimension);
}

static void rule_leading(struct rule_maker *m)
{
    struct made_value *operand = &m->operands[0], *result = &m->results[0];
    for (int d = 0; d < operand->rank && d < result->rank && operand->sizes[d] == result->sizes[d];
         d++)
        rule_link(m, operand, d, result, d, FACTOR_PASS);
}

static void rule_created(struct rule_maker *m)
{
    struct made_value *result = &m->results[0];
    for (int d = 0; d < result->rank; d++)
        rule_put(m, result, d, rule_factor(m, result->sizes[d], FACTOR_PASS));
}

/* ---- custom calls ---------------------------------------------------------------------------- */

/* The largest elements of the last dimension, and their indices. */
static void rule_top_k(struct rule_maker *m)
{
    for (int d = 0; d + 1 < m->operands[0].rank; d++) {
        int factor = rule_factor(m, m->operands[0].sizes[d], FACTOR_PASS);
        rule_put(m, &m->operands[0], d, factor);
        for (int i = 0; i < m->op->result_count; i++)
            if (m->results[i].rank == m->operands[0].rank &&
                m->results[i].sizes[d] == m->operands[0].sizes[d])
                rule_put(m, &m->results[i], d, factor);
    }
}

/* The call's values are alike: an annotation. */
static void rule_annotation(struct rule_maker *m)
{
    if (m->op->operand_count == 1 && m->op->result_count == 1 &&
        type_same_shape(m->op->operands[0]->type, m->op->results[0].type))
        link_per_operand(m, 0);
}

static const struct dict_value *dict_find(const struct dict *dict, const char *name)
{
    for (int64_t i = 0; dict && i < dict->count; i++)
        if (dict->names[i].size == strlen(name) &&
            !memcmp(dict->names[i].data, name, dict->names[i].size))
            return &dict->values[i];
    return NULL;
}

/* The number of leading dimensions that a call declares to be a batch; 0: none. */
static int batch_dims_of(const struct op *op)
{
    const struct dict_value *attributes = dict_find(op->discardable, "mhlo.frontend_attributes");
    if (!attributes || attributes->kind != DICT_DICT)
        return 0;
    const struct dict_value *number = dict_find(attributes->dict, "num_batch_dims");
    if (!number || number->kind != DICT_STRING || number->string.size != 1)
        return 0;
    char digit = number->string.data[0];
    return digit >= '0' && digit <= '9' ? digit - '0' : 0;
}

/* The size of dimension d of all values; -1 if one has none, or they differ. */
static int64_t common_size(const struct rule_maker *m, int d)
{
    int count = m->op->operand_count + m->op->result_count;
    int64_t size = -1;
    for (int i = 0; i < count; i++) {
        const struct made_value *value =
            i < m->op->operand_count ? &m->operands[i] : &m->results[i - m->op->operand_count];
        if (d >= value->rank || (size >= 0 && value->sizes[d] != size))
            return -1;
        size = value->sizes[d];
    }
    return size;
}

static void rule_batched(struct rule_maker *m)
{
    int count = batch_dims_of(m->op);
    for (int d = 0; d < count && common_size(m, d) >= 0; d++) {
        int factor = rule_factor(m, common_size(m, d), FACTOR_PASS);
        rule_put_all(m, m->operands, m->op->operand_count, d, factor);
        rule_put_all(m, m->results, m->op->result_count, d, factor);
    }
}

/* Calls by name, or with a declared number of batch dimensions (num_batch_dims of JAX's foreign
 * calls). What others compute is unknown: they get whole values. */
static void rule_custom_call(struct rule_maker *m)
{
    static const struct {
        const char *name;
        rule_family *family;
    } calls[] = {
        {"TopK", rule_top_k},
        {"mhlo.topk", rule_top_k},
        {"annotate_device_placement", rule_annotation},
        {"LayoutConstraint", rule_annotation},
        {"MoveToHost", rule_annotation},
        {"MoveToDevice", rule_annotation},
    };
    struct string name = m->op->attrs.custom_call.call_target_name;
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
        if (strlen(calls[i].name) == name.size && !memcmp(calls[i].name, name.data, name.size) &&
            m->op->operand_count) {
            calls[i].family(m);
            return;
        }
    rule_batched(m);
}

/* ---- the table ------------------------------------------------------------------------------- */

#define rule_none NULL
static rule_family *const families[OP_CODE_COUNT] = {
#define RULE(operation, family) [OP_##operation] = rule_##family,
#include "compiler/ir/sharding_rules.def"
#undef RULE
};
#undef rule_none

static rule_family *family_of(enum op_code code)
{
    bool elementwise = op_info(code)->traits & OP_ELEMENTWISE;
    return families[code] ? families[code] : elementwise ? rule_elementwise : NULL;
}

struct sharding_rule *sharding_rule_of(struct arena *arena, const struct op *op)
{
    struct rule_maker m = {.arena = arena, .op = op};
    rule_family *family = family_of(op->code);
    if (!family)
        return NULL;
    maker_init(&m);
    family(&m);
    struct sharding_rule *rule = ARENA_NEW(arena, struct sharding_rule);
    rule->operands = finish(&m, m.operands, op->operand_count);
    rule->results = finish(&m, m.results, op->result_count);
    rule->operand_count = op->operand_count;
    rule->result_count = op->result_count;
    rule->factor_count = (int)m.factors.count;
    rule->factors = m.factors.items;
    return rule;
}

bool sharding_rules_is_combiner(const struct op *op, int r)
{
    if (r >= op->region_count || op->regions[r]->argument_count != 2)
        return false;
    const struct block *block = op->regions[r];
    const struct op *combine = block->first, *ret = block->last;
    if (!combine || combine->next != ret || ret->operand_count != 1 ||
        combine->operand_count != 2 || ret->operands[0]->def != combine)
        return false;
    const struct value *a = combine->operands[0], *b = combine->operands[1];
    return op_info(combine->code)->traits & OP_COMMUTATIVE && a != b && !a->def && !b->def &&
           a->block == block && b->block == block;
}
