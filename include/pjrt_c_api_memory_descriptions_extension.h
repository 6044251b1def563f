/* pjrt_c_api_memory_descriptions_extension.h: memory kinds without a client
 * (PJRT_Extension_Type_MemoryDescriptions, version 1).
 *
 * PJRT_Memory needs a client. When compiling for a topology there is none, yet the compiler's user
 * must know which memory kinds its devices will have: this extension lists them.
 *
 * The rules of pjrt_c_api.h on struct_size, errors, ownership and threads hold here. */
#ifndef GANTRY_PJRT_C_API_MEMORY_DESCRIPTIONS_EXTENSION_H
#define GANTRY_PJRT_C_API_MEMORY_DESCRIPTIONS_EXTENSION_H

#include <stddef.h>
#include <stdint.h>

#include "pjrt_c_api.h"

#define PJRT_API_MEMORY_DESCRIPTIONS_EXTENSION_VERSION 1

#ifdef __cplusplus
extern "C" {
#endif

/* What is known of a memory space of a device without a client. */
typedef struct PJRT_MemoryDescription PJRT_MemoryDescription;

/* Returns the memory spaces a device can use. */
typedef struct PJRT_DeviceDescription_MemoryDescriptions_Args {
    size_t struct_size;
    PJRT_Extension_Base *extension_start;
    PJRT_DeviceDescription *device_description;
    /* out: array and elements borrowed until the description dies */
    const PJRT_MemoryDescription *const *memory_descriptions;
    size_t num_memory_descriptions; /* out */
    /* out: the default one's index in the array; SIZE_MAX when there is none */
    size_t default_memory_index;
} PJRT_DeviceDescription_MemoryDescriptions_Args;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_DeviceDescription_MemoryDescriptions_Args, default_memory_index);
typedef PJRT_Error *
PJRT_DeviceDescription_MemoryDescriptions(PJRT_DeviceDescription_MemoryDescriptions_Args *args);

/* Returns the kind of a memory space, as PJRT_Memory_Kind and PJRT_Memory_Kind_Id will with a
 * client: "device", "pinned_host" or "unpinned_host", and its number. */
typedef struct PJRT_MemoryDescription_Kind_Args {
    size_t struct_size;
    PJRT_Extension_Base *extension_start;
    const PJRT_MemoryDescription *memory_description;
    const char *kind; /* out, borrowed until the memory description dies */
    size_t kind_size; /* out, bytes without a NUL */
    int kind_id;      /* out, equal for equal kinds */
} PJRT_MemoryDescription_Kind_Args;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_MemoryDescription_Kind_Args, kind_id);
typedef PJRT_Error *PJRT_MemoryDescription_Kind(PJRT_MemoryDescription_Kind_Args *args);

/* The extension: functions in the order of their addition. Static and constant. */
typedef struct PJRT_MemoryDescriptions_Extension {
    PJRT_Extension_Base base; /* type is PJRT_Extension_Type_MemoryDescriptions */
    PJRT_API_MEMBER(PJRT_DeviceDescription_MemoryDescriptions);
    PJRT_API_MEMBER(PJRT_MemoryDescription_Kind);
} PJRT_MemoryDescriptions_Extension;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_MemoryDescriptions_Extension, PJRT_MemoryDescription_Kind);

#ifdef __cplusplus
}
#endif

#endif
