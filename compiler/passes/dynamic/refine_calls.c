#include "compiler/passes/dynamic/refine_calls.h"

#include <inttypes.h>
#include <string.h>

#include "compiler/analysis/constants.h"
#include "compiler/frontend/functions/functions.h"
#include "compiler/ir/infer.h"
#include "compiler/passes/rewrite/rewrite.h"

static bool is_called(const struct op *op, const char *name)
{
    struct string target = op->attrs.custom_call.call_target_name;
    return target.size == strlen(name) && !memcmp(target.data, name, target.size);
}

static const struct dict_value *attribute(const struct op *op, const char *name)
{
    const struct dict *dict = op->discardable;
    for (int64_t i = 0; dict && i < dict->count; i++)
        if (dict->names[i].size == strlen(name) && !memcmp(dict->names[i].data, name, strlen(name)))
            return &dict->values[i];
    return NULL;
}

static struct error *expect_operands(struct module *module, const struct op *op, bool fits)
{
    return fits ? NULL
                : ERROR(INVALID_ARGUMENT, "%s: %.60s has unexpected operands or results",
                        ir_where(module->arena, op), op->attrs.custom_call.call_target_name.data);
}

/* The constant integers of operand i: `count` of them. */
static struct error *sizes_of(struct module *module, const struct op *op, int i, int64_t count,
                              struct dims *out)
{
    out->at = constants_integers(module, op->operands[i], &out->count);
    if (!out->at)
        return ERROR(UNIMPLEMENTED, "%s: operand %d has sizes that the arguments do not determine",
                     ir_where(module->arena, op), i);
    return expect_operands(module, op, out->count == count);
}

/* ---- assertions ------------------------------------------------------------------------------ */

/* Writes the message with {0}, {1} ... replaced by the operands after the condition. */
static void print_message(const struct op *op, struct string message, struct text *out)
{
    for (size_t i = 0; i < message.size; i++) {
        const char *at = message.data + i;
        size_t left = message.size - i;
        int number = left > 2 && at[0] == '{' && at[1] >= '0' && at[1] <= '9' ? at[1] - '0' : -1;
        size_t size = 2;
        if (number >= 0 && left > 3 && at[2] >= '0' && at[2] <= '9')
            number = 10 * number + at[size++] - '0';
        int64_t value;
        bool known = number >= 0 && size < left && at[size] == '}' &&
                     number + 1 < op->operand_count &&
                     constants_integer(op->operands[number + 1], &value);
        if (known)
            text_add(out, "%" PRId64, value);
        else
            text_add(out, "%c", *at);
        i += known ? size : 0;
    }
}

static struct error *refuse(struct module *module, const struct op *op)
{
    const struct dict_value *message = attribute(op, "error_message");
    struct text text = {0};
    if (message && message->kind == DICT_STRING)
        print_message(op, message->string, &text);
    const char *shown = text.failed || !text.size
                            ? "the sizes of the arguments are not allowed"
                            : arena_format(module->arena, "%.*s", (int)text.size, text.data);
    text_free(&text);
    return ERROR(INVALID_ARGUMENT, "%s: %s", ir_where(module->arena, op), shown);
}

static struct error *check_assertion(struct module *module, struct op *op)
{
    TRY(expect_operands(module, op, op->operand_count >= 1 && !op->result_count));
    const struct literal *literal = constants_literal(op->operands[0]);
    if (!literal || literal->type->shape.dtype != DTYPE_PRED || type_elements(literal->type) != 1)
        return ERROR(UNIMPLEMENTED,
                     "%s: asserts a condition that the sizes of the arguments do not determine",
                     ir_where(module->arena, op));
    if (!*(const char *)literal_at(literal, 0))
        return refuse(module, op);
    ir_remove(op);
    return NULL;
}

static struct error *unwrap(struct module *module, struct op *op)
{
    TRY(expect_operands(module, op, op->operand_count >= 1 && op->result_count == 1));
    ir_replace_uses(module, &op->results[0], op->operands[0]);
    ir_remove(op);
    return NULL;
}

