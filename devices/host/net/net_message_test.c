#include "devices/host/net/net_message.h"

#include <criterion/criterion.h>
#include <string.h>

static const uint8_t token[NET_TOKEN] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
static struct net_message message, got;

static bool is_refused(const void *bytes, size_t size)
{
    struct error *error = net_message_read(bytes, size, token, 4, 2, &got);
    bool refused = error && error_code(error) == PJRT_Error_Code_INVALID_ARGUMENT;
    error_free(error);
    return refused;
}

Test(net_message, arrives_as_it_was_sent)
{
    net_message_make(&message, NET_FAIL, token, 3, "step failed");
    message.execution = (struct net_execution){7, 9};
    message.code = PJRT_Error_Code_INTERNAL;
    cr_assert_null(net_message_read(&message, net_message_size(&message), token, 4, 2, &got));
    cr_expect_eq(got.kind, NET_FAIL);
    cr_expect_eq(got.sender, 3);
    cr_expect_eq(got.execution.sequence, 9);
    cr_expect_str_eq(got.text, "step failed");
}

Test(net_message, long_text_is_cut)
{
    char text[2 * NET_TEXT];
    memset(text, 'x', sizeof text);
    text[sizeof text - 1] = '\0';
    net_message_make(&message, NET_LAUNCH, token, 0, text);
    cr_assert_null(net_message_read(&message, net_message_size(&message), token, 4, 2, &got));
    cr_expect_eq(strlen(got.text), NET_TEXT);
}

Test(net_message, refuses_what_is_not_of_the_job)
{
    net_message_make(&message, NET_LAUNCH, token, 3, "main");
    size_t size = net_message_size(&message);
    cr_expect(is_refused(&message, size - 1));
    cr_expect(is_refused(&message, 0));
    cr_expect(is_refused(&message, sizeof message + 1));
    for (size_t i = 0; i < offsetof(struct net_message, execution); i++) {
        if (i == offsetof(struct net_message, kind)) /* another kind of message */
            continue;
        struct net_message changed = message;
        ((uint8_t *)&changed)[i] ^= 0x40;
        cr_expect(is_refused(&changed, size), "byte %zu", i);
    }
    message.sender = 4;
    cr_expect(is_refused(&message, size));
    message.sender = 2; /* the receiver itself */
    cr_expect(is_refused(&message, size));
    message.sender = 3;
    cr_expect_not(is_refused(&message, size));
    message.awaited = 4;
    cr_expect(is_refused(&message, size));
}

/* The reference vectors of SipHash-2-4 for whole words: key 00..0f, input 00 01 02 ... */
Test(net_message, hash_is_siphash)
{
    uint8_t key[NET_TOKEN], input[16];
    uint64_t words[2];
    for (int i = 0; i < NET_TOKEN; i++)
        key[i] = input[i] = (uint8_t)i;
    memcpy(words, input, sizeof words);
    cr_expect_eq(net_message_hash(key, words, 0), 0x726fdb47dd0e0e31);
    cr_expect_eq(net_message_hash(key, words, 1), 0x93f5f5799a932462);
    cr_expect_eq(net_message_hash(key, words, 2), 0x3f2acc7f57c29bdb);
}
