/* kernel_print_test.c: what tpu.log and tpu.log_buffer write to stderr. */
#include <stdio.h>
#include <unistd.h>

#include "devices/host/kernel_machine/kernel_rows_fixture.h"

/* What a run of a kernel with this body writes to stderr; in `out`. */
static void printed(const char *body, struct inputs *in, char *out, size_t size)
{
    static float result[COUNT];
    struct job job = {0};
    FILE *file = tmpfile();
    int kept = dup(STDERR_FILENO);
    cr_assert(file && kept >= 0);
    cr_assert_null(arena_create(&job.arena));
    job.text = arena_format(job.arena, "%s%s%s%s", START, body,
                            "%r = " OP("arith.addf", "%a, %b", "(" F ", " F ") -> " F), STOP);
    dup2(fileno(file), STDERR_FILENO);
    struct error *error = run(&job, in, result);
    dup2(kept, STDERR_FILENO);
    close(kept);
    rewind(file);
    out[fread(out, 1, size - 1, file)] = 0;
    fclose(file);
    cr_assert_null(error, "%s", error ? error_message(error, NULL) : "");
    arena_destroy(job.arena);
}

Test(kernel_print, scalars_in_their_places_or_behind_the_text)
{
    static const char body[] =
        "%k = " WITH("arith.constant", "", "value = 42 : i32", "() -> i32")  //
        "%f = " WITH("arith.constant", "", "value = 1.5 : f32", "() -> f32") //
        WITH("tpu.log", "%k, %k", "formatted = true, tag = \"step $1, $x0, $2, 5$\"",
             "(i32, i32) -> ()")                                                 //
        WITH("tpu.log", "%f", "formatted = false, tag = \"x: \"", "(f32) -> ()") //
        WITH("tpu.log", "", "formatted = false, tag = \"100%s\"", "() -> ()");
    static struct inputs in;
    char out[256];
    printed(body, &in, out, sizeof out);
    cr_expect_str_eq(out, "step 42, 0x2a, $2, 5$\nx: f32[] 1.5\n100%s\n");
}

Test(kernel_print, rows_of_a_reference)
{
    static const char body[] = "%v = " WITH(
        "tpu.memref_slice", "%pn, %c, %c", "operandSegmentSizes = array<i32: 1, 2, 0>",
        "(" REF("i32") ", index, index) -> memref<2x3xi32, #tpu.memory_space<vmem>>") //
        WITH("tpu.log_buffer", "%v", "shape = array<i64: 2, 3>, tag = \"n \"",
             "(memref<2x3xi32, #tpu.memory_space<vmem>>) -> ()");
    static struct inputs in = {.n = {{1, 2, 3, 4}, {-5, 6, 7, 8}}};
    char out[256];
    printed(body, &in, out, sizeof out);
    cr_expect_str_eq(out, "n s32[2,3] {1, 2, 3}\n{-5, 6, 7}\n");
}

/* -3 and 5 of four bits, whose byte has other bits beside. */
Test(kernel_print, numbers_of_less_than_a_byte)
{
    static const char body[] =
        "%k = " WITH("arith.constant", "", "value = 13 : i32", "() -> i32") //
        "%s = " OP("arith.trunci", "%k", "(i32) -> i4")                     //
        "%w = " WITH("arith.constant", "", "value = 85 : i32", "() -> i32") //
        "%t = " OP("arith.trunci", "%w", "(i32) -> i4")                     //
        WITH("tpu.log", "%s, %t", "formatted = false, tag = \"\"", "(i4, i4) -> ()");
    static struct inputs in;
    char out[256];
    printed(body, &in, out, sizeof out);
    cr_expect_str_eq(out, "s4[] -3, s4[] 5\n");
}