/* ---- operations with sizes as operands ------------------------------------------------------- */

/* Replaces the call by `made`, whose types are inferred. */
static struct error *replace(struct module *module, struct op *op, struct op *made)
{
    made->location = op->location;
    ir_insert_before(op, made);
    TRY(infer_op(module->arena, made));
    for (int i = 0; i < op->result_count; i++)
        ir_replace_uses(module, &op->results[i], &made->results[i]);
    ir_remove(op);
    return NULL;
}

static struct error *copy_reducer(struct module *module, const struct op *op, struct op *made)
{
    struct funcs called = op->attrs.custom_call.called_computations;
    const struct block *body = called.count == 1 && called.at[0] ? called.at[0]->body : NULL;
    TRY(expect_operands(module, op, body && body->last && body->last->code == OP_return));
    const struct type **types =
        ARENA_ARRAY(module->arena, const struct type *, (size_t)body->argument_count);
    struct map *values = map_create(module->arena);
    for (int i = 0; i < body->argument_count; i++)
        types[i] = body->arguments[i].type;
    struct block *region = made->regions[0] =
        ir_block(module, op->block->func, made, body->argument_count, types);
    for (int i = 0; i < body->argument_count; i++)
        map_put_pointer(values, &body->arguments[i], &region->arguments[i]);
    for (const struct op *inner = body->first; inner; inner = inner->next)
        ir_append(region, ir_clone(module, inner, values));
    return NULL;
}

/* Operands: inputs, initial values, then five lists: window sizes, strides, dilations of base and
 * window, and paddings. */
static struct error *make_reduce_window(struct module *module, struct op *op)
{
    int arrays = op->operand_count - 5;
    TRY(expect_operands(module, op, arrays > 0 && arrays == 2 * op->result_count));
    int64_t rank = op->operands[0]->type->shape.rank;
    struct dims padding;
    union attrs attrs = {0};
    TRY(sizes_of(module, op, arrays, rank, &attrs.window.window_dimensions));
    TRY(sizes_of(module, op, arrays + 1, rank, &attrs.window.window_strides));
    TRY(sizes_of(module, op, arrays + 2, rank, &attrs.window.base_dilations));
    TRY(sizes_of(module, op, arrays + 3, rank, &attrs.window.window_dilations));
    TRY(sizes_of(module, op, arrays + 4, 2 * rank, &padding));
    attrs.window.padding = (struct pairs){rank, 2, padding.at};
    struct op *made =
        ir_op(module, OP_reduce_window, arrays, op->operands, op->result_count, NULL, 1);
    made->attrs = attrs;
    TRY(copy_reducer(module, op, made));
    return replace(module, op, made);
}

static struct error *make_random_bits(struct module *module, struct op *op)
{
    TRY(expect_operands(module, op,
                        op->operand_count == 2 && op->result_count == 2 &&
                            op->results[1].type->kind == TYPE_TENSOR));
    struct dims sizes;
    const struct type *declared = op->results[1].type;
    TRY(sizes_of(module, op, 1, declared->shape.rank, &sizes));
    const struct type *types[] = {op->operands[0]->type,
                                  type_with_sizes(module->arena, declared, sizes.at)};
    struct op *made = ir_op(module, OP_rng_bit_generator, 1, op->operands, 2, types, 0);
    const struct dict_value *algorithm = attribute(op, "rng_algorithm");
    if (algorithm && algorithm->kind == DICT_INT)
        made->attrs.rng_bit_generator.rng_algorithm = (enum rng_algorithm)algorithm->integer;
    return replace(module, op, made);
}

static struct error *make_top_k(struct module *module, struct op *op)
{
    struct builder b = rewrite_before(module, op);
    struct value *values[2];
    struct dims k;
    TRY(expect_operands(module, op, op->operand_count == 2 && op->result_count == 2));
    TRY(sizes_of(module, op, 1, 1, &k));
    TRY(functions_top_k(&b, op->operands[0], k.at[0], true, values));
    for (int i = 0; i < 2; i++)
        ir_replace_uses(module, &op->results[i], values[i]);
    ir_remove(op);
    return NULL;
}

