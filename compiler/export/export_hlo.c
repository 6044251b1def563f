/* export_hlo.c: writes the module; export_steps.c writes its computations. */
#include "compiler/export/export_hlo.h"

#include "base/alloc.h"
#include "compiler/export/export_fields.h"
#include "compiler/export/export_sharding.h"
#include "compiler/export/export_steps.h"

/* Field numbers of hlo.proto; others are in export_fields.h. */
enum { WITH_CONFIG_MODULE = 1, WITH_CONFIG_CONFIG = 2 };
enum { CONFIG_ENTRY_LAYOUT = 1, CONFIG_REPLICA_COUNT = 4, CONFIG_NUM_PARTITIONS = 5 };

struct writing {
    const struct program *program;
    struct proto all;
};

void export_hlo_module(struct proto *to, int field, const struct program *program, const char *name,
                       int64_t id, struct map *names)
{
    struct proto module = {.arena = to->arena};
    struct export_computation entry;
    proto_string(&module, MODULE_NAME, name);
    proto_string(&module, MODULE_ENTRY_NAME, "main");
    export_steps(&module, program, names, &entry);
    export_program_shape(&module, MODULE_HOST_PROGRAM_SHAPE, program);
    proto_number(&module, MODULE_ID, id);
    proto_number(&module, MODULE_ENTRY_ID, entry.id);
    export_sharding_results(&module, MODULE_RESULT_SHARDING, program);
    export_sharding_parameters(&module, MODULE_PARAMETER_SHARDINGS, program);
    proto_message(to, field, &module);
}

static struct error *write_all(void *context)
{
    struct writing *w = context;
    const struct program *program = w->program;
    struct proto config = {.arena = w->all.arena};
    export_hlo_module(&w->all, WITH_CONFIG_MODULE, program, program->name, 1, NULL);
    export_program_shape(&config, CONFIG_ENTRY_LAYOUT, program);
    proto_number(&config, CONFIG_REPLICA_COUNT, program->num_replicas);
    proto_number(&config, CONFIG_NUM_PARTITIONS, program->num_partitions);
    proto_message(&w->all, WITH_CONFIG_CONFIG, &config);
    return NULL;
}

struct error *export_hlo(const struct program *program, char **bytes, size_t *size)
{
    struct writing w = {.program = program};
    TRY(arena_create(&w.all.arena));
    struct error *error = arena_run(w.all.arena, write_all, &w);
    if (!error)
        error = alloc_copy(w.all.bytes, w.all.size, bytes);
    *size = error ? 0 : w.all.size;
    arena_destroy(w.all.arena);
    return error;
}
