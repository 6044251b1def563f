/* Serialization: programs survive a round trip; damaged bytes are rejected, or read without memory
 * errors. */
#include "compiler/program/program_io.h"

#include <criterion/criterion.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cpu.h"
#include "base/map.h"
#include "compiler/codegen_library.h"
#include "compiler/compile.h"
#include "compiler/export/export_hlo.h"
#include "compiler/program/program_check.h"
#include "compiler/target_fixture.h"

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
                             .isa = isa_of(cpu_features()),
                             .cache_bytes = 1 << 20,
                             .alignment = 64,
                             .supports_dot = target_fixture_supports_dot,
                             .supports_convolution = target_fixture_supports_convolution,
                             .supports_attention = true,
                             .fft_scratch = target_fixture_fft_scratch};
}

TestSuite(program_io, .init = setup);

static struct program *compiled_from(const char *source_text, size_t size)
{
    struct compile_source source = {
        .format = "mlir", .format_size = 4, .bytes = source_text, .size = size};
    struct program *program;
    struct error *error = compile(&source, &target, &program);
    cr_assert_null(error, "%s", error ? error_message(error, NULL) : "");
    return program;
}

static struct program *compiled(void)
{
    return compiled_from(text, sizeof text - 1);
}

static char *written(const struct program *program, size_t *size)
{
    char *bytes;
    cr_assert_null(program_io_write(program, target.name, &bytes, size));
    return bytes;
}

/* The offset of the checksum: a hash of the following bytes, and the total size. */
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

static void same_plan(const struct program *a, const struct program *b)
{
    cr_assert_eq(a->buffer_count, b->buffer_count);
    cr_expect_gt(a->buffer_count, 0);
    for (int i = 0; i < a->buffer_count; i++) {
        const struct program_buffer *x = &a->buffers[i], *y = &b->buffers[i];
        cr_expect(x->slice.allocation == y->slice.allocation &&
                  x->slice.offset == y->slice.offset && x->slice.size == y->slice.size &&
                  x->first == y->first && x->last == y->last);
        cr_expect_str_eq(x->contents, y->contents);
    }
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
    cr_assert_null(program_io_read(bytes, size, target.name, &again));
    char *more = written(again, &other);
    cr_assert(size == other && !memcmp(bytes, more, size));
    same_plan(program, again);
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
        struct error *error = program_io_read(bytes, cut, target.name, &out);
        cr_assert(error_code(error) == PJRT_Error_Code_INVALID_ARGUMENT && !out);
        error_free(error);
    }
    for (size_t at = 0; at < size; at += 1 + at / 50) {
        bytes[at] ^= 0x10;
        struct error *error = program_io_read(bytes, size, target.name, &out);
        cr_assert(error_code(error) == PJRT_Error_Code_INVALID_ARGUMENT && !out, "byte %zu", at);
        error_free(error);
        bytes[at] ^= 0x10;
    }
    target.name = "another";
    struct error *error = program_io_read(bytes, size, target.name, &out);
    cr_assert_eq(error_code(error), PJRT_Error_Code_INVALID_ARGUMENT);
    error_free(error);
    alloc_free(bytes);
    cr_assert_eq(alloc_live(), 0);
}

/* A cached program from another processor, with one feature more or one feature less. */
Test(program_io, code_for_another_processor_is_refused)
{
    struct program *program = compiled(), *out;
    size_t size;
    char *bytes = written(program, &size);
    uint64_t here = cpu_feature_bits(),
             other[] = {here ^ 1, here | (uint64_t)1 << 40, here ^ 1 << 4};
    program_release(program);
    for (int i = 0; i < 3; i++) {
        memcpy(bytes + 48, &other[i], sizeof here);
        struct error *error = program_io_read(bytes, size, target.name, &out);
        cr_assert(error_code(error) == PJRT_Error_Code_INVALID_ARGUMENT && !out);
        const char *name = i == 0 ? "'avx2'" : i == 1 ? "GANTRY_ISA" : "'avx512f,";
        cr_assert_not_null(strstr(error_message(error, NULL), name), "%s",
                           error_message(error, NULL));
        error_free(error);
    }
    memcpy(bytes + 48, &here, sizeof here);
    cr_assert_null(program_io_read(bytes, size, target.name, &out));
    program_release(out);
    alloc_free(bytes);
}

