/* schedule_order.c: see schedule_order.h.
 *
 * Compares these orders: the given one; with operations that free at least as much as they define
 * moved as early as possible; with operations that define at least as much as they free moved as
 * late as possible; with both; and the greedy order that always schedules the operation that frees
 * most. */
#include "compiler/passes/buffer/schedule_order.h"

enum { MIN_GAIN = 50 }; /* another order must lower the peak by more than 1/MIN_GAIN */

struct scheduler {
    struct arena *arena;
    const struct schedule_graph *graph;
    int *position;        /* node -> its position in the initial order */
    int *waiting;         /* node -> number of unscheduled predecessors */
    int *remaining_users; /* value -> number of unscheduled users */
    int64_t *delta;       /* node -> bytes that it defines minus bytes that it would free now */
    int *heap, *where;    /* ready nodes; node -> its index in the heap, or -1 */
    int heap_count;
    bool greedy; /* order by delta alone */
};

/* ---- memory ---------------------------------------------------------------------------------- */
static void reset(struct scheduler *s)
{
    const struct schedule_graph *graph = s->graph;
    for (int i = 0; i < graph->value_count; i++)
        s->remaining_users[i] = graph->values[i].users.count;
    for (int n = 0; n < graph->node_count; n++) {
        const struct schedule_node *node = &graph->nodes[n];
        s->waiting[n] = node->before.count;
        s->where[n] = -1;
        s->delta[n] = 0;
        for (int i = 0; i < node->value_count; i++)
            s->delta[n] += (int64_t)graph->values[node->first_value + i].bytes;
    }
    s->heap_count = 0;
}

static uint64_t bytes_freed_by_last(const struct schedule_value *value)
{
    return value->live_out ? 0 : value->bytes;
}

/* Bytes of results that reuse the memory of values at their last use. */
static uint64_t bytes_in_place(const struct scheduler *s, const struct schedule_node *node)
{
    uint64_t bytes = 0;
    for (int i = 0; i < node->value_count; i++) {
        int value = node->overwrites[i];
        bool unusable =
            value < 0 || s->remaining_users[value] != 1 || s->graph->values[value].live_out;
        for (int k = 0; k < i && !unusable; k++)
            unusable = node->overwrites[k] == value;
        bytes += unusable ? 0 : s->graph->values[node->first_value + i].bytes;
    }
    return bytes;
}

/* The peak bytes of an order. */
static uint64_t peak_of(struct scheduler *s, const int *order)
{
    uint64_t live = 0, peak = 0;
    reset(s);
    for (int i = 0; i < s->graph->node_count; i++) {
        const struct schedule_node *node = &s->graph->nodes[order[i]];
        uint64_t during = live + node->region_peak - bytes_in_place(s, node);
        for (int k = 0; k < node->value_count; k++) {
            const struct schedule_value *value = &s->graph->values[node->first_value + k];
            during += value->bytes;
            live += value->users.count || value->live_out ? value->bytes : 0;
        }
        for (int k = 0; k < node->uses.count; k++)
            if (!--s->remaining_users[node->uses.at[k]])
                live -= bytes_freed_by_last(&s->graph->values[node->uses.at[k]]);
        peak = during > peak ? during : peak;
    }
    return peak;
}

/* ---- ready nodes ----------------------------------------------------------------------------- */
static bool precedes(const struct scheduler *s, int a, int b)
{
    int64_t x = s->delta[a], y = s->delta[b];
    if (!s->greedy) {
        x = x > 0;
        y = y > 0;
    }
    return x != y ? x < y : s->position[a] < s->position[b];
}

static void put(struct scheduler *s, int at, int node)
{
    s->heap[at] = node;
    s->where[node] = at;
}

static void move_up(struct scheduler *s, int at)
{
    int node = s->heap[at];
    for (; at > 0 && precedes(s, node, s->heap[(at - 1) / 2]); at = (at - 1) / 2)
        put(s, at, s->heap[(at - 1) / 2]);
    put(s, at, node);
}

static void move_down(struct scheduler *s, int at)
{
    int node = s->heap[at];
    for (;;) {
        int child = 2 * at + 1;
        if (child + 1 < s->heap_count && precedes(s, s->heap[child + 1], s->heap[child]))
            child++;
        if (child >= s->heap_count || !precedes(s, s->heap[child], node))
            break;
        put(s, at, s->heap[child]);
        at = child;
    }
    put(s, at, node);
}

static void push(struct scheduler *s, int node)
{
    put(s, s->heap_count++, node);
    move_up(s, s->heap_count - 1);
}

static int pop(struct scheduler *s)
{
    int first = s->heap[0];
    s->where[first] = -1;
    if (--s->heap_count > 0) {
        s->heap[0] = s->heap[s->heap_count];
        move_down(s, 0);
    }
    return first;
}

/* A user of the value has been scheduled. If one user is left, it will free the value. */
static void use(struct scheduler *s, int v)
{
    const struct schedule_value *value = &s->graph->values[v];
    if (--s->remaining_users[v] != 1)
        return;
    for (int i = 0; i < value->users.count; i++) {
        int node = value->users.at[i];
        if (s->waiting[node] < 0)
            continue;
        s->delta[node] -= (int64_t)bytes_freed_by_last(value);
        if (s->where[node] >= 0)
            move_up(s, s->where[node]);
    }
}

/* ---- orders ---------------------------------------------------------------------------------- */
static void start(struct scheduler *s)
{
    reset(s);
    for (int i = 0; i < s->graph->value_count; i++)
        if (s->remaining_users[i] == 1)
            s->delta[s->graph->values[i].users.at[0]] -=
                (int64_t)bytes_freed_by_last(&s->graph->values[i]);
    for (int n = 0; n < s->graph->node_count; n++)
        if (!s->waiting[n])
            push(s, n);
}

