/* packed_numbers.c: see packed_numbers.h. */
#include "compiler/passes/products/packed_numbers.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/passes/products/element_function.h"
#include "compiler/passes/rewrite/rewrite.h"
#include "compiler/schedule/look_up.h"

enum { NARROW = CHAR_BIT / 2, WIDE = CHAR_BIT, NUMBERS = UINT8_MAX + 1 };

/* What all ways have in common, and in which they differ. */
struct packed {
    const struct element_function *function;
    int width; /* bits of the argument that a number has */
    int shift[ELEMENT_FUNCTION_WAYS];
    struct element_result numbers[NUMBERS]; /* for these bits */
};

static int bits_of(const struct value *value)
{
    return dtype_info(ir_dtype(value))->bits;
}

/* ---- which bits ------------------------------------------------------------------------------ */
static bool are_equal(const struct element_result *a, const struct element_result *b)
{
    return a->table == b->table && a->entry == b->entry && a->types == b->types &&
           !memcmp(a->bytes, b->bytes, sizeof a->bytes);
}

/* Evaluates a way for numbers at a shift, with certain bits around them. */
static bool evaluate(const struct packed *p, int way, int shift, uint32_t around,
                     struct element_result *out)
{
    for (uint32_t i = 0; i < 1U << p->width; i++)
        if (!element_function_evaluate(p->function, way, around | i << shift, &out[i]))
            return false;
    return true;
}

/* Whether a way of a byte depends on bits at a shift alone; there, all bytes are evaluated. */
static bool is_of_byte_at(const struct packed *p, int way, int shift)
{
    struct element_result first[NUMBERS], next[NUMBERS];
    const int others = WIDE - p->width;
    if (!evaluate(p, way, shift, 0, first))
        return false;
    for (uint32_t around = 1; around < 1U << others; around++) {
        if (!evaluate(p, way, shift, around << (shift ? 0 : p->width), next))
            return false;
        for (int i = 0; i < 1 << p->width; i++)
            if (!are_equal(&first[i], &next[i]))
                return false;
    }
    return true;
}

/* The shift of the numbers that a way depends on; -1: there is none. */
static int shift_of(const struct packed *p, int way)
{
    const int bits = bits_of(p->function->argument);
    if (bits == p->width)
        return 0;
    if (bits == WIDE)
        return is_of_byte_at(p, way, 0) ? 0 : is_of_byte_at(p, way, NARROW) ? NARROW : -1;
    const uint32_t used = element_function_bits(p->function, way);
    const int shift = used ? __builtin_ctz(used) / p->width * p->width : 0;
    return (uint64_t)used >> shift >> p->width ? -1 : shift;
}

static bool find_numbers(struct packed *p)
{
    struct element_result numbers[NUMBERS];
    const int bits = bits_of(p->function->argument), ways = p->function->ways;
    p->width = bits / ways;
    if ((p->width != NARROW && p->width != WIDE) || bits % ways)
        return false;
    for (int way = 0; way < ways; way++) {
        p->shift[way] = shift_of(p, way);
        if (p->shift[way] < 0 || !evaluate(p, way, p->shift[way], 0, way ? numbers : p->numbers))
            return false;
        for (int i = 0; way && i < 1 << p->width; i++)
            if (!are_equal(&numbers[i], &p->numbers[i]))
                return false;
    }
    return true;
}

/* ---- where they are -------------------------------------------------------------------------- */
/* For each bit of the index of a way, from the low one on, the distance of fields, a power of two,
 * perhaps less than nothing; false: shifts are no such sums, or fields are used twice. */
static bool find_steps(const struct packed *p, int *steps)
{
    const int ways = p->function->ways;
    unsigned seen = 0;
    if (ways & (ways - 1))
        return false;
    for (int bit = 0; 1 << bit < ways; bit++)
        steps[bit] = (p->shift[1 << bit] - p->shift[0]) / p->width;
    for (int way = 0; way < ways; way++) {
        int field = p->shift[0] / p->width;
        for (int bit = 0; 1 << bit < ways; bit++)
            field += way >> bit & 1 ? steps[bit] : 0;
        if (field * p->width != p->shift[way] || field >= ways)
            return false;
        seen |= 1U << field;
    }
    for (int bit = 0; 1 << bit < ways; bit++)
        if (steps[bit] == 0 || (abs(steps[bit]) & (abs(steps[bit]) - 1)))
            return false;
    return seen + 1 == 1U << ways;
}

