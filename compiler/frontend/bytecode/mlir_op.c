#include "compiler/frontend/bytecode/mlir_op.h"

#include <string.h>

#include "base/vec.h"
#include "compiler/frontend/bytecode/mlir_location.h"

enum op_mask {
    HAS_ATTRIBUTES = 0x01,
    HAS_RESULTS = 0x02,
    HAS_OPERANDS = 0x04,
    HAS_SUCCESSORS = 0x08,
    HAS_REGIONS = 0x10,
    HAS_USE_ORDERS = 0x20,
    HAS_PROPERTIES = 0x40
};

struct reader {
    struct mlir_file *file;
    VEC(struct mlir_value *) slots; /* by value number, from `base` on */
    size_t base;                    /* the first slot of the innermost isolated scope */
    size_t budget; /* values, operands and regions that may follow: at most one per byte */
    int depth;
};

struct scope { /* the region being read */
    struct mlir_value *values;
    size_t count, defined;
};

static struct error *read_region(struct reader *r, struct bytes *in, struct mlir_region *out);

static struct error *failed(const struct bytes *in)
{
    return bytes_error(in, "MLIR bytecode IR");
}

/* Checks a count before it sizes an allocation. */
static struct error *reserve(struct reader *r, struct bytes *in, size_t count)
{
    if (!in->failure && (count > r->budget || count > INT32_MAX))
        bytes_fail(in, "a count exceeds the bytes that are left");
    TRY(failed(in));
    r->budget -= count;
    return NULL;
}

/* Allots the next `count` values of the region to results or arguments. */
static struct error *define(struct bytes *in, struct scope *scope, size_t count,
                            struct mlir_value **out)
{
    if (!in->failure && count > scope->count - scope->defined)
        bytes_fail(in, "a region defines more values than it declares");
    TRY(failed(in));
    *out = scope->values;
    if (count == 0)
        return NULL;
    *out += scope->defined;
    for (size_t i = 0; i < count; i++)
        (*out)[i].defined = true;
    scope->defined += count;
    return NULL;
}

/* Use orders only affect the order of MLIR's use lists. */
static void skip_use_orders(struct bytes *in, size_t value_count)
{
    size_t entries = value_count > 1 ? bytes_count(in) : 1;
    for (size_t i = 0; i < entries && !in->failure; i++) {
        if (value_count > 1)
            bytes_index(in, value_count);
        uint64_t head = bytes_varint(in);
        if (head >> 1 > bytes_left(in))
            bytes_fail(in, "a count exceeds the bytes that are left");
        for (uint64_t n = head >> 1; n > 0 && !in->failure; n--)
            bytes_varint(in);
    }
}

static struct error *read_results(struct reader *r, struct bytes *in, struct scope *scope,
                                  struct mlir_op *op)
{
    op->result_count = bytes_count(in);
    TRY(define(in, scope, op->result_count, &op->results));
    for (size_t i = 0; i < op->result_count; i++)
        op->results[i].type = bytes_index(in, r->file->type_count);
    return failed(in);
}

static struct error *read_operands(struct reader *r, struct bytes *in, struct mlir_op *op)
{
    op->operand_count = bytes_count(in);
    TRY(reserve(r, in, op->operand_count));
    op->operands = ARENA_ARRAY(r->file->arena, struct mlir_value *, op->operand_count);
    for (size_t i = 0; i < op->operand_count; i++) {
        size_t number = bytes_index(in, r->slots.count - r->base);
        TRY(failed(in));
        op->operands[i] = r->slots.items[r->base + number];
    }
    return NULL;
}

/* Isolated regions number their values from 0 and, since version 2, are in a nested section. */
static struct error *read_regions(struct reader *r, struct bytes *in, struct mlir_op *op)
{
    uint64_t head = bytes_varint(in);
    bool isolated = head & 1;
    size_t base = r->base;
    struct bytes nested = *in, *from = in;
    if (isolated && r->file->version >= 2) {
        unsigned id;
        TRY(failed(in));
        TRY(mlir_file_section(in, &id, &nested));
        if (id != 4)
            return ERROR(INVALID_ARGUMENT,
                         "MLIR bytecode IR: section %u at byte %zu; expected a nested IR section",
                         id, nested.at);
        from = &nested;
    }
    TRY(reserve(r, in, (size_t)(head >> 1)));
    op->region_count = (size_t)(head >> 1);
    op->regions = ARENA_ARRAY(r->file->arena, struct mlir_region, op->region_count);
    if (isolated)
        r->base = r->slots.count;
    for (size_t i = 0; i < op->region_count; i++)
        TRY(read_region(r, from, &op->regions[i]));
    r->base = base;
    return from == in ? NULL : bytes_finish(from, "MLIR bytecode IR");
}

