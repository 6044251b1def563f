/* affine.h: symbolic indices. An index is constant + sum of coefficient * variable. The variables
 * belong to the emitter: loop counters, the lane number, results of divisions, and indices read
 * from memory; each has a known range. Slices, transposes, reshapes and strides are arithmetic on
 * these expressions at compile time. Only the address of a load or store is emitted as code. If the
 * lane number has coefficient 1, the load is a vector load; if 0, it is a scalar load shared by all
 * lanes; otherwise it is a gather. */
#ifndef GANTRY_COMPILER_CODEGEN_ELEMENT_AFFINE_H
#define GANTRY_COMPILER_CODEGEN_ELEMENT_AFFINE_H

#include "compiler/codegen/emitter/emitter.h"

enum { AFFINE_TERMS = 10 };
struct affine_term {
    int64_t var, coefficient;
};
/* Terms are sorted by `var` and have no zero coefficients. Values are compared bytewise, up to
 * `count` terms (affine_size). */
struct affine {
    int64_t constant, count;
    struct affine_term terms[AFFINE_TERMS];
};
static inline size_t affine_size(const struct affine *a)
{
    return sizeof(int64_t) * 2 + (size_t)a->count * sizeof a->terms[0];
}

/* The index of one element of a tensor. */
struct index {
    int rank;
    const struct affine *at;
};

struct affine affine_constant(int64_t constant);
struct affine affine_var(int var);
struct affine affine_add(struct emitter *e, const struct affine *a, const struct affine *b);
struct affine affine_offset(const struct affine *a, int64_t constant);
struct affine affine_scale(const struct affine *a, int64_t factor);
/* Returns the coefficient of a variable, and sets *rest to the other terms. */
int64_t affine_split(const struct affine *a, int var, struct affine *rest);
void affine_range(const struct emitter *e, const struct affine *a, int64_t *min, int64_t *max);
int affine_depth(const struct emitter *e, const struct affine *a);
int affine_index_depth(const struct emitter *e, const struct index *index);

/* Returns the stride between lanes in *stride: the coefficient of the lane number. False if the
 * lanes' values do not differ by a constant stride. */
bool affine_lane_stride(const struct emitter *e, const struct affine *a, int64_t *stride);
bool affine_is_uniform(const struct emitter *e, const struct affine *a); /* equal in all lanes */
bool affine_index_is_uniform(const struct emitter *e, const struct index *index);
/* Emits the value in the scope of its depth: affine_scalar() the part that does not depend on
 * lanes, as i64; affine_vector() all of it, as <lanes x i64>. */
LLVMValueRef affine_scalar(struct emitter *e, const struct affine *a);
LLVMValueRef affine_vector(struct emitter *e, const struct affine *a);
/* As affine_vector(), with 32-bit elements. Every lane's value must fit. */
LLVMValueRef affine_vector32(struct emitter *e, const struct affine *a);
/* Makes a variable of an index that was read from a tensor (an integer of any width), clamped to
 * [0, max]; the same variable for the same value in the same scope. */
struct affine affine_from_value(struct emitter *e, LLVMValueRef value, bool is_signed, int64_t max,
                                int depth);

/* The row-major offset of the element at an index. */
struct affine affine_linear(struct emitter *e, const struct index *index, const int64_t *dims);
/* The inverse of affine_linear(): the index of the element at a row-major offset. */
struct index affine_delinear(struct emitter *e, const struct affine *linear, int rank,
                             const int64_t *dims);
struct affine *affine_array(struct emitter *e, int count);
struct index affine_index(int rank, const struct affine *at);
/* Emits a >= min && a < limit: i1, or <lanes x i1> when `a` is not uniform. NULL when always
 * true. */
LLVMValueRef affine_inside(struct emitter *e, const struct affine *a, int64_t min, int64_t limit,
                           int *lanes);

#endif
