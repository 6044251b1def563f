#include <criterion/criterion.h>

#include "base/text.h"
#include "compiler/driver/compile_source.h"
#include "compiler/passes/cleanup/inline.h"
#include "compiler/passes/spmd/auto/auto_savings.h"
#include "compiler/target_fixture.h"

#define S "tensor<i32>"
#define X "tensor<64xf32>"
#define XS "tensor<8x64xf32>"
#define ONE "tensor<1x64xf32>"
#define UPDATE "(" XS ", " ONE ", " S ", " S ") -> " XS
#define LOOPS                                                                                      \
    "  %z = stablehlo.constant dense<0> : " S "\n"                                                 \
    "  %e = stablehlo.constant dense<0.0> : " XS "\n"                                              \
    "  %f:4 = stablehlo.while(%i = %z, %c = %x, %s = %e, %t = %e) : " S ", " X ", " XS ", " XS     \
    "\n"                                                                                           \
    "  cond {\n    %n = stablehlo.constant dense<8> : " S "\n"                                     \
    "    %l = stablehlo.compare LT, %i, %n : (" S ", " S ") -> tensor<i1>\n"                       \
    "    stablehlo.return %l : tensor<i1>\n  } do {\n"                                             \
    "    %o = stablehlo.constant dense<1> : " S "\n"                                               \
    "    %h = stablehlo.tanh %c : " X "\n"                                                         \
    "    %c1 = stablehlo.reshape %c : (" X ") -> " ONE "\n"                                        \
    "    %h1 = stablehlo.reshape %h : (" X ") -> " ONE "\n"                                        \
    "    %s1 = stablehlo.dynamic_update_slice %s, %c1, %i, %z : " UPDATE "\n"                      \
    "    %t1 = stablehlo.dynamic_update_slice %t, %h1, %i, %z : " UPDATE "\n"                      \
    "    %y = stablehlo.add %c, %h : " X "\n"                                                      \
    "    %j = stablehlo.add %i, %o : " S "\n"                                                      \
    "    stablehlo.return %j, %y, %s1, %t1 : " S ", " X ", " XS ", " XS "\n  }\n"                  \
    "  %b:2 = stablehlo.while(%i = %z, %g = %f#1) : " S ", " X "\n"                                \
    "  cond {\n    %n = stablehlo.constant dense<8> : " S "\n"                                     \
    "    %l = stablehlo.compare LT, %i, %n : (" S ", " S ") -> tensor<i1>\n"                       \
    "    stablehlo.return %l : tensor<i1>\n  } do {\n"                                             \
    "    %o = stablehlo.constant dense<1> : " S "\n"                                               \
    "    %m = stablehlo.constant dense<7> : " S "\n"                                               \
    "    %k = stablehlo.subtract %m, %i : " S "\n"                                                 \
    "    %p = stablehlo.dynamic_slice %f#2, %k, %z, sizes = [1, 64] : (" XS ", " S ", " S          \
    ") -> " ONE "\n"                                                                               \
    "    %q = stablehlo.dynamic_slice %f#3, %k, %z, sizes = [1, 64] : (" XS ", " S ", " S          \
    ") -> " ONE "\n"                                                                               \
    "    %p1 = stablehlo.reshape %p : (" ONE ") -> " X "\n"                                        \
    "    %q1 = stablehlo.reshape %q : (" ONE ") -> " X "\n"                                        \
    "    %w = stablehlo.multiply %p1, %q1 : " X "\n"                                               \
    "    %g1 = stablehlo.add %g, %w : " X "\n"                                                     \
    "    %j = stablehlo.add %i, %o : " S "\n"                                                      \
    "    stablehlo.return %j, %g1 : " S ", " X "\n  }\n"                                           \
    "  return %b#1 : " X "\n"

/* %early is idle while the chain of large values is computed. */
#define CHAIN                                                                                      \
    "  %a = stablehlo.exponential %x : " X "\n"                                                    \
    "  %early = stablehlo.dot_general %a, %a, contracting_dims = [] x [] : (" X ", " X             \
    ") -> tensor<64x64xf32>\n"                                                                     \
    "  %v = stablehlo.transpose %early, dims = [1, 0] : (tensor<64x64xf32>) -> "                   \
    "tensor<64x64xf32>\n"                                                                          \
    "  %d = stablehlo.dot_general %v, %v, contracting_dims = [1] x [0] : (tensor<64x64xf32>, "     \
    "tensor<64x64xf32>) -> tensor<64x64xf32>\n"                                                    \
    "  %u = stablehlo.dot_general %d, %d, contracting_dims = [1] x [0] : (tensor<64x64xf32>, "     \
    "tensor<64x64xf32>) -> tensor<64x64xf32>\n"                                                    \
    "  %r = stablehlo.dot_general %u, %early, contracting_dims = [1] x [0] : (tensor<64x64xf32>, " \
    "tensor<64x64xf32>) -> tensor<64x64xf32>\n"                                                    \
    "  %q = stablehlo.slice %r [0:1, 0:64] : (tensor<64x64xf32>) -> " ONE "\n"                     \
    "  %w = stablehlo.reshape %q : (" ONE ") -> " X "\n  return %w : " X "\n"

