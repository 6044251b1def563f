/* codegen_fixture.h: helpers for the tests of code generation. Builds a fusion by hand, compiles it
 * at both tiers, and runs it on buffers, in one range and in many. Header only; each test program
 * has its own copy. */
#ifndef GANTRY_COMPILER_CODEGEN_CODEGEN_FIXTURE_H
#define GANTRY_COMPILER_CODEGEN_CODEGEN_FIXTURE_H

#ifndef FIXTURE_WITHOUT_CRITERION /* benchmarks define cr_assert macros of their own */
#include <criterion/criterion.h>
#endif
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "compiler/codegen/codegen.h"

struct fixture {
    struct arena *arena;
    struct module *module;
    struct block *block; /* of the fusion */
    struct op *fusion;
    struct target target;
};

static inline struct fixture *fixture_begin(enum fusion_kind kind, int count,
                                            const struct type *const *types, struct arena *arena)
{
    struct fixture *f = ARENA_NEW(arena, struct fixture);
    f->arena = arena;
    f->module = ir_module(arena, "test");
    struct func *func = ir_func(f->module, "main");
    func->body = ir_block(f->module, func, NULL, count, types);
    struct value **operands = ARENA_ARRAY(arena, struct value *, (size_t)count + 1);
    for (int i = 0; i < count; i++)
        operands[i] = &func->body->arguments[i];
    f->fusion = ir_op(f->module, OP_fusion, count, operands, 0, NULL, 1);
    f->fusion->attrs.fusion.fusion_kind = kind;
    f->fusion->regions[0] = f->block = ir_block(f->module, func, f->fusion, count, types);
    ir_append(func->body, f->fusion);
    f->target = (struct target){.name = "cpu",
                                .cores = 2,
                                .isa = isa_of(cpu_features()),
                                .cache_bytes = 2 << 20,
                                .alignment = 64};
    return f;
}

static inline struct arena *fixture_arena(void)
{
    struct arena *arena;
    cr_assert_null(arena_create(&arena));
    return arena;
}

static inline const struct type *fixture_type(struct arena *arena, enum dtype dtype, int rank, ...)
{
    int64_t dims[SHAPE_MAX_RANK];
    va_list list;
    va_start(list, rank);
    for (int i = 0; i < rank; i++)
        dims[i] = va_arg(list, int);
    va_end(list);
    return type_tensor(arena, dtype, rank, dims);
}

static inline struct value *fixture_arg(struct fixture *f, int i)
{
    return &f->block->arguments[i];
}

/* An operation with one result. The caller fills in the attributes. */
static inline struct op *fixture_op(struct fixture *f, struct block *block, enum op_code code,
                                    const struct type *type, int count, ...)
{
    struct value *operands[16];
    va_list list;
    va_start(list, count);
    for (int i = 0; i < count; i++)
        operands[i] = va_arg(list, struct value *);
    va_end(list);
    struct op *op = ir_op(f->module, code, count, operands, 1, &type,
                          code == OP_reduce || code == OP_reduce_window || code == OP_scatter ||
                              code == OP_map);
    ir_append(block, op);
    return op;
}

static inline struct value *fixture_value(struct fixture *f, enum op_code code,
                                          const struct type *type, struct value *a, struct value *b)
{
    return &fixture_op(f, f->block, code, type, b ? 2 : a ? 1 : 0, a, b)->results[0];
}

static inline struct value *fixture_constant(struct fixture *f, const struct type *type,
                                             double value)
{
    struct op *op = fixture_op(f, f->block, OP_constant, type, 0);
    op->attrs.constant.value = literal_from_double(f->arena, type, value);
    return &op->results[0];
}

static inline struct dims fixture_dims(struct fixture *f, int count, ...)
{
    int64_t *at = ARENA_ARRAY(f->arena, int64_t, (size_t)count + 1);
    va_list list;
    va_start(list, count);
    for (int i = 0; i < count; i++)
        at[i] = va_arg(list, int);
    va_end(list);
    return (struct dims){count, at};
}

/* Makes a region that combines two scalars with one operation. */
static inline void fixture_reducer(struct fixture *f, struct op *op, enum op_code code)
{
    const struct type *scalar = type_scalar(f->arena, op->results[0].type->shape.dtype);
    const struct type *types[] = {scalar, scalar};
    struct block *body = ir_block(f->module, f->block->func, op, 2, types);
    op->regions[0] = body;
    struct op *combine =
        fixture_op(f, body, code, scalar, 2, &body->arguments[0], &body->arguments[1]);
    struct value *result = &combine->results[0];
    ir_append(body, ir_op(f->module, OP_return, 1, &result, 0, NULL, 0));
}

static inline struct value *fixture_broadcast(struct fixture *f, struct value *value,
                                              const struct type *type, struct dims dims)
{
    struct op *op = fixture_op(f, f->block, OP_broadcast_in_dim, type, 1, value);
    op->attrs.broadcast_in_dim.broadcast_dimensions = dims;
    return &op->results[0];
}

static inline struct value *fixture_reduce(struct fixture *f, struct value *value,
                                           struct value *init, enum op_code code,
                                           const struct type *type, struct dims dims)
{
    struct op *op = fixture_op(f, f->block, OP_reduce, type, 2, value, init);
    op->attrs.dimensions.dimensions = dims;
    fixture_reducer(f, op, code);
    return &op->results[0];
}

