#include "compiler/passes/canonicalize/canonicalize_regions.h"

#include <criterion/criterion.h>
#include <string.h>

#include "compiler/analysis/constants.h"
#include "compiler/compile.h"
#include "compiler/passes/canonicalize/canonicalize.h"

static struct arena *arena;

static void begin(void)
{
    cr_assert_null(arena_create(&arena));
}

static void end(void)
{
    arena_destroy(arena);
}

TestSuite(canonicalize_regions, .init = begin, .fini = end);

static struct block *canonical(const char *text)
{
    static const struct target target;
    struct module *module;
    struct compile_source source = {
        .format = "mlir", .format_size = 4, .bytes = text, .size = strlen(text)};
    struct error *error = compile_source_read(arena, &source, &module);
    if (!error)
        error = canonicalize_run(module, &target);
    if (!error)
        error = ir_verify(module, false);
    cr_assert_null(error, "%s", error_message(error, NULL));
    return module->entry->body;
}

static int count(const struct block *block, enum op_code code)
{
    int found = 0;
    for (const struct op *op = block->first; op; op = op->next) {
        found += op->code == code;
        for (int i = 0; i < op->region_count; i++)
            found += count(op->regions[i], code);
    }
    return found;
}

#define BRANCH                                                                                     \
    "^bb0(%a: tensor<f32>, %b: tensor<f32>):\n"                                                    \
    " %c = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>\n"              \
    " %s = \"stablehlo.if\"(%c) ({ stablehlo.return %a : tensor<f32> },"                           \
    " { %v = stablehlo.add %a, %b : tensor<f32>\n stablehlo.return %v : tensor<f32> })"            \
    " : (tensor<i1>) -> tensor<f32>\n stablehlo.return %s : tensor<f32>"

Test(canonicalize_regions, branches_of_a_body_become_a_selection)
{
    const struct block *body = canonical(
        "func.func @main(%x: tensor<4x5xf32>, %i: tensor<f32>) -> tensor<4xf32> {\n"
        "  %r = \"stablehlo.reduce\"(%x, %i) ({ " BRANCH
        " }) {dimensions = array<i64: 1>} : (tensor<4x5xf32>, tensor<f32>) -> tensor<4xf32>\n"
        "  return %r : tensor<4xf32>\n}");
    cr_expect_eq(count(body, OP_if), 0);
    cr_expect_eq(count(body, OP_select), 1);
    cr_expect_eq(count(body, OP_reduce), 1);
}

Test(canonicalize_regions, a_map_of_branches_is_elementwise)
{
    const struct block *body = canonical(
        "func.func @main(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {\n"
        "  %r = \"stablehlo.map\"(%x, %y) ({ " BRANCH
        " }) {dimensions = array<i64: 0>} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>\n"
        "  return %r : tensor<4xf32>\n}");
    cr_expect_eq(count(body, OP_map), 0);
    cr_expect_eq(count(body, OP_while), 0);
    cr_expect_eq(count(body, OP_select), 1);
}

Test(canonicalize_regions, a_map_of_loops_goes_from_element_to_element)
{
    const struct block *body = canonical(
        "func.func @main(%x: tensor<2x2xf32>, %n: tensor<f32>) -> tensor<2x2xf32> {\n"
        "  %r = \"stablehlo.map\"(%x) ({ ^bb0(%a: tensor<f32>):\n"
        " %s = stablehlo.while(%v = %a) : tensor<f32>\n"
        " cond { %c = stablehlo.compare LT, %v, %n : (tensor<f32>, tensor<f32>) -> tensor<i1>\n"
        " stablehlo.return %c : tensor<i1> }\n"
        " do { %d = stablehlo.add %v, %v : tensor<f32>\n stablehlo.return %d : tensor<f32> }\n"
        " stablehlo.return %s : tensor<f32> }) {dimensions = array<i64: 0, 1>}"
        " : (tensor<2x2xf32>) -> tensor<2x2xf32>\n  return %r : tensor<2x2xf32>\n}");
    cr_expect_eq(count(body, OP_map), 0);
    cr_expect_eq(count(body, OP_while), 2);
}

Test(canonicalize_regions, products_of_real_and_complex)
{
    const struct block *body = canonical(
        "func.func @main(%x: tensor<2x3xcomplex<f32>>, %y: tensor<3x2xf32>) -> tensor<2x2xf32> {\n"
        "  %r = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] :"
        " (tensor<2x3xcomplex<f32>>, tensor<3x2xf32>) -> tensor<2x2xf32>\n"
        "  return %r : tensor<2x2xf32>\n}");
    cr_expect_eq(count(body, OP_real), 1);
    for (const struct op *op = body->first; op; op = op->next)
        if (op->code == OP_dot_general)
            cr_expect_eq(op->operands[1]->type->shape.dtype, DTYPE_C64);
}

