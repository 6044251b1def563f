/* fpu.c: MXCSR on x86-64, FPCR on AArch64. A mode is the register's value with its default bits
 * inverted, so that zero is the default mode. */
#include "base/fpu.h"

#include <pthread.h>
#include <string.h>

#include "base/env.h"

#if defined(__x86_64__)
enum { DEFAULT_BITS = 0x1F80 /* all exceptions masked */, FLUSH_BITS = 0x8040 /* FTZ, DAZ */ };
#elif defined(__aarch64__)
enum { DEFAULT_BITS = 0, FLUSH_BITS = 1 << 24 | 1 << 19 /* FZ, FZ16 */ };
#else
enum { DEFAULT_BITS = 0, FLUSH_BITS = 0 };
#endif

static uint32_t read_register(void)
{
#if defined(__x86_64__)
    return __builtin_ia32_stmxcsr();
#elif defined(__aarch64__)
    uint64_t value;
    __asm__ volatile("mrs %0, fpcr" : "=r"(value));
    return (uint32_t)value;
#else
    return 0;
#endif
}

static void write_register(uint32_t value)
{
#if defined(__x86_64__)
    __builtin_ia32_ldmxcsr(value);
#elif defined(__aarch64__)
    __asm__ volatile("msr fpcr, %0" ::"r"((uint64_t)value));
#else
    (void)value;
#endif
}

static pthread_once_t once = PTHREAD_ONCE_INIT;
static uint32_t program_bits = DEFAULT_BITS;

static void initialize(void)
{
    enum { FLUSH, KEEP }; /* as in env.def */
    if (env_choice(ENV_GANTRY_DENORMALS) != KEEP)
        program_bits |= FLUSH_BITS;
}

bool fpu_flushes(void)
{
    pthread_once(&once, initialize);
    return program_bits != DEFAULT_BITS;
}

struct fpu_mode fpu_current(void)
{
    return (struct fpu_mode){read_register() ^ DEFAULT_BITS};
}

void fpu_restore(struct fpu_mode mode)
{
    write_register(mode.bits ^ DEFAULT_BITS);
}

struct fpu_mode fpu_enter(void)
{
    struct fpu_mode before = fpu_current();
    pthread_once(&once, initialize);
    write_register(program_bits);
    return before;
}
