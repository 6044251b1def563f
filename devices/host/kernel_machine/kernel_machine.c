#include "devices/host/kernel_machine/kernel_machine.h"

#include <string.h>

#include "base/alloc.h"
#include "base/fpu.h"
#include "devices/host/kernel_machine/kernel_build.h"
#include "devices/host/kernel_machine/kernel_check.h"
#include "devices/host/kernel_machine/kernel_dma.h"
#include "devices/host/kernel_machine/kernel_grid.h"
#include "devices/host/kernel_machine/kernel_memory.h"
#include "devices/host/kernel_machine/kernel_mxu.h"
#include "devices/host/kernel_machine/kernel_padding.h"

enum { MAX_CORES = 64 };

/* ---- making a machine ------------------------------------------------------------------------ */
static size_t round_up(size_t bytes)
{
    return (bytes + 63) / 64 * 64;
}

static int count_ops(const struct kernel_block *block)
{
    int count = 0;
    for (const struct kernel_op *op = block->first; op; op = op->next) {
        count++;
        for (int i = 0; i < op->region_count; i++)
            count += count_ops(&op->regions[i]);
    }
    return count;
}

/* The first dimension that is parallel over cores has a core for each index; more than MAX_CORES
 * take turns on one. */
static void set_cores(struct kernel_machine *machine)
{
    const struct kernel *kernel = machine->kernel;
    machine->cores = 1;
    machine->core_dim = -1;
    for (int i = 0; i < kernel->grid_rank && machine->core_dim < 0; i++)
        if (kernel->semantics[i] == KERNEL_CORE_PARALLEL && kernel->grid[i] > 1 &&
            kernel->grid[i] <= MAX_CORES) {
            machine->cores = (int)kernel->grid[i];
            machine->core_dim = i;
        }
}

static struct error *build_all(struct kernel_machine *machine)
{
    const struct kernel *kernel = machine->kernel;
    machine->allocas = ARENA_ARRAY(machine->arena, const struct kernel_op *,
                                   (size_t)count_ops(&kernel->main->body));
    machine->transforms =
        ARENA_ARRAY(machine->arena, struct kernel_listing, (size_t)kernel->array_count);
    TRY(kernel_build(machine->arena, machine, kernel->main, &machine->main));
    for (int i = 0; i < kernel->array_count; i++)
        if (kernel->windows[i].is_present)
            TRY(kernel_build(machine->arena, machine, kernel->windows[i].transform,
                             &machine->transforms[i]));
    return NULL;
}

static struct error *make(void *context)
{
    struct kernel_machine *machine = context;
    const struct kernel *kernel = machine->kernel;
    for (int i = 0; i < machine->operand_count + machine->result_count; i++)
        machine->shapes[i] = shape_copy(machine->arena, &machine->shapes[i]);
    machine->bound_count = 0;
    for (int i = 0; i < kernel->grid_rank; i++)
        machine->bound_count += kernel->grid[i] == KERNEL_DYNAMIC;
    machine->input_count = machine->operand_count - machine->bound_count - kernel->prefetch_count;
    set_cores(machine);
    machine->window_slot = kernel->prefetch_count + kernel->array_count;
    machine->scratch_slot = machine->window_slot + kernel->array_count;
    machine->barrier_slot = machine->scratch_slot + kernel->scratch_count;
    machine->alloca_slot = machine->barrier_slot + 1;
    TRY(build_all(machine));
    machine->buffer_count = machine->alloca_slot + machine->alloca_count;
    kernel_padding_find(machine);
    return NULL;
}

struct error *kernel_machine_create(const struct kernel *kernel, int operand_count,
                                    const struct shape *operands, int result_count,
                                    const struct shape *results, struct kernel_machine **out)
{
    struct kernel_machine *machine;
    struct arena *arena;
    *out = NULL;
    TRY(arena_create(&arena));
    machine = ARENA_NEW(arena, struct kernel_machine);
    struct shape *shapes =
        machine ? ARENA_ARRAY(arena, struct shape, (size_t)(operand_count + result_count)) : NULL;
    if (!shapes) {
        arena_destroy(arena);
        return error_out_of_memory();
    }
    memcpy(shapes, operands, (size_t)operand_count * sizeof *shapes);
    memcpy(shapes + operand_count, results, (size_t)result_count * sizeof *shapes);
    *machine = (struct kernel_machine){.kernel = kernel,
                                       .arena = arena,
                                       .operand_count = operand_count,
                                       .result_count = result_count,
                                       .shapes = shapes};
    struct error *error = arena_run(arena, make, machine);
    if (error)
        arena_destroy(arena);
    else
        *out = machine;
    return error;
}

void kernel_machine_destroy(struct kernel_machine *machine)
{
    if (machine)
        arena_destroy(machine->arena);
}

