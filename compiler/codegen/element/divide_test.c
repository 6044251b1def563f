/* divide_test.c: quotients and remainders of vectors of integers, which are computed as floats. */
#include "compiler/codegen/codegen_fixture.h"

enum { COUNT = 1 << 16, NEAR = 3 };

/* A number of a type by its bits. */
static int64_t number(enum dtype dtype, uint64_t bits)
{
    switch (dtype) {
    case DTYPE_S8: return (int8_t)bits;
    case DTYPE_U8: return (uint8_t)bits;
    case DTYPE_S16: return (int16_t)bits;
    case DTYPE_U16: return (uint16_t)bits;
    case DTYPE_S32: return (int32_t)bits;
    default: return (uint32_t)bits;
    }
}

/* Multiples of the divisor and their neighbors, as quotients near those are rounded to them. */
static void choose(enum dtype dtype, int i, uint64_t *state, char *x, char *y)
{
    int shift = i % (8 * dtype_bytes(dtype));
    *state = *state * 6364136223846793005ULL + 1442695040888963407ULL;
    int64_t divisor = number(dtype, (*state >> 32) >> shift);
    *state = *state * 6364136223846793005ULL + 1442695040888963407ULL;
    int64_t times = divisor ? number(dtype, UINT64_MAX >> 1) / divisor : 0;
    int64_t value =
        (times - (int64_t)(*state >> 62)) * divisor + (int64_t)(*state >> 33) % NEAR - 1;
    value = i % 7 ? value : number(dtype, *state >> 32);
    memcpy(x, &value, (size_t)dtype_bytes(dtype));
    memcpy(y, &divisor, (size_t)dtype_bytes(dtype));
}

static int64_t at(enum dtype dtype, const char *from, int i)
{
    uint64_t bits = 0;
    memcpy(&bits, from + i * dtype_bytes(dtype), (size_t)dtype_bytes(dtype));
    return number(dtype, bits);
}

static void check(enum dtype dtype, bool exhaustive)
{
    struct arena *arena = fixture_arena();
    const struct type *type = fixture_type(arena, dtype, 1, COUNT);
    struct fixture *f = fixture_begin(FUSION_LOOP, 2, (const struct type *[]){type, type}, arena);
    struct value *x = fixture_arg(f, 0), *y = fixture_arg(f, 1);
    fixture_return(f, 2, fixture_value(f, OP_divide, type, x, y),
                   fixture_value(f, OP_remainder, type, x, y));
    char *buffers[4];
    uint64_t state = 1;
    for (int i = 0; i < 4; i++)
        buffers[i] = fixture_memory(f, (size_t)COUNT * 4);
    for (int i = 0; i < COUNT; i++) {
        char *a = buffers[0] + i * dtype_bytes(dtype), *b = buffers[1] + i * dtype_bytes(dtype);
        choose(dtype, i, &state, a, b);
        if (exhaustive) {
            *a = (char)(i >> 8);
            *b = (char)i;
        }
    }
    fixture_run(f, 1, 0, (void *const *)buffers, NULL);
    for (int i = 0; i < COUNT; i++) {
        int64_t a = at(dtype, buffers[0], i), b = at(dtype, buffers[1], i);
        int64_t quotient = number(dtype, (uint64_t)(b ? a / b : -1));
        cr_assert_eq(at(dtype, buffers[2], i), quotient, "%s %lld / %lld", dtype_name(dtype),
                     (long long)a, (long long)b);
        cr_assert_eq(at(dtype, buffers[3], i), b ? a % b : a, "%s %lld %% %lld", dtype_name(dtype),
                     (long long)a, (long long)b);
    }
    arena_destroy(arena);
}

Test(divide, all_numbers_of_8_bits)
{
    check(DTYPE_S8, true);
    check(DTYPE_U8, true);
}

Test(divide, numbers_near_multiples)
{
    check(DTYPE_S16, false);
    check(DTYPE_U16, false);
    check(DTYPE_S32, false);
    check(DTYPE_U32, false);
}
