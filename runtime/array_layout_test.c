/* array_layout_test.c: layouts on a device that stores what clients ask for, and on one that models
 * layouts; also of buffers and of copies between them and the host. */
#include "runtime/array_layout.h"

#include <criterion/criterion.h>
#include <string.h>

#include "runtime/buffer_to_host.h"
#include "runtime/fake_device.h"

static struct client *client;
static struct device_ops modeled;

/* Columns by default, in tiles of 4 x 2; rows without tiles in unpinned host memory. */
static void fake_lay_out(const struct device *device, bool ordered, struct shape *shape,
                         struct shape_layout *room)
{
    (void)device;
    if (shape->memory == MEMORY_UNPINNED_HOST)
        return;
    for (int i = 0; !ordered && i < shape->rank; i++)
        room->minor_to_major[i] = i;
    if (!ordered)
        shape->minor_to_major = room->minor_to_major;
    room->blocks[0][0] = 4, room->blocks[0][1] = 2;
    room->tiles[0] = (struct shape_tile){2, room->blocks[0]};
    shape->tiles = room->tiles;
    shape->tile_count = 1;
}

static void setup(void)
{
    cr_assert_null(client_create(&fake_library, NULL, &client));
}

static void model_layouts(void)
{
    modeled = *client->devices[0]->device->ops;
    modeled.lay_out = fake_lay_out;
    for (int i = 0; i < client->device_count; i++)
        client->devices[i]->device->ops = &modeled;
}

static void teardown(void)
{
    client_close(client);
}

TestSuite(array_layout, .init = setup, .fini = teardown);

static const int64_t dims[] = {2, 3}, rows[] = {1, 0}, columns[] = {0, 1}, sizes[] = {8};
static const struct shape_tile linear = {1, sizes};

static struct shape f32(const int64_t *order, int tiles)
{
    return (struct shape){.dtype = DTYPE_F32,
                          .rank = 2,
                          .dims = dims,
                          .minor_to_major = order,
                          .tile_count = tiles,
                          .tiles = &linear};
}

static void completes(const int64_t *order, int tiles, const char *expected)
{
    struct text text = {0};
    struct shape_layout room;
    struct shape shape = f32(order, tiles);
    cr_assert_null(array_layout_complete(client->devices[0]->device, &shape, &room));
    shape_print_layout(&shape, &text);
    cr_expect_str_eq(text.data, expected);
    cr_expect(!shape.minor_to_major || shape.minor_to_major[0] == 0);
    text_free(&text);
}

static void refused(struct shape shape, PJRT_Error_Code code, const char *part)
{
    struct shape_layout room;
    struct error *error = array_layout_complete(client->devices[0]->device, &shape, &room);
    cr_assert_not_null(error, "%s", part);
    cr_expect_eq(error_code(error), code);
    cr_expect(strstr(error_message(error, NULL), part), "%s", error_message(error, NULL));
    error_free(error);
}

Test(array_layout, on_a_device_that_stores_arrays_densely)
{
    completes(NULL, 0, "{1,0}");
    completes(rows, 0, "{1,0}");
    completes(columns, 0, "{0,1}");
    completes(columns, 1, "{0,1:T(8)}");
    refused(f32(dims, 0), PJRT_Error_Code_INVALID_ARGUMENT, "permutation");
    struct shape shape = f32(columns, 1);
    shape = array_layout_stored(client->devices[0]->device, &shape);
    cr_expect_eq(shape.minor_to_major, columns);
    cr_expect_eq(shape.tile_count, 0, "bytes are dense");
}

Test(array_layout, on_a_device_that_models_layouts)
{
    model_layouts();
    completes(NULL, 0, "{0,1:T(4,2)}");
    completes(rows, 0, "{1,0:T(4,2)}");
    completes(columns, 0, "{0,1:T(4,2)}");
    completes(rows, 1, "{1,0:T(8)}");
    completes(NULL, 1, "{1,0:T(8)}");
    static const int64_t huge[] = {INT64_C(1) << 60, 1};
    struct shape shape = f32(rows, 0);
    shape.dims = huge;
    refused(shape, PJRT_Error_Code_INVALID_ARGUMENT, "padding of its tiles");
    shape = f32(columns, 1);
    shape = array_layout_stored(client->devices[0]->device, &shape);
    cr_expect(!shape.minor_to_major && !shape.tile_count && shape.dims == dims);
}

/* ---- buffers on a device that models layouts ------------------------------------------------- */
static const float data[6] = {0, 1, 2, 3, 4, 5};

static struct buffer *upload(const struct shape *shape, const int64_t *host_order)
{
    struct host_array array = {data, f32(host_order, 0), NULL};
    struct buffer *buffer;
    struct event *done;
    cr_assert_null(buffer_from_host(&client->devices[0]->memories[0], shape, &array,
                                    HOST_IMMUTABLE_ONLY_DURING_CALL, &done, &buffer));
    event_release(done);
    return buffer;
}

static void download(struct buffer *buffer, const int64_t *host_order, float *out)
{
    struct shape host = f32(host_order, 0);
    struct event *done;
    cr_assert_null(buffer_to_host(buffer, host_order ? &host : NULL, out, sizeof data, &done));
    cr_assert_null(event_await(done));
    event_release(done);
}

static void reads_back(struct buffer *buffer)
{
    static const float by_columns[6] = {0, 3, 1, 4, 2, 5};
    float out[6];
    download(buffer, NULL, out);
    cr_expect_eq(memcmp(out, data, sizeof data), 0);
    download(buffer, rows, out);
    cr_expect_eq(memcmp(out, data, sizeof data), 0);
    download(buffer, columns, out);
    cr_expect_eq(memcmp(out, by_columns, sizeof data), 0);
    void *bytes;
    cr_assert_null(buffer_pointer(buffer, &bytes));
    cr_expect_eq(memcmp(bytes, data, sizeof data), 0, "the bytes are row-major");
}

