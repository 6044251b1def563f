#include "compiler/frontend/text/mlir_text_chlo.h"

#include <string.h>

#include "compiler/frontend/functions/functions.h"
#include "compiler/frontend/mlir/mlir_chlo.h"
#include "compiler/frontend/text/mlir_text_attr.h"

/* "(%a, k = 2)" */
static struct error *read_top_k(struct mlir_parser *p, struct mlir_text_op *op)
{
    struct value *operand;
    int64_t k;
    TRY(mlir_lex_expect(&p->lex, '('));
    TRY(mlir_text_op_operand(p, &operand));
    VEC_PUSH(p->scratch, &op->operands, operand);
    TRY(mlir_lex_expect(&p->lex, ','));
    TRY(mlir_lex_expect_word(&p->lex, "k"));
    TRY(mlir_lex_expect(&p->lex, '='));
    TRY(mlir_lex_integer(&p->lex, &k));
    mlir_text_attr_add(p, &op->attrs, (struct string){1, "k"}, mlir_text_attr_int(p, k));
    return mlir_lex_expect(&p->lex, ')');
}

struct error *mlir_text_chlo_read(struct mlir_parser *p, struct string name,
                                  struct mlir_text_op *op, struct block *block,
                                  struct mlir_text_results *out)
{
    if (name.size == 10 && memcmp(name.data, "chlo.top_k", 10) == 0)
        TRY(read_top_k(p, op));
    else
        TRY(mlir_lex_is(&p->lex, '(') ? mlir_text_op_operand_group(p, op)
                                      : mlir_text_op_operands(p, op));
    if (mlir_lex_is(&p->lex, '{'))
        TRY(mlir_text_attr_dict(p, &op->attrs));
    TRY(mlir_text_op_types(p, op));
    return mlir_text_chlo_finish(p, name, op, block, out);
}

/* Broadcasts the operands to one shape, then applies StableHLO's operation or the function
 * `part`. */
static struct error *broadcast(struct mlir_parser *p, const char *part, struct builder *b,
                               const struct mlir_chlo *chlo, struct mlir_text_op *op,
                               struct mlir_text_results *out)
{
    struct value **operands = ARENA_ARRAY(p->arena, struct value *, chlo->operand_count);
    TRY(mlir_chlo_broadcast_operands(b, chlo, operands));
    if (functions_is_known(part)) {
        struct value **value = ARENA_NEW(p->arena, struct value *);
        *out = (struct mlir_text_results){1, value};
        return functions_apply(b, part, (int)chlo->operand_count, operands, value);
    }
    op->code = op_code_from_name(part, strlen(part));
    op->operands.items = operands;
    mlir_text_attr_remove(&op->attrs, "broadcast_dimensions");
    return mlir_text_op_finish(p, op, b->block, out);
}

static struct error *apply(struct mlir_parser *p, struct builder *b, const struct mlir_chlo *chlo,
                           struct mlir_text_op *op, struct mlir_text_results *out)
{
    enum { CAPACITY = 2 };
    const char *part = mlir_chlo_broadcast(chlo->name);
    TRY(mlir_chlo_check_types(p->arena, chlo));
    if (part)
        return broadcast(p, part, b, chlo, op, out);
    struct value **values = ARENA_ARRAY(p->arena, struct value *, CAPACITY);
    out->values = values;
    return mlir_chlo_apply(b, chlo, CAPACITY, values, &out->count);
}

static bool fits(const struct mlir_text_op *op, const struct mlir_text_results *out)
{
    bool same = op->type_count == out->count;
    for (int i = 0; same && i < out->count; i++)
        same = type_same(out->values[i]->type, op->types[i]);
    return same;
}

struct error *mlir_text_chlo_finish(struct mlir_parser *p, struct string name,
                                    struct mlir_text_op *op, struct block *block,
                                    struct mlir_text_results *out)
{
    struct builder b = {p->program.module, block, NULL, mlir_text_op_location(p, op->offset)};
    struct mlir_chlo chlo = {
        .name = name,
        .operand_count = op->operands.count,
        .operands = op->operands.items,
        .result_count = (size_t)op->type_count,
        .result_types = op->types,
        .attributes = mlir_text_attr_as_dict(p, &op->attrs),
    };
    struct error *error = apply(p, &b, &chlo, op, out);
    if (!error && !fits(op, out))
        error = ERROR(INVALID_ARGUMENT, "its declared result types do not match its operands");
    error = error_prefix(error, "%.*s", (int)(name.size < 200 ? name.size : 200), name.data);
    return mlir_lex_with_position(&p->lex, op->offset, error);
}