/* Of two NaNs the one with the lower index is selected, in either order of the operands. */
Test(canonicalize_regions, position_of_the_first_missing_number)
{
    const struct block *body = canonical(
        "func.func @main(%x: tensor<9xf32>, %v: tensor<f32>, %p: tensor<i32>) -> tensor<i32> {\n"
        "  %i = stablehlo.iota dim = 0 : tensor<9xi32>\n"
        "  %r:2 = stablehlo.reduce(%x init: %v), (%i init: %p) across dimensions = [0] :"
        " (tensor<9xf32>, tensor<9xi32>, tensor<f32>, tensor<i32>) -> (tensor<f32>, tensor<i32>)\n"
        "  reducer(%a: tensor<f32>, %b: tensor<f32>) (%m: tensor<i32>, %n: tensor<i32>) {\n"
        "    %1 = stablehlo.compare GT, %a, %b, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>\n"
        "    %2 = stablehlo.compare NE, %a, %a, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>\n"
        "    %3 = stablehlo.or %1, %2 : tensor<i1>\n"
        "    %4 = stablehlo.compare EQ, %a, %b, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>\n"
        "    %5 = stablehlo.compare LT, %m, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"
        "    %6 = stablehlo.and %4, %5 : tensor<i1>\n"
        "    %7 = stablehlo.or %3, %6 : tensor<i1>\n"
        "    %8 = stablehlo.select %3, %a, %b : tensor<i1>, tensor<f32>\n"
        "    %9 = stablehlo.select %7, %m, %n : tensor<i1>, tensor<i32>\n"
        "    stablehlo.return %8, %9 : tensor<f32>, tensor<i32>\n"
        "  }\n"
        "  return %r#1 : tensor<i32>\n}");
    cr_assert_eq(count(body, OP_not), 1);
    cr_assert_eq(count(body, OP_compare), 6);
}

/* Of `windows` at positions `at` in x[4, 5], whose updates are of type `updates`. */
static const struct block *scatter(const char *at, const char *windows, const char *updates)
{
    bool is_one = at[1] != '[';
    char *text = arena_format(
        arena,
        "func.func @main(%%x: tensor<4x5xi32>, %%u: tensor<%s>, %%d: tensor<2xi32>)"
        " -> tensor<4x5xi32> {\n"
        "  %%c = stablehlo.constant dense<%s> : tensor<%s>\n"
        "  %%r = \"stablehlo.scatter\"(%%x, %%c, %%u) <{scatter_dimension_numbers ="
        " #stablehlo.scatter<%s>}> ({\n ^bb0(%%a: tensor<i32>, %%b: tensor<i32>):\n"
        "    %%s = stablehlo.add %%a, %%b : tensor<i32>\n    stablehlo.return %%s : tensor<i32>\n"
        "  }) : (tensor<4x5xi32>, tensor<%s>, tensor<%s>) -> tensor<4x5xi32>\n"
        "  return %%r : tensor<4x5xi32>\n}",
        updates, at, is_one ? "2xi32" : "2x2xi32", windows, is_one ? "2xi32" : "2x2xi32", updates);
    return canonical(text);
}

static const struct op *update_of(const struct block *body)
{
    const struct op *op = body->last->operands[0]->def;
    return op && op->code == OP_dynamic_update_slice ? op : NULL;
}

#define WINDOW "update_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1]"
#define ROW                                                                                        \
    "update_window_dims = [0], inserted_window_dims = [0], scatter_dims_to_operand_dims = [1, 0]"
#define TWO                                                                                        \
    "update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [1, 0]," \
    " index_vector_dim = 1"

Test(canonicalize_regions, a_scatter_of_one_window_updates_a_slice)
{
    int64_t row, column;
    const struct block *body = scatter("[1, 2]", WINDOW, "3x3xi32");
    const struct op *update = update_of(body);
    cr_assert_not_null(update);
    cr_expect_eq(count(body, OP_scatter), 0);
    cr_expect_eq(update->operands[1]->def->code, OP_add);
    cr_assert(constants_integer(update->operands[2], &row));
    cr_assert(constants_integer(update->operands[3], &column));
    cr_expect(row == 1 && column == 2);
}

/* The index names the column first; the row is one of the dimensions that are in no window. */
Test(canonicalize_regions, a_scatter_of_one_row_updates_a_slice)
{
    int64_t row;
    const struct op *update = update_of(scatter("[1, 3]", ROW, "4xi32"));
    cr_assert_not_null(update);
    cr_expect_eq(update->operands[1]->type->shape.dims[0], 1);
    cr_expect_eq(update->operands[1]->type->shape.dims[1], 4);
    cr_assert(constants_integer(update->operands[2], &row));
    cr_expect_eq(row, 3);
}