/* ---- buffers --------------------------------------------------------------------------------- */
static int64_t buffer_bytes(const struct kernel_type *type)
{
    int64_t element =
        type->semaphore ? (int64_t)sizeof(struct kernel_counter) : dtype_bytes(type->dtype);
    return type->elements * element;
}

/* Describes the buffers that belong to a core; those of whole arrays have no memory of it. */
static void describe(const struct kernel_machine *machine, struct kernel_buffer *buffers)
{
    const struct kernel *kernel = machine->kernel;
    for (int i = 0; i < kernel->prefetch_count; i++)
        buffers[i] = (struct kernel_buffer){.role = KERNEL_BUFFER_PREFETCH,
                                            .number = i,
                                            .space = KERNEL_SMEM,
                                            .size = buffer_bytes(kernel_prefetch(kernel, i)->type)};
    for (int i = 0; i < kernel->array_count; i++) {
        const struct kernel_window *window = &kernel->windows[i];
        const struct kernel_type *type = kernel_array(kernel, i)->type;
        bool is_input = i < machine->input_count;
        const struct shape *shape =
            &machine->shapes[machine->bound_count + kernel->prefetch_count + i];
        buffers[kernel->prefetch_count + i] =
            (struct kernel_buffer){.role = is_input ? KERNEL_BUFFER_INPUT : KERNEL_BUFFER_OUTPUT,
                                   .number = is_input ? i : i - machine->input_count,
                                   .space = KERNEL_HBM,
                                   .size = shape_bytes(shape)};
        bool has_block =
            window->is_present || (type->space != KERNEL_ANY && type->space != KERNEL_HBM);
        buffers[machine->window_slot + i] =
            (struct kernel_buffer){.role = KERNEL_BUFFER_WINDOW,
                                   .number = i,
                                   .space = type->space,
                                   .size = !has_block                         ? 0
                                           : type->elements != KERNEL_DYNAMIC ? buffer_bytes(type)
                                                                              : shape_bytes(shape)};
    }
    for (int i = 0; i < kernel->scratch_count; i++) {
        const struct kernel_type *type = kernel_scratch(kernel, i)->type;
        buffers[machine->scratch_slot + i] = (struct kernel_buffer){.role = KERNEL_BUFFER_SCRATCH,
                                                                    .number = i,
                                                                    .space = type->space,
                                                                    .size = buffer_bytes(type)};
    }
    buffers[machine->barrier_slot] = (struct kernel_buffer){.role = KERNEL_BUFFER_BARRIER,
                                                            .space = KERNEL_SEMAPHORES,
                                                            .size = sizeof(struct kernel_counter)};
    for (int i = 0; i < machine->alloca_count; i++) {
        const struct kernel_type *type = machine->allocas[i]->results[0].type;
        buffers[machine->alloca_slot + i] = (struct kernel_buffer){.role = KERNEL_BUFFER_ALLOCA,
                                                                   .number = i,
                                                                   .space = type->space,
                                                                   .size = buffer_bytes(type)};
    }
}

static bool is_array(const struct kernel_buffer *buffer)
{
    return buffer->role == KERNEL_BUFFER_INPUT || buffer->role == KERNEL_BUFFER_OUTPUT;
}

/* ---- a core's memory ------------------------------------------------------------------------- */
/* Parts of one block of memory; with `memory` NULL only their sizes are counted. */
struct parts {
    char *memory;
    size_t at;
};

static void *take(struct parts *parts, size_t bytes)
{
    void *part = parts->memory ? parts->memory + parts->at : NULL;
    parts->at += round_up(bytes);
    return part;
}

static size_t lay_out(const struct kernel_machine *machine, struct kernel_core *core, char *memory)
{
    const struct kernel *kernel = machine->kernel;
    struct parts parts = {.memory = memory};
    core->frame = take(&parts, machine->main.frame_bytes);
    core->scratch = take(&parts, machine->scratch_bytes + 64);
    core->buffers = take(&parts, (size_t)machine->buffer_count * sizeof *core->buffers);
    core->windows = take(&parts, (size_t)kernel->array_count * sizeof *core->windows);
    core->arrays = take(&parts, (size_t)kernel->array_count * sizeof *core->arrays);
    core->transform_frames =
        take(&parts, (size_t)kernel->array_count * sizeof *core->transform_frames);
    for (int i = 0; i < kernel->array_count; i++) {
        char *frame = take(&parts, machine->transforms[i].frame_bytes + 64);
        if (memory)
            core->transform_frames[i] = kernel->windows[i].is_present ? frame : NULL;
    }
    return parts.at;
}

