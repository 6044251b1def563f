/* serialize_rules.c: area 14: serialized executables. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/alloc.h"
#include "conformance/rules/sample_programs.h"

/* ---- Bytes ----------------------------------------------------------------------------------- */

struct serialized {
    char *data; /* owned: alloc_free */
    size_t size;
};

/* Copies the bytes of an executable. */
static struct error *serialize(struct rule_context *t, PJRT_LoadedExecutable *loaded,
                               struct serialized *out)
{
    *out = (struct serialized){0};
    PJRT_Executable *executable = executable_of(t, loaded);
    ARGS(t, Executable_Serialize, args, .executable = executable);
    struct error *error = CALL(t, Executable_Serialize, &args);
    if (!error) {
        error = alloc_zeroed(args.serialized_bytes_size + 1, &out->data);
        out->size = args.serialized_bytes_size;
    }
    if (!error) {
        memcpy(out->data, args.serialized_bytes, out->size);
        args.serialized_executable_deleter(args.serialized_executable);
    }
    DESTROY(t, Executable, executable, executable);
    return error;
}

/* The same of a file of conformance/programs, which it compiles. */
static struct error *serialize_file(struct rule_context *t, const char *name,
                                    struct serialized *out)
{
    PJRT_LoadedExecutable *loaded;
    *out = (struct serialized){0};
    TRY(rule_compile_file(t, name, &loaded));
    struct error *error = serialize(t, loaded, out);
    DESTROY(t, LoadedExecutable, executable, loaded);
    return error;
}

static struct error *load(struct rule_context *t, const char *data, size_t size,
                          PJRT_LoadedExecutable **out)
{
    ARGS(t, Executable_DeserializeAndLoad, args, .client = t->client, .serialized_executable = data,
         .serialized_executable_size = size);
    *out = NULL;
    TRY(CALL(t, Executable_DeserializeAndLoad, &args));
    *out = args.loaded_executable;
    return NULL;
}

/* Declares the bytes of a program. */
#define NEED_BYTES(t, bytes, name)                                                                 \
    struct serialized bytes;                                                                       \
    NEED_CLIENT(t);                                                                                \
    NEED_OK(t, serialize_file(t, (name), &(bytes)))

/* Loads "twice", executes it and destroys it. */
static void check_twice(struct rule_context *t, const struct serialized *bytes)
{
    PJRT_LoadedExecutable *loaded;
    PJRT_Buffer *buffer, *result;
    NEED_OK(t, load(t, bytes->data, bytes->size, &loaded));
    NEED_OK(t, sample_upload(t, &buffer));
    NEED_OK(t, rule_execute(t, loaded, &buffer, 1, &result, 1));
    sample_check_times(t, result, 2);
    DESTROY(t, Buffer, buffer, result);
    DESTROY(t, Buffer, buffer, buffer);
    DESTROY(t, LoadedExecutable, executable, loaded);
}

/* ---- 14.1 Bytes of an executable ------------------------------------------------------------- */

void rule_serialize_gives_bytes(struct rule_context *t)
{
    NEED_EXECUTABLE(t, loaded, executable, "twice.mlirbc");
    ARGS(t, Executable_Serialize, args, .executable = executable);
    NEED_OK(t, CALL(t, Executable_Serialize, &args));
    CHECK(t, args.serialized_bytes && args.serialized_bytes_size, "no bytes");
    NEED(t, args.serialized_executable_deleter, "no deleter");
    args.serialized_executable_deleter(args.serialized_executable);
    executable_destroy(t, loaded, executable);
}

void rule_serialize_keeps_bytes(struct rule_context *t)
{
    char *copy;
    NEED_EXECUTABLE(t, loaded, executable, "twice.mlirbc");
    ARGS(t, Executable_Serialize, args, .executable = executable);
    NEED_OK(t, CALL(t, Executable_Serialize, &args));
    NEED_OK(t, alloc_zeroed(args.serialized_bytes_size + 1, &copy));
    memcpy(copy, args.serialized_bytes, args.serialized_bytes_size);
    executable_destroy(t, loaded, executable);
    for (int i = 0; i < 3; i++) {
        NEED_BYTES(t, others, "matmul.mlirbc");
        alloc_free(others.data);
    }
    CHECK(t, !memcmp(copy, args.serialized_bytes, args.serialized_bytes_size),
          "the bytes have changed");
    args.serialized_executable_deleter(args.serialized_executable);
    alloc_free(copy);
}

