#include "base/utf8.h"

#include <criterion/criterion.h>
#include <stdint.h>
#include <string.h>

static void expect(const char *text, const char *repaired)
{
    char bytes[64];
    size_t size = strlen(text);
    memcpy(bytes, text, size + 1);
    utf8_repair(bytes, size);
    cr_expect_str_eq(bytes, repaired);
}

Test(utf8, bytes_of_no_character_become_question_marks)
{
    expect("a\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80", "a\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80");
    expect("", "");
    expect("name\xaa!", "name?!");                       /* not the first byte of a character */
    expect("cut \xe2\x82", "cut ??");                    /* ends in one */
    expect("\xc3(", "?(");                               /* is followed by none of its bytes */
    expect("\xc0\x80 \xe0\x80\x80", "?? ???");           /* longer than needed */
    expect("\xed\xa0\x80 \xf4\x90\x80\x80", "??? ????"); /* surrogates, beyond U+10FFFF */
    expect("\xf5\x80\x80\x80 \xff", "???? ?");           /* in no character */
}

static size_t encode(uint32_t code, char out[4])
{
    size_t size = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    for (size_t i = size - 1; i > 0; i--, code >>= 6)
        out[i] = (char)(0x80 | (code & 0x3f));
    out[0] = (char)(size == 1 ? code : (0xf00 >> size & 0xff) | code);
    return size;
}

Test(utf8, every_character)
{
    char bytes[4];
    for (uint32_t code = 0; code < 0x120000; code++) {
        size_t size = encode(code, bytes);
        bool is_character = code < 0x110000 && (code < 0xd800 || code >= 0xe000);
        cr_assert_eq(utf8_character(bytes, size), is_character ? size : 0, "U+%X", code);
        cr_assert_eq(utf8_character(bytes, size - 1 ? size - 1 : 1), size == 1, "U+%X", code);
    }
}
