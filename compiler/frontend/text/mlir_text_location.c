#include "compiler/frontend/text/mlir_text_location.h"

#define MAX_STEPS 64 /* the nesting of names, call sites, fused locations and aliases */

/* A location that may continue in the alias `next` (empty: it does not). */
struct mlir_partial_location {
    struct location at;
    struct string next;
};

struct error *mlir_text_location_skip(struct mlir_parser *p)
{
    if (!mlir_lex_accept_word(&p->lex, "loc"))
        return NULL;
    if (!mlir_lex_is(&p->lex, '('))
        return mlir_lex_expected(&p->lex, "'('");
    return mlir_lex_skip_group(&p->lex);
}

static int as_line(struct mlir_lex *lex)
{
    int64_t value = 0;
    struct error *error = mlir_lex_integer(lex, &value);
    bool fits = !error && value >= 0 && value <= INT32_MAX;
    error_free(error);
    return fits ? (int)value : 0;
}

/* "f.py":3:5, or "name"(location). Returns true when a nested location follows. */
static bool read_string(struct mlir_parser *p, struct mlir_partial_location *out)
{
    struct string text;
    struct error *error = mlir_lex_string(&p->lex, p->arena, &text);
    error_free(error);
    if (error || !text.size)
        return false;
    const char *name = arena_string(p->arena, text.data, text.size);
    if (mlir_lex_accept(&p->lex, ':')) {
        out->at.file = name;
        out->at.line = as_line(&p->lex);
        out->at.column = mlir_lex_accept(&p->lex, ':') ? as_line(&p->lex) : 0;
        return false;
    }
    if (!out->at.name)
        out->at.name = name;
    return mlir_lex_accept(&p->lex, '(');
}

/* Reads one level of a location. Returns true when a nested location follows. */
static bool read_step(struct mlir_parser *p, struct mlir_partial_location *out)
{
    if (p->lex.token == MLIR_TOKEN_STRING)
        return read_string(p, out);
    if (p->lex.token == MLIR_TOKEN_HASH) {
        out->next = p->lex.word;
        return false;
    }
    if (mlir_lex_accept_word(&p->lex, "callsite")) /* the first location is the callee's */
        return mlir_lex_accept(&p->lex, '(');
    if (!mlir_lex_accept_word(&p->lex, "fused"))
        return false;
    if (mlir_lex_is(&p->lex, '<')) { /* metadata */
        struct error *error = mlir_lex_skip_group(&p->lex);
        error_free(error);
        if (error)
            return false;
    }
    return mlir_lex_accept(&p->lex, '[');
}

/* "(...)" after `loc`. */
static struct error *read_location(struct mlir_parser *p, struct mlir_partial_location **out)
{
    size_t begin = p->lex.start;
    *out = ARENA_NEW(p->arena, struct mlir_partial_location);
    TRY(mlir_lex_expect(&p->lex, '('));
    for (int step = 0; step < MAX_STEPS && read_step(p, *out); step++)
        ;
    mlir_lex_seek(&p->lex, begin);
    return mlir_lex_skip_group(&p->lex);
}

struct error *mlir_text_location_define(struct mlir_parser *p, struct string name)
{
    struct mlir_partial_location *location;
    mlir_lex_next(&p->lex);
    TRY(read_location(p, &location));
    map_put(p->location_aliases, name.data, name.size, location);
    return NULL;
}

static void put(struct mlir_parser *p, struct mlir_partial_location *location,
                const struct location **out)
{
    struct mlir_located located = {out, location};
    VEC_PUSH(p->arena, &p->located, located);
}

struct error *mlir_text_location_of(struct mlir_parser *p, const struct location **out)
{
    struct mlir_partial_location *location;
    if (!mlir_lex_accept_word(&p->lex, "loc"))
        return NULL;
    TRY(read_location(p, &location));
    put(p, location, out);
    return NULL;
}

struct error *mlir_text_location_read(struct mlir_parser *p, struct block *block, struct op *before)
{
    struct mlir_partial_location *location;
    if (!mlir_lex_accept_word(&p->lex, "loc"))
        return NULL;
    TRY(read_location(p, &location));
    for (struct op *op = before ? before->next : block->first; op; op = op->next)
        put(p, location, &op->location);
    return NULL;
}

/* Follows aliases and caches the result in *location. */
static const struct location *resolve(const struct mlir_parser *p,
                                      struct mlir_partial_location *location)
{
    for (int step = 0; step < MAX_STEPS && location->next.size && !location->at.file; step++) {
        const struct mlir_partial_location *next =
            map_get(p->location_aliases, location->next.data, location->next.size);
        const char *name = location->at.name;
        if (!next)
            break;
        location->at = next->at;
        location->at.name = name ? name : next->at.name;
        location->next = next->next;
    }
    return location->at.name || location->at.file ? &location->at : NULL;
}

void mlir_text_location_finish(struct mlir_parser *p)
{
    for (size_t i = 0; i < p->located.count; i++) {
        const struct location *location = resolve(p, p->located.items[i].location);
        if (location)
            *p->located.items[i].out = location;
    }
}
