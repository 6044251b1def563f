/* large_angle.c: multiplies an angle by as many bits of 2/pi as its exponent requires (Payne and
 * Hanek). */
#include "compiler/codegen/routines/large_angle.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

static const uint32_t two_over_pi[] =
    {/* 32 bits per word; the 64 leading zeros keep every window in bounds */
     0,          0,          0xa2f9836e, 0x4e441529, 0xfc2757d1, 0xf534ddc0, 0xdb629599,
     0x3c439041, 0xfe5163ab, 0xdebbc561, 0xb7246e3a, 0x424dd2e0, 0x06492eea, 0x09d1921c,
     0xfe1deb1c, 0xb129a73e, 0xe88235f5, 0x2ebb4484, 0xe99c7026, 0xb45f7e41, 0x3991d639,
     0x835339f4, 0x9c845f8b, 0xbdf9283b, 0x1ff897ff, 0xde05980f, 0xef2f118b, 0x5a0a6d1f,
     0x6d367ecf, 0x27cb09b7, 0x4f463f66, 0x9e5fea2d, 0x7527bac7, 0xebe5f17b, 0x3d0739f7,
     0x8a5292ea, 0x6bfb5fb1, 0x1f8d5d08, 0x56033046, 0xfc7b6bab, 0xf0cfbc20, 0x9af4361d};

/* 64 bits of 2/pi, from bit `first` on. */
static uint64_t bits_at(int64_t first)
{
    const uint32_t *words = two_over_pi + first / 32;
    int shift = (int)(first % 32);
    uint64_t bits = (uint64_t)words[0] << 32 | words[1];
    return shift ? bits << shift | words[2] >> (32 - shift) : bits;
}

/* The product of a significand and the 192 bits of 2/pi that begin at bit `first`: its bits from
 * 2^191 on, most significant first. */
static void multiply(uint64_t significand, int64_t first, uint64_t out[3])
{
    unsigned __int128 sum = (unsigned __int128)significand * bits_at(first + 128);
    out[2] = (uint64_t)sum;
    sum = (sum >> 64) + (unsigned __int128)significand * bits_at(first + 64);
    out[1] = (uint64_t)sum;
    out[0] = (uint64_t)(sum >> 64) + significand * bits_at(first);
}

/* Multiplies a fraction of a quadrant, a number of 106 bits with its sign, by pi/2. */
static double multiply_by_quadrant(int64_t fraction, uint64_t rest, double *tail)
{
    int64_t low = (int64_t)((fraction & 2047) << 42 | (int64_t)(rest >> 22));
    double high_part = (double)(fraction >> 11) * 0x1p-53, low_part = (double)low * 0x1p-106;
    double r = high_part * 0x1.921fb54442d18p+0;
    double more = fma(high_part, 0x1.921fb54442d18p+0, -r);
    more = fma(high_part, 0x1.1a62633145c07p-54, more);
    more = fma(low_part, 0x1.921fb54442d18p+0, more);
    double sum = r + more;
    *tail = more - (sum - r);
    return sum;
}

/* The window of 2/pi begins 32 bits above the product's last integer bit. */
static void reduce(double *x, double *tail, int64_t *quadrant)
{
    uint64_t bits, product[3];
    memcpy(&bits, x, sizeof bits);
    int64_t exponent = (int64_t)(bits >> 52 & 2047) - 1075; /* |x| = significand * 2^exponent */
    uint64_t significand = (bits & 0xfffffffffffff) | 0x10000000000000;
    multiply(significand, exponent + 32, product);
    uint64_t fraction = product[0] << 32 | product[1] >> 32, rest = product[1] << 32;
    /* If the fraction is at least a half, it counts down from the next quadrant: interpreted as a
     * signed number, it has the correct value. */
    int64_t turns = (int64_t)((product[0] >> 32) + (fraction >> 63));
    double r = multiply_by_quadrant((int64_t)fraction, rest, tail);
    bool negative = bits >> 63;
    *x = negative ? -r : r;
    *tail = negative ? -*tail : *tail;
    *quadrant = negative ? -turns : turns;
}

void large_angles(int64_t count, double *x, double *tail, int64_t *quadrant)
{
    for (int64_t i = 0; i < count; i++)
        reduce(&x[i], &tail[i], &quadrant[i]);
}
