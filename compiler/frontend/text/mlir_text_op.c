#include "compiler/frontend/text/mlir_text_op.h"

#include <string.h>

#include "compiler/frontend/mlir/mlir_chlo.h"
#include "compiler/frontend/mlir/mlir_ops.h"
#include "compiler/frontend/text/mlir_text_attr.h"
#include "compiler/frontend/text/mlir_text_chlo.h"
#include "compiler/frontend/text/mlir_text_fields.h"
#include "compiler/frontend/text/mlir_text_location.h"
#include "compiler/frontend/text/mlir_text_name.h"
#include "compiler/frontend/text/mlir_text_pretty.h"
#include "compiler/frontend/text/mlir_text_shardy.h"
#include "compiler/frontend/text/mlir_text_type.h"

/* ---- names ----------------------------------------------------------------------------------- */

static struct error *bind(struct mlir_parser *p, struct string name, int count,
                          struct value *const *values)
{
    return mlir_text_name_bind(p, name, (struct mlir_binding){.count = count, .values = values});
}

struct error *mlir_text_op_operand(struct mlir_parser *p, struct value **out)
{
    const struct mlir_binding *binding;
    int number;
    TRY(mlir_text_name_use(p, &binding, &number));
    *out = binding->values[number];
    return NULL;
}

struct error *mlir_text_op_operands(struct mlir_parser *p, struct mlir_text_op *op)
{
    while (p->lex.token == MLIR_TOKEN_VALUE) {
        struct value *value;
        TRY(mlir_text_op_operand(p, &value));
        VEC_PUSH(p->scratch, &op->operands, value);
        if (!mlir_lex_accept(&p->lex, ','))
            break;
    }
    return NULL;
}

struct error *mlir_text_op_operand_group(struct mlir_parser *p, struct mlir_text_op *op)
{
    TRY(mlir_lex_expect(&p->lex, '('));
    TRY(mlir_text_op_operands(p, op));
    return mlir_lex_expect(&p->lex, ')');
}

/* ---- regions --------------------------------------------------------------------------------- */

struct error *mlir_text_op_argument(struct mlir_parser *p, struct mlir_text_argument *out)
{
    if (p->lex.token != MLIR_TOKEN_VALUE)
        return mlir_lex_expected(&p->lex, "the name of an argument");
    out->name = p->lex.word;
    mlir_lex_next(&p->lex);
    TRY(mlir_lex_expect(&p->lex, ':'));
    TRY(mlir_text_type_value(p, &out->type));
    return mlir_text_location_skip(p);
}

struct error *mlir_text_op_arguments(struct mlir_parser *p, mlir_text_arguments *out)
{
    TRY(mlir_lex_expect(&p->lex, '('));
    while (!mlir_lex_is(&p->lex, ')')) {
        struct mlir_text_argument argument;
        if (out->count)
            TRY(mlir_lex_expect(&p->lex, ','));
        TRY(mlir_text_op_argument(p, &argument));
        VEC_PUSH(p->arena, out, argument);
    }
    mlir_lex_next(&p->lex);
    return NULL;
}

/* "^bb0(%a: type, ...):" of the generic form, if present. */
struct error *mlir_text_op_label(struct mlir_parser *p, int *count, struct mlir_text_argument **out)
{
    mlir_text_arguments arguments = {0};
    *count = 0;
    if (p->lex.token != MLIR_TOKEN_LABEL)
        return NULL;
    mlir_lex_next(&p->lex);
    if (mlir_lex_is(&p->lex, '('))
        TRY(mlir_text_op_arguments(p, &arguments));
    *count = (int)arguments.count;
    *out = arguments.items;
    return mlir_lex_expect(&p->lex, ':');
}

/* Binds the names of the block's arguments, then reads "operations }". */
static struct error *read_block(struct mlir_parser *p, struct block *block,
                                const struct string *const *names)
{
    for (int i = 0; i < block->argument_count; i++) {
        struct value **value = ARENA_NEW(p->arena, struct value *);
        if (!names[i]->size)
            return MLIR_LEX_ERROR(&p->lex, "argument %d of this body must have a name", i);
        *value = &block->arguments[i];
        TRY(bind(p, *names[i], 1, value));
    }
    TRY(mlir_parser_enter(p));
    TRY(mlir_text_op_body(p, block));
    p->depth--;
    return mlir_lex_expect(&p->lex, '}');
}

static struct error *make_block(struct mlir_parser *p, int count,
                                const struct mlir_text_argument *arguments, struct block **out)
{
    const struct type **types = ARENA_ARRAY(p->arena, const struct type *, (size_t)count);
    const struct string **names = ARENA_ARRAY(p->arena, const struct string *, (size_t)count);
    for (int i = 0; i < count; i++) {
        types[i] = arguments[i].type;
        names[i] = &arguments[i].name;
    }
    *out = ir_block(p->program.module, p->func, NULL, count, types);
    return read_block(p, *out, names);
}

