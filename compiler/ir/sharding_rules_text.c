/* sharding_rules_text.c: rules that clients give: their syntax, and whether they fit. */
#include <string.h>

#include "compiler/ir/sharding_rules.h"

/* ---- checking -------------------------------------------------------------------------------- */

/* The product of the sizes of the dimension's factors must be its size. */
static struct error *check_dim(const struct sharding_rule *rule, const struct factor_dim *dim,
                               int64_t size, const char *what, int i, int d)
{
    int64_t product = 1;
    for (int f = 0; f < dim->count; f++) {
        if (__builtin_mul_overflow(product, rule->factors[dim->at[f]].size, &product))
            product = -1;
        /* A permuted factor has the size of the largest of its dimensions. */
        if (rule->factors[dim->at[f]].kind == FACTOR_PERMUTED && dim->count == 1)
            return NULL;
    }
    if (product == size || (dim->count == 1 && product > 0 && product < size))
        return NULL;
    return ERROR(INVALID_ARGUMENT,
                 "sdy.sharding_rule: dimension %d of %s %d has factors of %lld elements together; "
                 "it has %lld",
                 d, what, i, (long long)product, (long long)size);
}

static struct error *check_value(const struct sharding_rule *rule, const struct factor_dims *dims,
                                 const struct type *type, const char *what, int i)
{
    int rank = type->kind == TYPE_TENSOR ? type->shape.rank : 0;
    if (dims->rank != rank)
        return ERROR(INVALID_ARGUMENT,
                     "sdy.sharding_rule: %s %d has %d dimensions; the rule gives it %d", what, i,
                     rank, dims->rank);
    for (int d = 0; d < rank; d++)
        TRY(check_dim(rule, &dims->dims[d], type->shape.dims[d], what, i, d));
    return NULL;
}

struct error *sharding_rules_check(const struct sharding_rule *rule, const struct op *op)
{
    if (rule->operand_count != op->operand_count || rule->result_count != op->result_count)
        return ERROR(INVALID_ARGUMENT,
                     "sdy.sharding_rule is for %d operands and %d results; the operation has %d "
                     "and %d",
                     rule->operand_count, rule->result_count, op->operand_count, op->result_count);
    for (int i = 0; i < op->operand_count; i++)
        TRY(check_value(rule, &rule->operands[i], op->operands[i]->type, "operand", i));
    for (int i = 0; i < op->result_count; i++)
        TRY(check_value(rule, &rule->results[i], op->results[i].type, "result", i));
    return NULL;
}

/* ---- equality -------------------------------------------------------------------------------- */

static bool values_equal(int count, const struct factor_dims *a, const struct factor_dims *b)
{
    for (int i = 0; i < count; i++) {
        if (a[i].rank != b[i].rank)
            return false;
        for (int d = 0; d < a[i].rank; d++) {
            const struct factor_dim *x = &a[i].dims[d], *y = &b[i].dims[d];
            if (x->count != y->count ||
                (x->count && memcmp(x->at, y->at, (size_t)x->count * sizeof *x->at) != 0))
                return false;
        }
    }
    return true;
}

bool sharding_rules_equal(const struct sharding_rule *a, const struct sharding_rule *b)
{
    if (a == b)
        return true;
    if (!a || !b || a->factor_count != b->factor_count || a->operand_count != b->operand_count ||
        a->result_count != b->result_count)
        return false;
    for (int f = 0; f < a->factor_count; f++)
        if (a->factors[f].size != b->factors[f].size || a->factors[f].kind != b->factors[f].kind)
            return false;
    return values_equal(a->operand_count, a->operands, b->operands) &&
           values_equal(a->result_count, a->results, b->results);
}

/* ---- printing -------------------------------------------------------------------------------- */

/* i ... z, then z_1, z_2 ... */
static void print_symbol(int factor, struct text *out)
{
    enum { LETTERS = 'z' - 'i' };
    if (factor <= LETTERS)
        text_add(out, "%c", 'i' + factor);
    else
        text_add(out, "z_%d", factor - LETTERS);
}

/* ([i, j], [j, k]) */
static void print_values(int count, const struct factor_dims *values, struct text *out)
{
    text_add(out, "(");
    for (int i = 0; i < count; i++) {
        text_add(out, "%s[", i ? ", " : "");
        for (int d = 0; d < values[i].rank; d++) {
            text_add(out, "%s", d ? ", " : "");
            for (int f = 0; f < values[i].dims[d].count; f++)
                print_symbol(values[i].dims[d].at[f], out);
        }
        text_add(out, "]");
    }
    text_add(out, ")");
}

static void print_kind(const struct sharding_rule *rule, enum factor_kind kind, const char *name,
                       struct text *out)
{
    int printed = 0;
    for (int f = 0; f < rule->factor_count; f++) {
        if (rule->factors[f].kind != kind)
            continue;
        if (printed++)
            text_add(out, ", ");
        else
            text_add(out, " %s={", name);
        print_symbol(f, out);
    }
    if (printed)
        text_add(out, "}");
}

void sharding_rules_print(const struct sharding_rule *rule, struct text *out)
{
    text_add(out, "#sdy.op_sharding_rule<");
    print_values(rule->operand_count, rule->operands, out);
    text_add(out, "->");
    print_values(rule->result_count, rule->results, out);
    for (int f = 0; f < rule->factor_count; f++) {
        text_add(out, "%s", f ? ", " : " {");
        print_symbol(f, out);
        text_add(out, "=%lld", (long long)rule->factors[f].size);
    }
    text_add(out, "%s", rule->factor_count ? "}" : "");
    print_kind(rule, FACTOR_REDUCTION, "reduction", out);
    print_kind(rule, FACTOR_REPLICATED, "need_replication", out);
    print_kind(rule, FACTOR_PERMUTED, "permutation", out);
    text_add(out, ", custom>");
}
