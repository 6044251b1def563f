/* pallas_body_test.c: the time of straight code and loops: chains of operations, units, values that
 * are equal in all lanes, carried scalars, copies. A copy into VMEM takes 700 cycles, one out of it
 * 300. */
#include "compiler/model/pallas/pallas_body.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

enum { MOST = 64 };

static const struct accelerator accelerator = {.sublanes = 8,
                                               .lanes = 128,
                                               .matrix_units = 4,
                                               .matrix_unit_size = 128,
                                               .cores = 1,
                                               .bf16_rate = 1e14,
                                               .f32_passes_default = 1,
                                               .clock_hz = 1e9,
                                               .hbm_rate = 1e15,
                                               .dma_in_seconds = 700e-9,
                                               .dma_out_seconds = 300e-9};
static const struct kernel_attrs plain;
static struct kernel_type one = {KERNEL_VECTOR, DTYPE_F32, .rank = 2, .dims = {8, 128}},
                          many = {KERNEL_VECTOR, DTYPE_F32, .rank = 2, .dims = {2048, 128}},
                          index_type = {.kind = KERNEL_SCALAR, .dtype = DTYPE_S32},
                          bit = {.kind = KERNEL_SCALAR, .dtype = DTYPE_PRED};
static struct kernel_value values[MOST];
static const struct kernel_value *operands[2 * MOST];
static struct kernel_op ops[MOST];
static int value_count, operand_count, op_count;
static struct arena *arena;

static void setup(void)
{
    cr_assert_null(arena_create(&arena));
    value_count = operand_count = op_count = 0;
}

static void teardown(void)
{
    arena_destroy(arena);
}

TestSuite(pallas_body, .init = setup, .fini = teardown);

static struct kernel_value *value(const struct kernel_type *type)
{
    values[value_count] = (struct kernel_value){.type = type, .id = value_count};
    return &values[value_count++];
}

/* An operation of up to two operands; `type` NULL: without a result. */
static struct kernel_op *add(enum kernel_code code, const struct kernel_attrs *attrs,
                             const struct kernel_type *type, const struct kernel_value *x,
                             const struct kernel_value *y)
{
    struct kernel_op *op = &ops[op_count++];
    *op = (struct kernel_op){.code = code,
                             .operand_count = (x != NULL) + (y != NULL),
                             .operands = &operands[operand_count],
                             .result_count = type != NULL,
                             .results = type ? value(type) : NULL,
                             .attrs = attrs};
    operands[operand_count++] = x;
    operands[operand_count++] = y;
    return op;
}

/* ops[first] to ops[last] follow each other. */
static struct kernel_op *chain(int first, int last)
{
    for (int i = first; i < last; i++)
        ops[i].next = &ops[i + 1];
    return &ops[first];
}

static double cycles(struct kernel_op *first)
{
    struct kernel_function main = {
        .name = "main", .body = {.first = first}, .value_count = value_count};
    struct kernel kernel = {.name = "k", .main = &main};
    struct pallas_body body = pallas_body(arena, &accelerator, &kernel);
    pallas_body_run(&body, &kernel);
    return body.now;
}

static double exps(int count, const struct kernel_type *type, bool chained)
{
    int first = op_count;
    const struct kernel_value *x = value(type);
    for (int i = 0; i < count; i++) {
        struct kernel_op *op = add(KERNEL_EXP, &plain, type, x, NULL);
        x = chained ? &op->results[0] : x;
    }
    return cycles(chain(first, op_count - 1));
}

Test(pallas_body, a_chain_waits_for_each_result)
{
    double two = exps(2, &one, true), six = exps(6, &one, true);
    cr_expect_float_eq(six - two, 4 * 9, 1e-9, "%g", six - two);
    cr_expect(exps(6, &one, false) < six / 2);
}

Test(pallas_body, many_registers_take_as_long_as_the_unit)
{
    double two = exps(2, &many, true), six = exps(6, &many, true);
    cr_expect_float_eq(six - two, 4 * 256, 1e-9, "%g", six - two);
}

