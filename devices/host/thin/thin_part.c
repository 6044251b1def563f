/* thin_part.c: see thin_part.h. */
#include "devices/host/thin/thin_part.h"

#include <string.h>

#include "devices/host/thin/thin_factors.h"
#include "devices/host/thin/thin_number.h"

#define LARGEST_ZERO 0x1p16F /* of those that are subtracted from sums */

enum { LINE = 64 }; /* of a cache */

static void fill(float *to, int64_t count, float number)
{
    for (int64_t i = 0; i < count; i++)
        to[i] = number;
}

/* ---- fields ---------------------------------------------------------------------------------- */
int64_t thin_part_number(const struct thin_part *p, int64_t element, bool along_k)
{
    const int64_t inner = p->task->spec->packing.inner;
    if (!thin_part_has_fields(p, along_k))
        return element;
    return (element / inner * p->task->fields + p->field) * inner + element % inner;
}

struct thin_numbers thin_part_numbers(const struct thin_part *p, int64_t element, int64_t count,
                                      bool along_k)
{
    const int64_t inner = p->task->spec->packing.inner,
                  first = thin_part_number(p, element, along_k);
    if (!thin_part_has_fields(p, along_k))
        return (struct thin_numbers){first, 1, count};
    if (inner == 1)
        return (struct thin_numbers){first, p->task->fields, count};
    return (struct thin_numbers){first, 1, thin_least(count, inner - element % inner)};
}

/* Notes numbers that are larger than a limit, or none. With scales up to 2^80, a number of 16 bits
 * times its scale, as large as it is loaded (thin_set_times()), is finite. */
static void note_large(const struct thin_part *p, const float *numbers, int64_t count, float limit)
{
    if (p->task->set->exceeds(numbers, count, limit))
        atomic_store_explicit(p->task->has_large_numbers, true, memory_order_relaxed);
}

/* ---- the left side --------------------------------------------------------------------------- */
static void enlarge(float *numbers, int64_t count, float by)
{
    for (int64_t i = 0; i < count && by != 1; i++)
        numbers[i] *= by;
}

static float times(const struct thin_part *p)
{
    return thin_set_times(p->task->set, p->task->spec->dot.rhs, thin_part_field(p));
}

/* Applies factors to loaded terms, and divides them. */
static void finish_terms(struct thin_part *p, const struct thin_numbers *at, float *to)
{
    const struct thin_task *task = p->task;
    if (thin_factors_exist(task->factors))
        thin_factors_apply_to_left(p, at, to);
    for (int64_t r = 0; r < p->rows; r++, to += task->left_row) {
        if (task->spec->scale.dtype || thin_part_counts_numbers(task) ||
            thin_factors_exist(task->factors))
            note_large(p, to, at->count, THIN_LARGEST_NUMBER);
        enlarge(to, at->count, 1 / times(p));
    }
}

static void load_terms(struct thin_part *p, const struct thin_numbers *at, float *to)
{
    const struct dot_spec *s = &p->task->dot;
    const int64_t bytes = dtype_bytes(s->lhs), stride = at->step * s->lhs_k_stride,
                  padded = thin_padded(at->count), row = p->task->left_row;
    float *const begin = to;
    const char *from =
        (const char *)p->task->buffers[0] +
        (p->batch * s->lhs_batch_stride + p->row * s->lhs_m_stride + at->first * s->lhs_k_stride) *
            bytes;
    for (int64_t r = 0; r < p->rows; r++, from += s->lhs_m_stride * bytes, to += row) {
        if (stride == 1)
            thin_set_decode(p->task->set, s->lhs, THIN_WHOLE,
                            &(struct thin_run){
                                .from = from, .to = to, .count = at->count, .rows = 1, .group = 1});
        for (int64_t i = 0; stride != 1 && i < padded; i++)
            to[i] = i < at->count ? thin_number(s->lhs, from + i * stride * bytes) : 0;
    }
    for (int64_t r = p->rows; r < p->task->rows; r++, to += row)
        fill(to, padded, 0);
    finish_terms(p, at, begin);
}

void thin_part_load_left(struct thin_part *p, int64_t k, int64_t count)
{
    for (int64_t i = 0; i < count;) {
        const struct thin_numbers at = thin_part_numbers(p, k + i, count - i, true);
        load_terms(p, &at, thin_part_left(p) + i);
        i += at.count;
    }
}

