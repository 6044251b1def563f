#include "tools/plan_compare.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "tools/plan_model.h"
#include "tools/plan_view.h"
#include "tools/topo_view.h"

enum { SHOWN = 20 };             /* lines in the text */
enum { WHERE = 160, NAME = 96 }; /* bytes of a place and an operation, NUL included */

/* What the plans have at one place, or of one kind of collective. */
struct place {
    char where[WHERE];
    char operation[NAME]; /* one of those there: "tanh" */
    int line;             /* 0: it is no source line */
    double bytes[2], seconds[2], sent[2], count[2];
};

struct places {
    struct place *items; /* owned */
    size_t count, capacity;
};

struct comparison {
    const struct plan_side *sides;
    struct plan_view views[2];
    struct places lines, kinds;
    struct text *out;
};

/* ---- places ---------------------------------------------------------------------------------- */
/* The source line of "dot.3: jit(f)/tanh (model.py:12:3)": "model.py:12"; what has none is its own
 * place. */
static void set_where(struct place *place, const char *operation, const char *contents)
{
    const char *open = strrchr(operation, '('), *colon = open ? strchr(open, ':') : NULL;
    place->line = colon ? atoi(colon + 1) : 0;
    if (place->line)
        snprintf(place->where, WHERE, "%.*s:%d", (int)(colon - open) - 1, open + 1, place->line);
    else
        snprintf(place->where, WHERE, "%s", *operation ? operation : contents);
    const char *name = strstr(operation, ": ");
    name = name ? name + 2 : operation;
    size_t size = open && open > name ? (size_t)(open - name) : strlen(name);
    for (const char *at = name, *end = name + size; at < end; at++)
        if (*at == '/')
            name = at + 1, size = (size_t)(end - name);
    snprintf(place->operation, NAME, "%.*s", (int)size, name);
}

static struct error *add(struct places *to, const struct place *place)
{
    if (to->count == to->capacity) {
        struct place *items;
        size_t capacity = to->capacity ? 2 * to->capacity : 64;
        TRY(alloc_array(capacity, sizeof *items, &items));
        if (to->count)
            memcpy(items, to->items, to->count * sizeof *items);
        alloc_free(to->items);
        to->items = items;
        to->capacity = capacity;
    }
    to->items[to->count++] = *place;
    return NULL;
}

static int by_where(const void *a, const void *b)
{
    return strcmp(((const struct place *)a)->where, ((const struct place *)b)->where);
}

/* Adds up what is at the same place. */
static void merge(struct places *all)
{
    size_t kept = 0;
    if (all->count)
        qsort(all->items, all->count, sizeof *all->items, by_where);
    for (size_t i = 0; i < all->count; i++) {
        struct place *from = &all->items[i], *to = kept ? &all->items[kept - 1] : NULL;
        if (!to || strcmp(to->where, from->where)) {
            all->items[kept++] = *from;
            continue;
        }
        for (int side = 0; side < 2; side++) {
            to->bytes[side] += from->bytes[side], to->seconds[side] += from->seconds[side];
            to->sent[side] += from->sent[side], to->count[side] += from->count[side];
        }
    }
    all->count = kept;
}

/* ---- lines that moved ------------------------------------------------------------------------ */
static bool has(const struct place *place, int side)
{
    return place->bytes[side] > 0 || place->seconds[side] > 0 || place->sent[side] > 0;
}

static int by_operation(const void *a, const void *b)
{
    const struct place *x = a, *y = b;
    int names = strcmp(x->operation, y->operation);
    return names ? names : x->line - y->line;
}

/* `to`, which only A has, and `from`, which only B has, are one line. */
static void join(struct place *to, struct place *from)
{
    char where[WHERE];
    snprintf(where, sizeof where, "%.100s, in B %.40s", to->where,
             strrchr(from->where, '/') ? strrchr(from->where, '/') + 1 : from->where);
    memcpy(to->where, where, sizeof where);
    to->bytes[1] = from->bytes[1], to->seconds[1] = from->seconds[1], to->sent[1] = from->sent[1];
    memset(from->bytes, 0, sizeof from->bytes);
    memset(from->seconds, 0, sizeof from->seconds);
    memset(from->sent, 0, sizeof from->sent);
}

/* A change above a line moves it. So lines that only one of the plans has are paired by their
 * operation, the first with the first and so on. */
static void pair_moved(struct places *all)
{
    size_t a = 0, b = 0;
    if (all->count)
        qsort(all->items, all->count, sizeof *all->items, by_operation);
    for (; a < all->count; a++) {
        struct place *to = &all->items[a], *from;
        if (!to->line || !has(to, 0) || has(to, 1))
            continue;
        for (; b < all->count; b++) {
            from = &all->items[b];
            if (from->line && has(from, 1) && !has(from, 0) &&
                strcmp(from->operation, to->operation) >= 0)
                break;
        }
        if (b < all->count && !strcmp(all->items[b].operation, to->operation))
            join(to, &all->items[b++]);
    }
}