static struct error *read_op(struct reader *r, struct bytes *in, struct scope *scope,
                             struct mlir_op **out)
{
    struct mlir_file *file = r->file;
    struct mlir_op *op = ARENA_NEW(file->arena, struct mlir_op);
    op->offset = in->at;
    size_t name = bytes_index(in, file->op_name_count);
    uint8_t mask = bytes_u8(in);
    op->location = bytes_index(in, file->attr_count);
    op->has_attributes = mask & HAS_ATTRIBUTES;
    op->has_properties = mask & HAS_PROPERTIES;
    if (op->has_attributes)
        op->attributes = bytes_index(in, file->attr_count);
    if (op->has_properties)
        op->properties = bytes_index(in, file->property_count);
    TRY(failed(in));
    op->name = &file->op_names[name];
    if (mask & HAS_RESULTS)
        TRY(read_results(r, in, scope, op));
    if (mask & HAS_OPERANDS)
        TRY(read_operands(r, in, op));
    if (mask & HAS_SUCCESSORS && bytes_count(in) > 0)
        return ERROR(UNIMPLEMENTED,
                     "MLIR bytecode: the operation at byte %zu has successor blocks, which are "
                     "unsupported",
                     op->offset);
    if (mask & HAS_USE_ORDERS)
        skip_use_orders(in, op->result_count);
    if (mask & HAS_REGIONS)
        TRY(read_regions(r, in, op));
    *out = op;
    return failed(in);
}

static struct error *read_arguments(struct reader *r, struct bytes *in, struct scope *scope,
                                    struct mlir_region *out)
{
    out->argument_count = bytes_count(in);
    TRY(define(in, scope, out->argument_count, &out->arguments));
    for (size_t i = 0; i < out->argument_count && !in->failure; i++) {
        uint64_t head = bytes_varint(in);
        uint64_t type = r->file->version >= 4 ? head >> 1 : head;
        if (r->file->version < 4 || head & 1)
            bytes_index(in, r->file->attr_count); /* its location */
        if (!in->failure && type >= r->file->type_count)
            bytes_fail(in, "an index into the type table is out of range");
        out->arguments[i].type = (size_t)type;
    }
    if (r->file->version >= 3 && bytes_u8(in) != 0) /* known writers use 0x20 */
        skip_use_orders(in, out->argument_count);
    return failed(in);
}

static struct error *read_block(struct reader *r, struct bytes *in, struct scope *scope,
                                struct mlir_region *out)
{
    uint64_t head = bytes_varint(in);
    if (head & 1)
        TRY(read_arguments(r, in, scope, out));
    struct mlir_op **tail = &out->first;
    for (uint64_t n = head >> 1; n > 0; n--) {
        TRY(read_op(r, in, scope, tail));
        tail = &(*tail)->next;
    }
    return failed(in);
}

/* The region's slots follow those of the enclosing regions and are removed at its end. */
static struct error *read_region(struct reader *r, struct bytes *in, struct mlir_region *out)
{
    uint64_t blocks = bytes_varint(in);
    if (in->failure || blocks == 0)
        return failed(in);
    if (blocks > 1)
        return ERROR(UNIMPLEMENTED,
                     "MLIR bytecode: a region has %llu blocks at byte %zu; only one is supported",
                     (unsigned long long)blocks, in->at);
    if (++r->depth > MLIR_MAX_REGION_DEPTH)
        return ERROR(INVALID_ARGUMENT,
                     "MLIR bytecode: regions are nested deeper than %d at byte %zu",
                     MLIR_MAX_REGION_DEPTH, in->at);
    struct scope scope = {.count = bytes_count(in)};
    TRY(reserve(r, in, scope.count));
    scope.values = ARENA_ARRAY(r->file->arena, struct mlir_value, scope.count);
    size_t outer = r->slots.count;
    for (size_t i = 0; i < scope.count; i++)
        VEC_PUSH(r->file->arena, &r->slots, &scope.values[i]);
    TRY(read_block(r, in, &scope, out));
    if (scope.defined != scope.count)
        return ERROR(
            INVALID_ARGUMENT,
            "MLIR bytecode: a region that ends at byte %zu defines %zu values but declares "
            "%zu",
            in->at, scope.defined, scope.count);
    r->slots.count = outer;
    r->depth--;
    return NULL;
}

bool mlir_op_is(const struct mlir_op *op, const char *dialect, const char *name)
{
    return op->name->dialect && strcmp(op->name->dialect->name, dialect) == 0 &&
           strcmp(op->name->name.data, name) == 0;
}

struct error *mlir_op_read(struct mlir_file *file, struct mlir_op **out)
{
    struct reader reader = {.file = file, .budget = bytes_left(&file->ir)};
    struct bytes in = file->ir;
    struct scope none = {0};
    struct mlir_region top = {0};
    TRY(read_block(&reader, &in, &none, &top));
    TRY(bytes_finish(&in, "MLIR bytecode IR"));
    struct mlir_op *op = top.first;
    if (!op || op->next || !mlir_op_is(op, "builtin", "module"))
        return ERROR(INVALID_ARGUMENT,
                     "MLIR bytecode: the top-level operation must be builtin.module");
    *out = op;
    return NULL;
}

const struct location *mlir_op_location(struct mlir_file *file, const struct mlir_op *op)
{
    return op->origin ? op->origin : mlir_location_get(file, op->location);
}

