/* mutant_sizes.c: mutants of area 3: arguments of other lengths. */
#include <string.h>

#include "conformance/mutants/mutant.h"

static bool is_longer(size_t struct_size, size_t known)
{
    return struct_size > known;
}

MUTANT_OF(refuses_newer_initialize, Plugin_Initialize)
{
    if (is_longer(args->struct_size, sizeof *args))
        return mutant_error();
    return real.PJRT_Plugin_Initialize(args);
}

MUTANT_OF(refuses_newer_create, Client_Create)
{
    if (is_longer(args->struct_size, sizeof *args))
        return mutant_error();
    return real.PJRT_Client_Create(args);
}

MUTANT_OF(refuses_newer_questions, Client_LookupDevice)
{
    if (is_longer(args->struct_size, sizeof *args))
        return mutant_error();
    return real.PJRT_Client_LookupDevice(args);
}

MUTANT_OF(writes_newer_fields, Client_Devices)
{
    if (is_longer(args->struct_size, sizeof *args))
        memset(args + 1, 0, args->struct_size - sizeof *args);
    return real.PJRT_Client_Devices(args);
}

MUTANT_OF(reads_newer_fields, Client_Create)
{
    if (is_longer(args->struct_size, sizeof *args) && *(const char *)(args + 1))
        return mutant_error();
    return real.PJRT_Client_Create(args);
}

MUTANT_OF(refuses_unknown_extensions, Client_Create)
{
    return args->extension_start ? mutant_error() : real.PJRT_Client_Create(args);
}

MUTANT_OF(fills_older_create, Client_Create)
{
    REAL(Client_Create);
    if (args->struct_size < sizeof *args)
        ((char *)args)[args->struct_size] = 0;
    return NULL;
}

MUTANT_OF(ignores_struct_size, Client_PlatformName)
{
    PJRT_Client_PlatformName_Args whole = {.struct_size = sizeof whole, .client = args->client};
    PJRT_Error *error = real.PJRT_Client_PlatformName(&whole);
    args->platform_name = whole.platform_name;
    args->platform_name_size = whole.platform_name_size;
    return error;
}

MUTANT_OF(follows_extensions, Client_Devices)
{
    const PJRT_Extension_Base *start = args->extension_start;
    if (start && start->struct_size == 1)
        return mutant_error();
    return real.PJRT_Client_Devices(args);
}

MUTANT_OF(calls_back, Client_Create)
{
    if (args->struct_size >= sizeof *args && args->kv_get_callback) {
        PJRT_KeyValueGetCallback_Args get = {.struct_size = sizeof get};
        args->kv_get_callback(&get);
    }
    return real.PJRT_Client_Create(args);
}

MUTANT_OF(leaves_results, Device_MemoryStats)
{
    unsigned char before[sizeof(bool)];
    memcpy(before, &args->pool_bytes_is_set, sizeof before);
    REAL(Device_MemoryStats);
    memcpy(&args->pool_bytes_is_set, before, sizeof before);
    return NULL;
}
