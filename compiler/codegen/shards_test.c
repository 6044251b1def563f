/* Tests the division of a request among modules, and programs of several objects. */
#include "compiler/codegen/shards.h"

#include <stdio.h>

#include "compiler/codegen/codegen_fixture.h"
#include "compiler/codegen/link/objects.h"

enum { KERNELS = 90, LONGEST = 30 };

/* Requests the same fusion, x + count x, under different names. */
struct many {
    struct fixture *f;
    struct codegen_kernel kernels[KERNELS];
    char names[KERNELS][8];
    char *name_list[KERNELS];
    struct codegen_request request;
};

static void many_begin(struct many *m, int kernel_count, int additions)
{
    struct arena *arena = fixture_arena();
    const struct type *type = fixture_type(arena, DTYPE_F32, 1, 8);
    struct fixture *f = fixture_begin(FUSION_LOOP, 1, &type, arena);
    struct value *sum = fixture_arg(f, 0);
    for (int i = 0; i < additions; i++)
        sum = fixture_value(f, OP_add, type, sum, fixture_arg(f, 0));
    fixture_return(f, 1, sum);
    m->f = f;
    m->request = (struct codegen_request){
        .target = &f->target, .kernel_count = kernel_count, .kernels = m->kernels};
    for (int i = 0; i < kernel_count; i++) {
        snprintf(m->names[i], sizeof m->names[i], "k%d", i);
        m->name_list[i] = m->names[i];
        m->kernels[i] = (struct codegen_kernel){.fusion = f->fusion, .name = m->names[i]};
    }
}

Test(shards, have_all_kernels_in_order)
{
    struct many m;
    many_begin(&m, KERNELS, LONGEST);
    struct shard shards[SHARDS_MAX];
    int count = shards_divide(&m.request, shards), next = 0;
    cr_expect(count > 1 && count <= SHARDS_MAX);
    for (int i = 0; i < count; i++) {
        cr_expect_eq(shards[i].first, next);
        cr_expect_gt(shards[i].count, KERNELS / count / 2);
        next += shards[i].count;
    }
    cr_expect_eq(next, KERNELS);
    arena_destroy(m.f->arena);
}

Test(shards, small_requests_have_one)
{
    struct many m;
    many_begin(&m, 3, LONGEST);
    struct shard shards[SHARDS_MAX];
    cr_expect_eq(shards_divide(&m.request, shards), 1);
    cr_expect(shards[0].first == 0 && shards[0].count == 3);
    arena_destroy(m.f->arena);
}

static void expect_sums(struct many *m, kernel_function *const *kernels)
{
    float x[8] = {1, 2, 3, 4, 5, 6, 7, 8}, y[8];
    for (int i = 0; i < KERNELS; i++) {
        cr_expect_eq(m->kernels[i].work, 1);
        kernels[i]((void *[]){x, y}, 0, 1);
        cr_expect_eq(y[7], 8 * (LONGEST + 1));
    }
}

Test(shards, several_objects_are_linked_and_equal_in_every_compilation)
{
    struct many m;
    many_begin(&m, KERNELS, LONGEST);
    void *objects[2], *text = NULL;
    size_t sizes[2];
    kernel_function *kernels[KERNELS];
    uint64_t code_size;
    struct loaded_code *code;
    for (int i = 0; i < 2; i++)
        fixture_check(codegen_compile(m.f->arena, &m.request, &objects[i], &sizes[i]));
    cr_assert_eq(sizes[0], sizes[1]);
    cr_expect(!memcmp(objects[0], objects[1], sizes[0]));
    fixture_check(
        codegen_load(objects[0], sizes[0], KERNELS, m.name_list, kernels, &code_size, &code));
    expect_sums(&m, kernels);
    codegen_unload(code);
    m.request.llvm_ir = &text;
    alloc_free(objects[0]);
    fixture_check(codegen_compile(m.f->arena, &m.request, &objects[0], &sizes[0]));
    cr_expect(strstr(text, "@k0(") && strstr(text, "@k89("));
    alloc_free(text);
    alloc_free(objects[0]);
    alloc_free(objects[1]);
    arena_destroy(m.f->arena);
}

static void expect_refused(struct many *m, const void *bytes, size_t size)
{
    kernel_function *kernels[KERNELS];
    uint64_t code_size;
    struct loaded_code *code;
    struct error *error =
        codegen_load(bytes, size, KERNELS, m->name_list, kernels, &code_size, &code);
    cr_expect_not_null(error);
    cr_expect_null(code);
    error_free(error);
}

Test(shards, damaged_headers_are_refused)
{
    struct many m;
    many_begin(&m, KERNELS, LONGEST);
    void *object;
    size_t size;
    fixture_check(codegen_compile(m.f->arena, &m.request, &object, &size));
    unsigned char *bytes = object;
    for (size_t kept = 0; kept < 64; kept += 3)
        expect_refused(&m, bytes, kept);
    for (size_t at = 8; at < 32; at += 8) { /* number of objects; kernels and size of the first */
        uint64_t before, values[] = {0, 1, UINT64_MAX, INT64_MAX, 1u << 20};
        memcpy(&before, bytes + at, 8);
        for (int i = 0; i < 5; i++) {
            memcpy(bytes + at, &values[i], 8);
            expect_refused(&m, bytes, size);
        }
        memcpy(bytes + at, &before, 8);
    }
    alloc_free(object);
    arena_destroy(m.f->arena);
}

/* The errors of several modules are one. */
Test(shards, the_first_error_is_reported)
{
    struct many m;
    many_begin(&m, KERNELS, LONGEST);
    struct op *unsupported = m.f->fusion->regions[0]->first;
    unsupported->code = OP_custom_call;
    void *object;
    size_t size;
    struct error *error = codegen_compile(m.f->arena, &m.request, &object, &size);
    cr_assert_not_null(error);
    cr_expect_eq(error_code(error), PJRT_Error_Code_UNIMPLEMENTED);
    cr_expect_null(object);
    error_free(error);
    arena_destroy(m.f->arena);
}
