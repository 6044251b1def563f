/* session.c: prepares a program to run from a command line. */
#include "tools/session.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/alloc.h"
#include "base/text.h"
#include "tools/file.h"
#include "tools/plugins.h"
#include "tools/program_signature.h"
#include "tools/tensor_spec.h"

/* ---- The command line ------------------------------------------------------------------------ */

struct error *session_value(const char *name, int argc, char **argv, int *i, const char **value)
{
    size_t size = strlen(name);
    *value = NULL;
    if (strncmp(argv[*i], name, size) || (argv[*i][size] && argv[*i][size] != '='))
        return NULL;
    if (argv[*i][size] == '=')
        *value = argv[*i] + size + 1;
    else if (*i + 1 < argc)
        *value = argv[++*i];
    else
        return ERROR(INVALID_ARGUMENT, "%s needs a value", name);
    return NULL;
}

static struct error *take_input(struct session *session, const char *spec)
{
    if (session->input_count == SESSION_MAX_INPUTS)
        return ERROR(INVALID_ARGUMENT, "more than %d inputs", SESSION_MAX_INPUTS);
    session->inputs[session->input_count++] = spec;
    return NULL;
}

struct error *session_option(struct session *session, int argc, char **argv, int *i, bool *taken)
{
    const struct {
        const char *name;
        const char **target;
    } options[] = {{"--plugin", &session->plugin_path},    {"--format", &session->format},
                   {"--options", &session->options_path},  {"--python", &session->python.source},
                   {"--args", &session->python.arguments}, {"--function", &session->function}};
    const char *value;
    *taken = true;
    for (size_t k = 0; k < sizeof options / sizeof *options; k++) {
        TRY(session_value(options[k].name, argc, argv, i, &value));
        if (!value)
            continue;
        *options[k].target = value;
        if (options[k].target == &session->python.source)
            session->program_path = value;
        return NULL;
    }
    TRY(session_value("--input", argc, argv, i, &value));
    if (value)
        return take_input(session, value);
    bool is_option = argv[*i][0] == '-' && argv[*i][1];
    *taken = !is_option && !session->program_path;
    if (*taken)
        session->program_path = argv[*i];
    return NULL;
}

/* ---- Opening --------------------------------------------------------------------------------- */

struct error *session_load(struct session *session)
{
    struct error *error;
    if (session->plugin_path) {
        error = abi_load(session->plugin_path, &session->plugin);
    } else {
        struct plugins plugins;
        TRY(plugins_find(&plugins));
        error = plugins.count ? abi_load(plugins.files[0].path, &session->plugin)
                              : ERROR(NOT_FOUND, "no plugin was found; specify one with --plugin");
        plugins_free(&plugins);
    }
    session->loaded = !error;
    return error;
}

/* A serialized message begins with field 1 and has control characters that text does not have. */
static bool is_proto(const struct session *session)
{
    size_t size = session->code_size < 256 ? session->code_size : 256;
    bool control = false;
    for (size_t i = 1; i < size; i++)
        control |= (unsigned char)session->code[i] < '\t';
    return size && session->code[0] == '\n' && control;
}

static const char *format_of(const struct session *session)
{
    if (session->format)
        return session->format;
    const char *end = strrchr(session->program_path, '.');
    bool named = end && (!strcmp(end, ".pb") || !strcmp(end, ".hlo"));
    return named || is_proto(session) ? "hlo" : "mlir";
}

static struct error *read_program(struct session *session)
{
    if (session->code)
        return NULL;
    session->python.devices = session->partitions;
    return session->python.source
               ? python_program_read(&session->python, &session->code, &session->code_size)
               : file_read(session->program_path, &session->code, &session->code_size);
}

enum { OPTION_SIZE = 1 << 14 };

/* Appends a number as a varint. */
static void add_size(struct text *out, size_t size)
{
    for (; size >= 0x80; size >>= 7)
        text_add(out, "%c", (int)(0x80 | (size & 0x7f)));
    text_add(out, "%c", (int)size);
}

static size_t size_of_size(size_t size)
{
    return size < 0x80 ? 1 : 1 + size_of_size(size >> 7);
}

/* Appends a compile option: an entry of the map env_option_overrides (field 7) of a name (1) and a
 * value (2), whose text is field 1. `option`: of the command line. */
static struct error *add_option(const char *option, const char *name, const char *value,
                                struct text *options)
{
    size_t size = strlen(value), name_size = strlen(name);
    size_t text_size = 1 + size_of_size(size) + size;
    if (size > OPTION_SIZE)
        return ERROR(INVALID_ARGUMENT, "%s: the value has %zu bytes; allowed: up to %d", option,
                     size, OPTION_SIZE);
    text_add(options, "\x3a");
    add_size(options, 2 + name_size + 1 + size_of_size(text_size) + text_size);
    text_add(options, "\x0a%c%s\x12", (int)name_size, name);
    add_size(options, text_size);
    text_add(options, "\x0a");
    add_size(options, size);
    text_add(options, "%s", value);
    return NULL;
}

