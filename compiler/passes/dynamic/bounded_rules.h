/* bounded_rules.h: what an operation does with operands that have sizes (sized.h). A rule is called
 * for operations with such an operand. It sets the sizes of the results, may give the operation
 * other operands, or replace it by other operations. NULL: there is none. */
#ifndef GANTRY_COMPILER_PASSES_DYNAMIC_BOUNDED_RULES_H
#define GANTRY_COMPILER_PASSES_DYNAMIC_BOUNDED_RULES_H

#include "compiler/passes/dynamic/sized.h"

typedef struct error *bounded_rule(struct sized *s, struct op *op);

/* The rule of an operation; NULL: it is unsupported. */
bounded_rule *bounded_rules_find(const struct op *op);

/* Applies the rules to the operations of a block, in order. */
typedef struct error *bounded_visit(struct sized *s, struct block *block);

/* bounded_control.c. These visit the operation's regions and replace it; they are called with and
 * without sizes of operands. Branches: if, case. Loop: while. */
struct error *bounded_control_branches(struct sized *s, struct op *op, bounded_visit *visit);
struct error *bounded_control_loop(struct sized *s, struct op *op, bounded_visit *visit);
/* bounded_moves.c */
bounded_rule bounded_moves_follow, bounded_moves_reverse, bounded_moves_slice,
    bounded_moves_concatenate, bounded_moves_pad, bounded_moves_gather, bounded_moves_scatter,
    bounded_moves_dynamic_slice, bounded_moves_update, bounded_moves_sort;
/* bounded_reshape.c */
bounded_rule bounded_reshape;
/* The value with its elements in a row in front of its padding, row-major in its sizes: the
 * form of arguments and results (runtime/buffer_sizes.h); and the reverse. */
struct value *bounded_reshape_to_row(const struct sized *s, struct builder *b, struct value *value);
struct value *bounded_reshape_from_row(const struct sized *s, struct builder *b,
                                       struct value *value);
/* bounded_math.c */
bounded_rule bounded_math_elementwise, bounded_math_each, bounded_math_reduce, bounded_math_dot,
    bounded_math_window, bounded_math_convolution;

#endif
