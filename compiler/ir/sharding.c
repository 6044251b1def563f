#include "compiler/ir/sharding.h"

#include <string.h>

#include "compiler/ir/print_attrs.h"

#include <inttypes.h>
#include <string.h>

static bool text_equal(const char *a, const char *b)
{
    return a == b || (a && b && !strcmp(a, b));
}

static bool axes_equal(int count, const struct axis_ref *a, const struct axis_ref *b)
{
    for (int i = 0; i < count; i++)
        if (!text_equal(a[i].name, b[i].name) || a[i].pre_size != b[i].pre_size ||
            a[i].size != b[i].size)
            return false;
    return true;
}

static bool mesh_equal(const struct mesh *a, const struct mesh *b)
{
    if (a == b)
        return true;
    if (!a || !b || a->axis_count != b->axis_count || a->device_count != b->device_count ||
        !a->device_ids != !b->device_ids)
        return false;
    for (int i = 0; i < a->axis_count; i++)
        if (!text_equal(a->axis_names[i], b->axis_names[i]) || a->axis_sizes[i] != b->axis_sizes[i])
            return false;
    return !a->device_ids ||
           !memcmp(a->device_ids, b->device_ids, (size_t)a->device_count * sizeof *a->device_ids);
}

bool sharding_equal(const struct sharding *a, const struct sharding *b)
{
    if (a == b)
        return true;
    if (!a || !b || !text_equal(a->text, b->text) || !mesh_equal(a->mesh, b->mesh) ||
        a->rank != b->rank || a->replicated_count != b->replicated_count)
        return false;
    for (int i = 0; i < a->rank; i++)
        if (a->dims[i].count != b->dims[i].count || a->dims[i].is_closed != b->dims[i].is_closed ||
            a->dims[i].priority != b->dims[i].priority ||
            !axes_equal(a->dims[i].count, a->dims[i].axes, b->dims[i].axes))
            return false;
    return axes_equal(a->replicated_count, a->replicated, b->replicated);
}

static void print_axes(int count, const struct axis_ref *axes, struct text *out)
{
    for (int i = 0; i < count; i++) {
        text_add(out, "%s", i ? ", " : "");
        print_attrs_string(axes[i].name, strlen(axes[i].name), out);
        if (axes[i].size)
            text_add(out, ":(%" PRId64 ")%" PRId64, axes[i].pre_size, axes[i].size);
    }
}

/* Prints Shardy's syntax <@mesh, [{"x"}, {?}], replicated={"y"}>, or the text of an OpSharding. */
void sharding_print(const struct sharding *sharding, struct text *out)
{
    if (sharding->text) {
        print_attrs_string(sharding->text, strlen(sharding->text), out);
        return;
    }
    text_add(out, "#sdy.sharding<");
    print_attrs_symbol(sharding->mesh && sharding->mesh->name ? sharding->mesh->name : "mesh", out);
    text_add(out, ", [");
    for (int i = 0; i < sharding->rank; i++) {
        const struct dim_sharding *dim = &sharding->dims[i];
        text_add(out, "%s{", i ? ", " : "");
        print_axes(dim->count, dim->axes, out);
        if (!dim->is_closed)
            text_add(out, "%s?", dim->count ? ", " : "");
        text_add(out, "}");
        if (dim->priority >= 0)
            text_add(out, "p%" PRId64, dim->priority);
    }
    text_add(out, "]");
    if (sharding->replicated_count) {
        text_add(out, ", replicated={");
        print_axes(sharding->replicated_count, sharding->replicated, out);
        text_add(out, "}");
    }
    text_add(out, ">");
}
