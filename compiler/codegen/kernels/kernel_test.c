/* kernel_test.c: what holds for the functions of all kinds of kernels. */
#include "compiler/codegen/kernels/kernel.h"

#include "compiler/codegen/codegen_fixture.h"

/* At tier 0, which keeps what loops change on the stack. */
static bool aligns_its_stack(struct fixture *f)
{
    struct codegen_kernel kernel = {.fusion = f->fusion, .name = "k0", .tier = 0};
    void *object, *assembly = NULL;
    struct codegen_request request = {
        .target = &f->target, .kernel_count = 1, .kernels = &kernel, .assembly = &assembly};
    size_t size;
    fixture_check(codegen_compile(f->arena, &request, &object, &size));
    bool aligns = strstr(assembly, "andq\t$-") != NULL;
    alloc_free(assembly);
    alloc_free(object);
    return aligns;
}

Test(kernel, vectors_on_the_stack_do_not_cross_cache_lines)
{
    struct arena *arena = fixture_arena();
    const struct type *type = fixture_type(arena, DTYPE_F32, 1, 1024),
                      *scalar = fixture_type(arena, DTYPE_F32, 0);
    struct fixture *f = fixture_begin(FUSION_LOOP, 1, &type, arena);
    struct value *zero = fixture_constant(f, scalar, 0);
    fixture_return(
        f, 1, fixture_reduce(f, fixture_arg(f, 0), zero, OP_add, scalar, fixture_dims(f, 1, 0)));
    bool is_aligned_by_callers = f->target.isa.vector_bytes <= 16;
    cr_expect(is_aligned_by_callers || aligns_its_stack(f));
    arena_destroy(arena);
}
