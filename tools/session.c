/* session.c: prepares a program to run from a command line. */
#include "tools/session.h"

#include <string.h>
#include <time.h>

#include "base/alloc.h"
#include "tools/file.h"
#include "tools/plugins.h"
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
    } options[] = {{"--plugin", &session->plugin_path},
                   {"--format", &session->format},
                   {"--options", &session->options_path}};
    const char *value;
    *taken = true;
    for (size_t k = 0; k < sizeof options / sizeof *options; k++) {
        TRY(session_value(options[k].name, argc, argv, i, &value));
        if (value) {
            *options[k].target = value;
            return NULL;
        }
    }
    TRY(session_value("--input", argc, argv, i, &value));
    if (value)
        return take_input(session, value);
    *taken = argv[*i][0] != '-' && !session->program_path;
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

static const char *format_of(const struct session *session)
{
    if (session->format)
        return session->format;
    const char *end = strrchr(session->program_path, '.');
    return end && (!strcmp(end, ".pb") || !strcmp(end, ".hlo")) ? "hlo" : "mlir";
}

struct error *session_compile(struct session *session)
{
    struct abi_program program = {.format = format_of(session)};
    char *code, *options = NULL;
    TRY(file_read(session->program_path, &code, &program.code_size));
    struct error *error = NULL;
    if (session->options_path)
        error = file_read(session->options_path, &options, &program.options_size);
    if (!error) {
        program.code = code;
        program.options = options;
        double wall = session_seconds(), cpu = session_cpu_seconds();
        error = abi_compile(session->plugin.api, session->client, &program, &session->executable);
        session->compile_seconds = session_seconds() - wall;
        session->compile_cpu_seconds = session_cpu_seconds() - cpu;
    }
    alloc_free(options);
    alloc_free(code);
    return error;
}

static struct error *upload(struct session *session, size_t i)
{
    struct tensor tensor;
    TRY(tensor_spec_read(session->inputs[i], &tensor));
    struct abi_array array = {tensor.dtype, tensor.rank, tensor.dims, tensor.bytes};
    struct error *error = abi_upload(session->plugin.api, session->client, session->device, &array,
                                     &session->arguments[i]);
    tensor_free(&tensor);
    return error_prefix(error, "input %zu", i);
}

struct error *session_open(struct session *session)
{
    TRY(session_load(session));
    const PJRT_Api *api = session->plugin.api;
    TRY(abi_client_create(api, NULL, 0, &session->client));
    TRY(abi_first_device(api, session->client, &session->device));
    TRY(session_compile(session));
    TRY(abi_output_count(api, session->executable, &session->output_count));
    TRY(alloc_array(session->output_count + 1, sizeof *session->outputs, &session->outputs));
    TRY(alloc_array(session->input_count + 1, sizeof *session->arguments, &session->arguments));
    for (size_t i = 0; i < session->input_count; i++)
        TRY(upload(session, i));
    return NULL;
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
        abi_client_destroy(api, session->client);
    }
    abi_unload(&session->plugin);
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
