/* pallas_windows.c: see pallas_windows.h. */
#include "compiler/model/pallas/pallas_windows.h"

#include "base/vec.h"

const char *pallas_windows_role(enum pallas_role role)
{
    static const char *const names[] = {[PALLAS_PREFETCH] = "scalar prefetch",
                                        [PALLAS_INPUT] = "input",
                                        [PALLAS_OUTPUT] = "output",
                                        [PALLAS_SCRATCH] = "scratch",
                                        [PALLAS_ALLOCA] = "allocation"};
    return names[role];
}

/* ---- sizes ----------------------------------------------------------------------------------- */
static uint64_t multiply(uint64_t x, uint64_t y)
{
    uint64_t out;
    return __builtin_mul_overflow(x, y, &out) ? UINT64_MAX : out;
}

static uint64_t add(uint64_t x, uint64_t y)
{
    uint64_t out;
    return __builtin_add_overflow(x, y, &out) ? UINT64_MAX : out;
}

static uint64_t round_up(uint64_t value, uint64_t unit)
{
    return value > UINT64_MAX - unit ? UINT64_MAX : (value + unit - 1) / unit * unit;
}

static int bits_of(enum dtype dtype)
{
    return dtype == DTYPE_PRED ? 32
                               : dtype_info(dtype)->bits; /* predicates are stored as integers */
}

/* Rows of a tile: as many as sublanes hold; an array of fewer rows has a tile of 1, 2 or 4
 * sublanes. */
static uint64_t tile_rows(const struct accelerator *a, uint64_t rows, int bits)
{
    uint64_t packed = bits < 32 ? 32 / (uint64_t)bits : 1, tile = packed;
    while (tile < rows && tile < packed * (uint64_t)a->sublanes)
        tile *= 2;
    return tile;
}

uint64_t pallas_windows_padded(const struct accelerator *a, const struct kernel_type *type)
{
    uint64_t lanes = (uint64_t)a->lanes, outer = 1, rows = 1, columns = 1;
    if (type->dtype == DTYPE_INVALID || type->elements == KERNEL_DYNAMIC)
        return 0;
    int bits = bits_of(type->dtype), rank = type->rank;
    if (rank)
        columns = (uint64_t)type->dims[rank - 1];
    if (rank > 1)
        rows = (uint64_t)type->dims[rank - 2];
    for (int d = 0; d < rank - 2; d++)
        outer = multiply(outer, (uint64_t)type->dims[d]);
    if (rank == 1) { /* of one dimension: rows of lanes */
        rows = (columns + lanes - 1) / lanes;
        columns = lanes;
    }
    rows = round_up(rows, tile_rows(a, rows, bits));
    uint64_t elements = multiply(multiply(outer, rows), round_up(columns, lanes));
    return multiply(elements, (uint64_t)bits) == UINT64_MAX ? UINT64_MAX
                                                            : elements * (uint64_t)bits / 8;
}

/* ---- what index maps depend on --------------------------------------------------------------- */
struct dependence {
    unsigned dimensions;
    bool loads; /* a scalar of a prefetched array */
};

/* On which arguments the results of a transform depend. */
static struct dependence depends(struct arena *arena, const struct kernel_function *transform)
{
    struct dependence *known =
        ARENA_ARRAY(arena, struct dependence, (size_t)transform->value_count + 1);
    struct dependence out = {0};
    for (int i = 0; i < transform->body.argument_count && i < 32; i++)
        known[transform->body.arguments[i].id].dimensions = 1u << i;
    for (const struct kernel_op *op = transform->body.first; op; op = op->next) {
        struct dependence of = {.loads = kernel_op_info(op->code)->class == KERNEL_CLASS_LOAD ||
                                         op->region_count > 0};
        for (int i = 0; i < op->operand_count; i++) {
            of.dimensions |= known[op->operands[i]->id].dimensions;
            of.loads |= known[op->operands[i]->id].loads;
        }
        for (int i = 0; i < op->result_count; i++)
            known[op->results[i].id] = of;
        if (op->code == KERNEL_RETURN)
            out = of;
    }
    return out;
}

/* The dimensions of the grid that have more than one step. */
static unsigned moving_dimensions(const struct kernel *kernel)
{
    unsigned out = 0;
    for (int d = 0; d < kernel->grid_rank; d++)
        out |= kernel->grid[d] != 1 ? 1u << d : 0;
    return out;
}