/* Code that flushes denormals is shorter: it would be wrong where they are kept. */
Test(program_io, code_for_another_treatment_of_denormals_is_refused)
{
    struct program *program = compiled(), *out;
    size_t size;
    char *bytes = written(program, &size);
    program_release(program);
    bytes[56] ^= 1;
    struct error *error = program_io_read(bytes, size, target.name, &out);
    cr_assert(error_code(error) == PJRT_Error_Code_INVALID_ARGUMENT && !out);
    cr_assert_not_null(strstr(error_message(error, NULL), "GANTRY_DENORMALS"));
    error_free(error);
    alloc_free(bytes);
}

/* Corrupted fields with a valid checksum: an error or a program, without memory errors. */
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
        struct error *error = program_io_read(bytes, size, target.name, &out);
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

/* ---- hostile fields -------------------------------------------------------------------------- */
/* Products, a convolution, a branch, host transfers, a donated argument, layouts, and a
 * transform. */
static const char rich[] =
    "module @rich {\n"
    "func.func @main(%a: tensor<64x64xf64> {tf.aliasing_output = 0 : i32},\n"
    "    %b: tensor<64x64xf64> {mhlo.layout_mode = \"{0,1}\"}, %i: tensor<i32>,\n"
    "    %x: tensor<4x32x32x16xf32>, %k: tensor<3x3x16x32xf32>, %t: !stablehlo.token,\n"
    "    %l: tensor<65536xcomplex<f32>>) -> (tensor<64x64xf64>, tensor<4x32x32x32xf32>,\n"
    "    tensor<8xf32>, tensor<65536xcomplex<f32>>) {\n"
    "  %f = stablehlo.fft %l, type = FFT, length = [65536] : (tensor<65536xcomplex<f32>>)\n"
    "      -> tensor<65536xcomplex<f32>>\n"
    "  %w = stablehlo.constant dense<\"0x000000000000F03F0000000000000040\"> : tensor<2xf64>\n"
    "  %d = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0]\n"
    "      : (tensor<64x64xf64>, tensor<64x64xf64>) -> tensor<64x64xf64>\n"
    "  %e = \"stablehlo.case\"(%i) ({\n"
    "    %0 = stablehlo.dot_general %d, %b, contracting_dims = [1] x [0]\n"
    "        : (tensor<64x64xf64>, tensor<64x64xf64>) -> tensor<64x64xf64>\n"
    "    stablehlo.return %0 : tensor<64x64xf64>\n"
    "  }, {\n"
    "    %1 = stablehlo.sine %d : tensor<64x64xf64>\n"
    "    stablehlo.return %1 : tensor<64x64xf64>\n"
    "  }) : (tensor<i32>) -> tensor<64x64xf64>\n"
    "  %c = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],\n"
    "      window = {stride = [1, 1], pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64,\n"
    "      feature_group_count = 1 : i64}\n"
    "      : (tensor<4x32x32x16xf32>, tensor<3x3x16x32xf32>) -> tensor<4x32x32x32xf32>\n"
    "  %s = \"stablehlo.send\"(%e, %t) {channel_handle = #stablehlo.channel_handle<handle = 5,\n"
    "      type = 2>, is_host_transfer = true} : (tensor<64x64xf64>, !stablehlo.token)\n"
    "      -> !stablehlo.token\n"
    "  %r:2 = \"stablehlo.recv\"(%s) {channel_handle = #stablehlo.channel_handle<handle = 6,\n"
    "      type = 3>, is_host_transfer = true} : (!stablehlo.token)\n"
    "      -> (tensor<8xf32>, !stablehlo.token)\n"
    "  return %e, %c, %r#0, %f : tensor<64x64xf64>, tensor<4x32x32x32xf32>, tensor<8xf32>,\n"
    "      tensor<65536xcomplex<f32>>\n"
    "}\n}\n";

