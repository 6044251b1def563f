#include "compiler/frontend/bytecode/chlo_ops.h"

#include <string.h>

#include "compiler/frontend/bytecode/mlir_convert_op.h"
#include "compiler/frontend/bytecode/mlir_location.h"
#include "compiler/frontend/mlir/mlir_chlo.h"

enum { MAX_RESULTS = 2 };

/* Sets names[2] to the inherent attributes of an operation, in alphabetical order; returns their
 * number. */
static int attributes_of(const struct mlir_convert *c, const struct mlir_op *op, const char **names)
{
    if (mlir_op_is(op, "chlo", "constant_like")) {
        names[0] = "value";
        return 1;
    }
    if (!mlir_op_is(op, "chlo", "top_k"))
        return 0;
    int added = mlir_op_has_properties(c->file, op, 2) && c->file->version >= 5;
    names[0] = "is_stable"; /* results are, always */
    names[added] = "k";
    return added + 1;
}

static struct error *read_attributes(struct mlir_convert *c, const struct mlir_op *from,
                                     struct mlir_attr **out)
{
    static const bool optional[] = {true, false};
    struct arena *arena = c->program.arena;
    const char *listed[2];
    int count = attributes_of(c, from, listed);
    struct mlir_attr **values = ARENA_ARRAY(arena, struct mlir_attr *, 2);
    struct string *names = ARENA_ARRAY(arena, struct string, 2);
    TRY(mlir_op_properties(c->file, from, count, listed, count == 2 ? optional : NULL, values));
    for (int i = 0; i < count; i++)
        names[i] = (struct string){strlen(listed[i]), listed[i]};
    *out = mlir_attr_make(arena, MLIR_DICT, "a dictionary");
    (*out)->dict.count = (size_t)count;
    (*out)->dict.names = names;
    (*out)->dict.values = values;
    return NULL;
}

static struct error *expand(struct mlir_convert *c, struct mlir_op *from, struct builder *b,
                            const struct mlir_chlo *chlo)
{
    struct value *values[MAX_RESULTS];
    int count;
    TRY(mlir_chlo_check_types(c->program.arena, chlo));
    TRY(mlir_chlo_apply(b, chlo, MAX_RESULTS, values, &count));
    if ((size_t)count != chlo->result_count)
        return ERROR(INVALID_ARGUMENT, "has %zu results; it must have %d", chlo->result_count,
                     count);
    for (int i = 0; i < count; i++) {
        if (!type_same(values[i]->type, chlo->result_types[i]))
            return ERROR(INVALID_ARGUMENT, "result %d is declared as %s; its operands give %s", i,
                         type_text(c->program.arena, chlo->result_types[i]),
                         type_text(c->program.arena, values[i]->type));
        from->results[i].value = values[i];
    }
    return NULL;
}

struct error *chlo_ops_convert(struct mlir_convert *c, struct mlir_op *from, struct block *block)
{
    const char *full = arena_format(c->program.arena, "chlo.%s", from->name->name.data);
    struct mlir_chlo chlo = {.name = {strlen(full), full}};
    struct mlir_attr *attributes;
    struct value **operands;
    const struct type **types;
    struct op *op;
    if (mlir_op_is(from, "chlo", "erf"))
        return mlir_convert_op(c, from, OP_erf, block, &op);
    if (!mlir_chlo_is(chlo.name) || mlir_chlo_broadcast(chlo.name))
        return ERROR(UNIMPLEMENTED,
                     "%s: this operation is unsupported in bytecode; send a portable "
                     "artifact (VHLO) or text",
                     mlir_op_where(c->file, from));
    TRY(read_attributes(c, from, &attributes));
    TRY(mlir_convert_op_values(c, from, &operands, &types));
    chlo.operand_count = from->operand_count;
    chlo.operands = operands;
    chlo.result_count = from->result_count;
    chlo.result_types = types;
    chlo.attributes = attributes;
    struct builder b = {c->program.module, block, NULL, mlir_location_get(c->file, from->location)};
    return mlir_op_with_location(c->file, from, expand(c, from, &b, &chlo));
}
