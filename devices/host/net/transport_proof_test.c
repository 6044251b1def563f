/* transport_proof_test.c: connections from programs that do not know the job's token, or say
 * anything: they are closed, nothing of theirs reaches the process, and messages go on. */
#include <arpa/inet.h>
#include <criterion/criterion.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "base/alloc.h"
#include "devices/host/net/net_library.h"
#include "devices/host/net/net_proof.h"

enum { LIMIT = 20 /* seconds */, STEPS = 2000 };

static const uint8_t token[NET_TOKEN] = {1, 2, 3}, other_token[NET_TOKEN] = {3, 2, 1};
static const struct transport_ops *ops;

struct end {
    struct transport *transport;
    void *address;
    size_t size;
};

/* `key`: NULL: not yet. */
static struct end open_end(const uint8_t *key)
{
    struct end end;
    setenv("UCX_TLS", "tcp", 1);
    cr_assert_null(net_library(&ops));
    cr_assert_null(ops->init("lo", &end.transport));
    cr_assert_null(ops->address(end.transport, &end.address, &end.size));
    if (key)
        ops->admit(end.transport, key);
    return end;
}

static void close_end(struct end *end)
{
    ops->close(end->transport);
    alloc_free(end->address);
}

static void advance(const struct end *end)
{
    ops->progress(end->transport);
    ops->arm(end->transport);
}

static void note(void *count)
{
    ++*(int *)count;
}

static void finish(void *context, enum transport_status status, uint64_t size)
{
    *(int *)context = status == TRANSPORT_DONE && size == 6 ? 1 : -1;
}

static void ignore(void *context, enum transport_status status, uint64_t size)
{
    (void)context, (void)status, (void)size;
}

struct message {
    char text[6];
    int received, lost; /* counts */
};

static void begin_message(const struct end *from, const struct end *to, struct message *message)
{
    static uint64_t tag; /* a message that does not come leaves its receive behind */
    struct transport_peer *peer;
    *message = (struct message){0};
    cr_assert_null(
        ops->connect(from->transport, to->address, to->size, note, &message->lost, &peer));
    ops->irecv(to->transport, ++tag, message->text, sizeof message->text, finish,
               &message->received);
    ops->isend(peer, tag, "hello", 6, ignore, NULL);
}

static void await_message(const struct end *from, const struct end *to, struct message *message)
{
    for (time_t limit = time(NULL) + LIMIT; time(NULL) < limit;) {
        if (message->received || message->lost)
            return;
        advance(from);
        advance(to);
    }
}

static bool works(const struct end *end)
{
    struct message message;
    begin_message(end, end, &message);
    await_message(end, end, &message);
    return message.received == 1 && !message.lost && !strcmp(message.text, "hello");
}

/* ---- strangers ------------------------------------------------------------------------------- */
/* Connects, and waits until the process has accepted it. */
static int knock(const struct end *end)
{
    uint8_t number[NET_NUMBER];
    char text[512];
    unsigned port;
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
    ops->listens(end->transport, text, sizeof text);
    const char *found = strstr(text, "127.0.0.1:");
    cr_assert(found && sscanf(found, "127.0.0.1:%u", &port) == 1, "listens at '%s'", text);
    address.sin_port = htons((uint16_t)port);
    int file = socket(AF_INET, SOCK_STREAM, 0);
    cr_assert(!connect(file, (struct sockaddr *)&address, sizeof address), "%s", strerror(errno));
    cr_assert_eq(recv(file, number, sizeof number, MSG_WAITALL), NET_NUMBER);
    return file;
}

static bool is_closed(int file)
{
    char bytes[256];
    ssize_t size;
    do
        size = recv(file, bytes, sizeof bytes, MSG_DONTWAIT);
    while (size > 0);
    return !size || (errno != EAGAIN && errno != EINTR);
}

static bool is_closed_soon(const struct end *end, int file)
{
    for (time_t limit = time(NULL) + LIMIT; time(NULL) < limit; advance(end))
        if (is_closed(file))
            return true;
    return false;
}