void thin_part_load_fields(struct thin_part *p, int64_t k, int64_t count)
{
    for (p->field = 0; p->field < thin_part_left_fields(p->task); p->field++)
        thin_part_load_left(p, k, count);
    p->field = 0;
}

/* ---- parameters ------------------------------------------------------------------------------ */
/* Numbers with parameters: the first in row k and column n, `step` rows or columns apart. Along k,
 * the same ones of several columns, whose parameters are `row` apart. */
struct place {
    int64_t k, n, step, count, columns, row;
    bool along_k;
};

/* How far apart a parameter's numbers are; -1: not evenly. */
static int64_t stride_of(const struct thin_parameter *parameter, const struct place *at)
{
    const int64_t group = at->along_k ? parameter->k_group : parameter->n_group,
                  stride = at->along_k ? parameter->k_stride : parameter->n_stride,
                  first = at->along_k ? at->k : at->n;
    if (!stride || first / group == (first + (at->count - 1) * at->step) / group)
        return 0;
    return at->step % group == 0 ? at->step / group * stride : -1;
}

static int64_t number_at(const struct thin_parameter *parameter, int64_t batch, int64_t k,
                         int64_t n)
{
    return batch * parameter->batch_stride + k / parameter->k_group * parameter->k_stride +
           n / parameter->n_group * parameter->n_stride;
}

static void load_one_by_one(const struct thin_part *p, const struct thin_parameter *parameter,
                            const char *from, const struct place *at, float *to)
{
    for (int64_t i = 0; i < at->count; i++) {
        const int64_t step = i * at->step, k = at->k + (at->along_k ? step : 0),
                      n = at->n + (at->along_k ? 0 : step);
        to[i] = thin_number(parameter->dtype, from + number_at(parameter, p->batch, k, n) *
                                                         dtype_bytes(parameter->dtype));
    }
}

#define EACH_NUMBER(type, number)                                                                  \
    for (int64_t i = 0; i < count; i++, at += stride * (int64_t)sizeof(type)) {                    \
        type loaded;                                                                               \
        memcpy(&loaded, at, sizeof loaded);                                                        \
        to[i] = number;                                                                            \
    }

/* Loads numbers that are `stride` numbers apart. */
static void load_apart(enum dtype dtype, const char *at, int64_t stride, int64_t count, float *to)
{
    switch (dtype) {
    case DTYPE_F32: EACH_NUMBER(float, loaded) break;
    case DTYPE_BF16: EACH_NUMBER(uint16_t, thin_number_of_bf16(loaded)) break;
    case DTYPE_S8: EACH_NUMBER(int8_t, loaded) break;
    case DTYPE_U8: EACH_NUMBER(uint8_t, loaded) break;
    case DTYPE_S32: EACH_NUMBER(int32_t, (float)loaded) break;
    default:
        for (int64_t i = 0; i < count; i++)
            to[i] = thin_number(dtype, at + i * stride * dtype_bytes(dtype));
    }
}

/* Has the caches fetch what is loaded next. */
static void fetch(const char *at, int64_t bytes)
{
    for (int64_t i = 0; i < bytes; i += LINE)
        __builtin_prefetch(at + i);
}

/* Those of one column. Absent numbers are `otherwise`. */
static void load_column(const struct thin_part *p, const struct thin_parameter *parameter,
                        const void *buffer, const struct place *at, float otherwise, float *to)
{
    const enum dtype dtype = parameter->dtype;
    const int64_t stride = dtype ? stride_of(parameter, at) : 0;
    if (stride < 0) {
        load_one_by_one(p, parameter, buffer, at, to);
        return;
    }
    const int64_t bytes = dtype_bytes(dtype);
    const char *from = buffer;
    if (dtype)
        from += number_at(parameter, p->batch, at->k, at->n) * bytes;
    if (dtype && !at->along_k)
        fetch(from + parameter->k_stride * bytes, at->count * stride * bytes);
    const struct thin_run run = {.from = from, .to = to, .count = at->count, .rows = 1, .group = 1};
    if (stride == 1 && p->task->set->codes[THIN_WHOLE][dtype].decode)
        thin_set_decode(p->task->set, dtype, THIN_WHOLE, &run);
    else if (stride == 0)
        fill(to, at->count, dtype ? thin_number(dtype, from) : otherwise);
    else
        load_apart(dtype, from, stride, at->count, to);
}

