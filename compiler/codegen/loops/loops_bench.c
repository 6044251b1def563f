/* loops_bench.c: measures the compile time of kernels of 16M elements and their run time on one
 * core, at both tiers. Memory is in huge pages and touched beforehand. Times are CPU time, the best
 * of several runs. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>

#define FIXTURE_WITHOUT_CRITERION
#define cr_assert_fail(...) (fprintf(stderr, __VA_ARGS__), exit(1))
#define cr_assert_null(x) ((x) ? exit(1) : (void)0)
#define cr_assert_eq(a, b, ...) ((a) == (b) ? (void)0 : exit(1))
#include "compiler/codegen/codegen_fixture.h"

enum { RUNS = 7, SIDE = 4096, BYTES = SIDE * SIDE * 4 };

static double milliseconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
}

static float *array(void)
{
    size_t page = 2 << 20;
    char *mapped =
        mmap(NULL, BYTES + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (mapped == MAP_FAILED)
        exit(1);
    float *floats = (float *)(((uintptr_t)mapped + page - 1) & ~(uintptr_t)(page - 1));
    madvise(floats, BYTES, MADV_HUGEPAGE);
    uint64_t state = 1;
    for (int i = 0; i < SIDE * SIDE; i++)
        floats[i] = fixture_random(&state);
    return floats;
}

static void measure(const char *name, struct fixture *f, void *const *buffers)
{
    for (int tier = 0; tier < CODEGEN_TIERS; tier++) {
        struct codegen_kernel kernel = {.fusion = f->fusion, .name = "k0", .tier = tier};
        struct codegen_request request = {
            .target = &f->target, .kernel_count = 1, .kernels = &kernel};
        void *object;
        size_t size;
        uint64_t code_size;
        kernel_function *run;
        struct loaded_code *code;
        double start = milliseconds(), best = 1e9;
        fixture_check(codegen_compile(f->arena, &request, &object, &size));
        fixture_check(
            codegen_load(object, size, 1, (char *const[]){"k0"}, &run, &code_size, &code));
        double compiled = milliseconds() - start;
        for (int i = 0; i < RUNS; i++) {
            start = milliseconds();
            run(buffers, 0, kernel.work);
            double took = milliseconds() - start;
            best = took < best ? took : best;
        }
        printf("%-12s tier %d  compile %6.2f ms  run %7.3f ms\n", name, tier, compiled, best);
        codegen_unload(code);
        alloc_free(object);
    }
}

static struct fixture *begin(struct arena *arena, const struct type *type)
{
    const struct type *row = fixture_type(arena, DTYPE_F32, 1, SIDE);
    return fixture_begin(FUSION_LOOP, 2, (const struct type *[]){type, row}, arena);
}

static struct value *along_rows(struct fixture *f, struct value *row, const struct type *type)
{
    return fixture_broadcast(f, row, type, fixture_dims(f, 1, 0));
}

static struct value *reduced(struct fixture *f, struct value *value, enum op_code code, double init,
                             int dim)
{
    const struct type *row = fixture_type(f->arena, DTYPE_F32, 1, SIDE);
    struct value *first = fixture_constant(f, type_scalar(f->arena, DTYPE_F32), init);
    return fixture_reduce(f, value, first, code, row, fixture_dims(f, 1, dim));
}

static struct value *axpy(struct fixture *f, const struct type *type)
{
    struct value *x = fixture_arg(f, 0), *two = fixture_constant(f, type, 2);
    return fixture_value(f, OP_add, type, fixture_value(f, OP_multiply, type, x, two), x);
}

static struct value *gelu(struct fixture *f, const struct type *type)
{
    struct value *x = fixture_arg(f, 0), *square = fixture_value(f, OP_multiply, type, x, x);
    struct value *cube = fixture_value(f, OP_multiply, type, square, x);
    struct value *bent =
        fixture_value(f, OP_multiply, type, cube, fixture_constant(f, type, 0.044715));
    struct value *sum = fixture_value(f, OP_add, type, x, bent);
    struct value *inner =
        fixture_value(f, OP_multiply, type, sum, fixture_constant(f, type, 0.7978845608));
    struct value *gate =
        fixture_value(f, OP_add, type, fixture_value(f, OP_tanh, type, inner, NULL),
                      fixture_constant(f, type, 1));
    struct value *half = fixture_value(f, OP_multiply, type, x, fixture_constant(f, type, 0.5));
    return fixture_value(f, OP_multiply, type, half, gate);
}

static struct value *softmax(struct fixture *f, const struct type *type)
{
    struct value *x = fixture_arg(f, 0), *top = reduced(f, x, OP_maximum, -INFINITY, 1);
    struct value *centered = fixture_value(f, OP_subtract, type, x, along_rows(f, top, type));
    struct value *power = fixture_value(f, OP_exponential, type, centered, NULL);
    struct value *sum = reduced(f, power, OP_add, 0, 1);
    return fixture_value(f, OP_divide, type, power, along_rows(f, sum, type));
}

static struct value *exponential(struct fixture *f, const struct type *type)
{
    return fixture_value(f, OP_exponential, type, fixture_arg(f, 0), NULL);
}

static struct value *bias(struct fixture *f, const struct type *type)
{
    struct value *row = fixture_broadcast(f, fixture_arg(f, 1), type, fixture_dims(f, 1, 1));
    return fixture_value(f, OP_add, type, fixture_arg(f, 0), row);
}

static struct value *transpose(struct fixture *f, const struct type *type)
{
    struct op *op = fixture_op(f, f->block, OP_transpose, type, 1, fixture_arg(f, 0));
    op->attrs.transpose.permutation = fixture_dims(f, 2, 1, 0);
    return &op->results[0];
}

static struct value *row_sums(struct fixture *f, const struct type *type)
{
    (void)type;
    return reduced(f, fixture_arg(f, 0), OP_add, 0, 1);
}

static struct value *column_sums(struct fixture *f, const struct type *type)
{
    (void)type;
    return reduced(f, fixture_arg(f, 0), OP_add, 0, 0);
}

int main(void)
{
    static const struct {
        const char *name;
        struct value *(*make)(struct fixture *f, const struct type *type);
    } kernels[] = {{"axpy", axpy},
                   {"bias", bias},
                   {"exponential", exponential},
                   {"gelu", gelu},
                   {"softmax", softmax},
                   {"transpose", transpose},
                   {"row sums", row_sums},
                   {"column sums", column_sums}};
    float *in = array(), *out = array();
    for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++) {
        struct arena *arena;
        cr_assert_null(arena_create(&arena));
        const struct type *type = fixture_type(arena, DTYPE_F32, 2, SIDE, SIDE);
        struct fixture *f = begin(arena, type);
        fixture_return(f, 1, kernels[i].make(f, type));
        measure(kernels[i].name, f, (void *[]){in, in, out});
        arena_destroy(arena);
    }
    return 0;
}
