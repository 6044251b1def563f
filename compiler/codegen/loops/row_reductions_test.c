/* row_reductions_test.c: rows that are reduced side by side have the bits of rows that are reduced
 * alone, as few rows are. */
#include "compiler/codegen/codegen_fixture.h"

enum { MANY = 1 << 15, FEW = 1 << 10 }; /* elements */

/* Reduces the last dimension of batches of rows, of which the first elements are the same for all
 * numbers of batches. Returns the results. */
static char *reduce(struct arena *arena, enum dtype dtype, enum op_code code, int rows, int columns,
                    int batches, int vector_bytes)
{
    const struct type *types[] = {fixture_type(arena, dtype, 3, batches, rows, columns),
                                  fixture_type(arena, dtype, 2, batches, columns)};
    struct fixture *f = fixture_begin(FUSION_LOOP, 2, types, arena);
    f->target.isa.vector_bytes = vector_bytes;
    struct value *y = fixture_broadcast(f, fixture_arg(f, 1), types[0], fixture_dims(f, 2, 0, 2));
    struct value *terms = fixture_value(f, OP_multiply, types[0], fixture_arg(f, 0), y);
    const struct type *result = fixture_type(arena, dtype, 2, batches, rows);
    struct value *initial = fixture_constant(f, type_scalar(arena, dtype), 0);
    fixture_return(f, 1, fixture_reduce(f, terms, initial, code, result, fixture_dims(f, 1, 2)));
    size_t each = (size_t)dtype_bytes(dtype), bytes = (size_t)(batches * rows) * each;
    char *x = fixture_memory(f, bytes * (size_t)columns), *out = fixture_memory(f, bytes),
         *factors = fixture_memory(f, (size_t)(batches * columns) * each);
    for (int i = 0; i < batches * rows * columns; i++)
        dtype_from_double(dtype, i % 1009 / 7. - 50, x + (size_t)i * each);
    for (int i = 0; i < batches * columns; i++)
        dtype_from_double(dtype, i % 31 / 3. - 5, factors + (size_t)i * each);
    fixture_run(f, 1, 0, (void *[]){x, factors, out}, NULL);
    fixture_guarded(out, bytes);
    return out;
}

static void check(enum dtype dtype, enum op_code code, int rows, int columns, int vector_bytes)
{
    struct arena *arena = fixture_arena();
    int many = MANY / (rows * columns), few = FEW / (rows * columns);
    size_t bytes = (size_t)(few * rows * dtype_bytes(dtype));
    char *together = reduce(arena, dtype, code, rows, columns, many, vector_bytes),
         *alone = reduce(arena, dtype, code, rows, columns, few, vector_bytes);
    cr_expect(!memcmp(together, alone, bytes), "%s %s %d x %d, vectors of %d bytes",
              op_info(code)->name, dtype_name(dtype), rows, columns, vector_bytes);
    arena_destroy(arena);
}

Test(side_by_side, rows_have_the_bits_of_rows_alone)
{
    static const enum dtype types[] = {DTYPE_F32, DTYPE_F64, DTYPE_BF16,
                                       DTYPE_S32, DTYPE_S8,  DTYPE_C64};
    static const int columns[] = {8, 9, 21, 32, 47};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        for (size_t k = 0; k < sizeof columns / sizeof *columns; k++)
            for (int rows = 3; rows < 20; rows += 7)
                for (int bytes = 16; bytes <= cpu_vector_bytes(); bytes *= 2)
                    check(types[i], OP_add, rows, columns[k], bytes);
}

Test(side_by_side, other_reductions)
{
    check(DTYPE_F32, OP_maximum, 12, 15, cpu_vector_bytes());
    check(DTYPE_F64, OP_minimum, 9, 9, cpu_vector_bytes());
    check(DTYPE_F32, OP_multiply, 8, 8, cpu_vector_bytes());
    check(DTYPE_U16, OP_or, 16, 30, cpu_vector_bytes());
}
