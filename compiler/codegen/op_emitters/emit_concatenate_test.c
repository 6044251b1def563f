/* emit_concatenate_test.c: concatenations of long rows, of whose vectors few have elements of both
 * operands. */
#include "compiler/codegen/codegen_fixture.h"

/* c + concatenate(a, b) of rows of bytes: vectors beside the seam are of one operand alone. */
static void expect_joined_bytes(int size, int seam)
{
    struct arena *arena = fixture_arena();
    const struct type *types[] = {fixture_type(arena, DTYPE_U8, 2, 3, seam),
                                  fixture_type(arena, DTYPE_U8, 2, 3, size - seam),
                                  fixture_type(arena, DTYPE_U8, 2, 3, size)};
    struct fixture *f = fixture_begin(FUSION_LOOP, 3, types, arena);
    struct op *joined =
        fixture_op(f, f->block, OP_concatenate, types[2], 2, fixture_arg(f, 0), fixture_arg(f, 1));
    joined->attrs.dimension.dimension = 1;
    fixture_return(f, 1,
                   fixture_value(f, OP_add, types[2], fixture_arg(f, 2), &joined->results[0]));
    uint8_t *in[3];
    for (int i = 0; i < 3; i++)
        in[i] = fixture_memory(f, (size_t)type_elements(types[i]));
    for (int i = 0; i < 3 * size; i++) {
        int row = i / size, at = i % size;
        bool second = at >= seam;
        in[second][second ? row * (size - seam) + at - seam : row * seam + at] = (uint8_t)(i * 7);
        in[2][i] = (uint8_t)(i >> 4);
    }
    for (int tier = 0; tier < CODEGEN_TIERS; tier++) {
        uint8_t *out = fixture_memory(f, (size_t)size * 3);
        fixture_run(f, tier, 0, (void *[4]){in[0], in[1], in[2], out}, NULL);
        fixture_guarded(out, (size_t)size * 3);
        for (int i = 0; i < 3 * size; i++)
            cr_assert_eq(out[i], (uint8_t)(i * 7 + (i >> 4)), "%d of %d, tier %d at %d", seam, size,
                         tier, i);
    }
    arena_destroy(arena);
}

Test(emit_index, concatenate_of_bytes)
{
    for (int size = 1024; size < 1100; size += 37)
        for (int seam = 1; seam < size; seam += seam < 34 || seam > size - 4 ? 1 : 241)
            expect_joined_bytes(size, seam);
}
