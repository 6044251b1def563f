/* mlir_bytecode_fuzz.c: reads any bytes as a program: an error, or a module that is verified and
 * printed. */
#include "compiler/frontend/bytecode/mlir_bytecode.h"

#include "compiler/frontend_fixture.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    return fixture_fuzz(mlir_bytecode_read, bytes, size);
}
