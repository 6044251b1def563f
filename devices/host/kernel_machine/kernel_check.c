#include "devices/host/kernel_machine/kernel_check.h"

#include <stdio.h>
#include <string.h>

#include "base/map.h"
#include "base/vec.h"
#include "devices/host/kernel_machine/kernel_grid.h"
#include "devices/host/kernel_machine/kernel_mxu.h"
#include "devices/host/kernel_machine/kernel_race.h"
#include "devices/host/kernel_machine/kernel_shadow.h"
#include "devices/host/kernel_machine/kernel_taint.h"

struct visited { /* a block of an output that was left */
    int64_t step;
};

struct written { /* the last block of an output that went to its array */
    struct kernel_view box;
    int64_t step;
    int bytes;
};

enum { AHEAD = 2 }; /* steps between the copy of an input block and that of an output block */

struct check_core {
    struct kernel_taints taints;
    struct map **visited;           /* by array: blocks, as the bytes of their first elements */
    int64_t *left;                  /* by array: the step in which its block was left; -1: never */
    struct kernel_origin *poisoned; /* by buffer: the first undefined read that was stored there */
    struct written (*written)[AHEAD];  /* by array */
    int64_t parallel[KERNEL_MAX_RANK]; /* the index of the grid's parallel dimensions */
    bool has_changed;                  /* it did */
};

struct kernel_check {
    struct arena *arena;
    struct check_core *cores;
    struct kernel_races *races;
};

static struct check_core *of(const struct kernel_core *core)
{
    return &core->run->check->cores[core->index];
}

/* ---- begin and end --------------------------------------------------------------------------- */
/* Arguments are written; outputs, windows, scratch memory and allocations are not. */
static bool starts_defined(const struct kernel_buffer *buffer)
{
    return buffer->role == KERNEL_BUFFER_PREFETCH || buffer->role == KERNEL_BUFFER_INPUT ||
           buffer->space == KERNEL_SEMAPHORES;
}

/* A result at the address of an operand has its content. */
static void find_same(struct kernel_core *core)
{
    const struct kernel_machine *machine = core->run->machine;
    struct kernel_buffer *arrays = core->buffers + machine->kernel->prefetch_count;
    for (int i = machine->input_count; i < machine->kernel->array_count; i++)
        for (int k = 0; k < machine->input_count; k++)
            if (arrays[k].bytes == arrays[i].bytes && arrays[i].size > 0)
                arrays[i].same = &arrays[k];
}

static void begin_core(struct kernel_check *check, struct kernel_core *core)
{
    const struct kernel_machine *machine = core->run->machine;
    struct check_core *state = &check->cores[core->index];
    size_t arrays = (size_t)machine->kernel->array_count;
    kernel_taint_begin(check->arena, machine, &state->taints);
    state->visited = ARENA_ARRAY(check->arena, struct map *, arrays);
    state->left = ARENA_ARRAY(check->arena, int64_t, arrays);
    state->written = arena_alloc(check->arena, (arrays + 1) * sizeof *state->written);
    state->poisoned =
        ARENA_ARRAY(check->arena, struct kernel_origin, (size_t)machine->buffer_count);
    for (size_t i = 0; i < arrays; i++) {
        state->visited[i] = map_create(check->arena);
        state->left[i] = -1;
    }
    find_same(core);
    for (int i = 0; i < machine->buffer_count; i++) {
        struct kernel_buffer *buffer = &core->buffers[i];
        if (!starts_defined(buffer) && buffer->same == buffer && buffer->size > 0)
            buffer->shadow = arena_alloc(check->arena, (size_t)buffer->size);
    }
}

void kernel_check_begin(struct kernel_run *run, struct arena *arena)
{
    struct kernel_check *check = ARENA_NEW(arena, struct kernel_check);
    check->arena = arena;
    check->cores = ARENA_ARRAY(arena, struct check_core, (size_t)run->core_count);
    for (int i = 0; i < run->core_count; i++)
        begin_core(check, &run->cores[i]);
    check->races = kernel_race_begin(arena, run);
    run->check = check;
}

