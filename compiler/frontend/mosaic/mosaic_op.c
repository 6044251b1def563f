#include "compiler/frontend/mosaic/mosaic_op.h"

#include <string.h>

#include "compiler/frontend/bytecode/mlir_location.h"
#include "compiler/frontend/mosaic/mosaic_attr.h"
#include "compiler/frontend/mosaic/mosaic_upgrade.h"

static struct error *define(struct mosaic_reader *r, struct mlir_value *from,
                            struct kernel_value *out)
{
    TRY(mosaic_type_get(&r->types, from->type, &out->type));
    out->id = r->value_count++;
    from->kernel = out;
    return NULL;
}

static struct error *define_all(struct mosaic_reader *r, struct mlir_value *from, size_t count,
                                struct kernel_value **out)
{
    *out = ARENA_ARRAY(r->arena, struct kernel_value, count);
    for (size_t i = 0; i < count; i++)
        TRY(define(r, &from[i], &(*out)[i]));
    return NULL;
}

/* ---- names ----------------------------------------------------------------------------------- */
/* Codes are cached in the file's table of names: the address of the code's row. */
static struct error *find_code(struct mosaic_reader *r, struct mlir_op *op, enum kernel_code *out)
{
    struct string name = op->name->name;
    const struct kernel_op_info *rows = kernel_op_info((enum kernel_code)0);
    if (!op->name->schema) {
        enum kernel_code code = KERNEL_CODE_COUNT;
        if (strcmp(op->name->dialect_name.data, "stable_mosaic") == 0)
            code = kernel_op_find(name.data, name.size);
        if (code == KERNEL_CODE_COUNT)
            return ERROR(UNIMPLEMENTED, "%s: this operation of a Pallas kernel is unsupported",
                         mlir_op_where(r->file, op));
        op->name->schema = &rows[code];
    }
    *out = (enum kernel_code)((const struct kernel_op_info *)op->name->schema - rows);
    return NULL;
}

static struct error *check_counts(struct mosaic_reader *r, const struct mlir_op *op,
                                  enum kernel_code code)
{
    const struct kernel_op_info *info = kernel_op_info(code);
    if ((info->operands >= 0 && op->operand_count != (size_t)info->operands) ||
        (info->results >= 0 && op->result_count != (size_t)info->results) ||
        (info->regions >= 0 && op->region_count != (size_t)info->regions) ||
        op->operand_count > INT16_MAX || op->result_count > INT16_MAX)
        return ERROR(INVALID_ARGUMENT,
                     "%s: has %zu operands, %zu results and %zu regions; expected %d, %d and %d "
                     "(-1: any number)",
                     mlir_op_where(r->file, op), op->operand_count, op->result_count,
                     op->region_count, info->operands, info->results, info->regions);
    return NULL;
}

/* ---- operands and attributes ----------------------------------------------------------------- */
static struct error *read_operands(struct mosaic_reader *r, const struct mlir_op *op,
                                   struct kernel_op *out)
{
    out->operand_count = (int)op->operand_count;
    out->operands = ARENA_ARRAY(r->arena, const struct kernel_value *, op->operand_count);
    for (size_t i = 0; i < op->operand_count; i++) {
        out->operands[i] = op->operands[i]->kernel;
        if (!out->operands[i])
            return ERROR(INVALID_ARGUMENT, "%s: operand %zu is used before its definition",
                         mlir_op_where(r->file, op), i);
    }
    return NULL;
}

static struct error *read_segments(struct mosaic_reader *r, const struct mlir_attr *dict,
                                   struct kernel_op *out)
{
    struct dims sizes;
    int64_t sum = 0;
    TRY(mosaic_attr_ints(r->arena, mlir_attr_lookup(dict, "operandSegmentSizes"),
                         "operandSegmentSizes", &sizes));
    if (sizes.count > KERNEL_MAX_SEGMENTS)
        return ERROR(INVALID_ARGUMENT, "has %lld segments of operands; the limit is %d",
                     (long long)sizes.count, KERNEL_MAX_SEGMENTS);
    out->segment_count = (int)sizes.count;
    for (int i = 0; i < out->segment_count; i++) {
        if (sizes.at[i] < 0 || sizes.at[i] > out->operand_count - sum)
            return ERROR(INVALID_ARGUMENT, "segment %d of the operands has size %lld", i,
                         (long long)sizes.at[i]);
        out->segments[i] = (int)sizes.at[i];
        sum += sizes.at[i];
    }
    if (sizes.count && sum != out->operand_count)
        return ERROR(INVALID_ARGUMENT, "segments have %lld operands; there are %d", (long long)sum,
                     out->operand_count);
    return NULL;
}

static struct error *read_attributes(struct mosaic_reader *r, const struct mlir_op *op,
                                     struct kernel_op *out)
{
    struct mlir_attr *dict;
    struct kernel_attrs *attrs = ARENA_NEW(r->arena, struct kernel_attrs);
    TRY(mlir_op_attributes(r->file, op, &dict));
    TRY(mosaic_attr_convert(r->arena, out->code, dict, attrs));
    TRY(read_segments(r, dict, out));
    mosaic_upgrade_op(r->arena, r->version, out, attrs);
    out->attrs = attrs;
    return NULL;
}

/* Whether the operation reaches other devices, so that all of them have to run together. */
static bool communicates(const struct kernel_op *op)
{
    int device = op->code == KERNEL_ENQUEUE_DMA ? 4 : op->code == KERNEL_SEM_SIGNAL ? 2 : -1;
    return op->code == KERNEL_SEM_BARRIER ||
           (device >= 0 && device < op->segment_count && op->segments[device] > 0);
}

static struct error *read_op(struct mosaic_reader *r, struct mlir_op *op, struct kernel_op **out)
{
    struct kernel_op *made = ARENA_NEW(r->arena, struct kernel_op);
    made->location = mlir_location_get(r->file, op->location);
    TRY(find_code(r, op, &made->code));
    TRY(check_counts(r, op, made->code));
    TRY(read_operands(r, op, made));
    TRY(mlir_op_with_location(r->file, op, read_attributes(r, op, made)));
    made->result_count = (int)op->result_count;
    TRY(mlir_op_with_location(r->file, op,
                              define_all(r, op->results, op->result_count, &made->results)));
    made->region_count = (int)op->region_count;
    made->regions = ARENA_ARRAY(r->arena, struct kernel_block, op->region_count);
    for (size_t i = 0; i < op->region_count; i++)
        TRY(mosaic_op_block(r, &op->regions[i], &made->regions[i]));
    r->has_communication |= communicates(made);
    *out = made;
    return NULL;
}

struct error *mosaic_op_block(struct mosaic_reader *r, const struct mlir_region *region,
                              struct kernel_block *out)
{
    if (region->argument_count > INT16_MAX)
        return ERROR(INVALID_ARGUMENT, "Mosaic kernel: a block has %zu arguments; the limit is %d",
                     region->argument_count, INT16_MAX);
    out->argument_count = (int)region->argument_count;
    TRY(define_all(r, region->arguments, region->argument_count, &out->arguments));
    struct kernel_op **tail = &out->first;
    for (struct mlir_op *op = region->first; op; op = op->next) {
        TRY(read_op(r, op, tail));
        tail = &(*tail)->next;
    }
    return NULL;
}
