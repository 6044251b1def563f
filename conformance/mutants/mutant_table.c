/* mutant_table.c: mutants of area 2: the table and the list of extensions. */
#include <string.h>

#include "conformance/mutants/mutant.h"

static PJRT_Api *shown; /* the table that clients have */

/* ---- Version and size ------------------------------------------------------------------------ */

void mutant_major_one(PJRT_Api *api)
{
    api->pjrt_api_version.major_version = 1;
}

void mutant_sizeless_version(PJRT_Api *api)
{
    api->pjrt_api_version.struct_size = 8;
}

void mutant_short_table(PJRT_Api *api)
{
    api->struct_size -= sizeof(void *);
}

void mutant_ancient_version(PJRT_Api *api)
{
    api->pjrt_api_version.minor_version = 30;
}

static PJRT_Error *initialize_and_change(PJRT_Plugin_Initialize_Args *args)
{
    shown->PJRT_Plugin_Initialize = real.PJRT_Plugin_Initialize;
    return real.PJRT_Plugin_Initialize(args);
}

void mutant_table_changes(PJRT_Api *api)
{
    shown = api;
    api->PJRT_Plugin_Initialize = initialize_and_change;
}

static PJRT_Error *create_and_change(PJRT_Client_Create_Args *args)
{
    shown->PJRT_Client_Create = real.PJRT_Client_Create;
    return real.PJRT_Client_Create(args);
}

void mutant_table_changes_with_clients(PJRT_Api *api)
{
    shown = api;
    api->PJRT_Client_Create = create_and_change;
}

/* ---- Functions ------------------------------------------------------------------------------- */

void mutant_null_function(PJRT_Api *api)
{
    api->PJRT_Buffer_IsOnCpu = NULL;
}

void mutant_function_is_data(PJRT_Api *api)
{
    memcpy(&api->PJRT_Buffer_IsOnCpu, &(void *){api}, sizeof(void *));
}

void mutant_no_error_codes(PJRT_Api *api)
{
    api->PJRT_Error_GetCode = NULL;
}

/* ---- Extensions ------------------------------------------------------------------------------ */

static PJRT_Extension_Base extra = {sizeof extra, (PJRT_Extension_Type)900, NULL};
static PJRT_Extension_Base second;

void mutant_endless_extensions(PJRT_Api *api)
{
    extra.next = &extra;
    api->extension_start = &extra;
}

void mutant_sizeless_extension(PJRT_Api *api)
{
    extra = (PJRT_Extension_Base){0, (PJRT_Extension_Type)900, api->extension_start};
    api->extension_start = &extra;
}

void mutant_extension_twice(PJRT_Api *api)
{
    second = (PJRT_Extension_Base){sizeof second, (PJRT_Extension_Type)900, api->extension_start};
    extra.next = &second;
    api->extension_start = &extra;
}

static PJRT_Error *initialize_and_extend(PJRT_Plugin_Initialize_Args *args)
{
    extra.next = real.extension_start;
    shown->extension_start = &extra;
    return real.PJRT_Plugin_Initialize(args);
}

void mutant_extensions_change(PJRT_Api *api)
{
    shown = api;
    api->PJRT_Plugin_Initialize = initialize_and_extend;
}