static struct arena *arena;

static struct module *read(const char *body)
{
    struct text text = {0};
    struct module *module;
    struct target target = target_fixture();
    text_add(&text, "module @m {\nfunc.func @main(%%x: " X ") -> " X " {\n%s}\n}\n", body);
    struct compile_source source = {
        .format = "mlir", .format_size = 4, .bytes = text.data, .size = text.size};
    cr_assert_null(arena_create(&arena));
    struct error *error = compile_source_read(arena, &source, &module);
    cr_assert_null(error, "%s", error_message(error, NULL));
    cr_assert_null(inline_run(module, &target));
    text_free(&text);
    return module;
}

static int count(const struct block *block, enum op_code code)
{
    int found = 0;
    for (const struct op *op = block->first; op; op = op->next) {
        found += op->code == code;
        for (int r = 0; r < op->region_count; r++)
            found += count(op->regions[r], code);
    }
    return found;
}

static void apply(struct module *module, enum auto_saving first, enum auto_saving second)
{
    const uint8_t at[] = {(uint8_t)first, (uint8_t)second};
    struct auto_idles idles;
    auto_idle_find(arena, module, &idles);
    auto_savings_apply(module, &(struct auto_savings){(int)idles.items.count, at});
    struct error *error = ir_verify(module, false);
    cr_assert_null(error, "%s", error_message(error, NULL));
}

static struct block *loop_body(const struct module *module, int number)
{
    struct op *op = module->entry->body->first;
    for (;; op = op->next)
        if (op->code == OP_while && number-- == 0)
            return op->regions[1];
}

Test(auto_savings, a_stack_is_computed_from_another_one)
{
    struct module *module = read(LOOPS);
    struct auto_idles idles;
    auto_idle_find(arena, module, &idles);
    cr_assert_eq(idles.items.count, 2);
    cr_assert_eq(idles.items.items[1].count, 8);
    struct auto_cones cones = auto_cone_begin(arena, module, &idles, NULL);
    struct auto_cone cone;
    cr_expect_not(auto_cone_find(&cones, 0, &cone)); /* the carried value itself */
    cr_assert(auto_cone_find(&cones, 1, &cone));
    apply(module, AUTO_STAYS, AUTO_RECOMPUTED);
    cr_expect_eq(count(loop_body(module, 1), OP_tanh), 1);
    cr_expect_null(idles.items.items[1].value->uses);
    arena_destroy(arena);
}

Test(auto_savings, a_stack_is_named_after_its_elements)
{
    struct module *module = read(LOOPS);
    struct auto_classes classes;
    struct auto_candidates found;
    cr_assert_null(auto_classes_find(module, &classes));
    auto_savings_find(arena, module, &classes, &found);
    cr_assert_eq(found.count, 2);
    cr_expect_eq(found.at[1].maker->code, OP_tanh);
    cr_expect_eq(found.at[1].type->shape.dims[0], 8);
    arena_destroy(arena);
}

Test(auto_savings, nothing_is_left_to_compute_a_stack_from)
{
    struct module *module = read(LOOPS);
    apply(module, AUTO_RECOMPUTED, AUTO_RECOMPUTED);
    cr_expect_eq(count(loop_body(module, 1), OP_tanh), 0);
    arena_destroy(arena);
}

Test(auto_savings, a_stack_in_host_memory)
{
    struct module *module = read(LOOPS);
    apply(module, AUTO_OFFLOADED, AUTO_RECOMPUTED);
    cr_expect_eq(count(loop_body(module, 0), OP_copy), 1);
    cr_expect_geq(count(loop_body(module, 1), OP_copy), 1);
    cr_expect_eq(count(loop_body(module, 1), OP_tanh), 1);
    arena_destroy(arena);
}

Test(auto_savings, a_value_is_computed_behind_a_barrier)
{
    struct module *module = read(CHAIN);
    struct auto_idles idles;
    auto_idle_find(arena, module, &idles);
    cr_assert_eq(idles.items.count, 1);
    apply(module, AUTO_RECOMPUTED, AUTO_STAYS);
    cr_expect_eq(count(module->entry->body, OP_optimization_barrier), 1);
    cr_expect_eq(count(module->entry->body, OP_dot_general), 5);
    cr_expect_eq(auto_idle_last_use(module, idles.items.items[0].value), 2);
    arena_destroy(arena);
}

Test(auto_savings, a_value_in_host_memory)
{
    struct module *module = read(CHAIN);
    apply(module, AUTO_OFFLOADED, AUTO_STAYS);
    cr_expect_eq(count(module->entry->body, OP_copy), 2);
    arena_destroy(arena);
}
