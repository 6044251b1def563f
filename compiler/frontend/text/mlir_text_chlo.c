#include "compiler/frontend/text/mlir_text_chlo.h"

#include <string.h>

#include "compiler/frontend/functions/functions.h"
#include "compiler/frontend/text/mlir_text_attr.h"

static const char prefix[] = "chlo.";

/* The name behind "chlo.", or "" for another dialect's. */
static const char *plain(struct string name, char *out, size_t size)
{
    size_t skip = sizeof prefix - 1;
    out[0] = 0;
    if (name.size > skip && name.size - skip < size && memcmp(name.data, prefix, skip) == 0) {
        memcpy(out, name.data + skip, name.size - skip);
        out[name.size - skip] = 0;
    }
    return out;
}

bool mlir_text_chlo_is(struct string name)
{
    char text[32];
    plain(name, text, sizeof text);
    return functions_know(text) || strcmp(text, "top_k") == 0 || strcmp(text, "constant_like") == 0;
}

/* "(%a, k = 2)" */
static struct error *read_top_k(struct mlir_parser *p, struct mlir_text_op *op)
{
    struct value *operand;
    int64_t k;
    TRY(mlir_lex_expect(&p->lex, '('));
    TRY(mlir_text_op_operand(p, &operand));
    VEC_PUSH(p->arena, &op->operands, operand);
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
    char text[32];
    if (strcmp(plain(name, text, sizeof text), "top_k") == 0)
        TRY(read_top_k(p, op));
    else
        TRY(mlir_lex_is(&p->lex, '(') ? mlir_text_op_operand_group(p, op)
                                      : mlir_text_op_operands(p, op));
    if (mlir_lex_is(&p->lex, '{'))
        TRY(mlir_text_attr_dict(p, &op->attrs));
    TRY(mlir_text_op_types(p, op));
    return mlir_text_chlo_finish(p, name, op, block, out);
}

static struct error *top_k(struct mlir_parser *p, const struct mlir_text_op *op, struct builder *b,
                           struct value *values[2])
{
    const struct mlir_attr *k = mlir_text_attr_find(&op->attrs, "k");
    const struct mlir_attr *largest = mlir_text_attr_find(&op->attrs, "largest");
    if (!k || k->kind != MLIR_INTEGER || op->operands.count != 1)
        return ERROR(INVALID_ARGUMENT, "not one operand and a number k");
    (void)p;
    return functions_top_k(b, op->operands.items[0], k->integer, !largest || largest->integer,
                           values);
}

static struct error *constant_like(const struct mlir_text_op *op, struct builder *b,
                                   struct value **value)
{
    const struct mlir_attr *number = mlir_text_attr_find(&op->attrs, "value");
    bool real = number && number->kind == MLIR_REAL;
    if ((!real && (!number || number->kind != MLIR_INTEGER)) || op->operands.count != 1 ||
        op->operands.items[0]->type->kind != TYPE_TENSOR)
        return ERROR(INVALID_ARGUMENT, "not one operand and a number");
    *value =
        build_splat(b, op->operands.items[0]->type, real ? number->real : (double)number->integer);
    return NULL;
}

struct error *mlir_text_chlo_finish(struct mlir_parser *p, struct string name,
                                    const struct mlir_text_op *op, struct block *block,
                                    struct mlir_text_results *out)
{
    char text[32];
    struct builder b = {p->v.module, block, NULL, mlir_text_op_location(p, op->offset)};
    struct value **values = ARENA_ARRAY(p->arena, struct value *, 2);
    int count = strcmp(plain(name, text, sizeof text), "top_k") == 0 ? 2 : 1;
    struct error *error =
        count == 2 ? top_k(p, op, &b, values)
        : strcmp(text, "constant_like") == 0
            ? constant_like(op, &b, &values[0])
            : functions_apply(&b, text, (int)op->operands.count, op->operands.items, &values[0]);
    bool fits = !error && op->type_count == count;
    for (int i = 0; fits && i < count; i++)
        fits = type_same(values[i]->type, op->types[i]);
    *out = (struct mlir_text_results){count, values};
    if (fits)
        return NULL;
    const char *why = error ? arena_format(p->arena, "%s", error_message(error, NULL))
                            : "has results of other types";
    error_free(error);
    return mlir_lex_error(&p->lex, PJRT_Error_Code_INVALID_ARGUMENT, op->offset, "chlo.%s: %s",
                          text, why);
}
