/* buffer_assign.h: gives every value of a block (and of the control-flow blocks inside it) a
 * slice of memory. Values whose lives do not overlap share temp memory; results are computed in
 * place in the result allocations; a while's carried values live in one slice through initial
 * value, loop and result; an in-place update shares the slice of what it updates when that dies
 * there, and is preceded by a copy operation when it does not (the pass inserts OP_copy where
 * needed, so that the plan is always correct). Each FUSION_REGION gets a plan of its own
 * (buffer_plan.regions). Donated parameters may be written once their last reader has run.
 * Needs: fusion has run (every operation is a fusion, dot_general, convolution, custom_call,
 * constant, copy, while, case, if or return). */
#ifndef GANTRY_COMPILER_PASSES_BUFFER_BUFFER_ASSIGN_H
#define GANTRY_COMPILER_PASSES_BUFFER_BUFFER_ASSIGN_H

#include "base/vec.h"
#include "compiler/ir/ir.h"
#include "compiler/program/program.h"
#include "compiler/target.h"

struct buffer_plan {
    int allocation_count;
    /* Entry: as in program.h. FUSION_REGION: operand 0.., result 0.., scratch (the last one), in
     * the kernel's order of buffers. */
    struct allocation *allocations;
    struct map *slices;  /* value -> struct slice */
    uint64_t temp_size;  /* of temp or scratch */
    struct map *scratch; /* fusion -> struct slice */
    /* FUSION_REGION -> its own struct buffer_plan, whose temp is this plan's scratch */
    struct map *regions;
    int *result_alias; /* entry only, per result: the parameter whose memory it may take, or -1 */
    /* entry only: where the arena keeps the bytes of the constant allocation, heap memory aligned
     * to 64 (who sets it to NULL owns them); NULL for regions, whose constants are in the code */
    void **constants;
    uint64_t constants_size;
    VEC(struct program_table) tables; /* entry only */
    uint64_t tables_size;
};

/* The slice of a value; NULL for tokens and for values that need no memory. */
const struct slice *buffer_plan_slice(const struct buffer_plan *plan, const struct value *value);

/* `scratch_size` gives the scratch of a fusion (codegen_library); NULL: none needs any. */
typedef uint64_t buffer_scratch_function(const struct op *fusion, const struct target *target);
struct error *buffer_assign_entry(struct module *module, const struct target *target,
                                  buffer_scratch_function *scratch_size, struct buffer_plan **out);
/* Scratch of a fusion inside a plan: the slice reserved for it, or NULL. */
const struct slice *buffer_plan_scratch(const struct buffer_plan *plan, const struct op *fusion);

#endif
