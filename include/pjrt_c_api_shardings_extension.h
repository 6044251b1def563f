/* pjrt_c_api_shardings_extension.h: how the parameters and outputs of a compiled program are
 * divided over its partitions (PJRT_Extension_Type_Shardings, version 1).
 *
 * Without it, clients read the same from the program that PJRT_Executable_OptimizedProgram gives.
 * The rules of pjrt_c_api.h on struct_size, errors, ownership and threads hold here. */
#ifndef GANTRY_PJRT_C_API_SHARDINGS_EXTENSION_H
#define GANTRY_PJRT_C_API_SHARDINGS_EXTENSION_H

#include <stddef.h>
#include <stdint.h>

#include "pjrt_c_api.h"

#define PJRT_API_SHARDINGS_EXTENSION_VERSION 1

#ifdef __cplusplus
extern "C" {
#endif

/* Returns the sharding of each parameter. */
typedef struct PJRT_Shardings_PJRT_Executable_ParameterShardings_Args {
    size_t struct_size;
    PJRT_Extension_Base *extension_start;
    PJRT_Executable *executable;
    size_t num_parameters; /* out: entries of the arrays */
    /* out: serialized xla.OpShardings; borrowed until the executable is destroyed. NULL: the
     * program has no shardings */
    const char *const *shardings;
    const size_t *sharding_sizes; /* out: their bytes; borrowed and NULL like shardings */
} PJRT_Shardings_PJRT_Executable_ParameterShardings_Args;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_Shardings_PJRT_Executable_ParameterShardings_Args, sharding_sizes);
typedef PJRT_Error *PJRT_Shardings_PJRT_Executable_ParameterShardings(
    PJRT_Shardings_PJRT_Executable_ParameterShardings_Args *args);

/* Returns the sharding of each output. */
typedef struct PJRT_Shardings_PJRT_Executable_OutputShardings_Args {
    size_t struct_size;
    PJRT_Extension_Base *extension_start;
    PJRT_Executable *executable;
    size_t num_outputs;           /* out: entries of the arrays */
    const char *const *shardings; /* out: as for parameters */
    const size_t *sharding_sizes; /* out: as for parameters */
} PJRT_Shardings_PJRT_Executable_OutputShardings_Args;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_Shardings_PJRT_Executable_OutputShardings_Args, sharding_sizes);
typedef PJRT_Error *PJRT_Shardings_PJRT_Executable_OutputShardings(
    PJRT_Shardings_PJRT_Executable_OutputShardings_Args *args);

/* The extension. Static and constant. */
typedef struct PJRT_Shardings_Extension {
    PJRT_Extension_Base base; /* type is PJRT_Extension_Type_Shardings */
    PJRT_API_MEMBER(PJRT_Shardings_PJRT_Executable_ParameterShardings);
    PJRT_API_MEMBER(PJRT_Shardings_PJRT_Executable_OutputShardings);
} PJRT_Shardings_Extension;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_Shardings_Extension, PJRT_Shardings_PJRT_Executable_OutputShardings);

#ifdef __cplusplus
}
#endif

#endif