/* ---- undefined reads ------------------------------------------------------------------------- */
static struct error *undefined(const struct kernel_origin *origin, const char *what)
{
    char where[512], name[96];
    kernel_op_where(origin->op, where, sizeof where);
    kernel_core_buffer_name(origin->buffer, name, sizeof name);
    if (origin->is_outside)
        return ERROR(
            INVALID_ARGUMENT,
            "out of bounds: %s depends on a value that %s loads from beyond %s in grid step %lld",
            what, where, name, (long long)origin->step);
    if (origin->is_parallel)
        return ERROR(
            FAILED_PRECONDITION,
            "%s depends on an uninitialized (uninitialised) read: %s reads %s in grid step %lld "
            "before anything was written there for this index of the grid's parallel dimensions "
            "(dimension_semantics): steps of other indices may run on another core, or later",
            what, where, name, (long long)origin->step);
    if (origin->is_revisited)
        return ERROR(
            FAILED_PRECONDITION,
            "%s depends on the old content of an output block that was left and is visited "
            "again: %s reads %s in grid step %lld, but a revisited output block is not read "
            "back, so its content is undefined (uninitialized)",
            what, where, name, (long long)origin->step);
    return ERROR(FAILED_PRECONDITION,
                 "%s depends on an uninitialized (uninitialised) read: %s reads %s in grid step "
                 "%lld before anything was written there",
                 what, where, name, (long long)origin->step);
}

static bool is_revisited(const struct kernel_core *core, const struct kernel_buffer *buffer)
{
    return buffer->role == KERNEL_BUFFER_WINDOW && of(core)->left[buffer->number] >= 0;
}

static bool is_output_window(const struct kernel_core *core, const struct kernel_buffer *buffer)
{
    return buffer->role == KERNEL_BUFFER_WINDOW &&
           buffer->number >= core->run->machine->input_count;
}

/* Memory that keeps its content from step to step. */
static bool is_carried(const struct kernel_core *core, const struct kernel_buffer *buffer)
{
    return of(core)->has_changed && buffer->space != KERNEL_SEMAPHORES &&
           (buffer->role == KERNEL_BUFFER_SCRATCH || is_output_window(core, buffer));
}

/* The read of a box that has undefined elements: this one, or the one that was stored there. */
static struct kernel_origin origin_of(const struct kernel_core *core, const struct kernel_instr *in,
                                      const struct kernel_view *box)
{
    const struct kernel_origin *stored = &of(core)->poisoned[box->buffer->slot];
    return stored->op ? *stored
                      : (struct kernel_origin){.op = in->op,
                                               .buffer = box->buffer,
                                               .step = core->step,
                                               .is_revisited = is_revisited(core, box->buffer),
                                               .is_parallel = is_carried(core, box->buffer)};
}

enum kernel_flow kernel_check_load(struct kernel_core *core, const struct kernel_instr *in,
                                   const struct kernel_view *box, int bytes)
{
    struct check_core *state = of(core);
    int64_t count = in->op->results[0].type->elements;
    kernel_taint_clear(&state->taints, in->out);
    struct error *error =
        kernel_race_access(core->run->check->races, core, in->op, box, bytes, false);
    if (error)
        return kernel_core_fail(core, in->op, error);
    if (kernel_shadow_is_defined(box, bytes))
        return KERNEL_FLOW_NEXT;
    struct kernel_origin origin = origin_of(core, in, box);
    struct kernel_taint *taint = kernel_taint_set(&state->taints, in->out, count, &origin);
    if (!kernel_shadow_read(box, bytes, taint->states))
        kernel_taint_clear(&state->taints, in->out);
    return KERNEL_FLOW_NEXT;
}

void kernel_check_load_outside(struct kernel_core *core, const struct kernel_instr *in,
                               const struct kernel_view *base)
{
    struct kernel_origin origin = {
        .op = in->op, .buffer = base->buffer, .step = core->step, .is_outside = true};
    kernel_taint_set(&of(core)->taints, in->out, 1, &origin)->states[0] = KERNEL_POISONED;
}

/* Scratch memory and allocations: nothing but the kernel's own operations writes them. */
static bool is_own(const struct kernel_buffer *buffer)
{
    return buffer->role == KERNEL_BUFFER_SCRATCH || buffer->role == KERNEL_BUFFER_ALLOCA;
}

