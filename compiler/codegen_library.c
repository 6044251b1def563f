/* codegen_library.c: see codegen_library.h. */
#include "compiler/codegen_library.h"

#include "base/fork.h"
#include "base/library.h"

static struct fork_lock lock = FORK_LOCK(FORK_LIBRARY, NULL);
static struct codegen_library library;

static struct error *open_library(void)
{
    static const char *const names[] = {"codegen_compile", "codegen_scratch_size", "codegen_load",
                                        "codegen_unload"};
    void *symbols[4];
    TRY(library_open("libgantry_codegen.so", "codegen_build", 4, names, symbols));
    library.scratch_size = (codegen_scratch_size_function *)symbols[1];
    library.load = (codegen_load_function *)symbols[2];
    library.unload = (codegen_unload_function *)symbols[3];
    library.compile = (codegen_compile_function *)symbols[0];
    return NULL;
}

struct error *codegen_library(const struct codegen_library **out)
{
    fork_lock_take(&lock);
    struct error *error = library.compile ? NULL : open_library();
    fork_lock_release(&lock);
    *out = error ? NULL : &library;
    return error;
}

/* Errors of the object are errors of the client's argument. */
static struct error *as_invalid(struct error *error)
{
    if (!error || error_code(error) == PJRT_Error_Code_RESOURCE_EXHAUSTED)
        return error;
    struct error *invalid = ERROR(INVALID_ARGUMENT, "%s", error_message(error, NULL));
    error_free(error);
    return invalid;
}

struct error *codegen_library_load(struct program *program)
{
    const struct codegen_library *opened;
    if (!program->object)
        return NULL;
    TRY(codegen_library(&opened));
    program->unload = opened->unload;
    return as_invalid(opened->load(program->object, program->object_size, program->kernel_count,
                                   program->kernel_names, program->kernels, &program->code_size,
                                   &program->code));
}
