#include "runtime/executable_dump.h"

#include <ctype.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/log.h"
#include "runtime/executable_hlo.h"

static void write_file(const char *folder, const char *name, const char *ending, const void *bytes,
                       size_t size)
{
    char path[1400];
    snprintf(path, sizeof path, "%s/%s.after_optimizations.%s", folder, name, ending);
    FILE *file = mkdir(folder, 0777) && errno != EEXIST ? NULL : fopen(path, "wb");
    bool failed = !file || fwrite(bytes, 1, size, file) != size;
    failed |= file && fclose(file) != 0;
    if (failed)
        LOG(WARNING, "cannot write %s: %s", path, strerror(errno));
}

static void name_dump(const struct program *program, char *out, size_t size)
{
    static atomic_uint count;
    snprintf(out, size, "module_%04u.%.200s", atomic_fetch_add(&count, 1) + 1, program->name);
    for (char *at = out; *at; at++)
        if (!isalnum((unsigned char)*at) && *at != '.' && *at != '-')
            *at = '_';
}

static void dump(struct executable *executable, const struct compile_options *options)
{
    char name[256];
    const char *hlo;
    size_t size;
    name_dump(executable->program, name, sizeof name);
    if (options->dump_as_text || !options->dump_as_proto)
        write_file(options->dump_to, name, "txt", executable->program->optimized,
                   executable->program->optimized_size);
    if (!options->dump_as_proto)
        return;
    struct error *error = executable_hlo(executable, &hlo, &size);
    if (!error)
        write_file(options->dump_to, name, "hlo.pb", hlo, size);
    error_free(error);
}

void executable_dump(struct executable *executable)
{
    struct arena *arena;
    struct compile_options options;
    struct error *error = arena_create(&arena);
    if (!error)
        error =
            compile_options_read(arena, executable->options, executable->options_size, &options);
    if (!error && options.dump_to)
        dump(executable, &options);
    error_free(error);
    arena_destroy(arena);
}