static bool same_bytes(const struct serialized *a, const struct serialized *b)
{
    return a->size == b->size && !memcmp(a->data, b->data, a->size);
}

void rule_serialize_repeats(struct rule_context *t)
{
    struct serialized first, second;
    NEED_PROGRAM(t, loaded, "matmul.mlirbc");
    NEED_OK(t, serialize(t, loaded, &first));
    NEED_OK(t, serialize(t, loaded, &second));
    CHECK(t, same_bytes(&first, &second), "%zu bytes, then %zu others", first.size, second.size);
    alloc_free(first.data);
    alloc_free(second.data);
    DESTROY(t, LoadedExecutable, executable, loaded);
}

void rule_serialize_compiles_to_equal_bytes(struct rule_context *t)
{
    static const char *const names[] = {"matmul.mlirbc", "mlp_grad.mlirbc", "loop.mlirbc",
                                        "sort.mlirbc",   "donate.mlirbc",   "large.mlirbc"};
    for (int i = 0; i < 6; i++) {
        NEED_BYTES(t, first, names[i]);
        NEED_BYTES(t, second, names[i]);
        CHECK(t, same_bytes(&first, &second), "%s: %zu bytes, then %zu others", names[i],
              first.size, second.size);
        alloc_free(first.data);
        alloc_free(second.data);
    }
}

void rule_serialize_tells_programs_apart(struct rule_context *t)
{
    NEED_BYTES(t, first, "twice.mlirbc");
    NEED_BYTES(t, second, "sum.mlirbc");
    CHECK(t, !same_bytes(&first, &second), "two programs have the same %zu bytes", first.size);
    alloc_free(first.data);
    alloc_free(second.data);
}

/* ---- 14.2 Loading ---------------------------------------------------------------------------- */

void rule_serialize_round_trips(struct rule_context *t)
{
    static const char *const names[] = {"add",  "matmul",    "mlp_grad", "loop",
                                        "sort", "constants", "large",    "donate"};
    for (int i = 0; i < 8; i++) {
        char file[64];
        PJRT_LoadedExecutable *loaded;
        snprintf(file, sizeof file, "%s.mlirbc", names[i]);
        NEED_BYTES(t, bytes, file);
        NEED_OK(t, load(t, bytes.data, bytes.size, &loaded));
        known_program_check(t, names[i], loaded);
        DESTROY(t, LoadedExecutable, executable, loaded);
        alloc_free(bytes.data);
    }
}

void rule_serialize_loads_without_the_original(struct rule_context *t)
{
    NEED_BYTES(t, bytes, "twice.mlirbc"); /* which destroys the original */
    check_twice(t, &bytes);
    alloc_free(bytes.data);
}

void rule_serialize_loads_in_another_client(struct rule_context *t)
{
    NEED_BYTES(t, bytes, "twice.mlirbc");
    rule_close(t);
    NEED_CLIENT(t);
    check_twice(t, &bytes);
    alloc_free(bytes.data);
}

/* Writes the bytes of "twice" into a pipe; in a process that has not opened the plugin before. */
static void write_bytes(struct rule_context *t, int to)
{
    struct serialized bytes;
    if (!rule_open_client(t))
        return;
    struct error *error = serialize_file(t, "twice.mlirbc", &bytes);
    FILE *file = fdopen(to, "wb");
    if (!rule_need_ok(t, "PJRT_Executable_Serialize", error) || !file)
        return;
    fwrite(bytes.data, 1, bytes.size, file);
    fclose(file);
    rule_close(t);
}

