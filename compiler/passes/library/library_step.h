/* library_step.h: decides which products and convolutions are library steps. The target queries its
 * libraries at compile time, on the machine that executes the program, with the specification of
 * the operation, because support depends on the processor (oneDNN multiplies bf16 and f16 only on
 * some) and on the layouts. An unsupported operation, or one so small
 * that a loop has computed it before a library is called, becomes generated code, or the same
 * operation on operands converted to another type, whose result is converted once:
 *
 *   f32    the result is a float, and f32 has every value of the operands (floats and integers of 4
 *          to 16 bits), or all are predicates; so are small products of bf16 of which no call has
 *          the whole batch
 *   bf16   the same, of large operands whose values bf16 has, on processors that multiply bf16;
 *          the result is computed in f32
 *   s8     predicates, or s8 with a result narrower than s32, or s8 and u8 with a result of 8 bits,
 *          which are the same for both: it is computed in s32; not batches of small products
 *   s32    other integers with results of at most 32 bits: what is lost are higher bits
 *   s64    other integers
 *
 * Integers and predicates narrower than 32 bits stay as they are where a loop reads vectors of
 * them, unless s8 are multiplied in a long sum, and all products of integers with a vector do. A
 * library step therefore never fails at run time for lack of support. */
#ifndef GANTRY_COMPILER_PASSES_LIBRARY_LIBRARY_STEP_H
#define GANTRY_COMPILER_PASSES_LIBRARY_LIBRARY_STEP_H

#include "compiler/ir/ir.h"
#include "compiler/target.h"

/* Whether a dot_general or convolution is a library step in its current layouts; otherwise it
 * becomes generated code. */
bool library_step_supported(const struct op *op, const struct target *target);

/* Whether a dot_general becomes a library step after layout.h has assigned its layouts. A small
 * one's answer depends on the transposes around it. */
bool library_step_may_be(const struct op *dot, const struct target *target);

/* The same whatever is around it. */
bool library_step_must_be(const struct op *dot, const struct target *target);

/* Whether a loop that computes a product of integers of at most 16 bits should add vectors of
 * terms, since its rows are too short for vectors: the rows of the left operand are summed, so the
 * right one, which is small, is to be transposed. */
bool library_step_is_thin_loop(const struct op *dot);

/* Whether generated code of a product, of whatever type, has that reason to. */
bool library_step_has_thin_result(const struct op *dot);

/* Converts a product or convolution to another type, as above, if the libraries support it only so.
 * A transpose that is the only user of the result moves before the conversion back. Returns the
 * product or convolution that replaces `op`, or `op` itself if it is unchanged. */
struct op *library_step_widen(struct module *module, const struct target *target, struct op *op);

#endif
