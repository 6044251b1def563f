#include "devices/host/kernel_machine/kernel_steps.h"

#include <stdio.h>
#include <string.h>

#include "devices/host/kernel_machine/kernel_check.h"

/* ---- errors ---------------------------------------------------------------------------------- */
enum kernel_flow kernel_core_fail(struct kernel_core *core, const struct kernel_op *op,
                                  struct error *error)
{
    char where[512];
    const char *name = core->run->machine->kernel->name;
    if (op) {
        kernel_op_where(op, where, sizeof where);
        core->error = error_prefix(error, "kernel '%s': %s", name, where);
    } else {
        core->error = error_prefix(error, "kernel '%s'", name);
    }
    return KERNEL_FLOW_ERROR;
}

void kernel_core_buffer_name(const struct kernel_buffer *buffer, char *out, size_t size)
{
    static const char *const roles[] = {"prefetched operand", "input",   "output",
                                        "window of array",    "scratch", "alloca",
                                        "barrier semaphore"};
    static const char *const spaces[] = {"any",  "hbm",        "vmem", "smem",
                                         "cmem", "semaphores", "host"};
    snprintf(out, size, "%s %d (%s) of device %d", roles[buffer->role], buffer->number,
             spaces[buffer->space], buffer->device);
}

/* ---- control --------------------------------------------------------------------------------- */
enum kernel_flow kernel_steps_copy(struct kernel_core *core, const struct kernel_instr *in)
{
    const struct kernel_copy *copies = in->plan;
    size_t at = 0;
    if (in->plan_count == 1) {
        memcpy(kernel_at(core, copies[0].to), kernel_at(core, copies[0].from), copies[0].bytes);
        return KERNEL_FLOW_NEXT;
    }
    for (int i = 0; i < in->plan_count; i++) {
        memcpy(core->scratch + at, kernel_at(core, copies[i].from), copies[i].bytes);
        at += (copies[i].bytes + 63) / 64 * 64;
    }
    at = 0;
    for (int i = 0; i < in->plan_count; i++) {
        memcpy(kernel_at(core, copies[i].to), core->scratch + at, copies[i].bytes);
        at += (copies[i].bytes + 63) / 64 * 64;
    }
    return KERNEL_FLOW_NEXT;
}

enum kernel_flow kernel_steps_leave(struct kernel_core *core, const struct kernel_instr *in)
{
    const struct kernel_region *region = in->plan;
    const struct kernel_machine *machine = core->run->machine;
    enum kernel_flow flow = KERNEL_FLOW_NEXT;
    for (int i = 0; core->run->check && i < region->count && flow == KERNEL_FLOW_NEXT; i++)
        flow =
            kernel_check_leave(core, in, &core->buffers[machine->alloca_slot + region->first + i]);
    return flow;
}

enum kernel_flow kernel_steps_jump(struct kernel_core *core, const struct kernel_instr *in)
{
    core->pc = in->target;
    return KERNEL_FLOW_JUMP;
}

static bool is_stopped(const struct kernel_core *core)
{
    const atomic_uint *stop = core->run->launch->stop;
    return stop && atomic_load_explicit(stop, memory_order_relaxed) != 0;
}

enum kernel_flow kernel_steps_repeat(struct kernel_core *core, const struct kernel_instr *in)
{
    if (is_stopped(core))
        return kernel_core_fail(core, in->op, ERROR(CANCELLED, "the execution was cancelled"));
    return kernel_steps_jump(core, in);
}

enum kernel_flow kernel_steps_branch(struct kernel_core *core, const struct kernel_instr *in)
{
    if (*(const uint8_t *)kernel_at(core, in->in[0]))
        return KERNEL_FLOW_NEXT;
    return kernel_steps_jump(core, in);
}

enum kernel_flow kernel_steps_switch(struct kernel_core *core, const struct kernel_instr *in)
{
    const int *targets = in->plan;
    int64_t value = kernel_integer(kernel_at(core, in->in[0]), in->bytes[0]);
    struct dims cases = in->op->attrs->sizes;
    core->pc = targets[0];
    for (int64_t i = 0; i < cases.count; i++)
        if (cases.at[i] == value)
            core->pc = targets[i + 1];
    return KERNEL_FLOW_JUMP;
}

