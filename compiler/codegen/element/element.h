/* element.h: one element of a tensor as code: a scalar that holds for all lanes ("uniform", lanes
 * == 1) or a vector of an element a lane. In registers pred is i1; smaller floats are f32: of 8
 * bits and less rounded to their precision by every operation; bf16 and f16 keep f32's precision
 * within a kernel, and are rounded where they are stored or converted from or to;
 * sub-byte integers are i8, wrapped; complex numbers are two parts. In memory everything is as
 * base/dtype.h says. */
#ifndef GANTRY_COMPILER_CODEGEN_ELEMENT_ELEMENT_H
#define GANTRY_COMPILER_CODEGEN_ELEMENT_ELEMENT_H

#include "compiler/codegen/element/affine.h"
#include "compiler/codegen/emitter/emitter.h"

struct element {
    LLVMValueRef part[2]; /* real, imaginary; part[1] is NULL for other types */
    int lanes;
};

/* The type in registers (of a part). */
LLVMTypeRef element_type(struct emitter *e, enum dtype dtype, int lanes);
/* Floats that are f32 in registers but narrower in memory. */
bool element_is_small_float(enum dtype dtype);
bool element_is_signed(enum dtype dtype);

struct element element_of(LLVMValueRef value); /* its lanes are the type's */
struct element element_of_parts(LLVMValueRef real, LLVMValueRef imaginary);
/* Uniform becomes one of so many lanes. */
struct element element_widen(struct emitter *e, const struct element *element, int lanes);
struct element element_constant(struct emitter *e, enum dtype dtype, const void *bytes);
struct element element_from_double(struct emitter *e, enum dtype dtype, double value);
/* condition is pred; lanes are brought together. */
struct element element_select(struct emitter *e, const struct element *condition,
                              const struct element *a, const struct element *b);
/* An f32 (or f64) result rounded to the precision of its type, or wrapped for sub-byte integers. */
LLVMValueRef element_round(struct emitter *e, enum dtype dtype, LLVMValueRef value);

/* Between registers and memory's bits (i8 for pred, i16 for bf16 ...; a part for complex). */
LLVMValueRef element_decode(struct emitter *e, enum dtype dtype, LLVMValueRef bits);
LLVMValueRef element_encode(struct emitter *e, enum dtype dtype, LLVMValueRef value);

/* Memory access at an offset in elements; `count` is the number of elements there. Lanes outside of
 * the tail and the guard are not touched (a load gives anything for them). */
struct element element_load(struct emitter *e, LLVMValueRef pointer, enum dtype dtype,
                            const struct affine *offset, int64_t count);
/* `streamed`: past the caches; only for vectors at multiples of their size. */
void element_store(struct emitter *e, LLVMValueRef pointer, enum dtype dtype,
                   const struct affine *offset, const struct element *element, bool streamed);
/* The mask of lanes that exist and are wanted, or NULL. */
LLVMValueRef element_mask(struct emitter *e);

/* Stores `many` elements a lane that are neighbours, element k of the first lane at `first` + k;
 * real ones, where all lanes exist. */
enum { ELEMENT_INTERLEAVED_MAX = 4 };
void element_store_interleaved(struct emitter *e, LLVMValueRef pointer, enum dtype dtype,
                               const struct affine *first, int many,
                               const struct element *elements);

#endif
