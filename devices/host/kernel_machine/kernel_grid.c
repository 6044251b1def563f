#include "devices/host/kernel_machine/kernel_grid.h"

#include <string.h>

#include "devices/host/kernel_machine/kernel_check.h"
#include "devices/host/kernel_machine/kernel_memory.h"
#include "devices/host/kernel_machine/kernel_steps.h"

/* ---- arguments ------------------------------------------------------------------------------- */
static void *argument(const struct kernel_core *core, const struct kernel_value *value)
{
    return core->frame + core->run->machine->main.offsets[value->id];
}

static bool is_windowed(const struct kernel *kernel, int array)
{
    enum kernel_space space = kernel_array(kernel, array)->type->space;
    return kernel->windows[array].is_present || space == KERNEL_VMEM || space == KERNEL_SMEM ||
           space == KERNEL_CMEM;
}

static void set_views(struct kernel_core *core)
{
    const struct kernel_machine *machine = core->run->machine;
    const struct kernel *kernel = machine->kernel;
    for (int i = 0; i < kernel->prefetch_count; i++) {
        const struct kernel_value *value = kernel_prefetch(kernel, i);
        kernel_memory_view(&core->buffers[i], value->type, argument(core, value));
        for (int k = 0; k < kernel->array_count; k++) {
            const struct kernel_listing *map = &machine->transforms[k];
            if (core->transform_frames[k]) {
                int id = map->function->body.arguments[kernel->grid_rank + i].id;
                kernel_memory_view(&core->buffers[i], value->type,
                                   (void *)(core->transform_frames[k] + map->offsets[id]));
            }
        }
    }
    for (int i = 0; i < kernel->array_count; i++) {
        const struct kernel_value *value = kernel_array(kernel, i);
        if (is_windowed(kernel, i) || value->type->semaphore != KERNEL_NO_SEMAPHORE)
            kernel_memory_view(&core->buffers[machine->window_slot + i], value->type,
                               argument(core, value));
        else
            memcpy(argument(core, value), &core->arrays[i], sizeof core->arrays[i]);
    }
    for (int i = 0; i < kernel->scratch_count; i++) {
        const struct kernel_value *value = kernel_scratch(kernel, i);
        kernel_memory_view(&core->buffers[machine->scratch_slot + i], value->type,
                           argument(core, value));
    }
}

static void set_grid(struct kernel_core *core)
{
    const struct kernel_machine *machine = core->run->machine;
    const struct kernel *kernel = machine->kernel;
    for (int i = 0; i < kernel->grid_rank; i++) {
        int32_t index = (int32_t)core->grid[i];
        memcpy(argument(core, &kernel->main->body.arguments[i]), &index, sizeof index);
        for (int k = 0; k < kernel->array_count; k++)
            if (core->transform_frames[k]) {
                const struct kernel_listing *map = &machine->transforms[k];
                int id = map->function->body.arguments[i].id;
                memcpy(core->transform_frames[k] + map->offsets[id], &index, sizeof index);
            }
    }
}

/* ---- steps ----------------------------------------------------------------------------------- */
static bool is_own(const struct kernel_core *core, int dim)
{
    return core->run->machine->core_dim == dim;
}

/* The first step of a core, or false if it has none. */
static bool first_step(struct kernel_core *core)
{
    const struct kernel *kernel = core->run->machine->kernel;
    for (int i = 0; i < kernel->grid_rank; i++) {
        core->grid[i] = is_own(core, i) ? core->core : 0;
        if (core->grid[i] >= core->run->grid[i])
            return false;
    }
    return true;
}

static bool next_step(struct kernel_core *core)
{
    core->step++;
    for (int i = core->run->machine->kernel->grid_rank - 1; i >= 0; i--) {
        if (is_own(core, i))
            continue;
        if (++core->grid[i] < core->run->grid[i])
            return true;
        core->grid[i] = 0;
    }
    return false;
}

/* ---- blocks ---------------------------------------------------------------------------------- */
static enum kernel_flow bad_block(struct kernel_core *core, int array, int dim, int64_t index,
                                  int64_t start)
{
    const struct kernel_machine *machine = core->run->machine;
    const struct kernel_window *window = &machine->kernel->windows[array];
    bool is_input = array < machine->input_count;
    struct kernel_core *c = core;
    int number = is_input ? array : array - machine->input_count;
    return kernel_core_fail(
        c, NULL,
        ERROR(
            INVALID_ARGUMENT,
            "block index out of bounds: index map %s of %s %d names block %lld of dimension %d in "
            "grid step %lld, elements from %lld on; the array has %lld, the block %lld",
            window->transform->name, is_input ? "input" : "output", number, (long long)index, dim,
            (long long)core->step, (long long)start, (long long)core->arrays[array].dims[dim],
            (long long)window->bounds.at[dim]));
}