/* ---- changes --------------------------------------------------------------------------------- */
/* How much of the whole changed: the largest of the shares of time, memory and communication. */
static double change_of(const struct place *place, const struct place *whole)
{
    const double *parts[] = {place->seconds, place->bytes, place->sent},
                 *wholes[] = {whole->seconds, whole->bytes, whole->sent};
    double largest = 0;
    for (int i = 0; i < 3; i++) {
        double all = fmax(wholes[i][0], wholes[i][1]);
        double share = all > 0 ? fabs(parts[i][1] - parts[i][0]) / all : 0;
        largest = share > largest ? share : largest;
    }
    return largest;
}

static struct place sum_of(const struct places *all)
{
    struct place sum = {0};
    for (size_t i = 0; i < all->count; i++)
        for (int side = 0; side < 2; side++) {
            sum.bytes[side] += all->items[i].bytes[side];
            sum.seconds[side] += all->items[i].seconds[side];
            sum.sent[side] += all->items[i].sent[side];
        }
    return sum;
}

static int by_change(const void *a, const void *b, void *whole)
{
    double x = change_of(a, whole), y = change_of(b, whole);
    return x != y ? (x < y ? 1 : -1) : by_where(a, b);
}

/* Leaves the places that differ by more than rounding, the largest changes first. */
static void sort_by_change(struct places *all)
{
    struct place whole = sum_of(all);
    size_t kept = 0;
    for (size_t i = 0; i < all->count; i++)
        if (change_of(&all->items[i], &whole) > 1e-9)
            all->items[kept++] = all->items[i];
    all->count = kept;
    if (kept)
        qsort_r(all->items, kept, sizeof *all->items, by_change, &whole);
}

/* ---- reading --------------------------------------------------------------------------------- */
static struct error *read_uses(struct comparison *c, int side)
{
    const struct plan_view *view = &c->views[side];
    for (size_t i = 0; i < view->use_count; i++) {
        const struct plan_use *use = &view->uses[i];
        struct place place = {0};
        char contents[WHERE];
        snprintf(contents, sizeof contents, "%s %s", use->kind, use->contents);
        set_where(&place, use->operation, contents);
        place.bytes[side] = use->bytes * use->count;
        if (use->memory == 0)
            TRY(add(&c->lines, &place));
    }
    return NULL;
}

static struct error *read_operations(struct comparison *c, int side)
{
    const struct plan_view *view = &c->views[side];
    for (size_t i = 0; i < view->operation_count; i++) {
        struct place place = {0};
        set_where(&place, view->operations[i].name, "");
        place.seconds[side] = view->operations[i].seconds;
        TRY(add(&c->lines, &place));
    }
    return NULL;
}

static struct error *read_collectives(struct comparison *c, int side)
{
    const struct plan_view *view = &c->views[side];
    for (size_t i = 0; i < view->collective_count; i++) {
        const struct plan_collective *from = &view->collectives[i];
        struct place line = {0}, kind = {0};
        set_where(&line, from->operation, from->kind);
        snprintf(kind.where, WHERE, "%s", from->kind);
        line.sent[side] = kind.sent[side] = from->sent;
        kind.count[side] = from->count;
        TRY(add(&c->lines, &line));
        TRY(add(&c->kinds, &kind));
    }
    return NULL;
}

static struct error *read_side(struct comparison *c, int side)
{
    struct error *error = plan_view_read(c->sides[side].json, &c->views[side]);
    if (error)
        return error_prefix(error, "%s", c->sides[side].name);
    TRY(read_uses(c, side));
    TRY(read_operations(c, side));
    return read_collectives(c, side);
}

/* ---- figures --------------------------------------------------------------------------------- */
enum unit { BYTES, SECONDS, FLOPS, COUNT };
static const char *const units[] = {"bytes", "seconds", "flops", "count"};

enum { MOST_FIGURES = 32 };
struct figure {
    char name[64];
    enum unit unit;
    double values[2];
};
struct figures {
    int count;
    struct figure items[MOST_FIGURES];
};

static void add_figure(struct figures *to, const char *memory, const char *name, enum unit unit,
                       double a, double b)
{
    if ((a == 0 && b == 0) || to->count == MOST_FIGURES)
        return;
    struct figure *figure = &to->items[to->count++];
    snprintf(figure->name, sizeof figure->name, "%s%s%s", memory, *memory ? ": " : "", name);
    figure->unit = unit;
    figure->values[0] = a, figure->values[1] = b;
}