/* The buffers' memory follows. */
static size_t lay_out_buffers(const struct kernel_machine *machine, struct kernel_buffer *buffers,
                              char *memory)
{
    struct parts parts = {.memory = memory};
    for (int i = 0; i < machine->buffer_count; i++)
        if (!is_array(&buffers[i]))
            buffers[i].bytes = take(&parts, (size_t)buffers[i].size);
    return parts.at;
}

size_t kernel_machine_bytes(const struct kernel_machine *machine)
{
    struct kernel_core core;
    struct kernel_buffer *buffers;
    size_t bytes = lay_out(machine, &core, NULL);
    struct error *error = alloc_array((size_t)machine->buffer_count, sizeof *buffers, &buffers);
    if (error) {
        error_free(error);
        return bytes;
    }
    describe(machine, buffers);
    bytes += lay_out_buffers(machine, buffers, NULL);
    alloc_free(buffers);
    return bytes * (size_t)machine->cores;
}

/* ---- runs ------------------------------------------------------------------------------------ */
static void *array_at(const struct kernel_run *run, int device, int array)
{
    const struct kernel_machine *machine = run->machine;
    int at = machine->bound_count + machine->kernel->prefetch_count + array;
    void *padded = run->padded ? run->padded[device * machine->kernel->array_count + array] : NULL;
    return padded ? padded : run->launch->arrays[device][at];
}

static void set_arrays(struct kernel_core *core)
{
    const struct kernel_machine *machine = core->run->machine;
    const struct kernel *kernel = machine->kernel;
    for (int i = 0; i < kernel->array_count; i++) {
        const struct shape *shape =
            &machine->shapes[machine->bound_count + kernel->prefetch_count + i];
        struct kernel_buffer *buffer = &core->buffers[kernel->prefetch_count + i];
        struct kernel_type type = {.kind = KERNEL_REF, .dtype = shape->dtype, .rank = shape->rank};
        for (int k = 0; k < shape->rank; k++)
            type.dims[k] = shape->dims[k];
        buffer->bytes = array_at(core->run, core->device, i);
        if (core->run->padded && core->run->padded[core->device * kernel->array_count + i])
            kernel_padding_view(shape, buffer, &core->arrays[i]);
        else
            kernel_memory_view(buffer, &type, &core->arrays[i]);
    }
    for (int i = 0; i < kernel->prefetch_count; i++)
        memcpy(core->buffers[i].bytes,
               core->run->launch->arrays[core->device][machine->bound_count + i],
               (size_t)core->buffers[i].size);
}

/* A result that the call puts into VMEM or SMEM itself, or semaphores, at the address of an operand
 * is one memory with it there, too. */
static void share_placed(struct kernel_core *core)
{
    const struct kernel_machine *machine = core->run->machine;
    const struct kernel *kernel = machine->kernel;
    struct kernel_buffer *arrays = core->buffers + machine->kernel->prefetch_count;
    struct kernel_buffer *windows = core->buffers + machine->window_slot;
    const struct shape *shapes = machine->shapes + machine->bound_count + kernel->prefetch_count;
    for (int i = machine->input_count; i < kernel->array_count; i++)
        for (int k = 0; k < machine->input_count; k++)
            if ((kernel->windows[i].is_placed || windows[i].space == KERNEL_SEMAPHORES) &&
                kernel_window_is_whole(&kernel->windows[k], &shapes[k]) &&
                arrays[k].bytes == arrays[i].bytes && windows[k].space == windows[i].space &&
                windows[k].size == windows[i].size) {
                windows[i].bytes = windows[k].bytes;
                windows[i].same = &windows[k];
            }
}

static struct error *start_core(struct kernel_run *run, int index)
{
    const struct kernel_machine *machine = run->machine;
    struct kernel_core *core = &run->cores[index];
    size_t bytes = lay_out(machine, core, NULL);
    char *memory;
    TRY(alloc_zeroed(kernel_machine_bytes(machine) / (size_t)machine->cores + 64, &memory));
    char *aligned = (char *)round_up((size_t)memory);
    lay_out(machine, core, aligned);
    core->memory = memory;
    core->run = run;
    core->index = index;
    core->device = index / machine->cores;
    core->core = index % machine->cores;
    describe(machine, core->buffers);
    lay_out_buffers(machine, core->buffers, aligned + bytes);
    for (int i = 0; i < machine->buffer_count; i++) {
        core->buffers[i].slot = i;
        core->buffers[i].device = core->device;
        core->buffers[i].core = core->core;
        core->buffers[i].same = &core->buffers[i];
    }
    set_arrays(core);
    share_placed(core);
    memcpy(core->frame, machine->main.constants, machine->main.constant_bytes);
    for (int i = 0; i < machine->kernel->array_count; i++)
        if (core->transform_frames[i])
            memcpy(core->transform_frames[i], machine->transforms[i].constants,
                   machine->transforms[i].constant_bytes);
    return NULL;
}

