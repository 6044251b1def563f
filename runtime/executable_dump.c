#include "runtime/executable_dump.h"

#include <stdatomic.h>
#include <stdio.h>

#include "compiler/driver/dump.h"
#include "compiler/frontend/compile_options.h"
#include "compiler/program/program_print.h"
#include "runtime/executable_hlo.h"

static void dump_text(const struct program *program, const char *folder, const char *name)
{
    struct text text = {0};
    program_print(program, &text);
    if (text.data)
        dump_file(folder, name, "after_optimizations.txt", text.data, text.size);
    text_free(&text);
}

static void dump_proto(struct executable *executable, const char *folder, const char *name)
{
    const char *hlo;
    size_t size;
    struct error *error = executable_hlo(executable, &hlo, &size);
    if (!error)
        dump_file(folder, name, "after_optimizations.hlo.pb", hlo, size);
    error_free(error);
}

static void dump(struct executable *executable, const struct compile_options *options)
{
    static atomic_uint count;
    char name[256];
    snprintf(name, sizeof name, "module_%04u.%.150s", atomic_fetch_add(&count, 1) + 1,
             executable->program->name);
    if (options->dump_as_text || !options->dump_as_proto)
        dump_text(executable->program, options->dump_to, name);
    if (options->dump_as_proto)
        dump_proto(executable, options->dump_to, name);
}

void executable_dump(struct executable *executable)
{
    struct arena *arena;
    struct compile_options options;
    struct error *error = arena_create(&arena);
    if (!error)
        error = compile_options_read(arena, executable->options, executable->options_size, true,
                                     &options);
    if (!error && options.dump_to)
        dump(executable, &options);
    error_free(error);
    arena_destroy(arena);
}
