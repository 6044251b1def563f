/* mutate.c: mutate COUNT [SEED [FIRST [FOLDER [OUTPUT]]]]: mutated inputs of every form that
 * clients send: programs as text, bytecode and HLO, compile options, and serialized executables,
 * made of the seeds in the project's folders. A part of them is made of programs for eight devices,
 * and of the programs in FOLDER/ and its folders. Each has to end in a status: programs that are
 * accepted are compiled and run. An input depends on its number, on SEED and on the seeds only, so
 * `mutate 1 SEED FIRST` repeats one, and the last of them is written to OUTPUT. Prints how far they
 * came; the last line is 'N passed, N failed'. A process that crashes, or takes more than a minute
 * of processor time for one input, fails that input; the next process continues behind it. */
#include <glob.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/map.h"
#include "conformance/byte_mutator.h"
#include "conformance/program_mutator.h"
#include "conformance/program_trial.h"

enum kind { KIND_TEXT, KIND_BYTECODE, KIND_HLO, KIND_OPTIONS, KIND_EXECUTABLE, KINDS };
static const char *const kind_names[] = {"text", "bytecode", "HLO", "options", "executables"};
/* Of SHARES inputs, how many are of each kind. Most bytecode ends in the reader, which is fast. */
static const unsigned shares[] = {6, 20, 5, 3, 6};

enum {
    MAX_SEEDS = 2048,
    MAX_SEED_BYTES = 8 << 10,
    MAX_INPUT = 64 << 10,
    MAX_EXECUTABLE = 256 << 10,
    EXECUTABLES = 24,     /* of programs for one device, and of those for eight */
    A_SHARDED = 3,        /* of so many inputs one is made of a program for eight devices */
    INPUT_SECONDS = 60,   /* of processor time, all threads together */
    STALL_SECONDS = 1200, /* of an input that waits: long enough for a busy machine */
    SHARES = 40,
    A_PROCESS = 20000, /* inputs of one process */
    A_REPORT = 100000, /* inputs after which the counts are printed */
};

struct seed {
    uint8_t *bytes;
    size_t size;
};
static struct seeds {
    struct seed at[MAX_SEEDS];
    size_t sharded, count; /* those from `sharded` on are for eight devices */
} seeds[KINDS];

/* Written by the working process, read by the other one. */
static struct progress {
    uint64_t next; /* the input that is tried now */
    uint64_t counts[KINDS][PROGRAM_STAGES];
} *progress;

/* ---- Seeds ----------------------------------------------------------------------------------- */

static void add_seed(enum kind kind, const void *bytes, size_t size)
{
    struct seeds *list = &seeds[kind];
    uint8_t *copy = malloc(size + 1);
    if (!copy || list->count == MAX_SEEDS)
        exit(2);
    memcpy(copy, bytes, size);
    list->at[list->count++] = (struct seed){copy, size};
}

static void add_file(enum kind kind, const char *path)
{
    static uint8_t bytes[MAX_INPUT];
    FILE *file = fopen(path, "rb");
    size_t size = file ? fread(bytes, 1, sizeof bytes, file) : 0;
    if (file)
        fclose(file);
    if (size && size <= (kind == KIND_HLO ? MAX_INPUT - 1 : MAX_SEED_BYTES))
        add_seed(kind, bytes, size);
}

static void add_files(enum kind kind, const char *pattern)
{
    glob_t files;
    if (glob(pattern, 0, NULL, &files))
        return;
    for (size_t i = 0; i < files.gl_pathc && seeds[kind].count < MAX_SEEDS; i++)
        add_file(kind, files.gl_pathv[i]);
    globfree(&files);
}

static const char *const suffixes[] = {
    [KIND_TEXT] = "mlir", [KIND_BYTECODE] = "mlirbc", [KIND_HLO] = "hlo.pb"};

/* The programs in the folders of `folder` that `pattern` matches. */
static void add_sharded(const char *folder, const char *pattern)
{
    char path[1024];
    for (int kind = KIND_TEXT; kind <= KIND_HLO; kind++) {
        snprintf(path, sizeof path, "%s/%s.%s", folder, pattern, suffixes[kind]);
        add_files((enum kind)kind, path);
    }
}

