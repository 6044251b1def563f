#include "compiler/frontend/mosaic/mosaic_op.h"

#include <string.h>

#include "compiler/frontend/mosaic/mosaic_attr.h"
#include "compiler/frontend/mosaic/mosaic_read.h"
#include "compiler/frontend/mosaic/mosaic_upgrade.h"

struct error *mosaic_op_version(struct mosaic_module *module, const struct mlir_attr *dict)
{
    const struct mlir_attr *version = mlir_attr_lookup(dict, "stable_mosaic.version");
    if (!version || version->kind != MLIR_INTEGER || version->integer < 1)
        return ERROR(INVALID_ARGUMENT,
                     "Mosaic kernel: the module has no attribute stable_mosaic.version");
    if (version->integer > MOSAIC_NEWEST)
        return ERROR(UNIMPLEMENTED,
                     "Mosaic kernel: version %lld of stable_mosaic is newer than the supported "
                     "versions 1 to %d",
                     (long long)version->integer, MOSAIC_NEWEST);
    module->version = (int)version->integer;
    return NULL;
}

enum kernel_code mosaic_op_code(struct string dialect, struct string name)
{
    static const char expected[] = "stable_mosaic";
    bool is_known = dialect.size == sizeof expected - 1 &&
                    memcmp(dialect.data, expected, sizeof expected - 1) == 0;
    return is_known ? kernel_op_find(name.data, name.size) : KERNEL_CODE_COUNT;
}

struct error *mosaic_op_counts(enum kernel_code code, size_t operands, size_t results,
                               size_t regions)
{
    const struct kernel_op_info *info = kernel_op_info(code);
    if ((info->operands >= 0 && operands != (size_t)info->operands) ||
        (info->results >= 0 && results != (size_t)info->results) ||
        (info->regions >= 0 && regions != (size_t)info->regions) || operands > INT16_MAX ||
        results > INT16_MAX)
        return ERROR(INVALID_ARGUMENT,
                     "has %zu operands, %zu results and %zu regions; expected %d, %d and %d (-1: "
                     "any number)",
                     operands, results, regions, info->operands, info->results, info->regions);
    return NULL;
}

static struct error *read_segments(struct arena *arena, const struct mlir_attr *dict,
                                   struct kernel_op *out)
{
    struct dims sizes;
    int64_t sum = 0;
    TRY(mosaic_attr_ints(arena, mlir_attr_lookup(dict, "operandSegmentSizes"),
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

/* Whether the operation reaches other devices, so that all of them have to run together. */
static bool communicates(const struct kernel_op *op)
{
    int device = op->code == KERNEL_ENQUEUE_DMA ? 4 : op->code == KERNEL_SEM_SIGNAL ? 2 : -1;
    return op->code == KERNEL_SEM_BARRIER ||
           (device >= 0 && device < op->segment_count && op->segments[device] > 0);
}

struct error *mosaic_op_complete(struct mosaic_module *module, const struct mlir_attr *dict,
                                 struct kernel_op *op)
{
    struct kernel_attrs *attrs = ARENA_NEW(module->arena, struct kernel_attrs);
    TRY(mosaic_attr_convert(module->arena, op->code, dict, attrs));
    TRY(read_segments(module->arena, dict, op));
    mosaic_upgrade_op(module->arena, module->version, op, attrs);
    op->attrs = attrs;
    module->has_communication |= communicates(op);
    return NULL;
}