const char *mlir_op_where(struct mlir_file *file, const struct mlir_op *op)
{
    const struct location *location = mlir_op_location(file, op);
    const char *dialect = op->name->dialect_name.data, *name = op->name->name.data;
    if (!location)
        return arena_format(file->arena, "%s.%s at byte %zu", dialect, name, op->offset);
    if (!location->file)
        return arena_format(file->arena, "%s.%s at %s", dialect, name, location->name);
    return arena_format(file->arena, "%s.%s at %s (%s:%d:%d)", dialect, name,
                        location->name ? location->name : "?", location->file, location->line,
                        location->column);
}

struct error *mlir_op_with_location(struct mlir_file *file, const struct mlir_op *op,
                                    struct error *error)
{
    const struct location *location = op->origin ? op->origin : file->attrs[op->location].location;
    const char *dialect = op->name->dialect_name.data, *name = op->name->name.data;
    if (!error)
        return NULL;
    if (!location || !(location->name || location->file))
        return error_prefix(error, "%s.%s at byte %zu", dialect, name, op->offset);
    return error_prefix(error, "%s.%s at %s (%s:%d:%d)", dialect, name,
                        location->name ? location->name : "?",
                        location->file ? location->file : "?", location->line, location->column);
}

struct error *mlir_op_attributes(struct mlir_file *file, const struct mlir_op *op,
                                 struct mlir_attr **out)
{
    *out = NULL;
    if (!op->has_attributes)
        return NULL;
    TRY(mlir_entry_attr(file, op->attributes, out));
    if ((*out)->kind != MLIR_DICT)
        return ERROR(INVALID_ARGUMENT, "%s: its attributes must be a dictionary",
                     mlir_op_where(file, op));
    if ((*out)->dict.count > MLIR_OP_MAX_ATTRIBUTES)
        return ERROR(INVALID_ARGUMENT, "%s: has %zu attributes; the limit is %d",
                     mlir_op_where(file, op), (*out)->dict.count, MLIR_OP_MAX_ATTRIBUTES);
    return mlir_op_with_location(file, op, mlir_entry_charge(file, (*out)->weight));
}

/* Before version 5, the dictionary of attributes also contains the inherent ones. */
static struct error *named_properties(struct mlir_file *file, const struct mlir_op *op, int count,
                                      const char *const *names, const bool *optional,
                                      struct mlir_attr **out)
{
    struct mlir_attr *attributes;
    TRY(mlir_op_attributes(file, op, &attributes));
    for (int i = 0; i < count; i++) {
        out[i] = mlir_attr_lookup(attributes, names[i]);
        if (!out[i] && !(optional && optional[i]))
            return ERROR(INVALID_ARGUMENT, "%s: attribute %s is missing", mlir_op_where(file, op),
                         names[i]);
    }
    return NULL;
}

struct error *mlir_op_properties(struct mlir_file *file, const struct mlir_op *op, int count,
                                 const char *const *names, const bool *optional,
                                 struct mlir_attr **out)
{
    if (file->version < 5)
        return named_properties(file, op, count, names, optional, out);
    if (count == 0 && !op->has_properties)
        return NULL;
    if (!op->has_properties)
        return ERROR(INVALID_ARGUMENT, "%s: attribute %s is missing", mlir_op_where(file, op),
                     names[0]);
    const struct mlir_span *span = &file->properties[op->properties];
    struct bytes in = bytes_part(&file->bytes, span->offset, span->size);
    for (int i = 0; i < count; i++) {
        out[i] = NULL;
        if (!optional || !optional[i]) {
            TRY(mlir_entry_attr_field(file, &in, &out[i]));
            continue;
        }
        uint64_t index = bytes_varint(&in);
        if (!(index & 1))
            continue;
        if (index >> 1 >= file->attr_count)
            bytes_fail(&in, "an index into the attribute table is out of range");
        TRY(bytes_error(&in, "MLIR bytecode properties"));
        TRY(mlir_entry_attr(file, (size_t)(index >> 1), &out[i]));
    }
    TRY(mlir_op_with_location(file, op, bytes_finish(&in, "MLIR bytecode properties")));
    for (int i = 0; i < count; i++)
        if (out[i])
            TRY(mlir_op_with_location(file, op, mlir_entry_charge(file, out[i]->weight)));
    return NULL;
}

bool mlir_op_has_properties(const struct mlir_file *file, const struct mlir_op *op, int count)
{
    if (file->version < 5 || !op->has_properties)
        return true;
    const struct mlir_span *span = &file->properties[op->properties];
    struct bytes in = bytes_part(&file->bytes, span->offset, span->size);
    int entries = 0;
    for (; bytes_more(&in) && entries <= count; entries++)
        bytes_varint(&in);
    return entries == count;
}

struct error *mlir_op_value_type(struct mlir_file *file, const struct mlir_value *value,
                                 const struct type **out)
{
    const struct mlir_type *type;
    TRY(mlir_entry_type(file, value->type, &type));
    TRY(mlir_entry_charge(file, type->weight));
    return mlir_type_value(type, out);
}
