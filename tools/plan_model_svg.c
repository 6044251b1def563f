/* plan_model_svg.c: see plan_model_svg.h.
 *
 *   matrix │▒▒░░▓▓        a lane for each unit: the darker, the larger the share of an operation's
 *   HBM    │░░▓▓▒▒        time for which it keeps the unit busy
 *          └─────── time
 *
 *   flop/s │   ____●_     the rates that the operations' own figures imply: the matrix units' peak,
 *          │ ●/ ●         and the bandwidth of HBM times the intensity
 *          └─────── flops a byte */
#include "tools/plan_model_svg.h"

#include <math.h>
#include <stdio.h>

#include "tools/plan_page.h"

enum {
    WIDTH = 1100,
    LEFT = 110,
    LANE = 26, /* height; 4 of it are a gap */
    MAX_SHOWN = 4000,
    ROOF_TOP = 12,
    ROOF = 260 /* height */
};

static const char *const lanes[PLAN_UNITS] = {
    [PLAN_MATRIX] = "matrix units", [PLAN_VECTOR] = "vector unit", [PLAN_HBM] = "HBM",
    [PLAN_LINKS] = "links",         [PLAN_HOST] = "host",
};

/* ---- time ------------------------------------------------------------------------------------ */
/* Seconds that the execution is longer for this operation. */
static double visible_seconds(const struct plan_operation *operation)
{
    double seconds = operation->seconds - operation->hidden;
    return seconds > 0 ? seconds : 0;
}

static double sum_of(const struct plan_view *view)
{
    double sum = 0;
    for (size_t i = 0; i < view->operation_count; i++)
        sum += visible_seconds(&view->operations[i]);
    return sum;
}

static const char *time_text(double seconds, char out[32])
{
    double by = seconds >= 1 ? 1 : seconds >= 1e-3 ? 1e3 : 1e6;
    snprintf(out, 32, "%.3g %s", seconds * by, by == 1 ? "s" : by == 1e3 ? "ms" : "us");
    return out;
}

static void print_busy(const struct plan_operation *operation, double x, double width,
                       struct text *out)
{
    double whole = operation->seconds;
    char shown[32];
    for (int i = 0; i < PLAN_UNITS; i++) {
        double share = operation->busy[i] / whole;
        if (!(share > 0.01))
            continue;
        text_add(out,
                 "<rect class=\"c%d\" opacity=\"%.2f\" x=\"%.2f\" y=\"%d\" width=\"%.2f\" "
                 "height=\"%d\"><title>",
                 i, share < 1 ? share : 1, x, i * LANE, width, LANE - 4);
        plan_page_escape(operation->name, 400, out);
        text_add(out, "\n%s; %s busy for %.0f %%</title></rect>\n", time_text(whole, shown),
                 lanes[i], 100 * (share < 1 ? share : 1));
    }
}

static void print_lanes(double seconds, struct text *out)
{
    char shown[32];
    for (int i = 0; i < PLAN_UNITS; i++)
        text_add(out,
                 "<text text-anchor=\"end\" x=\"%d\" y=\"%d\">%s</text>"
                 "<rect class=\"frame\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\"/>\n",
                 LEFT - 8, i * LANE + 15, lanes[i], LEFT, i * LANE, WIDTH, LANE - 4);
    for (int i = 0; i <= 4; i++)
        text_add(out, "<text text-anchor=\"%s\" x=\"%d\" y=\"%d\">%s</text>\n",
                 i == 0   ? "start"
                 : i == 4 ? "end"
                          : "middle",
                 LEFT + WIDTH * i / 4, PLAN_UNITS * LANE + 14,
                 i ? time_text(seconds * i / 4, shown) : "0");
}

void plan_model_svg_timeline(const struct plan_view *view, double seconds, struct text *out)
{
    double sum = sum_of(view), at = 0;
    int shown = 0;
    if (!(sum > 0))
        return;
    text_add(
        out,
        "<section><h2>Units that are busy, over one execution</h2><div class=\"dim\">in program "
        "order, the iterations of a loop together</div><div class=\"scroll\"><svg "
        "viewBox=\"0 0 %d %d\" role=\"img\">\n",
        LEFT + WIDTH + 10, PLAN_UNITS * LANE + 20);
    print_lanes(seconds, out);
    for (size_t i = 0; i < view->operation_count; i++) {
        double width = WIDTH * visible_seconds(&view->operations[i]) / sum;
        if (width >= 0.05 && shown++ < MAX_SHOWN)
            print_busy(&view->operations[i], LEFT + at, width, out);
        at += width;
    }
    text_add(out, "</svg></div></section>\n");
}

/* ---- roofline -------------------------------------------------------------------------------- */
struct roof {
    double flops, bytes; /* a second, at most */
    double x[2], y[2];   /* what the axes span, which are logarithmic */
};

static double rate_of(double amount, double seconds)
{
    return seconds > 0 ? amount / seconds : 0;
}

