/* kernel_call.c: see kernel_call.h. */
#include "devices/host/kernel_call.h"

#include "base/alloc.h"
#include "base/env.h"
#include "compiler/frontend/mosaic/mosaic_config.h"
#include "compiler/frontend/mosaic/mosaic_read.h"
#include "compiler/kernel_ir/kernel_verify.h"
#include "devices/host/kernel_machine/kernel_machine.h"

struct state { /* of a call site */
    struct arena *arena;
    struct kernel_machine *machine;
};

struct reading {
    const struct call_spec *spec;
    struct state *state;
};

/* A kernel takes far less memory than its bytes times this. */
enum { ARENA_BASE = 16 << 20, ARENA_FOR_BYTE = 4096 };

void kernel_call_drop(void *of)
{
    struct state *state = of;
    if (!state)
        return;
    kernel_machine_destroy(state->machine);
    arena_destroy(state->arena);
    alloc_free(state);
}

/* ---- a call site ----------------------------------------------------------------------------- */
/* The results that the call puts into VMEM or SMEM themselves, and that no window divides. */
static void set_placed(const struct mosaic_config *config, int count, const struct shape *results,
                       struct kernel *kernel)
{
    struct kernel_window *windows = kernel->windows + kernel->array_count - count;
    for (int i = 0; i < config->result_count; i++) {
        const struct mosaic_placement *placed = &config->results[i];
        bool is_near = placed->color == MOSAIC_COLOR_VMEM || placed->color == MOSAIC_COLOR_SMEM;
        if (is_near && placed->index < count)
            windows[placed->index].is_placed =
                kernel_window_is_whole(&windows[placed->index], &results[placed->index]);
    }
}

static struct error *make_machine(const struct reading *reading, const struct mosaic_config *config,
                                  struct kernel *kernel)
{
    const struct call_spec *spec = reading->spec;
    struct arena *arena = reading->state->arena;
    int operands = spec->operand_count, results = spec->value_count - operands;
    struct shape *shapes = ARENA_ARRAY(arena, struct shape, (size_t)spec->value_count + 1);
    for (int i = 0; i < spec->value_count; i++)
        shapes[i] = spec->values[i].shape;
    TRY(kernel_verify_call(kernel, operands, shapes, results, shapes + operands));
    set_placed(config, results, shapes + operands, kernel);
    return kernel_machine_create(kernel, operands, shapes, results, shapes + operands,
                                 &reading->state->machine);
}

static struct error *read_state(void *context)
{
    const struct reading *reading = context;
    struct arena *arena = reading->state->arena;
    struct mosaic_config config;
    struct kernel *kernel;
    arena_set_task(arena, "reading a Pallas kernel");
    arena_set_limit(arena, ARENA_BASE + reading->spec->config_size * ARENA_FOR_BYTE);
    TRY(mosaic_config_read(arena, reading->spec->config, reading->spec->config_size, &config));
    struct mosaic_source source = mosaic_config_source(&config);
    TRY(mosaic_read_kernel(arena, &source, &kernel));
    return make_machine(reading, &config, kernel);
}

struct error *kernel_call_instantiate(const void *user, const struct call_spec *spec, void **out)
{
    struct state *state;
    (void)user;
    *out = NULL;
    TRY(alloc_zeroed(sizeof *state, &state));
    struct reading reading = {spec, state};
    struct error *error = arena_create(&state->arena);
    if (!error)
        error = arena_run(state->arena, read_state, &reading);
    if (error)
        kernel_call_drop(state);
    else
        *out = state;
    return error;
}

/* ---- running --------------------------------------------------------------------------------- */
struct error *kernel_call_run(const void *user, const struct custom_call *call)
{
    return kernel_call_run_together(user, call, 1);
}

struct error *kernel_call_run_together(const void *user, const struct custom_call *calls, int count)
{
    const struct state *state = calls[0].state;
    void *const **arrays;
    (void)user;
    TRY(alloc_array((size_t)count, sizeof *arrays, &arrays));
    for (int i = 0; i < count; i++)
        arrays[i] = calls[i].data;
    struct kernel_launch launch = {.device_count = count,
                                   .arrays = arrays,
                                   .stop = calls[0].stop,
                                   .is_checked = env_choice(ENV_GANTRY_PALLAS_CHECK) == 1,
                                   .seed = (uint64_t)env_int(ENV_GANTRY_PALLAS_SEED, 0)};
    struct error *error = kernel_machine_run(state->machine, &launch);
    alloc_free(arrays);
    return error;
}
