#include "runtime/topology_exchange.h"

#include <cjson/cJSON.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/cpu.h"
#include "base/env.h"
#include "base/fpu.h"
#include "base/text.h"
#include "version.h"

enum {
    VERSION = 2,
    DEFAULT_TIMEOUT = 120, /* seconds */
    MAX_TEXT = 256,        /* bytes of a host's name, and the like */
    MAX_ADDRESS = 64 << 10,
    MAX_BYTES_A_PROCESS = 4 * MAX_ADDRESS, /* of a description */
    MAX_GENERATIONS = 10000,
    MAX_NAMED = 16,
    LEAST_GRACE = 10000, /* milliseconds */
    MAX_FAILURE = 1024,  /* bytes of a message */
    KEY = 128
};

/* In the description of a job that did not begin: the message and PJRT's code of the error. */
static const char FAILURE[] = "failure", CODE[] = "code";

static int64_t now_ms(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * INT64_C(1000) + time.tv_nsec / 1000000;
}

/* ---- this process ---------------------------------------------------------------------------- */
/* The machine, as long as it is not restarted; "" where the system does not say. */
static void read_boot(char *out, size_t capacity)
{
    FILE *file = fopen("/proc/sys/kernel/random/boot_id", "re");
    *out = '\0';
    if (!file)
        return;
    if (!fgets(out, (int)capacity, file))
        *out = '\0';
    fclose(file);
    out[strcspn(out, "\n")] = '\0';
}

struct error *topology_process_describe(struct topology_process *out)
{
    char host[MAX_TEXT] = "?", boot[64];
    *out = (struct topology_process){0};
    if (gethostname(host, sizeof host - 1))
        strcpy(host, "?");
    read_boot(boot, sizeof boot);
    out->features = (int)cpu_feature_bits();
    out->flushes = fpu_flushes();
    TRY(alloc_copy(host, strlen(host), &out->host));
    TRY(alloc_copy(boot, strlen(boot), &out->boot));
    return alloc_copy(GANTRY_BUILD_ID, strlen(GANTRY_BUILD_ID), &out->build);
}

void topology_process_free(struct topology_process *process)
{
    alloc_free(process->host);
    alloc_free(process->boot);
    alloc_free(process->build);
    alloc_free(process->address);
    *process = (struct topology_process){0};
}

void topology_job_free(struct topology_job *job)
{
    for (int i = 0; i < job->count && job->processes; i++)
        topology_process_free(&job->processes[i]);
    alloc_free(job->processes);
    *job = (struct topology_job){0};
}

/* ---- writing --------------------------------------------------------------------------------- */
static void add_hex(cJSON *to, const char *name, const void *bytes, size_t size)
{
    struct text text = {0};
    for (size_t i = 0; i < size; i++)
        text_add(&text, "%02x", ((const unsigned char *)bytes)[i]);
    cJSON_AddStringToObject(to, name, text.data ? text.data : "");
    text_free(&text);
}

static cJSON *describe(const struct topology_process *process)
{
    cJSON *object = cJSON_CreateObject();
    cJSON_AddNumberToObject(object, "version", VERSION);
    cJSON_AddStringToObject(object, "host", process->host);
    cJSON_AddStringToObject(object, "boot", process->boot);
    cJSON_AddStringToObject(object, "build", process->build);
    cJSON_AddNumberToObject(object, "devices", process->devices);
    cJSON_AddNumberToObject(object, "features", process->features);
    cJSON_AddNumberToObject(object, "flushes", process->flushes);
    add_hex(object, "address", process->address, process->address_size);
    return object;
}

/* Puts the printed object (moved) into the store. */
static struct error *put(const struct key_value_store *store, const char *key, cJSON *object)
{
    char *text = cJSON_PrintUnformatted(object);
    cJSON_Delete(object);
    if (!text)
        return error_out_of_memory();
    struct error *error = store->put(store->context, key, text, strlen(text));
    cJSON_free(text);
    return error;
}

/* ---- reading --------------------------------------------------------------------------------- */
static struct error *bad(const char *what)
{
    return ERROR(INVALID_ARGUMENT,
                 "the description of the job's processes in the client's store is damaged, or of "
                 "another version of Gantry: %s",
                 what);
}