static double larger(double a, double b)
{
    return a > b ? a : b;
}

/* Flops a byte of HBM, and flops a second; false for operations that have none. */
static bool point_of(const struct plan_operation *operation, double *x, double *y)
{
    double bytes = operation->hbm_bytes;
    *x = bytes > 0 ? operation->flops / bytes : 0;
    *y = rate_of(operation->flops, operation->seconds);
    return *x > 0 && *y > 0;
}

static bool find_roof(const struct plan_view *view, struct roof *roof)
{
    double x, y, least = INFINITY, most = 0, lowest = INFINITY;
    *roof = (struct roof){0};
    for (size_t i = 0; i < view->operation_count; i++) {
        const struct plan_operation *item = &view->operations[i];
        roof->flops = larger(roof->flops, rate_of(item->flops, item->busy[PLAN_MATRIX]));
        roof->bytes = larger(roof->bytes, rate_of(item->hbm_bytes, item->busy[PLAN_HBM]));
        if (!point_of(item, &x, &y))
            continue;
        least = x < least ? x : least;
        most = larger(most, x);
        lowest = y < lowest ? y : lowest;
    }
    if (!(roof->flops > 0 && roof->bytes > 0 && most > 0))
        return false;
    double ridge = roof->flops / roof->bytes;
    roof->x[0] = (least < ridge ? least : ridge) / 4;
    roof->x[1] = larger(most, ridge) * 4;
    double left = roof->x[0] * roof->bytes;
    roof->y[0] = (lowest < left ? lowest : left) / 2;
    roof->y[1] = roof->flops * 2;
    return true;
}

static double place_x(const struct roof *roof, double x)
{
    return LEFT + WIDTH * log(x / roof->x[0]) / log(roof->x[1] / roof->x[0]);
}

static double place_y(const struct roof *roof, double y)
{
    return ROOF_TOP + ROOF * (1 - log(y / roof->y[0]) / log(roof->y[1] / roof->y[0]));
}

static void print_scales(const struct roof *roof, struct text *out)
{
    for (double x = pow(10, ceil(log10(roof->x[0]))); x <= roof->x[1]; x *= 10)
        text_add(out,
                 "<line class=\"grid\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%d\" y2=\"%d\"/>"
                 "<text text-anchor=\"middle\" x=\"%.1f\" y=\"%d\">%g</text>\n",
                 place_x(roof, x), place_x(roof, x), ROOF_TOP, ROOF_TOP + ROOF, place_x(roof, x),
                 ROOF_TOP + ROOF + 15, x);
    for (double y = pow(10, ceil(log10(roof->y[0]))); y <= roof->y[1]; y *= 10)
        text_add(out,
                 "<line class=\"grid\" x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\"/>"
                 "<text text-anchor=\"end\" x=\"%d\" y=\"%.1f\">%g Gflop/s</text>\n",
                 LEFT, LEFT + WIDTH, place_y(roof, y), place_y(roof, y), LEFT - 8,
                 place_y(roof, y) + 4, y / 1e9);
    text_add(out, "<text text-anchor=\"end\" x=\"%d\" y=\"%d\">flops a byte of HBM</text>\n",
             LEFT + WIDTH, ROOF_TOP + ROOF + 32);
}

static void print_point(const struct roof *roof, const struct plan_operation *operation,
                        struct text *out)
{
    double x, y;
    if (!point_of(operation, &x, &y))
        return;
    text_add(out, "<circle class=\"c0\" opacity=\"0.7\" cx=\"%.1f\" cy=\"%.1f\" r=\"5\"><title>",
             place_x(roof, x), place_y(roof, y));
    plan_page_escape(operation->name, 400, out);
    text_add(out, "\n%.3g flops a byte, %.4g Gflop/s</title></circle>\n", x, y / 1e9);
}

void plan_model_svg_roofline(const struct plan_view *view, struct text *out)
{
    struct roof roof;
    int shown = 0;
    if (!find_roof(view, &roof))
        return;
    text_add(out,
             "<section><h2>Roofline</h2><div class=\"dim\">a circle for each operation with "
             "products; the line is the limit of HBM and the matrix units</div>"
             "<div class=\"scroll\"><svg viewBox=\"0 0 %d %d\" role=\"img\">\n",
             LEFT + WIDTH + 10, ROOF_TOP + ROOF + 38);
    print_scales(&roof, out);
    text_add(out, "<path class=\"peak\" d=\"M%.1f %.1fL%.1f %.1fH%d\"/>\n",
             place_x(&roof, roof.x[0]), place_y(&roof, roof.x[0] * roof.bytes),
             place_x(&roof, roof.flops / roof.bytes), place_y(&roof, roof.flops), LEFT + WIDTH);
    for (size_t i = 0; i < view->operation_count; i++)
        if (shown++ < MAX_SHOWN)
            print_point(&roof, &view->operations[i], out);
    text_add(out, "</svg></div></section>\n");
}
