/* thin_columns.c: see thin_columns.h. */
#include "devices/host/thin/thin_columns.h"

#include "devices/host/thin/thin_block.h"

enum { AHEAD = 16 << 10 /* bytes that are fetched ahead */ };

static void add_columns_directly(struct thin_part *p, int64_t k, int64_t count, int64_t c,
                                 int64_t group)
{
    const int64_t whole = count / THIN_LANES * THIN_LANES;
    struct thin_block block = thin_block_of(p, k, c);
    const int64_t next = THIN_FEW_COLUMNS / 2 * block.right_row;
    block.k = whole;
    block.columns = thin_least(THIN_FEW_COLUMNS, p->columns - c);
    block.ahead = next <= AHEAD ? next : AHEAD / 16;
    block.group = group, block.parameter_row = p->parameter_row;
    thin_block_multiply(p, &block, &(struct thin_begin){0, c, 0},
                        &(struct thin_blocks){.count = 1});
    if (whole == count)
        return;
    block.right = thin_part_right(p, k + whole, p->column + c);
    thin_block_copy(p, &block, block.columns, count - whole);
    block.k = THIN_LANES;
    thin_block_multiply(p, &block, &(struct thin_begin){whole, c, whole / group},
                        &(struct thin_blocks){.count = 1});
}

static void add_decoded_columns(struct thin_part *p, int64_t k, int64_t count, int64_t c,
                                int64_t group)
{
    struct thin_block block = thin_block_of(p, k, c);
    block.columns = thin_least(THIN_FEW_COLUMNS, p->columns - c);
    for (int64_t i = 0; i < block.columns; i++) {
        if (p->field == 0 && c + THIN_FEW_COLUMNS + i < p->columns)
            thin_block_fetch(thin_part_right(p, k, p->column + c + THIN_FEW_COLUMNS + i),
                             count * dtype_bytes(p->task->dot.rhs));
        thin_part_decode(p, i * p->parameter_row,
                         &(struct thin_run){.from = thin_part_right(p, k, p->column + c + i),
                                            .to = p->panel + i * THIN_PANEL_TERMS,
                                            .count = count,
                                            .rows = 1,
                                            .group = group});
    }
    block.right = p->panel;
    block.right_row = THIN_PANEL_TERMS * sizeof(float);
    block.k = thin_padded(count);
    thin_block_multiply_decoded(p, &block, &(struct thin_begin){0, c, 0});
}

/* Adds the products of terms [k, k + count) of a few columns, of all fields. */
static void add_columns(struct thin_part *p, int64_t k, int64_t count, int64_t c, int64_t group)
{
    const int64_t columns = thin_least(THIN_FEW_COLUMNS, p->columns - c);
    for (p->field = 0; p->field < p->task->fields; p->field += thin_block_fields(p)) {
        if (thin_part_set(p) == p->field)
            thin_part_load_groups(p, &(struct thin_terms){k, count, c, columns, group},
                                  thin_block_sets(p));
        if (p->task->is_direct)
            add_columns_directly(p, k, count, c, group);
        else
            add_decoded_columns(p, k, count, c, group);
    }
    p->field = 0;
}

/* Whole groups, if there are several at once; the terms of each have equal parameters. */
void thin_columns_multiply(struct thin_part *p)
{
    const int64_t size = p->task->dot.k, all = p->task->group,
                  group = thin_part_is_of_whole_units(all) ? all : 1;
    int64_t terms =
        p->task->is_direct ? p->task->terms : thin_least(THIN_PANEL_TERMS, p->task->terms);
    if (group == 1)
        terms = thin_least(terms, p->task->groups);
    else if (group < terms)
        terms -= terms % group;
    for (int64_t k = 0, count; k < size; k += count) {
        count = thin_least(terms, size - k);
        if (group > terms)
            count = thin_least(count, group - k % group);
        thin_part_load_fields(p, k, count);
        for (int64_t c = 0; c < p->columns; c += THIN_FEW_COLUMNS)
            add_columns(p, k, count, c, thin_least(group, terms));
    }
}
