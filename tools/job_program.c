#include "tools/job_program.h"

#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/text.h"
#include "tools/session.h"

/* ---- text ------------------------------------------------------------------------------------ */
static void add_sum(struct text *text, int count)
{
    text_add(text, "  %%0 = \"stablehlo.all_reduce\"(%%x) ({\n"
                   "  ^b(%%a: tensor<f32>, %%b: tensor<f32>):\n"
                   "    %%s = stablehlo.add %%a, %%b : tensor<f32>\n"
                   "    stablehlo.return %%s : tensor<f32>\n"
                   "  }) {replica_groups = dense<[[");
    for (int i = 0; i < count; i++)
        text_add(text, "%s%d", i ? ", " : "", i);
    text_add(text, "]]> : tensor<1x%dxi64>} : (!array) -> !array\n  return %%0 : !array\n", count);
}

static void add_permute(struct text *text, const char *result, const char *operand, int from,
                        const char *type)
{
    text_add(text,
             "  %s = \"stablehlo.collective_permute\"(%s) {source_target_pairs = dense<[[%d, "
             "%d]]> : tensor<1x2xi64>} : (%s) -> %s\n",
             result, operand, from, 1 - from, type, type);
}

static void add_turns(struct text *text)
{
    text_add(text,
             "  %%zero = stablehlo.constant dense<0> : tensor<i32>\n"
             "  %%one = stablehlo.constant dense<1> : tensor<i32>\n"
             "  %%count = stablehlo.constant dense<%d> : tensor<i32>\n"
             "  %%r:2 = stablehlo.while(%%i = %%zero, %%v = %%x) : tensor<i32>, !array\n"
             "  cond {\n"
             "  %%c = stablehlo.compare LT, %%i, %%count : (tensor<i32>, tensor<i32>) -> "
             "tensor<i1>\n"
             "  stablehlo.return %%c : tensor<i1>\n  } do {\n",
             JOB_TURNS_COUNT);
    add_permute(text, "%there", "%v", 0, "!array");
    add_permute(text, "%back", "%there", 1, "!array");
    text_add(text, "  %%n = stablehlo.add %%i, %%one : tensor<i32>\n"
                   "  stablehlo.return %%n, %%back : tensor<i32>, !array\n  }\n"
                   "  return %%r#1 : !array\n");
}

static void add_send(struct text *text)
{
    add_permute(text, "%there", "%x", 0, "!array");
    text_add(text, "  %%part = stablehlo.slice %%there [0:1] : (!array) -> tensor<1xf32>\n");
    add_permute(text, "%back", "%part", 1, "tensor<1xf32>");
    text_add(text, "  return %%back : tensor<1xf32>\n");
}

/* *out is owned. */
static struct error *write_program(enum job_program_kind kind, int count, int64_t elements,
                                   char **out, size_t *size)
{
    struct text text = {0};
    char result[64];
    snprintf(result, sizeof result, "tensor<%lldxf32>",
             (long long)(kind == JOB_SEND ? 1 : elements));
    text_add(&text, "!array = tensor<%lldxf32>\nfunc.func @main(%%x: !array) -> %s {\n",
             (long long)elements, result);
    if (kind == JOB_SUM)
        add_sum(&text, count);
    else if (kind == JOB_TURNS)
        add_turns(&text);
    else
        add_send(&text);
    text_add(&text, "}\n");
    return text_finish(&text, out, size);
}

/* ---- compile options ------------------------------------------------------------------------- */
static void add_varint(struct text *text, uint64_t value)
{
    for (; value > 127; value >>= 7)
        text_add_bytes(text, &(unsigned char){(unsigned char)(value | 128)}, 1);
    text_add_bytes(text, &(unsigned char){(unsigned char)value}, 1);
}

static void add_field(struct text *text, int field, uint64_t value)
{
    add_varint(text, (uint64_t)field << 3);
    add_varint(text, value);
}

/* Adds a message (moved). */
static void add_message(struct text *text, int field, struct text *message)
{
    add_varint(text, (uint64_t)field << 3 | 2);
    add_varint(text, message->size);
    text_add_bytes(text, message->data, message->size);
    text->failed |= message->failed;
    text_free(message);
}

/* A CompileOptionsProto: executable_build_options (3) with num_replicas (4), num_partitions (5) and
 * a device_assignment (9): replica_count (1), computation_count (2), and the devices (3) of one
 * computation, replica_device_ids (1). */
static struct error *write_options(const int *ids, int count, char **out, size_t *size)
{
    struct text text = {0}, build = {0}, assignment = {0}, devices = {0};
    for (int i = 0; i < count; i++)
        add_field(&devices, 1, (uint64_t)ids[i]);
    add_field(&assignment, 1, (uint64_t)count);
    add_field(&assignment, 2, 1);
    add_message(&assignment, 3, &devices);
    add_field(&build, 4, (uint64_t)count);
    add_field(&build, 5, 1);
    add_message(&build, 9, &assignment);
    add_message(&text, 3, &build);
    return text_finish(&text, out, size);
}

/* ---- the program ----------------------------------------------------------------------------- */
static struct error *compile(struct job_program *p, enum job_program_kind kind, const int *ids,
                             int count)
{
    struct abi_program program = {.format = "mlir"};
    char *code = NULL, *options = NULL;
    struct error *error = write_program(kind, count, p->elements, &code, &program.code_size);
    if (!error)
        error = write_options(ids, count, &options, &program.options_size);
    program.code = code;
    program.options = options;
    if (!error)
        error = abi_compile(p->api, p->client, &program, &p->executable);
    alloc_free(code);
    alloc_free(options);
    return error;
}

static struct error *upload(struct job_program *p, float value)
{
    float *data;
    TRY(alloc_array((size_t)p->elements, sizeof *data, &data));
    for (int64_t i = 0; i < p->elements; i++)
        data[i] = value;
    struct abi_array array = {DTYPE_F32, 1, &p->elements, data};
    struct error *error = abi_upload(p->api, p->client, p->device, &array, &p->argument);
    alloc_free(data);
    return error;
}

struct error *job_program_open(const PJRT_Api *api, PJRT_Client *client, enum job_program_kind kind,
                               const int *ids, int count, int64_t elements, float value,
                               struct job_program *out)
{
    *out = (struct job_program){.api = api, .client = client, .elements = elements};
    struct error *error = abi_first_device(api, client, &out->device);
    if (!error)
        error = compile(out, kind, ids, count);
    if (!error)
        error = upload(out, value);
    if (error)
        job_program_close(out);
    return error;
}

struct error *job_program_time(struct job_program *program, int times, double *seconds,
                               float *first)
{
    *seconds = 0;
    for (int i = 0; i < times; i++) {
        PJRT_Buffer *result;
        double begin = session_seconds(), took;
        TRY(abi_execute(program->api, program->executable, &program->argument, 1, &result, 1));
        took = session_seconds() - begin;
        *seconds = !i || took < *seconds ? took : *seconds;
        struct error *error =
            i + 1 < times ? NULL : abi_download(program->api, result, first, sizeof *first);
        abi_buffer_destroy(program->api, result);
        TRY(error);
    }
    return NULL;
}

void job_program_close(struct job_program *program)
{
    abi_buffer_destroy(program->api, program->argument);
    abi_executable_destroy(program->api, program->executable);
    program->argument = NULL;
    program->executable = NULL;
}
