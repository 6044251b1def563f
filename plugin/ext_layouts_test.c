/* ext_layouts_test.c: layouts as objects and text, of buffers, defaults and executables. */
#include "plugin/ext_layouts.h"

#include <criterion/criterion.h>
#include <string.h>

#include "base/alloc.h"
#include "plugin/api.h"
#include "plugin/handles.h"
#include "runtime/fake_device.h"

enum { RANKS = SHAPE_MAX_RANK + 1 };

static struct client *client;
static const PJRT_Layouts_Extension *ext;

static void setup(void)
{
    ext = &ext_layouts.table;
    cr_assert_null(client_create(&fake_library, NULL, &client));
}

static void teardown(void)
{
    client_close(client);
}

TestSuite(ext_layouts, .init = setup, .fini = teardown);

#define ARGS(type, name, ...)                                                                      \
    type##_Args name = {.struct_size = type##_Args_STRUCT_SIZE, __VA_ARGS__}

/* Frees the error, which has to have the code and to contain `part`. */
static void refused(PJRT_Error *got, PJRT_Error_Code code, const char *part)
{
    struct error *error = (struct error *)got;
    cr_assert_not_null(error, "%s", part);
    cr_expect_eq(error_code(error), code, "%s", error_message(error, NULL));
    cr_expect(strstr(error_message(error, NULL), part), "%s", error_message(error, NULL));
    error_free(error);
}

static void reads_as(PJRT_Layouts_MemoryLayout *layout, const char *text)
{
    ARGS(PJRT_Layouts_MemoryLayout_Serialize, args, .layout = layout);
    cr_assert_null(ext->PJRT_Layouts_MemoryLayout_Serialize(&args));
    cr_expect(args.serialized_bytes_size == strlen(text) &&
                  !memcmp(args.serialized_bytes, text, strlen(text)),
              "%.*s", (int)args.serialized_bytes_size, args.serialized_bytes);
    args.serialized_layout_deleter(args.serialized_layout);
    ARGS(PJRT_Layouts_MemoryLayout_Destroy, destroy, .layout = layout);
    cr_expect_null(ext->PJRT_Layouts_MemoryLayout_Destroy(&destroy));
}

/* ---- defaults -------------------------------------------------------------------------------- */
static PJRT_Layouts_PJRT_Client_GetDefaultLayout_Args question(PJRT_Buffer_Type type,
                                                               const int64_t *dims, size_t rank)
{
    ARGS(PJRT_Layouts_PJRT_Client_GetDefaultLayout, args, .client = client_handle(client),
         .type = type, .dims = dims, .num_dims = rank);
    return args;
}

Test(ext_layouts, the_default_is_row_major)
{
    int64_t dims[RANKS] = {2, 3, 4};
    PJRT_Layouts_PJRT_Client_GetDefaultLayout_Args args = question(PJRT_Buffer_Type_F32, NULL, 0);
    cr_assert_null(ext->PJRT_Layouts_PJRT_Client_GetDefaultLayout(&args));
    reads_as(args.layout, "{}");
    args = question(PJRT_Buffer_Type_F32, dims, 3);
    cr_assert_null(ext->PJRT_Layouts_PJRT_Client_GetDefaultLayout(&args));
    reads_as(args.layout, "{2,1,0}");
    ARGS(PJRT_Layouts_PJRT_Topology_GetDefaultLayout, described,
         .topology_description = topology_handle(&client->topology), .type = PJRT_Buffer_Type_S4,
         .dims = dims, .num_dims = 2);
    cr_assert_null(ext->PJRT_Layouts_PJRT_Topology_GetDefaultLayout(&described));
    reads_as(described.layout, "{1,0}");
}

Test(ext_layouts, defaults_need_a_shape)
{
    int64_t dims[RANKS] = {-1};
    PJRT_Layouts_PJRT_Client_GetDefaultLayout_Args args = question(PJRT_Buffer_Type_F32, dims, 1);
    refused(ext->PJRT_Layouts_PJRT_Client_GetDefaultLayout(&args), PJRT_Error_Code_INVALID_ARGUMENT,
            "-1");
    args = question(PJRT_Buffer_Type_F32, dims, RANKS);
    refused(ext->PJRT_Layouts_PJRT_Client_GetDefaultLayout(&args), PJRT_Error_Code_INVALID_ARGUMENT,
            "rank 33");
    args = question((PJRT_Buffer_Type)9999, dims, 0);
    refused(ext->PJRT_Layouts_PJRT_Client_GetDefaultLayout(&args), PJRT_Error_Code_INVALID_ARGUMENT,
            "type");
    args = question(PJRT_Buffer_Type_F32, NULL, 2);
    refused(ext->PJRT_Layouts_PJRT_Client_GetDefaultLayout(&args), PJRT_Error_Code_INVALID_ARGUMENT,
            "");
}

