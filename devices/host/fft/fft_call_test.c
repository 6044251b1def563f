/* fft_call_test.c: the custom call gantry_fft. */
#include "devices/host/fft/fft_call.h"

#include <criterion/criterion.h>

#include "devices/host/builtin_calls.h"

#define NAME "gantry_fft"

struct call {
    struct call_value values[3];
    int64_t scratch; /* bytes */
    struct call_spec spec;
};

static void make(struct call *c, const char *config, enum dtype from, const int64_t *in,
                 enum dtype to, const int64_t *out, int rank)
{
    *c = (struct call){
        .values = {{.shape = {.dtype = from, .rank = rank, .dims = (int64_t *)in}, .slice = 0},
                   {.shape = {.dtype = to, .rank = rank, .dims = (int64_t *)out}, .slice = 1},
                   {.shape = {.dtype = DTYPE_U8, .rank = 1, .dims = &c->scratch}, .slice = 2}}};
    c->spec = (struct call_spec){.target = (char *)NAME,
                                 .config = (char *)config,
                                 .config_size = strlen(config),
                                 .operand_count = 1,
                                 .value_count = 2,
                                 .values = c->values};
}

static void with_scratch(struct call *c, int64_t bytes)
{
    c->scratch = bytes;
    c->spec.value_count = 3;
}

static struct error *run(struct call *c, const void *in, void *out)
{
    static double scratch[2 * 3 * 4 * 3];
    const struct custom_call_handler *handler = builtin_calls_find(NAME, sizeof NAME - 1);
    struct custom_call call = {.spec = &c->spec, .data = (void *[]){(void *)in, out, scratch}};
    TRY(handler->instantiate(handler->user, &c->spec, &call.state));
    struct error *error = handler->run(handler->user, &call);
    handler->drop(call.state);
    return error;
}

/* An impulse at (1, 2) of 2 x 3 numbers: every result has magnitude 1. */
Test(fft_call, two_dimensions)
{
    double in[12] = {[10] = 1}, out[12];
    struct call c;
    make(&c, "02", DTYPE_C128, (int64_t[]){2, 3}, DTYPE_C128, (int64_t[]){2, 3}, 2);
    cr_assert_null(run(&c, in, out));
    for (int i = 0; i < 6; i++) { /* exp(-2 pi i (j / 2 + 2 k / 3)) */
        static const double cosine[] = {1, -0.5, -0.5},
                            sine[] = {0, 0.86602540378443865, -0.86602540378443865};
        double sign = i / 3 ? -1 : 1;
        cr_expect_float_eq(out[2 * i], sign * cosine[i % 3], 1e-15, "%d: %g", i, out[2 * i]);
        cr_expect_float_eq(out[2 * i + 1], sign * sine[i % 3], 1e-15, "%d: %g", i, out[2 * i + 1]);
    }
}

Test(fft_call, real_numbers_in_three_dimensions_and_back)
{
    static float in[2 * 3 * 4 * 5], half[2 * 3 * 4 * 3 * 2], back[2 * 3 * 4 * 5];
    static const int64_t real[] = {2, 3, 4, 5}, complex[] = {2, 3, 4, 3};
    struct call c;
    for (int i = 0; i < 120; i++)
        in[i] = (float)(i * 37 % 101) - 50;
    make(&c, "23", DTYPE_F32, real, DTYPE_C64, complex, 4);
    cr_assert_null(run(&c, in, half));
    make(&c, "33", DTYPE_C64, complex, DTYPE_F32, real, 4);
    with_scratch(&c, sizeof half);
    cr_assert_null(run(&c, half, back));
    for (int i = 0; i < 120; i++)
        cr_expect_float_eq(back[i], in[i], 2e-4, "%d: %g, not %g", i, back[i], in[i]);
}

/* One number is its own transform; of real numbers it has no imaginary part. */
Test(fft_call, one_number)
{
    static const int64_t ones[] = {3, 1};
    float in[6] = {1, 2, 3, 4, 5, 6}, out[6] = {0};
    struct call c;
    make(&c, "01", DTYPE_C64, ones, DTYPE_C64, ones, 2);
    cr_assert_null(run(&c, in, out));
    cr_expect_eq(memcmp(in, out, sizeof in), 0);
    make(&c, "21", DTYPE_F32, ones, DTYPE_C64, ones, 2);
    cr_assert_null(run(&c, in, out));
    for (int i = 0; i < 6; i++)
        cr_expect_eq(out[i], i % 2 ? 0 : in[i / 2], "%d: %g", i, (double)out[i]);
    make(&c, "31", DTYPE_C64, ones, DTYPE_F32, ones, 2);
    cr_assert_null(run(&c, in, out));
    for (int i = 0; i < 3; i++)
        cr_expect_eq(out[i], in[2 * i], "%d: %g", i, (double)out[i]);
}

static void refused(const char *config, enum dtype from, const int64_t *in, enum dtype to,
                    const int64_t *out, int rank)
{
    static double memory[64];
    struct call c;
    make(&c, config, from, in, to, out, rank);
    struct error *error = run(&c, memory, memory);
    cr_expect(error && error_code(error) == PJRT_Error_Code_INVALID_ARGUMENT, "%s", config);
    error_free(error);
}

Test(fft_call, other_calls_are_refused)
{
    static const int64_t four[] = {2, 4}, three[] = {2, 3}, none[] = {0, 4},
                         huge[] = {1LL << 40, 4}, long_line[] = {1 << 20};
    static const char *const configs[] = {"", "0", "41", "00", "03", "04", "0/", "/1", "011"};
    for (size_t i = 0; i < sizeof configs / sizeof *configs; i++)
        refused(configs[i], DTYPE_C64, four, DTYPE_C64, four, 2);
    refused("01", DTYPE_C64, four, DTYPE_C128, four, 2);
    refused("01", DTYPE_F32, four, DTYPE_C64, four, 2);
    refused("01", DTYPE_S32, four, DTYPE_S32, four, 2);
    refused("01", DTYPE_C64, four, DTYPE_C64, three, 2);
    refused("21", DTYPE_F32, four, DTYPE_C64, four, 2);
    refused("31", DTYPE_C64, four, DTYPE_F32, four, 2);
    refused("01", DTYPE_C64, none, DTYPE_C64, none, 2);
    refused("01", DTYPE_C64, huge, DTYPE_C64, huge, 2);
    refused("01", DTYPE_C64, NULL, DTYPE_C64, NULL, 0);
    refused("01", DTYPE_C64, long_line, DTYPE_C64, long_line, 1);
}

/* A serialized program may say anything of the scratch. */
Test(fft_call, scratch_that_is_too_small_is_refused)
{
    static const int64_t line[] = {1 << 20};
    struct call c;
    void *state;
    make(&c, "01", DTYPE_C64, line, DTYPE_C64, line, 1);
    for (int i = 0; i < 3; i++) {
        with_scratch(&c, (8 << 20) - (i < 2));
        c.values[2].shape.dtype = i == 1 ? DTYPE_U8 : DTYPE_S8;
        struct error *error = fft_call_instantiate(NULL, &c.spec, &state);
        cr_expect(error && error_code(error) == PJRT_Error_Code_INVALID_ARGUMENT, "%d", i);
        error_free(error);
    }
    c.values[2].shape.dtype = DTYPE_U8;
    cr_expect_null(fft_call_instantiate(NULL, &c.spec, &state));
    fft_call_drop(state);
}
