/* fusion_pair.h: two fusions of a block become one, which computes once what both compute. */
#ifndef GANTRY_COMPILER_PASSES_FUSION_FUSION_PAIR_H
#define GANTRY_COMPILER_PASSES_FUSION_FUSION_PAIR_H

#include "compiler/ir/ir.h"

struct fusion_body {
    int operations;
    double code;    /* cost per element */
    bool positions; /* computes of the index in one of several dimensions */
};

/* Describes the body of a fusion. False: not each of its operations computes an element on its own,
 * with no loop inside; or there are more than `most`. */
bool fusion_pair_describe(const struct op *fusion, int most, struct fusion_body *body);

/* Whether one fusion has at most `most` operations that the other does not compute of the same
 * values. *code is their cost per element. */
bool fusion_pair_adds_few(struct arena *arena, const struct op *fusion, const struct op *other,
                          int most, double *code);

/* Where an operation is in its block, during fusion_pair_join_all(): a fusion that two became is
 * where the earlier one was. */
int64_t fusion_pair_position(const struct op *op);

/* The fusion before `later` in its block that it is to become one with; NULL: none, or `later` is
 * not of the kind. */
typedef struct op *fusion_pair_finder(struct arena *arena, const struct op *later);

/* Puts one fusion of a kind in the place of each pair that `find` finds, in all blocks. Its results
 * are those of the earlier one, of which the later one may use some, and those of the later one,
 * without those that only the later one used. The operands of the later one must be there where the
 * earlier one is. Overwrites the notes of operations. */
struct error *fusion_pair_join_all(struct module *module, enum fusion_kind kind,
                                   fusion_pair_finder *find);

#endif
