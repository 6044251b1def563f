#include "compiler/frontend/text/mlir_text_shardy.h"

#include <string.h>

#include "compiler/frontend/mlir/mlir_sdy.h"
#include "compiler/frontend/text/mlir_text_attr.h"
#include "compiler/frontend/text/mlir_text_name.h"
#include "compiler/frontend/text/mlir_text_sdy.h"

static struct mlir_sdy_place place_of(struct mlir_parser *p, const struct mlir_text_op *op,
                                      struct block *block)
{
    return (struct mlir_sdy_place){&p->program, block, NULL, mlir_text_op_location(p, op->offset)};
}

static struct error *unsupported(struct mlir_parser *p, struct string name,
                                 const struct mlir_text_op *op)
{
    return mlir_lex_error(&p->lex, PJRT_Error_Code_UNIMPLEMENTED, op->offset, "%.*s is unsupported",
                          (int)(name.size < 200 ? name.size : 200), name.data);
}

/* The discardable attributes and the types that end an operation. */
static struct error *read_end(struct mlir_parser *p, struct mlir_text_op *op)
{
    if (mlir_lex_is(&p->lex, '{'))
        TRY(mlir_text_attr_dict(p, &op->attrs));
    return mlir_text_op_types(p, op);
}

/* ---- computations ---------------------------------------------------------------------------- */

struct computation {
    struct mlir_parser *p;
    struct mlir_text_op *op;
    struct block *block;
    struct mlir_sdy_region region;
};

/* The values of the body's arguments. */
static struct error *enter(struct computation *c, size_t count,
                           const struct mlir_text_argument *arguments, struct value ***out)
{
    struct mlir_sdy_place place = place_of(c->p, c->op, c->block);
    struct value **values = *out = ARENA_ARRAY(c->p->arena, struct value *, count);
    if (count != c->op->operands.count)
        return MLIR_LEX_ERROR(&c->p->lex,
                              "the operation has %zu operands but its body has %zu arguments",
                              c->op->operands.count, count);
    for (size_t i = 0; i < count; i++) {
        struct error *error = mlir_sdy_enter(&place, &c->region, i, c->op->operands.items[i],
                                             arguments[i].type, &values[i]);
        TRY(mlir_lex_with_position(&c->p->lex, c->op->offset, error));
    }
    return NULL;
}

/* The results, once their types are known. */
static struct error *leave(struct computation *c, struct mlir_text_results *out)
{
    struct mlir_sdy_place place = place_of(c->p, c->op, c->block);
    struct value **values = ARENA_ARRAY(c->p->arena, struct value *, (size_t)out->count);
    if (out->count != c->op->type_count)
        return mlir_lex_error(&c->p->lex, PJRT_Error_Code_INVALID_ARGUMENT, c->op->offset,
                              "the operation has %d results but its body returns %d values",
                              c->op->type_count, out->count);
    struct error *error = NULL;
    for (int i = 0; !error && i < out->count; i++)
        error = mlir_sdy_leave(&place, &c->region, (size_t)i, out->values[i], c->op->types[i],
                               &values[i]);
    out->values = values;
    return mlir_lex_with_position(&c->p->lex, c->op->offset, error);
}

/* "({ ^bb0(...): ... }) : types" */
static struct error *generic_computation(struct computation *c, struct mlir_text_results *out)
{
    struct mlir_parser *p = c->p;
    int count;
    struct mlir_text_argument *arguments = NULL;
    struct value **values;
    size_t mark = mlir_text_name_push(p);
    TRY(mlir_lex_expect(&p->lex, '('));
    TRY(mlir_lex_expect(&p->lex, '{'));
    TRY(mlir_text_op_label(p, &count, &arguments));
    TRY(enter(c, (size_t)count, arguments, &values));
    TRY(mlir_text_op_inline(p, c->block, count, arguments, values, out));
    mlir_text_name_pop(p, mark);
    TRY(mlir_lex_expect(&p->lex, ')'));
    TRY(read_end(p, c->op));
    return leave(c, out);
}

