#include "devices/host/kernel_machine/kernel_dma.h"

#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "devices/host/kernel_machine/kernel_access.h"
#include "devices/host/kernel_machine/kernel_check.h"
#include "devices/host/kernel_machine/kernel_memory.h"
#include "devices/host/kernel_machine/kernel_select.h"

/* ---- operands -------------------------------------------------------------------------------- */
static int64_t integer_of(const struct kernel_core *core, const struct kernel_instr *in,
                          int operand)
{
    return kernel_integer(kernel_at(core, in->all[operand]),
                          dtype_bytes(in->op->operands[operand]->type->dtype));
}

static const struct kernel_view *view_of(const struct kernel_core *core,
                                         const struct kernel_instr *in, int operand)
{
    return kernel_at(core, in->all[operand]);
}

static struct kernel_counter *counter_of(const struct kernel_view *view)
{
    return (struct kernel_counter *)(void *)(view->buffer->bytes + view->offset);
}

/* The core that optional device and core operands name; NULL: core->error is set. */
static struct kernel_core *target_core(struct kernel_core *core, const struct kernel_instr *in,
                                       int segment)
{
    int first;
    int64_t device = core->device, number = core->core;
    int cores = core->run->machine->cores, devices = core->run->launch->device_count;
    if (kernel_op_segment(in->op, segment, &first) > 0)
        device = integer_of(core, in, first);
    if (kernel_op_segment(in->op, segment + 1, &first) > 0)
        number = integer_of(core, in, first);
    if (device >= 0 && device < devices && number >= 0 && number < cores)
        return &core->run->cores[device * cores + number];
    kernel_core_fail(core, in->op,
                     ERROR(INVALID_ARGUMENT,
                           "core %lld of device %lld; the kernel runs on %d devices of %d cores",
                           (long long)number, (long long)device, devices, cores));
    return NULL;
}

static enum kernel_flow check_one(struct kernel_core *core, const struct kernel_instr *in,
                                  const struct kernel_view *semaphore)
{
    if (kernel_memory_bytes(semaphore, 1) == 1)
        return KERNEL_FLOW_NEXT;
    return kernel_core_fail(core, in->op,
                            ERROR(INVALID_ARGUMENT, "needs one semaphore, not an array of them"));
}

/* ---- DMAs ------------------------------------------------------------------------------------ */
static void complete(struct kernel_run *run, struct kernel_dma *dma)
{
    kernel_memory_copy(&dma->from, &dma->to, dma->element);
    if (run->check)
        kernel_check_end(run, dma);
    if (dma->sends)
        dma->sends->value += dma->bytes;
    dma->receives->value += dma->bytes;
    run->changes++;
}

static uint64_t next_random(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    return z ^ z >> 31;
}

bool kernel_dma_end_one(struct kernel_run *run)
{
    if (run->dma_count == 0)
        return false;
    int i = (int)(next_random(&run->random) % (uint64_t)run->dma_count);
    struct kernel_dma dma = run->dmas[i];
    run->dmas[i] = run->dmas[--run->dma_count];
    complete(run, &dma);
    return true;
}

static struct error *add_dma(struct kernel_run *run, const struct kernel_dma *dma)
{
    if (run->dma_count == run->dma_capacity) {
        int capacity = run->dma_capacity ? 2 * run->dma_capacity : 16;
        TRY(alloc_resize(&run->dmas, (size_t)capacity * sizeof *run->dmas));
        run->dma_capacity = capacity;
    }
    run->dmas[run->dma_count++] = *dma;
    return NULL;
}

static bool same_dims(const struct kernel_view *a, const struct kernel_view *b)
{
    bool same = a->rank == b->rank;
    for (int i = 0; same && i < a->rank; i++)
        same = a->dims[i] == b->dims[i];
    return same;
}

/* Starts a DMA whose sides and semaphores are set. */
static enum kernel_flow begin(struct kernel_core *core, const struct kernel_instr *in,
                              struct kernel_dma *dma)
{
    struct kernel_run *run = core->run;
    dma->bytes = kernel_memory_bytes(&dma->to, dma->element);
    if (run->check && kernel_check_start(core, in, dma) == KERNEL_FLOW_ERROR)
        return KERNEL_FLOW_ERROR;
    if (run->launch->seed == 0) {
        complete(run, dma);
        return KERNEL_FLOW_NEXT;
    }
    struct error *error = add_dma(run, dma);
    if (error)
        return kernel_core_fail(core, in->op, error);
    while (run->dma_count > 0 && next_random(&run->random) % 4 == 0)
        kernel_dma_end_one(run);
    return KERNEL_FLOW_NEXT;
}

