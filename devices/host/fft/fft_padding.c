/* fft_padding.c: see fft_padding.h. */
#include "devices/host/fft/fft_padding.h"

#include "base/alloc.h"
#include "devices/host/fft/fft_tables.h"

/* Mirrors the conjugates of the chirp. `out` is zeroed. */
static void mirror(const double *chirp, int64_t n, int64_t length, double *out)
{
    for (int64_t j = 0; j < n; j++) {
        int64_t other = j ? length - j : 0;
        out[2 * j] = out[2 * other] = chirp[2 * j];
        out[2 * j + 1] = out[2 * other + 1] = -chirp[2 * j + 1];
    }
}

static struct error *as_part(enum dtype part, int64_t count, const double *numbers, void **out)
{
    TRY(alloc_aligned((size_t)(2 * count) * (size_t)dtype_bytes(part), out));
    for (int64_t i = 0; i < 2 * count; i++)
        if (part == DTYPE_F64)
            ((double *)*out)[i] = numbers[i];
        else
            ((float *)*out)[i] = (float)numbers[i];
    return NULL;
}

static struct error *make(enum dtype part, int64_t n, int64_t length,
                          fft_padding_transform *transform, double *numbers, void **chirp,
                          void **filter)
{
    double *wide = numbers + 2 * length;
    TRY(fft_tables_chirp(n, wide));
    TRY(as_part(part, n, wide, chirp));
    mirror(wide, n, length, numbers);
    TRY(transform(length, numbers));
    return as_part(part, length, numbers, filter);
}

struct error *fft_padding_make(enum dtype part, int64_t n, int64_t length,
                               fft_padding_transform *transform, void **chirp, void **filter)
{
    double *numbers;
    TRY(alloc_array((size_t)(n + length), 2 * sizeof *numbers, &numbers));
    struct error *error = make(part, n, length, transform, numbers, chirp, filter);
    alloc_free(numbers);
    return error;
}
