/* pallas_fifo_test.c: pushes to and pops from a matrix unit's queue, in lists and loops. */
#include "compiler/model/pallas/pallas_fifo.h"

#include <criterion/criterion.h>
#include <string.h>

enum { MOST_OPS = 64 };

static const struct accelerator small = {.matrix_unit_size = 128},
                                large = {.matrix_unit_size = 256};
static const struct kernel_attrs plain;
static struct kernel_type bf16 = {KERNEL_VECTOR, DTYPE_BF16, .rank = 2, .dims = {16, 128}},
                          s8 = {KERNEL_VECTOR, DTYPE_S8, .rank = 2, .dims = {32, 128}};
static struct kernel_op ops[MOST_OPS];
static struct kernel_value result;
static int count;

static void add(enum kernel_code code, const struct kernel_type *type)
{
    static struct kernel_value values[MOST_OPS];
    static const struct kernel_value *operands[MOST_OPS];
    bool is_push = code == KERNEL_MATMUL_LHS_FIFO;
    cr_assert(count < MOST_OPS);
    values[count].type = type;
    operands[count] = &values[count];
    ops[count] = (struct kernel_op){.code = code,
                                    .operand_count = is_push,
                                    .result_count = !is_push,
                                    .operands = &operands[count],
                                    .results = &values[count],
                                    .attrs = &plain};
    if (count > 0)
        ops[count - 1].next = &ops[count];
    count++;
}

static void pushes(int times, const struct kernel_type *type)
{
    for (int i = 0; i < times; i++)
        add(KERNEL_MATMUL_LHS_FIFO, type);
}

static bool fits(const struct accelerator *accelerator, const struct kernel_op *first)
{
    struct kernel_function main = {.name = "main", .body = {.first = (struct kernel_op *)first}};
    struct kernel kernel = {.name = "k", .main = &main};
    struct error *error = pallas_fifo_check(accelerator, &kernel);
    bool ok = !error;
    if (error)
        cr_expect(strstr(error_message(error, NULL), "kernel 'k': tpu.matmul_lhs_fifo"));
    error_free(error);
    return ok;
}

Test(pallas_fifo, holds_as_many_rows_as_the_unit)
{
    pushes(12, &bf16);
    cr_expect(fits(&small, ops));
    pushes(1, &bf16);
    cr_expect(!fits(&small, ops));
    pushes(15, &bf16);
    cr_expect(fits(&large, ops));
    pushes(1, &bf16);
    cr_expect(!fits(&large, ops));
}

Test(pallas_fifo, rows_of_integers_take_half)
{
    pushes(12, &s8);
    cr_expect(fits(&small, ops));
    pushes(1, &s8);
    cr_expect(!fits(&small, ops));
}

Test(pallas_fifo, results_that_are_popped_make_room)
{
    for (int i = 0; i < 20; i++) {
        add(KERNEL_MATMUL_LHS_FIFO, &bf16);
        add(KERNEL_MATMUL_POP_FIFO, &bf16);
    }
    cr_expect(fits(&small, ops));
}

static struct kernel_op holder(enum kernel_code code, struct kernel_block *blocks, int regions)
{
    return (struct kernel_op){.code = code,
                              .region_count = regions,
                              .regions = blocks,
                              .results = &result,
                              .attrs = &plain};
}

Test(pallas_fifo, loops_that_leave_results_overflow)
{
    pushes(8, &bf16);
    struct kernel_block body = {.first = ops};
    struct kernel_op loop = holder(KERNEL_FOR, &body, 1);
    cr_expect(!fits(&small, &loop));
}

Test(pallas_fifo, of_two_branches_the_fuller_counts)
{
    pushes(12, &bf16);
    struct kernel_block branches[2] = {{.first = ops}, {.first = &ops[4]}};
    struct kernel_op choice = holder(KERNEL_IF, branches, 2);
    cr_expect(fits(&small, &choice));
    choice.next = &ops[11]; /* one more */
    cr_expect(!fits(&small, &choice));
}
