/* Programs as bytes: what is written is read again; what is damaged is refused, or read without
 * harm. */
#include "compiler/program/program_io.h"

#include <criterion/criterion.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cpu.h"
#include "base/map.h"
#include "compiler/compile.h"

/* A kernel, a loop of steps, a branch, and a custom call with attributes of every kind. */
static const char text[] =
    "func.func @main(%a: tensor<3xf32>, %i: tensor<i32>) -> (tensor<3xf32>, tensor<4xi8>) {\n"
    "  %one = stablehlo.constant dense<1> : tensor<i32>\n"
    "  %c:2 = stablehlo.custom_call @some_call(%a) {api_version = 4 : i32,\n"
    "      backend_config = {flag = true, numbers = array<i64: 1, 2, 3>, real = 2.5 : f32,\n"
    "          name = \"a name\", nested = {deep = {deeper = 7 : i8}, empty = {}}}}\n"
    "      : (tensor<3xf32>) -> (tensor<3xf32>, tensor<4xi8>)\n"
    "  %w:2 = stablehlo.while(%x = %c#0, %n = %i) : tensor<3xf32>, tensor<i32>\n"
    "    cond {\n"
    "      %p = stablehlo.compare LT, %one, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"
    "      stablehlo.return %p : tensor<i1>\n"
    "    } do {\n"
    "      %y:2 = stablehlo.custom_call @other_call(%x) {api_version = 2 : i32,\n"
    "          backend_config = \"opaque\"} : (tensor<3xf32>) -> (tensor<3xf32>, tensor<4xi8>)\n"
    "      %m = stablehlo.subtract %n, %one : tensor<i32>\n"
    "      %z = stablehlo.sine %y#0 : tensor<3xf32>\n"
    "      stablehlo.return %z, %m : tensor<3xf32>, tensor<i32>\n"
    "    }\n"
    "  return %w#0, %c#1 : tensor<3xf32>, tensor<4xi8>\n"
    "}\n";

static struct target target;

static void setup(void)
{
    target = (struct target){.name = "test",
                             .cores = 1,
                             .vector_bytes = cpu_vector_bytes(),
                             .features = cpu_features(),
                             .cache_bytes = 1 << 20,
                             .alignment = 64};
}

TestSuite(program_io, .init = setup);

static struct program *compiled(void)
{
    struct compile_source source = {"mlir", 4, text, sizeof text - 1, NULL, 0};
    struct program *program;
    struct error *error = compile(&source, &target, &program);
    cr_assert_null(error, "%s", error ? error_message(error, NULL) : "");
    return program;
}

static char *written(const struct program *program, size_t *size)
{
    char *bytes;
    cr_assert_null(program_io_write(program, &target, &bytes, size));
    return bytes;
}

/* Where the checksum lies: a hash of what follows and the size of all. */
static size_t checksum_at(const char *bytes, size_t size)
{
    for (size_t at = 0; at < 256; at += 8) {
        uint64_t both[2];
        memcpy(both, bytes + at, sizeof both);
        if (both[1] == size && both[0] == map_hash(bytes + at + 16, size - at - 16, 0))
            return at;
    }
    cr_assert_fail("no checksum");
    return 0;
}

static const struct call_spec *first_call(const struct step_list *list)
{
    for (int i = 0; i < list->count; i++)
        if (list->steps[i].kind == STEP_CUSTOM_CALL)
            return &list->steps[i].call;
    return NULL;
}

static const struct call_attribute *named(const struct call_attribute *list, int count,
                                          const char *name)
{
    for (int i = 0; i < count; i++)
        if (!strcmp(list[i].name, name))
            return &list[i];
    cr_assert_fail("no attribute %s", name);
    return NULL;
}

