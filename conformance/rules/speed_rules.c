/* speed_rules.c: area 22: how long things take. */
#include <stdio.h>
#include <string.h>

#include "conformance/cts/child.h"
#include "conformance/cts/rule_process.h"
#include "conformance/cts/rule_sequences.h"

/* Seconds per call, of as many as take a fifth of a second; negative on an error. */
static double seconds_of(struct rule_context *t, struct error *(*call)(struct rule_context *t))
{
    double best = 1e9;
    for (int repeat = 0; repeat < 4; repeat++) {
        int count = 0;
        double start = child_clock(), end = start + 0.05;
        while (child_clock() < end) {
            if (!rule_need_ok(t, "call", call(t)))
                return -1;
            count++;
        }
        double each = (child_clock() - start) / count;
        best = each < best ? each : best;
    }
    return best;
}

/* Reports the time of a call, or with `amount` its rate. */
static void measure(struct rule_context *t, struct error *(*call)(struct rule_context *t),
                    double amount, const char *unit)
{
    double seconds = seconds_of(t, call);
    if (seconds < 0)
        return;
    if (amount > 0)
        rule_note(t, "%.3g %s", amount / seconds, unit);
    else
        rule_note(t, "%.3g us", seconds * 1e6);
}

/* ---- What is measured ------------------------------------------------------------------------ */

enum { LARGE = 4 << 20 }; /* floats */
static float large[LARGE];
static PJRT_Buffer *inputs[2];
static PJRT_LoadedExecutable *executable;

static struct error *ask(struct rule_context *t)
{
    ARGS(t, Client_PlatformName, args, .client = t->client);
    return CALL(t, Client_PlatformName, &args);
}

static struct error *await(struct rule_context *t)
{
    ARGS(t, Buffer_ReadyEvent, args, .buffer = inputs[0]);
    TRY(CALL(t, Buffer_ReadyEvent, &args));
    return rule_await(t, args.event);
}

static struct error *execute(struct rule_context *t, size_t count)
{
    PJRT_Buffer *result;
    TRY(rule_execute(t, executable, inputs, count, &result, 1));
    DESTROY(t, Buffer, buffer, result);
    return NULL;
}

static struct error *execute_two(struct rule_context *t)
{
    return execute(t, 2);
}

static struct error *execute_one(struct rule_context *t)
{
    return execute(t, 1);
}

static struct error *make(struct rule_context *t, size_t count)
{
    PJRT_Buffer *buffer;
    TRY(rule_upload_floats(t, large, count, &buffer));
    DESTROY(t, Buffer, buffer, buffer);
    return NULL;
}

static struct error *make_small(struct rule_context *t)
{
    return make(t, 4);
}

static struct error *make_large(struct rule_context *t)
{
    return make(t, LARGE);
}

static struct error *download(struct rule_context *t)
{
    static float back[LARGE];
    return rule_download(t, inputs[0], back, sizeof back);
}

static struct error *compile(struct rule_context *t)
{
    static int number;
    PJRT_LoadedExecutable *fresh;
    char text[512]; /* another program each time */
    snprintf(text, sizeof text,
             "func.func public @main(%%x: tensor<%dxf32>) -> tensor<%dxf32> {\n"
             "  %%y = \"stablehlo.add\"(%%x, %%x) : (tensor<%dxf32>, tensor<%dxf32>) -> "
             "tensor<%dxf32>\n"
             "  \"func.return\"(%%y) : (tensor<%dxf32>) -> ()\n}\n",
             number + 4, number + 4, number + 4, number + 4, number + 4, number + 4);
    number++;
    TRY(rule_compile_text(t, text, &fresh));
    DESTROY(t, LoadedExecutable, executable, fresh);
    return NULL;
}

/* ---- Rules ----------------------------------------------------------------------------------- */

void rule_speed_of_a_call(struct rule_context *t)
{
    NEED_CLIENT(t);
    measure(t, ask, 0, "");
}

void rule_speed_of_an_event(struct rule_context *t)
{
    NEED_CLIENT(t);
    NEED_OK(t, rule_upload_floats(t, large, 4, &inputs[0]));
    measure(t, await, 0, "");
}

void rule_speed_of_an_execution(struct rule_context *t)
{
    NEED_CLIENT(t);
    NEED_OK(t, rule_compile_file(t, "add.mlirbc", &executable));
    for (int i = 0; i < 2; i++)
        NEED_OK(t, rule_upload_floats(t, large, 4, &inputs[i]));
    measure(t, execute_two, 0, "");
}

void rule_speed_of_a_small_buffer(struct rule_context *t)
{
    NEED_CLIENT(t);
    measure(t, make_small, 0, "");
}

void rule_speed_to_the_device(struct rule_context *t)
{
    NEED_CLIENT(t);
    measure(t, make_large, sizeof large * 1e-9, "GB/s");
}

void rule_speed_to_the_host(struct rule_context *t)
{
    NEED_CLIENT(t);
    NEED_OK(t, rule_upload_floats(t, large, LARGE, &inputs[0]));
    measure(t, download, sizeof large * 1e-9, "GB/s");
}

void rule_speed_of_a_compilation(struct rule_context *t)
{
    NEED_CLIENT(t);
    measure(t, compile, 0, "");
}

void rule_speed_of_products(struct rule_context *t)
{
    enum { SIZE = 512 };
    static const int64_t dims[] = {SIZE, SIZE};
    static const char text[] =
        "func.func public @main(%x: tensor<512x512xf32>, %y: tensor<512x512xf32>) -> "
        "tensor<512x512xf32> {\n"
        "  %z = \"stablehlo.dot_general\"(%x, %y) {dot_dimension_numbers = "
        "#stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>} : "
        "(tensor<512x512xf32>, tensor<512x512xf32>) -> tensor<512x512xf32>\n"
        "  \"func.return\"(%z) : (tensor<512x512xf32>) -> ()\n}\n";
    NEED_CLIENT(t);
    NEED_OK(t, rule_compile_text(t, text, &executable));
    for (int i = 0; i < 2; i++)
        NEED_OK(t, rule_upload(t, &(struct rule_array){PJRT_Buffer_Type_F32, 2, dims, large},
                               &inputs[i]));
    measure(t, execute_two, 2e-9 * SIZE * SIZE * SIZE, "GFLOP/s");
}

void rule_speed_of_elements(struct rule_context *t)
{
    static const int64_t dims[] = {1024, 256};
    NEED_CLIENT(t);
    NEED_OK(t, rule_compile_file(t, "large.mlirbc", &executable));
    NEED_OK(t,
            rule_upload(t, &(struct rule_array){PJRT_Buffer_Type_F32, 2, dims, large}, &inputs[0]));
    measure(t, execute_one, 1e-9 * 1024 * 256, "billion elements per second");
}
