/* The inner loops for integers against a loop over single numbers, bit by bit: of each instruction
 * set of this processor, and of a set of 16 lanes in C, which any processor has. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/cpu.h"

#define SET(name) name##_portable
#define TARGET
#define LANES 16
#define KEEP(vector) (void)(vector)
#define FMA(a, b, c) fma_of_lanes(a, b, c)
#define PRODUCT(a, b) ((words)((a) * (b)))
#define ADD_PRODUCTS(sum, a, b)                                                                    \
    ((integers)((words)(sum) + PRODUCT((a) << 16 >> 16, (b) << 16 >> 16) +                         \
                PRODUCT((a) >> 16, (b) >> 16)))
typedef float lanes __attribute__((vector_size(4 * LANES)));
static inline __attribute__((always_inline)) lanes fma_of_lanes(lanes a, lanes b, lanes c)
{
    lanes sum;
    for (int i = 0; i < LANES; i++)
        sum[i] = fmaf(a[i], b[i], c[i]);
    return sum;
}
#include "devices/host/thin/thin_integer_body.h"

enum { ROWS = THIN_INTEGER_TERMS, BYTES = 2 * THIN_INTEGER_TILE, COLUMNS = 2 * BYTES, PASSES = 2 };

/* ---- one number at a time -------------------------------------------------------------------- */
/* The number of a column, with its bias. */
static int32_t number_at(const struct thin_integer_block *b, int64_t row, int64_t c, int of_byte)
{
    uint8_t byte = ((const uint8_t *)b->right)[row * b->right_row + c / of_byte];
    const int64_t of_word = c % (2 * of_byte);
    byte ^= (uint8_t)(b->flip >> (of_word / of_byte * 8));
    const bool is_last = of_word / of_byte == 1, is_high = (c % of_byte == 1) != b->high_first;
    if (of_byte == 1)
        return is_last ? (int8_t)byte : byte;
    return !is_high ? byte & 15 : is_last ? (int8_t)byte >> 4 : byte >> 4;
}

static int32_t sum_of(const struct thin_integer_block *b, const struct thin_integer_pass *pass,
                      int64_t c, int of_byte)
{
    int32_t sum = 0;
    for (int64_t i = 0; i < pass->count; i++)
        for (int term = 0; term < 2; term++)
            sum += pass->pairs[i].left[term] * number_at(b, pass->pairs[i].row[term], c, of_byte);
    return sum;
}

static float scale_at(const struct thin_integer_block *b, int64_t c)
{
    const uint32_t bits = b->scale_bf16 ? (uint32_t)b->scale_bf16[c] << 16 : 0;
    float scale;
    memcpy(&scale, &bits, sizeof scale);
    return b->scale_bf16 ? scale : b->scale ? b->scale[c] : 1;
}

static void multiply_numbers(const struct thin_integer_block *b, int of_byte)
{
    for (int64_t c = 0; c < b->bytes * of_byte; c++) {
        const int64_t field = c % (2 * of_byte);
        /* Biases are in the order of bits. */
        const int32_t bias = b->bias[of_byte == 2 && b->high_first ? field ^ 1 : field];
        float sum = 0;
        for (int i = 0; i < b->count; i++)
            sum = fmaf((float)(sum_of(b, b->passes + i, c, of_byte) - b->passes[i].total * bias),
                       b->passes[i].unit, sum);
        if (b->zero)
            sum = fmaf(-b->total, b->zero[c], sum);
        b->out[c] = fmaf(sum, scale_at(b, c), b->out[c]);
        *b->exceeds |= !(fabsf(scale_at(b, c)) <= b->limit);
    }
}

/* ---- blocks ---------------------------------------------------------------------------------- */
static uint8_t right[ROWS * BYTES];
static float zero[COLUMNS], scale[COLUMNS], out[COLUMNS], expected[COLUMNS];
static uint16_t scale_bf16[COLUMNS];
static struct thin_integer_pair pairs[PASSES][ROWS / 2];

/* A pass over some rows with the largest integers, so that sums are as large as they may be; an odd
 * one is paired with 0. */
static struct thin_integer_pass pass_of(int which, int terms)
{
    struct thin_integer_pass pass = {
        .pairs = pairs[which], .count = (terms + 1) / 2, .unit = which ? 0x1p-9F : 0x1p3F};
    for (int i = 0; i < terms; i++) {
        const int16_t left = (int16_t)(which ? 32767 - i * 1999 : i % 5 == 3 ? 32767 : -32767);
        struct thin_integer_pair *pair = &pairs[which][i / 2];
        pair->row[i % 2] = (int16_t)(which ? ROWS - 1 - i : i), pair->left[i % 2] = left;
        if (i % 2 == 0)
            pair->row[1] = pair->row[0], pair->left[1] = 0;
        pass.total += left;
    }
    return pass;
}

