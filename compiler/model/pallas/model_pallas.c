/* model_pallas.c: see model_pallas.h. */
#include "compiler/model/pallas/model_pallas.h"

#include <stdlib.h>

#include "base/map.h"
#include "compiler/kernel_ir/kernel_verify.h"
#include "compiler/model/pallas/pallas_fifo.h"

struct walk {
    const struct module *module;
    const struct accelerator *accelerator;
    struct map *out;
};

const char *model_pallas_label(struct arena *arena, const struct pallas_window *window)
{
    char type[128];
    kernel_type_print(window->type, type, sizeof type);
    return arena_format(arena, "%s %d: %s", pallas_windows_role(window->role), window->index, type);
}

/* ---- too much VMEM --------------------------------------------------------------------------- */
static uint64_t vmem_of(const struct pallas_window *window)
{
    return window->space == KERNEL_VMEM ? window->bytes * (uint64_t)window->buffers : 0;
}

static int compare(const void *left, const void *right)
{
    uint64_t x = vmem_of(left), y = vmem_of(right);
    return (x < y) - (x > y);
}

/* The array of the call that a window is of. */
static const struct shape *array_of(const struct model_pallas_cost *cost,
                                    const struct pallas_window *window)
{
    int first = kernel_dynamic_bounds(cost->call->kernel) + cost->call->kernel->prefetch_count;
    return window->role == PALLAS_INPUT ? &cost->op->operands[first + window->index]->type->shape
                                        : &cost->op->results[window->index].type->shape;
}

static const char *print_block(struct arena *arena, enum dtype dtype, int64_t rank,
                               const int64_t *dims)
{
    const char *out = arena_format(arena, "%s[", dtype_name(dtype));
    for (int64_t i = 0; i < rank; i++)
        out = arena_format(arena, "%s%s%lld", out, i ? "," : "", (long long)dims[i]);
    return arena_format(arena, "%s]", out);
}

/* What takes VMEM, in the words of the TPU's compiler. */
static const char *allocation(struct arena *arena, const struct model_pallas_cost *cost,
                              const struct pallas_window *window)
{
    const struct kernel_type *type = window->type;
    const char *label = model_pallas_label(arena, window);
    if (window->role != PALLAS_INPUT && window->role != PALLAS_OUTPUT)
        return label;
    bool is_input = window->role == PALLAS_INPUT;
    const struct shape *whole = array_of(cost, window);
    struct dims bounds = window->window ? window->window->bounds : (struct dims){0};
    const char *block = window->window ? print_block(arena, type->dtype, bounds.count, bounds.at)
                                       : print_block(arena, type->dtype, type->rank, type->dims);
    const char *name = is_input ? "input" : "output";
    int number = window->index + (is_input ? cost->call->kernel->prefetch_count : 0);
    const char *buffers = window->buffers == 1 ? "This allocation is single buffered"
                                               : "This allocation has 2 buffering levels";
    return arena_format(arena,
                        "%s window allocation for operator %s %d, %s. The window shape is %s, "
                        "while the full shape is %s. %s",
                        name, name, number, label, block,
                        print_block(arena, whole->dtype, whole->rank, whole->dims), buffers);
}

/* "2 x 16.00M input window allocation ...; ..." of the largest windows. */
static const char *largest(struct arena *arena, const struct model_pallas_cost *cost)
{
    const struct pallas_windows *windows = &cost->windows;
    enum { LISTED = 4 };
    const char *out = "";
    size_t count = (size_t)windows->count;
    struct pallas_window *sorted = arena_copy(arena, windows->items, count * sizeof *sorted);
    if (count)
        qsort(sorted, count, sizeof *sorted, compare);
    for (size_t i = 0; i < count && i < LISTED && vmem_of(&sorted[i]); i++)
        out =
            arena_format(arena, "%s%s%d x %.2fM %s", out, i ? "; " : "", sorted[i].buffers,
                         (double)sorted[i].bytes / (1 << 20), allocation(arena, cost, &sorted[i]));
    return out;
}

