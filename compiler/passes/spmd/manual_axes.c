#include "compiler/passes/spmd/manual_axes.h"

/* The first of the axes that covers some of those in `manual`; NULL: none does. */
static const struct axis_ref *find(const struct spmd_mesh *mesh, const struct sharding *sharding,
                                   struct axis_refs axes, uint32_t manual)
{
    for (int i = 0; i < axes.count; i++)
        if (spmd_mesh_axes(mesh, sharding, (struct axis_refs){1, &axes.at[i]}) & manual)
            return &axes.at[i];
    return NULL;
}

static const struct axis_ref *find_in_any(const struct spmd_mesh *mesh,
                                          const struct sharding *sharding, uint32_t manual)
{
    const struct axis_ref *found = find(mesh, sharding, sharding->manual, manual);
    for (int dim = 0; !found && dim < sharding->rank; dim++)
        found = find(mesh, sharding, sharding->dims[dim].axes, manual);
    return found ? found : find(mesh, sharding, sharding->unreduced, manual);
}

struct error *manual_axes_check(struct arena *arena, const struct spmd_mesh *mesh,
                                const struct op *op, const struct sharding *sharding,
                                uint32_t manual)
{
    if (!manual || !sharding || sharding->kind == SHARDING_MAXIMAL)
        return NULL;
    const struct axis_ref *axis = find_in_any(mesh, sharding, manual);
    if (!axis)
        return NULL;
    struct text text = {0};
    sharding_print_axes(sharding, &text);
    struct error *error = ERROR(
        INVALID_ARGUMENT,
        "%s: its sharding %s uses the axis \"%s\", which is manual here: an enclosing manual "
        "computation has sharded its values along it already; leave the axis out of the sharding",
        ir_where(arena, op), text.failed ? "" : text.data, sharding->mesh->axis_names[axis->axis]);
    text_free(&text);
    return error;
}