/* The taint of what an instruction stores. Memory of the kernel's own that was never written and is
 * copied to an output is used; an output's old content that is written back, and the padding of an
 * input's block, are not. */
static const struct kernel_taint *stored_taint(struct kernel_core *core,
                                               const struct kernel_instr *in,
                                               const struct kernel_buffer *to)
{
    struct kernel_taints *taints = &of(core)->taints;
    const struct kernel_taint *taint = kernel_taint_get(taints, in->in[0]);
    if (taint && is_output_window(core, to) && is_own(taint->origin.buffer))
        kernel_taint_poison(taints, in->in[0]);
    return taint;
}

enum kernel_flow kernel_check_store(struct kernel_core *core, const struct kernel_instr *in,
                                    const struct kernel_view *box, int bytes, const uint8_t *mask)
{
    struct check_core *state = of(core);
    struct error *error =
        kernel_race_access(core->run->check->races, core, in->op, box, bytes, true);
    if (error)
        return kernel_core_fail(core, in->op, error);
    const struct kernel_taint *taint = stored_taint(core, in, box->buffer);
    if (in->op->attrs->add && !kernel_shadow_is_defined(box, bytes)) {
        state->poisoned[box->buffer->slot] =
            (struct kernel_origin){.op = in->op,
                                   .buffer = box->buffer,
                                   .step = core->step,
                                   .is_revisited = is_revisited(core, box->buffer),
                                   .is_parallel = is_carried(core, box->buffer)};
        kernel_shadow_write(box, bytes, NULL, KERNEL_POISONED, mask);
        return KERNEL_FLOW_NEXT;
    }
    if (taint && !state->poisoned[box->buffer->slot].op)
        state->poisoned[box->buffer->slot] = taint->origin;
    kernel_shadow_write(box, bytes, taint ? taint->states : NULL, KERNEL_DEFINED, mask);
    return KERNEL_FLOW_NEXT;
}

void kernel_check_elements(struct kernel_core *core, const struct kernel_instr *in)
{
    if (in->op->result_count > 0)
        kernel_taint_clear(&of(core)->taints, in->out);
}

enum kernel_flow kernel_check_load_at(struct kernel_core *core, const struct kernel_instr *in,
                                      const struct kernel_view *box, int bytes, int64_t i)
{
    struct kernel_taints *taints = &of(core)->taints;
    struct error *error =
        kernel_race_access(core->run->check->races, core, in->op, box, bytes, false);
    if (error)
        return kernel_core_fail(core, in->op, error);
    if (kernel_shadow_is_defined(box, bytes))
        return KERNEL_FLOW_NEXT;
    int64_t count = in->op->results[0].type->elements;
    if (!kernel_taint_get(taints, in->out)) {
        struct kernel_origin origin = origin_of(core, in, box);
        memset(kernel_taint_set(taints, in->out, count, &origin)->states, KERNEL_DEFINED,
               (size_t)count);
    }
    kernel_shadow_read(box, bytes, kernel_taint_get(taints, in->out)->states + i);
    return KERNEL_FLOW_NEXT;
}

enum kernel_flow kernel_check_store_at(struct kernel_core *core, const struct kernel_instr *in,
                                       const struct kernel_view *box, int bytes, int64_t i)
{
    struct check_core *state = of(core);
    struct error *error =
        kernel_race_access(core->run->check->races, core, in->op, box, bytes, true);
    if (error)
        return kernel_core_fail(core, in->op, error);
    const struct kernel_taint *taint = stored_taint(core, in, box->buffer);
    struct kernel_origin *poisoned = &state->poisoned[box->buffer->slot];
    uint8_t element = taint ? taint->states[i] : KERNEL_DEFINED;
    if (in->op->attrs->add && !kernel_shadow_is_defined(box, bytes)) {
        *poisoned = origin_of(core, in, box);
        element = KERNEL_POISONED;
    } else if (taint && !poisoned->op) {
        *poisoned = taint->origin;
    }
    kernel_shadow_write(box, bytes, &element, KERNEL_DEFINED, NULL);
    return KERNEL_FLOW_NEXT;
}

