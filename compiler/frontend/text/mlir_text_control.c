#include "compiler/frontend/text/mlir_text_control.h"

#include <string.h>

#include "compiler/frontend/text/mlir_text_attr.h"
#include "compiler/frontend/text/mlir_text_type.h"

/* "(%x init: %c), (%y init: %d)": the operands are the inputs, then the initial values. */
static struct error *read_inputs(struct mlir_parser *p, struct mlir_text_op *op)
{
    VEC(struct value *) inits = {0};
    do {
        struct value *input, *init;
        TRY(mlir_lex_expect(&p->lex, '('));
        TRY(mlir_text_op_operand(p, &input));
        TRY(mlir_lex_expect_word(&p->lex, "init"));
        TRY(mlir_lex_expect(&p->lex, ':'));
        TRY(mlir_text_op_operand(p, &init));
        TRY(mlir_lex_expect(&p->lex, ')'));
        VEC_PUSH(p->scratch, &op->operands, input);
        VEC_PUSH(p->scratch, &inits, init);
    } while (mlir_lex_accept(&p->lex, ','));
    for (size_t i = 0; i < inits.count; i++)
        VEC_PUSH(p->scratch, &op->operands, inits.items[i]);
    return NULL;
}

/* The operation after "applies". */
static struct error *read_applied(struct mlir_parser *p, enum op_code *out)
{
    struct string word = p->lex.word;
    bool named = p->lex.token == MLIR_TOKEN_WORD && word.size > 10 &&
                 memcmp(word.data, "stablehlo.", 10) == 0;
    *out = named ? op_code_from_name(word.data + 10, word.size - 10) : OP_INVALID_CODE;
    if (*out == OP_INVALID_CODE || op_info(*out)->operand_count != 2)
        return mlir_lex_expected(&p->lex, "an operation with two operands");
    mlir_lex_next(&p->lex);
    return NULL;
}

/* A reducer that applies one operation to two scalars. */
static void make_body(struct mlir_parser *p, struct mlir_text_op *op, enum op_code code)
{
    const struct type *type = op->operands.items[op->operands.count - 1]->type;
    struct block *block =
        ir_block(p->program.module, p->func, NULL, 2, (const struct type *[]){type, type});
    struct value *arguments[] = {&block->arguments[0], &block->arguments[1]};
    struct op *applied = ir_op(p->program.module, code, 2, arguments, 1, &type, 0);
    ir_append(block, applied);
    struct value *result = &applied->results[0];
    ir_append(block, ir_op(p->program.module, OP_return, 1, &result, 0, NULL, 0));
    VEC_PUSH(p->scratch, &op->regions, block);
}

/* "reducer(%a: t, %b: t) (%c: t, %d: t) {...}": the block's arguments are a, c ... then b, d ... */
static struct error *read_reducer(struct mlir_parser *p, struct mlir_text_op *op)
{
    size_t pairs = op->operands.count / 2;
    struct mlir_text_argument *arguments =
        ARENA_ARRAY(p->arena, struct mlir_text_argument, 2 * pairs);
    struct block *block;
    TRY(mlir_lex_expect_word(&p->lex, "reducer"));
    for (size_t i = 0; i < pairs; i++) {
        TRY(mlir_lex_expect(&p->lex, '('));
        TRY(mlir_text_op_argument(p, &arguments[i]));
        TRY(mlir_lex_expect(&p->lex, ','));
        TRY(mlir_text_op_argument(p, &arguments[pairs + i]));
        TRY(mlir_lex_expect(&p->lex, ')'));
    }
    TRY(mlir_text_op_region(p, (int)(2 * pairs), arguments, &block));
    VEC_PUSH(p->scratch, &op->regions, block);
    return NULL;
}

struct error *mlir_text_control_reduce(struct mlir_parser *p, struct mlir_text_op *op)
{
    enum op_code applied = OP_INVALID_CODE;
    struct mlir_attr *dimensions;
    TRY(read_inputs(p, op));
    if (mlir_lex_accept_word(&p->lex, "applies"))
        TRY(read_applied(p, &applied));
    TRY(mlir_lex_expect_word(&p->lex, "across"));
    TRY(mlir_lex_expect_word(&p->lex, "dimensions"));
    TRY(mlir_lex_expect(&p->lex, '='));
    TRY(mlir_text_attr_list(p, &dimensions));
    mlir_text_attr_add(p, &op->attrs, (struct string){10, "dimensions"}, dimensions);
    if (mlir_lex_is(&p->lex, '{'))
        TRY(mlir_text_attr_dict(p, &op->attrs));
    TRY(mlir_text_op_types(p, op));
    if (applied == OP_INVALID_CODE)
        return read_reducer(p, op);
    make_body(p, op, applied);
    return NULL;
}

struct error *mlir_text_control_while(struct mlir_parser *p, struct mlir_text_op *op)
{
    VEC(struct mlir_text_argument) arguments = {0};
    TRY(mlir_lex_expect(&p->lex, '('));
    while (!mlir_lex_is(&p->lex, ')')) {
        struct mlir_text_argument argument = {.name = p->lex.word};
        struct value *operand;
        if (arguments.count)
            TRY(mlir_lex_expect(&p->lex, ','));
        argument.name = p->lex.word;
        if (p->lex.token != MLIR_TOKEN_VALUE)
            return mlir_lex_expected(&p->lex, "the name of an argument");
        mlir_lex_next(&p->lex);
        TRY(mlir_lex_expect(&p->lex, '='));
        TRY(mlir_text_op_operand(p, &operand));
        VEC_PUSH(p->scratch, &op->operands, operand);
        VEC_PUSH(p->scratch, &arguments, argument);
    }
    mlir_lex_next(&p->lex);
    if (arguments.count)
        TRY(mlir_text_op_types(p, op));
    if ((size_t)op->type_count != arguments.count)
        return MLIR_LEX_ERROR(&p->lex, "while has %zu operands but %d types", arguments.count,
                              op->type_count);
    for (size_t i = 0; i < arguments.count; i++)
        arguments.items[i].type = op->types[i];
    if (mlir_lex_accept_word(&p->lex, "attributes"))
        TRY(mlir_text_attr_dict(p, &op->attrs));
    for (int i = 0; i < 2; i++) {
        struct block *block;
        TRY(mlir_lex_expect_word(&p->lex, i == 0 ? "cond" : "do"));
        TRY(mlir_text_op_region(p, (int)arguments.count, arguments.items, &block));
        VEC_PUSH(p->scratch, &op->regions, block);
    }
    return NULL;
}
