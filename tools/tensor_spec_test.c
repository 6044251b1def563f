/* tensor_spec_test.c: valid and invalid specs. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "tools/npy.h"
#include "tools/tensor_spec.h"

static void expect(const char *spec, const char *type, const char *values)
{
    struct tensor tensor;
    struct text text = {0};
    struct error *error = tensor_spec_read(spec, &tensor);
    cr_assert_null(error, "%s: %s", spec, error ? error_message(error, NULL) : "");
    tensor_print_type(&tensor, &text);
    cr_assert_str_eq(text.data, type, "%s: %s", spec, text.data);
    text_free(&text);
    tensor_print(&tensor, &text);
    cr_assert_str_eq(text.data, values, "%s: %s", spec, text.data);
    text_free(&text);
    tensor_free(&tensor);
}

Test(tensor_spec, values)
{
    expect("f32=3", "f32", "3.");
    expect("f32", "f32", "0.");
    expect("2x2xf32=0.5", "2x2xf32", "[[0.5 0.5]\n [0.5 0.5]]");
    expect("4xf32=1,2,3,4.25", "4xf32", "[1. 2. 3. 4.25]");
    expect("2xf32=nan,-inf", "2xf32", "[nan -inf]");
    expect("2xf32=0.1,1e-30", "2xf32", "[0.1 1e-30]");
    expect("2xbf16=0.1,3", "2xbf16", "[0.1 3.]");
    expect("3xi32=-1,0x10,2147483647", "3xs32", "[-1 16 2147483647]");
    expect("2xu64=18446744073709551615,0", "2xu64", "[18446744073709551615 0]");
    expect("1xs64=-9223372036854775808", "1xs64", "[-9223372036854775808]");
    expect("2xs4=-8,7", "2xs4", "[-8 7]");
    expect("2xs64=1, -1", "2xs64", "[1 -1]");
    expect("3xpred=true,0,1", "3xpred", "[true false true]");
    expect("3xc64=1.5-2j,3j,4", "3xc64", "[1.5-2.j 0.+3.j 4.+0.j]");
    expect("5xi8=iota", "5xs8", "[0 1 2 3 4]");
    expect("0x3xf32", "0x3xf32", "[]");
    expect("2x1x2xui8=1,2,3,4", "2x1x2xu8", "[[[1 2]]\n [[3 4]]]");
    cr_assert_eq(alloc_live(), 0);
}

Test(tensor_spec, long_ones_are_shortened)
{
    expect("1000xs32=iota", "1000xs32", "[0 1 2 ... 997 998 999]");
}

Test(tensor_spec, random_is_the_same_for_the_same_seed)
{
    struct tensor a, b, c;
    cr_assert_null(tensor_spec_read("64xf32=random:7", &a));
    cr_assert_null(tensor_spec_read("64xf32=random:7", &b));
    cr_assert_null(tensor_spec_read("64xf32=random:8", &c));
    cr_assert_eq(memcmp(a.bytes, b.bytes, a.size), 0);
    cr_assert_neq(memcmp(a.bytes, c.bytes, a.size), 0);
    for (size_t i = 0; i < a.count; i++)
        cr_assert_lt(fabs(dtype_to_double(DTYPE_F32, a.bytes + 4 * i)), 1.0001);
    tensor_free(&a);
    tensor_free(&b);
    tensor_free(&c);
    expect("8xs2=random:1", "8xs2", "[0 0 1 -1 -1 1 1 0]");
}

Test(tensor_spec, mistakes_are_errors)
{
    static const char *const specs[] = {
        "",
        "x",
        "4",
        "4x",
        "4x=1",
        "f33=1",
        "4xf32=",
        "4xf32=1,2",
        "4xf32=1,,2,3",
        "4xf32=one",
        "2xs4=8,0",
        "1xs8=128",
        "1xu8=-1",
        "1xu64=-1",
        "1xs64=9223372036854775808",
        "2xpred=2,0",
        "1xc64=1+2",
        "1xf32=1 ",
        "-1xf32=1",
        "token",
        "4xf32=random:",
        "4xf32=random:x",
        "@",
        "@/no/such/file.npy",
        "4xf32=@/no/such/file.npy",
        "9223372036854775807x9223372036854775807xf32",
        "99999999999999999999xf32=1",
    };
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
        struct tensor tensor;
        struct error *error = tensor_spec_read(specs[i], &tensor);
        cr_assert_not_null(error, "%s", specs[i]);
        cr_assert_null(tensor.bytes, "%s", specs[i]);
        error_free(error);
    }
    cr_assert_eq(alloc_live(), 0);
}

Test(tensor_spec, files)
{
    struct tensor tensor;
    char path[] = "/tmp/tensor_spec_test_XXXXXX", spec[64];
    close(mkstemp(path));
    cr_assert_null(tensor_spec_read("2xf8e5m2=1,2", &tensor));
    cr_assert_null(npy_write(path, &tensor));
    tensor_free(&tensor);
    snprintf(spec, sizeof spec, "2xf8e5m2=@%s", path);
    expect(spec, "2xf8e5m2", "[1. 2.]");
    snprintf(spec, sizeof spec, "3xf8e5m2=@%s", path);
    struct error *error = tensor_spec_read(spec, &tensor);
    cr_assert_eq(error_code(error), PJRT_Error_Code_INVALID_ARGUMENT);
    error_free(error);
    unlink(path);
}

Test(tensor, comparing)
{
    struct tensor a, b;
    cr_assert_null(tensor_spec_read("3xf32=1,nan,3", &a));
    cr_assert_null(tensor_spec_read("3xf32=1.000001,nan,3", &b));
    cr_assert_null(tensor_compare(&a, &b, -1));
    struct error *error = tensor_compare(&a, &b, 0);
    cr_assert_eq(error_code(error), PJRT_Error_Code_FAILED_PRECONDITION);
    error_free(error);
    tensor_free(&b);
    cr_assert_null(tensor_spec_read("3xf32=1,2,3", &b));
    error = tensor_compare(&a, &b, -1);
    cr_assert_not_null(error);
    error_free(error);
    tensor_free(&a);
    tensor_free(&b);
    cr_assert_null(tensor_spec_read("1xs64=9007199254740993", &a));
    cr_assert_null(tensor_spec_read("1xs64=9007199254740992", &b));
    error = tensor_compare(&a, &b, -1);
    cr_assert_not_null(error);
    error_free(error);
    tensor_free(&a);
    tensor_free(&b);
}