/* Of many registers: 3 instructions a cycle. */
static double division(const struct kernel_attrs *attrs)
{
    int first = op_count;
    const struct kernel_value *x = value(&many);
    struct kernel_op *y = add(KERNEL_CONSTANT, attrs, &many, NULL, NULL);
    add(KERNEL_DIVSI, &plain, &many, x, &y->results[0]);
    return cycles(chain(first, op_count - 1));
}

Test(pallas_body, integers_are_divided_by_constants_faster)
{
    static const int32_t seven = 7;
    const struct kernel_attrs same = {.constant = &seven, .constant_bytes = 4},
                              others = {.constant = &seven, .constant_bytes = 4 * 2048 * 128};
    double fast = division(&same), slow = division(&others);
    cr_expect_float_eq(slow - fast, 256 * (256 - 32) / 3.0, 1e-6, "%g", slow - fast);
}

/* x - max(x) over lanes: the maximum is in all lanes, so its broadcast is free; that of a column
 * goes through the shuffle unit. */
Test(pallas_body, reductions_over_lanes_need_no_broadcast)
{
    static struct kernel_type column = {KERNEL_VECTOR, DTYPE_F32, .rank = 2, .dims = {8, 1}},
                              row = {KERNEL_VECTOR, DTYPE_F32, .rank = 1, .dims = {8}};
    static int64_t last[] = {1};
    const struct kernel_attrs attrs = {.dims = {1, last}};
    const struct kernel_value *x = value(&one), *start = value(&row);
    struct kernel_op *maximum = add(KERNEL_MULTI_REDUCTION, &attrs, &row, x, start);
    double alone = cycles(chain(0, 0));
    struct kernel_op *cast = add(KERNEL_SHAPE_CAST, &plain, &column, &maximum->results[0], NULL);
    add(KERNEL_BROADCAST, &plain, &one, &cast->results[0], NULL);
    cr_expect_float_eq(cycles(chain(0, 2)), alone, 3);
    add(KERNEL_BROADCAST, &plain, &one, value(&column), NULL);
    cr_expect(cycles(chain(3, 3)) > 100);
}

static double product(struct kernel_type *lhs, int passes)
{
    static struct kernel_type rhs = {KERNEL_VECTOR, DTYPE_F32, .rank = 2, .dims = {128, 128}};
    static int64_t zero[] = {0}, second[] = {1};
    struct kernel_dot dot = {.lhs_contract = {1, second},
                             .rhs_contract = {1, zero},
                             .lhs_free = {1, zero},
                             .rhs_free = {1, second},
                             .passes = passes};
    struct kernel_attrs attrs = {.dot = &dot};
    int first = op_count;
    add(KERNEL_MATMUL, &attrs, lhs, value(lhs), value(&rhs));
    return cycles(chain(first, first));
}

/* Four units take 2,048 rows in 512 cycles; the latency is the same for one row. */
Test(pallas_body, products_take_latency_and_a_cycle_a_row)
{
    double few = product(&one, 1), rows = product(&many, 1), three = product(&many, 3);
    cr_expect(few > 150 && few < 200, "%g", few);
    cr_expect_float_eq(rows - few, 512 - 8, 40, "%g", rows - few);
    cr_expect_float_eq(three - rows, 2 * 512, 1e-6);
}