static struct error *read_text(const cJSON *from, const char *name, size_t limit, char **out)
{
    const cJSON *field = cJSON_GetObjectItemCaseSensitive(from, name);
    if (!cJSON_IsString(field) || strlen(field->valuestring) > limit)
        return bad(name);
    return alloc_copy(field->valuestring, strlen(field->valuestring), out);
}

static struct error *read_number(const cJSON *from, const char *name, int least, int most, int *out)
{
    const cJSON *field = cJSON_GetObjectItemCaseSensitive(from, name);
    if (!cJSON_IsNumber(field) || !(field->valuedouble >= least && field->valuedouble <= most))
        return bad(name);
    *out = (int)field->valuedouble;
    return NULL;
}

static int digit_of(char c)
{
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* *out is owned. */
static struct error *read_hex(const cJSON *from, const char *name, size_t limit, void **out,
                              size_t *size)
{
    const cJSON *field = cJSON_GetObjectItemCaseSensitive(from, name);
    size_t digits = cJSON_IsString(field) ? strlen(field->valuestring) : 1;
    unsigned char *bytes;
    if (digits % 2 || !digits || digits / 2 > limit)
        return bad(name);
    TRY(alloc_bytes(digits / 2, &bytes));
    *out = bytes;
    *size = digits / 2;
    for (size_t i = 0; i < *size; i++) {
        int high = digit_of(field->valuestring[2 * i]),
            low = digit_of(field->valuestring[2 * i + 1]);
        if (high < 0 || low < 0)
            return bad(name);
        bytes[i] = (unsigned char)(high * 16 + low);
    }
    return NULL;
}

/* What was read is the caller's to free, whatever is returned. */
static struct error *read_process(const cJSON *from, struct topology_process *out)
{
    int version;
    TRY(read_number(from, "version", VERSION, VERSION, &version));
    TRY(read_text(from, "host", MAX_TEXT, &out->host));
    TRY(read_text(from, "boot", MAX_TEXT, &out->boot));
    TRY(read_text(from, "build", MAX_TEXT, &out->build));
    TRY(read_number(from, "devices", 1, TOPOLOGY_MAX_DEVICES, &out->devices));
    TRY(read_number(from, "features", 0, INT_MAX, &out->features));
    TRY(read_number(from, "flushes", 0, 1, &out->flushes));
    return read_hex(from, "address", MAX_ADDRESS, &out->address, &out->address_size);
}

static struct error *read_token(const cJSON *from, uint8_t token[NET_TOKEN])
{
    void *bytes = NULL;
    size_t size = 0;
    struct error *error = read_hex(from, "token", NET_TOKEN, &bytes, &size);
    if (!error && size != NET_TOKEN)
        error = bad("token");
    if (!error)
        memcpy(token, bytes, NET_TOKEN);
    alloc_free(bytes);
    return error;
}

static struct error *read_failure(const cJSON *from, const char *message)
{
    int code;
    TRY(read_number(from, CODE, PJRT_Error_Code_CANCELLED, PJRT_Error_Code_UNAUTHENTICATED, &code));
    return error_make((PJRT_Error_Code)code, __FILE__, __LINE__, "%.*s", MAX_FAILURE, message);
}

static struct error *read_processes(const cJSON *from, int count, struct topology_job *out)
{
    const cJSON *failure = cJSON_GetObjectItemCaseSensitive(from, FAILURE);
    if (cJSON_IsString(failure))
        return read_failure(from, failure->valuestring);
    const cJSON *list = cJSON_GetObjectItemCaseSensitive(from, "processes"), *item;
    int index = 0;
    if (!cJSON_IsArray(list) || cJSON_GetArraySize(list) != count)
        return bad("processes");
    TRY(alloc_array((size_t)count, sizeof *out->processes, &out->processes));
    out->count = count;
    cJSON_ArrayForEach(item, list) TRY(read_process(item, &out->processes[index++]));
    return read_token(from, out->token);
}

struct error *topology_job_read(const char *text, size_t size, int count, struct topology_job *out)
{
    *out = (struct topology_job){0};
    if (size > (size_t)count * MAX_BYTES_A_PROCESS)
        return bad("its size");
    cJSON *object = cJSON_ParseWithLength(text, size);
    struct error *error = object ? read_processes(object, count, out) : bad("it is not JSON");
    cJSON_Delete(object);
    if (error)
        topology_job_free(out);
    return error;
}

/* ---- exchanging ------------------------------------------------------------------------------ */
static void local_key(char out[KEY], const char *platform, int generation, int process)
{
    snprintf(out, KEY, "local_topology/%s/%d/%d", platform, generation, process);
}

static void global_key(char out[KEY], const char *platform, int generation)
{
    snprintf(out, KEY, "global_topology/%s/%d", platform, generation);
}

/* Puts this process's description where no earlier client of the process has put its own. */
static struct error *put_self(const struct key_value_store *store, const char *platform,
                              int process, const struct topology_process *self, int *generation)
{
    char key[KEY];
    for (*generation = 0; *generation < MAX_GENERATIONS; ++*generation) {
        local_key(key, platform, *generation, process);
        struct error *error = put(store, key, describe(self));
        if (!error || error_code(error) != PJRT_Error_Code_ALREADY_EXISTS)
            return error;
        error_free(error);
    }
    return ERROR(RESOURCE_EXHAUSTED, "process %d has created %d clients", process, MAX_GENERATIONS);
}

static struct error *missing(const struct text *names, int count, int of)
{
    return ERROR(
        DEADLINE_EXCEEDED,
        "of the %d processes of the job, %d did not create their client in time: %s. "
        "Start all of them with the same number of processes; GANTRY_TOPOLOGY_TIMEOUT sets "
        "the limit in seconds",
        of, count, names->data ? names->data : "?");
}

/* *out is owned: a valid description. */
static struct error *read_description(const char *value, size_t size, cJSON **out)
{
    struct topology_process process = {0};
    *out = NULL;
    if (size > MAX_BYTES_A_PROCESS)
        return bad("its size");
    cJSON *object = cJSON_ParseWithLength(value, size);
    struct error *error = object ? read_process(object, &process) : bad("it is not JSON");
    topology_process_free(&process);
    if (!error)
        *out = object;
    else
        cJSON_Delete(object);
    return error;
}

/* Adds the description of every process to `list`. */
static struct error *collect(const struct key_value_store *store, const char *platform,
                             int generation, int count, int64_t deadline, cJSON *list)
{
    struct text names = {0};
    struct error *error = NULL;
    int absent = 0;
    for (int i = 0; i < count && !error; i++) {
        char key[KEY], *value = NULL;
        size_t size = 0;
        int64_t left = deadline - now_ms();
        local_key(key, platform, generation, i);
        error = store->get(store->context, key, left > 1 ? left : 1, &value, &size);
        cJSON *object = NULL;
        if (!error) {
            error = read_description(value, size, &object);
            error = error ? error_prefix(error, "process %d", i) : NULL;
        }
        alloc_free(value);
        if (object)
            cJSON_AddItemToArray(list, object);
        if (error && error_code(error) == PJRT_Error_Code_DEADLINE_EXCEEDED) {
            error_free(error);
            error = NULL;
            if (absent++ < MAX_NAMED)
                text_add(&names, "%s%d", absent > 1 ? ", " : "", i);
        }
    }
    if (!error && absent)
        error = missing(&names, absent, count);
    text_free(&names);
    return error;
}

/* Lets the other processes know why there is no job. */
static void put_failure(const struct key_value_store *store, const char *key,
                        const struct error *error)
{
    cJSON *object = cJSON_CreateObject();
    cJSON_AddStringToObject(object, FAILURE, error_message(error, NULL));
    cJSON_AddNumberToObject(object, CODE, error_code(error));
    error_free(put(store, key, object));
}

/* Process 0: describes the job. */
static struct error *put_job(const struct key_value_store *store, const char *platform,
                             int generation, int count, int64_t deadline)
{
    char key[KEY];
    uint8_t token[NET_TOKEN];
    cJSON *job = cJSON_CreateObject(), *list = cJSON_AddArrayToObject(job, "processes");
    struct error *error = NULL;
    if (getrandom(token, sizeof token, 0) != sizeof token)
        error = ERROR(INTERNAL, "the system's random number generator failed");
    if (!error)
        error = collect(store, platform, generation, count, deadline, list);
    global_key(key, platform, generation);
    if (error) {
        put_failure(store, key, error);
        cJSON_Delete(job);
        return error;
    }
    add_hex(job, "token", token, sizeof token);
    return put(store, key, job);
}

static struct error *check_builds(const struct topology_job *job)
{
    for (int i = 1; i < job->count; i++)
        if (strcmp(job->processes[0].build, job->processes[i].build))
            return ERROR(FAILED_PRECONDITION,
                         "process 0 on host %s has build %s of Gantry, process %d on host %s has "
                         "build %s: all processes of a job need the same build",
                         job->processes[0].host, job->processes[0].build, i, job->processes[i].host,
                         job->processes[i].build);
    return NULL;
}

static const char *common_isa(const struct topology_job *job)
{
    uint64_t *bits;
    const char *isa = "baseline";
    struct error *error = alloc_array((size_t)job->count, sizeof *bits, &bits);
    for (int i = 0; i < job->count && !error; i++)
        bits[i] = (uint64_t)job->processes[i].features;
    if (!error)
        isa = cpu_common_isa(bits, job->count);
    alloc_free(bits);
    error_free(error);
    return isa;
}

static struct error *different_features(const struct topology_job *job, int process)
{
    const struct topology_process *first = &job->processes[0], *other = &job->processes[process];
    char here[CPU_NAMES], there[CPU_NAMES];
    cpu_names_of((uint64_t)first->features, here, sizeof here);
    cpu_names_of((uint64_t)other->features, there, sizeof there);
    return ERROR(FAILED_PRECONDITION,
                 "process 0 on host %s has the instruction sets '%s', process %d on host %s has "
                 "'%s': they would compute different bits. Set GANTRY_ISA=%s for all processes",
                 first->host, here, process, other->host, there, common_isa(job));
}

static struct error *check_arithmetic(const struct topology_job *job)
{
    const struct topology_process *first = &job->processes[0];
    for (int i = 1; i < job->count; i++) {
        const struct topology_process *other = &job->processes[i];
        if (other->features != first->features)
            return different_features(job, i);
        if (other->flushes != first->flushes)
            return ERROR(FAILED_PRECONDITION,
                         "process %d on host %s %s denormals, process 0 on host %s does not: set "
                         "GANTRY_DENORMALS to the same value for all processes",
                         i, other->host, other->flushes ? "flushes" : "keeps", first->host);
    }
    return NULL;
}

static struct error *get_job(const struct key_value_store *store, const char *platform,
                             int generation, int count, int64_t deadline, struct topology_job *out)
{
    char key[KEY], *value = NULL;
    size_t size = 0;
    int64_t left = deadline - now_ms();
    global_key(key, platform, generation);
    struct error *error = store->get(store->context, key, left > 1 ? left : 1, &value, &size);
    if (error && error_code(error) == PJRT_Error_Code_DEADLINE_EXCEEDED) {
        error_free(error);
        return ERROR(DEADLINE_EXCEEDED,
                     "process 0 of %d did not describe the job in time: it has not started, or "
                     "cannot reach the store. GANTRY_TOPOLOGY_TIMEOUT sets the limit in seconds",
                     count);
    }
    if (error)
        return error_prefix(error, "waiting for process 0 to describe the job");
    error = topology_job_read(value, size, count, out);
    alloc_free(value);
    if (!error)
        error = check_builds(out);
    if (!error)
        error = check_arithmetic(out);
    return error;
}

struct error *topology_exchange(const struct key_value_store *store, const char *platform,
                                int process, int count, const struct topology_process *self,
                                struct topology_job *out)
{
    int generation;
    int64_t limit = 1000 * env_int(ENV_GANTRY_TOPOLOGY_TIMEOUT, DEFAULT_TIMEOUT);
    int64_t deadline = now_ms() + limit;
    *out = (struct topology_job){0};
    TRY(put_self(store, platform, process, self, &generation));
    if (!process)
        TRY(put_job(store, platform, generation, count, deadline));
    /* Process 0 may have begun later, and says who is missing. */
    int64_t grace = !process ? 1000 : limit / 4 < LEAST_GRACE ? LEAST_GRACE : limit / 4;
    struct error *error = get_job(store, platform, generation, count, deadline + grace, out);
    if (error)
        topology_job_free(out);
    return error;
}