struct error *mlir_text_op_block(struct mlir_parser *p, struct block *block,
                                 const struct string *const *names)
{
    size_t mark = mlir_text_name_push(p);
    TRY(mlir_lex_expect(&p->lex, '{'));
    TRY(read_block(p, block, names));
    mlir_text_name_pop(p, mark);
    return NULL;
}

struct error *mlir_text_op_region(struct mlir_parser *p, int count,
                                  const struct mlir_text_argument *arguments, struct block **out)
{
    size_t mark = mlir_text_name_push(p);
    TRY(mlir_lex_expect(&p->lex, '{'));
    TRY(make_block(p, count, arguments, out));
    mlir_text_name_pop(p, mark);
    return NULL;
}

/* "{ ^bb0(...): operations }" */
static struct error *generic_region(struct mlir_parser *p, struct block **out)
{
    int count;
    struct mlir_text_argument *arguments = NULL;
    size_t mark = mlir_text_name_push(p);
    TRY(mlir_lex_expect(&p->lex, '{'));
    TRY(mlir_text_op_label(p, &count, &arguments));
    TRY(make_block(p, count, arguments, out));
    mlir_text_name_pop(p, mark);
    return NULL;
}

struct error *mlir_text_op_inline(struct mlir_parser *p, struct block *block, int count,
                                  const struct mlir_text_argument *arguments,
                                  struct value *const *values, struct mlir_text_results *out)
{
    struct mlir_text_op last = {0};
    size_t outer = p->scope;
    p->scope = ++p->scopes;
    for (int i = 0; i < count; i++)
        TRY(bind(p, arguments[i].name, 1, &values[i]));
    TRY(mlir_parser_enter(p));
    TRY(mlir_text_op_body(p, block));
    p->depth--;
    bool generic = p->lex.token == MLIR_TOKEN_STRING;
    mlir_lex_next(&p->lex); /* sdy.return, at which mlir_text_op_body() stops */
    TRY(generic ? mlir_text_op_operand_group(p, &last) : mlir_text_op_operands(p, &last));
    last.code = OP_return;
    if (mlir_lex_is(&p->lex, ':'))
        TRY(mlir_text_op_types(p, &last));
    TRY(mlir_text_location_skip(p));
    *out = (struct mlir_text_results){(int)last.operands.count, last.operands.items};
    p->scope = outer;
    return mlir_lex_expect(&p->lex, '}');
}

/* ---- types ----------------------------------------------------------------------------------- */

static struct error *check_operands(struct mlir_parser *p, const struct mlir_text_op *op, int count,
                                    const struct type *const *types, size_t offset)
{
    if ((size_t)count != op->operands.count)
        return mlir_lex_error(&p->lex, PJRT_Error_Code_INVALID_ARGUMENT, offset,
                              "the operation has %zu operands but %d operand types",
                              op->operands.count, count);
    for (int i = 0; i < count; i++)
        if (!type_same(types[i], op->operands.items[i]->type)) {
            const char *declared = type_text(p->arena, types[i]);
            const char *is = type_text(p->arena, op->operands.items[i]->type);
            return mlir_lex_error(&p->lex, PJRT_Error_Code_INVALID_ARGUMENT, offset,
                                  "operand %d is %s but is declared as %s", i, is, declared);
        }
    return NULL;
}

/* Selects the result types from a list of types without an arrow. */
static void results_of_list(struct mlir_text_op *op, int count, const struct type **types)
{
    bool all = op->code == OP_optimization_barrier || op->code == OP_while;
    op->types = all ? types : &types[count - 1];
    op->type_count = all ? count : 1;
}

struct error *mlir_text_op_types(struct mlir_parser *p, struct mlir_text_op *op)
{
    int count = 0;
    const struct type **types = NULL;
    TRY(mlir_lex_expect(&p->lex, ':'));
    size_t offset = p->lex.start;
    if (!mlir_lex_accept(&p->lex, '(')) {
        TRY(mlir_text_type_list(p, &count, &types));
        if (p->lex.token == MLIR_TOKEN_ARROW) { /* "a, b -> c" in the pretty form of CHLO */
            mlir_lex_next(&p->lex);
            return mlir_text_type_results(p, &op->type_count, &op->types);
        }
        if (op->code == OP_return)
            return check_operands(p, op, count, types, offset);
        results_of_list(op, count, types);
        return NULL;
    }
    if (!mlir_lex_is(&p->lex, ')'))
        TRY(mlir_text_type_list(p, &count, &types));
    TRY(mlir_lex_expect(&p->lex, ')'));
    TRY(check_operands(p, op, count, types, offset));
    TRY(mlir_lex_expect_arrow(&p->lex));
    return mlir_text_type_results(p, &op->type_count, &op->types);
}

/* ---- creating -------------------------------------------------------------------------------- */

const struct location *mlir_text_op_location(struct mlir_parser *p, size_t offset)
{
    struct location *location = ARENA_NEW(p->arena, struct location);
    location->file = "MLIR text";
    mlir_lex_position(&p->lex, offset, &location->line, &location->column);
    return location;
}