static void fill(void)
{
    for (int i = 0; i < ROWS * BYTES; i++)
        right[i] = (uint8_t)(i % 11 == 0 ? 0x88 : i % 7 == 0 ? 0xff : i * 97 + i / 13);
    for (int c = 0; c < COLUMNS; c++) {
        zero[c] = (float)(c % 16), scale[c] = 0.37F * (float)(c % 29 - 9);
        scale_bf16[c] = (uint16_t)(0x3f80 + c % 300);
    }
}

/* `kind`: bits for the parameters. */
static struct thin_integer_block block_of(int kind, int of_byte, bool is_signed)
{
    const int last = 2 * of_byte - 1, bias = of_byte == 1 ? 128 : 8;
    struct thin_integer_block b = {.right = right,
                                   .right_row = BYTES,
                                   .bytes = BYTES,
                                   .total = 1234.5F,
                                   .flip = !is_signed     ? 0x80008000
                                           : of_byte == 1 ? 0x00800080
                                                          : 0x08880888,
                                   .high_first = kind & 8,
                                   .zero = kind & 1 ? zero : NULL,
                                   .scale = kind & 2 ? scale : NULL,
                                   .scale_bf16 = kind & 4 ? scale_bf16 : NULL,
                                   .limit = 0x1p80F};
    for (int i = 0; i <= last; i++)
        b.bias[i] = i < last ? (is_signed ? bias : 0) : (is_signed ? 0 : -bias);
    return b;
}

static void check_block(const struct thin_integer_code *code, struct thin_integer_block b,
                        int of_byte)
{
    bool exceeds = false, must_exceed = false;
    for (int c = 0; c < COLUMNS; c++)
        out[c] = expected[c] = (float)c;
    b.out = expected, b.exceeds = &must_exceed;
    multiply_numbers(&b, of_byte);
    b.out = out, b.exceeds = &exceeds;
    (of_byte == 1 ? code->bytes : code->halves)(&b);
    cr_assert_arr_eq(out, expected, sizeof out);
    cr_assert_eq(exceeds, must_exceed);
}

static void check_forms(const struct thin_integer_code *code)
{
    for (int form = 0; form < 4 * 16; form++) {
        const int of_byte = 1 + form % 2;
        struct thin_integer_block b = block_of(form / 4, of_byte, form & 2);
        for (int terms = 1; terms <= ROWS; terms += terms < 4 ? 1 : 7) {
            const struct thin_integer_pass passes[] = {pass_of(0, terms), pass_of(1, terms / 2)};
            b.passes = passes, b.count = terms > 1 ? PASSES : 1;
            check_block(code, b, of_byte);
        }
    }
}

/* One scale that is larger than the limit, or none, in each place. */
static void check_limit(const struct thin_integer_code *code)
{
    struct thin_integer_pass pass = pass_of(0, 2);
    struct thin_integer_block b = block_of(2, 1, true);
    b.passes = &pass, b.count = 1;
    for (int c = 0; c < BYTES; c++) {
        const float kept = scale[c];
        scale[c] = c % 2 ? NAN : -0x1p81F;
        bool exceeds = false;
        b.out = out, b.exceeds = &exceeds;
        code->bytes(&b);
        cr_assert(exceeds);
        scale[c] = kept;
    }
}

static void check_code(const struct thin_integer_code *code)
{
    fill();
    check_forms(code);
    check_limit(code);
}

/* ---- sets ------------------------------------------------------------------------------------ */
Test(thin_integer_code, sixteen_lanes_in_c)
{
    check_code(&thin_integer_portable);
}

#ifdef __x86_64__
Test(thin_integer_code, sets_of_this_processor)
{
    const struct cpu_features *f = cpu_features();
    const struct {
        bool is_present;
        const struct thin_integer_code *code;
    } sets[] = {{f->avx2 && f->fma, &thin_integer_avx2},
                {f->avx_vnni, &thin_integer_avxvnni},
                {f->avx512, &thin_integer_avx512},
                {f->avx512_vnni, &thin_integer_avx512vnni}};
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++)
        if (sets[i].is_present)
            check_code(sets[i].code);
}
#endif

static bool is_usable(const struct thin_integer_code *code)
{
    const struct cpu_features *f = cpu_features();
#ifdef __x86_64__
    return code == (f->avx512 && f->avx512_vnni ? &thin_integer_avx512vnni
                    : f->avx512                 ? &thin_integer_avx512
                    : f->avx_vnni               ? &thin_integer_avxvnni
                    : f->avx2                   ? &thin_integer_avx2
                                                : NULL);
#else
    return !code && !f->avx2;
#endif
}

/* Each test is a process, which reads the variable once. */
Test(thin_integer_code, is_of_the_best_set)
{
    cr_assert(is_usable(thin_integer_code()));
}

Test(thin_integer_code, is_of_an_allowed_set)
{
    setenv("GANTRY_ISA", "avx2", 1);
    cr_assert(is_usable(thin_integer_code()));
    cr_assert_not(cpu_features()->avx_vnni);
}

Test(thin_integer_code, is_none_of_the_baseline)
{
    setenv("GANTRY_ISA", "baseline", 1);
    cr_assert_null(thin_integer_code());
}
