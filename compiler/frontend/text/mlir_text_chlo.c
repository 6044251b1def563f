#include "compiler/frontend/text/mlir_text_chlo.h"

#include <string.h>

#include "compiler/frontend/functions/functions.h"
#include "compiler/frontend/functions/functions_broadcast.h"
#include "compiler/frontend/text/mlir_text_attr.h"

static const char prefix[] = "chlo.";

enum { NAME_BYTES = 40 }; /* of a name without the prefix */

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

/* What "broadcast_add" does once its operands have one shape: "add"; NULL for other names. */
static const char *broadcast_part(const char *text)
{
    static const char *const parts[] = {"add",
                                        "and",
                                        "atan2",
                                        "compare",
                                        "complex",
                                        "divide",
                                        "maximum",
                                        "minimum",
                                        "multiply",
                                        "next_after",
                                        "or",
                                        "polygamma",
                                        "power",
                                        "remainder",
                                        "select",
                                        "shift_left",
                                        "shift_right_arithmetic",
                                        "shift_right_logical",
                                        "subtract",
                                        "xor",
                                        "zeta"};
    if (strncmp(text, "broadcast_", 10) != 0)
        return NULL;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (strcmp(parts[i], text + 10) == 0)
            return parts[i];
    return NULL;
}

bool mlir_text_chlo_is(struct string name)
{
    char text[NAME_BYTES];
    plain(name, text, sizeof text);
    return functions_know(text) || strcmp(text, "top_k") == 0 ||
           strcmp(text, "constant_like") == 0 || broadcast_part(text);
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
    char text[NAME_BYTES];
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

static struct error *top_k(const struct mlir_text_op *op, struct builder *b,
                           struct value *values[2])
{
    const struct mlir_attr *k = mlir_text_attr_find(&op->attrs, "k");
    const struct mlir_attr *largest = mlir_text_attr_find(&op->attrs, "largest");
    if (!k || k->kind != MLIR_INTEGER || op->operands.count != 1)
        return ERROR(INVALID_ARGUMENT, "not one operand and a number k");
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

/* Every function is built for the sizes that it has. */
static struct error *check_types(struct mlir_parser *p, const char *text,
                                 const struct mlir_text_op *op)
{
    for (size_t i = 0; i < op->operands.count + (size_t)op->type_count; i++) {
        const struct type *type = i < op->operands.count ? op->operands.items[i]->type
                                                         : op->types[i - op->operands.count];
        if (type->kind == TYPE_TENSOR && type->quantization)
            return mlir_lex_error(&p->lex, PJRT_Error_Code_UNIMPLEMENTED, op->offset,
                                  "chlo.%s of %s, which is quantized", text,
                                  type_text(p->arena, type));
        if (type->kind != TYPE_TENSOR)
            return mlir_lex_error(&p->lex, PJRT_Error_Code_INVALID_ARGUMENT, op->offset,
                                  "chlo.%s of %s, which is no tensor", text,
                                  type_text(p->arena, type));
        for (int k = 0; k < type->shape.rank; k++)
            if (type->shape.dims[k] == SHAPE_DYNAMIC)
                return mlir_lex_error(&p->lex, PJRT_Error_Code_UNIMPLEMENTED, op->offset,
                                      "chlo.%s of %s, a size of which is not known at compile time",
                                      text, type_text(p->arena, type));
    }
    return NULL;
}

/* Operands of one shape, and the rest as StableHLO's operation or the function of that name. */
static struct error *broadcast(struct mlir_parser *p, const char *part, struct mlir_text_op *op,
                               struct builder *b, struct mlir_text_results *out)
{
    int count = (int)op->operands.count;
    struct value **operands = ARENA_ARRAY(p->arena, struct value *, (size_t)count);
    struct mlir_attr *attr = mlir_text_attr_find(&op->attrs, "broadcast_dimensions");
    const struct dims *dims = NULL;
    if (attr)
        TRY(mlir_attr_ints(p->arena, attr, &dims));
    TRY(functions_broadcast(b, count, op->operands.items, dims, operands));
    if (functions_know(part)) {
        struct value **value = ARENA_NEW(p->arena, struct value *);
        *out = (struct mlir_text_results){1, value};
        return functions_apply(b, part, count, operands, value);
    }
    op->code = op_code_from_name(part, strlen(part));
    op->operands.items = operands;
    mlir_text_attr_remove(&op->attrs, "broadcast_dimensions");
    return mlir_text_op_finish(p, op, b->block, out);
}

static struct error *apply(struct mlir_parser *p, const char *text, struct mlir_text_op *op,
                           struct builder *b, struct mlir_text_results *out)
{
    struct value **values = ARENA_ARRAY(p->arena, struct value *, 2);
    *out = (struct mlir_text_results){1, values};
    if (broadcast_part(text))
        return broadcast(p, broadcast_part(text), op, b, out);
    if (strcmp(text, "constant_like") == 0)
        return constant_like(op, b, &values[0]);
    if (strcmp(text, "top_k") != 0)
        return functions_apply(b, text, (int)op->operands.count, op->operands.items, &values[0]);
    out->count = 2;
    return top_k(op, b, values);
}

struct error *mlir_text_chlo_finish(struct mlir_parser *p, struct string name,
                                    struct mlir_text_op *op, struct block *block,
                                    struct mlir_text_results *out)
{
    char text[NAME_BYTES];
    struct builder b = {p->v.module, block, NULL, mlir_text_op_location(p, op->offset)};
    plain(name, text, sizeof text);
    TRY(check_types(p, text, op));
    struct error *error = apply(p, text, op, &b, out);
    bool fits = !error && op->type_count == out->count;
    for (int i = 0; fits && i < out->count; i++)
        fits = type_same(out->values[i]->type, op->types[i]);
    if (fits)
        return NULL;
    const char *why = error ? arena_format(p->arena, "%s", error_message(error, NULL))
                            : "has results of other types";
    error_free(error);
    return mlir_lex_error(&p->lex, PJRT_Error_Code_INVALID_ARGUMENT, op->offset, "chlo.%s: %s",
                          text, why);
}
