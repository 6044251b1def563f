/* math_test.c: kernels with many elementary functions. */
#include "compiler/codegen/element/math.h"

#include "compiler/codegen/codegen_fixture.h"

enum { COUNT = 133 };

/* A sum of `uses` values of one function of x + k + 2, for k < uses. */
static struct fixture *sum_of(enum op_code code, enum dtype dtype, int uses, bool is_binary)
{
    struct arena *arena = fixture_arena();
    const struct type *type = fixture_type(arena, dtype, 1, COUNT);
    struct fixture *f = fixture_begin(FUSION_LOOP, 1, &type, arena);
    struct value *sum = fixture_constant(f, type, 0);
    for (int k = 0; k < uses; k++) {
        struct value *shift = fixture_constant(f, type, k + 2),
                     *x = fixture_value(f, OP_add, type, fixture_arg(f, 0), shift);
        struct value *y = fixture_value(f, code, type, x, is_binary ? shift : NULL);
        sum = fixture_value(f, OP_add, type, sum, y);
    }
    fixture_return(f, 1, sum);
    return f;
}

static void check_sum(double (*function)(double), enum op_code code, int uses, int tier)
{
    struct fixture *f = sum_of(code, DTYPE_F32, uses, false);
    float *in = fixture_floats(f, COUNT, 7), *out = fixture_memory(f, COUNT * sizeof *out);
    fixture_run(f, tier, 0, (void *[]){in, out}, NULL);
    fixture_guarded(out, COUNT * sizeof *out);
    for (int i = 0; i < COUNT; i++) {
        double expected = 0, size = 0;
        for (int k = 0; k < uses; k++) {
            expected += function(in[i] + (float)(k + 2));
            size += fabs(function(in[i] + (float)(k + 2)));
        }
        cr_assert_float_eq(out[i], expected, 1e-6 * size, "%s of %g, %d times: %g, not %g",
                           op_info(code)->name, in[i], uses, out[i], expected);
    }
    arena_destroy(f->arena);
}

Test(math, functions_inside_and_shared_give_the_same)
{
    for (int tier = 0; tier < 3; tier++)
        for (int uses = 1; uses < 12; uses += 5) {
            check_sum(sin, OP_sine, uses, tier);
            check_sum(tan, OP_tan, uses, tier);
            check_sum(cbrt, OP_cbrt, uses, tier);
            check_sum(erf, OP_erf, uses, tier);
        }
}

/* The sum of exp(factor x) for `uses` factors from -0.5 down, whose products contract. */
static void check_multiples(int uses, int tier)
{
    struct arena *arena = fixture_arena();
    const struct type *type = fixture_type(arena, DTYPE_F32, 1, COUNT);
    struct fixture *f = fixture_begin(FUSION_LOOP, 1, &type, arena);
    struct value *sum = fixture_constant(f, type, 0);
    for (int k = 0; k < uses; k++) {
        struct value *factor = fixture_constant(f, type, -0.5 * (k + 1)),
                     *product = fixture_value(f, OP_multiply, type, fixture_arg(f, 0), factor);
        product->def->attrs.multiply.contracts = true;
        sum = fixture_value(f, OP_add, type, sum,
                            fixture_value(f, OP_exponential, type, product, NULL));
    }
    fixture_return(f, 1, sum);
    float *in = fixture_floats(f, COUNT, 7), *out = fixture_memory(f, COUNT * sizeof *out);
    fixture_run(f, tier, 0, (void *[]){in, out}, NULL);
    for (int i = 0; i < COUNT; i++) {
        double expected = 0;
        for (int k = 0; k < uses; k++)
            expected += exp(-0.5 * (k + 1) * in[i]);
        cr_assert_float_eq(out[i], expected, 1e-6 * expected, "%d factors of %g: %g, not %g", uses,
                           in[i], out[i], expected);
    }
    arena_destroy(f->arena);
}

Test(math, exponentials_of_multiples_are_shared_by_their_factor)
{
    for (int tier = 0; tier < 3; tier++)
        for (int uses = 1; uses < 12; uses += 5)
            check_multiples(uses, tier);
}

/* Bytes of the object that a kernel is compiled to. */
static size_t object_size(enum op_code code, enum dtype dtype, int uses, bool is_binary)
{
    struct fixture *f = sum_of(code, dtype, uses, is_binary);
    struct codegen_kernel kernel = {.fusion = f->fusion, .name = "k0", .tier = 1};
    struct codegen_request request = {.target = &f->target, .kernel_count = 1, .kernels = &kernel};
    void *object;
    size_t size;
    fixture_check(codegen_compile(f->arena, &request, &object, &size));
    alloc_free(object);
    arena_destroy(f->arena);
    return size;
}

Test(math, code_does_not_grow_by_a_copy_of_the_function_for_each_use)
{
    static const struct {
        enum op_code code;
        bool is_binary;
    } functions[] = {{OP_sine, false}, {OP_log, false}, {OP_power, true}, {OP_atan2, true}};
    for (int i = 0; i < 4; i++) {
        enum op_code code = functions[i].code;
        size_t one = object_size(code, DTYPE_F64, 1, functions[i].is_binary),
               many = object_size(code, DTYPE_F64, 20, functions[i].is_binary);
        cr_expect(many < 4 * one, "%s: %zu bytes for one, %zu for 20", op_info(code)->name, one,
                  many);
    }
}

/* So that values stay in registers beside a call, and equal calls are one. */
Test(math, a_shared_function_accesses_no_memory)
{
    struct fixture *f = sum_of(OP_sine, DTYPE_F32, 12, false);
    cr_expect_eq(fixture_count_in_ir(f, "{ noinline nounwind willreturn memory(none)"), 1);
    arena_destroy(f->arena);
}
