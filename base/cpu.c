/* cpu.c: reads features with CPUID and XGETBV, and core counts from the kernel's masks and
 * quotas. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* sched_getaffinity with CPU_ALLOC */
#endif
#include "base/cpu.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cgroup.h"
#include "base/env.h"
#include "base/fpu.h"
#include "base/log.h"

#if defined(__x86_64__)
#include <cpuid.h>
#include <sys/syscall.h>
#endif

/* Every feature of struct cpu_features, with LLVM's names, in the order of their bits. */
#define FEATURES(F)                                                                                \
    F(avx2, "avx2")                                                                                \
    F(fma, "fma")                                                                                  \
    F(f16c, "f16c")                                                                                \
    F(bmi2, "bmi2")                                                                                \
    F(avx512, "avx512f,avx512cd,avx512bw,avx512dq,avx512vl")                                       \
    F(avx512_bf16, "avx512bf16")                                                                   \
    F(avx512_fp16, "avx512fp16")                                                                   \
    F(avx512_vnni, "avx512vnni")                                                                   \
    F(avx512_vbmi, "avx512vbmi")                                                                   \
    F(avx_vnni, "avxvnni")                                                                         \
    F(amx_tile, "amx-tile")                                                                        \
    F(amx_bf16, "amx-bf16")                                                                        \
    F(amx_int8, "amx-int8")

static struct {
    struct cpu_features features;
    char names[256];
    uint64_t bits; /* in the order of FEATURES */
    bool narrowed;
} cpu;
static pthread_once_t cpu_once = PTHREAD_ONCE_INIT;

/* ---- the least processor --------------------------------------------------------------------- */
bool cpu_lacks(uint32_t ecx, char *out, size_t size)
{
    static const struct {
        int bit;
        const char *name;
    } needed[] = {{0, "sse3"}, {9, "ssse3"}, {19, "sse4.1"}, {20, "sse4.2"}, {23, "popcnt"}};
    size_t used = 0;
    out[0] = '\0';
    for (size_t i = 0; i < sizeof needed / sizeof *needed; i++) {
        if (ecx >> needed[i].bit & 1 || used >= size)
            continue;
        int length = snprintf(out + used, size - used, "%s%s", used ? "," : "", needed[i].name);
        used += (size_t)length;
    }
    return used > 0;
}

struct error *cpu_check(void)
{
    uint32_t ecx = 0;
    char lacks[160];
#if defined(__x86_64__)
    uint32_t a, b, d;
    if (!__get_cpuid(1, &a, &b, &ecx, &d))
        ecx = 0;
#endif
    if (!cpu_lacks(ecx, lacks, sizeof lacks))
        return NULL;
    return ERROR(UNIMPLEMENTED,
                 "this processor lacks %s: Gantry needs an x86-64-v2 processor (built since about "
                 "2009); a virtual machine may hide features of its host",
                 lacks);
}

/* ---- features -------------------------------------------------------------------------------- */
#if defined(__x86_64__)
/* The register files that the system saves: XCR0. */
static uint64_t saved_state(void)
{
    uint32_t low, high;
    __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    return (uint64_t)high << 32 | low;
}

/* Tile registers need the kernel's permission, once per process (arch_prctl
 * ARCH_REQ_XCOMP_PERM). */
static bool amx_allowed(void)
{
    enum { REQUEST_PERMISSION = 0x1023, TILE_DATA = 18 };
    return syscall(SYS_arch_prctl, REQUEST_PERMISSION, TILE_DATA) == 0;
}

static bool bit(uint32_t word, int n)
{
    return word >> n & 1;
}

static void detect(struct cpu_features *f)
{
    uint32_t a, b, c, d;
    enum { YMM = 0x6, ZMM = 0xE6, TILES = 0x60000 };
    if (!__get_cpuid(1, &a, &b, &c, &d) || !bit(c, 27) || !bit(c, 28))
        return; /* no XGETBV or no AVX */
    uint64_t state = saved_state();
    if ((state & YMM) != YMM)
        return;
    f->fma = bit(c, 12);
    f->f16c = bit(c, 29);
    if (!__get_cpuid_count(7, 0, &a, &b, &c, &d))
        return;
    f->avx2 = bit(b, 5);
    f->bmi2 = bit(b, 8);
    uint32_t b7 = b, c7 = c, d7 = d;
    if (!a || !__get_cpuid_count(7, 1, &a, &b, &c, &d))
        a = 0;
    f->avx_vnni = bit(a, 4);
    if ((state & ZMM) == ZMM && bit(b7, 16) && bit(b7, 17) && bit(b7, 28) && bit(b7, 30) &&
        bit(b7, 31)) {
        f->avx512 = true;
        f->avx512_vbmi = bit(c7, 1);
        f->avx512_vnni = bit(c7, 11);
        f->avx512_fp16 = bit(d7, 23);
        f->avx512_bf16 = bit(a, 5);
    }
    if ((state & TILES) == TILES && bit(d7, 24)) {
        f->amx_tile = true;
        f->amx_bf16 = bit(d7, 22);
        f->amx_int8 = bit(d7, 25);
    }
}

