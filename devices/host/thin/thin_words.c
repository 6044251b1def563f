/* thin_words.c: see thin_words.h. */
#include "devices/host/thin/thin_words.h"

#include <string.h>

enum {
    FIELD_BITS = 4,
    BYTE_BITS = 8,
    WORD_BYTES = 4,
    TERMS = 4096, /* numbers of the left side at once */
    AHEAD = 1024, /* bytes of adjacent terms that are fetched ahead: so many, or up to */
    MOST_AHEAD = 16 << 10,
    MOST_LANES = THIN_LANES,
    TAIL_BYTES = THIN_WORD_ROWS * MOST_LANES * WORD_BYTES
};

static const uint32_t signs = 0x88888888;

/* Of a part, whose `left` has the left side twice, and whose panel has sums of words. */
struct words {
    struct thin_part *part;
    const struct thin_packing *packing;
    int columns;     /* of a word; */
    int64_t terms;   /* of a word of adjacent columns */
    int64_t element; /* bytes */
    struct thin_words block;
    float *left; /* in the order of fields */
    float left_sum[TERMS / THIN_WORD_FIELDS];
    float group_sum[THIN_WORD_FIELDS]; /* of the group's terms so far */
    char tail[TAIL_BYTES];
};
_Static_assert(2 * TERMS <= THIN_ALL_LEFT &&
                   THIN_COLUMNS + THIN_WORD_FIELDS * MOST_LANES <= THIN_PANEL,
               "a part has memory for words");

/* ---- what is supported ----------------------------------------------------------------------- */
/* Columns of a word of adjacent ones: those of four bytes, or of a word. */
static int columns_of_word(const struct thin_packing *packing)
{
    if (!packing->along_k)
        return THIN_WORD_FIELDS;
    return packing->count == THIN_WORD_FIELDS ? 1 : WORD_BYTES;
}

/* Groups of adjacent terms are lanes of a vector, or whole vectors. */
static bool is_group_of_lanes(int64_t group, int64_t numbers)
{
    return group == INT64_MAX ||
           (group % THIN_WORD_FIELDS == 0 && (group % numbers == 0 || numbers % group == 0));
}

bool thin_words_is_supported(const struct thin_dot_spec *spec, const struct thin_set *set)
{
    const struct thin_packing *packing = &spec->packing;
    const enum dtype dtype = spec->dot.rhs;
    if (spec->dot.m != 1 || (dtype != DTYPE_S4 && dtype != DTYPE_U4) || spec->table ||
        spec->offset.dtype || packing->count == 0 || packing->inner != 1)
        return false;
    const int64_t group = thin_part_group_of_numbers(spec);
    if (spec->dot.rhs_n_stride == 1 || spec->dot.n == 1)
        return spec->dot.n > 1 &&
               (group == INT64_MAX || !packing->along_k || group % packing->count == 0);
    return packing->along_k && is_group_of_lanes(group, (int64_t)set->lanes * THIN_WORD_FIELDS);
}

/* ---- numbers in words ------------------------------------------------------------------------ */
/* Which number of its word, along the packed dimension, field f is. */
static int number_of_field(const struct thin_packing *packing, int f)
{
    const int fields = (int)packing->count, element = f / fields;
    int i = 0;
    while (packing->shift[i] != f % fields * FIELD_BITS)
        i++;
    return element * fields + i;
}

/* What the left side's terms of field f are multiplied by, where f is the first of its column's. */
static float factor(int f)
{
    return 1.0F / (float)(1 << f / 2 * 8);
}

static int64_t rounded_up(int64_t count, int64_t to)
{
    return (count + to - 1) / to * to;
}

/* The address of the element with the number in row k and column c of the part. */
static const char *element_at(const struct words *w, int64_t k, int64_t c)
{
    const struct thin_part *p = w->part;
    const struct dot_spec *s = &p->task->spec->dot;
    const int64_t n = p->column + c, count = w->packing->count;
    return (const char *)p->task->buffers[1] +
           (p->batch * s->rhs_batch_stride +
            k / (w->packing->along_k ? count : 1) * s->rhs_k_stride +
            n / (w->packing->along_k ? 1 : count) * s->rhs_n_stride) *
               w->element;
}

/* Copies the last bytes of rows to `tail`, with zeros behind them, up to a vector: its words. */
static struct thin_words tail_of(struct words *w, const struct thin_words *b, int64_t bytes)
{
    const int64_t row = (int64_t)w->part->task->set->lanes * WORD_BYTES;
    struct thin_words tail = *b;
    for (int64_t i = 0; i < b->rows; i++) {
        memset(w->tail + i * row, 0, (size_t)row);
        memcpy(w->tail + i * row, (const char *)b->right + i * b->right_row + b->words * WORD_BYTES,
               (size_t)bytes);
    }
    tail.right = w->tail, tail.right_row = row, tail.ahead = 0;
    tail.words = w->part->task->set->lanes;
    return tail;
}

