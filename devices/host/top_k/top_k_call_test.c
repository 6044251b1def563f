/* top_k_call_test.c: the custom call gantry_top_k. */
#include "devices/host/top_k/top_k_call.h"

#include <criterion/criterion.h>

#include "devices/host/builtin_calls.h"

#define NAME "gantry_top_k"

struct call {
    struct call_value values[3];
    struct call_spec spec;
};

static void make(struct call *c, const char *config, enum dtype dtype, int rank, const int64_t *in,
                 const int64_t *out)
{
    *c = (struct call){
        .values = {
            {.shape = {.dtype = dtype, .rank = rank, .dims = (int64_t *)in}, .slice = 0},
            {.shape = {.dtype = dtype, .rank = rank, .dims = (int64_t *)out}, .slice = 1},
            {.shape = {.dtype = DTYPE_S32, .rank = rank, .dims = (int64_t *)out}, .slice = 2}}};
    c->spec = (struct call_spec){.target = (char *)NAME,
                                 .config = (char *)config,
                                 .config_size = strlen(config),
                                 .operand_count = 1,
                                 .value_count = 3,
                                 .values = c->values};
}

Test(top_k_call, every_row)
{
    enum { ROWS = 2 * 700, LENGTH = 300, K = 2 };
    static int16_t in[ROWS][LENGTH], values[ROWS][K];
    static int32_t positions[ROWS][K];
    const struct custom_call_handler *handler = builtin_calls_find(NAME, sizeof NAME - 1);
    struct call c;
    make(&c, "ST", DTYPE_S16, 3, (int64_t[]){2, 700, LENGTH}, (int64_t[]){2, 700, K});
    for (int r = 0; r < ROWS; r++) {
        in[r][r % LENGTH] = (int16_t)(-r - 2);
        in[r][(r + 9) % LENGTH] = -1;
    }
    struct custom_call call = {.spec = &c.spec, .data = (void *[]){in, values, positions}};
    cr_assert_null(handler->instantiate(handler->user, &c.spec, &call.state));
    cr_assert_null(handler->run(handler->user, &call));
    handler->drop(call.state);
    for (int r = 0; r < ROWS; r++) {
        cr_assert(values[r][0] == -r - 2 && values[r][1] == -1, "%d", r);
        cr_assert(positions[r][0] == r % LENGTH && positions[r][1] == (r + 9) % LENGTH, "%d", r);
    }
}

static void refused(const struct call *c)
{
    void *state;
    struct error *error = top_k_call_instantiate(NULL, &c->spec, &state);
    cr_assert(error && error_code(error) == PJRT_Error_Code_INVALID_ARGUMENT);
    cr_expect_null(state);
    error_free(error);
    top_k_call_drop(state);
}

/* A serialized program may say anything. */
Test(top_k_call, what_does_not_fit_is_refused)
{
    static const int64_t in[] = {4, 9}, out[] = {4, 3}, more[] = {4, 10}, rows[] = {5, 3};
    struct call c;
    make(&c, "LT", DTYPE_F32, 2, in, more);
    refused(&c);
    make(&c, "LT", DTYPE_F32, 2, in, rows);
    refused(&c);
    make(&c, "LT", DTYPE_F64, 2, in, out);
    refused(&c);
    make(&c, "L", DTYPE_F32, 2, in, out);
    refused(&c);
    make(&c, "XT", DTYPE_F32, 2, in, out);
    refused(&c);
    make(&c, "LT", DTYPE_F32, 0, NULL, NULL);
    refused(&c);
    make(&c, "LT", DTYPE_F32, 2, in, out);
    c.values[2].shape.dtype = DTYPE_S64;
    refused(&c);
    make(&c, "LT", DTYPE_F32, 2, in, out);
    c.values[2].shape.dims = (int64_t *)in;
    refused(&c);
    make(&c, "LT", DTYPE_F32, 2, in, out);
    c.spec.value_count = 2;
    refused(&c);
}
