#include "compiler/passes/dynamic/bounded.h"

#include <criterion/criterion.h>
#include <string.h>

#include "compiler/frontend/text/mlir_text.h"

static struct arena *arena;

static void begin(void)
{
    cr_assert_null(arena_create(&arena));
}

static void end(void)
{
    arena_destroy(arena);
}

TestSuite(bounded, .init = begin, .fini = end);

static struct error *run(const char *text, struct module **out)
{
    cr_assert_null(mlir_text_read(arena, text, strlen(text), out));
    TRY(ir_verify(*out, true));
    TRY(bounded_run(*out, NULL));
    return ir_verify(*out, false);
}

static const struct func *entry_of(const char *text)
{
    struct module *module;
    struct error *error = run(text, &module);
    cr_assert_null(error, "%s", error ? error_message(error, NULL) : "");
    return module->entry;
}

static const struct op *find(const struct block *block, enum op_code code)
{
    for (const struct op *op = block->first; op; op = op->next)
        if (op->code == code)
            return op;
    return NULL;
}

#define B "tensor<?xf32, #stablehlo.bounds<8>>"

/* Arguments and results get their sizes as hidden ones, behind the others. */
Test(bounded, sizes_are_arguments_and_results)
{
    const struct func *main =
        entry_of("func.func @main(%x: " B ", %y: tensor<3xf32>) -> (" B ", tensor<3xf32>) {\n"
                 "  %0 = stablehlo.negate %x : " B "\n"
                 "  return %0, %y : " B ", tensor<3xf32>\n}\n");
    cr_assert_eq(main->body->argument_count, 3);
    cr_assert_eq(main->result_count, 3);
    const struct argument_info *hidden = &main->argument_infos[2];
    cr_expect(hidden->is_size && hidden->sized == 0 && hidden->dimension == 0);
    hidden = &main->result_infos[2];
    cr_expect(hidden->is_size && hidden->sized == 0 && hidden->dimension == 0);
    cr_expect_eq(main->result_types[2]->shape.dtype, DTYPE_S32);
    cr_expect_eq(main->result_types[0]->shape.dims[0], 8);
}

/* A reduction reads what it ignores in place of the padding: the lowest number for a maximum. */
Test(bounded, reductions_ignore_the_padding)
{
    const struct func *main =
        entry_of("func.func @main(%x: tensor<8xf32>, %n: tensor<i32>) -> tensor<f32> {\n"
                 "  %0 = \"stablehlo.set_dimension_size\"(%x, %n) {dimension = 0 : i64} :"
                 " (tensor<8xf32>, tensor<i32>) -> " B "\n"
                 "  %c = stablehlo.constant dense<1.0> : tensor<f32>\n"
                 "  %1 = stablehlo.reduce(%0 init: %c) applies stablehlo.maximum across dimensions"
                 " = [0] : (" B ", tensor<f32>) -> tensor<f32>\n"
                 "  return %1 : tensor<f32>\n}\n");
    const struct op *reduce = find(main->body, OP_reduce);
    cr_assert_not_null(reduce);
    const struct op *mask = reduce->operands[0]->def;
    cr_assert_eq(mask->code, OP_select);
    const struct op *fill = mask->operands[2]->def->operands[0]->def;
    cr_assert_eq(fill->code, OP_constant);
    cr_expect(literal_is_splat_of(fill->attrs.constant.value, -(double)__builtin_inf()));
    cr_expect_null(find(main->body, OP_set_dimension_size));
    cr_expect_eq(main->result_count, 1);
}

