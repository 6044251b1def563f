/* auto_classes.h: which dimensions of a program's values are sharded alike. Dimensions that share a
 * factor of an operation (ir/sharding_rules.h) are of one *class*, as are those that loops and
 * branches tie: the batch, the features of the residual stream, the heads, the hidden units of a
 * layer. Classes that the same dimensions of equal arguments belong to, as those of the layers of
 * an unrolled model, are one class, too, so that repeated layers are sharded alike. */
#ifndef GANTRY_COMPILER_PASSES_SPMD_AUTO_AUTO_CLASSES_H
#define GANTRY_COMPILER_PASSES_SPMD_AUTO_AUTO_CLASSES_H

#include "compiler/ir/ir.h"
#include "compiler/passes/spmd/propagate_relation.h"

struct auto_class {
    int64_t unit;  /* the number of shards must divide it */
    double work;   /* of the operations that have it, in elements and products of them */
    double bytes;  /* of the arguments that have it */
    bool is_moved; /* elements move along it, or their positions matter, in some operation */
};

/* What is sharded alike: a value, or the argument, the result and the operand of a loop. */
struct auto_value {
    int rank;
    const int64_t *sizes;
    const int *classes; /* of each dimension; -1: none, as of dimensions of one element */
    bool is_fixed;      /* by the client's annotation, or of a manual computation */
    /* Made from constants alone, as masks and tables of angles: each device makes the part that its
     * uses read, so these get no sharding here. */
    bool is_constant;
    int element_bytes;
    const struct sharding *given; /* the client's annotation; NULL: none */
};

/* What relates values: an operation, or an edge along which a value flows. */
struct auto_relation {
    const struct relation *relation;
    const int *members; /* indices of values; -1: not a tensor */
};

struct auto_classes {
    int class_count, value_count;
    const struct auto_class *classes; /* the one with most work first */
    const struct auto_value *values;
    /* For each value of the entry function and of its regions of control flow, in program order:
     * the arguments of a block, then its operations, each followed by its regions. Index of
     * `values`; -1: not a tensor. */
    int64_t slot_count;
    const int *slots;
    const int *results; /* of the entry function: index of `values`; -1: not a tensor */
    const int *donors;  /* of each result: the argument whose memory it takes; -1: none */
    int relation_count;
    const struct auto_relation *relations; /* in program order */
    int64_t operations;                    /* of the entry function, with its regions */
};

/* Whether the result is computed where it is read, rather than stored. */
bool auto_classes_is_in_place(const struct op *op);

/* Reads a module that is flat. The notes of its values are overwritten. Linear in the size of the
 * program, but for sorting its dimensions. Errors: those of spmd_mesh_create(). */
struct error *auto_classes_find(struct module *module, struct auto_classes *out);

#endif
