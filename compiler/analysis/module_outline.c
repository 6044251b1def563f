#include "compiler/analysis/module_outline.h"

#include <stdio.h>
#include <string.h>

#include "base/map.h"
#include "base/text.h"
#include "compiler/ir/ir.h"
#include "compiler/ir/literal.h"

static uint64_t add_number(uint64_t hash, int64_t number)
{
    return map_hash(&number, sizeof number, hash);
}

/* Sizes follow from the types of arguments, which a report compares by themselves. */
static uint64_t add_type(uint64_t hash, const struct type *type)
{
    return add_number(add_number(hash, type->shape.dtype), type->shape.rank);
}

#define AT(type, at) (*(const type *)(at))

/* Attributes of other kinds (functions, shardings, layouts, enumerations) rarely are all that
 * differs. */
static uint64_t add_field(uint64_t hash, enum attr_kind kind, const void *at)
{
    switch (kind) {
    case ATTR_INT: return add_number(hash, AT(int64_t, at));
    case ATTR_BOOL: return add_number(hash, AT(bool, at));
    case ATTR_REAL: return map_hash(at, sizeof(double), hash);
    case ATTR_DIMS:
    case ATTR_BOOLS: return add_number(hash, AT(struct dims, at).count);
    case ATTR_STRING: return map_hash(AT(struct string, at).data, AT(struct string, at).size, hash);
    case ATTR_COMPARISON: return add_number(hash, AT(enum comparison, at));
    default: return hash;
    }
}

static uint64_t literal_hash(const struct literal *literal)
{
    const struct shape *shape = &literal->type->shape;
    size_t size = literal->splat ? dtype_bytes(shape->dtype) : type_bytes(literal->type);
    uint64_t hash = map_hash(shape->dims, (size_t)shape->rank * sizeof *shape->dims, shape->dtype);
    return map_hash(literal->bytes, size, hash);
}

static void print_value(const struct literal *literal, char out[OUTLINE_VALUE])
{
    struct text text = {0};
    if (!literal->splat && type_bytes(literal->type) > OUTLINE_VALUE) {
        snprintf(out, OUTLINE_VALUE, "an array of %zu bytes", (size_t)type_bytes(literal->type));
        return;
    }
    literal_print(literal, &text);
    snprintf(out, OUTLINE_VALUE, "%.*s", (int)text.size, text.data ? text.data : "");
    text_free(&text);
}

static void print_place(const struct location *location, char out[OUTLINE_PLACE])
{
    const char *file = location ? location->file : NULL;
    const char *slash = file ? strrchr(file, '/') : NULL;
    *out = 0;
    if (file)
        snprintf(out, OUTLINE_PLACE, "%s:%d", slash ? slash + 1 : file, location->line);
}

static void add_constant(struct module_outline *outline, const struct op *op)
{
    const struct literal *literal = op->attrs.constant.value;
    uint64_t hash = literal_hash(literal);
    outline->constants = add_number(outline->constants, (int64_t)hash);
    if (outline->count == OUTLINE_CONSTANTS)
        return;
    struct outline_constant *to = &outline->first[outline->count++];
    to->hash = hash;
    print_value(literal, to->value);
    print_place(op->location, to->place);
}

static void add_block(struct module_outline *outline, const struct block *block);

static void add_op(struct module_outline *outline, const struct op *op)
{
    const struct op_info *info = op_info(op->code);
    uint64_t hash = add_number(outline->operations, op->code);
    hash = add_number(hash, op->operand_count);
    for (int i = 0; i < op->result_count; i++)
        hash = add_type(hash, op->results[i].type);
    for (int i = 0; i < info->field_count; i++)
        hash = add_field(hash, info->fields[i].kind,
                         (const char *)&op->attrs + info->fields[i].offset);
    outline->operations = hash;
    if (op->code == OP_constant)
        add_constant(outline, op);
    for (int i = 0; i < op->region_count; i++)
        add_block(outline, op->regions[i]);
}

static void add_block(struct module_outline *outline, const struct block *block)
{
    for (const struct op *op = block->first; op; op = op->next)
        add_op(outline, op);
}

void module_outline(const struct module *module, struct module_outline *out)
{
    *out = (struct module_outline){0};
    for (const struct func *func = module->first; func; func = func->next)
        if (func->body)
            add_block(out, func->body);
}

int module_outline_changed(const struct module_outline *a, const struct module_outline *b)
{
    for (int i = 0; i < a->count && i < b->count; i++)
        if (a->first[i].hash != b->first[i].hash)
            return i;
    return -1;
}
