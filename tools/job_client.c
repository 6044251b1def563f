#include "tools/job_client.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/env.h"
#include "base/number.h"

enum {
    MAX_PROCESSES = 65536,
    DEFAULT_TIMEOUT = 120, /* seconds: as of topology_exchange.c */
    END_SECONDS = 10,      /* for the others, when process 0 has ended */
    KEY = 256
};

/* A number from 0, or -1. */
static int64_t read_number(const char *variable)
{
    const char *text = getenv(variable);
    int64_t value;
    return text && number_read(text, 0, INT64_MAX, &value) ? value : -1;
}

struct error *job_client_find(struct job_client *out)
{
    int64_t count = read_number("WORLD_SIZE"), process = read_number("RANK");
    *out = (struct job_client){.coordinator = env_text(ENV_JAX_COORDINATOR_ADDRESS)};
    if (count < 1 || process < 0 || !out->coordinator)
        return ERROR(FAILED_PRECONDITION,
                     "this process is not part of a job: RANK, WORLD_SIZE and "
                     "JAX_COORDINATOR_ADDRESS say which one. `gantry launch -n 2 -- gantry ...` "
                     "sets them; see docs/several_hosts.md for several hosts");
    if (count < 2 || count > MAX_PROCESSES || process >= count)
        return ERROR(INVALID_ARGUMENT,
                     "RANK is %lld and WORLD_SIZE %lld; allowed: a job of 2 to %d processes, and "
                     "their numbers from 0",
                     (long long)process, (long long)count, MAX_PROCESSES);
    out->count = (int)count;
    out->process = (int)process;
    return NULL;
}

struct error *job_client_open(struct job_client *job)
{
    double seconds = (double)env_int(ENV_GANTRY_TOPOLOGY_TIMEOUT, DEFAULT_TIMEOUT);
    return job_store_open(job->coordinator, !job->process, seconds, &job->store);
}

void job_client_close(struct job_client *job)
{
    job_store_close(job->store, END_SECONDS);
    job->store = NULL;
}

/* ---- the client ------------------------------------------------------------------------------ */
static void delete_value(char *value)
{
    alloc_free(value);
}

/* Hands an error (moved) to the plugin. */
static PJRT_Error *refuse(PJRT_CallbackError *make, struct error *error)
{
    size_t size;
    const char *message = error_message(error, &size);
    PJRT_Error *made = (*make)(error_code(error), message, size);
    error_free(error);
    return made;
}

/* A key as text. Two that begin alike must not become one. */
static struct error *read_key(const char *from, size_t size, char key[KEY])
{
    if (size >= KEY)
        return ERROR(INVALID_ARGUMENT, "a key of %zu bytes for the job's store; allowed: 1 to %d",
                     size, KEY - 1);
    memcpy(key, from, size);
    key[size] = '\0';
    return NULL;
}

static PJRT_Error *get(PJRT_KeyValueGetCallback_Args *args)
{
    struct job_client *job = args->user_arg;
    char key[KEY];
    struct error *error = read_key(args->key, args->key_size, key);
    if (!error)
        error =
            job_store_get(job->store, key, args->timeout_in_ms, &args->value, &args->value_size);
    args->value_deleter_callback = delete_value;
    return error ? refuse(args->callback_error, error) : NULL;
}

static PJRT_Error *put(PJRT_KeyValuePutCallback_Args *args)
{
    struct job_client *job = args->user_arg;
    char key[KEY];
    struct error *error = read_key(args->key, args->key_size, key);
    if (!error)
        error = job_store_put(job->store, key, args->value, args->value_size);
    return error ? refuse(args->callback_error, error) : NULL;
}

static PJRT_NamedValue number(const char *name, int64_t value)
{
    return (PJRT_NamedValue){.struct_size = PJRT_NamedValue_STRUCT_SIZE,
                             .name = name,
                             .name_size = strlen(name),
                             .type = PJRT_NamedValue_kInt64,
                             .int64_value = value,
                             .value_size = 1};
}

struct error *job_client_join(struct job_client *job, const PJRT_Api *api, PJRT_Client **out)
{
    PJRT_NamedValue options[] = {number("node_id", job->process), number("num_nodes", job->count)};
    ABI_ARGS(Client_Create, args, .create_options = options, .num_options = 2,
             .kv_get_callback = get, .kv_get_user_arg = job, .kv_put_callback = put,
             .kv_put_user_arg = job);
    *out = NULL;
    TRY(ABI_CALL(api, Client_Create, &args));
    *out = args.client;
    return NULL;
}

/* ---- objects --------------------------------------------------------------------------------- */
static void key_of(char out[KEY], const char *name, int process)
{
    snprintf(out, KEY, "job/%s/%d", name, process);
}

struct error *job_client_put(struct job_client *job, const char *name, const cJSON *object)
{
    char key[KEY], *text = cJSON_PrintUnformatted(object);
    if (!text)
        return error_out_of_memory();
    key_of(key, name, job->process);
    struct error *error = job_store_put(job->store, key, text, strlen(text));
    cJSON_free(text);
    return error;
}

struct error *job_client_get(struct job_client *job, const char *name, int process, double seconds,
                             cJSON **out)
{
    char key[KEY], *text;
    size_t size;
    key_of(key, name, process);
    *out = NULL;
    TRY(job_store_get(job->store, key, (int64_t)(1e3 * seconds), &text, &size));
    *out = cJSON_ParseWithLength(text, size);
    alloc_free(text);
    return *out ? NULL : ERROR(INVALID_ARGUMENT, "the report of process %d is not JSON", process);
}