static struct serialized read_all(int from)
{
    struct serialized bytes = {NULL, 0};
    size_t capacity = 1 << 24;
    error_free(alloc_zeroed(capacity, &bytes.data));
    for (ssize_t got; bytes.data && bytes.size < capacity &&
                      (got = read(from, bytes.data + bytes.size, capacity - bytes.size)) > 0;)
        bytes.size += (size_t)got;
    return bytes;
}

void rule_serialize_loads_in_another_process(struct rule_context *t)
{
    int ends[2], status;
    NEED(t, !pipe(ends), "no pipe");
    pid_t child = fork();
    NEED(t, child >= 0, "no process");
    if (!child) {
        close(ends[0]);
        write_bytes(t, ends[1]);
        _exit(0);
    }
    close(ends[1]);
    struct serialized bytes = read_all(ends[0]);
    close(ends[0]);
    waitpid(child, &status, 0);
    CHECK(t, status == 0, "the first process ended with status %#x", status);
    if (bytes.size) { /* else the first process has said why */
        NEED_CLIENT(t);
        check_twice(t, &bytes);
    }
    alloc_free(bytes.data);
}

void rule_serialize_loads_often(struct rule_context *t)
{
    PJRT_LoadedExecutable *first, *second;
    NEED_BYTES(t, bytes, "twice.mlirbc");
    NEED_OK(t, load(t, bytes.data, bytes.size, &first));
    NEED_OK(t, load(t, bytes.data, bytes.size, &second));
    CHECK(t, first != second, "one executable with two owners");
    DESTROY(t, LoadedExecutable, executable, first);
    if (first != second)
        DESTROY(t, LoadedExecutable, executable, second);
    check_twice(t, &bytes);
    alloc_free(bytes.data);
}

void rule_serialize_borrows_the_bytes(struct rule_context *t)
{
    PJRT_LoadedExecutable *loaded;
    PJRT_Buffer *result;
    NEED_SAMPLE(t, buffer);
    NEED_BYTES(t, bytes, "twice.mlirbc");
    NEED_OK(t, load(t, bytes.data, bytes.size, &loaded));
    memset(bytes.data, 0xff, bytes.size);
    alloc_free(bytes.data);
    NEED_OK(t, rule_execute(t, loaded, &buffer, 1, &result, 1));
    sample_check_times(t, result, 2);
    DESTROY(t, Buffer, buffer, result);
    DESTROY(t, Buffer, buffer, buffer);
    DESTROY(t, LoadedExecutable, executable, loaded);
}

/* What an executable says of itself, in one line. */
struct sayings {
    char line[512];
};

static struct sayings sayings_of(struct rule_context *t, PJRT_LoadedExecutable *loaded)
{
    struct sayings sayings;
    PJRT_Executable *executable = executable_of(t, loaded);
    ARGS(t, Executable_Name, name, .executable = executable);
    ARGS(t, Executable_NumOutputs, outputs, .executable = executable);
    ARGS(t, Executable_NumReplicas, replicas, .executable = executable);
    ARGS(t, Executable_NumPartitions, partitions, .executable = executable);
    CHECK_OK(t, CALL(t, Executable_Name, &name));
    CHECK_OK(t, CALL(t, Executable_NumOutputs, &outputs));
    CHECK_OK(t, CALL(t, Executable_NumReplicas, &replicas));
    CHECK_OK(t, CALL(t, Executable_NumPartitions, &partitions));
    snprintf(sayings.line, sizeof sayings.line, "'%.*s', %zu outputs, %zu replicas, %zu partitions",
             (int)name.executable_name_size, name.executable_name, outputs.num_outputs,
             replicas.num_replicas, partitions.num_partitions);
    DESTROY(t, Executable, executable, executable);
    return sayings;
}

void rule_serialize_says_the_same(struct rule_context *t)
{
    PJRT_LoadedExecutable *loaded;
    struct serialized bytes;
    NEED_PROGRAM(t, original, "mlp_grad.mlirbc");
    NEED_OK(t, serialize(t, original, &bytes));
    NEED_OK(t, load(t, bytes.data, bytes.size, &loaded));
    struct sayings first = sayings_of(t, original), second = sayings_of(t, loaded);
    CHECK(t, !strcmp(first.line, second.line), "%s, then %s", first.line, second.line);
    alloc_free(bytes.data);
    DESTROY(t, LoadedExecutable, executable, loaded);
    DESTROY(t, LoadedExecutable, executable, original);
}