static struct error *read_shardings(struct mlir_parser *p, const char *word,
                                    const struct mlir_attr **out)
{
    struct mlir_attr *list;
    if (!mlir_lex_accept_word(&p->lex, word))
        return NULL;
    TRY(mlir_lex_expect(&p->lex, '='));
    TRY(mlir_text_sdy_per_value(p, &list));
    *out = list;
    return NULL;
}

static struct error *read_manual_axes(struct mlir_parser *p, const struct mlir_attr **out)
{
    struct mlir_attr *axes;
    if (!mlir_lex_accept_word(&p->lex, "manual_axes"))
        return NULL;
    TRY(mlir_lex_expect(&p->lex, '='));
    TRY(mlir_text_sdy_axes(p, &axes));
    *out = axes;
    return NULL;
}

/* (%a) in_shardings=[..] out_shardings=[..] manual_axes={..} (%x: type) {..} : types */
static struct error *pretty_computation(struct computation *c, struct mlir_text_results *out)
{
    struct mlir_parser *p = c->p;
    mlir_text_arguments arguments = {0};
    struct value **values;
    TRY(mlir_text_op_operand_group(p, c->op));
    TRY(read_shardings(p, "in_shardings", &c->region.in_shardings));
    TRY(read_shardings(p, "out_shardings", &c->region.out_shardings));
    TRY(read_manual_axes(p, &c->region.axes));
    TRY(mlir_text_op_arguments(p, &arguments));
    TRY(enter(c, arguments.count, arguments.items, &values));
    size_t mark = mlir_text_name_push(p);
    TRY(mlir_lex_expect(&p->lex, '{'));
    TRY(mlir_text_op_inline(p, c->block, (int)arguments.count, arguments.items, values, out));
    mlir_text_name_pop(p, mark);
    TRY(read_end(p, c->op));
    return leave(c, out);
}

/* "<\"name\">" of named_computation */
static struct error *skip_name(struct mlir_parser *p)
{
    struct string name;
    TRY(mlir_lex_expect(&p->lex, '<'));
    TRY(mlir_lex_string(&p->lex, p->arena, &name));
    return mlir_lex_expect(&p->lex, '>');
}

/* ---- constraints ----------------------------------------------------------------------------- */

static struct error *one_operand(struct mlir_parser *p, const struct mlir_text_op *op)
{
    return op->operands.count == 1
               ? NULL
               : mlir_lex_error(&p->lex, PJRT_Error_Code_INVALID_ARGUMENT, op->offset,
                                "the operation has %zu operands; it must have one",
                                op->operands.count);
}

static struct error *constrain(struct mlir_parser *p, struct mlir_text_op *op, struct block *block,
                               const struct mlir_attr *sharding, struct mlir_text_results *out)
{
    TRY(one_operand(p, op));
    if (!sharding || sharding->kind != MLIR_SHARDING)
        return MLIR_LEX_ERROR(&p->lex,
                              "a sharding constraint must have one operand and a sharding");
    struct mlir_sdy_place place = place_of(p, op, block);
    struct value **value = ARENA_NEW(p->arena, struct value *);
    *value = mlir_sdy_constrain(&place, op->operands.items[0], sharding->sharding);
    *out = (struct mlir_text_results){1, value};
    return NULL;
}

static struct error *join(struct mlir_parser *p, const struct mlir_text_op *op, struct block *block,
                          const struct mlir_attr *group)
{
    TRY(one_operand(p, op));
    if (!group || group->kind != MLIR_INTEGER)
        return MLIR_LEX_ERROR(&p->lex, "a sharding group must have the number group_id");
    struct mlir_sdy_place place = place_of(p, op, block);
    mlir_sdy_join(&place, op->operands.items[0], group->integer);
    return NULL;
}

/* ---- the generic form ------------------------------------------------------------------------ */

