#include "devices/host/kernel_machine/kernel_select.h"

#include "base/map.h"
#include "devices/host/kernel_machine/kernel_access.h"
#include "devices/host/kernel_machine/kernel_dma.h"
#include "devices/host/kernel_machine/kernel_elementwise.h"
#include "devices/host/kernel_machine/kernel_matrix.h"
#include "devices/host/kernel_machine/kernel_memory.h"
#include "devices/host/kernel_machine/kernel_mxu.h"
#include "devices/host/kernel_machine/kernel_print.h"
#include "devices/host/kernel_machine/kernel_reduce.h"
#include "devices/host/kernel_machine/kernel_shape.h"
#include "devices/host/kernel_machine/kernel_steps.h"

struct error *kernel_select_unsupported(const struct kernel_op *op)
{
    char where[512];
    kernel_op_where(op, where, sizeof where);
    return ERROR(UNIMPLEMENTED, "Pallas kernel: %s: this operation is not executed", where);
}

static bool same_dims(const struct kernel_type *a, const struct kernel_type *b)
{
    bool same = a->kind == b->kind && a->rank == b->rank && a->dtype == b->dtype;
    for (int i = 0; same && i < a->rank; i++)
        same = a->dims[i] == b->dims[i];
    return same;
}

bool kernel_select_is_same(const struct kernel_op *op)
{
    if (op->result_count != 1 || op->operand_count != 1)
        return false;
    const struct kernel_type *in = op->operands[0]->type, *out = op->results[0].type;
    switch (op->code) {
    case KERNEL_SHAPE_CAST:
    case KERNEL_TPU_RESHAPE:
    case KERNEL_RELAYOUT:
    case KERNEL_MASK_CAST:
    case KERNEL_ASSUME_MULTIPLE:
    case KERNEL_MEMREF_CAST:
    case KERNEL_MEMORY_SPACE_CAST:
    case KERNEL_ANNOTATE:
    case KERNEL_ERASE_LAYOUT:
    case KERNEL_ASSUME_LAYOUT: return true;
    case KERNEL_BITCAST: return in->dtype != DTYPE_PRED && out->dtype != DTYPE_PRED;
    case KERNEL_INDEX_CAST:
    case KERNEL_EXTF:
    case KERNEL_TRUNCF: return in->dtype == out->dtype;
    case KERNEL_BROADCAST:
    case KERNEL_TRANSPOSE: return op->code == KERNEL_BROADCAST && same_dims(in, out);
    case KERNEL_TPU_BITCAST:
    case KERNEL_VECTOR_BITCAST:
        return dtype_info(in->dtype)->bits == dtype_info(out->dtype)->bits &&
               dtype_info(in->dtype)->bits >= 8;
    case KERNEL_EXTRACT: return op->attrs->dims.count == 0 && same_dims(in, out);
    default: return false;
    }
}

static void set_bytes(const struct kernel_op *op, struct kernel_instr *in)
{
    for (int i = 0; i < 3 && i < op->operand_count; i++)
        in->bytes[i] = dtype_bytes(op->operands[i]->type->dtype);
    if (op->result_count > 0) {
        in->bytes[3] = dtype_bytes(op->results[0].type->dtype);
        in->count = op->results[0].type->elements;
    }
}

static int alloca_number(struct kernel_machine *machine, const struct kernel_op *op)
{
    if (op->code == KERNEL_SEM_BARRIER)
        return machine->barrier_slot;
    machine->allocas[machine->alloca_count] = op;
    return machine->alloca_slot + machine->alloca_count++;
}

static struct error *select_query(const struct kernel_op *op, struct kernel_instr *in)
{
    (void)op;
    in->run = kernel_steps_query;
    return NULL;
}

static struct error *select_random(const struct kernel_op *op, struct kernel_instr *in)
{
    in->run = op->code == KERNEL_PRNG_BITS ? kernel_steps_random : kernel_steps_seed;
    return NULL;
}

struct error *kernel_select(struct arena *arena, struct kernel_machine *machine,
                            const struct kernel_op *op, struct kernel_instr *in)
{
    size_t scratch = 0;
    struct error *error = NULL;
    set_bytes(op, in);
    switch (kernel_op_info(op->code)->class) {
    case KERNEL_CLASS_ELEMENTWISE: error = kernel_elementwise_select(op, in); break;
    case KERNEL_CLASS_CONSTANT:
    case KERNEL_CLASS_SHAPE: error = kernel_shape_select(arena, op, in); break;
    case KERNEL_CLASS_REDUCTION: error = kernel_reduce_select(arena, op, in, &scratch); break;
    case KERNEL_CLASS_MATRIX: error = kernel_matrix_select(arena, op, in, &scratch); break;
    case KERNEL_CLASS_MXU: error = kernel_mxu_select(op, in); break;
    case KERNEL_CLASS_LOAD:
    case KERNEL_CLASS_STORE: error = kernel_access_select(arena, op, in); break;
    case KERNEL_CLASS_ALLOCATE:
        in->plan_count = alloca_number(machine, op);
        error = kernel_memory_select(op, in);
        break;
    case KERNEL_CLASS_VIEW: error = kernel_memory_select(op, in); break;
    case KERNEL_CLASS_DMA:
    case KERNEL_CLASS_SEMAPHORE: error = kernel_dma_select(op, in); break;
    case KERNEL_CLASS_QUERY: error = select_query(op, in); break;
    case KERNEL_CLASS_PRINT: error = kernel_print_select(op, in); break;
    case KERNEL_CLASS_RANDOM: error = select_random(op, in); break;
    default: error = kernel_select_unsupported(op);
    }
    if (scratch > machine->scratch_bytes)
        machine->scratch_bytes = scratch;
    return error;
}
