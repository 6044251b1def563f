/* suite_sequences.c: random sequences of calls on programs, executables and buffers from 1 to 8
 * threads, each checked against a model: what is in every object, and which are deleted. Threads
 * exchange objects, so that one destroys what another made. GANTRY_TEST_OPERATIONS sets the number
 * of calls (a tenth of it for each thread), GANTRY_TEST_SEED the random seed. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/test_context.h"

enum { SLOTS = 24, MAILBOX = 16, OPERATIONS = 20000, MAX_THREADS = 8, ELEMENTS = 4, CONSTANTS = 8 };

enum content { EMPTY, LOADED, EXECUTABLE, SERIALIZED, BUFFER };

/* An object and what the model says of it. */
struct slot {
    enum content content;
    bool deleted;
    float number; /* of a program: what it adds; of a buffer: its elements */
    PJRT_LoadedExecutable *loaded;
    PJRT_Executable *executable;
    PJRT_Buffer *buffer;
    char *bytes;
    size_t size;
};

struct sequence {
    struct test_context *t;
    uint64_t random;
    long left;
    struct slot slots[SLOTS];
};

static pthread_mutex_t mailbox_lock = PTHREAD_MUTEX_INITIALIZER;
static struct slot mailbox[MAILBOX];

static size_t choose(struct sequence *s, size_t count)
{
    s->random = s->random * 6364136223846793005u + 1442695040888963407u;
    return (size_t)(s->random >> 33) % count;
}

/* A slot with that content, from a random one on; NULL: there is none. */
static struct slot *find(struct sequence *s, enum content content)
{
    size_t first = choose(s, SLOTS);
    for (size_t i = 0; i < SLOTS; i++)
        if (s->slots[(first + i) % SLOTS].content == content)
            return &s->slots[(first + i) % SLOTS];
    return NULL;
}

/* Whether a call ended as the model says: `works`, or with an error. */
static bool expect(struct sequence *s, const char *call, bool works, struct error *error /*moved*/)
{
    CHECK(s->t, works == !error, "%s: expected %s, got %s", call, works ? "success" : "an error",
          error ? error_message(error, NULL) : "success");
    error_free(error);
    return works && !error;
}

/* ---- Calls that make objects ----------------------------------------------------------------- */

static void compile(struct sequence *s)
{
    struct slot *out = find(s, EMPTY);
    char code[256];
    if (!out)
        return;
    float number = (float)choose(s, CONSTANTS);
    int size = snprintf(code, sizeof code,
                        "func.func @main(%%a: tensor<4xf32>) -> tensor<4xf32> {\n"
                        "  %%c = stablehlo.constant dense<%.1f> : tensor<4xf32>\n"
                        "  %%b = stablehlo.add %%a, %%c : tensor<4xf32>\n"
                        "  return %%b : tensor<4xf32>\n}\n",
                        (double)number);
    const struct abi_program program = {.code = code, .code_size = (size_t)size, .format = "mlir"};
    PJRT_LoadedExecutable *loaded;
    if (expect(s, "compile", true, abi_compile(s->t->api, s->t->client, &program, &loaded)))
        *out = (struct slot){.content = LOADED, .number = number, .loaded = loaded};
}

static void get_executable(struct sequence *s)
{
    struct slot *from = find(s, LOADED), *out = find(s, EMPTY);
    if (!from || !out || from->deleted)
        return;
    ABI_ARGS(LoadedExecutable_GetExecutable, get, .loaded_executable = from->loaded);
    if (expect(s, "GetExecutable", true, ABI_CALL(s->t->api, LoadedExecutable_GetExecutable, &get)))
        *out = (struct slot){
            .content = EXECUTABLE, .number = from->number, .executable = get.executable};
}

static void serialize(struct sequence *s)
{
    struct slot *from = find(s, EXECUTABLE), *out = find(s, EMPTY);
    if (!from || !out)
        return;
    ABI_ARGS(Executable_Serialize, args, .executable = from->executable);
    if (!expect(s, "Serialize", true, ABI_CALL(s->t->api, Executable_Serialize, &args)))
        return;
    *out = (struct slot){.content = SERIALIZED,
                         .number = from->number,
                         .bytes = malloc(args.serialized_bytes_size),
                         .size = args.serialized_bytes_size};
    memcpy(out->bytes, args.serialized_bytes, args.serialized_bytes_size);
    args.serialized_executable_deleter(args.serialized_executable);
}

