#include "runtime/host_transfer.h"

#include <criterion/criterion.h>
#include <pthread.h>
#include <string.h>

#include "base/alloc.h"

static char sent[16];
static int freed;

static void count_free(void *data, void *unused)
{
    (void)data, (void)unused;
    freed++;
}

static struct error *on_send(const struct host_channel *channel, struct host_chunk *chunk)
{
    memcpy(sent, chunk->data, chunk->size);
    chunk->deleter(chunk->data, chunk->deleter_arg);
    return channel->user ? ERROR(DATA_LOSS, "channel %lld", (long long)channel->id) : NULL;
}

/* Writes four bytes, one at a time, on a separate thread. */
static void *write_slowly(void *stream)
{
    for (char byte = 0; host_stream_current(stream) < host_stream_total(stream); byte++) {
        struct host_chunk chunk = {&byte, 1, count_free, NULL};
        cr_expect_null(host_stream_add(stream, &chunk));
    }
    host_stream_drop(stream);
    return NULL;
}

static pthread_t writer;

static void on_receive(const struct host_channel *channel, struct host_stream *stream)
{
    (void)channel;
    pthread_create(&writer, NULL, write_slowly, stream);
}

static void on_receive_drop(const struct host_channel *channel, struct host_stream *stream)
{
    (void)channel;
    host_stream_drop(stream);
}

static void expect(struct error *error, PJRT_Error_Code code, const char *words)
{
    cr_assert_not_null(error);
    cr_expect_eq(error_code(error), code);
    cr_expect(strstr(error_message(error, NULL), words), "%s", error_message(error, NULL));
    error_free(error);
}

static int64_t before;
static struct host_transfer *transfer;
static const struct launch_host *host;

static void setup(void)
{
    struct host_channel channels[] = {{.id = 7, .send_callback = on_send},
                                      {.id = 3, .receive_callback = on_receive},
                                      {.id = 7, .receive_callback = on_receive_drop},
                                      {.id = -2, .send_callback = on_send, .user = sent}};
    before = alloc_live();
    freed = 0;
    cr_assert_null(host_transfer_create(4, channels, &transfer));
    host = host_transfer_launch(transfer);
}

static void teardown(void)
{
    host_transfer_release(transfer);
    cr_expect_eq(alloc_live(), before);
}

TestSuite(host_transfer, .init = setup, .fini = teardown);

Test(host_transfer, sends_go_to_their_channel)
{
    cr_assert_null(host->send(host, 7, "abc", 4));
    cr_expect_str_eq(sent, "abc");
    expect(host->send(host, -2, "def", 4), PJRT_Error_Code_DATA_LOSS, "channel -2");
    expect(host->send(host, 3, "", 0), PJRT_Error_Code_NOT_FOUND, "channel 3");
}

Test(host_transfer, receives_wait_for_all_bytes)
{
    char data[5] = {9, 9, 9, 9, 9};
    cr_assert_null(host->receive(host, 3, data, 4));
    pthread_join(writer, NULL);
    cr_expect(!memcmp(data, "\0\1\2\3\11", 5));
    cr_expect_eq(freed, 4);
}

Test(host_transfer, what_is_dropped_fails)
{
    char data[4];
    expect(host->receive(host, 7, data, 4), PJRT_Error_Code_ABORTED, "0 of 4 bytes");
    cr_expect_null(host->receive(host, 7, data, 0));
    expect(host->receive(host, -2, data, 4), PJRT_Error_Code_NOT_FOUND, "channel -2");
}

Test(host_transfer, a_program_needs_all_its_channels)
{
    struct program_channel channels[] = {{7, false}, {7, true}, {3, true}};
    struct program program = {.name = "p", .channel_count = 3, .channels = channels};
    cr_expect_null(host_transfer_check(transfer, &program));
    channels[2].receives = false;
    expect(host_transfer_check(transfer, &program), PJRT_Error_Code_INVALID_ARGUMENT, "channel 3");
    expect(host_transfer_check(NULL, &program), PJRT_Error_Code_INVALID_ARGUMENT,
           "sends on channel 7");
    program.channel_count = 0;
    cr_expect_null(host_transfer_check(NULL, &program));
}

Test(host_transfer, two_callbacks_for_one_channel_are_refused)
{
    struct host_channel twice[] = {{.id = 1, .send_callback = on_send},
                                   {.id = 2, .send_callback = on_send},
                                   {.id = 1, .send_callback = on_send}};
    struct host_transfer *none;
    expect(host_transfer_create(3, twice, &none), PJRT_Error_Code_INVALID_ARGUMENT, "channel 1");
    cr_expect_null(none);
}
