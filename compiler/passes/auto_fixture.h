/* auto_fixture.h: a program for the tests of automatic sharding: two products, x w1 w2, of a batch
 * of 64, 32 features and 128 hidden units. */
#ifndef GANTRY_COMPILER_PASSES_AUTO_FIXTURE_H
#define GANTRY_COMPILER_PASSES_AUTO_FIXTURE_H

#include "compiler/passes/passes_fixture.h"
#include "compiler/passes/spmd/auto/auto_classes.h"

enum { BATCH = 64, FEATURES = 32, HIDDEN = 128 };

static inline struct value *auto_fixture_product(struct value *a, struct value *b)
{
    static int64_t zero = 0, one = 1;
    union attrs attrs = {
        .dot = {.lhs_contracting_dimensions = {1, &one}, .rhs_contracting_dimensions = {1, &zero}}};
    struct value *operands[] = {a, b};
    return build_declared(&fixture, OP_dot_general, 2, operands, NULL, &attrs);
}

static inline void auto_fixture_build(int partitions)
{
    MAIN("f32 64 32", "f32 32 128", "f32 128 32");
    fixture_module->num_partitions = partitions;
    struct value *hidden =
        build_unary(&fixture, OP_tanh, auto_fixture_product(argument(0), argument(1)));
    RETURN(auto_fixture_product(hidden, argument(2)));
}

/* The class of a dimension of an argument. */
static inline int auto_fixture_class(const struct auto_classes *classes, int i, int dim)
{
    return classes->values[classes->slots[i]].classes[dim];
}

#endif