enum kernel_flow kernel_check_step(struct kernel_core *core, const struct kernel_instr *in)
{
    const struct kernel_taint *taint = kernel_taint_step(&of(core)->taints, core, in);
    if (!taint)
        return KERNEL_FLOW_NEXT;
    return kernel_core_fail(core, in->op,
                            undefined(&taint->origin, "a condition, index or amount"));
}

/* ---- parallel dimensions --------------------------------------------------------------------- */
static bool is_parallel(const struct kernel *kernel, int dim)
{
    return kernel->semantics[dim] == KERNEL_PARALLEL ||
           kernel->semantics[dim] == KERNEL_CORE_PARALLEL;
}

void kernel_check_begin_step(struct kernel_core *core)
{
    const struct kernel_machine *machine = core->run->machine;
    struct check_core *state = of(core);
    bool changes = false;
    for (int i = 0; i < machine->kernel->grid_rank; i++)
        if (is_parallel(machine->kernel, i)) {
            changes |= core->step > 0 && state->parallel[i] != core->grid[i];
            state->parallel[i] = core->grid[i];
        }
    if (!changes)
        return;
    state->has_changed = true;
    for (int i = machine->window_slot; i < machine->buffer_count; i++) {
        struct kernel_buffer *buffer = &core->buffers[i];
        bool is_entered = buffer->role == KERNEL_BUFFER_WINDOW &&
                          core->windows[buffer->number].step == core->step;
        if (is_carried(core, buffer) && !is_entered && buffer->shadow)
            memset(buffer->shadow, KERNEL_UNDEFINED, (size_t)buffer->size);
    }
}

/* ---- windows --------------------------------------------------------------------------------- */
/* A block of an input is copied while the step before runs, and that of an output while the step
 * after it does: of one memory, the input's has the old or the new content. */
static struct error *check_order(struct kernel_core *core, const struct kernel_view *array,
                                 int bytes)
{
    const struct kernel_machine *machine = core->run->machine;
    const struct check_core *state = of(core);
    for (int i = machine->input_count; i < machine->kernel->array_count; i++) {
        struct written current = {.step = -1};
        if (core->arrays[i].buffer->same == core->arrays[i].buffer)
            continue;
        if (core->windows[i].is_loaded && machine->kernel->windows[i].is_present &&
            kernel_grid_block(core, i, &current.box))
            current = (struct written){current.box, core->step - 1, bytes};
        const struct written *before[] = {&current, &state->written[i][0], &state->written[i][1]};
        for (int k = 0; k < 1 + AHEAD; k++)
            if (before[k]->box.buffer && before[k]->step < core->step &&
                core->step - before[k]->step <= AHEAD &&
                kernel_shadow_overlap(array, bytes, &before[k]->box, before[k]->bytes))
                return ERROR(FAILED_PRECONDITION,
                             "race: the block of input %d for grid step %lld is copied ahead of "
                             "the step, while the block of output %d that step %lld has written to "
                             "the same memory (input_output_aliases) is copied back",
                             array->buffer->number, (long long)core->step, i - machine->input_count,
                             (long long)before[k]->step);
    }
    return NULL;
}

enum kernel_flow kernel_check_fetch(struct kernel_core *core, const struct kernel_view *array,
                                    const struct kernel_view *window, int bytes)
{
    struct error *error =
        kernel_race_access(core->run->check->races, core, NULL, array, bytes, false);
    if (!error)
        error = check_order(core, array, bytes);
    if (error)
        return kernel_core_fail(core, NULL, error);
    kernel_shadow_copy(array, window, bytes);
    if (!array->buffer->same->shadow)
        kernel_shadow_write(window, bytes, NULL, KERNEL_DEFINED, NULL);
    return KERNEL_FLOW_NEXT;
}

