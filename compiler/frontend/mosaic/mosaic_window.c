#include "compiler/frontend/mosaic/mosaic_window.h"

#include <string.h>

#include "base/map.h"
#include "compiler/frontend/mosaic/mosaic_affine.h"
#include "compiler/frontend/mosaic/mosaic_attr.h"

static struct error *wrong(const struct kernel *kernel, const char *name, const char *expected)
{
    return ERROR(INVALID_ARGUMENT, "kernel '%s': the attribute %s must be %s", kernel->name, name,
                 expected);
}

/* ---- the grid -------------------------------------------------------------------------------- */
static struct error *read_grid(struct arena *arena, const struct mlir_attr *dict,
                               struct kernel *kernel)
{
    struct dims bounds;
    TRY(mosaic_attr_ints(arena, mlir_attr_lookup(dict, "iteration_bounds"), "iteration_bounds",
                         &bounds));
    if (bounds.count > KERNEL_MAX_RANK)
        return wrong(kernel, "iteration_bounds", "a list of at most 16 sizes");
    kernel->grid_rank = (int)bounds.count;
    for (int i = 0; i < kernel->grid_rank; i++) {
        kernel->grid[i] = bounds.at[i];
        if (bounds.at[i] < 0 && bounds.at[i] != KERNEL_DYNAMIC)
            return wrong(kernel, "iteration_bounds", "a list of sizes");
    }
    return NULL;
}

static struct error *read_semantics(const struct mlir_attr *dict, struct kernel *kernel)
{
    static const char *const names[] = {"arbitrary", "parallel", "core_parallel",
                                        "subcore_parallel"};
    const struct mlir_attr *list = mlir_attr_lookup(dict, "dimension_semantics");
    if (!list || list->kind != MLIR_ARRAY)
        return NULL;
    for (size_t i = 0; i < list->array.count && i < (size_t)kernel->grid_rank; i++) {
        size_t kind = 0;
        while (kind < 4 && !mosaic_attr_is(list->array.at[i], names[kind]))
            kind++;
        if (kind == 4)
            return wrong(kernel, "dimension_semantics",
                         "arbitrary, parallel, core_parallel or subcore_parallel");
        kernel->semantics[i] = (enum kernel_semantics)kind;
    }
    return NULL;
}

/* ---- arguments ------------------------------------------------------------------------------- */
static struct error *read_count(const struct mlir_attr *dict, const char *name,
                                struct kernel *kernel, int *out)
{
    const struct mlir_attr *attr = mlir_attr_lookup(dict, name);
    *out = 0;
    if (!attr)
        return NULL;
    if (attr->kind != MLIR_INTEGER || attr->integer < 0 || attr->integer > INT16_MAX)
        return wrong(kernel, name, "a count of arguments");
    *out = (int)attr->integer;
    return NULL;
}

static struct error *read_roles(const struct mlir_attr *dict, struct kernel *kernel)
{
    TRY(read_count(dict, "scalar_prefetch", kernel, &kernel->prefetch_count));
    TRY(read_count(dict, "scratch_operands", kernel, &kernel->scratch_count));
    kernel->array_count = kernel->main->body.argument_count - kernel->grid_rank -
                          kernel->prefetch_count - kernel->scratch_count;
    if (kernel->array_count < 0)
        return ERROR(INVALID_ARGUMENT,
                     "kernel '%s': has %d arguments; its grid, scalar_prefetch and "
                     "scratch_operands are %d, %d and %d",
                     kernel->name, kernel->main->body.argument_count, kernel->grid_rank,
                     kernel->prefetch_count, kernel->scratch_count);
    return NULL;
}

/* ---- windows --------------------------------------------------------------------------------- */
static struct map *name_functions(struct arena *arena, const struct kernel *kernel)
{
    struct map *map = map_create(arena);
    for (int i = 0; i < kernel->function_count; i++)
        map_put(map, kernel->functions[i].name, strlen(kernel->functions[i].name),
                &kernel->functions[i]);
    return map;
}

/* "[0, 0],[8, 0]" of "#tpu.element_window<[0, 0],[8, 0]>": two lists of as many sizes. */
static bool read_padding(struct arena *arena, struct string text, int64_t rank,
                         struct kernel_window *out)
{
    int64_t *numbers = ARENA_ARRAY(arena, int64_t, 2 * KERNEL_MAX_RANK);
    int64_t count = 0;
    for (size_t i = 0; i < text.size && count < 2 * rank;) {
        if (text.data[i] < '0' || text.data[i] > '9') {
            i++;
            continue;
        }
        for (; i < text.size && text.data[i] >= '0' && text.data[i] <= '9'; i++)
            if (numbers[count] < KERNEL_MAX_ELEMENTS)
                numbers[count] = numbers[count] * 10 + (text.data[i] - '0');
        count++;
    }
    out->pad_low = (struct dims){rank, numbers};
    out->pad_high = (struct dims){rank, numbers + rank};
    return count == 2 * rank;
}

