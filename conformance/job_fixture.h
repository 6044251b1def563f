/* job_fixture.h: for tests: a job whose processes are threads of the test: a client each, over a
 * key-value store in memory. One job a process. */
#ifndef GANTRY_CONFORMANCE_JOB_FIXTURE_H
#define GANTRY_CONFORMANCE_JOB_FIXTURE_H

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tools/abi.h"

enum { JOB_KEYS = 64 };

/* ---- The store ------------------------------------------------------------------------------- */
static struct job_entry {
    char key[128], *value;
    size_t size;
} job_entries[JOB_KEYS];
static int job_entry_count;
static pthread_mutex_t job_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t job_added = PTHREAD_COND_INITIALIZER;

static inline struct job_entry *job_find(const char *key, size_t size)
{
    for (int i = 0; i < job_entry_count; i++)
        if (strlen(job_entries[i].key) == size && !memcmp(job_entries[i].key, key, size))
            return &job_entries[i];
    return NULL;
}

static inline PJRT_Error *job_get(PJRT_KeyValueGetCallback_Args *args)
{
    struct job_entry *found;
    struct timespec end;
    int waited = 0;
    clock_gettime(CLOCK_REALTIME, &end);
    end.tv_sec += args->timeout_in_ms / 1000 + 1;
    pthread_mutex_lock(&job_lock);
    while (!(found = job_find(args->key, args->key_size)) && !waited)
        waited = pthread_cond_timedwait(&job_added, &job_lock, &end);
    if (found) {
        args->value = found->value;
        args->value_size = found->size;
    }
    pthread_mutex_unlock(&job_lock);
    return found ? NULL
                 : (*args->callback_error)(PJRT_Error_Code_DEADLINE_EXCEEDED, "no such key", 11);
}

static inline PJRT_Error *job_put(PJRT_KeyValuePutCallback_Args *args)
{
    pthread_mutex_lock(&job_lock);
    bool is_known = job_find(args->key, args->key_size) != NULL;
    if (!is_known && job_entry_count < JOB_KEYS) {
        struct job_entry *made = &job_entries[job_entry_count++];
        memcpy(made->key, args->key, args->key_size);
        made->size = args->value_size;
        made->value = malloc(args->value_size + 1);
        memcpy(made->value, args->value, args->value_size);
        pthread_cond_broadcast(&job_added);
    }
    pthread_mutex_unlock(&job_lock);
    return is_known ? (*args->callback_error)(PJRT_Error_Code_ALREADY_EXISTS, "known", 5) : NULL;
}

/* ---- Clients --------------------------------------------------------------------------------- */
static inline PJRT_NamedValue job_option(const char *name, int64_t value)
{
    return (PJRT_NamedValue){.struct_size = PJRT_NamedValue_STRUCT_SIZE,
                             .name = name,
                             .name_size = strlen(name),
                             .type = PJRT_NamedValue_kInt64,
                             .int64_value = value,
                             .value_size = 1};
}

/* Creates the client of process `process`; it waits for those of the others. */
static inline struct error *job_join(const PJRT_Api *api, int process, int processes,
                                     PJRT_Client **out)
{
    PJRT_NamedValue options[] = {job_option("node_id", process),
                                 job_option("num_nodes", processes)};
    ABI_ARGS(Client_Create, args, .create_options = options, .num_options = 2,
             .kv_get_callback = job_get, .kv_put_callback = job_put);
    TRY(ABI_CALL(api, Client_Create, &args));
    *out = args.client;
    return NULL;
}

#endif
