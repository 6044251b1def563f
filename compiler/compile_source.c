/* compile_source.c: see compile_source.h. */
#include "compiler/compile_source.h"

#include <string.h>

#include "compiler/frontend/bytecode/mlir_bytecode.h"
#include "compiler/frontend/hlo/hlo_proto.h"
#include "compiler/frontend/text/mlir_text.h"
#include "compiler/ir/ir.h"
#include "compiler/passes/quantized.h"

void compile_source_copy(struct arena *arena, struct compile_source *source)
{
    source->format = arena_copy(arena, source->format, source->format_size);
    source->bytes = arena_copy(arena, source->bytes, source->size);
    source->options = arena_copy(arena, source->options, source->options_size);
}

static bool format_is(const struct compile_source *source, const char *name)
{
    return source->format_size == strlen(name) &&
           !memcmp(source->format, name, source->format_size);
}

struct error *compile_source_read(struct arena *arena, const struct compile_source *source,
                                  struct module **out)
{
    *out = NULL;
    if (format_is(source, "hlo")) {
        TRY(hlo_proto_read(arena, source->bytes, source->size, out));
        return ir_verify(*out, true);
    }
    if (!format_is(source, "mlir"))
        return ERROR(INVALID_ARGUMENT,
                     "the program format \"%.*s\" is unsupported; it must be \"mlir\" or \"hlo\"",
                     (int)source->format_size, source->format);
    if (mlir_bytecode_is(source->bytes, source->size))
        TRY(mlir_bytecode_read(arena, source->bytes, source->size, out));
    else
        TRY(mlir_text_read(arena, source->bytes, source->size, out));
    TRY(quantized_run(*out));
    return ir_verify(*out, true);
}
