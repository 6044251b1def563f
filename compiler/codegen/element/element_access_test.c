/* element_access_test.c: where loads are. */
#include "compiler/codegen/element/element.h"

#include <stdio.h>

#include "compiler/codegen/codegen_fixture.h"

/* -x, behind `before` zeros. */
static struct fixture *padded(int before, int size)
{
    struct arena *arena = fixture_arena();
    const struct type *from = fixture_type(arena, DTYPE_F32, 1, size),
                      *to = fixture_type(arena, DTYPE_F32, 1, before + size);
    struct fixture *f = fixture_begin(FUSION_LOOP, 1, &from, arena);
    struct op *pad = fixture_op(f, f->block, OP_pad, to, 2, fixture_arg(f, 0),
                                fixture_constant(f, type_scalar(arena, DTYPE_F32), 0));
    pad->attrs.pad.edge_padding_low = fixture_dims(f, 1, before);
    pad->attrs.pad.edge_padding_high = fixture_dims(f, 1, 0);
    pad->attrs.pad.interior_padding = fixture_dims(f, 1, 0);
    fixture_return(f, 1, fixture_value(f, OP_negate, to, &pad->results[0], NULL));
    return f;
}

/* Whether the code has an address in front of an array. */
static bool has_negative_offset(struct fixture *f, int before)
{
    char offset[32];
    snprintf(offset, sizeof offset, "i64 -%d", before);
    return fixture_count_in_ir(f, offset) > 0;
}

/* A masked load of a page that does not exist takes long, also where lanes there are disabled. */
Test(element_access, loads_begin_with_the_first_element_that_is_needed)
{
    for (int before = 1; before < 8; before++)
        for (int size = 1; before + size < 14; size++) {
            struct fixture *f = padded(before, size);
            cr_expect_not(has_negative_offset(f, before), "%d before %d", before, size);
            float *x = fixture_memory(f, (size_t)size * sizeof *x);
            float *out = fixture_memory(f, (size_t)(before + size) * sizeof *out);
            for (int i = 0; i < size; i++)
                x[i] = (float)i + 1;
            for (int tier = 0; tier < CODEGEN_TIERS; tier++) {
                fixture_run(f, tier, 0, (void *[]){x, out}, NULL);
                fixture_guarded(out, (size_t)(before + size) * sizeof *out);
                for (int i = 0; i < before + size; i++)
                    cr_expect_eq(out[i], i < before ? 0 : (float)(before - i) - 1,
                                 "tier %d, %d of %d behind %d: %g", tier, i, size, before, out[i]);
            }
            arena_destroy(f->arena);
        }
}
