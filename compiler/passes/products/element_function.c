/* element_function.c: see element_function.h. */
#include "compiler/passes/products/element_function.h"

#include <string.h>

#include "compiler/analysis/constants.h"
#include "compiler/passes/fold/fold_eval.h"
#include "compiler/schedule/look_up.h"

enum node_kind { ARGUMENT, CONSTANT, CHOICE, LOOK_UP, OPERATION };

struct element_node {
    enum node_kind kind;
    const struct value *value;
    struct operand_view view; /* of what has strides: arguments, constants, choices of an operand */
    int operands[ELEMENT_FUNCTION_WAYS];
};

static int bits_of(const struct value *value)
{
    return dtype_info(ir_dtype(value))->bits;
}

/* ---- reading the array ----------------------------------------------------------------------- */
/* Whether a value is the same in every execution. */
static bool is_constant(const struct value *value)
{
    return constants_literal(value) ||
           (value->def && value->def->code == OP_iota && dtype_is_integer(ir_dtype(value)));
}

/* Number of a new node; -1: there are too many. */
static int add(struct element_function *f, enum node_kind kind, const struct operand_view *view)
{
    if (f->count == ELEMENT_FUNCTION_NODES)
        return -1;
    struct element_node *node = &f->nodes[f->count];
    *node = (struct element_node){.kind = kind, .value = view->value, .view = *view};
    return f->count++;
}

static bool is_argument(const struct value *value)
{
    const int bits = bits_of(value);
    return dtype_is_integer(ir_dtype(value)) &&
           (bits == 4 || bits == 8 || bits == 16 || bits == 32);
}

static int read_argument(struct element_function *f, const struct operand_view *view)
{
    if (!is_argument(view->value) || (f->argument && f->argument != view->value))
        return -1;
    f->argument = (struct value *)(uintptr_t)view->value;
    return add(f, ARGUMENT, view);
}

static bool is_operation(const struct op *op)
{
    return op->result_count == 1 && op->region_count == 0 &&
           op->operand_count <= FOLD_EVAL_MAX_OPERANDS && op->code != OP_copy &&
           op_info(op->code)->traits & OP_ELEMENTWISE;
}

static int read(struct element_function *f, const struct operand_view *at);

static int read_operands(struct element_function *f, int node, const struct operand_view *views)
{
    const struct op *op = f->nodes[node].value->def;
    for (int i = 0; i < op->operand_count; i++) {
        const int operand = f->nodes[node].kind == LOOK_UP && i == 0 ? node : read(f, &views[i]);
        if (operand < 0)
            return -1;
        f->nodes[node].operands[i] = operand;
    }
    return node;
}

static int read_operation(struct element_function *f, const struct operand_view *view,
                          enum node_kind kind)
{
    const struct op *op = view->value->def;
    const int node = add(f, kind, view);
    struct operand_view views[FOLD_EVAL_MAX_OPERANDS];
    for (int i = 0; i < op->operand_count; i++) {
        views[i] = *view;
        views[i].value = op->operands[i];
        if (kind == OPERATION && !constants_is_splat(op->operands[i]) &&
            !shape_same_dims(&op->operands[i]->type->shape, &view->value->type->shape))
            return -1;
    }
    return node < 0 ? -1 : read_operands(f, node, views);
}

/* The operands of a concatenation are as many ways. */
static int read_choice(struct element_function *f, const struct operand_view *view)
{
    const struct op *op = view->value->def;
    struct operand_view parts, which;
    if (op->operand_count > ELEMENT_FUNCTION_WAYS || !operand_view_part(view, op, &parts, &which))
        return -1;
    const int node = add(f, CHOICE, &which);
    struct operand_view views[ELEMENT_FUNCTION_WAYS];
    for (int i = 0; i < op->operand_count; i++) {
        views[i] = parts;
        views[i].value = op->operands[i];
    }
    return node < 0 ? -1 : read_operands(f, node, views);
}

/* The number of a node for an array's value at a view. */
static int read(struct element_function *f, const struct operand_view *at)
{
    struct operand_view view = *at;
    while (!is_constant(view.value) && operand_view_step(&view))
        continue;
    const struct op *op = view.value->def;
    if (is_constant(view.value))
        return add(f, CONSTANT, &view);
    if (view.value == f->argument || !op)
        return read_argument(f, &view);
    if (is_operation(op))
        return read_operation(f, &view, OPERATION);
    if (op->code == OP_concatenate)
        return read_choice(f, &view);
    if (look_up_is(op))
        return read_operation(f, &view, LOOK_UP);
    return read_argument(f, &view);
}

