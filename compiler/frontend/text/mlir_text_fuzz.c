/* mlir_text_fuzz.c: reads any bytes as a program's text. A valid module is printed, read and
 * printed again; both texts must be equal. */
#include "compiler/frontend/text/mlir_text.h"

#include <string.h>

#include "compiler/frontend_fixture.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

/* *out stays empty when the program is invalid. */
static void read_and_print(const void *bytes, size_t size, struct text *out)
{
    struct arena *arena;
    struct module *module;
    struct error *error = arena_create(&arena);
    if (!error)
        error = fixture_read(mlir_text_read, arena, bytes, size, &module);
    if (!error)
        ir_print(module, out);
    fixture_check_used(arena, size);
    error_free(error);
    arena_destroy(arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct text first = {0}, second = {0};
    read_and_print(bytes, size, &first);
    if (first.size && !first.failed) {
        read_and_print(first.data, first.size, &second);
        if (!second.failed && (!second.size || strcmp(first.data, second.data) != 0))
            __builtin_trap();
    }
    text_free(&first);
    text_free(&second);
    return 0;
}