/* Segments: source, its semaphore, target, its semaphore, device, core, subcore. */
static enum kernel_flow run_enqueue(struct kernel_core *core, const struct kernel_instr *in)
{
    struct kernel_run *run = core->run;
    int source, sends, target, receives;
    kernel_op_segment(in->op, 0, &source);
    bool has_sends = kernel_op_segment(in->op, 1, &sends) > 0;
    kernel_op_segment(in->op, 2, &target);
    kernel_op_segment(in->op, 3, &receives);
    struct kernel_core *to = target_core(core, in, 4);
    if (!to)
        return KERNEL_FLOW_ERROR;
    struct kernel_dma dma = {.from = *view_of(core, in, source),
                             .to = kernel_memory_on(view_of(core, in, target), to),
                             .element = dtype_bytes(in->op->operands[source]->type->dtype),
                             .id = run->dma_id++,
                             .core = core,
                             .op = in->op};
    struct kernel_view received = kernel_memory_on(view_of(core, in, receives), to);
    if (check_one(core, in, &received) == KERNEL_FLOW_ERROR ||
        (has_sends && check_one(core, in, view_of(core, in, sends)) == KERNEL_FLOW_ERROR))
        return KERNEL_FLOW_ERROR;
    if (!same_dims(&dma.from, &dma.to))
        return kernel_core_fail(core, in->op,
                                ERROR(INVALID_ARGUMENT, "source and target differ in shape"));
    dma.receives = counter_of(&received);
    dma.sends = has_sends ? counter_of(view_of(core, in, sends)) : NULL;
    return begin(core, in, &dma);
}

/* ---- indirect DMAs --------------------------------------------------------------------------- */
struct indirect {
    struct kernel_view indexed, rows; /* indexed: without the dimension of size 1 in front */
    bool gathers;
    int64_t count;
};

static struct indirect indirect_of(const struct kernel_core *core, const struct kernel_instr *in)
{
    bool gathers = kernel_op_gathers(in->op->operands[0]->type);
    struct indirect i = {.indexed = *view_of(core, in, gathers ? 0 : 1),
                         .rows = *view_of(core, in, gathers ? 1 : 0),
                         .gathers = gathers};
    if (i.indexed.rank > i.rows.rank) {
        i.indexed.rank--;
        for (int k = 0; k < i.indexed.rank; k++) {
            i.indexed.dims[k] = i.indexed.dims[k + 1];
            i.indexed.strides[k] = i.indexed.strides[k + 1];
        }
    }
    i.count = i.rows.dims[0];
    return i;
}

/* Element i of the offsets: of a vector, or of memory of one dimension or a row of two. */
static int32_t offset_at(const struct kernel_core *core, const struct kernel_instr *in, int64_t i)
{
    int32_t offset;
    if (in->op->operands[2]->type->kind == KERNEL_VECTOR)
        return ((const int32_t *)kernel_at(core, in->all[2]))[i];
    const struct kernel_view *view = view_of(core, in, 2);
    memcpy(&offset, view->buffer->bytes + view->offset + i * view->strides[view->rank - 1],
           sizeof offset);
    return offset;
}

static struct kernel_view row_of(const struct kernel_view *view, int64_t i)
{
    struct kernel_view row = *view;
    kernel_access_advance(&row, 0, i);
    row.dims[0] = 1;
    return row;
}