/* ---- views ----------------------------------------------------------------------------------- */
static bool has_view(const struct element_node *node)
{
    return node->kind == ARGUMENT || node->kind == CHOICE ||
           (node->kind == CONSTANT && !constants_is_splat(node->value));
}

/* Has all views the same pieces. */
static bool align(struct element_function *f)
{
    for (int i = 0; i < f->count; i++)
        if (has_view(&f->nodes[i]))
            operand_view_finish(&f->nodes[i].view);
    for (int i = 0; i < 2 * f->count; i++)
        if (has_view(&f->nodes[i % f->count]) &&
            !operand_view_align(&f->view, &f->nodes[i % f->count].view))
            return false;
    return true;
}

/* Whether the argument has the same strides everywhere, and others have some only where it has
 * none. */
static bool agrees(const struct element_function *f, const struct element_node *node)
{
    for (int i = 0; i < f->view.count && has_view(node); i++) {
        const int64_t own = node->view.at[i].stride, argument = f->view.at[i].stride;
        if (node->kind == ARGUMENT ? own != argument : own && argument)
            return false;
    }
    return true;
}

static bool find_ways(struct element_function *f)
{
    int64_t ways = 1;
    for (int i = 0; i < f->view.count; i++)
        if (f->view.at[i].stride == 0) {
            ways *= f->view.at[i].size;
            if (ways > ELEMENT_FUNCTION_WAYS)
                return false;
        }
    f->ways = (int)ways;
    for (int i = 0; i < f->count; i++)
        if (!agrees(f, &f->nodes[i]))
            return false;
    return true;
}

struct element_function *element_function_of(struct arena *arena, struct value *array)
{
    struct element_function *f = ARENA_ARRAY(arena, struct element_function, 1);
    struct operand_view whole;
    *f = (struct element_function){.argument = NULL};
    f->nodes = ARENA_ARRAY(arena, struct element_node, ELEMENT_FUNCTION_NODES);
    if (!operand_view_begin(array, &whole) || read(f, &whole) < 0 || !f->argument)
        return NULL;
    for (int i = 0; i < f->count; i++)
        if (f->nodes[i].kind == ARGUMENT)
            f->view = f->nodes[i].view;
    operand_view_finish(&f->view);
    return align(f) && find_ways(f) ? f : NULL;
}

/* ---- evaluation ------------------------------------------------------------------------------ */
/* Which element of a constant, or operand, a way has. */
static int64_t index_of(const struct element_function *f, const struct element_node *node, int way)
{
    int64_t index = 0;
    for (int i = f->view.count - 1; i >= 0; i--)
        if (f->view.at[i].stride == 0) {
            index += way % f->view.at[i].size * node->view.at[i].stride;
            way /= (int)f->view.at[i].size;
        }
    return index;
}

/* Element `index` of an iota, in row-major order. */
static void evaluate_iota(const struct op *iota, int64_t index, void *out)
{
    int64_t strides[SHAPE_MAX_RANK];
    const struct shape *shape = &iota->results[0].type->shape;
    const int64_t dim = iota->attrs.iota.iota_dimension;
    type_strides(iota->results[0].type, strides);
    dtype_from_double(shape->dtype, (double)(index / strides[dim] % shape->dims[dim]), out);
}

static void evaluate_constant(const struct element_function *f, const struct element_node *node,
                              int way, void *out)
{
    const struct literal *literal = constants_literal(node->value);
    const int64_t index = literal && literal->splat ? 0 : index_of(f, node, way);
    if (literal)
        memcpy(out, literal_at(literal, index), (size_t)dtype_bytes(ir_dtype(node->value)));
    else
        evaluate_iota(node->value->def, index, out);
}

static bool evaluate(const struct element_function *f, int number, int way, uint32_t bits,
                     struct element_result *out);

/* Of a table that is an argument only moves and conversions are known. */
static bool evaluate_entry(const struct element_node *node, const struct element_result *from,
                           struct element_result *out)
{
    if (node->value->def->code != OP_convert || from->types >> (64 - 8))
        return false;
    *out = *from;
    out->types = from->types << 8 | (uint64_t)ir_dtype(node->value);
    return true;
}

