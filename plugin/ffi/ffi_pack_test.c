/* Elements of 2 and 4 bits as handlers see them, and back. */
#include "plugin/ffi/ffi_pack.h"

#include <criterion/criterion.h>
#include <string.h>

#include "base/alloc.h"

static int64_t five[] = {5}, six[] = {2, 3};

struct packed_case {
    enum dtype dtype;
    int64_t *dims;
    int rank, count;
    unsigned char plain[6], packed[3];
};

static const struct packed_case cases[] = {
    {DTYPE_S4, five, 1, 5, {1, 0xFE, 7, 0xF8, 0xFF}, {0xE1, 0x87, 0x0F}},
    {DTYPE_U4, six, 2, 6, {1, 14, 7, 8, 15, 0}, {0xE1, 0x87, 0x0F}},
    {DTYPE_S2, five, 1, 5, {1, 0xFE, 0xFF, 0, 1}, {0x39, 0x01}},
    {DTYPE_U2, six, 2, 6, {1, 2, 3, 0, 1, 3}, {0x39, 0x0D}},
};

Test(ffi_pack, operands_are_packed_and_results_unpacked)
{
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct packed_case *c = &cases[i];
        unsigned char from[6], to[6] = {0};
        float plain = 1.5F;
        memcpy(from, c->plain, sizeof from);
        struct call_value values[] = {
            {.shape = {.dtype = c->dtype, .rank = c->rank, .dims = c->dims}, .slice = 0},
            {.shape = {.dtype = DTYPE_F32, .rank = 0, .dims = NULL}, .slice = 1},
            {.shape = {.dtype = c->dtype, .rank = c->rank, .dims = c->dims}, .slice = 2}};
        struct call_spec spec = {.operand_count = 2, .value_count = 3, .values = values};
        void *data[] = {from, &plain, to};
        struct custom_call call = {.spec = &spec, .data = data};
        struct ffi_pack pack;
        cr_assert_null(ffi_pack_begin(&call, &pack));
        size_t bytes = ((size_t)c->count * (size_t)dtype_info(c->dtype)->bits + 7) / 8;
        cr_expect_arr_eq(pack.data[0], c->packed, bytes, "%s", dtype_name(c->dtype));
        cr_expect_eq(pack.data[1], &plain);
        memcpy(pack.data[2], pack.data[0], bytes); /* what a handler writes */
        ffi_pack_end(&call, &pack, true);
        cr_expect_arr_eq(to, c->plain, (size_t)c->count, "%s", dtype_name(c->dtype));
    }
    cr_assert_eq(alloc_live(), 0);
}

Test(ffi_pack, values_in_the_same_memory_share_their_packed_form)
{
    unsigned char bytes[] = {3, 0xFD, 1, 2, 0xFF};
    struct call_value values[] = {
        {.shape = {.dtype = DTYPE_S4, .rank = 1, .dims = five}, .slice = 0},
        {.shape = {.dtype = DTYPE_S4, .rank = 1, .dims = five}, .slice = 0}};
    struct call_spec spec = {.operand_count = 1, .value_count = 2, .values = values};
    void *data[] = {bytes, bytes};
    struct custom_call call = {.spec = &spec, .data = data};
    struct ffi_pack pack;
    cr_assert_null(ffi_pack_begin(&call, &pack));
    cr_assert_eq(pack.data[0], pack.data[1]);
    *(unsigned char *)pack.data[0] = 0x81;
    ffi_pack_end(&call, &pack, true);
    cr_expect_arr_eq(bytes, ((unsigned char[]){1, 0xF8, 1, 2, 0xFF}), 5);
    cr_assert_eq(alloc_live(), 0);
}

Test(ffi_pack, nothing_is_written_after_a_failure_or_copied_without_need)
{
    unsigned char bytes[] = {1, 2, 3, 4, 5};
    struct call_value values[] = {
        {.shape = {.dtype = DTYPE_U4, .rank = 1, .dims = five}, .slice = 0}};
    struct call_spec spec = {.value_count = 1, .values = values};
    void *data[] = {bytes};
    struct custom_call call = {.spec = &spec, .data = data};
    struct ffi_pack pack;
    cr_assert_null(ffi_pack_begin(&call, &pack));
    memset(pack.data[0], 0, 3);
    ffi_pack_end(&call, &pack, false);
    cr_expect_arr_eq(bytes, ((unsigned char[]){1, 2, 3, 4, 5}), 5);
    values[0].shape.dtype = DTYPE_U8;
    cr_assert_null(ffi_pack_begin(&call, &pack));
    cr_assert(pack.data == data && !pack.any);
    ffi_pack_end(&call, &pack, true);
    cr_assert_eq(alloc_live(), 0);
}

Test(ffi_pack, memory_may_run_out)
{
    unsigned char bytes[10] = {0};
    struct call_value values[] = {
        {.shape = {.dtype = DTYPE_S4, .rank = 1, .dims = five}, .slice = 0},
        {.shape = {.dtype = DTYPE_S4, .rank = 1, .dims = five}, .slice = 1}};
    struct call_spec spec = {.operand_count = 1, .value_count = 2, .values = values};
    void *data[] = {bytes, bytes + 5};
    struct custom_call call = {.spec = &spec, .data = data};
    for (int n = 1; n <= 3; n++) {
        struct ffi_pack pack;
        alloc_fail_at(n);
        struct error *error = ffi_pack_begin(&call, &pack);
        alloc_fail_at(0);
        cr_assert_eq(error_code(error), PJRT_Error_Code_RESOURCE_EXHAUSTED);
        error_free(error);
        cr_assert_eq(alloc_live(), 0);
    }
}
