/* mutant_errors.c: mutants of area 4: errors. */
#include <stdatomic.h>
#include <string.h>

#include "conformance/mutants/mutant.h"

MUTANT_OF(errors_are_ok, Error_GetCode)
{
    REAL(Error_GetCode);
    args->code = (PJRT_Error_Code)0;
    return NULL;
}

MUTANT_OF(errors_are_internal, Error_GetCode)
{
    REAL(Error_GetCode);
    args->code = PJRT_Error_Code_INTERNAL;
    return NULL;
}

MUTANT_OF(payloads_without_keys, Error_ForEachPayload)
{
    args->visitor("", 0, "", 0, args->user_arg);
    return NULL;
}

MUTANT_OF(payloads_twice, Error_ForEachPayload)
{
    args->visitor("key", 3, "", 0, args->user_arg);
    args->visitor("key", 3, "", 0, args->user_arg);
    return NULL;
}

MUTANT_OF(no_payloads, Error_ForEachPayload)
{
    (void)args;
    return mutant_error();
}

/* PJRT_Error_Message and PJRT_Error_Destroy return nothing. */
#define MUTANT_OF_VOID(mutant, Function)                                                           \
    static void call_##mutant(PJRT_##Function##_Args *args);                                       \
    void mutant_##mutant(PJRT_Api *api)                                                            \
    {                                                                                              \
        api->PJRT_##Function = call_##mutant;                                                      \
    }                                                                                              \
    static void call_##mutant(PJRT_##Function##_Args *args)

MUTANT_OF_VOID(no_messages, Error_Message)
{
    args->message = "";
    args->message_size = 0;
}

MUTANT_OF_VOID(messages_with_nul, Error_Message)
{
    args->message = "abc";
    args->message_size = 4;
}

MUTANT_OF_VOID(messages_with_bells, Error_Message)
{
    args->message = "123456789\a";
    args->message_size = 10;
}

MUTANT_OF_VOID(vague_messages, Error_Message)
{
    args->message = "something went wrong";
    args->message_size = strlen(args->message);
}

/* A new copy in each call. */
MUTANT_OF_VOID(messages_move, Error_Message)
{
    static _Thread_local char copies[2][4096];
    static _Thread_local int next;
    real.PJRT_Error_Message(args);
    char *copy = copies[next++ % 2];
    if (args->message_size > sizeof *copies)
        args->message_size = sizeof *copies;
    args->message = memcpy(copy, args->message, args->message_size);
}

MUTANT_OF_VOID(follows_null_errors, Error_Destroy)
{
    if (!*(volatile const char *)args->error)
        return;
    real.PJRT_Error_Destroy(args);
}

MUTANT_OF_VOID(keeps_errors, Error_Destroy)
{
    mutant_leak(256);
    real.PJRT_Error_Destroy(args);
}

/* All errors are one: the last one's address. */
static PJRT_Error *_Atomic last;

static PJRT_Error *lookup_with_one_error(PJRT_Client_LookupDevice_Args *args)
{
    PJRT_Error *error = real.PJRT_Client_LookupDevice(args), *none = NULL;
    if (!error || atomic_compare_exchange_strong(&last, &none, error))
        return error;
    PJRT_Error_Destroy_Args destroy = {.struct_size = sizeof destroy, .error = error};
    real.PJRT_Error_Destroy(&destroy);
    return last;
}

static void keep_the_one_error(PJRT_Error_Destroy_Args *args)
{
    if (args->error != last)
        real.PJRT_Error_Destroy(args);
}

void mutant_one_error(PJRT_Api *api)
{
    api->PJRT_Client_LookupDevice = lookup_with_one_error;
    api->PJRT_Error_Destroy = keep_the_one_error;
}

MUTANT_OF(follows_null_clients, Client_PlatformName)
{
    if (args->struct_size >= sizeof *args && *(volatile const char *)args->client == 'x')
        return mutant_error();
    return real.PJRT_Client_PlatformName(args);
}

MUTANT_OF(follows_null_devices, Device_GetDescription)
{
    if (args->struct_size >= sizeof *args && *(volatile const char *)args->device == 'x')
        return mutant_error();
    return real.PJRT_Device_GetDescription(args);
}

static bool gone; /* after the first failed lookup */

static PJRT_Error *lookup_and_break(PJRT_Client_LookupDevice_Args *args)
{
    PJRT_Error *error = real.PJRT_Client_LookupDevice(args);
    gone |= error != NULL;
    return error;
}

static PJRT_Error *list_unless_broken(PJRT_Client_AddressableDevices_Args *args)
{
    return gone ? mutant_error() : real.PJRT_Client_AddressableDevices(args);
}

void mutant_errors_break_clients(PJRT_Api *api)
{
    api->PJRT_Client_LookupDevice = lookup_and_break;
    api->PJRT_Client_AddressableDevices = list_unless_broken;
}

/* ---- Functions of an error ------------------------------------------------------------------- */

static PJRT_Error_Code internal_code(const PJRT_Error *error)
{
    (void)error;
    return PJRT_Error_Code_INTERNAL;
}

static void (*real_destroy)(PJRT_Error *error);

static void destroy_and_leak(PJRT_Error *error)
{
    mutant_leak(256);
    real_destroy(error);
}

/* The error with functions of which one may be replaced. */
static PJRT_Error *with_functions(PJRT_Error *error,
                                  PJRT_Error_Code (*get_code)(const PJRT_Error *error),
                                  void (*destroy)(PJRT_Error *error))
{
    static PJRT_Error_FunctionTable functions;
    if (!error)
        return NULL;
    functions = *error->vtable;
    real_destroy = functions.destroy;
    functions.get_code = get_code ? get_code : functions.get_code;
    functions.destroy = destroy ? destroy : functions.destroy;
    error->vtable = &functions;
    return error;
}

MUTANT_OF(functions_of_errors_differ, Client_LookupDevice)
{
    return with_functions(real.PJRT_Client_LookupDevice(args), internal_code, NULL);
}

MUTANT_OF(functions_keep_errors, Client_LookupDevice)
{
    return with_functions(real.PJRT_Client_LookupDevice(args), NULL, destroy_and_leak);
}
