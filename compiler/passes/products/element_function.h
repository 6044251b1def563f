/* element_function.h: arrays whose elements are functions of one element of another array, the
 * argument: elementwise operations, constants, and tables. Several functions may apply to an
 * element of the argument, selected by constants that repeat along the argument, or by operands of
 * concatenations: the array (q[:, None] >> [0, 4]) & 15 has two functions of q. This is how clients
 * unpack numbers of few bits, in any spelling. Pure functions of the IR, in an arena. */
#ifndef GANTRY_COMPILER_PASSES_PRODUCTS_ELEMENT_FUNCTION_H
#define GANTRY_COMPILER_PASSES_PRODUCTS_ELEMENT_FUNCTION_H

#include <stddef.h>

#include "compiler/schedule/operand_view.h"

enum { ELEMENT_FUNCTION_NODES = 64, ELEMENT_FUNCTION_WAYS = 8, ELEMENT_FUNCTION_BITS = 64 };

struct element_function {
    struct value *argument; /* of integers of 4, 8, 16 or 32 bits */
    /* The argument's strides along the array's pieces; 0: along these, ways differ. */
    struct operand_view view;
    int ways; /* the index of those pieces, in row-major order, is the way of an element */
    int count;
    struct element_node *nodes; /* element_function.c's */
};

/* The result for one element: a number, or, where a table is no constant, which of its numbers. */
struct element_result {
    _Alignas(max_align_t) unsigned char bytes[sizeof(double[2])];
    struct value *table; /* NULL: `bytes` is the number */
    int64_t entry;
    uint64_t types; /* that the entry is converted to: a dtype a byte, the last one lowest */
};

/* NULL: an array is no such function. Takes bounded time for any array. */
struct element_function *element_function_of(struct arena *arena, struct value *array);

/* Evaluates a way for an element of the argument with the low bits of `bits`. False: it has
 * operations that cannot be evaluated. */
bool element_function_evaluate(const struct element_function *function, int way, uint32_t bits,
                               struct element_result *out);

/* A set of bits of the argument that has all of those on which a way's result depends. */
uint32_t element_function_bits(const struct element_function *function, int way);

#endif