struct error *mlir_text_op_finish(struct mlir_parser *p, struct mlir_text_op *from,
                                  struct block *block, struct mlir_text_results *out)
{
    struct op *op =
        ir_op(p->program.module, from->code, (int)from->operands.count, from->operands.items,
              from->type_count, from->types, (int)from->regions.count);
    op->location = mlir_text_op_location(p, from->offset);
    for (int i = 0; i < op->region_count; i++) {
        op->regions[i] = from->regions.items[i];
        op->regions[i]->owner = op;
    }
    ir_append(block, op);
    struct value **values = ARENA_ARRAY(p->scratch, struct value *, (size_t)op->result_count);
    for (int i = 0; i < op->result_count; i++)
        values[i] = &op->results[i];
    *out = (struct mlir_text_results){op->result_count, values};
    return mlir_text_fields_set(p, from, op);
}

/* ---- the generic form ------------------------------------------------------------------------ */

static struct error *generic_regions(struct mlir_parser *p, struct mlir_text_op *op)
{
    TRY(mlir_lex_expect(&p->lex, '('));
    do {
        struct block *block;
        TRY(generic_region(p, &block));
        VEC_PUSH(p->scratch, &op->regions, block);
    } while (mlir_lex_accept(&p->lex, ','));
    return mlir_lex_expect(&p->lex, ')');
}

/* "name"(operands) <{attributes}> ({ region }, ...) {attributes} : types */
static struct error *generic_op(struct mlir_parser *p, struct mlir_text_op *op, struct block *block,
                                struct mlir_text_results *out)
{
    struct string name = p->lex.word;
    bool sdy = name.size > 4 && memcmp(name.data, "sdy.", 4) == 0;
    op->code = sdy ? OP_INVALID_CODE : mlir_ops_code(name);
    bool chlo = op->code == OP_INVALID_CODE && mlir_chlo_is(name);
    if (op->code == OP_INVALID_CODE && !sdy && !chlo)
        return mlir_lex_error(&p->lex, PJRT_Error_Code_UNIMPLEMENTED, op->offset,
                              "%.*s is unsupported", (int)(name.size < 200 ? name.size : 200),
                              name.data);
    mlir_lex_next(&p->lex);
    TRY(mlir_text_op_operand_group(p, op));
    if (mlir_lex_accept(&p->lex, '<')) {
        TRY(mlir_text_attr_dict(p, &op->attrs));
        TRY(mlir_lex_expect(&p->lex, '>'));
    }
    if (sdy)
        return mlir_text_shardy_generic(p, name, op, block, out);
    if (mlir_lex_is(&p->lex, '('))
        TRY(generic_regions(p, op));
    if (mlir_lex_is(&p->lex, '{'))
        TRY(mlir_text_attr_dict(p, &op->attrs));
    TRY(mlir_text_op_types(p, op));
    if (chlo)
        return mlir_text_chlo_finish(p, name, op, block, out);
    return mlir_text_op_finish(p, op, block, out);
}

/* ---- bodies ---------------------------------------------------------------------------------- */

static struct error *bind_results(struct mlir_parser *p, const struct mlir_text_names *names,
                                  const struct mlir_text_results *results)
{
    struct value *const *values = results->values;
    TRY(mlir_text_name_check(p, names, results->count));
    for (size_t i = 0; i < names->list.count; i++) {
        TRY(bind(p, names->list.items[i].name, names->list.items[i].count, values));
        values += names->list.items[i].count;
    }
    return NULL;
}

static bool at_sdy_return(const struct mlir_lex *lex)
{
    bool name = lex->token == MLIR_TOKEN_STRING || lex->token == MLIR_TOKEN_WORD;
    return name && lex->word.size == 10 && memcmp(lex->word.data, "sdy.return", 10) == 0;
}

static struct error *read_op(struct mlir_parser *p, struct block *block)
{
    struct op *before = block->last;
    struct mlir_text_names names;
    struct mlir_text_results results = {0, NULL};
    TRY(mlir_text_name_results(p, &names));
    struct mlir_text_op op = {.offset = p->lex.start};
    if (p->lex.token == MLIR_TOKEN_STRING) {
        TRY(generic_op(p, &op, block, &results));
    } else if (p->lex.token == MLIR_TOKEN_WORD) {
        op.code = mlir_ops_code(p->lex.word);
        TRY(mlir_text_pretty_read(p, &op, block, &results));
    } else {
        return mlir_lex_expected(&p->lex, "an operation");
    }
    TRY(mlir_text_location_read(p, block, before));
    return bind_results(p, &names, &results);
}

struct error *mlir_text_op_body(struct mlir_parser *p, struct block *block)
{
    while (!mlir_lex_is(&p->lex, '}') && !at_sdy_return(&p->lex))
        TRY(read_op(p, block));
    return NULL;
}