static void add_memory(const struct comparison *c, int memory, struct figures *to)
{
    const struct plan_memory *a = &c->views[0].memories[memory], *b = &c->views[1].memories[memory];
    const char *kind = a->kind ? a->kind : b->kind ? b->kind : "";
    add_figure(to, kind, "peak", BYTES, a->peak, b->peak);
    add_figure(to, kind, "arguments", BYTES, a->arguments, b->arguments);
    add_figure(to, kind, "results", BYTES, a->results, b->results);
    add_figure(to, kind, "temporaries", BYTES, a->temporaries, b->temporaries);
    add_figure(to, kind, "constants", BYTES, a->constants, b->constants);
}

/* A number of both plans' JSON. */
static void add_number(const struct comparison *c, const char *name, const char *shown,
                       enum unit unit, struct figures *to)
{
    add_figure(to, "", shown, unit, topo_view_number(c->sides[0].json, name),
               topo_view_number(c->sides[1].json, name));
}

static void list_figures(const struct comparison *c, struct figures *to)
{
    bool is_modeled = plan_model_has(c->sides[0].json) && plan_model_has(c->sides[1].json);
    if (is_modeled) {
        add_number(c, "seconds", "modeled time", SECONDS, to);
        add_number(c, "peak_bytes", "peak of HBM", BYTES, to);
        add_number(c, "argument_bytes", "arguments", BYTES, to);
        add_number(c, "output_bytes", "results", BYTES, to);
        add_number(c, "temp_bytes", "temporaries", BYTES, to);
        add_number(c, "flops", "flops of products", FLOPS, to);
        add_number(c, "hbm_bytes", "bytes of HBM moved", BYTES, to);
        add_number(c, "link_bytes", "bytes on links", BYTES, to);
        add_number(c, "host_bytes", "bytes to and from the host", BYTES, to);
        add_figure(to, "", "kernels", COUNT, (double)c->views[0].operation_count,
                   (double)c->views[1].operation_count);
        return;
    }
    add_figure(to, "", "expected time", SECONDS, c->views[0].seconds, c->views[1].seconds);
    for (int i = 0; i < PLAN_MEMORIES; i++)
        add_memory(c, i, to);
    add_figure(to, "", "steps", COUNT, (double)c->views[0].step_count,
               (double)c->views[1].step_count);
    add_figure(to, "", "machine code", BYTES, c->views[0].code, c->views[1].code);
}

/* ---- text ------------------------------------------------------------------------------------ */
struct shown {
    char text[TOPO_VIEW_SIZE];
};

static struct shown show(enum unit unit, double value)
{
    struct shown out;
    double size = fabs(value);
    if (unit == BYTES)
        topo_view_bytes(value, out.text);
    else if (unit == COUNT)
        snprintf(out.text, sizeof out.text, "%.0f", value);
    else if (unit == FLOPS)
        snprintf(out.text, sizeof out.text, "%.3g", value);
    else if (size >= 1)
        snprintf(out.text, sizeof out.text, "%.3g s", value);
    else if (size >= 1e-3)
        snprintf(out.text, sizeof out.text, "%.3g ms", value * 1e3);
    else
        snprintf(out.text, sizeof out.text, "%.3g us", value * 1e6);
    return out;
}

/* "-12 %", "2.5 times", "new", "gone" or "". */
static const char *change(double a, double b, char out[TOPO_VIEW_SIZE])
{
    if (a == b)
        return "";
    if (a == 0 || b == 0)
        return a == 0 ? "new" : "gone";
    if (b / a >= 2)
        snprintf(out, TOPO_VIEW_SIZE, "%.1f times", b / a);
    else
        snprintf(out, TOPO_VIEW_SIZE, "%+.1f %%", 100 * (b / a - 1));
    return out;
}

static void print_pair(struct text *out, enum unit unit, const double values[2])
{
    char shown[TOPO_VIEW_SIZE];
    text_add(out, "  %12s  %12s  %10s", show(unit, values[0]).text, show(unit, values[1]).text,
             change(values[0], values[1], shown));
}

static void print_figures(const struct comparison *c)
{
    struct figures figures = {0};
    list_figures(c, &figures);
    text_add(c->out, "A: %s\nB: %s\n\n%-28s  %12s  %12s  %10s\n", c->sides[0].name,
             c->sides[1].name, "", "A", "B", "change");
    for (int i = 0; i < figures.count; i++) {
        text_add(c->out, "%-28s", figures.items[i].name);
        print_pair(c->out, figures.items[i].unit, figures.items[i].values);
        text_add(c->out, "\n");
    }
}

static void print_kinds(const struct comparison *c)
{
    if (!c->kinds.count)
        return;
    text_add(c->out, "\n%-28s  %12s  %12s  %10s  %12s  %12s\n", "collectives, bytes sent", "A", "B",
             "change", "number in A", "in B");
    for (size_t i = 0; i < c->kinds.count; i++) {
        const struct place *kind = &c->kinds.items[i];
        text_add(c->out, "%-28s", kind->where);
        print_pair(c->out, BYTES, kind->sent);
        text_add(c->out, "  %12.0f  %12.0f\n", kind->count[0], kind->count[1]);
    }
}

