/* tridiagonal_lanes.c: see tridiagonal_lanes.h. */
#include "devices/host/kernels/tridiagonal_lanes.h"

#include "base/cpu.h"
#include "devices/host/kernels/vector_targets.h"

#define NAME(name) name##_f32x4
#define TARGET
#define ELEMENT float
#define INTEGER int32_t
#define LANES 4
#include "devices/host/kernels/tridiagonal_lanes_body.h"

#define NAME(name) name##_f32x8
#define TARGET AVX2
#define ELEMENT float
#define INTEGER int32_t
#define LANES 8
#include "devices/host/kernels/tridiagonal_lanes_body.h"

#define NAME(name) name##_f32x16
#define TARGET AVX512
#define ELEMENT float
#define INTEGER int32_t
#define LANES 16
#include "devices/host/kernels/tridiagonal_lanes_body.h"

#define NAME(name) name##_f64x2
#define TARGET
#define ELEMENT double
#define INTEGER int64_t
#define LANES 2
#include "devices/host/kernels/tridiagonal_lanes_body.h"

#define NAME(name) name##_f64x4
#define TARGET AVX2
#define ELEMENT double
#define INTEGER int64_t
#define LANES 4
#include "devices/host/kernels/tridiagonal_lanes_body.h"

#define NAME(name) name##_f64x8
#define TARGET AVX512
#define ELEMENT double
#define INTEGER int64_t
#define LANES 8
#include "devices/host/kernels/tridiagonal_lanes_body.h"

struct tridiagonal_lanes tridiagonal_lanes(bool wide, int64_t systems)
{
    static const struct tridiagonal_lanes widths[2][3] = {
        {{4, solve_f32x4}, {8, solve_f32x8}, {16, solve_f32x16}},
        {{2, solve_f64x2}, {4, solve_f64x4}, {8, solve_f64x8}}};
    const struct cpu_features *features = cpu_features();
    int widest = features->avx512 ? 2 : features->avx2 && features->fma ? 1 : 0, i = 0;
    while (i < widest && widths[wide][i].lanes < systems)
        i++;
    return widths[wide][i];
}
