/* test_context.h: what a conformance case works with: a plugin, opened as far as the case wants,
 * checks that go on after a failure, and small programs with known results. A suite is a table of
 * cases; each case runs in a process of its own (runner.c), so it may crash, hang or leave things
 * behind. Checks may be made from several threads.
 *
 *   static void scalar(struct test_context *t) {
 *       PJRT_Buffer *buffer;
 *       NEED_OK(t, test_context_upload(t, DTYPE_F32, 0, NULL, &buffer));
 *       CHECK(t, test_context_is_deleted(t, buffer) == false, "a new buffer is deleted");
 *   } */
#ifndef GANTRY_CONFORMANCE_TEST_CONTEXT_H
#define GANTRY_CONFORMANCE_TEST_CONTEXT_H

#include <stdatomic.h>
#include <stdbool.h>

#include "tools/abi.h"

enum test_context_stage { STAGE_PATH, STAGE_PLUGIN, STAGE_CLIENT };

struct test_context {
    const char *path;     /* of the plugin */
    const char *programs; /* folder of the programs */
    struct abi_plugin plugin;
    const PJRT_Api *api; /* from STAGE_PLUGIN on */
    PJRT_Client *client; /* from STAGE_CLIENT on */
    PJRT_Device *device; /* its first */
    atomic_int failures;
    atomic_bool skipped;
};

struct test_context_case {
    const char *name;
    void (*run)(struct test_context *t);
    enum test_context_stage stage;
    int seconds; /* it may take; 0: 60 */
};

struct test_context_suite {
    const char *name;
    const struct test_context_case *cases; /* ends with a NULL name */
};
extern const struct test_context_suite suite_table, suite_client, suite_buffers, suite_events,
    suite_execute, suite_serialize, suite_lifetimes, suite_input, suite_versions, suite_load,
    suite_leak, suite_threads, suite_forms, suite_transfer, suite_topology, suite_process,
    suite_callbacks, suite_progress;

/* Opens a plugin as far as `stage`; false, with a failure or a skip noted, when that cannot be
 * had. */
bool test_context_open(struct test_context *t, enum test_context_stage stage);
void test_context_close(struct test_context *t);

/* ---- Checks ---------------------------------------------------------------------------------- */

/* Notes a failure, with its place. */
void test_context_fail(struct test_context *t, const char *file, int line, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* Notes that the plugin does not support what the case tests. */
void test_context_skip(struct test_context *t, const char *why);

/* Notes a failure unless the error (moved) is NULL; whether it is. */
bool test_context_expect_ok(struct test_context *t, const char *file, int line,
                            struct error *error);
/* Notes a failure unless the error (moved) has that code and a message. */
void test_context_expect_code(struct test_context *t, const char *file, int line,
                              PJRT_Error_Code code, struct error *error);
/* Notes a failure unless there is an error (moved), of any code but INTERNAL. */
void test_context_expect_error(struct test_context *t, const char *file, int line,
                               struct error *error);

#define CHECK(t, condition, ...)                                                                   \
    do {                                                                                           \
        if (!(condition))                                                                          \
            test_context_fail((t), __FILE__, __LINE__, __VA_ARGS__);                               \
    } while (0)
#define CHECK_OK(t, error) test_context_expect_ok((t), __FILE__, __LINE__, (error))
#define CHECK_CODE(t, code, error)                                                                 \
    test_context_expect_code((t), __FILE__, __LINE__, PJRT_Error_Code_##code, (error))
#define CHECK_ERROR(t, error) test_context_expect_error((t), __FILE__, __LINE__, (error))
/* Ends the case. */
#define NEED(t, condition, ...)                                                                    \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            test_context_fail((t), __FILE__, __LINE__, __VA_ARGS__);                               \
            return;                                                                                \
        }                                                                                          \
    } while (0)
#define NEED_OK(t, error)                                                                          \
    do {                                                                                           \
        if (!CHECK_OK((t), (error)))                                                               \
            return;                                                                                \
    } while (0)
/* Ends the case as skipped when the plugin does not support a call, as failed on other errors. */
#define NEED_SERVED(t, error)                                                                      \
    do {                                                                                           \
        if (!test_context_supported((t), __FILE__, __LINE__, (error)))                             \
            return;                                                                                \
    } while (0)
bool test_context_supported(struct test_context *t, const char *file, int line,
                            struct error *error);

/* ---- Programs -------------------------------------------------------------------------------- */

struct test_context_type {
    enum dtype dtype;
    size_t rank;
    int64_t dims[2];
};

struct test_context_program {
    const char *name;
    size_t input_count;
    struct test_context_type inputs[5];
    size_t output_count;
    struct test_context_type outputs[4];
    double sums[4]; /* of an output's elements, the i-th times 1 + i % 7 */
};
/* programs.def has them in this order */
enum test_context_program_name {
#define PROGRAM(name, ...) PROGRAM_##name,
#include "conformance/programs/programs.def"
#undef PROGRAM
    PROGRAM_COUNT
};
extern const struct test_context_program test_context_programs[PROGRAM_COUNT];

/* The program's bytes (owned: free), in the form of a suffix: ".mlirbc", ".mlir", ".generic.mlir",
 * ".hlo.pb". */
struct error *test_context_program_bytes(const struct test_context *t,
                                         enum test_context_program_name name, const char *suffix,
                                         char **out, size_t *size);
/* Compiles the program as VHLO bytecode, which all plugins read; or in another form. */
struct error *test_context_compile(const struct test_context *t,
                                   enum test_context_program_name name,
                                   PJRT_LoadedExecutable **out /*owned*/);
struct error *test_context_compile_form(const struct test_context *t,
                                        enum test_context_program_name name, const char *suffix,
                                        PJRT_LoadedExecutable **out /*owned*/);
/* Uploads what programs.def's sums are for, to `arguments`. */
struct error *test_context_arguments(const struct test_context *t,
                                     enum test_context_program_name name,
                                     PJRT_Buffer *arguments[5] /*owned*/);
/* Downloads results and compares types, shapes and sums; FAILED_PRECONDITION when they differ. */
struct error *test_context_compare(const struct test_context *t,
                                   enum test_context_program_name name,
                                   PJRT_Buffer *const *results);
/* All of that: compiles, runs, compares, destroys. */
struct error *test_context_run_program(const struct test_context *t,
                                       enum test_context_program_name name);
/* Runs a compiled program with new arguments, compares, destroys all but the executable. */
struct error *test_context_run_once(const struct test_context *t,
                                    enum test_context_program_name name,
                                    PJRT_LoadedExecutable *executable);

/* ---- Buffers --------------------------------------------------------------------------------- */

/* Uploads an array whose elements are what test_context_value() says. */
struct error *test_context_upload(const struct test_context *t, enum dtype dtype, size_t rank,
                                  const int64_t *dims, PJRT_Buffer **out /*owned*/);
/* The i-th element that suites fill arrays with: multiples of 1/16 in [-0.5, 0.5), or 5 for
 * integers. */
double test_context_value(enum dtype dtype, size_t i);
size_t test_context_count(size_t rank, const int64_t *dims);
bool test_context_is_deleted(const struct test_context *t, PJRT_Buffer *buffer);

/* ---- The process ----------------------------------------------------------------------------- */

/* What this process holds: bytes of memory that is there, threads, open files. */
struct test_context_usage {
    int64_t resident_bytes;
    int threads, files;
};
struct test_context_usage test_context_usage(void);
/* Whether resident_bytes shows leaks: sanitizers keep what was freed. */
bool test_context_usage_is_exact(void);

#endif
