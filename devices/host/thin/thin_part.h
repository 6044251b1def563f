/* thin_part.h: the state of a task of a thin product (thin_step.h): some columns of a batch, and
 * the decoded parts of both sides in f32.
 *
 * If numbers share a byte or word (struct thin_packing, program.h), these are the task's elements,
 * and their fields are processed one after another: each has separate terms, if fields are along k,
 * or separate columns and sums. Not thread-safe: a part belongs to one thread. */
#ifndef GANTRY_DEVICES_HOST_THIN_THIN_PART_H
#define GANTRY_DEVICES_HOST_THIN_THIN_PART_H

#include <stdatomic.h>

#include "compiler/program/program.h"
#include "compiler/program/thin_dot_spec.h"
#include "devices/host/thin/thin_set.h"
#include "devices/host/tiles/tile_product.h"

enum {
    THIN_FIELDS_OF_WORD = 8,
    THIN_DEPTH = 32,     /* the most rows of a right side with adjacent columns that are a block, */
    THIN_COLUMNS = 2048, /* the most of its columns, of all fields, */
    THIN_SUMS = 4096,    /* sums, */
    THIN_MOST_ROWS = 16, /* whose sums are registers, a few rows at a time */
    THIN_LEAST_LEFT = 64,
    THIN_LEFT = 4352, /* and numbers of the left side, of all rows and fields, at least
                             * THIN_LEAST_LEFT of each */
    THIN_ALL_LEFT = THIN_LEAST_LEFT * THIN_MOST_ROWS * THIN_FIELDS_OF_WORD,
    THIN_PARAMETERS = 5120, /* numbers of a parameter that are at hand, of all fields */
    THIN_FEW_COLUMNS = 8,   /* of adjacent terms */
    THIN_PANEL = 4096,      /* numbers that are decoded before they are multiplied */
    THIN_TABLE = 256,
    THIN_RANGES = 4,         /* of k, at most */
    THIN_SLICES = 7,         /* of a step, at most */
    THIN_AHEAD_IN_ROW = 512, /* bytes */
    THIN_AHEAD = 4 << 10
};

/* Larger scales, and numbers of the left side, are noted. */
#define THIN_LARGEST_NUMBER 0x1p80F

struct thin_operand { /* a parameter and its array */
    struct thin_parameter parameter;
    const void *at;
};

struct thin_factors;
struct thin_integers;
struct thin_task { /* of all threads */
    const struct thin_dot_spec *spec;
    struct dot_spec dot; /* in elements of the right side's memory */
    void *const *buffers;
    const struct thin_factors *factors; /* taken out of `spec` (thin_factors.h); NULL: none */
    const atomic_uint *stop;
    const struct thin_set *set;
    bool has_adjacent_columns;
    int fields;                     /* of an element that are numbers: 1, 2, 4 or 8 */
    bool shares_parameters;         /* all fields of an element have the same ones */
    const float *table;             /* NULL: there is none */
    int64_t parameters;             /* of THIN_PARAMETERS that each field has, */
    int64_t groups;                 /* and of those, each of THIN_FEW_COLUMNS columns */
    int64_t columns, tasks;         /* of a task; of a batch */
    int64_t group;                  /* of elements along k: thin_part_group() */
    bool uses_integers;             /* the left side becomes integers (thin_integers.h): */
    struct thin_integers *integers; /* these, from thin_plan_fastest() on; or NULL */
    int64_t ranges, most_ranges;    /* of k: each has tasks of its own, and, */
    int64_t partial_row;            /* unless this is 0, sums: */
    float *partial;                 /* [ranges][rows][partial_row] */
    bool is_words;                  /* numbers are fields of words (thin_words.h), */
    bool is_direct;                 /* decoded in registers, */
    bool is_pair;                   /* of both halves of bytes at once */
    bool is_panel;                  /* decoded to panels that tiles multiply (thin_panel.h) */
    bool is_integer; /* zero points are bits of s32, which are subtracted from integers */
    int64_t rows;    /* of the left side at once: m, padded for thin_set.h; or up to m */
    int64_t terms;   /* of a field that the left side has at once */
    int64_t left_row, left_size; /* of the left side's memory: between rows, and between fields */
    int64_t sums_row, sums_column, sums_size; /* of sums: the same */
    const struct tile_product *product;
    bool decodes_panels; /* rows of several panels at once */
    /* Of the numbers that were loaded one is so large that sums of numbers, whose zero points are
     * subtracted and which are scaled afterwards, may be other than those of scaled numbers:
     * infinite, none, or less exact. Or differences of integers may be inexact in f32. */
    atomic_bool *has_large_numbers;
    struct error *_Atomic error; /* of a thread, or NULL */
};