/* The last are those for eight devices. */
static void read_seeds(const char *folder)
{
    add_files(KIND_TEXT, "build/corpus/*/*.mlir");
    add_files(KIND_TEXT, "conformance/programs/semantics/*.mlir");
    add_files(KIND_TEXT, "compiler/passes/testdata/*/*.mlir");
    add_files(KIND_BYTECODE, "build/corpus/*/*.mlirbc");
    add_files(KIND_BYTECODE, "conformance/programs/rules/*.mlirbc");
    add_files(KIND_BYTECODE, "conformance/programs/semantics/*.mlirbc");
    add_files(KIND_HLO, "build/corpus/*/*.hlo.pb");
    add_files(KIND_HLO, "conformance/programs/*.hlo.pb");
    add_files(KIND_OPTIONS, "compiler/frontend/testdata/compile_options_fuzz/*.pb");
    for (int kind = 0; kind < KINDS; kind++)
        seeds[kind].sharded = seeds[kind].count;
    add_sharded("conformance/programs/sharded", "*");
    if (folder)
        add_sharded(folder, "*/*");
}

static struct error *serialize(const PJRT_Api *api, PJRT_LoadedExecutable *loaded)
{
    ABI_ARGS(LoadedExecutable_GetExecutable, get, .loaded_executable = loaded);
    TRY(ABI_CALL(api, LoadedExecutable_GetExecutable, &get));
    ABI_ARGS(Executable_Serialize, args, .executable = get.executable);
    struct error *error = ABI_CALL(api, Executable_Serialize, &args);
    if (!error && args.serialized_bytes_size <= MAX_EXECUTABLE)
        add_seed(KIND_EXECUTABLE, args.serialized_bytes, args.serialized_bytes_size);
    if (!error)
        args.serialized_executable_deleter(args.serialized_executable);
    ABI_DESTROY(api, Executable, executable, get.executable);
    return error;
}

/* The serialized executables of programs from `begin` on. */
static void serialize_some(const struct seed *begin, size_t count)
{
    static const char options[] = {0x1a, 2, 0x30, 1}; /* use_spmd_partitioning */
    PJRT_Client *client;
    const PJRT_Api *api = program_trial_api(&client);
    size_t step = count / EXECUTABLES + 1;
    for (size_t i = 0; i < count; i += step) {
        const struct abi_program program = {.code = (const char *)begin[i].bytes,
                                            .code_size = begin[i].size,
                                            .format = "mlir",
                                            .options = options,
                                            .options_size = sizeof options};
        PJRT_LoadedExecutable *loaded;
        struct error *error = abi_compile(api, client, &program, &loaded);
        if (!error)
            error = serialize(api, loaded);
        abi_executable_destroy(api, loaded);
        error_free(error);
    }
}

/* In the working process, since they need the plugin. */
static void make_executables(void)
{
    const struct seeds *from = &seeds[KIND_BYTECODE];
    struct seeds *made = &seeds[KIND_EXECUTABLE];
    made->count = 0;
    serialize_some(from->at, from->sharded);
    made->sharded = made->count;
    serialize_some(from->at + from->sharded, from->count - from->sharded);
}

/* ---- One input ------------------------------------------------------------------------------- */

static enum kind kind_of(uint64_t number)
{
    unsigned left = (unsigned)(number % SHARES);
    int kind = 0;
    while (left >= shares[kind])
        left -= shares[kind++];
    return (enum kind)kind;
}

/* Where the program's checksum and size are: 64 bytes behind the program's beginning, which comes
 * after the compile options. */
static size_t checksum_at(const uint8_t *bytes, size_t size)
{
    for (size_t at = 64; at + 16 < size; at++) {
        uint64_t both[2];
        memcpy(both, bytes + at, sizeof both);
        if (both[1] == size - (at - 64) && both[0] == map_hash(bytes + at + 16, size - at - 16, 0))
            return at;
    }
    return 64;
}

static size_t mutate_executable(uint8_t *bytes, size_t size, uint64_t *state)
{
    size_t at = checksum_at(bytes, size);
    bool damaged = byte_mutator_choose(state, 16) == 0; /* the checksum does not match */
    size = byte_mutate_words(bytes, size, damaged ? 0 : at + 16, state);
    uint64_t hash = map_hash(bytes + at + 16, size - at - 16, 0);
    if (!damaged)
        memcpy(bytes + at, &hash, sizeof hash);
    return size;
}

