/* abi.h: C helpers for using a plugin: errors as `struct error`, calls in one line, and functions
 * for the usual sequences (load, create a client, upload, compile, execute, download). Only the C
 * ABI is used, so any plugin works, including older ones. Stateless; thread-safety is that of the
 * ABI.
 *
 *   ABI_ARGS(Client_PlatformName, args, .client = client);
 *   TRY(ABI_CALL(api, Client_PlatformName, &args));
 *   printf("%.*s\n", (int)args.platform_name_size, args.platform_name); */
#ifndef GANTRY_TOOLS_ABI_H
#define GANTRY_TOOLS_ABI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/dtype.h"
#include "base/error.h"
#include "pjrt_c_api.h"
#include "pjrt_c_api_gantry_extension.h"

/* ---- Calls ----------------------------------------------------------------------------------- */

/* Declares the arguments of a call, zeroed except for struct_size and the given initializers. */
#define ABI_ARGS(Function, name, ...)                                                              \
    PJRT_##Function##_Args name = {.struct_size = PJRT_##Function##_Args_STRUCT_SIZE, __VA_ARGS__}

/* Calls a function and returns its error (owned), or NULL. UNIMPLEMENTED if the plugin's table does
 * not have the function. */
#define ABI_CALL(api, Function, args)                                                              \
    (abi_has((api), offsetof(PJRT_Api, PJRT_##Function))                                           \
         ? abi_error((api), (api)->PJRT_##Function(args))                                          \
         : ERROR(UNIMPLEMENTED, "the plugin has no PJRT_" #Function))

/* Destroys an object and ignores errors; accepts NULL. */
#define ABI_DESTROY(api, Type, member, object)                                                     \
    do {                                                                                           \
        ABI_ARGS(Type##_Destroy, destroy_args_, .member = (object));                               \
        if (destroy_args_.member)                                                                  \
            error_free(ABI_CALL((api), Type##_Destroy, &destroy_args_));                           \
    } while (0)

/* Whether the plugin's table includes the member at that offset, and it is not NULL. */
bool abi_has(const PJRT_Api *api, size_t offset);
/* Converts a plugin's error (moved, may be NULL) to a `struct error` with its code and message. */
struct error *abi_error(const PJRT_Api *api, PJRT_Error *error);

/* ---- The plugin ------------------------------------------------------------------------------ */

struct abi_plugin {
    void *library; /* dlopen's handle */
    const PJRT_Api *api;
};

/* Where a plugin's file is: a name without a folder is first looked up in the working directory,
 * then on the system's library path. The result is `path` or `here`. */
enum { ABI_PATH_SIZE = 4096 };
const char *abi_path(const char *path, char here[ABI_PATH_SIZE]);

/* Opens a plugin, checks its version and initializes it. Errors: NOT_FOUND, with dlopen's message,
 * if it cannot be opened or is not a plugin; the plugin's own error if it cannot be initialized. On
 * error, `plugin` is zeroed. */
struct error *abi_load(const char *path, struct abi_plugin *plugin);
void abi_unload(struct abi_plugin *plugin); /* accepts a zeroed one */

/* Gantry's extension; borrowed from the table. UNIMPLEMENTED if the plugin does not have it, or has
 * another version of it. */
struct error *abi_gantry(const PJRT_Api *api, const PJRT_Gantry_Extension **out);

/* ---- The usual sequences --------------------------------------------------------------------- */

/* An array in host memory in the form that ABI calls expect: dense, row-major, at least a byte per
 * element. */
struct abi_array {
    enum dtype dtype;
    size_t rank;
    const int64_t *dims;
    void *bytes;
};

struct error *abi_client_create(const PJRT_Api *api, const PJRT_NamedValue *options, size_t count,
                                PJRT_Client **out /*owned*/);
/* A description of devices that need not exist: a compilation target without a client. */
struct error *abi_topology_create(const PJRT_Api *api, const PJRT_NamedValue *options, size_t count,
                                  PJRT_TopologyDescription **out /*owned*/);
/* The first addressable device; NOT_FOUND if there is none. */
struct error *abi_first_device(const PJRT_Api *api, PJRT_Client *client, PJRT_Device **out);

/* A program for one device. `options` is a serialized CompileOptionsProto; NULL means one replica
 * and one partition. */
struct abi_program {
    const char *code;
    size_t code_size;
    const char *format; /* "mlir" or "hlo" */
    const char *options;
    size_t options_size;
};
/* The serialized CompileOptionsProto of one replica and one partition; static. */
const char *abi_one_device(size_t *size);
struct error *abi_compile(const PJRT_Api *api, PJRT_Client *client,
                          const struct abi_program *program, PJRT_LoadedExecutable **out /*owned*/);
/* The same without a client. */
struct error *abi_compile_for(const PJRT_Api *api, PJRT_TopologyDescription *topology,
                              const struct abi_program *program, PJRT_Executable **out /*owned*/);
/* Number of outputs per device. */
struct error *abi_output_count(const PJRT_Api *api, PJRT_LoadedExecutable *executable, size_t *out);

/* Copies an array to the device's default memory; the array is borrowed for the call. */
struct error *abi_upload(const PJRT_Api *api, PJRT_Client *client, PJRT_Device *device,
                         const struct abi_array *array, PJRT_Buffer **out /*owned*/);
/* Type and dimensions of a buffer; `dims` is borrowed until the buffer is destroyed. */
struct error *abi_shape(const PJRT_Api *api, PJRT_Buffer *buffer, enum dtype *dtype,
                        const int64_t **dims, size_t *rank);
/* Copies the elements of a buffer, row-major, to `bytes`, which holds `size` bytes; waits for
 * completion. */
struct error *abi_download(const PJRT_Api *api, PJRT_Buffer *buffer, void *bytes, size_t size);

/* Runs a program on one device and waits for completion. `outputs` has room for all outputs and
 * receives owned buffers, or NULLs on error. */
struct error *abi_execute(const PJRT_Api *api, PJRT_LoadedExecutable *executable,
                          PJRT_Buffer *const *inputs, size_t input_count, PJRT_Buffer **outputs,
                          size_t output_count);

/* Waits for an event (moved; may be NULL) and returns its error. */
struct error *abi_await(const PJRT_Api *api, PJRT_Event *event);

void abi_client_destroy(const PJRT_Api *api, PJRT_Client *client);
void abi_executable_destroy(const PJRT_Api *api, PJRT_LoadedExecutable *executable);
void abi_buffer_destroy(const PJRT_Api *api, PJRT_Buffer *buffer);

#endif