static struct error *add_options(const struct session *session, struct text *options)
{
    if (session->function)
        TRY(add_option("--function", "gantry_function", session->function, options));
    if (session->argument_shapes)
        TRY(add_option("--input", "gantry_argument_shapes", session->argument_shapes, options));
    if (session->auto_sharding)
        TRY(add_option("--auto", "gantry_auto_sharding", "true", options));
    if (session->auto_mesh)
        TRY(add_option("--mesh", "gantry_auto_sharding_mesh", session->auto_mesh, options));
    if (session->auto_seconds)
        TRY(add_option("--effort", "gantry_auto_sharding_seconds", session->auto_seconds, options));
    return NULL;
}

enum { PARTITIONED_SIZE = 16 };

/* Options of a program of several partitions: executable_build_options (field 3) of num_replicas 1
 * (4), num_partitions (5), use_spmd_partitioning (6). */
static const char *write_partitions(int count, char out[PARTITIONED_SIZE], size_t *size)
{
    char *at = out + 2;
    *at++ = 0x20, *at++ = 1, *at++ = 0x28;
    for (; count >= 0x80; count >>= 7)
        *at++ = (char)(0x80 | (count & 0x7f));
    *at++ = (char)count;
    *at++ = 0x30, *at++ = 1;
    out[0] = 0x1a;
    out[1] = (char)(at - out - 2);
    *size = (size_t)(at - out);
    return out;
}

/* The options of --options, --function, --auto and --mesh; none: one device. */
static struct error *read_options(const struct session *session, char **out, size_t *size)
{
    struct text text = {0};
    char *file = NULL;
    char partitioned[PARTITIONED_SIZE];
    const char *base = abi_one_device(size);
    if (session->partitions && !session->options_path)
        base = write_partitions(session->partitions, partitioned, size);
    if (session->options_path) {
        TRY(file_read(session->options_path, &file, size));
        base = file;
    }
    text_add_bytes(&text, base, *size);
    alloc_free(file);
    struct error *error = add_options(session, &text);
    if (!error)
        return text_finish(&text, out, size);
    text_free(&text);
    return error;
}

static struct error *compile_code(struct session *session, const char *options, size_t size)
{
    const struct abi_program program = {session->code, session->code_size, format_of(session),
                                        options, size};
    double wall = session_seconds(), cpu = session_cpu_seconds();
    const PJRT_Api *api = session->plugin.api;
    struct error *error =
        session->topology ? abi_compile_for(api, session->topology, &program, &session->compiled)
                          : abi_compile(api, session->client, &program, &session->executable);
    session->compile_seconds = session_seconds() - wall;
    session->compile_cpu_seconds = session_cpu_seconds() - cpu;
    return error_prefix(error, "%s", session->program_path);
}

struct error *session_compile(struct session *session)
{
    char *options;
    size_t size;
    TRY(read_program(session));
    TRY(read_options(session, &options, &size));
    struct error *error = compile_code(session, options, size);
    alloc_free(options);
    return error;
}

/* ---- Inputs ---------------------------------------------------------------------------------- */

static struct error *read_inputs(const struct session *session, struct tensor *inputs)
{
    for (size_t i = 0; i < session->input_count; i++)
        TRY(tensor_spec_read(session->inputs[i], &inputs[i]));
    return NULL;
}

/* The types of the inputs: "3x4xf32,s32". */
static struct error *set_shapes(struct session *session, const struct tensor *inputs)
{
    struct text text = {0};
    for (size_t i = 0; i < session->input_count; i++) {
        text_add(&text, "%s", i ? "," : "");
        tensor_print_type(&inputs[i], &text);
    }
    alloc_free(session->argument_shapes);
    session->argument_shapes = NULL;
    return text_finish(&text, &session->argument_shapes, NULL);
}

/* Without a compilation. Plugins other than Gantry's do not report signatures; theirs are checked
 * by the compiler and the execution. */
static struct error *check_inputs(struct session *session, const struct tensor *inputs)
{
    struct program_signature signature;
    char words[PATH_MAX]; /* of a command that names the program */
    snprintf(words, sizeof words, "%s%s", session->python.source ? "--python " : "",
             session->program_path);
    const struct abi_program program = {
        .code = session->code, .code_size = session->code_size, .format = format_of(session)};
    struct error *error =
        program_signature_read(session->plugin.api, &program, session->function, &signature);
    if (error)
        error = error_prefix(error, "%s", session->program_path);
    else if (session->describe && !session->input_count &&
             program_signature_has_arguments(&signature))
        error = program_signature_describe(&signature, words, &session->description);
    else
        error = program_signature_check(&signature, session->program_path, words, inputs,
                                        session->input_count);
    if (!error && session->input_count && program_signature_has_unknown_sizes(&signature))
        error = set_shapes(session, inputs);
    program_signature_free(&signature);
    return error;
}

