/* pjrt_c_api_layouts_extension.h: layouts as objects (PJRT_Extension_Type_Layouts, version 4).
 *
 * PJRT_Buffer_MemoryLayout of the core describes a layout as numbers; here it is an object, which
 * can say more, and which can be asked of places and executables before there is a buffer. JAX,
 * where the extension is present, asks for the output layouts of every executable it compiles.
 *
 * The rules of pjrt_c_api.h on struct_size, errors, ownership and threads hold here. A layout
 * object is immutable and depends on no other object: it may outlive the client it came from. */
#ifndef GANTRY_PJRT_C_API_LAYOUTS_EXTENSION_H
#define GANTRY_PJRT_C_API_LAYOUTS_EXTENSION_H

#include <stddef.h>
#include <stdint.h>

#include "pjrt_c_api.h"

#define PJRT_API_LAYOUTS_EXTENSION_VERSION 4

#ifdef __cplusplus
extern "C" {
#endif

/* How the elements of an array lie in memory. */
typedef struct PJRT_Layouts_MemoryLayout PJRT_Layouts_MemoryLayout;
/* Keeps the bytes of a serialized layout. */
typedef struct PJRT_Layouts_SerializedLayout PJRT_Layouts_SerializedLayout;

/* Frees a layout. */
typedef struct PJRT_Layouts_MemoryLayout_Destroy_Args {
    size_t struct_size;
    PJRT_Extension_Base *extension_start;
    PJRT_Layouts_MemoryLayout *layout; /* moved; NULL is accepted */
} PJRT_Layouts_MemoryLayout_Destroy_Args;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_Layouts_MemoryLayout_Destroy_Args, layout);
typedef PJRT_Error *PJRT_Layouts_MemoryLayout_Destroy(PJRT_Layouts_MemoryLayout_Destroy_Args *args);

/* Returns a layout as text, in the way HLO writes layouts: the dimensions from the fastest-running
 * one on, then tiles, as in "{1,0}" or "{1,0:T(8,128)}". Clients parse it, so it has no other form.
 * The memory space is no part of it. */
typedef struct PJRT_Layouts_MemoryLayout_Serialize_Args {
    size_t struct_size;
    PJRT_Extension_Base *extension_start;
    PJRT_Layouts_MemoryLayout *layout;
    /* out, borrowed until serialized_layout is deleted */
    const char *serialized_bytes;
    size_t serialized_bytes_size;                     /* out, bytes without a NUL */
    PJRT_Layouts_SerializedLayout *serialized_layout; /* out, deleter: serialized_layout_deleter */
    /* out, static; called once with serialized_layout */
    void (*serialized_layout_deleter)(PJRT_Layouts_SerializedLayout *layout);
} PJRT_Layouts_MemoryLayout_Serialize_Args;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_Layouts_MemoryLayout_Serialize_Args, serialized_layout_deleter);
typedef PJRT_Error *
PJRT_Layouts_MemoryLayout_Serialize(PJRT_Layouts_MemoryLayout_Serialize_Args *args);

/* Returns the layout of a buffer. Known at once, ready or not; also of a deleted buffer. */
typedef struct PJRT_Layouts_PJRT_Buffer_MemoryLayout_Args {
    size_t struct_size;
    PJRT_Extension_Base *extension_start;
    PJRT_Buffer *buffer;
    PJRT_Layouts_MemoryLayout *layout; /* out, owned */
} PJRT_Layouts_PJRT_Buffer_MemoryLayout_Args;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_Layouts_PJRT_Buffer_MemoryLayout_Args, layout);
typedef PJRT_Error *
PJRT_Layouts_PJRT_Buffer_MemoryLayout(PJRT_Layouts_PJRT_Buffer_MemoryLayout_Args *args);

/* Returns the layout that an array of this type and shape has on the client's devices when no
 * other is requested: row-major without tiles on Gantry's. INVALID_ARGUMENT when the type is not
 * known. */