static void load_parameter(const struct thin_part *p, const struct thin_parameter *parameter,
                           const void *buffer, const struct place *at, float otherwise, float *to)
{
    if (at->columns > 1 && parameter->dtype && parameter->n_group == 1 &&
        p->task->set->codes[THIN_WHOLE][parameter->dtype].decode && stride_of(parameter, at) == 1) {
        const int64_t bytes = dtype_bytes(parameter->dtype);
        thin_set_decode(
            p->task->set, parameter->dtype, THIN_WHOLE,
            &(struct thin_run){.from = (const char *)buffer +
                                       number_at(parameter, p->batch, at->k, at->n) * bytes,
                               .to = to,
                               .count = at->count,
                               .rows = at->columns,
                               .from_row = parameter->n_stride * bytes,
                               .to_row = at->row,
                               .group = 1});
        return;
    }
    struct place column = *at;
    for (int64_t i = 0; i < at->columns; i++, column.n++)
        load_column(p, parameter, buffer, &column, otherwise, to + i * at->row);
}

void thin_part_load_operand(const struct thin_part *p, const struct thin_operand *operand,
                            const struct thin_numbers *at, bool along_k, float *to)
{
    const struct place place = {.k = along_k ? at->first : 0,
                                .n = along_k ? 0 : at->first,
                                .step = at->step,
                                .count = at->count,
                                .columns = 1,
                                .along_k = along_k};
    load_column(p, &operand->parameter, operand->at, &place, 1, to);
    if (operand->parameter.dtype)
        note_large(p, to, at->count,
                   operand == &p->task->factors->left_zero ? LARGEST_ZERO : THIN_LARGEST_NUMBER);
}

static void enlarge_columns(const struct thin_part *p, const struct place *at, float *numbers)
{
    for (int64_t i = 0; i < at->columns; i++)
        enlarge(numbers + i * at->row, at->count, times(p));
}

/* Bits of s32 are moved as if they were of f32. */
static void load_zero(struct thin_part *p, const void *zero, const struct place *at, float *to)
{
    struct thin_parameter parameter = p->task->spec->zero;
    if (p->task->is_integer)
        parameter.dtype = DTYPE_F32;
    load_parameter(p, &parameter, zero, at, 0, to);
    if (!p->task->is_integer)
        enlarge_columns(p, at, to);
}

const void *thin_part_scales(const struct thin_part *p, int64_t k)
{
    const struct thin_dot_spec *spec = p->task->spec;
    const struct thin_parameter *scale = &spec->scale;
    if (!scale->dtype || scale->n_group != 1 || scale->n_stride != 1)
        return NULL;
    return (const char *)p->task->buffers[spec->zero.dtype ? 3 : 2] +
           number_at(scale, p->batch, k, p->column) * dtype_bytes(scale->dtype);
}

/* Sets the i-th parameters of a run, and those behind it. */
static void load_place(struct thin_part *p, const struct place *at, int64_t i)
{
    const struct thin_dot_spec *spec = p->task->spec;
    void *const *buffer = p->task->buffers + 2;
    struct thin_parameters *to = &p->parameters;
    const int64_t count = (at->columns - 1) * at->row + at->count;
    const void *zero = spec->zero.dtype ? *buffer++ : NULL;
    const void *scale = spec->scale.dtype ? *buffer++ : NULL;
    const void *offset = spec->offset.dtype ? *buffer++ : NULL;
    if (thin_dot_spec_is_affine(spec)) {
        load_zero(p, zero, at, to->zero + i);
        load_parameter(p, &spec->offset, offset, at, 0, to->offset + i);
        enlarge_columns(p, at, to->offset + i);
    }
    load_parameter(p, &spec->scale, scale, at, 1, to->scale + i);
    note_large(p, to->scale + i, count, THIN_LARGEST_NUMBER);
    if (thin_part_counts_numbers(p->task) ? spec->zero.dtype
                                          : thin_dot_spec_has_integer_differences(spec))
        note_large(p, to->zero + i, count, LARGEST_ZERO);
}

/* The numbers of elements [i, ...) of a place, of which every `step`-th is used: evenly apart. The
 * first ones of whole runs of adjacent numbers are as far apart as those. */
