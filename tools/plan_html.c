/* plan_html.c: a memory plan as one self-contained HTML page: figures, a picture of each memory in
 * program order (plan_svg.c), and the values in use at the peak. No scripts. */
#include <stdio.h>
#include <string.h>

#include "tools/plan_page.h"
#include "tools/topo_view.h"

enum { ROWS = 60 }; /* maximum rows of a table */

static const char head[] = "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
                           "<meta name=\"viewport\" content=\"width=device-width\">\n";

static const char style[] =
    "<style>\n"
    ":root{color-scheme:light dark;--page:#f6f7f9;--card:#fff;--line:#dde3ea;--ink:#1f2a37;"
    "--dim:#64748b;--grid:#e8ecf1;--bad:#b42318;--good:#1a7f4b;--live:#4c8dd6;"
    "--arguments:#8fa3bb;--results:#5aa7a0;--temporaries:#4c8dd6;--constants:#d2a24c;"
    "--c0:#4c8dd6;--c1:#5aa7a0;--c2:#d2a24c;--c3:#b5739d;--c4:#7f9c4f;--c5:#d9825b;--c6:#7c83d1;"
    "--c7:#4fa3c7;--text:#fff}\n"
    "@media(prefers-color-scheme:dark){:root{--page:#12161c;--card:#1a2029;--line:#2c3541;"
    "--ink:#e6ebf2;--dim:#93a1b3;--grid:#28303b;--bad:#ff8a80;--good:#6fd39c;"
    "--live:#3f78b8;--arguments:#5f7288;--results:#3f857f;--temporaries:#3f78b8;"
    "--constants:#a37c38;--c0:#3f78b8;--c1:#3f857f;--c2:#a37c38;--c3:#8f587b;--c4:#647c3d;"
    "--c5:#ad6546;--c6:#6067ab;--c7:#3d82a0}}\n"
    "*{box-sizing:border-box}body{margin:0;background:var(--page);color:var(--ink);"
    "font:14px/1.45 system-ui,'Helvetica Neue',Arial,sans-serif}\n"
    "main{max-width:1240px;margin:0 auto;padding:28px 24px 60px}\n"
    "h1{font-size:24px;margin:0;overflow-wrap:anywhere}h2{font-size:17px;margin:0 0 10px}\n"
    ".dim{color:var(--dim)}.good,.bad{font-weight:600}.good{color:var(--good)}.bad{color:var(--bad)"
    "}\n"
    "section{background:var(--card);border:1px solid var(--line);border-radius:12px;"
    "padding:18px 20px;margin-top:18px}\n"
    ".bar{display:flex;height:22px;border-radius:6px;overflow:hidden;background:var(--grid);"
    "margin:6px 0}.bar i{display:block;height:100%}\n"
    ".legend span{margin-right:18px;white-space:nowrap}.legend i{display:inline-block;width:11px;"
    "height:11px;border-radius:3px;margin-right:6px}\n"
    ".arguments{background:var(--arguments)}.results{background:var(--results)}"
    ".temporaries{background:var(--temporaries)}.constants{background:var(--constants)}\n"
    "table{border-collapse:collapse;width:100%}td,th{padding:5px 10px 5px 0;text-align:left;"
    "vertical-align:top;border-top:1px solid var(--grid)}th{border:0;color:var(--dim);"
    "font-weight:500}\n"
    "td.n,th.n{text-align:right;white-space:nowrap;font-variant-numeric:tabular-nums}"
    "td.op{overflow-wrap:anywhere}code{font:12.5px ui-monospace,'DejaVu Sans Mono',monospace}\n"
    "td.share{width:120px;padding-top:10px}td.share i{display:block;height:8px;border-radius:4px;"
    "background:var(--live);min-width:1px}\n"
    "@media(max-width:600px){.share{display:none}td code{overflow-wrap:anywhere}"
    "td.op{min-width:6.5em}}\n"
    "svg{display:block;width:100%;height:auto;margin-top:8px}svg text{font:11px system-ui,"
    "'Helvetica Neue',Arial,sans-serif;fill:var(--dim)}svg .in{fill:var(--text);"
    "pointer-events:none}\n"
    ".scroll{overflow-x:auto}.scroll svg{min-width:760px}.scroll table{min-width:620px}\n"
    "svg .arguments{fill:var(--arguments)}svg .results{fill:var(--results)}"
    "svg .constants{fill:var(--constants)}\n"
    ".frame{fill:none;stroke:var(--line)}.grid{stroke:var(--grid)}"
    ".live{fill:var(--live);opacity:.85}.peak{stroke:var(--bad);stroke-dasharray:4 3;fill:none}\n"
    ".block{stroke:var(--card);stroke-width:.5}.block:hover,.thin:hover{opacity:.7}\n"
    ".c0{fill:var(--c0);background:var(--c0)}.c1{fill:var(--c1);background:var(--c1)}"
    ".c2{fill:var(--c2);background:var(--c2)}.c3{fill:var(--c3);background:var(--c3)}"
    ".c4{fill:var(--c4);background:var(--c4)}.c5{fill:var(--c5);background:var(--c5)}"
    ".c6{fill:var(--c6);background:var(--c6)}.c7{fill:var(--c7);background:var(--c7)}\n"
    "</style></head><body><main>\n";