enum kernel_flow kernel_check_write_back(struct kernel_core *core, int array_number,
                                         const struct kernel_view *window,
                                         const struct kernel_view *array, int bytes)
{
    struct kernel_check *check = core->run->check;
    struct check_core *state = of(core);
    int64_t left = state->left[array_number];
    int output = array_number - core->run->machine->input_count;
    char what[64];
    snprintf(what, sizeof what, "a block of output %d", output);
    struct error *error = kernel_race_access(check->races, core, NULL, array, bytes, true);
    if (!error && kernel_shadow_is_poisoned(window, bytes))
        error = undefined(&state->poisoned[window->buffer->slot], what);
    else if (!error && left >= 0 && !kernel_shadow_is_defined(window, bytes))
        error = ERROR(FAILED_PRECONDITION,
                      "a block of output %d was left in grid step %lld and is visited again up to "
                      "step %lld without being written completely: a revisited output block is not "
                      "read back, so its previous content is lost",
                      output, (long long)left, (long long)core->step);
    if (error)
        return kernel_core_fail(core, NULL, error);
    kernel_shadow_copy(window, array, bytes);
    if (array->buffer->same != array->buffer) {
        struct written *written = state->written[array_number];
        written[1] = written[0];
        written[0] = (struct written){*array, core->step - 1, bytes};
    }
    return KERNEL_FLOW_NEXT;
}

void kernel_check_enter(struct kernel_core *core, struct kernel_buffer *window, int array_number,
                        const int64_t *block, int rank)
{
    struct check_core *state = of(core);
    size_t size = (size_t)rank * sizeof *block;
    if (window->shadow)
        memset(window->shadow, KERNEL_UNDEFINED, (size_t)window->size);
    state->poisoned[window->slot] = (struct kernel_origin){0};
    struct visited *before = map_get(state->visited[array_number], block, size);
    state->left[array_number] = before ? before->step : -1;
    if (array_number < core->run->machine->input_count)
        return;
    if (!before) {
        before = ARENA_NEW(core->run->check->arena, struct visited);
        map_put(state->visited[array_number], block, size, before);
    }
    before->step = core->step;
}

/* ---- DMAs and semaphores --------------------------------------------------------------------- */
static bool leaves_kernel(const struct kernel_buffer *buffer)
{
    return buffer->role == KERNEL_BUFFER_OUTPUT || buffer->role == KERNEL_BUFFER_INPUT;
}

/* A DMA to an array that outlives the kernel uses each element: those of scratch memory must be
 * defined. Emitted pipelines copy whole buffers of run_scoped that they have filled in part: there
 * only what was computed from undefined elements is wrong. */
static struct error *check_source(struct kernel_core *core, const struct kernel_instr *in,
                                  const struct kernel_dma *dma)
{
    struct kernel_buffer *from = dma->from.buffer;
    const struct kernel_origin here = {.op = in->op, .buffer = from, .step = core->step};
    static const char source[] = "the source of this DMA";
    if (!from->same->shadow || !leaves_kernel(dma->to.buffer))
        return NULL;
    if (kernel_shadow_is_poisoned(&dma->from, dma->element))
        return undefined(&of(core)->poisoned[from->slot], source);
    bool is_whole =
        from->role != KERNEL_BUFFER_SCRATCH || kernel_shadow_is_defined(&dma->from, dma->element);
    return is_whole ? NULL : undefined(&here, source);
}

enum kernel_flow kernel_check_start(struct kernel_core *core, const struct kernel_instr *in,
                                    const struct kernel_dma *dma)
{
    struct error *error = kernel_race_start(core->run->check->races, core, dma);
    if (!error)
        error = check_source(core, in, dma);
    return error ? kernel_core_fail(core, in->op, error) : KERNEL_FLOW_NEXT;
}

void kernel_check_end(struct kernel_run *run, const struct kernel_dma *dma)
{
    struct kernel_origin *from =
        &run->check->cores[dma->core->index].poisoned[dma->from.buffer->slot];
    struct kernel_core *to =
        &run->cores[dma->to.buffer->device * run->machine->cores + dma->to.buffer->core];
    if (from->op && !run->check->cores[to->index].poisoned[dma->to.buffer->slot].op)
        run->check->cores[to->index].poisoned[dma->to.buffer->slot] = *from;
    kernel_shadow_copy(&dma->from, &dma->to, dma->element);
}

