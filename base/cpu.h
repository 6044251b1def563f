/* cpu.h: the processor as available to this process: instruction sets, from feature flags (never
 * from the model name, which is wrong on virtual machines), and the number of cores, from the CPU
 * set and the cgroup quota. */
#ifndef GANTRY_BASE_CPU_H
#define GANTRY_BASE_CPU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/* Features that the CPU and the operating system support and GANTRY_ISA allows. */
struct cpu_features {
    bool avx2, fma, f16c, bmi2;
    bool avx512; /* F, CD, BW, DQ and VL together */
    bool avx512_bf16, avx512_fp16, avx512_vnni, avx512_vbmi;
    bool avx_vnni, amx_tile, amx_bf16, amx_int8;
};

/* UNIMPLEMENTED, with the missing features, unless the processor is an x86-64-v2: generated code
 * and oneDNN use SSE4.2 and POPCNT unconditionally. */
struct error *cpu_check(void);
/* Writes the names of the x86-64-v2 features that are missing in ECX of CPUID's leaf 1 to `out`,
 * separated by commas. False: none is missing. CPU_NAMES bytes are enough. */
bool cpu_lacks(uint32_t ecx, char *out, size_t size);

/* Static, computed once; thread-safe. */
const struct cpu_features *cpu_features(void);
/* Widest vector that code should use, in bytes: 64, 32 or 16. */
int cpu_vector_bytes(void);
/* True when GANTRY_ISA disables a feature that the host has. */
bool cpu_is_narrowed(void);
/* "avx2,fma,...": the names of the enabled features; static. */
const char *cpu_feature_names(void);
/* The features as a bit set. Bits are numbered by the table in cpu.c. */
uint64_t cpu_feature_bits(void);
/* Writes the names of a set of features to `out`, separated by commas. Names that do not fit in
 * `size` (>= 1) bytes, NUL included, are omitted; CPU_NAMES bytes are enough for all. */
enum { CPU_NAMES = 160 };
void cpu_names_of(uint64_t bits, char *out, size_t size);
/* The highest value of GANTRY_ISA with which processors with these features have the same ones;
 * static. `count` >= 1. */
const char *cpu_common_isa(const uint64_t *bits, int count);
/* 64-bit digest of the properties that machine code depends on: the features, and whether programs
 * flush denormals (base/fpu.h). Part of platform_version and of every cache key. */
uint64_t cpu_feature_digest(void);
/* Cores this process may use: the least of CPU set, cgroup quota (rounded up) and GANTRY_THREADS;
 * at least 1. */
int cpu_usable_cores(void);
/* `cores`, limited by the cgroup quota and GANTRY_THREADS; at least 1. */
int cpu_narrow_cores(int cores);
/* The processor's brand string, without outer spaces, for display only: virtual machines report
 * wrong ones. `size` >= 1 bytes, NUL included; 49 are enough. "" where it has none. */
void cpu_name(char *out, size_t size);
/* Bytes of data cache that one core reaches at level 1, 2 or 3; without a third level those of the
 * second. */
size_t cpu_cache_bytes(int level);

#endif
