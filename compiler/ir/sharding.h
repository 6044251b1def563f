/* sharding.h: how a tensor is partitioned over the devices of a mesh: part of a type, and an
 * attribute of sharding_constraint, full_to_shard and shard_to_full. Every spelling (Shardy,
 * mhlo.sharding, HLO's OpSharding) is converted to this one form when it is read.
 *
 * A mesh numbers devices (logical partition ids) row-major over its axes. A sharding lists, for
 * each dimension of the tensor, the axes that split it, major to minor. An axis splits at most one
 * dimension; along axes that are not listed the tensor is replicated. A sub-axis is a part of an
 * axis: with `pre_size` p and `size` k, the axis of size n is split row-major into p x k x n/(p*k),
 * and the reference is to the middle part.
 *
 * Shardings are immutable, allocated in the module's arena, and may be shared; compare them with
 * sharding_equal(). All functions are pure. */
#ifndef GANTRY_COMPILER_IR_SHARDING_H
#define GANTRY_COMPILER_IR_SHARDING_H

#include "base/error.h"
#include "compiler/ir/type.h"

#define SHARDING_MAX_DEVICES ((int64_t)1 << 20) /* of a mesh */
#define SHARDING_MAX_AXES 64                    /* of a mesh, including axes of one device */

struct mesh {
    const char *name; /* of sdy.mesh; NULL: made for shardings that name no mesh */
    int axis_count;
    const char *const *axis_names;
    const int64_t *axis_sizes;
    int64_t device_count;      /* the product of the sizes */
    const int64_t *device_ids; /* NULL: 0, 1, 2 ... */
};

struct axis_ref {
    int axis;               /* of the mesh */
    int64_t pre_size, size; /* 0, 0: the whole axis */
};
struct axis_refs {
    int count;
    const struct axis_ref *at;
};
struct dim_sharding {
    struct axis_refs axes; /* major to minor */
    bool is_closed;        /* propagation must not add axes */
    int64_t priority;      /* of propagation, 0 first; -1: none given, which is 0 */
};

enum sharding_kind {
    SHARDING_TILED,  /* by axes, also when there are none: replicated */
    SHARDING_MAXIMAL /* the whole tensor is on one device */
};

struct sharding {
    enum sharding_kind kind;
    int64_t device;          /* MAXIMAL */
    const struct mesh *mesh; /* TILED: not NULL. MAXIMAL: NULL, as are all fields below */
    int rank;                /* of the tensor */
    const struct dim_sharding *dims;
    struct axis_refs replicated; /* propagation must not use them for open dimensions */
    struct axis_refs unreduced;  /* the value is the sum over the shards along these axes */
    /* Axes of a manual computation. In the sharding of a full value at its boundary (full_to_shard,
     * shard_to_full) they may also occur in `dims`; within it values are local along them. */
    struct axis_refs manual;
};

/* Structural equality; mesh names, but not the addresses of meshes, are compared. */
bool sharding_equal(const struct sharding *a, const struct sharding *b);

/* The number of devices along one axis reference; along all of a list (their product). */
int64_t sharding_axis_size(const struct mesh *mesh, struct axis_ref axis);
int64_t sharding_axes_size(const struct mesh *mesh, struct axis_refs axes);

/* True when the two refer to a common part of an axis. */
bool sharding_axes_overlap(const struct mesh *mesh, struct axis_ref a, struct axis_ref b);

/* The number of shards of dimension `dim` along manual axes: local size = full size / this. */
int64_t sharding_manual_size(const struct sharding *sharding, int dim);

/* Checks a sharding of a tensor of `rank` dimensions: a mesh of at most SHARDING_MAX_AXES axes and
 * SHARDING_MAX_DEVICES devices, references inside of it, sub-axes that divide their axes, no axis
 * used twice among dimensions, replicated and unreduced, and an equal rank. INVALID_ARGUMENT with
 * what was found and what is allowed. */
struct error *sharding_check(const struct sharding *sharding, int rank);

/* The sharding of a type, if it has one: sharding_check() with the type's rank. Only tensors have
 * shardings. */
struct error *sharding_check_type(const struct type *type);

/* `*out` is `type` with this sharding in place of its own. This is how every reader adds a sharding
 * to a type: it is the one place that compares the ranks. `type` itself where `sharding` is NULL or
 * the type is no tensor. Errors: those of sharding_check(). */
struct error *sharding_attach(struct arena *arena, const struct type *type,
                              const struct sharding *sharding, const struct type **out);

/* A sharding of `rank` dimensions over no axes: replicated, with open dimensions or closed ones. */
const struct sharding *sharding_replicated(struct arena *arena, const struct mesh *mesh, int rank,
                                           bool is_closed);

/* Prints Shardy's syntax, #sdy.sharding<@mesh, [{"x"}, {?}], replicated={"y"}>; a mesh without name
 * in place, mesh<["devices"=4]>. `manual={"x"}` is our addition. A maximal sharding is the mesh
 * without axes that has one device id, as in Shardy. */
void sharding_print(const struct sharding *sharding, struct text *out);

/* Prints the same without the mesh, for readers: [{"x"}, {?}], replicated={"y"}; "on device 3". */
void sharding_print_axes(const struct sharding *sharding, struct text *out);

/* ["x"=2, "y"=4], device_ids=[...] */
void sharding_print_mesh(const struct mesh *mesh, struct text *out);

#endif
