#include "compiler/frontend/text/mlir_text_pretty.h"

#include <string.h>

#include "compiler/frontend/mlir/mlir_chlo.h"
#include "compiler/frontend/text/mlir_text_attr.h"
#include "compiler/frontend/text/mlir_text_chlo.h"
#include "compiler/frontend/text/mlir_text_compound.h"
#include "compiler/frontend/text/mlir_text_control.h"
#include "compiler/frontend/text/mlir_text_shardy.h"
#include "compiler/frontend/text/mlir_text_type.h"

/* The fields of the keys in pretty forms: "dims = [1]" is broadcast_dimensions. */
static const struct {
    enum op_code code;
    const char *key, *field;
} keys[] = {
    {OP_broadcast_in_dim, "dims", "broadcast_dimensions"},
    {OP_dynamic_broadcast_in_dim, "dims", "broadcast_dimensions"},
    {OP_broadcast, "sizes", "broadcast_sizes"},
    {OP_concatenate, "dim", "dimension"},
    {OP_iota, "dim", "iota_dimension"},
    {OP_dynamic_iota, "dim", "iota_dimension"},
    {OP_reverse, "dims", "dimensions"},
    {OP_transpose, "dims", "permutation"},
    {OP_pad, "low", "edge_padding_low"},
    {OP_pad, "high", "edge_padding_high"},
    {OP_pad, "interior", "interior_padding"},
    {OP_dynamic_slice, "sizes", "slice_sizes"},
    {OP_fft, "type", "fft_type"},
    {OP_fft, "length", "fft_length"},
    {OP_rng, "distribution", "rng_distribution"},
    {OP_rng_bit_generator, "algorithm", "rng_algorithm"},
    {OP_cholesky, "lower", "lower"},
    {OP_einsum, "config", "einsum_config"},
    {OP_unary_einsum, "config", "einsum_config"},
    {OP_dot, "precision", "precision_config"},
    {OP_dot_general, "precision", "precision_config"},
    {OP_get_dimension_size, "dim", "dimension"},
    {OP_set_dimension_size, "dim", "dimension"},
    {OP_torch_index_select, "dim", "dim"},
    {OP_torch_index_select, "batch_dims", "batch_dims"},
};

static void add(struct mlir_parser *p, struct mlir_text_op *op, const char *field,
                struct mlir_attr *attr)
{
    mlir_text_attr_add(p, &op->attrs, (struct string){strlen(field), field}, attr);
}

static const struct attr_field *field_named(enum op_code code, const char *name)
{
    const struct op_info *info = op_info(code);
    for (int i = 0; i < info->field_count; i++)
        if (strcmp(info->fields[i].name, name) == 0)
            return &info->fields[i];
    return NULL;
}

/* ---- keys with a special syntax -------------------------------------------------------------- */

/* "[0] x [1]" as two lists. */
static struct error *read_list_pair(struct mlir_parser *p, struct mlir_text_op *op, const char *lhs,
                                    const char *rhs)
{
    struct mlir_attr *left, *right;
    TRY(mlir_text_attr_list(p, &left));
    TRY(mlir_lex_expect_word(&p->lex, "x"));
    TRY(mlir_text_attr_list(p, &right));
    add(p, op, lhs, left);
    add(p, op, rhs, right);
    return NULL;
}

/* e5m7: the numbers of bits of exponent and mantissa. */
static struct error *read_format(struct mlir_parser *p, struct mlir_text_op *op)
{
    int64_t bits[2] = {0, 0};
    struct string word = p->lex.word;
    size_t i = 1;
    bool right = p->lex.token == MLIR_TOKEN_WORD && word.size > 1 && word.data[0] == 'e';
    for (int part = 0; part < 2 && right; part++) {
        size_t begin = i;
        for (; i < word.size && word.data[i] >= '0' && word.data[i] <= '9' && bits[part] < 1000;
             i++)
            bits[part] = bits[part] * 10 + (word.data[i] - '0');
        right = i > begin && (part == 1 ? i == word.size : i < word.size && word.data[i] == 'm');
        i++;
    }
    if (!right)
        return mlir_lex_expected(&p->lex, "a format like e5m10");
    mlir_lex_next(&p->lex);
    add(p, op, "exponent_bits", mlir_text_attr_int(p, bits[0]));
    add(p, op, "mantissa_bits", mlir_text_attr_int(p, bits[1]));
    return NULL;
}

