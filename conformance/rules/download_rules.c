/* download_rules.c: area 9: arrays from a device to the host. */
#include <string.h>

#include "conformance/cts/rule_process.h"
#include "conformance/rules/sample_programs.h"

static void check_values(struct rule_context *t, const void *bytes, const char *when)
{
    float expected[SAMPLE], found[SAMPLE];
    sample_fill(expected);
    memcpy(found, bytes, sizeof found);
    for (int i = 0; i < SAMPLE; i++)
        NEED(t, found[i] == expected[i], "element %d is %g instead of %g%s", i, (double)found[i],
             (double)expected[i], when);
}

/* ---- 9.1 Whole arrays ------------------------------------------------------------------------ */

void rule_download_gives_elements(struct rule_context *t)
{
    float back[SAMPLE] = {0};
    NEED_SAMPLE(t, buffer);
    ARGS(t, Buffer_ToHostBuffer, args, .src = buffer, .dst = back, .dst_size = sizeof back);
    NEED_OK(t, CALL(t, Buffer_ToHostBuffer, &args));
    NEED_OK(t, rule_await(t, args.event));
    check_values(t, back, "");
    DESTROY(t, Buffer, buffer, buffer);
}

void rule_download_tells_the_size(struct rule_context *t)
{
    NEED_SAMPLE(t, buffer);
    ARGS(t, Buffer_ToHostBuffer, args, .src = buffer, .dst = NULL);
    NEED_OK(t, CALL(t, Buffer_ToHostBuffer, &args));
    CHECK(t, args.dst_size == SAMPLE_BYTES, "%zu bytes for %d of f32", args.dst_size, SAMPLE);
    CHECK(t, !args.event, "an event of a call that copies nothing");
    DESTROY(t, Buffer, buffer, buffer);
}

void rule_download_always_gives_events(struct rule_context *t)
{
    float value = 1, back[SAMPLE];
    PJRT_Buffer *scalar;
    NEED_SAMPLE(t, buffer);
    NEED_OK(t,
            rule_upload(t, &(struct rule_array){PJRT_Buffer_Type_F32, 0, NULL, &value}, &scalar));
    PJRT_Buffer *const buffers[] = {buffer, scalar};
    for (int i = 0; i < 2; i++) {
        ARGS(t, Buffer_ToHostBuffer, args, .src = buffers[i], .dst = back,
             .dst_size = i ? sizeof value : sizeof back);
        NEED_OK(t, CALL(t, Buffer_ToHostBuffer, &args));
        CHECK(t, args.event, "%s: no event", i ? "a scalar" : "an array");
        CHECK_OK(t, rule_await(t, args.event));
        DESTROY(t, Buffer, buffer, buffers[i]);
    }
}

void rule_download_rejects_small_destinations(struct rule_context *t)
{
    char back[SAMPLE_BYTES];
    const size_t sizes[] = {1, SAMPLE_BYTES - 4, SAMPLE_BYTES - 1};
    NEED_SAMPLE(t, buffer);
    memset(back, 0x5a, sizeof back);
    for (int i = 0; i < 3; i++)
        CHECK_ERROR(t, rule_download(t, buffer, back, sizes[i]));
    for (size_t i = 0; i < sizeof back; i++)
        NEED(t, back[i] == 0x5a, "byte %zu was written", i);
    DESTROY(t, Buffer, buffer, buffer);
}

void rule_download_writes_the_array_only(struct rule_context *t)
{
    unsigned char back[SAMPLE_BYTES + 128];
    NEED_SAMPLE(t, buffer);
    memset(back, 0x5a, sizeof back);
    NEED_OK(t, rule_download(t, buffer, back, sizeof back));
    check_values(t, back, "");
    for (size_t i = SAMPLE_BYTES; i < sizeof back; i++)
        NEED(t, back[i] == 0x5a, "byte %zu behind the array was written", i - SAMPLE_BYTES);
    DESTROY(t, Buffer, buffer, buffer);
}

enum { ROWS = 4, COLUMNS = SAMPLE / ROWS };

static struct error *download_ordered(struct rule_context *t, PJRT_Buffer *buffer,
                                      const int64_t order[2], void *back)
{
    PJRT_Buffer_MemoryLayout layout = {
        .struct_size = PJRT_Buffer_MemoryLayout_STRUCT_SIZE,
        .tiled = {.struct_size = PJRT_Buffer_MemoryLayout_Tiled_STRUCT_SIZE,
                  .minor_to_major = order,
                  .minor_to_major_size = 2},
        .type = PJRT_Buffer_MemoryLayout_Type_Tiled,
    };
    ARGS(t, Buffer_ToHostBuffer, args, .src = buffer, .host_layout = &layout, .dst = back,
         .dst_size = SAMPLE_BYTES);
    TRY(CALL(t, Buffer_ToHostBuffer, &args));
    return rule_await(t, args.event);
}

