#include "tools/plan_auto.h"

#include <string.h>

static const char *const names[PARTITION_SPEC_AXES] = {"x", "y", "z", "u", "v", "w"};

struct page {
    const cJSON *json;
    const struct partition_mesh *mesh;
    struct text *out;
};

static void print_value(const struct page *page, const cJSON *item, const char *kind)
{
    struct text spec = {0};
    const char *sharding = topo_view_text(item, "sharding");
    int index = (int)topo_view_number(item, "index");
    bool known = partition_spec_print(sharding, page->mesh, &spec);
    text_add(page->out, "  %s %-4d %-28s ", kind, index, topo_view_text(item, "shape"));
    if (known)
        text_add(page->out, "P(%s)\n", spec.data ? spec.data : "");
    else
        text_add(page->out, "%s\n", *sharding ? sharding : "P()");
    text_free(&spec);
}

static void print_mark(const struct page *page, const cJSON *item)
{
    struct text spec = {0};
    if (partition_spec_print(topo_view_text(item, "sharding"), page->mesh, &spec) && spec.data)
        text_add(page->out, "  xs.mark_sharding(arguments[%d], mesh, (%s,))\n",
                 (int)topo_view_number(item, "index"), spec.data);
    text_free(&spec);
}

static void print_values(const struct page *page, const char *list, const char *kind)
{
    const cJSON *item;
    cJSON_ArrayForEach(item, cJSON_GetObjectItemCaseSensitive(page->json, list))
        print_value(page, item, kind);
}

static void print_mesh(const struct page *page)
{
    text_add(page->out, "\nShardings over the mesh");
    for (int a = 0; a < page->mesh->axis_count; a++)
        text_add(page->out, " %s=%lld", names[a], (long long)page->mesh->sizes[a]);
    text_add(page->out, "; shapes of one device\n");
}

void plan_auto_text(const cJSON *json, const struct partition_mesh *mesh, struct text *out)
{
    const struct page page = {json, mesh, out};
    const cJSON *item;
    print_mesh(&page);
    print_values(&page, "arguments", "argument");
    print_values(&page, "results", "result  ");
    text_add(out, "\nFor PyTorch/XLA\n");
    cJSON_ArrayForEach(item, cJSON_GetObjectItemCaseSensitive(json, "arguments"))
        print_mark(&page, item);
}
