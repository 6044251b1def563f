/* plan_model.c: see plan_model.h. Both forms are made of the same lines: sections with rows. */
#include "tools/plan_model.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "tools/plan_model_svg.h"
#include "tools/plan_page.h"
#include "tools/topo_view.h"

enum { SHOWN = 20 };            /* rows of a section */
#define MUCH_PADDING 0.20       /* of a value: said to the user */
#define FEW_FLOPS_AT_A_TIME 0.3 /* mfu below which the bound is said */

struct page {
    const cJSON *json;
    const struct plan_view *view;
    bool html;
    struct text *out;
};

bool plan_model_has(const cJSON *json)
{
    return cJSON_GetObjectItemCaseSensitive(json, "seconds") != NULL;
}

static double number(const struct page *page, const char *name)
{
    return topo_view_number(page->json, name);
}

struct shown {
    char text[32];
};

static struct shown time_of(double seconds)
{
    struct shown out;
    if (seconds >= 1)
        snprintf(out.text, sizeof out.text, "%.3g s", seconds);
    else if (seconds >= 1e-3)
        snprintf(out.text, sizeof out.text, "%.3g ms", seconds * 1e3);
    else
        snprintf(out.text, sizeof out.text, "%.3g us", seconds * 1e6);
    return out;
}

/* ---- sections and rows ----------------------------------------------------------------------- */
/* `heads` are those of the columns on the page. */
static void begin_section(const struct page *page, const char *title, const char *const heads[3])
{
    if (page->html)
        text_add(page->out,
                 "<section><h2>%s</h2><table><tr><th class=\"n\">%s</th><th>%s</th><th>%s</th>"
                 "</tr>\n",
                 title, heads[0], heads[1], heads[2]);
    else
        text_add(page->out, "\n%s\n", title);
}

static const char *const of_bytes[3] = {"bytes", "of", ""}, *const of_figures[3] = {"figure", "of",
                                                                                    ""};

static void end_section(const struct page *page)
{
    if (page->html)
        text_add(page->out, "</table></section>\n");
}

static void row(const struct page *page, const char *figure, const char *what, const char *where)
{
    if (!page->html) {
        text_add(page->out, "  %11s  %-44s  %s\n", figure, what, where);
        return;
    }
    text_add(page->out, "<tr><td class=\"n\">%s</td><td><code>", figure);
    plan_page_escape(what, SIZE_MAX, page->out);
    text_add(page->out, "</code></td><td class=\"op\">");
    plan_page_escape(where, SIZE_MAX, page->out);
    text_add(page->out, "</td></tr>\n");
}

static void row_bytes(const struct page *page, double bytes, const char *what, const char *where)
{
    char shown[TOPO_VIEW_SIZE];
    row(page, topo_view_bytes(bytes, shown), what, where);
}

/* ---- contents -------------------------------------------------------------------------------- */
/* "v5e:2x4" where the topology was asked for, else the device's name. */
static const char *device_of(const struct page *page)
{
    const char *topology = topo_view_text(page->json, "topology");
    return *topology ? topology : page->view->device;
}

static void print_title(const struct page *page)
{
    bool fits = cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(page->json, "fits"));
    if (!page->html) {
        text_add(page->out, "%s on a modeled %s: %s\n", page->view->program, device_of(page),
                 fits ? "fits" : "DOES NOT FIT");
        return;
    }
    plan_page_begin(page->view->program, page->out);
    text_add(page->out, "<div class=\"dim\">on a modeled ");
    plan_page_escape(device_of(page), SIZE_MAX, page->out);
    text_add(page->out, " &middot; <span class=\"%s\">%s</span></div>\n", fits ? "good" : "bad",
             fits ? "fits" : "does not fit");
}

static void print_memory(const struct page *page)
{
    begin_section(page, "HBM of each device, with padding", of_bytes);
    row_bytes(page, number(page, "peak_bytes"), "peak",
              "arguments + outputs - aliases + temporaries");
    row_bytes(page, number(page, "capacity_bytes"), "capacity", "");
    row_bytes(page, number(page, "argument_bytes"), "arguments", "");
    row_bytes(page, number(page, "output_bytes"), "outputs", "");
    row_bytes(page, number(page, "alias_bytes"), "aliases", "outputs in arguments' memory");
    row_bytes(page, number(page, "temp_bytes"), "temporaries", "");
    end_section(page);
}

