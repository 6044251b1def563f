/* execute_tsan.c: threads that execute chains of cheap and expensive programs on shared and own
 * buffers, with donation, deletion, external references and callbacks, on a fake device. Exits 0
 * when every value is right and the thread sanitizer reports nothing. */
#include <pthread.h>
#include <stdio.h>

#include "runtime/buffer_to_host.h"
#include "runtime/execute.h"
#include "runtime/fake_device.h"

enum { THREADS = 8, ROUNDS = 200, STEPS = 10 };

static struct client *client;
/* cheap, expensive; then the same with donation; last one that is tried first (trial.h) */
static struct loaded_executable *programs[5];
static struct buffer *common;
static atomic_int wrong, observed;

#define CHECK(expr)                                                                                \
    do {                                                                                           \
        if (!(expr)) {                                                                             \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #expr);                             \
            atomic_fetch_add(&wrong, 1);                                                           \
        }                                                                                          \
    } while (0)

static void fine(struct error *error)
{
    if (error)
        fprintf(stderr, "%s\n", error_message(error, NULL));
    CHECK(!error);
    error_free(error);
}

static void hear(struct error *error, void *context)
{
    fine(error);
    atomic_fetch_add((atomic_int *)context, 1);
}

static struct buffer *upload(float value)
{
    float data[4] = {value, value, value, value};
    int64_t dims = 4;
    struct event *done;
    struct buffer *buffer;
    struct shape shape = {.dtype = DTYPE_F32, .rank = 1, .dims = &dims};
    fine(buffer_from_host(&client->devices[0]->memories[0], &shape,
                          &(struct host_array){.data = data, .shape = shape}, 0, &done, &buffer));
    return buffer;
}

static struct buffer *run(struct loaded_executable *loaded, struct buffer *argument)
{
    struct buffer *result = NULL, *const * lists[] = {&argument}, **const outputs[] = {&result};
    struct event *completed;
    fine(execute(&(struct execute_request){.executable = loaded,
                                           .device_count = 1,
                                           .argument_count = 1,
                                           .arguments = lists,
                                           .results = outputs,
                                           .completed = &completed}));
    fine(event_on_ready(completed, hear, &observed));
    event_release(completed);
    return result;
}

static void check_value(struct buffer *buffer, float wanted)
{
    float got[4] = {0};
    struct event *done;
    fine(buffer_to_host(buffer, NULL, got, sizeof got, &done));
    fine(event_await(done));
    event_release(done);
    CHECK(got[0] == wanted && got[3] == wanted);
}

static void *work(void *argument)
{
    unsigned seed = *(unsigned *)argument;
    for (int round = 0; round < ROUNDS; round++) {
        struct buffer *buffer = run(programs[seed >> 8 & 1], common);
        for (int step = 1; step < STEPS; step++) {
            seed = seed * 1103515245 + 12345;
            void *address = NULL;
            bool hold = (seed >> 16 & 7) == 0;
            if (hold)
                fine(buffer_external_retain(buffer));
            struct buffer *next = run(programs[(seed >> 20) % 5], buffer);
            if (hold) {
                fine(buffer_pointer(buffer, &address));
                CHECK(*(float *)address == (float)(step + 1));
                fine(buffer_external_release(buffer));
            }
            if (seed >> 24 & 1)
                buffer_delete(buffer);
            buffer_release(buffer);
            buffer = next;
        }
        check_value(buffer, STEPS + 1);
        buffer_release(buffer);
    }
    return NULL;
}

int main(void)
{
    pthread_t threads[THREADS];
    unsigned seeds[THREADS];
    fine(client_create(&fake_library, NULL, &client));
    for (int i = 0; i < 4; i++)
        fine(fake_load(client, "add", 1, 4, i >= 2, i & 1 ? 1 << 30 : 1, &programs[i]));
    fine(fake_load(client, "spend", 1, 4, false, PROGRAM_UNBOUNDED, &programs[4]));
    common = upload(1);
    for (unsigned i = 0; i < THREADS; i++) {
        seeds[i] = i * 7919;
        pthread_create(&threads[i], NULL, work, &seeds[i]);
    }
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    check_value(common, 1);
    buffer_release(common);
    for (int i = 0; i < 5; i++)
        loaded_executable_release(programs[i]);
    client_close(client);
    CHECK(atomic_load(&observed) == THREADS * ROUNDS * STEPS);
    return atomic_load(&wrong) != 0;
}
