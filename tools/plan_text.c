/* plan_text.c: a memory plan as text. */
#include "tools/plan_view.h"
#include "tools/topo_view.h"

enum { SHOWN = 20 }; /* maximum number of uses at the peak, and of largest buffers */

static void print_figure(struct text *out, double bytes)
{
    char shown[TOPO_VIEW_SIZE];
    text_add(out, "  %11s", topo_view_bytes(bytes, shown));
}

static void print_memories(const struct plan_view *view, struct text *out)
{
    text_add(out, "%-13s  %11s  %11s  %11s  %11s  %11s  %11s  %11s\n", "memory", "peak", "capacity",
             "arguments", "results", "aliased", "temporaries", "constants");
    for (int i = 0; i < PLAN_MEMORIES; i++) {
        const struct plan_memory *memory = &view->memories[i];
        if (!plan_view_is_used(memory) && memory->fits)
            continue;
        text_add(out, "%-13s", memory->kind);
        print_figure(out, memory->peak);
        if (memory->capacity)
            print_figure(out, memory->capacity);
        else
            text_add(out, "  %11s", "no limit");
        print_figure(out, memory->arguments);
        print_figure(out, memory->results);
        print_figure(out, memory->aliases);
        print_figure(out, memory->temporaries);
        print_figure(out, memory->constants);
        text_add(out, "%s\n", memory->fits ? "" : "  does not fit");
    }
}

static void print_uses(const struct plan_view *view, int memory, struct text *out)
{
    const struct plan_memory *at = &view->memories[memory];
    char bytes[TOPO_VIEW_SIZE], name[64];
    int shown = 0, left = 0;
    double rest = 0;
    text_add(out, "\nIn use in %s memory at its peak", at->kind);
    if (at->live)
        text_add(out, ", step %lld of %lld: %s", (long long)at->peak_step + 1,
                 (long long)view->step_count, view->steps[at->peak_step]);
    text_add(out, "\n");
    for (size_t i = 0; i < view->use_count; i++) {
        const struct plan_use *use = &view->uses[i];
        if (use->memory != memory)
            continue;
        if (shown++ >= SHOWN) {
            left += use->count;
            rest += use->bytes * use->count;
            continue;
        }
        text_add(out, "  %11s  %-26s  %s%s%s\n", topo_view_bytes(use->bytes * use->count, bytes),
                 plan_view_name(use, name), use->contents, *use->operation ? "  " : "",
                 use->operation);
    }
    if (left)
        text_add(out, "  %11s  %d more\n", topo_view_bytes(rest, bytes), left);
}

/* Prints the largest buffers of the plan, including those not in use at the peak. */
static void print_largest(const struct plan_view *view, struct text *out)
{
    bool taken_all = false;
    double below = -1; /* bytes of the last printed buffer; negative: none yet */
    size_t from = 0;
    char bytes[TOPO_VIEW_SIZE];
    text_add(out, "\nLargest buffers written by steps\n");
    for (int shown = 0; shown < SHOWN && !taken_all; shown++) {
        const struct plan_buffer *best = NULL;
        for (size_t i = 0; i < view->buffer_count; i++) {
            const struct plan_buffer *at = &view->buffers[i];
            bool after = below < 0 || at->bytes < below || (at->bytes == below && i >= from);
            if (after && (!best || at->bytes > best->bytes))
                best = at;
        }
        taken_all = !best;
        if (!best)
            break;
        below = best->bytes;
        from = (size_t)(best - view->buffers) + 1;
        text_add(out, "  %11s  steps %lld-%lld  %s  %s\n", topo_view_bytes(best->bytes, bytes),
                 (long long)best->first + 1, (long long)best->last + 1, best->contents,
                 best->operation);
    }
}

static void print_collectives(const struct plan_view *view, struct text *out)
{
    char sent[TOPO_VIEW_SIZE], bytes[TOPO_VIEW_SIZE], groups[64];
    text_add(out, "\nCollectives: a device sends %s in one execution\n  %11s  %11s  %-20s  %s\n",
             topo_view_bytes(plan_view_sent(view), sent), "sent", "operands", "kind",
             "times, groups, operands, operation");
    for (size_t i = 0; i < view->collective_count && i < SHOWN; i++) {
        const struct plan_collective *at = &view->collectives[i];
        text_add(out, "  %11s  %11s  %-20s  ", topo_view_bytes(at->sent, sent),
                 topo_view_bytes(at->bytes, bytes), at->kind);
        if (at->trips < 0)
            text_add(out, "? times, ");
        else if (at->trips * at->count != 1)
            text_add(out, "%.0f times, ", at->trips * at->count);
        text_add(out, "%s, %s, %s\n", plan_view_groups(at, groups), at->contents, at->operation);
    }
    if (view->collective_count > SHOWN)
        text_add(out, "  %zu more\n", view->collective_count - SHOWN);
}

static void print_time(const struct plan_view *view, struct text *out)
{
    static const struct {
        double scale;
        const char *name;
    } units[] = {{1, "s"}, {1e3, "ms"}, {1e6, "us"}};
    int i = view->seconds >= 1 ? 0 : view->seconds >= 1e-3 ? 1 : 2;
    if (view->seconds > 0)
        text_add(out, "; about %.3g %s an execution, as computed", view->seconds * units[i].scale,
                 units[i].name);
}

void plan_text_print(const struct plan_view *view, struct text *out)
{
    char code[TOPO_VIEW_SIZE];
    text_add(out, "%s on %s: %s; %lld step%s, %s of code", view->program, view->device,
             view->fits ? "fits" : "DOES NOT FIT", (long long)view->step_count,
             view->step_count == 1 ? "" : "s", topo_view_bytes(view->code, code));
    print_time(view, out);
    text_add(out, "\n\n");
    print_memories(view, out);
    for (int i = 0; i < PLAN_MEMORIES; i++)
        if (view->memories[i].peak > 0)
            print_uses(view, i, out);
    if (view->collective_count)
        print_collectives(view, out);
    if (view->buffer_count)
        print_largest(view, out);
}
