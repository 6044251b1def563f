#include "compiler/frontend/text/mlir_parser.h"

#include "base/map.h"

void mlir_parser_begin(struct mlir_parser *p, struct arena *arena, const char *text, size_t size)
{
    *p = (struct mlir_parser){.arena = arena,
                              .scratch = arena_scratch(arena),
                              .names = map_create(arena_scratch(arena)),
                              .attr_aliases = map_create(arena),
                              .type_aliases = map_create(arena),
                              .location_aliases = map_create(arena),
                              .keys = map_create(arena)};
    mlir_lex_begin(&p->lex, arena, text, size);
}

struct error *mlir_parser_enter(struct mlir_parser *p)
{
    if (++p->depth <= MLIR_PARSER_MAX_DEPTH)
        return NULL;
    return MLIR_LEX_ERROR(&p->lex, "regions, attributes or types are nested deeper than %d",
                          MLIR_PARSER_MAX_DEPTH);
}