struct error *mlir_text_shardy_generic(struct mlir_parser *p, struct string name,
                                       struct mlir_text_op *op, struct block *block,
                                       struct mlir_text_results *out)
{
    enum mlir_sdy_op code = mlir_sdy_op((struct string){name.size - 4, name.data + 4});
    struct computation c = {p, op, block, {.is_manual = code == MLIR_SDY_MANUAL}};
    *out = (struct mlir_text_results){(int)op->operands.count, op->operands.items};
    switch (code) {
    case MLIR_SDY_MANUAL:
    case MLIR_SDY_NAMED:
        c.region.in_shardings = mlir_text_attr_find(&op->attrs, "in_shardings");
        c.region.out_shardings = mlir_text_attr_find(&op->attrs, "out_shardings");
        c.region.axes = mlir_text_attr_find(&op->attrs, "manual_axes");
        return generic_computation(&c, out);
    case MLIR_SDY_CONSTRAINT:
        TRY(constrain(p, op, block, mlir_text_attr_find(&op->attrs, "sharding"), out));
        break;
    case MLIR_SDY_GROUP:
        TRY(join(p, op, block, mlir_text_attr_find(&op->attrs, "group_id")));
        out->count = 0;
        break;
    case MLIR_SDY_IDENTITY: break;
    default: return unsupported(p, name, op);
    }
    return read_end(p, op);
}

/* ---- the pretty form ------------------------------------------------------------------------- */

/* %x <@mesh, [...]> : type */
static struct error *pretty_constraint(struct mlir_parser *p, struct mlir_text_op *op,
                                       struct block *block, struct mlir_text_results *out)
{
    struct mlir_attr *sharding;
    TRY(mlir_text_op_operands(p, op));
    TRY(mlir_text_sdy_sharding(p, &sharding));
    TRY(read_end(p, op));
    return constrain(p, op, block, sharding, out);
}

/* %x group_id=21 : type */
static struct error *pretty_group(struct mlir_parser *p, struct mlir_text_op *op,
                                  struct block *block)
{
    struct mlir_attr *group = mlir_text_attr_make(p, MLIR_INTEGER, "a group");
    TRY(mlir_text_op_operands(p, op));
    TRY(mlir_lex_expect_word(&p->lex, "group_id"));
    TRY(mlir_lex_expect(&p->lex, '='));
    TRY(mlir_lex_integer(&p->lex, &group->integer));
    TRY(read_end(p, op));
    return join(p, op, block, group);
}

/* %x allowed_direction=NONE : type, or %x sharding=<@mesh, [...]> : type */
static struct error *pretty_identity(struct mlir_parser *p, struct mlir_text_op *op,
                                     struct mlir_text_results *out)
{
    struct mlir_attr *sharding;
    TRY(mlir_text_op_operands(p, op));
    if (mlir_lex_accept_word(&p->lex, "allowed_direction")) {
        TRY(mlir_lex_expect(&p->lex, '='));
        mlir_lex_next(&p->lex);
    } else if (mlir_lex_accept_word(&p->lex, "sharding")) {
        TRY(mlir_lex_expect(&p->lex, '='));
        TRY(mlir_text_sdy_sharding(p, &sharding));
    }
    *out = (struct mlir_text_results){(int)op->operands.count, op->operands.items};
    return read_end(p, op);
}

struct error *mlir_text_shardy_pretty(struct mlir_parser *p, struct string name,
                                      struct mlir_text_op *op, struct block *block,
                                      struct mlir_text_results *out)
{
    enum mlir_sdy_op code = mlir_sdy_op((struct string){name.size - 4, name.data + 4});
    struct computation c = {p, op, block, {.is_manual = code == MLIR_SDY_MANUAL}};
    switch (code) {
    case MLIR_SDY_CONSTRAINT: return pretty_constraint(p, op, block, out);
    case MLIR_SDY_GROUP: *out = (struct mlir_text_results){0}; return pretty_group(p, op, block);
    case MLIR_SDY_IDENTITY: return pretty_identity(p, op, out);
    case MLIR_SDY_NAMED: TRY(skip_name(p)); return pretty_computation(&c, out);
    case MLIR_SDY_MANUAL: return pretty_computation(&c, out);
    default: return unsupported(p, name, op);
    }
}
