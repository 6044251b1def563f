#include <criterion/criterion.h>
#include <string.h>

#include "base/alloc.h"
#include "base/text.h"

Test(text, collects)
{
    struct text text = {0};
    for (int i = 0; i < 1000; i++)
        text_add(&text, "%d,", i % 10);
    text_add_bytes(&text, "a\0b", 3);
    text_add(&text, "%500d", 1);
    char *out;
    size_t size;
    cr_assert_null(text_finish(&text, &out, &size));
    cr_assert_eq(size, 2000 + 3 + 500);
    cr_assert_eq(out[size], '\0');
    cr_assert_arr_eq(out + 2000, "a\0b", 3);
    cr_assert_eq(text.size, 0);
    alloc_free(out);
    cr_assert_eq(alloc_live(), 0);
}

Test(text, empty_is_an_empty_string)
{
    struct text text = {0};
    char *out;
    cr_assert_null(text_finish(&text, &out, NULL));
    cr_assert_str_empty(out);
    alloc_free(out);
}

Test(text, remembers_that_memory_was_gone)
{
    bool done = false;
    for (int n = 1; !done; n++) {
        struct text text = {0};
        char *out;
        size_t size;
        alloc_fail_at(n);
        for (int i = 0; i < 300; i++)
            text_add(&text, "%20d", i);
        struct error *error = text_finish(&text, &out, &size);
        alloc_fail_at(0);
        done = !error;
        cr_assert(done ? size == 6000 : !out && !size);
        error_free(error);
        alloc_free(out);
        cr_assert_eq(alloc_live(), 0);
    }
}

Test(text, sizes_have_a_unit_from_one_mebibyte_on)
{
    static const struct {
        uint64_t bytes;
        const char *text;
    } rows[] = {{0, "0 bytes"},
                {1, "1 byte"},
                {1048575, "1048575 bytes"},
                {402653184, "384 MiB (402653184 bytes)"},
                {UINT64_C(25232932864), "23.5 GiB (25232932864 bytes)"},
                {UINT64_MAX, "16 EiB (18446744073709551615 bytes)"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct text text = {0};
        text_add_size(&text, rows[i].bytes);
        cr_expect_str_eq(text.data, rows[i].text);
        text_free(&text);
    }
}
