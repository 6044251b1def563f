/* model_fft.c: see model_fft.h. */
#include "compiler/model/units/model_fft.h"

#include "compiler/analysis/op_work.h"

/* Of the units' peak, as large products do (model_product.c). */
#define REACHED 0.9

enum { LARGEST_FACTOR = 128, REAL_PRODUCTS = 3 };

/* Real arrays that are read and written: by a product of complex numbers two for each of three
 * sums, products and their sums, less what is shared; by one of real numbers the operand and two
 * results; by a multiplication between products two and two. */
enum { COMPLEX_PRODUCT = 14, REAL_PRODUCT = 3, BETWEEN = 4, OWN = 3 };

/* The factors' sum, and how many there are. */
static double factors_of(double n, int *count)
{
    double sum = 0;
    for (*count = 1; n > LARGEST_FACTOR; ++*count) {
        sum += LARGEST_FACTOR;
        n /= LARGEST_FACTOR;
    }
    return sum + n;
}

struct model_fft model_fft(const struct accelerator *a, const struct op *op)
{
    struct dims lengths = op->attrs.fft.fft_length;
    bool is_real = !dtype_is_complex(op->operands[0]->type->shape.dtype);
    double in = op_work_elements(op->operands[0]), out = op_work_elements(&op->results[0]);
    double numbers = in > out ? in : out, planes = -OWN;
    struct model_fft fft = {0};
    for (int64_t i = lengths.count - 1; i >= 0; i--) {
        int count;
        double sum = factors_of((double)lengths.at[i], &count);
        fft.flops += 2 * REAL_PRODUCTS * numbers * sum;
        planes += (is_real ? REAL_PRODUCT - COMPLEX_PRODUCT : 0) + count * COMPLEX_PRODUCT +
                  (count - 1) * BETWEEN;
        is_real = false;
    }
    double plane = numbers * dtype_bytes(DTYPE_F32);
    fft.seconds = fft.flops * a->f32_passes_highest / (REACHED * a->bf16_rate);
    if (planes > 0 && 2 * OWN * plane > (double)a->vmem_for_values)
        fft.hbm_bytes = planes * plane;
    return fft;
}
