/* thin_dot.h: recognizes products of few rows, and how the numbers of their other side, the matrix,
 * are decoded from what is in memory: by reshapes, transposes, conversions that keep every value,
 * and arithmetic with smaller arrays that repeat along the matrix:
 *
 *   (numbers - zero) * scale + offset        each of the three may be absent; not rounded between
 *
 * The arrays may have one number for the matrix, for a row or column, for groups of either, or for
 * blocks, in any layout; so they may be scales of columns, or of groups along the contracted
 * dimension, with or without zero points, as each client spells them. The numbers may be fields of
 * bytes or words, through bitcasts, or what a gather finds at these in a table of 16 or 256
 * numbers. Pure functions of the IR. */
#ifndef GANTRY_COMPILER_SCHEDULE_THIN_DOT_H
#define GANTRY_COMPILER_SCHEDULE_THIN_DOT_H

#include "compiler/ir/ir.h"
#include "compiler/program/program.h"

/* Most operands, operations of a product, and steps of a walk from its matrix. */
enum { THIN_DOT_OPERANDS = 6, THIN_DOT_MEMBERS = 64, THIN_DOT_STEPS = 16 };

struct thin_dot {
    struct thin_dot_spec spec;
    struct value *lhs, *rhs, *zero, *scale, *offset, *table; /* the last four: NULL where absent */
    struct value *source; /* what rhs is, or is computed of by operations that are not decoded */
    /* the product and what decodes its matrix, of the product's block, in an order in which each
     * follows what it uses */
    int count;
    struct op *members[THIN_DOT_MEMBERS];
};

/* Describes a dot_general that a STEP_THIN_DOT can compute (thin_dot_spec.h); false for others. */
bool thin_dot_of(struct op *dot, struct thin_dot *out);

/* The same of the product in a FUSION_THIN_DOT: its operands are arguments of the region. Never
 * false of one that thin_product.h has made. */
bool thin_dot_of_fusion(const struct op *fusion, struct thin_dot *out);

/* The operands in the order of the step's slices; returns how many there are. */
int thin_dot_operands(const struct thin_dot *thin, struct value **out);

#endif
