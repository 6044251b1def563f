/* hlo_proto_fuzz.c: any bytes as an HLO module: an error or a module, which then is verified and
 * printed. */
#include <stdint.h>
#include <stdlib.h>

#include "compiler/frontend/hlo_proto.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static struct error *verify(void *module)
{
    return ir_verify(module, true);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct arena *arena;
    struct module *module;
    struct text text = {0};
    struct error *error = arena_create(&arena);
    if (!error)
        error = hlo_proto_read(arena, bytes, size, &module);
    if (!error)
        error = arena_run(arena, verify, module);
    if (!error)
        ir_print(module, &text);
    text_free(&text);
    error_free(error);
    arena_destroy(arena);
    return 0;
}