/* The first elements of the block that the index map names for this step. */
static enum kernel_flow find_block(struct kernel_core *core, int array, int64_t *block)
{
    const struct kernel_machine *machine = core->run->machine;
    const struct kernel_window *window = &machine->kernel->windows[array];
    const struct kernel_view *whole = &core->arrays[array];
    const struct kernel_listing *map = &machine->transforms[array];
    memset(block, 0, sizeof *block * KERNEL_MAX_RANK);
    if (!window->is_present)
        return KERNEL_FLOW_NEXT;
    if (map->count > 0 &&
        kernel_steps_call(core, map, core->transform_frames[array]) == KERNEL_FLOW_ERROR)
        return KERNEL_FLOW_ERROR;
    const struct kernel_op *last = map->function->body.first;
    while (last->next)
        last = last->next;
    for (int i = 0; i < last->operand_count; i++) {
        const char *at = core->transform_frames[array] + map->offsets[last->operands[i]->id];
        int64_t index = kernel_integer(at, dtype_bytes(last->operands[i]->type->dtype));
        int64_t low = 0, high = whole->dims[i];
        if (window->is_element) {
            low = -window->pad_low.at[i];
            high += window->pad_high.at[i] - window->bounds.at[i] + 1;
            block[i] = index + low;
        } else if (__builtin_mul_overflow(index, window->bounds.at[i], &block[i])) {
            block[i] = INT64_MAX;
        }
        if (block[i] < low || (block[i] >= high && block[i] != 0))
            return bad_block(core, array, i, index, block[i]);
    }
    return KERNEL_FLOW_NEXT;
}

/* The part of a block that is inside of the array, on both sides; false: none. */
static bool clip(const struct kernel_core *core, int array, const int64_t *block,
                 struct kernel_view *outside, struct kernel_view *inside)
{
    const struct kernel_machine *machine = core->run->machine;
    const struct kernel_window *window = &machine->kernel->windows[array];
    const struct kernel_view *whole = &core->arrays[array];
    int64_t stride = dtype_bytes(kernel_array(machine->kernel, array)->type->dtype);
    *outside = *inside = *whole;
    inside->buffer = &core->run->cores[core->index].buffers[machine->window_slot + array];
    for (int i = whole->rank - 1; i >= 0; i--) {
        int64_t size = window->is_present ? window->bounds.at[i] : whole->dims[i];
        int64_t low = block[i] > 0 ? block[i] : 0;
        int64_t high = block[i] + size < whole->dims[i] ? block[i] + size : whole->dims[i];
        if (high <= low)
            return false;
        outside->offset += low * whole->strides[i];
        inside->offset += (low - block[i]) * stride;
        outside->dims[i] = inside->dims[i] = high - low;
        inside->strides[i] = stride;
        stride *= size;
    }
    return true;
}

bool kernel_grid_block(const struct kernel_core *core, int array, struct kernel_view *out)
{
    struct kernel_view inside;
    return clip(core, array, core->windows[array].block, out, &inside);
}

static int bytes_of(const struct kernel_core *core, int array)
{
    return dtype_bytes(kernel_array(core->run->machine->kernel, array)->type->dtype);
}

static enum kernel_flow fetch(struct kernel_core *core, int array, const int64_t *block)
{
    struct kernel_view outside, inside;
    int bytes = bytes_of(core, array);
    if (!clip(core, array, block, &outside, &inside))
        return KERNEL_FLOW_NEXT;
    if (core->run->check && kernel_check_fetch(core, &outside, &inside, bytes) == KERNEL_FLOW_ERROR)
        return KERNEL_FLOW_ERROR;
    kernel_memory_copy(&outside, &inside, bytes);
    return KERNEL_FLOW_NEXT;
}

static enum kernel_flow write_back(struct kernel_core *core, int array)
{
    struct kernel_view outside, inside;
    int bytes = bytes_of(core, array);
    const int64_t *block = core->windows[array].block;
    if (!core->windows[array].is_loaded || array < core->run->machine->input_count ||
        !clip(core, array, block, &outside, &inside))
        return KERNEL_FLOW_NEXT;
    if (core->run->check &&
        kernel_check_write_back(core, array, &inside, &outside, bytes) == KERNEL_FLOW_ERROR)
        return KERNEL_FLOW_ERROR;
    kernel_memory_copy(&inside, &outside, bytes);
    return KERNEL_FLOW_NEXT;
}

