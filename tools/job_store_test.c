/* job_store_test.c: the store of a job: keys, waiting, and foreign bytes. */
#include "tools/job_store.h"

#include <criterion/criterion.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/thread.h"
#include "tools/job_wire.h"

static char address[64];
static struct job_store *server;

static void begin(void)
{
    struct sockaddr_in any = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof any;
    int file = socket(AF_INET, SOCK_STREAM, 0);
    cr_assert(!bind(file, (struct sockaddr *)&any, size) &&
              !getsockname(file, (struct sockaddr *)&any, &size));
    close(file);
    snprintf(address, sizeof address, "127.0.0.1:%d", ntohs(any.sin_port));
    cr_assert_null(job_store_open(address, true, 5, &server));
}

static void end(void)
{
    job_store_close(server, 0.1);
}

static void expect_code(struct error *error, PJRT_Error_Code code)
{
    cr_assert_not_null(error);
    cr_expect_eq(error_code(error), code, "%s", error_message(error, NULL));
    error_free(error);
}

static void expect_value(struct job_store *store, const char *key, const char *value)
{
    char *got;
    size_t size;
    cr_assert_null(job_store_get(store, key, 5000, &got, &size));
    cr_expect_eq(size, strlen(value));
    cr_expect_str_eq(got, value);
    alloc_free(got);
}

static void put_soon(void *argument)
{
    usleep(20000);
    error_free(job_store_put(argument, "late", "value", 5));
}

Test(job_store, keys, .init = begin, .fini = end)
{
    struct job_store *other;
    char *none;
    size_t size;
    cr_assert_null(job_store_open(address, false, 5, &other));
    cr_assert_null(job_store_put(server, "a/b", "one", 3));
    cr_assert_null(job_store_put(server, "empty", "", 0));
    expect_value(other, "a/b", "one");
    expect_value(other, "empty", "");
    expect_code(job_store_put(other, "a/b", "two", 3), PJRT_Error_Code_ALREADY_EXISTS);
    expect_value(server, "a/b", "one");
    expect_code(job_store_get(other, "none", 10, &none, &size), PJRT_Error_Code_DEADLINE_EXCEEDED);
    cr_assert(thread_start("put", put_soon, server));
    expect_value(other, "late", "value");
    expect_code(job_store_put(server, "", "x", 1), PJRT_Error_Code_INVALID_ARGUMENT);
    expect_code(job_store_put(server, "big", "", JOB_WIRE_MAX_VALUE + 1),
                PJRT_Error_Code_INVALID_ARGUMENT);
    job_store_close(other, 0);
}

Test(job_store, addresses)
{
    struct job_store *none;
    expect_code(job_store_open("no-port", false, 1, &none), PJRT_Error_Code_INVALID_ARGUMENT);
    expect_code(job_store_open("no-such-host.invalid:1", false, 1, &none),
                PJRT_Error_Code_UNAVAILABLE);
    struct error *refused = job_store_open("127.0.0.1:1", false, 0, &none);
    cr_assert_not_null(strstr(error_message(refused, NULL), "Is process 0 running"));
    error_free(refused);
    /* an address of documentation: of no host */
    expect_code(job_store_open("192.0.2.1:1", true, 1, &none), PJRT_Error_Code_UNAVAILABLE);
}

/* Sends bytes to the server on a connection of their own, and ends it. */
static void send_bytes(const void *bytes, size_t size)
{
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int file = socket(AF_INET, SOCK_STREAM, 0);
    to.sin_port = htons((uint16_t)atoi(strchr(address, ':') + 1));
    cr_assert(!connect(file, (struct sockaddr *)&to, sizeof to));
    job_wire_write(file, bytes, size);
    close(file);
}

Test(job_store, foreign_bytes, .init = begin, .fini = end)
{
    struct job_wire_request good = {JOB_WIRE_MAGIC, JOB_WIRE_PUT, 3, 1 << 20, 0};
    unsigned seed = 1;
    send_bytes("GET / HTTP/1.1\r\n\r\n", 18);
    for (int i = 0; i < 500; i++) { /* a request with a changed word, truncated */
        char bytes[sizeof good + 8] = "";
        struct job_wire_request made = good;
        seed = seed * 1664525 + 1013904223;
        ((uint32_t *)(void *)&made)[i % 5] = i % 3 ? seed : seed >> 24;
        memcpy(bytes, &made, sizeof made);
        send_bytes(bytes, seed % sizeof bytes);
    }
    cr_assert_null(job_store_put(server, "key", "value", 5));
    expect_value(server, "key", "value");
}
