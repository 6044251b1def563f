/* digest_test.c: digests of files, as xxHash documents them. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/cts/digest.h"

static void expect_digest(size_t size, const char *expected)
{
    char path[] = "/tmp/digest_test_XXXXXX", found[DIGEST_TEXT];
    FILE *file = fdopen(mkstemp(path), "wb");
    for (size_t i = 0; i < size; i++)
        fputc('a', file);
    fclose(file);
    cr_expect_null(digest_file(path, found));
    cr_expect_str_eq(found, expected, "%s", found);
    remove(path);
}

Test(digest, is_that_of_xxh128sum)
{
    expect_digest(0, "99aa06d3014798d86001c324468d497f"); /* XXH3-128's reference value */
    expect_digest(1, "a96faf705af16834e6c632b61e964e1f");
    expect_digest(100001, "68e881b9483c437dcd1bde3c756a427f"); /* more than one piece */
}

Test(digest, missing_file)
{
    char found[DIGEST_TEXT];
    struct error *error = digest_file("/tmp/no_such_file_of_digest_test", found);
    cr_expect_eq(error_code(error), PJRT_Error_Code_NOT_FOUND);
    error_free(error);
}