/* ---- buffers --------------------------------------------------------------------------------- */
static struct buffer *make(const int64_t *order)
{
    int64_t dims[] = {2, 3, 4};
    struct shape shape = {.dtype = DTYPE_F32, .rank = 3, .dims = dims, .minor_to_major = order};
    struct buffer *buffer;
    cr_assert_null(buffer_uninitialized(&client->devices[0]->memories[0], &shape, &buffer));
    return buffer;
}

static PJRT_Layouts_MemoryLayout *layout_of(struct buffer *buffer)
{
    ARGS(PJRT_Layouts_PJRT_Buffer_MemoryLayout, args, .buffer = buffer_handle(buffer));
    cr_assert_null(ext->PJRT_Layouts_PJRT_Buffer_MemoryLayout(&args));
    return args.layout;
}

Test(ext_layouts, equal_layouts_are_one_object)
{
    static const int64_t columns[] = {0, 1, 2}, mixed[] = {1, 2, 0};
    struct buffer *buffers[] = {make(NULL), make(columns), make(mixed), make(columns)};
    PJRT_Layouts_MemoryLayout *layouts[4];
    for (int i = 0; i < 4; i++)
        layouts[i] = layout_of(buffers[i]);
    reads_as(layouts[0], "{2,1,0}");
    reads_as(layouts[1], "{0,1,2}");
    reads_as(layouts[2], "{1,2,0}");
    cr_expect_eq(layouts[1], layouts[3]);
    for (int i = 0; i < 4; i++)
        buffer_release(buffers[i]);
    reads_as(layouts[2], "{1,2,0}");
}

Test(ext_layouts, a_new_layout_needs_memory)
{
    static const int64_t order[] = {1, 0, 2};
    struct buffer *buffer = make(order);
    ARGS(PJRT_Layouts_PJRT_Buffer_MemoryLayout, args, .buffer = buffer_handle(buffer));
    alloc_fail_at(1);
    PJRT_Error *error = ext->PJRT_Layouts_PJRT_Buffer_MemoryLayout(&args);
    alloc_fail_at(0);
    refused(error, PJRT_Error_Code_RESOURCE_EXHAUSTED, "");
    cr_expect_null(args.layout);
    reads_as(layout_of(buffer), "{1,0,2}");
    buffer_release(buffer);
}

/* ---- executables ----------------------------------------------------------------------------- */
Test(ext_layouts, of_the_results_of_an_executable)
{
    struct loaded_executable *loaded;
    cr_assert_null(fake_load(client, "add", 2, 6, false, 1, &loaded));
    ARGS(PJRT_Layouts_PJRT_Executable_GetOutputLayouts, args,
         .executable = executable_handle(loaded->executable));
    alloc_fail_at(1);
    PJRT_Error *error = ext->PJRT_Layouts_PJRT_Executable_GetOutputLayouts(&args);
    alloc_fail_at(0);
    refused(error, PJRT_Error_Code_RESOURCE_EXHAUSTED, "");
    cr_assert_null(ext->PJRT_Layouts_PJRT_Executable_GetOutputLayouts(&args));
    cr_assert_eq(args.num_outputs, 2);
    reads_as(args.layouts[1], "{0}");
    PJRT_Layouts_MemoryLayout **first = args.layouts;
    cr_assert_null(ext->PJRT_Layouts_PJRT_Executable_GetOutputLayouts(&args));
    cr_expect_eq(args.layouts, first, "borrowed from the executable");
    ARGS(PJRT_Layouts_PJRT_Executable_GetParameterLayouts, of_parameters,
         .executable = executable_handle(loaded->executable));
    cr_assert_null(ext->PJRT_Layouts_PJRT_Executable_GetParameterLayouts(&of_parameters));
    cr_assert_eq(of_parameters.num_parameters, 2);
    reads_as(of_parameters.layouts[1], "{0}");
    loaded_executable_release(loaded);
}

