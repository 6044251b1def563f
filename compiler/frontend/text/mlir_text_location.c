#include "compiler/frontend/text/mlir_text_location.h"

#define MAX_STEPS 64 /* through names, call sites, fused locations and aliases */

/* A location as far as it has been read: `next` names the alias that continues it, if any. */
struct mlir_place {
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

/* "f.py":3:5, or "name" with the place in brackets. False: there is no more to read. */
static bool read_string(struct mlir_parser *p, struct mlir_place *out)
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

/* One step inwards. False: there is no more to read. */
static bool read_step(struct mlir_parser *p, struct mlir_place *out)
{
    if (p->lex.token == MLIR_TOKEN_STRING)
        return read_string(p, out);
    if (p->lex.token == MLIR_TOKEN_HASH) {
        out->next = p->lex.word;
        return false;
    }
    if (mlir_lex_accept_word(&p->lex, "callsite")) /* the callee comes first */
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
static struct error *read_place(struct mlir_parser *p, struct mlir_place **out)
{
    size_t begin = p->lex.start;
    *out = ARENA_NEW(p->arena, struct mlir_place);
    TRY(mlir_lex_expect(&p->lex, '('));
    for (int step = 0; step < MAX_STEPS && read_step(p, *out); step++)
        ;
    mlir_lex_seek(&p->lex, begin);
    return mlir_lex_skip_group(&p->lex);
}

struct error *mlir_text_location_define(struct mlir_parser *p, struct string name)
{
    struct mlir_place *place;
    mlir_lex_next(&p->lex);
    TRY(read_place(p, &place));
    map_put(p->places, name.data, name.size, place);
    return NULL;
}

struct error *mlir_text_location_read(struct mlir_parser *p, struct block *block, struct op *before)
{
    struct mlir_place *place;
    if (!mlir_lex_accept_word(&p->lex, "loc"))
        return NULL;
    TRY(read_place(p, &place));
    for (struct op *op = before ? before->next : block->first; op; op = op->next) {
        struct mlir_placed placed = {op, place};
        VEC_PUSH(p->arena, &p->placed, placed);
    }
    return NULL;
}

/* Follows the aliases; what was found stays in the place. */
static const struct location *resolve(const struct mlir_parser *p, struct mlir_place *place)
{
    for (int step = 0; step < MAX_STEPS && place->next.size && !place->at.file; step++) {
        const struct mlir_place *next = map_get(p->places, place->next.data, place->next.size);
        const char *name = place->at.name;
        if (!next)
            break;
        place->at = next->at;
        place->at.name = name ? name : next->at.name;
        place->next = next->next;
    }
    return place->at.name || place->at.file ? &place->at : NULL;
}

void mlir_text_location_finish(struct mlir_parser *p)
{
    for (size_t i = 0; i < p->placed.count; i++) {
        const struct location *location = resolve(p, p->placed.items[i].place);
        if (location)
            p->placed.items[i].op->location = location;
    }
}
