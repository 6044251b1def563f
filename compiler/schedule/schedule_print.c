/* schedule_print.c: see schedule_print.h. */
#include "compiler/schedule/schedule_print.h"

#include "compiler/analysis/update_window.h"
#include "compiler/schedule/kernel_schedule.h"
#include "compiler/schedule/read_map.h"
#include "compiler/schedule/scatter_schedule.h"

#define ROOTS_PRINTED 8

struct printer {
    struct arena *arena;
    const struct target *target;
    struct text *out;
};

/* ---- what is read ---------------------------------------------------------------------------- */
static void print_number(struct text *out, const struct access *at, char letter)
{
    if (at->scale == -1)
        text_add(out, "-");
    else if (at->scale != 1)
        text_add(out, "%lld*", (long long)at->scale);
    text_add(out, "%c%d", letter, at->dim);
    if (at->offset)
        text_add(out, "%+lld", (long long)at->offset);
    if (at->divisor != 1)
        text_add(out, "/%lld", (long long)at->divisor);
    if (at->shifted)
        text_add(out, "+?");
}

static void print_access(struct text *out, const struct access *at)
{
    switch (at->kind) {
    case ACCESS_ONE: text_add(out, "0"); break;
    case ACCESS_INDEX: print_number(out, at, 'd'); break;
    case ACCESS_LOOP: print_number(out, at, 'r'); break;
    case ACCESS_DIGITS: text_add(out, "~"); break;
    case ACCESS_COMPUTED: text_add(out, "?"); break;
    }
}

static void print_read(struct text *out, const struct read *read)
{
    const struct type *type = read->argument->type;
    text_add(out, "      reads arg.%d ", read->argument->index);
    type_print(type, out);
    for (int i = 0; i < type->shape.rank; i++) {
        text_add(out, i ? ", " : " at ");
        print_access(out, &read->at[i]);
    }
    text_add(out, "\n");
}

/* Of the first roots: a kernel may have a thousand. */
static void print_reads(struct printer *p, const struct nest *nest)
{
    for (int i = 0; i < nest->count && i < ROOTS_PRINTED; i++) {
        struct read_map map = read_map_of(p->arena, nest->roots[i]);
        for (size_t k = 0; k < map.reads.count; k++)
            print_read(p->out, &map.reads.items[k]);
        if (!map.complete)
            text_add(p->out, "      reads more\n");
    }
    if (nest->count > ROOTS_PRINTED)
        text_add(p->out, "      and the reads of %d more results\n", nest->count - ROOTS_PRINTED);
}

/* ---- nests ----------------------------------------------------------------------------------- */
static void print_lanes(struct text *out, const struct schedule *schedule)
{
    text_add(out, ", %d lanes, step %d, %lld steps an item", schedule->lanes, schedule->step,
             (long long)schedule->chunk);
    if (schedule->overlaps)
        text_add(out, ", the last overlaps");
    if (schedule->odd_vector)
        text_add(out, ", records");
    if (schedule->reduces)
        text_add(out, ", reductions differ");
}

static void print_axis(struct text *out, const struct schedule *schedule, int i)
{
    static const char *const kinds[] = {[AXIS_GRID] = "grid",
                                        [AXIS_LOOP] = "loop",
                                        [AXIS_TILE] = "tile",
                                        [AXIS_LANE] = "lane",
                                        [AXIS_UNROLL] = "unroll"};
    enum axis_kind kind = nest_schedule_axis_kind(schedule, i);
    text_add(out, "      %s d%d of %lld", kinds[kind], schedule->axis[i].dim,
             (long long)schedule->axis[i].size);
    if (kind == AXIS_LANE)
        print_lanes(out, schedule);
    if (kind == AXIS_TILE)
        text_add(out, ", %lld tiles an item", (long long)schedule->tile_block);
    if (kind == AXIS_UNROLL && schedule->periodic)
        text_add(out, ", adjacent elements together");
    text_add(out, "\n");
}

