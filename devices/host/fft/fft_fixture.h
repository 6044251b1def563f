/* fft_fixture.h: numbers for the tests of Fourier transforms. */
#ifndef GANTRY_DEVICES_HOST_FFT_FFT_FIXTURE_H
#define GANTRY_DEVICES_HOST_FFT_FFT_FIXTURE_H

#include <complex.h>
#include <stdint.h>
#include <string.h>

/* CMPLX(), which not every compiler has. */
static inline double complex number(double re, double im)
{
    double parts[2] = {re, im};
    double complex z;
    memcpy(&z, parts, sizeof z);
    return z;
}

/* In [-1, 1): the next of a fixed sequence. */
static inline double random_number(void)
{
    static uint64_t state = 1;
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    return (double)(int32_t)(state >> 32) / (double)(1U << 31);
}

#endif
