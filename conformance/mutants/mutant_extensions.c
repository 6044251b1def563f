/* mutant_extensions.c: mutants of area 17: each puts a changed copy of an extension in front. */
#include <stdatomic.h>
#include <string.h>

#include "conformance/mutants/mutant.h"
#include "pjrt_c_api_ffi_extension.h"
#include "pjrt_c_api_layouts_extension.h"
#include "pjrt_c_api_memory_descriptions_extension.h"
#include "pjrt_c_api_profiler_extension.h"

static PJRT_Layouts_Extension layouts, real_layouts;
static PJRT_FFI_Extension ffi, real_ffi;
static PJRT_MemoryDescriptions_Extension memories, real_memories;
static PJRT_Profiler_Extension profiler;

/* Copies the extension of that type, and puts the copy in front of the list. */
static void put_in_front(PJRT_Api *api, PJRT_Extension_Type type, void *copy, void *original,
                         size_t size)
{
    const PJRT_Extension_Base *at = api->extension_start;
    while (at && at->type != type)
        at = at->next;
    if (!at || at->struct_size < size)
        return;
    memcpy(original, at, size);
    memcpy(copy, at, size);
    ((PJRT_Extension_Base *)copy)->next = api->extension_start;
    api->extension_start = copy;
}

#define PUT_LAYOUTS(api)                                                                           \
    put_in_front(api, PJRT_Extension_Type_Layouts, &layouts, &real_layouts, sizeof layouts)
#define PUT_FFI(api) put_in_front(api, PJRT_Extension_Type_FFI, &ffi, &real_ffi, sizeof ffi)
#define PUT_MEMORIES(api)                                                                          \
    put_in_front(api, PJRT_Extension_Type_MemoryDescriptions, &memories, &real_memories,           \
                 sizeof memories)

/* ---- Layouts --------------------------------------------------------------------------------- */

void mutant_null_extension_function(PJRT_Api *api)
{
    PUT_LAYOUTS(api);
    layouts.PJRT_Layouts_MemoryLayout_Serialize = NULL;
}

static PJRT_Error *serialize_without_braces(PJRT_Layouts_MemoryLayout_Serialize_Args *args)
{
    PJRT_Error *error = real_layouts.PJRT_Layouts_MemoryLayout_Serialize(args);
    if (!error)
        args->serialized_bytes++, args->serialized_bytes_size--;
    return error;
}

void mutant_layouts_without_braces(PJRT_Api *api)
{
    PUT_LAYOUTS(api);
    layouts.PJRT_Layouts_MemoryLayout_Serialize = serialize_without_braces;
}

static PJRT_Error *serialize_shorter(PJRT_Layouts_MemoryLayout_Serialize_Args *args)
{
    static atomic_int calls;
    PJRT_Error *error = real_layouts.PJRT_Layouts_MemoryLayout_Serialize(args);
    if (!error)
        args->serialized_bytes_size -= (size_t)(atomic_fetch_add(&calls, 1) % 2);
    return error;
}

void mutant_layouts_change(PJRT_Api *api)
{
    PUT_LAYOUTS(api);
    layouts.PJRT_Layouts_MemoryLayout_Serialize = serialize_shorter;
}

static PJRT_Error *fewer_layouts(PJRT_Layouts_PJRT_Executable_GetOutputLayouts_Args *args)
{
    PJRT_Error *error = real_layouts.PJRT_Layouts_PJRT_Executable_GetOutputLayouts(args);
    if (!error)
        args->num_outputs--;
    return error;
}

void mutant_fewer_output_layouts(PJRT_Api *api)
{
    PUT_LAYOUTS(api);
    layouts.PJRT_Layouts_PJRT_Executable_GetOutputLayouts = fewer_layouts;
}

/* ---- Custom calls ---------------------------------------------------------------------------- */

static PJRT_Error *register_as_seven(PJRT_FFI_Type_Register_Args *args)
{
    args->type_id = 7;
    return NULL;
}

void mutant_equal_type_ids(PJRT_Api *api)
{
    PUT_FFI(api);
    ffi.type_register = register_as_seven;
}

static void (*last_deleter)(void *data); /* of the type that was registered last */

static PJRT_Error *register_and_remember(PJRT_FFI_Type_Register_Args *args)
{
    last_deleter = args->type_info ? args->type_info->deleter : NULL;
    return real_ffi.type_register(args);
}

static PJRT_Error *add_and_delete(PJRT_FFI_UserData_Add_Args *args)
{
    PJRT_Error *error = real_ffi.user_data_add(args);
    if (!error && last_deleter)
        last_deleter(args->user_data.data);
    return error;
}

void mutant_user_data_goes_early(PJRT_Api *api)
{
    PUT_FFI(api);
    ffi.type_register = register_and_remember;
    ffi.user_data_add = add_and_delete;
}

/* ---- Profiler and memories ------------------------------------------------------------------- */

void mutant_no_profiler(PJRT_Api *api)
{
    PJRT_Profiler_Extension original;
    put_in_front(api, PJRT_Extension_Type_Profiler, &profiler, &original, sizeof profiler);
    profiler.profiler_api = NULL;
}

static PJRT_Error *describe_with_wrong_default(PJRT_DeviceDescription_MemoryDescriptions_Args *args)
{
    PJRT_Error *error = real_memories.PJRT_DeviceDescription_MemoryDescriptions(args);
    args->default_memory_index = args->num_memory_descriptions;
    return error;
}

void mutant_default_memory_outside(PJRT_Api *api)
{
    PUT_MEMORIES(api);
    memories.PJRT_DeviceDescription_MemoryDescriptions = describe_with_wrong_default;
}

static PJRT_Error *other_kind(PJRT_MemoryDescription_Kind_Args *args)
{
    args->kind = "other";
    args->kind_size = 5;
    return NULL;
}

void mutant_memories_of_other_kinds(PJRT_Api *api)
{
    PUT_MEMORIES(api);
    memories.PJRT_MemoryDescription_Kind = other_kind;
}