static struct error *upload_matrix(struct rule_context *t, PJRT_Buffer **out)
{
    static const int64_t dims[] = {ROWS, COLUMNS};
    float values[SAMPLE];
    sample_fill(values);
    return rule_upload(t, &(struct rule_array){PJRT_Buffer_Type_F32, 2, dims, values}, out);
}

void rule_download_gives_row_major_arrays(struct rule_context *t)
{
    float back[SAMPLE] = {0};
    PJRT_Buffer *buffer;
    NEED_CLIENT(t);
    NEED_OK(t, upload_matrix(t, &buffer));
    NEED_OK(t, download_ordered(t, buffer, (const int64_t[]){1, 0}, back));
    check_values(t, back, "");
    DESTROY(t, Buffer, buffer, buffer);
}

void rule_download_gives_column_major_arrays(struct rule_context *t)
{
    float back[COLUMNS][ROWS] = {{0}}, expected[SAMPLE];
    PJRT_Buffer *buffer;
    NEED_CLIENT(t);
    sample_fill(expected);
    NEED_OK(t, upload_matrix(t, &buffer));
    NEED_OK(t, download_ordered(t, buffer, (const int64_t[]){0, 1}, back));
    for (int i = 0; i < SAMPLE; i++)
        NEED(t, back[i % COLUMNS][i / COLUMNS] == expected[i], "element [%d][%d] is %g",
             i / COLUMNS, i % COLUMNS, (double)back[i % COLUMNS][i / COLUMNS]);
    DESTROY(t, Buffer, buffer, buffer);
}

void rule_download_gives_scalars(struct rule_context *t)
{
    int32_t value = 123456789, back = 0;
    PJRT_Buffer *buffer;
    NEED_CLIENT(t);
    NEED_OK(t,
            rule_upload(t, &(struct rule_array){PJRT_Buffer_Type_S32, 0, NULL, &value}, &buffer));
    ARGS(t, Buffer_ToHostBuffer, args, .src = buffer, .dst = &back, .dst_size = sizeof back);
    NEED_OK(t, CALL(t, Buffer_ToHostBuffer, &args));
    NEED_OK(t, rule_await(t, args.event));
    CHECK(t, back == value, "%d has become %d", value, back);
    DESTROY(t, Buffer, buffer, buffer);
}

void rule_download_gives_empty_arrays(struct rule_context *t)
{
    const int64_t dims[] = {0};
    float nothing = 0, back = 5;
    PJRT_Buffer *buffer;
    NEED_CLIENT(t);
    struct rule_array empty = {PJRT_Buffer_Type_F32, 1, dims, &nothing};
    NEED_OK(t, rule_upload(t, &empty, &buffer));
    ARGS(t, Buffer_ToHostBuffer, size, .src = buffer, .dst = NULL);
    NEED_OK(t, CALL(t, Buffer_ToHostBuffer, &size));
    CHECK(t, size.dst_size == 0, "an array without elements has %zu bytes", size.dst_size);
    CHECK_OK(t, rule_download(t, buffer, &back, sizeof back));
    CHECK(t, back == 5, "the destination was written");
    DESTROY(t, Buffer, buffer, buffer);
}

void rule_download_takes_any_address(struct rule_context *t)
{
    char back[SAMPLE_BYTES + 3];
    NEED_SAMPLE(t, buffer);
    for (int shift = 1; shift <= 3; shift++) {
        memset(back, 0, sizeof back);
        NEED_OK(t, rule_download(t, buffer, back + shift, SAMPLE_BYTES));
        check_values(t, back + shift, "");
    }
    DESTROY(t, Buffer, buffer, buffer);
}

void rule_download_repeats(struct rule_context *t)
{
    NEED_SAMPLE(t, buffer);
    for (int i = 0; i < 20; i++)
        sample_check(t, buffer);
    DESTROY(t, Buffer, buffer, buffer);
}

/* ---- 9.2 Asynchrony -------------------------------------------------------------------------- */

void rule_download_waits_for_programs(struct rule_context *t)
{
    enum { COUNT = 1024 * 256 };
    static float back[COUNT];
    const int64_t dims[] = {1024, 256};
    PJRT_Buffer *input, *result;
    NEED_PROGRAM(t, executable, "large.mlirbc"); /* exp(tanh(x) / 2) */
    struct rule_array zeros = {PJRT_Buffer_Type_F32, 2, dims, back};
    NEED_OK(t, rule_upload(t, &zeros, &input));
    NEED_OK(t, execute_one(t, executable, input, &result));
    NEED_OK(t, rule_download(t, result, back, sizeof back));
    for (int i = 0; i < COUNT; i++)
        NEED(t, back[i] > 0.99F && back[i] < 1.01F, "element %d is %g instead of 1", i,
             (double)back[i]);
    DESTROY(t, Buffer, buffer, input);
    DESTROY(t, Buffer, buffer, result);
    DESTROY(t, LoadedExecutable, executable, executable);
}