static struct error *upload(struct session *session, const struct tensor *inputs)
{
    TRY(alloc_array(session->input_count + 1, sizeof *session->arguments, &session->arguments));
    for (size_t i = 0; i < session->input_count; i++) {
        const struct tensor *tensor = &inputs[i];
        struct abi_array array = {tensor->dtype, tensor->rank, tensor->dims, tensor->bytes};
        TRY(error_prefix(abi_upload(session->plugin.api, session->client, session->device, &array,
                                    &session->arguments[i]),
                         "input %zu", i));
    }
    return NULL;
}

/* Makes up the inputs of a program whose arguments are known. */
static struct error *fill_inputs(struct session *session)
{
    struct program_signature signature;
    size_t count = 0;
    const struct abi_program program = {
        .code = session->code, .code_size = session->code_size, .format = format_of(session)};
    TRY(program_signature_read(session->plugin.api, &program, session->function, &signature));
    struct error *error = program_signature_inputs(&signature, &session->made_up, &count);
    program_signature_free(&signature);
    const char *at = session->made_up;
    for (; !error && session->input_count < count && session->input_count < SESSION_MAX_INPUTS;
         at += strlen(at) + 1)
        session->inputs[session->input_count++] = at;
    return error;
}

/* Reads and checks the inputs, compiles the program, and uploads them. */
static struct error *open_inputs(struct session *session, struct tensor *inputs)
{
    TRY(read_inputs(session, inputs));
    TRY(check_inputs(session, inputs));
    if (session->description)
        return NULL;
    TRY(session_compile(session));
    return upload(session, inputs);
}

struct error *session_check_inputs(struct session *session)
{
    struct tensor *inputs;
    TRY(read_program(session));
    TRY(alloc_array(session->input_count + 1, sizeof *inputs, &inputs));
    struct error *error = read_inputs(session, inputs);
    if (!error)
        error = check_inputs(session, inputs);
    for (size_t i = 0; i < session->input_count; i++)
        tensor_free(&inputs[i]);
    alloc_free(inputs);
    return error;
}

struct error *session_open(struct session *session)
{
    struct tensor *inputs;
    TRY(session_load(session));
    const PJRT_Api *api = session->plugin.api;
    TRY(abi_client_create(api, NULL, 0, &session->client));
    TRY(abi_first_device(api, session->client, &session->device));
    TRY(read_program(session));
    if (session->fill && !session->input_count)
        TRY(error_prefix(fill_inputs(session), "%s", session->program_path));
    TRY(alloc_array(session->input_count + 1, sizeof *inputs, &inputs));
    struct error *error = open_inputs(session, inputs);
    for (size_t i = 0; i < session->input_count; i++)
        tensor_free(&inputs[i]);
    alloc_free(inputs);
    if (error || session->description)
        return error;
    TRY(abi_output_count(api, session->executable, &session->output_count));
    return alloc_array(session->output_count + 1, sizeof *session->outputs, &session->outputs);
}

/* ---- Running --------------------------------------------------------------------------------- */

static void drop_outputs(struct session *session)
{
    for (size_t i = 0; session->outputs && i < session->output_count; i++) {
        abi_buffer_destroy(session->plugin.api, session->outputs[i]);
        session->outputs[i] = NULL;
    }
}

struct error *session_run(struct session *session)
{
    drop_outputs(session);
    return abi_execute(session->plugin.api, session->executable, session->arguments,
                       session->input_count, session->outputs, session->output_count);
}

struct error *session_output(struct session *session, size_t i, struct tensor *out)
{
    const PJRT_Api *api = session->plugin.api;
    enum dtype dtype;
    const int64_t *dims;
    size_t rank;
    *out = (struct tensor){0};
    TRY(abi_shape(api, session->outputs[i], &dtype, &dims, &rank));
    TRY(tensor_create(dtype, rank, dims, out));
    struct error *error = abi_download(api, session->outputs[i], out->bytes, out->size);
    if (error)
        tensor_free(out);
    return error;
}

void session_close(struct session *session)
{
    const PJRT_Api *api = session->plugin.api;
    drop_outputs(session);
    for (size_t i = 0; session->arguments && i < session->input_count; i++)
        abi_buffer_destroy(api, session->arguments[i]);
    alloc_free(session->outputs);
    alloc_free(session->arguments);
    if (session->loaded) {
        abi_executable_destroy(api, session->executable);
        ABI_DESTROY(api, Executable, executable, session->compiled);
        ABI_DESTROY(api, TopologyDescription, topology, session->topology);
        abi_client_destroy(api, session->client);
    }
    abi_unload(&session->plugin);
    alloc_free(session->code);
    alloc_free(session->description);
    alloc_free(session->made_up);
    alloc_free(session->argument_shapes);
    *session = (struct session){0};
}

static double seconds_of(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

double session_seconds(void)
{
    return seconds_of(CLOCK_MONOTONIC);
}

double session_cpu_seconds(void)
{
    return seconds_of(CLOCK_PROCESS_CPUTIME_ID);
}
