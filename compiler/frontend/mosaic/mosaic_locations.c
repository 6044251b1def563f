#include "compiler/frontend/mosaic/mosaic_locations.h"

#include "compiler/frontend/bytecode/builtin_dialect.h"
#include "compiler/frontend/bytecode/mlir_location.h"

struct list {
    const struct location **at;
    size_t count, next;
};

/* The depth is bounded: mlir_op_read() has limited that of regions. */
static void visit(struct list *list, struct mlir_op *op)
{
    if (list->next < list->count)
        op->origin = list->at[list->next];
    list->next++;
    for (size_t r = 0; r < op->region_count; r++)
        list->next += op->regions[r].argument_count;
    for (size_t r = 0; r < op->region_count; r++)
        for (struct mlir_op *inner = op->regions[r].first; inner; inner = inner->next)
            visit(list, inner);
}

struct error *mosaic_locations_apply(struct arena *arena, const void *bytes, size_t size,
                                     struct mlir_op *top)
{
    static const struct mlir_dialect dialects[] = {
        {.name = "builtin", .attr = builtin_dialect_attr, .type = builtin_dialect_type},
        {.name = NULL}};
    struct mlir_file *file;
    struct mlir_op *holder;
    struct list list = {0};
    TRY(mlir_file_read(arena, bytes, size, dialects, &file));
    TRY(mlir_op_read(file, &holder));
    if (!holder->has_attributes)
        return ERROR(INVALID_ARGUMENT, "the module of locations has no attributes");
    TRY(mlir_location_list(file, holder->attributes, "tpu.locs", &list.count, &list.at));
    visit(&list, top);
    return NULL;
}