static const struct seed *choose_seed(const struct seeds *from, uint64_t *state)
{
    bool sharded = byte_mutator_choose(state, A_SHARDED) == 0;
    size_t first = sharded && from->sharded < from->count ? from->sharded : 0;
    return &from->at[first + byte_mutator_choose(state, from->count - first)];
}

/* Makes the input of this number; `bytes` has MAX_EXECUTABLE. */
static size_t make_input(enum kind kind, uint64_t number, uint64_t seed, uint8_t *bytes)
{
    uint64_t state = map_hash((const char *)&number, sizeof number, seed);
    if (!seeds[kind].count)
        return 0;
    const struct seed *from = choose_seed(&seeds[kind], &state);
    memcpy(bytes, from->bytes, from->size);
    switch (kind) {
    case KIND_TEXT: return program_mutate(bytes, from->size, MAX_INPUT - 1, (unsigned)state);
    case KIND_BYTECODE: return byte_mutate_bytecode(bytes, from->size, MAX_INPUT, &state);
    case KIND_EXECUTABLE: return mutate_executable(bytes, from->size, &state);
    default: return byte_mutate_message(bytes, from->size, MAX_INPUT, &state);
    }
}

static const char add[] =
    "func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {\n"
    "  %b = stablehlo.add %a, %a : tensor<4xf32>\n  return %b : tensor<4xf32>\n}\n";

static const char sharded_add[] =
    "sdy.mesh @mesh = <[\"x\"=2, \"y\"=4]>\n"
    "func.func @main(%a: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{\"y\"}, {}]>}) -> "
    "tensor<8x4xf32> {\n"
    "  %b = stablehlo.add %a, %a : tensor<8x4xf32>\n  return %b : tensor<8x4xf32>\n}\n";

/* The options of either of two programs. */
static enum program_stage try_options(const uint8_t *bytes, size_t size, bool sharded)
{
    PJRT_Client *client;
    PJRT_LoadedExecutable *loaded;
    const PJRT_Api *api = program_trial_api(&client);
    const struct abi_program program = {.code = sharded ? sharded_add : add,
                                        .code_size = strlen(sharded ? sharded_add : add),
                                        .format = "mlir",
                                        .options = (const char *)bytes,
                                        .options_size = size};
    struct error *error = abi_compile(api, client, &program, &loaded);
    abi_executable_destroy(api, loaded);
    enum program_stage stage = error ? PROGRAM_REJECTED : PROGRAM_COMPILED;
    error_free(error);
    return stage;
}

/* Loads it, and does not run it: its machine code may be another one. */
static enum program_stage try_executable(const uint8_t *bytes, size_t size)
{
    PJRT_Client *client;
    const PJRT_Api *api = program_trial_api(&client);
    ABI_ARGS(Executable_DeserializeAndLoad, load, .client = client,
             .serialized_executable = (const char *)bytes, .serialized_executable_size = size);
    struct error *error = ABI_CALL(api, Executable_DeserializeAndLoad, &load);
    if (!error)
        abi_executable_destroy(api, load.loaded_executable);
    enum program_stage stage = error ? PROGRAM_REJECTED : PROGRAM_COMPILED;
    error_free(error);
    return stage;
}

static enum program_stage try_input(enum kind kind, uint64_t number, const uint8_t *bytes,
                                    size_t size)
{
    switch (kind) {
    case KIND_OPTIONS: return try_options(bytes, size, number / SHARES % 2);
    case KIND_EXECUTABLE: return try_executable(bytes, size);
    default: return program_trial(bytes, size);
    }
}

/* ---- All inputs ------------------------------------------------------------------------------ */

static void write_input(const char *path, const uint8_t *bytes, size_t size)
{
    FILE *file = path ? fopen(path, "wb") : NULL;
    if (file && fwrite(bytes, 1, size, file) != size)
        perror(path);
    if (file)
        fclose(file);
}

/* Ends the process, by SIGPROF or SIGALRM, if an input takes too long; `processor` 0: no more. */
static void limit(unsigned processor, unsigned stall)
{
    const struct itimerval timer = {.it_value = {.tv_sec = (time_t)processor}};
    setitimer(ITIMER_PROF, &timer, NULL);
    alarm(stall);
}

