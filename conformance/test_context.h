/* test_context.h: the environment of a conformance case: a plugin, opened up to the stage that the
 * case needs, nonfatal checks, and small programs with known results. A suite is a table of cases.
 * Each case runs in its own process (runner.c), so it may crash, hang or leak. Checks are
 * thread-safe.
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
    const char *path;     /* path of the plugin */
    const char *programs; /* folder of the programs */
    struct abi_plugin plugin;
    const PJRT_Api *api; /* from STAGE_PLUGIN on */
    PJRT_Client *client; /* from STAGE_CLIENT on */
    PJRT_Device *device; /* the client's first device */
    atomic_int failures;
    atomic_bool skipped;
};

struct test_context_case {
    const char *name;
    void (*run)(struct test_context *t);
    enum test_context_stage stage;
    int seconds; /* time limit; 0: 60 s */
};

struct test_context_suite {
    const char *name;
    const struct test_context_case *cases; /* terminated by a NULL name */
};
extern const struct test_context_suite suite_buffers, suite_events, suite_serialize,
    suite_lifetimes, suite_input, suite_versions, suite_load, suite_leak, suite_threads,
    suite_forms, suite_transfer, suite_topology, suite_process, suite_callbacks, suite_progress,
    suite_stress, suite_misuse, suite_layouts, suite_collectives, suite_sequences;

/* Opens a plugin up to `stage`. On failure, records a failure or a skip and returns false. */
bool test_context_open(struct test_context *t, enum test_context_stage stage);
void test_context_close(struct test_context *t);

/* ---- Checks ---------------------------------------------------------------------------------- */

/* Records a failure with its source location. */
void test_context_fail(struct test_context *t, const char *file, int line, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* Records that the plugin does not support the tested feature. */
void test_context_skip(struct test_context *t, const char *why);

/* Records a failure unless the error (moved) is NULL; returns whether it is NULL. */
bool test_context_expect_ok(struct test_context *t, const char *file, int line,
                            struct error *error);
/* Records a failure unless the error (moved) has that code and a message. */
void test_context_expect_code(struct test_context *t, const char *file, int line,
                              PJRT_Error_Code code, struct error *error);
/* Records a failure unless there is an error (moved) with a code other than INTERNAL. */
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
/* Fatal checks: a failure ends the case. */
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
/* Ends the case as skipped if the plugin does not support a call, and as failed on other errors. */
#define NEED_SUPPORTED(t, error)                                                                   \
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
    double sums[4]; /* sum of each output's elements, the i-th weighted by 1 + i % 7 */
};
/* in the order of programs.def */
enum test_context_program_name {
#define PROGRAM(name, ...) PROGRAM_##name,
#include "conformance/programs/programs.def"
#undef PROGRAM
    PROGRAM_COUNT
};
extern const struct test_context_program test_context_programs[PROGRAM_COUNT];

/* Returns the bytes of the program (owned: free) in the form given by a suffix: ".mlirbc", ".mlir",
 * ".generic.mlir", ".hlo.pb". */
struct error *test_context_program_bytes(const struct test_context *t,
                                         enum test_context_program_name name, const char *suffix,
                                         char **out, size_t *size);
/* Compile the program from VHLO bytecode, which all plugins read, or from another form. */
struct error *test_context_compile(const struct test_context *t,
                                   enum test_context_program_name name,
                                   PJRT_LoadedExecutable **out /*owned*/);
struct error *test_context_compile_form(const struct test_context *t,
                                        enum test_context_program_name name, const char *suffix,
                                        PJRT_LoadedExecutable **out /*owned*/);
/* Serializes the program of an executable, loads it from these bytes, and destroys the latter. */
struct error *test_context_reload(const struct test_context *t, PJRT_LoadedExecutable *loaded);
/* Uploads the arguments for which programs.def has the expected sums. */
struct error *test_context_arguments(const struct test_context *t,
                                     enum test_context_program_name name,
                                     PJRT_Buffer *arguments[5] /*owned*/);
/* Downloads results and compares types, shapes and sums; FAILED_PRECONDITION if they differ. */
struct error *test_context_compare(const struct test_context *t,
                                   enum test_context_program_name name,
                                   PJRT_Buffer *const *results);
/* Compiles and runs the program, compares the results and destroys everything. */
struct error *test_context_run_program(const struct test_context *t,
                                       enum test_context_program_name name);
/* Runs a compiled program with new arguments, compares the results and destroys everything except
 * the executable. */
struct error *test_context_run_once(const struct test_context *t,
                                    enum test_context_program_name name,
                                    PJRT_LoadedExecutable *executable);

/* ---- Buffers --------------------------------------------------------------------------------- */

/* Uploads an array whose elements are those of test_context_value(). */
struct error *test_context_upload(const struct test_context *t, enum dtype dtype, size_t rank,
                                  const int64_t *dims, PJRT_Buffer **out /*owned*/);
/* The i-th element of the arrays in suites: multiples of 1/16 in [-0.5, 0.5), or 5 for integers. */
double test_context_value(enum dtype dtype, size_t i);
size_t test_context_count(size_t rank, const int64_t *dims);
bool test_context_is_deleted(const struct test_context *t, PJRT_Buffer *buffer);

#endif