/* The gradient of attention with a mask that is an argument. */
static const char attention_backward[] =
    "func.func @main(%q: tensor<256x8xf32>, %k: tensor<256x8xf32>, %v: tensor<256x8xf32>,\n"
    "    %g: tensor<256x8xf32>, %mask: tensor<256x256xi1>)\n"
    "    -> (tensor<256x8xf32>, tensor<256x8xf32>, tensor<256x8xf32>) {\n"
    "  %scores = stablehlo.dot_general %q, %k, contracting_dims = [1] x [1]\n"
    "      : (tensor<256x8xf32>, tensor<256x8xf32>) -> tensor<256x256xf32>\n"
    "  %hidden = stablehlo.constant dense<-1.000000e+09> : tensor<256x256xf32>\n"
    "  %s = stablehlo.select %mask, %scores, %hidden : tensor<256x256xi1>, tensor<256x256xf32>\n"
    "  %lowest = stablehlo.constant dense<0xFF800000> : tensor<f32>\n"
    "  %zero = stablehlo.constant dense<0.000000e+00> : tensor<f32>\n"
    "  %max = stablehlo.reduce(%s init: %lowest) applies stablehlo.maximum\n"
    "      across dimensions = [1] : (tensor<256x256xf32>, tensor<f32>) -> tensor<256xf32>\n"
    "  %m = stablehlo.broadcast_in_dim %max, dims = [0] : (tensor<256xf32>) -> "
    "tensor<256x256xf32>\n"
    "  %shifted = stablehlo.subtract %s, %m : tensor<256x256xf32>\n"
    "  %e = stablehlo.exponential %shifted : tensor<256x256xf32>\n"
    "  %sum = stablehlo.reduce(%e init: %zero) applies stablehlo.add\n"
    "      across dimensions = [1] : (tensor<256x256xf32>, tensor<f32>) -> tensor<256xf32>\n"
    "  %t = stablehlo.broadcast_in_dim %sum, dims = [0] : (tensor<256xf32>) -> "
    "tensor<256x256xf32>\n"
    "  %weights = stablehlo.divide %e, %t : tensor<256x256xf32>\n"
    "  %change = stablehlo.dot_general %g, %v, contracting_dims = [1] x [1]\n"
    "      : (tensor<256x8xf32>, tensor<256x8xf32>) -> tensor<256x256xf32>\n"
    "  %terms = stablehlo.multiply %weights, %change : tensor<256x256xf32>\n"
    "  %mean = stablehlo.reduce(%terms init: %zero) applies stablehlo.add\n"
    "      across dimensions = [1] : (tensor<256x256xf32>, tensor<f32>) -> tensor<256xf32>\n"
    "  %n = stablehlo.broadcast_in_dim %mean, dims = [0] : (tensor<256xf32>) -> "
    "tensor<256x256xf32>\n"
    "  %d = stablehlo.subtract %change, %n : tensor<256x256xf32>\n"
    "  %gradient = stablehlo.multiply %d, %weights : tensor<256x256xf32>\n"
    "  %dv = stablehlo.dot_general %weights, %g, contracting_dims = [0] x [0]\n"
    "      : (tensor<256x256xf32>, tensor<256x8xf32>) -> tensor<256x8xf32>\n"
    "  %dq = stablehlo.dot_general %gradient, %k, contracting_dims = [1] x [0]\n"
    "      : (tensor<256x256xf32>, tensor<256x8xf32>) -> tensor<256x8xf32>\n"
    "  %dk = stablehlo.dot_general %gradient, %q, contracting_dims = [0] x [0]\n"
    "      : (tensor<256x256xf32>, tensor<256x8xf32>) -> tensor<256x8xf32>\n"
    "  return %dq, %dk, %dv : tensor<256x8xf32>, tensor<256x8xf32>, tensor<256x8xf32>\n"
    "}\n";

