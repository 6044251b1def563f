/* live_ranges.c: a treap ordered by `first`; every node has the latest end in its subtree. */
#include "compiler/passes/buffer/live_ranges.h"

#include <stddef.h>

/* A pseudo-random permutation of the serial numbers: the heap order. */
static uint64_t priority(const struct live_range *range)
{
    uint64_t x = range->serial + 0x9e3779b97f4a7c15;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
    x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
    return x ^ (x >> 31);
}

static void update(struct live_range *node)
{
    node->latest = node->last;
    if (node->before && node->before->latest > node->latest)
        node->latest = node->before->latest;
    if (node->after && node->after->latest > node->latest)
        node->latest = node->after->latest;
}

/* Splits a tree into ranges that begin before `first` and all others. */
static void split(struct live_range *tree, int64_t first, struct live_range **before,
                  struct live_range **after)
{
    if (!tree) {
        *before = *after = NULL;
        return;
    }
    if (tree->first < first) {
        split(tree->after, first, &tree->after, after);
        *before = tree;
    } else {
        split(tree->before, first, before, &tree->before);
        *after = tree;
    }
    update(tree);
}

static void insert(struct live_range **tree, struct live_range *range)
{
    struct live_range *node = *tree;
    if (!node || priority(range) > priority(node)) {
        split(node, range->first, &range->before, &range->after);
        *tree = range;
        update(range);
        return;
    }
    insert(range->first <= node->first ? &node->before : &node->after, range);
    update(node);
}

void live_ranges_insert(struct live_ranges *set, struct live_range *range)
{
    range->before = range->after = NULL;
    insert(&set->root, range);
}

static bool find(struct live_range *tree, int64_t first, int64_t last,
                 bool (*visit)(void *context, struct live_range *range), void *context)
{
    if (!tree || tree->latest < first)
        return false;
    if (find(tree->before, first, last, visit, context))
        return true;
    if (tree->first > last)
        return false;
    if (tree->last >= first && visit(context, tree))
        return true;
    return find(tree->after, first, last, visit, context);
}

bool live_ranges_find(const struct live_ranges *set, int64_t first, int64_t last,
                      bool (*visit)(void *context, struct live_range *range), void *context)
{
    return find(set->root, first, last, visit, context);
}
