/* kernel_machine_test.c: kernels of Pallas (testdata/NAME.kernel, written by
 * scripts/make_kernel_tests.py, which describes the format): their results, with DMAs at once and
 * delayed, as bytecode and as text, and that the checker finds nothing; and kernels with a fault,
 * of which the checker says what is wrong. */
#include "devices/host/kernel_machine/kernel_machine.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/frontend/mosaic/mosaic_read.h"
#include "compiler/kernel_ir/kernel_verify.h"

#define DATA "devices/host/kernel_machine/testdata/"
#define TEXTS "compiler/frontend/mosaic/testdata/mosaic_read_fuzz/"

enum { MAX_ARRAYS = 16, MAX_DEVICES = 4 };

struct file {
    char *bytes;
    size_t size, at;
    uint32_t devices, body_size, operands, results;
    const char *body;
    struct shape shapes[MAX_ARRAYS];
    double tolerance[MAX_ARRAYS];
    char *expected[MAX_DEVICES][MAX_ARRAYS];
    void *arrays[MAX_DEVICES][MAX_ARRAYS];
    struct arena *arena;
    struct kernel *kernel;
};

/* ---- files ----------------------------------------------------------------------------------- */
static const char *next(struct file *f, size_t size)
{
    cr_assert(f->size - f->at >= size, "the file is too short");
    f->at += size;
    return f->bytes + f->at - size;
}

static uint32_t next_u32(struct file *f)
{
    uint32_t value;
    memcpy(&value, next(f, sizeof value), sizeof value);
    return value;
}

static void read_shape(struct file *f, uint32_t i)
{
    const char *name = next(f, 8);
    struct shape *shape = &f->shapes[i];
    shape->dtype = dtype_from_name(name, strnlen(name, 8));
    shape->rank = (int)next_u32(f);
    size_t size = (size_t)shape->rank * sizeof(int64_t);
    shape->dims = arena_copy(f->arena, next(f, size), size);
    if (i >= f->operands)
        memcpy(&f->tolerance[i], next(f, sizeof(double)), sizeof(double));
}

static void load(struct file *f, const char *name)
{
    char path[256];
    snprintf(path, sizeof path, DATA "%s.kernel", name);
    FILE *file = fopen(path, "rb");
    cr_assert(file, "%s", path);
    *f = (struct file){.bytes = malloc(1 << 22)};
    f->size = fread(f->bytes, 1, 1 << 22, file);
    fclose(file);
    cr_assert_null(arena_create(&f->arena));
    cr_assert(memcmp(next(f, 6), "kernel", 6) == 0);
    f->devices = next_u32(f);
    f->body_size = next_u32(f);
    f->operands = next_u32(f);
    f->results = next_u32(f);
    f->body = next(f, f->body_size);
    for (uint32_t i = 0; i < f->operands + f->results; i++)
        read_shape(f, i);
    for (uint32_t d = 0; d < f->devices; d++)
        for (uint32_t i = 0; i < f->operands + f->results; i++) {
            size_t size = (size_t)shape_bytes(&f->shapes[i]);
            f->expected[d][i] = (char *)next(f, size);
            f->arrays[d][i] = arena_alloc(f->arena, size);
        }
}

/* The text of the kernel instead of its bytecode. */
static void load_text(struct file *f, const char *name)
{
    enum { MOST = 1 << 16 };
    char path[256], *text = arena_alloc(f->arena, MOST);
    snprintf(path, sizeof path, TEXTS "%s.mlir", name);
    FILE *file = fopen(path, "rb");
    cr_assert(file, "%s", path);
    f->body = text;
    f->body_size = (uint32_t)fread(text, 1, MOST, file);
    fclose(file);
}

static void unload(struct file *f)
{
    arena_destroy(f->arena);
    free(f->bytes);
}

/* ---- runs ------------------------------------------------------------------------------------ */
static struct error *read_kernel(void *context)
{
    struct file *f = context;
    struct mosaic_source source = {.bytes = f->body, .size = f->body_size};
    return mosaic_read_kernel(f->arena, &source, &f->kernel);
}

static struct error *run(struct file *f, bool is_checked, uint64_t seed)
{
    struct kernel_machine *machine;
    void *const *devices[MAX_DEVICES];
    int operands = (int)f->operands, results = (int)f->results;
    for (uint32_t d = 0; d < f->devices; d++) {
        devices[d] = f->arrays[d];
        for (uint32_t i = 0; i < f->operands + f->results; i++) {
            size_t size = (size_t)shape_bytes(&f->shapes[i]);
            if (i < f->operands)
                memcpy(f->arrays[d][i], f->expected[d][i], size);
            else
                memset(f->arrays[d][i], 0xa5, size);
        }
    }
    TRY(arena_run(f->arena, read_kernel, f));
    TRY(kernel_verify_call(f->kernel, operands, f->shapes, results, f->shapes + operands));
    TRY(kernel_machine_create(f->kernel, operands, f->shapes, results, f->shapes + operands,
                              &machine));
    struct kernel_launch launch = {
        .device_count = (int)f->devices, .arrays = devices, .is_checked = is_checked, .seed = seed};
    struct error *error = kernel_machine_run(machine, &launch);
    kernel_machine_destroy(machine);
    return error;
}

