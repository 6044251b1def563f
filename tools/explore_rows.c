#include "tools/explore_rows.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/plan_page.h"
#include "tools/topo_view.h"

/* ---- the front ------------------------------------------------------------------------------- */
static bool dominates(const struct explore_row *a, const struct explore_row *b)
{
    if (!a->fits || a->batch != b->batch || a->generation != b->generation)
        return false;
    if (a->seconds > b->seconds || a->peak_bytes > b->peak_bytes || a->chips > b->chips)
        return false;
    return a->seconds < b->seconds || a->peak_bytes < b->peak_bytes || a->chips < b->chips ||
           a < b; /* of equal ones the first is enough */
}

static int compare(const void *left, const void *right)
{
    const struct explore_row *a = left, *b = right;
    if (a->batch != b->batch)
        return a->batch < b->batch ? -1 : 1;
    if (a->generation != b->generation)
        return a->generation < b->generation ? -1 : 1;
    if (a->chips != b->chips)
        return a->chips < b->chips ? -1 : 1;
    if (a->fits != b->fits)
        return a->fits ? -1 : 1;
    if (a->seconds != b->seconds)
        return a->seconds < b->seconds ? -1 : 1;
    int tpu = strcmp(a->tpu, b->tpu);
    return tpu ? tpu : strcmp(a->mesh, b->mesh);
}

void explore_rows_mark(struct explore_row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        rows[i].is_front = rows[i].fits;
        for (size_t k = 0; k < count && rows[i].is_front; k++)
            rows[i].is_front = !dominates(&rows[k], &rows[i]);
    }
    qsort(rows, count, sizeof *rows, compare);
}