/* A DMA for each row; rows whose offset is the filter's are not copied, but count as arrived. */
static enum kernel_flow run_indirect(struct kernel_core *core, const struct kernel_instr *in)
{
    struct indirect all = indirect_of(core, in);
    const struct kernel_view *semaphore = view_of(core, in, 3);
    int element = dtype_bytes(in->op->operands[0]->type->dtype);
    if (check_one(core, in, semaphore) == KERNEL_FLOW_ERROR)
        return KERNEL_FLOW_ERROR;
    if (in->op->attrs->add)
        return kernel_core_fail(core, in->op, ERROR(UNIMPLEMENTED, "an indirect DMA that adds"));
    for (int64_t i = 0; i < all.count; i++) {
        int64_t offset = offset_at(core, in, i);
        struct kernel_view rows = row_of(&all.rows, i);
        if (in->op->operand_count > 4 && offset == integer_of(core, in, 4)) {
            counter_of(semaphore)->value += kernel_memory_bytes(&rows, element);
            continue;
        }
        if (offset < 0 || offset >= all.indexed.dims[0])
            return kernel_core_fail(
                core, in->op,
                ERROR(INVALID_ARGUMENT, "out of bounds: offset %lld is %lld of %lld rows",
                      (long long)i, (long long)offset, (long long)all.indexed.dims[0]));
        struct kernel_view indexed = row_of(&all.indexed, offset);
        struct kernel_dma dma = {.from = all.gathers ? indexed : rows,
                                 .to = all.gathers ? rows : indexed,
                                 .receives = counter_of(semaphore),
                                 .element = element,
                                 .id = core->run->dma_id++,
                                 .core = core,
                                 .op = in->op};
        if (begin(core, in, &dma) == KERNEL_FLOW_ERROR)
            return KERNEL_FLOW_ERROR;
    }
    return KERNEL_FLOW_NEXT;
}

/* A semaphore that nothing can change may be read as often by a loop that gives up; then the loop
 * is taken for one that never ends. */
enum { POLLS = 100000 };

/* ---- waits ----------------------------------------------------------------------------------- */
struct wait {
    const struct kernel_view *semaphore;
    int64_t amount;
};

/* What a waiting instruction needs. */
static struct wait find_wait(const struct kernel_core *core, const struct kernel_instr *in)
{
    const struct kernel_op *op = in->op;
    if (op->code == KERNEL_SEM_WAIT)
        return (struct wait){view_of(core, in, 0), integer_of(core, in, 1)};
    int semaphore = 0, bytes_of = op->code == KERNEL_WAIT_DMA ? 1 : 2;
    if (op->code == KERNEL_WAIT_INDIRECT_DMA) /* the side with a row for each offset */
        bytes_of = kernel_op_gathers(op->operands[1]->type) ? 2 : 1;
    if (op->code == KERNEL_WAIT_DMA && op->segment_count == 7) {
        kernel_op_segment(op, op->attrs->wait_target ? 3 : 1, &semaphore);
        kernel_op_segment(op, op->attrs->wait_target ? 2 : 0, &bytes_of);
    }
    int element = dtype_bytes(op->operands[bytes_of]->type->dtype);
    return (struct wait){view_of(core, in, semaphore),
                         kernel_memory_bytes(view_of(core, in, bytes_of), element)};
}

static enum kernel_flow run_wait(struct kernel_core *core, const struct kernel_instr *in)
{
    struct wait wait = find_wait(core, in);
    if (check_one(core, in, wait.semaphore) == KERNEL_FLOW_ERROR)
        return KERNEL_FLOW_ERROR;
    struct kernel_counter *counter = counter_of(wait.semaphore);
    if (counter->value < wait.amount)
        return KERNEL_FLOW_WAIT;
    counter->value -= wait.amount;
    core->run->changes++;
    if (core->run->check)
        kernel_check_waited(core, in, wait.semaphore->buffer, counter, wait.amount);
    return KERNEL_FLOW_NEXT;
}

bool kernel_dma_poll_again(struct kernel_run *run)
{
    bool any = false;
    for (int i = 0; i < run->core_count; i++) {
        struct kernel_polling *polling = &run->cores[i].polling;
        polling->may_read = !run->cores[i].is_done && polling->is_stopped && polling->vain < POLLS;
        any |= polling->may_read;
    }
    return any;
}

void kernel_dma_describe_wait(struct kernel_core *core, char *out, size_t size)
{
    const struct kernel_instr *in = &core->run->machine->main.instrs[core->pc];
    char where[384], name[96];
    bool polls = in->op->code == KERNEL_SEM_READ;
    struct wait wait = polls ? (struct wait){view_of(core, in, 0), 0} : find_wait(core, in);
    kernel_op_where(in->op, where, sizeof where);
    kernel_core_buffer_name(wait.semaphore->buffer, name, sizeof name);
    if (polls)
        snprintf(out, size, "device %d core %d polls semaphore %s in %s, which stays %lld",
                 core->device, core->core, name, where,
                 (long long)counter_of(wait.semaphore)->value);
    else
        snprintf(out, size, "device %d core %d waits in %s for %lld of semaphore %s, which is %lld",
                 core->device, core->core, where, (long long)wait.amount, name,
                 (long long)counter_of(wait.semaphore)->value);
}

