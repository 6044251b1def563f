#include "compiler/passes/canonicalize/canonicalize_fft.h"

#include "compiler/passes/canonicalize/canonicalize.h"
#include "compiler/passes/passes_fixture.h"

TestSuite(canonicalize_fft, .init = fixture_begin, .fini = fixture_end);

static void transform(const char *type, enum fft_type kind, int count, const int64_t *lengths)
{
    fixture_func("main", 1, &type);
    union attrs attrs = {.fft = {.fft_type = kind, .fft_length = {count, lengths}}};
    struct value *operand = argument(0);
    RETURN(&build_op(&fixture, OP_fft, 1, &operand, 1, &attrs)->results[0]);
}

/* The sizes of the operand and the result are within the limit, the size of a padded row is not. */
static void too_large(const char *type, enum fft_type kind, int count, const int64_t *lengths)
{
    transform(type, kind, count, lengths);
    fixture_fails(canonicalize_run, PJRT_Error_Code_INVALID_ARGUMENT, "pad");
    fixture_end();
    fixture_begin();
}

Test(canonicalize_fft, sizes_that_overflow_when_padded_are_refused)
{
    too_large("c128 562949953421312 1009", FFT_FFT, 1, (int64_t[]){1009});
    too_large("c128 562949953421312 1009", FFT_IFFT, 1, (int64_t[]){1009});
    too_large("c64 562949953421312 2 1009", FFT_FFT, 2, (int64_t[]){2, 1009});
}

Test(canonicalize_fft, sizes_that_overflow_in_one_of_several_dimensions_are_refused)
{
    too_large("c128 140737488355328 1009 4 1", FFT_FFT, 3, (int64_t[]){1009, 4, 1});
    too_large("f64 281474976710656 1009 2 1", FFT_RFFT, 3, (int64_t[]){1009, 2, 1});
    too_large("c128 281474976710656 1009 2 1", FFT_IRFFT, 3, (int64_t[]){1009, 2, 1});
}

Test(canonicalize_fft, prime_lengths_are_padded)
{
    transform("c64 2 1009", FFT_FFT, 1, (int64_t[]){1009});
    fixture_run(canonicalize_run);
}
