#include "report/xspace_programs.h"

#include <inttypes.h>

#include "compiler/export/export_fields.h"
#include "compiler/export/export_hlo.h"
#include "compiler/export/export_memory.h"
#include "compiler/export/export_model.h"
#include "report/xplane.h"
#include "report/xspace_device.h"
#include "runtime/executable.h"

enum { NAME = 160 }; /* bytes: xprof writes a file of that name, and shows no tool if it cannot */

struct xspace_programs {
    struct arena *arena;
    struct xplane *plane;
    struct map *names; /* by program: struct map * */
    struct map *ids;   /* of the modules in the plane */
    size_t bytes;
};

struct xspace_programs *xspace_programs_create(struct arena *arena, int64_t plane)
{
    struct xspace_programs *programs = ARENA_NEW(arena, struct xspace_programs);
    programs->arena = arena;
    programs->plane = xplane_create(arena, plane, "/host:metadata");
    programs->names = map_create(arena);
    programs->ids = map_create(arena);
    return programs;
}

static const char *name_of(struct arena *arena, const struct program *program)
{
    return arena_format(arena, "%.*s", NAME, program->name);
}

/* Equal programs are one module. */
static void add_module(struct xspace_programs *to, const struct program *program, int64_t id,
                       const struct proto *module)
{
    if (map_get(to->ids, &id, sizeof id) || module->size > XSPACE_PROGRAMS_BYTES - to->bytes)
        return;
    const struct xplane_stat stats[] = {{.name = "Hlo Proto", .bytes = module},
                                        {.name = "program_id", .number = id}};
    const struct xplane_kind kind = {
        .id = id,
        .name = arena_format(to->arena, "%s(%" PRId64 ")", name_of(to->arena, program), id),
        .stats = stats,
        .stat_count = 2,
    };
    xplane_kind(to->plane, &kind);
    map_put(to->ids, &id, sizeof id, to);
    to->bytes += module->size;
}

/* Of a modeled accelerator, the module has what that would execute. */
static void export_proto(struct proto *to, const struct executable *executable, struct map *names)
{
    const struct program *program = executable->program;
    const char *name = name_of(to->arena, program);
    int64_t id = xspace_device_program(program);
    if (program->model && executable->target.accelerator) {
        export_model(to, program, executable->target.accelerator, name, id);
        return;
    }
    export_hlo_module(to, PROTO_MODULE, program, name, id, names);
    export_memory(to, PROTO_ASSIGNMENT, program, names);
}

const struct map *xspace_programs_add(struct xspace_programs *programs,
                                      const struct executable *executable)
{
    const struct program *program = executable->program;
    struct map *names = map_get_pointer(programs->names, program);
    if (names)
        return names;
    struct proto module = {.arena = programs->arena};
    names = map_create(programs->arena);
    export_proto(&module, executable, names);
    add_module(programs, program, xspace_device_program(program), &module);
    map_put_pointer(programs->names, program, names);
    return names;
}

void xspace_programs_write(struct xspace_programs *programs, struct proto *to, int field)
{
    if (programs->bytes)
        xplane_write(programs->plane, to, field);
}