/* ---- other calls ----------------------------------------------------------------------------- */

static struct error *shape_operands(struct module *module, const struct op *op, struct dims *out)
{
    const struct dict_value *listed = attribute(op, "indices_of_shape_operands");
    *out = (struct dims){0};
    if (!listed || listed->kind != DICT_LITERAL)
        return NULL;
    out->at = literal_int64s(module->arena, listed->literal);
    out->count = out->at ? type_elements(listed->literal->type) : 0;
    bool fits = out->count == op->result_count && out->count <= op->operand_count;
    for (int64_t i = 0; fits && i < out->count; i++)
        fits = out->at[i] >= 0 && out->at[i] < op->operand_count;
    return expect_operands(module, op, fits);
}

static struct error *set_results(struct module *module, struct op *op, struct dims listed)
{
    for (int i = 0; i < op->result_count; i++) {
        struct dims sizes;
        const struct type *declared = op->results[i].type;
        TRY(expect_operands(module, op, declared->kind == TYPE_TENSOR));
        TRY(sizes_of(module, op, (int)listed.at[i], declared->shape.rank, &sizes));
        for (int64_t k = 0; k < sizes.count; k++)
            TRY(expect_operands(module, op, sizes.at[k] >= 0));
        op->results[i].type = type_with_sizes(module->arena, declared, sizes.at);
    }
    return NULL;
}

/* The same call without operands that are listed, and without k of an ApproxTopK. */
static struct error *drop_operands(struct module *module, struct op *op, struct dims listed)
{
    bool is_top_k = is_called(op, "stablehlo.dynamic_approx_top_k");
    struct layouts layouts = op->attrs.custom_call.operand_layouts;
    struct dims *left = ARENA_ARRAY(module->arena, struct dims, (size_t)op->operand_count);
    struct value **operands = ARENA_ARRAY(module->arena, struct value *, (size_t)op->operand_count);
    const struct type **types =
        ARENA_ARRAY(module->arena, const struct type *, (size_t)op->result_count);
    bool *dropped = ARENA_ARRAY(module->arena, bool, (size_t)op->operand_count);
    int count = 0;
    for (int64_t i = 0; i < listed.count; i++)
        dropped[listed.at[i]] = true;
    for (int i = 0; i < op->operand_count; i++) {
        if (dropped[i] || (is_top_k && i == 2 * op->result_count))
            continue;
        left[count] = i < layouts.count ? layouts.at[i] : (struct dims){0};
        operands[count++] = op->operands[i];
    }
    for (int i = 0; i < op->result_count; i++)
        types[i] = op->results[i].type;
    struct op *made = ir_op(module, OP_custom_call, count, operands, op->result_count, types, 0);
    made->attrs = op->attrs;
    made->discardable = op->discardable;
    if (layouts.count)
        made->attrs.custom_call.operand_layouts = (struct layouts){count, left};
    if (is_top_k)
        made->attrs.custom_call.call_target_name = (struct string){10, "ApproxTopK"};
    return replace(module, op, made);
}

static const struct {
    const char *target;
    struct error *(*replace)(struct module *module, struct op *op);
} rules[] = {
    {"shape_assertion", check_assertion},
    {"stablehlo.shape_refinement_operand_wrapper", unwrap},
    {"stablehlo.dynamic_reduce_window", make_reduce_window},
    {"stablehlo.dynamic_rng_bit_generator", make_random_bits},
    {"stablehlo.dynamic_top_k", make_top_k},
};

struct error *refine_calls_replace(struct module *module, struct op *op, bool *done)
{
    struct dims listed;
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        if (is_called(op, rules[i].target)) {
            *done = true;
            return rules[i].replace(module, op);
        }
    TRY(shape_operands(module, op, &listed));
    *done = listed.count > 0;
    if (!*done)
        return NULL;
    TRY(set_results(module, op, listed));
    return drop_operands(module, op, listed);
}