static void print_lines(const struct comparison *c)
{
    struct place sum = sum_of(&c->lines);
    const struct {
        const char *title;
        enum unit unit;
        size_t offset;
        bool has;
    } columns[] = {
        {"time", SECONDS, offsetof(struct place, seconds), sum.seconds[0] + sum.seconds[1] > 0},
        {"at the peak", BYTES, offsetof(struct place, bytes), sum.bytes[0] + sum.bytes[1] > 0},
        {"sent", BYTES, offsetof(struct place, sent), sum.sent[0] + sum.sent[1] > 0},
    };
    text_add(c->out, "\n%s\n",
             c->lines.count ? "Changes by source line" : "No source line differs.");
    for (int k = 0; k < 3; k++)
        for (size_t i = 0, shown = 0; columns[k].has && i < c->lines.count; i++) {
            const struct place *line = &c->lines.items[i];
            const double *values = (const double *)((const char *)line + columns[k].offset);
            if (values[0] == values[1] || shown++ >= SHOWN)
                continue;
            text_add(c->out, "%-14s", shown == 1 ? columns[k].title : "");
            print_pair(c->out, columns[k].unit, values);
            text_add(c->out, "  %s\n", line->where);
        }
}

/* ---- JSON ------------------------------------------------------------------------------------ */
static void add_pair(cJSON *to, const char *name, const double values[2])
{
    char key[32];
    for (int i = 0; i < 2; i++) {
        snprintf(key, sizeof key, "%s%s%c", name, *name ? "_" : "", 'a' + i);
        cJSON_AddNumberToObject(to, key, values[i]);
    }
}

static cJSON *append_object(cJSON *array)
{
    cJSON *object = cJSON_CreateObject();
    return object && cJSON_AddItemToArray(array, object) ? object : NULL;
}

static void add_figures(const struct comparison *c, cJSON *root)
{
    struct figures figures = {0};
    cJSON *array = cJSON_AddArrayToObject(root, "figures");
    list_figures(c, &figures);
    for (int i = 0; i < figures.count; i++) {
        cJSON *object = append_object(array);
        cJSON_AddStringToObject(object, "name", figures.items[i].name);
        cJSON_AddStringToObject(object, "unit", units[figures.items[i].unit]);
        add_pair(object, "", figures.items[i].values);
    }
}

static void add_places(const struct comparison *c, cJSON *root)
{
    cJSON *kinds = cJSON_AddArrayToObject(root, "collectives"),
          *lines = cJSON_AddArrayToObject(root, "lines");
    for (size_t i = 0; i < c->kinds.count; i++) {
        cJSON *object = append_object(kinds);
        cJSON_AddStringToObject(object, "kind", c->kinds.items[i].where);
        add_pair(object, "count", c->kinds.items[i].count);
        add_pair(object, "bytes", c->kinds.items[i].sent);
    }
    for (size_t i = 0; i < c->lines.count; i++) {
        cJSON *object = append_object(lines);
        cJSON_AddStringToObject(object, "where", c->lines.items[i].where);
        add_pair(object, "bytes", c->lines.items[i].bytes);
        add_pair(object, "seconds", c->lines.items[i].seconds);
        add_pair(object, "sent", c->lines.items[i].sent);
    }
}

static struct error *print_json(const struct comparison *c)
{
    cJSON *root = cJSON_CreateObject();
    cJSON_AddStringToObject(root, "a", c->sides[0].name);
    cJSON_AddStringToObject(root, "b", c->sides[1].name);
    add_figures(c, root);
    add_places(c, root);
    char *text = cJSON_Print(root);
    cJSON_Delete(root);
    if (!text)
        return error_out_of_memory();
    text_add(c->out, "%s\n", text);
    cJSON_free(text);
    return NULL;
}

/* ---- the comparison -------------------------------------------------------------------------- */
static struct error *compare(struct comparison *c, bool as_json)
{
    for (int side = 0; side < 2; side++)
        TRY(read_side(c, side));
    merge(&c->lines);
    merge(&c->kinds);
    pair_moved(&c->lines);
    sort_by_change(&c->lines);
    if (as_json)
        return print_json(c);
    print_figures(c);
    print_kinds(c);
    print_lines(c);
    return NULL;
}

struct error *plan_compare_print(const struct plan_side sides[2], bool as_json, struct text *out)
{
    struct comparison c = {.sides = sides, .out = out};
    struct error *error = compare(&c, as_json);
    for (int side = 0; side < 2; side++)
        plan_view_free(&c.views[side]);
    alloc_free(c.lines.items);
    alloc_free(c.kinds.items);
    return error;
}
