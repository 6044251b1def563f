#include "base/proto.h"

#include <criterion/criterion.h>
#include <string.h>

static struct arena *arena;

static void open_arena(void)
{
    cr_assert_null(arena_create(&arena));
}
static void close_arena(void)
{
    arena_destroy(arena);
}
TestSuite(proto, .init = open_arena, .fini = close_arena);

static struct error *write_numbers(void *context)
{
    struct proto *to = context;
    proto_number(to, 1, 150);
    proto_number(to, 16, 0);
    proto_number(to, 2, -1);
    return NULL;
}

/* 150 is the example in the encoding's documentation. A field number above 15 has a tag of two
 * bytes. -1 takes ten bytes. */
Test(proto, numbers)
{
    static const unsigned char want[] = {0x08, 0x96, 0x01, 0x80, 0x01, 0x00, 0x10, 0xff, 0xff,
                                         0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01};
    struct proto to = {.arena = arena};
    cr_assert_null(arena_run(arena, write_numbers, &to));
    cr_assert_eq(to.size, sizeof want);
    cr_assert_arr_eq(to.bytes, want, sizeof want);
}

static struct error *write_double(void *context)
{
    proto_double(context, 2, 1.5);
    return NULL;
}

Test(proto, doubles)
{
    static const unsigned char want[] = {0x11, 0, 0, 0, 0, 0, 0, 0xf8, 0x3f};
    struct proto to = {.arena = arena};
    cr_assert_null(arena_run(arena, write_double, &to));
    cr_assert_eq(to.size, sizeof want);
    cr_assert_arr_eq(to.bytes, want, sizeof want);
}

static struct error *write_nested(void *context)
{
    struct proto *to = context, inner = {.arena = arena}, packed = inner, none = inner;
    proto_string(&inner, 2, "testing");
    proto_varint(&packed, 3);
    proto_varint(&packed, 270);
    proto_message(to, 3, &inner);
    proto_message(to, 4, &packed);
    proto_message(to, 5, &none);
    return NULL;
}

Test(proto, messages_within)
{
    static const char want[] = "\x1a\x09\x12\x07testing\x22\x03\x03\x8e\x02\x2a\x00";
    struct proto to = {.arena = arena};
    cr_assert_null(arena_run(arena, write_nested, &to));
    cr_assert_eq(to.size, sizeof want - 1);
    cr_assert_arr_eq(to.bytes, want, sizeof want - 1);
}

static struct error *write_much(void *context)
{
    for (int i = 0; i < 100000; i++)
        proto_string(context, 1, "0123456789");
    return NULL;
}

Test(proto, grows)
{
    struct proto to = {.arena = arena};
    cr_assert_null(arena_run(arena, write_much, &to));
    cr_assert_eq(to.size, 100000 * 12u);
    for (size_t i = 0; i < to.size; i += 12)
        cr_assert_arr_eq(to.bytes + i,
                         "\x0a\x0a"
                         "0123456789",
                         12);
}

static struct error *write_texts(void *context)
{
    static const char *const texts[] = {
        "a\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80", /* characters of 1 to 4 bytes */
        "\xe2\x82",
        "\xc0\xaf",
        "\xed\xa0\x80",
        "\xf5\x80",
        "\xa9\xc3"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        proto_string(context, 1, texts[i]);
    return NULL;
}

/* Cut characters, overlong ones, surrogates, and bytes that are nowhere. */
Test(proto, strings_are_utf8)
{
    static const char want[] = "\x0a\x0a"
                               "a\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\x0a\x02??\x0a\x02??"
                               "\x0a\x03???\x0a\x02??\x0a\x02??";
    struct proto to = {.arena = arena};
    cr_assert_null(arena_run(arena, write_texts, &to));
    cr_assert_eq(to.size, sizeof want - 1);
    cr_assert_arr_eq(to.bytes, want, sizeof want - 1);
}
