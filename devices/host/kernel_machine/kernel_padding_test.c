/* kernel_padding_test.c: slices of an array in HBM of 10 rows, whose last tile has 6 rows more. */
#include "devices/host/kernel_machine/kernel_rows_fixture.h"

enum { ALL_ROWS = 10 };

#define ALL "memref<10x128xf32, #tpu.memory_space<hbm>>"
#define PART "memref<8x128xf32, #tpu.memory_space<hbm>>"
#define DMA_SEM "memref<!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>"
#define INDEX(name, number)                                                                        \
    name " = " WITH("arith.constant", "", "value = " number " : index", "() -> index")
#define SLICE(name, from, row, type)                                                               \
    name " = " WITH("tpu.memref_slice", from ", " row ", %zero",                                   \
                    "operandSegmentSizes = array<i32: 1, 2, 0>",                                   \
                    "(" type ", index, index) -> " PART)
/* Copies the eight rows of %part to the result. */
#define COPY                                                                                       \
    "\"stable_mosaic.tpu.region\"() ({\n"                                                          \
    "%s = " OP("tpu.sem_alloc", "", "() -> " DMA_SEM)                                              \
        WITH("tpu.enqueue_dma", "%part, %out, %s",                                                 \
             "operandSegmentSizes = array<i32: 1, 0, 1, 1, 0, 0, 0>, priority = 0 : i32",          \
             "(" PART ", " REF("f32") ", " DMA_SEM ") -> ()")                                      \
            WITH("tpu.wait_dma", "%part, %out, %s",                                                \
                 "operandSegmentSizes = array<i32: 1, 0, 1, 1, 0, 0, 0>, wait_target = true",      \
                 "(" PART ", " REF("f32") ", " DMA_SEM ") -> ()")                                  \
                OP("tpu.yield", "", "() -> ()") "}) : () -> ()\n"
#define KERNEL(body)                                                                               \
    "module attributes {stable_mosaic.version = 18 : i64} {\n"                                     \
    "\"stable_mosaic.func.func\"() ({\n"                                                           \
    "^bb0(%in: " ALL ", %out: " REF("f32") "):\n" INDEX("%zero", "0")                              \
        body COPY OP("func.return", "", "() -> ()") "}) {sym_name = \"rows\"} : () -> ()\n}\n"

/* Runs a kernel on an array whose element i is i + 1. */
static struct error *run_padded(struct job *job, float *out)
{
    static float in[ALL_ROWS][COLUMNS];
    int64_t all[] = {ALL_ROWS, COLUMNS}, part[] = {ROWS, COLUMNS};
    struct shape from = {.dtype = DTYPE_F32, .rank = 2, .dims = all};
    struct shape to = {.dtype = DTYPE_F32, .rank = 2, .dims = part};
    void *arrays[] = {in, out}, *const * devices[] = {arrays};
    struct kernel_launch launch = {.device_count = 1, .arrays = devices};
    struct kernel_machine *machine;
    for (int i = 0; i < ALL_ROWS * COLUMNS; i++)
        in[i / COLUMNS][i % COLUMNS] = (float)(i + 1);
    TRY(arena_run(job->arena, read_kernel, job));
    TRY(kernel_verify_call(job->kernel, 1, &from, 1, &to));
    TRY(kernel_machine_create(job->kernel, 1, &from, 1, &to, &machine));
    struct error *error = kernel_machine_run(machine, &launch);
    kernel_machine_destroy(machine);
    return error;
}

/* The rows from `first` on, and zeros behind the last one. */
static void expect_from(const char *kernel, int first)
{
    static float out[COUNT];
    struct job job = {.text = kernel};
    cr_assert_null(arena_create(&job.arena));
    struct error *error = run_padded(&job, out);
    cr_assert_null(error, "%s", error ? error_message(error, NULL) : "");
    for (int i = 0; i < COUNT; i++) {
        int at = first * COLUMNS + i;
        cr_assert_eq(out[i], at < ALL_ROWS * COLUMNS ? (float)(at + 1) : 0.0f, "element %d", i);
    }
    arena_destroy(job.arena);
}

static void expect_fault(const char *kernel, const char *part_of_message)
{
    static float out[COUNT];
    struct job job = {.text = kernel};
    cr_assert_null(arena_create(&job.arena));
    struct error *error = run_padded(&job, out);
    cr_assert_not_null(error);
    cr_expect_not_null(strstr(error_message(error, NULL), part_of_message), "%s",
                       error_message(error, NULL));
    error_free(error);
    arena_destroy(job.arena);
}

Test(kernel_padding, slices_reach_to_the_end_of_the_last_tile)
{
    expect_from(KERNEL(INDEX("%row", "8") SLICE("%part", "%in", "%row", ALL)), 8);
    expect_fault(KERNEL(INDEX("%row", "9") SLICE("%part", "%in", "%row", ALL)),
                 "elements 9 to 16 of dimension 0, which has 10");
}

Test(kernel_padding, slices_of_slices_have_the_padding_behind_the_array_only)
{
    static const char last[] = KERNEL(INDEX("%row", "8") SLICE("%tile", "%in", "%row", ALL)
                                          SLICE("%part", "%tile", "%zero", PART));
    static const char behind[] = KERNEL(INDEX("%two", "2") SLICE("%tile", "%in", "%zero", ALL)
                                            SLICE("%part", "%tile", "%two", PART));
    expect_from(last, 8);
    expect_fault(behind, "elements 2 to 9 of dimension 0, which has 8");
}