/* for i in 0..4, with b = 0, then 1: if b { exp of 256 registers }. */
static double loop_with_carried_condition(uint8_t second)
{
    static const int32_t bounds[] = {0, 4, 1};
    static uint8_t bits[2];
    static struct kernel_attrs constants[5];
    static struct kernel_block bodies[1], branch[2];
    bits[0] = 0, bits[1] = second;
    const struct kernel_value *in[5], *x = value(&many);
    int first = op_count;
    for (int i = 0; i < 5; i++) {
        constants[i] = (struct kernel_attrs){.constant = i < 3 ? (void *)&bounds[i] : &bits[i - 3],
                                             .constant_bytes = i < 3 ? sizeof(int32_t) : 1};
        in[i] =
            add(KERNEL_CONSTANT, &constants[i], i < 3 ? &index_type : &bit, NULL, NULL)->results;
    }
    struct kernel_op *loop = add(KERNEL_FOR, &plain, &bit, NULL, NULL);
    static const struct kernel_value *loop_operands[4];
    memcpy(loop_operands, in, sizeof loop_operands);
    loop->operands = loop_operands, loop->operand_count = 4;
    loop->regions = bodies, loop->region_count = 1;
    int inside = op_count;
    struct kernel_value *index = value(&index_type), *carried = value(&bit);
    cr_assert_eq(carried, index + 1);
    bodies[0] = (struct kernel_block){.argument_count = 2, .arguments = index};
    struct kernel_op *condition = add(KERNEL_IF, &plain, NULL, carried, NULL);
    add(KERNEL_YIELD, &plain, NULL, in[4], NULL);
    bodies[0].first = chain(inside, op_count - 1);
    int taken = op_count;
    add(KERNEL_EXP, &plain, &many, x, NULL);
    add(KERNEL_YIELD, &plain, NULL, NULL, NULL);
    branch[0] = (struct kernel_block){.first = chain(taken, op_count - 1)};
    condition->regions = branch, condition->region_count = 1;
    return cycles(chain(first, inside - 1));
}

Test(pallas_body, carried_conditions_decide_branches)
{
    double never = loop_with_carried_condition(0), later = loop_with_carried_condition(1);
    cr_expect(later - never > 3 * 256 && later - never < 3 * 300, "%g", later - never);
}

/* Two rows of one element: of a splat the broadcast along lanes is free. */
Test(pallas_body, constants_of_different_elements_are_broadcast)
{
    static struct kernel_type column = {KERNEL_VECTOR, DTYPE_S32, .rank = 2, .dims = {2, 1}},
                              wide = {KERNEL_VECTOR, DTYPE_S32, .rank = 2, .dims = {2, 128}};
    static const int32_t numbers[] = {1, 2};
    double latency[2];
    for (int i = 0; i < 2; i++) {
        const struct kernel_attrs attrs = {.constant = numbers,
                                           .constant_bytes = (size_t)(i + 1) * sizeof *numbers};
        int first = op_count;
        struct kernel_op *constant = add(KERNEL_CONSTANT, &attrs, &column, NULL, NULL);
        add(KERNEL_BROADCAST, &plain, &wide, constant->results, NULL);
        latency[i] = cycles(chain(first, op_count - 1));
    }
    cr_expect(latency[0] < 10 && latency[1] > 100, "%g, %g", latency[0], latency[1]);
}

/* Loops in each other, each of a million iterations. */
Test(pallas_body, deep_loops_are_visited_a_bounded_number_of_times, .timeout = 20)
{
    enum { LOOPS = 24 };
    static const int32_t bounds[] = {0, 1000000, 1};
    static struct kernel_attrs constants[3];
    static struct kernel_block bodies[LOOPS];
    static const struct kernel_value *in[3];
    for (int i = 0; i < 3; i++) {
        constants[i] =
            (struct kernel_attrs){.constant = &bounds[i], .constant_bytes = sizeof(int32_t)};
        in[i] = add(KERNEL_CONSTANT, &constants[i], &index_type, NULL, NULL)->results;
    }
    for (int i = 0; i < LOOPS; i++) {
        struct kernel_op *loop = add(KERNEL_FOR, &plain, NULL, NULL, NULL);
        *loop = (struct kernel_op){.code = KERNEL_FOR,
                                   .operands = in,
                                   .operand_count = 3,
                                   .regions = &bodies[i],
                                   .region_count = 1,
                                   .attrs = &plain};
        bodies[i] = (struct kernel_block){.argument_count = 1, .arguments = value(&index_type)};
        bodies[i].first = loop + 1;
    }
    for (int i = 0; i < LOOPS; i++)
        add(KERNEL_YIELD, &plain, NULL, NULL, NULL);
    for (int i = 0; i + 1 < LOOPS; i++)
        ops[3 + i + 1].next = &ops[3 + LOOPS + i];
    struct kernel_function main = {
        .name = "main", .body = {.first = chain(0, 3)}, .value_count = value_count};
    struct kernel kernel = {.name = "k", .main = &main};
    struct pallas_body body = pallas_body(arena, &accelerator, &kernel);
    pallas_body_run(&body, &kernel);
    cr_expect_lt(body.visited, 1 << 19, "%lld", (long long)body.visited);
    cr_expect(body.now > 1e100);
}

