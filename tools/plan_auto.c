#include "tools/plan_auto.h"

#include <stdio.h>

#include "base/alloc.h"
#include "tools/plan_page.h"

static const char *const names[PARTITION_SPEC_AXES] = {"x", "y", "z", "u", "v", "w"};

struct page {
    const cJSON *json;
    const struct partition_mesh *mesh;
    bool html;
    struct text *out;
};

/* ---- sections and rows ----------------------------------------------------------------------- */
static void begin_section(const struct page *page, const char *title)
{
    text_add(page->out, page->html ? "<section><h2>%s</h2><table>\n" : "\n%s\n", title);
}

static void end_section(const struct page *page)
{
    if (page->html)
        text_add(page->out, "</table></section>\n");
}

static void cell(const struct page *page, const char *text, const char *html_class, int width)
{
    if (!page->html) {
        text_add(page->out, "  %*s", width, text);
        return;
    }
    text_add(page->out, "<td class=\"%s\">", html_class);
    plan_page_escape(text, SIZE_MAX, page->out);
    text_add(page->out, "</td>");
}

static void begin_row(const struct page *page)
{
    text_add(page->out, "%s", page->html ? "<tr>" : "");
}

static void end_row(const struct page *page)
{
    text_add(page->out, page->html ? "</tr>\n" : "\n");
}

struct shown {
    char text[48];
};

static struct shown time_of(double seconds)
{
    struct shown out;
    double unit = seconds >= 1 ? 1 : seconds >= 1e-3 ? 1e3 : 1e6;
    snprintf(out.text, sizeof out.text, "%.4g %s", seconds * unit,
             seconds >= 1      ? "s"
             : seconds >= 1e-3 ? "ms"
                               : "us");
    return out;
}

/* ---- what was compared ----------------------------------------------------------------------- */
static const cJSON *get(const cJSON *json, const char *name)
{
    return cJSON_GetObjectItemCaseSensitive(json, name);
}

/* A plan; with a base, by how much it takes longer than that. */
static void print_plan(const struct page *page, const cJSON *plan, double base)
{
    char peak[TOPO_VIEW_SIZE], more[32] = "";
    double seconds = topo_view_number(plan, "seconds");
    if (base > 0)
        snprintf(more, sizeof more, "%+.1f %%", 100 * (seconds / base - 1));
    begin_row(page);
    cell(page, time_of(seconds).text, "n", 11);
    if (base > 0)
        cell(page, more, "n", 9);
    cell(page, topo_view_bytes(topo_view_number(plan, "peak_bytes"), peak), "n", 10);
    cell(page, cJSON_IsTrue(get(plan, "fits")) ? "fits" : "too large", "", -9);
    cell(page, topo_view_text(plan, "name"), "op", -1);
    end_row(page);
}

/* A cost of 0: it found no answer. */
static void print_bound(const struct page *page, const cJSON *chosen)
{
    double cost = topo_view_number(chosen, "program_seconds");
    double bound = topo_view_number(chosen, "bound_seconds");
    int nodes = (int)topo_view_number(chosen, "program_nodes");
    char line[160];
    begin_row(page);
    cell(page, cost > 0 ? time_of(cost).text : "none", "n", 11);
    if (nodes < 1)
        snprintf(line, sizeof line, "the integer program was not solved");
    else if (cost > 0)
        snprintf(line, sizeof line,
                 "integer program of %d nodes, without fusion and overlap: bound %s, gap %.2g %%",
                 nodes, time_of(bound).text, bound > 0 ? 100 * (cost / bound - 1) : 0.0);
    else
        snprintf(line, sizeof line,
                 "integer program of %d nodes: no answer within the memory, which it overestimates",
                 nodes);
    cell(page, line, "op", -1);
    end_row(page);
}

/* What the answer computes again or leaves in the host's memory, so that it fits. */
static void print_savings(const struct page *page, const cJSON *chosen)
{
    const cJSON *saving;
    char bytes[TOPO_VIEW_SIZE];
    if (!cJSON_GetArraySize(get(chosen, "savings")))
        return;
    begin_section(page, "Values that are recomputed or offloaded");
    cJSON_ArrayForEach(saving, get(chosen, "savings"))
    {
        begin_row(page);
        cell(page, topo_view_bytes(topo_view_number(saving, "bytes"), bytes), "n", 11);
        cell(page, cJSON_IsTrue(get(saving, "offloaded")) ? "offloaded" : "recomputed", "", -11);
        cell(page, topo_view_text(saving, "value"), "op", -1);
        end_row(page);
    }
    end_section(page);
}

