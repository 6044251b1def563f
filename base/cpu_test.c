#include <criterion/criterion.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cgroup.h"
#include "base/cpu.h"

Test(cpu, features_are_consistent)
{
    const struct cpu_features *f = cpu_features();
    int vector = cpu_vector_bytes();
    cr_assert(vector == 16 || vector == 32 || vector == 64);
    cr_assert(!f->avx512 || f->avx2);
    cr_assert(!f->avx512_bf16 || f->avx512);
    cr_assert(!f->amx_bf16 || f->amx_tile);
    cr_assert_eq(f->avx2, strstr(cpu_feature_names(), "avx2") != NULL);
    cr_assert_neq(cpu_feature_digest(), 0);
}

Test(cpu, the_least_is_x86_64_v2)
{
    char names[160], few[6];
    cr_expect_not(cpu_lacks(UINT32_MAX, names, sizeof names));
    cr_expect(cpu_lacks(0, names, sizeof names));
    cr_expect_str_eq(names, "sse3,ssse3,sse4.1,sse4.2,popcnt");
    cr_expect(cpu_lacks(UINT32_MAX & ~(1U << 23), names, sizeof names));
    cr_expect_str_eq(names, "popcnt");
    cr_expect(cpu_lacks(0, few, sizeof few));
    struct error *error = cpu_check();
    cr_expect_eq(!error, __builtin_cpu_supports("sse4.2") && __builtin_cpu_supports("popcnt"));
    error_free(error);
}

Test(cpu, isa_narrows)
{
    setenv("GANTRY_ISA", "avx2", 1);
    const struct cpu_features *f = cpu_features();
    cr_assert_not(f->avx512 || f->amx_tile || f->avx512_vnni);
    cr_assert_leq(cpu_vector_bytes(), 32);
}

Test(cpu, isa_avx512_is_without_bf16_and_f16)
{
    setenv("GANTRY_ISA", "avx512", 1);
    const struct cpu_features *f = cpu_features();
    cr_assert_not(f->avx512_bf16 || f->avx512_fp16 || f->avx512_vnni || f->amx_tile);
}

Test(cpu, isa_avx512_bf16_is_without_f16)
{
    setenv("GANTRY_ISA", "avx512_bf16", 1);
    const struct cpu_features *f = cpu_features();
    cr_assert_not(f->avx512_fp16 || f->amx_tile || f->amx_bf16);
}

Test(cpu, unknown_isa_narrows_nothing)
{
    setenv("GANTRY_ISA", "avx1024", 1);
    cr_assert_not(cpu_is_narrowed());
}

Test(cpu, narrowing_is_known)
{
    setenv("GANTRY_ISA", "baseline", 1);
    bool has_avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    cr_assert_eq(cpu_is_narrowed(), has_avx2);
    cr_assert_eq(cpu_feature_bits(), 0);
}

Test(cpu, sets_have_names)
{
    char names[160], few[8];
    cpu_names_of(cpu_feature_bits(), names, sizeof names);
    cr_assert_str_eq(names, cpu_feature_names());
    cpu_names_of(~(uint64_t)0, names, sizeof names);
    cr_assert(strstr(names, "avx2,fma") == names && strstr(names, "amx-int8"));
    cpu_names_of(~(uint64_t)0, few, sizeof few);
    cr_assert_str_eq(few, "avx2");
}

/* Bits as in cpu.c: 4 of AVX2, AVX-512, its bf16, fp16, vnni and vbmi, avx-vnni, 3 of AMX. */
Test(cpu, common_isa_gives_equal_features)
{
    enum { HASWELL = 0xf, SKYLAKE = 0x1f, COOPER = 0x1bf, ZEN4 = 0x1bf, SAPPHIRE = 0x1fff };
    static const struct {
        uint64_t bits[3];
        const char *isa;
    } cases[] = {{{HASWELL, SKYLAKE, SAPPHIRE}, "avx2"},
                 {{SKYLAKE, SKYLAKE, ZEN4}, "avx512"},
                 {{COOPER, ZEN4, COOPER}, "avx512_fp16"},
                 {{SAPPHIRE, HASWELL, 0}, "baseline"},
                 {{HASWELL | 0x200, HASWELL, HASWELL}, "avx2"},
                 {{SAPPHIRE, SAPPHIRE & ~0x200, SKYLAKE}, "avx2"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        cr_expect_str_eq(cpu_common_isa(cases[i].bits, 3), cases[i].isa, "case %zu", i);
}

Test(cpu, isa_baseline_is_nothing)
{
    uint64_t digest;
    setenv("GANTRY_ISA", "baseline", 1);
    digest = cpu_feature_digest();
    cr_assert_neq(digest, 0);
    cr_assert_eq(cpu_vector_bytes(), 16);
    cr_assert_str_empty(cpu_feature_names());
}

Test(cpu, cores_are_bounded)
{
    long online = sysconf(_SC_NPROCESSORS_ONLN);
    unsetenv("GANTRY_THREADS");
    cr_assert_geq(cpu_usable_cores(), 1);
    cr_assert_leq(cpu_usable_cores(), online);
}

Test(cpu, threads_can_be_lowered)
{
    setenv("GANTRY_THREADS", "1", 1);
    cr_assert_eq(cpu_usable_cores(), 1);
}

Test(cpu, caches_grow)
{
    cr_assert_gt(cpu_cache_bytes(1), 0);
    cr_assert_leq(cpu_cache_bytes(1), cpu_cache_bytes(2));
    cr_assert_leq(cpu_cache_bytes(2), cpu_cache_bytes(3));
}

/* Where Linux describes the caches of this core, it has read the same leaves. */
Test(cpu, the_third_level_is_that_of_one_group_of_cores)
{
    int core = sched_getcpu();
    cpu_set_t only;
    CPU_ZERO(&only);
    CPU_SET(core, &only);
    cr_assert_eq(sched_setaffinity(0, sizeof only, &only), 0);
    char name[80];
    snprintf(name, sizeof name, "/sys/devices/system/cpu/cpu%d/cache/index3/size", core);
    FILE *file = fopen(name, "r");
    unsigned long kilobytes;
    if (file && fscanf(file, "%luK", &kilobytes) == 1)
        cr_assert_eq(cpu_cache_bytes(3), kilobytes << 10);
    else
        cr_assert_geq(cpu_cache_bytes(3), cpu_cache_bytes(2));
    if (file)
        fclose(file);
}

static bool no_limit(const char *folder, int64_t *value)
{
    *value = (int64_t)strlen(folder);
    return false;
}

Test(cgroup, no_limit_is_minus_one)
{
    cr_assert_eq(cgroup_lowest_limit("cpu", no_limit), -1);
    char first[32], second[32];
    cr_assert_not(cgroup_words("/sys/fs/cgroup", "no.such.file", first, second));
}

Test(cpu, the_name_is_trimmed_and_bounded)
{
    char name[49], cut[5];
    cpu_name(name, sizeof name);
    cpu_name(cut, sizeof cut);
    size_t size = strlen(name);
    cr_expect(!size || (name[0] != ' ' && name[size - 1] != ' '), "'%s'", name);
    cr_expect(!strncmp(cut, name, strlen(cut)) && strlen(cut) < sizeof cut, "'%s'", cut);
}
