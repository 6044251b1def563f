/* job_store_test.c: the store of a job: keys, waiting, and foreign bytes. */
#include "tools/job_store.h"

#include <criterion/criterion.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
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

/* ---- a listener that is another program ------------------------------------------------------ */
static const struct job_wire_answer replies[2] = {{1, 0, 0}, {JOB_WIRE_MAGIC, 0, 0}};

/* Answers with foreign bytes, and then as a store would. */
static void reply(void *listener)
{
    int file = accept(*(int *)listener, NULL, NULL);
    job_wire_write(file, replies, sizeof replies);
    for (char byte; job_wire_read(file, &byte, 1);)
        ;
    close(file);
}

Test(job_store, an_answer_that_comes_late_is_of_no_other_request)
{
    struct sockaddr_in any = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof any;
    struct job_store *store;
    int listener = socket(AF_INET, SOCK_STREAM, 0);
    cr_assert(!bind(listener, (struct sockaddr *)&any, size) && !listen(listener, 1) &&
              !getsockname(listener, (struct sockaddr *)&any, &size));
    snprintf(address, sizeof address, "127.0.0.1:%d", ntohs(any.sin_port));
    cr_assert(thread_start("reply", reply, &listener));
    cr_assert_null(job_store_open(address, false, 5, &store));
    for (int i = 0; i < 2; i++)
        expect_code(job_store_put(store, "key", "value", 5), PJRT_Error_Code_UNAVAILABLE);
    job_store_close(store, 0);
    close(listener);
}

/* ---- memory ---------------------------------------------------------------------------------- */
enum { WAITING = 8, MOST_VALUES = 15 /* of the largest size, that a store has */ };

/* Puts the largest values until one is refused; how many were not. */
static int fill(const char *value, const char *name)
{
    char key[32];
    struct error *error = NULL;
    int count = -1;
    while (!error) {
        snprintf(key, sizeof key, "%s%d", name, ++count);
        error = job_store_put(server, key, value, JOB_WIRE_MAX_VALUE);
    }
    expect_code(error, PJRT_Error_Code_RESOURCE_EXHAUSTED);
    return count;
}

/* Values count as soon as they are announced, and no longer when their client has ended. */
Test(job_store, values_that_do_not_come, .init = begin, .fini = end)
{
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    to.sin_port = htons((uint16_t)atoi(strchr(address, ':') + 1));
    int files[WAITING], count;
    char *value = calloc(1, JOB_WIRE_MAX_VALUE);
    for (int i = 0; i < WAITING; i++) {
        struct job_wire_request put = {JOB_WIRE_MAGIC, JOB_WIRE_PUT, 1, JOB_WIRE_MAX_VALUE, 0};
        files[i] = socket(AF_INET, SOCK_STREAM, 0);
        cr_assert(!connect(files[i], (struct sockaddr *)&to, sizeof to));
        job_wire_write(files[i], &put, sizeof put);
        job_wire_write(files[i], "k", 1);
    }
    count = fill(value, "first");
    cr_expect_lt(count, MOST_VALUES);
    for (int i = 0; i < WAITING; i++)
        close(files[i]);
    for (int i = 0; i < 1000 && count < MOST_VALUES; i++) {
        char name[32];
        snprintf(name, sizeof name, "round%d-", i);
        usleep(10000);
        count += fill(value, name);
    }
    cr_expect_eq(count, MOST_VALUES);
    cr_assert_null(job_store_put(server, "small", "value", 5), "the connection goes on");
    free(value);
}