void plan_page_escape(const char *words, size_t max, struct text *out)
{
    for (size_t i = 0; words[i] && i < max; i++) {
        const char *escaped = words[i] == '<'   ? "&lt;"
                              : words[i] == '&' ? "&amp;"
                              : words[i] == '"' ? "&quot;"
                                                : NULL;
        text_add_bytes(out, escaped ? escaped : &words[i], escaped ? strlen(escaped) : 1);
    }
}

/* ---- figures --------------------------------------------------------------------------------- */
void plan_page_begin(const char *title, struct text *out)
{
    text_add(out, "%s<title>Memory plan of ", head);
    plan_page_escape(title, SIZE_MAX, out);
    text_add(out, "</title>\n%s<h1>", style);
    plan_page_escape(title, SIZE_MAX, out);
    text_add(out, "</h1>");
}

static void print_head(const struct plan_view *view, struct text *out)
{
    char code[TOPO_VIEW_SIZE];
    plan_page_begin(view->program, out);
    text_add(out, "<div class=\"dim\">memory plan on ");
    plan_page_escape(view->device, SIZE_MAX, out);
    text_add(
        out,
        " &middot; %lld steps &middot; %s of code &middot; <span class=\"%s\">%s</span></div>\n",
        (long long)view->step_count, topo_view_bytes(view->code, code), view->fits ? "good" : "bad",
        view->fits ? "fits" : "does not fit");
}

static void print_segment(const char *class, double bytes, double whole, struct text *out)
{
    if (bytes > 0)
        text_add(out, "<i class=\"%s\" style=\"width:%.3f%%\"></i>", class, 100 * bytes / whole);
}

static void print_legend(const char *class, const char *name, double bytes, struct text *out)
{
    char shown[TOPO_VIEW_SIZE];
    text_add(out, "<span><i class=\"%s\"></i>%s <b>%s</b></span>", class, name,
             topo_view_bytes(bytes, shown));
}

static void print_figures(const struct plan_memory *memory, struct text *out)
{
    char peak[TOPO_VIEW_SIZE], capacity[TOPO_VIEW_SIZE];
    /* the bar represents the capacity, unless the peak would then be too small to see */
    bool of_capacity = memory->capacity > memory->peak && memory->capacity < 5 * memory->peak;
    double whole = of_capacity ? memory->capacity : memory->peak;
    double results = memory->results - memory->aliases;
    text_add(out, "<h2>%s memory: %s", memory->kind, topo_view_bytes(memory->peak, peak));
    if (memory->capacity)
        text_add(out, " <span class=\"dim\">of %s (%.1f %%)</span>",
                 topo_view_bytes(memory->capacity, capacity),
                 100 * memory->peak / memory->capacity);
    text_add(out, "%s</h2>\n<div class=\"bar\">",
             memory->fits ? "" : " <span class=\"bad\">does not fit</span>");
    print_segment("arguments", memory->arguments, whole, out);
    print_segment("results", results, whole, out);
    print_segment("temporaries", memory->temporaries, whole, out);
    print_segment("constants", memory->constants, whole, out);
    text_add(out, "</div><div class=\"legend dim\">");
    print_legend("arguments", "arguments", memory->arguments, out);
    print_legend("results", "results of their own", results, out);
    print_legend("temporaries", "temporaries", memory->temporaries, out);
    print_legend("constants", "constants", memory->constants, out);
    if (memory->aliases > 0)
        text_add(out, "<span>%s of results take arguments' memory</span>",
                 topo_view_bytes(memory->aliases, peak));
    text_add(out, "</div>\n");
}

