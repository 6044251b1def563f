/* mosaic_config_test.c: configurations as JAX writes them, and what is refused. */
#include "compiler/frontend/mosaic/mosaic_config.h"

#include <criterion/criterion.h>
#include <string.h>

#include "base/error_fixture.h"

static struct arena *arena;

static void setup(void)
{
    cr_assert_null(arena_create(&arena));
}

static void teardown(void)
{
    arena_destroy(arena);
}

TestSuite(mosaic_config, .init = setup, .fini = teardown);

static struct error *read_text(const char *text, struct mosaic_config *out)
{
    return mosaic_config_read(arena, text, strlen(text), out);
}

Test(mosaic_config, reads_what_jax_writes)
{
    struct mosaic_config config;
    cr_assert_null(read_text(
        "{\"custom_call_config\": {\"body\": \"TUzvUg==\", \"has_communication\": true, "
        "\"collective_id\": 3, \"cost_estimate\": {\"flops\":8,\"bytes_accessed\":16}, "
        "\"serialization_format\": 1, \"needs_layout_passes\": true, "
        "\"output_memory_space_colors\": [{\"color\":1,\"shape_index\":[1]}], "
        "\"input_memory_space_colors\": [{\"operand_index\":2,\"color\":0}]}, "
        "\"device_type\": \"DEVICE_TYPE_TENSORCORE\", "
        "\"scoped_memory_configs\": [{\"memory_space\":1, \"offset\": 0, \"size\": 33554432}], "
        "\"flag_configs\": [{\"flag_type\": \"xla_x\", \"value\": {\"boolean_value\": true}}]}",
        &config));
    cr_expect(config.body_size == 4 && !memcmp(config.body, "ML\xefR", 4));
    cr_expect(config.has_communication && config.collective_id == 3);
    cr_expect(config.has_cost && config.cost.flops == 8 && config.cost.bytes_accessed == 16);
    cr_expect(config.vmem_limit_bytes == 32 << 20);
    cr_expect(config.result_count == 1 && config.results[0].index == 1 &&
              config.results[0].color == MOSAIC_COLOR_VMEM);
    cr_expect(config.operand_count == 1 && config.operands[0].index == 2 &&
              config.operands[0].color == MOSAIC_COLOR_HBM);
}

Test(mosaic_config, has_defaults)
{
    struct mosaic_config config;
    cr_assert_null(read_text("{\"custom_call_config\": {\"body\": \"AAAA\"}}", &config));
    cr_expect(config.body_size == 3 && config.collective_id == -1 && config.vmem_limit_bytes == -1);
    cr_expect(!config.has_cost && !config.has_communication && !config.operand_count);
}

struct refused {
    const char *text, *message;
};

Test(mosaic_config, refuses_what_it_does_not_know)
{
    static const struct refused cases[] = {
        {"", "not JSON"},
        {"{\"custom_call_config\": {\"body\": \"AAAA\"}", "not JSON"},
        {"[]", "must be an object"},
        {"{,}", "not JSON"},
        {"{\"custom_call_config\": {\"body\": \"AAAA\",,}}", "not JSON"},
        {"{\"custom_call_config\": {\"body\":,}}", "not JSON"},
        {"{}", "no kernel"},
        {"{\"custom_call_config\": {\"body\": \"AAA\"}}", "multiple of 4"},
        {"{\"custom_call_config\": {\"body\": \"A?AA\"}}", "letter 1 of 4"},
        {"{\"custom_call_config\": {\"body\": \"A===\"}}", "letter 1 of 4"},
        {"{\"custom_call_config\": {\"body\": 5}}", "must be a string"},
        {"{\"custom_call_config\": {\"body\": \"AAAA\", \"body\": \"AAAA\"}}", "twice"},
        {"{\"custom_call_config\": {\"body\": \"AAAA\", \"collective_id\": 1.5}}", "whole number"},
        {"{\"custom_call_config\": {\"body\": \"AAAA\", \"collective_id\": -1}}", "whole number"},
        {"{\"custom_call_config\": {\"body\": \"AAAA\", \"serialization_format\": 2}}",
         "serialization_format"},
        {"{\"custom_call_config\": {\"body\": \"AAAA\", \"new_mode\": true}}", "\"new_mode\""},
        {"{\"custom_call_config\": {\"body\": \"AAAA\", \"input_memory_space_colors\": "
         "[{\"color\": 9, \"operand_index\": 0}]}}",
         "entry 0"},
        {"{\"custom_call_config\": {\"body\": \"AAAA\"}, \"device_type\": "
         "\"DEVICE_TYPE_SPARSECORE\"}",
         "SPARSECORE"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct mosaic_config config;
        struct error *error = read_text(cases[i].text, &config);
        cr_assert(error, "case %zu", i);
        cr_expect(strstr(error_message(error, NULL), cases[i].message), "case %zu: %s", i,
                  error_message(error, NULL));
        error_free(error);
    }
}

Test(mosaic_config, unknown_fields_that_ask_for_nothing_are_accepted)
{
    struct mosaic_config config;
    cr_expect_null(read_text("{\"custom_call_config\": {\"body\": \"AAAA\", \"new_mode\": false, "
                             "\"new_list\": []}, \"new_text\": \"\", \"new_count\": 0}",
                             &config));
}

Test(mosaic_config, a_last_comma_is_accepted)
{
    struct mosaic_config config;
    cr_expect_null(
        read_text("{\"custom_call_config\": {\"body\": \"AAAA\", \"serialization_format\": 1,\n },"
                  "\"flag_configs\": [{\"flag_type\": \"a\\\",}b\"},]\t, } ",
                  &config));
    cr_expect(config.body_size == 3);
}

Test(mosaic_config, deep_nesting_is_an_error)
{
    enum { DEPTH = 100000 };
    struct mosaic_config config;
    char *text = arena_alloc(arena, DEPTH + 1);
    memset(text, '[', DEPTH);
    struct error *error = mosaic_config_read(arena, text, DEPTH, &config);
    cr_expect(error);
    error_free(error);
}
