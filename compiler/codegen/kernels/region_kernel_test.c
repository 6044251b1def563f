/* region_kernel_test.c: a loop that contains a branch, compiled as one function with its buffer
 * plan. */
#include "compiler/schedule/cost.h"
#include "compiler/codegen/codegen_fixture.h"
#include "compiler/passes/buffer/buffer_assign.h"

/* Appends a fusion of one operation on some values to a block. */
static struct value *fused(struct fixture *f, struct block *block, enum op_code code,
                           const struct type *type, int count, struct value **operands)
{
    const struct type *types[4];
    for (int i = 0; i < count; i++)
        types[i] = operands[i]->type;
    struct op *fusion = ir_op(f->module, OP_fusion, count, operands, 1, &type, 1);
    fusion->attrs.fusion.fusion_kind = FUSION_LOOP;
    struct block *body = ir_block(f->module, block->func, fusion, count, types);
    fusion->regions[0] = body;
    struct value *in[4];
    for (int i = 0; i < count; i++)
        in[i] = &body->arguments[i];
    struct op *op = ir_op(f->module, code, count, in, 1, &type, 0);
    ir_append(body, op);
    struct value *result = &op->results[0];
    ir_append(body, ir_op(f->module, OP_return, 1, &result, 0, NULL, 0));
    ir_append(block, fusion);
    return &fusion->results[0];
}

static void end(struct fixture *f, struct block *block, int count, struct value **values)
{
    ir_append(block, ir_op(f->module, OP_return, count, values, 0, NULL, 0));
}

static struct value *number(struct fixture *f, struct block *block, const struct type *type,
                            double value)
{
    struct op *op = ir_op(f->module, OP_constant, 0, NULL, 1, &type, 0);
    op->attrs.constant.value = literal_from_double(f->arena, type, value);
    ir_append(block, op);
    return &op->results[0];
}

/* The plan of a region that returns `count` values. */
static const struct buffer_plan *plan_region(struct fixture *f, int count)
{
    struct func *func = f->block->func;
    struct value **results = ARENA_ARRAY(f->arena, struct value *, (size_t)count);
    f->module->entry = func;
    func->result_types = ARENA_ARRAY(f->module->arena, const struct type *, (size_t)count);
    for (int i = 0; i < count; i++) {
        results[i] = &f->fusion->results[i];
        func->result_types[i] = results[i]->type;
    }
    end(f, func->body, count, results);
    struct buffer_plan *plan;
    fixture_check(buffer_assign_entry(f->module, &f->target, NULL, &plan));
    const struct buffer_plan *inner = map_get_pointer(plan->regions, f->fusion);
    cr_assert_not_null(inner);
    return inner;
}

/* while (i < limit) { x = i == 3 ? x + x : x + y; i = i + 1 }, where y is captured. */
Test(emit_region, loop_with_branch)
{
    struct arena *arena = fixture_arena();
    const struct type *counter = type_scalar(arena, DTYPE_S32),
                      *pred = type_scalar(arena, DTYPE_PRED);
    const struct type *vector = fixture_type(arena, DTYPE_F32, 1, 21),
                      *types[] = {counter, vector, counter, vector};
    struct fixture *f = fixture_begin(FUSION_REGION, 4, types, arena);
    struct value *start[] = {fixture_arg(f, 0), fixture_arg(f, 1)};
    struct op *loop = ir_op(f->module, OP_while, 2, start, 2, types, 2);
    struct block *test = ir_block(f->module, f->block->func, loop, 2, types);
    struct block *body = ir_block(f->module, f->block->func, loop, 2, types);
    loop->regions[0] = test;
    loop->regions[1] = body;
    ir_append(f->block, loop);

    struct value *more = fused(f, test, OP_compare, pred, 2,
                               (struct value *[]){&test->arguments[0], fixture_arg(f, 2)});
    more->def->regions[0]->first->attrs.compare.comparison_direction = COMPARE_LT;
    end(f, test, 1, &more);

    struct value *three = number(f, body, counter, 3), *one = number(f, body, counter, 1);
    struct value *is_three =
        fused(f, body, OP_compare, pred, 2, (struct value *[]){&body->arguments[0], three});
    struct op *choice = ir_op(f->module, OP_if, 1, &is_three, 1, &vector, 2);
    for (int i = 0; i < 2; i++) {
        struct block *branch = choice->regions[i] =
            ir_block(f->module, f->block->func, choice, 0, NULL);
        struct value *x = &body->arguments[1], *in[] = {x, i ? fixture_arg(f, 3) : x};
        struct value *sum = fused(f, branch, OP_add, vector, 2, in);
        end(f, branch, 1, &sum);
    }
    ir_append(body, choice);
    struct value *next[] = {
        fused(f, body, OP_add, counter, 2, (struct value *[]){&body->arguments[0], one}),
        &choice->results[0]};
    end(f, body, 2, next);
    fixture_return(f, 2, &loop->results[0], &loop->results[1]);
    const struct buffer_plan *inner = plan_region(f, 2);
    for (int tier = 0; tier < CODEGEN_TIERS; tier++)
        for (int limit = 0; limit < 6; limit++) {
            float *x = fixture_floats(f, 21, 1), *y = fixture_floats(f, 21, 2);
            float *out = fixture_memory(f, 84);
            int32_t first = 1, last = limit, count = 0;
            fixture_run(f, tier, 0,
                        (void *[]){&first, x, &last, y, &count, out,
                                   fixture_memory(f, buffer_plan_temp_size(inner, MEMORY_DEVICE))},
                        inner);
            fixture_guarded(out, 84);
            cr_assert_eq(count, limit > 1 ? limit : 1);
            for (int i = 0; i < 21; i++) {
                float expected = x[i];
                for (int iteration = 1; iteration < limit; iteration++)
                    expected += iteration == 3 ? expected : y[i];
                cr_assert_float_eq(out[i], expected, 1e-5, "limit %d at %d: %g, not %g", limit, i,
                                   out[i], expected);
            }
        }
    arena_destroy(arena);
}