typedef struct PJRT_Layouts_PJRT_Client_GetDefaultLayout_Args {
    size_t struct_size;
    PJRT_Extension_Base *extension_start;
    PJRT_Client *client;
    PJRT_Buffer_Type type;             /* type of the elements */
    const int64_t *dims;               /* elements per dimension; borrowed for the call */
    size_t num_dims;                   /* the rank; 0 gives "{}" */
    PJRT_Layouts_MemoryLayout *layout; /* out, owned */
} PJRT_Layouts_PJRT_Client_GetDefaultLayout_Args;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_Layouts_PJRT_Client_GetDefaultLayout_Args, layout);
typedef PJRT_Error *
PJRT_Layouts_PJRT_Client_GetDefaultLayout(PJRT_Layouts_PJRT_Client_GetDefaultLayout_Args *args);

/* As PJRT_Layouts_PJRT_Client_GetDefaultLayout, for a topology: what compiling ahead of time may
 * assume. */
typedef struct PJRT_Layouts_PJRT_Topology_GetDefaultLayout_Args {
    size_t struct_size;
    PJRT_Extension_Base *extension_start;
    PJRT_TopologyDescription *topology_description;
    PJRT_Buffer_Type type;             /* type of the elements */
    const int64_t *dims;               /* elements per dimension; borrowed for the call */
    size_t num_dims;                   /* the rank; 0 gives "{}" */
    PJRT_Layouts_MemoryLayout *layout; /* out, owned */
} PJRT_Layouts_PJRT_Topology_GetDefaultLayout_Args;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_Layouts_PJRT_Topology_GetDefaultLayout_Args, layout);
typedef PJRT_Error *
PJRT_Layouts_PJRT_Topology_GetDefaultLayout(PJRT_Layouts_PJRT_Topology_GetDefaultLayout_Args *args);

/* Returns the layout of each output, on one device, in the order of the outputs. */
typedef struct PJRT_Layouts_PJRT_Executable_GetOutputLayouts_Args {
    size_t struct_size;
    PJRT_Extension_Base *extension_start;
    PJRT_Executable *executable;
    size_t num_outputs; /* out: entries of layouts */
    /* out: array and layouts borrowed until the executable is destroyed; not for _Destroy */
    PJRT_Layouts_MemoryLayout **layouts;
} PJRT_Layouts_PJRT_Executable_GetOutputLayouts_Args;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_Layouts_PJRT_Executable_GetOutputLayouts_Args, layouts);
typedef PJRT_Error *PJRT_Layouts_PJRT_Executable_GetOutputLayouts(
    PJRT_Layouts_PJRT_Executable_GetOutputLayouts_Args *args);

/* Returns the layout of each parameter, on one device, in the order of the parameters. */
typedef struct PJRT_Layouts_PJRT_Executable_GetParameterLayouts_Args {
    size_t struct_size;
    PJRT_Extension_Base *extension_start;
    PJRT_Executable *executable;
    size_t num_parameters; /* out: entries of layouts */
    /* out: array and layouts borrowed until the executable is destroyed; not for _Destroy */
    PJRT_Layouts_MemoryLayout **layouts;
} PJRT_Layouts_PJRT_Executable_GetParameterLayouts_Args;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_Layouts_PJRT_Executable_GetParameterLayouts_Args, layouts);
typedef PJRT_Error *PJRT_Layouts_PJRT_Executable_GetParameterLayouts(
    PJRT_Layouts_PJRT_Executable_GetParameterLayouts_Args *args);

/* The extension: functions in the order of their addition. Static and constant. */
typedef struct PJRT_Layouts_Extension {
    PJRT_Extension_Base base; /* type is PJRT_Extension_Type_Layouts */
    PJRT_API_MEMBER(PJRT_Layouts_MemoryLayout_Destroy);
    PJRT_API_MEMBER(PJRT_Layouts_MemoryLayout_Serialize);
    PJRT_API_MEMBER(PJRT_Layouts_PJRT_Client_GetDefaultLayout);
    PJRT_API_MEMBER(PJRT_Layouts_PJRT_Buffer_MemoryLayout);
    PJRT_API_MEMBER(PJRT_Layouts_PJRT_Topology_GetDefaultLayout);
    PJRT_API_MEMBER(PJRT_Layouts_PJRT_Executable_GetOutputLayouts);
    PJRT_API_MEMBER(PJRT_Layouts_PJRT_Executable_GetParameterLayouts);
} PJRT_Layouts_Extension;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_Layouts_Extension, PJRT_Layouts_PJRT_Executable_GetParameterLayouts);

#ifdef __cplusplus
}
#endif

#endif
