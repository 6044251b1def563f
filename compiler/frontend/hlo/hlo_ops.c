#include "compiler/frontend/hlo/hlo_ops.h"

#include <stdlib.h>
#include <string.h>

#include "compiler/frontend/hlo/hlo_call.h"
#include "compiler/frontend/hlo/hlo_expand.h"
#include "compiler/frontend/hlo/hlo_fields.h"
#include "compiler/frontend/hlo/hlo_sharding.h"
#include "compiler/frontend/hlo/hlo_special.h"

struct row { /* an instruction that becomes one operation */
    const char *opcode;
    enum op_code code;
    hlo_fields_set *set; /* NULL: no attributes */
    int regions;         /* the number of computations, which become regions; ANY: ignored */
};

enum { ANY = -1 };

/* Sorted by opcode. Elementwise operations without attributes that have the IR's names need no row.
 * Regions are in the order of the computations, except for while: body first. */
static const struct row rows[] = {
    {"after-all", OP_after_all, NULL, 0},
    {"all-gather", OP_all_gather, hlo_fields_all_gather, 0},
    {"all-reduce", OP_all_reduce, hlo_fields_all_reduce, 1},
    {"all-to-all", OP_all_to_all, hlo_fields_all_to_all, 0},
    {"batch-norm-grad", OP_batch_norm_grad, hlo_fields_batch_norm, 0},
    {"batch-norm-inference", OP_batch_norm_inference, hlo_fields_batch_norm, 0},
    {"batch-norm-training", OP_batch_norm_training, hlo_fields_batch_norm, 0},
    {"bitcast-convert", OP_bitcast_convert, NULL, 0},
    {"broadcast", OP_broadcast_in_dim, hlo_fields_broadcast, 0},
    {"cholesky", OP_cholesky, hlo_fields_cholesky, 0},
    {"collective-broadcast", OP_collective_broadcast, hlo_fields_collective, 0},
    {"collective-permute", OP_collective_permute, hlo_fields_collective_permute, 0},
    {"collective-reduce", OP_collective_reduce, hlo_fields_collective_reduce, 1},
    {"compare", OP_compare, hlo_fields_compare, 0},
    {"concatenate", OP_concatenate, hlo_fields_dimension, 0},
    {"convolution", OP_convolution, hlo_fields_convolution, 0},
    {"custom-call", OP_custom_call, hlo_call_fields, ANY},
    {"dot", OP_dot_general, hlo_fields_dot, 0},
    {"dynamic-slice", OP_dynamic_slice, hlo_fields_dynamic_slice, 0},
    {"dynamic-update-slice", OP_dynamic_update_slice, NULL, 0},
    {"fft", OP_fft, hlo_fields_fft, 0},
    {"gather", OP_gather, hlo_fields_gather, 0},
    {"get-dimension-size", OP_get_dimension_size, hlo_fields_dimension, 0},
    {"iota", OP_iota, hlo_fields_iota, 0},
    {"map", OP_map, hlo_fields_dimensions, 1},
    {"multiply", OP_multiply, NULL, 0},
    {"opt-barrier", OP_optimization_barrier, NULL, 0},
    {"pad", OP_pad, hlo_fields_pad, 0},
    {"partition-id", OP_partition_id, NULL, 0},
    {"ragged-all-to-all", OP_custom_call, hlo_call_ragged, 0},
    {"reduce", OP_reduce, hlo_fields_dimensions, 1},
    {"reduce-precision", OP_reduce_precision, hlo_fields_reduce_precision, 0},
    {"reduce-scatter", OP_reduce_scatter, hlo_fields_reduce_scatter, 1},
    {"reduce-window", OP_reduce_window, hlo_fields_window, 1},
    {"replica-id", OP_replica_id, NULL, 0},
    {"reshape", OP_reshape, NULL, 0},
    {"reverse", OP_reverse, hlo_fields_dimensions, 0},
    {"rng-bit-generator", OP_rng_bit_generator, hlo_fields_rng_bit_generator, 0},
    {"scatter", OP_scatter, hlo_fields_scatter, 1},
    {"select-and-scatter", OP_select_and_scatter, hlo_fields_select_and_scatter, 2},
    {"set-dimension-size", OP_set_dimension_size, hlo_fields_dimension, 0},
    {"slice", OP_slice, hlo_fields_slice, 0},
    {"sort", OP_sort, hlo_fields_sort, 1},
    {"transpose", OP_transpose, hlo_fields_transpose, 0},
    {"triangular-solve", OP_triangular_solve, hlo_fields_triangular_solve, 0},
    {"while", OP_while, NULL, 2},
};

static int compare_opcode(const void *opcode, const void *row)
{
    return strcmp(opcode, ((const struct row *)row)->opcode);
}

/* ---- one operation --------------------------------------------------------------------------- */

static struct error *check_counts(const struct row *row, size_t operands, size_t results,
                                  const hlo_instruction *in)
{
    const struct op_info *info = op_info(row->code);
    if ((info->operand_count >= 0 && operands != (size_t)info->operand_count) ||
        (info->result_count >= 0 && results != (size_t)info->result_count))
        return ERROR(INVALID_ARGUMENT, "has %zu operands and %zu results; %s must have %d and %d",
                     operands, results, info->name, info->operand_count, info->result_count);
    if (row->regions != ANY && in->n_computations != (size_t)row->regions)
        return ERROR(INVALID_ARGUMENT, "applies %zu computations; it must apply %d",
                     in->n_computations, row->regions);
    return NULL;
}