static struct error *read_special_key(struct mlir_parser *p, struct mlir_text_op *op,
                                      const char *key, bool *done)
{
    *done = true;
    if (op->code == OP_dot_general && strcmp(key, "batching_dims") == 0)
        return read_list_pair(p, op, "lhs_batching_dimensions", "rhs_batching_dimensions");
    if (op->code == OP_dot_general && strcmp(key, "contracting_dims") == 0)
        return read_list_pair(p, op, "lhs_contracting_dimensions", "rhs_contracting_dimensions");
    if (op->code == OP_dot_general && strcmp(key, "algorithm") == 0)
        return mlir_text_compound_algorithm(p, &op->attrs);
    if (op->code == OP_reduce_precision && strcmp(key, "format") == 0)
        return read_format(p, op);
    *done = false;
    return NULL;
}

static struct error *read_key(struct mlir_parser *p, struct mlir_text_op *op)
{
    size_t offset = p->lex.start;
    const char *key = arena_string(p->arena, p->lex.word.data, p->lex.word.size), *name = NULL;
    bool done;
    mlir_lex_next(&p->lex);
    if (!mlir_lex_accept(&p->lex, '='))
        return mlir_lex_error(&p->lex, PJRT_Error_Code_INVALID_ARGUMENT, offset,
                              "expected ':' and types, or the name of an attribute and '=', got %s",
                              key);
    TRY(read_special_key(p, op, key, &done));
    if (done)
        return NULL;
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (keys[i].code == op->code && strcmp(keys[i].key, key) == 0)
            name = keys[i].field;
    const struct attr_field *field = name ? field_named(op->code, name) : NULL;
    if (!field)
        return mlir_lex_error(&p->lex, PJRT_Error_Code_INVALID_ARGUMENT, offset,
                              "%s has no attribute %s", op_info(op->code)->name, key);
    struct mlir_attr *value;
    TRY(mlir_text_attr_field(p, field->kind, &value));
    add(p, op, field->name, value);
    return NULL;
}

/* ---- before the operands, and right after them ---------------------------------------------- */

/* "[0:2, 1:8:2]": start, limit and stride of each dimension. */
static struct error *read_slice(struct mlir_parser *p, struct mlir_text_op *op)
{
    int64_t *parts[3], rank = 0;
    for (int i = 0; i < 3; i++)
        parts[i] = ARENA_ARRAY(p->arena, int64_t, SHAPE_MAX_RANK);
    TRY(mlir_lex_expect(&p->lex, '['));
    for (; !mlir_lex_is(&p->lex, ']'); rank++) {
        if (rank == SHAPE_MAX_RANK)
            return MLIR_LEX_ERROR(&p->lex, "a slice has more than %d dimensions, the limit",
                                  SHAPE_MAX_RANK);
        if (rank > 0)
            TRY(mlir_lex_expect(&p->lex, ','));
        TRY(mlir_lex_integer(&p->lex, &parts[0][rank]));
        TRY(mlir_lex_expect(&p->lex, ':'));
        TRY(mlir_lex_integer(&p->lex, &parts[1][rank]));
        parts[2][rank] = 1;
        if (mlir_lex_accept(&p->lex, ':'))
            TRY(mlir_lex_integer(&p->lex, &parts[2][rank]));
    }
    mlir_lex_next(&p->lex);
    add(p, op, "start_indices", mlir_text_attr_ints(p, rank, parts[0]));
    add(p, op, "limit_indices", mlir_text_attr_ints(p, rank, parts[1]));
    add(p, op, "strides", mlir_text_attr_ints(p, rank, parts[2]));
    return NULL;
}

static struct error *read_index(struct mlir_parser *p, struct mlir_text_op *op)
{
    int64_t index;
    TRY(mlir_lex_expect(&p->lex, '['));
    TRY(mlir_lex_integer(&p->lex, &index));
    add(p, op, "index", mlir_text_attr_int(p, index));
    return mlir_lex_expect(&p->lex, ']');
}

/* "LT, " before the operands of compare. */
static struct error *read_direction(struct mlir_parser *p, struct mlir_text_op *op)
{
    struct mlir_attr *direction;
    TRY(mlir_text_attr_field(p, ATTR_COMPARISON, &direction));
    add(p, op, "comparison_direction", direction);
    return mlir_lex_expect(&p->lex, ',');
}

