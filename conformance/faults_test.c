/* faults_test.c: the system fails Gantry: each call of mmap, pthread_create, dlopen, malloc and of
 * the functions for files, in turn or from one call on, while a client is created, programs are
 * compiled, run, serialized, loaded and destroyed through the ABI. Each failure has to end in a
 * status or to be survived, without a crash, a hang or a leak, and everything has to work
 * afterwards. This program's definitions of these functions take the place of the C library's for
 * all libraries of the process. GANTRY_TEST_FAULTS multiplies how many calls are tried. */
#include <criterion/criterion.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/alloc.h"
#include "conformance/plugin_fixture.h"
#include "conformance/process_usage.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define OWN_MALLOC 0 /* the sanitizer's own has to be called */
#else
#define OWN_MALLOC 1
#endif

/* ---- Failures -------------------------------------------------------------------------------- */

enum call { CALL_MMAP, CALL_THREAD, CALL_DLOPEN, CALL_MALLOC, CALL_WRITE, CALL_OPEN, CALLS };
static const char *const call_names[] = {"mmap",   "pthread_create", "dlopen",
                                         "malloc", "write",          "open, mkdir or fopen"};

static atomic_int chosen = CALLS; /* the function that fails */
static atomic_long left;          /* calls of it until the failing one; 0: none fails */
static atomic_bool lasting;       /* all later ones fail, too */
static atomic_bool happened;

static _Thread_local int loading; /* dlopen() calls of this thread that are in progress */

/* Allocations that SECURITY.md makes no promise about: those of oneDNN and of the C++ runtime, and
 * of the loader with the constructors that it runs. */
static bool is_excepted(enum call call, const void *caller)
{
    Dl_info info;
    if (call != CALL_MALLOC)
        return false;
    return loading || !dladdr(caller, &info) || strstr(info.dli_fname, "libstdc++") ||
           strstr(info.dli_fname, "libdnnl") || strstr(info.dli_fname, "ld-linux");
}

/* Whether this call fails. One that is excepted is passed over, and the next one fails. */
static bool fails_for(enum call call, const void *caller)
{
    if (atomic_load(&chosen) != (int)call)
        return false;
    long before = atomic_load(&left);
    bool later = before <= 0 && atomic_load(&happened) && atomic_load(&lasting);
    if ((before == 1 || later) && is_excepted(call, caller))
        return false;
    while (before > 0 && !atomic_compare_exchange_weak(&left, &before, before - 1))
        ;
    if (before == 1)
        atomic_store(&happened, true);
    return before == 1 || later;
}

static bool fails(enum call call)
{
    return fails_for(call, NULL);
}

static void fail_at(enum call call, long n, bool all_later)
{
    atomic_store(&happened, false);
    atomic_store(&lasting, all_later);
    atomic_store(&left, n);
    atomic_store(&chosen, (int)call);
}

/* Returns whether the failure happened. */
static bool fail_no_more(void)
{
    atomic_store(&chosen, CALLS);
    return atomic_load(&happened);
}

/* ---- The functions ---------------------------------------------------------------------------
 * Those below the C library's own allocator and loader are system calls or its internal names,
 * since these functions are called before dlsym() can be. */

void *mmap(void *address, size_t size, int protection, int flags, int file, off_t offset)
{
    if (fails(CALL_MMAP)) {
        errno = ENOMEM;
        return MAP_FAILED;
    }
    return (void *)syscall(SYS_mmap, address, size, protection, flags, file, offset);
}

ssize_t write(int file, const void *bytes, size_t size)
{
    if (file > 2 && fails(CALL_WRITE)) {
        errno = ENOSPC;
        return -1;
    }
    return syscall(SYS_write, file, bytes, size);
}

static int open_at(int folder, const char *path, int flags, mode_t mode)
{
    if (fails(CALL_OPEN)) {
        errno = flags & O_CREAT ? ENOSPC : EMFILE;
        return -1;
    }
    return (int)syscall(SYS_openat, folder, path, flags, mode);
}

