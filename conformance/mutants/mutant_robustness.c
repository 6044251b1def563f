/* mutant_robustness.c: mutants of area 19: hostile input, and the process. */
#include <fcntl.h>
#include <fenv.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "conformance/mutants/mutant.h"

/* ---- Hostile input --------------------------------------------------------------------------- */

static bool is_whole_bytecode(const PJRT_Program *program)
{
    return program->code_size > 4 && !memcmp(program->code, "ML\xefR", 4);
}

MUTANT_OF(bad_programs_crash, Client_Compile)
{
    PJRT_Error *error = real.PJRT_Client_Compile(args);
    if (error && is_whole_bytecode(args->program))
        abort();
    return error;
}

MUTANT_OF(bad_text_crashes, Client_Compile)
{
    PJRT_Error *error = real.PJRT_Client_Compile(args);
    if (error && !memcmp(args->program->format, "mlir", 4) && !is_whole_bytecode(args->program))
        abort();
    return error;
}

MUTANT_OF(bad_hlo_crashes, Client_Compile)
{
    PJRT_Error *error = real.PJRT_Client_Compile(args);
    if (error && !memcmp(args->program->format, "hlo", 3))
        abort();
    return error;
}

MUTANT_OF(short_options_crash, Client_Compile)
{
    if (args->compile_options_size < 2)
        abort();
    return real.PJRT_Client_Compile(args);
}

MUTANT_OF(bad_programs_compile, Client_Compile)
{
    PJRT_Error *error = real.PJRT_Client_Compile(args);
    if (error)
        args->executable = NULL;
    mutant_drop(error);
    return NULL;
}

MUTANT_OF(large_programs_fail, Client_Compile)
{
    return args->program->code_size > 1 << 17 ? mutant_error() : real.PJRT_Client_Compile(args);
}

/* After a failed execution, all fail. */
MUTANT_OF(failures_last, LoadedExecutable_Execute)
{
    static bool failed;
    PJRT_Error *error = failed ? mutant_error() : real.PJRT_LoadedExecutable_Execute(args);
    failed |= error != NULL;
    return error;
}

/* ---- The process ----------------------------------------------------------------------------- */

static void hang(void)
{
    for (;;)
        pause();
}

MUTANT_OF(children_hang, Client_Create)
{
    pthread_atfork(NULL, NULL, hang);
    return real.PJRT_Client_Create(args);
}

static void fail_at_exit(void)
{
    _exit(1);
}

MUTANT_OF(exit_fails, Client_Create)
{
    atexit(fail_at_exit);
    return real.PJRT_Client_Create(args);
}

MUTANT_OF(signals_interrupt, LoadedExecutable_Execute)
{
    return usleep(5000) ? mutant_error() : real.PJRT_LoadedExecutable_Execute(args);
}

MUTANT_OF(clients_take_signals, Client_Create)
{
    signal(SIGUSR2, SIG_IGN);
    return real.PJRT_Client_Create(args);
}

MUTANT_OF(executions_round_upward, LoadedExecutable_Execute)
{
    fesetround(FE_UPWARD);
    return real.PJRT_LoadedExecutable_Execute(args);
}

MUTANT_OF(clients_set_variables, Client_Create)
{
    setenv("MUTANT_WAS_HERE", "1", 1);
    return real.PJRT_Client_Create(args);
}

MUTANT_OF(compilations_write, Client_Compile)
{
    (void)!write(1, "compiling\n", 10);
    return real.PJRT_Client_Compile(args);
}

MUTANT_OF(clients_need_a_home, Client_Create)
{
    const char *home = getenv("HOME");
    return home && access(home, R_OK) ? mutant_error() : real.PJRT_Client_Create(args);
}

MUTANT_OF(executions_need_files, LoadedExecutable_Execute)
{
    int file = open("/dev/null", O_RDONLY);
    if (file < 0)
        return mutant_error();
    close(file);
    return real.PJRT_LoadedExecutable_Execute(args);
}

static void *nothing(void *unused)
{
    return unused;
}

MUTANT_OF(executions_need_threads, LoadedExecutable_Execute)
{
    pthread_t thread;
    if (pthread_create(&thread, NULL, nothing, NULL))
        abort();
    pthread_join(thread, NULL);
    return real.PJRT_LoadedExecutable_Execute(args);
}
