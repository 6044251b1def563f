/* sample_programs.h: for rules about programs: compile options, executions with all their
 * arguments, and the programs of conformance/programs/programs.def with their known results. */
#ifndef GANTRY_CONFORMANCE_SAMPLE_PROGRAMS_H
#define GANTRY_CONFORMANCE_SAMPLE_PROGRAMS_H

#include "conformance/rules/sample_buffers.h"

/* ---- Compiling ------------------------------------------------------------------------------- */

/* Declares a loaded executable of a file of conformance/programs; the rule ends if it does not
 * compile. */
#define NEED_PROGRAM(t, loaded, name)                                                              \
    PJRT_LoadedExecutable *loaded;                                                                 \
    NEED_CLIENT(t);                                                                                \
    NEED_OK(t, rule_compile_file((t), (name), &(loaded)))
/* The same, and its executable. */
#define NEED_EXECUTABLE(t, loaded, executable, name)                                               \
    NEED_PROGRAM(t, loaded, name);                                                                 \
    PJRT_Executable *executable = executable_of((t), loaded);                                      \
    RULE_NEED_(executable)

/* Owned, or NULL after a recorded failure. */
PJRT_Executable *executable_of(struct rule_context *t, PJRT_LoadedExecutable *loaded);
void executable_destroy(struct rule_context *t, PJRT_LoadedExecutable *loaded,
                        PJRT_Executable *executable); /* both; each may be NULL */

/* What xla.CompileOptionsProto says here. */
struct build {
    int replicas, partitions;
    const int *devices; /* [replica][partition], or NULL: the plugin's choice */
    bool portable;      /* compile_portable_executable: runs on the device named at Execute */
};
enum { BUILD_BYTES = 512 };
/* Writes the options as protobuf; returns their size. */
size_t build_options(const struct build *build, char out[BUILD_BYTES]);
/* Compiles a file of conformance/programs with these options. */
struct error *build_file(struct rule_context *t, const char *name, const struct build *build,
                         PJRT_LoadedExecutable **out /*owned*/);

/* ---- Executing ------------------------------------------------------------------------------- */

/* One call of PJRT_LoadedExecutable_Execute for one device. */
struct execution {
    PJRT_LoadedExecutable *executable;
    PJRT_Buffer *const *inputs;
    size_t input_count;
    PJRT_Device *device;        /* NULL: as the executable says */
    const int64_t *not_donated; /* an index, or NULL */
    int launch_id;
    PJRT_ExecuteContext *context;
    PJRT_Event **done; /* NULL, or gets an event (owned) */
};
/* Does not wait. `outputs` gets owned buffers. */
struct error *execution_start(struct rule_context *t, const struct execution *execution,
                              PJRT_Buffer **outputs);
/* Of one input or two; waits for nothing. */
struct error *execute_one(struct rule_context *t, PJRT_LoadedExecutable *executable, PJRT_Buffer *a,
                          PJRT_Buffer **out /*owned*/);
struct error *execute_two(struct rule_context *t, PJRT_LoadedExecutable *executable, PJRT_Buffer *a,
                          PJRT_Buffer *b, PJRT_Buffer **out /*owned*/);
/* The error of an execution, of its result, or NULL; the result is destroyed. */
struct error *execute_fails(struct rule_context *t, const struct execution *execution);

/* ---- Programs with known results ------------------------------------------------------------- */

/* Runs a loaded program of programs.def with its inputs, and compares types, shapes and weighted
 * sums of its results: "matmul". */
void known_program_check(struct rule_context *t, const char *name,
                         PJRT_LoadedExecutable *executable);
/* Compiles "<name>.<form>", and does the same. */
void known_program_run(struct rule_context *t, const char *name, const char *form);

#endif