/* ---- semaphores ------------------------------------------------------------------------------ */
static enum kernel_flow run_signal(struct kernel_core *core, const struct kernel_instr *in)
{
    struct kernel_core *to = target_core(core, in, 2);
    if (!to || check_one(core, in, view_of(core, in, 0)) == KERNEL_FLOW_ERROR)
        return KERNEL_FLOW_ERROR;
    struct kernel_view semaphore = kernel_memory_on(view_of(core, in, 0), to);
    struct kernel_counter *counter = counter_of(&semaphore);
    if (core->run->check)
        kernel_check_signal(core, in, semaphore.buffer, counter);
    if (__builtin_add_overflow(counter->value, integer_of(core, in, 1), &counter->value))
        return kernel_core_fail(core, in->op, ERROR(INVALID_ARGUMENT, "the semaphore overflows"));
    core->run->changes++;
    return KERNEL_FLOW_NEXT;
}

static enum kernel_flow run_read(struct kernel_core *core, const struct kernel_instr *in)
{
    struct kernel_polling *polling = &core->polling;
    if (check_one(core, in, view_of(core, in, 0)) == KERNEL_FLOW_ERROR)
        return KERNEL_FLOW_ERROR;
    polling->is_stopped = polling->seen == core->run->changes && !polling->may_read;
    if (polling->is_stopped)
        return KERNEL_FLOW_WAIT;
    polling->vain = polling->seen == core->run->changes ? polling->vain + 1 : 0;
    polling->seen = core->run->changes;
    polling->may_read = false;
    int64_t value = counter_of(view_of(core, in, 0))->value;
    __builtin_memcpy(kernel_at(core, in->out), &value, (size_t)in->bytes[3]);
    return KERNEL_FLOW_NEXT;
}

/* ---- scalars of other cores ------------------------------------------------------------------ */
static enum kernel_flow run_fetch_and_add(struct kernel_core *core, const struct kernel_instr *in)
{
    int last = in->op->operand_count - 1, cores = core->run->machine->cores;
    int64_t number = integer_of(core, in, last);
    struct kernel_view at = *view_of(core, in, 0);
    int32_t old;
    if (number < 0 || number >= cores)
        return kernel_core_fail(core, in->op,
                                ERROR(INVALID_ARGUMENT, "core %lld; the kernel runs on %d cores",
                                      (long long)number, cores));
    at = kernel_memory_on(&at, &core->run->cores[core->device * cores + number]);
    for (int i = 0; i < at.rank; i++) {
        int64_t index = integer_of(core, in, 1 + i);
        if (index < 0 || index >= at.dims[i])
            return kernel_core_fail(core, in->op,
                                    ERROR(INVALID_ARGUMENT,
                                          "out of bounds: index %lld of dimension %d, which has "
                                          "%lld",
                                          (long long)index, i, (long long)at.dims[i]));
        kernel_access_advance(&at, i, index);
    }
    char *bytes = at.buffer->bytes + at.offset;
    memcpy(&old, bytes, sizeof old);
    int32_t sum = (int32_t)((uint32_t)old + (uint32_t)integer_of(core, in, last - 1));
    memcpy(bytes, &sum, sizeof sum);
    memcpy(kernel_at(core, in->out), &old, sizeof old);
    return KERNEL_FLOW_NEXT;
}

static enum kernel_flow run_barrier(struct kernel_core *core, const struct kernel_instr *in)
{
    (void)core, (void)in;
    return KERNEL_FLOW_NEXT;
}

struct error *kernel_dma_select(const struct kernel_op *op, struct kernel_instr *in)
{
    switch (op->code) {
    case KERNEL_ENQUEUE_DMA: in->run = run_enqueue; return NULL;
    case KERNEL_ENQUEUE_INDIRECT_DMA: in->run = run_indirect; return NULL;
    case KERNEL_BARRIER: in->run = run_barrier; return NULL;
    case KERNEL_FETCH_AND_ADD: in->run = run_fetch_and_add; return NULL;
    case KERNEL_WAIT_DMA:
    case KERNEL_WAIT_DMA2:
    case KERNEL_WAIT_INDIRECT_DMA:
    case KERNEL_SEM_WAIT: in->run = run_wait; return NULL;
    case KERNEL_SEM_SIGNAL: in->run = run_signal; return NULL;
    case KERNEL_SEM_READ: in->run = run_read; return NULL;
    default: return kernel_select_unsupported(op);
    }
}
