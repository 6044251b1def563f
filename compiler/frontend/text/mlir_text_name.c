#include "compiler/frontend/text/mlir_text_name.h"

#include "base/map.h"

size_t mlir_text_name_push(const struct mlir_parser *p)
{
    return p->shadows.count;
}

void mlir_text_name_pop(struct mlir_parser *p, size_t mark)
{
    while (p->shadows.count > mark) {
        const struct mlir_shadow *shadow = &p->shadows.items[--p->shadows.count];
        map_put(p->names, shadow->name.data, shadow->name.size, shadow->before);
    }
}

struct error *mlir_text_name_bind(struct mlir_parser *p, struct string name,
                                  struct mlir_binding binding)
{
    binding.scope = p->scope;
    struct mlir_binding *before =
        map_put(p->names, name.data, name.size, arena_copy(p->scratch, &binding, sizeof binding));
    if (before && before->scope == p->scope)
        return mlir_lex_error(&p->lex, PJRT_Error_Code_INVALID_ARGUMENT,
                              (size_t)(name.data - p->lex.text) - 1, "%%%.*s is already defined",
                              (int)name.size, name.data);
    struct mlir_shadow shadow = {name, before};
    VEC_PUSH(p->scratch, &p->shadows, shadow);
    return NULL;
}

struct error *mlir_text_name_use(struct mlir_parser *p, const struct mlir_binding **out,
                                 int *number)
{
    int64_t chosen = 0;
    if (p->lex.token != MLIR_TOKEN_VALUE)
        return mlir_lex_expected(&p->lex, "a value");
    size_t offset = p->lex.start;
    struct string name = p->lex.word;
    const struct mlir_binding *binding = *out = map_get(p->names, name.data, name.size);
    mlir_lex_next(&p->lex);
    bool part = mlir_lex_accept(&p->lex, '#');
    if (part)
        TRY(mlir_lex_integer(&p->lex, &chosen));
    if (!binding)
        return mlir_lex_error(&p->lex, PJRT_Error_Code_INVALID_ARGUMENT, offset,
                              "%%%.*s is used before its definition", (int)name.size, name.data);
    if (chosen < 0 || chosen >= binding->count || (!part && binding->count != 1))
        return mlir_lex_error(&p->lex, PJRT_Error_Code_INVALID_ARGUMENT, offset,
                              "%%%.*s has %d results; use #0 to #%d after the name to select one",
                              (int)name.size, name.data, binding->count, binding->count - 1);
    *number = (int)chosen;
    return NULL;
}

/* "%a:2" */
static struct error *read_name(struct mlir_parser *p, struct mlir_text_name *out)
{
    int64_t number = 1;
    if (p->lex.token != MLIR_TOKEN_VALUE)
        return mlir_lex_expected(&p->lex, "the name of a result");
    out->name = p->lex.word;
    mlir_lex_next(&p->lex);
    if (mlir_lex_accept(&p->lex, ':'))
        TRY(mlir_lex_integer(&p->lex, &number));
    if (number < 1 || number > INT32_MAX)
        return MLIR_LEX_ERROR(&p->lex, "a name for %lld results; the number must be positive",
                              (long long)number);
    out->count = (int)number;
    return NULL;
}

struct error *mlir_text_name_results(struct mlir_parser *p, struct mlir_text_names *out)
{
    *out = (struct mlir_text_names){.offset = p->lex.start};
    if (p->lex.token != MLIR_TOKEN_VALUE)
        return NULL;
    do {
        struct mlir_text_name name;
        TRY(read_name(p, &name));
        VEC_PUSH(p->scratch, &out->list, name);
    } while (mlir_lex_accept(&p->lex, ','));
    return mlir_lex_expect(&p->lex, '=');
}

struct error *mlir_text_name_check(struct mlir_parser *p, const struct mlir_text_names *names,
                                   int result_count)
{
    int64_t total = 0;
    for (size_t i = 0; i < names->list.count; i++)
        total += names->list.items[i].count;
    if (names->list.count == 0 || total == result_count)
        return NULL;
    return mlir_lex_error(&p->lex, PJRT_Error_Code_INVALID_ARGUMENT, names->offset,
                          "the operation has %d results but names for %lld", result_count,
                          (long long)total);
}
