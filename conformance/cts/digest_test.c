/* digest_test.c: SHA-256 of the standard's own examples. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/cts/digest.h"

static void expect_digest(const char *text, size_t size, const char *expected)
{
    char found[DIGEST_TEXT];
    digest_bytes(text, size, found);
    cr_expect_str_eq(found, expected);
}

Test(digest, examples)
{
    expect_digest("", 0, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    expect_digest("abc", 3, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    expect_digest("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 56,
                  "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
}

Test(digest, file)
{
    char path[] = "/tmp/digest_test_XXXXXX", whole[DIGEST_TEXT], of_file[DIGEST_TEXT];
    static char bytes[100001];
    memset(bytes, 'a', sizeof bytes);
    FILE *file = fdopen(mkstemp(path), "wb");
    cr_assert_eq(fwrite(bytes, 1, sizeof bytes, file), sizeof bytes);
    fclose(file);
    digest_bytes(bytes, sizeof bytes, whole);
    cr_expect_null(digest_file(path, of_file));
    cr_expect_str_eq(whole, of_file);
    remove(path);
    struct error *error = digest_file(path, of_file);
    cr_expect_eq(error_code(error), PJRT_Error_Code_NOT_FOUND);
    error_free(error);
}
