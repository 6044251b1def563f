/* suite_load.c: clients probe plugins: they open them, query them and close them, often without
 * using them later. */
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "conformance/test_context.h"

enum { CYCLES = 1000 };

static const PJRT_Api *table_of(void *library)
{
    const PJRT_Api *(*get)(void);
    void *symbol = dlsym(library, "GetPjrtApi");
    if (!symbol)
        return NULL;
    memcpy(&get, &symbol, sizeof get);
    return get();
}

static bool open_and_close(struct test_context *t, int flags)
{
    void *library = dlopen(t->path, flags);
    if (!library) {
        test_context_fail(t, __FILE__, __LINE__, "%s", dlerror());
        return false;
    }
    bool good = table_of(library) != NULL;
    CHECK(t, good, "GetPjrtApi returned NULL");
    dlclose(library);
    return good;
}

/* Opening and closing leaks no threads, open files or memory. */
static void cycles(struct test_context *t)
{
    for (int i = 0; i < 10; i++)
        if (!open_and_close(t, RTLD_NOW | RTLD_LOCAL))
            return;
    struct test_context_usage before = test_context_usage();
    for (int i = 0; i < CYCLES; i++)
        if (!open_and_close(t, RTLD_NOW | RTLD_LOCAL))
            return;
    struct test_context_usage after = test_context_usage();
    int64_t growth = after.resident_bytes - before.resident_bytes;
    CHECK(t, growth < 2 << 20 || !test_context_usage_is_exact(), "%d cycles take %lld KiB", CYCLES,
          (long long)growth >> 10);
    CHECK(t, after.threads == before.threads, "%d threads became %d", before.threads,
          after.threads);
    CHECK(t, after.files == before.files, "%d open files became %d", before.files, after.files);
}

static void all_flags(struct test_context *t)
{
    static const int flags[] = {RTLD_NOW | RTLD_LOCAL, RTLD_LAZY | RTLD_LOCAL,
                                RTLD_NOW | RTLD_GLOBAL, RTLD_LAZY | RTLD_GLOBAL};
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        open_and_close(t, flags[i]);
}

/* Opening a plugin and calling GetPjrtApi does not write to the standard streams and starts no
 * threads. */
static void silence(struct test_context *t)
{
    char path[] = "/tmp/gantry_silence_XXXXXX";
    int file = mkstemp(path), saved[2] = {dup(1), dup(2)};
    NEED(t, file >= 0 && saved[0] >= 0 && saved[1] >= 0, "no temporary file");
    unlink(path);
    struct test_context_usage before = test_context_usage();
    dup2(file, 1);
    dup2(file, 2);
    void *library = dlopen(t->path, RTLD_NOW | RTLD_LOCAL);
    const PJRT_Api *api = library ? table_of(library) : NULL;
    dup2(saved[0], 1);
    dup2(saved[1], 2);
    CHECK(t, api, "cannot be opened");
    CHECK(t, lseek(file, 0, SEEK_END) == 0, "opening writes to the standard streams");
    CHECK(t, test_context_usage().threads == before.threads, "opening starts threads");
}

/* Opening a library twice gives the same library. */
static void same_table(struct test_context *t)
{
    void *first = dlopen(t->path, RTLD_NOW | RTLD_LOCAL),
         *second = dlopen(t->path, RTLD_NOW | RTLD_LOCAL);
    NEED(t, first && second, "cannot be opened");
    CHECK(t, table_of(first) == table_of(first), "GetPjrtApi gives two tables");
    CHECK(t, table_of(first) == table_of(second), "two handles give two tables");
    dlclose(second);
    dlclose(first);
}

/* The plugin works after it is closed and reopened once the last client is destroyed. */
static void use_again(struct test_context *t)
{
    for (int i = 0; i < 3; i++) {
        if (!test_context_open(t, STAGE_CLIENT))
            return;
        CHECK_OK(t, test_context_run_program(t, PROGRAM_add));
        test_context_close(t);
    }
}

static const struct test_context_case cases[] = {
    {"cycles", cycles, STAGE_PATH, 120},     {"all_flags", all_flags, STAGE_PATH, 0},
    {"silence", silence, STAGE_PATH, 0},     {"same_table", same_table, STAGE_PATH, 0},
    {"use_again", use_again, STAGE_PATH, 0}, {0}};
const struct test_context_suite suite_load = {"load", cases};