static inline void fixture_return(struct fixture *f, int count, ...)
{
    struct value *operands[16];
    const struct type *types[16];
    va_list list;
    va_start(list, count);
    for (int i = 0; i < count; i++) {
        operands[i] = va_arg(list, struct value *);
        types[i] = operands[i]->type;
    }
    va_end(list);
    ir_append(f->block, ir_op(f->module, OP_return, count, operands, 0, NULL, 0));
    f->fusion->result_count = count;
    f->fusion->results = ARENA_ARRAY(f->arena, struct value, (size_t)count);
    for (int i = 0; i < count; i++)
        f->fusion->results[i] = (struct value){.type = types[i], .def = f->fusion, .index = i};
}

static inline void fixture_check(struct error *error)
{
    if (error)
        cr_assert_fail("%s: %s", error_code_name(error_code(error)), error_message(error, NULL));
}

struct fixture_kernel {
    struct loaded_code *code;
    void *object;
    kernel_function *run;
    int64_t work;
};

/* How often a text occurs in the LLVM IR of the kernel, before LLVM's passes. */
static inline int fixture_count_in_ir(struct fixture *f, const char *what)
{
    struct codegen_kernel kernel = {.fusion = f->fusion, .name = "k0", .tier = 1};
    void *object, *text = NULL;
    struct codegen_request request = {
        .target = &f->target, .kernel_count = 1, .kernels = &kernel, .llvm_ir = &text};
    size_t size;
    int count = 0;
    fixture_check(codegen_compile(f->arena, &request, &object, &size));
    for (const char *at = text; (at = strstr(at, what)); at++)
        count++;
    alloc_free(text);
    alloc_free(object);
    return count;
}

/* Compiles at a tier. The kernel is released by fixture_release(). */
static inline struct fixture_kernel fixture_compile(struct fixture *f, int tier,
                                                    const struct buffer_plan *plan)
{
    struct codegen_kernel kernel = {
        .fusion = f->fusion, .buffers = plan, .name = "k0", .tier = tier};
    struct codegen_request request = {.target = &f->target, .kernel_count = 1, .kernels = &kernel};
    struct fixture_kernel compiled;
    size_t size;
    uint64_t code_size;
    fixture_check(codegen_compile(f->arena, &request, &compiled.object, &size));
    fixture_check(codegen_load(compiled.object, size, 1, (char *const[]){"k0"}, &compiled.run,
                               &code_size, &compiled.code));
    compiled.work = kernel.work;
    return compiled;
}

static inline void fixture_release(struct fixture_kernel kernel)
{
    codegen_unload(kernel.code);
    alloc_free(kernel.object);
}

/* Runs all work, in ranges of `grain` items (0: one range). */
static inline void fixture_execute(struct fixture_kernel kernel, int64_t grain,
                                   void *const *buffers)
{
    for (int64_t i = 0; i < kernel.work; i += grain ? grain : kernel.work) {
        int64_t end = grain && i + grain < kernel.work ? i + grain : kernel.work;
        kernel.run(buffers, i, end);
    }
}

/* Compiles at a tier and runs all work, in ranges of `grain` items (0: one range). */
static inline void fixture_run(struct fixture *f, int tier, int64_t grain, void *const *buffers,
                               const struct buffer_plan *plan)
{
    struct fixture_kernel kernel = fixture_compile(f, tier, plan);
    void *with_limits[64];
    struct kernel_limits limits = {.budget = INT64_MAX};
    int count = f->fusion->operand_count + f->fusion->result_count;
    if (plan) { /* a region uses the limits */
        count += buffer_plan_temp_size(plan, MEMORY_DEVICE) > 0;
        memcpy(with_limits, buffers, (size_t)count * sizeof *buffers);
        with_limits[count] = &limits;
        buffers = with_limits;
    }
    fixture_execute(kernel, grain, buffers);
    fixture_release(kernel);
}

/* Allocates aligned memory, followed by a guard pattern that fixture_guarded() checks. */
static inline void *fixture_memory(struct fixture *f, size_t size)
{
    char *bytes = arena_alloc(f->arena, size + 192);
    bytes = (char *)(((uintptr_t)bytes + 127) & ~(uintptr_t)63);
    memset(bytes + size, 0x5A, 64);
    return bytes;
}

static inline void fixture_guarded(const void *memory, size_t size)
{
    for (int i = 0; i < 64; i++)
        cr_assert_eq(((const unsigned char *)memory)[size + (size_t)i], 0x5A,
                     "written beyond the end");
}

static inline float fixture_random(uint64_t *state)
{
    *state = *state * 6364136223846793005ULL + 1442695040888963407ULL;
    return (float)(int32_t)(*state >> 32) / (float)(1U << 30);
}

static inline float *fixture_floats(struct fixture *f, int64_t count, uint64_t seed)
{
    float *floats = fixture_memory(f, (size_t)count * 4);
    for (int64_t i = 0; i < count; i++)
        floats[i] = fixture_random(&seed);
    return floats;
}

/* Runs both tiers of an update kernel on copies of `initial`, the buffer of both the operand and
 * the result: it must become `expected`. */
static inline void fixture_expect_in_place(struct fixture *f, void **buffers, int operand,
                                           int result, const float *initial, const float *expected,
                                           int64_t count)
{
    for (int tier = 0; tier < CODEGEN_TIERS; tier++) {
        float *x = fixture_memory(f, (size_t)count * 4);
        memcpy(x, initial, (size_t)count * 4);
        buffers[operand] = buffers[result] = x;
        fixture_run(f, tier, tier, buffers, NULL);
        fixture_guarded(x, (size_t)count * 4);
        for (int64_t i = 0; i < count; i++)
            if (!(fabsf(x[i] - expected[i]) <= 1e-5f))
                cr_assert_fail("tier %d at %d: %g, not %g", tier, (int)i, x[i], expected[i]);
    }
}

#endif