/* ---- adjacent columns ------------------------------------------------------------------------ */
/* Loads terms [k, k + count), in the order of fields. */
static void load_left_of_rows(struct words *w, int64_t k, int64_t count)
{
    const float *left = w->part->left;
    thin_part_load_left(w->part, k, count);
    for (int l = 0; l < w->terms; l++) {
        const int number = w->terms > 1 ? number_of_field(w->packing, l) : 0;
        for (int64_t i = 0; i < count; i += w->terms)
            w->left[i + l] = left[i + number] * factor(l);
    }
}

static const struct thin_words_code *code_of(const struct words *w)
{
    const int code = w->columns == 1 ? 0 : w->columns == WORD_BYTES ? 1 : 2;
    return &w->part->task->set->words[code];
}

/* The last `bytes` of each row, by way of the tail. */
static void multiply_tail(struct words *w, int64_t bytes)
{
    struct thin_words b = w->block;
    b.sums += b.words * w->columns;
    for (int64_t rows = w->block.rows; rows > 0; rows -= THIN_WORD_ROWS) {
        b.rows = thin_least(rows, THIN_WORD_ROWS);
        const struct thin_words tail = tail_of(w, &b, bytes);
        code_of(w)->by_rows(&tail);
        b.right = (const char *)b.right + THIN_WORD_ROWS * b.right_row;
        b.left += THIN_WORD_ROWS * w->terms;
        b.adds = true;
    }
}

/* Multiplies rows [k, k + count) of a group. */
static void multiply_group(struct words *w, int64_t k, int64_t count)
{
    struct thin_words *b = &w->block;
    const int64_t lanes = w->part->task->set->lanes, columns = w->part->columns,
                  bytes = columns * WORD_BYTES / w->columns;
    b->right = element_at(w, k, 0);
    b->rows = count / w->terms, b->words = columns / (lanes * w->columns) * lanes;
    b->left = w->left + k % TERMS;
    b->sums = w->part->panel;
    b->adds = k % w->part->task->group != 0;
    b->row_bytes = b->words * WORD_BYTES;
    b->ahead = thin_part_ahead(b->row_bytes);
    b->next = thin_part_next(THIN_WORD_ROWS, b->row_bytes, b->right_row);
    code_of(w)->by_rows(b);
    if (b->row_bytes < bytes)
        multiply_tail(w, bytes - b->row_bytes);
}

/* The sum of the left side's terms of a group. */
static float sum_of_group(const struct words *w)
{
    float sum = 0;
    for (int i = 0; i < THIN_WORD_FIELDS; i++)
        sum += w->group_sum[i];
    return sum;
}

/* Where the end of the group of row k reads parameters: scales where they are stored, unless zero
 * points or the numbers behind the last column have to be made. */
static void find_parameters(struct words *w, int64_t k)
{
    struct thin_part *p = w->part;
    const struct thin_parameter *scale = &p->task->spec->scale;
    struct thin_words *b = &w->block;
    const bool is_whole = p->columns == b->words * w->columns, has_zero = p->task->spec->zero.dtype;
    b->scale_bf16 =
        is_whole && !has_zero && scale->dtype == DTYPE_BF16 ? thin_part_scales(p, k) : NULL;
    b->next_scales = scale->k_stride * (int64_t)sizeof *b->scale_bf16;
    if (b->scale_bf16)
        return;
    thin_part_load_parameters(p, &(struct thin_place){.k = k, .n = p->column, .count = p->columns},
                              0);
    b->scale = p->parameters.scale;
    b->zero = has_zero ? p->parameters.zero : NULL;
}

/* Scales the sums of the group of row k. */
static void end_group(struct words *w, int64_t k)
{
    struct thin_part *p = w->part;
    struct thin_words *b = &w->block;
    const float left_sum = sum_of_group(w);
    b->words = rounded_up(p->columns, (int64_t)p->task->set->lanes * w->columns) / w->columns;
    b->left_sum = &left_sum;
    b->out = p->sums;
    find_parameters(w, k);
    code_of(w)->end(b);
    memset(w->group_sum, 0, sizeof w->group_sum);
}

static void multiply_rows(struct words *w)
{
    const int64_t size = w->part->task->dot.k, group = w->part->task->group;
    bool exceeds = false;
    w->block.exceeds = &exceeds, w->block.limit = THIN_LARGEST_NUMBER;
    w->block.right_row = w->part->task->dot.rhs_k_stride * w->element;
    for (int64_t k = 0, count; k < size; k += count) {
        if (k % TERMS == 0)
            load_left_of_rows(w, k, thin_least(TERMS, size - k));
        count = thin_least(thin_least(TERMS - k % TERMS, size - k), group - k % group);
        for (int64_t i = 0; i < count; i++)
            w->group_sum[i % THIN_WORD_FIELDS] += w->part->left[k % TERMS + i];
        multiply_group(w, k, count);
        if (k + count == size || (k + count) % group == 0)
            end_group(w, k);
    }
    if (exceeds)
        atomic_store_explicit(w->part->task->has_large_numbers, true, memory_order_relaxed);
}