/* The pieces of the argument, outermost in its memory first; false: they are not all of it. */
static bool sort_pieces(const struct operand_view *view, const struct value *argument, int *order,
                        int *count)
{
    int64_t size = 1;
    *count = 0;
    for (int i = 0; i < view->count; i++) {
        if (view->at[i].stride == 0)
            continue;
        int at = (*count)++;
        for (; at > 0 && view->at[order[at - 1]].stride < view->at[i].stride; at--)
            order[at] = order[at - 1];
        order[at] = i;
    }
    for (int at = *count - 1; at >= 0; at--) {
        if (view->at[order[at]].stride != size)
            return false;
        size *= view->at[order[at]].size;
    }
    return size == type_elements(argument->type);
}

/* ---- building -------------------------------------------------------------------------------- */
struct layout {
    int order[OPERAND_VIEW_PIECES], pieces; /* of the argument */
    int steps[ELEMENT_FUNCTION_WAYS], bits; /* of the index of a way */
};

/* The fields of the argument: dimensions of its pieces, and of each bit of a field's number. */
static struct value *split(struct builder *b, const struct packed *p, const struct layout *at,
                           enum dtype dtype)
{
    int64_t dims[SHAPE_MAX_RANK];
    for (int i = 0; i < at->pieces; i++)
        dims[i] = p->function->view.at[at->order[i]].size;
    struct value *value = build_reshape(b, p->function->argument, at->pieces, dims);
    dims[at->pieces] = p->function->ways;
    const struct type *type =
        type_tensor(b->module->arena, dtype, at->pieces + (at->bits > 0), dims);
    value = build_declared(b, OP_bitcast_convert, 1, &value, type, NULL);
    for (int bit = 0; bit < at->bits; bit++)
        dims[at->pieces + bit] = 2;
    return build_reshape(b, value, at->pieces + at->bits, dims);
}

/* The dimension of split() that belongs to a bit of the index of a way. */
static int dimension_of(const struct layout *at, int bit)
{
    return at->pieces + at->bits - 1 - __builtin_ctz((unsigned)abs(at->steps[bit]));
}

static struct value *reverse(struct builder *b, const struct layout *at, struct value *value)
{
    int64_t dims[ELEMENT_FUNCTION_WAYS] = {0};
    int count = 0;
    for (int bit = 0; bit < at->bits; bit++)
        if (at->steps[bit] < 0)
            dims[count++] = dimension_of(at, bit);
    const union attrs attrs = {.dimensions.dimensions = rewrite_dims(b->module, dims, count)};
    return count ? build_declared(b, OP_reverse, 1, &value, NULL, &attrs) : value;
}

/* Moves dimensions to the order of the array's pieces. */
static struct value *transpose(struct builder *b, const struct packed *p, const struct layout *at,
                               struct value *value)
{
    const struct operand_view *view = &p->function->view;
    int64_t order[SHAPE_MAX_RANK];
    int count = 0, bit = at->bits;
    for (int i = 0; i < view->count; i++) {
        for (int place = 0; place < at->pieces && view->at[i].stride; place++)
            if (at->order[place] == i)
                order[count++] = place;
        for (int64_t size = view->at[i].size; size > 1 && !view->at[i].stride; size /= 2)
            order[count++] = dimension_of(at, --bit);
    }
    return build_transpose(b, value, order);
}

/* The fields in the array's shape. */
static struct value *fields_of(struct builder *b, const struct packed *p, const struct layout *at,
                               enum dtype dtype, const struct type *type)
{
    struct value *value = reverse(b, at, split(b, p, at, dtype));
    return build_reshape(b, transpose(b, p, at, value), type->shape.rank, type->shape.dims);
}

/* ---- their function -------------------------------------------------------------------------- */
/* The type of integers that numbers are, but for one that is added to them. */
static enum dtype type_of(const struct packed *p, enum dtype dtype)
{
    const int half = 1 << (p->width - 1);
    const double first = dtype_to_double(dtype, p->numbers[0].bytes);
    bool is_unsigned = true, is_signed = true;
    for (int i = 0; i < 1 << p->width; i++) {
        const double number = dtype_to_double(dtype, p->numbers[i].bytes) - first;
        is_unsigned &= number == i && !p->numbers[i].table;
        is_signed &= number == (i ^ half) - half && !p->numbers[i].table;
    }
    if (p->width == NARROW)
        return is_unsigned ? DTYPE_U4 : is_signed ? DTYPE_S4 : DTYPE_INVALID;
    return is_unsigned ? DTYPE_U8 : is_signed ? DTYPE_S8 : DTYPE_INVALID;
}

