/* compile_tsan.c: 8 threads compile the programs with shardings of the tests of propagation and
 * partitioning, each in another order. Exits 0 when every thread gets the same program, or the same
 * error, from a file, and the thread sanitizer reports nothing.
 * Variable: GANTRY_TEST_SECONDS, how long (default 10). */
#include <glob.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "compiler/compile.h"
#include "compiler/target_fixture.h"

#define FOLDER "compiler/passes/testdata/spmd_"

enum { THREADS = 8, MAX_FILE = 1 << 16 };

struct file {
    const char *path;
    char *text;
    size_t size;
    /* of the first compilation: a fingerprint, or an error's code; 0: none */
    atomic_ullong outcome;
};

static glob_t found;
static struct file *files;
static int64_t until;
static atomic_int wrong;
static atomic_long compiled;

static int64_t now_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec;
}

/* The input is in front of the first mark. */
static void read_file(struct file *file)
{
    FILE *stream = fopen(file->path, "rb");
    file->text = calloc(1, MAX_FILE);
    if (!stream || !file->text || !fread(file->text, 1, MAX_FILE - 1, stream))
        exit(1);
    fclose(stream);
    char *mark = strstr(file->text, "// ----");
    if (mark)
        *mark = 0;
    file->size = strlen(file->text);
}

static unsigned long long outcome_of(const struct file *file)
{
    struct target target = target_fixture();
    struct compile_source source = {
        .format = "mlir", .format_size = 4, .bytes = file->text, .size = file->size};
    struct program *program;
    struct error *error = compile(&source, &target, &program);
    unsigned long long outcome = error ? (unsigned long long)error_code(error)
                                       : program->fingerprint[0] ^ program->fingerprint[1];
    error_free(error);
    program_release(program);
    return outcome;
}

static void *compile_all(void *context)
{
    size_t first = (size_t)(intptr_t)context;
    for (size_t i = first; now_seconds() < until; i += 1 + first % 2 * 2) {
        struct file *file = &files[i % found.gl_pathc];
        unsigned long long known = 0, outcome = outcome_of(file);
        atomic_fetch_add(&compiled, 1);
        if (atomic_compare_exchange_strong(&file->outcome, &known, outcome) || known == outcome)
            continue;
        fprintf(stderr, "%s: %llx, then %llx\n", file->path, known, outcome);
        atomic_fetch_add(&wrong, 1);
    }
    return NULL;
}

int main(void)
{
    const char *seconds = getenv("GANTRY_TEST_SECONDS");
    pthread_t threads[THREADS];
    glob(FOLDER "propagate/*.mlir", 0, NULL, &found);
    glob(FOLDER "partition/*.mlir", GLOB_APPEND, NULL, &found);
    files = calloc(found.gl_pathc, sizeof *files);
    if (!found.gl_pathc || !files)
        return 1;
    for (size_t i = 0; i < found.gl_pathc; i++) {
        files[i].path = found.gl_pathv[i];
        read_file(&files[i]);
    }
    until = now_seconds() + (seconds ? atoi(seconds) : 10);
    for (size_t i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, compile_all, (void *)(intptr_t)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    int errors = 0;
    for (size_t i = 0; i < found.gl_pathc; i++) {
        errors += files[i].outcome < 100;
        free(files[i].text);
    }
    fprintf(stderr, "%ld compilations of %zu programs, %d of which are errors\n",
            atomic_load(&compiled), found.gl_pathc, errors);
    free(files);
    globfree(&found);
    return atomic_load(&wrong) != 0;
}