static void print_largest(const struct page *page)
{
    const cJSON *all = cJSON_GetObjectItemCaseSensitive(page->json, "largest"), *item;
    if (!cJSON_GetArraySize(all))
        return;
    begin_section(page, "Largest temporaries at the peak",
                  (const char *const[3]){"bytes", "array", "written by"});
    cJSON_ArrayForEach(item, all)
        row_bytes(page, topo_view_number(item, "bytes"), topo_view_text(item, "shape"),
                  topo_view_text(item, "operation"));
    end_section(page);
}

static void print_time(const struct page *page)
{
    char range[96], rate[64];
    double seconds = number(page, "seconds"), hidden = number(page, "hidden_seconds");
    begin_section(page, "Time of one execution", of_figures);
    snprintf(range, sizeof range, "between %s and %s", time_of(number(page, "seconds_low")).text,
             time_of(number(page, "seconds_high")).text);
    row(page, time_of(seconds).text, "in total", range);
    snprintf(rate, sizeof rate, "%.1f %%", 100 * number(page, "mfu"));
    row(page, rate, "of the matrix units' peak (MFU)", "");
    snprintf(rate, sizeof rate, "%.4g", number(page, "arithmetic_intensity"));
    row(page, rate, "flops a byte of HBM (arithmetic intensity)", "");
    if (number(page, "host_seconds") > 0)
        row(page, time_of(number(page, "host_seconds")).text, "of copies on the host's link", "");
    if (number(page, "link_seconds") > 0)
        row(page, time_of(number(page, "link_seconds")).text, "on the links between chips", "");
    if (hidden > 0)
        row(page, time_of(hidden).text, "of these while kernels run", "hidden");
    if (number(page, "unknown_trips") > 0)
        row(page, "", "loops whose trip count is unknown count once", "");
    end_section(page);
}

/* Of equal ones the first of the program comes first. */
static int by_seconds(const void *left, const void *right)
{
    const struct plan_operation *a = *(const struct plan_operation *const *)left,
                                *b = *(const struct plan_operation *const *)right;
    if (a->seconds != b->seconds)
        return a->seconds < b->seconds ? 1 : -1;
    return (a > b) - (a < b);
}

static void print_operation(const struct page *page, const struct plan_operation *operation)
{
    char what[64];
    snprintf(what, sizeof what, "%.0f x, bound by %.20s", operation->times, operation->bound);
    row(page, time_of(operation->seconds).text, what, operation->name);
}

static struct error *print_operations(const struct page *page)
{
    const struct plan_operation **sorted;
    size_t count = page->view->operation_count;
    TRY(alloc_array(count + 1, sizeof *sorted, &sorted));
    for (size_t i = 0; i < count; i++)
        sorted[i] = &page->view->operations[i];
    qsort(sorted, count, sizeof *sorted, by_seconds);
    begin_section(page, "Most expensive operations",
                  (const char *const[3]){"time", "times and bound", "operation"});
    for (size_t i = 0; i < count && i < SHOWN; i++)
        print_operation(page, sorted[i]);
    end_section(page);
    alloc_free(sorted);
    return NULL;
}

static void print_collectives(const struct page *page)
{
    char groups[64];
    begin_section(page, "Collectives: bytes that a device sends",
                  (const char *const[3]){"bytes", "kind, groups, operand", "operation"});
    for (size_t i = 0; i < page->view->collective_count && i < SHOWN; i++) {
        const struct plan_collective *at = &page->view->collectives[i];
        char what[128];
        snprintf(what, sizeof what, "%.30s, %s, %.48s", at->kind, plan_view_groups(at, groups),
                 at->contents);
        row_bytes(page, at->sent, what, at->operation);
    }
    end_section(page);
}

/* ---- Pallas kernels -------------------------------------------------------------------------- */
static void print_windows(const struct page *page, const cJSON *kernel)
{
    const cJSON *item;
    cJSON_ArrayForEach(item, cJSON_GetObjectItemCaseSensitive(kernel, "windows"))
    {
        char what[64];
        double buffers = topo_view_number(item, "buffers");
        snprintf(what, sizeof what, "%.8s%s", topo_view_text(item, "memory"),
                 buffers > 1 ? ", two buffers" : "");
        row_bytes(page, topo_view_number(item, "bytes") * buffers, what,
                  topo_view_text(item, "window"));
    }
}