static struct value *constant_table(struct builder *b, const struct packed *p, enum dtype dtype)
{
    const int64_t count = INT64_C(1) << p->width, bytes = dtype_bytes(dtype);
    char *numbers = ARENA_ARRAY(b->module->arena, char, (size_t)(count * bytes));
    for (int64_t i = 0; i < count; i++) {
        if (p->numbers[i].table)
            return NULL;
        memcpy(numbers + i * bytes, p->numbers[i].bytes, (size_t)bytes);
    }
    const struct type *type = type_tensor(b->module->arena, dtype, 1, &count);
    return build_constant(b, literal_dense(b->module->arena, type, numbers));
}

/* The entries of a table that is an argument, and what they are converted to. */
static struct value *argument_table(struct builder *b, const struct packed *p)
{
    const int64_t count = INT64_C(1) << p->width;
    const struct element_result *first = &p->numbers[0];
    int32_t *entries = ARENA_ARRAY(b->module->arena, int32_t, (size_t)count);
    for (int64_t i = 0; i < count; i++) {
        if (p->numbers[i].table != first->table || p->numbers[i].types != first->types)
            return NULL;
        entries[i] = (int32_t)p->numbers[i].entry;
    }
    const struct type *type = type_tensor(b->module->arena, DTYPE_S32, 1, &count);
    struct value *indices = build_constant(b, literal_dense(b->module->arena, type, entries)),
                 *table = look_up_build(b, first->table, indices);
    for (int shift = 64 - WIDE; shift >= 0; shift -= WIDE)
        if (first->types >> shift & UINT8_MAX)
            table = build_convert(b, table, (enum dtype)(first->types >> shift & UINT8_MAX));
    return table;
}

/* Whether a type has integers, and their difference from a number, exactly. */
static bool has_integers(const struct packed *p, enum dtype from, enum dtype to)
{
    const double first = dtype_to_double(to, p->numbers[0].bytes);
    const int bits = dtype_info(to)->bits;
    if (dtype_is_float(to))
        return bits >= 2 * WIDE;
    if (first != 0)
        return dtype_info(to)->class == CLASS_SIGNED && bits > p->width;
    return from == to || bits > p->width;
}

static struct value *integers(struct builder *b, const struct packed *p, const struct layout *at,
                              enum dtype dtype, const struct type *type)
{
    const enum dtype to = type->shape.dtype;
    const double first = dtype_to_double(to, p->numbers[0].bytes);
    struct value *value = build_convert(b, fields_of(b, p, at, dtype, type), to);
    return first == 0 ? value : build_binary(b, OP_subtract, value, build_splat(b, type, -first));
}

static struct value *entries(struct builder *b, const struct packed *p, const struct layout *at,
                             const struct type *type)
{
    struct value *table =
        p->numbers[0].table ? argument_table(b, p) : constant_table(b, p, type->shape.dtype);
    if (!table)
        return NULL;
    struct value *fields = fields_of(b, p, at, p->width == NARROW ? DTYPE_U4 : DTYPE_U8, type);
    return look_up_build(b, table, build_convert(b, fields, DTYPE_S32));
}

struct value *packed_numbers_build(struct module *module, struct value *array)
{
    struct packed p = {.function = array->def ? element_function_of(module->arena, array) : NULL};
    struct layout at = {.bits = 0};
    if (!p.function || p.function->argument == array || !find_numbers(&p) ||
        !find_steps(&p, at.steps) ||
        !sort_pieces(&p.function->view, p.function->argument, at.order, &at.pieces))
        return NULL;
    at.bits = __builtin_ctz((unsigned)p.function->ways);
    struct builder b = rewrite_before(module, array->def);
    const enum dtype to = ir_dtype(array), dtype = type_of(&p, to);
    if (dtype && has_integers(&p, dtype, to))
        return integers(&b, &p, &at, dtype, array->type);
    return dtype_is_float(to) ? entries(&b, &p, &at, array->type) : NULL;
}
