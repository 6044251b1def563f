/* executable_hlo.c: the module around the steps' computations. */
#include "runtime/executable_hlo.h"

#include <pthread.h>

#include "base/alloc.h"
#include "runtime/hlo_steps.h"

struct writing {
    struct arena *arena;
    const struct program *program;
    struct hlo_message all;
};

/* HloModuleProtoWithConfig: 1 hlo_module, 2 config { 1 entry_computation_layout, 4 replica_count, 5
 * num_partitions }. HloModuleProto: 1 name, 2 entry_computation_name, 3 computations, 4
 * host_program_shape, 5 id, 6 entry_computation_id. */
static struct error *write_hlo(void *context)
{
    struct writing *w = context;
    const struct program *program = w->program;
    struct hlo_message module = {.arena = w->arena}, config = module, *all = &w->all;
    struct hlo_computation entry;
    hlo_wire_string(&module, 1, program->name);
    hlo_wire_string(&module, 2, "main");
    hlo_steps_write(&module, program, &entry);
    hlo_steps_program_shape(&module, 4, program);
    hlo_wire_number(&module, 5, 1);
    hlo_wire_number(&module, 6, entry.id);
    hlo_wire_message(all, 1, &module);
    hlo_steps_program_shape(&config, 1, program);
    hlo_wire_number(&config, 4, program->num_replicas);
    hlo_wire_number(&config, 5, program->num_partitions);
    hlo_wire_message(all, 2, &config);
    return NULL;
}

static struct error *write_in_arena(struct executable *executable)
{
    struct writing w = {.program = executable->program};
    TRY(arena_create(&w.arena));
    w.all.arena = w.arena;
    struct error *error = arena_run(w.arena, write_hlo, &w);
    if (!error)
        error = alloc_copy(w.all.bytes, w.all.size, &executable->hlo);
    if (!error)
        executable->hlo_size = w.all.size;
    arena_destroy(w.arena);
    return error;
}

struct error *executable_hlo(struct executable *executable, const char **bytes, size_t *size)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    struct error *error = NULL;
    pthread_mutex_lock(&lock);
    if (!executable->hlo)
        error = write_in_arena(executable);
    pthread_mutex_unlock(&lock);
    *bytes = executable->hlo;
    *size = executable->hlo_size;
    return error;
}