enum { COPIES = 16 };

/* Begins so many downloads, disturbs, and waits. */
static void check_begun(struct rule_context *t, PJRT_Buffer *buffer,
                        void (*disturb)(struct rule_context *t, PJRT_Buffer *buffer))
{
    static float back[COPIES][SAMPLE];
    PJRT_Event *events[COPIES];
    for (int i = 0; i < COPIES; i++) {
        ARGS(t, Buffer_ToHostBuffer, args, .src = buffer, .dst = back[i],
             .dst_size = sizeof back[i]);
        NEED_OK(t, CALL(t, Buffer_ToHostBuffer, &args));
        events[i] = args.event;
    }
    disturb(t, buffer);
    for (int i = 0; i < COPIES; i++) {
        CHECK_OK(t, rule_await(t, events[i]));
        check_values(t, back[i], "");
    }
}

static void do_nothing(struct rule_context *t, PJRT_Buffer *buffer)
{
    (void)t, (void)buffer;
}

static void destroy(struct rule_context *t, PJRT_Buffer *buffer)
{
    DESTROY(t, Buffer, buffer, buffer);
}

static void delete(struct rule_context *t, PJRT_Buffer *buffer)
{
    CHECK_OK(t, buffer_delete(t, buffer));
}

void rule_download_overlaps(struct rule_context *t)
{
    NEED_SAMPLE(t, buffer);
    check_begun(t, buffer, do_nothing);
    DESTROY(t, Buffer, buffer, buffer);
}

void rule_download_outlives_the_buffer(struct rule_context *t)
{
    NEED_SAMPLE(t, buffer);
    check_begun(t, buffer, destroy);
}

void rule_download_outlives_deletion(struct rule_context *t)
{
    NEED_SAMPLE(t, buffer);
    check_begun(t, buffer, delete);
    DESTROY(t, Buffer, buffer, buffer);
}

static PJRT_Buffer *shared_buffer;

static void download_in_thread(struct rule_context *t, int i)
{
    (void)i;
    for (int k = 0; k < 50; k++)
        sample_check(t, shared_buffer);
}

void rule_download_works_in_threads(struct rule_context *t)
{
    NEED_SAMPLE(t, buffer);
    shared_buffer = buffer;
    rule_threads(t, download_in_thread);
    DESTROY(t, Buffer, buffer, buffer);
}

/* ---- 9.3 Bytes as they are on the device ----------------------------------------------------- */

void rule_download_copies_ranges(struct rule_context *t)
{
    float values[SAMPLE], back[SAMPLE];
    NEED_SAMPLE(t, buffer);
    sample_fill(values);
    const int ranges[][2] = {{0, SAMPLE}, {0, 1}, {SAMPLE - 1, 1}, {13, 20}};
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++) {
        int first = ranges[i][0], count = ranges[i][1];
        memset(back, 0, sizeof back);
        NEED_OK(t, buffer_copy_raw(t, buffer, back, first * 4, count * 4));
        CHECK(t, !memcmp(back, values + first, (size_t)count * 4), "elements %d to %d are others",
              first, first + count - 1);
        CHECK(t, count == SAMPLE || back[count] == 0, "more than %d elements are written", count);
    }
    DESTROY(t, Buffer, buffer, buffer);
}

void rule_download_rejects_ranges_outside(struct rule_context *t)
{
    static const int64_t ranges[][2] = {
        {-4, 8},           {0, SAMPLE_BYTES + 1},  {SAMPLE_BYTES, 1},      {SAMPLE_BYTES - 3, 4},
        {4, -4},           {INT64_MAX, INT64_MAX}, {INT64_MIN, INT64_MIN}, {INT64_MAX - 2, 8},
        {8, INT64_MAX - 2}};
    char back[SAMPLE_BYTES];
    NEED_SAMPLE(t, buffer);
    NEED_FUNCTION(t, Buffer_CopyRawToHost);
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++)
        CHECK_ERROR(t, buffer_copy_raw(t, buffer, back, ranges[i][0], ranges[i][1]));
    sample_check(t, buffer);
    DESTROY(t, Buffer, buffer, buffer);
}

void rule_download_copies_empty_ranges(struct rule_context *t)
{
    char back = 7;
    NEED_SAMPLE(t, buffer);
    NEED_OK(t, buffer_copy_raw(t, buffer, &back, 0, 0));
    NEED_OK(t, buffer_copy_raw(t, buffer, &back, SAMPLE_BYTES, 0));
    CHECK(t, back == 7, "a copy of 0 bytes writes");
    DESTROY(t, Buffer, buffer, buffer);
}

