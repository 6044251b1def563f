/* mlir_text_sdy_rule.c: factors are symbols: i to z are numbers 0 to 17, z_1 is 18, z_2 19 ...
 * Symbols of one dimension are written without a separator: ij, zz_1. */
#include "compiler/frontend/text/mlir_text_sdy_rule.h"

#include "compiler/frontend/mlir/mlir_sdy_rule.h"
#include "compiler/frontend/text/mlir_text_attr.h"

typedef VEC(int64_t) int64_list;

static struct dims dims_of(const int64_list *list)
{
    return (struct dims){(int64_t)list->count, list->items};
}

/* The number after "z_", which *at is past; -1 when there is none. */
static int64_t read_suffix(struct string word, size_t *at)
{
    enum { MAX = 1 << 20 };
    int64_t number = 0;
    size_t begin = *at;
    for (; *at < word.size && word.data[*at] >= '0' && word.data[*at] <= '9' && number < MAX; ++*at)
        number = 10 * number + word.data[*at] - '0';
    return *at == begin || number >= MAX ? -1 : number;
}

/* Appends the factors of a word, "zz_1", to the list. */
static struct error *read_symbols(struct mlir_parser *p, int64_list *list)
{
    struct string word = p->lex.word;
    if (p->lex.token != MLIR_TOKEN_WORD)
        return mlir_lex_expected(&p->lex, "factors, such as i or z_1");
    for (size_t at = 0; at < word.size;) {
        char letter = word.data[at++];
        int64_t factor = letter - 'i', suffix = 0;
        if (letter < 'i' || letter > 'z')
            return mlir_lex_expected(&p->lex, "factors from i to z, z_1, z_2 ...");
        if (letter == 'z' && at < word.size && word.data[at] == '_') {
            at++;
            suffix = read_suffix(word, &at);
            if (suffix < 1)
                return mlir_lex_expected(&p->lex, "a number after z_");
        }
        VEC_PUSH(p->arena, list, factor + suffix);
    }
    mlir_lex_next(&p->lex);
    return NULL;
}

/* [i, jk] */
static struct error *read_mapping(struct mlir_parser *p, struct mlir_mapping *out)
{
    VEC(struct dims) dims = {0};
    TRY(mlir_lex_expect(&p->lex, '['));
    while (!mlir_lex_is(&p->lex, ']')) {
        int64_list factors = {0};
        if (dims.count)
            TRY(mlir_lex_expect(&p->lex, ','));
        TRY(read_symbols(p, &factors));
        VEC_PUSH(p->arena, &dims, dims_of(&factors));
    }
    mlir_lex_next(&p->lex);
    *out = (struct mlir_mapping){dims.count, dims.items};
    return NULL;
}

/* ([i, j], [j, k]) */
static struct error *read_mappings(struct mlir_parser *p, size_t *count,
                                   const struct mlir_mapping **out)
{
    VEC(struct mlir_mapping) mappings = {0};
    TRY(mlir_lex_expect(&p->lex, '('));
    while (!mlir_lex_is(&p->lex, ')')) {
        struct mlir_mapping mapping = {0};
        if (mappings.count)
            TRY(mlir_lex_expect(&p->lex, ','));
        TRY(read_mapping(p, &mapping));
        VEC_PUSH(p->arena, &mappings, mapping);
    }
    mlir_lex_next(&p->lex);
    *count = mappings.count;
    *out = mappings.items;
    return NULL;
}

/* {i=2, j=4}: each factor once, in order */
static struct error *read_sizes(struct mlir_parser *p, struct dims *out)
{
    int64_list sizes = {0};
    if (!mlir_lex_accept(&p->lex, '{'))
        return NULL;
    while (!mlir_lex_is(&p->lex, '}')) {
        int64_list factor = {0};
        int64_t size = 0;
        if (sizes.count)
            TRY(mlir_lex_expect(&p->lex, ','));
        TRY(read_symbols(p, &factor));
        if (factor.count != 1 || factor.items[0] != (int64_t)sizes.count)
            return mlir_lex_expected(&p->lex, "the sizes of factor after factor");
        TRY(mlir_lex_expect(&p->lex, '='));
        TRY(mlir_lex_integer(&p->lex, &size));
        VEC_PUSH(p->arena, &sizes, size);
    }
    mlir_lex_next(&p->lex);
    *out = dims_of(&sizes);
    return NULL;
}

/* ={i, l} */
static struct error *read_list(struct mlir_parser *p, struct dims *out)
{
    int64_list factors = {0};
    TRY(mlir_lex_expect(&p->lex, '='));
    TRY(mlir_lex_expect(&p->lex, '{'));
    while (!mlir_lex_is(&p->lex, '}')) {
        if (factors.count)
            TRY(mlir_lex_expect(&p->lex, ','));
        TRY(read_symbols(p, &factors));
    }
    mlir_lex_next(&p->lex);
    *out = dims_of(&factors);
    return NULL;
}

static struct error *read_lists(struct mlir_parser *p, struct mlir_sdy_rule *rule)
{
    struct dims blocked;
    static const char *const names[] = {"reduction", "need_replication", "permutation",
                                        "blocked_propagation"};
    struct dims *const lists[] = {&rule->reduction, &rule->need_replication, &rule->permutation,
                                  &blocked};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (mlir_lex_accept_word(&p->lex, names[i]))
            TRY(read_list(p, lists[i]));
    return NULL;
}

struct error *mlir_text_sdy_rule(struct mlir_parser *p, struct mlir_attr **out)
{
    struct mlir_sdy_rule rule = {0};
    size_t offset = p->lex.start;
    TRY(mlir_lex_expect(&p->lex, '<'));
    TRY(read_mappings(p, &rule.operand_count, &rule.operands));
    TRY(mlir_lex_expect_arrow(&p->lex));
    TRY(read_mappings(p, &rule.result_count, &rule.results));
    TRY(read_sizes(p, &rule.sizes));
    TRY(read_lists(p, &rule));
    if (mlir_lex_accept(&p->lex, ','))
        TRY(mlir_lex_expect_word(&p->lex, "custom"));
    *out = mlir_text_attr_make(p, MLIR_RULE, "a sharding rule");
    struct error *error = mlir_sdy_rule(p->arena, &rule, &(*out)->rule);
    TRY(mlir_lex_with_position(&p->lex, offset, error));
    return mlir_lex_expect(&p->lex, '>');
}