static bool evaluate_operation(const struct element_function *f, const struct element_node *node,
                               int way, uint32_t bits, struct element_result *out)
{
    const struct op *op = node->value->def;
    struct element_result results[FOLD_EVAL_MAX_OPERANDS] = {{.table = NULL}};
    const void *operands[FOLD_EVAL_MAX_OPERANDS];
    bool is_entry = false;
    for (int i = 0; i < op->operand_count; i++) {
        if (!evaluate(f, node->operands[i], way, bits, &results[i]))
            return false;
        operands[i] = results[i].bytes;
        is_entry |= results[i].table != NULL;
    }
    if (op->code == OP_select && !results[0].table) {
        *out = results[results[0].bytes[0] ? 1 : 2];
        return true;
    }
    if (is_entry)
        return evaluate_entry(node, &results[0], out);
    return fold_eval_element(op, ir_dtype(op->operands[0]), operands, ir_dtype(node->value),
                             out->bytes);
}

/* Indices that are out of range are moved to the nearest that are in it, as those of all gathers.
 * */
static bool evaluate_look_up(const struct element_function *f, const struct element_node *node,
                             int way, uint32_t bits, struct element_result *out)
{
    struct element_result index;
    struct value *table = node->value->def->operands[0];
    const struct literal *literal = constants_literal(table);
    const int64_t last = type_elements(table->type) - 1;
    if (last < 0 || !evaluate(f, node->operands[1], way, bits, &index) || index.table)
        return false;
    int64_t entry = dtype_to_int64(ir_dtype(node->value->def->operands[1]), index.bytes);
    entry = entry < 0 ? 0 : entry > last ? last : entry;
    if (literal)
        memcpy(out->bytes, literal_at(literal, entry), (size_t)dtype_bytes(ir_dtype(table)));
    else
        out->table = table, out->entry = entry;
    return true;
}

/* An element of the argument as it is in memory. */
static void evaluate_argument(const struct element_node *node, uint32_t bits, void *out)
{
    const enum dtype dtype = ir_dtype(node->value);
    const uint32_t sign = UINT32_C(1) << (bits_of(node->value) - 1);
    if (dtype_info(dtype)->class == CLASS_SIGNED)
        bits = ((bits & (2 * sign - 1)) ^ sign) - sign;
    memcpy(out, &bits, (size_t)dtype_bytes(dtype));
}

static bool evaluate(const struct element_function *f, int number, int way, uint32_t bits,
                     struct element_result *out)
{
    const struct element_node *node = &f->nodes[number];
    *out = (struct element_result){.table = NULL};
    switch (node->kind) {
    case ARGUMENT: evaluate_argument(node, bits, out->bytes); return true;
    case CONSTANT: evaluate_constant(f, node, way, out->bytes); return true;
    case CHOICE: return evaluate(f, node->operands[index_of(f, node, way)], way, bits, out);
    case LOOK_UP: return evaluate_look_up(f, node, way, bits, out);
    default: return evaluate_operation(f, node, way, bits, out);
    }
}

bool element_function_evaluate(const struct element_function *function, int way, uint32_t bits,
                               struct element_result *out)
{
    return evaluate(function, 0, way, bits, out);
}

/* ---- dependences ----------------------------------------------------------------------------- */
struct origins { /* of each bit of a value: the argument's bits that it depends on */
    uint32_t of[ELEMENT_FUNCTION_BITS];
    int count;
};

static uint32_t all_of(const struct origins *bits)
{
    uint32_t all = 0;
    for (int i = 0; i < bits->count; i++)
        all |= bits->of[i];
    return all;
}

/* A value each of whose bits depends on a set. */
static struct origins uniform(const struct value *value, uint32_t set)
{
    struct origins bits = {.count = bits_of(value) < ELEMENT_FUNCTION_BITS ? bits_of(value)
                                                                           : ELEMENT_FUNCTION_BITS};
    for (int i = 0; i < bits.count; i++)
        bits.of[i] = set;
    return bits;
}

/* Whether a node is computed of constants alone. */
static bool is_of_constants(const struct element_function *f, int number)
{
    const struct element_node *node = &f->nodes[number];
    bool is_constant = node->kind == CONSTANT || node->kind == OPERATION;
    for (int i = 0; node->kind == OPERATION && i < node->value->def->operand_count; i++)
        is_constant = is_constant && is_of_constants(f, node->operands[i]);
    return is_constant;
}