static struct error *call_load(struct sequence *s, const struct slot *from,
                               PJRT_LoadedExecutable **out)
{
    ABI_ARGS(Executable_DeserializeAndLoad, load, .client = s->t->client,
             .serialized_executable = from->bytes, .serialized_executable_size = from->size);
    struct error *error = ABI_CALL(s->t->api, Executable_DeserializeAndLoad, &load);
    *out = error ? NULL : load.loaded_executable;
    return error;
}

static void load(struct sequence *s)
{
    struct slot *from = find(s, SERIALIZED), *out = find(s, EMPTY);
    PJRT_LoadedExecutable *loaded;
    if (from && out && expect(s, "DeserializeAndLoad", true, call_load(s, from, &loaded)))
        *out = (struct slot){.content = LOADED, .number = from->number, .loaded = loaded};
}

/* With one bit changed it is no executable any more. */
static void load_damaged(struct sequence *s)
{
    struct slot *from = find(s, SERIALIZED);
    PJRT_LoadedExecutable *loaded;
    if (!from)
        return;
    char *byte = &from->bytes[choose(s, from->size)], mask = (char)(1 << choose(s, 8));
    *byte ^= mask;
    expect(s, "DeserializeAndLoad of damaged bytes", false, call_load(s, from, &loaded));
    *byte ^= mask;
    abi_executable_destroy(s->t->api, loaded);
}

static void upload(struct sequence *s)
{
    struct slot *out = find(s, EMPTY);
    if (!out)
        return;
    static const int64_t dims[] = {ELEMENTS};
    float number = (float)choose(s, 1000), values[ELEMENTS] = {number, number, number, number};
    struct abi_array array = {DTYPE_F32, 1, dims, values};
    PJRT_Buffer *buffer;
    if (expect(s, "upload", true,
               abi_upload(s->t->api, s->t->client, s->t->device, &array, &buffer)))
        *out = (struct slot){.content = BUFFER, .number = number, .buffer = buffer};
}

/* A program that was deleted, or an argument, is an error. */
static void execute(struct sequence *s)
{
    struct slot *program = find(s, LOADED), *argument = find(s, BUFFER), *out = find(s, EMPTY);
    PJRT_Buffer *result = NULL;
    if (!program || !argument || !out)
        return;
    struct error *error = abi_execute(s->t->api, program->loaded, &argument->buffer, 1, &result, 1);
    if (expect(s, "Execute", !program->deleted && !argument->deleted, error))
        *out = (struct slot){
            .content = BUFFER, .number = program->number + argument->number, .buffer = result};
}

/* ---- Calls that ask and remove --------------------------------------------------------------- */

static void read_back(struct sequence *s)
{
    struct slot *from = find(s, BUFFER);
    float values[ELEMENTS];
    if (!from || !expect(s, "download", !from->deleted,
                         abi_download(s->t->api, from->buffer, values, sizeof values)))
        return;
    for (int i = 0; i < ELEMENTS; i++)
        CHECK(s->t, values[i] == from->number, "element %d is %g, expected %g", i,
              (double)values[i], (double)from->number);
}

static void ask(struct sequence *s)
{
    struct slot *loaded = find(s, LOADED), *buffer = find(s, BUFFER);
    struct slot *executable = find(s, EXECUTABLE);
    if (loaded) {
        ABI_ARGS(LoadedExecutable_IsDeleted, is, .executable = loaded->loaded);
        if (expect(s, "IsDeleted", true, ABI_CALL(s->t->api, LoadedExecutable_IsDeleted, &is)))
            CHECK(s->t, is.is_deleted == loaded->deleted, "a program is deleted: %d",
                  is.is_deleted);
    }
    if (buffer) {
        ABI_ARGS(Buffer_IsDeleted, is, .buffer = buffer->buffer);
        if (expect(s, "IsDeleted", true, ABI_CALL(s->t->api, Buffer_IsDeleted, &is)))
            CHECK(s->t, is.is_deleted == buffer->deleted, "a buffer is deleted: %d", is.is_deleted);
    }
    if (executable) {
        ABI_ARGS(Executable_NumOutputs, count, .executable = executable->executable);
        if (expect(s, "NumOutputs", true, ABI_CALL(s->t->api, Executable_NumOutputs, &count)))
            CHECK(s->t, count.num_outputs == 1, "%zu outputs", count.num_outputs);
    }
}