/* Runs in a process of its own: inputs from progress->next on. */
static void work(uint64_t end, uint64_t seed, const char *output)
{
    static uint8_t bytes[MAX_EXECUTABLE];
    make_executables();
    for (; progress->next < end; progress->next++) {
        enum kind kind = kind_of(progress->next);
        size_t size = make_input(kind, progress->next, seed, bytes);
        write_input(output, bytes, size);
        limit(INPUT_SECONDS, STALL_SECONDS);
        enum program_stage stage =
            size ? try_input(kind, progress->next, bytes, size) : PROGRAM_REJECTED;
        progress->counts[kind][stage]++;
    }
    limit(0, 0);
    _exit(0);
}

static uint64_t at_least(enum kind kind, enum program_stage stage)
{
    uint64_t count = 0;
    for (int s = (int)stage; s < PROGRAM_STAGES; s++)
        count += progress->counts[kind][s];
    return count;
}

static void print_row(const char *name, const uint64_t *row)
{
    printf("%-12s", name);
    for (int stage = 0; stage < PROGRAM_STAGES; stage++)
        printf("%12" PRIu64, row[stage]);
    puts("");
}

/* How many inputs came at least so far. */
static void print_counts(void)
{
    uint64_t all[PROGRAM_STAGES] = {0};
    printf("%-12s%12s%12s%12s%12s%12s\n", "", "inputs", "read", "verified", "compiled", "executed");
    for (int kind = 0; kind < KINDS; kind++) {
        uint64_t row[PROGRAM_STAGES];
        for (int stage = 0; stage < PROGRAM_STAGES; stage++)
            all[stage] += row[stage] = at_least((enum kind)kind, (enum program_stage)stage);
        print_row(kind_names[kind], row);
    }
    print_row("all", all);
    printf("%.1f %% read, %.1f %% verified, %" PRIu64 " executed\n",
           100 * (double)all[PROGRAM_READ] / (double)(all[0] + !all[0]),
           100 * (double)all[PROGRAM_VERIFIED] / (double)(all[0] + !all[0]), all[PROGRAM_EXECUTED]);
    fflush(stdout);
}

/* Returns the number of inputs that ended their process. */
static int run(uint64_t first, uint64_t count, uint64_t seed, const char *output)
{
    int failed = 0, status = 0;
    for (progress->next = first; progress->next < first + count;) {
        uint64_t left = first + count - progress->next;
        pid_t child = fork();
        if (!child)
            work(progress->next + (left < A_PROCESS ? left : A_PROCESS), seed, output);
        if (child < 0 || waitpid(child, &status, 0) != child)
            return -1;
        if (progress->next % A_REPORT == 0 && progress->next < first + count)
            print_counts();
        if (!status)
            continue;
        failed++;
        printf("input %" PRIu64 " (%s) ends the process with %s %d; repeat it: mutate 1 %" PRIu64
               " %" PRIu64 "\n",
               progress->next, kind_names[kind_of(progress->next)],
               WIFSIGNALED(status) ? "signal" : "status",
               WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status), seed, progress->next);
        fflush(stdout);
        progress->next++;
    }
    return failed;
}

int main(int argc, char **argv)
{
    uint64_t numbers[3] = {1000, 1, 0};
    char folder[] = "/tmp/gantry_mutate_XXXXXX";
    for (int i = 1; i < argc && i <= 3; i++)
        numbers[i - 1] = strtoull(argv[i], NULL, 10);
    progress =
        mmap(NULL, sizeof *progress, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (progress == MAP_FAILED)
        return 2;
    read_seeds(argc > 4 ? argv[4] : NULL);
    if (!seeds[KIND_TEXT].count || !seeds[KIND_BYTECODE].count || !mkdtemp(folder) ||
        chdir(folder)) {
        fprintf(stderr, "no seeds: run this in the project's folder\n");
        return 2;
    }
    int failed = run(numbers[2], numbers[0], numbers[1], argc > 5 ? argv[5] : NULL);
    print_counts();
    rmdir(folder); /* programs do not write files, unless their options say so */
    if (failed < 0)
        return 2;
    printf("%" PRIu64 " passed, %d failed\n", numbers[0] - (uint64_t)failed, failed);
    return failed != 0;
}
