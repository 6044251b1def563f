/* Each kind of collective against loops over single elements, and each type against dtype.h. */
#include "devices/host/collectives/collectives.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "devices/host/collectives/collective_types.h"

enum { MEMBERS = 4, MOST = 4096 };

static int32_t operands[MEMBERS][MOST], results[MEMBERS][MOST];
static void *slots[MEMBERS][2];
static void *const *buffers[MEMBERS];
static void *scratch[MEMBERS];

static void setup(void)
{
    for (int m = 0; m < MEMBERS; m++) {
        for (int i = 0; i < MOST; i++)
            operands[m][i] = m * 100000 + i, results[m][i] = -1;
        slots[m][0] = operands[m], slots[m][1] = results[m];
        buffers[m] = slots[m];
    }
}

TestSuite(collectives, .init = setup);

static void run(enum collective_kind kind, int64_t outer, int64_t middle, int64_t inner,
                bool outside, const int *sources)
{
    struct collective_array array = {DTYPE_S32, 0, outer, middle, inner, NULL};
    struct step step = {.kind = STEP_COLLECTIVE};
    step.collective = (struct collective_spec){.kind = kind,
                                               .reducer = REDUCER_ADD,
                                               .parts = MEMBERS,
                                               .concatenates_outside = outside,
                                               .array_count = 1,
                                               .arrays = &array};
    collectives_run(&step, MEMBERS, buffers, sources, scratch);
}

Test(collectives, all_reduce_may_be_in_place)
{
    for (int m = 0; m < MEMBERS; m++)
        slots[m][1] = operands[m];
    run(COLLECTIVE_ALL_REDUCE, 1, 1, 3001, false, NULL);
    for (int m = 0; m < MEMBERS; m++) {
        for (int i = 0; i < 3001; i++)
            cr_assert_eq(operands[m][i], 600000 + 4 * i);
        cr_assert_eq(operands[m][3001], m * 100000 + 3001, "beyond the end");
    }
}

/* Results beyond the caches are stored past them, with an unaligned end. */
Test(collectives, all_reduce_of_large_arrays)
{
    enum { LARGE = (9 << 20) / 4 + 3 };
    for (int m = 0; m < MEMBERS; m++) {
        int32_t *large = malloc(2 * sizeof(int32_t) * (LARGE + 1));
        cr_assert_not_null(large);
        for (int i = 0; i < LARGE; i++)
            large[i] = i + m;
        large[2 * LARGE] = -1;
        slots[m][0] = large, slots[m][1] = large + LARGE;
    }
    run(COLLECTIVE_ALL_REDUCE, 1, 1, LARGE, false, NULL);
    for (int m = 0; m < MEMBERS; m++) {
        const int32_t *large = slots[m][1];
        for (int i = 0; i < LARGE; i++)
            cr_assert_eq(large[i], 4 * i + 6);
        cr_assert_eq(large[LARGE], -1, "beyond the end");
        free(slots[m][0]);
    }
}

/* Members may share the memory of the first member's result; here all but the last one do. */
Test(collectives, shared_results_are_written_once)
{
    const int unshared[] = {0, MEMBERS - 1};
    for (int m = 1; m < MEMBERS - 1; m++)
        slots[m][1] = results[0];
    run(COLLECTIVE_ALL_REDUCE, 1, 1, 3001, false, NULL);
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < 3001; i++)
            cr_assert_eq(results[unshared[k]][i], 600000 + 4 * i);
    run(COLLECTIVE_ALL_GATHER, 2, 1, 3, false, NULL);
    for (int k = 0; k < 2; k++)
        for (int at = 0; at < 2 * MEMBERS * 3; at++) {
            int row = at / 3 / MEMBERS, m = at / 3 % MEMBERS;
            cr_expect_eq(results[unshared[k]][at], m * 100000 + row * 3 + at % 3);
        }
    cr_expect_eq(results[0][3000], 600000 + 4 * 3000, "beyond the end");
    cr_expect_eq(results[1][0], -1, "of another member");
}

Test(collectives, all_gather_along_an_inner_dimension)
{
    run(COLLECTIVE_ALL_GATHER, 3, 1, 5, false, NULL);
    for (int m = 0; m < MEMBERS; m++)
        for (int row = 0; row < 3; row++)
            for (int sender = 0; sender < MEMBERS; sender++)
                for (int i = 0; i < 5; i++)
                    cr_assert_eq(results[m][(row * MEMBERS + sender) * 5 + i],
                                 sender * 100000 + row * 5 + i);
}

Test(collectives, reduce_scatter_along_an_inner_dimension)
{
    run(COLLECTIVE_REDUCE_SCATTER, 3, 1, 5, false, NULL);
    for (int m = 0; m < MEMBERS; m++)
        for (int row = 0; row < 3; row++)
            for (int i = 0; i < 5; i++)
                cr_assert_eq(results[m][row * 5 + i], 600000 + 4 * ((row * MEMBERS + m) * 5 + i));
}

