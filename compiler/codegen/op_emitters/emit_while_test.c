/* emit_while_test.c: a loop in the region of a scatter, whose lanes end after different counts. */
#include <math.h>

#include "compiler/codegen/codegen_fixture.h"

enum { ROWS = 7, UPDATES = 30 };

static struct value *value_in(struct fixture *f, struct block *block, enum op_code code,
                              struct value *a, struct value *b)
{
    return &fixture_op(f, block, code, a->type, b ? 2 : 1, a, b)->results[0];
}

static void end(struct fixture *f, struct block *block, struct value *result)
{
    ir_append(block, ir_op(f->module, OP_return, 1, &result, 0, NULL, 0));
}

/* while (x < twice) x += step; where `twice` is from outside of the loop */
static struct value *loop_in(struct fixture *f, struct block *body, struct value *x,
                             struct value *step)
{
    const struct type *types[] = {x->type, x->type};
    struct value *twice = value_in(f, body, OP_add, step, step);
    struct op *loop = ir_op(f->module, OP_while, 2, (struct value *[]){x, step}, 2, types, 2);
    ir_append(body, loop);
    for (int r = 0; r < 2; r++)
        loop->regions[r] = ir_block(f->module, f->block->func, loop, 2, types);
    struct block *cond = loop->regions[0], *next = loop->regions[1];
    struct op *less = fixture_op(f, cond, OP_compare, type_scalar(f->arena, DTYPE_PRED), 2,
                                 &cond->arguments[0], twice);
    less->attrs.compare.comparison_direction = COMPARE_LT;
    end(f, cond, &less->results[0]);
    struct value *results[] = {value_in(f, next, OP_add, &next->arguments[0], &next->arguments[1]),
                               &next->arguments[1]};
    ir_append(next, ir_op(f->module, OP_return, 2, results, 0, NULL, 0));
    return &loop->results[0];
}

static struct fixture *scatter_with_loop(struct arena *arena, int columns)
{
    const struct type *table = fixture_type(arena, DTYPE_F32, 2, ROWS, columns),
                      *which = fixture_type(arena, DTYPE_S32, 2, UPDATES, 1),
                      *updates = fixture_type(arena, DTYPE_F32, 2, UPDATES, columns);
    const struct type *scalar = type_scalar(arena, DTYPE_F32), *types[] = {table, which, updates};
    struct fixture *f = fixture_begin(FUSION_UPDATE, 3, types, arena);
    struct op *op = fixture_op(f, f->block, OP_scatter, table, 3, fixture_arg(f, 0),
                               fixture_arg(f, 1), fixture_arg(f, 2));
    op->attrs.scatter.update_window_dims = fixture_dims(f, 1, 1);
    op->attrs.scatter.inserted_window_dims = fixture_dims(f, 1, 0);
    op->attrs.scatter.scatter_dims_to_operand_dims = fixture_dims(f, 1, 0);
    op->attrs.scatter.index_vector_dim = 1;
    struct block *body =
        ir_block(f->module, f->block->func, op, 2, (const struct type *[]){scalar, scalar});
    op->regions[0] = body;
    struct value *step = value_in(f, body, OP_abs, &body->arguments[1], NULL);
    struct value *x = loop_in(f, body, &body->arguments[0], step);
    end(f, body, value_in(f, body, OP_negate, x, NULL));
    fixture_return(f, 1, &op->results[0]);
    return f;
}

static float combined(float x, float update)
{
    float step = fabsf(update);
    while (x < step + step)
        x += step;
    return -x;
}

Test(emit_while, lanes_end_on_their_own)
{
    for (int columns = 1; columns < 40; columns += 3) {
        struct arena *arena = fixture_arena();
        struct fixture *f = scatter_with_loop(arena, columns);
        float *initial = fixture_floats(f, ROWS * columns, 1),
              *updates = fixture_floats(f, UPDATES * columns, 2),
              *expected = fixture_floats(f, ROWS * columns, 1);
        int32_t index[UPDATES];
        for (int i = 0; i < UPDATES; i++) {
            index[i] = i * 5 % 11 - 2;
            for (int j = 0; j < columns && index[i] >= 0 && index[i] < ROWS; j++)
                expected[index[i] * columns + j] =
                    combined(expected[index[i] * columns + j], updates[i * columns + j]);
        }
        for (int tier = 0; tier < CODEGEN_TIERS; tier++) {
            float *x = fixture_memory(f, (size_t)(ROWS * columns) * 4);
            memcpy(x, initial, (size_t)(ROWS * columns) * 4);
            fixture_run(f, tier, tier, (void *[4]){x, index, updates, x}, NULL);
            fixture_guarded(x, (size_t)(ROWS * columns) * 4);
            for (int i = 0; i < ROWS * columns; i++)
                cr_assert_float_eq(x[i], expected[i], 1e-4, "tier %d at %d: %g, not %g", tier, i,
                                   x[i], expected[i]);
        }
        arena_destroy(arena);
    }
}