/* "@callee(operands)" of call and custom_call, "\"name\" operands" of composite. */
static struct error *read_callee(struct mlir_parser *p, struct mlir_text_op *op)
{
    struct mlir_attr *callee;
    if (op->code == OP_composite) {
        if (p->lex.token != MLIR_TOKEN_STRING)
            return mlir_lex_expected(&p->lex, "the name of the composite");
        TRY(mlir_text_attr_read(p, &callee));
        add(p, op, "name", callee);
        return mlir_text_op_operands(p, op);
    }
    if (p->lex.token != MLIR_TOKEN_SYMBOL)
        return mlir_lex_expected(&p->lex, "@ and a name");
    TRY(mlir_text_attr_read(p, &callee));
    if (op->code == OP_custom_call)
        callee->kind = MLIR_STRING;
    add(p, op, op->code == OP_call ? "callee" : "call_target_name", callee);
    return mlir_text_op_operand_group(p, op);
}

/* ---- convolution ----------------------------------------------------------------------------- */

/* "[[1, 1], [0, 2]]" */
static struct error *read_padding(struct mlir_parser *p, struct mlir_text_op *op)
{
    VEC(int64_t) values = {0};
    TRY(mlir_lex_expect(&p->lex, '['));
    while (!mlir_lex_is(&p->lex, ']')) {
        if (values.count)
            TRY(mlir_lex_expect(&p->lex, ','));
        int64_t low, high;
        TRY(mlir_lex_expect(&p->lex, '['));
        TRY(mlir_lex_integer(&p->lex, &low));
        TRY(mlir_lex_expect(&p->lex, ','));
        TRY(mlir_lex_integer(&p->lex, &high));
        TRY(mlir_lex_expect(&p->lex, ']'));
        VEC_PUSH(p->arena, &values, low);
        VEC_PUSH(p->arena, &values, high);
    }
    mlir_lex_next(&p->lex);
    add(p, op, "padding", mlir_text_attr_pairs(p, (int64_t)values.count / 2, 2, values.items));
    return NULL;
}

/* "[true, false]" or "[1, 0]" */
static struct error *read_reversal(struct mlir_parser *p, struct mlir_text_op *op)
{
    VEC(int64_t) values = {0};
    TRY(mlir_lex_expect(&p->lex, '['));
    while (!mlir_lex_is(&p->lex, ']')) {
        int64_t value = mlir_lex_is_word(&p->lex, "true");
        if (values.count)
            TRY(mlir_lex_expect(&p->lex, ','));
        value = mlir_lex_is_word(&p->lex, "true");
        if (!mlir_lex_accept_word(&p->lex, "true") && !mlir_lex_accept_word(&p->lex, "false"))
            TRY(mlir_lex_integer(&p->lex, &value));
        VEC_PUSH(p->arena, &values, value != 0);
    }
    mlir_lex_next(&p->lex);
    add(p, op, "window_reversal", mlir_text_attr_ints(p, (int64_t)values.count, values.items));
    return NULL;
}

static struct error *read_window(struct mlir_parser *p, struct mlir_text_op *op)
{
    static const char *const lists[][2] = {{"stride", "window_strides"},
                                           {"lhs_dilate", "lhs_dilation"},
                                           {"rhs_dilate", "rhs_dilation"}};
    TRY(mlir_lex_expect(&p->lex, '{'));
    for (bool first = true; !mlir_lex_is(&p->lex, '}'); first = false) {
        if (!first)
            TRY(mlir_lex_expect(&p->lex, ','));
        const char *key = arena_string(p->arena, p->lex.word.data, p->lex.word.size), *field = NULL;
        size_t offset = p->lex.start;
        mlir_lex_next(&p->lex);
        TRY(mlir_lex_expect(&p->lex, '='));
        for (int i = 0; i < 3; i++)
            if (strcmp(lists[i][0], key) == 0)
                field = lists[i][1];
        if (strcmp(key, "pad") == 0) {
            TRY(read_padding(p, op));
        } else if (strcmp(key, "reverse") == 0) {
            TRY(read_reversal(p, op));
        } else if (field) {
            struct mlir_attr *list;
            TRY(mlir_text_attr_list(p, &list));
            add(p, op, field, list);
        } else {
            return mlir_lex_error(&p->lex, PJRT_Error_Code_INVALID_ARGUMENT, offset,
                                  "unknown part %s of a window; expected stride, pad, lhs_dilate, "
                                  "rhs_dilate or reverse",
                                  key);
        }
    }
    mlir_lex_next(&p->lex);
    return NULL;
}

/* "(%a, %b) dim_numbers = [...], window = {...}" */
static struct error *read_convolution(struct mlir_parser *p, struct mlir_text_op *op)
{
    TRY(mlir_text_op_operand_group(p, op));
    TRY(mlir_lex_expect_word(&p->lex, "dim_numbers"));
    TRY(mlir_lex_expect(&p->lex, '='));
    TRY(mlir_text_compound_conv(p, &op->attrs));
    if (!mlir_lex_accept(&p->lex, ','))
        return NULL;
    TRY(mlir_lex_expect_word(&p->lex, "window"));
    TRY(mlir_lex_expect(&p->lex, '='));
    return read_window(p, op);
}

