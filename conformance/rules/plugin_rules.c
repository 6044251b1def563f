/* plugin_rules.c: area 5: initialization and the plugin's attributes. */
#include <string.h>

#include "conformance/cts/rule_process.h"
#include "conformance/rules/named_values.h"

/* ---- 5.1 Initialization ---------------------------------------------------------------------- */

static bool initialize(struct rule_context *t)
{
    ARGS(t, Plugin_Initialize, args, );
    return rule_need_ok(t, "PJRT_Plugin_Initialize", CALL(t, Plugin_Initialize, &args));
}

void rule_plugin_initializes(struct rule_context *t)
{
    NEED_TABLE(t);
    initialize(t);
}

void rule_plugin_initializes_twice(struct rule_context *t)
{
    NEED_PLUGIN(t);
    initialize(t);
}

static void initialize_in_thread(struct rule_context *t, int i)
{
    (void)i;
    initialize(t);
}

void rule_plugin_initializes_in_threads(struct rule_context *t)
{
    NEED_TABLE(t);
    rule_threads(t, initialize_in_thread);
}

void rule_plugin_initializes_quietly(struct rule_context *t)
{
    NEED_TABLE(t);
    int64_t before = rule_output();
    if (before < 0) {
        rule_skip(t, "the standard streams are not the suite's own");
        return;
    }
    NEED_PLUGIN(t);
    CHECK(t, rule_output() == before, "%lld bytes", (long long)(rule_output() - before));
}

void rule_plugin_initializes_without_leaks(struct rule_context *t)
{
    NEED_PLUGIN(t);
    rule_repeat(t, 10000, initialize);
}

/* ---- 5.2 Attributes -------------------------------------------------------------------------- */

/* Declares `args`, filled by PJRT_Plugin_Attributes. */
#define NEED_ATTRIBUTES(t, args)                                                                   \
    NEED_PLUGIN(t);                                                                                \
    ARGS(t, Plugin_Attributes, args, );                                                            \
    NEED_OK(t, CALL(t, Plugin_Attributes, &args))

void rule_plugin_has_attributes(struct rule_context *t)
{
    NEED_ATTRIBUTES(t, args);
    CHECK(t, args.attributes || !args.num_attributes, "%zu attributes at address NULL",
          args.num_attributes);
}

void rule_plugin_names_attributes(struct rule_context *t)
{
    NEED_ATTRIBUTES(t, args);
    named_values_check(t, args.attributes, args.num_attributes);
}

void rule_plugin_names_attributes_once(struct rule_context *t)
{
    NEED_ATTRIBUTES(t, args);
    named_values_check_unique(t, args.attributes, args.num_attributes);
}

void rule_plugin_keeps_attributes(struct rule_context *t)
{
    NEED_ATTRIBUTES(t, first);
    ARGS(t, Client_Create, create, );
    struct error *error = CALL(t, Client_Create, &create); /* anything may happen in between */
    t->client = error ? NULL : create.client;
    error_free(error);
    rule_close(t);
    ARGS(t, Plugin_Attributes, second, );
    NEED_OK(t, CALL(t, Plugin_Attributes, &second));
    CHECK(t, first.attributes == second.attributes, "the attributes are elsewhere");
    NEED(t, first.num_attributes == second.num_attributes, "%zu attributes have become %zu",
         first.num_attributes, second.num_attributes);
    for (size_t i = 0; i < first.num_attributes; i++)
        CHECK(t, named_values_equal(&first.attributes[i], &second.attributes[i]),
              "attribute %zu has another value", i);
}

/* A version: three numbers, none negative. */
static void check_version(struct rule_context *t, const PJRT_NamedValue *value)
{
    NEED(t, value->type == PJRT_NamedValue_kInt64List && value->value_size == 3,
         "'%.*s' has type %d and %zu elements", (int)value->name_size, value->name,
         (int)value->type, value->value_size);
    for (int i = 0; i < 3; i++)
        CHECK(t, value->int64_array_value[i] >= 0, "number %d of '%.*s' is %lld", i,
              (int)value->name_size, value->name, (long long)value->int64_array_value[i]);
}

void rule_plugin_says_its_stablehlo_version(struct rule_context *t)
{
    NEED_ATTRIBUTES(t, args);
    const PJRT_NamedValue *current =
        named_values_find(args.attributes, args.num_attributes, "stablehlo_current_version");
    NEED(t, current, "no attribute stablehlo_current_version");
    check_version(t, current);
}

static bool is_above(const PJRT_NamedValue *a, const PJRT_NamedValue *b)
{
    int i = 0;
    while (i < 2 && a->int64_array_value[i] == b->int64_array_value[i])
        i++;
    return a->int64_array_value[i] > b->int64_array_value[i];
}

void rule_plugin_orders_its_stablehlo_versions(struct rule_context *t)
{
    NEED_ATTRIBUTES(t, args);
    const PJRT_NamedValue *list = args.attributes;
    const PJRT_NamedValue *current =
        named_values_find(list, args.num_attributes, "stablehlo_current_version");
    const PJRT_NamedValue *minimum =
        named_values_find(list, args.num_attributes, "stablehlo_minimum_version");
    if (!current || !minimum) {
        rule_skip(t, "no %s", current ? "stablehlo_minimum_version" : "stablehlo_current_version");
        return;
    }
    check_version(t, current);
    check_version(t, minimum);
    if (!atomic_load(&t->outcome->failures))
        CHECK(t, !is_above(minimum, current), "the minimum is above the current version");
}

void rule_plugin_says_its_xla_version(struct rule_context *t)
{
    NEED_ATTRIBUTES(t, args);
    const PJRT_NamedValue *version =
        named_values_find(args.attributes, args.num_attributes, "xla_version");
    if (!version)
        rule_skip(t, "no attribute xla_version");
    else
        CHECK(t, version->type == PJRT_NamedValue_kInt64, "its type is %d", (int)version->type);
}

static void compare_attributes(struct rule_context *t, int i)
{
    ARGS(t, Plugin_Attributes, args, );
    ARGS(t, Plugin_Attributes, again, );
    NEED_OK(t, CALL(t, Plugin_Attributes, &args));
    NEED_OK(t, CALL(t, Plugin_Attributes, &again));
    CHECK(t, args.attributes == again.attributes && args.num_attributes == again.num_attributes,
          "thread %d got two lists", i);
}

void rule_plugin_gives_attributes_to_threads(struct rule_context *t)
{
    NEED_PLUGIN(t);
    rule_threads(t, compare_attributes);
}