static void print_compared(const struct page *page)
{
    const cJSON *chosen = get(page->json, "auto_sharding"), *item;
    char title[96];
    if (!chosen)
        return;
    snprintf(title, sizeof title, "Compared plans, of %d: time, peak%s",
             (int)topo_view_number(chosen, "planned"),
             cJSON_IsTrue(get(chosen, "was_cut")) ? "; the effort was spent" : "");
    begin_section(page, title);
    cJSON_ArrayForEach(item, get(chosen, "plans")) print_plan(page, item, 0);
    end_section(page);
    begin_section(page, "The best answer by the integer program");
    print_bound(page, chosen);
    end_section(page);
    print_savings(page, chosen);
    if (!cJSON_GetArraySize(get(chosen, "changes")))
        return;
    begin_section(page, "Cost of one change");
    cJSON_ArrayForEach(item, get(chosen, "changes"))
        print_plan(page, item, topo_view_number(page->json, "seconds"));
    end_section(page);
}

/* ---- shardings ------------------------------------------------------------------------------- */
/* P('x', None), or the sharding as it is where it has no such form. */
static void spec_of(const cJSON *item, const struct partition_mesh *mesh, struct text *out)
{
    const char *sharding = topo_view_text(item, "sharding");
    struct text spec = {0};
    if (partition_spec_print(sharding, mesh, &spec))
        text_add(out, "P(%s)", spec.data ? spec.data : "");
    else
        text_add(out, "%s", *sharding ? sharding : "P()");
    text_free(&spec);
}

/* Nothing for what is replicated. */
static void mark_of(const cJSON *item, const struct partition_mesh *mesh, struct text *out)
{
    struct text spec = {0};
    if (partition_spec_print(topo_view_text(item, "sharding"), mesh, &spec) && spec.data)
        text_add(out, "xs.mark_sharding(arguments[%d], mesh, (%s,))",
                 (int)topo_view_number(item, "index"), spec.data);
    text_free(&spec);
}

static void print_values(const struct page *page, const char *list, const char *kind)
{
    const cJSON *item;
    cJSON_ArrayForEach(item, get(page->json, list))
    {
        struct text spec = {0};
        char name[48];
        snprintf(name, sizeof name, "%-8s %-4d", kind, (int)topo_view_number(item, "index"));
        spec_of(item, page->mesh, &spec);
        begin_row(page);
        cell(page, name, "", -13);
        cell(page, topo_view_text(item, "shape"), "op", -28);
        cell(page, spec.data ? spec.data : "", "op", -1);
        end_row(page);
        text_free(&spec);
    }
}

static void print_marks(const struct page *page)
{
    const cJSON *item;
    begin_section(page, "For PyTorch/XLA");
    cJSON_ArrayForEach(item, get(page->json, "arguments"))
    {
        struct text mark = {0};
        mark_of(item, page->mesh, &mark);
        if (mark.data) {
            begin_row(page);
            cell(page, mark.data, "op", -1);
            end_row(page);
        }
        text_free(&mark);
    }
    end_section(page);
}

void plan_auto_print(const cJSON *json, const struct partition_mesh *mesh, bool html,
                     struct text *out)
{
    const struct page page = {json, mesh, html, out};
    char title[160] = "Shardings over the mesh";
    for (int a = 0, at = 23; a < mesh->axis_count; a++)
        at += snprintf(title + at, sizeof title - (size_t)at, " %s=%lld", names[a],
                       (long long)mesh->sizes[a]);
    print_compared(&page);
    begin_section(&page, title);
    print_values(&page, "arguments", "argument");
    print_values(&page, "results", "result");
    end_section(&page);
    print_marks(&page);
}

/* ---- JSON ------------------------------------------------------------------------------------ */
static struct error *add_text(cJSON *item, const char *name, struct text *text)
{
    char *finished;
    TRY(text_finish(text, &finished, NULL));
    bool added = cJSON_AddStringToObject(item, name, finished) != NULL;
    alloc_free(finished);
    return added ? NULL : error_out_of_memory();
}

static struct error *add_to(cJSON *item, const struct partition_mesh *mesh, bool is_argument)
{
    struct text spec = {0}, mark = {0};
    spec_of(item, mesh, &spec);
    TRY(add_text(item, "partition_spec", &spec));
    if (is_argument)
        mark_of(item, mesh, &mark);
    return mark.data ? add_text(item, "mark_sharding", &mark) : NULL;
}

struct error *plan_auto_add(cJSON *json, const struct partition_mesh *mesh)
{
    cJSON *item;
    cJSON_ArrayForEach(item, cJSON_GetObjectItemCaseSensitive(json, "arguments"))
        TRY(add_to(item, mesh, true));
    cJSON_ArrayForEach(item, cJSON_GetObjectItemCaseSensitive(json, "results"))
        TRY(add_to(item, mesh, false));
    return NULL;
}