static struct thin_numbers numbers_of(const struct thin_part *p, const struct thin_place *at,
                                      int64_t step, int64_t i)
{
    const int64_t inner = p->task->spec->packing.inner, element = (at->along_k ? at->k : at->n) + i;
    struct thin_numbers numbers = thin_part_numbers(p, element, at->count - i, at->along_k);
    if (thin_part_has_fields(p, at->along_k) && element % inner == 0 && step % inner == 0) {
        numbers.step = p->task->fields;
        numbers.count = at->count - i;
    }
    return numbers;
}

/* Those of adjacent columns of numbers. */
static void load_of_columns(struct thin_part *p, const struct thin_place *at, int64_t columns,
                            int64_t first)
{
    const int64_t step = at->along_k ? at->group : 1;
    for (int64_t i = 0; i < at->count;) {
        const struct thin_numbers numbers = numbers_of(p, at, step, i);
        const struct place place = {
            .k = at->along_k ? numbers.first : thin_part_number(p, at->k, true),
            .n = at->along_k ? thin_part_number(p, at->n, false) : numbers.first,
            .step = step * numbers.step,
            .count = (numbers.count + step - 1) / step,
            .columns = columns,
            .row = at->row,
            .along_k = at->along_k};
        load_place(p, &place, thin_part_parameters(p) + first + i / step);
        i += numbers.count;
    }
}

/* Writes zeros behind the parameters of columns. */
static void end_rows(struct thin_part *p, const struct thin_place *at, int64_t first)
{
    const int64_t used = (at->count + at->group - 1) / at->group;
    struct thin_parameters *to = &p->parameters;
    first += thin_part_parameters(p);
    for (int64_t i = first; i < first + at->columns * at->row; i += at->row) {
        memset(to->zero + i + used, 0, sizeof *to->zero * (size_t)(at->row - used));
        memset(to->scale + i + used, 0, sizeof *to->scale * (size_t)(at->row - used));
    }
}

void thin_part_load_parameters(struct thin_part *p, const struct thin_place *at, int64_t first)
{
    struct thin_place column = *at;
    if (at->along_k)
        end_rows(p, at, first);
    if (!at->along_k || !thin_part_has_fields(p, false))
        load_of_columns(p, at, at->along_k ? at->columns : 1, first);
    else
        for (int64_t i = 0; i < at->columns; i++, column.n++)
            load_of_columns(p, &column, 1, first + i * at->row);
}

void thin_part_load_row(struct thin_part *p, int64_t k, int sets)
{
    const int first = p->field;
    for (; p->field < first + sets; p->field++)
        thin_part_load_parameters(
            p, &(struct thin_place){.k = k, .n = p->column, .count = p->columns}, 0);
    p->field = first;
}

void thin_part_load_groups(struct thin_part *p, const struct thin_terms *at, int sets)
{
    const int first = p->field;
    const int64_t step = thin_least(at->group, at->count);
    p->parameter_row = thin_part_row((at->count + step - 1) / step);
    for (; p->field < first + sets; p->field++)
        thin_part_load_parameters(p,
                                  &(struct thin_place){.k = at->k,
                                                       .n = p->column + at->c,
                                                       .count = at->count,
                                                       .along_k = true,
                                                       .group = step,
                                                       .columns = at->columns,
                                                       .row = p->parameter_row},
                                  0);
    p->field = first;
}

static int64_t common_divisor(int64_t a, int64_t b)
{
    while (b) {
        const int64_t rest = a % b;
        a = b, b = rest;
    }
    return a;
}

/* Rows of numbers have the same parameters as long as all of these have one group; 0: all rows. */
static int64_t numbers_of_group(const struct thin_dot_spec *spec)
{
    const struct thin_parameter *all[] = {&spec->zero, &spec->scale, &spec->offset};
    int64_t numbers = 0;
    for (int i = 0; i < 3; i++)
        if (all[i]->dtype && all[i]->k_stride && all[i]->k_group < spec->dot.k)
            numbers = common_divisor(all[i]->k_group, numbers);
    return numbers;
}

int64_t thin_part_group_of_numbers(const struct thin_dot_spec *spec)
{
    const int64_t numbers = numbers_of_group(spec);
    return numbers ? numbers : INT64_MAX;
}

int64_t thin_part_group(const struct thin_task *task)
{
    const struct thin_packing *packing = &task->spec->packing;
    const int64_t numbers = thin_part_group_of_numbers(task->spec);
    if (numbers == INT64_MAX || !packing->along_k || task->fields == 1)
        return numbers;
    if (packing->inner > 1)
        return common_divisor(numbers, packing->inner);
    return numbers % packing->count ? 1 : numbers / packing->count;
}