void kernel_check_allocate(struct kernel_core *core, struct kernel_buffer *buffer)
{
    if (buffer->shadow)
        memset(buffer->shadow, KERNEL_UNDEFINED, (size_t)buffer->size);
    of(core)->poisoned[buffer->slot] = (struct kernel_origin){0};
}

enum kernel_flow kernel_check_leave(struct kernel_core *core, const struct kernel_instr *in,
                                    const struct kernel_buffer *buffer)
{
    struct error *error = kernel_race_leave(core->run->check->races, core, buffer);
    return error ? kernel_core_fail(core, in->op, error) : KERNEL_FLOW_NEXT;
}

void kernel_check_waited(struct kernel_core *core, const struct kernel_instr *in,
                         const struct kernel_buffer *buffer, struct kernel_counter *counter,
                         int64_t amount)
{
    (void)in, (void)buffer;
    kernel_race_waited(core->run->check->races, core, counter, amount);
}

void kernel_check_signal(struct kernel_core *core, const struct kernel_instr *in,
                         const struct kernel_buffer *buffer, struct kernel_counter *counter)
{
    (void)buffer;
    kernel_race_signal(core->run->check->races, core, in->op, counter);
}

/* ---- the end --------------------------------------------------------------------------------- */
/* Whether something was written to an array by a core; arrays without a shadow had content before.
 */
static bool is_written(const struct kernel_buffer *array)
{
    const unsigned char *shadow = array->same->shadow;
    return !shadow || !array->size || shadow[0] != KERNEL_UNDEFINED ||
           memcmp(shadow, shadow + 1, (size_t)array->size - 1) != 0;
}

/* The first operation that has the value as an operand, also in regions; NULL: none. */
static const struct kernel_op *first_use(const struct kernel_block *block,
                                         const struct kernel_value *value)
{
    for (const struct kernel_op *op = block->first; op; op = op->next) {
        for (int i = 0; i < op->operand_count; i++)
            if (op->operands[i] == value)
                return op;
        for (int r = 0; r < op->region_count; r++) {
            const struct kernel_op *inner = first_use(&op->regions[r], value);
            if (inner)
                return inner;
        }
    }
    return NULL;
}

static const struct kernel_op *last_op(const struct kernel_block *block)
{
    const struct kernel_op *op = block->first;
    while (op->next)
        op = op->next;
    return op;
}

static struct error *never_written(const struct kernel_machine *machine, int device, int array,
                                   int64_t steps)
{
    char where[512];
    const struct kernel_block *body = &machine->kernel->main->body;
    const struct kernel_op *use = first_use(body, kernel_array(machine->kernel, array));
    kernel_op_where(use ? use : last_op(body), where, sizeof where);
    return ERROR(FAILED_PRECONDITION,
                 "kernel '%s': output %d of device %d is never written: its content is undefined "
                 "(uninitialized) after %lld grid steps; %s %s",
                 machine->kernel->name, array - machine->input_count, device, (long long)steps,
                 use ? "the first operation that has it is"
                     : "no operation has it before the kernel ends in",
                 where);
}

/* An output of which no step has written an element; rows that are left out are no fault. */
static struct error *check_output(const struct kernel_run *run, int device, int array)
{
    const struct kernel_machine *machine = run->machine;
    bool written = kernel_array(machine->kernel, array)->type->semaphore != KERNEL_NO_SEMAPHORE;
    int64_t steps = 0;
    for (int i = 0; i < machine->cores; i++) {
        const struct kernel_core *core = &run->cores[device * machine->cores + i];
        steps += core->step;
        written |= is_written(core->arrays[array].buffer);
    }
    if (written || steps == 0)
        return NULL;
    return never_written(machine, device, array, steps);
}

struct error *kernel_check_finish(struct kernel_run *run)
{
    const struct kernel_machine *machine = run->machine;
    TRY(kernel_race_finish(run->check->races, run));
    for (int device = 0; device < run->launch->device_count; device++)
        for (int i = machine->input_count; i < machine->kernel->array_count; i++)
            TRY(check_output(run, device, i));
    for (int i = 0; i < run->core_count; i++)
        TRY(kernel_mxu_finish(&run->cores[i]));
    return NULL;
}
