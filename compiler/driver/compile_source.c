/* compile_source.c: see compile_source.h. */
#include "compiler/driver/compile_source.h"

#include <string.h>

#include "base/alloc.h"
#include "base/text.h"
#include "compiler/frontend/argument_shapes.h"
#include "compiler/frontend/bytecode/mlir_bytecode.h"
#include "compiler/frontend/hlo/hlo_proto.h"
#include "compiler/frontend/sdy_round_trip.h"
#include "compiler/frontend/text/mlir_text.h"
#include "compiler/ir/ir.h"
#include "compiler/passes/dynamic/refine.h"
#include "compiler/passes/expand/quantized.h"
#include "compiler/driver/source_format.h"

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

/* "@f, @g and 3 more" */
static void list_functions(const struct module *module, struct text *out)
{
    enum { SHOWN = 8 };
    int count = 0;
    for (const struct func *func = module->first; func; func = func->next)
        if (count++ < SHOWN)
            text_add(out, "%s@%.100s", count > 1 ? ", " : "", func->name);
    if (count > SHOWN)
        text_add(out, " and %d more", count - SHOWN);
    text_add(out, "%s", count ? "" : "none");
}

/* Makes the named function the module's entry; NULL: main. */
static struct error *choose_entry(struct module *module, const char *name)
{
    char *names;
    struct text text = {0};
    struct func *named = name ? ir_find_func(module, name, strlen(name)) : module->entry;
    if (named) {
        module->entry = named;
        return NULL;
    }
    list_functions(module, &text);
    TRY(text_finish(&text, &names, NULL));
    struct error *error =
        ERROR(INVALID_ARGUMENT,
              "the module %.100s has no function @%.100s; it has %s. The compile option "
              "gantry_function (gantry run --function NAME) compiles another function than @main",
              module->name, name ? name : "main", names);
    alloc_free(names);
    return error;
}

static struct error *read_text(struct arena *arena, const struct compile_source *source,
                               struct module **out)
{
    TRY(source_format_check_text(source->bytes, source->size));
    return mlir_text_read(arena, source->bytes, source->size, out);
}

struct error *compile_source_read_functions(struct arena *arena,
                                            const struct compile_source *source,
                                            struct module **out)
{
    *out = NULL;
    if (format_is(source, "hlo")) {
        TRY(source_format_check_hlo(source->bytes, source->size));
        TRY(hlo_proto_read(arena, source->bytes, source->size, out));
        return sdy_round_trip_run(*out);
    }
    if (!format_is(source, "mlir"))
        return ERROR(INVALID_ARGUMENT,
                     "the program format \"%.*s\" is unsupported; it must be \"mlir\" or \"hlo\"",
                     (int)source->format_size, source->format);
    if (mlir_bytecode_is(source->bytes, source->size))
        TRY(mlir_bytecode_read(arena, source->bytes, source->size, out));
    else
        TRY(read_text(arena, source, out));
    TRY(sdy_round_trip_run(*out));
    return quantized_run(*out);
}

/* Gives the program the sizes of its arguments. */
static struct error *refine(struct arena *arena, const struct compile_source *source,
                            struct module *module)
{
    struct refine_arguments arguments = {0};
    if (source->argument_shapes)
        TRY(argument_shapes_read(arena, source->argument_shapes, &arguments.count,
                                 &arguments.types));
    return refine_run(module, &arguments, source->operation_limit);
}

struct error *compile_source_read(struct arena *arena, const struct compile_source *source,
                                  struct module **out)
{
    TRY(compile_source_read_functions(arena, source, out));
    TRY(choose_entry(*out, source->function));
    TRY(refine(arena, source, *out));
    return ir_verify(*out, true);
}
