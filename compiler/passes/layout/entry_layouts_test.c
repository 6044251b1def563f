#include "compiler/passes/layout/entry_layouts.h"

#include "compiler/passes/passes_fixture.h"
#include "compiler/target.h"

TestSuite(entry_layouts, .init = fixture_begin, .fini = fixture_end);

static const struct type *laid_out(const struct type *type, const int64_t *minor_to_major)
{
    struct type *copy = arena_copy(fixture_arena, type, sizeof *type);
    copy->shape.minor_to_major = minor_to_major;
    copy->shape.memory = MEMORY_PINNED_HOST;
    return copy;
}

Test(entry_layouts, the_body_has_what_is_stored)
{
    static const int64_t order[] = {0, 2, 1}, plain[] = {1, 0};
    MAIN("f32 2 3 4", "f32 5 6");
    struct func *func = fixture.block->func;
    RETURN(argument(0), argument(1));
    const struct type *declared = func->result_types[0] = laid_out(argument(0)->type, order);
    argument(0)->type = declared;
    argument(1)->type = laid_out(argument(1)->type, plain);
    fixture_run(entry_layouts_run);
    const struct shape *stored = &argument(0)->type->shape;
    cr_expect(stored->dims[0] == 3 && stored->dims[1] == 4 && stored->dims[2] == 2, "1, 2, 0");
    cr_expect_null(stored->minor_to_major);
    cr_expect_eq(ir_argument_type(func, 0), declared);
    cr_expect_eq(ir_argument_type(func, 0)->shape.memory, MEMORY_PINNED_HOST);
    cr_expect_eq(argument(1)->type->shape.dims[0], 5);
    const struct op *to = fixture.block->last->operands[0]->def, *from = to->operands[0]->def;
    cr_expect_eq(to->code, OP_transpose);
    cr_expect_eq(from->code, OP_transpose);
    cr_expect_eq(from->operands[0], argument(0));
    cr_expect_eq(from->results[0].type->shape.dims[0], 2,
                 "the program has the declared dimensions");
    cr_expect_eq(from->results[0].type->shape.memory, MEMORY_DEVICE);
    cr_expect_eq(to->results[0].type->shape.dims[0], 3);
    cr_expect_eq(func->result_types[0], declared);
    cr_expect_eq(fixture.block->last->operands[1], argument(1));
}

Test(entry_layouts, a_layout_that_is_no_permutation_is_an_error)
{
    static const int64_t wrong[][2] = {{1, 1}, {0, 2}, {-1, 0}};
    MAIN("f32 5 6");
    struct func *func = fixture.block->func;
    RETURN(argument(0));
    const struct type *plain = argument(0)->type;
    for (size_t i = 0; i < 2 * (sizeof wrong / sizeof *wrong); i++) {
        bool result = i % 2;
        func->argument_types = NULL;
        argument(0)->type = result ? plain : laid_out(plain, wrong[i / 2]);
        func->result_types[0] = result ? laid_out(plain, wrong[i / 2]) : plain;
        struct error *error = entry_layouts_run(fixture_module, NULL);
        cr_assert_not_null(error);
        cr_expect_eq(error_code(error), PJRT_Error_Code_INVALID_ARGUMENT);
        error_free(error);
    }
}

static void has_layout(const struct type *type, const char *expected)
{
    struct text text = {0};
    shape_print_layout(&type->shape, &text);
    cr_expect_str_eq(text.data, expected);
    text_free(&text);
}

Test(entry_layouts, row_major_layouts_become_none)
{
    static const int64_t plain[] = {1, 0};
    MAIN("f32 5 6");
    struct func *func = fixture.block->func;
    RETURN(argument(0));
    func->result_types[0] = laid_out(argument(0)->type, plain);
    fixture_run(entry_layouts_run);
    cr_expect_null(func->result_types[0]->shape.minor_to_major);
}

static const struct type *tiled(const struct type *type, const int64_t *minor_to_major)
{
    static const int64_t blocks[] = {8, 128};
    static const struct shape_tile tile = {2, blocks};
    struct type *copy = arena_copy(fixture_arena, laid_out(type, minor_to_major), sizeof *copy);
    copy->shape.tiles = &tile, copy->shape.tile_count = 1;
    return copy;
}

