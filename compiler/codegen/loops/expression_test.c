/* expression_test.c: what is emitted once. */
#include "compiler/codegen/loops/expression.h"

#include "compiler/codegen/codegen_fixture.h"

enum { MOST = 9 };

/* -concatenate(sqrt(x) + 0, sqrt(x) + 1, ...), then `zeros` of padding, for x of one element. */
static struct fixture *stacked(int pieces, int zeros)
{
    struct arena *arena = fixture_arena();
    const struct type *one = fixture_type(arena, DTYPE_F32, 1, 1),
                      *all = fixture_type(arena, DTYPE_F32, 1, pieces),
                      *padded = fixture_type(arena, DTYPE_F32, 1, pieces + zeros);
    struct fixture *f = fixture_begin(FUSION_LOOP, 1, &one, arena);
    struct value *root = fixture_value(f, OP_sqrt, one, fixture_arg(f, 0), NULL), *piece[MOST];
    for (int i = 0; i < pieces; i++)
        piece[i] = fixture_value(f, OP_add, one, root, fixture_constant(f, one, i));
    struct op *op = ir_op(f->module, OP_concatenate, pieces, piece, 1, &all, 0);
    ir_append(f->block, op);
    struct op *pad = fixture_op(f, f->block, OP_pad, padded, 2, &op->results[0],
                                fixture_constant(f, type_scalar(arena, DTYPE_F32), 0));
    pad->attrs.pad.edge_padding_low = fixture_dims(f, 1, 0);
    pad->attrs.pad.edge_padding_high = fixture_dims(f, 1, zeros);
    pad->attrs.pad.interior_padding = fixture_dims(f, 1, 0);
    fixture_return(f, 1, fixture_value(f, OP_negate, padded, &pad->results[0], NULL));
    return f;
}

Test(expression, pieces_share_what_is_the_same_for_all_lanes)
{
    for (int pieces = 2; pieces <= MOST; pieces++)
        for (int zeros = 0; zeros < 3; zeros++) {
            struct fixture *f = stacked(pieces, zeros);
            int roots = fixture_count_in_ir(f, "call float @llvm.sqrt");
            cr_expect_eq(roots, 1, "%d roots for %d pieces and %d zeros", roots, pieces, zeros);
            size_t size = (size_t)(pieces + zeros) * sizeof(float);
            float x = 9, *out = fixture_memory(f, size);
            for (int tier = 0; tier < CODEGEN_TIERS; tier++) {
                fixture_run(f, tier, 0, (void *[]){&x, out}, NULL);
                fixture_guarded(out, size);
                for (int i = 0; i < pieces + zeros; i++)
                    cr_expect_eq(out[i], i < pieces ? -3.0F - (float)i : 0, "tier %d, %d of %d: %g",
                                 tier, i, pieces, out[i]);
            }
            arena_destroy(f->arena);
        }
}
