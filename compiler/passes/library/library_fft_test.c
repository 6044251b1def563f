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
    test.has_fft = has_fft;
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

static void transform(const char *type, enum fft_type kind, int dims, const int64_t *lengths)
{
    fixture_func("main", 1, &type);
    union attrs attrs = {.fft = {.fft_type = kind, .fft_length = {dims, lengths}}};
    struct value *operand = argument(0);
    RETURN(&build_op(&fixture, OP_fft, 1, &operand, 1, &attrs)->results[0]);
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

Test(library_fft, long_lines_have_scratch)
{
    transform("c64 3 1048576", FFT_FFT, 1, (int64_t[]){1 << 20});
    cr_expect_eq(scratch_bytes(), 8 << 20);
}

Test(library_fft, lines_beyond_the_limit_are_divided_first)
{
    transform("c64 536870912", FFT_FFT, 1, (int64_t[]){1 << 29});
    cr_expect_eq(count(OP_fft), 0);
    cr_expect_gt(count(OP_custom_call), 1);
}

Test(library_fft, targets_without_the_function_generate)
{
    has_fft = false;
    transform("c64 7 1024", FFT_FFT, 1, (int64_t[]){1024});
    cr_expect_eq(count(OP_custom_call), 0);
}

Test(library_fft, one_number_is_itself)
{
    transform("c64 7 1", FFT_FFT, 1, (int64_t[]){1});
    cr_expect_eq(count(OP_custom_call), 0);
    cr_expect_eq(count(OP_fft), 0);
}