/* An operand that is a constant in a way, as an integer. */
static bool constant_of(const struct element_function *f, int number, int way, uint64_t *out)
{
    struct element_result result;
    const struct element_node *node = &f->nodes[number];
    if (!is_of_constants(f, number) || !dtype_is_integer(ir_dtype(node->value)) ||
        !evaluate(f, number, way, 0, &result))
        return false;
    *out = (uint64_t)dtype_to_int64(ir_dtype(node->value), result.bytes);
    return true;
}

/* Shifts bits towards the high ones, or, by less than nothing, the low ones, where copies of the
 * sign may follow. */
static struct origins shifted(const struct origins *bits, int64_t by, bool is_arithmetic)
{
    struct origins out = {.count = bits->count};
    for (int i = 0; i < bits->count; i++) {
        const int64_t from = i - by;
        if (from >= 0 && from < bits->count)
            out.of[i] = bits->of[from];
        else if (from >= bits->count && is_arithmetic)
            out.of[i] = bits->of[bits->count - 1];
    }
    return out;
}

/* Bits where a constant mask does not decide the result: a bit of it that equals `open`. */
static struct origins masked(const struct origins *bits, uint64_t mask, bool open)
{
    struct origins out = *bits;
    for (int i = 0; i < bits->count; i++)
        if ((mask >> i & 1) != open)
            out.of[i] = 0;
    return out;
}

static struct origins converted(const struct origins *bits, const struct value *from,
                                const struct value *to)
{
    struct origins out = uniform(to, 0);
    const bool is_signed = dtype_info(ir_dtype(from))->class == CLASS_SIGNED;
    if (!dtype_is_integer(ir_dtype(from)) || !dtype_is_integer(ir_dtype(to)))
        return uniform(to, all_of(bits));
    for (int i = 0; i < out.count; i++)
        out.of[i] = i < bits->count ? bits->of[i] : is_signed ? bits->of[bits->count - 1] : 0;
    return out;
}

/* Operations with a constant that move bits, or drop some. */
static bool with_constant(const struct op *op, const struct origins *bits, uint64_t constant,
                          struct origins *out)
{
    const int64_t by = constant < ELEMENT_FUNCTION_BITS ? (int64_t)constant : ELEMENT_FUNCTION_BITS;
    const bool is_unsigned = dtype_info(ir_dtype(&op->results[0]))->class == CLASS_UNSIGNED,
               is_power = constant && !(constant & (constant - 1));
    switch (op->code) {
    case OP_and: *out = masked(bits, constant, true); return true;
    case OP_or: *out = masked(bits, constant, false); return true;
    case OP_xor: *out = *bits; return true;
    case OP_shift_left: *out = shifted(bits, by, false); return true;
    case OP_shift_right_logical: *out = shifted(bits, -by, false); return true;
    case OP_shift_right_arithmetic: *out = shifted(bits, -by, true); return true;
    case OP_divide:
        if (is_unsigned && is_power)
            *out = shifted(bits, -__builtin_ctzll(constant), false);
        return is_unsigned && is_power;
    case OP_remainder:
        if (is_unsigned && is_power)
            *out = masked(bits, constant - 1, true);
        return is_unsigned && is_power;
    default: return false;
    }
}

static struct origins origins_of(const struct element_function *f, int number, int way)
{
    const struct element_node *node = &f->nodes[number];
    const struct op *op = node->value->def;
    struct origins bits = uniform(node->value, 0), out;
    if (node->kind == CONSTANT)
        return bits;
    if (node->kind == CHOICE)
        return origins_of(f, node->operands[index_of(f, node, way)], way);
    for (int i = 0; i < bits.count && node->kind == ARGUMENT; i++)
        bits.of[i] = UINT32_C(1) << i;
    if (node->kind == ARGUMENT)
        return bits;
    uint64_t constant;
    uint32_t all = 0;
    for (int i = node->kind == LOOK_UP; i < op->operand_count; i++) {
        bits = origins_of(f, node->operands[i], way);
        all |= all_of(&bits);
        if (node->kind == OPERATION && op->operand_count == 2 &&
            constant_of(f, node->operands[1 - i], way, &constant) &&
            (i == 0 || op_info(op->code)->traits & OP_COMMUTATIVE) &&
            with_constant(op, &bits, constant, &out))
            return out;
    }
    return op->code == OP_convert ? converted(&bits, op->operands[0], node->value)
                                  : uniform(node->value, all);
}

uint32_t element_function_bits(const struct element_function *function, int way)
{
    const struct origins bits = origins_of(function, 0, way);
    return all_of(&bits);
}
