/* ext_layouts.c: a layout is identified by its text. Row-major layouts without tiles have a
 * static object for each rank. Each other layout, once requested, is cached for the life of the
 * process, so that clients neither own nor free layouts. */
#include "plugin/ext_layouts.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/fork.h"
#include "plugin/api_args.h"
#include "plugin/ext_profiler.h"
#include "plugin/handles.h"
#include "plugin/placement.h"
#include "runtime/array_layout.h"

struct PJRT_Layouts_MemoryLayout {
    char *text; /* "{2,1,0}", "{1,0:T(8,128)}"; allocated for the life of the process */
    size_t size;
};

static struct PJRT_Layouts_MemoryLayout layouts[SHAPE_MAX_RANK + 1];
static char row_major_texts[SHAPE_MAX_RANK + 1][4 * SHAPE_MAX_RANK];

static struct cached_layout { /* other layouts */
    PJRT_Layouts_MemoryLayout layout;
    struct cached_layout *next;
} *cached_layouts;

static void write_text(PJRT_Layouts_MemoryLayout *layout, char *text, int rank)
{
    layout->text = text;
    text[layout->size++] = '{';
    for (int i = rank - 1; i >= 0; i--)
        layout->size += (size_t)sprintf(text + layout->size, i ? "%d," : "%d", i);
    text[layout->size++] = '}';
}

static void write_texts(void)
{
    for (int rank = 0; rank <= SHAPE_MAX_RANK; rank++)
        write_text(&layouts[rank], row_major_texts[rank], rank);
}

static PJRT_Layouts_MemoryLayout *of_rank(int rank)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, write_texts);
    return &layouts[rank];
}

static struct cached_layout *find_locked(const PJRT_Layouts_MemoryLayout *layout)
{
    struct cached_layout *at = cached_layouts;
    while (at &&
           (at->layout.size != layout->size || memcmp(at->layout.text, layout->text, layout->size)))
        at = at->next;
    return at;
}

/* The cached layout of that text. *text becomes NULL if the cache takes it. */
static struct error *cache(char **text, size_t size, PJRT_Layouts_MemoryLayout **out)
{
    static struct fork_lock lock = FORK_LOCK(FORK_PLUGIN, NULL);
    const PJRT_Layouts_MemoryLayout layout = {*text, size};
    struct error *error = NULL;
    fork_lock_take(&lock);
    struct cached_layout *entry = find_locked(&layout);
    if (!entry && !(error = alloc_zeroed(sizeof *entry, &entry))) {
        *entry = (struct cached_layout){layout, cached_layouts};
        cached_layouts = entry;
        *text = NULL;
    }
    fork_lock_release(&lock);
    *out = error ? NULL : &entry->layout;
    return error;
}

static struct error *of_shape(const struct shape *shape, PJRT_Layouts_MemoryLayout **out)
{
    struct text text = {0};
    char *data;
    size_t size;
    *out = NULL;
    if (!shape->minor_to_major && !shape->tile_count) {
        *out = of_rank(shape->rank);
        return NULL;
    }
    shape_print_layout(shape, &text);
    TRY(text_finish(&text, &data, &size));
    struct error *error = cache(&data, size, out);
    alloc_free(data);
    return error;
}

static PJRT_Error *destroy(PJRT_Layouts_MemoryLayout_Destroy_Args *args)
{
    NEED(args, layout);
    return NULL;
}

static void delete_nothing(PJRT_Layouts_SerializedLayout *layout)
{
    (void)layout;
}

static PJRT_Error *serialize(PJRT_Layouts_MemoryLayout_Serialize_Args *args)
{
    NEED_OBJECT(args, layout);
    NEED(args, serialized_layout_deleter);
    args->serialized_bytes = args->layout->text;
    args->serialized_bytes_size = args->layout->size;
    args->serialized_layout = (PJRT_Layouts_SerializedLayout *)args->layout;
    args->serialized_layout_deleter = delete_nothing;
    return NULL;
}

static PJRT_Error *of_buffer(PJRT_Layouts_PJRT_Buffer_MemoryLayout_Args *args)
{
    NEED_OBJECT(args, buffer);
    NEED(args, layout);
    return API_ERROR(of_shape(buffer_shape(buffer_of(args->buffer)), &args->layout));
}