static enum kernel_flow enter_window(struct kernel_core *core, int array)
{
    const struct kernel_machine *machine = core->run->machine;
    struct kernel_window_state *state = &core->windows[array];
    int64_t block[KERNEL_MAX_RANK];
    if (find_block(core, array, block) == KERNEL_FLOW_ERROR)
        return KERNEL_FLOW_ERROR;
    if (state->is_loaded && memcmp(block, state->block, sizeof block) == 0)
        return KERNEL_FLOW_NEXT;
    if (write_back(core, array) == KERNEL_FLOW_ERROR)
        return KERNEL_FLOW_ERROR;
    memcpy(state->block, block, sizeof block);
    state->is_loaded = true;
    state->step = core->step;
    if (core->run->check)
        kernel_check_enter(core, &core->buffers[machine->window_slot + array], array, block,
                           core->arrays[array].rank);
    if (array < machine->input_count || machine->kernel->windows[array].revisits_any)
        return fetch(core, array, block);
    return KERNEL_FLOW_NEXT;
}

static enum kernel_flow enter_step(struct kernel_core *core)
{
    const struct kernel *kernel = core->run->machine->kernel;
    const atomic_uint *stop = core->run->launch->stop;
    if (stop && atomic_load_explicit(stop, memory_order_relaxed) != 0)
        return kernel_core_fail(core, NULL, ERROR(CANCELLED, "the execution was cancelled"));
    set_grid(core);
    for (int i = 0; i < kernel->array_count; i++)
        if (is_windowed(kernel, i) && enter_window(core, i) == KERNEL_FLOW_ERROR)
            return KERNEL_FLOW_ERROR;
    if (core->run->check)
        kernel_check_begin_step(core);
    return KERNEL_FLOW_NEXT;
}

static enum kernel_flow end(struct kernel_core *core)
{
    const struct kernel *kernel = core->run->machine->kernel;
    core->is_done = true;
    for (int i = 0; i < kernel->array_count; i++)
        if (is_windowed(kernel, i) && write_back(core, i) == KERNEL_FLOW_ERROR)
            return KERNEL_FLOW_ERROR;
    return KERNEL_FLOW_NEXT;
}

/* ---- semaphores that calls hand on ----------------------------------------------------------- */
void kernel_grid_semaphores(struct kernel_core *core, bool stores)
{
    const struct kernel_machine *machine = core->run->machine;
    int first = stores ? machine->input_count : 0;
    int end = stores ? machine->kernel->array_count : machine->input_count;
    for (int i = first; i < end; i++) {
        const struct kernel_type *type = kernel_array(machine->kernel, i)->type;
        int bytes = dtype_bytes(
            machine->shapes[machine->bound_count + machine->kernel->prefetch_count + i].dtype);
        struct kernel_counter *counters =
            (struct kernel_counter *)(void *)core->buffers[machine->window_slot + i].bytes;
        char *counts = core->arrays[i].buffer->bytes;
        for (int64_t k = 0; type->semaphore != KERNEL_NO_SEMAPHORE && k < type->elements; k++)
            if (stores)
                memcpy(counts + k * bytes, &counters[k].value, (size_t)bytes);
            else
                counters[k].value = kernel_integer(counts + k * bytes, bytes);
    }
}

/* ---- the core -------------------------------------------------------------------------------- */
void kernel_grid_begin(struct kernel_core *core)
{
    set_views(core);
    core->pc = -1; /* before a step */
    core->polling.seen = -1;
    core->is_done = !first_step(core);
}

static enum kernel_flow run_step(struct kernel_core *core, bool *progress)
{
    const struct kernel_listing *listing = &core->run->machine->main;
    const struct kernel_instr *instrs = listing->instrs;
    bool is_checked = core->run->check != NULL;
    while (core->pc < listing->count) {
        const struct kernel_instr *in = &instrs[core->pc];
        enum kernel_flow flow = in->run(core, in);
        if (flow == KERNEL_FLOW_NEXT) {
            if (is_checked && kernel_check_step(core, in) == KERNEL_FLOW_ERROR)
                return KERNEL_FLOW_ERROR;
            core->pc++;
        } else if (flow != KERNEL_FLOW_JUMP) {
            return flow;
        } else if (is_checked && kernel_check_step(core, in) == KERNEL_FLOW_ERROR) {
            return KERNEL_FLOW_ERROR;
        }
        *progress = true;
    }
    return KERNEL_FLOW_NEXT;
}

enum kernel_flow kernel_grid_run(struct kernel_core *core, bool *progress)
{
    while (!core->is_done) {
        if (core->pc < 0) {
            if (enter_step(core) == KERNEL_FLOW_ERROR)
                return KERNEL_FLOW_ERROR;
            core->pc = 0;
            *progress = true;
        }
        enum kernel_flow flow = run_step(core, progress);
        if (flow != KERNEL_FLOW_NEXT)
            return flow;
        core->pc = -1;
        *progress = true;
        if (!next_step(core) && end(core) == KERNEL_FLOW_ERROR)
            return KERNEL_FLOW_ERROR;
    }
    return KERNEL_FLOW_NEXT;
}