/* ---- text ------------------------------------------------------------------------------------ */
struct shown {
    char text[32];
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

static struct shown batch_of(const struct explore_row *row)
{
    struct shown out = {"-"};
    if (row->batch)
        snprintf(out.text, sizeof out.text, "%d", row->batch);
    return out;
}

void explore_rows_text(const struct explore_row *rows, size_t count, struct text *out)
{
    text_add(out, "* the front: no other plan of this batch and generation is as good in time, "
                  "memory and chips\n\n");
    text_add(out, "  %-6s %-12s %-8s %6s %10s %13s %10s %6s  %s\n", "batch", "slice", "mesh",
             "chips", "time", "chip-seconds", "peak", "MFU", "");
    for (size_t i = 0; i < count; i++) {
        const struct explore_row *row = &rows[i];
        char peak[TOPO_VIEW_SIZE];
        text_add(out, "%c %-6s %-12s %-8s %6d %10s %13.4g %10s %5.1f%%  %s\n",
                 row->is_front ? '*' : ' ', batch_of(row).text, row->tpu, row->mesh, row->chips,
                 time_of(row->seconds).text, row->seconds * row->chips,
                 topo_view_bytes(row->peak_bytes, peak), 100 * row->mfu,
                 row->fits ? "" : "does not fit");
    }
}

void explore_rows_json(const struct explore_row *rows, size_t count, struct text *out)
{
    text_add(out, "{\"plans\": [");
    for (size_t i = 0; i < count; i++) {
        const struct explore_row *row = &rows[i];
        text_add(out,
                 "%s\n  {\"tpu\": \"%s\", \"mesh\": \"%s\", \"chips\": %d, \"batch\": %d, "
                 "\"seconds\": %.17g, \"chip_seconds\": %.17g, \"peak_bytes\": %.17g, "
                 "\"capacity_bytes\": %.17g, \"mfu\": %.17g, \"fits\": %s, \"front\": %s}",
                 i ? "," : "", row->tpu, row->mesh, row->chips, row->batch, row->seconds,
                 row->seconds * row->chips, row->peak_bytes, row->capacity_bytes, row->mfu,
                 row->fits ? "true" : "false", row->is_front ? "true" : "false");
    }
    text_add(out, "\n]}\n");
}

/* ---- the page -------------------------------------------------------------------------------- */
enum { WIDTH = 900, HEIGHT = 360, LEFT = 70, RIGHT = 20, TOP = 16, BOTTOM = 36, COLORS = 8 };

struct chart { /* both axes are logarithmic */
    double chips, time[2];
};

static double x_of(const struct chart *chart, double chips)
{
    double span = log2(chart->chips) > 0 ? log2(chart->chips) : 1;
    return LEFT + 20 + (WIDTH - LEFT - RIGHT - 40) * log2(chips) / span;
}

static double y_of(const struct chart *chart, double seconds)
{
    double span = log(chart->time[1] / chart->time[0]);
    return TOP + (HEIGHT - TOP - BOTTOM) * (1 - log(seconds / chart->time[0]) / span);
}

static struct chart chart_of(const struct explore_row *rows, size_t count)
{
    struct chart chart = {1, {INFINITY, 0}};
    for (size_t i = 0; i < count; i++) {
        chart.chips = rows[i].chips > chart.chips ? rows[i].chips : chart.chips;
        if (rows[i].seconds <= 0)
            continue;
        chart.time[0] = rows[i].seconds < chart.time[0] ? rows[i].seconds : chart.time[0];
        chart.time[1] = rows[i].seconds > chart.time[1] ? rows[i].seconds : chart.time[1];
    }
    if (!(chart.time[1] > chart.time[0])) { /* one point, or none */
        chart.time[0] = chart.time[1] > 0 ? chart.time[1] / 2 : 1;
        chart.time[1] = chart.time[0] * 4;
    }
    return chart;
}

static void draw_axes(const struct chart *chart, struct text *out)
{
    for (double chips = 1; chips <= chart->chips; chips *= 2)
        text_add(out,
                 "<line class=\"grid\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%d\" y2=\"%d\"/>"
                 "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%g</text>\n",
                 x_of(chart, chips), x_of(chart, chips), TOP, HEIGHT - BOTTOM, x_of(chart, chips),
                 HEIGHT - BOTTOM + 16, chips);
    for (int i = 0; i <= 4; i++) {
        double seconds = chart->time[0] * pow(chart->time[1] / chart->time[0], i / 4.0);
        text_add(out,
                 "<line class=\"grid\" x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\"/>"
                 "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%s</text>\n",
                 LEFT, WIDTH - RIGHT, y_of(chart, seconds), y_of(chart, seconds), LEFT - 6,
                 y_of(chart, seconds) + 4, time_of(seconds).text);
    }
    text_add(out, "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">chips</text>\n", WIDTH / 2,
             HEIGHT - 4);
}

/* Plans of the front are filled; those that do not fit are left out. */
static void draw_point(const struct chart *chart, const struct explore_row *row, struct text *out)
{
    if (!row->fits || row->seconds <= 0)
        return;
    text_add(out,
             "<circle class=\"c%d\" cx=\"%.1f\" cy=\"%.1f\" r=\"%d\" opacity=\"%s\"><title>%s, "
             "mesh %s, batch %s: %s</title></circle>\n",
             row->generation % COLORS, x_of(chart, row->chips), y_of(chart, row->seconds),
             row->is_front ? 6 : 4, row->is_front ? "1" : "0.35", row->tpu, row->mesh,
             batch_of(row).text, time_of(row->seconds).text);
}

/* "v5e" beside its color, once for each generation. */
static void print_legend(const struct explore_row *rows, size_t count, struct text *out)
{
    unsigned named = 0;
    text_add(out, "<div class=\"legend dim\">");
    for (size_t i = 0; i < count; i++) {
        unsigned bit = 1u << rows[i].generation % COLORS;
        if (!(named & bit))
            text_add(out, "<span><i class=\"c%d\"></i>%.*s</span>", rows[i].generation % COLORS,
                     (int)strcspn(rows[i].tpu, ":"), rows[i].tpu);
        named |= bit;
    }
    text_add(out, "</div><div class=\"dim\">large: no other plan is as good in time, memory and "
                  "chips</div>");
}

static void draw(const struct explore_row *rows, size_t count, struct text *out)
{
    const struct chart chart = chart_of(rows, count);
    text_add(out,
             "<section><h2>Time of an execution over chips</h2>"
             "<div class=\"scroll\"><svg viewBox=\"0 0 %d %d\">\n",
             WIDTH, HEIGHT);
    draw_axes(&chart, out);
    for (size_t i = 0; i < count; i++)
        draw_point(&chart, &rows[i], out);
    text_add(out, "</svg></div>");
    print_legend(rows, count, out);
    text_add(out, "</section>\n");
}

static void print_row(const struct explore_row *row, struct text *out)
{
    char peak[TOPO_VIEW_SIZE];
    text_add(out,
             "<tr><td>%s</td><td>%s</td><td>%s</td><td>%s</td><td class=\"n\">%d</td>"
             "<td class=\"n\">%s</td><td class=\"n\">%.4g</td><td class=\"n\">%s</td>"
             "<td class=\"n\">%.1f %%</td><td class=\"%s\">%s</td></tr>\n",
             row->is_front ? "&#9679;" : "", batch_of(row).text, row->tpu, row->mesh, row->chips,
             time_of(row->seconds).text, row->seconds * row->chips,
             topo_view_bytes(row->peak_bytes, peak), 100 * row->mfu, row->fits ? "good" : "bad",
             row->fits ? "fits" : "does not fit");
}

void explore_rows_html(const char *program, const struct explore_row *rows, size_t count,
                       struct text *out)
{
    plan_page_begin(program, out);
    text_add(out,
             "<div class=\"dim\">slices and meshes, with shardings that the compiler chooses "
             "&middot; %zu plans</div>\n",
             count);
    draw(rows, count, out);
    text_add(out, "<section><h2>Plans</h2><div "
                  "class=\"scroll\"><table><tr><th></th><th>batch</th><th>slice</th>"
                  "<th>mesh</th><th class=\"n\">chips</th><th class=\"n\">time</th>"
                  "<th class=\"n\">chip-seconds</th><th class=\"n\">peak</th>"
                  "<th class=\"n\">MFU</th><th></th></tr>\n");
    for (size_t i = 0; i < count; i++)
        print_row(&rows[i], out);
    text_add(out, "</table></div></section></main></body></html>\n");
}