static struct error *default_of(const struct client_device *device, PJRT_Buffer_Type type,
                                const int64_t *dims, size_t num_dims,
                                PJRT_Layouts_MemoryLayout **out)
{
    struct shape_tile tiles[SHAPE_MAX_TILES];
    struct shape_layout layout;
    struct shape shape;
    TRY(placement_shape(type, dims, num_dims, NULL, tiles, &shape, NULL));
    TRY(array_layout_complete(device->device, &shape, &layout));
    return of_shape(&shape, out);
}

static PJRT_Error *of_client(PJRT_Layouts_PJRT_Client_GetDefaultLayout_Args *args)
{
    NEED_OBJECT(args, client);
    NEED(args, layout);
    return API_ERROR(default_of(client_of(args->client)->local_devices[0], args->type, args->dims,
                                args->num_dims, &args->layout));
}

static PJRT_Error *of_topology(PJRT_Layouts_PJRT_Topology_GetDefaultLayout_Args *args)
{
    NEED_OBJECT(args, topology_description);
    NEED(args, layout);
    return API_ERROR(default_of(topology_of(args->topology_description)->devices[0], args->type,
                                args->dims, args->num_dims, &args->layout));
}

static struct error *create_layouts(const struct program_value *values, int count, void ***out)
{
    void **list;
    TRY(alloc_array((size_t)count, sizeof *list, &list));
    struct error *error = NULL;
    for (int i = 0; i < count && !error; i++) {
        PJRT_Layouts_MemoryLayout *layout;
        error = of_shape(&values[i].shape, &layout);
        list[i] = layout;
    }
    if (error)
        alloc_free(list);
    else
        *out = list;
    return error;
}

/* The list cached at *cached, which `made` (moved, may be NULL) becomes if there is none. */
static void **cached_or(void ***cached, void **made)
{
    static struct fork_lock lock = FORK_LOCK(FORK_PLUGIN, NULL);
    fork_lock_take(&lock);
    void **list = *cached = *cached ? *cached : made;
    fork_lock_release(&lock);
    if (made != list)
        alloc_free(made);
    return list;
}

/* The layouts of values of an executable, which caches them. */
static struct error *layouts_of(const struct program_value *values, int count, void ***cached,
                                PJRT_Layouts_MemoryLayout ***out)
{
    void **list = cached_or(cached, NULL), **made;
    if (!list) {
        TRY(create_layouts(values, count, &made));
        list = cached_or(cached, made);
    }
    *out = (PJRT_Layouts_MemoryLayout **)list;
    return NULL;
}

static PJRT_Error *of_outputs(PJRT_Layouts_PJRT_Executable_GetOutputLayouts_Args *args)
{
    NEED_OBJECT(args, executable);
    NEED(args, layouts);
    struct executable *executable = executable_of(args->executable);
    const struct program *program = executable->program;
    args->num_outputs = (size_t)program_visible(program, true);
    return API_ERROR(layouts_of(program->results, program->result_count,
                                &executable->output_layouts, &args->layouts));
}

static PJRT_Error *of_parameters(PJRT_Layouts_PJRT_Executable_GetParameterLayouts_Args *args)
{
    NEED_OBJECT(args, executable);
    NEED(args, layouts);
    struct executable *executable = executable_of(args->executable);
    const struct program *program = executable->program;
    args->num_parameters = (size_t)program_visible(program, false);
    return API_ERROR(layouts_of(program->parameters, program->parameter_count,
                                &executable->parameter_layouts, &args->layouts));
}

struct ext_layouts_table ext_layouts = {
    .table = {
        .base = {.struct_size = PJRT_Layouts_Extension_STRUCT_SIZE,
                 .type = PJRT_Extension_Type_Layouts,
                 .next = &ext_profiler.base},
        .PJRT_Layouts_MemoryLayout_Destroy = destroy,
        .PJRT_Layouts_MemoryLayout_Serialize = serialize,
        .PJRT_Layouts_PJRT_Client_GetDefaultLayout = of_client,
        .PJRT_Layouts_PJRT_Buffer_MemoryLayout = of_buffer,
        .PJRT_Layouts_PJRT_Topology_GetDefaultLayout = of_topology,
        .PJRT_Layouts_PJRT_Executable_GetOutputLayouts = of_outputs,
        .PJRT_Layouts_PJRT_Executable_GetParameterLayouts = of_parameters,
    }};
