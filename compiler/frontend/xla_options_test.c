/* xla_options_test.c: names, types of values, and what XLA's own CPU backend refuses. */
#include "compiler/frontend/xla_options.h"

#include <criterion/criterion.h>
#include <string.h>

typedef Gantry__OptionOverride__Value option_value;

#define TEXT(text)                                                                                 \
    {.value_case = GANTRY__OPTION_OVERRIDE__VALUE__VALUE_STRING_FIELD, .string_field = (text)}
#define INTEGER(number)                                                                            \
    {.value_case = GANTRY__OPTION_OVERRIDE__VALUE__VALUE_INT_FIELD, .int_field = (number)}
#define REAL(number)                                                                               \
    {.value_case = GANTRY__OPTION_OVERRIDE__VALUE__VALUE_DOUBLE_FIELD, .double_field = (number)}
#define BOOLEAN(yes)                                                                               \
    {.value_case = GANTRY__OPTION_OVERRIDE__VALUE__VALUE_BOOL_FIELD, .bool_field = (yes)}

/* The error's message is `words`; NULL: there is no error. */
static void expect(const char *name, const option_value *value, bool any_name, const char *words)
{
    struct error *error = xla_options_check(name, value, any_name);
    cr_assert_eq(!error, !words, "%s: %s", name, error_message(error, NULL));
    if (!error)
        return;
    cr_expect_eq(error_code(error), PJRT_Error_Code_INVALID_ARGUMENT);
    cr_expect_str_eq(error_message(error, NULL), words);
    error_free(error);
}

Test(xla_options, the_table_is_sorted)
{
    static const char *const names[] = {
#define XLA_OPTION(name, type) #name,
#include "compiler/frontend/xla_options.def"
#undef XLA_OPTION
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        cr_expect(i == 0 || strcmp(names[i - 1], names[i]) < 0, "%s", names[i]);
        expect(names[i], NULL, false, NULL);
    }
}

Test(xla_options, names)
{
    option_value text = TEXT("x");
    expect("xla_dumb_to", &text, false,
           "No such compile option: 'xla_dumb_to'; did you mean 'xla_dump_to'?");
    expect("dump_to", &text, false,
           "No such compile option: 'dump_to'; did you mean 'xla_dump_to'?");
    expect("xla_cpu_nope", &text, false, "No such compile option: 'xla_cpu_nope'");
    expect("", &text, false, "No such compile option: ''");
    expect("xla_tpu_of_libtpu", &text, true, NULL);
    expect("tpu_of_libtpu", &text, true, "No such compile option: 'tpu_of_libtpu'");
    expect("xla_dump_too", &text, false,
           "No such compile option: 'xla_dump_too'; did you mean 'xla_dump_to'?");
}

/* In the order bool, int32, int64, float, string, enum, message. */
Test(xla_options, values)
{
    static const char *const names[] = {"xla_cpu_enable_fast_math",
                                        "xla_cpu_prefer_vector_width",
                                        "xla_gpu_nccl_collective_max_nchannels",
                                        "xla_gpu_auto_spmd_partitioning_memory_budget_ratio",
                                        "xla_dump_to",
                                        "xla_partitioning_algorithm",
                                        "xla_backend_extra_options"};
    static const struct {
        option_value value;
        const char *accepted;
    } rows[] = {
        {BOOLEAN(true), "y"},
        {INTEGER(1), "yyy  y"},
        {INTEGER(1LL << 31), "  y  y"},
        {REAL(0.5), "   y"},
        {TEXT("True"), "y   yy"},
        {TEXT("-7"), " yyyyy"},
        {TEXT("1e3"), "   yyy"},
        {TEXT("9999999999"), "  yyyy"},
        {TEXT(""), "    yyy"},
        {TEXT("x"), "    yy"},
        {TEXT("99999999999999999999"), "   yyy"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
            bool accepted = n < strlen(rows[i].accepted) && rows[i].accepted[n] == 'y';
            struct error *error = xla_options_check(names[n], &rows[i].value, false);
            cr_expect_eq(!error, accepted, "row %zu, %s: %s", i, names[n],
                         error_message(error, NULL));
            error_free(error);
        }
}

Test(xla_options, the_value_is_named)
{
    option_value real = REAL(0.5), boolean = BOOLEAN(false), text = TEXT("wide");
    expect("xla_cpu_enable_fast_math", &real, false,
           "While setting option xla_cpu_enable_fast_math, '0.5' is not a valid bool value.");
    expect("xla_dump_to", &boolean, false,
           "While setting option xla_dump_to, 'false' is not a valid string value.");
    expect("xla_cpu_prefer_vector_width", &text, true,
           "While setting option xla_cpu_prefer_vector_width, 'wide' is not a valid int32 value.");
}