/* Each new layout of a result needs memory, too. */
Test(ext_layouts, results_in_an_order_of_their_own)
{
    static const int64_t order[] = {0, 1};
    int64_t dims[] = {2, 3};
    struct loaded_executable *loaded;
    cr_assert_null(fake_load(client, "add", 1, 6, false, 1, &loaded));
    struct program_value *result = &loaded->executable->program->results[0];
    const struct shape shape = result->shape;
    result->shape.rank = 2, result->shape.dims = dims, result->shape.minor_to_major = order;
    ARGS(PJRT_Layouts_PJRT_Executable_GetOutputLayouts, args,
         .executable = executable_handle(loaded->executable));
    alloc_fail_at(2);
    PJRT_Error *error = ext->PJRT_Layouts_PJRT_Executable_GetOutputLayouts(&args);
    alloc_fail_at(0);
    refused(error, PJRT_Error_Code_RESOURCE_EXHAUSTED, "");
    cr_assert_null(ext->PJRT_Layouts_PJRT_Executable_GetOutputLayouts(&args));
    reads_as(args.layouts[0], "{0,1}");
    result->shape = shape;
    loaded_executable_release(loaded);
}

/* ---- wrong arguments ------------------------------------------------------------------------- */
/* Called without a struct, with one that is a byte too short, and with one without its object. */
#define NEEDS(function, object, value)                                                             \
    do {                                                                                           \
        ARGS(function, args, .object = value);                                                     \
        refused(ext->function(NULL), PJRT_Error_Code_INVALID_ARGUMENT, "args is NULL");            \
        args.struct_size--;                                                                        \
        refused(ext->function(&args), PJRT_Error_Code_INVALID_ARGUMENT, "struct_size");            \
        args.struct_size++, args.object = NULL;                                                    \
        refused(ext->function(&args), PJRT_Error_Code_INVALID_ARGUMENT, #object " is NULL");       \
    } while (0)

Test(ext_layouts, each_function_needs_its_object)
{
    struct loaded_executable *loaded;
    struct buffer *buffer = make(NULL);
    cr_assert_null(fake_load(client, "add", 1, 6, false, 1, &loaded));
    NEEDS(PJRT_Layouts_MemoryLayout_Serialize, layout, layout_of(buffer));
    NEEDS(PJRT_Layouts_PJRT_Client_GetDefaultLayout, client, client_handle(client));
    NEEDS(PJRT_Layouts_PJRT_Buffer_MemoryLayout, buffer, buffer_handle(buffer));
    NEEDS(PJRT_Layouts_PJRT_Topology_GetDefaultLayout, topology_description,
          topology_handle(&client->topology));
    NEEDS(PJRT_Layouts_PJRT_Executable_GetOutputLayouts, executable,
          executable_handle(loaded->executable));
    loaded_executable_release(loaded);
    buffer_release(buffer);
}

/* ---- devices that model layouts -------------------------------------------------------------- */
static void lay_out(const struct device *device, bool ordered, struct shape *shape,
                    struct shape_layout *room)
{
    (void)device;
    (void)ordered;
    room->blocks[0][0] = 8, room->blocks[0][1] = 128;
    room->tiles[0] = (struct shape_tile){2, room->blocks[0]};
    shape->tiles = room->tiles;
    shape->tile_count = 1;
}

Test(ext_layouts, of_a_device_with_tiles)
{
    int64_t dims[] = {2, 3, 4};
    static const int64_t order[] = {0, 1, 2};
    static struct device_ops modeled;
    modeled = *client->devices[0]->device->ops;
    modeled.lay_out = lay_out;
    client->devices[0]->device->ops = &modeled;
    PJRT_Layouts_PJRT_Client_GetDefaultLayout_Args args = question(PJRT_Buffer_Type_S4, dims, 3);
    cr_assert_null(ext->PJRT_Layouts_PJRT_Client_GetDefaultLayout(&args));
    reads_as(args.layout, "{2,1,0:T(8,128)E(4)}");
    struct buffer *buffer = make(order);
    reads_as(layout_of(buffer), "{0,1,2:T(8,128)}");
    PJRT_Buffer_GetMemoryLayout_Args own = {.struct_size =
                                                PJRT_Buffer_GetMemoryLayout_Args_STRUCT_SIZE,
                                            .buffer = buffer_handle(buffer)};
    cr_assert_null(api_buffer_get_memory_layout(&own));
    const PJRT_Buffer_MemoryLayout_Tiled *tiled = &own.layout.tiled;
    cr_expect(tiled->num_tiles == 1 && tiled->tile_dim_sizes[0] == 2);
    cr_expect(tiled->tile_dims[0] == 8 && tiled->tile_dims[1] == 128);
    cr_expect_eq(tiled->minor_to_major[0], 0);
    buffer_release(buffer);
}
