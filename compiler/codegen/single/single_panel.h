/* single_panel.h: rows of numbers in scratch, worked on a few vectors wide: the inner loop that
 * factorisations and triangular solves share. Complex numbers lie as two planes. Rows are `ld`
 * numbers apart, and as long as whole vectors, so that nothing here is masked. */
#ifndef GANTRY_COMPILER_CODEGEN_SINGLE_SINGLE_PANEL_H
#define GANTRY_COMPILER_CODEGEN_SINGLE_SINGLE_PANEL_H

#include "compiler/codegen/loops/expression.h"

enum { SINGLE_PANEL_MOST = 4 }; /* vectors */

struct single_panel {
    struct emitter *e;
    enum dtype dtype; /* f32, f64, c64 or c128 */
    LLVMValueRef base;
    int64_t rows, ld;
    int lanes, vectors; /* of the columns that are worked on together */
};

/* The type that numbers of a type are computed and kept in. */
enum dtype single_panel_dtype(enum dtype dtype);
/* Lanes and vectors for so many columns. */
void single_panel_plan(struct single_panel *p, const struct target *target, enum dtype dtype,
                       int64_t columns);
int64_t single_panel_bytes(const struct single_panel *p);

/* Vector v of the columns from `column`; the lane number is part of the sum when lanes > 1. */
struct affine single_panel_column(const struct single_panel *p, const struct affine *column, int v);
/* The numbers of a row at columns as above (a vector), or at one column (a scalar). */
struct element single_panel_load(const struct single_panel *p, const struct affine *row,
                                 const struct affine *column);
void single_panel_store(const struct single_panel *p, const struct affine *row,
                        const struct affine *column, const struct element *element);

/* acc[v] -= coefficient(s) * row s, for s in [0, count); `count` (i64, may be 0) is at most `rows`
 * - 1. */
typedef struct error *single_panel_coefficient(void *context, const struct affine *s,
                                               struct element *out);
struct error *single_panel_update(const struct single_panel *p, LLVMValueRef count,
                                  const struct affine *column,
                                  single_panel_coefficient *coefficient, void *context,
                                  struct element *acc);

struct element single_panel_conjugate(struct emitter *e, const struct element *element);

#endif