/* It is skipped, even where a part of it is inside. */
Test(canonicalize_regions, a_scatter_of_one_window_out_of_bounds_does_nothing)
{
    static const char *const at[] = {"[2, 0]", "[0, 3]", "[-1, 0]"};
    for (size_t i = 0; i < sizeof at / sizeof *at; i++) {
        const struct block *body = scatter(at[i], WINDOW, "3x3xi32");
        cr_expect_null(body->last->operands[0]->def, "%s", at[i]);
    }
}

Test(canonicalize_regions, a_scatter_of_several_windows_stays)
{
    cr_expect_eq(count(scatter("[[0, 1], [1, 3]]", TWO, "2x4xi32"), OP_scatter), 1);
}

/* Of windows at positions `at` of the columns of x[4, 5]. */
static const struct block *scatter_columns(const char *at)
{
    char *text = arena_format(
        arena,
        "func.func @main(%%x: tensor<4x5xi32>, %%u: tensor<4x3xi32>) -> tensor<4x5xi32> {\n"
        "  %%c = stablehlo.constant dense<%s> : tensor<3x1xi32>\n"
        "  %%r = \"stablehlo.scatter\"(%%x, %%c, %%u) <{scatter_dimension_numbers ="
        " #stablehlo.scatter<update_window_dims = [0], inserted_window_dims = [1],"
        " scatter_dims_to_operand_dims = [1], index_vector_dim = 1>}> ({\n"
        "  ^bb0(%%a: tensor<i32>, %%b: tensor<i32>):\n"
        "    %%s = stablehlo.add %%a, %%b : tensor<i32>\n    stablehlo.return %%s : tensor<i32>\n"
        "  }) : (tensor<4x5xi32>, tensor<3x1xi32>, tensor<4x3xi32>) -> tensor<4x5xi32>\n"
        "  return %%r : tensor<4x5xi32>\n}",
        at);
    return canonical(text);
}

Test(canonicalize_regions, a_scatter_of_adjacent_columns_updates_a_slice)
{
    int64_t row, column;
    const struct op *update = update_of(scatter_columns("[[2], [3], [4]]"));
    cr_assert_not_null(update);
    cr_expect_eq(update->operands[1]->type->shape.dims[0], 4);
    cr_expect_eq(update->operands[1]->type->shape.dims[1], 3);
    cr_assert(constants_integer(update->operands[2], &row));
    cr_assert(constants_integer(update->operands[3], &column));
    cr_expect(row == 0 && column == 2);
}

/* Those out of bounds alone are skipped; a column may get several updates. */
Test(canonicalize_regions, a_scatter_of_other_columns_stays)
{
    static const char *const at[] = {"[[3], [4], [5]]", "[[-1], [0], [1]]", "[[0], [2], [3]]",
                                     "[[2], [1], [0]]", "[[1], [1], [2]]"};
    for (size_t i = 0; i < sizeof at / sizeof *at; i++)
        cr_expect_eq(count(scatter_columns(at[i]), OP_scatter), 1, "%s", at[i]);
}

/* Of columns of x[4, 5] at positions `at`. */
static const struct block *gather_columns(const char *at)
{
    char *text = arena_format(
        arena,
        "func.func @main(%%x: tensor<4x5xf32>) -> tensor<4x3xf32> {\n"
        "  %%c = stablehlo.constant dense<%s> : tensor<3x1xi32>\n"
        "  %%r = \"stablehlo.gather\"(%%x, %%c) <{dimension_numbers = #stablehlo.gather<"
        "offset_dims = [0], collapsed_slice_dims = [1], start_index_map = [1],"
        " index_vector_dim = 1>, slice_sizes = array<i64: 4, 1>}>"
        " : (tensor<4x5xf32>, tensor<3x1xi32>) -> tensor<4x3xf32>\n"
        "  return %%r : tensor<4x3xf32>\n}",
        at);
    return canonical(text);
}

Test(canonicalize_regions, a_gather_of_adjacent_columns_is_a_slice)
{
    const struct op *slice = gather_columns("[[2], [3], [4]]")->last->operands[0]->def;
    cr_assert_eq(slice->code, OP_slice);
    cr_expect_eq(slice->attrs.slice.start_indices.at[0], 0);
    cr_expect_eq(slice->attrs.slice.start_indices.at[1], 2);
    cr_expect_eq(slice->attrs.slice.limit_indices.at[0], 4);
    cr_expect_eq(slice->attrs.slice.limit_indices.at[1], 5);
}

/* Positions out of bounds are clamped one by one. */
Test(canonicalize_regions, a_gather_of_other_columns_stays)
{
    static const char *const at[] = {"[[3], [4], [5]]", "[[-1], [0], [1]]", "[[0], [2], [3]]",
                                     "[[2], [1], [0]]", "[[1], [1], [2]]"};
    for (size_t i = 0; i < sizeof at / sizeof *at; i++)
        cr_expect_eq(count(gather_columns(at[i]), OP_gather), 1, "%s", at[i]);
}
