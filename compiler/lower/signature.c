/* signature.c: see signature.h. */
#include "compiler/lower/signature.h"

#include <string.h>

#include "base/vec.h"

struct writer {
    struct arena *arena;
    VEC(unsigned char) bytes;
    struct map *numbers;      /* value -> number + 1 */
    const struct map *fields; /* signature_without(); may be NULL */
};

static void write_bytes(struct writer *w, const void *bytes, size_t size)
{
    const unsigned char *from = bytes;
    for (size_t i = 0; i < size; i++)
        VEC_PUSH(w->arena, &w->bytes, from[i]);
}

static void write_int(struct writer *w, int64_t value)
{
    if (value >= 0 && value < 255) {
        VEC_PUSH(w->arena, &w->bytes, (unsigned char)value);
        return;
    }
    VEC_PUSH(w->arena, &w->bytes, 255);
    write_bytes(w, &value, sizeof value);
}

static void write_ints(struct writer *w, int64_t count, const int64_t *at)
{
    write_int(w, count);
    for (int64_t i = 0; i < count; i++)
        write_int(w, at[i]);
}

static void write_type(struct writer *w, const struct type *type)
{
    write_int(w, type->kind);
    write_int(w, type->shape.dtype);
    write_ints(w, type->shape.rank, type->shape.dims);
    write_ints(w, type->shape.minor_to_major ? type->shape.rank : 0, type->shape.minor_to_major);
    if (type->quantization)
        write_bytes(w, &type->quantization, sizeof type->quantization);
}

static void write_literal(struct writer *w, const struct literal *literal)
{
    write_type(w, literal->type);
    write_int(w, literal->splat);
    write_bytes(w, literal->bytes,
                (size_t)(literal->splat ? dtype_bytes(literal->type->shape.dtype)
                                        : type_bytes(literal->type)));
}

static void write_field(struct writer *w, enum attr_kind kind, const void *field)
{
    switch (kind) {
    case ATTR_INT: write_int(w, *(const int64_t *)field); break;
    case ATTR_BOOL: write_int(w, *(const bool *)field); break;
    case ATTR_REAL: write_bytes(w, field, sizeof(double)); break;
    case ATTR_DIMS:
    case ATTR_BOOLS: {
        const struct dims *dims = field;
        write_ints(w, dims->count, dims->at);
        break;
    }
    case ATTR_PAIRS: {
        const struct pairs *pairs = field;
        write_ints(w, pairs->rows * pairs->columns, pairs->at);
        break;
    }
    case ATTR_STRING: {
        const struct string *string = field;
        write_int(w, (int64_t)string->size);
        write_bytes(w, string->data, string->size);
        break;
    }
    case ATTR_LITERAL: write_literal(w, *(const struct literal *const *)field); break;
    case ATTR_PRECISIONS: {
        const struct precisions *precisions = field;
        write_int(w, precisions->lhs);
        write_int(w, precisions->rhs);
        break;
    }
    case ATTR_TYPE:
    case ATTR_COMPARISON:
    case ATTR_COMPARE_TYPE:
    case ATTR_FFT_TYPE:
    case ATTR_TRANSPOSE:
    case ATTR_RNG_ALGORITHM:
    case ATTR_RNG_DISTRIBUTION:
    case ATTR_FUSION_KIND: write_int(w, *(const int *)field); break;
    case ATTR_FUNC:
    case ATTR_FUNCS:
    case ATTR_DICT:
    case ATTR_LAYOUTS:
    case ATTR_SHARDING:
    case ATTR_RULE:
        write_bytes(w, &field, sizeof field); /* never equal; no kernel has them */
        break;
    }
}

static void number(struct writer *w, const struct value *value)
{
    map_put_pointer(w->numbers, value, (void *)(map_count(w->numbers) + 1));
}

/* The dimensions of a slice whose bit is not set. */
static void write_slice(struct writer *w, const struct attrs_slice *slice, uintptr_t without)
{
    for (int64_t i = 0; i < slice->start_indices.count; i++)
        if (!(without >> i & 1))
            write_int(w, slice->start_indices.at[i]);
    write_ints(w, slice->strides.count, slice->strides.at);
}

static uintptr_t left_out(const struct writer *w, const struct op *op)
{
    return w->fields && op ? (uintptr_t)map_get_pointer(w->fields, op) : 0;
}

static void write_attributes(struct writer *w, const struct op *op)
{
    const struct op_info *info = op_info(op->code);
    uintptr_t without = left_out(w, op);
    write_int(w, (int64_t)without);
    if (without)
        write_slice(w, &op->attrs.slice, without);
    for (int i = 0; i < info->field_count && !without; i++)
        write_field(w, info->fields[i].kind, (const char *)&op->attrs + info->fields[i].offset);
}

static void write_operand(struct writer *w, const struct value *value)
{
    if (left_out(w, value->def) && value->def->code == OP_constant) {
        write_int(w, 0);
    } else {
        if (!map_get_pointer(w->numbers, value))
            number(w, value);
        write_int(w, (int64_t)(intptr_t)map_get_pointer(w->numbers, value));
    }
    write_type(w, value->type);
}

static void write_op(struct writer *w, const struct op *op)
{
    if (left_out(w, op) && op->code == OP_constant)
        return;
    write_int(w, op->code);
    write_int(w, op->operand_count);
    for (int i = 0; i < op->operand_count; i++)
        write_operand(w, op->operands[i]);
    write_int(w, op->result_count);
    for (int i = 0; i < op->result_count; i++) {
        number(w, &op->results[i]);
        write_type(w, op->results[i].type);
    }
    write_attributes(w, op);
    write_int(w, op->region_count);
    for (int r = 0; r < op->region_count; r++) {
        const struct block *region = op->regions[r];
        write_int(w, region->argument_count);
        for (int i = 0; i < region->argument_count; i++)
            number(w, &region->arguments[i]);
        for (const struct op *inner = region->first; inner; inner = inner->next)
            write_op(w, inner);
        write_int(w, 0); /* OP_INVALID_CODE ends a region */
    }
}

void signature_without(struct arena *arena, const struct op *op, const struct map *fields,
                       const void **bytes, size_t *size)
{
    struct writer w = {.arena = arena, .numbers = map_create(arena), .fields = fields};
    write_op(&w, op);
    *bytes = w.bytes.items;
    *size = w.bytes.count;
}

void signature_of_op(struct arena *arena, const struct op *op, const void **bytes, size_t *size)
{
    signature_without(arena, op, NULL, bytes, size);
}