/* All inputs of a reduction end with the size of one; f8E4M3FN has no infinity. */
Test(bounded, reductions_of_several_inputs_ignore_the_padding_of_all)
{
#define N "tensor<f8E4M3FN>"
#define F "tensor<?xf8E4M3FN, #stablehlo.bounds<8>>"
    const struct func *main = entry_of(
        "func.func @main(%x: " F ", %y: tensor<8xf8E4M3FN>, %c: " N ") -> (" N ", " N ") {\n"
        "  %0:2 = \"stablehlo.reduce\"(%x, %y, %c, %c) ({\n"
        "  ^bb0(%a: " N ", %b: " N ", %d: " N ", %e: " N "):\n"
        "    %1 = stablehlo.add %a, %d : " N "\n"
        "    %2 = stablehlo.add %b, %e : " N "\n"
        "    stablehlo.return %1, %2 : " N ", " N "\n"
        "  }) {dimensions = array<i64: 0>} : (" F ", tensor<8xf8E4M3FN>, " N ", " N ")"
        " -> (" N ", " N ")\n"
        "  return %0#0, %0#1 : " N ", " N "\n}\n");
    const struct op *reduce = find(main->body, OP_reduce);
    cr_expect_eq(reduce->operands[0]->def->code, OP_select);
    cr_assert_not_null(reduce->operands[1]->def);
    cr_expect_eq(reduce->operands[1]->def->code, OP_select);
    main = entry_of("func.func @main(%x: " F ", %c: " N ") -> " N " {\n"
                    "  %0 = stablehlo.reduce(%x init: %c) applies stablehlo.maximum across"
                    " dimensions = [0] : (" F ", " N ") -> " N "\n"
                    "  return %0 : " N "\n}\n");
    const struct op *mask = find(main->body, OP_reduce)->operands[0]->def;
    const struct op *fill = mask->operands[2]->def->operands[0]->def;
    cr_expect(literal_is_splat_of(fill->attrs.constant.value, -448));
}

/* A start is limited by the size, also by one that is known only at run time. */
Test(bounded, starts_of_slices_are_limited_by_sizes)
{
    const struct func *main =
        entry_of("func.func @main(%x: " B ", %k: tensor<i32>) -> tensor<2xf32> {\n"
                 "  %0 = stablehlo.dynamic_slice %x, %k, sizes = [2] : (" B ", tensor<i32>)"
                 " -> tensor<2xf32>\n"
                 "  return %0 : tensor<2xf32>\n}\n");
    cr_expect_neq(find(main->body, OP_dynamic_slice)->operands[1], &main->body->arguments[1]);
    cr_expect_eq(main->result_count, 1);
}

Test(bounded, bounds_fit_32_bits)
{
#define LARGE "tensor<?xi8, #stablehlo.bounds<3000000000>>"
    struct module *module;
    struct error *error = run("func.func @main(%x: " LARGE ") -> " LARGE " {\n"
                              "  return %x : " LARGE "\n}\n",
                              &module);
    cr_assert_not_null(error);
    cr_expect_eq(error_code(error), PJRT_Error_Code_INVALID_ARGUMENT);
    cr_expect_not_null(strstr(error_message(error, NULL), "bound of dimension 0 is 3000000000"));
    error_free(error);
}

/* [<=8] as [2, <=4]: the elements change places. As [<=4, 2]: they do not. */
Test(bounded, reshapes_move_elements_where_they_must)
{
    static const char form[] = "func.func @main(%%x: " B ") -> %s {\n"
                               "  %%0 = stablehlo.reshape %%x : (" B ") -> %s\n"
                               "  return %%0 : %s\n}\n";
    const char *inner = "tensor<2x?xf32, #stablehlo.bounds<?, 4>>";
    const char *outer = "tensor<?x2xf32, #stablehlo.bounds<4, ?>>";
    const struct func *main = entry_of(arena_format(arena, form, inner, inner, inner));
    cr_expect_not_null(find(main->body, OP_gather));
    cr_expect_eq(main->result_infos[1].dimension, 1);
    main = entry_of(arena_format(arena, form, outer, outer, outer));
    cr_expect_null(find(main->body, OP_gather));
    cr_expect_eq(main->result_infos[1].dimension, 0);
}

Test(bounded, static_programs_are_left_alone)
{
    const struct func *main = entry_of("func.func @main(%x: tensor<3xf32>) -> tensor<3xf32> {\n"
                                       "  %0 = stablehlo.negate %x : tensor<3xf32>\n"
                                       "  return %0 : tensor<3xf32>\n}\n");
    cr_expect_eq(main->body->argument_count, 1);
    cr_expect_null(main->argument_infos && main->argument_infos[0].is_size ? main : NULL);
}

