/* mutant_programs.c: mutants of areas 12 to 15: compilation, execution, serialization, devices. */
#include <stdatomic.h>
#include <string.h>

#include "conformance/mutants/mutant.h"

/* ---- Compilation ----------------------------------------------------------------------------- */

MUTANT_OF(no_text, Client_Compile)
{
    bool bytecode = args->program->code_size > 4 && !memcmp(args->program->code, "ML\xefR", 4);
    return bytecode ? real.PJRT_Client_Compile(args) : mutant_error();
}

MUTANT_OF(no_bytecode, Client_Compile)
{
    bool bytecode = args->program->code_size > 4 && !memcmp(args->program->code, "ML\xefR", 4);
    return bytecode ? mutant_error() : real.PJRT_Client_Compile(args);
}

MUTANT_OF(nameless_executables, Executable_Name)
{
    REAL(Executable_Name);
    args->executable_name_size = 0;
    return NULL;
}

MUTANT_OF(one_output_more, Executable_NumOutputs)
{
    REAL(Executable_NumOutputs);
    args->num_outputs++;
    return NULL;
}

MUTANT_OF(output_types_are_invalid, Executable_OutputElementTypes)
{
    static PJRT_Buffer_Type none[64];
    REAL(Executable_OutputElementTypes);
    args->output_types = none;
    return NULL;
}

MUTANT_OF(executables_are_never_deleted, LoadedExecutable_IsDeleted)
{
    REAL(LoadedExecutable_IsDeleted);
    args->is_deleted = false;
    return NULL;
}

MUTANT_OF(one_fingerprint, Executable_Fingerprint)
{
    REAL(Executable_Fingerprint);
    args->executable_fingerprint = "same";
    args->executable_fingerprint_size = 4;
    return NULL;
}

/* ---- Execution ------------------------------------------------------------------------------- */

MUTANT_OF(surplus_arguments_are_ignored, LoadedExecutable_Execute)
{
    if (args->num_args == 3)
        args->num_args = 2;
    return real.PJRT_LoadedExecutable_Execute(args);
}

MUTANT_OF(executions_without_events, LoadedExecutable_Execute)
{
    PJRT_Event **events = args->device_complete_events;
    args->device_complete_events = NULL;
    if (events)
        events[0] = NULL;
    return real.PJRT_LoadedExecutable_Execute(args);
}

MUTANT_OF(donates_everything, LoadedExecutable_Execute)
{
    args->options->num_non_donatable_input_indices = 0;
    return real.PJRT_LoadedExecutable_Execute(args);
}

MUTANT_OF(donates_nothing, LoadedExecutable_Execute)
{
    static const int64_t all[] = {0, 1, 2, 3, 4, 5, 6, 7};
    args->options->non_donatable_input_indices = all;
    args->options->num_non_donatable_input_indices = args->num_args < 8 ? args->num_args : 8;
    return real.PJRT_LoadedExecutable_Execute(args);
}

/* An execution deletes its first argument. */
MUTANT_OF(arguments_are_deleted, LoadedExecutable_Execute)
{
    REAL(LoadedExecutable_Execute);
    if (args->num_args) {
        PJRT_Buffer_Delete_Args destroy = {.struct_size = sizeof destroy,
                                           .buffer = args->argument_lists[0][0]};
        mutant_drop(real.PJRT_Buffer_Delete(&destroy));
    }
    return NULL;
}

/* ---- Serialization --------------------------------------------------------------------------- */

MUTANT_OF(serializes_to_nothing, Executable_Serialize)
{
    REAL(Executable_Serialize);
    args->serialized_bytes_size = 0;
    return NULL;
}

MUTANT_OF(serialized_bytes_without_deleter, Executable_Serialize)
{
    REAL(Executable_Serialize);
    args->serialized_executable_deleter = NULL;
    return NULL;
}

MUTANT_OF(serialized_bytes_change, Executable_Serialize)
{
    static atomic_int calls;
    REAL(Executable_Serialize);
    args->serialized_bytes_size -= (size_t)(atomic_fetch_add(&calls, 1) % 2);
    return NULL;
}

MUTANT_OF(loads_nothing, Executable_DeserializeAndLoad)
{
    (void)args;
    return mutant_error();
}

MUTANT_OF(loads_noise, Executable_DeserializeAndLoad)
{
    mutant_drop(real.PJRT_Executable_DeserializeAndLoad(args));
    return NULL;
}

/* ---- Several devices ------------------------------------------------------------------------- */

MUTANT_OF(copies_stay_on_their_device, Buffer_CopyToMemory)
{
    PJRT_Buffer_Memory_Args memory = {.struct_size = sizeof memory, .buffer = args->buffer};
    mutant_drop(real.PJRT_Buffer_Memory(&memory));
    args->dst_memory = memory.memory;
    return real.PJRT_Buffer_CopyToMemory(args);
}

MUTANT_OF(one_replica, Executable_NumReplicas)
{
    REAL(Executable_NumReplicas);
    args->num_replicas = 1;
    return NULL;
}

MUTANT_OF(one_partition, Executable_NumPartitions)
{
    REAL(Executable_NumPartitions);
    args->num_partitions = 1;
    return NULL;
}

/* The results of two devices change places. */
MUTANT_OF(results_change_places, LoadedExecutable_Execute)
{
    REAL(LoadedExecutable_Execute);
    if (args->num_devices == 2) {
        PJRT_Buffer *first = args->output_lists[0][0];
        args->output_lists[0][0] = args->output_lists[1][0];
        args->output_lists[1][0] = first;
    }
    return NULL;
}

MUTANT_OF(executables_have_one_device, LoadedExecutable_AddressableDevices)
{
    REAL(LoadedExecutable_AddressableDevices);
    args->num_addressable_devices = 1;
    return NULL;
}