static void answer_copy(const PJRT_Buffer_CopyRawToHostFuture_Args *copy, PJRT_Error_Code code,
                        void *to)
{
    static const char message[] = "no destination";
    PJRT_Buffer_CopyRawToHostFuture_Callback_Args answer = {
        .struct_size = PJRT_Buffer_CopyRawToHostFuture_Callback_Args_STRUCT_SIZE,
        .callback_data = copy->callback_data,
        .error_code = code,
        .error_message = message,
        .error_message_size = sizeof message - 1,
        .dst = to};
    copy->future_ready_callback(&answer);
}

void rule_download_copies_to_later_addresses(struct rule_context *t)
{
    float back[SAMPLE] = {0};
    NEED_SAMPLE(t, buffer);
    ARGS(t, Buffer_CopyRawToHostFuture, args, .buffer = buffer, .transfer_size = SAMPLE_BYTES);
    NEED_OK(t, CALL(t, Buffer_CopyRawToHostFuture, &args));
    ARGS(t, Event_IsReady, ready, .event = args.event);
    CHECK_OK(t, CALL(t, Event_IsReady, &ready));
    CHECK(t, !ready.is_ready, "the copy is ready without a destination");
    answer_copy(&args, PJRT_Error_Code_OK, back);
    NEED_OK(t, rule_await(t, args.event));
    check_values(t, back, "");
    DESTROY(t, Buffer, buffer, buffer);
}

void rule_download_copies_can_be_given_up(struct rule_context *t)
{
    NEED_SAMPLE(t, buffer);
    ARGS(t, Buffer_CopyRawToHostFuture, args, .buffer = buffer, .transfer_size = SAMPLE_BYTES);
    NEED_OK(t, CALL(t, Buffer_CopyRawToHostFuture, &args));
    answer_copy(&args, PJRT_Error_Code_ABORTED, NULL);
    CHECK_CODE(t, ABORTED, rule_await(t, args.event));
    sample_check(t, buffer);
    DESTROY(t, Buffer, buffer, buffer);
}

/* ---- 9.4 Reading in place -------------------------------------------------------------------- */

static void check_in_place(struct rule_context *t, PJRT_Buffer *buffer)
{
    void *address;
    NEED_OK(t, buffer_await(t, buffer));
    NEED_OK(t, buffer_hold(t, buffer));
    NEED_OK(t, buffer_address(t, buffer, &address));
    NEED(t, address, "a buffer on the host has no address");
    check_values(t, address, " in place");
    CHECK_OK(t, buffer_release(t, buffer));
}

void rule_download_is_not_needed_on_the_host(struct rule_context *t)
{
    NEED_SAMPLE(t, buffer);
    if (buffer_is_on_cpu(t, buffer))
        check_in_place(t, buffer);
    else
        rule_skip(t, "buffers are not on the host");
    DESTROY(t, Buffer, buffer, buffer);
}

void rule_download_gives_results_in_place(struct rule_context *t)
{
    PJRT_Buffer *result;
    NEED_SAMPLE(t, buffer);
    NEED_PROGRAM(t, executable, "identity.mlirbc");
    NEED_OK(t, execute_one(t, executable, buffer, &result));
    if (buffer_is_on_cpu(t, result))
        check_in_place(t, result);
    else
        rule_skip(t, "buffers are not on the host");
    DESTROY(t, Buffer, buffer, result);
    DESTROY(t, Buffer, buffer, buffer);
    DESTROY(t, LoadedExecutable, executable, executable);
}

void rule_download_keeps_addresses(struct rule_context *t)
{
    PJRT_Buffer *other;
    NEED_SAMPLE(t, buffer);
    NEED_OK(t, sample_upload(t, &other));
    ARGS(t, Buffer_UnsafePointer, first, .buffer = buffer);
    ARGS(t, Buffer_UnsafePointer, second, .buffer = buffer);
    ARGS(t, Buffer_UnsafePointer, third, .buffer = other);
    NEED_OK(t, CALL(t, Buffer_UnsafePointer, &first));
    NEED_OK(t, CALL(t, Buffer_UnsafePointer, &second));
    NEED_OK(t, CALL(t, Buffer_UnsafePointer, &third));
    CHECK(t, first.buffer_pointer == second.buffer_pointer, "two addresses of one buffer");
    CHECK(t, first.buffer_pointer != third.buffer_pointer, "one address of two buffers");
    DESTROY(t, Buffer, buffer, buffer);
    DESTROY(t, Buffer, buffer, other);
}
