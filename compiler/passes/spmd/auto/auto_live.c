#include "compiler/passes/spmd/auto/auto_live.h"

#include <stdlib.h>

#include "base/map.h"
#include "compiler/passes/spmd/solve/solve_problem.h"

struct live_value {
    int64_t begin, end; /* positions; begin -1: not defined yet */
    int users;
    bool is_stored, is_kept; /* kept: to the end of the program */
};

struct walker {
    struct arena *arena;
    const struct auto_classes *classes;
    struct map *indices; /* index of values plus 1, by struct value */
    struct live_value *values;
    int64_t slot, position;
};

/* ---- intervals ------------------------------------------------------------------------------- */
static struct live_value *live_of(struct walker *w, const struct value *value)
{
    uintptr_t index = (uintptr_t)map_get_pointer(w->indices, value);
    return index ? &w->values[index - 1] : NULL;
}

static void define(struct walker *w, const struct value *value, bool is_stored)
{
    int index = w->classes->slots[w->slot++];
    if (index < 0)
        return;
    struct live_value *live = &w->values[index];
    map_put_pointer(w->indices, value, (void *)(uintptr_t)(index + 1));
    if (live->begin < 0)
        live->begin = w->position;
    live->end = w->position + 1;
    live->is_stored |= is_stored;
}

static void use_operands(struct walker *w, const struct op *op)
{
    for (int i = 0; i < op->operand_count; i++) {
        struct live_value *live = live_of(w, op->operands[i]);
        if (!live)
            continue;
        live->end = w->position + 1;
        live->users++;
    }
}

static void walk(struct walker *w, const struct block *block)
{
    for (int i = 0; i < block->argument_count; i++)
        define(w, &block->arguments[i], true);
    for (const struct op *op = block->first; op; op = op->next) {
        w->position++;
        use_operands(w, op);
        for (int i = 0; i < op->result_count; i++)
            define(w, &op->results[i], !auto_classes_is_in_place(op));
        if (op_info(op->code)->traits & OP_CONTROL)
            for (int r = 0; r < op->region_count; r++)
                walk(w, op->regions[r]);
        for (int i = 0; i < op->result_count; i++) { /* of a loop: after its body */
            struct live_value *live = live_of(w, &op->results[i]);
            if (live && live->end <= w->position)
                live->end = w->position + 1;
        }
    }
}

/* Arguments that are not donated, and results. */
static void keep(struct walker *w, const struct func *entry)
{
    const struct auto_classes *classes = w->classes;
    bool *donated = ARENA_ARRAY(w->arena, bool, (size_t)entry->body->argument_count + 1);
    for (int i = 0; i < entry->result_count; i++) {
        if (classes->donors[i] >= 0)
            donated[classes->donors[i]] = true;
        if (classes->results[i] >= 0)
            w->values[classes->results[i]].is_kept = true;
    }
    for (int i = 0; i < entry->body->argument_count; i++)
        if (classes->slots[i] >= 0 && !donated[i])
            w->values[classes->slots[i]].is_kept = true;
}

/* ---- rows ------------------------------------------------------------------------------------ */
static double bytes_of(const struct auto_value *value)
{
    double bytes = value->element_bytes;
    for (int d = 0; d < value->rank; d++)
        bytes *= (double)value->sizes[d];
    return bytes;
}

static int compare_loads(const void *a, const void *b, void *context)
{
    const double *loads = context;
    int i = *(const int *)a, j = *(const int *)b;
    if (loads[i] != loads[j])
        return loads[i] > loads[j] ? -1 : 1;
    return i < j ? -1 : i > j;
}

/* before[r]: the number of rows before r that are kept. Returns how many are. */
static int choose_rows(struct arena *arena, int rows, double *loads, int *before)
{
    int *order = ARENA_ARRAY(arena, int, (size_t)rows + 1);
    for (int r = 0; r < rows; r++)
        order[r] = r;
    qsort_r(order, (size_t)rows, sizeof *order, compare_loads, loads);
    for (int i = 0; i < rows && i < AUTO_ROWS; i++)
        before[order[i] + 1] = 1;
    for (int r = 0; r < rows; r++)
        before[r + 1] += before[r];
    return before[rows];
}

