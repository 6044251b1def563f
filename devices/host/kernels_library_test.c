/* Tests the library's answers about support, and that they are cached. */
#include "devices/host/kernels_library.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "base/cpu.h"

static struct dot_spec square(enum dtype dtype, int64_t n)
{
    return (struct dot_spec){.lhs = dtype,
                             .rhs = dtype,
                             .out = dtype,
                             .batch = 1,
                             .m = n,
                             .n = n,
                             .k = n,
                             .lhs_m_stride = n,
                             .lhs_k_stride = 1,
                             .rhs_k_stride = n,
                             .rhs_n_stride = 1,
                             .out_m_stride = n,
                             .out_n_stride = 1};
}

static bool is_open(const char *library)
{
    char line[512];
    bool found = false;
    FILE *maps = fopen("/proc/self/maps", "r");
    while (fgets(line, sizeof line, maps))
        found |= strstr(line, library) != NULL;
    fclose(maps);
    return found;
}

Test(kernels_library, common_products_are_answered_without_opening_it)
{
    static const enum dtype types[] = {DTYPE_F32, DTYPE_F64, DTYPE_C64, DTYPE_C128};
    for (int i = 0; i < 4; i++) {
        struct dot_spec spec = square(types[i], 64);
        cr_assert(kernels_library_supports_dot(&spec));
    }
    static const enum dtype integers[] = {DTYPE_S32, DTYPE_U32, DTYPE_S64, DTYPE_U64};
    for (int i = 0; i < 4; i++) {
        struct dot_spec spec = square(integers[i], 64);
        cr_assert_eq(kernels_library_supports_dot(&spec),
                     cpu_features()->avx2 && cpu_features()->fma);
    }
    struct dot_spec narrow = square(DTYPE_S16, 64);
    cr_assert_not(kernels_library_supports_dot(&narrow));
    cr_assert_not(is_open("libgantry_kernels.so"));
}

Test(kernels_library, half_products_are_asked_for)
{
    struct dot_spec bf16 = square(DTYPE_BF16, 64), f16 = square(DTYPE_F16, 64);
    for (int i = 0; i < 3; i++) {
        cr_assert_eq(kernels_library_supports_dot(&bf16), cpu_features()->avx512_bf16);
        cr_assert_eq(kernels_library_supports_dot(&f16), cpu_features()->avx512_fp16);
    }
    cr_assert(is_open("libgantry_kernels.so"));
}

/* More queries than the cache has entries. */
Test(kernels_library, forgotten_answers_are_asked_again)
{
    for (int i = 0; i < 2; i++)
        for (int64_t n = 1; n < 2500; n += 7) {
            struct dot_spec spec = square(DTYPE_S8, n);
            spec.out = DTYPE_S32;
            cr_assert_eq(kernels_library_supports_dot(&spec),
                         cpu_features()->avx512_vnni || (cpu_features()->avx2 && n >= 8));
            spec.out = DTYPE_S8;
            cr_assert_not(kernels_library_supports_dot(&spec));
        }
}

Test(kernels_library, calls_are_known_by_name)
{
    cr_assert(kernels_library_has_call("lapack_dpotrf_ffi", 17));
    cr_assert_not(kernels_library_has_call("lapack_xpotrf_ffi", 17));
    cr_assert_not(kernels_library_has_call("lapack_dpotrf_ff", 16));
    cr_assert_not(is_open("libgantry_kernels.so"));
}