/* ---- tables ---------------------------------------------------------------------------------- */
static void print_use(const struct plan_use *use, double largest, struct text *out)
{
    char bytes[TOPO_VIEW_SIZE], name[64];
    text_add(out,
             "<tr><td class=\"n\">%s</td><td class=\"share\"><i style=\"width:%.1f%%\"></i></td>"
             "<td>%s</td><td><code>",
             topo_view_bytes(use->bytes * use->count, bytes),
             100 * use->bytes * use->count / largest, plan_view_name(use, name));
    plan_page_escape(use->contents, SIZE_MAX, out);
    text_add(out, "</code></td><td class=\"op\">");
    plan_page_escape(use->operation, SIZE_MAX, out);
    text_add(out, "</td></tr>\n");
}

static void print_uses(const struct plan_view *view, int memory, struct text *out)
{
    double largest = 0, rest = 0;
    int shown = 0, left = 0;
    char bytes[TOPO_VIEW_SIZE];
    text_add(out, "<h2 style=\"margin-top:22px\">In use at the peak</h2><table><tr><th "
                  "class=\"n\">bytes</th><th class=\"share\"></th><th>what</th>"
                  "<th>contents</th><th>written by</th></tr>\n");
    for (size_t i = 0; i < view->use_count; i++) {
        const struct plan_use *use = &view->uses[i];
        if (use->memory != memory)
            continue;
        largest = largest > 0 ? largest : use->bytes * use->count;
        if (shown++ < ROWS) {
            print_use(use, largest, out);
        } else {
            left += use->count;
            rest += use->bytes * use->count;
        }
    }
    if (left)
        text_add(out,
                 "<tr><td class=\"n\">%s</td><td class=\"share\"></td><td>%d more</td><td></td>"
                 "<td></td></tr>\n",
                 topo_view_bytes(rest, bytes), left);
    text_add(out, "</table>\n");
}

static void print_collective(const struct plan_collective *at, double most, struct text *out)
{
    char sent[TOPO_VIEW_SIZE], bytes[TOPO_VIEW_SIZE], groups[64], times[32] = "?";
    if (at->trips >= 0)
        snprintf(times, sizeof times, "%.0f", at->trips * at->count);
    text_add(out,
             "<tr><td class=\"n\">%s</td><td class=\"share\"><i style=\"width:%.1f%%\"></i></td>"
             "<td class=\"n\">%s</td><td class=\"n\">%s</td><td>%s</td><td>%s</td><td><code>",
             topo_view_bytes(at->sent, sent), most > 0 ? 100 * at->sent / most : 0,
             topo_view_bytes(at->bytes, bytes), times, at->kind, plan_view_groups(at, groups));
    plan_page_escape(at->contents, SIZE_MAX, out);
    text_add(out, "</code></td><td class=\"op\">");
    plan_page_escape(at->operation, SIZE_MAX, out);
    text_add(out, "</td></tr>\n");
}

static void print_collectives(const struct plan_view *view, struct text *out)
{
    char sent[TOPO_VIEW_SIZE];
    text_add(out,
             "<section>\n<h2>collectives: a device sends %s</h2><div "
             "class=\"scroll\"><table><tr><th class=\"n\">sent</th>"
             "<th></th><th class=\"n\">operands</th><th class=\"n\">times</th><th>kind</th>"
             "<th>groups</th><th>first operand</th><th>operation</th></tr>\n",
             topo_view_bytes(plan_view_sent(view), sent));
    for (size_t i = 0; i < view->collective_count && i < ROWS; i++)
        print_collective(&view->collectives[i], view->collectives->sent, out);
    if (view->collective_count > ROWS)
        text_add(out, "<tr><td></td><td></td><td></td><td></td><td>%zu more</td></tr>\n",
                 view->collective_count - ROWS);
    text_add(out, "</table></div>\n</section>\n");
}

void plan_html_print(const struct plan_view *view, struct text *out)
{
    print_head(view, out);
    for (int i = 0; i < PLAN_MEMORIES; i++) {
        if (!plan_view_is_used(&view->memories[i]))
            continue;
        text_add(out, "<section>\n");
        print_figures(&view->memories[i], out);
        if (view->memories[i].live)
            plan_page_picture(view, i, out);
        print_uses(view, i, out);
        text_add(out, "</section>\n");
    }
    if (view->collective_count)
        print_collectives(view, out);
    text_add(out, "</main></body></html>\n");
}
