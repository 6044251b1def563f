/* model_graph.h: a module as the modeled accelerator's compiler would see it: groups of operations
 * that become one kernel each, the values that are stored between them, and their buffers. Made by
 * model_fusion() from a module that it does not change (but for the notes of its operations and
 * values), completed by model_memory() and read by model_time(). Everything is in the arena. */
#ifndef GANTRY_COMPILER_MODEL_MODEL_GRAPH_H
#define GANTRY_COMPILER_MODEL_MODEL_GRAPH_H

#include "base/map.h"
#include "base/vec.h"
#include "compiler/accelerator.h"
#include "compiler/ir/ir.h"
#include "compiler/program/model_plan.h"

enum model_storage {
    MODEL_TEMPORARY, /* of the program; values of loops that take an argument's place have its
                        storage */
    MODEL_ARGUMENT,
    MODEL_RESULT,
    MODEL_CONSTANT
};

struct model_buffer {
    struct model_buffer *same; /* the buffer that this one is part of; NULL: it is its own */
    const struct value *value; /* that it was made for */
    enum model_storage storage;
    enum memory_kind memory;
    bool given;                           /* an argument whose memory the program may take */
    bool in_hbm;                          /* never in vector memory */
    bool scratch;                         /* of one group */
    const struct model_buffer *next_copy; /* of a loop's copies */
    bool is_free_before;            /* a result's memory, which temporaries may have before it */
    const struct model_group *loop; /* that carries it */
    uint64_t bytes;                 /* with padding */
    int64_t first, last;            /* positions during which it is in use, inclusive */
    double traffic;                 /* bytes read and written in one execution of the program */
    uint64_t offset;                /* in the temporaries */
    int index;                      /* in the list of all */
    bool in_vmem, in_result;        /* in neither: in the temporaries */
};

enum { MODEL_MAX_LEAVES = 6 };

struct model_value {                 /* value->note */
    struct model_buffer *buffer;     /* NULL: computed where it is used */
    struct model_buffer *rows;       /* a copy of it in which each row is together; NULL: none */
    struct model_buffer *copy;       /* the one that loops read in its place; NULL: none */
    const struct op *lead;           /* the product or reduction whose result it may leave with */
    const struct model_group *group; /* that makes it; NULL: an argument, or computed when used */
    /* What is read where it is computed again; more than MODEL_MAX_LEAVES: too much. */
    int leaf_count;
    const struct value *leaves[MODEL_MAX_LEAVES];
    double bytes;        /* without padding */
    double leaf_bytes;   /* of the leaves */
    int chain;           /* the longest path to a leaf, in operations */
    int ready;           /* the last operation of its block that it is computed from */
    int kernels;         /* that would compute it; 0: it is stored for another reason */
    int join;            /* the operation on which all its uses lead (model_join.h); 0: none */
    int64_t first, last; /* positions where it is written, and last read */
    const void *reader;  /* the group that was last found to read it */
    size_t read;         /* its index there */
    int number, node;    /* in the schedule graph of its block; node -1: an argument */
    int awaited; /* of a barrier's result: the node of the last one of its operands; -1: none */
    /* model_kernels.c: the last kernel that made or read it, how many elements that works on,
     * whether it has a product; the one that made it, and whether it is a reduction's result */
    int kernel, maker, computed; /* computed: also if it is not stored */
    double kernel_elements;
    bool after_product, reduced;
    bool leaves_kernel; /* another kernel reads it, or its block returns it */
    bool stored;
    bool is_copied;  /* to the memory of the program's result that it is */
    bool kept;       /* to be stored in any case */
    bool recomputed; /* from the product that it ends, which is stored as it is */
};

struct model_read {
    const struct value *value;     /* stored */
    struct model_buffer *copy;     /* read in the value's place; NULL: none */
    bool is_at_hand;               /* in its kernel, so that it is not read again */
    bool in_vmem;                  /* was left there by an earlier kernel (model_vmem.h) */
    bool is_ahead;                 /* a copy to vector memory begins with the program */
    bool is_fetched;               /* in_vmem, by a copy beside earlier kernels */
    bool is_multiplied;            /* by the kernel's product, rather than read after it */
    struct model_read *next_begun; /* of those whose copies begin at one position */
    int64_t needed;                /* position of its kernel, if it is copied */
    double arrival;                /* of its copy: seconds after the block's begin */
    double bytes; /* that one execution reads: of a value that is only sliced, the slices */
};

