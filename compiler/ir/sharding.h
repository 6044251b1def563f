/* sharding.h: how a tensor is partitioned over the devices of a mesh. Part of a type. Read from
 * Shardy (named axes) or from the text of an OpSharding (mhlo.sharding). */
#ifndef GANTRY_COMPILER_IR_SHARDING_H
#define GANTRY_COMPILER_IR_SHARDING_H

#include "compiler/ir/type.h"

struct mesh {
    const char *name;
    int axis_count;
    const char *const *axis_names;
    const int64_t *axis_sizes;
    int64_t device_count;
    const int64_t *device_ids; /* NULL: 0, 1, 2 ... */
};

struct axis_ref {
    const char *name;
    int64_t pre_size, size; /* 0, 0: the whole axis */
};
struct dim_sharding {
    int count;
    const struct axis_ref *axes;
    bool is_closed;
    int64_t priority; /* -1: none */
};

struct sharding {
    const struct mesh *mesh; /* Shardy; NULL when `text` is set */
    int rank;
    const struct dim_sharding *dims;
    int replicated_count;
    const struct axis_ref *replicated;
    const char *text; /* "{devices=[2,2]<=[4]}", "{replicated}"; NULL for Shardy */
};

bool sharding_equal(const struct sharding *a, const struct sharding *b);
void sharding_print(const struct sharding *sharding, struct text *out);

#endif
