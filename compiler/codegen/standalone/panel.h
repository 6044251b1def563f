/* panel.h: rows of numbers in scratch, processed a few vectors of columns at a time. This is the
 * inner loop that factorizations and triangular solves share. The real and imaginary parts of
 * complex numbers are stored in separate planes. Rows are `ld` numbers apart and padded to whole
 * vectors, so no access is masked. */
#ifndef GANTRY_COMPILER_CODEGEN_STANDALONE_PANEL_H
#define GANTRY_COMPILER_CODEGEN_STANDALONE_PANEL_H

#include "compiler/codegen/loops/expression.h"

enum { PANEL_MAX = 4 }; /* vectors */

struct panel {
    struct emitter *e;
    enum dtype dtype; /* f32, f64, c64 or c128 */
    LLVMValueRef base;
    int64_t rows, ld;
    int lanes, vectors; /* of the columns that are processed together */
};

/* The type in which numbers of `dtype` are computed and stored. */
enum dtype panel_dtype(enum dtype dtype);
/* Chooses lanes and vectors for a number of columns. */
void panel_plan(struct panel *p, const struct target *target, enum dtype dtype, int64_t columns);
int64_t panel_bytes(const struct panel *p);

/* The columns of vector v, counted from `column`. The lane number is part of the sum when lanes >
 * 1. */
struct affine panel_column(const struct panel *p, const struct affine *column, int v);
/* Loads the numbers of a row at columns from panel_column() (a vector), or at one column (a
 * scalar). */
struct element panel_load(const struct panel *p, const struct affine *row,
                          const struct affine *column);
void panel_store(const struct panel *p, const struct affine *row, const struct affine *column,
                 const struct element *element);

/* acc[v] -= coefficient(s) * row s, for s in [0, count). `count` is an i64, may be 0 and is at most
 * `rows` - 1. */
typedef struct error *panel_coefficient(void *context, const struct affine *s, struct element *out);
struct error *panel_update(const struct panel *p, LLVMValueRef count, const struct affine *column,
                           panel_coefficient *coefficient, void *context, struct element *acc);

struct element panel_conjugate(struct emitter *e, const struct element *element);

#endif