/* ---- the common syntax ----------------------------------------------------------------------- */

/* "dense<...> : type", whose type is the result's; "() <{value = ...}> : () -> type" for quantized
 * types. */
static struct error *read_constant(struct mlir_parser *p, struct mlir_text_op *op)
{
    struct mlir_attr *value;
    if (mlir_lex_is(&p->lex, '(')) {
        TRY(mlir_text_op_operand_group(p, op));
        bool properties = mlir_lex_accept(&p->lex, '<');
        TRY(mlir_text_attr_dict(p, &op->attrs));
        if (properties)
            TRY(mlir_lex_expect(&p->lex, '>'));
        return mlir_text_op_types(p, op);
    }
    if (mlir_lex_is(&p->lex, '{'))
        TRY(mlir_text_attr_dict(p, &op->attrs));
    size_t offset = p->lex.start;
    if (p->lex.token == MLIR_TOKEN_INTEGER || p->lex.token == MLIR_TOKEN_REAL)
        return mlir_lex_expected(&p->lex, "dense<...> and a type");
    TRY(mlir_text_attr_read(p, &value));
    if (value->kind != MLIR_LITERAL)
        return mlir_lex_error(&p->lex, PJRT_Error_Code_INVALID_ARGUMENT, offset,
                              "expected dense<...> and a type, got %s", value->name);
    add(p, op, "value", value);
    op->types = ARENA_NEW(p->arena, const struct type *);
    op->types[0] = value->literal->type;
    op->type_count = 1;
    return NULL;
}

/* The operands, and the parts of the operation that are next to them. */
static struct error *read_operands(struct mlir_parser *p, struct mlir_text_op *op)
{
    switch (op->code) {
    case OP_convolution:
    case OP_dynamic_conv: return read_convolution(p, op);
    case OP_call:
    case OP_custom_call:
    case OP_composite: return read_callee(p, op);
    case OP_compare: TRY(read_direction(p, op)); return mlir_text_op_operands(p, op);
    case OP_slice: TRY(mlir_text_op_operands(p, op)); return read_slice(p, op);
    case OP_get_tuple_element: TRY(mlir_text_op_operands(p, op)); return read_index(p, op);
    default:
        return mlir_lex_is(&p->lex, '(') ? mlir_text_op_operand_group(p, op)
                                         : mlir_text_op_operands(p, op);
    }
}

/* "operands, key = value, ... {attributes} : types" */
static struct error *read_common(struct mlir_parser *p, struct mlir_text_op *op)
{
    struct mlir_attr *kind;
    TRY(read_operands(p, op));
    if (op->code == OP_compare && p->lex.token == MLIR_TOKEN_WORD) {
        TRY(mlir_text_attr_field(p, ATTR_COMPARE_TYPE, &kind));
        add(p, op, "compare_type", kind);
    }
    while (p->lex.token == MLIR_TOKEN_WORD && !mlir_lex_is_word(&p->lex, "loc")) {
        TRY(read_key(p, op));
        if (!mlir_lex_accept(&p->lex, ','))
            break;
    }
    if (mlir_lex_is(&p->lex, '{'))
        TRY(mlir_text_attr_dict(p, &op->attrs));
    if (op->code == OP_return && !mlir_lex_is(&p->lex, ':'))
        return NULL;
    return mlir_text_op_types(p, op);
}

struct error *mlir_text_pretty_read(struct mlir_parser *p, struct mlir_text_op *op,
                                    struct block *block, struct mlir_text_results *out)
{
    struct string name = p->lex.word;
    mlir_lex_next(&p->lex);
    if (name.size > 4 && memcmp(name.data, "sdy.", 4) == 0)
        return mlir_text_shardy_pretty(p, name, op, block, out);
    switch (op->code) {
    case OP_INVALID_CODE:
        if (mlir_chlo_is(name))
            return mlir_text_chlo_read(p, name, op, block, out);
        return mlir_lex_error(&p->lex, PJRT_Error_Code_UNIMPLEMENTED, op->offset,
                              "%.*s is unsupported", (int)(name.size < 200 ? name.size : 200),
                              name.data);
    case OP_constant: TRY(read_constant(p, op)); break;
    case OP_reduce: TRY(mlir_text_control_reduce(p, op)); break;
    case OP_while: TRY(mlir_text_control_while(p, op)); break;
    default: TRY(read_common(p, op)); break;
    }
    return mlir_text_op_finish(p, op, block, out);
}
