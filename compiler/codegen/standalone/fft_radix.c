#include "compiler/codegen/standalone/fft_radix.h"

#include "compiler/program/fft_roots.h"

static LLVMValueRef add(struct emitter *e, LLVMValueRef a, LLVMValueRef b)
{
    return emitter_contract(LLVMBuildFAdd(e->builder, a, b, ""));
}

static LLVMValueRef sub(struct emitter *e, LLVMValueRef a, LLVMValueRef b)
{
    return emitter_contract(LLVMBuildFSub(e->builder, a, b, ""));
}

static LLVMValueRef mul(struct emitter *e, LLVMValueRef a, LLVMValueRef b)
{
    return emitter_contract(LLVMBuildFMul(e->builder, a, b, ""));
}

static struct element plus(struct emitter *e, const struct element *a, const struct element *b)
{
    return element_of_parts(add(e, a->part[0], b->part[0]), add(e, a->part[1], b->part[1]));
}

static struct element minus(struct emitter *e, const struct element *a, const struct element *b)
{
    return element_of_parts(sub(e, a->part[0], b->part[0]), sub(e, a->part[1], b->part[1]));
}

struct element fft_multiply(struct emitter *e, const struct element *a, const struct element *b)
{
    LLVMValueRef re = sub(e, mul(e, a->part[0], b->part[0]), mul(e, a->part[1], b->part[1]));
    return element_of_parts(re,
                            add(e, mul(e, a->part[0], b->part[1]), mul(e, a->part[1], b->part[0])));
}

/* Multiplies x by i (or -i). */
static struct element multiply_by_i(struct emitter *e, const struct element *x, bool positive)
{
    LLVMValueRef re = x->part[1], im = x->part[0];
    if (positive)
        re = LLVMBuildFNeg(e->builder, re, "");
    else
        im = LLVMBuildFNeg(e->builder, im, "");
    return element_of_parts(re, im);
}

/* Multiplies x by exp(-+ 2 pi i k / radix), for radix 2, 4 or 8 and k < radix / 2. */
static struct element rotate(struct emitter *e, const struct element *x, int k, int radix,
                             bool inverse)
{
    if (k == 0)
        return *x;
    if (4 * k == radix)
        return multiply_by_i(e, x, inverse);
    LLVMValueRef root = emitter_real_like(LLVMTypeOf(x->part[0]), 0.70710678118654752440);
    struct element rotated = multiply_by_i(e, x, inverse);
    struct element sum = 8 * k == radix ? plus(e, x, &rotated) : minus(e, &rotated, x);
    return element_of_parts(mul(e, sum.part[0], root), mul(e, sum.part[1], root));
}

/* Combines the transforms of the even and of the odd positions. */
static void radix_even(struct emitter *e, int radix, bool inverse, struct element *x)
{
    struct element even[4], odd[4];
    int half = radix / 2;
    for (int i = 0; i < half; i++) {
        even[i] = x[2 * i];
        odd[i] = x[2 * i + 1];
    }
    fft_radix(e, half, inverse, even);
    fft_radix(e, half, inverse, odd);
    for (int k = 0; k < half; k++) {
        struct element rotated = rotate(e, &odd[k], k, radix, inverse);
        x[k] = plus(e, &even[k], &rotated);
        x[k + half] = minus(e, &even[k], &rotated);
    }
}

/* Uses sums and differences of positions j and radix - j, so that results k and radix - k share all
 * products. */
static void radix_odd(struct emitter *e, int radix, bool inverse, struct element *x)
{
    struct element sum[FFT_MAX_RADIX], difference[FFT_MAX_RADIX], first = x[0];
    LLVMTypeRef type = LLVMTypeOf(first.part[0]);
    for (int j = 1; j <= radix / 2; j++) {
        sum[j] = plus(e, &x[j], &x[radix - j]);
        difference[j] = minus(e, &x[j], &x[radix - j]);
        x[0] = plus(e, &x[0], &sum[j]);
    }
    for (int k = 1; k <= radix / 2; k++) {
        struct element even = first, odd = {{NULL, NULL}, first.lanes};
        for (int j = 1; j <= radix / 2; j++) {
            double cosine, sine;
            fft_roots_one((int64_t)j * k, radix, &cosine, &sine);
            LLVMValueRef c = emitter_real_like(type, cosine),
                         s = emitter_real_like(type, inverse ? -sine : sine);
            for (int part = 0; part < 2; part++) {
                LLVMValueRef product = mul(e, difference[j].part[part], s);
                even.part[part] = add(e, even.part[part], mul(e, sum[j].part[part], c));
                odd.part[part] = j == 1 ? product : add(e, odd.part[part], product);
            }
        }
        struct element rotated = multiply_by_i(e, &odd, true);
        x[k] = plus(e, &even, &rotated);
        x[radix - k] = minus(e, &even, &rotated);
    }
}

void fft_radix(struct emitter *e, int radix, bool inverse, struct element *x)
{
    if (radix % 2 == 0)
        radix_even(e, radix, inverse, x);
    else if (radix > 1)
        radix_odd(e, radix, inverse, x);
}
