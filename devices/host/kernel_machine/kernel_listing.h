/* kernel_listing.h: a kernel as the machine executes it: flat lists of instructions over a frame.
 *
 * A frame is the memory of one function's values on one core: [constants | values]. Each value has
 * a fixed offset, which values that are not live at the same time share: numbers row-major in their
 * own type (an i1 and numbers of less than a byte have a byte each), references as
 * struct kernel_view. Structured control is jumps between instructions, so a core that waits is
 * nothing but the number of its next instruction, and costs no stack. */
#ifndef GANTRY_DEVICES_HOST_KERNEL_MACHINE_KERNEL_LISTING_H
#define GANTRY_DEVICES_HOST_KERNEL_MACHINE_KERNEL_LISTING_H

#include "compiler/kernel_ir/kernel_ir.h"

struct kernel_core;
struct kernel_instr;

enum kernel_flow {
    KERNEL_FLOW_NEXT,
    KERNEL_FLOW_JUMP,  /* core->pc is set */
    KERNEL_FLOW_WAIT,  /* this instruction again, after others had their turn */
    KERNEL_FLOW_ERROR, /* core->error is set */
};

typedef enum kernel_flow (*kernel_step)(struct kernel_core *core, const struct kernel_instr *in);

/* Loops over `count` numbers; operands that an operation lacks are NULL. */
typedef void (*kernel_loop)(void *out, const void *a, const void *b, const void *c, int64_t count);

/* A move of numbers between vectors, as a box of `rank` dimensions; strides and offsets in
 * elements. */
struct kernel_move {
    int operand, rank;
    int64_t dims[KERNEL_MAX_RANK], from[KERNEL_MAX_RANK], to[KERNEL_MAX_RANK];
    int64_t from_offset, to_offset;
};

struct kernel_copy { /* of a value to another, at the end of a block */
    size_t from, to, bytes;
    int from_id, to_id; /* ids of the values */
};

struct kernel_region { /* allocations whose memory ends with it, by machine->allocas */
    int first, count;
};

struct kernel_instr {
    kernel_step run;
    const struct kernel_op *op;
    size_t out;                   /* offset of the first result */
    size_t in[3];                 /* of the first operands */
    const size_t *all;            /* of all operands */
    int64_t count;                /* elements of the result */
    kernel_loop loop;             /* of elementwise operations, in f32 or the type itself */
    kernel_loop widen[3], narrow; /* to f32 and back; NULL: it is stored as `loop` takes it */
    int bytes[4];                 /* of an element of the operands and (last) of the result */
    const void *plan;             /* moves, copies, or what the operation's own header says */
    int plan_count;
    int target; /* of jumps: index of an instruction */
};

struct kernel_listing { /* of a function */
    const struct kernel_function *function;
    struct kernel_instr *instrs;
    int count;
    size_t frame_bytes;    /* of all of it */
    size_t constant_bytes; /* of the constants in front */
    const char *constants; /* their values */
    size_t *offsets;       /* of values by id; KERNEL_NO_OFFSET: never computed */
    const int64_t *bytes;  /* of values by id */
};

#define KERNEL_NO_OFFSET SIZE_MAX

#endif
