/* print_attrs.h: prints an operation's attributes in StableHLO's syntax:
 * `{dimensions = array<i64: 1>}`. */
#ifndef GANTRY_COMPILER_IR_PRINT_ATTRS_H
#define GANTRY_COMPILER_IR_PRINT_ATTRS_H

#include "compiler/ir/ir.h"

/* Prints a space and the attributes, or nothing if there are none. Literals of more than
 * `max_elements` elements (unless splat) are elided; negative: no limit. */
void print_attrs(const struct op *op, int64_t max_elements, struct text *out);
void print_attrs_dict(const struct dict *dict, struct text *out); /* {a = 1 : i64, b = "x"} */
void print_attrs_string(const void *bytes, size_t size, struct text *out); /* quoted, escaped */
void print_attrs_symbol(const char *name, struct text *out);               /* @name, @"any name" */

#endif