/* A second deletion does nothing. */
static void delete(struct sequence *s)
{
    struct slot *loaded = find(s, LOADED), *buffer = find(s, BUFFER);
    if (loaded && choose(s, 2)) {
        ABI_ARGS(LoadedExecutable_Delete, args, .executable = loaded->loaded);
        loaded->deleted |= expect(s, "Delete of a program", true,
                                  ABI_CALL(s->t->api, LoadedExecutable_Delete, &args));
    } else if (buffer) {
        ABI_ARGS(Buffer_Delete, args, .buffer = buffer->buffer);
        buffer->deleted |=
            expect(s, "Delete of a buffer", true, ABI_CALL(s->t->api, Buffer_Delete, &args));
    }
}

static void destroy_slot(struct test_context *t, struct slot *slot)
{
    abi_executable_destroy(t->api, slot->loaded);
    ABI_DESTROY(t->api, Executable, executable, slot->executable);
    abi_buffer_destroy(t->api, slot->buffer);
    free(slot->bytes);
    *slot = (struct slot){0};
}

static void destroy(struct sequence *s)
{
    destroy_slot(s->t, &s->slots[choose(s, SLOTS)]);
}

/* Exchanges an object with what another thread, or this one, left before. */
static void exchange(struct sequence *s)
{
    struct slot *mine = &s->slots[choose(s, SLOTS)], *other = &mailbox[choose(s, MAILBOX)];
    pthread_mutex_lock(&mailbox_lock);
    struct slot taken = *other;
    *other = *mine;
    *mine = taken;
    pthread_mutex_unlock(&mailbox_lock);
}

/* ---- Threads --------------------------------------------------------------------------------- */

/* Each as often as it is listed. */
static void (*const calls[])(struct sequence *s) = {
    compile, get_executable, get_executable, serialize, load,      load_damaged, upload, upload,
    execute, execute,        execute,        execute,   read_back, read_back,    ask,    ask,
    delete,  destroy,        destroy,        destroy,   destroy,   exchange};

static void *run(void *argument)
{
    struct sequence *s = argument;
    for (; s->left > 0 && !atomic_load(&s->t->failures); s->left--)
        calls[choose(s, sizeof calls / sizeof *calls)](s);
    return NULL;
}

static long setting(const char *name, long usual)
{
    const char *given = getenv(name);
    return given ? atol(given) : usual;
}

static void run_threads(struct test_context *t, int count)
{
    static struct sequence sequences[MAX_THREADS];
    pthread_t threads[MAX_THREADS];
    long seed = setting("GANTRY_TEST_SEED", 1);
    for (int i = 0; i < count; i++) {
        sequences[i] =
            (struct sequence){.t = t,
                              .random = (uint64_t)seed * 1000 + (uint64_t)(count * MAX_THREADS + i),
                              .left = setting("GANTRY_TEST_OPERATIONS", OPERATIONS) / 10};
        pthread_create(&threads[i], NULL, run, &sequences[i]);
    }
    for (int i = 0; i < count; i++)
        pthread_join(threads[i], NULL);
    CHECK(t, !atomic_load(&t->failures), "with %d threads and seed %ld", count, seed);
    for (int i = 0; i < count; i++)
        for (int k = 0; k < SLOTS; k++)
            destroy_slot(t, &sequences[i].slots[k]);
    for (int k = 0; k < MAILBOX; k++)
        destroy_slot(t, &mailbox[k]);
}

static void one_thread(struct test_context *t)
{
    run_threads(t, 1);
}

static void several_threads(struct test_context *t)
{
    for (int count = 2; count <= MAX_THREADS && !t->failures; count++)
        run_threads(t, count);
}

static const struct test_context_case cases[] = {
    {"one_thread", one_thread, STAGE_CLIENT, 600},
    {"several_threads", several_threads, STAGE_CLIENT, 3600},
    {0}};
const struct test_context_suite suite_sequences = {"sequences", cases};