struct model_cost {                /* one execution of a group */
    double flops;                  /* of products */
    double compute;                /* seconds on the matrix units */
    double vector;                 /* on the vector unit */
    double hbm_bytes;              /* read and written in HBM */
    double host_bytes, link_bytes; /* to or from the host; sent to other chips */
    double links;                  /* seconds */
    double seconds;
    double ahead_bytes;  /* also read in HBM: by a copy that begins with the program */
    double beside_bytes; /* and by copies beside earlier kernels */
    double copy_bytes;   /* and by copies before and after the kernel */
    double copies;       /* seconds of these, part of `seconds` once the kernel is priced */
    bool is_whole; /* seconds are not to be combined with those of other groups of its kernel */
    enum model_bound bound;
    enum model_resource resource; /* other than kernels: it is asynchronous */
};

struct model_edge {
    struct model_group *user;
    struct model_edge *next;
};

struct model_group {
    const struct op *root; /* its last operation */
    int op_count, read_count;
    const struct op **ops;       /* those that its kernel does first, then the others */
    int fresh_count;             /* of ops: the others were done in the kernel for another group */
    struct model_read *reads;    /* each value once */
    struct model_read *begun;    /* copies to vector memory that begin after it */
    struct model_block **inside; /* of the regions of control flow: root->region_count */
    const struct model_buffer *copies; /* made before the loop, for it and later ones */
    int64_t begin, end;                /* positions; equal without regions */
    int kernel;                        /* groups of one number are one kernel */
    /* model_overlap.c: of one execution of its block */
    struct model_cost cost;   /* with regions: seconds of all their executions */
    double start;             /* seconds after the block's begin */
    double hidden;            /* of cost.seconds: while kernels run */
    double waited;            /* until its end, while kernels wait for it */
    struct model_edge *users; /* groups of its block that wait for it */
    struct model_group *late; /* the one that it waits for last */
    int index, waits;         /* in its block; for how many groups */
    double ready;             /* when these are done */
};

struct model_block {
    const struct block *block;
    struct model_block *parent; /* NULL: the entry */
    struct model_group *owner;  /* that it is inside of */
    int64_t begin, end;         /* positions before and after its groups */
    int first_kernel;           /* of its groups */
    double times;               /* executed in one execution of the program */
    struct model_read *begun;   /* copies to vector memory that begin with it */
    VEC(struct model_group *) groups;
};

struct model {
    struct arena *arena;
    const struct accelerator *accelerator; /* the target's */
    struct module *module; /* its lists of groups are shared, which adds to it (collective.h) */
    struct model_links *links;
    struct model_collectives *collectives; /* of the module; model_report() moves them out */
    const struct map *pallas;              /* model_pallas.h */
    const int *aliases;                    /* result_donors.h */
    struct map *narrow;                    /* values: model_narrow.h */
    struct model_block *entry;
    VEC(struct model_buffer *) buffers;
    int64_t positions;
    int kernels;
    int *kernel_results; /* model_kernels.c: [kernels + 1] values of each that are used elsewhere */
    struct model_kernel *kernel_sums; /* model_overlap.c: [kernels + 1] */
    /* The dimensions of images, by the first convolution: batch and features are the minor
     * ones. rank 0: none. Images have the dimensions of what a convolution or window reads or
     * makes. */
    struct model_images {
        int rank, batch, feature;
        int64_t count;      /* of the batch */
        struct map *shapes; /* by their dimensions */
    } images;
    uint64_t unknown_trips; /* loops whose trip count is unknown and taken as 1 */
};

/* Whether several cores share a device, and each has vector memory of its own. */
static inline bool model_has_split_vmem(const struct accelerator *accelerator)
{
    return accelerator->cores > 1 && !accelerator->cmem_bytes;
}

static inline struct model_value *model_value(const struct value *value)
{
    return value->note;
}

static inline struct model_buffer *model_buffer_of(const struct value *value)
{
    struct model_buffer *buffer = model_value(value)->buffer;
    while (buffer && buffer->same) {
        if (buffer->same->same) /* halves the path, which is as long as a chain of operations */
            buffer->same = buffer->same->same;
        buffer = buffer->same;
    }
    return buffer;
}

static inline struct model_buffer *model_buffer_read(const struct model_read *read)
{
    return read->copy ? read->copy : model_buffer_of(read->value);
}

#endif