static struct error *check_vmem(const struct walk *w, const struct model_pallas_cost *cost)
{
    const struct kernel *kernel = cost->call->kernel;
    struct arena *arena = w->module->arena;
    double mib = 1 << 20, size = (double)cost->windows.vmem_bytes, limit = (double)cost->vmem_limit;
    if (cost->windows.vmem_bytes <= cost->vmem_limit)
        return NULL;
    return ERROR(RESOURCE_EXHAUSTED,
                 "%s: Pallas kernel '%s': Ran out of memory in memory space vmem: a scoped "
                 "allocation of %.2fM exceeds the limit of %.2fM on %s by %.2fM. Largest: %s. "
                 "Smaller blocks in BlockSpec, or one buffer for each "
                 "(pipeline_mode=pl.Buffered(1)) need less; "
                 "pltpu.CompilerParams(vmem_limit_bytes=...) raises the limit up to %.0fM",
                 ir_where(arena, cost->op), kernel->name, size / mib, limit / mib,
                 w->accelerator->name, (size - limit) / mib, largest(arena, cost),
                 (double)w->accelerator->vmem_bytes / mib);
}

static struct error *check_smem(const struct walk *w, const struct model_pallas_cost *cost)
{
    uint64_t size = cost->windows.smem_bytes, limit = w->accelerator->smem_bytes;
    if (size <= limit)
        return NULL;
    return ERROR(RESOURCE_EXHAUSTED,
                 "%s: Pallas kernel '%s': Ran out of memory in memory space smem: allocations of "
                 "%.2fM exceed the memory of %.2fM on %s. Scalar prefetch and blocks in SMEM are "
                 "for small arrays of scalars",
                 ir_where(w->module->arena, cost->op), cost->call->kernel->name,
                 (double)size / (1 << 20), (double)limit / (1 << 20), w->accelerator->name);
}

/* What libtpu 0.0.45 asks for on v5e, v5p and v6e, whatever the kernel. */
enum { LEAST_INTERNAL_SCRATCH = 36864 };

static struct error *check_scratch(const struct walk *w, const struct model_pallas_cost *cost)
{
    int64_t asked = cost->call->config.internal_scratch_bytes;
    if (asked <= 0 || asked >= LEAST_INTERNAL_SCRATCH)
        return NULL;
    return ERROR(INVALID_ARGUMENT,
                 "%s: Mosaic failed to compile TPU kernel: kernel '%s': Requested internal scratch "
                 "size %lld needs to be at least %d bytes.",
                 ir_where(w->module->arena, cost->op), cost->call->kernel->name, (long long)asked,
                 LEAST_INTERNAL_SCRATCH);
}

/* ---- all kernels ----------------------------------------------------------------------------- */
static struct error *add_call(struct walk *w, const struct op *op, const struct mosaic_call *call)
{
    struct arena *arena = w->module->arena;
    struct model_pallas_cost *cost = ARENA_NEW(arena, struct model_pallas_cost);
    if (!w->out)
        w->out = map_create(arena);
    if (map_get_pointer(w->out, call))
        return NULL;
    cost->op = op;
    cost->call = call;
    cost->windows = pallas_windows(arena, w->accelerator, call->kernel, op->result_count);
    cost->vmem_limit = call->config.vmem_limit_bytes >= 0 ? (uint64_t)call->config.vmem_limit_bytes
                                                          : w->accelerator->vmem_for_kernel;
    TRY(check_vmem(w, cost));
    TRY(check_smem(w, cost));
    TRY(check_scratch(w, cost));
    struct error *error = pallas_fifo_check(w->accelerator, call->kernel);
    if (error)
        return error_prefix(error, "%s: Mosaic failed to compile TPU kernel", ir_where(arena, op));
    cost->grid = pallas_grid(arena, w->accelerator, call->kernel, &cost->windows);
    map_put_pointer(w->out, call, cost);
    cost->number = (int64_t)map_count(w->out);
    return NULL;
}

static struct error *walk_block(struct walk *w, const struct block *block)
{
    for (const struct op *op = block->first; op; op = op->next) {
        const struct mosaic_call *call = mosaic_call_find(w->module, op);
        if (call)
            TRY(add_call(w, op, call));
        for (int r = 0; r < op->region_count; r++)
            TRY(walk_block(w, op->regions[r]));
    }
    return NULL;
}

struct error *model_pallas(const struct module *module, const struct accelerator *accelerator,
                           struct map **out)
{
    struct walk walk = {.module = module, .accelerator = accelerator};
    *out = NULL;
    if (module->kernels)
        TRY(walk_block(&walk, module->entry->body));
    *out = walk.out;
    return NULL;
}

struct model_pallas_cost *model_pallas_find(const struct map *all, const struct module *module,
                                            const struct op *op)
{
    const struct mosaic_call *call = all ? mosaic_call_find(module, op) : NULL;
    return call ? map_get_pointer(all, call) : NULL;
}