/* The grid's bounds; those of all devices are equal in a program. */
static void set_grid(struct kernel_run *run)
{
    const struct kernel *kernel = run->machine->kernel;
    int next = 0;
    for (int i = 0; i < kernel->grid_rank; i++)
        run->grid[i] = kernel->grid[i] == KERNEL_DYNAMIC
                           ? *(const int32_t *)run->launch->arrays[0][next++]
                           : kernel->grid[i];
}

static struct error *deadlock(struct kernel_run *run)
{
    char first[640] = "", second[640] = "";
    int waiting = 0;
    for (int i = 0; i < run->core_count; i++)
        if (!run->cores[i].is_done && waiting++ < 2)
            kernel_dma_describe_wait(&run->cores[i], waiting == 1 ? first : second, sizeof first);
    return ERROR(
        FAILED_PRECONDITION,
        "kernel '%s': deadlock: it hangs, since no operation or DMA can end its waits: %s%s%s; "
        "%d of %d cores wait, no DMA is in flight",
        run->machine->kernel->name, first, *second ? "; " : "", second, waiting, run->core_count);
}

static struct error *run_cores(struct kernel_run *run)
{
    for (int left = run->core_count; left > 0;) {
        bool progress = false;
        left = 0;
        for (int i = 0; i < run->core_count; i++) {
            struct kernel_core *core = &run->cores[i];
            if (kernel_grid_run(core, &progress) == KERNEL_FLOW_ERROR) {
                struct error *error = core->error;
                core->error = NULL;
                return error;
            }
            left += !core->is_done;
        }
        if (left > 0 && !progress && !kernel_dma_end_one(run) && !kernel_dma_poll_again(run))
            return deadlock(run);
    }
    while (kernel_dma_end_one(run))
        ;
    for (int i = 0; i < run->core_count; i++)
        kernel_grid_semaphores(&run->cores[i], true);
    return run->check ? kernel_check_finish(run) : NULL;
}

static struct error *start(void *context)
{
    struct kernel_run *run = context;
    set_grid(run);
    TRY(kernel_padding_begin(run));
    for (int i = 0; i < run->core_count; i++)
        TRY(start_core(run, i));
    if (run->arena)
        kernel_check_begin(run, run->arena);
    for (int i = 0; i < run->core_count; i++) {
        kernel_grid_begin(&run->cores[i]);
        kernel_grid_semaphores(&run->cores[i], false);
    }
    return run_cores(run);
}

/* Numbers of less than a byte as they are outside of kernels: extended to the byte. Inside, the
 * other bits may be anything, and the types have no sign. */
static void extend_small(const struct shape *shape, uint8_t *bytes)
{
    const struct dtype_info *info = dtype_info(shape->dtype);
    if (info->bits >= 8 || (info->class != CLASS_SIGNED && info->class != CLASS_UNSIGNED))
        return;
    uint8_t mask = (uint8_t)((1u << info->bits) - 1);
    uint8_t sign = info->class == CLASS_SIGNED ? (uint8_t)(1u << (info->bits - 1)) : 0;
    for (int64_t i = 0, count = shape_bytes(shape); i < count; i++)
        bytes[i] = (uint8_t)(((bytes[i] & mask) ^ sign) - sign);
}

static void extend_results(const struct kernel_run *run)
{
    const struct kernel_machine *machine = run->machine;
    for (int device = 0; device < run->launch->device_count; device++)
        for (int i = machine->operand_count; i < machine->operand_count + machine->result_count;
             i++)
            extend_small(&machine->shapes[i], run->launch->arrays[device][i]);
}

struct error *kernel_machine_run(const struct kernel_machine *machine,
                                 const struct kernel_launch *launch)
{
    struct kernel_run run = {.machine = machine,
                             .launch = launch,
                             .random = launch->seed,
                             .core_count = machine->cores * launch->device_count};
    TRY(alloc_array((size_t)run.core_count, sizeof *run.cores, &run.cores));
    struct fpu_mode mode = fpu_enter();
    struct error *error = launch->is_checked ? arena_create(&run.arena) : NULL;
    if (!error)
        error = run.arena ? arena_run(run.arena, start, &run) : start(&run);
    fpu_restore(mode);
    kernel_padding_end(&run);
    extend_results(&run);
    arena_destroy(run.arena);
    for (int i = 0; i < run.core_count; i++) {
        error_free(run.cores[i].error);
        kernel_mxu_destroy(run.cores[i].mxu);
        alloc_free(run.cores[i].memory);
    }
    alloc_free(run.dmas);
    alloc_free(run.cores);
    return error;
}