static bool is_affine(const struct mlir_attr *attr)
{
    static const char prefix[] = "affine_map<";
    return attr && attr->kind == MLIR_OTHER && attr->string.size >= sizeof prefix - 1 &&
           memcmp(attr->string.data, prefix, sizeof prefix - 1) == 0;
}

/* The function that a window names, or that of its affine map, which is appended to the kernel's;
 * NULL: the window has none. */
static struct error *read_transform(struct arena *arena, const struct mlir_attr *attr,
                                    struct kernel *kernel, const struct map *functions,
                                    const struct kernel_function **out)
{
    *out = NULL;
    if (is_affine(attr)) {
        struct kernel_function *made = &kernel->functions[kernel->function_count];
        struct error *error = mosaic_affine_function(arena, attr->string, kernel, made);
        if (error)
            return error_prefix(error, "kernel '%s': an index map", kernel->name);
        kernel->function_count++;
        *out = made;
        return NULL;
    }
    if (!attr || attr->kind != MLIR_SYMBOL)
        return NULL;
    *out = map_get(functions, attr->string.data, attr->string.size);
    return *out ? NULL : wrong(kernel, "transform_indices", "the name of a function of the module");
}

/* Without bounds, the block is the kernel's argument. */
static struct error *read_bounds(struct arena *arena, struct mlir_attr *attr,
                                 const struct kernel_type *argument, struct kernel_window *out)
{
    if (!attr) {
        out->bounds = (struct dims){argument->rank, argument->dims};
        return NULL;
    }
    return mosaic_attr_ints(arena, attr, "window_bounds", &out->bounds);
}

/* Windows without a transform have no bounds: the kernel sees the whole array. */
static struct error *read_window(struct arena *arena, const struct mlir_attr *dict,
                                 struct kernel *kernel, const struct map *functions, int i)
{
    struct kernel_window *out = &kernel->windows[i];
    const struct mlir_attr *kind = mlir_attr_lookup(dict, "window_kind");
    const struct mlir_attr *mode = mlir_attr_lookup(dict, "pipeline_mode");
    if (dict->kind != MLIR_DICT)
        return wrong(kernel, "window_params", "a list of dictionaries");
    TRY(read_transform(arena, mlir_attr_lookup(dict, "transform_indices"), kernel, functions,
                       &out->transform));
    if (!out->transform)
        return NULL;
    out->is_present = true;
    TRY(read_bounds(arena, mlir_attr_lookup(dict, "window_bounds"), kernel_array(kernel, i)->type,
                    out));
    if (mosaic_attr_is(mode, "synchronous"))
        out->pipeline = KERNEL_SYNCHRONOUS;
    else if (mode)
        out->pipeline = KERNEL_DOUBLE_BUFFERED;
    out->revisits_any = mosaic_attr_is(mlir_attr_lookup(dict, "revisit_mode"), "any");
    out->is_element = kind != NULL;
    if (kind && (out->bounds.count > KERNEL_MAX_RANK ||
                 !read_padding(arena, mosaic_attr_keyword(kind), out->bounds.count, out)))
        return wrong(kernel, "window_kind", "element_window with two lists of paddings");
    return NULL;
}

/* Room for a function of each window, so that functions stay where they are. */
static void make_room(struct arena *arena, struct kernel *kernel)
{
    size_t count = (size_t)kernel->function_count,
           main = (size_t)(kernel->main - kernel->functions);
    struct kernel_function *functions =
        ARENA_ARRAY(arena, struct kernel_function, count + (size_t)kernel->array_count);
    memcpy(functions, kernel->functions, count * sizeof *functions);
    kernel->functions = functions;
    kernel->main = &functions[main];
}

static struct error *read_windows(struct arena *arena, const struct mlir_attr *dict,
                                  struct kernel *kernel)
{
    const struct mlir_attr *list = mlir_attr_lookup(dict, "window_params");
    kernel->windows = ARENA_ARRAY(arena, struct kernel_window, (size_t)kernel->array_count);
    if (!list)
        return NULL;
    if (list->kind != MLIR_ARRAY || list->array.count != (size_t)kernel->array_count)
        return wrong(kernel, "window_params", "a list with an item for each array");
    make_room(arena, kernel);
    const struct map *functions = name_functions(arena, kernel);
    for (int i = 0; i < kernel->array_count; i++)
        TRY(read_window(arena, list->array.at[i], kernel, functions, i));
    return NULL;
}

struct error *mosaic_window_read(struct arena *arena, const struct mlir_attr *dict,
                                 struct kernel *kernel)
{
    TRY(read_grid(arena, dict, kernel));
    TRY(read_semantics(dict, kernel));
    TRY(read_roles(dict, kernel));
    return read_windows(arena, dict, kernel);
}
