/* mutant_threads.c: mutants of areas 20 and 21: threads and leaks. */
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

#include "conformance/mutants/mutant.h"

/* ---- Threads --------------------------------------------------------------------------------- */

static atomic_int inside;

/* Fails when another thread is in such a call. */
#define ONE_AT_A_TIME(Function)                                                                    \
    do {                                                                                           \
        bool alone = atomic_fetch_add(&inside, 1) == 0;                                            \
        usleep(200);                                                                               \
        PJRT_Error *error_ = alone ? real.PJRT_##Function(args) : mutant_error();                  \
        atomic_fetch_sub(&inside, 1);                                                              \
        return error_;                                                                             \
    } while (0)

MUTANT_OF(executions_one_at_a_time, LoadedExecutable_Execute)
{
    ONE_AT_A_TIME(LoadedExecutable_Execute);
}

MUTANT_OF(downloads_one_at_a_time, Buffer_ToHostBuffer)
{
    ONE_AT_A_TIME(Buffer_ToHostBuffer);
}

MUTANT_OF(compilations_one_at_a_time, Client_Compile)
{
    ONE_AT_A_TIME(Client_Compile);
}

MUTANT_OF(clients_one_at_a_time, Client_Create)
{
    ONE_AT_A_TIME(Client_Create);
}

MUTANT_OF(questions_one_at_a_time, Buffer_Dimensions)
{
    ONE_AT_A_TIME(Buffer_Dimensions);
}

/* The arguments of another thread are used. */
MUTANT_OF(threads_share_arguments, LoadedExecutable_Execute)
{
    static PJRT_Buffer *volatile shared;
    PJRT_Buffer *pair[] = {NULL, NULL};
    PJRT_Buffer *const *list = pair;
    if (args->num_args != 2)
        return real.PJRT_LoadedExecutable_Execute(args);
    shared = args->argument_lists[0][0];
    usleep(200);
    pair[0] = pair[1] = shared;
    args->argument_lists = &list;
    return real.PJRT_LoadedExecutable_Execute(args);
}

MUTANT_OF(deleted_buffers_are_zero, Buffer_ToHostBuffer)
{
    PJRT_Error *error = real.PJRT_Buffer_ToHostBuffer(args);
    if (error && args->dst)
        memset(args->dst, 0, args->dst_size);
    if (error)
        args->event = NULL;
    mutant_drop(error);
    return NULL;
}

MUTANT_OF(failed_executions_succeed, LoadedExecutable_Execute)
{
    mutant_drop(real.PJRT_LoadedExecutable_Execute(args));
    return NULL;
}

MUTANT_OF(short_queues, LoadedExecutable_Execute)
{
    static atomic_int calls;
    return atomic_fetch_add(&calls, 1) < 500 ? real.PJRT_LoadedExecutable_Execute(args)
                                             : mutant_error();
}

/* ---- Leaks ----------------------------------------------------------------------------------- */

/* A call that leaves memory behind. */
#define LEAKING(mutant, Function, bytes)                                                           \
    MUTANT_OF(mutant, Function)                                                                    \
    {                                                                                              \
        mutant_leak(bytes);                                                                        \
        return real.PJRT_##Function(args);                                                         \
    }

LEAKING(buffers_leak, Buffer_Destroy, 1 << 10)
LEAKING(downloads_leak, Buffer_ToHostBuffer, 1 << 10)
LEAKING(copies_leak, Buffer_CopyToMemory, 1 << 10)
LEAKING(events_leak, Buffer_ReadyEvent, 1 << 10)
LEAKING(callbacks_leak, Event_OnReady, 1 << 10)
LEAKING(deletions_leak, Buffer_Delete, 1 << 10)
LEAKING(managers_leak, AsyncHostToDeviceTransferManager_Destroy, 1 << 10)
LEAKING(executions_leak, LoadedExecutable_Execute, 1 << 10)
LEAKING(executables_leak, LoadedExecutable_Destroy, 1 << 16)
LEAKING(compilations_leak, Client_Compile, 1 << 16)
LEAKING(questions_leak, Executable_NumOutputs, 1 << 10)
LEAKING(serializations_leak, Executable_Serialize, 1 << 16)
LEAKING(contexts_leak, ExecuteContext_Destroy, 1 << 10)

MUTANT_OF(compilations_keep_files, Client_Compile)
{
    (void)!open("/dev/null", O_RDONLY);
    return real.PJRT_Client_Compile(args);
}

static void *wait_forever(void *unused)
{
    for (;;)
        pause();
    return unused;
}

MUTANT_OF(compilations_keep_threads, Client_Compile)
{
    pthread_t thread;
    pthread_create(&thread, NULL, wait_forever, NULL);
    return real.PJRT_Client_Compile(args);
}

MUTANT_OF(device_memory_leaks, Device_MemoryStats)
{
    static atomic_int calls;
    REAL(Device_MemoryStats);
    args->bytes_in_use += 64 * atomic_fetch_add(&calls, 1);
    return NULL;
}