int open(const char *path, int flags, ...)
{
    va_list more;
    va_start(more, flags);
    mode_t mode = flags & O_CREAT ? va_arg(more, mode_t) : 0;
    va_end(more);
    return open_at(AT_FDCWD, path, flags, mode);
}

int openat(int folder, const char *path, int flags, ...)
{
    va_list more;
    va_start(more, flags);
    mode_t mode = flags & O_CREAT ? va_arg(more, mode_t) : 0;
    va_end(more);
    return open_at(folder, path, flags, mode);
}

int mkdir(const char *path, mode_t mode)
{
    if (fails(CALL_OPEN)) {
        errno = ENOSPC;
        return -1;
    }
    return (int)syscall(SYS_mkdir, path, mode);
}

/* next_NAME: the next definition of a function, the C library's or a sanitizer's. */
#define NEXT(type, name, parameters)                                                               \
    static type(*next_##name) parameters;                                                          \
    if (!next_##name)                                                                              \
        *(void **)&next_##name = dlsym(RTLD_NEXT, #name);

FILE *fopen(const char *path, const char *mode)
{
    NEXT(FILE *, fopen, (const char *, const char *))
    if (fails(CALL_OPEN)) {
        errno = EMFILE;
        return NULL;
    }
    return next_fopen(path, mode);
}

int pthread_create(pthread_t *restrict thread, const pthread_attr_t *restrict attributes,
                   void *(*run)(void *), void *restrict argument)
{
    NEXT(int, pthread_create, (pthread_t *, const pthread_attr_t *, void *(*)(void *), void *))
    if (fails(CALL_THREAD))
        return EAGAIN;
    return next_pthread_create(thread, attributes, run, argument);
}

/* The path has a slash everywhere in Gantry, so it does not matter whose call the loader sees. */
void *dlopen(const char *path, int flags)
{
    NEXT(void *, dlopen, (const char *, int))
    if (fails(CALL_DLOPEN)) {
        next_dlopen("/no/such/library.so", RTLD_LAZY); /* sets dlerror() */
        return NULL;
    }
    loading++;
    void *library = next_dlopen(path, flags);
    loading--;
    return library;
}

#if OWN_MALLOC
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *memory, size_t size);
void *__libc_memalign(size_t alignment, size_t size);

static void *no_memory(void)
{
    errno = ENOMEM;
    return NULL;
}

void *malloc(size_t size)
{
    return fails_for(CALL_MALLOC, __builtin_return_address(0)) ? no_memory() : __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    return fails_for(CALL_MALLOC, __builtin_return_address(0)) ? no_memory()
                                                               : __libc_calloc(count, size);
}

void *realloc(void *memory, size_t size)
{
    return fails_for(CALL_MALLOC, __builtin_return_address(0)) ? no_memory()
                                                               : __libc_realloc(memory, size);
}

void *aligned_alloc(size_t alignment, size_t size)
{
    return fails_for(CALL_MALLOC, __builtin_return_address(0)) ? no_memory()
                                                               : __libc_memalign(alignment, size);
}

int posix_memalign(void **out, size_t alignment, size_t size)
{
    *out = fails_for(CALL_MALLOC, __builtin_return_address(0)) ? NULL
                                                               : __libc_memalign(alignment, size);
    return *out ? 0 : ENOMEM;
}
#endif

/* ---- The work -------------------------------------------------------------------------------- */

static struct test_context t;

static void prepare(void)
{
    t = plugin_context();
    plugin_folder_make();
    setenv("GANTRY_THREADS", "2", 1);
}

static struct error *use_client(void)
{
    PJRT_LoadedExecutable *loaded;
    TRY(abi_first_device(t.api, t.client, &t.device));
    TRY(test_context_run_program(&t, PROGRAM_matmul));
    TRY(test_context_compile(&t, PROGRAM_loop, &loaded));
    struct error *error = test_context_run_once(&t, PROGRAM_loop, loaded);
    if (!error)
        error = test_context_reload(&t, loaded);
    abi_executable_destroy(t.api, loaded);
    return error;
}

/* Everything, from loading the plugin to closing it. */
static struct error *everything(void)
{
    TRY(abi_load(t.path, &t.plugin));
    t.api = t.plugin.api;
    struct error *error = abi_client_create(t.api, NULL, 0, &t.client);
    if (!error) {
        error = use_client();
        abi_client_destroy(t.api, t.client);
    }
    abi_unload(&t.plugin);
    return error;
}

/* ---- Children -------------------------------------------------------------------------------- */

enum {
    CHILD_OK = 0,
    CHILD_NEVER_FAILED = 10,
    CHILD_FAILS_AFTER = 11,
    CHILD_LEAKS = 12,
    CHILD_UNNAMED = 13,
    CHILD_SECONDS = 120
};

static const char *meaning_of(int status)
{
    if (WIFSIGNALED(status))
        return WTERMSIG(status) == SIGALRM ? "hangs" : strsignal(WTERMSIG(status));
    switch (WEXITSTATUS(status)) {
    case CHILD_FAILS_AFTER: return "does not work afterwards";
    case CHILD_LEAKS: return "loses memory, files or threads";
    case CHILD_UNNAMED: return "has an error without a message";
    default: return "exits";
    }
}

/* oneDNN generates some code once a process, and remembers that it could not (SECURITY.md). */
static bool keeps_failing(const struct error *error)
{
    return strstr(error_message(error, NULL), "oneDNN") != NULL;
}

/* One failure, then the same without one. Returns the status of the child. */
static int one_failure(enum call call, long n, bool all_later)
{
    fail_at(call, n, all_later);
    struct error *error = everything();
    bool failed = fail_no_more();
    bool named = !error || *error_message(error, NULL);
    error_free(error);
    error = everything();
    bool works = !error || keeps_failing(error);
    if (!works)
        fprintf(stderr, "afterwards: %s\n", error_message(error, NULL));
    error_free(error);
    return !named ? CHILD_UNNAMED : !works ? CHILD_FAILS_AFTER : failed ? 0 : CHILD_NEVER_FAILED;
}

/* Runs it in a new process, where nothing is loaded or cached yet. */
static int in_child(enum call call, long n, bool all_later)
{
    int status = -1;
    pid_t child = fork();
    if (!child) {
        alarm(CHILD_SECONDS);
        _exit(one_failure(call, n, all_later));
    }
    cr_assert_gt(child, 0);
    waitpid(child, &status, 0);
    return status;
}

static long factor(void)
{
    const char *text = getenv("GANTRY_TEST_FAULTS");
    long value = text ? strtol(text, NULL, 10) : 1;
    return value > 0 ? value : 1;
}

/* Every n at first, then increasingly sparse ones: the first `dense`, and those of a geometric
 * series. */
static void sweep(enum call call, bool all_later, long dense)
{
    long tried = 0;
    dense *= factor();
    for (long n = 1;; n += n < dense ? 1 : 1 + n / (2 * factor())) {
        int status = in_child(call, n, all_later);
        if (WIFEXITED(status) && WEXITSTATUS(status) == CHILD_NEVER_FAILED)
            break;
        cr_expect(WIFEXITED(status) && !WEXITSTATUS(status),
                  "call %ld of %s fails%s: the process %s", n, call_names[call],
                  all_later ? ", and all later ones" : "", meaning_of(status));
        tried++;
        cr_assert_lt(n, 10000000);
    }
    cr_expect_gt(tried, 0, "%s is never called", call_names[call]);
}

#define SWEEP(name, call, all_later, dense)                                                        \
    Test(faults, name, .init = prepare, .fini = plugin_folder_remove, .timeout = 3600)             \
    {                                                                                              \
        sweep(call, all_later, dense);                                                             \
    }
SWEEP(mmap, CALL_MMAP, false, 40)
SWEEP(mmap_from_one_on, CALL_MMAP, true, 20)
SWEEP(pthread_create, CALL_THREAD, false, 20)
SWEEP(pthread_create_from_one_on, CALL_THREAD, true, 20)
SWEEP(dlopen, CALL_DLOPEN, false, 20)
SWEEP(open, CALL_OPEN, false, 40)
SWEEP(open_from_one_on, CALL_OPEN, true, 10)

/* Of any library: LLVM, oneDNN, hwloc, the C library itself. */
Test(faults, malloc, .init = prepare, .fini = plugin_folder_remove, .timeout = 3600)
{
    if (!OWN_MALLOC)
        cr_skip_test("the sanitizer's malloc cannot be replaced");
    sweep(CALL_MALLOC, false, 1);
}

/* ---- Less and less memory -------------------------------------------------------------------- */

/* Runs everything with a limit of so much more address space than there is in use. */
static int with_memory(long mib)
{
    long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (!file || fscanf(file, "%ld", &pages) != 1)
        return CHILD_UNNAMED;
    fclose(file);
    rlim_t bytes = (rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE) + ((rlim_t)mib << 20);
    struct rlimit before, limit;
    getrlimit(RLIMIT_AS, &before);
    limit = (struct rlimit){bytes, before.rlim_max};
    setrlimit(RLIMIT_AS, &limit);
    struct error *error = everything();
    bool named = !error || *error_message(error, NULL), whole = !error;
    error_free(error);
    setrlimit(RLIMIT_AS, &before);
    error = everything();
    bool works = !error || keeps_failing(error);
    error_free(error);
    return !named ? CHILD_UNNAMED : !works ? CHILD_FAILS_AFTER : whole ? CHILD_NEVER_FAILED : 0;
}

/* From no memory to enough. */
Test(faults, address_space, .init = prepare, .fini = plugin_folder_remove, .timeout = 3600)
{
    long mib = 0, tried = 0;
    if (!OWN_MALLOC)
        cr_skip_test("sanitizers reserve address space");
    for (int status = 0; mib < 4096; mib += 1 + mib / (8 * factor())) {
        pid_t child = fork();
        if (!child) {
            alarm(CHILD_SECONDS);
            _exit(with_memory(mib));
        }
        waitpid(child, &status, 0);
        if (WIFEXITED(status) && WEXITSTATUS(status) == CHILD_NEVER_FAILED)
            break;
        cr_expect(WIFEXITED(status) && !WEXITSTATUS(status), "with %ld MiB: the process %s", mib,
                  meaning_of(status));
        tried++;
    }
    cr_expect_gt(tried, 10);
    cr_expect_lt(mib, 4096, "4 GiB are not enough");
}

/* ---- In one process: leaks ------------------------------------------------------------------- */

struct state {
    int64_t allocations;
    int files, threads;
    long maps;
};

static long count_maps(void)
{
    long count = 0;
    FILE *file = fopen("/proc/self/maps", "r");
    for (int c; file && (c = getc(file)) != EOF;)
        count += c == '\n';
    if (file)
        fclose(file);
    return count;
}

static struct state state_now(void)
{
    struct process_usage usage = process_usage();
    return (struct state){alloc_live(), usage.files, usage.threads, count_maps()};
}

enum { MAPS_SLACK = 64 };

static bool has_more(const struct state *after, const struct state *before)
{
    return after->allocations > before->allocations || after->files > before->files ||
           after->threads > before->threads || after->maps > before->maps + MAPS_SLACK;
}

/* The counts once two of them are equal: an executable may still be released on another thread,
 * which shows as dozens of allocations. */
static struct state state_at_rest(void)
{
    struct state now = state_now(), last;
    int tries = 0;
    do {
        last = now;
        usleep(50000);
        now = state_now();
    } while (++tries < 100 && (has_more(&now, &last) || has_more(&last, &now)));
    return now;
}

/* Whether there is more than before once other threads have ended what they were doing. */
static bool leaks(enum call call, struct state before)
{
    struct state after = state_now();
    for (int i = 0; i < 100 && has_more(&after, &before); i++) {
        usleep(100000);
        after = state_now();
    }
    if (!has_more(&after, &before))
        return false;
    fprintf(stderr,
            "%s: %lld to %lld allocations, %d to %d files, %d to %d threads, %ld to %ld mappings\n",
            call_names[call], (long long)before.allocations, (long long)after.allocations,
            before.files, after.files, before.threads, after.threads, before.maps, after.maps);
    return true;
}

/* In a process that is in use: what a failure has left shows in the counts. */
static int repeated_failures(enum call call, long step)
{
    struct error *error = NULL;
    long n = 1;
    for (int i = 0; i < 3 && !error; i++)
        error = use_client();
    struct state before = state_at_rest();
    for (bool failed = true; failed && !error; n += step) {
        fail_at(call, n, false);
        error_free(use_client());
        failed = fail_no_more();
        error = use_client();
    }
    if (error)
        fprintf(stderr, "after call %ld of %s: %s\n", n, call_names[call],
                error_message(error, NULL));
    return error ? CHILD_FAILS_AFTER : leaks(call, before) ? CHILD_LEAKS : CHILD_OK;
}

static void expect_no_leak(enum call call, long step)
{
    int status = -1;
    pid_t child = fork();
    if (!child) {
        if (!test_context_open(&t, STAGE_CLIENT))
            _exit(CHILD_FAILS_AFTER);
        _exit(repeated_failures(call, step));
    }
    waitpid(child, &status, 0);
    cr_expect(WIFEXITED(status) && !WEXITSTATUS(status), "failures of %s: the process %s",
              call_names[call], meaning_of(status));
}

Test(faults, nothing_is_lost, .init = prepare, .fini = plugin_folder_remove, .timeout = 3600)
{
    expect_no_leak(CALL_MMAP, 1);
    expect_no_leak(CALL_THREAD, 1);
    expect_no_leak(CALL_OPEN, 1);
    if (OWN_MALLOC)
        expect_no_leak(CALL_MALLOC, 1 + 500 / factor());
}

/* ---- Dumps ----------------------------------------------------------------------------------- */

static struct error *compile_again(const char *code, size_t size)
{
    const struct abi_program program = {.code = code, .code_size = size, .format = "mlir"};
    PJRT_LoadedExecutable *loaded;
    TRY(abi_compile(t.api, t.client, &program, &loaded));
    abi_executable_destroy(t.api, loaded);
    return NULL;
}

/* A full disk costs the dump, not the compilation. */
Test(faults, dumps_on_a_full_disk, .init = prepare, .fini = plugin_folder_remove, .timeout = 3600)
{
    char *code;
    size_t size;
    setenv("GANTRY_DUMP", plugin_folder, 1);
    cr_assert(test_context_open(&t, STAGE_CLIENT));
    cr_assert_null(test_context_program_bytes(&t, PROGRAM_add, ".mlirbc", &code, &size));
    for (int all_later = 0; all_later < 2; all_later++)
        for (int i = 0; i < 2; i++)
            for (long n = 1, failed = 1; failed; n += 1 + n / 4) {
                fail_at(i ? CALL_OPEN : CALL_WRITE, n, all_later);
                struct error *error = compile_again(code, size);
                failed = fail_no_more();
                cr_assert_null(error, "call %ld of %s: %s", n,
                               call_names[i ? CALL_OPEN : CALL_WRITE], error_message(error, NULL));
            }
    test_context_close(&t);
}
