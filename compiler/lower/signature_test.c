#include "compiler/lower/signature.h"

#include "compiler/passes/passes_fixture.h"

TestSuite(signature, .init = fixture_begin, .fini = fixture_end);

static bool equal(const struct op *a, const struct op *b)
{
    const void *x, *y;
    size_t x_size, y_size;
    signature_of_op(fixture_arena, a, &x, &x_size);
    signature_of_op(fixture_arena, b, &y, &y_size);
    return x_size == y_size && !memcmp(x, y, x_size);
}

static const struct op *reduce(struct value *operand, enum op_code code, int64_t dim, double start)
{
    struct value *init = build_scalar(&fixture, operand->type->shape.dtype, start);
    return build_reduce(&fixture, operand, init, code, 1, &dim)->def;
}

Test(signature, which_values_does_not_matter)
{
    MAIN("f32 4 4", "f32 4 4", "f64 4 4");
    struct value *a = argument(0), *b = argument(1);
    cr_expect(equal(build_binary(&fixture, OP_add, a, b)->def,
                    build_binary(&fixture, OP_add, b, a)->def));
    cr_expect(equal(reduce(a, OP_add, 0, 0), reduce(b, OP_add, 0, 0)));
}

Test(signature, types_attributes_regions_and_connections_matter)
{
    MAIN("f32 4 4", "f32 4 4", "f64 4 4");
    struct value *a = argument(0), *b = argument(1), *wide = argument(2);
    const struct op *add = build_binary(&fixture, OP_add, a, b)->def;
    cr_expect(!equal(add, build_binary(&fixture, OP_multiply, a, b)->def));
    cr_expect(!equal(add, build_binary(&fixture, OP_add, a, a)->def));
    cr_expect(!equal(add, build_binary(&fixture, OP_add, wide, wide)->def));
    cr_expect(!equal(reduce(a, OP_add, 0, 0), reduce(a, OP_add, 1, 0)));
    cr_expect(!equal(reduce(a, OP_add, 0, 0), reduce(a, OP_maximum, 0, 0)));
    cr_expect(!equal(build_scalar(&fixture, DTYPE_F32, 1)->def,
                     build_scalar(&fixture, DTYPE_F32, 2)->def));
}

static bool equal_without(const struct op *a, const struct op *b, uintptr_t fields)
{
    const void *x, *y;
    size_t x_size, y_size;
    struct map *without = map_create(fixture_arena);
    map_put_pointer(without, a, (void *)fields);
    map_put_pointer(without, b, (void *)fields);
    signature_without(fixture_arena, a, without, &x, &x_size);
    signature_without(fixture_arena, b, without, &y, &y_size);
    return x_size == y_size && !memcmp(x, y, x_size);
}

static const struct op *slice(struct value *from, int64_t row, int64_t column, int64_t size)
{
    return build_slice(&fixture, from, (int64_t[]){row, column},
                       (int64_t[]){row + size, column + size}, (int64_t[]){1, 1})
        ->def;
}

Test(signature, positions_of_slices_may_be_left_out)
{
    MAIN("f32 4 4");
    const struct op *at = slice(argument(0), 1, 1, 2);
    cr_expect(equal_without(at, slice(argument(0), 2, 1, 2), 1));
    cr_expect(!equal_without(at, slice(argument(0), 2, 0, 2), 1));
    cr_expect(equal_without(at, slice(argument(0), 2, 0, 2), 3));
    cr_expect(!equal_without(at, slice(argument(0), 1, 1, 3), 3));
}