struct thin_parameters { /* of adjacent columns, or of groups of each column */
    float zero[THIN_PARAMETERS], scale[THIN_PARAMETERS], offset[THIN_PARAMETERS];
};

struct thin_memory { /* of a task whose numbers are not in panels */
    _Alignas(64) float left[THIN_ALL_LEFT], panel[THIN_PANEL], sums[THIN_SUMS];
};

struct thin_part {
    const struct thin_task *task;
    int64_t batch, column, columns;      /* in elements */
    int64_t range;                       /* at hand, of struct thin_task: */
    int64_t k, end;                      /* elements [k, end) along k */
    int64_t left_k;                      /* the one that is `left`'s first term */
    int64_t row, rows;                   /* of the left side */
    int field;                           /* at hand */
    float *left, *panel, *sums;          /* of a thin_memory, or larger ones, and */
    float *packed;                       /* of thin_panel.h */
    struct thin_parameters parameters;   /* of one field behind the other */
    int64_t group[THIN_FIELDS_OF_WORD];  /* of rows, whose parameters these are */
    int64_t parameter_row;               /* between those of adjacent columns */
    double zero_sums[THIN_DOT_MAX_ROWS]; /* of each row: what its sums are too large by */
};

/* Whether columns and terms are numbers, also where several are an element of memory. */
static inline bool thin_part_counts_numbers(const struct thin_task *task)
{
    return task->is_words || task->uses_integers;
}

static inline int64_t thin_least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* Rounded up to whole vectors. */
static inline int64_t thin_padded(int64_t count)
{
    return (count + THIN_LANES - 1) / THIN_LANES * THIN_LANES;
}

static inline bool thin_part_has_fields(const struct thin_part *p, bool along_k)
{
    return p->task->fields > 1 && p->task->spec->packing.along_k == along_k;
}

/* The `row` of thin_place, of so many parameters. */
static inline int64_t thin_part_row(int64_t parameters)
{
    return thin_padded(parameters) + THIN_LANES;
}

/* How rows are fetched ahead: along a row for so many bytes, and behind its end in the row that is
 * used next as the same row of a block, so many bytes behind it: of a later block where these are
 * small. */
static inline int64_t thin_part_ahead(int64_t row_bytes)
{
    return thin_least(THIN_AHEAD_IN_ROW, row_bytes);
}
static inline int64_t thin_part_next(int64_t depth, int64_t row_bytes, int64_t right_row)
{
    return (1 + THIN_AHEAD / (depth * row_bytes + 1)) * depth * right_row;
}

/* How many fields have terms of their own. */
static inline int thin_part_left_fields(const struct thin_task *task)
{
    return task->spec->packing.along_k ? task->fields : 1;
}

/* The left side's terms of the field at hand. */
static inline float *thin_part_left(struct thin_part *p)
{
    return thin_part_left_fields(p->task) > 1 ? p->left + p->field * p->task->left_size : p->left;
}

/* Where a number is that has an element of its own: floats of 4 bits are those of its low half. */
static inline enum thin_field thin_part_whole(const struct thin_task *task)
{
    return task->dot.rhs == DTYPE_F4E2M1FN ? THIN_LOW : THIN_WHOLE;
}

/* Where in its element a number is; THIN_LOW if that depends on the field. */
static inline enum thin_field thin_part_kind(const struct thin_task *task)
{
    if (task->fields == 1)
        return thin_part_whole(task);
    return task->dot.rhs == DTYPE_U32 ? THIN_WORD : THIN_LOW;
}