void cpu_name(char *out, size_t size)
{
    unsigned text[13] = {0};
    for (unsigned i = 0; i < 3; i++)
        if (!__get_cpuid(0x80000002 + i, text + 4 * i, text + 4 * i + 1, text + 4 * i + 2,
                         text + 4 * i + 3))
            break;
    const char *name = (const char *)text;
    name += strspn(name, " ");
    snprintf(out, size, "%s", name);
    for (char *end = out + strlen(out); end > out && end[-1] == ' ';)
        *--end = '\0';
}
#else
void cpu_name(char *out, size_t size)
{
    snprintf(out, size, "%s", "");
}

static bool amx_allowed(void)
{
    return false;
}

static void detect(struct cpu_features *f)
{
    (void)f;
}
#endif

/* The values of GANTRY_ISA as in env.def. Each includes the features of those before it; the first
 * is equivalent to the last. */
enum isa_limit {
    ISA_HOST,
    ISA_BASELINE,
    ISA_AVX2,
    ISA_AVX512,
    ISA_AVX512_BF16,
    ISA_AVX512_FP16,
    ISA_AMX
};

static enum isa_limit isa_allowed(void)
{
    int choice = env_choice(ENV_GANTRY_ISA);
    return choice > ISA_HOST ? (enum isa_limit)choice : ISA_AMX;
}

static void narrow(struct cpu_features *f, enum isa_limit max_isa)
{
    if (max_isa < ISA_AVX2 || !f->avx2 || !f->fma)
        *f = (struct cpu_features){0};
    if (max_isa < ISA_AVX512)
        f->avx512 = f->avx_vnni = false;
    if (max_isa < ISA_AVX512_BF16 || !f->avx512)
        f->avx512_bf16 = f->avx512_vnni = f->avx512_vbmi = false;
    if (max_isa < ISA_AVX512_FP16 || !f->avx512)
        f->avx512_fp16 = false;
    if (max_isa < ISA_AMX || !f->avx512 || (f->amx_tile && !amx_allowed()))
        f->amx_tile = f->amx_bf16 = f->amx_int8 = false;
}

static uint64_t bits_of(const struct cpu_features *f)
{
    uint64_t bits = 0;
    int next = 0;
#define ADD(field, name) bits |= (uint64_t)f->field << next++;
    FEATURES(ADD)
#undef ADD
    return bits;
}

static uint64_t narrowed(uint64_t bits, enum isa_limit max_isa)
{
    struct cpu_features f;
    int next = 0;
#define READ(field, name) f.field = bits >> next++ & 1;
    FEATURES(READ)
#undef READ
    narrow(&f, max_isa);
    return bits_of(&f);
}

static bool are_equal(const uint64_t *bits, int count, enum isa_limit max_isa)
{
    for (int i = 1; i < count; i++)
        if (narrowed(bits[i], max_isa) != narrowed(bits[0], max_isa))
            return false;
    return true;
}

const char *cpu_common_isa(const uint64_t *bits, int count)
{
    static const char *const values[] = {"",       "baseline",    "avx2",
                                         "avx512", "avx512_bf16", "avx512_fp16"};
    enum isa_limit limit = ISA_AVX512_FP16;
    while (limit > ISA_BASELINE && !are_equal(bits, count, limit))
        limit--;
    return values[limit];
}

void cpu_names_of(uint64_t bits, char *out, size_t size)
{
    static const char *const names[] = {
#define NAME(field, name) name,
        FEATURES(NAME)
#undef NAME
    };
    out[0] = 0;
    for (size_t i = 0, at = 0; i < sizeof names / sizeof *names; i++)
        if (bits >> i & 1 && at + strlen(names[i]) + 2 <= size)
            at += (size_t)snprintf(out + at, size - at, "%s%s", at ? "," : "", names[i]);
}