/* while (i < limit) i = i + 1 */
static struct fixture *counting_loop(struct arena *arena)
{
    const struct type *counter = type_scalar(arena, DTYPE_S32),
                      *pred = type_scalar(arena, DTYPE_PRED), *types[] = {counter, counter};
    struct fixture *f = fixture_begin(FUSION_REGION, 2, types, arena);
    struct value *start = fixture_arg(f, 0);
    struct op *loop = ir_op(f->module, OP_while, 1, &start, 1, types, 2);
    for (int r = 0; r < 2; r++)
        loop->regions[r] = ir_block(f->module, f->block->func, loop, 1, types);
    ir_append(f->block, loop);
    struct block *test = loop->regions[0], *body = loop->regions[1];
    struct value *more = fused(f, test, OP_compare, pred, 2,
                               (struct value *[]){&test->arguments[0], fixture_arg(f, 1)});
    more->def->regions[0]->first->attrs.compare.comparison_direction = COMPARE_LT;
    end(f, test, 1, &more);
    struct value *one = number(f, body, counter, 1);
    struct value *next =
        fused(f, body, OP_add, counter, 2, (struct value *[]){&body->arguments[0], one});
    end(f, body, 1, &next);
    fixture_return(f, 1, &loop->results[0]);
    return f;
}

Test(emit_region, loops_of_unknown_trip_count_end_with_the_budget)
{
    struct arena *arena = fixture_arena();
    struct fixture *f = counting_loop(arena);
    const struct buffer_plan *plan = plan_region(f, 1);
    void *scratch = fixture_memory(f, buffer_plan_temp_size(plan, MEMORY_DEVICE));
    const struct op *loop = f->fusion->regions[0]->first;
    while (loop->code != OP_while)
        loop = loop->next;
    int64_t cost = (int64_t)cost_of_iteration(loop);
    for (int tier = 0; tier < CODEGEN_TIERS; tier++) {
        struct fixture_kernel kernel = fixture_compile(f, tier, plan);
        for (int affordable = 0; affordable < 12; affordable += 3) {
            struct kernel_limits limits = {.budget = affordable * cost};
            int32_t first = 0, last = 6, count = -1;
            void *buffers[] = {&first, &last, &count, scratch, &limits};
            if (!buffer_plan_temp_size(plan, MEMORY_DEVICE))
                buffers[3] = &limits;
            fixture_execute(kernel, 0, buffers);
            cr_expect_eq(limits.budget < 0, affordable < 6);
            cr_expect_eq(count, affordable < 6 ? affordable : 6, "tier %d: %d", tier, count);
        }
        fixture_release(kernel);
    }
    arena_destroy(arena);
}

Test(emit_region, loops_end_when_stopped)
{
    struct arena *arena = fixture_arena();
    struct fixture *f = counting_loop(arena);
    const struct buffer_plan *plan = plan_region(f, 1);
    void *scratch = fixture_memory(f, buffer_plan_temp_size(plan, MEMORY_DEVICE));
    for (int tier = 0; tier < CODEGEN_TIERS; tier++) {
        struct fixture_kernel kernel = fixture_compile(f, tier, plan);
        struct kernel_limits limits = {.stop = 1, .budget = INT64_MAX};
        int32_t first = 0, last = INT32_MAX, count = -1;
        void *buffers[] = {&first, &last, &count, scratch, &limits};
        if (!buffer_plan_temp_size(plan, MEMORY_DEVICE))
            buffers[3] = &limits;
        fixture_execute(kernel, 0, buffers);
        cr_expect_eq(count, 0);
        fixture_release(kernel);
    }
    arena_destroy(arena);
}
