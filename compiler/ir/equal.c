#include "compiler/ir/equal.h"

#include <string.h>

#include "compiler/ir/sharding.h"
#include "compiler/ir/sharding_rules.h"

/* ---- attributes ------------------------------------------------------------------------------ */

static bool dims_equal(struct dims a, struct dims b)
{
    return a.count == b.count &&
           (a.count == 0 || !memcmp(a.at, b.at, (size_t)a.count * sizeof *a.at));
}

static bool strings_equal(struct string a, struct string b)
{
    return a.size == b.size && (a.size == 0 || !memcmp(a.data, b.data, a.size));
}

static bool pairs_equal(struct pairs a, struct pairs b)
{
    return a.rows == b.rows && (a.rows == 0 || a.columns == b.columns) &&
           (a.rows * a.columns == 0 ||
            !memcmp(a.at, b.at, (size_t)(a.rows * a.columns) * sizeof *a.at));
}

static bool layouts_equal(struct layouts a, struct layouts b)
{
    for (int64_t i = 0; a.count == b.count && i < a.count; i++)
        if (!dims_equal(a.at[i], b.at[i]))
            return false;
    return a.count == b.count;
}

static bool funcs_equal(struct funcs a, struct funcs b)
{
    return a.count == b.count &&
           (a.count == 0 || !memcmp(a.at, b.at, (size_t)a.count * sizeof *a.at));
}

static bool dicts_equal(const struct dict *a, const struct dict *b);

static bool dict_values_equal(const struct dict_value *a, const struct dict_value *b)
{
    if (a->kind != b->kind)
        return false;
    switch (a->kind) {
    case DICT_NONE: return true;
    case DICT_BOOL: return a->boolean == b->boolean;
    case DICT_INT: return a->integer == b->integer && a->dtype == b->dtype;
    case DICT_REAL: return !memcmp(&a->real, &b->real, sizeof a->real) && a->dtype == b->dtype;
    case DICT_STRING: return strings_equal(a->string, b->string);
    case DICT_LITERAL: return literal_equal(a->literal, b->literal);
    case DICT_LIST:
        for (int64_t i = 0; a->list.count == b->list.count && i < a->list.count; i++)
            if (!dict_values_equal(&a->list.at[i], &b->list.at[i]))
                return false;
        return a->list.count == b->list.count;
    case DICT_DICT: return dicts_equal(a->dict, b->dict);
    }
    return false;
}

static bool dicts_equal(const struct dict *a, const struct dict *b)
{
    int64_t in_a = a ? a->count : 0, in_b = b ? b->count : 0;
    for (int64_t i = 0; in_a == in_b && i < in_a; i++)
        if (!strings_equal(a->names[i], b->names[i]) ||
            !dict_values_equal(&a->values[i], &b->values[i]))
            return false;
    return in_a == in_b;
}

#define AT(type, at) (*(const type *)(at))

static bool fields_equal(enum attr_kind kind, const void *a, const void *b)
{
    switch (kind) {
    case ATTR_INT: return AT(int64_t, a) == AT(int64_t, b);
    case ATTR_BOOL: return AT(bool, a) == AT(bool, b);
    case ATTR_REAL: return !memcmp(a, b, sizeof(double));
    case ATTR_DIMS:
    case ATTR_BOOLS: return dims_equal(AT(struct dims, a), AT(struct dims, b));
    case ATTR_PAIRS: return pairs_equal(AT(struct pairs, a), AT(struct pairs, b));
    case ATTR_STRING: return strings_equal(AT(struct string, a), AT(struct string, b));
    case ATTR_LITERAL: return literal_equal(AT(struct literal *, a), AT(struct literal *, b));
    case ATTR_FUNC: return AT(struct func *, a) == AT(struct func *, b);
    case ATTR_FUNCS: return funcs_equal(AT(struct funcs, a), AT(struct funcs, b));
    case ATTR_DICT: return dicts_equal(AT(struct dict *, a), AT(struct dict *, b));
    case ATTR_LAYOUTS: return layouts_equal(AT(struct layouts, a), AT(struct layouts, b));
    case ATTR_SHARDING: return sharding_equal(AT(struct sharding *, a), AT(struct sharding *, b));
    case ATTR_RULE:
        return sharding_rules_equal(AT(struct sharding_rule *, a), AT(struct sharding_rule *, b));
    case ATTR_PRECISIONS: return !memcmp(a, b, sizeof(struct precisions));
    case ATTR_TYPE: return AT(enum dtype, a) == AT(enum dtype, b);
    case ATTR_COMPARISON: return AT(enum comparison, a) == AT(enum comparison, b);
    case ATTR_COMPARE_TYPE: return AT(enum compare_type, a) == AT(enum compare_type, b);
    case ATTR_FFT_TYPE: return AT(enum fft_type, a) == AT(enum fft_type, b);
    case ATTR_TRANSPOSE: return AT(enum transpose_kind, a) == AT(enum transpose_kind, b);
    case ATTR_RNG_ALGORITHM: return AT(enum rng_algorithm, a) == AT(enum rng_algorithm, b);
    case ATTR_RNG_DISTRIBUTION: return AT(enum rng_distribution, a) == AT(enum rng_distribution, b);
    case ATTR_FUSION_KIND: return AT(enum fusion_kind, a) == AT(enum fusion_kind, b);
    }
    return false;
}

