/* rule_sequences.h: the sequences of calls that most rules about buffers and programs begin with.
 * All go through CALL, with struct sizes of the plugin's version, on the client's first device
 * unless a buffer or executable says otherwise. Thread-safe. */
#ifndef GANTRY_CONFORMANCE_RULE_SEQUENCES_H
#define GANTRY_CONFORMANCE_RULE_SEQUENCES_H

#include "conformance/cts/rule_context.h"

/* ---- Programs -------------------------------------------------------------------------------- */

/* Compiles for one device. `format` is "mlir" or "hlo"; without `options`, those of one replica and
 * one partition (a serialized CompileOptionsProto). */
struct rule_program {
    const char *code;
    size_t size;
    const char *format, *options;
    size_t options_size;
};
struct error *rule_compile(struct rule_context *t, const struct rule_program *program,
                           PJRT_LoadedExecutable **out /*owned*/);
/* Compiles StableHLO text, such as a literal in the rule. */
struct error *rule_compile_text(struct rule_context *t, const char *text,
                                PJRT_LoadedExecutable **out /*owned*/);
/* Compiles a file of conformance/programs, which is part of the suite: "add.mlirbc". Its bytecode
 * is of StableHLO 1.10, which every plugin reads. */
struct error *rule_compile_file(struct rule_context *t, const char *name,
                                PJRT_LoadedExecutable **out /*owned*/);

/* Runs a program on one device and waits for its end. `outputs` has room for all results, and gets
 * owned buffers, or NULLs on error. */
struct error *rule_execute(struct rule_context *t, PJRT_LoadedExecutable *executable,
                           PJRT_Buffer *const *inputs, size_t input_count, PJRT_Buffer **outputs,
                           size_t output_count);

/* ---- Buffers --------------------------------------------------------------------------------- */

/* A dense, row-major array on the host. */
struct rule_array {
    PJRT_Buffer_Type type;
    size_t rank;
    const int64_t *dims;
    const void *bytes;
};
struct error *rule_upload(struct rule_context *t, const struct rule_array *array,
                          PJRT_Buffer **out /*owned*/);
/* Copies the elements, row-major, and waits for them. */
struct error *rule_download(struct rule_context *t, PJRT_Buffer *buffer, void *bytes, size_t size);

/* An array of one dimension of f32: the type of most rules. */
struct error *rule_upload_floats(struct rule_context *t, const float *values, size_t count,
                                 PJRT_Buffer **out /*owned*/);
/* Downloads, and compares bit by bit: a failure names the first element that differs. */
void rule_check_floats(struct rule_context *t, PJRT_Buffer *buffer, const float *expected,
                       size_t count);

/* Waits for an event (moved; may be NULL) and returns its error. */
struct error *rule_await(struct rule_context *t, PJRT_Event *event);

#endif
