#include "compiler/passes/spmd/auto/auto_templates.h"

#include "compiler/passes/auto_fixture.h"

TestSuite(auto_templates, .init = fixture_begin, .fini = fixture_end);

static const char *const names[] = {"x", "y"};
static const int64_t sizes[] = {2, 2};
static const struct mesh mesh = {
    .axis_count = 2, .axis_names = names, .axis_sizes = sizes, .device_count = 4};

struct tried { /* the last answer of a name */
    const struct auto_classes *classes;
    const char *name;
    struct auto_answer answer;
    int count;
};

static int dim_of(const struct auto_classes *classes, const struct auto_answer *answer, int i,
                  int axis)
{
    return auto_answer_place(classes, &mesh, answer, classes->slots[i]).dims[axis];
}

/* Dividing the batch is fastest, dividing features needs least memory. */
static struct auto_cost plan(void *context, const struct auto_answer *answer, const char *name)
{
    struct tried *tried = context;
    if (!strcmp(name, tried->name)) {
        tried->answer = *answer;
        tried->count++;
    }
    int dim = dim_of(tried->classes, answer, 0, 0);
    return (struct auto_cost){.seconds = dim == 0   ? 1
                                         : dim == 1 ? 9
                                                    : 2,
                              .peak_bytes = dim == 1 ? 50 : 100,
                              .is_planned = true};
}

/* A layer of a residual network. */
static void build(void)
{
    MAIN("f32 64 32", "f32 32 128", "f32 128 32");
    fixture_module->num_partitions = 4;
    struct value *hidden =
        build_unary(&fixture, OP_tanh, auto_fixture_product(argument(0), argument(1)));
    struct value *out = auto_fixture_product(hidden, argument(2));
    RETURN(build_binary(&fixture, OP_add, argument(0), out));
}

static struct tried try(const char *name, uint64_t memory)
{
    static struct auto_classes classes;
    const struct auto_planner planner = {.memory_bytes = memory};
    struct auto_choices choices;
    build();
    cr_assert_null(auto_classes_find(fixture_module, &classes));
    struct auto_score score = auto_score_create(fixture_module, &classes, &mesh, &planner, 1000000);
    struct tried tried = {.classes = &classes, .name = name};
    auto_choices_find(&score, &choices);
    auto_templates_try(&score, &choices, plan, &tried);
    return tried;
}

static void expect_dims(const struct tried *tried, int i, int x, int y)
{
    cr_expect_eq(dim_of(tried->classes, &tried->answer, i, 0), x, "argument %d, x", i);
    cr_expect_eq(dim_of(tried->classes, &tried->answer, i, 1), y, "argument %d, y", i);
}

Test(auto_templates, batch_and_tensor_along_two_axes_with_parameters_along_the_first)
{
    struct tried tried = try("tensor parallelism, parameters sharded", 0);
    cr_expect_eq(tried.count, 2); /* all axes for the tensor, or y; x and y are alike */
    expect_dims(&tried, 0, 0, -1);
    expect_dims(&tried, 1, 0, 1); /* features, hidden units */
    expect_dims(&tried, 2, 1, 0);
}

Test(auto_templates, parameters_are_divided_once_by_the_tensors_axes)
{
    struct tried tried = try("tensor parallelism", 0);
    expect_dims(&tried, 1, -1, 1);
    expect_dims(&tried, 2, -1, 0);
}

Test(auto_templates, what_leads_is_not_the_smallest_where_nothing_fits)
{
    struct tried tried = try("tensor parallelism, parameters sharded", 10);
    expect_dims(&tried, 0, 0, -1); /* the batch, as without a limit */
    expect_dims(&tried, 1, 0, 1);
}
