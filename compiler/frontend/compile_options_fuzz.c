/* compile_options_fuzz.c: parses any bytes as compile options: an error, or counts in range. */
#include <stdint.h>
#include <stdlib.h>

#include "compiler/frontend/compile_options.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct arena *arena;
    struct compile_options options;
    struct error *error = arena_create(&arena);
    if (!error)
        error = compile_options_read(arena, bytes, size, false, &options);
    if (!error && (options.num_replicas < 1 || options.num_partitions < 1))
        __builtin_trap();
    error_free(error);
    arena_destroy(arena);
    return 0;
}