/* The part of an array that the roots of a nest fill. */
static void print_place(struct text *out, const struct nest *nest)
{
    const struct type *into = nest->into ? nest->into[0] : NULL;
    if (!into)
        return;
    text_add(out, " in ");
    type_print(into, out);
    if (!nest->origin)
        return;
    for (int i = 0; i < into->shape.rank; i++)
        text_add(out, "%s%lld", i ? ", " : " from [", (long long)nest->origin[i]);
    text_add(out, "]");
}

static void print_nest(struct printer *p, const struct nest *nest)
{
    const struct schedule *schedule = &nest->schedule;
    text_add(p->out, "    ");
    for (int i = 0; i < nest->count; i++)
        text_add(p->out, "%sresult.%d", i ? " " : "", nest->results[i]);
    text_add(p->out, " ");
    type_print(nest->shape, p->out);
    print_place(p->out, nest);
    text_add(p->out, ", %lld items%s\n", (long long)schedule->work,
             schedule->bits ? ", moved" : "");
    for (int i = 0; i < schedule->axes + schedule->inner; i++)
        print_axis(p->out, schedule, i);
    print_reads(p, nest);
}

/* ---- fusions --------------------------------------------------------------------------------- */
static void print_loops(struct printer *p, const struct op *fusion)
{
    struct kernel_schedule schedule = kernel_schedule(p->arena, p->target, fusion);
    for (size_t i = 0; i < schedule.nests.count; i++)
        print_nest(p, &schedule.nests.items[i]);
}

/* The nest over the updates of the scatter that result i is, with its first result. */
static void print_scatter(struct printer *p, const struct op *fusion, int i)
{
    const struct value *root = fusion->regions[0]->last->operands[i];
    if (root->index)
        return;
    bool is_alone = fusion->result_count == root->def->result_count;
    struct scatter_schedule scatter = scatter_schedule(p->target, root->def, is_alone);
    text_add(p->out, "    updates of result.%d%s%s\n", i, scatter.nest.in_order ? ", in order" : "",
             scatter.numbers_windows ? ", windows in lanes" : "");
    scatter.nest.results = &i;
    print_nest(p, &scatter.nest);
}

static void print_windows(struct printer *p, const struct op *fusion)
{
    bool *stored = ARENA_ARRAY(p->arena, bool, (size_t)fusion->result_count);
    for (int i = 0; i < fusion->result_count; i++) {
        if (stored[i])
            continue;
        if (!update_window_root(fusion, i)) {
            print_scatter(p, fusion, i);
            continue;
        }
        struct nest nest = kernel_schedule_windows(p->arena, p->target, fusion, i, stored);
        print_nest(p, &nest);
    }
}

static void print_inside(struct printer *p, const char *name, const struct op *op)
{
    for (int i = 0; i < op->region_count; i++)
        for (const struct op *inside = op->regions[i]->first; inside; inside = inside->next)
            if (inside->code == OP_fusion)
                schedule_print(p->arena, p->target, name, inside, p->out);
            else
                print_inside(p, name, inside);
}

void schedule_print(struct arena *arena, const struct target *target, const char *name,
                    const struct op *fusion, struct text *out)
{
    struct printer p = {arena, target, out};
    switch (fusion->attrs.fusion.fusion_kind) {
    case FUSION_LOOP:
    case FUSION_ROWS:
        text_add(out, "%s %s\n", name,
                 fusion->attrs.fusion.fusion_kind == FUSION_ROWS ? "rows" : "loop");
        print_loops(&p, fusion);
        break;
    case FUSION_UPDATE:
        text_add(out, "%s update\n", name);
        print_windows(&p, fusion);
        break;
    case FUSION_REGION:
        text_add(out, "%s region\n", name);
        print_inside(&p, name, fusion);
        break;
    default: text_add(out, "%s has no loop nests of its own\n", name);
    }
}
