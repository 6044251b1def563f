/* kernel_rows_fixture.h: for tests: kernels of a few lines of text over three arrays, whose results
 * an expression of C gives. */
#ifndef GANTRY_DEVICES_HOST_KERNEL_MACHINE_KERNEL_ROWS_FIXTURE_H
#define GANTRY_DEVICES_HOST_KERNEL_MACHINE_KERNEL_ROWS_FIXTURE_H

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/frontend/mosaic/mosaic_read.h"
#include "compiler/kernel_ir/kernel_verify.h"
#include "devices/host/kernel_machine/kernel_machine.h"

enum { ROWS = 8, COLUMNS = 128, COUNT = ROWS * COLUMNS };

#define REF(element) "memref<8x128x" element ", #tpu.memory_space<vmem>>"
#define F "vector<8x128xf32>"
#define N "vector<8x128xi32>"
#define OP(name, arguments, types) "\"stable_mosaic." name "\"(" arguments ") : " types "\n"
#define WITH(name, arguments, attributes, types)                                                   \
    "\"stable_mosaic." name "\"(" arguments ") {" attributes "} : " types "\n"
#define LOAD(result, from, element)                                                                \
    result " = " OP("vector.load", from ", %c, %c",                                                \
                    "(" REF(element) ", index, index) -> "                                         \
                                     "vector<8x128x" element ">")
/* %a, %b: f32 in (-2, 2); %n: s32 in [-50, 50); the result is %r, f32. */
#define START                                                                                      \
    "module attributes {stable_mosaic.version = 18 : i64} {\n"                                     \
    "\"stable_mosaic.func.func\"() ({\n"                                                           \
    "^bb0(%pa: " REF("f32") ", %pb: " REF("f32") ", %pn: " REF("i32") ", %po: " REF(               \
        "f32") "):\n"                                                                              \
               "%c = " WITH("arith.constant", "", "value = 0 : index",                             \
                            "() -> index") "%three = " WITH("arith.constant", "",                  \
                                                            "value = dense<3> : " N, "() -> " N)   \
                   LOAD("%a", "%pa", "f32") LOAD("%b", "%pb", "f32") LOAD("%n", "%pn", "i32")
#define STOP                                                                                       \
    OP("vector.store", "%r, %po, %c, %c", "(" F ", " REF("f32") ", index, index) -> ()")           \
    OP("func.return", "", "() -> ()")                                                              \
    "}) {sym_name = \"rows\"} : () -> ()\n}\n"

#define UNARY(name) "%r = " OP(name, "%a", "(" F ") -> " F)
#define BINARY(name) "%r = " OP(name, "%a, %b", "(" F ", " F ") -> " F)
#define TO_REAL "%r = " OP("arith.sitofp", "%q", "(" N ") -> " F)
#define INTEGERS(name) "%q = " OP(name, "%n, %three", "(" N ", " N ") -> " N) TO_REAL

struct inputs {
    float a[ROWS][COLUMNS], b[ROWS][COLUMNS];
    int32_t n[ROWS][COLUMNS];
};

struct row {
    const char *name, *body;
    double (*expected)(const struct inputs *in, int i, int j);
};

#define EXPECT(name, expression)                                                                   \
    static double name(const struct inputs *in, int i, int j)                                      \
    {                                                                                              \
        double a = in->a[i][j], b = in->b[i][j];                                                   \
        int32_t n = in->n[i][j];                                                                   \
        (void)a, (void)b, (void)n;                                                                 \
        return expression;                                                                         \
    }

/* ---- runs ------------------------------------------------------------------------------------ */
struct job {
    struct arena *arena;
    uint64_t seed;
    const char *text;
    struct kernel *kernel;
};

static inline struct error *read_kernel(void *context)
{
    struct job *job = context;
    struct mosaic_source source = {.bytes = job->text, .size = strlen(job->text)};
    return mosaic_read_kernel(job->arena, &source, &job->kernel);
}

/* In (-2, 2), never 0. */
static inline float next_real(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return (float)((double)(*state >> 8) / (1 << 22) - 2 + 1e-7);
}

static inline void fill(struct inputs *in)
{
    uint32_t state = 1;
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLUMNS; j++) {
            in->a[i][j] = next_real(&state);
            in->b[i][j] = next_real(&state);
            in->n[i][j] = (int32_t)(state >> 8) % 100 - 50;
        }
}

static inline struct error *run(struct job *job, struct inputs *in, float *out)
{
    int64_t dims[] = {ROWS, COLUMNS};
    struct shape real = {.dtype = DTYPE_F32, .rank = 2, .dims = dims}, whole = real;
    whole.dtype = DTYPE_S32;
    struct shape shapes[] = {real, real, whole};
    void *arrays[] = {in->a, in->b, in->n, out}, *const * devices[] = {arrays};
    struct kernel_launch launch = {
        .device_count = 1, .arrays = devices, .is_checked = true, .seed = job->seed};
    struct kernel_machine *machine;
    TRY(arena_run(job->arena, read_kernel, job));
    TRY(kernel_verify_call(job->kernel, 3, shapes, 1, &real));
    TRY(kernel_machine_create(job->kernel, 3, shapes, 1, &real, &machine));
    struct error *error = kernel_machine_run(machine, &launch);
    kernel_machine_destroy(machine);
    return error;
}

static inline bool is_near(const struct row *row, const struct inputs *in, const float *out, int i)
{
    double wanted = row->expected(in, i / COLUMNS, i % COLUMNS);
    return fabs(out[i] - wanted) <= 4e-6 * (1 + fabs(wanted));
}

static inline void expect_row(const struct row *row, struct inputs *in, uint64_t seed)
{
    static float out[COUNT];
    struct job job = {.seed = seed};
    memset(out, 0xa5, sizeof out);
    cr_assert_null(arena_create(&job.arena));
    job.text = arena_format(job.arena, "%s%s%s", START, row->body, STOP);
    struct error *error = run(&job, in, out);
    cr_expect_null(error, "%s: %s", row->name, error ? error_message(error, NULL) : "");
    int i = 0;
    while (i < COUNT && !error && is_near(row, in, out, i))
        i++;
    cr_expect(error || i == COUNT, "%s, element %d: %g, expected %g", row->name, i,
              (double)out[i % COUNT], row->expected(in, i % COUNT / COLUMNS, i % COLUMNS));
    error_free(error);
    arena_destroy(job.arena);
}

/* Every row with DMAs at once, and with DMAs that are delayed. */
static inline void expect_rows(const struct row *rows, size_t count)
{
    struct inputs *in = malloc(sizeof *in);
    fill(in);
    for (size_t i = 0; i < count; i++)
        for (uint64_t seed = 0; seed < 2; seed++)
            expect_row(&rows[i], in, seed);
    free(in);
}

#endif
