/* plan_svg.c: draws one memory in program order.
 *
 *   bytes │     ▁▂▅█▆▃▁       temporaries in use at each step, on top of what is there throughout
 *         │▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄
 *   place │ ▒▒▒  ▓▓▓▓▓        each temporary: when (left to right) and where (bottom up) it is
 *         │░░░░░░░░  ▒▒▒▒
 *         └──────────────── steps */
#include <string.h>

#include "tools/plan_kinds.h"
#include "tools/plan_page.h"
#include "tools/topo_view.h"

enum {
    LEFT = 78, /* left edge of the plots, after the axis */
    WIDTH = 1100,
    CURVE_TOP = 20,
    CURVE = 170, /* height */
    MAP_TOP = 232,
    MAP = 430,
    HEIGHT = MAP_TOP + MAP + 26,
    TICKS = 4,
    THIN = 3,          /* blocks lower than this have no border, which would hide them */
    MAX_BLOCKS = 8000, /* larger plans show only blocks that are large enough to see */
};

struct picture {
    const struct plan_view *view;
    const struct plan_memory *memory;
    int number; /* index of the memory */
    double base, max;
    struct plan_kinds kinds;
    struct text *out;
};

static double x_of(const struct picture *p, int64_t step)
{
    return LEFT + (double)WIDTH * (double)step / (double)p->view->step_count;
}

/* ---- frames ---------------------------------------------------------------------------------- */
static void print_axis(const struct picture *p, int top, int height, double max, const char *title)
{
    text_add(p->out, "<text x=\"%d\" y=\"%d\">%s</text>\n", LEFT, top - 7, title);
    for (int i = 0; i <= TICKS; i++) {
        char bytes[TOPO_VIEW_SIZE];
        double y = top + height - (double)height * i / TICKS;
        text_add(p->out,
                 "<line class=\"grid\" x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\"/>"
                 "<text text-anchor=\"end\" x=\"%d\" y=\"%.1f\">%s</text>\n",
                 LEFT, y, LEFT + WIDTH, y, LEFT - 8, y + 4,
                 topo_view_bytes(max * i / TICKS, bytes));
    }
}

static void print_frame(const struct picture *p, int top, int height)
{
    text_add(p->out, "<rect class=\"frame\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\"/>\n", LEFT,
             top, WIDTH, height);
}

/* ---- bytes in use ---------------------------------------------------------------------------- */
static double y_of(const struct picture *p, double bytes)
{
    return CURVE_TOP + CURVE - CURVE * bytes / p->max;
}

/* The maximum over the steps in a column of the picture; empty if there are fewer steps than
 * columns. */
static double most_in(const struct picture *p, int64_t first, int64_t end)
{
    double max = 0;
    for (int64_t i = first; i < end; i++)
        max = p->memory->live[i] > max ? p->memory->live[i] : max;
    return max;
}

static void print_curve(const struct picture *p)
{
    int64_t steps = p->view->step_count, columns = steps < WIDTH ? steps : WIDTH;
    text_add(p->out, "<path class=\"live\" d=\"M%d %.1f", LEFT, y_of(p, p->base));
    for (int64_t i = 0; i < columns; i++) {
        int64_t first = i * steps / columns, end = (i + 1) * steps / columns;
        double y = y_of(p, p->base + most_in(p, first, end));
        text_add(p->out, "L%.1f %.1fL%.1f %.1f", x_of(p, first), y, x_of(p, end), y);
    }
    text_add(p->out, "L%d %.1fZ\"/>\n", LEFT + WIDTH, y_of(p, p->base));
}

/* What is there throughout: a band on top of `*below` bytes. */
static void print_band(const struct picture *p, const char *name, double bytes, double *below)
{
    char shown[TOPO_VIEW_SIZE];
    if (bytes <= 0)
        return;
    double y = y_of(p, *below + bytes);
    text_add(p->out,
             "<rect class=\"%s\" x=\"%d\" y=\"%.1f\" width=\"%d\" height=\"%.1f\"><title>%s: %s "
             "throughout</title></rect>\n",
             name, LEFT, y, WIDTH, y_of(p, *below) - y, name, topo_view_bytes(bytes, shown));
    *below += bytes;
}

