#include "compiler/frontend/text/mlir_text_alias.h"

#include <string.h>

#include "compiler/frontend/text/mlir_text_attr.h"
#include "compiler/frontend/text/mlir_text_location.h"
#include "compiler/frontend/text/mlir_text_type.h"

/* The limit on attributes and types that all uses of aliases together expand to. Without it, n
 * lines could expand to 2^n attributes. */
#define MAX_EXPANDED ((size_t)1 << 24)

struct mlir_alias { /* of an attribute or a type */
    struct mlir_attr *attr;
    const struct mlir_type *type;
    size_t weight; /* the number of contained attributes and types */
};

bool mlir_text_alias_is(const struct mlir_parser *p)
{
    return !memchr(p->lex.word.data, '.', p->lex.word.size) && p->lex.end < p->lex.size &&
           p->lex.text[p->lex.end] != '<';
}

static struct error *define(struct mlir_parser *p, struct map *aliases)
{
    struct string name = p->lex.word;
    struct mlir_alias *alias = ARENA_NEW(p->arena, struct mlir_alias);
    size_t offset = p->lex.start, before = p->weight;
    bool is_type = p->lex.token == MLIR_TOKEN_BANG;
    mlir_lex_next(&p->lex);
    TRY(mlir_lex_expect(&p->lex, '='));
    if (!is_type && mlir_lex_is_word(&p->lex, "loc"))
        return mlir_text_location_define(p, name);
    TRY(is_type ? mlir_text_type_read(p, &alias->type) : mlir_text_attr_read(p, &alias->attr));
    alias->weight = p->weight - before;
    if (!map_put(aliases, name.data, name.size, alias))
        return NULL;
    return mlir_lex_error(&p->lex, PJRT_Error_Code_INVALID_ARGUMENT, offset,
                          "the alias %.*s is already defined", (int)name.size, name.data);
}

struct error *mlir_text_alias_read(struct mlir_parser *p)
{
    while (p->lex.token == MLIR_TOKEN_HASH || p->lex.token == MLIR_TOKEN_BANG)
        TRY(define(p, p->lex.token == MLIR_TOKEN_BANG ? p->type_aliases : p->attr_aliases));
    return NULL;
}

static struct error *use(struct mlir_parser *p, const struct map *aliases,
                         const struct mlir_alias **out)
{
    struct string name = p->lex.word;
    *out = map_get(aliases, name.data, name.size);
    if (!*out)
        return MLIR_LEX_ERROR(&p->lex, "%c%.*s is used before its definition",
                              p->lex.text[p->lex.start], (int)name.size, name.data);
    p->weight += (*out)->weight;
    p->expanded += (*out)->weight;
    if (p->expanded > MAX_EXPANDED)
        return MLIR_LEX_ERROR(&p->lex,
                              "aliases expand to more than %zu attributes and types, the limit",
                              MAX_EXPANDED);
    mlir_lex_next(&p->lex);
    return NULL;
}

struct error *mlir_text_alias_attr(struct mlir_parser *p, struct mlir_attr **out)
{
    const struct mlir_alias *alias;
    TRY(use(p, p->attr_aliases, &alias));
    *out = alias->attr;
    return NULL;
}

struct error *mlir_text_alias_type(struct mlir_parser *p, const struct mlir_type **out)
{
    const struct mlir_alias *alias;
    TRY(use(p, p->type_aliases, &alias));
    *out = alias->type;
    return NULL;
}
