/* topology_store_fuzz.c: a key-value store that answers with anything, for process 0 or 1 of two:
 * an error, or a job whose fields are within their limits, and neither leaks nor endless tries.
 * Each answer of get is a byte (a value, or an error), two bytes of size, and the value; of put, a
 * byte. Where the input ends, keys are missing and values are stored. */
#include <string.h>

#include "base/alloc.h"
#include "runtime/topology_exchange.h"

enum { PROCESSES = 2 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct input {
    const uint8_t *data;
    size_t size;
};

static size_t take(struct input *input, size_t count, const uint8_t **out)
{
    count = count < input->size ? count : input->size;
    *out = input->data;
    input->data += count;
    input->size -= count;
    return count;
}

static int take_byte(struct input *input)
{
    const uint8_t *byte;
    return take(input, 1, &byte) ? *byte : -1;
}

static struct error *get(void *context, const char *key, int64_t milliseconds, char **value,
                         size_t *size)
{
    const uint8_t *bytes;
    int kind = take_byte(context);
    (void)milliseconds;
    *value = NULL;
    if (kind < 0 || kind % 4 == 1)
        return ERROR(DEADLINE_EXCEEDED, "no key '%s'", key);
    if (kind % 4 == 2)
        return ERROR(UNAVAILABLE, "no store");
    int low = take_byte(context), high = take_byte(context);
    *size = take(context, (size_t)((low & 0xff) | (high & 0xff) << 8), &bytes);
    return alloc_copy(*size ? (const char *)bytes : "", *size, value);
}

static struct error *put(void *context, const char *key, const char *value, size_t size)
{
    int kind = take_byte(context);
    (void)value, (void)size;
    if (kind > 0 && kind % 4 == 1)
        return ERROR(ALREADY_EXISTS, "there is a key '%s'", key);
    return kind > 0 && kind % 4 == 2 ? ERROR(UNAVAILABLE, "no store") : NULL;
}

static void check(const struct topology_job *job)
{
    if (job->count != PROCESSES)
        __builtin_trap();
    for (int i = 0; i < PROCESSES; i++) {
        const struct topology_process *process = &job->processes[i];
        if (process->devices < 1 || process->devices > TOPOLOGY_MAX_DEVICES ||
            !process->address_size || !process->host || !process->boot || !process->build)
            __builtin_trap();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static char text[] = "text", address[] = "address";
    struct input input = {data, size};
    struct topology_process self = {text, text, text, address, sizeof address, 1, 0, 0};
    struct key_value_store store = {get, put, &input};
    struct topology_job job;
    int process = take_byte(&input) & 1;
    struct error *error = topology_exchange(&store, "cpu", process, PROCESSES, &self, &job);
    if (!error)
        check(&job);
    else if (job.processes)
        __builtin_trap();
    topology_job_free(&job);
    error_free(error);
    return 0;
}
