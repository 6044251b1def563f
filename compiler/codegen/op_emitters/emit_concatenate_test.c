/* emit_concatenate_test.c: concatenations of long rows, of whose vectors few have elements of both
 * operands. */
#include "compiler/codegen/codegen_fixture.h"
#include "compiler/codegen/fenced_memory.h"

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

/* concatenate(a, b) of 16 or 8 bits: reads nothing in front of or beyond an operand. */
static void expect_joined_in_bounds(enum dtype dtype, int first, int second, bool at_end)
{
    struct arena *arena = fixture_arena();
    const struct type *types[] = {fixture_type(arena, dtype, 1, first),
                                  fixture_type(arena, dtype, 1, second),
                                  fixture_type(arena, dtype, 1, first + second)};
    size_t width = dtype_bytes(dtype), size[2] = {width * (size_t)first, width * (size_t)second};
    struct fixture *f = fixture_begin(FUSION_LOOP, 2, types, arena);
    struct op *joined =
        fixture_op(f, f->block, OP_concatenate, types[2], 2, fixture_arg(f, 0), fixture_arg(f, 1));
    fixture_return(f, 1, &joined->results[0]);
    struct fenced in[2] = {fenced_memory(size[0], at_end), fenced_memory(size[1], at_end)},
                  out = fenced_memory(size[0] + size[1], at_end);
    memset(in[0].bytes, 1, size[0]);
    memset(in[1].bytes, 2, size[1]);
    for (int tier = 0; tier < CODEGEN_TIERS; tier++) {
        fixture_run(f, tier, 0, (void *[]){in[0].bytes, in[1].bytes, out.bytes}, NULL);
        cr_expect_arr_eq(out.bytes, in[0].bytes, size[0], "tier %d", tier);
        cr_expect_arr_eq(out.bytes + size[0], in[1].bytes, size[1], "tier %d", tier);
    }
    for (int i = 0; i < 3; i++)
        fenced_free(i < 2 ? in[i] : out);
    arena_destroy(arena);
}

Test(emit_index, concatenation_stays_in_its_operands)
{
    static const int parts[][2] = {{200, 300}, {8192, 4096}, {4096, 12000}, {1500, 9001}};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        for (int at_end = 0; at_end < 2; at_end++) {
            expect_joined_in_bounds(DTYPE_S16, parts[i][0], parts[i][1], at_end);
            expect_joined_in_bounds(DTYPE_U8, parts[i][0], parts[i][1], at_end);
        }
}
