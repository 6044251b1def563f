/* rng_bit_generator against the known-answer tests of the generators' authors, and the placement of
 * words and states; rng within its bounds. */
#include "compiler/codegen/codegen_fixture.h"

static void *generate(enum rng_algorithm algorithm, const struct type *type, uint64_t *state,
                      int states)
{
    struct arena *a = fixture_arena();
    const struct type *of_state = fixture_type(a, DTYPE_U64, 1, states);
    struct fixture *f =
        fixture_begin(FUSION_STANDALONE, 1, (const struct type *const[]){of_state}, a);
    const struct type *types[] = {of_state, type};
    struct value *operand = fixture_arg(f, 0);
    struct op *op = ir_op(f->module, OP_rng_bit_generator, 1, &operand, 2, types, 0);
    op->attrs.rng_bit_generator.rng_algorithm = algorithm;
    ir_append(f->block, op);
    fixture_return(f, 2, &op->results[0], &op->results[1]);
    size_t bytes = (size_t)type_bytes(type);
    uint64_t *next = fixture_memory(f, 24);
    void *out = fixture_memory(f, bytes), *copy;
    fixture_run(f, 0, 1, (void *[]){state, next, out}, NULL);
    fixture_guarded(out, bytes);
    memcpy(state, next, (size_t)states * 8);
    cr_assert_null(alloc_array(bytes ? bytes : 1, 1, (char **)&copy));
    memcpy(copy, out, bytes);
    arena_destroy(a);
    return copy;
}

Test(rng, known_answers)
{
    struct arena *a = fixture_arena();
    uint64_t state[3] = {0, 0, 0};
    uint32_t *words = generate(RNG_THREE_FRY, fixture_type(a, DTYPE_U32, 1, 2), state, 2);
    cr_expect_eq(words[0], 0x6b200159);
    cr_expect_eq(words[1], 0x99ba4efe);
    cr_expect(state[0] == 0 && state[1] == 1);
    alloc_free(words);

    memset(state, 0xFF, sizeof state);
    words = generate(RNG_PHILOX, fixture_type(a, DTYPE_U32, 1, 4), state, 3);
    static const uint32_t ones[] = {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd};
    for (int i = 0; i < 4; i++)
        cr_expect_eq(words[i], ones[i]);
    cr_expect(state[1] == 0 && state[2] == 0, "the counter wraps");
    alloc_free(words);
    arena_destroy(a);
}

/* Arrays of any length and element width start with the same words, however the work is divided. */
Test(rng, words_are_in_order)
{
    struct arena *a = fixture_arena();
    uint64_t state[] = {5, 7}, again[] = {5, 7}, bytes_state[] = {5, 7};
    uint32_t *few = generate(RNG_PHILOX, fixture_type(a, DTYPE_U32, 1, 13), state, 2);
    uint32_t *many = generate(RNG_PHILOX, fixture_type(a, DTYPE_U32, 2, 123, 77), again, 2);
    uint8_t *bytes = generate(RNG_DEFAULT, fixture_type(a, DTYPE_U8, 1, 1001), bytes_state, 2);
    cr_expect(!memcmp(few, many, 13 * 4));
    for (int i = 0; i < 1001; i++)
        cr_expect_eq(bytes[i], (uint8_t)many[i]);
    cr_expect_eq(again[1], 7 + (123 * 77 + 3) / 4);
    alloc_free(few);
    alloc_free(many);
    alloc_free(bytes);
    arena_destroy(a);
}

Test(rng, uniform_numbers_lie_between_the_bounds)
{
    struct arena *a = fixture_arena();
    const struct type *type = fixture_type(a, DTYPE_F32, 1, 1000),
                      *scalar = type_scalar(a, DTYPE_F32);
    const struct type *shape = fixture_type(a, DTYPE_S64, 1, 1);
    struct fixture *f =
        fixture_begin(FUSION_STANDALONE, 3, (const struct type *const[]){scalar, scalar, shape}, a);
    struct op *op = fixture_op(f, f->block, OP_rng, type, 3, fixture_arg(f, 0), fixture_arg(f, 1),
                               fixture_arg(f, 2));
    op->attrs.rng.rng_distribution = RNG_UNIFORM;
    fixture_return(f, 1, &op->results[0]);
    float low = -2, high = 3, *out = fixture_memory(f, 4000);
    double sum = 0;
    fixture_run(f, 0, 0, (void *[]){&low, &high, &(int64_t){1000}, out}, NULL);
    for (int i = 0; i < 1000; i++) {
        cr_expect(out[i] >= low && out[i] < high);
        sum += (double)out[i];
    }
    cr_expect(fabs(sum / 1000 - 0.5) < 0.3);
    arena_destroy(a);
}