static void cpu_initialize(void)
{
    struct cpu_features host = {0};
    detect(&host);
    cpu.features = host;
    narrow(&host, ISA_AMX);
    narrow(&cpu.features, isa_allowed());
    cpu.bits = bits_of(&cpu.features);
    cpu.narrowed = cpu.bits != bits_of(&host);
    cpu_names_of(cpu.bits, cpu.names, sizeof cpu.names);
}

const struct cpu_features *cpu_features(void)
{
    pthread_once(&cpu_once, cpu_initialize);
    return &cpu.features;
}

bool cpu_is_narrowed(void)
{
    cpu_features();
    return cpu.narrowed;
}

int cpu_vector_bytes(void)
{
    const struct cpu_features *f = cpu_features();
    return f->avx512 ? 64 : f->avx2 ? 32 : 16;
}

const char *cpu_feature_names(void)
{
    cpu_features();
    return cpu.names;
}

uint64_t cpu_feature_bits(void)
{
    cpu_features();
    return cpu.bits;
}

/* Spread over 64 bits (multiplication by the golden ratio), so that digests can be mixed by xor. */
uint64_t cpu_feature_digest(void)
{
    uint64_t state = cpu_feature_bits() << 1 | fpu_flushes();
    return (state + 1) * 0x9E3779B97F4A7C15ULL;
}

/* Number of bits in this process's CPU mask; the buffer grows until the kernel's mask fits. */
static int cores_in_cpu_set(void)
{
    for (int cpus = 1024; cpus <= 1 << 20; cpus *= 2) {
        cpu_set_t *set = CPU_ALLOC(cpus);
        if (!set)
            break;
        size_t size = CPU_ALLOC_SIZE(cpus);
        int count = sched_getaffinity(0, size, set) == 0 ? CPU_COUNT_S(size, set) : 0;
        CPU_FREE(set);
        if (count > 0)
            return count;
    }
    long online = sysconf(_SC_NPROCESSORS_ONLN);
    return online > 0 ? (int)online : 1;
}

/* Cores that one control group's quota grants, rounded up. */
static bool quota_of_group(const char *folder, int64_t *cores)
{
    char quota[32], period[32], rest[32];
    if (!cgroup_words(folder, "cpu.max", quota, period) &&         /* version 2: "max 100000" */
        !(cgroup_words(folder, "cpu.cfs_quota_us", quota, rest) && /* version 1 */
          cgroup_words(folder, "cpu.cfs_period_us", period, rest)))
        return false;
    long long allowed = atoll(quota), each = atoll(period);
    if (allowed <= 0 || each <= 0)
        return false;
    *cores = (allowed + each - 1) / each;
    return true;
}

int cpu_narrow_cores(int cores)
{
    int64_t quota = cgroup_lowest_limit("cpu", quota_of_group);
    if (quota > 0 && quota < cores)
        cores = (int)quota;
    int64_t wanted = env_int(ENV_GANTRY_THREADS, 0);
    if (wanted > 0 && wanted < cores)
        cores = (int)wanted;
    return cores > 1 ? cores : 1;
}

int cpu_usable_cores(void)
{
    static atomic_int known; /* the same in all threads, so a race only repeats the work */
    int cores = atomic_load_explicit(&known, memory_order_relaxed);
    if (cores)
        return cores;
    cores = cpu_narrow_cores(cores_in_cpu_set());
    atomic_store_explicit(&known, cores, memory_order_relaxed);
    return cores;
}

/* Bytes of the cache of level 3 that this core reaches, 0 if unknown. sysconf() adds up those of
 * all groups of cores. Intel's manual, CPUID leaf 4; AMD's, 8000001DH, has the same format. */
static size_t third_level_bytes(void)
{
#if defined(__x86_64__)
    const unsigned leaves[] = {4, 0x8000001d};
    for (int i = 0; i < 2; i++) {
        unsigned a, b, c, d;
        for (unsigned n = 0; __get_cpuid_count(leaves[i], n, &a, &b, &c, &d) && a & 31; n++)
            if ((a >> 5 & 7) == 3)
                return ((size_t)(b >> 22) + 1) * ((b >> 12 & 1023) + 1) * ((b & 4095) + 1) *
                       ((size_t)c + 1);
    }
#endif
    return 0;
}

size_t cpu_cache_bytes(int level)
{
    long first = sysconf(_SC_LEVEL1_DCACHE_SIZE), second = sysconf(_SC_LEVEL2_CACHE_SIZE);
    if (first <= 0)
        first = 32L << 10;
    if (second <= 0)
        second = 1L << 20;
    if (level <= 2)
        return (size_t)(level <= 1 ? first : second);
    size_t third = third_level_bytes();
    return third > (size_t)second ? third : (size_t)second;
}