static void add_copy(const struct kernel_value *const *sides, const struct kernel_value *semaphore,
                     const struct kernel_value **room)
{
    static const int segments[] = {1, 0, 1, 1};
    struct kernel_op *op = add(KERNEL_ENQUEUE_DMA, &plain, NULL, NULL, NULL);
    room[0] = sides[0], room[1] = sides[1], room[2] = semaphore;
    op->operands = room, op->operand_count = 3, op->segment_count = 4;
    memcpy(op->segments, segments, sizeof segments);
}

/* The number of a semaphore: a constant, or `code` of it and two. */
static const struct kernel_value *number(const struct kernel_attrs *constant, enum kernel_code code)
{
    static const int32_t two = 2;
    static const struct kernel_attrs twos = {.constant = &two, .constant_bytes = sizeof two};
    const struct kernel_value *x = add(KERNEL_CONSTANT, constant, &index_type, NULL, NULL)->results;
    if (code == KERNEL_CONSTANT)
        return x;
    const struct kernel_value *y = add(KERNEL_CONSTANT, &twos, &index_type, NULL, NULL)->results;
    return add(code, &plain, &index_type, x, y)->results;
}

/* Two copies with work between their starts, then a wait for the first. */
static double first_of_two_copies(enum kernel_code code)
{
    static const int32_t numbers[] = {0, 1};
    static const struct kernel_attrs constants[] = {{.constant = &numbers[0], .constant_bytes = 4},
                                                    {.constant = &numbers[1], .constant_bytes = 4}};
    static struct kernel_type semaphores = {.kind = KERNEL_REF, .rank = 1, .dims = {2}},
                              far = {.kind = KERNEL_REF, .space = KERNEL_HBM},
                              near = {.kind = KERNEL_REF, .space = KERNEL_VMEM};
    static const struct kernel_value *room[2][3];
    const struct kernel_value *array = value(&semaphores), *sides[] = {value(&far), value(&near)},
                              *x = value(&many), *elements[2];
    int first = op_count;
    for (int i = 0; i < 2; i++) {
        const struct kernel_value *index =
            code == KERNEL_LOAD ? value(&index_type) : number(&constants[i], code);
        elements[i] = add(KERNEL_MEMREF_SLICE, &plain, &semaphores, array, index)->results;
    }
    add_copy(sides, elements[0], room[0]);
    add(KERNEL_EXP, &plain, &many, x, NULL);
    add_copy(sides, elements[1], room[1]);
    add(KERNEL_WAIT_DMA2, &plain, NULL, elements[0], NULL);
    return cycles(chain(first, op_count - 1));
}

Test(pallas_body, waits_for_unknown_semaphores_are_for_the_last_copy)
{
    double constant = first_of_two_copies(KERNEL_CONSTANT),
           rest = first_of_two_copies(KERNEL_REMUI), unknown = first_of_two_copies(KERNEL_LOAD),
           signed_rest = first_of_two_copies(KERNEL_REMSI);
    cr_expect(constant < 800, "%g", constant);
    cr_expect(rest < constant + 100, "%g and %g", rest, constant);
    cr_expect(unknown > constant + 250, "%g and %g", unknown, constant);
    cr_expect(signed_rest > constant + 250, "%g and %g", signed_rest, constant);
}

Test(pallas_body, copies_into_vmem_take_longer_than_those_out_of_it)
{
    cr_expect_eq(pallas_body_copy_cycles(&accelerator, KERNEL_VMEM, false, 0), 700);
    cr_expect_eq(pallas_body_copy_cycles(&accelerator, KERNEL_VMEM, true, 0), 300);
}