static double number(enum dtype dtype, const char *at, int64_t i)
{
    return dtype_to_double(dtype, at + i * dtype_bytes(dtype));
}

static void compare(const struct file *f, const char *name)
{
    for (uint32_t d = 0; d < f->devices; d++)
        for (uint32_t i = f->operands; i < f->operands + f->results; i++) {
            enum dtype dtype = f->shapes[i].dtype;
            for (int64_t k = 0; k < shape_elements(&f->shapes[i]); k++) {
                double got = number(dtype, f->arrays[d][i], k);
                double wanted = number(dtype, f->expected[d][i], k);
                double allowed = f->tolerance[i] * (1 + fabs(wanted));
                cr_assert(fabs(got - wanted) <= allowed,
                          "%s, device %u, result %u, element %lld: %g, expected %g", name, d,
                          i - f->operands, (long long)k, got, wanted);
            }
        }
}

static void expect_right(struct file *f, const char *name, bool is_checked, uint64_t seed)
{
    struct error *error = run(f, is_checked, seed);
    cr_assert_null(error, "%s: %s", name, error ? error_message(error, NULL) : "");
    compare(f, name);
}

Test(kernel_machine, kernels_give_their_results_however_dmas_are_delayed)
{
    static const char *const names[] = {"elementwise_floats",
                                        "elementwise_bf16",
                                        "elementwise_integers",
                                        "widen_int8",
                                        "shapes",
                                        "rolls",
                                        "gather_lanes",
                                        "packed_words",
                                        "bitcasts",
                                        "bitcasts_of_bitcasts",
                                        "packed_halves",
                                        "rolled_edges",
                                        "reductions",
                                        "product_one_pass",
                                        "product_six_passes",
                                        "product_int8",
                                        "product_accumulated",
                                        "edges",
                                        "prefetched",
                                        "strided_and_masked",
                                        "control",
                                        "copies",
                                        "semaphore_slices",
                                        "exchange"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct file f;
        load(&f, names[i]);
        for (uint64_t seed = 0; seed < 4; seed++)
            expect_right(&f, names[i], seed % 2 == 0, seed);
        load_text(&f, names[i]);
        expect_right(&f, names[i], false, 0);
        unload(&f);
    }
}

Test(kernel_machine, faults_are_named)
{
    static const struct {
        const char *name, *message;
    } faults[] = {{"fault_no_wait", "race: a read of scratch 0"},
                  {"fault_never_waited", "is not waited for"},
                  {"fault_undefined", "uninitialized"},
                  {"fault_deadlock", "deadlock"},
                  {"fault_signal", "left nonzero: 1"},
                  {"fault_revisit", "visited again"},
                  {"fault_parallel", "parallel dimensions"},
                  {"fault_lanes", "size at dimension 1 is divisible by the tile dimension 128"},
                  {"fault_index", "index in dimension 1 is a multiple of 128"},
                  {"fault_block", "block index out of bounds"},
                  {"fault_exchange", "race"}};
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        struct file f;
        load(&f, faults[i].name);
        struct error *error = run(&f, true, 0);
        cr_assert(error, "%s", faults[i].name);
        const char *message = error_message(error, NULL);
        cr_expect(strstr(message, faults[i].message), "%s: %s", faults[i].name, message);
        cr_expect(strstr(message, "kernel 'kernel'"), "%s: %s", faults[i].name, message);
        error_free(error);
        unload(&f);
    }
}

Test(kernel_machine, launches_can_be_cancelled)
{
    struct file f;
    struct kernel_machine *machine;
    atomic_uint stop = 1;
    load(&f, "copies");
    void *const *devices[] = {f.arrays[0]};
    struct kernel_launch launch = {.device_count = 1, .arrays = devices, .stop = &stop};
    cr_assert_null(arena_run(f.arena, read_kernel, &f));
    cr_assert_null(kernel_machine_create(f.kernel, 1, f.shapes, 1, f.shapes + 1, &machine));
    struct error *error = kernel_machine_run(machine, &launch);
    cr_assert(error);
    cr_expect_eq(error_code(error), PJRT_Error_Code_CANCELLED);
    error_free(error);
    kernel_machine_destroy(machine);
    unload(&f);
}