/* ---- windows --------------------------------------------------------------------------------- */
struct collector {
    struct arena *arena;
    const struct accelerator *accelerator;
    const struct kernel *kernel;
    struct pallas_windows *out;
    VEC(struct pallas_window) items;
};

/* What libtpu 0.0.45 allocates for blocks: all buffers of a window in units of 1 KiB, except those
 * of an input of one element. (Of 30 kernels with windows of 512 to 3,072 bytes.) */
static uint64_t allocated(const struct pallas_window *window)
{
    enum { UNIT = 1024 };
    uint64_t bytes = multiply(window->bytes, (uint64_t)window->buffers);
    bool is_block = (window->role == PALLAS_INPUT && window->type->elements != 1) ||
                    window->role == PALLAS_OUTPUT;
    return is_block ? round_up(bytes, UNIT) : bytes;
}

static void add_window(struct collector *c, struct pallas_window window)
{
    struct pallas_windows *out = c->out;
    window.bytes = pallas_windows_padded(c->accelerator, window.type);
    uint64_t bytes = allocated(&window);
    if (window.space == KERNEL_VMEM)
        out->vmem_bytes = add(out->vmem_bytes, bytes);
    if (window.space == KERNEL_SMEM && window.type->elements != KERNEL_DYNAMIC)
        out->smem_bytes = add(out->smem_bytes,
                              multiply((uint64_t)window.type->elements,
                                       window.type->dtype == DTYPE_INVALID ? 0 : sizeof(int32_t)));
    VEC_PUSH(c->arena, &c->items, window);
}

static void add_array(struct collector *c, int i, int inputs)
{
    const struct kernel *kernel = c->kernel;
    const struct kernel_window *window = &kernel->windows[i];
    struct pallas_window item = {.role = i < inputs ? PALLAS_INPUT : PALLAS_OUTPUT,
                                 .index = i < inputs ? i : i - inputs,
                                 .type = kernel_array(kernel, i)->type,
                                 .buffers = 1};
    item.space = item.type->space;
    if (window->is_present && window->transform) {
        struct dependence of = depends(c->arena, window->transform);
        item.window = window;
        item.dimensions = of.dimensions & moving_dimensions(kernel);
        item.moves = item.dimensions || (of.loads && moving_dimensions(kernel));
        item.synchronous = window->pipeline == KERNEL_SYNCHRONOUS;
        item.buffers = item.moves && !item.synchronous ? 2 : 1;
    }
    add_window(c, item);
}

static void add_allocas(struct collector *c, const struct kernel_block *block, int *count)
{
    for (const struct kernel_op *op = block->first; op; op = op->next) {
        if (op->code == KERNEL_ALLOCA)
            add_window(c, (struct pallas_window){.role = PALLAS_ALLOCA,
                                                 .index = (*count)++,
                                                 .type = op->results[0].type,
                                                 .space = op->results[0].type->space,
                                                 .buffers = 1});
        for (int r = 0; r < op->region_count; r++)
            add_allocas(c, &op->regions[r], count);
    }
}

static double steps_of(const struct kernel *kernel)
{
    double steps = 1;
    for (int d = 0; d < kernel->grid_rank; d++)
        steps *= kernel->grid[d] == KERNEL_DYNAMIC ? PALLAS_UNKNOWN_STEPS : (double)kernel->grid[d];
    return steps;
}

static struct pallas_window whole(enum pallas_role role, int index, const struct kernel_value *of)
{
    return (struct pallas_window){
        .role = role, .index = index, .type = of->type, .space = of->type->space, .buffers = 1};
}

struct pallas_windows pallas_windows(struct arena *arena, const struct accelerator *accelerator,
                                     const struct kernel *kernel, int results)
{
    struct pallas_windows out = {.steps = steps_of(kernel)};
    struct collector c = {
        .arena = arena, .accelerator = accelerator, .kernel = kernel, .out = &out};
    int allocas = 0;
    for (int i = 0; i < kernel->prefetch_count; i++)
        add_window(&c, whole(PALLAS_PREFETCH, i, kernel_prefetch(kernel, i)));
    for (int i = 0; i < kernel->array_count; i++)
        add_array(&c, i, kernel->array_count - results);
    for (int i = 0; i < kernel->scratch_count; i++)
        add_window(&c, whole(PALLAS_SCRATCH, i, kernel_scratch(kernel, i)));
    add_allocas(&c, &kernel->main->body, &allocas);
    out.count = (int)c.items.count;
    out.items = c.items.items;
    return out;
}