static void add_use(struct arena *arena, const struct auto_group *group, int first, int last,
                    double bytes, struct auto_live *out, int index)
{
    int64_t *taken = ARENA_ARRAY(arena, int64_t, (size_t)group->strategies.count);
    for (int s = 0; s < group->strategies.count; s++)
        taken[s] = (int64_t)(bytes / (double)group->strategies.shards[s]);
    out->uses[index][out->use_counts[index]++] = (struct solve_use){first, last, taken};
}

/* Consecutive rows of equal bytes are one use. */
static void write_uses(struct arena *arena, const struct auto_groups *groups,
                       const double *bytes /* group x row */, struct auto_live *out)
{
    for (int g = 0; g < groups->count; g++) {
        const double *at = &bytes[(int64_t)g * out->row_count];
        out->uses[g] = ARENA_ARRAY(arena, struct solve_use, (size_t)out->row_count + 1);
        for (int r = 0, first = 0; r < out->row_count; r++) {
            if (r + 1 < out->row_count && at[r + 1] == at[r])
                continue;
            if (at[r] > 0)
                add_use(arena, &groups->at[g], first, r, at[r], out, g);
            first = r + 1;
        }
    }
}

struct span { /* rows of a value */
    int first, last;
};

static void add_rows(struct arena *arena, const struct auto_classes *classes,
                     const struct auto_groups *groups, const struct span *spans, int rows,
                     struct auto_live *out)
{
    double *loads = ARENA_ARRAY(arena, double, (size_t)rows + 1);
    int *before = ARENA_ARRAY(arena, int, (size_t)rows + 1);
    for (int i = 0; i < classes->value_count; i++)
        if (spans[i].first <= spans[i].last) {
            loads[spans[i].first] += bytes_of(&classes->values[i]);
            loads[spans[i].last + 1] -= bytes_of(&classes->values[i]);
        }
    for (int r = 1; r < rows; r++)
        loads[r] += loads[r - 1];
    out->row_count = choose_rows(arena, rows, loads, before);
    size_t cells = (size_t)groups->count * ((size_t)out->row_count + 1);
    double *bytes = ARENA_ARRAY(arena, double, cells + 1);
    for (int i = 0; i < classes->value_count; i++)
        for (int r = before[spans[i].first]; r < before[spans[i].last + 1]; r++)
            bytes[(int64_t)groups->of[i] * out->row_count + r] += bytes_of(&classes->values[i]);
    write_uses(arena, groups, bytes, out);
}

void auto_live_find(struct arena *arena, const struct module *module,
                    const struct auto_classes *classes, const struct auto_groups *groups,
                    struct auto_live *out)
{
    size_t count = (size_t)classes->value_count + 1;
    struct walker w = {.arena = arena,
                       .classes = classes,
                       .indices = map_create(arena),
                       .values = ARENA_ARRAY(arena, struct live_value, count)};
    for (int i = 0; i < classes->value_count; i++)
        w.values[i].begin = -1;
    walk(&w, module->entry->body);
    keep(&w, module->entry);
    struct solve_interval *intervals = ARENA_ARRAY(arena, struct solve_interval, count);
    struct span *spans = ARENA_ARRAY(arena, struct span, count);
    int *first = ARENA_ARRAY(arena, int, count), *last = ARENA_ARRAY(arena, int, count);
    for (int i = 0; i < classes->value_count; i++) {
        const struct live_value *live = &w.values[i];
        if (live->begin >= 0 && (live->is_stored || live->users > 1 || live->is_kept))
            intervals[i] =
                (struct solve_interval){live->begin, live->is_kept ? w.position + 2 : live->end};
    }
    int rows = solve_problem_rows(arena, classes->value_count, intervals, first, last);
    for (int i = 0; i < classes->value_count; i++)
        spans[i] = (struct span){first[i], last[i]};
    out->use_counts = ARENA_ARRAY(arena, int, (size_t)groups->count + 1);
    out->uses = ARENA_ARRAY(arena, struct solve_use *, (size_t)groups->count + 1);
    add_rows(arena, classes, groups, spans, rows, out);
}
