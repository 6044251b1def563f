/* corpus_run.c: gantry_corpus PLUGIN FOLDER... [--form SUFFIX] [--filter GLOB] [--expected FILE]
 * [--jobs N] runs every case in the folders and their subfolders on a plugin, using only the C ABI,
 * and compares the results with the expected ones. Cases run one after the other in worker
 * processes; a case that crashes its worker or takes longer than a minute counts as failed, and
 * another worker continues. --form .mlir, .generic.mlir or .hlo.pb: use that form of the programs
 * if a case has it. --expected: as for gantry_conformance. The last line is 'N passed, N failed, N
 * skipped'. */
#include <fnmatch.h>
#include <fts.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "conformance/corpus_case.h"
#include "conformance/test_context.h"

enum { MAX_CASES = 1 << 14, MAX_JOBS = 64, CASE_SECONDS = 60 };
enum state { WAITING, RUNNING, PASSED, FAILED };

struct request {
    const char *plugin, *form, *filter, *expected;
    char *folders[MAX_JOBS + 1]; /* NULL-terminated for fts_open */
    int folder_count, jobs;
};

/* State shared by the workers: the next case to run, and the outcome of each case. */
struct shared {
    atomic_int next;
    struct {
        atomic_int state;
        pid_t worker;
    } cases[MAX_CASES];
};

static char *paths[MAX_CASES];
static int path_count;

/* ---- one case -------------------------------------------------------------------------------- */

static struct error *compile_case(const struct test_context *t, const char *form,
                                  const struct corpus_case *item, PJRT_LoadedExecutable **out)
{
    const struct abi_program program = {.code = item->program,
                                        .code_size = item->program_size,
                                        .format = strcmp(form, ".hlo.pb") ? "mlir" : "hlo"};
    return abi_compile(t->api, t->client, &program, out);
}

static struct error *compare_result(const struct test_context *t, const struct corpus_case *item,
                                    size_t number, PJRT_Buffer *buffer)
{
    const struct corpus_array *want = &item->outputs[number];
    enum dtype dtype;
    const int64_t *dims;
    size_t rank;
    TRY(abi_shape(t->api, buffer, &dtype, &dims, &rank));
    if (dtype != want->dtype || rank != want->rank ||
        (rank && memcmp(dims, want->dims, rank * sizeof *dims)))
        return ERROR(DATA_LOSS, "result %zu is of type %s and rank %zu, expected %s of rank %zu",
                     number, dtype_name(dtype), rank, dtype_name(want->dtype), want->rank);
    void *bytes = malloc(want->size + 1);
    struct error *error = abi_download(t->api, buffer, bytes, want->size);
    if (!error)
        error = corpus_case_compare(want, item->data + want->offset, bytes);
    free(bytes);
    return error ? error_prefix(error, "result %zu", number) : NULL;
}

static struct error *upload_all(const struct test_context *t, const struct corpus_case *item,
                                PJRT_Buffer **inputs)
{
    for (size_t i = 0; i < item->input_count; i++) {
        const struct corpus_array *input = &item->inputs[i];
        const struct abi_array array = {.dtype = input->dtype,
                                        .rank = input->rank,
                                        .dims = input->dims,
                                        .bytes = item->data + input->offset};
        TRY(abi_upload(t->api, t->client, t->device, &array, &inputs[i]));
    }
    return NULL;
}

static struct error *execute_case(const struct test_context *t, const struct corpus_case *item,
                                  PJRT_LoadedExecutable *executable, PJRT_Buffer **inputs,
                                  PJRT_Buffer **outputs)
{
    size_t count;
    TRY(abi_output_count(t->api, executable, &count));
    if (count != item->output_count)
        return ERROR(DATA_LOSS, "%zu results, expected %zu", count, item->output_count);
    TRY(upload_all(t, item, inputs));
    TRY(abi_execute(t->api, executable, inputs, item->input_count, outputs, count));
    for (size_t i = 0; i < count; i++)
        TRY(compare_result(t, item, i, outputs[i]));
    return NULL;
}

static struct error *run_case(const struct test_context *t, const char *path, const char *form)
{
    static struct corpus_case item;
    PJRT_LoadedExecutable *executable = NULL;
    PJRT_Buffer *inputs[CORPUS_MAX_ARRAYS] = {0}, *outputs[CORPUS_MAX_ARRAYS] = {0};
    TRY(corpus_case_read(path, form, &item));
    struct error *error = compile_case(t, form, &item, &executable);
    if (!error)
        error = execute_case(t, &item, executable, inputs, outputs);
    for (size_t i = 0; i < CORPUS_MAX_ARRAYS; i++) {
        abi_buffer_destroy(t->api, inputs[i]);
        abi_buffer_destroy(t->api, outputs[i]);
    }
    abi_executable_destroy(t->api, executable);
    corpus_case_free(&item);
    return error;
}

/* ---- workers --------------------------------------------------------------------------------- */

static void say(const char *path, const char *words)
{
    fprintf(stderr, "FAIL %s: %s\n", path, words);
}

/* Runs cases until none is left. The alarm kills a worker whose case takes too long. */
static void work(const struct request *request, struct shared *shared)
{
    struct test_context t = {.path = request->plugin};
    if (!test_context_open(&t, STAGE_CLIENT))
        _exit(2);
    for (int i; (i = atomic_fetch_add(&shared->next, 1)) < path_count;) {
        shared->cases[i].worker = getpid();
        atomic_store(&shared->cases[i].state, RUNNING);
        alarm(CASE_SECONDS);
        struct error *error = run_case(&t, paths[i], request->form);
        alarm(0);
        if (error)
            say(paths[i], error_message(error, NULL));
        atomic_store(&shared->cases[i].state, error ? FAILED : PASSED);
        error_free(error);
    }
    test_context_close(&t);
    fflush(NULL);
    _exit(0);
}

