#include "compiler/frontend/mlir/mlir_chlo.h"

#include <string.h>

#include "compiler/frontend/functions/functions.h"
#include "compiler/frontend/functions/functions_broadcast.h"

static const char prefix[] = "chlo.";

enum { NAME_BYTES = 40 }; /* of a name without the prefix */

/* The name after "chlo.", or "" for another dialect. */
static const char *plain(struct string name, char out[NAME_BYTES])
{
    size_t skip = sizeof prefix - 1;
    out[0] = 0;
    if (name.size > skip && name.size - skip < NAME_BYTES && memcmp(name.data, prefix, skip) == 0) {
        memcpy(out, name.data + skip, name.size - skip);
        out[name.size - skip] = 0;
    }
    return out;
}

const char *mlir_chlo_broadcast(struct string name)
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
    char text[NAME_BYTES];
    if (strncmp(plain(name, text), "broadcast_", 10) != 0)
        return NULL;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (strcmp(parts[i], text + 10) == 0)
            return parts[i];
    return NULL;
}

bool mlir_chlo_is(struct string name)
{
    char text[NAME_BYTES];
    plain(name, text);
    return functions_is_known(text) || strcmp(text, "top_k") == 0 ||
           strcmp(text, "constant_like") == 0 || mlir_chlo_broadcast(name);
}

static struct error *check_type(struct arena *arena, const struct type *type)
{
    if (type->kind != TYPE_TENSOR)
        return ERROR(INVALID_ARGUMENT, "has an operand or result of type %s; it must be a tensor",
                     type_text(arena, type));
    if (type->quantization)
        return ERROR(UNIMPLEMENTED,
                     "has an operand or result of type %s; quantized types are unsupported",
                     type_text(arena, type));
    for (int k = 0; k < type->shape.rank; k++)
        if (type->shape.dims[k] == SHAPE_DYNAMIC)
            return ERROR(UNIMPLEMENTED,
                         "has an operand or result of type %s; only static shapes are supported",
                         type_text(arena, type));
    return NULL;
}

struct error *mlir_chlo_check_types(struct arena *arena, const struct mlir_chlo *op)
{
    for (size_t i = 0; i < op->operand_count; i++)
        TRY(check_type(arena, op->operands[i]->type));
    for (size_t i = 0; i < op->result_count; i++)
        TRY(check_type(arena, op->result_types[i]));
    return NULL;
}

struct error *mlir_chlo_broadcast_operands(struct builder *b, const struct mlir_chlo *op,
                                           struct value **out)
{
    struct mlir_attr *attr = mlir_attr_lookup(op->attributes, "broadcast_dimensions");
    const struct dims *dims = NULL;
    if (attr)
        TRY(mlir_attr_ints(b->module->arena, attr, &dims));
    return functions_broadcast(b, (int)op->operand_count, op->operands, dims, out);
}

static struct error *top_k(struct builder *b, const struct mlir_chlo *op, struct value *values[2])
{
    const struct mlir_attr *k = mlir_attr_lookup(op->attributes, "k");
    const struct mlir_attr *largest = mlir_attr_lookup(op->attributes, "largest");
    if (!k || k->kind != MLIR_INTEGER || op->operand_count != 1)
        return ERROR(INVALID_ARGUMENT, "must have one operand and an integer attribute k");
    return functions_top_k(b, op->operands[0], k->integer, !largest || largest->integer, values);
}

static struct error *constant_like(struct builder *b, const struct mlir_chlo *op,
                                   struct value **value)
{
    const struct mlir_attr *number = mlir_attr_lookup(op->attributes, "value");
    bool real = number && number->kind == MLIR_REAL;
    if ((!real && (!number || number->kind != MLIR_INTEGER)) || op->operand_count != 1)
        return ERROR(INVALID_ARGUMENT, "must have one operand and a number as attribute value");
    *value = build_splat(b, op->operands[0]->type, real ? number->real : (double)number->integer);
    return NULL;
}

struct error *mlir_chlo_apply(struct builder *b, const struct mlir_chlo *op, size_t capacity,
                              struct value **results, int *count)
{
    char text[NAME_BYTES];
    plain(op->name, text);
    *count = 1;
    if (capacity < 2)
        return ERROR(INTERNAL, "chlo.%s: the capacity is %zu results; it must be at least 2", text,
                     capacity);
    if (strcmp(text, "constant_like") == 0)
        return constant_like(b, op, &results[0]);
    if (strcmp(text, "top_k") != 0)
        return functions_apply(b, text, (int)op->operand_count, op->operands, &results[0]);
    *count = 2;
    return top_k(b, op, results);
}