/* Attention with a mask that is an argument. */
static const char attention[] =
    "func.func @main(%q: tensor<128x8xf32>, %k: tensor<128x8xf32>, %v: tensor<128x8xf32>,\n"
    "    %mask: tensor<128x128xi1>) -> tensor<128x8xf32> {\n"
    "  %scores = stablehlo.dot_general %q, %k, contracting_dims = [1] x [1]\n"
    "      : (tensor<128x8xf32>, tensor<128x8xf32>) -> tensor<128x128xf32>\n"
    "  %hidden = stablehlo.constant dense<-1.000000e+09> : tensor<128x128xf32>\n"
    "  %s = stablehlo.select %mask, %scores, %hidden : tensor<128x128xi1>, tensor<128x128xf32>\n"
    "  %lowest = stablehlo.constant dense<0xFF800000> : tensor<f32>\n"
    "  %zero = stablehlo.constant dense<0.000000e+00> : tensor<f32>\n"
    "  %max = stablehlo.reduce(%s init: %lowest) applies stablehlo.maximum\n"
    "      across dimensions = [1] : (tensor<128x128xf32>, tensor<f32>) -> tensor<128xf32>\n"
    "  %m = stablehlo.broadcast_in_dim %max, dims = [0] : (tensor<128xf32>) -> "
    "tensor<128x128xf32>\n"
    "  %shifted = stablehlo.subtract %s, %m : tensor<128x128xf32>\n"
    "  %e = stablehlo.exponential %shifted : tensor<128x128xf32>\n"
    "  %sum = stablehlo.reduce(%e init: %zero) applies stablehlo.add\n"
    "      across dimensions = [1] : (tensor<128x128xf32>, tensor<f32>) -> tensor<128xf32>\n"
    "  %t = stablehlo.broadcast_in_dim %sum, dims = [0] : (tensor<128xf32>) -> "
    "tensor<128x128xf32>\n"
    "  %w = stablehlo.divide %e, %t : tensor<128x128xf32>\n"
    "  %r = stablehlo.dot_general %w, %v, contracting_dims = [1] x [0]\n"
    "      : (tensor<128x128xf32>, tensor<128x8xf32>) -> tensor<128x8xf32>\n"
    "  return %r : tensor<128x8xf32>\n"
    "}\n";

static const uint64_t hostile[] = {0,
                                   1,
                                   3,
                                   1000,
                                   65536,
                                   INT32_MAX,
                                   UINT32_MAX,
                                   (uint64_t)INT32_MIN,
                                   (UINT64_C(1) << 32) + 1,
                                   UINT64_C(1) << 40,
                                   INT64_MAX,
                                   UINT64_C(1) << 63,
                                   UINT64_MAX};

/* Bytes with a valid checksum: an error, or a program whose every field is in range. */
static bool is_rejected(char *bytes, size_t size, size_t check)
{
    struct program *out;
    char *hlo;
    size_t hlo_size, first = check + 16;
    uint64_t hash = map_hash(bytes + first, size - first, 0);
    memcpy(bytes + check, &hash, sizeof hash);
    struct error *error = program_io_read(bytes, size, target.name, &out);
    cr_assert(!error == (out != NULL));
    if (error) {
        enum { REFUSED = PJRT_Error_Code_INVALID_ARGUMENT };
        cr_assert_eq(error_code(error), REFUSED, "%s", error_message(error, NULL));
        error_free(error);
        return true;
    }
    cr_assert_null(program_check(out));
    error_free(codegen_library_load(out));
    /* reads everything that is reported to clients */
    cr_assert_null(export_hlo(out, &hlo, &hlo_size));
    alloc_free(hlo);
    program_release(out);
    return false;
}

static void try_hostile_words(const char *source, size_t source_size)
{
    struct program *program = compiled_from(source, source_size);
    size_t size, refused = 0, tried = 0;
    char *bytes = written(program, &size);
    char *code = memmem(bytes, size, program->object, program->object_size);
    size_t check = checksum_at(bytes, size), code_size = program->object_size;
    program_release(program);
    for (size_t at = check + 16; at + 8 <= size; at++) {
        uint64_t before;
        if (bytes + at == code)
            at += code_size; /* trusted */
        memcpy(&before, bytes + at, sizeof before);
        for (size_t i = 0; i < sizeof hostile / sizeof *hostile; i++, tried++) {
            memcpy(bytes + at, &hostile[i], sizeof before);
            refused += is_rejected(bytes, size, check);
        }
        memcpy(bytes + at, &before, sizeof before);
    }
    cr_expect_gt(refused, tried / 5);
    alloc_free(bytes);
    cr_assert_eq(alloc_live(), 0);
}

