#include "devices/host/kernel_machine/kernel_padding.h"

#include <string.h>

#include "base/alloc.h"
#include "devices/host/kernel_machine/kernel_memory.h"

enum { LANES = 128, SUBLANES = 8, WORD_BITS = 32 };

/* Of an array: slices reach into its padding; other views need its rows without gaps. It has
 * padding if that is wanted and not refused. */
enum { WANTED = 1, REFUSED = 2 };

/* ---- sizes ----------------------------------------------------------------------------------- */
static int64_t round_to(int64_t size, int64_t tile)
{
    return (size + tile - 1) / tile * tile;
}

/* Rows of a tile: of 32 bits 8, of fewer bits more; arrays of few rows have smaller tiles. */
static int64_t padded_rows(enum dtype dtype, int64_t rows)
{
    int64_t tile = SUBLANES * WORD_BITS / dtype_info(dtype)->bits, few = 1;
    while (few < rows && few < tile)
        few *= 2;
    return rows < tile ? few : round_to(rows, tile);
}

/* The sizes of an array with its padding; false: it has none. */
static bool pad(const struct shape *shape, int64_t *dims)
{
    int bits = dtype_info(shape->dtype)->bits;
    memcpy(dims, shape->dims, (size_t)shape->rank * sizeof *dims);
    if (shape->rank < 2 || bits > WORD_BITS || bits < 1)
        return false;
    int64_t *rows = &dims[shape->rank - 2], *columns = &dims[shape->rank - 1];
    *rows = padded_rows(shape->dtype, *rows);
    *columns = round_to(*columns, LANES);
    return *rows != shape->dims[shape->rank - 2] || *columns != shape->dims[shape->rank - 1];
}

/* ---- which arrays ---------------------------------------------------------------------------- */
struct search {
    struct kernel_machine *machine;
    int *arrays; /* by value: the array that it is a view of, 1 + its number; 0: none */
};

static const struct shape *shape_of(const struct kernel_machine *machine, int array)
{
    return &machine->shapes[machine->bound_count + machine->kernel->prefetch_count + array];
}

/* Whether a slice may end behind the array, but inside its last tile. */
static bool may_reach(const struct kernel_op *op, const struct shape *shape)
{
    const struct kernel_type *from = op->operands[0]->type, *to = op->results[0].type;
    int64_t padded[KERNEL_MAX_RANK];
    if (from->rank < 2 || !pad(shape, padded))
        return false;
    for (int i = 1; i <= 2; i++) {
        int64_t size = to->dims[to->rank - i], all = shape->dims[shape->rank - i];
        if (from->dims[from->rank - i] != all)
            return false;
        if (padded[shape->rank - i] != all && size != all)
            return true;
    }
    return false;
}

static void visit(struct search *search, const struct kernel_op *op)
{
    int from = op->operand_count > 0 ? search->arrays[op->operands[0]->id] : 0;
    if (!from || kernel_op_info(op->code)->class != KERNEL_CLASS_VIEW)
        return;
    search->arrays[op->results[0].id] = from;
    uint8_t *padding = &search->machine->padding[from - 1];
    if (op->code == KERNEL_MEMREF_SLICE)
        *padding |= may_reach(op, shape_of(search->machine, from - 1)) ? WANTED : 0;
    else if (op->code == KERNEL_MEMREF_RESHAPE || op->code == KERNEL_MEMREF_BITCAST ||
             op->code == KERNEL_REINTERPRET_CAST)
        *padding |= REFUSED;
}

static void walk(struct search *search, const struct kernel_block *block)
{
    for (const struct kernel_op *op = block->first; op; op = op->next) {
        visit(search, op);
        for (int i = 0; i < op->region_count; i++)
            walk(search, &op->regions[i]);
    }
}

void kernel_padding_find(struct kernel_machine *machine)
{
    const struct kernel *kernel = machine->kernel;
    struct search search = {machine,
                            ARENA_ARRAY(machine->arena, int, (size_t)kernel->main->value_count)};
    machine->padding = ARENA_ARRAY(machine->arena, uint8_t, (size_t)kernel->array_count + 1);
    for (int i = 0; i < kernel->array_count; i++) {
        enum kernel_space space = kernel_array(kernel, i)->type->space;
        bool is_far = space == KERNEL_ANY || space == KERNEL_HBM;
        if (is_far && !kernel->windows[i].is_present && shape_elements(shape_of(machine, i)) > 0)
            search.arrays[kernel_array(kernel, i)->id] = 1 + i;
    }
    walk(&search, &kernel->main->body);
    for (int i = 0; i < kernel->array_count; i++)
        machine->pads_any |= machine->padding[i] == WANTED;
}

