/* kernel_core.h: the state of a run: buffers, references to them, semaphores, and the cores whose
 * instructions a scheduler interleaves. One thread owns all of it. */
#ifndef GANTRY_DEVICES_HOST_KERNEL_MACHINE_KERNEL_CORE_H
#define GANTRY_DEVICES_HOST_KERNEL_MACHINE_KERNEL_CORE_H

#include "devices/host/kernel_machine/kernel_listing.h"
#include "devices/host/kernel_machine/kernel_machine.h"

struct kernel_check; /* the checker's state of a run */
struct kernel_run;
struct kernel_mxu; /* kernel_mxu.h */

/* What a buffer is, for messages: "input 0", "scratch 2". */
enum kernel_buffer_role {
    KERNEL_BUFFER_PREFETCH,
    KERNEL_BUFFER_INPUT,
    KERNEL_BUFFER_OUTPUT,
    KERNEL_BUFFER_WINDOW, /* the block of an array */
    KERNEL_BUFFER_SCRATCH,
    KERNEL_BUFFER_ALLOCA,
    KERNEL_BUFFER_BARRIER
};

struct kernel_buffer {
    enum kernel_buffer_role role;
    int number; /* of the array or scratch */
    int slot;   /* in the core's table: equal on all cores */
    enum kernel_space space;
    char *bytes;  /* semaphores: struct kernel_counter[elements] */
    int64_t size; /* in bytes */
    int device, core;
    unsigned char *shadow;      /* checker: enum kernel_definedness of each byte; or NULL */
    struct kernel_buffer *same; /* the buffer at the same address that has the shadow, or itself */
};

struct kernel_counter { /* a semaphore */
    int64_t value;
    void *clock; /* checker: events before the signals, or NULL */
};

/* A reference at run time: a box of a buffer. Strides and offset in bytes. */
struct kernel_view {
    struct kernel_buffer *buffer;
    int64_t offset;
    int rank;
    /* Elements along the second-last dimension (the last of rank 1) that are stored as numbers of
     * another width, of `stored_bits`: `pack` of them, `pack_stride` bytes apart, form an element;
     * or `split` elements share one, and `pack_stride` elements in front are skipped. 1: neither.
     */
    int pack, split, stored_bits;
    int64_t pack_stride;
    int64_t dims[KERNEL_MAX_RANK], strides[KERNEL_MAX_RANK];
    int64_t room[2]; /* the last two sizes with padding (kernel_padding.h); 0: there is none */
};

struct kernel_window_state {
    bool is_loaded;
    int64_t block[KERNEL_MAX_RANK]; /* element offsets of the block, with squeezed dimensions */
    int64_t step;                   /* when it was entered */
};

/* Of a core that reads semaphores in a loop: a read whose value is known to be the last one's ends
 * the core's turn, so that what others do can change it. */
struct kernel_polling {
    int64_t seen; /* run->changes at the last read; -1: there was none */
    int64_t vain; /* reads since then */
    bool is_stopped, may_read;
};

struct kernel_core {
    struct kernel_run *run;
    int device, core, index; /* index: device * cores + core */
    char *memory;            /* owned: all of the core's */
    char *frame;
    char **transform_frames; /* by function; NULL: none */
    struct kernel_buffer *buffers;
    int pc;
    bool is_done;
    struct kernel_polling polling;
    bool is_in_map; /* runs an index map */
    int64_t grid[KERNEL_MAX_RANK], step;
    struct kernel_window_state *windows;
    struct kernel_view *arrays; /* whole arrays in HBM */
    uint64_t random;
    struct kernel_mxu *mxu; /* owned; NULL: not used yet */
    char *scratch;          /* of instructions: machine->scratch_bytes */
    struct error *error;
};

struct kernel_dma { /* that has started and not ended */
    struct kernel_view from, to;
    struct kernel_counter *sends, *receives; /* sends may be NULL */
    int64_t bytes;
    int element, id;
    struct kernel_core *core; /* that started it */
    const struct kernel_op *op;
};

struct kernel_machine {
    const struct kernel *kernel;
    struct arena *arena;
    struct kernel_listing main;
    struct kernel_listing *transforms; /* by array; count 0: none */
    int operand_count, result_count, input_count, bound_count, cores;
    int core_dim;         /* of the grid: an index of it is a core; -1: none */
    struct shape *shapes; /* operands, then results */
    int buffer_count;     /* of a core */
    size_t scratch_bytes, core_bytes;
    int window_slot, scratch_slot, alloca_slot, barrier_slot; /* first slots */
    const struct kernel_op **allocas;                         /* by slot - alloca_slot */
    int alloca_count;
    uint8_t *padding; /* by array: whether it needs padding, kernel_padding.c */
    bool pads_any;
};

struct kernel_run {
    const struct kernel_machine *machine;
    const struct kernel_launch *launch;
    int64_t grid[KERNEL_MAX_RANK];
    int core_count;
    struct kernel_core *cores;
    struct kernel_dma *dmas; /* in flight, in the order of their starts */
    int dma_count, dma_capacity, dma_id;
    int64_t changes; /* of semaphores */
    uint64_t random;
    void **padded;              /* by device and array; NULL: none */
    struct arena *arena;        /* of the checker; NULL: off */
    struct kernel_check *check; /* NULL: off, or not begun */
};

/* The address of a value of the main function. */
static inline void *kernel_at(const struct kernel_core *core, size_t offset)
{
    return core->frame + offset;
}

/* An integer of any width, sign-extended. */
static inline int64_t kernel_integer(const void *at, int bytes)
{
    return bytes == 8   ? *(const int64_t *)at
           : bytes == 4 ? *(const int32_t *)at
           : bytes == 2 ? *(const int16_t *)at
                        : *(const int8_t *)at;
}

/* Sets core->error (which it takes) with the kernel, the operation and its location in front, and
 * returns KERNEL_FLOW_ERROR. */
enum kernel_flow kernel_core_fail(struct kernel_core *core, const struct kernel_op *op,
                                  struct error *error);

/* "input 0 (hbm) of device 1" */
void kernel_core_buffer_name(const struct kernel_buffer *buffer, char *out, size_t size);

#endif
