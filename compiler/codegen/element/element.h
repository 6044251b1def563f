/* element.h: one element of a tensor as LLVM values. An element is either "uniform", a scalar
 * shared by all lanes (lanes == 1), or a vector with one element for each lane.
 *
 * Representation in registers:
 *   pred               i1
 *   f8 and narrower    f32, rounded to the type's precision after every operation
 *   bf16, f16          f32, rounded as f8 are; where the target has excess_precision, with f32's
 *                      precision within a kernel, and rounded when stored and when converted
 *   sub-byte integers  i8, wrapped
 *   complex            two parts
 * In a nest that only moves, small floats and complex numbers of 64 bits are the integers that they
 * are in memory: they are only moved. The representation in memory is defined in base/dtype.h. */
#ifndef GANTRY_COMPILER_CODEGEN_ELEMENT_ELEMENT_H
#define GANTRY_COMPILER_CODEGEN_ELEMENT_ELEMENT_H

#include "compiler/codegen/element/affine.h"
#include "compiler/codegen/emitter/emitter.h"

struct element {
    LLVMValueRef part[2]; /* real, imaginary; part[1] is NULL for other types */
    int lanes;
};

/* The LLVM type in registers; for complex types, of one part. */
LLVMTypeRef element_type(struct emitter *e, enum dtype dtype, int lanes);
/* The LLVM type of one element in memory, or of one part. */
LLVMTypeRef element_memory_type(struct emitter *e, enum dtype dtype);
/* Whether an element is two values, real and imaginary. */
bool element_has_parts(const struct emitter *e, enum dtype dtype);
/* True for floats that are f32 in registers but narrower in memory. */
bool element_is_small_float(enum dtype dtype);
bool element_is_signed(enum dtype dtype);
/* Whether the nest being emitted only moves elements (schedule.bits). */
bool element_only_moves(const struct emitter *e);

struct element element_of(LLVMValueRef value); /* lanes taken from the LLVM type */
struct element element_of_parts(LLVMValueRef real, LLVMValueRef imaginary);
/* Broadcasts a uniform element to `lanes` lanes. */
struct element element_widen(struct emitter *e, const struct element *element, int lanes);
struct element element_constant(struct emitter *e, enum dtype dtype, const void *bytes);
struct element element_from_double(struct emitter *e, enum dtype dtype, double value);
/* The condition's dtype is pred. Uniform arguments are broadcast to the lanes of the others. */
struct element element_select(struct emitter *e, const struct element *condition,
                              const struct element *a, const struct element *b);
/* Rounds an f32 (or f64) result to the precision of its type, or wraps a sub-byte integer. */
LLVMValueRef element_round(struct emitter *e, enum dtype dtype, LLVMValueRef value);
/* The same of a sum, difference, product or quotient of numbers of the type, in less time: where it
 * is NaN, it has no bits beyond those of the type, because operands have none and the processor
 * sets none. */
LLVMValueRef element_round_arithmetic(struct emitter *e, enum dtype dtype, LLVMValueRef value);

/* Writes the values of `count` elements, of complex ones two, and returns their number; sets the
 * values of the same elements. */
int element_flatten(int count, const struct element *elements, LLVMValueRef *values);
void element_unflatten(int count, LLVMValueRef const *values, struct element *elements);

/* Converts between the register form and the bits in memory (i8 for pred, i16 for bf16 ...). For
 * complex types, converts one part. */
LLVMValueRef element_decode(struct emitter *e, enum dtype dtype, LLVMValueRef bits);
LLVMValueRef element_encode(struct emitter *e, enum dtype dtype, LLVMValueRef value);

/* Loads or stores at an offset, in elements; `count` is the number of elements in the buffer. Lanes
 * disabled by the tail or the guard do not access memory; a load gives undefined values for
 * them. */
struct element element_load(struct emitter *e, LLVMValueRef pointer, enum dtype dtype,
                            const struct affine *offset, int64_t count);
/* A contiguous load under a mask from element `at` on, of a buffer of `count` elements. Where the
 * processor would take a branch for each lane, a whole vector is loaded if it is in the buffer. */
LLVMValueRef element_load_some(struct emitter *e, LLVMValueRef pointer, LLVMTypeRef scalar,
                               unsigned align, LLVMValueRef at, int64_t count, LLVMValueRef mask);
/* `streamed`: use non-temporal stores. Only for vectors aligned to their own size. */
void element_store(struct emitter *e, LLVMValueRef pointer, enum dtype dtype,
                   const struct affine *offset, const struct element *element, bool streamed);
/* The mask of lanes enabled by both the tail and the guard; NULL if all are enabled. */
LLVMValueRef element_mask(struct emitter *e);

/* Stores `many` adjacent elements for each lane that the tail, a constant, enables: element k of
 * the first lane at `first` + k. Only for real types, and at most NEST_SCHEDULE_INTERLEAVED_MOST.
 */
void element_store_interleaved(struct emitter *e, LLVMValueRef pointer, enum dtype dtype,
                               const struct affine *first, int many,
                               const struct element *elements);

#endif
