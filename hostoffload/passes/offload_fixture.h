/* offload_fixture.h: placement annotations and targets for the tests of hostoffload/passes. */
#ifndef GANTRY_HOSTOFFLOAD_PASSES_OFFLOAD_FIXTURE_H
#define GANTRY_HOSTOFFLOAD_PASSES_OFFLOAD_FIXTURE_H

#include "compiler/passes/passes_fixture.h"
#include "compiler/target.h"

/* The target that passes run for; its memory kinds are the test's to change. */
static struct target offload_target;

static inline void offload_begin(void)
{
    fixture_begin();
    offload_target = (struct target){.name = "test", .memory_kinds = MEMORY_KINDS_ALL};
}

static inline struct string fixture_string(const char *text)
{
    return (struct string){strlen(text), text};
}

/* {mhlo.frontend_attributes = {_xla_buffer_placement = kind}} */
static inline const struct dict *placement(const char *kind)
{
    static struct string inner_name, outer_name;
    static struct dict_value inner_value, outer_value;
    static struct dict inner, outer;
    inner_name = fixture_string("_xla_buffer_placement");
    outer_name = fixture_string("mhlo.frontend_attributes");
    inner_value = (struct dict_value){.kind = DICT_STRING, .string = fixture_string(kind)};
    inner = (struct dict){1, &inner_name, &inner_value};
    outer_value = (struct dict_value){.kind = DICT_DICT, .dict = &inner};
    outer = (struct dict){1, &outer_name, &outer_value};
    return arena_copy(fixture_arena, &outer, sizeof outer);
}

/* A placement annotation at the end of main. */
static inline struct value *annotate(struct value *value, const char *kind)
{
    struct op *op = ir_op(fixture_module, OP_custom_call, 1, &value, 1, &value->type, 0);
    op->attrs.custom_call.call_target_name = fixture_string("annotate_device_placement");
    op->attrs.custom_call.has_side_effect = true;
    op->discardable = placement(kind);
    ir_append(fixture.block, op);
    return &op->results[0];
}

static inline void offload_fails(fixture_pass *pass, PJRT_Error_Code code, const char *part)
{
    struct error *error = pass(fixture_module, &offload_target);
    cr_assert_not_null(error);
    cr_expect_eq(error_code(error), code, "%s", error_message(error, NULL));
    cr_expect(strstr(error_message(error, NULL), part), "%s", error_message(error, NULL));
    error_free(error);
}

#endif
