/* thin_part.h: what a task of a thin product (thin_step.h) computes with: some columns of a batch,
 * of whose sides parts are decoded to f32.
 *
 * Where two numbers share a byte (struct thin_packing, program.h), a task's elements are bytes, and
 * everything happens for one half of them after the other: each has terms of its own, if halves are
 * along k, or columns and sums. Not thread-safe: a part belongs to one thread. */
#ifndef GANTRY_DEVICES_HOST_THIN_THIN_PART_H
#define GANTRY_DEVICES_HOST_THIN_THIN_PART_H

#include <stdatomic.h>

#include "compiler/program/program.h"
#include "compiler/program/thin_dot_spec.h"
#include "devices/host/thin/thin_set.h"

enum {
    THIN_ROWS = THIN_DOT_MAX_ROWS,
    THIN_DEPTH = 16,    /* rows of a right side with adjacent columns, */
    THIN_COLUMNS = 512, /* the most of it, of all halves, */
    THIN_TERMS = 512,   /* and of the left side; of all halves */
    THIN_LEFT_ROW = THIN_TERMS + 2 * THIN_LANES
};

struct thin_task { /* of all threads */
    const struct thin_dot_spec *spec;
    struct dot_spec dot; /* in elements of the right side's memory */
    void *const *buffers;
    const atomic_uint *stop;
    const struct thin_set *set;
    bool has_adjacent_columns;
    int halves;             /* 1 or 2 */
    int64_t columns, tasks; /* of a task; of a batch */
};

struct thin_parameters { /* of adjacent numbers, as struct thin_run has them */
    float zero[THIN_COLUMNS + THIN_LANES], scale[THIN_COLUMNS + THIN_LANES],
        offset[THIN_COLUMNS + THIN_LANES];
};

struct thin_part {
    const struct thin_task *task;
    int64_t batch, column, columns; /* in elements */
    int half;                       /* at hand */
    _Alignas(64) float left[THIN_ROWS * THIN_LEFT_ROW], right[THIN_DEPTH * THIN_COLUMNS],
        sums[THIN_ROWS * THIN_COLUMNS];
    struct thin_parameters parameters[2]; /* of each half */
    int64_t group[2];                     /* of rows, whose parameters these are */
};

static inline int64_t thin_least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* Rounded up to whole vectors. */
static inline int64_t thin_padded(int64_t count)
{
    return (count + THIN_LANES - 1) / THIN_LANES * THIN_LANES;
}

static inline bool thin_part_has_halves(const struct thin_part *p, bool along_k)
{
    return p->task->halves == 2 && p->task->spec->packing.along_k == along_k;
}

/* Terms of a half that the left side has room for: a multiple of THIN_LANES. */
static inline int64_t thin_part_terms(const struct thin_part *p)
{
    return THIN_TERMS / p->task->halves;
}

/* The left side's terms of the half at hand; rows are THIN_LEFT_ROW apart. */
static inline float *thin_part_left(struct thin_part *p)
{
    return p->left + p->half * (THIN_LEFT_ROW / 2);
}

/* The sums of the half at hand: rows of thin_padded(columns). */
static inline float *thin_part_sums(struct thin_part *p)
{
    const int64_t size = p->task->dot.m * thin_padded(p->columns);
    return p->sums + (thin_part_has_halves(p, false) ? p->half * size : 0);
}

/* The number of an element along k or n, of the half at hand. */
int64_t thin_part_number(const struct thin_part *p, int64_t element, bool along_k);

/* Loads the left side's terms of elements [k, k + count), with zeros up to whole vectors. */
void thin_part_load_left(struct thin_part *p, int64_t k, int64_t count);

/* Elements whose numbers are decoded together: the first one, in row k and column n, and those that
 * follow it along k or n. */
struct thin_place {
    int64_t k, n, count;
    bool along_k;
    int64_t group; /* of so many elements each parameter is the same: thin_part_group() */
};

/* How many elements along k have equal parameters, from multiples of it on; `least` of those that
 * have more. */
int64_t thin_part_group(const struct thin_task *task, int64_t least);

/* Loads the parameters of elements. Those of columns are each column's own. */
void thin_part_load_parameters(struct thin_part *p, const struct thin_place *at);

/* Decodes rows of elements with the parameters that are loaded; sets the fields of `run` for them.
 */
void thin_part_decode(const struct thin_part *p, struct thin_run *run);

bool thin_part_has_parameters(const struct thin_part *p);

/* The address of an element of the right side. */
const char *thin_part_right(const struct thin_part *p, int64_t k, int64_t n);

#endif