Test(program_io, hostile_words_behind_the_checksum)
{
    try_hostile_words(text, sizeof text - 1);
}

Test(program_io, hostile_words_of_products_transfers_and_layouts)
{
    try_hostile_words(rich, sizeof rich - 1);
}

Test(program_io, hostile_words_of_attention)
{
    struct program *program = compiled_from(attention, sizeof attention - 1);
    cr_expect_eq(program->steps.steps[program->steps.count - 1].kind, STEP_ATTENTION);
    program_release(program);
    try_hostile_words(attention, sizeof attention - 1);
}

Test(program_io, hostile_words_of_the_gradient_of_attention)
{
    size_t size = sizeof attention_backward - 1;
    struct program *program = compiled_from(attention_backward, size);
    cr_expect_eq(program->steps.steps[program->steps.count - 1].kind, STEP_ATTENTION_BACKWARD);
    program_release(program);
    try_hostile_words(attention_backward, size);
}

Test(program_io, bytes_that_follow_are_refused)
{
    struct program *program = compiled();
    size_t size;
    char *bytes = written(program, &size);
    cr_assert_null(alloc_resize(&bytes, size + 8));
    memset(bytes + size, 0, 8);
    size_t check = checksum_at(bytes, size);
    uint64_t whole = size + 8;
    memcpy(bytes + check + 8, &whole, sizeof whole);
    cr_expect(is_rejected(bytes, size + 8, check));
    alloc_free(bytes);
    program_release(program);
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
        error = program_io_read(bytes, size, target.name, &out);
        alloc_fail_at(0);
        cr_assert(!error || error_code(error) == PJRT_Error_Code_RESOURCE_EXHAUSTED);
        cr_assert(!error || alloc_live() == live, "allocation %d", n);
        cr_assert_lt(n, 10000);
    }
    program_release(out);
    for (int n = 1; n == 1 || error; n++) {
        error_free(error);
        alloc_fail_at(n);
        error = program_io_write(program, target.name, &more, &size);
        alloc_fail_at(0);
        cr_assert(!error || alloc_live() == live, "allocation %d", n);
    }
    alloc_free(more);
    alloc_free(bytes);
    program_release(program);
    cr_assert_eq(alloc_live(), 0);
}

/* A product with a matrix of a stack: its slice is moved by an index. */
Test(program_io, offsets_of_slices_are_kept)
{
    static const char source[] =
        "func.func @main(%x: tensor<8x64xf32>, %w: tensor<3x64x64xf32>, %i: tensor<i32>)"
        " -> tensor<8x64xf32> {\n"
        "  %c = stablehlo.constant dense<0> : tensor<i32>\n"
        "  %s = stablehlo.dynamic_slice %w, %i, %c, %c, sizes = [1, 64, 64] : (tensor<3x64x64xf32>,"
        " tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x64x64xf32>\n"
        "  %m = stablehlo.reshape %s : (tensor<1x64x64xf32>) -> tensor<64x64xf32>\n"
        "  %y = stablehlo.dot_general %x, %m, contracting_dims = [1] x [0] : (tensor<8x64xf32>,"
        " tensor<64x64xf32>) -> tensor<8x64xf32>\n"
        "  return %y : tensor<8x64xf32>\n}\n";
    struct program *program = compiled_from(source, sizeof source - 1), *again;
    size_t size;
    char *bytes = written(program, &size);
    cr_assert_null(program_io_read(bytes, size, target.name, &again));
    cr_assert_eq(again->steps.count, 1);
    const struct step *step = &again->steps.steps[0];
    cr_assert(step->kind == STEP_DOT && step->offset_count == 1);
    const struct slice_offset *offset = step->offsets;
    cr_expect(offset->slice == 1 && offset->dtype == DTYPE_S32 && offset->index.allocation == 2);
    cr_expect(offset->last == 2 && offset->stride == 64 * 64 * sizeof(float));
    cr_expect_eq(step_reach(step, 1).size, 3 * step->slices[1].size);
    alloc_free(bytes);
    program_release(program);
    program_release(again);
}