/* Schedules the best ready node next. */
static void order_ready(struct scheduler *s, int *order)
{
    int count = 0;
    start(s);
    while (s->heap_count) {
        int n = order[count++] = pop(s);
        const struct schedule_node *node = &s->graph->nodes[n];
        s->waiting[n] = -1;
        for (int i = 0; i < node->uses.count; i++)
            use(s, node->uses.at[i]);
        for (int i = 0; i < node->after.count; i++)
            if (!--s->waiting[node->after.at[i]])
                push(s, node->after.at[i]);
    }
}

/* ---- scheduling backwards -------------------------------------------------------------------- */
/* Backwards, a node makes its operands live and frees its results. Once a value is live, it costs
 * its other users nothing. */
static void use_backwards(struct scheduler *s, int v)
{
    const struct schedule_value *value = &s->graph->values[v];
    if (!s->remaining_users[v])
        return;
    s->remaining_users[v] = 0;
    for (int i = 0; i < value->users.count; i++) {
        int node = value->users.at[i];
        s->delta[node] -= (int64_t)value->bytes;
        if (s->where[node] >= 0)
            move_up(s, s->where[node]);
    }
}

static void start_backwards(struct scheduler *s)
{
    reset(s);
    for (int n = 0; n < s->graph->node_count; n++) {
        const struct schedule_node *node = &s->graph->nodes[n];
        s->waiting[n] = node->after.count;
        s->delta[n] = -s->delta[n];
        for (int i = 0; i < node->uses.count; i++)
            s->delta[n] += (int64_t)s->graph->values[node->uses.at[i]].bytes;
    }
    for (int v = 0; v < s->graph->value_count; v++)
        if (s->graph->values[v].live_out)
            use_backwards(s, v);
    for (int n = 0; n < s->graph->node_count; n++)
        if (!s->waiting[n])
            push(s, n);
}

static void order_backwards(struct scheduler *s, int *order)
{
    int count = s->graph->node_count;
    start_backwards(s);
    while (s->heap_count) {
        int n = order[--count] = pop(s);
        const struct schedule_node *node = &s->graph->nodes[n];
        for (int i = 0; i < node->uses.count; i++)
            use_backwards(s, node->uses.at[i]);
        for (int i = 0; i < node->before.count; i++)
            if (!--s->waiting[node->before.at[i]])
                push(s, node->before.at[i]);
    }
}

static void set_positions(struct scheduler *s, const int *order, int step)
{
    for (int i = 0; i < s->graph->node_count; i++)
        s->position[order[i]] = step * i;
}

/* ---- the choice ------------------------------------------------------------------------------ */
struct choice {
    const int *order;
    uint64_t peak;
};

static void consider(struct scheduler *s, struct choice *best, const int *order)
{
    uint64_t peak = peak_of(s, order);
    if (peak < best->peak && best->peak - peak > best->peak / MIN_GAIN)
        *best = (struct choice){order, peak};
}

static int *new_order(const struct scheduler *s)
{
    return ARENA_ARRAY(s->arena, int, s->graph->node_count + 1);
}

/* A lower bound for every order: the results that stay live, and the operands and results of any
 * one operation. */
static uint64_t peak_lower_bound(struct scheduler *s)
{
    uint64_t bound = 0;
    for (int v = 0; v < s->graph->value_count; v++)
        bound += s->graph->values[v].live_out ? s->graph->values[v].bytes : 0;
    for (int n = 0; n < s->graph->node_count; n++) {
        const struct schedule_node *node = &s->graph->nodes[n];
        uint64_t bytes = node->region_peak;
        for (int i = 0; i < node->uses.count; i++)
            bytes += s->graph->values[node->uses.at[i]].bytes;
        for (int i = 0; i < node->value_count; i++)
            bytes += node->overwrites[i] < 0 ? s->graph->values[node->first_value + i].bytes : 0;
        bound = bytes > bound ? bytes : bound;
    }
    return bound;
}

static struct choice choose(struct scheduler *s)
{
    int *given = new_order(s), *early = new_order(s), *late = new_order(s), *both = new_order(s),
        *greedy = new_order(s);
    for (int i = 0; i < s->graph->node_count; i++)
        given[i] = i;
    struct choice best = {given, peak_of(s, given)};
    if (best.peak <= peak_lower_bound(s))
        return best;
    set_positions(s, given, 1);
    order_ready(s, early);
    consider(s, &best, early);
    s->greedy = true;
    order_ready(s, greedy);
    s->greedy = false;
    set_positions(s, given, -1);
    order_backwards(s, late);
    consider(s, &best, late);
    set_positions(s, late, 1);
    order_ready(s, both);
    consider(s, &best, both);
    consider(s, &best, greedy);
    return best;
}

const int *schedule_order(struct arena *arena, const struct schedule_graph *graph, uint64_t *peak)
{
    struct scheduler s = {.arena = arena,
                          .graph = graph,
                          .position = ARENA_ARRAY(arena, int, graph->node_count + 1),
                          .waiting = ARENA_ARRAY(arena, int, graph->node_count + 1),
                          .remaining_users = ARENA_ARRAY(arena, int, graph->value_count + 1),
                          .delta = ARENA_ARRAY(arena, int64_t, graph->node_count + 1),
                          .heap = ARENA_ARRAY(arena, int, graph->node_count + 1),
                          .where = ARENA_ARRAY(arena, int, graph->node_count + 1)};
    struct choice best = choose(&s);
    *peak = best.peak;
    return best.order;
}
