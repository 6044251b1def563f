#include "compiler/passes/canonicalize/async_calls.h"

#include "base/text.h"
#include "compiler/passes/passes_fixture.h"

TestSuite(async_calls, .init = fixture_begin, .fini = fixture_end);

static struct string text_of(const char *text)
{
    return (struct string){strlen(text), text};
}

/* main(f32 8 4): a custom call with this configuration (NULL: none). */
static struct op *call_with(const char *target, const char *config)
{
    struct dict_value *values = ARENA_ARRAY(fixture_arena, struct dict_value, 2);
    struct dict *dicts = ARENA_ARRAY(fixture_arena, struct dict, 2);
    struct string *names = ARENA_ARRAY(fixture_arena, struct string, 2);
    struct value *operand = argument(0);
    struct op *op = ir_op(fixture_module, OP_custom_call, 1, &operand, 1, &operand->type, 0);
    op->attrs.custom_call.call_target_name = text_of(target);
    ir_append(fixture.block, op);
    names[0] = text_of("async_collective_config");
    names[1] = text_of("mhlo.frontend_attributes");
    values[0] = (struct dict_value){.kind = DICT_STRING, .string = text_of(config ? config : "")};
    dicts[0] = (struct dict){1, names, values};
    values[1] = (struct dict_value){.kind = DICT_DICT, .dict = &dicts[0]};
    dicts[1] = (struct dict){1, names + 1, values + 1};
    op->discardable = config ? &dicts[1] : NULL;
    RETURN(&op->results[0]);
    return op;
}

static void refuse(const char *target, const char *config, const char *message)
{
    bool is_one;
    struct error *error = async_calls_replace(fixture_module, call_with(target, config), &is_one);
    cr_assert_not_null(error, "%s %s", target, config ? config : "without a configuration");
    cr_expect_eq(error_code(error), PJRT_Error_Code_INVALID_ARGUMENT);
    cr_expect(strstr(error_message(error, NULL), message), "%s", error_message(error, NULL));
    cr_expect(is_one);
    error_free(error);
}

Test(async_calls, wrong_configurations_are_errors)
{
    static const char permute[] = "collective-permute-start", rows[] = "a list of lists";
    MAIN("f32 8 4");
    refuse(permute, NULL, "must have the frontend attribute async_collective_config");
    refuse(permute, "{[", "an object of JSON");
    refuse(permute, "[1]", "an object of JSON");
    refuse(permute, "{}", rows);
    refuse(permute, "{\"permutation\": [[0, 1], [2]]}", rows);
    refuse(permute, "{\"permutation\": [[0, 1e300]]}", rows);
    refuse(permute, "{\"permutation\": [[0, 1]], \"channel_id\": 1.5}", "a whole number");
    refuse("all-reduce-start", "{\"replica_groups\": [[0]]}", "one called computation");
}

/* The numbers take no more memory than the text: a first row of many does not size the others. */
Test(async_calls, rows_of_unequal_sizes_take_no_memory)
{
    enum { MANY = 100000 };
    struct text config = {0};
    MAIN("f32 8 4");
    text_add(&config, "{\"permutation\": [[0");
    for (int i = 1; i < MANY; i++)
        text_add(&config, ",0");
    text_add(&config, "]");
    for (int i = 1; i < MANY; i++)
        text_add(&config, ",[]");
    text_add(&config, "]}");
    refuse("collective-permute-start", config.data, "a list of lists");
    text_free(&config);
}

Test(async_calls, other_calls_stay)
{
    bool is_one = true;
    MAIN("f32 8 4");
    struct op *op = call_with("all-reduce", "{}");
    cr_expect_null(async_calls_replace(fixture_module, op, &is_one));
    cr_expect_not(is_one);
    cr_expect_eq(fixture_module->entry->body->last->operands[0], &op->results[0]);
}