static struct error *append_regions(struct hlo_frame *f, const hlo_instruction *in, struct op *op)
{
    for (int i = 0; i < op->region_count; i++) {
        int region = op->code == OP_while ? 1 - i : i;
        TRY(hlo_body_region(f, in->computations[i], op, region));
    }
    return NULL;
}

struct shared { /* by all operations of an instruction; read for the first one */
    bool is_read;
    const struct location *location;
    const struct dict *discardable;
    union attrs attrs;
};

static struct error *read_shared(struct hlo_frame *f, const hlo_instruction *in,
                                 const struct row *row, struct shared *shared)
{
    if (shared->is_read)
        return NULL;
    shared->is_read = true;
    shared->location = hlo_module_location(f->hlo, in);
    shared->discardable = hlo_call_discardable(f->hlo->arena, in);
    return row->set ? row->set(f, in, &shared->attrs) : NULL;
}

static struct error *make_op(struct hlo_frame *f, const hlo_instruction *in, const struct row *row,
                             const hlo_values *operands, const hlo_types *types,
                             struct shared *shared, struct value **results)
{
    TRY(check_counts(row, operands->count, types->count, in));
    TRY(read_shared(f, in, row, shared));
    struct op *op = ir_op(f->hlo->module, row->code, (int)operands->count, operands->items,
                          (int)types->count, types->items, row->regions == ANY ? 0 : row->regions);
    op->location = shared->location;
    op->discardable = shared->discardable;
    op->attrs = shared->attrs;
    ir_append(f->block, op);
    if (op->code == OP_custom_call)
        TRY(hlo_call_config(f->hlo, in, op));
    for (size_t i = 0; i < types->count; i++)
        results[i] = &op->results[i];
    TRY(append_regions(f, in, op));
    if (op->code == OP_custom_call)
        hlo_call_place(in, op);
    return hlo_sharding_annotate(f, in, op);
}

/* A collective with several independent operands becomes an operation for each operand. */
static struct error *make_each(struct hlo_frame *f, const hlo_instruction *in,
                               const struct row *row, const hlo_values *operands,
                               const hlo_types *types, struct shared *shared,
                               struct value **results)
{
    for (size_t i = 0; i < types->count; i++)
        TRY(make_op(f, in, row, &(hlo_values){.items = operands->items + i, .count = 1},
                    &(hlo_types){.items = types->items + i, .count = 1}, shared, results + i));
    return NULL;
}

static struct error *append_op(struct hlo_frame *f, const hlo_instruction *in,
                               const struct row *row, const struct hlo_node **out)
{
    struct arena *arena = f->hlo->arena;
    hlo_values operands = {0};
    hlo_types types = {0};
    for (size_t i = 0; i < in->n_operands; i++) {
        const struct hlo_node *node;
        TRY(hlo_body_operand(f, in, i, &node));
        TRY(hlo_module_flatten(f->hlo, node, &operands));
    }
    if (row->code == OP_dynamic_slice || row->code == OP_dynamic_update_slice)
        TRY(hlo_expand_indices(f, in, &operands));
    TRY(hlo_shape_types(arena, in->shape, &types));
    bool each = (row->code == OP_reduce_scatter || row->code == OP_collective_permute) &&
                operands.count > 1 && operands.count == types.count;
    struct value **values = ARENA_ARRAY(arena, struct value *, types.count);
    struct shared shared = {0};
    TRY((each ? make_each : make_op)(f, in, row, &operands, &types, &shared, values));
    size_t at = 0;
    *out = hlo_shape_node(arena, in->shape, values, &at);
    return NULL;
}

/* The row of an elementwise operation whose opcode is its name with hyphens. */
static bool elementwise_row(const char *opcode, struct row *out)
{
    char name[64];
    size_t size = 0;
    for (; opcode[size] && size < sizeof name; size++)
        name[size] = opcode[size] == '-' ? '_' : opcode[size];
    enum op_code code = op_code_from_name(name, size);
    *out = (struct row){opcode, code, NULL, 0};
    return size < sizeof name && code != OP_copy && !op_info(code)->field_count &&
           op_info(code)->traits & OP_ELEMENTWISE;
}

struct error *hlo_ops_convert(struct hlo_frame *f, const hlo_instruction *in,
                              const struct hlo_node **out)
{
    const struct row *row =
        bsearch(in->opcode, rows, sizeof rows / sizeof *rows, sizeof *rows, compare_opcode);
    struct row plain;
    if (!in->shape)
        return ERROR(INVALID_ARGUMENT, "must have a shape");
    if (!row && elementwise_row(in->opcode, &plain))
        row = &plain;
    if (hlo_expand_is_complex_order(f, in))
        return hlo_expand_complex_order(f, in, out);
    if (hlo_expand_is_all_to_all(in))
        return hlo_expand_all_to_all(f, in, out);
    return row ? append_op(f, in, row, out) : hlo_special_convert(f, in, out);
}
