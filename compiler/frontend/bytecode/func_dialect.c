#include "compiler/frontend/bytecode/func_dialect.h"

#include "compiler/frontend/bytecode/mlir_convert_op.h"
#include "compiler/frontend/mlir/mlir_fields.h"

static struct error *convert_call(struct mlir_convert *c, struct mlir_op *from, struct block *block)
{
    enum { ARGUMENTS, CALLEE, NO_INLINE, RESULTS, COUNT };
    static const char *const names[] = {"arg_attrs", "callee", "no_inline", "res_attrs"};
    static const bool optional[] = {true, false, true, true};
    struct mlir_attr *attrs[COUNT];
    struct op *op;
    TRY(mlir_op_properties(c->file, from, COUNT, names, optional, attrs));
    TRY(mlir_convert_op(c, from, OP_call, block, &op));
    struct error *error =
        mlir_fields_set(&c->program, &op_info(OP_call)->fields[0], attrs[CALLEE], &op->attrs);
    if (error)
        return mlir_op_with_location(c->file, from, error_prefix(error, "attribute callee"));
    return mlir_convert_op_attributes(c, from, COUNT, names, NULL, op);
}

struct error *func_dialect_op(struct mlir_convert *c, struct mlir_op *from, struct block *block)
{
    struct op *op;
    if (mlir_op_is(from, "func", "call"))
        return convert_call(c, from, block);
    if (mlir_op_is(from, "func", "return"))
        return mlir_convert_op(c, from, OP_return, block, &op);
    return ERROR(UNIMPLEMENTED, "%s: this operation is unsupported", mlir_op_where(c->file, from));
}