Test(program_io, what_is_written_is_read_and_written_again)
{
    struct program *program = compiled(), *again;
    size_t size, other;
    char *bytes = written(program, &size);
    cr_assert_null(program_io_read(bytes, size, &target, &again));
    char *more = written(again, &other);
    cr_assert(size == other && !memcmp(bytes, more, size));
    const struct call_spec *call = first_call(&again->steps);
    cr_assert(call && !strcmp(call->target, "some_call") && call->api_version == 4);
    const struct call_attribute *a = call->attributes;
    int count = call->attribute_count;
    cr_assert_eq(count, 5);
    cr_expect_eq(*(const char *)named(a, count, "flag")->data, 1);
    cr_expect_eq(*(const float *)named(a, count, "real")->data, 2.5F);
    const struct call_attribute *name = named(a, count, "name");
    cr_expect(name->size == 6 && !memcmp(name->data, "a name", 6));
    cr_expect_arr_eq(named(a, count, "numbers")->data, ((int64_t[]){1, 2, 3}), 24);
    const struct call_attribute *nested = named(a, count, "nested");
    cr_assert(nested->kind == CALL_DICTIONARY && nested->count == 2);
    cr_expect_eq(named(nested->entries, 2, "empty")->count, 0);
    const struct call_attribute *deep = named(nested->entries, 2, "deep");
    cr_expect_eq(*(const char *)named(deep->entries, 1, "deeper")->data, 7);
    alloc_free(bytes);
    alloc_free(more);
    program_release(program);
    program_release(again);
    cr_assert_eq(alloc_live(), 0);
}

Test(program_io, what_is_cut_or_changed_is_refused)
{
    struct program *program = compiled(), *out;
    size_t size;
    char *bytes = written(program, &size);
    program_release(program);
    for (size_t cut = 0; cut < size; cut += 1 + cut / 50) {
        struct error *error = program_io_read(bytes, cut, &target, &out);
        cr_assert(error_code(error) == PJRT_Error_Code_INVALID_ARGUMENT && !out);
        error_free(error);
    }
    for (size_t at = 0; at < size; at += 1 + at / 50) {
        bytes[at] ^= 0x10;
        struct error *error = program_io_read(bytes, size, &target, &out);
        cr_assert(error_code(error) == PJRT_Error_Code_INVALID_ARGUMENT && !out, "byte %zu", at);
        error_free(error);
        bytes[at] ^= 0x10;
    }
    target.name = "another";
    struct error *error = program_io_read(bytes, size, &target, &out);
    cr_assert_eq(error_code(error), PJRT_Error_Code_INVALID_ARGUMENT);
    error_free(error);
    alloc_free(bytes);
    cr_assert_eq(alloc_live(), 0);
}

/* Fields that a checksum of their own makes look whole: an error or a program, and no harm. */
Test(program_io, fields_are_checked_behind_the_checksum)
{
    static const unsigned char masks[] = {0x01, 0x80, 0xFF};
    struct program *program = compiled(), *out;
    size_t size, refused = 0;
    char *bytes = written(program, &size);
    program_release(program);
    size_t check = checksum_at(bytes, size), first = check + 16;
    for (size_t at = first; at < size; at++) {
        char before = bytes[at];
        bytes[at] = (char)(before ^ masks[at % 3]);
        uint64_t hash = map_hash(bytes + first, size - first, 0);
        memcpy(bytes + check, &hash, sizeof hash);
        struct error *error = program_io_read(bytes, size, &target, &out);
        refused += error != NULL;
        error_free(error);
        if (out)
            program_release(out);
        bytes[at] = before;
    }
    cr_expect_gt(refused, size / 50);
    alloc_free(bytes);
    cr_assert_eq(alloc_live(), 0);
}

Test(program_io, every_allocation_may_fail)
{
    struct program *program = compiled(), *out;
    size_t size;
    char *bytes = written(program, &size), *more;
    int64_t live = alloc_live();
    struct error *error = NULL;
    for (int n = 1; n == 1 || error; n++) {
        error_free(error);
        alloc_fail_at(n);
        error = program_io_read(bytes, size, &target, &out);
        alloc_fail_at(0);
        cr_assert(!error || error_code(error) == PJRT_Error_Code_RESOURCE_EXHAUSTED);
        cr_assert(!error || alloc_live() == live, "allocation %d", n);
        cr_assert_lt(n, 10000);
    }
    program_release(out);
    for (int n = 1; n == 1 || error; n++) {
        error_free(error);
        alloc_fail_at(n);
        error = program_io_write(program, &target, &more, &size);
        alloc_fail_at(0);
        cr_assert(!error || alloc_live() == live, "allocation %d", n);
    }
    alloc_free(more);
    alloc_free(bytes);
    program_release(program);
    cr_assert_eq(alloc_live(), 0);
}