void rule_serialize_keeps_donations(struct rule_context *t)
{
    PJRT_LoadedExecutable *loaded;
    PJRT_Buffer *result;
    NEED_SAMPLE(t, buffer);
    NEED_BYTES(t, bytes, "twice_donated.mlirbc");
    NEED_OK(t, load(t, bytes.data, bytes.size, &loaded));
    NEED_OK(t, execute_one(t, loaded, buffer, &result));
    CHECK(t, buffer_is_deleted(t, buffer), "the donated argument is not deleted");
    sample_check_times(t, result, 2);
    DESTROY(t, Buffer, buffer, result);
    DESTROY(t, Buffer, buffer, buffer);
    DESTROY(t, LoadedExecutable, executable, loaded);
    alloc_free(bytes.data);
}

void rule_serialize_serializes_again(struct rule_context *t)
{
    PJRT_LoadedExecutable *loaded;
    struct serialized again;
    NEED_BYTES(t, bytes, "twice.mlirbc");
    NEED_OK(t, load(t, bytes.data, bytes.size, &loaded));
    NEED_OK(t, serialize(t, loaded, &again));
    DESTROY(t, LoadedExecutable, executable, loaded);
    check_twice(t, &again);
    alloc_free(bytes.data);
    alloc_free(again.data);
}

/* ---- 14.3 Damaged bytes ---------------------------------------------------------------------- */

/* Loads, and destroys what should not have loaded. */
static struct error *try_load(struct rule_context *t, const char *data, size_t size)
{
    PJRT_LoadedExecutable *loaded;
    TRY(load(t, data, size, &loaded));
    DESTROY(t, LoadedExecutable, executable, loaded);
    return NULL;
}

void rule_serialize_rejects_nothing(struct rule_context *t)
{
    NEED_CLIENT(t);
    CHECK_ERROR(t, try_load(t, "", 0));
}

void rule_serialize_rejects_noise(struct rule_context *t)
{
    char noise[3000];
    NEED_CLIENT(t);
    for (int i = 0; i < 20; i++) {
        for (size_t k = 0; k < sizeof noise; k++)
            noise[k] = (char)rule_random(t);
        CHECK_ERROR(t, try_load(t, noise, sizeof noise >> i % 8));
    }
}

void rule_serialize_rejects_cut_bytes(struct rule_context *t)
{
    NEED_BYTES(t, bytes, "twice.mlirbc");
    for (size_t size = 1; size < bytes.size; size += 1 + bytes.size / 200) {
        char *cut = malloc(size); /* so that reading behind it is noticed by sanitizers */
        NEED(t, cut, "no memory on the host");
        memcpy(cut, bytes.data, size);
        struct error *error = try_load(t, cut, size);
        CHECK(t, error, "%zu of %zu bytes are loaded", size, bytes.size);
        error_free(error);
        free(cut);
    }
    alloc_free(bytes.data);
}

void rule_serialize_survives_changed_bytes(struct rule_context *t)
{
    NEED_BYTES(t, bytes, "twice.mlirbc");
    for (size_t at = 0; at < bytes.size; at += 1 + bytes.size / 300) {
        char before = bytes.data[at];
        bytes.data[at] = (char)(before ^ (1 + rule_random(t) % 255));
        error_free(try_load(t, bytes.data, bytes.size));
        bytes.data[at] = before;
    }
    check_twice(t, &bytes);
    alloc_free(bytes.data);
}

void rule_serialize_survives_mistakes(struct rule_context *t)
{
    NEED_BYTES(t, bytes, "twice.mlirbc");
    for (int i = 0; i < 5; i++) {
        CHECK_ERROR(t, try_load(t, bytes.data, bytes.size / 2));
        check_twice(t, &bytes);
    }
    alloc_free(bytes.data);
}