static void make_steps(const struct end *end)
{
    for (int i = 0; i < STEPS; i++)
        advance(end);
}

/* Sends `size` bytes, and then nothing. */
static void expect_closed_in_time(const void *bytes, size_t size)
{
    struct end end = open_end(token);
    int file = knock(&end);
    cr_assert_eq(send(file, bytes, size, MSG_NOSIGNAL), (ssize_t)size);
    make_steps(&end);
    for (int i = 0; i < TRANSPORT_CHECKS; i++)
        ops->check(end.transport);
    make_steps(&end);
    cr_expect_not(is_closed(file), "%zu bytes: a process that is late would be shut out", size);
    cr_expect(works(&end), "beside a silent connection");
    ops->check(end.transport);
    cr_expect(is_closed_soon(&end, file), "%zu bytes and nothing else", size);
    cr_expect(works(&end));
    close(file);
    close_end(&end);
}

Test(transport_proof, closes_silent_connections, .timeout = 120)
{
    static const char bytes[NET_PROOF_BYTES];
    expect_closed_in_time(bytes, 0);
    expect_closed_in_time(bytes, NET_PROOF_BYTES - 1);
}

static void expect_closed(const void *bytes, size_t size)
{
    struct end end = open_end(token);
    int file = knock(&end);
    cr_assert_eq(send(file, bytes, size, MSG_NOSIGNAL), (ssize_t)size);
    cr_expect(is_closed_soon(&end, file));
    make_steps(&end);
    cr_expect(works(&end));
    close(file);
    close_end(&end);
}

Test(transport_proof, closes_connections_with_garbage, .timeout = 120)
{
    static uint8_t bytes[1 << 16];
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)(i * 2654435761u >> 13);
    expect_closed(bytes, sizeof bytes);
    expect_closed(bytes, NET_PROOF_BYTES);
}

/* UCX's message that writes to memory of the process that reads it, as its own peers would send. */
struct __attribute__((packed)) writing {
    uint64_t magic;
    uint8_t kind;
    uint32_t head_size;
    uint64_t address, size;
    uint32_t number;
    uint64_t value;
};

Test(transport_proof, writes_no_memory_for_strangers, .timeout = 120)
{
    static volatile uint64_t memory = 1;
    struct writing message = {.magic = 0xcafebabe12345678,
                              .kind = 33,
                              .head_size = 20,
                              .address = (uint64_t)(uintptr_t)&memory,
                              .size = sizeof memory,
                              .value = 2};
    expect_closed(&message, sizeof message);
    cr_expect_eq(memory, 1);
}

/* ---- other processes ------------------------------------------------------------------------- */
Test(transport_proof, refuses_processes_of_other_jobs, .timeout = 60)
{
    struct end one = open_end(token), other = open_end(other_token);
    struct message message;
    begin_message(&other, &one, &message);
    await_message(&other, &one, &message);
    cr_expect(!message.received && message.lost == 1);
    cr_expect(works(&one));
    close_end(&other);
    close_end(&one);
}

/* What listens at a peer's address is no process of the job. */
Test(transport_proof, sends_nothing_to_a_stranger, .timeout = 60)
{
    struct end one = open_end(token), other = open_end(other_token);
    struct message message;
    begin_message(&one, &other, &message);
    await_message(&one, &other, &message);
    cr_expect(!message.received && message.lost == 1);
    close_end(&other);
    close_end(&one);
}

Test(transport_proof, waits_for_the_token, .timeout = 60)
{
    struct end early = open_end(token), late = open_end(NULL);
    struct message message;
    begin_message(&early, &late, &message);
    for (int i = 0; i < STEPS; i++) {
        advance(&early);
        advance(&late);
        ops->check(late.transport);
    }
    cr_expect(!message.received && !message.lost);
    ops->admit(late.transport, token);
    await_message(&early, &late, &message);
    cr_expect_eq(message.received, 1);
    close_end(&late);
    close_end(&early);
}
