/* signature_json.c: see signature_json.h. */
#include "report/signature_json.h"

#include "base/alloc.h"
#include "compiler/driver/budget.h"
#include "compiler/driver/compile_thread.h"
#include "compiler/ir/ir.h"
#include "report/json_append.h"

/* Owned by the thread that reads when its client was interrupted. */
struct reading {
    struct arena *arena;          /* owned */
    struct compile_source source; /* in the arena */
    cJSON *json;                  /* the result; owned */
};

static void free_reading(void *context)
{
    struct reading *reading = context;
    cJSON_Delete(reading->json);
    arena_destroy(reading->arena);
    alloc_free(reading);
}

/* Returns false when memory is exhausted, as those that follow. */
static bool add_type(cJSON *list, const struct type *type)
{
    cJSON *item = json_append(list, cJSON_CreateObject());
    bool added = cJSON_AddStringToObject(item, "dtype", dtype_name(type->shape.dtype)) != NULL;
    cJSON *dims = cJSON_AddArrayToObject(item, "dims");
    for (int i = 0; i < type->shape.rank && added; i++) {
        int64_t dim = type->shape.dims[i];
        added = json_append(dims, dim == SHAPE_DYNAMIC ? cJSON_CreateNull()
                                                       : cJSON_CreateNumber((double)dim)) != NULL;
    }
    return added && dims;
}

static bool add_function(cJSON *list, const struct module *module, const struct func *func)
{
    cJSON *item = json_append(list, cJSON_CreateObject());
    bool added = cJSON_AddStringToObject(item, "name", func->name) &&
                 cJSON_AddBoolToObject(item, "public", func->is_public) &&
                 cJSON_AddBoolToObject(item, "entry", func == module->entry);
    cJSON *arguments = cJSON_AddArrayToObject(item, "arguments");
    for (int i = 0; i < func->body->argument_count && added; i++)
        added = add_type(arguments, func->body->arguments[i].type);
    cJSON *results = cJSON_AddArrayToObject(item, "results");
    for (int i = 0; i < func->result_count && added; i++)
        added = add_type(results, func->result_types[i]);
    return added && arguments && results;
}

static struct error *read_program(void *context)
{
    struct reading *reading = context;
    struct module *module;
    arena_set_limit(reading->arena, budget_of(reading->source.size).bytes);
    TRY(compile_source_read_functions(reading->arena, &reading->source, &module));
    reading->json = cJSON_CreateObject();
    bool added = cJSON_AddStringToObject(reading->json, "module", module->name) != NULL;
    cJSON *list = cJSON_AddArrayToObject(reading->json, "functions");
    for (const struct func *func = module->first; func && added; func = func->next)
        if (func->body)
            added = add_function(list, module, func);
    return added && list ? NULL : error_out_of_memory();
}

static struct error *copy_source(void *context)
{
    struct reading *reading = context;
    compile_source_copy(reading->arena, &reading->source);
    return NULL;
}

struct error *signature_json(const struct compile_source *source, cJSON **out)
{
    struct reading *reading;
    bool abandoned = false;
    *out = NULL;
    TRY(alloc_zeroed(sizeof *reading, &reading));
    reading->source = *source;
    struct error *error = arena_create(&reading->arena);
    if (!error)
        error = arena_run(reading->arena, copy_source, reading);
    if (!error)
        error = compile_thread_run(reading->arena, read_program, free_reading, reading, &abandoned);
    if (abandoned)
        return error;
    if (!error) {
        *out = reading->json;
        reading->json = NULL;
    }
    free_reading(reading);
    return error;
}