/* ---- adjacent terms -------------------------------------------------------------------------- */
/* Loads terms [k, k + count), in the order of fields of vectors of words; zeros behind them. */
static void load_left_of_columns(struct words *w, int64_t k, int64_t count)
{
    const int lanes = w->part->task->set->lanes, numbers = lanes * THIN_WORD_FIELDS;
    const int64_t words = rounded_up(count, numbers) / THIN_WORD_FIELDS;
    float *left = w->part->left;
    thin_part_load_left(w->part, k, count);
    memset(left + count, 0, sizeof *left * (size_t)(words * THIN_WORD_FIELDS - count));
    memset(w->left_sum, 0, sizeof *w->left_sum * (size_t)words);
    for (int f = 0; f < THIN_WORD_FIELDS; f++) {
        const int number = number_of_field(w->packing, f);
        for (int64_t i = 0; i < words; i++) {
            const float term = left[i * THIN_WORD_FIELDS + number];
            w->left[i / lanes * numbers + f * lanes + i % lanes] = term * factor(f);
            w->left_sum[i] += term;
        }
    }
}

/* Loads the parameters of terms [k, k + count) of the block's columns, the c-th of the part and
 * those behind it; zeros behind those of each column. */
static void load_groups(struct words *w, int64_t k, int64_t count, int64_t c)
{
    struct thin_part *p = w->part;
    struct thin_words *b = &w->block;
    struct thin_parameters *all = &p->parameters;
    const int64_t group = thin_least(p->task->group, count), groups = (count + group - 1) / group;
    const int64_t row = thin_part_row(groups);
    thin_part_load_parameters(
        p, &(struct thin_place){k, p->column + c, count, true, group, b->rows, row}, 0);
    b->group = groups == 1 ? TERMS : group / THIN_WORD_FIELDS;
    b->scale = all->scale;
    b->zero = p->task->spec->zero.dtype ? all->zero : NULL;
    b->parameter_row = row;
}

/* Adds the products of terms [k, k + count) of a few columns from the c-th of the part on. */
static void add_columns(struct words *w, int64_t k, int64_t count, int64_t c)
{
    struct thin_words *b = &w->block;
    const int64_t lanes = w->part->task->set->lanes, next = 2 * b->right_row;
    b->right = element_at(w, k, c);
    b->rows = thin_least(THIN_FEW_COLUMNS, w->part->columns - c);
    b->words = count / (lanes * THIN_WORD_FIELDS) * lanes;
    b->ahead = next <= MOST_AHEAD ? next : AHEAD;
    b->sums = w->part->sums + c;
    b->left = w->left, b->left_sum = w->left_sum;
    load_groups(w, k, count, c);
    w->part->task->set->words_by_columns(b);
    const int64_t terms = b->words * THIN_WORD_FIELDS;
    if (terms == count)
        return;
    struct thin_words tail = tail_of(w, b, (count - terms) / 2);
    tail.left += terms, tail.left_sum += b->words;
    tail.scale += b->words / b->group;
    tail.zero = b->zero ? b->zero + b->words / b->group : NULL;
    w->part->task->set->words_by_columns(&tail);
}

static void multiply_columns(struct words *w)
{
    const int64_t size = w->part->task->dot.k, group = w->part->task->group,
                  most = group < TERMS ? TERMS - TERMS % group : TERMS;
    w->block.right_row = w->part->task->dot.rhs_n_stride * w->element;
    for (int64_t k = 0, count; k < size; k += count) {
        count = thin_least(thin_least(most, size - k), group - k % group);
        if (group < TERMS)
            count = thin_least(most, size - k);
        load_left_of_columns(w, k, count);
        for (int64_t c = 0; c < w->part->columns; c += THIN_FEW_COLUMNS)
            add_columns(w, k, count, c);
    }
}

/* ---- both ------------------------------------------------------------------------------------ */
void thin_words_multiply(struct thin_part *part)
{
    const struct thin_task *task = part->task;
    const struct thin_packing *packing = &task->spec->packing;
    const bool is_signed = task->spec->dot.rhs == DTYPE_S4;
    struct words w = {.part = part,
                      .packing = packing,
                      .columns = columns_of_word(packing),
                      .element = packing->count * FIELD_BITS / BYTE_BITS,
                      .left = part->left + TERMS};
    w.terms = THIN_WORD_FIELDS / w.columns;
    w.block.flip = is_signed ? signs : 0;
    w.block.bias = is_signed ? 8 : 0;
    for (int f = 0; f < THIN_WORD_FIELDS; f++)
        w.block.order[f] = (uint8_t)f;
    for (int f = 0; f < w.columns && !packing->along_k; f++)
        w.block.order[number_of_field(packing, f)] = (uint8_t)f;
    if (task->has_adjacent_columns)
        multiply_rows(&w);
    else
        multiply_columns(&w);
}
