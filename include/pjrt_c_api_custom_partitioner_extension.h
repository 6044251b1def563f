/* pjrt_c_api_custom_partitioner_extension.h: partition custom calls by callback
 * (PJRT_Extension_Type_Custom_Partitioner, version 1).
 *
 * A client registers, by the name of a custom call, functions that partition it. The compiler calls
 * them while it partitions a program for several devices, with the shapes and shardings of the
 * operands and results; they return the call's computation for one shard.
 *
 * Strings are bytes with a size. Shapes are serialized ShapeProto, shardings serialized OpSharding
 * (xla_data.proto), programs MLIR. What the callee receives is borrowed for the call; what it
 * returns lives until the caller calls the header's cleanup_fn. Callbacks may be called by any
 * number of threads at once, and must live as long as the process, or until `dtor` is called with
 * them.
 *
 * The rules of pjrt_c_api.h on struct_size, errors and threads hold here. Layout: openxla's header
 * of the same name. */
#ifndef GANTRY_PJRT_C_API_CUSTOM_PARTITIONER_EXTENSION_H
#define GANTRY_PJRT_C_API_CUSTOM_PARTITIONER_EXTENSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pjrt_c_api.h"

#define PJRT_API_CUSTOM_PARTITIONER_EXTENSION_VERSION 1

#ifdef __cplusplus
extern "C" {
#endif

typedef struct JAX_CustomCallPartitioner_string {
    const char *data;
    size_t size;
} JAX_CustomCallPartitioner_string;

typedef struct JAX_CustomCallPartitioner_aval { /* an operand or the result */
    JAX_CustomCallPartitioner_string shape;
    bool has_sharding;
    JAX_CustomCallPartitioner_string sharding;
} JAX_CustomCallPartitioner_aval;

typedef struct JAX_CustomCallPartitioner_version_and_error { /* the first field of each Args */
    int64_t api_version;
    void *data;                                 /* out: what is returned; for cleanup_fn */
    void (*cleanup_fn)(void *data);             /* out: frees it; may be NULL */
    bool has_error;                             /* out: the next two are set, nothing else is */
    PJRT_Error_Code code;                       /* out */
    JAX_CustomCallPartitioner_string error_msg; /* out */
} JAX_CustomCallPartitioner_version_and_error;

/* Returns the computation of a shard and the shardings that it is for. */
typedef struct JAX_CustomCallPartitioner_Partition_Args {
    JAX_CustomCallPartitioner_version_and_error header;
    size_t num_args;
    JAX_CustomCallPartitioner_aval *op_args; /* num_args */
    JAX_CustomCallPartitioner_aval op_result;
    JAX_CustomCallPartitioner_string backend_config;
    JAX_CustomCallPartitioner_string mlir_module;     /* out */
    JAX_CustomCallPartitioner_string *args_sharding;  /* out: num_args */
    JAX_CustomCallPartitioner_string result_sharding; /* out */
} JAX_CustomCallPartitioner_Partition_Args;

/* Suggests a sharding of the result for those of the operands. */
typedef struct JAX_CustomCallPartitioner_InferShardingFromOperands_Args {
    JAX_CustomCallPartitioner_version_and_error header;
    size_t num_args;
    JAX_CustomCallPartitioner_aval *op_args; /* num_args */
    JAX_CustomCallPartitioner_string result_shape;
    JAX_CustomCallPartitioner_string backend_config;
    bool has_result_sharding;                         /* out */
    JAX_CustomCallPartitioner_string result_sharding; /* out */
} JAX_CustomCallPartitioner_InferShardingFromOperands_Args;

/* Suggests a sharding of the result for that of a user. */
typedef struct JAX_CustomCallPartitioner_PropagateUserSharding_Args {
    JAX_CustomCallPartitioner_version_and_error header;
    JAX_CustomCallPartitioner_string backend_config;
    JAX_CustomCallPartitioner_string result_shape;
    JAX_CustomCallPartitioner_string result_sharding; /* in: the user's; out */
} JAX_CustomCallPartitioner_PropagateUserSharding_Args;

typedef struct JAX_CustomCallPartitioner_Callbacks JAX_CustomCallPartitioner_Callbacks;
struct JAX_CustomCallPartitioner_Callbacks {
    int64_t version; /* of this extension */
    void *private_data;
    void (*dtor)(JAX_CustomCallPartitioner_Callbacks *data);
    void (*partition)(JAX_CustomCallPartitioner_Callbacks *data,
                      JAX_CustomCallPartitioner_Partition_Args *args);
    void (*infer_sharding)(JAX_CustomCallPartitioner_Callbacks *data,
                           JAX_CustomCallPartitioner_InferShardingFromOperands_Args *args);
    void (*propagate_user_sharding)(JAX_CustomCallPartitioner_Callbacks *data,
                                    JAX_CustomCallPartitioner_PropagateUserSharding_Args *args);
    bool can_side_effecting_have_replicated_sharding;
};

/* Registers the partitioner of the custom calls of a name, for all clients of the process; it
 * replaces the one before. */
typedef struct PJRT_Register_Custom_Partitioner_Args {
    size_t struct_size;
    const char *name; /* borrowed for the call */
    size_t name_size;
    JAX_CustomCallPartitioner_Callbacks *callbacks; /* owned by the callee unless this fails */
} PJRT_Register_Custom_Partitioner_Args;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_Register_Custom_Partitioner_Args, callbacks);
typedef PJRT_Error *PJRT_Register_Custom_Partitioner(PJRT_Register_Custom_Partitioner_Args *args);

/* States that the custom calls of a name compute each element of their leading dimensions by
 * itself, so that shards of these can be passed to them. */
typedef struct PJRT_Register_Batch_Partitionable_Args {
    size_t struct_size;
    const char *name; /* borrowed for the call */
    size_t name_size;
} PJRT_Register_Batch_Partitionable_Args;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_Register_Batch_Partitionable_Args, name_size);
typedef PJRT_Error *PJRT_Register_Batch_Partitionable(PJRT_Register_Batch_Partitionable_Args *args);

/* The extension: functions in the order of their addition. Static and constant. */
typedef struct PJRT_Custom_Partitioner_Extension {
    PJRT_Extension_Base base; /* type is PJRT_Extension_Type_Custom_Partitioner */
    PJRT_Register_Custom_Partitioner *register_custom_partitioner;
    PJRT_Register_Batch_Partitionable *register_batch_partitionable;
} PJRT_Custom_Partitioner_Extension;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_Custom_Partitioner_Extension, register_batch_partitionable);

#ifdef __cplusplus
}
#endif

#endif