/* Where the cycles of the first steps of the grid go. */
static void print_steps(const struct page *page, const cJSON *kernel)
{
    const cJSON *item;
    int step = 0;
    cJSON_ArrayForEach(item, cJSON_GetObjectItemCaseSensitive(kernel, "first_steps"))
    {
        char figure[32], what[96];
        double begin = topo_view_number(item, "begin_cycle"),
               ready = topo_view_number(item, "ready_cycle"),
               computed = topo_view_number(item, "computed_cycle"),
               end = topo_view_number(item, "end_cycle");
        snprintf(figure, sizeof figure, "step %d", step++);
        snprintf(what, sizeof what, "waits %.0f, computes %.0f, writes %.0f cycles", ready - begin,
                 computed - ready, end - computed);
        row(page, figure, what, "");
    }
}

static void print_kernel(const struct page *page, const cJSON *kernel)
{
    char title[160], figure[64], what[96];
    double cycles = topo_view_number(kernel, "cycles");
    snprintf(title, sizeof title, "Pallas kernel '%.100s'", topo_view_text(kernel, "kernel"));
    begin_section(page, title, of_figures);
    row(page, time_of(topo_view_number(kernel, "seconds")).text, "of one launch",
        topo_view_text(kernel, "operation"));
    snprintf(figure, sizeof figure, "%.0f", cycles);
    snprintf(what, sizeof what, "cycles of %.0f steps%s", topo_view_number(kernel, "steps"),
             cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(kernel, "exact"))
                 ? ""
                 : " (unknown bounds are assumed)");
    row(page, figure, what, "");
    for (int i = 0; i < 3; i++) {
        static const char *const fields[] = {"waiting_cycles", "matrix_cycles", "vector_cycles"},
                                 *const names[] = {"waits for copies", "matrix units are busy",
                                                   "vector unit is busy"};
        double share = cycles > 0 ? topo_view_number(kernel, fields[i]) / cycles : 0;
        snprintf(figure, sizeof figure, "%.0f %%", 100 * share);
        row(page, figure, names[i], "");
    }
    row_bytes(page, topo_view_number(kernel, "hbm_bytes"), "read and written in HBM", "");
    row_bytes(page, topo_view_number(kernel, "vmem_bytes"), "of VMEM", "");
    row_bytes(page, topo_view_number(kernel, "vmem_limit_bytes"), "limit of VMEM", "");
    print_windows(page, kernel);
    print_steps(page, kernel);
    end_section(page);
}

static void print_kernels(const struct page *page)
{
    const cJSON *item;
    cJSON_ArrayForEach(item, cJSON_GetObjectItemCaseSensitive(page->json, "kernels"))
        print_kernel(page, item);
}

/* ---- the page -------------------------------------------------------------------------------- */
/* What the user can change. */
static void print_advice(const struct page *page)
{
    const cJSON *item;
    begin_section(page, "Suggestions",
                  (const char *const[3]){"bytes", "finding", "advice or array"});
    cJSON_ArrayForEach(item, cJSON_GetObjectItemCaseSensitive(page->json, "largest"))
    {
        double bytes = topo_view_number(item, "bytes"),
               padding = bytes - topo_view_number(item, "unpadded_bytes");
        if (padding > MUCH_PADDING * bytes)
            row_bytes(page, padding, "is padding: make the two largest dimensions multiples of 128",
                      topo_view_text(item, "shape"));
    }
    if (!cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(page->json, "fits")))
        row_bytes(page, number(page, "peak_bytes") - number(page, "capacity_bytes"),
                  "too much: recompute (jax.checkpoint) or offload values", "");
    if (number(page, "alias_bytes") <= 0 && number(page, "argument_bytes") > 0)
        row(page, "", "no argument is donated", "donate_argnums saves the outputs' memory");
    if (number(page, "mfu") < FEW_FLOPS_AT_A_TIME && number(page, "flops") > 0)
        row(page, "", "matrix units are mostly idle", "larger batches, or fewer passes over HBM");
    end_section(page);
}

static void print_pictures(const struct page *page)
{
    plan_model_svg_timeline(page->view, number(page, "seconds"), page->out);
    plan_model_svg_roofline(page->view, page->out);
}

static void print_page(const struct page *page)
{
    print_title(page);
    print_memory(page);
    print_time(page);
    if (page->html)
        print_pictures(page);
    print_largest(page);
    error_free(print_operations(page));
    if (page->view->collective_count)
        print_collectives(page);
    print_kernels(page);
    print_advice(page);
}

void plan_model_text(const cJSON *json, const struct plan_view *view, struct text *out)
{
    print_page(&(struct page){json, view, false, out});
}

void plan_model_html(const cJSON *json, const struct plan_view *view, const char *more,
                     struct text *out)
{
    print_page(&(struct page){json, view, true, out});
    text_add(out, "%s</main></body></html>\n", more ? more : "");
}