Test(bounded, operations_without_a_rule_are_named)
{
    struct module *module;
    struct error *error = run("func.func @main(%x: tensor<?xcomplex<f32>, #stablehlo.bounds<8>>) ->"
                              " tensor<?xcomplex<f32>, #stablehlo.bounds<8>> {\n"
                              "  %0 = stablehlo.fft %x, type = FFT, length = [8] :"
                              " (tensor<?xcomplex<f32>, #stablehlo.bounds<8>>) ->"
                              " tensor<?xcomplex<f32>, #stablehlo.bounds<8>>\n"
                              "  return %0 : tensor<?xcomplex<f32>, #stablehlo.bounds<8>>\n}\n",
                              &module);
    cr_assert_not_null(error);
    cr_expect_eq(error_code(error), PJRT_Error_Code_UNIMPLEMENTED);
    cr_expect_not_null(strstr(error_message(error, NULL), "fft"), "%s", error_message(error, NULL));
    cr_expect_not_null(strstr(error_message(error, NULL), "dimension 0 of operand 0"));
    error_free(error);
}

#define SET(result, operand, size)                                                                 \
    "  " result " = \"stablehlo.set_dimension_size\"(" operand ", " size                           \
    ") {dimension = 0 : i64} : (" B ", tensor<i32>) -> " B "\n"

/* A branch that returns all elements returns their number, too. */
Test(bounded, branches_return_sizes)
{
    const struct func *main =
        entry_of("func.func @main(%x: " B ", %n: tensor<i32>, %p: tensor<i1>) -> " B " {\n"
                 "  %0 = \"stablehlo.if\"(%p) ({\n" SET(
                     "%1", "%x", "%n") "    stablehlo.return %1 : " B "\n  }, {\n"
                                       "    %2 = stablehlo.constant dense<1.0> : tensor<8xf32>\n"
                                       "    %3 = stablehlo.convert %2 : (tensor<8xf32>) -> " B "\n"
                                       "    stablehlo.return %3 : " B "\n"
                                       "  }) : (tensor<i1>) -> " B "\n"
                                       "  return %0 : " B "\n}\n");
    const struct op *branches = find(main->body, OP_if);
    cr_assert_eq(branches->result_count, 2);
    cr_expect_eq(branches->regions[1]->last->operands[1]->def->code, OP_constant);
    cr_expect_eq(main->result_count, 2);
}

/* The size is carried with the value, in the condition, too. */
Test(bounded, loops_carry_sizes)
{
    const struct func *main = entry_of(
        "func.func @main(%x: " B ") -> " B " {\n"
        "  %0 = stablehlo.while(%w = %x) : " B "\n  cond {\n"
        "    %1 = stablehlo.get_dimension_size %w, dim = 0 : (" B ") -> tensor<i32>\n"
        "    %2 = stablehlo.constant dense<1> : tensor<i32>\n"
        "    %3 = stablehlo.compare GT, %1, %2 : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"
        "    stablehlo.return %3 : tensor<i1>\n  } do {\n"
        "    %4 = stablehlo.constant dense<1> : tensor<i32>\n" SET(
            "%5", "%w", "%4") "    stablehlo.return %5 : " B "\n  }\n"
                              "  return %0 : " B "\n}\n");
    const struct op *loop = find(main->body, OP_while);
    cr_assert_eq(loop->operand_count, 2);
    const struct op *compare = find(loop->regions[0], OP_compare);
    cr_expect_eq(compare->operands[0], &loop->regions[0]->arguments[1]);
    cr_expect_eq(main->result_count, 2);
}

Test(bounded, carried_values_without_a_bound_are_named)
{
    struct module *module;
    struct error *error =
        run("func.func @main(%x: tensor<8xf32>, %n: tensor<i32>) -> tensor<8xf32> {\n"
            "  %0 = stablehlo.while(%w = %x) : tensor<8xf32>\n  cond {\n"
            "    %p = stablehlo.constant dense<false> : tensor<i1>\n"
            "    stablehlo.return %p : tensor<i1>\n  } do {\n"
            "    %1 = \"stablehlo.set_dimension_size\"(%w, %n) {dimension = 0 : i64} :"
            " (tensor<8xf32>, tensor<i32>) -> tensor<8xf32>\n"
            "    stablehlo.return %1 : tensor<8xf32>\n  }\n"
            "  return %0 : tensor<8xf32>\n}\n",
            &module);
    cr_assert_not_null(error);
    cr_expect_eq(error_code(error), PJRT_Error_Code_UNIMPLEMENTED);
    cr_expect_not_null(strstr(error_message(error, NULL), "dimension 0 of carried value 0"));
    error_free(error);
}