static void print_use(const struct picture *p)
{
    const struct plan_memory *memory = p->memory;
    double below = 0, peak = y_of(p, memory->peak);
    print_axis(p, CURVE_TOP, CURVE, p->max, "bytes in use; dashed line: allocated");
    print_band(p, "arguments", memory->arguments, &below);
    print_band(p, "results", memory->results - memory->aliases, &below);
    print_band(p, "constants", memory->constants, &below);
    print_curve(p);
    text_add(p->out, "<path class=\"peak\" d=\"M%d %.1fH%d\"/>\n", LEFT, peak, LEFT + WIDTH);
    print_frame(p, CURVE_TOP, CURVE);
}

/* ---- offsets --------------------------------------------------------------------------------- */
static void print_block(const struct picture *p, const struct plan_buffer *at)
{
    char bytes[TOPO_VIEW_SIZE];
    double x = x_of(p, at->first), width = x_of(p, at->last + 1) - x;
    double height = MAP * at->bytes / p->memory->temporaries;
    double y = MAP_TOP + MAP - MAP * at->offset / p->memory->temporaries - height;
    text_add(p->out,
             "<rect class=\"%s c%d\" x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\"><title>",
             height < THIN ? "thin" : "block", plan_kinds_color(&p->kinds, at->operation), x, y,
             width, height);
    plan_page_escape(at->contents, SIZE_MAX, p->out);
    text_add(p->out, ", %s\n", topo_view_bytes(at->bytes, bytes));
    plan_page_escape(at->operation, SIZE_MAX, p->out);
    text_add(p->out, "\nin use from step %lld to %lld, from byte %.0f</title></rect>\n",
             (long long)at->first + 1, (long long)at->last + 1, at->offset);
    if (width < 7 * (double)strlen(at->contents) + 12 || height < 14)
        return;
    text_add(p->out, "<text class=\"in\" x=\"%.2f\" y=\"%.2f\">", x + 6, y + height / 2 + 4);
    plan_page_escape(at->contents, SIZE_MAX, p->out);
    text_add(p->out, "</text>\n");
}

static bool is_visible(const struct picture *p, const struct plan_buffer *at)
{
    double width = x_of(p, at->last + 1) - x_of(p, at->first);
    return width * MAP * at->bytes / p->memory->temporaries > 0.02;
}

static void print_map(const struct picture *p)
{
    int shown = 0;
    double x = (x_of(p, p->memory->peak_step) + x_of(p, p->memory->peak_step + 1)) / 2;
    print_axis(p, MAP_TOP, MAP, p->memory->temporaries,
               "temporaries: when and where in memory; dashed line: the step with the most in use");
    for (size_t i = 0; i < p->view->buffer_count && shown < MAX_BLOCKS; i++) {
        const struct plan_buffer *at = &p->view->buffers[i];
        if (at->memory == p->number && at->result < 0 && is_visible(p, at)) {
            print_block(p, at);
            shown++;
        }
    }
    text_add(p->out, "<path class=\"peak\" d=\"M%.1f %dV%dM%.1f %dV%d\"/>\n", x, CURVE_TOP,
             CURVE_TOP + CURVE, x, MAP_TOP, MAP_TOP + MAP);
    print_frame(p, MAP_TOP, MAP);
}

static void print_steps(const struct picture *p)
{
    for (int i = 0; i <= TICKS; i++) {
        const char *anchor = i == 0 ? "start" : i == TICKS ? "end" : "middle";
        text_add(p->out, "<text text-anchor=\"%s\" x=\"%d\" y=\"%d\">%s%lld</text>\n", anchor,
                 LEFT + WIDTH * i / TICKS, HEIGHT - 8, i ? "" : "step ",
                 (long long)(i ? p->view->step_count * i / TICKS : 1));
    }
}

void plan_page_picture(const struct plan_view *view, int memory, struct text *out)
{
    struct picture p = {
        .view = view, .memory = &view->memories[memory], .number = memory, .out = out};
    p.base = p.memory->arguments + p.memory->results - p.memory->aliases + p.memory->constants;
    p.max = p.memory->peak;
    plan_kinds_find(view, memory, &p.kinds);
    text_add(out, "<div class=\"scroll\"><svg viewBox=\"0 0 %d %d\" role=\"img\">\n",
             LEFT + WIDTH + 10, HEIGHT);
    print_use(&p);
    print_map(&p);
    print_steps(&p);
    text_add(out, "</svg></div>\n<div class=\"dim\">temporaries by the operation that writes "
                  "them:</div>");
    plan_kinds_legend(&p.kinds, out);
}
