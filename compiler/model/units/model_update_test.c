/* Tests of model_update.h through plans of decode steps: a loop over two caches of a stack, in each
 * of which a product replaces a row before others read it. */
#include "compiler/model/units/model_update.h"

#include "compiler/model/accelerator_fixture.h"
#include "compiler/model/model.h"
#include "compiler/passes/passes_fixture.h"

TestSuite(model_update, .init = fixture_begin, .fini = fixture_end);

enum { LAYERS = 2, BATCH = 4, LENGTH = 1024, HEADS = 2, WIDTH = 64 };
static const double cache_bytes = 2.0 * BATCH * LENGTH * HEADS * WIDTH;

static const struct accelerator accelerator = {ACCELERATOR_FIXTURE, .hbm_bytes = 1ull << 34,
                                               .cores = 1, .bf16_rate = 1e14};

static const struct model_plan *plan_of(void)
{
    static struct target target;
    target = (struct target){.name = "test", .accelerator = &accelerator};
    cr_assert_null(model_run(fixture_module, &target));
    return fixture_module->model;
}

static struct value *dot(struct value *lhs, struct value *rhs, const struct attrs_dot *at,
                         const char *type)
{
    return build_declared(&fixture, OP_dot_general, 2, (struct value *[]){lhs, rhs},
                          fixture_type(type), &(union attrs){.dot = *at});
}

/* The cache of layer `i`, with a row of x @ w at position `i`. */
static struct value *updated_cache(struct value *stack, struct value *i, struct value *x,
                                   struct value *w)
{
    static const int64_t zero = 0, one = 1;
    struct value *none = build_scalar(&fixture, DTYPE_S32, 0);
    struct value *part =
        build_dynamic_slice(&fixture, stack, (struct value *[]){i, none, none, none, none},
                            (int64_t[]){1, BATCH, LENGTH, HEADS, WIDTH});
    struct value *cache =
        build_reshape(&fixture, part, 4, (int64_t[]){BATCH, LENGTH, HEADS, WIDTH});
    const struct attrs_dot at = {.lhs_contracting_dimensions = {1, &one},
                                 .rhs_contracting_dimensions = {1, &zero}};
    struct value *row = dot(x, w, &at, "bf16 4 128");
    row = build_reshape(&fixture, row, 4, (int64_t[]){BATCH, 1, HEADS, WIDTH});
    return build_update(&fixture, cache, row, (struct value *[]){none, i, none, none});
}

/* Each head of each element of the batch: `queries` rows times the cache. */
static struct value *next_x(struct value *cache, struct value *x, int64_t queries)
{
    static const int64_t batch[] = {0, 1}, of_cache[] = {0, 2}, width = 3;
    struct value *query = build_reshape(&fixture, x, 4, (int64_t[]){BATCH, HEADS, queries, WIDTH});
    const struct attrs_dot at = {.lhs_batching_dimensions = {2, batch},
                                 .rhs_batching_dimensions = {2, of_cache},
                                 .lhs_contracting_dimensions = {1, &width},
                                 .rhs_contracting_dimensions = {1, &width}};
    struct value *scores =
        dot(query, cache, &at, queries == 1 ? "bf16 4 2 1 1024" : "bf16 4 2 2 1024");
    struct value *some =
        build_slice(&fixture, scores, (int64_t[]){0, 0, 0, 0},
                    (int64_t[]){BATCH, HEADS, queries, WIDTH}, (int64_t[]){1, 1, 1, 1});
    return build_reshape(&fixture, some, 2, (int64_t[]){BATCH, HEADS * queries * WIDTH});
}

/* for (i = 0; i < LAYERS; i++): a decode step of layer i */
static const struct model_plan *decode(int64_t queries)
{
    MAIN("bf16 2 4 1024 2 64", queries == 1 ? "bf16 4 128" : "bf16 4 256",
         queries == 1 ? "bf16 128 128" : "bf16 256 128");
    struct builder outer = fixture;
    struct value *w = argument(2), *begin = build_scalar(&fixture, DTYPE_S32, 0);
    struct value *initial[] = {begin, argument(0), argument(1)};
    const struct type *types[] = {begin->type, argument(0)->type, argument(1)->type};
    struct op *op = ir_op(fixture_module, OP_while, 3, initial, 3, types, 2);
    for (int r = 0; r < 2; r++)
        op->regions[r] = ir_block(fixture_module, fixture.block->func, op, 3, types);
    ir_append(fixture.block, op);
    fixture.block = op->regions[0];
    struct value *less =
        build_compare(&fixture, COMPARE_LT, argument(0), build_scalar(&fixture, DTYPE_S32, LAYERS));
    build_return(&fixture, 1, &less);
    fixture.block = op->regions[1];
    struct value *cache = updated_cache(argument(1), argument(0), argument(2), w);
    struct value *one = build_scalar(&fixture, DTYPE_S32, 1);
    struct value *next[] = {build_binary(&fixture, OP_add, argument(0), one), argument(1),
                            next_x(cache, argument(2), queries)};
    build_return(&fixture, 3, next);
    fixture = outer;
    RETURN(&op->results[2]);
    return plan_of();
}

Test(model_update, a_cache_that_single_rows_read_is_copied_to_the_layout_of_its_update)
{
    double single = decode(1)->hbm_bytes;
    fixture_end();
    fixture_begin();
    double several = decode(2)->hbm_bytes;
    double copies = LAYERS * 4 * cache_bytes;
    cr_expect_gt(single, several + 0.9 * copies, "%g, %g", single, several);
    cr_expect_lt(single, several + 1.1 * copies, "%g, %g", single, several);
}

Test(model_update, a_position_along_the_lanes_takes_a_mask_for_each_tile)
{
    MAIN("bf16 128 1024", "bf16 128 1", "s32");
    struct value *none = build_scalar(&fixture, DTYPE_S32, 0);
    struct value *x = build_unary(&fixture, OP_negate, argument(0));
    RETURN(build_update(&fixture, x, argument(1), (struct value *[]){none, argument(2)}));
    double along_lanes = plan_of()->seconds;
    fixture_end();
    fixture_begin();
    MAIN("bf16 1024 128", "bf16 1 128", "s32");
    none = build_scalar(&fixture, DTYPE_S32, 0);
    x = build_unary(&fixture, OP_negate, argument(0));
    RETURN(build_update(&fixture, x, argument(1), (struct value *[]){argument(2), none}));
    double along_rows = plan_of()->seconds;
    cr_expect_gt(along_lanes, along_rows + 300e-9, "eight tiles of 16 rows");
}

static double bytes_of_update(bool donated)
{
    static struct argument_info infos[2];
    MAIN("f32 1024 1024", "f32 8 1024");
    infos[0] = (struct argument_info){.alias_result = donated ? 0 : -1, .donated = donated};
    infos[1] = (struct argument_info){.alias_result = -1};
    fixture.block->func->argument_infos = infos;
    struct value *none = build_scalar(&fixture, DTYPE_S32, 0);
    RETURN(build_update(&fixture, argument(0), argument(1), (struct value *[]){none, none}));
    return plan_of()->hbm_bytes;
}

Test(model_update, an_array_that_stays_is_copied_and_its_copy_updated)
{
    double in_place = bytes_of_update(true);
    fixture_end();
    fixture_begin();
    cr_expect_float_eq(bytes_of_update(false), in_place + 2 * 1024 * 1024 * 4, 1e5);
}
