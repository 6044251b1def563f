/* every_elementwise_test.c: each elementwise operation of ops.def has an emitter for every element
 * type that its inference accepts. */
#include "compiler/codegen/codegen_fixture.h"
#include "compiler/ir/infer.h"

static const enum dtype dtypes[] = {DTYPE_PRED, DTYPE_S8,  DTYPE_U32, DTYPE_S64,
                                    DTYPE_BF16, DTYPE_F32, DTYPE_F64, DTYPE_C64};
enum { DTYPES = sizeof dtypes / sizeof *dtypes };

/* What inference accepts and nothing emits: UNIMPLEMENTED where a program has it. Quantized
 * operations end in the frontend. */
static bool is_missing(enum op_code code, enum dtype dtype)
{
    bool is_complex = dtype_info(dtype)->class == CLASS_COMPLEX;
    return code == OP_uniform_quantize || code == OP_uniform_dequantize ||
           (is_complex && (code == OP_remainder || code == OP_reduce_precision));
}

/* Attributes without which an operation is invalid. */
static void set_attributes(struct op *op)
{
    if (op->code == OP_reduce_precision) {
        op->attrs.reduce_precision.exponent_bits = 8;
        op->attrs.reduce_precision.mantissa_bits = 7;
    }
}

/* A fusion of one operation over operands of `dtype`, the first of which is of type `first`. NULL:
 * inference rejects these types. */
static struct fixture *fusion_of(struct arena *arena, enum op_code code, enum dtype first,
                                 enum dtype dtype)
{
    int count = op_info(code)->operand_count;
    const struct type *types[3];
    struct value *operands[3];
    for (int i = 0; i < count; i++)
        types[i] = fixture_type(arena, i ? dtype : first, 1, 37);
    struct fixture *f = fixture_begin(FUSION_LOOP, count, types, arena);
    for (int i = 0; i < count; i++)
        operands[i] = fixture_arg(f, i);
    const struct type *result = code == OP_convert ? types[0] : NULL;
    struct op *op = ir_op(f->module, code, count, operands, 1, &result, 0);
    set_attributes(op);
    ir_append(f->block, op);
    struct error *error = infer_op(arena, op);
    error_free(error);
    if (error)
        return NULL;
    fixture_return(f, 1, &op->results[0]);
    return f;
}

/* Returns whether the operation accepts the types; fails if it has no emitter for them. */
static bool compiles(enum op_code code, enum dtype first, enum dtype dtype)
{
    if (is_missing(code, dtype))
        return true;
    struct arena *arena = fixture_arena();
    struct fixture *f = fusion_of(arena, code, first, dtype);
    if (f) {
        void *object;
        size_t size;
        struct codegen_kernel kernel = {.fusion = f->fusion, .name = "k0"};
        struct codegen_request request = {
            .target = &f->target, .kernel_count = 1, .kernels = &kernel};
        struct error *error = codegen_compile(arena, &request, &object, &size);
        cr_expect_null(error,
                       "the row %s of ops.def accepts %s, but no emitter of "
                       "compiler/codegen/element/ takes it (docs/adding_an_operation.md): %s",
                       op_info(code)->name, dtype_name(dtype),
                       error ? error_message(error, NULL) : "");
        error_free(error);
        alloc_free(object);
    }
    arena_destroy(arena);
    return f != NULL;
}

Test(every_elementwise, has_an_emitter_for_each_type)
{
    for (int code = OP_INVALID_CODE + 1; code < OP_CODE_COUNT; code++) {
        const struct op_info *info = op_info((enum op_code)code);
        int accepted = 0;
        if (!(info->traits & OP_ELEMENTWISE) || info->operand_count < 1 || info->operand_count > 3)
            continue;
        for (int i = 0; i < DTYPES; i++) {
            accepted += compiles(code, dtypes[i], dtypes[i]);
            if (code == OP_select)
                accepted += compiles(code, DTYPE_PRED, dtypes[i]);
        }
        cr_expect_gt(accepted, 0, "%s accepts no type", info->name);
    }
}