bool equal_attrs(const struct op *a, const struct op *b)
{
    const struct op_info *info = op_info(a->code);
    for (int i = 0; i < info->field_count; i++) {
        size_t offset = info->fields[i].offset;
        if (!fields_equal(info->fields[i].kind, (const char *)&a->attrs + offset,
                          (const char *)&b->attrs + offset))
            return false;
    }
    return true;
}

/* ---- operations ------------------------------------------------------------------------------ */

struct comparer {
    /* value in a's regions -> value in b's; NULL: the operations have no regions */
    struct map *counterparts;
    int left; /* operations that may still be compared */
};

static bool ops_equal(struct comparer *c, const struct op *a, const struct op *b);

static void pair_values(struct comparer *c, const struct value *a, struct value *b, int count)
{
    for (int i = 0; c->counterparts && i < count; i++)
        map_put_pointer(c->counterparts, &a[i], &b[i]);
}

static bool operands_equal(struct comparer *c, const struct op *a, const struct op *b)
{
    for (int i = 0; i < a->operand_count; i++) {
        const struct value *other =
            c->counterparts ? map_get_pointer(c->counterparts, a->operands[i]) : NULL;
        if (b->operands[i] != (other ? other : a->operands[i]))
            return false;
    }
    return true;
}

static bool blocks_equal(struct comparer *c, const struct block *a, const struct block *b)
{
    if (a->argument_count != b->argument_count)
        return false;
    for (int i = 0; i < a->argument_count; i++)
        if (!type_equal(a->arguments[i].type, b->arguments[i].type))
            return false;
    pair_values(c, a->arguments, b->arguments, a->argument_count);
    const struct op *in_b = b->first;
    for (const struct op *in_a = a->first; in_a; in_a = in_a->next, in_b = in_b->next)
        if (!in_b || c->left-- <= 0 || !ops_equal(c, in_a, in_b))
            return false;
    return !in_b;
}

static bool ops_equal(struct comparer *c, const struct op *a, const struct op *b)
{
    if (a->code != b->code || a->operand_count != b->operand_count ||
        a->result_count != b->result_count || a->region_count != b->region_count ||
        !operands_equal(c, a, b) || !equal_attrs(a, b) ||
        (a->code == OP_custom_call &&
         !dicts_equal(a->discardable, b->discardable))) /* contain its configuration */
        return false;
    for (int i = 0; i < a->result_count; i++)
        if (!type_equal(a->results[i].type, b->results[i].type))
            return false;
    for (int i = 0; i < a->region_count; i++)
        if (!blocks_equal(c, a->regions[i], b->regions[i]))
            return false;
    pair_values(c, a->results, b->results, a->result_count);
    return true;
}

bool equal_ops(struct arena *arena, const struct op *a, const struct op *b, int max_region_ops)
{
    struct comparer c = {a->region_count ? map_create(arena) : NULL, max_region_ops};
    return ops_equal(&c, a, b);
}

bool equal_counterparts(struct map *counterparts, const struct op *a, const struct op *b,
                        int max_region_ops)
{
    struct comparer c = {counterparts, max_region_ops};
    return ops_equal(&c, a, b);
}

/* ---- hash: omits expensive fields, which only costs additional comparisons ------------------- */

static uint64_t hash_type(const struct type *type, uint64_t hash)
{
    int head[] = {(int)type->kind, (int)type->shape.dtype, type->shape.rank, type->element_count};
    hash = map_hash(head, sizeof head, hash);
    return type->shape.rank ? map_hash(type->shape.dims,
                                       (size_t)type->shape.rank * sizeof *type->shape.dims, hash)
                            : hash;
}

static uint64_t hash_field(enum attr_kind kind, const void *at, uint64_t hash)
{
    const struct literal *literal;
    switch (kind) {
    case ATTR_INT: return map_hash(at, sizeof(int64_t), hash);
    case ATTR_DIMS:
    case ATTR_BOOLS:
        return map_hash(AT(struct dims, at).at, (size_t)AT(struct dims, at).count * 8, hash);
    case ATTR_STRING: return map_hash(AT(struct string, at).data, AT(struct string, at).size, hash);
    case ATTR_COMPARISON: return map_hash(at, sizeof(enum comparison), hash);
    case ATTR_LITERAL: /* the first element only: splat and dense literals may be equal */
        literal = AT(struct literal *, at);
        return type_elements(literal->type) <= 0
                   ? hash
                   : map_hash(literal->bytes, (size_t)dtype_bytes(literal->type->shape.dtype),
                              hash);
    default: return hash;
    }
}

uint64_t equal_hash(const struct op *op)
{
    const struct op_info *info = op_info(op->code);
    int head[] = {(int)op->code, op->operand_count, op->result_count, op->region_count};
    uint64_t hash = map_hash(head, sizeof head, 0);
    if (op->operand_count)
        hash = map_hash(op->operands, (size_t)op->operand_count * sizeof *op->operands, hash);
    for (int i = 0; i < op->result_count; i++)
        hash = hash_type(op->results[i].type, hash);
    for (int i = 0; i < info->field_count; i++)
        hash = hash_field(info->fields[i].kind, (const char *)&op->attrs + info->fields[i].offset,
                          hash);
    return hash;
}
