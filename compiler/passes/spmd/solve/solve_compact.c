/* solve_compact.c: see solve_compact.h. */
#include "compiler/passes/spmd/solve/solve_compact.h"

#include <stdlib.h>
#include <string.h>

#include "compiler/passes/spmd/solve/solve_room.h"

struct compactor {
    struct solve_graph *graph;
    bool *grows, *shrinks; /* of each row: something takes more, or less, than in the row before */
    bool *is_gone;
    bool changed;
};

/* ---- uses ------------------------------------------------------------------------------------ */
static int compare_rows(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

/* The rows at which a use begins or is over, each once. */
static int ends_of(struct arena *arena, const struct graph_node *node, int **out)
{
    int count = 0, kept = 0;
    int *ends = *out = ARENA_ARRAY(arena, int, 2 * node->uses.count + 1);
    for (size_t u = 0; u < node->uses.count; u++) {
        ends[count++] = node->uses.items[u].first;
        ends[count++] = node->uses.items[u].last + 1;
    }
    qsort(ends, (size_t)count, sizeof *ends, compare_rows);
    for (int i = 0; i < count; i++)
        if (!kept || ends[i] != ends[kept - 1])
            ends[kept++] = ends[i];
    return kept;
}

static int64_t *at_row(int64_t *sums, int width, const int *ends, int count, int row)
{
    const int *found = bsearch(&row, ends, (size_t)count, sizeof row, compare_rows);
    return &sums[(int64_t)(found - ends) * width];
}

/* What each strategy takes from each end to the next one. */
static int64_t *sum_uses(struct arena *arena, const struct graph_node *node, const int *ends,
                         int count)
{
    int width = node->count;
    int64_t *sums = ARENA_ARRAY(arena, int64_t, (size_t)count *(size_t)width);
    for (size_t u = 0; u < node->uses.count; u++) {
        const struct graph_use *use = &node->uses.items[u];
        int64_t *from = at_row(sums, width, ends, count, use->first);
        int64_t *to = at_row(sums, width, ends, count, use->last + 1);
        for (int s = 0; s < width; s++)
            from[s] += use->bytes[s], to[s] -= use->bytes[s];
    }
    for (int64_t i = width; i < (int64_t)count * width; i++)
        sums[i] += sums[i - width];
    return sums;
}

/* Adds a use, or its rows to the last one if that ends here and takes the same. */
static void add_use(struct solve_graph *graph, struct graph_node *node, struct graph_use use)
{
    size_t size = (size_t)node->count * sizeof *use.bytes;
    struct graph_use *last = node->uses.count ? &VEC_LAST(&node->uses) : NULL;
    if (last && last->last + 1 == use.first && !memcmp(last->bytes, use.bytes, size))
        last->last = use.last;
    else
        VEC_PUSH(graph->arena, &node->uses, use);
}

/* The same memory as disjoint uses in the order of rows, each of which one strategy does not need.
 */
static void split_uses(struct solve_graph *graph, struct graph_node *node)
{
    int *ends, count = ends_of(graph->arena, node, &ends);
    int64_t *sums = sum_uses(graph->arena, node, ends, count);
    node->uses.count = 0;
    for (int i = 0; i + 1 < count; i++) {
        int64_t *bytes = &sums[(int64_t)i * node->count], least = bytes[0], most = bytes[0];
        for (int s = 0; s < node->count; s++) {
            least = bytes[s] < least ? bytes[s] : least;
            most = bytes[s] > most ? bytes[s] : most;
        }
        solve_graph_take(graph, ends[i], ends[i + 1] - 1, least);
        for (int s = 0; s < node->count; s++)
            bytes[s] -= least;
        if (most > least)
            add_use(graph, node, (struct graph_use){ends[i], ends[i + 1] - 1, bytes});
    }
}

/* ---- strategies ------------------------------------------------------------------------------ */
static void drop_large(struct compactor *c, const struct solve_room *room, int index)
{
    struct graph_node *node = &c->graph->nodes[index];
    bool kept[SOLVE_MAX_STRATEGIES];
    int count = node->count;
    memset(kept, true, sizeof kept);
    for (size_t u = 0; u < node->uses.count; u++) {
        const struct graph_use *use = &node->uses.items[u];
        int64_t least = solve_room_least(room, use->first, use->last);
        for (int s = 0; s < node->count; s++) {
            count -= kept[s] && use->bytes[s] > least;
            kept[s] &= use->bytes[s] <= least;
        }
    }
    c->graph->is_infeasible |= !count;
    if (!count || count == node->count)
        return;
    solve_graph_keep(c->graph, index, kept);
    c->changed = true;
}

static void drop_strategies(struct compactor *c)
{
    struct solve_room *room = solve_room_create(c->graph->arena, c->graph->row_count);
    solve_room_set(room, c->graph->room);
    for (int i = 0; i < c->graph->problem->node_count; i++)
        if (c->graph->nodes[i].count)
            drop_large(c, room, i);
}

/* ---- rows ------------------------------------------------------------------------------------ */
static int64_t most_of(const struct graph_node *node, const struct graph_use *use)
{
    int64_t most = 0;
    for (int s = 0; s < node->count; s++)
        most = use->bytes[s] > most ? use->bytes[s] : most;
    return most;
}

static void drop_slack(struct compactor *c)
{
    struct solve_graph *graph = c->graph;
    int64_t *most = ARENA_ARRAY(graph->arena, int64_t, (size_t)graph->row_count + 2), sum = 0;
    for (int i = 0; i < graph->problem->node_count; i++)
        for (size_t u = 0; graph->nodes[i].count && u < graph->nodes[i].uses.count; u++) {
            const struct graph_use *use = &graph->nodes[i].uses.items[u];
            int64_t bytes = most_of(&graph->nodes[i], use);
            most[use->first] += bytes;
            most[use->last + 1] -= bytes;
        }
    for (int r = 0; r < graph->row_count; r++) {
        sum += most[r];
        c->is_gone[r] = sum <= graph->room[r];
    }
}

/* Notes how the memory changes at a row, from one use (NULL: none) to another. */
static void compare_uses(struct compactor *c, const struct graph_node *node, int row,
                         const struct graph_use *from, const struct graph_use *to)
{
    for (int s = 0; s < node->count; s++) {
        int64_t more = (to ? to->bytes[s] : 0) - (from ? from->bytes[s] : 0);
        c->grows[row] |= more > 0;
        c->shrinks[row] |= more < 0;
    }
}

static void compare_node(struct compactor *c, const struct graph_node *node)
{
    const struct graph_use *before = NULL;
    for (size_t u = 0; u < node->uses.count; u++) {
        const struct graph_use *use = &node->uses.items[u];
        if (before && before->last + 1 < use->first) {
            compare_uses(c, node, before->last + 1, before, NULL);
            before = NULL;
        }
        compare_uses(c, node, use->first, before, use);
        before = use;
    }
    if (before)
        compare_uses(c, node, before->last + 1, before, NULL);
}

/* A stack of rows that no later row implies so far; `grows` and `shrinks` of a row are since the
 * row below it. */
static void drop_implied(struct compactor *c)
{
    const int64_t *room = c->graph->room;
    int *stack = ARENA_ARRAY(c->graph->arena, int, (size_t)c->graph->row_count + 1), depth = 0;
    for (int r = 0; r < c->graph->row_count; r++) {
        if (c->is_gone[r]) {
            c->grows[r + 1] |= c->grows[r], c->shrinks[r + 1] |= c->shrinks[r];
            continue;
        }
        while (depth && !c->shrinks[r] && room[r] <= room[stack[depth - 1]]) {
            int top = stack[--depth];
            c->is_gone[top] = true;
            c->grows[r] |= c->grows[top], c->shrinks[r] |= c->shrinks[top];
        }
        if (depth && !c->grows[r] && room[stack[depth - 1]] <= room[r]) {
            c->is_gone[r] = true;
            c->shrinks[r + 1] |= c->shrinks[r];
        } else {
            stack[depth++] = r;
        }
    }
}

static void renumber_node(struct compactor *c, struct graph_node *node, const int *ranks)
{
    struct graph_use *uses = node->uses.items;
    size_t count = node->uses.count;
    node->uses.count = 0;
    for (size_t u = 0; u < count; u++) {
        struct graph_use use = uses[u];
        use.first = ranks[use.first], use.last = ranks[use.last + 1] - 1;
        if (use.first <= use.last)
            add_use(c->graph, node, use);
    }
    c->changed |= count && !node->uses.count;
}

static void renumber(struct compactor *c)
{
    struct solve_graph *graph = c->graph;
    int *ranks = ARENA_ARRAY(graph->arena, int, (size_t)graph->row_count + 1), count = 0;
    for (int r = 0; r < graph->row_count; r++) {
        ranks[r] = count;
        if (!c->is_gone[r])
            graph->room[count++] = graph->room[r];
    }
    ranks[graph->row_count] = count;
    for (int i = 0; i < graph->problem->node_count; i++)
        if (graph->nodes[i].count)
            renumber_node(c, &graph->nodes[i], ranks);
    graph->row_count = count;
}

bool solve_compact(struct solve_graph *graph)
{
    size_t rows = (size_t)graph->row_count + 1;
    struct compactor c = {.graph = graph,
                          .grows = ARENA_ARRAY(graph->arena, bool, rows),
                          .shrinks = ARENA_ARRAY(graph->arena, bool, rows),
                          .is_gone = ARENA_ARRAY(graph->arena, bool, rows)};
    for (int i = 0; i < graph->problem->node_count; i++)
        if (graph->nodes[i].count)
            split_uses(graph, &graph->nodes[i]);
    solve_graph_settle(graph);
    if (graph->is_infeasible)
        return false;
    drop_strategies(&c);
    drop_slack(&c);
    for (int i = 0; i < graph->problem->node_count; i++)
        if (graph->nodes[i].count)
            compare_node(&c, &graph->nodes[i]);
    drop_implied(&c);
    renumber(&c);
    return c.changed && !graph->is_infeasible;
}