static void start_worker(const struct request *request, struct shared *shared)
{
    fflush(NULL);
    if (fork() == 0)
        work(request, shared);
}

/* Records the cause of a worker's death as the failure of the case it was running. */
static void charge(struct shared *shared, pid_t worker, int status)
{
    for (int i = 0; i < path_count; i++)
        if (shared->cases[i].worker == worker && atomic_load(&shared->cases[i].state) == RUNNING) {
            atomic_store(&shared->cases[i].state, FAILED);
            say(paths[i], WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM ? "out of time"
                          : WIFSIGNALED(status) ? strsignal(WTERMSIG(status))
                                                : "ended the process");
        }
}

/* False if a worker cannot be started. */
static bool run_all(const struct request *request, struct shared *shared)
{
    int status;
    bool begun = true;
    for (int i = 0; i < request->jobs; i++)
        start_worker(request, shared);
    for (pid_t worker; (worker = wait(&status)) > 0;) {
        charge(shared, worker, status);
        if (WIFEXITED(status) && WEXITSTATUS(status) == 2)
            begun = false;
        else if ((!WIFEXITED(status) || WEXITSTATUS(status)) &&
                 atomic_load(&shared->next) < path_count)
            start_worker(request, shared);
    }
    return begun;
}

/* ---- cases ----------------------------------------------------------------------------------- */

static int by_name(const FTSENT **a, const FTSENT **b)
{
    return strcmp((*a)->fts_name, (*b)->fts_name);
}

static bool has_form(const char *path, const char *form)
{
    char beside[1024];
    snprintf(beside, sizeof beside, "%.*s%s", (int)(strlen(path) - 5), path, form);
    return access(beside, R_OK) == 0;
}

static void find_cases(const struct request *request)
{
    FTS *tree = fts_open(request->folders, FTS_LOGICAL | FTS_NOCHDIR, by_name);
    for (FTSENT *entry; tree && (entry = fts_read(tree));)
        if (entry->fts_info == FTS_F && path_count < MAX_CASES &&
            !fnmatch("*.case", entry->fts_name, 0) &&
            !fnmatch(request->filter, entry->fts_path, 0) &&
            has_form(entry->fts_path, request->form))
            paths[path_count++] = strdup(entry->fts_path);
    if (tree)
        fts_close(tree);
}

/* Whether a line of the expected failures, "GLOB reason", matches the case. */
static bool is_expected_to_fail(const struct request *request, const char *path)
{
    char line[512];
    bool found = false;
    FILE *file = request->expected ? fopen(request->expected, "r") : NULL;
    while (file && !found && fgets(line, sizeof line, file)) {
        char glob[600];
        line[strcspn(line, " \t\n#")] = '\0';
        snprintf(glob, sizeof glob, "*%s.case", line);
        found = *line && !fnmatch(glob, path, 0);
    }
    if (file)
        fclose(file);
    return found;
}

static int report(const struct request *request, const struct shared *shared)
{
    int passed = 0, failed = 0, skipped = 0;
    for (int i = 0; i < path_count; i++) {
        bool good = atomic_load(&shared->cases[i].state) == PASSED;
        bool known = is_expected_to_fail(request, paths[i]);
        passed += good;
        skipped += !good && known;
        failed += !good && !known;
        if (good && known)
            printf("%s passes, but %s lists it\n", paths[i], request->expected);
        free(paths[i]);
    }
    printf("%d passed, %d failed, %d skipped\n", passed, failed, skipped);
    return failed || !path_count;
}

static bool read_arguments(int argc, char **argv, struct request *request)
{
    for (int i = 1; i < argc; i++) {
        const char **option = !strcmp(argv[i], "--form")       ? &request->form
                              : !strcmp(argv[i], "--filter")   ? &request->filter
                              : !strcmp(argv[i], "--expected") ? &request->expected
                                                               : NULL;
        if (option && i + 1 < argc)
            *option = argv[++i];
        else if (!strcmp(argv[i], "--jobs") && i + 1 < argc)
            request->jobs = atoi(argv[++i]);
        else if (argv[i][0] == '-' || request->folder_count == MAX_JOBS)
            return false;
        else if (!request->plugin)
            request->plugin = argv[i];
        else
            request->folders[request->folder_count++] = argv[i];
    }
    return request->folder_count && request->jobs > 0 && request->jobs <= MAX_JOBS;
}

int main(int argc, char **argv)
{
    struct request request = {
        .form = ".mlirbc", .filter = "*", .jobs = (int)sysconf(_SC_NPROCESSORS_ONLN)};
    if (request.jobs > 8)
        request.jobs = 8; /* each job has a client with its own threads */
    if (!read_arguments(argc, argv, &request)) {
        fprintf(stderr,
                "usage: %s PLUGIN.so FOLDER... [--form SUFFIX] [--filter GLOB] [--expected FILE] "
                "[--jobs N]\n",
                argv[0]);
        return 2;
    }
    struct shared *shared =
        mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED)
        return 2;
    find_cases(&request);
    if (!run_all(&request, shared))
        fprintf(stderr, "a worker could not begin\n");
    return report(&request, shared);
}
