/* rule_sequences_test.c: a program from its text to its results, on this build's own plugin. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>

#include "conformance/cts/embedded.h"
#include "conformance/cts/rule_sequences.h"

static const char doubling[] = "module { func.func @main(%a: tensor<3xf32>) -> tensor<3xf32> {\n"
                               "  %0 = stablehlo.add %a, %a : tensor<3xf32>\n"
                               "  return %0 : tensor<3xf32> } }";

static void double_numbers(struct rule_context *t, const float *expected)
{
    const float values[] = {1, 2, -3};
    PJRT_LoadedExecutable *executable;
    PJRT_Buffer *input, *output;
    NEED_CLIENT(t);
    NEED_OK(t, rule_compile_text(t, doubling, &executable));
    NEED_OK(t, rule_upload_floats(t, values, 3, &input));
    NEED_OK(t, rule_execute(t, executable, &input, 1, &output, 1));
    rule_check_floats(t, output, expected, 3);
    DESTROY(t, Buffer, buffer, input);
    DESTROY(t, Buffer, buffer, output);
    DESTROY(t, LoadedExecutable, executable, executable);
}

static int failures_with(const float *expected)
{
    char path[4096];
    const char *folder = getenv("GANTRY_LIB");
    struct outcome outcome = {0};
    struct rule_context t = {.path = path, .outcome = &outcome};
    snprintf(path, sizeof path, "%s/pjrt_c_api_gantry_plugin.so", folder ? folder : "build/lib");
    double_numbers(&t, expected);
    rule_close(&t);
    cr_expect_not(outcome.skipped || outcome.unsupported, "%s", outcome.text);
    cr_expect_eq(outcome.answers[FUNCTION_Client_Compile], ANSWER_OK);
    return outcome.failures;
}

Test(rule_sequences, text_to_results)
{
    cr_expect_eq(failures_with((const float[]){2, 4, -6}), 0);
    cr_expect_eq(failures_with((const float[]){2, 4, -5}), 1);
}

Test(rule_sequences, embedded_files)
{
    const struct embedded_file *file = embedded_find("add.mlirbc");
    cr_assert_not_null(file);
    cr_expect_eq(file->bytes[0], 'M');
    cr_expect_eq(file->bytes[file->size], '\0');
    cr_expect_null(embedded_find("no.mlirbc"));
}