enum kernel_flow kernel_steps_for_test(struct kernel_core *core, const struct kernel_instr *in)
{
    int64_t at = kernel_integer(kernel_at(core, in->in[0]), in->bytes[0]);
    int64_t end = kernel_integer(kernel_at(core, in->in[1]), in->bytes[0]);
    int64_t step = kernel_integer(kernel_at(core, in->in[2]), in->bytes[0]);
    if (step <= 0)
        return kernel_core_fail(
            core, in->op,
            ERROR(INVALID_ARGUMENT, "a step of %lld; it must be positive", (long long)step));
    return at < end ? KERNEL_FLOW_NEXT : kernel_steps_jump(core, in);
}

enum kernel_flow kernel_steps_for_next(struct kernel_core *core, const struct kernel_instr *in)
{
    int64_t at = kernel_integer(kernel_at(core, in->in[0]), in->bytes[0]);
    int64_t step = kernel_integer(kernel_at(core, in->in[2]), in->bytes[0]);
    int64_t end = kernel_integer(kernel_at(core, in->in[1]), in->bytes[0]);
    int64_t next = end - at <= step ? end : at + step; /* never beyond the type */
    memcpy(kernel_at(core, in->in[0]), &next, (size_t)in->bytes[0]);
    return kernel_steps_repeat(core, in);
}

enum kernel_flow kernel_steps_assert(struct kernel_core *core, const struct kernel_instr *in)
{
    if (*(const uint8_t *)kernel_at(core, in->in[0]))
        return KERNEL_FLOW_NEXT;
    const char *text = in->op->attrs->text;
    return kernel_core_fail(
        core, in->op,
        ERROR(FAILED_PRECONDITION, "the assertion failed: %s", text ? text : "no message"));
}

/* ---- queries and random numbers -------------------------------------------------------------- */
static int64_t answer(const struct kernel_core *core, const struct kernel_instr *in)
{
    const struct kernel_view *view;
    int64_t axis;
    switch (in->op->code) {
    case KERNEL_MEMORY_SPACE_IS:
        view = kernel_at(core, in->in[0]);
        return view->buffer->space == in->op->attrs->space;
    case KERNEL_DEVICE_ID: return core->device;
    case KERNEL_CORE_ID: return core->core;
    case KERNEL_ITERATION_BOUND: return core->run->grid[in->op->attrs->axis];
    case KERNEL_MEMREF_DIM:
        view = kernel_at(core, in->in[0]);
        axis = kernel_integer(kernel_at(core, in->in[1]), in->bytes[1]);
        return axis >= 0 && axis < view->rank ? view->dims[axis] : 0;
    default: return 0;
    }
}

enum kernel_flow kernel_steps_query(struct kernel_core *core, const struct kernel_instr *in)
{
    int64_t value = answer(core, in);
    memcpy(kernel_at(core, in->out), &value, (size_t)in->bytes[3]);
    return KERNEL_FLOW_NEXT;
}

/* splitmix64 */
static uint64_t next_random(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    return z ^ z >> 31;
}

enum kernel_flow kernel_steps_seed(struct kernel_core *core, const struct kernel_instr *in)
{
    core->random = 0;
    for (int i = 0; i < in->op->operand_count; i++) {
        int bytes = dtype_bytes(in->op->operands[i]->type->dtype);
        core->random ^= (uint64_t)kernel_integer(kernel_at(core, in->all[i]), bytes);
        core->random = next_random(&core->random);
    }
    return KERNEL_FLOW_NEXT;
}

enum kernel_flow kernel_steps_random(struct kernel_core *core, const struct kernel_instr *in)
{
    uint32_t *out = kernel_at(core, in->out);
    for (int64_t i = 0; i < in->count; i++)
        out[i] = (uint32_t)(next_random(&core->random) >> 32);
    return KERNEL_FLOW_NEXT;
}

enum kernel_flow kernel_steps_call(struct kernel_core *core, const struct kernel_listing *listing,
                                   char *frame)
{
    char *outer_frame = core->frame;
    int outer_pc = core->pc;
    enum kernel_flow flow = KERNEL_FLOW_NEXT;
    core->frame = frame;
    core->is_in_map = true;
    for (core->pc = 0; core->pc < listing->count && flow != KERNEL_FLOW_ERROR;) {
        const struct kernel_instr *in = &listing->instrs[core->pc];
        flow = in->run(core, in);
        core->pc += flow != KERNEL_FLOW_JUMP;
    }
    core->is_in_map = false;
    core->frame = outer_frame;
    core->pc = outer_pc;
    return flow == KERNEL_FLOW_ERROR ? flow : KERNEL_FLOW_NEXT;
}
