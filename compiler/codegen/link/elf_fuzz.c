/* elf_fuzz.c: loads arbitrary bytes as a kernel object. Loading must fail with an error, or map the
 * code and find the kernels (which are not run). */
#include <stdint.h>

#include "compiler/codegen/codegen.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    char *names[] = {"k0"};
    kernel_function *kernel;
    uint64_t code_size;
    struct loaded_code *code;
    struct error *error = codegen_load(bytes, size, 1, names, &kernel, &code_size, &code);
    if (!error)
        codegen_unload(code);
    error_free(error);
    return 0;
}
