/* kernel_rules.h: what must hold of the types and attributes of each operation; the rules of
 * kernel_verify.h by family. They make the machine safe: it trusts shapes and types that have
 * passed. */
#ifndef GANTRY_COMPILER_KERNEL_IR_KERNEL_RULES_H
#define GANTRY_COMPILER_KERNEL_IR_KERNEL_RULES_H

#include "compiler/kernel_ir/kernel_ir.h"

struct kernel_scope {
    const struct kernel *kernel;
    const struct kernel_function *function;
};

/* INVALID_ARGUMENT "kernel 'k': tpu.matmul at …: <message>", and the location in MLIR's form. */
struct error *kernel_rules_fail(const struct kernel_scope *scope, const struct kernel_op *op,
                                const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Everything about an operation but its regions' contents. */
struct error *kernel_rules_check(const struct kernel_scope *scope, const struct kernel_op *op);

/* The families that kernel_rules_check() knows. */
struct error *kernel_rules_elementwise(const struct kernel_scope *scope,
                                       const struct kernel_op *op);
struct error *kernel_rules_shape(const struct kernel_scope *scope, const struct kernel_op *op);
struct error *kernel_rules_memory(const struct kernel_scope *scope, const struct kernel_op *op);

/* The terminator of region `region` of `parent`: its operands fit the parent. */
struct error *kernel_rules_terminator(const struct kernel_scope *scope,
                                      const struct kernel_op *parent, int region,
                                      const struct kernel_op *op);

bool kernel_rules_same_type(const struct kernel_type *a, const struct kernel_type *b);
bool kernel_rules_same_shape(const struct kernel_type *a, const struct kernel_type *b);
/* Whether all numbers of a list are in [low, high]. */
bool kernel_rules_in_range(struct dims list, int64_t low, int64_t high);

#endif
