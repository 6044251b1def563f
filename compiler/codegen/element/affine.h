/* affine.h: symbolic indices. An index is constant + sum of coefficient * variable over the
 * emitter's variables (loop counters, the lane number, results of divisions, indices read from
 * memory), each with a known range. Slices, transposes, reshapes and strides are arithmetic on
 * these at compile time, and only the address of a load is ever written as code: a coefficient 1 of
 * the lane number is a vector load, none is a scalar load for all lanes, anything else a gather. */
#ifndef GANTRY_COMPILER_CODEGEN_ELEMENT_AFFINE_H
#define GANTRY_COMPILER_CODEGEN_ELEMENT_AFFINE_H

#include "compiler/codegen/emitter/emitter.h"

enum { AFFINE_TERMS = 10 };
struct affine_term {
    int64_t var, coefficient;
};
struct
    /* terms sorted by var, no zero coefficients; compared by the bytes up to `count` terms */
    affine {
    int64_t constant, count;
    struct affine_term terms[AFFINE_TERMS];
};
static inline size_t affine_size(const struct affine *a)
{
    return sizeof(int64_t) * 2 + (size_t)a->count * sizeof a->terms[0];
}

/* of an element of a tensor */
struct index {
    int rank;
    const struct affine *at;
};

struct affine affine_constant(int64_t constant);
struct affine affine_var(int var);
struct affine affine_add(struct emitter *e, const struct affine *a, const struct affine *b);
struct affine affine_offset(const struct affine *a, int64_t constant);
struct affine affine_scale(const struct affine *a, int64_t factor);
/* Floor division and remainder by divisor > 0. */
void affine_divide(struct emitter *e, const struct affine *a, int64_t divisor,
                   struct affine *quotient, struct affine *remainder);
void affine_range(const struct emitter *e, const struct affine *a, int64_t *min, int64_t *max);
int affine_depth(const struct emitter *e, const struct affine *a);
int affine_index_depth(const struct emitter *e, const struct index *index);

/* How the lanes differ: *stride is the lane number's coefficient; false when lanes differ
 * otherwise. */
bool affine_lane_stride(const struct emitter *e, const struct affine *a, int64_t *stride);
bool affine_is_uniform(const struct emitter *e, const struct affine *a); /* equal in all lanes */
bool affine_index_is_uniform(const struct emitter *e, const struct index *index);
/* As code, in the scope of its depth: what does not depend on lanes (i64); everything (<lanes x
 * i64>). */
LLVMValueRef affine_scalar(struct emitter *e, const struct affine *a);
LLVMValueRef affine_vector(struct emitter *e, const struct affine *a);
/* The same as 32-bit vector; every lane's value must fit. */
LLVMValueRef affine_vector32(struct emitter *e, const struct affine *a);
/* An index read from an element (integer, any width): clamped into [min, max], as a variable. */
struct affine affine_from_value(struct emitter *e, LLVMValueRef value, bool is_signed, int64_t min,
                                int64_t max, int depth);

/* The row-major offset of an element of a shape. */
struct affine affine_linear(struct emitter *e, const struct index *index, const int64_t *dims);
/* The index of an offset. */
struct index affine_delinear(struct emitter *e, const struct affine *linear, int rank,
                             const int64_t *dims);
struct affine *affine_array(struct emitter *e, int count);
struct index affine_index(int rank, const struct affine *at);
/* a >= min and a < limit as code: i1, or <lanes x i1> when not uniform; NULL when always true. */
LLVMValueRef affine_inside(struct emitter *e, const struct affine *a, int64_t min, int64_t limit,
                           int *lanes);

#endif
