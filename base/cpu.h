/* cpu.h: what the processor and the system allow this process: instruction sets by feature flags
 * (never by model name, which is wrong on virtual machines), and the number of cores by CPU set and
 * cgroup quota. */
#ifndef GANTRY_BASE_CPU_H
#define GANTRY_BASE_CPU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cpu_features { /* as the CPU and the operating system both allow, narrowed by GANTRY_ISA */
    bool avx2, fma, f16c, bmi2;
    bool avx512; /* F, CD, BW, DQ and VL together */
    bool avx512_bf16, avx512_fp16, avx512_vnni, avx512_vbmi;
    bool avx_vnni, amx_tile, amx_bf16, amx_int8;
};

/* Static, computed once; thread-safe. */
const struct cpu_features *cpu_features(void);
/* Widest vector that code should use, in bytes: 64, 32 or 16. */
int cpu_vector_bytes(void);
/* True when GANTRY_ISA switches off a feature that the host has. */
bool cpu_is_narrowed(void);
/* "avx2,fma,...": the names of what is on, static. */
const char *cpu_feature_names(void);
/* The features as a set, a bit each; what a bit means changes with the table in cpu.c only. */
uint64_t cpu_feature_bits(void);
/* Writes the names in a set of features into `out`, separated by commas; names that do not fit in
 * `size` (>= 1) bytes with their NUL are left out; CPU_NAMES bytes are enough for all. */
enum { CPU_NAMES = 160 };
void cpu_names_of(uint64_t bits, char *out, size_t size);
/* 64-bit digest of the features; part of platform_version and of every cache key. */
uint64_t cpu_feature_digest(void);
/* Cores this process may use: CPU set, cgroup quota (rounded up) and GANTRY_THREADS; at least 1. */
int cpu_usable_cores(void);
/* Bytes of data cache of one core at level 1, 2, and the last level. */
size_t cpu_cache_bytes(int level);

#endif