/* ---- runs ------------------------------------------------------------------------------------ */
static void copy_rows(const struct shape *shape, char *plain, char *padded, bool is_back)
{
    int64_t dims[KERNEL_MAX_RANK], count = 1, bytes = dtype_bytes(shape->dtype);
    pad(shape, dims);
    int64_t rows = shape->dims[shape->rank - 2], all_rows = dims[shape->rank - 2];
    int64_t row = shape->dims[shape->rank - 1] * bytes, whole = dims[shape->rank - 1] * bytes;
    for (int i = 0; i < shape->rank - 2; i++)
        count *= dims[i];
    for (int64_t i = 0; i < count * rows; i++) {
        char *at = padded + (i / rows * all_rows + i % rows) * whole;
        memcpy(is_back ? plain + i * row : at, is_back ? at : plain + i * row, (size_t)row);
    }
}

static size_t padded_bytes(const struct shape *shape)
{
    int64_t dims[KERNEL_MAX_RANK], bytes = dtype_bytes(shape->dtype);
    pad(shape, dims);
    for (int i = 0; i < shape->rank; i++)
        bytes *= dims[i];
    return (size_t)bytes;
}

static void *launched(const struct kernel_run *run, int device, int array)
{
    const struct kernel_machine *machine = run->machine;
    return run->launch
        ->arrays[device][machine->bound_count + machine->kernel->prefetch_count + array];
}

/* An array in front of this one that has the same memory (an alias), or itself. */
static int first_at(const struct kernel_run *run, int device, int array)
{
    const struct shape *shape = shape_of(run->machine, array);
    int i = 0;
    while (i < array && (launched(run, device, i) != launched(run, device, array) ||
                         !shape_equal(shape_of(run->machine, i), shape)))
        i++;
    return i;
}

/* Arrays of one memory have padding together or not at all, and alike on all devices: a remote DMA
 * finds its target by the place in the sender's array. False: nothing was left to join. */
static bool join_aliases(const struct kernel_run *run, uint8_t *padding)
{
    bool joined = false;
    for (int device = 0; device < run->launch->device_count; device++)
        for (int i = 0; i < run->machine->kernel->array_count; i++) {
            uint8_t *first = &padding[first_at(run, device, i)], both = *first | padding[i];
            joined |= both != *first || both != padding[i];
            *first = padding[i] = both;
        }
    return joined;
}

/* The padded memory of an array; aliases share it. */
static struct error *begin_array(struct kernel_run *run, int device, int array)
{
    const struct kernel_machine *machine = run->machine;
    const struct shape *shape = shape_of(machine, array);
    void **padded = run->padded + (size_t)device * (size_t)machine->kernel->array_count;
    int first = first_at(run, device, array);
    if (first < array) {
        padded[array] = padded[first];
        return NULL;
    }
    TRY(alloc_zeroed(padded_bytes(shape), &padded[array]));
    copy_rows(shape, launched(run, device, array), padded[array], false);
    return NULL;
}

static struct error *begin_all(struct kernel_run *run, uint8_t *padding)
{
    int arrays = run->machine->kernel->array_count;
    memcpy(padding, run->machine->padding, (size_t)arrays);
    while (join_aliases(run, padding))
        ;
    for (int device = 0; device < run->launch->device_count; device++)
        for (int i = 0; i < arrays; i++)
            if (padding[i] == WANTED)
                TRY(begin_array(run, device, i));
    return NULL;
}

struct error *kernel_padding_begin(struct kernel_run *run)
{
    size_t arrays = (size_t)run->machine->kernel->array_count;
    size_t devices = (size_t)run->launch->device_count;
    uint8_t *padding;
    if (!run->machine->pads_any)
        return NULL;
    TRY(alloc_zeroed(devices * arrays * sizeof *run->padded, &run->padded));
    TRY(alloc_zeroed(arrays, &padding));
    struct error *error = begin_all(run, padding);
    alloc_free(padding);
    return error;
}

void kernel_padding_end(struct kernel_run *run)
{
    int arrays = run->machine->kernel->array_count;
    for (int i = 0; run->padded && i < run->launch->device_count * arrays; i++)
        if (run->padded[i] && i % arrays >= run->machine->input_count)
            copy_rows(shape_of(run->machine, i % arrays), launched(run, i / arrays, i % arrays),
                      run->padded[i], true);
    for (int i = 0; run->padded && i < run->launch->device_count * arrays; i++)
        if (first_at(run, i / arrays, i % arrays) == i % arrays)
            alloc_free(run->padded[i]);
    alloc_free(run->padded);
}

void kernel_padding_view(const struct shape *shape, struct kernel_buffer *buffer,
                         struct kernel_view *view)
{
    struct kernel_type type = {.kind = KERNEL_REF, .dtype = shape->dtype, .rank = shape->rank};
    pad(shape, type.dims);
    buffer->size = (int64_t)padded_bytes(shape);
    kernel_memory_view(buffer, &type, view);
    for (int i = 0; i < 2; i++) {
        int dim = shape->rank - 2 + i;
        view->room[i] = type.dims[dim];
        view->dims[dim] = shape->dims[dim];
    }
}