bool thin_part_shares_parameters(const struct thin_task *task)
{
    const struct thin_packing *packing = &task->spec->packing;
    const int64_t numbers = numbers_of_group(task->spec);
    return packing->count == 0 ||
           (packing->along_k && numbers % (packing->count * packing->inner) == 0);
}

/* ---- the right side -------------------------------------------------------------------------- */
bool thin_part_has_parameters(const struct thin_part *p)
{
    return thin_dot_spec_is_affine(p->task->spec) || p->task->spec->scale.dtype;
}

enum thin_field thin_part_field(const struct thin_part *p)
{
    if (p->task->fields == 1)
        return thin_part_whole(p->task);
    if (p->task->dot.rhs == DTYPE_U32)
        return THIN_WORD;
    return thin_part_shift(p) ? THIN_HIGH : THIN_LOW;
}

int thin_part_shift(const struct thin_part *p)
{
    return p->task->spec->packing.shift[p->field];
}

/* Sets the parameters of rows to those from the i-th on, if there are any. */
static void set_parameters(const struct thin_part *p, int64_t i, struct thin_run *run)
{
    const struct thin_parameters *parameters = &p->parameters;
    const bool is_affine = thin_dot_spec_is_affine(p->task->spec);
    run->zero = is_affine ? parameters->zero + i : NULL;
    run->scale = thin_part_has_parameters(p) ? parameters->scale + i : NULL;
    run->offset = is_affine ? parameters->offset + i : NULL;
}

/* A row of indices becomes numbers of the table, which have the i-th parameters. */
static void decode_indices(const struct thin_part *p, int64_t i, const struct thin_run *row)
{
    const struct thin_task *task = p->task;
    const enum dtype dtype = task->spec->dot.rhs;
    struct thin_run numbers = *row;
    numbers.from = numbers.to;
    thin_set_decode(task->set, dtype, thin_part_field(p), row);
    thin_set_look_up(task->set, row, task->table, 1 << dtype_info(dtype)->bits);
    if (!thin_part_has_parameters(p))
        return;
    set_parameters(p, i, &numbers);
    thin_set_decode(task->set, DTYPE_F32, THIN_WHOLE, &numbers);
}

/* A row of integers becomes differences of 32 bits, which have the i-th parameters. Zero points are
 * bits, and numbers are as large as they are loaded. */
static void decode_integers(const struct thin_part *p, int64_t i, const struct thin_run *row)
{
    const struct thin_parameters *parameters = &p->parameters;
    const float enlarged = times(p);
    thin_set_decode(p->task->set, p->task->spec->dot.rhs, thin_part_field(p), row);
    for (int64_t c = 0; c < row->count; c++) {
        const int64_t g = i + c / row->group;
        uint32_t zero;
        memcpy(&zero, &parameters->zero[g], sizeof zero);
        const uint32_t difference = (uint32_t)(int32_t)(row->to[c] / enlarged) - zero;
        row->to[c] =
            (float)(int32_t)difference * enlarged * parameters->scale[g] + parameters->offset[g];
    }
}

/* One row after the other: what is written behind a row may be the begin of the next one. */
static void decode_rows(const struct thin_part *p, int64_t i, const struct thin_run *run)
{
    struct thin_run row = *run;
    row.rows = 1;
    for (int64_t r = 0; r < run->rows; r++, i += run->parameter_row, row.to += run->to_row) {
        row.from = (const char *)run->from + r * run->from_row;
        if (p->task->table)
            decode_indices(p, i, &row);
        else
            decode_integers(p, i, &row);
    }
}

void thin_part_decode(const struct thin_part *p, int64_t i, struct thin_run *run)
{
    const struct thin_task *task = p->task;
    i += thin_part_parameters(p);
    run->form.shift = thin_part_shift(p);
    if (task->table || task->is_integer) {
        decode_rows(p, i, run);
        return;
    }
    set_parameters(p, i, run);
    thin_set_decode(task->set, task->spec->dot.rhs, thin_part_field(p), run);
}

const char *thin_part_right(const struct thin_part *p, int64_t k, int64_t n)
{
    const struct dot_spec *s = &p->task->dot;
    return (const char *)p->task->buffers[1] +
           (p->batch * s->rhs_batch_stride + k * s->rhs_k_stride + n * s->rhs_n_stride) *
               dtype_bytes(s->rhs);
}
