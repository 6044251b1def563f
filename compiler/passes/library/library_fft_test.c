/* library_fft_test.c: which transforms become calls. */
#include "compiler/passes/library/library_fft.h"

#include "compiler/passes/canonicalize/canonicalize.h"
#include "compiler/passes/layout/layout.h"
#include "compiler/passes/passes_fixture.h"
#include "compiler/target_fixture.h"

TestSuite(library_fft, .init = fixture_begin, .fini = fixture_end);

static bool has_fft = true;

static struct error *lay_out(struct module *module, const struct target *target)
{
    struct target test = target_fixture();
    (void)target;
    if (!has_fft)
        test.fft_scratch = NULL;
    TRY(canonicalize_run(module, &test));
    return layout_run(module, &test);
}

static int count(enum op_code code)
{
    int found = 0;
    for (const struct op *op = fixture.block->first; op; op = op->next)
        found += op->code == code;
    return found;
}

static void build(const char *type, enum fft_type kind, int dims, const int64_t *lengths)
{
    fixture_func("main", 1, &type);
    union attrs attrs = {.fft = {.fft_type = kind, .fft_length = {dims, lengths}}};
    struct value *operand = argument(0);
    RETURN(&build_op(&fixture, OP_fft, 1, &operand, 1, &attrs)->results[0]);
}

static void transform(const char *type, enum fft_type kind, int dims, const int64_t *lengths)
{
    build(type, kind, dims, lengths);
    fixture_run(lay_out);
}

Test(library_fft, a_small_transform_of_any_kind_is_one_call)
{
    transform("f32 7 1009", FFT_RFFT, 1, (int64_t[]){1009});
    cr_assert_eq(count(OP_custom_call), 1);
    cr_expect_eq(count(OP_fft), 0);
    const struct attrs_custom_call *at = &fixture.block->first->attrs.custom_call;
    cr_expect(at->backend_config.size == 2 && !memcmp(at->backend_config.data, "21", 2));
}

Test(library_fft, several_dimensions_are_one_call)
{
    transform("c128 7 30 12", FFT_IFFT, 3, (int64_t[]){7, 30, 12});
    cr_expect_eq(count(OP_custom_call), 1);
    cr_expect_eq(count(OP_transpose), 0);
}

static int64_t scratch_bytes(void)
{
    for (struct op *op = fixture.block->first; op; op = op->next)
        if (op->code == OP_custom_call)
            return op->result_count > 1 ? op->results[1].type->shape.dims[0] : 0;
    return -1;
}

Test(library_fft, short_lines_have_no_scratch)
{
    transform("c64 64 1024", FFT_FFT, 1, (int64_t[]){1024});
    cr_expect_eq(scratch_bytes(), 0);
}

Test(library_fft, the_target_says_how_much_scratch_there_is)
{
    transform("c64 3 1048576", FFT_FFT, 1, (int64_t[]){1 << 20});
    cr_expect_eq(scratch_bytes(), 3 * (8 << 20));
}

Test(library_fft, one_number_is_a_call)
{
    transform("c64 7 1", FFT_FFT, 1, (int64_t[]){1});
    cr_expect_eq(count(OP_custom_call), 1);
    cr_expect_eq(count(OP_fft), 0);
}

/* Builds a transform for which lay_out() fails with UNIMPLEMENTED and `text`. */
static void refused(const char *type, int64_t length, const char *text)
{
    build(type, FFT_FFT, 1, &length);
    fixture_fails(lay_out, PJRT_Error_Code_UNIMPLEMENTED, text);
}

Test(library_fft, targets_without_the_function_are_named)
{
    has_fft = false;
    refused("c64 7 1024", 1024, "device test has no Fourier transforms");
}

Test(library_fft, numbers_beyond_the_limit_are_refused)
{
    refused("c64 17179869184 2", 2, "at most 2^34 numbers");
}
