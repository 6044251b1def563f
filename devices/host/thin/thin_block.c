/* thin_block.c: see thin_block.h. */
#include "devices/host/thin/thin_block.h"

#include <string.h>

enum { LINE = 64 /* of a cache */ };

static const float ones[THIN_PANEL_COLUMNS] = {[0 ... THIN_PANEL_COLUMNS - 1] = 1};

static const struct thin_code *code_of(const struct thin_part *p)
{
    const struct thin_set *set = p->task->set;
    const enum dtype dtype = p->task->spec->dot.rhs;
    if (p->task->is_pair)
        return &set->codes[THIN_PAIR][dtype];
    const enum thin_field field = thin_part_field(p);
    return p->task->table ? &set->tables[field] : &set->codes[field][dtype];
}

int thin_block_fields(const struct thin_part *p)
{
    return p->task->is_pair ? 2 : 1;
}

int thin_block_sets(const struct thin_part *p)
{
    return p->task->shares_parameters ? 1 : thin_block_fields(p);
}

struct thin_block thin_block_of(const struct thin_part *p, int64_t k, int64_t c)
{
    const struct dot_spec *s = &p->task->dot;
    return (struct thin_block){
        .right = thin_part_right(p, k, p->column + c),
        .right_row = (p->task->has_adjacent_columns ? s->rhs_k_stride : s->rhs_n_stride) *
                     dtype_bytes(s->rhs),
        .left_row = p->task->left_row,
        .left_step = 1,
        .out_row = p->task->sums_row,
        .rows = p->task->rows,
        .group = INT64_MAX};
}

static void set_field(struct thin_part *p, const struct thin_begin *at, struct thin_block *out)
{
    const struct thin_parameters *parameters = &p->parameters;
    const int64_t parameter = thin_part_parameters(p) + at->parameter;
    out->left = thin_part_left(p) + at->term;
    out->out = thin_part_sums(p) + at->column;
    out->scale = parameters->scale + parameter;
    out->zero = p->task->spec->zero.dtype ? parameters->zero + parameter : NULL;
    out->form = (struct thin_form){thin_part_shift(p), p->task->table};
}

static void multiply(const struct thin_part *p, const struct thin_code *code,
                     const struct thin_block *blocks)
{
    if (p->task->has_adjacent_columns)
        code->by_rows(blocks);
    else
        code->by_columns(blocks);
}

void thin_block_multiply(struct thin_part *p, const struct thin_block *block,
                         const struct thin_begin *at, const struct thin_blocks *all)
{
    const struct thin_code *code = code_of(p);
    const int halves = thin_block_fields(p), first = p->field;
    struct thin_block blocks[2] = {*block, *block};
    for (; p->field < first + halves; p->field++)
        set_field(p, at, &blocks[halves == 2 && thin_part_field(p) == THIN_HIGH]);
    p->field = first;
    for (int64_t i = 0; i < all->count; i++) {
        multiply(p, code, blocks);
        for (int half = 0; half < halves; half++) {
            blocks[half].right = (const char *)blocks[half].right + all->bytes;
            blocks[half].left += all->terms;
        }
    }
}

void thin_block_multiply_decoded(struct thin_part *p, struct thin_block *block,
                                 const struct thin_begin *at)
{
    set_field(p, at, block);
    block->zero = NULL, block->scale = ones;
    multiply(p, &p->task->set->codes[THIN_WHOLE][DTYPE_F32], block);
}

void thin_block_copy(struct thin_part *p, struct thin_block *b, int64_t rows, int64_t count)
{
    const int64_t bytes = dtype_bytes(p->task->dot.rhs);
    char *to = (char *)p->panel;
    for (int64_t i = 0; i < rows; i++, to += THIN_LANES * bytes) {
        memset(to, 0, (size_t)(THIN_LANES * bytes));
        memcpy(to, (const char *)b->right + i * b->right_row, (size_t)(count * bytes));
    }
    b->right = p->panel;
    b->right_row = THIN_LANES * bytes;
    b->ahead = 0;
}

void thin_block_fetch(const char *at, int64_t bytes)
{
    for (int64_t i = 0; i < bytes; i += LINE)
        __builtin_prefetch(at + i);
}