Test(entry_layouts, tiles_are_a_name_where_arrays_are_dense)
{
    static const int64_t rows[] = {1, 0}, columns[] = {0, 1};
    MAIN("f32 5 6", "f32 5 6");
    struct func *func = fixture.block->func;
    RETURN(argument(0), argument(1));
    func->result_types[0] = argument(0)->type = tiled(argument(0)->type, rows);
    func->result_types[1] = argument(1)->type = tiled(argument(1)->type, columns);
    fixture_run(entry_layouts_run);
    has_layout(ir_argument_type(func, 0), "{1,0:T(8,128)}");
    has_layout(func->result_types[1], "{0,1:T(8,128)}");
    has_layout(argument(0)->type, "{1,0}");
    cr_expect_eq(argument(0)->type->shape.dims[0], 5);
    cr_expect_eq(argument(1)->type->shape.dims[0], 6);
    cr_expect_eq(fixture.block->last->operands[0], argument(0), "nothing is transposed");
    cr_expect_eq(fixture.block->last->operands[1]->def->code, OP_transpose);
}

/* ---- layouts of a modeled accelerator -------------------------------------------------------- */
static const struct accelerator accelerator = {.sublanes = 8, .lanes = 128};
static const struct target modeled = {.name = "modeled", .accelerator = &accelerator};

static struct func *run_modeled(bool auto_arguments, bool auto_results)
{
    struct func *func = fixture.block->func;
    size_t arguments = (size_t)func->body->argument_count, results = (size_t)func->result_count;
    func->argument_infos = ARENA_ARRAY(fixture_arena, struct argument_info, arguments);
    func->result_infos = ARENA_ARRAY(fixture_arena, struct argument_info, results);
    for (size_t i = 0; i < arguments; i++)
        func->argument_infos[i].layout_auto = auto_arguments;
    for (size_t i = 0; i < results; i++)
        func->result_infos[i].layout_auto = auto_results;
    cr_assert_null(entry_layouts_run(fixture_module, &modeled));
    return func;
}

Test(entry_layouts, a_model_declares_its_default_layouts)
{
    MAIN("bf16 128 8", "f32", "s32 0 3");
    RETURN(argument(0), argument(1), argument(2));
    const struct func *func = run_modeled(false, false);
    has_layout(ir_argument_type(func, 0), "{0,1:T(8,128)(2,1)}");
    has_layout(ir_argument_type(func, 1), "{:T(128)}");
    has_layout(ir_argument_type(func, 2), "{1,0}");
    has_layout(func->result_types[0], "{0,1:T(8,128)(2,1)}");
    has_layout(argument(0)->type, "{1,0}");
    cr_expect_eq(fixture.block->last->operands[0], argument(0), "bytes stay row-major");
}

Test(entry_layouts, a_model_completes_layouts_with_tiles)
{
    static const int64_t columns[] = {0, 1}, rows[] = {1, 0}, blocks[] = {1024};
    static const struct shape_tile linear = {1, blocks};
    MAIN("f32 8 128", "f32 128 8");
    struct func *func = fixture.block->func;
    RETURN(argument(0), argument(1));
    func->result_types[0] = laid_out(argument(0)->type, columns);
    struct type *tiled =
        arena_copy(fixture_arena, laid_out(argument(1)->type, rows), sizeof *tiled);
    tiled->shape.tiles = &linear, tiled->shape.tile_count = 1;
    func->result_types[1] = tiled;
    argument(1)->type = laid_out(argument(1)->type, rows);
    run_modeled(false, true);
    has_layout(func->result_types[0], "{0,1:T(8,128)}");
    has_layout(func->result_types[1], "{1,0:T(1024)}");
    has_layout(ir_argument_type(func, 1), "{1,0:T(8,128)}");
    cr_expect_eq(ir_argument_type(func, 1)->shape.memory, MEMORY_PINNED_HOST);
    cr_expect_eq(argument(1)->type->shape.memory, MEMORY_PINNED_HOST);
    has_layout(argument(1)->type, "{1,0}");
}

Test(entry_layouts, a_model_chooses_layouts_that_suit_the_program)
{
    static const int64_t order[] = {2, 0, 1};
    static const int64_t reversed[] = {2, 1, 0};
    MAIN("f32 128 4 2");
    struct value *twice = build_binary(&fixture, OP_add, argument(0), argument(0));
    RETURN(build_transpose(&fixture, twice, order),
           build_transpose(&fixture, argument(0), reversed), argument(0), twice);
    const struct func *func = run_modeled(true, true);
    has_layout(ir_argument_type(func, 0), "{0,1,2:T(4,128)}");
    has_layout(func->result_types[0], "{1,2,0:T(4,128)}");
    has_layout(func->result_types[1], "{2,1,0:T(4,128)}");
    has_layout(func->result_types[2], "{0,1,2:T(4,128)}");
    has_layout(func->result_types[3], "{0,1,2:T(4,128)}");
}