Test(collectives, all_to_all_in_both_directions)
{
    for (int outside = 0; outside < 2; outside++) {
        run(COLLECTIVE_ALL_TO_ALL, 2, 3, 5, outside, NULL);
        for (int to = 0; to < MEMBERS; to++)
            for (int from = 0; from < MEMBERS; from++)
                for (int i = 0; i < 2 * 3 * 5; i++) {
                    int o = i / 15, m = i / 5 % 3, c = i % 5;
                    int apart = ((o * MEMBERS + (outside ? from : to)) * 3 + m) * 5 + c;
                    int together = ((o * 3 + m) * MEMBERS + (outside ? to : from)) * 5 + c;
                    int at = outside ? apart : together, was = outside ? together : apart;
                    cr_assert_eq(results[to][at], from * 100000 + was, "%d %d %d", to, from, i);
                }
    }
}

Test(collectives, permute_gives_zeros_without_a_source)
{
    run(COLLECTIVE_PERMUTE, 1, 1, 1000, false, (int[]){3, 0, -1, 0});
    for (int i = 0; i < 1000; i++) {
        cr_assert_eq(results[0][i], 300000 + i);
        cr_assert_eq(results[1][i], i);
        cr_assert_eq(results[2][i], 0);
        cr_assert_eq(results[3][i], i);
    }
    cr_assert_eq(results[2][1000], -1, "beyond the end");
}

/* ---- types ----------------------------------------------------------------------------------- */
static double combined(enum collective_reducer reducer, bool predicate, double a, double b)
{
    int64_t x = (int64_t)a, y = (int64_t)b;
    switch (reducer) {
    case REDUCER_ADD: return predicate ? (double)(x | y) : a + b;
    case REDUCER_MULTIPLY: return a * b;
    case REDUCER_MINIMUM: return a < b ? a : b;
    case REDUCER_MAXIMUM: return a > b ? a : b;
    case REDUCER_AND: return (double)(x & y);
    case REDUCER_OR: return (double)(x | y);
    default: return (double)(x ^ y);
    }
}

/* Small numbers that every type represents exactly. */
static double number(enum dtype dtype, int i)
{
    int range = dtype == DTYPE_PRED ? 2 : 8;
    bool negative = dtype_info(dtype)->class != CLASS_UNSIGNED && dtype != DTYPE_PRED && i % 3 == 0;
    return negative ? -(i % range) : i % range;
}

static void combine(const struct collective_type *type, void **arrays, int members, void *out,
                    size_t count)
{
    struct collective_operands from = {members, arrays};
    type->combine(out, &from, 0, count);
}

static void check_type(enum collective_reducer reducer, enum dtype dtype)
{
    enum { COUNT = 64 + 37 }; /* a chunk, and a rest */
    _Alignas(64) char left[COUNT * 16] = {0}, right[COUNT * 16] = {0}, sum[COUNT * 16];
    struct collective_type type = collective_types_get(reducer, dtype);
    for (int i = 0; i < COUNT; i++) {
        dtype_from_double(dtype, number(dtype, i), left + i * (int)type.bytes);
        dtype_from_double(dtype, number(dtype, i * 5 + 1), right + i * (int)type.bytes);
    }
    combine(&type, (void *[]){left, right}, 2, sum, COUNT);
    if (type.store)
        type.store(left, sum, COUNT);
    else
        memcpy(left, sum, COUNT * type.bytes);
    for (int i = 0; i < COUNT; i++)
        cr_expect_eq(
            dtype_to_double(dtype, left + i * (int)type.bytes),
            combined(reducer, dtype == DTYPE_PRED, number(dtype, i), number(dtype, i * 5 + 1)),
            "%s, reducer %d, element %d", dtype_name(dtype), reducer, i);
}

static void check_all_types(void)
{
    int pairs = 0;
    for (int dtype = 1; dtype < DTYPE_COUNT; dtype++)
        for (int reducer = 0; reducer <= REDUCER_XOR; reducer++)
            if (program_can_reduce((enum collective_reducer)reducer, (enum dtype)dtype)) {
                check_type((enum collective_reducer)reducer, (enum dtype)dtype);
                pairs++;
            }
    cr_expect_eq(pairs, 9 * 7 + 4 * 4 + 2 * 2);
}

Test(collectives, all_reducers_of_all_types)
{
    check_all_types();
}

Test(collectives, all_reducers_without_wide_vectors)
{
    setenv("GANTRY_ISA", "baseline", 1);
    check_all_types();
}

Test(collectives, bf16_is_rounded_once)
{
    uint16_t one = 0x3F80, tiny = 0x3B80; /* 1, 2^-8 */
    struct collective_type type = collective_types_get(REDUCER_ADD, DTYPE_BF16);
    float sum;
    uint16_t out;
    combine(&type, (void *[]){&one, &tiny, &tiny, &tiny}, 4, &sum, 1);
    type.store(&out, &sum, 1);
    cr_expect_eq(out, 0x3F82, "1 + 3 * 2^-8 is 1.0117, which rounds to 1.015625; got %#x", out);
}

Test(collectives, minimum_and_maximum_propagate_nan)
{
    for (int reducer = REDUCER_MINIMUM; reducer <= REDUCER_MAXIMUM; reducer++)
        for (int side = 0; side < 2; side++) {
            struct collective_type type =
                collective_types_get((enum collective_reducer)reducer, DTYPE_F32);
            float a = side ? 1 : __builtin_nanf(""), b = side ? __builtin_nanf("") : 1;
            float most;
            combine(&type, (void *[]){&a, &b}, 2, &most, 1);
            cr_expect(most != most);
        }
}
