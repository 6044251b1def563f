/* ext_layouts.c: a layout is identified by its text. Row-major layouts have a static object for
 * each rank. Each other layout, once requested, is cached for the life of the process, so that
 * clients neither own nor free layouts. */
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

struct PJRT_Layouts_MemoryLayout {
    char text[4 * SHAPE_MAX_RANK]; /* "{2,1,0}" */
    size_t size;
};

static PJRT_Layouts_MemoryLayout layouts[SHAPE_MAX_RANK + 1];

static struct cached_layout { /* layouts that are not row-major */
    PJRT_Layouts_MemoryLayout layout;
    struct cached_layout *next;
} *cached_layouts;

static void write_text(PJRT_Layouts_MemoryLayout *layout, int rank, const int64_t *order)
{
    layout->text[layout->size++] = '{';
    for (int i = 0; i < rank; i++)
        layout->size += (size_t)sprintf(layout->text + layout->size, i + 1 < rank ? "%d," : "%d",
                                        order ? (int)order[i] : rank - 1 - i);
    layout->text[layout->size++] = '}';
}

static void write_texts(void)
{
    for (int rank = 0; rank <= SHAPE_MAX_RANK; rank++)
        write_text(&layouts[rank], rank, NULL);
}

static PJRT_Layouts_MemoryLayout *of_rank(int rank)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, write_texts);
    return &layouts[rank];
}

/* `order` may be NULL: row-major. */
static struct error *of_order(int rank, const int64_t *order, PJRT_Layouts_MemoryLayout **out)
{
    static struct fork_lock lock = FORK_LOCK(FORK_PLUGIN, NULL);
    PJRT_Layouts_MemoryLayout layout = {.size = 0};
    struct cached_layout *entry;
    struct error *error = NULL;
    *out = order ? NULL : of_rank(rank);
    if (!order)
        return NULL;
    write_text(&layout, rank, order);
    fork_lock_take(&lock);
    for (entry = cached_layouts; entry; entry = entry->next)
        if (entry->layout.size == layout.size &&
            !memcmp(entry->layout.text, layout.text, layout.size))
            break;
    if (!entry && !(error = alloc_zeroed(sizeof *entry, &entry))) {
        entry->layout = layout;
        entry->next = cached_layouts;
        cached_layouts = entry;
    }
    fork_lock_release(&lock);
    *out = error ? NULL : &entry->layout;
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
    const struct shape *shape = buffer_shape(buffer_of(args->buffer));
    return API_ERROR(of_order(shape->rank, shape->minor_to_major, &args->layout));
}

static struct error *of_shape(PJRT_Buffer_Type type, const int64_t *dims, size_t num_dims,
                              PJRT_Layouts_MemoryLayout **out)
{
    struct shape shape;
    TRY(placement_shape(type, dims, num_dims, NULL, &shape, NULL));
    TRY(shape_check(&shape, "the array"));
    *out = of_rank(shape.rank);
    return NULL;
}

static PJRT_Error *of_client(PJRT_Layouts_PJRT_Client_GetDefaultLayout_Args *args)
{
    NEED_OBJECT(args, client);
    NEED(args, layout);
    return API_ERROR(of_shape(args->type, args->dims, args->num_dims, &args->layout));
}

static PJRT_Error *of_topology(PJRT_Layouts_PJRT_Topology_GetDefaultLayout_Args *args)
{
    NEED_OBJECT(args, topology_description);
    NEED(args, layout);
    return API_ERROR(of_shape(args->type, args->dims, args->num_dims, &args->layout));
}

static struct error *create_output_layouts(struct executable *executable)
{
    const struct program *program = executable->program;
    void **list;
    TRY(alloc_array((size_t)program->result_count, sizeof *list, &list));
    struct error *error = NULL;
    for (int i = 0; i < program->result_count && !error; i++) {
        const struct program_value *result = &program->results[i];
        PJRT_Layouts_MemoryLayout *layout;
        error = of_order(result->shape.rank, result->shape.minor_to_major, &layout);
        list[i] = layout;
    }
    if (error)
        alloc_free(list);
    else
        executable->output_layouts = list;
    return error;
}

static PJRT_Error *of_outputs(PJRT_Layouts_PJRT_Executable_GetOutputLayouts_Args *args)
{
    static struct fork_lock lock = FORK_LOCK(FORK_PLUGIN, NULL);
    struct error *error = NULL;
    NEED_OBJECT(args, executable);
    NEED(args, layouts);
    struct executable *executable = executable_of(args->executable);
    fork_lock_take(&lock);
    if (!executable->output_layouts)
        error = create_output_layouts(executable);
    fork_lock_release(&lock);
    args->num_outputs = (size_t)executable->program->result_count;
    args->layouts = (PJRT_Layouts_MemoryLayout **)executable->output_layouts;
    return API_ERROR(error);
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
    }};
