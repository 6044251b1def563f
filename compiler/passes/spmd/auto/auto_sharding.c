#include "compiler/passes/spmd/auto/auto_sharding.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/log.h"
#include "compiler/passes/spmd/auto/auto_explain.h"

/* Operations that are planned in about a second of one core. */
enum { OPERATIONS_PER_SECOND = 40000 };
enum { LEAST_PLANS = 8 }; /* of a program of any size */

/* ---- the mesh -------------------------------------------------------------------------------- */
static struct error *check_mesh(const struct module *module, const struct auto_request *request)
{
    int64_t count = 1;
    for (int i = 0; i < request->axis_count; i++) {
        int64_t size = request->axis_sizes[i];
        if (size < 1 || count > module->num_partitions / size)
            return ERROR(
                INVALID_ARGUMENT,
                "the mesh of automatic sharding has more than the program's %d partitions, "
                "or an axis of size %" PRId64 "; the product of its sizes must be %d",
                module->num_partitions, size, module->num_partitions);
        count *= size;
    }
    if (count == module->num_partitions)
        return NULL;
    return ERROR(INVALID_ARGUMENT,
                 "the mesh of automatic sharding has %" PRId64 " devices; the program has %d "
                 "partitions, and the numbers must be equal",
                 count, module->num_partitions);
}

static const struct mesh *mesh_of(struct arena *arena, const struct auto_request *request)
{
    static const char *const names[AUTO_MAX_AXES] = {"x", "y", "z", "u", "v", "w"};
    struct mesh *mesh = ARENA_NEW(arena, struct mesh);
    *mesh = (struct mesh){.name = "auto",
                          .axis_count = request->axis_count,
                          .axis_names = names,
                          .axis_sizes = request->axis_sizes,
                          .device_count = 1,
                          .device_ids = request->device_ids};
    for (int i = 0; i < request->axis_count; i++)
        mesh->device_count *= request->axis_sizes[i];
    return mesh;
}

/* The first mesh of the program that has all partitions, and few axes. */
static const struct mesh *own_mesh(const struct module *module)
{
    for (size_t i = 0; module->meshes && i < map_count(module->meshes); i++) {
        const void *key;
        size_t size;
        const struct mesh *mesh = map_at(module->meshes, i, &key, &size);
        if (mesh && mesh->axis_count && mesh->axis_count <= AUTO_MAX_AXES &&
            mesh->device_count == module->num_partitions)
            return mesh;
    }
    return NULL;
}

struct error *auto_sharding_mesh(struct module *module, const struct auto_request *request,
                                 const struct mesh **out)
{
    struct auto_request *whole = arena_copy(module->arena, request, sizeof *request);
    if (request->axis_count) {
        TRY(check_mesh(module, request));
        *out = mesh_of(module->arena, whole);
        return NULL;
    }
    *out = own_mesh(module);
    if (*out)
        return NULL;
    whole->axis_count = 1;
    whole->axis_sizes[0] = module->num_partitions;
    *out = mesh_of(module->arena, whole);
    return NULL;
}

/* ---- the answer ------------------------------------------------------------------------------ */
static int64_t budget_of(const struct auto_request *request, const struct auto_classes *classes)
{
    int64_t budget = request->effort * OPERATIONS_PER_SECOND;
    int64_t least = LEAST_PLANS * auto_score_work(classes);
    return budget > least ? budget : least;
}

static struct error *no_answer(struct auto_score *score)
{
    struct error *error = score->error;
    score->error = NULL;
    return error ? error : ERROR(INTERNAL, "automatic sharding has planned nothing");
}

static struct error *too_large(const struct auto_planner *planner, const struct auto_cost *least)
{
    return ERROR(RESOURCE_EXHAUSTED,
                 "automatic sharding finds no plan within %" PRIu64
                 " bytes of a device's memory; the smallest peak found is %" PRIu64
                 " bytes. Use more devices or a smaller batch, donate arguments, or allow more "
                 "memory (gantry_auto_sharding_memory)",
                 planner->memory_bytes, least->peak_bytes);
}

static void print_answer(const struct auto_classes *classes, const struct mesh *mesh,
                         const struct auto_scored *scored)
{
    for (int axis = 0; axis < mesh->axis_count; axis++) {
        char text[256] = "";
        int at = 0;
        const struct auto_order *order = &scored->answer.orders[axis];
        for (int i = 0; i < order->count && at < 230; i++)
            at += snprintf(text + at, sizeof text - (size_t)at, " %d(%lld)", order->at[i],
                           (long long)classes->classes[order->at[i]].unit);
        LOG(DEBUG, "auto-sharding:   %s=%lld:%s%s", mesh->axis_names[axis],
            (long long)mesh->axis_sizes[axis], text, scored->answer.is_sparse ? " sparse" : "");
    }
}

struct error *auto_sharding_run(struct module *module, const struct mesh *mesh,
                                const struct auto_request *request,
                                const struct auto_planner *planner, bool must_fit)
{
    struct auto_classes classes;
    TRY(auto_classes_find(module, &classes));
    struct auto_pool *pool = ARENA_NEW(module->arena, struct auto_pool);
    struct auto_score score =
        auto_score_create(module, &classes, mesh, planner, budget_of(request, &classes));
    auto_search_run(&score, pool);
    if (!pool->count)
        return no_answer(&score);
    error_free(score.error);
    const struct auto_scored *best = &pool->at[0];
    LOG(INFO, "auto-sharding: %d classes, %lld operations, %d plans; %.6g s, %.4g GB (%s)%s",
        classes.class_count, (long long)classes.operations, score.planned, best->cost.seconds,
        (double)best->cost.peak_bytes / 1e9, best->name,
        auto_score_is_spent(&score) ? "; the search was cut short" : "");
    for (int i = 0; i < classes.class_count && i < 20; i++)
        LOG(DEBUG, "auto-sharding: class %d: unit %lld, work %.3g, %.3g MB of arguments%s", i,
            (long long)classes.classes[i].unit, classes.classes[i].work,
            classes.classes[i].bytes / 1e6, classes.classes[i].is_moved ? ", moved" : "");
    print_answer(&classes, mesh, best);
    if (must_fit && !auto_score_fits(&score, best->cost))
        return too_large(planner, &best->cost);
    if (request->made)
        *request->made = auto_explain_make(&score, pool);
    auto_answer_apply(&classes, mesh, &best->answer, module);
    return NULL;
}