Test(array_layout, bytes_do_not_depend_on_a_modeled_layout)
{
    model_layouts();
    const struct shape shapes[] = {f32(NULL, 0), f32(rows, 0), f32(columns, 0), f32(columns, 1)};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        struct buffer *buffer = upload(&shapes[i], NULL), *copy;
        cr_expect_eq(buffer_shape(buffer)->tile_count, 1);
        cr_expect_eq(buffer_tile_ranks(buffer)[0], i < 3 ? 2 : 1);
        cr_expect_eq(buffer_bytes(buffer), sizeof data);
        reads_back(buffer);
        cr_assert_null(buffer_copy_to_memory(buffer, &client->devices[1]->memories[1], &copy));
        cr_expect(shape_same_layout(buffer_shape(copy), buffer_shape(buffer)));
        reads_back(copy);
        buffer_release(copy);
        buffer_release(buffer);
    }
}

Test(array_layout, host_arrays_in_another_order)
{
    model_layouts();
    float out[6];
    struct shape shape = f32(columns, 0);
    struct buffer *buffer = upload(&shape, columns);
    download(buffer, columns, out);
    cr_expect_eq(memcmp(out, data, sizeof data), 0);
    download(buffer, NULL, out);
    cr_expect_eq(out[1], 2, "element 0, 1");
    struct shape tiled = f32(columns, 1);
    struct event *done;
    struct error *error = buffer_to_host(buffer, &tiled, out, sizeof out, &done);
    cr_assert_not_null(error, "tiles in host memory");
    cr_expect_eq(error_code(error), PJRT_Error_Code_UNIMPLEMENTED);
    error_free(error);
    buffer_release(buffer);
}

/* A host array is used in place only if it is as the device stores arrays, not as it names them. */
Test(array_layout, zero_copy_needs_the_stored_order)
{
    enum { SIDE = 256 };
    static _Alignas(64) float square[SIDE][SIDE];
    static const int64_t square_dims[] = {SIDE, SIDE};
    model_layouts();
    for (int i = 0; i < SIDE * SIDE; i++)
        square[i / SIDE][i % SIDE] = (float)i;
    for (int by_columns = 0; by_columns < 2; by_columns++) {
        struct shape shape = f32(columns, 0);
        shape.dims = square_dims;
        struct host_array array = {square, shape, NULL};
        array.shape.minor_to_major = by_columns ? columns : NULL;
        struct buffer *buffer;
        struct event *done;
        void *bytes;
        cr_assert_null(buffer_from_host(&client->devices[0]->memories[0], &shape, &array,
                                        HOST_IMMUTABLE_ZERO_COPY, &done, &buffer));
        cr_assert_null(buffer_pointer(buffer, &bytes));
        cr_expect_eq(bytes == square, !by_columns);
        cr_expect_eq(((const float *)bytes)[1], by_columns ? SIDE : 1);
        buffer_release(buffer);
        event_release(done);
    }
}

static void expect_copied(const struct shape *from, enum memory_kind kind, const int64_t *order,
                          int tiles)
{
    struct shape_layout room;
    struct shape shape = *from;
    cr_assert_null(array_layout_copied(client->devices[0]->device, kind, &shape, &room));
    cr_expect_eq(shape.memory, kind);
    cr_expect_eq(shape.tile_count, tiles);
    for (int i = 0; i < 2; i++)
        cr_expect_eq(shape_minor_to_major(&shape, i), order[i]);
}

Test(array_layout, copies_to_other_memories)
{
    struct shape tiled = f32(NULL, 1), plain = f32(NULL, 0);
    plain.memory = MEMORY_UNPINNED_HOST;
    expect_copied(&tiled, MEMORY_UNPINNED_HOST, rows, 1); /* no tiles are modeled */
    model_layouts();
    expect_copied(&tiled, MEMORY_PINNED_HOST, rows, 1);
    expect_copied(&tiled, MEMORY_UNPINNED_HOST, rows, 0);
    expect_copied(&plain, MEMORY_UNPINNED_HOST, rows, 0);
    expect_copied(&plain, MEMORY_DEVICE, columns, 1);
}

/* Strides as clients may send them: an overflow is an error, not an address. */
Test(array_layout, strides_do_not_overflow)
{
    static const int64_t good[][2] = {{12, 4}, {-12, -4}, {0, 0}, {INT64_C(1) << 59, 4}};
    static const int64_t bad[][2] = {
        {INT64_MAX, 4}, {INT64_MIN, 4}, {4, INT64_MIN / 2}, {INT64_C(1) << 61, INT64_C(1) << 61}};
    struct shape shape = f32(columns, 0);
    for (int i = 0; i < 4; i++) {
        cr_expect_null(array_layout_check_strides(&shape, good[i]));
        struct host_array array = {.data = data, .shape = shape, .byte_strides = bad[i]};
        struct event *done;
        struct buffer *buffer;
        struct error *error = buffer_from_host(&client->devices[0]->memories[0], &shape, &array,
                                               HOST_IMMUTABLE_ONLY_DURING_CALL, &done, &buffer);
        cr_assert_not_null(error);
        cr_expect_eq(error_code(error), PJRT_Error_Code_INVALID_ARGUMENT);
        error_free(error);
    }
    static const int64_t one[] = {1, 1}, any[] = {INT64_MIN, INT64_MAX};
    struct shape single = {.dtype = DTYPE_F32, .rank = 2, .dims = one};
    cr_expect_null(array_layout_check_strides(&single, any));
}