/* How many fields have columns, and sums, of their own. */
static inline int thin_part_outs(const struct thin_task *task)
{
    return task->spec->packing.along_k ? 1 : task->fields;
}

/* The sums of the field at hand. */
static inline float *thin_part_sums(struct thin_part *p)
{
    return p->sums + (thin_part_has_fields(p, false) ? p->field * p->task->sums_size : 0);
}

/* Whether groups of adjacent terms begin with whole vectors. */
static inline bool thin_part_is_of_whole_units(int64_t group)
{
    return group == INT64_MAX || group % THIN_LANES == 0;
}

/* Which parameters are those of the field at hand, and where they begin. */
static inline int thin_part_set(const struct thin_part *p)
{
    return p->task->shares_parameters ? 0 : p->field;
}

static inline int64_t thin_part_parameters(const struct thin_part *p)
{
    return thin_part_set(p) * p->task->parameters;
}

/* The number of an element along k or n, of the field at hand. */
int64_t thin_part_number(const struct thin_part *p, int64_t element, bool along_k);

/* The numbers of the first elements of [element, element + count), evenly apart. */
struct thin_numbers {
    int64_t first, step, count;
};
struct thin_numbers thin_part_numbers(const struct thin_part *p, int64_t element, int64_t count,
                                      bool along_k);

/* Where in an element the numbers of the field at hand are, and the first of their bits. */
enum thin_field thin_part_field(const struct thin_part *p);
int thin_part_shift(const struct thin_part *p);

/* Loads a parameter of numbers along k or n, and up to whole vectors anything; 1 where it is
 * absent. */
void thin_part_load_operand(const struct thin_part *p, const struct thin_operand *operand,
                            const struct thin_numbers *at, bool along_k, float *to);

/* The scales of the part's columns in row k, where these are adjacent in memory; NULL: they are
 * not. Of a task whose columns are numbers. They are not noted if they are large. */
const void *thin_part_scales(const struct thin_part *p, int64_t k);

/* Loads the left side's terms of elements [k, k + count) of the part's rows, with zeros up to whole
 * vectors and the task's rows, after factors, divided by the factor of loaded numbers
 * (thin_set_times()). */
void thin_part_load_left(struct thin_part *p, int64_t k, int64_t count);

/* The same of all fields that have terms of their own; the first field is at hand then. */
void thin_part_load_fields(struct thin_part *p, int64_t k, int64_t count);

/* Elements whose numbers are decoded together: the first one, in row k and column n, and those that
 * follow it along k or n. */
struct thin_place {
    int64_t k, n, count;
    bool along_k;
    int64_t group; /* of so many elements each parameter is the same: thin_part_group() */
    /* Along k: the same of so many columns, whose parameters are `row` apart, and zeros behind
     * them: at least THIN_LANES, and up to whole vectors. */
    int64_t columns, row;
};

/* Loads the parameters of the field at hand and those behind it, of `sets` fields: of the part's
 * columns in row k; or of terms [k, k + count) of `columns` columns from the part's c-th on, whose
 * groups have at most `group` terms. */
void thin_part_load_row(struct thin_part *p, int64_t k, int sets);
struct thin_terms {
    int64_t k, count, c, columns, group;
};
void thin_part_load_groups(struct thin_part *p, const struct thin_terms *at, int sets);

/* How many elements along k have equal parameters, from multiples of it on; INT64_MAX: all. */
int64_t thin_part_group(const struct thin_task *task);

/* The same of numbers along k. */
int64_t thin_part_group_of_numbers(const struct thin_dot_spec *spec);

/* Whether all fields of an element have the same parameters. */
bool thin_part_shares_parameters(const struct thin_task *task);

/* Loads the parameters of elements to the i-th ones and those behind it. Those of columns are each
 * column's own. */
void thin_part_load_parameters(struct thin_part *p, const struct thin_place *at, int64_t i);

/* Decodes rows of elements with parameters from the i-th on; sets the fields of `run` for them. */
void thin_part_decode(const struct thin_part *p, int64_t i, struct thin_run *run);

bool thin_part_has_parameters(const struct thin_part *p);

/* The address of an element of the right side. */
const char *thin_part_right(const struct thin_part *p, int64_t k, int64_t n);

#endif
